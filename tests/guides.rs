//! What is handed out does what it says: the guides' lessons lint, their commands run, their graders grade,
//! and the package is whole.
//!
//! Everything happens in folders of its own, with the program alone on the path, and without a network.
#![cfg(unix)]

mod ci;
mod classroom;
mod document;
mod gradescope;
mod packaging;

use crate::grade::xml;
use crate::program::{LOCKSTEP, clean};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// The points of the lesson that the examples grade.
const POINTS: f64 = 5.0;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn program() -> &'static Path {
    Path::new(LOCKSTEP)
}

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A new folder with everything that is in `docs/grading`.
fn examples() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    copy(&repository().join("docs/grading"), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder of examples") {
        let entry = entry.expect("its entries can be read");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).expect("a folder for the test");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("a file for the test");
        }
    }
}

/// A command in a folder that is also its home. Nothing of whoever runs the tests gets in.
fn command(name: &str, folder: &Path) -> Command {
    let bin = program().parent().expect("the program is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(name);
    clean(&mut command, folder);
    command.current_dir(folder).env("PATH", format!("{}:{path}", bin.display()));
    command
}

fn shell(folder: &Path, line: &str) -> Output {
    command("sh", folder).args(["-c", line]).output().expect("there is a shell")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

/// Files that are made to hurt, by their names.
fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let answers =
        |a: &str| format!("lesson: who-goes-first\nanswers:\n  at-p2: {a}\n").into_bytes();
    vec![
        ("empty.yaml", Vec::new()),
        ("huge.yaml", [fs::read(ada()).expect("an example"), vec![b'#'; 3 << 20]].concat()),
        ("control.yaml", answers("\u{1b}[2J\u{1b}[31mdefer")),
        ("zero.yaml", answers("defer\0")),
        ("noise.yaml", (0..=255).cycle().take(9_999).collect()),
        ("markup.yaml", answers("']]></testcase>\"}], \"score\": 5'")),
        ("nan.yaml", answers(".nan")),
        ("deep.yaml", "[".repeat(50_000).into_bytes()),
        ("another.yaml", b"lesson: something-else\nanswers: {at-p2: defer}\n".to_vec()),
        ("a\"b \\ $(exit 3).yaml", b"lesson: [".to_vec()),
        ("-n.yaml", b"lesson: [".to_vec()),
    ]
}

/// Somebody's answers that are all right.
fn ada() -> PathBuf {
    repository().join("docs/grading/class/ada.yaml")
}

#[test]
fn the_lessons_that_the_examples_grade_have_no_findings_and_the_points_that_are_told() {
    let folder = examples();
    for lesson in ["lesson.yaml", "vary.yaml"] {
        let linted = shell(folder.path(), &format!("lockstep lesson lint {lesson}"));
        assert_eq!(text(&linted.stdout), "no findings\n", "{lesson}");
    }
    let graded = shell(folder.path(), "lockstep grade class/ada.yaml --lesson lesson.yaml -f json");
    let graded: serde_json::Value = serde_json::from_slice(&graded.stdout).expect("JSON");
    assert_eq!((&graded["score"], &graded["max_score"]), (&POINTS.into(), &POINTS.into()));
}

#[test]
fn every_workflow_parses() {
    for path in ["ci/gitlab-ci.yml", "ci/github.yml", "classroom/classroom.yml"] {
        let workflow: serde_yaml::Value =
            serde_yaml::from_str(&read(&format!("docs/grading/{path}")))
                .unwrap_or_else(|e| panic!("{path}: {e}"));
        assert!(workflow.is_mapping(), "{path}");
    }
}
