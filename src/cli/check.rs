//! `lockstep check`: every schedule of a small cluster.
//!
//! It asks the checker and writes its report; what is played and what counts as a failure is decided
//! there.

use super::check_like::{self, Compared};
use super::cluster::{self, ClusterArgs, Named};
use super::failure::caret;
use super::words::one_of;
use super::{Answer, Failure, GlobalArgs};
use crate::catalog::{self, Worst};
use crate::check::{Asked, Faults, Report, Requests, Search, SearchOptions, Verdict};
use crate::input::count;
use crate::lab::Lab;
use crate::model::goal::Overtaking;
use crate::model::{Config, Schedule};
use crate::sim::Progress;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

const ABOUT: &str = "\
Check every schedule of a small cluster

Requests, deliveries and exits are played in every order; timeouts, drops, duplicates, crashes and \
recoveries only as often as --faults allows. The verdict says within which bounds it holds. A failure \
comes with a shortest schedule, which `lockstep run --schedule` takes. States are compared whole, \
never by a fingerprint.";

const EXAMPLES: &str = "\
Examples:
  lockstep check lamport -n 2
  lockstep check lamport -n 2 --channels any-order     # violated after 4 events
  lockstep check ricart-agrawala --variant tie-defers  # stuck
  lockstep check central --faults crash=1 --goal \"crashed(C) and waiting(P1)\"
  lockstep check lamport -n 4 --states 1000000         # a limit is never called safe
  lockstep check 9                                     # the cluster of lesson 9
  lockstep check raymond --always \"tokens() == 1\"      # an invariant
  lockstep check ricart-agrawala --worst overtaken     # how often, at most
  lockstep check my.rhai=ricart-agrawala               # does it do the same?

Exit status: 0 safe, or the goal of --goal is reached; 1 violated, stuck, never ends, a
limit, the goal of --goal is out of reach, or the goal by which a variant fails is
reached; 2 bad use.";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Json,
}

/// The version of the report in JSON.
const VERSION: u32 = 2;

const FORMATS: &[(&str, Format)] = &[("text", Format::Text), ("json", Format::Json)];

/// How many states are worked on between two looks at the time.
const SLICE: usize = 200_000;
/// How long it works before it says that it is still at it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Check every schedule of a small cluster
#[derive(Args, Clone, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct Check {
    /// The algorithm; or a lesson, by its number, its id or its file, or a run, by its .run file or as
    /// its line, which bring their cluster. - reads either from the standard input
    #[arg(value_name = "ALGORITHM|LESSON|RUN")]
    algorithm: String,
    /// How often every node asks: one number for all, or one for each: 2,1,1 [default: 1, or what the
    /// variant needs]
    #[arg(long, value_name = "R|2,1,1", value_parser = Requests::parse, allow_hyphen_values = true)]
    requests: Option<Requests>,
    /// Events to play first, separated by `;`
    #[arg(long, value_name = "EVENTS")]
    from: Option<String>,
    /// How often faults may happen: crash=1,timeout=1 [default: none, or what the variant needs]
    #[arg(long, value_name = "LIST", value_parser = Faults::parse)]
    faults: Option<Faults>,
    /// How often a client may read, and write, during each stay inside, where there is a storage node
    /// [default: 0, or what the variant needs]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(..=100))]
    writes: Option<u8>,
    /// Ask whether this can be reached, in place of asking whether the algorithm is right
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,
    /// Ask whether this holds in every state, in place of asking whether the algorithm is right
    #[arg(long, value_name = "GOAL", conflicts_with = "goal")]
    always: Option<String>,
    /// Find how often others enter at most between a node's request and its entry: all others, or those
    /// alone who asked later, in the order of cause and effect
    #[arg(long, value_name = "MEASURE", conflicts_with_all = ["goal", "always"], value_parser = one_of(&Overtaking::ALL))]
    worst: Option<Overtaking>,
    /// Stop at so many states; the answer is then `limit`, never safe
    #[arg(long, value_name = "NUMBER")]
    states: Option<usize>,
    /// Stop at so much memory: 500M, 4G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<usize>,
    /// Compare whole states; this is always done, and the option is there to say so
    #[arg(long)]
    exact: bool,
    /// Explore every state, also those that cannot change the verdict
    #[arg(long)]
    no_reduction: bool,
    /// Print how many new states there are at each depth
    #[arg(long)]
    counts: bool,
    /// How many threads work
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// How to write the report
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS))]
    format: Format,
    #[command(flatten)]
    cluster: ClusterArgs,
}

/// `500M`, `4G`, `100000`, in bytes.
fn size(text: &str) -> Result<usize, String> {
    let wrong = || format!("`{text}` is no size; write 500M or 4G");
    let (digits, unit) = match text.trim_end_matches(['b', 'B']) {
        t if t.ends_with(['k', 'K']) => (&t[..t.len() - 1], 1 << 10),
        t if t.ends_with(['m', 'M']) => (&t[..t.len() - 1], 1 << 20),
        t if t.ends_with(['g', 'G']) => (&t[..t.len() - 1], 1 << 30),
        t => (t, 1),
    };
    let n: usize = digits.trim().parse().map_err(|_| wrong())?;
    n.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or_else(wrong)
}

impl Check {
    pub(super) fn execute(
        mut self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        if let Some(words) = check_like::pair(&self.algorithm) {
            let config = cluster::named(words.0, &self.cluster, global)?.config;
            let requests = self.requests.as_ref().map(|r| r.for_each(config.nodes.len()));
            let requests = requests.transpose().map_err(Failure::BadUse)?;
            let requests = requests.unwrap_or_else(|| vec![1; config.nodes.len()]);
            let json = (self.format == Format::Json).then_some(VERSION);
            let compared = Compared { words, config, requests, states: self.states, json };
            return compared.execute(out);
        }
        let Named { entry, config, lesson, run } =
            cluster::named(&self.algorithm, &self.cluster, global)?;
        // A run is searched on from where it ends.
        self.from = self.from.or_else(|| run.map(|run| run.schedule_text()));
        let lesson = lesson.map(|lesson| lesson.requests.clone()).unwrap_or_default();
        let options = self.options(&config, &lesson)?;
        let bad = |error: catalog::ConfigError| Failure::BadUse(error.to_string());
        let began = Instant::now();
        let worst = self
            .worst
            .map(|by| catalog::worst(&config, &options, by, |search| explore(search, began)));
        let worst = worst.transpose().map_err(bad)?;
        let report = match &worst {
            Some(worst) => worst.report.clone(),
            None => {
                let mut search = catalog::search(&config, &options).map_err(bad)?;
                explore(search.as_mut(), began)
            }
        };
        let mut told =
            Told::of(&self, entry.info.slug, &config, &options, &report, began.elapsed())?;
        told.worst = worst.map(|worst| WorstTold::of(&worst, &config)).transpose().map_err(bad)?;
        if self.format == Format::Json {
            serde_json::to_writer_pretty(&mut *out, &told).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            told.text(&report, self.counts, out)?;
        }
        Ok(if report.is_good() { Answer::Yes } else { Answer::No(None) })
    }

    /// What the cluster needs, and what was said otherwise. `lesson`: how often its nodes ask.
    fn options(&self, config: &Config, lesson: &[u32]) -> Result<SearchOptions, Failure> {
        let lab = Lab::new(config.clone()).map_err(|e| Failure::BadUse(e.to_string()))?;
        let text = self.from.as_deref().unwrap_or_default();
        let from = Schedule::parse(text, &lab.setup().names)
            .map_err(|e| Failure::BadUse(format!("{}\n{}", e.message, caret(text, e.at))))?;
        let needs = catalog::search_for(config, &from);
        let mut options = needs.map_err(|e| Failure::BadUse(e.to_string()))?;
        if self.from.is_some() {
            options.from = from;
        }
        if let Some(given) = &self.requests {
            options.requests = given.for_each(config.nodes.len()).map_err(Failure::BadUse)?;
        } else if !lesson.is_empty() {
            options.requests = lesson.to_vec();
        }
        if let Some(faults) = self.faults {
            options = options.with_faults(faults);
        }
        let always = self.always.as_ref().map(|text| format!("always {text}"));
        if let Some(text) = self.goal.as_ref().or(always.as_ref()) {
            let goal = lab
                .goal(text)
                .map_err(|e| Failure::BadUse(format!("{}\n{}", e.message, caret(text, e.at))))?;
            options.goal = Some(Asked::by_hand(text, goal));
        }
        Ok(SearchOptions {
            writes: self.writes.unwrap_or(options.writes),
            max_states: self.states,
            max_bytes: self.memory,
            reduction: !self.no_reduction,
            threads: usize::from(self.threads),
            ..options
        })
    }
}

/// Goes on to the end; a long search says on standard error that it is still at it.
fn explore(search: &mut dyn Search, began: Instant) -> Report {
    let mut told = began;
    loop {
        let progress = search.advance(SLICE);
        if progress.finished {
            return search.report().expect("a finished search has a report").clone();
        }
        if told.elapsed() > PATIENCE {
            told = Instant::now();
            let rate = progress.states as f64 / began.elapsed().as_secs_f64();
            // Nobody is left to hear that this did not work.
            let _ = writeln!(
                std::io::stderr(),
                "{}, depth {}, {rate:.0} states a second",
                count(progress.states, "state"),
                progress.depth
            );
        }
    }
}

/// The report as others may rely on it: fields may be added, never renamed.
#[derive(Serialize)]
struct Told {
    version: u32,
    algorithm: &'static str,
    nodes: usize,
    requests: serde_json::Value,
    variant: Option<&'static str>,
    channels: &'static str,
    verdict: &'static str,
    states: usize,
    transitions: usize,
    depth: usize,
    reduced: bool,
    seconds: f64,
    peak_bytes: usize,
    counterexample: Option<String>,
    property: Option<&'static str>,
    doomed: bool,
    /// The goal that was asked about, or by which the variant fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covered_depth: Option<usize>,
    bounds: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_states: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<WorstTold>,
    /// The verdict in a sentence.
    #[serde(skip)]
    sentence: String,
    /// Where the variant is known to fail, if this search has not come to it.
    #[serde(skip)]
    elsewhere: Option<String>,
    #[serde(skip)]
    waits: Vec<String>,
    #[serde(skip)]
    cluster: String,
    /// The counterexample as a run, where no word of the command line names the cluster.
    #[serde(skip)]
    line: Option<String>,
}

/// How often somebody is overtaken at worst.
#[derive(Serialize)]
struct WorstTold {
    measure: &'static str,
    value: u32,
    /// Whether a limit was reached, so that it may be worse.
    at_least: bool,
    node: Option<String>,
    schedule: Option<String>,
    /// How many events the schedule has.
    #[serde(skip)]
    events: usize,
}

impl WorstTold {
    fn of(worst: &Worst, config: &Config) -> Result<Self, catalog::ConfigError> {
        let names = catalog::setup(config)?.names;
        let (node, schedule) = worst.shown.as_ref().map(|(node, s)| (*node, s)).unzip();
        Ok(Self {
            measure: worst.by.word(),
            value: worst.value,
            at_least: worst.report.verdict == Verdict::Limit,
            node: node.map(|node| names.get(node).to_owned()),
            schedule: schedule.map(|schedule| schedule.show(&names)),
            events: schedule.map_or(0, |schedule| schedule.0.len()),
        })
    }

    /// `worst overtaken: 2, P1 after 9 events`.
    fn sentence(&self) -> String {
        let Self { measure, value, events, .. } = self;
        let least = if self.at_least { "at least " } else { "" };
        match &self.node {
            Some(node) => {
                format!("worst {measure}: {least}{value}, {node} after {}", count(*events, "event"))
            }
            None => format!("worst {measure}: {least}{value}"),
        }
    }
}

/// A counterexample as the line of a run.
fn line(config: &Config, report: &Report) -> Option<String> {
    let mut schedule = report.counterexample.clone()?;
    schedule.0.extend(report.repeats.iter().flat_map(|again| &again.0));
    played(config, &schedule).map(|lab| lab.line())
}

/// The lab at the end of a schedule.
fn played(config: &Config, schedule: &Schedule) -> Option<Lab> {
    let mut lab = Lab::new(config.clone()).ok()?;
    schedule.0.iter().try_for_each(|event| lab.play(*event).map(|_| ())).ok()?;
    Some(lab)
}

impl Told {
    fn of(
        check: &Check,
        algorithm: &'static str,
        config: &Config,
        options: &SearchOptions,
        report: &Report,
        took: Duration,
    ) -> Result<Self, Failure> {
        let setup = catalog::setup(config).map_err(|e| Failure::BadUse(e.to_string()))?;
        let names = setup.names.clone();
        let requests = match options.requests.split_first() {
            Some((first, rest)) if rest.iter().all(|r| r == first) => serde_json::json!(first),
            _ => serde_json::json!(options.requests),
        };
        let variant = setup.variant().map(|v| v.slug);
        let show = |s: &Schedule| s.show(&names);
        let elsewhere = catalog::fails_elsewhere(config, options, report);
        Ok(Self {
            version: VERSION,
            algorithm,
            nodes: setup.clients,
            requests,
            variant,
            channels: setup.channels.word(),
            verdict: report.verdict.word(),
            states: report.states,
            transitions: report.transitions,
            depth: report.depth,
            reduced: report.reduced,
            seconds: took.as_secs_f64(),
            peak_bytes: report.peak_bytes,
            counterexample: report.counterexample.as_ref().map(show),
            property: report.property,
            doomed: report.doomed,
            goal: report.asked.as_ref().map(|asked| asked.text.clone()),
            repeats: report.repeats.as_ref().map(show),
            covered_depth: report.covered,
            bounds: report.bounds.clone(),
            new_states: check.counts.then(|| report.new_states.clone()),
            worst: None,
            waits: waits(config, report),
            cluster: cluster_words(std::env::args().skip(1)),
            line: (check.algorithm == "-").then(|| line(config, report)).flatten(),
            sentence: report.sentence(&names, elsewhere.is_some()),
            elsewhere: elsewhere.map(|there| there.told),
        })
    }

    fn text(&self, report: &Report, counts: bool, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(worst) = &self.worst {
            writeln!(out, "{}", worst.sentence())?;
        }
        writeln!(out, "{}", self.sentence)?;
        if let Some(elsewhere) = &self.elsewhere {
            writeln!(
                out,
                "  {elsewhere}:\n    lockstep check {} --variant {}",
                self.algorithm,
                self.variant.unwrap_or_default()
            )?;
        }
        for line in &self.waits {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "  within:  {}", self.bounds)?;
        let reduced = if self.reduced { ", those left out that change no verdict" } else { "" };
        writeln!(out, "  states:  {}{reduced}", self.states)?;
        writeln!(out, "  events:  {} tried, depth {}", self.transitions, self.depth)?;
        let megabytes = self.peak_bytes as f64 / f64::from(1 << 20);
        writeln!(out, "  took:    {:.3} s, {megabytes:.1} MiB", self.seconds)?;
        let shown = self.worst.as_ref().map_or(&self.counterexample, |worst| &worst.schedule);
        if let Some(schedule) = shown {
            writeln!(out, "\nA shortest schedule:\n  {schedule}")?;
        }
        if let Some(again) = &self.repeats {
            writeln!(out, "and then again and again:\n  {again}")?;
        }
        if let Some(schedule) = shown {
            writeln!(out, "\nSee it step by step:\n  {}", self.replay(schedule))?;
        }
        if counts {
            writeln!(out, "\nNew states at each depth:")?;
            for (depth, new) in report.new_states.iter().enumerate() {
                writeln!(out, "  {depth:>4}  {new}")?;
            }
        }
        Ok(())
    }

    /// The command that plays the counterexample.
    fn replay(&self, shown: &String) -> String {
        if let Some(line) = &self.line {
            return format!("lockstep run \"{line}\"");
        }
        // Once round shows that the state comes again.
        let parts = [shown].into_iter().chain(&self.repeats);
        let schedule = parts.cloned().collect::<Vec<_>>().join("; ");
        format!("lockstep run {} --schedule \"{schedule}\"", self.cluster)
    }
}

/// Who waits for whom at the end of a schedule that gets stuck, and the cycle, if there is one.
fn waits(config: &Config, report: &Report) -> Vec<String> {
    let (Verdict::Stuck, Some(schedule)) = (report.verdict, &report.counterexample) else {
        return Vec::new();
    };
    let Some(lab) = played(config, schedule) else { return Vec::new() };
    let names = lab.setup().names.clone();
    let Progress::Stuck { waits, cycle } = lab.state().lamps().progress else { return Vec::new() };
    let mut lines: Vec<String> =
        waits.iter().map(|w| format!("{} {}", names.get(w.node), w.text)).collect();
    if let Some(first) = cycle.first() {
        let ring: Vec<&str> = cycle.iter().chain([first]).map(|n| names.get(*n)).collect();
        lines.push(format!("a cycle of waits: {}", ring.join(" > ")));
    }
    lines
}

/// The words of the command line that describe the cluster, for a command that plays the schedule: those
/// that the checker alone takes are omitted.
fn cluster_words(args: impl Iterator<Item = String>) -> String {
    let all = Check::augment_args(clap::Command::new("check"));
    let kept = ClusterArgs::augment_args(clap::Command::new("cluster"));
    let is_kept = |arg: &&clap::Arg| kept.get_arguments().any(|k| k.get_id() == arg.get_id());
    let own: Vec<&clap::Arg> =
        all.get_arguments().filter(|arg| !arg.is_positional() && !is_kept(arg)).collect();
    let called = |arg: &clap::Arg, name: &str| {
        arg.get_long().is_some_and(|long| name.strip_prefix("--") == Some(long))
            || arg.get_short().is_some_and(|short| name == format!("-{short}"))
    };
    let mut words = Vec::new();
    let (mut skip, mut named) = (false, false);
    for arg in args {
        if arg == "check" && !named {
            named = true;
            continue;
        }
        let (name, joined) = arg.split_once('=').map_or((arg.as_str(), false), |(n, _)| (n, true));
        if std::mem::take(&mut skip) {
            continue;
        }
        if let Some(own) = own.iter().find(|own| called(own, name)) {
            skip = own.get_action().takes_values() && !joined;
            continue;
        }
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ',' | '=' | '.' | '/');
        words.push(if arg.chars().all(plain) { arg } else { format!("\"{arg}\"") });
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_replay_keeps_the_cluster_and_leaves_out_what_only_the_checker_takes() {
        let args =
            "check lamport -n 2 --requests 1 --clocks 9,0 --format=json --worst overtaken --exact";
        let words = cluster_words(args.split(' ').map(str::to_owned));
        assert_eq!(words, "lamport -n 2 --clocks 9,0");
    }

    #[test]
    fn sizes_read_as_people_write_them() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("500MB"), Ok(500 << 20));
        assert_eq!(size("12"), Ok(12));
        assert!(size("many").is_err() && size("0").is_err() && size("99999999999G").is_err());
    }
}
