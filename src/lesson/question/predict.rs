//! `predict`: say what an event will do, before it happens. The key is a copy of this very cluster.
//!
//! The answer is locked in first; then the event is played on a copy and what it did is read off the
//! step's record. Only `then: play` lets it happen for good.

use super::forms;
use super::game::all_said_of;
use super::{Answer, Defined as _, FormHint, Pick, Question, SAID, Verdict};
use crate::input::Path;
use crate::lesson::file::Misfit;
use crate::model::Event;
use crate::sim::{Simulation, StepRecord};
use crate::trace::narrate;
use schemars::JsonSchema;
use serde::Deserialize;

question! {
    /// Say what an event will do.
    pub struct Predict {
        /// The event, in text form.
        pub event: String,
        /// Words for what may happen; exactly one of them does.
        pub outcomes: Vec<String>,
        /// What becomes of the event afterwards; omitted: it was only tried out.
        #[serde(default)]
        pub then: Option<Then>,
    }
}

/// What becomes of the predicted event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// It really happens.
    Play,
}

impl Predict {
    fn event(&self, at: &dyn Simulation) -> Option<Event> {
        Event::parse(&self.event, &at.setup().names).ok()
    }

    /// What the event does here, on a copy.
    fn tried(&self, at: &dyn Simulation) -> Option<StepRecord> {
        at.fork().step(self.event(at)?).ok()
    }

    /// Those of the question's words that the record has.
    fn occurring(&self, record: &StepRecord) -> Vec<&str> {
        all_said_of(&self.outcomes, record)
    }
}

impl Question for Predict {
    fn picks(&self) -> Vec<Pick> {
        self.outcomes.iter().map(|w| Pick { id: w.clone(), text: w.clone() }).collect()
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        match forms::word(&self.outcomes, raw) {
            Some(word) => Ok(Answer(word.to_owned())),
            None => Err(FormHint(forms::how(&self.picks()))),
        }
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let said = answer.0.clone();
        let Some(record) = self.tried(at) else {
            unreachable!("a lesson is opened only when its predicted events are enabled")
        };
        let did = self.occurring(&record).join(", ");
        let names = &at.setup().names;
        let mut lines = vec![format!("{SAID}{said}. It did: {did}.")];
        lines.extend(self.feedback.get(said.as_str()).filter(|_| said != did).cloned());
        lines.push(narrate::sentence(&record, names));
        if self.then.is_none() {
            lines.push("This was tried out on a copy: your cluster stands where it stood.".into());
        }
        Verdict::new(said == did, lines, Answer(did), answer)
    }

    fn reference(&self, at: &dyn Simulation) -> Answer {
        let record = self.tried(at);
        let word = record.as_ref().and_then(|r| self.occurring(r).first().copied());
        Answer(word.unwrap_or_default().to_owned())
    }

    fn once(&self) -> bool {
        true
    }

    fn plays(&self, at: &dyn Simulation) -> Option<Event> {
        self.then.and_then(|Then::Play| self.event(at))
    }

    fn misfits(&self, at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        let n = self.outcomes.len();
        if !(2..=super::choice::MOST_OPTIONS).contains(&n) {
            let most = super::choice::MOST_OPTIONS;
            let message = format!("a prediction has 2 to {most} outcomes, not {n}");
            misfits.push(Misfit::key(Path::root().key("outcomes"), message));
        }
        misfits.extend(super::repeated_words(&self.outcomes, "outcomes"));
        misfits.extend(self.unfit_feedback(&|wrong| {
            let known = self.outcomes.iter().any(|word| word == wrong);
            (!known).then(|| format!("`{wrong}` is none of the question's outcomes"))
        }));
        if let Some(at) = at {
            misfits.extend(super::unknown_words(&self.outcomes, "outcomes", at));
            misfits.extend(self.wrong_event(at, misfits.is_empty()));
        }
        misfits
    }
}

impl Predict {
    /// An event that cannot be read or cannot happen here, or does none or two of the outcomes.
    fn wrong_event(&self, at: &dyn Simulation, words_fit: bool) -> Option<Misfit> {
        let path = Path::root().key("event");
        let names = &at.setup().names;
        let event = match Event::parse(&self.event, names) {
            Ok(event) => event,
            Err(error) => return Some(Misfit::value(path, error.message)),
        };
        let record = match at.fork().step(event) {
            Ok(record) => record,
            Err(refused) => {
                let message = format!("`{}` cannot happen here: {}", self.event, refused.reason);
                return Some(Misfit::value(path, message));
            }
        };
        let did = self.occurring(&record);
        if did.len() == 1 || !words_fit {
            return None;
        }
        let what = match (did.as_slice(), record.outcomes.as_slice()) {
            ([], []) => {
                "none of the outcomes occurs: the event has no word for what it does".into()
            }
            ([], all) => format!("none of the outcomes occurs: the event does {}", all.join(", ")),
            (several, _) => format!(
                "more than one of the outcomes occurs: {}; keep one of them",
                several.join(", ")
            ),
        };
        Some(Misfit::key(Path::root().key("outcomes"), what))
    }
}
