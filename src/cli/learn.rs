//! `lockstep learn`: a lesson on the screen, or a run.
//!
//! It only says which; reading and showing it are done elsewhere.

use super::cluster::{self, Given};
use super::screen::{Keys, open_with, own_library};
use super::{Answer, Failure, GlobalArgs, Opening};
use clap::Args;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  lockstep learn              go on where you stopped
  lockstep learn 3            the third lesson
  lockstep learn my.yaml      a lesson of your own
  lockstep learn my.run       a run, at its end: the left arrow goes back
  lockstep learn \"lamport; request P1; deliver P1>P2\"
  xclip -o | lockstep learn - what somebody has sent: a run, or a lesson";

/// Work through a lesson, or look at a run
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Learn {
    /// The lesson: its id, its number, the beginning of its id, or a file; or a run, by its .run file or
    /// as its line. - reads either from the standard input
    #[arg(value_name = "LESSON|RUN")]
    lesson: Option<String>,
}

impl Learn {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        _out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let Some(word) = self.lesson else {
            return open_with(Opening::Lesson(None), Keys::Stdin, global);
        };
        let keys = if word == "-" { Keys::Terminal } else { Keys::Stdin };
        let opening = match cluster::given(&word)? {
            Some(Given::Run(lab)) => Opening::Run(lab),
            Some(Given::Lesson(text)) => {
                Opening::Given(cluster::lesson_of(&text, own_library(global)?.who())?)
            }
            None => Opening::Lesson(Some(word)),
        };
        open_with(opening, keys, global)
    }
}
