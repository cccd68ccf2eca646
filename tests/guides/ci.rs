//! The script for build servers, and the jobs around it.

use super::{ada, command, examples, hostile, read, text, xml};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use tempfile::TempDir;

/// A repository as the jobs expect it, with these answers.
fn repository(answers: &[(&str, &[u8])]) -> TempDir {
    let folder = examples();
    fs::copy(folder.path().join("ci/grade.sh"), folder.path().join("grade.sh")).expect("a script");
    fs::create_dir(folder.path().join("answers")).expect("a folder for the test");
    for (name, bytes) in answers {
        fs::write(folder.path().join("answers").join(name), bytes).expect("a file for the test");
    }
    folder
}

/// How a job ends, and what its JUnit file says.
struct Job {
    status: i32,
    failures: usize,
    errors: usize,
    cases: usize,
}

/// Runs the line that both jobs run.
fn job(folder: &Path, program: &str) -> Job {
    let line = "sh grade.sh lesson.yaml answers junit.xml";
    for workflow in ["docs/grading/ci/gitlab-ci.yml", "docs/grading/ci/github.yml"] {
        assert!(read(workflow).contains(line), "{workflow}");
    }
    let ran = command("sh", folder)
        .args(["-c", line])
        .env("LOCKSTEP", program)
        .env("GRADING_SECONDS", "1")
        .output()
        .expect("there is a shell");
    let junit = fs::read_to_string(folder.join("junit.xml")).expect("junit.xml is always written");
    let root = xml::parse(&junit).unwrap_or_else(|e| panic!("{e}: {junit}"));
    let count = |name: &str| root.all(name).len();
    assert_eq!(root.get("tests"), count("testcase").to_string(), "{junit}");
    let (failures, errors) = (count("failure"), count("error"));
    let status = ran.status.code().unwrap_or_else(|| panic!("{}", text(&ran.stderr)));
    assert_eq!(status == 0, failures + errors == 0, "{junit}\n{}", text(&ran.stderr));
    Job { status, failures, errors, cases: count("testcase") }
}

#[test]
fn the_status_of_the_job_and_its_junit_agree() {
    let hand_in = |name: &str| {
        fs::read(examples().path().join("class").join(name)).expect("a hand-in of the class")
    };
    let (ada, ben, dan) = (hand_in("ada.yaml"), hand_in("ben.yaml"), hand_in("dan.yaml"));
    let right = job(repository(&[("a.yaml", &ada), ("-b c.yaml", &ada)]).path(), "lockstep");
    assert_eq!((right.status, right.cases), (0, 10));
    let wrong = job(repository(&[("a.yaml", &ada), ("b.yaml", &ben)]).path(), "lockstep");
    assert_eq!((wrong.status, wrong.failures, wrong.errors), (1, 3, 0));
    let broken = job(repository(&[("a.yaml", &ada), ("d.yaml", &dan)]).path(), "lockstep");
    assert_eq!((broken.status, broken.failures, broken.errors), (2, 0, 1));
    let none = job(repository(&[]).path(), "lockstep");
    assert_eq!((none.status, none.errors), (2, 1));
}

#[test]
fn hostile_files_fail_the_job() {
    let files = hostile();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, b)| (*name, b.as_slice())).collect();
    let all = job(repository(&files).path(), "lockstep");
    assert_eq!(all.status, 2);
    for file in files {
        assert_ne!(job(repository(&[file]).path(), "lockstep").status, 0, "{}", file.0);
    }
}

#[test]
fn a_fault_of_the_grader_leaves_an_error_and_no_old_result() {
    let folder = repository(&[("a.yaml", &fs::read(ada()).expect("an example"))]);
    assert_eq!(job(folder.path(), "lockstep").status, 0, "an old result is there");
    let program = folder.path().join("program");
    for (script, status) in [("exec sleep 20", 124), ("kill -9 $$", 137), ("exit 101", 101)] {
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a file for the test");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let failed = job(folder.path(), "./program");
        assert_eq!((failed.status, failed.errors), (status, 1), "{script}");
    }
    assert_eq!(job(folder.path(), "./nowhere").status, 127);
    fs::write(folder.path().join("lesson.yaml"), "lesson: 1\n").expect("a file for the test");
    assert_eq!(job(folder.path(), "lockstep").status, 3);
}
