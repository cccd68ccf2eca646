//! What the first version of the program wrote is read as it was: answers, progress, runs, lessons, and the
//! names in JSON. The files in `compat/` were made by that version and are never made anew.

use crate::program::{clean, lockstep};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compat").join(name)
}

fn run(words: &[&str]) -> Output {
    lockstep(words).run()
}

fn json(words: &[&str]) -> Value {
    let ran = run(words);
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    serde_json::from_str(&text)
        .unwrap_or_else(|why| panic!("{words:?}: {why}\n{}", String::from_utf8_lossy(&ran.stderr)))
}

/// Questions of the first version that the course asks otherwise today, or not at all.
const CHANGED: [&str; 4] = ["when-second", "into-the-void", "points", "timeout"];

#[test]
fn every_answer_that_was_right_is_right_where_the_question_is_still_asked() {
    let mut right = 0;
    let mut files: Vec<PathBuf> = fs::read_dir(kept("answers"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    files.sort();
    assert_eq!(files.len(), 20);
    for file in files {
        let report =
            json(&["grade", file.to_str().expect("text"), "--format", "json", "--exit-zero"]);
        let text = fs::read_to_string(&file).expect("it can be read");
        for test in report["tests"].as_array().expect("a list") {
            let id = test["id"].as_str().expect("a name");
            if CHANGED.contains(&id) || !text.contains(&format!("\n  {id}: ")) {
                continue;
            }
            let status = test["status"].as_str().expect("a word");
            let by_hand = test["type"] == "explain" && status == "skipped";
            assert!(status == "passed" || by_hand, "{}: {test}", file.display());
            right += 1;
        }
    }
    assert!(right > 200, "{right}");
}

#[test]
fn a_drill_of_another_version_is_told_and_never_marked_wrong() {
    for name in ["drill-lamport-7-10.yaml", "drill-maekawa-21-10.yaml"] {
        let file = kept(name);
        let file = file.to_str().expect("text");
        for words in [&["grade", file][..], &["drill", "--answers", file]] {
            let ran = run(words);
            let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
            assert!(said.contains("another version of the program"), "{words:?}: {said}");
            assert!(!said.contains("Not yet"), "{words:?}: {said}");
            assert_ne!(ran.status.code(), Some(0), "{words:?}");
        }
    }
}

#[test]
fn progress_is_gone_on_with() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let folder = home.path().join(".local/state/lockstep");
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::copy(kept("progress.yaml"), folder.join("progress.yaml")).expect("it is there");
    let mut command = Command::new(crate::program::LOCKSTEP);
    clean(&mut command, home.path());
    let ran = command.args(["progress", "show"]).output().expect("the program starts");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains("ricart-agrawala-race") && said.contains('2'), "{said}");
    let mut command = Command::new(crate::program::LOCKSTEP);
    clean(&mut command, home.path());
    let ran = command.args(["learn", "9", "--plain"]).output().expect("the program starts");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains("Page 3 of"), "{said}");
}

#[test]
fn lines_of_runs_are_the_same_runs() {
    for (line, steps) in [
        ("ricart-agrawala; clocks=4,2,0; request P1; request P2; deliver P1>P3", 3),
        ("ricart-agrawala; nodes=P1,P2,P3; request P1; deliver P1>P2; crash P3", 3),
        ("ricart-agrawala; nodes=P1,P2; crash P2; request P1", 2),
        ("lamport; nodes=P1,P2,P3; clocks=0,0,2; request P1; deliver P1>P2#1", 2),
        ("token-ring; nodes=3; request P2; deliver P3>P1; deliver P1>P2; exit P2", 4),
        ("maekawa; nodes=3; variant=basic-set; request P1; request P2; request P3", 3),
        (
            "lease; nodes=2; storage=fenced; fence=both; request P1; deliver P1>L; deliver L>P1; write P1",
            4,
        ),
        ("raymond; nodes=3; tree=line; request P3", 1),
    ] {
        let run = json(&["run", line, "--format", "json"]);
        assert_eq!(run["steps"].as_array().map(Vec::len), Some(steps), "{line}");
    }
}

#[test]
fn a_lesson_of_every_type_is_the_same_lesson() {
    let file = kept("lesson.yaml");
    let ran = run(&["lesson", "lint", file.to_str().expect("text"), "--format", "json"]);
    let found: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let found = found.as_array().expect("a list of files").iter();
    let errors = found.flat_map(|file| file["problems"].as_array().cloned().unwrap_or_default());
    // The one thing that is said otherwise today is told with its new form.
    let errors: Vec<Value> = errors.filter(|p| p["severity"] != "advice").collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// The names in JSON, with how they lie in each other.
fn names(value: &Value, path: &str, all: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| {
            let path = format!("{path}.{name}");
            names(value, &path, all);
            all.insert(path);
        }),
        Value::Array(list) => list.iter().for_each(|value| names(value, &format!("{path}[]"), all)),
        _ => {}
    }
}

#[test]
fn no_name_in_json_is_gone() {
    let answers = kept("answers/04-lamport-lock.yaml");
    let commands: [(&str, &[&str]); 4] = [
        ("run9.json", &["run", "9", "--format", "json"]),
        ("check.json", &["check", "lamport", "-n", "2", "--format", "json"]),
        ("never.json", &["check", "raymond", "--variant", "no-asked-flag", "--format", "json"]),
        ("grade.json", &["grade", answers.to_str().expect("text"), "--format", "json"]),
    ];
    for (file, words) in commands {
        let old = fs::read_to_string(kept("json").join(file)).expect("it is there");
        let old: Value = serde_json::from_str(&old).expect("JSON");
        let new = json(words);
        let (mut before, mut now) = (BTreeSet::new(), BTreeSet::new());
        names(&old, "", &mut before);
        names(&new, "", &mut now);
        let gone: Vec<&String> = before.difference(&now).collect();
        assert!(gone.is_empty(), "{file}: {gone:?}");
        // What means something else has another version.
        let same = old["verdict"] == new["verdict"];
        assert!(same || old["version"] != new["version"], "{file}");
    }
}
