//! How a question is answered by keys: what a screen and the lines need to know of it.
//!
//! Plain data; what is right is not in it.

use crate::model::{Config, Event};

/// How a question is answered by keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// One of the picks.
    PickOne,
    /// Any of the picks.
    PickMany,
    /// Some of the picks, in an order.
    Arrange,
    /// One line of text.
    Write,
    /// A value for each of these, in order.
    Cells(Vec<String>),
    /// Events, played in the cluster.
    Play(Playing),
    /// What one node does, message by message: the words to choose from.
    Decide(Vec<String>),
}

/// How events are played as an answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Playing {
    /// Words of which one is said before each event that does one of them.
    pub annotate: Vec<String>,
    /// Another cluster than the lesson's to play in.
    pub config: Option<Box<Config>>,
    /// The events from the very beginning to where the playing starts; `None`: where the lesson stands,
    /// or the beginning of the other cluster.
    pub start: Option<Vec<Event>>,
    /// Whether the answer may be that it cannot be done.
    pub impossible: bool,
    /// What has to hold at the end.
    pub goal: String,
    /// What must hold at no time.
    pub never: Option<String>,
    /// What may be played besides the usual.
    pub allow: Vec<String>,
    /// What may not be played.
    pub forbid: Vec<String>,
    /// The most events.
    pub at_most: Option<usize>,
    /// In how many events it can be done well.
    pub par: Option<usize>,
}

/// Where an answer goes wrong first, as a point of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongAt {
    /// The run, from where the question begins.
    pub events: Vec<Event>,
    /// How many of its events come before that point.
    pub point: usize,
    /// What is wrong there, in a few words.
    pub what: String,
}

/// A message at which a node has to decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// What happens before it, elsewhere.
    pub before: Vec<Event>,
    /// Its arrival.
    pub event: Event,
    /// What arrives, in words.
    pub text: String,
}
