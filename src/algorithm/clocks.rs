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
//!
//! With the option `vector` a column shows vector clocks, which the engine keeps for every cluster: C. Fidge,
//! "Timestamps in Message-Passing Systems That Preserve the Partial Ordering", ACSC 1988; F. Mattern, "Virtual
//! Time and Global States of Distributed Systems", 1989. Each event counts one more of its node's own; a
//! receipt takes the larger value of each place first.

use super::{Algorithm, Cx, FieldInfo, Guard, Info, Label, OptionInfo, Outbox, PLAIN};
use crate::model::setup::VECTOR;
use crate::model::{Fields, NodeId, Setup, Shape};

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
    fields: &[FieldInfo::of(
        VECTOR,
        Shape::Each(&Shape::Number),
        "with the option: how many events of each node are known, by whatever way",
    )],
    options: &[OptionInfo {
        name: VECTOR,
        about: "A column shows each node's vector clock (Fidge 1988, Mattern 1989).",
    }],
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
    fn with_the_option_a_column_counts_the_events_that_are_known() {
        let config = Config { options: vec!["vector".to_owned()], ..Config::new("clocks", 3) };
        let mut lab = Lab::new(config).expect("it has the option");
        let run =
            "tell P1>P2; local P3; local P3; tell P3>P2; deliver P1>P2; deliver P3>P2; tell P2>P1";
        lab.play_schedule(run).expect("all are possible");
        let names = &lab.setup().names;
        let view = lab.state().view();
        let vectors: Vec<String> = view
            .nodes
            .iter()
            .map(|n| n.fields.get("vector").expect("a column").show(names, "", ""))
            .collect();
        assert_eq!(vectors, ["P1:1 P2:0 P3:0", "P1:1 P2:3 P3:3", "P1:0 P2:0 P3:3"]);
        let carried = view.in_flight[0].label.carried(names).expect("it takes it along");
        assert!(carried.contains("P1:1 P2:3 P3:3"), "{carried}");
        let goal = lab.goal(
            "field(P2, vector) == [P1:1, P2:3, P3:3] and field(P1, vector) == [P1:1, P2:0, P3:0]",
        );
        assert!(goal.expect("it is a goal").holds(lab.state()));
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
