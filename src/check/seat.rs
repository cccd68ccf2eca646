//! One node: its state, what its application will still do, and what matters about both.
//!
//! The algorithm is asked; nothing is decided here.

use super::tables::Traits;
use crate::algorithm::{Algorithm, Cx};
use crate::model::{NodeId, Phase, Setup};
use crate::sim::Local;

/// A node's state and what its application will still do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Seat<S> {
    /// The node's state.
    pub local: Local<S>,
    /// Requests that it will still make.
    pub left: u32,
}

/// The fence that a node has.
#[must_use]
pub fn fence_of<A: Algorithm>(setup: &Setup, me: NodeId, seat: &Seat<A::State>) -> Option<u64> {
    A::fence(&Cx::of::<A>(setup, me, seat.local.phase), &seat.local.state)
}

/// What matters about a node's state.
#[must_use]
pub fn traits_of<A: Algorithm>(setup: &Setup, me: NodeId, seat: &Seat<A::State>) -> Traits {
    let local = &seat.local;
    let cx = Cx::of::<A>(setup, me, local.phase);
    let (client, live) = (setup.is_client(me), !local.crashed);
    let (idle, inside) = (local.phase == Phase::Idle, local.phase == Phase::InCs);
    let asks = client && live && seat.left > 0 && A::no_lock().is_none();
    let mut bits = 0;
    let mut set = |on: bool, bit: u8| bits |= if on { bit } else { 0 };
    set(client && live && local.phase == Phase::Waiting, Traits::WAITS);
    set(client && inside, Traits::INSIDE);
    set(client && live && inside, Traits::CAN_EXIT);
    set(asks && idle, Traits::CAN_ASK);
    set(live && A::timer(&cx, &local.state).is_some(), Traits::TIMER);
    set(local.crashed, Traits::CRASHED);
    set(asks || client && live && !idle, Traits::BUSY);
    let held = if client { A::tokens_held(&cx, &local.state) } else { 0 };
    let silent = |unanswered: bool| {
        let towards = |to: &NodeId| {
            !live || A::silent_towards(&cx, &local.state, seat.left > 0, *to, unanswered)
        };
        setup.all_ids().filter(towards).fold(0, |set, to| set | 1 << to.0)
    };
    Traits {
        bits,
        tokens: held as u8,
        stamp: A::request_stamp(&cx, &local.state).unwrap_or(0),
        fence: 0,
        silent: silent(false),
        silent_unanswered: silent(true),
    }
}
