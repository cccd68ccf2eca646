//! The command line: what is typed, what was typed before, and what Tab puts behind the cursor.
//!
//! What a line means is the session's business.

use super::complete::complete;
use crate::lab::Lab;
use crate::ui::keymap::Key;
use tui_input::{Input, InputRequest};

/// What opening it says.
const HOW: &str = "Tab completes · ↑ ↓ earlier lines · Enter does it · Esc closes";
const HOW_PROPOSED: &str =
    "typing replaces the name · → or End edits it · Enter does it · Esc closes";

/// The command line, and the lines that were typed.
#[derive(Clone, Debug, Default)]
pub(super) struct CommandLine {
    /// What is typed; `None`: it is closed.
    pub(super) field: Option<Input>,
    lines: Vec<String>,
    /// Which of them is shown again.
    shown: Option<usize>,
    /// What stood there before an earlier line took its place.
    unfinished: String,
    /// How many bytes of the line stay when somebody types: behind them stands a name that was proposed.
    proposed: Option<usize>,
}

/// What a key came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    /// It is typed on, or closed.
    On,
    /// Something is said to it.
    Say(String),
    /// The line is done.
    Line(String),
}

impl CommandLine {
    /// Opens it with a text in it. Returns what to say.
    pub(super) fn open(&mut self, text: &str) -> &'static str {
        (self.shown, self.proposed) = (None, None);
        self.field = Some(text.into());
        HOW
    }

    /// Opens it with a command and a name that typing replaces. Returns what to say.
    pub(super) fn propose(&mut self, command: &str, name: &str) -> &'static str {
        let before = format!("{command} ");
        self.open(&format!("{before}{name}"));
        self.proposed = Some(before.len());
        HOW_PROPOSED
    }

    /// Takes away the name that was proposed, if it still is the one that was.
    fn replace_proposed(&mut self) {
        let (Some(field), Some(stays)) = (&mut self.field, self.proposed.take()) else { return };
        let kept = field.value().get(..stays).unwrap_or_default().to_owned();
        *field = kept.into();
    }

    /// A key while it is open.
    pub(super) fn key(&mut self, key: Key, lab: &Lab) -> Typed {
        if matches!(key, Key::Char(_)) {
            self.replace_proposed();
        }
        self.proposed = None;
        let Some(field) = &mut self.field else { return Typed::On };
        match key {
            Key::Esc => self.field = None,
            Key::Enter => {
                let text = field.value().trim().to_owned();
                self.field = None;
                if !text.is_empty() {
                    self.keep(&text);
                    return Typed::Line(text);
                }
            }
            Key::Tab => return self.complete(lab),
            Key::Up => match self.earlier() {
                Some(line) => self.field = Some(line.into()),
                None => return Typed::Say("no line was typed before this one".to_owned()),
            },
            Key::Down => match self.later() {
                Some(line) => self.field = Some(line.into()),
                None => return Typed::Say("this is the last line".to_owned()),
            },
            Key::Backspace if field.value().is_empty() => self.field = None,
            _ => edit(field, key),
        }
        Typed::On
    }

    /// Puts a text in, if it is open. Returns whether it is.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        self.replace_proposed();
        let Some(field) = &mut self.field else { return false };
        for c in text.chars() {
            field.handle(InputRequest::InsertChar(c));
        }
        true
    }

    /// Completes the word before the cursor; several possibilities are listed.
    fn complete(&mut self, lab: &Lab) -> Typed {
        let Some(field) = &self.field else { return Typed::On };
        let (before, behind) = halves(field);
        let found = complete(&before, lab);
        let Some(text) = found.text() else {
            return Typed::Say(format!("nothing goes on with `{}`", before.trim_start()));
        };
        let line = format!("{}{text}", &before[..found.from]);
        let cursor = line.chars().count();
        self.field = Some(Input::new(line + behind.as_str()).with_cursor(cursor));
        if found.words.len() > 1 { Typed::Say(found.listed()) } else { Typed::On }
    }

    fn keep(&mut self, line: &str) {
        self.shown = None;
        if self.lines.last().is_none_or(|last| last != line) {
            self.lines.push(line.to_owned());
        }
    }

    /// The line before the one that is shown.
    fn earlier(&mut self) -> Option<String> {
        let next = match self.shown {
            None => self.lines.len().checked_sub(1)?,
            Some(i) => i.checked_sub(1)?,
        };
        if self.shown.is_none() {
            self.field.as_ref().map_or("", Input::value).clone_into(&mut self.unfinished);
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

/// What stands before the cursor of a text field, and what from there on.
pub(super) fn halves(field: &Input) -> (String, String) {
    let before: String = field.value().chars().take(field.cursor()).collect();
    let behind = field.value()[before.len()..].to_owned();
    (before, behind)
}

/// One key in a text field.
pub(super) fn edit(field: &mut Input, key: Key) {
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
