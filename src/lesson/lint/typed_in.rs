//! Keys that an author has typed in although the engine could compute them.
//!
//! Only what is certain is told: a count that the run gives, outcomes that an event has.

use crate::lesson::question::Question;
use crate::model::goal::{Compare, Test};
use crate::model::outcome;
use crate::sim::{Simulation, goal};

/// What to write in place of a key that was typed in. `has` says whether the question has a key of the
/// file.
pub(super) fn key(
    question: &dyn Question,
    at: &dyn Simulation,
    has: impl Fn(&str) -> bool,
) -> Option<String> {
    match question.kind() {
        "number" if has("answer") => counted(question, at),
        "choice" => outcomes(question, at),
        _ => None,
    }
}

/// A number of messages that the lesson's own run has sent.
fn counted(question: &dyn Question, at: &dyn Simulation) -> Option<String> {
    let right: i64 = question.reference(at).0.parse().ok().filter(|n| *n > 0)?;
    let prompt = question.common().prompt.to_lowercase();
    let kinds = at.info().kinds.iter().map(|kind| kind.name);
    let named = kinds.filter(|kind| prompt.contains(&kind.to_lowercase()));
    let all = prompt.contains("message").then_some("");
    let measures = named.map(|kind| format!("messages({kind})"));
    let measures = measures.chain(all.map(|_| "messages()".to_owned()));
    let same = |measure: &String| measured(measure, at) == Some(right);
    let measure = measures.into_iter().find(same)?;
    Some(format!("the engine counts this: write `measure: {measure}` in place of `answer`"))
}

fn measured(measure: &str, at: &dyn Simulation) -> Option<i64> {
    match goal(&format!("{measure} == 0"), at).ok()?.test {
        Test::Number(count, Compare::Eq, 0) => Some(count.read(at)),
        _ => None,
    }
}

/// Options of which each is a word for what an event does.
fn outcomes(question: &dyn Question, at: &dyn Simulation) -> Option<String> {
    let own = at.info().outcomes();
    let is_outcome = |text: &str| {
        let word = text.trim().trim_end_matches('.').to_lowercase();
        own.contains(&word.as_str()) || outcome::ENGINE.contains(&word.as_str())
    };
    let picks = question.picks();
    let all = picks.len() > 1 && picks.iter().all(|pick| is_outcome(&pick.text));
    all.then(|| "the engine knows what an event does: ask it as `predict`".to_owned())
}
