//! The options that describe a cluster, shared by every command that starts one.
//!
//! They become a `Config`; whether that fits the algorithm is decided by the catalog.

use super::failure::caret;
use super::screen::{library, not_opened};
use super::words::{self, Clocks, Nodes, Tree, one_of};
use super::{Failure, GlobalArgs, files};
use crate::catalog::{self, ConfigError, Entry};
use crate::input::clean;
use crate::lab::Lab;
use crate::lesson::kinds::{self, Kind};
use crate::lesson::load;
use crate::lesson::{Lesson, NotOpened};
use crate::model::{ChannelOrder, ClockRule, Config, FenceOn, Names, QuorumChoice, StorageRule};
use clap::Args;
use std::sync::Arc;

const CHANNELS: &[(&str, ChannelOrder)] =
    &[("fifo", ChannelOrder::Fifo), ("any-order", ChannelOrder::AnyOrder)];
const CLOCK_RULES: &[(&str, ClockRule)] = &[("merge", ClockRule::Merge), ("tick", ClockRule::Tick)];
const STORAGES: &[(&str, StorageRule)] =
    &[("plain", StorageRule::Plain), ("fenced", StorageRule::Fenced)];
const FENCES: &[(&str, FenceOn)] = &[("writes", FenceOn::Writes), ("both", FenceOn::Both)];

/// How messages call what `-` stands for.
const STDIN: &str = "the standard input";

/// The options that describe a cluster.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Cluster")]
pub struct ClusterArgs {
    /// How many nodes (1 to 16), or their names: A,B,C [default: 3, or what the variant needs]
    #[arg(short, long, value_name = "N|NAMES", value_parser = words::nodes)]
    nodes: Option<Nodes>,
    /// Play a broken variant; `lockstep algorithms NAME` lists them
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Order in which a channel hands over its messages [default: fifo, or what the variant needs]
    #[arg(long, value_name = "ORDER", value_parser = one_of(CHANNELS))]
    channels: Option<ChannelOrder>,
    /// First clock values, in the order of the nodes; the rest begin at 0
    #[arg(long, value_name = "4,2,0", value_parser = words::clocks, allow_hyphen_values = true)]
    clocks: Option<Clocks>,
    /// What a receipt does to a clock: max(own, received), or one more [default: merge]
    #[arg(long, value_name = "RULE", value_parser = one_of(CLOCK_RULES))]
    clock: Option<ClockRule>,
    /// Voting sets: cyclic, grid, plane, or a file with one set of names a line [default: cyclic]
    #[arg(long, value_name = "KIND|FILE")]
    quorums: Option<String>,
    /// Tree of nodes: star, line, heap, or each node's neighbour towards the first: P2>P1,P3>P1
    /// [default: star]
    #[arg(long, value_name = "SHAPE", value_parser = words::tree)]
    tree: Option<Tree>,
    /// Make this node the coordinator in place of an extra node C
    #[arg(long, value_name = "NODE")]
    coordinator: Option<String>,
    /// Add a storage node S: plain takes every write, fenced refuses a fence below the highest it has seen
    #[arg(long, value_name = "KIND", value_parser = one_of(STORAGES))]
    storage: Option<StorageRule>,
    /// Which storage requests carry a fence that is looked at [default: writes]
    #[arg(long, value_name = "WHICH", requires = "storage", value_parser = one_of(FENCES))]
    fence: Option<FenceOn>,
    /// Switch on an option of the algorithm; may be given again for another one
    #[arg(long = "option", value_name = "NAME")]
    options: Vec<String>,
    /// Events to play before step 0, separated by `;`
    #[arg(long, value_name = "EVENTS")]
    start: Option<String>,
}

impl ClusterArgs {
    /// The name of an option that was given, if one was.
    pub(super) fn given(&self) -> Option<&'static str> {
        // Taken apart, so that a new option cannot be forgotten here.
        let Self {
            nodes,
            variant,
            channels,
            clocks,
            clock,
            quorums,
            tree,
            coordinator,
            storage,
            fence,
            options,
            start,
        } = self;
        let given = [
            (nodes.is_some(), "nodes"),
            (variant.is_some(), "variant"),
            (channels.is_some(), "channels"),
            (clocks.is_some(), "clocks"),
            (clock.is_some(), "clock"),
            (quorums.is_some(), "quorums"),
            (tree.is_some(), "tree"),
            (coordinator.is_some(), "coordinator"),
            (storage.is_some(), "storage"),
            (fence.is_some(), "fence"),
            (!options.is_empty(), "option"),
            (start.is_some(), "start"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }

    /// A lab at the beginning of the cluster.
    ///
    /// # Errors
    /// The first option that does not fit.
    pub fn lab(&self, entry: &Entry) -> Result<Lab, Failure> {
        Lab::new(self.config(entry)?).map_err(unfit)
    }

    /// The settings, with what the variant needs where nothing is said.
    ///
    /// # Errors
    /// A file of voting sets that cannot be read.
    pub fn config(&self, entry: &Entry) -> Result<Config, Failure> {
        // A variant that does not exist is reported by the catalog, with the nearest name.
        let variant = self.variant.as_deref().and_then(|word| entry.info.variant(word));
        let clocks = self.clocks.as_ref().map_or(Vec::new(), |c| c.0.clone());
        let nodes = match &self.nodes {
            Some(Nodes::Names(names)) => names.clone(),
            Some(Nodes::Count(n)) => Names::numbered(*n),
            None => Names::numbered(catalog::least_nodes(variant).max(clocks.len())),
        };
        let start = self.start.as_deref().unwrap_or_default().split([';', '\n']);
        let tree = self.tree.as_ref().and_then(|t| t.pairs(&nodes));
        let usual = catalog::cluster(entry.info, variant, nodes);
        let config = Config {
            variant: self.variant.clone(),
            quorums: self.quorum_choice()?.unwrap_or(usual.quorums),
            tree,
            clocks,
            clock: self.clock.unwrap_or_default(),
            channels: self.channels,
            coordinator: self.coordinator.clone(),
            storage: self.storage,
            fence: self.fence.unwrap_or_default(),
            options: self.options.clone(),
            start: start.map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect(),
            ..usual
        };
        let given = [("quorums", self.quorums.is_some()), ("tree", self.tree.is_some())];
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            if let Some(why) = catalog::meaningless(&config, key) {
                return Err(Failure::BadUse(format!("--{key} has no meaning here: {why}")));
            }
        }
        Ok(config)
    }

    fn quorum_choice(&self) -> Result<Option<QuorumChoice>, Failure> {
        Ok(Some(match self.quorums.as_deref() {
            Some("cyclic") => QuorumChoice::Cyclic,
            Some("grid") => QuorumChoice::Grid,
            Some("plane") => QuorumChoice::Plane,
            Some(path) => QuorumChoice::Sets(sets(&files::read_text(path)?)),
            None => return Ok(None),
        }))
    }
}

/// One set a line, names separated by spaces or commas; what stands before a colon is the set's owner
/// and only for the reader, `#` begins a comment.
fn sets(text: &str) -> Vec<Vec<String>> {
    let names = |line: &str| -> Vec<String> {
        let line = line.split('#').next().unwrap_or_default();
        let members = line.split_once(':').map_or(line, |(_, members)| members);
        let words = members.split(|c: char| c == ',' || c.is_whitespace());
        words.filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    text.lines().map(names).filter(|set| !set.is_empty()).collect()
}

/// A setting that does not fit, named as the command line names it.
pub(super) fn unfit(error: ConfigError) -> Failure {
    let option = match error.key {
        "algorithm" => return Failure::BadUse(error.message),
        "options" => "option",
        key => key,
    };
    let item = match (error.key, error.item) {
        ("start", Some(i)) => format!(" (event {})", i + 1),
        _ => String::new(),
    };
    Failure::BadUse(format!("--{option}{item}: {}", error.message))
}

/// A cluster that a word of the command line names.
#[derive(Debug)]
pub(super) struct Named {
    /// Its algorithm.
    pub(super) entry: &'static Entry,
    /// Its settings.
    pub(super) config: Config,
    /// The lesson, if the word names one.
    pub(super) lesson: Option<Arc<Lesson>>,
    /// The run, played to its end, if the word is one or names its file.
    pub(super) run: Option<Lab>,
}

/// The cluster of an algorithm with these options, or of a lesson: by its number, id, the beginning of
/// its id, or its file; or of a run. `-` is either, on the standard input.
///
/// # Errors
/// Nothing is called so; an option does not fit; the lesson is at fault, or options are given for its
/// cluster.
pub(super) fn named(word: &str, args: &ClusterArgs, global: &GlobalArgs) -> Result<Named, Failure> {
    let unknown = match catalog::find(word) {
        Ok(entry) => {
            return Ok(Named { entry, config: args.config(entry)?, lesson: None, run: None });
        }
        Err(unknown) => unknown,
    };
    let lesson = match given(word)? {
        Some(Given::Run(lab)) => {
            if let Some(option) = args.given() {
                return Err(Failure::BadUse(format!("--{option}: a run brings its own cluster")));
            }
            let config = lab.config().clone();
            let entry = find(&config.algorithm)?;
            return Ok(Named { entry, config, lesson: None, run: Some(*lab) });
        }
        Some(Given::Lesson(text)) => lesson_of(&text, global.who.as_deref().unwrap_or_default())?,
        None => lesson_called(word, &unknown, global)?,
    };
    if let Some(option) = args.given() {
        let id = &lesson.id;
        return Err(Failure::BadUse(format!(
            "--{option}: the lesson `{id}` brings its own cluster"
        )));
    }
    Ok(Named {
        entry: catalog::find(&lesson.config.algorithm).map_err(unfit)?,
        config: lesson.config.clone(),
        lesson: Some(lesson),
        run: None,
    })
}

/// A lesson of the library, or of a file; `unknown` is why the word is no algorithm.
fn lesson_called(
    word: &str,
    unknown: &ConfigError,
    global: &GlobalArgs,
) -> Result<Arc<Lesson>, Failure> {
    match library(global)?.open(word) {
        Ok(lesson) => Ok(lesson),
        // A near miss of an algorithm's name is told as that alone.
        Err(NotOpened::Unknown(_)) if catalog::nearest_to(word).is_some() => {
            Err(unfit(unknown.clone()))
        }
        Err(NotOpened::Unknown(_)) => {
            let message = format!("no lesson is called `{word}`, and {}", unknown.message);
            Err(Failure::BadUse(message))
        }
        Err(bad) => Err(not_opened(bad)),
    }
}

/// What a word of the command line holds by itself, or the standard input does.
#[derive(Debug)]
pub(super) enum Given {
    /// A run, played to its end.
    Run(Box<Lab>),
    /// The text of a lesson.
    Lesson(String),
}

/// The run that a word is, or whose file it names, or what the standard input holds; `None`: it is a
/// name.
///
/// # Errors
/// The text cannot be read, or is neither.
pub(super) fn given(word: &str) -> Result<Option<Given>, Failure> {
    let (what, text) = match word {
        "-" => (STDIN.to_owned(), files::read_text("-")?),
        line if line.contains([';', '\n']) => ("the run".to_owned(), line.to_owned()),
        file if file.ends_with(".run") => (format!("`{file}`"), files::read_text(file)?),
        _ => return Ok(None),
    };
    match kinds::of(&text) {
        Some(Kind::Lesson | Kind::Copy) => return Ok(Some(Given::Lesson(text))),
        Some(other @ (Kind::Answers(_) | Kind::Kept(_))) => {
            let message = format!("{what}: {}", kinds::instead(&other, &Kind::Run));
            return Err(Failure::BadUse(message));
        }
        Some(Kind::Run) | None => {}
    }
    let lab = Lab::of_line(&text).map_err(|error| {
        let shown = error.place().map(|at| format!("\n{}", caret(&clean(&text), at)));
        Failure::BadUse(format!("{what}: {error}{}", shown.unwrap_or_default()))
    })?;
    Ok(Some(Given::Run(Box::new(lab))))
}

/// Checks the text of a lesson that came in by the standard input, drawn for somebody.
///
/// # Errors
/// Everything that is wrong with it.
pub(super) fn lesson_of(text: &str, who: &str) -> Result<Arc<Lesson>, Failure> {
    let source = load::source_of_reader(STDIN, text.as_bytes());
    source
        .and_then(|source| load::checked_for(source, who))
        .map_err(|bad| not_opened(NotOpened::Bad(bad)))
}

/// The algorithm with a name.
///
/// # Errors
/// Names the nearest one.
pub fn find(name: &str) -> Result<&'static Entry, Failure> {
    catalog::find(name).map_err(unfit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_brings_its_smallest_cluster_unless_told_otherwise() {
        let entry = find("ricart-agrawala").expect("an algorithm of the catalog");
        let config = |args: ClusterArgs| args.config(entry).expect("no file is named");
        let tie = || Some("tie-replies".to_owned());
        let args = ClusterArgs { variant: tie(), ..Default::default() };
        assert_eq!(config(args).nodes.len(), 2);
        let clocks = Some(Clocks(vec![1, 2, 3, 4]));
        let args = ClusterArgs { variant: tie(), clocks, ..Default::default() };
        assert_eq!(config(args).nodes.len(), 4, "as many nodes as clock values");
        let args =
            ClusterArgs { nodes: Some(Nodes::Count(5)), variant: tie(), ..Default::default() };
        assert_eq!(config(args).nodes.len(), 5);
    }

    #[test]
    fn a_file_of_voting_sets_has_one_set_a_line() {
        let text = "# three nodes\nP1: P1, P2\nP2 P3\n\nP3: P1,P3  # the last\n";
        assert_eq!(sets(text), [["P1", "P2"], ["P2", "P3"], ["P1", "P3"]]);
    }
}
