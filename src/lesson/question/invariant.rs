//! `invariant`: a goal that holds in every state, and that each of some broken variants breaks.
//!
//! The checker judges: every schedule of the cluster as the paper has it, then of each variant. The answer to
//! a goal that does not hold is the shortest run that breaks it; to one that is too weak, the variant that
//! slips through. A limit of states decides nothing: it costs no attempt.

use super::game::Snapshot;
use super::{Answer, Defined as _, FormHint, Question, Scene, Verdict};
use crate::catalog::{self, ConfigError};
use crate::check::{self, Asked, SearchOptions, Verdict as Found};
use crate::input::{Path, count};
use crate::lesson::file::{ClusterFile, Misfit};
use crate::model::goal::{Goal, Test, When};
use crate::model::{Config, Schedule};
use crate::sim::{self, Simulation};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most states that are looked at for one cluster.
const MOST_STATES: usize = 200_000;

question! {
    /// Answer with a goal that holds in every state.
    pub struct Invariant {
        /// A right answer.
        pub answer: String,
        /// The variants of the algorithm that have to break it.
        #[serde(default, rename = "refuted-by")]
        pub refuted_by: Vec<String>,
        /// What it has to rule out as well: a goal that holds wherever it holds, in every state of the
        /// variants too.
        #[serde(default)]
        pub implies: Option<String>,
        /// How often every node asks; omitted: once, and a variant as often as it needs to fail.
        #[serde(default)]
        pub requests: Option<u32>,
        /// Another cluster than the lesson's.
        #[serde(default)]
        pub cluster: Option<ClusterFile>,
        /// The cluster, once it is known.
        #[serde(skip)]
        pub ready: Option<Ready>,
    }
}

/// The cluster in which a goal is judged, and what was judged before.
#[derive(Clone, Debug)]
pub struct Ready {
    config: Config,
    start: Snapshot,
    judged: Arc<Mutex<HashMap<String, Judged>>>,
}

/// What the checker says of a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Judged {
    /// It holds in so many states, and each variant breaks it.
    Right(usize),
    /// This run breaks it.
    Broken(String),
    /// It holds, and the variants with these places break it not.
    Weak(Vec<usize>),
    /// It holds after this run of the variant with this place, where what it has to imply does not.
    Allows(usize, String),
    /// There are more states than are looked at.
    Limit,
}

/// The text of a goal without what says that it holds in all states.
fn bare(raw: &str) -> String {
    let text = raw.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_end_matches(['.', ' ']).trim_matches(['"', '\'', '`', ' ']);
    text.strip_prefix("always ").unwrap_or(text).to_owned()
}

impl Ready {
    fn of(config: Config) -> Result<Self, ConfigError> {
        let start = Snapshot::of(catalog::start(&config)?);
        Ok(Self { config, start, judged: Arc::default() })
    }

    /// The goal that has to hold in every state.
    fn goal(&self, text: &str) -> Result<Goal, String> {
        let parsed = sim::goal(&format!("always {text}"), self.start.state());
        let goal = parsed.map_err(|error| error.message)?;
        match goal.when {
            When::Never => Ok(goal),
            When::Now | When::Eventually => Err("it has to hold in every state".to_owned()),
        }
    }
}

impl Invariant {
    /// The same cluster under a variant's rules, with what it needs to fail.
    fn under(&self, ready: &Ready, variant: &str) -> Result<(Config, SearchOptions), ConfigError> {
        let config = Config { variant: Some(variant.to_owned()), ..ready.config.clone() };
        let mut options = catalog::search_for(&config, &Schedule::default())?;
        options.requests = self.requests.map_or(options.requests, |r| vec![r]);
        Ok((config, options))
    }

    fn judge(&self, ready: &Ready, text: &str) -> Judged {
        let key = text.to_owned();
        let known = |judged: &HashMap<String, Judged>| judged.get(&key).cloned();
        let kept = || ready.judged.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(judged) = known(&kept()) {
            return judged;
        }
        let judged = self.work_out(ready, text);
        kept().insert(key, judged.clone());
        judged
    }

    fn work_out(&self, ready: &Ready, text: &str) -> Judged {
        let Ok(goal) = ready.goal(text) else { return Judged::Limit };
        let implied = self.implies.as_ref().and_then(|implied| ready.goal(implied).ok());
        let searched = |config: &Config, goal: &Goal, options: SearchOptions| {
            let goal = Some(Asked::by_hand(text, goal.clone()));
            let options = SearchOptions { goal, max_states: Some(MOST_STATES), ..options };
            let mut search = catalog::search(config, &options).ok()?;
            let report = check::finish(search.as_mut());
            (report.verdict != Found::Limit).then(|| report.clone())
        };
        let requests = vec![self.requests.unwrap_or(1)];
        let paper = SearchOptions { requests, ..SearchOptions::default() };
        let Some(report) = searched(&ready.config, &goal, paper) else { return Judged::Limit };
        if let Some(run) = report.counterexample {
            return Judged::Broken(run.show(&ready.start.state().setup().names));
        }
        let mut through = Vec::new();
        for (place, variant) in self.refuted_by.iter().enumerate() {
            let Ok((config, options)) = self.under(ready, variant) else { continue };
            match searched(&config, &goal, options.clone()) {
                Some(report) if report.counterexample.is_some() => {}
                Some(_) => through.push(place),
                None => return Judged::Limit,
            }
            let Some(implied) = &implied else { continue };
            // Both tests say what never holds.
            let holds = Test::Not(Box::new(goal.test.clone()));
            let test = Test::And(Box::new(implied.test.clone()), Box::new(holds));
            match searched(&config, &Goal { when: When::Now, test }, options) {
                Some(report) => {
                    if let Some(run) = report.counterexample.filter(|_| through.is_empty()) {
                        let names = &ready.start.state().setup().names;
                        return Judged::Allows(place, run.show(names));
                    }
                }
                None => return Judged::Limit,
            }
        }
        if through.is_empty() { Judged::Right(report.states) } else { Judged::Weak(through) }
    }

    /// What a variant changes, after its name.
    fn told(&self, place: usize, ready: &Ready) -> String {
        let slug = &self.refuted_by[place];
        let entry = catalog::find(&ready.config.algorithm).ok();
        let variant = entry.and_then(|e| e.info.variants.iter().find(|v| v.slug == slug));
        variant.map_or_else(|| slug.clone(), |v| format!("{slug}: {}", v.about))
    }

    fn first_misfits(&self) -> Vec<Misfit> {
        let Some(ready) = &self.ready else { return Vec::new() };
        let path = |key: &str| Path::root().key(key);
        let unknown = self.refuted_by.iter().enumerate().filter_map(|(i, slug)| {
            let (config, options) = match self.under(ready, slug) {
                Ok(found) => found,
                Err(error) => {
                    return Some(Misfit::value(path("refuted-by").index(i), error.to_string()));
                }
            };
            let error = catalog::search(&config, &options).err()?;
            Some(Misfit::value(path("refuted-by").index(i), error.to_string()))
        });
        let goal = ready.goal(&bare(&self.answer)).err();
        let implied = self.implies.as_ref().and_then(|implied| ready.goal(implied).err());
        let implied = implied.map(|why| Misfit::value(path("implies"), why));
        let goal = goal.map(|why| Misfit::value(path("answer"), why));
        unknown.chain(goal).chain(implied).collect()
    }
}

impl Question for Invariant {
    fn prepare(&mut self, scene: Scene<'_>) {
        let own = self.cluster.as_ref().map(|cluster| cluster.config().0);
        self.ready = Ready::of(own.unwrap_or_else(|| scene.config.clone())).ok();
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let text = bare(raw);
        if let Some(ready) = &self.ready {
            let form =
                "Answer with a goal that holds in every state, such as `waiting(P1) or idle(P2)`";
            if text.is_empty() {
                return Err(FormHint(format!("{form}.")));
            }
            ready.goal(&text).map_err(|why| FormHint(format!("{form}: {why}.")))?;
            if self.judge(ready, &text) == Judged::Limit {
                let hint = format!(
                    "This cannot be judged: there are more than {MOST_STATES} states. Count less in it."
                );
                return Err(FormHint(hint));
            }
        }
        Ok(Answer(text))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let verdict = |right, lines| Verdict::new(right, lines, self.reference(at), answer);
        let Some(ready) = &self.ready else { return verdict(false, Vec::new()) };
        let all = self.refuted_by.len();
        match self.judge(ready, &answer.0) {
            Judged::Right(states) => {
                let by = match all {
                    0 => String::new(),
                    _ => format!(", and it is broken by {}", self.refuted_by.join(", ")),
                };
                verdict(true, vec![format!("It holds in all {}{by}.", count(states, "state"))])
            }
            Judged::Broken(run) if run.is_empty() => {
                verdict(false, vec!["It does not hold where nothing has happened yet.".to_owned()])
            }
            Judged::Broken(run) => {
                let told =
                    "It does not hold in every state. A shortest run after which it does not:";
                verdict(false, vec![told.to_owned(), run])
            }
            Judged::Weak(through) => {
                let told = through.iter().map(|place| self.told(*place, ready));
                let told = format!(
                    "It holds in every state, but it is too weak: it also holds under these broken rules. {}",
                    told.collect::<Vec<_>>().join(" ")
                );
                verdict(false, vec![told]).partly(1 + all - through.len(), 1 + all)
            }
            Judged::Allows(place, run) => {
                let told = format!(
                    "It holds in every state, but it is too weak: it also holds after this run of broken rules, where it should not. {}",
                    self.told(place, ready)
                );
                verdict(false, vec![told, run]).partly(all, 1 + all)
            }
            Judged::Limit => verdict(false, Vec::new()),
        }
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        Answer(bare(&self.answer))
    }

    fn proofs(&self, _at: &dyn Simulation) -> Vec<Misfit> {
        let Some(ready) = self.ready.as_ref().filter(|_| self.first_misfits().is_empty()) else {
            return Vec::new();
        };
        let why = match self.judge(ready, &bare(&self.answer)) {
            Judged::Right(_) => return Vec::new(),
            Judged::Broken(run) => format!("it does not hold after: {run}"),
            Judged::Weak(through) => {
                let names: Vec<&str> =
                    through.iter().map(|i| self.refuted_by[*i].as_str()).collect();
                format!("it is not broken by {}", names.join(", "))
            }
            Judged::Allows(place, run) => {
                format!(
                    "under {} it holds after {run}, where `implies` does not",
                    self.refuted_by[place]
                )
            }
            Judged::Limit => format!("there are more than {MOST_STATES} states"),
        };
        vec![Misfit::value(Path::root().key("answer"), why)]
    }

    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let feedback = self.no_feedback("an invariant tells by itself what breaks it");
        self.first_misfits().into_iter().chain(feedback).collect()
    }
}
