//! The small text files that a command line names, and where a command's result goes.
//!
//! `-` is the standard input. What the text means is the caller's business; how files are opened and
//! written is that of `files`.

use super::Failure;
use crate::files::{self, NotWritten};
use clap::Args;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

/// Longer texts are no schedules and no voting sets.
const MAX_BYTES: u64 = 16 << 20;

/// The standard input, whose file is an input like others.
pub(super) fn standard_input() -> io::StdinLock<'static> {
    files::note_standard_input();
    io::stdin().lock()
}

/// The text of a file, or of the standard input.
pub(super) fn read_text(path: &str) -> Result<String, Failure> {
    let what = if path == "-" { "the standard input".to_owned() } else { format!("`{path}`") };
    let mut bytes = Vec::new();
    let read = match path {
        "-" => standard_input().take(MAX_BYTES + 1).read_to_end(&mut bytes),
        _ => {
            files::open(Path::new(path)).and_then(|f| f.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        }
    };
    read.map_err(|source| Failure::Input { what: what.clone(), source })?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::BadUse(format!("{what} is longer than 16 MiB")));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure::BadUse(format!("{what} is not UTF-8 text: byte {} does not fit", at + 1))
    })?;
    // Some editors begin a file with a mark that is no part of the text.
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// Where a command's result goes: the options of every command that can write it to a file.
#[derive(Args, Clone, Debug)]
pub(super) struct Output {
    /// Write to this file in place of the standard output; one that is there is left alone
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if there is one, with all that is in it; never one that this command reads
    #[arg(long, requires = "output")]
    force: bool,
}

impl Output {
    /// The file; `None`: the standard output.
    fn file(&self) -> Option<&Path> {
        let stdout = ["-", "/dev/stdout"].map(Path::new);
        self.output.as_deref().filter(|path| !stdout.contains(path))
    }

    /// Tells before the work is done what would not be written after it.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.file().map_or(Ok(()), |path| files::check(path, self.force)).map_err(refused)
    }

    /// Writes the result.
    pub(super) fn write(&self, text: &str, out: &mut dyn Write) -> Result<(), Failure> {
        match self.file() {
            None => Ok(out.write_all(text.as_bytes())?),
            Some(path) => files::write(path, text.as_bytes(), self.force).map_err(refused),
        }
    }
}

fn refused(error: NotWritten) -> Failure {
    let force = if error.why.can_be_forced() { ", or --force" } else { "" };
    Failure::BadUse(format!("{error}{force}"))
}

/// Writes a new file; one that is there is never replaced.
pub(super) fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    files::write_new(path, text.as_bytes()).map_err(|error| Failure::BadUse(error.to_string()))
}
