//! Own words that a person marks: written as CSV, one line an answer, and read back with the points.

use super::super::batch::HandedIn;
use super::super::grade::{Graded, Outcome};
use super::super::mark::points;
use super::csv::{protected, read_table, table, unformula};
use super::named;
use std::collections::BTreeMap;

/// The columns. Only those of the points and of the remark are filled in by hand.
const HEAD: [&str; 7] = ["file", "who", "question", "answer", "points", "max_points", "remark"];
/// Without these columns no mark can be read.
const NEEDED: [&str; 3] = ["file", "question", "points"];

/// Every answer that a person has to mark, whole.
#[must_use]
pub fn to_mark(files: &[HandedIn]) -> String {
    let mut lines = vec![HEAD.map(str::to_owned).to_vec()];
    for (name, file) in named(files) {
        let Ok(report) = &file.result else { continue };
        let who = report.who.as_deref().unwrap_or_default();
        for test in report.tests.iter().filter(|test| test.outcome == Outcome::ByHand) {
            let Some(answer) = &test.actual else { continue };
            let max = points(test.by_hand);
            let cells = [unformula(&name), unformula(who), test.id.clone(), protected(answer)];
            lines.push(cells.into_iter().chain([String::new(), max, String::new()]).collect());
        }
    }
    table(b',', &lines)
}

/// What a person gave for one answer.
#[derive(Clone, PartialEq, Debug)]
struct ByHand {
    /// `None`: not marked yet.
    points: Option<f64>,
    max: f64,
    remark: String,
}

/// The marks of a class, as they were filled in.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Marks {
    /// By file and question.
    given: BTreeMap<(String, String), ByHand>,
    /// The most that a question gives.
    most: BTreeMap<String, f64>,
}

impl Marks {
    /// Reads the lines that `to_mark` wrote, filled in.
    ///
    /// # Errors
    /// It is no such table, or a mark in it is none, with its line.
    pub fn read(text: &str) -> Result<Self, String> {
        let (_, lines) = read_table(text)?;
        let head = lines.first().ok_or("the table is empty")?;
        let column = |name: &str| head.iter().position(|title| title.trim() == name);
        if let Some(none) = NEEDED.iter().find(|name| column(name).is_none()) {
            return Err(format!("no column is called `{none}`; there are {}", head.join(", ")));
        }
        let mut marks = Self::default();
        for (n, line) in lines.iter().enumerate().skip(1) {
            let cell = |name| column(name).and_then(|n| line.get(n)).map_or("", |c| c.trim());
            let number = |name| {
                number(cell(name)).map_err(|why| format!("entry {n}, column `{name}`: {why}"))
            };
            let (points, max) = (number("points")?, number("max_points")?.unwrap_or(0.0));
            if let Some(points) = points.filter(|points| max > 0.0 && *points > max) {
                return Err(format!(
                    "entry {n}: {points} is more than `max_points`, which is {max}"
                ));
            }
            let question = cell("question").to_owned();
            let most = marks.most.entry(question.clone()).or_insert(max);
            *most = most.max(max);
            let remark = cell("remark").to_owned();
            let key = (cell("file").to_owned(), question);
            if marks.given.insert(key, ByHand { points, max, remark }).is_some() {
                let (file, question) = (cell("file"), cell("question"));
                return Err(format!("entry {n}: {file} has a mark for `{question}` already"));
            }
        }
        Ok(marks)
    }

    /// Puts the marks into the results. Returns what there is to say: what is not marked yet, and what is
    /// marked and is not there.
    pub fn apply(&self, files: &mut [HandedIn]) -> Vec<String> {
        let names: Vec<String> = named(files).into_iter().map(|(name, _)| name).collect();
        let mut left = self.given.clone();
        let mut notes = Vec::new();
        for (name, file) in names.iter().zip(files) {
            let Ok(report) = &mut file.result else { continue };
            for test in report.tests.iter_mut().filter(|test| test.outcome == Outcome::ByHand) {
                let given = left.remove(&(unformula(name), test.id.clone()));
                let blank = test.actual.is_none();
                match (given, self.most.get(&test.id)) {
                    (Some(ByHand { points: Some(points), max, remark }), _) => {
                        marked(test, points, max, &remark);
                    }
                    (None, Some(max)) if blank => marked(test, 0.0, *max, ""),
                    (Some(_), _) | (None, Some(_)) => {
                        notes.push(format!("{name}: `{}` is not marked yet", test.id));
                    }
                    (None, None) => {}
                }
            }
        }
        let lost = left.iter().filter(|(_, mark)| mark.points.is_some());
        notes.extend(lost.map(|((file, question), _)| {
            format!("the mark for `{question}` in {file} belongs to no answer")
        }));
        notes
    }
}

fn marked(test: &mut Graded, points: f64, max: f64, remark: &str) {
    test.outcome = Outcome::Marked(points >= max);
    (test.score, test.max) = (points, max);
    if !remark.is_empty() {
        test.feedback.push(remark.to_owned());
    }
}

/// A number of points, with a point or a comma; nothing is none.
fn number(cell: &str) -> Result<Option<f64>, String> {
    if cell.is_empty() {
        return Ok(None);
    }
    let number = cell.replace(',', ".").parse().ok();
    let number = number.filter(|n: &f64| n.is_finite() && *n >= 0.0);
    number.map(Some).ok_or_else(|| format!("`{cell}` is no number of points"))
}
