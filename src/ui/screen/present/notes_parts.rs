//! How the notes look: the note, what the hall sees, what comes, the time, and the cluster where there is
//! room.
//!
//! It shows what it is told and decides nothing.

use super::{Now, Talk};
use crate::sim::{ClusterView, FlightView};
use crate::ui::panel::text::{clip, pad, width, wrap};
use crate::ui::panel::{Look, flights, prose};
use crate::ui::present_link::{Followed, PlaceFile, Shown};
use crate::ui::screen::frame;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};

/// From so many columns on the cluster stands beside the words.
const WIDE: u16 = 110;

/// A message takes about so many columns.
const MESSAGE: u16 = 38;

const KEYS: &str = "→ ← . and numbers steer the hall · g steps · ? keys · q closes the notes";

type Lines = Vec<Vec<(String, Role)>>;
type Part = (&'static str, Lines);

/// What a frame of the notes shows.
pub(super) struct Page<'a> {
    pub(super) talk: &'a Talk,
    pub(super) followed: &'a Followed,
    /// Whether the hall has the same lesson, word by word.
    pub(super) same_edition: bool,
    /// How the lesson is called on the command line.
    pub(super) lesson: &'a str,
    /// Why the last key did nothing.
    pub(super) remark: Option<&'a str>,
    pub(super) look: &'a Look,
}

/// Minutes and seconds, with hours once there are some.
fn clock(seconds: u64) -> String {
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if h > 0 { format!("{h}:{m:02}:{s:02}") } else { format!("{m:02}:{s:02}") }
}

impl Page<'_> {
    /// Draws it; `now`: the time, in seconds since 1970.
    pub(super) fn draw(&self, now: u64, area: Rect, buf: &mut Buffer) {
        let shows = self.followed.last.as_ref().filter(|_| self.same_edition);
        match shows {
            Some(last) => self.header(last, now, area, buf),
            None => {
                self.look.put(buf, area, 1, 0, "Notes", Role::Title);
            }
        }
        let mut y = 1;
        let room = usize::from(area.width.saturating_sub(2));
        for row in self.warning().iter().flat_map(|text| wrap(&self.look.text(text), room)) {
            self.look.put(buf, area, 1, y, &row, Role::Warn);
            y += 1;
        }
        let last = area.height - 1;
        let (text, role) = self.remark.map_or((KEYS, Role::Dim), |remark| (remark, Role::Warn));
        let text = clip(&self.look.text(text), room, self.look.glyphs.ellipsis);
        self.look.put(buf, area, 1, last, &text, role);
        if let Some(place) = shows {
            let rest = Rect { y: area.y + y, height: last.saturating_sub(y), ..area };
            self.body(place.place.shown, rest, buf);
        }
    }

    /// Why what is shown is not what the hall sees.
    fn warning(&self) -> Option<String> {
        let start = format!("lockstep present {}", self.lesson);
        let Followed { last, live, trouble } = self.followed;
        match (trouble, last, live) {
            (Some(trouble), ..) => Some(trouble.to_string()),
            (None, Some(_), false) => Some(format!("The presenter is gone. Waiting: {start}")),
            (None, None, _) => {
                Some(format!("Waiting for the presentation. In another terminal: {start}"))
            }
            (None, Some(_), true) if !self.same_edition => Some(
                "The hall shows another edition of this lesson: the file was changed. Start both again."
                    .to_owned(),
            ),
            (None, Some(_), true) => None,
        }
    }

    /// The step, the time since the beginning and on this step.
    fn header(&self, file: &PlaceFile, now: u64, area: Rect, buf: &mut Buffer) {
        let (look, lesson) = (self.look, self.talk.lesson());
        let told = self.talk.now(file.place.shown);
        let step = format!("step {}/{}", told.step, told.steps);
        let click = format!("click {}/{}", told.click, told.clicks);
        let planned = lesson.minutes.map_or(String::new(), |minutes| format!(" of {minutes} min"));
        let whole = format!("{}{planned}", clock(now.saturating_sub(file.began)));
        let here = format!("this step {}", clock(now.saturating_sub(file.since)));
        let right =
            [(step, Role::Accent), (click, Role::Text), (whole, Role::Title), (here, Role::Text)];
        let used: usize = right.iter().map(|(t, _)| width(t) + 2).sum();
        let room = usize::from(area.width).saturating_sub(used + 2);
        let title = clip(&look.text(&lesson.title), room, look.glyphs.ellipsis);
        look.put(buf, area, 1, 0, &title, Role::Dim);
        let mut x = area.width.saturating_sub(used as u16);
        for (text, role) in right {
            x = look.put(buf, area, x, 0, &text, role) + 2;
        }
    }

    /// The words, and the cluster beside them or below.
    fn body(&self, shown: Shown, area: Rect, buf: &mut Buffer) {
        // What the hall plays while it explores is not known here.
        let cluster = shown != Shown::Exploring;
        let words = if cluster && area.width >= WIDE { area.width / 2 } else { area.width };
        let words = Rect { width: words, ..area };
        let used = self.words(&self.talk.now(shown), words, buf);
        if !cluster {
            return;
        }
        if words.width < area.width {
            let x = words.right() + 1;
            self.cluster(Rect { x, width: area.right() - x, ..area }, buf);
        } else {
            let height = area.height.saturating_sub(used);
            self.cluster(Rect { y: area.y + used, height, ..area }, buf);
        }
    }

    /// The parts below each other. Where there is no room for all, the longest is cut. Returns how many rows
    /// they take.
    fn words(&self, told: &Now, area: Rect, buf: &mut Buffer) -> u16 {
        let look = self.look;
        let mut parts = parts(told, usize::from(area.width.saturating_sub(2)), look);
        let rows = |parts: &[Part]| parts.iter().map(|(_, lines)| lines.len() + 1).sum::<usize>();
        while rows(&parts) > usize::from(area.height) {
            let Some(longest) = parts.iter_mut().max_by_key(|(_, lines)| lines.len()) else {
                break;
            };
            if longest.1.len() <= 1 {
                break;
            }
            longest.1.pop();
            if let Some(last) = longest.1.last_mut() {
                last.push((format!(" {}", look.glyphs.ellipsis), Role::Dim));
            }
        }
        let mut y = area.y;
        for (title, lines) in &parts {
            if y >= area.bottom() {
                break;
            }
            let place = Rect { y, height: area.bottom() - y, ..area };
            let inner = frame(title, false, look, place, buf);
            let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner };
            y = inner.y + prose::draw(lines, 0, look, inner, buf);
        }
        y - area.y
    }

    /// The table, what is on its way, and the picture of the run. A table that does not fit whole leaves its
    /// rows to the messages.
    fn cluster(&self, area: Rect, buf: &mut Buffer) {
        let view = self.talk.lab().history().state_at(self.talk.beat().rev).view();
        let table = view.nodes.len() as u16 + 1;
        let table = if table <= area.height { table } else { 0 };
        self.talk.draw_table(&view, self.look, Rect { height: table, ..area }, buf);
        let rest = Rect { y: area.y + table, height: area.height - table, ..area };
        let messages = (view.in_flight.len().max(1) as u16 + 1).min(rest.height);
        if messages > 1 {
            self.messages(&view, Rect { height: messages, ..rest }, buf);
        }
        let picture = Rect { y: rest.y + messages, height: rest.height - messages, ..rest }
            .inner(Margin::new(0, 1));
        self.talk.draw_diagram(self.look, picture, buf);
    }

    fn messages(&self, view: &ClusterView, area: Rect, buf: &mut Buffer) {
        let look = self.look;
        let inner = frame("In flight", false, look, area, buf);
        let texts: Vec<String> = view.in_flight.iter().map(|f| self.message(f)).collect();
        if texts.is_empty() {
            look.put(buf, inner, 2, 0, "nothing is on its way", Role::Dim);
            return;
        }
        let rows = usize::from(inner.height);
        // Beside each other only where they do not fit below each other.
        let columns = (area.width / MESSAGE).clamp(1, texts.len().div_ceil(rows) as u16);
        let wide = usize::from(inner.width.saturating_sub(2) / columns);
        let room = rows * usize::from(columns);
        let cut = texts.len() > room;
        for (i, text) in texts.iter().take(room).enumerate() {
            let (x, y) = (2 + (i / rows * wide) as u16, (i % rows) as u16);
            if cut && i + 1 == room {
                let more = format!("{} {} more", look.glyphs.ellipsis, texts.len() - i);
                look.put(buf, inner, x, y, &more, Role::Dim);
            } else {
                let text = clip(text, wide.saturating_sub(1), look.glyphs.ellipsis);
                look.put(buf, inner, x, y, &pad(&text, wide), Role::Text);
            }
        }
    }

    /// A message: what it is, its name, its way, and what it has to wait for.
    fn message(&self, flight: &FlightView) -> String {
        let names = &self.talk.lab().setup().names;
        let behind = flight.behind.map(|id| format!(" behind {}", id.no)).unwrap_or_default();
        format!("{}{behind}", flights::told(flight, names, self.look))
    }
}

fn parts(told: &Now, columns: usize, look: &Look) -> Vec<Part> {
    let wrapped = |text: &str, role: Role| -> Lines {
        let lines = wrap(&look.text(text), columns);
        lines.into_iter().map(|l| vec![(l, role)]).collect()
    };
    let mut hall = wrapped(told.hall, Role::Warn);
    hall.retain(|_| !told.hall.is_empty());
    hall.extend(wrapped(&told.says, Role::Text));
    if let Some(asks) = &told.asks {
        hall.extend(wrapped(&format!("? {asks}"), Role::Question));
    }
    hall.extend(wrapped(&told.revealed, Role::Dim));
    let mut next = wrapped(&told.next, Role::Accent);
    if let Some(answer) = &told.answer {
        next.extend(wrapped(&format!("Answer of this step: {answer}"), Role::Dim));
    }
    if let Some(step) = &told.next_step {
        next.extend(wrapped(&format!("Step {}: {step}", told.step + 1), Role::Text));
    }
    let note = match &told.note {
        Some(note) => prose::lay_out(&look.text(note), columns),
        None => wrapped("no note on this step", Role::Dim),
    };
    let mut parts = vec![("Note", note)];
    parts.extend(told.aside.as_ref().map(|aside| ("For you", wrapped(aside, Role::Warn))));
    parts.extend([("In the hall", hall), ("Next click", next)]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_show_once_there_are_some() {
        assert_eq!(clock(0), "00:00");
        assert_eq!(clock(75), "01:15");
        assert_eq!(clock(3 * 3600 + 61), "3:01:01");
        assert_eq!(clock(u64::MAX), "5124095576030431:00:15");
    }
}
