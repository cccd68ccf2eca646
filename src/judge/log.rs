//! Logs of programs: JSON lines, lines of words, ShiViz's two lines an event, or what a pattern finds.
//!
//! A log becomes a flat list of entries. Names, kinds and ids are numbers of small tables, so that a log of
//! a million lines stays small. What the entries mean is not judged here.

use crate::input::nearest;
use regex::{Captures, Regex};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer};
use std::sync::LazyLock;

/// What an entry can be, as logs write it.
const WORDS: [&str; 8] =
    ["request", "send", "receive", "enter", "exit", "crash", "recover", "timeout"];

/// What ShiViz and GoVector write for an event unless they are told otherwise.
static SHIVIZ: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^(?<node>\S+) (?<clock>\{.*\})\r?\n(?<event>.*)$").expect("it is a pattern")
});

/// Where an entry stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The place of its file among those of the log.
    pub file: u32,
    /// Its line, from 1.
    pub line: u32,
}

/// A message as an entry names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// The receiver of what is sent, the sender of what is received: its number among the names.
    pub peer: u32,
    /// The number of its kind.
    pub kind: u32,
    /// The clock value of its stamp.
    pub clock: Option<u32>,
    /// The number of its id.
    pub id: Option<u32>,
}

/// What an entry says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The application asks for the lock.
    Request,
    /// The node enters the critical section.
    Enter,
    /// The node leaves the critical section.
    Exit,
    /// The node stops.
    Crash,
    /// The node goes on after a crash.
    Recover,
    /// The node's timer fires.
    Timeout,
    /// The node sends a message.
    Send(Message),
    /// The node receives a message.
    Receive(Message),
}

/// An event that a program has logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Where it stands.
    pub at: Place,
    /// The number of the node's name.
    pub node: u32,
    /// What happened.
    pub what: What,
}

/// Texts that are numbers here, in the order in which they came.
#[derive(Debug, Default)]
pub struct Table {
    numbers: FxHashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
}

impl Table {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).expect("a log has fewer lines than that");
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    /// The text of a number.
    #[must_use]
    pub fn get(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// All texts, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(AsRef::as_ref)
    }
}

/// A log, of one file or several.
#[derive(Debug, Default)]
pub struct Log {
    /// The files, as messages call them.
    pub files: Vec<String>,
    /// All entries, file by file.
    pub entries: Vec<Entry>,
    /// The names of nodes that it mentions.
    pub names: Table,
    /// The kinds of messages that it mentions, as the algorithm calls them.
    pub kinds: Table,
    /// How many lines it has.
    pub lines: u32,
    /// What was passed over, in words, with the place of the first.
    pub skipped: Vec<String>,
    ids: Table,
}

/// Why a log cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {why}")]
pub struct Unreadable {
    /// The file, as messages call it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The reason.
    pub why: String,
}

/// How entries are written where nothing else is known.
#[derive(Debug, Default)]
pub struct Reading {
    /// Kinds of the log with the names that the algorithm has for them.
    pub kinds: Vec<(String, String)>,
    /// A pattern with the groups `node` (or `host`) and `event`.
    pub pattern: Option<Regex>,
}

/// An entry in text, before its words are looked up.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Written {
    #[serde(deserialize_with = "word")]
    node: Option<String>,
    #[serde(deserialize_with = "word")]
    event: Option<String>,
    #[serde(deserialize_with = "word")]
    kind: Option<String>,
    #[serde(deserialize_with = "word")]
    to: Option<String>,
    #[serde(deserialize_with = "word")]
    from: Option<String>,
    #[serde(deserialize_with = "word")]
    id: Option<String>,
    stamp: Option<serde_json::Value>,
}

/// A word; many programs write their nodes as numbers.
fn word<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    use serde_json::Value;
    Ok(match Value::deserialize(from)? {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    })
}

impl Log {
    /// Adds a file's entries.
    ///
    /// # Errors
    /// The first line that is no entry. A last line that was not written to its end is passed over.
    pub fn add(&mut self, name: &str, text: &str, reading: &Reading) -> Result<(), Unreadable> {
        self.files.push(name.to_owned());
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let before = self.lines;
        let read = match &reading.pattern {
            Some(pattern) => self.add_found(pattern, text, reading),
            None if first.trim_start().starts_with('{') => self.add_lines(text, reading, of_json),
            None if SHIVIZ.find(text).is_some_and(|found| text[found.range()].contains(first)) => {
                self.add_found(&SHIVIZ, text, reading)
            }
            None => self.add_lines(text, reading, of_words),
        };
        self.lines = before + u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        read.map_err(|(line, why)| Unreadable { file: name.to_owned(), line, why })
    }

    /// One entry a line.
    fn add_lines(
        &mut self,
        text: &str,
        reading: &Reading,
        read: fn(&str) -> Result<Written, String>,
    ) -> Result<(), (u32, String)> {
        for (line, row) in (1..).zip(text.split_inclusive('\n')) {
            let written = row.trim();
            if written.is_empty() || written.starts_with('#') {
                continue;
            }
            match read(written).and_then(|written| self.entry(&written, line, reading)) {
                Ok(entry) => self.entries.push(entry),
                // The program was stopped while it wrote.
                Err(_) if !row.ends_with('\n') && line > 1 => {
                    self.skip(line, "the last line is not whole");
                }
                Err(why) => return Err((line, why)),
            }
        }
        Ok(())
    }

    /// One entry for each place that a pattern finds; what says nothing of the lock is passed over.
    fn add_found(
        &mut self,
        pattern: &Regex,
        text: &str,
        reading: &Reading,
    ) -> Result<(), (u32, String)> {
        let (mut line, mut seen, mut others) = (1, 0, 0_u32);
        for found in pattern.captures_iter(text) {
            let event = found.name("event").expect("the pattern was looked at before");
            line += lines_in(&text[seen..event.start()]);
            seen = event.start();
            let word = event.as_str().split_whitespace().next().unwrap_or_default();
            if word_of(word).is_none() {
                others += 1;
                if others == 1 {
                    self.skip(line, "the first of the events that are none of the lock's");
                }
                continue;
            }
            let written = of_event(node_of(&found), event.as_str().trim());
            let entry = written.and_then(|written| self.entry(&written, line, reading));
            self.entries.push(entry.map_err(|why| (line, why))?);
        }
        Ok(())
    }

    fn skip(&mut self, line: u32, why: &str) {
        let file = self.files.last().map_or("", String::as_str);
        self.skipped.push(format!("{file}:{line}: passed over: {why}"));
    }

    fn entry(&mut self, written: &Written, line: u32, reading: &Reading) -> Result<Entry, String> {
        let file = u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX);
        let event = written.event.as_deref().ok_or("no `event` is named")?;
        let node = written.node.as_deref().ok_or("no `node` is named")?;
        let word = word_of(event).ok_or_else(|| unknown_word(event))?;
        let what = match word {
            "request" => What::Request,
            "enter" => What::Enter,
            "exit" => What::Exit,
            "crash" => What::Crash,
            "recover" => What::Recover,
            "timeout" => What::Timeout,
            "send" => What::Send(self.message(written, written.to.as_deref(), "to", reading)?),
            _ => What::Receive(self.message(written, written.from.as_deref(), "from", reading)?),
        };
        Ok(Entry { at: Place { file, line }, node: self.names.number(node), what })
    }

    fn message(
        &mut self,
        written: &Written,
        peer: Option<&str>,
        key: &str,
        reading: &Reading,
    ) -> Result<Message, String> {
        let event = written.event.as_deref().unwrap_or_default();
        let kind = written.kind.as_deref().ok_or_else(|| format!("`{event}` names no kind"))?;
        let peer = peer.ok_or_else(|| format!("`{event}` says no `{key}`"))?;
        if Some(peer) == written.node.as_deref() {
            return Err(format!("{peer} is its own peer: messages to oneself are not logged"));
        }
        let called = reading.kinds.iter().find(|(own, _)| own.eq_ignore_ascii_case(kind));
        let kind = called.map_or(kind, |(_, known)| known).to_ascii_uppercase();
        let id = written.id.as_deref().map(|id| self.ids.number(id));
        let clock = written.stamp.as_ref().map(clock_of).transpose()?.flatten();
        Ok(Message { peer: self.names.number(peer), kind: self.kinds.number(&kind), clock, id })
    }
}

fn node_of<'t>(found: &Captures<'t>) -> &'t str {
    found.name("node").or_else(|| found.name("host")).map_or("", |node| node.as_str())
}

fn lines_in(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(u32::MAX)
}

/// The word of the table that a log means.
fn word_of(word: &str) -> Option<&'static str> {
    let word = if word.eq_ignore_ascii_case("recv") { "receive" } else { word };
    WORDS.into_iter().find(|known| known.eq_ignore_ascii_case(word))
}

fn unknown_word(word: &str) -> String {
    match nearest(&word.to_ascii_lowercase(), WORDS) {
        Some(close) => format!("`{word}` is no event; did you mean `{close}`?"),
        None => format!("`{word}` is no event; events are {}", WORDS.join(", ")),
    }
}

/// The clock value of a stamp: `3`, `"3"`, `"(3,P1)"`, `[3, "P1"]`.
fn clock_of(stamp: &serde_json::Value) -> Result<Option<u32>, String> {
    use serde_json::Value;
    let read = match stamp {
        Value::Null => return Ok(None),
        Value::Array(parts) => parts.first().and_then(Value::as_u64),
        Value::String(text) => {
            let inner = text.trim().trim_matches(['(', ')', '[', ']']);
            inner.split(',').next().and_then(|clock| clock.trim().parse().ok())
        }
        other => other.as_u64(),
    };
    let small = read.and_then(|clock| u32::try_from(clock).ok());
    small.map(Some).ok_or_else(|| {
        format!("`{stamp}` is no stamp: a clock value up to {}, or (3,P1)", u32::MAX)
    })
}

fn of_json(line: &str) -> Result<Written, String> {
    serde_json::from_str(line).map_err(|error| format!("this is no line of JSON: {error}"))
}

/// `P1 send REQUEST to P2 (3,P1) #7`.
fn of_words(line: &str) -> Result<Written, String> {
    let (node, event) =
        line.split_once(char::is_whitespace).ok_or("an entry is a node and an event")?;
    of_event(node, event.trim_start())
}

/// `send REQUEST to P2 (3,P1) #7`, said by a node.
fn of_event(node: &str, text: &str) -> Result<Written, String> {
    let mut words = text.split_whitespace();
    let event = words.next().unwrap_or_default();
    let mut written = Written {
        node: Some(node.to_owned()),
        event: Some(event.to_owned()),
        ..Written::default()
    };
    match word_of(event) {
        // That it is no event is told as that alone.
        None => return Ok(written),
        Some("send" | "receive") => written.kind = words.next().map(str::to_owned),
        Some(_) => {}
    }
    while let Some(word) = words.next() {
        match (word, word.strip_prefix('#')) {
            _ if written.kind.is_none() => return Err(format!("`{word}` is one word too many")),
            ("to", _) => written.to = words.next().map(str::to_owned),
            ("from", _) => written.from = words.next().map(str::to_owned),
            (_, Some(id)) => written.id = Some(id.to_owned()),
            (_, None) if written.stamp.is_none() => written.stamp = Some(stamp(word, &mut words)),
            (_, None) => return Err(format!("`{word}` is one word too many")),
        }
    }
    Ok(written)
}

/// A stamp, which may have a space in it: `(3, P1)`.
fn stamp<'t>(word: &str, words: &mut impl Iterator<Item = &'t str>) -> serde_json::Value {
    let mut text = word.to_owned();
    while text.starts_with('(') && !text.ends_with(')') {
        match words.next() {
            Some(more) => text.push_str(more),
            None => break,
        }
    }
    text.into()
}
