//! The presenter's notes in a terminal of their own: they follow the hall, and pass keys on to it.
//!
//! Where the lesson stands and what a key does there is the hall's business: this has the same lesson before
//! it, stands where the hall says, and does by itself only what the hall should not see.

use super::index::{Chosen, Index};
use super::notes_parts::Page;
use super::{Move, Talk, of_key};
use crate::ui::action;
use crate::ui::keymap::{Input, Key};
use crate::ui::panel::Look;
use crate::ui::present_link::{
    Aside, Followed, LOOK, NotSent, NotesLink, QUICK_LOOK, Shown, Wish, seconds,
};
use crate::ui::screen::help::Help;
use crate::ui::{Application, Flow};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::VecDeque;
use std::time::Duration;

#[cfg(test)]
mod tests;

/// Nobody wants more keys than these done by a hall that does not react.
const MOST_AHEAD: usize = 16;

/// What lies over the notes.
#[derive(Debug)]
enum Over {
    Nothing,
    List(Index),
    Help(Help),
}

/// The notes while they are open.
#[derive(Debug)]
pub struct SpeakerNotes {
    talk: Talk,
    link: NotesLink,
    look: Look,
    /// How the lesson is called on the command line.
    lesson: String,
    over: Over,
    /// Keys that came before the hall had done the one before them, oldest first.
    ahead: VecDeque<Key>,
    /// Why the last key did nothing.
    remark: Option<String>,
    /// The second that the last frame showed.
    second: u64,
}

impl SpeakerNotes {
    /// Notes that follow a presentation of the same lesson.
    #[must_use]
    pub fn new(talk: Talk, link: NotesLink, look: Look, lesson: String) -> Self {
        let (over, ahead, remark) = (Over::Nothing, VecDeque::new(), None);
        let mut notes = Self { talk, link, look, lesson, over, ahead, remark, second: 0 };
        notes.look();
        notes
    }

    /// The lesson, where the hall stands.
    #[must_use]
    pub fn talk(&self) -> &Talk {
        &self.talk
    }

    /// Looks where the hall stands. Returns whether anything is new.
    fn look(&mut self) -> bool {
        let looked = self.link.look();
        let place = self.followed().last.as_ref().filter(|_| self.is_same_edition());
        if let Some(place) = place.map(|last| last.place.clone()) {
            self.talk.stand_at(&place);
        }
        let changed = looked.unwrap_or_else(|error| {
            self.ahead.clear();
            self.remark = Some(self.words(&error));
            true
        });
        // What a key means is known again.
        while !self.link.waits()
            && let Some(key) = self.ahead.pop_front()
        {
            self.key(key);
        }
        changed
    }

    fn followed(&self) -> &Followed {
        self.link.followed()
    }

    /// Whether the hall has the same lesson as the notes, word by word.
    fn is_same_edition(&self) -> bool {
        let last = self.followed().last.as_ref();
        last.is_none_or(|last| last.edition == self.talk.edition())
    }

    fn words(&self, error: &NotSent) -> String {
        match error {
            NotSent::Gone => format!("{error}; start it: lockstep present {}", self.lesson),
            NotSent::Withdrawn | NotSent::System(_) => error.to_string(),
        }
    }

    fn key(&mut self, key: Key) -> Flow {
        self.remark = None;
        if self.link.waits() && of_key(key) != Some(Move::Quit) {
            if self.ahead.len() < MOST_AHEAD {
                self.ahead.push_back(key);
            } else {
                let text = "the presentation has not taken the keys before this one yet";
                self.remark = Some(text.to_owned());
            }
            return Flow::Changed;
        }
        match &mut self.over {
            Over::Help(help) => {
                if help.key(key) {
                    self.over = Over::Nothing;
                }
            }
            Over::List(index) => {
                let index = *index;
                self.list_key(index, key);
            }
            Over::Nothing => return self.own_key(key),
        }
        Flow::Changed
    }

    fn own_key(&mut self, key: Key) -> Flow {
        let counting = self.counts(key);
        match of_key(key) {
            Some(Move::Quit) => return Flow::Quit,
            Some(Move::Help) => self.over = Over::Help(Help::hall()),
            _ if counting => self.send(Wish::Key(key)),
            Some(Move::Index) => self.over = Over::List(Index::at(self.talk.step())),
            Some(Move::Explore) => self.remark = Some(self.aside(Aside::HallOnly)),
            Some(_) => self.send(Wish::Key(key)),
            None if matches!(key, Key::Char('0'..='9')) => {
                self.list_key(Index::at(self.talk.step()), key);
            }
            None => {
                let key = action::show(key);
                self.remark = Some(format!("{key} does nothing here; ? lists the keys"));
            }
        }
        Flow::Changed
    }

    /// Whether hands are counted in the hall, and this key counts them.
    fn counts(&self, key: Key) -> bool {
        let place = self.followed().last.as_ref().filter(|_| self.followed().live);
        let Some(Shown::Counting(marked)) = place.map(|last| last.place.shown) else {
            return false;
        };
        self.talk.poll(self.talk.step()).is_some_and(|poll| poll.is_counted_by(key, marked))
    }

    fn list_key(&mut self, mut index: Index, key: Key) {
        let steps = self.talk.lesson().steps().len();
        self.over = match index.key(key, steps) {
            Chosen::Stay => Over::List(index),
            Chosen::Close => Over::Nothing,
            Chosen::Go(number) if (1..=steps).contains(&number) => {
                self.send(Wish::Step(number));
                Over::Nothing
            }
            // The list says that there is no such step.
            Chosen::Go(_) => Over::List(index),
        };
    }

    fn send(&mut self, wish: Wish) {
        if let Err(error) = self.link.send(wish) {
            self.remark = Some(self.words(&error));
        }
    }

    fn aside(&self, aside: Aside) -> String {
        aside.words(self.talk.lesson().steps().len())
    }

    /// Draws the notes into a buffer; `now`: the time, in seconds since 1970.
    pub fn draw_into(&mut self, now: u64, area: Rect, buf: &mut Buffer) {
        if area.height < 2 || area.width < 20 {
            return;
        }
        match &mut self.over {
            Over::Help(help) => {
                help.draw(Some(self.talk.lab().state().info()), &self.look, area, buf);
            }
            Over::List(index) => index.draw(&self.talk, &self.look, area, buf),
            Over::Nothing => Page {
                talk: &self.talk,
                followed: self.link.followed(),
                same_edition: self.is_same_edition(),
                lesson: &self.lesson,
                remark: self.remark.as_deref(),
                look: &self.look,
            }
            .draw(now, area, buf),
        }
    }
}

impl Application for SpeakerNotes {
    fn input(&mut self, input: Input) -> Flow {
        match input {
            Input::Key(key) => self.key(key),
            Input::Background(background) => {
                self.look = Look { theme: self.look.theme.on(background), ..self.look };
                Flow::Changed
            }
            // The time goes on.
            Input::Tick if self.look() || seconds() != self.second => Flow::Changed,
            Input::Resize(..) => Flow::Changed,
            _ => Flow::Unchanged,
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        self.second = seconds();
        let area = frame.area();
        self.draw_into(self.second, area, frame.buffer_mut());
    }

    fn tick_every(&self) -> Option<Duration> {
        Some(if self.link.waits() { QUICK_LOOK } else { LOOK })
    }
}
