//! Panels: each draws one part of a screen from a view, into a rectangle of a buffer.
//!
//! A panel holds no state and handles no key.

pub(in crate::ui) mod canvas;
pub mod flights;
pub mod footer;
pub mod header;
pub mod nodes;
pub mod prose;
pub mod rules;
pub mod spacetime;
pub mod text;
pub mod why;

use super::theme::{Glyphs, Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::borrow::Cow;

/// How everything looks: styles by role, and the characters to draw with.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Styles by role.
    pub theme: Theme,
    /// Characters.
    pub glyphs: Glyphs,
}

impl Look {
    /// The style of a role.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// A text in the characters that may be used.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.glyphs.text(text)
    }

    /// Writes a text at a place inside an area, cut at the area's right edge. Gives the column after it.
    pub fn put(&self, buf: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, role: Role) -> u16 {
        let room = usize::from(area.width.saturating_sub(x));
        if y >= area.height || room == 0 {
            return x;
        }
        let shown = self.text(text);
        buf.set_stringn(area.x + x, area.y + y, &shown, room, self.style(role));
        x + text::width(&shown).min(room) as u16
    }

    /// Reverses a whole row of an area: the selection, visible without any colour.
    pub fn select_row(&self, buf: &mut Buffer, area: Rect, y: u16) {
        if y < area.height {
            let row = Rect { x: area.x, y: area.y + y, width: area.width, height: 1 };
            buf.set_style(row, Style::reset());
            buf.set_style(row, self.style(Role::Selected));
        }
    }
}
