//! The schema of lesson files: fresh, taking what the program takes, refusing what it refuses.

use crate::lessons::cases::{self, BASE};
use lockstep::input::{Raw, Source, parse};
use lockstep::lesson::{Library, author, load, schema};
use serde_json::{Value, json};

const COPY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/lesson.schema.json");
const BAD: &str = include_str!("lessons/bad.txt");

/// A file as another reader of YAML gives it to a validator: plain numbers and truth values are some.
fn as_json(text: &str) -> Value {
    fn value(raw: &Raw) -> Value {
        match raw {
            Raw::Nothing => Value::Null,
            Raw::Text(text) => serde_json::from_str::<Value>(text)
                .ok()
                .filter(|v| v.is_number() || v.is_boolean())
                .unwrap_or_else(|| json!(text.as_str())),
            Raw::List(items) => items.iter().map(value).collect(),
            Raw::Map(entries) => {
                entries.iter().map(|(k, v)| (k.as_str().to_owned(), value(v))).collect()
            }
        }
    }
    let source = Source::from_text("lesson.yaml", text, "lesson").expect("a text");
    value(&parse::<Raw>(&source).unwrap_or_else(|p| panic!("{p}")))
}

/// What is wrong with a file by the schema alone.
fn said(text: &str) -> Option<String> {
    let schema = serde_json::to_value(schema::schema()).expect("JSON");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("lesson.json", schema).expect("a schema");
    let at = compiler.compile("lesson.json", &mut schemas).expect("a schema that compiles");
    schemas.validate(&as_json(text), at).err().map(|error| error.to_string())
}

#[test]
fn the_copy_in_the_assets_is_fresh() {
    let fresh = schema::text();
    if std::env::var_os("SCHEMA").is_some_and(|v| v == "write") {
        std::fs::write(COPY, &fresh).expect("the copy can be written");
    }
    let copy = std::fs::read_to_string(COPY).expect("there is a copy");
    assert!(copy == fresh, "run SCHEMA=write cargo test --test it schema");
}

#[test]
fn every_shipped_lesson_its_learners_copy_and_the_one_to_begin_with_fit() {
    let library = Library::embedded();
    for shelved in library.shelved() {
        let source = shelved.source().expect("it is shipped");
        assert_eq!(said(source.text()), None, "{}", shelved.name);
        let lesson = shelved.lesson().expect("it opens");
        let copy = lockstep::lesson::strip::strip(&lesson);
        assert_eq!(said(&copy), None, "{}", shelved.name);
    }
    let new = author::template("my-race").expect("an id");
    assert_eq!(said(&new), None);
    for text in [BASE, include_str!("lessons/all.yaml"), include_str!("lessons/drawn.yaml")] {
        assert_eq!(said(text), None);
    }
}

#[test]
fn a_key_that_the_program_does_not_know_does_not_fit_wherever_it_stands() {
    let places = [
        ("title: A lesson", "title: A lesson\nautor: me"),
        ("  channels: fifo", "  channels: fifo\n  chanels: fifo"),
        ("  - say: Both ask.", "  - say: Both ask.\n    sya: Both ask."),
        ("      prompt: Who is first?", "      prompt: Who is first?\n      promt: x"),
        ("p1: {text: P1,", "p1: {text: P1, rihgt: true,"),
        ("      event: deliver P1>P2", "      event: deliver P1>P2\n      evnt: x"),
    ];
    for (old, new) in places {
        assert!(BASE.contains(old), "{old}");
        let bad = BASE.replacen(old, new, 1);
        assert!(said(&bad).is_some(), "{new} fits");
        let source = Source::from_text("bad.yaml", &bad, "lesson").expect("a text");
        assert!(load::checked(source).is_err(), "{new} opens");
        let key = new.rsplit(['\n', '{', ',']).find(|p| p.contains(':')).expect("a key");
        let own = bad.replacen(key.trim(), &format!("x-{}", key.trim()), 1);
        assert!(said(&own).is_none() || !own.contains("x-"), "{own}");
    }
}

#[test]
fn every_bad_lesson_with_an_unknown_key_does_not_fit() {
    let unknown = |case: &&cases::Case<'_>| case.said.iter().any(|s| s.contains("unknown key"));
    let all = cases::cases(BAD);
    let some: Vec<_> = all.iter().filter(unknown).collect();
    assert!(some.len() > 5, "{}", some.len());
    for case in some {
        assert!(said(&cases::changed(&case.changes)).is_some(), "{} fits", case.name);
    }
}

#[test]
fn values_of_the_wrong_form_do_not_fit() {
    for (old, new) in [
        ("{P1: 4, P2: 2}", "{P1: four, P2: 2}"),
        ("channels: fifo", "channels: lifo"),
        ("algorithm: ricart-agrawala", "algorithm: ricart-agrawalla"),
        ("channels: fifo", "variant: no-such-thing"),
        ("channels: fifo", "variant: votes-twice"),
        ("  - say: Both ask.", "  - say: Both ask.\n    explain: {}\n    text: {}"),
        ("right: true", "right: yes"),
        ("then: play", "then: keep"),
        ("      then: play", "      reveal: sometimes"),
        ("outcomes: [reply, defer]", "outcomes: {reply: 1}"),
        ("id: base\n", ""),
    ] {
        assert!(BASE.contains(old), "{old}");
        assert!(said(&BASE.replacen(old, new, 1)).is_some(), "{new} fits");
    }
    assert_eq!(said(&BASE.replacen("then: play", "reveal: after_attempts 2", 1)), None);
    assert_eq!(said(&BASE.replacen("channels: fifo", "variant: forget-deferred", 1)), None);
    assert_eq!(said(&BASE.replacen("title: A lesson", "title: 12", 1)), None, "a text as written");
}

#[test]
fn every_key_is_explained() {
    fn look(at: &str, schema: &Value) {
        if let Some(properties) = schema["properties"].as_object() {
            for (key, property) in properties {
                let explained = property["description"].is_string();
                assert!(explained, "{at}.{key} is not explained: {property}");
            }
        }
        for (name, inner) in schema["$defs"].as_object().into_iter().flatten() {
            look(name, inner);
        }
    }
    let schema = serde_json::to_value(schema::schema()).expect("JSON");
    look("lesson", &schema);
}
