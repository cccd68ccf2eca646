//! Each kind of file given to everybody who wants another one: it is named as what it is.

use super::{RIGHT, folder, lockstep, told};
use lockstep::lesson::report::WRITERS;
use std::fs;
use std::path::Path;

/// A kind of file, the words by which it is named, and its text.
struct Given {
    kind: &'static str,
    named: &'static str,
    file: &'static str,
}

const GIVEN: &[Given] = &[
    Given { kind: "lesson", named: "a lesson", file: "lesson.yaml" },
    Given { kind: "lesson", named: "the learners' copy of a lesson", file: "copy.yaml" },
    Given { kind: "answers", named: "an answers file for the lesson `two-asks`", file: "a.yaml" },
    Given { kind: "answers", named: "an answers file for the lesson `ten-asks`", file: "ten.yaml" },
    Given {
        kind: "answers",
        named: "an answers file for the lesson `drill-lamport-7-10`",
        file: "drilled.yaml",
    },
    Given { kind: "run", named: "a run", file: "my.run" },
    Given { kind: "run", named: "a run", file: "run.txt" },
    Given { kind: "progress", named: "a file of progress", file: "progress.yaml" },
    Given { kind: "played", named: "the file of what was played", file: "played.yaml" },
];

/// A command before the file, what it wants, and how that is called.
const WANTED: &[(&[&str], &[&str], &str)] = &[
    (&["--plain", "learn"], &["lesson", "run"], "not a"),
    (&["run"], &["lesson", "run"], "not a"),
    (&["check"], &["lesson", "run"], "not a"),
    (&["export", "-f", "svg"], &["lesson", "run"], "not a"),
    (&["present"], &["lesson"], "not a lesson"),
    (&["answers"], &["lesson"], "not a lesson"),
    (&["lesson", "show"], &["lesson"], "not a lesson"),
    (&["lesson", "strip"], &["lesson"], "not a lesson"),
    (&["lesson", "lint"], &["lesson"], "not a lesson"),
    (&["lesson", "preview"], &["lesson"], "not a lesson"),
    (&["progress", "export"], &["lesson"], "not a lesson"),
    (&["grade", "a.yaml", "--lesson"], &["lesson"], "not a lesson"),
    (&["grade", "--lesson", "lesson.yaml"], &["answers"], "not an answers file"),
    (&["drill", "--answers"], &["answers"], "not an answers file"),
    (&["progress", "import"], &["progress"], "not a file of progress"),
];

fn all_kinds() -> tempfile::TempDir {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let copy = lockstep(folder.path(), &["lesson", "strip", "lesson.yaml", "-o", "copy.yaml"], b"");
    assert_eq!(copy.status.code(), Some(0), "{}", told(&copy));
    fs::copy(at("state/lockstep/progress.yaml"), at("progress.yaml")).expect("it is kept");
    fs::write(at("ten.yaml"), RIGHT.replace("two-asks", "ten-asks")).expect("a file of the test");
    let blank = lockstep(folder.path(), &["drill", "lamport", "--seed", "7", "--blank"], b"");
    fs::write(at("drilled.yaml"), &blank.stdout).expect("a file of the test");
    fs::copy(at("my.run"), at("run.txt")).expect("a file of the test");
    let play = lockstep(folder.path(), &["--plain", "play", "lamport"], b"ask P1\nquit\n");
    assert_eq!(play.status.code(), Some(0), "{}", told(&play));
    fs::copy(at("state/lockstep/played.yaml"), at("played.yaml")).expect("it is kept");
    folder
}

fn assert_named(folder: &Path, args: &[&str], given: &Given, instead: &str) {
    let run = lockstep(folder, args, b"");
    let said = told(&run).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_ne!(run.status.code(), Some(0), "{args:?}: {said}");
    let wanted = format!("this is {}", given.named);
    assert!(said.contains(&wanted) && said.contains(instead), "{args:?}: {said}");
    for noise in ["unknown key", "expected"] {
        assert!(!said.contains(noise), "{args:?}: {said}");
    }
}

#[test]
fn every_kind_is_named_by_whoever_wants_another_one() {
    let folder = all_kinds();
    let mut told_apart = 0;
    for given in GIVEN {
        for (words, takes, instead) in WANTED {
            let file_takes_run = given.file.ends_with(".run") && takes.contains(&"run");
            if takes.contains(&given.kind) && given.kind != "run" || file_takes_run {
                continue;
            }
            let args = [*words, &[given.file]].concat();
            assert_named(folder.path(), &args, given, instead);
            told_apart += 1;
        }
        if !matches!(given.kind, "run" | "lesson") {
            fs::copy(folder.path().join(given.file), folder.path().join("x.run")).expect("a file");
            for words in [&["run"][..], &["play"], &["--plain", "learn"], &["check"]] {
                assert_named(folder.path(), &[words, &["x.run"]].concat(), given, "not a run");
            }
        }
    }
    assert!(told_apart > 90, "{told_apart}");
}

#[test]
fn every_format_of_results_names_the_wrong_kind() {
    let folder = all_kinds();
    for given in GIVEN.iter().filter(|given| given.kind != "answers") {
        for writer in WRITERS {
            for exit in [&[][..], &["--exit-zero"]] {
                let args =
                    ["grade", given.file, "--lesson", "lesson.yaml", "--format", writer.name];
                let run = lockstep(folder.path(), &[&args, exit].concat(), b"");
                let said = String::from_utf8_lossy(&run.stdout)
                    .replace("&apos;", "'")
                    .replace("&#39;", "'");
                let wanted = format!("this is {}, not an answers file", given.named);
                assert!(said.contains(&wanted), "{} {}: {said}", writer.name, given.file);
            }
        }
    }
}

#[test]
fn answers_to_another_lesson_are_told_with_both_names() {
    let folder = all_kinds();
    for writer in WRITERS {
        let args = ["grade", "ten.yaml", "--lesson", "lesson.yaml", "--format", writer.name];
        let run = lockstep(folder.path(), &args, b"");
        assert_eq!(run.status.code(), Some(2), "{}", told(&run));
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(
            said.contains("`ten-asks`") && said.contains("`two-asks`"),
            "{}: {said}",
            writer.name
        );
    }
}

#[test]
fn a_copy_without_keys_is_told_where_keys_are_needed() {
    let folder = all_kinds();
    for args in [&["grade", "a.yaml", "--lesson", "copy.yaml"][..], &["present", "copy.yaml"]] {
        let run = lockstep(folder.path(), args, b"");
        assert!(told(&run).contains("keys"), "{args:?}: {}", told(&run));
    }
}

#[test]
fn in_the_dialogue_only_a_run_is_loaded() {
    let folder = all_kinds();
    for given in GIVEN.iter().filter(|given| given.kind != "run") {
        let line = format!("load {}\nquit\n", given.file);
        let run = lockstep(folder.path(), &["--plain", "play", "lamport"], line.as_bytes());
        let said = told(&run).split_whitespace().collect::<Vec<_>>().join(" ");
        // In lines a name stands in straight quotes.
        let named = given.named.replace('`', "'");
        assert!(said.contains(&format!("this is {named}, not a run")), "{said}");
    }
}

#[test]
fn a_word_that_names_nothing_is_refused_alike_whatever_letters_it_has() {
    let folder = folder();
    let said =
        |word: &str| told(&lockstep(folder.path(), &["run", word], b"")).replace(word, "WORD");
    assert_eq!(said("profile"), said("profilo"));
    assert_eq!(said("filibuster"), said("xilibuster"));
    assert_eq!(said("did you mean"), said("dad you moan"));
    assert!(said("no-such.yaml").contains("there is no lesson file"), "{}", said("no-such.yaml"));
    assert!(said("lampert").contains("did you mean `lamport`?"));
    let several = said("ricart-agrawala-");
    assert!(!several.contains("no lesson is called"), "{several}");
}
