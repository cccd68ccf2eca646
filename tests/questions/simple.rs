//! Questions whose answer is picked or typed in one line: multi, number, formula, text, explain.

use super::{Asked, faults, faults_of, lesson_with, survives};
use proptest::prelude::*;

const MULTI: &str = "options:
  a1: {text: P1, say: It asked.}
  b1: {text: P2, right: true, say: It waits.}
  c1: {text: P3, right: true, say: It is idle.}
  d1: {text: nobody at all, say: Somebody does.}";

#[test]
fn multi_reads_all_forms_of_a_list_and_its_order_does_not_matter() {
    let asked = Asked::in_the_race("multi", MULTI);
    asked.sound();
    for form in
        ["b, c", "c b", "p2,p3", "P3 P2", "2 3", " 3 , 2 ", "b;c", "b and c", "b b c", "b1\nc1"]
    {
        assert!(asked.right(form), "{form}");
    }
    for form in ["bc", "P2P3", "23", "b;c;", "b,,c", "q", "2 9", "", "all"] {
        assert!(asked.hint(form).starts_with("Answer with the letters (a to d)"), "{form}");
    }
    assert_eq!(asked.question().shows(&asked.read("b c").expect("a list")), "P2; P3");
}

#[test]
fn multi_gives_a_part_for_a_part_and_takes_it_back_for_guessing() {
    let asked = Asked::in_the_race("multi", MULTI);
    let scores: Vec<f64> =
        ["b c", "b", "b a", "b c a", "a b c d", "a d", "none"].map(|raw| asked.score(raw)).to_vec();
    assert_eq!(scores, [1.0, 0.5, 0.0, 0.5, 0.0, 0.0, 0.0]);
    assert_eq!(asked.said("b c"), "P2: It waits.\nP3: It is idle.");
    assert_eq!(asked.said("b"), "There is more to pick.");
    assert_eq!(
        asked.said("a b"),
        "There is more to pick. One of those that you picked does not belong there:\nP1: It asked."
    );
    assert_eq!(
        asked.said("b c d"),
        "One of those that you picked does not belong there:\nnobody at all: Somebody does."
    );
}

#[test]
fn multi_without_a_right_option_is_refused() {
    let wrong = MULTI.replace("right: true, ", "");
    assert_eq!(
        faults("multi", &wrong),
        ["16:7: item 2 of `steps`: no option is right: give those that are `right: true`"]
    );
    let none = MULTI.replace("d1", "none");
    assert!(faults("multi", &none)[0].starts_with("20:9: "), "{:?}", faults("multi", &none));
}

/// Exercise 1 on ten nodes: 18 messages, measured on a cluster of its own.
const MEASURED: &str = "measure: messages()
cluster:
  algorithm: ricart-agrawala
  nodes: [P1, P2, P3, P4, P5, P6, P7, P8, P9, P10]
run: [request P3]
to_end: true
unit: messages
accept: {9: Those are the REQUESTs alone.}
feedback: {27: That is what Lamport's lock costs.}";

#[test]
fn number_is_measured_on_a_run_and_read_in_all_its_forms() {
    let asked = Asked::in_the_race("number", MEASURED);
    asked.sound();
    for form in [
        "18",
        " 018 ",
        "18 messages",
        "= 18",
        "18.0",
        "18.",
        "18 MESSAGES",
        "N=18",
        "2(9)=18",
        "#18",
        "(18,P3)",
    ] {
        assert!(asked.right(form), "{form}");
    }
    for form in ["17", "19", "18.5", "-18", "0"] {
        assert!(!asked.right(form), "{form}");
    }
    for form in ["", "eighteen", "18 or 19", "1e1", "n", "18 18"] {
        assert_eq!(asked.hint(form), "Answer with one number, in figures (messages).", "{form}");
    }
}

#[test]
fn number_accepts_what_can_be_defended_and_explains_what_cannot() {
    let asked = Asked::in_the_race("number", MEASURED);
    let other = asked.answer("9");
    assert!(other.right && other.score == 1.0);
    assert_eq!(other.lines, ["Those are the REQUESTs alone."]);
    let wrong = asked.answer("27");
    assert!(!wrong.right && wrong.score == 0.0);
    assert_eq!(wrong.lines, ["That is what Lamport's lock costs."]);
    assert_eq!(asked.said("5"), "You said: 5.");
    for both in ["9 or 18", "18 or 9", "9-18", "9 – 18", "9/18 "] {
        let both = asked.answer(both);
        assert!(both.right && both.actual == "18", "each of them is right: {both:?}");
    }
    for one in ["18 or 19", "17-18", "9 or nine", "9 or"] {
        assert!(!asked.hint(one).is_empty(), "{one}");
    }
}

#[test]
fn number_counts_the_lessons_own_run_where_no_other_is_given() {
    let sent = Asked::in_the_race("number", "measure: messages(REQUEST)");
    assert!(sent.sound().right("4"), "two nodes have asked two others each");
    let from_here = Asked::in_the_race("number", "measure: messages()\nto_end: true");
    assert!(from_here.sound().right("4"), "four replies are still to come");
    let clock = Asked::in_the_race("number", "measure: clock(P1)\nrun: [deliver P2>P1]");
    assert!(clock.sound().right("5"));
}

#[test]
fn number_that_is_not_whole_has_a_tolerance() {
    let asked = Asked::in_the_race("number", "answer: 0.7\ntolerance: 0.05");
    asked.sound();
    assert!(asked.right("0.72") && asked.right("0.66") && !asked.right("0.8"));
}

#[test]
fn faults_of_numbers_are_told_where_they_stand() {
    let cases = [
        ("unit: messages", "13:5: item 2 of `steps`: the right number is missing: measure it"),
        ("answer: 3\nmeasure: messages()", "16:7: item 2 of `steps`: the number is measured"),
        ("answer: .inf", "16:15: item 2 of `steps`: "),
        ("answer: 1.5", "16:15: item 2 of `steps`: the number is not whole"),
        ("answer: 1\ntolerance: -1", "17:18: item 2 of `steps`: a tolerance is"),
        ("answer: 1\nto_end: true", "17:7: item 2 of `steps`: `to_end` is for a number"),
        ("measure: mesages()", "16:16: item 2 of `steps`: nothing is called `mesages`"),
        ("measure: stuck()", "16:16: item 2 of `steps`: "),
        ("measure: messages() + 1", "16:16: item 2 of `steps`: "),
        (
            "measure: messages()\nrun: [exit P1]",
            "17:13: item 1 of `run`: `exit P1` cannot happen here",
        ),
        (
            "measure: messages()\ncluster: {algorithm: nothing}",
            "17:28: item 2 of `steps`: no algorithm",
        ),
        ("answer: 3\naccept: {three: x}", "17:16: item 2 of `steps`: `three` is no number"),
        ("answer: 3\nfeedback: {\"03\": x}", "17:18: item 2 of `steps`: 3 is the right answer"),
        (
            "answer: 3\naccept: {4: x}\nfeedback: {4: y}",
            "18:18: item 2 of `steps`: 4 stands here already",
        ),
    ];
    for (question, said) in cases {
        let found = faults("number", question);
        assert!(found.len() == 1 && found[0].starts_with(said), "{question}: {found:?}");
    }
}

const FORMULA: &str = "answer: 3*(n-1)
feedback: {2(n-1): That is Ricart and Agrawala's., 3: One node alone keeps that lock.}";

#[test]
fn formula_is_compared_by_its_values_and_never_as_a_text() {
    let asked = Asked::in_the_race("formula", FORMULA);
    asked.sound();
    for form in ["3(N-1)", "3n-3", "3·(n−1)", "(n-1)+(n-1)+(n-1)", "3n - 3 messages", "6(n-1)/2"]
    {
        assert!(asked.right(form), "{form}");
    }
    for (wrong, said) in [
        ("2n - 2", "That is Ricart and Agrawala's."),
        ("n-1+n-1", "That is Ricart and Agrawala's."),
        ("9/3", "One node alone keeps that lock."),
        ("3n", "For n = 2 yours gives 6. Count once more for that size."),
        ("3(n-1)k/2", "For n = 4 and k = 3 yours gives 13.5. Count once more for that size."),
        ("1/(n-2)", "For n = 2 yours has no value."),
        ("3(n-1)/(n-9)*(n-9)", "For n = 9 yours has no value."),
    ] {
        assert!(!asked.right(wrong), "{wrong}");
        assert_eq!(asked.said(wrong), said, "{wrong}");
    }
    for form in ["", "three", "3(n-1", "3m", "n = 4", "about 3n"] {
        assert!(asked.hint(form).starts_with("Answer with a formula"), "{form}");
    }
}

#[test]
fn formula_may_speak_of_voting_sets_and_roots() {
    let asked = Asked::in_the_race("formula", "answer: 3√n\nsamples: [{n: 4}, {n: 9}, {n: 25}]");
    assert!(asked.sound().right("3 sqrt(N)") && asked.right("3 ceil(√n)") && !asked.right("3n^2"));
    let asked = Asked::in_the_race("formula", "answer: 3(k-1)");
    assert!(asked.sound().right("3K-3") && !asked.right("3(n-1)"));
}

#[test]
fn faults_of_formulas_are_told_where_they_stand() {
    let cases = [
        ("answer: 3 messages each", "16:15: item 2 of `steps`: `3 messages each` is no formula"),
        (
            "answer: 1/(n-3)",
            "16:15: item 2 of `steps`: the formula has no value for n = 3 and k = 2",
        ),
        ("answer: n\nfeedback: {n*1: x}", "17:18: item 2 of `steps`: `n*1` has the right value"),
        ("answer: n\nfeedback: {many: x}", "17:18: item 2 of `steps`: `many` is no formula"),
        ("answer: n\nsamples: [{n: 2}, {n: 0}]", "17:25: item 2 of `samples`: a sample has sizes"),
        ("answer: n\nsamples: [{n: 2, m: 2}]", "17:24: item 1 of `samples`: unknown key `m`"),
    ];
    for (question, said) in cases {
        let found = faults("formula", question);
        assert!(found.len() == 1 && found[0].starts_with(said), "{question}: {found:?}");
    }
}

const TEXT: &str = "accept: [happened before, happens-before]
feedback: {\"at the same time\": They are in order.}";

#[test]
fn text_is_read_whatever_its_case_spaces_and_quotes() {
    let asked = Asked::in_the_race("text", TEXT);
    asked.sound();
    for form in [
        "Happened  before",
        " happened before. ",
        "\"happens-before\"",
        "`HAPPENED before`",
        "the happened before",
    ] {
        assert!(asked.right(form), "{form}");
    }
    assert_eq!(asked.said("At the same time!"), "They are in order.");
    assert_eq!(asked.said("happened after"), "You said: happened after.");
    for form in ["", " . ", "\"\"", &"long ".repeat(30)] {
        assert_eq!(asked.hint(form), "Answer with a word or two.", "{form}");
    }
    let cases = [
        ("accept: []", "16:7: item 2 of `steps`: no answer is accepted"),
        ("accept: [a, A.]", "16:19: item 2 of `accept`: this form stands here already"),
        ("accept: [\"-\", \" . \"]", "16:21: item 2 of `accept`: nobody can answer this"),
        ("accept: [a]\nfeedback: {A: x}", "17:18: item 2 of `steps`: `A` is accepted"),
    ];
    for (question, said) in cases {
        let found = faults("text", question);
        assert!(found.len() == 1 && found[0].starts_with(said), "{question}: {found:?}");
    }
}

#[test]
fn words_in_any_order_are_no_key() {
    for (key, line) in [("words: [reply|answer, P2]", 17), ("without: [release]", 17)] {
        let found = faults("text", &format!("accept: [REPLY from P2]\n{key}"));
        let form = "write each right answer as a whole, `accept: [P2's REPLY, the REPLY from P2]`, or ask a `choice`";
        assert!(found.len() == 1 && found[0].ends_with(form), "{found:?}");
        assert!(found[0].starts_with(&format!("{line}:7: item 2 of `steps`: ")), "{found:?}");
    }
}

#[test]
fn two_notations_of_a_wrong_answer_are_told_the_same() {
    let suzuki = super::RACE
        .replace("ricart-agrawala", "suzuki-kasami")
        .replace("  clocks: {P1: 4, P2: 2}\n", "");
    let state =
        "run: [deliver P2>P3]\nnodes: [P3]\nfields: [RN]\nfeedback: {1 0 0: Those are the others.}";
    let asked = Asked::of(&lesson_with(&suzuki, "state", &state.replace("1 0 0", "P3 RN=1 0 0")));
    for form in ["P3: 1 0 0", "P3 RN=P1:1 P2:0 P3:0", "P3 RN = [1, 0, 0]", "P3 RN=P2:0 P3:0 P1:1"] {
        assert_eq!(
            asked.said(form),
            "P3 RN: it does not hold P1:1 P2:0 P3:0 then.\nThose are the others.",
            "{form}"
        );
    }
    let formula = Asked::in_the_race("formula", "answer: 2n");
    assert_eq!(
        formula.said("2*n*k"),
        "For n = 3 and k = 2 yours gives 12. Count once more for that size."
    );
}

#[test]
fn explain_is_compared_by_its_reader_and_judged_by_nobody() {
    let asked = Asked::in_the_race("explain", "model: Stamps are ordered alike everywhere.");
    asked.sound();
    assert!(!asked.question().graded());
    assert_eq!(asked.question().common().points, 0);
    assert_eq!(
        asked.said("because"),
        "Compare your answer with this one:\nStamps are ordered alike everywhere."
    );
    assert_eq!(asked.hint(" ... "), "Answer with a sentence or two.");
    let found = faults("explain", "model: \"\"");
    assert_eq!(found, ["16:14: item 2 of `steps`: there is no model answer to compare with"]);
}

#[test]
fn a_question_that_was_measured_elsewhere_survives_a_lesson_without_a_cluster() {
    let text = lesson_with(super::RACE, "number", MEASURED)
        .replace("[request P1, request P2]", "[exit P1]");
    assert_eq!(faults_of(&text).len(), 1, "the event alone is at fault");
}

proptest! {
    #[test]
    fn no_text_makes_a_question_panic(raw in "\\PC{0,40}", listed in "[a-d1-9P, ;\\n.]{0,12}") {
        let questions = [("multi", MULTI), ("formula", FORMULA), ("text", TEXT), ("explain", "model: x")];
        for (kind, question) in questions {
            let asked = Asked::in_the_race(kind, question);
            survives(&asked, &raw)?;
            survives(&asked, &listed)?;
        }
        let number = Asked::in_the_race("number", "answer: 8");
        survives(&number, &raw)?;
        survives(&number, &listed)?;
    }
}
