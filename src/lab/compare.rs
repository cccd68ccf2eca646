//! What one entry costs, measured on the engine beside the formula.
//!
//! Everything is counted on real runs; the formulas come from the algorithms' own descriptions.

use crate::algorithm::Info;
use crate::catalog;
use crate::model::{Config, Event, NodeId};
use crate::sim::scheduler::Policy;
use crate::sim::{Mutex, Simulation};

/// No run here is as long: an algorithm that needs more steps does not let its askers in.
const MANY: usize = 100_000;

/// What one algorithm costs with so many nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The algorithm.
    pub slug: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// How many nodes ask.
    pub n: usize,
    /// The formula for one entry without competition.
    pub formula: &'static str,
    /// Measured: the least, over the asking nodes.
    pub least: u32,
    /// Measured: the most, over the asking nodes.
    pub most: u32,
    /// Measured: the total when everybody asks before any delivery, in synchronous rounds.
    pub contended: u32,
    /// Whether the measured least and most are those of the formula.
    pub agrees: bool,
    /// Entries after one node has crashed.
    pub crash: Crash,
}

/// Whether another node can still enter after one has crashed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crash {
    /// Of the pairs of a crashed idle node and an asker, how many still enter, and how many there are.
    pub idle: (u32, u32),
    /// The same after a crash inside the critical section.
    pub inside: (u32, u32),
}

/// Every algorithm that is compared: all but those written to teach one thing.
pub fn compared() -> impl Iterator<Item = &'static Info> {
    catalog::all().iter().map(|e| e.info).filter(|i| !i.teaching)
}

/// The rows for `n` nodes, in the catalog's order.
///
/// # Errors
/// In words, when an algorithm cannot have so many nodes.
pub fn rows(n: usize) -> Result<Vec<Row>, String> {
    compared().map(|info| row(info, n)).collect()
}

fn row(info: &'static Info, n: usize) -> Result<Row, String> {
    let config = Config::new(info.slug, n);
    let setup = catalog::setup(&config).map_err(|e| format!("{}: {e}", info.title))?;
    let start = catalog::start(&config).map_err(|e| format!("{}: {e}", info.title))?;
    let costs: Vec<u32> =
        setup.client_ids().map(|asker| uncontended(start.as_ref(), asker)).collect();
    let least = costs.iter().min().copied().unwrap_or(0);
    let most = costs.iter().max().copied().unwrap_or(0);
    Ok(Row {
        slug: info.slug,
        title: info.title,
        n,
        formula: info.cost.formula,
        least,
        most,
        contended: all_at_once(start.as_ref()),
        agrees: (least, most) == ((info.cost.least)(&setup), (info.cost.most)(&setup)),
        crash: Crash {
            idle: after_crash(start.as_ref(), false),
            inside: after_crash(start.as_ref(), true),
        },
    })
}

/// Messages that one entry costs when nobody competes, release included. In a ring: the passes until
/// the entry.
#[must_use]
pub fn uncontended(start: &dyn Simulation, asker: NodeId) -> u32 {
    let mut sim = start.fork();
    play(sim.as_mut(), Event::Request(asker));
    let circulates = sim.info().circulates;
    for _ in 0..MANY {
        if circulates && sim.entries(asker) > 0 {
            break;
        }
        let Some(event) = Policy::Oldest.choose(sim.as_ref()) else { break };
        play(sim.as_mut(), event);
    }
    sim.messages(None)
}

/// Messages when everybody asks before any delivery, in synchronous rounds: each round delivers what
/// was in flight at its start, in the order of sending; then those leave who were inside at its start.
#[must_use]
pub fn all_at_once(start: &dyn Simulation) -> u32 {
    let mut sim = start.fork();
    for client in sim.setup().client_ids() {
        play(sim.as_mut(), Event::Request(client));
    }
    for _ in 0..MANY {
        let view = sim.view();
        let served = |s: &dyn Simulation| s.setup().client_ids().all(|c| s.entries(c) > 0);
        let circulates = sim.info().circulates;
        let quiet = circulates || view.in_flight.is_empty() && view.holders.is_empty();
        if served(sim.as_ref()) && quiet {
            break;
        }
        for flight in &view.in_flight {
            if circulates && served(sim.as_ref()) {
                break;
            }
            play(sim.as_mut(), Event::Deliver(flight.id.into()));
        }
        for holder in view.holders {
            play(sim.as_mut(), Event::Exit(holder));
        }
    }
    sim.messages(None)
}

/// How many of the later entries succeed after one client has crashed: idle before anybody asks, or
/// inside. Over all pairs of a crashed client and an asker.
fn after_crash(start: &dyn Simulation, inside: bool) -> (u32, u32) {
    let clients: Vec<NodeId> = start.setup().client_ids().collect();
    let (mut entered, mut pairs) = (0, 0);
    for crashed in &clients {
        let mut sim = start.fork();
        if inside {
            play(sim.as_mut(), Event::Request(*crashed));
            go_on(sim.as_mut(), |s| s.entries(*crashed) > 0);
        }
        play(sim.as_mut(), Event::Crash(*crashed));
        for asker in clients.iter().filter(|c| *c != crashed) {
            let mut sim = sim.fork();
            play(sim.as_mut(), Event::Request(*asker));
            go_on(sim.as_mut(), |s| s.entries(*asker) > 0);
            pairs += 1;
            let broken = sim.lamps().mutex != Mutex::Ok;
            entered += u32::from(sim.entries(*asker) > 0 && !broken);
        }
    }
    (entered, pairs)
}

/// Delivers what is in flight, the oldest first, until something holds or nothing more comes.
fn go_on(sim: &mut dyn Simulation, until: impl Fn(&dyn Simulation) -> bool) {
    let rounds = 4 * sim.setup().clients * sim.setup().clients + 40;
    for _ in 0..rounds {
        if until(sim) {
            return;
        }
        let deliver = sim.enabled().into_iter().find(|e| matches!(e, Event::Deliver(_)));
        let Some(event) = deliver else { return };
        play(sim, event);
    }
}

fn play(sim: &mut dyn Simulation, event: Event) {
    sim.step(event).expect("only enabled events are played here");
}
