//! What is needed now has its rows: read from the buffer, on every page of every lesson, before a question is
//! opened, while it is open, after a wrong answer and with all hints.

use crate::course_at_80x24::waiting;
use crate::screen::{Drawn, Seen};
use lockstep::lesson::QuestionState;
use lockstep::session::AnswerDraft;
use lockstep::ui::panel::prose::one_line;
use lockstep::ui::panel::spacetime;

pub const SIZES: [(u16, u16); 4] = [(80, 24), (100, 30), (120, 40), (160, 45)];
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

/// A panel as it is drawn: its title and its rows, without its frame.
pub struct Panel {
    pub title: String,
    pub rows: Vec<String>,
}

impl Panel {
    /// Its words, one blank between two.
    fn words(&self) -> String {
        words(&self.rows.join(" "))
    }

    fn says_more(&self) -> bool {
        self.title.contains(" more")
            || self.rows.iter().any(|row| row.contains("… ") && row.contains(" more"))
    }

    /// The empty rows at its end.
    fn idle(&self) -> usize {
        self.rows.iter().rev().take_while(|row| row.trim().is_empty()).count()
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The panels that have a title beginning like this, boxed or under a rule.
pub fn panel(drawn: &Drawn, begins: &str) -> Option<Panel> {
    let grid: Vec<Vec<char>> = drawn.text().lines().map(|line| line.chars().collect()).collect();
    let at = |x: usize, y: usize| grid.get(y).and_then(|row| row.get(x)).copied().unwrap_or(' ');
    let find = |y: usize| {
        let line: String = grid[y].iter().collect();
        let frames = ["─", "┌", "┬", "├", "┼"].map(|frame| format!("{frame} {begins}"));
        let found = frames.iter().find_map(|title| line.find(title.as_str()));
        found.map(|at| line[..at].chars().count() + 1)
    };
    let (x, y) = (0..grid.len()).find_map(|y| find(y).map(|x| (x, y)))?;
    let width = usize::from(drawn.0.area.width);
    let is_side = |c: char| "│┬┤├┼┐".contains(c);
    let end = (x + 1..width).find(|x| is_side(at(*x, y))).unwrap_or(width);
    // What stands on a row of its own goes to the edges; what stands beside another panel begins there.
    let ends = |y: usize| {
        let rule = |x: usize| "─└┴├┼┤".contains(at(x, y)) && "─┴└".contains(at(x + 1, y));
        let title = at(x - 1, y) == '─' && at(x, y) == ' ';
        rule(x - 1) || title || at(x, y) == '─' || y + 3 >= grid.len()
    };
    let low = (y + 1..grid.len()).find(|y| ends(*y))?;
    let row = |y: usize| (x..end).map(|x| at(x, y)).collect::<String>().replace('│', " ");
    let title = (x..end).map(|x| at(x, y)).collect();
    Some(Panel { title, rows: (y + 1..low).map(row).collect() })
}

/// A panel that keeps three rows empty while another says that there is more.
fn uneven(drawn: &Drawn) -> Option<String> {
    let texts = ["Page ", "In flight", "Why ", "Rules"];
    let panels: Vec<Panel> = texts.iter().filter_map(|begins| panel(drawn, begins)).collect();
    // Rules give way to everything else.
    let short = panels.iter().find(|p| p.says_more() && !p.title.contains("Rules"))?;
    let idle = panels.iter().find(|p| p.idle() >= 3)?;
    Some(format!("{} is idle beside {}:\n{}", idle.title, short.title, drawn.text()))
}

/// The sentences of a text, in the words of the screen.
fn sentences(text: &str) -> Vec<String> {
    let text = words(&one_line(text));
    let mut all = vec![String::new()];
    for word in text.split(' ') {
        let last = all.last_mut().expect("there is one");
        last.push_str(if last.is_empty() { "" } else { " " });
        last.push_str(word);
        if word.trim_end_matches(['”', ')']).ends_with(['.', '?', '!']) {
            all.push(String::new());
        }
    }
    all.retain(|sentence| !sentence.is_empty());
    all
}

/// What has to be on the page and is not, or is there in part without its end.
fn unsaid(seen: &mut Seen, width: u16, height: u16) -> Option<String> {
    let drawn = seen.at(width, height);
    let learner = seen.stepper().learner()?;
    let shown = panel(&drawn, "Page ").map(|page| page.words()).unwrap_or_default();
    let fault = |what: &str| Some(format!("{what}\nin\n{}", drawn.text()));
    let q = learner.question()?;
    let open = seen.stepper().session().answer().is_some() || q.state == QuestionState::Wrong;
    let stands = seen.stepper().session().verdict_stands();
    let first = |text: &String| sentences(text).into_iter().next().unwrap_or_default();
    let mut wanted = Vec::new();
    if open && !q.state.closed() {
        wanted.extend(sentences(&q.prompt));
        wanted.extend(q.hints.last().map(|hint| words(&one_line(hint))));
    }
    if stands {
        wanted.extend(q.said.first().map(first));
    }
    if let Some(AnswerDraft::Played(play)) = seen.stepper().session().answer() {
        wanted.extend(play.parts(seen.stepper().lab()).into_iter().map(|(_, said)| said));
    }
    if let Some(missing) = wanted.iter().find(|text| !shown.contains(text.as_str())) {
        return fault(&format!("`{missing}` is not seen"));
    }
    let mut texts = vec![learner.say().unwrap_or("").to_owned(), q.prompt.clone()];
    texts.extend(q.hints.iter().chain(q.said.iter().filter(|_| stands)).cloned());
    texts.extend(q.explanation.clone().filter(|_| q.state.closed()));
    let all: Vec<String> = texts.iter().flat_map(|text| sentences(text)).collect();
    cut_inside(&all, &shown).and_then(|what| fault(&what))
}

/// The lamps, as texts name them, with what may stand in their place.
const LAMPS: [(&str, &[&str]); 5] = [
    ("MUTEX", &["MUTEX"]),
    ("PROGRESS", &["PROGRESS", "STUCK"]),
    ("STUCK", &["STUCK", "PROGRESS"]),
    ("ORDER", &["ORDER"]),
    ("FENCE", &["FENCE"]),
];

/// A column or a lamp that a text on the screen names and that is not on the screen.
fn unnamed(seen: &mut Seen, width: u16, height: u16) -> Option<String> {
    let drawn = seen.at(width, height).text();
    let lab = seen.stepper().lab();
    let learner = seen.stepper().learner()?;
    let mut texts = vec![learner.say().unwrap_or("").to_owned()];
    if let Some(q) = learner.question() {
        texts.push(q.prompt.clone());
        texts.extend(q.hints.iter().cloned());
    }
    let texts = texts.join("\n");
    let columns = lab.state().info().fields.iter().map(|field| field.name);
    let has = |name: &str| lab.state().view().nodes.iter().any(|n| n.fields.get(name).is_some());
    let named = |name: &&str| texts.contains(&format!("`{name}`")) && has(name);
    let shown = |name: &str| {
        let begins = |at: usize| drawn[..at].ends_with([' ', '─', '│']);
        let ends = |at: usize| drawn[at + name.len()..].starts_with([' ', '\n', '│']);
        drawn.match_indices(name).any(|(at, _)| begins(at) && ends(at))
    };
    let lamp = |(name, any): &&(&str, &[&str])| {
        let words: Vec<&str> = texts.split(|c: char| !c.is_alphanumeric()).collect();
        words.contains(name) && !any.iter().any(|word| drawn.contains(word))
    };
    let mut columns = columns.filter(named).filter(|name| !shown(name));
    let missing = columns.next().or_else(|| LAMPS.iter().find(lamp).map(|(name, _)| *name))?;
    // The panel says how to see it.
    let told = drawn.contains("Nodes: titles are cut, z") && *missing != *missing.to_uppercase();
    (!told).then(|| format!("`{missing}` is named and not seen in\n{drawn}"))
}

/// A sentence of which only a part is shown.
fn cut_inside(all: &[String], shown: &str) -> Option<String> {
    let begins = |sentence: &str| sentence.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let part = |sentence: &&String| {
        let begins = begins(sentence);
        // Another one may begin alike.
        let whole = |other: &&String| other.starts_with(&begins) && shown.contains(other.as_str());
        begins.len() > 14 && shown.contains(&begins) && !all.iter().any(|other| whole(&other))
    };
    all.iter().find(part).map(|sentence| format!("only a part is shown of `{sentence}`"))
}

fn look(seen: &mut Seen, what: &str, faults: &mut Vec<String>) {
    for (width, height) in SIZES {
        let found = missing(seen, width, height)
            .or_else(|| unsaid(seen, width, height))
            .or_else(|| unnamed(seen, width, height))
            .or_else(|| uneven(&seen.at(width, height)));
        faults.extend(found.map(|fault| format!("{what}, {width}x{height}: {fault}")));
    }
}

/// All hints of the question that waits, while it is open and after.
fn take_hints(seen: &mut Seen) {
    for _ in 0..3 {
        if seen.stepper().typing() { seen.ctrl('t') } else { seen.press("h") }
    }
}

#[test]
fn what_is_needed_is_seen_at_every_size_in_every_state_of_every_page() {
    let mut faults = Vec::new();
    let mut wrong = std::collections::BTreeMap::new();
    for place in 0..Seen::lessons() {
        let mut seen = Seen::in_lesson(place);
        let mut tried = Vec::new();
        for moment in 0..500 {
            let page = seen.stepper().learner().map_or(0, |learner| learner.page().0);
            let what = |state: &str| format!("lesson {}, page {page}, {state}", place + 1);
            look(&mut seen, &what("closed"), &mut faults);
            let learner = seen.stepper().learner();
            let asked = learner.and_then(|l| l.question()).map(|q| (q.id, q.way));
            let id = asked.as_ref().map(|(id, _)| id.clone());
            if waiting(&seen) && !tried.contains(&id) {
                tried.push(id);
                seen.press("Enter");
                look(&mut seen, &what("open"), &mut faults);
                if seen.answer_wrongly() {
                    let way = asked.map(|(_, way)| std::mem::discriminant(&way));
                    *wrong.entry(format!("{way:?}")).or_insert(0) += 1;
                    look(&mut seen, &what("wrong"), &mut faults);
                }
                if waiting(&seen) {
                    take_hints(&mut seen);
                    look(&mut seen, &what("wrong, with all hints"), &mut faults);
                    seen.press("Esc");
                    look(&mut seen, &what("wrong, with all hints, put aside"), &mut faults);
                }
            } else if !seen.go_on() {
                break;
            }
            assert!(moment < 499, "lesson {} has an end", place + 1);
        }
        assert!(seen.stepper().learner().is_some_and(|l| l.finished()), "lesson {}", place + 1);
    }
    assert_eq!(wrong.len(), 7, "each way to answer was gone wrongly: {wrong:?}");
    let count = faults.len();
    let heads: Vec<&str> = faults.iter().filter_map(|fault| fault.lines().next()).collect();
    let first = faults[..count.min(6)].join("\n");
    assert!(count == 0, "{count} faults:\n{}\nThe first ones:\n{first}", heads.join("\n"));
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
    let mut read = 0;
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
            for (width, height) in [(80, 24), (100, 30), (120, 40), (160, 45), (200, 60)] {
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
                    let (number, name) = rest.split_once(' ').unwrap_or((rest, ""));
                    let shown = |place: &usize| spacetime::delivery(place + 1) == number;
                    let Some(place) = (0..view.in_flight.len()).find(shown) else { continue };
                    let own = view.in_flight[place].label.show(&lab.setup().names);
                    assert!(name.is_empty() || name.trim() == own, "{algorithm}, {keys}:\n{text}");
                    read += 1;
                }
            }
        }
    }
    assert!(read > 12, "{read} numbers were read");
}
