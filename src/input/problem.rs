//! One thing that is wrong with a file, and where: the shape of every message about input.
//!
//! This file must not find problems, and no text that it holds or prints may carry a control
//! character.

use std::fmt;

use serde::Serialize;

use super::Path;
use super::clean::one_line;

/// No more than this many problems of one file are listed.
pub(super) const MOST_PROBLEMS: usize = 20;

/// A place in a text: both numbers start at 1, the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Pos {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl Pos {
    /// The very first character.
    pub const START: Pos = Pos { line: 1, column: 1 };
}

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but says perhaps not what was meant.
    Warning,
    /// The file is in order, and could be better.
    Advice,
}

impl Severity {
    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Advice => "advice",
        }
    }
}

/// One thing that is wrong with a file. All its texts are cleaned and on one line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    file: Box<str>,
    #[serde(flatten)]
    pos: Pos,
    severity: Severity,
    message: Box<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Box<str>>,
    #[serde(skip)]
    item: Option<Box<str>>,
}

impl Problem {
    /// An error at a place of the file called `file`.
    #[must_use]
    pub fn new(file: &str, pos: Pos, message: impl AsRef<str>) -> Problem {
        Problem {
            file: one_line(file).into(),
            pos,
            severity: Severity::Error,
            message: one_line(message.as_ref()).into(),
            help: None,
            path: None,
            item: None,
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl AsRef<str>) -> Problem {
        self.help = Some(one_line(help.as_ref()).into());
        self
    }

    /// Adds which part of the document it is about.
    #[must_use]
    pub fn with_path(mut self, path: &Path) -> Problem {
        self.item = path.item_in_words().map(|words| one_line(&words).into());
        self.path = (!path.segs().is_empty()).then(|| one_line(&path.to_string()).into());
        self
    }

    /// Makes it a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Problem {
        self.severity = Severity::Warning;
        self
    }

    /// Makes it advice.
    #[must_use]
    pub fn as_advice(mut self) -> Problem {
        self.severity = Severity::Advice;
        self
    }

    /// The same problem so many lines further down: what was read was a part of a file.
    #[must_use]
    pub fn below(mut self, lines: usize) -> Problem {
        self.pos.line += lines;
        self
    }

    /// The name of the file, as it was given.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Where it is.
    #[must_use]
    pub fn pos(&self) -> Pos {
        self.pos
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.pos.line
    }

    /// The column in characters, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.pos.column
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, where that is known.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The part of the document, such as `steps[3].predict`.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// `file:line:column: error: message (help)`, on one line.
    #[must_use]
    pub fn with_severity(&self) -> String {
        self.line_of(&format!("{}: ", self.severity.word()))
    }

    fn line_of(&self, severity: &str) -> String {
        let Pos { line, column } = self.pos;
        let help = self.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        format!("{}:{line}:{column}: {severity}{}{help}", self.file, self.title())
    }

    /// The message with its list item in front: "item 4 of `steps`: unknown key …".
    pub(super) fn title(&self) -> String {
        match &self.item {
            Some(item) => format!("{item}: {}", self.message),
            None => self.message.to_string(),
        }
    }
}

/// `file:line:column: message (help)`, on one line.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let warns = self.severity == Severity::Warning;
        f.write_str(&self.line_of(if warns { "warning: " } else { "" }))
    }
}

impl std::error::Error for Problem {}

/// Everything that is wrong with a file, in the order of the text. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// The problems in the order of the text, or nothing if there are none.
    #[must_use]
    pub fn of(mut problems: Vec<Problem>) -> Option<Problems> {
        problems.sort_by(|a, b| a.pos.cmp(&b.pos).then_with(|| a.cmp(b)));
        problems.dedup();
        (!problems.is_empty()).then_some(Problems(problems))
    }

    /// The first problem of the text.
    #[must_use]
    pub fn first(&self) -> &Problem {
        self.0.first().expect("`of` makes no empty list")
    }

    /// All of them, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.0.iter()
    }

    /// How many there are; at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a list of problems is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Gives the problems away.
    #[must_use]
    pub fn into_vec(self) -> Vec<Problem> {
        self.0
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Problems {
        Problems(vec![problem])
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One problem a line.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
