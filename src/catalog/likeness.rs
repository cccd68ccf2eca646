//! Whether two algorithms do the same: both get the same events, in every order, until one sends something
//! else than the other, or somebody enters in one of them alone.
//!
//! It is a plain walk over the engine. States are told apart by a number made from them.

use super::{ConfigError, start};
use crate::algorithm::Label;
use crate::model::{Config, Event, Names, Schedule};
use crate::sim::{Simulation, StepRecord};
use crate::trace::narrate::sentence;
use std::collections::HashSet;

/// What came of comparing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Likeness {
    /// In every order of events both do the same.
    Alike,
    /// So far as was looked.
    Limit,
    /// The first difference.
    Apart {
        /// A shortest schedule that shows it, its last event included.
        schedule: Schedule,
        /// What it is, in a sentence.
        what: String,
        /// What the last event came to in the one and in the other.
        reasons: [String; 2],
    },
}

/// Two clusters that have had the same events.
struct Pair {
    sims: [Box<dyn Simulation>; 2],
    /// How often each client may still ask.
    left: Vec<u32>,
    /// The place of the last event among all, and of those before it.
    came_by: usize,
}

/// Compares two clusters, whose clients ask so often, over so many pairs of states at the most. Returns how
/// many there were as well.
///
/// # Errors
/// A setting that does not fit, or clusters of different nodes.
pub fn likeness(
    configs: [&Config; 2],
    requests: &[u32],
    most: usize,
) -> Result<(Likeness, usize), ConfigError> {
    let sims = [start(configs[0])?, start(configs[1])?];
    let names = sims[0].setup().names.clone();
    let left = requests.to_vec();
    // Each event with the place of the one before it; the first is none.
    let mut events: Vec<(usize, Option<Event>)> = vec![(0, None)];
    let mut seen = HashSet::from([key(&sims, &left)]);
    let mut level = vec![Pair { sims, left, came_by: 0 }];
    while !level.is_empty() {
        let mut next = Vec::new();
        for pair in level {
            for event in possible(&pair) {
                let way = |last: Event| {
                    let before =
                        std::iter::successors(Some(pair.came_by), |at| Some(events[*at].0));
                    let mut all: Vec<Event> =
                        std::iter::once(last).chain(before.map_while(|at| events[at].1)).collect();
                    all.reverse();
                    Schedule(all)
                };
                let mut sims = [pair.sims[0].fork(), pair.sims[1].fork()];
                let records = sims.each_mut().map(|sim| sim.step(event));
                if let Some((what, reasons)) = difference(event, &records, &sims, &names) {
                    return Ok((
                        Likeness::Apart { schedule: way(event), what, reasons },
                        seen.len(),
                    ));
                }
                let mut left = pair.left.clone();
                if let Event::Request(node) = event {
                    left[node.index()] -= 1;
                }
                if !seen.insert(key(&sims, &left)) {
                    continue;
                }
                if seen.len() > most {
                    return Ok((Likeness::Limit, most));
                }
                events.push((pair.came_by, Some(event)));
                next.push(Pair { sims, left, came_by: events.len() - 1 });
            }
        }
        level = next;
    }
    Ok((Likeness::Alike, seen.len()))
}

fn key(sims: &[Box<dyn Simulation>; 2], left: &[u32]) -> (u64, u64, Vec<u32>) {
    (sims[0].fingerprint(), sims[1].fingerprint(), left.to_vec())
}

/// What can happen in either of the two, without faults.
fn possible(pair: &Pair) -> Vec<Event> {
    let may = |event: &Event| match event {
        Event::Request(node) => pair.left[node.index()] > 0,
        Event::Deliver(_) | Event::Exit(_) => true,
        _ => false,
    };
    let mut all: Vec<Event> = pair.sims[0].enabled().into_iter().filter(may).collect();
    let more = pair.sims[1].enabled().into_iter().filter(may);
    all.extend(more.filter(|event| pair.sims[0].check(*event).is_err()));
    all
}

/// What one does and the other does not, and why each did what it did.
fn difference<E>(
    event: Event,
    records: &[Result<StepRecord, E>; 2],
    sims: &[Box<dyn Simulation>; 2],
    names: &Names,
) -> Option<(String, [String; 2])> {
    let titles = [sims[0].info().title, sims[1].info().title];
    let (a, b) = match records {
        [Ok(a), Ok(b)] => (a, b),
        [Err(_), Err(_)] => return None,
        [Ok(_), Err(_)] | [Err(_), Ok(_)] => {
            let alone = titles[usize::from(records[0].is_err())];
            let told = records.each_ref().map(|record| match record {
                Ok(record) => sentence(record, names),
                Err(_) => "It cannot happen there.".to_owned(),
            });
            return Some((format!("`{}` can happen in {alone} alone", event.show(names)), told));
        }
    };
    let told = [sentence(a, names), sentence(b, names)];
    if let Some((node, fault)) = sims[0].fault().or_else(|| sims[1].fault()) {
        return Some((format!("the script fails at {}: {fault}", names.get(node)), told));
    }
    let sends = |record: &StepRecord| {
        // What else a message carries may be written otherwise and mean the same.
        let one = |s: &crate::sim::Sent| {
            let bare = Label { detail: None, carries: Vec::new(), ..s.label.clone() };
            format!("{} to {}", bare.show(names), names.get(s.id.to))
        };
        let mut all: Vec<String> = record.sent.iter().map(one).collect();
        // In which order different nodes are told makes no difference to any of them.
        all.sort();
        if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
    };
    let who = a.node.map_or("the network", |node| names.get(node));
    let entered =
        |record: &StepRecord| if record.entered.is_some() { "enters" } else { "does not enter" };
    if sends(a) != sends(b) {
        let what = format!("{who} sends {}, where {} sends {}", sends(a), titles[1], sends(b));
        return Some((what, told));
    }
    (a.entered != b.entered).then(|| {
        let what = format!("{who} {}, where in {} it {}", entered(a), titles[1], entered(b));
        (what, told)
    })
}
