//! Markdown: a table of the steps, for notes, issues and course pages.
//!
//! Only what every dialect with tables takes; nothing is drawn.

use super::{Exporter, Run, phrases};
use crate::model::Names;
use crate::sim::ClusterView;
use crate::trace::{Changes, diff, narrate};
use std::io::{self, Write};

/// The format.
#[derive(Debug)]
pub struct Markdown;

impl Exporter for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn about(&self) -> &'static str {
        "a table of the steps: event, what happens, clocks, what changed"
    }

    fn refuses(&self, run: &Run<'_>) -> Option<String> {
        run.width.map(|_| super::NO_WIDTH.to_owned())
    }

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        let mut states = run.states();
        let mut before = states.next().expect("a run has a beginning").view();
        let clocks = before.nodes.iter().any(|n| n.clock.is_some());
        writeln!(out, "# {}\n", escape(run.info().title))?;
        let settings: Vec<String> =
            run.about().iter().map(|(name, value)| format!("{name}: {}", escape(value))).collect();
        writeln!(out, "{}\n", settings.join("; "))?;
        let (clock_title, clock_rule) = if clocks { (" clocks |", " --- |") } else { ("", "") };
        writeln!(out, "| step | event | what happens |{clock_title} what changed |")?;
        writeln!(out, "| ---: | --- | --- |{clock_rule} --- |")?;
        for (record, state) in run.steps() {
            let after = state.view();
            let event = escape(&record.event.show(run.names()));
            let sentence = escape(&narrate::sentence(record, run.names()));
            let values =
                if clocks { format!(" {} |", clock_values(&after)) } else { String::new() };
            let changed = escape(&changed(&before, &after, run.names()));
            writeln!(out, "| {} | {event} | {sentence} |{values} {changed} |", record.n)?;
            before = after;
        }
        writeln!(out)?;
        for (name, stands) in phrases::properties(run.end(), &before) {
            writeln!(out, "- {name}: {}", escape(&stands))?;
        }
        writeln!(out, "- messages: {}", escape(&phrases::messages(&before)))
    }
}

fn clock_values(view: &ClusterView) -> String {
    let clock = |c: Option<u32>| c.map_or("–".to_owned(), |c| c.to_string());
    view.nodes.iter().map(|n| clock(n.clock)).collect::<Vec<_>>().join(" ")
}

/// `P1 state waiting; P1 request (5,P1)`.
fn changed(before: &ClusterView, after: &ClusterView, names: &Names) -> String {
    let one = |(node, cell): &(crate::model::NodeId, diff::Cell)| {
        let view = after.node(*node);
        match cell {
            diff::Cell::State => Some(format!("{} {}", view.name, view.word())),
            // The column of clocks shows it.
            diff::Cell::Clock => None,
            diff::Cell::Field(field) => {
                let value = view.fields.get(field).map(|v| v.show(names, "+", ""));
                Some(format!("{} {field} {}", view.name, value.unwrap_or_default()))
            }
            diff::Cell::Storage => after.storage.as_ref().map(|s| {
                let last = s.last.map_or("nothing written".to_owned(), |(n, writer)| {
                    format!("last w{n} of {}", names.get(writer))
                });
                format!("{} {last}", view.name)
            }),
        }
    };
    let changes = Changes::between(Some(before), after);
    changes.iter().filter_map(one).collect::<Vec<_>>().join("; ")
}

/// Text in which nothing is taken for a sign of Markdown or HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\n' => out.push(' '),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
