//! Questions of a lesson whose keys were taken out: they can be answered, and nobody judges here.
//!
//! No answer is right or wrong in this module, and no solution can be shown.

use super::file::Misfit;
use super::question::{
    Answer, Common, Decision, Defined, FormHint, Pick, Question, Reveal, Scene, Verdict, Way,
};
use crate::input::OrderedMap;
use crate::model::Event;
use crate::sim::Simulation;

/// Said after every answer.
pub const NOTED: &str = "Noted. This copy of the lesson has no keys: hand your answers in.";

static NO_FEEDBACK: OrderedMap<String, String> = OrderedMap::new();

/// A question without its key.
#[derive(Debug)]
pub struct Redacted(pub Box<dyn Question>);

impl Defined for Redacted {
    fn kind(&self) -> &'static str {
        self.0.kind()
    }

    fn shared(&self) -> Common<'_> {
        let common = self.0.common();
        // What is not judged here earns nothing here.
        Common {
            points: 0,
            explain: None,
            feedback: &NO_FEEDBACK,
            reveal: Reveal::Never,
            after: &[],
            ..common
        }
    }
}

impl Question for Redacted {
    fn picks(&self) -> Vec<Pick> {
        self.0.picks()
    }

    fn read(&self, raw: &str) -> Result<Answer, FormHint> {
        self.0.read(raw)
    }

    fn reads(&self, typed: &str) -> Result<Answer, FormHint> {
        self.0.reads(typed)
    }

    /// Cards lie as they lie in the file: shuffled already.
    fn prepare(&mut self, scene: Scene<'_>) {
        if self.0.kind() != "order" {
            self.0.prepare(scene);
        }
    }

    fn way(&self) -> Way {
        self.0.way()
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        Verdict::new(true, vec![NOTED.to_owned()], self.reference(at), answer)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        Answer(String::new())
    }

    fn blank(&self) -> &'static str {
        self.0.blank()
    }

    fn graded(&self) -> bool {
        false
    }

    fn shows(&self, answer: &Answer) -> String {
        self.0.shows(answer)
    }

    fn decisions(&self, at: &dyn Simulation) -> Vec<Decision> {
        self.0.decisions(at)
    }

    fn sheet(&self) -> String {
        self.0.sheet()
    }

    fn plays(&self, at: &dyn Simulation) -> Option<Event> {
        self.0.plays(at).filter(|event| at.check(*event).is_ok())
    }

    /// What is missing was taken out on purpose.
    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        Vec::new()
    }
}
