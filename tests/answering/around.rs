//! What stands around an answer: hints, solutions, reasons, what is skipped, clusters of their own, and
//! pages that only show a step.

use super::{answer, asked, lesson_of, script, shows, state};
use crate::screen::Seen;
use lockstep::lesson::QuestionState;

/// The keys for a hint and for the solution, by the way of answering.
const HELP: [(&str, bool); 8] = [
    ("choice", false),
    ("multi", false),
    ("order", false),
    ("play", false),
    ("trace", false),
    ("number", true),
    ("formula", true),
    ("state", true),
];

fn press_or_ctrl(seen: &mut Seen, key: char, typing: bool) {
    match typing {
        true => seen.ctrl(key),
        false => seen.press(if key == 't' { "h" } else { "S" }),
    }
}

#[test]
fn hints_come_in_three_levels_and_cost_nothing_while_any_question_is_open() {
    for (kind, typing) in HELP {
        let mut seen = Seen::lesson_text(&lesson_of(kind));
        seen.press("Right Right Right Enter");
        for rung in 1..=3 {
            press_or_ctrl(&mut seen, 't', typing);
            shows(&mut seen, &format!("hint {rung}/3"));
        }
        press_or_ctrl(&mut seen, 't', typing);
        shows(&mut seen, "no more hints");
        let learner = seen.stepper().learner().expect("a lesson");
        let question = learner.question().expect("it is asked");
        assert_eq!((question.attempts, question.state), (0, QuestionState::Open), "{kind}");
    }
}

#[test]
fn a_solution_is_asked_for_twice_and_counts_as_shown() {
    for (kind, typing) in HELP {
        let mut seen = Seen::lesson_text(&lesson_of(kind));
        seen.press("Right Right Right Enter");
        press_or_ctrl(&mut seen, 's', typing);
        assert_eq!(state(&seen), QuestionState::Open, "{kind}: once is not enough");
        press_or_ctrl(&mut seen, 's', typing);
        assert_eq!(state(&seen), QuestionState::Shown, "{kind}");
        assert_eq!(seen.steps(), 2, "{kind}: back at the lesson's point");
        shows(&mut seen, "The answer:");
        let learner = seen.stepper().learner().expect("a lesson");
        assert_eq!(learner.score().0, 0.0, "{kind}");
        assert!(learner.question().is_some_and(|q| q.explanation.is_some()), "{kind}");
    }
}

#[test]
fn a_hint_on_the_form_stands_beside_the_answer_and_costs_no_attempt() {
    for (kind, keys, form) in [
        ("multi", "Enter", "Answer with the letters"),
        ("number", "`many` Enter", "Answer with one number"),
        ("formula", "`n +` Enter", "n"),
        ("text", "Enter", "Answer with a word or two."),
        (
            "state",
            "`wait` Enter `5` Enter `(5,` Enter `idle` Enter `5` Enter `none` Enter",
            "P2 deferred: (5, cannot be read",
        ),
        ("state", "`wait` Tab `5` Tab `P1` Tab `idle` Tab `5` Tab Enter", "P3 deferred is empty"),
        ("trace", "s", "nothing is played yet"),
        ("choice", "Enter", "choose first: its letter"),
        ("predict", "Enter", "choose first: its letter"),
        ("play", "Enter", "choose first: its letter"),
    ] {
        let mut seen = Seen::lesson_text(&lesson_of(kind));
        seen.press("Right Right Right Enter");
        script(&mut seen, keys);
        shows(&mut seen, form);
        assert_eq!(state(&seen), QuestionState::Open, "{kind}");
    }
}

#[test]
fn the_last_attempt_closes_a_question_and_says_why_the_right_answer_is_right() {
    let mut seen = asked("number", "answer: 3\nattempts: 2");
    for wrong in ["4", "5"] {
        seen.press("Backspace");
        seen.type_in(wrong);
        seen.press("Enter");
    }
    assert_eq!(state(&seen), QuestionState::Locked);
    shows(&mut seen, "Not so, and now closed.");
    shows(&mut seen, "Because.");
    let mut seen = asked(
        "trace",
        "goal: in_cs(P2)\nattempts: 1\nsolution: [deliver P2>P1, deliver P2>P3, deliver P1>P2, deliver P1>P2, deliver P3>P2]",
    );
    seen.press("3 s");
    assert_eq!((state(&seen), seen.steps()), (QuestionState::Locked, 2), "back in the lesson");
    shows(&mut seen, "Because.");
}

#[test]
fn a_question_whose_condition_is_unmet_is_skipped_and_says_so() {
    let second = "  - number:
      id: second
      prompt: And how many then?
      answer: 3
      after: [asked]
";
    let mut seen = Seen::lesson_text(&format!("{}{second}", asked_text("attempts: 1")));
    seen.press("Right Right Right Enter 9 Enter");
    assert_eq!(state(&seen), QuestionState::Locked);
    seen.press("Right");
    assert_eq!(state(&seen), QuestionState::Skipped);
    shows(&mut seen, "Skipped: an earlier question was not answered rightly.");
    let learner = seen.stepper().learner().expect("a lesson");
    assert!(learner.finished(), "what is skipped does not stand in the way");
}

fn asked_text(more: &str) -> String {
    format!(
        "lesson: 1
id: asked
title: A lesson
about: What it is about.
cluster:
  algorithm: ricart-agrawala
  nodes: [P1, P2, P3]
steps:
  - say: Both ask.
    run: [request P1, request P2]
  - number:
      id: asked
      prompt: How many?
      answer: 3
      {more}
      explain: Because.
"
    )
}

#[test]
fn a_drive_with_a_cluster_of_its_own_is_played_there_and_leads_back() {
    let drive = "cluster: {algorithm: lamport, variant: no-acknowledge, nodes: [A, B]}
goal: violated(mutex)
at_most: 4
par: 2
solution: [request A, request B]";
    let mut seen = asked("drive", drive);
    shows(&mut seen, "A cluster of its own: Lamport 1978,");
    shows(&mut seen, "no-acknowledge.");
    assert_eq!(seen.steps(), 0);
    seen.press("r");
    shows(&mut seen, "Played 1 of at most 4: 1. request A.");
    seen.press("Esc");
    assert_eq!(seen.steps(), 2, "the lesson's own cluster");
    shows(&mut seen, "P3");
    seen.press("Enter Tab r s");
    assert_eq!((state(&seen), seen.steps()), (QuestionState::Right, 2), "{}", answer(&seen));
    assert_eq!(answer(&seen), "request A; request B");
    let mut seen = asked("drive", drive);
    seen.press("S S");
    assert_eq!((state(&seen), seen.steps()), (QuestionState::Shown, 2));
}

#[test]
fn a_page_that_only_shows_a_step_says_what_the_step_did() {
    let mut seen = Seen::lesson_text(
        "lesson: 1
id: shown
title: A lesson
about: What it is about.
cluster:
  algorithm: ricart-agrawala
  nodes: [P1, P2, P3]
steps:
  - say: The words of the first page.
  - run: [request P1, deliver P1>P2]
  - say: The words of the last page.
",
    );
    shows(&mut seen, "The words of the first page.");
    seen.press("Right");
    let drawn = seen.at(80, 24).text();
    assert!(!drawn.contains("The words of the first page."), "{drawn}");
    assert!(drawn.contains("• P1 asks everybody with (1,P1)."), "{drawn}");
    seen.press("Right");
    let drawn = seen.at(80, 24).text();
    assert!(drawn.contains("• P1 asks everybody with (1,P1)."), "{drawn}");
    assert!(drawn.contains("• P2 gets REQUEST (1,P1) from P1."), "{drawn}");
    seen.press("Left");
    let drawn = seen.at(80, 24).text();
    assert!(!drawn.contains("P2 gets REQUEST"), "only what has happened:\n{drawn}");
    seen.press("Right Right");
    shows(&mut seen, "The words of the last page.");
}

#[test]
fn help_begins_with_the_keys_of_the_question_that_is_open() {
    let mut seen = Seen::lesson_text(&lesson_of("trace"));
    seen.press("Right Right Right");
    seen.press("?");
    assert!(!seen.at(80, 24).row(1).contains("Questions"));
    seen.press("Esc Enter ?");
    assert!(seen.at(80, 24).row(1).contains("Questions of a lesson"));
    shows(&mut seen, "each event is a line of it");
    seen.press("Esc");
    shows(&mut seen, "Played: nothing yet.");
}

#[test]
fn an_event_by_a_click_answers_only_where_events_are_the_answer() {
    use lockstep::ui::Input;
    for (kind, steps) in [("drive", 3), ("choice", 2), ("play", 5), ("state", 2)] {
        let mut seen = Seen::lesson_text(&lesson_of(kind));
        seen.press("Right Right Right Enter");
        let drawn = seen.at(80, 24);
        let column =
            |y: usize| drawn.row(y).find("1 RE").map(|at| drawn.row(y)[..at].chars().count());
        let place = (0..24).find_map(|y| Some((column(y)? as u16, y as u16)));
        let (col, row) = place.expect("the first message is in sight");
        seen.input(Input::Click { col, row });
        assert_eq!(seen.steps(), steps, "{kind}");
    }
}

/// Whoever types on at a question that has just closed does nothing to the cluster.
#[test]
fn letters_of_a_question_that_has_just_closed_say_so_and_do_nothing() {
    for (kind, keys) in [
        ("choice", "2 Enter"),
        ("multi", "a b Enter"),
        ("order", "3 1 4 Down x Enter"),
        ("predict", "1 Enter"),
        ("play", "a Enter a Enter a Enter"),
        ("trace", "3 a 3 a 1 b 2 2 s"),
    ] {
        let mut seen = Seen::lesson_text(&lesson_of(kind));
        seen.press("Right Right Right Enter");
        script(&mut seen, keys);
        let steps = seen.steps();
        let closed = seen.stepper().learner().and_then(|l| l.question()).expect("it is asked");
        assert!(closed.state.closed(), "{kind}: {:?}", closed.state);
        for letter in ["a", "b", "1", "2"] {
            seen.press(letter);
            shows(&mut seen, "this question is closed");
            assert_eq!(seen.steps(), steps, "{kind}: {letter}");
        }
        seen.press("Tab c");
        assert!(seen.steps() > steps, "{kind}: letters act again after any other key");
    }
}
