//! A text on the whole screen, to be read and selected: nothing stands beside it, and what does not fit
//! is scrolled to.
//!
//! It knows nothing of what the text says.

use crate::ui::keymap::Key;
use crate::ui::list::Scroll;
use crate::ui::panel::text::wrap;
use crate::ui::panel::{Look, footer};
use crate::ui::screen::frame;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget as _};

/// A text, and how far it is scrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sheet {
    title: String,
    text: String,
    scroll: Scroll,
}

impl Sheet {
    pub(super) fn of(title: &str, text: &str) -> Self {
        let (title, text) = (title.to_owned(), text.to_owned());
        Self { title, text, scroll: Scroll::default() }
    }

    /// The sheet after a key; `None`: it is closed.
    pub(super) fn key(mut self, key: Key) -> Option<Self> {
        // A letter that was meant for a command would close it, and those behind it would be keys.
        let closes = matches!(key, Key::Esc | Key::Enter | Key::Char('q'));
        (self.scroll.key(key) || !closes).then_some(self)
    }

    pub(super) fn typing(&self) -> bool {
        self.scroll.search.typing()
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
        let top = self.scroll.top(lines.clone(), page);
        for (y, line) in lines.iter().skip(top).take(page).enumerate() {
            look.put(buf, inner, 0, y as u16, line, Role::Text);
            if self.scroll.found() == Some(top + y) {
                look.select_row(buf, inner, y as u16);
            }
        }
        if let Some(line) = self.scroll.search.line() {
            return footer::line(Some(&line), &[], look, area, buf);
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
