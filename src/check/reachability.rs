//! The second look at a finished graph: from which states can the run still come where it should?
//!
//! Events are not stored, they are worked out again. States are gone through backwards, latest first,
//! until nothing changes any more; most graphs need one round and a half.

use super::expand::Batch;
use super::graph::Graph;
use super::property::Property as _;
use crate::algorithm::Algorithm;

/// States looked at in one go.
#[derive(Debug)]
pub struct Reachability {
    good: Vec<u64>,
    /// The states before this one were not looked at in this round.
    at: usize,
    changed: bool,
    batch: Batch,
}

impl Reachability {
    /// A second look at a graph of so many states.
    #[must_use]
    pub fn new(states: usize) -> Self {
        Self {
            good: vec![0; states.div_ceil(64)],
            at: states,
            changed: false,
            batch: Batch::default(),
        }
    }

    fn is_good(&self, state: usize) -> bool {
        self.good[state / 64] >> (state % 64) & 1 == 1
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.good.capacity() * 8
    }

    /// Looks at up to `budget` states. In the end says the first state from which nothing leads where
    /// the run should come, if there is one.
    pub fn advance<A: Algorithm>(
        &mut self,
        graph: &mut Graph<A>,
        budget: usize,
    ) -> Option<Option<usize>> {
        for _ in 0..budget {
            if self.at == 0 {
                if !self.changed {
                    return Some((0..graph.states()).find(|s| !self.is_good(*s)));
                }
                self.at = graph.states();
                self.changed = false;
            }
            self.at -= 1;
            if !self.is_good(self.at) && self.leads_on(graph, self.at) {
                self.good[self.at / 64] |= 1 << (self.at % 64);
                self.changed = true;
            }
        }
        None
    }

    fn leads_on<A: Algorithm>(&mut self, graph: &mut Graph<A>, state: usize) -> bool {
        let followers = graph.followers_of(state, &mut self.batch);
        graph.system.is_target(&self.batch.ids)
            || followers.iter().any(|f| self.is_good(*f as usize))
    }
}
