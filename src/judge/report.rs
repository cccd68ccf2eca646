//! What came of a log, as data and in words. Text and JSON say the same sentences.

use super::log::{Log, Message, Place, What};
use super::order::Ordered;
use super::rules::{Fault, Judged, Why};
use crate::input::count;
use crate::model::{Config, Names};
use crate::sim::Sent;
use serde::Serialize;
use std::fmt;

/// The version of the form that the JSON has.
const VERSION: u32 = 1;

/// How many messages that are still open are told.
const SHOWN: usize = 5;

/// An entry of the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The file, as the command line names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The node.
    pub node: String,
    /// What it logged, in words.
    pub event: String,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A rule that fired at the step before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RuleSaid {
    /// Its id.
    pub rule: String,
    /// Its reason, with the values compared.
    pub reason: String,
}

/// A condition for entering.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Condition {
    /// The condition, in words.
    pub text: String,
    /// Whether it is met.
    pub met: bool,
}

/// The first entry that the rules forbid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Forbidden {
    /// What kind of fault it is: a word for programs.
    pub kind: &'static str,
    /// The entry.
    pub at: Line,
    /// What is wrong, in sentences.
    pub says: String,
    /// The conditions for entering, where that is what is wrong.
    pub conditions: Vec<Condition>,
    /// The node's step before it.
    pub after: Option<Line>,
    /// What the algorithm does at that step.
    pub rules: Vec<RuleSaid>,
}

/// Two nodes inside beside each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Overlap {
    /// The one that entered.
    pub first: Line,
    /// The other one that entered; neither left before the other entered.
    pub second: Line,
}

/// What came of a log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    /// The version of this form.
    pub version: u32,
    /// The algorithm.
    pub algorithm: String,
    /// The nodes, in the order that breaks ties.
    pub nodes: Vec<String>,
    /// The files.
    pub files: Vec<String>,
    /// How many lines they have.
    pub lines: u32,
    /// How many entries they hold.
    pub entries: usize,
    /// How many of them the rules allow, up to the first that they forbid.
    pub allowed: usize,
    /// How many receipts were paired with their sends by an id.
    pub paired_by_id: usize,
    /// How many were paired by kind and stamp, in the order of their channel.
    pub paired_by_order: usize,
    /// Whether the log agrees with the algorithm and nobody was inside beside another.
    pub agrees: bool,
    /// The first entry that the rules forbid.
    pub forbidden: Option<Forbidden>,
    /// Who was inside beside whom, whatever the algorithm.
    pub overlaps: Vec<Overlap>,
    /// Messages that nobody receives: the first few.
    pub unreceived: Vec<Line>,
    /// How many those are.
    pub unreceived_total: usize,
    /// What is worth knowing besides, in sentences.
    pub notes: Vec<String>,
}

/// `a.log:7`.
pub(super) fn place(log: &Log, at: Place) -> String {
    format!("{}:{}", log.files[at.file as usize], at.line)
}

/// What the words of a report need.
struct Words<'a> {
    log: &'a Log,
    names: &'a Names,
}

impl Words<'_> {
    fn line(&self, entry: usize) -> Line {
        let entry = &self.log.entries[entry];
        Line {
            file: self.log.files[entry.at.file as usize].clone(),
            line: entry.at.line,
            node: self.log.names.get(entry.node).to_owned(),
            event: self.event(entry.what),
        }
    }

    fn event(&self, what: What) -> String {
        let message = |m: Message| {
            let stamp = m.clock.map_or(String::new(), |clock| format!(" with clock {clock}"));
            (self.log.kinds.get(m.kind), self.log.names.get(m.peer), stamp)
        };
        match what {
            What::Request => "request".to_owned(),
            What::Enter => "enter".to_owned(),
            What::Exit => "exit".to_owned(),
            What::Crash => "crash".to_owned(),
            What::Recover => "recover".to_owned(),
            What::Timeout => "timeout".to_owned(),
            What::Send(m) => {
                let (kind, to, stamp) = message(m);
                format!("send {kind} to {to}{stamp}")
            }
            What::Receive(m) => {
                let (kind, from, stamp) = message(m);
                format!("receive {kind} from {from}{stamp}")
            }
        }
    }

    /// `REPLY to P2`.
    fn sends(&self, sent: &Sent) -> String {
        format!("{} to {}", sent.label.show(self.names), self.names.get(sent.id.to))
    }

    fn listed(&self, due: &[Sent]) -> String {
        due.iter().map(|sent| self.sends(sent)).collect::<Vec<_>>().join(", ")
    }

    fn forbidden(&self, fault: &Fault) -> Forbidden {
        let at = self.line(fault.entry);
        let node = at.node.clone();
        let mut conditions = Vec::new();
        let (kind, says) = match &fault.why {
            Why::NotSent { due } if due.is_empty() => {
                ("not-sent", format!("{node} must not {} here: it has nothing to send.", at.event))
            }
            Why::NotSent { due } => (
                "not-sent",
                format!("{node} must not {} here: it has to send {}.", at.event, self.listed(due)),
            ),
            Why::Missing { due } => {
                ("missing", format!("Before this line {node} has to send {}.", self.listed(due)))
            }
            Why::Stamp { sends, at_least } => {
                let or_later = if *at_least { ", or with a larger clock value" } else { "" };
                let says = format!("the algorithm sends {}{or_later}", self.sends(sends));
                ("stamp", format!("This stamp cannot be: {says}."))
            }
            Why::Entry { conditions: all } => {
                let one = |line: &crate::sim::WhyLine| Condition {
                    text: line.text.clone(),
                    met: line.met,
                };
                conditions = all.iter().map(one).collect();
                let unasked = if all.is_empty() { ": it has not asked for the lock" } else { "" };
                ("entry", format!("{node} must not enter the critical section here{unasked}."))
            }
            Why::NobodySent => {
                ("nobody-sent", format!("{node} cannot {} here: nobody has sent it.", at.event))
            }
            Why::SentLater { send } => {
                let send = self.line(*send);
                let says = format!("it is sent at {send}, which comes only after this line");
                ("sent-later", format!("{node} cannot {} here: {says}.", at.event))
            }
            Why::Refused { reason } => {
                ("refused", format!("{node} cannot {} here: {reason}.", at.event))
            }
        };
        let (after, rules) = match &fault.cause {
            Some((step, fired)) => (Some(self.line(*step)), fired.as_slice()),
            None => (None, &[][..]),
        };
        let said = |(rule, reason): &(String, String)| RuleSaid {
            rule: rule.clone(),
            reason: reason.clone(),
        };
        Forbidden { kind, at, says, conditions, after, rules: rules.iter().map(said).collect() }
    }
}

impl Report {
    pub(super) fn of(
        log: &Log,
        config: &Config,
        names: &Names,
        ordered: &Ordered,
        judged: &Judged,
    ) -> Self {
        let words = Words { log, names };
        let overlap = |(first, second): &(usize, usize)| Overlap {
            first: words.line(*first),
            second: words.line(*second),
        };
        let forbidden = judged.fault.as_ref().map(|fault| words.forbidden(fault));
        let overlaps: Vec<Overlap> = ordered.overlaps.iter().map(overlap).collect();
        let mut notes = log.skipped.clone();
        if judged.fault.is_none() {
            notes.extend(judged.due.iter().map(|(sent, step)| {
                let after =
                    step.map_or(String::new(), |step| format!(" after {}", words.line(step)));
                let node = names.get(sent.id.from);
                format!("The log ends before {node} sends {}{after}.", words.sends(sent))
            }));
        }
        Self {
            version: VERSION,
            algorithm: config.algorithm.clone(),
            nodes: names.iter().map(str::to_owned).collect(),
            files: log.files.clone(),
            lines: log.lines,
            entries: log.entries.len(),
            allowed: judged.allowed,
            paired_by_id: ordered.paired.0,
            paired_by_order: ordered.paired.1,
            agrees: forbidden.is_none() && overlaps.is_empty(),
            forbidden,
            overlaps,
            unreceived: ordered.unreceived.iter().take(SHOWN).map(|i| words.line(*i)).collect(),
            unreceived_total: ordered.unreceived.len(),
            notes,
        }
    }
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.at, self.says)?;
        for condition in &self.conditions {
            writeln!(
                f,
                "  {} {}",
                if condition.met { "met    " } else { "missing" },
                condition.text
            )?;
        }
        if let Some(after) = self.after.as_ref().filter(|_| !self.rules.is_empty()) {
            writeln!(
                f,
                "  {after}: after `{}` by {} the algorithm says:",
                after.event, after.node
            )?;
        }
        self.rules.iter().try_for_each(|said| writeln!(f, "  {}  {}", said.rule, said.reason))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.nodes.join(", ");
        let (lines, entries) = (count(self.lines, "line"), count(self.entries as u64, "event"));
        writeln!(f, "{} · {nodes} · {lines}, {entries}", self.algorithm)?;
        let paired = match (self.paired_by_id, self.paired_by_order) {
            (0, _) => "by kind and stamp, in the order of each channel",
            (_, 0) => "by their ids",
            _ => "by their ids where they have one, else in the order of each channel",
        };
        writeln!(f, "Receipts are paired with sends {paired}.")?;
        match &self.forbidden {
            Some(forbidden) => write!(f, "{forbidden}")?,
            None => writeln!(f, "Every event is one that the algorithm allows.")?,
        }
        for Overlap { first, second } in &self.overlaps {
            let (a, b) = (&first.node, &second.node);
            writeln!(
                f,
                "{second}: {b} is inside beside {a}, which entered at {first}: neither has left before the other enters."
            )?;
        }
        if self.unreceived_total > 0 {
            let first: Vec<String> = self.unreceived.iter().map(ToString::to_string).collect();
            let more = if self.unreceived_total > SHOWN { ", …" } else { "" };
            let messages = count(self.unreceived_total as u64, "message");
            writeln!(f, "Never received: {messages}, sent at {}{more}", first.join(", "))?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}
