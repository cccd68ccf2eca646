//! Keys that an author has typed in although the engine could compute them, whether they are right or not.
//!
//! What is asked is told by the words of the prompt, so this is advice; only a number of what has happened
//! already is a fault where the engine counts another one.

use crate::lesson::question::Question;
use crate::model::goal::{Compare, Test};
use crate::model::outcome;
use crate::sim::{Simulation, goal};

/// Words of a prompt that asks about something else than the run as it stands.
const ELSEWHERE: [&str; 20] = [
    "would", "will", "if", "cost", "costs", "need", "needs", "needed", "most", "least", "every",
    "each", "per", "another", "more", "still", "fewest", "worst", "when", "entry",
];
/// Words of a prompt that asks about what has happened.
const SO_FAR: [&str; 5] = ["so far", "been sent", "were sent", "was sent", "until now"];

/// What to write in place of a key that was typed in, and whether the key is wrong. `has` says whether the
/// question has a key of the file.
pub(super) fn key(
    question: &dyn Question,
    at: &dyn Simulation,
    has: impl Fn(&str) -> bool,
) -> Option<(String, bool)> {
    let advice = |message| Some((message, false));
    match question.kind() {
        "number" if has("answer") => counted(question, at),
        "choice" | "multi" => match outcomes(question, at) {
            Some(message) => advice(message),
            None if question.kind() == "choice" => picked(question, at).and_then(advice),
            None => None,
        },
        "text" => written(question, at).and_then(advice),
        _ => None,
    }
}

/// What a prompt asks to be counted, in the words of goals, and what the engine counts.
fn asked(prompt: &str, at: &dyn Simulation) -> Vec<(String, i64)> {
    let prompt = prompt.to_lowercase();
    let words: Vec<&str> =
        prompt.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let says = |word: &str| words.contains(&word) || words.contains(&format!("{word}s").as_str());
    let kinds = at.info().kinds.iter().map(|kind| kind.name);
    let named = kinds.filter(|kind| says(&kind.to_lowercase()));
    let mut measures: Vec<String> = named.map(|kind| format!("messages({kind})")).collect();
    measures.extend(says("message").then(|| "messages()".to_owned()));
    measures.retain(|_| says("many"));
    let names = &at.setup().names;
    let nodes: Vec<&str> =
        names.iter().filter(|name| words.contains(&name.to_lowercase().as_str())).collect();
    if let ([node], true) = (nodes.as_slice(), says("clock")) {
        measures.insert(0, format!("clock({node})"));
    }
    let counted = measures.into_iter().filter_map(|m| measured(&m, at).map(|n| (m, n)));
    counted.collect()
}

/// Whether a prompt asks about the run as it stands: "what does P1's clock show", and not "how many does
/// it send".
fn is_here(prompt: &str) -> bool {
    let prompt = prompt.to_lowercase();
    let many = prompt.contains("how many");
    let elsewhere =
        |word: &str| ELSEWHERE.contains(&word) || many && ["do", "does"].contains(&word);
    let mut words = prompt.split(|c: char| !c.is_alphanumeric());
    SO_FAR.iter().any(|so_far| prompt.contains(so_far)) || !words.any(elsewhere)
}

/// A number that the engine counts on the lesson's own run.
fn counted(question: &dyn Question, at: &dyn Simulation) -> Option<(String, bool)> {
    let right: i64 = question.reference(at).0.parse().ok()?;
    let prompt = question.common().prompt;
    let all = asked(prompt, at);
    if let Some((measure, _)) = all.iter().find(|(_, n)| *n == right && right > 0) {
        let message =
            format!("the engine counts this: write `measure: {measure}` in place of `answer`");
        return Some((message, false));
    }
    let (measure, n) = all.first().filter(|_| is_here(prompt))?;
    let wrong = SO_FAR.iter().any(|so_far| prompt.to_lowercase().contains(so_far));
    let message = format!(
        "the key is {right}, and the engine counts {n} here: write `measure: {measure}` in place of `answer`"
    );
    Some((message, wrong))
}

fn measured(measure: &str, at: &dyn Simulation) -> Option<i64> {
    match goal(&format!("{measure} == 0"), at).ok()?.test {
        Test::Number(count, Compare::Eq, 0) => Some(count.read(at)),
        _ => None,
    }
}

/// Options of which each is a word for what an event does.
fn outcomes(question: &dyn Question, at: &dyn Simulation) -> Option<String> {
    let picks = question.picks();
    let all = picks.len() > 1 && picks.iter().all(|pick| is_outcome(&pick.text, at));
    all.then(|| "the engine knows what an event does: ask it as `predict`".to_owned())
}

fn is_outcome(text: &str, at: &dyn Simulation) -> bool {
    let word = text.trim().trim_end_matches('.').to_lowercase();
    at.info().outcomes().contains(&word.as_str()) || outcome::ENGINE.contains(&word.as_str())
}

/// Options that are numbers, of something that the engine counts.
fn picked(question: &dyn Question, at: &dyn Simulation) -> Option<String> {
    let picks = question.picks();
    let number = |text: &str| text.trim().parse::<i64>().is_ok();
    if picks.len() < 2 || !picks.iter().all(|pick| number(&pick.text)) {
        return None;
    }
    as_number(question, at)
}

fn as_number(question: &dyn Question, at: &dyn Simulation) -> Option<String> {
    let prompt = question.common().prompt;
    let all = asked(prompt, at);
    let (measure, n) = all.first().filter(|_| is_here(prompt))?;
    Some(format!("the engine counts {n} here: ask it as `number` with `measure: {measure}`"))
}

/// Words that are a number, a stamp or an outcome.
fn written(question: &dyn Question, at: &dyn Simulation) -> Option<String> {
    let key = question.reference(at).0;
    if key.trim().parse::<i64>().is_ok() {
        return as_number(question, at);
    }
    let inner = key.trim().trim_start_matches('(').trim_end_matches(')');
    let stamp = inner.split_once(',').is_some_and(|(clock, node)| {
        let is_node = at.setup().names.iter().any(|name| name == node.trim());
        clock.trim().parse::<u32>().is_ok() && is_node
    });
    if stamp {
        return Some("the engine knows every stamp: ask it as `state`".to_owned());
    }
    let asks_what = question.common().prompt.to_lowercase().contains("what do");
    (asks_what && is_outcome(&key, at))
        .then(|| "the engine knows what an event does: ask it as `predict`".to_owned())
}
