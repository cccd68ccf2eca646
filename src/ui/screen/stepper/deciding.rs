//! Being one node: for each message that it gets, the learner says what it does, and sees it.
//!
//! The run is the question's; here it is played up to the next decision.

use super::Stepper;
use super::answer::{Canvas, word_lines};
use super::away::Away;
use super::page::{Line, signed};
use crate::lesson::question::Decision;
use crate::model::Event;
use crate::sim::RevId;
use crate::ui::keymap::Key;
use crate::ui::theme::Role;

/// The decisions of one node.
#[derive(Debug)]
pub(super) struct Decide {
    words: Vec<String>,
    left: Vec<Decision>,
    all: usize,
    said: Vec<String>,
    /// Where the run of the node stands.
    at: RevId,
    /// The word that is chosen.
    chosen: usize,
    /// What came of the last decision.
    seen: Option<String>,
}

impl Decide {
    pub(super) fn of(words: Vec<String>) -> Self {
        Self {
            words,
            left: Vec::new(),
            all: 0,
            said: Vec::new(),
            at: RevId::ROOT,
            chosen: 0,
            seen: None,
        }
    }

    /// The decisions taken so far.
    pub(super) fn answer(&self) -> String {
        self.said.join(", ")
    }

    pub(super) fn lines(&self, canvas: Canvas<'_>) -> Vec<Line> {
        let Some(next) = self.left.first() else { return Vec::new() };
        let n = self.all - self.left.len() + 1;
        let text = |text: &str| canvas.look.text(text).into_owned();
        let mut lines = Vec::new();
        if let Some(seen) = &self.seen {
            lines.extend(signed(" ", &text(seen), canvas.columns, Role::Text, Role::Text));
        }
        let asks = format!("Message {n} of {}: {}. You …", self.all, next.text);
        lines.extend(signed(" ", &text(&asks), canvas.columns, Role::Key, Role::Accent));
        lines.extend(word_lines(&self.words, Some(self.chosen), canvas));
        lines
    }
}

impl Stepper {
    fn deciding(&mut self) -> Option<&mut Decide> {
        match self.asking.as_mut()?.away.as_mut()? {
            Away::Decide(decide) => Some(decide),
            Away::Play(_) => None,
        }
    }

    /// Goes to the first message about which nothing was said yet.
    pub(super) fn start_deciding(&mut self, kept: Option<&str>) {
        let here = self.lab.history().cursor();
        let decisions = self.learner.as_ref().map(|l| l.decisions(&self.lab)).unwrap_or_default();
        let Some(decide) = self.deciding() else { return };
        decide.all = decisions.len();
        decide.left = decisions;
        decide.at = here;
        self.await_message();
        for word in kept.unwrap_or("").split(", ") {
            let Some(decide) = self.deciding() else { return };
            // The last decision is handed in at once, so it is never among those that were kept.
            let known = decide.words.iter().position(|known| known == word);
            let Some(place) = known.filter(|_| decide.left.len() > 1) else { return };
            decide.chosen = place;
            self.decided();
        }
    }

    /// Plays what happens elsewhere, up to the next message of the node.
    fn await_message(&mut self) {
        let Some(decide) = self.deciding() else { return };
        let before = decide.left.first_mut().map(|d| std::mem::take(&mut d.before));
        self.play_on(&before.unwrap_or_default());
    }

    /// Plays events of the node's run, from where that run stands.
    fn play_on(&mut self, events: &[Event]) {
        let Some(at) = self.deciding().map(|decide| decide.at) else { return };
        self.lab.go_to(at);
        for event in events {
            self.lab.play(*event).expect("the decisions are those of a run that was played");
        }
        let here = self.lab.history().cursor();
        if let Some(decide) = self.deciding() {
            decide.at = here;
        }
        self.after_move();
    }

    pub(super) fn deciding_key(&mut self, key: Key, again: bool) -> bool {
        let words = matches!(key, Key::Up | Key::Down | Key::Enter | Key::Esc)
            || matches!(key, Key::Char('1'..='9' | 'a'..='i' | 's'));
        if words && self.was_out_of_sight() {
            return true;
        }
        let zoomed = self.zoom.is_some();
        let Some(decide) = self.deciding() else { return false };
        let count = decide.words.len();
        match key {
            Key::Esc if zoomed => return false,
            Key::Esc => self.leave_away(),
            Key::Up => decide.chosen = decide.chosen.saturating_sub(1),
            Key::Down => decide.chosen = (decide.chosen + 1).min(count - 1),
            Key::Enter => self.decided(),
            Key::Char('h') => self.hint(),
            Key::Char('s') => self.solution(again),
            Key::Char('?' | 'z' | 'q' | 'l' | 'p') | Key::Tab | Key::BackTab | Key::F(_) => {
                return false;
            }
            Key::Char(c @ ('1'..='9' | 'a'..='i')) => {
                let first = if c.is_ascii_digit() { b'1' } else { b'a' };
                let place = usize::from(c as u8 - first);
                if place < count {
                    decide.chosen = place;
                    self.say("Enter decides");
                } else {
                    self.say(format!("there are only {count} words"));
                }
            }
            _ => {
                self.say("you are this node: choose what it does, Enter decides, Esc puts it aside")
            }
        }
        true
    }

    /// A decision is taken: the message arrives, and the next one is awaited.
    fn decided(&mut self) {
        let Some(decide) = self.deciding() else { return };
        if decide.left.is_empty() {
            return;
        }
        let event = decide.left.remove(0).event;
        let word = decide.words[decide.chosen].clone();
        decide.said.push(word.clone());
        decide.chosen = 0;
        let (answer, n, done) = (decide.answer(), decide.said.len(), decide.left.is_empty());
        self.play_on(&[event]);
        if done {
            return self.hand_in(&answer);
        }
        let seen = format!("{n}. You said {word}. {}", self.sentence());
        if let Some(decide) = self.deciding() {
            decide.seen = Some(seen);
        }
        self.await_message();
    }
}
