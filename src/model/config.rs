//! Settings: what a person may choose about a cluster, as they write it.
//!
//! `settings` reads and writes them; the catalog turns a `Config` into a checked `Setup`.

use super::script::Script;
use std::sync::Arc;

/// The most that a clock may begin with: no run is long enough to carry a clock from here past the end
/// of its type.
pub const MAX_FIRST_CLOCK: u32 = 1_000_000_000;

/// In which order a channel hands over its messages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChannelOrder {
    /// In the order in which they were sent: only the head can be delivered.
    Fifo,
    /// In any order: a bag.
    AnyOrder,
}

impl ChannelOrder {
    /// The word used on the command line and in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::AnyOrder => "any-order",
        }
    }
}

/// What the receipt of a stamped message does to a clock. A stamped send always adds one first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ClockRule {
    /// `clock = max(clock, received)`: as in Ricart and Agrawala's paper.
    #[default]
    Merge,
    /// `clock = max(clock, received) + 1`: as in most textbooks.
    Tick,
}

impl ClockRule {
    /// The word used on the command line and in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::Tick => "tick",
        }
    }
}

/// What the storage node does with a fence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StorageRule {
    /// It takes every write.
    Plain,
    /// It refuses a fence lower than the highest it has seen.
    Fenced,
}

impl StorageRule {
    /// The word used on the command line and in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Fenced => "fenced",
        }
    }
}

/// Which storage requests carry a fence that is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FenceOn {
    /// Writes alone.
    #[default]
    Writes,
    /// Writes and reads.
    Both,
}

impl FenceOn {
    /// The word used on the command line and in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Writes => "writes",
            Self::Both => "both",
        }
    }
}

/// What the storage node compares before it takes a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StorageCheck {
    /// Nothing: it takes every request.
    Nothing,
    /// It refuses a fence lower than the highest it has seen: the right check.
    Lower,
    /// It refuses an equal fence as well.
    LowerOrEqual,
    /// It looks at no fence: it refuses a write if something was written since its client has read.
    Unchanged,
}

/// How voting sets are made.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum QuorumChoice {
    /// Cyclic covers: the same small pattern, moved around the ring of nodes.
    #[default]
    Cyclic,
    /// Row and column of a grid.
    Grid,
    /// Lines of a projective plane, where one exists.
    Plane,
    /// Paths of a binary tree, from its root to a leaf.
    Tree,
    /// Given, by names, one set a node.
    Sets(Vec<Vec<String>>),
}

/// What a person may choose about a cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Slug of the algorithm, or the name of the file in which somebody wrote one.
    pub algorithm: String,
    /// The text of the algorithm, where somebody wrote one.
    pub script: Option<Arc<Script>>,
    /// Slug or id of a broken variant.
    pub variant: Option<String>,
    /// Names of the clients, 1 to 16.
    pub nodes: Vec<String>,
    /// First clock values, for as many nodes as are given; the rest begin at 0.
    pub clocks: Vec<u32>,
    /// The clock rule.
    pub clock: ClockRule,
    /// The channel order; `None`: what the algorithm needs.
    pub channels: Option<ChannelOrder>,
    /// A client that is the coordinator as well; `None`: an extra node `C`.
    pub coordinator: Option<String>,
    /// The storage node, if there is one.
    pub storage: Option<StorageRule>,
    /// Which storage requests carry a fence.
    pub fence: FenceOn,
    /// Voting sets.
    pub quorums: QuorumChoice,
    /// A tree: each node's neighbour towards the first; `None`: a star.
    pub tree: Option<Vec<(String, String)>>,
    /// Options of the algorithm, by name.
    pub options: Vec<String>,
    /// Events played before step 0, in text form.
    pub start: Vec<String>,
}

impl Config {
    /// The default cluster of `n` nodes for an algorithm.
    #[must_use]
    pub fn new(algorithm: &str, n: usize) -> Self {
        Self {
            algorithm: algorithm.to_owned(),
            script: None,
            variant: None,
            nodes: super::Names::numbered(n),
            clocks: Vec::new(),
            clock: ClockRule::default(),
            channels: None,
            coordinator: None,
            storage: None,
            fence: FenceOn::default(),
            quorums: QuorumChoice::default(),
            tree: None,
            options: Vec::new(),
            start: Vec::new(),
        }
    }
}
