//! Results for people: one line a question, a total, and a class table under several files.

use super::super::batch::HandedIn;
use super::super::grade::{Graded, Report, Status};
use super::super::mark::points;
use super::class::{self, Table};
use super::{alike, named, one_line, total};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// How much of an answer stands on its line.
const MOST_ANSWER: usize = 40;

pub(super) fn write(files: &[HandedIn]) -> String {
    let mut text = String::new();
    let several = files.len() > 1;
    for (name, file) in named(files) {
        if several {
            let _ = writeln!(text, "{}", one_line(&name, 200));
        }
        match &file.result {
            Ok(report) => graded(&mut text, report),
            Err(refusal) => {
                for line in refusal.message.lines() {
                    let _ = writeln!(text, "  failed   {}", one_line(line, 500));
                }
                text.push_str("nothing is graded: 0 points\n");
            }
        }
        if several {
            text.push('\n');
        }
    }
    class::tables(files).iter().for_each(|table| tabled(&mut text, table));
    for hint in alike::hints(files) {
        let _ = writeln!(text, "note: {}", one_line(&hint, 500));
    }
    if several {
        let lost = files.iter().filter(|f| f.result.is_err()).count();
        let lost = if lost > 0 { format!(", {lost} of them not graded") } else { String::new() };
        let _ = writeln!(text, "{}{lost}", crate::input::count(files.len(), "file"));
    }
    text
}

fn graded(text: &mut String, report: &Report) {
    let who = report.who.as_deref().map_or(String::new(), |w| format!(" ({})", one_line(w, 80)));
    let _ = writeln!(text, "{}: {}{who}", report.lesson, report.title);
    let columns = report.tests.iter().map(|t| t.id.width()).max().unwrap_or(0);
    for test in &report.tests {
        let pad = " ".repeat(columns - test.id.width());
        let line = format!("  {:<7}  {}{pad}  {}", word(test.status()), test.id, said(test));
        let _ = writeln!(text, "{}", line.trim_end());
        for line in test.feedback.iter().flat_map(|l| l.lines()) {
            let _ = writeln!(text, "           {}", one_line(line, 500));
        }
        let solved = test.solution.iter().flat_map(|s| &s.lines).flat_map(|l| l.lines());
        for (n, line) in solved.enumerate() {
            let lead = if n == 0 { "answer: " } else { "        " };
            let _ = writeln!(text, "           {lead}{}", one_line(line, 500));
        }
    }
    for remark in &report.remarks {
        let _ = writeln!(text, "  note     {}", one_line(remark, 500));
    }
    for warning in &report.warnings {
        let _ = writeln!(text, "  warning  {}", one_line(warning, 500));
    }
    let _ = writeln!(text, "{}", total(report));
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Passed => "ok",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
        Status::Error => "error",
    }
}

/// What stands behind a question: the answer, what there is to say, where to look.
fn said(test: &Graded) -> String {
    let answer = test.actual.as_deref().map(|a| format!("`{}`", one_line(a, MOST_ANSWER)));
    if test.status() == Status::Passed {
        return match test.max {
            one if one <= 1.0 => answer.unwrap_or_default(),
            max => format!("{} ({} points)", answer.unwrap_or_default(), points(max)),
        };
    }
    let message = test.message();
    let help = test.help.as_deref().map(|h| format!("Hint: {}", one_line(h, 200)));
    let parts: Vec<String> = answer.into_iter().chain([message]).chain(help).collect();
    parts.join(" ")
}

fn tabled(text: &mut String, table: &Table) {
    let _ = writeln!(text, "{}: {}", table.lesson, crate::input::count(table.files, "file"));
    let columns = table.rows.iter().map(|r| r.id.width()).max().unwrap_or(0).max("question".len());
    let head = format!("  {:<columns$}  right  blank  most common wrong answer", "question");
    let _ = writeln!(text, "{head}");
    for row in &table.rows {
        let pad = " ".repeat(columns - row.id.width());
        let wrong = row.common_wrong.as_ref();
        let wrong = wrong.map(|(a, n)| format!("`{}` ({n})", one_line(a, MOST_ANSWER)));
        let line = format!(
            "  {}{pad}  {:>5}  {:>5}  {}",
            row.id,
            row.right,
            row.blank,
            wrong.unwrap_or_default()
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
}
