//! What goes over the line: one JSON object a line, each the whole state, with a version.
//!
//! It reads and writes text and knows no socket.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the protocol. Fields may be added without a new one.
pub const VERSION: u32 = 1;

/// Longer lines are no state of ours.
pub(super) const LONGEST: u64 = 256 << 10;

/// What the hall sees and what comes, as the presenter is told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Now {
    /// The lesson's title.
    pub title: String,
    /// How many minutes the lesson takes a learner.
    pub minutes: Option<u32>,
    /// The step, from 1.
    pub step: usize,
    /// How many there are.
    pub steps: usize,
    /// The click within the step, from 1.
    pub click: usize,
    /// How many clicks the step has.
    pub clicks: usize,
    /// What lies over the lesson in the hall; empty: nothing.
    pub hall: String,
    /// The step's note.
    pub note: Option<String>,
    /// What the step says, shortly.
    pub says: String,
    /// What has just happened.
    pub event: Option<String>,
    /// The step's question.
    pub asks: Option<String>,
    /// Whether the hall can see the question.
    pub asked: bool,
    /// How much of the question the hall can see.
    pub revealed: String,
    /// The answer of the step's question.
    pub answer: Option<String>,
    /// What the next click brings.
    pub next: String,
    /// Whether that is the answer of the step's question.
    pub answers_next: bool,
    /// How the next step begins.
    pub next_step: Option<String>,
    /// Something for the presenter alone.
    pub aside: Option<String>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The version of the protocol.
    pub lockstep_present: u32,
    /// When the presentation began, in seconds since 1970.
    pub began: u64,
    /// When the step was reached.
    pub since: u64,
    /// What there is to see.
    pub now: Now,
}

/// The version alone, whatever else the line holds.
#[derive(Deserialize)]
struct Head {
    lockstep_present: u32,
}

impl Line {
    /// The line as it is sent, with its end.
    #[must_use]
    pub fn write(&self) -> String {
        let text = serde_json::to_string(self).expect("texts and numbers are JSON");
        text + "\n"
    }

    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(text: &str) -> Result<Self, String> {
        let head: Head = serde_json::from_str(text)
            .map_err(|_| "what the presentation sends cannot be understood".to_owned())?;
        if head.lockstep_present != VERSION {
            return Err(format!(
                "the presentation speaks version {}, these notes version {VERSION}: start both with the same lockstep",
                head.lockstep_present
            ));
        }
        serde_json::from_str(text)
            .map_err(|_| "what the presentation sends cannot be understood".to_owned())
    }
}

/// Where a presentation stands, for the next start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// The step, from 0.
    pub step: usize,
    /// The click within it, from 0.
    pub click: usize,
    /// Whether that was the end.
    pub ended: bool,
    /// The hands that were counted: question, round, option.
    pub polls: BTreeMap<String, Vec<Vec<u32>>>,
}

/// A place as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) lockstep_present: u32,
    /// When it was written, in seconds since 1970.
    pub(super) at: u64,
    pub(super) began: u64,
    pub(super) since: u64,
    pub(super) place: Place,
}

/// So long after its last click a presentation is gone on with, in seconds: a lecture with its break,
/// and not the next one.
const FRESH: u64 = 3 * 3600;

impl Kept {
    /// Whether the next start should go on here.
    pub(super) fn goes_on(&self, now: u64) -> bool {
        let fresh = now.saturating_sub(self.at) <= FRESH && self.at <= now;
        self.lockstep_present == VERSION && fresh && !self.place.ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        let now = Now { title: "A \"title\"\n".to_owned(), step: 2, ..Now::default() };
        Line { lockstep_present: VERSION, began: 5, since: 7, now }
    }

    #[test]
    fn a_line_comes_back_as_it_was_and_is_one_line() {
        let text = line().write();
        assert_eq!(text.matches('\n').count(), 1, "{text}");
        assert_eq!(Line::read(&text), Ok(line()));
    }

    #[test]
    fn fields_that_are_added_later_do_no_harm() {
        let text = line().write().replace("\"began\"", "\"colour\":\"red\",\"began\"");
        assert_eq!(Line::read(&text), Ok(line()));
    }

    #[test]
    fn another_version_is_told_in_words() {
        let text = line().write().replace("\"lockstep_present\":1", "\"lockstep_present\":9");
        let error = Line::read(&text).expect_err("another version");
        assert!(error.contains("version 9") && error.contains("version 1"), "{error}");
    }

    #[test]
    fn what_is_no_state_is_no_panic() {
        for text in
            ["", "{", "[]", "{\"lockstep_present\":1}", "hello", "{\"lockstep_present\":-1}"]
        {
            assert!(Line::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_lecture_is_gone_on_with_and_the_next_one_begins_anew() {
        let kept = |at, ended| Kept {
            lockstep_present: VERSION,
            at,
            began: 0,
            since: 0,
            place: Place { ended, ..Place::default() },
        };
        let now = 1_000_000;
        assert!(kept(now - 60, false).goes_on(now));
        assert!(kept(now - FRESH, false).goes_on(now));
        assert!(!kept(now - FRESH - 1, false).goes_on(now), "last week's");
        assert!(!kept(now - 60, true).goes_on(now), "it had come to its end");
        assert!(!kept(now + 60, false).goes_on(now), "a clock that was set back");
    }
}
