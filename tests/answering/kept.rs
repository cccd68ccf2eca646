//! Nothing that was typed or played is lost: not by putting a question aside, not by leaving, not by
//! another day.

use super::{lesson_of, script, state, typed};
use crate::screen::{Seen, plain_look};
use lockstep::input::Source;
use lockstep::lesson::progress::Store;
use lockstep::lesson::{Lesson, QuestionState, load};
use lockstep::ui::app::App;
use lockstep::ui::course::Course;
use lockstep::ui::glyphs::Glyphs;
use lockstep::ui::plain::Dialogue;
use lockstep::ui::screen::stepper::Stepper;
use std::sync::Arc;

/// Keys that leave an answer half done, and what is seen of it when the question is opened again.
const HALF_DONE: [(&str, &str, &str); 8] = [
    ("multi", "a b", "b [x]"),
    ("number", "`4 mess`", "> 4 mess_"),
    ("formula", "`2*(n-`", "> 2*(n-_"),
    ("explain", "`Because`", "> Because_"),
    ("order", "3 1 Down Down x", "out 4"),
    ("state", "`wait` Enter `5`", "wait"),
    ("play", "b Enter", "Message 2 of 3"),
    ("trace", "3 a 3 a Left", "Played 1: 1. deliver P2>P1 => reply"),
];

#[test]
fn what_was_begun_is_there_when_the_question_is_opened_again() {
    for (kind, keys, shown) in HALF_DONE {
        let mut seen = Seen::lesson_text(&lesson_of(kind));
        seen.press("Right Right Right Enter");
        script(&mut seen, keys);
        for way in ["Esc Enter", "Esc Left Right Right Enter"] {
            seen.press(way);
            let drawn = seen.at(80, 24).text();
            assert!(drawn.contains(shown), "{kind} after {way}, {shown}:\n{drawn}");
            assert_eq!(state(&seen), QuestionState::Open, "{kind}: no attempt was made");
        }
    }
}

struct Days {
    _folder: tempfile::TempDir,
    store: Store,
    lesson: Arc<Lesson>,
}

impl Days {
    fn of(kind: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let store = Store::at(folder.path().join("progress.yaml"));
        let source = Source::from_text("types.yaml", &lesson_of(kind), "lesson").expect("a text");
        let lesson = load::checked(source).unwrap_or_else(|bad| panic!("{bad}"));
        Self { _folder: folder, store, lesson }
    }

    /// The lesson as it opens on another day.
    fn open(&self) -> Seen {
        let library = lockstep::lesson::Library::embedded();
        let mut course = Course::of(&library).kept_in(Ok(self.store.clone()));
        let (learner, lab) = course.resume(Arc::clone(&self.lesson)).expect("a checked lesson");
        let mut app = App::new(course, plain_look(), false);
        app.open(Stepper::lesson(learner, lab));
        Seen::of(app)
    }
}

#[test]
fn what_was_begun_is_there_on_another_day() {
    for (kind, keys, shown) in HALF_DONE {
        let days = Days::of(kind);
        let mut first = days.open();
        first.press("Right Right Right Enter");
        script(&mut first, keys);
        assert_eq!(first.app().leave(), None, "{kind}: nothing to complain of");
        let mut second = days.open();
        assert_eq!(state(&second), QuestionState::Open, "{kind}");
        super::shows(&mut second, "Your answer is begun: Enter goes on with it.");
        second.press("Enter");
        let drawn = second.at(80, 24).text();
        assert!(drawn.contains(shown), "{kind}, {shown}:\n{drawn}");
    }
}

#[test]
fn what_was_played_and_taken_back_is_still_ahead_on_another_day() {
    let days = Days::of("trace");
    let mut first = days.open();
    first.press("Right Right Right Enter 3 a 3 a 1 b Left Left");
    assert_eq!(first.steps(), 3);
    first.app().leave();
    let mut second = days.open();
    second.press("Enter");
    assert_eq!(second.steps(), 3);
    second.press("Right a Right b 2 2 s");
    assert_eq!(state(&second), QuestionState::Right);
}

#[test]
fn a_wrong_trace_leads_to_its_wrong_line_on_another_day_as_well() {
    let days = Days::of("trace");
    let mut first = days.open();
    first.press("Right Right Right Enter 3 a 3 b 1 b 2 2 s");
    assert_eq!(state(&first), QuestionState::Wrong);
    first.app().leave();
    let mut second = days.open();
    assert_eq!(state(&second), QuestionState::Wrong);
    second.press("Enter");
    assert_eq!(second.steps(), 7, "all that was played");
    second.press("Enter");
    assert_eq!(second.steps(), 3, "before the second line");
    second.press("Right a End s");
    assert_eq!(state(&second), QuestionState::Right);
}

/// The dialogue of lines on the same progress.
fn dialogue(days: &Days) -> Dialogue {
    let dialogue = Dialogue::new(lockstep::lesson::Library::embedded(), Glyphs::UNICODE);
    let mut dialogue = dialogue.kept_in(Ok(days.store.clone()));
    dialogue.resume(Arc::clone(&days.lesson)).expect("a checked lesson");
    dialogue.greet();
    dialogue
}

#[test]
fn what_was_begun_in_lines_goes_on_on_the_screen() {
    for (kind, lines, shown) in [
        ("state", &["P2 clock=5"][..], "clock   deferred"),
        ("state", &["P2 clock=5"][..], "P2  _       5"),
        ("trace", &["answer", "deliver P2>P1 => reply"][..], "1. deliver P2>P1 => reply"),
        ("explain", &["answer", "The REPLY", "does it."][..], "> The REPLY does it._"),
    ] {
        let days = Days::of(kind);
        let mut first = dialogue(&days);
        for line in ["", "", ""].iter().chain(lines) {
            first.take(line);
        }
        assert_eq!(first.leave(), None);
        let mut second = days.open();
        second.press("Enter");
        let drawn = second.at(80, 24).text();
        assert!(drawn.contains(shown), "{kind}, {shown}:\n{drawn}");
    }
}

#[test]
fn a_line_of_an_answer_is_written_down_at_once() {
    let days = Days::of("trace");
    let mut dialogue = dialogue(&days);
    for line in ["", "", "", "answer", "deliver P2 -> P1 => replies"] {
        dialogue.take(line);
    }
    // Nobody leaves: the program may be killed now.
    let kept = days.store.load().expect("it was written");
    let saved = kept.lessons.get("every-type").expect("the lesson");
    let draft = saved.questions.get("trace").and_then(|tried| tried.draft.as_deref());
    assert_eq!(draft, Some("deliver P2>P1 => reply"));
}

#[test]
fn what_was_begun_on_the_screen_goes_on_in_lines() {
    for (kind, keys, lines, said) in [
        ("state", "Tab `5`", &["lesson"][..], "So far: P2 clock=5."),
        ("trace", "3 a 3 a Left", &["answer"][..], "  1. deliver P2>P1 => reply"),
        ("explain", "`The REPLY`", &["answer"][..], "  1. The REPLY"),
    ] {
        let days = Days::of(kind);
        let mut first = days.open();
        first.press("Right Right Right Enter");
        script(&mut first, keys);
        first.app().leave();
        let mut second = dialogue(&days);
        let told: String = lines.iter().map(|line| second.take(line).text).collect();
        assert!(told.contains(said), "{kind}, {said}:\n{told}");
    }
}

#[test]
fn an_answer_that_is_put_aside_is_written_down_at_once() {
    let days = Days::of("number");
    let mut first = days.open();
    first.press("Right Right Right Enter");
    typed(&mut first, "4 m");
    first.press("Esc");
    // Nobody leaves: the program may be killed now.
    let kept = days.store.load().expect("it was written");
    let saved = kept.lessons.get("every-type").expect("the lesson");
    let tried = saved.questions.get("number").expect("the question");
    assert_eq!((tried.draft.as_deref(), tried.attempts), (Some("4 m"), 0));
}

#[test]
fn a_draft_is_gone_once_the_question_is_answered() {
    let days = Days::of("number");
    let mut first = days.open();
    first.press("Right Right Right Enter");
    typed(&mut first, "4");
    first.press("Enter");
    first.app().leave();
    let kept = days.store.load().expect("it was written");
    let saved = kept.lessons.get("every-type").expect("the lesson");
    let tried = saved.questions.get("number").expect("the question");
    assert_eq!((tried.draft.as_deref(), tried.answers.len()), (None, 1));
}

#[test]
fn the_same_wrong_answer_once_more_costs_no_attempt() {
    let mut seen = Seen::lesson_text(&lesson_of("text"));
    seen.press("Right Right Right Enter");
    typed(&mut seen, "it replies");
    seen.press("Enter Enter Enter");
    let learner = seen.stepper().learner().expect("a lesson");
    assert_eq!(learner.question().map(|q| q.attempts), Some(1));
    let drawn = seen.at(80, 24).text();
    assert!(drawn.contains("this is the answer that you gave before"), "{drawn}");
}

/// A lesson that is drawn, opened by nobody in particular.
#[test]
fn that_nobody_said_for_whom_a_lesson_is_drawn_is_told_on_the_screen_and_in_lines() {
    const DRAWN: &str = include_str!("../lessons/drawn.yaml");
    let told = "the numbers of this lesson are drawn from a name";
    let source = lockstep::input::Source::from_text("drawn.yaml", DRAWN, "lesson");
    let lesson = load::checked(source.expect("a text")).unwrap_or_else(|bad| panic!("{bad}"));
    for (who, remarked) in [("", true), ("Ada", false)] {
        let lesson = lesson.for_who(who).unwrap_or_else(|bad| panic!("{bad}"));
        let opened = || lockstep::lesson::Learner::new(Arc::clone(&lesson)).expect("a cluster");
        let (learner, lab) = opened();
        let mut seen = Seen::after("");
        seen.app().open(lockstep::ui::screen::stepper::Stepper::lesson(learner, lab));
        assert_eq!(seen.at(100, 30).text().contains(told), remarked, "{who}");
        let library = lockstep::lesson::Library::embedded();
        let glyphs = lockstep::ui::glyphs::Glyphs::UNICODE;
        let mut dialogue = lockstep::ui::plain::Dialogue::new(library, glyphs);
        let (learner, lab) = opened();
        dialogue.open_lesson(learner, lab);
        let greeted = dialogue.greet().replace('\n', " ");
        assert_eq!(greeted.contains(told), remarked, "{who}: {greeted}");
    }
}
