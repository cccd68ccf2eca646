//! Files that are not in order: what can be read is graded, the rest is told with its line.
//!
//! The cases are texts, `tests/grade/salvage.txt`.

use lockstep::input::Source;
use lockstep::lesson::answers::Answers;
use lockstep::lesson::grade::{Grader, Outcome, Report, Status, Wanted};
use lockstep::lesson::load;

fn grader() -> Grader {
    let text = include_str!("../../docs/grading/lesson.yaml");
    let source = Source::from_text("lesson.yaml", text, "lesson").expect("it is text");
    Grader::new(load::checked(source).expect("it is a lesson")).expect("it has a cluster")
}

fn graded(grader: &Grader, bytes: &[u8]) -> Result<Report, String> {
    let answers = Answers::read("a.yaml", bytes).map_err(|problems| problems.to_string())?;
    grader.grade(&answers, &Wanted::default()).map_err(|refusal| refusal.message)
}

/// One word a question: what came of it, and the line of a slip.
fn line(report: &Report) -> String {
    let word = |outcome: &Outcome| match outcome {
        Outcome::Right => "right".to_owned(),
        Outcome::Wrong => "wrong".to_owned(),
        Outcome::Blank => "blank".to_owned(),
        Outcome::ByHand => "words".to_owned(),
        Outcome::Shown => "shown".to_owned(),
        Outcome::Form(_) => "form".to_owned(),
        Outcome::Unread(why) => why.split(':').nth(1).expect("a line").to_owned(),
        other => panic!("{other:?}"),
    };
    report.tests.iter().map(|t| word(&t.outcome)).collect::<Vec<_>>().join(" ")
}

fn told(grader: &Grader, bytes: &[u8]) -> String {
    match graded(grader, bytes) {
        Ok(report) if report.remarks.is_empty() => line(&report),
        Ok(report) => format!("{}\n{}", line(&report), report.remarks.join("\n")),
        Err(why) => why,
    }
}

#[test]
fn one_slip_costs_one_answer_and_is_told() {
    let grader = grader();
    let cases = include_str!("salvage.txt");
    let mut now =
        cases.lines().take_while(|l| !l.starts_with("== ")).collect::<Vec<_>>().join("\n");
    let cases: Vec<&str> = cases.split("\n== ").skip(1).collect();
    assert!(cases.len() >= 20, "{} cases", cases.len());
    for case in &cases {
        let (title, rest) = case.split_once('\n').expect("a title");
        let (file, _) = rest.split_once("\n-- ").unwrap_or((rest, ""));
        let bytes = file.replace('␣', "\u{a0}").replace('→', "\t");
        let told = told(&grader, bytes.as_bytes());
        now += &format!("\n== {title}\n{file}\n-- {told}\n");
    }
    if std::env::var("SALVAGE").is_ok_and(|v| v == "write") {
        std::fs::write("tests/grade/salvage.txt", &now).expect("the cases can be written");
    }
    for (now, kept) in now.split("\n== ").zip(include_str!("salvage.txt").split("\n== ")) {
        assert_eq!(now.trim_end(), kept.trim_end());
    }
}

const SLIP: &str = "lesson: who-goes-first\nwho: José\nanswers:\n  at-p2: defer\n  why: stamps\n  \
                    clocks: {P1: 5, P3: 3}\n  cost: 8\n";

/// A file that another program has saved earns what it would have earned in UTF-8.
#[test]
fn another_encoding_costs_no_answer() {
    let grader = grader();
    let utf16 = |mark: u16, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = std::iter::once(mark).chain(SLIP.encode_utf16());
        units.flat_map(bytes).collect()
    };
    let latin1: Vec<u8> = SLIP.chars().map(|c| u8::try_from(c as u32).expect("Latin-1")).collect();
    let mark = ["\u{feff}", SLIP].concat().replace('\n', "\r\n").into_bytes();
    for bytes in [utf16(0xfeff, u16::to_le_bytes), utf16(0xfeff, u16::to_be_bytes), latin1, mark] {
        let report = graded(&grader, &bytes).expect("it is graded");
        assert_eq!(line(&report), "right right right right words");
    }
}

/// Whatever is cut off or spoiled, no file earns more than the whole one, and an answer that is not
/// touched earns what it did.
#[test]
fn a_spoiled_line_gives_nothing_away() {
    let grader = grader();
    let lines: Vec<&str> = SLIP.lines().collect();
    let spoilers =
        ["  cost: 9", "  cost:8", "  x: \"", "]", "\t", "  - a", "answers:", "shown: [cost"];
    for at in 3..=lines.len() {
        for spoiler in spoilers {
            let text = [&lines[..at], &[spoiler], &lines[at..]].concat().join("\n");
            let Ok(report) = graded(&grader, text.as_bytes()) else { continue };
            let passed = |id: &str| {
                let test = report.tests.iter().find(|t| t.id == id).expect("it is asked");
                test.status() == Status::Passed
            };
            let spoils_cost = spoiler.contains("cost") && at < lines.len() + 1;
            assert!(!(spoils_cost && passed("cost")), "{text}");
            let hit = |id: &str| lines[at - 1].contains(id);
            for id in ["at-p2", "why"].into_iter().filter(|id| !hit(id)) {
                assert!(passed(id), "{id} is lost:\n{text}");
            }
        }
    }
}
