//! Mermaid: a sequence diagram, which many viewers of Markdown draw.
//!
//! An arrow of Mermaid is one row: it has no way to leave in one row and arrive in another. So it stands
//! where the message ARRIVES, with the step that sent it in its label; a message that overtakes another
//! one is then seen by these numbers, and no arrow says something untrue about the order of receipts.
//! What is still on its way stands in a note at the end. Viewers take texts of up to 50,000 characters,
//! which is a run of about 500 steps.

use super::{Exporter, Run, phrases};
use crate::algorithm::{Info, Line};
use crate::model::{Names, NodeId};
use crate::sim::{Fate, Moved, StepRecord};
use crate::trace::diagram::silent_words;
use std::io::{self, Write};

/// Viewers refuse a text of more characters (`maxTextSize` of Mermaid's settings).
const LONGEST: usize = 50_000;

/// The format.
#[derive(Debug)]
pub struct Mermaid;

impl Exporter for Mermaid {
    fn name(&self) -> &'static str {
        "mermaid"
    }

    fn about(&self) -> &'static str {
        "a sequence diagram for Markdown; arrows stand where messages arrive"
    }

    fn caution(&self, text: &str) -> Option<String> {
        let length = text.chars().count();
        (length > LONGEST).then(|| {
            format!("viewers of Mermaid refuse more than {LONGEST} characters, and these are {length}: --at ends the run earlier")
        })
    }

    fn refuses(&self, run: &Run<'_>) -> Option<String> {
        run.width.map(|_| super::NO_WIDTH.to_owned())
    }

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        let names = run.names();
        writeln!(out, "sequenceDiagram")?;
        for (i, name) in names.iter().enumerate() {
            writeln!(out, "    participant n{} as {}", i + 1, escape(name))?;
        }
        for (record, state) in run.steps() {
            for line in lines(record, state.info(), names) {
                writeln!(out, "    {line}")?;
            }
        }
        let view = run.end().view();
        for flight in &view.in_flight {
            let (id, label) = (flight.id, flight.label.full(names));
            let text = format!("on its way to {}: {label}", names.get(id.to));
            writeln!(out, "    {}", note(id.from, &text))?;
        }
        Ok(())
    }
}

/// The rows of one step.
fn lines(record: &StepRecord, info: &Info, names: &Names) -> Vec<String> {
    let mut rows = Vec::new();
    if let Some(moved) = &record.moved {
        rows.push(arrow(moved, record.n, names));
    } else if let Some(node) = record.node {
        let event = record.event.show(names);
        rows.push(note(node, &format!("{}. {}", record.n, spoken(record, &event, names))));
    }
    let silent = silent_words(record, info).join(", ");
    if !silent.is_empty() {
        rows.extend(record.node.map(|node| note(node, &silent)));
    }
    if record.moved.is_some() && !record.sent.is_empty() && record.node.is_some() {
        let text = format!("sends {}", phrases::sent(record, names));
        rows.extend(record.node.map(|node| note(node, &text)));
    }
    for (node, does) in [(record.left, "leaves"), (record.entered, "ENTERS")] {
        rows.extend(node.map(|n| note(n, &format!("{} {does}", names.get(n)))));
    }
    rows
}

fn spoken(record: &StepRecord, event: &str, names: &Names) -> String {
    match phrases::sent(record, names) {
        sent if sent.is_empty() => event.to_owned(),
        sent => format!("{event}, sends {sent}"),
    }
}

fn arrow(moved: &Moved, step: u32, names: &Names) -> String {
    let id = moved.message.id;
    let dash = match moved.message.line {
        Line::Request => "-",
        Line::Reply => "--",
    };
    let (head, fate) = match moved.fate {
        Fate::Delivered => (")", ""),
        Fate::LostAtCrashed => ("x", ", lost: its receiver has crashed"),
        Fate::Dropped => ("x", ", lost on the way"),
        Fate::Copied(_) => {
            let text = format!("{step}. the network copies {}", moved.message.label.show(names));
            return format!("Note over {},{}: {}", place(id.from), place(id.to), escape(&text));
        }
    };
    let sent = match moved.sent_at {
        0 => "sent before".to_owned(),
        n => format!("sent at {n}"),
    };
    let text = format!("{step}. {} ({sent}){fate}", moved.message.label.show(names));
    format!("{}{dash}{head}{}: {}", place(id.from), place(id.to), escape(&text))
}

fn note(node: NodeId, text: &str) -> String {
    format!("Note over {}: {}", place(node), escape(text))
}

fn place(node: NodeId) -> String {
    format!("n{}", node.index() + 1)
}

/// Text in which nothing ends a row or begins markup. Mermaid writes characters as `#number;`.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | ';' | '<' | '>' | '&' | '"' | '%' | '{' | '}' | '`' | '\\' | '$' => {
                out.push_str(&format!("#{};", u32::from(c)));
            }
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
