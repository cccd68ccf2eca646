//! The presentation's end of the line: it writes where it stands, and looks for wishes.

use super::files::{Files, NoLink, Watched, write};
use super::place::{Place, PlaceFile};
use super::wish::{Wish, WishFile};
use super::{VERSION, seconds};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Notes try the lock now and then, for a moment, to see whether it is held: so often, and after such a
/// pause, it is tried to take.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(10);

/// The presentation's end of the line.
#[derive(Debug)]
pub struct HallLink {
    files: Files,
    /// Held for as long as the presentation runs; let go even by a process that is killed.
    _lock: File,
    wishes: Watched,
    file: PlaceFile,
    /// What the file on the disk says.
    written: Option<PlaceFile>,
}

impl HallLink {
    /// Opens the line, and returns the place where the presentation was left, if it should go on there.
    /// `edition`: the lesson's.
    ///
    /// # Errors
    /// Another presentation of the lesson is running, or the system refuses.
    pub fn open(files: Files, edition: String) -> Result<(Self, Option<Place>), NoLink> {
        let mut kept = Watched::new(files.place());
        kept.look();
        let kept = kept.bytes().and_then(|bytes| PlaceFile::read(bytes).ok());
        let lock = take(&files.presenting(), kept.as_ref())?;
        // Whatever was wished for before, nobody wishes for now.
        let _ = fs::remove_file(files.wishes());
        let (now, process) = (seconds(), std::process::id());
        let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos());
        let kept = kept.filter(|kept| kept.goes_on(now));
        let file = PlaceFile {
            lockstep_present: VERSION,
            edition,
            process,
            // Its lower half, which does not come again within centuries.
            run: began as u64,
            heard: 0,
            at: now,
            began: kept.as_ref().map_or(now, |kept| kept.began),
            since: kept.as_ref().map_or(now, |kept| kept.since),
            place: kept.as_ref().map_or_else(Place::default, |kept| kept.place.clone()),
        };
        let wishes = Watched::new(files.wishes());
        let link = Self { files, _lock: lock, wishes, file, written: None };
        Ok((link, kept.map(|kept| kept.place)))
    }

    /// Begins anew, also with the time.
    pub fn forget(&mut self) {
        let now = seconds();
        (self.file.began, self.file.since) = (now, now);
        self.file.place = Place::default();
    }

    /// Writes where the presentation stands, if that or the number of wishes heard has changed.
    pub fn publish(&mut self, place: &Place) {
        let now = seconds();
        if self.file.place.step != place.step {
            self.file.since = now;
        }
        self.file.place.clone_from(place);
        if self.written.as_ref().is_some_and(|w| PlaceFile { at: w.at, ..self.file.clone() } == *w)
        {
            return;
        }
        self.file.at = now;
        // A place that cannot be kept is no reason to disturb a lecture; the next click tries again.
        let kept = write(&self.files.place(), &self.file);
        self.written = kept.is_ok().then(|| self.file.clone());
    }

    /// What the notes wish for, if it was not done yet. From now on it counts as done.
    pub fn wish(&mut self) -> Option<Wish> {
        if !self.wishes.look() {
            return None;
        }
        let bytes = self.wishes.bytes()?;
        let due = WishFile::due(bytes, self.file.run, self.file.heard, seconds())?;
        self.file.heard += 1;
        Some(due)
    }
}

/// Takes the lock. Only one presentation of a lesson holds it.
fn take(path: &Path, kept: Option<&PlaceFile>) -> Result<File, NoLink> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    let file = file.map_err(|e| NoLink::system("write", path, e))?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(e)) => return Err(NoLink::system("lock", path, e)),
        }
    }
    let who = kept.map(|kept| format!(" (process {})", kept.process));
    Err(NoLink::Live(who.unwrap_or_default()))
}

/// Whether a presentation holds the lock.
pub(super) fn is_held(path: &Path) -> bool {
    let tried = File::open(path).map(|file| file.try_lock_shared());
    matches!(tried, Ok(Err(TryLockError::WouldBlock)))
}

/// Takes the lock of whoever wishes for something, unless somebody else holds it.
pub(super) fn take_turn(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
