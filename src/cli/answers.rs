//! `lockstep answers`: the blank answers file of a lesson.
//!
//! What stands in it is made by `lesson::answers`.

use super::screen::{library, not_opened};
use super::{Answer, Failure, GlobalArgs, files};
use crate::lesson::answers;
use clap::Args;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  lockstep answers 9                        print the blank answers of a lesson
  lockstep answers 9 -o answers.yaml        write them to a file to fill in
  lockstep grade answers.yaml               see which answers are right";

/// Write a blank answers file for a lesson: every question as a comment
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Answers {
    /// The lesson: its id, its number, the beginning of its id, or a file
    lesson: String,
    #[command(flatten)]
    output: files::Output,
}

impl Answers {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let lesson = library(global)?.open(&self.lesson).map_err(not_opened)?;
        self.output.check()?;
        if let Some(note) = lesson.remark() {
            let _ = writeln!(std::io::stderr(), "lockstep: {note}");
        }
        self.output.write(&answers::blank(&lesson), out)?;
        Ok(Answer::Yes)
    }
}
