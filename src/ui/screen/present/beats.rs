//! A lesson as a row of beats: what each click of the presenter shows, in order.
//!
//! The lesson is played through once, with its own answers. No key is typed in here: what is right
//! is asked of each question, where the lesson stands.

use crate::catalog::ConfigError;
use crate::lab::Lab;
use crate::lesson::question::{Pick, Question, Way};
use crate::lesson::{Learner, Lesson, Next};
use crate::model::Event;
use crate::sim::{RevId, Simulation};
use std::sync::Arc;

/// One thing that a click shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beat {
    /// The lesson's step, from 0.
    pub step: usize,
    /// Where the cluster stands.
    pub rev: RevId,
    /// Whether this beat plays an event.
    pub event: bool,
    /// How much of the step's question is shown; `None`: nothing.
    pub asked: Option<Asked>,
}

/// How much of a question is shown, beside its prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// So many options.
    pub picks: usize,
    /// Whether the answer is.
    pub answered: bool,
}

/// A question as it is put to a hall, and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asking {
    /// Its name.
    pub id: String,
    /// What is asked.
    pub prompt: String,
    /// What can be picked, in order; empty where the answer is written or played.
    pub picks: Vec<Pick>,
    /// The places of the right ones, in the order of the answer.
    pub right: Vec<usize>,
    /// Whether the picks are cards that are put in an order.
    pub ordered: bool,
    /// Whether the options are shown one by one.
    one_by_one: bool,
    /// The right answer, as people read it, line by line.
    pub answer: Vec<String>,
    /// What is said of it.
    pub reasons: Vec<String>,
    /// Why it is right.
    pub explain: Option<String>,
    /// The event that happens with the answer.
    pub plays: Option<Event>,
}

/// Why a lesson is not presented.
#[derive(Debug, thiserror::Error)]
pub enum CannotPresent {
    /// Its keys were taken out.
    #[error(
        "this copy of the lesson has no keys, so that nothing could be revealed: present the lesson that it was made from"
    )]
    NoKeys,
    /// Its cluster cannot be built.
    #[error("{0}")]
    Cluster(#[from] ConfigError),
    /// It does not go on behind one of its questions.
    #[error("the lesson does not go on behind its step {0}: run lockstep lesson lint")]
    Stuck(usize),
}

/// What is presented.
#[derive(Debug)]
pub struct Script {
    /// The beats, in order; at least one.
    pub beats: Vec<Beat>,
    /// The questions, by step.
    pub asking: Vec<Option<Asking>>,
    /// The lesson's whole run.
    pub lab: Lab,
}

impl Script {
    /// The beats of a lesson.
    ///
    /// # Errors
    /// Why it cannot be presented.
    pub fn of(lesson: &Arc<Lesson>) -> Result<Self, CannotPresent> {
        if lesson.stripped {
            return Err(CannotPresent::NoKeys);
        }
        let (mut learner, mut lab) = Learner::new(Arc::clone(lesson))?;
        let mut beats = Vec::new();
        let mut asking: Vec<Option<Asking>> = lesson.steps().iter().map(|_| None).collect();
        loop {
            let here = *learner.moment();
            let (step, event) = (here.step, here.event.is_some());
            beats.push(Beat { step, rev: here.rev, event, asked: None });
            if learner.question().is_some_and(|q| !q.state.closed()) {
                let question = learner.step().question.as_deref().expect("it is being asked");
                let asked = Asking::of(question, lab.history().state_at(here.rev));
                let shown = |picks| Some(Asked { picks, answered: false });
                let stages = asked.stages().map(shown);
                beats.extend(stages.map(|asked| Beat { step, rev: here.rev, event: false, asked }));
                let right = question.reference(lab.history().state_at(here.rev));
                let _known = learner.answer(&mut lab, &right.0);
                let end = Some(Asked { picks: asked.picks.len(), answered: true });
                let rev = learner.moment().rev;
                beats.push(Beat { step, rev, event: rev != here.rev, asked: end });
                asking[step] = Some(asked);
            }
            match learner.next(&mut lab) {
                Next::Played(_) | Next::Turned => {}
                Next::Finished => return Ok(Self { beats, asking, lab }),
                Next::Blocked | Next::Returned => return Err(CannotPresent::Stuck(step + 1)),
            }
        }
    }
}

impl Asking {
    fn of(question: &dyn Question, at: &dyn Simulation) -> Self {
        let (common, picks, way) = (question.common(), question.picks(), question.way());
        let answer = question.reference(at);
        let place = |id: &str| picks.iter().position(|p| p.id == id);
        let right = answer.0.split(", ").filter_map(place).collect();
        Self {
            id: common.id.to_owned(),
            prompt: common.prompt.trim().to_owned(),
            right,
            ordered: way == Way::Arrange,
            one_by_one: matches!(question.kind(), "choice" | "multi"),
            answer: question.shows(&answer).lines().map(str::to_owned).collect(),
            reasons: question.reasons(at),
            explain: common.explain.map(|text| text.trim().to_owned()),
            plays: question.plays(at),
            picks,
        }
    }

    /// How many options are shown, click by click.
    fn stages(&self) -> impl Iterator<Item = usize> + use<> {
        let all = self.picks.len();
        // Words like `reply` or `defer` are taken in at a glance; sentences are not.
        let first = if self.one_by_one { 1 } else { all.max(1) };
        std::iter::once(0).chain(first..=all)
    }

    /// Whether a click shows one option, not all of them.
    #[must_use]
    pub fn shows_one_by_one(&self) -> bool {
        self.one_by_one
    }

    /// Whether hands can be counted.
    #[must_use]
    pub fn counts_hands(&self) -> bool {
        !self.picks.is_empty() && !self.ordered
    }

    /// Whether the answer is marked among the options, so that it needs no words of its own.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        self.counts_hands() && !self.right.is_empty()
    }
}
