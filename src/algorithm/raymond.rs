//! Raymond's algorithm: a tree whose edges point to the token, and a queue of neighbours at each node.
//!
//! K. Raymond, "A Tree-Based Algorithm for Distributed Mutual Exclusion", ACM TOCS 7(1), 1989. It needs
//! no FIFO. The token starts at the first node; without a given tree, that node is the centre of a
//! star. A queue holds neighbours and the node itself, never a node farther away.
//! The variant `greedy` is the strategy of that name in textbooks: who gets the token serves itself first.
//!
//! Its rules, RT-1 and what follows, stand in `RULES`.

use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Info, Kind, Label, OptionInfo, Outbox,
    PLAIN, Rule, Shows, Towards, broken, chosen, fields, rules, told,
};
use crate::model::{Config, Fields, NodeId, Phase, Setup, Value};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 7] = rules(
    "
RT-1 | ask   | ask                                               | q += self |
RT-2 | get   | on REQUEST from j                                 | q += j | queue
RT-3 | get   | on TOKEN                                          | holder ← self |
RT-4 | leave | leave                                             | using ← false |
RT-5 | any   | then: holder = self, not using, first of q = self | pop it; using ← true; enter |
RT-6 | any   | then: holder = self, not using, first of q = j    | pop it; asked ← false; holder ← j; TOKEN to j | pass
RT-7 | any   | then: holder ≠ self, q not empty, not asked       | asked ← true; REQUEST to holder | ask
",
);

/// Raymond's algorithm.
#[derive(Debug)]
pub struct Raymond;

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// RT-2: a REQUEST puts its sender into the queue, and nobody else.
    queues_sender_alone: bool,
    /// RT-5, RT-6: the place in the queue that the token serves.
    serves: fn(queue: &[NodeId], me: NodeId) -> usize,
    /// RT-6: a node inside keeps the token.
    keeps_inside: bool,
    /// RT-6: who sends the token away points after it.
    points_after: bool,
    /// RT-7: who sends the token away asks for it back, where others wait.
    recalls: bool,
    /// RT-7: the holder is asked once.
    asks_once: bool,
}

const PAPER: Decisions = Decisions {
    queues_sender_alone: true,
    serves: |_, _| 0,
    keeps_inside: true,
    points_after: true,
    recalls: true,
    asks_once: true,
};

/// A message of Raymond's algorithm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// Somebody on the sender's side of the edge wants the token.
    Request,
    /// The permission itself.
    Token,
}

/// Variables of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The neighbour towards the token; the node itself, while the token is here.
    holder: NodeId,
    /// Who wants the token through this node, in the order of arrival.
    queue: Vec<NodeId>,
    /// Whether the holder was asked and the token has not come yet.
    asked: bool,
    /// Whether this node uses the token.
    using: bool,
}

/// What every handler ends with: give the token on, and ask for it.
fn settle(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
    let passed = assign(cx, state, out);
    if state.holder != cx.me && !state.queue.is_empty() {
        ask_holder(cx, state, passed && !cx.d.recalls, out);
    }
}

/// RT-5 and RT-6. Says whether the token was sent away.
fn assign(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) -> bool {
    let in_use = state.using && cx.d.keeps_inside;
    if state.holder != cx.me || in_use || state.queue.is_empty() {
        return false;
    }
    let me = cx.my_name();
    let place = (cx.d.serves)(&state.queue, cx.me);
    let to = state.queue.remove(place);
    state.asked = false;
    if to == cx.me {
        state.using = true;
        let wants = cx.phase == Phase::Waiting;
        out.rule_if(wants && place == 0, "RT-5", || {
            if place > 0 {
                let first = cx.name(state.queue[0]);
                return format!("{me} has the token and serves itself before {first}, though {first} is first in its queue.");
            }
            let but = if wants { "" } else { ", but has not asked: the token stays unused" };
            format!("{me} has the token and is first in its own queue{but}.")
        });
        return false;
    }
    let inside = cx.phase == Phase::InCs;
    if cx.d.points_after {
        state.holder = to;
    }
    let points = state.holder == to;
    out.did("pass");
    out.rule_if(points && !inside, "RT-6", || {
        let name = cx.name(to);
        let although = if inside { ", though it is inside" } else { "" };
        let turns = match points {
            true => format!("points to {name}"),
            false => "points to itself as before".to_owned(),
        };
        format!(
            "{name} is first in the queue of {me}, so {me} sends it the token{although} and {turns}."
        )
    });
    out.send(cx, to, Msg::Token);
    true
}

/// RT-7.
fn ask_holder(cx: &Cx<'_>, state: &mut State, forgets: bool, out: &mut Outbox<Msg>) {
    let again = state.asked;
    if again && cx.d.asks_once {
        return;
    }
    let text = |state: &State| {
        let first = match state.queue.first() {
            Some(first) if *first != cx.me => cx.name(*first),
            _ => "itself",
        };
        let does = if forgets { "does not ask" } else { "asks" };
        let how_often = if again { ", once more" } else { "" };
        let (me, holder) = (cx.my_name(), cx.name(state.holder));
        format!("{me} {does} {holder} for the token, for {first}{how_often}.")
    };
    if forgets {
        return out.note(|| text(state));
    }
    state.asked = true;
    out.did("ask");
    out.rule_if(!again, "RT-7", || text(state));
    out.send(cx, state.holder, Msg::Request);
}

const FIELDS: [FieldInfo; 3] = fields(
    "
holder | node  | the neighbour towards the token; the node itself, while it has the token
queue  | nodes | who wants the token through this node, in the order of arrival
asked  | truth | whether the node has asked its holder
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "raymond",
    title: "Raymond 1989",
    paper: "K. Raymond, A Tree-Based Algorithm for Distributed Mutual Exclusion, ACM TOCS 7(1), 1989",
    idea: "Each node knows which neighbour leads to the token; requests go that way, the token comes back.",
    good_for: "Nodes that know only their neighbours: without rivals an entry costs twice the distance to the token in the tree.",
    token: true,
    tree: true,
    kinds: &[Kind::asks("REQUEST"), Kind::gives("TOKEN")],
    fields: &FIELDS,
    rules: &RULES,
    options: &[OptionInfo {
        name: "line",
        about: "The tree is a path in the order of the list, not a star.",
    }],
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "2 × distance to the token",
        least: |_| 0,
        most: |setup| 2 * deepest(&setup.tree),
        contended: Some(all_at_once),
    },
    ..PLAIN
};

impl Algorithm for Raymond {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn prepare(setup: &mut Setup, config: &Config) -> Result<(), String> {
        setup.tree = chosen_tree(setup, config)?;
        Ok(())
    }

    fn init(cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        let holder = cx.setup.tree.get(cx.me.index()).copied().unwrap_or(cx.me);
        State { holder, queue: Vec::new(), asked: false, using: false }
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        state.queue.push(cx.me);
        out.rule("RT-1", || {
            let place = state.queue.len();
            format!("{} puts itself into its own queue, at place {place}.", cx.my_name())
        });
        settle(cx, state, out);
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request => {
                state.queue.push(from);
                let place = state.queue.len();
                let and_itself = !cx.d.queues_sender_alone && state.holder != cx.me && !state.asked;
                if and_itself {
                    state.queue.push(cx.me);
                }
                out.did("queue");
                out.rule_if(!and_itself, "RT-2", || {
                    let (me, name) = (cx.my_name(), cx.name(from));
                    let waits =
                        match (cx.phase == Phase::InCs, state.asked && state.holder != cx.me) {
                            (true, _) => format!("; {me} is inside"),
                            (false, true) => {
                                format!("; {me} has asked {} already", cx.name(state.holder))
                            }
                            (false, false) => String::new(),
                        };
                    let and_itself = if and_itself { ", and itself behind it" } else { "" };
                    format!("{me} puts {name} into its queue, at place {place}{and_itself}{waits}.")
                });
            }
            Msg::Token => {
                state.holder = cx.me;
                out.rule("RT-3", || format!("{} has the token.", cx.my_name()));
            }
        }
        settle(cx, state, out);
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        state.using = false;
        out.rule("RT-4", || {
            let me = cx.my_name();
            let others = state.queue.iter().any(|n| *n != cx.me);
            match (others, state.queue.is_empty(), state.holder == cx.me) {
                (true, ..) => format!("{me} leaves; others wait in its queue."),
                (false, false, _) => format!("{me} leaves; it stands in its own queue."),
                (false, true, true) => {
                    format!("{me} leaves; its queue is empty, so it keeps the token.")
                }
                (false, true, false) => format!("{me} leaves; the token is no longer here."),
            }
        });
        settle(cx, state, out);
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        if state.using || state.holder == cx.me {
            guard.need(state.using, || "the token is here and this node is first".to_owned());
        } else {
            let holder = state.holder;
            guard.need_from(false, holder, &["TOKEN"], || {
                format!("the token, through {}", cx.name(holder))
            });
        }
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        if !cx.setup.is_client(cx.me) {
            return;
        }
        fields.add("holder", Value::Node(state.holder));
        fields.add("queue", Value::nodes(&state.queue));
        fields.add("asked", Value::Bool(state.asked));
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        let me = cx.my_name();
        let place = state.queue.iter().position(|n| *n == to)? + 1;
        let queued = format!("{} is at place {place} of the queue of {me}", cx.name(to));
        Some(match (state.holder == cx.me, cx.phase) {
            (true, Phase::InCs) => format!("{queued}, which is inside"),
            (true, Phase::Idle | Phase::Waiting) => format!("{queued}, which has the token"),
            (false, _) => {
                format!("{queued}, which waits for the token from {}", cx.name(state.holder))
            }
        })
    }

    /// It sends the token to neighbours that stand in its queue, and a REQUEST to its holder, once. A
    /// neighbour becomes its holder only by getting the token from it.
    fn silent_towards(cx: &Cx<'_>, state: &State, other: Towards) -> bool {
        let parent = |node: NodeId| cx.setup.tree.get(node.index()).copied();
        let to = other.to;
        let neighbours = parent(to) == Some(cx.me) || parent(cx.me) == Some(to);
        let asks_nothing = state.holder != to || state.asked && cx.d.asks_once;
        !neighbours || !other.unanswered && !state.queue.contains(&to) && asks_nothing
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        Label::bare(match msg {
            Msg::Request => "REQUEST",
            Msg::Token => "TOKEN",
        })
    }

    fn tokens_held(cx: &Cx<'_>, state: &State) -> u32 {
        u32::from(state.holder == cx.me)
    }

    fn carries_token(msg: &Msg) -> bool {
        matches!(msg, Msg::Token)
    }
}

/// Reads a tree given as pairs (node, neighbour towards the first node).
/// Each node's neighbour towards the first: as given, else a line or a star.
///
/// # Errors
/// What is given is no tree of this cluster.
pub fn chosen_tree(setup: &Setup, config: &Config) -> Result<Vec<NodeId>, String> {
    let line = setup.option("line");
    match &config.tree {
        Some(_) if line => {
            Err("a tree is given and the option `line` makes one: drop either".into())
        }
        Some(pairs) => read_tree(setup, pairs),
        None => {
            let towards = |i: usize| NodeId::at(if line { i.saturating_sub(1) } else { 0 });
            Ok((0..setup.clients).map(towards).collect())
        }
    }
}

fn read_tree(setup: &Setup, pairs: &[(String, String)]) -> Result<Vec<NodeId>, String> {
    let client = |name: &str| {
        let found = setup.names.find(name).filter(|n| setup.is_client(*n));
        found.ok_or_else(|| {
            let known: Vec<&str> = setup.client_ids().map(|n| setup.name(n)).collect();
            format!("the tree names `{name}`; this cluster has {}", known.join(", "))
        })
    };
    let root = NodeId(0);
    let root_name = setup.name(root);
    let mut towards: Vec<Option<NodeId>> = vec![None; setup.clients];
    towards[0] = Some(root);
    for (node, neighbour) in pairs {
        let (node, neighbour) = (client(node)?, client(neighbour)?);
        let name = setup.name(node);
        if node == root && neighbour != root {
            return Err(format!(
                "the token starts at {root_name}, so the tree gives {root_name} no neighbour towards it"
            ));
        }
        if node == neighbour && node != root {
            return Err(format!("the tree makes {name} its own neighbour"));
        }
        if node != root && towards[node.index()].replace(neighbour).is_some() {
            return Err(format!("the tree gives {name} two neighbours towards {root_name}"));
        }
    }
    let mut tree = Vec::with_capacity(setup.clients);
    for (i, neighbour) in towards.into_iter().enumerate() {
        tree.push(neighbour.ok_or_else(|| {
            let name = setup.name(NodeId::at(i));
            format!("the tree gives {name} no neighbour; every node but {root_name} needs one")
        })?);
    }
    for node in setup.client_ids() {
        if depth(&tree, node).is_none() {
            let name = setup.name(node);
            return Err(format!(
                "this is no tree: the way from {name} goes round and never reaches {root_name}"
            ));
        }
    }
    Ok(tree)
}

/// How many edges lead from a node to the first one; `None`: the way goes round.
fn depth(tree: &[NodeId], node: NodeId) -> Option<u32> {
    let mut here = node;
    for edges in 0..=tree.len() as u32 {
        if here == NodeId(0) {
            return Some(edges);
        }
        here = tree[here.index()];
    }
    None
}

fn deepest(tree: &[NodeId]) -> u32 {
    (0..tree.len()).filter_map(|i| depth(tree, NodeId::at(i))).max().unwrap_or(0)
}

/// The total when all ask at once: the token goes along every edge and back, but not back from the
/// deepest node, and each of these moves was asked for. Exact for a star and a line; in other trees
/// the schedule may make the token turn back more often.
fn all_at_once(setup: &Setup) -> u32 {
    2 * (2 * (setup.clients as u32 - 1) - deepest(&setup.tree))
}

const BROKEN: [Broken<Decisions>; 6] = [
    broken("Y1", "no-recall", Failure::Stuck, Shows::at(3, &[1]))
        .about("A node that sends the token away does not ask for it back, though others wait in its queue.")
        .decides(Decisions { recalls: false, ..PAPER }),
    broken("Y2", "pointer-stays", Failure::Violation, Shows::at(2, &[1]))
        .about("A node that sends the token away still believes that it has it.")
        .decides(Decisions { points_after: false, ..PAPER }),
    broken("Y3", "token-leaves-the-critical-section", Failure::Violation, Shows::at(2, &[1]))
        .about("A node inside gives the token away.")
        .decides(Decisions { keeps_inside: false, ..PAPER }),
    broken("Y4", "no-asked-flag", Failure::Livelock, Shows::at(3, &[1]))
        .about("A node asks its holder again at every event, asked already or not.")
        .decides(Decisions { asks_once: false, ..PAPER }),
    broken("Y5", "relay-queues-itself", Failure::Stuck, Shows::at(3, &[1, 2, 1]))
        .about("A node that passes a request on puts itself into its queue as well, and gets the token without having asked.")
        .decides(Decisions { queues_sender_alone: false, ..PAPER }),
    broken("Y6", "greedy", Failure::Harmless, Shows::at(3, &[2]))
        .about("A node that gets the token and stands in its own queue serves itself first, whoever waits there before it.")
        .decides(Decisions { serves: |queue, me| queue.iter().position(|n| *n == me).unwrap_or(0), ..PAPER }),
];

#[cfg(test)]
mod tests;
