//! Stamps: a clock value and the node whose clock it was.
//!
//! The order is total: smaller clock value first, ties to the node that comes first in the cluster's
//! list (Lamport 1978, the relation written as a double arrow).

use super::node::{Names, NodeId};

/// A clock value with its node, e.g. (4,P1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stamp {
    /// The clock value, in ticks.
    pub clock: u32,
    /// The node whose clock it was.
    pub node: NodeId,
}

impl Stamp {
    /// A stamp from its two parts.
    #[must_use]
    pub fn new(clock: u32, node: NodeId) -> Self {
        Self { clock, node }
    }

    /// `(4,P1)`.
    #[must_use]
    pub fn show(self, names: &Names) -> String {
        format!("({},{})", self.clock, names.get(self.node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_decides_first_and_the_node_breaks_the_tie() {
        assert!(Stamp::new(3, NodeId(1)) < Stamp::new(5, NodeId(0)));
        assert!(Stamp::new(3, NodeId(0)) < Stamp::new(3, NodeId(1)));
    }
}
