//! What one entry costs, measured on the engine beside the formula.
//!
//! Everything is counted on real runs; the formulas come from the algorithms' own descriptions.

use crate::algorithm::Info;
use crate::catalog::{self, ConfigError};
use crate::check::{SearchOptions, Verdict, finish};
use crate::model::goal::Overtaking;
use crate::model::{Config, Event, NodeId, Schedule};
use crate::sim::Simulation;
use crate::sim::scheduler::Policy;

/// No run here is as long: an algorithm that needs more steps does not let its askers in.
const MANY: usize = 100_000;

/// The numbers of nodes that are compared.
pub const SIZES: std::ops::RangeInclusive<usize> = 2..=crate::model::node::MAX_CLIENTS;

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
    /// The least and the most that the formula says, over the asking nodes.
    pub said: (u32, u32),
    /// Measured: the least, over the asking nodes.
    pub least: u32,
    /// Measured: the most, over the asking nodes.
    pub most: u32,
    /// Measured: the total when everybody asks before any delivery, in synchronous rounds.
    pub contended: u32,
    /// What a formula says of that total, where it does not depend on the schedule.
    pub contended_said: Option<u32>,
    /// Whether what was measured is what the formulas say.
    pub agrees: bool,
    /// First entries after one node has crashed.
    pub crash: Crash,
    /// The most that a client is overtaken, and overtaken by later requests. `None`: not searched.
    pub overtaken: Option<[Most; 2]>,
}

/// The largest number over all schedules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Most {
    /// The largest that was found.
    pub value: u32,
    /// Whether a limit ended the search, so that it may be larger.
    pub at_least: bool,
}

impl std::fmt::Display for Most {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.at_least { "≥" } else { "" }, self.value)
    }
}

/// Schedules of larger clusters are searched as far as so many states reach.
pub const MOST_STATES: usize = 400_000;

/// Whether another node can still enter after one has crashed: of the pairs of a crashed node and an
/// asker, how many still enter, and how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Crash {
    /// The crashed node was idle, before anybody had asked.
    pub idle: (u32, u32),
    /// It had asked, what it had sent has arrived, and nothing had come back. Nodes that enter at once are
    /// left out.
    pub waiting: (u32, u32),
    /// It was inside.
    pub inside: (u32, u32),
    /// The helper has crashed: the coordinator, or the lock service. `None`: there is none.
    pub helper: Option<(u32, u32)>,
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
    let mut survey = Survey::new(n)?;
    while survey.advance() {}
    Ok(survey.rows)
}

/// The most that a client of this algorithm is overtaken when each of `n` asks once, over all schedules:
/// by anybody, and by later requests.
///
/// # Errors
/// In words, when an algorithm cannot have so many nodes.
pub fn overtaken(slug: &str, n: usize) -> Result<[Most; 2], String> {
    let most = |by| {
        let config = Config::new(slug, n);
        let needs = catalog::search_for(&config, &Schedule::default())?;
        let options = SearchOptions { max_states: Some(MOST_STATES), ..needs };
        let worst = catalog::worst(&config, &options, by, |search| finish(search).clone())?;
        Ok(Most { value: worst.value, at_least: worst.report.verdict == Verdict::Limit })
    };
    let both = [most(Overtaking::Any), most(Overtaking::Later)];
    let [any, later] = both.map(|most| most.map_err(|e: ConfigError| format!("{slug}: {e}")));
    Ok([any?, later?])
}

/// The rows for `n` nodes, measured piece by piece, so that whoever waits for them can do other things
/// in between.
#[derive(Debug)]
pub struct Survey {
    left: std::collections::VecDeque<Measuring>,
    rows: Vec<Row>,
}

impl Survey {
    /// Nothing is measured yet.
    ///
    /// # Errors
    /// In words, when an algorithm cannot have so many nodes.
    pub fn new(n: usize) -> Result<Self, String> {
        let left = compared().map(|info| Measuring::new(info, n)).collect::<Result<_, _>>()?;
        Ok(Self { left, rows: Vec::new() })
    }

    /// Measures one piece. Returns whether there is more to do.
    pub fn advance(&mut self) -> bool {
        if let Some(first) = self.left.front_mut()
            && !first.advance()
        {
            self.rows.extend(self.left.pop_front().map(|done| done.row));
        }
        !self.left.is_empty()
    }

    /// Whether there is more to do.
    #[must_use]
    pub fn works(&self) -> bool {
        !self.left.is_empty()
    }

    /// The rows that are whole, in the catalog's order.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

/// One algorithm with so many nodes, while it is measured.
struct Measuring {
    row: Row,
    start: Box<dyn Simulation>,
    costs: Vec<u32>,
    piece: usize,
}

impl std::fmt::Debug for Measuring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Measuring").field("row", &self.row).finish_non_exhaustive()
    }
}

impl Measuring {
    fn new(info: &'static Info, n: usize) -> Result<Self, String> {
        let config = Config::new(info.slug, n);
        let setup = catalog::setup(&config).map_err(|e| format!("{}: {e}", info.title))?;
        let start = catalog::start(&config).map_err(|e| format!("{}: {e}", info.title))?;
        let row = Row {
            slug: info.slug,
            title: info.title,
            n,
            formula: info.cost.formula,
            said: ((info.cost.least)(&setup), (info.cost.most)(&setup)),
            least: 0,
            most: 0,
            contended: 0,
            contended_said: info.cost.contended.map(|said| said(&setup)),
            agrees: false,
            crash: Crash::default(),
            overtaken: None,
        };
        Ok(Self { row, start, costs: Vec::new(), piece: 0 })
    }

    /// Each node's entry alone, then all at once, then each node's crash, and the helper's.
    fn advance(&mut self) -> bool {
        let n = self.row.n;
        let start = self.start.as_ref();
        let setup = start.setup();
        match self.piece {
            i if i < n => self.costs.push(uncontended(start, NodeId::at(i))),
            i if i == n => {
                self.row.least = self.costs.iter().min().copied().unwrap_or(0);
                self.row.most = self.costs.iter().max().copied().unwrap_or(0);
                self.row.contended = all_at_once(start);
                self.row.agrees = (self.row.least, self.row.most) == self.row.said
                    && self.row.contended_said.is_none_or(|said| said == self.row.contended);
            }
            i if i < 4 * n + 1 => {
                let (crashed, when) = ((i - n - 1) / 3, When::ALL[(i - n - 1) % 3]);
                let crash = &mut self.row.crash;
                let so_far = match when {
                    When::Idle => &mut crash.idle,
                    When::Waiting => &mut crash.waiting,
                    When::Inside => &mut crash.inside,
                };
                let (entered, pairs) = after_crash(start, NodeId::at(crashed), when);
                *so_far = (so_far.0 + entered, so_far.1 + pairs);
            }
            _ => {
                let helper = setup.all_ids().nth(setup.clients);
                self.row.crash.helper = helper.map(|h| after_crash(start, h, When::Idle));
            }
        }
        self.piece += 1;
        self.piece < 4 * n + 2
    }
}

/// What one algorithm costs as the cluster grows, measured size by size.
#[derive(Clone, Debug)]
pub struct Growth {
    info: &'static Info,
    points: Vec<Point>,
}

/// One size of a growth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// How many nodes.
    pub n: usize,
    /// The most that one entry costs without competition, over the asking nodes.
    pub most: u32,
    /// The total when everybody asks at once.
    pub contended: u32,
}

impl Growth {
    /// Nothing is measured yet.
    #[must_use]
    pub fn new(info: &'static Info) -> Self {
        Self { info, points: Vec::new() }
    }

    /// Measures the next size. Returns whether there is more to do.
    pub fn advance(&mut self) -> bool {
        let next = SIZES.start() + self.points.len();
        if let Some(start) =
            catalog::start(&Config::new(self.info.slug, next)).ok().filter(|_| self.works())
        {
            let costs = start.setup().client_ids().map(|asker| uncontended(start.as_ref(), asker));
            let most = costs.max().unwrap_or(0);
            self.points.push(Point { n: next, most, contended: all_at_once(start.as_ref()) });
        }
        self.works()
    }

    /// Whether there is more to do.
    #[must_use]
    pub fn works(&self) -> bool {
        self.points.len() < SIZES.count()
    }

    /// The sizes that were measured, the smallest first.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }
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

/// Where a node stands when it crashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    Idle,
    Waiting,
    Inside,
}

impl When {
    const ALL: [Self; 3] = [Self::Idle, Self::Waiting, Self::Inside];
}

/// How many first later entries succeed after a node has crashed, and how many there could be: one for
/// each other client, which asks alone. Who asks after it may still be stopped.
fn after_crash(start: &dyn Simulation, crashed: NodeId, when: When) -> (u32, u32) {
    let mut sim = start.fork();
    if when != When::Idle {
        play(sim.as_mut(), Event::Request(crashed));
    }
    match when {
        When::Idle => {}
        When::Waiting if sim.entries(crashed) > 0 => return (0, 0),
        // What it has sent arrives, and nothing comes back.
        When::Waiting => go_on_without(sim.as_mut(), Some(crashed), |_| false),
        When::Inside => go_on(sim.as_mut(), |s| s.entries(crashed) > 0),
    }
    play(sim.as_mut(), Event::Crash(crashed));
    let (mut entered, mut pairs) = (0, 0);
    for asker in start.setup().client_ids().filter(|c| *c != crashed) {
        let mut sim = sim.fork();
        play(sim.as_mut(), Event::Request(asker));
        go_on(sim.as_mut(), |s| s.entries(asker) > 0);
        pairs += 1;
        // What a crashed node believes harms nobody.
        let others = |n: &NodeId| *n != asker && !sim.crashed(*n);
        let broken = sim.view().holders.iter().any(others);
        entered += u32::from(sim.entries(asker) > 0 && !broken);
    }
    (entered, pairs)
}

/// Delivers what is in flight, the oldest first, until something holds or nothing more comes.
fn go_on(sim: &mut dyn Simulation, until: impl Fn(&dyn Simulation) -> bool) {
    go_on_without(sim, None, until);
}

/// The same, but nothing reaches one of the nodes. Where all reach, a helper's timer fires when nothing
/// else comes: a lease ends.
fn go_on_without(
    sim: &mut dyn Simulation,
    cut_off: Option<NodeId>,
    until: impl Fn(&dyn Simulation) -> bool,
) {
    let rounds = 4 * sim.setup().clients * sim.setup().clients + 40;
    for _ in 0..rounds {
        if until(sim) {
            return;
        }
        let arrives = |e: &Event| matches!(e, Event::Deliver(m) if Some(m.to) != cut_off);
        let clients = sim.setup().clients;
        let ends =
            |e: &Event| cut_off.is_none() && matches!(e, Event::Timeout(n) if n.index() >= clients);
        let enabled = sim.enabled();
        let next = enabled.iter().find(|e| arrives(e)).or(enabled.iter().find(|e| ends(e)));
        let Some(event) = next.copied() else { return };
        play(sim, event);
    }
}

fn play(sim: &mut dyn Simulation, event: Event) {
    sim.step(event).expect("only enabled events are played here");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(slug: &str, n: usize) -> Row {
        let rows = rows(n).expect("every algorithm has small clusters");
        rows.into_iter().find(|r| r.slug == slug).expect("a compared algorithm")
    }

    #[test]
    fn what_is_measured_is_what_the_formulas_say() {
        for n in [2, 3, 5, 7] {
            for row in rows(n).expect("every algorithm has small clusters") {
                assert!(row.agrees, "{row:?}");
            }
        }
        let ring = row("token-ring", 10);
        assert_eq!((ring.least, ring.most, ring.contended), (0, 9, 9));
        let votes = row("maekawa", 10);
        assert_eq!((votes.least, votes.most, votes.contended), (9, 9, 111));
    }

    #[test]
    fn an_idle_crash_stops_everybody_or_nobody_as_the_rules_say() {
        let none = (0, 12);
        let served = Crash { idle: (12, 12), waiting: none, inside: none, helper: Some((0, 4)) };
        assert_eq!(row("central", 4).crash, served);
        let lease = Crash { idle: (12, 12), waiting: (12, 12), inside: (12, 12), ..served };
        assert_eq!(row("lease", 4).crash, lease, "a lease ends by itself");
        let equals = Crash { idle: none, waiting: none, inside: none, helper: None };
        assert_eq!(row("ricart-agrawala", 4).crash, equals);
        // The node with the token enters at once: it never waits.
        assert_eq!(row("suzuki-kasami", 4).crash.waiting.1, 9);
    }

    #[test]
    fn a_survey_in_pieces_comes_to_the_same_rows() {
        let mut survey = Survey::new(3).expect("small clusters");
        let mut seen = 0;
        while survey.advance() {
            assert!(survey.works() && survey.rows().len() >= seen);
            seen = survey.rows().len();
        }
        assert_eq!(survey.rows(), rows(3).expect("small clusters"));
        assert!(!survey.advance());
    }

    #[test]
    fn costs_grow_as_the_formulas_do() {
        let mut growth = Growth::new(catalog::find("ricart-agrawala").expect("an algorithm").info);
        for _ in 0..4 {
            assert!(growth.advance());
        }
        let points = growth.points().iter().map(|p| (p.n, p.most, p.contended));
        assert_eq!(points.collect::<Vec<_>>(), [(2, 2, 4), (3, 4, 12), (4, 6, 24), (5, 8, 40)]);
    }
}
