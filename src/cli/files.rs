//! The small text files that a command line names, and where a command's result goes.
//!
//! `-` is the standard input. What the text means is the caller's business; how files are opened and
//! written is that of `files`.

use super::Failure;
use crate::files::{self, NotWritten};
use clap::Args;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The standard input, whose file is an input like others.
pub(super) fn standard_input() -> io::StdinLock<'static> {
    files::note_standard_input();
    io::stdin().lock()
}

/// The text of a file, or of the standard input.
pub(super) fn read_text(path: &str) -> Result<String, Failure> {
    let (what, text) = match path {
        "-" => ("the standard input".to_owned(), files::text(standard_input())),
        _ => (format!("`{path}`"), files::open(Path::new(path)).and_then(files::text)),
    };
    text.map_err(|source| Failure::Input { what, source })
}

/// A file that is read as it comes, or the standard input, and how messages call it.
pub(super) fn opened(path: &Path) -> (String, io::Result<Box<dyn Read>>) {
    if path.as_os_str() == "-" {
        return ("standard input".to_owned(), Ok(Box::new(standard_input())));
    }
    let file = files::open(path).map(|file| Box::new(file) as Box<dyn Read>);
    (path.to_string_lossy().into_owned(), file)
}

/// The same where nothing goes on without it.
pub(super) fn open(path: &Path) -> Result<(String, Box<dyn Read>), Failure> {
    let (name, input) = opened(path);
    match input {
        Ok(input) => Ok((name, input)),
        Err(source) => Err(Failure::Input { what: format!("`{name}`"), source }),
    }
}

/// The text of a log, which may be long, and how messages call it.
pub(super) fn read_log(path: &Path) -> Result<(String, String), Failure> {
    let (name, input) = open(path)?;
    match files::text_up_to(input, files::LONGEST_LOG) {
        Ok(text) => Ok((name, text)),
        Err(source) => Err(Failure::Input { what: format!("`{name}`"), source }),
    }
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

/// Makes a folder where there is none.
pub(super) fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let folder = folder.display();
        Failure::BadUse(format!("the folder `{folder}` cannot be made: {error}"))
    })
}

/// Writes a file that comes beside a result, in place of one that is there if `ours` says of its text that
/// an earlier run has written it.
pub(super) fn write_again(
    path: &Path,
    text: &str,
    ours: impl Fn(&str) -> bool,
) -> Result<(), Failure> {
    let written = files::write_again(path, text.as_bytes(), ours);
    written.map_err(|error| Failure::BadUse(error.to_string()))
}

fn refused(error: NotWritten) -> Failure {
    let force = if error.why.can_be_forced() { ", or --force" } else { "" };
    Failure::BadUse(format!("{error}{force}"))
}

/// Tells before the work is done that a new file cannot be written after it.
pub(super) fn check_new(path: &Path) -> Result<(), Failure> {
    files::check(path, false).map_err(|error| Failure::BadUse(error.to_string()))
}

/// Writes a new file; one that is there is never replaced.
pub(super) fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    files::write_new(path, text.as_bytes()).map_err(|error| Failure::BadUse(error.to_string()))
}
