//! The autograder for Gradescope, laid out as Gradescope does it.

use super::{POINTS, ada, command, copy, examples, hostile, program, repository, text};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// An autograder that was set up, and nothing handed in.
struct Harness(TempDir);

impl Harness {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let grading = repository().join("docs/grading");
        let source = folder.path().join("source");
        for folder in [&source, &folder.path().join("submission")] {
            fs::create_dir(folder).expect("a folder for the test");
        }
        copy(&grading.join("gradescope"), &source);
        fs::copy(grading.join("lesson.yaml"), source.join("lesson.yaml")).expect("a lesson");
        symlink(program(), source.join("lockstep")).expect("the program's place");
        let harness = Self(folder);
        let setup = harness.script("setup.sh").output().expect("there is a bash");
        assert!(setup.status.success(), "{}", text(&setup.stderr));
        assert!(text(&setup.stdout).contains("the lesson has 5 points"), "{}", text(&setup.stdout));
        harness
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn script(&self, name: &str) -> Command {
        let mut script = command("bash", self.0.path());
        script.arg(self.path("source").join(name)).env("AUTOGRADER_ROOT", self.0.path());
        script
    }

    /// Hands files in, in place of those that are there.
    fn submit(&self, files: &[(&str, &[u8])]) -> &Self {
        let folder = self.path("submission");
        fs::remove_dir_all(&folder).expect("the folder is there");
        fs::create_dir(&folder).expect("a folder for the test");
        for (name, bytes) in files {
            fs::write(folder.join(name), bytes).expect("a file for the test");
        }
        self
    }

    /// Puts something else in the program's place.
    fn instead_of_the_program(&self, script: &str) -> &Self {
        let program = self.path("source/lockstep");
        fs::remove_file(&program).expect("the program is there");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a file for the test");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
        self
    }

    /// Grades what was handed in; the result has the published form.
    fn results(&self) -> Value {
        // What an earlier submission left behind is not taken for this one's.
        let _ = fs::remove_dir_all(self.path("results"));
        let ran = self.script("run_autograder").env("GRADING_SECONDS", "1").output();
        let ran = ran.expect("there is a bash");
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        let left = fs::read_dir(self.path("results")).expect("results").count();
        assert_eq!(left, 1, "nothing but results.json is left");
        read(&self.path("results/results.json"))
    }
}

/// Reads a result strictly: JSON has no NaN, statuses are two words, points add up.
fn read(path: &Path) -> Value {
    let written = fs::read_to_string(path).expect("results.json is always written");
    let value = crate::grade::hostile::gradescope(&written);
    let tests = value["tests"].as_array().expect("a list of tests");
    let sum = |key: &str| tests.iter().filter_map(|t| t[key].as_f64()).sum::<f64>();
    assert_eq!(sum("max_score"), POINTS, "{written}");
    assert_eq!(Some(sum("score")), value["score"].as_f64(), "{written}");
    for test in tests {
        assert!(test["name"].is_string() && test["number"].is_string(), "{written}");
        assert!(test["output"].is_string() && test["output_format"] == "text", "{written}");
    }
    assert!(tests.iter().any(|t| t["visibility"] == "visible"), "{written}");
    value
}

/// Whether nothing is passed and nothing earned.
fn nothing(value: &Value) -> bool {
    let tests = value["tests"].as_array().expect("a list of tests");
    value["score"].as_f64() == Some(0.0) && tests.iter().all(|t| t["status"] != "passed")
}

/// What learners read of it.
fn shown(value: &Value) -> String {
    let tests = value["tests"].as_array().expect("a list of tests");
    let visible = tests.iter().filter(|t| t["visibility"] == "visible");
    visible.filter_map(|t| t["output"].as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn right_answers_earn_all_points_and_wrong_ones_theirs() {
    let harness = Harness::new();
    let class = |name: &str| {
        fs::read(repository().join("docs/grading/class").join(name)).expect("a hand-in")
    };
    let right = harness.submit(&[("my answers.yaml", &class("ada.yaml"))]).results();
    assert_eq!(right["score"], POINTS);
    let tests = right["tests"].as_array().expect("a list");
    assert_eq!(tests.iter().filter(|t| t["status"] == "passed").count(), 4, "{right}");
    assert_eq!(tests[4].get("status"), None, "what is marked by hand counts neither way");
    let wrong = harness.submit(&[("answers.yml", &class("cleo.yaml"))]).results();
    assert_eq!(wrong["score"], 2.0);
    assert_eq!(wrong["tests"][0]["status"], "failed");
    let several: [(&str, &[u8]); 2] =
        [("answers.yaml", &class("ada.yaml")), ("notes.yaml", &class("cleo.yaml"))];
    assert_eq!(harness.submit(&several).results()["score"], POINTS);
}

#[test]
fn results_go_to_whoever_gradescope_says_has_handed_in() {
    let harness = Harness::new();
    let cleo = repository().join("docs/grading/class/cleo.yaml");
    harness.submit(&[("ANSWERS.YAML", &fs::read(cleo).expect("a hand-in"))]);
    let metadata = r#"{"id": 1, "users": [{"email": "ben@x", "id": 2, "name": "Ben Bar"}]}"#;
    fs::write(harness.path("submission_metadata.json"), metadata).expect("a file for the test");
    let results = harness.results();
    assert_eq!(results["score"], 2.0, "{results}");
    let said = results["output"].as_str().expect("a text");
    assert!(said.contains("`who:` names Cleo; it was handed in by Ben Bar"), "{said}");
    fs::write(harness.path("submission_metadata.json"), "{").expect("a file for the test");
    assert!(nothing(&harness.results()), "nobody knows whose it is");
}

#[test]
fn a_blank_a_missing_and_an_unreadable_file_earn_nothing() {
    let harness = Harness::new();
    let blank = fs::read(harness.path("source/blank.yaml")).expect("setup.sh has written it");
    assert!(nothing(&harness.submit(&[("answers.yaml", &blank)]).results()));
    let missing = harness.submit(&[("answers.txt", b"lesson: who-goes-first\n")]).results();
    assert!(nothing(&missing) && shown(&missing).contains("No answers were handed in"));
    let two: [(&str, &[u8]); 2] = [("a.yaml", &blank), ("b.yaml", &blank)];
    let several = harness.submit(&two).results();
    assert!(nothing(&several) && shown(&several).contains("Several .yaml files"));
    let broken = harness.submit(&[("answers.yaml", b"lesson: [")]).results();
    assert!(nothing(&broken) && shown(&broken).contains("answers.yaml:1:"), "{broken}");
    fs::remove_dir_all(harness.path("submission")).expect("the folder is there");
    assert!(nothing(&harness.results()), "not even a folder");
}

#[test]
fn hostile_files_never_pass() {
    let harness = Harness::new();
    for (name, bytes) in hostile() {
        assert!(nothing(&harness.submit(&[(name, &bytes)]).results()), "{name}");
    }
    let folder = harness.submit(&[]).path("submission");
    symlink(harness.path("source/lesson.yaml"), folder.join("answers.yaml")).expect("a link");
    let linked = harness.results();
    assert!(nothing(&linked) && !linked.to_string().contains("total"), "{linked}");
    symlink(ada(), folder.join("b.yaml")).expect("a link");
    assert!(nothing(&harness.results()), "answers elsewhere were not handed in");
    fs::create_dir(folder.join("c.yaml")).expect("a folder for the test");
    let pipe = Command::new("mkfifo").arg(folder.join("d.yaml")).status().expect("mkfifo");
    assert!(pipe.success() && nothing(&harness.results()), "no file is read for ever");
}

#[test]
fn a_fault_of_the_grader_is_told_and_never_passes() {
    let right = fs::read(ada()).expect("an example");
    let harness = Harness::new();
    harness.submit(&[("answers.yaml", &right)]);
    let whole = r#"for out; do case $last in --output) break;; esac; last=$out; done"#;
    for (script, says) in [
        ("exec sleep 20", "took too long"),
        ("kill -9 $$", "took too long"),
        ("kill -11 $$", "The grader failed"),
        ("exit 101", "The grader failed"),
        ("exit 0", "The grader failed"),
        (&format!("{whole}; printf '{{\"score\": 5, \"tes' > \"$out\""), "The grader failed"),
    ] {
        let results = harness.instead_of_the_program(script).results();
        assert!(nothing(&results), "{script}: {results}");
        assert!(shown(&results).contains(says), "{script}: {}", shown(&results));
    }
    fs::remove_file(harness.path("source/lockstep")).expect("it is there");
    assert!(nothing(&harness.results()), "no program at all");
    let harness = Harness::new();
    harness.submit(&[("answers.yaml", &right)]);
    fs::write(harness.path("source/lesson.yaml"), "lesson: 1\n").expect("a file for the test");
    let results = harness.results();
    assert!(nothing(&results) && shown(&results).contains("The lesson itself"), "{results}");
}

#[test]
fn a_harness_that_kills_the_autograder_finds_a_result() {
    let harness = Harness::new();
    harness.submit(&[("answers.yaml", &fs::read(ada()).expect("an example"))]);
    harness.instead_of_the_program("exec sleep 3");
    let mut running = harness.script("run_autograder");
    let running = running.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut running = running.expect("there is a bash");
    let written = harness.path("results/results.json");
    let begun = Instant::now();
    while !written.exists() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    running.kill().expect("it is ours");
    running.wait().expect("it ends");
    assert!(nothing(&read(&written)));
}

#[test]
fn a_lesson_that_cannot_be_opened_stops_the_build_of_the_image() {
    let harness = Harness::new();
    let broken = fs::read_to_string(examples().path().join("lesson.yaml")).expect("the lesson");
    let broken = broken.replace("deliver P1>P2", "deliver P1>P9");
    fs::write(harness.path("source/lesson.yaml"), broken).expect("a file for the test");
    let setup = harness.script("setup.sh").output().expect("there is a bash");
    assert!(!setup.status.success());
    assert!(text(&setup.stderr).contains("no node `P9`"), "{}", text(&setup.stderr));
}
