//! Ricart and Agrawala's algorithm: a reply is a permission, and the older request keeps its reply back.
//!
//! G. Ricart and A. K. Agrawala, "An Optimal Algorithm for Mutual Exclusion in Computer Networks",
//! CACM 24(1), 1981. It needs no FIFO. A REPLY carries no stamp and moves no clock.
//!
//! Where this differs from the paper: the own request raises the clock here too, while the paper's highest
//! number is that of the REQUESTs received. The paper compares stamps inside the critical section as well;
//! here a node inside defers all, which comes to the same as long as a receipt raises the clock.
//!
//! ```text
//! RA-1  ask:                 tick; t := clock; forget old replies; send REQUEST(t) to all
//! RA-2  on REQUEST(T,j), in the CS, or waiting with (t,i) < (T,j):  defer j
//! RA-3  on REQUEST(T,j), otherwise:                                 send REPLY to j
//! RA-4  on REPLY from j:     note it; enter when all n-1 have come
//! RA-5  leave:               send REPLY to everyone deferred
//! ```

use super::{
    Algorithm, Cost, Cx, Failure, FieldInfo, Guard, Info, Kind, Label, Line, OrderPromise, Outbox,
    Rule, Shows, Variant, When,
};
use crate::model::{ChannelOrder, Fields, NodeId, NodeSet, Phase, Setup, Shape, Stamp, Value};

/// Ricart and Agrawala's algorithm.
#[derive(Debug)]
pub struct RicartAgrawala;

/// A message of Ricart and Agrawala's algorithm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// The sender asks, with its clock value.
    Request(u32),
    /// The sender permits.
    Reply,
}

/// Variables of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The clock value of the own request, while there is one.
    own: Option<u32>,
    /// Who has replied to it.
    replies: NodeSet,
    /// To whom a reply is owed.
    deferred: NodeSet,
}

/// Whether the own request goes before the one that has just come.
fn mine_first(cx: &Cx<'_>, own: Stamp, theirs: Stamp, clock: u32) -> bool {
    match cx.setup.variant {
        Some("R1") => own.clock <= theirs.clock,
        Some("R2") => own.clock < theirs.clock,
        Some("R4") => false,
        Some("R5") => true,
        Some("R7") => Stamp::new(clock, cx.me) < theirs,
        _ => own < theirs,
    }
}

fn on_request_message(cx: &Cx<'_>, state: &mut State, theirs: Stamp, out: &mut Outbox<Msg>) {
    let own = state.own.map(|clock| Stamp::new(clock, cx.me));
    let clock = out.clock();
    let first = own.is_some_and(|own| mine_first(cx, own, theirs, clock));
    let defer = match cx.phase {
        Phase::InCs => first || !(cx.broken("R3c") || cx.broken("R4")),
        Phase::Waiting => first,
        Phase::Idle => false,
    };
    let by_the_paper = match cx.phase {
        Phase::InCs => true,
        Phase::Waiting => own.is_some_and(|own| own < theirs),
        Phase::Idle => false,
    };
    let (rule, word) = if defer { ("RA-2", "defer") } else { ("RA-3", "reply") };
    out.rule_if(defer == by_the_paper, rule, || reason(cx, own, theirs, clock, defer));
    out.did(word);
    if defer {
        state.deferred.insert(theirs.node);
    } else {
        out.send(cx, theirs.node, Msg::Reply);
    }
}

/// Whether the replies that have come let the node in.
fn enough(cx: &Cx<'_>, state: &State) -> bool {
    match cx.broken("R9") {
        true => state.replies.len() + 1 > cx.n() / 2,
        false => cx.others().all(|j| state.replies.contains(j)),
    }
}

/// Why a node defers or replies, with the two values that it compared.
fn reason(cx: &Cx<'_>, own: Option<Stamp>, theirs: Stamp, clock: u32, defer: bool) -> String {
    let names = &cx.setup.names;
    let (me, asker, shown) = (cx.my_name(), cx.name(theirs.node), theirs.show(names));
    match (own, cx.phase) {
        (Some(_), Phase::Waiting) if cx.broken("R7") => {
            let does = if defer { "defers" } else { "replies to" };
            format!("{me} compares its clock, {clock}, with {shown} and {does} {asker}.")
        }
        (Some(own), Phase::Waiting) if own < theirs && defer => {
            format!(
                "{me} waits with the older {} < {shown}, so it defers {asker}.",
                own.show(names)
            )
        }
        (Some(own), Phase::Waiting) if own > theirs && !defer => {
            format!("{me} waits with {}, but {shown} is older, so it replies.", own.show(names))
        }
        (Some(own), Phase::Waiting) => {
            let does = if defer { "defers" } else { "replies to" };
            format!("{me} waits with {}, sees {shown} and {does} {asker}.", own.show(names))
        }
        (_, Phase::InCs) if defer => format!("{me} is inside, so it defers {asker}."),
        (_, Phase::InCs) => format!("{me} is inside and replies to {asker} all the same."),
        _ => format!("{me} does not want the lock, so it replies at once."),
    }
}

impl Algorithm for RicartAgrawala {
    const INFO: Info = Info {
        slug: "ricart-agrawala",
        title: "Ricart–Agrawala 1981",
        paper: "G. Ricart and A. K. Agrawala, An Optimal Algorithm for Mutual Exclusion in Computer Networks, CACM 24(1), 1981",
        idea: "A reply is a permission; a node with the older request keeps its reply back until it has left.",
        good_for: "Few nodes that are equals: entries follow the stamps. While any one of them is down, no new request gets in.",
        needs: ChannelOrder::AnyOrder,
        stamped: true,
        order: OrderPromise::Stamps,
        token: false,
        circulates: false,
        teaching: false,
        helper: None,
        kinds: &[
            Kind { name: "REQUEST", line: Line::Request },
            Kind { name: "REPLY", line: Line::Reply },
        ],
        fields: &[
            FieldInfo::of(
                "request",
                Shape::Maybe(&Shape::Stamp),
                "the stamp of the node's own request",
            ),
            FieldInfo::of("replies", Shape::Set, "who has replied to it"),
            FieldInfo::of("deferred", Shape::Set, "to whom the node owes a reply"),
        ],
        rules: RULES,
        options: &[],
        variants: VARIANTS,
        cost: Cost {
            formula: "2(n-1)",
            least: per_entry,
            most: per_entry,
            contended: Some(|setup| setup.clients as u32 * per_entry(setup)),
        },
        fence: None,
    };
    type Msg = Msg;
    type State = State;

    fn init(_cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        State::default()
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let clock = out.tick();
        state.own = Some(clock);
        let old = state.replies;
        out.rule_if(old.is_empty(), "RA-1", || {
            let (me, names) = (cx.my_name(), &cx.setup.names);
            let stamp = Stamp::new(clock, cx.me).show(names);
            match old.is_empty() {
                true => format!("{me} asks everybody with {stamp}."),
                false => format!(
                    "{me} asks everybody with {stamp} and counts what {} replied to an earlier request.",
                    names.sentence(old)
                ),
            }
        });
        out.broadcast(cx, &Msg::Request(clock));
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request(t) => on_request_message(cx, state, Stamp::new(*t, from), out),
            Msg::Reply => {
                // A late copy of a REPLY finds nobody waiting and must change nothing.
                if cx.phase != Phase::Waiting {
                    return out.note(|| format!("{} was not waiting for a reply.", cx.my_name()));
                }
                state.replies.insert(from);
                let missing: NodeSet =
                    cx.others().filter(|j| !state.replies.contains(*j)).collect();
                let early = !missing.is_empty() && enough(cx, state);
                out.did("note");
                out.rule_if(!early, "RA-4", || {
                    let (me, who) = (cx.my_name(), cx.setup.names.sentence(missing));
                    match (missing.is_empty(), early) {
                        (true, _) => format!("{me} has every reply."),
                        (false, true) => {
                            format!("{me} does not wait for the reply of {who}.")
                        }
                        (false, false) => format!("{me} still needs {who}."),
                    }
                });
            }
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let owed = std::mem::take(&mut state.deferred);
        state.own = None;
        if !cx.broken("R8") {
            state.replies = NodeSet::EMPTY;
        }
        if !cx.broken("R6") {
            for to in owed.iter() {
                out.send(cx, to, Msg::Reply);
            }
        }
        let paid = out.sends.len() == owed.len();
        if paid && !owed.is_empty() {
            out.did("reply");
        }
        out.rule_if(paid, "RA-5", || {
            let (me, who) = (cx.my_name(), cx.setup.names.sentence(owed));
            match (owed.is_empty(), paid) {
                (true, _) => format!("{me} leaves; it owes nobody a reply."),
                (false, true) => format!("{me} leaves and replies to {who}."),
                (false, false) => {
                    let one = if owed.len() == 1 { "one" } else { "one each" };
                    format!("{me} leaves and sends no reply, though it owes {who} {one}.")
                }
            }
        });
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        if cx.broken("R9") {
            guard.need(enough(cx, state), || {
                "replies from more than half, itself included".to_owned()
            });
            return;
        }
        for j in cx.others() {
            let met = state.replies.contains(j);
            guard.need_from(met, j, &["REPLY"], || format!("REPLY from {}", cx.name(j)));
        }
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        fields.add("request", Value::stamp(state.own.map(|clock| Stamp::new(clock, cx.me))));
        fields.add("replies", Value::Set(state.replies));
        fields.add("deferred", Value::Set(state.deferred));
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        state.deferred.contains(to).then(|| format!("deferred by {}", cx.my_name()))
    }

    fn request_stamp(_cx: &Cx<'_>, state: &State) -> Option<u32> {
        state.own
    }

    /// It sends when it asks, when it leaves, and to answer a REQUEST; what it deferred it has sent when
    /// it left. It cannot leave before it has entered, nor enter without the reply of `to`.
    fn silent_towards(
        cx: &Cx<'_>,
        state: &State,
        asks: bool,
        to: NodeId,
        unanswered: bool,
    ) -> bool {
        let quiet = match cx.phase {
            Phase::Idle => !asks,
            Phase::Waiting => !cx.broken("R9") && !state.replies.contains(to),
            Phase::InCs => false,
        };
        quiet && !unanswered
    }

    /// The clock stamps the own requests alone: after the last one it does not matter.
    fn forget(cx: &Cx<'_>, _: &mut State, clock: &mut u32, asks: bool) {
        if cx.setup.variant.is_none() && !asks {
            *clock = 0;
        }
    }

    fn label(from: NodeId, msg: &Msg) -> Label {
        match msg {
            Msg::Request(t) => Label::stamped("REQUEST", Stamp::new(*t, from)),
            Msg::Reply => Label::bare("REPLY"),
        }
    }

    fn stamp(msg: &Msg) -> Option<u32> {
        match msg {
            Msg::Request(t) => Some(*t),
            Msg::Reply => None,
        }
    }

    fn merges(cx: &Cx<'_>) -> bool {
        !["R3", "R3b", "R3c"].iter().any(|id| cx.broken(id))
    }
}

fn per_entry(setup: &Setup) -> u32 {
    2 * (setup.clients as u32 - 1)
}

const RULES: &[Rule] = &[
    Rule::new("RA-1", When::Asking, "ask", "tick; t ← clock; replies ← {}; REQUEST(t) to all", &[]),
    Rule::new(
        "RA-2",
        When::Receipt,
        "on REQUEST(T) from j",
        "in CS, or waiting and (t,i) < (T,j): defer j",
        &["defer"],
    ),
    Rule::new("RA-3", When::Receipt, "on REQUEST(T) from j", "otherwise: REPLY to j", &["reply"]),
    Rule::new(
        "RA-4",
        When::Receipt,
        "on REPLY from j",
        "replies += j; enter when all n-1 are here",
        &["note"],
    ),
    Rule::new("RA-5", When::Leaving, "leave", "REPLY to all deferred", &[]),
];

const VARIANTS: &[Variant] = &[
    Variant {
        id: "R1",
        slug: "tie-defers",
        about: "On equal clock values both defer.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "R2",
        slug: "tie-replies",
        about: "On equal clock values both reply.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "R3",
        slug: "no-merge",
        about: "A receipt does not raise the clock.",
        failure: Failure::Violation,
        shows: Shows::at(3, &[1]),
    },
    Variant {
        id: "R3b",
        slug: "no-merge-no-fifo",
        about: "A receipt does not raise the clock, and channels may reorder.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]).any_order(),
    },
    Variant {
        id: "R3c",
        slug: "no-merge-compare-inside",
        about: "A receipt does not raise the clock, and a node inside compares stamps as a waiting one does.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "R4",
        slug: "never-defer",
        about: "Every REQUEST is answered at once.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "R5",
        slug: "always-defer",
        about: "A waiting node defers every REQUEST, older ones too.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "R6",
        slug: "forget-deferred",
        about: "A node that leaves does not send the replies that it owes.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "R7",
        slug: "compare-clock",
        about: "The node compares its clock as it stands, not the stamp of its own request.",
        failure: Failure::Violation,
        shows: Shows::at(3, &[1]),
    },
    Variant {
        id: "R8",
        slug: "keep-old-replies",
        about: "Replies to an earlier request still count for the next.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[2]),
    },
    Variant {
        id: "R9",
        slug: "majority",
        about: "Replies from a majority are enough.",
        failure: Failure::Violation,
        shows: Shows::at(3, &[1]),
    },
];
