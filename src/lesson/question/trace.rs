//! `trace`: carry a run on to a goal, event by event, and say what comes of them.
//!
//! Played again by the engine: every legal order is right, and a line that is not fails with the
//! engine's reason.

use super::game::{Game, Line, Ready, Spec};
use super::search::{self, Found};
use super::{Answer, Common, FormHint, Pick, Playing, Question, Scene, Verdict, Way, WrongAt};
use crate::input::Path;
use crate::lesson::file::Misfit;
use crate::model::Event;
use crate::sim::{Policy, Simulation};

/// The most events of a run that is found by itself.
const FOUND_WITHIN: usize = 60;

question! {
    /// Carry a run on to a goal.
    pub struct Trace {
        /// What has to hold at its end.
        pub goal: String,
        /// Words of which one is said of each event that does one of them.
        #[serde(default)]
        pub annotate: Vec<String>,
        /// Events from the cluster's beginning to where the run starts; left away: where the lesson
        /// stands.
        #[serde(default)]
        pub start: Option<Vec<String>>,
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
        /// A right answer; left away: the engine finds one.
        #[serde(default)]
        pub solution: Vec<String>,
        /// The game, once the cluster is known.
        #[serde(skip)]
        pub ready: Ready,
        /// A right answer, once it is known.
        #[serde(skip)]
        pub key: String,
    }
}

impl Trace {
    fn spec(&self) -> Spec<'_> {
        Spec {
            goal: &self.goal,
            never: self.never.as_deref(),
            allow: &self.allow,
            forbid: &self.forbid,
            at_most: self.at_most,
            cluster: None,
            start: self.start.as_deref(),
            annotate: &self.annotate,
        }
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

impl Question for Trace {
    fn kind(&self) -> &'static str {
        "trace"
    }

    fn common(&self) -> Common<'_> {
        self.shared()
    }

    fn prepare(&mut self, scene: Scene<'_>) {
        self.ready = Ready::of(scene, self.spec());
        let solved = self.ready.game().zip(self.solved());
        self.key = solved.map(|(game, lines)| game.write(&lines)).unwrap_or_default();
    }

    fn picks(&self) -> Vec<Pick> {
        Vec::new()
    }

    fn way(&self) -> Way {
        let start = self.ready.game().and_then(|game| game.start.clone());
        Way::Play(Playing { start, impossible: false, par: None, ..self.spec().playing() })
    }

    fn allows(&self, event: Event) -> bool {
        self.ready.game().is_none_or(|game| game.rules.allows(event))
    }

    fn wrong_at(&self, answer: &Answer, _at: &dyn Simulation) -> Option<WrongAt> {
        let game = self.ready.game()?;
        game.wrong_at(&game.read(&answer.0).ok()?)
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let lines = self.ready.read(raw)?;
        Ok(Answer(self.ready.game().map_or(String::new(), |game| game.write(&lines))))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let expected = self.reference(at);
        let (Some(game), Ok(lines)) = (self.ready.game(), self.ready.read(&answer.0)) else {
            return Verdict::new(false, Vec::new(), expected, answer);
        };
        let mut replay = game.replay(&lines);
        if let Some(most) = game.rules.at_most.filter(|most| lines.len() > *most) {
            replay.reached = false;
            let only = format!("only {} may be played", crate::input::count(most, "event"));
            replay.fault.get_or_insert((most, only));
        }
        let right = replay.reached;
        let mut said = game.remarks(&lines, &replay, &self.goal);
        if right {
            let all = crate::input::count(lines.len(), "event");
            said.push(format!("All {all} can happen in this order, and the goal holds."));
        }
        Verdict::new(right, said, expected, answer)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        Answer(self.key.clone())
    }

    fn shows(&self, answer: &Answer) -> String {
        answer.0.replace("; ", "\n")
    }

    fn sheet(&self) -> String {
        let words = match self.annotate.as_slice() {
            [] => String::new(),
            words => format!(" Behind each that does one of these: {}.", words.join(", ")),
        };
        format!("One event a line.{words}\n\n{}", super::LINE.repeat(6))
    }

    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let mut misfits = self.ready.misfits();
        for answer in self.feedback.keys() {
            let message = "a line that is wrong says why; `trace` needs no `feedback`";
            misfits.push(Misfit::key(Path::root().key("feedback").key(answer), message));
        }
        if self.at_most == Some(0) {
            misfits
                .push(Misfit::value(Path::root().key("at_most"), "at least one event is played"));
        }
        if self.solution.is_empty() {
            if self.ready.game().is_some() && self.key.is_empty() {
                let message = "no run was found that reaches this; show one with `solution`";
                misfits.push(Misfit::value(Path::root().key("goal"), message));
            }
        } else {
            misfits.extend(self.ready.solution_misfit(&self.solution));
        }
        misfits
    }
}
