//! The program under test, in an environment of its own: nothing of whoever runs the tests gets in.

use std::ffi::OsStr;
use std::io::Write as _;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Where the program is.
pub const LOCKSTEP: &str = env!("CARGO_BIN_EXE_lockstep");

/// What changes how programs speak, beside what begins with [`PREFIXES`].
const NAMES: [&str; 8] = [
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORFGBG",
    "COLORTERM",
    "TERM",
    "COLUMNS",
    "LINES",
];
const PREFIXES: [&str; 4] = ["LOCKSTEP", "XDG_", "LC_", "LANG"];

/// Takes out of a command's environment what would change what it says or where it keeps things, and gives
/// it a home.
pub fn clean(command: &mut Command, home: &Path) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if NAMES.contains(&&*text) || PREFIXES.iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    command.env("HOME", home).env("LC_ALL", "C.UTF-8");
}

/// The program with arguments, and a home that lasts as long as this value.
pub struct Program {
    command: Command,
    _home: TempDir,
}

/// The program with arguments; its three streams are nobody's terminal.
pub fn lockstep(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Program {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    let mut command = Command::new(LOCKSTEP);
    clean(&mut command, home.path());
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Program { command, _home: home }
}

impl Program {
    /// Runs it to its end with a standard input.
    pub fn feed(&mut self, input: impl AsRef<[u8]>) -> Output {
        let mut child = self.stdin(Stdio::piped()).spawn().expect("the program starts");
        // A program that does not read its input may have gone already.
        let _ = child.stdin.take().expect("its input is piped").write_all(input.as_ref());
        child.wait_with_output().expect("the program ends")
    }

    /// Runs it to its end.
    pub fn run(&mut self) -> Output {
        self.output().expect("the program starts")
    }
}

impl Deref for Program {
    type Target = Command;

    fn deref(&self) -> &Command {
        &self.command
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Command {
        &mut self.command
    }
}
