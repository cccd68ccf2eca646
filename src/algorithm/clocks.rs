//! Logical clocks alone: nodes tell each other something and have events of their own; there is no lock.
//!
//! L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978,
//! the clock rules. The engine applies them; nothing is left for a handler to do here.
//!
//! ```text
//! tell, local:            the clock goes up by one; a message carries the new value
//! receipt of a message:   the clock becomes the larger of its own value and the message's (raised or kept)
//! ```
//!
//! The receipt differs from the paper: its rule IR2(b) asks for *greater than* the message's value, which
//! is `clock: tick`. The default is the rule of Ricart and Agrawala, CACM 24(1), 1981. It gives up one thing:
//! for a -> b only C(a) <= C(b) holds where b is a receipt. Everywhere else C(a) < C(b).

use super::{Algorithm, Cx, Guard, Info, Label, Outbox, PLAIN};
use crate::model::{Fields, NodeId, Setup};

/// Logical clocks without a lock.
#[derive(Debug)]
pub struct Clocks;

/// There are no messages but those that are told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {}

/// There are no variables but the clock.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State;

const NO_LOCK: &str = "this cluster has no lock; its events are tell, local and deliver";

/// What is known about it.
pub static INFO: Info = Info {
    slug: "clocks",
    title: "Logical clocks",
    paper: "L. Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, CACM 21(7), 1978",
    idea: "Events tick a node's clock, messages carry it on: what happened before never has the larger value.",
    good_for: "Nothing but a lesson: what clocks do when messages pass.",
    stamped: true,
    teaching: true,
    ..PLAIN
};

impl Algorithm for Clocks {
    type Decisions = ();
    type Msg = Msg;
    type State = State;

    fn decisions(_setup: &Setup) -> &'static () {
        &()
    }

    fn no_lock() -> Option<&'static str> {
        Some(NO_LOCK)
    }

    fn init(_cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        State
    }

    fn on_request(_cx: &Cx<'_>, _state: &mut State, _out: &mut Outbox<Msg>) {}

    fn on_message(
        _cx: &Cx<'_>,
        _state: &mut State,
        _from: NodeId,
        msg: &Msg,
        _out: &mut Outbox<Msg>,
    ) {
        match *msg {}
    }

    fn on_exit(_cx: &Cx<'_>, _state: &mut State, _out: &mut Outbox<Msg>) {}

    fn guard(_cx: &Cx<'_>, _state: &State, guard: &mut Guard) {
        guard.need(false, || NO_LOCK.to_owned());
    }

    fn fields(_cx: &Cx<'_>, _state: &State, _fields: &mut Fields) {}

    fn label(_from: NodeId, msg: &Msg) -> Label {
        match *msg {}
    }
}

#[cfg(test)]
mod tests {
    use crate::lab::Lab;
    use crate::model::{Config, NodeId};

    #[test]
    fn telling_and_own_events_tick_and_a_receipt_takes_the_larger_value() {
        let mut lab = Lab::new(Config::new("clocks", 2)).expect("default settings");
        let run = "local P1; local P1; tell P1>P2; local P2; deliver P1>P2; local P2";
        lab.play_schedule(run).expect("all are possible");
        assert_eq!((lab.state().clock(NodeId(0)), lab.state().clock(NodeId(1))), (3, 4));
        assert_eq!(lab.state().view().nodes[1].clock, Some(4));
    }

    #[test]
    fn a_receipt_says_whether_it_raised_the_clock() {
        let mut lab = Lab::new(Config::new("clocks", 2)).expect("default settings");
        let run = "local P1; tell P1>P2; tell P2>P1; deliver P1>P2; deliver P2>P1";
        lab.play_schedule(run).expect("all are possible");
        let records = lab.history().records(lab.history().cursor());
        let told: Vec<_> = records[3..]
            .iter()
            .map(|r| (r.outcomes.clone(), r.reasons().collect::<String>()))
            .collect();
        assert_eq!(
            told,
            [
                (vec!["raised"], "The clock of P2 goes from 1 to 2.".to_owned()),
                (vec!["kept"], "The clock of P1 stays at 2.".to_owned()),
            ]
        );
    }

    #[test]
    fn nobody_can_ask_for_a_lock_that_is_not_there() {
        let mut lab = Lab::new(Config::new("clocks", 2)).expect("default settings");
        let error = lab.play_schedule("request P1").expect_err("no lock");
        assert!(error.to_string().contains("this cluster has no lock"), "{error}");
        assert!(
            !lab.state().enabled().iter().any(|e| matches!(e, crate::model::Event::Request(_)))
        );
    }
}
