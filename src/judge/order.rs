//! One order of a log's entries that respects each node's order and the messages.
//!
//! Sends and receipts are paired here; who was inside beside whom is found by vector time, whatever the
//! algorithm. Everything takes time in line with the log's length.

use super::log::{Log, Message, What};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// A message of the algorithm that is in flight before anything happens.
#[derive(Clone, Debug)]
pub struct Initial {
    /// The number of its sender's name.
    pub from: u32,
    /// The number of its receiver's name.
    pub to: u32,
    /// The number of its kind.
    pub kind: u32,
}

/// The send that a receipt belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The send at this place of the entries.
    Send(usize),
    /// A message that was in flight from the beginning.
    Initial(usize),
    /// No entry sends it.
    Nobody,
}

/// What is known of a log without its algorithm.
#[derive(Debug, Default)]
pub struct Ordered {
    /// Places of entries, in an order that respects nodes and messages.
    pub order: Vec<usize>,
    /// Where each receipt's message comes from, by the receipt's place.
    pub sources: FxHashMap<usize, Source>,
    /// Entries of two nodes that are inside beside each other: neither has left before the other enters.
    pub overlaps: Vec<(usize, usize)>,
    /// Sends that nobody receives.
    pub unreceived: Vec<usize>,
    /// How many receipts were paired by an id, and how many by the order of their channel.
    pub paired: (usize, usize),
}

/// By what a message is looked for among those of its channel and kind.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum By {
    Id(u32),
    Clock(u32),
    NoClock,
    Kind,
}

type Key = (u32, u32, u32, By);

/// The last time that a node was inside.
#[derive(Clone, Copy)]
struct Inside {
    entry: usize,
    /// The number of its exit among the node's entries, once it has left.
    left: Option<u32>,
}

struct Pass<'a> {
    log: &'a Log,
    /// Each node's entries that are not in the order yet, the next one last.
    left: Vec<Vec<usize>>,
    /// The next entry of each node that can come now.
    ready: BTreeSet<(usize, u32)>,
    waiting: FxHashMap<Key, VecDeque<Source>>,
    taken: Vec<bool>,
    initial_taken: Vec<bool>,
    /// Whether an entry of the initial message's sender has named it as sent.
    initial_told: Vec<bool>,
    initial: &'a [Initial],
    /// Whether a node has had an event that is no send.
    begun: Vec<bool>,
    knows: Vec<Box<[u32]>>,
    in_flight: FxHashMap<usize, Box<[u32]>>,
    inside: Vec<Option<Inside>>,
    found: Ordered,
}

/// Brings a log's entries into an order.
#[must_use]
pub fn ordered(log: &Log, initial: &[Initial]) -> Ordered {
    let nodes = log.names.iter().count();
    let mut left = vec![Vec::new(); nodes];
    for (i, entry) in log.entries.iter().enumerate().rev() {
        left[entry.node as usize].push(i);
    }
    let mut pass = Pass {
        log,
        left,
        ready: BTreeSet::new(),
        waiting: FxHashMap::default(),
        taken: vec![false; log.entries.len()],
        initial_taken: vec![false; initial.len()],
        initial_told: vec![false; initial.len()],
        initial,
        begun: vec![false; nodes],
        knows: vec![vec![0; nodes].into(); nodes],
        in_flight: FxHashMap::default(),
        inside: vec![None; nodes],
        found: Ordered::default(),
    };
    for (i, one) in initial.iter().enumerate() {
        for by in [By::Kind, By::NoClock] {
            let key = (one.from, one.to, one.kind, by);
            pass.waiting.entry(key).or_default().push_back(Source::Initial(i));
        }
    }
    pass.run();
    pass.found
}

impl Pass<'_> {
    fn run(&mut self) {
        for node in 0..self.left.len() {
            self.look(node, false);
        }
        loop {
            while let Some((i, node)) = self.ready.pop_first() {
                self.take(i);
                self.look(node as usize, false);
            }
            // Every node waits for a message: the first of them is taken as it stands, and judged later.
            let next = self.left.iter().filter_map(|left| left.last().copied()).min();
            let Some(next) = next else { break };
            self.look(self.log.entries[next].node as usize, true);
        }
        let sends = |i: &usize| matches!(self.log.entries[*i].what, What::Send(_));
        let open = |i: &usize| sends(i) && !self.taken[*i];
        self.found.unreceived = (0..self.log.entries.len()).filter(open).collect();
    }

    /// Lets a node's next entry come, if it can.
    fn look(&mut self, node: usize, anyway: bool) {
        let Some(&i) = self.left[node].last() else { return };
        let entry = &self.log.entries[i];
        if let What::Receive(message) = entry.what {
            match self.source(entry.node, message) {
                None if !anyway => return,
                None => drop(self.found.sources.insert(i, Source::Nobody)),
                Some((source, by_id)) => {
                    let (ids, orders) = self.found.paired;
                    let (by_id, by_order) = (usize::from(by_id), usize::from(!by_id));
                    self.found.paired = (ids + by_id, orders + by_order);
                    self.found.sources.insert(i, source);
                }
            }
        }
        self.left[node].pop();
        self.ready.insert((i, entry.node));
    }

    /// The message that a receipt takes: by its id; else by its stamp; else the oldest of its kind.
    fn source(&mut self, to: u32, message: Message) -> Option<(Source, bool)> {
        let ways = match message {
            Message { id: Some(id), .. } => [Some(By::Id(id)), None],
            Message { clock: Some(clock), .. } => [Some(By::Clock(clock)), Some(By::NoClock)],
            Message { .. } => [Some(By::Kind), None],
        };
        ways.into_iter().flatten().find_map(|by| {
            let queue = self.waiting.get_mut(&(message.peer, to, message.kind, by))?;
            while let Some(source) = queue.pop_front() {
                let taken = match source {
                    Source::Send(i) => &mut self.taken[i],
                    Source::Initial(i) => &mut self.initial_taken[i],
                    Source::Nobody => continue,
                };
                if !std::mem::replace(taken, true) {
                    return Some((source, matches!(by, By::Id(_))));
                }
            }
            None
        })
    }

    /// Puts an entry into the order.
    fn take(&mut self, i: usize) {
        self.found.order.push(i);
        let entry = self.log.entries[i];
        let node = entry.node as usize;
        self.knows[node][node] += 1;
        match entry.what {
            What::Send(message) => self.send(i, entry.node, message),
            What::Receive(_) => self.receive(i, node),
            What::Enter => self.enter(i, node),
            What::Exit => {
                let now = self.knows[node][node];
                self.inside[node] = self.inside[node].map(|one| Inside { left: Some(now), ..one });
            }
            What::Request | What::Crash | What::Recover | What::Timeout => {}
        }
        self.begun[node] |= !matches!(entry.what, What::Send(_));
    }

    fn send(&mut self, i: usize, from: u32, message: Message) {
        let Message { peer: to, kind, clock, id } = message;
        if !self.begun[from as usize] && self.is_initial(from, to, kind) {
            self.taken[i] = true;
            return;
        }
        self.in_flight.insert(i, self.knows[from as usize].clone());
        let ways = [id.map(By::Id), Some(clock.map_or(By::NoClock, By::Clock)), Some(By::Kind)];
        for by in ways.into_iter().flatten() {
            self.waiting.entry((from, to, kind, by)).or_default().push_back(Source::Send(i));
        }
        if self.left[to as usize].last().is_some() && !self.ready.iter().any(|(_, n)| *n == to) {
            self.look(to as usize, false);
        }
    }

    /// Whether what a node says first is that it sends what was in flight from the beginning.
    fn is_initial(&mut self, from: u32, to: u32, kind: u32) -> bool {
        let same = |one: &Initial| (one.from, one.to, one.kind) == (from, to, kind);
        let told = &mut self.initial_told;
        let place = (0..self.initial.len()).find(|k| same(&self.initial[*k]) && !told[*k]);
        place.is_some_and(|k| !std::mem::replace(&mut told[k], true))
    }

    fn receive(&mut self, i: usize, node: usize) {
        if let Some(Source::Send(send)) = self.found.sources.get(&i)
            && let Some(known) = self.in_flight.remove(send)
        {
            for (mine, theirs) in self.knows[node].iter_mut().zip(&known) {
                *mine = (*mine).max(*theirs);
            }
        }
    }

    fn enter(&mut self, i: usize, node: usize) {
        let knows = &self.knows[node];
        let beside = self.inside.iter().enumerate().filter_map(|(other, inside)| {
            let inside = inside.filter(|_| other != node)?;
            let before = inside.left.is_some_and(|left| left <= knows[other]);
            (!before).then_some((inside.entry, i))
        });
        self.found.overlaps.extend(beside);
        self.inside[node] = Some(Inside { entry: i, left: None });
    }
}
