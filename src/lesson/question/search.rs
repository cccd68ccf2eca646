//! Whether a goal can be reached at all within a number of events, by trying every way.
//!
//! Breadth first over copies of a cluster, for small bounds: what a lesson proves about one question.

use super::game::Rules;
use crate::model::Event;
use crate::sim::Simulation;
use std::collections::{BTreeSet, VecDeque};

/// The most states that are tried for one question.
pub const BUDGET: usize = 60_000;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// The shortest way.
    Way(Vec<Event>),
    /// There is none within so many events.
    None,
    /// Not known: the states were too many.
    TooMany,
}

/// The shortest way to the goal by allowed events, of at most so many.
#[must_use]
pub fn shortest(sim: &dyn Simulation, rules: &Rules, at_most: usize, budget: usize) -> Found {
    if rules.spoilt(sim) {
        return Found::None;
    }
    if rules.goal.holds(sim) {
        return Found::Way(Vec::new());
    }
    let mut seen: BTreeSet<String> = BTreeSet::from([sim.digest()]);
    let mut todo: VecDeque<(Box<dyn Simulation>, Vec<Event>)> =
        VecDeque::from([(sim.fork(), Vec::new())]);
    while let Some((here, way)) = todo.pop_front() {
        if way.len() >= at_most {
            continue;
        }
        for event in choices(here.as_ref(), rules) {
            let mut next = here.fork();
            if next.step(event).is_err() || rules.spoilt(next.as_ref()) {
                continue;
            }
            let mut longer = way.clone();
            longer.push(event);
            if rules.goal.holds(next.as_ref()) {
                return Found::Way(longer);
            }
            if seen.len() >= budget {
                return Found::TooMany;
            }
            if seen.insert(next.digest()) {
                todo.push_back((next, longer));
            }
        }
    }
    Found::None
}

/// Whether the goal can be reached by at most so many allowed events. Only a proof says no.
#[must_use]
pub fn possible_within(sim: &dyn Simulation, rules: &Rules, at_most: usize) -> bool {
    shortest(sim, rules, at_most, BUDGET) != Found::None
}

/// The allowed events of a state. What is always possible and never listed is tried as well.
fn choices(sim: &dyn Simulation, rules: &Rules) -> Vec<Event> {
    let clients = || sim.setup().client_ids();
    let told = clients().flat_map(|a| clients().map(move |b| (a, b)));
    let told = told.filter(|(a, b)| a != b).map(|(a, b)| Event::Tell(a, b));
    let unlisted = clients().map(Event::Local).chain(told);
    sim.enabled().into_iter().chain(unlisted).filter(|event| rules.allows(*event)).collect()
}
