//! Drills in lines: how one begins, and how many answers were right so far.
//!
//! The questions are made by `lesson::drill` and asked like those of any lesson.

use super::lines::Lines;
use crate::lab::Lab;
use crate::lesson::Learner;
use crate::lesson::drill::{self, Drill, Score, USUAL_COUNT};

/// The drills of a session.
#[derive(Debug, Default)]
pub(super) struct Drills {
    seed: u64,
    asked: bool,
    score: Score,
}

impl Drills {
    /// Gives the next drill a seed; `asked`: the choice of one is what the person wants.
    pub(super) fn use_seed(&mut self, seed: u64, asked: bool) {
        self.seed = seed;
        self.asked = asked;
    }

    /// Whether the choice of a drill is what the person wants.
    pub(super) fn asked(&self) -> bool {
        self.asked
    }

    /// Counts what a learner has answered.
    pub(super) fn count(&mut self, learner: &Learner) {
        self.score.add(learner);
    }

    /// The line of the list at Home.
    pub(super) fn offer(&self, lines: &mut Lines) {
        lines.say(
            "Drill, predictions on random runs: `drill` and the name of an algorithm; `drill rules` \
             and its name: which rule is missing?",
        );
    }

    /// How it stands, and which drills there are.
    pub(super) fn list(&self, lines: &mut Lines) {
        if self.score.answered > 0 {
            lines.say(format!("Drill: so far {}.", self.score));
        }
        let slugs: Vec<&str> = drill::algorithms().map(|e| e.info.slug).collect();
        lines.say(format!(
            "{USUAL_COUNT} questions more: `drill` and one of these: {}. `drill rules` and one of them: \
             which rule is missing? `list` shows the lessons.",
            slugs.join(", ")
        ));
    }

    /// Begins a drill: `lamport`, or `lamport 7` for the seed 7, with `rules` in front the one that asks for
    /// the rules. Without a name it lists them.
    pub(super) fn begin(&mut self, words: &str, lines: &mut Lines) -> Option<(Learner, Lab)> {
        let mut words = words.split_whitespace().filter(|w| !w.starts_with('-')).peekable();
        let rules = words.next_if(|word| word.eq_ignore_ascii_case("rules")).is_some();
        let Some(name) = words.next() else {
            self.list(lines);
            return None;
        };
        let seed = match words.next().map(str::parse) {
            None => self.seed,
            Some(Ok(seed)) => seed,
            Some(Err(_)) => {
                lines.say("No: a seed is a whole number, like `drill lamport 7`.");
                return None;
            }
        };
        let drill = match rules {
            true => Drill::of_rules(name, seed),
            false => Drill::new(name, seed, USUAL_COUNT),
        };
        match drill
            .and_then(|drill| drill.lesson())
            .map_err(|none| none.to_string())
            .and_then(|lesson| Learner::new(lesson).map_err(|error| error.to_string()))
        {
            Ok(opened) => {
                self.seed = seed.wrapping_add(1);
                Some(opened)
            }
            Err(message) => {
                lines.say(format!("No: {message}."));
                None
            }
        }
    }
}
