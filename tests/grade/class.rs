//! A class of 300 from the blank file to the gradebook. The test knows what each has earned.

use crate::program;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Output;

const SIZE: usize = 300;

fn lockstep(folder: &Path, args: &[&str]) -> Output {
    let mut program = program::lockstep(args);
    program.current_dir(folder);
    program.feed(b"")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

/// Whether each of the four questions is answered rightly, wrongly or not at all, and the points.
fn filled(blank: &str, who: &str, n: usize) -> (String, f64) {
    let answers = [
        ("at-p2", ["defer", "reply"], 1.0),
        ("why", ["b", "told"], 1.0),
        ("clocks", ["[P1 clock=5, P3 clock=3]", "[P1 clock=9, P3 clock=9]"], 2.0),
        ("cost", ["8", "12"], 1.0),
    ];
    let mut text = blank.replace("\nwho:   # your name", &format!("\nwho: {who}   # your name"));
    let (mut points, mut rest) = (0.0, n);
    for (id, [right, wrong], worth) in answers {
        let empty = format!("\n  {id}:\n");
        assert!(text.contains(&empty), "{id}: {text}");
        let answer = match rest % 3 {
            0 => {
                points += worth;
                right
            }
            1 => wrong,
            _ => "",
        };
        rest /= 3;
        text = text.replace(&empty, &format!("\n  {id}: {answer}\n"));
    }
    (text, points)
}

/// How the `n`th hands a filled file in, and what of its points a slip costs at most.
fn handed_in(text: &str, n: usize) -> (Vec<u8>, bool) {
    let utf16 = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    match n % 10 {
        1 => (text.replace('\n', "\r\n").into_bytes(), false),
        2 => (format!("\u{feff}{text}").into_bytes(), false),
        3 => (utf16(&text.replace('\n', "\r\n")), false),
        4 => (text.replace("  cost: 8", "  cost:8").into_bytes(), false),
        5 => (
            text.replace("  in-your-words: |\n", "  in-your-words: So: older\n").into_bytes(),
            false,
        ),
        6 => (text.replace("\n  why:", "\n\t\n   why:").into_bytes(), false),
        7 => (text.replace("  cost: ", "  cost: [").into_bytes(), true),
        8 => (text.replace("answers:\n", "score: 100\nanswers:\n").into_bytes(), false),
        _ => (text.as_bytes().to_vec(), false),
    }
}

#[test]
fn a_class_of_300_gets_what_it_has_earned() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path();
    fs::write(path.join("lesson.yaml"), include_str!("../../docs/grading/lesson.yaml"))
        .expect("a file");
    for args in [
        &["lesson", "strip", "lesson.yaml", "-o", "copy.yaml"][..],
        &["answers", "copy.yaml", "-o", "blank.yaml"],
    ] {
        assert_eq!(lockstep(path, args).status.code(), Some(0));
    }
    let blank = fs::read_to_string(path.join("blank.yaml")).expect("it is written");
    let endings = ["yaml", "yml", "YAML", "yaml.txt"];
    let mut earned = BTreeMap::new();
    let mut roster = "Student,ID,Section\n    Points Possible,,\n".to_owned();
    fs::create_dir(path.join("class")).expect("a folder");
    for n in 0..SIZE {
        let names = ["Müller", "李雷", "O'Neil", "Lovelace"];
        let (name, id) = (format!("{}{n}", names[n % names.len()]), format!("m{n:04}"));
        let _ = writeln!(roster, "\"{name}, A.\",{id},1");
        // Some hand in nothing, some no YAML, some name themselves by the file alone.
        if n % 50 == 49 {
            earned.insert(id, None);
            continue;
        }
        let who = if n % 3 == 0 { &id } else { &format!("A. {name}") };
        let nameless = n % 10 == 9;
        let (text, points) = filled(&blank, if nameless { "" } else { who }, n);
        let (bytes, cut) = handed_in(&text, n);
        let cost = if text.contains("  cost: 8\n") { 1.0 } else { 0.0 };
        let (bytes, points) = match n % 50 {
            48 => (b"{[".repeat(9_000), 0.0),
            _ => (bytes, if cut { points - cost } else { points }),
        };
        let named = if nameless || n % 50 == 48 { id.clone() } else { format!("hand-in {n}") };
        let file = format!("class/{named}.{}", if nameless { "yaml" } else { endings[n % 3] });
        fs::write(path.join(file), bytes).expect("a file");
        earned.insert(id, Some(points));
    }
    fs::write(path.join("roster.csv"), &roster).expect("a file");
    let args = ["grade", "class", "--lesson", "lesson.yaml", "--roster", "roster.csv", "--bom"];
    let more = ["--column", "Section 7", "-o", "filled.csv", "--feedback-dir", "feedback"];
    let run = lockstep(path, &[&args[..], &more].concat());
    assert_eq!(run.status.code(), Some(2), "some are no answers: {}", text(&run.stderr));
    let table = fs::read_to_string(path.join("filled.csv")).expect("it is written");
    let table = table.strip_prefix('\u{feff}').expect("the mark that was asked for");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let head = reader.headers().expect("a head").clone();
    assert_eq!(
        head.iter().collect::<Vec<_>>(),
        ["Student", "ID", "Section", "Section 7", "max_score", "status", "file"]
    );
    let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("CSV");
    assert_eq!(lines.len(), SIZE + 1, "the lines of the list and no other");
    assert_eq!((&lines[0][0], &lines[0][5]), ("    Points Possible", ""));
    for (n, line) in lines.iter().skip(1).enumerate() {
        let id = format!("m{n:04}");
        assert_eq!(&line[1], id, "the order of the list");
        match earned[&id] {
            None => assert_eq!((&line[3], &line[5]), ("", "missing"), "{line:?}"),
            Some(points) => {
                assert_eq!(line[3].parse::<f64>().ok(), Some(points), "{line:?}");
                assert_eq!(&line[4], "5", "{line:?}");
            }
        }
    }
    let said = text(&run.stderr);
    assert_eq!(said.matches("nothing was handed in by").count(), SIZE / 50, "{said}");
    assert!(!said.contains("belongs to nobody"), "{said}");
    let files = fs::read_dir(path.join("feedback")).expect("a folder").count();
    assert_eq!(files, SIZE - SIZE / 50);
    let again = [&args[..], &["--exit-zero"]].concat();
    let (one, two) = (lockstep(path, &again), lockstep(path, &again));
    assert_eq!(one.stdout, two.stdout, "a mark depends on nothing but the files");
}

#[test]
fn what_fits_two_lines_is_filled_into_none() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path();
    fs::write(path.join("lesson.yaml"), super::LESSON).expect("a file");
    let by = |who: &str| super::RIGHT.replace("answers", &format!("who: {who}\nanswers"));
    for (file, who) in
        [("1", "Ada Lang"), ("2", "ada  lang"), ("3", "Ben"), ("4", "Eve"), ("5", "c@x")]
    {
        fs::write(path.join(format!("{file}.yaml")), by(who)).expect("a file");
    }
    let list =
        "First name;Last name;Email address\nAda;Lang;a@x\nBen;;b@x\nBen;;b2@x\nCleo;=1+1;c@x\n";
    fs::write(path.join("list.csv"), list).expect("a file");
    let files = ["1.yaml", "2.yaml", "3.yaml", "4.yaml", "5.yaml"];
    let args =
        [&["grade"], &files[..], &["--lesson", "lesson.yaml", "--roster", "list.csv"]].concat();
    let run = lockstep(path, &args);
    assert_eq!(
        text(&run.stdout),
        "First name;Last name;Email address;score;max_score;status;file\n\
         Ada;Lang;a@x;;;several;\"1.yaml; 2.yaml\"\n\
         Ben;;b@x;;;missing;\n\
         Ben;;b2@x;;;missing;\n\
         Cleo;=1+1;c@x;4;4;pass;5.yaml\n"
    );
    let said = text(&run.stderr);
    for says in [
        "2 files were handed in by",
        "3.yaml fits more than one line of the list",
        "4.yaml belongs to nobody in the list",
        "nothing was handed in by",
    ] {
        assert!(said.contains(says), "{says}: {said}");
    }
    let none = lockstep(path, &[&args[..], &["--by", "Matrikel"]].concat());
    assert_eq!(none.status.code(), Some(2));
    assert!(
        text(&none.stderr).contains("no column is called `Matrikel`"),
        "{}",
        text(&none.stderr)
    );
}

#[test]
fn a_name_in_two_files_and_the_same_wrong_answers_are_told_as_a_hint() {
    let file = |who: &str, first: &str, second: &str| {
        format!("lesson: two-asks\nwho: {who}\nanswers: {{first: {first}, second: {second}}}\n")
    };
    let (ada, ben) = (file("Ada", "b", "reply"), file("Ben", "eight", "a"));
    let (cleo, dan) = (file("ada ", "a", "defer"), file("Dan", "a", "b"));
    let texts = [("a", &*ada), ("b", &*ben), ("c", &*cleo), ("d", &*dan), ("e", &*dan)];
    let files = super::hand_in(&texts, super::Wanted::default());
    let texts = super::written(&files);
    let text = super::in_format(&texts, "text");
    let json: serde_json::Value =
        serde_json::from_str(super::in_format(&texts, "json")).expect("JSON");
    // Ben answered as Ada did, in other letters. One wrong answer in common is none to tell of.
    let hints = [
        "`ada` stands in more than one file: a, c",
        "`dan` stands in more than one file: d, e",
        "the same answers, wrong ones too, stand in a, b",
    ];
    assert_eq!(json["alike"], serde_json::json!(hints));
    assert!(hints.iter().all(|hint| text.contains(&format!("note: {hint}\n"))), "{text}");
}

#[test]
fn the_same_answers_to_the_same_drawn_numbers_are_told_as_a_hint() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path();
    fs::write(path.join("vary.yaml"), include_str!("../../docs/grading/vary.yaml"))
        .expect("a file");
    let made = |who: &str, file: &str, answer: &str| {
        let run = lockstep(path, &["--who", who, "answers", "vary.yaml"]);
        let blank = text(&run.stdout);
        let first = blank
            .lines()
            .skip_while(|l| *l != "answers:")
            .find_map(|l| l.strip_prefix("  ").filter(|l| !l.starts_with(['#', ' '])));
        let first = first.expect("it asks");
        let filled = blank.replacen(&format!("  {first}"), &format!("  {first} {answer}"), 1);
        fs::write(path.join(file), filled).expect("a file");
    };
    made("Ada", "a.yaml", "a");
    made("ADA", "b.yaml", "a");
    made("ada ", "c.yaml", "b");
    made("Ben", "d.yaml", "a");
    let run =
        lockstep(path, &["grade", "a.yaml", "b.yaml", "c.yaml", "d.yaml", "--lesson", "vary.yaml"]);
    let out = text(&run.stdout);
    let note = "note: the same numbers (A=P2, B=P1, low=1, high=7) and the same answers stand in a.yaml, b.yaml\n";
    assert!(out.contains(note), "{out}");
}

/// What the course systems write: the head of their lists, and what they call the files that they hand out
/// in one archive.
#[test]
fn lists_and_archives_of_course_systems_fit_together_as_they_are() {
    let canvas = "Student,ID,SIS User ID,SIS Login ID,Section,Race (881),Current Score\n\
                  ,,,,,Manual Posting,\n    Points Possible,,,,,4,(read only)\n\
                  \"Lovelace, Ada\",4711,m01,ada,A,,\n\"Bär, Ben\",4712,m02,ben,A,,\n";
    let moodle = "First name,Last name,ID number,Institution,Department,Email address,Race (Real)\n\
                  Ada,Lovelace,m01,,,ada@example.com,-\nBen,Bär,m02,,,ben@example.com,-\n";
    let worksheet = "Identifier,Full name,Email address,Status,Grade,Maximum Grade\n\
                     Participant 4711,Ada Lovelace,ada@example.com,Submitted,,100\n\
                     Participant 4712,Ben Bär,ben@example.com,Submitted,,100\n";
    let classroom = "identifier,github_username,github_id,name\n\
                     Ada Lovelace,ada-l,1,\nBen Bär,bbaer,2,\n";
    let gradescope = "First Name,Last Name,SID,Email,Role\n\
                      Ada,Lovelace,m01,ada@example.com,Student\nBen,Bär,m02,ben@example.com,Student\n";
    for (list, column, ada, ben) in [
        (
            canvas,
            "Race (881)",
            "lovelaceada_4711_90_answers.yaml",
            "brben_LATE_4712_91_answers-1.yaml",
        ),
        (
            moodle,
            "Race (Real)",
            "Ada Lovelace_90_assignsubmission_file_/answers.yaml",
            "Ben Bär_91_assignsubmission_file_/answers.yaml",
        ),
        (
            worksheet,
            "Grade",
            "Ada Lovelace_4711_assignsubmission_file_/answers.yaml",
            "Ben Bär_4712_assignsubmission_file_/answers.yaml",
        ),
        (
            classroom,
            "Race",
            "race-submissions/ada-l/answers.yaml",
            "race-submissions/bbaer/answers.yaml",
        ),
        (gradescope, "Race", "submission_1/m01.yaml", "submission_2/m02.yaml"),
    ] {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path();
        fs::write(path.join("lesson.yaml"), super::LESSON).expect("a file");
        fs::write(path.join("list.csv"), list).expect("a file");
        let wrong = super::RIGHT.replace("first: a", "first: b");
        for (file, text) in [(ada, super::RIGHT), (ben, &wrong)] {
            let file = path.join("all").join(file);
            fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        let args =
            ["grade", "all", "--lesson", "lesson.yaml", "--roster", "list.csv", "--column", column];
        let run = lockstep(path, &args);
        assert_eq!(text(&run.stderr), "", "{list}");
        let mut reader = csv::ReaderBuilder::new();
        let mut reader =
            reader.has_headers(false).flexible(true).from_reader(run.stdout.as_slice());
        let lines: Vec<csv::StringRecord> =
            reader.records().collect::<Result<_, _>>().expect("CSV");
        let place = lines[0].iter().position(|title| title == column).expect("the column");
        let points: Vec<&str> = lines.iter().rev().take(2).map(|line| &line[place]).collect();
        assert_eq!(points, ["1", "4"], "{}", text(&run.stdout));
    }
}

#[test]
fn a_pattern_that_the_shell_has_left_stands_for_what_it_fits() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path();
    fs::write(path.join("lesson.txt"), super::LESSON).expect("a file");
    for file in ["a1.yaml", "a2.yaml", "b[1].yaml"] {
        fs::write(path.join(file), super::RIGHT).expect("a file");
    }
    let files = |pattern: &str| {
        let run = lockstep(path, &["grade", pattern, "--lesson", "lesson.txt", "--format", "csv"]);
        let lines: Vec<String> =
            text(&run.stdout).lines().skip(1).map(|l| l[..8].to_owned()).collect();
        (run.status.code(), lines)
    };
    assert_eq!(files("a?.yaml"), (Some(0), vec!["a1.yaml,".to_owned(), "a2.yaml,".to_owned()]));
    assert_eq!(files("b[1].yaml"), (Some(0), vec!["b[1].yam".to_owned()]), "a name comes first");
    assert_eq!(files("c*.yaml"), (Some(2), vec!["c*.yaml,".to_owned()]), "nothing fits");
}
