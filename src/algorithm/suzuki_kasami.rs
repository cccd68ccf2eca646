//! Suzuki and Kasami's algorithm: one token, asked for by broadcast, that carries its own queue.
//!
//! I. Suzuki and T. Kasami, "A Distributed Mutual Exclusion Algorithm", ACM TOCS 3(4), 1985. It needs
//! no FIFO: numbered requests tell old ones from new ones. The token starts at the first node. RN is
//! what a node knows of everybody's requests; LN travels with the token and says which were served.
//!
//! Its rules, SK-1 and what follows, stand in `RULES`.
//!
//! Every REQUEST raises RN first, as SK-5 does.

use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Info, Kind, Label, Outbox, PLAIN, Rule,
    Shows, Towards, broken, chosen, fields, rules, token, told,
};
use crate::model::{Fields, NodeId, NodeSet, Phase, Setup, Value};
use std::cmp::Ordering;

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 9] = rules(
    "
SK-1 | ask   | ask                  | token here: enter |
SK-2 | ask   | ask                  | token elsewhere: RN[i] ← RN[i]+1; REQUEST(RN[i]) to all |
SK-3 | get   | on REQUEST(n) from j | RN[j] ← max(RN[j],n); idle with the token and RN[j] = LN[j]+1: token to j | pass + note
SK-4 | get   | on REQUEST(n) from j | RN[j] ← max(RN[j],n); idle with the token, otherwise: keep it | discard
SK-5 | get   | on REQUEST(n) from j | no idle token here: RN[j] ← max(RN[j],n) | note
SK-6 | get   | on TOKEN             | enter |
SK-7 | leave | leave                | LN[i] ← RN[i]; append to Q every j not in it with RN[j] = LN[j]+1 |
SK-8 | leave | leave                | Q not empty: token to its first | pass
SK-9 | leave | leave                | Q empty: keep the token | keep
",
);

/// Suzuki and Kasami's algorithm.
#[derive(Debug)]
pub struct SuzukiKasami;

/// What travels with the token.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Token {
    /// LN: for each node, the number of its last request that was served.
    served: Vec<u32>,
    /// Q: who gets the token next, in order.
    queue: Vec<NodeId>,
}

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// SK-3, SK-7: whether a request with the number RN[j] is the next one after LN[j].
    fresh: fn(known: u32, served: u32) -> bool,
    /// SK-5: RN[j] after a REQUEST with the number n.
    notes: fn(known: u32, n: u32) -> u32,
    /// SK-5: a node inside keeps the token.
    keeps_inside: bool,
    /// SK-7: LN[i] := RN[i].
    notes_served: bool,
    /// SK-7: who has asked is put into the queue.
    scans: bool,
}

const PAPER: Decisions = Decisions {
    fresh: |known, served| known == served + 1,
    notes: |known, n| known.max(n),
    keeps_inside: true,
    notes_served: true,
    scans: true,
};

/// A message of Suzuki and Kasami's algorithm.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// The sender asks, for the n-th time.
    Request(u32),
    /// The permission itself.
    Token(Token),
}

/// Variables of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// RN: for each node, the highest number of a request that this node knows of.
    known: Vec<u32>,
    /// The token, while it is here.
    token: Option<Token>,
}

fn on_request_message(cx: &Cx<'_>, state: &mut State, from: NodeId, n: u32, out: &mut Outbox<Msg>) {
    let known = &mut state.known[from.index()];
    let before = *known;
    *known = (cx.d.notes)(before, n);
    let known = *known;
    let (me, asker) = (cx.my_name(), cx.name(from));
    let inside = cx.phase == Phase::InCs;
    let fresh = |token: &Token| (cx.d.fresh)(known, token.served[from.index()]);
    let gives = |token: &mut Token| !inside || !cx.d.keeps_inside && fresh(token);
    let Some(token) = state.token.take_if(gives) else {
        if known != before {
            out.did("note");
        }
        out.rule_if(known >= before, "SK-5", || {
            let why = if state.token.is_some() { "is inside" } else { "does not have the token" };
            match known.cmp(&before) {
                Ordering::Greater => format!("{me} {why}; it notes RN[{asker}] = {known}."),
                Ordering::Equal => format!("{me} {why}; RN[{asker}] stays {known}."),
                Ordering::Less => {
                    format!("{me} {why}; it writes the older RN[{asker}] = {known} over {before}.")
                }
            }
        });
        return;
    };
    let served = token.served[from.index()];
    let sends = fresh(&token);
    let fresh = (PAPER.fresh)(known, served);
    if sends {
        out.did("pass");
        out.rule_if(fresh && !inside && known >= before, "SK-3", || match (fresh, inside) {
            (false, _) => format!("{me} sends the token to {asker} without comparing RN with LN."),
            (true, true) => format!("{me} is inside and sends the token to {asker} all the same."),
            (true, false) => format!(
                "RN[{asker}] = {known} is one more than LN[{asker}] = {served}, so {me} sends the token to {asker}."
            ),
        });
        out.send(cx, from, Msg::Token(token));
    } else {
        out.did("discard");
        out.rule_if(known >= before, "SK-4", || {
            let so = if known <= served { "that request was served" } else { "one before it is missing" };
            format!(
                "RN[{asker}] = {known} is not one more than LN[{asker}] = {served}: {so}, so {me} keeps the token."
            )
        });
        state.token = Some(token);
    }
}

/// Puts every node with a request that was not served at the end of the queue. Returns those, and those
/// for which the rule says so.
fn append_waiting(cx: &Cx<'_>, known: &[u32], token: &mut Token) -> (NodeSet, NodeSet) {
    let (mut added, mut due) = (NodeSet::EMPTY, NodeSet::EMPTY);
    for j in cx.others() {
        let known = known[j.index()];
        let served = token.served[j.index()];
        let fresh = (PAPER.fresh)(known, served);
        if token.queue.contains(&j) {
            continue;
        }
        if fresh {
            due.insert(j);
        }
        if cx.d.scans && (cx.d.fresh)(known, served) {
            token.queue.push(j);
            added.insert(j);
        }
    }
    (added, due)
}

const FIELDS: [FieldInfo; 4] = fields(
    "
RN    | each a number  | the highest request number known of each node
token | truth          | whether the token is here
LN    | each a number? | with the token: the number of each node's last request that was served
queue | nodes?         | with the token: who gets it next, in order
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "suzuki-kasami",
    title: "Suzuki–Kasami 1985",
    paper: "I. Suzuki and T. Kasami, A Distributed Mutual Exclusion Algorithm, ACM TOCS 3(4), 1985",
    idea: "Who has the token may enter; who wants it asks everybody, and the token carries the queue.",
    good_for: "Bursts at one node: free while the token stays there, one broadcast and the token when it has to move.",
    token: true,
    kinds: &[Kind::asks("REQUEST"), Kind::gives("TOKEN")],
    fields: &FIELDS,
    rules: &RULES,
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "n, or 0 with the token",
        least: |_| 0,
        most: |setup| if setup.clients > 1 { setup.clients as u32 } else { 0 },
        contended: Some(|setup| setup.clients as u32 * (setup.clients as u32 - 1)),
    },
    ..PLAIN
};

impl Algorithm for SuzukiKasami {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn init(cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        let token = Token { served: vec![0; cx.n()], queue: Vec::new() };
        State { known: vec![0; cx.n()], token: (cx.me == NodeId(0)).then_some(token) }
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let here = state.token.is_some();
        token::asks(cx, (here, ["SK-1", "SK-2"]), &mut state.known, Msg::Request, out);
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request(n) => on_request_message(cx, state, from, *n, out),
            Msg::Token(token) => {
                state.token = Some(token.clone());
                token::arrives(cx, "SK-6", out);
            }
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let me = cx.my_name();
        let Some(mut token) = state.token.take() else {
            return out.note(|| format!("{me} leaves; the token is no longer here."));
        };
        let own = state.known[cx.me.index()];
        if cx.d.notes_served {
            token.served[cx.me.index()] = own;
        }
        let (added, due) = append_waiting(cx, &state.known, &mut token);
        let served = token.served[cx.me.index()];
        out.rule_if(added == due && served == own, "SK-7", || {
                        let passed_over: NodeSet = due.iter().filter(|j| !added.contains(*j)).collect();
            let though = match passed_over.is_empty() {
                true => String::new(),
                false => format!(", though it has noted a request of {}", cx.list(passed_over)),
            };
            let who = cx.list(added);
            format!(
                "{me} leaves; LN[{me}] is {served}, its RN[{me}] is {own}. It adds {who} to the queue{though}."
            )
        });
        if token.queue.is_empty() {
            out.rule("SK-9", || format!("The queue is empty, so {me} keeps the token."));
            state.token = Some(token);
        } else {
            let next = token.queue.remove(0);
            if next == cx.me {
                state.token = Some(token);
                out.did("keep");
                return out.note(|| format!("{me} is first in the queue itself: the token stays."));
            }
            out.did("pass");
            out.rule_if(true, "SK-8", || {
                format!("{} is first in the queue, so {me} sends it the token.", cx.name(next))
            });
            out.send(cx, next, Msg::Token(token));
        }
    }

    fn guard(_cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        guard.need_from_anyone(state.token.is_some(), &["TOKEN"], || "the token".to_owned());
    }

    fn fields(_cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        fields.add("RN", Value::numbers(&state.known));
        fields.add("token", Value::Bool(state.token.is_some()));
        let token = state.token.as_ref();
        fields.add("LN", token.map_or(Value::None, |t| Value::numbers(&t.served)));
        fields.add("queue", token.map_or(Value::None, |t| Value::nodes(&t.queue)));
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        let token = state.token.as_ref()?;
        let Some(place) = token.queue.iter().position(|n| *n == to) else {
            return Some(token::kept_back(cx, state.known[to.index()] > token.served[to.index()]));
        };
        let (me, name, place) = (cx.my_name(), cx.name(to), place + 1);
        Some(format!("{me} has the token; {name} is at place {place} of its queue"))
    }

    /// An idle node sends nothing but the token, and that to the sender of a REQUEST.
    fn silent_towards(cx: &Cx<'_>, _: &State, other: Towards) -> bool {
        other.while_it(cx.phase, || false)
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        match msg {
            Msg::Request(n) => Label::with_detail("REQUEST", format!("n={n}")),
            Msg::Token(Token { served, queue }) => Label::bare("TOKEN")
                .carrying(vec![("LN", Value::numbers(served)), ("queue", Value::nodes(queue))]),
        }
    }

    fn tokens_held(_cx: &Cx<'_>, state: &State) -> u32 {
        u32::from(state.token.is_some())
    }

    fn carries_token(msg: &Msg) -> bool {
        matches!(msg, Msg::Token(_))
    }
}

const BROKEN: [Broken<Decisions>; 5] = [
    broken("S1", "no-freshness-test", Failure::Stuck, Shows::at(3, &[1]))
        .about("RN is never compared with LN: any request that a node knows of counts, served already or not.")
        .decides(Decisions { fresh: |known, _| known > 0, ..PAPER }),
    broken("S2", "old-numbers-overwrite", Failure::Stuck, Shows::at(3, &[2]).any_order())
        .about("RN[j] takes the number of any REQUEST, older ones too, and channels may reorder.")
        .decides(Decisions { notes: |_, n| n, ..PAPER }),
    broken("S3", "served-not-noted", Failure::Stuck, Shows::at(2, &[2]))
        .about("A node that leaves does not write into LN that its request was served.")
        .decides(Decisions { notes_served: false, ..PAPER }),
    broken("S4", "no-scan-on-exit", Failure::Stuck, Shows::at(2, &[1]))
        .about("A node that leaves does not look for requests that it has noted.")
        .decides(Decisions { scans: false, ..PAPER }),
    broken("S5", "token-leaves-the-critical-section", Failure::Violation, Shows::at(2, &[1]))
        .about("A node inside gives the token away.")
        .decides(Decisions { keeps_inside: false, ..PAPER }),
];
