//! The picture of a run as it is read: whole labels, each in its place, and the ends of lines.

use crate::rows_by_need::{SIZES, panel};
use crate::screen::{Drawn, Seen};
use lockstep::trace::{Diagram, Window};
use lockstep::ui::panel::spacetime::delivery;
use std::collections::HashSet;

/// The numbers of messages, as they stand in the picture.
fn numbers() -> impl Iterator<Item = String> {
    (1..=20).map(delivery)
}

fn is_braille(c: char) -> bool {
    ('\u{2801}'..='\u{28ff}').contains(&c)
}

/// The rows of the picture between the lanes.
fn between(drawn: &Drawn) -> Vec<String> {
    let picture = panel(drawn, "Space–time").map_or_else(Vec::new, |panel| panel.rows);
    let is_lane = |row: &String| row.chars().any(|c| "─━┄○●◆".contains(c));
    picture.into_iter().filter(|row| !is_lane(row)).collect()
}

/// All words that may stand in the picture.
fn vocabulary(seen: &Seen) -> HashSet<String> {
    let lab = seen.stepper().lab();
    let window = Window { columns: 10_000, undone: 5_000, scrolled_back: 0 };
    let diagram = Diagram::of(lab.history(), window);
    let mut words: HashSet<String> = numbers().collect();
    for column in &diagram.columns {
        words.extend(column.clock.map(|clock| clock.to_string()));
        words.extend(column.silent.iter().flat_map(|word| word.split(' ')).map(str::to_owned));
        words.insert(format!("s{}", column.step));
    }
    for arrow in &diagram.arrows {
        words.extend(arrow.label.show(&lab.setup().names).split(' ').map(str::to_owned));
    }
    words
}

#[test]
fn every_label_of_every_picture_of_the_course_is_whole_and_merges_with_nothing() {
    let mut faults = Vec::new();
    let mut read = 0;
    for place in 0..Seen::lessons() {
        let mut seen = Seen::in_lesson(place);
        let mut last = None;
        loop {
            let steps = seen.steps();
            if last != Some(steps) {
                last = Some(steps);
                let words = vocabulary(&seen);
                for (width, height) in SIZES {
                    let drawn = seen.at(width, height);
                    let rows = between(&drawn);
                    let parts = |c: char| c == ' ' || c == '┆' || c == '×' || is_braille(c);
                    let labels =
                        rows.iter().flat_map(|row| row.split(parts)).filter(|l| !l.is_empty());
                    for label in labels {
                        read += 1;
                        // The longest name of a message has a place that is not the picture's: its own line.
                        if !words.contains(label) && faults.len() < 8 {
                            faults.push(format!(
                                "lesson {}, {width}x{height}: {label}\n{}",
                                place + 1,
                                drawn.text()
                            ));
                        }
                    }
                }
            }
            if !seen.go_on() {
                break;
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(read > 10_000, "{read} labels were read");
}

/// The number of a message that is on its way, with the line that ends there.
#[test]
fn messages_on_their_way_end_at_their_numbers_however_many_are_on_one_channel() {
    let two_on_one = [
        ("lamport", 2, "r Tab r 1"),
        ("suzuki-kasami", 3, "r Tab r x r"),
        ("lamport", 3, "r 1 Tab r"),
    ];
    for (algorithm, nodes, keys) in two_on_one {
        let mut seen = Seen::free_play(algorithm, nodes);
        seen.press(keys);
        let count = seen.stepper().lab().state().view().in_flight.len();
        for (width, height) in SIZES {
            let drawn = seen.at(width, height);
            let rows = between(&drawn);
            for number in numbers().take(count) {
                let row = rows.iter().position(|row| row.contains(&number));
                let row = row.unwrap_or_else(|| panic!("{algorithm} {number}:\n{}", drawn.text()));
                let now = rows[row].find(&number).map_or(0, |at| rows[row][..at].chars().count());
                // The number may stand a row beside the end of its line.
                let near = rows[row.saturating_sub(1)..(row + 2).min(rows.len())].iter();
                let before = |row: &String| {
                    row.chars().take(now).skip(now.saturating_sub(5)).any(is_braille)
                };
                assert!(near.clone().any(before), "{algorithm} {number}:\n{}", drawn.text());
            }
        }
    }
}

/// Where lanes are close, the title says whose lines are drawn, and they are.
#[test]
fn many_nodes_have_the_lines_of_the_chosen_one_and_of_the_last_step() {
    for (nodes, sizes) in [(4, [(80, 24), (160, 45)]), (10, [(160, 45); 2]), (16, [(160, 45); 2])] {
        let mut seen = Seen::free_play("maekawa", nodes);
        seen.press("r Tab r 1 2 3");
        for (width, height) in sizes {
            let drawn = seen.at(width, height);
            let picture = panel(&drawn, "Space–time").expect("the picture is drawn");
            let lines = picture.rows.iter().flat_map(|row| row.chars()).filter(|c| is_braille(*c));
            assert!(lines.count() > 20, "{nodes}:\n{}", drawn.text());
            let close = picture.title.contains("of P2 and the last step");
            assert_eq!(close, nodes > 4, "{nodes}:\n{}", drawn.text());
        }
    }
}

#[test]
fn in_ascii_lanes_lines_and_marks_have_signs_of_their_own() {
    use lockstep::ui::glyphs::Glyphs;
    let g = Glyphs::ASCII;
    let marks = [g.act, g.receipt, g.entered, g.lost, g.crash, g.now, g.lane, g.lane_crashed, g.cs];
    for stroke in ["\\", "/", "."] {
        assert!(!marks.contains(&stroke), "{stroke} is a line's alone");
    }
}
