//! Values: what one cell of the nodes table holds, the same for the screen, JSON and goals.
//!
//! A value says what an algorithm's variable holds, never how it is drawn.

use super::node::{Names, NodeId, NodeSet};
use super::stamp::Stamp;
use serde_json::json;

/// What a variable of a node holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// Nothing there.
    None,
    /// A number.
    Num(i64),
    /// Yes or no.
    Bool(bool),
    /// A word of the algorithm's own.
    Word(&'static str),
    /// A node.
    Node(NodeId),
    /// A stamp, for instance of a request.
    Stamp(Stamp),
    /// A set of nodes: order means nothing.
    Set(NodeSet),
    /// A list: order means something.
    List(Vec<Value>),
    /// One value for each of some nodes; `Some(true)` marks it as good enough for a condition.
    PerNode(Vec<(NodeId, Value, Option<bool>)>),
    /// A value with a mark: whether a condition on it holds.
    Marked(Box<Value>, bool),
}

impl Value {
    /// A stamp that may be missing.
    #[must_use]
    pub fn stamp(stamp: Option<Stamp>) -> Self {
        stamp.map_or(Self::None, Self::Stamp)
    }

    /// A node that may be missing.
    #[must_use]
    pub fn node(node: Option<NodeId>) -> Self {
        node.map_or(Self::None, Self::Node)
    }

    /// One number for each node, in the cluster's order.
    #[must_use]
    pub fn numbers(numbers: &[u32]) -> Self {
        let one = |(i, n): (usize, &u32)| (NodeId::at(i), Self::Num(i64::from(*n)), None);
        Self::PerNode(numbers.iter().enumerate().map(one).collect())
    }

    /// A list of nodes.
    #[must_use]
    pub fn nodes(nodes: &[NodeId]) -> Self {
        Self::List(nodes.iter().map(|n| Self::Node(*n)).collect())
    }

    /// The value without its mark.
    #[must_use]
    pub fn plain(&self) -> &Self {
        match self {
            Self::Marked(inner, _) => inner.plain(),
            other => other,
        }
    }

    /// The value without any mark and, where it holds something for each of some nodes, without those that
    /// have nothing.
    #[must_use]
    pub fn bare(&self) -> Self {
        match self.plain() {
            Self::List(items) => Self::List(items.iter().map(Self::bare).collect()),
            Self::PerNode(items) => {
                let some = items.iter().filter(|(_, value, _)| *value.plain() != Self::None);
                let mut bare: Vec<_> = some.map(|(n, value, _)| (*n, value.bare(), None)).collect();
                bare.sort();
                Self::PerNode(bare)
            }
            other => other.clone(),
        }
    }

    /// Whether a table shows it as nothing.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        match self.bare() {
            Self::None => true,
            Self::Set(set) => set.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::PerNode(items) => items.is_empty(),
            _ => false,
        }
    }

    /// Whether a table shows the two alike, marks aside.
    #[must_use]
    pub fn reads_as(&self, other: &Self) -> bool {
        self.bare() == other.bare() || (self.is_nothing() && other.is_nothing())
    }

    /// How a goal writes it: `{P1, P3}`, `[P2, P1]`, `(5,P1)`, `3`, `none`.
    #[must_use]
    pub fn literal(&self, names: &Names) -> String {
        let list = |items: Vec<String>| items.join(", ");
        match self.plain() {
            Self::None => "none".to_owned(),
            Self::Set(set) => {
                format!("{{{}}}", list(set.iter().map(|n| names.get(n).to_owned()).collect()))
            }
            Self::List(items) => {
                format!("[{}]", list(items.iter().map(|v| v.literal(names)).collect()))
            }
            Self::PerNode(items) => {
                let one = |(n, v, _): &(NodeId, Self, _)| {
                    format!("{}:{}", names.get(*n), v.literal(names))
                };
                format!("[{}]", list(items.iter().map(one).collect()))
            }
            other => other.show(names, "", ""),
        }
    }

    /// Text for one cell. `yes` and `no` are the marks of conditions that hold or don't.
    #[must_use]
    pub fn show(&self, names: &Names, yes: &str, no: &str) -> String {
        let mark = |good: bool| if good { yes } else { no };
        match self {
            Self::None => "–".to_owned(),
            Self::Num(n) => n.to_string(),
            Self::Bool(b) => if *b { "yes" } else { "no" }.to_owned(),
            Self::Word(w) => (*w).to_owned(),
            Self::Node(n) => names.get(*n).to_owned(),
            Self::Stamp(s) => s.show(names),
            Self::Set(set) if set.is_empty() => "–".to_owned(),
            Self::Set(set) => set.iter().map(|n| names.get(n)).collect::<Vec<_>>().join(" "),
            Self::List(items) if items.is_empty() => "–".to_owned(),
            Self::List(items) => {
                items.iter().map(|v| v.show(names, yes, no)).collect::<Vec<_>>().join(" ")
            }
            Self::PerNode(items) if items.is_empty() => "–".to_owned(),
            Self::PerNode(items) => {
                let one = |(node, value, good): &(NodeId, Self, Option<bool>)| {
                    let shown = value.show(names, yes, no);
                    format!("{}:{shown}{}", names.get(*node), good.map_or("", mark))
                };
                items.iter().map(one).collect::<Vec<_>>().join(" ")
            }
            Self::Marked(inner, good) => format!("{}{}", inner.show(names, yes, no), mark(*good)),
        }
    }

    /// The value in JSON: stamps as `[5,"P1"]`, nodes as names, sets and lists as arrays.
    #[must_use]
    pub fn to_json(&self, names: &Names) -> serde_json::Value {
        match self {
            Self::None => serde_json::Value::Null,
            Self::Num(n) => json!(n),
            Self::Bool(b) => json!(b),
            Self::Word(w) => json!(w),
            Self::Node(n) => json!(names.get(*n)),
            Self::Stamp(s) => json!([s.clock, names.get(s.node)]),
            Self::Set(set) => set.iter().map(|n| json!(names.get(n))).collect(),
            Self::List(items) => items.iter().map(|v| v.to_json(names)).collect(),
            Self::PerNode(items) => {
                let pairs =
                    items.iter().map(|(n, v, _)| (names.get(*n).to_owned(), v.to_json(names)));
                serde_json::Value::Object(pairs.collect())
            }
            Self::Marked(inner, _) => inner.to_json(names),
        }
    }
}

/// The named variables of one node, in the order in which a table shows them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Fields(pub Vec<(&'static str, Value)>);

impl Fields {
    /// Adds a variable.
    pub fn add(&mut self, name: &'static str, value: Value) {
        self.0.push((name, value));
    }

    /// The value of a variable, by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_people_write_them() {
        let names = Names::new(Names::numbered(3));
        let stamp = Value::Stamp(Stamp::new(5, NodeId(0)));
        assert_eq!(stamp.show(&names, "+", "-"), "(5,P1)");
        assert_eq!(stamp.to_json(&names), json!([5, "P1"]));
        let heard = Value::PerNode(vec![(NodeId(1), Value::Num(3), Some(true))]);
        assert_eq!(heard.show(&names, "+", "-"), "P2:3+");
        assert_eq!(heard.to_json(&names), json!({"P2": 3}));
        assert_eq!(Value::Set(NodeSet::first(2)).show(&names, "", ""), "P1 P2");
    }
}
