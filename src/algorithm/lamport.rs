//! Lamport's algorithm: every node sorts the requests that it knows and decides its own entry.
//!
//! L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978.
//! It needs FIFO channels. The paper's five rules, with the receipt of each kind of message apart.
//!
//! Where this differs from the paper: its clock rule IR2(b) makes a receipt's clock *greater than* the
//! message's stamp. The default here is the rule of Ricart and Agrawala (1981), *at least* the message's
//! value, so that C(a) < C(b) holds for a -> b unless b is a receipt, where only C(a) <= C(b) does. Receipts
//! carry no stamp here, so that all stamps stay ordered as in the paper; `clock: tick` is the paper's rule.
//! The paper's queues begin with a request of the process that has the resource at first; here they
//! begin empty. It lets a node omit an ACK where a later message has been sent already; here every
//! REQUEST is acknowledged. The variant `omit-needless-acknowledgements` omits those for which the own
//! REQUEST is that message (A. Kshemkalyani and M. Singhal, Distributed Computing, 2008, chapter 9).
//!
//! Its rules, L-1 and what follows, stand in `RULES`.

use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Info, Kind, Label, OrderPromise, Outbox,
    PLAIN, Receipt, Rule, Shows, Towards, broken, chosen, fields, rules, told,
};
use crate::model::{ChannelOrder, Fields, NodeId, NodeSet, Phase, Setup, Stamp, Value};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 6] = rules(
    "
L-1 | ask   | ask                  | tick; queue += (T,i); REQUEST(T) to all |
L-2 | get   | on REQUEST(T) from j | heard[j] ← T; queue += (T,j); tick; ACK to j | ack + hear
L-3 | get   | on ACK(T) from j     | heard[j] ← T | hear
L-4 | leave | leave                | queue -= own request; tick; RELEASE(T) to all |
L-5 | get   | on RELEASE(T) from j | heard[j] ← T; queue -= request of j | remove + hear
L-6 | any   | enter                | own request first in queue, later stamps heard from all others |
",
);

/// Lamport's algorithm.
#[derive(Debug)]
pub struct Lamport;

/// What a node has heard from another one.
#[derive(Clone, Copy)]
struct Heard {
    /// The last stamp.
    last: Stamp,
    /// Whether anything that counts has come since the own request.
    since: bool,
}

/// What the paper decides.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// L-1, L-2: whether a request stands before another one in the queue.
    before: fn(Stamp, Stamp) -> bool,
    /// L-6: whether what was heard is later than the own request.
    later: fn(Heard, own: Stamp) -> bool,
    /// L-6: a node waits until it has heard from everyone.
    hears_everyone: bool,
    /// L-6: a node waits until its request is first in its queue.
    first_in_queue: bool,
    /// Which messages count as heard since the own request.
    counts: fn(&Msg) -> bool,
    /// What a receipt does to the clock.
    receipt: Receipt,
    /// L-1: all copies of a REQUEST carry one stamp.
    one_stamp: bool,
    /// L-2: a REQUEST is acknowledged.
    acknowledges: fn(own: Option<Stamp>, theirs: Stamp) -> bool,
    /// L-4: a node that leaves tells the others.
    tells: bool,
    /// L-5: a RELEASE takes the request out of the queue.
    removes: bool,
}

const PAPER: Decisions = Decisions {
    before: |queued, new| queued < new,
    later: |heard, own| heard.last > own,
    hears_everyone: true,
    first_in_queue: true,
    counts: |_| false,
    receipt: Receipt::Raises,
    one_stamp: true,
    acknowledges: |_, _| true,
    tells: true,
    removes: true,
};

/// A message of Lamport's algorithm, with its clock value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// The sender asks.
    Request(u32),
    /// The receiver of a REQUEST answers.
    Ack(u32),
    /// The sender has left.
    Release(u32),
}

/// Variables of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Outstanding requests, smallest stamp first; the own one among them.
    queue: Vec<Stamp>,
    /// The clock value of the last message from each client.
    last: Vec<u32>,
    /// Used by variants alone: who has been heard (or has acknowledged) since the own request.
    since: NodeSet,
}

impl State {
    fn own(&self, me: NodeId) -> Option<Stamp> {
        self.queue.iter().copied().find(|s| s.node == me)
    }

    fn insert(&mut self, cx: &Cx<'_>, stamp: Stamp) {
        let place = self.queue.partition_point(|s| (cx.d.before)(*s, stamp));
        self.queue.insert(place, stamp);
    }

    fn remove(&mut self, node: NodeId) -> Option<Stamp> {
        let place = self.queue.iter().position(|s| s.node == node)?;
        Some(self.queue.remove(place))
    }

    /// Whether what was heard from `j` shows that no older request of `j` can still come.
    fn heard_later(&self, cx: &Cx<'_>, own: Stamp, j: NodeId) -> bool {
        let last = Stamp::new(self.last[j.index()], j);
        (cx.d.later)(Heard { last, since: self.since.contains(j) }, own)
    }
}

fn on_request_message(cx: &Cx<'_>, state: &mut State, stamp: Stamp, out: &mut Outbox<Msg>) {
    state.insert(cx, stamp);
    let own = state.own(cx.me);
    if !(cx.d.acknowledges)(own, stamp) {
        return out.note(|| {
            let me = cx.my_name();
            let why = own.filter(|own| *own > stamp).map_or(String::new(), |own| {
                format!(": its own REQUEST {} is later", cx.show(own))
            });
            format!("{me} queues {} and sends no ACK{why}.", cx.show(stamp))
        });
    }
    let ack = out.tick();
    out.rule("L-2", || {
        let place = state.queue.iter().position(|s| *s == stamp).map_or(0, |p| p + 1);
        let own = cx.show(cx.mine(ack));
        format!(
            "{} queues {} at place {place} and acknowledges with {own}.",
            cx.my_name(),
            cx.show(stamp)
        )
    });
    out.send(cx, stamp.node, Msg::Ack(ack));
}

fn on_release_message(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    let removed = if cx.d.removes { state.remove(from) } else { None };
    if removed.is_some() {
        out.did("remove");
    }
    out.rule_if(removed.is_some(), "L-5", || {
        let (me, sender) = (cx.my_name(), cx.name(from));
        match (removed, state.queue.first()) {
            (None, _) => match state.own(from) {
                Some(r) => format!("{me} leaves {} in its queue.", cx.show(r)),
                None => format!("{me} finds no request of {sender} to take out of its queue."),
            },
            (Some(r), None) => {
                format!("{me} takes {} out of its queue, which is now empty.", cx.show(r))
            }
            (Some(r), Some(head)) => format!(
                "{me} takes {} out of its queue; {} is now first.",
                cx.show(r),
                cx.show(*head)
            ),
        }
    });
}

/// L-6, said where it lets the node in. The engine does the entering, by the guard.
fn say_entry(cx: &Cx<'_>, state: &State, out: &mut Outbox<Msg>) {
    if !out.explains() || cx.phase != Phase::Waiting {
        return;
    }
    let mut guard = Guard::new(false);
    Lamport::guard(cx, state, &mut guard);
    let Some(own) = state.own(cx.me).filter(|_| guard.met()) else { return };
    let first = state.queue[0];
    let silent: NodeSet =
        cx.others().filter(|j| Stamp::new(state.last[j.index()], *j) <= own).collect();
    out.rule_if(first == own && silent.is_empty(), "L-6", || {
        let shown = cx.show(own);
        let behind = (first != own).then(|| format!("{shown} is behind {}", cx.show(first)));
        let unheard = (!silent.is_empty())
            .then(|| format!("nothing later than {shown} has come from {}", cx.list(silent)));
        let missing: Vec<String> = behind.into_iter().chain(unheard).collect();
        match missing.is_empty() {
            true => {
                format!(
                    "{shown} is first in its queue, and later stamps have come from all others."
                )
            }
            false => format!("{} does not wait, though {}.", cx.my_name(), missing.join(" and ")),
        }
    });
}

const FIELDS: [FieldInfo; 4] = fields(
    "
request | stamp?        | the stamp of the node's own request
queue   | stamps        | all requests that the node knows of, smallest stamp first
heard   | each a number | the last stamp heard from each other node, marked when it is later than the own request
head    | node?         | who is first in this node's queue, marked once all but that one have been heard with something later
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "lamport",
    title: "Lamport 1978",
    paper: "L. Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, CACM 21(7), 1978",
    idea: "Every node sorts the requests that it knows by the same rule and decides its own entry by itself.",
    good_for: "Understanding the rest: stamps put all requests into one order that every node finds by itself.",
    needs: ChannelOrder::Fifo,
    stamped: true,
    order: OrderPromise::Stamps,
    kinds: &[Kind::asks("REQUEST"), Kind::gives("ACK"), Kind::gives("RELEASE")],
    fields: &FIELDS,
    rules: &RULES,
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "3(n-1)",
        least: per_entry,
        most: per_entry,
        contended: Some(|setup| setup.clients as u32 * per_entry(setup)),
    },
    ..PLAIN
};

impl Algorithm for Lamport {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn init(cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        State { queue: Vec::new(), last: vec![0; cx.n()], since: NodeSet::EMPTY }
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let stamp = cx.mine(out.tick());
        state.insert(cx, stamp);
        state.since = NodeSet::EMPTY;
        for (i, to) in cx.others().enumerate() {
            let again = !cx.d.one_stamp && i > 0;
            let clock = if again { out.tick() } else { stamp.clock };
            out.send(cx, to, Msg::Request(clock));
        }
        let one_stamp = out.clock() == stamp.clock;
        out.rule_if(one_stamp, "L-1", || {
            let shown = cx.show(stamp);
            let copies = match one_stamp {
                true => "",
                false => "; each copy of its REQUEST has a stamp of its own",
            };
            format!("{} asks with {shown} and puts it into its own queue{copies}.", cx.my_name())
        });
        say_entry(cx, state, out);
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        let (Msg::Request(t) | Msg::Ack(t) | Msg::Release(t)) = *msg;
        let last = &mut state.last[from.index()];
        let before = *last;
        *last = before.max(t);
        if (cx.d.counts)(msg) {
            state.since.insert(from);
        }
        match msg {
            Msg::Request(t) => on_request_message(cx, state, Stamp::new(*t, from), out),
            Msg::Release(_) => on_release_message(cx, state, from, out),
            Msg::Ack(t) if *t < before => out.note(|| {
                let shown = |clock| cx.show(Stamp::new(clock, from));
                format!("{} has heard {} before {}.", cx.my_name(), shown(before), shown(*t))
            }),
            Msg::Ack(t) => out.rule("L-3", || {
                let heard = cx.show(Stamp::new(*t, from));
                let own = state.own(cx.me);
                let against = own.map_or(String::new(), |own| {
                    let later = if Stamp::new(*t, from) > own { "later" } else { "not later" };
                    format!(", {later} than its own {}", cx.show(own))
                });
                format!("{} has heard {heard}{against}.", cx.my_name())
            }),
        }
        say_entry(cx, state, out);
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let own = state.remove(cx.me);
        let stamp = cx.mine(out.tick());
        if cx.d.tells {
            out.broadcast(cx, &Msg::Release(stamp.clock));
        }
        let told = !out.sends.is_empty() || cx.n() == 1;
        out.rule_if(told, "L-4", || {
            let own = own.map_or(String::new(), |s| cx.show(s));
            let whom = if told { "everybody" } else { "nobody" };
            format!("{} takes {own} out of its queue and tells {whom}.", cx.my_name())
        });
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        let Some(own) = state.own(cx.me) else {
            guard.need(false, || "the own request is in the queue".to_owned());
            return;
        };
        if cx.d.first_in_queue {
            let head = state.queue[0];
            guard.need_once_left(head == own, head.node, &["RELEASE"], || {
                if head == own {
                    format!("{} is first in the queue", cx.show(own))
                } else {
                    let (own, head) = (cx.show(own), cx.show(head));
                    format!("{own} first in the queue, not behind {head}")
                }
            });
        }
        if !cx.d.hears_everyone {
            return;
        }
        for j in cx.others() {
            let met = state.heard_later(cx, own, j);
            guard.need_later(met, j, &["REQUEST", "ACK", "RELEASE"], own, || {
                let last = state.last[j.index()];
                let heard = cx.show(Stamp::new(last, j));
                match (met, last) {
                    (true, _) => {
                        format!("heard {heard} from {}, later than {}", cx.name(j), cx.show(own))
                    }
                    (false, 0) => {
                        format!("something later than {} from {}", cx.show(own), cx.name(j))
                    }
                    (false, _) => format!(
                        "something later than {} from {}; last heard {heard}",
                        cx.show(own),
                        cx.name(j)
                    ),
                }
            });
        }
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        let own = state.own(cx.me);
        fields.add("request", Value::stamp(own));
        fields.add("queue", Value::List(state.queue.iter().map(|s| Value::Stamp(*s)).collect()));
        let heard = cx.others().map(|j| {
            let last = state.last[j.index()];
            let mark = own.map(|own| state.heard_later(cx, own, j));
            (j, Value::Num(i64::from(last)), mark)
        });
        fields.add("heard", Value::PerNode(heard.collect()));
        let head = state.queue.first().map_or(Value::None, |head| {
            // Only what the node itself knows: a later message from everyone but the request's owner,
            // whose REQUEST it has in hand. What it has heard from itself is its own clock.
            let certain = cx
                .others()
                .filter(|j| *j != head.node)
                .all(|j| Stamp::new(state.last[j.index()], j) > *head);
            Value::Marked(Box::new(Value::Node(head.node)), certain)
        });
        fields.add("head", head);
    }

    fn request_stamp(cx: &Cx<'_>, state: &State) -> Option<u32> {
        state.own(cx.me).map(|s| s.clock)
    }

    /// It sends when it asks, when it leaves, and to answer a REQUEST. It cannot leave before it has
    /// entered, nor enter before it has heard something later than its request from `to`.
    fn silent_towards(cx: &Cx<'_>, state: &State, other: Towards) -> bool {
        let heard = || state.own(cx.me).is_none_or(|own| state.heard_later(cx, own, other.to));
        other.while_it(cx.phase, || cx.d.hears_everyone && !heard())
    }

    /// What was heard is compared with the own request alone (L-6). Without one it does not matter: the
    /// next request is later than all that was heard, since a receipt raises the clock and asking ticks.
    /// With one, only whether it is later, and what is later stays so. Of the queue, a node that will
    /// not ask again needs what stands before its own request; the clock goes on stamping its ACKs.
    fn forget(cx: &Cx<'_>, state: &mut State, _clock: &mut u32, asks: bool) {
        let own = state.own(cx.me);
        for j in cx.setup.client_ids() {
            let last = &mut state.last[j.index()];
            *last = match own {
                Some(own) if Stamp::new(*last, j) > own => own.clock + 1,
                _ => 0,
            };
        }
        if !asks {
            state.queue.retain(|stamp| own.is_some_and(|own| *stamp <= own));
        }
    }

    fn label(from: NodeId, msg: &Msg) -> Label {
        let (kind, clock) = match msg {
            Msg::Request(t) => ("REQUEST", t),
            Msg::Ack(t) => ("ACK", t),
            Msg::Release(t) => ("RELEASE", t),
        };
        Label::stamped(kind, Stamp::new(*clock, from))
    }

    fn receipt(cx: &Cx<'_>) -> Receipt {
        cx.d.receipt
    }
}

fn per_entry(setup: &Setup) -> u32 {
    3 * (setup.clients as u32 - 1)
}

const BROKEN: [Broken<Decisions>; 14] = [
    broken("L1", "no-acknowledge", Failure::Violation, Shows::at(2, &[1]))
        .about("A node enters as soon as its request is first in its own queue; acknowledgements are ignored.")
        .decides(Decisions { hears_everyone: false, ..PAPER }),
    broken("L2", "no-fifo", Failure::Violation, Shows::at(2, &[1]).any_order())
        .about("Channels may reorder messages.")
        .decides(PAPER),
    broken("L3", "any-message-since", Failure::Violation, Shows::at(2, &[2]))
        .about("Any message since asking counts, later stamp or not.")
        .decides(Decisions { counts: |_| true, later: |heard, _| heard.since, ..PAPER }),
    broken("L4", "any-message-ever", Failure::Violation, Shows::at(2, &[2]))
        .about("Any message ever heard counts.")
        .decides(Decisions { later: |heard, _| heard.last.clock > 0, ..PAPER }),
    broken("L5", "no-tie-break", Failure::Violation, Shows::at(2, &[1]))
        .about("The queue is ordered by clock value alone, ties by arrival, and an equal value counts as later.")
        .decides(Decisions { before: |queued, new| queued.clock <= new.clock, later: |heard, own| heard.last.clock >= own.clock, ..PAPER }),
    broken("L6", "no-merge", Failure::Stuck, Shows::at(2, &[1]))
        .about("A receipt does not raise the clock.")
        .decides(Decisions { receipt: Receipt::Ignored, ..PAPER }),
    broken("L6b", "no-merge-count-acknowledgements", Failure::Violation, Shows::at(2, &[2]))
        .about("A receipt does not raise the clock, and acknowledgements are counted, not compared.")
        .decides(Decisions { receipt: Receipt::Ignored, counts: |msg| matches!(msg, Msg::Ack(_)), later: |heard, _| heard.since, ..PAPER }),
    broken("L7", "release-keeps-request", Failure::Stuck, Shows::at(2, &[1]))
        .about("A RELEASE does not take the request out of the queue.")
        .decides(Decisions { removes: false, ..PAPER }),
    broken("L8", "no-release", Failure::Stuck, Shows::at(2, &[1]))
        .about("A node that leaves tells nobody.")
        .decides(Decisions { tells: false, ..PAPER }),
    broken("L9", "silent-receivers", Failure::Stuck, Shows::at(2, &[1]))
        .about("A REQUEST is not acknowledged.")
        .decides(Decisions { acknowledges: |_, _| false, ..PAPER }),
    broken("L10", "stamp-per-copy", Failure::Violation, Shows::at(3, &[1]))
        .about("Each copy of a broadcast carries a stamp of its own.")
        .decides(Decisions { one_stamp: false, ..PAPER }),
    broken("L11", "not-first-in-queue", Failure::Violation, Shows::at(2, &[1]))
        .about("A node enters once it has heard from everyone, first in its queue or not.")
        .decides(Decisions { first_in_queue: false, ..PAPER }),
    broken("L12", "overwrite", Failure::Violation, Shows::at(3, &[1]))
        .about("A receipt sets the clock to the received value, lower or not.")
        .decides(Decisions { receipt: Receipt::Overwrites, ..PAPER }),
    broken("L13", "omit-needless-acknowledgements", Failure::Harmless, Shows::at(2, &[2]))
        .about("A REQUEST is not acknowledged where the receiver's own, later REQUEST says as much.")
        .decides(Decisions { acknowledges: |own, theirs| own.is_none_or(|own| own < theirs), ..PAPER }),
];
