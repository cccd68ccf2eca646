//! Files: the one way in which what a person names is opened, and the one in which anything is written.
//!
//! What is looked at first is what stands there: a folder, a pipe or a device is told at once and never
//! waited for. What is written is written beside its place and renamed, so that a full disk or a killed
//! process leaves the old file whole and nothing under the new name.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What unfinished files are called in front, in folders that are not ours.
const UNFINISHED: &str = ".lockstep-";

/// More links in a row lead round in a circle.
const MOST_LINKS: usize = 40;

/// What tells a file from all others, however it is named.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Identity {
    /// The device and the number on it.
    Node(u64, u64),
    /// Nothing is there yet.
    Name(PathBuf),
}

impl Identity {
    fn of(found: &Metadata) -> Self {
        Self::Node(found.dev(), found.ino())
    }

    fn of_path(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(found) => Self::of(&found),
            Err(_) => Self::Name(named(path)),
        }
    }
}

/// A path by which two names of one missing file are the same.
fn named(path: &Path) -> PathBuf {
    let folder = fs::canonicalize(folder_of(path)).unwrap_or_else(|_| folder_of(path).to_owned());
    folder.join(path.file_name().unwrap_or_default())
}

/// What this process has read, or was told to read.
static INPUTS: Mutex<BTreeSet<Identity>> = Mutex::new(BTreeSet::new());

fn inputs() -> MutexGuard<'static, BTreeSet<Identity>> {
    // An entry is added as a whole: the set is whole at every moment.
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a file is an input of this process, which no command then writes over.
pub fn note_input(path: &Path) {
    if fs::metadata(path).map_or(true, |found| found.is_file()) {
        inputs().insert(Identity::of_path(path));
    }
}

/// Notes the same of the file that stands behind the standard input, if one does.
pub fn note_standard_input() {
    let stdin = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    if let Some(found) = stdin.and_then(|file| file.metadata()).ok().filter(Metadata::is_file) {
        inputs().insert(Identity::of(&found));
    }
}

/// Opens a file that a person names, to read it. What the process itself holds open (`/dev/stdin`,
/// `/dev/fd/63`) may be a pipe.
///
/// # Errors
/// There is none, or it is a folder, a pipe or a device, or the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    note_input(path);
    let found = fs::metadata(path)?;
    match other_kind(&found) {
        Some(Other::Folder) => return Err(told(Other::Folder)),
        Some(kind) if !matches!(place(path)?, Place::Held(_)) => return Err(told(kind)),
        Some(_) | None => {}
    }
    File::open(path)
}

/// Longer texts are no runs, no schedules and no voting sets.
const LONGEST: u64 = 16 << 20;

/// Longer logs are judged in parts.
pub const LONGEST_LOG: u64 = 1 << 30;

/// The whole text of something that was opened, without the mark with which some editors begin it.
///
/// # Errors
/// It cannot be read, is longer than 16 MiB, or is no UTF-8 text.
pub fn text(from: impl io::Read) -> io::Result<String> {
    text_up_to(from, LONGEST)
}

/// The same of a text that has at most so many bytes.
///
/// # Errors
/// It cannot be read, is longer, or is no UTF-8 text.
pub fn text_up_to(from: impl io::Read, longest: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(longest + 1).read_to_end(&mut bytes)?;
    let invalid = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    if bytes.len() as u64 > longest {
        return Err(invalid(format!("it is longer than {} MiB", longest >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        invalid(format!("it is not UTF-8 text: byte {at} does not fit"))
    })?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

fn told(kind: Other) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("it is {}, not a file", kind.word()))
}

/// What can stand at a path that is no file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Other {
    /// A folder.
    Folder,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device.
    Device,
}

impl Other {
    /// How it is called.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Folder => "a folder",
            Self::Pipe => "a named pipe (FIFO)",
            Self::Socket => "a socket",
            Self::Device => "a device",
        }
    }
}

fn other_kind(found: &Metadata) -> Option<Other> {
    let kind = found.file_type();
    match kind {
        _ if kind.is_file() => None,
        _ if kind.is_dir() => Some(Other::Folder),
        _ if kind.is_fifo() => Some(Other::Pipe),
        _ if kind.is_socket() => Some(Other::Socket),
        _ => Some(Other::Device),
    }
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
#[error("`{path}` {why}")]
pub struct NotWritten {
    /// The file, as it was named.
    pub path: String,
    /// Why not.
    pub why: WhyNot,
}

/// Why a file was not written. All but the last leave everything as it was without having tried.
#[derive(Debug, thiserror::Error)]
pub enum WhyNot {
    /// There is one.
    #[error("is there already; choose another name")]
    There,
    /// There is a link that leads to nothing.
    #[error("is a link to `{0}`, where nothing is; choose another name")]
    Link(String),
    /// It is read by the same command.
    #[error("is read by this command, which never writes over what it reads; choose another name")]
    Input,
    /// It is no file.
    #[error("is {}; choose another name", .0.word())]
    Other(Other),
    /// It is protected.
    #[error("is protected from being written; choose another name")]
    ReadOnly,
    /// There is no folder to write into.
    #[error("cannot be written: there is no folder `{0}`")]
    NoFolder(String),
    /// The system refuses.
    #[error("cannot be written: {0}")]
    System(io::Error),
}

impl WhyNot {
    /// Whether the file would be written by whoever insists.
    #[must_use]
    pub fn can_be_forced(&self) -> bool {
        matches!(self, Self::There | Self::Link(_))
    }
}

/// Where a path leads.
enum Place {
    /// To what the process holds open under this number.
    Held(PathBuf),
    /// To a file that is there, or to the name of one that is not.
    At { path: PathBuf, found: Option<Metadata>, linked: bool },
}

/// Follows links, also those that lead to nothing.
fn place(path: &Path) -> io::Result<Place> {
    let mut at = path.to_owned();
    for links in 0..MOST_LINKS {
        if is_held(&at) {
            return Ok(Place::Held(at));
        }
        let found = match fs::symlink_metadata(&at) {
            Ok(found) if found.is_symlink() => {
                at = folder_of(&at).join(fs::read_link(&at)?);
                continue;
            }
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        return Ok(Place::At { path: at, found, linked: links > 0 });
    }
    Err(io::Error::other("its links lead round in a circle"))
}

/// Whether a path names something that a process holds open: `/dev/fd/3`, `/proc/self/fd/3`.
fn is_held(path: &Path) -> bool {
    let number = path.file_name().and_then(OsStr::to_str).is_some_and(|n| n.parse::<u32>().is_ok());
    let folder = || fs::canonicalize(folder_of(path)).unwrap_or_default();
    number && {
        let folder = folder();
        folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd")
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What becomes of a path that may be written.
enum Target {
    /// It takes what is written and holds nothing that could be lost.
    Takes(PathBuf),
    /// Nothing is there.
    New(PathBuf),
    /// The file there is replaced, and its permissions stay.
    Old(PathBuf, Permissions),
}

fn target(path: &Path, force: bool) -> Result<Target, WhyNot> {
    match place(path).map_err(WhyNot::System)? {
        Place::Held(at) => Ok(Target::Takes(at)),
        Place::At { path, found: None, linked: true } if !force => {
            Err(WhyNot::Link(path.display().to_string()))
        }
        Place::At { path, found: None, linked: _ } => {
            let folder = folder_of(&path);
            let there = folder.is_dir();
            let missing = || WhyNot::NoFolder(folder.display().to_string());
            if there { Ok(Target::New(path)) } else { Err(missing()) }
        }
        Place::At { path, found: Some(found), linked: _ } => match other_kind(&found) {
            Some(Other::Device) if path == Path::new("/dev/null") => Ok(Target::Takes(path)),
            Some(kind) => Err(WhyNot::Other(kind)),
            None if !force => Err(WhyNot::There),
            None if found.permissions().readonly() => Err(WhyNot::ReadOnly),
            None => Ok(Target::Old(path, found.permissions())),
        },
    }
}

fn not_written(path: &Path) -> impl FnOnce(WhyNot) -> NotWritten {
    let path = path.display().to_string();
    |why| NotWritten { path, why }
}

/// What a command may write: nothing that it has read.
fn target_of_command(path: &Path, force: bool) -> Result<Target, WhyNot> {
    if inputs().contains(&Identity::of_path(path)) {
        return Err(WhyNot::Input);
    }
    target(path, force)
}

/// Whether a command could write a file, before the work is done that it is for.
///
/// # Errors
/// Why not.
pub fn check(path: &Path, force: bool) -> Result<(), NotWritten> {
    target_of_command(path, force).map(|_| ()).map_err(not_written(path))
}

/// Writes a file that a command line names: a new one, or, if it insists, in place of one that is there.
/// Never in place of one that this process has read.
///
/// # Errors
/// Why it was not written. What was there is then as it was.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), NotWritten> {
    let target = target_of_command(path, force);
    target.and_then(|target| target.take(bytes)).map_err(not_written(path))
}

/// Writes a file that an earlier run may have written: in place of one that is there if `ours` says so of
/// its text.
///
/// # Errors
/// Why it was not written. What was there is then as it was.
pub fn write_again(
    path: &Path,
    bytes: &[u8],
    ours: impl Fn(&str) -> bool,
) -> Result<(), NotWritten> {
    let old = path.is_file().then(|| File::open(path).and_then(text));
    write(path, bytes, old.is_some_and(|old| old.is_ok_and(|old| ours(&old))))
}

/// Writes a new file that a person names on a screen.
///
/// # Errors
/// Why it was not written. What was there is then as it was.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), NotWritten> {
    target(path, false).and_then(|target| target.take(bytes)).map_err(not_written(path))
}

impl Target {
    fn take(self, bytes: &[u8]) -> Result<(), WhyNot> {
        let written = match self {
            Self::Takes(at) => append(&at, bytes),
            Self::Old(at, as_it_was) => put(&at, UNFINISHED, bytes, Some(as_it_was)),
            Self::New(at) => put(&at, UNFINISHED, bytes, None),
        };
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => WhyNot::There,
            _ => WhyNot::System(error),
        })
    }
}

/// Writes to what takes everything: behind what it may hold already.
fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(bytes)
}

/// Writes a file of our own, in a folder of our own, which only the user can read. A link to it stays a
/// link. What killed processes have left of it is taken away: the caller is the only one who writes it.
///
/// # Errors
/// The system refuses. The file is then as it was.
pub fn keep(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = format!(".{name}-");
    for entry in fs::read_dir(folder_of(&target))?.flatten() {
        if entry.file_name().to_str().is_some_and(|n| n.starts_with(&unfinished)) {
            // It is in nobody's way if it stays.
            let _ = fs::remove_file(entry.path());
        }
    }
    put(&target, &unfinished, bytes, Some(Permissions::from_mode(0o600)))
}

/// Writes beside the target and renames: with permissions, in place of what is there; without, only where
/// nothing is.
fn put(target: &Path, prefix: &str, bytes: &[u8], replaced: Option<Permissions>) -> io::Result<()> {
    let folder = folder_of(target);
    // The system takes away from them what the user's mask says.
    let usual = || Permissions::from_mode(0o666);
    let permissions = replaced.clone().unwrap_or_else(usual);
    let unfinished =
        tempfile::Builder::new().prefix(prefix).permissions(permissions).tempfile_in(folder);
    // A person knows nothing of the unfinished file and its name.
    let mut file = unfinished.map_err(|error| io::Error::from(error.kind()))?;
    if let Some(permissions) = &replaced {
        file.as_file().set_permissions(permissions.clone())?;
    }
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    let renamed = match replaced {
        Some(_) => file.persist(target),
        None => match file.persist_noclobber(target) {
            // Some folders know neither way of renaming without replacing.
            Err(failed) if fs::symlink_metadata(target).is_err() => failed.file.persist(target),
            renamed => renamed,
        },
    };
    renamed.map(|_| ()).map_err(|failed| failed.error)
}
