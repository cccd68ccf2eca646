//! JSON, for programs: settings, schedule, every state, properties.
//!
//! Others rely on it. Fields may be added; none is renamed or taken away while `VERSION` stays.

use super::{Exporter, Run, json_layout};
use crate::algorithm::Label;
use crate::model::{MsgId, Names, NodeId, Stamp};
use crate::sim::view::{Fence, StorageView, WriteView};
use crate::sim::{
    ClusterView, Fate, FlightView, Moved, Mutex, NodeView, Order, Progress, Sent, Simulation,
    StepRecord, Wait,
};
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// The version of the document.
pub const VERSION: u32 = 2;

/// The format.
#[derive(Debug)]
pub struct Json;

impl Exporter for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "for programs: settings, schedule, every state, properties"
    }

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        let end = run.end().view();
        let beginning = run.states().next().map(Simulation::view);
        let beginning = beginning.as_ref().unwrap_or(&end);
        json_layout::write(&Document::of(run, beginning, &end), out)
    }
}

/// A map that keeps its order.
struct Pairs<'a, V>(Vec<(&'a str, V)>);

impl<V: Serialize> Serialize for Pairs<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(k, v)| (k, v)))
    }
}

/// `[5, "P1"]`.
type StampPair<'a> = (u32, &'a str);

fn stamp_pair(stamp: Option<Stamp>, names: &Names) -> Option<StampPair<'_>> {
    stamp.map(|s| (s.clock, names.get(s.node)))
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    algorithm: &'a str,
    variant: Option<&'a str>,
    nodes: Vec<&'a str>,
    clocks: &'a [u32],
    clock_rule: &'a str,
    channels: &'a str,
    options: &'a [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinator: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quorums: Vec<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tree: Vec<&'a str>,
    start: &'a [String],
    seed: Option<u64>,
    schedule: Vec<String>,
    steps: Steps<'a>,
    entries: Vec<&'a str>,
    exits: Vec<&'a str>,
    messages: Pairs<'a, u32>,
    /// The sums of the kinds of each sort, where others than the algorithm's were sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    messages_of: Option<Pairs<'a, u32>>,
    lamps: LampsJson<'a>,
    in_flight: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    storage: Option<StorageJson<'a>>,
    /// What the nodes hold before the first step.
    initial: Held<'a>,
}

impl<'a> Document<'a> {
    fn of(run: &'a Run<'a>, beginning: &'a ClusterView, end: &'a ClusterView) -> Self {
        let (setup, info, names) = (run.setup(), run.info(), run.names());
        let name = |n: NodeId| names.get(n);
        let mut messages = end.messages.clone();
        messages.push(("total", end.total_messages()));
        let (storage, outside) = (end.storage_messages(), end.told_outside());
        let sorts =
            [("algorithm", end.total_messages()), ("storage", storage), ("outside", outside)];
        let flight = |f: &'a FlightView| Message::new(f.id, &f.label, names);
        Self {
            version: VERSION,
            algorithm: info.slug,
            variant: setup.variant_word(),
            nodes: setup.client_ids().map(name).collect(),
            clocks: &setup.clocks[..setup.clients],
            clock_rule: setup.clock_rule.word(),
            channels: setup.channels.word(),
            options: &setup.options,
            coordinator: setup.coordinator.map(name),
            quorums: setup.quorums.iter().map(|set| set.iter().map(name).collect()).collect(),
            tree: setup.tree.iter().copied().map(name).collect(),
            start: &run.lab().config().start,
            seed: run.seed,
            schedule: run.steps().map(|(record, _)| record.event.show(names)).collect(),
            steps: Steps(run),
            entries: run.entries().map(name).collect(),
            exits: run.exits().map(name).collect(),
            messages: Pairs(messages),
            messages_of: (storage + outside > 0).then(|| Pairs(sorts.to_vec())),
            lamps: LampsJson::new(end, names),
            in_flight: end.in_flight.iter().map(flight).collect(),
            storage: end.storage.as_ref().map(|s| StorageJson::new(s, names)),
            initial: Held::new(beginning, names),
        }
    }
}

/// The steps, written one at a time: a long run has a large view after each of them.
struct Steps<'a>(&'a Run<'a>);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        for (record, state) in self.0.steps() {
            seq.serialize_element(&Step::new(record, &state.view(), self.0.names()))?;
        }
        seq.end()
    }
}

/// What the nodes hold.
#[derive(Serialize)]
struct Held<'a> {
    nodes: Pairs<'a, Node<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    storage: Option<KeptJson<'a>>,
}

impl<'a> Held<'a> {
    fn new(view: &'a ClusterView, names: &'a Names) -> Self {
        let node = |v: &'a NodeView| (v.name.as_str(), Node::new(v, names));
        Self {
            nodes: Pairs(view.nodes.iter().map(node).collect()),
            storage: view.storage.as_ref().map(|s| KeptJson::new(s, names)),
        }
    }
}

#[derive(Serialize)]
struct Step<'a> {
    n: u32,
    event: String,
    text: String,
    rules: Vec<&'a str>,
    node: Option<&'a str>,
    entered: Option<&'a str>,
    left: Option<&'a str>,
    sent: Vec<Message<'a>>,
    delivered: Option<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copied: Option<Message<'a>>,
    /// The id of the copy, where one was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    copy: Option<String>,
    outcomes: &'a [&'a str],
    #[serde(flatten)]
    after: Held<'a>,
}

impl<'a> Step<'a> {
    fn new(record: &'a StepRecord, view: &'a ClusterView, names: &'a Names) -> Self {
        let name = |n: NodeId| names.get(n);
        let moved = |wanted: fn(&Fate) -> bool| {
            let moved = record.moved.as_ref().filter(|m: &&Moved| wanted(&m.fate));
            moved.map(|m| Message::new(m.message.id, &m.message.label, names))
        };
        let sent = |s: &'a Sent| Message::new(s.id, &s.label, names);
        let copy = record.moved.as_ref().and_then(|m| match &m.fate {
            Fate::Copied(id) => Some(id.show(names)),
            _ => None,
        });
        Self {
            n: record.n,
            event: record.event.show(names),
            text: crate::trace::narrate::sentence(record, names),
            rules: record.rules.iter().map(|(id, _)| *id).collect(),
            node: record.node.map(name),
            entered: record.entered.map(name),
            left: record.left.map(name),
            sent: record.sent.iter().map(sent).collect(),
            delivered: moved(|fate| *fate == Fate::Delivered),
            lost: moved(|fate| matches!(fate, Fate::Dropped | Fate::LostAtCrashed)),
            copied: moved(|fate| matches!(fate, Fate::Copied(_))),
            copy,
            outcomes: &record.outcomes,
            after: Held::new(view, names),
        }
    }
}

#[derive(Serialize)]
struct Message<'a> {
    id: String,
    kind: &'a str,
    stamp: Option<StampPair<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    /// What it takes along: a token's counters, its queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    carries: Option<Pairs<'a, serde_json::Value>>,
}

impl<'a> Message<'a> {
    fn new(id: MsgId, label: &'a Label, names: &'a Names) -> Self {
        let stamp = stamp_pair(label.stamp, names);
        let carried = label.carries.iter().map(|(name, value)| (*name, value.to_json(names)));
        let carries = (!label.carries.is_empty()).then(|| Pairs(carried.collect()));
        let (id, detail) = (id.show(names), label.detail.as_deref());
        Self { id, kind: label.kind, stamp, detail, carries }
    }
}

#[derive(Serialize)]
struct Node<'a> {
    phase: &'a str,
    clock: Option<u32>,
    fields: Pairs<'a, serde_json::Value>,
}

impl<'a> Node<'a> {
    fn new(view: &'a NodeView, names: &Names) -> Self {
        let fields = view.fields.0.iter().map(|(name, value)| (*name, value.to_json(names)));
        Self { phase: view.word(), clock: view.clock, fields: Pairs(fields.collect()) }
    }
}

#[derive(Serialize)]
struct LampsJson<'a> {
    mutex: MutexLamp<'a>,
    progress: ProgressLamp<'a>,
    token: Option<u32>,
    order: OrderLamp<'a>,
    /// The order of the fences that the storage node has accepted, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    fence: Option<&'static str>,
    /// After which step the same state stood before, where the run goes round.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as_after: Option<u32>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum MutexLamp<'a> {
    Word(&'a str),
    Violated { violated: [&'a str; 2], at: u32 },
}

#[derive(Serialize)]
#[serde(untagged)]
enum ProgressLamp<'a> {
    Word(&'a str),
    Stuck { stuck: Pairs<'a, String>, cycle: Vec<&'a str> },
}

#[derive(Serialize)]
#[serde(untagged)]
enum OrderLamp<'a> {
    Word(&'a str),
    Broken { broken: [&'a str; 2] },
}

impl<'a> LampsJson<'a> {
    fn new(view: &ClusterView, names: &'a Names) -> Self {
        let lamps = &view.lamps;
        let pair = |a: NodeId, b: NodeId| [names.get(a), names.get(b)];
        Self {
            mutex: match &lamps.mutex {
                Mutex::Ok => MutexLamp::Word("ok"),
                Mutex::Violated(a, b, at) => {
                    MutexLamp::Violated { violated: pair(*a, *b), at: *at }
                }
            },
            progress: match &lamps.progress {
                Progress::Ok => ProgressLamp::Word("ok"),
                Progress::GoesRound { .. } => ProgressLamp::Word("never-ends"),
                Progress::Stuck { waits, cycle } => ProgressLamp::Stuck {
                    stuck: waits_by_node(waits, names),
                    cycle: cycle.iter().map(|n| names.get(*n)).collect(),
                },
            },
            token: lamps.tokens,
            order: match &lamps.order {
                Order::Kept => OrderLamp::Word("kept"),
                Order::NotPromised => OrderLamp::Word("not-promised"),
                Order::Broken(a, b) => OrderLamp::Broken { broken: pair(*a, *b) },
            },
            fence: view.storage.as_ref().map(|storage| match storage.fence() {
                Fence::Kept => "ok",
                Fence::Violated => "violated",
                Fence::NotGiven => "not-given",
            }),
            same_as_after: match lamps.progress {
                Progress::GoesRound { since } => Some(since),
                Progress::Ok | Progress::Stuck { .. } => None,
            },
        }
    }
}

/// What the storage node keeps after a step.
#[derive(Serialize)]
struct KeptJson<'a> {
    highest: Option<u64>,
    /// The last accepted write and its writer: `["w1", "P2"]`.
    last: Option<(String, &'a str)>,
}

impl<'a> KeptJson<'a> {
    fn new(storage: &StorageView, names: &'a Names) -> Self {
        let last = storage.last.map(|(number, writer)| (format!("w{number}"), names.get(writer)));
        Self { highest: storage.highest, last }
    }
}

/// The storage node, with every write that has reached it.
#[derive(Serialize)]
struct StorageJson<'a> {
    node: &'a str,
    rule: &'static str,
    fence: &'static str,
    highest: Option<u64>,
    violated: bool,
    writes: Vec<WriteJson<'a>>,
}

#[derive(Serialize)]
struct WriteJson<'a> {
    step: u32,
    client: &'a str,
    fence: Option<u64>,
    accepted: Option<u32>,
    overwrites: Option<u32>,
}

impl<'a> StorageJson<'a> {
    fn new(storage: &StorageView, names: &'a Names) -> Self {
        let write = |w: &WriteView| WriteJson {
            step: w.step,
            client: names.get(w.client),
            fence: w.fence,
            accepted: w.accepted,
            overwrites: w.overwrites,
        };
        Self {
            node: names.get(storage.node),
            rule: storage.rule.word(),
            fence: storage.fence_on.word(),
            highest: storage.highest,
            violated: storage.fence_violated,
            writes: storage.writes.iter().map(write).collect(),
        }
    }
}

/// One sentence for each node that waits, however many messages it waits for.
fn waits_by_node<'a>(waits: &[Wait], names: &'a Names) -> Pairs<'a, String> {
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for wait in waits {
        let name = names.get(wait.node);
        match pairs.iter_mut().find(|(n, _)| *n == name) {
            Some((_, text)) => {
                text.push_str("; ");
                text.push_str(&wait.text);
            }
            None => pairs.push((name, wait.text.clone())),
        }
    }
    Pairs(pairs)
}
