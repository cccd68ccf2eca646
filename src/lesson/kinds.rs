//! What kind of file a text is, whatever may be wrong with it: everybody who reads one kind says by this
//! what another one is, and what it is for.

use crate::input::{Pos, Problem, Source};
use crate::lab::line;
use std::fmt;

/// A kind of file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A lesson.
    Lesson,
    /// The learners' copy of a lesson.
    Copy,
    /// Answers, and the lesson that they name.
    Answers(Option<String>),
    /// A run as its line.
    Run,
    /// An algorithm that somebody wrote.
    Script,
    /// What is kept of a learner, by the key of its version.
    Kept(&'static str),
}

impl Kind {
    /// Whether a reader of this kind takes a file of another one.
    fn takes(&self, found: &Self) -> bool {
        match (self, found) {
            (Self::Lesson | Self::Copy, Self::Lesson | Self::Copy) => true,
            (Self::Answers(_), Self::Answers(_)) | (Self::Run, Self::Run) => true,
            (Self::Kept(wanted), Self::Kept(found)) => wanted == found,
            _ => false,
        }
    }

    /// What such a file is for, as something to type.
    fn use_of(&self) -> &'static str {
        match self {
            Self::Lesson | Self::Copy => {
                "`lockstep learn FILE` opens it, `lockstep answers FILE -o answers.yaml` writes an answers \
                 file for it"
            }
            Self::Answers(_) => "`lockstep grade FILE` grades it",
            Self::Run => "`lockstep run - < FILE` plays it",
            Self::Script => {
                "`lockstep play FILE` steps it, `lockstep check FILE` tries every schedule of it"
            }
            Self::Kept("progress") => "`lockstep progress import FILE` adds it to your own",
            Self::Kept(_) => "the program reads it by itself",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lesson => f.write_str("a lesson"),
            Self::Copy => f.write_str("the learners' copy of a lesson"),
            Self::Answers(Some(lesson)) => write!(f, "an answers file for the lesson `{lesson}`"),
            Self::Answers(None) => f.write_str("an answers file"),
            Self::Run => f.write_str("a run"),
            Self::Script => f.write_str("an algorithm, written as a script"),
            Self::Kept("progress") => f.write_str("a file of progress"),
            Self::Kept(_) => f.write_str("the file of what was played"),
        }
    }
}

/// What kind of file a text looks like; `None`: none of ours. The keys that begin a line decide, so that
/// a text with faults is known as well.
#[must_use]
pub fn of(text: &str) -> Option<Kind> {
    let value = |key: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        found.map(|value| value.split(" #").next().unwrap_or_default().trim())
    };
    let has = |keys: &[&str]| keys.iter().any(|key| value(key).is_some());
    if text.lines().any(|line| line.starts_with("algorithm \"")) {
        return Some(Kind::Script);
    }
    if has(&["steps", "cluster"]) {
        let copy = value(super::strip::MARK) == Some("true");
        return Some(if copy { Kind::Copy } else { Kind::Lesson });
    }
    if has(&["answers", "drawn", "shown"]) {
        let named = value("lesson").filter(|id| super::question::is_id(id));
        return Some(Kind::Answers(named.map(str::to_owned)));
    }
    match ["progress", "played"].into_iter().find(|key| has(&[key])) {
        Some(kept) => Some(Kind::Kept(kept)),
        None if has(&["id", "title", "about"]) => Some(Kind::Lesson),
        None => is_run(text).then_some(Kind::Run),
    }
}

/// Whether a text begins as a run does: with an algorithm's name that stands alone.
fn is_run(text: &str) -> bool {
    let text = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let quotes = |c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '>');
    let first = text.unwrap_or_default().split(';').next().unwrap_or_default();
    line::title(first.trim_matches(quotes)).is_some()
}

/// Says that a text is of another kind than the one that is wanted.
///
/// # Errors
/// What it is, and what that is for.
pub fn wanted(source: &Source, kind: Kind) -> Result<(), Problem> {
    let found = of(source.text()).filter(|found| !kind.takes(found));
    found.map_or(Ok(()), |found| Err(source.problem(Pos::START, instead(&found, &kind))))
}

/// The sentence about a file of another kind.
#[must_use]
pub fn instead(found: &Kind, wanted: &Kind) -> String {
    format!("this is {found}, not {wanted}; {}", found.use_of())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_by_the_keys_that_begin_its_lines() {
        let answers = |id: Option<&str>| Some(Kind::Answers(id.map(str::to_owned)));
        for (text, kind) in [
            ("lesson: 1\nid: x\nsteps:\n- say: 'answers:'\n", Some(Kind::Lesson)),
            ("# mine\nid: x\ntitle: [\n", Some(Kind::Lesson)),
            ("stripped: true # the copy\nlesson: 1\ncluster:\n", Some(Kind::Copy)),
            ("lesson: race # 9\nwho: Ada\nanswers:\n  id: a\n", answers(Some("race"))),
            ("answers: {x: a}\n", answers(None)),
            ("lesson: ../x\nanswers:\n", answers(None)),
            ("# kept\nprogress: 1\nlessons:\n  race:\n", Some(Kind::Kept("progress"))),
            ("played: 1\nruns: []\n", Some(Kind::Kept("played"))),
            ("# a run\nlamport; nodes=2\n", Some(Kind::Run)),
            ("// mine\nalgorithm \"Mine\";\n", Some(Kind::Script)),
            ("> `lamport`\n> `request P1`\n", Some(Kind::Run)),
            ("lamport is an algorithm\n", None),
            ("{lesson: x, answers: {}}\n", None),
            ("", None),
        ] {
            assert_eq!(of(text), kind, "{text}");
        }
    }
}
