//! Every schedule of small clusters, explored in the plainest way: a net for mistakes of the engine
//! and of the algorithms, with the counts that independent code has found.
//!
//! It is slow on purpose: it steps whole clusters and shares nothing with the checker but the engine.

use super::channel::Body;
use super::cluster::Cluster;
use super::react::Local;
use super::simulation::Simulation as _;
use crate::algorithm::{self, Algorithm, Failure, Info, Shows, Variant, Visitor};
use crate::catalog;
use crate::model::{ChannelOrder, Config, Event, NodeId, QuorumChoice};
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
        if c.setup.channels == ChannelOrder::AnyOrder {
            bodies.sort_by_key(|b| format!("{b:?}"));
        }
        (a, b, bodies)
    });
    (c.nodes.clone(), channels.collect(), left.to_vec())
}

/// What was found.
#[derive(Debug, Default)]
struct Found {
    states: usize,
    transitions: usize,
    /// Of the deepest state, the first at 0.
    depth: usize,
    /// Events to the nearest state with two nodes inside.
    violation: Option<usize>,
    /// Events to the nearest state in which somebody waits for ever.
    stuck: Option<usize>,
    /// Whether some run never ends.
    endless: bool,
    /// Whether the limit of states was reached before the end.
    cut: bool,
}

impl Found {
    fn counts(&self) -> (usize, usize, usize) {
        (self.states, self.transitions, self.depth)
    }

    fn shows(&self, failure: Failure) -> bool {
        match failure {
            Failure::Violation => self.violation.is_some(),
            Failure::Stuck => self.stuck.is_some(),
            Failure::Livelock => self.endless,
            Failure::Harmless => !self.cut && self.is_sound(),
        }
    }

    fn is_sound(&self) -> bool {
        self.violation.is_none() && self.stuck.is_none() && !self.endless
    }
}

/// How far to look.
#[derive(Clone, Copy)]
struct Until {
    /// At most this many states.
    states: usize,
    /// No farther than the first failure of this kind.
    failure: Option<Failure>,
}

const EVERYTHING: Until = Until { states: 200_000, failure: None };

/// Plays every schedule in which client `i` asks `requests[i]` times; the last number counts for the rest.
fn explore<A: Algorithm>(config: &Config, requests: &[u32], until: Until) -> Found {
    let setup = Arc::new(catalog::setup(config).expect("the settings fit"));
    let start = Cluster::<A>::new(setup);
    let last = requests.last().copied().unwrap_or(1);
    let asks = |i: usize| requests.get(i).copied().unwrap_or(last);
    let left: Vec<u32> = (0..config.nodes.len()).map(asks).collect();
    let mut ids = HashMap::from([(essence(&start, &left), 0_usize)]);
    let mut successors: Vec<Vec<usize>> = vec![Vec::new()];
    let mut queue = VecDeque::from([(start, left, 0, 0)]);
    let mut found = Found::default();
    while let Some((cluster, left, depth, id)) = queue.pop_front() {
        found.depth = found.depth.max(depth);
        if cluster.marks.mutex.is_some() {
            found.violation.get_or_insert(depth);
        }
        if cluster.is_stuck() {
            found.stuck.get_or_insert(depth);
        }
        found.cut = ids.len() > until.states;
        if found.cut || until.failure.is_some_and(|f| f != Failure::Harmless && found.shows(f)) {
            break;
        }
        for (event, left) in moves(&cluster, &left) {
            let mut next = cluster.clone();
            next.step(event).expect("an enabled event");
            let fresh = ids.len();
            let next_id = *ids.entry(essence(&next, &left)).or_insert(fresh);
            if next_id == fresh {
                successors.push(Vec::new());
                queue.push_back((next, left, depth + 1, fresh));
            }
            successors[id].push(next_id);
        }
    }
    found.states = ids.len();
    found.transitions = successors.iter().map(Vec::len).sum();
    found.endless = has_cycle(&successors);
    found
}

/// What the checker plays: deliveries, exits, and requests while there are some left.
fn moves<A: Algorithm>(cluster: &Cluster<A>, left: &[u32]) -> Vec<(Event, Vec<u32>)> {
    let mut all = Vec::new();
    for event in cluster.enabled() {
        let mut left = left.to_vec();
        match event {
            Event::Request(n) if left[n.index()] > 0 => left[n.index()] -= 1,
            Event::Deliver(_) | Event::Exit(_) => {}
            _ => continue,
        }
        all.push((event, left));
    }
    all
}

/// Whether some state leads back to itself: what is left after taking away, again and again, the
/// states that nothing leads to.
fn has_cycle(successors: &[Vec<usize>]) -> bool {
    let mut incoming = vec![0; successors.len()];
    for next in successors.iter().flatten() {
        incoming[*next] += 1;
    }
    let mut free: Vec<usize> = (0..incoming.len()).filter(|i| incoming[*i] == 0).collect();
    let mut gone = 0;
    while let Some(state) = free.pop() {
        gone += 1;
        for next in &successors[state] {
            incoming[*next] -= 1;
            if incoming[*next] == 0 {
                free.push(*next);
            }
        }
    }
    gone < successors.len()
}

/// Explores a cluster whose algorithm is known by its slug alone.
struct BySlug<'a> {
    config: &'a Config,
    requests: &'a [u32],
    until: Until,
    found: Option<Found>,
}

impl Visitor for BySlug<'_> {
    fn visit<A: Algorithm>(&mut self) {
        if A::INFO.slug == self.config.algorithm {
            self.found = Some(explore::<A>(self.config, self.requests, self.until));
        }
    }
}

fn explored(config: &Config, requests: &[u32], until: Until) -> Found {
    let mut search = BySlug { config, requests, until, found: None };
    algorithm::visit_all(&mut search);
    search.found.expect("the catalog has the slug")
}

/// N=2 R=1, N=2 R=2, N=3 R=1: states, transitions, depth. `None`: too slow here.
type Pinned = (&'static str, [Option<(usize, usize, usize)>; 3]);

const PINNED: [Pinned; 7] = [
    ("lamport", [Some((73, 94, 10)), Some((902, 1_458, 20)), None]),
    ("ricart-agrawala", [Some((30, 38, 8)), Some((126, 176, 16)), Some((2_049, 5_488, 18))]),
    ("central", [Some((33, 48, 10)), Some((123, 208, 20)), Some((180, 351, 15))]),
    ("suzuki-kasami", [Some((20, 25, 8)), Some((78, 109, 16)), Some((589, 1_610, 15))]),
    ("raymond", [Some((20, 25, 8)), Some((64, 93, 12)), Some((136, 237, 14))]),
    ("naimi-trehel", [Some((20, 25, 8)), Some((64, 93, 12)), Some((154, 264, 13))]),
    ("carvalho-roucairol", [Some((31, 38, 8)), Some((114, 155, 16)), Some((2_096, 5_540, 18))]),
];

#[test]
fn small_clusters_have_the_counts_that_independent_code_has_found() {
    for (slug, counts) in PINNED {
        for ((n, r), expected) in [(2, 1), (2, 2), (3, 1)].into_iter().zip(counts) {
            let Some(expected) = expected else { continue };
            let found = explored(&Config::new(slug, n), &[r], EVERYTHING);
            assert_eq!(found.counts(), expected, "{slug}, {n} nodes, {r} requests each");
            assert!(found.is_sound(), "{slug}, {n} nodes, {r} requests each: {found:?}");
        }
    }
}

#[test]
fn the_optional_starts_and_other_channels_are_as_sound() {
    let cases = [("raymond", "line"), ("carvalho-roucairol", "warm")];
    for (slug, option) in cases {
        let mut config = Config::new(slug, 3);
        config.options = vec![option.to_owned()];
        let found = explored(&config, &[1], EVERYTHING);
        assert!(found.is_sound() && !found.cut, "{slug} {option}: {found:?}");
    }
    for slug in ["suzuki-kasami", "raymond", "naimi-trehel", "carvalho-roucairol"] {
        let mut config = Config::new(slug, 3);
        config.channels = Some(ChannelOrder::AnyOrder);
        let found = explored(&config, &[1], EVERYTHING);
        assert!(found.is_sound() && !found.cut, "{slug} without FIFO: {found:?}");
    }
}

/// The cluster that shows what a variant breaks.
fn config_of(info: &Info, variant: &Variant) -> Config {
    let Shows { n, channels, quorums, .. } = variant.shows;
    let mut config = Config::new(info.slug, n);
    config.variant = Some(variant.slug.to_owned());
    config.channels = channels;
    if !quorums.is_empty() {
        let name = |place: &u8| config.nodes[usize::from(*place)].clone();
        config.quorums =
            QuorumChoice::Sets(quorums.iter().map(|set| set.iter().map(name).collect()).collect());
    }
    config
}

/// Variants whose failure lies beyond the limit of this plain search.
const TOO_DEEP: [&str; 0] = [];

#[test]
fn every_variant_without_faults_does_what_it_says() {
    for entry in catalog::all() {
        for variant in entry.info.variants.iter().filter(|v| v.shows.faults.is_empty()) {
            if TOO_DEEP.contains(&variant.id) {
                continue;
            }
            let until = Until { failure: Some(variant.failure), ..EVERYTHING };
            let found = explored(&config_of(entry.info, variant), variant.shows.requests, until);
            let slug = entry.info.slug;
            assert!(found.shows(variant.failure), "{} of {slug}: {found:?}", variant.id);
        }
    }
}

/// Events to the nearest failure, where independent code has counted them.
#[test]
fn the_shortest_failures_have_their_known_lengths() {
    let cases = [
        ("lamport", "L1", Failure::Violation, 2),
        ("lamport", "L2", Failure::Violation, 4),
        ("lamport", "L5", Failure::Violation, 4),
        ("ricart-agrawala", "R1", Failure::Stuck, 4),
        ("ricart-agrawala", "R2", Failure::Violation, 6),
        ("ricart-agrawala", "R3", Failure::Violation, 10),
        ("suzuki-kasami", "S4", Failure::Stuck, 4),
        ("suzuki-kasami", "S5", Failure::Violation, 4),
        ("carvalho-roucairol", "K3b", Failure::Violation, 6),
    ];
    for (slug, id, failure, events) in cases {
        let info = catalog::find(slug).expect("in the catalog").info;
        let variant = info.variant(id).expect("a variant of it");
        let until = Until { failure: Some(failure), ..EVERYTHING };
        let found = explored(&config_of(info, variant), variant.shows.requests, until);
        let events_found = match failure {
            Failure::Violation => found.violation,
            _ => found.stuck,
        };
        assert_eq!(events_found, Some(events), "{id} of {slug}");
    }
}

/// The variants of Carvalho and Roucairol's algorithm fail sooner when permissions lie around.
#[test]
fn with_permissions_at_hand_two_variants_fail_with_one_request_each() {
    for (id, n, failure) in [("K1", 3, Failure::Stuck), ("K2", 2, Failure::Violation)] {
        let mut config = Config::new("carvalho-roucairol", n);
        config.variant = Some(id.to_owned());
        config.options = vec!["warm".to_owned()];
        assert!(explored(&config, &[1], EVERYTHING).shows(failure), "{id}");
        config.options.clear();
        assert!(!explored(&config, &[1], EVERYTHING).shows(failure), "{id} cold");
    }
}
