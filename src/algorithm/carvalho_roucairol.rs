//! Carvalho and Roucairol's algorithm: Ricart and Agrawala's, with permissions that stay until asked back.
//!
//! O. S. F. Carvalho and G. Roucairol, "On Mutual Exclusion in Computer Networks", CACM 26(2), 1983.
//! Between two nodes there is at most one permission, held by one of them or in flight. It needs FIFO
//! or the merging of clocks, one of the two. A REPLY carries no stamp and moves no clock.
//!
//! Its rules, CR-1 and what follows, stand in `RULES`.

use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Info, Kind, Label, OptionInfo, Outbox,
    PLAIN, Receipt, Rule, Shows, Towards, broken, chosen, fields, permission, rules, told,
};
use crate::model::{Fields, NodeId, NodeSet, Phase, Setup, Stamp, Value};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 6] = rules(
    "
CR-1 | ask   | ask                  | tick; t ← clock; REQUEST(t) to every j not in have |
CR-2 | get   | on REQUEST(T) from j | in CS, or waiting and (t,i) < (T,j): defer j | defer
CR-3 | get   | on REQUEST(T) from j | otherwise: REPLY to j; have −= j | reply
CR-4 | get   | on REQUEST(T) from j | then, waiting, and j was in have: REQUEST(t) to j again | ask-again
CR-5 | get   | on REPLY from j      | have += j; enter when all n-1 are here | note
CR-6 | leave | leave                | REPLY to all deferred; have −= deferred |
",
);

/// Carvalho and Roucairol's algorithm.
#[derive(Debug)]
pub struct CarvalhoRoucairol;

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// CR-2: whether a waiting node's request, (t,i), goes before the one that has come, (T,j).
    mine_first: fn(mine: Stamp, theirs: Stamp) -> bool,
    /// CR-4: a waiting node asks again for a permission that it has given up.
    asks_again: bool,
    /// CR-3, CR-6: who replies gives the permission up.
    gives_up: bool,
    /// What a receipt does to the clock.
    receipt: Receipt,
}

const PAPER: Decisions = Decisions {
    mine_first: |mine, theirs| mine < theirs,
    asks_again: true,
    gives_up: true,
    receipt: Receipt::Raises,
};

/// A message of Carvalho and Roucairol's algorithm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// The sender asks, with the clock value of its request.
    Request(u32),
    /// The sender gives its permission.
    Reply,
}

/// Variables of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The clock value of the own request, while there is one.
    own: Option<u32>,
    /// Whose permission is here.
    have: NodeSet,
    /// To whom a reply is owed.
    deferred: NodeSet,
}

impl State {
    fn give_up(&mut self, cx: &Cx<'_>, to: NodeId) -> bool {
        let had = self.have.contains(to);
        if cx.d.gives_up {
            self.have.remove(to);
        }
        had
    }
}

fn on_request_message(cx: &Cx<'_>, state: &mut State, theirs: Stamp, out: &mut Outbox<Msg>) {
    let own = state.own.map(|clock| cx.mine(clock));
    let from = theirs.node;
    let inside = cx.phase == Phase::InCs;
    let first = own.is_some_and(|own| (cx.d.mine_first)(own, theirs));
    let defer = inside || cx.phase == Phase::Waiting && first;
    let as_told = defer == permission::defers(cx, own, theirs);
    if defer {
        state.deferred.insert(from);
        out.did("defer");
        return out.rule_if(as_told, "CR-2", || permission::reason(cx, own, theirs, true));
    }
    let again = state.give_up(cx, from) && cx.phase == Phase::Waiting;
    let kept = state.have.contains(from);
    out.did("reply");
    out.rule_if(as_told && !kept, "CR-3", || {
        let mut text = permission::reason(cx, own, theirs, false);
        if kept {
            text += &format!(" It keeps the permission of {} all the same.", cx.name(from));
        }
        text
    });
    out.send(cx, from, Msg::Reply);
    let Some(own) = own.filter(|_| again && !kept) else { return };
    let asks = cx.d.asks_again;
    out.rule_if(asks, "CR-4", || {
        let (me, to) = (cx.my_name(), cx.name(from));
        let shown = cx.show(own);
        match asks {
            true => format!(
                "{me} has just given up the permission of {to}, so it asks {to} again with {shown}."
            ),
            false => {
                format!("{me} has just given up the permission of {to} and does not ask for it.")
            }
        }
    });
    if asks {
        out.did("ask-again");
        out.send(cx, from, Msg::Request(own.clock));
    }
}

const FIELDS: [FieldInfo; 3] = fields(
    "
request  | stamp? | the stamp of the node's own request
have     | set    | whose permission the node has
deferred | set    | to whom the node owes a reply
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "carvalho-roucairol",
    title: "Carvalho–Roucairol 1983",
    paper: "O. S. F. Carvalho and G. Roucairol, On Mutual Exclusion in Computer Networks, CACM 26(2), 1983",
    idea: "A permission once given stays valid until it is asked back, so a repeat without competition costs nothing.",
    good_for: "Nodes that enter again and again while the others are quiet: a repeat costs nothing.",
    stamped: true,
    kinds: &[Kind::asks("REQUEST"), Kind::gives("REPLY")],
    fields: &FIELDS,
    rules: &RULES,
    options: &[OptionInfo {
        name: "warm",
        about: "At the beginning the node that comes first of each pair has the pair's permission.",
    }],
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "2(n-1), a repeat 0",
        least: |setup| if setup.option("warm") { 0 } else { 2 * (setup.clients as u32 - 1) },
        most: |setup| 2 * (setup.clients as u32 - 1),
        contended: Some(all_at_once),
    },
    ..PLAIN
};

impl Algorithm for CarvalhoRoucairol {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn init(cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        let warm = cx.setup.option("warm") && cx.setup.is_client(cx.me);
        let have = cx.others().filter(|j| warm && cx.me < *j).collect();
        State { have, ..State::default() }
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let clock = out.tick();
        state.own = Some(clock);
        let missing = cx.others_without(state.have);
        out.rule("CR-1", || {
            let (me, stamp) = (cx.my_name(), cx.show(cx.mine(clock)));
            match missing.is_empty() {
                true => {
                    format!("{me} wants to enter with {stamp} and has every permission already.")
                }
                false => format!(
                    "{me} asks with {stamp} those whose permission it does not have: {}.",
                    cx.list(missing)
                ),
            }
        });
        for to in missing.iter() {
            out.send(cx, to, Msg::Request(clock));
        }
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match msg {
            Msg::Request(t) => on_request_message(cx, state, Stamp::new(*t, from), out),
            Msg::Reply => {
                // A copy of a REPLY that comes when nobody waits would be a second permission.
                if cx.phase != Phase::Waiting {
                    return out.note(|| format!("{} was not waiting for a reply.", cx.my_name()));
                }
                state.have.insert(from);
                out.rule("CR-5", || {
                    let (me, missing) = (cx.my_name(), cx.others_without(state.have));
                    match missing.is_empty() {
                        true => format!("{me} has every permission."),
                        false => format!("{me} still needs {}.", cx.list(missing)),
                    }
                });
            }
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let owed = std::mem::take(&mut state.deferred);
        state.own = None;
        for to in owed.iter() {
            state.give_up(cx, to);
            out.send(cx, to, Msg::Reply);
        }
        let kept: NodeSet = owed.iter().filter(|j| state.have.contains(*j)).collect();
        out.rule_if(kept.is_empty(), "CR-6", || {
            let me = cx.my_name();
            match (owed.is_empty(), kept.is_empty()) {
                (true, _) => {
                    format!("{me} leaves; it owes nobody a reply and keeps all permissions.")
                }
                (false, true) => format!("{me} leaves and replies to {}.", cx.list(owed)),
                (false, false) => format!(
                    "{me} leaves and replies to {}, and keeps the permission of {} all the same.",
                    cx.list(owed),
                    cx.list(kept)
                ),
            }
        });
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        for j in cx.others() {
            let met = state.have.contains(j);
            guard.need_from(met, j, &["REPLY"], || format!("the permission of {}", cx.name(j)));
        }
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        fields.add("request", Value::stamp(state.own.map(|clock| cx.mine(clock))));
        fields.add("have", Value::Set(state.have));
        fields.add("deferred", Value::Set(state.deferred));
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        state.deferred.contains(to).then(|| format!("deferred by {}", cx.my_name()))
    }

    /// It sends when it asks, when it leaves, and to answer a REQUEST. It cannot leave before it has
    /// entered, nor enter without the permission of `to`, which `to` alone gives.
    fn silent_towards(cx: &Cx<'_>, state: &State, other: Towards) -> bool {
        other.while_it(cx.phase, || !state.have.contains(other.to))
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
            Msg::Reply => Label::bare("REPLY"),
        }
    }

    fn receipt(cx: &Cx<'_>) -> Receipt {
        cx.d.receipt
    }
}

/// Four messages a pair when nobody has a permission; warm, with equal clocks, the node that has the
/// pair's permission also has the older request, and two are enough.
fn all_at_once(setup: &Setup) -> u32 {
    let n = setup.clients as u32;
    if setup.option("warm") { n * (n - 1) } else { 2 * n * (n - 1) }
}

const BROKEN: [Broken<Decisions>; 6] = [
    broken("K1", "no-second-request", Failure::Stuck, Shows::at(3, &[2]))
        .about("A waiting node that gives a permission up does not ask for it again.")
        .decides(Decisions { asks_again: false, ..PAPER }),
    broken("K2", "keep-permission", Failure::Violation, Shows::at(2, &[2]))
        .about("A node that replies keeps the permission of the node that it replies to.")
        .decides(Decisions { gives_up: false, ..PAPER }),
    broken("K3", "no-merge", Failure::Harmless, Shows::at(3, &[1]))
        .about("A receipt does not raise the clock; with FIFO channels no schedule of the small clusters that were tried fails.")
        .decides(Decisions { receipt: Receipt::Ignored, ..PAPER }),
    broken("K3b", "no-merge-no-fifo", Failure::Violation, Shows::at(2, &[1]).any_order())
        .about("A receipt does not raise the clock, and channels may reorder.")
        .decides(Decisions { receipt: Receipt::Ignored, ..PAPER }),
    broken("K4", "tie-defers", Failure::Stuck, Shows::at(2, &[1]))
        .about("On equal clock values both defer.")
        .decides(Decisions { mine_first: |mine, theirs| mine.clock <= theirs.clock, ..PAPER }),
    broken("K5", "tie-replies", Failure::Violation, Shows::at(2, &[1]))
        .about("On equal clock values both reply.")
        .decides(Decisions { mine_first: |mine, theirs| mine.clock < theirs.clock, ..PAPER }),
];

#[cfg(test)]
mod tests {
    use crate::lab::Lab;
    use crate::model::Config;

    fn lab(n: usize, warm: bool) -> Lab {
        let mut config = Config::new("carvalho-roucairol", n);
        config.options.extend(warm.then(|| "warm".to_owned()));
        Lab::new(config).expect("default settings")
    }

    #[test]
    fn a_repeat_without_competition_costs_nothing() {
        let mut lab = lab(2, false);
        lab.play_schedule("request P1; deliver P1>P2; deliver P2>P1; exit P1").expect("alone");
        assert_eq!(lab.state().messages(None), 2);
        lab.play_schedule("request P1; exit P1; request P1; exit P1").expect("enters at once");
        assert_eq!(lab.state().messages(None), 2);
    }

    #[test]
    fn a_node_with_every_permission_passes_an_older_request() {
        let mut lab = lab(2, true);
        lab.play_schedule("request P1; exit P1; request P2; request P1").expect("P1 has it");
        let view = lab.state().view();
        assert_eq!(view.node(view.holders[0]).name, "P1");
        let stamps: Vec<_> = view.nodes.iter().filter_map(|n| n.request).collect();
        assert!(stamps[1] < stamps[0], "P2 has asked before: {stamps:?}");
    }

    #[test]
    fn a_permission_that_is_given_up_while_waiting_is_asked_for_again() {
        let mut lab = lab(3, true);
        // P2 has P3's permission and waits for P1's; P3's older request takes the permission away.
        lab.play_schedule("local P2; request P3; request P2; deliver P3>P2").expect("both ask");
        let record = lab.history().last_record().expect("a step");
        let rules: Vec<&str> = record.rules.iter().map(|(id, _)| *id).collect();
        let sent: Vec<&str> = record.sent.iter().map(|s| s.label.kind).collect();
        assert_eq!((rules, sent), (vec!["CR-3", "CR-4"], vec!["REPLY", "REQUEST"]));
    }
}
