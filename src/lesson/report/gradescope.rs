//! Results as Gradescope's `results.json`.
//!
//! Several files are one submission: their questions stand in one list, each under its lesson.

use super::super::batch::HandedIn;
use super::super::grade::{Graded, Outcome, Refusal, Report, Status};
use super::{named, told, total};
use serde_json::{Value, json};

pub(super) fn write(files: &[HandedIn]) -> String {
    let several = files.len() > 1;
    let (mut tests, mut said, mut score) = (Vec::new(), Vec::new(), 0.0);
    for (n, (name, file)) in named(files).into_iter().enumerate() {
        let number = if several { format!("{}.", n + 1) } else { String::new() };
        let lead = if several { format!("{name}: ") } else { String::new() };
        match &file.result {
            Ok(report) => {
                score += report.score().0;
                said.push(format!("{lead}{}", summary(report)));
                let one = |(i, test)| of_test(test, &format!("{number}{}", i + 1), &lead);
                tests.extend(report.tests.iter().enumerate().map(one));
            }
            Err(refusal) => {
                said.push(format!("{lead}nothing is graded: 0 points"));
                tests.extend(of_refusal(refusal, &number, &lead));
            }
        }
    }
    let value = json!({
        "score": score,
        "output": said.join("\n"),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "tests": tests,
    });
    let text = serde_json::to_string_pretty(&value).expect("a JSON value can be written");
    text + "\n"
}

fn summary(report: &Report) -> String {
    let mut lines = vec![format!("{}: {}", report.title, total(report))];
    lines.extend(report.remarks.iter().cloned());
    lines.join("\n")
}

fn of_test(test: &Graded, number: &str, lead: &str) -> Value {
    let status = if test.status() == Status::Passed { "passed" } else { "failed" };
    let mut value = json!({
        "score": test.score,
        "max_score": test.max,
        "status": status,
        "name": format!("{lead}{}", test.id),
        "name_format": "text",
        "number": number,
        "output": told(test).join("\n"),
        "output_format": "text",
        "tags": [test.kind],
        "visibility": "visible",
    });
    if test.outcome == Outcome::ByHand {
        // Without points it is there to be read and counts neither way.
        let fields = value.as_object_mut().expect("it was made as an object");
        fields.retain(|key, _| !["score", "max_score", "status"].contains(&key.as_str()));
    }
    value
}

/// What learners read, and what only their teachers do.
fn of_refusal(refusal: &Refusal, number: &str, lead: &str) -> [Value; 2] {
    let plain = "These answers were not graded, so they earn no points. \
                 The reason is below; hand the file in again when it is put right.";
    // A course system takes a sum of points that is not the assignment's for a fault.
    let test = |name: &str, max: u32, number: String, output: String, visibility: &str| {
        json!({
            "score": 0.0,
            "max_score": f64::from(max),
            "status": "failed",
            "name": format!("{lead}{name}"),
            "name_format": "text",
            "number": number,
            "output": output,
            "output_format": "text",
            "visibility": visibility,
        })
    };
    let shown = format!("{plain}\n\n{}", refusal.message);
    let detail = refusal.detail.as_ref().unwrap_or(&refusal.message);
    let hidden = format!("{}: {detail}", refusal.fault.word());
    [
        test("answers can be graded", refusal.points, format!("{number}1"), shown, "visible"),
        test("diagnostic", 0, format!("{number}2"), hidden, "hidden"),
    ]
}
