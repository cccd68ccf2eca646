//! The program as a dialogue of lines, for screen readers and for pipes.
//!
//! It drives the same lab and the same lessons as the screen. It never clears, moves a cursor or writes
//! an escape sequence, whatever it is connected to; it opens no file and knows no terminal.

mod answering;
mod check;
mod compare;
mod drill;
mod free_play;
mod home;
mod lesson;
mod lines;
mod panels;
mod play;
mod sharing;
mod told;
mod travel;

use super::glyphs::Glyphs;
use super::screen::help::WORDS;
use crate::catalog::ConfigError;
use crate::input::clean;
use crate::lab::Lab;
use crate::lesson::progress::{NotKept, Store};
use crate::lesson::{Learner, Lesson, Library};
use crate::session::Session;
use crate::session::words::COMMANDS;
use home::{Chosen, Home};
use lines::Lines;
use play::{Done, Play};
use std::io::{self, BufRead, Read as _, Write};
use std::sync::Arc;

/// Longer lines are not read.
const LONGEST_LINE: u64 = 64 << 10;
/// What stands before the place where one types, and before a line that is repeated.
const PROMPT: &str = "> ";

/// The dialogue: Home, and the cluster that is open.
#[derive(Debug)]
pub struct Dialogue {
    home: Home,
    open: Option<Box<Play>>,
    /// What was open when a run was loaded, and comes back when that is closed.
    below: Vec<Play>,
    glyphs: Glyphs,
}

/// What is said to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// Lines of text; each ends with a line end.
    pub text: String,
    /// Whether the dialogue is over.
    pub ends: bool,
}

/// How the dialogue shows what is typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Typing {
    /// Somebody types at a terminal, which shows it: only a prompt is written.
    Shown,
    /// The lines come from a pipe or a file: each is repeated, so that the output reads as a dialogue.
    Repeated,
}

impl Dialogue {
    /// The dialogue at Home.
    #[must_use]
    pub fn new(library: Library, glyphs: Glyphs) -> Self {
        Self { home: Home::new(library), open: None, below: Vec::new(), glyphs }
    }

    /// The same, with what a store keeps; and everything done from now on goes there.
    #[must_use]
    pub fn kept_in(mut self, store: Result<Store, NotKept>) -> Self {
        self.home.keep_in(store);
        self
    }

    /// Begins the next drill with a seed; `asked`: the choice of a drill is what one wants.
    pub fn use_drill_seed(&mut self, seed: u64, asked: bool) {
        self.home.drills.use_seed(seed, asked);
    }

    /// Opens a lesson where the learner stopped.
    ///
    /// # Errors
    /// Never for a checked lesson.
    pub fn resume(&mut self, lesson: Arc<Lesson>) -> Result<(), ConfigError> {
        let (learner, lab) = self.home.resume(lesson)?;
        self.open_lesson(learner, lab);
        Ok(())
    }

    /// Opens the lesson that was open last, if there is one.
    ///
    /// # Errors
    /// Never for a checked lesson.
    pub fn resume_last(&mut self) -> Result<(), ConfigError> {
        self.home.last().map_or(Ok(()), |lesson| self.resume(lesson))
    }

    /// Opens a lesson with a learner.
    pub fn open_lesson(&mut self, learner: Learner, lab: Lab) {
        self.home.note(&learner);
        self.open = Some(Box::new(Play::new(lab, Some(learner))));
    }

    /// Opens a cluster to step by hand.
    pub fn open_play(&mut self, lab: Lab, seed: Option<u64>) {
        let mut play = Play::new(lab, None);
        if let Some(seed) = seed {
            play.session.use_seed(seed);
        }
        self.open = Some(Box::new(play));
    }

    /// What the person does with what is open.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.open.as_ref().map(|play| &play.session)
    }

    /// The learner, in a lesson.
    #[must_use]
    pub fn learner(&self) -> Option<&Learner> {
        self.open.as_ref().and_then(|play| play.learner())
    }

    /// The cluster that is open.
    #[must_use]
    pub fn lab(&self) -> Option<&Lab> {
        self.open.as_ref().map(|play| play.lab())
    }

    /// What is said before anything was typed.
    pub fn greet(&mut self) -> String {
        let mut lines = Lines::default();
        self.home.warn(&mut lines);
        match &mut self.open {
            Some(play) => play.greet(&mut lines),
            None => {
                lines.say("Lockstep: distributed mutual exclusion, one message at a time.");
                self.home.list_after(self.home.drills.asked(), &mut lines);
            }
        }
        lines.finish(&self.glyphs)
    }

    /// Takes a line that was typed.
    pub fn take(&mut self, line: &str) -> Reply {
        let line = tame(line);
        let mut lines = Lines::default();
        let ends = match &mut self.open {
            Some(play) => match play.take(&line, &mut lines) {
                Done::Fine | Done::Refused => false,
                Done::Help => {
                    help(&mut lines);
                    false
                }
                Done::Words => {
                    words(play.lab(), &mut lines);
                    false
                }
                Done::Loaded => {
                    self.open_loaded(&mut lines);
                    false
                }
                Done::Home => {
                    let drilled = self.close();
                    match self.below.pop() {
                        Some(below) => self.back_to(below, &mut lines),
                        None => self.home.list_after(drilled, &mut lines),
                    }
                    false
                }
                Done::Quit => true,
            },
            None => self.at_home(&line, &mut lines),
        };
        if let Some(learner) = self.open.as_ref().and_then(|play| play.learner()) {
            self.home.note(learner);
        }
        if ends {
            self.farewell(&mut lines);
        }
        self.home.warn(&mut lines);
        Reply { text: lines.finish(&self.glyphs), ends }
    }

    /// What is said when the input ends.
    pub fn end_of_input(&mut self) -> String {
        let mut lines = Lines::default();
        lines.say("The input has ended.");
        self.farewell(&mut lines);
        lines.finish(&self.glyphs)
    }

    /// To be called when the dialogue breaks off: what is open is left. What the learner should know of
    /// it is given back.
    pub fn leave(&mut self) -> Option<String> {
        self.close_all();
        self.home.take_warning()
    }

    /// Opens a run that was loaded; what was open waits below it.
    fn open_loaded(&mut self, lines: &mut Lines) {
        let loaded = self.open.as_mut().and_then(|play| play.loaded.take());
        let Some(lab) = loaded else { return };
        self.below.extend(self.open.take().map(|play| *play));
        lines.say("`home` goes back to what was open before.");
        let play = self.open.insert(Box::new(Play::new(*lab, None)));
        play.greet(lines);
    }

    /// What was open before is open again.
    fn back_to(&mut self, below: Play, lines: &mut Lines) {
        lines.say("Back at what was open before.");
        let play = self.open.insert(Box::new(below));
        panels::state(play.lab(), lines);
        play.question(lines);
    }

    /// Closes what is open. Returns whether it was a drill.
    fn close(&mut self) -> bool {
        let Some(play) = self.open.take() else { return false };
        self.home.leave(play.session.lesson_lab(), play.learner());
        play.learner().is_some_and(|learner| learner.lesson().drill)
    }

    fn close_all(&mut self) {
        // What one stood in is left last: there one goes on.
        let top = self.open.take();
        for below in std::mem::take(&mut self.below) {
            self.open = Some(Box::new(below));
            self.close();
        }
        self.open = top;
        self.close();
    }

    /// Takes a line at Home. Says whether the dialogue is over.
    fn at_home(&mut self, line: &str, lines: &mut Lines) -> bool {
        match self.home.take(line, lines) {
            Chosen::Stay => return false,
            Chosen::Quit => return true,
            Chosen::Lesson(opened) => self.open_lesson(opened.0, opened.1),
            Chosen::Play(lab) => self.open_play(*lab, None),
        }
        if let Some(play) = &mut self.open {
            play.greet(lines);
        }
        false
    }

    fn farewell(&mut self, lines: &mut Lines) {
        let first = self.below.first().or(self.open.as_deref());
        let learner = first.and_then(|play| play.learner());
        if let Some(learner) = learner.filter(|l| !l.finished()) {
            let (page, of) = learner.page();
            let score = learner.score_in_words();
            let score = score.map_or(String::new(), |score| format!(", {score} so far"));
            lines.say(format!("The lesson is not finished: page {page} of {of}{score}."));
        }
        self.close_all();
        self.home.warn(lines);
        lines.say("Goodbye.");
    }
}

/// Everything that can be typed while a cluster is open.
fn help(lines: &mut Lines) {
    lines.say("What can be typed; the beginning of a word is enough, and `;` separates several:");
    for spec in COMMANDS {
        let short = match &spec.names[1..] {
            [] => String::new(),
            more => format!(" (or {})", more.join(" ")),
        };
        let takes = if spec.takes.is_empty() { String::new() } else { format!(" {}", spec.takes) };
        lines.item("  ", format!("{}{takes}{short}: {}", spec.names[0], spec.about));
    }
    let verbs = crate::model::event::VERBS.iter().map(|(verb, form)| format!("{verb} {form}"));
    lines.item("  ", format!("Any event: {}.", verbs.collect::<Vec<_>>().join(", ")));
    lines.say("While a question is open, a single letter or a number is an answer; commands need their words.");
}

/// The variables of the algorithm and the words of the field.
fn words(lab: &Lab, lines: &mut Lines) {
    let info = lab.state().info();
    lines.say(format!("{}, the variables of a node:", info.title));
    for field in info.fields {
        lines.item("  ", format!("{}: {}", field.name, field.about));
    }
    lines.say("Words:");
    for (word, about) in WORDS {
        lines.item("  ", format!("{word}: {about}"));
    }
}

/// A typed line without anything that a terminal could obey, and without outer spaces.
fn tame(line: &str) -> String {
    clean(line).replace(['\n', '\t'], " ").trim().to_owned()
}

/// Carries the dialogue on until it is over or the input ends. Everything that is said is written and
/// flushed before the next line is read.
///
/// # Errors
/// The input cannot be read or the output cannot be written.
pub fn run(
    dialogue: &mut Dialogue,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    typing: Typing,
) -> io::Result<()> {
    output.write_all(dialogue.greet().as_bytes())?;
    loop {
        if typing == Typing::Shown {
            output.write_all(PROMPT.as_bytes())?;
        }
        output.flush()?;
        let reply = match read_line(input)? {
            Line::Ended => {
                // The prompt stands on a line that nobody has ended.
                let gap = if typing == Typing::Shown { "\n" } else { "" };
                Reply { text: format!("{gap}{}", dialogue.end_of_input()), ends: true }
            }
            Line::TooLong => {
                let text = "This line is too long to be a command or an answer.\n".to_owned();
                Reply { text, ends: false }
            }
            Line::Read(line) => {
                if typing == Typing::Repeated {
                    writeln!(output, "{}", format!("{PROMPT}{}", tame(&line)).trim_end())?;
                }
                dialogue.take(&line)
            }
        };
        output.write_all(reply.text.as_bytes())?;
        output.flush()?;
        if reply.ends {
            return Ok(());
        }
    }
}

enum Line {
    Read(String),
    TooLong,
    Ended,
}

/// One line, whatever bytes it holds; the rest of one that is too long is passed over.
fn read_line(input: &mut dyn BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::Ended);
    }
    if bytes.last() == Some(&b'\n') || (bytes.len() as u64) < LONGEST_LINE {
        return Ok(Line::Read(String::from_utf8_lossy(&bytes).into_owned()));
    }
    while bytes.last() != Some(&b'\n') && !bytes.is_empty() {
        bytes.clear();
        input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    }
    Ok(Line::TooLong)
}
