//! `choice`: pick one of several options; `multi`: pick all that are right. Each option says why it is
//! right or not.
//!
//! For what the engine cannot compute: what a rule is for, what a word means, who should wait. Of several
//! a part of the right ones earns a part of the points.

use super::{Answer, Defined as _, FormHint, Pick, Question, Verdict, Way, forms};
use crate::input::{OrderedMap, Path};
use crate::lesson::file::Misfit;
use crate::sim::Simulation;
use schemars::JsonSchema;
use serde::Deserialize;

/// The most options that have a letter and a number key.
pub const MOST_OPTIONS: usize = 9;
/// The key of a question of which several options may be right.
const SEVERAL: &str = "multi";
/// The answer of whoever finds none of several options right.
const NONE: &str = "none";
/// Other words for it.
const NO_ONE: [&str; 4] = [NONE, "none of them", "none of these", "nothing"];

question! {
    /// Pick one of several options, or all that are right.
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

impl Choice {
    fn several(&self) -> bool {
        self.kind == SEVERAL
    }

    fn ids(&self, wanted: impl Fn(usize, &Opt) -> bool) -> Answer {
        let all = self.options.iter().enumerate();
        let ids: Vec<&str> =
            all.filter(|(i, (_, o))| wanted(*i, o)).map(|(_, (id, _))| id.as_str()).collect();
        Answer(if ids.is_empty() && self.several() { NONE.to_owned() } else { ids.join(", ") })
    }

    fn right_ones(&self) -> impl Iterator<Item = (&String, &Opt)> {
        self.options.iter().filter(|(_, o)| o.right)
    }

    fn picked<'a>(&'a self, answer: &'a Answer) -> impl Iterator<Item = &'a Opt> {
        answer.0.split(", ").filter_map(|id| self.options.get(id))
    }

    fn reads_several(&self, raw: &str) -> Result<Answer, FormHint> {
        if NO_ONE.contains(&forms::fold(raw).as_str()) || matches!(raw, "{}" | "[]" | "-" | "∅") {
            return Ok(Answer(NONE.to_owned()));
        }
        let picks = self.picks();
        let last = forms::letter(picks.len().saturating_sub(1));
        let places = forms::pick_several(&picks, raw).ok_or_else(|| {
            FormHint(format!(
                "Answer with the letters (a to {last}) of all that apply, with commas between \
                 them, or with `{NONE}`."
            ))
        })?;
        Ok(self.ids(|i, _| places.contains(&i)))
    }

    /// What is said about the options that were picked, of which so many are right and wrong.
    fn said_of_several(&self, answer: &Answer, right: usize, wrong: usize) -> Vec<String> {
        let all = self.right_ones().count();
        let passed = right == all && wrong == 0;
        let mut lines = Vec::new();
        if !passed {
            let more = if right < all { "There is more to pick." } else { "" };
            let fewer = match wrong {
                0 => String::new(),
                1 => "One of those that you picked does not belong there:".to_owned(),
                n => format!("{n} of those that you picked do not belong there:"),
            };
            lines.push(format!("{more} {fewer}").trim().to_owned());
        }
        let said = self.picked(answer).filter(|o| o.right == passed);
        lines.extend(said.map(|o| format!("{}: {}", o.text, o.say)));
        lines
    }

    /// How many options there are, and how many of them are right.
    fn counts(&self) -> Vec<Misfit> {
        let path = || Path::root().key("options");
        let mut misfits = Vec::new();
        let (n, several) = (self.options.len(), self.several());
        if !(2..=MOST_OPTIONS).contains(&n) {
            let has = if several { "there are" } else { "a choice has" };
            misfits
                .push(Misfit::key(path(), format!("{has} 2 to {MOST_OPTIONS} options, not {n}")));
        }
        let mut right = self.right_ones();
        match (right.next(), several) {
            (None, true) => {
                let message = "no option is right: give those that are `right: true`";
                misfits.push(Misfit::key(path(), message));
            }
            (None, false) => {
                let message = "no option is right: give exactly one of them `right: true`";
                misfits.push(Misfit::key(path(), message));
            }
            (Some(_), true) => {}
            (Some((first, _)), false) => misfits.extend(right.map(|(id, _)| {
                let message =
                    format!("`{id}` is right as well as `{first}`: exactly one option is");
                Misfit::value(path().key(id).key("right"), message)
            })),
        }
        if several && self.options.contains_key(NONE) {
            let message =
                "`none` is the answer of whoever picks nothing: call the option otherwise";
            misfits.push(Misfit::key(path().key(NONE), message));
        }
        misfits
    }
}

impl Question for Choice {
    fn picks(&self) -> Vec<Pick> {
        let one = |(id, o): (&String, &Opt)| Pick { id: id.clone(), text: o.text.clone() };
        self.options.iter().map(one).collect()
    }

    fn way(&self) -> Way {
        if self.several() { Way::PickMany } else { Way::PickOne }
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        if self.several() {
            return self.reads_several(raw);
        }
        let place = forms::pick(&self.picks(), raw)?;
        Ok(self.ids(|i, _| i == place))
    }

    fn shows(&self, answer: &Answer) -> String {
        let texts: Vec<&str> = self.picked(answer).map(|o| o.text.as_str()).collect();
        if texts.is_empty() { answer.0.clone() } else { texts.join("; ") }
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let all = self.right_ones().count();
        let right = self.picked(answer).filter(|o| o.right).count();
        let wrong = self.picked(answer).filter(|o| !o.right).count();
        let lines = match self.several() {
            true => self.said_of_several(answer, right, wrong),
            false => self.picked(answer).map(|o| o.say.clone()).collect(),
        };
        Verdict::new(right == all && wrong == 0, lines, self.reference(at), answer)
            .partly(right.saturating_sub(wrong), all)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        self.ids(|_, o| o.right)
    }

    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let mut misfits = self.counts();
        misfits.extend(forms::ambiguous_misfits(&self.picks(), "options", "option"));
        for (id, _) in self.options.iter().filter(|(_, o)| o.say.trim().is_empty()) {
            let message =
                format!("the option `{id}` does not say why it is right or not: give it a `say`");
            misfits.push(Misfit::key(Path::root().key("options").key(id), message));
        }
        let asks = if self.several() { "`multi`" } else { "a choice" };
        let message = format!("an option says why in its own `say`; {asks} needs no `feedback`");
        misfits.extend(self.no_feedback(&message));
        misfits
    }
}
