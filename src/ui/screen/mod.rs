//! Screens: each owns what it shows, takes actions and draws itself with panels.

pub mod branches;
pub mod check;
pub mod compare;
pub mod compare_pair;
pub mod drill;
pub mod help;
pub mod home;
pub mod log;
pub mod present;
pub mod setup;
pub mod stepper;

use super::Flow;
use super::keymap::{Input, Key};
use super::panel::Look;
use super::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The one line that is drawn when the window is too small for a screen.
pub fn too_small(look: &Look, area: Rect, buf: &mut Buffer) {
    let (w, h) = super::layout::SMALLEST;
    let text = format!("needs {w}x{h}; this is {}x{}. q quits", area.width, area.height);
    for (y, line) in super::panel::text::wrap(&text, usize::from(area.width)).iter().enumerate() {
        look.put(buf, area, 0, y as u16, line, Role::Text);
    }
}

/// Whether a window is too small for a screen.
#[must_use]
pub fn is_too_small(area: Rect) -> bool {
    area.width < super::layout::SMALLEST.0 || area.height < super::layout::SMALLEST.1
}

/// What an input comes to where a window may be too small for a screen; `None`: it acts. While nothing but
/// the notice is seen, nothing acts that a person does, save what the notice promises.
pub fn unseen(small: &mut bool, input: &Input) -> Option<Flow> {
    match input {
        // Until it is drawn anew nobody has seen what the next keys do.
        Input::Resize(width, height) => {
            *small = is_too_small(Rect::new(0, 0, *width, *height));
            None
        }
        Input::Background(_) | Input::Tick => None,
        _ if !*small => None,
        Input::Key(Key::Char('q')) => Some(Flow::Quit),
        Input::Key(_)
        | Input::Repeat(_)
        | Input::Paste(_)
        | Input::Click { .. }
        | Input::Scroll { .. }
        | Input::FocusGained
        | Input::FocusLost => Some(Flow::Unchanged),
    }
}

/// A titled box over the middle of a window, as wide as a line of text; gives the room inside.
pub fn boxed_over(title: &str, rows: u16, look: &Look, area: Rect, buf: &mut Buffer) -> Rect {
    let width = 78.min(area.width);
    let height = (rows + 2).min(area.height);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let place = Rect { x, y, width, height };
    ratatui::widgets::Widget::render(ratatui::widgets::Clear, place, buf);
    frame(title, true, look, place, buf)
}

/// A titled rule (without boxes) or a titled box; gives the room inside.
pub fn frame(title: &str, boxed: bool, look: &Look, area: Rect, buf: &mut Buffer) -> Rect {
    if area.is_empty() {
        return area;
    }
    if boxed {
        boxed_frame(title, look, area, buf)
    } else {
        let rule = look.glyphs.horizontal.repeat(usize::from(area.width));
        look.put(buf, area, 0, 0, &rule, Role::Border);
        look.put(buf, area, 1, 0, &format!(" {title} "), Role::Heading);
        Rect { y: area.y + 1, height: area.height - 1, ..area }
    }
}

fn boxed_frame(title: &str, look: &Look, area: Rect, buf: &mut Buffer) -> Rect {
    use ratatui::widgets::{Block, Widget as _};
    let title = super::panel::text::clip(
        &look.text(title),
        usize::from(area.width.saturating_sub(5)),
        look.glyphs.ellipsis,
    );
    let block =
        Block::bordered().border_set(look.glyphs.border()).border_style(look.style(Role::Border));
    let inner = block.inner(area);
    block.render(area, buf);
    look.put(buf, area, 1, 0, &format!(" {title} "), Role::Heading);
    inner
}
