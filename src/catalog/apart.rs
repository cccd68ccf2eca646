//! Which rules does a cluster follow? Runs that tell two variants of an algorithm apart, and clusters that
//! do not say what they play.

use super::{ConfigError, completed, search, setup, showing, start};
use crate::algorithm::{Info, Variant};
use crate::check::{self, SearchOptions, Verdict};
use crate::model::settings::USUAL_NODES;
use crate::model::{Config, Schedule};
use std::sync::Arc;

/// How the word begins under which rules are played without being named.
const HIDDEN: &str = "hidden-";
/// The most states that are looked at for one run.
const MOST_STATES: usize = 200_000;

/// The word under which a variant, or the paper's rules, is played without being named. The `salt` makes
/// it another word each time.
#[must_use]
pub fn hidden(info: &Info, variant: Option<&Variant>, salt: u64) -> String {
    let all = info.variants.len();
    let place = variant.and_then(|v| info.variants.iter().position(|other| other.slug == v.slug));
    format!("{HIDDEN}{}", salt % 1000 * (all as u64 + 1) + place.unwrap_or(all) as u64)
}

/// The place of the variant for which such a word stands, `None` for the paper's rules; nothing at all: it
/// is no such word.
pub(super) fn behind(info: &Info, word: &str) -> Option<Option<usize>> {
    let number: u64 = word.strip_prefix(HIDDEN)?.parse().ok()?;
    let all = info.variants.len() as u64;
    let place = number % (all + 1);
    Some((place < all).then_some(place as usize))
}

/// Whether two sets of rules can be told apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    /// After this run, a shortest one: its last event does something else under the other rules.
    Apart(Schedule),
    /// By no run within the bounds.
    Never,
    /// Not within the states that are looked at.
    Limit,
}

/// The clusters in which some rules are told from others, with all that is played there: where each of
/// the two is known to fail, and one of the usual size in which everybody asks twice.
pub fn grounds<'v>(
    info: &'v Info,
    rules: Option<&'v Variant>,
    other: Option<&'v Variant>,
) -> impl Iterator<Item = (Config, SearchOptions)> + use<'v> {
    let usual = move || {
        let options = SearchOptions { requests: vec![2], ..SearchOptions::default() };
        (Config::new(info.slug, USUAL_NODES), options)
    };
    let shown = rules.into_iter().chain(other).map(|variant| showing(info, variant));
    shown.chain(std::iter::once_with(usual)).filter_map(move |(config, options)| {
        let config = under(&completed(&config).ok()?, rules);
        let max_states = Some(MOST_STATES);
        Some((config, SearchOptions { goal: None, mutex_only: false, max_states, ..options }))
    })
}

/// A shortest run of a cluster whose last event does something else under other rules of the algorithm.
///
/// # Errors
/// The first setting that does not fit, or the first event that is refused.
pub fn tell_apart(
    config: &Config,
    other: Option<&Variant>,
    options: &SearchOptions,
) -> Result<Told, ConfigError> {
    let against = Arc::new(setup(&under(config, other))?);
    let options = SearchOptions { against: Some(against), ..options.clone() };
    let mut search = search(config, &options)?;
    let report = check::finish(search.as_mut());
    Ok(match (report.verdict, &report.counterexample) {
        (Verdict::Limit, _) => Told::Limit,
        (_, Some(run)) => Told::Apart(run.clone()),
        (_, None) => Told::Never,
    })
}

/// After how many events of a run something else is to be seen under other rules of the algorithm, or an
/// event cannot happen there; `None`: the run does not tell the two apart.
///
/// # Errors
/// The first setting that does not fit.
pub fn tells_apart(
    config: &Config,
    other: Option<&Variant>,
    run: &Schedule,
) -> Result<Option<usize>, ConfigError> {
    let (mut here, mut there) = (start(config)?, start(&under(config, other))?);
    for (played, event) in run.0.iter().enumerate() {
        if here.view() != there.view() {
            return Ok(Some(played));
        }
        match (here.step(*event), there.step(*event)) {
            (Ok(_), Ok(_)) => {}
            (Err(_), Err(_)) => return Ok(None),
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => return Ok(Some(played + 1)),
        }
    }
    Ok((here.view() != there.view()).then_some(run.0.len()))
}

/// The same cluster under other rules.
#[must_use]
pub fn under(config: &Config, rules: Option<&Variant>) -> Config {
    Config { variant: rules.map(|v| v.slug.to_owned()), ..config.clone() }
}
