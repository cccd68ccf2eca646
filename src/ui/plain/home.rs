//! Home in lines: the lessons and the algorithms, numbered, and how one is opened.
//!
//! Lessons are read by the library and clusters set up by the catalog.

use super::drill::Drills;
use super::lines::Lines;
use crate::catalog::{self, ConfigError, Entry};
use crate::lab::Lab;
use crate::lesson::progress::{NotKept, Store};
use crate::lesson::{Learner, Lesson, Library, NotOpened};
use crate::model::node::MAX_CLIENTS;
use crate::model::{ChannelOrder, Config, Names};
use crate::ui::course::{Course, Standing};
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

    /// The number of each lesson: its own where every lesson has one, else its place.
    fn numbers(&self) -> Vec<usize> {
        let own = |s: &crate::lesson::load::Shelved| s.order.map(|n| n as usize);
        let orders: Option<Vec<usize>> = self.library.shelved().iter().map(own).collect();
        orders
            .filter(|all| all.windows(2).all(|w| w[0] < w[1]) && all.first() != Some(&0))
            .unwrap_or_else(|| (1..=self.course.len()).collect())
    }

    fn first_play(&self) -> usize {
        self.numbers().last().map_or(1, |n| n + 1)
    }

    /// The list.
    pub(super) fn list(&self, lines: &mut Lines) {
        if !self.course.is_empty() {
            lines.say("Lessons:");
        }
        for (place, number) in self.numbers().into_iter().enumerate() {
            let standing = match self.course.standing(place) {
                Standing::New => "new",
                Standing::Started => "started",
                Standing::Done => "done",
                Standing::Shown => "done, with a solution shown",
            };
            lines.item(&format!("{number:>3}. "), format!("{}, {standing}", self.title(place)));
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

    /// A lesson's line without the number in front.
    fn title(&self, place: usize) -> String {
        let line = self.course.line(place);
        let order = self.library.shelved()[place].order.map(|n| n.to_string());
        let rest = order.and_then(|n| line.trim_start().strip_prefix(&n).map(str::to_owned));
        rest.unwrap_or(line).trim().to_owned()
    }

    /// What can be typed here.
    pub(super) fn help(&self, lines: &mut Lines) {
        let first = self.numbers().first().copied().unwrap_or(self.first_play());
        let all = [
            (format!("{first}"), "open that lesson or algorithm of the list"),
            (format!("about {first}"), "what it is about"),
            (
                "lesson NAME".to_owned(),
                "open a lesson by its number, its id, its beginning, or a file",
            ),
            (
                "play lamport 5".to_owned(),
                "free play: an algorithm, then in any order a number of nodes, a variant, fifo or \
                 any-order, first clocks like 4,2",
            ),
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
            ("lesson" | "learn", _) if !rest.is_empty() => return self.open_lesson(rest, lines),
            ("play", _) if !rest.is_empty() => return play(rest, lines),
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
        self.numbers().iter().position(|n| *n == number)
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
        let same =
            |s: &crate::lesson::load::Shelved| s.lesson().is_ok_and(|known| known.id == lesson.id);
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
            lines.prose(&self.title(place));
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

/// `lamport 5 no-fifo any-order`: free play, set up by words in any order after the algorithm's name.
fn play(words: &str, lines: &mut Lines) -> Chosen {
    match config(words).and_then(|config| Lab::new(config).map_err(|e| e.message)) {
        Ok(lab) => Chosen::Play(Box::new(lab)),
        Err(message) => {
            lines.say(format!("No: {message}."));
            Chosen::Stay
        }
    }
}

fn config(words: &str) -> Result<Config, String> {
    let mut words = words.split_whitespace();
    let entry = catalog::find(words.next().unwrap_or_default()).map_err(|e| e.message)?;
    let mut config = Config::new(entry.info.slug, 0);
    let mut nodes = None;
    for word in words {
        match word {
            // The names of the command line's options may stand before their values.
            option if option.starts_with('-') => {}
            "fifo" => config.channels = Some(ChannelOrder::Fifo),
            "any-order" => config.channels = Some(ChannelOrder::AnyOrder),
            number if number.bytes().all(|b| b.is_ascii_digit()) => {
                let count = number.parse().ok().filter(|n| (1..=MAX_CLIENTS).contains(n));
                nodes = Some(count.ok_or_else(|| {
                    format!("a cluster has 1 to {MAX_CLIENTS} nodes, not {number}")
                })?);
            }
            clocks if clocks.contains(',') => {
                let one = |c: &str| c.parse().map_err(|_| format!("`{c}` is no clock value"));
                config.clocks = clocks.split(',').map(one).collect::<Result<_, _>>()?;
            }
            variant => config.variant = Some(variant.to_owned()),
        }
    }
    let variant = config.variant.as_deref().and_then(|v| entry.info.variant(v));
    let least = catalog::least_nodes(variant).max(config.clocks.len());
    let nodes = Names::numbered(nodes.unwrap_or(least));
    let usual = catalog::cluster(entry.info, variant, nodes);
    Ok(Config { nodes: usual.nodes, quorums: usual.quorums, ..config })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_play_is_set_up_by_words_in_any_order() {
        let read = |words: &str| config(words).expect("every word is known");
        let five = read("lamport 5 any-order");
        assert_eq!((five.nodes.len(), five.channels), (5, Some(ChannelOrder::AnyOrder)));
        assert_eq!(read("lamport --channels any-order -n 5"), five);
        let tie = read("ricart-agrawala tie-replies 4,2");
        assert_eq!((tie.nodes.len(), tie.variant.as_deref()), (2, Some("tie-replies")));
        assert_eq!(tie.clocks, [4, 2]);
        assert_eq!(
            config("lampert").expect_err("no such algorithm"),
            "no algorithm is called `lampert`; did you mean `lamport`?"
        );
    }

    #[test]
    fn a_cluster_that_cannot_be_says_why() {
        let mut lines = Lines::default();
        assert!(matches!(play("lamport 99", &mut lines), Chosen::Stay));
        let text = lines.finish(&crate::ui::glyphs::Glyphs::UNICODE);
        assert!(text.starts_with("No: "), "{text}");
    }
}
