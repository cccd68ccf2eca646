//! The workflow for GitHub Classroom: every step of it that grades is run as Classroom's grader runs it.

use super::{POINTS, ada, command, examples, hostile, read, repository};
use serde_yaml::Value;
use std::fs;
use std::path::Path;

/// A step that grades one question.
#[derive(Debug)]
struct Step {
    id: String,
    command: String,
    points: u64,
}

fn workflow() -> Value {
    serde_yaml::from_str(&read("docs/grading/classroom/classroom.yml")).expect("YAML")
}

fn all_steps(workflow: &Value) -> &Vec<Value> {
    let steps = &workflow["jobs"]["run-autograding-tests"]["steps"];
    steps.as_sequence().expect("a list of steps")
}

fn graders(workflow: &Value) -> Vec<Step> {
    let grader = "classroom-resources/autograding-command-grader@v1";
    let graders = all_steps(workflow).iter().filter(|step| step["uses"].as_str() == Some(grader));
    let word = |value: &Value| value.as_str().expect("a text").to_owned();
    let one = |step: &Value| {
        let with = &step["with"];
        assert_eq!(with["test-name"], step["id"], "a step is called as its question");
        assert!(with["timeout"].as_u64().is_some_and(|minutes| minutes >= 1));
        let points = with["max-score"].as_u64().expect("whole points");
        Step { id: word(&step["id"]), command: word(&with["command"]), points }
    };
    graders.map(one).collect()
}

/// A runner on which the first steps are done: the lesson is in its place, the answers are checked out.
fn runner(answers: Option<&[u8]>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    fs::create_dir(folder.path().join("grading")).expect("a folder for the test");
    let lesson = repository().join("docs/grading/lesson.yaml");
    fs::copy(lesson, folder.path().join("grading/lesson.yaml")).expect("a file for the test");
    if let Some(answers) = answers {
        fs::write(folder.path().join("answers.yaml"), answers).expect("a file for the test");
    }
    folder
}

/// The points that a grader gives: all of a step's if its command ends with 0, none otherwise.
fn points(folder: &Path) -> Vec<u64> {
    let earned = |step: &Step| {
        let line = ["-c", &step.command];
        let ran = command("/bin/sh", folder).args(line).output().expect("there is a shell");
        if ran.status.success() { step.points } else { 0 }
    };
    graders(&workflow()).iter().map(earned).collect()
}

#[test]
fn a_step_grades_each_question_that_has_points_and_the_reporter_knows_all() {
    let workflow = workflow();
    let steps = graders(&workflow);
    let lesson = lockstep::lesson::load::file(&repository().join("docs/grading/lesson.yaml"))
        .unwrap_or_else(|bad| panic!("{bad}"));
    let asked = lesson.questions().map(|q| q.common()).filter(|common| common.points > 0);
    let asked: Vec<(String, u64)> =
        asked.map(|common| (common.id.to_owned(), u64::from(common.points))).collect();
    let told: Vec<(String, u64)> = steps.iter().map(|s| (s.id.clone(), s.points)).collect();
    assert_eq!(told, asked);
    let reporter = all_steps(&workflow).last().expect("a reporter");
    let ids: Vec<&str> = steps.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(reporter["with"]["runners"].as_str(), Some(ids.join(",").as_str()));
    for id in ids {
        let result = &reporter["env"][format!("{}_RESULTS", id.to_uppercase()).as_str()];
        assert_eq!(result.as_str(), Some(format!("${{{{ steps.{id}.outputs.result }}}}").as_str()));
    }
}

#[test]
fn right_answers_earn_every_step_and_others_only_theirs() {
    let class = examples();
    let hand_in = |name: &str| fs::read(class.path().join("class").join(name)).expect("a hand-in");
    let right = points(runner(Some(&hand_in("ada.yaml"))).path());
    assert_eq!(right.iter().sum::<u64>() as f64, POINTS);
    assert_eq!(points(runner(Some(&hand_in("ben.yaml"))).path()), [0, 0, 0, 1], "no parts here");
    assert_eq!(points(runner(Some(&hand_in("dan.yaml"))).path()), [0; 4]);
    assert_eq!(points(runner(None).path()), [0; 4], "no file at all");
    let blank = command("lockstep", class.path()).args(["answers", "lesson.yaml"]).output();
    assert_eq!(points(runner(Some(&blank.expect("it runs").stdout)).path()), [0; 4]);
}

#[test]
fn hostile_files_earn_no_step() {
    for (name, bytes) in hostile() {
        assert_eq!(points(runner(Some(&bytes)).path()), [0; 4], "{name}");
    }
    let runner = runner(Some(&fs::read(ada()).expect("an example")));
    fs::write(runner.path().join("grading/lesson.yaml"), "").expect("a file for the test");
    assert_eq!(points(runner.path()), [0; 4], "a secret that is not there is an empty lesson");
}
