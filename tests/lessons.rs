//! Lessons from outside: files with faults, the shipped lessons, and learners on their way.

use lockstep::input::Source;
use lockstep::lab::Lab;
use lockstep::lesson::load;
use lockstep::lesson::question::NOT_YET;
use lockstep::lesson::{
    Answered, BadLesson, Learner, Lesson, Library, Next, NotOpened, QuestionState, author, lint,
};
use std::sync::Arc;

const BASE: &str = include_str!("lessons/base.yaml");
const BAD: &str = include_str!("lessons/bad.txt");

fn checked(text: &str) -> Result<Arc<Lesson>, BadLesson> {
    load::checked(Source::from_text("bad.yaml", text, "lesson")?)
}

fn started(text: &str) -> (Learner, Lab) {
    let lesson = checked(text).unwrap_or_else(|bad| panic!("{bad}"));
    Learner::new(lesson).expect("a checked lesson has a cluster")
}

/// The base lesson with some of its lines replaced.
fn changed(changes: &[(Vec<&str>, Vec<&str>)]) -> String {
    let mut text = BASE.to_owned();
    for (old, new) in changes {
        let old = format!("{}\n", old.join("\n"));
        let new: String = new.iter().map(|l| format!("{l}\n")).collect();
        assert!(text.contains(&old), "base.yaml has no\n{old}");
        text = text.replacen(&old, &new, 1);
    }
    text
}

struct Case<'a> {
    name: &'a str,
    changes: Vec<(Vec<&'a str>, Vec<&'a str>)>,
    said: Vec<&'a str>,
}

fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for line in BAD.lines() {
        if let Some(name) = line.strip_prefix("# ") {
            cases.push(Case { name, changes: Vec::new(), said: Vec::new() });
        }
        let Some(case) = cases.last_mut() else { continue };
        if let Some(old) = line.strip_prefix("- ") {
            match case.changes.last_mut() {
                Some((before, after)) if after.is_empty() => before.push(old),
                _ => case.changes.push((vec![old], Vec::new())),
            }
        } else if let Some(new) = line.strip_prefix("+ ") {
            case.changes.last_mut().expect("`-` comes before `+`").1.push(new);
        } else if let Some(said) = line.strip_prefix("= ") {
            case.said.push(said);
        }
    }
    cases
}

#[test]
fn every_fault_is_told_with_its_place_and_all_of_them_at_once() {
    let mut wrong = Vec::new();
    for case in cases() {
        let found = match checked(&changed(&case.changes)) {
            Ok(_) => Vec::new(),
            Err(bad) => bad.problems.iter().map(ToString::to_string).collect(),
        };
        let found: Vec<&str> =
            found.iter().map(|m| m.strip_prefix("bad.yaml:").unwrap_or(m)).collect();
        if found != case.said {
            wrong.push(format!("# {}\n= {}", case.name, found.join("\n= ")));
        }
    }
    assert!(wrong.is_empty(), "these say something else:\n\n{}", wrong.join("\n\n"));
}
