//! A checked cluster: what the handlers of every node may know from the start.
//!
//! It never changes during a run; what changes is the cluster's state, in `sim`.

use super::config::{ChannelOrder, ClockRule, FenceOn, StorageRule};
use super::node::{Names, NodeId, NodeSet};

/// A checked cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Names of all nodes, clients first, then helpers.
    pub names: Names,
    /// How many clients there are: the nodes `0..clients`.
    pub clients: usize,
    /// First clock value of every node, helpers included.
    pub clocks: Vec<u32>,
    /// What a receipt does to a clock.
    pub clock_rule: ClockRule,
    /// How channels hand over.
    pub channels: ChannelOrder,
    /// Id of the broken variant that is played, e.g. `R2`.
    pub variant: Option<&'static str>,
    /// The node that coordinates, where the algorithm has one.
    pub coordinator: Option<NodeId>,
    /// The storage node and its rule.
    pub storage: Option<(NodeId, StorageRule, FenceOn)>,
    /// Voting set of each client; empty where the algorithm has none.
    pub quorums: Vec<NodeSet>,
    /// Each client's neighbour towards the first token holder; the holder names itself. Empty: none.
    pub tree: Vec<NodeId>,
    /// Options of the algorithm that are on.
    pub options: Vec<&'static str>,
}

impl Setup {
    /// How many nodes there are, helpers included.
    #[must_use]
    pub fn total(&self) -> usize {
        self.names.len()
    }

    /// The clients.
    pub fn client_ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.clients).map(NodeId::at)
    }

    /// All nodes, helpers included.
    pub fn all_ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.total()).map(NodeId::at)
    }

    /// Whether a node is one that asks for the lock.
    #[must_use]
    pub fn is_client(&self, node: NodeId) -> bool {
        node.index() < self.clients
    }

    /// Whether an option of the algorithm is on.
    #[must_use]
    pub fn option(&self, name: &str) -> bool {
        self.options.contains(&name)
    }

    /// The name of a node.
    #[must_use]
    pub fn name(&self, node: NodeId) -> &str {
        self.names.get(node)
    }
}
