//! `lockstep learn`: a lesson on the screen.
//!
//! It only says which lesson; reading and showing it are done elsewhere.

use super::{Answer, Failure, GlobalArgs, Opening, open};
use clap::Args;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  lockstep learn              go on where you stopped
  lockstep learn 3            the third lesson
  lockstep learn my.yaml      a lesson of your own";

/// Work through a lesson
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Learn {
    /// The lesson: its id, its number, the beginning of its id, or a file
    lesson: Option<String>,
}

impl Learn {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        _out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        open(Opening::Lesson(self.lesson), global)
    }
}
