//! The batch on which answers files are handed in: finds the lesson of each and grades it.
//!
//! One file that cannot be read never stops the others. A file names its lesson by id alone: the path
//! that a learner writes into it is never opened.

use super::answers::Answers;
use super::drill::Drill;
use super::grade::{Fault, Grader, Refusal, Report, Wanted};
use super::load::{BadLesson, Library};
use super::submitter::Submitter;
use super::{Lesson, NotOpened};
use crate::input::clean;
use std::io::Read;
use std::sync::Arc;

/// One file, graded or not.
#[derive(Clone, PartialEq, Debug)]
pub struct HandedIn {
    /// How results call the file.
    pub file: String,
    /// The result, or why there is none.
    pub result: Result<Report, Refusal>,
}

/// Takes files one after the other.
#[derive(Debug)]
pub struct GradingBatch {
    library: Library,
    /// The one lesson that all files have to be about, if that was said.
    only: Option<String>,
    opened: Vec<(String, Result<Grader, Refusal>)>,
    wanted: Wanted,
    /// Who has handed all of it in, where that is known.
    submitter: Option<Submitter>,
}

impl GradingBatch {
    /// A batch that takes answers to any lesson of a library.
    #[must_use]
    pub fn new(library: Library, wanted: Wanted) -> Self {
        Self { library, only: None, opened: Vec::new(), wanted, submitter: None }
    }

    /// A batch that takes answers to one lesson: its id, number, unique beginning, or file.
    #[must_use]
    pub fn for_lesson(library: Library, word: &str, wanted: Wanted) -> Self {
        let grader = match library.open(word) {
            _ if Drill::of_id(word).is_some() => drilled(word),
            Ok(lesson) => grader(lesson),
            Err(NotOpened::Bad(bad)) => Err(bad_lesson(&bad)),
            Err(none) => Err(Refusal::new(Fault::NoLesson, none.to_string())),
        };
        let opened = vec![(word.to_owned(), grader)];
        Self { library, only: Some(word.to_owned()), opened, wanted, submitter: None }
    }

    /// The same batch, of which it is known who has handed it in.
    #[must_use]
    pub fn handed_in_by(self, submitter: Submitter) -> Self {
        Self { submitter: Some(submitter), ..self }
    }

    /// Grades a file that the caller has opened, or could not open.
    pub fn take<R: Read>(&mut self, name: &str, opened: std::io::Result<R>) -> HandedIn {
        let result = self.graded(name, opened);
        let result = result.map_err(|refusal| Refusal { points: self.points(), ..refusal });
        HandedIn { file: clean(name).into_owned(), result }
    }

    fn graded<R: Read>(
        &mut self,
        name: &str,
        opened: std::io::Result<R>,
    ) -> Result<Report, Refusal> {
        if let Some(Err(refusal)) = self.only.as_ref().and_then(|word| self.known(word)) {
            return Err(refusal.clone());
        }
        let reader = opened.map_err(|error| {
            let message = match error.kind() {
                std::io::ErrorKind::NotFound => format!("{name}: there is no such file"),
                _ => format!("{name}: cannot be read: {error}"),
            };
            Refusal::new(Fault::Unreadable, clean(&message))
        })?;
        let answers = Answers::read(name, reader)
            .map_err(|problems| Refusal::new(Fault::Unreadable, problems.to_string()))?;
        let word = match &self.only {
            Some(word) => word.clone(),
            None => answers.lesson.as_deref().unwrap_or_default().trim().to_owned(),
        };
        if Drill::of_id(&word).is_some() && answers.seen.is_empty() && !answers.answers.is_empty() {
            return Err(Refusal::new(Fault::OtherLesson, UNSEEN_DRILL));
        }
        let wanted = self.wanted.clone();
        let submitter = self.submitter.clone();
        let grader = self.grader(&word)?;
        let report = match grader.lesson().draws {
            None => grader.grade(&answers, &wanted)?,
            Some(_) => drawn_again(grader.lesson(), &answers, submitter.as_ref())?
                .grade(&answers, &wanted)?,
        };
        Ok(match submitter {
            Some(submitter) => bound(report, &submitter),
            None => report,
        })
    }

    /// The points of the one lesson that all files are about.
    fn points(&self) -> u32 {
        let grader = self.only.as_ref().and_then(|word| self.known(word));
        grader.and_then(|g| g.as_ref().ok()).map_or(0, |grader| grader.points(&self.wanted))
    }

    fn known(&self, word: &str) -> Option<&Result<Grader, Refusal>> {
        self.opened.iter().find(|(w, _)| w == word).map(|(_, grader)| grader)
    }

    fn grader(&mut self, word: &str) -> Result<&Grader, Refusal> {
        if self.known(word).is_none() {
            let grader = self.open(word);
            self.opened.push((word.to_owned(), grader));
        }
        let grader = self.known(word).expect("it has just been opened");
        grader.as_ref().map_err(Clone::clone)
    }

    /// Opens the lesson that a file names.
    fn open(&self, id: &str) -> Result<Grader, Refusal> {
        if id.is_empty() {
            let message = "the file does not say to which lesson its answers belong: \
                           write `lesson: ID` into it, or name the lesson with --lesson";
            return Err(Refusal::new(Fault::NoLesson, message));
        }
        if Drill::of_id(id).is_some() {
            return drilled(id);
        }
        let Some(shelved) = self.library.shelved().iter().find(|s| s.id == id) else {
            let ids = self.library.shelved().iter().map(|s| s.id.as_str());
            let near = crate::input::nearest(id, ids);
            let near = near.map_or(String::new(), |c| format!("; did you mean `{c}`?"));
            let near = if near.is_empty() { ".".to_owned() } else { near };
            let id: String = id.chars().take(80).collect();
            let message = format!(
                "no lesson is called `{id}`{near} Answers to a lesson of your own are graded with \
                 --lesson FILE"
            );
            return Err(Refusal::new(Fault::NoLesson, message));
        };
        shelved.lesson().map_err(|bad| bad_lesson(&bad)).and_then(grader)
    }
}

/// The questions of a drill are made anew each time, and another version makes others under the same name.
const UNSEEN_DRILL: &str = "these are answers to a drill, and `seen:` is missing: another version of the program \
    may have asked other questions under this name. Fill in the file that `lockstep drill … --blank` writes";

fn grader(lesson: Arc<Lesson>) -> Result<Grader, Refusal> {
    if lesson.stripped {
        let message = "this is the learners' copy of the lesson, without keys: \
                       grade with the whole file, named with --lesson";
        return Err(Refusal::new(Fault::BadLesson, message));
    }
    Grader::new(lesson).map_err(|e| Refusal::new(Fault::BadLesson, e.to_string()))
}

/// The questions of a drill, made once more.
fn drilled(id: &str) -> Result<Grader, Refusal> {
    let none = || Refusal::new(Fault::NoLesson, format!("there is no drill `{id}`"));
    let lesson = Drill::of_id(id).and_then(|drill| drill.lesson().ok());
    grader(lesson.ok_or_else(none)?)
}

/// Results under the name of whoever has handed the answers in.
fn bound(mut report: Report, submitter: &Submitter) -> Report {
    let name = clean(&submitter.name()).into_owned();
    if let Some(other) = report.who.as_ref().filter(|who| !submitter.is(who)) {
        report.remarks.push(format!("`who:` names {other}; it was handed in by {name}"));
    }
    report.who = Some(name);
    report
}

/// The lesson as it was drawn for whoever answers.
fn drawn_again(
    lesson: &Lesson,
    answers: &Answers,
    submitter: Option<&Submitter>,
) -> Result<Grader, Refusal> {
    let who = answers.who.as_deref().unwrap_or_default();
    let lesson = lesson.for_who(who).map_err(|bad| bad_lesson(&bad))?;
    let drawn = lesson.drawn.clone().unwrap_or_default();
    if lesson.drawn.is_some() && answers.drawn.is_none() {
        let message = "the numbers of this lesson are drawn for a name, and `drawn:` is missing: it does \
                       not say to which numbers these are answers. Fill in the file that \
                       `lockstep --who NAME answers LESSON` writes";
        return Err(Refusal::new(Fault::OtherLesson, message));
    }
    if super::vary::folded(who).is_empty() {
        let message = "the numbers of this lesson are drawn for a name, and `who:` names nobody: hand in the \
                       file that was made for you";
        return Err(Refusal::new(Fault::NoName, message));
    }
    if let Some(given) = answers.drawn.as_deref().filter(|given| given.trim() != drawn) {
        let given: String = given.trim().chars().take(80).collect();
        let message = format!(
            "these answers are to numbers that were drawn for another name ({given}); for `{who}` they \
             are {drawn}: write the name under `who:` for which the answers file was made"
        );
        return Err(Refusal::new(Fault::OtherLesson, clean(&message)));
    }
    if let Some(submitter) = submitter.filter(|submitter| !submitter.is(who)) {
        let message = format!(
            "these answers are to numbers that were drawn for `{who}`, and were handed in by {}: hand in \
             the file that was made for you",
            submitter.name()
        );
        return Err(Refusal::new(Fault::OtherName, clean(&message)));
    }
    grader(lesson)
}

/// What is wrong with a lesson may quote its keys, so learners are only told that something is.
fn bad_lesson(bad: &BadLesson) -> Refusal {
    let message = "the lesson itself is at fault, not these answers: tell whoever gave it out";
    Refusal { detail: Some(bad.to_string()), ..Refusal::new(Fault::BadLesson, message) }
}
