//! `number`: a number, exact where it is whole.
//!
//! The key is typed in, or better: measured on a run, the lesson's own so far or one that is played
//! for it. Other answers that can be defended are accepted, each with its remark.

use super::{Answer, FormHint, Question, Scene, Verdict};
use crate::input::{OrderedMap, Path, folded};
use crate::lesson::file::{ClusterFile, Misfit};
use crate::model::goal::{Compare, Test, When};
use crate::sim::Simulation;
use crate::sim::scheduler::{EndOfRun, Policy};

/// The most steps of a run on which something is measured.
const MOST_STEPS: usize = 10_000;
/// Whole numbers beyond this are not exact.
const LARGEST: f64 = 9_007_199_254_740_992.0;

question! {
    /// Answer with a number.
    pub struct Number {
        /// The right number, where no run can tell it.
        #[serde(default)]
        pub answer: Option<f64>,
        /// What is counted, in the words of goals: `messages(REQUEST)`, `entries(P1)`, `clock(P2)`.
        #[serde(default)]
        pub measure: Option<String>,
        /// Events played on a copy before it is counted. With them only what they do is counted;
        /// without, the lesson's run so far.
        #[serde(default)]
        pub run: Vec<String>,
        /// Whether that copy runs on by itself, the oldest message first, until nothing happens.
        #[serde(default)]
        pub to_end: bool,
        /// Another cluster than the lesson's, at its beginning, to count on.
        #[serde(default)]
        pub cluster: Option<ClusterFile>,
        /// How far off an answer may be; needed where the right one is not whole.
        #[serde(default)]
        pub tolerance: Option<f64>,
        /// What is counted, in a word that may stand behind the number.
        #[serde(default)]
        pub unit: Option<String>,
        /// Other answers that can be defended, each with its remark.
        #[serde(default)]
        pub accept: OrderedMap<String, String>,
        /// The key, once it is known.
        #[serde(skip)]
        pub key: Option<f64>,
    }
}

/// A number as people write one: `8`, `08`, `= 8`, `8.0`, `−3`, with what it is the value of in front
/// (`T=8`, `2(5-1) = 8`), as the number of a token (`#8`) or in a stamp (`(8,P1)`), and with up to two words
/// behind it. `unit` is a word that may stand there whatever it is.
#[must_use]
pub fn read_number(raw: &str, unit: Option<&str>) -> Option<f64> {
    const NOT_BEHIND: [&str; 16] = [
        "or", "and", "to", "not", "minus", "plus", "times", "hundred", "thousand", "million", "k",
        "dozen", "percent", "n", "of", "per",
    ];
    let text = raw.trim().trim_end_matches('.').trim_matches(['"', '\'', '`', '*', '$', ' ']);
    let text = bare(text)?;
    let digits = |c: char| c.is_ascii_digit() || c == '.';
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = text.find(|c| !digits(c)).unwrap_or(text.len());
    let (number, tail) = text.split_at(end);
    let words: Vec<String> = tail.split_whitespace().map(str::to_lowercase).collect();
    let word = |w: &String| {
        w.chars().all(|c| c.is_alphabetic() || c == '-') && !NOT_BEHIND.contains(&w.as_str())
    };
    let is_unit = unit.is_some_and(|u| u.trim().eq_ignore_ascii_case(tail.trim()));
    if !is_unit && (words.len() > 2 || !words.iter().all(word)) {
        return None;
    }
    let starts = number.starts_with(|c: char| c.is_ascii_digit());
    let value: f64 = number.parse().ok().filter(|_| starts && number.len() <= 20)?;
    let value = if negative { -value } else { value };
    (value.abs() <= LARGEST).then_some(value + 0.0)
}

/// The number alone of what says of what it is the value; `None`: the sign says something else.
fn bare(text: &str) -> Option<&str> {
    let text = match text.rsplit_once('=') {
        Some((of, _)) if of.trim_end().ends_with(['<', '>', '!', '≠', '/']) => return None,
        Some((_, value)) => value,
        None => text,
    };
    let text = text.trim().trim_start_matches(['≈', '~', '#']).trim_start();
    // Of a stamp the clock value.
    let stamp = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')?.split_once(','));
    let name = |name: &str| {
        let name = name.trim();
        name.starts_with(char::is_alphabetic) && name.chars().all(char::is_alphanumeric)
    };
    Some(match stamp {
        Some((clock, node)) if name(node) => clock.trim(),
        _ => text,
    })
}

/// The numbers of an answer that names several of them: `9 or 10`, `9/10`, `9–10`.
fn several(raw: &str) -> Option<Vec<f64>> {
    let parts: Vec<&str> = raw.split(" or ").flat_map(|part| part.split(['/', '-'])).collect();
    let numbers: Option<Vec<f64>> = parts.iter().map(|part| read_number(part, None)).collect();
    numbers.filter(|numbers| numbers.len() > 1)
}

/// A number without anything that it does not need.
fn show(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { value.to_string() }
}

impl Number {
    fn read_value(&self, raw: &str) -> Option<f64> {
        read_number(raw, self.unit.as_deref())
    }

    fn equal(&self, a: f64, b: f64) -> bool {
        (a - b).abs() <= self.tolerance.unwrap_or(0.0)
    }

    /// What a list of numbers remarks on this one, if it stands there.
    fn among(&self, list: &OrderedMap<String, String>, given: f64) -> Option<String> {
        let same =
            |text: &str| self.read_value(&folded(text)).is_some_and(|n| self.equal(n, given));
        list.iter().find(|(text, _)| same(text)).map(|(_, remark)| remark.clone())
    }

    /// One of several numbers, where each of them is right: nobody is wrong who names both.
    fn any_of(&self, raw: &str) -> Option<f64> {
        let key = self.key?;
        let numbers = several(raw)?;
        let right =
            |given: &f64| self.equal(key, *given) || self.among(&self.accept, *given).is_some();
        let exact = numbers.iter().find(|given| self.equal(key, **given));
        numbers.iter().all(right).then(|| *exact.unwrap_or(&numbers[0]))
    }

    /// The right number, typed in or measured.
    fn right_number(&self, at: &dyn Simulation) -> Option<f64> {
        self.answer.or_else(|| self.measured(at).ok().map(|n| n as f64))
    }

    /// The cluster on which something is counted, before its events.
    fn measured_on(&self, at: &dyn Simulation) -> Result<Box<dyn Simulation>, Misfit> {
        self.cluster.as_ref().map_or_else(|| Ok(at.fork()), super::elsewhere)
    }

    fn measured(&self, at: &dyn Simulation) -> Result<i64, Misfit> {
        let mut sim = self.measured_on(at)?;
        if !self.run.is_empty() || self.to_end {
            sim.begin_here();
        }
        super::play_texts(sim.as_mut(), &self.run, "run")?;
        let mut end = EndOfRun::default();
        let mut steps = 0;
        while self.to_end && !end.reached(sim.as_ref()) {
            let Some(event) = Policy::Oldest.choose(sim.as_ref()) else { break };
            let _played = sim.step(event);
            steps += 1;
            if steps > MOST_STEPS {
                let message = format!("the run has no end within {MOST_STEPS} steps");
                return Err(Misfit::value(Path::root().key("to_end"), message));
            }
        }
        let path = || Path::root().key("measure");
        let text = self.measure.as_deref().unwrap_or_default().trim();
        let goal = super::goal(&format!("{text} == 0"), sim.as_ref())
            .map_err(|error| Misfit::value(path(), error.to_string()))?;
        match (goal.when, goal.test) {
            (When::Now, Test::Number(count, Compare::Eq, 0)) => Ok(count.read(sim.as_ref())),
            _ => {
                let message =
                    format!("`{text}` counts nothing; write one count, like messages(REQUEST)");
                Err(Misfit::value(path(), message))
            }
        }
    }
}

impl Question for Number {
    fn prepare(&mut self, scene: Scene<'_>) {
        self.key = self.right_number(scene.at);
    }

    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let value = self.read_value(raw).or_else(|| self.any_of(raw)).ok_or_else(|| {
            let hint = match self.unit.as_deref() {
                Some(unit) => format!("Answer with one number, in figures ({}).", unit.trim()),
                None => "Answer with one number, in figures.".to_owned(),
            };
            FormHint(hint)
        })?;
        Ok(Answer(show(value)))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let given = self.read_value(&answer.0).unwrap_or(f64::INFINITY);
        let key = self.key.or_else(|| self.right_number(at));
        let exact = key.is_some_and(|key| self.equal(key, given));
        let accepted = if exact { None } else { self.among(&self.accept, given) };
        let right = exact || accepted.is_some();
        let remark =
            accepted.or_else(|| if right { None } else { self.among(&self.feedback, given) });
        let lines = vec![remark.unwrap_or_else(|| super::said(&answer.0))];
        Verdict::new(right, lines, self.reference(at), answer)
    }

    fn reference(&self, at: &dyn Simulation) -> Answer {
        Answer(self.key.or_else(|| self.right_number(at)).map(show).unwrap_or_default())
    }

    fn misfits(&self, at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let key = |key: &str| Path::root().key(key);
        let mut misfits = Vec::new();
        match (self.answer, &self.measure) {
            (None, None) => {
                let message = "the right number is missing: measure it (`measure: messages()`) or \
                               give it (`answer: 8`)";
                misfits.push(Misfit::key(Path::root(), message));
            }
            (Some(_), Some(_)) => {
                let message = "the number is measured: leave `answer` away";
                misfits.push(Misfit::key(key("answer"), message));
            }
            (Some(n), None) if !n.is_finite() || n.abs() > LARGEST => {
                misfits.push(Misfit::value(key("answer"), "nobody can answer with this number"));
            }
            _ => {}
        }
        if self.measure.is_none() {
            let needless = [
                ("run", !self.run.is_empty()),
                ("to_end", self.to_end),
                ("cluster", self.cluster.is_some()),
            ];
            for (name, _) in needless.iter().filter(|(_, there)| *there) {
                let message =
                    format!("`{name}` is for a number that is measured: say what with `measure`");
                misfits.push(Misfit::key(key(name), message));
            }
        }
        if self.tolerance.is_some_and(|t| !t.is_finite() || t < 0.0) {
            misfits.push(Misfit::value(key("tolerance"), "a tolerance is a number of 0 or more"));
        }
        if self.answer.is_some_and(|n| n.fract() != 0.0) && self.tolerance.is_none() {
            let message =
                "the number is not whole: say how far off an answer may be (`tolerance: 0.01`)";
            misfits.push(Misfit::value(key("answer"), message));
        }
        let sound = misfits.is_empty();
        if let (true, Some(at), Some(_)) = (sound, at, &self.measure) {
            misfits.extend(self.measured(at).err());
        }
        misfits.extend(self.list_misfits(at.filter(|_| sound)));
        misfits
    }
}

impl Number {
    /// Accepted and wrong answers that cannot be read, or are something else as well.
    fn list_misfits(&self, at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let right = at.and_then(|at| self.right_number(at)).or(self.answer);
        let mut misfits = Vec::new();
        let mut seen: Vec<f64> = Vec::new();
        let lists = [("accept", &self.accept), ("feedback", &self.feedback)];
        for (list, text) in lists.iter().flat_map(|(name, l)| l.keys().map(move |k| (*name, k))) {
            let path = Path::root().key(list).key(text);
            let Some(value) = self.read_value(&folded(text)) else {
                misfits.push(Misfit::key(path, format!("`{text}` is no number")));
                continue;
            };
            if right.is_some_and(|right| self.equal(right, value)) {
                let message =
                    format!("{} is the right answer itself: `explain` speaks of it", show(value));
                misfits.push(Misfit::key(path, message));
            } else if seen.iter().any(|other| self.equal(*other, value)) {
                misfits.push(Misfit::key(path, format!("{} stands here already", show(value))));
            }
            seen.push(value);
        }
        misfits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Case H47.
    #[test]
    fn a_number_is_read_in_all_its_forms() {
        for form in [
            "8",
            " 08 ",
            "8.",
            "8.0",
            "= 8",
            "8 messages",
            "+8",
            "8 REQUEST messages",
            "8messages",
            "T=8",
            "t = 8.",
            "2(5-1)=8",
            "#8",
            "(8,P1)",
            "( 8, P1 )",
            "~8",
            "messages = 8",
        ] {
            assert_eq!(read_number(form, None), Some(8.0), "{form}");
        }
        assert_eq!(read_number("-3", None), Some(-3.0));
        assert_eq!(read_number("-0", None).map(show).as_deref(), Some("0"));
        assert_eq!(read_number("8 units of 2", Some("units of 2")), Some(8.0));
        for form in [
            "",
            "eight",
            "8 or 9",
            "8 9",
            "1e9",
            ".",
            "-",
            "8 thousand",
            "3n",
            "inf",
            "NaN",
            "8,5",
            "T<=8",
            "8=",
            "(8,5)",
            "(8,P1",
            "(P1,8)",
            "8=2*4",
        ] {
            assert_eq!(read_number(form, None), None, "{form}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic_or_gives_something_that_is_no_number(text in "\\PC{0,30}") {
            prop_assert!(read_number(&text, None).is_none_or(f64::is_finite));
        }
    }
}
