//! The notes' end of the line: they follow the presentation, wait for one, find it again, and pass keys on.

use super::files::{Files, Watched};
use super::hall_link::{is_held, take_turn};
use super::place::{PlaceFile, Unreadable};
use super::seconds;
use super::wish::{MOST, Wish, WishFile};
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
    /// It has not done those before.
    #[error("the presentation has not taken the keys before this one yet")]
    TooMany,
    /// It has not reacted for too long.
    #[error("the presentation has not taken the key: press it again")]
    Withdrawn,
    /// The system refuses.
    #[error("the key cannot be passed on: {0}")]
    System(#[from] io::Error),
}

/// The right to wish for something, which one window of notes has at a time.
#[derive(Debug)]
struct Turn {
    _lock: File,
    /// The number of the first wish that waits.
    first: u64,
}

/// The notes' end of the line.
#[derive(Debug)]
pub struct NotesLink {
    files: Files,
    place: Watched,
    followed: Followed,
    /// What was wished for and is not done, in order.
    waiting: Vec<Wish>,
    /// When the last of it was wished for.
    since: u64,
    turn: Option<Turn>,
}

impl NotesLink {
    /// An end of the line that has not looked yet.
    #[must_use]
    pub fn new(files: Files) -> Self {
        let place = Watched::new(files.place());
        let (followed, waiting) = (Followed::default(), Vec::new());
        Self { files, place, followed, waiting, since: 0, turn: None }
    }

    /// What is known of the presentation.
    #[must_use]
    pub fn followed(&self) -> &Followed {
        &self.followed
    }

    /// Looks where the presentation stands. Returns whether anything is new.
    ///
    /// # Errors
    /// What was wished for is not done, and given up.
    pub fn look(&mut self) -> Result<bool, NotSent> {
        let before = self.followed.clone();
        self.follow();
        let run = |followed: &Followed| followed.last.as_ref().map(|last| last.run);
        if !self.followed.live || run(&before) != run(&self.followed) {
            // Whoever was asked for it is gone.
            self.forget();
        }
        self.settle()?;
        Ok(self.followed != before)
    }

    fn follow(&mut self) {
        let Followed { last, live, trouble } = &mut self.followed;
        *live = is_held(&self.files.presenting());
        if !self.place.look() && !(*live && last.is_none()) {
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

    /// Wishes for something.
    ///
    /// # Errors
    /// It cannot be done.
    pub fn send(&mut self, wish: Wish) -> Result<(), NotSent> {
        if !self.followed.live {
            return Err(NotSent::Gone);
        }
        if self.waiting.len() >= MOST {
            return Err(NotSent::TooMany);
        }
        self.waiting.push(wish);
        self.since = seconds();
        self.post()
    }

    /// Takes off what is done, and gives up what takes too long.
    fn settle(&mut self) -> Result<(), NotSent> {
        let heard = self.followed.last.as_ref().map_or(0, |last| last.heard);
        if let Some(turn) = &mut self.turn {
            let done = (heard + 1).saturating_sub(turn.first);
            let done = usize::try_from(done).unwrap_or(usize::MAX).min(self.waiting.len());
            self.waiting.drain(..done);
            turn.first += done as u64;
        }
        if self.waiting.is_empty() {
            self.forget();
        } else if seconds().saturating_sub(self.since) > PATIENCE {
            self.forget();
            return Err(NotSent::Withdrawn);
        } else if self.turn.is_none() {
            return self.post();
        }
        Ok(())
    }

    /// Writes what is wished for, unless another window of notes has its turn: then the next look tries
    /// again.
    fn post(&mut self) -> Result<(), NotSent> {
        if self.turn.is_none() {
            let Some(lock) = take_turn(&self.files.wishing())? else { return Ok(()) };
            // What the window before wished for was heard a moment ago.
            self.follow();
            let first = self.followed.last.as_ref().map_or(0, |last| last.heard) + 1;
            self.turn = Some(Turn { _lock: lock, first });
        }
        let (Some(turn), Some(last)) = (&self.turn, &self.followed.last) else { return Ok(()) };
        let wishes = WishFile::new(last.run, turn.first, seconds(), self.waiting.clone());
        Ok(self.files.write(&self.files.wishes(), &wishes)?)
    }

    /// Wishes for nothing any more.
    fn forget(&mut self) {
        self.waiting.clear();
        if self.turn.is_some() {
            // A file that stays says nothing that is not done or too old.
            let _ = fs::remove_file(self.files.wishes());
        }
        self.turn = None;
    }
}
