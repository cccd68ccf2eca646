//! The list of branches, and the way to one of them.
//!
//! The runs and their branches are the lab's; here they are told.

use super::lines::Lines;
use super::play::{Done, Play};
use crate::session::{Command, To};
use crate::ui::screen::branches::Branches;

impl Play {
    pub(super) fn branches(&self, lines: &mut Lines) {
        let branches = Branches::of(self.lab());
        lines.say("Everything that was played; a branch begins where another choice was made.");
        for (i, stretch) in branches.stretches().enumerate() {
            let here = if i == branches.chosen() { " (you are here)" } else { "" };
            lines.item(&format!("{:>3}. ", i + 1), format!("{}{here}", stretch.words()));
        }
        lines.say("`branch 1` goes to the end of the first one.");
    }

    pub(super) fn go_to_branch(&mut self, number: usize, lines: &mut Lines) -> Done {
        let branches = Branches::of(self.lab());
        let found = number.checked_sub(1).and_then(|i| branches.stretches().nth(i));
        if let Some(rev) = found.map(|stretch| stretch.end()) {
            return self.perform(Command::Go(To::Point(rev)), lines);
        }
        let text = match branches.stretches().count() {
            1 => "There is only branch 1.".to_owned(),
            n => format!("There is no branch {number}: they are numbered 1 to {n}."),
        };
        Self::refuse(lines, text)
    }
}
