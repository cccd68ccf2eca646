//! Answers that are played: a goal, the rules of the game, and the replay of the events.
//!
//! What an event does is the engine's business; here it is only played again, line by line.

mod ready;

pub use ready::Ready;

use super::forms;
use super::{FormHint, Playing, Scene, WrongAt};
use crate::input::Path;
use crate::lesson::file::{ClusterFile, Misfit};
use crate::model::event::VERBS;
use crate::model::goal::When;
use crate::model::{Event, Goal, Names};
use crate::sim::{Simulation, StepRecord};
use crate::trace::narrate;
use std::fmt;
use std::sync::Arc;

/// What may be played unless the author says otherwise.
pub const USUAL: [&str; 4] = ["request", "deliver", "exit", "timeout"];
/// The most events of one answer.
pub const MOST_EVENTS: usize = 300;

/// A state that is kept to play from.
#[derive(Clone)]
pub struct Snapshot(Arc<dyn Simulation>);

impl Snapshot {
    /// Of a simulation as it stands.
    #[must_use]
    pub fn of(sim: Box<dyn Simulation>) -> Self {
        Self(Arc::from(sim))
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &dyn Simulation {
        self.0.as_ref()
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Snapshot(step {})", self.0.steps())
    }
}

/// A kind of event, or one event.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Which {
    Verb(String),
    One(Event),
}

/// A goal and what may be played to reach it.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What has to hold.
    pub goal: Goal,
    never: Option<Goal>,
    allowed: Vec<Which>,
    forbidden: Vec<Which>,
    /// The most events.
    pub at_most: Option<usize>,
    names: Names,
}

impl Rules {
    /// Whether an event may be played.
    #[must_use]
    pub fn allows(&self, event: Event) -> bool {
        let among = |list: &[Which]| list.iter().any(|which| self.is(which, event));
        among(&self.allowed) && !among(&self.forbidden)
    }

    fn is(&self, which: &Which, event: Event) -> bool {
        match (which, event) {
            (Which::Verb(verb), _) => event.verb() == verb,
            (Which::One(Event::Deliver(m)), Event::Deliver(n))
            | (Which::One(Event::Drop(m)), Event::Drop(n))
            | (Which::One(Event::Duplicate(m)), Event::Duplicate(n)) => {
                (m.from, m.to) == (n.from, n.to) && (m.no.is_none() || m.no == n.no)
            }
            (Which::One(one), _) => *one == event,
        }
    }

    /// Whether something holds that must never hold.
    #[must_use]
    pub fn spoilt(&self, sim: &dyn Simulation) -> bool {
        self.never.as_ref().is_some_and(|never| never.holds(sim))
            || (self.goal.when == When::Never && self.goal.holds(sim))
    }
}

/// The author's words from which a game is made.
#[derive(Clone, Copy, Debug)]
pub struct Spec<'q> {
    /// What has to hold.
    pub goal: &'q str,
    /// What must hold at no time.
    pub never: Option<&'q str>,
    /// What may be played besides the usual.
    pub allow: &'q [String],
    /// What may not be played.
    pub forbid: &'q [String],
    /// The most events.
    pub at_most: Option<u32>,
    /// Another cluster than the lesson's to play in, from its beginning.
    pub cluster: Option<&'q ClusterFile>,
    /// Events from the beginning to where the playing starts; `None`: where the lesson stands.
    pub start: Option<&'q [String]>,
    /// Words to be said of events.
    pub annotate: &'q [String],
}

impl Spec<'_> {
    /// The words for those who play.
    #[must_use]
    pub fn playing(&self) -> Playing {
        Playing {
            annotate: self.annotate.to_vec(),
            goal: self.goal.trim().to_owned(),
            never: self.never.map(|never| never.trim().to_owned()),
            allow: self.allow.to_vec(),
            forbid: self.forbid.to_vec(),
            at_most: self.at_most.map(|most| most as usize),
            ..Playing::default()
        }
    }
}

/// A game that can be played and replayed.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where it starts.
    pub from: Snapshot,
    /// How one gets there from the lesson's beginning, where it has a start of its own.
    pub start: Option<Vec<Event>>,
    /// Goal and rules.
    pub rules: Rules,
    /// Words of which one is said of each event that does one of them.
    pub annotate: Vec<String>,
}

/// A line of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The event.
    pub event: Event,
    /// What was said of it.
    pub word: Option<String>,
}

/// How a replay ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The first line that is wrong, from 0, and why.
    pub fault: Option<(usize, String)>,
    /// Whether the goal is reached.
    pub reached: bool,
}

impl Game {
    /// Makes the game where a question is asked.
    ///
    /// # Errors
    /// Everything that is wrong with the author's words.
    pub fn make(scene: Scene<'_>, spec: Spec<'_>) -> Result<Self, Vec<Misfit>> {
        let mut misfits = Vec::new();
        let mut sim = match spec.cluster {
            Some(cluster) => super::elsewhere(cluster).map_err(|misfit| vec![misfit])?,
            None if spec.start.is_some() => scene.beginning.fork(),
            None => scene.at.fork(),
        };
        let mut start = None;
        if let Some(texts) = spec.start {
            match super::play_texts(sim.as_mut(), texts, "start") {
                Ok(records) => start = Some(records.iter().map(|r| r.event).collect()),
                Err(misfit) => misfits.push(misfit),
            }
        }
        let names = sim.setup().names.clone();
        let mut goal = |key: &str, text: &str| {
            let read = super::goal(text, sim.as_ref());
            let wrong = |error: crate::model::goal::GoalError| {
                Misfit::value(Path::root().key(key), error.to_string())
            };
            read.map_err(|error| misfits.push(wrong(error))).ok()
        };
        let reach = goal("goal", spec.goal);
        let never = spec.never.and_then(|text| goal("never", text));
        let allowed = which(spec.allow, "allow", &names, &mut misfits);
        let forbidden = which(spec.forbid, "forbid", &names, &mut misfits);
        if never.as_ref().is_some_and(|never| never.when != When::Now) {
            let message = "what must never hold is written without `never` and `eventually`";
            misfits.push(Misfit::value(Path::root().key("never"), message));
        }
        misfits.extend(super::unknown_words(spec.annotate, "annotate", sim.as_ref()));
        let Some(goal) = reach.filter(|_| misfits.is_empty()) else { return Err(misfits) };
        let usual = USUAL.iter().map(|verb| Which::Verb((*verb).to_owned()));
        let at_most = spec.at_most.map(|most| most as usize);
        let allowed = usual.chain(allowed).collect();
        let rules = Rules { goal, never, allowed, forbidden, at_most, names };
        let game = Self { from: Snapshot::of(sim), start, rules, annotate: spec.annotate.to_vec() };
        game.can_be_lost().map_or(Ok(game.clone()), |misfit| Err(vec![misfit]))
    }

    /// The goal holds before anything was played, or never can.
    fn can_be_lost(&self) -> Option<Misfit> {
        if self.replay(&[]).reached {
            let message = "this holds before anything is played";
            return Some(Misfit::value(Path::root().key("goal"), message));
        }
        if self.rules.spoilt(self.from.state()) {
            let message = "this holds before anything is played";
            return Some(Misfit::value(Path::root().key("never"), message));
        }
        None
    }

    fn names(&self) -> &Names {
        &self.rules.names
    }

    /// Reads the lines of an answer.
    ///
    /// # Errors
    /// The first line that is no event, with its number.
    pub fn read(&self, raw: &str) -> Result<Vec<Line>, FormHint> {
        let mut lines = Vec::new();
        for text in raw.split(['\n', ';']).map(without_number).filter(|text| !text.is_empty()) {
            let n = lines.len() + 1;
            if n > MOST_EVENTS {
                return Err(FormHint(format!("At most {MOST_EVENTS} events can be handed in.")));
            }
            let line = self.line(text).map_err(|why| FormHint(format!("Line {n}: {why}.")))?;
            lines.push(line);
        }
        if lines.is_empty() {
            let said = match self.annotate.first() {
                Some(word) => format!(", and what comes of it, like `=> {word}`"),
                None => String::new(),
            };
            return Err(FormHint(format!("Write one event a line, like `deliver P1>P2`{said}.")));
        }
        if !self.annotate.is_empty() && lines.iter().all(|line| line.word.is_none()) {
            let words = self.annotate.join("` or `=> ");
            return Err(FormHint(format!(
                "Write after the events what comes of them: `=> {words}`."
            )));
        }
        Ok(lines)
    }

    fn line(&self, text: &str) -> Result<Line, String> {
        let (event, word) = event_and_word(text, &self.annotate);
        let event = Event::parse(event, self.names()).map_err(|error| error.message)?;
        let word = match word {
            None => None,
            Some(typed) => {
                Some(forms::word(&self.annotate, typed).map(str::to_owned).ok_or_else(|| {
                    match self.annotate.as_slice() {
                        [] => "nothing is to be said of events here".to_owned(),
                        words => format!("`{}` is none of {}", typed.trim(), words.join(", ")),
                    }
                })?)
            }
        };
        Ok(Line { event, word })
    }

    /// Lines as one text, which `read` reads back.
    #[must_use]
    pub fn write(&self, lines: &[Line]) -> String {
        let one = |line: &Line| {
            let word = line.word.as_ref().map_or(String::new(), |word| format!(" => {word}"));
            format!("{}{word}", line.event.show(self.names()))
        };
        lines.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    /// Plays the lines again.
    #[must_use]
    pub fn replay(&self, lines: &[Line]) -> Replay {
        let mut sim = self.from.state().fork();
        let mut seen = self.rules.goal.holds(sim.as_ref());
        for (i, line) in lines.iter().enumerate() {
            if let Err(reason) = self.play(sim.as_mut(), line) {
                return Replay { fault: Some((i, reason)), reached: false };
            }
            seen |= self.rules.goal.holds(sim.as_ref());
        }
        let reached = match self.rules.goal.when {
            When::Now => self.rules.goal.holds(sim.as_ref()),
            When::Never => !seen && !lines.is_empty(),
            When::Eventually => seen,
        };
        Replay { fault: None, reached }
    }

    fn play(&self, sim: &mut dyn Simulation, line: &Line) -> Result<(), String> {
        let event = sim.check(line.event).map_err(|refused| refused.reason)?;
        if !self.rules.allows(event) {
            return Err("this may not be played here".to_owned());
        }
        let record = sim.step(event).map_err(|refused| refused.reason)?;
        self.said_rightly(line, &record)?;
        if self.rules.spoilt(sim) {
            return Err("after it something holds that must never hold".to_owned());
        }
        Ok(())
    }

    /// The word that is to be said of what a step did.
    #[must_use]
    pub fn word_of(&self, record: &StepRecord) -> Option<&str> {
        said_of(&self.annotate, record)
    }

    fn said_rightly(&self, line: &Line, record: &StepRecord) -> Result<(), String> {
        let did = self.word_of(record);
        if line.word.as_deref() == did {
            return Ok(());
        }
        let sentence = narrate::sentence(record, self.names());
        let sentence = sentence.trim_end_matches('.');
        Err(match (&line.word, did) {
            (None, _) => format!("write what comes of it: {}", self.annotate.join(" or ")),
            (Some(word), Some(_)) => format!("it does not `{word}`. {sentence}"),
            (Some(word), None) => format!("there is no `{word}` in it. {sentence}"),
        })
    }

    /// The point before the first line that is wrong, if a line is.
    #[must_use]
    pub fn wrong_at(&self, lines: &[Line]) -> Option<WrongAt> {
        let (point, _) = self.replay(lines).fault?;
        let events = lines[..point].iter().map(|line| line.event).collect();
        let event = lines[point].event.show(self.names());
        Some(WrongAt { events, point, what: format!("line {}, `{event}`", point + 1) })
    }

    /// What is said about the end of a replay.
    #[must_use]
    pub fn remarks(&self, lines: &[Line], replay: &Replay) -> Vec<String> {
        match &replay.fault {
            Some((i, reason)) => {
                let event = lines[*i].event.show(self.names());
                vec![format!("Line {}, `{event}`: {reason}.", i + 1)]
            }
            None if !replay.reached => {
                vec![format!(
                    "Every event is possible, but at the end this does not hold: {}.",
                    self.missing(lines).join("; ")
                )]
            }
            None => Vec::new(),
        }
    }

    /// The parts of the goal that a run of these lines does not reach, in words.
    fn missing(&self, lines: &[Line]) -> Vec<String> {
        let mut sim = self.from.state().fork();
        for line in lines {
            if sim.step(line.event).is_err() {
                break;
            }
        }
        let parts = self.rules.goal.parts().into_iter();
        let open = parts.filter(|part| part.when != When::Now || !part.holds(sim.as_ref()));
        open.map(|part| part.said(self.names())).collect()
    }

    /// The lines of a run, each with its word.
    #[must_use]
    pub fn lines_of(&self, events: &[Event]) -> Vec<Line> {
        let mut sim = self.from.state().fork();
        let mut lines = Vec::new();
        for event in events {
            let Ok(record) = sim.step(*event) else { break };
            lines
                .push(Line { event: record.event, word: self.word_of(&record).map(str::to_owned) });
        }
        lines
    }
}

/// The one of these words that a step's outcomes have.
#[must_use]
pub fn said_of<'w>(words: &'w [String], record: &StepRecord) -> Option<&'w str> {
    all_said_of(words, record).first().copied()
}

/// All of these words that a step's outcomes have.
#[must_use]
pub fn all_said_of<'w>(words: &'w [String], record: &StepRecord) -> Vec<&'w str> {
    words.iter().map(String::as_str).filter(|word| record.outcomes.contains(word)).collect()
}

/// The event of a line, and what is said of it after an arrow: `deliver P1>P2 => reply`. The arrow
/// between two nodes is no such arrow.
#[must_use]
pub fn event_and_word<'l>(line: &'l str, words: &[String]) -> (&'l str, Option<&'l str>) {
    let arrows = ["=>", "->", "⇒"];
    let said = |arrow: &&str| {
        let (event, word) = line.rsplit_once(*arrow)?;
        forms::word(words, word).map(|_| (event, Some(word)))
    };
    let other = || {
        let (event, word) = line.split_once("=>").or_else(|| line.split_once('⇒'))?;
        let whole = VERBS.iter().any(|(verb, form)| {
            !form.contains('>') && event.trim_start().to_ascii_lowercase().starts_with(verb)
        });
        (whole || event.contains('>')).then_some((event, Some(word)))
    };
    arrows.iter().find_map(said).or_else(other).unwrap_or((line, None))
}

/// A line without the number or the dash that people put before it.
fn without_number(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['-', '*']).trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match digits.strip_prefix(['.', ')', ':']) {
        Some(rest) if digits.len() < line.len() => rest.trim_start(),
        _ => line,
    }
}

/// Kinds of events and single events.
fn which(texts: &[String], key: &str, names: &Names, misfits: &mut Vec<Misfit>) -> Vec<Which> {
    let mut all = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let verb = text.trim().to_ascii_lowercase();
        if VERBS.iter().any(|(known, _)| *known == verb) {
            all.push(Which::Verb(verb));
            continue;
        }
        match Event::parse(text, names) {
            Ok(event) => all.push(Which::One(event)),
            Err(error) => {
                misfits.push(Misfit::value(Path::root().key(key).index(i), error.message))
            }
        }
    }
    all
}
