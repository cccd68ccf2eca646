//! Names a place inside a YAML document: `steps[3].predict.event`.
//!
//! This file must not know where that place stands in the text; `document` does.

use std::fmt;

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seg {
    /// The value under a key of a map.
    Key(String),
    /// An item of a list, counted from 0.
    Index(usize),
}

/// A place inside a document, from the root downwards.
///
/// ```
/// use lockstep::input::Path;
/// let path = Path::root().key("steps").index(3).key("predict");
/// assert_eq!(path, Path::from("steps[3].predict"));
/// assert_eq!(path.to_string(), "steps[3].predict");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(Vec<Seg>);

impl Path {
    /// The document itself.
    #[must_use]
    pub fn root() -> Path {
        Path::default()
    }

    /// The value under `key`.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Path {
        self.0.push(Seg::Key(key.into()));
        self
    }

    /// Item `index`, counted from 0.
    #[must_use]
    pub fn index(mut self, index: usize) -> Path {
        self.0.push(Seg::Index(index));
        self
    }

    /// The steps from the root downwards.
    #[must_use]
    pub fn segs(&self) -> &[Seg] {
        &self.0
    }

    /// The innermost list item on the way, as people count: "item 4 of `steps`".
    pub(super) fn item_in_words(&self) -> Option<String> {
        let (at, index) = self.0.iter().enumerate().rev().find_map(|(at, seg)| match seg {
            Seg::Index(index) => Some((at, index)),
            Seg::Key(_) => None,
        })?;
        let list = self.0[..at].iter().rev().find_map(|seg| match seg {
            Seg::Key(key) => Some(key),
            Seg::Index(_) => None,
        });
        Some(match list {
            Some(key) => format!("item {} of `{key}`", index + 1),
            None => format!("item {}", index + 1),
        })
    }
}

impl FromIterator<Seg> for Path {
    fn from_iter<I: IntoIterator<Item = Seg>>(segs: I) -> Path {
        Path(segs.into_iter().collect())
    }
}

/// Reads the written form. A key that itself holds `.` or `[` is built with [`Path::key`].
impl From<&str> for Path {
    fn from(text: &str) -> Path {
        let mut path = Path::root();
        for part in text.split('.').filter(|part| !part.is_empty()) {
            let (key, indices) = part.split_once('[').map_or((part, ""), |(key, rest)| (key, rest));
            if !key.is_empty() {
                path = path.key(key);
            }
            for index in indices.split('[') {
                if let Ok(index) = index.trim_end_matches(']').parse() {
                    path = path.index(index);
                }
            }
        }
        path
    }
}

impl From<&Path> for Path {
    fn from(path: &Path) -> Path {
        path.clone()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, seg) in self.0.iter().enumerate() {
            match seg {
                Seg::Key(key) if i > 0 => write!(f, ".{key}")?,
                Seg::Key(key) => f.write_str(key)?,
                Seg::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_form_reads_back() {
        for text in ["", "steps", "steps[3].predict.event", "[0][2].a", "cluster.clocks.P1"] {
            assert_eq!(Path::from(text).to_string(), text);
        }
    }

    #[test]
    fn items_are_counted_from_one_for_people() {
        let words = |text: &str| Path::from(text).item_in_words();
        assert_eq!(words("steps[3].predict").as_deref(), Some("item 4 of `steps`"));
        assert_eq!(words("steps[3].run[0]").as_deref(), Some("item 1 of `run`"));
        assert_eq!(words("[1]").as_deref(), Some("item 2"));
        assert_eq!(words("cluster.nodes"), None);
    }
}
