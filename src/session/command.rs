//! What a person can do. Each face has its own words or keys for it; what it means stands in `Session::act`.

use crate::model::{Event, MsgRef};
use crate::sim::RevId;

/// Something that a person does.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// One step on; what that is depends on where one stands ([`super::Where`]).
    Next,
    /// One step of a run that plays by itself.
    PlayOn,
    /// One step back.
    Back,
    /// To a point of the tree of runs.
    Go(To),
    /// An event.
    Play(Event),
    /// Something happens to a message of the list.
    Message(MessageVerb, usize),
    /// Events as they are typed, up to the first that is refused: each may be the number of a message that
    /// arrives, and have behind it what is said of it as a line of an answer (`deliver P1>P2 => reply`).
    Lines(String),
    /// A message of the list is kept back, or let go.
    Hold(usize),
    /// On, until nothing happens by itself.
    Run,
    /// On, until a goal holds.
    Until(String),
    /// Runs are drawn from this seed from now on.
    Seed(u64),
    /// From here on is recorded.
    Mark,
    /// The question of the page is opened.
    Open,
    /// It is put aside; what was put together is kept.
    PutAside,
    /// What was put together is handed in.
    HandIn,
    /// An answer, given whole.
    Answer(String),
    /// What is written in the line of the answer, or in the cell at this place.
    Write(usize, String),
    /// The events since the lesson's point are handed in.
    AnswerPlayed,
    /// The answer is that it cannot be done.
    Impossible,
    /// The word with this place, from 0, is said of the event that waits; then it happens.
    Say(usize),
    /// The event that waits for a word is not played.
    DoNotPlay,
    /// The node decides with the word at this place, from 0.
    Decide(usize),
    /// The next hint.
    Hint,
    /// The solution; it asks once more before it is shown.
    Reveal,
    /// Back to the lesson's point.
    Return,
}

/// Where in the tree of runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// The beginning of the run, or of what is played as an answer.
    Start,
    /// The end of this branch.
    End,
    /// The point of this branch with so many steps behind it.
    Step(u32),
    /// Any point.
    Point(RevId),
}

/// What can happen to a message of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageVerb {
    /// It arrives.
    Deliver,
    /// It is lost.
    Drop,
    /// It is copied.
    Duplicate,
}

impl MessageVerb {
    /// The event.
    #[must_use]
    pub fn event(self, message: MsgRef) -> Event {
        match self {
            Self::Deliver => Event::Deliver(message),
            Self::Drop => Event::Drop(message),
            Self::Duplicate => Event::Duplicate(message),
        }
    }
}
