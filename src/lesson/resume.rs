//! Going on where one stopped: what was saved is answered once more, and what is done now is noted.
//!
//! Everything goes through the learner's own doors, so a resumed lesson is one that was really played.

use super::answers::Filled;
use super::saved::{Attempt, Place, Saved, entry};
use super::{Learner, Lesson, Next, QuestionState};
use crate::catalog::ConfigError;
use crate::lab::Lab;
use std::sync::Arc;

fn place(moment: &super::learner::Moment) -> Place {
    Place { page: moment.step + 1, played: moment.played }
}

impl Learner {
    /// A learner who stands where another one stopped, with the same answers, hints and solutions. What
    /// no longer fits the lesson is left out.
    ///
    /// # Errors
    /// Never for a checked lesson.
    pub fn resume(lesson: Arc<Lesson>, saved: &Saved) -> Result<(Self, Lab), ConfigError> {
        let (mut learner, mut lab) = Self::new(lesson)?;
        loop {
            learner.answer_again(&mut lab, saved);
            if saved.reached.is_none_or(|reached| place(learner.moment()) >= reached) {
                break;
            }
            match learner.next(&mut lab) {
                Next::Played(_) | Next::Turned => {}
                Next::Returned | Next::Blocked | Next::Finished => break,
            }
        }
        let at = saved.at.or(saved.reached).unwrap_or_else(|| place(learner.moment()));
        while place(learner.moment()) > at && learner.back(&mut lab) {}
        Ok((learner, lab))
    }

    /// Does on this page what was done on it before, once.
    fn answer_again(&mut self, lab: &mut Lab, saved: &Saved) {
        let Some(question) = self.question() else { return };
        let untouched = question.attempts == 0 && question.hints.is_empty();
        let attempt = saved.questions.get(question.id.as_str());
        let Some(attempt) = attempt.filter(|_| untouched && !question.state.closed()) else {
            return;
        };
        for _ in 0..attempt.hints.min(question.hints_in_all) {
            let _known = self.hint();
        }
        for answer in &attempt.answers {
            // An answer that a new edition of the lesson does not understand is as good as none.
            let _known = self.answer(lab, answer);
        }
        if attempt.shown {
            let _known = self.show_solution(lab);
        }
        self.keep_draft(attempt.draft.clone());
    }

    /// How many questions are answered rightly, and how many there are.
    #[must_use]
    pub fn right_of_all(&self) -> (usize, usize) {
        let states = self.lesson().questions().map(|q| self.state_of(q.common().id));
        let (mut right, mut all) = (0, 0);
        for state in states {
            all += 1;
            right += usize::from(state == Some(QuestionState::Right));
        }
        (right, all)
    }

    /// The answers and shown solutions, as an answers file takes them.
    #[must_use]
    pub fn filled(&self) -> Filled {
        let mut filled = Filled::default();
        for question in self.lesson().questions() {
            let id = question.common().id;
            if let Some(answer) = self.answer_to(id) {
                let _first = filled.answers.insert(id.to_owned(), answer.to_owned());
            }
            if self.state_of(id) == Some(QuestionState::Shown) {
                filled.shown.push(id.to_owned());
            }
        }
        filled
    }
}

/// One study session of a lesson: what was kept before, and what has been done since.
#[derive(Clone, Debug)]
pub struct StudySession {
    lesson: String,
    base: Saved,
    now: Saved,
    /// The question of the page and how often it was answered when it was looked at last.
    seen: Option<(String, u32)>,
}

impl StudySession {
    /// A study session that begins where a learner stands.
    #[must_use]
    pub fn begin(learner: &Learner, saved: &Saved) -> Self {
        let lesson = learner.lesson().kept_as();
        let mut study = Self { lesson, base: saved.clone(), now: saved.clone(), seen: None };
        study.note(learner, true);
        study
    }

    /// The lesson's id.
    #[must_use]
    pub fn lesson(&self) -> &str {
        &self.lesson
    }

    /// To be called after everything that the learner does; `writing`: an answer is being put together just
    /// now. Returns whether something was done that should be written down at once: an answer, a hint, a
    /// solution, the end, or a draft on which nobody is writing.
    pub fn note(&mut self, learner: &Learner, writing: bool) -> bool {
        let now = &mut self.now;
        now.at = Some(place(learner.moment()));
        now.reached = now.reached.max(learner.trail().last().map(place));
        let mut news = !now.finished && learner.finished();
        now.finished |= learner.finished();
        let Some(question) = learner.question() else {
            self.seen = None;
            return news;
        };
        let known = self.seen.as_ref().filter(|(id, _)| *id == question.id);
        let new_answer = known.is_some_and(|(_, attempts)| question.attempts > *attempts);
        let hints = question.hints.len();
        let shown = question.state == QuestionState::Shown;
        self.seen = Some((question.id.clone(), question.attempts));
        let nothing = Attempt::default();
        let before = now.questions.get(question.id.as_str()).unwrap_or(&nothing);
        let changed = question.draft != before.draft;
        if new_answer || hints > before.hints || shown && !before.shown || changed {
            let attempt = entry(&mut now.questions, &question.id);
            attempt.draft.clone_from(&question.draft);
            if new_answer {
                attempt.answers.extend(question.answer);
                attempt.attempts = attempt.attempts.saturating_add(1);
            }
            news |= new_answer || hints > attempt.hints || shown && !attempt.shown;
            attempt.hints = attempt.hints.max(hints);
            attempt.shown |= shown;
        }
        let draft = |saved: &Saved| {
            saved.questions.get(question.id.as_str()).and_then(|attempt| attempt.draft.clone())
        };
        news || (!writing && draft(&self.now) != draft(&self.base))
    }

    /// Adds what was done in this study session to what is kept.
    pub fn add_to(&self, kept: &mut Saved) {
        kept.merge(&self.base, &self.now);
    }

    /// Whether anything is not written down yet.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.base != self.now
    }

    /// To be called when that is written down.
    pub fn written(&mut self) {
        self.base = self.now.clone();
    }

    /// What is known of the lesson now.
    #[must_use]
    pub fn saved(&self) -> &Saved {
        &self.now
    }
}
