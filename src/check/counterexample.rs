//! From a state found to a schedule that leads there, played on the engine as it is written down.
//!
//! The explorer keeps which state found which; the event between the two is worked out again.

use super::act::{Act, Move};
use super::expand::Batch;
use super::graph::Graph;
use super::transition_system::TransitionSystem;
use crate::algorithm::Algorithm;
use crate::model::{ChannelOrder, Event, MsgId, MsgRef, NodeId, Schedule};
use crate::sim::{Cluster, Simulation as _};

impl<A: Algorithm> Graph<A> {
    /// The shortest schedule to a state from the one where the search began, where the cluster stands.
    /// The cluster is stepped along.
    #[must_use]
    pub fn schedule_to(&mut self, state: usize, cluster: &mut Cluster<A>) -> Schedule {
        let path = self.visited.store.path_to(state);
        self.schedule_along(&path, cluster)
    }

    /// The schedule that leads along some states.
    ///
    /// # Panics
    /// If the engine refuses what the checker played, which would be a mistake of one of the two.
    #[must_use]
    pub fn schedule_along(&mut self, path: &[usize], cluster: &mut Cluster<A>) -> Schedule {
        let step = |step: &[usize]| {
            let mv = self.move_between(step[0], step[1]);
            let event = event_of(&self.system, cluster, &mv);
            cluster.step(event).expect("the engine plays what the checker plays").event
        };
        Schedule(path.windows(2).map(step).collect())
    }

    fn move_between(&mut self, from: usize, to: usize) -> Move {
        let mut batch = Batch::default();
        self.follow_wholly(from, &mut batch);
        let to = self.visited.store.get(to);
        let place = batch.words.chunks_exact(self.layout.words()).position(|f| f == to);
        batch.moves[place.expect("a state is followed by those that it found")]
    }
}

/// A move as the event that the engine plays.
fn event_of<A: Algorithm>(system: &TransitionSystem<A>, cluster: &Cluster<A>, mv: &Move) -> Event {
    let node = NodeId(mv.node);
    match mv.act {
        Act::Request => Event::Request(node),
        Act::Exit => Event::Exit(node),
        Act::Timeout => Event::Timeout(node),
        Act::Crash => Event::Crash(node),
        Act::Read => Event::Read(node),
        Act::Write => Event::Write(node),
        Act::Recover => Event::Recover(node),
        Act::Deliver => Event::Deliver(message_of(system, cluster, mv)),
        Act::Drop => Event::Drop(message_of(system, cluster, mv)),
        Act::Duplicate => Event::Duplicate(message_of(system, cluster, mv)),
    }
}

/// The message that a move is about: by its place (FIFO), or the oldest one that is equal.
fn message_of<A: Algorithm>(
    system: &TransitionSystem<A>,
    cluster: &Cluster<A>,
    mv: &Move,
) -> MsgRef {
    let (from, to) = (NodeId(mv.from), NodeId(mv.node));
    let flights = &cluster.network().channel(from, to).flights;
    let flight = match system.setup.channels {
        ChannelOrder::Fifo => flights.get(usize::from(mv.place)),
        ChannelOrder::AnyOrder => flights.iter().find(|f| f.body == *system.message(mv.msg)),
    };
    let no = flight.expect("the cluster holds the messages that the checker moves").no;
    MsgId { from, to, no }.into()
}
