//! The class table: how many answered each question rightly, left it blank, and what most of the others
//! answered.
//!
//! It counts; how the table is written is told by the formats.

use super::super::batch::HandedIn;
use super::super::grade::{Graded, Outcome};

/// One question of a lesson, over all files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) right: usize,
    pub(super) blank: usize,
    pub(super) skipped: usize,
    /// The most common wrong answer, and how often it was given.
    pub(super) common_wrong: Option<(String, usize)>,
}

/// One lesson, over all files that are about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table {
    pub(super) lesson: String,
    pub(super) files: usize,
    pub(super) rows: Vec<Row>,
}

/// A table for each lesson, in the order in which they turn up; none for a single file.
pub(super) fn tables(files: &[HandedIn]) -> Vec<Table> {
    if files.len() < 2 {
        return Vec::new();
    }
    let mut lessons: Vec<(&str, Vec<&[Graded]>)> = Vec::new();
    for report in files.iter().filter_map(|f| f.result.as_ref().ok()) {
        match lessons.iter_mut().find(|(id, _)| *id == report.lesson) {
            Some((_, all)) => all.push(&report.tests),
            None => lessons.push((&report.lesson, vec![&report.tests])),
        }
    }
    let table = |(lesson, all): (&str, Vec<&[Graded]>)| Table {
        lesson: lesson.to_owned(),
        files: all.len(),
        rows: (0..all[0].len()).map(|n| row(all.iter().map(|tests| &tests[n]))).collect(),
    };
    lessons.into_iter().map(table).collect()
}

fn row<'a>(tests: impl Iterator<Item = &'a Graded>) -> Row {
    let mut row = Row::default();
    let mut wrong: Vec<(&str, usize)> = Vec::new();
    for test in tests {
        row.id.clone_from(&test.id);
        match &test.outcome {
            Outcome::Right => row.right += 1,
            Outcome::Marked(_) if test.actual.is_none() => row.blank += 1,
            Outcome::Blank => row.blank += 1,
            Outcome::ByHand if test.actual.is_none() => row.blank += 1,
            Outcome::Skipped(_) => row.skipped += 1,
            Outcome::Wrong | Outcome::Form(_) => {
                let answer = test.actual.as_deref().unwrap_or_default();
                match wrong.iter_mut().find(|(known, _)| *known == answer) {
                    Some((_, n)) => *n += 1,
                    None => wrong.push((answer, 1)),
                }
            }
            // A solution that was looked at is no answer, nobody has judged what is marked by hand, and
            // what was not judged says nothing.
            Outcome::Shown
            | Outcome::ByHand
            | Outcome::Marked(_)
            | Outcome::Unread(_)
            | Outcome::Broken => {}
        }
    }
    // Of equally common ones the first that was handed in.
    let most = wrong.iter().map(|(_, n)| *n).max();
    let common = wrong.iter().find(|(_, n)| Some(*n) == most);
    row.common_wrong = common.map(|(answer, n)| ((*answer).to_owned(), *n));
    row
}
