//! What a variable of a script holds, in a form that can be compared, hashed and handed to other threads.
//!
//! The interpreter's own values are neither; each call turns these into them and back.

use super::words;
use crate::model::{Names, NodeId, NodeSet, Stamp, Value};
use rhai::{Array, Dynamic, INT, ImmutableString, Map};
use std::sync::Arc;

/// The most parts of one value: items, and items of items.
pub(super) const MOST_PARTS: usize = 200;

/// What a variable or a message of a script holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Val {
    /// Nothing; earlier than everything else.
    None,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A node.
    Node(NodeId),
    /// A stamp.
    Stamp(Stamp),
    /// A set of nodes.
    Set(NodeSet),
    /// A text.
    Text(Arc<str>),
    /// A list.
    List(Box<[Val]>),
    /// One value for each node.
    Each(Box<[Val]>),
    /// Values by names.
    Map(Box<[(Arc<str>, Val)]>),
}

/// One value for each node, as scripts handle it.
#[derive(Clone, Debug)]
pub(super) struct Each(pub(super) Vec<Dynamic>);

impl Val {
    /// The interpreter's form.
    pub(super) fn to_dynamic(&self) -> Dynamic {
        let all = |items: &[Self]| items.iter().map(Self::to_dynamic).collect::<Vec<_>>();
        match self {
            Self::None => Dynamic::UNIT,
            Self::Bool(b) => (*b).into(),
            Self::Int(n) => (*n).into(),
            Self::Node(n) => Dynamic::from(*n),
            Self::Stamp(s) => Dynamic::from(*s),
            Self::Set(s) => Dynamic::from(*s),
            Self::Text(t) => ImmutableString::from(&**t).into(),
            Self::List(items) => Dynamic::from_array(all(items)),
            Self::Each(items) => Dynamic::from(Each(all(items))),
            Self::Map(items) => {
                let pair = |(k, v): &(Arc<str>, Self)| (k.to_string().into(), v.to_dynamic());
                Dynamic::from_map(items.iter().map(pair).collect())
            }
        }
    }

    /// From the interpreter's form.
    ///
    /// # Errors
    /// It is too large, or nothing that a node can keep.
    pub(super) fn of(value: &Dynamic) -> Result<Self, String> {
        Self::counted(value, &mut 0)
    }

    fn counted(value: &Dynamic, parts: &mut usize) -> Result<Self, String> {
        *parts += 1;
        if *parts > MOST_PARTS {
            return Err(format!("a value has at most {MOST_PARTS} parts"));
        }
        let mut all = |items: &[Dynamic]| -> Result<Box<[Self]>, String> {
            items.iter().map(|item| Self::counted(item, parts)).collect()
        };
        let value = value.flatten_clone();
        Ok(if value.is_unit() {
            Self::None
        } else if let Ok(b) = value.as_bool() {
            Self::Bool(b)
        } else if let Ok(n) = value.as_int() {
            Self::Int(n)
        } else if let Some(node) = value.read_lock::<NodeId>() {
            Self::Node(*node)
        } else if let Some(stamp) = value.read_lock::<Stamp>() {
            Self::Stamp(*stamp)
        } else if let Some(set) = value.read_lock::<NodeSet>() {
            Self::Set(*set)
        } else if let Some(each) = value.read_lock::<Each>() {
            Self::Each(all(&each.0)?)
        } else if let Some(items) = value.read_lock::<Array>() {
            Self::List(all(&items)?)
        } else if let Some(map) = value.read_lock::<Map>() {
            let pair = |(k, v): (&_, &Dynamic)| {
                Ok((ToString::to_string(k).into(), Self::counted(v, parts)?))
            };
            Self::Map(map.iter().map(pair).collect::<Result<_, String>>()?)
        } else if let Ok(text) = value.as_immutable_string_ref() {
            Self::Text(text.as_str().into())
        } else {
            return Err(format!("{} cannot be kept", called(value.type_name())));
        })
    }

    /// How messages call what it is: `a stamp`.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bool(_) => "a yes or no",
            Self::Int(_) => "a number",
            Self::Node(_) => "a node",
            Self::Stamp(_) => "a stamp",
            Self::Set(_) => "a set of nodes",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Each(_) => "a value for each node",
            Self::Map(_) => "a map",
        }
    }

    /// The value of a table's cell.
    pub(super) fn shown(&self) -> Value {
        let all = |items: &[Self]| items.iter().map(Self::shown).collect::<Vec<_>>();
        match self {
            Self::None => Value::None,
            Self::Bool(b) => Value::Bool(*b),
            Self::Int(n) => Value::Num(*n),
            Self::Node(n) => Value::Node(*n),
            Self::Stamp(s) => Value::Stamp(*s),
            Self::Set(s) => Value::Set(*s),
            Self::Text(t) => Value::Word(words::word(t)),
            Self::List(items) => Value::List(all(items)),
            Self::Each(items) => {
                let one = |(i, v): (usize, &Self)| (NodeId::at(i), v.shown(), None);
                Value::PerNode(items.iter().enumerate().map(one).collect())
            }
            Self::Map(items) => {
                let pair = |(k, v): &(Arc<str>, Self)| [Value::Word(words::word(k)), v.shown()];
                Value::List(items.iter().flat_map(pair).collect())
            }
        }
    }

    /// How a sentence of the script writes it.
    pub(super) fn say(&self, names: &Names) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Set(set) => names.sentence(*set),
            Self::List(items) if items.is_empty() => "nothing".to_owned(),
            Self::List(items) | Self::Each(items) => {
                items.iter().map(|v| v.say(names)).collect::<Vec<_>>().join(" ")
            }
            Self::Map(items) => {
                let pair = |(k, v): &(Arc<str>, Self)| format!("{k} {}", v.say(names));
                items.iter().map(pair).collect::<Vec<_>>().join(", ")
            }
            Self::Text(text) => text.to_string(),
            other => other.shown().show(names, "", ""),
        }
    }

    /// Bytes that it keeps outside itself.
    pub(super) fn heap(&self) -> usize {
        let all = |items: &[Self]| {
            items.iter().map(|item| size_of::<Self>() + item.heap()).sum::<usize>()
        };
        match self {
            Self::Text(t) => t.len() + 16,
            Self::List(items) | Self::Each(items) => all(items) + 16,
            Self::Map(items) => {
                items.iter().map(|(k, v)| k.len() + 32 + size_of::<Self>() + v.heap()).sum()
            }
            _ => 0,
        }
    }
}

/// How messages call a type of the interpreter.
pub(super) fn called(type_name: &str) -> &'static str {
    const NAMES: [(&str, &str); 12] = [
        ("i64", "a number"),
        ("INT", "a number"),
        ("bool", "a yes or no"),
        ("()", "none"),
        ("string", "a text"),
        ("array", "a list"),
        ("map", "a map"),
        ("Fn", "a function"),
        ("node", "a node"),
        ("stamp", "a stamp"),
        ("set of nodes", "a set of nodes"),
        ("value for each node", "a value for each node"),
    ];
    let name = type_name.trim().trim_start_matches("&mut ");
    let known = NAMES.iter().find(|(own, _)| *own == name);
    known.map_or("something else", |(_, called)| *called)
}

/// Compares two values; `None`: they have no order, for they are of different kinds.
pub(super) fn compare(a: &Dynamic, b: &Dynamic) -> Result<std::cmp::Ordering, (String, String)> {
    let (a, b) = match (Val::of(a), Val::of(b)) {
        (Ok(a), Ok(b)) => (a, b),
        _ => return Err((called(a.type_name()).to_owned(), called(b.type_name()).to_owned())),
    };
    let alike = std::mem::discriminant(&a) == std::mem::discriminant(&b);
    if alike || a == Val::None || b == Val::None {
        return Ok(a.cmp(&b));
    }
    Err((a.kind().to_owned(), b.kind().to_owned()))
}

/// A number as the interpreter has them.
pub(super) fn number(n: usize) -> INT {
    INT::try_from(n).unwrap_or(INT::MAX)
}
