//! A lesson that is being written: when its file is looked at, and what is told of a broken one.
//!
//! It reads no file itself and opens no screen; `app` does what a look has found.

use super::panel::Look;
use super::panel::text::{clip, width, wrap};
use super::screen::frame;
use super::theme::Role;
use crate::input::Problems;
use crate::lesson::watch::{Found, LOOK_EVERY, Watched};
use crate::lesson::{BadLesson, Lesson};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget as _};
use std::sync::Arc;
use std::time::Duration;

/// The most rows that faults take below the lesson.
const MOST_ROWS: u16 = 4;

/// What is watched, and how it stands.
#[derive(Debug)]
pub(super) struct Previewing {
    watched: Watched,
    /// The last good state.
    pub(super) lesson: Arc<Lesson>,
    faults: Option<Problems>,
    /// How long ago the last look was, and the last tick of the screen itself.
    unseen: Duration,
    unticked: Duration,
}

/// What the time that has passed asks for.
pub(super) struct Due {
    /// What a look has found, if one was due.
    pub(super) found: Found,
    /// Whether the screen's own tick is due.
    pub(super) tick: bool,
}

impl Previewing {
    pub(super) fn of(watched: Watched, lesson: Arc<Lesson>) -> Self {
        let (unseen, unticked) = (Duration::ZERO, Duration::ZERO);
        Self { watched, lesson, faults: None, unseen, unticked }
    }

    /// How often a tick is wanted, where the screen wants its own every so often.
    pub(super) fn tick_every(own: Option<Duration>) -> Duration {
        own.map_or(LOOK_EVERY, |own| own.min(LOOK_EVERY))
    }

    /// A tick.
    pub(super) fn tick(&mut self, own: Option<Duration>) -> Due {
        let passed = Self::tick_every(own);
        self.unseen += passed;
        self.unticked = if own.is_some() { self.unticked + passed } else { Duration::ZERO };
        let tick = own.is_some_and(|own| self.unticked >= own);
        if tick {
            self.unticked = Duration::ZERO;
        }
        let found = if self.unseen >= LOOK_EVERY {
            self.unseen = Duration::ZERO;
            self.watched.look()
        } else {
            Found::Nothing
        };
        Due { found, tick }
    }

    /// Whether the file had faults at the last look.
    pub(super) fn is_broken(&self) -> bool {
        self.faults.is_some()
    }

    /// The file is broken: the last good state stays.
    pub(super) fn broken(&mut self, bad: BadLesson) {
        self.faults = Some(bad.problems);
    }

    /// The file is whole.
    pub(super) fn mended(&mut self, lesson: Arc<Lesson>) {
        self.faults = None;
        self.lesson = lesson;
    }

    /// Draws what is wrong below the lesson, and gives the room that is left for it.
    pub(super) fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) -> Rect {
        let Some(faults) = &self.faults else { return area };
        let columns = usize::from(area.width).saturating_sub(2);
        let spare = area.height.saturating_sub(super::layout::SMALLEST.1).min(MOST_ROWS);
        let room = usize::from(spare.saturating_sub(1));
        let lines = told(faults, columns, room, look);
        let rows = if spare < 2 { 0 } else { lines.len() as u16 + 1 };
        let above = Rect { height: area.height - rows, ..area };
        let panel = Rect { y: above.bottom(), height: rows, ..area };
        let title = match faults.len() {
            1 => "The file is broken; above is its last good state".to_owned(),
            n => format!("{n} faults in the file; above is its last good state"),
        };
        Clear.render(panel, buf);
        let inner = frame(&title, false, look, panel, buf);
        for (y, line) in lines.iter().take(usize::from(inner.height)).enumerate() {
            look.put(buf, inner, 1, y as u16, line, Role::Warn);
        }
        above
    }

    /// The first fault on the last row, where there is no room below the lesson.
    pub(super) fn draw_over(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let spare = area.height.saturating_sub(super::layout::SMALLEST.1);
        let Some(faults) = self.faults.as_ref().filter(|_| spare < 2) else { return };
        let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        Clear.render(row, buf);
        let columns = usize::from(area.width).saturating_sub(2);
        let more = match faults.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        let first = faults.first().to_string();
        let room = columns.saturating_sub(width(&more));
        let text = clip(&look.text(&first), room, look.glyphs.ellipsis) + more.as_str();
        look.put(buf, row, 1, 0, &text, Role::Warn);
    }
}

/// The first faults, as many as have room; then how many more there are. Of the first one, what has room.
fn told(faults: &Problems, columns: usize, room: usize, look: &Look) -> Vec<String> {
    let texts = faults.iter().map(|fault| look.text(&fault.to_string()).into_owned());
    let all: Vec<Vec<String>> = texts.map(|text| wrap(&text, columns)).collect();
    let more = |shown: usize| {
        let left = all.len() - shown;
        (left > 0).then(|| format!("and {left} more: lockstep lesson lint tells all"))
    };
    let fits = |shown: &usize| {
        let lines: usize = all[..*shown].iter().map(Vec::len).sum();
        lines + usize::from(*shown < all.len()) <= room
    };
    let shown = (1..=all.len()).rev().find(fits).unwrap_or(1);
    let more = more(shown);
    let lines = all.into_iter().take(shown).flatten();
    let lines = lines.take(room.saturating_sub(usize::from(more.is_some())));
    lines.chain(more).collect()
}
