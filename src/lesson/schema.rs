//! The form of lesson files as a JSON Schema, for editors: made from the very types that read them.
//!
//! Whether a cluster can be built or an answer is right is no matter of form; `check` and `lint` tell.

use super::file::{LessonFile, NEEDED};
use super::question::KINDS;
use crate::catalog;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use serde_json::{Value, json};

/// The schema.
#[must_use]
pub fn schema() -> Schema {
    let mut schema =
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<LessonFile>();
    RecursiveTransform(authors_keys).transform(&mut schema);
    RecursiveTransform(as_written).transform(&mut schema);
    RecursiveTransform(drawn).transform(&mut schema);
    if let Some(defs) = schema.get_mut("$defs") {
        merge(&mut defs["ClusterFile"], catalogued());
        merge(&mut defs["StepFile"], one_question());
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.splice(0..0, NEEDED.map(|key| json!(key)));
    }
    // The program checks the rest of a file without them; a file without them is no lesson.
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for key in NEEDED {
            if let Some(Value::Object(property)) = properties.get_mut(key) {
                property.remove("default");
            }
        }
    }
    schema.insert("title".to_owned(), json!("A Lockstep lesson"));
    schema
}

/// The schema as the text of a file.
#[must_use]
pub fn text() -> String {
    let mut text = serde_json::to_string_pretty(&schema()).expect("a schema is JSON");
    text.push('\n');
    text
}

/// Which algorithms there are, and which variants each has.
fn catalogued() -> Value {
    let slugs: Vec<&str> = catalog::all().iter().map(|entry| entry.info.slug).collect();
    let of_one = |entry: &catalog::Entry| {
        let variants = entry.info.variants.iter().map(|variant| json!(variant.slug));
        let variants: Vec<Value> = variants.chain([Value::Null]).collect();
        json!({
            "if": { "properties": { "algorithm": { "const": entry.info.slug } } },
            "then": { "properties": { "variant": { "enum": variants } } },
        })
    };
    let each: Vec<Value> = catalog::all().iter().map(of_one).collect();
    json!({
        "properties": { "algorithm": { "type": "string", "enum": slugs } },
        "allOf": each,
    })
}

/// A step asks one question at most.
fn one_question() -> Value {
    let asks: Vec<Value> = KINDS.iter().map(|kind| json!({ "required": [kind] })).collect();
    let none = json!({ "not": { "anyOf": asks } });
    let one: Vec<Value> = asks.iter().cloned().chain([none]).collect();
    json!({ "oneOf": one })
}

/// Adds what is known of a part of the schema to what its type says.
fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (key, value) in more {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more,
    }
}

/// Wherever the keys are fixed, those that start with `x-` are the author's own.
fn authors_keys(schema: &mut Schema) {
    if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
        schema.insert("patternProperties".to_owned(), json!({ "^x-": true }));
    }
}

/// Where a number belongs a name may stand for which one is drawn: `$low`, `$(low + 1)`.
fn drawn(schema: &mut Schema) {
    let is_number = |kind: &Value| kind == "integer" || kind == "number";
    let mut kinds = match schema.get("type") {
        Some(Value::Array(several)) => several.clone(),
        Some(one) => vec![one.clone()],
        None => return,
    };
    if kinds.iter().any(is_number) && !kinds.contains(&json!("string")) {
        kinds.push(json!("string"));
        schema.insert("type".to_owned(), json!(kinds));
        schema.insert("pattern".to_owned(), json!("^\\$"));
    }
}

/// A text field takes `12` and `true` as these very letters; to other readers of YAML they are no texts.
fn as_written(schema: &mut Schema) {
    if schema.get("enum").is_some()
        || schema.get("pattern").is_some()
        || schema.get("const").is_some()
    {
        return;
    }
    let any_scalar = |null: bool| {
        let mut types = vec!["string", "number", "boolean"];
        types.extend(null.then_some("null"));
        json!(types)
    };
    let types = match schema.get("type") {
        Some(Value::String(one)) if one == "string" => any_scalar(false),
        Some(Value::Array(several)) if several.contains(&json!("string")) => any_scalar(true),
        _ => return,
    };
    schema.insert("type".to_owned(), types);
}
