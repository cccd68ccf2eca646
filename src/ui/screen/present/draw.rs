//! What the hall sees: the step, its words, the table and the diagram, as large as they can be.
//!
//! No key, no hint, and nothing of what comes.

use super::index::Index;
use super::words::{Line, Sheet, Words};
use super::{Over, Talk, Zoom};
use crate::model::Phase;
use crate::sim::{ClusterView, KeptBack};
use crate::trace::{Changes, Diagram, Window};
use crate::ui::panel::text::{clip, width};
use crate::ui::panel::{Look, flights, header, nodes, prose, spacetime, why};
use crate::ui::present_link::Aside;
use crate::ui::screen::{frame, is_too_small, too_small};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget as _};

/// Longer lines are hard to follow from the back row.
const LONGEST_LINE: u16 = 100;

/// How the rows below the header are shared out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rows {
    words: u16,
    table: u16,
    diagram: u16,
}

/// What a beat needs: with what is said before a question, and without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Need {
    full: u16,
    least: u16,
}

impl Need {
    fn of(words: &Words, tight: &Words) -> Self {
        Self { full: words.rows(true) as u16, least: tight.rows(false) as u16 }
    }

    fn max(self, other: Self) -> Self {
        Self { full: self.full.max(other.full), least: self.least.max(other.least) }
    }
}

/// Shares the rows out. `step` is what the step needs at its longest, so that nothing moves while it is
/// revealed; `now` is what this beat needs, which goes before the pictures where there is no room.
fn share(body: u16, nodes: u16, step: Need, now: Need) -> Rows {
    let table = nodes + 1;
    // Between lanes that stand closer no line could be seen.
    let (good, least) = (2 * nodes + 2, (2 * nodes).max(3) - 1);
    let words_beside = |diagram: u16| body.saturating_sub(table + diagram + 1);
    let words = if step.full <= words_beside(good) {
        step.full
    } else if step.least <= words_beside(good) {
        words_beside(good)
    } else if now.least <= words_beside(least) {
        words_beside(least).min(step.full.max(now.least))
    } else if now.least + table <= body {
        return Rows { words: body - table, table, diagram: 0 };
    } else {
        return Rows { words: body, table: 0, diagram: 0 };
    };
    // Lanes that are too far apart do not read as one picture.
    let most = nodes.saturating_sub(1) * spacetime::APART + 3;
    let diagram = body.saturating_sub(words + table + 1).min(most);
    Rows { words, table, diagram }
}

impl Talk {
    /// Draws what the hall sees.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        if is_too_small(area) {
            too_small(look, area, buf);
            return;
        }
        match self.over {
            Over::Blank => {}
            Over::Index(index) => index.draw(self, look, area, buf),
            Over::Nothing | Over::Counting(_) => self.draw_step(look, area, buf),
        }
        if self.late {
            let last = Rect { y: area.bottom() - 1, height: 1, ..area };
            let text = "The answer is shown already: hands are counted before it.";
            Clear.render(last, buf);
            look.put(buf, last, 2, 0, text, Role::Dim);
        }
    }

    fn draw_step(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let view = self.lab().history().state_at(self.beat().rev).view();
        self.draw_header(&view, look, Rect { height: 1, ..area }, buf);
        let body = Rect { y: area.y + 2, height: area.height - 2, ..area };
        match self.zoom {
            None => {
                let rows = self.rows(&view, look, body);
                self.draw_words(look, Rect { height: rows.words, ..body }, buf);
                let y = body.y + rows.words;
                self.draw_table(&view, look, Rect { y, height: rows.table, ..body }, buf);
                let y = body.bottom() - rows.diagram.min(body.height);
                let y = y.min(body.y + rows.words + rows.table + 1);
                self.draw_diagram(look, Rect { y, height: rows.diagram, ..body }, buf);
            }
            Some(Zoom::Words) => self.draw_words(look, body, buf),
            Some(Zoom::SpaceTime) => self.draw_diagram(look, body, buf),
            Some(Zoom::Nodes) => self.draw_table(&view, look, body, buf),
            Some(Zoom::Waits) => self.draw_waits(&view, look, body, buf),
        }
    }

    /// The title, small; the lamps; the step.
    fn draw_header(&self, view: &ClusterView, look: &Look, area: Rect, buf: &mut Buffer) {
        let setup = self.lab().setup();
        let step = (self.step() as u32 + 1, self.lesson().steps().len() as u32);
        let title = &self.lesson().title;
        let (names, channels) = (&setup.names, setup.channels);
        let header = header::Header { title, step, view, names, channels, exploring: false };
        let mut parts = header.lamps();
        parts.push((format!("{}/{}", step.0, step.1), Role::Accent));
        let room = usize::from(area.width);
        let size =
            |parts: &[(String, Role)]| parts.iter().map(|(t, _)| width(t) + 3).sum::<usize>();
        // What matters least goes first; who holds the lock and the step stay.
        while parts.len() > 2 && size(&parts) + width(title).min(30) + 3 > room {
            parts.remove(parts.len() - 2);
        }
        let used = size(&parts);
        let title = clip(&look.text(title), room.saturating_sub(used + 4), look.glyphs.ellipsis);
        look.put(buf, area, 2, 0, &title, Role::Dim);
        let mut x = area.width.saturating_sub(used as u16);
        for (text, role) in parts {
            x = look.put(buf, area, x, 0, &text, role) + 3;
        }
    }

    fn sheet<'l>(look: &'l Look, area: Rect, spread: bool) -> Sheet<'l> {
        let columns = area.width.saturating_sub(4).min(LONGEST_LINE);
        Sheet { columns: usize::from(columns), spread, look }
    }

    fn rows(&self, view: &ClusterView, look: &Look, body: Rect) -> Rows {
        let need = |beat| {
            let words = |spread| self.words(beat, Self::sheet(look, body, spread));
            Need::of(&words(true), &words(false))
        };
        let now = need(self.beat());
        let own = self.beats().iter().filter(|b| b.step == self.step());
        let step = own.map(need).fold(now, Need::max);
        // A row of air below the words.
        let air = |n: Need| Need { full: n.full + 1, least: n.least + 1 };
        share(body.height, view.nodes.len() as u16, air(step), air(now))
    }

    /// The words; where they do not fit, from the line on to which the presenter has clicked.
    fn draw_words(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let area = Rect { x: area.x + 2, width: area.width.saturating_sub(4), ..area };
        let lines = self.lines(look, area);
        let room = usize::from(area.height);
        let most = lines.len().saturating_sub(room);
        self.read_most.set((most, room.saturating_sub(1)));
        let first = self.read_to.min(most);
        prose::draw(&lines, first, look, area, buf);
        let margin = Rect { x: area.right(), width: 2, ..area };
        if first > 0 {
            look.put(buf, margin, 1, 0, look.glyphs.more_up, Role::Dim);
        }
        if first < most {
            look.put(buf, margin, 1, area.height - 1, look.glyphs.more_down, Role::Dim);
        }
    }

    /// As much as fits of: options apart, and what was said before the question. The whole step is looked
    /// at, so that an option stays where it is while others are revealed.
    fn lines(&self, look: &Look, area: Rect) -> Vec<Line> {
        const TRIES: [(bool, bool); 4] =
            [(true, true), (true, false), (false, true), (false, false)];
        let room = usize::from(area.height);
        // The words' own room is narrower than the screen by the margins.
        let screen = Rect { width: area.width + 4, ..area };
        let words = |beat, spread| self.words(beat, Self::sheet(look, screen, spread));
        let step = || self.beats().iter().filter(|b| b.step == self.step());
        let fits = |(said, spread): &(bool, bool)| {
            step().all(|beat| words(beat, *spread).rows(*said) <= room)
        };
        let (said, spread) = TRIES.into_iter().find(fits).unwrap_or((false, false));
        let now = words(self.beat(), spread);
        let said = said || now.rows(true) <= room;
        now.lines(said)
    }

    /// The table, and in it what this click has changed.
    pub(super) fn draw_table(&self, view: &ClusterView, look: &Look, area: Rect, buf: &mut Buffer) {
        if area.height == 0 {
            return;
        }
        let history = self.lab().history();
        let beat = self.beat();
        let record = history.record(beat.rev).filter(|_| beat.event);
        let before = history.parent(beat.rev).filter(|_| beat.event);
        let before = before.map(|rev| history.state_at(rev).view());
        // What an earlier click has changed is not marked any more.
        let changes = match &before {
            Some(before) => Changes::between(Some(before), view),
            None => Changes::default(),
        };
        let selected = record.and_then(|r| r.node);
        let names = &self.lab().setup().names;
        nodes::Table { view, changes: &changes, names, selected }.draw_ruled(look, area, buf);
    }

    /// What is on its way, and beside it why each node waits that does.
    fn draw_waits(&self, view: &ClusterView, look: &Look, area: Rect, buf: &mut Buffer) {
        let names = &self.lab().setup().names;
        let left = Rect { width: area.width * 9 / 20, ..area };
        let on_the_way = frame("On the way", false, look, left, buf);
        let inset = |r: Rect| Rect { x: r.x + 2, width: r.width.saturating_sub(2), ..r };
        let kept = KeptBack::default();
        flights::draw(view, names, None, &kept, look, inset(on_the_way), buf);
        let (x, mut y) = (left.right() + 1, area.y);
        let state = self.lab().history().state_at(self.beat().rev);
        for node in view.nodes.iter().filter(|n| n.client && n.phase == Phase::Waiting) {
            if y + 2 > area.bottom() {
                return;
            }
            // The conditions of a node that waits are the variant's own.
            let can = |event| state.check(event).is_ok();
            let lines = why::lines(node, &state.why(node.id), None, can);
            let width = area.right().saturating_sub(x);
            let place = Rect { x, y, width, height: area.bottom() - y };
            let inner = frame(&why::title(node), false, look, place, buf);
            let hidden = why::draw(&lines, look, inset(inner), buf);
            if hidden > 0 {
                return;
            }
            let rows = why::rows(&lines, usize::from(inset(inner).width), look);
            y = inner.y + rows as u16 + 1;
        }
    }

    /// The picture of what was shown; none where there is no room for its lanes.
    pub(super) fn draw_diagram(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let names = &self.lab().setup().names;
        let area = Rect { x: area.x + 2, width: area.width.saturating_sub(3), ..area };
        let lanes = self.lab().setup().total() as u16;
        if area.height < spacetime::least_rows(usize::from(lanes)) {
            return;
        }
        let columns = spacetime::capacity(area.width, names);
        // Steps that come are nobody's business yet.
        let window = Window { columns, undone: 0, scrolled_back: 0 };
        let diagram = Diagram::at(self.lab().history(), self.beat().rev, window);
        spacetime::draw(&diagram, names, Default::default(), look, area, buf);
    }
}

impl Index {
    /// Draws the list over the whole screen: how each step begins, and nothing that the step reveals.
    pub(super) fn draw(self, talk: &Talk, look: &Look, area: Rect, buf: &mut Buffer) {
        let all = talk.lesson().steps().len();
        match self.typed.filter(|number| !(1..=all).contains(number)) {
            None => look.put(buf, area, 2, 0, &talk.lesson().title, Role::Title),
            Some(number) => {
                look.put(buf, area, 2, 0, &Aside::NoSuchStep(number).words(all), Role::Warn)
            }
        };
        let list = Rect {
            y: area.y + 2,
            height: area.height.saturating_sub(3),
            x: area.x + 1,
            width: area.width.saturating_sub(2),
        };
        let rows = usize::from(list.height);
        // The chosen one stands in the middle where the list is longer than the screen.
        let first = self.chosen.saturating_sub(rows / 2).min(all.saturating_sub(rows));
        for (y, step) in (first..all).take(rows).enumerate() {
            let here = if step == talk.step() { look.glyphs.cursor } else { " " };
            let room = usize::from(list.width).saturating_sub(9);
            let begins = clip(&look.text(&talk.begins(step)), room, look.glyphs.ellipsis);
            let role = if step == talk.step() { Role::Accent } else { Role::Text };
            let asks = if talk.asking(step).is_some() { "?" } else { " " };
            let line = format!(" {here} {:>2} {asks} {begins}", step + 1);
            look.put(buf, list, 0, y as u16, &line, role);
            if step == self.chosen {
                look.select_row(buf, list, y as u16);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_never_exceed_the_screen_and_the_words_of_the_beat_come_first() {
        for body in 16..60 {
            for nodes in 1..=17 {
                for least in 1..30 {
                    for more in [0, 3, 12] {
                        let step = Need { full: least + more, least };
                        let now = Need { full: least, least: least.min(4) };
                        let rows = share(body, nodes, step, now);
                        let gap = u16::from(rows.diagram > 0);
                        assert!(rows.words + rows.table + rows.diagram + gap <= body, "{rows:?}");
                        assert!(rows.words >= now.least.min(body), "{body} {nodes} {rows:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_moves_while_a_step_is_revealed_if_there_is_room() {
        let step = Need { full: 9, least: 7 };
        let short = share(22, 3, step, Need { full: 2, least: 2 });
        let long = share(22, 3, step, step);
        assert_eq!(short, long);
    }
}
