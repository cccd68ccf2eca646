//! `lockstep man`: manual pages, made from the definitions of the commands.

use super::{Answer, Cli, Failure, GlobalArgs};
use crate::input::nearest;
use clap::{Args, CommandFactory as _};
use clap_mangen::Man as Page;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  lockstep man | man -l -            read the page
  lockstep man run > lockstep-run.1  the page of one command";

/// Print a manual page
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Man {
    /// The command whose page to print; without it the page of the whole program
    command: Option<String>,
}

impl Man {
    pub(super) fn execute(
        self,
        _global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let mut program = Cli::command();
        // Gives every command the options that all of them take, and its name as lockstep-run.
        program.build();
        let page = match &self.command {
            None => program,
            Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
                let hint = nearest(name, program.get_subcommands().map(|c| c.get_name()))
                    .map_or(String::new(), |close| format!("; did you mean `{close}`?"));
                Failure::BadUse(format!("no command is called `{name}`{hint}"))
            })?,
        };
        Page::new(page).render(out)?;
        Ok(Answer::Yes)
    }
}
