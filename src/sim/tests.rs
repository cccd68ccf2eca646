//! Every schedule of small clusters, explored in the plainest way: a net for mistakes of the engine
//! and of the algorithms, with the counts that independent code has found.
//!
//! It is slow on purpose: it steps whole clusters and shares nothing with the checker but the engine.

use super::channel::Body;
use super::cluster::Cluster;
use super::react::Local;
use super::record::StepRecord;
use super::simulation::Simulation as _;
use super::storage::Visit;
use super::store::Store;
use crate::algorithm::lease::Lease;
use crate::algorithm::maekawa::Maekawa;
use crate::algorithm::token_ring::TokenRing;
mod pasts;

use crate::algorithm::{self, Algorithm, Cx, Failure, Helper, Info, Towards, Variant, Visitor};
use crate::catalog;
use crate::check::{SearchOptions, Verdict, finish};
use crate::model::Schedule;
use crate::model::{ChannelOrder, Config, Event, FenceOn, NodeId, QuorumChoice, StorageRule};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

/// What may still happen besides deliveries and exits.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Budget {
    requests: Vec<u32>,
    timeouts: u32,
    drops: u32,
    duplicates: u32,
    crashes: u32,
    recoveries: u32,
    /// How often each client may write during one visit; and as often read.
    writes: u32,
    /// What is left of it, for the visit of each client.
    writes_left: Vec<(u32, u32)>,
    /// What has happened before, as a schedule.
    from: &'static str,
}

impl Budget {
    /// The same number of requests for each client, no faults.
    fn requests(config: &Config, each: u32) -> Self {
        Self { requests: vec![each; config.nodes.len()], ..Self::default() }
    }

    /// The budget that shows a variant's failure.
    fn of(variant: &Variant) -> Self {
        let shows = &variant.shows;
        let last = shows.requests.last().copied().unwrap_or(1);
        let requests = (0..shows.n).map(|i| shows.requests.get(i).copied().unwrap_or(last));
        let budget = Self { requests: requests.collect(), from: shows.from, ..Self::default() };
        let mut budget = budget.with_writes(shows.writes);
        for part in shows.faults.split(',').filter(|p| !p.is_empty()) {
            let (name, number) = part.split_once('=').expect("a fault has a number");
            let number = number.parse().expect("a number");
            *match name {
                "timeout" => &mut budget.timeouts,
                "drop" => &mut budget.drops,
                "duplicate" => &mut budget.duplicates,
                "crash" => &mut budget.crashes,
                "recover" => &mut budget.recoveries,
                other => panic!("no fault is called {other}"),
            } = number;
        }
        budget
    }

    fn with_writes(self, writes: u32) -> Self {
        Self { writes, writes_left: vec![(0, 0); self.requests.len()], ..self }
    }

    /// What is left after an event; `None` when it is not allowed any more.
    fn after(&self, event: Event) -> Option<Self> {
        let mut left = self.clone();
        let count = match event {
            Event::Deliver(_) | Event::Exit(_) => return Some(left),
            Event::Request(n) => &mut left.requests[n.index()],
            Event::Timeout(_) => &mut left.timeouts,
            Event::Drop(_) => &mut left.drops,
            Event::Duplicate(_) => &mut left.duplicates,
            Event::Crash(_) => &mut left.crashes,
            Event::Recover(_) => &mut left.recoveries,
            Event::Read(n) => &mut left.writes_left.get_mut(n.index())?.0,
            Event::Write(n) => &mut left.writes_left.get_mut(n.index())?.1,
            Event::Tell(..) | Event::Local(_) => return None,
        };
        *count = count.checked_sub(1)?;
        Some(left)
    }

    /// A client has entered or left: its writes begin anew, or are over.
    fn turn(&mut self, record: &StepRecord) {
        let turns = [(record.entered, self.writes), (record.left, 0)];
        for (node, writes) in turns.into_iter().filter_map(|(n, w)| Some((n?, w))) {
            if let Some(left) = self.writes_left.get_mut(node.index()) {
                *left = (writes, writes);
            }
        }
    }
}

/// What makes two states the same: nodes, channel contents in order, what may still happen.
type Essence<'a, A> = (
    &'a [Local<<A as Algorithm>::State>],
    Vec<(NodeId, NodeId, Vec<&'a Body<<A as Algorithm>::Msg>>)>,
    &'a Budget,
    Option<(&'a Store, &'a [Visit])>,
);

/// 128 bits for a state: far more than the square of any number of states met here.
fn fingerprint<A: Algorithm>(c: &Cluster<A>, left: &Budget) -> (u64, u64) {
    let channels = c.net.all().map(|(a, b, ch)| {
        let mut bodies: Vec<_> = ch.flights.iter().map(|f| &f.body).collect();
        if c.setup.channels == ChannelOrder::AnyOrder {
            bodies.sort_by_key(|b| format!("{b:?}"));
        }
        (a, b, bodies)
    });
    let storage =
        c.setup.storage.map(|_| (&c.storage.state.store, c.storage.state.visits.as_slice()));
    let essence: Essence<'_, A> = (&c.nodes, channels.collect(), left, storage);
    let hash = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        essence.hash(&mut hasher);
        hasher.finish()
    };
    (hash(0), hash(1))
}

/// What an exploration met, with the number of events to the first failure of each sort.
#[derive(Default, Debug)]
struct Found {
    states: usize,
    transitions: usize,
    depth: usize,
    violation: Option<usize>,
    stuck: Option<usize>,
    /// How many steps it takes to a state in which the goal that was asked for holds.
    goal: Option<usize>,
    /// Whether some run never ends.
    endless: bool,
    /// Whether the limit of states was reached before the end.
    cut: bool,
    rules: BTreeSet<&'static str>,
}

impl Found {
    fn counts(&self) -> (usize, usize, usize) {
        (self.states, self.transitions, self.depth)
    }

    /// Nobody ever meets anybody inside or waits for ever, as far as was looked.
    fn safe(&self) -> bool {
        self.violation.is_none() && self.stuck.is_none()
    }

    fn shows(&self, failure: Failure) -> bool {
        match failure {
            Failure::Violation => self.violation.is_some(),
            Failure::Stuck => self.stuck.is_some(),
            Failure::Livelock => self.endless,
            Failure::Goal(_) => self.goal.is_some(),
            Failure::Harmless => !self.cut && self.safe() && !self.endless,
        }
    }
}

/// The most states that are kept.
const LIMIT: usize = 400_000;

/// Plays every schedule within a budget.
fn explore<A: Algorithm>(config: &Config, budget: &Budget) -> Found {
    explore_until::<A>(config, budget, None)
}

/// Explores and notes when a goal holds first.
fn explore_for<A: Algorithm>(config: &Config, budget: &Budget, goal: &'static str) -> Found {
    explore_until::<A>(config, budget, Some(Failure::Goal(goal)))
}

/// The same, no farther than the nearest failure of a kind.
fn explore_until<A: Algorithm>(
    config: &Config,
    budget: &Budget,
    failure: Option<Failure>,
) -> Found {
    explore_watching::<A>(config, budget, failure, |_, _| {})
}

/// A cluster and what may still happen to it.
type World<'a, A> = (&'a Cluster<A>, &'a Budget);

/// The same, with an eye on each event: the world before it and after it.
fn explore_watching<A: Algorithm>(
    config: &Config,
    budget: &Budget,
    failure: Option<Failure>,
    mut watch: impl FnMut(World<'_, A>, (Event, World<'_, A>)),
) -> Found {
    let setup = Arc::new(catalog::setup(config).expect("the settings fit"));
    let mut start = Cluster::<A>::new(setup);
    let goal = match failure {
        Some(Failure::Goal(text)) => Some(super::goal(text, &start).expect("it is a goal")),
        _ => None,
    };
    for event in Schedule::parse(budget.from, &start.setup.names).expect("it parses").0 {
        start.step(event).expect("it can happen");
    }
    let mut ids = HashMap::from([(fingerprint(&start, budget), 0_usize)]);
    let mut successors: Vec<Vec<usize>> = vec![Vec::new()];
    let mut queue = VecDeque::from([(start, budget.clone(), 0, 0)]);
    let mut found = Found::default();
    while let Some((cluster, left, depth, id)) = queue.pop_front() {
        found.depth = depth;
        if cluster.marks.mutex.is_some() {
            found.violation.get_or_insert(depth);
        }
        if cluster.is_stuck() {
            found.stuck.get_or_insert(depth);
        }
        if goal.as_ref().is_some_and(|g| g.holds(&cluster)) {
            found.goal.get_or_insert(depth);
        }
        found.cut = ids.len() > LIMIT;
        let enough = failure.is_some_and(|f| f != Failure::Harmless && found.shows(f));
        if found.cut || enough {
            break;
        }
        for event in cluster.enabled() {
            let Some(mut then) = left.after(event) else { continue };
            let mut next = cluster.clone();
            let record = next.step(event).expect("an enabled event");
            then.turn(&record);
            watch((&cluster, &left), (event, (&next, &then)));
            found.rules.extend(record.rules.iter().map(|(id, _)| *id));
            let fresh = ids.len();
            let next_id = *ids.entry(fingerprint(&next, &then)).or_insert(fresh);
            if next_id == fresh {
                successors.push(Vec::new());
                queue.push_back((next, then, depth + 1, fresh));
            }
            successors[id].push(next_id);
        }
    }
    found.states = ids.len();
    found.transitions = successors.iter().map(Vec::len).sum();
    found.endless = has_cycle(&successors);
    found
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
    budget: &'a Budget,
    failure: Option<Failure>,
    found: Option<Found>,
}

impl Visitor for BySlug<'_> {
    fn visit<A: Algorithm>(&mut self, info: &'static Info) {
        if info.slug == self.config.algorithm {
            self.found = Some(explore_until::<A>(self.config, self.budget, self.failure));
        }
    }
}

fn explored(config: &Config, budget: &Budget, failure: Option<Failure>) -> Found {
    let mut search = BySlug { config, budget, failure, found: None };
    algorithm::visit_all(&mut search);
    search.found.expect("the catalog has the slug")
}

/// Every schedule in which each client asks `r` times.
fn all_of(config: &Config, r: u32) -> Found {
    explored(config, &Budget::requests(config, r), None)
}

/// Watches what the reductions of the checker build on, at each event of each schedule.
struct Premises<'a> {
    config: &'a Config,
    requests: &'a [u32],
    seen: usize,
}

impl Visitor for Premises<'_> {
    fn visit<A: Algorithm>(&mut self, info: &'static Info) {
        if info.slug != self.config.algorithm {
            return;
        }
        let budget = Budget { requests: self.requests.to_vec(), ..Budget::default() };
        let mut seen = 0;
        explore_watching::<A>(self.config, &budget, None, |before, (event, after)| {
            seen += silence_is_kept(before, event, after);
            if self.config.variant.is_none() {
                forgetting_is_not_noticed(before, event, after.0);
            }
        });
        self.seen += seen;
    }
}

/// Which nodes are silent towards which.
fn silences<A: Algorithm>((c, left): World<'_, A>) -> Vec<(NodeId, NodeId)> {
    let silent = |me: NodeId, to: NodeId| {
        let local = &c.nodes[me.index()];
        let cx = Cx::of::<A>(&c.setup, me, local.phase);
        let asks = left.requests.get(me.index()).is_some_and(|left| *left > 0);
        let unanswered = !c.net.channel(to, me).flights.is_empty();
        me != to && A::silent_towards(&cx, &local.state, Towards { to, unanswered, asks })
    };
    let all = || c.setup.all_ids();
    all().flat_map(|me| all().map(move |to| (me, to))).filter(|(me, to)| silent(*me, *to)).collect()
}

/// Who is silent towards a node sends it nothing and stays silent, unless the node has an event.
/// Returns how often somebody was.
fn silence_is_kept<A: Algorithm>(before: World<'_, A>, event: Event, after: World<'_, A>) -> usize {
    let at = match event {
        Event::Deliver(msg) => msg.to,
        Event::Request(node) | Event::Exit(node) => node,
        other => unreachable!("{other:?} is not in the budget"),
    };
    let (then, slug) = (silences(after), after.0.setup.info.slug);
    let kept = silences(before).into_iter().filter(|(_, to)| *to != at);
    kept.map(|(me, to)| {
        let count = |c: &Cluster<A>| c.net.channel(me, to).flights.len();
        assert_eq!(count(after.0), count(before.0), "{slug} speaks up at {event:?}");
        assert!(then.contains(&(me, to)), "{slug} may speak up after {event:?}");
    })
    .count()
}

/// Whether a cluster forgets before an event as well as after it, or after it alone, is the same.
fn forgetting_is_not_noticed<A: Algorithm>(
    (before, left): World<'_, A>,
    event: Event,
    after: &Cluster<A>,
) {
    let requests = |event: Option<Event>| {
        let mut left = left.clone();
        if let Some(event) = event {
            left = left.after(event).expect("the event was allowed");
        }
        left
    };
    let forget = |c: &Cluster<A>, left: &Budget| {
        let mut c = c.clone();
        let setup = Arc::clone(&c.setup);
        for (me, local) in setup.all_ids().zip(&mut c.nodes) {
            let cx = Cx::of::<A>(&setup, me, local.phase);
            let asks = left.requests.get(me.index()).is_some_and(|left| *left > 0);
            A::forget(&cx, &mut local.state, &mut local.clock, asks);
        }
        c
    };
    let mut later = forget(before, &requests(None));
    later.step(event).expect("what a cluster forgets enables and disables nothing");
    let left = requests(Some(event));
    let (once, twice) = (forget(after, &left), forget(&later, &left));
    assert_eq!(fingerprint(&once, &left), fingerprint(&twice, &left), "{}", after.setup.info.slug);
}

#[test]
fn what_the_checker_leaves_out_rests_on_premises_that_hold_at_every_event() {
    for (slug, _) in PINNED {
        // Lamport's with three requests of three nodes takes minutes here.
        let three: &[u32] = if slug == "lamport" { &[1, 0, 1] } else { &[1, 1, 1] };
        let fifo_only = catalog::find(slug).is_ok_and(|e| e.info.needs == ChannelOrder::Fifo);
        let mut seen = 0;
        for requests in [&[2, 2], three] {
            for order in [ChannelOrder::Fifo, ChannelOrder::AnyOrder] {
                if order == ChannelOrder::AnyOrder && fifo_only {
                    continue;
                }
                let mut config = Config::new(slug, requests.len());
                config.channels = Some(order);
                let mut premises = Premises { config: &config, requests, seen: 0 };
                algorithm::visit_all(&mut premises);
                seen += premises.seen;
            }
        }
        let says_so = !["token-ring", "naimi-trehel"].contains(&slug);
        assert_eq!(seen > 0, says_so, "{slug}");
    }
}

/// A variant may send less, more or at another time than its paper: where a node is said to be silent, it is.
#[test]
fn where_a_variant_is_silent_it_sends_nothing_either() {
    for info in
        catalog::all().iter().map(|e| e.info).filter(|i| i.helper != Some(Helper::LockService))
    {
        for variant in info.variants {
            for requests in [&[2, 2][..], &[1, 1, 0], &[0, 1, 1]] {
                let mut config = Config::new(info.slug, requests.len());
                config.variant = Some(variant.slug.to_owned());
                let mut premises = Premises { config: &config, requests, seen: 0 };
                algorithm::visit_all(&mut premises);
            }
        }
    }
}

/// N=2 R=1, N=2 R=2, N=3 R=1: states, transitions, depth. `None`: too slow here.
type Pinned = (&'static str, [Option<(usize, usize, usize)>; 3]);

const PINNED: [Pinned; 9] = [
    ("lamport", [Some((73, 94, 10)), Some((902, 1_458, 20)), None]),
    ("ricart-agrawala", [Some((30, 38, 8)), Some((126, 176, 16)), Some((2_049, 5_488, 18))]),
    ("central", [Some((33, 48, 10)), Some((123, 208, 20)), Some((180, 351, 15))]),
    ("token-ring", [Some((24, 38, 7)), Some((70, 118, 13)), Some((108, 207, 11))]),
    ("maekawa", [Some((49, 63, 11)), Some((263, 392, 22)), Some((466, 953, 16))]),
    ("suzuki-kasami", [Some((20, 25, 8)), Some((78, 109, 16)), Some((589, 1_610, 15))]),
    ("raymond", [Some((20, 25, 8)), Some((64, 93, 12)), Some((136, 237, 14))]),
    ("naimi-trehel", [Some((20, 25, 8)), Some((64, 93, 12)), Some((154, 264, 13))]),
    ("carvalho-roucairol", [Some((31, 38, 8)), Some((114, 155, 16)), Some((2_096, 5_540, 18))]),
];

/// What the checker finds, with nothing left out: states, transitions, depth.
fn checked(slug: &str, n: usize, r: u32) -> (usize, usize, usize) {
    let requests = vec![r];
    let options = SearchOptions { requests, reduction: false, ..SearchOptions::default() };
    let mut search = catalog::search(&Config::new(slug, n), &options).expect("the settings fit");
    let report = finish(search.as_mut());
    assert_eq!(report.verdict, Verdict::Safe, "{slug} with {n} nodes");
    (report.states, report.transitions, report.depth)
}

#[test]
fn small_clusters_have_the_counts_that_independent_code_and_the_checker_find() {
    for (slug, counts) in PINNED {
        for ((n, r), expected) in [(2, 1), (2, 2), (3, 1)].into_iter().zip(counts) {
            let Some(expected) = expected else { continue };
            let found = all_of(&Config::new(slug, n), r);
            assert_eq!(found.counts(), expected, "{slug}, {n} nodes, {r} requests each");
            assert_eq!(checked(slug, n, r), expected, "{slug}, {n} nodes, {r}: the checker");
            assert!(found.safe(), "{slug}, {n} nodes, {r} requests each: {found:?}");
            let goes_round = catalog::find(slug).is_ok_and(|e| e.info.circulates);
            assert_eq!(found.endless, goes_round, "{slug}: only a token that never rests goes on");
        }
    }
}

#[test]
fn the_optional_starts_and_other_channels_are_as_sound() {
    for (slug, option) in [("raymond", "line"), ("carvalho-roucairol", "warm")] {
        let mut config = Config::new(slug, 3);
        config.options = vec![option.to_owned()];
        let found = all_of(&config, 1);
        assert!(found.shows(Failure::Harmless), "{slug} {option}: {found:?}");
    }
    for slug in ["suzuki-kasami", "raymond", "naimi-trehel", "carvalho-roucairol"] {
        let mut config = Config::new(slug, 3);
        config.channels = Some(ChannelOrder::AnyOrder);
        let found = all_of(&config, 1);
        assert!(found.shows(Failure::Harmless), "{slug} without FIFO: {found:?}");
    }
}

/// What a variant does in the cluster that shows it, up to its failure.
fn shown(info: &Info, variant: &Variant) -> Found {
    explored(&catalog::showing(info, variant).0, &Budget::of(variant), Some(variant.failure))
}

/// Variants that are too large for this explorer; `cases` plays their failure.
const LARGE: [&str; 1] = ["M10b"];

#[test]
fn every_small_variant_does_what_it_says() {
    for info in catalog::all().iter().map(|e| e.info) {
        for variant in info.variants.iter().filter(|v| !LARGE.contains(&v.id)) {
            let found = shown(info, variant);
            let (id, slug) = (variant.id, info.slug);
            assert!(found.shows(variant.failure), "{id} of {slug}: {found:?}");
        }
    }
}

/// What a variant breaks, the right rule keeps in the same cluster.
#[test]
fn no_variant_fails_where_the_right_rule_fails_as_well() {
    let mut explored_already: HashMap<String, Found> = HashMap::new();
    for info in catalog::all().iter().map(|e| e.info) {
        let fails = |v: &&Variant| v.failure != Failure::Harmless && !LARGE.contains(&v.id);
        for variant in info.variants.iter().filter(fails) {
            let mut config = catalog::showing(info, variant).0;
            let shown = catalog::setup(&config).expect("it fits");
            config.options = shown.options.iter().map(|o| (*o).to_owned()).collect();
            (config.variant, config.channels) = (None, None);
            config.quorums = QuorumChoice::default();
            if shown.storage.is_some() {
                (config.storage, config.fence) = (Some(StorageRule::Fenced), FenceOn::Both);
            }
            let (budget, goal) = (Budget::of(variant), Some(variant.failure));
            let goal = goal.filter(|failure| matches!(failure, Failure::Goal(_)));
            let found = explored_already
                .entry(format!("{config:?} {budget:?} {goal:?}"))
                .or_insert_with(|| explored(&config, &budget, goal));
            let (id, slug) = (variant.id, info.slug);
            assert!(!found.shows(variant.failure), "{id} of {slug}: {found:?}");
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
        ("lamport", "L12", Failure::Violation, 12),
        ("ricart-agrawala", "R1", Failure::Stuck, 4),
        ("ricart-agrawala", "R2", Failure::Violation, 6),
        ("ricart-agrawala", "R3", Failure::Violation, 10),
        ("ricart-agrawala", "R10", Failure::Violation, 16),
        ("suzuki-kasami", "S4", Failure::Stuck, 4),
        ("suzuki-kasami", "S5", Failure::Violation, 4),
        ("carvalho-roucairol", "K3b", Failure::Violation, 6),
    ];
    for (slug, id, failure, events) in cases {
        let info = catalog::find(slug).expect("in the catalog").info;
        let variant = info.variant(id).expect("a variant of it");
        assert_eq!(variant.failure, failure, "{id}");
        let found = shown(info, variant);
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
        assert!(all_of(&config, 1).shows(failure), "{id}");
        config.options.clear();
        assert!(!all_of(&config, 1).shows(failure), "{id} cold");
    }
}

fn ring(n: usize, options: &[&str], requests: u32, timeouts: u32) -> Found {
    let mut config = Config::new("token-ring", n);
    config.options = options.iter().map(|o| (*o).to_owned()).collect();
    let budget = Budget { timeouts, ..Budget::requests(&config, requests) };
    explore::<TokenRing>(&config, &budget)
}

/// The table of shortest failures of a ring that mints new tokens.
#[test]
fn a_ring_that_mints_tokens_fails_as_early_as_the_table_says() {
    let table: [(&[&str], [Option<usize>; 3]); 5] = [
        (&["regenerate", "forward"], [Some(7); 3]),
        (&["regenerate", "absorb"], [Some(7); 3]),
        (&["regenerate", "numbers", "forward"], [Some(7); 3]),
        (&["regenerate", "numbers", "absorb"], [None, Some(7), Some(7)]),
        (&["everybody", "numbers"], [Some(6); 3]),
    ];
    for (options, wanted) in table {
        for (n, wanted) in (2..).zip(wanted) {
            assert_eq!(ring(n, options, 1, 9).violation, wanted, "{options:?} with n={n}");
        }
    }
}

#[test]
fn a_round_of_promises_makes_the_minting_safe() {
    let counts = [(117, 231, 10), (1_224, 3_528, 17), (13_347, 52_806, 24)];
    for (n, counts) in (2..).zip(counts) {
        let found = ring(n, &["promise"], 1, 9);
        assert!(found.safe(), "n={n}: {found:?}");
        assert_eq!(found.counts(), counts, "n={n}");
    }
}

/// Promises rest on numbers that differ: two minters can choose the same one.
#[test]
fn promises_are_not_enough_where_several_nodes_mint() {
    let two = ring(2, &["promise", "everybody"], 1, 9);
    assert_eq!((two.violation, two.stuck), (None, Some(8)), "{two:?}");
    let three = ring(3, &["promise", "everybody"], 1, 9);
    assert_eq!(three.violation, Some(10), "{three:?}");
}

fn maekawa(variant: Option<&str>, n: usize, requests: u32, order: ChannelOrder) -> Found {
    let mut config = Config::new("maekawa", n);
    config.variant = variant.map(str::to_owned);
    config.channels = Some(order);
    explore::<Maekawa>(&config, &Budget::requests(&config, requests))
}

#[test]
fn mistakes_in_maekawas_algorithm_show_as_early_as_the_table_says() {
    let fifo = ChannelOrder::Fifo;
    assert_eq!(maekawa(Some("M1"), 2, 1, fifo).stuck, Some(4));
    assert_eq!(maekawa(Some("M3"), 2, 1, fifo).stuck, Some(4));
    assert_eq!(maekawa(Some("M4"), 3, 1, fifo).stuck, Some(9));
    assert_eq!(maekawa(Some("M10"), 2, 1, ChannelOrder::AnyOrder).stuck, Some(9));
    // Cases H20 and H21: the sets of three nodes.
    assert_eq!(maekawa(Some("M1"), 3, 1, fifo).stuck, Some(6));
}

/// The correction of 1987 over every schedule of four nodes. It takes a minute.
#[test]
#[ignore = "385,601 states"]
fn maekawas_algorithm_with_four_nodes_has_385_601_states_and_no_deadlock() {
    let found = maekawa(None, 4, 1, ChannelOrder::Fifo);
    assert!(found.safe());
    assert_eq!(found.states, 385_601);
    assert_eq!(maekawa(Some("M4"), 4, 1, ChannelOrder::Fifo).stuck, Some(13));
    assert!(maekawa(Some("M11"), 4, 1, ChannelOrder::Fifo).safe());
}

#[test]
fn every_rule_of_maekawas_algorithm_fires() {
    let mut config = Config::new("maekawa", 3);
    config.quorums = crate::model::QuorumChoice::Sets(
        [&["P1", "P2", "P3"][..], &["P2", "P3"], &["P1", "P3"]]
            .iter()
            .map(|set| set.iter().map(|n| (*n).to_owned()).collect())
            .collect(),
    );
    let found = explore::<Maekawa>(&config, &Budget::requests(&config, 1));
    assert!(found.safe(), "{found:?}");
    let all: BTreeSet<_> = algorithm::maekawa::INFO.rules.iter().map(|r| r.id).collect();
    assert_eq!(found.rules, all);
}

#[test]
fn every_rule_of_the_ring_fires() {
    let mut fired = ring(3, &["regenerate", "forward"], 1, 1).rules;
    for options in [&["regenerate", "numbers"][..], &["promise"]] {
        fired.extend(ring(3, options, 1, 1).rules);
    }
    let all: BTreeSet<_> = algorithm::token_ring::INFO.rules.iter().map(|r| r.id).collect();
    assert_eq!(fired, all);
}

/// Two clients of the lock service, one timeout, a storage.
fn leased(
    storage: Option<(StorageRule, FenceOn)>,
    variant: Option<&str>,
    goal: &'static str,
) -> Found {
    let mut config = Config::new("lease", 2);
    config.variant = variant.map(str::to_owned);
    if let Some((rule, fence)) = storage {
        (config.storage, config.fence) = (Some(rule), fence);
    }
    let budget = Budget { timeouts: 1, ..Budget::requests(&config, 1) };
    explore_for::<Lease>(&config, &budget.with_writes(1), goal)
}

#[test]
fn without_timeouts_the_lock_service_is_safe() {
    for (n, r) in [(2, 2), (3, 1)] {
        assert!(all_of(&Config::new("lease", n), r).safe());
    }
}

#[test]
fn a_lease_that_ends_makes_two_clients_believe_that_they_hold_the_lock() {
    assert_eq!(leased(None, None, "entries() > 99").violation, Some(7));
}

const LOST: &str = "writes(P1, lost) > 0 or writes(P2, lost) > 0";

/// What fencing does and does not do, as the counts of independent code say.
#[test]
fn a_stale_write_needs_11_events_and_a_lost_update_behind_fences_17() {
    let plain = (StorageRule::Plain, FenceOn::Writes);
    let (writes, both) =
        ((StorageRule::Fenced, FenceOn::Writes), (StorageRule::Fenced, FenceOn::Both));
    assert_eq!(leased(Some(plain), None, LOST).goal, Some(11));
    assert_eq!(leased(Some(plain), None, "violated(fence)").goal, Some(11));
    assert_eq!(leased(Some(writes), None, LOST).goal, Some(17));
    assert_eq!(leased(Some(writes), None, "violated(fence)").goal, None);
    assert_eq!(leased(Some(both), None, LOST).goal, None);
    assert_eq!(leased(Some(both), None, "violated(fence)").goal, None);
}

#[test]
fn check_and_set_loses_no_update_but_keeps_no_order() {
    assert_eq!(leased(None, Some("F4"), LOST).goal, None);
    assert_eq!(leased(None, Some("F4"), "violated(fence)").goal, Some(14));
}

/// Where the variant F5 lets two clients in.
#[test]
fn a_copied_release_does_no_harm() {
    let config = Config::new("lease", 3);
    let copies = Budget { duplicates: 1, ..Budget::requests(&config, 1) };
    assert!(explore::<Lease>(&config, &copies).safe());
}

#[test]
fn every_rule_of_the_lock_service_fires() {
    let mut config = Config::new("lease", 2);
    let budget = Budget { timeouts: 2, duplicates: 1, ..Budget::requests(&config, 1) };
    let mut fired = explore::<Lease>(&config, &budget).rules;
    config.options = vec!["session".to_owned()];
    fired.extend(explore::<Lease>(&config, &budget).rules);
    let all: BTreeSet<_> = algorithm::lease::INFO.rules.iter().map(|r| r.id).collect();
    assert_eq!(fired, all);
}
