//! READ and WRITE: what clients send to the storage node, and what comes of it.
//!
//! The storage and what its clients know of it is one more thing that nodes and channels do not tell.
//! What the storage answers is the engine's own `StorageState`.

use crate::algorithm::Algorithm;
use crate::model::{NodeId, Phase};
use crate::sim::Cluster;
use crate::sim::storage::StorageState;

/// The storage, its clients, and how often each may still read and write in its visit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StorageOps {
    /// The storage and what its clients know of it.
    pub storage_state: StorageState,
    /// Reads and writes that are left.
    pub left: Vec<(u8, u8)>,
}

impl StorageOps {
    /// Those at the state where a search begins: clients that are inside have their whole visit.
    #[must_use]
    pub fn at_start<A: Algorithm>(start: &Cluster<A>, writes: u8) -> Self {
        let clients = start.shared_setup().clients;
        let inside = |i: usize| start.locals()[i].phase == Phase::InCs;
        let left = |i: usize| if inside(i) { (writes, writes) } else { (0, 0) };
        Self {
            storage_state: start.storage_state().clone(),
            left: (0..clients).map(left).collect(),
        }
    }

    /// A client enters or leaves.
    pub fn turn(&mut self, entered: Option<NodeId>, exited: Option<NodeId>, writes: u8) {
        if let Some(client) = entered {
            self.storage_state.enter(client);
            self.left[client.index()] = (writes, writes);
        }
        if let Some(client) = exited {
            self.left[client.index()] = (0, 0);
        }
    }
}

/// What a request or an answer changes.
#[derive(Clone, Copy, Debug)]
pub struct StorageOp {
    /// What nodes and channels do not tell, afterwards.
    pub global: u32,
    /// Channel and messages that are sent.
    pub send: Option<(u16, u32)>,
}
