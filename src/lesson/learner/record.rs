//! What is remembered about one question while its lesson is played.

use crate::lesson::mark::{Mark, QuestionState};

/// What is remembered about one question.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) mark: Mark,
    pub(super) answer: Option<String>,
    pub(super) verdict: Vec<String>,
    pub(super) solution: Vec<String>,
    pub(super) hints: usize,
    pub(super) attempts: u32,
    pub(super) draft: Option<String>,
}

impl Record {
    pub(super) fn state(&self) -> QuestionState {
        self.mark.state
    }
}
