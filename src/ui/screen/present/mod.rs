//! The lecture hall: a lesson click by click, and nothing on the screen that the hall need not see.
//!
//! This file holds where the presentation stands and what each key does to it. It has no clock and no file:
//! `hall` joins it with the terminal and the notes.

mod beats;
mod draw;
mod hall;
mod index;
mod keys;
mod notes;
mod notes_parts;
mod poll;
mod told;
mod words;

#[cfg(test)]
mod tests;

pub use beats::{Asked, Asking, Beat, CannotPresent};
pub use hall::Hall;
pub use keys::{COUNTING_KEYS, INDEX_KEYS, KEYS, Move, NOTES_KEYS, of_key};
pub use notes::SpeakerNotes;
pub use poll::Poll;
pub use told::{Click, Now};

use crate::lab::Lab;
use crate::lesson::Lesson;
use crate::lesson::seen::digest;
use crate::sim::RevId;
use crate::ui::keymap::Key;
use crate::ui::present_link::{Aside, Place, Shown};
use beats::Script;
use index::{Chosen, Index};
use poll::{Counted, Counting};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A part that is shown on the whole screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Zoom {
    Words,
    SpaceTime,
    Nodes,
    /// What is on its way, and why nodes wait.
    Waits,
}

/// What lies over the lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Over {
    Nothing,
    Blank,
    Index(Index),
    Counting(Counting),
}

/// What a key of the presentation asks of whoever runs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Nothing; whether something changed.
    Stay(bool),
    /// Open the stepper on the cluster.
    Explore,
    /// Show the help.
    Help,
    /// Leave.
    Quit,
}

/// A presentation: its lesson, and where it stands.
#[derive(Debug)]
pub struct Talk {
    lesson: Arc<Lesson>,
    script: Script,
    at: usize,
    over: Over,
    zoom: Option<Zoom>,
    /// The polls, by step.
    polls: BTreeMap<usize, Poll>,
    /// The first line of the words that is shown, where they do not fit.
    read_to: usize,
    /// How far the last frame could be scrolled, and by how much at once.
    read_most: Cell<(usize, usize)>,
    /// Something for the presenter alone, until the next key.
    aside: Option<Aside>,
    /// Whether hands were to be counted where the answer is shown already.
    late: bool,
}

impl Talk {
    /// The presentation at its beginning.
    ///
    /// # Errors
    /// Why the lesson cannot be presented.
    pub fn new(lesson: Arc<Lesson>) -> Result<Self, CannotPresent> {
        let script = Script::of(&lesson)?;
        Ok(Self {
            lesson,
            script,
            at: 0,
            over: Over::Nothing,
            zoom: None,
            polls: BTreeMap::new(),
            read_to: 0,
            read_most: Cell::new((0, 0)),
            aside: None,
            late: false,
        })
    }

    /// The lesson.
    #[must_use]
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// Which edition of the lesson it is: another one for any other text.
    #[must_use]
    pub fn edition(&self) -> String {
        digest(self.lesson.document().source().text())
    }

    /// All that there is to show, click by click.
    #[must_use]
    pub fn beats(&self) -> &[Beat] {
        &self.script.beats
    }

    /// What is shown now.
    #[must_use]
    pub fn beat(&self) -> &Beat {
        &self.script.beats[self.at]
    }

    /// The number of this click, from 0.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// The step that is shown, from 0.
    #[must_use]
    pub fn step(&self) -> usize {
        self.beat().step
    }

    /// The question of a step.
    #[must_use]
    pub fn asking(&self, step: usize) -> Option<&Asking> {
        self.script.asking[step].as_ref()
    }

    /// The hands that were counted at a step.
    #[must_use]
    pub fn poll(&self, step: usize) -> Option<&Poll> {
        self.polls.get(&step)
    }

    /// The option at which hands are being counted.
    #[must_use]
    pub fn counting(&self) -> Option<usize> {
        match self.over {
            Over::Counting(counting) => Some(counting.marked),
            Over::Nothing | Over::Blank | Over::Index(_) => None,
        }
    }

    /// Whether the screen is dark.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.over == Over::Blank
    }

    /// The lesson's whole run, which goes on behind what was shown.
    pub(super) fn lab(&self) -> &Lab {
        &self.script.lab
    }

    /// Brings a lab to where the lesson stands, and knows nothing there of what comes.
    pub fn bring(&self, lab: &mut Lab) {
        let history = self.script.lab.history();
        lab.go_to(RevId::ROOT);
        for event in history.schedule(self.beat().rev).0 {
            lab.play(event).expect("the same cluster plays the same events");
        }
    }

    /// The first beat of a step.
    fn first_of(&self, step: usize) -> usize {
        self.script.beats.iter().position(|b| b.step == step).unwrap_or(self.script.beats.len() - 1)
    }

    /// The last beat of a step.
    fn last_of(&self, step: usize) -> usize {
        self.script.beats.iter().rposition(|b| b.step == step).unwrap_or(0)
    }

    /// Goes to a step's first beat; beyond the end, to the last beat of all.
    pub fn go_to_step(&mut self, step: usize) {
        let last = self.lesson.steps().len() - 1;
        self.jump_to(if step > last { self.script.beats.len() - 1 } else { self.first_of(step) });
    }

    fn go_to(&mut self, beat: usize) {
        self.at = beat.min(self.script.beats.len() - 1);
        self.read_to = 0;
        // What the next frame shows is not known yet.
        self.read_most.set((0, 0));
    }

    /// Goes somewhere else, where a part that was shown alone may hide what there is to see.
    fn jump_to(&mut self, beat: usize) {
        self.zoom = None;
        self.go_to(beat);
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Wish {
        self.aside = None;
        // Numbers that are typed then are hands, and lead to no step.
        if self.late && matches!(key, Key::Char('0'..='9')) {
            self.aside = Some(Aside::Answered);
            return Wish::Stay(true);
        }
        let was_late = std::mem::take(&mut self.late);
        match self.over {
            Over::Blank => {
                self.over = Over::Nothing;
                return Wish::Stay(true);
            }
            Over::Index(index) => return self.index_key(index, key),
            Over::Counting(counting) => {
                if let Some(wish) = self.counting_key(counting, key) {
                    return wish;
                }
            }
            Over::Nothing => {}
        }
        if let Key::Char('0'..='9') = key {
            return self.index_key(Index::at(self.step()), key);
        }
        match of_key(key) {
            Some(what) => match self.act(what) {
                Wish::Stay(changed) => Wish::Stay(changed || was_late),
                wish => wish,
            },
            None => Wish::Stay(was_late),
        }
    }

    /// Takes a key that was pressed in the notes, from where no list is opened before everybody's eyes.
    fn key_in_notes(&mut self, key: Key) -> Wish {
        let before = self.over;
        let wish = self.key(key);
        if matches!((before, self.over), (Over::Nothing, Over::Index(_))) {
            self.over = before;
            self.tell(Aside::HallOnly);
        }
        wish
    }

    fn act(&mut self, what: Move) -> Wish {
        let before = (self.at, self.over, self.zoom, self.read_to);
        match what {
            Move::Quit => return Wish::Quit,
            Move::Help => return Wish::Help,
            Move::Explore => return Wish::Explore,
            Move::Next => self.next(),
            Move::Back => self.back(),
            Move::NextStep => self.go_to_step(self.step() + 1),
            Move::PreviousStep => self.previous_step(),
            Move::RevealAll => self.jump_to(self.last_of(self.step())),
            Move::First => self.jump_to(0),
            Move::Last => self.jump_to(self.script.beats.len() - 1),
            Move::Poll => self.count_hands(),
            Move::Index => self.over = Over::Index(Index::at(self.step())),
            Move::Blank => self.over = Over::Blank,
            Move::Zoom => {
                self.read_to = 0;
                self.zoom = match self.zoom {
                    None => Some(Zoom::Words),
                    Some(Zoom::Words) => Some(Zoom::SpaceTime),
                    Some(Zoom::SpaceTime) => Some(Zoom::Nodes),
                    Some(Zoom::Nodes) => Some(Zoom::Waits),
                    Some(Zoom::Waits) => None,
                };
            }
            Move::Waits => {
                self.zoom = Some(Zoom::Waits).filter(|waits| self.zoom != Some(*waits));
            }
            Move::Close => self.zoom = None,
        }
        let after = (self.at, self.over, self.zoom, self.read_to);
        Wish::Stay(before != after || self.aside.is_some())
    }

    /// Tells the presenter something, until the next key.
    fn tell(&mut self, aside: Aside) {
        self.aside = Some(aside);
    }

    /// Whether the words go on below the screen.
    fn goes_on(&self) -> bool {
        self.read_to < self.read_most.get().0
    }

    /// Goes to the step with a number, from 1, whatever lies over the lesson; one that the lesson does not
    /// have is refused.
    fn go_to_number(&mut self, number: usize) {
        self.late = false;
        if (1..=self.lesson.steps().len()).contains(&number) {
            (self.over, self.aside) = (Over::Nothing, None);
            self.go_to_step(number - 1);
        } else {
            self.aside = Some(Aside::NoSuchStep(number));
        }
    }

    /// The next thing; words that did not fit are read to their end first.
    fn next(&mut self) {
        let (most, page) = self.read_most.get();
        if self.goes_on() {
            self.read_to = (self.read_to + page.max(1)).min(most);
        } else if self.at + 1 < self.script.beats.len() {
            let asked = self.beat().asked;
            self.go_to(self.at + 1);
            // A question, an option or an answer is there to be read.
            if self.beat().asked.is_some() && self.beat().asked != asked {
                self.zoom = self.zoom.filter(|zoom| *zoom == Zoom::Words);
            }
        } else {
            self.aside = Some(Aside::End);
        }
    }

    fn back(&mut self) {
        if self.read_to > 0 {
            self.read_to = 0;
        } else {
            self.go_to(self.at.saturating_sub(1));
        }
    }

    fn previous_step(&mut self) {
        let first = self.first_of(self.step());
        if self.at > first || first == 0 {
            self.jump_to(first);
        } else {
            self.go_to_step(self.step() - 1);
        }
    }

    /// Shows the whole question without its answer, and counts.
    fn count_hands(&mut self) {
        let step = self.step();
        let Some(asking) = self.script.asking[step].as_ref().filter(|a| a.counts_hands()) else {
            self.aside = Some(Aside::NoOptions);
            return;
        };
        let Some(asked) = self.beat().asked else {
            self.aside = Some(Aside::NotAsked);
            return;
        };
        if asked.answered {
            self.aside = Some(Aside::Answered);
            self.late = true;
            return;
        }
        let options = asking.picks.len();
        let all = |b: &Beat| b.step == step && b.asked.is_some_and(|a| a.picks == options);
        let beat = self.script.beats.iter().position(all).unwrap_or(self.at);
        self.go_to(beat);
        self.polls.entry(step).and_modify(Poll::again).or_insert_with(|| Poll::new(options));
        self.over = Over::Counting(Counting::at(0));
    }

    /// A key while hands are counted; `None`: it is one of the presentation's.
    fn counting_key(&mut self, mut counting: Counting, key: Key) -> Option<Wish> {
        let poll = self.polls.get_mut(&self.script.beats[self.at].step);
        let counted = poll.map_or(Counted::Done, |poll| counting.key(key, poll));
        match counted {
            Counted::Stay => self.over = Over::Counting(counting),
            Counted::Done => self.over = Over::Nothing,
            Counted::NotOurs => {
                self.over = Over::Nothing;
                // Esc and the way back do no more than put the counting away.
                let puts_away = matches!(of_key(key), Some(Move::Close | Move::Back));
                let step = self.step();
                if puts_away && self.polls.get_mut(&step).is_some_and(|p| !p.cancel_empty()) {
                    self.polls.remove(&step);
                }
                return puts_away.then_some(Wish::Stay(true));
            }
        }
        Some(Wish::Stay(true))
    }

    fn index_key(&mut self, mut index: Index, key: Key) -> Wish {
        match index.key(key, self.lesson.steps().len()) {
            Chosen::Stay => self.over = Over::Index(index),
            Chosen::Close => self.over = Over::Nothing,
            Chosen::Go(number) => {
                self.over = Over::Index(index);
                self.go_to_number(number);
            }
        }
        Wish::Stay(true)
    }

    /// Where the presentation stands, to be kept and to be followed by the notes.
    #[must_use]
    pub fn place(&self) -> Place {
        let id = |step: &usize| self.asking(*step).map(|asking| asking.id.clone());
        let polls = self.polls.iter();
        Place {
            step: self.step(),
            click: self.at - self.first_of(self.step()),
            ended: self.at + 1 == self.script.beats.len(),
            polls: polls.filter_map(|(step, p)| Some((id(step)?, p.rounds().to_vec()))).collect(),
            shown: match self.over {
                Over::Nothing => Shown::Lesson,
                Over::Blank => Shown::Dark,
                Over::Index(index) => Shown::List(index.chosen),
                Over::Counting(counting) => Shown::Counting(counting.marked),
            },
            goes_on: self.goes_on(),
            aside: self.aside,
        }
    }

    /// Goes on at a place that was kept.
    pub fn go_to_place(&mut self, place: &Place) {
        self.stand_at(place);
        self.aside = (self.at > 0).then_some(Aside::GoneOn);
    }

    /// Stands where a presentation does. Of what a file says, whatever does not fit the lesson is left out,
    /// and numbers beyond its end mean its end.
    pub fn stand_at(&mut self, place: &Place) {
        let step = place.step.min(self.lesson.steps().len() - 1);
        let beat = self.first_of(step).saturating_add(place.click);
        self.go_to(beat.min(self.last_of(step)));
        self.polls.clear();
        for (step, asking) in self.script.asking.iter().enumerate() {
            let Some(asking) = asking.as_ref().filter(|a| a.counts_hands()) else { continue };
            let kept = place.polls.get(&asking.id).cloned();
            if let Some(poll) = kept.and_then(|rounds| Poll::kept(rounds, asking.picks.len())) {
                self.polls.insert(step, poll);
            }
        }
        self.aside = place.aside;
        // How far the words can be read on is the hall's business.
        self.read_most.set((usize::from(place.goes_on), 1));
    }
}
