//! Runs that never end: a part of the graph in which a run can visit for ever although every message in
//! flight is delivered in the end and every node that is inside leaves.
//!
//! Strongly connected parts are found with Tarjan's algorithm (1972), with a stack of its own. Whether
//! applications go on asking does not matter: what they still may ask for is used up in no cycle.

use super::act::Act;
use super::expand::Batch;
use super::graph::Graph;
use super::node_state::NodeFlags;
use crate::algorithm::Algorithm;
use std::collections::VecDeque;

/// Not seen yet.
const NEW: u32 = 0;
/// Its part is complete.
const CLOSED: u32 = u32::MAX;

/// A state whose followers are being looked at.
#[derive(Debug)]
struct Frame {
    state: u32,
    followers: Vec<u32>,
    at: usize,
}

/// A search for endless runs in a finished graph.
#[derive(Debug)]
pub struct Cycles {
    /// When a state was seen, from 1; `CLOSED` once its part is complete.
    seen: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    frames: Vec<Frame>,
    clock: u32,
    root: usize,
    /// The part that holds the earliest state.
    best: Option<Vec<u32>>,
    batch: Batch,
}

impl Cycles {
    /// A search in a graph of so many states.
    #[must_use]
    pub fn new(states: usize) -> Self {
        Self {
            seen: vec![NEW; states],
            low: vec![0; states],
            stack: Vec::new(),
            frames: Vec::new(),
            clock: 0,
            root: 0,
            best: None,
            batch: Batch::default(),
        }
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let frames: usize = self.frames.iter().map(|f| f.followers.capacity() * 4 + 40).sum();
        (self.seen.capacity() + self.low.capacity() + self.stack.capacity()) * 4 + frames
    }

    /// Looks at up to `budget` states. In the end says in which states a run can visit for ever, the
    /// earliest first; none: every run ends.
    pub fn advance<A: Algorithm>(
        &mut self,
        graph: &mut Graph<A>,
        budget: usize,
    ) -> Option<Option<Vec<u32>>> {
        for _ in 0..budget {
            if self.frames.is_empty() {
                while self.root < self.seen.len() && self.seen[self.root] != NEW {
                    self.root += 1;
                }
                if self.root == self.seen.len() {
                    return Some(self.best.take());
                }
                self.open(graph, self.root as u32);
            }
            self.go_on(graph);
        }
        None
    }

    fn open<A: Algorithm>(&mut self, graph: &mut Graph<A>, state: u32) {
        self.clock += 1;
        self.seen[state as usize] = self.clock;
        self.low[state as usize] = self.clock;
        self.stack.push(state);
        let followers = graph.followers_of(state as usize, &mut self.batch);
        self.frames.push(Frame { state, followers, at: 0 });
    }

    /// Follows the last opened state until a new one is opened or it is done.
    fn go_on<A: Algorithm>(&mut self, graph: &mut Graph<A>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let state = frame.state as usize;
        while let Some(next) = frame.followers.get(frame.at).copied() {
            frame.at += 1;
            match self.seen[next as usize] {
                NEW => return self.open(graph, next),
                CLOSED => {}
                when => self.low[state] = self.low[state].min(when),
            }
        }
        self.frames.pop();
        if let Some(before) = self.frames.last() {
            let before = before.state as usize;
            self.low[before] = self.low[before].min(self.low[state]);
        }
        if self.low[state] == self.seen[state] {
            self.close(graph, state as u32);
        }
    }

    /// A part is complete: those that were opened since its first state.
    fn close<A: Algorithm>(&mut self, graph: &mut Graph<A>, first: u32) {
        let at = self.stack.iter().rposition(|s| *s == first).unwrap_or(0);
        let mut part = self.stack.split_off(at);
        for state in &part {
            self.seen[*state as usize] = CLOSED;
        }
        part.sort_unstable();
        let earlier = self.best.as_ref().is_none_or(|best| part[0] < best[0]);
        if earlier && is_fair(graph, &part, &mut self.batch) {
            self.best = Some(part);
        }
    }
}

/// Whether a run can visit in the part for ever and still deliver every message and let everybody leave.
fn is_fair<A: Algorithm>(graph: &mut Graph<A>, part: &[u32], batch: &mut Batch) -> bool {
    let mut waits = vec![true; graph.system.tables.channels.len()];
    let mut inside = vec![true; graph.system.tables.clients];
    let mut stays = false;
    for state in part {
        let followers = graph.followers_of(*state as usize, batch);
        let t = &graph.system.tables;
        for (channel, waits) in t.channels.iter().zip(&mut waits) {
            *waits &= batch.ids.get(usize::from(channel.field)) != 0;
        }
        for (node, inside) in inside.iter_mut().enumerate() {
            *inside &= t.bits(node, &batch.ids) & NodeFlags::CAN_EXIT != 0;
        }
        for (mv, next) in batch.moves.iter().zip(followers) {
            if part.binary_search(&next).is_err() {
                continue;
            }
            stays = true;
            if mv.act == Act::Deliver {
                let here = |c: &super::tables::Ends| c.from == mv.from && c.to == mv.node;
                let channel = t.channels.iter().position(here);
                waits[channel.expect("a message moves in a used channel")] = false;
            }
        }
    }
    stays && !waits.contains(&true) && !inside.contains(&true)
}

/// The shortest way from the first state of a part back to it.
#[must_use]
pub fn loop_of<A: Algorithm>(graph: &mut Graph<A>, part: &[u32]) -> Vec<usize> {
    let mut batch = Batch::default();
    let home = part[0];
    let place = |state: u32| part.binary_search(&state).ok();
    let mut found_by: Vec<Option<u32>> = vec![None; part.len()];
    let mut queue = VecDeque::from([home]);
    while let Some(state) = queue.pop_front() {
        for next in graph.followers_of(state as usize, &mut batch) {
            let Some(at) = place(next).filter(|at| found_by[*at].is_none()) else { continue };
            found_by[at] = Some(state);
            queue.push_back(next);
        }
        if found_by[0].is_some() {
            break;
        }
    }
    let mut way = vec![home as usize];
    let mut at = home;
    while let Some(before) = place(at).and_then(|p| found_by[p]) {
        way.push(before as usize);
        at = before;
        if at == home {
            break;
        }
    }
    way.reverse();
    way
}
