//! How questions of every type are answered on the screen: with keys, at 80 by 24.

mod any_keys;
mod around;
mod every_type;
mod forms;
mod in_sight;
mod kept;

use crate::screen::Seen;
use lockstep::lesson::QuestionState;
use lockstep::ui::{Input, Key};

/// A lesson with a question of every type.
const EVERY_TYPE: &str = include_str!("answering/types.yaml");

/// The steps of that lesson, each with its first line: first the one that only tells.
fn steps_of_every_type() -> (&'static str, Vec<&'static str>) {
    let (head, steps) = EVERY_TYPE.split_once("steps:\n").expect("a lesson has steps");
    (head, steps.split("\n  - ").collect())
}

/// A lesson that tells, and then asks the question of one type.
fn lesson_of(kind: &str) -> String {
    let (head, steps) = steps_of_every_type();
    let of_kind = |step: &&&str| step.starts_with(&format!("{kind}:"));
    let step = steps.iter().find(of_kind).unwrap_or_else(|| panic!("no question of type {kind}"));
    format!("{head}steps:\n{}\n  - {step}\n", steps[0])
}

/// Keys by name; what stands in backquotes is typed character by character.
fn script(seen: &mut Seen, keys: &str) {
    for (i, part) in keys.split('`').enumerate() {
        if i % 2 == 0 {
            seen.press(part);
        } else {
            typed(seen, part);
        }
    }
}

/// The race of two requests, up to a question.
fn asked(kind: &str, question: &str) -> Seen {
    let lines: String = question.lines().map(|l| format!("      {l}\n")).collect();
    let mut seen = Seen::lesson_text(&format!(
        "lesson: 1
id: asked
title: A lesson
about: What it is about.
cluster:
  algorithm: ricart-agrawala
  nodes: [P1, P2, P3]
  clocks: {{P1: 4, P2: 2}}
steps:
  - say: Both ask.
    run: [request P1, request P2]
  - {kind}:
      id: asked
      prompt: Which?
{lines}      hints: [Look there.]
      explain: Because.
"
    ));
    seen.press("Right Right Right Enter");
    seen
}

fn state(seen: &Seen) -> QuestionState {
    let learner = seen.stepper().learner().expect("a lesson");
    learner.question().expect("it is asked").state
}

fn answer(seen: &Seen) -> String {
    let learner = seen.stepper().learner().expect("a lesson");
    learner.answer_to("asked").unwrap_or_default().to_owned()
}

fn shows(seen: &mut Seen, text: &str) {
    let drawn = seen.at(80, 24).text();
    assert!(drawn.contains(text), "{text}:\n{drawn}");
}

fn typed(seen: &mut Seen, text: &str) {
    for c in text.chars() {
        seen.input(Input::Key(Key::Char(c)));
    }
}

const MULTI: &str = "options:
  a1: {text: one, say: No.}
  b1: {text: two, right: true, say: It is.}
  c1: {text: three, right: true, say: It is.}";

#[test]
fn several_options_are_marked_with_the_space_bar() {
    let mut seen = asked("multi", MULTI);
    shows(&mut seen, "[ ]");
    seen.press("Enter");
    assert_eq!(state(&seen), QuestionState::Open, "nothing is marked: no attempt");
    seen.press("Down Space");
    shows(&mut seen, "b [x]");
    seen.press("c a a");
    shows(&mut seen, "c [x]");
    shows(&mut seen, "a [ ]");
    seen.press("Enter");
    assert_eq!((state(&seen), answer(&seen)), (QuestionState::Right, "b1, c1".to_owned()));
    assert_eq!(seen.steps(), 2, "the space bar has not stepped the cluster");
}

#[test]
fn a_part_of_the_points_is_the_same_for_the_learner_and_for_the_grader() {
    let once = format!("points: 4\nattempts: 1\n{MULTI}");
    for (kind, question, keys, score) in [
        ("multi", once.as_str(), "b Enter", 2.0),
        ("multi", once.as_str(), "b c Enter", 4.0),
        ("multi", once.as_str(), "a Enter", 0.0),
        ("multi", once.as_str(), "a b c Enter", 2.0),
        (
            "order",
            "points: 3\nattempts: 1\ncards: {xa: {text: one}, xb: {text: two}, xc: {text: three}}\nbefore: [xa < xb < xc]",
            "1 2 3 Enter",
            -1.0,
        ),
        (
            "play",
            "points: 3\nnode: P2\nrun: [deliver P1>P3, deliver P2>P3, deliver P2>P1, deliver P1>P2, deliver P3>P2, deliver P1>P2]\noutcomes: [reply, defer, enter]",
            "b Enter d Enter a Enter",
            2.0,
        ),
        ("number", "points: 2\nattempts: 1\nanswer: 8", "`7` Enter", 0.0),
        ("number", "points: 2\nattempts: 1\nanswer: 8", "`8` Enter", 2.0),
    ] {
        let mut seen = asked(kind, question);
        script(&mut seen, keys);
        let learner = seen.stepper().learner().expect("a lesson");
        let lesson = learner.lesson();
        let text = lockstep::lesson::answers::filled(lesson, &learner.filled());
        let answers = lockstep::lesson::answers::Answers::read("a.yaml", text.as_bytes());
        let again = lockstep::lesson::load::checked(lesson.document().source().clone());
        let again = again.unwrap_or_else(|bad| panic!("{bad}"));
        let grader = lockstep::lesson::grade::Grader::new(again).expect("a cluster");
        let report = grader.grade(&answers.expect("it reads"), &Default::default());
        let report = report.expect("it is graded");
        assert_eq!(learner.score(), report.score(), "{kind}: {keys}");
        if score >= 0.0 {
            assert_eq!(learner.score().0, score, "{kind}: {keys}");
        }
    }
    let mut seen = asked("multi", &once);
    script(&mut seen, "b Enter");
    shows(&mut seen, "Not so, and now closed: 2 of 4 points.");
    shows(&mut seen, "The lesson is finished. 2 of 4 points.");
}

#[test]
fn emphasis_is_seen_in_prompts_reasons_and_feedback() {
    use ratatui::style::Modifier;
    let text = "lesson: 1\nid: asked\ntitle: A lesson\nabout: About.\ncluster: {algorithm: ricart-agrawala}\nsteps:\n  \
                - number:\n      id: asked\n      prompt: Special is *not* unneeded. Which?\n      answer: 8\n      \
                feedback: {7: It is **never** seven.}\n      hints: [Look *there*., Compare., Move.]\n      \
                explain: It is *always* eight.\n";
    for colour in [true, false] {
        let mut seen = Seen::lesson_text(text);
        if !colour {
            seen.look(crate::screen::plain_look());
        }
        seen.press("Enter");
        seen.ctrl('t');
        let stressed = |seen: &mut Seen, lead: &str, word: &str| {
            let phrase = format!("{lead} {word}");
            let drawn = seen.at(80, 24);
            let cells: Vec<_> = drawn.cells().collect();
            let is = |at: usize, c: char| cells[at].symbol().starts_with(c);
            let at = (0..cells.len() - phrase.len())
                .find(|at| phrase.chars().enumerate().all(|(i, c)| is(at + i, c)))
                .unwrap_or_else(|| panic!("{phrase}:\n{}", drawn.text()));
            let (here, beside) = (cells[at + lead.len() + 1].modifier, cells[at].modifier);
            assert!(here.contains(Modifier::BOLD), "{word}: {here:?}");
            assert_ne!(here, beside, "{word} stands out");
        };
        stressed(&mut seen, "is", "not");
        stressed(&mut seen, "Look", "there");
        script(&mut seen, "`7` Enter");
        stressed(&mut seen, "is", "never");
        script(&mut seen, "Backspace `8` Enter");
        stressed(&mut seen, "is", "always");
        assert!(!seen.at(80, 24).text().contains('*'));
    }
}

const ORDER: &str = "cards:
  xa: {text: first}
  xb: {text: second}
  xc: {text: third}
  xd: {text: never, distractor: true}
before: [xa < xb < xc]";

/// The place of each card among those that are shown, in the right order.
fn places(seen: &Seen, ids: [&str; 3]) -> [usize; 3] {
    let picks = seen.stepper().learner().and_then(|l| l.question()).expect("asked").picks;
    ids.map(|id| picks.iter().position(|p| p.id == id).expect("a card"))
}

#[test]
fn cards_are_put_in_order_by_their_numbers() {
    let mut seen = asked("order", ORDER);
    for place in places(&seen, ["xa", "xb", "xc"]) {
        seen.press(&(place + 1).to_string());
    }
    seen.press("Down x");
    shows(&mut seen, "out");
    seen.press("Enter");
    assert_eq!((state(&seen), answer(&seen)), (QuestionState::Right, "xa, xb, xc".to_owned()));
}

#[test]
fn cards_are_moved_with_the_arrows_once_they_are_taken() {
    let mut seen = asked("order", ORDER);
    let picks = seen.stepper().learner().and_then(|l| l.question()).expect("asked").picks;
    let mut row: Vec<String> = picks.into_iter().map(|p| p.id).collect();
    // Selection by keys alone: each card is carried up to its place, the distractor is left out.
    let mut cursor = 0;
    let go = |seen: &mut Seen, cursor: &mut usize, to: usize| {
        while *cursor != to {
            seen.press(if *cursor < to { "Down" } else { "Up" });
            *cursor = if *cursor < to { *cursor + 1 } else { *cursor - 1 };
        }
    };
    for (place, id) in ["xa", "xb", "xc"].into_iter().enumerate() {
        let from = row.iter().position(|card| card == id).expect("a card");
        go(&mut seen, &mut cursor, from);
        seen.press("Space");
        if from != place {
            go(&mut seen, &mut cursor, place);
        }
        seen.press("Space");
        let card = row.remove(from);
        row.insert(place, card);
    }
    go(&mut seen, &mut cursor, 3);
    seen.press("x Enter");
    assert_eq!((state(&seen), answer(&seen)), (QuestionState::Right, "xa, xb, xc".to_owned()));
}

#[test]
fn cells_are_typed_one_after_the_other() {
    let mut seen = asked(
        "state",
        "run: [deliver P1>P3, deliver P1>P2]\nnodes: [P2, P3]\nfields: [clock, deferred]",
    );
    shows(&mut seen, "clock   deferred");
    for text in ["5", "P1", "4", "none"] {
        typed(&mut seen, text);
        seen.press("Enter");
    }
    assert_eq!(state(&seen), QuestionState::Wrong);
    shows(&mut seen, "P3 clock: it does not hold 4 then.");
    seen.press("Enter");
    assert_eq!(seen.steps(), 2, "before the step that sets this clock");
    shows(&mut seen, "the next step decides P3 clock");
    seen.press("Right");
    assert_eq!(seen.stepper().lab().state().view().nodes[2].clock, Some(5));
    seen.press("Esc Enter");
    assert_eq!(seen.steps(), 2, "the question again, with its table");
    shows(&mut seen, "P3  4");
    seen.press("Down Backspace");
    typed(&mut seen, "5");
    seen.press("Enter");
    assert_eq!(state(&seen), QuestionState::Right, "{}", seen.at(80, 24).text());
    assert_eq!(seen.steps(), 2, "the cluster stands where it stood");
}

#[test]
fn numbers_formulas_and_words_are_typed() {
    for (kind, question, text) in [
        ("number", "measure: messages(REQUEST)", "4 messages"),
        ("formula", "answer: 2*(n-1)", "2(N-1)"),
        ("text", "accept: [happened before]", "Happened  Before"),
        ("explain", "model: A model.", "my own words"),
    ] {
        let mut seen = asked(kind, question);
        typed(&mut seen, text);
        shows(&mut seen, &format!("> {text}_"));
        seen.press("Enter");
        assert_eq!(state(&seen), QuestionState::Right, "{kind}");
        shows(&mut seen, if kind == "explain" { "Compare your answer" } else { "Correct" });
    }
    let mut seen = asked("number", "answer: 3");
    typed(&mut seen, "many");
    seen.press("Enter");
    shows(&mut seen, "Answer with one number, in figures.");
    assert_eq!(state(&seen), QuestionState::Open);
    seen.input(Input::Key(Key::Ctrl('s')));
    seen.input(Input::Key(Key::Ctrl('s')));
    assert_eq!(state(&seen), QuestionState::Shown);
}

const TRACE: &str = "goal: in_cs(P2)\nannotate: [reply, defer]";

#[test]
fn a_trace_is_played_in_the_cluster_and_handed_in_with_its_key() {
    let mut seen = asked("trace", TRACE);
    shows(&mut seen, "s hand in");
    shows(&mut seen, "Goal ✗ P2 is inside");
    shows(&mut seen, "Played: nothing yet.");
    for keys in ["Enter", "Right", "Space"] {
        seen.press(keys);
        assert_eq!(seen.steps(), 2, "nothing is chosen for the learner");
        shows(&mut seen, "choose a message");
    }
    seen.press("s");
    assert_eq!(state(&seen), QuestionState::Open, "nothing was played: no attempt");
    // In flight: 1 P1>P2, 2 P1>P3, 3 P2>P1, 4 P2>P3.
    seen.press("4");
    shows(&mut seen, "deliver P2>P3: what will come of it?");
    assert_eq!(seen.steps(), 2, "the word is asked for before it is seen");
    seen.press("Enter 1 Right");
    assert_eq!(seen.steps(), 2, "no word was said yet");
    shows(&mut seen, "say first what will come of it");
    seen.press("Esc");
    assert_eq!(seen.steps(), 2);
    seen.press("4 Down Enter");
    assert_eq!(seen.steps(), 3);
    shows(&mut seen, "1. deliver P2>P3 => reply");
    seen.press("3 b");
    seen.press("Left");
    assert_eq!(seen.steps(), 3, "one step back");
    seen.press("Left Left");
    assert_eq!(seen.steps(), 2, "and not behind the question's point");
    seen.press("Right");
    shows(&mut seen, "deliver P2>P3: what will come of it?");
    seen.press("a Right b 1 b");
    assert_eq!(seen.steps(), 5, "the same way again; what is taken back is said anew");
    until_p2_is_inside(&mut seen);
    seen.press("s");
    assert_eq!(state(&seen), QuestionState::Wrong, "P1 replies, and was said to defer");
    shows(&mut seen, "Not yet. Line 2, deliver P2>P1: it does not defer.");
    shows(&mut seen, "Enter go to the wrong line");
    seen.press("Enter");
    assert_eq!(seen.steps(), 3, "before the second line");
    shows(&mut seen, "before line 2, `deliver P2>P1`");
    seen.press("Right");
    shows(&mut seen, "deliver P2>P1: what will come of it?");
    seen.press("a");
    let shown = seen.at(80, 24).text();
    assert!(!shown.contains("what will come"), "only that line is said anew:\n{shown}");
    seen.press("End s");
    assert_eq!(state(&seen), QuestionState::Right, "{}", answer(&seen));
}

#[test]
fn the_events_of_a_trace_may_be_typed_with_what_comes_of_them() {
    let mut seen = asked("trace", TRACE);
    seen.command("deliver P2>P1 => replies; deliver P2>P3 => reply; deliver P1>P2 => defer");
    assert_eq!(seen.steps(), 5);
    until_p2_is_inside(&mut seen);
    shows(&mut seen, "the goal holds here: s hands in what you played");
    seen.press("s");
    assert_eq!(state(&seen), QuestionState::Right, "{}", answer(&seen));
}

fn until_p2_is_inside(seen: &mut Seen) {
    for _ in 0..9 {
        if seen.stepper().lab().state().view().holders == [lockstep::model::NodeId(1)] {
            return;
        }
        // P1's REQUEST to P3 may still be the oldest message: it gets a reply.
        seen.press("1");
        if seen.at(80, 24).text().contains("what will come of it?") {
            seen.press("a");
        }
    }
    panic!("P2 is not inside:\n{}", seen.at(80, 24).text());
}

#[test]
fn a_right_trace_closes_its_question_and_leads_back_to_the_lesson() {
    let mut seen = asked("trace", TRACE);
    // The list is renumbered after each delivery; the answer is always the oldest message but P1>P2.
    seen.press("2 a");
    seen.press("2 a");
    seen.press("2 a");
    seen.press("1 b");
    until_p2_is_inside(&mut seen);
    seen.press("s");
    assert_eq!(state(&seen), QuestionState::Right, "{}", answer(&seen));
    assert!(
        answer(&seen).starts_with("deliver P1>P3 => reply; deliver P2>P1 => reply;"),
        "{}",
        answer(&seen)
    );
    assert_eq!(seen.steps(), 2, "back at the lesson's point");
    shows(&mut seen, "Correct.");
}

#[test]
fn a_drive_is_played_or_found_impossible() {
    let goal = "goal: in_cs(P2)\nat_most: 5\nsolution: [deliver P2>P1, deliver P2>P3, deliver P1>P2, deliver P1>P2, deliver P3>P2]";
    let mut seen = asked("drive", goal);
    seen.press("i");
    assert_eq!((state(&seen), answer(&seen)), (QuestionState::Wrong, "impossible".to_owned()));
    shows(&mut seen, "Not yet. There is a way.");
    seen.press("i");
    shows(&mut seen, "this you have said");
    seen.press("c");
    shows(&mut seen, "this question does not allow `crash P2`");
    assert_eq!(seen.steps(), 2, "nothing was played");
    seen.press("3 Esc");
    assert_eq!(seen.steps(), 2, "put aside: back at the lesson's point");
    seen.press("Enter");
    shows(&mut seen, "Played 1 of at most 5: 1. deliver P2>P1");
    assert_eq!(seen.steps(), 3, "what was played is still there");
    // Each REQUEST of P2, P1's to P2, and then the two REPLYs.
    seen.press("3 1 2 2");
    seen.press("s");
    assert_eq!(state(&seen), QuestionState::Right, "{}", answer(&seen));
    let mut seen = asked("drive", "goal: in_cs(P1)\nat_most: 2\nanswer: impossible");
    shows(&mut seen, "impossible");
    seen.press("i");
    assert_eq!(state(&seen), QuestionState::Right);
}

#[test]
fn a_drive_with_a_start_of_its_own_begins_there() {
    let mut seen = asked(
        "drive",
        "goal: in_cs(P3)\nstart: [request P3]\nsolution: [deliver P3>P1, deliver P3>P2, deliver P1>P3, deliver P2>P3]",
    );
    assert_eq!(seen.steps(), 1);
    seen.press("1 1 1 1 s");
    assert_eq!((state(&seen), seen.steps()), (QuestionState::Right, 2));
}

#[test]
fn being_one_node_is_decided_message_by_message() {
    let play = "node: P2
run: [deliver P1>P3, deliver P2>P3, deliver P2>P1, deliver P1>P2, deliver P3>P2, deliver P1>P2]
outcomes: [reply, defer, enter]";
    let mut seen = asked("play", play);
    shows(&mut seen, "Message 1 of 3: REQUEST (5,P1) from P1. You");
    assert_eq!(seen.steps(), 5, "what happens elsewhere is played");
    seen.press("b Enter");
    shows(&mut seen, "Message 2 of 3: REPLY from P3. You");
    seen.press("Down Down Down Down Enter c Enter");
    assert_eq!(
        (state(&seen), answer(&seen)),
        (QuestionState::Right, "defer, nothing, enter".to_owned())
    );
    assert_eq!(seen.steps(), 2, "back at the lesson's point");
    let mut seen = asked("play", play);
    seen.press("a Enter a Enter a Enter");
    assert_eq!(state(&seen), QuestionState::Locked, "what was seen cannot be said again");
    shows(&mut seen, "Not so, and now closed. 0 of 3 decisions are those of P2.");
}

#[test]
fn every_open_question_is_drawn_at_every_size() {
    let all = [
        ("multi", MULTI),
        ("order", ORDER),
        ("state", "run: [deliver P1>P3]\nfields: [state, clock, deferred, replies]"),
        ("trace", TRACE),
        ("play", "node: P2\nrun: [deliver P1>P2]\noutcomes: [defer]"),
        ("text", "accept: [a]"),
    ];
    for (kind, question) in all {
        let mut seen = asked(kind, question);
        for keys in ["", "Down", "x", "Space", "1", "a"] {
            seen.press(keys);
            for width in [20, 60, 100] {
                for height in [5, 18, 30] {
                    seen.at(width, height);
                }
            }
        }
    }
}
