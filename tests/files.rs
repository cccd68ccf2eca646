//! Files: nothing is lost or destroyed, whatever is named, and nothing is waited for that never comes.

mod fragments;
mod inputs;
mod kinds;
mod outputs;
mod played;
use crate::program::LOCKSTEP;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A small lesson.
pub const LESSON: &str = include_str!("grade/lesson.yaml");
/// Right answers to it.
pub const RIGHT: &str = "lesson: two-asks\nanswers: {first: a, second: defer, third: reply}\n";
/// A run as it is saved.
pub const RUN: &str = "ricart-agrawala; nodes=P1,P2,P3; request P1; deliver P1>P2\n";

/// A folder with one file of each kind, and the state of a learner who has answered something.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("a file of the test");
    };
    write("lesson.yaml", LESSON);
    write("a.yaml", RIGHT);
    write("b.yaml", &RIGHT.replace("first: a", "first: b"));
    write("my.run", RUN);
    write("sets.txt", "P1 P2\nP2 P3\nP1 P3\n");
    fs::create_dir(folder.path().join("course")).expect("a folder of the test");
    write("course/01-two-asks.yaml", LESSON);
    write("course/02-ten-asks.yaml", &LESSON.replace("two-asks", "ten-asks"));
    let done = lockstep(folder.path(), &["--plain", "learn", "lesson.yaml"], b"\n\na\nquit\n");
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    assert!(folder.path().join("state/lockstep/progress.yaml").exists());
    folder
}

fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("XDG_STATE_HOME", folder.join("state"));
    command.env_remove("LOCKSTEP_LESSONS").env("LOCKSTEP", LOCKSTEP);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ended(mut command: Command, input: &[u8]) -> Output {
    let mut child = command.spawn().expect("the program starts");
    // A program that reads nothing may have gone already.
    let _ = child.stdin.take().expect("its input is piped").write_all(input);
    child.wait_with_output().expect("the program ends")
}

/// What the program does in a folder; one that waits for what never comes ends with 124.
pub fn lockstep(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = command("timeout", folder);
    command.arg("60").arg(LOCKSTEP).args(args);
    ended(command, input)
}

/// What a shell does that has the program in `$LOCKSTEP`.
pub fn shell(folder: &Path, script: &str, args: &[&str]) -> Output {
    let mut command = command("/bin/sh", folder);
    command.args(["-c", script, "sh"]).args(args);
    ended(command, b"")
}

/// What it said to whoever sits there.
pub fn told(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
