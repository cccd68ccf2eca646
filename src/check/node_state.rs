//! One node: its state, what its application will still do, and what matters about both.
//!
//! The algorithm is asked; nothing is decided here.

use super::known::Known;
use crate::algorithm::{Algorithm, Cx, Towards};
use crate::model::{NodeId, Phase, Setup};
use crate::sim::Local;

/// What matters about a node's state at every state of the cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeFlags {
    /// The bits below.
    pub bits: u8,
    /// Tokens that it holds.
    pub tokens: u8,
    /// The clock value of its outstanding request; 0: none.
    pub stamp: u32,
    /// Requests that it has made, where it matters who knew of them.
    pub asked: u8,
    /// The number of its fence.
    pub fence: u32,
    /// To whom it sends nothing before they act, as bits.
    pub silent: u32,
    /// The same while a message of theirs is on its way to it.
    pub silent_unanswered: u32,
}

impl NodeFlags {
    /// It is a live client that waits.
    pub const WAITS: u8 = 1;
    /// It is a client inside, crashed or not.
    pub const INSIDE: u8 = 2;
    /// It is a live client inside.
    pub const CAN_EXIT: u8 = 4;
    /// It is a live client that is idle and has requests left.
    pub const CAN_ASK: u8 = 8;
    /// It is alive and a timer runs.
    pub const TIMER: u8 = 16;
    /// It has crashed.
    pub const CRASHED: u8 = 32;
    /// It is a live client that has requests left or is not idle.
    pub const BUSY: u8 = 64;
    /// Its script has failed.
    pub const FAULT: u8 = 128;
}

/// A node's state and what its application will still do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NodeState<S> {
    /// The node's state.
    pub local: Local<S>,
    /// Requests that it will still make.
    pub left: u32,
    /// What it knows of requests, and knew when it asked the last time, if that is asked about.
    pub known: (Known, Known),
    /// Where it would stand under the rules that are compared, if that is another state which looks the
    /// same so far.
    pub unlike: Option<Box<Local<S>>>,
}

/// The fence that a node has.
#[must_use]
pub fn fence_of<A: Algorithm>(
    setup: &Setup,
    me: NodeId,
    node_state: &NodeState<A::State>,
) -> Option<u64> {
    A::fence(&Cx::of::<A>(setup, me, node_state.local.phase), &node_state.local.state)
}

/// What matters about a node's state.
#[must_use]
pub fn flags_of<A: Algorithm>(
    setup: &Setup,
    me: NodeId,
    node_state: &NodeState<A::State>,
) -> NodeFlags {
    let local = &node_state.local;
    let cx = Cx::of::<A>(setup, me, local.phase);
    let (client, live) = (setup.is_client(me), !local.crashed);
    let (idle, inside) = (local.phase == Phase::Idle, local.phase == Phase::InCs);
    let asks = client && live && node_state.left > 0 && A::no_lock().is_none();
    let mut bits = 0;
    let mut set = |on: bool, bit: u8| bits |= if on { bit } else { 0 };
    set(client && live && local.phase == Phase::Waiting, NodeFlags::WAITS);
    set(client && inside, NodeFlags::INSIDE);
    set(client && live && inside, NodeFlags::CAN_EXIT);
    set(asks && idle, NodeFlags::CAN_ASK);
    set(live && A::timer(&cx, &local.state).is_some(), NodeFlags::TIMER);
    set(local.crashed, NodeFlags::CRASHED);
    set(asks || client && live && !idle, NodeFlags::BUSY);
    set(A::fault(&cx, &local.state).is_some(), NodeFlags::FAULT);
    let held = if client { A::tokens_held(&cx, &local.state) } else { 0 };
    let silent = |unanswered: bool| {
        let towards = |to: &NodeId| {
            let other = Towards { to: *to, unanswered, asks: node_state.left > 0 };
            !live || A::silent_towards(&cx, &local.state, other)
        };
        setup.all_ids().filter(towards).fold(0, |set, to| set | 1 << to.0)
    };
    NodeFlags {
        bits,
        tokens: held as u8,
        stamp: A::request_stamp(&cx, &local.state).unwrap_or(0),
        asked: node_state.known.0.stamped_requests(me),
        fence: 0,
        silent: silent(false),
        silent_unanswered: silent(true),
    }
}
