//! The menu of `e`, and the commands behind it: a run as one line, in a file, in a format.
//!
//! It reads and writes no file itself; the terminal's own file does, and tells what went wrong.

use super::sheet::Sheet;
use super::{Ask, Stepper};
use crate::export::EXPORTERS;
use crate::lab::Lab;
use crate::ui::keymap::Key;
use crate::ui::panel::Look;
use crate::ui::screen::boxed_over;
use crate::ui::sharing;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// What lies over the panels until it is closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Over {
    /// The menu, and which line of it is chosen.
    Menu(usize),
    /// Everything that can be done, and which line of it is chosen.
    Actions(usize),
    /// A text, whole.
    Sheet(Sheet),
}

/// The keys of the menu's lines: each is one key, and none of them closes it.
const LINES: &str = "123456789abcdfghijklmnoprstuvwxyz";

/// The lines of the menu: what each does, and what it types.
fn menu(lab: &Lab) -> Vec<(String, String)> {
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

impl Stepper {
    /// A key while something lies over the panels.
    pub(super) fn over_key(&mut self, over: Over, key: Key) -> Ask {
        let chosen = match over {
            Over::Menu(chosen) => chosen,
            Over::Actions(chosen) => return self.palette_key(chosen, key),
            Over::Sheet(sheet) => {
                self.over = sheet.key(key).map(Over::Sheet);
                return Ask::Stay(true);
            }
        };
        let lines = menu(&self.lab);
        let go = |to: usize| Some(Over::Menu(to.min(lines.len() - 1)));
        match key {
            Key::Up => self.over = go(chosen.saturating_sub(1)),
            Key::Down => self.over = go(chosen + 1),
            Key::Enter => return self.choose_line(&lines[chosen].1),
            Key::Esc | Key::Char('e' | 'q') => {}
            Key::Char(c) => {
                match LINES.chars().position(|key| key == c).map(|place| lines.get(place)) {
                    Some(Some((_, command))) => return self.choose_line(command),
                    Some(None) | None => {
                        self.over = go(chosen);
                        self.say(format!("no line of the menu has the key {c}"));
                    }
                }
            }
            _ => self.over = go(chosen),
        }
        Ask::Stay(true)
    }

    /// What names no file is done; the rest is typed, so that the name can be changed.
    fn choose_line(&mut self, command: &str) -> Ask {
        match command {
            "copy" => return self.copy_run(),
            "record" => return self.record(""),
            _ => {}
        }
        match command.rsplit_once(' ') {
            Some((command, name)) if !name.is_empty() => self.propose(command, name),
            _ => self.open_command(command),
        }
        Ask::Stay(true)
    }

    /// Copies the run as one line, and shows it whole: no terminal says whether it takes copies.
    pub(super) fn copy_run(&mut self) -> Ask {
        let line = self.lab.line();
        let title = "Copied, if this terminal takes copies; else select it here";
        self.over = Some(Over::Sheet(Sheet::of(title, &line)));
        Ask::Copy(line)
    }

    /// Writes the run to a new file, as its line or in a format.
    pub(super) fn save_run(&mut self, path: &str, format: Option<&str>) {
        match sharing::save(&self.lab, path, format, self.seed) {
            Ok(told) => self.say(told),
            Err(why) => self.say(why),
        }
    }

    /// Reads a run; it opens above this one, which stays as it is.
    pub(super) fn load_run(&mut self, path: &str) -> Ask {
        match sharing::load(path) {
            Ok(lab) => {
                let steps = match lab.state().steps() {
                    1 => "1 step".to_owned(),
                    n => format!("{n} steps"),
                };
                let told = format!("loaded `{path}`: {steps}; q leads back to the run before");
                Ask::Open(Box::new(lab), told)
            }
            Err(why) => {
                self.say(why);
                Ask::Stay(true)
            }
        }
    }

    /// Draws what lies over the panels.
    pub(super) fn draw_over(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        match &self.over {
            None => {}
            Some(Over::Actions(chosen)) => self.draw_palette(*chosen, look, area, buf),
            Some(Over::Menu(chosen)) => {
                let lines = menu(&self.lab);
                let rows = lines.len() as u16;
                let inner = boxed_over("The run: Enter chooses, Esc closes", rows, look, area, buf);
                for (i, (text, _)) in lines.iter().enumerate() {
                    let key = LINES.chars().nth(i).map_or(String::new(), String::from);
                    let x = look.put(buf, inner, 1, i as u16, &format!("{key} "), Role::Key);
                    look.put(buf, inner, x, i as u16, text, Role::Text);
                    if i == *chosen {
                        look.select_row(buf, inner, i as u16);
                    }
                }
            }
            Some(Over::Sheet(sheet)) => sheet.draw(look, area, buf),
        }
    }
}
