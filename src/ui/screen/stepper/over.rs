//! What lies over the panels: the menu of `e`, everything that can be done, a text on the whole screen.
//!
//! What their lines do is done elsewhere.

use super::sheet::Sheet;
use crate::export::EXPORTERS;
use crate::lab::Lab;
use crate::ui::action::{Action, Binding, STEPPER};
use crate::ui::list::List;
use crate::ui::panel::Look;
use crate::ui::panel::text::{clip, pad, width};
use crate::ui::screen::boxed_over;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget as _};

/// What lies over the panels until it is closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Over {
    /// The menu, and which line of it is chosen.
    Menu(List),
    /// Everything that can be done, and which line of it is chosen.
    Actions(List),
    /// A text, whole.
    Sheet(Sheet),
}

/// The keys of the menu's lines: each is one key, and none of them closes it.
const LINES: &str = "123456789abcdfghijklmnoprstuvwxyz";

/// The place of the line that a key names.
pub(super) fn named(key: char) -> Option<usize> {
    LINES.chars().position(|known| known == key)
}

/// The lines of the menu: what each does, and what it types.
pub(super) fn menu(lab: &Lab) -> Vec<(String, String)> {
    let slug = &lab.config().algorithm;
    let mut lines = vec![
        ("copy the run as one line".to_owned(), "copy".to_owned()),
        ("save the run to a file".to_owned(), format!("save {slug}.run")),
        ("load a run from a file".to_owned(), "load ".to_owned()),
        ("record it as a lesson with questions".to_owned(), format!("record my-{slug}.yaml")),
        ("record only what is played from here on".to_owned(), "record".to_owned()),
    ];
    lines.extend(EXPORTERS.iter().map(|format| {
        let name = format.name();
        (format!("export as {name}"), format!("export {name} {slug}.{name}"))
    }));
    lines
}

/// What the list of everything offers: not the keys that it is used with.
pub(super) fn offered() -> Vec<&'static Binding> {
    let own = |action| {
        use Action::{Actions, Cancel, Confirm, Down, Pick, Up};
        matches!(action, Actions | Cancel | Confirm | Down | Pick(_) | Up)
    };
    STEPPER.iter().filter(|b| !own(b.action)).collect()
}

impl Over {
    /// Whether letters are typed.
    pub(super) fn typing(&self) -> bool {
        match self {
            Self::Menu(list) | Self::Actions(list) => list.search.typing(),
            Self::Sheet(sheet) => sheet.typing(),
        }
    }

    /// Draws it; `node` is the name of the node that is selected.
    pub(super) fn draw(&self, lab: &Lab, node: &str, look: &Look, area: Rect, buf: &mut Buffer) {
        match self {
            Self::Actions(list) => {
                let title = format!("What to do? Enter does it, Esc closes; {node} is selected");
                let all = offered();
                let keys = all.iter().map(|b| width(&b.all_keys())).max().unwrap_or(0);
                let key = |b: &Binding| format!("{}  ", pad(&look.text(&b.all_keys()), keys));
                let lines = all.iter().map(|b| (key(b), b.about.to_owned())).collect::<Vec<_>>();
                draw_list(&title, &lines, list, look, area, buf);
            }
            Self::Menu(list) => {
                let lines = menu(lab).into_iter().enumerate();
                let key = |i: usize| LINES.chars().nth(i).map_or(String::new(), String::from);
                let lines = lines.map(|(i, (text, _))| (format!("{} ", key(i)), text));
                let title = "The run: Enter chooses, Esc closes";
                draw_list(title, &lines.collect::<Vec<_>>(), list, look, area, buf);
            }
            Self::Sheet(sheet) => sheet.draw(look, area, buf),
        }
    }
}

/// Draws a list of keys and what they do, the part around the chosen line where there is no room for all.
fn draw_list(
    title: &str,
    lines: &[(String, String)],
    list: &List,
    look: &Look,
    area: Rect,
    buf: &mut Buffer,
) {
    let sought = list.search.line();
    let title = sought.as_deref().unwrap_or(title);
    let inner = boxed_over(title, lines.len() as u16, look, area, buf);
    let (rows, chosen) = (usize::from(inner.height), list.chosen);
    let first = (chosen + 1).saturating_sub(rows.div_ceil(2)).min(lines.len().saturating_sub(rows));
    draw_more(first, lines.len().saturating_sub(first + rows), look, inner, buf);
    for (y, (i, (key, about))) in lines.iter().enumerate().skip(first).take(rows).enumerate() {
        let x = look.put(buf, inner, 1, y as u16, key, Role::Key);
        let room = usize::from(inner.width.saturating_sub(x + 1));
        let about = clip(&look.text(about), room, look.glyphs.ellipsis);
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
    let text = more(look.glyphs.more_up, above) + more(look.glyphs.more_down, below).as_str();
    let place = Rect { x: inner.x + 1, y: inner.bottom(), width: width(&text) as u16, height: 1 };
    let place = place.intersection(*buf.area());
    Clear.render(place, buf);
    look.put(buf, place, 0, 0, &text, Role::Accent);
}
