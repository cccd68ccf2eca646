//! The presentation's end of the line: it is found by the notes, and keeps where it stands.
//!
//! Publishing never waits. A thread of its own writes to each reader, and takes the newest state when
//! it is ready for one.

use super::folder::{Folder, NoLink};
use super::seconds;
use super::wire::{Kept, LONGEST, Line, Now, Place, VERSION};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// So many notes can be open at once.
const MOST_READERS: usize = 8;

/// After a failure to take a reader in, so long nobody is taken in.
const PAUSE: Duration = Duration::from_millis(200);

/// The newest state, and who waits for it.
#[derive(Debug, Default)]
struct Board {
    state: Mutex<Posted>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Posted {
    line: Arc<str>,
    /// Grows with each line, and when everybody should look again.
    number: u64,
    readers: usize,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Posted> {
        // A line is replaced as a whole: it is whole at every moment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn post(&self, line: &str) {
        let mut state = self.lock();
        state.line = line.into();
        state.number += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for a line that is newer.
    fn newer(&self, than: u64) -> (Arc<str>, u64) {
        let mut state = self.lock();
        while state.number <= than {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        (Arc::clone(&state.line), state.number)
    }
}

/// The presentation's end of the line.
#[derive(Debug)]
pub struct Host {
    folder: Folder,
    /// Held for as long as the presentation runs; let go even by a process that is killed.
    _lock: File,
    board: Arc<Board>,
    began: u64,
    since: u64,
    step: Option<usize>,
}

impl Host {
    /// Opens the line, and gives the place where the presentation was left, if it should go on there.
    /// A socket that a killed presentation has left is replaced.
    ///
    /// # Errors
    /// Another presentation of the lesson is running, or the system refuses.
    pub fn open(folder: Folder) -> Result<(Self, Option<Place>), NoLink> {
        let lock = take(&folder)?;
        let address = folder.socket();
        match fs::remove_file(&address) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(NoLink::system("replace", &address, e));
            }
            _ => {}
        }
        let listener =
            UnixListener::bind(&address).map_err(|e| NoLink::system("open", &address, e))?;
        let board = Arc::new(Board::default());
        let shown = Arc::clone(&board);
        thread::Builder::new()
            .name("notes".to_owned())
            .spawn(move || take_readers_in(&listener, &shown))
            .map_err(|e| NoLink::system("wait at", &address, e))?;
        let now = seconds();
        let kept = kept(&folder.place()).filter(|kept| kept.goes_on(now));
        let (began, since, step) =
            kept.as_ref().map_or((now, now, None), |k| (k.began, k.since, Some(k.place.step + 1)));
        let host = Self { folder, _lock: lock, board, began, since, step };
        Ok((host, kept.map(|kept| kept.place)))
    }

    /// Begins anew, also with the time.
    pub fn forget(&mut self) {
        (self.began, self.since, self.step) = (seconds(), seconds(), None);
    }

    /// Shows a state to whoever reads, and keeps the place. It never waits for a reader.
    pub fn publish(&mut self, now: &Now, place: &Place) {
        if self.step != Some(now.step) {
            (self.step, self.since) = (Some(now.step), seconds());
        }
        let (began, since) = (self.began, self.since);
        let line = Line { lockstep_present: VERSION, began, since, now: now.clone() };
        self.board.post(&line.write());
        let at = seconds();
        let kept = Kept { lockstep_present: VERSION, at, began, since, place: place.clone() };
        // A place that cannot be kept is no reason to disturb a lecture.
        let _ = self.keep(&kept);
    }

    fn keep(&self, kept: &Kept) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(self.folder.path())?;
        file.write_all(serde_json::to_string(kept)?.as_bytes())?;
        file.persist(self.folder.place())?;
        Ok(())
    }
}

impl Drop for Host {
    /// The lock is still held, so that the socket is nobody else's.
    fn drop(&mut self) {
        // It would be replaced by the next presentation anyway.
        let _ = fs::remove_file(self.folder.socket());
    }
}

/// Takes the lock. Only one presentation of a lesson holds it.
fn take(folder: &Folder) -> Result<File, NoLink> {
    let path = folder.lock();
    let mut options = OpenOptions::new();
    let file = options.create(true).truncate(false).read(true).write(true).open(&path);
    let mut file = file.map_err(|e| NoLink::system("write", &path, e))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut who = String::new();
            let _ = (&mut file).take(20).read_to_string(&mut who);
            let number = who.trim().parse::<u32>().map(|n| format!(" (process {n})"));
            return Err(NoLink::Live(number.unwrap_or_default()));
        }
        Err(TryLockError::Error(e)) => return Err(NoLink::system("lock", &path, e)),
    }
    // Told to whoever comes too late; without it they are told less.
    let _ = file.set_len(0);
    let _ = write!(file, "{}", std::process::id());
    Ok(file)
}

fn kept(path: &PathBuf) -> Option<Kept> {
    let mut text = String::new();
    File::open(path).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// Takes readers in for as long as the process lives.
fn take_readers_in(listener: &UnixListener, board: &Arc<Board>) {
    loop {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(PAUSE);
            continue;
        };
        {
            let mut state = board.lock();
            if state.readers >= MOST_READERS {
                // Those that have gone away find out when they are written to.
                state.number += 1;
                drop(state);
                board.changed.notify_all();
                continue;
            }
            state.readers += 1;
        }
        let shown = Arc::clone(board);
        let writer = thread::Builder::new().name("reader".to_owned());
        let started = writer.spawn(move || {
            write_to(stream, &shown);
            shown.lock().readers -= 1;
        });
        if started.is_err() {
            board.lock().readers -= 1;
        }
    }
}

/// Writes the newest state to one reader, again and again, until it is gone.
fn write_to(mut stream: UnixStream, board: &Board) {
    let mut seen = 0;
    loop {
        let (line, number) = board.newer(seen);
        if stream.write_all(line.as_bytes()).is_err() {
            return;
        }
        seen = number;
    }
}
