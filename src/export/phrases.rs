//! Words for what a run shows, shared by everything that writes it as plain text.
//!
//! Phrases and sentences only: no lines, no columns, no marks, and nothing is judged here.

use crate::input::verb;
use crate::model::{ChannelOrder, FenceOn, Names, NodeId, NodeSet, Phase, StorageRule};
use crate::sim::view::{Fence, StorageView, WriteView};
use crate::sim::{ClusterView, Mutex, NodeView, Order, Progress, Simulation, StepRecord};

/// A message as a sentence of its own: with a capital and a full stop.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

/// Things one after the other, with commas between them.
pub fn list<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

/// What a step sent, the receivers of the same words together; empty: nothing.
#[must_use]
pub fn sent(record: &StepRecord, names: &Names) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for sent in &record.sent {
        let (label, to) = (sent.label.full(names), names.get(sent.id.to));
        match groups.last_mut().filter(|(last, _)| *last == label) {
            Some((_, receivers)) => receivers.push(to),
            None => groups.push((label, vec![to])),
        }
    }
    list(groups.iter().map(|(label, to)| format!("{label} to {}", to.join(" "))))
}

/// How channels hand over.
#[must_use]
pub fn channels(order: ChannelOrder) -> &'static str {
    match order {
        ChannelOrder::Fifo => "fifo",
        ChannelOrder::AnyOrder => "any order",
    }
}

/// `P2 waits with (3,P2), and has crashed`.
#[must_use]
pub fn waits(node: &NodeView, names: &Names) -> String {
    let crashed = if node.crashed { ", and has crashed" } else { "" };
    let request = node.request.map_or(String::new(), |s| format!(" with {}", s.show(names)));
    format!("{} waits{request}{crashed}", node.name)
}

/// A waiting node's conditions, whether each is met, and where what is missing is.
#[must_use]
pub fn conditions(state: &dyn Simulation, node: NodeId) -> Vec<(bool, String)> {
    let one = |line: crate::sim::WhyLine| {
        let place = line.whereabouts.map_or(String::new(), |w| format!(" ({w})"));
        (line.met, format!("{}{place}", line.text))
    };
    state.why(node).into_iter().map(one).collect()
}

/// `P2`, `nobody`, or everybody who is inside at the same time.
#[must_use]
pub fn holders(view: &ClusterView, names: &Names) -> String {
    names.sentence(view.holders.iter().copied().collect())
}

/// Messages sent so far: `8 (REQUEST 4, REPLY 4)`. A count and its parts are of one sort: the
/// algorithm's messages are what an entry costs; the storage's, and what was told outside the algorithm,
/// are counted apart.
#[must_use]
pub fn messages(view: &ClusterView) -> String {
    let part = |total: u32, name: &str, of: &dyn Fn(&str) -> bool| {
        let kinds = view.messages.iter().filter(|(kind, _)| of(kind));
        let kinds = list(kinds.map(|(kind, n)| format!("{kind} {n}")));
        let kinds = if kinds.is_empty() { kinds } else { format!(" ({kinds})") };
        format!("{total}{name}{kinds}")
    };
    let storage = |kind: &str| crate::sim::store::KINDS.contains(&kind);
    let outside = |kind: &str| kind == crate::sim::TELL;
    let own = |kind: &str| !storage(kind) && !outside(kind);
    let others = [
        part(view.storage_messages(), " to and from the storage", &storage),
        part(view.told_outside(), " outside the algorithm", &outside),
    ];
    let counts = [view.storage_messages(), view.told_outside()];
    let others = others.into_iter().zip(counts).filter(|(_, n)| *n > 0).map(|(text, _)| text);
    let name = if counts == [0, 0] { "" } else { " of the algorithm" };
    let all: Vec<String> =
        [part(view.total_messages(), name, &own)].into_iter().chain(others).collect();
    all.join("; ")
}

/// Every property that means something here: its name and how it stands.
#[must_use]
pub fn properties(state: &dyn Simulation, view: &ClusterView) -> Vec<(&'static str, String)> {
    let names = &state.setup().names;
    let mut all = vec![
        ("mutex", mutex(&view.lamps.mutex, names)),
        ("progress", progress(&view.lamps.progress, names)),
    ];
    if let Some(tokens) = view.lamps.tokens {
        all.push(("token", token(tokens)));
    }
    all.push(("order", order(&view.lamps.order, names)));
    if let Some(storage) = &view.storage {
        all.push(("fence", fence(storage).to_owned()));
    }
    if let Some((node, fault)) = state.fault() {
        all.push(("script", format!("FAILS at {}: {fault}", names.get(node))));
    }
    all
}

/// What the storage node looks at, and the highest fence that it has seen.
#[must_use]
pub fn storage(view: &StorageView) -> String {
    let what = match (view.rule, view.fence_on) {
        (StorageRule::Plain, _) => return "plain, looks at no fence".to_owned(),
        (StorageRule::Fenced, FenceOn::Writes) => "fenced, looks at the fences of writes",
        (StorageRule::Fenced, FenceOn::Both) => "fenced, looks at the fences of reads and writes",
    };
    let highest = view.highest.map_or("none".to_owned(), |fence| fence.to_string());
    format!("{what}; highest fence seen: {highest}")
}

/// What became of a write: `w1 of P2 with fence 34: accepted`.
#[must_use]
pub fn write(view: &StorageView, write: &WriteView, names: &Names) -> String {
    let client = names.get(write.client);
    let fence = write.fence.map_or("no fence".to_owned(), |f| format!("fence {f}"));
    let Some(number) = write.accepted else {
        return format!("WRITE of {client} with {fence}: refused");
    };
    let mut text = format!("w{number} of {client} with {fence}: accepted");
    if let Some(lost) = write.overwrites {
        let writer = view.writes.iter().find(|w| w.accepted == Some(lost)).map(|w| w.client);
        let whose = writer.map_or(String::new(), |w| format!(" of {}", names.get(w)));
        text +=
            &format!("; LOST UPDATE: it overwrites w{lost}{whose}, which {client} had not seen");
    }
    text
}

/// Whether a run has come to a good end: something happened, nobody waits, nobody is inside, and no
/// token has gone or multiplied.
#[must_use]
pub fn is_done(view: &ClusterView) -> bool {
    let idle = view.nodes.iter().all(|n| n.phase == Phase::Idle);
    let lamps = &view.lamps;
    let sound = lamps.mutex == Mutex::Ok
        && lamps.progress == Progress::Ok
        && lamps.tokens.is_none_or(|tokens| tokens == 1);
    view.step > 0 && idle && sound
}

fn mutex(lamp: &Mutex, names: &Names) -> String {
    match lamp {
        Mutex::Ok => "ok: never two nodes inside".to_owned(),
        Mutex::Violated(a, b, at) => {
            let (a, b) = (names.get(*a), names.get(*b));
            format!("VIOLATED: {a} and {b} were inside together, first after step {at}")
        }
    }
}

fn progress(lamp: &Progress, names: &Names) -> String {
    let (waits, cycle) = match lamp {
        Progress::Ok => return "ok".to_owned(),
        Progress::GoesRound { since } => {
            let when =
                if *since == 0 { "at the beginning".into() } else { format!("after step {since}") };
            return format!(
                "NEVER ENDS: deliveries alone have led back to the state that stood {when}, so it can go round for ever"
            );
        }
        Progress::Stuck { waits, cycle } => (waits, cycle),
    };
    let all: NodeSet = waits.iter().map(|w| w.node).collect();
    let (who, wait) = (names.sentence(all), verb(all.len(), "waits", "wait"));
    let mut text = format!("STUCK: {who} {wait}, and nothing comes by itself any more");
    let next = cycle.iter().cycle().skip(1);
    let round = list(cycle.iter().zip(next).map(|(a, b)| {
        let (a, b) = (names.get(*a), names.get(*b));
        format!("{a} waits for {b}")
    }));
    if !round.is_empty() {
        text += &format!("; in a cycle: {round}");
    }
    text
}

fn fence(storage: &StorageView) -> &'static str {
    let written = storage.writes.iter().any(|w| w.accepted.is_some());
    match storage.fence() {
        Fence::Violated => "VIOLATED: a lower fence was accepted after a higher one",
        Fence::Kept if written => "ok: no fence was accepted after a higher one",
        Fence::Kept => "ok: nothing was written yet",
        Fence::NotGiven => "not given by this algorithm",
    }
}

fn token(tokens: u32) -> String {
    match tokens {
        0 => "LOST: there is none".to_owned(),
        1 => "ok: exactly one".to_owned(),
        more => format!("VIOLATED: there are {more}"),
    }
}

fn order(lamp: &Order, names: &Names) -> String {
    match lamp {
        Order::Kept => "kept: entries follow the stamps".to_owned(),
        Order::NotPromised => "not promised by this algorithm".to_owned(),
        Order::Broken(a, b) => {
            let (a, b) = (names.get(*a), names.get(*b));
            format!("BROKEN: {a} entered before {b}, whose request came before")
        }
    }
}
