//! Lessons that are drawn anew for everybody, and graded for whom they were drawn.

use super::checked;
use lockstep::input::{Source, parse_text};
use lockstep::lesson::answers::{self, Answers, Filled};
use lockstep::lesson::batch::GradingBatch;
use lockstep::lesson::grade::{Grader, Report, Wanted};
use lockstep::lesson::vary::Draws;
use lockstep::lesson::{Lesson, Library, lint, strip};
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

const DRAWN: &str = include_str!("drawn.yaml");

fn drawn_for(who: &str) -> Arc<Lesson> {
    checked(DRAWN).expect("it opens").for_who(who).unwrap_or_else(|bad| panic!("{bad}"))
}

fn right_answers(lesson: &Arc<Lesson>) -> String {
    let grader = Grader::new(Arc::clone(lesson)).expect("a cluster");
    let blank = answers::blank(lesson);
    let blank = Answers::read("a.yaml", blank.as_bytes()).expect("it reads");
    let wanted = Wanted { solutions: true, ..Wanted::default() };
    let report = grader.grade(&blank, &wanted).expect("it is graded");
    let key = |t: &lockstep::lesson::grade::Graded| {
        (t.id.clone(), t.solution.as_ref().expect("asked for").expected.clone())
    };
    let filled = Filled { answers: report.tests.iter().map(key).collect(), shown: Vec::new() };
    answers::filled(lesson, &filled)
}

fn desk() -> (tempfile::TempDir, GradingBatch) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    fs::write(folder.path().join("drawn.yaml"), DRAWN).expect("a file for the test");
    let library = Library::folder(folder.path()).expect("a library");
    (folder, GradingBatch::new(library, Wanted::default()))
}

fn graded(desk: &mut GradingBatch, text: &str) -> Result<Report, String> {
    desk.take("a.yaml", Ok(text.as_bytes())).result.map_err(|refusal| refusal.message)
}

#[test]
fn two_names_get_two_races_and_each_is_graded_right() {
    let (ada, bob) = (drawn_for("Ada Lovelace"), drawn_for("Bob"));
    assert_ne!(ada.drawn, bob.drawn);
    assert_ne!(ada.config.clocks, bob.config.clocks);
    let (_folder, mut desk) = desk();
    for lesson in [&ada, &bob] {
        let text = right_answers(lesson);
        let report = graded(&mut desk, &text).expect("it is graded");
        assert!(report.passed(), "{text}\n{:?}", report.tests);
    }
    let clock = |l: &Arc<Lesson>| {
        let text = right_answers(l);
        text.lines().find(|l| l.trim_start().starts_with("clock:")).map(str::to_owned)
    };
    assert_ne!(clock(&ada), clock(&bob), "a neighbour's number is of no use");
}

#[test]
fn case_and_spaces_of_a_name_draw_nothing_else() {
    let all =
        ["Ada Lovelace", "ada  lovelace ", "ADA LOVELACE"].map(|who| drawn_for(who).drawn.clone());
    assert!(all.iter().all(|drawn| *drawn == all[0]), "{all:?}");
    assert_eq!(drawn_for(" ").drawn, checked(DRAWN).expect("it opens").drawn);
}

#[test]
fn many_names_get_many_lessons() {
    let all: BTreeSet<_> =
        (0..60).map(|i| drawn_for(&format!("student {i}")).drawn.clone()).collect();
    assert!(all.len() > 30, "{all:?}");
}

#[test]
fn answers_under_another_name_are_refused_and_not_marked_wrong() {
    let (_folder, mut desk) = desk();
    let text = right_answers(&drawn_for("Ada"));
    assert!(graded(&mut desk, &text.replace("who: Ada", "who: ada")).is_ok());
    let said = graded(&mut desk, &text.replace("who: Ada", "who: Bob")).expect_err("another name");
    assert!(
        said.contains("drawn for another name") && said.contains("for `Bob` they are"),
        "{said}"
    );
    let without = text.replace("who: Ada\n", "");
    assert!(graded(&mut desk, &without).is_err_and(|said| said.contains("`who:` names nobody")));
    let drawn = text.lines().find(|l| l.starts_with("drawn:")).expect("it was drawn");
    for text in [text.replace(drawn, ""), without.replace(drawn, "")] {
        let said = graded(&mut desk, &text).expect_err("it does not say to which numbers");
        assert!(said.contains("`drawn:` is missing"), "{said}");
    }
}

#[test]
fn the_answers_file_carries_name_and_draw() {
    let lesson = drawn_for("Ada");
    let text = answers::blank(&lesson);
    let read = Answers::read("a.yaml", text.as_bytes()).expect("it reads");
    assert_eq!(read.who.as_deref(), Some("Ada"));
    assert_eq!(read.drawn.as_deref(), lesson.drawn.as_deref());
    assert!(!text.contains('$'), "{text}");
}

#[test]
fn what_is_drawn_for_two_names_is_kept_apart() {
    let kept: BTreeSet<_> = ["", "Ada", "Bob"].iter().map(|who| drawn_for(who).kept_as()).collect();
    assert_eq!(kept.len(), 3);
    assert!(kept.contains("drawn"));
    assert_eq!(drawn_for("ADA").kept_as(), drawn_for("ada").kept_as());
}

#[test]
fn every_lesson_that_can_be_drawn_is_proved() {
    let findings = |text: &str| {
        let source = Source::from_text("drawn.yaml", text, "lesson").expect("a text");
        let all = lint::of_source(&source, None);
        all.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(findings(DRAWN), Vec::<String>::new());
    let (document, _) =
        parse_text(&Source::from_text("drawn.yaml", DRAWN, "lesson").expect("a text"));
    let draws = Draws::of(&document.expect("YAML")).expect("it draws").expect("it fits");
    assert_eq!(draws.count(), 6 * 4 * 5);
    // With these ranges a race that goes the other way can be drawn, and `older` is then wrong.
    let wrong = DRAWN
        .replace("low: 1..4, high: 5..9", "low: 5..9, high: 4..9")
        .replace("outcomes: [reply, defer]", "outcomes: [defer, enter]");
    let found = findings(&wrong);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("none of the outcomes occurs: the event does reply"), "{found:?}");
    assert!(found[0].contains("(when A=P"), "{found:?}");
}

/// The drawn lesson with one step changed, and what lint says of it.
fn linted(old: &str, new: &str) -> Vec<String> {
    assert!(DRAWN.contains(old), "{old}");
    let source = Source::from_text("drawn.yaml", &DRAWN.replace(old, new), "lesson");
    let all = lint::of_source(&source.expect("a text"), None);
    all.iter().map(lockstep::input::Problem::with_severity).collect()
}

/// Where the ranges overlap who is first depends on the draw, and a key that is typed in does not.
#[test]
fn a_key_that_is_typed_in_is_told_where_the_draws_go_two_ways() {
    for (first, accept) in [("$B", "[$B]"), ("$A", "[$A]")] {
        let (before, rest) = DRAWN.split_once("  - choice:").expect("it chooses");
        let (_, after) = rest.split_once("  - predict:").expect("it predicts");
        let text = format!(
            "{before}  - text:\n      id: first\n      prompt: $A and $B ask. Who is first?\n      \
             accept: {accept}\n      hints: [a, b, c]\n      explain: It is {first}.\n  - predict:{after}"
        );
        let lint = |text: &str| {
            let source = Source::from_text("drawn.yaml", text, "lesson").expect("a text");
            lint::of_source(&source, None)
        };
        let apart = lint(&text);
        assert!(apart.is_empty(), "{apart:?}");
        let overlap = text
            .replace("low: 1..4, high: 5..9", "low: 1..9, high: 4..12")
            .replace("      then: play\n", "")
            .replace("event: deliver $A>$B", "event: deliver $A>$C");
        let found = lint(&overlap);
        let told = found.iter().any(|problem| problem.message().contains("keep the ranges apart"));
        assert!(told, "{accept}: {found:?}");
    }
}

#[test]
fn a_key_that_fits_another_draw_is_told() {
    let text = "  - text:\n      id: word\n      prompt: Who asks with $high?\n      accept: ACCEPT\n      \
                hints: [a, b, c]\n      explain: It has this clock.\n  - predict:";
    let with = |accept: &str| linted("  - predict:", &text.replace("ACCEPT", accept));
    let found = with("[$A, $B]");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(": error: ") && found[0].contains("passes when A="), "{found:?}");
    let found = with("[P2]");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("`P2` is typed in, and another node in other draws"), "{found:?}");
    assert_eq!(with("[$A, node $A]"), Vec::<String>::new());
}

#[test]
fn the_learners_copy_of_a_drawn_lesson_is_drawn_too() {
    let whole = drawn_for("Ada");
    let copy = checked(&strip::strip(&whole)).expect("it opens").for_who("Ada").expect("it opens");
    assert_eq!(copy.drawn, whole.drawn);
    assert_eq!(copy.config, whole.config);
    assert!(copy.document().source().text().contains("$(high + 1)"));
}
