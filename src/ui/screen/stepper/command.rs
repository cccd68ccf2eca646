//! The command line of the stepper: an event, `until GOAL`, `run`, `seed N`, `goto N`, and what
//! `saving` does with the whole run.
//!
//! What Tab proposes is `complete`'s business, what an event does the engine's.

use super::Stepper;
use super::complete::{COMMANDS, complete, form, unknown};
use crate::lab::{Ended, PlayError};
use crate::model::event::VERBS;
use crate::ui::keymap::Key;
use crate::ui::screen::stepper::Ask;
use tui_input::InputRequest;

/// The lines that were typed, and which of them is shown again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Typed {
    lines: Vec<String>,
    shown: Option<usize>,
    /// What stood there before an earlier line took its place.
    unfinished: String,
    /// How many bytes of the line stay when somebody types: behind them stands a name that was proposed.
    proposed: Option<usize>,
}

impl Typed {
    fn keep(&mut self, line: &str) {
        self.shown = None;
        if self.lines.last().is_none_or(|last| last != line) {
            self.lines.push(line.to_owned());
        }
    }

    /// The line before the one that is shown.
    fn earlier(&mut self, now: &str) -> Option<String> {
        let next = match self.shown {
            None => self.lines.len().checked_sub(1)?,
            Some(i) => i.checked_sub(1)?,
        };
        if self.shown.is_none() {
            now.clone_into(&mut self.unfinished);
        }
        self.shown = Some(next);
        Some(self.lines[next].clone())
    }

    /// The line after it; behind the last one what had been begun.
    fn later(&mut self) -> Option<String> {
        let next = self.shown? + 1;
        self.shown = (next < self.lines.len()).then_some(next);
        Some(self.lines.get(next).unwrap_or(&self.unfinished).clone())
    }
}

impl Stepper {
    /// Opens the command line with a text in it.
    pub(super) fn open_command(&mut self, text: &str) {
        (self.typed.shown, self.typed.proposed) = (None, None);
        self.command = Some(text.into());
        self.say("Tab completes · ↑ ↓ earlier lines · Enter does it · Esc closes");
    }

    /// Opens it with a command and a name that typing replaces.
    pub(super) fn propose(&mut self, command: &str, name: &str) {
        let before = format!("{command} ");
        self.open_command(&format!("{before}{name}"));
        self.typed.proposed = Some(before.len());
        self.say("typing replaces the name · → or End edits it · Enter does it · Esc closes");
    }

    /// Takes away the name that was proposed, if it still is the one that was.
    fn replace_proposed(&mut self) {
        let (Some(field), Some(stays)) = (&mut self.command, self.typed.proposed.take()) else {
            return;
        };
        let kept = field.value().get(..stays).unwrap_or_default().to_owned();
        *field = kept.into();
    }

    pub(super) fn command_key(&mut self, key: Key) -> Ask {
        if matches!(key, Key::Char(_)) {
            self.replace_proposed();
        }
        self.typed.proposed = None;
        let Some(field) = &mut self.command else { return Ask::Stay(false) };
        match key {
            Key::Esc => self.command = None,
            Key::Enter => {
                let text = field.value().trim().to_owned();
                self.command = None;
                if !text.is_empty() {
                    self.typed.keep(&text);
                    return self.run_command(&text);
                }
            }
            Key::Tab => self.complete(),
            Key::Up => match self.typed.earlier(field.value()) {
                Some(line) => self.command = Some(line.into()),
                None => self.say("no line was typed before this one"),
            },
            Key::Down => match self.typed.later() {
                Some(line) => self.command = Some(line.into()),
                None => self.say("this is the last line"),
            },
            Key::Backspace if field.value().is_empty() => self.command = None,
            _ => edit(field, key),
        }
        Ask::Stay(true)
    }

    /// Completes the word before the cursor; several possibilities are listed.
    fn complete(&mut self) {
        let Some(field) = &self.command else { return };
        let (before, behind) = halves(field);
        let found = complete(&before, &self.lab);
        let Some(text) = found.text() else {
            return self.say(format!("nothing goes on with `{}`", before.trim_start()));
        };
        let line = format!("{}{text}", &before[..found.from]);
        let cursor = line.chars().count();
        self.command = Some(tui_input::Input::new(line + &behind).with_cursor(cursor));
        if found.words.len() > 1 {
            self.say(found.listed());
        }
    }

    pub(super) fn paste(&mut self, text: &str) -> Ask {
        self.replace_proposed();
        let field = match (&mut self.command, &mut self.asking) {
            (Some(field), _) => Some(field),
            (None, Some(asking)) => asking.text_field(),
            (None, None) => None,
        };
        let Some(field) = field else { return Ask::Stay(false) };
        for c in text.chars() {
            field.handle(InputRequest::InsertChar(c));
        }
        Ask::Stay(true)
    }

    fn run_command(&mut self, text: &str) -> Ask {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "q" | "quit" if rest.is_empty() => return Ask::Leave,
            "?" | "help" if rest.is_empty() => return Ask::Help,
            "seed" if rest.is_empty() => self.ask_which("number", word),
            "goto" | "g" if rest.is_empty() => self.ask_which("step", "goto"),
            "until" if rest.is_empty() => self.ask_which("goal", word),
            "until" => self.run_until(rest),
            "run" if rest.is_empty() => self.run_to_end(),
            "seed" => match rest.parse() {
                Ok(seed) => {
                    self.use_seed(seed);
                    self.say(format!("run, until and a now draw from seed {seed}"));
                }
                Err(_) => self.say(format!("`{rest}` is no seed; write seed 7")),
            },
            "goto" | "g" => self.go_to_step(rest),
            "copy" if rest.is_empty() => return self.copy_run(),
            "load" => return self.load_run(rest),
            "record" => return self.record(rest),
            "save" => self.save_run(rest, None),
            "export" => {
                let (format, path) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                self.save_run(path.trim(), Some(format));
            }
            word if COMMANDS.iter().any(|(command, _)| *command == word) => {
                self.say(format!("`{word}` takes nothing behind it"));
            }
            word if !is_event(word) => self.say(unknown(word)),
            _ => self.run_events(text),
        }
        Ask::Stay(true)
    }

    /// Says how a command is written that was typed alone.
    fn ask_which(&mut self, what: &str, command: &str) {
        self.say(format!("which {what}? Write {}", form(command)));
    }

    fn run_events(&mut self, text: &str) {
        if self.away() {
            return self.play_typed(text);
        }
        match self.lab.play_schedule(text) {
            Ok(()) => self.after_move(),
            Err(PlayError::Text(error)) => {
                self.say(format!("{} (column {})", error.message, error.at + 1))
            }
            Err(error @ PlayError::Refused { .. }) => {
                self.after_move();
                self.say(error.to_string());
            }
        }
    }

    /// Whether events have to be played one by one now; the footer says so.
    fn one_by_one(&mut self) -> bool {
        if self.away() {
            self.say("while an answer is played, its events are played one by one");
        }
        self.away()
    }

    fn run_until(&mut self, text: &str) {
        if self.one_by_one() {
            return;
        }
        let goal = match self.lab.goal_for_until(text) {
            Ok(goal) => goal,
            Err(error) => return self.say(error.to_string()),
        };
        let ended = self.lab.run_on_but(&mut self.policy, &self.kept, Some(&goal));
        self.after_move();
        self.say(match ended {
            Ended::Goal => format!("`{text}` holds here"),
            Ended::Quiet => self.ended_quietly(text),
            Ended::Limit => format!("stopped at the limit of steps; `{text}` does not hold"),
        });
    }

    fn run_to_end(&mut self) {
        if self.one_by_one() {
            return;
        }
        let ended = self.lab.run_on_but(&mut self.policy, &self.kept, None);
        self.after_move();
        let told = match (ended, self.kept_back()) {
            (Ended::Limit, _) => "stopped at the limit of steps".to_owned(),
            (_, Some(kept)) => format!("{kept}: k lets the chosen message go"),
            (_, None) => self.nothing_to_do(),
        };
        self.say(told);
    }

    /// What a run says that has come to rest before its goal.
    fn ended_quietly(&self, goal: &str) -> String {
        match self.kept_back() {
            Some(kept) => format!("{kept}, and `{goal}` does not hold: k lets it go"),
            None => format!("nothing more happens by itself, and `{goal}` does not hold"),
        }
    }

    /// The messages that a run leaves in flight, by name; `None`: there are none.
    fn kept_back(&self) -> Option<String> {
        let names = &self.lab.setup().names;
        let flights = self.lab.state().view().in_flight;
        let kept: Vec<_> = flights.iter().filter(|flight| self.kept.holds(flight)).collect();
        let which = match kept.as_slice() {
            [] => return None,
            [one] => one.id.show(names),
            [one, other] => format!("{} and {}", one.id.show(names), other.id.show(names)),
            [one, rest @ ..] => format!("{} and {} more", one.id.show(names), rest.len()),
        };
        Some(format!("what is still on its way, {which}, is kept back"))
    }

    fn go_to_step(&mut self, text: &str) {
        let Ok(step) = text.parse::<u32>() else {
            return self.say(format!("`{text}` is no step; write goto 3"));
        };
        let history = self.lab.history();
        let here = history.cursor();
        let earlier = history.ancestors(here).find(|r| history.depth(*r) == step);
        let later = || history.redo_path(here).find(|r| history.depth(*r) == step);
        match earlier.or_else(later) {
            Some(rev) => self.go_to(rev),
            None => self.say(format!("there is no step {step} on this branch")),
        }
    }
}

/// Whether a line that begins with this word is read as events; also one with a `;` in it, whose first
/// event may lack a node.
fn is_event(word: &str) -> bool {
    word.contains(';') || VERBS.iter().any(|(verb, _)| verb.eq_ignore_ascii_case(word))
}

/// What stands before the cursor of a text field, and what from there on.
pub(super) fn halves(field: &tui_input::Input) -> (String, String) {
    let before: String = field.value().chars().take(field.cursor()).collect();
    let behind = field.value()[before.len()..].to_owned();
    (before, behind)
}

/// One key in a text field.
pub(super) fn edit(field: &mut tui_input::Input, key: Key) {
    let request = match key {
        Key::Char(c) => InputRequest::InsertChar(c),
        Key::Backspace => InputRequest::DeletePrevChar,
        Key::Delete => InputRequest::DeleteNextChar,
        Key::Left => InputRequest::GoToPrevChar,
        Key::Right => InputRequest::GoToNextChar,
        Key::Home => InputRequest::GoToStart,
        Key::End => InputRequest::GoToEnd,
        Key::Ctrl('u') => InputRequest::DeleteLine,
        Key::Ctrl('w') => InputRequest::DeletePrevWord,
        _ => return,
    };
    field.handle(request);
}
