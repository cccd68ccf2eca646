//! Holds the tree that `build` makes against another library's reading of the same text.
//!
//! This file must not test wording; it only asks whether two passes over a text agree.

use proptest::prelude::*;
use serde_yaml::Value;

use super::build::build;
use super::document::{Document, Kind, NodeId, ROOT};
use super::source::Source;

/// Panics where the tree and the library's value differ in kind, number or key.
fn assert_same(document: &Document, id: NodeId, value: &Value) {
    match (&document.nodes[id].kind, value) {
        (Kind::List(items), Value::Sequence(values)) => {
            assert_eq!(items.len(), values.len());
            items.iter().zip(values).for_each(|(item, value)| assert_same(document, *item, value));
        }
        (Kind::Map(entries), Value::Mapping(values)) => {
            assert_eq!(entries.len(), values.len());
            for (entry, (key, value)) in entries.iter().zip(values) {
                assert_same(document, entry.key, key);
                assert_same(document, entry.value, value);
            }
        }
        (Kind::Scalar { text, .. }, Value::String(value)) => assert_eq!(text, value),
        (Kind::Scalar { plain, .. }, Value::Null | Value::Bool(_) | Value::Number(_)) => {
            assert!(plain);
        }
        (kind, value) => panic!("{kind:?} is not {value:?}"),
    }
}

/// Panics where a node's place does not fit what stands there in the text.
fn assert_places(document: &Document) {
    let text = document.source.text();
    for node in &document.nodes {
        let line = document.source.line_start(node.pos.line);
        assert_eq!(text[line..node.offset].chars().count() + 1, node.pos.column);
        let there = &text[node.offset..];
        match &node.kind {
            Kind::Scalar { text, plain: true } => {
                let word = text.split_whitespace().next().unwrap_or_default();
                assert!(there.starts_with(word), "{word:?} in {there:?}");
            }
            Kind::Scalar { plain: false, .. } => {
                assert!(there.starts_with(['"', '\'', '|', '>']), "{there:?}");
            }
            Kind::List(_) => assert!(there.starts_with(['[', '-']), "{there:?}"),
            Kind::Map(entries) if !there.starts_with('{') => {
                let first = entries.first().expect("a map without braces has an entry");
                assert!(there.starts_with('?') || document.nodes[first.key].offset == node.offset);
            }
            Kind::Map(_) => {}
        }
    }
}

/// True if the text is a document of which there is no complaint.
fn check(text: &str) -> bool {
    let Ok(source) = Source::from_text("a.yaml", text, "value") else { return false };
    match build(&source) {
        (Some(document), problems) if problems.is_empty() => {
            let value = serde_yaml::from_str(source.text());
            // A text alone is no file of ours; where it ends, the two differ.
            if !matches!(document.nodes[ROOT].kind, Kind::Scalar { .. }) {
                assert_places(&document);
                if let Ok(value) = &value {
                    assert_same(&document, ROOT, value);
                }
            }
            value.is_ok()
        }
        _ => false,
    }
}

/// A document in block or flow form with keys that do not repeat.
fn document() -> impl Strategy<Value = String> {
    let word = prop_oneof!["[a-z]{1,4}", Just("é日".to_owned()), Just("a b".to_owned())];
    let scalar = prop_oneof![
        4 => word,
        1 => Just("'it''s'".to_owned()),
        1 => Just("\"q\\t\\u00e9\"".to_owned()),
        1 => Just("12".to_owned()),
        1 => Just("null".to_owned()),
    ];
    let flow = scalar.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|v| format!("[{}]", v.join(",  "))),
            proptest::collection::vec(inner, 0..4).prop_map(|values| {
                let entries = values.iter().enumerate().map(|(i, v)| format!("k{i}: {v}"));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }),
        ]
    });
    let leaf = prop_oneof![flow, Just("|\n   one\n     two".to_owned()), Just(String::new())];
    let block = leaf.prop_recursive(4, 24, 4, |inner| {
        let values = proptest::collection::vec(inner, 1..4);
        (values, any::<bool>()).prop_map(|(values, is_list)| {
            let entries = values.iter().enumerate().map(|(i, value)| match is_list {
                true => format!("\n- {}", indent(value)),
                false => format!("\nk{i}: {}", indent(value)),
            });
            entries.collect::<String>()
        })
    });
    block.prop_map(|text| format!("top: {}\n", indent(&text)))
}

fn indent(text: &str) -> String {
    text.replace('\n', "\n  ")
}

#[test]
fn typical_documents_are_read_as_the_library_reads_them() {
    for text in [
        "a: 1\nb:\n  - x\n  - y: [1, {z: '2'}]\n    w: |\n      t\n",
        "- - a\n  - b\n-\n  c: d\n-\n",
        "? a\n: b\n? c\n",
        "{a, b: , \"c\":d, ? e : f}",
        "[a: b, {c: d}, [], '', ]",
        "text\n",
        "a: x\n  y\n\n  z # c\nb: >-\n  f\n  g\n",
        "--- # c\na: b\n...\n",
    ] {
        assert!(check(text), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn made_documents_are_read_as_the_library_reads_them(text in document()) {
        prop_assert!(check(&text), "{}", text);
    }

    #[test]
    fn no_mark_of_yaml_makes_the_two_readings_differ(text in "[-a:\\[\\]{},'\"|>?# \n]{0,30}") {
        check(&text);
    }
}
