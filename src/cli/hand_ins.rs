//! The files that were handed in: one, a folder of them, or those that fit a pattern.

use super::files;
use crate::lesson::batch::{GradingBatch, HandedIn};
use std::path::{Path, PathBuf};

/// Hands in a file, whatever stands there.
pub(super) fn take(batch: &mut GradingBatch, path: &Path) -> HandedIn {
    let (name, input) = files::opened(path);
    if path.is_dir() {
        let none = || std::io::Error::other("there are no answers files in this folder");
        let why = std::fs::read_dir(path).err().unwrap_or_else(none);
        return batch.take(&name, Err::<std::fs::File, _>(why));
    }
    batch.take(&name, input)
}

/// The answers files of a folder and of those in it, by name. No link is followed: it could lead out of
/// the folder. A pattern that the shell has left as it is stands for what it fits; what is none of these,
/// or holds none, is taken as it is.
pub(super) fn answers_in(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    gather(path, &mut found);
    if found.is_empty() && !path.exists() {
        let fitting = path.to_str().and_then(|pattern| glob::glob(pattern).ok());
        found.extend(fitting.into_iter().flatten().flatten());
    }
    if found.is_empty() { vec![path.to_owned()] } else { found }
}

/// A folder in a folder that cannot be read is handed in itself, so that it is told.
fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && std::fs::read_dir(&path).is_err() => found.push(path),
            Ok(kind) if kind.is_dir() => gather(&path, found),
            Ok(kind) if kind.is_file() && is_answers(&path) => found.push(path),
            _ => {}
        }
    }
}

/// Whether a file of a folder is called as answers files are, in any letters, or as an editor saves them.
fn is_answers(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    [".yaml", ".yml", ".yaml.txt", ".yml.txt"].iter().any(|end| name.ends_with(end))
}
