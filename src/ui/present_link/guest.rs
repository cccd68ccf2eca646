//! The notes' end of the line: it follows the presentation, waits for one, and finds it again.
//!
//! It reads and never writes.

use super::folder::Folder;
use super::wire::{LONGEST, Line};
use crate::ui::Waker;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often a presentation is looked for that is not there.
const PAUSE: Duration = Duration::from_millis(300);

/// What was heard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The last state.
    pub last: Option<Line>,
    /// Whether the presentation is there.
    pub connected: bool,
    /// Why what it sends is not shown.
    pub trouble: Option<String>,
}

/// The notes' end of the line.
#[derive(Debug)]
pub struct Guest {
    folder: Folder,
    heard: Arc<Mutex<Heard>>,
}

fn lock(heard: &Mutex<Heard>) -> MutexGuard<'_, Heard> {
    // What was heard is replaced as a whole: it is whole at every moment.
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Guest {
    /// An end of the line that has not listened yet.
    #[must_use]
    pub fn new(folder: Folder) -> Self {
        Self { folder, heard: Arc::default() }
    }

    /// What was heard until now.
    #[must_use]
    pub fn heard(&self) -> Heard {
        lock(&self.heard).clone()
    }

    /// Follows the presentation for as long as there is a screen to wake.
    pub fn follow(&self, waker: Waker) {
        let (address, heard) = (self.folder.socket(), Arc::clone(&self.heard));
        let listener = thread::Builder::new().name("notes".to_owned());
        let started = listener.spawn(move || {
            loop {
                if let Ok(stream) = UnixStream::connect(&address) {
                    listen(stream, &heard, &waker);
                }
                let gone = std::mem::take(&mut lock(&heard).connected);
                if gone && !waker.wake() {
                    return;
                }
                thread::sleep(PAUSE);
            }
        });
        if started.is_err() {
            lock(&self.heard).trouble = Some("the system starts no more threads".to_owned());
        }
    }
}

/// Listens until the presentation is gone.
fn listen(stream: UnixStream, heard: &Mutex<Heard>, waker: &Waker) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut text = Vec::new();
        let read = (&mut reader).take(LONGEST).read_until(b'\n', &mut text);
        if !read.is_ok_and(|n| n > 0) || text.last() != Some(&b'\n') {
            return;
        }
        let line = Line::read(&String::from_utf8_lossy(&text));
        {
            let mut heard = lock(heard);
            heard.connected = true;
            match line {
                Ok(line) => {
                    heard.last = Some(line);
                    heard.trouble = None;
                }
                Err(trouble) => heard.trouble = Some(trouble),
            }
        }
        if !waker.wake() {
            return;
        }
    }
}
