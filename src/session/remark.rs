//! What there is to say after a command, as data: one face says it with its keys, the other with its words.

use crate::lab::Ended;
use crate::model::goal::GoalError;
use crate::model::{Event, MsgId, Names, NodeId};
use crate::sim::{FlightView, RevId, Wait};

/// Something to tell.
#[derive(Clone, PartialEq, Debug)]
pub enum Remark {
    /// The lesson's own next event has happened, whoever played it.
    OnTheWay {
        /// Whether a page was turned with it.
        turned: bool,
    },
    /// The next page.
    Turned,
    /// The question has to be answered first.
    AnswerFirst,
    /// The lesson has nothing more.
    Finished,
    /// An event has happened.
    Played,
    /// The learner has left the lesson's point.
    Exploring {
        /// Whether just now.
        begins: bool,
    },
    /// Another choice was made here before.
    NewBranch,
    /// The goal of the answer that is played holds.
    GoalHolds,
    /// What was played since the lesson's point reaches the goal of its question.
    GoalOfQuestion,
    /// What was typed is no event: why.
    NoEvent(String),
    /// The event cannot happen: the engine's reason.
    Refused(String),
    /// The same for an event among several: its number from 1, the event, the reason.
    RefusedAt(usize, Event, String),
    /// Nothing happens by itself.
    Quiet(Quiet),
    /// There is no message with this number: the number, and how many are in flight.
    NoMessage(usize, usize),
    /// One step back along the run.
    Back {
        /// Whether the page has changed.
        turned: bool,
        /// Whether this is the lesson's point again, after exploring.
        at_lesson: bool,
    },
    /// A line of the answer that is played was taken back.
    TookBack(String),
    /// There is no step before this one in the lesson.
    StartOfLesson,
    /// There is no step before this one in the run.
    StartOfRun,
    /// A message is on its way, and which one arrives is the answer.
    ChooseMessage,
    /// This is where the answer begins.
    StartOfQuestion,
    /// There is no step behind this one.
    EndOfRun,
    /// One stands at another point.
    Went,
    /// There is no such step on this branch.
    NoStep(u32),
    /// A run went on by itself from a point; the goal that was asked for.
    Ran {
        /// Where it began.
        from: RevId,
        /// How it ended.
        ended: Ended,
        /// Its goal, as it was typed.
        goal: Option<String>,
        /// Why nothing more happens, where that is how it ended.
        quiet: Option<Quiet>,
    },
    /// The goal cannot be read.
    BadGoal(GoalError),
    /// While an answer is played, its events are played one by one.
    OneByOne,
    /// Runs are drawn from this seed.
    Seeded(u64),
    /// A message was kept back or let go.
    Held {
        /// The message.
        flight: Box<FlightView>,
        /// Its number in the list.
        number: usize,
        /// Whether it is kept back now.
        kept: bool,
    },
    /// From here on is recorded.
    Marked,
    /// The question does not allow this event.
    NotAllowed(Event),
    /// So many events are all that may be played.
    AtMost(usize),
    /// Something has to be said of this event first.
    SayFirst(Event),
    /// What was said of it is none of the question's words.
    NoSuchWord,
    /// The event that waited for a word was not played.
    NotPlayed,
    /// A decision was taken, and the next message waits for one.
    Decided,
    /// What was played is not a run of the question.
    OtherRun,
    /// Nothing was played yet.
    NothingPlayed,
    /// The answer is the wrong one that was given before.
    SaidBefore,
    /// What was played was handed in before.
    PlayedBefore,
    /// That it is impossible was said before.
    ImpossibleBefore,
    /// One stands before what was wrong in what was handed in before.
    BeforeWrong(String),
    /// One looks at the run in which the answer that was given before is wrong, before the step that
    /// decides this.
    LookingAtWrong(String),
    /// The answer cannot be read: how it has to look.
    Form(String),
    /// There is no open question: what the lesson says to that.
    Closed(String),
    /// The answer was checked.
    Verdict(Checked),
    /// The solution is shown.
    Solution(Checked),
    /// The solution has to be asked for once more.
    ConfirmReveal,
    /// The solution is not shown: why.
    NotShown(String),
    /// The question was put aside.
    Aside {
        /// Whether something is kept of it.
        kept: bool,
        /// Whether it was answered in the cluster.
        cluster: bool,
    },
    /// Back at the lesson's point.
    AtLesson {
        /// Whether one stood elsewhere.
        returned: bool,
    },
    /// One came back to the lesson's point to hand a run in.
    CameBack,
    /// The run since the lesson's point cannot be handed in: why.
    NoRunToHandIn(NoRun),
    /// This is for the question of a lesson, and there is none that could be meant.
    NoQuestion(NoQuestion),
    /// A hint, its number from 1, and how many there are.
    Hint(String, usize, usize),
    /// There are no more hints.
    NoMoreHints,
}

/// An answer that was checked, or a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// What is said, one paragraph a line.
    pub lines: Vec<String>,
    /// Whether the event that was asked about has really happened with it.
    pub happened: bool,
    /// Whether one came back from a run that was a copy.
    pub copy: bool,
}

/// Why nothing happens by itself, and what could be done.
#[derive(Clone, PartialEq, Debug)]
pub enum Quiet {
    /// What is still in flight is kept back.
    KeptBack(Vec<MsgId>),
    /// The goal of the answer that is played holds.
    GoalHolds,
    /// Somebody waits, and nothing will come by itself: who waits for what, and the cycle of waits.
    Stuck(Vec<Wait>, Vec<NodeId>),
    /// These are inside and can leave.
    Inside(Vec<NodeId>),
    /// These are inside and have crashed, and can recover.
    Crashed(Vec<NodeId>),
    /// Nobody is inside; these can ask.
    CanAsk(Vec<NodeId>),
    /// Nobody can leave, recover or ask; whether an answer is played, which can be handed in.
    Nothing(bool),
}

/// Why a run cannot be handed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoRun {
    /// No lesson is open.
    NoLesson,
    /// Its question is not answered by playing.
    NotPlayed,
    /// Its question has a cluster of its own.
    OwnCluster,
    /// The run does not go on from where the question begins.
    Elsewhere,
    /// Nothing was played.
    Empty,
}

/// Why no question could be meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoQuestion {
    /// No lesson is open.
    NoLesson,
    /// The learner is elsewhere.
    Exploring,
    /// The page has none yet.
    NotYet,
    /// It is closed.
    Closed,
}

impl Remark {
    /// Whether something was not done: what was to follow it is not done either, and a run that plays by
    /// itself stops.
    #[must_use]
    pub fn halts(&self) -> bool {
        matches!(
            self,
            Self::AnswerFirst
                | Self::ChooseMessage
                | Self::Finished
                | Self::NoEvent(_)
                | Self::Refused(_)
                | Self::RefusedAt(..)
                | Self::Quiet(_)
                | Self::NoMessage(..)
                | Self::StartOfLesson
                | Self::StartOfRun
                | Self::StartOfQuestion
                | Self::NoStep(_)
                | Self::BadGoal(_)
                | Self::OneByOne
                | Self::NotAllowed(_)
                | Self::AtMost(_)
                | Self::SayFirst(_)
                | Self::NoSuchWord
        )
    }

    /// What it says where no key and no word has to be named: a sentence without its capital and its full
    /// stop.
    #[must_use]
    pub fn said(&self, names: &Names) -> Option<String> {
        Some(match self {
            Self::NoEvent(reason) => reason.clone(),
            Self::RefusedAt(n, event, reason) => {
                format!("event {n}, `{}`, is refused: {reason}", event.show(names))
            }
            Self::BadGoal(error) => error.to_string(),
            Self::NotAllowed(event) => {
                format!("this question does not allow `{}`", event.show(names))
            }
            Self::NoStep(step) => format!("there is no step {step} on this branch"),
            Self::StartOfLesson => "this is the beginning of the lesson".to_owned(),
            Self::StartOfRun => "this is the beginning of the run".to_owned(),
            Self::OneByOne => {
                "while an answer is played, its events are played one by one".to_owned()
            }
            Self::NoQuestion(NoQuestion::NotYet) => "there is no question here yet".to_owned(),
            Self::NoQuestion(NoQuestion::Closed) => "this question is closed".to_owned(),
            _ => return None,
        })
    }
}
