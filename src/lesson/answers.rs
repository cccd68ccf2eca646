//! Answers files: the blank one that a lesson gives out, and what was written into one.
//!
//! They come from people whom nobody has to trust, so they are read within limits of their own. What is
//! right is not known here.

use super::Lesson;
use super::question::{Question, forms};
use crate::input::{self, Limits, OrderedMap, Raw, Text};
use serde::Deserialize;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// What an answers file may ask of us.
pub const LIMITS: Limits = Limits { bytes: 256 * 1024, depth: 12, nodes: 10_000, unseen: false };

/// Columns of a comment.
const WIDTH: usize = 78;

/// What was written into an answers file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// The id of the lesson.
    #[serde(default)]
    pub lesson: Option<Text>,
    /// Whose answers they are, in any words.
    #[serde(default)]
    pub who: Option<Text>,
    /// What was drawn for them, in a lesson that is drawn.
    #[serde(default)]
    pub drawn: Option<Text>,
    /// Ids of the questions whose solution was shown before they were answered rightly.
    #[serde(default)]
    pub shown: Vec<Text>,
    /// The answers, by question.
    #[serde(default)]
    pub answers: OrderedMap<Text, Raw>,
    /// What the questions looked like when the file was made: see `seen`.
    #[serde(default)]
    pub seen: OrderedMap<Text, Text>,
    /// Why an answer cannot be read, by question, where the file is not in order.
    #[serde(skip)]
    pub unread: OrderedMap<String, String>,
    /// What else there is to say about the form of the file.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

impl Answers {
    /// What was answered to a question, as its text; `None`: nothing.
    #[must_use]
    pub fn to(&self, id: &str) -> Option<String> {
        self.answers.get(id).map(as_text).filter(|text| !input::folded(text).is_empty())
    }

    /// What was answered to a question, letters meaning what stood there when the file was made.
    ///
    /// # Errors
    /// The file is not in order where the answer stands, or what was picked is not there any more.
    pub fn given(&self, question: &dyn Question) -> Result<Option<String>, String> {
        let id = question.common().id;
        if let Some(why) = self.unread.get(id) {
            return Err(why.clone());
        }
        let seen = self.seen.get(id).map(Text::as_str).unwrap_or_default();
        let given = self.to(id).filter(|given| given.trim() != question.blank().trim());
        given.map(|given| super::seen::meant(question, seen, &given)).transpose()
    }

    /// What to be warned of: a file that does not say what its questions looked like.
    #[must_use]
    pub fn warning(&self) -> Option<&'static str> {
        let answered = self.answers.keys().any(|id| self.to(id).is_some());
        (answered && self.seen.is_empty()).then_some(
            "there is no `seen:` in this file, so a letter means what stands there now: fill in the \
             file that `lockstep answers` writes",
        )
    }

    /// Whether the solution of a question was shown.
    #[must_use]
    pub fn was_shown(&self, id: &str) -> bool {
        self.shown.iter().any(|s| s.trim() == id)
    }
}

/// An answer as one text: the items of a list one a line, an entry of a map as `key: value`, and what
/// lies deeper with all its keys before the colon, like `P1 queue: P1, P2`.
#[must_use]
pub fn as_text(raw: &Raw) -> String {
    let mut lines = Vec::new();
    flatten(raw, "", &mut lines);
    lines.join("\n")
}

fn is_set(map: &OrderedMap<Text, Raw>) -> bool {
    !map.is_empty() && map.values().all(|value| *value == Raw::Nothing)
}

fn flatten(raw: &Raw, keys: &str, lines: &mut Vec<String>) {
    let line = |text: &str| match keys {
        "" => text.to_owned(),
        keys => format!("{keys}: {text}"),
    };
    match raw {
        Raw::Nothing => {}
        // YAML's words for no value at all.
        Raw::Text(text) if matches!(text.trim(), "" | "~" | "null") => {}
        Raw::Text(text) => lines.push(line(text)),
        // `deferred: []` says that there is nothing; only what has no value at all is left blank.
        Raw::List(items) if !keys.is_empty() && items.is_empty() => lines.push(line("none")),
        Raw::Map(cells) if keys.contains(' ') && cells.is_empty() => lines.push(line("none")),
        Raw::List(items) if !keys.is_empty() && items.iter().all(|i| i.as_text().is_some()) => {
            let items: Vec<&str> = items.iter().filter_map(Raw::as_text).collect();
            lines.push(line(&items.join(", ")));
        }
        Raw::List(items) => items.iter().for_each(|item| flatten(item, keys, lines)),
        // `{P1, P3}` is how a set is written, and YAML's way to write a map of nothing.
        Raw::Map(set) if is_set(set) && (keys.is_empty() || keys.contains(' ')) => {
            let members: Vec<&str> = set.iter().map(|(member, _)| member.as_ref()).collect();
            lines.push(line(&members.join(", ")));
        }
        Raw::Map(entries) => {
            for (key, value) in entries.iter() {
                flatten(value, format!("{keys} {key}").trim(), lines);
            }
        }
    }
}

/// What an answers file is filled with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// Answers in canonical form, by question.
    pub answers: OrderedMap<String, String>,
    /// Ids of the questions whose solution was shown.
    pub shown: Vec<String>,
}

/// The answers file of a lesson in which nothing is answered: every prompt as a comment.
#[must_use]
pub fn blank(lesson: &Lesson) -> String {
    filled(lesson, &Filled::default())
}

/// The answers file of a lesson, with answers. No key is in it.
#[must_use]
pub fn filled(lesson: &Lesson, with: &Filled) -> String {
    let mut text = String::new();
    comment(&mut text, "# ", &lesson.title);
    let how = "Write each answer behind its name, after a space: a letter, a number or the words. \
               An answer of several lines is a list, each line after `- `. Put quotes round an answer \
               that has a colon in it. Own words go below their name, each line four spaces in.";
    comment(&mut text, "# ", how);
    let _ = writeln!(text, "lesson: {}", lesson.id);
    match &lesson.drawn {
        Some(drawn) => {
            let how =
                "The numbers of this lesson were drawn for this name: leave both as they are.";
            comment(&mut text, "# ", how);
            text.push_str(&entry("who", &lesson.who, ""));
            text.push_str(&entry("drawn", drawn, ""));
        }
        None if lesson.who.is_empty() => {
            text.push_str("who:   # your name, if the results are to carry it\n");
        }
        None => text.push_str(&entry("who", &lesson.who, "")),
    }
    if !with.shown.is_empty() {
        text.push_str("# The solutions of these were looked at; they earn nothing.\n");
        text.push_str(&entry("shown", &with.shown, ""));
    }
    text.push_str("answers:\n");
    for (n, question) in lesson.questions().enumerate() {
        asked(&mut text, n + 1, question);
        let id = question.common().id;
        let given = with.answers.get(id).map_or(question.blank(), String::as_str);
        if given.trim().is_empty() {
            // Below this mark a colon, a quote and a `#` are but words.
            let block = if question.kind() == "explain" { " |" } else { "" };
            let _ = writeln!(text, "  {id}:{block}");
        } else {
            text.push_str(&entry(id, &given, "  "));
        }
    }
    if lesson.questions().next().is_none() {
        text.push_str("  # this lesson asks nothing\n");
        return text;
    }
    let looks = |q: &dyn Question| (q.common().id.to_owned(), super::seen::looks(q));
    let seen: OrderedMap<String, String> = lesson.questions().map(looks).collect();
    text.push_str("\n# What the questions looked like: leave it as it is.\n");
    text.push_str(&entry("seen", &seen, ""));
    text
}

/// One key with its value.
fn entry<T: serde::Serialize>(key: &str, value: &T, indent: &str) -> String {
    let map: OrderedMap<&str, &T> = [(key, value)].into_iter().collect();
    let yaml = input::to_yaml(&map);
    let line = |l: &str| if l.is_empty() { "\n".to_owned() } else { format!("{indent}{l}\n") };
    yaml.lines().map(line).collect()
}

/// A question as a comment: its prompt, what can be picked, how an answer looks.
fn asked(text: &mut String, n: usize, question: &dyn Question) {
    text.push('\n');
    comment(text, "  # ", &format!("{n}. {}", question.common().prompt.trim()));
    let picks = question.picks();
    for (place, pick) in picks.iter().enumerate() {
        comment(text, "  #    ", &format!("{}) {}", forms::letter(place), pick.text));
    }
    if picks.is_empty() {
        let sheet = question.sheet();
        let rules = sheet.lines().filter_map(rule).filter(|l| !l.trim().is_empty());
        rules.for_each(|rule| comment(text, "  # ", rule));
    }
    if let Err(form) = question.read("") {
        comment(text, "  # ", &form.0);
    }
}

/// A line of a worksheet without the blank that is filled in on paper; what is nothing but blanks goes.
fn rule(line: &str) -> Option<&str> {
    if !line.contains("____") {
        return Some(line);
    }
    line.trim_end().trim_end_matches('_').trim_end().strip_suffix(':')
}

/// A text as lines of a comment.
fn comment(text: &mut String, lead: &str, words: &str) {
    for paragraph in words.lines() {
        let mut line = lead.to_owned();
        let mut empty = true;
        for word in paragraph.split_whitespace() {
            if !empty && line.width() + 1 + word.width() > WIDTH {
                let _ = writeln!(text, "{}", line.trim_end());
                line = lead.to_owned();
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Answers {
        Answers::read("a.yaml", text.as_bytes()).expect("the form is right")
    }

    #[test]
    fn an_answer_of_any_form_is_one_text() {
        let answers = read(
            "answers:\n  a: no\n  b: [x, y]\n  m: {x, y}\n  n: {}\n  c: {P1: {queue: [P1, P2], clock: 08}, P2: {clock: 1}}\n  \
             s: {P2: {deferred: {P1, P3}}}\n  d:\n  j: ~\n  k: null\n  e: ' '\n  f: []\n  i: {P1: {clock: ''}}\n  h: {P1: {queue: [], clock: }, P2: {heard: {}}}\n",
        );
        assert_eq!(answers.to("a").as_deref(), Some("no"));
        assert_eq!(answers.to("b").as_deref(), Some("x\ny"));
        assert_eq!(answers.to("m").as_deref(), Some("x, y"));
        assert_eq!(answers.to("c").as_deref(), Some("P1 queue: P1, P2\nP1 clock: 08\nP2 clock: 1"));
        assert_eq!(answers.to("s").as_deref(), Some("P2 deferred: P1, P3"));
        assert_eq!(answers.to("h").as_deref(), Some("P1 queue: none\nP2 heard: none"));
        for blank in ["d", "e", "f", "g", "i", "j", "k", "n"] {
            assert_eq!(answers.to(blank), None, "{blank}");
        }
    }

    #[test]
    fn a_long_prompt_stays_in_its_comment() {
        let mut text = String::new();
        comment(&mut text, "  # ", &"word ".repeat(60));
        comment(&mut text, "  # ", "a: 1\nb: [");
        assert!(text.lines().count() > 4);
        assert!(text.lines().all(|l| l.starts_with("  # ") && l.width() <= WIDTH), "{text}");
    }
}
