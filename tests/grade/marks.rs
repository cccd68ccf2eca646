//! Own words that a person marks: out as CSV, filled in, and back into every result.

use crate::program;
use std::fs;
use std::path::Path;
use std::process::Output;

fn grade(folder: &Path, args: &[&str]) -> Output {
    let args = [&["grade", "class", "--lesson", "lesson.yaml", "--exit-zero"], args].concat();
    let mut program = program::lockstep(&args);
    program.current_dir(folder);
    program.feed(b"")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

/// A class of three: long words, words that a spreadsheet would compute, none at all.
fn class() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let lesson = include_str!("../../docs/grading/lesson.yaml");
    let lesson = lesson.replace("id: in-your-words\n", "id: in-your-words\n      points: 2\n");
    fs::write(folder.path().join("lesson.yaml"), lesson).expect("a file");
    fs::create_dir(folder.path().join("class")).expect("a folder");
    let words = [
        ("ada", format!("|\n    First, \"so\": {}\n    and last", "older ".repeat(150))),
        ("ben", "\"=1+1, he said\"".to_owned()),
        ("cleo", String::new()),
    ];
    for (who, words) in words {
        let file = format!(
            "lesson: who-goes-first\nwho: {who}\nanswers:\n  at-p2: defer\n  in-your-words: {words}\n"
        );
        fs::write(folder.path().join(format!("class/{who}.yaml")), file).expect("a file");
    }
    folder
}

/// The lines of the table, and the table with some points and remarks filled in.
fn filled(folder: &Path, given: &[(&str, &str)]) -> Vec<csv::StringRecord> {
    let run = grade(folder, &["--by-hand", "words.csv"]);
    assert_eq!((run.status.code(), text(&run.stderr)), (Some(0), ""));
    let written = fs::read_to_string(folder.join("words.csv")).expect("it is written");
    let mut reader = csv::Reader::from_reader(written.as_bytes());
    let head = reader.headers().expect("a head").clone();
    let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("CSV");
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&head).expect("memory");
    for (line, (points, remark)) in lines.iter().zip(given) {
        let mut cells: Vec<&str> = line.iter().collect();
        (cells[4], cells[6]) = (points, remark);
        writer.write_record(cells).expect("memory");
    }
    let text = writer.into_inner().expect("memory");
    fs::write(folder.join("marks.csv"), text).expect("a file");
    lines
}

#[test]
fn every_answer_to_be_marked_is_there_as_a_whole_and_no_formula() {
    let folder = class();
    let lines = filled(folder.path(), &[]);
    assert_eq!(lines.len(), 2, "who has written nothing needs no mark: {lines:?}");
    let (ada, ben) = (&lines[0], &lines[1]);
    assert_eq!(
        (&ada[0], &ada[1], &ada[2], &ada[5]),
        ("class/ada.yaml", "ada", "in-your-words", "2")
    );
    let whole = ada[3].starts_with("First, \"so\": older") && ada[3].ends_with("and last");
    assert!(whole && ada[3].len() > 900, "{}", &ada[3]);
    assert_eq!(&ben[3], "'=1+1, he said");
    let again = grade(folder.path(), &["--by-hand", "words.csv"]);
    assert_eq!((again.status.code(), text(&again.stdout)), (Some(2), ""), "marks may stand in it");
    assert!(text(&again.stderr).contains("`words.csv` is there already"));
}

#[test]
fn points_given_by_hand_count_in_every_result() {
    let folder = class();
    filled(folder.path(), &[("1,5", "The second half?"), ("2", "")]);
    let run = grade(folder.path(), &["--marks", "marks.csv", "--format", "csv"]);
    assert_eq!(text(&run.stderr), "");
    let mut reader = csv::Reader::from_reader(run.stdout.as_slice());
    let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("CSV");
    let of = |n: usize| (lines[n][4].to_owned(), lines[n][5].to_owned(), lines[n][11].to_owned());
    let wanted = |score: &str, words: &str| (score.to_owned(), "7".to_owned(), words.to_owned());
    assert_eq!(
        [of(0), of(1), of(2)],
        [wanted("2.5", "1.5"), wanted("3", "2"), wanted("1", "0")],
        "whoever has written nothing gets nothing of the same points"
    );
    let run = grade(folder.path(), &["--marks", "marks.csv"]);
    let out = text(&run.stdout);
    assert!(out.contains("Marked by hand: 1.5 of 2 points."), "{out}");
    assert!(out.contains("The second half?"), "a remark is for whoever wrote the words: {out}");
    for format in ["json", "junit", "gradescope"] {
        let run = grade(folder.path(), &["--marks", "marks.csv", "--format", format]);
        assert!(text(&run.stdout).contains("Marked by hand: 1.5 of 2 points."), "{format}");
    }
}

#[test]
fn what_is_not_marked_yet_and_what_belongs_to_nobody_is_told() {
    let folder = class();
    filled(folder.path(), &[("", ""), ("0", "")]);
    let table = fs::read_to_string(folder.path().join("marks.csv")).expect("it is written");
    fs::write(folder.path().join("marks.csv"), table + "class/dan.yaml,,in-your-words,,1,2,\n")
        .expect("a file");
    let run = grade(folder.path(), &["--marks", "marks.csv", "--format", "csv"]);
    let said = text(&run.stderr);
    for says in [
        "class/ada.yaml: `in-your-words` is not marked yet",
        "the mark for `in-your-words` in class/dan.yaml belongs to no answer",
    ] {
        assert!(said.contains(says), "{says}: {said}");
    }
    assert!(!said.contains("ben"), "no points are a mark too: {said}");
}

#[test]
fn a_table_that_is_none_and_marks_that_are_none_are_told_with_their_entry() {
    let folder = class();
    let head = "file,question,points,max_points\n";
    for (table, says) in [
        ("file,points\nclass/ada.yaml,1\n".to_owned(), "no column is called `question`"),
        (
            format!("{head}class/ada.yaml,in-your-words,many,2\n"),
            "entry 1, column `points`: `many`",
        ),
        (format!("{head}class/ada.yaml,in-your-words,NaN,2\n"), "`NaN` is no number"),
        (format!("{head}class/ada.yaml,in-your-words,-1,2\n"), "`-1` is no number"),
        (format!("{head}class/ada.yaml,in-your-words,3,2\n"), "3 is more than `max_points`"),
        (
            format!("{head}class/ada.yaml,in-your-words,1,2\nclass/ada.yaml,in-your-words,2,2\n"),
            "entry 2: class/ada.yaml has a mark for `in-your-words` already",
        ),
        (String::new(), "the table is empty"),
    ] {
        fs::write(folder.path().join("marks.csv"), table).expect("a file");
        let run = grade(folder.path(), &["--marks", "marks.csv"]);
        assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), ""), "{says}");
        assert!(text(&run.stderr).contains(says), "{says}: {}", text(&run.stderr));
    }
}
