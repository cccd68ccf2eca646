//! What the panels of the screen show, as sentences: nodes, messages, reasons, rules, properties, steps.
//!
//! Everything is read off the lab where it stands; nothing is played and nothing is remembered.

use super::lines::Lines;
use crate::export::phrases;
use crate::input::{count, verb};
use crate::lab::Lab;
use crate::model::{Event, MsgRef, Names, NodeId, Phase, Value};
use crate::session::words::Word;
use crate::sim::{ClusterView, KeptBack, NodeView, RevId, StepRecord};
use crate::trace::{Cell, Changes, narrate};

/// Marks of conditions in a variable, as words.
const MET: &str = " (met)";
const NOT_MET: &str = " (not met)";

fn value(value: &Value, names: &Names) -> String {
    let shown = value.show(names, MET, NOT_MET);
    if shown == "–" { "none".to_owned() } else { shown.replace(":–", ":none") }
}

fn phase(node: &NodeView) -> &'static str {
    match (node.crashed, node.client, node.phase) {
        (true, _, _) => "crashed",
        (_, false, _) => "helper",
        (_, _, Phase::Idle) => "idle",
        (_, _, Phase::Waiting) => "waiting",
        (_, _, Phase::InCs) => "in the critical section",
    }
}

/// One cell of the nodes table with its name: `clock 5`.
fn cell(node: &NodeView, cell: Cell, names: &Names) -> Option<String> {
    match cell {
        Cell::State => Some(phase(node).to_owned()),
        Cell::Clock => node.clock.map(|c| format!("clock {c}")),
        Cell::Field(name) => node.fields.get(name).map(|v| format!("{name} {}", value(v, names))),
        Cell::Storage => None,
    }
}

/// `waiting, clock 5, request (5,P1), deferred P2`.
fn whole(node: &NodeView, names: &Names) -> String {
    let fields = node.fields.0.iter().map(|(name, _)| Cell::Field(name));
    let cells = [Cell::State, Cell::Clock].into_iter().chain(fields);
    let mut parts: Vec<String> = cells.filter_map(|c| cell(node, c, names)).collect();
    parts.extend(node.timer.map(|why| format!("timer running: {why}")));
    parts.join(", ")
}

/// Does what a word asks for that only reads a cluster. Says whether it is such a word.
pub(super) fn read(word: Word, lab: &Lab, kept: &KeptBack, lines: &mut Lines) -> bool {
    match word {
        Word::State => state(lab, lines),
        Word::Flight => flight(lab, kept, lines),
        Word::Why => why_all(lab, lines),
        Word::Rules => rules(lab, lines),
        Word::Lamps => {
            lines.say(lock(&lab.state().view(), &lab.setup().names));
            lamps(lab, lines);
        }
        Word::Moves => moves(lab, lines),
        Word::All => {
            state(lab, lines);
            flight(lab, kept, lines);
            why_all(lab, lines);
            lamps(lab, lines);
        }
        _ => return false,
    }
    true
}

/// Who is inside, in a sentence.
pub(super) fn lock(view: &ClusterView, names: &Names) -> String {
    match view.holders.as_slice() {
        [] => "Nobody is inside.".to_owned(),
        [one] => format!("{} is inside.", names.get(*one)),
        _ => format!(
            "{} are inside together: mutual exclusion is violated.",
            phrases::holders(view, names)
        ),
    }
}

/// Where one stands in the run.
pub(super) fn place(lab: &Lab) -> String {
    let history = lab.history();
    let here = history.depth(history.cursor());
    let more = history.redo_path(history.cursor()).count();
    let more = match more {
        0 => String::new(),
        1 => "; one more step was taken back".to_owned(),
        n => format!("; {n} more steps were taken back"),
    };
    match here {
        0 => format!("The beginning of the run{more}."),
        n => format!("After step {n}{more}."),
    }
}

/// The nodes table and the lock.
pub(super) fn state(lab: &Lab, lines: &mut Lines) {
    let (view, names) = (lab.state().view(), &lab.setup().names);
    lines.say(place(lab));
    for node in &view.nodes {
        lines.item(&format!("  {}: ", node.name), whole(node, names));
    }
    storage(&view, names, lines);
    lines.say(lock(&view, names));
}

/// What the storage node was asked to write, and what it did.
fn storage(view: &ClusterView, names: &Names, lines: &mut Lines) {
    let Some(storage) = &view.storage else { return };
    lines.say(format!("Storage {}: {}.", names.get(storage.node), phrases::storage(storage)));
    for write in &storage.writes {
        let what = phrases::write(storage, write, names);
        lines.item(&format!("  step {}: ", write.step), what);
    }
    if storage.writes.is_empty() {
        lines.say("Nothing was written.");
    }
}

/// The messages in flight.
pub(super) fn flight(lab: &Lab, kept: &KeptBack, lines: &mut Lines) {
    let (state, names) = (lab.state(), &lab.setup().names);
    let view = state.view();
    if view.in_flight.is_empty() {
        return lines.say("Nothing is in flight.");
    }
    lines.say("In flight, oldest first:");
    for (i, flight) in view.in_flight.iter().enumerate() {
        let id = flight.id;
        let (from, to) = (names.get(id.from), names.get(id.to));
        let back = if kept.holds(flight) { "; kept back" } else { "" };
        let held = match state.check(Event::Deliver(MsgRef::from(id))) {
            Ok(_) => String::new(),
            Err(refused) => format!("; not yet: {}", refused.reason),
        };
        let text = format!(
            "{} from {from} to {to}, {}{held}{back}",
            flight.label.full(names),
            id.show(names)
        );
        lines.item(&format!("{:>3}. ", i + 1), text);
    }
}

/// Why a node waits, or why it does not.
pub(super) fn why(lab: &Lab, node: NodeId, lines: &mut Lines) {
    let names = &lab.setup().names;
    let view = lab.state().view();
    let node = view.node(node);
    let name = &node.name;
    let can = |event| lab.state().check(event).is_ok();
    match (node.crashed, node.client, node.phase) {
        (_, true, Phase::Waiting) => {
            lines.say(format!("{}:", phrases::waits(node, names)));
            for (met, condition) in phrases::conditions(lab.state(), node.id) {
                lines.item(if met { "  met: " } else { "  missing: " }, condition);
            }
            if let Some(overtaken) = node.overtaken_said() {
                lines.item("  ", overtaken);
            }
        }
        (true, _, _) => {
            lines.say(format!("{name} has crashed: it does nothing, and what reaches it is lost."));
        }
        (_, false, _) => {
            lines.say(format!("{name} is a helper: it serves the others and never asks."));
        }
        (_, _, Phase::InCs) => {
            let whose = if lab.variant().is_some() { " of the broken rules" } else { "" };
            let leave = format!(" `leave {name}` lets it leave.");
            let leave = if can(Event::Exit(node.id)) { leave } else { String::new() };
            lines.say(format!(
                "{name} is in the critical section: every condition{whose} was met.{leave}"
            ));
        }
        (_, _, Phase::Idle) => {
            let ask = format!(" `ask {name}` lets it ask.");
            let ask = if can(Event::Request(node.id)) { ask } else { String::new() };
            lines.say(format!("{name} does not want the lock.{ask}"));
        }
    }
}

/// Why everybody waits who does.
pub(super) fn why_all(lab: &Lab, lines: &mut Lines) {
    let view = lab.state().view();
    let waits = |n: &&NodeView| n.client && n.phase == Phase::Waiting;
    let mut any = false;
    for node in view.nodes.iter().filter(waits) {
        any = true;
        why(lab, node.id, lines);
    }
    if !any {
        lines.say(format!("Nobody waits. {}", lock(&view, &lab.setup().names)));
    }
}

/// What is wrong with the rules, where they are broken on purpose.
pub(super) fn variant(lab: &Lab, lines: &mut Lines) {
    if let Some(variant) = lab.variant() {
        lines.say(variant.said());
    }
}

/// The algorithm's rules, with those that fired in the last step.
pub(super) fn rules(lab: &Lab, lines: &mut Lines) {
    let info = lab.state().info();
    let fired = |id: &str| {
        let record = lab.history().last_record();
        record.is_some_and(|r| r.rules.iter().any(|(rule, _)| *rule == id))
    };
    lines.say(format!("{}. {}", info.title, info.paper));
    variant(lab, lines);
    let mut last_on = "";
    for rule in info.rules {
        if rule.on != last_on {
            lines.say(rule.on);
            last_on = rule.on;
        }
        let mark = if fired(rule.id) { "fired in the last step: " } else { "" };
        lines.item(&format!("  {} ", rule.id), format!("{mark}{}", rule.text));
    }
}

/// The properties, the channels, and what was counted.
pub(super) fn lamps(lab: &Lab, lines: &mut Lines) {
    let (state, setup) = (lab.state(), lab.setup());
    let view = state.view();
    for (name, stands) in phrases::properties(state, &view) {
        lines.say(property(name, &stands));
    }
    lines.say(format!("Channels: {}", phrases::channels(setup.channels)));
    lines.say(format!("Messages sent: {}", phrases::messages(&view)));
    let entries = setup.client_ids().zip(&view.entries);
    let entries = phrases::list(entries.map(|(n, times)| format!("{} {times}", setup.name(n))));
    lines.say(format!("Entries: {entries}"));
}

fn property(name: &str, stands: &str) -> String {
    let mut letters = name.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}: {stands}", letters.as_str())
}

/// All events that can happen now; faults on lines of their own.
pub(super) fn moves(lab: &Lab, lines: &mut Lines) {
    let names = &lab.setup().names;
    let fault = |e: &Event| match e {
        Event::Drop(_) | Event::Duplicate(_) | Event::Crash(_) | Event::Recover(_) => true,
        Event::Request(_) | Event::Exit(_) | Event::Deliver(_) | Event::Timeout(_) => false,
        Event::Read(_) | Event::Write(_) | Event::Tell(..) | Event::Local(_) => false,
    };
    let (faults, usual): (Vec<Event>, Vec<Event>) =
        lab.state().enabled().into_iter().partition(fault);
    for (title, events) in [("Can happen now: ", usual), ("Faults: ", faults)] {
        if !events.is_empty() {
            lines.item(title, phrases::list(events.iter().map(|e| e.show(names))));
        }
    }
    lines.say("At any time, outside the algorithm: `local` and a node, `tell` and a channel.");
}

/// Every step to where one stands that has all of these words in it.
pub(super) fn log(lab: &Lab, words: &str, lines: &mut Lines) {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let (mut told, mut all) = (0, 0);
    let (history, names) = (lab.history(), &lab.setup().names);
    let clocks = lab.state().view().nodes.iter().any(|n| n.clock.is_some());
    let mut way: Vec<RevId> = history.ancestors(history.cursor()).collect();
    way.reverse();
    for rev in way {
        let Some(record) = history.record(rev) else { continue };
        all += 1;
        let said = narrate::sentence(record, names);
        let mut text = format!("{}. {said}", record.event.show(names));
        let lower = format!("{} {text}", record.n).to_lowercase();
        if !words.iter().all(|word| lower.contains(word)) {
            continue;
        }
        text += &sent(record, names);
        if let Some(node) = record.node.filter(|_| clocks) {
            let (name, clock) = (names.get(node), history.state_at(rev).clock(node));
            text += &format!(" Clock of {name}: {clock}.");
        }
        told += 1;
        lines.item(&format!("{:>3}. ", record.n), text);
    }
    if !words.is_empty() {
        let has = verb(told, "has", "have");
        lines.say(format!("{told} of {} {has} this in them.", count(all, "step")));
    }
    lines.say(place(lab));
}

fn sent(record: &StepRecord, names: &Names) -> String {
    let sent = phrases::sent(record, names);
    if sent.is_empty() { sent } else { format!(" Sent: {sent}.") }
}

/// The sentence of a step.
pub(super) fn sentence(lab: &Lab, rev: RevId, lines: &mut Lines) {
    if let Some(record) = lab.history().record(rev) {
        let text = narrate::sentence(record, &lab.setup().names);
        lines.item(&format!("Step {}. ", record.n), text);
    }
}

/// What the last step changed: cells, messages, rules, the lock, the properties.
pub(super) fn changes(lab: &Lab, lines: &mut Lines) {
    let (history, names) = (lab.history(), &lab.setup().names);
    let here = history.cursor();
    let (Some(record), Some(parent)) = (history.record(here), history.parent(here)) else { return };
    let (old, new) = (history.state_at(parent), history.state_at(here));
    let (before, after) = (old.view(), new.view());
    let changed = Changes::between(Some(&before), &after);
    let of = |node: &NodeView| {
        let own = changed.iter().filter(|(n, _)| *n == node.id);
        let cells: Vec<String> = own.filter_map(|(_, c)| cell(node, *c, names)).collect();
        (!cells.is_empty()).then(|| format!("{}: {}", node.name, cells.join(", ")))
    };
    let mut parts: Vec<String> = Vec::new();
    let mut nodes: Vec<String> = after.nodes.iter().filter_map(of).collect();
    if let Some(storage) =
        after.storage.as_ref().filter(|s| changed.contains(s.node, Cell::Storage))
    {
        let last = storage.writes.last().filter(|w| w.step == after.step);
        let write = last.map_or(String::new(), |w| phrases::write(storage, w, names) + "; ");
        let what = phrases::storage(storage);
        nodes.push(format!("{}: {write}{what}", names.get(storage.node)));
    }
    if !nodes.is_empty() {
        parts.push(format!("Changed: {}.", nodes.join("; ")));
    }
    parts.push(sent(record, names).trim_start().to_owned());
    let mut rules: Vec<&str> = record.rules.iter().map(|(id, _)| *id).collect();
    rules.dedup();
    if !rules.is_empty() {
        parts.push(format!("Rules: {}.", rules.join(", ")));
    }
    if before.holders != after.holders {
        parts.push(lock(&after, names));
    }
    parts.retain(|p| !p.is_empty());
    lines.item("  ", parts.join(" "));
    let stood = phrases::properties(old, &before);
    for (name, stands) in phrases::properties(new, &after) {
        if !stood.contains(&(name, stands.clone())) {
            lines.item("  ", property(name, &stands));
        }
    }
}

/// What one could do where nothing happens by itself: let somebody ask, if anybody can.
pub(super) fn suggestion(lab: &Lab) -> String {
    let setup = lab.setup();
    let can_ask = |n: &NodeId| lab.state().check(Event::Request(*n)).is_ok();
    match setup.client_ids().find(can_ask) {
        Some(node) => {
            let name = setup.name(node);
            format!("`ask {name}` lets {name} ask for the lock")
        }
        None => "`moves` lists what can happen".to_owned(),
    }
}
