//! Lessons from outside: files with faults, the shipped lessons, learners on their way, the command.

pub mod authoring;
pub mod cases;
mod command;
mod drawn;
mod faults;
mod learner;
mod library;
mod shipped;

use cases::{BASE, changed};
use lockstep::input::Source;
use lockstep::lab::Lab;
use lockstep::lesson::{BadLesson, Learner, Lesson, load};
use std::sync::Arc;

fn checked(text: &str) -> Result<Arc<Lesson>, BadLesson> {
    load::checked(Source::from_text("bad.yaml", text, "lesson")?)
}

fn started(text: &str) -> (Learner, Lab) {
    let lesson = checked(text).unwrap_or_else(|bad| panic!("{bad}"));
    Learner::new(lesson).expect("a checked lesson has a cluster")
}

/// A lesson on paper, without pictures.
fn paper(lesson: &Lesson, solutions: bool) -> String {
    lockstep::lesson::worksheet::worksheet(lesson, solutions, &|_| String::new())
}

/// The base lesson with one line replaced.
fn with(old: &str, new: &str) -> String {
    changed(&[(vec![old], vec![new])])
}
