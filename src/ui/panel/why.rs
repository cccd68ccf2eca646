//! Why the selected node waits: the algorithm's own conditions, each met or not, and where what is
//! missing is.

use super::Look;
use super::text::wrap;
use crate::algorithm::Variant;
use crate::model::{Event, Phase};
use crate::sim::{NodeView, WhyLine};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The panel's title.
#[must_use]
pub fn title(node: &NodeView) -> String {
    match (node.crashed, node.client, node.phase) {
        (true, _, _) => format!("{} has crashed", node.name),
        (_, false, _) => format!("{}, a helper", node.name),
        (_, _, Phase::Waiting) => format!("Why is {} waiting?", node.name),
        (_, _, Phase::InCs) => format!("{} is inside", node.name),
        (_, _, Phase::Idle) => format!("{} does not want the lock", node.name),
    }
}

/// The title when so many lines have no room; it stays short, since the panel is narrow then.
#[must_use]
pub fn title_with_more(node: &NodeView, hidden: usize) -> String {
    match (node.crashed, node.client, node.phase) {
        (false, true, Phase::Waiting) => format!("Why {} waits: {hidden} more, z", node.name),
        _ => format!("{}: {hidden} more, z", title(node)),
    }
}

/// What the panel says, line by line, with a mark where it is a condition. `can`: whether an event can
/// happen, since nothing is proposed that cannot.
#[must_use]
pub fn lines(
    node: &NodeView,
    why: &[WhyLine],
    variant: Option<&Variant>,
    can: impl Fn(Event) -> bool,
) -> Vec<(Option<bool>, String)> {
    match (node.crashed, node.client, node.phase) {
        (true, _, _) => vec![(None, "it does nothing; what reaches it is lost".to_owned())],
        (_, false, _) => vec![(None, "it serves the others and never asks".to_owned())],
        (_, _, Phase::InCs) => {
            // The table shows the paper's conditions, of which a broken variant may check fewer.
            let whose = if variant.is_some() { " that this variant checks" } else { "" };
            let leave = if can(Event::Exit(node.id)) { "; x lets it leave" } else { "" };
            let met = format!("every condition{whose} was met when it entered{leave}");
            let variant = variant.map(|v| (None, v.said()));
            std::iter::once((None, met)).chain(variant).collect()
        }
        (_, _, Phase::Idle) if can(Event::Request(node.id)) => {
            vec![(None, "r lets it ask".to_owned())]
        }
        (_, _, Phase::Idle) => vec![(None, "it waits for nothing".to_owned())],
        (_, _, Phase::Waiting) => {
            let overtaken = node.overtaken_said().map(|said| (None, said));
            why.iter().map(condition).chain(overtaken).collect()
        }
    }
}

fn condition(line: &WhyLine) -> (Option<bool>, String) {
    let place = line.whereabouts.as_ref().map_or(String::new(), |w| format!(": {w}"));
    (Some(line.met), format!("{}{place}", line.text))
}

/// How many rows the lines take in so many columns.
#[must_use]
pub fn rows(lines: &[(Option<bool>, String)], columns: usize, look: &Look) -> usize {
    lines.iter().map(|(_, text)| wrapped(&look.text(text), columns.saturating_sub(2)).len()).sum()
}

/// A text in lines; the number of a message stays beside the word that it belongs to.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut glued = text.to_owned();
    for digit in '0'..='9' {
        glued = glued.replace(&format!(": {digit}"), &format!(":\u{a0}{digit}"));
    }
    wrap(&glued, columns).into_iter().map(|line| line.replace('\u{a0}', " ")).collect()
}

/// Draws lines, each with a mark where it is met or not. Says how many there was no room for.
pub fn draw(lines: &[(Option<bool>, String)], look: &Look, area: Rect, buf: &mut Buffer) -> usize {
    let mut y = 0;
    let mut hidden = 0;
    for (met, text) in lines {
        let (mark, role) = match met {
            Some(true) => (look.glyphs.yes, Role::Ok),
            Some(false) => (look.glyphs.no, Role::Bad),
            None => (" ", Role::Dim),
        };
        let text_role = if met.is_none() { Role::Dim } else { Role::Text };
        let indent = 2;
        let shown = look.text(text).into_owned();
        let columns = usize::from(area.width).saturating_sub(2);
        for (i, part) in wrapped(&shown, columns).iter().enumerate() {
            if y >= area.height {
                hidden += 1;
                break;
            }
            if i == 0 {
                look.put(buf, area, 0, y, mark, role);
            }
            look.put(buf, area, indent, y, part, text_role);
            y += 1;
        }
    }
    hidden
}
