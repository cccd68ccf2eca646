//! `lockstep lesson`: the lessons there are, their findings, and one as a worksheet.
//!
//! What a lesson is and what is wrong with one are told by `lesson::author`.

use super::screen::{library, not_opened};
use super::words::one_of;
use super::{Answer, Failure, GlobalArgs};
use crate::export::ascii::to_ascii;
use crate::input::Problem;
use crate::lesson::{BadLesson, Library, author};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  lockstep lesson list              the course, one line a lesson
  lockstep lesson show 9            a lesson as a worksheet, without its keys
  lockstep lesson lint my.yaml      what is wrong with a lesson of your own";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Json,
}

const FORMATS: &[(&str, Format)] = &[("text", Format::Text), ("json", Format::Json)];

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
    },
    /// Tell everything that is wrong with lesson files, or could be better; status 1 if anything is
    Lint {
        /// Lesson files, folders of them, or - for the standard input; left away: all lessons
        files: Vec<PathBuf>,
        /// How to write the findings
        #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS))]
        format: Format,
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
            What::Show { lesson, solutions } => {
                let lesson = library(global)?.open(&lesson).map_err(not_opened)?;
                let text = author::worksheet(&lesson, solutions);
                out.write_all(if global.ascii { to_ascii(&text) } else { text }.as_bytes())?;
                Ok(Answer::Yes)
            }
            What::Lint { files, format } => lint(&files, global, format, out),
        }
    }
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
    format: Format,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if let Some(missing) = files.iter().find(|f| f.as_os_str() != "-" && !f.exists()) {
        let message = format!("there is no lesson file `{}`", missing.display());
        return Err(Failure::BadUse(message));
    }
    let found: Vec<Problem> = if files.is_empty() {
        author::lint_library(&library(global)?)
    } else {
        let mut all = Vec::new();
        for path in files {
            all.extend(lint_one(path)?);
        }
        all
    };
    match format {
        Format::Json => print_json(&json!(found), out)?,
        Format::Text => {
            for problem in &found {
                writeln!(out, "{problem}")?;
            }
            if found.is_empty() {
                writeln!(out, "no findings")?;
            }
        }
    }
    Ok(if found.is_empty() { Answer::Yes } else { Answer::No(None) })
}

fn lint_one(path: &Path) -> Result<Vec<Problem>, Failure> {
    if path.as_os_str() == "-" {
        return Ok(author::lint_reader("standard input", std::io::stdin().lock()));
    }
    if path.is_dir() {
        let library = Library::folder(path).map_err(|bad| Failure::BadUse(bad.to_string()))?;
        return Ok(author::lint_library(&library));
    }
    Ok(author::lint_file(path))
}

fn print_json(value: &Value, out: &mut dyn Write) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, value).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
