//! Naimi and Trehel's algorithm: requests follow pointers to the last requester, the token a chain.
//!
//! M. Naimi and M. Trehel, "An Improvement of the Log(n) Distributed Algorithm for Mutual Exclusion",
//! ICDCS 1987; M. Naimi, M. Trehel and A. Arnold, "A Log(N) Distributed Mutual Exclusion Algorithm
//! Based on Path Reversal", JPDC 34(1), 1996. It needs no FIFO. The first node starts as the root with
//! the token, and everybody points to it.
//!
//! Its rules, NT-1 and what follows, stand in `RULES`.

use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Info, Kind, Label, Outbox, PLAIN, Rule,
    Shows, broken, chosen, fields, rules, token, told,
};
use crate::model::{Fields, NodeId, Phase, Setup, Value};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 8] = rules(
    "
NT-1 | ask   | ask           | root: enter |
NT-2 | ask   | ask           | no root: REQUEST(i) to last; last ← none |
NT-3 | get   | on REQUEST(k) | root, idle, with the token: token to k; last ← k | pass
NT-4 | get   | on REQUEST(k) | root, otherwise: next ← k; last ← k | queue
NT-5 | get   | on REQUEST(k) | no root: REQUEST(k) to last; last ← k | forward
NT-6 | get   | on TOKEN      | enter |
NT-7 | leave | leave         | next known: token to next; next ← none | pass
NT-8 | leave | leave         | no next: keep the token | keep
",
);

/// Naimi and Trehel's algorithm.
#[derive(Debug)]
pub struct NaimiTrehel;

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// NT-2: a node that asks becomes a root.
    asker_is_root: bool,
    /// NT-3: only an idle root gives the token away.
    keeps_inside: bool,
    /// NT-3, NT-4: a root points to the requester.
    root_turns: bool,
    /// NT-4: only a root notes who comes after it.
    root_alone_notes: bool,
    /// NT-5: who forwards a REQUEST points to the requester.
    forwarder_turns: bool,
    /// NT-7: who has sent the token forgets who came after it.
    clears_next: bool,
}

const PAPER: Decisions = Decisions {
    asker_is_root: true,
    keeps_inside: true,
    root_turns: true,
    root_alone_notes: true,
    forwarder_turns: true,
    clears_next: true,
};

/// A message of Naimi and Trehel's algorithm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// This node asks; others pass its request on.
    Request(NodeId),
    /// The permission itself.
    Token,
}

/// Variables of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Where requests go: whom this node believes to have asked last. `None`: it is a root.
    last: Option<NodeId>,
    /// Who gets the token after this node.
    next: Option<NodeId>,
    /// Whether the token is here.
    token: bool,
}

impl State {
    /// Points to the new requester. A pointer to oneself would be no pointer: the node is a root.
    fn point_to(&mut self, cx: &Cx<'_>, node: NodeId) {
        self.last = (node != cx.me).then_some(node);
    }
}

/// What a broken root does.
const STAYS: &str = " and stays a root itself";

/// A root's answer: the token if it lies idle here, else a place behind this node.
fn on_request_at_root(cx: &Cx<'_>, state: &mut State, asker: NodeId, out: &mut Outbox<Msg>) {
    let (me, name) = (cx.my_name(), cx.name(asker));
    let turns = cx.d.root_turns;
    let stays = if turns { "" } else { STAYS };
    let gives = match cx.phase {
        Phase::Idle => state.token,
        Phase::InCs => state.token && !cx.d.keeps_inside,
        Phase::Waiting => false,
    };
    if gives && asker == cx.me {
        return out.note(|| format!("The request of {me} has come back to it: the token stays."));
    }
    if gives {
        state.token = false;
        out.did("pass");
        let idle = cx.phase == Phase::Idle;
        out.rule_if(idle && turns, "NT-3", || {
            let what = if idle { "does not use the token" } else { "is inside" };
            format!("{me} is the root and {what}; it sends the token to {name}{stays}.")
        });
        out.send(cx, asker, Msg::Token);
    } else {
        note_next(cx, state, asker, turns, out);
    }
    if turns {
        state.point_to(cx, asker);
    }
}

fn note_next(cx: &Cx<'_>, state: &mut State, asker: NodeId, turns: bool, out: &mut Outbox<Msg>) {
    let is_root = state.last.is_none();
    state.next = Some(asker);
    if asker != cx.me {
        out.did("queue");
    }
    out.rule_if(is_root && turns, "NT-4", || {
        let (me, name) = (cx.my_name(), cx.name(asker));
        let root = if is_root { "is the root and" } else { "is no root, but" };
        let does = match cx.phase {
            Phase::Waiting => "waits for the token itself",
            Phase::InCs => "is inside",
            Phase::Idle => "does not have the token",
        };
        let stays = if turns { "" } else { STAYS };
        format!("{me} {root} {does}, so {name} gets the token after {me}{stays}.")
    });
}

fn on_request_message(cx: &Cx<'_>, state: &mut State, asker: NodeId, out: &mut Outbox<Msg>) {
    let Some(last) = state.last else {
        on_request_at_root(cx, state, asker, out);
        return;
    };
    if !cx.d.root_alone_notes && cx.phase != Phase::Idle {
        note_next(cx, state, asker, true, out);
        state.point_to(cx, asker);
        return;
    }
    out.did("forward");
    out.send(cx, last, Msg::Request(asker));
    if cx.d.forwarder_turns {
        state.point_to(cx, asker);
    }
    let turns = state.last != Some(last) || asker == last;
    out.rule_if(turns, "NT-5", || {
        let (me, name, to) = (cx.my_name(), cx.name(asker), cx.name(last));
        let pointer = match (turns, asker == cx.me) {
            (false, _) => "keeps its pointer".to_owned(),
            (true, true) => "is the root from now on".to_owned(),
            (true, false) => format!("points to {name} from now on"),
        };
        let whose = if asker == cx.me { "its own request" } else { "the request" };
        let of = if asker == cx.me { String::new() } else { format!(" of {name}") };
        format!("{me} is no root: it forwards {whose}{of} to {to} and {pointer}.")
    });
}

const FIELDS: [FieldInfo; 3] = fields(
    "
last  | node? | where requests go; none: the node is a root
next  | node? | who gets the token after this node
token | truth | whether the token is here
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "naimi-trehel",
    title: "Naimi–Trehel 1987",
    paper: "M. Naimi, M. Trehel and A. Arnold, A Log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal, JPDC 34(1), 1996",
    idea: "A request follows the pointers to the last requester and turns them; a waiting node learns who comes after it.",
    good_for: "Many nodes that ask now and then: a request shortens the way that it has taken.",
    token: true,
    kinds: &[Kind::asks("REQUEST"), Kind::gives("TOKEN")],
    fields: &FIELDS,
    rules: &RULES,
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "1 + 1/2 + … + 1/(n-1) on average; 2 or 0 at first",
        least: |_| 0,
        most: |setup| if setup.clients > 1 { 2 } else { 0 },
        contended: Some(|setup| (3 * setup.clients as u32).saturating_sub(4)),
    },
    ..PLAIN
};

impl Algorithm for NaimiTrehel {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn init(cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        let root = NodeId(0);
        State { last: (cx.me != root).then_some(root), next: None, token: cx.me == root }
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let me = cx.my_name();
        let Some(last) = state.last else {
            out.rule_if(state.token, "NT-1", || match state.token {
                true => format!("{me} is the root and has the token, so it asks nobody."),
                false => format!("{me} believes that it is the root, but the token is not here."),
            });
            return;
        };
        out.send(cx, last, Msg::Request(cx.me));
        if cx.d.asker_is_root {
            state.last = None;
        }
        out.rule_if(state.last.is_none(), "NT-2", || {
            let keeps = if state.last.is_none() { "" } else { "; it keeps its pointer" };
            format!("{me} asks {}, the last requester that it knows of{keeps}.", cx.name(last))
        });
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, _from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request(asker) => on_request_message(cx, state, *asker, out),
            Msg::Token => {
                state.token = true;
                token::arrives(cx, "NT-6", out);
            }
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let me = cx.my_name();
        let next = if cx.d.clears_next { state.next.take() } else { state.next };
        let Some(next) = next else {
            if state.token {
                out.did("keep");
            }
            out.rule_if(state.token, "NT-8", || match state.token {
                true => format!("Nobody comes after {me}, so it keeps the token."),
                false => format!("{me} leaves; the token is no longer here."),
            });
            return;
        };
        let name = cx.name(next);
        if next == cx.me && state.token {
            return out.note(|| format!("{me} comes after itself, so the token stays."));
        }
        if std::mem::take(&mut state.token) {
            out.did("pass");
            out.rule_if(state.next.is_none(), "NT-7", || {
                let keeps = if state.next.is_none() { "" } else { "; it does not forget that" };
                format!("{name} comes after {me}, so {me} sends it the token{keeps}.")
            });
            out.send(cx, next, Msg::Token);
        } else {
            out.note(|| format!("{name} comes after {me}, but the token is no longer here."));
        }
    }

    fn guard(_cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        guard.need_from_anyone(state.token, &["TOKEN"], || "the token".to_owned());
    }

    fn fields(_cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        fields.add("last", Value::node(state.last));
        fields.add("next", Value::node(state.next));
        fields.add("token", Value::Bool(state.token));
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        let me = cx.my_name();
        if state.next != Some(to) {
            return None;
        }
        Some(match cx.phase {
            Phase::InCs => format!("{} comes after {me}, which is inside", cx.name(to)),
            Phase::Waiting => format!("{} comes after {me}, which waits itself", cx.name(to)),
            Phase::Idle => {
                format!("{} comes after {me}, which does not want to enter", cx.name(to))
            }
        })
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        match msg {
            Msg::Request(asker) => Label::on_behalf_of("REQUEST", *asker),
            Msg::Token => Label::bare("TOKEN"),
        }
    }

    fn tokens_held(_cx: &Cx<'_>, state: &State) -> u32 {
        u32::from(state.token)
    }

    fn carries_token(msg: &Msg) -> bool {
        matches!(msg, Msg::Token)
    }
}

const BROKEN: [Broken<Decisions>; 6] = [
    broken("N1", "root-keeps-its-pointer", Failure::Stuck, Shows::at(2, &[1]))
        .about("A root that answers a REQUEST stays a root.")
        .decides(Decisions { root_turns: false, ..PAPER }),
    broken("N2", "no-path-reversal", Failure::Harmless, Shows::at(4, &[1]))
        .about("A node that forwards a REQUEST does not turn its pointer to the requester.")
        .decides(Decisions { forwarder_turns: false, ..PAPER }),
    broken("N3", "requester-is-no-root", Failure::Stuck, Shows::at(2, &[1]))
        .about("A node that asks keeps its pointer instead of becoming a root.")
        .decides(Decisions { asker_is_root: false, ..PAPER }),
    broken("N4", "any-busy-node-stores-next", Failure::Stuck, Shows::at(3, &[1]))
        .about("Every waiting node, and every node inside, stores the requester as its next one, root or not.")
        .decides(Decisions { root_alone_notes: false, ..PAPER }),
    broken("N5", "token-leaves-the-critical-section", Failure::Violation, Shows::at(2, &[1]))
        .about("A root inside gives the token away.")
        .decides(Decisions { keeps_inside: false, ..PAPER }),
    broken("N6", "next-not-cleared", Failure::Stuck, Shows::at(2, &[3]))
        .about("A node that leaves does not forget who came after it.")
        .decides(Decisions { clears_next: false, ..PAPER }),
];

#[cfg(test)]
mod tests {
    use crate::lab::Lab;
    use crate::model::{Config, NodeId, Value};
    use crate::sim::Policy;

    fn lab(n: usize) -> Lab {
        Lab::new(Config::new("naimi-trehel", n)).expect("default settings")
    }

    fn field(lab: &Lab, node: u8, name: &str) -> Value {
        lab.state().field(NodeId(node), name).expect("a field of the table")
    }

    /// One entry without competition; gives its messages.
    fn entry(lab: &mut Lab, node: &str) -> u32 {
        let before = lab.state().messages(None);
        lab.play_schedule(&format!("request {node}")).expect("idle");
        lab.run_on(&mut Policy::Oldest, None);
        lab.state().messages(None) - before
    }

    #[test]
    fn a_request_turns_the_pointers_on_its_way_so_that_the_next_one_is_cheap() {
        let mut lab = lab(3);
        assert_eq!(entry(&mut lab, "P2"), 2);
        assert_eq!(entry(&mut lab, "P3"), 3, "P1 forwards it to P2");
        for node in [0, 1] {
            assert_eq!(field(&lab, node, "last"), Value::Node(NodeId(2)));
        }
        assert_eq!(field(&lab, 2, "last"), Value::None);
        assert_eq!(entry(&mut lab, "P3"), 0);
        assert_eq!(entry(&mut lab, "P1"), 2);
    }

    #[test]
    fn the_longest_way_costs_as_many_messages_as_there_are_nodes() {
        let mut lab = lab(5);
        // Each asks P1, which forwards to the one before: P2 points to P3, P3 to P4, P4 to P5.
        for (node, messages) in [("P2", 2), ("P3", 3), ("P4", 3), ("P5", 3)] {
            assert_eq!(entry(&mut lab, node), messages);
        }
        assert_eq!(entry(&mut lab, "P1"), 2, "P5 points to P1 now");
        assert_eq!(entry(&mut lab, "P2"), 5, "four hops along the chain, and the token");
        assert_eq!(entry(&mut lab, "P3"), 2, "all point to P2 now");
    }

    #[test]
    fn waiting_nodes_form_a_chain_of_next() {
        let mut lab = lab(3);
        let run = "request P1; request P2; request P3; deliver P2>P1; deliver P3>P1; deliver P1>P2";
        lab.play_schedule(run).expect("P1 is inside");
        assert_eq!(field(&lab, 0, "next"), Value::Node(NodeId(1)));
        assert_eq!(field(&lab, 1, "next"), Value::Node(NodeId(2)));
        let why = lab.state().why(NodeId(2));
        assert_eq!(why[0].whereabouts.as_deref(), Some("P3 comes after P2, which waits itself"));
        lab.run_on(&mut Policy::Oldest, None);
        assert_eq!(lab.state().messages(None), 5, "3n - 4");
    }
}
