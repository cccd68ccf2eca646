//! `drive`: deliver, drop, crash until something holds, or find that it cannot be done; `trace`: carry a
//! run on to a goal, event by event, and say what comes of them.
//!
//! What was played is played again by the engine: every legal order is right, and a line that is not fails
//! with the engine's reason. That something is impossible is proved by trying every way.

use super::game::{Game, Line, Ready, Spec};
use super::search::{self, Found};
use super::{
    Answer, Defined as _, FormHint, LINE, Playing, Question, Scene, Verdict, Way, WrongAt,
};
use crate::input::{Path, count};
use crate::lesson::file::{ClusterFile, Misfit};
use crate::model::{Event, Schedule};
use crate::sim::{Policy, Simulation};
use schemars::JsonSchema;
use serde::Deserialize;

/// The answer that it cannot be done.
pub const IMPOSSIBLE: &str = "impossible";
/// The key of a question whose run the engine may find by itself.
const TRACE: &str = "trace";
/// The most events of a run that is found by itself.
const FOUND_WITHIN: usize = 60;

question! {
    /// Play until a goal holds, or carry a run on to it.
    pub struct Drive {
        /// What has to hold at the end.
        pub goal: String,
        /// Words of which one is said of each event that does one of them.
        #[serde(default)]
        pub annotate: Vec<String>,
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
        /// Events from the cluster's beginning to where the playing starts; omitted: where the
        /// lesson stands.
        #[serde(default)]
        pub start: Option<Vec<String>>,
        /// A right answer, where it can be done; omitted in a `trace`: the engine finds one.
        #[serde(default)]
        pub solution: Vec<String>,
        /// `impossible`, where it cannot be done.
        #[serde(default)]
        pub answer: Option<Impossible>,
        /// The game, once the cluster is known.
        #[serde(skip)]
        pub ready: Ready,
        /// A right answer, once it is known.
        #[serde(skip)]
        pub key: String,
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
    let text =
        rest.iter().fold(text.as_str(), |text, lead| text.strip_prefix(lead).unwrap_or(text));
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
            annotate: &self.annotate,
        }
    }

    fn is_trace(&self) -> bool {
        self.kind == TRACE
    }

    /// Whether the answer may be that it cannot be done.
    fn may_be_impossible(&self) -> bool {
        !self.is_trace() || self.answer.is_some()
    }

    /// A right answer: the author's, else a run that the engine finds.
    fn solved(&self) -> Option<Vec<Line>> {
        let game = self.ready.game()?;
        if !self.solution.is_empty() {
            return game.read(&self.solution.join("\n")).ok();
        }
        let events = by_itself(game).or_else(|| {
            let most = game.rules.at_most.unwrap_or(FOUND_WITHIN);
            match search::shortest(game.from.state(), &game.rules, most, search::BUDGET / 3) {
                Found::Way(way) => Some(way),
                Found::None | Found::TooMany => None,
            }
        })?;
        let lines = game.lines_of(&events);
        game.replay(&lines).reached.then_some(lines)
    }

    /// What is said about a replay that reached the goal.
    fn praise(&self, events: usize) -> String {
        if self.is_trace() {
            return format!(
                "All {} can happen in this order, and the goal holds.",
                count(events, "event")
            );
        }
        let par = match self.par.map(|par| par as usize) {
            Some(par) if events > par => format!(" It can be done in {par}."),
            Some(par) if events < par => format!(" Par is {par}."),
            Some(_) | None => String::new(),
        };
        format!("The goal holds after {}.{par}", count(events, "event"))
    }

    fn played(&self, lines: &[Line]) -> (bool, Vec<String>) {
        let Some(game) = self.ready.game() else { return (false, Vec::new()) };
        let mut replay = game.replay(lines);
        if let Some(most) = game.rules.at_most.filter(|most| lines.len() > *most) {
            if replay.reached && !self.is_trace() {
                let n = count(lines.len(), "event");
                let line = format!("The goal holds, but after {n}; {most} may be played.");
                return (false, vec![line]);
            }
            replay.reached = false;
            replay
                .fault
                .get_or_insert((most, format!("only {} may be played", count(most, "event"))));
        }
        match replay.reached {
            true => (true, vec![self.praise(lines.len())]),
            false => (false, game.remarks(lines, &replay)),
        }
    }

    /// What is said to the answer that it cannot be done.
    fn called_impossible(&self) -> String {
        let known = self.feedback.get(IMPOSSIBLE);
        match (self.answer, self.at_most) {
            (Some(_), Some(most)) => {
                format!("No way of at most {} leads there.", count(most, "event"))
            }
            (Some(_), None) => "No way leads there.".to_owned(),
            (None, _) => known.cloned().unwrap_or_else(|| "There is a way.".to_owned()),
        }
    }

    /// A solution that is missing, needless, or does not reach the goal.
    fn solution_misfits(&self) -> Vec<Misfit> {
        let path = |key: &str| Path::root().key(key);
        let unsolved = self.ready.game().is_some() && self.key.is_empty();
        let one = match (self.answer, self.solution.as_slice()) {
            (None, []) if !self.is_trace() => Some(Misfit::key(
                Path::root(),
                "a `solution` is missing; or is the answer `impossible`?",
            )),
            (None, []) if unsolved => Some(Misfit::value(
                path("goal"),
                "no run was found that reaches this; show one with `solution`",
            )),
            (None, []) => None,
            (Some(_), [_, ..]) => {
                Some(Misfit::key(path("solution"), "what is impossible has no solution"))
            }
            (Some(_), []) if self.at_most.is_none() => Some(Misfit::key(
                path("answer"),
                "that it is impossible can be proved only with `at_most`",
            )),
            (Some(_), []) => None,
            (None, solution) => self.ready.solution_misfit(solution),
        };
        one.into_iter().collect()
    }
}

/// The run that goes on by itself, the oldest message first, up to the goal.
fn by_itself(game: &Game) -> Option<Vec<Event>> {
    let mut sim = game.from.state().fork();
    let mut events = Vec::new();
    let most = game.rules.at_most.unwrap_or(FOUND_WITHIN);
    while events.len() < most {
        let event = Policy::Oldest.choose(sim.as_ref()).filter(|e| game.rules.allows(*e))?;
        sim.step(event).ok()?;
        events.push(event);
        if game.rules.spoilt(sim.as_ref()) {
            return None;
        }
        if game.rules.goal.holds(sim.as_ref()) {
            return Some(events);
        }
    }
    None
}

impl Question for Drive {
    fn prepare(&mut self, scene: Scene<'_>) {
        self.ready = Ready::of(scene, self.spec());
        let solved = match (self.answer, self.is_trace() || !self.solution.is_empty()) {
            (None, true) => self.ready.game().zip(self.solved()),
            (Some(_), _) | (None, false) => None,
        };
        self.key = match (self.answer, solved) {
            (Some(_), _) => IMPOSSIBLE.to_owned(),
            (None, Some((game, lines))) => game.write(&lines),
            (None, None) => String::new(),
        };
    }

    fn way(&self) -> Way {
        let config = self.cluster.as_ref().map(|cluster| Box::new(cluster.config().0));
        let start = self.ready.game().and_then(|game| game.start.clone());
        let impossible = self.may_be_impossible() && self.at_most.is_some();
        // It would tell that there is a way.
        let par = self.par.filter(|_| !impossible).map(|par| par as usize);
        Way::Play(Playing { config, start, impossible, par, ..self.spec().playing() })
    }

    fn allows(&self, event: Event) -> bool {
        self.ready.game().is_none_or(|game| game.rules.allows(event))
    }

    fn wrong_at(&self, answer: &Answer, _at: &dyn Simulation) -> Option<WrongAt> {
        let game = self.ready.game()?;
        game.wrong_at(&game.read(&answer.0).ok()?)
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        if self.may_be_impossible() && says_impossible(raw) {
            return Ok(Answer(IMPOSSIBLE.to_owned()));
        }
        let lines = self.ready.read(raw)?;
        Ok(Answer(self.ready.game().map_or(String::new(), |game| game.write(&lines))))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let (right, lines) = match answer.0.as_str() {
            IMPOSSIBLE => (self.answer.is_some(), vec![self.called_impossible()]),
            text => match self.ready.read(text) {
                Ok(lines) => self.played(&lines),
                Err(hint) => (false, vec![hint.0]),
            },
        };
        Verdict::new(right, lines, self.reference(at), answer)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        Answer(self.key.clone())
    }

    fn shows(&self, answer: &Answer) -> String {
        answer.0.replace("; ", "\n")
    }

    fn sheet(&self) -> String {
        if self.is_trace() {
            let words = match self.annotate.as_slice() {
                [] => String::new(),
                words => format!(" After each that does one of these: {}.", words.join(", ")),
            };
            return format!("One event a line.{words}\n\n{}", LINE.repeat(6));
        }
        let most = self
            .at_most
            .map_or(String::new(), |most| format!(" At most {}.", count(most, "event")));
        let or = self.at_most.map_or("", |_| " Or `impossible`, if you think so.");
        let goal = self.goal.trim();
        format!("Goal: `{goal}`.{most} One event a line.{or}\n\n{}", LINE.repeat(4))
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
                Found::Way(way) => {
                    Some((path("answer"), format!("it is possible: {}", shown(way))))
                }
                Found::TooMany => {
                    let message = format!(
                        "not proved: there are more than {} states within {}; lower `at_most` or \
                         forbid what is not needed",
                        search::BUDGET,
                        count(most, "event")
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
        misfits.extend(if self.is_trace() {
            self.no_feedback("a line that is wrong says why; `trace` needs no `feedback`")
        } else {
            let told = |answer: &str| answer == IMPOSSIBLE && self.answer.is_none();
            let message = "a line that is wrong says why; only a wrong `impossible` has `feedback`";
            self.unfit_feedback(&|answer| (!told(answer)).then(|| message.to_owned()))
        });
        if self.is_trace() && self.at_most == Some(0) {
            misfits.push(Misfit::value(path("at_most"), "at least one event is played"));
        }
        misfits.extend(self.solution_misfits());
        let events = self.solution.len();
        for (key, most) in [("par", self.par), ("at_most", self.at_most)] {
            if !self.is_trace() && most.is_some_and(|most| events > most as usize) {
                let message = format!("the solution takes {}", count(events, "event"));
                misfits.push(Misfit::value(path(key), message));
            }
        }
        misfits
    }
}
