//! A whole search: exploring, the second look, and the search again without reduction when something
//! was found with it.
//!
//! It can be interrupted at any time: `advance` does a bounded amount of work.

use super::cycle::{Cycles, loop_of};
use super::graph::Graph;
use super::options::SearchOptions;
use super::pack::Ids;
use super::property::{Finding, Property as _};
use super::reachability::Reachability;
use super::report::{Progress, Report, Verdict, bounds};
use super::transition_system::TransitionSystem;
use super::visited::{Limits, Outcome};
use crate::algorithm::Algorithm;
use crate::model::goal::When;
use crate::model::{Facts as _, NodeId, Phase, Schedule};
use crate::sim::{Cluster, Simulation as _};

/// A search, whatever the algorithm.
pub trait Search: Send {
    /// Goes on for about `budget` states and says how far it has come.
    fn advance(&mut self, budget: usize) -> Progress;
    /// What was found, once the search is finished.
    fn report(&self) -> Option<&Report>;
}

/// Goes on to the end.
pub fn finish(search: &mut dyn Search) -> &Report {
    while !search.advance(1 << 20).finished {}
    search.report().expect("a finished search has a report")
}

/// What the search is doing.
#[derive(Debug)]
enum Stage {
    Explore,
    /// A limit was reached: the states of this depth that were not looked at yet.
    Close(&'static str, std::ops::Range<usize>),
    Reachability(Reachability),
    Cycles(Cycles),
    Done,
}

/// A search of one algorithm's schedules.
#[derive(Debug)]
pub struct Explorer<A: Algorithm> {
    graph: Graph<A>,
    start: Cluster<A>,
    options: SearchOptions,
    stage: Stage,
    /// What the search with reduction found, while it is searched again without.
    reduced_report: Option<Report>,
    report: Option<Report>,
    peak: usize,
}

impl<A: Algorithm> Explorer<A> {
    /// A search that begins at a state of a cluster. `options.from` was played already.
    #[must_use]
    pub fn new(start: Cluster<A>, options: SearchOptions) -> Self {
        let graph = Self::graph(&start, &options, options.reduction);
        let stage = Stage::Explore;
        Self { graph, start, options, stage, reduced_report: None, report: None, peak: 0 }
    }

    fn graph(start: &Cluster<A>, options: &SearchOptions, reduce: bool) -> Graph<A> {
        let (system, ids) = TransitionSystem::new(start, options, reduce);
        let limits = Limits {
            states: options.max_states.unwrap_or(usize::MAX),
            bytes: options.max_bytes.unwrap_or(usize::MAX),
        };
        Graph::new(system, &ids, reduce, limits, options.threads)
    }

    /// Begins again without leaving anything out.
    fn start_over(&mut self) {
        self.peak = self.peak.max(self.graph.peak());
        self.graph = Self::graph(&self.start, &self.options, false);
        self.stage = Stage::Explore;
    }

    fn explore(&mut self, budget: usize) {
        let Some(outcome) = self.graph.advance(budget) else { return };
        match outcome {
            Outcome::Cycle => self.start_over(),
            Outcome::Limit(limit) => self.stage = Stage::Close(limit, self.graph.unsure()),
            Outcome::Found(state, finding) => self.conclude(Some((state, finding)), None),
            Outcome::Exhausted if self.asks_where_runs_lead() && self.graph.may_be_doomed() => {
                self.stage = Stage::Reachability(Reachability::new(self.graph.states()));
            }
            Outcome::Exhausted => self.conclude_exhausted(),
        }
    }

    /// A goal that is asked of single states does not care how runs go on.
    fn asks_where_runs_lead(&self) -> bool {
        match &self.options.goal {
            Some(asked) => asked.goal.when == When::Eventually,
            None => !self.options.mutex_only && self.options.against.is_none(),
        }
    }

    fn conclude_exhausted(&mut self) {
        let token = self.graph.token_flaw().map(|state| (state, Finding::Token));
        self.conclude(token, None);
    }

    /// Looks at what is left of the depth at which a limit was reached.
    fn close(&mut self, limit: &'static str, rest: std::ops::Range<usize>, budget: usize) {
        let end = rest.end.min(rest.start + budget);
        let mut ids = Ids::default();
        for state in rest.start..end {
            self.graph.layout.unpack(self.graph.visited.store.get(state), &mut ids);
            if let Some(finding) = self.graph.system.finding(&ids) {
                self.conclude(Some((state, finding)), None);
                return;
            }
        }
        if end < rest.end {
            self.stage = Stage::Close(limit, end..rest.end);
        } else {
            self.conclude(None, Some(limit));
        }
    }

    fn look_again(&mut self, mut reachability: Reachability, budget: usize) {
        let answer = reachability.advance(&mut self.graph, budget);
        self.peak = self.peak.max(self.graph.bytes() + reachability.bytes());
        match answer {
            None => self.stage = Stage::Reachability(reachability),
            // A token that never rests goes round for ever and does no harm.
            Some(None)
                if self.options.goal.is_none() && !self.graph.system.setup.info.circulates =>
            {
                self.stage = Stage::Cycles(Cycles::new(self.graph.states()));
            }
            Some(None) => self.conclude_exhausted(),
            Some(Some(state)) => {
                let goal = self.options.goal.is_some();
                let finding = if goal { Finding::GoalLost } else { Finding::Doomed };
                self.conclude(Some((state, finding)), None);
            }
        }
    }

    fn look_for_cycles(&mut self, mut cycles: Cycles, budget: usize) {
        let answer = cycles.advance(&mut self.graph, budget);
        self.peak = self.peak.max(self.graph.bytes() + cycles.bytes());
        match answer {
            None => self.stage = Stage::Cycles(cycles),
            Some(None) => self.conclude_exhausted(),
            Some(Some(part)) => {
                let way = loop_of(&mut self.graph, &part);
                self.conclude(Some((part[0] as usize, Finding::Endless)), None);
                let mut cluster = self.start.clone();
                if let Some(report) = &mut self.report {
                    // The messages in the loop have names only behind the way to it.
                    let _ = self.graph.schedule_to(part[0] as usize, &mut cluster);
                    report.repeats = Some(self.graph.schedule_along(&way, &mut cluster));
                }
            }
        }
    }

    fn conclude(&mut self, found: Option<(usize, Finding)>, limit: Option<&'static str>) {
        let report = self.make_report(found, limit);
        self.stage = Stage::Done;
        let mode = self.graph.mode;
        if mode.reduce && (found.is_some() || limit.is_some()) {
            // A shortest schedule, or a depth that was covered whole, needs every order.
            self.reduced_report = found.map(|_| report);
            self.start_over();
            return;
        }
        // At a limit the longer schedule that was found before is still an answer.
        let earlier = self.reduced_report.take().filter(|_| limit.is_some());
        self.report = Some(earlier.unwrap_or(report));
    }

    fn make_report(
        &mut self,
        found: Option<(usize, Finding)>,
        limit: Option<&'static str>,
    ) -> Report {
        self.peak = self.peak.max(self.graph.peak());
        let verdict = self.verdict(found.map(|f| f.1), limit);
        let new_states = self.graph.new_states();
        let (mut nodes, mut counterexample, mut fault) = (Vec::new(), None, None);
        if let Some((state, finding)) = found {
            let mut cluster = self.start.clone();
            let schedule = self.graph.schedule_to(state, &mut cluster);
            nodes = concerned(&cluster, finding);
            fault = cluster.fault().map(|(_, why)| why);
            let events = self.options.from.0.iter().chain(&schedule.0);
            counterexample = Some(Schedule(events.copied().collect()));
        }
        let setup = &self.graph.system.setup;
        let requests: Vec<u32> = (0..setup.clients).map(|i| self.options.requests_of(i)).collect();
        let words = setup.channels.word();
        let tried = found.is_some() || limit.is_some() || self.graph.visited.transitions > 0;
        Report {
            verdict,
            asked: self.options.goal.clone(),
            untried: (!tried).then(|| A::no_lock().unwrap_or(NOTHING_HAPPENS)),
            property: found.and_then(|(_, finding)| self.property(finding)),
            doomed: matches!(found, Some((_, Finding::Doomed))),
            states: self.graph.states(),
            transitions: self.graph.visited.transitions,
            depth: new_states.len() - 1,
            new_states,
            covered: limit.map(|_| self.graph.depth()),
            limit,
            reduced: self.graph.mode.reduce,
            peak_bytes: self.peak,
            counterexample,
            repeats: None,
            fault,
            nodes,
            bounds: bounds(setup.clients, &requests, words, &self.options),
        }
    }

    fn verdict(&self, found: Option<Finding>, limit: Option<&'static str>) -> Verdict {
        let when = self.options.goal.as_ref().map(|asked| asked.goal.when);
        match (found, limit, when) {
            (Some(Finding::Mutex | Finding::Token | Finding::GoalLost), ..) => Verdict::Violated,
            (Some(Finding::Fault), ..) => Verdict::Fault,
            (Some(Finding::Stuck | Finding::Doomed), ..) => Verdict::Stuck,
            (Some(Finding::Endless), ..) => Verdict::NeverEnds,
            (Some(Finding::Apart), ..) => Verdict::GoalReached,
            (Some(Finding::Goal), _, Some(When::Never)) => Verdict::Violated,
            (Some(Finding::Goal), ..) => Verdict::GoalReached,
            (None, Some(_), _) => Verdict::Limit,
            (None, None, Some(When::Now)) => Verdict::GoalUnreachable,
            (None, None, _) if self.options.against.is_some() => Verdict::GoalUnreachable,
            (None, None, _) => Verdict::Safe,
        }
    }

    fn property(&self, finding: Finding) -> Option<&'static str> {
        match finding {
            Finding::Fault => Some("script"),
            Finding::Mutex => Some("mutex"),
            Finding::Stuck | Finding::Doomed | Finding::Endless => Some("progress"),
            Finding::Token => Some("token"),
            Finding::Apart => None,
            Finding::Goal if self.verdict(Some(finding), None) == Verdict::GoalReached => None,
            Finding::Goal | Finding::GoalLost => Some("goal"),
        }
    }
}

/// Why a search has tried no event, where the cluster has a lock.
const NOTHING_HAPPENS: &str = "within these bounds no event can happen";

/// The nodes that a finding is about.
fn concerned<A: Algorithm>(cluster: &Cluster<A>, finding: Finding) -> Vec<NodeId> {
    let phase = match finding {
        Finding::Mutex => Phase::InCs,
        Finding::Stuck | Finding::Doomed => Phase::Waiting,
        Finding::Endless | Finding::Token | Finding::Goal | Finding::GoalLost | Finding::Apart => {
            return Vec::new();
        }
        Finding::Fault => return cluster.fault().map(|(node, _)| node).into_iter().collect(),
    };
    let setup = cluster.shared_setup();
    // Who has crashed inside still counts there; who has crashed waiting waits for nothing.
    let counts = |n: &NodeId| phase == Phase::InCs || !cluster.crashed(*n);
    setup.client_ids().filter(|n| cluster.phase(*n) == phase && counts(n)).collect()
}

impl<A: Algorithm> Search for Explorer<A> {
    fn advance(&mut self, budget: usize) -> Progress {
        match std::mem::replace(&mut self.stage, Stage::Explore) {
            Stage::Explore => self.explore(budget),
            Stage::Close(limit, rest) => self.close(limit, rest, budget),
            Stage::Reachability(reachability) => self.look_again(reachability, budget),
            Stage::Cycles(cycles) => self.look_for_cycles(cycles, budget),
            Stage::Done => self.stage = Stage::Done,
        }
        Progress {
            finished: self.report.is_some(),
            states: self.graph.states(),
            transitions: self.graph.visited.transitions,
            depth: self.graph.depth(),
            frontier: self.graph.frontier(),
            bytes: self.graph.bytes(),
            reduced: self.graph.mode.reduce,
        }
    }

    fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }
}
