//! `lockstep algorithm`: an algorithm of one's own, as a file to begin with.
//!
//! What a script means is told by `script`; here it is only written or printed.

use super::{Answer, Failure, GlobalArgs, files};
use crate::catalog;
use crate::model::Script;
use crate::model::script::SCRIPT_ENDING;
use crate::script::examples;
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  lockstep algorithm new my.rhai                  a commented script to begin with
  lockstep algorithm new my.rhai --from lamport   Lamport's algorithm, to be changed
  lockstep algorithm show raymond                 an algorithm as a script
  lockstep play my.rhai                           step it
  lockstep check my.rhai -n 3                     try every schedule of it";

/// Write an algorithm of your own: a script to begin with
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Algorithm {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Clone, Debug)]
enum What {
    /// Write a script to begin with; a file that is there is left alone
    New {
        /// The file, such as `my.rhai`
        file: PathBuf,
        /// Begin with this algorithm
        #[arg(long, value_name = "ALGORITHM")]
        from: Option<String>,
    },
    /// Print an algorithm as a script
    Show {
        /// The algorithm
        algorithm: String,
    },
}

impl Algorithm {
    pub(super) fn execute(
        self,
        _global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        match self.what {
            What::Show { algorithm } => out.write_all(script_of(&algorithm)?.as_bytes())?,
            What::New { file, from } => {
                let named = file.to_str().is_some_and(Script::is_named);
                let file = if named { file } else { file.with_extension(&SCRIPT_ENDING[1..]) };
                let text = from.as_deref().map_or(Ok(examples::TEMPLATE), script_of)?;
                files::write_new(&file, text)?;
                let name = file.display();
                writeln!(out, "{name} is ready to be changed; lockstep check {name} tries it")?;
            }
        }
        Ok(Answer::Yes)
    }
}

fn script_of(word: &str) -> Result<&'static str, Failure> {
    let entry = catalog::find(word).map_err(super::cluster::unfit)?;
    let slugs = || examples::slugs().collect::<Vec<_>>().join(", ");
    examples::of(entry.info.slug).ok_or_else(|| {
        Failure::BadUse(format!("{word} is not there as a script; there are {}", slugs()))
    })
}
