//! `lockstep answers` and `lockstep grade` as their users meet them.

use super::hostile::{gradescope, junit};
use super::{LESSON, RIGHT};
use crate::program;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

fn lockstep(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut program = program::lockstep(args);
    program.current_dir(folder);
    program.feed(input)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

/// A folder with the small lesson and some answers to it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let wrong = |first: &str| format!("lesson: two-asks\nanswers: {{first: {first}}}\n");
    let files = [
        ("lesson.yaml", LESSON.to_owned()),
        ("right.yaml", RIGHT.to_owned()),
        ("b.yaml", wrong("b")),
        ("b2.yaml", wrong("eight")),
        ("c.yaml", wrong("c")),
        ("bad.yaml", "lesson: [".to_owned()),
        ("shelf/two-asks.yaml", LESSON.to_owned()),
        ("broken/two-asks.yaml", LESSON.replace("right: true, ", "")),
    ];
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        fs::write(path, text).expect("a file for the test");
    }
    folder
}

fn grade(folder: &Path, args: &[&str]) -> Output {
    lockstep(folder, &[&["grade", "--lesson", "lesson.yaml"], args].concat(), b"")
}

/// Case H45.
#[test]
fn every_question_has_its_line_and_there_is_a_total() {
    let folder = folder();
    let run = grade(folder.path(), &["right.yaml"]);
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(
        text(&run.stdout),
        "two-asks: Two ask\n  \
           ok       first   `seven` (2 points)\n  \
           ok       second  `defer`\n  \
           ok       third   `reply`\n  \
           warning  there is no `seen:` in this file, so a letter means what stands there now: \
           fill in the file that `lockstep answers` writes\n\
         3 of 3 correct, 4 of 4 points\n"
    );
    let run = grade(folder.path(), &["b.yaml"]);
    assert_eq!((run.status.code(), text(&run.stderr)), (Some(1), ""));
    assert_eq!(
        text(&run.stdout),
        "two-asks: Two ask\n  \
           failed   first   `eight` Not yet. Hint: Look at the stamps.\n  \
           failed   second  Not answered.\n  \
           skipped  third   Not asked before this is right: first.\n  \
           warning  there is no `seen:` in this file, so a letter means what stands there now: \
           fill in the file that `lockstep answers` writes\n\
         0 of 3 correct, 0 of 4 points\n"
    );
}

#[test]
fn several_files_keep_their_order_and_end_with_a_class_table() {
    let folder = folder();
    let run = grade(
        folder.path(),
        &["c.yaml", "bad.yaml", "right.yaml", "b.yaml", "gone.yaml", "b2.yaml"],
    );
    let out = text(&run.stdout);
    let places: Vec<usize> =
        ["c.yaml\n", "bad.yaml\n", "right.yaml\n", "b.yaml\n", "gone.yaml\n", "b2.yaml\n"]
            .iter()
            .map(|name| {
                out.find(&format!("\n{name}")).map_or(usize::from(out.starts_with(name)), |i| i + 2)
            })
            .collect();
    assert!(places.is_sorted() && places[0] == 1, "{places:?}: {out}");
    let table = "two-asks: 4 files\n  \
                   question  right  blank  most common wrong answer\n  \
                   first         1      0  `eight` (2)\n  \
                   second        1      3\n  \
                   third         1      0\n\
                 \n6 files, 2 of them not graded\n";
    assert!(out.ends_with(table), "{out}");
    assert_eq!(run.status.code(), Some(2), "some could not be graded");
    assert_eq!(text(&run.stderr), "lockstep: 2 of 6 files not graded: bad.yaml, gone.yaml\n");
    let run = grade(folder.path(), &["right.yaml", "b.yaml", "-f", "json"]);
    assert_eq!(run.status.code(), Some(1));
    let json: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    let first = &json["class"][0]["questions"][0];
    assert_eq!(
        (&first["id"], &first["right"], &first["blank"]),
        (&"first".into(), &1.into(), &0.into())
    );
    assert_eq!(first["common_wrong"], serde_json::json!({"answer": "eight", "count": 1}));
}

#[test]
fn the_status_tells_how_it_went_in_every_format() {
    let folder = folder();
    let cases: [(&[&str], i32); 8] = [
        (&["--lesson", "lesson.yaml", "right.yaml"], 0),
        (&["--lesson", "lesson.yaml", "right.yaml", "b.yaml"], 1),
        (&["--lesson", "lesson.yaml", "bad.yaml"], 2),
        (&["--lesson", "lesson.yaml", "shelf"], 2),
        (&["--lesson", "lesson.yaml", "right.yaml", "--question", "fourth"], 2),
        (&["--lesson", "nothing", "right.yaml"], 2),
        (&["--lessons", "broken", "right.yaml"], 3),
        (&["--lesson", "broken/two-asks.yaml", "right.yaml", "bad.yaml"], 3),
    ];
    for (args, status) in cases {
        for format in ["text", "json", "csv", "junit", "gradescope"] {
            let args = [&["grade", "--format", format], args].concat();
            let run = lockstep(folder.path(), &args, b"");
            assert_eq!(run.status.code(), Some(status), "{args:?}: {}", text(&run.stderr));
            assert_eq!(status >= 2, !run.stderr.is_empty(), "{args:?}");
            match format {
                "json" => {
                    let json: Value = serde_json::from_slice(&run.stdout).expect("JSON");
                    assert_eq!(json["status"] == "pass", status == 0, "{args:?}");
                }
                "junit" => drop(junit(text(&run.stdout))),
                "gradescope" => drop(gradescope(text(&run.stdout))),
                _ => assert!(!run.stdout.is_empty(), "{args:?}"),
            }
            let quiet = lockstep(folder.path(), &[args.as_slice(), &["--exit-zero"]].concat(), b"");
            assert_eq!((quiet.status.code(), &quiet.stdout), (Some(0), &run.stdout), "{args:?}");
        }
    }
}

#[test]
fn a_fault_of_the_lesson_is_told_without_its_keys_to_learners() {
    let folder = folder();
    let args = ["grade", "--lessons", "broken", "right.yaml"];
    let run = lockstep(folder.path(), &args, b"");
    assert!(text(&run.stderr).contains("no option is right"), "{}", text(&run.stderr));
    assert!(!text(&run.stdout).contains("option"), "{}", text(&run.stdout));
    assert!(text(&run.stdout).contains("the lesson itself is at fault"));
}

#[test]
fn answers_come_from_the_standard_input_too() {
    let folder = folder();
    let run = lockstep(folder.path(), &["grade", "-", "--lessons", "shelf"], RIGHT.as_bytes());
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let huge = vec![b'x'; 10 << 20];
    let run = lockstep(folder.path(), &["grade", "-", "--lessons", "shelf"], &huge);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("standard input:1:1: too large"), "{}", text(&run.stderr));
}

#[test]
fn a_learners_file_never_chooses_a_lesson_by_path() {
    let folder = folder();
    let sly = "lesson: lesson.yaml\nanswers: {first: a, second: defer, third: reply}\n";
    let run = lockstep(folder.path(), &["grade", "-"], sly.as_bytes());
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stdout).contains("no lesson is called `lesson.yaml`"));
    let told = text(&run.stdout);
    assert!(told.contains("of your own are graded with --lesson FILE"), "{told}");
    let other = lockstep(folder.path(), &["grade", "-", "--lesson", "9"], RIGHT.as_bytes());
    assert_eq!(other.status.code(), Some(2));
    let told = "these answers are for the lesson `two-asks`, not for `ricart-agrawala-race`";
    assert!(text(&other.stdout).contains(told), "{}", text(&other.stdout));
}

#[test]
fn results_can_go_to_a_file() {
    let folder = folder();
    let args = ["b.yaml", "-f", "gradescope", "--exit-zero", "--output", "results.json"];
    let run = grade(folder.path(), &args);
    assert_eq!((run.status.code(), run.stdout.len()), (Some(0), 0));
    let written = fs::read_to_string(folder.path().join("results.json")).expect("it is there");
    assert_eq!(gradescope(&written)["score"], 0.0);
    let args = ["b.yaml", "-o", "no/such/folder.json", "--exit-zero"];
    let run = grade(folder.path(), &args);
    assert_eq!(run.status.code(), Some(2), "results that are not written are no results");
    assert!(text(&run.stderr).contains("`no/such/folder.json` cannot be written"));
}

#[test]
fn a_blank_file_fills_an_empty_place_only() {
    let folder = folder();
    let write = |force: &[&str]| {
        let args = [&["answers", "lesson.yaml", "-o", "mine.yaml"], force].concat();
        lockstep(folder.path(), &args, b"")
    };
    assert_eq!(write(&[]).status.code(), Some(0));
    let blank = fs::read_to_string(folder.path().join("mine.yaml")).expect("it is there");
    assert!(blank.contains("lesson: two-asks\n") && blank.contains("\n  first:\n"), "{blank}");
    let run = grade(folder.path(), &["mine.yaml"]);
    assert!(text(&run.stdout).ends_with("0 of 3 correct, 0 of 4 points\n"));
    fs::write(folder.path().join("mine.yaml"), RIGHT).expect("answers are written into it");
    let again = write(&[]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("is there already"), "{}", text(&again.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("mine.yaml")).ok().as_deref(), Some(RIGHT));
    assert_eq!(write(&["--force"]).status.code(), Some(0));
}

#[test]
fn a_folder_is_graded_with_all_in_it_and_nothing_outside() {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    let folder = folder();
    let class = folder.path().join("class");
    fs::create_dir_all(class.join("Ben")).expect("a folder");
    fs::write(class.join("ADA.YAML"), RIGHT).expect("a file");
    fs::write(class.join("Ben/answers.yaml.txt"), RIGHT).expect("a file");
    fs::write(class.join("notes.md"), "no answers").expect("a file");
    let bytes = std::ffi::OsStr::from_bytes(b"Jos\xe9.yml");
    fs::write(class.join(bytes), RIGHT).expect("a file");
    symlink(folder.path().join("b.yaml"), class.join("link.yaml")).expect("a link");
    symlink(folder.path(), class.join("out")).expect("a link");
    let run = grade(folder.path(), &["class", "--format", "csv"]);
    let lines: Vec<&str> = text(&run.stdout).lines().skip(1).collect();
    let begin = ["class/ADA.YAML,", "class/Ben/answers.yaml.txt,", "class/Jos\u{fffd}.yml,"];
    assert_eq!(lines.len(), begin.len(), "{lines:?}");
    assert!(lines.iter().zip(begin).all(|(line, begin)| line.starts_with(begin)), "{lines:?}");
    assert_eq!(run.status.code(), Some(0));
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    let run = grade(folder.path(), &["empty", "right.yaml"]);
    assert_eq!(run.status.code(), Some(2), "a folder without answers is no class that passes");
    assert!(text(&run.stdout).contains("no answers files"), "{}", text(&run.stdout));
}

#[test]
fn feedback_is_what_the_author_says_about_that_answer_and_no_key() {
    let folder = folder();
    for format in ["text", "json", "junit", "gradescope"] {
        let args = ["b.yaml", "--format", format];
        let plain = grade(folder.path(), &args);
        assert!(!text(&plain.stdout).contains("SAY"), "{}", text(&plain.stdout));
        let run = grade(folder.path(), &[&args[..], &["--feedback"]].concat());
        let out = text(&run.stdout);
        assert!(out.contains("SAYWRONG"), "{format}: {out}");
        let keys = ["KEYTEXT", "SAYRIGHT", "EXPLAINED", "HINTTWO"];
        assert!(keys.iter().all(|key| !out.contains(key)), "{format}: {out}");
    }
}

#[test]
fn everybody_gets_a_file_of_feedback_under_a_name_of_its_own() {
    let folder = folder();
    let second = "lesson: two-asks\nwho: '[Ada](x) <b>'\nanswers: {first: a, second: reply}\n";
    for name in ["a/x.yaml", "a-x.yaml", "A-X.yaml"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        fs::write(path, second).expect("a file");
    }
    let args = ["a/x.yaml", "a-x.yaml", "A-X.yaml", "bad.yaml", "--feedback-dir", "back"];
    let run = grade(folder.path(), &args);
    assert_eq!(run.status.code(), Some(2), "{}", text(&run.stderr));
    let read = |name: &str| fs::read_to_string(folder.path().join("back").join(name));
    for name in ["a-x.md", "a-x-2.md", "A-X-3.md"] {
        let text = read(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        let says = ["# Two ask", "\\[Ada\\](x) \\<b\\>", "## first (2 of 2 points)", "SAYRIGHT"];
        assert!(says.iter().all(|says| text.contains(says)), "{text}");
        // What was seen to happen is the key of a prediction.
        assert!(text.contains("SAYWRONG") && !text.contains("It did: defer"), "{text}");
    }
    assert!(read("bad.md").expect("it is told").starts_with("# Not graded"));
}

#[test]
fn feedback_is_written_anew_by_the_next_run_and_over_nothing_else() {
    let folder = folder();
    let path = folder.path();
    let args = ["b.yaml", "c.yaml", "right.yaml", "--feedback-dir", "back"];
    let read = |name: &str| fs::read_to_string(path.join("back").join(name)).expect("a file");
    let run = grade(path, &args);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    assert!(read("c.md").contains("0 of 3 correct"));
    fs::write(path.join("c.yaml"), RIGHT).expect("a file");
    fs::write(path.join("right.yaml"), "lesson: [").expect("a file");
    fs::write(path.join("back/b.md"), "# My own notes\n").expect("a file");
    let again = grade(path, &args);
    assert_eq!(again.status.code(), Some(2));
    let said = text(&again.stderr);
    assert!(said.contains("`back/b.md` is there already"), "{said}");
    assert_eq!(read("b.md"), "# My own notes\n");
    assert!(read("c.md").contains("3 of 3 correct"), "{}", read("c.md"));
    assert!(read("right.md").starts_with("# Not graded"), "{}", read("right.md"));
}

#[test]
fn whether_a_file_can_be_read_is_told_without_its_keys() {
    let folder = folder();
    let path = folder.path();
    assert_eq!(
        lockstep(path, &["lesson", "strip", "lesson.yaml", "-o", "copy.yaml"], b"").status.code(),
        Some(0)
    );
    let check = |text: &str, lesson: &str| {
        fs::write(path.join("mine.yaml"), text).expect("a file");
        lockstep(path, &["answers", "check", "mine.yaml", "--lesson", lesson], b"")
    };
    let begin = "lesson: two-asks\nanswers:\n  first: ";
    for lesson in ["lesson.yaml", "copy.yaml"] {
        let run = check(&format!("{begin}b\n  second: [\n  third:\n"), lesson);
        let out = text(&run.stdout);
        assert_eq!(run.status.code(), Some(1), "{out}");
        let says =
            ["first: read as P1\n", "second: cannot be read: mine.yaml:4:", "third: blank\n"];
        assert!(says.iter().all(|says| out.contains(says)), "{out}");
        let run = check(&format!("{begin}eight\n  second: perhaps\n"), lesson);
        assert!(text(&run.stdout).contains("second: cannot be read: "), "{}", text(&run.stdout));
        let run = check(&format!("{begin}eight\n"), lesson);
        let out = text(&run.stdout);
        assert_eq!(run.status.code(), Some(0), "{out}");
        assert!(!out.contains("KEYTEXT") && !out.contains("SAY"), "{out}");
    }
    let run = lockstep(path, &["answers", "check", "mine.yaml"], b"");
    assert!(text(&run.stderr).contains("--lesson"), "{}", text(&run.stderr));
}
