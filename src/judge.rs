//! The log of somebody's own program, held against an algorithm.
//!
//! `log` reads it, `order` finds one order of its entries and who was inside beside whom, `rules` gives the
//! entries to the engine and stops at the first that it does not allow, `report` says all that. The engine
//! is driven as by everybody else; nothing here knows a rule of an algorithm.

pub mod log;
pub mod order;
mod report;
mod rules;

pub use report::{Overlap, Report};

use crate::catalog::{self, ConfigError};
use crate::input::nearest;
use crate::model::{Config, Event, NodeId};
use log::{Log, What};
use order::Initial;

/// How a log is held against an algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct How {
    /// Whether a stamp may be larger than the clock rule makes it.
    pub any_clock: bool,
    /// Whether the run so far is kept.
    pub keep: bool,
}

/// Why a log cannot be judged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// The cluster does not fit.
    #[error("{}", .0.message)]
    Cluster(ConfigError),
    /// The log does not fit the cluster.
    #[error("{0}")]
    Log(String),
}

/// The names of the nodes of a log in their usual order, helpers of the algorithm not among them: `P2` stands
/// before `P10`.
#[must_use]
pub fn names(log: &Log, helper: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> =
        log.names.iter().filter(|name| Some(*name) != helper).map(str::to_owned).collect();
    names.sort_by_cached_key(|name| {
        let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
        (word.to_owned(), name[word.len()..].parse::<u64>().unwrap_or(0), name.clone())
    });
    names
}

/// Judges a log, and returns the run so far where it can be played.
///
/// # Errors
/// The cluster does not fit, or the log names a node or a kind that is not there.
pub fn held(log: &Log, config: &Config, how: How) -> Result<(Report, Option<Vec<Event>>), Unfit> {
    let sim = catalog::start(config).map_err(Unfit::Cluster)?;
    let setup = sim.setup();
    let nodes: Vec<NodeId> = log
        .names
        .iter()
        .map(|name| setup.names.find(name).ok_or_else(|| unknown_node(name, setup.names.iter())))
        .collect::<Result<_, _>>()?;
    let kinds: Vec<&str> = setup.info.kinds.iter().map(|kind| kind.name).collect();
    if let Some(kind) = log.kinds.iter().find(|kind| !kinds.contains(kind)) {
        return Err(unknown_kind(log, kind, &kinds));
    }
    let number = |wanted: &str, texts: Vec<&str>| texts.iter().position(|text| *text == wanted);
    let initial: Vec<Initial> = sim
        .view()
        .in_flight
        .iter()
        .map(|flight| {
            let name = |node: NodeId| number(setup.name(node), log.names.iter().collect());
            let kind = number(flight.label.kind, log.kinds.iter().collect());
            // What the log never mentions gets a number that nothing in it has.
            let small = |place: Option<usize>| place.map_or(u32::MAX, |k| k as u32);
            Initial {
                from: small(name(flight.id.from)),
                to: small(name(flight.id.to)),
                kind: small(kind),
            }
        })
        .collect();
    let ordered = order::ordered(log, &initial);
    let names = setup.names.clone();
    let judged = rules::judge(log, &ordered, &nodes, sim, how.any_clock, how.keep);
    let report = Report::of(log, config, &names, &ordered, &judged);
    Ok((report, judged.events))
}

fn unknown_node<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Unfit {
    let known: Vec<&str> = known.collect();
    Unfit::Log(format!(
        "the log has a node `{name}`, and this cluster has {}; --nodes names them all, in the order that breaks ties",
        known.join(", ")
    ))
}

/// A kind that the algorithm does not have, at the first entry that names it.
fn unknown_kind(log: &Log, kind: &str, known: &[&str]) -> Unfit {
    let named = log.entries.iter().find(|entry| match entry.what {
        What::Send(message) | What::Receive(message) => log.kinds.get(message.kind) == kind,
        _ => false,
    });
    let place = named.map_or(String::new(), |entry| report::place(log, entry.at) + ": ");
    let close = nearest(kind, known.iter().copied());
    let meant = close.map_or(String::new(), |close| format!("; did you mean {close}?"));
    let map = format!("--map {kind}={} gives it the algorithm's name", close.unwrap_or(known[0]));
    Unfit::Log(format!(
        "{place}no message is called {kind}; there are {}{meant}\n{map}",
        known.join(", ")
    ))
}
