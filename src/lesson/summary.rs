//! What a list of lessons tells of one, which costs nothing to read: the keys in front of its cluster.

use super::Lesson;
use crate::input::{self, Source};
use serde::Deserialize;

/// What a list tells of a lesson.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Summary {
    /// The name under which progress is kept.
    #[serde(rename = "id")]
    pub kept_as: String,
    /// The title.
    pub title: String,
    /// What it is about, in a sentence or two.
    pub about: String,
    /// How many minutes it takes.
    #[serde(default)]
    pub minutes: Option<u32>,
}

/// The key that ends the head of a file.
const END: &str = "\ncluster:";

impl Summary {
    /// Of a lesson that was read and checked.
    #[must_use]
    pub fn of(lesson: &Lesson) -> Self {
        Self {
            kept_as: lesson.kept_as(),
            title: lesson.title.clone(),
            about: lesson.about.clone(),
            minutes: lesson.minutes,
        }
    }

    /// Of a text that is known to be a lesson, the same for everybody; `None`: only the whole lesson tells.
    pub(super) fn of_text(name: &str, text: &str) -> Option<Self> {
        let (text, _) = text.split_once(END)?;
        let source = Source::from_text(name, text, super::load::NOUN).ok()?;
        let mut summary = input::parse::<Self>(&source).ok()?;
        summary.about.truncate(summary.about.trim_end().len());
        Some(summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::Library;

    #[test]
    fn every_lesson_of_our_own_is_what_its_summary_says_whoever_it_is_for() {
        for who in ["", "Ada"] {
            for shelved in Library::embedded().for_who(who).shelved() {
                let lesson = shelved.lesson().expect("our own lessons have no faults");
                assert_eq!(shelved.summary(), Some(Summary::of(&lesson)), "{}", shelved.name);
            }
        }
    }
}
