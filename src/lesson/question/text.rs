//! `text`: a word or two, typed.
//!
//! A right answer is the same as an accepted one as a whole: case, spaces, articles and punctuation never
//! decide. For words that have to be known; what needs a sentence is a `choice`, or is played.

use super::{Answer, Defined as _, FormHint, Question, Verdict};
use crate::input::{Path, Raw, folded};
use crate::lesson::file::Misfit;
use crate::sim::Simulation;

/// The longest answer that is still a word or two.
const LONGEST: usize = 80;
/// Words that decide nothing.
const ARTICLES: [&str; 3] = ["a", "an", "the"];

question! {
    /// Type a word or two.
    pub struct Text {
        /// The answers that are right, each as a whole; the first one is shown as the solution.
        pub accept: Vec<String>,
        /// No longer read: see `accept`.
        #[serde(default)]
        #[schemars(skip)]
        pub words: Option<Raw>,
        /// No longer read: see `accept`.
        #[serde(default)]
        #[schemars(skip)]
        pub without: Option<Raw>,
    }
}

/// The words and signs of a text, without articles, case and punctuation: `P2's REPLY` has p2, s and
/// reply, and `n-1` is not `n+1`.
fn parts(text: &str) -> Vec<String> {
    let text = folded(text).to_lowercase();
    let mut parts: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        let inside = c == '.' && before.is_ascii_digit() && next.is_ascii_digit();
        if c.is_alphanumeric() || inside {
            word.push(c);
        } else {
            parts.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            let minus = c == '-' && (next.is_ascii_digit() || next == ' ' && before == ' ');
            let mark = c.is_whitespace() || MARKS.contains(c);
            parts.extend((minus || !mark).then(|| c.to_string()));
        }
        before = c;
    }
    parts.extend((!word.is_empty()).then_some(word));
    let says: Vec<String> =
        parts.iter().filter(|part| !ARTICLES.contains(&part.as_str())).cloned().collect();
    if says.is_empty() { parts } else { says }
}

/// Punctuation, and signs of emphasis and code.
const MARKS: &str = ".,;:!?\"'()[]{}-_*`";

/// Whether two texts say the same, word by word.
fn same(a: &str, b: &str) -> bool {
    parts(a) == parts(b)
}

impl Text {
    fn right(&self, answer: &str) -> bool {
        self.accept.iter().any(|form| same(form, answer))
    }
}

impl Question for Text {
    fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
        let text = raw.split_whitespace().collect::<Vec<_>>().join(" ");
        if parts(&text).is_empty() || text.chars().count() > LONGEST {
            return Err(FormHint("Answer with a word or two.".to_owned()));
        }
        Ok(Answer(text))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let right = self.right(&answer.0);
        let known = self.feedback.iter().find(|(wrong, _)| same(wrong, &answer.0));
        let lines = match known {
            Some((_, meaning)) if !right => vec![meaning.clone()],
            _ => vec![super::said(&answer.0)],
        };
        Verdict::new(right, lines, self.reference(at), answer)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        Answer(self.accept.first().cloned().unwrap_or_default())
    }

    fn misfits(&self, _at: Option<&dyn Simulation>) -> Vec<Misfit> {
        let path = || Path::root().key("accept");
        let mut misfits = Vec::new();
        if self.accept.is_empty() {
            misfits.push(Misfit::key(path(), "no answer is accepted: write at least one form"));
        }
        for (i, form) in self.accept.iter().enumerate() {
            if self.read(form).is_err() {
                let message =
                    format!("nobody can answer this: an answer has 1 to {LONGEST} characters");
                misfits.push(Misfit::value(path().index(i), message));
            } else if self.accept[..i].iter().any(|other| same(other, form)) {
                let message =
                    "this form stands here already: case, articles and marks do not count";
                misfits.push(Misfit::value(path().index(i), message));
            }
        }
        for (key, bag) in [("words", &self.words), ("without", &self.without)] {
            if bag.is_some() {
                let message = "words in any order pass what they do not mean: write each right answer as \
                               a whole, `accept: [P2's REPLY, the REPLY from P2]`, or ask a `choice`";
                misfits.push(Misfit::key(Path::root().key(key), message));
            }
        }
        misfits.extend(self.unfit_feedback(&|wrong| {
            self.right(wrong).then(|| format!("`{wrong}` is accepted: it is no wrong answer"))
        }));
        misfits
    }
}
