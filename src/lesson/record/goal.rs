//! A goal for a run that was played: what holds at its end and did not hold before.
//!
//! It asks the engine alone; which of several goals is the best one to ask for is an author's to say.

use crate::lab::Lab;
use crate::model::goal::Property;
use crate::model::{NodeId, Phase};
use crate::sim::{RevId, Simulation};

/// So many nodes are named in one goal.
const NAMED: usize = 3;

/// The most telling thing that holds where one stands and did not at a point before.
pub(super) fn suggested(lab: &Lab, from: RevId) -> Option<String> {
    let (before, after) = (lab.history().state_at(from), lab.state());
    let news =
        |text: &String| lab.goal(text).is_ok_and(|goal| goal.holds(after) && !goal.holds(before));
    candidates(lab, before, after).into_iter().find(news)
}

/// Goals, the most telling first.
fn candidates(lab: &Lab, before: &dyn Simulation, after: &dyn Simulation) -> Vec<String> {
    let setup = lab.setup();
    let named = |atom: &str, is: &dyn Fn(&dyn Simulation, NodeId) -> bool| {
        let new = setup.all_ids().filter(|node| is(after, *node) && !is(before, *node));
        let atoms: Vec<String> =
            new.take(NAMED).map(|node| format!("{atom}({})", setup.name(node))).collect();
        atoms.join(" and ")
    };
    let in_phase = |phase: Phase| {
        move |sim: &dyn Simulation, node: NodeId| {
            sim.setup().is_client(node) && sim.phase(node) == phase
        }
    };
    let client = |sim: &dyn Simulation, node: NodeId| sim.setup().is_client(node);
    let mut goals: Vec<String> =
        Property::ALL.iter().map(|(word, _)| format!("violated({word})")).collect();
    goals.push("stuck()".to_owned());
    goals.extend(after.tokens().filter(|n| *n != 1).map(|n| format!("tokens() == {n}")));
    goals.push(named("in_cs", &in_phase(Phase::InCs)));
    goals.push(named("exited", &|sim, node| client(sim, node) && sim.exits(node) > 0));
    goals.push(named("crashed", &|sim, node| sim.crashed(node)));
    for node in setup.client_ids() {
        goals.push(format!("entries({}) == {}", setup.name(node), after.entries(node)));
    }
    goals.push(named("waiting", &in_phase(Phase::Waiting)));
    goals.push(format!("messages() == {}", after.messages(None)));
    for node in setup.client_ids() {
        goals.push(format!("clock({}) == {}", setup.name(node), after.clock(node)));
    }
    goals.push(format!("in_flight() == {}", after.in_flight(None)));
    goals.retain(|goal| !goal.is_empty());
    goals
}
