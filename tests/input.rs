//! Files as people and machines write them: what is read, what is refused, and where.

use std::collections::BTreeSet;

use lockstep::input::{
    self, Document, Limits, OrderedMap, Path, Pos, Problems, Raw, Source, Text, comment_warnings,
    to_yaml,
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lesson {
    lesson: u32,
    id: Option<String>,
    title: Option<Text>,
    cluster: Option<Cluster>,
    #[serde(default)]
    steps: Vec<Step>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cluster {
    algorithm: String,
    #[serde(default)]
    nodes: Vec<String>,
    #[serde(default)]
    clocks: OrderedMap<String, u64>,
    initial_clock: Option<u8>,
    fifo: Option<bool>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    say: Option<String>,
    note: Option<String>,
    #[serde(default)]
    run: Vec<String>,
    predict: Option<Predict>,
    choice: Option<Choice>,
    deliver: Option<Deliver>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Predict {
    id: String,
    event: String,
    #[serde(default)]
    outcomes: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    id: String,
    options: OrderedMap<String, Opt>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opt {
    text: Text,
    #[serde(default)]
    right: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Deliver {
    from: u8,
    to: u8,
}

fn source(text: &str) -> Source {
    Source::from_text("l.yaml", text, "lesson").expect("the text passes the first checks")
}

fn lesson(text: &str) -> Result<Lesson, Problems> {
    Source::from_text("l.yaml", text, "lesson").and_then(|source| input::parse(&source))
}

fn said(text: &str) -> String {
    lesson(text).expect_err("the lesson is refused").to_string()
}

fn places(text: &str) -> Vec<(usize, usize)> {
    let problems = lesson(text).expect_err("the lesson is refused");
    problems.iter().map(|p| (p.line(), p.column())).collect()
}

mod scalars {
    use super::*;

    const WORDS: &[&str] = &[
        "NO",
        "no",
        "on",
        "off",
        "y",
        "n",
        "yes",
        "null",
        "Null",
        "~",
        "true",
        "1.0",
        "1e3",
        "0x1F",
        "0o17",
        "12:30",
        "08",
        "1_000",
        ".5",
        "+1",
        "-0",
        ".inf",
        ".nan",
        "2026-01-01",
        "<<",
        "=",
    ];

    #[test]
    fn text_is_kept_as_it_was_written() {
        #[derive(Debug, Deserialize)]
        struct Forms {
            string: String,
            text: Text,
            maybe: Option<String>,
            list: Vec<String>,
            map: OrderedMap<String, Text>,
            raw: Raw,
        }
        for word in WORDS {
            let file = format!(
                "string: {word}\ntext: {word}\nmaybe: {word}\nlist: [{word}]\nmap: {{{word}: {word}}}\nraw: [{word}]\n"
            );
            let forms: Forms = input::parse(&source(&file)).unwrap_or_else(|p| panic!("{p}"));
            assert_eq!(forms.string, *word);
            assert_eq!(forms.text, *word);
            assert_eq!(forms.maybe.as_deref(), Some(*word));
            assert_eq!(forms.list, [*word]);
            assert_eq!(
                forms.map.iter().map(|(k, v)| (k.as_str(), &**v)).next(),
                Some((*word, *word))
            );
            assert_eq!(forms.raw, Raw::List(vec![Raw::Text(Text::new(word))]));
        }
    }

    #[test]
    fn an_option_called_no_stays_no() {
        let lesson =
            lesson("lesson: 1\nsteps:\n- choice: {id: a, options: {n: {text: No}}}\n").unwrap();
        let choice = lesson.steps[0].choice.as_ref().unwrap();
        assert_eq!(choice.options.get("n").unwrap().text.as_str(), "No");
    }

    #[test]
    fn true_and_false_are_the_only_truth_values() {
        for word in ["yes", "No", "on", "OFF", "y", "True", "FALSE", "1", "~", "\"true\"", "[]"] {
            let text = said(&format!("lesson: 1\ncluster:\n  algorithm: a\n  fifo: {word}\n"));
            assert!(text.starts_with("l.yaml:4:9: "), "{text}");
            assert!(text.contains("write true or false"), "{text}");
        }
        let cluster = lesson("lesson: 1\ncluster: {algorithm: a, fifo: false}\n").unwrap().cluster;
        assert_eq!(cluster.unwrap().fifo, Some(false));
    }

    #[test]
    fn numbers_are_decimal_and_without_quotes() {
        for (word, words) in [
            ("three", "expected a whole number, found `three`"),
            ("\"1\"", "expected a whole number, found the text `1`"),
            ("0x1F", "expected a whole number, found `0x1F`"),
            ("08", "expected a whole number, found `08` (write a number without a leading 0)"),
            ("1.5", "expected a whole number, found `1.5`"),
            ("300", "expected a whole number from 0 to 255, found 300"),
            ("-1", "expected a whole number from 0 to 255, found -1"),
            ("99999999999999999999", "the number `99999999999999999999` is too large"),
            ("[1]", "expected a whole number, found a list"),
        ] {
            let text =
                said(&format!("lesson: 1\ncluster:\n  algorithm: a\n  initial_clock: {word}\n"));
            assert_eq!(text, format!("l.yaml:4:18: {words}"));
        }
        #[derive(Deserialize)]
        struct Number {
            n: f64,
        }
        for (word, value) in [("3", 3.0), ("-1.5", -1.5), ("1e3", 1000.0), (".5", 0.5)] {
            let number: Number = input::parse(&source(&format!("n: {word}"))).unwrap();
            assert_eq!(number.n, value);
        }
        for word in ["inf", ".nan", "NaN", "three", "'1'"] {
            assert!(input::parse::<Number>(&source(&format!("n: {word}"))).is_err(), "{word}");
        }
    }

    #[test]
    fn a_value_that_was_left_away_is_no_text() {
        assert!(lesson("lesson: 1\nid:\ntitle: \"\"\nsteps:\n").is_ok());
        let text = said("lesson: 1\ncluster:\n  algorithm:\n");
        assert_eq!(
            text,
            "l.yaml:3:13: expected text, found nothing (an empty text is written \"\")"
        );
    }

    #[test]
    fn another_format_cannot_slip_a_number_into_a_text() {
        assert!(serde_json::from_str::<Text>("1.0").is_err());
        assert_eq!(serde_json::from_str::<Text>("\"a\\u001b[2Jb\"").unwrap(), "ab");
        assert!(serde_json::from_str::<OrderedMap<String, u8>>(r#"{"a":1,"a":2}"#).is_err());
    }
}

mod places {
    use super::*;

    #[test]
    fn a_list_item_without_a_key_is_named_by_its_own_line() {
        let file =
            "lesson: 1\nsteps:\n- say: one\n- say: two\n- say: three\n\n\n- predict: {id: a}\n";
        assert_eq!(said(file), "l.yaml:8:12: item 4 of `steps`: the key `event` is missing");
    }

    #[test]
    fn a_wrong_value_in_a_list_item_is_named_by_its_own_column() {
        let file = "lesson: 1\nsteps:\n- say: one\n- deliver:\n    from: three\n    to: 2\n";
        assert_eq!(
            said(file),
            "l.yaml:5:11: item 2 of `steps`: expected a whole number, found `three`"
        );
    }

    #[test]
    fn an_unknown_kind_of_step_lists_the_known_ones() {
        let text = said("lesson: 1\nsteps:\n- say: one\n- predcit: {id: a, event: e}\n");
        assert_eq!(
            text,
            "l.yaml:4:3: item 2 of `steps`: unknown key `predcit`; allowed here: `say`, `note`, \
             `run`, `predict`, `choice` or `deliver` (did you mean `predict`?)"
        );
    }

    #[test]
    fn misspelt_keys_are_errors_at_every_level() {
        for (file, place, meant) in [
            ("leson: 1\nlesson: 1\n", (1, 1), "lesson"),
            ("lesson: 1\ncluster:\n  algorithm: a\n  inital_clock: 1\n", (4, 3), "initial_clock"),
            (
                "lesson: 1\nsteps: [{predict: {id: a, event: b, outcome: [c]}}]\n",
                (2, 37),
                "outcomes",
            ),
            (
                "lesson: 1\nsteps:\n- choice:\n    id: a\n    options:\n      p: {txt: P, text: P}\n",
                (6, 11),
                "text",
            ),
        ] {
            let text = said(file);
            assert_eq!(places(file), [place], "{text}");
            assert!(text.ends_with(&format!("(did you mean `{meant}`?)")), "{text}");
        }
    }

    #[test]
    fn all_problems_come_at_once_and_in_order() {
        let file = "lesson: one\nid: a\nid: b\ncluster:\n  algoritm: a\n  nodes: P1\nsteps:\n- sya: x\n- deliver: {from: x, to: y}\n- predict: {id: a}\n- say: ok\n";
        let text = said(file);
        assert_eq!(
            places(file),
            [(1, 9), (3, 1), (5, 3), (6, 10), (8, 3), (9, 19), (9, 26), (10, 12)],
            "{text}"
        );
    }

    #[test]
    fn what_follows_from_another_problem_is_not_told() {
        assert_eq!(places("lesson: 1\ncluster: {algoritm: a}\n"), [(2, 11)]);
        assert_eq!(places("lesson: x\n"), [(1, 9)]);
    }

    #[test]
    fn enums_are_a_word_or_a_map_with_one_key() {
        #[derive(Debug, PartialEq, Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        enum Channels {
            Fifo,
            AnyOrder,
            Bounded { window: u8 },
            Named(String),
        }
        let parse = |text: &str| input::parse::<Vec<Channels>>(&source(text));
        assert_eq!(
            parse("- fifo\n- any-order\n- bounded: {window: 3}\n- named: no\n").unwrap(),
            [
                Channels::Fifo,
                Channels::AnyOrder,
                Channels::Bounded { window: 3 },
                Channels::Named("no".into())
            ]
        );
        let text =
            parse("- fifo\n- fiffo\n- bounded: {windo: 3}\n- {fifo: , named: x}\n- named\n- []\n");
        assert_eq!(
            text.unwrap_err().to_string(),
            "l.yaml:2:3: item 2: `fiffo` is not known here; expected `fifo`, `any-order`, `bounded` or `named` (did you mean `fifo`?)\n\
             l.yaml:3:13: item 3: unknown key `windo`; allowed here: `window` (did you mean `window`?)\n\
             l.yaml:4:12: item 4: only one of `fifo`, `any-order`, `bounded` or `named` can stand here\n\
             l.yaml:5:3: item 5: `named` needs a value\n\
             l.yaml:6:3: item 6: expected `fifo`, `any-order`, `bounded` or `named`, found a list"
        );
    }

    #[test]
    fn a_refusal_of_the_type_stands_where_the_value_is() {
        #[derive(Debug, Deserialize)]
        #[serde(try_from = "String")]
        #[expect(dead_code, reason = "only its refusal matters")]
        struct Node(String);
        impl TryFrom<String> for Node {
            type Error = String;
            fn try_from(name: String) -> Result<Node, String> {
                if name.starts_with('P') { Ok(Node(name)) } else { Err(format!("no node {name}")) }
            }
        }
        #[derive(Debug, Deserialize)]
        #[expect(dead_code, reason = "only its refusal matters")]
        struct Run {
            first: Option<Node>,
            nodes: Vec<Node>,
        }
        let problems = input::parse::<Run>(&source("first: X\nnodes: [P1, Q]\n")).unwrap_err();
        assert_eq!(
            problems.to_string(),
            "l.yaml:1:8: no node X\nl.yaml:2:13: item 2 of `nodes`: no node Q"
        );
    }

    const FILE: &str = "\
# a comment
lesson: 1
\"title\": 'it''s é'
cluster:
  nodes: [P1, \"P2\",
    P3]
  clocks: {P1: 4, P2: 2}
steps:
- say: |
    Text: with # all [ sorts
- predict:
    id: a
    event: deliver P9>P1
- - x
  -
    y: 1
é日: {a: [b: c]}
";

    #[test]
    fn every_value_and_key_knows_its_place() {
        let document = Document::of(&source(FILE)).unwrap();
        for (path, value, key) in [
            ("", (2, 1), (2, 1)),
            ("lesson", (2, 9), (2, 1)),
            ("title", (3, 10), (3, 1)),
            ("cluster", (5, 3), (4, 1)),
            ("cluster.nodes", (5, 10), (5, 3)),
            ("cluster.nodes[1]", (5, 15), (5, 15)),
            ("cluster.nodes[2]", (6, 5), (6, 5)),
            ("cluster.clocks.P2", (7, 23), (7, 19)),
            ("steps", (9, 1), (8, 1)),
            ("steps[0].say", (9, 8), (9, 3)),
            ("steps[1].predict.event", (13, 12), (13, 5)),
            ("steps[2]", (14, 3), (14, 3)),
            ("steps[2][0]", (14, 5), (14, 5)),
            ("steps[2][1].y", (16, 8), (16, 5)),
            ("é日.a[0].b", (17, 13), (17, 10)),
        ] {
            let pos = |(line, column)| Pos { line, column };
            assert!(document.has(path), "{path}");
            assert_eq!(document.value(path), pos(value), "value of {path}");
            assert_eq!(document.key(path), pos(key), "key of {path}");
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_ends_at_what_exists() {
        let document = Document::of(&source(FILE)).unwrap();
        for path in ["steps[1].predict.evnt", "steps[1].predict[0]", "steps[1].predict.id.x.y[3]"] {
            assert!(!document.has(path));
        }
        let predict = Pos { line: 12, column: 5 };
        assert_eq!(document.value("steps[1].predict.evnt"), predict);
        assert_eq!(document.key("steps[1].predict.evnt"), predict);
        assert_eq!(document.value("steps[1].predict.id.x.y[3]"), Pos { line: 12, column: 9 });
    }

    #[test]
    fn a_later_check_gets_the_place_and_the_item() {
        let (_, document) = input::parse_with_places::<Raw>(&source(FILE)).unwrap();
        let problem =
            document.problem("steps[1].predict.event", "no node P9").with_help("P1 to P3");
        assert_eq!(problem.to_string(), "l.yaml:13:12: item 2 of `steps`: no node P9 (P1 to P3)");
        assert_eq!(problem.path(), Some("steps[1].predict.event"));
        let key =
            document.key_problem(Path::root().key("cluster").key("clocks").key("P2"), "no P2");
        assert_eq!((key.line(), key.column()), (7, 19));
    }

    #[test]
    fn a_problem_is_drawn_with_its_line_and_a_caret() {
        let source = source("lesson: 1\ncluster:\n  node: [P1]\n  algorithm: a\n");
        let problems = input::parse::<Lesson>(&source).unwrap_err();
        let drawn = problems.render(&source, 80);
        assert_eq!(
            drawn,
            "\
error: unknown key `node`; allowed here: `algorithm`, `nodes`, `clocks`, `initial_clock` or `fifo`
 --> l.yaml:3:3
  |
3 |   node: [P1]
  |   ^
  |
  = help: did you mean `nodes`?"
        );
    }

    #[test]
    fn a_problem_at_the_end_of_a_line_or_file_can_be_drawn() {
        for text in ["a: [", "a:\n", "a: \"x", "日本: \tx: y", "a: b\n\u{202e}: x: y\n"] {
            let source = source(text);
            let problems = input::parse::<Lesson>(&source).unwrap_err();
            let drawn = problems.render(&source, 20);
            let Pos { line, column } = problems.first().pos();
            assert!(drawn.contains(&format!("--> l.yaml:{line}:{column}\n")), "{drawn}");
            assert!(drawn.contains('^'), "{drawn}");
            assert!(!drawn.contains('\u{202e}'));
        }
    }
}

mod repeats {
    use super::*;

    #[test]
    fn a_repeated_key_names_both_lines_at_every_level() {
        for (file, place, lines) in [
            ("lesson: 1\nid: a\nid: b\n", (3, 1), "on line 2 and line 3"),
            ("lesson: 1\nx-note: 1\nx-note: 2\n", (3, 1), "on line 2 and line 3"),
            (
                "lesson: 1\ncluster:\n  algorithm: a\n\n  \"algorithm\": b\n",
                (5, 3),
                "on line 3 and line 5",
            ),
            (
                "lesson: 1\ncluster:\n  algorithm: a\n  clocks: {P1: 1,\n    P2: 2, P1: 3}\n",
                (5, 12),
                "on line 4 and line 5",
            ),
            ("lesson: 1\nsteps:\n- say: a\n  note: b\n  say: c\n", (5, 3), "on line 3 and line 5"),
            (
                "lesson: 1\nsteps:\n- choice:\n    id: q\n    options:\n      a: {text: x}\n      a: {text: y}\n",
                (7, 7),
                "on line 6 and line 7",
            ),
        ] {
            let text = said(file);
            assert_eq!(places(file), [place], "{text}");
            assert!(text.contains("is repeated") && text.contains(lines), "{text}");
        }
    }

    #[test]
    fn all_repeats_are_found_whatever_the_file_is_read_into() {
        let file = "a: 1\na: 2\nb: [{c: 1, c: 2}]\nb: {d: {e: 1, e: 1}}\na: 3\n";
        let problems = Document::of(&source(file)).unwrap_err();
        let at: Vec<_> = problems.iter().map(|p| (p.line(), p.column())).collect();
        assert_eq!(at, [(2, 1), (3, 12), (4, 1), (4, 15), (5, 1)]);
    }

    #[test]
    fn thousands_of_repeats_give_a_short_list() {
        let file = "a: 1\n".repeat(9000);
        let problems = Document::of(&source(&file)).unwrap_err();
        assert_eq!(problems.len(), 21);
    }

    #[test]
    fn an_ordered_map_keeps_the_order_of_the_file() {
        let map: OrderedMap<String, u8> = input::parse(&source("z: 1\na: 2\nm: 3\n")).unwrap();
        assert_eq!(map.keys().collect::<Vec<_>>(), ["z", "a", "m"]);
        assert_eq!((map.len(), map.get("a"), map.get("b")), (3, Some(&2), None));
        assert_eq!(to_yaml(&map), "z: 1\na: 2\nm: 3\n");
    }
}

mod hints {
    use super::*;

    /// Each cause with a file that has it and the words that only its hint has.
    const CAUSES: &[(&str, &str, &str)] = &[
        ("colon", "prompt: Hint: think of the stamp\n", "text contains \": \""),
        ("colon in an item", "- say: a\n- say: Hint: think\n", "text contains \": \""),
        ("colon in a flow map", "a: {say: Hint: think}\n", "text contains \": \""),
        ("colon in a flow list", "a: [say: Hint: think]\n", "text contains \": \""),
        ("colon at the end", "prompt: say:\n", "text ends with \":\""),
        ("tab", "a:\n\tb: 1\n", "tab used for indentation"),
        ("tab after spaces", "a:\n  b: 1\n \tc: 1\n", "tab used for indentation"),
        ("tab in a block", "a: |\n\tx\n", "tab used for indentation"),
        ("tab first", "\ta: 1\n", "tab used for indentation"),
        ("[", "prompt: [hint] think\n", "starts with [ must"),
        ("[ in an item", "- [hint] think\n- x\n", "starts with [ must"),
        ("{", "prompt: {hint} think\n", "starts with { must"),
        ("*", "prompt: *bold* text\n", "starts with * must"),
        ("**", "prompt: **bold** text\n", "starts with * must"),
        ("* alone", "prompt: *bold\n", "starts with * must"),
        ("&", "prompt: & more\n", "starts with & must"),
        ("& word", "prompt: &more text\n", "starts with & must"),
        ("!", "prompt: !important text\n", "starts with ! must"),
        ("! alone", "prompt: ! text\n", "starts with ! must"),
        ("!!", "prompt: !!str text\n", "starts with ! must"),
        ("%", "prompt: %d of them\n", "starts with % must"),
        ("@", "prompt: @home\n", "starts with @ must"),
        ("`", "prompt: `code` is\n", "starts with ` must"),
        ("` in an item", "- `code` is\n", "starts with ` must"),
        ("|", "prompt: | text\n", "starts with | must"),
        (">", "prompt: > text\n", "starts with > must"),
        ("-", "prompt: - x\n", "starts with - must"),
        ("?", "prompt: ? x\n", "starts with ? must"),
        (",", "prompt: , x\n", "starts with , must"),
        ("]", "prompt: ] x\n", "starts with ] must"),
        ("behind \"", "prompt: \"Hint\" think\n", "inside \"…\" write"),
        ("behind '", "prompt: 'it's\n", "inside '…' write"),
        ("behind \" with colon", "prompt: \"a: b\": c\n", "inside \"…\" write"),
        ("open \"", "prompt: \"Hint\nb: 1\n", "never closed"),
        ("open '", "prompt: 'Hint\nb: 1\n", "never closed"),
        ("no colon", "a: b\nword\nc: d\n", "neither `key: value` nor"),
        ("one level too deep", "a: b\n  c: d\n", "has its value already"),
        ("a text that goes on", "prompt: think\n  of this: now\n", "has its value already"),
        ("one space too many", "a:\n  b: c\n   d: e\n", "has its value already"),
        ("one too many in an item", "- say: a\n   note: b\n", "has its value already"),
        ("one space too few", "a:\n  - b\n c: 1\n", "where no line above it does"),
        ("between two levels", "a:\n   b: c\n  d: e\n", "where no line above it does"),
        ("no space", "a:\n  cost:8\n  at: d\n", "a space is missing after the colon"),
        ("no space at the end", "a:\n  at: d\n  cost:8\n", "a space is missing after the colon"),
        ("no space at first", "a:b\nc: d\n", "a space is missing after the colon"),
        ("no-break space", "a:\n  at:\u{a0}d\n  c: 8\n", "only looks like a space"),
        ("ideographic space", "at:\u{3000}d\nc: 8\n", "only looks like a space"),
        ("full-width colon", "a: b\nat：d\nc: 8\n", "another character than the colon"),
        ("no space after a dash", "- a\n-b\n", "missing after the dash"),
    ];

    /// Files that are wrong without a certain cause in the line: no hint but the parser's words.
    const UNCERTAIN: &[&str] = &[
        "a: [P1, P2\nb: 1\n",
        "a: {x: 1\nb: 1\n",
        "- a\nb: 1\n",
        "b: 1\n- a\n",
        "a: \"\\q\"\n",
        "word\nb: 1\n",
        "[[1, 2]",
    ];

    fn all_hints() -> BTreeSet<&'static str> {
        CAUSES.iter().map(|(_, _, hint)| *hint).collect()
    }

    fn raw(text: &str) -> Problems {
        input::parse::<Raw>(&source(text)).expect_err(text)
    }

    #[test]
    fn each_hint_comes_with_its_own_cause_and_with_no_other() {
        for (cause, file, own) in CAUSES {
            let text = raw(file).to_string();
            for hint in all_hints() {
                assert_eq!(text.contains(hint), hint == *own, "{cause}: {hint:?} in {text}");
            }
        }
    }

    #[test]
    fn an_uncertain_cause_gets_no_hint() {
        for file in UNCERTAIN {
            let problems = raw(file);
            let text = problems.to_string();
            assert!(problems.first().help().is_none(), "{file:?}: {text}");
            for hint in all_hints() {
                assert!(!text.contains(hint), "{file:?}: {hint:?} in {text}");
            }
        }
    }

    #[test]
    fn hints_stand_at_the_exact_place() {
        for (file, place) in [
            ("prompt: Hint: think of the stamp\n", "l.yaml:1:13: "),
            ("a:\n  b: 1\n\tc: 1\n", "l.yaml:3:1: "),
            ("a: 1\nprompt: &more text\n", "l.yaml:2:9: "),
            ("a: 1\nprompt: !more text\n", "l.yaml:2:9: "),
            ("!more text\n", "l.yaml:1:1: "),
            ("a: 1\nprompt: @home\n", "l.yaml:2:9: "),
            ("a: 1\nb: \"x\nc: 1\n", "l.yaml:2:4: "),
            ("a: b\nword\nc: d\n", "l.yaml:2:1: "),
            ("a:\n  cost:8\n  at: d\n", "l.yaml:2:7: "),
            ("a:\n  at: d\n  cost:8\n", "l.yaml:3:7: "),
            ("a:\n  at:\u{a0}d\n  c: 8\n", "l.yaml:2:5: "),
            ("a:\n  b: c\n   d: e\n", "l.yaml:3:4: "),
            ("a:\n  - b\n c: 1\n", "l.yaml:3:2: "),
            ("\ta: 1\n", "l.yaml:1:1: "),
            ("a:\n - \tb: 1\n", "l.yaml:2:4: "),
        ] {
            let text = raw(file).to_string();
            assert!(text.starts_with(place), "{text}");
        }
    }

    #[test]
    fn a_slip_comes_with_the_line_as_it_should_be() {
        for (file, fix) in [
            ("a:\n  cost:8\n  at: d\n", "(write `cost: 8`)"),
            ("a:\n  at:\u{a0}defer\n  c: 8\n", "(write `at: defer`)"),
            ("a:\n  b: c\n   d: e\n", "(start it in column 3 as `b` does; "),
            ("- say: a\n   note: b\n", "(start it in column 3 as `say` does; "),
            ("a:\n   b: c\n  d: e\n", "(start it in column 1 or in column 4)"),
        ] {
            let text = raw(file).to_string();
            assert!(text.contains(fix), "{text}");
        }
        let alone = said("lesson: 1\ncluster:\n  algorithm:lamport\n");
        assert_eq!(
            alone,
            "l.yaml:3:3: expected keys with values, found `algorithm:lamport` \
             (a space is missing after the colon; write `algorithm: lamport`)"
        );
        let level = said("lesson: 1\ncluster:\nalgorithm: lamport\n");
        assert!(
            level.ends_with(
                "(if it belongs to `cluster` above, which has no value, start it further right)"
            ),
            "{level}"
        );
    }

    #[test]
    fn a_line_of_tabs_stops_nothing_and_is_told_with_its_place() {
        let file = "lesson: 1\n\t\nid: a\n  \t \nsteps:\n- say: |\n    a\n    \t\n    b\n";
        assert!(lesson(file).is_ok());
        let told: Vec<String> =
            comment_warnings(&source(file)).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [2, 4].map(|line| format!(
                "l.yaml:{line}:1: warning: this line holds nothing but a tab (leave the line empty)"
            ))
        );
    }

    #[test]
    fn the_parsers_own_message_is_kept() {
        let text = raw("prompt: Hint: think\n").to_string();
        assert_eq!(
            text,
            "l.yaml:1:13: mapping values are not allowed in this context \
             (text contains \": \"; put it in quotes or use a block (|))"
        );
    }

    #[test]
    fn text_that_yaml_took_for_something_else_gets_the_same_hints() {
        for (value, hint) in [
            ("[hint]", "starts with [ must"),
            ("{hint}", "starts with { must"),
            ("# all gone", "what follows # is a comment"),
        ] {
            let text = said(&format!("lesson: 1\ncluster:\n  algorithm: {value}\n"));
            assert!(text.starts_with("l.yaml:3:1") && text.contains(hint), "{text}");
        }
        let item = said("lesson: 1\nsteps:\n- run:\n  - Compare: the stamps\n");
        assert!(item.starts_with("l.yaml:4:5: item 1 of `run`: expected text"), "{item}");
        assert!(item.contains("text contains \": \""), "{item}");
        let flow = said("lesson: 1\nsteps:\n- run: [ok, Compare: the stamps]\n");
        assert!(
            flow.starts_with("l.yaml:3:13: ") && flow.contains("text contains \": \""),
            "{flow}"
        );
    }

    #[test]
    fn tabs_inside_text_are_allowed() {
        let file = "lesson: 1\nid: a\tb\ntitle: \"a\tb\"\nsteps:\n- say: |\n    a\tb\n    \tc\n";
        let lesson = lesson(file).unwrap_or_else(|p| panic!("{p}"));
        assert_eq!(lesson.id.as_deref(), Some("a\tb"));
        assert_eq!(lesson.steps[0].say.as_deref(), Some("a\tb\n\tc\n"));
    }

    #[test]
    fn markdown_in_a_block_needs_no_care() {
        let block = "**bold**: `code` [x] {y} & ! % @ # | > - ? \"q\" 'it's";
        let lesson = lesson(&format!("lesson: 1\nsteps:\n- say: |\n    {block}\n")).unwrap();
        assert_eq!(lesson.steps[0].say.as_deref().map(str::trim_end), Some(block));
    }
}

mod comments {
    use super::*;

    #[test]
    fn a_text_cut_off_by_a_comment_is_told() {
        let file = "\
title: The # race
id: race #2
about: think # of it
prompt: one
  two # three
list: [a b, c]   # fine
steps:
- say: Compare them  # the stamps
- \"x\": y z # w
";
        let warnings = comment_warnings(&source(file));
        let at: Vec<_> = warnings.iter().map(|w| (w.line(), w.path().unwrap_or(""))).collect();
        assert_eq!(
            at,
            [
                (1, "title"),
                (2, "id"),
                (3, "about"),
                (4, "prompt"),
                (8, "steps[0].say"),
                (9, "steps[1].x")
            ]
        );
        assert!(
            warnings[0].to_string().starts_with("l.yaml:1:8: warning: the text ends before the #")
        );
    }

    #[test]
    fn comments_that_look_like_comments_are_not_told() {
        let file = "\
lesson: 1 # the format
# a line
id: race    # stable
fifo: true # no
note: \"a # b\" # c
hash: a#b
clocks: {P1: 4}  # first
empty: # nothing
say: |  # text
  a # b
x: y
";
        assert_eq!(comment_warnings(&source(file)), []);
    }
}

mod documents {
    use super::*;

    #[test]
    fn line_ends_marks_and_a_missing_last_break_change_nothing() {
        let text = "lesson: 1\nid: a\nsteps:\n- say: |\n    one\n    two\n- say: three\n";
        let plain = lesson(text).unwrap();
        for other in [
            text.replace('\n', "\r\n"),
            format!("\u{feff}{text}"),
            text.trim_end().to_owned(),
            format!("---\n{text}"),
            format!("---\n{text}...\n# end\n"),
        ] {
            assert_eq!(lesson(&other).unwrap_or_else(|p| panic!("{p}")), plain, "{other:?}");
        }
    }

    #[test]
    fn a_second_document_is_refused_where_it_starts() {
        for (file, line) in [
            ("lesson: 1\n---\nlesson: 1\n", 2),
            ("---\nlesson: 1\n\n---\n# c\n\nlesson: 2\n", 4),
            ("lesson: 1\n---\n", 2),
            ("lesson: 1\n...\n--- {lesson: 2}\n", 3),
            ("lesson: 1\n---\na: [\n", 2),
        ] {
            let text = said(file);
            assert!(text.starts_with(&format!("l.yaml:{line}:1: a second document")), "{text}");
        }
        let text = said("  lesson: 1\nid: a\n");
        assert!(text.starts_with("l.yaml:2:1: this line starts further left"), "{text}");
        let text = said("{lesson: 1} x\n");
        assert!(text.starts_with("l.yaml:1:13: "), "{text}");
    }

    #[test]
    fn a_document_of_nothing_is_an_empty_file() {
        for file in ["", "# a\n", "---\n", "~\n", "--- # a\n", "null", "--- ~"] {
            assert_eq!(said(file), "l.yaml:1:1: the file is empty: it has no lesson", "{file:?}");
        }
    }

    #[test]
    fn the_authors_own_keys_are_skipped_where_keys_are_fixed() {
        let file = "lesson: 1\nx-todo: [a, {b: c}]\nsteps:\n- say: a\n  x-time: 3\n";
        assert!(lesson(file).is_ok());
        let map: OrderedMap<String, u8> = input::parse(&source("x-a: 1\n")).unwrap();
        assert_eq!(map.len(), 1);
    }

    #[test]
    fn keys_are_words() {
        for file in ["? [a]\n: b\n", "{a: b}: c\n", ": c\n", "\"\": c\n"] {
            let text = said(file);
            assert!(text.contains("key"), "{text}");
        }
        let long = said(&format!("{}: 1\n", "k".repeat(500)));
        assert!(long.contains("is too long") && long.len() < 200, "{long}");
    }

    #[test]
    fn what_is_written_reads_back_equal() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        enum Kind {
            Plain,
            With { n: u8 },
        }
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Run {
            kinds: Vec<Kind>,
            none: Option<String>,
            texts: Vec<String>,
            answers: OrderedMap<String, Raw>,
        }
        let words = "no|on|null|~|1.0|1e3|0x1F|12:30|08||- a|a: b|a # b|[x|{|*a|&a|!a|%|@|`|'|\"| a |a\nb\n|\n|\ta|é日|x-1|#";
        let raw = |text: &str| Raw::Text(Text::new(text));
        let run = Run {
            kinds: vec![Kind::Plain, Kind::With { n: 3 }],
            none: None,
            texts: words.split('|').map(str::to_owned).collect(),
            answers: [
                ("a".to_owned(), raw("no")),
                ("b".to_owned(), Raw::List(vec![raw("08"), raw("deliver P1>P2 => reply")])),
                ("blank".to_owned(), Raw::List(vec![raw(""), raw("x")])),
                ("c".to_owned(), Raw::Map([("P1".into(), raw("{P2}"))].into_iter().collect())),
            ]
            .into_iter()
            .collect(),
        };
        let yaml = to_yaml(&run);
        let back: Run = input::parse(&source(&yaml)).unwrap_or_else(|p| panic!("{p}\n{yaml}"));
        assert_eq!(back, run);
    }

    #[test]
    fn a_lesson_read_raw_and_written_again_is_the_same_lesson() {
        let text = "lesson: 1\nid: 7\ntitle: \"0.5\"\ncluster: {algorithm: no, clocks: {P1: 4}, fifo: true}\nsteps:\n- say: 'true'\n- run: [1, 08, 1e3, ~]\n";
        let raw: Raw = input::parse(&source(text)).unwrap();
        let again = input::raw_to_yaml(&raw);
        assert_eq!(
            lesson(&again).unwrap_or_else(|p| panic!("{p}\n{again}")),
            lesson(text).unwrap()
        );
    }

    #[test]
    fn a_raw_answer_keeps_its_form() {
        let raw: Raw = input::parse(&source("a: no\nb:\nc: [1.0, ]\nd: {P1: ~}\n")).unwrap();
        let Raw::Map(map) = raw else { panic!("a map") };
        assert_eq!(map.get("a").and_then(Raw::as_text), Some("no"));
        assert_eq!(map.get("b"), Some(&Raw::Nothing));
        assert_eq!(to_yaml(&Raw::List(vec![Raw::Nothing])), "- ''\n");
    }
}

mod hostile {
    use super::*;

    fn refused(bytes: &[u8]) -> String {
        let source = Source::from_bytes("l.yaml", bytes, "lesson", Limits::FILE);
        let text =
            source.and_then(|source| input::parse::<Lesson>(&source)).unwrap_err().to_string();
        assert!(is_clean(&text), "{text:?}");
        text
    }

    fn is_clean(text: &str) -> bool {
        !text.chars().any(|c| c.is_control() && c != '\n')
    }

    fn bomb() -> String {
        let mut text = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
        for (from, to) in ('a'..'j').zip('b'..='j') {
            let nine = vec![format!("*{from}"); 9].join(",");
            text += &format!("{to}: &{to} [{nine}]\n");
        }
        text
    }

    #[test]
    fn every_hostile_file_gets_its_own_refusal() {
        for (bytes, place, words) in [
            (bomb().into_bytes(), "1:4", "anchors"),
            ("[".repeat(200_000).into_bytes(), "1:513", "nested too deep"),
            (b"lesson: 1\nid: x\x1b[2J\ntitle: t\n".to_vec(), "2:6", "U+001B"),
            (b"lesson: 1\ntitle: caf\xe9\n".to_vec(), "2:11", "not UTF-8"),
            (Vec::new(), "1:1", "has no lesson"),
            (b"# nothing\n".to_vec(), "1:1", "has no lesson"),
            (b"lesson: 1\n---\nlesson: 1\n".to_vec(), "2:1", "second document"),
            (b"lesson: 1\ncluster:\n\talgorithm: lamport\n".to_vec(), "3:1", "tab used"),
            (b"lesson: 1\nid: a\nid: b\n".to_vec(), "3:1", "repeated"),
            (b"lesson: 1\x00\n".to_vec(), "1:10", "U+0000"),
            ([b"x: ".to_vec(), vec![b'y'; 20_000_000]].concat(), "1:1", "at most 256 KiB"),
            (b"lesson: 1\nbogus\\x1b: 1\n".to_vec(), "2:1", "unknown key"),
            (b"lesson: 1\n\"bogus\\x1b[2J\\u202e\": 1\n".to_vec(), "2:1", "unknown key `bogus`"),
        ] {
            let text = refused(&bytes);
            assert!(
                text.starts_with(&format!("l.yaml:{place}: ")) && text.contains(words),
                "{text}"
            );
        }
    }

    #[test]
    fn escaped_control_sequences_never_leave_the_parser() {
        let file = "lesson: 1\nid: \"\\x1b]0;pwned\\x07a\"\ntitle: \"\\x1b[31mred\\e[0m\\0\\N\"\n";
        let lesson = lesson(file).unwrap();
        assert_eq!(lesson.id.as_deref(), Some("a"));
        assert_eq!(lesson.title.unwrap(), "red");
        let raw: Raw = input::parse(&source("\"k\\x1b\": \"\\x9b31mv\"\n")).unwrap();
        assert_eq!(to_yaml(&raw), "k: v\n");
    }

    #[test]
    fn names_and_later_messages_are_cleaned_too() {
        let name = "a\x1b[2J\n.yaml";
        let source = Source::from_text(name, "a: 1\n", "lesson").unwrap();
        let problem = source.problem(Pos::START, "x\x07\ny").with_help("\x1b[1mh");
        assert_eq!(problem.to_string(), "a .yaml:1:1: x y (h)");
        let path = Path::root().key("k\x1b[2J").index(0);
        assert!(is_clean(&problem.with_path(&path).render(&source, 80)));
    }

    #[test]
    fn depth_and_size_are_the_callers_to_choose() {
        let limits = Limits { bytes: 100, depth: 3, nodes: 12, unseen: true };
        let read = |text: &str| {
            let source = Source::from_bytes("a.yaml", text.as_bytes(), "answers", limits)?;
            input::parse::<Raw>(&source)
        };
        assert!(read("a: [[x]]").is_ok());
        let deep = read("a: [[[x]]]").unwrap_err().to_string();
        assert_eq!(deep, "a.yaml:1:6: nested too deep: at most 3 levels are read");
        let many = read("[a, b, c, d, e, f, g, h, i, j, k, l]").unwrap_err().to_string();
        assert_eq!(many, "a.yaml:1:35: too much: at most 12 values are read");
        let ten_megabytes = "a".repeat(10 << 20);
        assert!(read(&ten_megabytes).unwrap_err().to_string().contains("at most 100 bytes"));
    }

    #[test]
    fn work_on_a_hostile_file_is_bounded_by_the_limits() {
        let wide = format!("lesson: [{}]\n", "[],".repeat(30_000));
        assert!(refused(wide.as_bytes()).contains("at most 20000 values"));
        let faults = format!("lesson: 1\nsteps: [{}]\n", "{say: {}},".repeat(4000));
        let problems = lesson(&faults).unwrap_err();
        assert_eq!(problems.len(), 21);
        let nested =
            (0..200).fold(String::new(), |text, depth| text + " ".repeat(depth).as_str() + "a:\n");
        assert!(refused(nested.as_bytes()).contains("nested too deep"));
        let long_line = format!("lesson: \"{}\n", "x".repeat(200_000));
        assert!(refused(long_line.as_bytes()).contains("never closed"));
    }

    /// Pieces that YAML gives a meaning, so that random texts get somewhere.
    fn yaml_like() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("lesson: 1\n"),
            Just("steps:\n"),
            Just("- "),
            Just("  "),
            Just("\t"),
            Just("say: "),
            Just("a: "),
            Just("\n"),
            Just("["),
            Just("]"),
            Just("{"),
            Just("}"),
            Just(", "),
            Just("\""),
            Just("'"),
            Just("|\n"),
            Just(">-\n"),
            Just("&a "),
            Just("*a "),
            Just("!t "),
            Just("!!str "),
            Just("? "),
            Just(": "),
            Just("# c"),
            Just("---\n"),
            Just("...\n"),
            Just("%YAML 1.1\n"),
            Just("<<: "),
            Just("\\x1b"),
            Just("é日\u{202e}\u{feff}"),
            Just("~"),
            Just("12"),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    fn check_all(bytes: &[u8]) {
        let source = match Source::from_bytes("l.yaml", bytes, "lesson", Limits::FILE) {
            Ok(source) => source,
            Err(problems) => {
                assert!(is_clean(&problems.to_string()));
                return;
            }
        };
        for problems in [
            input::parse::<Lesson>(&source).err(),
            input::parse::<Raw>(&source).err(),
            Document::of(&source).err(),
        ]
        .into_iter()
        .flatten()
        {
            assert!(is_clean(&problems.to_string()), "{problems}");
            assert!(is_clean(&problems.render(&source, 60)));
            let lines = source.text().split('\n').count();
            assert!(problems.iter().all(|p| p.line() <= lines), "{problems}");
            for problem in &problems {
                let place = format!("--> l.yaml:{}:{}", problem.line(), problem.column());
                let drawn = problem.render(&source, 60);
                assert!(drawn.lines().any(|line| line.trim_start() == place), "{problem}\n{drawn}");
            }
        }
        if let Ok(raw) = input::parse::<Raw>(&source) {
            assert!(!to_yaml(&raw).chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
        }
        assert!(comment_warnings(&source).iter().all(|w| is_clean(&w.to_string())));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

        #[test]
        fn no_bytes_make_it_panic_or_speak_in_control_characters(
            bytes in proptest::collection::vec(any::<u8>(), 0..200)
        ) {
            check_all(&bytes);
        }

        #[test]
        fn no_text_that_looks_like_yaml_makes_it_panic(text in yaml_like()) {
            check_all(text.as_bytes());
        }

        #[test]
        fn any_text_survives_writing_and_reading(
            key in "[a-z][a-z0-9-]{0,8}",
            text in prop_oneof!["[ -~é日\n\t]{0,40}", any::<String>()],
        ) {
            let clean = input::clean(&text).into_owned();
            let yaml = to_yaml(&OrderedMap::from_iter([(key.clone(), text)]));
            let map = OrderedMap::from_iter([(key, clean)]);
            let back = Source::from_text("a", &yaml, "x")
                .and_then(|source| input::parse::<OrderedMap<String, String>>(&source));
            prop_assert_eq!(back.unwrap_or_else(|p| panic!("{p}\n{yaml}")), map);
        }

        #[test]
        fn clean_is_idempotent_and_leaves_nothing_hidden(text in any::<String>()) {
            let once = input::clean(&text).into_owned();
            prop_assert!(!once.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
            let twice = input::clean(&once).into_owned();
            prop_assert_eq!(twice, once);
        }
    }
}
