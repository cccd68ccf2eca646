//! `explain`: a few sentences in the learner's own words, to be compared with a model answer.
//!
//! The program does not judge them; they are kept for whoever marks by hand.

use super::{Answer, Common, Defined as _, FormHint, Question, Verdict};
use crate::input::Path;
use crate::lesson::file::Misfit;
use crate::sim::Simulation;

/// The longest explanation.
const LONGEST: usize = 4_000;

question! {
    /// Explain in own words.
    pub struct Explain {
        /// The answer to compare with.
        pub model: String,
    }
}

impl Question for Explain {
    /// What the program cannot judge earns no points here.
    fn common(&self) -> Common<'_> {
        Common { points: 0, ..self.shared() }
    }

    /// Own words stay as they are.
    fn read(&self, raw: &str) -> Result<Answer, FormHint> {
        self.reads(raw)
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let text = raw.trim();
        let long = text.chars().count() > LONGEST;
        if long || !text.chars().any(char::is_alphanumeric) {
            let hint = if long { "Answer more shortly." } else { "Answer with a sentence or two." };
            return Err(FormHint(hint.to_owned()));
        }
        Ok(Answer(text.to_owned()))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let model = self.model.trim();
        let lines = vec!["Compare your answer with this one:".to_owned(), model.to_owned()];
        Verdict::new(true, lines, self.reference(at), answer)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        Answer(self.model.trim().to_owned())
    }

    fn graded(&self) -> bool {
        false
    }

    fn sheet(&self) -> String {
        super::LINE.repeat(3)
    }

    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        if self.read(&self.model).is_err() {
            let message = "there is no model answer to compare with";
            misfits.push(Misfit::value(Path::root().key("model"), message));
        }
        misfits
            .extend(self.no_feedback("nobody judges this answer; `explain` needs no `feedback`"));
        misfits
    }
}
