//! Whatever is pressed while a question is open: nothing panics, and the lesson can still be done.

use super::{EVERY_TYPE, lesson_of, script};
use crate::screen::Seen;
use lockstep::lesson::QuestionState;
use lockstep::sim::SplitMix64;
use lockstep::ui::{Input, Key};

const KEYS: &[Key] = &[
    Key::Enter,
    Key::Enter,
    Key::Esc,
    Key::Tab,
    Key::BackTab,
    Key::Up,
    Key::Down,
    Key::Left,
    Key::Right,
    Key::Home,
    Key::End,
    Key::PageUp,
    Key::PageDown,
    Key::Backspace,
    Key::Delete,
    Key::Ctrl('t'),
    Key::Ctrl('w'),
];

/// Characters that mean something somewhere; `q` leaves, and is left out.
const CHARACTERS: &[u8] = b"123456789abcdxhirtzplD []+-:?(P,)=>;_ns";

fn any_key(rng: &mut SplitMix64) -> Input {
    match rng.below(10) {
        0 => Input::Paste("deliver P2>P1 => reply".to_owned()),
        1..=5 => Input::Key(Key::Char(char::from(CHARACTERS[rng.below(CHARACTERS.len())]))),
        _ => Input::Key(KEYS[rng.below(KEYS.len())]),
    }
}

#[test]
fn no_row_of_keys_panics_or_ends_a_question_without_an_answer() {
    for kind in lockstep::lesson::question::KINDS {
        for seed in 0..4 {
            let mut rng = SplitMix64::new(seed);
            let mut seen = Seen::lesson_text(&lesson_of(kind));
            seen.press("Right Right Right Enter");
            for n in 0..120 {
                seen.input(any_key(&mut rng));
                if n % 15 == 0 {
                    let width = 20 + rng.below(140) as u16;
                    let height = 5 + rng.below(45) as u16;
                    seen.at(width, height);
                }
            }
            let learner = seen.stepper().learner().expect("the lesson is still open");
            let question = learner.question();
            let closed = question.filter(|q| q.state.closed());
            if let Some(question) = closed {
                assert!(question.attempts > 0 || question.state == QuestionState::Shown, "{kind}");
            }
        }
    }
}

#[test]
fn a_lesson_of_every_type_is_done_after_any_keys_at_its_questions() {
    let mut seen = Seen::lesson_text(EVERY_TYPE);
    let mut rng = SplitMix64::new(3);
    for _ in 0..200 {
        let learner = seen.stepper().learner().expect("a lesson");
        if learner.finished() {
            return;
        }
        let open = learner.question().filter(|q| !q.state.closed());
        let Some(question) = open else {
            seen.press("Right");
            continue;
        };
        // Keys that answer nothing, and then the answer of the reference.
        for _ in 0..20 {
            let key = any_key(&mut rng);
            if !matches!(key, Input::Key(Key::Enter | Key::Char('i' | 's'))) {
                seen.input(key);
            }
        }
        for _ in 0..4 {
            script(&mut seen, "Esc");
        }
        // The keys may have gone back in the lesson; the question still waits where it stands.
        for _ in 0..60 {
            if at(&seen).as_deref() != Some(&question.id) {
                seen.press("Right");
            }
        }
        assert_eq!(at(&seen), Some(question.id), "{}", seen.at(80, 24).text());
        let learner = seen.stepper().learner().expect("a lesson");
        if learner.question().is_some_and(|q| !q.state.closed()) {
            show_solution(&mut seen);
        }
    }
    panic!("the lesson has no end:\n{}", seen.at(80, 24).text());
}

/// The question of the page where the learner stands.
fn at(seen: &Seen) -> Option<String> {
    let learner = seen.stepper().learner().expect("a lesson");
    learner.question().filter(|_| !learner.exploring(seen.stepper().lab())).map(|q| q.id)
}

fn show_solution(seen: &mut Seen) {
    seen.press("Enter");
    let typing = seen.stepper().typing();
    for _ in 0..2 {
        match typing {
            true => seen.ctrl('s'),
            false => seen.press("S"),
        }
    }
    let state = seen.stepper().learner().and_then(|l| l.question()).map(|q| q.state);
    assert_eq!(state, Some(QuestionState::Shown), "{}", seen.at(80, 24).text());
}
