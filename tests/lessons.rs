//! Lessons from outside: files with faults, the shipped lessons, learners on their way, the command.

#[path = "lessons/command.rs"]
mod command;
#[path = "lessons/faults.rs"]
mod faults;
#[path = "lessons/learner.rs"]
mod learner;
#[path = "lessons/library.rs"]
mod library;
#[path = "lessons/shipped.rs"]
mod shipped;

use lockstep::input::Source;
use lockstep::lab::Lab;
use lockstep::lesson::{BadLesson, Learner, Lesson, load};
use std::sync::Arc;

/// A small lesson without faults, which the tests change.
const BASE: &str = include_str!("lessons/base.yaml");

/// Old lines, and what they are replaced by.
type Change<'a> = (Vec<&'a str>, Vec<&'a str>);

fn checked(text: &str) -> Result<Arc<Lesson>, BadLesson> {
    load::checked(Source::from_text("bad.yaml", text, "lesson")?)
}

fn started(text: &str) -> (Learner, Lab) {
    let lesson = checked(text).unwrap_or_else(|bad| panic!("{bad}"));
    Learner::new(lesson).expect("a checked lesson has a cluster")
}

/// The base lesson with some of its lines replaced.
fn changed(changes: &[Change<'_>]) -> String {
    let mut text = BASE.to_owned();
    for (old, new) in changes {
        let old = format!("{}\n", old.join("\n"));
        let new: String = new.iter().map(|l| format!("{l}\n")).collect();
        assert!(text.contains(&old), "base.yaml has no\n{old}");
        text = text.replacen(&old, &new, 1);
    }
    text
}

/// The base lesson with one line replaced.
fn with(old: &str, new: &str) -> String {
    changed(&[(vec![old], vec![new])])
}
