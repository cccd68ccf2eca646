//! `lockstep judge`: the log of somebody's own program, held against an algorithm.
//!
//! How logs are read and judged is the business of `judge`; this finds the files and the cluster.

use super::cluster::{self, ClusterArgs};
use super::files;
use super::{Answer, Failure, GlobalArgs, Opening, open};
use crate::catalog::Entry;
use crate::judge::log::{Log, Reading};
use crate::judge::{self, How, Unfit};
use crate::lab::Lab;
use crate::model::{Config, Event};
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use regex::Regex;
use std::io::Write;
use std::path::PathBuf;

const ABOUT: &str = "\
Hold the log of your own program against an algorithm

Every node logs what it does: request, send, receive, enter, exit (and crash, recover, timeout). The log \
is brought into an order that respects each node's own order and the messages, the engine gets it event \
by event, and the first line that the rules forbid is told with the rule that fired before it. Who was \
inside beside whom is told whatever the algorithm. The log may end anywhere.

A log is one file, or one for each node. Its form is found out by itself:
  JSON lines   {\"node\": \"P1\", \"event\": \"send\", \"kind\": \"REQUEST\", \"to\": \"P2\", \"stamp\": 3}
  words        P1 send REQUEST to P2 (3,P1)
  ShiViz       P1 {\"P1\":4}, and `send REQUEST to P2 (3,P1)` on the line below
A message may carry an id (\"id\": 7, or #7); without one, sends and receipts are paired in the order of \
their channel. What a node sends at an event stands in its log before its next event.";

const EXAMPLES: &str = "\
Examples:
  lockstep judge ricart-agrawala p1.log p2.log p3.log
  lockstep judge lamport run.jsonl --nodes A,B,C          A comes first in a tie; C may say nothing
  lockstep judge ricart-agrawala run.log --map PERMISSION=REPLY
  lockstep judge lamport run.jsonl --clock tick           stamps are exactly the algorithm's
  lockstep judge maekawa run.jsonl -f json                for CI
  lockstep judge lamport run.jsonl --open                 step it up to the first fault

Exit status:
  0  the log agrees with the algorithm, and nobody was inside beside another
  1  a line is forbidden, or two nodes were inside at once
  2  bad use, or a log that cannot be read";

/// How the report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Sentences
    Text,
    /// One JSON document
    Json,
}

/// Hold the log of your own program against an algorithm
#[derive(Args, Clone, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct Judge {
    /// The algorithm; `lockstep algorithms` lists them
    algorithm: String,
    /// The log: one file, or one for each node; - reads the standard input
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// How to write the report
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// The algorithm's name for a kind of the log; may be given again for another one
    #[arg(long, value_name = "OWN=KIND", value_parser = renamed)]
    map: Vec<(String, String)>,
    /// A regular expression that finds the events: its groups `node` and `event` hold what `words` has
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    regex: Option<Regex>,
    /// Step the run on the screen, up to the first line that is forbidden
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    cluster: LoggedCluster,
}

/// The cluster of a program: like others, but its stamps need not be those of the engine.
#[derive(Clone, Debug)]
struct LoggedCluster {
    args: ClusterArgs,
    any_clock: bool,
}

/// The word for clocks that may run ahead of the rule.
const ANY: &str = "any";

impl Args for LoggedCluster {
    fn augment_args(command: Command) -> Command {
        ClusterArgs::augment_args(command).mut_arg("clock", |clock| {
            clock.value_parser([ANY, "merge", "tick"]).help(
                "Stamps of the log: exactly those of max(own, received), or of one more; or any that are \
                 not below them [default: any]",
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for LoggedCluster {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let word = matches.get_one::<String>("clock");
        let any_clock = word.is_none_or(|word| word.eq_ignore_ascii_case(ANY));
        let mut args = ClusterArgs::from_arg_matches(matches)?;
        if any_clock {
            args.forget("clock");
        }
        Ok(Self { args, any_clock })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// `PERMISSION=REPLY`.
fn renamed(text: &str) -> Result<(String, String), String> {
    let (own, kind) = text.split_once('=').ok_or("write OWN=KIND, as in PERMISSION=REPLY")?;
    Ok((own.trim().to_owned(), kind.trim().to_owned()))
}

fn pattern(text: &str) -> Result<Regex, String> {
    let pattern = Regex::new(text).map_err(|error| error.to_string())?;
    let has = |name: &str| pattern.capture_names().flatten().any(|group| group == name);
    match has("event") && (has("node") || has("host")) {
        true => Ok(pattern),
        false => Err("it needs the groups (?<node>…) and (?<event>…)".to_owned()),
    }
}

impl Judge {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let entry = cluster::find(&self.algorithm)?;
        let log = self.log()?;
        let config = self.config(&entry, &log)?;
        let how = How { any_clock: self.cluster.any_clock, keep: self.open };
        let (report, run) = judge::held(&log, &config, how).map_err(unfit)?;
        drop(log);
        match self.format {
            Format::Text => write!(out, "{report}")?,
            Format::Json => {
                writeln!(out, "{}", serde_json::to_string_pretty(&report).expect("plain data"))?
            }
        }
        if self.open {
            out.flush()?;
            return step(config, run, global);
        }
        Ok(if report.agrees { Answer::Yes } else { Answer::No(None) })
    }

    /// All files of the log.
    fn log(&self) -> Result<Log, Failure> {
        let reading = Reading { kinds: self.map.clone(), pattern: self.regex.clone() };
        let mut log = Log::default();
        for path in &self.logs {
            let (name, text) = files::read_log(path)?;
            log.add(&name, &text, &reading).map_err(|error| Failure::BadUse(error.to_string()))?;
        }
        Ok(log)
    }

    /// The cluster, with the nodes that the log names where none are given.
    fn config(&self, entry: &Entry, log: &Log) -> Result<Config, Failure> {
        let helper = entry.info.helper.map(|helper| helper.name());
        let mut args = self.cluster.args.clone();
        if !args.is_given("nodes") {
            args.give_names(&judge::names(log, helper))?;
        }
        args.config(entry)
    }
}

fn unfit(error: Unfit) -> Failure {
    match error {
        Unfit::Cluster(error) => cluster::unfit(error),
        Unfit::Log(message) => Failure::BadUse(message),
    }
}

/// Opens the run at its end.
fn step(config: Config, run: Option<Vec<Event>>, global: &GlobalArgs) -> Result<Answer, Failure> {
    let Some(run) = run else {
        let message =
            "the stamps run so far ahead of the algorithm's that the run cannot be stepped"
                .to_owned();
        return Err(Failure::BadUse(message));
    };
    let mut lab = Lab::new(config).map_err(cluster::unfit)?;
    for event in run {
        lab.play(event).map_err(|refused| Failure::BadUse(refused.reason))?;
    }
    open(Opening::Run(Box::new(lab)), global)
}
