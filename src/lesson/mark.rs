//! What an answer is worth: the one rule for the learner on the screen and in lines, and for the grader.
//!
//! Whether an answer is right is its question's business; here it becomes a standing, points and a
//! sentence.

use super::question::{Question, Verdict};
use crate::input::noun;

/// The first word after a right answer.
pub const CORRECT: &str = "Correct";
/// The first words after any other answer that may be given again.
pub const NOT_YET: &str = "Not yet";
/// The first words after an answer that was the last one.
pub const CLOSED: &str = "Not so, and now closed";

/// How a question stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QuestionState {
    /// Not answered.
    #[default]
    Open,
    /// Answered, not rightly; it may be answered again.
    Wrong,
    /// Answered, not rightly, and closed: a prediction that was seen, or the attempts are used up.
    Locked,
    /// Answered rightly.
    Right,
    /// The solution was shown before it was answered rightly.
    Shown,
    /// Not asked, because an earlier question was not answered rightly.
    Skipped,
}

impl QuestionState {
    /// Whether the lesson goes on.
    #[must_use]
    pub fn closed(&self) -> bool {
        match self {
            Self::Open | Self::Wrong => false,
            Self::Locked | Self::Right | Self::Shown | Self::Skipped => true,
        }
    }
}

/// How a question stands, and what it has earned.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mark {
    /// How it stands.
    pub state: QuestionState,
    /// The points earned.
    pub score: f64,
    /// The points that could be earned.
    pub max: f64,
}

impl Mark {
    /// The mark after so many answers, of which the last one got this verdict. What was `shown` before it
    /// was answered rightly earns nothing.
    #[must_use]
    pub fn of(
        question: &dyn Question,
        attempts: u32,
        shown: bool,
        verdict: Option<&Verdict>,
    ) -> Self {
        let used_up = question.common().attempts.is_some_and(|most| attempts >= most);
        let state = match verdict {
            _ if shown => QuestionState::Shown,
            None => QuestionState::Open,
            Some(verdict) if verdict.right => QuestionState::Right,
            Some(_) if question.once() || used_up => QuestionState::Locked,
            Some(_) => QuestionState::Wrong,
        };
        let share = match (state, verdict) {
            (QuestionState::Right, _) => 1.0,
            (QuestionState::Wrong | QuestionState::Locked, Some(verdict)) => {
                verdict.score.clamp(0.0, 1.0)
            }
            _ => 0.0,
        };
        let max = f64::from(question.common().points);
        Self { state, score: share * max, max }
    }

    /// The mark of a question that is not asked.
    #[must_use]
    pub fn skipped(question: &dyn Question) -> Self {
        let max = f64::from(question.common().points);
        Self { state: QuestionState::Skipped, score: 0.0, max }
    }

    /// The sentence with which everything that is said of it begins.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.state {
            QuestionState::Right => format!("{CORRECT}."),
            QuestionState::Wrong => self.with_points(NOT_YET),
            QuestionState::Locked => self.with_points(CLOSED),
            QuestionState::Open => "Not answered.".to_owned(),
            QuestionState::Shown => "The solution was shown, so it earns nothing.".to_owned(),
            QuestionState::Skipped => {
                "Skipped: an earlier question was not answered rightly.".to_owned()
            }
        }
    }

    fn with_points(&self, words: &str) -> String {
        match self.score > 0.0 {
            true => format!("{words}: {}.", of_points(self.score, self.max)),
            false => format!("{words}."),
        }
    }
}

/// The questions that have to be right before another one is asked, and are not.
#[must_use]
pub fn unmet(question: &dyn Question, right: impl Fn(&str) -> bool) -> Vec<String> {
    question.common().after.iter().filter(|id| !right(id)).cloned().collect()
}

/// `0.5 of 2 points`, `1 of 1 point`.
#[must_use]
pub fn of_points(got: f64, of: f64) -> String {
    format!("{} of {} {}", points(got), points(of), noun(of, "point"))
}

/// Points without superfluous places: `2`, `0.5`, `0.33`.
#[must_use]
pub fn points(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_without_superfluous_places() {
        for (number, text) in
            [(0.0, "0"), (2.0, "2"), (0.5, "0.5"), (1.0 / 3.0, "0.33"), (10.0, "10")]
        {
            assert_eq!(points(number), text);
        }
    }
}
