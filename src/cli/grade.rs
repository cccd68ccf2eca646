//! `lockstep grade`: answers files graded, and the results in the form that was asked for.
//!
//! It opens files and hands them in; what they are worth is told by `lesson::batch`, how it is written by
//! `lesson::report`. Whatever comes in, a whole result goes out before the status tells how it was.

use super::screen::library;
use super::{Answer, Failure, GlobalArgs, files, hand_ins};
use crate::export::ascii::to_ascii;
use crate::lesson::batch::{GradingBatch, HandedIn};
use crate::lesson::grade::Wanted;
use crate::lesson::report::{self, Marks, Roster, Standing, WRITERS};
use crate::lesson::submitter::Submitter;
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
  lockstep grade hand-ins --lesson my.yaml --roster class.csv -o points.csv
  lockstep grade - --format gradescope --exit-zero --output results/results.json < answers.yaml

Exit status:
  0  every answer is right
  1  some are not
  2  bad use, or answers that cannot be graded
  3  the lesson itself is at fault";

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(WRITERS.iter().map(|w| PossibleValue::new(w.name).help(w.about)))
}

/// A class list that is filled with points.
#[derive(Args, Clone, Debug)]
struct ClassList {
    /// Fill the points into this class list (CSV), its columns and lines as they are, in place of a format
    #[arg(long, value_name = "CSV", conflicts_with = "format")]
    roster: Option<String>,
    /// A column of the class list that names a person, as `who:` does; omitted: those that are called so
    #[arg(long, value_name = "COLUMN", requires = "roster")]
    by: Vec<String>,
    /// The column of the class list for the points
    #[arg(long, value_name = "COLUMN", default_value = "score", requires = "roster")]
    column: String,
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
    /// Write own words that a person has to mark to this new file too, as CSV for `--marks`
    #[arg(long, value_name = "CSV")]
    by_hand: Option<PathBuf>,
    /// Points that a person gave for own words: what `--by-hand` wrote, filled in
    #[arg(long, value_name = "CSV")]
    marks: Option<String>,
    /// Who handed all of it in, by Gradescope's submission_metadata.json: what was drawn for others fails
    #[arg(long, value_name = "JSON", conflicts_with = "submitted_by")]
    who_from_metadata: Option<String>,
    /// Who handed all of it in: an account, for example; what was drawn for others fails
    #[arg(long, value_name = "NAME")]
    submitted_by: Option<String>,
    #[command(flatten)]
    list: ClassList,
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
        if let Some(path) = &self.by_hand {
            files::check_new(path)?;
        }
        let feedback = self.feedback || self.feedback_dir.is_some();
        let wanted =
            Wanted { question: self.question.clone(), solutions: self.solutions, feedback };
        let roster = self.list.roster.as_deref();
        let by = &self.list.by;
        let roster = roster.map(|path| read(path, |text| Roster::read(text, by))).transpose()?;
        let marks = self.marks.as_deref().map(|path| read(path, Marks::read)).transpose()?;
        let library = library(global)?;
        let mut batch = match &self.lesson {
            Some(word) => GradingBatch::for_lesson(library, word, wanted),
            None => GradingBatch::new(library, wanted),
        };
        if let Some(submitter) = self.submitter()? {
            batch = batch.handed_in_by(submitter);
        }
        let files = self.files.iter().flat_map(|path| hand_ins::answers_in(path));
        let mut graded: Vec<HandedIn> = files.map(|f| hand_ins::take(&mut batch, &f)).collect();
        tell(&marks.map_or_else(Vec::new, |marks| marks.apply(&mut graded)));
        let text = self.results(&graded, roster.as_ref(), global.ascii);
        self.output.write(&text, out)?;
        if let Some(path) = &self.by_hand {
            let bom = if self.bom { "\u{feff}" } else { "" };
            files::write_new(path, &format!("{bom}{}", report::to_mark(&graded)))?;
        }
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
                let filled = roster.fill(graded, &self.list.column);
                tell(&filled.notes);
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

    /// Who has handed everything in, where it is said.
    fn submitter(&self) -> Result<Option<Submitter>, Failure> {
        match (&self.who_from_metadata, &self.submitted_by) {
            (Some(path), _) => read(path, Submitter::from_metadata).map(Some),
            (None, name) => Ok(name.as_deref().map(Submitter::named)),
        }
    }
}

/// A file that says more about the hand-ins.
fn read<T>(path: &str, form: impl Fn(&str) -> Result<T, String>) -> Result<T, Failure> {
    form(&files::read_text(path)?).map_err(|why| Failure::BadUse(format!("{path}: {why}")))
}

/// Says on the standard error what is no result.
fn tell(notes: &[String]) {
    for note in notes {
        let _ = writeln!(std::io::stderr(), "lockstep: {note}");
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
    tell(&failed.map(|more| more.to_string()).collect::<Vec<_>>());
    first.map_or(Ok(()), Err)
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
