//! The list of everything that a key does, for keyboards that lack the letters.
//!
//! It is made from the table that binds the keys and does nothing by itself.

use super::saving::Over;
use super::{Ask, Stepper};
use crate::ui::action::{self, Action, Binding, STEPPER};
use crate::ui::keymap::Key;
use crate::ui::panel::Look;
use crate::ui::panel::text::{clip, pad, width};
use crate::ui::screen::boxed_over;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget as _};

/// What the list offers: not the keys that it is used with.
fn offered() -> Vec<&'static Binding> {
    let own = |action| {
        use Action::{Actions, Cancel, Confirm, Down, Pick, Up};
        matches!(action, Actions | Cancel | Confirm | Down | Pick(_) | Up)
    };
    STEPPER.iter().filter(|b| !own(b.action)).collect()
}

impl Stepper {
    /// A key while the list is open.
    pub(super) fn palette_key(&mut self, chosen: usize, key: Key) -> Ask {
        let last = offered().len() - 1;
        let go = |to: usize| Some(Over::Actions(to.min(last)));
        match key {
            Key::Up => self.over = go(chosen.saturating_sub(1)),
            Key::Down => self.over = go(chosen + 1),
            Key::PageUp => self.over = go(chosen.saturating_sub(10)),
            Key::PageDown => self.over = go(chosen + 10),
            Key::Home => self.over = go(0),
            Key::End => self.over = go(last),
            Key::Enter => return self.act(offered()[chosen].action),
            Key::Esc | Key::F(2) | Key::Char('q') => {}
            // The keys that the list shows do at once what it says.
            other => match action::of_key(other) {
                Some(action) => return self.act(action),
                None => self.over = go(chosen),
            },
        }
        Ask::Stay(true)
    }

    /// Draws the list, the part around the chosen line where there is no room for all.
    pub(super) fn draw_palette(&self, chosen: usize, look: &Look, area: Rect, buf: &mut Buffer) {
        let all = offered();
        let keys = all.iter().map(|b| width(&b.all_keys())).max().unwrap_or(0);
        let node = self.lab.setup().names.get(self.selected);
        let title = format!("What to do? Enter does it, Esc closes; {node} is selected");
        let inner = boxed_over(&title, all.len() as u16, look, area, buf);
        let rows = usize::from(inner.height);
        let first =
            (chosen + 1).saturating_sub(rows.div_ceil(2)).min(all.len().saturating_sub(rows));
        Self::draw_more(first, all.len().saturating_sub(first + rows), look, inner, buf);
        for (y, (i, binding)) in all.iter().enumerate().skip(first).take(rows).enumerate() {
            let key = format!("{}  ", pad(&look.text(&binding.all_keys()), keys));
            let x = look.put(buf, inner, 1, y as u16, &key, Role::Key);
            let room = usize::from(inner.width.saturating_sub(x + 1));
            let about = clip(&look.text(binding.about), room, look.glyphs.ellipsis);
            look.put(buf, inner, x, y as u16, &about, Role::Text);
            if i == chosen {
                look.select_row(buf, inner, y as u16);
            }
        }
    }

    /// Says on the lower border how many lines there are above and below those that are shown.
    fn draw_more(above: usize, below: usize, look: &Look, inner: Rect, buf: &mut Buffer) {
        let more = |sign: &str, count: usize| match count {
            0 => String::new(),
            n => format!(" {sign} {n} more "),
        };
        let text = more(look.glyphs.more_up, above) + &more(look.glyphs.more_down, below);
        let place =
            Rect { x: inner.x + 1, y: inner.bottom(), width: width(&text) as u16, height: 1 };
        let place = place.intersection(*buf.area());
        Clear.render(place, buf);
        look.put(buf, place, 0, 0, &text, Role::Accent);
    }
}
