//! The central coordinator: one node grants the lock, in the order in which requests reach it.
//!
//! Folklore; described as the centralized algorithm in Tanenbaum and van Steen, *Distributed Systems*.
//! It promises no order between requests that are still on their way.
//!
//! ```text
//! CC-1  ask:                          send REQUEST to C
//! CC-2  C on REQUEST, lock free:      holder := sender, send GRANT
//! CC-3  C on REQUEST, lock taken:     put the sender at the end of the queue
//! CC-4  on GRANT:                     enter
//! CC-5  leave:                        send RELEASE to C
//! CC-6  C on RELEASE, queue not empty: holder := first of the queue, send GRANT to it
//! CC-7  C on RELEASE, queue empty:    holder := nobody
//! CC-8  C on RELEASE of another node: ignore it
//! ```

use super::{
    Algorithm, Cost, Cx, Failure, FieldInfo, Guard, Helper, Info, Kind, Label, Line, OrderPromise,
    Outbox, Rule, Shows, Variant,
};
use crate::model::{ChannelOrder, Config, Fields, NodeId, Phase, Setup, Shape, Value};

/// The central coordinator.
#[derive(Debug)]
pub struct Central;

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

/// Messages of one entry, as (of a remote client, of the coordinator's own process).
fn has_own_process(setup: &Setup) -> bool {
    setup.coordinator.is_some_and(|c| setup.is_client(c))
}

fn on_request_at_c(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    let (c, asker) = (cx.my_name(), cx.name(from));
    match state.holder {
        None => {
            if !cx.broken("C1") {
                state.holder = Some(from);
            }
            out.rule("CC-2", || format!("The lock is free, so {c} grants it to {asker}."));
            out.send(cx, from, Msg::Grant);
        }
        Some(holder) => {
            state.queue.push(from);
            out.rule("CC-3", || {
                format!("{} holds the lock, so {c} puts {asker} into its queue.", cx.name(holder))
            });
        }
    }
}

fn on_release_at_c(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    let c = cx.my_name();
    if state.holder != Some(from) && !cx.broken("C1") {
        let sender = cx.name(from);
        out.rule("CC-8", || {
            format!("{sender} does not hold the lock, so {c} ignores the RELEASE.")
        });
        return;
    }
    if state.queue.is_empty() || cx.broken("C3") {
        state.holder = None;
        out.rule("CC-7", || format!("{c} marks the lock as free."));
        return;
    }
    let next = state.queue.remove(0);
    state.holder = Some(next);
    out.rule("CC-6", || {
        format!("{} is first in the queue, so {c} grants it the lock.", cx.name(next))
    });
    out.send(cx, next, Msg::Grant);
}

impl Algorithm for Central {
    const INFO: Info = Info {
        slug: "central",
        title: "Central coordinator",
        paper: "Folklore; Tanenbaum and van Steen, Distributed Systems, the centralized algorithm",
        idea: "One node grants the lock, in the order in which requests reach it.",
        good_for: "Small systems: three messages an entry and easy to see through, around one node that must not fail.",
        needs: ChannelOrder::AnyOrder,
        stamped: false,
        order: OrderPromise::NotPromised,
        token: false,
        circulates: false,
        teaching: false,
        helper: Some(Helper::Coordinator),
        kinds: &[
            Kind { name: "REQUEST", line: Line::Request },
            Kind { name: "GRANT", line: Line::Reply },
            Kind { name: "RELEASE", line: Line::Reply },
        ],
        fields: &[
            FieldInfo::of("granted", Shape::Truth, "whether the client has its GRANT"),
            FieldInfo::of(
                "holder",
                Shape::Maybe(&Shape::Node),
                "at C: whom C has granted the lock",
            ),
            FieldInfo::of(
                "queue",
                Shape::Queue(&Shape::Node),
                "at C: who waits, in the order of arrival",
            ),
        ],
        rules: RULES,
        options: &[],
        variants: VARIANTS,
        cost: Cost {
            formula: "3",
            least: |setup| if has_own_process(setup) { 0 } else { 3 },
            most: |setup| if has_own_process(setup) && setup.clients == 1 { 0 } else { 3 },
            contended: Some(|setup| 3 * (setup.clients as u32 - u32::from(has_own_process(setup)))),
        },
        fence: None,
    };
    type Msg = Msg;
    type State = State;

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
        out.rule("CC-1", || format!("{} asks the coordinator {}.", cx.my_name(), cx.name(c)));
        out.send(cx, c, Msg::Request);
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request => on_request_at_c(cx, state, from, out),
            Msg::Release => on_release_at_c(cx, state, from, out),
            Msg::Grant => {
                // A second GRANT (a copy) finds nobody waiting and must change nothing.
                state.granted = cx.phase != Phase::Idle;
                out.rule("CC-4", || match cx.phase {
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
        out.rule("CC-5", || format!("{} gives the lock back to {}.", cx.my_name(), cx.name(c)));
        out.send(cx, c, Msg::Release);
    }

    fn on_recover(cx: &Cx<'_>, state: &mut State) {
        if cx.broken("C5") && Some(cx.me) == cx.setup.coordinator {
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
        if cx.me == coordinator(cx) {
            fields.add("holder", Value::node(state.holder));
            fields.add("queue", Value::List(state.queue.iter().map(|n| Value::Node(*n)).collect()));
        }
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        let place = state.queue.iter().position(|n| *n == to)?;
        let holder = state.holder.map_or("nobody", |h| cx.name(h));
        Some(format!("queued at {}, place {}; {holder} holds the lock", cx.my_name(), place + 1))
    }

    /// Clients send to the coordinator alone, when they ask and when they leave, for which they need its
    /// GRANT; the coordinator to whom has asked it, at once or from its queue.
    fn silent_towards(
        cx: &Cx<'_>,
        state: &State,
        asks: bool,
        to: NodeId,
        unanswered: bool,
    ) -> bool {
        let c = coordinator(cx);
        if cx.me == c {
            return !unanswered && !state.queue.contains(&to);
        }
        to != c
            || match cx.phase {
                Phase::Idle => !asks,
                Phase::Waiting => !unanswered && !state.granted,
                Phase::InCs => false,
            }
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        Label::bare(match msg {
            Msg::Request => "REQUEST",
            Msg::Grant => "GRANT",
            Msg::Release => "RELEASE",
        })
    }
}

const RULES: &[Rule] = &[
    Rule { id: "CC-1", on: "ask", text: "send REQUEST to C", outcome: None },
    Rule {
        id: "CC-2",
        on: "C on REQUEST from j",
        text: "lock free: holder ← j, GRANT to j",
        outcome: Some("grant"),
    },
    Rule {
        id: "CC-3",
        on: "C on REQUEST from j",
        text: "lock taken: append j to queue",
        outcome: Some("queue"),
    },
    Rule { id: "CC-4", on: "on GRANT", text: "enter", outcome: None },
    Rule { id: "CC-5", on: "leave", text: "send RELEASE to C", outcome: None },
    Rule {
        id: "CC-6",
        on: "C on RELEASE from j",
        text: "queue not empty: holder ← its first, GRANT to it",
        outcome: Some("grant"),
    },
    Rule {
        id: "CC-7",
        on: "C on RELEASE from j",
        text: "queue empty: holder ← nobody",
        outcome: Some("free"),
    },
    Rule {
        id: "CC-8",
        on: "C on RELEASE from j",
        text: "j is not the holder: ignore",
        outcome: Some("ignore"),
    },
];

const VARIANTS: &[Variant] = &[
    Variant {
        id: "C1",
        slug: "forget-holder",
        about: "The coordinator does not write down whom it granted the lock.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "C3",
        slug: "release-grants-nobody",
        about: "On RELEASE the coordinator does not grant the lock to the next in its queue.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "C5",
        slug: "empty-restart",
        about: "The coordinator comes back from a crash with an empty memory.",
        failure: Failure::Violation,
        shows: Shows { faults: "crash=1,recover=1", ..Shows::at(2, &[1]) },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClockRule, Names};

    fn setup() -> Setup {
        let mut names = Names::numbered(3);
        names.push("C".into());
        Setup {
            names: Names::new(names),
            clients: 3,
            clocks: vec![0; 4],
            clock_rule: ClockRule::Merge,
            channels: ChannelOrder::Fifo,
            variant: None,
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
        let cx = Cx { setup: &setup, me: NodeId(3), phase: Phase::Idle };
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
