//! `multi`: pick all options that are right; each says why it is or is not.
//!
//! For what the engine cannot compute. A part of the right ones earns a part of the points.

use super::choice::{MOST_OPTIONS, Opt};
use super::forms;
use super::{Answer, Common, FormHint, Pick, Question, Verdict, Way};
use crate::input::{OrderedMap, Path};
use crate::lesson::file::Misfit;
use crate::sim::Simulation;

/// The answer of whoever finds none of the options right.
const NONE: &str = "none";
/// Other words for it.
const NO_ONE: [&str; 4] = [NONE, "none of them", "none of these", "nothing"];

question! {
    /// Pick all options that are right.
    pub struct Multi {
        /// The options, by id, in the order in which they are shown.
        pub options: OrderedMap<String, Opt>,
    }
}

impl Multi {
    fn ids(&self, wanted: impl Fn(usize, &Opt) -> bool) -> Answer {
        let all = self.options.iter().enumerate();
        let ids: Vec<&str> =
            all.filter(|(i, (_, o))| wanted(*i, o)).map(|(_, (id, _))| id.as_str()).collect();
        Answer(if ids.is_empty() { NONE.to_owned() } else { ids.join(", ") })
    }

    fn right_ones(&self) -> usize {
        self.options.values().filter(|o| o.right).count()
    }

    fn picked<'a>(&'a self, answer: &'a Answer) -> impl Iterator<Item = &'a Opt> {
        answer.0.split(", ").filter_map(|id| self.options.get(id))
    }
}

impl Question for Multi {
    fn kind(&self) -> &'static str {
        "multi"
    }

    fn common(&self) -> Common<'_> {
        self.shared()
    }

    fn picks(&self) -> Vec<Pick> {
        let one = |(id, o): (&String, &Opt)| Pick { id: id.clone(), text: o.text.clone() };
        self.options.iter().map(one).collect()
    }

    fn way(&self) -> Way {
        Way::PickMany
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let picks = self.picks();
        if NO_ONE.contains(&forms::fold(raw).as_str()) || matches!(raw, "{}" | "[]" | "-" | "∅") {
            return Ok(Answer(NONE.to_owned()));
        }
        let last = forms::letter(picks.len().saturating_sub(1));
        let places = forms::pick_several(&picks, raw).ok_or_else(|| {
            FormHint(format!(
                "Answer with the letters (a to {last}) of all that apply, with commas between \
                 them, or with `{NONE}`."
            ))
        })?;
        Ok(self.ids(|i, _| places.contains(&i)))
    }

    fn shows(&self, answer: &Answer) -> String {
        let texts: Vec<&str> = self.picked(answer).map(|o| o.text.as_str()).collect();
        if texts.is_empty() { NONE.to_owned() } else { texts.join("; ") }
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let all = self.right_ones();
        let right = self.picked(answer).filter(|o| o.right).count();
        let wrong = self.picked(answer).filter(|o| !o.right).count();
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
        Verdict::new(passed, lines, self.reference(at), answer)
            .partly(right.saturating_sub(wrong), all)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        self.ids(|_, o| o.right)
    }

    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let path = || Path::root().key("options");
        let mut misfits = Vec::new();
        let n = self.options.len();
        if !(2..=MOST_OPTIONS).contains(&n) {
            let message = format!("there are 2 to {MOST_OPTIONS} options, not {n}");
            misfits.push(Misfit::key(path(), message));
        }
        if self.right_ones() == 0 {
            let message = "no option is right: give those that are `right: true`";
            misfits.push(Misfit::key(path(), message));
        }
        if self.options.contains_key(NONE) {
            let message =
                "`none` is the answer of whoever picks nothing: call the option otherwise";
            misfits.push(Misfit::key(path().key(NONE), message));
        }
        let picks = self.picks();
        for (place, form) in forms::ambiguous(&picks) {
            let message = format!(
                "the answer `{form}` would name another option as well, by its letter, number or text; \
                 call this one by another id"
            );
            misfits.push(Misfit::key(path().key(&picks[place].id), message));
        }
        misfits.extend(super::choice::silent(&self.options));
        for answer in self.feedback.keys() {
            let message = "an option says why in its own `say`; `multi` needs no `feedback`";
            misfits.push(Misfit::key(Path::root().key("feedback").key(answer), message));
        }
        misfits
    }
}
