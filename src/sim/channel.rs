//! Channels: the messages in flight between one sender and one receiver.
//!
//! A channel keeps order and numbers. It neither knows what a message means nor when it is delivered.

use super::store::StorageMsg;
use crate::model::{MsgNo, NodeId};
use std::collections::VecDeque;
use std::sync::Arc;

/// Vector time: for each node, how many of its events are known.
pub type VectorTime = Arc<[u32]>;

/// What a message in flight is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Body<M> {
    /// A message of the algorithm.
    Protocol(M),
    /// A message outside the algorithm, with the sender's clock value.
    Tell(u32),
    /// A message to or from the storage node.
    Storage(StorageMsg),
}

/// What somebody knows of each node's events.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Past {
    /// By messages of every kind: happened-before.
    pub all: VectorTime,
    /// By messages that carry a stamp, each from one to the next.
    pub stamped: VectorTime,
}

impl Past {
    /// Of somebody who knows of no event in a cluster of so many nodes.
    #[must_use]
    pub fn nothing(total: usize) -> Self {
        let nothing: VectorTime = vec![0; total].into();
        Self { all: Arc::clone(&nothing), stamped: nothing }
    }

    /// Adds one event of a node's own, and what a message knew, which carries a stamp or does not.
    pub fn learn(&mut self, node: NodeId, from: Option<(&Self, bool)>) {
        let add = |mine: &mut VectorTime, theirs: Option<&VectorTime>| {
            let mut known = mine.to_vec();
            for (mine, theirs) in known.iter_mut().zip(theirs.into_iter().flat_map(|v| v.iter())) {
                *mine = (*mine).max(*theirs);
            }
            known[node.index()] += 1;
            *mine = known.into();
        };
        add(&mut self.all, from.map(|(past, _)| &past.all));
        add(&mut self.stamped, from.filter(|(_, stamped)| *stamped).map(|(past, _)| &past.stamped));
    }
}

/// A message in flight.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Flight<M> {
    /// Its number in the channel.
    pub no: MsgNo,
    /// Its place in the order of sending over all channels.
    pub age: u32,
    /// The step at which it was sent; 0: before the run began.
    pub sent_at: u32,
    /// What its sender knew.
    pub knows: Past,
    /// What it is.
    pub body: Body<M>,
}

/// The messages in flight from one node to another, in the order of sending.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Channel<M> {
    /// How many messages were ever sent on it, copies left out.
    pub sent: u32,
    /// Those in flight.
    pub flights: VecDeque<Flight<M>>,
}

impl<M> Default for Channel<M> {
    fn default() -> Self {
        Self { sent: 0, flights: VecDeque::new() }
    }
}

impl<M: Clone> Channel<M> {
    /// The place of a message, by its number.
    #[must_use]
    pub fn find(&self, no: MsgNo) -> Option<usize> {
        self.flights.iter().position(|f| f.no == no)
    }

    /// The name of the next copy of a message; `None`: there are as many as there are names for.
    #[must_use]
    pub fn next_copy(&self, seq: u32) -> Option<MsgNo> {
        let copies = self.flights.iter().filter(|f| f.no.seq == seq).map(|f| f.no.copy);
        Some(MsgNo { seq, copy: copies.max().unwrap_or(0).checked_add(1)? })
    }

    /// Puts a copy of the message at a place right behind it, with the next free letter.
    pub fn duplicate(&mut self, place: usize) -> Option<MsgNo> {
        let original = self.flights.get(place)?.clone();
        let no = self.next_copy(original.no.seq)?;
        self.flights.insert(place + 1, Flight { no, ..original });
        Some(no)
    }
}

/// All channels of a cluster.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Network<M> {
    nodes: usize,
    channels: Vec<Channel<M>>,
}

impl<M: Clone> Network<M> {
    /// Empty channels between `nodes` nodes.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self { nodes, channels: vec![Channel::default(); nodes * nodes] }
    }

    /// The channel from one node to another.
    #[must_use]
    pub fn channel(&self, from: NodeId, to: NodeId) -> &Channel<M> {
        &self.channels[from.index() * self.nodes + to.index()]
    }

    /// The channel from one node to another, to change it.
    pub fn channel_mut(&mut self, from: NodeId, to: NodeId) -> &mut Channel<M> {
        &mut self.channels[from.index() * self.nodes + to.index()]
    }

    /// Every channel with its ends.
    pub fn all(&self) -> impl Iterator<Item = (NodeId, NodeId, &Channel<M>)> {
        let n = self.nodes;
        self.channels
            .iter()
            .enumerate()
            .map(move |(i, c)| (NodeId::at(i / n), NodeId::at(i % n), c))
    }

    /// Everything in flight, oldest first; a copy stands behind its original.
    #[must_use]
    pub fn by_age(&self) -> Vec<(NodeId, NodeId, &Flight<M>)> {
        let mut all: Vec<_> =
            self.all().flat_map(|(a, b, c)| c.flights.iter().map(move |f| (a, b, f))).collect();
        all.sort_by_key(|(_, _, f)| (f.age, f.no.copy));
        all
    }

    /// How many messages are in flight.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.channels.iter().map(|c| c.flights.len()).sum()
    }

    /// Forgets at which step messages were sent: they count as sent before the run began.
    pub fn begin_here(&mut self) {
        for flight in self.channels.iter_mut().flat_map(|c| &mut c.flights) {
            flight.sent_at = 0;
        }
    }
}
