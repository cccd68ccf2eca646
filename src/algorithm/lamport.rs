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
//! REQUEST is acknowledged.
//!
//! ```text
//! L-1  ask:               tick; put (T,i) into the own queue; send REQUEST(T) to all
//! L-2  on REQUEST(T,j):   put (T,j) into the queue; tick; send a stamped ACK to j
//! L-3  on ACK(T) from j:  remember T as the last stamp heard from j
//! L-4  leave:             take the own request out; tick; send RELEASE(T) to all
//! L-5  on RELEASE from j: take j's request out of the queue
//! L-6  enter when the own request is first in the own queue and a message stamped later than it
//!      has come from every other node
//! ```

use super::{
    Algorithm, Cost, Cx, Failure, FieldInfo, Guard, Info, Kind, Label, Line, OrderPromise, Outbox,
    Rule, Shows, Variant, When,
};
use crate::model::{ChannelOrder, Fields, NodeId, NodeSet, Phase, Setup, Shape, Stamp, Value};

/// Lamport's algorithm.
#[derive(Debug)]
pub struct Lamport;

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

    fn insert(&mut self, stamp: Stamp, ties_by_arrival: bool) {
        let place = if ties_by_arrival {
            self.queue.partition_point(|s| s.clock <= stamp.clock)
        } else {
            self.queue.partition_point(|s| *s < stamp)
        };
        self.queue.insert(place, stamp);
    }

    fn remove(&mut self, node: NodeId) -> Option<Stamp> {
        let place = self.queue.iter().position(|s| s.node == node)?;
        Some(self.queue.remove(place))
    }

    /// Whether what was heard from `j` shows that no older request of `j` can still come.
    fn heard_later(&self, cx: &Cx<'_>, own: Stamp, j: NodeId) -> bool {
        let last = self.last[j.index()];
        match cx.setup.variant {
            Some("L3" | "L6b") => self.since.contains(j),
            Some("L4") => last > 0,
            Some("L5") => last >= own.clock,
            _ => Stamp::new(last, j) > own,
        }
    }
}

fn on_request_message(cx: &Cx<'_>, state: &mut State, stamp: Stamp, out: &mut Outbox<Msg>) {
    state.insert(stamp, cx.broken("L5"));
    if cx.broken("L9") {
        out.note(|| {
            let names = &cx.setup.names;
            format!("{} queues {} and sends no ACK.", cx.my_name(), stamp.show(names))
        });
        return;
    }
    let ack = out.tick();
    out.rule("L-2", || {
        let names = &cx.setup.names;
        let place = state.queue.iter().position(|s| *s == stamp).map_or(0, |p| p + 1);
        let own = Stamp::new(ack, cx.me).show(names);
        format!(
            "{} queues {} at place {place} and acknowledges with {own}.",
            cx.my_name(),
            stamp.show(names)
        )
    });
    out.send(cx, stamp.node, Msg::Ack(ack));
}

fn on_release_message(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    let removed = if cx.broken("L7") { None } else { state.remove(from) };
    if removed.is_some() {
        out.did("remove");
    }
    out.rule_if(removed.is_some(), "L-5", || {
        let names = &cx.setup.names;
        let (me, sender) = (cx.my_name(), cx.name(from));
        match (removed, state.queue.first()) {
            (None, _) => match state.own(from) {
                Some(r) => format!("{me} leaves {} in its queue.", r.show(names)),
                None => format!("{me} finds no request of {sender} to take out of its queue."),
            },
            (Some(r), None) => {
                format!("{me} takes {} out of its queue, which is now empty.", r.show(names))
            }
            (Some(r), Some(head)) => format!(
                "{me} takes {} out of its queue; {} is now first.",
                r.show(names),
                head.show(names)
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
        let (names, shown) = (&cx.setup.names, own.show(&cx.setup.names));
        let behind = (first != own).then(|| format!("{shown} is behind {}", first.show(names)));
        let unheard = (!silent.is_empty()).then(|| {
            format!("nothing later than {shown} has come from {}", names.sentence(silent))
        });
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

impl Algorithm for Lamport {
    const INFO: Info = Info {
        slug: "lamport",
        title: "Lamport 1978",
        paper: "L. Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, CACM 21(7), 1978",
        idea: "Every node sorts the requests that it knows by the same rule and decides its own entry by itself.",
        good_for: "Understanding the rest: stamps put all requests into one order that every node finds by itself.",
        needs: ChannelOrder::Fifo,
        stamped: true,
        order: OrderPromise::Stamps,
        token: false,
        circulates: false,
        teaching: false,
        helper: None,
        kinds: &[
            Kind { name: "REQUEST", line: Line::Request },
            Kind { name: "ACK", line: Line::Reply },
            Kind { name: "RELEASE", line: Line::Reply },
        ],
        fields: &[
            FieldInfo::of(
                "request",
                Shape::Maybe(&Shape::Stamp),
                "the stamp of the node's own request",
            ),
            FieldInfo::of(
                "queue",
                Shape::Queue(&Shape::Stamp),
                "all requests that the node knows of, smallest stamp first",
            ),
            FieldInfo::of(
                "heard",
                Shape::Each(&Shape::Number),
                "the last stamp heard from each other node, marked when it is later than the own request",
            ),
            FieldInfo::of(
                "head",
                Shape::Maybe(&Shape::Node),
                "who is first in this node's queue, marked when the node has heard something later from everyone",
            ),
        ],
        rules: RULES,
        options: &[],
        variants: VARIANTS,
        cost: Cost {
            formula: "3(n-1)",
            least: per_entry,
            most: per_entry,
            contended: Some(|setup| setup.clients as u32 * per_entry(setup)),
        },
        fence: None,
    };
    type Msg = Msg;
    type State = State;

    fn init(cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        State { queue: Vec::new(), last: vec![0; cx.n()], since: NodeSet::EMPTY }
    }

    fn on_request(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let stamp = Stamp::new(out.tick(), cx.me);
        state.insert(stamp, cx.broken("L5"));
        state.since = NodeSet::EMPTY;
        for (i, to) in cx.others().enumerate() {
            let again = cx.broken("L10") && i > 0;
            let clock = if again { out.tick() } else { stamp.clock };
            out.send(cx, to, Msg::Request(clock));
        }
        let one_stamp = out.clock() == stamp.clock;
        out.rule_if(one_stamp, "L-1", || {
            let shown = stamp.show(&cx.setup.names);
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
        let counts = match cx.setup.variant {
            Some("L3") => true,
            Some("L6b") => matches!(msg, Msg::Ack(_)),
            _ => false,
        };
        if counts {
            state.since.insert(from);
        }
        match msg {
            Msg::Request(t) => on_request_message(cx, state, Stamp::new(*t, from), out),
            Msg::Release(_) => on_release_message(cx, state, from, out),
            Msg::Ack(t) if *t < before => out.note(|| {
                let shown = |clock| Stamp::new(clock, from).show(&cx.setup.names);
                format!("{} has heard {} before {}.", cx.my_name(), shown(before), shown(*t))
            }),
            Msg::Ack(t) => out.rule("L-3", || {
                let heard = Stamp::new(*t, from).show(&cx.setup.names);
                let own = state.own(cx.me);
                let against = own.map_or(String::new(), |own| {
                    let later = if Stamp::new(*t, from) > own { "later" } else { "not later" };
                    format!(", {later} than its own {}", own.show(&cx.setup.names))
                });
                format!("{} has heard {heard}{against}.", cx.my_name())
            }),
        }
        say_entry(cx, state, out);
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let own = state.remove(cx.me);
        let stamp = Stamp::new(out.tick(), cx.me);
        if !cx.broken("L8") {
            out.broadcast(cx, &Msg::Release(stamp.clock));
        }
        let told = !out.sends.is_empty() || cx.n() == 1;
        out.rule_if(told, "L-4", || {
            let names = &cx.setup.names;
            let own = own.map_or(String::new(), |s| s.show(names));
            let whom = if told { "everybody" } else { "nobody" };
            format!("{} takes {own} out of its queue and tells {whom}.", cx.my_name())
        });
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        let names = &cx.setup.names;
        let Some(own) = state.own(cx.me) else {
            guard.need(false, || "the own request is in the queue".to_owned());
            return;
        };
        if !cx.broken("L11") {
            let head = state.queue[0];
            guard.need_once_left(head == own, head.node, &["RELEASE"], || {
                if head == own {
                    format!("{} is first in the queue", own.show(names))
                } else {
                    let (own, head) = (own.show(names), head.show(names));
                    format!("{own} first in the queue, not behind {head}")
                }
            });
        }
        if cx.broken("L1") {
            return;
        }
        for j in cx.others() {
            let met = state.heard_later(cx, own, j);
            guard.need_later(met, j, &["REQUEST", "ACK", "RELEASE"], own, || {
                let last = state.last[j.index()];
                let heard = Stamp::new(last, j).show(names);
                match (met, last) {
                    (true, _) => {
                        format!("heard {heard} from {}, later than {}", cx.name(j), own.show(names))
                    }
                    (false, 0) => {
                        format!("something later than {} from {}", own.show(names), cx.name(j))
                    }
                    (false, _) => format!(
                        "something later than {} from {}; last heard {heard}",
                        own.show(names),
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
    fn silent_towards(
        cx: &Cx<'_>,
        state: &State,
        asks: bool,
        to: NodeId,
        unanswered: bool,
    ) -> bool {
        let heard = || state.own(cx.me).is_none_or(|own| state.heard_later(cx, own, to));
        let quiet = match cx.phase {
            Phase::Idle => !asks,
            Phase::Waiting => cx.setup.variant.is_none() && !heard(),
            Phase::InCs => false,
        };
        quiet && !unanswered
    }

    /// What was heard is compared with the own request alone (L-6). Without one it does not matter: the
    /// next request is later than all that was heard, since a receipt raises the clock and asking ticks.
    /// With one, only whether it is later, and what is later stays so. Of the queue, a node that will
    /// not ask again needs what stands before its own request; the clock goes on stamping its ACKs.
    fn forget(cx: &Cx<'_>, state: &mut State, _clock: &mut u32, asks: bool) {
        if cx.setup.variant.is_some() {
            return;
        }
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

    fn stamp(msg: &Msg) -> Option<u32> {
        let (Msg::Request(t) | Msg::Ack(t) | Msg::Release(t)) = msg;
        Some(*t)
    }

    fn merges(cx: &Cx<'_>) -> bool {
        !cx.broken("L6") && !cx.broken("L6b")
    }
}

fn per_entry(setup: &Setup) -> u32 {
    3 * (setup.clients as u32 - 1)
}

const RULES: &[Rule] = &[
    Rule::new("L-1", When::Asking, "ask", "tick; queue += (T,i); REQUEST(T) to all", &[]),
    Rule::new(
        "L-2",
        When::Receipt,
        "on REQUEST(T) from j",
        "heard[j] ← T; queue += (T,j); tick; ACK to j",
        &["ack"],
    )
    .also(&["hear"]),
    Rule::new("L-3", When::Receipt, "on ACK(T) from j", "heard[j] ← T", &["hear"]),
    Rule::new("L-4", When::Leaving, "leave", "queue -= own request; tick; RELEASE(T) to all", &[]),
    Rule::new(
        "L-5",
        When::Receipt,
        "on RELEASE(T) from j",
        "heard[j] ← T; queue -= request of j",
        &["remove"],
    )
    .also(&["hear"]),
    Rule::new(
        "L-6",
        When::Anything,
        "enter",
        "own request first in queue, later stamps heard from all others",
        &[],
    ),
];

const VARIANTS: &[Variant] = &[
    Variant {
        id: "L1",
        slug: "no-acknowledge",
        about: "A node enters as soon as its request is first in its own queue; acknowledgements are ignored.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "L2",
        slug: "no-fifo",
        about: "Channels may reorder messages.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]).any_order(),
    },
    Variant {
        id: "L3",
        slug: "any-message-since",
        about: "Any message since asking counts, later stamp or not.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[2]),
    },
    Variant {
        id: "L4",
        slug: "any-message-ever",
        about: "Any message ever heard counts.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[2]),
    },
    Variant {
        id: "L5",
        slug: "no-tie-break",
        about: "The queue is ordered by clock value alone, ties by arrival, and an equal value counts as later.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "L6",
        slug: "no-merge",
        about: "A receipt does not raise the clock.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "L6b",
        slug: "no-merge-count-acknowledgements",
        about: "A receipt does not raise the clock, and acknowledgements are counted, not compared.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[2]),
    },
    Variant {
        id: "L7",
        slug: "release-keeps-request",
        about: "A RELEASE does not take the request out of the queue.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "L8",
        slug: "no-release",
        about: "A node that leaves tells nobody.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "L9",
        slug: "silent-receivers",
        about: "A REQUEST is not acknowledged.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "L10",
        slug: "stamp-per-copy",
        about: "Each copy of a broadcast carries a stamp of its own.",
        failure: Failure::Violation,
        shows: Shows::at(3, &[1]),
    },
    Variant {
        id: "L11",
        slug: "not-first-in-queue",
        about: "A node enters once it has heard from everyone, first in its queue or not.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
];
