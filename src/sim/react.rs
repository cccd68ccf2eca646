//! What one event does at one node: the clock rule, the handler, messages to oneself, the entry.
//!
//! It sees one node and one message. The network, the other nodes and all bookkeeping are the
//! cluster's; the checker uses this very function.

use crate::algorithm::{Algorithm, Cx, Guard, Outbox, Receipt};
use crate::model::{ClockRule, NodeId, Phase, Setup};

/// All that one node has: the engine's variables and the algorithm's.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Local<S> {
    /// Where it stands with the lock.
    pub phase: Phase,
    /// Whether it has crashed.
    pub crashed: bool,
    /// Its clock, in ticks.
    pub clock: u32,
    /// The algorithm's variables.
    pub state: S,
}

/// What happens to a node.
#[derive(Debug)]
pub enum Input<'m, M> {
    /// Its application asks for the lock.
    Request,
    /// Its application leaves the critical section.
    Exit,
    /// A message of the algorithm arrives.
    Message(NodeId, &'m M),
    /// Its timer fires.
    Timeout,
    /// It recovers from a crash.
    Recover,
}

/// The clock after the receipt of a stamped message.
#[must_use]
pub fn received(setup: &Setup, receipt: Receipt, clock: u32, stamp: u32) -> u32 {
    let value = match receipt {
        Receipt::Raises => clock.max(stamp),
        Receipt::Overwrites => stamp,
        Receipt::Ignored => return clock,
    };
    match setup.clock_rule {
        ClockRule::Merge => value,
        ClockRule::Tick => value + 1,
    }
}

/// Runs one event at one node to its end. What it sends to others is left in the outbox. Returns whether
/// the node entered the critical section.
pub fn react<A: Algorithm>(
    setup: &Setup,
    me: NodeId,
    local: &mut Local<A::State>,
    input: &Input<'_, A::Msg>,
    out: &mut Outbox<A::Msg>,
) -> bool {
    out.set_clock(local.clock);
    match input {
        Input::Request => local.phase = Phase::Waiting,
        Input::Exit => local.phase = Phase::Idle,
        Input::Recover => local.crashed = false,
        Input::Message(..) | Input::Timeout => {}
    }
    let cx = Cx::of::<A>(setup, me, local.phase);
    let state = &mut local.state;
    match input {
        Input::Request => A::on_request(&cx, state, out),
        Input::Exit => A::on_exit(&cx, state, out),
        Input::Message(from, msg) => receive::<A>(&cx, state, *from, msg, out),
        Input::Timeout => A::on_timeout(&cx, state, out),
        Input::Recover => A::on_recover(&cx, state),
    }
    while let Some(msg) = out.to_self.pop_front() {
        receive::<A>(&cx, state, me, &msg, out);
    }
    local.clock = out.clock();
    if local.phase != Phase::Waiting {
        return false;
    }
    let mut guard = Guard::new(false);
    A::guard(&cx, state, &mut guard);
    if let Some(fault) = guard.fault.take() {
        A::poison(state, fault);
    }
    if guard.met() {
        local.phase = Phase::InCs;
    }
    guard.met()
}

fn receive<A: Algorithm>(
    cx: &Cx<'_, A::Decisions>,
    state: &mut A::State,
    from: NodeId,
    msg: &A::Msg,
    out: &mut Outbox<A::Msg>,
) {
    // A node's message to itself carries its own clock: there is nothing to merge.
    if from != cx.me
        && cx.setup.info.stamped
        && let Some(stamp) = A::label(from, msg).stamp
    {
        out.set_clock(received(cx.setup, A::receipt(cx), out.clock(), stamp.clock));
    }
    A::on_message(cx, state, from, msg, out);
}
