//! Writes YAML that this module reads back to equal values.
//!
//! This file must not write files: it makes a text.

use serde::Serialize;
use serde_yaml::value::{Serializer, Value};

/// Writes a value as YAML.
///
/// Enums are written as `name` or as a map with one key, the way they are read; entries without
/// a value are left out, since a missing key is how a file says "none".
///
/// # Panics
/// If the type cannot be a YAML document, such as one with byte strings: a fault of the type, and
/// not of any value that was read.
///
/// ```
/// use lockstep::input::{OrderedMap, to_yaml};
/// let answers: OrderedMap<&str, &str> = [("who-first", "no"), ("t", "08")].into_iter().collect();
/// assert_eq!(to_yaml(&answers), "who-first: 'no'\nt: '08'\n");
/// ```
#[must_use]
pub fn to_yaml<T: Serialize>(value: &T) -> String {
    let tree = serde_yaml::with::singleton_map_recursive::serialize(value, Serializer)
        .expect("types that are written to files have a YAML form");
    serde_yaml::to_string(&without_nothing(tree)).expect("a YAML tree can be written")
}

fn without_nothing(value: Value) -> Value {
    match value {
        Value::Mapping(map) => Value::Mapping(
            map.into_iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| (key, without_nothing(value)))
                .collect(),
        ),
        Value::Sequence(items) => Value::Sequence(items.into_iter().map(without_nothing).collect()),
        other => other,
    }
}
