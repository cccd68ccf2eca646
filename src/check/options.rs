//! What a search plays and where it stops.
//!
//! Plain settings; whether they fit a cluster is found out when the search begins.

use crate::input::{nearest, numbers};
use crate::model::{Goal, Schedule, Setup};
use std::sync::Arc;

/// How often each fault may happen in a run, over all nodes together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Faults {
    /// Timers that fire.
    pub timeout: u8,
    /// Messages that are lost.
    pub drop: u8,
    /// Messages that are copied.
    pub duplicate: u8,
    /// Nodes that stop.
    pub crash: u8,
    /// Crashed nodes that go on.
    pub recover: u8,
}

/// The words for the faults.
pub const FAULTS: [&str; 5] = ["timeout", "drop", "duplicate", "crash", "recover"];

/// What each of them counts.
pub const FAULTS_COUNT: [&str; 5] = [
    "timers that fire in a run",
    "messages that are lost in a run",
    "messages that are copied in a run",
    "nodes that crash in a run",
    "crashed nodes that recover in a run",
];

impl Faults {
    /// No faults.
    pub const NONE: Self = Self { timeout: 0, drop: 0, duplicate: 0, crash: 0, recover: 0 };

    /// Reads `crash=1,recover=1`; nothing: no faults.
    ///
    /// # Errors
    /// A sentence that names the piece and what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut faults = Self::NONE;
        for piece in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (word, number) = match piece.split_once('=') {
                Some((word, number)) => (word.trim(), number.trim()),
                None => (piece, "1"),
            };
            let most = number.parse::<u8>().map_err(|_| {
                format!("`{piece}`: `{number}` is no number from 0 to 255; write {word}=1")
            })?;
            let Some(place) = FAULTS.iter().position(|fault| *fault == word) else {
                return Err(match nearest(word, FAULTS) {
                    Some(close) => format!("no fault is called `{word}`; did you mean `{close}`?"),
                    None => format!("no fault is called `{word}`; there are {}", FAULTS.join(", ")),
                });
            };
            *faults.slots()[place] = most;
        }
        Ok(faults)
    }

    /// The numbers, in the order of [`FAULTS`].
    pub fn slots(&mut self) -> [&mut u8; 5] {
        let Self { timeout, drop, duplicate, crash, recover } = self;
        [timeout, drop, duplicate, crash, recover]
    }

    /// The numbers with their words.
    #[must_use]
    pub fn listed(mut self) -> [(&'static str, u8); 5] {
        let numbers = self.slots().map(|number| *number);
        std::array::from_fn(|i| (FAULTS[i], numbers[i]))
    }
}

/// How often nodes ask: `2`, or `2,1,1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requests(Vec<u32>);

impl Requests {
    /// Reads `2` or `2,1,1`.
    ///
    /// # Errors
    /// The first piece that is no number.
    pub fn parse(text: &str) -> Result<Self, String> {
        numbers(text, "number of requests").map(Self)
    }

    /// The number for each of `n` nodes.
    ///
    /// # Errors
    /// There are neither one nor `n` numbers.
    pub fn for_each(&self, n: usize) -> Result<Vec<u32>, String> {
        match self.0.as_slice() {
            [all] => Ok(vec![*all; n]),
            each if each.len() == n => Ok(each.to_vec()),
            each => Err(format!(
                "{} numbers for {n} nodes; write one for all of them, or one for each",
                each.len()
            )),
        }
    }
}

/// A question of the goal language, in place of the question whether the algorithm is right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The question as it is written, with the cluster's names.
    pub text: String,
    /// The same, read.
    pub goal: Goal,
    /// Whether reaching it is the failure for which the catalog lists a variant.
    pub is_failure: bool,
}

impl Asked {
    /// A question that somebody asks.
    #[must_use]
    pub fn by_hand(text: &str, goal: Goal) -> Self {
        Self { text: text.trim().to_owned(), goal, is_failure: false }
    }
}

/// What a search plays and where it stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// How often each client asks; the last number counts for the rest, nothing at all: once each.
    pub requests: Vec<u32>,
    /// How often faults happen.
    pub faults: Faults,
    /// How often a client may read, and write, during each visit inside, where there is a storage node.
    pub writes: u8,
    /// Events that are played first; the search begins after them, and all budgets count from there.
    pub from: Schedule,
    /// The question, if it is not whether the algorithm is right.
    pub goal: Option<Asked>,
    /// The same cluster under other rules of its algorithm, if the question is where they do something
    /// else: the search ends after the first event that does.
    pub against: Option<Arc<Setup>>,
    /// Whether only mutual exclusion is asked about, where there is no goal: where faults are played,
    /// most algorithms get stuck.
    pub mutex_only: bool,
    /// The most states that are kept.
    pub max_states: Option<usize>,
    /// The most bytes that are taken.
    pub max_bytes: Option<usize>,
    /// Whether states may be left out where that is proved to change no verdict.
    pub reduction: bool,
    /// How many threads work.
    pub threads: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            requests: vec![1],
            faults: Faults::NONE,
            writes: 0,
            from: Schedule::default(),
            goal: None,
            against: None,
            mutex_only: false,
            max_states: None,
            max_bytes: None,
            reduction: true,
            threads: 1,
        }
    }
}

impl SearchOptions {
    /// How often the client at a place asks.
    #[must_use]
    pub fn requests_of(&self, client: usize) -> u32 {
        self.requests.get(client).or(self.requests.last()).copied().unwrap_or(1)
    }

    /// The same search with other faults. Under other faults than those for which mutual exclusion alone
    /// is asked about, everything is asked about.
    #[must_use]
    pub fn with_faults(self, faults: Faults) -> Self {
        Self { mutex_only: self.mutex_only && faults == self.faults, faults, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_faults_reads_as_people_write_it() {
        let both = Faults { crash: 1, recover: 2, ..Faults::NONE };
        assert_eq!(Faults::parse("crash, recover=2"), Ok(both));
        assert_eq!(Faults::parse(""), Ok(Faults::NONE));
        let error = Faults::parse("crush=1").expect_err("no such fault");
        assert_eq!(error, "no fault is called `crush`; did you mean `crash`?");
        assert!(Faults::parse("crash=many").expect_err("no number").contains("write crash=1"));
    }

    #[test]
    fn the_last_number_of_requests_counts_for_the_rest() {
        let options = SearchOptions { requests: vec![2, 1], ..SearchOptions::default() };
        assert_eq!([0, 1, 2].map(|i| options.requests_of(i)), [2, 1, 1]);
    }

    #[test]
    fn a_list_of_requests_gives_each_node_its_own() {
        let each = |text: &str| Requests::parse(text).and_then(|r| r.for_each(3));
        assert_eq!(each("2"), Ok(vec![2, 2, 2]));
        assert_eq!(each("2, 1,1"), Ok(vec![2, 1, 1]));
        assert!(each("2,1").is_err_and(|e| e.starts_with("2 numbers for 3 nodes")));
        assert!(each("2,,1").is_err());
        assert!(each("+2").is_err());
        assert!(each("99999999999").is_err());
    }
}
