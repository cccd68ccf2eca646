//! Every schedule of small clusters, explored in the plainest way: a net for mistakes of the engine
//! and of the algorithms, with the counts that independent code has found.

use super::channel::Body;
use super::cluster::Cluster;
use super::react::Local;
use super::simulation::Simulation as _;
use crate::algorithm::Algorithm;
use crate::algorithm::central::Central;
use crate::algorithm::lamport::Lamport;
use crate::algorithm::ricart_agrawala::RicartAgrawala;
use crate::catalog;
use crate::model::{Config, Event, NodeId};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// What makes two states the same: nodes, channel contents in order, requests left.
type Essence<A> = (
    Vec<Local<<A as Algorithm>::State>>,
    Vec<(NodeId, NodeId, Vec<Body<<A as Algorithm>::Msg>>)>,
    Vec<u32>,
);

fn essence<A: Algorithm>(c: &Cluster<A>, left: &[u32]) -> Essence<A> {
    let channels = c.net.all().map(|(a, b, ch)| {
        let mut bodies: Vec<_> = ch.flights.iter().map(|f| f.body.clone()).collect();
        if c.setup.channels == crate::model::ChannelOrder::AnyOrder {
            bodies.sort_by_key(|b| format!("{b:?}"));
        }
        (a, b, bodies)
    });
    (c.nodes.clone(), channels.collect(), left.to_vec())
}

/// States, transitions, depth of the deepest state; and whether a failure was met.
fn explore<A: Algorithm>(config: &Config, requests: u32) -> (usize, usize, usize, bool) {
    let setup = Arc::new(catalog::setup(config).expect("the settings fit"));
    let start = Cluster::<A>::new(setup);
    let left = vec![requests; config.nodes.len()];
    let mut seen = HashMap::from([(essence(&start, &left), ())]);
    let mut queue = VecDeque::from([(start, left, 0)]);
    let (mut transitions, mut deepest, mut failed) = (0, 0, false);
    while let Some((cluster, left, depth)) = queue.pop_front() {
        deepest = deepest.max(depth);
        failed |= cluster.marks.mutex.is_some() || cluster.is_stuck() && !left.is_empty();
        for event in cluster.enabled() {
            let mut left = left.clone();
            match event {
                Event::Request(n) if left[n.index()] > 0 => left[n.index()] -= 1,
                Event::Deliver(_) | Event::Exit(_) => {}
                _ => continue,
            }
            transitions += 1;
            let mut next = cluster.clone();
            next.step(event).expect("an enabled event");
            if seen.insert(essence(&next, &left), ()).is_none() {
                queue.push_back((next, left, depth + 1));
            }
        }
    }
    (seen.len(), transitions, deepest, failed)
}

#[test]
fn small_clusters_have_the_counts_that_independent_code_has_found() {
    assert_eq!(explore::<Lamport>(&Config::new("lamport", 2), 1), (73, 94, 10, false));
    assert_eq!(explore::<Lamport>(&Config::new("lamport", 2), 2), (902, 1_458, 20, false));
    let ra = |n| Config::new("ricart-agrawala", n);
    assert_eq!(explore::<RicartAgrawala>(&ra(2), 1), (30, 38, 8, false));
    assert_eq!(explore::<RicartAgrawala>(&ra(2), 2), (126, 176, 16, false));
    assert_eq!(explore::<RicartAgrawala>(&ra(3), 1), (2_049, 5_488, 18, false));
    let central = |n| Config::new("central", n);
    assert_eq!(explore::<Central>(&central(2), 1), (33, 48, 10, false));
    assert_eq!(explore::<Central>(&central(2), 2), (123, 208, 20, false));
    assert_eq!(explore::<Central>(&central(3), 1), (180, 351, 15, false));
}

#[test]
fn every_small_variant_of_the_first_three_fails_as_it_says() {
    for entry in catalog::all() {
        for variant in entry.info.variants.iter().filter(|v| v.shows.faults.is_empty()) {
            let mut config = Config::new(entry.info.slug, variant.shows.n);
            config.variant = Some(variant.slug.to_owned());
            let requests = variant.shows.requests[0];
            let failed = match entry.info.slug {
                "central" => explore::<Central>(&config, requests).3,
                "lamport" => explore::<Lamport>(&config, requests).3,
                _ => explore::<RicartAgrawala>(&config, requests).3,
            };
            assert!(failed, "{} of {} was not caught", variant.id, entry.info.slug);
        }
    }
}
