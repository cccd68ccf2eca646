//! Messages that are kept back: a run that goes on by itself leaves them where they are.
//!
//! It forbids nothing: who delivers such a message on purpose delivers it.

use super::{Fate, FlightView, Simulation, StepRecord};
use crate::model::{Event, MsgId, MsgRef};
use std::collections::BTreeSet;

/// Messages that are kept back, each with the step at which it was sent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeptBack(BTreeSet<(MsgId, u32)>);

impl KeptBack {
    /// Keeps a message back, or lets it go. Returns whether it is kept back now.
    pub fn toggle(&mut self, flight: &FlightView) -> bool {
        let name = (flight.id, flight.sent_at);
        let was = self.0.remove(&name);
        if !was {
            self.0.insert(name);
        }
        !was
    }

    /// Whether a message in flight is kept back.
    #[must_use]
    pub fn holds(&self, flight: &FlightView) -> bool {
        self.0.contains(&(flight.id, flight.sent_at))
    }

    /// Whether an event would deliver a message that is kept back.
    #[must_use]
    pub fn leaves(&self, sim: &dyn Simulation, event: Event) -> bool {
        let Event::Deliver(MsgRef { from, to, no }) = event else { return false };
        if self.0.is_empty() {
            return false;
        }
        let named = |flight: &&FlightView| {
            let id = flight.id;
            (id.from, id.to) == (from, to) && no.is_none_or(|no| no == id.no)
        };
        // The list begins with the oldest, which is what a name without a number means.
        sim.view().in_flight.iter().find(named).is_some_and(|flight| self.holds(flight))
    }

    /// Forgets the message that a step took out of its channel.
    pub fn forget(&mut self, record: &StepRecord) {
        if let Some(moved) = &record.moved {
            match moved.fate {
                Fate::Delivered | Fate::LostAtCrashed | Fate::Dropped => {
                    self.0.remove(&(moved.message.id, moved.sent_at));
                }
                Fate::Copied(_) => {}
            }
        }
    }
}
