//! The goal language: one parser with positions for lessons, `--until`, the `:` line and the checker.
//!
//! A goal is a question about one state (`in_cs(P1) and not crashed(P2)`), asked through [`Facts`];
//! `never …`, `always …` and `eventually …` at the top make it a question about a whole run. Nothing is played here.

mod eval;
mod parse;
mod words;

pub use parse::ATOMS;

use super::node::{NodeId, Phase};
use super::shape::Shape;
use super::value::Value;
use crate::input::{folded, unfolded};

/// What a goal may ask about a state. The engine answers.
pub trait Facts {
    /// Where a client stands.
    fn phase(&self, node: NodeId) -> Phase;
    /// Whether a node has crashed.
    fn crashed(&self, node: NodeId) -> bool;
    /// How often a client has entered so far.
    fn entries(&self, node: NodeId) -> u32;
    /// How often a client has left so far.
    fn exits(&self, node: NodeId) -> u32;
    /// Messages sent so far, of one kind (in capitals) or of all kinds.
    fn messages(&self, kind: Option<&str>) -> u32;
    /// Messages in flight on one channel, or everywhere.
    fn in_flight(&self, channel: Option<(NodeId, NodeId)>) -> u32;
    /// Whether a node holds a token.
    fn holds_token(&self, node: NodeId) -> bool;
    /// Tokens held and in flight; `None` where the algorithm has none.
    fn tokens(&self) -> Option<u32>;
    /// A node's clock, in ticks.
    fn clock(&self, node: NodeId) -> u32;
    /// A variable of a node, by the name that the table shows.
    fn field(&self, node: NodeId, name: &str) -> Option<Value>;
    /// Whether mutual exclusion was violated, now or earlier in the run.
    fn mutex_violated(&self) -> bool;
    /// Whether entries broke the order that the algorithm promises.
    fn order_broken(&self) -> bool;
    /// Whether an accepted fence was lower than one accepted before it.
    fn fence_violated(&self) -> bool;
    /// Whether somebody waits and nothing can ever change that.
    fn stuck(&self) -> bool;
    /// How often others have entered since a client asked, while it waits; 0 while it does not.
    fn overtaken(&self, node: NodeId, by: Overtaking) -> u32;
    /// Writes of a client that the storage answered so far: accepted, refused, or lost updates.
    fn writes(&self, node: NodeId, fate: WriteFate) -> u32;
}

/// What became of a write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WriteFate {
    /// The storage took it.
    Accepted,
    /// The storage refused its fence.
    Refused,
    /// The storage took it from a holder that was no longer the newest.
    Lost,
}

/// Whose entries count as overtaking a client that waits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Overtaking {
    /// All others'.
    Any,
    /// Those of others whose request came causally after the client's own: it happened before theirs.
    Later,
}

impl Overtaking {
    /// Both with their words.
    pub const ALL: [(&'static str, Self); 2] =
        [("overtaken", Self::Any), ("overtaken_later", Self::Later)];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::ALL[usize::from(self == Self::Later)].0
    }
}

/// Properties that `violated(…)` may name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// Never two nodes inside.
    Mutex,
    /// Exactly one token.
    Token,
    /// The promised order of entries.
    Order,
    /// Accepted fences never decrease.
    Fence,
}

impl Property {
    /// All of them with their words.
    pub const ALL: [(&'static str, Self); 4] = [
        ("mutex", Self::Mutex),
        ("token", Self::Token),
        ("order", Self::Order),
        ("fence", Self::Fence),
    ];
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compare {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// A number that a state has.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Count {
    /// `entries(P1)`, or of everybody.
    Entries(Option<NodeId>),
    /// `exits(P1)`, or of everybody.
    Exits(Option<NodeId>),
    /// `messages()`, `messages(REQUEST)`.
    Messages(Option<String>),
    /// `in_flight()`, `in_flight(P1>P2)`.
    InFlight(Option<(NodeId, NodeId)>),
    /// `tokens()`.
    Tokens,
    /// `clock(P1)`.
    Clock(NodeId),
    /// `overtaken(P1)`, `overtaken_later(P1)`.
    Overtaken(NodeId, Overtaking),
    /// `writes(P1)`, `writes(P1, refused)`.
    Writes(NodeId, WriteFate),
}

/// A question about one state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// `in_cs(P1)`.
    InCs(NodeId),
    /// `waiting(P1)`.
    Waiting(NodeId),
    /// `idle(P1)`.
    Idle(NodeId),
    /// `entered(P1)`: at least once.
    Entered(NodeId),
    /// `exited(P1)`: at least once.
    Exited(NodeId),
    /// `crashed(P3)`.
    Crashed(NodeId),
    /// `holds(token, P2)`.
    Holds(NodeId),
    /// `violated(mutex)`.
    Violated(Property),
    /// `stuck()`.
    Stuck,
    /// A number against a number.
    Number(Count, Compare, i64),
    /// `in_flight(P1>P2)` alone: something is.
    Some(Count),
    /// A variable against a value: `field(P2, deferred) == {P1}`.
    Field(NodeId, String, Compare, Value),
    /// `not …`.
    Not(Box<Test>),
    /// `… and …`.
    And(Box<Test>, Box<Test>),
    /// `… or …`.
    Or(Box<Test>, Box<Test>),
}

/// Whether the test is about one state, no state or some state of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum When {
    /// At the state where it is asked.
    Now,
    /// At no state of the run.
    Never,
    /// At some state of the run.
    Eventually,
}

/// A goal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Goal {
    /// Over which states the test is asked.
    pub when: When,
    /// The test.
    pub test: Test,
}

/// Why a text is not a goal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message} (column {})", .at + 1)]
pub struct GoalError {
    /// Byte offset in the text at which it goes wrong.
    pub at: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

/// What the words of a goal may refer to.
#[derive(Clone, Debug)]
pub struct Vocabulary<'a> {
    /// The cluster's nodes.
    pub names: &'a super::Names,
    /// Kinds of messages, in capitals.
    pub kinds: Vec<&'a str>,
    /// Variables of the nodes.
    pub columns: Vec<Column>,
    /// Whether there are tokens.
    pub token: bool,
    /// Whether there is a storage node, so that something can be written.
    pub storage: bool,
}

/// A variable, as goals may speak of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// The nodes that have it, each with the nodes for which it holds something, where it holds something
    /// for each.
    pub at: Vec<(NodeId, Vec<NodeId>)>,
}

impl Goal {
    /// Reads a goal.
    ///
    /// # Errors
    /// Says where and why the text is no goal.
    pub fn parse(text: &str, words: &Vocabulary<'_>) -> Result<Self, GoalError> {
        let read = parse::goal(&folded(text), words);
        read.map_err(|error| GoalError { at: unfolded(text, error.at), ..error })
    }

    /// Whether the test holds in one state, whatever `never` or `eventually` say about the run.
    #[must_use]
    pub fn holds(&self, facts: &dyn Facts) -> bool {
        self.test.holds(facts)
    }

    /// Whether the goal asks about the past of a run (counts of entries, messages, …), which a single
    /// state without its tallies cannot tell.
    #[must_use]
    pub fn asks_about_the_past(&self) -> bool {
        self.test.asks_about_the_past()
    }
}
