//! The text of an algorithm that somebody wrote themselves.
//!
//! Only text and its name: what it means is found out in `script`.

use std::hash::{Hash, Hasher};

/// How names of files with an algorithm end.
pub const SCRIPT_ENDING: &str = ".rhai";

/// The text of an algorithm that somebody wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The file's name, or how else messages call it.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Script {
    /// A text with the name by which messages call it.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Whether a word names a file with an algorithm.
    #[must_use]
    pub fn is_named(word: &str) -> bool {
        word.ends_with(SCRIPT_ENDING)
    }

    /// Eight figures and letters that another text hardly has: saved runs keep them.
    #[must_use]
    pub fn mark(&self) -> String {
        let mut hasher = rustc_hash::FxHasher::default();
        self.text.hash(&mut hasher);
        format!("{:08x}", hasher.finish() >> 32)
    }
}
