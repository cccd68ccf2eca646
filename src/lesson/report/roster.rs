//! A class list filled with points: its columns and lines stay as they are, in their order.
//!
//! A hand-in belongs to a line by the name that stands in it, else by the name of its file or folder. What
//! fits two lines, or a line that two hand-ins fit, is nobody's to choose: it is told and left empty.

use super::super::batch::HandedIn;
use super::super::mark::points;
use super::super::vary::folded;
use super::csv::{read_table, unformula};
use super::{named, whole};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What columns are called that name a person, in Canvas, Moodle, Gradescope, GitHub Classroom and in a plain
/// list.
const KEYS: &[&str] = &[
    "id",
    "student",
    "name",
    "full name",
    "email",
    "email address",
    "e-mail",
    "username",
    "id number",
    "login",
    "sis login id",
    "sid",
    "identifier",
    "github_username",
    "sis user id",
    "student id",
    "matriculation number",
    "who",
];
/// Columns of which two make a name.
const PARTS: &[(&str, &str)] = &[("first name", "last name"), ("first name", "surname")];
/// What Canvas calls a line that is nobody's.
const POSSIBLE: &str = "Points Possible";
/// The columns behind that of the points.
const MORE: [&str; 3] = ["max_score", "status", "file"];

/// A class list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roster {
    delimiter: u8,
    head: Vec<String>,
    lines: Vec<Vec<String>>,
    /// How each line's person is called; empty: it is nobody's.
    names: Vec<String>,
    /// The lines of each folded name.
    index: BTreeMap<String, BTreeSet<usize>>,
}

/// A filled list, and what there is to say about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filled {
    /// The list as CSV.
    pub text: String,
    /// Who handed in nothing, what belongs to nobody, what belongs to two.
    pub notes: Vec<String>,
}

impl Roster {
    /// Reads a list. `keys` are the columns that name a person; none: those that are called so.
    ///
    /// # Errors
    /// It is no CSV, or has no such column.
    pub fn read(text: &str, keys: &[String]) -> Result<Self, String> {
        let (delimiter, mut lines) = read_table(text)?;
        if lines.is_empty() {
            return Err("the list is empty".to_owned());
        }
        let head = lines.remove(0);
        let column = |name: &str| head.iter().position(|title| folded(title) == folded(name));
        if let Some(none) = keys.iter().find(|key| column(key).is_none()) {
            return Err(format!("no column is called `{none}`; there are {}", head.join(", ")));
        }
        let asked = |title: &String| match keys {
            [] => KEYS.contains(&folded(title).as_str()),
            keys => keys.iter().any(|key| folded(key) == folded(title)),
        };
        let single: Vec<usize> = (0..head.len()).filter(|n| asked(&head[*n])).collect();
        let parts = PARTS.iter().filter_map(|(a, b)| Some((column(a)?, column(b)?)));
        let parts: Vec<(usize, usize)> = parts.filter(|_| keys.is_empty()).collect();
        if single.is_empty() && parts.is_empty() {
            let known = KEYS.join(", ");
            return Err(format!("no column names a person; say which does (known are {known})"));
        }
        let mut roster = Self { delimiter, names: Vec::new(), index: BTreeMap::new(), head, lines };
        for (n, line) in roster.lines.iter().enumerate() {
            let cell = |n: usize| line.get(n).map_or("", |cell| cell.trim());
            let pairs = parts.iter().map(|(a, b)| format!("{} {}", cell(*a), cell(*b)));
            let mut names: Vec<String> = single.iter().map(|n| cell(*n).to_owned()).collect();
            names.extend(pairs);
            names.retain(|name| !name.trim().is_empty() && name != POSSIBLE);
            // `Lovelace, Ada` is Ada Lovelace.
            let turned = names.iter().filter_map(|name| name.split_once(','));
            let turned: Vec<String> = turned.map(|(a, b)| format!("{b} {a}")).collect();
            for name in names.iter().chain(&turned) {
                roster.index.entry(folded(name)).or_default().insert(n);
            }
            roster.names.push(names.into_iter().next().unwrap_or_default());
        }
        Ok(roster)
    }

    /// Fills the list; the points go into this column, which is added where there is none.
    #[must_use]
    pub fn fill(&self, files: &[HandedIn], column: &str) -> Filled {
        let mut given: Vec<Vec<(String, &HandedIn)>> = vec![Vec::new(); self.lines.len()];
        let mut notes = Vec::new();
        for (name, file) in named(files) {
            match self.lines_of(file).as_slice() {
                [one] => given[*one].push((name, file)),
                [] => notes.push(format!("{name} belongs to nobody in the list")),
                _ => notes.push(format!("{name} fits more than one line of the list")),
            }
        }
        let mut head = self.head.clone();
        let mut place = |title: &str| match head.iter().position(|known| known == title) {
            Some(place) => place,
            None => {
                head.push(title.to_owned());
                head.len() - 1
            }
        };
        let score = place(column);
        let more = MORE.map(&mut place);
        let mut lines = vec![head.clone()];
        for ((line, given), name) in self.lines.iter().zip(&given).zip(&self.names) {
            let mut line = line.clone();
            line.resize(head.len().max(line.len()), String::new());
            let cells = if name.is_empty() { <[String; 4]>::default() } else { cells(given) };
            notes.extend(note(name, given));
            for (place, cell) in [score].into_iter().chain(more).zip(cells) {
                // What is there already, such as the points that can be had, stays where nothing is new.
                if !cell.is_empty() {
                    line[place] = cell;
                }
            }
            lines.push(line);
        }
        Filled { text: super::csv::table(self.delimiter, &lines), notes }
    }

    /// The lines to which a file belongs: by the name in it, else by that of the file or its folder, else by
    /// a part of these, as in `lovelaceada_4711_9_answers.yaml` and `Ada Lovelace_4711_assignsubmission_file_`.
    fn lines_of(&self, file: &HandedIn) -> Vec<usize> {
        let who = file.result.as_ref().ok().and_then(|report| report.who.clone());
        let path = Path::new(&file.file);
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        let folder = path.parent().and_then(Path::file_name);
        let folder = folder.map(|s| s.to_string_lossy().into_owned());
        let called = [who, stem.clone(), folder.clone()].into_iter().flatten();
        let named = [stem, folder].into_iter().flatten();
        let parts: Vec<String> =
            named.flat_map(|name| name.split('_').map(str::to_owned).collect::<Vec<_>>()).collect();
        let mut called = called.chain(parts).map(|name| folded(&name));
        let lines = called.find_map(|name| self.index.get(&name));
        lines.into_iter().flatten().copied().collect()
    }
}

/// What a line gets: points, points that could be earned, a word, the file.
fn cells(given: &[(String, &HandedIn)]) -> [String; 4] {
    match given {
        [] => [String::new(), String::new(), "missing".to_owned(), String::new()],
        [(name, file)] => match &file.result {
            Ok(report) => {
                let (score, max) = report.score();
                [points(score), points(max), whole(report).to_owned(), unformula(name)]
            }
            Err(refusal) => {
                let max = refusal.points.to_string();
                ["0".to_owned(), max, "error".to_owned(), unformula(name)]
            }
        },
        several => {
            let names: Vec<&str> = several.iter().map(|(name, _)| name.as_str()).collect();
            [String::new(), String::new(), "several".to_owned(), unformula(&names.join("; "))]
        }
    }
}

fn note(name: &str, given: &[(String, &HandedIn)]) -> Option<String> {
    match given.len() {
        1 => None,
        0 if name.is_empty() => None,
        0 => Some(format!("nothing was handed in by {name}")),
        n => Some(format!("{n} files were handed in by {name}: no points are filled in")),
    }
}
