//! Which events need not be played because the state that they lead to is found on another way.
//!
//! Events at different nodes commute (see `reduction`): after `a` and `b`, in either order, the cluster
//! is in the same state. So where `a` goes before `b` in the one order in which events are played, `b`
//! is played first and `a` afterwards only if `a` could not come first. A state carries the set of
//! events that sleep in it: an event that was played, or slept, before the one that led here, and that
//! happens at another node. A state that is found again, before it is followed, keeps asleep only what
//! sleeps on all the ways (Godefroid 1996, *Partial-Order Methods*, sleep sets).
//!
//! Nothing is left out by it. Of all shortest ways to a state, take the one that comes first in the
//! order of events. If one of its events slept, that event was played at an earlier state of the way
//! before the event that follows there, and all events between are at other nodes; moving it there
//! gives a way just as short that comes earlier. So no event of that way sleeps, and each state is
//! found, at its own depth. The same exchange shows: if every event that was played leads exactly one
//! level down, so does every event that slept, and the graph has no cycles.
//!
//! Events that sleep still count as transitions. With faults, marks of the past or a reduction nothing
//! sleeps: then events of different nodes need not commute, or an earlier way may be missing.

use super::act::{Act, Move, Unknown};
use super::node_state::NodeFlags;
use super::pack::Ids;
use super::tables::Tables;

/// Events, as bits: one for each channel, one for each node's requests and exits, of which never both
/// are possible.
pub type Sleep = u32;

/// Who wakes whom.
#[derive(Clone, Debug)]
pub struct Sleepers {
    nodes: usize,
    /// Deliveries; the rest are requests and exits.
    deliveries: Sleep,
    /// By event: its node, and what it does not wake.
    events: Vec<(u8, Sleep)>,
}

impl Sleepers {
    /// For a cluster of so many nodes; `None` where it has more events than there are bits.
    #[must_use]
    pub fn new(nodes: usize, fifo: bool) -> Option<Self> {
        if nodes * nodes > Sleep::BITS as usize {
            return None;
        }
        let bit = |from: usize, to: usize| 1 << (from * nodes + to);
        let at_node = |node: usize| (0..nodes).fold(0, |all, from| all | bit(from, node));
        // A bag that gets a message offers a new choice: what can be delivered from it wakes.
        let from_node = |node: usize| (0..nodes).fold(0, |all, to| all | bit(node, to));
        let woken = |node: usize| at_node(node) | if fifo { 0 } else { from_node(node) };
        let event = |i: usize| ((i % nodes) as u8, !woken(i % nodes));
        let own = (0..nodes).fold(0, |all, node| all | bit(node, node));
        Some(Self { nodes, deliveries: !own, events: (0..nodes * nodes).map(event).collect() })
    }

    /// Plays what is enabled and does not sleep: deliveries by channel, then requests and exits by
    /// node. Shows each with what sleeps behind it.
    ///
    /// # Errors
    /// When the visitor stops.
    #[inline]
    pub fn play(
        &self,
        tables: &Tables,
        ids: &Ids,
        enabled: Sleep,
        asleep: Sleep,
        mut visit: impl FnMut(Move, Sleep) -> Result<(), Unknown>,
    ) -> Result<(), Unknown> {
        let awake = enabled & !asleep;
        let mut deliveries = awake & self.deliveries;
        while deliveries != 0 {
            let event = deliveries.trailing_zeros() as usize;
            let bit = deliveries & deliveries.wrapping_neg();
            deliveries ^= bit;
            let (node, kept) = self.events[event];
            let before = asleep | enabled & self.deliveries & (bit - 1);
            let from = (event / self.nodes) as u8;
            for (msg, rest) in tables.choices(ids.get(tables.total + event)) {
                let (msg, rest) = (*msg, *rest);
                let mv = Move { act: Act::Deliver, node, from, place: 0, msg, rest };
                visit(mv, before & kept)?;
            }
        }
        let mut own = awake & !self.deliveries;
        while own != 0 {
            let event = own.trailing_zeros() as usize;
            let bit = own & own.wrapping_neg();
            own ^= bit;
            let (node, kept) = self.events[event];
            let before = asleep | enabled & (self.deliveries | (bit - 1));
            let node = usize::from(node);
            let asks = tables.bits(node, ids) & NodeFlags::CAN_ASK != 0;
            let act = if asks { Act::Request } else { Act::Exit };
            visit(Move::at_node(act, node), before & kept)?;
        }
        Ok(())
    }

    /// How many events are enabled: in a bag each different message is one.
    #[inline]
    #[must_use]
    pub fn count(&self, tables: &Tables, ids: &Ids, enabled: Sleep) -> u16 {
        if tables.fifo {
            return enabled.count_ones() as u16;
        }
        let choices = tables.channels.iter().map(|c| tables.choices(ids.get(usize::from(c.field))));
        let own = (enabled & !self.deliveries).count_ones() as usize;
        (choices.map(<[_]>::len).sum::<usize>() + own) as u16
    }

    /// What is enabled.
    #[must_use]
    pub fn enabled(&self, tables: &Tables, ids: &Ids) -> Sleep {
        let mut enabled = 0;
        for channel in &tables.channels {
            let field = usize::from(channel.field);
            enabled |= Sleep::from(ids.get(field) != 0) << (field - tables.total);
        }
        enabled | self.own(tables, ids)
    }

    /// Requests and exits that are enabled.
    #[inline]
    #[must_use]
    pub fn own(&self, tables: &Tables, ids: &Ids) -> Sleep {
        let mut enabled = 0;
        for (node, node_states) in tables.node_states[..tables.clients].iter().enumerate() {
            let bits = node_states.bits[ids.get(node) as usize];
            let able = bits & (NodeFlags::CAN_ASK | NodeFlags::CAN_EXIT) != 0;
            enabled |= Sleep::from(able) << (node * self.nodes + node);
        }
        enabled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What goes on sleeping behind an event, if everything slept before.
    fn after(sleepers: &Sleepers, from: usize, node: usize) -> Sleep {
        sleepers.events[from * sleepers.nodes + node].1
    }

    #[test]
    fn an_event_wakes_what_happens_at_its_node_and_what_a_bag_gets_from_it() {
        for fifo in [true, false] {
            let sleepers = Sleepers::new(3, fifo).expect("nine events");
            let channel = |from: usize, to: usize| 1 << (from * 3 + to);
            let kept = after(&sleepers, 0, 1);
            assert_eq!(kept & channel(2, 1), 0);
            assert_eq!(kept & channel(1, 1), 0);
            assert_ne!(kept & channel(2, 2), 0);
            assert_eq!(kept & channel(1, 2) != 0, fifo);
            assert_ne!(kept & channel(0, 2), 0);
        }
        assert!(Sleepers::new(6, true).is_none());
    }
}
