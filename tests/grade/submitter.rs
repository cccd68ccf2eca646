//! Who handed in, by what the course system says: a name in a file earns nobody else's marks.

use crate::program;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Output;

fn lockstep(folder: &Path, args: &[&str]) -> Output {
    let mut program = program::lockstep(args);
    program.current_dir(folder);
    program.feed(b"")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

/// A drawn lesson and one that is not, a filled file of Ben's for each, and who handed in.
fn folder(users: &Value) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path();
    let files = [
        ("vary.yaml", include_str!("../../docs/grading/vary.yaml")),
        ("plain.yaml", include_str!("../../docs/grading/lesson.yaml")),
    ];
    for (name, lesson) in files {
        fs::write(path.join(name), lesson).expect("a file");
        let out = format!("ben-{name}");
        let run = lockstep(path, &["--who", "Ben", "answers", name, "-o", &out]);
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    }
    let metadata = json!({
        "id": 123_456,
        "created_at": "2018-07-01T14:22:32.365935-07:00",
        "assignment": {"id": 25_828, "title": "One", "total_points": "20.0"},
        "submission_method": "upload",
        "users": users,
        "previous_submissions": [{"score": 0.0}],
    });
    fs::write(path.join("metadata.json"), metadata.to_string()).expect("a file");
    folder
}

fn graded(folder: &Path, lesson: &str, who: &[&str]) -> Value {
    let file = format!("ben-{lesson}");
    let args = [&["grade", &file, "--lesson", lesson, "--format", "json"], who].concat();
    let run = lockstep(folder, &args);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&run.stderr)))
}

const METADATA: [&str; 2] = ["--who-from-metadata", "metadata.json"];

#[test]
fn answers_drawn_for_one_earn_nothing_when_another_hands_them_in() {
    let ada = json!([{"email": "ada@example.com", "id": 1234, "name": "Ada Lovelace"}]);
    let folder = folder(&ada);
    for who in [&METADATA[..], &["--submitted-by", "ada-l"]] {
        let result = graded(folder.path(), "vary.yaml", who);
        assert_eq!(result["error"]["type"], "other-name", "{result}");
        let said = result["message"].as_str().expect("a text");
        assert!(said.contains("drawn for `Ben`") && said.contains("handed in by"), "{said}");
    }
    let result = graded(folder.path(), "vary.yaml", &[]);
    assert_eq!(result["who"], "Ben", "without it the file's own word is taken: {result}");
}

#[test]
fn a_name_an_address_and_a_number_are_the_submitters_own() {
    for ben in [
        json!({"email": "x@y", "id": 1, "name": "  BEN "}),
        json!({"email": "ben", "id": 1, "name": "Benjamin Bar"}),
        json!({"email": "x@y", "id": 1, "name": "Benjamin Bar", "sid": "Ben"}),
    ] {
        let group = json!([{"email": "a@b", "id": 2, "name": "Ada"}, ben]);
        let folder = folder(&group);
        let result = graded(folder.path(), "vary.yaml", &METADATA);
        assert_eq!(result["status"], "fail", "it is graded, and blank: {result}");
        let name = result["who"].as_str().expect("a name");
        assert!(name.starts_with("Ada, "), "results carry the names of the group: {name}");
    }
}

#[test]
fn results_carry_the_submitters_name_and_tell_of_another_one_in_the_file() {
    let ada = json!([{"email": "ada@example.com", "id": 1234, "name": "Ada Lovelace"}]);
    let folder = folder(&ada);
    let result = graded(folder.path(), "plain.yaml", &METADATA);
    assert_eq!(result["who"], "Ada Lovelace");
    let told = "`who:` names Ben; it was handed in by Ada Lovelace";
    assert_eq!(result["remarks"], json!([told]));
    let result = graded(folder.path(), "plain.yaml", &["--submitted-by", "ben"]);
    assert_eq!((&result["who"], &result["remarks"]), (&json!("ben"), &json!([])));
}

#[test]
fn what_does_not_say_who_handed_in_grades_nothing() {
    for users in [json!([]), json!([{"id": 1}]), json!([{"name": " "}]), json!("Ada")] {
        let folder = folder(&users);
        let args = ["grade", "ben-vary.yaml", "--lesson", "vary.yaml"];
        let run = lockstep(folder.path(), &[&args[..], &METADATA].concat());
        assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), ""), "{users}");
        assert!(text(&run.stderr).contains("metadata.json: "), "{}", text(&run.stderr));
    }
}
