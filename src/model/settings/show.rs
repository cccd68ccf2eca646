//! How the value of a setting is written: as the lists and maps of a file, or in one line.

use crate::model::config::{Config, QuorumChoice};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// The value of a setting, as files hold it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A name or a word.
    Text(String),
    /// A number.
    Number(u32),
    /// Several values.
    List(Vec<Shown>),
    /// A value for each node, by its name.
    Map(Vec<(String, Shown)>),
}

impl Shown {
    /// A name, a word or an event, which may have been written over several lines.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The value in one line: items are separated by commas, the members of sets by blanks.
    #[must_use]
    pub fn in_a_line(&self) -> String {
        self.joined(",")
    }

    fn joined(&self, sign: &str) -> String {
        let all = |values: &mut dyn Iterator<Item = String>| values.collect::<Vec<_>>().join(sign);
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::List(items) => all(&mut items.iter().map(|item| item.joined(" "))),
            Self::Map(entries) => all(&mut entries.iter().map(|(node, value)| match value {
                Self::Text(other) => format!("{node}>{other}"),
                value => value.joined(" "),
            })),
        }
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            Self::Number(number) => number.serialize(serializer),
            Self::List(items) => items.serialize(serializer),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (node, value) in entries {
                    map.serialize_entry(node, value)?;
                }
                map.end()
            }
        }
    }
}

/// Names of nodes.
pub(super) fn names(names: &[String]) -> Shown {
    Shown::List(names.iter().map(|name| Shown::text(name)).collect())
}

/// A list that need not be there.
pub(super) fn list(items: &[String]) -> Option<Shown> {
    (!items.is_empty()).then(|| names(items))
}

/// A word that is not the usual one.
pub(super) fn unusual<T: PartialEq>(
    value: T,
    usual: T,
    word: fn(T) -> &'static str,
) -> Option<Shown> {
    (value != usual).then(|| Shown::text(word(value)))
}

/// Voting sets that are not the usual ones.
pub(super) fn quorums(config: &Config) -> Option<Shown> {
    match &config.quorums {
        QuorumChoice::Cyclic => None,
        QuorumChoice::Grid => Some(Shown::text("grid")),
        QuorumChoice::Plane => Some(Shown::text("plane")),
        QuorumChoice::Tree => Some(Shown::text("tree")),
        QuorumChoice::Sets(sets) => {
            let set = |(node, set): (&String, &Vec<String>)| (node.clone(), names(set));
            Some(Shown::Map(config.nodes.iter().zip(sets).map(set).collect()))
        }
    }
}
