//! Builds a [`Document`] out of what the YAML library reads, with the place of every node.
//!
//! The library tells places in errors only, but it tells them exactly, and asking for an enum
//! makes it look at the next node without taking it. So each node is asked for twice: first for
//! an enum that we refuse (the error says kind and place), then for its content. One pass over
//! the text gives the whole tree.
//!
//! This file must not know the types that files are decoded into.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, Visitor,
};

use super::clean::{clean, is_hidden, quoted};
use super::document::{Document, Entry, Kind, Node, NodeId, ROOT};
use super::path::{Path, Seg};
use super::problem::{MOST_PROBLEMS, Pos, Problem};
use super::source::Source;
use super::syntax;

/// Names longer than this are no keys; it also bounds the cost of the library's messages.
const LONGEST_KEY: usize = 128;

/// How the refused enum ends for each kind of node. The two last are the library's own words.
const SCALAR: &str = "lockstep: a scalar";
const TAGGED: &str = "lockstep: a tag";
const MAP: &str = "invalid type: map, expected a YAML tag starting with '!'";
const LIST: &str = "invalid type: sequence, expected a YAML tag starting with '!'";

/// Parses a source. The document is there whenever the text is YAML at all, even if there are
/// problems with it such as repeated keys.
pub(super) fn build(source: &Source) -> (Option<Document>, Vec<Problem>) {
    let mut builder = Builder::new(source);
    let read = builder.read();
    let Builder { nodes, mut problems, fatal, .. } = builder;
    let whole = read.is_ok() && fatal.is_none();
    problems.extend(fatal.or_else(|| read.err().map(|error| syntax::explain(source, &error))));
    (whole.then(|| Document { source: source.clone(), nodes }), problems)
}

/// What looking at a node tells without taking it.
#[derive(Clone, Copy)]
struct Look {
    shape: Shape,
    pos: Pos,
    offset: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Scalar,
    List,
    Map,
    Tagged,
}

/// Where a node hangs.
struct Place {
    parent: Option<NodeId>,
    seg: Option<Seg>,
    depth: usize,
}

struct Builder<'s> {
    source: &'s Source,
    nodes: Vec<Node>,
    problems: Vec<Problem>,
    /// The problem that stopped the pass.
    fatal: Option<Problem>,
    /// A place and its byte in the text, from which the next ones are counted.
    cursor: (Pos, usize),
}

impl<'s> Builder<'s> {
    fn new(source: &'s Source) -> Builder<'s> {
        let (nodes, problems) = (Vec::new(), Vec::new());
        Builder { source, nodes, problems, fatal: None, cursor: (Pos::START, 0) }
    }

    fn read(&mut self) -> Result<(), serde_yaml::Error> {
        let text = self.source.text();
        let look = Looking(self).deserialize(first_document(text))?;
        let mut documents = serde_yaml::Deserializer::from_str(text);
        let document = documents.next().unwrap_or_else(|| serde_yaml::Deserializer::from_str(""));
        let place = Place { parent: None, seg: None, depth: 0 };
        Taking { builder: self, look, place }.deserialize(document)?;
        if let Some(second) = documents.next() {
            let pos = match Looking(self).deserialize(second) {
                Ok(look) => look.pos,
                Err(error) => syntax::position(&error).unwrap_or(Pos::START),
            };
            self.fatal = Some(syntax::second_document(self.source, pos));
        } else if self.is_nothing(ROOT) {
            self.fatal = Some(self.source.empty());
        }
        Ok(())
    }

    /// Stops the pass with a problem.
    fn stop<E: de::Error>(&mut self, problem: Problem) -> E {
        self.fatal = Some(problem);
        E::custom("stopped")
    }

    /// Notes a problem after which the pass goes on, up to a reasonable number.
    fn note<E: de::Error>(&mut self, problem: Problem) -> Result<(), E> {
        let pos = problem.pos();
        self.problems.push(problem);
        if self.problems.len() < MOST_PROBLEMS {
            return Ok(());
        }
        let message = format!("{MOST_PROBLEMS} problems so far; the rest of the file was not read");
        Err(self.stop(self.source.problem(pos, message)))
    }

    /// The byte at which a place stands. Places mostly come in order, so the count goes on from
    /// the one before.
    fn offset(&mut self, pos: Pos) -> usize {
        let (from, mut offset) = self.cursor;
        let mut column = from.column;
        if from.line != pos.line || from.column > pos.column {
            offset = self.source.line_start(pos.line);
            column = 1;
        }
        let ahead = self.source.text()[offset..].char_indices();
        let mut line = ahead.take_while(|(_, c)| *c != '\n');
        let within = match line.nth(pos.column - column) {
            Some((at, _)) => at,
            None => self.source.line_end(pos.line).saturating_sub(offset),
        };
        self.cursor = (pos, offset + within);
        offset + within
    }

    /// Refuses what no file of ours needs, before it is taken.
    fn admit<E: de::Error>(&mut self, look: Look, depth: usize) -> Result<(), E> {
        let limits = self.source.limits();
        let first = self.source.text()[look.offset..].chars().next();
        if let Some(c @ ('&' | '!')) = first {
            let problem = syntax::unsupported(self.source, look.pos, c);
            return Err(self.stop(problem));
        }
        if look.shape != Shape::Scalar && depth >= limits.depth {
            let problem = self.source.too_deep(look.pos);
            return Err(self.stop(problem));
        }
        if self.nodes.len() >= limits.nodes {
            let message = format!("too much: at most {} values are read", limits.nodes);
            let problem = self.source.problem(look.pos, message);
            return Err(self.stop(problem));
        }
        Ok(())
    }

    fn push(&mut self, look: Look, place: &Place, kind: Kind) -> NodeId {
        let Look { pos, offset, .. } = look;
        self.nodes.push(Node { pos, offset, parent: place.parent, seg: place.seg.clone(), kind });
        self.nodes.len() - 1
    }

    /// A scalar is plain unless its first character says otherwise. An empty plain scalar has no
    /// character of its own.
    fn scalar(&self, look: Look, text: &str) -> Kind {
        let first = self.source.text()[look.offset..].chars().next();
        let plain = !matches!(first, Some('"' | '\'' | '|' | '>'));
        Kind::Scalar { text: clean(text).into_owned(), plain }
    }

    /// Where they are not left out quietly, notes control characters. What merely takes no room is left
    /// out everywhere.
    fn check_unseen<E: de::Error>(&mut self, look: Look, text: &str) -> Result<(), E> {
        let unseen = text.chars().find(|c| is_hidden(*c) && c.is_control());
        match unseen.filter(|_| !self.source.limits().unseen) {
            None => Ok(()),
            Some(c) => {
                let message =
                    format!("the text holds a character that nobody sees, U+{:04X}", u32::from(c));
                self.note(self.source.problem(look.pos, message))
            }
        }
    }

    /// Names a key, and refuses what is no name.
    fn key_name<E: de::Error>(&mut self, look: Look, text: &str) -> Result<String, E> {
        let name = clean(text).into_owned();
        let message = if name.is_empty() {
            "a key is missing before the `:`".to_owned()
        } else if name.chars().count() > LONGEST_KEY {
            format!("the key {} is too long", quoted(&name))
        } else {
            return Ok(name);
        };
        let problem = self.source.problem(look.pos, message);
        Err(self.stop(problem))
    }

    /// The path of a node.
    fn path_of(&self, id: NodeId) -> Path {
        let mut segs = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            segs.extend(self.nodes[id].seg.clone());
            at = self.nodes[id].parent;
        }
        segs.into_iter().rev().collect()
    }

    fn is_nothing(&self, id: NodeId) -> bool {
        match self.nodes.get(id).map(|node| &node.kind) {
            Some(Kind::Scalar { text, plain }) => {
                *plain && matches!(text.as_str(), "" | "~" | "null")
            }
            Some(Kind::List(_) | Kind::Map(_)) => false,
            None => true,
        }
    }
}

fn first_document(text: &str) -> serde_yaml::Deserializer<'_> {
    let mut documents = serde_yaml::Deserializer::from_str(text);
    documents.next().unwrap_or_else(|| serde_yaml::Deserializer::from_str(""))
}

/// Looks at the next node and leaves it where it is.
struct Looking<'b, 's>(&'b mut Builder<'s>);

impl<'de> DeserializeSeed<'de> for Looking<'_, '_> {
    type Value = Look;

    fn deserialize<D: Deserializer<'de>>(self, node: D) -> Result<Look, D::Error> {
        let error = match node.deserialize_enum("", &[], Refusing) {
            Ok(never) => match never {},
            Err(error) => error,
        };
        let text = error.to_string();
        let (said, pos) = syntax::split_position(&text);
        let shape = [
            (SCALAR, Shape::Scalar),
            (TAGGED, Shape::Tagged),
            (MAP, Shape::Map),
            (LIST, Shape::List),
        ];
        let shape = shape.iter().find(|(words, _)| said.ends_with(words));
        let Some((_, shape)) = shape else { return Err(error) };
        let pos = pos.unwrap_or(Pos::START);
        Ok(Look { shape: *shape, pos, offset: self.0.offset(pos) })
    }
}

/// Refuses whatever it is shown; says whether a scalar has a tag.
struct Refusing;

impl<'de> Visitor<'de> for Refusing {
    type Value = Infallible;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, node: A) -> Result<Infallible, A::Error> {
        let (tagged, _) = node.variant_seed(IsTag)?;
        Err(A::Error::custom(if tagged { TAGGED } else { SCALAR }))
    }
}

/// A tag comes as a string of its own; anything else is the node itself, still untouched.
struct IsTag;

impl<'de> DeserializeSeed<'de> for IsTag {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, node: D) -> Result<bool, D::Error> {
        node.deserialize_newtype_struct("", self)
    }
}

impl<'de> Visitor<'de> for IsTag {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tag or a node")
    }

    fn visit_str<E: de::Error>(self, _tag: &str) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, _node: D) -> Result<bool, D::Error> {
        Ok(false)
    }
}

/// Takes the node that was looked at, with all that is in it.
struct Taking<'b, 's> {
    builder: &'b mut Builder<'s>,
    look: Look,
    place: Place,
}

impl<'de> DeserializeSeed<'de> for Taking<'_, '_> {
    type Value = NodeId;

    fn deserialize<D: Deserializer<'de>>(self, node: D) -> Result<NodeId, D::Error> {
        match self.look.shape {
            Shape::Tagged => {
                let error = match node.deserialize_bool(Refusing) {
                    Ok(never) => match never {},
                    Err(error) => error,
                };
                let text = error.to_string();
                let pos = syntax::split_position(&text).1.unwrap_or(Pos::START);
                let problem = syntax::unsupported(self.builder.source, pos, '!');
                Err(self.builder.stop(problem))
            }
            shape => {
                self.builder.admit(self.look, self.place.depth)?;
                match shape {
                    Shape::List => node.deserialize_seq(self),
                    Shape::Map => node.deserialize_map(self),
                    Shape::Scalar | Shape::Tagged => node.deserialize_str(self),
                }
            }
        }
    }
}

impl<'de> Visitor<'de> for Taking<'_, '_> {
    type Value = NodeId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<NodeId, E> {
        self.builder.check_unseen(self.look, text)?;
        let kind = self.builder.scalar(self.look, text);
        Ok(self.builder.push(self.look, &self.place, kind))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<NodeId, A::Error> {
        let Taking { builder, look, place } = self;
        let id = builder.push(look, &place, Kind::List(Vec::new()));
        let mut items = Vec::new();
        while let Some(look) = list.next_element_seed(Looking(builder))? {
            let place = Place {
                parent: Some(id),
                seg: Some(Seg::Index(items.len())),
                depth: place.depth + 1,
            };
            items.extend(list.next_element_seed(Taking { builder, look, place })?);
        }
        builder.nodes[id].kind = Kind::List(items);
        Ok(id)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NodeId, A::Error> {
        let Taking { builder, look, place } = self;
        let id = builder.push(look, &place, Kind::Map(Vec::new()));
        let mut entries = Vec::new();
        let mut lines: HashMap<String, usize> = HashMap::new();
        while let Some(look) = map.next_key_seed(Looking(builder))? {
            let Some((key, name)) = map.next_key_seed(Naming { builder, look, map: id })? else {
                break;
            };
            let seg = Some(Seg::Key(name.clone()));
            let value_look = map.next_value_seed(Looking(builder))?;
            let place = Place { parent: Some(id), seg, depth: place.depth + 1 };
            let value = map.next_value_seed(Taking { builder, look: value_look, place })?;
            let line = look.pos.line;
            match lines.get(&name) {
                None => {
                    lines.insert(name, line);
                    entries.push(Entry { key, value });
                }
                Some(first) => {
                    let message = format!(
                        "the key {} is repeated: on line {first} and line {line}",
                        quoted(&name)
                    );
                    let path = builder.path_of(id).key(name);
                    builder.note(builder.source.problem(look.pos, message).with_path(&path))?;
                }
            }
        }
        builder.nodes[id].kind = Kind::Map(entries);
        Ok(id)
    }
}

/// Takes a key.
struct Naming<'b, 's> {
    builder: &'b mut Builder<'s>,
    look: Look,
    map: NodeId,
}

impl<'de> DeserializeSeed<'de> for Naming<'_, '_> {
    type Value = (NodeId, String);

    fn deserialize<D: Deserializer<'de>>(self, node: D) -> Result<Self::Value, D::Error> {
        let Naming { builder, look, map } = self;
        if matches!(look.shape, Shape::List | Shape::Map) {
            let problem = builder.source.problem(look.pos, "a key must be a single word or text");
            return Err(builder.stop(problem));
        }
        let place = Place { parent: Some(map), seg: None, depth: 0 };
        let key = Taking { builder: &mut *builder, look, place }.deserialize(node)?;
        let text = match &builder.nodes[key].kind {
            Kind::Scalar { text, .. } => text.clone(),
            Kind::List(_) | Kind::Map(_) => String::new(),
        };
        let name = builder.key_name(look, &text)?;
        builder.nodes[key].seg = Some(Seg::Key(name.clone()));
        Ok((key, name))
    }
}
