//! What a search found, in numbers and words.
//!
//! Nothing here is printed; commands and screens choose the form.

use super::options::SearchOptions;
use crate::input::count;
use crate::model::{NodeId, Schedule};

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No schedule within the bounds fails.
    Safe,
    /// A property is violated.
    Violated,
    /// Somebody waits, and nothing comes by itself any more.
    Stuck,
    /// A run with finitely many requests can go round for ever.
    NeverEnds,
    /// A limit on states or memory was reached.
    Limit,
    /// The goal can be reached.
    GoalReached,
    /// No schedule within the bounds reaches the goal.
    GoalUnreachable,
}

impl Verdict {
    /// The word used in JSON and on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Violated => "violated",
            Self::Stuck => "stuck",
            Self::NeverEnds => "never-ends",
            Self::Limit => "limit",
            Self::GoalReached => "goal-reached",
            Self::GoalUnreachable => "goal-unreachable",
        }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Whether the report is there.
    pub finished: bool,
    /// Different states found.
    pub states: usize,
    /// Events tried.
    pub transitions: usize,
    /// Events from the start to the states that are worked on.
    pub depth: usize,
    /// States found and not worked on yet.
    pub frontier: usize,
    /// Bytes taken by all tables.
    pub bytes: usize,
    /// Whether states are left out where that changes no verdict.
    pub reduced: bool,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How it ended.
    pub verdict: Verdict,
    /// What is violated: `mutex`, `progress`, `token` or `goal`.
    pub property: Option<&'static str>,
    /// The run is not stuck at once, but from its end on nothing leads to where everything is done.
    pub doomed: bool,
    /// Different states.
    pub states: usize,
    /// Enabled events, summed over all states.
    pub transitions: usize,
    /// Depth of the deepest state; the first is at 0.
    pub depth: usize,
    /// New states at each depth.
    pub new_states: Vec<usize>,
    /// At a limit: every state up to this many events from the start was found and looked at.
    pub covered: Option<usize>,
    /// Which limit was reached.
    pub limit: Option<&'static str>,
    /// Whether states were left out where that changes no verdict.
    pub reduced: bool,
    /// The most bytes that all tables took.
    pub peak_bytes: usize,
    /// A shortest schedule that shows it, from the beginning of a run.
    pub counterexample: Option<Schedule>,
    /// What can be played behind it again and again, where a run never ends.
    pub repeats: Option<Schedule>,
    /// The two nodes inside, or the first that waits.
    pub nodes: Vec<NodeId>,
    /// What was played, in words: the bounds within which the verdict holds.
    pub bounds: String,
}

/// `2 nodes, 1 request each, FIFO channels, no faults`.
#[must_use]
pub fn bounds(clients: usize, requests: &[u32], channels: &str, options: &SearchOptions) -> String {
    // Where the search begins in the middle of a run, these come on top of what has been asked.
    let request = if options.from.0.is_empty() { "request" } else { "more request" };
    let asked = match requests.split_first() {
        Some((first, rest)) if rest.iter().all(|r| r == first) => {
            format!("{} each", count(*first, request))
        }
        _ => {
            let all: Vec<String> = requests.iter().map(u32::to_string).collect();
            format!("{} {request}s", all.join(", "))
        }
    };
    let possible = options.faults.listed().into_iter().filter(|(_, n)| *n > 0);
    let listed: Vec<String> = possible.map(|(word, n)| format!("{word}={n}")).collect();
    let faults = if listed.is_empty() { "no faults".to_owned() } else { listed.join(", ") };
    let writes = match options.writes {
        0 => String::new(),
        n => format!(", {} and as many reads a stay", count(n, "write")),
    };
    format!("{}, {asked}, {channels} channels, {faults}{writes}", count(clients, "node"))
}

#[cfg(test)]
mod tests {
    use super::super::options::Faults;
    use super::*;

    #[test]
    fn bounds_read_as_a_sentence() {
        let faults = Faults { crash: 1, ..Faults::NONE };
        let options = SearchOptions { faults, writes: 1, ..SearchOptions::default() };
        assert_eq!(
            bounds(3, &[2, 1, 1], "any-order", &options),
            "3 nodes, 2, 1, 1 requests, any-order channels, crash=1, 1 write and as many reads a stay"
        );
        assert_eq!(
            bounds(1, &[1], "fifo", &SearchOptions::default()),
            "1 node, 1 request each, fifo channels, no faults"
        );
    }
}
