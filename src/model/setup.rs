//! A checked cluster and what is known about its algorithm: what the handlers of every node may know
//! from the start.
//!
//! It never changes during a run; what changes is the cluster's state, in `sim`. Menus, help, the README's
//! table, JSON and tests are derived from what an algorithm tells of itself; nothing of it is executed by
//! the engine.

use super::config::{ChannelOrder, ClockRule, FenceOn, StorageRule};
use super::node::{Names, NodeId, NodeSet};
use super::script::Script;
use super::shape::Shape;
use super::stamp::Stamp;
use super::value::Value;
use std::sync::Arc;

/// How a message is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// A solid line: it asks for something.
    Request,
    /// A dashed line: it answers, gives or frees something.
    Reply,
}

/// A kind of message.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in capitals.
    pub name: &'static str,
    /// How it is drawn.
    pub line: Line,
}

impl Kind {
    /// A kind that asks for something.
    #[must_use]
    pub const fn asks(name: &'static str) -> Self {
        Self { name, line: Line::Request }
    }

    /// A kind that answers, gives or frees something.
    #[must_use]
    pub const fn gives(name: &'static str) -> Self {
        Self { name, line: Line::Reply }
    }
}

/// A variable of a node, as the table shows it.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// Its name, the column's title.
    pub name: &'static str,
    /// What it can hold.
    pub shape: Shape,
    /// What it holds, in a sentence for the legend.
    pub about: &'static str,
}

impl FieldInfo {
    /// A variable: its name, what it can hold, and what it holds in a sentence.
    #[must_use]
    pub const fn of(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Self { name, shape, about }
    }
}

/// What sets a rule off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// The application asks for the lock.
    Asking,
    /// The application leaves the critical section.
    Leaving,
    /// A message arrives.
    Receipt,
    /// A timer fires.
    Timer,
    /// Any of these.
    Anything,
}

/// One numbered line of the algorithm as its paper gives it.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its number, e.g. `RA-3`.
    pub id: &'static str,
    /// What sets it off.
    pub when: When,
    /// The same in words: `on REQUEST(t,j)`.
    pub on: &'static str,
    /// What it does, in pseudocode.
    pub text: &'static str,
    /// The words for what may have happened when it fires, with commas, for predictions and trace
    /// questions. Of several, the handler says which.
    pub outcomes: &'static str,
    /// Words of other rules for something that this one does as well: never offered beside its own.
    pub also: &'static str,
}

impl Rule {
    /// The words for what may have happened when it fires.
    pub fn words(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.outcomes.split(", ").filter(|word| !word.is_empty())
    }

    /// The word for what happened when it fires, if there is one alone.
    #[must_use]
    pub fn only_word(&self) -> Option<&'static str> {
        let mut words = self.words();
        words.next().filter(|_| words.next().is_none())
    }
}

/// The option under which vector clocks are shown, and their column.
pub const VECTOR: &str = "vector";

/// What an algorithm promises about the order of entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderPromise {
    /// Entries in the order of the request stamps, hence in happened-before order.
    Stamps,
    /// Nothing.
    NotPromised,
}

/// A helper node outside the count of clients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Helper {
    /// `C`, which may also be one of the clients.
    Coordinator,
    /// `L`, the lock service.
    LockService,
}

impl Helper {
    /// The helper's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Coordinator => "C",
            Self::LockService => "L",
        }
    }
}

/// How a broken variant fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Two nodes in the critical section.
    Violation,
    /// Somebody waits, and nothing comes by itself any more.
    Stuck,
    /// A run with finitely many requests never ends: messages go round for ever.
    Livelock,
    /// It does not fail: what differs from the paper costs messages, saves some, or changes who comes next.
    Harmless,
    /// This goal of the goal language holds at some state, which it never does with the right rule.
    Goal(&'static str),
}

/// The smallest cluster that shows a variant's failure.
#[derive(Clone, Copy, Debug)]
pub struct Shows {
    /// How many clients.
    pub n: usize,
    /// Requests of each client; the last number counts for the rest.
    pub requests: &'static [u32],
    /// The channel order, where it matters.
    pub channels: Option<ChannelOrder>,
    /// Voting sets, as places in the cluster's list from 0.
    pub quorums: &'static [&'static [u8]],
    /// Fault budget, as the command line writes it: `crash=1,recover=1`.
    pub faults: &'static str,
    /// The storage node, where the failure shows there.
    pub storage: Option<(StorageRule, FenceOn)>,
    /// How often a client may write, and read, during one stay.
    pub writes: u32,
    /// What happens first, as a schedule; budgets are for what comes behind.
    pub from: &'static str,
}

impl Shows {
    /// `n` clients that ask `requests` times each, FIFO, no faults.
    #[must_use]
    pub const fn at(n: usize, requests: &'static [u32]) -> Self {
        Self {
            n,
            requests,
            channels: None,
            quorums: &[],
            faults: "",
            storage: None,
            writes: 0,
            from: "",
        }
    }

    /// The same with channels that reorder.
    #[must_use]
    pub const fn any_order(self) -> Self {
        Self { channels: Some(ChannelOrder::AnyOrder), ..self }
    }
}

/// An algorithm with one rule missing or wrong.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Short id, e.g. `R2`.
    pub id: &'static str,
    /// Name in words, e.g. `tie-replies`.
    pub slug: &'static str,
    /// What is wrong, in a sentence.
    pub about: &'static str,
    /// How it fails.
    pub failure: Failure,
    /// The smallest cluster that shows it.
    pub shows: Shows,
}

impl Variant {
    /// Whether it has this id or this name.
    #[must_use]
    pub fn is_called(&self, word: &str) -> bool {
        self.id.eq_ignore_ascii_case(word) || self.slug == word
    }

    /// Its name and what is wrong with it, in a sentence of its own.
    #[must_use]
    pub fn said(&self) -> String {
        let how = match self.failure {
            Failure::Harmless => "Changed without harm",
            Failure::Violation | Failure::Stuck | Failure::Livelock | Failure::Goal(_) => {
                "Broken on purpose"
            }
        };
        format!("{how}, {}: {}", self.slug, self.about)
    }
}

/// An option that changes the algorithm without breaking it.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
}

/// What one entry costs in messages, when nobody competes.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// In the symbols n (nodes) and K (voting-set size).
    pub formula: &'static str,
    /// The least, over the asking nodes.
    pub least: fn(&Setup) -> u32,
    /// The most, over the asking nodes.
    pub most: fn(&Setup) -> u32,
    /// The total when everybody asks before any delivery, where it does not depend on the schedule.
    pub contended: Option<fn(&Setup) -> u32>,
}

/// Everything known about an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name on the command line.
    pub slug: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// The idea, in a sentence.
    pub idea: &'static str,
    /// Where one would take it, in a sentence.
    pub good_for: &'static str,
    /// What it needs of a channel. `AnyOrder`: it works with either.
    pub needs: ChannelOrder,
    /// Whether its messages carry stamps, so that clocks mean something.
    pub stamped: bool,
    /// What it promises about the order of entries.
    pub order: OrderPromise,
    /// Whether it has a token.
    pub token: bool,
    /// Whether its token keeps moving while nobody wants it.
    pub circulates: bool,
    /// Written to teach one thing; left out of comparisons.
    pub teaching: bool,
    /// Whether each node has a set of nodes to ask.
    pub voting_sets: bool,
    /// Whether the nodes form a tree.
    pub tree: bool,
    /// Its helper node.
    pub helper: Option<Helper>,
    /// Its kinds of messages.
    pub kinds: &'static [Kind],
    /// Its variables.
    pub fields: &'static [FieldInfo],
    /// Its rules, in the paper's order.
    pub rules: &'static [Rule],
    /// Its options.
    pub options: &'static [OptionInfo],
    /// Its broken variants.
    pub variants: &'static [Variant],
    /// Its cost.
    pub cost: Cost,
    /// What it gives its holder as a fence; `None`: nothing.
    pub fence: Option<&'static str>,
}

/// What most algorithms have in common: no stamps, no token, no helper, no options, no order promised.
pub const PLAIN: Info = Info {
    slug: "",
    title: "",
    paper: "",
    idea: "",
    good_for: "",
    needs: ChannelOrder::AnyOrder,
    stamped: false,
    order: OrderPromise::NotPromised,
    token: false,
    circulates: false,
    teaching: false,
    voting_sets: false,
    tree: false,
    helper: None,
    kinds: &[],
    fields: &[],
    rules: &[],
    options: &[],
    variants: &[],
    cost: Cost { formula: "0", least: |_| 0, most: |_| 0, contended: None },
    fence: None,
};

/// There is one of each algorithm, and its slug is its name.
impl PartialEq for Info {
    fn eq(&self, other: &Self) -> bool {
        self.slug == other.slug
    }
}

impl Eq for Info {}

impl Info {
    /// The rule with an id.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&'static Rule> {
        self.rules.iter().find(|r| r.id == id)
    }

    /// The variant with an id or a slug.
    #[must_use]
    pub fn variant(&self, word: &str) -> Option<&'static Variant> {
        self.variants.iter().find(|v| v.is_called(word))
    }

    /// The kind of message with a name.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<&'static Kind> {
        self.kinds.iter().find(|k| k.name == name)
    }

    /// The words for outcomes that this algorithm's rules declare, each once.
    #[must_use]
    pub fn outcomes(&self) -> Vec<&'static str> {
        let mut words: Vec<&'static str> = Vec::new();
        for word in self.rules.iter().flat_map(Rule::words) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }
}

/// How a message reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label {
    /// Its kind, in capitals.
    pub kind: &'static str,
    /// The stamp that it carries.
    pub stamp: Option<Stamp>,
    /// The node that it speaks for, where that need not be its sender.
    pub node: Option<NodeId>,
    /// What else it carries, in words: a token's number, a fence.
    pub detail: Option<String>,
    /// What it takes along besides, by the names of the table: a token's counters, its queue.
    pub carries: Vec<(&'static str, Value)>,
}

impl Label {
    /// A message that carries nothing.
    #[must_use]
    pub fn bare(kind: &'static str) -> Self {
        Self { kind, stamp: None, node: None, detail: None, carries: Vec::new() }
    }

    /// A message that carries a stamp.
    #[must_use]
    pub fn stamped(kind: &'static str, stamp: Stamp) -> Self {
        Self { stamp: Some(stamp), ..Self::bare(kind) }
    }

    /// A message that a node may pass on for another one.
    #[must_use]
    pub fn on_behalf_of(kind: &'static str, node: NodeId) -> Self {
        Self { node: Some(node), ..Self::bare(kind) }
    }

    /// A message that carries something of the algorithm's own, in words.
    #[must_use]
    pub fn with_detail(kind: &'static str, detail: String) -> Self {
        Self { detail: Some(detail), ..Self::bare(kind) }
    }

    /// The same message, which takes these variables along.
    #[must_use]
    pub fn carrying(self, carries: Vec<(&'static str, Value)>) -> Self {
        Self { carries, ..self }
    }

    /// All that is known of it: `TOKEN with LN P1:1 P2:0, queue P2`.
    #[must_use]
    pub fn full(&self, names: &Names) -> String {
        match self.carried(names) {
            Some(carried) => format!("{} with {carried}", self.show(names)),
            None => self.show(names),
        }
    }

    /// What it takes along: `LN P1:1 P2:0, queue P2`.
    #[must_use]
    pub fn carried(&self, names: &Names) -> Option<String> {
        let one = |(name, value): &(&str, Value)| format!("{name} {}", value.show(names, "", ""));
        let all: Vec<String> = self.carries.iter().map(one).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// Its name, where there is little room: `REQUEST (5,P1)`, `REQUEST for P3`.
    #[must_use]
    pub fn show(&self, names: &Names) -> String {
        let stamp = self.stamp.map_or(String::new(), |s| format!(" {}", s.show(names)));
        let node = self.node.map_or(String::new(), |n| format!(" for {}", names.get(n)));
        let detail = self.detail.as_ref().map_or(String::new(), |d| format!(" {d}"));
        format!("{}{stamp}{node}{detail}", self.kind)
    }
}

/// A checked cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Names of all nodes, clients first, then helpers.
    pub names: Names,
    /// How many clients there are: the nodes `0..clients`.
    pub clients: usize,
    /// First clock value of every node, helpers included.
    pub clocks: Vec<u32>,
    /// What a receipt does to a clock.
    pub clock_rule: ClockRule,
    /// How channels hand over.
    pub channels: ChannelOrder,
    /// What is known about its algorithm.
    pub info: &'static Info,
    /// The algorithm's text, where somebody wrote it.
    pub script: Option<Arc<Script>>,
    /// The place, in the algorithm's list, of the broken variant that is played.
    pub broken: Option<usize>,
    /// The word under which the rules are played where nobody is told which ones they are.
    pub hidden: Option<String>,
    /// The node that coordinates, where the algorithm has one.
    pub coordinator: Option<NodeId>,
    /// The storage node and its rule.
    pub storage: Option<(NodeId, StorageRule, FenceOn)>,
    /// Voting set of each client; empty where the algorithm has none.
    pub quorums: Vec<NodeSet>,
    /// Each client's neighbour towards the first token holder; the holder names itself. Empty: none.
    pub tree: Vec<NodeId>,
    /// Options of the algorithm that are on.
    pub options: Vec<&'static str>,
}

impl Setup {
    /// How many nodes there are, helpers included.
    #[must_use]
    pub fn total(&self) -> usize {
        self.names.len()
    }

    /// The clients.
    pub fn client_ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.clients).map(NodeId::at)
    }

    /// All nodes, helpers included.
    pub fn all_ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.total()).map(NodeId::at)
    }

    /// Whether a node is one that asks for the lock.
    #[must_use]
    pub fn is_client(&self, node: NodeId) -> bool {
        node.index() < self.clients
    }

    /// Whether an option of the algorithm is on.
    #[must_use]
    pub fn option(&self, name: &str) -> bool {
        self.options.contains(&name)
    }

    /// The broken variant that is played, told or not.
    #[must_use]
    pub fn played(&self) -> Option<&'static Variant> {
        self.broken.map(|place| &self.info.variants[place])
    }

    /// The broken variant that is played, where that may be told.
    #[must_use]
    pub fn variant(&self) -> Option<&'static Variant> {
        self.played().filter(|_| self.hidden.is_none())
    }

    /// The word for the rules, if they are not known to be the paper's.
    #[must_use]
    pub fn variant_word(&self) -> Option<&str> {
        self.hidden.as_deref().or_else(|| Some(self.played()?.slug))
    }

    /// The name of a node.
    #[must_use]
    pub fn name(&self, node: NodeId) -> &str {
        self.names.get(node)
    }
}
