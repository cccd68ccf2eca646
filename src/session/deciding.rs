//! Being one node: for each message that it gets, the learner says what it does, and sees it.
//!
//! The run is the question's; here it is played up to the next decision.

use super::bench::Bench;
use crate::lesson::question::Decision;
use crate::model::Event;
use crate::sim::RevId;
use crate::trace::narrate;

/// The decisions of one node.
#[derive(Debug)]
pub struct Decide {
    words: Vec<String>,
    left: Vec<Decision>,
    said: Vec<String>,
    /// Where the run of the node stands.
    at: RevId,
    seen: Option<String>,
}

impl Decide {
    pub(super) fn of(words: Vec<String>) -> Self {
        Self { words, left: Vec::new(), said: Vec::new(), at: RevId::ROOT, seen: None }
    }

    /// The words to choose from.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The message about which is decided now: its number from 1, how many there are, what arrives.
    #[must_use]
    pub fn next(&self) -> Option<(usize, usize, &str)> {
        let next = self.left.first()?;
        Some((self.said.len() + 1, self.said.len() + self.left.len(), next.text.as_str()))
    }

    /// What came of the last decision.
    #[must_use]
    pub fn seen(&self) -> Option<&str> {
        self.seen.as_deref()
    }

    /// The decisions taken so far.
    #[must_use]
    pub fn answer(&self) -> String {
        self.said.join(", ")
    }

    /// Goes to the first message about which nothing was said yet.
    pub(super) fn set_out(&mut self, bench: &mut Bench, decisions: Vec<Decision>, kept: &str) {
        self.left = decisions;
        self.at = bench.here();
        self.await_message(bench);
        for word in kept.split(", ") {
            // The last decision is handed in at once, so it is never among those that were kept.
            let known = self.words.iter().position(|known| known == word);
            let Some(place) = known.filter(|_| self.left.len() > 1) else { return };
            self.decide(bench, place);
        }
    }

    /// Plays what happens elsewhere, up to the next message of the node.
    fn await_message(&mut self, bench: &mut Bench) {
        let before = self.left.first_mut().map(|d| std::mem::take(&mut d.before));
        self.play_on(bench, &before.unwrap_or_default());
    }

    /// Plays events of the node's run, from where that run stands.
    fn play_on(&mut self, bench: &mut Bench, events: &[Event]) {
        let at = self.at;
        bench.moving(|lab| {
            lab.go_to(at);
            for event in events {
                lab.play(*event).expect("the decisions are those of a run that was played");
            }
        });
        self.at = bench.here();
    }

    /// A decision is taken: the message arrives, and the next one is awaited. Returns whether it was the
    /// last one.
    pub(super) fn decide(&mut self, bench: &mut Bench, place: usize) -> bool {
        let Some(word) = self.words.get(place).filter(|_| !self.left.is_empty()).cloned() else {
            return false;
        };
        let event = self.left.remove(0).event;
        self.said.push(word.clone());
        self.play_on(bench, &[event]);
        if self.left.is_empty() {
            return true;
        }
        let lab = bench.lab();
        let sentence =
            lab.history().last_record().map(|r| narrate::sentence(r, &lab.setup().names));
        let n = self.said.len();
        self.seen = Some(format!("{n}. You said {word}. {}", sentence.unwrap_or_default()));
        self.await_message(bench);
        false
    }
}
