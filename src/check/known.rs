//! Who knows of whose requests: part of a node's state and of a message where a goal asks who asked later.
//!
//! It is what the engine's vector times say, of requests alone, counted from where the search begins: a
//! request that waited there is the first.

use crate::model::NodeId;

/// For each client how many of its requests are known; empty where nobody asks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Known {
    all: Box<[u8]>,
    stamped: Box<[u8]>,
}

impl Known {
    /// What is known, client by client: by all messages, and by those that carry a stamp.
    #[must_use]
    pub fn of(all: Vec<u8>, stamped: Vec<u8>) -> Self {
        Self { all: all.into(), stamped: stamped.into() }
    }

    /// How many requests of a client are known.
    #[must_use]
    pub fn requests(&self, client: NodeId) -> u8 {
        self.all.get(client.index()).copied().unwrap_or(0)
    }

    /// How many requests of a client are known by messages that carry a stamp.
    #[must_use]
    pub fn stamped_requests(&self, client: NodeId) -> u8 {
        self.stamped.get(client.index()).copied().unwrap_or(0)
    }

    /// Adds what a message knew, which carries a stamp or does not.
    pub fn learn(&mut self, message: &Self, stamped: bool) {
        let add = |mine: &mut [u8], theirs: &[u8]| {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine = (*mine).max(*theirs);
            }
        };
        add(&mut self.all, &message.all);
        if stamped {
            add(&mut self.stamped, &message.stamped);
        }
    }

    /// Adds one request of a client.
    pub fn request(&mut self, client: NodeId) {
        for requests in [&mut self.all, &mut self.stamped] {
            if let Some(mine) = requests.get_mut(client.index()) {
                *mine = mine.saturating_add(1);
            }
        }
    }
}
