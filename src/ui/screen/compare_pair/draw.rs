//! The two panes, and below them what both have cost so far.
//!
//! Nothing is played here.

use super::Running;
use crate::export::phrases;
use crate::input::{count, noun};
use crate::lab::Lab;
use crate::trace::{Changes, Diagram, Window, narrate};
use crate::ui::panel::text::{clip, pad, width, wrap};
use crate::ui::panel::{Look, nodes, spacetime};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Rows for the counts, their rule included.
const COUNTS: u16 = 3;
/// Rows below a table: the sentence, then entries and messages.
const WORDS: u16 = 5;

impl Running {
    pub(super) fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let n = self.pair.side(0).setup().clients;
        let title = format!("Side by side: {n} nodes, the same requests");
        look.put(buf, area, 1, 0, &title, Role::Title);
        let (here, ahead) = self.pair.place();
        let step = match ahead {
            0 => format!("step {here}"),
            more => format!("step {here}/{}", here + more),
        };
        let x = area.width.saturating_sub(width(&step) as u16 + 1);
        look.put(buf, area, x, 0, &step, Role::Accent);
        let panes = area.height.saturating_sub(1 + COUNTS);
        let left = (area.width - 1) / 2;
        for side in 0..2 {
            let x = if side == 0 { area.x } else { area.x + left + 1 };
            let width = if side == 0 { left } else { area.width - left - 1 };
            let pane = Rect { x, y: area.y + 1, width, height: panes };
            self.pane(side, look, pane, buf);
        }
        for y in area.y + 1..area.y + 1 + panes {
            buf.set_string(area.x + left, y, look.glyphs.vertical, look.style(Role::Border));
        }
        let counts = Rect { y: area.bottom().saturating_sub(COUNTS), height: COUNTS, ..area };
        self.counts(look, counts, buf);
    }

    fn pane(&self, side: usize, look: &Look, area: Rect, buf: &mut Buffer) {
        let lab = self.pair.side(side);
        let done = self.pair.done(side);
        let events = lab.history().depth(lab.history().cursor());
        let word = if done && events > 0 { "done, " } else { "" };
        let title = format!("{}: {word}{}", lab.state().info().title, count(events, "event"));
        let inner = super::super::frame(&title, false, look, area, buf);
        let view = lab.state().view();
        let rows = (view.nodes.len() as u16 + 1).min(inner.height.saturating_sub(WORDS).max(3));
        let table = Rect { height: rows, ..inner };
        let before = self.pair.before(side).map(|state| state.view());
        nodes::Table {
            view: &view,
            changes: &Changes::between(before.as_ref(), &view),
            names: &lab.setup().names,
            selected: Some(self.selected),
        }
        .draw(look, table, buf);
        let left = inner.height.saturating_sub(rows);
        let picture = left.saturating_sub(WORDS);
        let diagram = Rect { y: table.bottom(), height: picture, ..inner };
        // Closer lanes show a tangle.
        let shown = usize::from(picture) >= 3 * view.nodes.len();
        if shown {
            draw_diagram(lab, look, diagram, buf);
        }
        let y = if shown { diagram.bottom() } else { table.bottom() };
        let words = Rect { y, height: inner.bottom().saturating_sub(y), ..inner };
        self.words(side, !shown, look, words, buf);
    }

    /// What has just happened on a side, who has entered, and what is owed; with `log`, the events before
    /// that as well.
    fn words(&self, side: usize, log: bool, look: &Look, area: Rect, buf: &mut Buffer) {
        let lab = self.pair.side(side);
        let (names, view) = (&lab.setup().names, lab.state().view());
        let moved = self.pair.before(side).is_some();
        let sentence = match lab.history().last_record().filter(|_| moved) {
            Some(record) => narrate::sentence(record, names),
            None if self.pair.place().0 == 0 => {
                "r lets the chosen node ask, e everybody".to_owned()
            }
            None => "nothing more to do here".to_owned(),
        };
        let owes = lab.setup().client_ids().filter(|n| self.pair.owed(side, *n) > 0);
        let owes = phrases::list(owes.map(|n| names.get(n)));
        let run = crate::export::Run::of(lab);
        let entered = phrases::list(run.entries().map(|n| names.get(n)));
        let mut lines = vec![(format!("LOCK {}", holders(&view, lab)), Role::Text)];
        if !entered.is_empty() {
            lines.push((format!("entered {entered}"), Role::Dim));
        }
        if !owes.is_empty() {
            lines.push((format!("will ask again: {owes}"), Role::Warn));
        }
        let room = usize::from(area.width).saturating_sub(2);
        let text: Vec<(String, Role)> = wrap(&look.text(&sentence), room)
            .into_iter()
            .map(|line| (line, Role::Accent))
            .collect();
        let keep = usize::from(area.height).saturating_sub(lines.len());
        let cut = text.len() > keep;
        let mut shown: Vec<(String, Role)> = text.into_iter().take(keep).collect();
        if let Some((last, _)) = shown.last_mut().filter(|_| cut) {
            *last = clip(&format!("{last} {}", look.glyphs.ellipsis), room, look.glyphs.ellipsis);
        }
        shown.extend(lines);
        let spare = usize::from(area.height).saturating_sub(shown.len() + 1);
        if let Some(earlier) = earlier(lab, spare).filter(|_| log && spare > 0) {
            shown.push((String::new(), Role::Text));
            shown.extend(earlier.into_iter().map(|text| (text, Role::Dim)));
        }
        for (y, (line, role)) in shown.iter().enumerate() {
            let line = clip(&look.text(line), room, look.glyphs.ellipsis);
            look.put(buf, area, 1, y as u16, &line, *role);
        }
    }

    /// Messages of both, a bar each.
    fn counts(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let inner = super::super::frame("Messages", false, look, area, buf);
        let sides = [0, 1].map(|side| {
            let lab = self.pair.side(side);
            let entries: u32 = lab.setup().client_ids().map(|n| lab.state().entries(n)).sum();
            (lab.state().info().title, lab.state().messages(None), entries)
        });
        let most = sides.iter().map(|(_, n, _)| *n).max().unwrap_or(0).max(1);
        let longest = sides.iter().map(|(title, ..)| width(title)).max().unwrap_or(0);
        let name = longest.min(usize::from(inner.width) / 3);
        for (y, (title, messages, entries)) in sides.into_iter().enumerate() {
            let y = y as u16;
            let entered = noun(entries, "entry");
            let each = match entries {
                0 => String::new(),
                n => format!(", {:.1} each", f64::from(messages) / f64::from(n)),
            };
            let text = format!(" {messages}: {entries} {entered}{each}");
            let title = pad(&clip(title, name, look.glyphs.ellipsis), name);
            let x = look.put(buf, inner, 1, y, &title, Role::Text) + 1;
            let room = inner.width.saturating_sub(x + 30.min(inner.width / 2));
            let bar = u64::from(messages) * u64::from(room) / u64::from(most);
            let bar = usize::try_from(bar).unwrap_or(0).max(usize::from(messages > 0));
            let x = look.put(buf, inner, x, y, &look.glyphs.bar.repeat(bar), Role::Accent);
            look.put(buf, inner, x, y, &text, Role::Text);
        }
    }
}

/// The last events of a side, the newest last.
fn earlier(lab: &Lab, rows: usize) -> Option<Vec<String>> {
    let (history, names) = (lab.history(), &lab.setup().names);
    let records = history.ancestors(history.cursor()).filter_map(|rev| history.record(rev));
    let show = |r: &crate::sim::StepRecord| format!("{:>3} {}", r.n, r.event.show(names));
    let mut events: Vec<String> = records.take(rows).map(show).collect();
    events.reverse();
    (!events.is_empty()).then_some(events)
}

fn holders(view: &crate::sim::ClusterView, lab: &Lab) -> String {
    if view.holders.is_empty() {
        "free".to_owned()
    } else {
        phrases::holders(view, &lab.setup().names)
    }
}

fn draw_diagram(lab: &Lab, look: &Look, area: Rect, buf: &mut Buffer) {
    let names = &lab.setup().names;
    let columns = spacetime::capacity(area.width, names);
    let window = Window { columns, undone: 0, scrolled_back: 0 };
    let diagram = Diagram::of(lab.history(), window);
    spacetime::draw(&diagram, names, Default::default(), look, area, buf);
}
