//! The one door from the command line to the screen.
//!
//! Lessons and clusters are read before the terminal is touched, so that every error is told in the
//! plain shell.

use super::{Answer, Failure, GlobalArgs};
use crate::lab::Lab;
use std::io::{self, IsTerminal as _};

/// What the screen begins with.
#[derive(Debug)]
pub enum Opening {
    /// The menu.
    Home,
    /// A lesson, as the command line names it; `None`: where the learner stopped.
    Lesson(Option<String>),
    /// A cluster to step by hand, and the seed of its random steps.
    Play(Box<Lab>, Option<u64>),
}

/// Opens the screen and stays until the person leaves.
///
/// # Errors
/// There is no terminal, or it cannot be used.
pub fn open(opening: Opening, global: &GlobalArgs) -> Result<Answer, Failure> {
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !terminal && !global.plain {
        let message =
            "this needs a terminal for input and output; `lockstep run` works without one";
        return Err(Failure::BadUse(message.to_owned()));
    }
    let wanted = match opening {
        Opening::Home => "the menu",
        Opening::Lesson(_) => "lessons",
        Opening::Play(..) => "free play",
    };
    Err(Failure::BadUse(format!("this build has no screen for {wanted}; use `lockstep run`")))
}
