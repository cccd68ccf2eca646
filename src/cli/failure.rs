//! How a command ends: with an answer, or with what kept it from giving one; and the exit status.
//!
//! Messages are made here and printed by `main` alone.

use std::io;
use unicode_width::UnicodeWidthStr as _;

/// The answer of a command that did its work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Fine: safe, reached, right. Status 0.
    Yes,
    /// The answer is no: violated, stuck, not reached, wrong. Status 1. The reason is told where the
    /// output does not tell it.
    No(Option<String>),
    /// The screen was left in a way that has a status of its own, such as a signal.
    Left(u8),
}

/// What kept a command from giving an answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line, or something that it names, cannot be used as it is. Status 2.
    #[error("{0}")]
    BadUse(String),
    /// A file cannot be read. Status 2.
    #[error("cannot read {what}")]
    Input {
        /// The file, as the command line names it.
        what: String,
        /// What the system says.
        source: io::Error,
    },
    /// The output cannot be written. Status 2, but for a reader that has gone away: that is fine.
    #[error("cannot write the output")]
    Output(#[from] io::Error),
    /// A lesson is at fault. Status 3.
    #[error("{0}")]
    Lesson(String),
}

impl Failure {
    /// The exit status.
    #[must_use]
    pub fn status(&self) -> u8 {
        match self {
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::BadUse(_) | Self::Input { .. } | Self::Output(_) => 2,
            Self::Lesson(_) => 3,
        }
    }
}

/// The most columns of a line that are shown above a caret.
const WIDTH: usize = 72;

/// The line of a text in which something is wrong, with a caret below the place.
pub(super) fn caret(text: &str, at: usize) -> String {
    let at = (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    let tame = |s: &str| s.replace(char::is_control, " ");
    let (mut before, mut after) = (tame(&text[start..at]), tame(&text[at..end]));
    while before.width() > WIDTH / 2 {
        let keep = before.char_indices().nth(8).map_or(before.len(), |(i, _)| i);
        before = format!("...{}", &before[keep..]);
    }
    while after.width() > WIDTH / 2 {
        let drop = after.char_indices().rev().nth(7).map_or(0, |(i, _)| i);
        after = format!("{}...", &after[..drop]);
    }
    format!("  | {before}{after}\n  | {}^", " ".repeat(before.width()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_the_place() {
        assert_eq!(
            caret("request P1; delver P1>P2", 12),
            "  | request P1; delver P1>P2\n  |             ^"
        );
        assert_eq!(caret("one\ntwo", 4), "  | two\n  | ^");
        assert_eq!(caret("", 9), "  | \n  | ^");
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides_of_the_place() {
        let text = format!("{}!{}", "a;".repeat(400), ";b".repeat(400));
        let shown = caret(&text, 800);
        let (line, below) = shown.split_once('\n').expect("two lines");
        assert!(line.width() <= WIDTH + 10, "{line}");
        assert_eq!(line.as_bytes()[below.len() - 1], b'!');
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert!(!caret("a\u{1b}[31mb", 0).contains('\u{1b}'));
        assert!(caret("ü\u{1b}", 1).starts_with("  | ü"), "a place inside a character");
    }
}
