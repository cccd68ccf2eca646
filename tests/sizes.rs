//! Every screen and every pop-up, in every state, at every size.
//!
//! `cargo test --test it sizes -- --ignored` draws the whole product of sizes.

use crate::screen::{Drawn, Seen, plain_look};
use crate::states;
use lockstep::lesson::Library;
use lockstep::sim::SplitMix64;
use lockstep::ui::layout::SMALLEST;
use lockstep::ui::screen::present::{Hall, Talk};
use lockstep::ui::{Application as _, Flow, Input, Key};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The sizes of ordinary windows, and those beside the smallest.
const NAMED: [(u16, u16); 9] =
    [(60, 18), (80, 24), (100, 30), (160, 45), (120, 50), (59, 18), (60, 17), (61, 19), (200, 60)];

/// Every small size, the named ones, and thirty by chance.
fn sizes() -> impl Iterator<Item = (u16, u16)> {
    let small = (0..=40_u16).flat_map(|w| (0..=20_u16).map(move |h| (w, h)));
    let mut rng = SplitMix64::new(51);
    let mut within = move |low: u16, high: u16| low + rng.below(usize::from(high - low) + 1) as u16;
    let large: Vec<_> = (0..30).map(|_| (within(60, 200), within(18, 60))).collect();
    small.chain(NAMED).chain(large)
}

/// What is wrong with the boxes that were drawn: each top left corner begins one with four whole sides;
/// only a title may stand in its upper side. Between panels without boxes no line ends in the air.
fn fault(drawn: &Drawn) -> Option<String> {
    let area = drawn.0.area;
    let at = |x: u16, y: u16| drawn.0.cell((x, y)).map_or("", |c| c.symbol());
    let mut corners = 0;
    for y in 0..area.height {
        for x in 0..area.width {
            match at(x, y) {
                "┬" if !["│", "├", "┴"].contains(&at(x, y + 1)) => {
                    return Some(format!("the line at column {x} ends in row {y}"));
                }
                "┌" => {}
                _ => continue,
            }
            if at(x, y) != "┌" {
                continue;
            }
            corners += 1;
            let right = (x + 1..area.width).find(|c| at(*c, y) == "┐");
            let low = (y + 1..area.height).find(|r| at(x, *r) != "│");
            let (Some(right), Some(low)) = (right, low) else {
                return Some(format!("the box at {x},{y} has no right or no left side"));
            };
            let left_whole = at(x, low) == "└";
            let right_whole = (y + 1..low).all(|r| at(right, r) == "│") && at(right, low) == "┘";
            let lower_whole = (x + 1..right).all(|c| at(c, low) == "─");
            if !(left_whole && right_whole && lower_whole) {
                return Some(format!("the box at {x},{y} to {right},{low} is not whole"));
            }
        }
    }
    let closing = drawn.cells().filter(|c| ["┐", "┘"].contains(&c.symbol())).count();
    (closing != 2 * corners).then(|| format!("{corners} boxes begin and {closing} sides end"))
}

fn assert_whole(name: &str, seen: &mut Seen, width: u16, height: u16) {
    let drawn = seen.at(width, height);
    assert_eq!(drawn.text().lines().count(), usize::from(height), "{name} {width}x{height}");
    // What lies over the panels covers their boxes in part.
    let covers = ["legend", "menu", "run as one line", "everything that can be done", "its end"]
        .contains(&name);
    if let Some(fault) = fault(&drawn).filter(|_| !covers) {
        panic!("{name} {width}x{height}: {fault}\n{}", drawn.text());
    }
}

fn is_small(width: u16, height: u16) -> bool {
    width < SMALLEST.0 || height < SMALLEST.1
}

// H51, H52
#[test]
fn no_size_and_no_state_makes_a_screen_panic_or_breaks_a_border() {
    for (name, mut seen) in states::all() {
        for (width, height) in sizes() {
            assert_whole(&name, &mut seen, width, height);
        }
    }
}

// H52
#[test]
fn ten_thousand_steps_are_drawn_at_every_size() {
    let mut seen = states::long_run();
    assert!(seen.steps() >= 10_000);
    for (width, height) in sizes().filter(|(w, h)| !is_small(*w, *h) || w == h) {
        assert_whole("10 000 steps", &mut seen, width, height);
    }
}

// H51, H52: minutes long.
#[test]
#[ignore = "draws 12 000 sizes of every state"]
fn no_size_up_to_200x60_and_no_state_makes_a_screen_panic_or_breaks_a_border() {
    for (name, mut seen) in states::all() {
        for width in 1..=200 {
            for height in 1..=60 {
                assert_whole(&name, &mut seen, width, height);
                if is_small(width, height) {
                    assert!(seen.leaves_on("q"), "{name} {width}x{height}");
                }
            }
        }
    }
}

// H51, H52
#[test]
fn every_lesson_state_is_drawn_at_every_size() {
    for lesson in 0..Seen::lessons() {
        let mut seen = Seen::in_lesson(lesson);
        for moment in 0.. {
            for (width, height) in [(60, 18), (80, 24), (100, 30), (160, 45), (7, 3), (1, 1)] {
                assert_whole(&format!("lesson {}, {moment}", lesson + 1), &mut seen, width, height);
            }
            seen.at(80, 24);
            if !seen.go_on() {
                break;
            }
        }
    }
}

// H51
#[test]
fn below_the_smallest_size_one_notice_says_so() {
    for (name, mut seen) in states::all() {
        for (width, height) in [(59, 18), (60, 17), (40, 10)] {
            let text = seen.at(width, height).text();
            let wanted = format!("needs 60x18; this is {width}x{height}. q quits");
            assert_eq!(text.trim_end(), wanted, "{name}");
        }
    }
}

// H63: the notice hides whatever is open, so what is open must not take the key away.
#[test]
fn where_only_the_notice_is_seen_q_leaves_at_once_from_every_state() {
    for (name, mut seen) in states::all() {
        for (width, height) in sizes().filter(|(w, h)| is_small(*w, *h)) {
            seen.at(width, height);
            assert!(seen.leaves_on("q"), "{name} {width}x{height}");
        }
    }
}

/// Every kind of input that acts somewhere.
fn inputs() -> impl Iterator<Item = Input> {
    let letters = (' '..='~').filter(|c| *c != 'q').map(Key::Char);
    let others = [
        Key::Enter,
        Key::Esc,
        Key::Tab,
        Key::BackTab,
        Key::Backspace,
        Key::Delete,
        Key::Up,
        Key::Down,
        Key::Left,
        Key::Right,
        Key::Home,
        Key::End,
        Key::PageUp,
        Key::PageDown,
        Key::F(1),
        Key::F(2),
        Key::F(5),
        Key::Enter,
        Key::Enter,
    ];
    let keys = letters.chain(others).flat_map(|key| [Input::Key(key), Input::Repeat(key)]);
    let clicks =
        (0..24).flat_map(|row| (0..80).step_by(7).map(move |col| Input::Click { col, row }));
    let paste = Input::Paste("request P1; exit P1".to_owned());
    keys.chain(clicks).chain([paste, Input::Scroll { col: 1, row: 1, down: true }])
}

#[test]
fn where_only_the_notice_is_seen_nothing_acts() {
    for (name, mut seen) in states::all() {
        seen.at(100, 30);
        let before = seen.at(100, 30).text();
        for (width, height) in [(59, 18), (60, 17), (40, 10), (1, 1), (0, 0), (200, 17), (59, 60)] {
            // Whether it was drawn at this size, or is only known to have it.
            let told = width % 2 == 0;
            if told {
                seen.input(Input::Resize(width, height));
            } else {
                seen.at(width, height);
            }
            for input in inputs() {
                assert_eq!(
                    seen.input(input.clone()),
                    Flow::Unchanged,
                    "{name} {width}x{height} {input:?}"
                );
            }
        }
        assert_eq!(seen.at(100, 30).text(), before, "{name}");
    }
    let mut seen = Seen::after("@1978 Enter Enter r a");
    seen.at(80, 24);
    assert!(seen.tick_every().is_some(), "it plays by itself");
    seen.at(59, 17);
    assert!(seen.tick_every().is_none(), "and stands still while nobody sees it");
    seen.input(Input::Tick);
    assert_eq!(seen.steps(), 1);
    seen.at(80, 24);
    assert!(seen.tick_every().is_some());
}

#[test]
fn in_the_lecture_hall_nothing_acts_that_the_presenter_does_not_see() {
    for keys in ["", "?", "g", "b", "e", "e r", "z"] {
        let mut hall = hall(5);
        for key in keys.split_whitespace().flat_map(|word| word.chars()) {
            hall.input(Input::Key(Key::Char(key)));
        }
        let shown = |hall: &mut Hall, width, height| {
            let area = Rect::new(0, 0, width, height);
            let mut buffer = Buffer::empty(area);
            hall.draw_into(area, &mut buffer);
            Drawn(buffer).text()
        };
        let before = shown(&mut hall, 80, 24);
        for (width, height) in [(59, 18), (60, 17), (3, 3)] {
            assert!(shown(&mut hall, width, height).contains("ne"), "{keys}");
            for input in inputs() {
                assert_eq!(hall.input(input.clone()), Flow::Unchanged, "{keys} {input:?}");
            }
        }
        assert_eq!(shown(&mut hall, 80, 24), before, "{keys}");
        shown(&mut hall, 59, 18);
        assert_eq!(hall.input(Input::Key(Key::Char('q'))), Flow::Quit, "{keys}");
    }
}

// H63
#[test]
fn at_every_other_size_q_leads_out_of_every_state() {
    for (name, mut seen) in states::all() {
        seen.at(80, 24);
        // Where letters are typed, Esc comes first; in a log it first takes the filter away.
        if name.starts_with("log") {
            seen.press("Esc Esc");
        } else if seen.app().stepper().is_some_and(|s| s.typing()) {
            seen.press("Esc");
        }
        assert!(seen.quits_on_q(), "{name}");
    }
}

/// Texts whose width is easily got wrong.
const ODD: [&str; 8] = [
    "caf\u{e9} and cafe\u{301}",
    "\u{4e2d}\u{6587}\u{6d4b}\u{8bd5}\u{4e2d}\u{6587}",
    "\u{2764}\u{fe0f} heart",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466} family",
    "zero\u{200b}width\u{200b}space",
    "\u{5e9}\u{5dc}\u{5d5}\u{5dd} shalom",
    "\u{1f1eb}\u{1f1f7}\u{1f1e9}\u{1f1ea} flags",
    "a\u{300}\u{301}\u{302}\u{303}\u{304} marks",
];

fn odd_lesson(odd: &str) -> String {
    let long = format!("{odd} ").repeat(12);
    format!(
        "lesson: 1
id: odd
title: \"{odd} {odd} {odd} {odd} {odd} {odd}\"
about: \"{long}\"
source: \"{odd}\"
cluster: {{algorithm: lamport, nodes: [P1, P2, P3]}}
steps:
  - say: \"{long}\"
    run: [request P1]
  - choice:
      id: one
      prompt: \"{long}\"
      options:
        a: {{text: \"{long}\", right: true, say: \"{long}\"}}
        b: {{text: \"{odd}\", say: \"{odd}\"}}
      hints: [\"{long}\", \"{odd}\", \"{odd}\"]
      explain: \"{long}\"
  - text:
      id: two
      prompt: \"{odd}\"
      accept: [\"{odd}\"]
      hints: [\"{odd}\", \"{odd}\", \"{odd}\"]
      explain: \"{odd}\"
"
    )
}

// H58
#[test]
fn characters_of_doubtful_width_move_no_border_and_are_never_cut() {
    for odd in ODD {
        let mut seen = Seen::lesson_text(&odd_lesson(odd));
        for keys in ["", "Right", "Right", "Enter h h h", "2 Enter", "1 Enter", "Right", "Enter"] {
            seen.press(keys);
            for (width, height) in (60..=101).map(|w| (w, 18 + w % 13)).chain([(160, 45), (40, 9)])
            {
                assert_whole(&format!("{odd} after {keys}"), &mut seen, width, height);
            }
        }
        seen.type_in(odd);
        assert_whole(odd, &mut seen, 80, 24);
    }
}

/// Lesson 9 in the lecture hall, after so many clicks.
fn hall(clicks: usize) -> Hall {
    let lesson = Library::embedded().open("ricart-agrawala-race").expect("a lesson of the course");
    let mut hall = Hall::new(Talk::new(lesson).expect("it can be presented"), plain_look(), None);
    for _ in 0..clicks {
        hall.input(Input::Key(Key::PageDown));
    }
    hall
}

fn assert_hall_is_whole(hall: &mut Hall, name: &str) {
    for (width, height) in sizes() {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        hall.draw_into(area, &mut buffer);
        let drawn = Drawn(buffer);
        if let Some(fault) = fault(&drawn) {
            panic!("{name} {width}x{height}: {fault}\n{}", drawn.text());
        }
    }
}

// H51, H52
#[test]
fn the_lecture_hall_is_whole_at_every_size_after_every_click() {
    let clicks = hall(0).talk().beats().len();
    for click in 0..clicks {
        assert_hall_is_whole(&mut hall(click), &format!("click {click}"));
    }
    for key in ['?', 'g', 'w', 'z', 'b', 'p', 'e', 'a', 'n', 'N', '1'] {
        for click in [0, 12, clicks] {
            let mut hall = hall(click);
            hall.input(Input::Key(Key::Char(key)));
            assert_hall_is_whole(&mut hall, &format!("{key} after click {click}"));
        }
    }
}
