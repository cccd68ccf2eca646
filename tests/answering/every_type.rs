//! Each type of question, answered rightly and wrongly by keys, on every size of screen.

use super::{lesson_of, script, steps_of_every_type};
use crate::screen::Seen;
use lockstep::lesson::answers::{self, Answers};
use lockstep::lesson::grade::{Grader, Status, Wanted};
use lockstep::lesson::question::KINDS;
use lockstep::lesson::{QuestionState, QuestionView};
use lockstep::ui::panel::Look;
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use std::sync::Arc;

const SIZES: [(u16, u16); 3] = [(80, 24), (60, 18), (160, 45)];

/// The type, its keys for a right answer, for a wrong one, and what is said to that.
const KEYS: [(&str, &str, &str, &str); 13] = [
    ("choice", "2 Enter", "Down Enter", "(5,P1) is the larger stamp."),
    ("multi", "a Down Space Enter", "a c Enter", ""),
    ("number", "`4 messages` Enter", "`3` Enter", ""),
    ("formula", "`2(N-1)` Enter", "`3(n-1)` Enter", ""),
    (
        "invariant",
        "`always not (in_cs(P2) and in_cs(P1))` Enter",
        "`not (in_cs(P1) and in_cs(P3))` Enter",
        "It holds in every state, but it is too weak",
    ),
    ("text", "`It defers` Enter", "`it replies` Enter", ""),
    // The program does not judge this one.
    ("explain", "`A REPLY is enough.` Enter", "", ""),
    ("order", "3 1 4 Down x Enter", "Enter", "does not belong into this order"),
    (
        "state",
        "`wait` Enter `5` Enter `p1` Enter `idle` Enter `5` Enter `none` Enter",
        "`wait` Tab `5` Tab `-` Tab `idle` Tab `4` Tab `none` Enter",
        "P2 deferred: it does not hold – then.",
    ),
    ("predict", "2 Enter", "1 Enter", "You said: reply. It did: defer."),
    (
        "play",
        "b Enter d Enter c Enter",
        "a Enter a Enter a Enter",
        "0 of 3 decisions are those of P2.",
    ),
    ("drive", "3 3 1 2 2 s", "3 3 1 s", "this does not hold: P2 is inside"),
    ("trace", "3 a 3 a 1 b 2 2 s", "3 b 3 a 1 b 2 2 s", "Line 1, deliver P2>P1"),
];

fn opened(kind: &str) -> Seen {
    let mut seen = Seen::lesson_text(&lesson_of(kind));
    seen.press("Right Right Right Enter");
    seen
}

fn question(seen: &Seen) -> QuestionView {
    let learner = seen.stepper().learner().expect("a lesson");
    learner.question().expect("it is asked")
}

/// A screen as one text without line ends and borders, so that what is wrapped is found.
fn flowing(drawn: &str) -> String {
    let words = drawn.split(['\n', ' ', '│']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Every panel is there, with its title, and the footer names a key.
fn panels_are_whole(seen: &mut Seen, what: &str) {
    for (width, height) in SIZES {
        let drawn = seen.at(width, height).text();
        let whole = |title: &str| assert!(drawn.contains(title), "{what}, no {title}:\n{drawn}");
        ["In flight", "Page 2 of 2", " clock "].into_iter().for_each(whole);
        assert_eq!(drawn.lines().count(), usize::from(height), "{what}");
        let footer = drawn.lines().last().unwrap_or("");
        assert!(footer.trim().len() > 10, "{what}, no keys:\n{drawn}");
        if height > 20 {
            assert!(!drawn.contains(" more line"), "{what}, something has no room:\n{drawn}");
        }
    }
}

#[test]
fn the_table_of_keys_has_every_type() {
    let mut kinds = KEYS.map(|(kind, ..)| kind).to_vec();
    kinds.sort_unstable();
    let mut all = KINDS.to_vec();
    all.sort_unstable();
    assert_eq!(kinds, all);
}

#[test]
fn each_type_is_answered_rightly_by_keys_at_every_size() {
    for (kind, right, ..) in KEYS {
        let mut seen = opened(kind);
        panels_are_whole(&mut seen, kind);
        for key in split(right) {
            script(&mut seen, &key);
            panels_are_whole(&mut seen, &format!("{kind} {key}"));
        }
        let asked = question(&seen);
        assert_eq!(asked.state, QuestionState::Right, "{kind}: {:?}", asked.said);
        let first = if kind == "explain" { "Compare your answer" } else { "✓ Correct" };
        for (width, height) in SIZES {
            let drawn = seen.at(width, height).text();
            assert!(drawn.contains(first), "{kind} at {width}x{height}:\n{drawn}");
            let why = asked.explanation.as_deref().expect("it is closed");
            // On the smallest screen a long verdict leaves it no room; then the title says so.
            let there =
                flowing(&drawn).contains(why) || height < 20 && drawn.contains(" more line");
            assert!(there, "{kind} at {width}x{height}, {why}:\n{drawn}");
        }
        assert_eq!(seen.stepper().learner().map(|l| l.finished()), Some(true), "{kind}");
    }
}

#[test]
fn each_type_is_answered_wrongly_by_keys_at_every_size() {
    for (kind, _, wrong, said) in KEYS {
        if wrong.is_empty() {
            continue;
        }
        let mut seen = opened(kind);
        script(&mut seen, wrong);
        let asked = question(&seen);
        let once = matches!(kind, "predict" | "play");
        let state = if once { QuestionState::Locked } else { QuestionState::Wrong };
        assert_eq!(asked.state, state, "{kind}: {:?}", asked.said);
        panels_are_whole(&mut seen, kind);
        for (width, height) in SIZES {
            let drawn = seen.at(width, height).text();
            let word = if once { "✗ Not so, and now closed" } else { "✗ Not yet" };
            assert!(drawn.contains(word), "{kind} at {width}x{height}:\n{drawn}");
        }
        let drawn = seen.at(80, 24).text();
        assert!(flowing(&drawn).contains(said), "{kind}, {said}:\n{drawn}");
    }
}

/// The keys of a script, one by one, with what is typed in one piece.
fn split(keys: &str) -> Vec<String> {
    let parts = keys.split('`').enumerate();
    let one = |(i, part): (usize, &str)| -> Vec<String> {
        match i % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![format!("`{part}`")],
        }
    };
    parts.flat_map(one).collect()
}

#[test]
fn without_colour_and_unicode_nothing_is_missing() {
    for (kind, right, wrong, _) in KEYS {
        let once = matches!(kind, "predict" | "play");
        let no = if once { "x Not so, and now closed" } else { "x Not yet" };
        for (keys, word) in [(right, "+ Correct"), (wrong, no)] {
            if keys.is_empty() || kind == "explain" {
                continue;
            }
            let mut seen = opened(kind);
            seen.look(Look {
                theme: Theme::new(ThemeName::None, ColorUse::Off, None),
                glyphs: Glyphs::ASCII,
            });
            for key in split(keys) {
                let drawn = seen.at(80, 24);
                let strange: String = drawn.text().chars().filter(|c| !c.is_ascii()).collect();
                assert!(strange.is_empty(), "{kind}, {strange}:\n{}", drawn.text());
                let colourless = |c: &ratatui::buffer::Cell| {
                    let plain = |color| color == ratatui::style::Color::Reset;
                    plain(c.fg) && plain(c.bg)
                };
                assert!(drawn.cells().all(colourless), "{kind}");
                script(&mut seen, &key);
            }
            let drawn = seen.at(80, 24).text();
            assert!(drawn.contains(word), "{kind}:\n{drawn}");
        }
    }
}

/// All questions in one lesson, each answered rightly or wrongly as `right` says.
fn whole_lesson(right: impl Fn(usize) -> bool) -> Seen {
    let (head, steps) = steps_of_every_type();
    let mut seen = Seen::lesson_text(&format!("{head}steps:\n{}\n", steps.join("\n  - ")));
    seen.press("Right Right");
    for (i, step) in steps[1..].iter().enumerate() {
        let kind = step.split(':').next().expect("a type");
        let keys = KEYS.iter().find(|(known, ..)| *known == kind).expect("its keys");
        seen.press("Right Enter");
        let answer = if right(i) || keys.2.is_empty() { keys.1 } else { keys.2 };
        script(&mut seen, answer);
        if !question(&seen).state.closed() {
            // A wrong answer keeps its question open: the solution is shown, and it counts as shown.
            seen.press("Esc Enter");
            let ctrl = seen.stepper().typing();
            for _ in 0..2 {
                match ctrl {
                    true => seen.ctrl('s'),
                    false => seen.press("S"),
                }
            }
            assert_eq!(question(&seen).state, QuestionState::Shown, "{kind}");
        }
    }
    seen
}

#[test]
fn what_was_answered_by_keys_is_graded_the_same() {
    for draw in 0..4 {
        let right = |i: usize| draw == 0 || !(i + draw).is_multiple_of(3);
        let seen = whole_lesson(right);
        let learner = seen.stepper().learner().expect("a lesson");
        assert!(learner.finished(), "{draw}");
        let (got, all) = learner.score();
        let lesson = lockstep::lesson::load::checked(
            lockstep::input::Source::from_text("types.yaml", super::EVERY_TYPE, "lesson")
                .expect("a text"),
        );
        let lesson: Arc<lockstep::lesson::Lesson> = lesson.unwrap_or_else(|bad| panic!("{bad}"));
        let text = answers::filled(&lesson, &learner.filled());
        let read = Answers::read("mine.yaml", text.as_bytes()).unwrap_or_else(|p| panic!("{p}"));
        let grader = Grader::new(Arc::clone(&lesson)).expect("a checked lesson has a cluster");
        let report = grader.grade(&read, &Wanted::default());
        let report = report.unwrap_or_else(|refusal| panic!("{refusal}"));
        for test in &report.tests {
            let state = learner.state_of(&test.id).expect("its question");
            let passed = test.outcome.status() == Status::Passed;
            // What the program does not judge is right for the learner and marked by hand here.
            assert_eq!(
                passed,
                state == QuestionState::Right && test.id != "explain",
                "{}: {state:?} {:?}\n{text}",
                test.id,
                test.outcome
            );
        }
        assert_eq!(got == all, right(0) && draw == 0, "{got} of {all}");
    }
}
