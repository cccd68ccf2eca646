//! Happened-before between the steps of a run (Lamport 1978).
//!
//! Built from records alone, for a run of any algorithm; it knows no stamps.

use crate::sim::{Fate, StepRecord};

/// Which steps of a run could have influenced which.
#[derive(Clone, Debug)]
pub struct Causality {
    /// For each step, the steps just before it: of the same node, and the sending of its message.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
}

impl Causality {
    /// The relation over the steps of one run, in order. Steps are counted from 0 here.
    #[must_use]
    pub fn of(records: &[&StepRecord]) -> Self {
        let mut before = vec![Vec::new(); records.len()];
        let mut last_of_node: Vec<Option<usize>> = Vec::new();
        for (i, record) in records.iter().enumerate() {
            if let Some(moved) = &record.moved
                && moved.fate == Fate::Delivered
                && moved.sent_at > 0
            {
                before[i].push(moved.sent_at as usize - 1);
            }
            let Some(node) = record.node else { continue };
            if last_of_node.len() <= node.index() {
                last_of_node.resize(node.index() + 1, None);
            }
            if let Some(last) = last_of_node[node.index()]
                && !before[i].contains(&last)
            {
                before[i].push(last);
            }
            last_of_node[node.index()] = Some(i);
        }
        let mut after = vec![Vec::new(); records.len()];
        for (i, causes) in before.iter().enumerate() {
            for cause in causes {
                after[*cause].push(i);
            }
        }
        Self { before, after }
    }

    /// The steps that happened before one, in order.
    #[must_use]
    pub fn causes(&self, step: usize) -> Vec<usize> {
        reach(&self.before, step)
    }

    /// The steps that one happened before, in order.
    #[must_use]
    pub fn effects(&self, step: usize) -> Vec<usize> {
        reach(&self.after, step)
    }

    /// Whether the first step happened before the second.
    #[must_use]
    pub fn happened_before(&self, first: usize, second: usize) -> bool {
        self.causes(second).contains(&first)
    }

    /// Whether neither of two different steps happened before the other.
    #[must_use]
    pub fn concurrent(&self, a: usize, b: usize) -> bool {
        a != b && !self.happened_before(a, b) && !self.happened_before(b, a)
    }
}

fn reach(edges: &[Vec<usize>], from: usize) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut todo = vec![from];
    while let Some(here) = todo.pop() {
        for next in edges.get(here).into_iter().flatten() {
            if !std::mem::replace(&mut seen[*next], true) {
                todo.push(*next);
            }
        }
    }
    (0..edges.len()).filter(|i| seen[*i]).collect()
}
