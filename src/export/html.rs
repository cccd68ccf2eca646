//! HTML: one page to step through a run in a browser, for a course page or a file on a stick.
//!
//! It asks nothing of a network and of no other file. Without scripts every step stands below the other;
//! with them one is shown, the keys of the stepper work, and a screen reader hears each sentence.

use super::svg::escape;
use super::{Exporter, Run, phrases, svg};
use crate::model::{Names, Phase};
use crate::sim::{ClusterView, NodeView, Simulation, StepRecord};
use crate::trace::{Cell, Changes, narrate};
use std::fmt::Write as _;
use std::io::{self, Write};

const STYLE: &str = include_str!("html.css");
const SCRIPT: &str = include_str!("html.js");

/// The format.
#[derive(Debug)]
pub struct Html;

impl Exporter for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn about(&self) -> &'static str {
        "one page to step through in a browser, without a network"
    }

    fn refuses(&self, run: &Run<'_>) -> Option<String> {
        run.width.map(|_| super::NO_WIDTH.to_owned())
    }

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        let title = escape(run.info().title);
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
             <h1>{title}</h1>\n<p>{}</p>\n{CONTROLS}<div id=\"picture\" role=\"region\" \
             aria-label=\"space-time diagram\" tabindex=\"0\">\n{}</div>\n",
            escape(&settings(run)),
            svg::picture(run)
        )?;
        let mut before: Option<ClusterView> = None;
        let mut records = run.steps().map(|(record, _)| record);
        for (place, state) in run.states().enumerate() {
            let (view, n) = (state.view(), state.steps());
            let record = if place == 0 { None } else { records.next() };
            let changes = Changes::between(before.as_ref(), &view);
            out.write_all(section(n, record, state, &view, &changes, run).as_bytes())?;
            before = Some(view);
        }
        write!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
    }
}

const CONTROLS: &str = "\
<div id=\"controls\" hidden=\"\">
<button type=\"button\" id=\"first\">First</button>
<button type=\"button\" id=\"back\">← Back</button>
<span id=\"where\"></span>
<button type=\"button\" id=\"next\">Next →</button>
<button type=\"button\" id=\"last\">Last</button>
</div>
<p id=\"said\" role=\"status\" aria-live=\"polite\"></p>
";

fn settings(run: &Run<'_>) -> String {
    let all = run.about();
    all.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join("; ")
}

/// The cluster after a step; without a record: where what is shown begins.
fn section(
    n: u32,
    record: Option<&StepRecord>,
    state: &dyn Simulation,
    view: &ClusterView,
    changes: &Changes,
    run: &Run<'_>,
) -> String {
    let names = run.names();
    let (title, said) = match n {
        0 => ("At the beginning", "Nothing has happened yet."),
        _ => ("Before the part shown", "The steps before are not shown."),
    };
    let event = record.map_or(title.to_owned(), |r| r.event.show(names));
    let sentence = record.map_or(said.to_owned(), |r| narrate::sentence(r, names));
    let mut html = format!("<section class=\"step\" data-n=\"{n}\">\n");
    let _ = writeln!(html, "<h2>{n}. {}</h2>", escape(&event));
    let _ = writeln!(html, "<p class=\"sentence\">{}</p>", escape(&sentence));
    html += &table(view, changes, run);
    html += &list("In flight, oldest first", flights(view, names));
    for node in view.nodes.iter().filter(|n| n.client && n.phase == Phase::Waiting) {
        let conditions = phrases::conditions(state, node.id).into_iter();
        let shown = conditions.map(|(met, text)| {
            let word = if met { "met" } else { "missing" };
            format!("{word}: {text}")
        });
        html += &list(&phrases::waits(node, names), shown.collect());
    }
    let properties = phrases::properties(state, view).into_iter();
    html += &list("Properties", properties.map(|(name, how)| format!("{name}: {how}")).collect());
    html + "</section>\n"
}

fn flights(view: &ClusterView, names: &Names) -> Vec<String> {
    let one = |f: &crate::sim::FlightView| {
        let behind = f.behind.map_or(String::new(), |b| format!(", behind {}", b.no));
        format!("{} {}{behind}", f.id.show(names), f.label.full(names))
    };
    view.in_flight.iter().map(one).collect()
}

/// A titled list; nothing without items.
fn list(title: &str, items: Vec<String>) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: String = items.iter().map(|i| format!("<li>{}</li>\n", escape(i))).collect();
    format!("<h3>{}</h3>\n<ul>\n{items}</ul>\n", escape(title))
}

/// The nodes with their variables. What the step changed is bold.
fn table(view: &ClusterView, changes: &Changes, run: &Run<'_>) -> String {
    let clocks = view.nodes.iter().any(|n| n.clock.is_some());
    let has = |name: &&str| view.nodes.iter().any(|n| n.fields.get(name).is_some());
    let fields: Vec<&str> = run.info().fields.iter().map(|f| f.name).filter(has).collect();
    let mut html = "<div class=\"wide\"><table>\n<thead><tr>".to_owned();
    let titles = ["node", "state"].into_iter().chain(clocks.then_some("clock"));
    for title in titles.chain(fields.iter().copied()) {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escape(title));
    }
    html += "</tr></thead>\n<tbody>\n";
    for node in &view.nodes {
        html += &row(node, changes, clocks, &fields, run.names());
    }
    html + "</tbody>\n</table></div>\n"
}

fn row(
    node: &NodeView,
    changes: &Changes,
    clocks: bool,
    fields: &[&'static str],
    names: &Names,
) -> String {
    let cell = |cell: Cell, text: &str| match changes.contains(node.id, cell) {
        true => format!("<td><strong>{}</strong></td>", escape(text)),
        false => format!("<td>{}</td>", escape(text)),
    };
    let state = if node.client || node.crashed { node.word() } else { "–" };
    let mut html = format!("<tr><th scope=\"row\">{}</th>", escape(&node.name));
    html += &cell(Cell::State, state);
    if clocks {
        html += &cell(Cell::Clock, &node.clock.map_or("–".to_owned(), |c| c.to_string()));
    }
    for field in fields {
        let shown = node.fields.get(field).map(|v| v.show(names, "+", "")).unwrap_or_default();
        html += &cell(Cell::Field(field), &shown);
    }
    html + "</tr>\n"
}
