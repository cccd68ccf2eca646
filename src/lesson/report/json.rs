//! Results for programs: versioned; fields may be added, never renamed.

use super::super::batch::HandedIn;
use super::super::grade::{Graded, Refusal, Report, Status};
use super::class::{self, Table};
use super::{named, whole};
use serde_json::{Value, json};

/// The version of this form.
const VERSION: u32 = 1;

pub(super) fn write(files: &[HandedIn]) -> String {
    let value = match files {
        [one] => of_file(one),
        _ => of_batch(files),
    };
    let text = serde_json::to_string_pretty(&value).expect("a JSON value can be written");
    text + "\n"
}

fn of_file(file: &HandedIn) -> Value {
    match &file.result {
        Ok(report) => of_report(report, &file.file),
        Err(refusal) => of_refusal(refusal, &file.file),
    }
}

fn of_batch(files: &[HandedIn]) -> Value {
    let of_named = |(name, file): (String, &HandedIn)| {
        let mut value = of_file(file);
        value["file"] = json!(name);
        value
    };
    let graded: Vec<Value> = named(files).into_iter().map(of_named).collect();
    let any = |status: &str| graded.iter().any(|g| g["status"] == status);
    let status = if any("error") {
        "error"
    } else if any("fail") {
        "fail"
    } else {
        "pass"
    };
    let tables: Vec<Value> = class::tables(files).iter().map(of_table).collect();
    json!({ "version": VERSION, "status": status, "files": graded, "class": tables,
            "alike": super::alike::hints(files) })
}

fn of_report(report: &Report, file: &str) -> Value {
    let (score, max) = report.score();
    json!({
        "version": VERSION,
        "lesson": report.lesson,
        "digest": report.digest,
        "file": file,
        "who": report.who,
        "status": whole(report),
        "score": score,
        "max_score": max,
        "tests": report.tests.iter().map(of_test).collect::<Vec<_>>(),
        "remarks": report.remarks,
        "warnings": report.warnings,
    })
}

fn of_test(test: &Graded) -> Value {
    let status = match test.status() {
        Status::Passed => "passed",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
        Status::Error => "error",
    };
    let solution = test.solution.as_ref();
    json!({
        "id": test.id,
        "name": test.id,
        "type": test.kind,
        "status": status,
        "score": test.score,
        "max_score": test.max,
        "message": test.message(),
        "help": test.help,
        "feedback": test.feedback,
        "expected": solution.map(|s| &s.expected),
        "solution": solution.map(|s| &s.lines),
        "actual": test.actual,
        "after": test.after,
        // An answers file does not tell how many were looked at.
        "hints_used": Value::Null,
        "line": test.line,
    })
}

fn of_refusal(refusal: &Refusal, file: &str) -> Value {
    json!({
        "version": VERSION,
        "file": file,
        "status": "error",
        "score": 0.0,
        "max_score": f64::from(refusal.points),
        "message": refusal.message,
        "error": { "type": refusal.fault.word(), "value": refusal.message },
    })
}

fn of_table(table: &Table) -> Value {
    let row = |row: &class::Row| {
        let wrong = row.common_wrong.as_ref();
        json!({
            "id": row.id,
            "right": row.right,
            "blank": row.blank,
            "skipped": row.skipped,
            "common_wrong": wrong.map(|(answer, n)| json!({ "answer": answer, "count": n })),
        })
    };
    let rows: Vec<Value> = table.rows.iter().map(row).collect();
    json!({ "lesson": table.lesson, "files": table.files, "questions": rows })
}
