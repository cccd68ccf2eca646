//! A lock service with leases: the lock comes back by itself, and every grant has a higher number.
//!
//! C. Gray and D. Cheriton, "Leases", SOSP 1989, for the lease; M. Burrows, "The Chubby Lock Service",
//! OSDI 2006, and M. Kleppmann, "How to do distributed locking", 2016, for the grant's number as a
//! fencing token. Being in the critical section means here: the client believes that it holds the
//! lock. Without timeouts it is right; with one, two clients may believe it at once.
//!
//! Its rules, LS-1 and what follows, stand in `RULES`.

mod session;

use self::session::Waiter;
use super::{
    Algorithm, Broken, Cost, Failure, FieldInfo, Guard, Helper, Info, Kind, Label, OptionInfo,
    Outbox, PLAIN, Rule, Shows, broken, chosen, fields_with, rules, told,
};
use crate::model::{
    Config, FenceOn, Fields, NodeId, Phase, Setup, Shape, StorageCheck, StorageRule, Value,
};

type Cx<'a> = super::Cx<'a, Decisions>;

const RULES: [Rule; 16] = rules(
    "
LS-1  | ask   | ask                 | ACQUIRE to L |
LS-2  | get   | L on ACQUIRE from j | lock free: holder ← j; GRANT(next) to j; next += 1 | grant
LS-3  | get   | L on ACQUIRE from j | lock taken: append j to queue | queue
LS-4  | get   | on GRANT(t)         | waiting, t > seen: seen ← t; keep t; enter |
LS-5  | get   | on GRANT(t)         | nobody waits for it: RELEASE(t); t ≤ seen: ignore | give-back, ignore
LS-6  | leave | leave               | RELEASE(t) to L, unless the lease is known to be over |
LS-7  | get   | L on RELEASE(t)     | the holder's grant: GRANT(next) to the first of queue, or free | free, grant
LS-8  | get   | L on RELEASE(t)     | another grant: ignore | ignore
LS-9  | timer | L, timeout          | the lease ends: GRANT(next) to the first of queue, or free | expire, free, grant
LS-10 | timer | timeout             | RENEW(t) to L |
LS-11 | get   | L on RENEW(t)       | the holder's grant: its lease goes on at its next end | renew
LS-12 | get   | L on RENEW(t)       | another grant: EXPIRED(t) | too-late
LS-13 | get   | on EXPIRED(t)       | the own grant: the lease is over | note, ignore
LS-14 | timer | L, timeout          | session: the lease of the first in the queue ends there | expire
LS-15 | get   | L grants to j       | session: j's lease is over: EXPIRED to j; go on with the next | skip
LS-16 | get   | on EXPIRED          | session: waiting: ACQUIRE to L again | ask-again
",
);

/// A lock service with leases.
#[derive(Debug)]
pub struct Lease;

/// What the service and the storage decide.
#[derive(Clone, Copy)]
pub struct Decisions {
    /// LS-7: only the holder's RELEASE frees the lock.
    holder_alone_releases: bool,
    /// LS-15: a client whose lease has ended in the queue is not granted the lock.
    skips_expired: bool,
    /// What the storage compares.
    check: fn(StorageRule) -> StorageCheck,
    /// On which requests, where that is not the cluster's to say.
    fence_on: Option<FenceOn>,
    /// Whether leases begin with the ACQUIRE, where that is not the cluster's to say.
    session: bool,
}

const PAPER: Decisions = Decisions {
    holder_alone_releases: true,
    skips_expired: true,
    check: |rule| match rule {
        StorageRule::Plain => StorageCheck::Nothing,
        StorageRule::Fenced => StorageCheck::Lower,
    },
    fence_on: None,
    session: false,
};

/// A message of the lock service. A grant is named by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Msg {
    /// A client asks.
    Acquire,
    /// The service grants the lock.
    Grant(u64),
    /// A client gives a grant back.
    Release(u64),
    /// A client would like its lease to go on.
    Renew(u64),
    /// The lease of a grant is over; 0: the lease of a client that still waits.
    Expired(u64),
}

/// Variables of one node: three of a client, then those of the service.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The number of the own grant.
    token: Option<u64>,
    /// Whether the client knows that the lease of its grant is over.
    over: bool,
    /// The highest grant number that the client has got.
    seen: u64,
    /// Who holds the lock, and the number of its grant.
    holder: Option<(NodeId, u64)>,
    /// Whether the lease was renewed since it began or since its end last came.
    renewed: bool,
    queue: Vec<Waiter>,
    /// The number of the next grant.
    next: u64,
}

fn service(cx: &Cx<'_>) -> NodeId {
    cx.setup.coordinator.expect("the catalog adds the lock service")
}

fn is_service(cx: &Cx<'_>) -> bool {
    cx.setup.coordinator == Some(cx.me)
}

/// Gives the lock to a client, with the next number.
fn grant(state: &mut State, to: NodeId, cx: &Cx<'_>, out: &mut Outbox<Msg>) -> u64 {
    let number = state.next;
    state.next += 1;
    state.holder = Some((to, number));
    state.renewed = false;
    out.did("grant");
    out.send(cx, to, Msg::Grant(number));
    number
}

/// The lock is free again: the first of the queue whose lease still runs gets it.
fn go_on(
    cx: &Cx<'_>,
    state: &mut State,
    (rule, holds): (&'static str, bool),
    why: impl Fn() -> String,
    out: &mut Outbox<Msg>,
) {
    let l = cx.my_name();
    let tell = |out: &mut Outbox<Msg>, text: &dyn Fn() -> String| out.rule_if(holds, rule, text);
    state.holder = None;
    state.renewed = false;
    while state.holder.is_none() && !state.queue.is_empty() {
        let first = state.queue.remove(0);
        let name = cx.name(first.node);
        if !first.over {
            let number = grant(state, first.node, cx, out);
            tell(out, &|| {
                format!("{}: {l} grants the lock to {name} with the number {number}.", why())
            });
        } else if !cx.d.skips_expired {
            grant(state, first.node, cx, out);
            // Its lease is over, so that the service does not count it as the holder.
            state.holder = None;
            out.note(|| format!("{}: {l} grants the lock to {name}, whose lease is over.", why()));
        } else {
            out.send(cx, first.node, Msg::Expired(0));
            session::skips(cx, first.node, out);
        }
    }
    if state.holder.is_none() {
        out.did("free");
        tell(out, &|| format!("{}: the lock is free.", why()));
    }
}

fn on_acquire(cx: &Cx<'_>, state: &mut State, from: NodeId, out: &mut Outbox<Msg>) {
    let (l, asker) = (cx.my_name(), cx.name(from));
    let Some((holder, number)) = state.holder else {
        let number = grant(state, from, cx, out);
        out.rule("LS-2", || {
            format!("The lock is free, so {l} grants it to {asker} with the number {number}.")
        });
        return;
    };
    state.queue.push(Waiter { node: from, over: false });
    out.rule("LS-3", || {
        format!(
            "{} holds the lock with {number}, so {l} puts {asker} into its queue.",
            cx.name(holder)
        )
    });
}

fn on_release(cx: &Cx<'_>, state: &mut State, from: NodeId, number: u64, out: &mut Outbox<Msg>) {
    let sender = cx.name(from);
    if state.holder == Some((from, number)) {
        return go_on(cx, state, ("LS-7", true), || format!("{sender} gives {number} back"), out);
    }
    if !cx.d.holder_alone_releases && state.holder.is_some() {
        let why = || format!("{sender} releases, whoever holds the lock");
        return go_on(cx, state, ("LS-7", false), why, out);
    }
    out.rule("LS-8", || match state.holder {
        Some((_, held)) => format!(
            "The lock is held with {held}, not with {number}, so {} ignores the RELEASE of {sender}.",
            cx.my_name()
        ),
        None => format!("The lock is free, so {} ignores the RELEASE of {sender}.", cx.my_name()),
    });
}

fn on_renew(cx: &Cx<'_>, state: &mut State, from: NodeId, number: u64, out: &mut Outbox<Msg>) {
    let (l, sender) = (cx.my_name(), cx.name(from));
    if state.holder == Some((from, number)) {
        state.renewed = true;
        out.rule("LS-11", || format!("{sender} holds the lock with {number}: its lease goes on."));
    } else {
        out.rule("LS-12", || format!("The lease of {number} is over; {l} tells {sender}."));
        out.send(cx, from, Msg::Expired(number));
    }
}

fn on_grant(cx: &Cx<'_>, state: &mut State, number: u64, out: &mut Outbox<Msg>) {
    let me = cx.my_name();
    let seen = state.seen;
    if number <= seen {
        out.did("ignore");
        out.rule("LS-5", || {
            format!("{me} has had {seen}, and {number} ≤ {seen}: it ignores the copy.")
        });
        return;
    }
    state.seen = number;
    if cx.phase == Phase::Waiting {
        state.token = Some(number);
        out.rule("LS-4", || {
            format!("{me} has the grant {number} and believes that it holds the lock.")
        });
    } else {
        out.did("give-back");
        out.rule("LS-5", || format!("{me} does not wait for a grant: it gives {number} back."));
        out.send(cx, service(cx), Msg::Release(number));
    }
}

fn on_expired(cx: &Cx<'_>, state: &mut State, number: u64, out: &mut Outbox<Msg>) {
    let me = cx.my_name();
    if number == 0 && cx.phase == Phase::Waiting {
        session::asks_again(cx, out);
        out.send(cx, service(cx), Msg::Acquire);
        return;
    }
    let over = state.token == Some(number);
    state.over |= over;
    out.did(if over { "note" } else { "ignore" });
    out.rule_if(over, "LS-13", || match over {
        true => format!("{me} knows now that its lease is over; it has to leave."),
        false => format!("{me} does not use that grant any more."),
    });
}

fn on_timeout_at_l(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
    if session::ends(cx, &mut state.queue, out) {
        return;
    }
    let Some((holder, number)) = state.holder else { return };
    let name = cx.name(holder);
    if std::mem::take(&mut state.renewed) {
        out.rule("LS-11", || {
            format!("{name} has renewed its lease of {number} in time: it goes on.")
        });
        return;
    }
    out.did("expire");
    let why = || format!("The lease of {name} for {number} ends, untold to {name}");
    go_on(cx, state, ("LS-9", true), why, out);
}

const FIELDS: [FieldInfo; 7] = fields_with(
    Shape::Maybe(&Shape::Word(&["held", "over"])),
    "
grant   | number? | the number of the client's grant, its fence
lease   | own     | what the client knows of its lease
holder  | node?   | at L: who holds the lock
number  | number? | at L: the number of the holder's grant
renewed | truth   | at L: whether the lease goes on at its next end
queue   | nodes   | at L: who waits, marked while its own lease runs
next    | number  | at L: the number of the next grant
",
);

/// What is known about it.
pub static INFO: Info = Info {
    slug: "lease",
    title: "Lease and fencing",
    paper: "C. Gray and D. Cheriton, Leases, SOSP 1989; M. Burrows, The Chubby Lock Service, OSDI 2006; M. Kleppmann, How to do distributed locking, 2016",
    idea: "A lock service grants the lock for a time, with a number that grows: a storage that has seen a newer number can refuse an older one.",
    good_for: "Holders that may stall or fail: a lease ends without them, and a fenced storage refuses them once it has seen the next holder's fence.",
    helper: Some(Helper::LockService),
    kinds: &[
        Kind::asks("ACQUIRE"),
        Kind::gives("GRANT"),
        Kind::gives("RELEASE"),
        Kind::asks("RENEW"),
        Kind::gives("EXPIRED"),
    ],
    fields: &FIELDS,
    rules: &RULES,
    options: OPTIONS,
    variants: &told(&BROKEN),
    cost: Cost {
        formula: "3",
        least: |_| 3,
        most: |_| 3,
        contended: Some(|setup| 3 * setup.clients as u32),
    },
    fence: Some("the number of the grant"),
    ..PLAIN
};

impl Algorithm for Lease {
    type Decisions = Decisions;
    type Msg = Msg;
    type State = State;

    fn decisions(setup: &Setup) -> &'static Decisions {
        chosen(setup, &PAPER, &BROKEN)
    }

    fn prepare(setup: &mut Setup, _config: &Config) -> Result<(), String> {
        let decided = Self::decisions(setup);
        if decided.session && !setup.option("session") {
            setup.options.push("session");
        }
        if let (Some(on), Some((_, _, fence_on))) = (decided.fence_on, &mut setup.storage) {
            *fence_on = on;
        }
        Ok(())
    }

    fn init(cx: &Cx<'_>, _out: &mut Outbox<Msg>) -> State {
        let first = if cx.setup.option("from-33") { 33 } else { 1 };
        State { next: if is_service(cx) { first } else { 0 }, ..State::default() }
    }

    fn on_request(cx: &Cx<'_>, _state: &mut State, out: &mut Outbox<Msg>) {
        let l = service(cx);
        out.rule("LS-1", || format!("{} asks the lock service {}.", cx.my_name(), cx.name(l)));
        out.send(cx, l, Msg::Acquire);
    }

    fn on_message(cx: &Cx<'_>, state: &mut State, from: NodeId, msg: &Msg, out: &mut Outbox<Msg>) {
        match *msg {
            Msg::Acquire => on_acquire(cx, state, from, out),
            Msg::Release(number) => on_release(cx, state, from, number, out),
            Msg::Renew(number) => on_renew(cx, state, from, number, out),
            Msg::Grant(number) => on_grant(cx, state, number, out),
            Msg::Expired(number) => on_expired(cx, state, number, out),
        }
    }

    fn on_exit(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        let token = state.token.take();
        let over = std::mem::take(&mut state.over);
        let (me, l) = (cx.my_name(), service(cx));
        let Some(number) = token.filter(|_| !over) else {
            out.rule("LS-6", || {
                format!("{me} leaves; its lease is over, so there is nothing to give back.")
            });
            return;
        };
        out.rule("LS-6", || format!("{me} leaves and gives {number} back to {}.", cx.name(l)));
        out.send(cx, l, Msg::Release(number));
    }

    fn on_timeout(cx: &Cx<'_>, state: &mut State, out: &mut Outbox<Msg>) {
        if is_service(cx) {
            return on_timeout_at_l(cx, state, out);
        }
        let Some(number) = state.token else { return };
        out.rule("LS-10", || format!("{} would like to keep {number} for longer.", cx.my_name()));
        out.send(cx, service(cx), Msg::Renew(number));
    }

    fn timer(cx: &Cx<'_>, state: &State) -> Option<&'static str> {
        if session::running(cx, &state.queue).is_some() {
            return Some("the lease of a client in the queue may end");
        }
        if state.holder.is_some() {
            return Some("the holder's lease may end");
        }
        let renews = cx.phase == Phase::InCs && state.token.is_some() && !state.over;
        renews.then_some("its lease may be renewed")
    }

    fn guard(cx: &Cx<'_>, state: &State, guard: &mut Guard) {
        let l = service(cx);
        guard.need_from(state.token.is_some(), l, &["GRANT"], || {
            format!("GRANT from {}", cx.name(l))
        });
    }

    fn fields(cx: &Cx<'_>, state: &State, fields: &mut Fields) {
        let number = |n: u64| Value::Num(i64::try_from(n).unwrap_or(i64::MAX));
        if cx.setup.is_client(cx.me) {
            let lease = match (state.token, state.over) {
                (None, _) => Value::None,
                (Some(_), false) => Value::Word("held"),
                (Some(_), true) => Value::Word("over"),
            };
            fields.add("grant", state.token.map_or(Value::None, number));
            fields.add("lease", lease);
        }
        if is_service(cx) {
            let waiter = |w: &Waiter| match session::is_on(cx) {
                true => Value::Marked(Box::new(Value::Node(w.node)), !w.over),
                false => Value::Node(w.node),
            };
            fields.add("holder", Value::node(state.holder.map(|(node, _)| node)));
            fields.add("number", state.holder.map_or(Value::None, |(_, n)| number(n)));
            fields.add("renewed", Value::Bool(state.renewed));
            fields.add("queue", Value::List(state.queue.iter().map(waiter).collect()));
            fields.add("next", number(state.next));
        }
    }

    fn owes(cx: &Cx<'_>, state: &State, to: NodeId) -> Option<String> {
        let place = state.queue.iter().position(|w| w.node == to)?;
        let holder = state.holder.map_or("nobody", |(node, _)| cx.name(node));
        Some(format!("queued at {}, place {}; {holder} holds the lock", cx.my_name(), place + 1))
    }

    fn label(_from: NodeId, msg: &Msg) -> Label {
        let (kind, number) = match *msg {
            Msg::Acquire => ("ACQUIRE", 0),
            Msg::Grant(n) => ("GRANT", n),
            Msg::Release(n) => ("RELEASE", n),
            Msg::Renew(n) => ("RENEW", n),
            Msg::Expired(n) => ("EXPIRED", n),
        };
        Label { detail: (number > 0).then(|| number.to_string()), ..Label::bare(kind) }
    }

    fn fence(_cx: &Cx<'_>, state: &State) -> Option<u64> {
        state.token
    }

    fn storage_check(setup: &Setup, rule: StorageRule) -> StorageCheck {
        (Self::decisions(setup).check)(rule)
    }
}

const OPTIONS: &[OptionInfo] = &[
    OptionInfo { name: "from-33", about: "The first grant has the number 33." },
    OptionInfo {
        name: "session",
        about: "A lease begins with the ACQUIRE, so that it may end while its client is in the queue; `timeout L` ends those leases first.",
    },
];

/// One timeout, one storage with that rule, `writes` reads and writes a stay.
const fn at_storage(rule: StorageRule, on: FenceOn, writes: u32) -> Shows {
    Shows { faults: "timeout=1", storage: Some((rule, on)), writes, ..Shows::at(2, &[1]) }
}

const FENCE: Failure = Failure::Goal("violated(fence)");
const LOST: Failure = Failure::Goal("writes(P1, lost) > 0 or writes(P2, lost) > 0");
const LOCKED_OUT: Failure = Failure::Goal("writes(P1, refused) > 0 and entries(P2) == 0");
const SAME_HOLDER: Shows =
    Shows { faults: "", ..at_storage(StorageRule::Fenced, FenceOn::Both, 2) };
const COPIED: Shows = Shows { faults: "duplicate=1", ..Shows::at(3, &[1]) };
/// Any lease may end too early for its holder. Here P2's has ended in the queue, and no other does.
const ENDED_IN_QUEUE: Shows = Shows {
    from: "request P1; deliver P1>L; deliver L>P1; request P2; deliver P2>L; timeout L",
    ..Shows::at(3, &[0, 0, 1])
};

const BROKEN: [Broken<Decisions>; 6] = [
    broken("F1", "no-fencing", FENCE, at_storage(StorageRule::Plain, FenceOn::Writes, 1))
        .about("The storage looks at no fence: a stale write is accepted after a newer one.")
        .decides(Decisions { check: |_| StorageCheck::Nothing, ..PAPER }),
    broken("F2", "fence-writes-alone", LOST, at_storage(StorageRule::Fenced, FenceOn::Writes, 1))
        .about("The storage looks at the fences of writes alone: an update can be lost.")
        .decides(Decisions { fence_on: Some(FenceOn::Writes), ..PAPER }),
    broken("F3", "refuse-equal", LOCKED_OUT, SAME_HOLDER)
        .about("The storage refuses an equal fence as well: the rightful holder is refused from its second access on.")
        .decides(Decisions { check: |_| StorageCheck::LowerOrEqual, ..PAPER }),
    broken("F4", "check-and-set", FENCE, at_storage(StorageRule::Fenced, FenceOn::Both, 1))
        .about("Fences have no order; the storage takes a write if nothing was written since its client has read.")
        .decides(Decisions { check: |_| StorageCheck::Unchanged, ..PAPER }),
    broken("F5", "release-any", Failure::Violation, COPIED)
        .about("A RELEASE frees the lock, whoever holds it.")
        .decides(Decisions { holder_alone_releases: false, ..PAPER }),
    broken("F6", "grant-expired", Failure::Violation, ENDED_IN_QUEUE)
        .about("The lock is granted to a waiting client whose lease has ended in the queue.")
        .decides(Decisions { skips_expired: false, session: true, ..PAPER }),
];
