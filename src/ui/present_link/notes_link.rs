//! The notes' end of the line: they follow the presentation, wait for one, find it again, and pass keys on.

use super::files::{Files, Watched, write};
use super::hall_link::{is_held, take_turn};
use super::place::{PlaceFile, Unreadable};
use super::seconds;
use super::wish::{Wish, WishFile};
use std::fs::{self, File};
use std::io;

/// So long the presentation may take to do a wish, in seconds; then the wish is withdrawn.
const PATIENCE: u64 = 3;

/// What the notes know of the presentation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Where it stands, or stood last.
    pub last: Option<PlaceFile>,
    /// Whether it runs.
    pub live: bool,
    /// Why what it writes is not shown.
    pub trouble: Option<Unreadable>,
}

/// Why a wish does not reach the presentation.
#[derive(Debug, thiserror::Error)]
pub enum NotSent {
    /// There is none.
    #[error("no presentation runs")]
    Gone,
    /// It has not reacted for too long.
    #[error("the presentation has not taken the key: press it again")]
    Withdrawn,
    /// The system refuses.
    #[error("the key cannot be passed on: {0}")]
    System(#[from] io::Error),
}

/// A wish that was not done yet.
#[derive(Debug)]
struct Waiting {
    wish: Wish,
    /// When it was wished for.
    since: u64,
    /// Its number, once it is written: then the lock is held that only one window of notes has at a time.
    turn: Option<(u64, File)>,
}

/// The notes' end of the line.
#[derive(Debug)]
pub struct NotesLink {
    files: Files,
    place: Watched,
    followed: Followed,
    waiting: Option<Waiting>,
}

impl NotesLink {
    /// An end of the line that has not looked yet.
    #[must_use]
    pub fn new(files: Files) -> Self {
        let place = Watched::new(files.place());
        Self { files, place, followed: Followed::default(), waiting: None }
    }

    /// What is known of the presentation.
    #[must_use]
    pub fn followed(&self) -> &Followed {
        &self.followed
    }

    /// Whether a wish waits to be done.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.waiting.is_some()
    }

    /// Looks where the presentation stands. Returns whether anything is new.
    ///
    /// # Errors
    /// What was wished for is not done, and given up.
    pub fn look(&mut self) -> Result<bool, NotSent> {
        let before = self.followed.clone();
        self.follow();
        let run = |followed: &Followed| followed.last.as_ref().map(|last| last.run);
        let live = self.followed.live;
        if self.waits() && (!live || run(&before) != run(&self.followed)) {
            // Whoever was asked for it is gone.
            self.forget();
            return Err(if live { NotSent::Withdrawn } else { NotSent::Gone });
        }
        self.settle()?;
        Ok(self.followed != before)
    }

    fn follow(&mut self) {
        let Followed { last, live, trouble } = &mut self.followed;
        *live = is_held(&self.files.presenting());
        let changed = self.place.look();
        if !changed && (!*live || last.is_some()) {
            return;
        }
        match self.place.bytes().map(PlaceFile::read) {
            // What a presentation has left that ended before is nobody's place now.
            Some(Ok(file)) if *live || last.as_ref().is_some_and(|last| last.run == file.run) => {
                (*last, *trouble) = (Some(file), None);
            }
            Some(Err(unreadable)) if *live => *trouble = Some(unreadable),
            Some(_) | None => *trouble = None,
        }
    }

    /// Wishes for something, in place of what was wished for before.
    ///
    /// # Errors
    /// It cannot be done.
    pub fn send(&mut self, wish: Wish) -> Result<(), NotSent> {
        if !self.followed.live {
            return Err(NotSent::Gone);
        }
        self.forget();
        self.waiting = Some(Waiting { wish, since: seconds(), turn: None });
        self.post()
    }

    /// Takes off what is done, and gives up what takes too long.
    fn settle(&mut self) -> Result<(), NotSent> {
        let heard = self.followed.last.as_ref().map_or(0, |last| last.heard);
        let Some(waiting) = &self.waiting else { return Ok(()) };
        if waiting.turn.as_ref().is_some_and(|(number, _)| *number <= heard) {
            self.forget();
        } else if seconds().saturating_sub(waiting.since) > PATIENCE {
            self.forget();
            return Err(NotSent::Withdrawn);
        } else if waiting.turn.is_none() {
            return self.post();
        }
        Ok(())
    }

    /// Writes what is wished for, unless another window of notes has its turn: then the next look tries
    /// again.
    fn post(&mut self) -> Result<(), NotSent> {
        let Some(lock) = take_turn(&self.files.wishing())? else { return Ok(()) };
        // What the window before wished for was heard a moment ago.
        self.follow();
        let (Some(waiting), Some(last)) = (&mut self.waiting, &self.followed.last) else {
            return Ok(());
        };
        let number = last.heard + 1;
        let file = WishFile::new(last.run, number, seconds(), waiting.wish);
        write(&self.files.wishes(), &file)?;
        waiting.turn = Some((number, lock));
        Ok(())
    }

    /// Wishes for nothing any more.
    fn forget(&mut self) {
        if self.waiting.take().is_some_and(|waiting| waiting.turn.is_some()) {
            // A file that stays says nothing that is not done or too old.
            let _ = fs::remove_file(self.files.wishes());
        }
    }
}
