//! Reading the small text files that a command line names.
//!
//! `-` is the standard input. What the text means is the caller's business.

use super::Failure;
use std::fs::File;
use std::io::{self, Read as _};

/// Longer texts are no schedules and no voting sets.
const MAX_BYTES: u64 = 16 << 20;

/// The text of a file, or of the standard input.
pub(super) fn read_text(path: &str) -> Result<String, Failure> {
    let what = if path == "-" { "the standard input".to_owned() } else { format!("`{path}`") };
    let mut bytes = Vec::new();
    let read = match path {
        "-" => io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes),
        _ => File::open(path).and_then(|f| f.take(MAX_BYTES + 1).read_to_end(&mut bytes)),
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

/// Writes a result to the file that `--output` names; `-` and none are the standard output.
pub(super) fn write_text(
    path: Option<&str>,
    text: &str,
    out: &mut dyn std::io::Write,
) -> Result<(), Failure> {
    match path {
        None | Some("-") => Ok(out.write_all(text.as_bytes())?),
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::BadUse(format!("cannot write `{path}`: {error}"))),
    }
}
