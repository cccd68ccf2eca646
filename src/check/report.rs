//! What a search found, in numbers and words: the one printer of verdicts and of their bounds.
//!
//! Commands, screens and lines choose where the words stand; nothing is written here.

use super::options::{Asked, Faults, SearchOptions};
use crate::input::{count, verb};
use crate::model::{Names, NodeId, NodeSet, Schedule};

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No schedule within the bounds fails.
    Safe,
    /// A property is violated.
    Violated,
    /// The script of a node fails: it does what cannot be done.
    Fault,
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
            Self::Fault => "fault",
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
    /// The question, if it was not whether the algorithm is right.
    pub asked: Option<Asked>,
    /// Why no event was tried, so that there was nothing to check.
    pub untried: Option<&'static str>,
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
    /// Why a script fails.
    pub fault: Option<String>,
    /// The two nodes inside, or the first that waits.
    pub nodes: Vec<NodeId>,
    /// What was played, in words: the bounds within which the verdict holds.
    pub bounds: String,
}

impl Report {
    /// Whether it is the good answer: the algorithm is right, or what somebody asked for is reached.
    #[must_use]
    pub fn is_good(&self) -> bool {
        let failure = || self.asked.as_ref().is_some_and(|asked| asked.is_failure);
        match self.verdict {
            Verdict::Safe => true,
            Verdict::GoalReached => !failure(),
            Verdict::GoalUnreachable => failure(),
            Verdict::Violated | Verdict::Fault | Verdict::Stuck => false,
            Verdict::NeverEnds | Verdict::Limit => false,
        }
    }

    /// The verdict in a sentence, without a capital and a full stop. `fails_elsewhere`: the same rules
    /// are known to fail in another cluster or within other bounds, so that nothing is called safe alone.
    #[must_use]
    pub fn sentence(&self, names: &Names, fails_elsewhere: bool) -> String {
        if let Some(why) = self.untried {
            return format!("nothing to check: {why} ({})", count(self.states, "state"));
        }
        let within = if fails_elsewhere { " within these bounds" } else { "" };
        let (states, goal) = (count(self.states, "state"), self.goal());
        match self.verdict {
            Verdict::Safe => format!("every schedule explored: safe{within} ({states}){goal}"),
            Verdict::GoalUnreachable => {
                format!(
                    "every schedule explored: the goal is out of reach{within} ({states}){goal}"
                )
            }
            Verdict::GoalReached => format!("the goal is reached {}{goal}", self.after()),
            Verdict::Limit => {
                let deep = self.covered.map(|d| format!(", complete up to depth {d}"));
                let deep = deep.unwrap_or_default();
                format!("limit reached at {states}{deep}: nothing found so far{goal}")
            }
            Verdict::Fault => {
                let why = self.fault.as_deref().unwrap_or_default();
                format!("the script fails {}: {why}", self.after())
            }
            Verdict::Violated | Verdict::Stuck | Verdict::NeverEnds => self.failure(names),
        }
    }

    fn failure(&self, names: &Names) -> String {
        let set: NodeSet = self.nodes.iter().copied().collect();
        let (after, who) = (self.after(), names.sentence(set));
        let wait = verb(set.len(), "waits", "wait");
        if self.verdict == Verdict::Violated {
            let who = if set.is_empty() { String::new() } else { format!(", {who}") };
            let asked = self.asked.as_ref().map(|asked| asked.text.as_str());
            let what = asked.or(self.property).unwrap_or("a property");
            return format!("violated {after}: {what}{who}");
        }
        match (self.verdict == Verdict::NeverEnds, self.doomed) {
            (true, _) => format!("never ends: {after} it can go round for ever"),
            (false, true) => format!("doomed {after}: {who} can never be served"),
            (false, false) => {
                format!("stuck {after}: {who} {wait}, and nothing comes by itself any more")
            }
        }
    }

    /// `after 6 events`.
    fn after(&self) -> String {
        format!("after {}", count(self.counterexample.as_ref().map_or(0, |s| s.0.len()), "event"))
    }

    /// `: in_cs(P1)`, where a goal was asked about.
    fn goal(&self) -> String {
        self.asked.as_ref().map_or(String::new(), |asked| format!(": {}", asked.text))
    }
}

/// `2 requests each`, `2, 1, 1 requests`.
#[must_use]
pub fn requests_of_each(requests: &[u32], word: &str) -> String {
    match requests.split_first() {
        Some((first, rest)) if rest.iter().all(|r| r == first) => {
            format!("{} each", count(*first, word))
        }
        _ => {
            let all: Vec<String> = requests.iter().map(u32::to_string).collect();
            format!("{} {word}s", all.join(", "))
        }
    }
}

/// `crash=1, recover=1`; `no faults`.
#[must_use]
pub fn faults_in_words(faults: Faults) -> String {
    let possible = faults.listed().into_iter().filter(|(_, n)| *n > 0);
    let listed: Vec<String> = possible.map(|(word, n)| format!("{word}={n}")).collect();
    if listed.is_empty() { "no faults".to_owned() } else { listed.join(", ") }
}

/// `2 writes and as many reads a visit`.
#[must_use]
pub fn writes_in_words(writes: u8) -> String {
    format!("{} and as many reads a visit", count(writes, "write"))
}

/// `the first event`, `the first 2 events`.
#[must_use]
pub fn first_events(n: usize) -> String {
    if n == 1 { "the first event".to_owned() } else { format!("the first {n} events") }
}

/// `2 nodes, 1 request each, FIFO channels, no faults`.
#[must_use]
pub fn bounds(clients: usize, requests: &[u32], channels: &str, options: &SearchOptions) -> String {
    let first = options.from.0.len();
    // What was played first counts in no budget.
    let request = if first == 0 { "request" } else { "more request" };
    let mut parts = vec![
        count(clients, "node"),
        requests_of_each(requests, request),
        format!("{channels} channels"),
        faults_in_words(options.faults),
    ];
    parts.extend((options.writes > 0).then(|| writes_in_words(options.writes)));
    parts.extend((first > 0).then(|| format!("counted after {}", first_events(first))));
    let alone = options.mutex_only && options.goal.is_none();
    parts.extend(alone.then(|| "mutual exclusion alone".to_owned()));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_read_as_a_sentence() {
        let faults = Faults { crash: 1, ..Faults::NONE };
        let options = SearchOptions { faults, writes: 1, ..SearchOptions::default() };
        assert_eq!(
            bounds(3, &[2, 1, 1], "any-order", &options),
            "3 nodes, 2, 1, 1 requests, any-order channels, crash=1, 1 write and as many reads a visit"
        );
        assert_eq!(
            bounds(1, &[1], "fifo", &SearchOptions::default()),
            "1 node, 1 request each, fifo channels, no faults"
        );
    }
}
