//! Happened-before between the steps of a run (Lamport 1978).
//!
//! Built from records alone, for a run of any algorithm; it knows no stamps.

use crate::sim::{Fate, StepRecord};

/// Which steps of a run could have influenced which.
#[derive(Clone, Debug)]
pub struct Causality {
    /// For each step, the steps just before it: of the same node, and the sending of its message.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
}

impl Causality {
    /// The relation over the steps of one run, in order. Steps are counted from 0 here.
    #[must_use]
    pub fn of(records: &[&StepRecord]) -> Self {
        let mut before = vec![Vec::new(); records.len()];
        let mut last_of_node: Vec<Option<usize>> = Vec::new();
        for (i, record) in records.iter().enumerate() {
            if let Some(moved) = &record.moved
                && moved.fate == Fate::Delivered
                && moved.sent_at > 0
            {
                before[i].push(moved.sent_at as usize - 1);
            }
            let Some(node) = record.node else { continue };
            if last_of_node.len() <= node.index() {
                last_of_node.resize(node.index() + 1, None);
            }
            if let Some(last) = last_of_node[node.index()]
                && !before[i].contains(&last)
            {
                before[i].push(last);
            }
            last_of_node[node.index()] = Some(i);
        }
        let mut after = vec![Vec::new(); records.len()];
        for (i, causes) in before.iter().enumerate() {
            for cause in causes {
                after[*cause].push(i);
            }
        }
        Self { before, after }
    }

    /// The steps that happened before one, in order.
    #[must_use]
    pub fn causes(&self, step: usize) -> Vec<usize> {
        reach(&self.before, step)
    }

    /// The steps that one happened before, in order.
    #[must_use]
    pub fn effects(&self, step: usize) -> Vec<usize> {
        reach(&self.after, step)
    }

    /// Whether the first step happened before the second.
    #[must_use]
    pub fn happened_before(&self, first: usize, second: usize) -> bool {
        self.causes(second).contains(&first)
    }

    /// Whether neither of two different steps happened before the other.
    #[must_use]
    pub fn concurrent(&self, a: usize, b: usize) -> bool {
        a != b && !self.happened_before(a, b) && !self.happened_before(b, a)
    }
}

fn reach(edges: &[Vec<usize>], from: usize) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut todo = vec![from];
    while let Some(here) = todo.pop() {
        for next in edges.get(here).into_iter().flatten() {
            if !std::mem::replace(&mut seen[*next], true) {
                todo.push(*next);
            }
        }
    }
    (0..edges.len()).filter(|i| seen[*i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;
    use crate::lab::Lab;
    use crate::model::{Config, Event, NodeId, Phase};
    use crate::sim::Simulation;
    use std::collections::{BTreeMap, BTreeSet};

    type Order = BTreeSet<(String, String)>;

    /// Exercise 2 without its first two steps: what a step is called in every order of the run.
    fn name(record: &StepRecord) -> String {
        match record.event {
            Event::Request(n) => format!("REQ P{}", n.0 + 1),
            Event::Exit(n) => format!("EXIT P{}", n.0 + 1),
            _ => record.moved.as_ref().map_or(String::new(), |m| {
                let (from, to) = (m.message.id.from.0 + 1, m.message.id.to.0 + 1);
                format!("{} P{from}>P{to}", m.message.label.kind)
            }),
        }
    }

    /// Happened-before of one run. Entering counts as an event of its own, right after its step.
    fn order_of(records: &[StepRecord]) -> Order {
        let refs: Vec<&StepRecord> = records.iter().collect();
        let causality = Causality::of(&refs);
        let mut order = Order::new();
        for (i, record) in records.iter().enumerate() {
            let causes = causality.causes(i);
            for cause in &causes {
                order.insert((name(&records[*cause]), name(record)));
            }
            let Some(node) = record.entered else { continue };
            let enters = format!("ENTER P{}", node.0 + 1);
            for before in causes.iter().chain([&i]) {
                order.insert((name(&records[*before]), enters.clone()));
            }
            for after in causality.effects(i) {
                order.insert((enters.clone(), name(&records[after])));
            }
        }
        let entered: BTreeMap<NodeId, usize> =
            records.iter().enumerate().filter_map(|(i, r)| Some((r.entered?, i))).collect();
        for (a, i) in &entered {
            for (b, k) in &entered {
                if causality.happened_before(*i, *k) {
                    order.insert((format!("ENTER P{}", a.0 + 1), format!("ENTER P{}", b.0 + 1)));
                }
            }
        }
        order
    }

    /// Every run in which both have asked before they hear of each other.
    fn every_race(
        sim: &dyn Simulation,
        run: &mut Vec<StepRecord>,
        seen: &mut impl FnMut(&[StepRecord]),
    ) {
        let both = [NodeId(0), NodeId(1)];
        let allowed = |event: &Event| match event {
            Event::Request(n) => both.contains(n) && sim.entries(*n) == 0,
            Event::Deliver(m) => {
                !both.contains(&m.to) || sim.phase(m.to) != Phase::Idle || sim.entries(m.to) > 0
            }
            Event::Exit(_) => true,
            _ => false,
        };
        let events: Vec<Event> = sim.enabled().into_iter().filter(allowed).collect();
        if events.is_empty() {
            seen(run);
        }
        for event in events {
            let mut next = sim.fork();
            run.push(next.step(event).expect("an enabled event"));
            every_race(next.as_ref(), run, seen);
            run.pop();
        }
    }

    /// What is in order in every run of the race, and all names of events.
    fn order_of_the_race() -> (Order, BTreeSet<String>) {
        let mut config = Config::new("ricart-agrawala", 3);
        config.clocks = vec![4, 2, 0];
        let sim = catalog::start(&config).expect("the settings fit");
        let (mut common, mut names): (Option<Order>, _) = (None, BTreeSet::new());
        every_race(sim.as_ref(), &mut Vec::new(), &mut |run| {
            assert_eq!(run.len(), 12);
            let order = order_of(run);
            names.extend(order.iter().flat_map(|(a, b)| [a.clone(), b.clone()]));
            common = Some(match common.take() {
                None => order,
                Some(before) => before.intersection(&order).cloned().collect(),
            });
        });
        (common.unwrap_or_default(), names)
    }

    /// Exercise 2: of 14 events (entering is one), 28 pairs have no order of their own.
    #[test]
    fn the_race_has_28_pairs_of_concurrent_events() {
        let (order, names) = order_of_the_race();
        assert_eq!(names.len(), 14);
        let free = |a: &str, b: &str| {
            let (a, b) = (a.to_owned(), b.to_owned());
            !order.contains(&(a.clone(), b.clone())) && !order.contains(&(b, a))
        };
        let all: Vec<&String> = names.iter().collect();
        let pairs =
            all.iter().enumerate().flat_map(|(i, a)| all[..i].iter().map(move |b| (*a, *b)));
        assert_eq!(pairs.filter(|(a, b)| free(a, b)).count(), 28);
        assert!(free("REQ P1", "REQ P2"));
        for with_p3 in ["REQUEST P1>P3", "REPLY P3>P1"] {
            for of_p2 in ["REQ P2", "REPLY P3>P2", "REPLY P1>P2", "ENTER P2", "EXIT P2"] {
                assert!(free(with_p3, of_p2), "{with_p3} and {of_p2}");
            }
        }
        for (before, after) in [
            ("EXIT P2", "REPLY P2>P1"),
            ("REQUEST P1>P2", "REPLY P1>P2"),
            ("REPLY P3>P1", "ENTER P1"),
            ("ENTER P2", "ENTER P1"),
        ] {
            assert!(order.contains(&(before.to_owned(), after.to_owned())), "{before} < {after}");
        }
    }

    fn of_run(algorithm: &str, run: &str) -> Causality {
        let mut lab = Lab::new(Config::new(algorithm, 3)).expect("default settings");
        lab.play_schedule(run).expect("every event is enabled where it stands");
        Causality::of(&lab.history().records(lab.history().cursor()))
    }

    #[test]
    fn a_message_carries_its_past_and_a_lost_one_carries_nothing() {
        let run = of_run(
            "clocks",
            "local P1; tell P1>P2; local P3; deliver P1>P2; tell P2>P3; drop P2>P3; local P3",
        );
        assert_eq!(run.causes(3), [0, 1]);
        assert_eq!(run.effects(0), [1, 3, 4]);
        assert!(run.concurrent(2, 3) && run.concurrent(6, 4));
        assert!(run.happened_before(2, 6), "the same node");
        assert!(!run.concurrent(3, 3), "no step is concurrent with itself");
    }

    #[test]
    fn what_a_crashed_node_did_not_get_did_not_reach_it() {
        let run = of_run("clocks", "tell P1>P2; crash P2; deliver P1>P2; recover P2; local P2");
        assert!(run.concurrent(0, 4));
    }

    #[test]
    fn clocks_agree_with_happened_before_and_not_the_other_way_round() {
        let mut lab = Lab::new(Config::new("clocks", 3)).expect("default settings");
        let run = "local P3; tell P1>P2; local P2; deliver P1>P2; local P2; tell P2>P3; deliver P2>P3; local P3; local P1";
        let mut values = Vec::new();
        for event in run.split("; ") {
            lab.play_schedule(event).expect("possible");
            let record = lab.history().last_record().expect("a step");
            let acts = !matches!(record.event, Event::Deliver(_));
            values.push(acts.then(|| lab.state().clock(record.node.expect("it has a node"))));
        }
        let causality = Causality::of(&lab.history().records(lab.history().cursor()));
        let mut larger_but_concurrent = 0;
        for a in 0..values.len() {
            for b in 0..values.len() {
                let (Some(x), Some(y)) = (values[a], values[b]) else { continue };
                assert!(!causality.happened_before(a, b) || x < y, "{a} < {b}: {x}, {y}");
                larger_but_concurrent += u32::from(x < y && causality.concurrent(a, b));
            }
        }
        assert!(larger_but_concurrent > 0, "a smaller value does not mean earlier");
    }
}
