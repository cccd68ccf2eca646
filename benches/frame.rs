//! What a frame and a step cost, after a short run and after a long one.
//!
//! `cargo bench --bench frame`. The cost must not grow with the length of the run.

use lockstep::lab::Lab;
use lockstep::model::{Config, Event, NodeId};
use lockstep::sim::scheduler::{Policy, SplitMix64};
use lockstep::ui::app::App;
use lockstep::ui::course::Course;
use lockstep::ui::panel::Look;
use lockstep::ui::screen::stepper::Stepper;
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use lockstep::ui::{Application as _, Input, Key};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The lengths that are compared.
const LENGTHS: [u32; 2] = [100, 10_000];

fn main() {
    divan::main();
}

/// A lab with five nodes after so many steps of a seeded run in which everybody asks again and again.
fn after(steps: u32) -> Lab {
    let mut lab = Lab::new(Config::new("lamport", 5)).expect("the default cluster");
    let mut rng = SplitMix64::new(1);
    let mut policy = Policy::Seeded(SplitMix64::new(2));
    while lab.state().steps() < steps {
        let asking: Vec<Event> = (0..5)
            .map(|i| Event::Request(NodeId(i)))
            .filter(|e| lab.state().check(*e).is_ok())
            .collect();
        let event = match policy.choose(lab.state()) {
            Some(event) if asking.is_empty() || rng.below(4) > 0 => event,
            _ => asking[rng.below(asking.len())],
        };
        lab.play(event).expect("an enabled event");
    }
    lab
}

fn app(steps: u32) -> App {
    let look =
        Look { theme: Theme::new(ThemeName::Dark, ColorUse::On, None), glyphs: Glyphs::UNICODE };
    let mut app = App::new(Course::default(), look, false);
    app.open(Stepper::free_play(after(steps)));
    app
}

#[divan::bench(args = LENGTHS)]
fn frame_at_200x60(bencher: divan::Bencher<'_, '_>, steps: u32) {
    let mut app = app(steps);
    let area = Rect::new(0, 0, 200, 60);
    let mut buffer = Buffer::empty(area);
    bencher.bench_local(|| app.draw_into(area, &mut buffer));
}

/// The screens that are opened by these keys from Home, or from a run in which five nodes have asked.
const SCREENS: [(&str, &str); 6] = [
    ("Home", ""),
    ("compare", "c"),
    ("help", "?"),
    ("check", "Lv"),
    ("log", "Lo"),
    ("branches", "Lb"),
];

#[divan::bench(args = SCREENS.map(|(name, _)| name))]
fn other_screen_at_200x60(bencher: divan::Bencher<'_, '_>, name: &str) {
    let keys = SCREENS.iter().find(|(of, _)| *of == name).expect("one of them").1;
    let mut app = match keys.strip_prefix('L') {
        Some(_) => app(100),
        None => {
            let theme = Theme::new(ThemeName::Dark, ColorUse::On, None);
            App::new(
                Course::of(&lockstep::lesson::Library::embedded()),
                Look { theme, glyphs: Glyphs::UNICODE },
                false,
            )
        }
    };
    for key in keys.trim_start_matches('L').chars() {
        app.input(Input::Key(Key::Char(key)));
    }
    for _ in 0..200 {
        app.input(Input::Tick);
    }
    let area = Rect::new(0, 0, 200, 60);
    let mut buffer = Buffer::empty(area);
    bencher.bench_local(|| app.draw_into(area, &mut buffer));
}

#[divan::bench(args = LENGTHS)]
fn back_and_forward(bencher: divan::Bencher<'_, '_>, steps: u32) {
    let mut app = app(steps);
    bencher.bench_local(|| {
        app.input(Input::Key(Key::Left));
        app.input(Input::Key(Key::Right))
    });
}

#[divan::bench(args = LENGTHS)]
fn one_step(bencher: divan::Bencher<'_, '_>, steps: u32) {
    let lab = after(steps);
    let event = Policy::Oldest.choose(lab.state()).expect("a long run goes on");
    bencher.bench_local(|| {
        let mut next = lab.state().fork();
        next.step(event).map(|record| record.n)
    });
}
