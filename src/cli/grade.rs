//! `lockstep grade`: answers files graded, and the results in the form that was asked for.
//!
//! It opens files and hands them in; what they are worth is told by `lesson::desk`, how it is written by
//! `lesson::report`. Whatever comes in, a whole result goes out before the status tells how it was.

use super::screen::library;
use super::{Answer, Failure, GlobalArgs, files};
use crate::export::ascii::to_ascii;
use crate::lesson::desk::{Desk, HandedIn};
use crate::lesson::grade::Wanted;
use crate::lesson::report::{self, Standing, WRITERS};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::io::Write;
use std::path::Path;

const ABOUT: &str = "\
Grade answers files

Every answer is checked where its question stands on the lesson's own run, whatever was answered \
before. A file names its lesson by id; --lesson names it for all files, and takes a file of your own. \
One file that cannot be read never stops the others.

No key is printed without --solutions.";

const EXAMPLES: &str = "\
Examples:
  lockstep grade answers.yaml
  lockstep grade hand-ins/*.yaml               each file, and a table of the class
  lockstep grade answers.yaml --lesson my.yaml --solutions
  lockstep grade - --format gradescope --exit-zero --output results/results.json < answers.yaml

Exit status:
  0  every answer is right
  1  some are not
  2  bad use, or answers that cannot be graded
  3  the lesson itself is at fault";

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(WRITERS.iter().map(|w| PossibleValue::new(w.name).help(w.about)))
}

/// Grade answers files
#[derive(Args, Clone, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct Grade {
    /// Answers files; - is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The lesson that all files are about: its id, number, beginning of its id, or a file
    #[arg(long, value_name = "LESSON")]
    lesson: Option<String>,
    /// Grade only this question
    #[arg(long, value_name = "ID")]
    question: Option<String>,
    /// How to write the results
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = formats())]
    format: String,
    #[command(flatten)]
    output: files::Output,
    /// Print the right answers and their reasons too
    #[arg(long)]
    solutions: bool,
    /// End with status 0 once results are written, whatever they are
    #[arg(long)]
    exit_zero: bool,
}

impl Grade {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        self.output.check()?;
        let wanted = Wanted { question: self.question.clone(), solutions: self.solutions };
        let library = library(global)?;
        let mut desk = match &self.lesson {
            Some(word) => Desk::for_lesson(library, word, wanted),
            None => Desk::new(library, wanted),
        };
        let graded: Vec<HandedIn> = self.files.iter().map(|f| hand_in(&mut desk, f)).collect();
        let writer = WRITERS.iter().find(|w| w.name == self.format);
        let mut text = writer.expect("clap lets only known formats through").write(&graded);
        if global.ascii && self.format == "text" {
            text = to_ascii(&text);
        }
        self.output.write(&text, out)?;
        // What follows may be told as a failure, and the results must be out by then.
        out.flush()?;
        if self.exit_zero {
            return Ok(Answer::Yes);
        }
        match report::standing(&graded) {
            Standing::AllRight => Ok(Answer::Yes),
            Standing::SomeWrong => Ok(Answer::No(None)),
            Standing::Unreadable => Err(Failure::BadUse(not_graded(&graded))),
            Standing::BadLesson => Err(Failure::Lesson(not_graded(&graded))),
        }
    }
}

fn hand_in(desk: &mut Desk, path: &str) -> HandedIn {
    match path {
        "-" => desk.take("standard input", Ok(files::standard_input())),
        path => desk.take(path, crate::files::open(Path::new(path))),
    }
}

/// The files that were not graded, with the reason where there is one for all.
fn not_graded(graded: &[HandedIn]) -> String {
    let refused = graded.iter().filter_map(|f| f.result.as_ref().err().map(|r| (&f.file, r)));
    let refused: Vec<_> = refused.collect();
    let reasons =
        |r: &crate::lesson::grade::Refusal| r.detail.as_ref().unwrap_or(&r.message).clone();
    let first = refused.first().map(|(_, r)| reasons(r)).unwrap_or_default();
    if graded.len() == 1 || refused.iter().all(|(_, r)| reasons(r) == first) {
        return format!("not graded: {first}");
    }
    let names: Vec<&str> = refused.iter().map(|(name, _)| name.as_str()).collect();
    let files = crate::input::count(graded.len(), "file");
    format!("{} of {files} not graded: {}", names.len(), names.join(", "))
}
