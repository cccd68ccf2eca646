//! A lesson on paper, in Markdown: what is said, played and asked, and how the cluster stands.

use super::question::forms::letter;
use super::question::{Answer, Pick, Question, Way};
use super::{Lesson, Step};
use crate::input::clean;
use crate::lab::Lab;
use crate::model::{Event, Names};
use crate::sim::{ClusterView, Simulation};
use crate::trace::narrate::sentence;
use std::fmt::Write as _;

/// Draws a run up to where it stands, in lines of text.
pub type Draws<'d> = &'d dyn Fn(&Lab) -> String;

/// Ends a sheet of paper. What comes of an answer stands on the next one.
const TURN_OVER: &str =
    "\n<div style=\"break-after: page\"></div>\n\n*Answer before you turn over.*\n\n---\n";

/// A lesson to read or to print, in Markdown. Without solutions no key is in it, and each question ends a
/// sheet, since the next page may tell what comes of it.
#[must_use]
pub fn worksheet(lesson: &Lesson, solutions: bool, draws: Draws<'_>) -> String {
    let mut text = head(lesson);
    let Ok(mut lab) = lesson.lab() else { return clean(&text).into_owned() };
    let mut shown = None;
    let last = lesson.steps().len() - 1;
    for (n, step) in lesson.steps().iter().enumerate() {
        let _ = write!(text, "\n## {}\n", n + 1);
        page(&mut text, step, &lab.setup().names);
        let hidden = lab.setup().hidden.is_some();
        let told: Option<Vec<String>> =
            step.run.iter().map(|event| told(&mut lab, *event)).collect();
        let Some(told) = told else { break };
        // Nobody can work out what rules do that are not told.
        for (place, told) in told.iter().enumerate().filter(|_| hidden) {
            let _ = write!(text, "\n{}. {told}", place + 1);
        }
        let at = lab.state().fork();
        if !step.run.is_empty() || step.question.is_some() {
            let stands = stands(&lab, draws);
            if shown.as_ref() != Some(&stands) {
                text.push_str(&stands);
                shown = Some(stands);
            }
        }
        let Some(question) = step.question.as_deref() else { continue };
        asked(&mut text, question);
        if solutions {
            solved(&mut text, question, at.as_ref());
        }
        if let Some(event) = question.plays(at.as_ref()).filter(|e| lab.play(*e).is_ok()) {
            let _ = writeln!(text, "\nThen: `{}`", event.show(&lab.setup().names));
        }
        if !solutions && n < last {
            text.push_str(TURN_OVER);
            // Whoever has turned over does not see what stood before.
            shown = None;
        }
    }
    clean(&text).into_owned()
}

/// How the cluster stands: its table, what is in flight, and the picture of how it came there.
fn stands(lab: &Lab, draws: Draws<'_>) -> String {
    let (view, names) = (lab.state().view(), &lab.setup().names);
    let mut text = table(&view, names);
    let flights = view.in_flight.iter().map(|f| {
        let behind = f.behind.map_or(String::new(), |b| format!(", behind {}", b.no));
        format!("{} {}{behind}", f.id.show(names), f.label.full(names))
    });
    let flights: Vec<String> = flights.collect();
    if !flights.is_empty() {
        let _ = write!(text, "\nIn flight, oldest first: {}.\n", flights.join("; "));
    }
    if lab.state().steps() > 0 {
        let _ = write!(text, "\n```text\n{}\n```\n", draws(lab).trim_end());
    }
    text
}

/// The nodes with their variables.
fn table(view: &ClusterView, names: &Names) -> String {
    let clocks = view.nodes.iter().any(|n| n.clock.is_some());
    let mut titles = vec!["node", "state"];
    titles.extend(clocks.then_some("clock"));
    let fixed = titles.len();
    for (name, _) in view.nodes.iter().flat_map(|n| n.fields.0.iter()) {
        if !titles[fixed..].contains(name) {
            titles.push(name);
        }
    }
    let mut text = format!("\n| {} |\n|{}\n", titles.join(" | "), " --- |".repeat(titles.len()));
    for node in &view.nodes {
        let state = if node.client || node.crashed { node.word() } else { "–" };
        let mut cells = vec![node.name.clone(), state.to_owned()];
        cells.extend(clocks.then(|| node.clock.map_or("–".to_owned(), |c| c.to_string())));
        let field = |title: &&str| node.fields.get(title).map(|v| v.show(names, "+", ""));
        cells.extend(titles[fixed..].iter().map(|title| field(title).unwrap_or_default()));
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// Plays an event. Returns what comes of it, and how its node stands after it; `None`: it is refused.
fn told(lab: &mut Lab, event: Event) -> Option<String> {
    let record = lab.play(event).ok()?.clone();
    let (view, names) = (lab.state().view(), &lab.setup().names);
    let mut text = sentence(&record, names);
    if let Some(node) = record.node.map(|node| view.node(node)) {
        let clock = node.clock.map(|clock| format!("clock {clock}"));
        let fields = node.fields.0.iter();
        let fields = fields.map(|(name, value)| format!("{name} {}", value.show(names, "✓", "")));
        let all: Vec<String> =
            std::iter::once(node.word().to_owned()).chain(clock).chain(fields).collect();
        let _ = write!(text, " Then {}: {}.", node.name, all.join("; "));
    }
    Some(text)
}

fn head(lesson: &Lesson) -> String {
    let mut text = format!("# {}\n\n{}\n", lesson.title, lesson.about);
    let config = &lesson.config;
    let mut facts = vec![format!("id: {}", lesson.id)];
    if lesson.drawn.is_some() {
        // Numbers of everybody's own: the sheet is one person's.
        let nobody = "nobody in particular: --who draws it for somebody";
        let who = if lesson.who.is_empty() { nobody } else { lesson.who.as_str() };
        facts.push(format!("drawn for: {who}"));
    }
    facts.extend(lesson.minutes.map(|m| format!("minutes: {m}")));
    facts.extend((!lesson.needs.is_empty()).then(|| format!("needs: {}", lesson.needs.join(", "))));
    facts.extend(lesson.source.as_ref().map(|s| format!("source: {s}")));
    facts.push(format!("algorithm: {}", config.algorithm));
    facts.extend(config.variant.as_ref().map(|v| format!("variant: {v}")));
    facts.push(format!("nodes: {}", config.nodes.join(", ")));
    if !config.clocks.is_empty() {
        let clocks: Vec<String> =
            config.nodes.iter().zip(&config.clocks).map(|(n, c)| format!("{n}={c}")).collect();
        facts.push(format!("first clock values: {}", clocks.join(", ")));
    }
    for fact in facts {
        let _ = write!(text, "\n- {fact}");
    }
    text.push('\n');
    for (n, (_, sentence)) in lesson.objectives.iter().enumerate() {
        let lead = if n == 0 { "\nAfterwards you can:\n" } else { "" };
        let _ = write!(text, "{lead}\n- {sentence}");
    }
    text.push('\n');
    text
}

fn page(text: &mut String, step: &Step, names: &Names) {
    if let Some(say) = &step.say {
        let _ = write!(text, "\n{}\n", say.trim_end());
    }
    if !step.run.is_empty() {
        let events: Vec<String> = step.run.iter().map(|e| e.show(names)).collect();
        let _ = write!(text, "\nPlayed: `{}`\n", events.join("; "));
    }
}

fn asked(text: &mut String, question: &dyn Question) {
    let common = question.common();
    // All of it is bold; what is bold in it would end that, and is slanted.
    let prompt = common.prompt.trim().replace("**", "*");
    let _ = write!(text, "\n**{prompt}** ({}, `{}`)\n\n", question.kind(), common.id);
    text.push_str(&question.sheet());
}

/// A right answer that is picked: for each pick its letter, its text and its id; `None`: nothing is.
fn picked(question: &dyn Question, right: &Answer) -> Option<String> {
    let picks = question.picks();
    let one = |id: &str| {
        let place = picks.iter().position(|pick| pick.id == id)?;
        let Pick { id, text } = &picks[place];
        let name = if id == text { String::new() } else { format!(" (`{id}`)") };
        Some(format!("{}) {}{name}", letter(place), text.trim()))
    };
    let between = if question.way() == Way::Arrange { " → " } else { "; " };
    let all: Option<Vec<String>> = right.0.split(", ").map(one).collect();
    all.map(|all| all.join(between))
}

fn solved(text: &mut String, question: &dyn Question, at: &dyn Simulation) {
    let right = question.reference(at);
    let shown = picked(question, &right).unwrap_or_else(|| question.shows(&right));
    let gap = if shown.contains('\n') { "\n\n" } else { " " };
    let _ = write!(text, "\nAnswer:{gap}{shown}\n");
    for line in question.reasons(at) {
        let _ = write!(text, "\n{}\n", line.trim());
    }
    if let Some(explain) = question.common().explain {
        let _ = write!(text, "\n{}\n", explain.trim());
    }
}
