//! Why somebody waits: the algorithm's own conditions, and where what is missing is.
//!
//! The conditions are those that decide the entry; nothing is judged a second time here.

use super::cluster::Cluster;
use super::view::{FlightView, Progress, Wait, WhyLine};
use crate::algorithm::{Algorithm, Condition, Guard, Line, Missing};
use crate::model::{NodeId, Phase};

impl<A: Algorithm> Cluster<A> {
    fn conditions(&self, node: NodeId) -> Vec<Condition> {
        let mut guard = Guard::new(true);
        A::guard(&self.cx(node), &self.local(node).state, &mut guard);
        guard.conditions
    }

    pub(super) fn explain(&self, node: NodeId) -> Vec<WhyLine> {
        if !self.setup.is_client(node) || self.local(node).phase != Phase::Waiting {
            return Vec::new();
        }
        let flights = self.flight_views();
        let one = |c: Condition| WhyLine {
            whereabouts: c.missing.map(|m| self.whereabouts(node, m, &flights)),
            on: c.missing.and_then(|m| m.from.or_else(|| self.debtor(node))),
            text: c.text,
            met: c.met,
        };
        self.conditions(node).into_iter().map(one).collect()
    }

    /// Where a missing message is. Numbers are those of the list of messages in flight, from 1.
    fn whereabouts(&self, node: NodeId, missing: Missing, flights: &[FlightView]) -> String {
        let would_do = |f: &FlightView| {
            let late = match (missing.later_than, f.label.stamp) {
                (Some(than), Some(stamp)) => stamp > than,
                (Some(_), None) => false,
                (None, _) => true,
            };
            missing.from.is_none_or(|from| f.id.from == from)
                && f.id.to == node
                && missing.kinds.contains(&f.label.kind)
                && late
        };
        if let Some(i) = flights.iter().position(would_do) {
            // Where the condition does not name the kind, this does.
            return match missing.later_than.is_some() || missing.once_it_left {
                true => format!("{} is on its way: {}", flights[i].label.kind, i + 1),
                false => format!("on its way: {}", i + 1),
            };
        }
        let Some(from) = missing.from.or_else(|| self.debtor(node)) else {
            return self.underway(node, missing, flights);
        };
        let name = self.setup.name(from);
        if self.local(from).crashed {
            return format!("{name} has crashed");
        }
        let asked = |f: &FlightView| {
            f.id.from == node
                && f.id.to == from
                && f.line == Line::Request
                && super::cluster::belongs_to_algorithm(f.label.kind)
                && !missing.once_it_left
        };
        if let Some(i) = flights.iter().position(asked) {
            return format!("{} is on its way: {}", flights[i].label.kind, i + 1);
        }
        if !missing.once_it_left
            && let Some(owed) = self.owed(from, node)
        {
            return owed;
        }
        // Only what a node sends on leaving comes because it leaves.
        match (missing.once_it_left, self.local(from).phase) {
            (true, Phase::InCs) => format!("{name} is inside"),
            (true, Phase::Waiting) => format!("{name} waits itself"),
            (true, Phase::Idle) | (false, _) => format!("nothing is on its way from {name}"),
        }
    }

    /// What a node keeps back from another one.
    fn owed(&self, from: NodeId, to: NodeId) -> Option<String> {
        A::owes(&self.cx(from), &self.local(from).state, to)
    }

    /// The node that would end a wait by doing what it has to do anyway; `None`: nobody would, what was
    /// missing is lost.
    fn waits_on(&self, node: NodeId, missing: Missing) -> Option<NodeId> {
        let would = |from: &NodeId| {
            let alive = !self.local(*from).crashed;
            !alive || missing.once_it_left || self.owed(*from, node).is_some()
        };
        missing.from.filter(would).or_else(|| self.debtor(node))
    }

    /// The node that keeps something back from this one, where this one does not know it.
    fn debtor(&self, node: NodeId) -> Option<NodeId> {
        let owes = |n: &NodeId| self.owed(*n, node).is_some();
        self.setup.all_ids().filter(|n| *n != node).find(owes)
    }

    /// What is on its way, where no node keeps anything back: the missing message to somebody else, or
    /// the request that nobody has noted yet.
    fn underway(&self, node: NodeId, missing: Missing, flights: &[FlightView]) -> String {
        let elsewhere = |f: &FlightView| missing.kinds.contains(&f.label.kind);
        let mine = |f: &FlightView| match f.label.node {
            Some(speaks_for) => speaks_for == node,
            None => f.id.from == node && super::cluster::belongs_to_algorithm(f.label.kind),
        };
        match flights.iter().position(elsewhere).or_else(|| flights.iter().position(mine)) {
            Some(i) => {
                let f = &flights[i];
                let to = self.setup.name(f.id.to);
                format!("{} is still on its way to {to}: {}", f.label.kind, i + 1)
            }
            None => "nothing is on its way".to_owned(),
        }
    }

    /// Whether a delivery, a timeout or an exit can still happen by itself, or nobody waits.
    pub(super) fn is_stuck(&self) -> bool {
        let live = |n: &NodeId| !self.local(*n).crashed;
        let clients = || self.setup.client_ids().filter(live);
        let waiting = clients().any(|n| self.local(n).phase == Phase::Waiting);
        let inside = clients().any(|n| self.local(n).phase == Phase::InCs);
        let timer = || {
            let mut all = self.setup.all_ids().filter(live);
            all.any(|n| A::timer(&self.cx(n), &self.local(n).state).is_some())
        };
        waiting && !inside && self.net.in_flight() == 0 && !timer()
    }

    pub(super) fn progress(&self) -> Progress {
        if !self.is_stuck() {
            let since = self.rounds.came_again;
            return since.map_or(Progress::Ok, |since| Progress::GoesRound { since });
        }
        let flights = self.flight_views();
        let mut waits = Vec::new();
        for node in self.setup.client_ids() {
            let local = self.local(node);
            if local.phase != Phase::Waiting || local.crashed {
                continue;
            }
            let unmet = self.conditions(node).into_iter().filter(|c| !c.met);
            for c in unmet {
                waits.push(self.wait(node, &c, &flights));
            }
        }
        let cycle = find_cycle(&waits);
        Progress::Stuck { waits, cycle }
    }

    fn wait(&self, node: NodeId, c: &Condition, flights: &[FlightView]) -> Wait {
        let Some(missing) = c.missing else {
            return Wait { node, on: None, text: format!("waits: {}", c.text) };
        };
        let what = match missing.kinds {
            kinds if missing.later_than.is_none() => kinds.join(" or "),
            _ => "a later message".to_owned(),
        };
        let place = || self.whereabouts(node, missing, flights);
        let on = self.waits_on(node, missing);
        let text = match missing.from {
            Some(from) if self.local(from).crashed => {
                format!("waits for {what} from {}, which has crashed", self.setup.name(from))
            }
            Some(from) => format!("waits for {what} from {}: {}", self.setup.name(from), place()),
            None => format!("waits for {what}: {}", place()),
        };
        Wait { node, on, text }
    }
}

/// A cycle of waits, from its node that comes first; empty when there is none.
fn find_cycle(waits: &[Wait]) -> Vec<NodeId> {
    for start in waits.iter().map(|w| w.node) {
        let mut path = vec![start];
        if walk(waits, start, &mut path) {
            return path;
        }
    }
    Vec::new()
}

/// Extends the path by waits until it is back at its start.
fn walk(waits: &[Wait], start: NodeId, path: &mut Vec<NodeId>) -> bool {
    let here = *path.last().unwrap_or(&start);
    for next in waits.iter().filter(|w| w.node == here).filter_map(|w| w.on) {
        if next == start {
            return true;
        }
        if !path.contains(&next) {
            path.push(next);
            if walk(waits, start, path) {
                return true;
            }
            path.pop();
        }
    }
    false
}
