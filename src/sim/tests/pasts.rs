//! What depends on who knew of whose request: the order of entries, and who was overtaken. The checker
//! keeps it in numbers of its own; here it is read from the engine in every state of every schedule.

use super::{
    Algorithm, Body, Budget, ChannelOrder, Cluster, Config, SearchOptions, Verdict, Visitor,
    algorithm, catalog, fingerprint, finish,
};
use crate::algorithm::{Info, OrderPromise};
use crate::check::Asked;
use crate::model::goal::{Overtaking, Property, Test, When};
use crate::model::{Goal, Phase};
use crate::sim::Simulation as _;
use crate::sim::channel::Past;
use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

/// What was met in all schedules of a cluster.
#[derive(Default, Debug, PartialEq, Eq)]
struct Met {
    states: usize,
    /// After how many events somebody first enters against the order.
    unordered: Option<usize>,
    /// The most that somebody is overtaken: by anybody, and by later requests.
    overtaken: [u32; 2],
}

/// Whose open requests are known, by messages of every kind and by those that carry a stamp.
fn known<A: Algorithm>(c: &Cluster<A>, past: &Past) -> [Vec<bool>; 2] {
    [c.requests_known(&past.all), c.requests_known(&past.stamped)]
}

/// What of the past can matter later, besides what nodes and channels hold.
fn past<A: Algorithm>(c: &Cluster<A>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for node in c.setup.all_ids() {
        let (knows, asked) = c.knowledge(node);
        (known(c, knows), asked.map(|asked| known(c, asked))).hash(&mut hasher);
        for by in Overtaking::ALL {
            c.overtaken_by(node, by.1).hash(&mut hasher);
        }
    }
    for (from, to, channel) in c.net.all() {
        let told = |body: &Body<A::Msg>| format!("{body:?}");
        let mut flights: Vec<_> =
            channel.flights.iter().map(|f| (told(&f.body), known(c, &f.knows))).collect();
        if c.setup.channels == ChannelOrder::AnyOrder {
            flights.sort();
        }
        (from, to, flights).hash(&mut hasher);
    }
    c.marks.order.is_some().hash(&mut hasher);
    hasher.finish()
}

struct Walk<'a> {
    config: &'a Config,
    requests: u32,
    most: usize,
    met: Option<Met>,
}

impl Visitor for Walk<'_> {
    fn visit<A: Algorithm>(&mut self, info: &'static Info) {
        if info.slug != self.config.algorithm {
            return;
        }
        let setup = Arc::new(catalog::setup(self.config).expect("the settings fit"));
        let start = Cluster::<A>::new(setup);
        let budget = Budget::requests(self.config, self.requests);
        let mut seen = HashSet::from([(fingerprint(&start, &budget), past(&start))]);
        let mut queue = VecDeque::from([(start, budget, 0)]);
        let mut met = Met::default();
        while let Some((cluster, left, depth)) = queue.pop_front() {
            if cluster.marks.order.is_some() {
                met.unordered.get_or_insert(depth);
            }
            for node in
                cluster.setup.client_ids().filter(|n| cluster.local(*n).phase == Phase::Waiting)
            {
                for (most, by) in met.overtaken.iter_mut().zip(Overtaking::ALL) {
                    *most = (*most).max(cluster.overtaken_by(node, by.1));
                }
            }
            for event in cluster.enabled() {
                let Some(mut then) = left.after(event) else { continue };
                let mut next = cluster.clone();
                let record = next.step(event).expect("an enabled event");
                then.turn(&record);
                if seen.insert((fingerprint(&next, &then), past(&next))) {
                    queue.push_back((next, then, depth + 1));
                }
            }
            if seen.len() > self.most {
                return;
            }
        }
        met.states = seen.len();
        self.met = Some(met);
    }
}

/// What all schedules show; `None`: there are more states than are looked at.
fn walked(config: &Config, requests: u32, most: usize) -> Option<Met> {
    let mut walk = Walk { config, requests, most, met: None };
    algorithm::visit_all(&mut walk);
    walk.met
}

/// After how many events the checker finds that somebody enters against the order.
fn first_unordered(config: &Config, requests: u32) -> Option<usize> {
    let goal = Goal { when: When::Never, test: Test::Violated(Property::Order) };
    let goal = Some(Asked::by_hand("nobody enters against the order", goal));
    let options = SearchOptions { goal, requests: vec![requests], ..SearchOptions::default() };
    let mut search = catalog::search(config, &options).expect("it fits");
    let report = finish(search.as_mut());
    assert_ne!(report.verdict, Verdict::Limit);
    report.counterexample.as_ref().map(|schedule| schedule.0.len())
}

/// The clusters with the requests of each client: every algorithm, as in its paper and in each variant.
fn clusters(sizes: &'static [(usize, u32)]) -> impl Iterator<Item = (&'static Info, Config, u32)> {
    catalog::all().iter().flat_map(move |entry| {
        let variants = entry.info.variants.iter().map(|v| Some(v.slug.to_owned()));
        [None].into_iter().chain(variants).flat_map(move |variant| {
            sizes.iter().map(move |(n, r)| {
                let config =
                    Config { variant: variant.clone(), ..Config::new(entry.info.slug, *n) };
                (entry.info, config, *r)
            })
        })
    })
}

#[test]
fn the_order_is_broken_for_the_checker_when_it_is_for_the_engine_and_never_by_the_paper() {
    let (mut compared, mut broken) = (0, 0);
    for (info, config, r) in clusters(&[(2, 1), (2, 2), (3, 1)]) {
        if info.order != OrderPromise::Stamps {
            continue;
        }
        let Some(met) = walked(&config, r, 8_000) else { continue };
        let name = format!("{} {:?}, {r}", info.slug, config.variant);
        assert_eq!(first_unordered(&config, r), met.unordered, "{name}: {met:?}");
        assert!(config.variant.is_some() || met.unordered.is_none(), "{name}: {met:?}");
        compared += 1;
        broken += usize::from(met.unordered.is_some());
    }
    assert!(compared > 20 && broken > 5, "{compared} were compared, {broken} are broken");
}

/// News of a request that comes by a message without a stamp raises no clock.
#[test]
fn who_hears_of_a_request_by_a_reply_alone_may_still_go_first() {
    let config = Config::new("ricart-agrawala", 3);
    let mut sim = catalog::start(&config).expect("it starts");
    let schedule = "request P1; deliver P1>P2; deliver P2>P1; request P2; deliver P2>P3; \
                    deliver P1>P3; deliver P3>P1; exit P1; request P1; deliver P1>P2; \
                    deliver P1>P3; deliver P2>P1; deliver P2>P1; deliver P3>P1";
    for event in crate::model::Schedule::parse(schedule, &sim.setup().names).expect("it parses").0 {
        sim.step(event).expect("it can happen");
    }
    assert_eq!(sim.view().lamps.order, crate::sim::Order::Kept);
    let goal = |text: &str| crate::sim::goal(text, sim.as_ref()).expect("it is a goal");
    let stands = goal("overtaken_later(P2) == 1 and in_cs(P1) and waiting(P2)");
    assert!(stands.holds(sim.as_ref()));
}

fn worst_agrees(config: &Config, r: u32, met: &Met) {
    for (by, met) in Overtaking::ALL.into_iter().zip(met.overtaken) {
        let options = SearchOptions { requests: vec![r], ..SearchOptions::default() };
        let found = catalog::worst(config, &options, by.1, |search| finish(search).clone())
            .expect("it fits");
        let name =
            format!("{} {:?}, {} nodes, {r}", config.algorithm, config.variant, config.nodes.len());
        assert_eq!(found.value, met, "{name}: {}", by.0);
    }
}

#[test]
fn the_checker_finds_the_worst_that_the_engine_meets() {
    let mut compared = 0;
    for (info, config, r) in clusters(&[(2, 1), (2, 2), (3, 1)]) {
        let small = config.variant.is_none() && !info.circulates;
        let Some(met) = small.then(|| walked(&config, r, 8_000)).flatten() else { continue };
        worst_agrees(&config, r, &met);
        compared += 1;
    }
    assert!(compared > 15, "{compared} were compared");
}
