//! A cluster under the hands of somebody who types: lines become commands of the session.
//!
//! What is said to them stands in `told`; what only reads the cluster, in `panels`.

use super::lines::Lines;
use super::panels;
use crate::lab::Lab;
use crate::lab::checking::Checking;
use crate::lesson::Learner;
use crate::session::words::{self, Said, Word};
use crate::session::{Command, Remark, Session};

/// A session, and what is remembered between two lines.
#[derive(Debug)]
pub(super) struct Play {
    pub(super) session: Session,
    /// `impossible` was written as the last line of the answer.
    pub(super) impossible: bool,
    /// The end of the lesson has been told.
    pub(super) told_end: bool,
    /// A run that is to be opened above this one.
    pub(super) loaded: Option<Box<Lab>>,
    /// The last search over every schedule.
    pub(super) checking: Option<Box<Checking>>,
}

/// What came of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Done {
    /// It was done.
    Fine,
    /// It was not; what stands behind it on the line is not done either.
    Refused,
    /// Open the run that was loaded.
    Loaded,
    /// Show the help.
    Help,
    /// Show the words.
    Words,
    /// Close the cluster and show Home.
    Home,
    /// Leave the program.
    Quit,
}

impl Play {
    pub(super) fn new(lab: Lab, learner: Option<Learner>) -> Self {
        let session = Session::new(lab, learner);
        Self { session, impossible: false, told_end: false, loaded: None, checking: None }
    }

    pub(super) fn lab(&self) -> &Lab {
        self.session.lab()
    }

    pub(super) fn learner(&self) -> Option<&Learner> {
        self.session.learner()
    }

    /// What is said when the cluster is opened.
    pub(super) fn greet(&mut self, lines: &mut Lines) {
        match self.learner() {
            Some(learner) => {
                let lesson = learner.lesson();
                lines.prose(&format!("Lesson: {}", lesson.title));
                lines.prose(&lesson.about);
                if let Some(source) = &lesson.source {
                    lines.prose(&format!("Source: {source}"));
                }
                if let Some(remark) = lesson.remark() {
                    lines.say(format!("Note: {remark}."));
                }
                lines.say("Enter goes on; `help` lists everything that can be typed.");
                lines.say(
                    "Where a page says Next, press Enter; the table is `state`, the picture is `log`, \
                     Why of P1 is `why P1`.",
                );
            }
            None => {
                let info = self.lab().state().info();
                lines.say(format!("Free play: {}. {}", info.title, info.idea));
                panels::variant(self.lab(), lines);
                let first = panels::suggestion(self.lab());
                lines.say(format!(
                    "{first}, a number delivers that message, Enter the oldest one; `help` lists \
                     everything that can be typed."
                ));
            }
        }
        lines.gap();
        panels::state(self.lab(), lines);
        if !self.lab().state().view().in_flight.is_empty() {
            panels::flight(self.lab(), self.session.kept(), lines);
        }
        if let Some(learner) = self.learner() {
            lines.gap();
            if learner.trail().len() > 1 {
                lines.say("You go on where you stopped.");
            }
            self.page(lines);
            self.tell_end(lines);
        }
    }

    /// Takes a line.
    pub(super) fn take(&mut self, line: &str, lines: &mut Lines) -> Done {
        if self.session.answer().is_some() {
            self.write(line, lines);
            return Done::Fine;
        }
        if self.is_answer(line) {
            self.answer_line(line, lines);
            return Done::Fine;
        }
        match words::read(line, &self.lab().setup().names) {
            Ok(all) => self.all(all, lines),
            Err(message) => {
                self.not_understood(line, &message, lines);
                Done::Refused
            }
        }
    }

    fn all(&mut self, all: Vec<Said>, lines: &mut Lines) -> Done {
        let more = all.len() > 1;
        for said in all {
            let done = self.one(said, lines);
            if done == Done::Refused && more {
                lines.say("What follows on the line was not done.");
            }
            if done != Done::Fine {
                return done;
            }
        }
        Done::Fine
    }

    fn one(&mut self, said: Said, lines: &mut Lines) -> Done {
        if !matches!(said, Said::Act(_)) {
            self.session.something_else();
        }
        match said {
            Said::Act(command) => return self.perform(command, lines),
            Said::Word(word) => return self.word(word, lines),
            Said::Why(node) => panels::why(self.lab(), node, lines),
            Said::Branch(number) => return self.go_to_branch(number, lines),
            Said::Answer(raw) => self.answer_command(&raw, lines),
            Said::Log(words) => panels::log(self.lab(), &words, lines),
            Said::Check(rest) => return self.check(&rest, lines),
            Said::Share(share) => return self.share(&share, lines),
        }
        Done::Fine
    }

    fn word(&mut self, word: Word, lines: &mut Lines) -> Done {
        match word {
            Word::Branches => self.branches(lines),
            Word::Help => return Done::Help,
            Word::Words => return Done::Words,
            Word::Home => return Done::Home,
            Word::Quit => return Done::Quit,
            word => {
                panels::read(word, self.lab(), self.session.kept(), lines);
                if matches!(word, Word::State | Word::All) {
                    self.where_in_lesson(lines);
                }
            }
        }
        Done::Fine
    }

    /// Does a command and says what there is to say.
    pub(super) fn perform(&mut self, command: Command, lines: &mut Lines) -> Done {
        let remarks = self.session.act(command.clone());
        for remark in &remarks {
            self.tell(&command, remark, lines);
        }
        if remarks.iter().any(Remark::halts) { Done::Refused } else { Done::Fine }
    }

    pub(super) fn refuse(lines: &mut Lines, text: impl AsRef<str>) -> Done {
        lines.say(text);
        Done::Refused
    }

    fn not_understood(&mut self, line: &str, message: &str, lines: &mut Lines) {
        if self.session.open_question().is_some() && !words::begins_with_word(line) {
            // It may still be an answer, in words that the question knows.
            return self.answer_line(line, lines);
        }
        lines.say(message);
        let numbers = match self.lab().state().view().in_flight.len() {
            0 => String::new(),
            1 => "1 delivers the message in flight, ".to_owned(),
            n => format!("1 to {n} deliver a message, "),
        };
        lines.say(format!(
            "What can be typed: Enter goes on, {numbers}{}; `state`, `why`, `moves` and more; \
             `help` lists everything.",
            panels::suggestion(self.lab())
        ));
    }
}
