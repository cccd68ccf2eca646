//! Nodes: their numbers, sets of them, their names and their phases.
//!
//! A node here is only a number with a name; what it knows and does is the algorithm's business.

use std::fmt;

/// The most nodes that may ask for the lock in one cluster.
pub const MAX_CLIENTS: usize = 16;

/// A node, by its place in the cluster's list. Ties between equal clock values go to the smaller one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NodeId(pub u8);

impl NodeId {
    /// The place in the cluster's list, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The node at a place of the cluster's list, from 0.
    ///
    /// # Panics
    /// If the place is 256 or more; a cluster has at most 19 nodes, helpers included.
    #[must_use]
    pub fn at(index: usize) -> Self {
        Self(u8::try_from(index).expect("a cluster has fewer than 256 nodes"))
    }
}

/// A set of nodes, as bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NodeSet(pub u32);

impl NodeSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The nodes `0..n`.
    #[must_use]
    pub fn first(n: usize) -> Self {
        Self(((1_u64 << n) - 1) as u32)
    }

    /// Puts a node in. Returns whether it was new.
    pub fn insert(&mut self, node: NodeId) -> bool {
        let had = self.contains(node);
        self.0 |= 1 << node.0;
        !had
    }

    /// Takes a node out. Returns whether it was there.
    pub fn remove(&mut self, node: NodeId) -> bool {
        let had = self.contains(node);
        self.0 &= !(1 << node.0);
        had
    }

    /// Whether the node is in the set.
    #[must_use]
    pub fn contains(self, node: NodeId) -> bool {
        self.0 >> node.0 & 1 == 1
    }

    /// How many nodes are in the set.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is in the set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets share a node.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The nodes, in the cluster's order.
    pub fn iter(self) -> impl Iterator<Item = NodeId> {
        (0..32_u8).filter(move |i| self.0 >> i & 1 == 1).map(NodeId)
    }
}

impl IntoIterator for NodeSet {
    type Item = NodeId;
    type IntoIter = std::vec::IntoIter<NodeId>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().collect::<Vec<_>>().into_iter()
    }
}

impl FromIterator<NodeId> for NodeSet {
    fn from_iter<T: IntoIterator<Item = NodeId>>(iter: T) -> Self {
        let mut set = Self::EMPTY;
        for node in iter {
            set.insert(node);
        }
        set
    }
}

/// Where a node stands with the lock. The engine owns it; an algorithm only reads its own node's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// It does not want the lock.
    Idle,
    /// It has asked and is not inside yet.
    Waiting,
    /// It is in the critical section (in the lease algorithm: it believes so).
    InCs,
}

impl Phase {
    /// The word used in JSON and in goals.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Waiting => "waiting",
            Self::InCs => "in-cs",
        }
    }
}

/// The names of a cluster's nodes: the clients first, then the helpers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Names(Vec<String>);

impl Names {
    /// Names in the cluster's order.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        Self(names)
    }

    /// `P1 … Pn`.
    #[must_use]
    pub fn numbered(n: usize) -> Vec<String> {
        (1..=n).map(|i| format!("P{i}")).collect()
    }

    /// The name of a node.
    #[must_use]
    pub fn get(&self, node: NodeId) -> &str {
        self.0.get(node.index()).map_or("?", String::as_str)
    }

    /// The node with that name, whatever the case of its letters.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<NodeId> {
        let exact = self.0.iter().position(|n| n == name);
        exact.or_else(|| self.0.iter().position(|n| n.eq_ignore_ascii_case(name))).map(NodeId::at)
    }

    /// How many nodes have a name.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nobody has a name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names, in the cluster's order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// `P1, P2, P3`: for messages to people.
    #[must_use]
    pub fn listed(&self) -> String {
        self.0.join(", ")
    }

    /// `P1 and P3`: the members of a set, for sentences. Empty: `nobody`.
    #[must_use]
    pub fn sentence(&self, set: NodeSet) -> String {
        let names: Vec<&str> = set.iter().map(|n| self.get(n)).collect();
        match names.as_slice() {
            [] => "nobody".to_owned(),
            [one] => (*one).to_owned(),
            [all @ .., last] => format!("{} and {last}", all.join(", ")),
        }
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_keeps_what_was_put_in_and_nothing_else() {
        let mut set = NodeSet::EMPTY;
        assert!(set.insert(NodeId(2)));
        assert!(!set.insert(NodeId(2)));
        set.insert(NodeId(0));
        assert_eq!(set.iter().collect::<Vec<_>>(), [NodeId(0), NodeId(2)]);
        assert!(set.remove(NodeId(2)));
        assert!(!set.remove(NodeId(2)));
        assert_eq!(set, NodeSet::first(1));
        assert_eq!(NodeSet::first(16).len(), 16);
    }

    #[test]
    fn names_are_found_whatever_their_case() {
        let names = Names::new(vec!["P1".into(), "p1".into(), "Q".into()]);
        assert_eq!(names.find("p1"), Some(NodeId(1)));
        assert_eq!(names.find("q"), Some(NodeId(2)));
        assert_eq!(names.find("R"), None);
    }

    #[test]
    fn a_set_reads_as_a_sentence() {
        let names = Names::new(Names::numbered(3));
        assert_eq!(names.sentence(NodeSet::first(3)), "P1, P2 and P3");
        assert_eq!(names.sentence(NodeSet::EMPTY), "nobody");
    }
}
