//! Who knows of whose requests: part of a node's state and of a message where a goal asks who asked later.
//!
//! It is the vector time of the engine, of requests alone, counted from where the search begins: a
//! request that waited there is the first.

use crate::model::NodeId;

/// For each client how many of its requests are known; empty where nobody asks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Known(Box<[u8]>);

impl Known {
    /// What is known, client by client.
    #[must_use]
    pub fn of(requests: Vec<u8>) -> Self {
        Self(requests.into())
    }

    /// How many requests of a client are known.
    #[must_use]
    pub fn requests(&self, client: NodeId) -> u8 {
        self.0.get(client.index()).copied().unwrap_or(0)
    }

    /// Adds what somebody else knows.
    pub fn learn(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Adds one request of a client.
    pub fn request(&mut self, client: NodeId) {
        if let Some(mine) = self.0.get_mut(client.index()) {
            *mine = mine.saturating_add(1);
        }
    }
}
