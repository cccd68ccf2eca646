//! The one way by which files come in: limits, parsing, decoding, and problems with their places.
//!
//! Everything that people write for us is YAML: lessons, answers, runs, settings. This module is
//! the only one that knows so, and it uses no other module of ours. It must not know what is in
//! those files.
//!
//! ```text
//! bytes ─ Source ─ Document ─ your type
//!         limits   places     unknown keys, wrong kinds of values
//! ```
//!
//! ```
//! use lockstep::input::{self, Source};
//! use serde::Deserialize;
//!
//! #[derive(Debug, Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Cluster {
//!     nodes: Vec<String>,
//!     ordered: bool,
//! }
//!
//! let source = Source::from_text("a.yaml", "node: [P1]\nordered: no\n", "cluster")?;
//! let problems = input::parse::<Cluster>(&source).unwrap_err();
//! assert_eq!(
//!     problems.to_string(),
//!     "a.yaml:1:1: unknown key `node`; allowed here: `nodes` or `ordered` (did you mean `nodes`?)\n\
//!      a.yaml:2:10: found `no`: write true or false",
//! );
//! # Ok::<(), input::Problems>(())
//! ```
//!
//! Rules for every file, whatever it is decoded into:
//! - Text is kept as written. `no`, `on`, `null`, `~`, `1.0`, `08`, `0x1F` and `12:30` in a text
//!   field are these very letters; a true-or-false field takes `true` and `false` alone; a number
//!   is decimal and without quotes.
//! - A value that was omitted (`key:`) is no value: none for an `Option`, an empty list or map.
//! - A repeated key is an error at its second place, in every map.
//! - Keys that start with `x-` are the author's own wherever the keys are fixed, and are skipped.
//! - Anchors, aliases, tags and second documents are refused.
//! - All text is cleaned (see [`clean`]), in values, keys and messages alike.

mod build;
#[cfg(test)]
mod build_check;
mod clean;
mod comments;
mod count;
mod decoder;
mod document;
mod drawn;
mod edit;
mod emit;
mod fault;
mod fold;
mod path;
mod problem;
mod source;
mod syntax;
mod typed;
mod types;
mod words;

pub use clean::clean;
pub use comments::comment_warnings;
pub use count::{count, noun, verb};
pub use document::Document;
pub use edit::Edit;
pub use emit::{raw_to_yaml, to_yaml};
pub use fold::{folded, unfolded};
pub use path::{Path, Seg};
pub use problem::{Pos, Problem, Problems, Severity};
pub use source::{Limits, Source};
pub use typed::Fitting;
pub use types::{OrderedMap, Raw, Text};
pub use words::{nearest, not_among, numbers};

use serde::de::DeserializeOwned;

/// Parses a file into a type.
///
/// # Errors
/// Everything that is wrong with the file, in the order of its text: see [`Document::of`] and
/// [`Document::read`].
pub fn parse<T: DeserializeOwned>(source: &Source) -> Result<T, Problems> {
    parse_with_places(source).map(|(value, _)| value)
}

/// Parses a file as far as that is possible: the document, if the text is YAML at all, and what is wrong
/// with it as such.
#[must_use]
pub fn parse_text(source: &Source) -> (Option<Document>, Vec<Problem>) {
    build::build(source)
}

/// Parses a file into a type and keeps the places of its values, for checks that come later.
///
/// # Errors
/// As [`parse`].
pub fn parse_with_places<T: DeserializeOwned>(source: &Source) -> Result<(T, Document), Problems> {
    let (document, problems) = build::build(source);
    let Some(document) = document else {
        return Err(Problems::of(problems).unwrap_or_else(|| source.empty().into()));
    };
    document.read_beside(problems).map(|value| (value, document))
}
