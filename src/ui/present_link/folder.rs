//! The private folder of the socket: where it is, and whether it may be trusted.
//!
//! It opens no socket. A folder of somebody else, or one that others can enter, is refused.

use crate::input::clean;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Longer paths are no addresses of sockets on some systems.
const LONGEST_ADDRESS: usize = 100;

/// Why there is no line between presentation and notes.
#[derive(Debug, thiserror::Error)]
pub enum NoLink {
    /// Nobody knows where the user's files are.
    #[error("there is no folder for it: neither XDG_RUNTIME_DIR, XDG_STATE_HOME nor HOME is set")]
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
    /// The folder is none of ours.
    #[error(
        "`{0}` belongs to somebody else, who could read the notes or send others: remove it, or set XDG_RUNTIME_DIR to a folder of your own"
    )]
    Foreign(String),
    /// Others can enter the folder.
    #[error("`{path}` is open to others (mode {mode:o}): chmod 700 `{path}`")]
    Open {
        /// The folder.
        path: String,
        /// Its mode.
        mode: u32,
    },
    /// What is there is no folder.
    #[error("`{0}` is no folder: remove it")]
    NotAFolder(String),
    /// The path is too long for a socket.
    #[error("the path of the socket is too long, `{0}`: set XDG_RUNTIME_DIR to a shorter folder")]
    TooLong(String),
    /// Somebody presents this lesson already.
    #[error(
        "this lesson is being presented already{0}: end that presentation first, or present with --alone, without notes"
    )]
    Live(String),
}

impl NoLink {
    pub(super) fn system(what: &'static str, path: &Path, error: io::Error) -> Self {
        Self::System { what, path: shown(path), error }
    }
}

pub(super) fn shown(path: &Path) -> String {
    clean(&path.display().to_string()).into_owned()
}

/// A private folder, and the name under which a lesson is presented.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    name: String,
}

impl Folder {
    /// The user's own folder, made if it is not there yet; `lesson` is the name under which progress is
    /// kept, too.
    ///
    /// # Errors
    /// There is none, or it cannot be trusted.
    pub fn of_user(lesson: &str) -> Result<Self, NoLink> {
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        // What is relative or not there does not count, as the standard says.
        let folder = match runtime.filter(|dir| dir.is_absolute() && dir.is_dir()) {
            Some(runtime) => runtime.join("lockstep"),
            None => {
                use etcetera::BaseStrategy as _;
                let strategy = etcetera::choose_base_strategy().map_err(|_| NoLink::NoFolder)?;
                let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
                state.join("lockstep").join("present")
            }
        };
        Self::at(&folder, lesson)
    }

    /// A folder of one's own, made if it is not there yet.
    ///
    /// # Errors
    /// It cannot be made, or cannot be trusted.
    pub fn at(folder: &Path, lesson: &str) -> Result<Self, NoLink> {
        make(folder)?;
        trust(folder)?;
        let one = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let found = Self { path: folder.to_owned(), name: lesson.chars().map(one).collect() };
        let address = found.socket();
        if address.as_os_str().len() > LONGEST_ADDRESS {
            return Err(NoLink::TooLong(shown(&address)));
        }
        Ok(found)
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.path.join(format!("{}.{ending}", self.name))
    }

    /// The address.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.file("sock")
    }

    /// Whoever presents holds a lock on this file.
    pub(super) fn lock(&self) -> PathBuf {
        self.file("lock")
    }

    /// Where the presentation stands.
    pub(super) fn place(&self) -> PathBuf {
        self.file("json")
    }

    #[cfg(test)]
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

fn make(folder: &Path) -> Result<(), NoLink> {
    use std::os::unix::fs::DirBuilderExt as _;
    if fs::symlink_metadata(folder).is_ok() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|e| NoLink::system("make the folder", parent, e))?;
    }
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        // The notes or the presentation, started at the same moment, were faster.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map_err(|e| NoLink::system("make the folder", folder, e)),
    }
}

/// Whether nobody else can read, write or replace what is in the folder.
fn trust(folder: &Path) -> Result<(), NoLink> {
    use std::os::unix::fs::MetadataExt as _;
    let failed = |e| NoLink::system("look at", folder, e);
    // A link could point anywhere, so it is looked at itself.
    let found = fs::symlink_metadata(folder).map_err(failed)?;
    if !found.is_dir() {
        return Err(NoLink::NotAFolder(shown(folder)));
    }
    let mode = found.mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(NoLink::Open { path: shown(folder), mode });
    }
    // Who we are is told by a file that we make.
    let own =
        tempfile::tempfile_in(folder).and_then(|file| file.metadata()).map_err(
            |error| match error.kind() {
                io::ErrorKind::PermissionDenied => NoLink::Foreign(shown(folder)),
                _ => NoLink::system("write in", folder, error),
            },
        )?;
    if own.uid() == found.uid() { Ok(()) } else { Err(NoLink::Foreign(shown(folder))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    #[test]
    fn a_new_folder_is_private() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = Folder::at(&home.path().join("a/b"), "race").expect("it can be made");
        let mode = fs::metadata(folder.path()).expect("it is there").mode();
        assert_eq!(mode & 0o777, 0o700);
        assert!(Folder::at(&home.path().join("a/b"), "race").is_ok(), "and is taken again");
    }

    #[test]
    fn a_folder_that_others_can_enter_is_refused_with_what_to_do() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("open");
        for mode in [0o755, 0o750, 0o770, 0o777, 0o701] {
            let _ = fs::remove_dir(&path);
            fs::create_dir(&path).expect("a folder");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("ours");
            let error = Folder::at(&path, "race").expect_err("others can enter").to_string();
            assert!(error.contains("chmod 700"), "{mode:o}: {error}");
        }
    }

    #[test]
    fn a_link_to_a_folder_is_refused() {
        let home = tempfile::tempdir().expect("a folder");
        let (real, link) = (home.path().join("real"), home.path().join("link"));
        Folder::at(&real, "race").expect("it can be made");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        assert!(matches!(Folder::at(&link, "race"), Err(NoLink::NotAFolder(_))));
    }

    #[test]
    fn no_name_of_a_lesson_leads_out_of_the_folder() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("private");
        let folder = Folder::at(&path, "../../etc/x y").expect("a name like any other");
        assert_eq!(folder.socket().parent(), Some(path.as_path()));
    }

    #[test]
    fn an_address_that_no_socket_can_have_is_refused_in_words() {
        let home = tempfile::tempdir().expect("a folder");
        let long = home.path().join("x".repeat(120));
        let error = Folder::at(&long, "race").expect_err("too long").to_string();
        assert!(error.contains("XDG_RUNTIME_DIR"), "{error}");
    }
}
