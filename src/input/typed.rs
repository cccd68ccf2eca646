//! Decodes a parsed [`Document`] into a type, and finds all that does not fit, not only the first.
//!
//! A decoder stops at its first fault; so the faulty value is left out and the decoding is done
//! again, until nothing new turns up.
//!
//! This file must not parse text and must not know any type of a layer above.

use serde::de::DeserializeOwned;

use super::clean::quoted;
use super::decoder::{Context, Decoder};
use super::document::{Document, Entry, Kind, NodeId, ROOT};
use super::fault::Fault;
use super::path::Path;
use super::problem::{MOST_PROBLEMS, Problem, Problems};
use super::words::nearest;

/// What of a document fits a type.
#[derive(Clone, Debug)]
pub struct Fitting<T> {
    /// The value, if the type can do without what does not fit.
    pub value: Option<T>,
    /// What does not fit.
    pub problems: Vec<Problem>,
    /// Where values were left out.
    pub left_out: Vec<Path>,
}

impl Document {
    /// Decodes the document.
    ///
    /// # Errors
    /// Everything that does not fit the type: unknown and missing keys, wrong kinds of values,
    /// refusals of the type itself; up to twenty of them at once.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Problems> {
        self.read_beside(Vec::new())
    }

    /// Decodes, and adds what does not fit to the problems known already.
    pub(super) fn read_beside<T: DeserializeOwned>(
        &self,
        mut problems: Vec<Problem>,
    ) -> Result<T, Problems> {
        let fitting = self.read_what_fits();
        problems.extend(fitting.problems);
        match (fitting.value.filter(|_| fitting.left_out.is_empty()), Problems::of(problems)) {
            (Some(value), None) => Ok(value),
            (_, Some(problems)) => Err(problems),
            (None, None) => Err(self.problem(Path::root(), "cannot be read").into()),
        }
    }

    /// Decodes as much of the document as fits; what does not is left out and told.
    #[must_use]
    pub fn read_what_fits<T: DeserializeOwned>(&self) -> Fitting<T> {
        let mut left_out = vec![false; self.nodes.len()];
        let mut problems = Vec::new();
        let value = decode(self, &mut problems, &mut left_out);
        let ids = left_out.iter().enumerate().filter(|(_, out)| **out);
        let left_out = ids.map(|(id, _)| self.path_of(id)).collect();
        Fitting { value, problems, left_out }
    }
}

/// Decodes as much of a document as fits: what does not is left out, and a value comes back if the type
/// can do without it.
fn decode<T: DeserializeOwned>(
    document: &Document,
    problems: &mut Vec<Problem>,
    left_out: &mut [bool],
) -> Option<T> {
    let mut found = 0;
    loop {
        let cx = Context { document, left_out };
        let fault = match T::deserialize(Decoder::at(&cx, ROOT)) {
            Ok(value) => return Some(value),
            Err(fault) => fault,
        };
        let node = fault.node.unwrap_or(ROOT);
        if found == 0 || !cx.is_consequence(node, &fault) {
            problems.push(cx.problem(node, fault));
            found += 1;
        }
        if found == MOST_PROBLEMS {
            let message = format!("{found} problems so far; the rest was not checked");
            problems.push(document.source.problem(document.nodes[node].pos, message));
            break;
        }
        let victim = cx.value_of(node);
        if victim == ROOT || left_out[victim] {
            break;
        }
        left_out[victim] = true;
    }
    None
}

impl Context<'_> {
    /// For a key its value, since both are left out together.
    fn value_of(&self, node: NodeId) -> NodeId {
        let parent = self.document.nodes[node].parent;
        let entries = parent.and_then(|parent| self.document.entries(parent));
        let entry = entries.and_then(|entries| entries.iter().find(|entry| entry.key == node));
        entry.map_or(node, |entry| entry.value)
    }

    /// True if a fault comes only from what earlier passes left out.
    fn is_consequence(&self, node: NodeId, fault: &Fault) -> bool {
        match fault.missing {
            Some(name) => self.document.entries(node).unwrap_or_default().iter().any(|entry| {
                let key = self.document.text_of(entry.key).unwrap_or_default();
                self.left_out[entry.value] && nearest(key, [name]).is_some()
            }),
            None => self.lacks_something(node),
        }
    }

    /// True if something inside the node was left out.
    fn lacks_something(&self, node: NodeId) -> bool {
        let lacks = |id: NodeId| self.left_out[id] || self.lacks_something(id);
        match &self.document.nodes[node].kind {
            Kind::Scalar { .. } => false,
            Kind::List(items) => items.iter().any(|id| lacks(*id)),
            Kind::Map(entries) => entries.iter().any(|entry| lacks(entry.value)),
        }
    }

    fn problem(&self, node: NodeId, fault: Fault) -> Problem {
        let at = &self.document.nodes[node];
        let path = self.document.path_of(node);
        let problem = self.document.source.problem(at.pos, fault.message).with_path(&path);
        match fault.help.or_else(|| self.one_level_off(node).filter(|_| fault.unknown)) {
            Some(help) => problem.with_help(help),
            None => problem,
        }
    }

    /// Where a key may belong, if one above it has no value.
    fn one_level_off(&self, key: NodeId) -> Option<String> {
        let entries = self.document.entries(self.document.nodes[key].parent?)?;
        let above = entries.split(|entry| entry.key == key).next()?.iter();
        let is_empty = |entry: &&Entry| {
            let value = &self.document.nodes[entry.value].kind;
            matches!(value, Kind::Scalar { text, plain: true } if text.is_empty())
        };
        let name = quoted(self.document.text_of(above.rev().find(is_empty)?.key)?);
        Some(format!("if it belongs to {name} above, which has no value, start it further right"))
    }
}
