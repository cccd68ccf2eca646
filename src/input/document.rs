//! A parsed file as a tree in which every value and every key knows its place in the text.
//!
//! This file must not decode into the types of others (`typed` does) and must not touch the YAML
//! library (`build` does).

use super::path::{Path, Seg};
use super::problem::{Pos, Problem};
use super::source::Source;

/// Index of a node in [`Document::nodes`].
pub(super) type NodeId = usize;

/// The root is always made first.
pub(super) const ROOT: NodeId = 0;

/// A key with its value. Keys are nodes too, since they have places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub key: NodeId,
    pub value: NodeId,
}

/// What a node holds.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A text, cleaned; `plain` if it is neither in quotes nor a block.
    Scalar { text: String, plain: bool },
    /// Items.
    List(Vec<NodeId>),
    /// Entries in the order of the file; of repeated keys only the first.
    Map(Vec<Entry>),
}

/// One value or key.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub pos: Pos,
    /// Where it starts in the text, in bytes.
    pub offset: usize,
    pub parent: Option<NodeId>,
    /// The step from the parent; a key has the step of its value.
    pub seg: Option<Seg>,
    pub kind: Kind,
}

/// A parsed file: its values, and where each of them stands.
///
/// Use it for what can be checked only after decoding: name the value by its [`Path`], and the
/// problem gets the exact place.
///
/// ```
/// use lockstep::input::{Document, Path, Source};
/// let source = Source::from_text("a.yaml", "nodes: [P1, P2]\nsteps:\n  - event: deliver P9>P1\n", "lesson")?;
/// let document = Document::of(&source)?;
/// let event = Path::root().key("steps").index(0).key("event");
/// let problem = document.problem(&event, "no node P9");
/// assert_eq!(problem.to_string(), "a.yaml:3:12: item 1 of `steps`: no node P9");
/// # Ok::<(), lockstep::input::Problems>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    pub(super) source: Source,
    pub(super) nodes: Vec<Node>,
}

impl Document {
    /// The same document with other texts, keys included, each still where it stood.
    #[must_use]
    pub fn with_texts(&self, mut text: impl FnMut(Pos, &str) -> String) -> Document {
        let mut new = self.clone();
        for node in &mut new.nodes {
            let (pos, kind) = (node.pos, &mut node.kind);
            if let Kind::Scalar { text: old, .. } = kind {
                *old = text(pos, old);
            }
        }
        new
    }

    /// The text at a path, if one stands there.
    #[must_use]
    pub fn text_at(&self, path: &Path) -> Option<&str> {
        let (id, steps) = self.nearest_node(path);
        self.text_of(id).filter(|_| steps == path.segs().len())
    }

    /// The text that was parsed.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// True if there is a value at this path.
    #[must_use]
    pub fn has(&self, path: impl Into<Path>) -> bool {
        let path = path.into();
        self.nearest_node(&path).1 == path.segs().len()
    }

    /// The keys behind whose colon nothing stands, in the order of the file.
    #[must_use]
    pub fn keys_without_value(&self) -> Vec<Path> {
        let empty =
            |kind: &Kind| matches!(kind, Kind::Scalar { text, plain: true } if text.is_empty());
        let entries = (0..self.nodes.len()).filter_map(|id| self.entries(id)).flatten();
        let entries = entries.filter(|entry| empty(&self.nodes[entry.value].kind));
        entries.map(|entry| self.path_of(entry.value)).collect()
    }

    /// Where the value at a path starts; if there is none, its nearest existing ancestor.
    #[must_use]
    pub fn value(&self, path: impl Into<Path>) -> Pos {
        self.nodes[self.nearest_node(&path.into()).0].pos
    }

    /// Where the key of a path stands; for a list item, and for what does not exist, as
    /// [`Document::value`].
    #[must_use]
    pub fn key(&self, path: impl Into<Path>) -> Pos {
        let path = path.into();
        let (id, found) = self.nearest_node(&path);
        let key = self.nodes[id]
            .parent
            .and_then(|parent| self.entries(parent))
            .and_then(|entries| entries.iter().find(|entry| entry.value == id))
            .filter(|_| found == path.segs().len());
        self.nodes[key.map_or(id, |entry| entry.key)].pos
    }

    /// A problem with the value at a path.
    #[must_use]
    pub fn problem(&self, path: impl Into<Path>, message: impl AsRef<str>) -> Problem {
        let path = path.into();
        self.source.problem(self.value(&path), message).with_path(&path)
    }

    /// A problem with the key of a path.
    #[must_use]
    pub fn key_problem(&self, path: impl Into<Path>, message: impl AsRef<str>) -> Problem {
        let path = path.into();
        self.source.problem(self.key(&path), message).with_path(&path)
    }

    /// The path of a node.
    pub(super) fn path_of(&self, id: NodeId) -> Path {
        let mut segs = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            segs.extend(self.nodes[id].seg.clone());
            at = self.nodes[id].parent;
        }
        segs.into_iter().rev().collect()
    }

    /// The entries of a map, or nothing if the node is none.
    pub(super) fn entries(&self, id: NodeId) -> Option<&[Entry]> {
        match &self.nodes[id].kind {
            Kind::Map(entries) => Some(entries),
            Kind::Scalar { .. } | Kind::List(_) => None,
        }
    }

    /// The text of a scalar.
    pub(super) fn text_of(&self, id: NodeId) -> Option<&str> {
        match &self.nodes[id].kind {
            Kind::Scalar { text, .. } => Some(text),
            Kind::List(_) | Kind::Map(_) => None,
        }
    }

    /// The character of the source with which a node starts.
    pub(super) fn first_char(&self, id: NodeId) -> Option<char> {
        self.source.text()[self.nodes[id].offset..].chars().next()
    }

    /// The node at a path or its nearest existing ancestor, and how many steps lead there.
    pub(super) fn nearest_node(&self, path: &Path) -> (NodeId, usize) {
        let mut at = ROOT;
        for (steps, seg) in path.segs().iter().enumerate() {
            match self.child(at, seg) {
                Some(child) => at = child,
                None => return (at, steps),
            }
        }
        (at, path.segs().len())
    }

    fn child(&self, id: NodeId, seg: &Seg) -> Option<NodeId> {
        match (&self.nodes[id].kind, seg) {
            (Kind::List(items), Seg::Index(index)) => items.get(*index).copied(),
            (Kind::Map(entries), Seg::Key(key)) => entries
                .iter()
                .find(|entry| self.text_of(entry.key) == Some(key.as_str()))
                .map(|entry| entry.value),
            _ => None,
        }
    }
}
