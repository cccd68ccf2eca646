//! `lockstep lesson` as its users meet it.

use super::BASE;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn lockstep(args: &[&str]) -> Output {
    let run = Command::new(env!("CARGO_BIN_EXE_lockstep")).args(args).output();
    run.expect("the program was built")
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
        format!("{shown}:27:14: item 3 of `steps`: no node `P9`; this cluster has P1, P2, P3\n")
    );
    let json = lockstep(&["lesson", "lint", "-f", "json", &shown]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((json[0]["line"].as_u64(), json[0]["column"].as_u64()), (Some(27), Some(14)));
    let gone = lockstep(&["lesson", "lint", "gone.yaml"]);
    assert_eq!(gone.status.code(), Some(2));
}

#[test]
fn lint_reads_the_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .args(["lesson", "lint", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program was built");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(BASE.as_bytes()).expect("it reads");
    drop(stdin);
    let run = child.wait_with_output().expect("it ends");
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
