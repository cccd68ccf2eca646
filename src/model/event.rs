//! Events and their text form: `request P1`, `deliver P1>P2#3`, `crash P3`, …
//!
//! An event never mentions an algorithm's message type: a channel and a number name a message, so a
//! schedule is plain text everywhere. Whether an event is enabled is the engine's business.

use super::node::{Names, NodeId};
use crate::input::{folded, unfolded};
use std::fmt;

/// A message's number in its channel, and which copy of it: `#3`, `#3b`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MsgNo {
    /// From 1, in the order of sending on that channel.
    pub seq: u32,
    /// 0 for the original, 1 for the copy `b`, 2 for `c`, … 25 for `z`, 26 for `aa`, …
    pub copy: u8,
}

impl fmt::Display for MsgNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.seq)?;
        match self.copy {
            0 => Ok(()),
            n @ 1..26 => write!(f, "{}", char::from(b'a' + n)),
            n => write!(f, "{}{}", char::from(b'a' + n / 26 - 1), char::from(b'a' + n % 26)),
        }
    }
}

/// A message in flight, by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MsgId {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// Its number in the channel.
    pub no: MsgNo,
}

impl MsgId {
    /// `P1>P2#3`.
    #[must_use]
    pub fn show(self, names: &Names) -> String {
        format!("{}>{}{}", names.get(self.from), names.get(self.to), self.no)
    }
}

/// A message as an event names it: without a number it is the head of the channel (FIFO) or the
/// oldest one in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MsgRef {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// Its number, when it is given.
    pub no: Option<MsgNo>,
}

impl From<MsgId> for MsgRef {
    fn from(id: MsgId) -> Self {
        Self { from: id.from, to: id.to, no: Some(id.no) }
    }
}

/// One step of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Event {
    /// A client asks for the lock.
    Request(NodeId),
    /// A client leaves the critical section.
    Exit(NodeId),
    /// A message reaches its receiver.
    Deliver(MsgRef),
    /// A message is lost.
    Drop(MsgRef),
    /// A copy of a message is put right behind it.
    Duplicate(MsgRef),
    /// A node stops.
    Crash(NodeId),
    /// A crashed node goes on with the state that it had.
    Recover(NodeId),
    /// A timer fires.
    Timeout(NodeId),
    /// A client sends a READ to the storage node.
    Read(NodeId),
    /// A client sends a WRITE to the storage node.
    Write(NodeId),
    /// A client sends a message outside the algorithm.
    Tell(NodeId, NodeId),
    /// A node has an event of its own.
    Local(NodeId),
}

/// Every verb with what follows it: for help and for error messages.
pub const VERBS: [(&str, &str); 12] = [
    ("request", "P1"),
    ("exit", "P1"),
    ("deliver", "P1>P2 or P1>P2#3"),
    ("drop", "P1>P2#3"),
    ("duplicate", "P1>P2#3"),
    ("crash", "P3"),
    ("recover", "P3"),
    ("timeout", "P1"),
    ("read", "P1"),
    ("write", "P1"),
    ("tell", "P1>P2"),
    ("local", "P1"),
];

/// Why a text is not an event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct EventError {
    /// Byte offset in the text at which it goes wrong.
    pub at: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl Event {
    /// Reads the text form.
    ///
    /// # Errors
    /// Says where and why, when the verb, a node or a message number is not known.
    pub fn parse(text: &str, names: &Names) -> Result<Self, EventError> {
        let lead = text.len() - text.trim_start().len();
        Self::folded(&folded(text), names).map_err(|error| match text.is_ascii() {
            true => EventError { at: lead + error.at, ..error },
            false => EventError { at: unfolded(text, error.at), ..error },
        })
    }

    fn folded(text: &str, names: &Names) -> Result<Self, EventError> {
        let body = text.trim_end();
        let start = body.len() - body.trim_start().len();
        let rest = &body[start..];
        let verb_len = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (verb, tail) = rest.split_at(verb_len);
        let at = start + verb_len + (tail.len() - tail.trim_start().len());
        let arg = tail.trim();
        let verb = verb.to_ascii_lowercase();
        if !VERBS.iter().any(|(v, _)| *v == verb) {
            return Err(EventError { at: start, message: unknown_verb(&verb) });
        }
        if arg.is_empty() {
            let form = VERBS.iter().find(|(v, _)| *v == verb).map_or("", |(_, f)| f);
            return Err(EventError {
                at: body.len(),
                message: format!("`{verb}` what? Write `{verb} {form}`"),
            });
        }
        let node = || find_node(arg, at, names);
        let message = || parse_ref(arg, at, names);
        Ok(match verb.as_str() {
            "request" => Self::Request(node()?),
            "exit" => Self::Exit(node()?),
            "deliver" => Self::Deliver(message()?),
            "drop" => Self::Drop(message()?),
            "duplicate" => Self::Duplicate(message()?),
            "crash" => Self::Crash(node()?),
            "recover" => Self::Recover(node()?),
            "timeout" => Self::Timeout(node()?),
            "read" => Self::Read(node()?),
            "write" => Self::Write(node()?),
            "local" => Self::Local(node()?),
            _ => {
                let m = message()?;
                if m.no.is_some() {
                    let message = "`tell` sends a new message, which has no number yet".to_owned();
                    return Err(EventError { at, message });
                }
                Self::Tell(m.from, m.to)
            }
        })
    }

    /// The text form, which `parse` reads back.
    #[must_use]
    pub fn show(self, names: &Names) -> String {
        let reference = |m: MsgRef| {
            let no = m.no.map_or(String::new(), |no| no.to_string());
            format!("{}>{}{no}", names.get(m.from), names.get(m.to))
        };
        let node = |n: NodeId| names.get(n).to_owned();
        let what = match self {
            Self::Deliver(m) | Self::Drop(m) | Self::Duplicate(m) => reference(m),
            Self::Tell(a, b) => format!("{}>{}", node(a), node(b)),
            Self::Request(n) | Self::Exit(n) | Self::Crash(n) | Self::Recover(n) => node(n),
            Self::Timeout(n) | Self::Read(n) | Self::Write(n) | Self::Local(n) => node(n),
        };
        format!("{} {what}", self.verb())
    }

    /// The verb of the text form.
    #[must_use]
    pub fn verb(self) -> &'static str {
        match self {
            Self::Request(_) => "request",
            Self::Exit(_) => "exit",
            Self::Deliver(_) => "deliver",
            Self::Drop(_) => "drop",
            Self::Duplicate(_) => "duplicate",
            Self::Crash(_) => "crash",
            Self::Recover(_) => "recover",
            Self::Timeout(_) => "timeout",
            Self::Read(_) => "read",
            Self::Write(_) => "write",
            Self::Tell(..) => "tell",
            Self::Local(_) => "local",
        }
    }
}

fn unknown_verb(verb: &str) -> String {
    let known: Vec<&str> = VERBS.iter().map(|(v, _)| *v).collect();
    match crate::input::nearest(verb, known.iter().copied()) {
        Some(close) => format!("no event is called `{verb}`; did you mean `{close}`?"),
        None => format!("no event is called `{verb}`; events are {}", known.join(", ")),
    }
}

fn find_node(name: &str, at: usize, names: &Names) -> Result<NodeId, EventError> {
    names.find(name).ok_or_else(|| EventError {
        at,
        message: format!("no node `{name}`; this cluster has {}", names.listed()),
    })
}

fn parse_ref(arg: &str, at: usize, names: &Names) -> Result<MsgRef, EventError> {
    let arrow = arg.find('>').ok_or_else(|| EventError {
        at,
        message: format!("`{arg}` names no channel; write sender>receiver, like P1>P2"),
    })?;
    // `P1->P2` is as good, and `P1=>P2`: no name ends so.
    let from_text = arg[..arrow].trim_end_matches(['-', '=']).trim();
    let after = &arg[arrow + 1..];
    let (to_text, no_text) = match after.find('#') {
        Some(i) => (&after[..i], Some(after[i + 1..].trim())),
        None => (after, None),
    };
    let from = find_node(from_text, at, names)?;
    let to = find_node(to_text.trim(), at + arrow + 1, names)?;
    if from == to {
        let message = "no channel leads from a node to itself".to_owned();
        return Err(EventError { at, message });
    }
    let no = no_text
        .map(parse_no)
        .transpose()
        .map_err(|message| EventError { at: at + arg.find('#').unwrap_or(0), message })?;
    Ok(MsgRef { from, to, no })
}

fn parse_no(text: &str) -> Result<MsgNo, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let copy = match &text.as_bytes()[digits.len()..] {
        [] => Some(0),
        [letter @ b'b'..=b'z'] => Some(letter - b'a'),
        // More copies than letters have two.
        [first @ b'a'..=b'z', second @ b'a'..=b'z'] => {
            (first - b'a' + 1).checked_mul(26).and_then(|n| n.checked_add(second - b'a'))
        }
        _ => None,
    };
    match (digits.parse(), copy) {
        (Ok(seq), Some(copy)) if seq > 0 => Ok(MsgNo { seq, copy }),
        _ => Err(format!("`#{text}` is no message number; write #3, or #3b for its copy")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> Names {
        Names::new(vec!["P1".into(), "P2".into(), "P3".into(), "C".into()])
    }

    #[test]
    fn every_verb_of_the_table_parses_and_reads_back() {
        for (verb, form) in VERBS {
            for one in form.split(" or ") {
                let text = format!("{verb} {one}");
                let event = Event::parse(&text, &names()).expect("a form of the table");
                assert_eq!(event.show(&names()), text);
            }
        }
    }

    #[test]
    fn case_and_spaces_do_not_matter() {
        let event = Event::parse("  Deliver  p1 > p2 #3b ", &names()).expect("forgiving form");
        assert_eq!(event.show(&names()), "deliver P1>P2#3b");
    }

    #[test]
    fn what_is_wrong_is_named_where_it_stands() {
        let cases = [
            ("delver P1>P2", 0, "no event is called `delver`; did you mean `deliver`?"),
            ("deliver P9>P1", 8, "no node `P9`; this cluster has P1, P2, P3, C"),
            ("deliver P1>P9", 11, "no node `P9`; this cluster has P1, P2, P3, C"),
            ("deliver P1", 8, "`P1` names no channel; write sender>receiver, like P1>P2"),
            ("deliver P1>P1", 8, "no channel leads from a node to itself"),
            ("drop P1>P2#0", 10, "`#0` is no message number; write #3, or #3b for its copy"),
            ("drop P1>P2#x", 10, "`#x` is no message number; write #3, or #3b for its copy"),
            ("tell P1>P2#2", 5, "`tell` sends a new message, which has no number yet"),
            ("request", 7, "`request` what? Write `request P1`"),
        ];
        for (text, at, message) in cases {
            let error = Event::parse(text, &names()).expect_err(text);
            assert_eq!((error.at, error.message.as_str()), (at, message), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC*") {
            let _ = Event::parse(&text, &names());
        }
    }
}
