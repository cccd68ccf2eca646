//! Results for build servers, as JUnit XML.
//!
//! The same answers give the same bytes: no times are written, since grading takes none worth telling.

use super::super::batch::HandedIn;
use super::super::grade::{Graded, Outcome, Refusal, Report, Status};
use super::super::mark::points;
use super::{named, solved, told};
use std::fmt::Write as _;

pub(super) fn write(files: &[HandedIn]) -> String {
    let count = |status: Status| -> usize {
        files.iter().filter_map(|f| f.result.as_ref().ok()).map(|r| r.count(status)).sum()
    };
    let lost = files.iter().filter(|f| f.result.is_err()).count();
    let tests: usize =
        files.iter().filter_map(|f| f.result.as_ref().ok()).map(|r| r.tests.len()).sum();
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let counts = counts(
        tests + lost,
        count(Status::Failed),
        count(Status::Error) + lost,
        count(Status::Skipped),
    );
    let _ = writeln!(xml, "<testsuites name=\"lockstep\" {counts} time=\"0\">");
    for (name, file) in named(files) {
        let alone = files.len() == 1;
        match &file.result {
            Ok(report) => suite(&mut xml, report, &name, alone),
            Err(refusal) => refused(&mut xml, refusal, &name),
        }
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn counts(tests: usize, failures: usize, errors: usize, skipped: usize) -> String {
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

fn suite(xml: &mut String, report: &Report, file: &str, alone: bool) {
    // Build servers drop what has the same class and name, so a class is one file's.
    let class = match alone {
        true => report.lesson.clone(),
        false => format!("{}: {file}", report.lesson),
    };
    let counts = counts(
        report.tests.len(),
        report.count(Status::Failed),
        report.count(Status::Error),
        report.count(Status::Skipped),
    );
    let (name, lesson_file) = (escape(&class), escape(&report.lesson_file));
    let _ =
        writeln!(xml, "  <testsuite name=\"{name}\" {counts} time=\"0\" file=\"{lesson_file}\">");
    for test in &report.tests {
        case(xml, test, &name, &lesson_file);
    }
    let mut said: Vec<String> = report.who.iter().map(|w| format!("answers of: {w}")).collect();
    said.extend(report.remarks.iter().cloned());
    if !said.is_empty() {
        let _ = writeln!(xml, "    <system-out>{}</system-out>", escape(&said.join("\n")));
    }
    xml.push_str("  </testsuite>\n");
}

fn case(xml: &mut String, test: &Graded, class: &str, file: &str) {
    let id = escape(&test.id);
    let _ = writeln!(
        xml,
        "    <testcase classname=\"{class}\" name=\"{id}\" time=\"0\" file=\"{file}\" line=\"{}\">",
        test.line
    );
    let score = format!("{}/{}", points(test.score), points(test.max));
    let _ = writeln!(
        xml,
        "      <properties><property name=\"score\" value=\"{score}\"/></properties>"
    );
    let message = test.message();
    // Some servers show nothing but the body.
    let body = escape(&told(test).join("\n"));
    let message = escape(&message);
    let kind = match &test.outcome {
        Outcome::Right | Outcome::Marked(true) => None,
        Outcome::Skipped(_) | Outcome::ByHand => {
            let _ = writeln!(xml, "      <skipped message=\"{message}\"/>");
            None
        }
        Outcome::Marked(false) | Outcome::Wrong if test.score > 0.0 => {
            Some(("failure", "PartlyRight"))
        }
        Outcome::Marked(false) | Outcome::Wrong => Some(("failure", "WrongAnswer")),
        Outcome::Blank => Some(("failure", "NotAnswered")),
        Outcome::Form(_) => Some(("failure", "UnreadableAnswer")),
        Outcome::Shown => Some(("failure", "SolutionShown")),
        Outcome::Unread(_) => Some(("error", "UnreadableAnswer")),
        Outcome::Broken => Some(("error", "GraderFault")),
    };
    if let Some((element, kind)) = kind {
        let _ = writeln!(
            xml,
            "      <{element} message=\"{message}\" type=\"{kind}\">{body}</{element}>"
        );
    } else if let Some(solution) = &test.solution {
        let _ = writeln!(xml, "      <system-out>{}</system-out>", escape(&solved(solution)));
    }
    xml.push_str("    </testcase>\n");
}

fn refused(xml: &mut String, refusal: &Refusal, file: &str) {
    let (class, message) = (escape(file), escape(&refusal.message));
    let kind = refusal.fault.word();
    let _ = writeln!(xml, "  <testsuite name=\"{class}\" {} time=\"0\">", counts(1, 0, 1, 0));
    let _ = writeln!(
        xml,
        "    <testcase classname=\"{class}\" name=\"answers can be graded\" time=\"0\">\n      \
         <error message=\"{message}\" type=\"{kind}\">{message}</error>\n    </testcase>"
    );
    xml.push_str("  </testsuite>\n");
}

/// Text for XML, in an attribute or between tags. Characters that XML 1.0 forbids are left out.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            // A parser makes spaces of these in an attribute unless they are written so.
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            c if (c as u32) < 0x20 || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_can_be_taken_for_xml() {
        assert_eq!(escape("a<b & \"c\" > 'd'"), "a&lt;b &amp; &quot;c&quot; &gt; &apos;d&apos;");
        assert_eq!(escape("]]>"), "]]&gt;");
        assert_eq!(escape("x\ny"), "x&#10;y");
    }

    #[test]
    fn characters_that_xml_forbids_are_left_out() {
        assert_eq!(escape("a\0b\u{1b}[31m\u{8}c\u{fffe}d\u{ffff}"), "ab[31mcd");
        assert_eq!(escape("é 日本 👩"), "é 日本 👩");
    }
}
