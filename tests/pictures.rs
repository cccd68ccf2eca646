//! The pictures in the README are the program's own screens, and no older than the program.
//!
//! `LOCKSTEP_PICTURES=write cargo test --test pictures` makes them anew.

#[path = "support/screen.rs"]
mod screen;

use lockstep::ui::panel::Look;
use lockstep::ui::picture::{Paper, svg};
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use screen::Seen;
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

/// The race at the step at which P2 defers P1.
fn race_at_step_6() -> Seen {
    let library = lockstep::lesson::Library::embedded();
    let place = library.shelved().iter().position(|s| s.id == "ricart-agrawala-race");
    let mut seen = Seen::in_lesson(place.expect("the lesson is in the course"));
    while seen.steps() < 6 {
        assert!(seen.go_on(), "the lesson has six steps");
    }
    seen
}

#[test]
fn the_race_at_step_6() {
    let mut seen = race_at_step_6();
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
