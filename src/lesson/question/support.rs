//! What several question types need of the engine: goals, runs in text form, clusters of their own,
//! words for outcomes.
//!
//! No type of question is known here.

use crate::catalog;
use crate::input::{Path, nearest};
use crate::lesson::file::{ClusterFile, Misfit};
use crate::model::{Event, outcome};
use crate::sim::{Simulation, StepRecord};

/// A line to write on, on a worksheet.
pub(super) const LINE: &str = "________________\n\n";

/// Another cluster than the lesson's, at its beginning; what is wrong with it stands below `cluster`.
pub(super) fn elsewhere(cluster: &ClusterFile) -> Result<Box<dyn Simulation>, Misfit> {
    let part = Path::root().key("cluster");
    let below = |path: &Path| part.segs().iter().chain(path.segs()).cloned().collect();
    let (config, misfits) = cluster.config();
    if let Some(misfit) = misfits.into_iter().next() {
        return Err(Misfit { path: below(&misfit.path), ..misfit });
    }
    catalog::start(&config).map_err(|error| {
        let path = Path::root().key(error.key);
        let path = error.item.map_or(path.clone(), |item| path.index(item));
        Misfit::value(below(&path), error.message)
    })
}

/// Plays events in text form; `key` is where they stand below the question.
pub(super) fn play_texts(
    sim: &mut dyn Simulation,
    texts: &[String],
    key: &str,
) -> Result<Vec<StepRecord>, Misfit> {
    let one = |(i, text): (usize, &String)| {
        let path = || Path::root().key(key).index(i);
        let event = Event::parse(text, &sim.setup().names)
            .map_err(|error| Misfit::value(path(), error.message))?;
        sim.step(event).map_err(|refused| {
            Misfit::value(path(), format!("`{text}` cannot happen here: {}", refused.reason))
        })
    };
    texts.iter().enumerate().map(one).collect()
}

/// Words that stand in a list for the second time; `key` is where it stands.
pub(super) fn repeated_words(words: &[String], key: &str) -> Vec<Misfit> {
    let again = words.iter().enumerate().filter(|(i, word)| words[..*i].contains(word));
    let one = |(i, word): (usize, &String)| {
        Misfit::value(Path::root().key(key).index(i), format!("`{word}` stands here twice"))
    };
    again.map(one).collect()
}

/// Outcomes that are neither the engine's words nor the algorithm's; `key` is where they stand.
pub(super) fn unknown_words(words: &[String], key: &str, at: &dyn Simulation) -> Vec<Misfit> {
    let own = at.info().outcomes();
    let known: Vec<&str> = own.iter().copied().chain(outcome::ENGINE).collect();
    let unknown = words.iter().enumerate().filter(|(_, w)| !known.contains(&w.as_str()));
    let one = |(i, word): (usize, &String)| {
        let message = match nearest(word, known.iter().copied()) {
            Some(close) => format!("no outcome is called `{word}`; did you mean `{close}`?"),
            None => format!(
                "no outcome is called `{word}`; {} has {}, and every cluster {}",
                at.info().title,
                own.join(", "),
                outcome::ENGINE.join(", ")
            ),
        };
        Misfit::value(Path::root().key(key).index(i), message)
    };
    unknown.map(one).collect()
}
