//! Results as people, programs and course systems read them: one file a format, one list of formats.
//!
//! Whatever came in, every format is whole and says what happened. Nothing is graded here, and nothing is
//! known of a key that the result does not hold.

mod alike;
mod class;
mod csv;
mod feedback;
mod gradescope;
mod json;
mod junit;
mod marks;
mod roster;
mod text;

use super::batch::HandedIn;
use super::grade::{Fault, Graded, Refusal, Report, Solution, Status};

use std::collections::HashSet;

pub use feedback::{feedback, is_feedback};
pub use junit::escape;
pub use marks::{Marks, to_mark};
pub use roster::{Filled, Roster};

/// A format in which results are written.
#[derive(Debug)]
pub struct Writer {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    write: fn(&[HandedIn]) -> String,
}

impl Writer {
    /// Writes the results of one or more files.
    #[must_use]
    pub fn write(&self, files: &[HandedIn]) -> String {
        (self.write)(files)
    }
}

/// All formats; the first is what people read.
pub const WRITERS: &[Writer] = &[
    Writer { name: "text", about: "one line a question, for people", write: text::write },
    Writer { name: "json", about: "everything, for programs", write: json::write },
    Writer { name: "csv", about: "one line a file, for a gradebook", write: csv::write },
    Writer { name: "junit", about: "JUnit XML, for build servers", write: junit::write },
    Writer { name: "gradescope", about: "results.json of Gradescope", write: gradescope::write },
];

/// How a whole grading went, the worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// Every question of every file is right.
    AllRight,
    /// Some are not.
    SomeWrong,
    /// Some answers cannot be graded.
    Unreadable,
    /// A lesson is at fault.
    BadLesson,
}

/// How a whole grading went.
#[must_use]
pub fn standing(files: &[HandedIn]) -> Standing {
    let one = |file: &HandedIn| match &file.result {
        Ok(report) if report.passed() => Standing::AllRight,
        Ok(_) => Standing::SomeWrong,
        Err(Refusal { fault: Fault::BadLesson, .. }) => Standing::BadLesson,
        Err(_) => Standing::Unreadable,
    };
    files.iter().map(one).max().unwrap_or(Standing::AllRight)
}

/// Each file with a name that no other one of the batch has.
fn named(files: &[HandedIn]) -> Vec<(String, &HandedIn)> {
    let mut taken = HashSet::new();
    let one = |file: &'_ HandedIn| {
        let mut name = file.file.clone();
        let mut n = 1;
        while !taken.insert(name.clone()) {
            n += 1;
            name = format!("{} ({n})", file.file);
        }
        name
    };
    let names: Vec<String> = files.iter().map(one).collect();
    names.into_iter().zip(files).collect()
}

/// One word for a file: `pass`, `fail` or `error`.
fn whole(report: &Report) -> &'static str {
    match report.count(Status::Error) {
        0 if report.passed() => "pass",
        0 => "fail",
        _ => "error",
    }
}

/// `7 of 9 correct`, with the points where they tell more.
fn total(report: &Report) -> String {
    let right = report.count(Status::Passed);
    let (score, max) = report.score();
    let mut text = format!("{right} of {} correct", report.judged());
    #[expect(clippy::float_cmp, reason = "whole numbers are compared with whole numbers")]
    if score != right as f64 || max != report.judged() as f64 {
        text += &format!(", {}", super::mark::of_points(score, max));
    }
    text
}

/// All that there is to say about a question, to whoever answered it.
fn told(test: &Graded) -> Vec<String> {
    let mut lines = vec![test.message()];
    lines.extend(test.actual.as_ref().map(|a| format!("Your answer: {a}")));
    lines.extend(test.feedback.iter().cloned());
    lines.extend(test.help.as_ref().map(|h| format!("Hint: {h}")));
    lines.extend(test.solution.as_ref().map(solved));
    lines
}

fn solved(solution: &Solution) -> String {
    format!("The answer: {}", solution.lines.join("\n"))
}

/// A text on one line, cut behind so many characters.
fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
