//! Feedback for those who were graded: one Markdown file for each file that was handed in.
//!
//! It holds what the results hold, and so no key unless solutions were asked for.

use super::super::batch::HandedIn;
use super::super::grade::{Graded, Report};
use super::{named, told, total};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The last line of every file of feedback, by which a later run knows what it may replace.
const MARK: &str = "<!-- written by lockstep grade -->\n";

/// Whether a text is feedback that an earlier run has written.
#[must_use]
pub fn is_feedback(text: &str) -> bool {
    text.ends_with(MARK)
}

/// A file's name for each file that was handed in, without a folder, and what is to be written there.
#[must_use]
pub fn feedback(files: &[HandedIn]) -> Vec<(String, String)> {
    let mut taken = HashSet::new();
    let one = |(name, file): (String, &HandedIn)| {
        let stem = stem(&name);
        let mut free = stem.clone();
        let mut n = 1;
        // Not every system tells small letters from capital ones.
        while !taken.insert(free.to_lowercase()) {
            n += 1;
            free = format!("{stem}-{n}");
        }
        let text = match &file.result {
            Ok(report) => of_report(report),
            Err(refusal) => format!("# Not graded\n\n{}\n", quoted(&refusal.message)),
        };
        let text = text.trim_end().to_owned() + "\n";
        (format!("{free}.md"), text + "\n" + MARK)
    };
    named(files).into_iter().map(one).collect()
}

/// The path without its ending, as one name that every system takes.
fn stem(name: &str) -> String {
    let stem = std::path::Path::new(name).with_extension("");
    let tame = |c: char| if c.is_alphanumeric() || "-_ ()".contains(c) { c } else { '-' };
    let stem: String = stem.to_string_lossy().chars().map(tame).take(60).collect();
    let stem = stem.trim_matches(['-', ' ']);
    if stem.is_empty() { "answers".to_owned() } else { stem.to_owned() }
}

fn of_report(report: &Report) -> String {
    let mut text = format!("# {}\n\n", report.title);
    if let Some(who) = &report.who {
        let _ = writeln!(text, "Answers of: {}\n", quoted(who));
    }
    let _ = writeln!(text, "{}\n", total(report));
    for remark in &report.remarks {
        let _ = writeln!(text, "Note: {}\n", quoted(remark));
    }
    report.tests.iter().for_each(|test| of_test(&mut text, test));
    text
}

fn of_test(text: &mut String, test: &Graded) {
    let points = super::super::mark::of_points(test.score, test.max);
    let _ = writeln!(text, "## {} ({points})\n", test.id);
    for line in told(test) {
        let _ = writeln!(text, "{}\n", quoted(&line));
    }
}

/// A text that is shown as it stands: nothing in it becomes a picture, a link or a heading.
fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for c in text.chars() {
        if c.is_ascii_punctuation() && "\\`*_{}[]<>#!|&".contains(c) {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}
