//! The presentation's end of the line: it is found by the notes, and keeps where it stands.
//!
//! Publishing never waits. A thread of its own writes to each reader, and takes the newest state when
//! it is ready for one.

use super::folder::{Folder, NoLink};
use super::seconds;
use super::wire::{Kept, LONGEST, Line, Now, Place, VERSION};
use crate::files;
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
        let (began, since, step) = kept
            .as_ref()
            .map_or((now, now, None), |k| (k.began, k.since, Some(k.place.step.saturating_add(1))));
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
        files::keep(&self.folder.place(), serde_json::to_string(kept)?.as_bytes())
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};

    fn folder(home: &tempfile::TempDir) -> Folder {
        Folder::at(&home.path().join("link"), "race").expect("a private folder")
    }

    fn home() -> tempfile::TempDir {
        // A path of a socket is short.
        tempfile::Builder::new().prefix("ls").tempdir_in("/tmp").expect("a folder")
    }

    fn now(step: usize) -> Now {
        Now { step, says: "x".repeat(4_000), ..Now::default() }
    }

    fn read(from: &mut impl io::BufRead) -> Line {
        let mut text = String::new();
        from.read_line(&mut text).expect("a line");
        Line::read(&text).expect("a state")
    }

    #[test]
    fn a_reader_that_does_not_read_holds_nobody_up_and_then_gets_the_newest_state() {
        let home = home();
        let (mut host, _) = Host::open(folder(&home)).expect("nobody else is there");
        let stream = UnixStream::connect(folder(&home).socket()).expect("it is there");
        for step in 1..=3_000 {
            host.publish(&now(step), &Place::default());
        }
        let mut reader = BufReader::new(stream);
        let mut steps = Vec::new();
        while steps.last() != Some(&3_000) {
            steps.push(read(&mut reader).now.step);
        }
        assert!(steps.len() < 3_000, "states that nobody was ready for are skipped");
        assert!(steps.is_sorted(), "none comes after a newer one");
    }

    #[test]
    fn readers_come_and_go_without_number() {
        let home = home();
        let (mut host, _) = Host::open(folder(&home)).expect("nobody else is there");
        host.publish(&now(7), &Place::default());
        let address = folder(&home).socket();
        for _ in 0..5 * MOST_READERS {
            // Some find the room full of those that have just gone, and come again.
            let served = (0..200).any(|_| {
                let stream = UnixStream::connect(&address).expect("it is there");
                let mut text = String::new();
                let got = BufReader::new(stream).read_line(&mut text).unwrap_or(0);
                if got == 0 {
                    thread::sleep(Duration::from_millis(5));
                }
                got > 0
            });
            assert!(served);
        }
    }

    #[test]
    fn only_one_presentation_of_a_lesson_runs_and_what_a_dead_one_left_is_replaced() {
        let home = home();
        let (host, _) = Host::open(folder(&home)).expect("nobody else is there");
        let refused = Host::open(folder(&home)).expect_err("it runs").to_string();
        assert!(refused.contains(&format!("process {}", std::process::id())), "{refused}");
        drop(host);
        assert!(!folder(&home).socket().exists());
        // A killed process removes nothing; the kernel lets its lock go.
        drop(UnixListener::bind(folder(&home).socket()).expect("free"));
        assert!(folder(&home).socket().exists());
        let (mut host, _) = Host::open(folder(&home)).expect("nobody is behind it");
        host.publish(&now(3), &Place::default());
        let stream = UnixStream::connect(folder(&home).socket()).expect("it is there");
        assert_eq!(read(&mut BufReader::new(stream)).now.step, 3);
    }

    #[test]
    fn the_place_and_the_time_outlive_the_presentation() {
        let home = home();
        let place = Place { step: 4, click: 2, ..Place::default() };
        let (mut host, before) = Host::open(folder(&home)).expect("nobody else is there");
        assert_eq!(before, None);
        host.publish(&now(5), &place);
        let (began, since) = (host.began, host.since);
        drop(host);
        let (again, found) = Host::open(folder(&home)).expect("nobody else is there");
        assert_eq!(found, Some(place));
        assert_eq!((again.began, again.since), (began, since));
    }

    #[test]
    fn a_place_with_any_numbers_is_read_and_gone_on_with() {
        let home = home();
        let folder = folder(&home);
        let ends = ["0", "1", "4294967295", "18446744073709551615", "18446744073709551616", "-1"];
        for number in ends {
            let at = seconds();
            let place = format!(
                "{{\"step\":{number},\"click\":{number},\"polls\":{{\"x\":[[{number}]]}}}}"
            );
            for times in [
                format!("{at},\"began\":{number},\"since\":{number}"),
                format!("{number},\"began\":1,\"since\":1"),
            ] {
                let text = format!("{{\"lockstep_present\":1,\"at\":{times},\"place\":{place}}}");
                fs::write(folder.place(), text).expect("ours");
                let (mut host, _place) =
                    Host::open(folder.clone()).expect("it presents all the same");
                host.publish(&now(1), &Place::default());
            }
        }
    }

    #[test]
    fn a_place_that_cannot_be_read_is_no_place() {
        let home = home();
        let folder = folder(&home);
        for text in ["", "{", "[1]", "{\"lockstep_present\":1}"] {
            fs::write(folder.place(), text).expect("ours");
            let (_host, place) = Host::open(folder.clone()).expect("it presents all the same");
            assert_eq!(place, None, "{text}");
        }
    }
}
