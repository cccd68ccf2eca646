//! The learner in a lesson: the pages and events that were shown, in order, and the answers given.
//!
//! It decides what comes next and what is still closed. It draws nothing, stores nothing, and plays
//! only events of the lesson.

use super::question::{Pick, Question, Reveal, Verdict};
use super::{Lesson, Step};
use crate::catalog::ConfigError;
use crate::lab::Lab;
use crate::model::Event;
use crate::sim::{RevId, Simulation};
use std::sync::Arc;

/// One thing that was shown: a page, or an event of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The step, from 0.
    pub step: usize,
    /// How many of its events are played; a prediction's own event is the last of them.
    pub played: usize,
    /// The point in the tree of runs.
    pub rev: RevId,
    /// The event that led here; `None`: a page was turned.
    pub event: Option<Event>,
}

/// What going forward did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// An event of the lesson was played, now or before.
    Played(RevId),
    /// The next page.
    Turned,
    /// The learner was exploring and stands at the lesson's point again.
    Returned,
    /// The question has to be answered first.
    Blocked,
    /// There is nothing more.
    Finished,
}

/// How a question stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionState {
    /// Not answered.
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
    /// How it stands.
    pub state: QuestionState,
    /// What was answered last, as it was understood.
    pub answer: Option<String>,
    /// What was said about it: the first line begins with the verdict's word.
    pub verdict: Vec<String>,
    /// The solution, once it was shown.
    pub solution: Vec<String>,
    /// The hints shown so far.
    pub hints: Vec<String>,
    /// How many hints there are in all.
    pub hints_in_all: usize,
    /// Why the right answer is right, once the question is closed.
    pub explanation: Option<String>,
    /// How many answers were checked.
    pub attempts: u32,
}

/// What came of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answered {
    /// It could not be read; this is how an answer has to look. No attempt is counted.
    Form(String),
    /// It was checked.
    Verdict {
        /// Whether it is right.
        right: bool,
        /// What to show; the first line begins with `Correct` or `Not yet`.
        lines: Vec<String>,
    },
    /// There is no open question here.
    Closed(String),
}

/// What is remembered about one question.
#[derive(Clone, Debug)]
struct Record {
    state: QuestionState,
    answer: Option<String>,
    verdict: Vec<String>,
    solution: Vec<String>,
    hints: usize,
    attempts: u32,
}

impl Default for Record {
    fn default() -> Self {
        Self {
            state: QuestionState::Open,
            answer: None,
            verdict: Vec::new(),
            solution: Vec::new(),
            hints: 0,
            attempts: 0,
        }
    }
}

/// A learner in a lesson.
#[derive(Debug)]
pub struct Learner {
    lesson: Arc<Lesson>,
    trail: Vec<Moment>,
    at: usize,
    /// By step; a step without a question has one that is never looked at.
    records: Vec<Record>,
}

impl Learner {
    /// A learner on the first page, and the lab with the lesson's cluster.
    ///
    /// # Errors
    /// Never for a checked lesson.
    pub fn new(lesson: Arc<Lesson>) -> Result<(Self, Lab), ConfigError> {
        let mut lab = lesson.lab()?;
        let records = vec![Record::default(); lesson.steps().len()];
        let first = first_moment(&lesson.steps()[0], 0, RevId::ROOT, &mut lab);
        Ok((Self { lesson, trail: vec![first], at: 0, records }, lab))
    }

    /// The lesson.
    #[must_use]
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// Where the learner stands on the lesson's trail.
    #[must_use]
    pub fn moment(&self) -> &Moment {
        &self.trail[self.at]
    }

    /// Everything that was shown so far, in order.
    #[must_use]
    pub fn trail(&self) -> &[Moment] {
        &self.trail
    }

    /// The page, from 1, and how many there are.
    #[must_use]
    pub fn page(&self) -> (usize, usize) {
        (self.moment().step + 1, self.lesson.steps().len())
    }

    /// The step of the page.
    #[must_use]
    pub fn step(&self) -> &Step {
        &self.lesson.steps()[self.moment().step]
    }

    /// What the page says; a page without words of its own keeps those of the page before.
    #[must_use]
    pub fn say(&self) -> Option<&str> {
        let pages = &self.lesson.steps()[..=self.moment().step];
        pages.iter().rev().find_map(|s| s.say.as_deref())
    }

    /// What the presenter alone reads on this page.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.step().note.as_deref()
    }

    /// Whether the lab stands elsewhere than the lesson.
    #[must_use]
    pub fn exploring(&self, lab: &Lab) -> bool {
        lab.history().cursor() != self.moment().rev
    }

    /// Goes back exactly to the lesson's point.
    pub fn return_to_lesson(&mut self, lab: &mut Lab) {
        lab.go_to(self.moment().rev);
    }

    /// Goes on along the lesson if the lab has just played the very event that comes next: a learner
    /// who delivers it by hand is not exploring. Says whether it did.
    pub fn follow(&mut self, lab: &mut Lab) -> bool {
        let history = lab.history();
        let (here, cursor) = (self.moment().rev, history.cursor());
        let next = self.upcoming().and_then(|event| history.state_at(here).check(event).ok());
        let played = history.record(cursor).map(|r| r.event);
        if history.parent(cursor) != Some(here) || next.is_none() || next != played {
            return false;
        }
        matches!(self.advance(lab), Next::Played(_))
    }

    /// One moment on: along the trail, else the lesson's next event, else the next page; never past a
    /// question that is open.
    pub fn next(&mut self, lab: &mut Lab) -> Next {
        if self.exploring(lab) && !self.follow(lab) {
            self.return_to_lesson(lab);
            return Next::Returned;
        }
        self.advance(lab)
    }

    fn advance(&mut self, lab: &mut Lab) -> Next {
        if self.at + 1 < self.trail.len() {
            self.at += 1;
        } else {
            match self.grow(lab) {
                Ok(moment) => self.push(moment),
                Err(stay) => return stay,
            }
        }
        let now = *self.moment();
        lab.go_to(now.rev);
        if now.event.is_some() { Next::Played(now.rev) } else { Next::Turned }
    }

    /// The moment after the last one of the trail.
    fn grow(&mut self, lab: &mut Lab) -> Result<Moment, Next> {
        let here = *self.moment();
        if let Some(event) = self.own_event() {
            return Ok(play(lab, here, event));
        }
        if self.is_open() {
            return Err(Next::Blocked);
        }
        let step = here.step + 1;
        let Some(page) = self.lesson.steps().get(step) else { return Err(Next::Finished) };
        Ok(first_moment(page, step, here.rev, lab))
    }

    fn push(&mut self, moment: Moment) {
        self.trail.truncate(self.at + 1);
        self.trail.push(moment);
        self.at += 1;
        self.skip_if_unmet();
    }

    /// The next event of this very page.
    fn own_event(&self) -> Option<Event> {
        self.step().run.get(self.moment().played).copied()
    }

    /// The lesson's next event, if the next thing is an event and no question stands before it.
    #[must_use]
    pub fn upcoming(&self) -> Option<Event> {
        if let Some(next) = self.trail.get(self.at + 1) {
            return next.event;
        }
        if let Some(event) = self.own_event() {
            return Some(event);
        }
        if self.is_open() {
            return None;
        }
        self.lesson.steps().get(self.moment().step + 1).and_then(Step::opening)
    }

    /// One moment back along the trail: an event or a page. Says whether there was one.
    pub fn back(&mut self, lab: &mut Lab) -> bool {
        if self.exploring(lab) {
            self.return_to_lesson(lab);
            return true;
        }
        let Some(before) = self.at.checked_sub(1) else { return false };
        self.at = before;
        lab.go_to(self.moment().rev);
        true
    }

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

    fn is_open(&self) -> bool {
        self.asked().is_some() && !self.record().state.closed()
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
        let closed = record.state.closed() && record.state != QuestionState::Skipped;
        Some(QuestionView {
            id: common.id.to_owned(),
            kind: question.kind(),
            prompt: common.prompt.trim().to_owned(),
            picks: question.picks(),
            state: record.state.clone(),
            answer: record.answer.clone(),
            verdict: record.verdict.clone(),
            solution: record.solution.clone(),
            hints: common.hints[..record.hints].to_vec(),
            hints_in_all: common.hints.len(),
            explanation: common.explain.filter(|_| closed).map(|e| e.trim().to_owned()),
            attempts: record.attempts,
        })
    }

    /// Answers the page's question. A prediction whose event is to be kept is played here.
    pub fn answer(&mut self, lab: &mut Lab, raw: &str) -> Answered {
        let Some(question) = self.asked() else {
            return Answered::Closed("There is no question on this page yet.".to_owned());
        };
        if self.record().state.closed() {
            return Answered::Closed("This question is answered.".to_owned());
        }
        let answer = match question.read(raw) {
            Ok(answer) => answer,
            Err(hint) => return Answered::Form(hint.0),
        };
        let verdict = question.check(&answer, self.asked_at(lab));
        let attempts = self.record().attempts + 1;
        let used_up = question.common().attempts.is_some_and(|most| attempts >= most);
        let state = match verdict.right {
            true => QuestionState::Right,
            false if question.once() || used_up => QuestionState::Locked,
            false => QuestionState::Wrong,
        };
        let lines = shown(&verdict);
        let record = self.record_mut();
        record.state = state;
        record.answer = Some(answer.0);
        record.verdict.clone_from(&lines);
        record.attempts = attempts;
        self.keep_event(lab);
        Answered::Verdict { right: verdict.right, lines }
    }

    /// Once its question is closed, a prediction's event really happens, if the author says so.
    fn keep_event(&mut self, lab: &mut Lab) {
        let here = *self.moment();
        let played = here.played > self.step().run.len() || self.at + 1 < self.trail.len();
        if played || !self.record().state.closed() {
            return;
        }
        let event = self.asked().and_then(|q| q.plays(self.asked_at(lab)));
        if let Some(event) = event {
            let moment = play(lab, here, event);
            self.push(moment);
        }
    }

    /// The next rung of the page's hints; `None`: there is no open question, or no more hints.
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
        let state = record.state.clone();
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
        let picks = question.picks();
        let text =
            picks.iter().find(|p| p.id == right.0).map_or(right.0.clone(), |p| p.text.clone());
        let mut lines = vec![format!("The answer: {text}")];
        let reasons = question.check(&right, at).lines;
        // The first line of a prediction's verdict says what the learner said, who said nothing.
        lines.extend(reasons.into_iter().skip(usize::from(question.once())));
        let record = self.record_mut();
        record.solution.clone_from(&lines);
        if !state.closed() {
            record.state = QuestionState::Shown;
        }
        self.keep_event(lab);
        Ok(lines)
    }

    /// Marks a question as skipped if it needs another one that was not answered rightly.
    fn skip_if_unmet(&mut self) {
        let step = self.moment().step;
        let Some(question) = self.lesson.steps()[step].question.as_deref() else { return };
        let unmet = |id: &String| self.state_of(id) != Some(&QuestionState::Right);
        if self.records[step].state == QuestionState::Open
            && question.common().after.iter().any(unmet)
        {
            self.records[step].state = QuestionState::Skipped;
        }
    }

    /// How a question stands, by its id.
    #[must_use]
    pub fn state_of(&self, id: &str) -> Option<&QuestionState> {
        let asks = |s: &Step| s.question.as_deref().is_some_and(|q| q.common().id == id);
        let step = self.lesson.steps().iter().position(asks)?;
        Some(&self.records[step].state)
    }

    /// What was answered last to a question, by its id, in the form that an answers file takes.
    #[must_use]
    pub fn answer_to(&self, id: &str) -> Option<&str> {
        let asks = |s: &Step| s.question.as_deref().is_some_and(|q| q.common().id == id);
        let step = self.lesson.steps().iter().position(asks)?;
        self.records[step].answer.as_deref()
    }

    /// Whether everything was shown and every question is closed.
    #[must_use]
    pub fn finished(&self) -> bool {
        let last = self.trail.last().expect("a trail begins with its first moment");
        let steps = self.lesson.steps();
        let step = &steps[last.step];
        last.step + 1 == steps.len()
            && last.played >= step.run.len()
            && (step.question.is_none() || self.records[last.step].state.closed())
    }

    /// Points earned, and points that could be earned.
    #[must_use]
    pub fn score(&self) -> (u32, u32) {
        let mut score = (0, 0);
        for (step, record) in self.lesson.steps().iter().zip(&self.records) {
            let Some(question) = step.question.as_deref() else { continue };
            let points = question.common().points;
            score.1 += points;
            if record.state == QuestionState::Right {
                score.0 += points;
            }
        }
        score
    }
}

/// A verdict as it is shown: the verdict's word stands first and nowhere else.
fn shown(verdict: &Verdict) -> Vec<String> {
    let mut lines = verdict.lines.iter().map(|l| l.trim().to_owned());
    let first = match lines.next() {
        Some(line) => format!("{}. {line}", verdict.first_word()),
        None => format!("{}.", verdict.first_word()),
    };
    std::iter::once(first).chain(lines).collect()
}

/// Plays an event of the lesson from its point.
fn play(lab: &mut Lab, here: Moment, event: Event) -> Moment {
    lab.go_to(here.rev);
    lab.play(event).expect("`check` has played every event of the lesson where it stands");
    Moment { played: here.played + 1, rev: lab.history().cursor(), event: Some(event), ..here }
}

/// The first moment of a page. A page without words begins with its first event.
fn first_moment(page: &Step, step: usize, rev: RevId, lab: &mut Lab) -> Moment {
    let turned = Moment { step, played: 0, rev, event: None };
    page.opening().map_or(turned, |event| play(lab, turned, event))
}
