//! The two last things on a screen: what has just happened, and which keys do what.

use super::Look;
use super::text::{clip, width, wrap};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A text over the rows of an area, wrapped; where it does not fit, its end is cut with a mark. What
/// it is about stands before it.
pub fn sentence(about: &str, text: &str, role: Role, look: &Look, area: Rect, buf: &mut Buffer) {
    let shown = look.text(text).into_owned();
    let lead =
        if about.is_empty() { 1 } else { look.put(buf, area, 1, 0, about, Role::Accent) + 1 };
    let area = Rect { x: area.x + lead, width: area.width.saturating_sub(lead), ..area };
    let room = usize::from(area.width).saturating_sub(1);
    let mut lines = wrap(&shown, room);
    let rows = usize::from(area.height);
    if lines.len() > rows && rows > 0 {
        let mut last = lines[rows - 1].clone();
        while width(&last) + 1 > room && last.pop().is_some() {}
        lines.truncate(rows - 1);
        lines.push(format!("{last}{}", look.glyphs.ellipsis));
    }
    for (y, line) in lines.iter().take(rows).enumerate() {
        look.put(buf, area, 0, y as u16, line, role);
    }
}

/// The last row of a screen: what is told, else its keys with what they do.
pub fn line(told: Option<&str>, hints: &[(&str, &str)], look: &Look, area: Rect, buf: &mut Buffer) {
    let last = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
    match told {
        Some(told) => {
            let columns = usize::from(area.width).saturating_sub(2);
            let told = clip(&look.text(told), columns, look.glyphs.ellipsis);
            look.put(buf, last, 1, 0, &told, Role::Warn);
        }
        None => {
            let hints: Vec<_> =
                hints.iter().map(|(k, t)| ((*k).to_owned(), (*t).to_owned())).collect();
            keys(&hints, look, last, buf);
        }
    }
}

/// Keys with what they do, as many as fit, in the order given.
pub fn keys(hints: &[(String, String)], look: &Look, area: Rect, buf: &mut Buffer) {
    let mut x = 1;
    for (key, does) in hints {
        let (key, does) = (look.text(key), look.text(does));
        let needed = (width(&key) + width(&does) + 3) as u16;
        if x + needed > area.width + 2 {
            continue;
        }
        x = look.put(buf, area, x, 0, &key, Role::Key) + 1;
        x = look.put(buf, area, x, 0, &does, Role::Text) + 2;
    }
}
