//! A lesson file while it is being written: whether it was saved, and what it holds then.
//!
//! It looks when it is told to and never waits. A file is seen in the middle of being saved more often
//! than one thinks: what is broken is told only once the file has rested for a while.

use super::load::{checked_for, source_of_file};
use super::{BadLesson, Lesson};
use crate::input::Source;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// How often a look is worth its while.
pub const LOOK_EVERY: Duration = Duration::from_millis(250);
/// For so many looks nothing may have changed before what is broken, or gone, is believed.
pub const PATIENCE: u32 = 3;
/// So many looks the text itself is compared after a change: on some disks two changes within two
/// seconds have the same time.
const COMPARED: u32 = 10;

/// What tells one state of a file from the next without reading it; `None`: there is none.
type Stamp = Option<(Option<SystemTime>, u64, u64)>;

/// A lesson file that is looked at again and again.
#[derive(Debug)]
pub struct Watched {
    path: PathBuf,
    who: String,
    stamp: Stamp,
    /// The text that was judged last; `None`: it could not be read.
    judged: Option<String>,
    /// Whether that was broken.
    broken: bool,
    /// Looks since the last change; `None`: it has been dealt with.
    rested: Option<u32>,
    /// How often the text is still to be compared.
    compare: u32,
}

/// What a look has found.
#[derive(Debug)]
pub enum Found {
    /// Nothing that one has to know.
    Nothing,
    /// Another lesson, or one that is whole again.
    Lesson(Arc<Lesson>),
    /// The file is broken now.
    Broken(BadLesson),
}

fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok(), data.len(), data.ino()))
}

impl Watched {
    /// Opens a lesson file and watches it from then on; a lesson that is drawn is drawn for somebody.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn open(path: &Path, who: &str) -> Result<(Self, Arc<Lesson>), BadLesson> {
        let stamp = stamp(path);
        let source = source_of_file(path)?;
        let lesson = checked_for(source.clone(), who)?;
        let watched = Self {
            path: path.to_owned(),
            who: who.to_owned(),
            stamp,
            judged: Some(source.text().to_owned()),
            broken: false,
            rested: None,
            compare: COMPARED,
        };
        Ok((watched, lesson))
    }

    /// The file, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Looks at the file.
    pub fn look(&mut self) -> Found {
        let stamp = stamp(&self.path);
        if stamp != self.stamp {
            (self.stamp, self.rested, self.compare) = (stamp, Some(0), COMPARED);
            return Found::Nothing;
        }
        let read = || source_of_file(&self.path);
        match self.rested {
            Some(rested) => {
                self.rested = Some(rested + 1);
                let read = read();
                self.judge(read, rested + 1 >= PATIENCE)
            }
            None if self.compare > 0 => {
                self.compare -= 1;
                let text = read().ok().map(|source| source.text().to_owned());
                if text != self.judged {
                    self.rested = Some(0);
                }
                Found::Nothing
            }
            None => Found::Nothing,
        }
    }

    /// Judges what the file holds now; what is broken only if it has `rested`.
    fn judge(&mut self, read: Result<Source, BadLesson>, rested: bool) -> Found {
        let text = read.as_ref().ok().map(|source| source.text().to_owned());
        let same = text == self.judged;
        if same && !self.broken {
            // Saved as it was.
            self.rested = None;
            return Found::Nothing;
        }
        match read.and_then(|source| checked_for(source, &self.who)) {
            Ok(lesson) => {
                (self.rested, self.judged, self.broken) = (None, text, false);
                Found::Lesson(lesson)
            }
            Err(bad) if rested => {
                (self.rested, self.judged, self.broken) = (None, text, true);
                Found::Broken(bad)
            }
            Err(_) => Found::Nothing,
        }
    }
}
