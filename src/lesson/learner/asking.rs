//! The learner and the questions: reading an answer, hints, the solution, what was earned.
//!
//! Whether an answer is right is the question's business; here it is remembered.

use super::record::Record;
use super::{Learner, play};
use crate::lab::Lab;
use crate::lesson::Step;
use crate::lesson::mark::{self, Mark, QuestionState};
use crate::lesson::question::{Decision, Pick, Question, Reveal, Verdict, Way, WrongAt};
use crate::model::Event;
use crate::sim::Simulation;

/// A question as it stands, for whoever shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuestionView {
    /// Its name.
    pub id: String,
    /// The key of its type.
    pub kind: &'static str,
    /// What is asked.
    pub prompt: String,
    /// What can be picked, in order; empty where the answer is written.
    pub picks: Vec<Pick>,
    /// How it is answered by keys.
    pub way: Way,
    /// How it stands.
    pub state: QuestionState,
    /// What was answered last, as it was understood.
    pub answer: Option<String>,
    /// What is said of it: the verdict, whose first line begins with its word, or the solution that was
    /// shown, or why it is not asked.
    pub said: Vec<String>,
    /// The hints shown so far.
    pub hints: Vec<String>,
    /// How many hints there are in all.
    pub hints_in_all: usize,
    /// Why the right answer is right, once the question is closed.
    pub explanation: Option<String>,
    /// How many answers were checked.
    pub attempts: u32,
    /// What has been put together and not handed in yet.
    pub draft: Option<String>,
}

/// The longest draft that is kept, in bytes.
const LONGEST_DRAFT: usize = 20_000;

/// What came of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answered {
    /// It could not be read; this is how an answer has to look. No attempt is counted.
    Form(String),
    /// It was checked.
    Verdict {
        /// Whether it is right.
        right: bool,
        /// What to show; the first line begins with `Correct`, `Not yet`, or what says that it is closed.
        lines: Vec<String>,
    },
    /// There is no open question here.
    Closed(String),
}

impl Learner {
    /// The page's question, if it has one and its events are played.
    fn asked(&self) -> Option<&dyn Question> {
        let step = self.step();
        let due = self.moment().played >= step.run.len();
        step.question.as_deref().filter(|_| due)
    }

    fn record(&self) -> &Record {
        &self.records[self.moment().step]
    }

    fn record_mut(&mut self) -> &mut Record {
        let step = self.moment().step;
        &mut self.records[step]
    }

    pub(super) fn is_open(&self) -> bool {
        self.asked().is_some() && !self.record().state().closed()
    }

    /// The state about which the page asks: before the prediction's own event.
    fn asked_at<'l>(&self, lab: &'l Lab) -> &'l dyn Simulation {
        let here = self.moment();
        let rev = if here.played > self.step().run.len() {
            lab.history().parent(here.rev).unwrap_or(here.rev)
        } else {
            here.rev
        };
        lab.history().state_at(rev)
    }

    /// The page's question as it stands.
    #[must_use]
    pub fn question(&self) -> Option<QuestionView> {
        let question = self.asked()?;
        let (common, record) = (question.common(), self.record());
        let state = record.state();
        let closed = state.closed() && state != QuestionState::Skipped;
        let said = match state {
            QuestionState::Shown => record.solution.clone(),
            QuestionState::Skipped => vec![record.mark.sentence()],
            _ => record.verdict.clone(),
        };
        Some(QuestionView {
            id: common.id.to_owned(),
            kind: question.kind(),
            prompt: common.prompt.trim().to_owned(),
            picks: question.picks(),
            way: question.way(),
            state,
            answer: record.answer.clone(),
            said,
            hints: common.hints[..record.hints].to_vec(),
            hints_in_all: common.hints.len(),
            explanation: common.explain.filter(|_| closed).map(|e| e.trim().to_owned()),
            attempts: record.attempts,
            draft: record.draft.clone(),
        })
    }

    /// Answers the page's question. A prediction whose event is to be kept is played here.
    pub fn answer(&mut self, lab: &mut Lab, raw: &str) -> Answered {
        let Some(question) = self.asked() else {
            return Answered::Closed("There is no question on this page yet.".to_owned());
        };
        if self.record().state().closed() {
            return Answered::Closed("This question is answered.".to_owned());
        }
        let answer = match question.read(raw) {
            Ok(answer) => answer,
            Err(hint) => return Answered::Form(hint.0),
        };
        let verdict = question.check(&answer, self.asked_at(lab));
        let attempts = self.record().attempts + 1;
        let mark = Mark::of(question, attempts, false, Some(&verdict));
        let lines = shown(&verdict, mark, question.graded());
        let record = self.record_mut();
        record.mark = mark;
        record.answer = Some(answer.0);
        record.verdict.clone_from(&lines);
        record.attempts = attempts;
        if mark.state.closed() {
            record.draft = None;
        }
        self.keep_event(lab);
        Answered::Verdict { right: verdict.right, lines }
    }

    /// Keeps what has been put together as an answer and not handed in; `None`: nothing has.
    pub fn keep_draft(&mut self, draft: Option<String>) {
        if self.is_open() {
            self.record_mut().draft =
                draft.filter(|text| !text.is_empty() && text.len() <= LONGEST_DRAFT);
        }
    }

    /// Whether the page's question was answered wrongly with this very answer the last time.
    #[must_use]
    pub fn said_before(&self, raw: &str) -> bool {
        let (Some(question), record) = (self.asked(), self.record()) else { return false };
        record.state() == QuestionState::Wrong
            && question.read(raw).is_ok_and(|answer| Some(answer.0) == record.answer)
    }

    /// Where the last answer to the page's question goes wrong first, if it is about a run.
    #[must_use]
    pub fn wrong_at(&self, lab: &Lab) -> Option<WrongAt> {
        let (question, record) = (self.asked()?, self.record());
        let answer = record.answer.clone().filter(|_| record.state() == QuestionState::Wrong)?;
        question.wrong_at(&crate::lesson::question::Answer(answer), self.asked_at(lab))
    }

    /// Whether an event may be played as a part of the answer to the page's question.
    #[must_use]
    pub fn allows(&self, event: Event) -> bool {
        self.asked().is_none_or(|question| question.allows(event))
    }

    /// The messages at which the learner has to decide, where the page's question is answered so.
    #[must_use]
    pub fn decisions(&self, lab: &Lab) -> Vec<Decision> {
        self.asked().map_or_else(Vec::new, |q| q.decisions(self.asked_at(lab)))
    }

    /// The event that really happens once the page's question is closed, if it has not happened yet.
    pub(super) fn kept_event(&self, lab: &Lab) -> Option<Event> {
        let happened = self.moment().played > self.step().run.len();
        let question = self.asked().filter(|_| self.record().state().closed() && !happened)?;
        question.plays(self.asked_at(lab))
    }

    fn keep_event(&mut self, lab: &mut Lab) {
        let along_the_trail = self.at + 1 < self.trail.len();
        if let Some(event) = self.kept_event(lab).filter(|_| !along_the_trail) {
            let moment = play(lab, *self.moment(), event);
            self.push(moment);
        }
    }

    /// Closes the page's question with its own right answer; one that has none is left out.
    pub(super) fn pass(&mut self, lab: &mut Lab) {
        if !self.is_open() {
            return;
        }
        let right = self.asked().map(|question| question.reference(self.asked_at(lab)).0);
        let _known = self.answer(lab, &right.unwrap_or_default());
        if self.is_open() {
            self.skip();
            self.keep_event(lab);
        }
    }

    /// The next hint of the page; `None`: there is no open question, or no more hints.
    pub fn hint(&mut self) -> Option<String> {
        if !self.is_open() {
            return None;
        }
        let next = self.record().hints;
        let hint = self.asked()?.common().hints.get(next)?.clone();
        self.record_mut().hints = next + 1;
        Some(hint)
    }

    /// Shows the solution with its reasons, and closes the question.
    ///
    /// # Errors
    /// Why it is not shown.
    pub fn show_solution(&mut self, lab: &mut Lab) -> Result<Vec<String>, String> {
        let Some(question) = self.asked() else {
            return Err("There is no question on this page yet.".to_owned());
        };
        let record = self.record();
        if !record.solution.is_empty() {
            return Ok(record.solution.clone());
        }
        let state = record.state();
        match question.common().reveal {
            _ if state.closed() => {}
            Reveal::Never => return Err("This lesson shows no solution here.".to_owned()),
            Reveal::AfterAttempts(n) if record.attempts < n => {
                let times = if n == 1 { "once".to_owned() } else { format!("{n} times") };
                return Err(format!("Answer {times} first; then the solution can be shown."));
            }
            Reveal::AfterAttempts(_) | Reveal::OnRequest => {}
        }
        let at = self.asked_at(lab);
        let right = question.reference(at);
        let text = question.shows(&right);
        let mut lines: Vec<String> =
            format!("The answer: {text}").lines().map(str::to_owned).collect();
        lines.extend(question.reasons(at));
        let mark = Mark::of(question, record.attempts, true, None);
        let record = self.record_mut();
        record.solution.clone_from(&lines);
        if !state.closed() {
            record.mark = mark;
            record.draft = None;
        }
        self.keep_event(lab);
        Ok(lines)
    }

    /// Marks a question as skipped if it needs another one that was not answered rightly.
    pub(super) fn skip_if_unmet(&mut self) {
        let step = self.moment().step;
        let Some(question) = self.lesson.steps()[step].question.as_deref() else { return };
        let right = |id: &str| self.state_of(id) == Some(QuestionState::Right);
        let unmet = !mark::unmet(question, right).is_empty();
        if unmet && self.records[step].state() == QuestionState::Open {
            self.skip();
        }
    }

    fn skip(&mut self) {
        let mark = self.step().question.as_deref().map(Mark::skipped);
        self.record_mut().mark = mark.unwrap_or_default();
    }

    /// What is remembered of a question, by its id.
    fn record_of(&self, id: &str) -> Option<&Record> {
        let asks = |s: &Step| s.question.as_deref().is_some_and(|q| q.common().id == id);
        let step = self.lesson.steps().iter().position(asks)?;
        Some(&self.records[step])
    }

    /// How a question stands, by its id.
    #[must_use]
    pub fn state_of(&self, id: &str) -> Option<QuestionState> {
        self.record_of(id).map(Record::state)
    }

    /// What was answered last to a question, by its id, in the form that an answers file takes.
    #[must_use]
    pub fn answer_to(&self, id: &str) -> Option<&str> {
        self.record_of(id)?.answer.as_deref()
    }

    /// The lesson's objectives, each with how many of its questions there are and how many were answered
    /// rightly.
    pub fn objectives(&self) -> impl Iterator<Item = (&str, usize, usize)> {
        self.lesson.objectives.iter().map(|(name, sentence)| {
            let all = self.lesson.questions().map(|question| question.common());
            let (mut right, mut of) = (0, 0);
            for common in all.filter(|common| common.objective == Some(name.as_str())) {
                let state = self.record_of(common.id).map(Record::state);
                of += 1;
                right += usize::from(state == Some(QuestionState::Right));
            }
            (sentence.as_str(), right, of)
        })
    }

    /// Points earned, and points that could be earned.
    #[must_use]
    pub fn score(&self) -> (f64, f64) {
        let earned: f64 = self.records.iter().map(|record| record.mark.score).sum();
        let points = self.lesson.questions().map(|question| question.common().points);
        // A sum over nothing would be a negative zero.
        (0.0 + earned, f64::from(points.sum::<u32>()))
    }

    /// The same in words: `2.5 of 4 points`; `None`: no points can be earned.
    #[must_use]
    pub fn score_in_words(&self) -> Option<String> {
        let (got, of) = self.score();
        (of > 0.0).then(|| mark::of_points(got, of))
    }
}

/// A verdict as it is shown: the verdict's word stands first and nowhere else. What the program does
/// not judge has no such word.
fn shown(verdict: &Verdict, mark: Mark, graded: bool) -> Vec<String> {
    let mut lines = verdict.lines.iter().map(|l| l.trim().to_owned());
    if !graded {
        return lines.collect();
    }
    // What can still be made better is not counted yet.
    let mark = if mark.state == QuestionState::Wrong { Mark { score: 0.0, ..mark } } else { mark };
    let first = match lines.next() {
        Some(line) => format!("{} {line}", mark.sentence()),
        None => mark.sentence(),
    };
    std::iter::once(first).chain(lines).collect()
}
