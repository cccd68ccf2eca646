//! Two clusters on the same requests, stepped together.
//!
//! Each side is a lab of its own; nothing here knows what an algorithm does.

use super::{Lab, next_asker};
use crate::catalog;
use crate::model::{Event, NodeId, Phase};
use crate::sim::{RevId, Simulation};

/// A point of the way: where each side stands, and how often each node is still to ask there.
#[derive(Clone, Debug)]
struct Moment {
    at: [RevId; 2],
    left: [Vec<u32>; 2],
}

/// Two clusters on the same requests.
#[derive(Debug)]
pub struct Pair {
    sides: [Lab; 2],
    moments: Vec<Moment>,
    here: usize,
}

impl Pair {
    /// Two clusters of `n` nodes, by the names of their algorithms; nobody has asked.
    ///
    /// # Errors
    /// In words, why there is no such cluster.
    pub fn new(algorithms: [&str; 2], n: usize) -> Result<Self, String> {
        let lab = |slug: &str| {
            let entry = catalog::find(slug).map_err(|e| e.message)?;
            Lab::new(entry.usual(n)).map_err(|e| format!("{}: {}", entry.info.title, e.message))
        };
        let sides = [lab(algorithms[0])?, lab(algorithms[1])?];
        let left = [(); 2].map(|()| vec![0; n]);
        let at = [sides[0].history().cursor(), sides[1].history().cursor()];
        Ok(Self { sides, moments: vec![Moment { at, left }], here: 0 })
    }

    /// One of the two: 0 is the left one.
    #[must_use]
    pub fn side(&self, side: usize) -> &Lab {
        &self.sides[side]
    }

    /// How many steps together lie behind, and how many ahead that were taken back.
    #[must_use]
    pub fn place(&self) -> (usize, usize) {
        (self.here, self.moments.len() - 1 - self.here)
    }

    /// The state of a side before the last step, if that step moved it.
    #[must_use]
    pub fn before(&self, side: usize) -> Option<&dyn Simulation> {
        let last = self.here.checked_sub(1)?;
        let (before, after) = (self.moments[last].at[side], self.moments[self.here].at[side]);
        (before != after).then(|| self.sides[side].history().state_at(before))
    }

    /// How often a node is still to ask on a side, because it has not left yet.
    #[must_use]
    pub fn owed(&self, side: usize, node: NodeId) -> u32 {
        self.moments[self.here].left[side].get(node.index()).copied().unwrap_or(0)
    }

    /// These nodes ask once more, on both sides, each as soon as it is idle there.
    pub fn ask(&mut self, nodes: &[NodeId]) {
        let mut left = self.moments[self.here].left.clone();
        for (side, left) in left.iter_mut().enumerate() {
            for node in nodes {
                left[node.index()] += 1;
            }
            while let Some(node) = next_asker(self.sides[side].state(), left) {
                left[node.index()] -= 1;
                self.play(side, Event::Request(node));
            }
        }
        self.push(left);
    }

    /// One event more on each side that is not done: what was taken back, or a request that is due, or
    /// the oldest message, or an exit. Returns whether anything happened.
    pub fn forward(&mut self) -> bool {
        if self.here + 1 < self.moments.len() {
            self.go(self.here + 1);
            return true;
        }
        let mut left = self.moments[self.here].left.clone();
        let mut moved = false;
        for (side, left) in left.iter_mut().enumerate() {
            if let Some(event) = self.next(side, left) {
                if let Event::Request(node) = event {
                    left[node.index()] -= 1;
                }
                self.play(side, event);
                moved = true;
            }
        }
        if moved {
            self.push(left);
        }
        moved
    }

    /// One step back on both sides. Returns whether there was one.
    pub fn back(&mut self) -> bool {
        let back = self.here > 0;
        if back {
            self.go(self.here - 1);
        }
        back
    }

    /// Whether nothing more happens on a side by itself: everybody has left, and nothing that matters is
    /// in flight.
    #[must_use]
    pub fn done(&self, side: usize) -> bool {
        self.next(side, &self.moments[self.here].left[side]).is_none()
    }

    fn next(&self, side: usize, left: &[u32]) -> Option<Event> {
        let lab = &self.sides[side];
        let state = lab.state();
        if let Some(node) = next_asker(state, left) {
            return Some(Event::Request(node));
        }
        let idle = |n: NodeId| state.phase(n) == Phase::Idle;
        // A token that nobody waits for goes round for ever.
        if state.info().circulates && state.setup().client_ids().all(idle) {
            return None;
        }
        lab.next_by_itself()
    }

    fn play(&mut self, side: usize, event: Event) {
        self.sides[side].play(event).expect("only enabled events are chosen");
    }

    fn push(&mut self, left: [Vec<u32>; 2]) {
        let at = [0, 1].map(|side: usize| self.sides[side].history().cursor());
        self.moments.truncate(self.here + 1);
        self.moments.push(Moment { at, left });
        self.here += 1;
    }

    fn go(&mut self, to: usize) {
        self.here = to;
        for (side, rev) in self.moments[to].at.into_iter().enumerate() {
            self.sides[side].go_to(rev);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(pair: &Pair) -> [u32; 2] {
        [0, 1].map(|side| pair.side(side).state().messages(None))
    }

    fn finished(algorithms: [&str; 2], n: usize) -> Pair {
        let mut pair = Pair::new(algorithms, n).expect("small clusters");
        let all: Vec<NodeId> = pair.side(0).setup().client_ids().collect();
        pair.ask(&all);
        while pair.forward() {}
        pair
    }

    #[test]
    fn both_serve_the_same_requests_and_the_messages_are_those_of_the_formulas() {
        let pair = finished(["lamport", "ricart-agrawala"], 4);
        assert_eq!(messages(&pair), [4 * 9, 4 * 6]);
        assert!(pair.done(0) && pair.done(1));
        for side in 0..2 {
            assert!(
                pair.side(side).setup().client_ids().all(|n| pair.side(side).state().exits(n) == 1)
            );
        }
    }

    #[test]
    fn the_shorter_side_waits_and_an_idle_token_is_not_counted() {
        let pair = finished(["token-ring", "central"], 3);
        assert_eq!(messages(&pair), [3, 9]);
        let depth =
            |side: usize| pair.side(side).history().depth(pair.side(side).history().cursor());
        assert!(depth(0) < depth(1));
    }

    #[test]
    fn back_and_forward_give_the_same_states_and_a_new_request_forgets_what_was_ahead() {
        let mut pair = finished(["raymond", "maekawa"], 3);
        let end = [0, 1].map(|s| pair.side(s).state().view());
        let (steps, _) = pair.place();
        for _ in 0..5 {
            assert!(pair.back());
        }
        assert_eq!(pair.place(), (steps - 5, 5));
        for _ in 0..5 {
            assert!(pair.forward());
        }
        assert_eq!([0, 1].map(|s| pair.side(s).state().view()), end);
        while pair.back() {}
        pair.ask(&[NodeId(1)]);
        assert_eq!(pair.place(), (1, 0));
        assert_eq!(pair.side(0).state().phase(NodeId(0)), Phase::Idle);
    }

    #[test]
    fn a_node_that_has_not_left_asks_again_when_it_has() {
        let mut pair = Pair::new(["central", "suzuki-kasami"], 2).expect("small clusters");
        pair.ask(&[NodeId(0)]);
        pair.ask(&[NodeId(0)]);
        assert_eq!([0, 1].map(|s| pair.owed(s, NodeId(0))), [1, 1]);
        while pair.forward() {}
        assert_eq!([0, 1].map(|s| pair.side(s).state().entries(NodeId(0))), [2, 2]);
        assert_eq!([0, 1].map(|s| pair.owed(s, NodeId(0))), [0, 0]);
    }

    #[test]
    fn names_and_sizes_that_cannot_be_are_refused_in_words() {
        let wrong = Pair::new(["lamport", "lampart"], 3).expect_err("no such algorithm");
        assert!(wrong.contains("lampart"), "{wrong}");
        assert!(Pair::new(["lamport", "central"], 99).is_err());
    }
}
