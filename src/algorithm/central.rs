//! The central coordinator: one node grants the lock, in the order in which requests reach it.
//!
//! Folklore; described as the centralized algorithm in Tanenbaum and van Steen, *Distributed Systems*.
//! It promises no order between requests that are still on their way.
//!
//! Its rules, CC-1 and what follows, stand in `RULES`.

use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Helper, Info, Kind, Label, Outbox, PLAIN,
    Rule, Shows, Towards, broken, chosen, fields, rules, told,
};
use crate::model::{Config, Fields, NodeId, Phase, Setup, Value};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 8] = rules(
    "
CC-1 | ask   | ask                 | send REQUEST to C |
CC-2 | get   | C on REQUEST from j | lock free: holder ← j, GRANT to j | grant
CC-3 | get   | C on REQUEST from j | lock taken: append j to queue | queue
CC-4 | get   | on GRANT            | enter |
CC-5 | leave | leave               | send RELEASE to C |
CC-6 | get   | C on RELEASE from j | queue not empty: holder ← its first, GRANT to it | grant
CC-7 | get   | C on RELEASE from j | queue empty: holder ← nobody | free
CC-8 | get   | C on RELEASE from j | j is not the holder: ignore | ignore
",
);

/// The central coordinator.
#[derive(Debug)]
pub struct Central;

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// CC-2: the coordinator writes down whom it grants the lock.
    notes_holder: bool,
    /// CC-6: a RELEASE grants the lock to the first of the queue.
    grants_next: bool,
    /// What the coordinator knows survives a crash.
    remembers: bool,
}

const PAPER: Decisions = Decisions { notes_holder: true, grants_next: true, remembers: true };

/// A message of the central coordinator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// A client asks.
    Request,
    /// The coordinator gives the lock.
    Grant,
    /// A client gives it back.
    Release,
}

/// Variables of one node; a client uses `granted` alone, the coordinator the other two.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    granted: bool,
    holder: Option<NodeId>,
    queue: Vec<NodeId>,
}

fn coordinator(cx: &Cx<'_>) -> NodeId {
    cx.setup.coordinator.expect("`prepare` names a coordinator")
}

fn is_coordinator(cx: &Cx<'_>) -> bool {
    cx.setup.coordinator == Some(cx.me)
}

/// Whether the coordinator is one of the clients. Its own entries cost no message.
fn has_own_process(setup: &Setup) -> bool {
    setup.coordinator.is_some_and(|c| setup.is_client(c))
}

fn on_request_at_c(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    let (c, asker) = (cx.my_name(), cx.name(from));
    match state.holder {
        None => {
            let noted = cx.d.notes_holder;
            if noted {
                state.holder = Some(from);
            }
            out.did("grant");
            out.rule_if(noted, "CC-2", || match noted {
                true => format!("{c} knows of no holder, so it grants the lock to {asker}."),
                false => format!(
                    "{c} knows of no holder, so it grants the lock to {asker}; it does not write that down."
                ),
            });
            out.send(cx, from, Msg::Grant);
        }
        Some(holder) => {
            state.queue.push(from);
            out.rule("CC-3", || {
                let holder = cx.name(holder);
                format!("For {c}, {holder} has the lock: it puts {asker} into its queue.")
            });
        }
    }
}

fn on_release_at_c(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    let c = cx.my_name();
    let sender = cx.name(from);
    if state.holder != Some(from) {
        out.rule("CC-8", || {
            format!("For {c}, {sender} does not hold the lock: it ignores the RELEASE.")
        });
        return;
    }
    if state.queue.is_empty() || !cx.d.grants_next {
        state.holder = None;
        out.did("free");
        out.rule_if(state.queue.is_empty(), "CC-7", || match state.queue.as_slice() {
            [] => format!("{c} marks the lock as free."),
            [first, ..] => format!(
                "{c} marks the lock as free and grants it to nobody, though {} is first in its queue.",
                cx.name(*first)
            ),
        });
        return;
    }
    let next = state.queue.remove(0);
    state.holder = Some(next);
    out.rule("CC-6", || {
        format!("{} is first in the queue, so {c} grants it the lock.", cx.name(next))
    });
    out.send(cx, next, Msg::Grant);
}

const FIELDS: [FieldInfo; 3] = fields(
    "
granted | truth | whether the client has its GRANT
holder  | node? | at C: whom C has granted the lock
queue   | nodes | at C: who waits, in the order of arrival
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "central",
    title: "Central coordinator",
    paper: "Folklore; Tanenbaum and van Steen, Distributed Systems, the centralized algorithm",
    idea: "One node grants the lock, in the order in which requests reach it.",
    good_for: "Small systems: easy to see through, three messages for a remote client's entry. A crash of C, of who waits or of who is inside stops the others.",
    helper: Some(Helper::Coordinator),
    kinds: &[Kind::asks("REQUEST"), Kind::gives("GRANT"), Kind::gives("RELEASE")],
    fields: &FIELDS,
    rules: &RULES,
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "3",
        least: |setup| if has_own_process(setup) { 0 } else { 3 },
        most: |setup| if has_own_process(setup) && setup.clients == 1 { 0 } else { 3 },
        contended: Some(|setup| 3 * (setup.clients as u32 - u32::from(has_own_process(setup)))),
    },
    ..PLAIN
};

impl Algorithm for Central {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn prepare(setup: &mut Setup, _config: &Config) -> Result<(), String> {
        if setup.coordinator.is_none() {
            return Err("the central coordinator needs a coordinator".to_owned());
        }
        Ok(())
    }

    fn init(_cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        State::default()
    }

    fn on_request(cx: &Cx<'_>, _state: &mut State, out: &mut Outbox<Msg>) {
        let c = coordinator(cx);
        out.rule("CC-1", || match c == cx.me {
            true => format!("{} asks the coordinator, which it is itself.", cx.my_name()),
            false => format!("{} asks the coordinator {}.", cx.my_name(), cx.name(c)),
        });
        out.send(cx, c, Msg::Request);
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request => on_request_at_c(cx, state, from, out),
            Msg::Release => on_release_at_c(cx, state, from, out),
            Msg::Grant => {
                // A second GRANT (a copy) finds nobody waiting and must change nothing.
                state.granted = cx.phase != Phase::Idle;
                out.rule_if(cx.phase == Phase::Waiting, "CC-4", || match cx.phase {
                    Phase::Waiting => format!("{} has its GRANT.", cx.my_name()),
                    Phase::Idle | Phase::InCs => {
                        format!("{} was not waiting for a GRANT.", cx.my_name())
                    }
                });
            }
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        state.granted = false;
        let c = coordinator(cx);
        out.rule("CC-5", || match c == cx.me {
            true => format!("{} gives the lock back to itself.", cx.my_name()),
            false => format!("{} gives the lock back to {}.", cx.my_name(), cx.name(c)),
        });
        out.send(cx, c, Msg::Release);
    }

    fn on_recover(cx: &Cx<'_>, state: &mut State) {
        if !cx.d.remembers && is_coordinator(cx) {
            *state = State::default();
        }
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        let c = coordinator(cx);
        guard.need_from(state.granted, c, &["GRANT"], || format!("GRANT from {}", cx.name(c)));
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        if cx.setup.is_client(cx.me) {
            fields.add("granted", Value::Bool(state.granted));
        }
        if is_coordinator(cx) {
            fields.add("holder", Value::node(state.holder));
            fields.add("queue", Value::nodes(&state.queue));
        }
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        let place = state.queue.iter().position(|n| *n == to)?;
        let holder = state.holder.map_or("nobody", |h| cx.name(h));
        Some(format!("queued at {}, place {}; {holder} holds the lock", cx.my_name(), place + 1))
    }

    /// Clients send to the coordinator alone, when they ask and when they leave, for which they need its
    /// GRANT; the coordinator to whom has asked it, at once or from its queue.
    fn silent_towards(cx: &Cx<'_>, state: &State, other: Towards) -> bool {
        if is_coordinator(cx) {
            return !other.unanswered && !state.queue.contains(&other.to);
        }
        let answered =
            Towards { unanswered: other.unanswered && cx.phase == Phase::Waiting, ..other };
        other.to != coordinator(cx) || answered.while_it(cx.phase, || !state.granted)
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        Label::bare(match msg {
            Msg::Request => "REQUEST",
            Msg::Grant => "GRANT",
            Msg::Release => "RELEASE",
        })
    }
}

const BROKEN: [Broken<Decisions>; 3] = [
    broken("C1", "forget-holder", Failure::Violation, Shows::at(2, &[1]))
        .about("The coordinator does not write down whom it granted the lock.")
        .decides(Decisions { notes_holder: false, ..PAPER }),
    broken("C3", "release-grants-nobody", Failure::Stuck, Shows::at(2, &[1]))
        .about("On RELEASE the coordinator does not grant the lock to the next in its queue.")
        .decides(Decisions { grants_next: false, ..PAPER }),
    broken(
        "C5",
        "empty-restart",
        Failure::Violation,
        Shows { faults: "crash=1,recover=1", ..Shows::at(2, &[1]) },
    )
    .about("The coordinator comes back from a crash with an empty memory.")
    .decides(Decisions { remembers: false, ..PAPER }),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ChannelOrder, ClockRule, Names};

    fn setup() -> Setup {
        let mut names = Names::numbered(3);
        names.push("C".into());
        Setup {
            names: Names::new(names),
            clients: 3,
            clocks: vec![0; 4],
            clock_rule: ClockRule::Merge,
            channels: ChannelOrder::Fifo,
            info: &INFO,
            script: None,
            broken: None,
            hidden: None,
            coordinator: Some(NodeId(3)),
            storage: None,
            quorums: Vec::new(),
            tree: Vec::new(),
            options: Vec::new(),
        }
    }

    /// Case H15.
    #[test]
    fn a_release_from_a_node_that_does_not_hold_the_lock_is_reported_and_ignored() {
        let setup = setup();
        let cx = Cx::of::<Central>(&setup, NodeId(3), Phase::Idle);
        let mut state = State::default();
        let mut out = Outbox::new(true);
        Central::on_message(&cx, &mut state, NodeId(0), &Msg::Request, &mut out);
        Central::on_message(&cx, &mut state, NodeId(1), &Msg::Request, &mut out);
        let before = state.clone();
        out.clear();
        Central::on_message(&cx, &mut state, NodeId(2), &Msg::Release, &mut out);
        assert_eq!(state, before);
        assert!(out.sends.is_empty());
        assert_eq!(out.rules[0].0, "CC-8");
        Central::on_message(&cx, &mut state, NodeId(0), &Msg::Release, &mut out);
        assert_eq!(out.sends, [(NodeId(1), Msg::Grant)]);
    }
}
