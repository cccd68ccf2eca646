//! `lockstep grade`: answers files graded, and the results in the form that was asked for.
//!
//! It opens files and hands them in; what they are worth is told by `lesson::batch`, how it is written by
//! `lesson::report`. Whatever comes in, a whole result goes out before the status tells how it was.

use super::screen::library;
use super::{Answer, Failure, GlobalArgs, files};
use crate::export::ascii::to_ascii;
use crate::lesson::batch::{GradingBatch, HandedIn};
use crate::lesson::grade::Wanted;
use crate::lesson::report::{self, Roster, Standing, WRITERS};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::io::Write;
use std::path::{Path, PathBuf};

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
    /// Answers files, or folders of them; - is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
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
    /// Print what the lesson says about each answer too
    #[arg(long)]
    feedback: bool,
    /// Write the feedback on each file to a Markdown file in this folder
    #[arg(long, value_name = "DIR")]
    feedback_dir: Option<PathBuf>,
    /// Fill the points into this class list (CSV), its columns and lines as they are, in place of a format
    #[arg(long, value_name = "CSV", conflicts_with = "format")]
    roster: Option<String>,
    /// A column of the class list that names a person, as `who:` does; omitted: those that are called so
    #[arg(long, value_name = "COLUMN", requires = "roster")]
    by: Vec<String>,
    /// The column of the class list for the points
    #[arg(long, value_name = "COLUMN", default_value = "score", requires = "roster")]
    column: String,
    /// Begin CSV with the mark by which Excel knows UTF-8
    #[arg(long)]
    bom: bool,
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
        let feedback = self.feedback || self.feedback_dir.is_some();
        let wanted =
            Wanted { question: self.question.clone(), solutions: self.solutions, feedback };
        let roster = self.roster.as_deref().map(|path| self.listed(path)).transpose()?;
        let library = library(global)?;
        let mut batch = match &self.lesson {
            Some(word) => GradingBatch::for_lesson(library, word, wanted),
            None => GradingBatch::new(library, wanted),
        };
        let files = self.files.iter().flat_map(|path| answers_in(path));
        let graded: Vec<HandedIn> = files.map(|f| hand_in(&mut batch, &f)).collect();
        let text = self.results(&graded, roster.as_ref(), global.ascii);
        self.output.write(&text, out)?;
        if let Some(folder) = &self.feedback_dir {
            write_feedback(folder, &graded)?;
        }
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

impl Grade {
    /// The results as they were asked for; what there is to say about a class list goes to the standard
    /// error.
    fn results(&self, graded: &[HandedIn], roster: Option<&Roster>, ascii: bool) -> String {
        let text = match roster {
            Some(roster) => {
                let filled = roster.fill(graded, &self.column);
                for note in &filled.notes {
                    let _ = writeln!(std::io::stderr(), "lockstep: {note}");
                }
                filled.text
            }
            None => {
                let writer = WRITERS.iter().find(|w| w.name == self.format);
                writer.expect("clap lets only known formats through").write(graded)
            }
        };
        let table = roster.is_some() || self.format == "csv";
        match (table, self.format.as_str()) {
            (true, _) if self.bom => format!("\u{feff}{text}"),
            (false, "text") if ascii => to_ascii(&text),
            _ => text,
        }
    }

    /// The class list.
    fn listed(&self, path: &str) -> Result<Roster, Failure> {
        let read = Roster::read(&files::read_text(path)?, &self.by);
        read.map_err(|why| Failure::BadUse(format!("{path}: {why}")))
    }
}

/// Writes the feedback on each file. What is there and is no feedback of an earlier run is left alone and
/// told, and stops nobody else's.
fn write_feedback(folder: &Path, graded: &[HandedIn]) -> Result<(), Failure> {
    files::make_folder(folder)?;
    let write = |(name, text): (String, String)| {
        files::write_again(&folder.join(name), &text, report::is_feedback).err()
    };
    let mut failed = report::feedback(graded).into_iter().filter_map(write);
    let first = failed.next();
    for more in failed {
        let _ = writeln!(std::io::stderr(), "lockstep: {more}");
    }
    first.map_or(Ok(()), Err)
}

fn hand_in(batch: &mut GradingBatch, path: &Path) -> HandedIn {
    let (name, input) = files::opened(path);
    if path.is_dir() {
        let none = std::io::Error::other("there are no answers files in this folder");
        return batch.take(&name, Err::<std::fs::File, _>(none));
    }
    batch.take(&name, input)
}

/// The answers files of a folder and of those in it, by name. No link is followed: it could lead out of
/// the folder. What is no folder, or holds none, is taken as it is.
fn answers_in(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    gather(path, &mut found);
    if found.is_empty() { vec![path.to_owned()] } else { found }
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => gather(&entry.path(), found),
            Ok(kind) if kind.is_file() && is_answers(&entry.path()) => found.push(entry.path()),
            _ => {}
        }
    }
}

/// Whether a file of a folder is called as answers files are, in any letters, or as an editor saves them.
fn is_answers(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    [".yaml", ".yml", ".yaml.txt", ".yml.txt"].iter().any(|end| name.ends_with(end))
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
