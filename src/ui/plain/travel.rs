//! Longer ways through the tree of runs: playing on by itself, going to a step or to a branch.
//!
//! The runs and their branches are the lab's; here they are walked and told.

use super::command::Target;
use super::lines::Lines;
use super::panels;
use super::play::{Done, Play};
use crate::lab::Ended;
use crate::sim::RevId;
use crate::ui::screen::branches::Branches;

/// So many sentences of a run that goes on by itself are told; of a longer one the first and the last.
const TOLD: usize = 40;

impl Play {
    /// The sentences of all steps that lead from a point to where one stands.
    fn tell_since(&self, rev: RevId, lines: &mut Lines) {
        let history = self.lab.history();
        let new = history.ancestors(history.cursor()).take_while(|r| *r != rev);
        let mut new: Vec<RevId> = new.collect();
        new.reverse();
        let hidden = if new.len() > TOLD { TOLD / 2..new.len() - TOLD / 2 } else { 0..0 };
        for (i, rev) in new.iter().enumerate() {
            if i == hidden.start && !hidden.is_empty() {
                let more = crate::input::count(hidden.len(), "more step");
                lines.say(format!("{more}; `log` tells them all."));
            }
            if !hidden.contains(&i) {
                panels::sentence(&self.lab, *rev, lines);
            }
        }
        if !new.is_empty() {
            panels::state(&self.lab, lines);
        }
    }

    fn after_run(&self, was_exploring: bool, lines: &mut Lines) {
        if self.exploring() && !was_exploring {
            lines.say("You are exploring now; `lesson` goes back to the lesson.");
        }
        if self.exploring() {
            self.tell_goal(lines);
        }
    }

    pub(super) fn run(&mut self, lines: &mut Lines) -> Done {
        let (here, was) = (self.lab.history().cursor(), self.exploring());
        let ended = self.lab.run_on_but(&mut self.policy, &self.kept, None);
        self.tell_since(here, lines);
        lines.say(match ended {
            Ended::Limit => "Stopped at the limit of steps.".to_owned(),
            Ended::Goal | Ended::Quiet => self.quiet(),
        });
        self.after_run(was, lines);
        Done::Fine
    }

    pub(super) fn run_until(&mut self, text: &str, lines: &mut Lines) -> Done {
        let goal = match self.lab.goal_for_until(text) {
            Ok(goal) => goal,
            Err(error) => return Self::refuse(lines, format!("No: {error}.")),
        };
        let (here, was) = (self.lab.history().cursor(), self.exploring());
        let ended = self.lab.run_on_but(&mut self.policy, &self.kept, Some(&goal));
        self.tell_since(here, lines);
        lines.say(match ended {
            Ended::Goal => format!("`{text}` holds here."),
            Ended::Quiet => {
                format!("`{text}` does not hold, and nothing more happens. {}", self.quiet())
            }
            Ended::Limit => format!("`{text}` does not hold. Stopped at the limit of steps."),
        });
        self.after_run(was, lines);
        Done::Fine
    }

    pub(super) fn go_to_step(&mut self, target: Target, lines: &mut Lines) -> Done {
        let history = self.lab.history();
        let here = history.cursor();
        let found = match target {
            Target::End => history.redo_path(here).last().or(Some(here)),
            Target::Step(step) => {
                let mut all = history.ancestors(here).chain(history.redo_path(here));
                all.find(|r| history.depth(*r) == step)
            }
        };
        match (found, target) {
            (Some(rev), _) => self.go(rev, lines),
            (None, Target::Step(step)) => {
                return Self::refuse(lines, format!("There is no step {step} on this branch."));
            }
            (None, Target::End) => {}
        }
        Done::Fine
    }

    fn go(&mut self, rev: RevId, lines: &mut Lines) {
        let was = self.exploring();
        self.lab.go_to(rev);
        panels::sentence(&self.lab, rev, lines);
        panels::state(&self.lab, lines);
        self.after_run(was, lines);
    }

    pub(super) fn branches(&self, lines: &mut Lines) {
        let branches = Branches::of(&self.lab);
        lines.say("Everything that was played; a branch begins where another choice was made.");
        for (i, stretch) in branches.stretches().enumerate() {
            let here = if i == branches.chosen() { " (you are here)" } else { "" };
            lines.item(&format!("{:>3}. ", i + 1), format!("{}{here}", stretch.words(&self.lab)));
        }
        lines.say("`branch 1` goes to the end of the first one.");
    }

    pub(super) fn go_to_branch(&mut self, number: usize, lines: &mut Lines) -> Done {
        let branches = Branches::of(&self.lab);
        let count = branches.stretches().count();
        let found = number.checked_sub(1).and_then(|i| branches.stretches().nth(i));
        match found.map(|s| s.end()) {
            Some(rev) => self.go(rev, lines),
            None => {
                let text = match count {
                    1 => "There is only branch 1.".to_owned(),
                    n => format!("There is no branch {number}: they are numbered 1 to {n}."),
                };
                return Self::refuse(lines, text);
            }
        }
        Done::Fine
    }
}
