//! `text`: a word or two, typed.
//!
//! Several forms may be accepted; case, spaces and quotes never decide. For words that have to be
//! known, not for sentences.

use super::forms::fold_quotes;
use super::{SAID, Answer, Common, FormHint, Pick, Question, Verdict};
use crate::input::Path;
use crate::lesson::file::Misfit;
use crate::sim::Simulation;

/// The longest answer that is still a word or two.
const LONGEST: usize = 80;

question! {
    /// Type a word or two.
    pub struct Text {
        /// The forms that are right; the first one is shown as the solution.
        pub accept: Vec<String>,
        /// Words that make an answer right if it has all of them, whatever else it says; `REPLY|answer`
        /// is either.
        #[serde(default)]
        pub words: Vec<String>,
        /// Words that no right answer has.
        #[serde(default)]
        pub without: Vec<String>,
    }
}

/// The words of a text, without marks and case: `P2's REPLY` has p2, s and reply.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// Words that join others and decide nothing.
const JOINTS: [&str; 4] = ["the", "and", "then", "that"];

/// The words that say something; of a text of joints alone all of them.
fn telling(text: &str) -> Vec<String> {
    let all = words(text);
    let some: Vec<String> =
        all.iter().filter(|word| !JOINTS.contains(&word.as_str())).cloned().collect();
    if some.is_empty() { all } else { some }
}

/// Whether two texts say the same: `1,2` is `1 and 2`, and `P2’s reply` is `the P2's REPLY`.
fn same(a: &str, b: &str) -> bool {
    let (a_words, b_words) = (telling(a), telling(b));
    fold_quotes(a) == fold_quotes(b) || (a_words == b_words && !a_words.is_empty())
}

impl Text {
    fn right(&self, answer: &str) -> bool {
        if self.accept.iter().any(|form| same(form, answer)) {
            return true;
        }
        let said = words(answer);
        let has = |word: &String| word.split('|').any(|one| said.contains(&one.to_lowercase()));
        !self.words.is_empty() && self.words.iter().all(has) && !self.without.iter().any(has)
    }
}

impl Question for Text {
    fn kind(&self) -> &'static str {
        "text"
    }

    fn common(&self) -> Common<'_> {
        self.shared()
    }

    fn picks(&self) -> Vec<Pick> {
        Vec::new()
    }

    fn read(&self, raw: &str) -> Result<Answer, FormHint> {
        let text = raw.split_whitespace().collect::<Vec<_>>().join(" ");
        if fold_quotes(&text).is_empty() || text.chars().count() > LONGEST {
            return Err(FormHint("Answer with a word or two.".to_owned()));
        }
        Ok(Answer(text))
    }

    fn check(&self, answer: &Answer, at: &dyn Simulation) -> Verdict {
        let right = self.right(&answer.0);
        let known = self.feedback.iter().find(|(wrong, _)| same(wrong, &answer.0));
        let lines = match known {
            Some((_, meaning)) if !right => vec![meaning.clone()],
            _ => vec![format!("{SAID}{}.", answer.0.trim_end_matches('.'))],
        };
        Verdict::new(right, lines, self.reference(at), answer)
    }

    fn reference(&self, _at: &dyn Simulation) -> Answer {
        Answer(self.accept.first().cloned().unwrap_or_default())
    }

    fn sheet(&self) -> String {
        super::LINE.to_owned()
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
                let message = "this form stands here already: case and spaces do not count";
                misfits.push(Misfit::value(path().index(i), message));
            }
        }
        for (key, list) in [("words", &self.words), ("without", &self.without)] {
            let one = |word: &String| word.split('|').all(|word| words(word).len() == 1);
            for (i, word) in list.iter().enumerate().filter(|(_, word)| !one(word)) {
                let message = format!("`{word}` is not one word");
                misfits.push(Misfit::value(Path::root().key(key).index(i), message));
            }
        }
        if self.words.is_empty() && !self.without.is_empty() {
            let message = "`without` is for answers that are known by their `words`";
            misfits.push(Misfit::key(Path::root().key("without"), message));
        }
        for wrong in self.feedback.keys() {
            if self.right(wrong) {
                let message = format!("`{wrong}` is accepted: it is no wrong answer");
                misfits.push(Misfit::key(Path::root().key("feedback").key(wrong), message));
            }
        }
        misfits
    }
}
