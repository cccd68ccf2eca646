//! `choice`: pick one of several options, each of which says why it is right or not.
//!
//! For what the engine cannot compute: what a rule is for, what a word means, who should wait.

use super::forms;
use super::{Answer, Common, FormHint, Pick, Question, Verdict};
use crate::input::{OrderedMap, Path};
use crate::lesson::file::Misfit;
use crate::sim::Simulation;
use schemars::JsonSchema;
use serde::Deserialize;

/// The most options that have a letter and a number key.
pub const MOST_OPTIONS: usize = 9;

question! {
    /// Pick one of several options.
    pub struct Choice {
        /// The options, by id, in the order in which they are shown.
        pub options: OrderedMap<String, Opt>,
    }
}

/// One option.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opt {
    /// How it reads.
    pub text: String,
    /// Why it is right or not; shown to whoever picks it.
    #[serde(default)]
    pub say: String,
    /// Whether it is the right one.
    #[serde(default)]
    pub right: bool,
}

/// Options that say nothing to whoever picks them.
pub(super) fn silent(options: &OrderedMap<String, Opt>) -> Vec<Misfit> {
    let silent = options.iter().filter(|(_, o)| o.say.trim().is_empty());
    let one = |(id, _): (&String, &Opt)| {
        let message =
            format!("the option `{id}` does not say why it is right or not: give it a `say`");
        Misfit::key(Path::root().key("options").key(id), message)
    };
    silent.map(one).collect()
}

impl Choice {
    fn right(&self) -> Option<&str> {
        self.options.iter().find(|(_, o)| o.right).map(|(id, _)| id.as_str())
    }
}

impl Question for Choice {
    fn kind(&self) -> &'static str {
        "choice"
    }

    fn common(&self) -> Common<'_> {
        self.shared()
    }

    fn picks(&self) -> Vec<Pick> {
        let one = |(id, o): (&String, &Opt)| Pick { id: id.clone(), text: o.text.clone() };
        self.options.iter().map(one).collect()
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let picks = self.picks();
        let place = forms::pick(&picks, raw)?;
        Ok(Answer(picks[place].id.clone()))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let picked = self.options.get(&answer.0);
        let lines = picked.map(|o| o.say.clone()).into_iter().collect();
        Verdict::new(picked.is_some_and(|o| o.right), lines, self.reference(at), answer)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        Answer(self.right().unwrap_or_default().to_owned())
    }

    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let path = || Path::root().key("options");
        let mut misfits = Vec::new();
        let (n, right) = (self.options.len(), self.options.values().filter(|o| o.right).count());
        if !(2..=MOST_OPTIONS).contains(&n) {
            let message = format!("a choice has 2 to {MOST_OPTIONS} options, not {n}");
            misfits.push(Misfit::key(path(), message));
        }
        match right {
            1 => {}
            0 => {
                let message = "no option is right: give exactly one of them `right: true`";
                misfits.push(Misfit::key(path(), message));
            }
            _ => {
                let rest = self.options.iter().filter(|(_, o)| o.right).skip(1);
                misfits.extend(rest.map(|(id, _)| {
                    let message = format!(
                        "`{id}` is right as well as `{}`: exactly one option is",
                        self.right().unwrap_or_default()
                    );
                    Misfit::value(path().key(id).key("right"), message)
                }));
            }
        }
        let picks = self.picks();
        for (place, form) in forms::ambiguous(&picks) {
            let message = format!(
                "the answer `{form}` would name another option as well, by its letter, number or text; \
                 call this one by another id"
            );
            misfits.push(Misfit::key(path().key(&picks[place].id), message));
        }
        misfits.extend(silent(&self.options));
        for answer in self.feedback.keys() {
            let message = "an option says why in its own `say`; a choice needs no `feedback`";
            misfits.push(Misfit::key(Path::root().key("feedback").key(answer), message));
        }
        misfits
    }
}
