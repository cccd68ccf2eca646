//! Ricart and Agrawala's algorithm: a reply is a permission, and the older request keeps its reply back.
//!
//! G. Ricart and A. K. Agrawala, "An Optimal Algorithm for Mutual Exclusion in Computer Networks",
//! CACM 24(1), 1981. It needs no FIFO. A REPLY carries no stamp and moves no clock.
//!
//! Where this differs from the paper: the own request raises the clock here too, while the paper's highest
//! number is that of the REQUESTs received. The paper compares stamps inside the critical section as well;
//! here a node inside defers all, which comes to the same as long as a receipt raises the clock.
//!
//! Its rules, RA-1 and what follows, stand in `RULES`.

use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Info, Kind, Label, OrderPromise, Outbox,
    PLAIN, Receipt, Rule, Shows, Towards, broken, chosen, fields, permission, rules, told,
};
use crate::model::{Fields, NodeId, NodeSet, Phase, Setup, Stamp, Value};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 5] = rules(
    "
RA-1 | ask   | ask                  | tick; t ← clock; replies ← {}; REQUEST(t) to all |
RA-2 | get   | on REQUEST(T) from j | in CS, or waiting and (t,i) < (T,j): defer j | defer
RA-3 | get   | on REQUEST(T) from j | otherwise: REPLY to j | reply
RA-4 | get   | on REPLY from j      | replies += j; enter when all n-1 are here | note
RA-5 | leave | leave                | REPLY to all deferred |
",
);

/// Ricart and Agrawala's algorithm.
#[derive(Debug)]
pub struct RicartAgrawala;

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// RA-2: whether a waiting node's request, (t,i), goes before the one that has come, (T,j).
    mine_first: fn(mine: Stamp, theirs: Stamp) -> bool,
    /// What a waiting node compares: its request, or its clock of now.
    compares: fn(own: Stamp, now: Stamp) -> Stamp,
    /// RA-2: a node inside defers every REQUEST; otherwise it compares as a waiting one does.
    inside_defers: bool,
    /// RA-4: all n-1 replies are needed; otherwise those of a majority, itself included.
    needs_all: bool,
    /// RA-5: a node that leaves sends the replies that it owes.
    pays_back: bool,
    /// RA-1: replies to an earlier request do not count.
    forgets: bool,
    /// What a receipt does to the clock.
    receipt: Receipt,
}

const PAPER: Decisions = Decisions {
    mine_first: |mine, theirs| mine < theirs,
    compares: |own, _| own,
    inside_defers: true,
    needs_all: true,
    pays_back: true,
    forgets: true,
    receipt: Receipt::Raises,
};

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

fn on_request_message(cx: &Cx<'_>, state: &mut State, theirs: Stamp, out: &mut Outbox<Msg>) {
    let own = state.own.map(|clock| cx.mine(clock));
    let mine = own.map(|own| (cx.d.compares)(own, cx.mine(out.clock())));
    let first = mine.is_some_and(|mine| (cx.d.mine_first)(mine, theirs));
    let defer = match cx.phase {
        Phase::InCs => first || cx.d.inside_defers,
        Phase::Waiting => first,
        Phase::Idle => false,
    };
    let (rule, word) = if defer { ("RA-2", "defer") } else { ("RA-3", "reply") };
    let as_told = defer == permission::defers(cx, own, theirs);
    out.rule_if(as_told, rule, || match mine.filter(|mine| own != Some(*mine)) {
        Some(Stamp { clock, .. }) if cx.phase == Phase::Waiting => {
            let (me, asker, shown) = (cx.my_name(), cx.name(theirs.node), cx.show(theirs));
            let does = if defer { "defers" } else { "replies to" };
            format!("{me} compares its clock, {clock}, with {shown} and {does} {asker}.")
        }
        _ => permission::reason(cx, own, theirs, defer),
    });
    out.did(word);
    if defer {
        state.deferred.insert(theirs.node);
    } else {
        out.send(cx, theirs.node, Msg::Reply);
    }
}

/// Whether the replies that have come let the node in.
fn enough(cx: &Cx<'_>, state: &State) -> bool {
    match cx.d.needs_all {
        true => cx.others_without(state.replies).is_empty(),
        false => state.replies.len() + 1 > cx.n() / 2,
    }
}

const FIELDS: [FieldInfo; 3] = fields(
    "
request  | stamp? | the stamp of the node's own request
replies  | set    | who has replied to it
deferred | set    | to whom the node owes a reply
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "ricart-agrawala",
    title: "Ricart–Agrawala 1981",
    paper: "G. Ricart and A. K. Agrawala, An Optimal Algorithm for Mutual Exclusion in Computer Networks, CACM 24(1), 1981",
    idea: "A reply is a permission; a node with the older request keeps its reply back until it has left.",
    good_for: "Few nodes that are equals: entries follow the stamps. While any one of them is down, no new request gets in.",
    stamped: true,
    order: OrderPromise::Stamps,
    kinds: &[Kind::asks("REQUEST"), Kind::gives("REPLY")],
    fields: &FIELDS,
    rules: &RULES,
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "2(n-1)",
        least: per_entry,
        most: per_entry,
        contended: Some(|setup| setup.clients as u32 * per_entry(setup)),
    },
    ..PLAIN
};

impl Algorithm for RicartAgrawala {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn init(_cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        State::default()
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let clock = out.tick();
        state.own = Some(clock);
        let old = state.replies;
        out.rule_if(old.is_empty(), "RA-1", || {
            let me = cx.my_name();
            let stamp = cx.show(cx.mine(clock));
            match old.is_empty() {
                true => format!("{me} asks everybody with {stamp}."),
                false => format!(
                    "{me} asks everybody with {stamp} and counts what {} replied to an earlier request.",
                    cx.list(old)
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
                let missing = cx.others_without(state.replies);
                let early = !missing.is_empty() && enough(cx, state);
                out.did("note");
                out.rule_if(!early, "RA-4", || {
                    let (me, who) = (cx.my_name(), cx.list(missing));
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
        if cx.d.forgets {
            state.replies = NodeSet::EMPTY;
        }
        if cx.d.pays_back {
            for to in owed.iter() {
                out.send(cx, to, Msg::Reply);
            }
        }
        let paid = out.sends.len() == owed.len();
        out.rule_if(paid, "RA-5", || {
            let (me, who) = (cx.my_name(), cx.list(owed));
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
        if !cx.d.needs_all {
            let text = || "replies from more than half, itself included".to_owned();
            return guard.need(enough(cx, state), text);
        }
        for j in cx.others() {
            let met = state.replies.contains(j);
            guard.need_from(met, j, &["REPLY"], || format!("REPLY from {}", cx.name(j)));
        }
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        fields.add("request", Value::stamp(state.own.map(|clock| cx.mine(clock))));
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
    fn silent_towards(cx: &Cx<'_>, state: &State, other: Towards) -> bool {
        other.while_it(cx.phase, || cx.d.needs_all && !state.replies.contains(other.to))
    }

    /// The clock stamps the own requests alone: after the last one it does not matter.
    fn forget(_: &Cx<'_>, _: &mut State, clock: &mut u32, asks: bool) {
        if !asks {
            *clock = 0;
        }
    }

    fn label(from: NodeId, msg: &Msg) -> Label {
        match msg {
            Msg::Request(t) => Label::stamped("REQUEST", Stamp::new(*t, from)),
            Msg::Reply => Label::bare("REPLY"),
        }
    }

    fn receipt(cx: &Cx<'_>) -> Receipt {
        cx.d.receipt
    }
}

fn per_entry(setup: &Setup) -> u32 {
    2 * (setup.clients as u32 - 1)
}

const BROKEN: [Broken<Decisions>; 12] = [
    broken("R1", "tie-defers", Failure::Stuck, Shows::at(2, &[1]))
        .about("On equal clock values both defer.")
        .decides(Decisions { mine_first: |mine, theirs| mine.clock <= theirs.clock, ..PAPER }),
    broken("R2", "tie-replies", Failure::Violation, Shows::at(2, &[1]))
        .about("On equal clock values both reply.")
        .decides(Decisions { mine_first: |mine, theirs| mine.clock < theirs.clock, ..PAPER }),
    broken("R3", "no-merge", Failure::Violation, Shows::at(3, &[1]))
        .about("A receipt does not raise the clock.")
        .decides(Decisions { receipt: Receipt::Ignored, ..PAPER }),
    broken("R3b", "no-merge-no-fifo", Failure::Violation, Shows::at(2, &[1]).any_order())
        .about("A receipt does not raise the clock, and channels may reorder.")
        .decides(Decisions { receipt: Receipt::Ignored, ..PAPER }),
    broken("R3c", "no-merge-compare-inside", Failure::Violation, Shows::at(2, &[1]))
        .about("A receipt does not raise the clock, and a node inside compares stamps as a waiting one does.")
        .decides(Decisions { receipt: Receipt::Ignored, inside_defers: false, ..PAPER }),
    broken("R4", "never-defer", Failure::Violation, Shows::at(2, &[1]))
        .about("Every REQUEST is answered at once.")
        .decides(Decisions { mine_first: |_, _| false, inside_defers: false, ..PAPER }),
    broken("R5", "always-defer", Failure::Stuck, Shows::at(2, &[1]))
        .about("A waiting node defers every REQUEST, older ones too.")
        .decides(Decisions { mine_first: |_, _| true, ..PAPER }),
    broken("R6", "forget-deferred", Failure::Stuck, Shows::at(2, &[1]))
        .about("A node that leaves does not send the replies that it owes.")
        .decides(Decisions { pays_back: false, ..PAPER }),
    broken("R7", "compare-clock", Failure::Violation, Shows::at(3, &[1]))
        .about("The node compares its clock as it stands, not the stamp of its own request.")
        .decides(Decisions { compares: |_, now| now, ..PAPER }),
    broken("R8", "keep-old-replies", Failure::Violation, Shows::at(2, &[2]))
        .about("Replies to an earlier request still count for the next.")
        .decides(Decisions { forgets: false, ..PAPER }),
    broken("R9", "majority", Failure::Violation, Shows::at(3, &[1]))
        .about("Replies from a majority are enough.")
        .decides(Decisions { needs_all: false, ..PAPER }),
    broken("R10", "overwrite", Failure::Violation, Shows::at(3, &[1]))
        .about("A receipt sets the clock to the received value, lower or not.")
        .decides(Decisions { receipt: Receipt::Overwrites, ..PAPER }),
];
