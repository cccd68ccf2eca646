//! The keys of an open question, for the footer and for the help: one table, so that both say the same.
//!
//! It binds nothing; `input` does.

use super::entry::Entry;
use crate::lesson::QuestionState;
use crate::session::{AnswerDraft, Session};

/// A key and what it does.
type Hint = (&'static str, &'static str);

const ANSWER: Hint = ("Enter", "answer");
const CHOOSE: Hint = ("↑ ↓", "choose");
const HINT: Hint = ("h", "hint");
const SOLUTION: Hint = ("s", "solution");
const TYPED_HINT: Hint = ("Ctrl-T", "hint");
const TYPED_SOLUTION: Hint = ("Ctrl-S", "solution");
const ASIDE: Hint = ("Esc", "aside");
const KEYS: Hint = ("?", "keys");

const HAND_IN: Hint = ("s", "hand in");
/// The solution, where `s` hands in.
const SHOWN: Hint = ("S", "solution");

const ONE: &[Hint] = &[CHOOSE, ANSWER, HINT, ASIDE, SOLUTION, KEYS];
const MANY: &[Hint] = &[CHOOSE, ("Space", "mark"), ANSWER, HINT, ASIDE, SOLUTION, KEYS];
const CARDS: &[Hint] = &[
    CHOOSE,
    ("Space", "take"),
    ("x", "out"),
    ANSWER,
    HINT,
    ASIDE,
    KEYS,
    SOLUTION,
    ("1-9", "one after the other"),
];
const HELD: &[Hint] = &[("↑ ↓", "move the card"), ("Space", "let it go"), ANSWER, HINT, ASIDE];
const LINE: &[Hint] = &[ANSWER, ASIDE, TYPED_HINT, TYPED_SOLUTION];
const CELLS: &[Hint] =
    &[("↑ ↓ Tab", "cells"), ("Enter", "next, answer"), ASIDE, TYPED_HINT, TYPED_SOLUTION];
const PLAY: &[Hint] =
    &[CHOOSE, ("Enter", "play"), ("←", "take back"), HAND_IN, HINT, ASIDE, KEYS, SHOWN];
const PLAY_OR_NOT: &[Hint] = &[
    CHOOSE,
    ("Enter", "play"),
    ("←", "take back"),
    HAND_IN,
    ("i", "impossible"),
    HINT,
    ASIDE,
    KEYS,
    SHOWN,
];
const PLAYED_WRONG: &[Hint] =
    &[("Enter", "go to the wrong line"), ("←", "take back"), ("Home", "start"), HINT, SHOWN, ASIDE];
const WORD: &[Hint] =
    &[("a b", "what will come of it"), ("↑ ↓ Enter", "the same"), ("Esc", "do not play it")];
const DECIDE: &[Hint] = &[CHOOSE, ("Enter", "decide"), HINT, ASIDE, SOLUTION, ("z", "zoom")];
const WRONG: &[Hint] = &[("Enter", "try again"), HINT, ("←", "back"), KEYS, ("q", "quit")];

/// What the help says of questions.
pub const HELP: [(&str, &str); 14] = [
    ("Enter", "open the question; then: answer, or go on to the next empty cell"),
    ("Esc", "put the answer aside; what was typed or played is kept for another time"),
    ("↑ ↓", "choose; in a table the cell above or below"),
    ("a-i, 1-9", "the answer with that letter or number; cards: one after the other"),
    ("Space", "mark one of several answers; take a card, then ↑ ↓ move it, and let it go"),
    ("x", "leave a card out, or take it in again"),
    ("Tab", "the next cell of a table"),
    ("PgUp", "the page on the whole screen, to read what comes before the question; PgDn, Esc"),
    (
        "1-9 r x c d",
        "where the answer is played: each event is a line of it; → and Enter play the chosen message",
    ),
    ("s", "there: hand in what was played; the solution is S S"),
    ("← Home", "there: take the last line back; all the way to its start"),
    ("i", "there: say that it is impossible, where that may be an answer"),
    ("h", "a hint: where to look, which rule, the next move; while typing Ctrl-T"),
    ("s s", "the solution; the question then counts as shown. While typing Ctrl-S"),
];

/// The footer while a question is open, or has just been answered wrongly.
pub(super) fn hints(session: &Session, entry: Option<&Entry>) -> Option<Vec<(String, String)>> {
    let hints = match (session.answer(), session.question()) {
        (Some(draft), _) => open_hints(session, draft, entry),
        (None, Some(q)) if q.state == QuestionState::Wrong => WRONG,
        _ => return None,
    };
    Some(hints.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect())
}

fn open_hints(session: &Session, draft: &AnswerDraft, entry: Option<&Entry>) -> &'static [Hint] {
    match draft {
        AnswerDraft::Played(play) if play.pending().is_some() => WORD,
        AnswerDraft::Played(_) if session.goes_before_wrong() => PLAYED_WRONG,
        AnswerDraft::Played(play) if play.how.impossible => PLAY_OR_NOT,
        AnswerDraft::Played(_) => PLAY,
        AnswerDraft::Decided(_) => DECIDE,
        AnswerDraft::Line(_) => LINE,
        AnswerDraft::Cells(_) => CELLS,
        AnswerDraft::Marks(_) => MANY,
        AnswerDraft::Order(_) if entry.is_some_and(|entry| entry.held) => HELD,
        AnswerDraft::Order(_) => CARDS,
        AnswerDraft::Pick(_) => ONE,
    }
}
