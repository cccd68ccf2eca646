//! Every command that writes a file, found in clap's own definition, onto everything that may be there.

use super::{LESSON, folder, lockstep, shell, told};
use clap::CommandFactory as _;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, symlink};
use std::path::Path;

/// Ways to say a command with an output: its words, without the output, and the files that it reads.
const WRITERS: &[(&str, &[&str], &[&str])] = &[
    ("export", &["export", "lesson.yaml", "-f", "svg"], &["lesson.yaml"]),
    ("export", &["export", "my.run", "-f", "html"], &["my.run"]),
    ("export", &["export", "maekawa", "--quorums", "sets.txt", "-f", "json"], &["sets.txt"]),
    ("export", &["export", "lesson.yaml", "-f", "screen"], &["lesson.yaml"]),
    ("answers", &["answers", "lesson.yaml"], &["lesson.yaml"]),
    (
        "answers",
        &["--lessons", "course", "answers", "1"],
        &["course/01-two-asks.yaml", "course/02-ten-asks.yaml"],
    ),
    (
        "grade",
        &["grade", "a.yaml", "b.yaml", "--exit-zero", "--lesson", "lesson.yaml"],
        &["a.yaml", "b.yaml", "lesson.yaml"],
    ),
    (
        "grade",
        &["grade", "a.yaml", "--exit-zero", "--lesson", "lesson.yaml", "-f", "gradescope"],
        &["a.yaml", "lesson.yaml"],
    ),
    ("progress export", &["progress", "export"], &["state/lockstep/progress.yaml"]),
    (
        "progress export",
        &["progress", "export", "lesson.yaml"],
        &["lesson.yaml", "state/lockstep/progress.yaml"],
    ),
    ("lesson strip", &["lesson", "strip", "lesson.yaml"], &["lesson.yaml"]),
];

/// Commands that write nothing but their standard output, and what is kept of a learner.
const OTHERS: &[&str] = &[
    "learn",
    "play",
    "drill",
    "judge",
    "present",
    "run",
    "check",
    "compare",
    "answers check",
    "lesson list",
    "lesson show",
    "lesson preview",
    "algorithm new",
    "algorithm show",
    "lesson schema",
    "lesson lint",
    "progress show",
    "progress import",
    "progress reset",
    "algorithms",
    "completions",
    "man",
];

/// The command whose file is no option: it makes new ones only.
const MAKER: &str = "lesson new";

/// Every command with its words, and whether it has an option for its output.
fn commands() -> Vec<(String, bool)> {
    fn look(command: &clap::Command, words: &str, all: &mut Vec<(String, bool)>) {
        for own in command.get_subcommands() {
            let words = format!("{words} {}", own.get_name()).trim().to_owned();
            if own.has_subcommands() {
                look(own, &words, all);
            }
            // `answers` writes a file by itself, and has a command below it.
            if !own.has_subcommands() || own.is_args_conflicts_with_subcommands_set() {
                let out = |a: &clap::Arg| {
                    let long = a.get_long().unwrap_or_default();
                    a.get_short() == Some('o') || long.starts_with("out") || long.ends_with("-dir")
                };
                let writes = own.get_arguments().any(out);
                let force = own.get_arguments().any(|a| a.get_long() == Some("force"));
                assert_eq!(writes, force, "{words}: an output and --force belong together");
                all.push((words, writes));
            }
        }
    }
    let mut all = Vec::new();
    look(&lockstep::cli::Cli::command(), "", &mut all);
    all
}

#[test]
fn every_command_is_known_to_these_tests_as_one_that_writes_or_not() {
    let commands = commands();
    let writers: BTreeSet<&str> = WRITERS.iter().map(|(name, _, _)| *name).collect();
    let found = |writes: bool| commands.iter().filter(move |c| c.1 == writes).map(|c| c.0.as_str());
    assert_eq!(found(true).collect::<BTreeSet<_>>(), writers);
    let others: BTreeSet<&str> = OTHERS.iter().copied().chain([MAKER]).collect();
    assert_eq!(found(false).collect::<BTreeSet<_>>(), others);
}

fn with<'a>(words: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [words, more].concat()
}

#[test]
fn a_file_that_is_there_is_never_replaced_unasked() {
    for (name, words, _) in WRITERS {
        let folder = folder();
        let old = folder.path().join("old.txt");
        fs::write(&old, "hours of work").expect("a file of the test");
        let number = fs::metadata(&old).expect("it is there").ino();
        symlink("old.txt", folder.path().join("link.txt")).expect("a link of the test");
        for target in ["old.txt", "./old.txt", "link.txt", "course/../old.txt"] {
            let run = lockstep(folder.path(), &with(words, &["-o", target]), b"");
            assert_eq!(run.status.code(), Some(2), "{name} {target}: {}", told(&run));
            let said = told(&run);
            assert!(
                said.contains("is there already") && said.contains("--force"),
                "{name}: {said}"
            );
            assert!(run.stdout.is_empty(), "{name} {target}");
            assert_eq!(fs::read_to_string(&old).ok().as_deref(), Some("hours of work"));
            assert_eq!(fs::metadata(&old).expect("it is there").ino(), number);
        }
        let run = lockstep(folder.path(), &with(words, &["-o", "link.txt", "--force"]), b"");
        assert_eq!(run.status.code(), Some(0), "{name}: {}", told(&run));
        assert!(fs::symlink_metadata(folder.path().join("link.txt")).expect("there").is_symlink());
        let new = fs::read(&old).expect("it is there");
        let plain = lockstep(folder.path(), words, b"");
        assert_eq!(new, plain.stdout, "{name}: the file holds what the standard output gets");
        let mode = fs::metadata(&old).expect("it is there").mode() & 0o777;
        let made = folder.path().join("new.txt");
        let run = lockstep(folder.path(), &with(words, &["-o", "new.txt"]), b"");
        assert_eq!(run.status.code(), Some(0), "{name}: {}", told(&run));
        assert_eq!(fs::metadata(&made).expect("it is there").mode() & 0o777, mode, "as others are");
    }
}

/// The same file under other names.
fn aliases(folder: &Path, file: &str) -> Vec<String> {
    let path = folder.join(file);
    symlink(&path, folder.join("alias-link")).expect("a link of the test");
    fs::hard_link(&path, folder.join("alias-hard")).expect("a link of the test");
    symlink("alias-link", folder.join("alias-twice")).expect("a link of the test");
    let whole = path.display().to_string();
    let around = format!("course/../{file}");
    let here = format!("./{file}");
    vec![
        file.to_owned(),
        here,
        around,
        whole,
        "alias-link".into(),
        "alias-hard".into(),
        "alias-twice".into(),
    ]
}

#[test]
fn what_a_command_reads_is_never_written_over_not_even_by_force() {
    for (name, words, inputs) in WRITERS {
        for input in *inputs {
            let folder = folder();
            let before = fs::read(folder.path().join(input)).expect("it is there");
            for alias in aliases(folder.path(), input) {
                for more in [vec!["-o", &alias], vec!["-o", &alias, "--force"]] {
                    let run = lockstep(folder.path(), &with(words, &more), b"");
                    assert_eq!(run.status.code(), Some(2), "{name} {more:?}: {}", told(&run));
                    assert!(run.stdout.is_empty(), "{name} {more:?}: {}", told(&run));
                    let after = fs::read(folder.path().join(input)).expect("it is there");
                    assert!(after == before, "{name} {more:?} has changed {input}");
                }
                let forced = lockstep(folder.path(), &with(words, &["-o", &alias, "--force"]), b"");
                assert!(told(&forced).contains("is read by this command"), "{}", told(&forced));
            }
        }
    }
}

#[test]
fn the_file_behind_the_standard_input_is_an_input_too() {
    let folder = folder();
    for (script, file) in [
        (
            "\"$LOCKSTEP\" grade - --lesson lesson.yaml --exit-zero -o a.yaml --force <a.yaml",
            "a.yaml",
        ),
        ("\"$LOCKSTEP\" export - -f svg -o my.run --force <my.run", "my.run"),
        ("\"$LOCKSTEP\" export lamport --schedule - -f svg -o b.yaml --force <b.yaml", "b.yaml"),
        (
            "\"$LOCKSTEP\" grade a.yaml --lesson lesson.yaml -o ./missing.yaml missing.yaml",
            "missing.yaml",
        ),
    ] {
        let before = fs::read(folder.path().join(file)).ok();
        let run = shell(folder.path(), script, &[]);
        assert_eq!(run.status.code(), Some(2), "{script}: {}", told(&run));
        assert_eq!(fs::read(folder.path().join(file)).ok(), before, "{script}");
    }
}

#[test]
fn a_link_that_leads_nowhere_is_followed_by_force_alone() {
    for (name, words, _) in WRITERS {
        let folder = folder();
        symlink("nowhere.txt", folder.path().join("link")).expect("a link of the test");
        symlink("round", folder.path().join("round")).expect("a link of the test");
        let run = lockstep(folder.path(), &with(words, &["-o", "link"]), b"");
        assert_eq!(run.status.code(), Some(2), "{name}: {}", told(&run));
        assert!(
            told(&run).contains("is a link to") && told(&run).contains("--force"),
            "{}",
            told(&run)
        );
        assert!(!folder.path().join("nowhere.txt").exists());
        let run = lockstep(folder.path(), &with(words, &["-o", "link", "--force"]), b"");
        assert_eq!(run.status.code(), Some(0), "{name}: {}", told(&run));
        assert!(fs::symlink_metadata(folder.path().join("link")).expect("there").is_symlink());
        assert!(fs::metadata(folder.path().join("nowhere.txt")).expect("it is there").len() > 0);
        let run = lockstep(folder.path(), &with(words, &["-o", "round", "--force"]), b"");
        assert_eq!(run.status.code(), Some(2), "{name}: {}", told(&run));
    }
}

#[test]
fn folders_pipes_and_devices_are_told_at_once_as_outputs() {
    for (name, words, _) in WRITERS {
        let folder = folder();
        assert!(shell(folder.path(), "mkfifo pipe", &[]).status.success());
        for (target, word) in [
            ("course", "is a folder"),
            ("pipe", "is a named pipe"),
            ("/dev/full", "is a device"),
            ("/dev/zero", "is a device"),
            ("no/such/place.txt", "there is no folder"),
            ("a.yaml/b", "cannot be written"),
        ] {
            for force in [&[][..], &["--force"]] {
                let run = lockstep(folder.path(), &with(&with(words, &["-o", target]), force), b"");
                assert_eq!(run.status.code(), Some(2), "{name} {target}: {}", told(&run));
                assert!(told(&run).contains(word), "{name} {target}: {}", told(&run));
            }
        }
        let pipe = fs::symlink_metadata(folder.path().join("pipe")).expect("it is there");
        assert!(pipe.file_type().is_fifo());
    }
}

#[test]
fn the_standard_output_and_nothing_at_all_take_every_result() {
    for (name, words, _) in WRITERS {
        let folder = folder();
        let plain = lockstep(folder.path(), words, b"");
        assert_eq!(plain.status.code(), Some(0), "{name}: {}", told(&plain));
        for target in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            let run = lockstep(folder.path(), &with(words, &["-o", target]), b"");
            assert_eq!(run.status.code(), Some(0), "{name} {target}: {}", told(&run));
            assert!(run.stdout == plain.stdout, "{name} {target}: {}", told(&run));
        }
        let run = lockstep(folder.path(), &with(words, &["-o", "/dev/null"]), b"");
        assert_eq!((run.status.code(), run.stdout.len()), (Some(0), 0), "{name}");
        // What stands in a file that the shell holds open stays there.
        let script = "echo kept >log; exec 3>>log; \"$LOCKSTEP\" \"$@\" -o /dev/fd/3";
        let run = shell(folder.path(), script, words);
        assert_eq!(run.status.code(), Some(0), "{name}: {}", told(&run));
        let log = fs::read(folder.path().join("log")).expect("it is there");
        assert_eq!(log, [&b"kept\n"[..], &plain.stdout].concat(), "{name}");
    }
}

#[test]
fn a_new_lesson_is_never_put_in_the_place_of_anything() {
    let folder = folder();
    symlink("nowhere.yaml", folder.path().join("link.yaml")).expect("a link of the test");
    assert!(shell(folder.path(), "mkfifo pipe.yaml && mkdir dir.yaml", &[]).status.success());
    for name in ["lesson", "lesson.yaml", "course/01-two-asks", "link", "pipe", "dir", "no/such"] {
        let run = lockstep(folder.path(), &["lesson", "new", name], b"");
        assert_eq!(run.status.code(), Some(2), "{name}: {}", told(&run));
    }
    assert_eq!(fs::read_to_string(folder.path().join("lesson.yaml")).ok().as_deref(), Some(LESSON));
    assert!(!folder.path().join("nowhere.yaml").exists());
    assert_eq!(lockstep(folder.path(), &["lesson", "new", "mine"], b"").status.code(), Some(0));
}

#[test]
fn answers_that_were_filled_in_by_hand_are_still_there() {
    let folder = folder();
    let run = |args: &[&str]| lockstep(folder.path(), args, b"").status.code();
    assert_eq!(run(&["answers", "9", "-o", "mine.yaml"]), Some(0));
    let mine = folder.path().join("mine.yaml");
    let filled = fs::read_to_string(&mine).expect("it is there") + "# by hand\n";
    fs::write(&mine, &filled).expect("it is written into");
    assert_eq!(run(&["progress", "export", "9", "-o", "mine.yaml"]), Some(2));
    assert_eq!(run(&["answers", "9", "-o", "mine.yaml"]), Some(2));
    assert_eq!(run(&["grade", "mine.yaml", "-o", "mine.yaml"]), Some(2));
    assert_eq!(fs::read_to_string(&mine).ok(), Some(filled));
}

#[test]
fn a_protected_file_stays_as_it_is() {
    let folder = folder();
    let script = "echo mine >old && chmod 400 old && \"$LOCKSTEP\" answers 9 -o old --force";
    let run = shell(folder.path(), script, &[]);
    assert_eq!(run.status.code(), Some(2));
    assert!(told(&run).contains("is protected"), "{}", told(&run));
    assert_eq!(fs::read_to_string(folder.path().join("old")).ok().as_deref(), Some("mine\n"));
}

#[test]
fn folders_pipes_and_devices_are_told_at_once_as_inputs() {
    let folder = folder();
    assert!(shell(folder.path(), "mkfifo pipe pipe.run pipe.yaml", &[]).status.success());
    let readers: &[&[&str]] = &[
        &["learn"],
        &["run"],
        &["check"],
        &["export", "-f", "svg"],
        &["present"],
        &["answers"],
        &["lesson", "show"],
        &["lesson", "strip"],
        &["lesson", "lint"],
        &["lesson", "preview"],
        &["grade", "--lesson", "lesson.yaml"],
        &["grade", "a.yaml", "--lesson"],
        &["drill", "--answers"],
        &["progress", "import"],
        &["progress", "export"],
        &["run", "maekawa", "--quorums"],
        &["play"],
        &["--lessons"],
    ];
    for reader in readers {
        for input in ["pipe", "pipe.run", "pipe.yaml", "/dev/zero", "/dev/full"] {
            let tail: &[&str] = if *reader == ["--lessons"] { &["lesson", "list"] } else { &[] };
            let run = lockstep(folder.path(), &with(&with(reader, &[input]), tail), b"");
            let said = told(&run);
            let status = run.status.code();
            assert!(
                status == Some(2) || status == Some(3) || status == Some(1),
                "{reader:?} {input}: {said}"
            );
            assert!(!said.contains("os error"), "{reader:?} {input}: {said}");
        }
    }
    for reader in [&["progress", "import"][..], &["drill", "--answers"]] {
        let run = lockstep(folder.path(), &with(reader, &["course"]), b"");
        assert!(told(&run).contains("it is a folder, not a file"), "{}", told(&run));
    }
    // What a shell hands over as a pipe of its own is read.
    let script = "\"$LOCKSTEP\" grade /dev/fd/5 --lesson lesson.yaml 5<<END\n$1\nEND\n";
    let run = shell(folder.path(), script, &[super::RIGHT]);
    assert_eq!(run.status.code(), Some(0), "{}", told(&run));
    let run = lockstep(
        folder.path(),
        &["grade", "/dev/stdin", "--lesson", "lesson.yaml"],
        super::RIGHT.as_bytes(),
    );
    assert_eq!(run.status.code(), Some(0), "{}", told(&run));
}
