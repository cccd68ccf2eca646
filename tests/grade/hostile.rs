//! Files that are made to hurt: a clear message, whole results in every format, and never a pass.

use super::{RIGHT, hand_in, in_format, written, xml};
use lockstep::lesson::batch::HandedIn;
use lockstep::lesson::grade::{Graded, Status, Wanted};
use serde_json::Value;
use std::collections::BTreeSet;

/// A name, the bytes, and what the message says; `None`: the file is graded, to nothing.
fn hostile() -> Vec<(&'static str, Vec<u8>, Option<&'static str>)> {
    let answers = |a: &str| format!("lesson: two-asks\nanswers:\n  first: {a}\n").into_bytes();
    let bomb = (0..20).fold("a0: &a0 [x, x]\n".to_owned(), |text, n| {
        text + format!("a{}: &a{} [*a{n}, *a{n}, *a{n}, *a{n}]\n", n + 1, n + 1).as_str()
    });
    let names: String = (0..4000).map(|n| format!("  x{n}: a\n")).collect();
    let huge = format!("{}{}", RIGHT, "#".repeat(10 << 20));
    vec![
        ("empty", Vec::new(), Some("the file is empty")),
        ("comments", b"# nothing\n".to_vec(), Some("the file is empty")),
        ("ten megabytes", huge.into_bytes(), Some("too large")),
        ("ten megabytes of one word", vec![b'a'; 10 << 20], Some("too large")),
        ("brackets", "[".repeat(100_000).into_bytes(), Some("nested too deep")),
        (
            "deep",
            answers(&format!("{}{}", "[".repeat(50), "]".repeat(50))),
            Some("nested too deep"),
        ),
        ("alias bomb", bomb.into_bytes(), Some("anchor")),
        ("control characters", answers("\u{1b}[2J\u{1b}[31mred"), Some("cannot be used")),
        ("a zero byte", answers("\0"), Some("cannot be used")),
        ("Latin-1", b"lesson: two-asks\nwho: Andr\xe9\n".to_vec(), Some("not UTF-8")),
        ("UTF-16", b"\xff\xfel\0e\0s\0".to_vec(), Some("UTF-16")),
        ("noise", (0..=255).cycle().take(9_999).collect(), Some("not UTF-8")),
        ("a repeated key", answers("b\n  first: a"), Some("first")),
        ("a list", b"- lesson\n".to_vec(), Some("")),
        ("a number for the map", b"lesson: two-asks\nanswers: 5\n".to_vec(), Some("")),
        ("two documents", format!("{RIGHT}---\n{RIGHT}").into_bytes(), Some("document")),
        ("a tag", answers("!!python/object:os.system x"), Some("tag")),
        ("another lesson", RIGHT.replace("two", "ten").into_bytes(), Some("no lesson is called")),
        ("no lesson", b"answers: {first: a}\n".to_vec(), Some("does not say to which lesson")),
        ("a path", b"lesson: ../../etc/passwd\n".to_vec(), Some("no lesson is called")),
        ("an unknown key", b"lesson: two-asks\nscore: 100\n".to_vec(), Some("score")),
        ("too many values", answers(&format!("[{}]", "x,".repeat(20_000))), Some("")),
        ("not a number", answers(".nan"), None),
        ("infinity", answers("-.inf"), None),
        ("a huge number", answers(&"9".repeat(100_000)), None),
        ("a huge exponent", answers("1e999999999"), None),
        ("markup", answers("']]><!-- & </testcase> \" <b'"), None),
        ("unknown names", format!("lesson: two-asks\nanswers:\n{names}").into_bytes(), None),
        ("right to left", answers("\"\u{202e}eight\""), None),
        ("everything shown", format!("{RIGHT}shown: [first, second, third]\n").into_bytes(), None),
        ("a long name", format!("lesson: two-asks\nwho: {}\n", "w".repeat(90_000)).into(), None),
    ]
}

fn one(name: &str, bytes: &[u8]) -> Vec<HandedIn> {
    let folder = tempfile::tempdir().expect("a folder for the test");
    std::fs::write(folder.path().join("two-asks.yaml"), super::LESSON).expect("a file");
    let library = lockstep::lesson::Library::folder(folder.path()).expect("a library");
    let mut desk = lockstep::lesson::batch::GradingBatch::new(library, Wanted::default());
    vec![desk.take(name, Ok(bytes))]
}

/// A Gradescope result has the published form.
pub fn gradescope(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let schema: Value = serde_json::from_str(include_str!("gradescope.schema.json")).expect("JSON");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("results.json", schema).expect("a schema");
    let at = compiler.compile("results.json", &mut schemas).expect("a schema that compiles");
    schemas.validate(&value, at).unwrap_or_else(|why| panic!("{why}: {text}"));
    let tests = value["tests"].as_array().expect("a list of tests");
    assert!(!tests.is_empty(), "{text}");
    let number = |of: &Value, key: &str| of.get(key).and_then(Value::as_f64).unwrap_or(0.0);
    let within = |test: &Value| number(test, "score") <= number(test, "max_score");
    assert!(tests.iter().all(|test| test.get("status").is_none() || within(test)), "{text}");
    let sum: f64 = tests.iter().map(|test| number(test, "score")).sum();
    assert!((sum - value["score"].as_f64().expect("a number")).abs() < 1e-9, "{text}");
    value
}

/// A JUnit result is well formed, counts what it holds, and no two cases have the same names.
pub fn junit(text: &str) -> xml::Element {
    let root = xml::parse(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(root.name, "testsuites");
    let count = |e: &xml::Element, what: &str| e.all(what).len();
    for level in [&root].into_iter().chain(root.all("testsuite")) {
        let names = [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ];
        for (attribute, element) in names {
            let told: usize = level.get(attribute).parse().expect("a number");
            assert_eq!(told, count(level, element), "{attribute}: {text}");
        }
    }
    let cases = root.all("testcase");
    let names: BTreeSet<_> = cases.iter().map(|c| (c.get("classname"), c.get("name"))).collect();
    assert_eq!(names.len(), cases.len(), "{text}");
    root
}

#[test]
fn hostile_files_get_a_clear_message_and_never_pass() {
    for (name, bytes, says) in hostile() {
        let handed = one(name, &bytes);
        match (&handed[0].result, says) {
            (Err(refusal), Some(says)) => {
                assert!(refusal.message.contains(says), "{name}: {}", refusal.message);
                assert!(refusal.message.len() < 4_000, "{name}: {}", refusal.message.len());
            }
            (Ok(report), None) => assert!(report.score().0 == 0.0, "{name}"),
            (other, _) => panic!("{name}: {other:?}"),
        }
        let texts = written(&handed);
        for (format, text) in &texts {
            assert!(text.len() < 20_000, "{name}: {format} is {} bytes long", text.len());
            let tame = |c: char| !c.is_control() || c == '\n';
            assert!(text.chars().all(tame), "{name}: {format}: {text:?}");
        }
        let json: Value = serde_json::from_str(in_format(&texts, "json")).expect("JSON");
        assert_eq!(json["version"], 1, "{name}");
        assert!(json["status"] == "fail" || json["status"] == "error", "{name}: {json}");
        assert_eq!(json["score"], 0.0, "{name}");
        assert_eq!(json["error"]["type"].is_string(), says.is_some(), "{name}: {json}");
        let xml = junit(in_format(&texts, "junit"));
        assert!(xml.all("failure").len() + xml.all("error").len() > 0, "{name}");
        let results = gradescope(in_format(&texts, "gradescope"));
        assert_eq!(results["score"], 0.0, "{name}");
        let tests = results["tests"].as_array().expect("a list");
        assert!(tests.iter().all(|t| t["status"] != "passed"), "{name}: {results}");
        assert!(tests.iter().any(|t| t["visibility"] == "visible"), "{name}");
        assert!(!in_format(&texts, "text").contains("  ok "), "{name}");
    }
}

#[test]
fn hostile_files_do_not_stop_the_others() {
    let hostile = hostile();
    let folder = tempfile::tempdir().expect("a folder for the test");
    std::fs::write(folder.path().join("two-asks.yaml"), super::LESSON).expect("a file");
    let library = lockstep::lesson::Library::folder(folder.path()).expect("a library");
    let mut desk = lockstep::lesson::batch::GradingBatch::new(library, Wanted::default());
    let mut handed = Vec::new();
    for (_, bytes, _) in &hostile {
        handed.push(desk.take("same.yaml", Ok(bytes.as_slice())));
        handed.push(desk.take("right.yaml", Ok(RIGHT.as_bytes())));
    }
    let passed = handed.iter().filter(|h| h.result.as_ref().is_ok_and(|r| r.passed())).count();
    assert_eq!(passed, hostile.len(), "every right file, and no other");
    let texts = written(&handed);
    junit(in_format(&texts, "junit"));
    gradescope(in_format(&texts, "gradescope"));
    let json: Value = serde_json::from_str(in_format(&texts, "json")).expect("JSON");
    assert_eq!(json["status"], "error");
    assert_eq!(json["files"].as_array().map(Vec::len), Some(handed.len()));
}

#[test]
fn good_answers_have_the_same_forms() {
    let some = "lesson: two-asks\nwho: <me> & \"you\"\nanswers: {first: a, second: reply}\n";
    for (text, score) in [(RIGHT, 4.0), (some, 2.0)] {
        let texts = written(&hand_in(&[("a.yaml", text)], Wanted::default()));
        assert_eq!(gradescope(in_format(&texts, "gradescope"))["score"], score);
        let xml = junit(in_format(&texts, "junit"));
        assert_eq!(xml.all("testcase").len(), 3);
        assert!(xml.all("testcase").iter().all(|c| c.get("classname") == "two-asks"));
        let json: Value = serde_json::from_str(in_format(&texts, "json")).expect("JSON");
        assert_eq!((&json["score"], &json["max_score"]), (&score.into(), &4.0.into()));
        for test in json["tests"].as_array().expect("a list") {
            for key in [
                "id",
                "name",
                "status",
                "score",
                "max_score",
                "message",
                "help",
                "expected",
                "actual",
                "after",
                "hints_used",
                "line",
            ] {
                assert!(test.get(key).is_some(), "{key}: {test}");
            }
            assert!(test["line"].as_u64() > Some(10), "{test}");
        }
    }
}

/// What takes no room is no part of an answer.
#[test]
fn an_answer_is_read_without_what_nobody_sees() {
    for hidden in ["\\u202e", "\\u2060", "\\u200b", "\\ufeff", "\\u00ad", "\\u00a0"] {
        let text = format!("lesson: two-asks\nanswers: {{first: \"{hidden}a{hidden}\"}}\n");
        let files = hand_in(&[("a.yaml", &text)], Wanted::default());
        let report = files[0].result.as_ref().expect("it is graded");
        assert_eq!(report.tests[0].status(), Status::Passed, "{hidden}");
    }
}

#[test]
fn an_answer_with_control_characters_never_passes_and_is_told() {
    for hidden in ["\\x1b[31m", "\\0", "\\x08"] {
        let text = format!("lesson: two-asks\nanswers: {{first: \"{hidden}a\", second: defer}}\n");
        let files = hand_in(&[("a.yaml", &text)], Wanted::default());
        let report = files[0].result.as_ref().expect("the other answer is graded");
        let status: Vec<Status> = report.tests.iter().map(Graded::status).collect();
        assert_eq!(status, [Status::Failed, Status::Passed, Status::Skipped]);
        assert!(report.remarks.join(" ").contains("nobody sees"), "{:?}", report.remarks);
        for (format, shown) in written(&files) {
            assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{format}: {shown:?}");
        }
    }
}
