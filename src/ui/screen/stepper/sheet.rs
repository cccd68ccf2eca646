//! A text on the whole screen, to be read and selected: nothing stands beside it, and what does not fit
//! is scrolled to.
//!
//! It knows nothing of what the text says.

use crate::ui::keymap::Key;
use crate::ui::panel::text::wrap;
use crate::ui::panel::{Look, footer};
use crate::ui::screen::frame;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget as _};
use std::cell::Cell;

/// A text, and how far it is scrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sheet {
    title: String,
    text: String,
    /// The first line that is shown.
    top: usize,
    /// The last line that may be the first one, and how many are shown, as of the last frame.
    room: Cell<(usize, usize)>,
}

impl Sheet {
    pub(super) fn of(title: &str, text: &str) -> Self {
        let (title, text) = (title.to_owned(), text.to_owned());
        Self { title, text, top: 0, room: Cell::new((0, 1)) }
    }

    /// The sheet after a key; `None`: it is closed.
    pub(super) fn key(mut self, key: Key) -> Option<Self> {
        let (most, page) = self.room.get();
        let to = match key {
            Key::Up => self.top.saturating_sub(1),
            Key::Down => self.top + 1,
            Key::PageUp => self.top.saturating_sub(page),
            Key::PageDown | Key::Char(' ') => self.top + page,
            Key::Home => 0,
            Key::End => most,
            // A letter that was meant for a command would close it, and those behind it would be keys.
            Key::Esc | Key::Enter | Key::Char('q') => return None,
            _ => self.top,
        };
        self.top = to.min(most);
        Some(self)
    }

    /// Draws it over everything.
    pub(super) fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        Clear.render(area, buf);
        let inner = frame(&self.title, false, look, area, buf);
        let inner = Rect { height: inner.height.saturating_sub(1), ..inner };
        let columns = usize::from(inner.width);
        let shown = look.text(&self.text).into_owned();
        let lines: Vec<String> = shown.lines().flat_map(|line| wrap(line, columns)).collect();
        let page = usize::from(inner.height);
        let most = lines.len().saturating_sub(page);
        self.room.set((most, page));
        let top = self.top.min(most);
        for (y, line) in lines.iter().skip(top).take(page).enumerate() {
            look.put(buf, inner, 0, y as u16, line, Role::Text);
        }
        let below = lines.len().saturating_sub(top + page);
        let more = match (below, top) {
            (0, 0) => None,
            (0, _) => Some(("↑ PageUp".to_owned(), "goes back".to_owned())),
            (n, _) => Some(("↓ Space".to_owned(), crate::input::count(n, "more line"))),
        };
        let mut hints: Vec<(String, String)> = more.into_iter().collect();
        hints.push(("Esc".to_owned(), "closes".to_owned()));
        let last = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        footer::keys(&hints, look, last, buf);
    }
}
