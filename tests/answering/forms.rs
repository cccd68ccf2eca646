//! The table of forms: what people write, judged on the screen, in lines and by the grader alike.

use super::{script, typed};
use crate::screen::Seen;
use lockstep::input::{Source, to_yaml};
use lockstep::lesson::answers::Answers;
use lockstep::lesson::grade::{Grader, Outcome, Wanted};
use lockstep::lesson::question::Way;
use lockstep::lesson::question::drive::says_impossible;
use lockstep::lesson::{Learner, Lesson, Library, QuestionState, load};
use lockstep::ui::glyphs::Glyphs;
use lockstep::ui::plain::Dialogue;
use lockstep::ui::{Input, Key};
use std::collections::BTreeMap;
use std::sync::Arc;

const FORMS: &str = include_str!("forms.txt");

/// The clusters of the table, with the events before each question.
const CLUSTERS: [(&str, &str, &str); 5] = [
    (
        "race",
        "algorithm: ricart-agrawala, nodes: [P1, P2, P3], clocks: {P1: 4, P2: 2}",
        "request P1, request P2",
    ),
    (
        "numbers",
        "algorithm: ricart-agrawala, nodes: [\"1\", \"2\", \"3\"], clocks: {\"1\": 4, \"2\": 2}",
        "request 1, request 2",
    ),
    (
        "words",
        "algorithm: ricart-agrawala, nodes: [idle, \"yes\", head], clocks: {idle: 4, \"yes\": 2}",
        "request idle, request yes",
    ),
    (
        "lamport",
        "algorithm: lamport, nodes: [P1, P2, P3], clocks: {P1: 4, P2: 2}",
        "request P1, request P2",
    ),
    ("suzuki", "algorithm: suzuki-kasami, nodes: [P1, P2, P3]", "request P2"),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
enum Judged {
    Right,
    Wrong,
    Unreadable,
}

/// A question of the table and its lesson.
struct Asked {
    name: String,
    text: String,
    lesson: Arc<Lesson>,
}

impl Asked {
    fn of(name: &str, keys: &str) -> Self {
        let (kind, cluster) = name.split_once(" in ").expect("a kind in a cluster");
        let (_, settings, run) =
            CLUSTERS.iter().find(|(known, ..)| *known == cluster).expect("a cluster of the table");
        let keys: String = keys.lines().map(|l| format!("      {l}\n")).collect();
        let text = format!(
            "lesson: 1\nid: forms\ntitle: Forms\nabout: Forms.\ncluster: {{{settings}}}\nsteps:\n  \
             - say: Now.\n    run: [{run}]\n  - {kind}:\n      id: asked\n      prompt: Which?\n{keys}      \
             hints: [Look., Compare., Move.]\n      explain: Because.\n"
        );
        let source = Source::from_text("forms.yaml", &text, "lesson").expect("a text");
        let lesson = load::checked(source).unwrap_or_else(|bad| panic!("{name}: {bad}"));
        Self { name: name.to_owned(), text, lesson }
    }

    fn way(&self) -> Way {
        self.lesson.questions().next().expect("it asks").way()
    }

    /// How a row is typed in a line or a file.
    fn written(&self, row: &str) -> String {
        match self.way() {
            Way::Cells(labels) => match row.strip_prefix("text: ") {
                Some(text) => text.to_owned(),
                None => {
                    let cells: Vec<&str> = row.split(" | ").collect();
                    assert_eq!(cells.len(), labels.len(), "{}: {row}", self.name);
                    let one = |(label, cell): (&String, &&str)| format!("{label}={cell}");
                    labels.iter().zip(&cells).map(one).collect::<Vec<_>>().join("\n")
                }
            },
            _ => row.to_owned(),
        }
    }

    fn graded(&self, row: &str) -> Judged {
        let answer: BTreeMap<&str, String> = [("asked", self.written(row))].into();
        let file: BTreeMap<&str, _> = [("answers", answer)].into();
        let text = to_yaml(&file);
        let answers = Answers::read("a.yaml", text.as_bytes());
        let answers = answers.unwrap_or_else(|bad| panic!("{}: {row}: {bad}\n{text}", self.name));
        let grader = Grader::new(Arc::clone(&self.lesson)).expect("a cluster");
        let report = grader.grade(&answers, &Wanted::default()).expect("it is graded");
        match &report.tests[0].outcome {
            Outcome::Right | Outcome::ByHand if report.tests[0].actual.is_some() => Judged::Right,
            Outcome::Wrong => Judged::Wrong,
            Outcome::Form(_) | Outcome::Blank | Outcome::ByHand => Judged::Unreadable,
            other => panic!("{}: {row}: {other:?}", self.name),
        }
    }

    fn in_lines(&self, row: &str) -> Option<Judged> {
        let (learner, lab) = Learner::new(Arc::clone(&self.lesson)).expect("a cluster");
        let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
        dialogue.open_lesson(learner, lab);
        dialogue.greet();
        while dialogue.learner().is_some_and(|l| l.question().is_none()) {
            dialogue.take("");
        }
        let written = self.written(row);
        let several = written.contains('\n') || matches!(self.way(), Way::Play(_));
        if several && matches!(self.way(), Way::PickOne | Way::PickMany | Way::Arrange) {
            // There a line is an answer.
            return None;
        }
        if several && !matches!(self.way(), Way::Cells(_)) {
            dialogue.take("answer");
            for line in written.lines() {
                dialogue.take(line);
            }
            // Nothing is handed in where a line was refused.
            let draft = dialogue.learner().and_then(Learner::question).and_then(|q| q.draft);
            if draft.is_some() || written.lines().all(says_impossible) {
                dialogue.take("");
            }
        } else {
            for line in written.lines() {
                dialogue.take(&format!("answer {line}"));
            }
        }
        Some(judged(dialogue.learner().expect("a lesson is open")))
    }

    fn on_screen(&self, row: &str) -> Option<Judged> {
        let mut seen = Seen::lesson_text(&self.text);
        seen.press("Right");
        for _ in 0..9 {
            if seen.stepper().learner().is_some_and(|l| l.question().is_some()) {
                break;
            }
            seen.press("Right");
        }
        seen.press("Enter");
        let question = self.lesson.questions().next().expect("it asks");
        let read = question.read(&self.written(row));
        match self.way() {
            Way::Write => {
                seen.input(Input::Paste(row.to_owned()));
                seen.press("Enter");
            }
            Way::Cells(labels) => {
                let cells: Vec<String> = match (row.strip_prefix("text: "), read) {
                    (None, _) => row.split(" | ").map(str::to_owned).collect(),
                    (Some(_), Ok(answer)) => {
                        let cells = answer.0.split("; ").filter_map(|cell| cell.split_once('='));
                        cells.map(|(_, value)| value.to_owned()).collect()
                    }
                    (Some(_), Err(_)) => return None,
                };
                assert_eq!(cells.len(), labels.len(), "{row}");
                for cell in &cells {
                    typed(&mut seen, cell);
                    seen.press("Enter");
                }
            }
            // What is picked cannot be mistyped there: the same answer is given by its keys.
            Way::PickOne => {
                let id = read.ok()?.0;
                let place = question.picks().iter().position(|p| p.id == id).expect("a pick");
                script(&mut seen, &format!("{} Enter", place + 1));
            }
            Way::PickMany | Way::Arrange => {
                let ids = read.ok()?.0;
                let picks = question.picks();
                let chosen: Vec<usize> = ids
                    .split(", ")
                    .filter_map(|id| picks.iter().position(|p| p.id == id))
                    .collect();
                if chosen.is_empty() {
                    return None;
                }
                for place in &chosen {
                    seen.press(&(place + 1).to_string());
                }
                if self.way() == Way::Arrange {
                    for _ in chosen.len()..picks.len() {
                        seen.press("Down Down Down Down x");
                    }
                }
                seen.press("Enter");
            }
            Way::Decide(words) => {
                let said = read.ok()?.0;
                for word in said.split(", ") {
                    let place = words.iter().position(|w| w == word).expect("a word");
                    seen.input(Input::Key(Key::Char(char::from(b'a' + place as u8))));
                    seen.press("Enter");
                }
            }
            Way::Play(_) => match &read {
                Ok(answer) if answer.0 == "impossible" => seen.press("i"),
                _ => {
                    seen.command(row);
                    // An event that could not be read was not played; nothing is handed in.
                    if read.is_ok() {
                        seen.press("s");
                    }
                }
            },
        }
        Some(judged(seen.stepper().learner().expect("a lesson")))
    }
}

/// What a learner was told about the page's question.
fn judged(learner: &Learner) -> Judged {
    let question = learner.question().expect("it is asked");
    match question.state {
        QuestionState::Right => Judged::Right,
        _ if question.attempts > 0 => Judged::Wrong,
        _ => Judged::Unreadable,
    }
}

/// `\u{200b}` is that character, ⏎ a line end.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u{") {
        let (digits, behind) = after.split_once('}').expect("a closed escape");
        let code = u32::from_str_radix(digits, 16).expect("a number");
        out.push_str(before);
        out.push(char::from_u32(code).expect("a character"));
        rest = behind;
    }
    (out + rest).replace('⏎', "\n")
}

/// Each row of the table, with its question.
fn rows() -> Vec<(Arc<Asked>, Judged, String)> {
    let mut rows = Vec::new();
    let blocks = FORMS.split("\n[").skip(1);
    for block in blocks {
        let (name, rest) = block.split_once("]\n").expect("a question's name ends");
        let (keys, forms) = rest.split_once("---\n").expect("dashes end a question");
        let asked = Arc::new(Asked::of(name, keys));
        for line in forms.lines().filter(|line| !line.is_empty()) {
            let judged = match &line[..1] {
                "+" => Judged::Right,
                "-" => Judged::Wrong,
                "?" => Judged::Unreadable,
                other => panic!("{other} at {line}"),
            };
            rows.push((
                Arc::clone(&asked),
                judged,
                unescaped(line[1..].strip_prefix(' ').unwrap_or("")),
            ));
        }
    }
    rows
}

#[test]
fn every_form_is_judged_alike_on_the_screen_in_lines_and_by_the_grader() {
    let rows = rows();
    assert!(rows.len() >= 300, "{} forms", rows.len());
    let mut kinds: BTreeMap<&str, BTreeMap<Judged, usize>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (asked, wanted, row) in &rows {
        let kind = asked.lesson.questions().next().expect("it asks").kind();
        *kinds.entry(kind).or_default().entry(*wanted).or_default() += 1;
        let found = [
            ("graded", Some(asked.graded(row))),
            ("in lines", asked.in_lines(row)),
            ("on the screen", asked.on_screen(row)),
        ];
        for (face, judged) in found {
            if judged.is_some_and(|judged| judged != *wanted) {
                wrong.push(format!("{}: {row:?} is {wanted:?}, but {face} {judged:?}", asked.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert_eq!(kinds.len(), lockstep::lesson::question::KINDS.len(), "every type: {kinds:?}");
}
