//! How often somebody can be overtaken at worst, over every schedule of a cluster.
//!
//! It is found by the searches that everybody else has: is nobody overtaken? more than once? and so on,
//! until the answer is that nobody is. The last failure is a shortest schedule that shows the worst.

use super::{ConfigError, search, setup, start};
use crate::check::{Asked, Report, Search, SearchOptions, Verdict};
use crate::input::count;
use crate::model::goal::{Compare, Count, Overtaking, Test, When};
use crate::model::{Config, Goal, NodeId, Schedule};

/// The most that a client is overtaken.
#[derive(Clone, Debug)]
pub struct Worst {
    /// Whose entries count.
    pub by: Overtaking,
    /// How often.
    pub value: u32,
    /// Who is, and a shortest schedule that shows it; `None`: nobody is overtaken at all.
    pub shown: Option<(NodeId, Schedule)>,
    /// The search that came to its end without anything worse, or to a limit.
    pub report: Report,
}

/// Finds the worst. `explore` goes on with a search to its end.
///
/// # Errors
/// The first setting or event that does not fit.
pub fn worst(
    config: &Config,
    options: &SearchOptions,
    by: Overtaking,
    mut explore: impl FnMut(&mut dyn Search) -> Report,
) -> Result<Worst, ConfigError> {
    let (mut value, mut shown) = (0, None);
    loop {
        let goal = Some(not_worse_than(config, by, value)?);
        let options = SearchOptions { goal, ..options.clone() };
        let report = explore(search(config, &options)?.as_mut());
        match &report.counterexample {
            Some(schedule) if report.verdict == Verdict::Violated => {
                value += 1;
                let who = overtaken_after(config, schedule, by)?;
                shown = who.map(|node| (node, schedule.clone()));
            }
            _ => return Ok(Worst { by, value, shown, report }),
        }
    }
}

/// That nobody is overtaken more often.
fn not_worse_than(config: &Config, by: Overtaking, value: u32) -> Result<Asked, ConfigError> {
    let more = |node| Test::Number(Count::Overtaken(node, by), Compare::Gt, i64::from(value));
    let any = setup(config)?.client_ids().map(more);
    let test = any.reduce(|a, b| Test::Or(Box::new(a), Box::new(b))).unwrap_or(Test::Stuck);
    let text = format!("nobody is {} more than {}", by.word(), count(value, "time"));
    Ok(Asked::by_hand(&text, Goal { when: When::Never, test }))
}

/// Who has been overtaken most at the end of a schedule.
fn overtaken_after(
    config: &Config,
    schedule: &Schedule,
    by: Overtaking,
) -> Result<Option<NodeId>, ConfigError> {
    let mut sim = start(config)?;
    for event in &schedule.0 {
        sim.step(*event).expect("a counterexample was played on the engine");
    }
    Ok(sim.setup().client_ids().rev().max_by_key(|node| sim.overtaken(*node, by)))
}
