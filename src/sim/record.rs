//! What one step did: the raw facts from which sentences, pictures and grades are derived.
//!
//! A record holds facts of one step only and no words of a narrator's.

use crate::algorithm::{Label, Line};
use crate::model::{Event, MsgId, NodeId};

/// A message that a step sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Its name.
    pub id: MsgId,
    /// How it reads.
    pub label: Label,
    /// How it is drawn.
    pub line: Line,
}

/// What a step did to a message that was in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It reached its receiver.
    Delivered,
    /// It reached a crashed node.
    LostAtCrashed,
    /// It was dropped.
    Dropped,
    /// A copy was put behind it, with this name.
    Copied(MsgId),
}

/// A message that was in flight, and what the step did to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moved {
    /// The message.
    pub message: Sent,
    /// The step at which it was sent; 0: before the run began.
    pub sent_at: u32,
    /// What happened to it.
    pub fate: Fate,
}

/// What one step did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepRecord {
    /// The step's number, from 1.
    pub n: u32,
    /// The event, in its canonical form: a number only where the message is not the first choice.
    pub event: Event,
    /// The node at which it happened; `None` for what happens in the network.
    pub node: Option<NodeId>,
    /// The message that it moved.
    pub moved: Option<Moved>,
    /// What was sent, in the order of sending.
    pub sent: Vec<Sent>,
    /// Who entered the critical section.
    pub entered: Option<NodeId>,
    /// Who left it.
    pub left: Option<NodeId>,
    /// The rules that fired, each with its reason.
    pub rules: Vec<(&'static str, String)>,
    /// What happened that is not what a rule of the algorithm says, in sentences, each with the number
    /// of rules that fired before it: why the storage node did what it did, what a broken variant left
    /// out or did instead.
    pub notes: Vec<(usize, String)>,
    /// The words for what happened.
    pub outcomes: Vec<&'static str>,
}

impl StepRecord {
    /// Adds a sentence that no rule says.
    pub(super) fn note(&mut self, text: String) {
        self.notes.push((self.rules.len(), text));
    }

    /// What happened, in sentences, in the order in which it happened: reasons of rules, and notes.
    pub fn reasons(&self) -> impl Iterator<Item = &str> {
        let mut notes = self.notes.iter().peekable();
        let mut rules = self.rules.iter().enumerate().peekable();
        std::iter::from_fn(move || {
            let fired = rules.peek().map_or(usize::MAX, |(i, _)| *i);
            match notes.next_if(|(before, _)| *before <= fired) {
                Some((_, text)) => Some(text.as_str()),
                None => rules.next().map(|(_, (_, reason))| reason.as_str()),
            }
        })
    }

    /// The message that this step delivered.
    #[must_use]
    pub fn delivered(&self) -> Option<&Moved> {
        self.moved.as_ref().filter(|m| m.fate == Fate::Delivered)
    }
}
