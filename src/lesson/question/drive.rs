//! `drive`: deliver, drop, crash until something holds, or find that it cannot be done.
//!
//! What was played is played again. That something is impossible is proved by trying every way.

use super::game::{Line, Ready, Spec};
use super::search::{self, Found};
use super::{Answer, Common, FormHint, Pick, Playing, Question, Scene, Verdict, Way, WrongAt};
use crate::input::Path;
use crate::lesson::file::{ClusterFile, Misfit};
use crate::model::{Event, Schedule};
use crate::sim::Simulation;
use schemars::JsonSchema;
use serde::Deserialize;

/// The answer that it cannot be done.
pub const IMPOSSIBLE: &str = "impossible";

question! {
    /// Play until a goal holds.
    pub struct Drive {
        /// What has to hold at the end.
        pub goal: String,
        /// What must hold at no time.
        #[serde(default)]
        pub never: Option<String>,
        /// Events or kinds of events that may be played besides requests, deliveries, exits, timeouts.
        #[serde(default)]
        pub allow: Vec<String>,
        /// Events or kinds of events that may not.
        #[serde(default)]
        pub forbid: Vec<String>,
        /// The most events.
        #[serde(default)]
        pub at_most: Option<u32>,
        /// In how many events it can be done well.
        #[serde(default)]
        pub par: Option<u32>,
        /// Another cluster than the lesson's to play in, from its beginning.
        #[serde(default)]
        pub cluster: Option<ClusterFile>,
        /// Events from the cluster's beginning to where the playing starts; left away: where the
        /// lesson stands.
        #[serde(default)]
        pub start: Option<Vec<String>>,
        /// A right answer, where it can be done.
        #[serde(default)]
        pub solution: Vec<String>,
        /// `impossible`, where it cannot be done.
        #[serde(default)]
        pub answer: Option<Impossible>,
        /// The game, once the cluster is known.
        #[serde(skip)]
        pub ready: Ready,
    }
}

/// The answer that it cannot be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Impossible {
    /// It cannot be done within `at_most` events.
    Impossible,
}

/// Whether a text says that it cannot be done.
#[must_use]
pub fn says_impossible(text: &str) -> bool {
    let text = super::forms::fold(text);
    let rest = ["answer ", "it is ", "it's ", "this is ", "that is "];
    let text = rest.iter().fold(text.as_str(), |text, lead| text.strip_prefix(lead).unwrap_or(text));
    matches!(text, IMPOSSIBLE | "not possible" | "cannot be done" | "it cannot be done")
}

impl Drive {
    fn spec(&self) -> Spec<'_> {
        Spec {
            goal: &self.goal,
            never: self.never.as_deref(),
            allow: &self.allow,
            forbid: &self.forbid,
            at_most: self.at_most,
            cluster: self.cluster.as_ref(),
            start: self.start.as_deref(),
            annotate: &[],
        }
    }

    /// What is said about a replay that reached the goal.
    fn praise(&self, events: usize) -> String {
        let par = match self.par.map(|par| par as usize) {
            Some(par) if events > par => format!(" It can be done in {par}."),
            Some(par) if events < par => format!(" Par is {par}."),
            Some(_) | None => String::new(),
        };
        format!("The goal holds after {}.{par}", crate::input::count(events, "event"))
    }

    fn played(&self, lines: &[Line]) -> (bool, Vec<String>) {
        let Some(game) = self.ready.game() else { return (false, Vec::new()) };
        let replay = game.replay(lines);
        if replay.reached {
            if let Some(most) = game.rules.at_most.filter(|most| lines.len() > *most) {
                let line = format!(
                    "The goal holds, but after {}; {most} may be played.",
                    crate::input::count(lines.len(), "event")
                );
                return (false, vec![line]);
            }
            return (true, vec![self.praise(lines.len())]);
        }
        (false, game.remarks(lines, &replay, &self.goal))
    }
}

impl Question for Drive {
    fn kind(&self) -> &'static str {
        "drive"
    }

    fn common(&self) -> Common<'_> {
        self.shared()
    }

    fn prepare(&mut self, scene: Scene<'_>) {
        self.ready = Ready::of(scene, self.spec());
    }

    fn picks(&self) -> Vec<Pick> {
        Vec::new()
    }

    fn way(&self) -> Way {
        let config = self.cluster.as_ref().map(|cluster| Box::new(cluster.config().0));
        let start = self.ready.game().and_then(|game| game.start.clone());
        let impossible = self.at_most.is_some();
        let par = self.par.map(|par| par as usize);
        Way::Play(Playing { config, start, impossible, par, ..self.spec().playing() })
    }

    fn allows(&self, event: Event) -> bool {
        self.ready.game().is_none_or(|game| game.rules.allows(event))
    }

    fn wrong_at(&self, answer: &Answer, _at: &dyn Simulation) -> Option<WrongAt> {
        // In a cluster of its own nobody can be led to the line that is wrong.
        let game = self.ready.game().filter(|_| self.cluster.is_none())?;
        game.wrong_at(&game.read(&answer.0).ok()?)
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        if says_impossible(raw) {
            return Ok(Answer(IMPOSSIBLE.to_owned()));
        }
        let lines = self.ready.read(raw)?;
        Ok(Answer(self.ready.game().map_or(String::new(), |game| game.write(&lines))))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let expected = self.reference(at);
        if answer.0 == IMPOSSIBLE {
            let right = self.answer.is_some();
            let line = match (right, self.at_most) {
                (true, Some(most)) => {
                    let most = crate::input::count(most, "event");
                    format!("No way of at most {most} leads there.")
                }
                (true, None) => "No way leads there.".to_owned(),
                (false, _) => "There is a way.".to_owned(),
            };
            let known = self.feedback.get(IMPOSSIBLE).filter(|_| !right).cloned();
            return Verdict::new(right, vec![known.unwrap_or(line)], expected, answer);
        }
        let (right, lines) = match self.ready.read(&answer.0) {
            Ok(lines) => self.played(&lines),
            Err(hint) => (false, vec![hint.0]),
        };
        Verdict::new(right, lines, expected, answer)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        if self.answer.is_some() {
            return Answer(IMPOSSIBLE.to_owned());
        }
        let lines = self.ready.game().zip(self.ready.read(&self.solution.join("\n")).ok());
        Answer(lines.map(|(game, lines)| game.write(&lines)).unwrap_or_default())
    }

    fn shows(&self, answer: &Answer) -> String {
        answer.0.replace("; ", "\n")
    }

    fn sheet(&self) -> String {
        let count = |most| format!(" At most {}.", crate::input::count(most, "event"));
        let most = self.at_most.map_or(String::new(), count);
        let or = if self.at_most.is_some() {
            " Or `impossible`, if you think so."
        } else {
            ""
        };
        format!(
            "Goal: `{}`.{most} One event a line.{or}\n\n{}",
            self.goal.trim(),
            super::LINE.repeat(4)
        )
    }

    /// That it is impossible, or that it cannot be done in fewer events than `par`.
    fn proofs(&self, _at: &dyn Simulation) -> Vec<Misfit> {
        let Some(game) = self.ready.game() else { return Vec::new() };
        let shortest = |most: u32, budget| {
            search::shortest(game.from.state(), &game.rules, most as usize, budget)
        };
        let shown = |way: Vec<Event>| Schedule(way).show(&game.from.state().setup().names);
        let path = |key: &str| Path::root().key(key);
        let wrong = match (self.answer, self.at_most, self.par) {
            (Some(_), Some(most), _) => match shortest(most, search::BUDGET) {
                Found::None => None,
                Found::Way(way) => Some((path("answer"), format!("it is possible: {}", shown(way)))),
                Found::TooMany => {
                    let message = format!(
                        "not proved: there are more than {} states within {}; lower `at_most` or \
                         forbid what is not needed",
                        search::BUDGET,
                        crate::input::count(most, "event")
                    );
                    Some((path("answer"), message))
                }
            },
            // What has too many states to be tried is left to the author.
            (None, _, Some(par)) => match shortest(par.saturating_sub(1), search::BUDGET / 3) {
                Found::Way(way) => {
                    let n = way.len();
                    Some((path("par"), format!("it can be done in {n}: {}", shown(way))))
                }
                Found::None | Found::TooMany => None,
            },
            (Some(_), None, _) | (None, _, None) => None,
        };
        wrong.into_iter().map(|(path, message)| Misfit::value(path, message)).collect()
    }

    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let path = |key: &str| Path::root().key(key);
        let mut misfits = self.ready.misfits();
        for answer in self.feedback.keys().filter(|a| *a != IMPOSSIBLE || self.answer.is_some()) {
            let message = "a line that is wrong says why; only a wrong `impossible` has `feedback`";
            misfits.push(Misfit::key(path("feedback").key(answer), message));
        }
        match (self.answer, self.solution.as_slice()) {
            (None, []) => {
                let message = "a `solution` is missing; or is the answer `impossible`?";
                misfits.push(Misfit::key(Path::root(), message));
            }
            (Some(_), [_, ..]) => {
                misfits.push(Misfit::key(path("solution"), "what is impossible has no solution"));
            }
            (Some(_), []) if self.at_most.is_none() => {
                let message = "that it is impossible can be proved only with `at_most`";
                misfits.push(Misfit::key(path("answer"), message));
            }
            (Some(_), []) => {}
            (None, solution) => misfits.extend(self.ready.solution_misfit(solution)),
        }
        let events = self.solution.len();
        for (key, most) in [("par", self.par), ("at_most", self.at_most)] {
            if most.is_some_and(|most| events > most as usize) {
                let message = format!("the solution takes {}", crate::input::count(events, "event"));
                misfits.push(Misfit::value(path(key), message));
            }
        }
        misfits
    }
}
