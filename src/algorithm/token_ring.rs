//! The token ring: who has the token may enter, and an idle node passes it on at once.
//!
//! G. Le Lann, "Distributed Systems: Towards a Formal Approach", IFIP Congress 1977, pages 155 to 160.
//! One token needs no FIFO and no stamps. What a node does that suspects the token lost is an option
//! here: minting a new one, with numbers on the tokens, with a round of promises before the minting.
//! It promises no order of entries but the order of the ring.
//!
//! Its rules, TR-1 and what follows, stand in `RULES`.
//!
//! The first node's timer runs from its first pass on; each timer fires once, and never inside the
//! critical section. `everybody` gives each other node a timer that runs while it waits.

mod minting;

use self::minting::{Minting, Suspicion, next, spoken};
use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Info, Kind, Label, OptionInfo, Outbox,
    PLAIN, Rule, Shows, broken, chosen, fields_with, rules, told,
};
use crate::model::{Config, Fields, NodeId, Phase, Setup, Shape, Value};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 13] = rules(
    "
TR-1  | ask   | ask                      | wait for the token |
TR-2  | get   | on TOKEN                 | waiting: keep it; enter |
TR-3  | get   | on TOKEN                 | idle: TOKEN to the next node | pass
TR-4  | leave | leave                    | TOKEN to the next node | pass
TR-5  | get   | on TOKEN                 | absorb: holding one: keep the higher of the two | absorb
TR-6  | get   | on TOKEN                 | forward: holding one: the second TOKEN to the next node | pass
TR-7  | get   | on TOKEN #t (PREPARE #t) | numbers: t < highest (t ≤ highest): discard; else highest ← t | discard
TR-8  | timer | the timer fires          | regenerate: highest += 1; TOKEN #highest to the next node | mint
TR-9  | timer | the timer fires          | promise: highest += 1; PREPARE #highest to all | prepare
TR-10 | get   | on PREPARE #t            | outside the CS: highest ← t; drop an older token; PROMISE #t | promise
TR-11 | get   | on PREPARE #t            | in the CS: highest ← t; promise after leaving | defer
TR-12 | leave | leave                    | a promise is owed: drop the old token; PROMISE #t | promise
TR-13 | get   | on PROMISE #t            | from all n-1: TOKEN #t to the next node | note, mint
",
);

/// The token ring.
#[derive(Debug)]
pub struct TokenRing;

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// TR-3, TR-4: who passes the token on has it no longer.
    lets_go: bool,
    /// TR-3: an idle node passes the token on.
    passes_on: bool,
}

const PAPER: Decisions = Decisions { lets_go: true, passes_on: true };

/// A message of the token ring. A number of 0 stands for a token that carries none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// The token.
    Token(u32),
    /// The sender wants to mint the token with this number.
    Prepare(u32),
    /// The sender will take no token with a lower number.
    Promise(u32),
}

/// Variables of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The number of the token that the node holds.
    token: Option<u32>,
    /// What it knows of numbers and promises.
    minting: Minting,
}

fn previous(cx: &Cx<'_>) -> NodeId {
    NodeId::at((cx.me.index() + cx.n() - 1) % cx.n())
}

/// Sends the token to the next node. Returns what is to be told beside that.
fn pass(cx: &Cx<'_>, state: &mut State, number: u32, out: &mut Outbox<Msg>) -> &'static str {
    out.did("pass");
    send_on(cx, state, number, out);
    state.token = (!cx.d.lets_go).then_some(number);
    if state.token.is_some() { "; it keeps a copy" } else { "" }
}

/// Sends a token, whichever, to the next node.
fn send_on(cx: &Cx<'_>, state: &mut State, number: u32, out: &mut Outbox<Msg>) {
    state.minting.passed(cx);
    out.send(cx, next(cx), Msg::Token(number));
}

fn on_token(cx: &Cx<'_>, state: &mut State, number: u32, out: &mut Outbox<Msg>) {
    let me = cx.my_name();
    if state.minting.discards(cx, number, out) {
        return;
    }
    let keeps_copies = !cx.d.lets_go && cx.phase != Phase::InCs;
    match state.token {
        Some(held) if !keeps_copies => second_token(cx, state, held, number, out),
        _ if cx.phase == Phase::Waiting => {
            state.token = Some(number);
            out.rule("TR-2", || format!("{me} waits, so it keeps {}.", spoken(number)));
        }
        _ if !cx.d.passes_on => {
            state.token = Some(number);
            out.note(|| format!("{me} does not want the lock and lets the token rest."));
        }
        _ => {
            let kept = pass(cx, state, number, out);
            out.rule_if(kept.is_empty(), "TR-3", || {
                let to = cx.name(next(cx));
                format!(
                    "{me} does not want the lock, so it passes {} to {to}{kept}.",
                    spoken(number)
                )
            });
        }
    }
}

/// A token reaches a node that holds one.
fn second_token(cx: &Cx<'_>, state: &mut State, held: u32, number: u32, out: &mut Outbox<Msg>) {
    let me = cx.my_name();
    if cx.setup.option("forward") {
        out.rule("TR-6", || {
            let to = cx.name(next(cx));
            format!("{me} holds {} already, so it passes the second one to {to}.", spoken(held))
        });
        send_on(cx, state, number, out);
    } else {
        let kept = held.max(number);
        state.token = Some(kept);
        out.rule("TR-5", || match number {
            0 => format!("{me} holds the token already: the two become one."),
            _ => format!("{me} holds #{held} and gets #{number}: it keeps #{kept} alone."),
        });
    }
}

const FIELDS: [FieldInfo; 4] = fields_with(
    Shape::Option("numbers", &Shape::Maybe(&Shape::Number), &Shape::Maybe(&Shape::Word(&["here"]))),
    "
token    | own    | the token, or its number, while the node holds it
highest  | number | the highest token number that the node has seen
promises | set    | who has promised to take no older token
owes     | node?  | to whom the node owes a promise after leaving
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "token-ring",
    title: "Token ring",
    paper: "G. Le Lann, Distributed Systems: Towards a Formal Approach, IFIP Congress 1977",
    idea: "One token travels around the ring; who has it may enter.",
    good_for: "Steady demand at every node: under full load an entry costs one message; while nobody asks the token still goes round, without end.",
    token: true,
    circulates: true,
    kinds: &[Kind::gives("TOKEN"), Kind::asks("PREPARE"), Kind::gives("PROMISE")],
    fields: &FIELDS,
    rules: &RULES,
    options: OPTIONS,
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "0..n-1 passes until the entry",
        least: |_| 0,
        most: |setup| setup.clients as u32 - 1,
        contended: Some(|setup| setup.clients as u32 - 1),
    },
    fence: Some("the token's number, with the option `numbers`"),
    ..PLAIN
};

impl Algorithm for TokenRing {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn prepare(setup: &mut Setup, _config: &Config) -> Result<(), String> {
        if setup.option("absorb") && setup.option("forward") {
            return Err("`absorb` and `forward` exclude each other; choose one".to_owned());
        }
        let implied: &[&'static str] = match (setup.option("promise"), setup.option("everybody")) {
            (true, _) => &["regenerate", "numbers"],
            (false, true) => &["regenerate"],
            (false, false) => &[],
        };
        for option in implied {
            if !setup.option(option) {
                setup.options.push(option);
            }
        }
        Ok(())
    }

    fn init(cx: &Cx<'_>, out: &mut Outbox<Msg>) -> State {
        let number = u32::from(cx.setup.option("numbers"));
        let mut state = State::default();
        if cx.n() == 1 && cx.me == NodeId(0) {
            state.token = Some(number);
        } else if cx.me.index() == cx.n() - 1 {
            out.send(cx, NodeId(0), Msg::Token(number));
        }
        state
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let here = state.token.is_some();
        out.rule("TR-1", || {
            let me = cx.my_name();
            if here { format!("{me} has the token.") } else { format!("{me} waits for the token.") }
        });
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match *msg {
            Msg::Token(number) => on_token(cx, state, number, out),
            Msg::Prepare(number) => {
                let State { token, minting } = state;
                if minting.on_prepare(cx, token, (from, number), out) {
                    out.send(cx, from, Msg::Promise(number));
                }
            }
            Msg::Promise(number) => {
                if state.minting.on_promise(cx, (from, number), out) {
                    send_on(cx, state, number, out);
                }
            }
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let held = state.token.take();
        let me = cx.my_name();
        if let Some((minter, number)) = state.minting.pays(cx, held, out) {
            return out.send(cx, minter, Msg::Promise(number));
        }
        let Some(number) = held else { return };
        if cx.n() == 1 {
            state.token = held;
            return out
                .note(|| format!("{me} leaves and keeps the token: nobody else is in the ring."));
        }
        let kept = pass(cx, state, number, out);
        out.rule_if(kept.is_empty(), "TR-4", || {
            let to = cx.name(next(cx));
            format!("{me} leaves and passes {} to {to}{kept}.", spoken(number))
        });
    }

    fn on_timeout(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        match state.minting.suspects(cx, out) {
            Suspicion::Mint(number) => out.send(cx, next(cx), Msg::Token(number)),
            Suspicion::Prepare(number) => out.broadcast(cx, &Msg::Prepare(number)),
        }
    }

    fn timer(cx: &Cx<'_>, state: &State) -> Option<&'static str> {
        state.minting.timer(cx)
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        guard.need_from(state.token.is_some(), previous(cx), &["TOKEN"], || "the token".to_owned());
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        if !cx.setup.is_client(cx.me) {
            return;
        }
        let number = |n: u32| Value::Num(i64::from(n));
        if !cx.setup.option("numbers") {
            fields.add("token", state.token.map_or(Value::None, |_| Value::Word("here")));
            return;
        }
        fields.add("token", state.token.map_or(Value::None, number));
        fields.add("highest", number(state.minting.highest));
        if cx.setup.option("promise") {
            fields.add("promises", Value::Set(state.minting.promises));
            fields.add("owes", Value::node(state.minting.owed));
        }
    }

    fn owes(cx: &Cx<'_>, state: &State, _to: NodeId) -> Option<String> {
        state.token.map(|number| format!("{} holds {}", cx.my_name(), spoken(number)))
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        let (kind, number) = match *msg {
            Msg::Token(0) => return Label::bare("TOKEN"),
            Msg::Token(n) => ("TOKEN", n),
            Msg::Prepare(n) => ("PREPARE", n),
            Msg::Promise(n) => ("PROMISE", n),
        };
        Label { detail: Some(format!("#{number}")), ..Label::bare(kind) }
    }

    fn fence(cx: &Cx<'_>, state: &State) -> Option<u64> {
        state.token.filter(|_| cx.setup.option("numbers")).map(u64::from)
    }

    fn tokens_held(_cx: &Cx<'_>, state: &State) -> u32 {
        u32::from(state.token.is_some())
    }

    fn carries_token(msg: &Msg) -> bool {
        matches!(msg, Msg::Token(_))
    }
}

const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "regenerate",
        about: "The first node may suspect that the token is lost, once, and mints a new one.",
    },
    OptionInfo {
        name: "everybody",
        about: "With `regenerate`: each other node may suspect it as well, once, while it waits.",
    },
    OptionInfo {
        name: "numbers",
        about: "Tokens carry numbers: a new one has the highest that its maker has seen + 1, and a node discards one that is lower than the highest it has seen itself.",
    },
    OptionInfo {
        name: "promise",
        about: "Before the minting, everybody promises to take no older token. Implies `regenerate` and `numbers`. Safe as long as one node alone mints: numbers that two make can be the same.",
    },
    OptionInfo {
        name: "absorb",
        about: "A holder that gets a second token keeps one of the two; this is the default.",
    },
    OptionInfo { name: "forward", about: "A holder that gets a second token passes it on." },
];

const BROKEN: [Broken<Decisions>; 2] = [
    broken("T1", "keep-a-copy", Failure::Violation, Shows::at(2, &[1]))
        .about("A node that passes the token on keeps a copy of it.")
        .decides(Decisions { lets_go: false, ..PAPER }),
    broken("T2", "token-rests", Failure::Stuck, Shows::at(2, &[1]))
        .about("An idle node keeps the token until it wants the lock itself.")
        .decides(Decisions { passes_on: false, ..PAPER }),
];
