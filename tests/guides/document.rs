//! The guides as documents: what stands in their blocks, and whether it is so.

use super::{command, examples, read, repository, shell, text};
use crate::program::LOCKSTEP;
use std::fs;
use std::path::Path;

/// A fenced block of a guide.
#[derive(Debug)]
struct Block {
    language: String,
    /// What a comment before it says: `frame`, or `file: NAME`.
    mark: Option<String>,
    body: String,
    /// Its first line.
    line: usize,
}

fn blocks(guide: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut mark = None;
    let mut open: Option<Block> = None;
    for (n, line) in guide.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(block), None) => block.body += &format!("{line}\n"),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(language)) => {
                let language = language.to_owned();
                open =
                    Some(Block { language, mark: mark.take(), body: String::new(), line: n + 2 });
            }
            (None, None) => {
                let comment = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
                mark = comment.map(str::to_owned);
            }
        }
    }
    assert!(open.is_none(), "a block is open at the end");
    blocks
}

/// A command of a block, what it prints, and how it ends.
#[derive(Debug)]
struct Told {
    command: String,
    output: Vec<String>,
    status: i32,
}

fn told(block: &Block) -> Vec<Told> {
    let mut all: Vec<Told> = Vec::new();
    for line in block.body.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            all.push(Told { command: command.to_owned(), output: Vec::new(), status: 0 });
            continue;
        }
        let last = all.last_mut().expect("a block begins with a command");
        match line.strip_prefix("? ") {
            Some(status) => last.status = status.parse().expect("a status is a number"),
            None => last.output.push(line.to_owned()),
        }
    }
    all
}

/// Whether lines are what was told: `...` stands for any lines, `[..]` for any part of one.
fn fits(wanted: &[String], got: &[&str]) -> bool {
    match (wanted, got) {
        ([], []) => true,
        ([any, rest @ ..], _) if any == "..." => (0..=got.len()).any(|n| fits(rest, &got[n..])),
        ([line, rest @ ..], [first, others @ ..]) => {
            let same = match line.split_once("[..]") {
                Some((head, tail)) => first.starts_with(head) && first.ends_with(tail),
                None => line == first,
            };
            same && fits(rest, others)
        }
        _ => false,
    }
}

/// The frame with an example where its last comment is.
fn framed(frame: &str, example: &str) -> String {
    let indented: String = example.lines().map(|line| format!("  {line}\n")).collect();
    let (head, _) = frame.split_once("  # here\n").expect("the frame says where");
    head.to_owned() + indented.as_str()
}

fn lint(folder: &Path, name: &str, lesson: &str, line: usize) {
    fs::write(folder.join(name), lesson).expect("a file for the test");
    let linted = command(LOCKSTEP, folder)
        .args(["lesson", "lint", name])
        .output()
        .expect("the program starts");
    assert_eq!(text(&linted.stdout), "no findings\n", "the lesson in line {line}:\n{lesson}");
}

/// Runs a guide from the first block to the last in one folder.
fn follow(path: &str, folder: &Path) {
    let guide = read(path);
    let mut frame = None;
    let mut commands = 0;
    for block in blocks(&guide) {
        match (block.language.as_str(), block.mark.as_deref()) {
            ("yaml", Some("frame")) => {
                lint(folder, "frame.yaml", &block.body, block.line);
                frame = Some(block.body);
            }
            (language, Some(mark)) => {
                let name = mark.strip_prefix("file: ").expect("a mark names a file");
                fs::write(folder.join(name), &block.body).expect("a file for the test");
                if language == "yaml" && block.body.contains("\nsteps:\n") {
                    lint(folder, name, &block.body, block.line);
                }
            }
            ("yaml", None) => match &frame {
                Some(frame) => lint(folder, "frame.yaml", &framed(frame, &block.body), block.line),
                None => is_part_of_an_example(&block),
            },
            ("console", None) => {
                for told in told(&block) {
                    let ran = shell(folder, &told.command);
                    let got: Vec<&str> = text(&ran.stdout).lines().collect();
                    let says = format!("{path}:{}: $ {}", block.line, told.command);
                    let errors = text(&ran.stderr);
                    assert_eq!(ran.status.code(), Some(told.status), "{says}\n{got:#?}\n{errors}");
                    assert!(fits(&told.output, &got), "{says}\n{}\n{errors}", got.join("\n"));
                    commands += 1;
                }
            }
            ("sh", None) => {}
            other => {
                panic!("{path}:{}: a block of a kind that nobody checks: {other:?}", block.line)
            }
        }
    }
    assert!(commands > 5, "{path} has commands");
}

/// What is quoted from a file stands in it, indented as it may be.
fn is_part_of_an_example(block: &Block) {
    let plain = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let workflow = plain(&read("docs/grading/classroom/classroom.yml"));
    assert!(workflow.contains(&plain(&block.body)), "no file has what stands in {}", block.line);
}

/// Every document that is for the people who use the program.
const GUIDES: [&str; 8] = [
    "README.md",
    "docs/learn.md",
    "docs/teach.md",
    "docs/write.md",
    "docs/grade.md",
    "docs/reference.md",
    "docs/judge.md",
    "docs/algorithms.md",
];

#[test]
fn the_authors_guide_does_what_it_says() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    follow("docs/write.md", folder.path());
}

#[test]
fn the_graders_guide_does_what_it_says() {
    follow("docs/grade.md", examples().path());
}

#[test]
fn the_guide_to_algorithms_of_ones_own_does_what_it_says() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    follow("docs/algorithms.md", folder.path());
}

#[test]
fn the_guide_to_judging_does_what_it_says() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    follow("docs/judge.md", folder.path());
    // Each language's program runs where its tools are, and its log is a right one.
    for (tool, run) in [
        ("python3", "python3 log.py"),
        ("rustc", "rustc log.rs -o log-rs && ./log-rs"),
        ("javac", "javac Log.java && java Log"),
        ("go", "go run log.go"),
    ] {
        let there = format!("{tool} --version || {tool} version");
        if !shell(folder.path(), &there).status.success() {
            continue;
        }
        let ran = shell(folder.path(), &format!("{run} | lockstep judge ricart-agrawala -"));
        let said = text(&ran.stdout);
        assert!(
            said.contains("4 events") && ran.status.success(),
            "{run}\n{said}{}",
            text(&ran.stderr)
        );
    }
}

#[test]
fn the_authors_guide_has_an_example_of_every_question_type() {
    let guide = read("docs/write.md");
    let examples: Vec<Block> =
        blocks(&guide).into_iter().filter(|b| b.language == "yaml").collect();
    for kind in lockstep::lesson::question::KINDS {
        let begins = format!("- {kind}:\n");
        assert!(examples.iter().any(|b| b.body.starts_with(&begins)), "{kind}");
        assert!(guide.contains(&format!("\n### {kind}\n")), "{kind}");
    }
}

/// The lines of a shell's block without their comments; a text in quotes may go on in the next line.
fn shell_lines(body: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in body.lines() {
        let line = line.split("  #").next().unwrap_or_default().trim();
        let open = |last: &&mut String| last.ends_with('\\') || last.matches('"').count() % 2 == 1;
        match lines.last_mut().filter(open) {
            Some(last) => *last = format!("{} {line}", last.trim_end_matches('\\')),
            None => lines.push(line.to_owned()),
        }
    }
    lines
}

/// Commands that stand in a sentence or in a block of `sh` may name files that are not there, but no
/// command and no option.
#[test]
fn every_command_that_a_guide_mentions_exists() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for path in GUIDES {
        let guide = read(path);
        let mut lines: Vec<String> = Vec::new();
        for block in blocks(&guide).iter().filter(|b| b.language == "sh") {
            lines.extend(shell_lines(&block.body));
        }
        let fenced = |text: &str| text.split("```").step_by(2).collect::<String>();
        let prose = fenced(&guide).split_whitespace().collect::<Vec<_>>().join(" ");
        lines.extend(prose.split('`').skip(1).step_by(2).map(str::to_owned));
        let commands = lines.iter().filter(|line| line.starts_with("lockstep "));
        let mut seen = 0;
        for line in commands {
            let ran = shell(folder.path(), &format!("{} --help", line.replace(" | ", " ")));
            assert!(ran.status.success(), "{path}: {line}\n{}", text(&ran.stderr));
            seen += 1;
        }
        assert!(seen > 3, "{path} mentions commands");
    }
}

#[test]
fn every_finding_that_the_guide_explains_is_one_that_lint_tells() {
    let guide = read("docs/write.md");
    let (_, table) = guide.split_once("<!-- findings:").expect("the table of findings");
    let (table, _) = table.split_once("<!-- end -->").expect("its end");
    let cases = read("tests/lessons/lint.txt") + read("tests/lessons/bad.txt").as_str();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 20);
    for row in rows {
        let finding = row.split('`').nth(1).expect("a finding stands in backticks");
        assert!(cases.contains(finding), "{finding}");
    }
}

#[test]
fn links_of_the_guides_lead_somewhere() {
    for path in GUIDES {
        let guide = read(path);
        let folder = repository().join(path);
        let folder = folder.parent().expect("a guide is in a folder");
        for link in guide.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            if file.starts_with("http") {
                continue;
            }
            let target = if file.is_empty() { repository().join(path) } else { folder.join(file) };
            assert!(target.exists(), "{path}: {link}");
            if !heading.is_empty() {
                let text = fs::read_to_string(target).expect("a document");
                assert!(text.lines().any(|line| anchor(line) == heading), "{path}: {link}");
            }
        }
    }
}

/// The name under which a heading can be linked to.
fn anchor(line: &str) -> String {
    let title = line.trim_start_matches('#').trim();
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}
