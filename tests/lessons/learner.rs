//! Learners on their way: the trail, questions, exploring.

use super::{BASE, changed, started, with};
use lockstep::lab::Lab;
use lockstep::lesson::{Answered, Learner, Next, QuestionState};
use lockstep::model::Event;

fn state(learner: &Learner) -> QuestionState {
    learner.question().expect("a question is asked here").state
}

fn said(answered: Answered) -> (bool, Vec<String>) {
    match answered {
        Answered::Verdict { right, lines } => (right, lines),
        other => panic!("a verdict, not {other:?}"),
    }
}

/// The base lesson, up to its choice.
fn at_choice(text: &str) -> (Learner, Lab) {
    let (mut learner, mut lab) = started(text);
    while learner.page().0 < 2 {
        learner.next(&mut lab);
    }
    (learner, lab)
}

/// The base lesson, up to its prediction.
fn at_prediction(text: &str) -> (Learner, Lab) {
    let (mut learner, mut lab) = at_choice(text);
    learner.answer(&mut lab, "p2");
    learner.next(&mut lab);
    (learner, lab)
}

/// Everything that can be seen where the lesson stands.
fn seen(learner: &Learner, lab: &Lab) -> String {
    let (view, question) = (lab.state().view(), learner.question());
    format!("{:?} {view:?} {:?} {question:?}", learner.page(), learner.say())
}

#[test]
fn next_plays_the_events_of_a_page_and_then_turns_it() {
    let (mut learner, mut lab) = started(BASE);
    assert_eq!((learner.page(), learner.say()), ((1, 4), Some("Both ask.")));
    assert!(learner.question().is_none());
    let shown: Vec<String> = (0..2)
        .map(|_| {
            let event = learner.upcoming().expect("an event comes").show(&lab.setup().names);
            assert!(matches!(learner.next(&mut lab), Next::Played(_)));
            event
        })
        .collect();
    assert_eq!(shown, ["request P1", "request P2"]);
    assert_eq!((learner.upcoming(), learner.next(&mut lab)), (None, Next::Turned));
    assert_eq!(learner.say(), Some("Both ask."), "a page without words keeps the last ones");
    assert_eq!(learner.next(&mut lab), Next::Blocked);
}

#[test]
fn a_page_without_words_begins_with_its_first_event() {
    let (mut learner, mut lab) = at_prediction(BASE);
    learner.answer(&mut lab, "defer");
    assert!(learner.upcoming().is_some());
    assert!(matches!(learner.next(&mut lab), Next::Played(_)));
    assert_eq!(learner.page(), (4, 4));
    assert!(learner.finished());
    assert_eq!(learner.next(&mut lab), Next::Finished);
}

#[test]
fn a_blank_answer_and_one_that_cannot_be_read_cost_no_attempt() {
    for text in ["", "   ", "\n", "-", "none of them", "Q", "7"] {
        let (mut learner, mut lab) = at_choice(BASE);
        let answered = learner.answer(&mut lab, text);
        let hint = "Answer with one of the letters a to b, or its number.".to_owned();
        assert_eq!(answered, Answered::Form(hint), "{text:?}");
        let question = learner.question().expect("still asked");
        assert_eq!((question.state, question.attempts), (QuestionState::Open, 0));
        assert_eq!(learner.next(&mut lab), Next::Blocked);
    }
}

#[test]
fn forms_are_forgiving() {
    for text in ["p2", "P2", " b ", "B.", "2", "(2)"] {
        let (mut learner, mut lab) = at_choice(BASE);
        assert!(said(learner.answer(&mut lab, text)).0, "{text:?}");
    }
    for text in ["defer", "DEFER", "b", "2", "defers", "deferred."] {
        let (mut learner, mut lab) = at_prediction(BASE);
        assert!(said(learner.answer(&mut lab, text)).0, "{text:?}");
    }
    for text in ["it does not defer", "reply or defer", "def"] {
        let (mut learner, mut lab) = at_prediction(BASE);
        assert!(matches!(learner.answer(&mut lab, text), Answered::Form(_)), "{text:?}");
    }
}

#[test]
fn an_option_called_no_is_answered_with_no() {
    let text = with(
        "        p1: {text: P1, say: The later stamp.}",
        "        no: {text: NO, say: The later stamp.}",
    );
    let (mut learner, mut lab) = at_choice(&text);
    let (right, lines) = said(learner.answer(&mut lab, "no"));
    assert!(!right);
    assert_eq!(lines, ["Not yet. The later stamp."]);
}

#[test]
fn the_verdict_comes_first_and_a_wrong_choice_may_be_changed() {
    let (mut learner, mut lab) = at_choice(BASE);
    let (right, lines) = said(learner.answer(&mut lab, "p1"));
    assert!(!right);
    assert_eq!(lines, ["Not yet. The later stamp."]);
    assert_eq!(learner.question().map(|q| q.explanation), Some(None), "nothing is given away");
    assert_eq!(state(&learner), QuestionState::Wrong);
    let (right, lines) = said(learner.answer(&mut lab, "p2"));
    assert!(right);
    assert_eq!(lines, ["Correct. The older stamp."]);
    let question = learner.question().expect("still shown");
    assert_eq!(question.explanation.as_deref(), Some("The stamps decide."));
    assert_eq!((question.attempts, learner.score()), (2, (1.0, 2.0)));
    let again = learner.answer(&mut lab, "p1");
    assert_eq!(again, Answered::Closed("This question is answered.".to_owned()));
}

#[test]
fn a_prediction_is_locked_in_before_its_event_happens() {
    let (mut learner, mut lab) = at_prediction(BASE);
    let before = lab.history().cursor();
    assert_eq!(learner.upcoming(), None, "the event is not given away");
    let (right, lines) = said(learner.answer(&mut lab, "reply"));
    assert!(!right);
    assert_eq!(
        lines,
        [
            "Not so, and now closed. You said: reply. It did: defer.",
            "P2 gets REQUEST (5,P1) from P1. P2 waits with the older (3,P2) < (5,P1), so it defers P1."
        ]
    );
    assert_eq!(state(&learner), QuestionState::Locked);
    assert_eq!(lab.history().parent(lab.history().cursor()), Some(before), "it really happened");
    assert!(!learner.exploring(&lab), "and is part of the lesson");
    assert_eq!(learner.score(), (1.0, 2.0));
    assert!(learner.back(&mut lab));
    assert_eq!(lab.history().cursor(), before);
    assert_eq!(state(&learner), QuestionState::Locked, "the answer stays");
    let event = learner.upcoming().map(|e| e.show(&lab.setup().names));
    assert_eq!(event.as_deref(), Some("deliver P1>P2"));
    assert!(matches!(learner.next(&mut lab), Next::Played(_)));
}

#[test]
fn without_then_play_the_event_is_only_tried_out() {
    let text = with("      then: play", "      points: 3");
    let (mut learner, mut lab) = at_prediction(&text);
    let (before, size) = (lab.history().cursor(), lab.history().len());
    let (right, lines) = said(learner.answer(&mut lab, "defer"));
    assert!(right);
    assert_eq!(
        lines.last().map(String::as_str),
        Some("This was tried out on a copy: your cluster stands where it stood.")
    );
    assert_eq!((lab.history().cursor(), lab.history().len()), (before, size));
    assert_eq!(learner.score(), (4.0, 4.0));
}

#[test]
fn known_wrong_predictions_are_explained() {
    let text = changed(&[(
        vec!["      then: play"],
        vec!["      then: play", "      feedback: {reply: Then both could enter.}"],
    )]);
    let (mut learner, mut lab) = at_prediction(&text);
    let (_, lines) = said(learner.answer(&mut lab, "reply"));
    assert_eq!(lines[1], "Then both could enter.");
    let (mut learner, mut lab) = at_prediction(&text);
    let (_, lines) = said(learner.answer(&mut lab, "defer"));
    assert!(!lines.iter().any(|l| l.contains("both could")), "{lines:?}");
}

#[test]
fn hints_come_in_rungs_and_cost_nothing() {
    let (mut learner, mut lab) = at_choice(BASE);
    let rungs: Vec<Option<String>> = (0..4).map(|_| learner.hint()).collect();
    let rungs: Vec<Option<&str>> = rungs.iter().map(Option::as_deref).collect();
    assert_eq!(rungs, [Some("Look."), Some("Compare."), Some("3 or 5?"), None]);
    assert_eq!(learner.question().map(|q| q.hints.len()), Some(3));
    assert!(said(learner.answer(&mut lab, "p2")).0);
    assert_eq!(learner.score(), (1.0, 2.0));
    assert_eq!(learner.hint(), None);
}

#[test]
fn a_shown_solution_is_marked_and_earns_nothing() {
    let (mut learner, mut lab) = at_choice(BASE);
    let lines = learner.show_solution(&mut lab).expect("on request");
    assert_eq!(lines, ["The answer: P2", "The older stamp."]);
    assert_eq!((state(&learner), learner.score()), (QuestionState::Shown, (0.0, 2.0)));
    assert!(learner.question().is_some_and(|q| q.explanation.is_some()));
    assert_eq!(learner.next(&mut lab), Next::Turned);
    let lines = learner.show_solution(&mut lab).expect("on request");
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], "The answer: defer");
    assert!(matches!(learner.moment().event, Some(Event::Deliver(_))), "the event is kept");
}

#[test]
fn a_solution_that_is_shown_after_the_right_answer_takes_nothing_away() {
    let (mut learner, mut lab) = at_choice(BASE);
    learner.answer(&mut lab, "p2");
    assert!(learner.show_solution(&mut lab).is_ok());
    assert_eq!((state(&learner), learner.score()), (QuestionState::Right, (1.0, 2.0)));
}

#[test]
fn a_solution_looked_at_later_does_not_cut_the_trail() {
    let (mut learner, mut lab) = at_prediction(BASE);
    learner.answer(&mut lab, "reply");
    learner.next(&mut lab);
    let trail = learner.trail().to_vec();
    learner.back(&mut lab);
    learner.back(&mut lab);
    assert!(learner.show_solution(&mut lab).is_ok());
    assert_eq!(learner.trail(), trail);
    assert_eq!(state(&learner), QuestionState::Locked);
}

#[test]
fn the_author_says_when_a_solution_may_be_seen() {
    let line = "      explain: The stamps decide.";
    let text = changed(&[(vec![line], vec![line, "      reveal: after_attempts 2"])]);
    let (mut learner, mut lab) = at_choice(&text);
    let refused = learner.show_solution(&mut lab).expect_err("too early");
    assert_eq!(refused, "Answer 2 times first; then the solution can be shown.");
    learner.answer(&mut lab, "p1");
    learner.answer(&mut lab, "p1");
    assert!(learner.show_solution(&mut lab).is_ok());
    let text = changed(&[(vec![line], vec![line, "      reveal: never"])]);
    let (mut learner, mut lab) = at_choice(&text);
    assert!(learner.show_solution(&mut lab).is_err());
}

#[test]
fn attempts_that_are_used_up_close_the_question() {
    let line = "      explain: The stamps decide.";
    let text = changed(&[(vec![line], vec![line, "      attempts: 1"])]);
    let (mut learner, mut lab) = at_choice(&text);
    learner.answer(&mut lab, "p1");
    assert_eq!(state(&learner), QuestionState::Locked);
    assert!(learner.question().is_some_and(|q| q.explanation.is_some()));
    assert_eq!(learner.next(&mut lab), Next::Turned);
}

#[test]
fn a_question_whose_condition_is_not_met_is_skipped() {
    let text = with("      objective: defer", "      after: [first]");
    let (mut learner, mut lab) = at_choice(&text);
    learner.show_solution(&mut lab).expect("on request");
    learner.next(&mut lab);
    assert_eq!(state(&learner), QuestionState::Skipped);
    assert!(learner.question().is_some_and(|q| q.explanation.is_none()));
    assert!(!matches!(learner.next(&mut lab), Next::Blocked));
    let (mut learner, mut lab) = at_choice(&text);
    learner.answer(&mut lab, "p2");
    learner.next(&mut lab);
    assert_eq!(state(&learner), QuestionState::Open);
}

#[test]
fn back_and_forward_along_the_trail_show_the_same_again() {
    let (mut learner, mut lab) = at_prediction(BASE);
    learner.answer(&mut lab, "defer");
    learner.next(&mut lab);
    let mut there = vec![seen(&learner, &lab)];
    while learner.back(&mut lab) {
        there.push(seen(&learner, &lab));
    }
    assert_eq!(there.len(), learner.trail().len());
    assert_eq!(learner.page(), (1, 4));
    let mut back = vec![seen(&learner, &lab)];
    while !matches!(learner.next(&mut lab), Next::Finished) {
        back.push(seen(&learner, &lab));
    }
    there.reverse();
    assert_eq!(back, there);
}

#[test]
fn an_event_outside_the_script_is_exploring_and_return_is_exact() {
    let (mut learner, mut lab) = at_choice(BASE);
    let before = seen(&learner, &lab);
    lab.play_schedule("deliver P2>P3; deliver P1>P3").expect("both are in flight");
    assert!(learner.exploring(&lab));
    assert!(!learner.follow(&mut lab));
    assert_eq!(state(&learner), QuestionState::Open, "the question waits");
    learner.return_to_lesson(&mut lab);
    assert!(!learner.exploring(&lab));
    assert_eq!(seen(&learner, &lab), before);
    assert_eq!(lab.history().len(), 5, "what was explored is still in the tree");
    lab.play_schedule("deliver P2>P3").expect("it is in flight");
    assert_eq!(learner.next(&mut lab), Next::Returned);
    assert_eq!(seen(&learner, &lab), before);
}

#[test]
fn an_answer_counts_where_the_lesson_stands_whatever_is_explored() {
    let (mut learner, mut lab) = at_prediction(BASE);
    lab.play_schedule("deliver P2>P1; deliver P3>P2").expect_err("P3 has not replied yet");
    assert!(learner.exploring(&lab));
    assert!(said(learner.answer(&mut lab, "defer")).0);
    assert!(!learner.exploring(&lab), "the event is played from the lesson's own point");
    assert_eq!(lab.schedule_text(), "request P1; request P2; deliver P1>P2");
}

#[test]
fn the_lessons_own_event_played_by_hand_is_not_exploring() {
    let (mut learner, mut lab) = started(BASE);
    lab.play_schedule("request P1").expect("P1 is idle");
    assert!(learner.follow(&mut lab));
    assert!(!learner.exploring(&lab));
    assert_eq!(learner.moment().played, 1);
    lab.play_schedule("request P2").expect("P2 is idle");
    assert_eq!(learner.next(&mut lab), Next::Turned, "next goes on from there");
    assert_eq!(learner.page().0, 2);
}

#[test]
fn a_predicted_event_played_by_hand_does_not_answer_for_the_learner() {
    let (mut learner, mut lab) = at_prediction(BASE);
    lab.play_schedule("deliver P1>P2").expect("it is in flight");
    assert!(!learner.follow(&mut lab));
    assert!(learner.exploring(&lab));
    assert_eq!(state(&learner), QuestionState::Open);
}

#[test]
fn the_event_of_a_skipped_prediction_happens_all_the_same() {
    let text = changed(&[
        (vec!["      objective: defer"], vec!["      after: [first]"]),
        (vec!["  - run: [deliver P1>P3]"], vec!["  - run: [deliver P2>P1, deliver P1>P2]"]),
    ]);
    let (mut learner, mut lab) = at_choice(&text);
    learner.show_solution(&mut lab).expect("on request");
    while learner.next(&mut lab) != Next::Finished {}
    assert!(learner.finished());
    assert!(
        lab.schedule_text().contains("request P2; deliver P1>P2; deliver P2>P1; deliver P1>P2")
    );
}
