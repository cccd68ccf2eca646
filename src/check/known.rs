//! Who knows of whose requests: part of a node's state and of a message where a goal asks who asked later.
//!
//! It is what the engine's vector times say, of requests alone, counted from where the search begins: a
//! request that waited there is the first. Where nobody asks it is nothing, and costs as good as nothing.

use crate::model::NodeId;

/// For each client how many of its requests are known.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Known(Option<Box<Counts>>);

/// By all messages, and by those that carry a stamp; empty where nobody asks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Counts {
    all: Box<[u8]>,
    stamped: Box<[u8]>,
}

impl Known {
    /// What is known, client by client: by all messages, and by those that carry a stamp.
    #[must_use]
    pub fn of(all: Vec<u8>, stamped: Vec<u8>) -> Self {
        let asked = !(all.is_empty() && stamped.is_empty());
        Self(asked.then(|| Box::new(Counts { all: all.into(), stamped: stamped.into() })))
    }

    /// How many requests of a client are known.
    #[must_use]
    pub fn requests(&self, client: NodeId) -> u8 {
        let counts = self.0.as_ref().and_then(|known| known.all.get(client.index()));
        counts.copied().unwrap_or(0)
    }

    /// How many requests of a client are known by messages that carry a stamp.
    #[must_use]
    pub fn stamped_requests(&self, client: NodeId) -> u8 {
        let counts = self.0.as_ref().and_then(|known| known.stamped.get(client.index()));
        counts.copied().unwrap_or(0)
    }

    /// Adds what a message knew, which carries a stamp or does not.
    pub fn learn(&mut self, message: &Self, stamped: bool) {
        let Some((mine, theirs)) = self.0.as_mut().zip(message.0.as_ref()) else { return };
        let add = |mine: &mut [u8], theirs: &[u8]| {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine = (*mine).max(*theirs);
            }
        };
        add(&mut mine.all, &theirs.all);
        if stamped {
            add(&mut mine.stamped, &theirs.stamped);
        }
    }

    /// Adds one request of a client.
    pub fn request(&mut self, client: NodeId) {
        let Some(known) = &mut self.0 else { return };
        for requests in [&mut known.all, &mut known.stamped] {
            if let Some(mine) = requests.get_mut(client.index()) {
                *mine = mine.saturating_add(1);
            }
        }
    }
}
