//! `lockstep answers`: the blank answers file of a lesson.
//!
//! What stands in it is made by `lesson::answers`; an existing file is never replaced unasked, since it
//! may hold answers.

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
    /// Write to this file in place of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    /// Replace the file if there is one, with all answers in it
    #[arg(long, requires = "output")]
    force: bool,
}

impl Answers {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let lesson = library(global)?.open(&self.lesson).map_err(not_opened)?;
        let path = self.output.as_deref();
        if let Some(path) = path.filter(|p| *p != "-" && !self.force)
            && std::path::Path::new(path).exists()
        {
            let message = format!(
                "`{path}` is there already, and may hold answers; choose another name, or --force"
            );
            return Err(Failure::BadUse(message));
        }
        if let Some(note) = lesson.remark() {
            let _ = writeln!(std::io::stderr(), "lockstep: {note}");
        }
        files::write_text(path, &answers::blank(&lesson), out)?;
        Ok(Answer::Yes)
    }
}
