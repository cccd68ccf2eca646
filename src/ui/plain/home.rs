//! Home in lines: the lessons and the algorithms, numbered, and how one is opened.
//!
//! Lessons are read by the library and clusters set up by the catalog.

use super::drill::Drills;
use super::free_play;
use super::lines::Lines;
use crate::catalog::{self, ConfigError, Entry};
use crate::lab::Lab;
use crate::lesson::progress::{NotKept, Store};
use crate::lesson::{Learner, Lesson, Library, NotOpened};
use crate::ui::course::{AGAIN, Course, Standing};
use std::sync::Arc;

/// The list.
#[derive(Debug)]
pub(super) struct Home {
    library: Library,
    course: Course,
    pub(super) drills: Drills,
}

/// What a line at Home came to.
#[derive(Debug)]
pub(super) enum Chosen {
    /// Something was said.
    Stay,
    /// Open this lesson.
    Lesson(Box<(Learner, Lab)>),
    /// Play in this lab.
    Play(Box<Lab>),
    /// Leave the program.
    Quit,
}

impl Home {
    pub(super) fn new(library: Library) -> Self {
        let course = Course::of(&library);
        Self { library, course, drills: Drills::default() }
    }

    /// Takes over what a store keeps, and keeps everything there from now on.
    pub(super) fn keep_in(&mut self, store: Result<Store, NotKept>) {
        self.course = std::mem::take(&mut self.course).kept_in(store);
    }

    /// The lesson that was open last, if it can still be opened.
    pub(super) fn last(&self) -> Option<Arc<Lesson>> {
        self.course.last().and_then(|last| self.library.open_kept(last))
    }

    /// Opens any lesson where the learner stopped.
    pub(super) fn resume(&mut self, lesson: Arc<Lesson>) -> Result<(Learner, Lab), ConfigError> {
        self.course.resume(lesson)
    }

    /// To be called after everything that a learner does.
    pub(super) fn note(&mut self, learner: &Learner) {
        if learner.lesson().drill {
            return;
        }
        // A line that was typed as a part of an answer is whole, and not lost however the program ends.
        self.course.note(learner, false);
    }

    /// To be called when a cluster is left, and with it the lesson if there is one.
    pub(super) fn leave(&mut self, lab: &Lab, learner: Option<&Learner>) {
        match learner {
            Some(learner) if learner.lesson().drill => return self.drills.count(learner),
            Some(_) | None => self.course.leave_lab(lab, learner),
        };
        if let Some(learner) = learner {
            self.course.leave(learner);
        }
    }

    /// What the learner should know of the progress and has not been told yet.
    pub(super) fn take_warning(&mut self) -> Option<String> {
        self.course.take_warning()
    }

    /// Tells it in the dialogue.
    pub(super) fn warn(&mut self, lines: &mut Lines) {
        if let Some(warning) = self.course.take_warning() {
            lines.say(format!("Warning: {warning}."));
        }
    }

    fn first_play(&self) -> usize {
        self.course.numbers().into_iter().max().map_or(1, |n| n + 1)
    }

    /// The list.
    pub(super) fn list(&self, lines: &mut Lines) {
        if !self.course.is_empty() {
            lines.say("Lessons:");
        }
        for (place, number) in self.course.numbers().into_iter().enumerate() {
            let standing = match self.course.standing(place) {
                Standing::New => "new",
                Standing::Started => "started",
                Standing::Done => "done",
                Standing::Shown => "done, with a solution shown",
            };
            lines.item(
                &format!("{number:>3}. "),
                format!("{}, {standing}", self.course.title(place)),
            );
        }
        let numbers = self.course.numbers();
        let next = self.course.to_go_on_with().filter(|place| *place > 0);
        if let Some((number, place)) = next.and_then(|place| Some((numbers.get(place)?, place))) {
            lines.say(format!("To go on: {number}, {}.", self.course.title(place)));
        }
        lines.say("Free play:");
        if let Some(left) = self.course.last_run() {
            lines.item("  ", format!("`continue` goes on with the run that you left last: {left}"));
        }
        for (number, entry) in (self.first_play()..).zip(catalog::all()) {
            lines.item(
                &format!("{number:>3}. "),
                format!("{}: play {}", entry.info.title, entry.info.slug),
            );
        }
        self.drills.offer(lines);
        lines.say("Check: open an algorithm, then `check` looks at every schedule.");
        lines.say("Compare: `compare 10` tells what entries cost, `compare lamport raymond` sets two algorithms on the same requests.");
        lines.say("Type a number, `about` and a number, `help` or `quit`.");
    }

    /// What is said on coming back: after a drill, how it stands and how to go on.
    pub(super) fn list_after(&self, drill: bool, lines: &mut Lines) {
        if drill {
            self.drills.list(lines);
        } else {
            self.list(lines);
        }
    }

    /// What can be typed here.
    pub(super) fn help(&self, lines: &mut Lines) {
        let first = self.course.numbers().first().copied().unwrap_or(self.first_play());
        let all = [
            (format!("{first}"), "open that lesson or algorithm of the list"),
            (format!("about {first}"), "what it is about"),
            (
                format!("again {first}"),
                "take that lesson once more; what was recorded stays as it is",
            ),
            (
                "lesson NAME".to_owned(),
                "open a lesson by its number, its id, its beginning, or a file",
            ),
            ("play lamport 5".to_owned(), &format!("free play: {}", free_play::TAKES)),
            ("continue".to_owned(), "the run of free play that you left last, with its branches"),
            (
                "drill lamport".to_owned(),
                "predictions on a random run; a number behind it is its seed",
            ),
            (
                "compare 10".to_owned(),
                "what an entry costs with so many nodes, measured beside the formulas",
            ),
            (
                "compare lamport raymond 4".to_owned(),
                "two algorithms on the same requests, with so many nodes",
            ),
            ("list".to_owned(), "the list again; Enter alone does too"),
            ("quit".to_owned(), "leave the program; so does the end of the input"),
        ];
        for (typed, about) in all {
            lines.item("  ", format!("{typed}: {about}"));
        }
    }

    /// Takes a line.
    pub(super) fn take(&mut self, line: &str, lines: &mut Lines) -> Chosen {
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (first.to_lowercase().as_str(), rest) {
            ("" | "list" | "home" | "next" | "n", "") => self.list(lines),
            ("help" | "h" | "?", "") => self.help(lines),
            ("quit" | "q" | "exit", "") => return Chosen::Quit,
            ("about", _) => self.about(rest, lines),
            ("again", _) => match self.number(rest).and_then(|number| self.lesson_at(number)) {
                Some(place) => return self.open_again(place, lines),
                None => lines.say("Which lesson once more? Write `again` and its number."),
            },
            ("lesson" | "learn", _) if !rest.is_empty() => return self.open_lesson(rest, lines),
            ("play", "") => return settings("", lines),
            ("play", _) => return play(rest, lines),
            ("continue", "") => match self.course.continue_run() {
                Ok(lab) => return Chosen::Play(Box::new(lab)),
                Err(why) => lines.say(format!("No: {why}.")),
            },
            ("drill", _) => {
                if let Some(opened) = self.drills.begin(rest, lines) {
                    return Chosen::Lesson(Box::new(opened));
                }
            }
            ("compare", _) => super::compare::take(rest, lines),
            (word, "") if self.number(word).is_some() => {
                return self.open_number(self.number(word).unwrap_or(0), lines);
            }
            _ => return self.open_name(line, lines),
        }
        Chosen::Stay
    }

    fn number(&self, word: &str) -> Option<usize> {
        let word = word.trim_end_matches('.');
        let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| word.parse().unwrap_or(usize::MAX))
    }

    fn lesson_at(&self, number: usize) -> Option<usize> {
        self.course.numbers().iter().position(|n| *n == number)
    }

    fn entry_at(&self, number: usize) -> Option<&'static Entry> {
        number.checked_sub(self.first_play()).and_then(|i| catalog::all().get(i))
    }

    fn open_number(&mut self, number: usize, lines: &mut Lines) -> Chosen {
        if let Some(place) = self.lesson_at(number) {
            return self.open_place(place, lines);
        }
        match self.entry_at(number) {
            Some(entry) => play(entry.info.slug, lines),
            None => {
                lines.say(format!("There is no {number} in the list; `list` shows it."));
                Chosen::Stay
            }
        }
    }

    fn open_place(&mut self, place: usize, lines: &mut Lines) -> Chosen {
        match self.course.open(place) {
            Ok(opened) => Chosen::Lesson(Box::new(opened)),
            Err(error) => {
                lines.say(error.to_string());
                Chosen::Stay
            }
        }
    }

    fn open_again(&mut self, place: usize, lines: &mut Lines) -> Chosen {
        match self.course.open_again(place) {
            Ok(opened) => {
                lines.say(AGAIN);
                Chosen::Lesson(Box::new(opened))
            }
            Err(error) => {
                lines.say(error.to_string());
                Chosen::Stay
            }
        }
    }

    fn open_lesson(&mut self, word: &str, lines: &mut Lines) -> Chosen {
        let lesson = match self.library.open(word) {
            Ok(lesson) => lesson,
            Err(error) => {
                lines.say(match error {
                    NotOpened::Bad(bad) => bad.problems.to_string(),
                    none => format!("No: {none}."),
                });
                return Chosen::Stay;
            }
        };
        let same = |s: &crate::lesson::load::LessonEntry| {
            s.lesson().is_ok_and(|known| known.id == lesson.id)
        };
        match self.library.shelved().iter().position(same) {
            Some(place) => self.open_place(place, lines),
            None => match self.course.resume(lesson) {
                Ok(opened) => Chosen::Lesson(Box::new(opened)),
                Err(error) => {
                    lines.say(error.to_string());
                    Chosen::Stay
                }
            },
        }
    }

    /// A line that is no command may be the name of something.
    fn open_name(&mut self, line: &str, lines: &mut Lines) -> Chosen {
        let first = line.split_whitespace().next().unwrap_or_default();
        if catalog::find(first).is_ok() {
            return play(line, lines);
        }
        if self.library.open(line).is_ok() {
            return self.open_lesson(line, lines);
        }
        lines.say(format!("Nothing is called `{line}` here. What can be typed:"));
        self.help(lines);
        Chosen::Stay
    }

    fn about(&self, rest: &str, lines: &mut Lines) {
        let number = self.number(rest).unwrap_or(0);
        if let Some(place) = self.lesson_at(number) {
            lines.prose(&self.course.title(place));
            lines.prose(&self.course.about(place));
        } else if let Some(entry) = self.entry_at(number) {
            about_algorithm(entry, lines);
        } else {
            lines.say("About what? Write `about` and a number of the list.");
        }
    }
}

fn about_algorithm(entry: &Entry, lines: &mut Lines) {
    let info = entry.info;
    lines.say(format!("{}. {}", info.title, info.idea));
    lines.say(info.paper);
    for variant in info.variants {
        lines.item("  ", format!("variant {}: {}", variant.slug, variant.about));
    }
}

/// Free play with a cluster that words set up.
fn play(words: &str, lines: &mut Lines) -> Chosen {
    if let Some(slug) = words.strip_suffix('?') {
        return settings(slug.trim(), lines);
    }
    match free_play::lab(words) {
        Ok(lab) => Chosen::Play(Box::new(lab)),
        Err(message) => {
            lines.say(format!("No: {message}."));
            Chosen::Stay
        }
    }
}

/// Tells the settings that an algorithm has; without a name all that there are.
fn settings(slug: &str, lines: &mut Lines) -> Chosen {
    match Some(slug).filter(|slug| !slug.is_empty()).map(catalog::find).transpose() {
        Ok(entry) => free_play::tell(entry.as_ref(), lines),
        Err(error) => lines.say(format!("No: {error}.")),
    }
    Chosen::Stay
}
