//! Lessons that are drawn anew for everybody: names for nodes and numbers, and what they stand for.
//!
//! The draw depends on the file and on whose lesson it is, and on nothing else: who grades draws the same
//! again. Whether a drawn lesson is a good one is for `check` and `lint`.

use super::file::Misfit;
use crate::input::{Document, Path, Pos, Raw, nearest};
use crate::model::settings::nodes_of;
use crate::sim::scheduler::SplitMix64;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt::Write as _;

/// More lessons than this are not drawn from one file: each has to be provable.
pub const MOST_INSTANCES: usize = 10_000;

/// Stands between a lesson's id and the name for which it was drawn.
pub const FOR: char = '@';

/// A name without what makes no difference in it: case and spaces.
#[must_use]
pub fn folded(who: &str) -> String {
    who.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// What is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VaryFile {
    /// Names for nodes, written `$A` in every text of the lesson; each stands for another node of the
    /// cluster.
    #[serde(default)]
    pub nodes: Vec<String>,
    /// Names for numbers, written `$low` or `$(low + 1)`, and from where to where they are drawn, like
    /// `3..9`. No two are equal.
    #[serde(default)]
    pub numbers: crate::input::OrderedMap<String, Between>,
}

/// From where to where a number is drawn, both included: `3..9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Between(u32, u32);

impl TryFrom<String> for Between {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let ends = text.split_once("..").map(|(a, b)| (a.trim().parse(), b.trim().parse()));
        match ends {
            Some((Ok(from), Ok(to))) if from <= to && to <= 1_000_000 => Ok(Self(from, to)),
            _ => Err(format!("`{text}` is no range of numbers; write it like 3..9")),
        }
    }
}

impl JsonSchema for Between {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Between".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^ *[0-9]+ *\\.\\. *[0-9]+ *$" })
    }
}

/// As much of a lesson file as a draw has to know.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Head {
    vary: Option<VaryFile>,
    cluster: HeadCluster,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HeadCluster {
    nodes: Raw,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Node(String),
    Number(u32),
}

/// One draw: what each name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn(Vec<(String, Value)>);

/// `A=P2, low=3`.
impl std::fmt::Display for Drawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, (name, value)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            match value {
                Value::Node(node) => write!(f, "{comma}{name}={node}")?,
                Value::Number(number) => write!(f, "{comma}{name}={number}")?,
            }
        }
        Ok(())
    }
}

impl Drawn {
    /// The names that stand for nodes, with the node.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, value)| match value {
            Value::Node(node) => Some((name.as_str(), node.as_str())),
            Value::Number(_) => None,
        })
    }
}

/// Everything that can be drawn from one file.
#[derive(Clone, Debug)]
pub struct Draws(Vec<Drawn>);

impl Draws {
    /// What can be drawn from a file; `None`: it draws nothing.
    ///
    /// # Errors
    /// What does not fit together, by its place in the file.
    pub fn of(document: &Document) -> Option<Result<Self, Vec<Misfit>>> {
        let fitting = document.read_what_fits::<Head>();
        let head = fitting.value?;
        let vary = head.vary?;
        if !fitting.problems.is_empty() {
            // Whoever reads the whole file tells them.
            return Some(Err(Vec::new()));
        }
        let Some(nodes) = nodes_of(&head.cluster.nodes) else { return Some(Err(Vec::new())) };
        let misfits = vary.misfits(&nodes);
        if !misfits.is_empty() {
            return Some(Err(misfits));
        }
        let all = vary.all(&nodes);
        if all.is_empty() {
            let message = "the numbers cannot all be different: widen their ranges";
            let path = Path::root().key("vary").key("numbers");
            return Some(Err(vec![Misfit::value(path, message)]));
        }
        Some(Ok(Self(all)))
    }

    /// How many there are; at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The draw for somebody. How the name is written (case, spaces) makes no difference.
    #[must_use]
    pub fn for_who(&self, who: &str) -> &Drawn {
        let seed = folded(who).bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        &self.0[SplitMix64::new(seed).below(self.0.len())]
    }

    /// At most `most` of them, spread over all.
    pub fn spread(&self, most: usize) -> impl Iterator<Item = &Drawn> {
        let step = self.0.len().div_ceil(most.max(1)).max(1);
        self.0.iter().step_by(step)
    }
}

impl VaryFile {
    fn misfits(&self, nodes: &[String]) -> Vec<Misfit> {
        let part = Path::root().key("vary");
        let mut misfits = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        let named = self.nodes.iter().enumerate();
        let named = named.map(|(i, name)| (name, part.clone().key("nodes").index(i), false));
        let numbers = self.numbers.keys();
        let numbers = numbers.map(|name| (name, part.clone().key("numbers").key(name), true));
        for (name, path, key) in named.chain(numbers) {
            let message = if !is_name(name) {
                format!("`{name}` is no name to draw for: write letters and digits, a letter first")
            } else if seen.contains(&name.as_str()) {
                format!("`{name}` is drawn twice")
            } else {
                seen.push(name);
                continue;
            };
            misfits.push(Misfit { path, key, message });
        }
        if self.nodes.len() > nodes.len() {
            let message = format!(
                "{} for {}: each name stands for another node",
                crate::input::count(self.nodes.len(), "name"),
                crate::input::count(nodes.len(), "node")
            );
            misfits.push(Misfit::value(part.clone().key("nodes"), message));
        }
        if seen.is_empty() && misfits.is_empty() {
            misfits.push(Misfit::key(part.clone(), "nothing is drawn: name `nodes` or `numbers`"));
        }
        if self.upper_bound(nodes.len()) > MOST_INSTANCES as u128 {
            let message = format!(
                "more than {MOST_INSTANCES} different lessons: narrow the ranges, so that all can be \
                 proved"
            );
            misfits.push(Misfit::key(part, message));
        }
        misfits
    }

    fn upper_bound(&self, nodes: usize) -> u128 {
        let places = (0..self.nodes.len()).map(|i| nodes.saturating_sub(i).max(1) as u128);
        let widths = self.numbers.values().map(|b| u128::from(b.1 - b.0) + 1);
        places.chain(widths).fold(1_u128, u128::saturating_mul)
    }

    /// Every draw in which no two names stand for the same.
    fn all(&self, nodes: &[String]) -> Vec<Drawn> {
        let mut all = vec![Drawn(Vec::new())];
        let mut spread = |name: &str, values: Vec<Value>| {
            let longer = |drawn: &Drawn| {
                let free = values.iter().filter(|v| !drawn.0.iter().any(|(_, taken)| taken == *v));
                let with = |v: &Value| {
                    let more = (name.to_owned(), v.clone());
                    Drawn(drawn.0.iter().cloned().chain([more]).collect())
                };
                free.map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        };
        for name in &self.nodes {
            spread(name, nodes.iter().cloned().map(Value::Node).collect());
        }
        for (name, between) in self.numbers.iter() {
            spread(name, (between.0..=between.1).map(Value::Number).collect());
        }
        all
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A `$` that stands for nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// Where its text begins.
    pub pos: Pos,
    /// What is wrong.
    pub message: String,
}

impl Drawn {
    /// The document with every `$name` replaced by what it stands for, and those that stand for nothing.
    #[must_use]
    pub fn fill(&self, document: &Document) -> (Document, Vec<Unknown>) {
        let mut unknown = Vec::new();
        let filled = document.with_texts(|pos, text| {
            self.text(text).unwrap_or_else(|message| {
                unknown.push(Unknown { pos, message });
                text.to_owned()
            })
        });
        (filled, unknown)
    }

    fn text(&self, text: &str) -> Result<String, String> {
        let mut new = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            new.push_str(before);
            if let Some(after) = after.strip_prefix('$') {
                new.push('$');
                rest = after;
            } else if let Some((sum, after)) =
                after.strip_prefix('(').and_then(|after| after.split_once(')'))
            {
                let _ = write!(new, "{}", self.sum(sum)?);
                rest = after;
            } else {
                let end = after
                    .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .unwrap_or(after.len());
                let (name, after) = after.split_at(end);
                match self.value(name)? {
                    Value::Node(node) => new.push_str(node),
                    Value::Number(number) => {
                        let _ = write!(new, "{number}");
                    }
                }
                rest = after;
            }
        }
        new.push_str(rest);
        Ok(new)
    }

    /// Numbers and names of numbers, with `+` and `-` between them.
    fn sum(&self, text: &str) -> Result<i64, String> {
        let mut sum = 0;
        let mut sign = 1;
        for (i, piece) in
            text.replace('+', " + ").replace('-', " - ").split_whitespace().enumerate()
        {
            match (piece, i % 2) {
                ("+", 1) => sign = 1,
                ("-", 1) => sign = -1,
                (term, 0) => {
                    let number = match term.parse::<u32>() {
                        Ok(number) => number,
                        Err(_) => match self.value(term)? {
                            Value::Number(number) => *number,
                            Value::Node(node) => {
                                return Err(format!("`{term}` is the node {node} and no number"));
                            }
                        },
                    };
                    sum += sign * i64::from(number);
                }
                _ => return Err(format!("`$({text})` is no sum; write it like $(low + 1)")),
            }
        }
        Ok(sum)
    }

    fn value(&self, name: &str) -> Result<&Value, String> {
        let found = self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        found.ok_or_else(|| {
            let known = || self.0.iter().map(|(known, _)| known.as_str());
            let close = nearest(name, known());
            let close = close.map_or(String::new(), |c| format!(" (did you mean `${c}`?)"));
            let all: Vec<String> = known().map(|k| format!("${k}")).collect();
            format!(
                "nothing is drawn for `${name}`; there are {}{close}; a dollar sign itself is `$$`",
                all.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn() -> Drawn {
        Drawn(vec![
            ("A".to_owned(), Value::Node("P2".to_owned())),
            ("low".to_owned(), Value::Number(3)),
        ])
    }

    #[test]
    fn names_and_sums_are_filled_in() {
        let filled = |text: &str| drawn().text(text);
        assert_eq!(filled("($(low + 1),$A)"), Ok("(4,P2)".to_owned()));
        assert_eq!(filled("$low$A costs $$2, $(10-low)"), Ok("3P2 costs $2, 7".to_owned()));
        assert_eq!(filled("no names"), Ok("no names".to_owned()));
        assert!(filled("$lo").is_err_and(|m| m.contains("did you mean `$low`?")));
        assert!(filled("$(A)").is_err_and(|m| m == "`A` is the node P2 and no number"));
        assert!(filled("$(low low)").is_err());
        assert!(filled("$ 5").is_err());
    }

    #[test]
    fn no_two_names_stand_for_the_same() {
        let vary = VaryFile {
            nodes: vec!["A".to_owned(), "B".to_owned()],
            numbers: [("a".to_owned(), Between(1, 3)), ("b".to_owned(), Between(2, 4))]
                .into_iter()
                .collect(),
        };
        let all = vary.all(&crate::model::Names::numbered(3));
        assert_eq!(all.len(), 6 * 7);
        for Drawn(values) in &all {
            for (i, (_, value)) in values.iter().enumerate() {
                assert!(!values[..i].iter().any(|(_, other)| other == value), "{all:?}");
            }
        }
    }
}
