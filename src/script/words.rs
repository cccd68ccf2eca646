//! Words that scripts bring along: kinds, variables, rules.
//!
//! The rest of the program knows such words for as long as it runs. Each is kept once, whoever uses it:
//! a class that fills in one skeleton brings its words once.

use crate::algorithm::Info;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A kind of message as a script declares it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Declared {
    /// Its name.
    pub name: &'static str,
    /// The names of its values.
    pub values: &'static [&'static str],
    /// Whether the first of them is a stamp.
    pub stamped: bool,
    /// Whether it asks for something.
    pub asks: bool,
    /// Whether it is a token.
    pub token: bool,
}

static WORDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
static LISTS: Mutex<BTreeSet<&'static [&'static str]>> = Mutex::new(BTreeSet::new());
static INFOS: LazyLock<Mutex<BTreeMap<String, &'static Info>>> = LazyLock::new(Mutex::default);

/// The one copy of a word.
pub(super) fn word(text: &str) -> &'static str {
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.get(text) {
        return known;
    }
    let kept: &'static str = Box::leak(text.into());
    words.insert(kept);
    kept
}

/// The one copy of a list of words.
pub(super) fn list(words: &[&'static str]) -> &'static [&'static str] {
    let mut lists = LISTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lists.get(words) {
        return known;
    }
    let kept: &'static [&'static str] = Box::leak(words.into());
    lists.insert(kept);
    kept
}

/// The one copy of what algorithms tell of themselves that tell the same.
pub(super) fn info(made: impl FnOnce() -> Info, key: String) -> &'static Info {
    let mut infos = INFOS.lock().unwrap_or_else(PoisonError::into_inner);
    infos.entry(key).or_insert_with(|| Box::leak(Box::new(made())))
}

static KINDS: Mutex<BTreeSet<&'static Declared>> = Mutex::new(BTreeSet::new());

/// The one copy of a kind of message.
pub(super) fn declared(kind: &Declared) -> &'static Declared {
    let mut kinds = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kinds.get(kind) {
        return known;
    }
    let kept: &'static Declared = Box::leak(Box::new(kind.clone()));
    kinds.insert(kept);
    kept
}
