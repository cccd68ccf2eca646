//! What is needed now has its rows: read from the buffer, on every page of every lesson, before a question is
//! opened, while it is open, after a wrong answer and with all hints.

use crate::course_at_80x24::{answer_wrongly, waiting};
use crate::screen::{Drawn, Seen};

const SIZES: [(u16, u16); 4] = [(80, 24), (100, 30), (120, 40), (160, 45)];
/// So many messages are seen at every size.
const SEEN: usize = 6;

/// The first messages in flight that are not on the screen with their number and their whole name.
fn missing(seen: &mut Seen, width: u16, height: u16) -> Option<String> {
    let text = seen.at(width, height).text();
    let lab = seen.stepper().lab();
    let names = &lab.setup().names;
    let view = lab.state().view();
    let line = |(i, flight): (usize, &lockstep::sim::FlightView)| {
        format!("{} {}", i + 1, flight.label.show(names))
    };
    let mut lines = view.in_flight.iter().enumerate().take(SEEN).map(line);
    lines.find(|line| !text.contains(line.as_str())).map(|line| format!("{line} in\n{text}"))
}

/// Rules with three empty rows at their end while the page above them says that there is more.
fn uneven(drawn: &Drawn) -> Option<String> {
    let text = drawn.text();
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let panel = |title: &str| {
        let top = lines.iter().position(|l| l.iter().collect::<String>().contains(title))?;
        let line: String = lines[top].iter().collect();
        let left = line[..line.find(title)?].chars().count() - 1;
        let right = left + lines[top][left + 1..].iter().position(|c| *c == '┐')? + 1;
        let rows = lines[top + 1..].iter().take_while(|l| l.get(left) == Some(&'│'));
        let empty = |l: &&Vec<char>| l[left + 1..right.min(l.len())].iter().all(|c| *c == ' ');
        let rows: Vec<_> = rows.collect();
        Some(rows.into_iter().rev().take_while(empty).count())
    };
    // The page and the rules share one side: neither keeps what the other needs.
    let idle = panel(" Rules: ").filter(|rows| *rows >= 3 && text.contains(" more line"));
    idle.map(|rows| format!("{rows} empty rows under the rules:\n{text}"))
}

fn look(seen: &mut Seen, what: &str, faults: &mut Vec<String>) {
    for (width, height) in SIZES {
        let found = missing(seen, width, height).or_else(|| uneven(&seen.at(width, height)));
        faults.extend(found.map(|fault| format!("{what}, {width}x{height}: {fault}")));
    }
}

#[test]
fn messages_are_seen_at_every_size_in_every_state_of_every_page() {
    let mut faults = Vec::new();
    for place in 0..Seen::lessons() {
        let mut seen = Seen::in_lesson(place);
        let mut tried = Vec::new();
        for moment in 0..500 {
            let what = |state: &str| format!("lesson {}, {moment}, {state}", place + 1);
            look(&mut seen, &what("closed"), &mut faults);
            let id = seen.stepper().learner().and_then(|l| l.question()).map(|q| q.id);
            if waiting(&seen) && !tried.contains(&id) {
                tried.push(id);
                seen.press("Enter");
                look(&mut seen, &what("open"), &mut faults);
                seen.press("Esc");
                if answer_wrongly(&mut seen, 0) {
                    look(&mut seen, &what("wrong"), &mut faults);
                    if waiting(&seen) {
                        seen.press("Esc h h h");
                        look(&mut seen, &what("wrong, with all hints"), &mut faults);
                    }
                }
            } else if !seen.go_on() {
                break;
            }
        }
        assert!(seen.stepper().learner().is_some_and(|l| l.finished()), "lesson {}", place + 1);
    }
    let count = faults.len();
    assert!(count == 0, "{count} faults, the first ones:\n{}", faults[..count.min(6)].join("\n"));
}

/// A row of the picture in which a lane lies, without its border.
fn is_lane(line: &str) -> bool {
    let line = line.trim_start_matches(['│', '┌', '├']).trim_start();
    let Some((name, rest)) = line.split_once(' ') else { return false };
    name.starts_with('P') && rest.trim_start().starts_with(['─', '●', '○', '◆'])
}

/// Where lanes lie so close that no line of a message is drawn, no name of one stands there either: it would
/// seem to belong to a node that it does not concern.
#[test]
fn a_picture_without_lines_of_messages_has_no_names_of_them() {
    let mut close = 0;
    for nodes in [6, 10, 12, 16] {
        for (width, height) in [(100, 30), (120, 40), (160, 45), (200, 60)] {
            let mut seen = Seen::free_play("ricart-agrawala", nodes);
            seen.press("r Tab r 1 2 3");
            let text = seen.at(width, height).text();
            let lines: Vec<&str> = text.lines().collect();
            let lanes: Vec<usize> = (0..lines.len()).filter(|y| is_lane(lines[*y])).collect();
            let (Some(first), Some(last)) = (lanes.first(), lanes.last()) else { continue };
            if lanes.len() < 2 || lanes[1] - lanes[0] > 1 {
                continue;
            }
            close += 1;
            for line in &lines[*first..=*last] {
                let picture = line.trim_start_matches('│').split(['│', '┤']).next();
                let named = picture.unwrap_or_default();
                assert!(!named.contains("REQUEST") && !named.contains("REPLY"), "{nodes}:\n{text}");
            }
        }
    }
    assert!(close > 2, "{close} pictures have lanes that close");
}

/// At the present stands the number that delivers a message; a name after it is that message's, and no other's.
#[test]
fn a_name_after_the_number_of_a_message_is_its_own() {
    let mut named = 0;
    for algorithm in ["ricart-agrawala", "lamport", "maekawa", "suzuki-kasami", "naimi-trehel"] {
        for keys in [
            "r Tab r",
            "r Tab r 3",
            "r Tab r 1 1",
            "r Tab r 2 2 1",
            "r 1 1 Tab r 2",
            "r Tab r 4 3 2",
            "r Tab r Tab r",
            "r Tab r 1 2 1 1",
        ] {
            let mut seen = Seen::free_play(algorithm, 3);
            seen.press(keys);
            for (width, height) in [(80, 24), (100, 30), (120, 40), (160, 45)] {
                let text = seen.at(width, height).text();
                let lines: Vec<Vec<char>> =
                    text.lines().map(|line| line.chars().collect()).collect();
                let present = |line: &Vec<char>| line.iter().position(|c| *c == '┆');
                let Some(now) = lines.iter().find_map(present) else { continue };
                let lab = seen.stepper().lab();
                let view = lab.state().view();
                let lanes: Vec<usize> = (0..lines.len())
                    .filter(|y| is_lane(&lines[*y].iter().collect::<String>()))
                    .collect();
                for line in &lines[lanes[0]..=lanes[lanes.len() - 1]] {
                    let rest: String = line[now.min(line.len())..].iter().collect();
                    let rest = rest.split(['│', '├', '┤']).next().unwrap_or_default().trim_end();
                    let Some((number, name)) = rest.split_once(' ') else { continue };
                    let Ok(number) = number.parse::<usize>() else { continue };
                    let own = view.in_flight[number - 1].label.show(&lab.setup().names);
                    assert!(name.is_empty() || name.trim() == own, "{algorithm}, {keys}:\n{text}");
                    named += 1;
                }
            }
        }
    }
    assert!(named > 20, "{named} names stand after a number");
}
