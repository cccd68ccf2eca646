//! A cluster under the hands of somebody who types: moving through runs and saying what happened.
//!
//! Which event comes next and what it does is the lab's and the lesson's business.

use super::command::{self, Command, Verb, Word};
use super::lesson::Questioning;
use super::lines::Lines;
use super::panels;
use crate::lab::Lab;
use crate::lab::checking::Checking;
use crate::lesson::{Learner, Next};
use crate::model::{Event, MsgRef};
use crate::sim::scheduler::{Policy, SplitMix64};
use crate::sim::{KeptBack, RevId};

/// A cluster and, in a lesson, its learner.
#[derive(Debug)]
pub(super) struct Play {
    pub(super) lab: Lab,
    pub(super) learner: Option<Learner>,
    pub(super) asking: Questioning,
    pub(super) policy: Policy,
    pub(super) seed: Option<u64>,
    /// What the next step, `run` and `until` leave in flight.
    pub(super) kept: KeptBack,
    /// From where on is recorded, where somebody has said so.
    pub(super) mark: Option<RevId>,
    /// A run that is to be opened above this one.
    pub(super) loaded: Option<Box<Lab>>,
    /// The last search over every schedule.
    pub(super) checking: Option<Box<Checking>>,
}

/// What came of a command.
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
        let (asking, kept) = (Questioning::default(), KeptBack::default());
        let (policy, seed, mark) = (Policy::Oldest, None, None);
        let (loaded, checking) = (None, None);
        Self { lab, learner, asking, policy, seed, kept, mark, loaded, checking }
    }

    pub(super) fn use_seed(&mut self, seed: u64) {
        self.seed = Some(seed);
        self.policy = Policy::Seeded(SplitMix64::new(seed));
    }

    /// Whether the learner has left the lesson's run.
    pub(super) fn exploring(&self) -> bool {
        self.learner.as_ref().is_some_and(|l| l.exploring(&self.lab))
    }

    /// What is said when the cluster is opened.
    pub(super) fn greet(&mut self, lines: &mut Lines) {
        let info = self.lab.state().info();
        match &self.learner {
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
                lines.say(format!("Free play: {}. {}", info.title, info.idea));
                panels::variant(&self.lab, lines);
                let first = panels::suggestion(&self.lab);
                lines.say(format!(
                    "{first}, a number delivers that message, Enter the oldest one; `help` lists \
                     everything that can be typed."
                ));
            }
        }
        lines.gap();
        panels::state(&self.lab, lines);
        if !self.lab.state().view().in_flight.is_empty() {
            panels::flight(&self.lab, &self.kept, lines);
        }
        if let Some(learner) = &self.learner {
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
        if self.collect(line, lines) {
            return Done::Fine;
        }
        if self.is_answer(line) {
            self.answer_line(line, lines);
            return Done::Fine;
        }
        match command::read(line, &self.lab.setup().names) {
            Ok(commands) => self.all(commands, lines),
            Err(message) => {
                self.not_understood(line, &message, lines);
                Done::Refused
            }
        }
    }

    fn all(&mut self, commands: Vec<Command>, lines: &mut Lines) -> Done {
        let more = commands.len() > 1;
        for command in commands {
            if command != Command::Plain(Word::Solution) {
                self.asking.forget_solution();
            }
            let done = self.one(command, lines);
            if done == Done::Refused && more {
                lines.say("What follows on the line was not done.");
            }
            if done != Done::Fine {
                return done;
            }
        }
        Done::Fine
    }

    fn one(&mut self, command: Command, lines: &mut Lines) -> Done {
        match command {
            Command::Plain(word) => return self.word(word, lines),
            Command::Message(verb, number) => return self.message(verb, number, lines),
            Command::Event(event) => return self.play(event, lines),
            Command::Until(goal) => return self.run_until(&goal, lines),
            Command::Seed(seed) => {
                self.use_seed(seed);
                lines.say(format!("`run` and `until` draw from seed {seed} from now on."));
            }
            Command::GoTo(target) => return self.go_to_step(target, lines),
            Command::Why(node) => panels::why(&self.lab, node, lines),
            Command::Branch(number) => return self.go_to_branch(number, lines),
            Command::Answer(raw) => self.answer_command(&raw, lines),
            Command::Log(words) => panels::log(&self.lab, &words, lines),
            Command::Check(rest) => return self.check(&rest, lines),
            Command::Hold(number) => return self.hold(number, lines),
            Command::Share(share) => return self.share(&share, lines),
        }
        Done::Fine
    }

    fn word(&mut self, word: Word, lines: &mut Lines) -> Done {
        let lab = &self.lab;
        match word {
            Word::Next => return self.next(lines),
            Word::Back => return self.back(lines),
            Word::Run => return self.run(lines),
            Word::State | Word::All => {
                panels::read(word, lab, &self.kept, lines);
                self.where_in_lesson(lines);
            }
            Word::Flight | Word::Why | Word::Rules | Word::Lamps | Word::Moves => {
                panels::read(word, lab, &self.kept, lines);
            }
            Word::Branches => self.branches(lines),
            Word::Lesson => self.return_to_lesson(lines),
            Word::Hint => self.hint(lines),
            Word::Solution => self.solution(lines),
            Word::Help => return Done::Help,
            Word::Words => return Done::Words,
            Word::Home => return Done::Home,
            Word::Quit => return Done::Quit,
            Word::Deliver
            | Word::Ask
            | Word::Leave
            | Word::Until
            | Word::Seed
            | Word::GoTo
            | Word::Branch
            | Word::Answer
            | Word::Log
            | Word::Check
            | Word::Hold
            | Word::Copy
            | Word::Save
            | Word::Load
            | Word::Export
            | Word::Record => {
                unreachable!("these words are read with what follows them")
            }
        }
        Done::Fine
    }

    /// The step that led here, and what it changed.
    pub(super) fn tell_step(&self, lines: &mut Lines) {
        panels::sentence(&self.lab, self.lab.history().cursor(), lines);
        panels::changes(&self.lab, lines);
    }

    /// Where one stands, after a move along what was played.
    fn tell_place(&self, lines: &mut Lines) {
        lines.say(panels::place(&self.lab));
        panels::sentence(&self.lab, self.lab.history().cursor(), lines);
    }

    pub(super) fn refuse(lines: &mut Lines, text: impl AsRef<str>) -> Done {
        lines.say(text);
        Done::Refused
    }

    fn next(&mut self, lines: &mut Lines) -> Done {
        if self.learner.is_some() && !self.exploring() {
            return self.next_in_lesson(lines);
        }
        if self.goes_on_along_the_branch() && self.lab.history_mut().forward() {
            self.tell_step(lines);
            return Done::Fine;
        }
        match Policy::Oldest.choose_but(self.lab.state(), &self.kept) {
            Some(event @ Event::Deliver(_)) => self.play(event, lines),
            _ => Self::refuse(lines, self.quiet()),
        }
    }

    /// Whether this branch goes on with something that is not kept back.
    fn goes_on_along_the_branch(&self) -> bool {
        let history = self.lab.history();
        let next = history.next_visited(history.cursor()).and_then(|rev| history.record(rev));
        next.is_some_and(|record| !self.kept.leaves(history.state(), record.event))
    }

    /// Why nothing happens by itself, and what one could do.
    pub(super) fn quiet(&self) -> String {
        let flights = self.lab.state().view().in_flight;
        if flights.iter().any(|flight| self.kept.holds(flight)) {
            return "What is still in flight is kept back: `flight` lists it, its number delivers it, \
                    `hold` and its number lets it go."
                .to_owned();
        }
        panels::quiet(&self.lab)
    }

    fn next_in_lesson(&mut self, lines: &mut Lines) -> Done {
        let Some(learner) = &mut self.learner else { return Done::Refused };
        let page = learner.page().0;
        match learner.next(&mut self.lab) {
            Next::Played(_) => {
                let turned = self.learner.as_ref().is_some_and(|l| l.page().0 != page);
                if turned {
                    self.page_number(lines);
                }
                self.tell_step(lines);
                self.question(lines);
            }
            Next::Turned => self.turned(lines),
            Next::Returned => self.page(lines),
            Next::Blocked => return self.blocked(lines),
            Next::Finished => {
                return Self::refuse(
                    lines,
                    "The lesson is finished. Explore freely, `home` goes to the list, `quit` leaves.",
                );
            }
        }
        self.tell_end(lines);
        Done::Fine
    }

    fn back(&mut self, lines: &mut Lines) -> Done {
        if self.exploring() || self.learner.is_none() {
            if !self.lab.history_mut().back() {
                return Self::refuse(lines, "This is the beginning of the run.");
            }
            self.tell_place(lines);
            if self.learner.is_some() && !self.exploring() {
                lines.say("You stand at the lesson's point again.");
            }
            return Done::Fine;
        }
        let Some(learner) = &mut self.learner else { return Done::Refused };
        let page = learner.page().0;
        if !learner.back(&mut self.lab) {
            return Self::refuse(lines, "This is the beginning of the lesson.");
        }
        self.tell_place(lines);
        if self.learner.as_ref().is_some_and(|l| l.page().0 != page) {
            self.page(lines);
        }
        Done::Fine
    }

    /// Plays an event; where it cannot happen, says why.
    fn play(&mut self, event: Event, lines: &mut Lines) -> Done {
        let history = self.lab.history();
        let before = history.len();
        let forked = history.next_visited(history.cursor()).is_some();
        let was_exploring = self.exploring();
        match self.lab.play(event) {
            Ok(record) => self.kept.forget(record),
            Err(refused) => return Self::refuse(lines, format!("No: {}.", refused.reason)),
        }
        let page = self.learner.as_ref().map(Learner::page);
        let followed = match &mut self.learner {
            Some(learner) => learner.follow(&mut self.lab),
            None => false,
        };
        if followed && self.learner.as_ref().map(Learner::page) != page {
            self.page_number(lines);
        }
        self.tell_step(lines);
        if followed {
            self.question(lines);
            self.tell_end(lines);
        } else if self.exploring() && !was_exploring {
            lines.say("You are exploring now; `lesson` goes back to the lesson.");
        } else if forked && self.lab.history().len() > before && self.learner.is_none() {
            lines.say("This is a new branch; `branches` lists them all.");
        }
        if !followed {
            self.tell_goal(lines);
        }
        Done::Fine
    }

    fn message(&mut self, verb: Option<Verb>, number: usize, lines: &mut Lines) -> Done {
        let flights = self.lab.state().view().in_flight;
        let Some(flight) = number.checked_sub(1).and_then(|i| flights.get(i)) else {
            return Self::refuse(lines, panels::no_message(&self.lab, number));
        };
        let message = MsgRef::from(flight.id);
        let event = match verb {
            None | Some(Verb::Deliver) => Event::Deliver(message),
            Some(Verb::Drop) => Event::Drop(message),
            Some(Verb::Duplicate) => Event::Duplicate(message),
        };
        self.play(event, lines)
    }

    fn not_understood(&mut self, line: &str, message: &str, lines: &mut Lines) {
        if self.question_waits() && !command::begins_with_word(line) {
            // It may still be an answer, in words that the question knows.
            return self.answer_line(line, lines);
        }
        lines.say(message);
        let flights = self.lab.state().view().in_flight.len();
        let numbers = match flights {
            0 => String::new(),
            1 => "1 delivers the message in flight, ".to_owned(),
            n => format!("1 to {n} deliver a message, "),
        };
        lines.say(format!(
            "What can be typed: Enter goes on, {numbers}{}; `state`, `why`, `moves` and more; \
             `help` lists everything.",
            panels::suggestion(&self.lab)
        ));
    }
}
