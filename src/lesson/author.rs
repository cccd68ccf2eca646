//! For authors and for lists: lessons by name, and their findings.
//!
//! Everything comes out as data or as text; nothing is printed here.

use super::load::{self, BadLesson, LessonEntry, Library};
use super::question::{is_id, not_an_id};
use super::{Lesson, lint};
use crate::input::{Document, Path as Place, Problem, Source, parse_text};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// One line of the list of lessons.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Listed {
    /// Its number in the course.
    pub number: Option<u32>,
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub about: String,
    /// How many minutes it takes.
    pub minutes: Option<u32>,
    /// The algorithm that it runs on.
    pub algorithm: String,
    /// Ids of the lessons to do before.
    pub needs: Vec<String>,
    /// How many pages it has.
    pub pages: usize,
    /// How many questions it asks.
    pub questions: usize,
}

impl Listed {
    fn of(shelved: &LessonEntry, lesson: &Lesson) -> Self {
        Self {
            number: shelved.order,
            id: lesson.id.clone(),
            title: lesson.title.clone(),
            about: lesson.about.clone(),
            minutes: lesson.minutes,
            algorithm: lesson.config.algorithm.clone(),
            needs: lesson.needs.clone(),
            pages: lesson.steps().len(),
            questions: lesson.questions().count(),
        }
    }

    /// ` 9  ricart-agrawala-race  Ricart–Agrawala: the race (12 min, 7 questions)`.
    #[must_use]
    pub fn line(&self, id_columns: usize) -> String {
        let number = self.number.map_or(String::new(), |n| n.to_string());
        let minutes = self.minutes.map_or(String::new(), |m| format!("{m} min, "));
        let questions = crate::input::count(self.questions, "question");
        format!("{number:>2}  {:<id_columns$}  {} ({minutes}{questions})", self.id, self.title)
    }
}

/// Every lesson of a library, in order; one with faults as its faults.
#[must_use]
pub fn list(library: &Library) -> Vec<Result<Listed, BadLesson>> {
    let one = |shelved: &LessonEntry| shelved.lesson().map(|lesson| Listed::of(shelved, &lesson));
    library.shelved().iter().map(one).collect()
}

/// The list as text, one line a lesson, without an end of line at the end.
#[must_use]
pub fn list_text(listed: &[Result<Listed, BadLesson>]) -> String {
    let ids = listed.iter().filter_map(|l| l.as_ref().ok()).map(|l| l.id.len());
    let columns = ids.max().unwrap_or(0);
    let line = |one: &Result<Listed, BadLesson>| match one {
        Ok(listed) => listed.line(columns),
        Err(bad) => bad.problems.first().to_string(),
    };
    listed.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The lesson with which an author begins.
const TEMPLATE: &str = include_str!("../../assets/lesson.template.yaml");

/// A commented lesson to begin with, under an id.
///
/// # Errors
/// How an id looks.
pub fn template(id: &str) -> Result<String, String> {
    if !is_id(id) {
        return Err(not_an_id(id));
    }
    let title = id.replace('-', " ");
    let title = title[..1].to_uppercase() + &title[1..];
    // The comments after the keys stay where they are.
    let id = format!("{:<26}", format!("id: {id}"));
    let text = TEMPLATE.replacen("id: my-lesson             ", &id, 1);
    Ok(text.replacen("title: My lesson", &format!("title: {title}"), 1))
}

/// The file of a new lesson, and its id, from a name or a path: what has no ending gets one, and the
/// number in front is no part of the id.
#[must_use]
pub fn file_and_id(name: &str) -> (String, String) {
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml"));
    let path = stem.map_or_else(|| format!("{name}.yaml"), |_| name.to_owned());
    let stem = stem.unwrap_or(name);
    let stem = stem.rsplit(std::path::MAIN_SEPARATOR).next().unwrap_or(stem);
    let numbered = stem.split_once('-').filter(|(n, _)| n.bytes().all(|b| b.is_ascii_digit()));
    (path, numbered.map_or(stem, |(_, id)| id).to_owned())
}

/// What was found in one lesson file.
#[derive(Clone, Debug)]
pub struct Found {
    /// Everything that is wrong, or could be better. Empty: it is clean.
    pub problems: Vec<Problem>,
    /// The text, where there is one.
    pub source: Option<Source>,
}

impl Found {
    fn of(source: Result<Source, BadLesson>, known: Option<&[&str]>) -> Self {
        match source {
            Ok(source) => {
                let problems = lint::of_source(&source, known);
                Self { problems, source: Some(source) }
            }
            Err(bad) => Self { problems: bad.problems.into_vec(), source: None },
        }
    }

    /// Each problem with its line and a caret, `width` columns wide.
    #[must_use]
    pub fn drawn(&self, width: usize) -> Vec<String> {
        let one = |problem: &Problem| match &self.source {
            Some(source) => problem.render(source, width),
            None => problem.to_string(),
        };
        self.problems.iter().map(one).collect()
    }
}

/// Everything that is wrong with a lesson file, or could be better.
#[must_use]
pub fn lint_file(path: &Path) -> Found {
    let mut found = Found::of(load::source_of_file(path), None);
    let misnamed = found.source.as_ref().and_then(|source| load::misnamed_file(path, source));
    found.problems.extend(misnamed);
    found
}

/// The same for what the caller has opened; `name` is how messages call it.
#[must_use]
pub fn lint_reader(name: &str, from: impl Read) -> Found {
    Found::of(load::source_of_reader(name, from), None)
}

/// The same for every lesson of a library.
#[must_use]
pub fn lint_library(library: &Library) -> Vec<Found> {
    let known: Vec<&str> = library.shelved().iter().map(|s| s.id.as_str()).collect();
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    let one = |shelved: &LessonEntry| {
        let mut found = Found::of(shelved.source(), Some(&known));
        let document = found.source.as_ref().and_then(|source| parse_text(source).0);
        if let Some(document) = document {
            found.problems.extend(shelved.misnamed(&document));
            found.problems.extend(id_of_another(&document, &mut ids));
        }
        found
    };
    library.shelved().iter().map(one).collect()
}

/// Says of each file whose lesson has the id of one before it that it has. What was said already is not
/// said again.
pub fn tell_same_ids(all: &mut [Found]) {
    let mut ids = BTreeMap::new();
    for found in all {
        let document = found.source.as_ref().and_then(|source| parse_text(source).0);
        let same = document.and_then(|document| id_of_another(&document, &mut ids));
        let new = same.filter(|problem| !found.problems.contains(problem));
        found.problems.extend(new);
    }
}

/// Says that a lesson before has the same id: it would hide this one. `ids`: the files' names by id.
fn id_of_another(document: &Document, ids: &mut BTreeMap<String, String>) -> Option<Problem> {
    let path = Place::root().key("id");
    let id = document.text_at(&path)?;
    if let Some(other) = ids.get(id) {
        let message = format!("`{id}` is the id of {other} too; give each lesson its own");
        return Some(document.problem(path, message));
    }
    ids.insert(id.to_owned(), document.source().name().to_owned());
    None
}
