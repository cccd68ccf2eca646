//! Writes YAML that this module reads back to equal values.
//!
//! This file must not write files: it makes a text.

use serde::Serialize;
use serde_yaml::value::{Serializer, Value};

use super::clean::clean;

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

/// Leaves out entries without a value, and cleans all text as it would be cleaned when read.
fn tidy(value: Value) -> Value {
    match value {
        Value::Mapping(map) => {
            let entries = map.into_iter().filter(|(_, value)| !value.is_null());
            Value::Mapping(entries.map(|(key, value)| (tidy(key), tidy(value))).collect())
        }
        Value::Sequence(items) => Value::Sequence(items.into_iter().map(tidy).collect()),
        Value::String(text) => Value::String(clean(&text).into_owned()),
        other => other,
    }
}
