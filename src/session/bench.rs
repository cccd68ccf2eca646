//! A cluster in hand: its runs, the messages that are kept back in it, and from where on it is recorded.
//!
//! Every change of place goes through here, so that a message that has arrived is kept back no longer.

use crate::lab::{Ended, Lab};
use crate::model::{Event, Goal, MsgId};
use crate::sim::{FlightView, KeptBack, Policy, Refused, RevId};

/// A cluster with what a person has done to it besides playing.
#[derive(Debug)]
pub struct Bench {
    lab: Lab,
    kept: KeptBack,
    mark: Option<RevId>,
}

/// What an event did to the tree of runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Grown {
    /// Whether it was played for the first time where another way went on already.
    pub(super) branch: bool,
}

impl Bench {
    /// A cluster in which nothing is kept back and nothing marked.
    #[must_use]
    pub fn of(lab: Lab) -> Self {
        Self { lab, kept: KeptBack::default(), mark: None }
    }

    /// The cluster and its runs.
    #[must_use]
    pub fn lab(&self) -> &Lab {
        &self.lab
    }

    /// The cluster alone.
    #[must_use]
    pub fn into_lab(self) -> Lab {
        self.lab
    }

    /// What is kept back.
    #[must_use]
    pub fn kept(&self) -> &KeptBack {
        &self.kept
    }

    /// From where on is recorded, where somebody has said so.
    #[must_use]
    pub fn mark(&self) -> Option<RevId> {
        self.mark
    }

    /// Marks the point from which on is recorded.
    pub(super) fn set_mark(&mut self) {
        self.mark = Some(self.here());
    }

    /// The point where one stands.
    #[must_use]
    pub fn here(&self) -> RevId {
        self.lab.history().cursor()
    }

    /// Moves in the tree of runs: whatever arrives on the way there is kept back no longer.
    pub(super) fn moving<T>(&mut self, go: impl FnOnce(&mut Lab) -> T) -> T {
        let mut before = self.here();
        let done = go(&mut self.lab);
        let history = self.lab.history();
        let mut now = history.cursor();
        while now != before {
            let (walked, left) = (history.depth(now), history.depth(before));
            let at = if walked >= left { &mut now } else { &mut before };
            if walked >= left
                && let Some(record) = history.record(*at)
            {
                self.kept.forget(record);
            }
            *at = history.parent(*at).expect("two points of one tree have a point in common");
        }
        done
    }

    /// Plays an event.
    ///
    /// # Errors
    /// The engine's reason, where it cannot happen.
    pub(super) fn play(&mut self, event: Event) -> Result<Grown, Refused> {
        let points = self.lab.history().len();
        let forked = self.ahead().is_some();
        self.moving(|lab| lab.play(event).map(|_| ()))?;
        Ok(Grown { branch: forked && self.lab.history().len() > points })
    }

    /// Goes to a point of the tree.
    pub(super) fn go_to(&mut self, rev: RevId) {
        self.moving(|lab| lab.go_to(rev));
    }

    /// One step back. Returns whether there was one.
    pub(super) fn back(&mut self) -> bool {
        self.lab.history_mut().back()
    }

    /// One step on along the branch that was visited last, unless that delivers a message that is kept
    /// back. Returns whether there was one.
    pub(super) fn forward(&mut self) -> bool {
        self.goes_on() && self.moving(|lab| lab.history_mut().forward())
    }

    /// The event of the branch that was visited last.
    #[must_use]
    pub fn ahead(&self) -> Option<Event> {
        let history = self.lab.history();
        let next = history.next_visited(history.cursor())?;
        history.record(next).map(|record| record.event)
    }

    /// Whether this branch goes on with something that is not kept back.
    pub(super) fn goes_on(&self) -> bool {
        self.ahead().is_some_and(|event| !self.kept.leaves(self.lab.state(), event))
    }

    /// The event that comes next by itself, without what is kept back.
    pub(super) fn chosen_by(&self, policy: &mut Policy) -> Option<Event> {
        policy.choose_but(self.lab.state(), &self.kept)
    }

    /// Lets the run go on by itself, without what is kept back.
    pub(super) fn run_on(&mut self, policy: &mut Policy, until: Option<&Goal>) -> Ended {
        let kept = self.kept.clone();
        self.moving(|lab| lab.run_on_but(policy, &kept, until))
    }

    /// The message in flight with this number of the list, from 1.
    #[must_use]
    pub fn flight(&self, number: usize) -> Option<FlightView> {
        let mut flights = self.lab.state().view().in_flight;
        let place = number.checked_sub(1).filter(|place| *place < flights.len())?;
        Some(flights.swap_remove(place))
    }

    /// The messages in flight that are kept back, oldest first.
    #[must_use]
    pub fn held(&self) -> Vec<MsgId> {
        let flights = self.lab.state().view().in_flight;
        flights.iter().filter(|flight| self.kept.holds(flight)).map(|flight| flight.id).collect()
    }

    /// Keeps a message back, or lets it go. Returns whether it is kept back now.
    pub(super) fn hold(&mut self, flight: &FlightView) -> bool {
        self.kept.toggle(flight)
    }

    /// The point with this number of steps behind it, on the way to here or on the way that was walked
    /// from here.
    pub(super) fn step(&self, number: u32) -> Option<RevId> {
        let history = self.lab.history();
        let mut way = history.ancestors(self.here()).chain(history.redo_path(self.here()));
        way.find(|rev| history.depth(*rev) == number)
    }

    /// The end of the branch; `None`: one stands there.
    pub(super) fn end(&self) -> Option<RevId> {
        self.lab.history().redo_path(self.here()).last()
    }
}
