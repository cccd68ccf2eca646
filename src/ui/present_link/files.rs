//! The files of a presentation: where they are, how they are written whole, and how they are looked at.

use crate::files;
use crate::input::clean;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Longer files are none of ours, in bytes.
const LONGEST: u64 = 64 << 10;

/// Two changes within what file systems tell apart look like one, so a file that was changed so short a time
/// ago is read again.
const SETTLED: Duration = Duration::from_secs(3);

/// Why there is no line between presentation and notes.
#[derive(Debug, thiserror::Error)]
pub enum NoLink {
    /// Nobody knows where the user's files are.
    #[error("there is no folder for it: neither XDG_STATE_HOME nor HOME is set")]
    NoFolder,
    /// The system refuses.
    #[error("cannot {what} `{path}`: {error}")]
    System {
        /// What was tried.
        what: &'static str,
        /// With which file or folder.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// Somebody presents this lesson already.
    #[error(
        "this lesson is being presented already{0}: end that presentation first, or present with --alone, without notes"
    )]
    Live(String),
}

impl NoLink {
    pub(super) fn system(what: &'static str, path: &Path, error: io::Error) -> Self {
        Self::System { what, path: clean(&path.display().to_string()).into_owned(), error }
    }
}

/// The files of the presentation of one lesson.
#[derive(Clone, Debug)]
pub struct Files {
    folder: PathBuf,
    name: String,
}

impl Files {
    /// Those in the user's state folder; `lesson` is the name under which progress is kept, too.
    ///
    /// # Errors
    /// There is no such folder, or it cannot be made.
    pub fn of_user(lesson: &str) -> Result<Self, NoLink> {
        use etcetera::BaseStrategy as _;
        let strategy = etcetera::choose_base_strategy().map_err(|_| NoLink::NoFolder)?;
        let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
        Self::at(state.join("lockstep").join("present"), lesson)
    }

    /// Those in a folder of one's own, which is made if it is not there yet.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn at(folder: PathBuf, lesson: &str) -> Result<Self, NoLink> {
        fs::create_dir_all(&folder).map_err(|e| NoLink::system("make the folder", &folder, e))?;
        let one = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        Ok(Self { folder, name: lesson.chars().map(one).collect() })
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    /// Where the presentation stands.
    pub(super) fn place(&self) -> PathBuf {
        self.file("place.json")
    }

    /// What the notes wish for.
    pub(super) fn wishes(&self) -> PathBuf {
        self.file("wish.json")
    }

    /// Held by a presentation for as long as it runs; the system lets it go when a process is killed.
    pub(super) fn presenting(&self) -> PathBuf {
        self.file("presenting.lock")
    }

    /// Held by the notes that wish for something, until the presentation has done it.
    pub(super) fn wishing(&self) -> PathBuf {
        self.file("wishing.lock")
    }
}

/// Replaces a file as a whole: whoever looks at it finds the old one or the new one.
pub(super) fn write(path: &Path, what: &impl Serialize) -> io::Result<()> {
    files::keep(path, &serde_json::to_vec(what)?)
}

/// A file that is looked at again and again, and read only when it may have changed.
#[derive(Debug)]
pub(super) struct Watched {
    path: PathBuf,
    /// When it was changed and how long it was, when it was looked at last.
    seen: Option<(SystemTime, u64)>,
    bytes: Option<Vec<u8>>,
}

impl Watched {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, seen: None, bytes: None }
    }

    /// Looks at the file. Returns whether it holds something else than when it was looked at last.
    pub(super) fn look(&mut self) -> bool {
        // Anything but a plain file could keep its reader waiting.
        let plain = fs::metadata(&self.path).ok().filter(fs::Metadata::is_file);
        let seen = plain.and_then(|found| Some((found.modified().ok()?, found.len())));
        let settled = seen.is_none_or(|(at, _)| at.elapsed().is_ok_and(|age| age > SETTLED));
        if seen == self.seen && settled {
            return false;
        }
        self.seen = seen;
        let bytes = seen.and_then(|_| read(&self.path).ok());
        let changed = bytes != self.bytes;
        self.bytes = bytes;
        changed
    }

    /// What it held then; `None`: there was no such file, or it could not be read.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_a_lesson_leads_out_of_the_folder() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("a/b");
        let files = Files::at(path.clone(), "../../etc/x y").expect("a name like any other");
        assert!(path.is_dir());
        for file in [files.place(), files.wishes(), files.presenting(), files.wishing()] {
            assert_eq!(file.parent(), Some(path.as_path()));
        }
    }

    #[test]
    fn a_change_is_seen_once_even_if_the_length_and_the_time_are_the_same() {
        let home = tempfile::tempdir().expect("a folder");
        let files = Files::at(home.path().to_owned(), "race").expect("a folder");
        let mut watched = Watched::new(files.place());
        assert!(!watched.look(), "there is nothing yet");
        for number in [1, 2, 3] {
            write(&files.place(), &number).expect("ours");
            assert!(watched.look());
            assert_eq!(watched.bytes(), Some(number.to_string().as_bytes()));
            assert!(!watched.look(), "nothing new");
        }
        fs::remove_file(files.place()).expect("ours");
        assert!(watched.look());
        assert_eq!(watched.bytes(), None);
    }

    #[test]
    fn a_folder_in_the_place_of_a_file_is_no_file_and_a_long_one_is_not_read_whole() {
        let home = tempfile::tempdir().expect("a folder");
        let files = Files::at(home.path().to_owned(), "race").expect("a folder");
        let mut watched = Watched::new(files.place());
        fs::create_dir(files.place()).expect("ours");
        assert!(!watched.look());
        fs::remove_dir(files.place()).expect("ours");
        fs::write(files.place(), vec![b'x'; 10 << 20]).expect("ours");
        assert!(watched.look());
        assert_eq!(watched.bytes().map(<[u8]>::len), Some(64 << 10));
    }
}
