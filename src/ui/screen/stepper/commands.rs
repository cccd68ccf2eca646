//! What is typed behind `:`, and what the menus do: events, commands, files.
//!
//! What a command means is the session's business; files are opened by the terminal's own file, which
//! tells what went wrong.

use super::complete::unknown;
use super::over::{Over, menu, named, offered};
use super::sheet::Sheet;
use super::state::{Ask, Stepper};
use crate::model::event::VERBS;
use crate::session::words::{Word, on_the_command_line};
use crate::session::{Command, To};
use crate::ui::action::{self, Action};
use crate::ui::keymap::Key;
use crate::ui::sharing::{self, Record};

/// What a key comes to while something lies over the panels.
pub(super) enum Chosen {
    /// It is done.
    Done(Ask),
    /// This action is chosen.
    Act(Action),
}

impl Stepper {
    pub(super) fn run_command(&mut self, text: &str) -> Ask {
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let Some(spec) = on_the_command_line().find(|spec| spec.names.contains(&first)) else {
            match is_event(first) {
                true => drop(self.perform(Command::Lines(text.to_owned()))),
                false => self.say(unknown(first)),
            }
            return Ask::Stay(true);
        };
        let form = format!("{} {}", spec.names[0], spec.takes);
        match spec.word {
            _ if spec.takes.is_empty() && !rest.is_empty() => {
                self.say(format!("`{first}` takes nothing behind it"));
            }
            Word::Quit => return Ask::Leave,
            Word::Help => return Ask::Help,
            Word::Copy => return self.copy_run(),
            Word::Load => return self.load_run(rest),
            Word::Record => return self.record(rest),
            Word::Save => self.save_run(rest, None),
            Word::Export => {
                let (format, path) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                self.save_run(path.trim(), Some(format));
            }
            Word::Run => drop(self.perform(Command::Run)),
            Word::Seed if rest.is_empty() => self.say(format!("which number? Write {form}")),
            Word::GoTo if rest.is_empty() => self.say(format!("which step? Write {form}")),
            Word::Until if rest.is_empty() => self.say(format!("which goal? Write {form}")),
            Word::Until => drop(self.perform(Command::Until(rest.to_owned()))),
            Word::Seed => match rest.parse() {
                Ok(seed) => drop(self.perform(Command::Seed(seed))),
                Err(_) => self.say(format!("`{rest}` is no seed; write {form}")),
            },
            Word::GoTo => match rest.parse() {
                Ok(step) => drop(self.perform(Command::Go(To::Step(step)))),
                Err(_) => self.say(format!("`{rest}` is no step; write {form}")),
            },
            _ => self.say(unknown(first)),
        }
        Ask::Stay(true)
    }

    /// A key while something lies over the panels.
    pub(super) fn over_key(&mut self, over: Over, key: Key) -> Chosen {
        let done = Chosen::Done(Ask::Stay(true));
        match over {
            Over::Sheet(sheet) => self.over = sheet.key(key).map(Over::Sheet),
            Over::Actions(mut list) => {
                let all = offered();
                if list.key(key, all.len(), |i| format!("{} {}", all[i].all_keys(), all[i].about)) {
                    self.over = Some(Over::Actions(list));
                    return done;
                }
                match key {
                    Key::Enter => return Chosen::Act(all[list.chosen].action),
                    Key::Esc | Key::F(2) | Key::Char('q') => {}
                    // The keys that the list shows do at once what it says.
                    other => match action::of_key(other) {
                        Some(action) => return Chosen::Act(action),
                        None => self.over = Some(Over::Actions(list)),
                    },
                }
            }
            Over::Menu(mut list) => {
                let lines = menu(self.lab());
                if list.key(key, lines.len(), |i| lines[i].0.clone()) {
                    self.over = Some(Over::Menu(list));
                    return done;
                }
                match key {
                    Key::Enter => return Chosen::Done(self.choose_line(&lines[list.chosen].1)),
                    Key::Esc | Key::Char('e' | 'q') => {}
                    Key::Char(c) => match named(c).and_then(|place| lines.get(place)) {
                        Some((_, command)) => return Chosen::Done(self.choose_line(command)),
                        None => {
                            self.over = Some(Over::Menu(list));
                            self.say(format!("no line of the menu has the key {c}"));
                        }
                    },
                    _ => self.over = Some(Over::Menu(list)),
                }
            }
        }
        done
    }

    /// What names no file is done; the rest is typed, so that the name can be changed.
    fn choose_line(&mut self, command: &str) -> Ask {
        match command {
            "copy" => return self.copy_run(),
            "record" => return self.record(""),
            _ => {}
        }
        let how = match command.rsplit_once(' ') {
            Some((command, name)) if !name.is_empty() => self.line.propose(command, name),
            _ => self.line.open(command),
        };
        self.say(how);
        Ask::Stay(true)
    }

    /// Copies the run as one line, and shows it whole: no terminal says whether it takes copies.
    fn copy_run(&mut self) -> Ask {
        let line = self.lab().line();
        let title = "Copied, if this terminal takes copies; else select it here";
        self.over = Some(Over::Sheet(Sheet::of(title, &line)));
        Ask::Copy(line)
    }

    /// Writes the run to a new file, as its line or in a format.
    fn save_run(&mut self, path: &str, format: Option<&str>) {
        match sharing::save(self.lab(), path, format, self.session.seed()) {
            Ok(told) => self.say(told),
            Err(why) => self.say(why),
        }
    }

    /// Reads a run; it opens above this one, which stays as it is.
    fn load_run(&mut self, path: &str) -> Ask {
        match sharing::load(path, self.lab()) {
            Ok((lab, told)) => {
                Ask::Open(Box::new(lab), format!("{told}; q leads back to the run before"))
            }
            Err(why) => {
                self.say(why);
                Ask::Stay(true)
            }
        }
    }

    /// `record`, `record FILE`, `record steps`, `record steps FILE`.
    fn record(&mut self, asked: &str) -> Ask {
        match sharing::record(&self.session, asked) {
            Err(why) => self.say(why),
            Ok(Record::Mark) => drop(self.perform(Command::Mark)),
            Ok(Record::Text(text)) => {
                let title = "Steps for a lesson, copied if this terminal takes copies";
                self.over = Some(Over::Sheet(Sheet::of(title, &text)));
                return Ask::Copy(text);
            }
            Ok(Record::Told(told)) => {
                self.over = Some(Over::Sheet(Sheet::of("Recorded", &told.join("\n"))));
            }
        }
        Ask::Stay(true)
    }
}

/// Whether a line that begins with this word is read as events; also one with a `;` in it, whose first
/// event may lack a node.
fn is_event(word: &str) -> bool {
    word.contains(';') || VERBS.iter().any(|(verb, _)| verb.eq_ignore_ascii_case(word))
}
