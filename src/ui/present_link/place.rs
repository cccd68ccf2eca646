//! Where a presentation stands, as it is kept: numbers, and nothing that the lesson says.
//!
//! It reads and writes bytes and opens no file.

use super::VERSION;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Larger numbers are not exact in every program that reads JSON.
const MOST: u64 = 1 << 53;

/// So long after its last click a presentation is gone on with, in seconds: a lecture with its break,
/// and not the next one.
const FRESH: u64 = 3 * 3600;

/// What a presentation shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shown {
    /// The lesson.
    #[default]
    Lesson,
    /// A dark screen.
    Dark,
    /// The list of steps, with this one chosen, from 0.
    List(usize),
    /// Hands are counted, for this option now, from 0.
    Counting(usize),
    /// The help.
    Keys,
    /// The stepper.
    Exploring,
}

/// Something for the presenter alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Aside {
    /// A click at the end.
    End,
    /// Hands were to be counted where nothing is offered.
    NoOptions,
    /// Hands were to be counted before the question.
    NotAsked,
    /// Hands were to be counted after the answer.
    Answered,
    /// The presentation did not begin at the beginning.
    GoneOn,
    /// A step that the lesson does not have.
    NoSuchStep(usize),
    /// A key in the notes that changes nothing in the hall.
    Idle,
    /// A key that does its work in the hall's window alone.
    HallOnly,
    /// A key in the notes while the hall explores.
    Exploring,
    /// A key in the notes while the hall looks at the keys.
    Keys,
}

impl Aside {
    /// Tells it; `steps`: how many the lesson has.
    #[must_use]
    pub fn words(self, steps: usize) -> String {
        let words = match self {
            Self::End => "this is the end of the lesson",
            Self::NoOptions => "nothing to count here: no options on this step",
            Self::NotAsked => "nothing to count yet: the question of this step was not shown",
            Self::Answered => "the answer is shown already: go back before you count",
            Self::GoneOn => "gone on where it was left; Home goes to the beginning",
            Self::NoSuchStep(step) => {
                return format!("there is no step {step}; the lesson has {steps}");
            }
            Self::Idle => "that key has nothing to do in the hall as it stands",
            Self::HallOnly => "that key does its work in the hall's window alone",
            Self::Exploring => "the hall explores, with keys of its own; Esc comes back from there",
            Self::Keys => "the hall looks at the list of keys; Esc closes it",
        };
        words.to_owned()
    }
}

/// Where a presentation stands.
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
    /// What is shown.
    pub shown: Shown,
    /// Whether the words go on below the screen, so that the next click turns to their rest.
    pub goes_on: bool,
    /// What the presenter is told.
    pub aside: Option<Aside>,
}

/// What the hall writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceFile {
    pub(super) lockstep_present: u32,
    /// The edition of the lesson.
    pub edition: String,
    /// The process that presents.
    pub process: u32,
    /// The presentation: no other one has this number.
    pub run: u64,
    /// The number of the last wish that was done.
    pub heard: u64,
    /// When it was written, in seconds since 1970.
    pub(super) at: u64,
    /// When the presentation began.
    pub began: u64,
    /// When the step was reached.
    pub since: u64,
    /// Where it stands.
    pub place: Place,
}

/// Why a place is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// No place at all.
    #[error("the file in which the presentation says where it stands cannot be read")]
    Garbled,
    /// Of another version.
    #[error(
        "the presentation writes version {0}, these notes read version {VERSION}: start both with the same lockstep"
    )]
    Version(u32),
}

/// The version alone, whatever else the file holds.
#[derive(Deserialize)]
struct Head {
    lockstep_present: u32,
}

impl PlaceFile {
    /// Reads what a hall wrote. The numbers of steps, clicks and hands are checked where the lesson is
    /// known ([`Talk::stand_at`](crate::ui::screen::present::Talk::stand_at)).
    ///
    /// # Errors
    /// Why it is no place.
    pub fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        let head: Head = serde_json::from_slice(bytes).map_err(|_| Unreadable::Garbled)?;
        if head.lockstep_present != VERSION {
            return Err(Unreadable::Version(head.lockstep_present));
        }
        let file: Self = serde_json::from_slice(bytes).map_err(|_| Unreadable::Garbled)?;
        let numbers = [file.heard, file.at, file.began, file.since];
        if numbers.iter().any(|number| *number > MOST) {
            return Err(Unreadable::Garbled);
        }
        Ok(file)
    }

    /// Whether the next start should go on here.
    pub(super) fn goes_on(&self, now: u64) -> bool {
        now.checked_sub(self.at).is_some_and(|age| age <= FRESH) && !self.place.ended
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn file() -> PlaceFile {
        let polls = [("4".to_owned(), vec![vec![1, 2], vec![3, 4]])].into();
        let place = Place { step: 3, click: 1, polls, ..Place::default() };
        let (process, run) = (7, 8);
        let (edition, lockstep_present) = ("fnv1a:0".to_owned(), VERSION);
        let (heard, at, began, since) = (2, 1_000_000, 999_000, 999_500);
        PlaceFile { lockstep_present, edition, process, run, heard, at, began, since, place }
    }

    fn text() -> String {
        serde_json::to_string(&file()).expect("numbers are JSON")
    }

    #[test]
    fn a_place_comes_back_as_it_was_and_fields_that_are_added_later_do_no_harm() {
        assert_eq!(PlaceFile::read(text().as_bytes()), Ok(file()));
        let later = text().replace("\"began\"", "\"colour\":\"red\",\"began\"");
        assert_eq!(PlaceFile::read(later.as_bytes()), Ok(file()));
    }

    #[test]
    fn another_version_is_told_in_words() {
        let other = text().replace("\"lockstep_present\":2", "\"lockstep_present\":9");
        let error = PlaceFile::read(other.as_bytes()).expect_err("another version").to_string();
        assert!(error.contains("version 9") && error.contains("version 2"), "{error}");
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let whole = text().into_bytes();
        for end in 0..whole.len() {
            assert_eq!(PlaceFile::read(&whole[..end]), Err(Unreadable::Garbled), "{end}");
        }
        for at in 0..whole.len() {
            for byte in [0, b'"', b'9', b'-', b'}', 0xff] {
                let mut changed = whole.clone();
                changed[at] = byte;
                // Most is refused, some is another place: neither is a panic.
                let _ = PlaceFile::read(&changed);
            }
        }
        let deep = "[".repeat(60_000);
        for bytes in [&b""[..], b"[]", b"\xff\xfe", b"{\"lockstep_present\":-1}", deep.as_bytes()] {
            assert_eq!(PlaceFile::read(bytes), Err(Unreadable::Garbled));
        }
    }

    #[test]
    fn numbers_that_nothing_can_be_added_to_are_refused() {
        for field in ["heard", "at", "began", "since"] {
            let mut value = serde_json::to_value(file()).expect("numbers are JSON");
            value[field] = u64::MAX.into();
            let bytes = value.to_string().into_bytes();
            assert_eq!(PlaceFile::read(&bytes), Err(Unreadable::Garbled), "{field}");
        }
    }

    #[test]
    fn a_lecture_is_gone_on_with_and_the_next_one_begins_anew() {
        let kept =
            |at, ended| PlaceFile { at, place: Place { ended, ..Place::default() }, ..file() };
        let now = 1_000_000;
        assert!(kept(now - 60, false).goes_on(now));
        assert!(kept(now - FRESH, false).goes_on(now));
        assert!(!kept(now - FRESH - 1, false).goes_on(now), "last week's");
        assert!(!kept(now - 60, true).goes_on(now), "it had come to its end");
        assert!(!kept(now + 60, false).goes_on(now), "a clock that was set back");
    }
}
