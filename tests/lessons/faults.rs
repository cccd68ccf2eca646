//! Files with faults: what is said about them, and where.

use super::cases::{cases, changed_from};
use super::{BASE, changed, checked};
use lockstep::input::{Limits, Source};
use lockstep::lesson::{Learner, Next, lint, load, strip};
use proptest::prelude::*;

const BAD: &str = include_str!("bad.txt");

fn faults_of(text: &str) -> Vec<String> {
    match checked(text) {
        Ok(_) => Vec::new(),
        Err(bad) => bad.problems.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn every_fault_is_told_with_its_place_and_all_of_them_at_once() {
    let all = cases(BAD);
    assert!(all.len() > 50, "only {} cases were read", all.len());
    let mut wrong = Vec::new();
    for case in all {
        let found = faults_of(&changed(&case.changes));
        let found: Vec<&str> =
            found.iter().map(|m| m.strip_prefix("bad.yaml:").unwrap_or(m)).collect();
        if found != case.said {
            wrong.push(format!("# {}\n= {}", case.name, found.join("\n= ")));
        }
    }
    assert!(wrong.is_empty(), "these say something else:\n\n{}", wrong.join("\n\n"));
}

/// One question of each type, without faults.
const ALL: &str = include_str!("all.yaml");
const LINT: &str = include_str!("lint.txt");

fn linted(text: &str) -> Vec<String> {
    let found = match Source::from_text("bad.yaml", text, "lesson") {
        Ok(source) => lint::of_source(&source, Some(&["all"])),
        Err(problems) => problems.into_vec(),
    };
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn a_lesson_with_a_question_of_each_type_has_no_findings() {
    assert_eq!(linted(ALL), Vec::<String>::new());
}

#[test]
fn lint_tells_everything_at_once_with_its_place() {
    let all = cases(LINT);
    assert!(all.len() > 60, "only {} cases were read", all.len());
    let mut wrong = Vec::new();
    for case in all {
        let found = linted(&changed_from(ALL, &case.changes));
        let found: Vec<&str> =
            found.iter().map(|m| m.strip_prefix("bad.yaml:").unwrap_or(m)).collect();
        if found != case.said {
            wrong.push(format!("# {}\n= {}", case.name, found.join("\n= ")));
        }
    }
    assert!(wrong.is_empty(), "these say something else:\n\n{}", wrong.join("\n\n"));
}

#[test]
fn a_lesson_needs_a_step() {
    let steps = BASE.find("steps:").expect("the base has steps");
    let text = format!("{}steps: []\n", &BASE[..steps]);
    assert_eq!(faults_of(&text), ["bad.yaml:12:1: a lesson has at least one step"]);
}

#[test]
fn a_key_that_is_missing_is_named() {
    let text = BASE.replace("title: A lesson\n", "").replace("      id: first\n", "");
    let found = faults_of(&text).join("\n");
    assert!(found.contains("`title` is missing"), "{found}");
    assert!(found.contains("item 2 of `steps`: the key `id` is missing"), "{found}");
}

#[test]
fn line_ends_and_a_byte_order_mark_make_no_difference() {
    let lesson = |text: &str| format!("{:?}", checked(text).expect("no faults").steps());
    let plain = lesson(BASE);
    for text in [BASE.replace('\n', "\r\n"), format!("\u{feff}{BASE}"), BASE.trim_end().to_owned()]
    {
        assert_eq!(lesson(&text), plain);
    }
}

#[test]
fn what_is_no_lesson_at_all_is_refused_with_the_reason() {
    let said = |bytes: &[u8]| {
        let source = Source::from_bytes("bad.yaml", bytes, "lesson", Limits::FILE);
        let checked = source.map_err(load_error).and_then(load::checked);
        checked.expect_err("refused").to_string()
    };
    for (bytes, wanted) in [
        (&b""[..], "bad.yaml:1:1: the file is empty: it has no lesson"),
        (b"# nothing\n", "bad.yaml:1:1: the file is empty: it has no lesson"),
        (b"lesson: 1\ntitle: caf\xe9\n", "bad.yaml:2:11: not UTF-8: byte 0xE9 at byte position 20"),
        (b"lesson: 1\x00\n", "bad.yaml:1:10: the character U+0000 cannot be used in a file"),
    ] {
        let said = said(bytes);
        assert!(said.starts_with(wanted), "{said}");
    }
}

fn load_error(problems: lockstep::input::Problems) -> lockstep::lesson::BadLesson {
    problems.into()
}

#[test]
fn a_fault_is_drawn_with_its_line_and_a_caret() {
    let text = BASE.replace("deliver P1>P2", "deliver P1>P9");
    let drawn = checked(&text).expect_err("no node P9").render(80);
    assert!(drawn.contains("27 |       event: deliver P1>P9"), "{drawn}");
    assert!(drawn.contains("^"), "{drawn}");
}

fn findings(text: &str) -> Vec<String> {
    let lesson = checked(text).unwrap_or_else(|bad| panic!("{bad}"));
    lint::findings(&lesson, None).iter().map(ToString::to_string).collect()
}

#[test]
fn the_base_lesson_has_no_findings() {
    assert_eq!(findings(BASE), Vec::<String>::new());
}

#[test]
fn lint_finds_what_a_learner_would_miss() {
    let long = format!("  - say: {}", "word ".repeat(150));
    let cases = [
        ("      explain: The stamps decide.", "", "has no `explain`"),
        ("      hints: [Look., Compare., 3 or 5?]", "", "has no hints"),
        ("      hints: [Look., Compare., 3 or 5?]", "      hints: [a, b, c, d]", "4 hints; 3 are"),
        ("  - say: Both ask.", &long, "rows of 76 columns"),
        (
            "      explain: The stamps decide.",
            "      explain: The stamp # decides.",
            "is a comment",
        ),
        (
            "        p1: {text: P1, say: The later stamp.}",
            "        p1: {text: P1, say: That is not yet the older stamp.}",
            "judges (\"not yet\")",
        ),
        ("      prompt: Who is first?", "", ""),
    ];
    for (old, new, wanted) in cases.into_iter().filter(|c| !c.2.is_empty()) {
        let found = findings(&changed(&[(vec![old], vec![new])])).join("\n");
        assert!(found.contains(wanted), "{wanted}: {found}");
    }
}

/// What keeps a lesson from being right is an error, what it could do better is advice.
#[test]
fn a_finding_is_an_error_or_advice() {
    use lockstep::input::Severity::{Advice, Error};
    let cases = [
        ("      explain: The stamps decide.", "", Advice),
        ("      hints: [Look., Compare., 3 or 5?]", "", Advice),
        (
            "        p1: {text: P1, say: The later stamp.}",
            "        p1: {text: P1, say: Wrong.}",
            Advice,
        ),
        ("        p1: {text: P1, say: The later stamp.}", "        p1: {text: P1, say: }", Error),
        ("      event: deliver P1>P2", "      event: deliver P1>P9", Error),
        ("      prompt: Who is first?", "      prompt: TODO", Error),
    ];
    for (old, new, severity) in cases {
        let text = changed(&[(vec![old], vec![new])]);
        let source = Source::from_text("bad.yaml", &text, "lesson").expect("a text");
        let found = lint::of_source(&source, None);
        assert!(!found.is_empty(), "{new}");
        let wrong = found.iter().find(|problem| problem.severity() != severity);
        assert!(wrong.is_none(), "{new}: {wrong:?}");
        let word = format!(": {}: ", severity.word());
        assert!(found[0].with_severity().contains(&word), "{}", found[0].with_severity());
    }
}

#[test]
fn lint_finds_a_lesson_that_only_shows() {
    let steps = BASE.find("steps:").expect("the base has steps");
    let watched = format!("{}steps:\n{}", &BASE[..steps], "  - say: Look.\n".repeat(5));
    assert_eq!(
        findings(&watched),
        [
            "bad.yaml:12:1: the learner only watches: ask something before it is seen",
            "bad.yaml:13:5: item 1 of `steps`: 4 steps in a row ask nothing; let the learner answer \
             or predict something (choice, multi, number, formula, invariant, text, explain, order, state, \
             predict, trace, drive, play)",
        ]
    );
}

#[test]
fn lint_finds_a_lesson_that_predicts_nothing() {
    let predict = BASE.find("  - predict:").expect("the base predicts");
    let text = &BASE[..predict];
    assert_eq!(
        findings(text),
        ["bad.yaml:12:1: nothing is predicted: ask what an event will do before it is seen \
             (predict, state, trace, drive, play)"]
    );
}

/// What an author's hand may do to a file.
#[derive(Clone, Debug)]
enum Slip {
    Delete(usize),
    Double(usize),
    Swap(usize, usize),
    Insert(usize, String),
    Replace(usize, &'static str, &'static str),
}

fn slip() -> impl Strategy<Value = Slip> {
    let at = 0..2000_usize;
    prop_oneof![
        at.clone().prop_map(Slip::Delete),
        at.clone().prop_map(Slip::Double),
        (at.clone(), at.clone()).prop_map(|(a, b)| Slip::Swap(a, b)),
        (at.clone(), "[ -~\\n\\t]{1,3}").prop_map(|(a, text)| Slip::Insert(a, text)),
        (at.clone(), prop_oneof![Just("P1"), Just("P2")], prop_oneof![Just("P2"), Just("P3")])
            .prop_map(|(a, old, new)| Slip::Replace(a, old, new)),
    ]
}

fn slipped(text: &str, slip: &Slip) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let n = lines.len();
    match slip {
        Slip::Delete(a) => drop(lines.remove(a % n)),
        Slip::Double(a) => lines.insert(a % n, lines[a % n]),
        Slip::Swap(a, b) => lines.swap(a % n, b % n),
        Slip::Insert(a, new) => {
            let at = (0..=a % text.len()).rev().find(|i| text.is_char_boundary(*i));
            let at = at.unwrap_or(0);
            return format!("{}{new}{}", &text[..at], &text[at..]);
        }
        Slip::Replace(a, old, new) => {
            let at = text.match_indices(old).map(|(at, _)| at).collect::<Vec<_>>();
            let Some(at) = at.get(a % at.len().max(1)) else { return text.to_owned() };
            return format!("{}{new}{}", &text[..*at], &text[at + old.len()..]);
        }
    }
    lines.join("\n") + "\n"
}

proptest! {
    /// The copy without keys opens whatever the whole file looks like, and holds no reason.
    #[test]
    fn the_learners_copy_of_any_lesson_opens(slips in prop::collection::vec(slip(), 0..3)) {
        let text = slips.iter().fold(ALL.to_owned(), |text, one| slipped(&text, one));
        if let Ok(lesson) = checked(&text) {
            let copy = strip::strip(&lesson);
            let opens = checked(&copy).map(|copy| copy.stripped).map_err(|bad| bad.to_string());
            prop_assert_eq!(opens, Ok(true), "{}", copy);
            for question in lesson.questions() {
                let reason = question.common().explain.unwrap_or("It has asked.");
                prop_assert!(!copy.contains(reason.trim()) || reason.len() < 9, "{}", copy);
            }
        }
    }

    /// No file makes the program panic, and a lesson that opens can be played to its end.
    #[test]
    fn a_lesson_that_opens_can_be_played_to_its_end(slips in prop::collection::vec(slip(), 1..3)) {
        let text = slips.iter().fold(BASE.to_owned(), |text, one| slipped(&text, one));
        if let Ok(lesson) = checked(&text) {
            let _findings = lint::findings(&lesson, None);
            let (mut learner, mut lab) = Learner::new(lesson).expect("a checked lesson has a cluster");
            loop {
                match learner.next(&mut lab) {
                    Next::Finished => break,
                    Next::Blocked => drop(learner.show_solution(&mut lab)),
                    Next::Played(_) | Next::Turned | Next::Returned => {}
                }
                if learner.question().is_some_and(|q| !q.state.closed()) {
                    learner.show_solution(&mut lab).expect("on request");
                }
            }
            prop_assert!(learner.finished());
            let copy = strip::strip(learner.lesson());
            let opens = checked(&copy).map(|copy| copy.stripped).map_err(|bad| bad.to_string());
            prop_assert_eq!(opens, Ok(true), "{}", copy);
        } else {
            let bad = checked(&text).expect_err("refused twice as well");
            let said = bad.to_string() + bad.render(80).as_str();
            prop_assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{said:?}");
        }
    }
}
