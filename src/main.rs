//! Lockstep: parse the command line, do what it says, print what went wrong, end with a status.

use lockstep::cli::{Answer, Cli};
use std::io::{self, BufWriter, Write as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::from_command_line();
    let mut out = BufWriter::new(io::stdout());
    match cli.execute(&mut out) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::Left(status)) => ExitCode::from(status),
        Ok(Answer::No(reason)) => {
            if let Some(reason) = reason {
                tell(&reason);
            }
            ExitCode::from(1)
        }
        Err(failure) => {
            let status = failure.status();
            if status != 0 {
                // The error and its causes in one line.
                tell(&format!("{:#}", anyhow::Error::from(failure)));
            }
            // What could not be written is not tried again on the way out.
            drop(out.into_parts());
            ExitCode::from(status)
        }
    }
}

/// Tells a person something. What came from a file must not reach the terminal's controls.
fn tell(message: &str) {
    let tame = |c: char| if c.is_control() && c != '\n' { '\u{fffd}' } else { c };
    let message: String = message.chars().map(tame).collect();
    // Nobody is left to hear that this did not work.
    let _ = writeln!(io::stderr(), "lockstep: {message}");
}
