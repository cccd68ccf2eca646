//! `formula`: a count for any number of nodes, such as `3(n-1)`.
//!
//! Two formulas are the same if they have the same value at every sample; how they are written never
//! decides. Wrong ones that are known are explained by what they do count.

mod expr;

pub use expr::Expr;

use super::{Answer, Defined as _, FormHint, Question, Verdict};
use crate::input::{Path, folded};
use crate::lesson::file::Misfit;
use crate::sim::Simulation;
use schemars::JsonSchema;
use serde::Deserialize;

question! {
    /// Answer with a formula over `n` and `k`.
    pub struct Formula {
        /// A right formula.
        pub answer: String,
        /// Where formulas are compared; omitted: a dozen usual sizes.
        #[serde(default)]
        pub samples: Vec<Sample>,
    }
}

/// Values at which two formulas are compared.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The number of nodes.
    pub n: f64,
    /// The size of a voting set; omitted: 2.
    #[serde(default = "two")]
    pub k: f64,
}

fn two() -> f64 {
    2.0
}

/// Numbers of nodes, square and not, and sizes of voting sets that depend on no number of nodes.
const USUAL: [(f64, f64); 12] = [
    (2.0, 2.0),
    (3.0, 2.0),
    (4.0, 3.0),
    (5.0, 3.0),
    (7.0, 3.0),
    (9.0, 5.0),
    (10.0, 4.0),
    (13.0, 4.0),
    (16.0, 7.0),
    (25.0, 9.0),
    (31.0, 6.0),
    (100.0, 19.0),
];

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// A formula without what people write around it: `= 3(n-1) messages`.
fn read_formula(raw: &str) -> Option<Expr> {
    let text = folded(raw);
    let text = text.trim_start_matches('=').trim_end_matches('.');
    let text = text.trim_matches(['"', '\'', '`', '$', ' ']).trim_start_matches('=');
    let lower = text.to_lowercase();
    let unit = [" messages", " message"].iter().find(|unit| lower.ends_with(**unit));
    // Lower case keeps no length of its own in some alphabets; none of those letters is in a formula.
    let text = unit.and_then(|unit| text.get(..text.len() - unit.len())).unwrap_or(text);
    Expr::parse(text.trim())
}

impl Formula {
    fn samples(&self) -> Vec<Sample> {
        if self.samples.is_empty() {
            return USUAL.map(|(n, k)| Sample { n, k }).to_vec();
        }
        self.samples.clone()
    }

    /// The first sample at which two formulas differ.
    fn differ_at(&self, a: &Expr, b: &Expr) -> Option<Sample> {
        self.samples().into_iter().find(|s| match (a.value(s.n, s.k), b.value(s.n, s.k)) {
            (Some(x), Some(y)) => !same(x, y),
            _ => true,
        })
    }

    /// Where the answer goes wrong: its value at a sample at which it is not right.
    fn at_a_sample(&self, given: &Expr, sample: Sample) -> String {
        let Sample { n, k } = sample;
        let sizes =
            if given.uses_k() { format!("n = {n} and k = {k}") } else { format!("n = {n}") };
        match given.value(n, k) {
            Some(value) => {
                let value = (value * 1000.0).round() / 1000.0;
                format!("For {sizes} yours gives {value}. Count once more for that size.")
            }
            None => format!("For {sizes} yours has no value."),
        }
    }
}

impl Question for Formula {
    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let text = raw.split_whitespace().collect::<Vec<_>>().join(" ");
        if read_formula(&text).is_none() {
            let hint = "Answer with a formula: n is the number of nodes, k the size of a voting set; \
                        + - * / ^ ( ) sqrt ceil floor.";
            return Err(FormHint(hint.to_owned()));
        }
        Ok(Answer(text))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let (given, right) = (read_formula(&answer.0), read_formula(&self.answer));
        let (Some(given), Some(right)) = (given, right) else {
            return Verdict::new(false, Vec::new(), self.reference(at), answer);
        };
        let differs = self.differ_at(&right, &given);
        let mut lines = vec![super::said(&answer.0)];
        if let Some(sample) = differs {
            let known = self.feedback.iter().find(|(wrong, _)| {
                read_formula(wrong).is_some_and(|wrong| self.differ_at(&wrong, &given).is_none())
            });
            let reason = known.map(|(_, meaning)| meaning.clone());
            lines = vec![reason.unwrap_or_else(|| self.at_a_sample(&given, sample))];
        }
        Verdict::new(differs.is_none(), lines, self.reference(at), answer)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        Answer(self.answer.trim().to_owned())
    }

    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let path = |key: &str| Path::root().key(key);
        let mut misfits = Vec::new();
        for (i, s) in self.samples.iter().enumerate() {
            if !(s.n.is_finite() && s.k.is_finite() && s.n >= 1.0 && s.k >= 1.0) {
                let message = "a sample has sizes of 1 or more";
                misfits.push(Misfit::value(path("samples").index(i), message));
            }
        }
        let Some(right) = read_formula(&self.answer) else {
            let message = format!("`{}` is no formula over n and k", self.answer);
            misfits.push(Misfit::value(path("answer"), message));
            return misfits;
        };
        let nowhere = self.samples().into_iter().find(|s| right.value(s.n, s.k).is_none());
        if let Some(s) = nowhere.filter(|_| misfits.is_empty()) {
            let message = format!("the formula has no value for n = {} and k = {}", s.n, s.k);
            misfits.push(Misfit::value(path("answer"), message));
        }
        misfits.extend(self.unfit_feedback(&|wrong| match read_formula(wrong) {
            None => Some(format!("`{wrong}` is no formula over n and k")),
            Some(other) if self.differ_at(&right, &other).is_none() => {
                Some(format!("`{wrong}` has the right value at every sample"))
            }
            Some(_) => None,
        }));
        misfits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_around_a_formula_does_not_count() {
        for text in ["= 3(n-1)", "3(n-1).", "3(n-1) messages", "`3(n-1)`", " 3 ( N - 1 ) Messages"]
        {
            assert_eq!(read_formula(text).and_then(|e| e.value(10.0, 2.0)), Some(27.0), "{text}");
        }
    }
}
