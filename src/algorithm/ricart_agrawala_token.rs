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
//! ```text
//! AT-1  ask, token here:               enter
//! AT-2  ask, token elsewhere:          asked[i] := asked[i] + 1; send REQUEST(asked[i]) to all
//! AT-3  on REQUEST(n) from j, idle with the token, asked[j] > served[j]:  send the token to j
//! AT-4  on REQUEST(n) from j, idle with the token, otherwise:             keep it: j was served
//! AT-5  on REQUEST(n) from j, no idle token here:                         only asked[j] := max(asked[j], n)
//! AT-6  on TOKEN:                      enter
//! AT-7  leave, some j asked:           served[i] := asked[i]; send the token to the first j, from
//!                                      i+1 round to i-1, with asked[j] > served[j]
//! AT-8  leave, nobody asked:           served[i] := asked[i]; keep the token
//! ```
//!
//! Every REQUEST raises `asked` first, as AT-5 does.

use super::{
    Algorithm, Cost, Cx, Failure, FieldInfo, Guard, Info, Kind, Label, Line, OrderPromise, Outbox,
    Rule, Shows, Variant, When,
};
use crate::model::{ChannelOrder, Fields, NodeId, Phase, Shape, Value};

/// Ricart and Agrawala's token algorithm.
#[derive(Debug)]
pub struct RicartAgrawalaToken;

/// For each node the number of its last request that was served.
type Served = Vec<u32>;

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
    let in_use = inside && !cx.broken("A3");
    let Some(served) = state.token.take_if(|_| !in_use) else {
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
    if asked > last || cx.broken("A4") {
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
        out.did("discard");
        out.rule_if(!inside, "AT-4", || {
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

impl Algorithm for RicartAgrawalaToken {
    const INFO: Info = Info {
        slug: "ricart-agrawala-token",
        title: "Ricart–Agrawala token 1983",
        paper: "G. Ricart and A. K. Agrawala, Author Response to 'On Mutual Exclusion in Computer Networks' by Carvalho and Roucairol, CACM 26(2), 1983",
        idea: "Who has the token may enter; who wants it asks everybody, and who leaves looks round the ring for the next.",
        good_for: "The same as Suzuki–Kasami, with a token that carries no queue: of those whose requests have arrived at an exit, the ring decides who is next.",
        needs: ChannelOrder::AnyOrder,
        stamped: false,
        order: OrderPromise::NotPromised,
        token: true,
        circulates: false,
        teaching: false,
        helper: None,
        kinds: &[
            Kind { name: "REQUEST", line: Line::Request },
            Kind { name: "TOKEN", line: Line::Reply },
        ],
        fields: &[
            FieldInfo::of(
                "asked",
                Shape::Each(&Shape::Number),
                "the highest request number known of each node",
            ),
            FieldInfo::of("token", Shape::Truth, "whether the token is here"),
            FieldInfo::of(
                "served",
                Shape::Maybe(&Shape::Each(&Shape::Number)),
                "with the token: the number of each node's last request that was served",
            ),
        ],
        rules: RULES,
        options: &[],
        variants: VARIANTS,
        cost: Cost {
            formula: "n, or 0 with the token",
            least: |_| 0,
            most: |setup| if setup.clients > 1 { setup.clients as u32 } else { 0 },
            contended: Some(|setup| setup.clients as u32 * (setup.clients as u32 - 1)),
        },
        fence: None,
    };
    type Msg = Msg;
    type State = State;

    fn init(cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        let token = (cx.me == NodeId(0)).then(|| vec![0; cx.n()]);
        State { asked: vec![0; cx.n()], token }
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let me = cx.my_name();
        if state.token.is_some() {
            out.rule("AT-1", || format!("{me} has the token, so it asks nobody."));
            return;
        }
        let asked = &mut state.asked[cx.me.index()];
        *asked += 1;
        let n = *asked;
        out.rule("AT-2", || format!("{me} asks everybody for the token: its request number {n}."));
        out.broadcast(cx, &Msg::Request(n));
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request(n) => on_request_message(cx, state, from, *n, out),
            Msg::Token(served) => {
                state.token = Some(served.clone());
                out.rule_if(cx.phase == Phase::Waiting, "AT-6", || match cx.phase {
                    Phase::Waiting => format!("{} has the token.", cx.my_name()),
                    Phase::Idle | Phase::InCs => {
                        format!("{} has the token and was not waiting for it.", cx.my_name())
                    }
                });
            }
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let me = cx.my_name();
        let Some(mut served) = state.token.take() else {
            return out.note(|| format!("{me} leaves; the token is no longer here."));
        };
        let own = state.asked[cx.me.index()];
        if !cx.broken("A2") {
            served[cx.me.index()] = own;
        }
        let noted = served[cx.me.index()] == own;
        let forgets = if noted { "" } else { "; it does not write down that it was served" };
        let next = next_waiting(cx, &state.asked, &served);
        match next.filter(|_| !cx.broken("A1")) {
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
        let me = cx.my_name();
        let noted = state.asked[to.index()] > served[to.index()];
        Some(match cx.phase {
            Phase::InCs if noted => {
                format!("{me} is inside with the token and has noted the request")
            }
            Phase::InCs => format!("{me} is inside with the token and knows of no request"),
            Phase::Idle | Phase::Waiting => format!("{me} has the token and keeps it"),
        })
    }

    /// An idle node sends nothing but the token, and that to the sender of a REQUEST.
    fn silent_towards(cx: &Cx<'_>, _: &State, asks: bool, _to: NodeId, unanswered: bool) -> bool {
        cx.phase == Phase::Idle && !asks && !unanswered
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

const RULES: &[Rule] = &[
    Rule::new("AT-1", When::Asking, "ask", "token here: enter", &[]),
    Rule::new(
        "AT-2",
        When::Asking,
        "ask",
        "token elsewhere: asked[i] ← asked[i]+1; REQUEST(asked[i]) to all",
        &[],
    ),
    Rule::new(
        "AT-3",
        When::Receipt,
        "on REQUEST(n) from j",
        "asked[j] ← max(asked[j],n); idle with the token and asked[j] > served[j]: token to j",
        &["pass"],
    )
    .also(&["note"]),
    Rule::new(
        "AT-4",
        When::Receipt,
        "on REQUEST(n) from j",
        "asked[j] ← max(asked[j],n); idle with the token, otherwise: keep it",
        &["discard"],
    ),
    Rule::new(
        "AT-5",
        When::Receipt,
        "on REQUEST(n) from j",
        "no idle token here: asked[j] ← max(asked[j],n)",
        &["note"],
    ),
    Rule::new("AT-6", When::Receipt, "on TOKEN", "enter", &[]),
    Rule::new(
        "AT-7",
        When::Leaving,
        "leave",
        "served[i] ← asked[i]; some j asked: token to the first from i+1 round to i-1",
        &["pass"],
    ),
    Rule::new(
        "AT-8",
        When::Leaving,
        "leave",
        "served[i] ← asked[i]; nobody asked: keep the token",
        &["keep"],
    ),
];

const VARIANTS: &[Variant] = &[
    Variant {
        id: "A1",
        slug: "no-scan-on-exit",
        about: "A node that leaves does not look for requests that it has noted.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "A2",
        slug: "served-not-noted",
        about: "A node that leaves does not write into the token that its request was served.",
        failure: Failure::Stuck,
        shows: Shows::at(3, &[1]),
    },
    Variant {
        id: "A3",
        slug: "token-leaves-the-critical-section",
        about: "A node inside gives the token away.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "A4",
        slug: "no-freshness-test",
        about: "A node with the idle token sends it to the sender of any REQUEST, served already or not, and channels may reorder.",
        failure: Failure::Stuck,
        shows: Shows::at(3, &[1]).any_order(),
    },
];
