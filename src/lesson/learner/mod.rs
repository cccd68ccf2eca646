//! The learner in a lesson: the pages and events that were shown, in order, and the answers given.
//!
//! It decides what comes next and what is still closed. It draws nothing, stores nothing, and plays
//! only events of the lesson.

mod asking;
mod record;

pub use asking::{Answered, QuestionView};

use super::{Lesson, Step};
use crate::catalog::ConfigError;
use crate::lab::Lab;
use crate::model::Event;
use crate::sim::RevId;
use record::Record;
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
    /// who delivers it by hand is not exploring. Returns whether it did.
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
        // A prediction that was skipped has not been seen, but what follows builds on its event.
        if let Some(event) = self.kept_event(lab) {
            return Ok(play(lab, here, event));
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

    /// One moment back along the trail: an event or a page. Returns whether there was one.
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

    /// For authors: goes on to a page, and there to its question if that is wanted. What is asked on the
    /// way counts as rightly answered.
    pub fn skip_to(&mut self, lab: &mut Lab, step: usize, asked: bool) {
        let there = |learner: &Self| {
            let here = learner.moment();
            here.step > step || here.step == step && (!asked || learner.own_event().is_none())
        };
        while !there(self) {
            self.pass(lab);
            match self.next(lab) {
                Next::Played(_) | Next::Turned | Next::Returned => {}
                Next::Blocked | Next::Finished => break,
            }
        }
    }

    /// Whether everything was shown and every question is closed.
    #[must_use]
    pub fn finished(&self) -> bool {
        let last = self.trail.last().expect("a trail begins with its first moment");
        let steps = self.lesson.steps();
        let step = &steps[last.step];
        last.step + 1 == steps.len()
            && last.played >= step.run.len()
            && (step.question.is_none() || self.records[last.step].state().closed())
    }
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
