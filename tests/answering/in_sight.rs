//! Nobody answers a question that is not in sight.

use super::{TRACE, asked, shows, state, typed};
use lockstep::lesson::QuestionState;
use lockstep::ui::{Input, Key};

const CHOICE: &str = "options:
  a1: {text: one, say: No.}
  b1: {text: two, right: true, say: It is.}";

#[test]
fn an_answer_is_never_given_under_another_panel() {
    let decided = "node: P2\nrun: [deliver P1>P3, deliver P1>P2]\noutcomes: [reply, defer]";
    for (kind, question) in [
        ("choice", CHOICE),
        ("predict", "event: deliver P1>P2\noutcomes: [reply, defer]"),
        ("play", decided),
    ] {
        for keys in ["z Down", "z Enter", "z z b", "z z z 1", "z Esc"] {
            let mut seen = asked(kind, question);
            seen.press(keys);
            assert_eq!(state(&seen), QuestionState::Open, "{kind}: {keys}");
            shows(&mut seen, "the question is shown again, and waits");
            shows(&mut seen, "? Which?");
        }
    }
}

#[test]
fn opening_a_question_brings_it_into_sight() {
    for (kind, question) in [("choice", CHOICE), ("trace", TRACE)] {
        let mut seen = asked(kind, question);
        seen.press("Esc z Enter");
        shows(&mut seen, "? Which?");
    }
}

#[test]
fn the_word_for_an_event_and_the_verdict_are_in_sight() {
    let mut seen = asked("trace", TRACE);
    seen.press("z 4");
    shows(&mut seen, "deliver P2>P3: what will come of it?");
    seen.press("a z s");
    assert_eq!(state(&seen), QuestionState::Wrong);
    shows(&mut seen, "Not yet.");
}

#[test]
fn all_that_is_typed_into_a_cell_is_seen_while_it_is_typed() {
    let question = "run: [deliver P1>P3]\nnodes: [P3]\nfields: [clock, deferred]";
    let mut seen = asked("state", question);
    for text in ["(10,P1)", "P1 P2 P3 P4"] {
        let mut so_far = String::new();
        for c in text.chars() {
            so_far.push(c);
            typed(&mut seen, &c.to_string());
            shows(&mut seen, &format!("{so_far}_"));
        }
        seen.input(Input::Key(Key::Tab));
    }
}

#[test]
fn a_solution_that_is_shown_says_nothing_of_what_was_not_said() {
    for (kind, question) in [
        ("number", "measure: messages(REQUEST)"),
        ("formula", "answer: 2*(n-1)"),
        ("text", "accept: [defer]"),
    ] {
        let mut seen = asked(kind, question);
        seen.ctrl('s');
        seen.ctrl('s');
        assert_eq!(state(&seen), QuestionState::Shown);
        shows(&mut seen, "The answer: ");
        let text = seen.at(80, 24).text();
        assert!(!text.contains("You said"), "{text}");
    }
}

#[test]
fn a_question_that_waits_is_what_the_screen_leads_to() {
    let mut seen = asked("number", "measure: messages(REQUEST)");
    seen.press("Esc");
    shows(&mut seen, "Enter answer");
    let text = seen.at(80, 24).text();
    assert!(!text.contains("→ next"), "it does not go on before the answer:\n{text}");
}

#[test]
fn what_was_told_before_a_question_can_be_read_while_it_is_answered() {
    let question = "run: [deliver P1>P3, deliver P2>P3]\nfields: [state, clock, deferred]";
    let mut seen = asked("state", question);
    typed(&mut seen, "idle");
    seen.press("PageUp");
    let whole = seen.at(80, 24).text();
    assert!(whole.contains("? Which?") && whole.contains("idle_"), "{whole}");
    assert!(!whole.contains("In flight"), "the page has the whole screen:\n{whole}");
    typed(&mut seen, "r");
    shows(&mut seen, "idler_");
    seen.press("Esc");
    shows(&mut seen, "In flight");
    shows(&mut seen, "idler_");
    assert_eq!(state(&seen), QuestionState::Open);
}
