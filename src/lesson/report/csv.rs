//! Results as a table for a gradebook: one line a file, one column a question.
//!
//! It holds points and no answers. Names come from learners, so none may be taken for a formula.

use super::super::batch::HandedIn;
use super::super::grade::{Outcome, Report};
use super::super::mark::points;
use super::{named, one_line, whole};

/// The columns before those of the questions.
const HEAD: [&str; 7] = ["file", "who", "lesson", "status", "score", "max_score", "message"];
/// The longest cell.
const MOST_CHARS: usize = 300;

pub(super) fn write(files: &[HandedIn]) -> String {
    let ids = questions(files);
    let mut lines = vec![HEAD.iter().chain(&ids).map(|title| (*title).to_owned()).collect()];
    for (name, file) in named(files) {
        let cells = match &file.result {
            Ok(report) => of_report(report, &ids),
            Err(refusal) => {
                let max = refusal.points.to_string();
                let mut cells =
                    ["", "", "error", "0", &max, &refusal.message].map(str::to_owned).to_vec();
                cells.resize(HEAD.len() - 1 + ids.len(), String::new());
                cells
            }
        };
        lines.push([name].into_iter().chain(cells).map(|cell| unformula(&cell)).collect());
    }
    table(b',', &lines)
}

/// The ids of all questions, in the order in which they turn up.
fn questions(files: &[HandedIn]) -> Vec<&str> {
    let reports = files.iter().filter_map(|file| file.result.as_ref().ok());
    let mut ids: Vec<&str> = Vec::new();
    for test in reports.flat_map(|report| &report.tests) {
        if !ids.contains(&test.id.as_str()) {
            ids.push(&test.id);
        }
    }
    ids
}

/// The cells behind the file's name. What is marked by hand, or is no question of the lesson, stays empty.
fn of_report(report: &Report, ids: &[&str]) -> Vec<String> {
    let (score, max) = report.score();
    let who = report.who.clone().unwrap_or_default();
    let lesson = report.lesson.clone();
    let remarks = report.remarks.join("; ");
    let status = whole(report).to_owned();
    let of = |id: &&str| {
        let mut graded = report.tests.iter().filter(|test| test.outcome != Outcome::ByHand);
        graded.find(|test| test.id == **id).map_or(String::new(), |test| points(test.score))
    };
    let head = [who, lesson, status, points(score), points(max), remarks];
    head.into_iter().chain(ids.iter().map(of)).collect()
}

/// Lines as CSV; a cell with a mark or a line's end in it stands in quotes.
pub(super) fn table(delimiter: u8, lines: &[Vec<String>]) -> String {
    let mut writer = csv::WriterBuilder::new();
    let writer = writer.delimiter(delimiter).flexible(true);
    let mut writer = writer.from_writer(Vec::new());
    for line in lines {
        writer.write_record(line).expect("a line goes into memory");
    }
    let bytes = writer.into_inner().expect("all lines are in memory");
    String::from_utf8(bytes).expect("texts were written")
}

/// The mark between the cells of a table, and its lines.
pub(super) fn read_table(text: &str) -> Result<(u8, Vec<Vec<String>>), String> {
    let first = text.lines().next().unwrap_or_default();
    let count = |mark: char| first.matches(mark).count();
    let marks = [(',', b','), (';', b';'), ('\t', b'\t')];
    let delimiter = marks.into_iter().rev().max_by_key(|(mark, _)| count(*mark));
    let delimiter = delimiter.map_or(b',', |(_, byte)| byte);
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(delimiter).has_headers(false).flexible(true);
    let mut reader = reader.from_reader(text.as_bytes());
    let cells = |record: csv::Result<csv::StringRecord>| {
        record.map(|r| r.iter().map(str::to_owned).collect()).map_err(|e| e.to_string())
    };
    Ok((delimiter, reader.records().map(cells).collect::<Result<_, _>>()?))
}

/// A text on one line; a sign before it keeps what would begin a formula a text.
pub(super) fn unformula(text: &str) -> String {
    protected(&one_line(text, MOST_CHARS))
}

/// A text, with a sign before what would begin a formula.
pub(super) fn protected(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula { format!("'{text}") } else { text.to_owned() }
}
