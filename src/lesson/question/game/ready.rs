//! A game as a question keeps it: not made yet, at fault, or ready to be played.
//!
//! It plays nothing by itself.

use super::{Game, Line, Spec, without_number};
use crate::input::Path;
use crate::lesson::file::Misfit;
use crate::lesson::question::{FormHint, Scene};

/// A game, once it could be made.
#[derive(Clone, Debug, Default)]
pub enum Ready {
    /// The cluster is not known yet.
    #[default]
    Not,
    /// It cannot be played as it is written.
    Faulty(Vec<Misfit>),
    /// It can be played.
    Ready(Box<Game>),
}

impl Ready {
    /// Makes the game.
    #[must_use]
    pub fn of(scene: Scene<'_>, spec: Spec<'_>) -> Self {
        match Game::make(scene, spec) {
            Ok(game) => Self::Ready(Box::new(game)),
            Err(misfits) => Self::Faulty(misfits),
        }
    }

    /// The game, if it can be played.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        match self {
            Self::Ready(game) => Some(game),
            Self::Not | Self::Faulty(_) => None,
        }
    }

    /// What is wrong with it.
    #[must_use]
    pub fn misfits(&self) -> Vec<Misfit> {
        match self {
            Self::Faulty(misfits) => misfits.clone(),
            Self::Not | Self::Ready(_) => Vec::new(),
        }
    }

    /// Reads an answer's lines.
    ///
    /// # Errors
    /// The first line that is no event.
    pub fn read(&self, raw: &str) -> Result<Vec<Line>, FormHint> {
        let nothing = || FormHint("There is nothing to play here.".to_owned());
        self.game().ok_or_else(nothing)?.read(raw)
    }

    /// What is wrong with a solution: a line that is no event or fails, or a goal that is not reached.
    #[must_use]
    pub fn solution_misfit(&self, solution: &[String]) -> Option<Misfit> {
        let game = self.game()?;
        let path = || Path::root().key("solution");
        let mut lines = Vec::new();
        for (i, text) in solution.iter().enumerate() {
            match game.line(without_number(text)) {
                Ok(line) => lines.push(line),
                Err(why) => return Some(Misfit::value(path().index(i), why)),
            }
        }
        let replay = game.replay(&lines);
        match replay.fault {
            Some((i, reason)) => Some(Misfit::value(path().index(i), reason)),
            None if !replay.reached => {
                Some(Misfit::key(path(), "after these events the goal does not hold"))
            }
            None => None,
        }
    }
}
