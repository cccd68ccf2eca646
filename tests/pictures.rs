//! The pictures in `assets` are the program's own screens, and no older than the program.
//!
//! `LOCKSTEP_PICTURES=write cargo test --test it pictures` makes them anew.

use crate::screen::Seen;
use lockstep::ui::Input;
use lockstep::ui::panel::Look;
use lockstep::ui::picture::{Paper, svg};
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use std::path::Path;

fn look(theme: ThemeName) -> Look {
    Look { theme: Theme::new(theme, ColorUse::On, None), glyphs: Glyphs::UNICODE }
}

fn compare(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    if std::env::var("LOCKSTEP_PICTURES").as_deref() == Ok("write") {
        std::fs::write(&path, made).expect("assets can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "assets/{name} is older than the program: see the head of this file");
}

/// The race after so many steps; the sixth is that P2 defers P1.
fn race_at_step(step: u32) -> Seen {
    let library = lockstep::lesson::Library::embedded();
    let place = library.shelved().iter().position(|s| s.id == "ricart-agrawala-race");
    let mut seen = Seen::in_lesson(place.expect("the lesson is in the course"));
    while seen.steps() < step {
        assert!(seen.go_on(), "the lesson has six steps");
    }
    seen
}

#[test]
fn the_race_at_step_6() {
    let mut seen = race_at_step(6);
    seen.press("Right");
    let title = "Lockstep, lesson 9 at step 6: P2 defers P1's request; three replies are in flight";
    for (name, theme, paper) in [
        ("race-step-6-dark.svg", ThemeName::Dark, Paper::Dark),
        ("race-step-6-light.svg", ThemeName::Light, Paper::Light),
    ] {
        seen.look(look(theme));
        compare(name, &svg(&seen.at(100, 30).0, paper, title));
    }
}

/// Keeps a picture of what is seen, as a dark terminal shows it.
fn keep(name: &str, seen: &mut Seen, (width, height): (u16, u16), title: &str) {
    seen.look(look(ThemeName::Dark));
    compare(name, &svg(&seen.at(width, height).0, Paper::Dark, title));
}

#[test]
fn home() {
    let title = "Lockstep at Home: the course, then drills, comparisons and free play";
    keep("home.svg", &mut Seen::after("Down Down"), (80, 24), title);
}

#[test]
fn a_lesson_at_80x24() {
    let mut seen = race_at_step(5);
    while seen.stepper().learner().is_some_and(|l| l.question().is_none_or(|q| q.state.closed())) {
        assert!(seen.go_on(), "the lesson asks something");
    }
    seen.press("Enter Down");
    let title = "Lockstep, lesson 9 in a window of 80 by 24: a question is open";
    keep("lesson-80x24.svg", &mut seen, (80, 24), title);
}

#[test]
fn two_inside_at_once() {
    let mut seen = Seen::free_play_with("lamport", 2, "no-fifo");
    seen.command("request P1; request P2; deliver P2>P1; deliver P1>P2#2");
    let title = "Lockstep: mutual exclusion is violated, P1 and P2 are inside together";
    keep("violation.svg", &mut seen, (100, 30), title);
}

#[test]
fn stuck_with_the_reason() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("Tab Tab c Tab r 1 1 Right Right");
    let title = "Lockstep: P1 is stuck, because it waits for a reply from P3, which has crashed";
    keep("stuck.svg", &mut seen, (100, 30), title);
}

/// Lets what works in the background come to its end.
fn worked(seen: &mut Seen) {
    while seen.tick_every().is_some() {
        seen.input(Input::Tick);
    }
}

#[test]
fn the_costs_compared() {
    let mut seen = Seen::after("@costs Enter");
    worked(&mut seen);
    seen.press("Down");
    worked(&mut seen);
    let title = "Lockstep compares what an entry costs in messages, algorithm by algorithm";
    keep("compare.svg", &mut seen, (100, 30), title);
}

#[test]
fn a_check_with_a_counterexample() {
    let mut seen = Seen::free_play_with("lamport", 2, "no-fifo");
    seen.press("v");
    worked(&mut seen);
    let title = "Lockstep has tried every schedule and shows the shortest one that fails";
    keep("check.svg", &mut seen, (80, 24), title);
}

#[test]
fn every_branch_that_was_played() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r Tab r 1 1 1 Left Left 2 1 Left Left Left 3 b");
    let title = "Lockstep: the branches of a run, none of which is lost";
    keep("branches.svg", &mut seen, (80, 24), title);
}
