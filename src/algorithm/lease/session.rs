//! Leases that begin with the ACQUIRE, so that one may end while its client is in the queue: LS-14 to LS-16.
//!
//! It says what happens to a queue; the lock service sends. No broken variant changes these rules.

use crate::algorithm::{Cx, Outbox};
use crate::model::NodeId;

/// A client in the queue of the lock service.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Waiter {
    /// Which client.
    pub node: NodeId,
    /// Whether its lease has ended in the queue.
    pub over: bool,
}

/// Whether leases begin with the ACQUIRE.
pub fn is_on<D>(cx: &Cx<'_, D>) -> bool {
    cx.setup.option("session")
}

/// The place of the first in the queue whose lease still runs.
pub fn running<D>(cx: &Cx<'_, D>, queue: &[Waiter]) -> Option<usize> {
    queue.iter().position(|w| !w.over).filter(|_| is_on(cx))
}

/// LS-14: the lease of the first in the queue ends there. Returns whether there is one.
pub fn ends<M, D>(cx: &Cx<'_, D>, queue: &mut [Waiter], out: &mut Outbox<M>) -> bool {
    let Some(place) = running(cx, queue) else { return false };
    queue[place].over = true;
    let (l, name) = (cx.my_name(), cx.name(queue[place].node));
    out.rule("LS-14", || format!("The lease of {name} ends while {name} is in the queue of {l}."));
    true
}

/// LS-15: a client whose lease has ended in the queue is passed over, and told.
pub fn skips<M, D>(cx: &Cx<'_, D>, node: NodeId, out: &mut Outbox<M>) {
    let (l, name) = (cx.my_name(), cx.name(node));
    out.rule("LS-15", || {
        format!("The lease of {name} has ended in the queue, so {l} does not grant it the lock.")
    });
}

/// LS-16: a client hears that its lease has ended while it waited.
pub fn asks_again<M, D>(cx: &Cx<'_, D>, out: &mut Outbox<M>) {
    out.rule("LS-16", || {
        format!("The lease of {} ended while it waited, so it asks again.", cx.my_name())
    });
}
