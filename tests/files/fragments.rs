//! A full disk, and a process that is killed while it writes: the old file is whole, and no fragment
//! stands under the name of the new one.

use super::{folder, shell, told};
use std::fs;
use std::path::Path;

/// Not a byte may be written to a file; whoever tries is told so.
const FULL: &str = "trap '' XFSZ; ulimit -f 0; exec \"$LOCKSTEP\" \"$@\"";
/// Not a byte may be written to a file; whoever tries is killed in the middle of it.
const KILLED: &str = "ulimit -c 0; ulimit -f 0; exec \"$LOCKSTEP\" \"$@\"";

const WRITERS: &[&[&str]] = &[
    &["export", "lesson.yaml", "-f", "svg", "-o"],
    &["answers", "lesson.yaml", "-o"],
    &["grade", "a.yaml", "--lesson", "lesson.yaml", "--exit-zero", "-o"],
    &["progress", "export", "-o"],
    &["lesson", "strip", "lesson.yaml", "-o"],
];

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn on_a_full_disk_the_old_file_is_whole_and_no_new_one_begins() {
    for words in WRITERS {
        let folder = folder();
        fs::write(folder.path().join("old.txt"), "hours of work").expect("a file of the test");
        let before = names(folder.path());
        for target in [&["old.txt", "--force"][..], &["new.txt"]] {
            let run = shell(folder.path(), FULL, &[*words, target].concat());
            assert_eq!(run.status.code(), Some(2), "{words:?}: {}", told(&run));
            assert!(told(&run).contains("cannot be written"), "{}", told(&run));
            assert_eq!(names(folder.path()), before, "{words:?}: nothing is left behind");
            let old = fs::read_to_string(folder.path().join("old.txt"));
            assert_eq!(old.ok().as_deref(), Some("hours of work"));
        }
    }
    let folder = folder();
    let run = shell(folder.path(), FULL, &["lesson", "new", "mine"]);
    assert_eq!(run.status.code(), Some(2), "{}", told(&run));
    assert!(!folder.path().join("mine.yaml").exists());
}

#[test]
fn killed_while_it_writes_it_leaves_the_old_file_whole_and_no_new_one() {
    for words in WRITERS {
        let folder = folder();
        fs::write(folder.path().join("old.txt"), "hours of work").expect("a file of the test");
        for target in [&["old.txt", "--force"][..], &["new.txt"]] {
            let run = shell(folder.path(), KILLED, &[*words, target].concat());
            assert!(!run.status.success(), "{words:?}: {}", told(&run));
            let old = fs::read_to_string(folder.path().join("old.txt"));
            assert_eq!(old.ok().as_deref(), Some("hours of work"));
            assert!(!folder.path().join("new.txt").exists(), "{words:?}");
        }
    }
}

#[test]
fn on_a_full_disk_the_dialogue_says_so_and_nothing_kept_is_lost() {
    let folder = folder();
    let kept = folder.path().join("state/lockstep/progress.yaml");
    let before = fs::read(&kept).expect("it is there");
    let script = "trap '' XFSZ; ulimit -f 0; printf 'save x.run\\nexport svg x.svg\\nrecord x.yaml\\nhome\\n9\\nquit\\n' | \
                  \"$LOCKSTEP\" --plain play lamport";
    let run = shell(folder.path(), script, &[]);
    assert_eq!(run.status.code(), Some(0), "{}", told(&run));
    let said = told(&run);
    assert!(said.contains("cannot be written") && said.contains("not saved"), "{said}");
    assert_eq!(fs::read(&kept).expect("it is there"), before);
    for name in ["x.run", "x.svg", "x.yaml"] {
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    let script = "ulimit -c 0; ulimit -f 0; printf 'next\\nnext\\nb\\nquit\\n' | \"$LOCKSTEP\" --plain learn lesson.yaml";
    let run = shell(folder.path(), script, &[]);
    assert_eq!(fs::read(&kept).expect("it is there"), before, "{}", told(&run));
}
