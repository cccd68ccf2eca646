//! Lines of styled pieces: a sign with a text indented under it, words side by side.
//!
//! It lays out and draws nothing.

use crate::ui::panel::Look;
use crate::ui::panel::text::{width, wrap};
use crate::ui::theme::Role;

/// A line of styled pieces.
pub(super) type Line = Vec<(String, Role)>;

/// How an answer is laid out.
#[derive(Clone, Copy)]
pub(super) struct Canvas<'l> {
    /// The width of a line.
    pub(super) columns: usize,
    /// Whether short answers stand side by side.
    pub(super) dense: bool,
    /// The characters to draw with.
    pub(super) look: &'l Look,
}

pub(super) fn text_lines(text: &str, columns: usize, role: Role) -> Vec<Line> {
    wrap(text, columns).into_iter().map(|l| vec![(l, role)]).collect()
}

/// A sign, then text that is indented under it.
pub(super) fn signed(
    sign: &str,
    text: &str,
    columns: usize,
    sign_role: Role,
    role: Role,
) -> Vec<Line> {
    let indent = width(sign) + 1;
    let lines = wrap(text, columns.saturating_sub(indent).max(8));
    // Blanks have no role: an underlined one would be seen.
    let lead = |i: usize| match i {
        0 if !sign.trim().is_empty() => {
            vec![(sign.to_owned(), sign_role), (" ".to_owned(), Role::Text)]
        }
        _ => vec![(" ".repeat(indent), Role::Text)],
    };
    let one = |(i, l): (usize, String)| [lead(i), vec![(l, role)]].concat();
    lines.into_iter().enumerate().map(one).collect()
}

/// Words with their letters, side by side as far as they fit; the cursor stands at one of them, if there
/// is one.
pub(super) fn word_lines(words: &[String], at: Option<usize>, canvas: Canvas<'_>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut used = canvas.columns;
    for (i, word) in words.iter().enumerate() {
        let here = at == Some(i);
        let cursor = if here { canvas.look.glyphs.cursor } else { " " };
        let sign = format!("{cursor} {}  ", char::from(b'a' + i as u8));
        let word = canvas.look.text(word).into_owned();
        let columns = width(&sign) + width(&word) + 2;
        if used + columns > canvas.columns {
            lines.push(Vec::new());
            used = 0;
        }
        used += columns;
        if let Some(line) = lines.last_mut() {
            line.push((sign, Role::Key));
            line.push((word, if here { Role::Selected } else { Role::Text }));
            line.push(("  ".to_owned(), Role::Text));
        }
    }
    lines
}
