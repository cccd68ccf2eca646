//! The catalog: from an algorithm's name to everything about it.
//!
//! The only place that knows every algorithm's type; the rest of the program sees `Simulation`.

mod apart;
mod likeness;
mod search;
mod worst;

pub use apart::{Told, grounds, hidden, tell_apart, tells_apart, under};
pub use likeness::{Likeness, likeness};
pub use search::{Elsewhere, cluster, fails_elsewhere, least_nodes, search_for, showing};
pub use worst::{Worst, worst};

use crate::algorithm::{self, Algorithm, Helper, Info, Visitor};
use crate::check::{Explorer, Search, SearchOptions};
use crate::files;
use crate::input::{Seg, count, folded, nearest};
use crate::model::config::MAX_FIRST_CLOCK;
use crate::model::goal::{Count, Overtaking, Test};
use crate::model::node::MAX_CLIENTS;
use crate::model::settings::{ALGORITHM, Needs};
use crate::model::{
    ChannelOrder, Config, Event, Names, NodeId, SETTINGS, Script, Setting, Settings, Setup,
};
use crate::script::{self, Scripted};
use crate::sim::{Cluster, Refused, Simulation};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Longer texts are no algorithms.
const LONGEST: u64 = 64 << 10;

/// An algorithm without its type.
#[derive(Clone)]
pub struct Entry {
    /// What is known about it.
    pub info: &'static Info,
    /// Its text, where somebody wrote it.
    pub script: Option<Arc<Script>>,
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
    fn visit<A: Algorithm>(&mut self, info: &'static Info) {
        self.0.push(Entry::of::<A>(info, None));
    }
}

impl Entry {
    fn of<A: Algorithm>(info: &'static Info, script: Option<Arc<Script>>) -> Self {
        Self {
            info,
            script,
            prepare: A::prepare,
            start: |setup| Box::new(Cluster::<A>::new(setup)),
            search: search_from::<A>,
        }
    }

    /// Its usual cluster of `n` nodes.
    #[must_use]
    pub fn usual(&self, n: usize) -> Config {
        Config { script: self.script.clone(), ..Config::new(self.info.slug, n) }
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

/// The algorithm that a person names: by its slug, or by the file in which it is written. Nothing but what
/// somebody has typed here is opened.
///
/// # Errors
/// Names the nearest slug, or all of them; or all that is wrong with the file.
pub fn named(word: &str) -> Result<Entry, ConfigError> {
    if !Script::is_named(word) {
        return find(word);
    }
    let text = files::open(Path::new(word)).and_then(|file| files::text_up_to(file, LONGEST));
    let text = text.map_err(|error| wrong(ALGORITHM, format!("`{word}`: {error}")))?;
    scripted(Arc::new(Script::new(word, text)))
}

/// The algorithm with a slug.
///
/// # Errors
/// Names the nearest slug, or all of them.
pub fn find(slug: &str) -> Result<Entry, ConfigError> {
    let found = all().iter().find(|e| e.info.slug.eq_ignore_ascii_case(slug));
    found.cloned().ok_or_else(|| {
        if Script::is_named(slug) {
            let takes = "`play`, `run`, `check`, `export` and `judge` take one";
            return wrong(ALGORITHM, format!("`{slug}` is a script; {takes}"));
        }
        let slugs: Vec<&str> = all().iter().map(|e| e.info.slug).collect();
        let message = match nearest_to(slug) {
            Some(close) => format!("no algorithm is called `{slug}`; did you mean `{close}`?"),
            None => format!("no algorithm is called `{slug}`; there are {}", slugs.join(", ")),
        };
        wrong(ALGORITHM, message)
    })
}

/// The algorithm that a text describes.
///
/// # Errors
/// All that is wrong with it, a line for each thing.
pub fn scripted(script: Arc<Script>) -> Result<Entry, ConfigError> {
    let info = script::info(&script).map_err(|problems| wrong(ALGORITHM, problems.to_string()))?;
    Ok(Entry::of::<Scripted>(info, Some(script)))
}

/// The algorithm of a cluster.
///
/// # Errors
/// There is none with its name, or what is wrong with its text.
pub fn of(config: &Config) -> Result<Entry, ConfigError> {
    config.script.clone().map_or_else(|| find(&config.algorithm), scripted)
}

/// The algorithm whose name is nearly this word.
#[must_use]
pub fn nearest_to(word: &str) -> Option<&'static str> {
    nearest(word, all().iter().map(|e| e.info.slug))
}

/// The cluster of an algorithm with the settings that somebody has given: where no nodes are, it is the
/// smallest one in which its variant fails.
///
/// # Errors
/// The first setting that does not have the right form.
pub fn config(entry: &Entry, given: &Settings) -> Result<Config, ConfigError> {
    // A variant that does not exist is reported when the cluster is set up, with the nearest name.
    let variant = given.variant().and_then(|word| entry.info.variant(word));
    let (config, unfit) = given.config(entry.info.slug, least_nodes(variant));
    match unfit.into_iter().next() {
        None => Ok(Config { script: entry.script.clone(), ..config }),
        Some((key, unfit)) => {
            let item = unfit.path.segs().iter().find_map(|seg| match seg {
                Seg::Index(item) => Some(*item),
                Seg::Key(_) => None,
            });
            Err(ConfigError { key, item, message: unfit.message })
        }
    }
}

/// The same settings with those that the variant brings where nothing is said.
///
/// # Errors
/// The first key that does not fit.
pub fn completed(config: &Config) -> Result<Config, ConfigError> {
    let setup = setup(config)?;
    let (storage, fence) =
        setup.storage.map_or((None, config.fence), |(_, rule, fence)| (Some(rule), fence));
    Ok(Config { channels: Some(setup.channels), storage, fence, ..config.clone() })
}

/// Checks settings and completes them.
///
/// # Errors
/// The first key that does not fit, with what was expected.
pub fn setup(config: &Config) -> Result<Setup, ConfigError> {
    let entry = of(config)?;
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
    let (broken, hidden) = find_variant(info, config.variant.as_deref())?;
    let variant = broken.map(|place| &info.variants[place]);
    let shown = variant.and_then(|v| v.shows.storage);
    let storage = match config.storage.map(|rule| (rule, config.fence)).or(shown) {
        Some((rule, fence)) => {
            add_helper(&mut names, "S")?;
            Some((NodeId::at(names.len() - 1), rule, fence))
        }
        None => None,
    };
    if config.clocks.len() > clients {
        let (values, nodes) = (count(config.clocks.len(), "clock value"), count(clients, "node"));
        let message = format!("{values} for {nodes}");
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
        info,
        script: entry.script.clone(),
        broken,
        hidden,
        coordinator,
        storage,
        quorums: Vec::new(),
        tree: Vec::new(),
        options: find_options(info, &config.options)?,
    };
    (entry.prepare)(&mut setup, config).map_err(|message| wrong(prepared_from(info), message))?;
    Ok(setup)
}

/// The setting from which an algorithm prepares its cluster.
fn prepared_from(info: &Info) -> &'static str {
    let special = |setting: &&Setting| match setting.needs {
        Needs::VotingSets | Needs::Tree | Needs::Options => has_meaning(info, setting),
        Needs::Nothing | Needs::Variants | Needs::Coordinator | Needs::Storage => false,
    };
    SETTINGS.iter().find(special).map_or(ALGORITHM, |setting| setting.key)
}

/// Whether a setting means something for an algorithm.
#[must_use]
pub fn has_meaning(info: &Info, setting: &Setting) -> bool {
    match setting.needs {
        Needs::Nothing | Needs::Storage => true,
        Needs::Variants => !info.variants.is_empty(),
        Needs::Options => !info.options.is_empty(),
        Needs::Coordinator => info.helper == Some(Helper::Coordinator),
        Needs::VotingSets => info.voting_sets,
        Needs::Tree => info.tree,
    }
}

/// Why a setting changes nothing in a cluster that can be set up all the same; `None`: it means something.
/// `key` is written as a lesson's `cluster:` writes it.
#[must_use]
pub fn meaningless(config: &Config, key: &str) -> Option<String> {
    let info = of(config).ok()?.info;
    let setting = SETTINGS.iter().find(|setting| setting.key == key)?;
    let meant = has_meaning(info, setting);
    match setting.needs {
        Needs::VotingSets if !meant => Some(format!("{} has no voting sets", info.title)),
        Needs::Tree if !meant => Some(format!("{} has no tree", info.title)),
        Needs::Storage if setup(config).is_ok_and(|setup| setup.storage.is_none()) => {
            Some("without a storage node nothing looks at fences".to_owned())
        }
        // The others are refused when the cluster is set up.
        Needs::Nothing
        | Needs::Variants
        | Needs::VotingSets
        | Needs::Tree
        | Needs::Coordinator
        | Needs::Storage
        | Needs::Options => None,
    }
}

/// The first setting that was given and changes nothing, with the reason.
#[must_use]
pub fn given_for_nothing(config: &Config, given: &Settings) -> Option<(&'static Setting, String)> {
    given.given().find_map(|setting| Some((setting, meaningless(config, setting.key)?)))
}

/// The cluster that the settings describe, at its beginning.
///
/// # Errors
/// The first key that does not fit, or the first event of `start` that is refused.
pub fn start(config: &Config) -> Result<Box<dyn Simulation>, ConfigError> {
    let setup = Arc::new(setup(config)?);
    let entry = of(config)?;
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
    let entry = of(config)?;
    let later =
        |test: &Test| matches!(test, Test::Number(Count::Overtaken(_, Overtaking::Later), ..));
    if options.writes > 0 && options.goal.as_ref().is_some_and(|asked| asked.goal.test.any(&later))
    {
        let message = "who asked later is not told where the storage node is read and written";
        return Err(wrong("goal", message.to_owned()));
    }
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

/// The place of a variant in the algorithm's list, and the word under which the rules are hidden.
fn find_variant(
    info: &'static Info,
    word: Option<&str>,
) -> Result<(Option<usize>, Option<String>), ConfigError> {
    let Some(word) = word else { return Ok((None, None)) };
    if let Some(place) = apart::behind(info, word) {
        return Ok((place, Some(word.to_owned())));
    }
    let place = info.variants.iter().position(|v| v.is_called(word));
    place.map(|place| (Some(place), None)).ok_or_else(|| {
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
