//! Ricart and Agrawala's token algorithm: a token asked for by broadcast, handed on round the ring.
//!
//! G. Ricart and A. K. Agrawala, "Author Response to 'On Mutual Exclusion in Computer Networks' by
//! Carvalho and Roucairol", CACM 26(2), 1983. It needs no FIFO: numbered requests tell old ones from new
//! ones. The token starts at the first node. `asked` is what a node knows of everybody's requests;
//! `served` travels with the token and says which were served. The token carries no queue: who leaves
//! looks round the ring, so that the token moves on: once everybody has heard of a request, it is served
//! within one round. Requests are counted here; other accounts number them with clock values. Only numbers
//! of the same node are ever compared, so that it comes to the same.
//!
//! Its rules, AT-1 and what follows, stand in `RULES`.
//!
//! Every REQUEST raises `asked` first, as AT-5 does.

use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Info, Kind, Label, Outbox, PLAIN, Rule,
    Shows, Towards, broken, chosen, fields, rules, token, told,
};
use crate::model::{Fields, NodeId, Phase, Setup, Value};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 8] = rules(
    "
AT-1 | ask   | ask                  | token here: enter |
AT-2 | ask   | ask                  | token elsewhere: asked[i] ← asked[i]+1; REQUEST(asked[i]) to all |
AT-3 | get   | on REQUEST(n) from j | asked[j] ← max(asked[j],n); idle with the token and asked[j] > served[j]: token to j | pass + note
AT-4 | get   | on REQUEST(n) from j | asked[j] ← max(asked[j],n); idle with the token, otherwise: keep it | discard
AT-5 | get   | on REQUEST(n) from j | no idle token here: asked[j] ← max(asked[j],n) | note
AT-6 | get   | on TOKEN             | enter |
AT-7 | leave | leave                | served[i] ← asked[i]; some j asked: token to the first from i+1 round to i-1 | pass
AT-8 | leave | leave                | served[i] ← asked[i]; nobody asked: keep the token | keep
",
);

/// Ricart and Agrawala's token algorithm.
#[derive(Debug)]
pub struct RicartAgrawalaToken;

/// For each node the number of its last request that was served.
type Served = Vec<u32>;

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// AT-3: whether the request of this number is answered with the idle token.
    answers: fn(asked: u32, served: u32) -> bool,
    /// AT-5: a node inside keeps the token.
    keeps_inside: bool,
    /// AT-7, AT-8: served[i] := asked[i].
    notes_served: bool,
    /// AT-7: who leaves looks for who has asked.
    scans: bool,
}

const PAPER: Decisions = Decisions {
    answers: |asked, served| asked > served,
    keeps_inside: true,
    notes_served: true,
    scans: true,
};

/// A message of the algorithm.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// The sender asks, for the n-th time.
    Request(u32),
    /// The permission itself.
    Token(Served),
}

/// Variables of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// For each node, the highest number of a request that this node knows of.
    asked: Vec<u32>,
    /// The token, while it is here.
    token: Option<Served>,
}

fn on_request_message(cx: &Cx<'_>, state: &mut State, from: NodeId, n: u32, out: &mut Outbox<Msg>) {
    let asked = &mut state.asked[from.index()];
    let before = *asked;
    *asked = n.max(before);
    let asked = *asked;
    let (me, asker) = (cx.my_name(), cx.name(from));
    let inside = cx.phase == Phase::InCs;
    let gives = |served: &mut Served| {
        !inside || !cx.d.keeps_inside && (cx.d.answers)(asked, served[from.index()])
    };
    let Some(served) = state.token.take_if(gives) else {
        if asked > before {
            out.did("note");
        }
        out.rule_if(true, "AT-5", || {
            let why = if state.token.is_some() { "is inside" } else { "does not have the token" };
            match asked > before {
                true => format!("{me} {why}; it notes request {asked} of {asker}."),
                false => format!("{me} {why} and knows of request {asked} of {asker} already."),
            }
        });
        return;
    };
    let last = served[from.index()];
    if (cx.d.answers)(asked, last) {
        out.did("pass");
        out.rule_if(asked > last && !inside, "AT-3", || match (asked > last, inside) {
            (false, _) => {
                format!("Request {asked} of {asker} was served already; {me} sends it the token all the same.")
            }
            (true, true) => format!("{me} is inside and sends the token to {asker} all the same."),
            (true, false) => format!(
                "Request {asked} of {asker} is not among the {last} that were served, so {me} sends it the token."
            ),
        });
        out.send(cx, from, Msg::Token(served));
    } else {
        out.rule("AT-4", || {
            format!("Request {asked} of {asker} was served already, so {me} keeps the token.")
        });
        state.token = Some(served);
    }
}

/// The first node behind this one, round the ring, with a request that was not served.
fn next_waiting(cx: &Cx<'_>, asked: &[u32], served: &[u32]) -> Option<NodeId> {
    let n = cx.n();
    let ring = (1..n).map(|step| NodeId::at((cx.me.index() + step) % n));
    ring.into_iter().find(|j| asked[j.index()] > served[j.index()])
}

const FIELDS: [FieldInfo; 3] = fields(
    "
asked  | each a number  | the highest request number known of each node
token  | truth          | whether the token is here
served | each a number? | with the token: the number of each node's last request that was served
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "ricart-agrawala-token",
    title: "Ricart–Agrawala token 1983",
    paper: "G. Ricart and A. K. Agrawala, Author Response to 'On Mutual Exclusion in Computer Networks' by Carvalho and Roucairol, CACM 26(2), 1983",
    idea: "Who has the token may enter; who wants it asks everybody, and who leaves looks round the ring for the next.",
    good_for: "The same as Suzuki–Kasami, with a token that carries no queue: of those whose requests have arrived at an exit, the ring decides who is next.",
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

impl Algorithm for RicartAgrawalaToken {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn init(cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        let token = (cx.me == NodeId(0)).then(|| vec![0; cx.n()]);
        State { asked: vec![0; cx.n()], token }
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let here = state.token.is_some();
        token::asks(cx, (here, ["AT-1", "AT-2"]), &mut state.asked, Msg::Request, out);
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request(n) => on_request_message(cx, state, from, *n, out),
            Msg::Token(served) => {
                state.token = Some(served.clone());
                token::arrives(cx, "AT-6", out);
            }
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let me = cx.my_name();
        let Some(mut served) = state.token.take() else {
            return out.note(|| format!("{me} leaves; the token is no longer here."));
        };
        let own = state.asked[cx.me.index()];
        if cx.d.notes_served {
            served[cx.me.index()] = own;
        }
        let noted = served[cx.me.index()] == own;
        let forgets = if noted { "" } else { "; it does not write down that it was served" };
        let next = next_waiting(cx, &state.asked, &served);
        match next.filter(|_| cx.d.scans) {
            Some(next) => {
                out.did("pass");
                out.rule_if(noted, "AT-7", || {
                    let name = cx.name(next);
                    format!("{me} leaves; {name} is the next round the ring that has asked, so it gets the token{forgets}.")
                });
                out.send(cx, next, Msg::Token(served));
            }
            None => {
                out.did("keep");
                out.rule_if(noted && next.is_none(), "AT-8", || {
                    let though = next.map_or(String::new(), |next| {
                        format!(", though it has noted a request of {}", cx.name(next))
                    });
                    format!(
                        "{me} leaves; it passes the token to nobody and keeps it{though}{forgets}."
                    )
                });
                state.token = Some(served);
            }
        }
    }

    fn guard(_cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        guard.need_from_anyone(state.token.is_some(), &["TOKEN"], || "the token".to_owned());
    }

    fn fields(_cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        fields.add("asked", Value::numbers(&state.asked));
        fields.add("token", Value::Bool(state.token.is_some()));
        let served = state.token.as_ref();
        fields.add("served", served.map_or(Value::None, |numbers| Value::numbers(numbers)));
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        let served = state.token.as_ref()?;
        let noted = state.asked[to.index()] > served[to.index()];
        Some(token::kept_back(cx, noted))
    }

    /// An idle node sends nothing but the token, and that to the sender of a REQUEST.
    fn silent_towards(cx: &Cx<'_>, _: &State, other: Towards) -> bool {
        other.while_it(cx.phase, || false)
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        match msg {
            Msg::Request(n) => Label::with_detail("REQUEST", format!("n={n}")),
            Msg::Token(served) => {
                Label::bare("TOKEN").carrying(vec![("served", Value::numbers(served))])
            }
        }
    }

    fn tokens_held(_cx: &Cx<'_>, state: &State) -> u32 {
        u32::from(state.token.is_some())
    }

    fn carries_token(msg: &Msg) -> bool {
        matches!(msg, Msg::Token(_))
    }
}

const BROKEN: [Broken<Decisions>; 4] = [
    broken("A1", "no-scan-on-exit", Failure::Stuck, Shows::at(2, &[1]))
        .about("A node that leaves does not look for requests that it has noted.")
        .decides(Decisions { scans: false, ..PAPER }),
    broken("A2", "served-not-noted", Failure::Stuck, Shows::at(3, &[1]))
        .about("A node that leaves does not write into the token that its request was served.")
        .decides(Decisions { notes_served: false, ..PAPER }),
    broken("A3", "token-leaves-the-critical-section", Failure::Violation, Shows::at(2, &[1]))
        .about("A node inside gives the token away.")
        .decides(Decisions { keeps_inside: false, ..PAPER }),
    broken("A4", "no-freshness-test", Failure::Stuck, Shows::at(3, &[1]).any_order())
        .about("A node with the idle token sends it to the sender of any REQUEST, served already or not, and channels may reorder.")
        .decides(Decisions { answers: |_, _| true, ..PAPER }),
];
