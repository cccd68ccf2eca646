//! The options that describe a cluster, shared by every command that starts one.
//!
//! They become a `Config`; whether that fits the algorithm is decided by the catalog.

use super::failure::caret;
use super::screen::{library, not_opened};
use super::{Failure, GlobalArgs, files};
use crate::catalog::{self, ConfigError, Entry};
use crate::input::{Raw, Text, clean};
use crate::lab::Lab;
use crate::lesson::kinds::{self, Kind};
use crate::lesson::load;
use crate::lesson::{Lesson, NotOpened};
use crate::model::settings::{self, Needs, Shape};
use crate::model::{Config, Script, Setting, Settings};
use clap::builder::{PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::path::Path;
use std::sync::Arc;

/// How messages call what `-` stands for.
const STDIN: &str = "the standard input";

/// The options that describe a cluster: those of the settings table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClusterArgs(Settings);

impl Args for ClusterArgs {
    fn augment_args(command: Command) -> Command {
        command.args(settings::of_clusters().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ClusterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in settings::of_clusters() {
            if let Some(values) = matches.get_many::<String>(setting.key) {
                let text = values.map(String::as_str).collect::<Vec<_>>().join(",");
                self.0.set(setting, Raw::Text(Text::new(&text)));
            }
        }
        Ok(())
    }
}

/// The option of a setting.
fn option(setting: &'static Setting) -> Arg {
    let from_file = setting.shape == Shape::Sets;
    let usual = match setting.usual {
        "" => String::new(),
        usual => format!(" [default: {usual}]"),
    };
    let file = if from_file { "; or a file with one set of names a line" } else { "" };
    let arg = Arg::new(setting.key)
        .long(setting.option)
        .value_name(if from_file { "KIND|SETS|FILE" } else { setting.form })
        .help(format!("{}{file}{usual}", setting.about))
        .help_heading("Cluster")
        .allow_hyphen_values(setting.shape == Shape::Numbers)
        .ignore_case(true);
    let arg = if setting.option == setting.key { arg } else { arg.alias(setting.key) };
    let arg = setting.short.map_or(arg.clone(), |short| arg.short(short));
    // A fence without a storage node is looked at by nobody.
    let arg = if setting.needs == Needs::Storage { arg.requires("storage") } else { arg };
    match setting.shape {
        Shape::Word => {
            arg.value_parser(PossibleValuesParser::new(setting.words.iter().map(|(word, _)| *word)))
        }
        Shape::List => arg.action(ArgAction::Append),
        // Whether it names a file shows when the cluster is made.
        Shape::Sets => arg,
        Shape::Name | Shape::Names | Shape::Numbers | Shape::Tree => {
            arg.value_parser(ValueParser::from(move |text: &str| {
                setting.check(text).map(|()| text.to_owned())
            }))
        }
    }
}

impl ClusterArgs {
    /// The name of an option that was given, if one was.
    pub(super) fn given(&self) -> Option<&'static str> {
        self.0.given().next().map(|setting| setting.option)
    }

    /// Whether the setting with a key was given.
    pub(super) fn is_given(&self, key: &str) -> bool {
        self.0.given().any(|setting| setting.key == key)
    }

    /// Takes the setting with a key back.
    pub(super) fn forget(&mut self, key: &str) {
        if let Ok(setting) = settings::find(key) {
            self.0.set(setting, Raw::Nothing);
        }
    }

    /// Gives the nodes by their names.
    ///
    /// # Errors
    /// They are no names, or too many.
    pub(super) fn give_names(&mut self, names: &[String]) -> Result<(), Failure> {
        let nodes = settings::find("nodes").expect("it is one of the table");
        let names = names.iter().map(|name| Raw::Text(Text::new(name))).collect();
        self.0.set(nodes, Raw::List(names));
        Ok(())
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
    /// A file of voting sets that cannot be read, or an option that does not fit.
    pub fn config(&self, entry: &Entry) -> Result<Config, Failure> {
        let mut given = self.0.clone();
        for setting in self.0.given().filter(|setting| setting.shape == Shape::Sets) {
            let word = given.text(setting).unwrap_or_default();
            let known = setting.words.iter().any(|(known, _)| known.eq_ignore_ascii_case(word));
            if !known && (!word.contains(',') || Path::new(word).exists()) {
                let text = sets(&files::read_text(word)?);
                given.set(setting, Raw::Text(Text::new(&text)));
            }
        }
        let config = catalog::config(entry, &given).map_err(unfit)?;
        match catalog::given_for_nothing(&config, &given) {
            Some((setting, why)) => {
                let option = setting.option;
                Err(Failure::BadUse(format!("--{option} has no meaning here: {why}")))
            }
            None => Ok(config),
        }
    }
}

/// One set a line, names separated by spaces or commas; what stands before a colon is the set's owner
/// and only for the reader, `#` begins a comment.
fn sets(text: &str) -> String {
    let names = |line: &str| -> String {
        let line = line.split('#').next().unwrap_or_default();
        let members = line.split_once(':').map_or(line, |(_, members)| members);
        let words = members.split(|c: char| c == ',' || c.is_whitespace());
        words.filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(names).filter(|set| !set.is_empty()).map(|set| set + ",").collect()
}

/// A setting that does not fit, named as the command line names it.
pub(super) fn unfit(error: ConfigError) -> Failure {
    let Ok(setting) = settings::find(error.key) else { return Failure::BadUse(error.message) };
    let option = setting.option;
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
    pub(super) entry: Entry,
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
    let unknown = match catalog::named(word) {
        Ok(entry) => {
            let config = args.config(&entry)?;
            return Ok(Named { entry, config, lesson: None, run: None });
        }
        Err(wrong) if Script::is_named(word) => return Err(Failure::BadUse(wrong.message)),
        Err(unknown) => unknown,
    };
    let lesson = match given(word)? {
        Some(Given::Run(lab)) => {
            if let Some(option) = args.given() {
                return Err(Failure::BadUse(format!("--{option}: a run brings its own cluster")));
            }
            let config = lab.config().clone();
            let entry = catalog::of(&config).map_err(unfit)?;
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
        entry: catalog::of(&lesson.config).map_err(unfit)?,
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
        Err(NotOpened::Unknown(_) | NotOpened::Several(_))
            if catalog::nearest_to(word).is_some() =>
        {
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
        Some(other @ (Kind::Answers(_) | Kind::Kept(_) | Kind::Script)) => {
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
pub fn find(name: &str) -> Result<Entry, Failure> {
    catalog::named(name).map_err(unfit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_brings_its_smallest_cluster_unless_told_otherwise() {
        let nodes = |options: &[&str]| {
            let command = ClusterArgs::augment_args(Command::new("play").no_binary_name(true));
            let options = ["--variant", "tie-replies"].iter().chain(options);
            let matches = command.try_get_matches_from(options).expect("options of the table");
            let args = ClusterArgs::from_arg_matches(&matches).expect("the same");
            let entry = find("ricart-agrawala").expect("an algorithm of the catalog");
            args.config(&entry).expect("no file is named").nodes.len()
        };
        assert_eq!(nodes(&[]), 2);
        assert_eq!(nodes(&["--clocks", "1,2,3,4"]), 4, "as many nodes as clock values");
        assert_eq!(nodes(&["-n", "5"]), 5);
    }

    #[test]
    fn a_file_of_voting_sets_has_one_set_a_line() {
        let text = "# three nodes\nP1: P1, P2\nP2 P3\n\nP3: P1,P3  # the last\n";
        assert_eq!(sets(text), "P1 P2,P2 P3,P1 P3,");
    }
}
