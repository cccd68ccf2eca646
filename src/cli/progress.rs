//! `lockstep progress`: what is kept of the learner, to look at, to carry along and to forget.
//!
//! The file and its lock are `lesson::progress`'s business.

use super::screen::{library, not_opened, own_library};
use super::words::one_of;
use super::{Answer, Failure, GlobalArgs, files};
use crate::input::count;
use crate::lesson::played::Played;
use crate::lesson::progress::{self, NotKept, Store};
use crate::lesson::saved::{Progress as Kept, Saved};
use crate::lesson::vary::FOR;
use crate::lesson::{Learner, Library, answers};
use clap::{Args, Subcommand};
use serde_json::json;
use std::io::{self, BufRead as _, IsTerminal as _, Write};
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  lockstep progress show                            what was done in each lesson
  lockstep progress export 9 -o answers.yaml        your answers, for lockstep grade
  lockstep progress export -o backup.yaml           everything, for another machine
  lockstep progress import backup.yaml              add it to what is there
  lockstep progress reset 9                         begin a lesson anew";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Json,
}

const FORMATS: &[(&str, Format)] = &[("text", Format::Text), ("json", Format::Json)];

/// Show, carry along or forget what you have done so far
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Progress {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Clone, Debug)]
enum What {
    /// Tell how far you have come in each lesson
    Show {
        /// How to write it
        #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS))]
        format: Format,
    },
    /// Write your answers to a lesson as an answers file; without a lesson, everything
    Export {
        /// The lesson: its id, its number, the beginning of its id, or a file
        lesson: Option<String>,
        #[command(flatten)]
        output: files::Output,
    },
    /// Add progress that was exported to what is there
    Import {
        /// The file; - is the standard input
        file: String,
    },
    /// Forget lessons; without one, everything
    Reset {
        /// The lessons: ids, numbers, or beginnings of ids
        #[arg(value_name = "LESSON")]
        forgotten: Vec<String>,
        /// Do not ask
        #[arg(short, long)]
        yes: bool,
    },
}

impl Progress {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let store = Store::of_user().map_err(not_kept)?;
        match self.what {
            What::Show { format } => show(&store, &library(global)?, format, out)?,
            What::Export { lesson: None, output } => {
                let kept = store.load().map_err(not_kept)?;
                output.write(&progress::to_text(&kept), out)?;
            }
            What::Export { lesson: Some(word), output } => {
                let lesson = own_library(global)?.open(&word).map_err(not_opened)?;
                let kept = store.load().map_err(not_kept)?;
                let nothing = Saved::default();
                let saved = kept.lessons.get(lesson.kept_as().as_str()).unwrap_or(&nothing);
                let (learner, _) = Learner::resume(std::sync::Arc::clone(&lesson), saved)
                    .map_err(|e| Failure::Lesson(e.to_string()))?;
                let text = answers::filled(&lesson, &learner.filled());
                output.write(&text, out)?;
            }
            What::Import { file } => import(&store, &file, out)?,
            What::Reset { forgotten, yes } => {
                reset(&store, &library(global)?, &forgotten, yes, out)?
            }
        }
        Ok(Answer::Yes)
    }
}

fn not_kept(error: NotKept) -> Failure {
    Failure::BadUse(error.to_string())
}

/// One lesson's line.
struct Line {
    id: String,
    standing: &'static str,
    /// Right ones and all, for lessons that are known.
    right: Option<(usize, usize)>,
    answers: u32,
    hints: usize,
    shown: usize,
}

impl Line {
    fn of(id: &str, saved: &Saved, library: &Library) -> Self {
        let tried = || saved.questions.values();
        let (name, who) = id.split_once(FOR).unwrap_or((id, ""));
        let library = library.clone().for_who(who);
        let lesson = library.shelved().iter().find(|s| s.id == name).and_then(|s| s.lesson().ok());
        let learner = lesson.and_then(|l| Learner::resume(l, saved).ok());
        Self {
            id: id.to_owned(),
            standing: saved.standing().word(),
            right: learner.map(|(learner, _)| learner.right_of_all()),
            answers: tried().map(|t| t.attempts).fold(0, u32::saturating_add),
            hints: tried().map(|t| t.hints).fold(0, usize::saturating_add),
            shown: tried().filter(|t| t.shown).count(),
        }
    }
}

fn show(
    store: &Store,
    library: &Library,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let kept = store.load().map_err(not_kept)?;
    let lines: Vec<Line> =
        kept.lessons.iter().map(|(id, saved)| Line::of(id, saved, library)).collect();
    if format == Format::Json {
        let one = |l: &Line| {
            json!({
                "id": l.id, "standing": l.standing, "right": l.right.map(|r| r.0),
                "questions": l.right.map(|r| r.1), "attempts": l.answers, "hints": l.hints,
                "shown": l.shown,
            })
        };
        let all: Vec<_> = lines.iter().map(one).collect();
        let value = json!({ "version": 1, "last": kept.last, "lessons": all });
        serde_json::to_writer_pretty(&mut *out, &value).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    if lines.is_empty() {
        writeln!(out, "nothing yet: lockstep opens the menu of lessons")?;
    }
    let columns = lines.iter().map(|l| l.id.len()).max().unwrap_or(0);
    for line in &lines {
        let right = line.right.map_or("not among the lessons here".to_owned(), |(right, all)| {
            format!("{right} of {all} right")
        });
        let many = |n: u64, what: &str| format!(", {}", count(n, what));
        let mut text = format!("{:<columns$}  {:<7}  {right}", line.id, line.standing);
        text += &many(u64::from(line.answers), "answer");
        text += &many(line.hints as u64, "hint");
        if line.shown > 0 {
            text += &format!(", {} shown", line.shown);
        }
        writeln!(out, "{text}")?;
    }
    Ok(())
}

fn import(store: &Store, path: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let (name, input) = files::open(Path::new(path))?;
    let theirs = progress::read(&name, input).map_err(not_kept)?;
    let (_, aside) = store.update(|kept| kept.absorb(&theirs)).map_err(not_kept)?;
    if let Some(aside) = aside {
        writeln!(out, "{aside}")?;
    }
    let n = theirs.lessons.len();
    writeln!(out, "{} added from {name}", count(n, "lesson"))?;
    Ok(())
}

fn reset(
    store: &Store,
    library: &Library,
    words: &[String],
    yes: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let kept = match store.load() {
        Ok(kept) => kept,
        // A file that cannot be understood can be forgotten all the same: it is put aside.
        Err(NotKept::Damaged(_)) if words.is_empty() => Kept::default(),
        Err(error) => return Err(not_kept(error)),
    };
    let ids: Result<Vec<String>, Failure> =
        words.iter().map(|word| kept_id(&kept, library, word)).collect();
    let ids = ids?;
    let what = match ids.as_slice() {
        [] => "everything you have done".to_owned(),
        some => format!("what you have done in {}", some.join(", ")),
    };
    if !yes && !agreed(&what, out)? {
        writeln!(out, "nothing is forgotten")?;
        return Ok(());
    }
    let forget = |kept: &mut Kept| match ids.as_slice() {
        [] => *kept = Kept::default(),
        some => {
            kept.forget(some);
        }
    };
    let (_, aside) = store.update(forget).map_err(not_kept)?;
    if let Some(aside) = aside {
        writeln!(out, "{aside}")?;
    }
    let forget = |played: &mut Played| match ids.as_slice() {
        [] => *played = Played::default(),
        some => played.forget(some),
    };
    let played = store.beside::<Played>();
    if played.path().exists()
        && let (_, Some(aside)) = played.update(forget).map_err(not_kept)?
    {
        writeln!(out, "{aside}")?;
    }
    writeln!(out, "forgotten: {what}")?;
    Ok(())
}

/// The id under which something is kept of the lesson that a word names.
fn kept_id(kept: &Kept, library: &Library, word: &str) -> Result<String, Failure> {
    let known = |id: &str| kept.lessons.contains_key(id);
    let opened = library.open(word).ok().map(|lesson| lesson.id.clone());
    if let Some(id) = [Some(word.to_owned()), opened].into_iter().flatten().find(|id| known(id)) {
        return Ok(id);
    }
    let near = crate::input::nearest(word, kept.lessons.keys().map(String::as_str));
    let near = near.map_or(String::new(), |c| format!("; did you mean `{c}`?"));
    Err(Failure::BadUse(format!("nothing is kept of a lesson `{word}`{near}")))
}

/// Asks the person at the terminal.
fn agreed(what: &str, out: &mut dyn Write) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::BadUse(format!("this forgets {what}; say --yes to do it")));
    }
    write!(out, "Forget {what}? [y/N] ")?;
    out.flush()?;
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    read.map_err(|source| Failure::Input { what: "the terminal".to_owned(), source })?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
