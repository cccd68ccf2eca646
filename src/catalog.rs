//! The catalog: from an algorithm's name to everything about it.
//!
//! The only place that knows every algorithm's type; the rest of the program sees `Simulation`.

use crate::algorithm::{self, Algorithm, Failure, Helper, Info, Shows, Variant, Visitor};
use crate::check::{Explorer, Faults, Search, SearchOptions};
use crate::input::{folded, nearest};
use crate::model::config::MAX_FIRST_CLOCK;
use crate::model::node::MAX_CLIENTS;
use crate::model::{ChannelOrder, Config, Event, Names, NodeId, QuorumChoice, Schedule, Setup};
use crate::sim::{Cluster, Refused, Simulation};
use std::sync::{Arc, LazyLock};

/// An algorithm without its type.
#[derive(Clone, Copy)]
pub struct Entry {
    /// What is known about it.
    pub info: &'static Info,
    prepare: fn(&mut Setup, &Config) -> Result<(), String>,
    start: fn(Arc<Setup>) -> Box<dyn Simulation>,
    search: fn(Arc<Setup>, &[Event], &SearchOptions) -> Begun,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.info.slug)
    }
}

/// Which part of the settings does not fit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// The key, as a lesson's `cluster:` writes it, and the item in it where there is one.
    pub key: &'static str,
    /// The item's place in the key's list.
    pub item: Option<usize>,
    /// What is wrong and what was expected.
    pub message: String,
}

fn wrong(key: &'static str, message: impl Into<String>) -> ConfigError {
    ConfigError { key, item: None, message: message.into() }
}

#[derive(Default)]
struct Collect(Vec<Entry>);

impl Visitor for Collect {
    fn visit<A: Algorithm>(&mut self) {
        self.0.push(Entry {
            info: const { &A::INFO },
            prepare: A::prepare,
            start: |setup| Box::new(Cluster::<A>::new(setup)),
            search: search_from::<A>,
        });
    }
}

/// A search, or the place of the first event before it that is refused.
type Begun = Result<Box<dyn Search>, (usize, Refused)>;

/// A search that begins behind some events: those that the cluster begins with, then those that belong
/// to the run. Errors name the event's place in both lists together.
fn search_from<A: Algorithm>(
    setup: Arc<Setup>,
    before: &[Event],
    options: &SearchOptions,
) -> Begun {
    let mut cluster = Cluster::<A>::new(setup);
    for (i, event) in before.iter().chain(&options.from.0).enumerate() {
        if i == before.len() {
            cluster.begin_here();
        }
        cluster.step(*event).map_err(|refused| (i, refused))?;
    }
    if options.from.0.is_empty() {
        cluster.begin_here();
    }
    Ok(Box::new(Explorer::new(cluster, options.clone())))
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut all = Collect::default();
    algorithm::visit_all(&mut all);
    all.0
});

/// Every algorithm, in the order of the list.
#[must_use]
pub fn all() -> &'static [Entry] {
    &ENTRIES
}

/// The algorithm with a slug.
///
/// # Errors
/// Names the nearest slug, or all of them.
pub fn find(slug: &str) -> Result<&'static Entry, ConfigError> {
    let found = all().iter().find(|e| e.info.slug.eq_ignore_ascii_case(slug));
    found.ok_or_else(|| {
        let slugs: Vec<&str> = all().iter().map(|e| e.info.slug).collect();
        let message = match nearest(slug, slugs.iter().copied()) {
            Some(close) => format!("no algorithm is called `{slug}`; did you mean `{close}`?"),
            None => format!("no algorithm is called `{slug}`; there are {}", slugs.join(", ")),
        };
        wrong("algorithm", message)
    })
}

/// Checks settings and completes them.
///
/// # Errors
/// The first key that does not fit, with what was expected.
pub fn setup(config: &Config) -> Result<Setup, ConfigError> {
    let entry = find(&config.algorithm)?;
    let info = entry.info;
    let mut names = check_names(&config.nodes)?;
    let clients = names.len();
    let mut coordinator = None;
    if let Some(name) = &config.coordinator {
        if info.helper != Some(Helper::Coordinator) {
            return Err(wrong("coordinator", format!("{} has no coordinator", info.title)));
        }
        let found = Names::new(names.clone()).find(name);
        let known = names.join(", ");
        coordinator = Some(found.ok_or_else(|| {
            wrong("coordinator", format!("no node `{name}`; this cluster has {known}"))
        })?);
    } else if let Some(helper) = info.helper {
        add_helper(&mut names, helper.name())?;
        coordinator = Some(NodeId::at(names.len() - 1));
    }
    let variant = find_variant(info, config.variant.as_deref())?;
    let shown = variant.and_then(|v| v.shows.storage);
    let storage = match config.storage.map(|rule| (rule, config.fence)).or(shown) {
        Some((rule, fence)) => {
            add_helper(&mut names, "S")?;
            Some((NodeId::at(names.len() - 1), rule, fence))
        }
        None => None,
    };
    if config.clocks.len() > clients {
        let message = format!("{} clock values for {clients} nodes", config.clocks.len());
        return Err(wrong("clocks", message));
    }
    if let Some(i) = config.clocks.iter().position(|c| *c > MAX_FIRST_CLOCK) {
        let message = format!("a clock begins with at most {MAX_FIRST_CLOCK}");
        return Err(ConfigError { key: "clocks", item: Some(i), message });
    }
    let mut clocks = config.clocks.clone();
    clocks.resize(names.len(), 0);
    let wanted = variant.and_then(|v| v.shows.channels);
    let mut setup = Setup {
        names: Names::new(names),
        clients,
        clocks,
        clock_rule: config.clock,
        channels: config.channels.or(wanted).unwrap_or(ChannelOrder::Fifo),
        variant: variant.map(|v| v.id),
        coordinator,
        storage,
        quorums: Vec::new(),
        tree: Vec::new(),
        options: find_options(info, &config.options)?,
    };
    (entry.prepare)(&mut setup, config).map_err(|message| wrong("algorithm", message))?;
    Ok(setup)
}

/// Why a setting has no meaning for an algorithm; `None`: it has one. `key` is written as a lesson's
/// `cluster:` writes it.
#[must_use]
pub fn meaningless(config: &Config, key: &str) -> Option<String> {
    let info = find(&config.algorithm).ok()?.info;
    // The usual cluster has voting sets or a tree exactly if the algorithm needs them.
    let usual = setup(&Config::new(info.slug, 4)).ok()?;
    match key {
        "quorums" if usual.quorums.is_empty() => Some(format!("{} has no voting sets", info.title)),
        "tree" if usual.tree.is_empty() => Some(format!("{} has no tree", info.title)),
        "fence" if setup(config).is_ok_and(|setup| setup.storage.is_none()) => {
            Some("without a storage node nothing looks at fences".to_owned())
        }
        _ => None,
    }
}

/// The cluster that the settings describe, at its beginning.
///
/// # Errors
/// The first key that does not fit, or the first event of `start` that is refused.
pub fn start(config: &Config) -> Result<Box<dyn Simulation>, ConfigError> {
    let setup = Arc::new(setup(config)?);
    let entry = find(&config.algorithm)?;
    let mut sim = (entry.start)(Arc::clone(&setup));
    for (i, event) in start_events(config, &setup)?.into_iter().enumerate() {
        sim.step(event).map_err(|e| refused_at(config, i, &e))?;
    }
    if !config.start.is_empty() {
        sim.begin_here();
    }
    Ok(sim)
}

/// A search over every schedule of the cluster that the settings describe.
///
/// # Errors
/// The first key that does not fit, or the first event of `start` or `from` that is refused.
pub fn search(config: &Config, options: &SearchOptions) -> Result<Box<dyn Search>, ConfigError> {
    let setup = Arc::new(setup(config)?);
    let entry = find(&config.algorithm)?;
    let before = start_events(config, &setup)?;
    (entry.search)(Arc::clone(&setup), &before, options).map_err(|(i, refused)| {
        if i < before.len() {
            return refused_at(config, i, &refused);
        }
        let item = i - before.len();
        let event = options.from.0[item].show(&setup.names);
        let message = format!("event {}, `{event}`, is refused: {}", item + 1, refused.reason);
        ConfigError { key: "from", item: Some(item), message }
    })
}

/// The smallest cluster that shows what a variant breaks, and what has to be played in it.
///
/// # Panics
/// If a budget or a goal of the catalog does not parse, which the checker's tests exclude.
#[must_use]
pub fn showing(info: &Info, variant: &Variant) -> (Config, SearchOptions) {
    let Shows { n, requests, quorums, faults, channels, storage, writes, from } = variant.shows;
    let mut config = Config::new(info.slug, n);
    config.variant = Some(variant.slug.to_owned());
    config.channels = channels;
    if let Some((rule, fence)) = storage {
        (config.storage, config.fence) = (Some(rule), fence);
    }
    if !quorums.is_empty() {
        let name = |place: &u8| config.nodes[usize::from(*place)].clone();
        let sets = quorums.iter().map(|set| set.iter().map(name).collect());
        config.quorums = QuorumChoice::Sets(sets.collect());
    }
    let faults = Faults::parse(faults).expect("the catalog's budgets parse");
    let names = setup(&config).expect("the catalog's clusters fit").names;
    let goal = match variant.failure {
        Failure::Goal(text) => {
            let sim = start(&config).expect("the catalog's clusters start");
            Some(crate::sim::goal(text, sim.as_ref()).expect("the catalog's goals parse"))
        }
        _ => None,
    };
    let options = SearchOptions {
        requests: requests.to_vec(),
        faults,
        writes: u8::try_from(writes).expect("the catalog's budgets are small"),
        goal,
        from: Schedule::parse(from, &names).expect("the catalog's schedules parse"),
        // With faults even the right algorithm gets stuck.
        mutex_only: variant.failure == Failure::Violation && faults != Faults::NONE,
        ..SearchOptions::default()
    };
    (config, options)
}

fn start_events(config: &Config, setup: &Setup) -> Result<Vec<Event>, ConfigError> {
    let one = |(i, text): (usize, &String)| {
        let at = |message: String| ConfigError { key: "start", item: Some(i), message };
        Event::parse(text, &setup.names).map_err(|e| at(e.message))
    };
    config.start.iter().enumerate().map(one).collect()
}

fn refused_at(config: &Config, item: usize, refused: &Refused) -> ConfigError {
    let message = format!("`{}` cannot happen here: {}", config.start[item], refused.reason);
    ConfigError { key: "start", item: Some(item), message }
}

fn add_helper(names: &mut Vec<String>, name: &str) -> Result<(), ConfigError> {
    if names.iter().any(|n| n.eq_ignore_ascii_case(name)) {
        let message =
            format!("`{name}` is the name of this cluster's helper; call the node otherwise");
        return Err(wrong("nodes", message));
    }
    names.push(name.to_owned());
    Ok(())
}

fn check_names(names: &[String]) -> Result<Vec<String>, ConfigError> {
    if names.is_empty() || names.len() > MAX_CLIENTS {
        let message = format!("a cluster has 1 to {MAX_CLIENTS} nodes, not {}", names.len());
        return Err(wrong("nodes", message));
    }
    for (i, name) in names.iter().enumerate() {
        let at = |message: String| ConfigError { key: "nodes", item: Some(i), message };
        let good = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || name.chars().count() > 12 || !name.chars().all(good) {
            return Err(at(format!("`{name}` is no name: use 1 to 12 letters, digits, - _ or .")));
        }
        if names[..i].iter().any(|n| n.eq_ignore_ascii_case(name)) {
            return Err(at(format!("two nodes are called `{name}`")));
        }
        if name.eq_ignore_ascii_case("none") {
            return Err(at("`none` says that there is nobody; call the node otherwise".into()));
        }
        // `-` says that there is nothing, in `a->b` a hyphen belongs to the arrow, and a full stop ends a
        // sentence.
        let says = name.contains(|c: char| c.is_alphanumeric() || c == '_');
        if !says || name.ends_with(['-', '.']) {
            return Err(at(format!("`{name}` is no name: end it with a letter, a digit or _")));
        }
        let kept = folded(name);
        if kept != *name {
            return Err(at(format!("`{name}` cannot be told from `{kept}`: write it so")));
        }
    }
    Ok(names.to_vec())
}

fn find_variant(
    info: &'static Info,
    word: Option<&str>,
) -> Result<Option<&'static Variant>, ConfigError> {
    let Some(word) = word else { return Ok(None) };
    info.variant(word).map(Some).ok_or_else(|| {
        let slugs: Vec<&str> = info.variants.iter().map(|v| v.slug).collect();
        let message = match (nearest(word, slugs.iter().copied()), slugs.is_empty()) {
            (_, true) => format!("{} has no variants", info.title),
            (Some(close), _) => format!("no variant is called `{word}`; did you mean `{close}`?"),
            (None, _) => format!("no variant is called `{word}`; there are {}", slugs.join(", ")),
        };
        wrong("variant", message)
    })
}

fn find_options(info: &'static Info, words: &[String]) -> Result<Vec<&'static str>, ConfigError> {
    let one = |(i, word): (usize, &String)| {
        let found = info.options.iter().find(|o| o.name == word.as_str()).map(|o| o.name);
        let known: Vec<&str> = info.options.iter().map(|o| o.name).collect();
        found.ok_or_else(|| ConfigError {
            key: "options",
            item: Some(i),
            message: match known.is_empty() {
                true => format!("{} has no options", info.title),
                false => format!("no option is called `{word}`; there are {}", known.join(", ")),
            },
        })
    };
    words.iter().enumerate().map(one).collect()
}
