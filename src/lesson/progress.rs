//! The files that are kept of a learner: each a YAML text in the user's state folder, whole at every moment.
//! One holds the progress, one what was played.
//!
//! It is written beside itself and renamed. Whoever changes it holds a lock, reads what is there and adds
//! to it, so that two running copies lose nothing of each other. What cannot be understood is never
//! overwritten: it is kept aside.

use super::kinds::{self, Kind};
use super::played::{self, Played};
use super::saved::{self, Progress};
use crate::files;
use crate::input::{self, Document, Limits, Problems, Source, clean};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the file may ask of us; nothing larger is written either.
const LIMITS: Limits = Limits { bytes: 8 << 20, depth: 12, nodes: 400_000, unseen: true };

/// How often a lock that another copy holds is tried, and the pause between two tries.
const TRIES: u32 = 150;
const PAUSE: Duration = Duration::from_millis(10);

/// What a file holds.
pub trait Contents: Clone + Default + Serialize + DeserializeOwned {
    /// The version that this program writes, and the newest that it reads.
    const VERSION: u32;
    /// The key of the version, and the file's name without its ending.
    const NAME: &'static str;
    /// How messages call it.
    const WHAT: &'static str;
    /// The comment above it.
    const ABOUT: &'static str;

    /// The version that it says.
    fn version(&mut self) -> &mut u32;
}

impl Contents for Progress {
    const VERSION: u32 = saved::VERSION;
    const NAME: &'static str = "progress";
    const WHAT: &'static str = "your progress";
    const ABOUT: &'static str =
        "Your progress in lockstep. `lockstep progress` shows and changes it.";

    fn version(&mut self) -> &mut u32 {
        &mut self.progress
    }
}

impl Contents for Played {
    const VERSION: u32 = played::VERSION;
    const NAME: &'static str = "played";
    const WHAT: &'static str = "what you have played";
    const ABOUT: &'static str = "What was played in lockstep; the oldest runs go first. Each branch is a run for `lockstep run`.";

    fn version(&mut self) -> &mut u32 {
        &mut self.played
    }
}

/// The file of progress.
pub type Store = KeptFile<Progress>;

/// The place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile<T> {
    path: PathBuf,
    holds: PhantomData<T>,
}

/// Why progress is not read or not written.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    /// Nobody knows where the user's files are.
    #[error("there is no folder for progress: neither XDG_STATE_HOME nor HOME is set")]
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
    /// Another copy holds the lock and does not let go.
    #[error("another copy of lockstep is writing `{0}`; nothing is saved just now")]
    Busy(String),
    /// The file is not what this program writes.
    #[error("{0}")]
    Damaged(Damage),
    /// There is too much to keep.
    #[error(
        "the progress is larger than what can be read back; `lockstep progress reset LESSON` helps"
    )]
    TooMuch,
}

/// A file that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It is no file of progress, or not a whole one.
    #[error("{what} cannot be read: {problems}")]
    Broken {
        /// What it should hold.
        what: &'static str,
        /// What is wrong.
        problems: Problems,
    },
    /// A newer program has written it.
    #[error("`{file}` is of version {version}; this program reads version {known}")]
    Newer {
        /// The file.
        file: String,
        /// Its version.
        version: u32,
        /// The newest that is known.
        known: u32,
    },
}

impl Damage {
    fn word(&self) -> &'static str {
        match self {
            Self::Broken { .. } => "damaged",
            Self::Newer { .. } => "newer",
        }
    }
}

/// A file that was put aside because it cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// What is wrong with it.
    pub damage: Damage,
    /// Where it is now.
    pub path: PathBuf,
}

impl std::fmt::Display for Aside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = self.path.display().to_string();
        write!(f, "a file is kept as `{}`: {}", clean(&path), self.damage)
    }
}

impl<T: Contents> KeptFile<T> {
    /// The user's own file: `lockstep/progress.yaml`, `lockstep/played.yaml` in the state folder.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn of_user() -> Result<Self, NotKept> {
        use etcetera::BaseStrategy as _;
        let strategy = etcetera::choose_base_strategy().map_err(|_| NotKept::NoFolder)?;
        let folder = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
        Ok(Self::at(folder.join("lockstep").join(T::NAME).with_extension("yaml")))
    }

    /// A file of one's own.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), holds: PhantomData }
    }

    /// The file of another kind in the same folder.
    #[must_use]
    pub fn beside<Other: Contents>(&self) -> KeptFile<Other> {
        KeptFile::at(self.path.with_file_name(Other::NAME).with_extension("yaml"))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file; where there is none, nothing is known yet.
    ///
    /// # Errors
    /// It cannot be opened, or not be understood.
    pub fn load(&self) -> Result<T, NotKept> {
        match files::open(&self.path) {
            Ok(file) => read(&self.shown(), file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(T::default()),
            Err(error) => Err(system("read", &self.path, error)),
        }
    }

    /// Changes what is in the file, alone among all running copies. What cannot be understood is put aside
    /// first.
    ///
    /// # Errors
    /// It cannot be read or written. The file is then as it was.
    pub fn update(&self, change: impl FnOnce(&mut T)) -> Result<(T, Option<Aside>), NotKept> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|e| system("make the folder", folder, e))?;
        let _lock = self.lock()?;
        let (mut kept, aside) = match self.load() {
            Ok(kept) => (kept, None),
            Err(NotKept::Damaged(damage)) => (T::default(), Some(self.put_aside(damage)?)),
            Err(other) => return Err(other),
        };
        change(&mut kept);
        self.write(&kept)?;
        Ok((kept, aside))
    }

    /// Takes the lock; it is let go when the file is closed, also by a process that is killed.
    fn lock(&self) -> Result<File, NotKept> {
        let path = self.path.with_extension("lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|e| system("write", &path, e))?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                // Some network folders know no locks; renaming keeps the file whole all the same.
                Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {
                    return Ok(file);
                }
                Err(TryLockError::Error(e)) => return Err(system("lock", &path, e)),
            }
        }
        Err(NotKept::Busy(self.shown()))
    }

    /// Writes the file. The caller holds the lock.
    fn write(&self, kept: &T) -> Result<(), NotKept> {
        let text = to_text(kept);
        // What could not be read back would be taken for damage.
        let whole = read::<T>(&self.shown(), text.as_bytes());
        if whole.is_err() {
            return Err(NotKept::TooMuch);
        }
        files::keep(&self.path, text.as_bytes()).map_err(|e| system("write", &self.path, e))
    }

    /// Renames a file that cannot be understood to a name that is free. The caller holds the lock.
    fn put_aside(&self, damage: Damage) -> Result<Aside, NotKept> {
        let named = |n: u32| self.path.with_extension(format!("{}-{n}.yaml", damage.word()));
        let free = (1..=u32::MAX).map(named).find(|path| fs::symlink_metadata(path).is_err());
        let path = free.expect("a folder holds fewer files than there are numbers");
        fs::rename(&self.path, &path).map_err(|e| system("rename", &self.path, e))?;
        Ok(Aside { damage, path })
    }

    fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

/// The text of a file.
#[must_use]
pub fn to_text<T: Contents>(kept: &T) -> String {
    let mut kept = kept.clone();
    *kept.version() = T::VERSION;
    format!("# {}\n{}", T::ABOUT, input::to_yaml(&kept))
}

/// Reads a file, such as one that was exported; `name` is how messages call it.
///
/// # Errors
/// It cannot be understood.
pub fn read<T: Contents>(name: &str, from: impl io::Read) -> Result<T, NotKept> {
    let broken = |problems| NotKept::Damaged(Damage::Broken { what: T::WHAT, problems });
    let source = Source::from_reader(name, from, T::NAME, LIMITS).map_err(broken)?;
    kinds::wanted(&source, Kind::Kept(T::NAME)).map_err(|wrong| broken(wrong.into()))?;
    let document = Document::of(&source).map_err(broken)?;
    let version = document.text_at(&input::Path::root().key(T::NAME));
    if let Some(version) = version.and_then(|text| text.parse().ok()).filter(|v| *v > T::VERSION) {
        let (file, known) = (clean(name).into_owned(), T::VERSION);
        return Err(NotKept::Damaged(Damage::Newer { file, version, known }));
    }
    document.read().map_err(broken)
}

fn system(what: &'static str, path: &Path, error: io::Error) -> NotKept {
    NotKept::System { what, path: clean(&path.display().to_string()).into_owned(), error }
}
