//! Plain text, for people and screen readers: numbered sentences, then what stands at the end.
//!
//! Lines of at most 80 columns where words allow it, no drawing, no colour, no control characters.

use super::ascii::to_ascii;
use super::columns::{table, width, wrap};
use super::phrases::{self, list, sent};
use super::{Exporter, Run};
use crate::model::{Names, NodeId, Phase, Value};
use crate::sim::{ClusterView, NodeView, Simulation, StepRecord};
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
        put(storage(&view, run.names()))?;
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

fn head(run: &Run<'_>) -> String {
    let (setup, info) = (run.setup(), run.info());
    let name = |n: NodeId| setup.name(n);
    let mut text = format!("{}\n", info.title);
    if let Some(variant) = setup.variant() {
        let about = format!("{} ({}). {}", variant.slug, variant.id, variant.about);
        text += &item("variant", &about);
    }
    text += &item("nodes", &list(setup.client_ids().map(name)));
    if !setup.options.is_empty() {
        text += &item("options", &list(setup.options.iter()));
    }
    if setup.total() > setup.clients {
        text += &item("helpers", &list(setup.all_ids().skip(setup.clients).map(name)));
    }
    if run.end().view().nodes.iter().any(|n| n.clock.is_some()) {
        let first = list(setup.clocks[..setup.clients].iter());
        text += &item("clocks", &format!("{first}; rule {}", setup.clock_rule.word()));
    }
    text += &item("channels", phrases::channels(setup.channels));
    let start = &run.lab().config().start;
    if !start.is_empty() {
        text += &item("start", &start.join("; "));
    }
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
    let state = |n: &NodeView| state(n, view);
    rows.extend(view.nodes.iter().map(|n| row(n, state(n), clocks, &fields, names)));
    let mut text = table(&rows, "  ");
    if width(&text) > WIDTH {
        text = by_node(&rows);
    }
    let marked = |n: &NodeView| n.fields.0.iter().any(|(_, v)| is_marked(v));
    if view.nodes.iter().any(marked) {
        let slug = run.info().slug;
        text += &format!("  {MET} means good enough; for what: `lockstep algorithms {slug}`\n");
    }
    title + text.as_str()
}

/// A helper never asks: its phase says nothing.
fn state(node: &NodeView, view: &ClusterView) -> &'static str {
    match &view.storage {
        _ if node.client || node.crashed => node.word(),
        Some(storage) if storage.node == node.id => storage.rule.word(),
        _ => "–",
    }
}

fn row(node: &NodeView, state: &str, clocks: bool, fields: &[&str], names: &Names) -> Vec<String> {
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

/// What the storage node was asked to write, and what it did.
fn storage(view: &ClusterView, names: &Names) -> String {
    let Some(storage) = &view.storage else { return String::new() };
    let about = phrases::storage(storage);
    let mut text = wrap(&about, &format!("\nStorage {}: ", names.get(storage.node)), WIDTH);
    for write in &storage.writes {
        let mark = if write.overwrites.is_some() { '!' } else { ' ' };
        let first = format!("{mark}{:>3}. ", write.step);
        text += &wrap(&phrases::write(storage, write, names), &first, WIDTH);
    }
    if storage.writes.is_empty() {
        text += "  nothing was written\n";
    }
    text
}

/// Who waits, and which conditions are met or missing.
fn waiting(state: &dyn Simulation, view: &ClusterView, names: &Names) -> String {
    let waits = |n: &&NodeView| n.client && n.phase == Phase::Waiting;
    let mut text = String::new();
    for node in view.nodes.iter().filter(waits) {
        text += &format!("\n{}\n", phrases::waits(node, names));
        for (met, condition) in phrases::conditions(state, node.id) {
            let first = if met { "  met:      " } else { "  missing:  " };
            text += &wrap(&condition, first, WIDTH);
        }
    }
    text
}

fn in_flight(view: &ClusterView, names: &Names) -> String {
    let mut text = String::new();
    for (i, flight) in view.in_flight.iter().enumerate() {
        let label = flight.label.full(names);
        let behind = flight.behind.map_or(String::new(), |b| format!(", behind {}", b.no));
        text += &format!("{:>4}. {}  {label}{behind}\n", i + 1, flight.id.show(names));
    }
    if text.is_empty() { text } else { format!("\nIn flight, oldest first\n{text}") }
}

fn summary(run: &Run<'_>, view: &ClusterView) -> String {
    let names = run.names();
    let name = |n: NodeId| names.get(n);
    let or_nobody = |text: String| if text.is_empty() { "nobody".to_owned() } else { text };
    let mut text = "\nResult\n".to_owned();
    text += &item("entered", &or_nobody(list(run.entries().map(name))));
    text += &item("left", &or_nobody(list(run.exits().map(name))));
    text += &item("messages", &phrases::messages(view));
    for (name, stands) in phrases::properties(run.end(), view) {
        text += &item(name, &stands);
    }
    if phrases::is_done(view) {
        text += "  Finished: nobody waits and nobody is inside.\n";
    }
    text
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
