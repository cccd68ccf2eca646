//! Maekawa's algorithm: one vote a node, and the votes of one's own voting set are enough.
//!
//! M. Maekawa, "A √N Algorithm for Mutual Exclusion in Decentralized Systems", ACM TOCS 3(2), 1985,
//! with the correction of B. A. Sanders, "The Information Structure of Distributed Mutual Exclusion
//! Algorithms", ACM TOCS 5(3), 1987 (rule MK-6). It needs FIFO channels. REQUEST alone is stamped. A
//! node's message to itself is handled in the same event, after the handler that sent it, and is not
//! counted; formulas that count it say 3K where 3(K-1) messages travel. GRANT is the paper's LOCKED,
//! YIELD its RELINQUISH.
//!
//! Its rules, MK-1 and what follows, stand in `RULES`.

use super::quorum::voting_sets;
use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Info, Kind, Label, Outbox, PLAIN, Rule,
    Shows, Towards, broken, chosen, fields_with, rules, told,
};
use crate::model::{
    ChannelOrder, Config, Fields, NodeId, NodeSet, Phase, QuorumChoice, Setup, Shape, Stamp, Value,
};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 13] = rules(
    "
MK-1  | ask   | ask                                  | tick; t ← clock; REQUEST(t) to S |
MK-2  | get   | on REQUEST r from i                  | vote free: lock ← r; GRANT to i | grant
MK-3  | get   | on REQUEST r from i                  | lock or some waiting < r: wait += r; FAILED to i | fail
MK-4  | get   | on REQUEST r from i                  | r is best: wait += r; INQUIRE to lock's owner, once | inquire
MK-5  | get   | on YIELD from lock's owner           | wait += lock; lock ← best of wait; GRANT to its owner | grant
MK-6  | get   | after MK-4                           | FAILED to the overtaken best of wait, once (Sanders 1987) | fail
MK-7  | get   | on RELEASE from lock's owner         | lock ← best of wait, GRANT to its owner; or free | free, grant
MK-8  | get   | on GRANT from j                      | vote[j] ← granted; enter when all have granted | note
MK-9  | get   | on FAILED from j                     | vote[j] ← failed; YIELD to every INQUIRE put aside | note, yield
MK-10 | get   | on INQUIRE from j                    | some vote failed: vote[j] ← failed; YIELD to j | yield
MK-11 | get   | on INQUIRE from j                    | no vote failed: put it aside | put-aside
MK-12 | get   | on INQUIRE, or what comes for nobody | in the CS, or j has not granted: ignore | ignore
MK-13 | leave | leave                                | RELEASE to S |
",
);

/// Maekawa's algorithm.
#[derive(Debug)]
pub struct Maekawa;

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// Two voting sets share a node.
    sets_meet: bool,
    /// MK-2, MK-4: a voter has one vote.
    one_vote: bool,
    /// MK-3 to MK-6: who has to wait is told, and a vote is asked back.
    talks: bool,
    /// MK-3, MK-6: a voter says FAILED.
    says_failed: bool,
    /// MK-6: a waiting request that is overtaken is told.
    tells_overtaken: bool,
    /// MK-4: a voter asks for its vote back.
    inquires: bool,
    /// MK-5: a request that has given its vote back waits again.
    requeues: bool,
    /// MK-10: only a node that has failed somewhere gives a vote back.
    yields_if_failed: bool,
    /// MK-11: an INQUIRE that comes too early is put aside.
    puts_aside: bool,
    /// MK-12: a node inside keeps its votes.
    keeps_inside: bool,
}

const PAPER: Decisions = Decisions {
    sets_meet: true,
    one_vote: true,
    talks: true,
    says_failed: true,
    tells_overtaken: true,
    inquires: true,
    requeues: true,
    yields_if_failed: true,
    puts_aside: true,
    keeps_inside: true,
};

/// A message of Maekawa's algorithm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// The sender asks for the receiver's vote, with its clock value.
    Request(u32),
    /// The sender gives its vote.
    Grant,
    /// The sender has a better request than the receiver's.
    Failed,
    /// The sender would like its vote back.
    Inquire,
    /// The sender gives a vote back before it has been inside.
    Yield,
    /// The sender gives a vote back after leaving.
    Release,
}

/// Variables of one node: the voter's four, then the requester's.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The request that has the vote.
    lock: Option<Stamp>,
    /// Requests that wait for it, best first, each with whether it has been told FAILED.
    wait: Vec<(Stamp, bool)>,
    /// Whether the vote has been asked back.
    inquired: bool,
    /// The clock value of the own request.
    own: Option<u32>,
    granted: NodeSet,
    failed: NodeSet,
    /// INQUIREs put aside.
    aside: NodeSet,
}

fn voters(cx: &Cx<'_>) -> NodeSet {
    cx.setup.quorums[cx.me.index()]
}

fn enqueue(state: &mut State, stamp: Stamp, told: bool) {
    let place = state.wait.partition_point(|(s, _)| *s < stamp);
    state.wait.insert(place, (stamp, told));
}

/// MK-2 to MK-4 and MK-6: a REQUEST reaches a voter.
fn on_request_message(cx: &Cx<'_>, state: &mut State, r: Stamp, out: &mut Outbox<Msg>) {
    let me = cx.my_name();
    let free = state.lock.is_none();
    let Some(lock) = state.lock.filter(|_| cx.d.one_vote) else {
        state.lock = Some(r);
        out.did("grant");
        out.rule_if(free, "MK-2", || {
            let asker = cx.name(r.node);
            match free {
                true => format!("{me} has given its vote to nobody, so it votes for {asker}."),
                false => format!("{me} votes for {asker} as well."),
            }
        });
        out.send(cx, r.node, Msg::Grant);
        return;
    };
    if lock == r || state.wait.iter().any(|(s, _)| *s == r) {
        return out.rule("MK-12", || {
            format!("{me} knows {} already, so it ignores the copy.", cx.show(r))
        });
    }
    let best = state.wait.first().copied();
    enqueue(state, r, false);
    if !cx.d.talks {
        out.note(|| {
            let (old, new) = (cx.show(lock), cx.show(r));
            format!("{me} has voted for {old}: {new} waits, and nobody is told or asked.")
        });
        return;
    }
    let rival = Some(lock).filter(|l| *l < r).or(best.map(|(s, _)| s).filter(|s| *s < r));
    if let Some(rival) = rival {
        let told = fail(cx, state, r, out);
        out.rule_if(told, "MK-3", || {
            let which = if rival == lock { "has voted for" } else { "already keeps" };
            let (asker, less) = (cx.name(r.node), cx.show(rival));
            let silence = if told { "" } else { " and does not tell it" };
            format!(
                "{me} {which} {less} < {}: it puts {asker} into its queue{silence}.",
                cx.show(r)
            )
        });
        return;
    }
    let asked = state.inquired;
    let ask = !asked && cx.d.inquires;
    state.inquired |= ask;
    if ask {
        out.did("inquire");
        out.send(cx, lock.node, Msg::Inquire);
    }
    out.rule_if(ask || asked, "MK-4", || {
        let (new, old) = (cx.show(r), cx.show(lock));
        let holder = cx.name(lock.node);
        match (ask, asked) {
            (true, _) => format!("{new} < {old}, so {me} asks {holder} to give its vote back."),
            (false, true) => {
                format!("{new} < {old}; {me} has asked {holder} for its vote already.")
            }
            (false, false) => {
                format!("{new} < {old}, and {me} does not ask {holder} to give its vote back.")
            }
        }
    });
    if let Some((overtaken, false)) = best {
        let told = cx.d.tells_overtaken && fail(cx, state, overtaken, out);
        out.rule_if(told, "MK-6", || {
            let (old, new) = (cx.show(overtaken), cx.show(r));
            let is = if told { "is" } else { "is not" };
            format!("{old} waited at {me} and is overtaken by {new}: it {is} told.")
        });
    }
}

/// Tells a waiting request FAILED. Returns whether it does.
fn fail(cx: &Cx<'_>, state: &mut State, stamp: Stamp, out: &mut Outbox<Msg>) -> bool {
    if let Some(entry) = state.wait.iter_mut().find(|(s, _)| *s == stamp) {
        entry.1 = true;
    }
    let tells = cx.d.says_failed;
    if tells {
        out.did("fail");
        out.send(cx, stamp.node, Msg::Failed);
    }
    tells
}

/// MK-5 and MK-7: the vote comes back from its owner.
fn on_vote_back(cx: &Cx<'_>, state: &mut State, from: NodeId, yields: bool, out: &mut Outbox<Msg>) {
    let rule = if yields { "MK-5" } else { "MK-7" };
    let (me, sender) = (cx.my_name(), cx.name(from));
    let Some(lock) = state.lock.filter(|l| l.node == from) else {
        out.rule("MK-12", || format!("{me}'s vote is not with {sender}, so it ignores this."));
        return;
    };
    let forgets = yields && !cx.d.requeues;
    if yields && !forgets {
        enqueue(state, lock, true);
    }
    state.inquired = false;
    state.lock = if state.wait.is_empty() { None } else { Some(state.wait.remove(0).0) };
    let next = state.lock;
    out.did(if next.is_some() { "grant" } else { "free" });
    out.rule_if(!forgets, rule, || {
        let lost = match forgets {
            true => format!(" and forgets that {sender} waits"),
            false => String::new(),
        };
        match next {
            Some(next) => format!(
                "{me} has its vote back from {sender}{lost}; {} is best, so it votes for {}.",
                cx.show(next),
                cx.name(next.node)
            ),
            None => format!("{me} has its vote back from {sender}{lost}, and nobody waits for it."),
        }
    });
    if let Some(next) = next {
        out.send(cx, next.node, Msg::Grant);
    }
}

/// MK-8: a vote reaches a requester.
fn on_grant(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    state.granted.insert(from);
    state.failed.remove(from);
    let missing: NodeSet = voters(cx).iter().filter(|j| !state.granted.contains(*j)).collect();
    out.rule("MK-8", || {
        let (me, voter) = (cx.my_name(), cx.name(from));
        match missing.is_empty() {
            true => format!("{me} has the vote of {voter} and with it all that it needs."),
            false => {
                let who = cx.list(missing);
                format!("{me} has the vote of {voter}; it still needs {who}.")
            }
        }
    });
}

/// MK-9: a voter has somebody better.
fn on_failed(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    state.granted.remove(from);
    state.failed.insert(from);
    let aside = std::mem::take(&mut state.aside);
    out.did("note");
    if !aside.is_empty() {
        out.did("yield");
    }
    out.rule("MK-9", || {
        let (me, voter) = (cx.my_name(), cx.name(from));
        match aside.is_empty() {
            true => format!("{me} does not get the vote of {voter} for now."),
            false => format!(
                "{me} does not get the vote of {voter} for now, so it gives back what it was asked for: to {}.",
                cx.list(aside)
            ),
        }
    });
    for voter in aside.iter() {
        give_back(cx, state, voter, out);
    }
}

fn give_back(cx: &Cx<'_>, state: &mut State, voter: NodeId, out: &mut Outbox<Msg>) {
    state.granted.remove(voter);
    state.failed.insert(voter);
    out.send(cx, voter, Msg::Yield);
}

/// MK-10 to MK-12: a voter would like its vote back.
fn on_inquire(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    let (me, voter) = (cx.my_name(), cx.name(from));
    let inside = cx.phase == Phase::InCs;
    if inside && cx.d.keeps_inside {
        out.rule("MK-12", || format!("{me} is inside: {voter} gets its vote back when it leaves."));
    } else if !state.granted.contains(from) {
        out.rule("MK-12", || format!("{me} does not have the vote of {voter}: it ignores this."));
    } else if !state.failed.is_empty() || inside || !cx.d.yields_if_failed {
        let failed = state.failed;
        out.did("yield");
        out.rule_if(!failed.is_empty() && !inside, "MK-10", || match (failed.is_empty(), inside) {
            (_, true) => format!("{me} is inside and gives {voter} its vote back all the same."),
            (true, false) => {
                format!("{me} has failed nowhere and gives {voter} its vote back all the same.")
            }
            (false, false) => {
                let who = cx.list(failed);
                format!("{me} has failed at {who} anyway, so it gives {voter} its vote back.")
            }
        });
        give_back(cx, state, from, out);
    } else {
        let keeps = cx.d.puts_aside;
        if keeps {
            out.did("put-aside");
            state.aside.insert(from);
        }
        out.rule_if(keeps, "MK-11", || {
            let does = if keeps { "puts the INQUIRE aside" } else { "forgets the INQUIRE" };
            format!("{me} has failed nowhere and may still win: it {does}.")
        });
    }
}

const FIELDS: [FieldInfo; 7] = fields_with(
    Shape::Each(&Shape::Word(&["granted", "failed", "asked"])),
    "
request  | stamp? | the stamp of the node's own request
set      | set    | the node's voting set: whose votes it needs
votes    | own    | what each of its voters has answered: asked, granted or failed
aside    | set    | INQUIREs that it has put aside
voted    | stamp? | the request that has this node's own vote
waiting  | stamps | requests that wait for this node's vote, best first
inquired | truth  | whether this node has asked for its vote back
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "maekawa",
    title: "Maekawa 1985",
    paper: "M. Maekawa, A √N Algorithm for Mutual Exclusion in Decentralized Systems, ACM TOCS 3(2), 1985, with the correction of B. A. Sanders, ACM TOCS 5(3), 1987",
    idea: "Each node has one vote, and the votes of one's own voting set are enough, because every two sets meet.",
    good_for: "Many nodes: without rivals the cost grows with √n. An idle crash stops who needs that vote and, once one of these has asked, in the end everybody.",
    needs: ChannelOrder::Fifo,
    stamped: true,
    voting_sets: true,
    kinds: &[
        Kind::asks("REQUEST"),
        Kind::gives("GRANT"),
        Kind::gives("FAILED"),
        Kind::asks("INQUIRE"),
        Kind::gives("YIELD"),
        Kind::gives("RELEASE"),
    ],
    fields: &FIELDS,
    rules: &RULES,
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "3(K-1)",
        least: |setup| per_entry(setup).min().unwrap_or(0),
        most: |setup| per_entry(setup).max().unwrap_or(0),
        contended: None,
    },
    ..PLAIN
};

impl Algorithm for Maekawa {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn prepare(setup: &mut Setup, config: &Config) -> Result<(), String> {
        let n = setup.clients;
        let shows = setup.played().map(|v| &v.shows);
        let own_sets = shows.filter(|s| s.n == n && !s.quorums.is_empty());
        let disjoint = !Self::decisions(setup).sets_meet;
        setup.quorums = match (&config.quorums, own_sets) {
            (QuorumChoice::Cyclic, Some(shows)) => {
                let set = |places: &&[u8]| places.iter().map(|p| NodeId(*p)).collect();
                shows.quorums.iter().map(set).collect()
            }
            (QuorumChoice::Cyclic, None) if disjoint => {
                setup.client_ids().map(|n| NodeSet::from_iter([n])).collect()
            }
            (choice, _) => voting_sets(choice, &setup.names, n, !disjoint)?,
        };
        Ok(())
    }

    fn init(_cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        State::default()
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let clock = out.tick();
        state.own = Some(clock);
        out.rule("MK-1", || {
            let stamp = cx.show(cx.mine(clock));
            let set = cx.list(voters(cx));
            format!("{} asks its voting set, {set}, with {stamp}.", cx.my_name())
        });
        for voter in voters(cx).iter() {
            out.send(cx, voter, Msg::Request(clock));
        }
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request(t) => on_request_message(cx, state, Stamp::new(*t, from), out),
            Msg::Yield => on_vote_back(cx, state, from, true, out),
            Msg::Release => on_vote_back(cx, state, from, false, out),
            _ if cx.phase == Phase::Idle => {
                out.rule("MK-12", || {
                    format!("{} does not want the lock any more: it ignores this.", cx.my_name())
                });
            }
            Msg::Grant => on_grant(cx, state, from, out),
            Msg::Failed => on_failed(cx, state, from, out),
            Msg::Inquire => on_inquire(cx, state, from, out),
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        state.own = None;
        state.granted = NodeSet::EMPTY;
        state.failed = NodeSet::EMPTY;
        state.aside = NodeSet::EMPTY;
        out.rule("MK-13", || {
            let set = cx.list(voters(cx));
            format!("{} leaves and gives their votes back to {set}.", cx.my_name())
        });
        for voter in voters(cx).iter() {
            out.send(cx, voter, Msg::Release);
        }
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        for j in voters(cx).iter() {
            let met = state.granted.contains(j);
            match state.lock.filter(|lock| j == cx.me && lock.node != cx.me) {
                // The own vote is with somebody else, who has to give it back.
                Some(lock) if !met => {
                    guard.need_once_left(false, lock.node, &["RELEASE", "YIELD"], || {
                        format!("its own vote, which {} has", cx.name(lock.node))
                    })
                }
                _ => guard.need_from(met, j, &["GRANT"], || format!("the vote of {}", cx.name(j))),
            }
        }
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        if !cx.setup.is_client(cx.me) {
            return;
        }
        let answer = |j: NodeId| {
            let word = match () {
                () if state.granted.contains(j) => "granted",
                () if state.failed.contains(j) => "failed",
                () => "asked",
            };
            (j, Value::Word(word), Some(word == "granted"))
        };
        let votes = match state.own {
            Some(_) => voters(cx).iter().map(answer).collect(),
            None => Vec::new(),
        };
        fields.add("request", Value::stamp(state.own.map(|clock| cx.mine(clock))));
        fields.add("set", Value::Set(voters(cx)));
        fields.add("votes", Value::PerNode(votes));
        fields.add("aside", Value::Set(state.aside));
        fields.add("voted", Value::stamp(state.lock));
        let waiting = state.wait.iter().map(|(s, _)| Value::Stamp(*s)).collect();
        fields.add("waiting", Value::List(waiting));
        fields.add("inquired", Value::Bool(state.inquired));
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        let me = cx.my_name();
        if state.lock.is_some_and(|lock| lock.node == to) {
            return Some(format!("{me} has voted for it"));
        }
        let place = state.wait.iter().position(|(s, _)| s.node == to)?;
        let lock = state.lock.map_or("nobody".to_owned(), |lock| cx.show(lock));
        Some(format!("queued at {me}, place {}; {me} has voted for {lock}", place + 1))
    }

    /// A voter sends to whom its vote is given and to whom waits for it; a requester to its voters, when
    /// it asks, when it leaves, for which it needs their votes, and when it gives a vote back.
    fn silent_towards(cx: &Cx<'_>, state: &State, other: Towards) -> bool {
        let to = other.to;
        let votes_elsewhere = state.lock.is_none_or(|lock| lock.node != to)
            && state.wait.iter().all(|(stamp, _)| stamp.node != to);
        let lacks = || !state.granted.contains(to) && !state.aside.contains(to);
        let wants_nothing = !voters(cx).contains(to) || other.while_it(cx.phase, lacks);
        !other.unanswered && votes_elsewhere && wants_nothing
    }

    fn request_stamp(_cx: &Cx<'_>, state: &State) -> Option<u32> {
        state.own
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
            Msg::Grant => Label::bare("GRANT"),
            Msg::Failed => Label::bare("FAILED"),
            Msg::Inquire => Label::bare("INQUIRE"),
            Msg::Yield => Label::bare("YIELD"),
            Msg::Release => Label::bare("RELEASE"),
        }
    }
}

/// Messages of an uncontended entry, node by node: the own vote costs nothing.
fn per_entry(setup: &Setup) -> impl Iterator<Item = u32> + use<'_> {
    let others = |(i, set): (usize, &NodeSet)| {
        let own = usize::from(set.contains(NodeId::at(i)));
        3 * u32::try_from(set.len() - own).unwrap_or(u32::MAX)
    };
    setup.quorums.iter().enumerate().map(others)
}

const BROKEN: [Broken<Decisions>; 12] = [
    broken("M1", "basic-set", Failure::Stuck, Shows::at(2, &[1]))
        .about("REQUEST, GRANT and RELEASE alone: nobody is told or asked to give a vote back.")
        .decides(Decisions { talks: false, ..PAPER }),
    broken("M2", "no-inquire", Failure::Stuck, Shows::at(2, &[1]))
        .about("A voter never asks for its vote back.")
        .decides(Decisions { inquires: false, ..PAPER }),
    broken("M3", "no-failed", Failure::Stuck, Shows::at(2, &[1]))
        .about("A voter never says that it has a better request.")
        .decides(Decisions { says_failed: false, ..PAPER }),
    broken(
        "M4",
        "no-sanders",
        Failure::Stuck,
        Shows { quorums: &[&[0, 1, 2], &[1, 2], &[0, 2]], ..Shows::at(3, &[1]) },
    )
    .about("A waiting request that is overtaken in a voter's queue is not told, as before Sanders' correction of 1987.")
    .decides(Decisions { tells_overtaken: false, ..PAPER }),
    broken("M5", "yield-inside", Failure::Violation, Shows::at(3, &[1]))
        .about("A node gives a vote back when it is asked, even while it is inside.")
        .decides(Decisions { keeps_inside: false, ..PAPER }),
    broken("M6", "forget-inquire", Failure::Stuck, Shows::at(2, &[1]))
        .about("An INQUIRE that comes before a FAILED is forgotten instead of put aside.")
        .decides(Decisions { puts_aside: false, ..PAPER }),
    broken("M7", "no-requeue", Failure::Stuck, Shows::at(2, &[1]))
        .about("A request whose vote was given back is not put into the voter's queue again.")
        .decides(Decisions { requeues: false, ..PAPER }),
    broken("M8", "many-votes", Failure::Violation, Shows::at(2, &[1]))
        .about("A voter votes for everybody who asks.")
        .decides(Decisions { one_vote: false, ..PAPER }),
    broken(
        "M9",
        "disjoint-sets",
        Failure::Violation,
        Shows { quorums: &[&[0], &[1]], ..Shows::at(2, &[1]) },
    )
    .about("The voting sets need not meet; by default each node is its own only voter.")
    .decides(Decisions { sets_meet: false, ..PAPER }),
    broken("M10", "no-fifo", Failure::Stuck, Shows::at(2, &[1]).any_order())
        .about("Channels may reorder, and nodes come to wait for each other.")
        .decides(PAPER),
    broken("M10b", "no-fifo-unsafe", Failure::Violation, Shows::at(3, &[2]).any_order())
        .about("Channels may reorder, and two nodes are inside.")
        .decides(PAPER),
    broken("M11", "always-yield", Failure::Harmless, Shows::at(3, &[1]))
        .about("A waiting node gives a vote back whenever it is asked, failed elsewhere or not.")
        .decides(Decisions { yields_if_failed: false, ..PAPER }),
];
