//! What is kept of a learner between two sittings: answers, hints, solutions, and where one stood.
//!
//! Plain data and how two copies of it are brought together; the file is `progress`'s business, and what
//! the answers are worth is the lesson's.

use crate::input::OrderedMap;
use serde::{Deserialize, Serialize};

/// The version of the file.
pub const VERSION: u32 = 1;

/// So many answers to one question are kept; the oldest go first.
const MOST_ANSWERS: usize = 32;

/// Everything about every lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The version of the file.
    pub progress: u32,
    /// The lesson that was open last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// For whom lessons are drawn, where nobody says another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// The lessons, by id.
    #[serde(default)]
    pub lessons: OrderedMap<String, Saved>,
}

impl Default for Progress {
    fn default() -> Self {
        Self { progress: VERSION, last: None, who: None, lessons: OrderedMap::new() }
    }
}

impl Progress {
    /// What is kept of a lesson, to change; it begins with nothing.
    pub fn lesson_mut(&mut self, id: &str) -> &mut Saved {
        entry(&mut self.lessons, id)
    }

    /// Adds what another copy knows.
    pub fn absorb(&mut self, other: &Self) {
        for (id, theirs) in other.lessons.iter() {
            self.lesson_mut(id).absorb(theirs);
        }
        if self.last.is_none() {
            self.last.clone_from(&other.last);
        }
        if self.who.is_none() {
            self.who.clone_from(&other.who);
        }
    }

    /// Takes lessons out. Says how many were there.
    pub fn forget(&mut self, ids: &[String]) -> usize {
        let before = self.lessons.len();
        let lessons = std::mem::take(&mut self.lessons);
        self.lessons = lessons.into_iter().filter(|(id, _)| !ids.contains(id)).collect();
        self.last = self.last.take().filter(|id| !ids.contains(id));
        before - self.lessons.len()
    }
}

/// A point on the way through a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The page, from 1.
    pub page: usize,
    /// How many events of the page are played.
    pub played: usize,
}

/// What is kept of one lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    /// Whether its end was reached.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub finished: bool,
    /// The farthest point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Place>,
    /// Where the learner stood last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    /// The questions, by id.
    #[serde(default)]
    pub questions: OrderedMap<String, Attempt>,
}

/// What is kept of one question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// The answers that were checked, in their order.
    #[serde(default)]
    pub answers: Vec<String>,
    /// How many answers were checked, also those that are no longer kept.
    #[serde(default)]
    pub attempts: u32,
    /// How many hints were looked at.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hints: usize,
    /// Whether the solution was shown before it was answered rightly.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
    /// What was put together and not handed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<String>,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

pub(super) fn entry<'m, V: Default>(map: &'m mut OrderedMap<String, V>, key: &str) -> &'m mut V {
    if !map.contains_key(key) {
        let _absent = map.insert(key.to_owned(), V::default());
    }
    map.get_mut(key).expect("it is there or has just been put there")
}

/// How far a learner has come in a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Standing {
    /// Not opened yet.
    #[default]
    New,
    /// Opened, not finished.
    Started,
    /// Finished, every question answered by the learner.
    Done,
    /// Finished, but a solution was shown.
    Shown,
}

impl Standing {
    /// How it is called.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Started => "started",
            Self::Done => "done",
            Self::Shown => "shown",
        }
    }
}

impl Saved {
    /// How far the learner has come. Whoever asks has found the lesson among those that were opened.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match (self.finished, self.questions.values().any(|q| q.shown)) {
            (false, _) => Standing::Started,
            (true, false) => Standing::Done,
            (true, true) => Standing::Shown,
        }
    }

    /// Adds what another copy knows; what it knows already is not added twice.
    fn absorb(&mut self, other: &Self) {
        let mut base = self.clone();
        for (id, theirs) in other.questions.iter() {
            let mine = entry(&mut base.questions, id);
            let mut rest = mine.answers.iter();
            if theirs.answers.iter().all(|answer| rest.any(|known| known == answer)) {
                *mine = theirs.clone();
            }
            mine.draft = None;
        }
        let mine = self.clone();
        self.merge(&base, other);
        self.at = mine.at.or(other.at);
        for (id, attempt) in mine.questions.iter().filter(|(_, attempt)| attempt.draft.is_some()) {
            entry(&mut self.questions, id).draft.clone_from(&attempt.draft);
        }
    }

    /// Adds to this copy what has happened in another one between `base` and `now`.
    pub fn merge(&mut self, base: &Self, now: &Self) {
        self.finished |= now.finished;
        self.reached = self.reached.max(now.reached);
        self.at = now.at.or(self.at);
        for (id, attempt) in now.questions.iter() {
            let nothing = Attempt::default();
            let old = base.questions.get(id.as_str()).unwrap_or(&nothing);
            entry(&mut self.questions, id).merge(old, attempt);
        }
    }
}

impl Attempt {
    fn merge(&mut self, base: &Self, now: &Self) {
        let same = base.answers.iter().zip(&now.answers).take_while(|(a, b)| a == b).count();
        let new = &now.answers[same..];
        self.answers.extend(new.iter().cloned());
        let counted = u32::try_from(new.len()).unwrap_or(u32::MAX);
        self.attempts = self.attempts.saturating_add(counted).max(now.attempts);
        let excess = self.answers.len().saturating_sub(MOST_ANSWERS);
        self.answers.drain(..excess);
        self.hints = self.hints.max(now.hints);
        self.shown |= now.shown;
        if now.draft != base.draft {
            self.draft.clone_from(&now.draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(answers: &[&str]) -> Attempt {
        let answers: Vec<String> = answers.iter().map(|a| (*a).to_owned()).collect();
        Attempt { attempts: answers.len() as u32, answers, ..Attempt::default() }
    }

    fn saved(answers: &[&str]) -> Saved {
        let questions = [("q".to_owned(), attempt(answers))].into_iter().collect();
        Saved { questions, ..Saved::default() }
    }

    fn answers(saved: &Saved) -> Vec<&str> {
        let attempt = saved.questions.get("q").expect("it was answered");
        attempt.answers.iter().map(String::as_str).collect()
    }

    #[test]
    fn two_copies_lose_nothing_of_each_other() {
        let base = saved(&["a"]);
        let mut file = base.clone();
        file.merge(&base, &saved(&["a", "b"]));
        file.merge(&base, &saved(&["a", "c", "c"]));
        assert_eq!(answers(&file), ["a", "b", "c", "c"]);
        assert_eq!(file.questions.get("q").map(|t| t.attempts), Some(4));
    }

    #[test]
    fn what_was_reached_shown_and_finished_stays_so() {
        let place = |page| Some(Place { page, played: 0 });
        let mut file = Saved { finished: true, reached: place(9), at: place(9), ..saved(&[]) };
        let shown = Attempt { shown: true, hints: 3, ..attempt(&[]) };
        file.questions = [("q".to_owned(), shown.clone())].into_iter().collect();
        let now = Saved { reached: place(4), at: place(2), ..saved(&[]) };
        file.merge(&Saved::default(), &now);
        assert_eq!((file.finished, file.reached, file.at), (true, place(9), place(2)));
        assert_eq!(file.questions.get("q"), Some(&shown));
    }

    #[test]
    fn taking_the_same_copy_over_twice_adds_nothing() {
        let mut mine = Progress::default();
        *mine.lesson_mut("x") = saved(&["a", "b"]);
        let mut theirs = Progress::default();
        *theirs.lesson_mut("x") = saved(&["a", "c"]);
        *theirs.lesson_mut("y") = saved(&["d"]);
        mine.absorb(&theirs);
        let once = mine.clone();
        mine.absorb(&theirs);
        assert_eq!(mine, once);
        assert_eq!(answers(mine.lesson_mut("x")), ["a", "b", "c"]);
        assert_eq!(answers(mine.lesson_mut("y")), ["d"]);
    }

    #[test]
    fn a_draft_is_the_one_of_the_copy_that_has_changed_it_last() {
        let draft = |text: Option<&str>| {
            let mut saved = saved(&["a"]);
            entry(&mut saved.questions, "q").draft = text.map(str::to_owned);
            saved
        };
        let of = |saved: &Saved| saved.questions.get("q").and_then(|q| q.draft.clone());
        let mut file = draft(Some("one"));
        file.merge(&draft(Some("one")), &draft(Some("two")));
        assert_eq!(of(&file).as_deref(), Some("two"));
        file.merge(&draft(None), &draft(None));
        assert_eq!(
            of(&file).as_deref(),
            Some("two"),
            "a copy that knows of no draft takes none away"
        );
        file.merge(&draft(Some("two")), &draft(None));
        assert_eq!(of(&file), None, "it was handed in");
        let mut mine = draft(Some("mine"));
        mine.absorb(&draft(Some("theirs")));
        assert_eq!(of(&mine).as_deref(), Some("mine"));
        let mut nothing = saved(&[]);
        nothing.absorb(&draft(Some("theirs")));
        assert_eq!(of(&nothing).as_deref(), Some("theirs"));
    }

    #[test]
    fn only_so_many_answers_are_kept_and_all_are_counted() {
        let many: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let mut file = Saved::default();
        file.merge(&Saved::default(), &saved(&many));
        let kept = file.questions.get("q").expect("it was answered");
        assert_eq!((kept.answers.len(), kept.attempts), (MOST_ANSWERS, 100));
        assert_eq!(kept.answers.last().map(String::as_str), Some("99"));
    }
}
