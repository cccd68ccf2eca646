//! `lockstep answers`: the blank answers file of a lesson, and whether one can be read.
//!
//! What stands in it is made and read by `lesson::answers`.

use super::screen::{library, not_opened};
use super::{Answer, Failure, GlobalArgs, files};
use crate::lesson::answers;
use crate::lesson::{Lesson, Library};
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  lockstep answers 9                        print the blank answers of a lesson
  lockstep answers 9 -o answers.yaml        write them to a file to fill in
  lockstep answers check answers.yaml       see whether every answer can be read
  lockstep grade answers.yaml               see which answers are right";

/// Write a blank answers file for a lesson: every question as a comment
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Answers {
    #[command(subcommand)]
    what: Option<What>,
    /// The lesson: its id, its number, the beginning of its id, or a file
    #[arg(required = true)]
    lesson: Option<String>,
    #[command(flatten)]
    output: files::Output,
}

#[derive(Subcommand, Clone, Debug)]
enum What {
    /// Tell of each answer in a file whether it can be read; no key is needed, and none is told
    Check {
        /// The answers file; - is the standard input
        file: PathBuf,
        /// The lesson, or the copy of it without keys, where the file's own name for it is not enough
        #[arg(long, value_name = "LESSON")]
        lesson: Option<String>,
    },
}

impl Answers {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let library = library(global)?;
        if let Some(What::Check { file, lesson }) = &self.what {
            return check(&library, file, lesson.as_deref(), out);
        }
        let lesson = self.lesson.as_deref().unwrap_or_default();
        let lesson = library.open(lesson).map_err(not_opened)?;
        self.output.check()?;
        if let Some(note) = lesson.remark() {
            let _ = writeln!(std::io::stderr(), "lockstep: {note}");
        }
        self.output.write(&answers::blank(&lesson), out)?;
        Ok(Answer::Yes)
    }
}

fn check(
    library: &Library,
    file: &Path,
    lesson: Option<&str>,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let (name, input) = files::open(file)?;
    let answers = answers::Answers::read(&name, input)
        .map_err(|problems| Failure::BadUse(problems.to_string()))?;
    let lesson = of_answers(library, &answers, lesson)?;
    for remark in &answers.remarks {
        writeln!(out, "  note     {remark}")?;
    }
    if let Some(warning) = answers.warning() {
        writeln!(out, "  warning  {warning}")?;
    }
    let mut all = true;
    for question in lesson.questions() {
        let told = answers.given(question).and_then(|given| match given {
            None => Ok("blank".to_owned()),
            Some(given) => {
                let read = question.read(&given).map_err(|hint| hint.0)?;
                Ok(format!("read as {}", question.shows(&read).replace('\n', "; ")))
            }
        });
        all &= told.is_ok();
        let id = question.common().id;
        match told {
            Ok(told) => writeln!(out, "  {id}: {told}")?,
            Err(why) => writeln!(out, "  {id}: cannot be read: {why}")?,
        }
    }
    Ok(if all { Answer::Yes } else { Answer::No(None) })
}

/// The lesson to which answers belong. What they name is looked up and never opened as a path.
fn of_answers(
    library: &Library,
    answers: &answers::Answers,
    word: Option<&str>,
) -> Result<Arc<Lesson>, Failure> {
    let named = answers.lesson.as_deref().unwrap_or_default().trim();
    let shelved = library.shelved().iter().find(|shelved| shelved.id == named);
    let lesson = match (word, shelved) {
        (Some(word), _) => library.open(word).map_err(not_opened)?,
        (None, Some(shelved)) => shelved.lesson().map_err(|b| Failure::Lesson(b.to_string()))?,
        (None, None) => {
            let message =
                format!("no lesson is called `{named}`; name it, or its file, with --lesson");
            return Err(Failure::BadUse(message));
        }
    };
    let who = answers.who.as_deref().unwrap_or_default();
    lesson.for_who(who).map_err(|bad| Failure::Lesson(bad.to_string()))
}
