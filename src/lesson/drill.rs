//! Drill: predictions on a random run of any algorithm, from a seed, as a lesson like any other; or a
//! cluster that does not say which rules it follows (`rules`).
//!
//! Every question is asked about an event that was tried on a copy first: exactly one of its words occurs.
//! No answer is known here that the engine did not give.

mod rules;

use super::question::choice::MOST_OPTIONS;
use super::{Lesson, check};
use crate::algorithm::When;
use crate::catalog::{self, ConfigError, Entry};
use crate::input::{OrderedMap, Problems, Source, to_yaml};
use crate::model::settings::{ALGORITHM, Shown, shown_in_files};
use crate::model::{Config, Event, Names, outcome};
use crate::sim::scheduler::SplitMix64;
use crate::sim::{Simulation, StepRecord};
use serde::Serialize;
use std::sync::Arc;

/// How the id of a drill begins.
pub const PREFIX: &str = "drill-";
/// How many questions are asked when nobody says.
pub const USUAL_COUNT: usize = 10;
/// The most questions of one drill.
pub const MOST_COUNT: usize = 100;
/// So many events may pass before a question is asked that is like the last ones.
const PATIENCE: usize = 8;
/// The most words to choose from.
const WORDS: usize = 4;
/// The longest run, for each question.
const MOST_EVENTS: usize = 200;

/// The algorithms that have something to predict: whose rules have words for what they do.
pub fn algorithms() -> impl Iterator<Item = &'static Entry> {
    catalog::all().iter().filter(|entry| !entry.info.outcomes().is_empty())
}

/// Which drill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drill {
    /// The algorithm's slug.
    pub algorithm: &'static str,
    /// The seed of the run.
    pub seed: u64,
    /// What it asks.
    pub asks: Asks,
}

/// What a drill asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// So many times, what the next event will do.
    Predictions(usize),
    /// Which rules a cluster follows.
    Rules,
}

/// The end of the id of a drill that asks for the rules.
const RULES: &str = "rules";

/// Why there is no such drill.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoDrill {
    /// No algorithm is called so.
    #[error("{0}")]
    Algorithm(ConfigError),
    /// So many questions are not asked.
    #[error("a drill has 1 to {MOST_COUNT} questions, not {0}")]
    Count(usize),
    /// The run has no such events.
    #[error("{0} has nothing to predict")]
    Nothing(&'static str),
    /// It has no variants, or none that a run tells from the others.
    #[error("{0} has no variants to tell apart")]
    NoVariants(&'static str),
    /// The questions make no lesson: a fault of this module.
    #[error("{0}")]
    Fault(Problems),
}

impl Drill {
    /// A drill for an algorithm.
    ///
    /// # Errors
    /// There is no such algorithm, or it is no number of questions to ask.
    pub fn new(algorithm: &str, seed: u64, count: usize) -> Result<Self, NoDrill> {
        let entry = catalog::find(algorithm).map_err(NoDrill::Algorithm)?;
        if !(1..=MOST_COUNT).contains(&count) {
            return Err(NoDrill::Count(count));
        }
        if entry.info.outcomes().is_empty() {
            return Err(NoDrill::Nothing(entry.info.title));
        }
        Ok(Self { algorithm: entry.info.slug, seed, asks: Asks::Predictions(count) })
    }

    /// A drill in which the rules of a cluster of an algorithm are to be named.
    ///
    /// # Errors
    /// There is no such algorithm, or it has no variants.
    pub fn of_rules(algorithm: &str, seed: u64) -> Result<Self, NoDrill> {
        let info = catalog::find(algorithm).map_err(NoDrill::Algorithm)?.info;
        if info.variants.is_empty() {
            return Err(NoDrill::NoVariants(info.title));
        }
        Ok(Self { algorithm: info.slug, seed, asks: Asks::Rules })
    }

    /// The drill whose answers name this lesson; `None`: it is no drill.
    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        let (rest, asks) = id.strip_prefix(PREFIX)?.rsplit_once('-')?;
        let (algorithm, seed) = rest.rsplit_once('-')?;
        let seed = seed.parse().ok()?;
        let drill = match asks {
            RULES => Self::of_rules(algorithm, seed).ok()?,
            count => Self::new(algorithm, seed, count.parse().ok()?).ok()?,
        };
        (drill.id() == id).then_some(drill)
    }

    /// The name of its lesson.
    #[must_use]
    pub fn id(&self) -> String {
        let asks = match self.asks {
            Asks::Predictions(count) => count.to_string(),
            Asks::Rules => RULES.to_owned(),
        };
        format!("{PREFIX}{}-{}-{asks}", self.algorithm, self.seed)
    }

    /// Its lesson: the same for the same drill.
    ///
    /// # Errors
    /// The algorithm has nothing to predict.
    pub fn lesson(&self) -> Result<Arc<Lesson>, NoDrill> {
        let entry = catalog::find(self.algorithm).map_err(NoDrill::Algorithm)?;
        let (about, (config, steps)) = match self.asks {
            Asks::Predictions(count) => {
                let steps = Run::new(&entry, self.seed)?.steps(count);
                let about =
                    "Predictions on a random run. Say what each event does before it happens.";
                (about, (cluster(&entry, self.seed), steps))
            }
            Asks::Rules => (rules::ABOUT, rules::drawn(entry.info, self.seed)?),
        };
        if steps.is_empty() {
            return Err(NoDrill::Nothing(entry.info.title));
        }
        let file = File {
            lesson: super::file::VERSION,
            id: self.id(),
            title: format!("Drill {}: {}", self.seed, entry.info.title),
            about,
            cluster: settings(&config),
            steps,
        };
        let name = format!("drill {}", self.algorithm);
        let source = Source::from_text(&name, &to_yaml(&file), "lesson").map_err(NoDrill::Fault)?;
        let mut lesson = check::lesson(&source, "").map_err(NoDrill::Fault)?;
        lesson.drill = true;
        Ok(Arc::new(lesson))
    }
}

#[derive(Serialize)]
struct File {
    lesson: u32,
    id: String,
    title: String,
    about: &'static str,
    cluster: OrderedMap<&'static str, Shown>,
    steps: Vec<Step>,
}

/// The settings of a cluster as a lesson writes them.
fn settings(config: &Config) -> OrderedMap<&'static str, Shown> {
    let algorithm = (ALGORITHM, Shown::text(&config.algorithm));
    std::iter::once(algorithm).chain(shown_in_files(config)).collect()
}

#[derive(Serialize, Default)]
struct Step {
    say: String,
    run: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predict: Option<Predict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<rules::Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drive: Option<rules::Drive>,
}

#[derive(Serialize)]
struct Predict {
    id: String,
    prompt: String,
    event: String,
    outcomes: Vec<String>,
    then: &'static str,
    hints: Vec<String>,
    explain: String,
}

/// The cluster of a seed: three nodes or four, with clocks that differ where clocks mean something.
fn cluster(entry: &Entry, seed: u64) -> Config {
    let mut rng = SplitMix64::new(seed ^ 0x00d5_1a11);
    let mut config = entry.usual(3 + rng.below(2));
    if entry.info.stamped {
        config.clocks = config.nodes.iter().map(|_| rng.below(8) as u32).collect();
    }
    config
}

/// A random run, and what may be asked of it.
struct Run {
    entry: Entry,
    sim: Box<dyn Simulation>,
    rng: SplitMix64,
    /// How often each word was the right one.
    used: Vec<(String, usize)>,
}

/// An event of which something may be asked.
struct Asked {
    right: &'static str,
    words: Vec<String>,
    record: StepRecord,
}

impl Run {
    fn new(entry: &Entry, seed: u64) -> Result<Self, NoDrill> {
        let sim = catalog::start(&cluster(entry, seed)).map_err(NoDrill::Algorithm)?;
        Ok(Self { entry: entry.clone(), sim, rng: SplitMix64::new(seed), used: Vec::new() })
    }

    fn steps(mut self, count: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut run: Vec<String> = Vec::new();
        for _ in 0..count * MOST_EVENTS {
            if steps.len() == count {
                break;
            }
            let Some(event) = self.choose() else { break };
            let asked = self.asked(event).filter(|asked| self.is_wanted(asked, run.len()));
            let names = self.sim.setup().names.clone();
            let text = event.show(&names);
            if let Some(asked) = asked {
                let place = steps.len() + 1;
                let say = format!(
                    "Question {place} of {count}. What will the next event do? Read the table, say \
                     it, and see."
                );
                let run = std::mem::take(&mut run);
                let predict = Some(self.predict(place, text, &asked, &names));
                steps.push(Step { say, run, predict, ..Step::default() });
                self.note(asked.right);
            } else {
                run.push(text);
            }
            self.sim.step(event).expect("only enabled events are chosen");
        }
        steps
    }

    /// The next event: mostly a delivery, now and then a request or an exit.
    fn choose(&mut self) -> Option<Event> {
        let enabled = self.sim.enabled();
        let of =
            |kind: fn(&Event) -> bool| enabled.iter().copied().filter(kind).collect::<Vec<Event>>();
        let deliveries = of(|e| matches!(e, Event::Deliver(_)));
        let requests = of(|e| matches!(e, Event::Request(_)));
        let exits = of(|e| matches!(e, Event::Exit(_)));
        let groups: [(&[Event], usize); 3] = [(&deliveries, 7), (&requests, 2), (&exits, 2)];
        let weight =
            |(events, weight): &(&[Event], usize)| if events.is_empty() { 0 } else { *weight };
        let all: usize = groups.iter().map(weight).sum();
        let mut draw = if all == 0 { return None } else { self.rng.below(all) };
        for group in &groups {
            if draw < weight(group) {
                return Some(group.0[self.rng.below(group.0.len())]);
            }
            draw -= weight(group);
        }
        None
    }

    /// The words to choose from: those that a request or a delivery can come to. What a node does when it
    /// leaves or when a timer fires has words of its own, some of which would always fit (`keep`).
    fn words(&self) -> Vec<&'static str> {
        let info = self.entry.info;
        let asked = |rule: &&crate::algorithm::Rule| match rule.when {
            When::Asking | When::Receipt | When::Anything => true,
            When::Leaving | When::Timer => false,
        };
        let own: Vec<&str> = info.rules.iter().filter(asked).flat_map(|r| r.words()).collect();
        let all = info.outcomes().into_iter().filter(|word| own.contains(word));
        all.chain([outcome::ENTER]).collect()
    }

    /// What may be asked of an event, if it does something that has a word, and there are other words.
    fn asked(&mut self, event: Event) -> Option<Asked> {
        if !matches!(event, Event::Deliver(_) | Event::Request(_)) {
            return None;
        }
        let record = self.sim.fork().step(event).ok()?;
        let known = self.words();
        let occurs = |word: &&'static str| record.outcomes.contains(word);
        let happened: Vec<&'static str> = known.iter().copied().filter(occurs).collect();
        let fired = record.rules.iter().filter_map(|(id, _)| self.entry.info.rule(id));
        let also: Vec<&str> = fired.map(|rule| rule.also).collect();
        let wrong = |w: &&'static str| !occurs(w) && !also.contains(w);
        let mut others: Vec<&'static str> = known.iter().copied().filter(wrong).collect();
        // Whoever enters does more than what its rule is called. Of several other things none is the
        // answer, and what a node that asks says to itself is nobody's business.
        let right = match (happened.as_slice(), event) {
            (all, _) if all.contains(&outcome::ENTER) => outcome::ENTER,
            ([only], Event::Deliver(_)) => *only,
            _ => return None,
        };
        while others.len() + 1 > WORDS.min(MOST_OPTIONS) {
            others.remove(self.rng.below(others.len()));
        }
        if others.is_empty() {
            return None;
        }
        // In the order in which the algorithm declares them, so that the place tells nothing.
        let shown = |word: &&&'static str| **word == right || others.contains(*word);
        let mut words: Vec<String> = Vec::new();
        for word in known.iter().filter(shown) {
            if !words.iter().any(|w| w == word) {
                words.push((*word).to_owned());
            }
        }
        Some(Asked { right, words, record })
    }

    /// Whether a question is not like all the others, or nothing else comes.
    fn is_wanted(&self, asked: &Asked, since: usize) -> bool {
        let times = |word: &str| self.used.iter().find(|(w, _)| w == word).map_or(0, |(_, n)| *n);
        let rarest = asked.words.iter().map(|w| times(w)).min().unwrap_or(0);
        since >= PATIENCE || times(asked.right) <= rarest + 1
    }

    fn note(&mut self, word: &str) {
        match self.used.iter_mut().find(|(w, _)| w == word) {
            Some((_, n)) => *n += 1,
            None => self.used.push((word.to_owned(), 1)),
        }
    }

    fn predict(&mut self, place: usize, event: String, asked: &Asked, names: &Names) -> Predict {
        let record = &asked.record;
        let to = record.node.map_or("the node", |node| names.get(node));
        let happens = match &record.moved {
            Some(moved) => {
                let from = names.get(moved.message.id.from);
                format!("{from}'s {} reaches {to}", moved.message.label.show(names))
            }
            None => format!("{to} asks for the lock"),
        };
        let prompt = format!("{happens}. What does {to} do?");
        let rules = self.entry.info.rules.iter();
        let named = rules.filter(|r| r.words().any(|o| asked.words.iter().any(|w| w == o)));
        let named: Vec<&str> = named.map(|r| r.id).collect();
        let others: Vec<&String> = asked.words.iter().filter(|w| *w != asked.right).collect();
        let other = others[self.rng.below(others.len())].as_str();
        let mut two = [asked.right, other];
        two.sort_unstable();
        let rule = match named.as_slice() {
            [] => format!("Nothing but {to}'s conditions decides: read *Why*."),
            ids => format!("The rules that decide are {}.", ids.join(", ")),
        };
        Predict {
            id: format!("q{place}"),
            prompt,
            event,
            outcomes: asked.words.clone(),
            then: "play",
            hints: vec![
                format!("Look at {to}'s row, and at what a message says."),
                rule,
                format!("It is one of these two: {}, {}.", two[0], two[1]),
            ],
            explain: self.reason(record),
        }
    }

    /// The rules that fired, as the paper has them.
    fn reason(&self, record: &StepRecord) -> String {
        let mut ids: Vec<&str> = record.rules.iter().map(|(id, _)| *id).collect();
        ids.dedup();
        let one = |id: &&str| {
            let rule = self.entry.info.rule(id)?;
            let text = rule.text.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(format!("{id}: {text}"))
        };
        let all: Vec<String> = ids.iter().filter_map(one).collect();
        if all.is_empty() {
            return "The node that gets the message decides by what it knows itself.".to_owned();
        }
        all.join("\n\n")
    }
}

/// How many predictions were right in a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Right ones.
    pub right: usize,
    /// Answered ones.
    pub answered: usize,
}

impl Score {
    /// Adds what a learner has answered in one drill.
    pub fn add(&mut self, learner: &super::Learner) {
        for question in learner.lesson().questions() {
            match learner.state_of(question.common().id) {
                Some(super::QuestionState::Right) => {
                    self.right += 1;
                    self.answered += 1;
                }
                Some(super::QuestionState::Locked | super::QuestionState::Wrong) => {
                    self.answered += 1;
                }
                Some(
                    super::QuestionState::Open
                    | super::QuestionState::Shown
                    | super::QuestionState::Skipped,
                )
                | None => {}
            }
        }
    }
}

/// `7 of 9 right`.
impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} right", self.right, self.answered)
    }
}
