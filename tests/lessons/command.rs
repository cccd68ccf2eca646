//! `lockstep lesson` as its users meet it.

use super::BASE;
use crate::program;
use std::fs;
use std::process::Output;

fn lockstep(args: &[&str]) -> Output {
    program::lockstep(args).run()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn list_has_one_line_a_lesson() {
    let run = lockstep(&["lesson", "list"]);
    assert_eq!(run.status.code(), Some(0));
    let out = text(&run.stdout);
    assert!(out.lines().count() >= 3);
    assert!(out.lines().any(|l| l.starts_with(" 9  ricart-agrawala-race")), "{out}");
    let json = lockstep(&["lesson", "list", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let lines = json.as_array().expect("a list");
    assert_eq!(lines.len(), out.lines().count());
    assert!(lines.iter().all(|l| l["id"].is_string() && l["questions"].as_u64() > Some(0)));
}

#[test]
fn lint_is_silent_about_keys_and_loud_about_faults() {
    let clean = lockstep(&["lesson", "lint"]);
    assert_eq!((clean.status.code(), text(&clean.stdout).as_str()), (Some(0), "no findings\n"));
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("bad.yaml");
    fs::write(&path, BASE.replace("P1>P2", "P1>P9")).expect("a file for the test");
    let shown = path.display().to_string();
    let run = lockstep(&["lesson", "lint", &shown]);
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(
        text(&run.stdout),
        format!(
            "{shown}:27:14: error: item 3 of `steps`: no node `P9`; this cluster has P1, P2, P3\n"
        )
    );
    let json = lockstep(&["lesson", "lint", "-f", "json", &shown]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((json[0]["line"].as_u64(), json[0]["column"].as_u64()), (Some(27), Some(14)));
    let gone = lockstep(&["lesson", "lint", "gone.yaml"]);
    assert_eq!(gone.status.code(), Some(2));
}

#[test]
fn findings_say_how_bad_they_are_and_two_files_of_one_id_are_told() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file for the test");
        path.display().to_string()
    };
    let one = file("base.yaml", BASE);
    let two = file("2-base.yaml", &BASE.replace("      explain: The stamps decide.\n", ""));
    let run = lockstep(&["lesson", "lint", &one, &two]);
    let out = text(&run.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    assert!(lines[0].contains(": advice: ") && lines[0].contains("has no `explain`"), "{out}");
    let same = lines[1].contains(": error: `base` is the id of") && lines[1].starts_with(&two);
    assert!(same, "{out}");
    let json = lockstep(&["lesson", "lint", "-f", "json", &one, &two]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((&json[0]["severity"], &json[1]["severity"]), (&"advice".into(), &"error".into()));
    let full = lockstep(&["lesson", "lint", "-f", "full", &two]);
    assert!(text(&full.stdout).starts_with("advice: "), "{}", text(&full.stdout));
}

#[test]
fn lint_reads_the_standard_input() {
    let run = program::lockstep(["lesson", "lint", "-"]).feed(BASE);
    assert_eq!((run.status.code(), text(&run.stdout).as_str()), (Some(0), "no findings\n"));
}

#[test]
fn show_prints_a_worksheet_or_says_why_not() {
    let run = lockstep(&["lesson", "show", "lamport-lock"]);
    assert_eq!(run.status.code(), Some(0));
    assert!(text(&run.stdout).starts_with("# No lock server"));
    let unknown = lockstep(&["lesson", "show", "lamport-lok"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("did you mean `lamport-lock`?"));
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("bad.yaml");
    fs::write(&path, "lesson: 1\n").expect("a file for the test");
    let bad = lockstep(&["lesson", "show", &path.display().to_string()]);
    assert_eq!(bad.status.code(), Some(3), "the lesson is at fault");
    assert!(bad.stdout.is_empty(), "a bad lesson never opens half");
}

#[test]
fn another_folder_of_lessons_takes_the_place_of_the_built_in_ones() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    fs::write(folder.path().join("1-base.yaml"), BASE).expect("a file for the test");
    let shown = folder.path().display().to_string();
    let run = lockstep(&["lesson", "list", "--lessons", &shown]);
    assert_eq!(text(&run.stdout), " 1  base  A lesson (2 questions)\n");
}

#[test]
fn new_writes_a_lesson_without_findings_and_never_over_another_file() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let name = folder.path().join("03-two-asks").display().to_string();
    let made = lockstep(&["lesson", "new", &name]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let file = format!("{name}.yaml");
    let written = fs::read_to_string(&file).expect("it is there");
    assert!(written.contains("\nid: two-asks "), "{written}");
    let lint = lockstep(&["lesson", "lint", &file]);
    assert_eq!(text(&lint.stdout), "no findings\n");
    fs::write(&file, "mine").expect("a file for the test");
    let again = lockstep(&["lesson", "new", &file]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("is there already"), "{}", text(&again.stderr));
    assert_eq!(fs::read_to_string(&file).expect("still there"), "mine");
    let printed = lockstep(&["lesson", "new", "two-asks", "--stdout"]);
    assert_eq!(text(&printed.stdout), written);
    let bad = lockstep(&["lesson", "new", "Two asks", "--stdout"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad.stderr).contains("write small letters, digits and hyphens"));
}

#[test]
fn strip_writes_a_copy_that_grades_nothing_by_itself() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (whole, copy, answers) = (path("base.yaml"), path("copy.yaml"), path("answers.yaml"));
    fs::write(&whole, BASE).expect("a file for the test");
    let strip = lockstep(&["lesson", "strip", &whole, "--output", &copy]);
    assert_eq!(strip.status.code(), Some(0), "{}", text(&strip.stderr));
    let written = fs::read_to_string(&copy).expect("it is there");
    assert!(!written.contains("right") && !written.contains("The stamps decide."), "{written}");
    assert_eq!(lockstep(&["lesson", "strip", &whole, "-o", &copy]).status.code(), Some(2));
    let blank = text(&lockstep(&["answers", &copy]).stdout);
    let filled = blank.replace("  first:", "  first: p2").replace("  second:", "  second: defer");
    fs::write(&answers, filled).expect("a file for the test");
    let graded = lockstep(&["grade", &answers, "--lesson", &whole]);
    assert_eq!(graded.status.code(), Some(0), "{}", text(&graded.stdout));
    let without = lockstep(&["grade", &answers, "--lesson", &copy]);
    assert_eq!(without.status.code(), Some(3));
    assert!(text(&without.stderr).contains("grade with the whole file"), "{without:?}");
}

#[test]
fn a_folder_of_lessons_that_does_not_exist_is_told_as_that() {
    for args in [["lesson", "list"], ["lesson", "lint"], ["learn", "1"], ["answers", "1"]] {
        let run = lockstep(&[args[0], args[1], "--lessons", "nosuch"]);
        assert_eq!(run.status.code(), Some(2), "{args:?}");
        let said = text(&run.stderr);
        assert_eq!(said, "lockstep: no lessons in `nosuch`: there is no such folder\n");
    }
}

#[test]
fn an_option_without_meaning_for_the_algorithm_is_refused() {
    for command in ["run", "check"] {
        for (option, value) in [("--tree", "line"), ("--quorums", "grid")] {
            let run = lockstep(&[command, "lamport", option, value]);
            assert_eq!(run.status.code(), Some(2), "{command} {option}");
            let said = text(&run.stderr);
            assert!(
                said.contains(&format!("{option} has no meaning here: Lamport 1978")),
                "{said}"
            );
        }
    }
    assert_eq!(lockstep(&["run", "raymond", "--tree", "line"]).status.code(), Some(0));
    assert_eq!(
        lockstep(&["run", "maekawa", "-n", "4", "--quorums", "grid"]).status.code(),
        Some(0)
    );
}

#[test]
fn findings_are_drawn_with_their_lines_when_asked_for() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("bad.yaml");
    fs::write(&path, BASE.replace("P1>P2", "P1>P9")).expect("a file for the test");
    let run = lockstep(&["lesson", "lint", "--format", "full", &path.display().to_string()]);
    assert_eq!(run.status.code(), Some(1));
    let out = text(&run.stdout);
    assert!(out.contains("27 |       event: deliver P1>P9\n   |              ^"), "{out}");
}

#[test]
fn who_forgets_a_name_where_numbers_are_drawn_is_told() {
    let lesson = "docs/grading/vary.yaml";
    let nobody = text(&lockstep(&["answers", lesson]).stderr);
    assert!(nobody.contains("none was given: --who"), "{nobody}");
    assert_eq!(text(&lockstep(&["--who", "Ada", "answers", lesson]).stderr), "");
    assert_eq!(text(&lockstep(&["answers", "9"]).stderr), "", "it is the same for everybody");
}

#[test]
fn a_name_on_the_command_line_draws_a_lesson_for_it() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("drawn.yaml");
    fs::write(&path, include_str!("drawn.yaml")).expect("a file for the test");
    let path = path.display().to_string();
    let blank = |who: &str| text(&lockstep(&["answers", &path, "--who", who]).stdout);
    let (ada, bob) = (blank("Ada"), blank("Bob"));
    assert!(ada.contains("\nwho: Ada\n") && bob.contains("\nwho: Bob\n"), "{ada}");
    let drawn = |text: &str| text.lines().find(|l| l.starts_with("drawn:")).map(str::to_owned);
    assert!(drawn(&ada).is_some() && drawn(&ada) != drawn(&bob), "{ada}\n{bob}");
}

#[test]
fn the_name_is_kept_with_the_progress() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("drawn.yaml");
    fs::write(&path, include_str!("drawn.yaml")).expect("a file for the test");
    let path = path.display().to_string();
    let learn = |args: &[&str]| {
        let mut program = program::lockstep(args);
        program.env("XDG_STATE_HOME", folder.path());
        text(&program.feed("next\nnext\nnext\n").stdout)
    };
    let prompt = |out: &str| out.lines().find(|l| l.starts_with("Question:")).map(str::to_owned);
    let nobody = prompt(&learn(&["--plain", "learn", &path]));
    let ada = prompt(&learn(&["--plain", "--who", "Ada", "learn", &path]));
    assert!(nobody.is_some() && ada.is_some() && nobody != ada, "{nobody:?}");
    assert_eq!(prompt(&learn(&["--plain", "learn", &path])), ada, "the name is remembered");
    let export = learn(&["progress", "export", &path]);
    assert!(export.contains("\nwho: Ada\n"), "{export}");
    assert_eq!(prompt(&learn(&["--plain", "--who", "", "learn", &path])), nobody);
}
