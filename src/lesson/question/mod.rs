//! Questions: what every type has in common, and the one list of types.
//!
//! A type says how an answer is read and whether it is right; who asked, how often and what is shown
//! when is the learner's story (`learner`). No key is typed in where the engine can compute it.

pub mod forms;
pub mod game;
pub mod search;
mod support;
mod way;

use super::file::Misfit;
use crate::input::{OrderedMap, Path, folded, nearest};
use crate::model::{Config, Event};
use crate::sim::Simulation;
use crate::sim::goal;
use serde::Deserialize;
use std::fmt::Debug;
pub use way::{Decision, Playing, Way, WrongAt};

use support::{LINE, elsewhere, play_texts, repeated_words, unknown_words};

/// Begins the line that repeats what was answered.
const SAID: &str = "You said: ";
/// The line that repeats what was answered, whose signs are no Markdown.
fn said(answer: &str) -> String {
    let answer = answer.trim_end_matches('.');
    match answer.contains(['*', '_', '`', '<', '&', '[', '\\']) {
        true => format!("{SAID}`{}`.", answer.replace('`', "'")),
        false => format!("{SAID}{answer}."),
    }
}

/// What every question has, whatever its type.
#[derive(Clone, Copy, Debug)]
pub struct Common<'q> {
    /// Its name in answers and results.
    pub id: &'q str,
    /// What is asked.
    pub prompt: &'q str,
    /// What a right answer earns.
    pub points: u32,
    /// Three levels: where to look, which rule, the next move.
    pub hints: &'q [String],
    /// Shown when the question is closed.
    pub explain: Option<&'q str>,
    /// What known wrong answers mean, by answer.
    pub feedback: &'q OrderedMap<String, String>,
    /// Ids of the questions that have to be right before this one is asked.
    pub after: &'q [String],
    /// How many wrong answers close it; `None`: none do.
    pub attempts: Option<u32>,
    /// When the solution may be seen.
    pub reveal: Reveal,
    /// The lesson's objective that it serves.
    pub objective: Option<&'q str>,
}

/// When the solution may be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub enum Reveal {
    /// Whenever it is asked for.
    #[default]
    OnRequest,
    /// After so many wrong answers.
    AfterAttempts(u32),
    /// Not at all.
    Never,
}

impl Reveal {
    /// Its form, for editors.
    fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "When the solution may be seen.",
            "type": "string",
            "pattern": "^(on_request|never|after_attempts [0-9]+)$"
        })
    }
}

impl TryFrom<String> for Reveal {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let found = match (words.next(), words.next(), words.next()) {
            (Some("on_request"), None, None) => Some(Self::OnRequest),
            (Some("never"), None, None) => Some(Self::Never),
            (Some("after_attempts"), Some(n), None) => n.parse().ok().map(Self::AfterAttempts),
            _ => None,
        };
        found.ok_or_else(|| {
            format!("`{text}` reveals nothing; write on_request, after_attempts N or never")
        })
    }
}

/// An answer that could be read, in its one canonical form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer(pub String);

/// How an answer has to look; it costs no attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormHint(pub String);

/// What can be picked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pick {
    /// The canonical answer.
    pub id: String,
    /// How it reads.
    pub text: String,
}

/// What came of an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// Whether it is right.
    pub right: bool,
    /// How much of it is right: from 0 to 1, and 1 only for a right answer.
    pub score: f64,
    /// What is said after the first word, one paragraph a line.
    pub lines: Vec<String>,
    /// The right answer, for results; never shown by itself.
    pub expected: String,
    /// The answer that was given, as it was understood.
    pub actual: String,
}

impl Verdict {
    /// All or nothing. `lines` is what is said, `expected` the right answer.
    #[must_use]
    pub fn new(right: bool, lines: Vec<String>, expected: Answer, answer: &Answer) -> Self {
        let score = if right { 1.0 } else { 0.0 };
        Self { right, score, lines, expected: expected.0, actual: answer.0.clone() }
    }

    /// The same, with a part of the points for a part of the answer.
    #[must_use]
    pub fn partly(self, right_parts: usize, all: usize) -> Self {
        let part = right_parts.min(all) as f64 / all.max(1) as f64;
        // What is not right as a whole never earns the whole.
        let score = if self.right { 1.0 } else { part.min(0.99) };
        Self { score, ..self }
    }
}

/// Where a question is asked.
#[derive(Clone, Copy)]
pub struct Scene<'s> {
    /// The state where the lesson stands.
    pub at: &'s dyn Simulation,
    /// The beginning of the lesson's run.
    pub beginning: &'s dyn Simulation,
    /// The lesson's cluster.
    pub config: &'s Config,
}

/// What `question!` gives to each type.
pub trait Defined {
    /// The key of its type.
    fn kind(&self) -> &'static str;
    /// What every question has, as it is written.
    fn shared(&self) -> Common<'_>;
    /// The misfits of `feedback`; `fault` returns what is wrong with an answer that has some.
    fn unfit_feedback(&self, fault: &dyn Fn(&str) -> Option<String>) -> Vec<Misfit> {
        let misfit = |answer: &String| {
            Some(Misfit::key(Path::root().key("feedback").key(answer), fault(answer)?))
        };
        self.shared().feedback.keys().filter_map(misfit).collect()
    }
    /// The misfits of a question in which every wrong answer says why by itself.
    fn no_feedback(&self, message: &str) -> Vec<Misfit> {
        self.unfit_feedback(&|_| Some(message.to_owned()))
    }
}

/// A question of any type. `at` is always the state where the lesson stands.
pub trait Question: Defined + Debug + Send + Sync {
    /// What every question has.
    fn common(&self) -> Common<'_> {
        self.shared()
    }
    /// What can be picked; empty where the answer is written.
    fn picks(&self) -> Vec<Pick> {
        Vec::new()
    }
    /// Reads an answer that somebody has written: forgiving about its form, silent about its truth. The
    /// one way in, from the screen, a line and a file.
    ///
    /// # Errors
    /// How an answer has to look.
    fn read(&self, raw: &str) -> Result<Answer, FormHint> {
        self.reads(&folded(raw))
    }
    /// Reads an answer whose characters are in their one form.
    ///
    /// # Errors
    /// How an answer has to look.
    fn reads(&self, typed: &str) -> Result<Answer, FormHint>;
    /// Takes what it has to know of the cluster before it reads an answer. Called once, when the lesson
    /// is opened, before anything else.
    fn prepare(&mut self, _scene: Scene<'_>) {}
    /// How it is answered by keys.
    fn way(&self) -> Way {
        if self.picks().is_empty() { Way::Write } else { Way::PickOne }
    }
    /// Whether an answer is right, and what there is to say about it.
    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict;
    /// A right answer.
    fn reference(&self, at: &dyn Simulation) -> Answer;
    /// Why the right answer is right, for somebody who has said nothing.
    fn reasons(&self, at: &dyn Simulation) -> Vec<String> {
        let lines = self.check(&self.reference(at), at).lines.into_iter();
        // The first line of a prediction's verdict tells what the learner said as well.
        lines.skip(usize::from(self.once())).filter(|line| !line.starts_with(SAID)).collect()
    }
    /// What the answer field holds before anybody has answered.
    fn blank(&self) -> &'static str {
        ""
    }
    /// Whether one answer is all there is: it shows what it asked for.
    fn once(&self) -> bool {
        false
    }
    /// Whether answers are marked as right or not by the program.
    fn graded(&self) -> bool {
        true
    }
    /// An answer as people read it.
    fn shows(&self, answer: &Answer) -> String {
        let picks = self.picks();
        picks.iter().find(|p| p.id == answer.0).map_or_else(|| answer.0.clone(), |p| p.text.clone())
    }
    /// The answer that is there before anything was done: the cards as they lie, the cluster as it
    /// stands. It never passes.
    fn untouched(&self, _at: &dyn Simulation) -> Option<Answer> {
        None
    }
    /// The messages at which the learner decides, where that is how it is answered.
    fn decisions(&self, _at: &dyn Simulation) -> Vec<Decision> {
        Vec::new()
    }
    /// How it is written on a worksheet below its prompt, in Markdown: what to pick from, or what to
    /// fill in.
    fn sheet(&self) -> String {
        let item =
            |(place, pick): (usize, &Pick)| format!("- {}) {}\n", forms::letter(place), pick.text);
        match self.picks().as_slice() {
            [] => LINE.to_owned(),
            picks => picks.iter().enumerate().map(item).collect(),
        }
    }
    /// What takes too long to prove whenever a lesson is opened; proved for authors alone.
    fn proofs(&self, _at: &dyn Simulation) -> Vec<Misfit> {
        Vec::new()
    }
    /// Whether an event may be played as a part of the answer.
    fn allows(&self, _event: Event) -> bool {
        true
    }
    /// Where a wrong answer goes wrong first, for answers that are about a run.
    fn wrong_at(&self, _answer: &Answer, _at: &dyn Simulation) -> Option<WrongAt> {
        None
    }
    /// The event that is really played once the question is closed.
    fn plays(&self, _at: &dyn Simulation) -> Option<Event> {
        None
    }
    /// What does not fit in the file, by its place below the question. Without a state (the cluster or
    /// the run before is at fault) only what can be told without one.
    fn misfits(&self, at: Option<&dyn Simulation>) -> Vec<Misfit>;
}

/// Defines a question type: its own keys, and those that every question has.
macro_rules! question {
    (
        $(#[$meta:meta])*
        pub struct $Name:ident {
            $($(#[$field_meta:meta])* pub $field:ident: $ty:ty,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $Name {
            /// Its name in answers and results.
            pub id: String,
            /// What is asked.
            pub prompt: String,
            $($(#[$field_meta])* pub $field: $ty,)*
            /// What a right answer earns.
            #[serde(default = "super::one")]
            pub points: u32,
            /// Three levels: where to look, which rule, the next move.
            #[serde(default)]
            pub hints: Vec<String>,
            /// Shown when the question is closed.
            #[serde(default)]
            pub explain: Option<String>,
            /// What known wrong answers mean, by answer.
            #[serde(default)]
            pub feedback: $crate::input::OrderedMap<String, String>,
            /// Ids of the questions that have to be right before this one is asked.
            #[serde(default)]
            pub after: Vec<String>,
            /// How many wrong answers close it.
            #[serde(default)]
            pub attempts: Option<u32>,
            /// When the solution may be seen.
            #[serde(default)]
            #[schemars(schema_with = "super::Reveal::schema")]
            pub reveal: super::Reveal,
            /// The lesson's objective that it serves.
            #[serde(default)]
            pub objective: Option<String>,
            /// The key under which it stands.
            #[serde(skip)]
            pub kind: &'static str,
        }

        impl super::Defined for $Name {
            fn kind(&self) -> &'static str {
                self.kind
            }

            fn shared(&self) -> super::Common<'_> {
                super::Common {
                    id: &self.id,
                    prompt: &self.prompt,
                    points: self.points,
                    hints: &self.hints,
                    explain: self.explain.as_deref(),
                    feedback: &self.feedback,
                    after: &self.after,
                    attempts: self.attempts,
                    reveal: self.reveal,
                    objective: self.objective.as_deref(),
                }
            }
        }
    };
}

pub mod choice;
pub mod drive;
pub mod explain;
pub mod formula;
pub mod invariant;
pub mod number;
pub mod order;
pub mod play;
pub mod predict;
pub mod state;
pub mod text;

/// The one list: a line makes a key known in every step, and says what reads it.
macro_rules! question_types {
    ($($key:ident: $module:ident :: $Type:ident),* $(,)?) => {
        /// The keys of all question types.
        pub const KINDS: &[&str] = &[$(stringify!($key)),*];

        /// One step as its author writes it: something to read, to play and to answer, each if it is
        /// there.
        #[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct StepFile {
            /// Markdown for the learner.
            #[serde(default)]
            pub say: Option<String>,
            /// For the presenter alone.
            #[serde(default)]
            pub note: Option<String>,
            /// Events in text form, played one by one.
            #[serde(default)]
            pub run: Vec<String>,
            $(
                #[doc = concat!("A `", stringify!($key), "` question.")]
                #[serde(default)]
                pub $key: Option<$module::$Type>,
            )*
        }

        impl StepFile {
            /// The questions that the step asks, each with its key.
            #[must_use]
            pub fn questions(&self) -> Vec<(&'static str, Box<dyn Question>)> {
                let mut all: Vec<(&'static str, Box<dyn Question>)> = Vec::new();
                $(if let Some(question) = &self.$key {
                    let kind = stringify!($key);
                    all.push((kind, Box::new($module::$Type { kind, ..question.clone() })));
                })*
                all
            }
        }
    };
}

question_types! {
    choice: choice::Choice,
    multi: choice::Choice,
    number: number::Number,
    formula: formula::Formula,
    invariant: invariant::Invariant,
    text: text::Text,
    explain: explain::Explain,
    order: order::Order,
    state: state::State,
    predict: predict::Predict,
    trace: drive::Drive,
    drive: drive::Drive,
    play: play::Play,
}

/// The points of a question that says nothing about them.
fn one() -> u32 {
    1
}

/// The misfits of what every question has. `objectives` and `before` are the lesson's objectives and the
/// ids of the questions before this one.
#[must_use]
pub fn common_misfits(common: &Common<'_>, objectives: &[&str], before: &[&str]) -> Vec<Misfit> {
    let mut misfits = Vec::new();
    let at = |key: &str| Path::root().key(key);
    if !is_id(common.id) {
        misfits.push(Misfit::value(at("id"), not_an_id(common.id)));
    }
    if common.prompt.trim().is_empty() {
        misfits.push(Misfit::value(at("prompt"), "the question asks nothing"));
    }
    for (i, id) in common.after.iter().enumerate() {
        if !before.contains(&id.as_str()) {
            let close = nearest(id, before.iter().copied());
            let close = close.map_or(String::new(), |c| format!("; did you mean `{c}`?"));
            let message = format!("no question before this one is called `{id}`{close}");
            misfits.push(Misfit::value(at("after").index(i), message));
        }
    }
    if let Some(name) = common.objective
        && !objectives.contains(&name)
    {
        let known = match objectives {
            [] => "the lesson names none".to_owned(),
            all => format!("there are {}", all.join(", ")),
        };
        let message = format!("no objective is called `{name}`; {known}");
        misfits.push(Misfit::value(at("objective"), message));
    }
    if common.attempts == Some(0) {
        let message = "with 0 attempts nobody can answer; leave `attempts` away for any number";
        misfits.push(Misfit::value(at("attempts"), message));
    }
    misfits
}

/// Whether a text can be the name of a lesson or a question.
#[must_use]
pub fn is_id(text: &str) -> bool {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(letters)
}

/// Says what a name looks like.
#[must_use]
pub fn not_an_id(text: &str) -> String {
    format!("`{text}` is no id: write small letters, digits and hyphens, a letter first")
}
