//! `lockstep lesson`: the lessons there are, their findings, and one as a worksheet.
//!
//! What a lesson is and what is wrong with one are told by `lesson::author`.

use super::screen::{self, library, not_opened};
use super::words::one_of;
use super::{Answer, Failure, GlobalArgs, files};
use crate::export::ascii::to_ascii;
use crate::input::Problem;
use crate::lesson::author::Found;
use crate::lesson::worksheet::worksheet;
use crate::lesson::{BadLesson, Library, author, schema, strip};
use crate::ui::shot::diagram;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  lockstep lesson list              the course, one line a lesson
  lockstep lesson show 9            a lesson as a worksheet, without its keys
  lockstep lesson new my-lesson     begin a lesson of your own
  lockstep lesson lint my.yaml      what is wrong with it
  lockstep lesson preview my.yaml   look at it while you write it
  lockstep lesson strip my.yaml     the learners' copy, without its keys";

/// Columns of a finding that is drawn.
const WIDTH: usize = 100;

const STRIP: &str = "\
Write the learners' copy of a lesson, without its keys

Solutions, reasons and presenter notes are taken out. Hints and comments stay, so write no key into \
them. Answers to the copy are graded with the whole file: `lockstep grade FILE --lesson \
WHOLE`. What the program itself computes from the cluster can still be found by playing it.";

const PREVIEW: &str = "\
Show a lesson as learners see it, loaded again whenever its file is saved

It goes to the step that was edited; the questions before it count as answered. While the file is \
broken, the last good state stays, and what is wrong is told below it. Nothing is kept: neither \
answers nor where you are.";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Json,
}

const FORMATS: &[(&str, Format)] = &[("text", Format::Text), ("json", Format::Json)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Findings {
    Text,
    Full,
    Json,
}

const FINDINGS: &[(&str, Findings)] =
    &[("text", Findings::Text), ("full", Findings::Full), ("json", Findings::Json)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sheet {
    Markdown,
}

const SHEETS: &[(&str, Sheet)] = &[("markdown", Sheet::Markdown)];

/// List, read and check lessons
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Lesson {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Clone, Debug)]
enum What {
    /// List the lessons, one a line
    List {
        /// How to write the list
        #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS))]
        format: Format,
    },
    /// Print a lesson as a worksheet in Markdown
    Show {
        /// The lesson: its id, its number, the beginning of its id, or a file
        lesson: String,
        /// Print the answers and their reasons too
        #[arg(long)]
        solutions: bool,
        /// How to write it
        #[arg(short, long, value_name = "FORMAT", default_value = "markdown", value_parser = one_of(SHEETS))]
        format: Sheet,
    },
    /// Write a lesson to begin with: commented, and without findings
    New {
        /// Its name: an id such as `my-lesson`, or the path of the file, such as `course/03-my-lesson.yaml`
        name: String,
        /// Print it in place of writing a file
        #[arg(long)]
        stdout: bool,
    },
    /// Show a lesson as learners see it, loaded again whenever its file is saved
    #[command(long_about = PREVIEW)]
    Preview {
        /// The lesson file
        file: PathBuf,
    },
    /// Print the form of lesson files as a JSON Schema, for editors
    Schema,
    /// Write the learners' copy of a lesson, without its keys
    #[command(long_about = STRIP)]
    Strip {
        /// The lesson: a file, its id, its number, or the beginning of its id
        #[arg(value_name = "FILE")]
        lesson: String,
        #[command(flatten)]
        output: files::Output,
    },
    /// Tell everything that is wrong with lesson files, or could be better; status 1 if anything is
    Lint {
        /// Lesson files, folders of them, or - for the standard input; omitted: all lessons
        files: Vec<PathBuf>,
        /// How to write the findings: one a line, each with its line and a caret, or as data
        #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FINDINGS))]
        format: Findings,
    },
}

impl Lesson {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        match self.what {
            What::List { format } => list(global, format, out),
            What::Show { lesson, solutions, format: Sheet::Markdown } => {
                let lesson = library(global)?.open(&lesson).map_err(not_opened)?;
                let text = worksheet(&lesson, solutions, &|lab| diagram(lab, global.ascii));
                out.write_all(if global.ascii { to_ascii(&text) } else { text }.as_bytes())?;
                Ok(Answer::Yes)
            }
            What::Lint { files, format } => lint(&files, global, format, out),
            What::Preview { file } => screen::preview(&file, global),
            What::New { name, stdout } => new(&name, stdout, out),
            What::Schema => {
                out.write_all(schema::text().as_bytes())?;
                Ok(Answer::Yes)
            }
            What::Strip { lesson, output } => {
                let lesson = library(global)?.open(&lesson).map_err(not_opened)?;
                output.write(&strip::strip(&lesson), out)?;
                Ok(Answer::Yes)
            }
        }
    }
}

/// Writes the lesson to begin with; a file that is there is never replaced.
fn new(name: &str, stdout: bool, out: &mut dyn Write) -> Result<Answer, Failure> {
    let (path, id) = author::file_and_id(name);
    let path = PathBuf::from(path);
    let text = author::template(&id).map_err(Failure::BadUse)?;
    if stdout {
        out.write_all(text.as_bytes())?;
        return Ok(Answer::Yes);
    }
    files::write_new(&path, &text)?;
    writeln!(
        out,
        "{} is ready to be changed; lockstep lesson lint {0} tells how it is",
        path.display()
    )?;
    Ok(Answer::Yes)
}

fn list(global: &GlobalArgs, format: Format, out: &mut dyn Write) -> Result<Answer, Failure> {
    let listed = author::list(&library(global)?);
    match format {
        Format::Text => {
            let text = author::list_text(&listed);
            writeln!(out, "{}", if global.ascii { to_ascii(&text) } else { text })?;
        }
        Format::Json => {
            let one = |l: &Result<author::Listed, BadLesson>| match l {
                Ok(listed) => json!(listed),
                Err(bad) => json!({ "problems": bad.problems }),
            };
            print_json(&Value::Array(listed.iter().map(one).collect()), out)?;
        }
    }
    Ok(if listed.iter().all(Result::is_ok) { Answer::Yes } else { Answer::No(None) })
}

fn lint(
    files: &[PathBuf],
    global: &GlobalArgs,
    format: Findings,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if let Some(missing) = files.iter().find(|f| f.as_os_str() != "-" && !f.exists()) {
        let message = format!("there is no lesson file `{}`", missing.display());
        return Err(Failure::BadUse(message));
    }
    let found: Vec<Found> = if files.is_empty() {
        author::lint_library(&library(global)?)
    } else {
        let mut all = Vec::new();
        for path in files {
            all.extend(lint_one(path)?);
        }
        if files.len() > 1 {
            author::tell_same_ids(&mut all);
        }
        all
    };
    let problems: Vec<&Problem> = found.iter().flat_map(|f| &f.problems).collect();
    match format {
        Findings::Json => print_json(&json!(problems), out)?,
        Findings::Text => {
            for problem in &problems {
                writeln!(out, "{}", problem.with_severity())?;
            }
        }
        Findings::Full => {
            for drawn in found.iter().flat_map(|f| f.drawn(WIDTH)) {
                writeln!(out, "{drawn}\n")?;
            }
        }
    }
    if problems.is_empty() {
        if format != Findings::Json {
            writeln!(out, "no findings")?;
        }
        return Ok(Answer::Yes);
    }
    Ok(Answer::No(None))
}

fn lint_one(path: &Path) -> Result<Vec<Found>, Failure> {
    if path.as_os_str() == "-" {
        return Ok(vec![author::lint_reader("standard input", files::standard_input())]);
    }
    if path.is_dir() {
        let library = Library::folder(path).map_err(|bad| Failure::BadUse(bad.to_string()))?;
        return Ok(author::lint_library(&library));
    }
    Ok(vec![author::lint_file(path)])
}

fn print_json(value: &Value, out: &mut dyn Write) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, value).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
