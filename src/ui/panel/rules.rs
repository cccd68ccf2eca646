//! The algorithm's numbered rules, those that fired in the last step lit.

use super::Look;
use super::text::{clip, width, wrap};
use crate::algorithm::{Info, Variant};
use crate::sim::StepRecord;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

struct Row {
    lead: String,
    text: String,
    kind: Kind,
}

/// What a row says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// How the rules are broken.
    Warning,
    /// When the rules below it apply.
    Head,
    /// A rule that fired in the last step.
    Lit,
    /// Another rule.
    Rule,
}

fn rows(
    info: &Info,
    variant: Option<&Variant>,
    record: Option<&StepRecord>,
    columns: usize,
) -> Vec<Row> {
    let said = variant.map_or(Vec::new(), |v| wrap(&v.said(), columns));
    let said = said.into_iter();
    let mut rows: Vec<Row> =
        said.map(|text| Row { lead: String::new(), text, kind: Kind::Warning }).collect();
    let mut last_on = "";
    for rule in info.rules {
        if rule.on != last_on {
            let text = rule.on.to_owned();
            rows.push(Row { lead: String::new(), text, kind: Kind::Head });
            last_on = rule.on;
        }
        let lit = record.is_some_and(|r| r.rules.iter().any(|(id, _)| *id == rule.id));
        let id = format!("{} ", rule.id);
        let indent = width(&id) + 2;
        for (i, part) in wrap(rule.text, columns.saturating_sub(indent)).into_iter().enumerate() {
            let lead = if i == 0 { id.clone() } else { " ".repeat(width(&id)) };
            rows.push(Row { lead, text: part, kind: if lit { Kind::Lit } else { Kind::Rule } });
        }
    }
    rows
}

/// How many rows the rules take in so many columns.
#[must_use]
pub fn rows_needed(info: &Info, variant: Option<&Variant>, columns: usize) -> usize {
    rows(info, variant, None, columns).len()
}

/// Draws the rules. When there is no room for all, those that fired are among the ones shown.
pub fn draw(
    info: &Info,
    variant: Option<&Variant>,
    record: Option<&StepRecord>,
    look: &Look,
    area: Rect,
    buf: &mut Buffer,
) {
    let all = rows(info, variant, record, usize::from(area.width));
    let room = usize::from(area.height);
    let last_lit = all.iter().rposition(|r| r.kind == Kind::Lit).map_or(0, |i| i + 1);
    let first = last_lit.saturating_sub(room).min(all.len().saturating_sub(room));
    let hidden = all.len().saturating_sub(room);
    let more = (hidden > 0 && area.width > 12).then(|| format!("{hidden} more: z"));
    for (y, row) in all.iter().skip(first).take(room).enumerate() {
        let y = y as u16;
        let lit = row.kind == Kind::Lit;
        let role = match row.kind {
            Kind::Warning => Role::Warn,
            Kind::Head => Role::Text,
            Kind::Lit => Role::RuleLit,
            Kind::Rule => Role::Dim,
        };
        if lit && !row.lead.trim().is_empty() {
            look.put(buf, area, 0, y, look.glyphs.cursor, Role::Accent);
        }
        let x = if matches!(row.kind, Kind::Lit | Kind::Rule) { 2 } else { 0 };
        let x = look.put(buf, area, x, y, &row.lead, if lit { Role::Accent } else { role });
        // The rule in the last row keeps apart from the mark behind it.
        let taken =
            more.as_ref().filter(|_| usize::from(y) + 1 == room).map_or(0, |m| width(m) + 2);
        let columns = usize::from(area.width.saturating_sub(x)).saturating_sub(taken);
        let text = look.text(&row.text);
        look.put(buf, area, x, y, &clip(&text, columns, look.glyphs.ellipsis), role);
    }
    if let Some(more) = more {
        let x = area.width.saturating_sub(width(&more) as u16);
        look.put(buf, area, x, area.height.saturating_sub(1), &more, Role::Dim);
    }
}
