//! Shapes: what a variable can hold, so that what people write for it is read by its type.
//!
//! A shape is data that an algorithm tells of each of its variables; it decides nothing about a run.

mod read;

use super::node::{Names, NodeId, Phase};
use super::value::Value;

/// What a variable can hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Whatever it is: an algorithm that somebody wrote does not say.
    Any,
    /// A whole number.
    Number,
    /// Yes or no.
    Truth,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// Where a node stands with the lock, or that it has crashed.
    Standing,
    /// A node.
    Node,
    /// A stamp.
    Stamp,
    /// A set of nodes.
    Set,
    /// Several of one shape, in an order that means something.
    Queue(&'static Shape),
    /// One of a shape for each of some nodes.
    Each(&'static Shape),
    /// That, or nothing.
    Maybe(&'static Shape),
    /// The first where an option of the algorithm is on, else the second.
    Option(&'static str, &'static Shape, &'static Shape),
}

/// The words for where a node stands, as tables and goals have them.
pub const STANDINGS: [&str; 4] =
    [Phase::Idle.word(), Phase::Waiting.word(), Phase::InCs.word(), "crashed"];

/// Where a value is written: whose variable it is for, and in which cluster.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The cluster's nodes.
    pub names: &'a Names,
    /// The node whose variable it is.
    pub own: NodeId,
    /// The nodes for each of which it holds something, where that is known.
    pub each: &'a [NodeId],
}

impl Shape {
    /// The shape in a cluster in which these options of the algorithm are on.
    #[must_use]
    pub fn settled(self, options: &[&str]) -> Self {
        match self {
            Self::Option(name, on, _) if options.contains(&name) => on.settled(options),
            Self::Option(_, _, off) => off.settled(options),
            other => other,
        }
    }

    /// Whether a value has this shape.
    #[must_use]
    pub fn fits(&self, value: &Value) -> bool {
        match (self, value.plain()) {
            (Self::Any, _)
            | (Self::Maybe(_), Value::None)
            | (Self::Number, Value::Num(_))
            | (Self::Truth, Value::Bool(_))
            | (Self::Node, Value::Node(_))
            | (Self::Stamp, Value::Stamp(_))
            | (Self::Set, Value::Set(_)) => true,
            (Self::Maybe(inner), value) => inner.fits(value),
            (Self::Word(words), Value::Word(word)) => words.contains(word),
            (Self::Standing, Value::Word(word)) => STANDINGS.contains(word),
            (Self::Queue(inner), Value::List(items)) => items.iter().all(|item| inner.fits(item)),
            (Self::Each(inner), Value::PerNode(items)) => {
                items.iter().all(|(_, value, _)| *value == Value::None || inner.fits(value))
            }
            (Self::Option(_, on, off), value) => on.fits(value) || off.fits(value),
            _ => false,
        }
    }

    /// Whether its values have an order, so that `<` means something.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        match self {
            Self::Any | Self::Number | Self::Stamp => true,
            Self::Maybe(inner) => inner.is_ordered(),
            _ => false,
        }
    }

    /// What it is called: `a set of nodes`.
    #[must_use]
    pub fn called(&self) -> String {
        match self {
            Self::Any => "a value".to_owned(),
            Self::Number => "a whole number".to_owned(),
            Self::Truth => "yes or no".to_owned(),
            Self::Word(words) => either(words),
            Self::Standing => either(&STANDINGS),
            Self::Node => "a node".to_owned(),
            Self::Stamp => "a stamp".to_owned(),
            Self::Set => "a set of nodes".to_owned(),
            Self::Queue(Self::Stamp) => "a queue of stamps".to_owned(),
            Self::Queue(_) => "a queue of nodes".to_owned(),
            Self::Each(Self::Number) => "a number for each node".to_owned(),
            Self::Each(inner) => format!("for each node {}", inner.called()),
            Self::Maybe(inner) => format!("{} or none", inner.called()),
            Self::Option(_, on, off) => format!("{} or {}", on.called(), off.called()),
        }
    }

    /// An example of it, for somebody who fills in a table.
    #[must_use]
    pub fn example(&self, at: Place<'_>) -> String {
        self.sample(at).show(at.names, "", "")
    }

    /// How it is written in a table: `a stamp, like (5,P1), or none`.
    #[must_use]
    pub fn form(&self, at: Place<'_>) -> String {
        match self {
            Self::Truth | Self::Word(_) | Self::Standing => self.called(),
            Self::Set => format!("nodes, like {}, or none", self.example(at)),
            Self::Queue(Self::Stamp) => {
                format!("stamps in their order, like {}, or none", self.example(at))
            }
            Self::Queue(_) => format!("nodes in their order, like {}, or none", self.example(at)),
            Self::Each(_) => {
                format!("what it has for each node, like {}, or none", self.example(at))
            }
            Self::Maybe(inner) => match inner.form(at) {
                form if form.ends_with(" none") => form,
                form => format!("{form}, or none"),
            },
            Self::Any | Self::Number | Self::Node | Self::Stamp | Self::Option(..) => {
                format!("{}, like {}", self.called(), self.example(at))
            }
        }
    }

    /// Some value of this shape.
    #[must_use]
    pub fn sample(&self, at: Place<'_>) -> Value {
        let first = NodeId(0);
        let other = if at.names.len() > 1 { NodeId(1) } else { first };
        let stamp = |clock, node| Value::Stamp(super::Stamp::new(clock, node));
        match self {
            Self::Number => Value::Num(3),
            Self::Truth => Value::Bool(true),
            Self::Word(words) => Value::Word(words.first().copied().unwrap_or_default()),
            Self::Standing => Value::Word(STANDINGS[0]),
            Self::Node => Value::Node(first),
            Self::Any | Self::Stamp => stamp(5, first),
            Self::Set => Value::Set([first, other].into_iter().collect()),
            Self::Queue(Self::Stamp) => Value::List(vec![stamp(3, other), stamp(5, first)]),
            Self::Queue(Self::Node) => Value::List(vec![Value::Node(other), Value::Node(first)]),
            Self::Queue(inner) => Value::List(vec![inner.sample(at)]),
            Self::Each(inner) => {
                let each = match at.each {
                    [] => &[first, other][..],
                    each => each,
                };
                let of = |node: &NodeId| (*node, inner.sample(at), None);
                Value::PerNode(each.iter().map(of).collect())
            }
            Self::Maybe(inner) | Self::Option(_, inner, _) => inner.sample(at),
        }
    }
}

/// `held or over`, `idle, waiting or crashed`.
fn either(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}
