//! Plain text, for people and screen readers: numbered sentences, then what stands at the end.
//!
//! Lines of at most 80 columns where words allow it, no drawing, no colour, no control characters.

use super::columns::{table, to_ascii, width, wrap};
use super::{Exporter, Run};
use crate::model::{ChannelOrder, Names, NodeId, Phase, Value};
use crate::sim::{ClusterView, Mutex, NodeView, Order, Progress, Simulation, StepRecord};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr as _;

const WIDTH: usize = 80;
/// Marks a value that is good enough for what its variable is looked at.
const MET: &str = "+";

/// The format.
#[derive(Debug)]
pub struct Text;

impl Exporter for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "for people: one sentence a step, then states, messages, properties"
    }

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        let mut put = |text: String| {
            let text = if run.ascii { to_ascii(&text) } else { text };
            out.write_all(text.as_bytes())
        };
        put(head(run))?;
        for (record, _) in run.steps() {
            put(step(record, run.names()))?;
        }
        let view = run.end().view();
        put(nodes(run, &view))?;
        put(waiting(run.end(), &view, run.names()))?;
        put(in_flight(&view, run.names()))?;
        put(summary(run, &view))?;
        put(schedule(run))
    }
}

/// A line `name: value`, the value indented when it is long.
fn item(name: &str, value: &str) -> String {
    wrap(value, &format!("  {:<10}", format!("{name}:")), WIDTH)
}

fn list<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

fn head(run: &Run<'_>) -> String {
    let (setup, info) = (run.setup(), run.info());
    let name = |n: NodeId| setup.name(n);
    let mut text = format!("{}\n", info.title);
    if let Some(variant) = setup.variant.and_then(|id| info.variant(id)) {
        let about = format!("{} ({}). {}", variant.slug, variant.id, variant.about);
        text += &item("variant", &about);
    }
    text += &item("nodes", &list(setup.client_ids().map(name)));
    if setup.total() > setup.clients {
        text += &item("helpers", &list(setup.all_ids().skip(setup.clients).map(name)));
    }
    if run.end().view().nodes.iter().any(|n| n.clock.is_some()) {
        let first = list(setup.clocks[..setup.clients].iter());
        text += &item("clocks", &format!("{first}; rule {}", setup.clock_rule.word()));
    }
    text += &item(
        "channels",
        match setup.channels {
            ChannelOrder::Fifo => "fifo",
            ChannelOrder::AnyOrder => "any order",
        },
    );
    if let Some(seed) = run.seed {
        text += &item("seed", &seed.to_string());
    }
    text + "\nSteps\n"
}

fn step(record: &StepRecord, names: &Names) -> String {
    let mut title = format!("{:>4}. {}", record.n, record.event.show(names));
    for (node, does) in [(record.left, "leaves"), (record.entered, "ENTERS")] {
        if let Some(node) = node {
            title += &format!("  [{} {does}]", names.get(node));
        }
    }
    let mut text = title + "\n";
    let sentence = crate::trace::narrate::sentence(record, names);
    if !sentence.is_empty() {
        text += &wrap(&sentence, "      ", WIDTH);
    }
    let sent = sent(record, names);
    if !sent.is_empty() {
        text += &wrap(&format!("Sent: {sent}."), "      ", WIDTH);
    }
    text
}

/// What a step sent, the receivers of the same words together.
fn sent(record: &StepRecord, names: &Names) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for sent in &record.sent {
        let (label, to) = (sent.label.show(names), names.get(sent.id.to));
        match groups.last_mut().filter(|(last, _)| *last == label) {
            Some((_, receivers)) => receivers.push(to),
            None => groups.push((label, vec![to])),
        }
    }
    list(groups.iter().map(|(label, to)| format!("{label} to {}", to.join(" "))))
}

fn nodes(run: &Run<'_>, view: &ClusterView) -> String {
    let title = match view.step {
        0 => "\nAt the beginning\n".to_owned(),
        n => format!("\nAfter step {n}\n"),
    };
    let names = run.names();
    let clocks = view.nodes.iter().any(|n| n.clock.is_some());
    let has = |name: &&str| view.nodes.iter().any(|n| n.fields.get(name).is_some());
    let fields: Vec<&str> = run.info().fields.iter().map(|f| f.name).filter(has).collect();
    let mut header = vec!["node", "state"];
    if clocks {
        header.push("clock");
    }
    header.extend(&fields);
    let mut rows = vec![header.iter().map(|h| (*h).to_owned()).collect()];
    rows.extend(view.nodes.iter().map(|n| row(n, clocks, &fields, names)));
    let mut text = table(&rows, "  ");
    if width(&text) > WIDTH {
        text = by_node(&rows);
    }
    let marked = |n: &NodeView| n.fields.0.iter().any(|(_, v)| is_marked(v));
    if view.nodes.iter().any(marked) {
        let slug = run.info().slug;
        text += &format!("  {MET} means good enough; for what: `lockstep algorithms {slug}`\n");
    }
    title + &text
}

fn row(node: &NodeView, clocks: bool, fields: &[&str], names: &Names) -> Vec<String> {
    // A helper never asks: its phase says nothing.
    let state = if node.client || node.crashed { node.word() } else { "–" };
    let mut cells = vec![node.name.clone(), state.to_owned()];
    if clocks {
        cells.push(node.clock.map_or(String::new(), |c| c.to_string()));
    }
    let cell =
        |name: &&str| node.fields.get(name).map_or(String::new(), |v| v.show(names, MET, ""));
    cells.extend(fields.iter().map(cell));
    cells
}

/// The same table, too wide for the page, node by node.
fn by_node(rows: &[Vec<String>]) -> String {
    let (header, nodes) = rows.split_first().expect("a table has a header");
    let one = |cells: &Vec<String>| {
        let named = header.iter().zip(cells).skip(1).filter(|(_, cell)| !cell.is_empty());
        let parts = named.map(|(name, cell)| format!("{name} {cell}"));
        wrap(&parts.collect::<Vec<_>>().join("; "), &format!("  {}  ", cells[0]), WIDTH)
    };
    nodes.iter().map(one).collect()
}

fn is_marked(value: &Value) -> bool {
    match value {
        Value::Marked(_, met) => *met,
        Value::PerNode(items) => items.iter().any(|(_, _, met)| *met == Some(true)),
        Value::None | Value::Num(_) | Value::Bool(_) | Value::Word(_) | Value::Node(_) => false,
        Value::Stamp(_) | Value::Set(_) | Value::List(_) => false,
    }
}

/// Who waits, and which conditions are met or missing.
fn waiting(state: &dyn Simulation, view: &ClusterView, names: &Names) -> String {
    let waits = |n: &&NodeView| n.client && n.phase == Phase::Waiting;
    let mut text = String::new();
    for node in view.nodes.iter().filter(waits) {
        let crashed = if node.crashed { ", and has crashed" } else { "" };
        let request = node.request.map_or(String::new(), |s| format!(" with {}", s.show(names)));
        text += &format!("\n{} waits{request}{crashed}\n", node.name);
        for line in state.why(node.id) {
            let place = line.whereabouts.map_or(String::new(), |w| format!(" ({w})"));
            let first = if line.met { "  met:      " } else { "  missing:  " };
            text += &wrap(&format!("{}{place}", line.text), first, WIDTH);
        }
    }
    text
}

fn in_flight(view: &ClusterView, names: &Names) -> String {
    let mut text = String::new();
    for (i, flight) in view.in_flight.iter().enumerate() {
        let label = flight.label.show(names);
        let behind = flight.behind.map_or(String::new(), |b| format!(", behind {}", b.no));
        text += &format!("{:>4}. {}  {label}{behind}\n", i + 1, flight.id.show(names));
    }
    if text.is_empty() { text } else { format!("\nIn flight, oldest first\n{text}") }
}

fn summary(run: &Run<'_>, view: &ClusterView) -> String {
    let names = run.names();
    let name = |n: NodeId| names.get(n);
    let or_nobody = |text: String| if text.is_empty() { "nobody".to_owned() } else { text };
    let kinds = list(view.messages.iter().map(|(kind, n)| format!("{kind} {n}")));
    let mut text = "\nResult\n".to_owned();
    text += &item("entered", &or_nobody(list(run.entries().map(name))));
    text += &item("left", &or_nobody(list(run.exits().map(name))));
    text += &item("messages", &format!("{} ({kinds})", view.total_messages()));
    text += &item("mutex", &mutex(&view.lamps.mutex, names));
    text += &item("progress", &progress(&view.lamps.progress, names));
    if let Some(tokens) = view.lamps.tokens {
        text += &item("token", &token(tokens));
    }
    text += &item("order", &order(&view.lamps.order, names));
    if run.end().fence_violated() {
        text += &item("fence", "VIOLATED: a lower fence was accepted after a higher one");
    }
    let idle = view.nodes.iter().all(|n| n.phase == Phase::Idle);
    if view.step > 0 && idle && view.lamps.mutex == Mutex::Ok {
        text += "  Finished: nobody waits and nobody is inside.\n";
    }
    text
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
    let Progress::Stuck { waits, cycle } = lamp else { return "ok".to_owned() };
    let who = names.sentence(waits.iter().map(|w| w.node).collect());
    let mut text =
        format!("STUCK: {who} can never enter, because nothing comes by itself any more");
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

/// The events once more, in the form that `--schedule` takes; lines break between events.
fn schedule(run: &Run<'_>) -> String {
    let events = run.lab().schedule_text();
    let mut lines: Vec<String> = Vec::new();
    for event in events.split_inclusive(';').map(str::trim).filter(|e| !e.is_empty()) {
        match lines.last_mut().filter(|l| l.width() + event.width() + 3 <= WIDTH) {
            Some(line) => *line += &format!(" {event}"),
            None => lines.push(event.to_owned()),
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("\nSchedule\n{}", lines.iter().map(|l| format!("  {l}\n")).collect::<String>())
}
