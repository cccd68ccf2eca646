//! Decodes a parsed [`Document`] into a type, and finds all that does not fit, not only the first.
//!
//! A decoder stops at its first fault; so the faulty value is left out and the decoding is done
//! again, until nothing new turns up.
//!
//! This file must not parse text and must not know any type of a layer above.

use serde::de::DeserializeOwned;

use super::decoder::Decoder;
use super::document::{Document, Kind, NodeId, ROOT};
use super::fault::Fault;
use super::problem::{MOST_PROBLEMS, Problem};
use super::words::nearest;

/// Decodes a document and notes the problems. A value comes back only if there are none of this
/// kind.
pub(super) fn read<T: DeserializeOwned>(
    document: &Document,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let mut left_out = vec![false; document.nodes.len()];
    let value = read_what_fits(document, problems, &mut left_out);
    value.filter(|_| !left_out.contains(&true))
}

/// Decodes as much of a document as fits: what does not is left out, and a value comes back if the type
/// can do without it.
pub(super) fn read_what_fits<T: DeserializeOwned>(
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

/// What all decoders of one pass share.
pub(super) struct Context<'d> {
    pub document: &'d Document,
    /// Values with a fault, which later passes do as if they were not there.
    pub left_out: &'d [bool],
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
        match fault.help {
            Some(help) => problem.with_help(help),
            None => problem,
        }
    }
}
