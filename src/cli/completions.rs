//! `lockstep completions`: a shell's completions, made from the definitions of the commands.

use super::{Answer, Cli, Failure, GlobalArgs};
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  lockstep completions bash > ~/.local/share/bash-completion/completions/lockstep
  lockstep completions fish > ~/.config/fish/completions/lockstep.fish";

/// Print completions for a shell
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn execute(
        self,
        _global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        // The generator panics when it cannot write, and a reader may have gone away.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "lockstep", &mut script);
        out.write_all(&script)?;
        Ok(Answer::Yes)
    }
}
