//! Where lessons come from: the binary itself, a folder, a single file; and how one is found by name.
//!
//! A lesson with a fault never opens half.

use super::Lesson;
use super::check;
use super::kinds::{self, Kind};
use super::summary::Summary;
use crate::files;
use crate::input::{
    Document, Limits, Path as Place, Pos, Problem, Problems, Source, clean, nearest, parse_text,
};
use crate::model::Script;
use include_dir::{Dir, include_dir};
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lessons that the binary carries.
static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/lessons");

/// What a lesson file should hold, in messages.
pub(super) const NOUN: &str = "lesson";

/// A lesson file with faults: all of them, and its text to show them in, where it could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLesson {
    /// Everything that is wrong.
    pub problems: Problems,
    /// The text.
    pub source: Option<Box<Source>>,
}

impl BadLesson {
    /// Each problem with its line and a caret, `width` columns wide.
    #[must_use]
    pub fn render(&self, width: usize) -> String {
        match &self.source {
            Some(source) => self.problems.render(source, width),
            None => self.problems.to_string(),
        }
    }
}

/// `file:line:column: message`, one problem a line.
impl fmt::Display for BadLesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problems.fmt(f)
    }
}

impl std::error::Error for BadLesson {}

impl From<Problems> for BadLesson {
    fn from(problems: Problems) -> Self {
        Self { problems, source: None }
    }
}

/// A folder of lessons that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no lessons in `{folder}`: {reason}")]
pub struct NoFolder {
    /// The folder, as it was named.
    pub folder: String,
    /// Why not.
    pub reason: String,
}

/// Why no lesson was opened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotOpened {
    /// There is none of that name.
    #[error("{0}")]
    Unknown(String),
    /// More than one name begins so.
    #[error("{0}")]
    Several(String),
    /// The name is that of a file, and there is none.
    #[error("{0}")]
    NoFile(String),
    /// There is one, with faults.
    #[error("{0}")]
    Bad(BadLesson),
}

/// One lesson file of a library, known by its name alone.
#[derive(Clone, Debug)]
pub struct LessonEntry {
    /// How messages call the file.
    pub name: String,
    /// The number in front of its name.
    pub order: Option<u32>,
    /// The id, by its name.
    pub id: String,
    /// For whom lessons are drawn that are drawn.
    who: String,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Embedded(&'static [u8]),
    File(PathBuf),
}

/// The file of a folder of lessons that says in which order they come: an id a line.
const ORDER: &str = "order.txt";

/// A row of lessons, in the order of their course: that of the folder's `order.txt`, else of their file names.
#[derive(Clone, Debug)]
pub struct Library {
    shelved: Vec<LessonEntry>,
    who: String,
}

impl Library {
    /// The lessons that the binary carries.
    #[must_use]
    pub fn embedded() -> Self {
        let one = |file: &'static include_dir::File<'static>| {
            let name = format!("lessons/{}", file.path().display());
            shelve(file.path(), name, Content::Embedded(file.contents()))
        };
        let order = EMBEDDED.get_file(ORDER).and_then(include_dir::File::contents_utf8);
        Self::of(EMBEDDED.files().filter_map(one).collect(), order)
    }

    /// The lessons of a folder: its files that end in `.yaml` or `.yml`.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn folder(folder: &Path) -> Result<Self, NoFolder> {
        let wrong = |error: std::io::Error| NoFolder {
            folder: clean(&folder.display().to_string()).into_owned(),
            reason: match error.kind() {
                std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
                std::io::ErrorKind::NotADirectory => "that is no folder of lessons".to_owned(),
                _ => error.to_string(),
            },
        };
        let mut shelved = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            let shown = path.display().to_string();
            if path.is_file() {
                files::note_input(&path);
                shelved.extend(shelve(&path, shown, Content::File(path.clone())));
            }
        }
        let order = folder.join(ORDER);
        files::note_input(&order);
        Ok(Self::of(shelved, std::fs::read_to_string(order).ok().as_deref()))
    }

    fn of(mut shelved: Vec<LessonEntry>, order: Option<&str>) -> Self {
        let order = order.unwrap_or_default().trim_start_matches('\u{feff}');
        let named: Vec<&str> = order.lines().map(str::trim).collect();
        shelved.sort_by_cached_key(|lesson| {
            let place = named.iter().position(|id| *id == lesson.id);
            (place.is_none(), place, lesson.order.is_none(), lesson.order, lesson.id.clone())
        });
        Self { shelved, who: String::new() }
    }

    /// The same lessons for somebody: those that are drawn are drawn for that name.
    #[must_use]
    pub fn for_who(mut self, who: &str) -> Self {
        who.clone_into(&mut self.who);
        self.shelved.iter_mut().for_each(|s| who.clone_into(&mut s.who));
        self
    }

    /// For whom they are.
    #[must_use]
    pub fn who(&self) -> &str {
        &self.who
    }

    /// The files, in order.
    #[must_use]
    pub fn shelved(&self) -> &[LessonEntry] {
        &self.shelved
    }

    /// Opens a lesson by id, number, unique beginning of its id, or path of a file.
    ///
    /// # Errors
    /// No lesson is called so (the nearest names are given), or it has faults.
    pub fn open(&self, word: &str) -> Result<Arc<Lesson>, NotOpened> {
        if let Some(found) = self.by_name(word) {
            return found.lesson().map_err(NotOpened::Bad);
        }
        let path = Path::new(word);
        if path.exists() && !path.is_dir() {
            let source = source_of_file(path).map_err(NotOpened::Bad)?;
            return checked_for(source, &self.who).map_err(NotOpened::Bad);
        }
        let folder = path.is_dir();
        if !folder && (is_lesson_file(path) || word.contains(std::path::MAIN_SEPARATOR)) {
            return Err(NotOpened::NoFile(format!("there is no lesson file `{word}`")));
        }
        match self.by_beginning(word).as_slice() {
            [only] => only.lesson().map_err(NotOpened::Bad),
            [] if folder => {
                let message = format!("`{word}` is a folder; --lessons {word} reads its lessons");
                Err(NotOpened::NoFile(message))
            }
            [] => Err(NotOpened::Unknown(self.nothing_called(word))),
            several => {
                let ids: Vec<&str> = several.iter().map(|s| s.id.as_str()).collect();
                let message = format!("`{word}` begins more than one lesson: {}", ids.join(", "));
                Err(NotOpened::Several(message))
            }
        }
    }

    /// Opens the lesson of which progress is kept under a name; `None`: it is gone, or has faults by now.
    #[must_use]
    pub fn open_kept(&self, kept: &str) -> Option<Arc<Lesson>> {
        let (id, who) = kept.split_once(super::vary::FOR).unwrap_or((kept, &self.who));
        self.clone().for_who(who).open(id).ok()
    }

    fn by_name(&self, word: &str) -> Option<&LessonEntry> {
        let number: Option<u32> = word.parse().ok();
        let exact = self.shelved.iter().find(|s| s.id.eq_ignore_ascii_case(word));
        exact.or_else(|| self.shelved.iter().find(|s| s.order.is_some() && s.order == number))
    }

    fn by_beginning(&self, word: &str) -> Vec<&LessonEntry> {
        let word = word.to_ascii_lowercase();
        let begins = |s: &&LessonEntry| {
            let numbered = s.order.map_or(String::new(), |n| format!("{n:02}-{}", s.id));
            !word.is_empty() && (s.id.starts_with(&word) || numbered.starts_with(&word))
        };
        self.shelved.iter().filter(begins).collect()
    }

    fn nothing_called(&self, word: &str) -> String {
        let ids = || self.shelved.iter().map(|s| s.id.as_str());
        let known: Vec<&str> = ids().collect();
        match (nearest(word, ids()), known.as_slice()) {
            (Some(close), _) => format!("no lesson is called `{word}`; did you mean `{close}`?"),
            (None, []) => format!("no lesson is called `{word}`: there are none here"),
            (None, all) => format!("no lesson is called `{word}`; there are {}", all.join(", ")),
        }
    }
}

impl LessonEntry {
    /// The text of the file.
    ///
    /// # Errors
    /// It cannot be read, or is no text.
    pub fn source(&self) -> Result<Source, BadLesson> {
        match &self.content {
            Content::Embedded(bytes) => {
                Ok(Source::from_bytes(&self.name, bytes, NOUN, Limits::FILE)?)
            }
            Content::File(path) => source_of_file(path),
        }
    }

    /// Reads and checks the lesson.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn lesson(&self) -> Result<Arc<Lesson>, BadLesson> {
        let source = self.source()?;
        let lesson = checked_for(source.clone(), &self.who)?;
        if let Some(problem) = self.misnamed(lesson.document()) {
            return Err(BadLesson { problems: problem.into(), source: Some(Box::new(source)) });
        }
        Ok(lesson)
    }

    /// What a list tells of the lesson, if that is known without all the rest: a test has checked the
    /// lessons that the binary carries, and a stranger's file may turn out to have faults.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        let Content::Embedded(bytes) = &self.content else { return None };
        Summary::of_text(&self.name, std::str::from_utf8(bytes).ok()?)
    }

    /// Says that a file with a number is named otherwise than its lesson.
    #[must_use]
    pub fn misnamed(&self, document: &Document) -> Option<Problem> {
        // Only a number in front says that the name is a lesson's.
        self.order?;
        let path = Place::root().key("id");
        let other = document.text_at(&path).is_some_and(|id| id != self.id);
        let message = format!("the file is named after the id `{}`; use one of them", self.id);
        other.then(|| document.problem(path, message))
    }
}

/// Reads and checks a lesson file.
///
/// # Errors
/// Everything that is wrong with it.
pub fn file(path: &Path) -> Result<Arc<Lesson>, BadLesson> {
    checked(source_of_file(path)?)
}

/// Reads and checks a lesson from something that the caller has opened; `name` is how messages call it.
///
/// # Errors
/// Everything that is wrong with it.
pub fn reader(name: &str, from: impl Read) -> Result<Arc<Lesson>, BadLesson> {
    checked(source_of_reader(name, from)?)
}

/// The text of a lesson that the caller has opened.
///
/// # Errors
/// It cannot be read, or is no text.
pub fn source_of_reader(name: &str, from: impl Read) -> Result<Source, BadLesson> {
    // A script is no YAML, which would be told before what it is.
    if Script::is_named(name) {
        let instead = kinds::instead(&Kind::Script, &Kind::Lesson);
        return Err(Problems::from(Problem::new(name, Pos::START, instead)).into());
    }
    let source = Source::from_reader(name, from, NOUN, Limits::FILE)?;
    kinds::wanted(&source, Kind::Lesson).map_err(Problems::from)?;
    Ok(source)
}

/// Says that a lesson file with a number is named otherwise than its lesson: a folder of lessons would
/// refuse it.
#[must_use]
pub fn misnamed_file(path: &Path, source: &Source) -> Option<Problem> {
    let shown = path.display().to_string();
    shelve(path, shown, Content::File(path.to_owned()))?.misnamed(&parse_text(source).0?)
}

/// The text of a lesson file.
///
/// # Errors
/// It cannot be read, or is no text.
pub fn source_of_file(path: &Path) -> Result<Source, BadLesson> {
    let name = path.display().to_string();
    let opened = files::open(path).map_err(|error| unreadable(&name, &error))?;
    source_of_reader(&name, opened)
}

/// Checks a text.
///
/// # Errors
/// Everything that is wrong with it.
pub fn checked(source: Source) -> Result<Arc<Lesson>, BadLesson> {
    checked_for(source, "")
}

/// Checks a text; a lesson that is drawn is drawn for somebody.
///
/// # Errors
/// Everything that is wrong with it.
pub fn checked_for(source: Source, who: &str) -> Result<Arc<Lesson>, BadLesson> {
    match check::lesson(&source, who) {
        Ok(lesson) => Ok(Arc::new(lesson)),
        Err(problems) => Err(BadLesson { problems, source: Some(Box::new(source)) }),
    }
}

fn unreadable(name: &str, error: &std::io::Error) -> BadLesson {
    let message = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    Problems::from(Problem::new(name, Pos::START, message)).into()
}

fn is_lesson_file(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("yaml") || e.eq_ignore_ascii_case("yml"))
}

/// What a file's name says: `09-ricart-agrawala-race.yaml`.
fn shelve(path: &Path, name: String, content: Content) -> Option<LessonEntry> {
    let stem = path.file_stem()?.to_str().filter(|_| is_lesson_file(path))?;
    let (order, id) = match stem.split_once('-') {
        Some((number, id)) if number.bytes().all(|b| b.is_ascii_digit()) => {
            (number.parse().ok(), id)
        }
        _ => (None, stem),
    };
    Some(LessonEntry { name, order, id: id.to_owned(), who: String::new(), content })
}
