//! A shared lock variable, taken apart: each node has a copy. Written to show why that is no lock.
//!
//! On one machine "look and set" can be one step, test-and-set. Here a node looks at its own copy and sets it, and the
//! others hear of it later; two nodes that look before they have heard both go in. It promises nothing.
//!
//! Its rules, CF-1 and what follows, stand in `RULES`.

use super::{
    Algorithm, Cost, Cx, FieldInfo, Guard, Info, Kind, Label, Outbox, PLAIN, Rule, fields, rules,
};
use crate::model::{Fields, NodeId, Phase, Setup, Value};

const RULES: [Rule; 6] = rules(
    "
CF-1 | ask   | ask             | own copy free: copy ← i; SET to all; enter | set
CF-2 | ask   | ask             | own copy set: wait | wait
CF-3 | get   | on SET from j   | copy ← j | copy
CF-4 | get   | on CLEAR from j | copy ← free | copy
CF-5 | get   | on CLEAR from j | then, waiting: copy ← i; SET to all; enter | set
CF-6 | leave | leave           | copy ← free; CLEAR to all |
",
);

/// A lock variable with a copy at each node.
#[derive(Debug)]
pub struct CopiedFlag;

/// What a node tells the others about the variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// The sender has set its copy.
    Set,
    /// The sender has cleared its copy.
    Clear,
}

/// The node's copy: who has the lock, as far as this node has heard.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    copy: Option<NodeId>,
}

fn set(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
    state.copy = Some(cx.me);
    out.broadcast(cx, &Msg::Set);
}

const FIELDS: [FieldInfo; 1] = fields(
    "
copy | node? | the node's own copy of the lock variable: who has the lock, as far as it has heard
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "copied-flag",
    title: "Copied lock variable",
    paper: "No paper: what becomes of a lock variable when the nodes share no memory",
    idea: "Each node looks at its own copy of the lock variable, sets it and tells the others.",
    good_for: "Nothing but a lesson: a copy of a flag is no lock.",
    teaching: true,
    kinds: &[Kind::asks("SET"), Kind::gives("CLEAR")],
    fields: &FIELDS,
    rules: &RULES,
    cost: Cost { formula: "2(n-1)", least: per_entry, most: per_entry, contended: None },
    ..PLAIN
};

impl Algorithm for CopiedFlag {
    type Decisions = ();
    type Msg = Msg;
    type State = State;

    fn decisions(_setup: &Setup) -> &'static () {
        &()
    }

    fn init(_cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        State::default()
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let me = cx.my_name();
        match state.copy {
            None => {
                out.rule("CF-1", || {
                    format!("The copy of {me} says that the lock is free; {me} sets it.")
                });
                set(cx, state, out);
            }
            Some(holder) => out.rule("CF-2", || {
                format!("The copy of {me} says that {} has the lock; {me} waits.", cx.name(holder))
            }),
        }
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        let (me, sender) = (cx.my_name(), cx.name(from));
        match msg {
            Msg::Set => {
                state.copy = Some(from);
                out.rule("CF-3", || match cx.phase {
                    Phase::InCs => {
                        format!("{me} learns that {sender} has the lock, and is inside itself.")
                    }
                    Phase::Idle | Phase::Waiting => {
                        format!("{me} writes into its copy that {sender} has the lock.")
                    }
                });
            }
            Msg::Clear => {
                state.copy = None;
                out.rule("CF-4", || format!("{me} writes into its copy that the lock is free."));
                if cx.phase == Phase::Waiting {
                    out.rule("CF-5", || format!("{me} has waited for that and sets its copy."));
                    set(cx, state, out);
                }
            }
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        state.copy = None;
        out.rule("CF-6", || format!("{} clears its copy and tells everybody.", cx.my_name()));
        out.broadcast(cx, &Msg::Clear);
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        let met = state.copy == Some(cx.me);
        let text = || match state.copy {
            Some(holder) if !met => format!("CLEAR from {}", cx.name(holder)),
            _ => "the own copy is set".to_owned(),
        };
        match state.copy {
            Some(holder) => guard.need_from(met, holder, &["CLEAR"], text),
            None => guard.need(met, text),
        }
    }

    fn fields(_cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        fields.add("copy", Value::node(state.copy));
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        Label::bare(match msg {
            Msg::Set => "SET",
            Msg::Clear => "CLEAR",
        })
    }
}

fn per_entry(setup: &Setup) -> u32 {
    2 * (setup.clients as u32 - 1)
}

#[cfg(test)]
mod tests {
    use crate::lab::Lab;
    use crate::model::Config;

    #[test]
    fn two_nodes_that_look_before_they_hear_both_enter() {
        let mut lab = Lab::new(Config::new("copied-flag", 2)).expect("default settings");
        lab.play_schedule("request P1; request P2").expect("both idle");
        assert!(lab.state().mutex_violated());
    }

    #[test]
    fn a_node_that_has_heard_waits_until_the_variable_is_cleared() {
        let mut lab = Lab::new(Config::new("copied-flag", 2)).expect("default settings");
        let run = "request P1; deliver P1>P2; request P2; exit P1; deliver P1>P2; exit P2";
        lab.play_schedule(run).expect("P2 enters with the CLEAR");
        assert!(!lab.state().mutex_violated());
    }
}
