//! What a search of a cluster needs, and where a variant is known to fail.
//!
//! Command line, screen and lines take their bounds from here; each may be overridden there.

use super::{ConfigError, of, setup, start};
use crate::algorithm::{Failure, Info, Variant};
use crate::check::{
    Asked, Faults, Report, SearchOptions, Verdict, faults_in_words, requests_of_each,
    writes_in_words,
};
use crate::input::count;
use crate::model::settings::USUAL_NODES;
use crate::model::{Config, Event, Names, NodeId, NodeSet, QuorumChoice, Schedule, Setup};
use crate::sim;

/// How many nodes a cluster has when nobody says: as many as its variant needs to fail.
#[must_use]
pub fn least_nodes(variant: Option<&Variant>) -> usize {
    variant.map_or(USUAL_NODES, |v| v.shows.n)
}

/// The cluster of these nodes, with what the variant needs where nothing is said.
#[must_use]
pub fn cluster(info: &Info, variant: Option<&Variant>, nodes: Vec<String>) -> Config {
    let mut config = Config { nodes, ..Config::new(info.slug, 0) };
    if let Some(variant) = variant {
        config.variant = Some(variant.slug.to_owned());
        let sets = variant.shows.quorums;
        if !sets.is_empty() && variant.shows.n == config.nodes.len() {
            let name = |place: &u8| config.nodes[usize::from(*place)].clone();
            config.quorums =
                QuorumChoice::Sets(sets.iter().map(|set| set.iter().map(name).collect()).collect());
        }
    }
    config
}

/// The smallest cluster that shows what a variant breaks, and what has to be played in it.
///
/// # Panics
/// If a budget, a goal or a schedule of the catalog does not parse, which the checker's tests exclude.
#[must_use]
pub fn showing(info: &Info, variant: &Variant) -> (Config, SearchOptions) {
    let config = cluster(info, Some(variant), Names::numbered(variant.shows.n));
    let options = search_for(&config, &Schedule::default()).expect("the catalog's clusters fit");
    (config, options)
}

/// What a search of this cluster needs when some events were played already: how often nodes ask, which
/// faults happen, what is written, what is asked. A variant brings what it needs to fail; budgets count
/// from the end of what is played first, and a request that is outstanding there is one of those needed.
///
/// # Errors
/// The first setting that does not fit.
///
/// # Panics
/// If a budget of the catalog does not parse, which the checker's tests exclude.
pub fn search_for(config: &Config, played: &Schedule) -> Result<SearchOptions, ConfigError> {
    let setup = setup(config)?;
    let options = SearchOptions { from: played.clone(), ..SearchOptions::default() };
    let Some(variant) = setup.variant() else { return Ok(options) };
    let faults = Faults::parse(variant.shows.faults).expect("the catalog's budgets parse");
    Ok(SearchOptions {
        requests: still_asked(variant, &setup, played),
        faults,
        writes: u8::try_from(variant.shows.writes).expect("the catalog's budgets are small"),
        goal: shown_goal(config, variant, &setup),
        from: first_events(config, variant, &setup, played),
        // With faults even the right algorithm gets stuck.
        mutex_only: variant.failure == Failure::Violation && faults != Faults::NONE,
        ..options
    })
}

/// How often each client asks from where a run has come to: as often as the variant needs, of which a
/// request that is outstanding there is one.
fn still_asked(variant: &Variant, setup: &Setup, played: &Schedule) -> Vec<u32> {
    let needs = SearchOptions { requests: variant.shows.requests.to_vec(), ..Default::default() };
    let times = |event: Event| played.0.iter().filter(|e| **e == event).count();
    let waits = |node: NodeId| times(Event::Request(node)) > times(Event::Exit(node));
    let left =
        |node: NodeId| needs.requests_of(node.index()).saturating_sub(u32::from(waits(node)));
    setup.client_ids().map(left).collect()
}

/// The catalog's events before the search, where what was played is their beginning; else what was
/// played alone.
fn first_events(config: &Config, variant: &Variant, setup: &Setup, played: &Schedule) -> Schedule {
    let first = Schedule::parse(&with_names(variant.shows.from, setup), &setup.names);
    let first =
        first.ok().filter(|first| config.start.is_empty() && first.0.starts_with(&played.0));
    first.unwrap_or_else(|| played.clone())
}

/// The goal that a variant reaches and the right rule never does, where the cluster has its nodes.
fn shown_goal(config: &Config, variant: &Variant, setup: &Setup) -> Option<Asked> {
    let Failure::Goal(text) = variant.failure else { return None };
    let text = with_names(text, setup);
    let goal = sim::goal(&text, start(config).ok()?.as_ref()).ok()?;
    Some(Asked { text, goal, is_failure: true })
}

/// A text of the catalog, which calls the clients `P1 P2 …`, with the names of a cluster.
fn with_names(text: &str, setup: &Setup) -> String {
    let ends_word = |c: char| !c.is_alphanumeric();
    let named = |piece: &str| {
        let word = piece.trim_end_matches(ends_word);
        let place = Names::numbered(setup.clients).iter().position(|name| name == word);
        let name = place.map_or(word, |i| setup.names.get(NodeId::at(i)));
        format!("{name}{}", &piece[word.len()..])
    };
    text.split_inclusive(ends_word).map(named).collect()
}

/// The cluster and the bounds in which a variant is known to fail, for a search that has not found it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// The cluster.
    pub config: Config,
    /// What a search of it needs.
    pub options: SearchOptions,
    /// Where it fails, in a sentence without a capital and a full stop: what is different there.
    pub told: String,
}

/// Where the variant of a cluster fails, if a search has not come to it and the cluster or the bounds
/// were others than those that the catalog knows.
#[must_use]
pub fn fails_elsewhere(
    config: &Config,
    options: &SearchOptions,
    report: &Report,
) -> Option<Elsewhere> {
    let missed = match report.verdict {
        Verdict::Safe | Verdict::GoalUnreachable | Verdict::Limit => true,
        Verdict::Violated | Verdict::Fault | Verdict::Stuck => false,
        Verdict::NeverEnds | Verdict::GoalReached => false,
    };
    // Who asks about something else is not told that the algorithm is right.
    let about_it = options.goal.as_ref().is_none_or(|asked| asked.is_failure);
    let info = of(config).ok()?.info;
    let variant = config.variant.as_deref().and_then(|word| info.variant(word))?;
    if !missed || !about_it || variant.failure == Failure::Harmless {
        return None;
    }
    let (mut there, _) = showing(info, variant);
    if there.nodes.len() == config.nodes.len() {
        there = cluster(info, Some(variant), config.nodes.clone());
    }
    let needs = search_for(&there, &Schedule::default()).ok()?;
    let told = differences(variant, (config, options), (&there, &needs))?;
    Some(Elsewhere { config: there, options: needs, told })
}

/// `keep-old-replies fails with 2 nodes, 2 requests each, from the beginning`; `None`: nothing differs.
fn differences(
    variant: &Variant,
    (config, options): (&Config, &SearchOptions),
    (there, needs): (&Config, &SearchOptions),
) -> Option<String> {
    let (here, setup) = (setup(config).ok()?, setup(there).ok()?);
    let n = setup.clients;
    let requests = |o: &SearchOptions| (0..n).map(|i| o.requests_of(i)).collect::<Vec<_>>();
    // What is outstanding in the middle of a run is no other bound.
    let usual = search_for(config, &options.from).ok()?;
    let storage = |s: &Setup| s.storage.map(|(_, rule, fence)| (rule, fence));
    let mut with = Vec::new();
    let mut differs = |yes: bool, words: &dyn Fn() -> String| with.extend(yes.then(words));
    differs(here.clients != n, &|| count(n, "node"));
    let other = requests(options) != requests(needs) && requests(options) != requests(&usual);
    differs(other, &|| requests_of_each(&requests(needs), "request"));
    differs(here.channels != setup.channels, &|| format!("{} channels", setup.channels.word()));
    differs(options.faults != needs.faults, &|| faults_in_words(needs.faults));
    differs(options.writes != needs.writes, &|| writes_in_words(needs.writes));
    differs(storage(&here) != storage(&setup), &|| match storage(&setup) {
        Some((rule, fence)) => format!("{} storage that looks at {}", rule.word(), fence.word()),
        None => "no storage".to_owned(),
    });
    let sets = here.clients == n || !variant.shows.quorums.is_empty();
    differs(sets && here.quorums != setup.quorums, &|| {
        let members = |set: &NodeSet| set.iter().map(|n| setup.name(n)).collect::<Vec<_>>();
        let sets = setup.quorums.iter().map(|set| format!("{{{}}}", members(set).join(",")));
        format!("the voting sets {}", sets.collect::<Vec<_>>().join(" "))
    });
    differs(config.clocks.iter().any(|c| *c > 0), &|| "clocks that begin at 0".to_owned());
    differs(config.clock != there.clock, &|| format!("the clock rule {}", there.clock.word()));
    differs(!config.options.is_empty(), &|| "no option".to_owned());
    differs(config.tree.is_some(), &|| "a star of nodes".to_owned());
    differs(config.coordinator.is_some(), &|| "a coordinator of its own".to_owned());
    let asks = |o: &SearchOptions| o.goal.as_ref().map(|asked| asked.goal.clone());
    differs(asks(options) != asks(needs), &|| {
        needs.goal.as_ref().map_or(String::new(), |asked| format!("the question {}", asked.text))
    });
    let begins = (options.from != needs.from || !config.start.is_empty()).then(|| {
        match needs.from.0.is_empty() {
            true => "from the beginning".to_owned(),
            false => format!("after {}", needs.from.show(&setup.names)),
        }
    });
    let with = (!with.is_empty()).then(|| format!("with {}", with.join(", ")));
    let all: Vec<String> = with.into_iter().chain(begins).collect();
    (!all.is_empty()).then(|| format!("{} fails {}", variant.slug, all.join(", ")))
}
