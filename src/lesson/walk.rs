//! The lesson's own run, page by page: what is played, what is asked, and the state about which it is asked.
//!
//! The run is the lesson's, whatever is answered; whoever needs a state of it walks here.

use super::question::Question;
use super::{Lesson, Step};
use crate::model::Event;
use crate::sim::{Refused, Simulation, StepRecord};

/// A page as a walk comes to it.
pub struct Stop<'l> {
    /// Its place, from 0.
    pub n: usize,
    /// The page.
    pub step: &'l Step,
    /// The state after its events, about which it asks; `None`: an event before cannot happen.
    pub at: Option<Box<dyn Simulation>>,
    /// The event that happens once its question is closed.
    pub then: Option<Event>,
}

impl Stop<'_> {
    /// Everything that happens on the page, in order.
    pub fn events(&self) -> impl Iterator<Item = Event> + '_ {
        self.step.run.iter().copied().chain(self.then)
    }
}

/// A run that is played on as far as it can be.
pub struct Run(Option<Box<dyn Simulation>>);

impl Run {
    /// A run from a state; `None`: nothing is known of it.
    #[must_use]
    pub fn from(start: Option<Box<dyn Simulation>>) -> Self {
        Self(start)
    }

    /// The state where it stands, as far as that is known.
    #[must_use]
    pub fn state(&self) -> Option<&dyn Simulation> {
        self.0.as_deref()
    }

    /// Plays an event. After one that is refused nothing more is known.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn play(&mut self, event: Event) -> Result<(), Refused> {
        self.step(event).map(drop)
    }

    /// The same, with what came of it; `None`: nothing is known of the run.
    ///
    /// # Errors
    /// Why the event is refused.
    pub fn step(&mut self, event: Event) -> Result<Option<StepRecord>, Refused> {
        let played = self.0.as_mut().map(|sim| sim.step(event)).transpose();
        played.inspect_err(|_| self.lose())
    }

    /// Plays what happens once a question is closed, if anything does.
    pub fn close(&mut self, question: &dyn Question) -> Option<Event> {
        let event = question.plays(self.state()?)?;
        self.play(event).ok().map(|()| event)
    }

    /// From here on nothing is known.
    pub fn lose(&mut self) {
        self.0 = None;
    }
}

impl Lesson {
    /// The pages in order, each with the state about which it asks.
    pub fn walk(&self) -> impl Iterator<Item = Stop<'_>> {
        let mut run = Run::from(self.lab().ok().map(|lab| lab.state().fork()));
        self.steps().iter().enumerate().map(move |(n, step)| {
            for event in &step.run {
                let _refused = run.play(*event);
            }
            let at = run.state().map(Simulation::fork);
            let then = step.question.as_deref().and_then(|question| run.close(question));
            Stop { n, step, at, then }
        })
    }
}
