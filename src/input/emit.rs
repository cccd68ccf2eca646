//! Writes YAML that this module reads back to equal values.
//!
//! This file must not write files: it makes a text.

use serde::Serialize;
use serde_yaml::value::{Serializer, Value};

use super::clean::clean;
use super::types::Raw;

/// Writes a value as YAML.
///
/// Enums are written as `name` or as a map with one key, the way they are read; entries without
/// a value are left out, since a missing key is how a file says "none". Text is cleaned.
///
/// # Panics
/// If the type cannot be a YAML document, such as one with byte strings: a fault of the type, and
/// not of any value that was read.
///
/// ```
/// use lockstep::input::{OrderedMap, to_yaml};
/// let answers: OrderedMap<&str, &str> = [("who-first", "p2"), ("t", "08")].into_iter().collect();
/// assert_eq!(to_yaml(&answers), "who-first: p2\nt: '08'\n");
/// ```
#[must_use]
pub fn to_yaml<T: Serialize>(value: &T) -> String {
    let tree = serde_yaml::with::singleton_map_recursive::serialize(value, Serializer)
        .expect("types that are written to files have a YAML form");
    serde_yaml::to_string(&tidy(tree)).expect("a YAML tree can be written")
}

/// Writes a value whose type is not known, such as a lesson with some keys taken out, so that it
/// reads back into the type that it came from: numbers and truth values are written without
/// quotes, which a text field takes as text all the same.
///
/// ```
/// use lockstep::input::{Raw, Source, parse, raw_to_yaml};
/// let text = "minutes: 12\nright: true\nanswer: 08\nx: 1.50\n";
/// let raw: Raw = parse(&Source::from_text("a.yaml", text, "lesson")?)?;
/// assert_eq!(raw_to_yaml(&raw), "minutes: 12\nright: true\nanswer: '08'\nx: '1.50'\n");
/// # Ok::<(), lockstep::input::Problems>(())
/// ```
#[must_use]
pub fn raw_to_yaml(raw: &Raw) -> String {
    to_yaml(&untyped(raw))
}

/// Takes a text for a number only if the number is written exactly so.
fn untyped(raw: &Raw) -> Value {
    match raw {
        Raw::Nothing => Value::Null,
        Raw::List(items) => Value::Sequence(items.iter().map(untyped).collect()),
        Raw::Map(entries) => Value::Mapping(
            entries
                .iter()
                .map(|(key, value)| (Value::from(key.as_str()), untyped(value)))
                .collect(),
        ),
        Raw::Text(text) => {
            let whole = text.parse::<i64>().ok().filter(|n| n.to_string() == text.as_str());
            let number = text.parse::<f64>().ok().filter(|n| format!("{n:?}") == text.as_str());
            let number = number.filter(|n| n.is_finite());
            match text.as_str() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                other => whole
                    .map(Value::from)
                    .or_else(|| number.map(Value::from))
                    .unwrap_or_else(|| Value::from(other)),
            }
        }
    }
}

/// Leaves out entries without a value, and cleans all text as it would be cleaned when read.
fn tidy(value: Value) -> Value {
    match value {
        Value::Mapping(map) => {
            let entries = map.into_iter().filter(|(_, value)| !value.is_null());
            Value::Mapping(entries.map(|(key, value)| (tidy(key), tidy(value))).collect())
        }
        Value::Sequence(items) => Value::Sequence(items.into_iter().map(tidy_item).collect()),
        Value::String(text) => Value::String(clean(&text).into_owned()),
        other => other,
    }
}

/// An item cannot be left out, and the word `null` would read back as a text: it becomes blank.
fn tidy_item(item: Value) -> Value {
    if item.is_null() { Value::String(String::new()) } else { tidy(item) }
}
