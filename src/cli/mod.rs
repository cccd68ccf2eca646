//! The command line: what may be written on it, and one file for each command.
//!
//! A command reads its arguments, drives a lab and writes results to the output that it is given; no
//! algorithm, no screen and no format is at home here.

mod algorithm;
mod algorithms;
mod answers;
mod check;
mod check_like;
mod cluster;
mod compare;
mod completions;
mod drill;
mod export;
mod failure;
mod files;
mod global;
mod grade;
mod hand_ins;
mod judge;
mod learn;
mod lesson;
mod man;
mod play;
mod present;
mod progress;
mod run;
mod screen;
mod words;

pub use cluster::ClusterArgs;
pub use failure::{Answer, Failure};
pub use global::GlobalArgs;
pub use screen::{Opening, open};

use clap::{Parser, Subcommand};
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  lockstep                             open the menu of lessons
  lockstep play lamport                step a cluster by hand
  lockstep run ricart-agrawala -n 3    play everybody's request to the end
  lockstep export lamport -f svg       a picture of that run, for a handout
  lockstep algorithms                  what there is to run

Exit status: 0 fine; 1 the answer is no (violated, stuck, not reached, wrong);
2 bad use, unreadable input or a refused event; 3 the lesson is at fault.";

/// Learn distributed mutual exclusion, one message at a time
#[derive(Debug, Parser)]
#[command(name = "lockstep", version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Declares the commands: the name of a command's arguments, with the file that holds them.
macro_rules! commands {
    ($($Name:ident in $module:ident),* $(,)?) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($Name($module::$Name),)*
        }

        impl Command {
            fn execute(self, global: &GlobalArgs, out: &mut dyn Write) -> Result<Answer, Failure> {
                match self {
                    $(Self::$Name(command) => command.execute(global, out),)*
                }
            }
        }
    };
}

commands! {
    Learn in learn,
    Play in play,
    Drill in drill,
    Present in present,
    Run in run,
    Check in check,
    Judge in judge,
    Compare in compare,
    Export in export,
    Lesson in lesson,
    Answers in answers,
    Grade in grade,
    Progress in progress,
    Algorithms in algorithms,
    Algorithm in algorithm,
    Completions in completions,
    Man in man,
}

impl Cli {
    /// Reads the command line; help and mistakes are told, and the process ends, here.
    #[must_use]
    pub fn from_command_line() -> Self {
        Self::parse()
    }

    /// Does what the command line says. Results go to `out`.
    ///
    /// # Errors
    /// What kept the command from giving an answer.
    pub fn execute(self, out: &mut dyn Write) -> Result<Answer, Failure> {
        let answer = match self.command {
            Some(command) => command.execute(&self.global, out)?,
            None => open(Opening::Home, &self.global)?,
        };
        out.flush()?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definitions_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_commands_own_argument_has_the_name_of_one_that_all_take() {
        fn look(command: &clap::Command, everywhere: &[String]) {
            for own in command.get_subcommands() {
                for arg in own.get_arguments().filter(|a| !a.is_global_set()) {
                    let id = arg.get_id().as_str();
                    assert!(!everywhere.iter().any(|g| g == id), "{} {id}", own.get_name());
                }
                look(own, everywhere);
            }
        }
        let cli = Cli::command();
        let globals = cli.get_arguments().filter(|a| a.is_global_set());
        let everywhere: Vec<String> = globals.map(|a| a.get_id().to_string()).collect();
        assert!(everywhere.contains(&"lessons".to_owned()));
        look(&cli, &everywhere);
    }

    #[test]
    fn every_command_says_what_it_does_and_shows_an_example() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name} says nothing about itself");
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.contains(&format!("lockstep {name}")), "{name} has no example");
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{name} {} has no help", arg.get_id());
            }
        }
    }
}
