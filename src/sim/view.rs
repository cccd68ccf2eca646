//! What can be seen of a cluster: plain data for panels, JSON and sentences.
//!
//! A view is a copy; changing it changes nothing.

use crate::algorithm::{Label, Line};
use crate::input::count;
use crate::model::{FenceOn, Fields, MsgId, NodeId, Phase, Stamp, StorageRule};

/// One node.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView {
    /// Which node.
    pub id: NodeId,
    /// Its name.
    pub name: String,
    /// Whether it asks for the lock; a helper never does.
    pub client: bool,
    /// Where it stands.
    pub phase: Phase,
    /// Whether it has crashed.
    pub crashed: bool,
    /// Its clock, where clocks mean something in this run.
    pub clock: Option<u32>,
    /// The stamp of its outstanding request.
    pub request: Option<Stamp>,
    /// Its variables.
    pub fields: Fields,
    /// Why a timer is running here.
    pub timer: Option<&'static str>,
    /// While it waits: how often others have entered since it asked, and how many of these entries were
    /// of requests after its own, in the order of cause and effect.
    pub overtaken: [u32; 2],
}

impl NodeView {
    /// `overtaken 2 times, by later requests once`.
    #[must_use]
    pub fn overtaken_said(&self) -> Option<String> {
        let [by_all, by_later] = self.overtaken;
        let later = match (by_later, by_all - by_later) {
            (0, _) => String::new(),
            (_, 0) => ", by later requests alone".to_owned(),
            (n, _) => format!(", {n} of them by later requests"),
        };
        (by_all > 0).then(|| format!("overtaken {}{later}", count(by_all, "time")))
    }

    /// `idle`, `waiting`, `in-cs` or `crashed`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        if self.crashed { "crashed" } else { self.phase.word() }
    }
}

/// A message in flight.
#[derive(Clone, PartialEq, Debug)]
pub struct FlightView {
    /// Its name.
    pub id: MsgId,
    /// How it reads.
    pub label: Label,
    /// How it is drawn.
    pub line: Line,
    /// The step at which it was sent; 0: before the run began.
    pub sent_at: u32,
    /// The message that has to be delivered first.
    pub behind: Option<MsgId>,
}

/// Mutual exclusion, over the run so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mutex {
    /// Never two nodes inside.
    Ok,
    /// These two were inside together, first at this step.
    Violated(NodeId, NodeId, u32),
}

/// A waiting node and what it waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// Who waits.
    pub node: NodeId,
    /// On whom, where a node can be named.
    pub on: Option<NodeId>,
    /// `waits for REPLY from P3, which has crashed`.
    pub text: String,
}

/// Progress, at one state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Something can still happen by itself, or nobody waits.
    Ok,
    /// Somebody waits, nobody is inside and nothing will come by itself.
    Stuck {
        /// Who waits for whom and why.
        waits: Vec<Wait>,
        /// The nodes of a cycle of waits, in its order; empty when there is none.
        cycle: Vec<NodeId>,
    },
    /// Deliveries alone have led back to the state after an earlier step: it can go round for ever.
    GoesRound {
        /// The step after which the same state stood before; 0: the beginning.
        since: u32,
    },
}

/// The order of entries, over the run so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// As the algorithm promises.
    Kept,
    /// The first entered before the second, whose request came before.
    Broken(NodeId, NodeId),
    /// The algorithm promises nothing.
    NotPromised,
}

/// The properties, at one state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lamps {
    /// Mutual exclusion.
    pub mutex: Mutex,
    /// Progress.
    pub progress: Progress,
    /// Tokens held and in flight; `None` without a token.
    pub tokens: Option<u32>,
    /// Order of entries.
    pub order: Order,
}

/// A WRITE that has reached the storage node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteView {
    /// Who wrote.
    pub client: NodeId,
    /// The fence that it carried.
    pub fence: Option<u64>,
    /// Its number among the accepted writes (`w1`, `w2`, …); `None`: it was refused.
    pub accepted: Option<u32>,
    /// The accepted write that it undid without having seen it: a lost update.
    pub overwrites: Option<u32>,
    /// The step at which it reached the storage node.
    pub step: u32,
}

/// The storage node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StorageView {
    /// Which node it is.
    pub node: NodeId,
    /// What it does with a fence.
    pub rule: StorageRule,
    /// Which requests it looks at.
    pub fence_on: FenceOn,
    /// The highest fence that it has seen, where it looks at fences.
    pub highest: Option<u64>,
    /// The number of the last accepted write, and its writer.
    pub last: Option<(u32, NodeId)>,
    /// Every write that has reached it in this run, in order.
    pub writes: Vec<WriteView>,
    /// Whether an accepted fence was lower than one accepted before it.
    pub fence_violated: bool,
    /// Whether the algorithm gives its holder a fence.
    pub gives_fence: bool,
}

impl StorageView {
    /// The order of fences, over the run so far.
    #[must_use]
    pub fn fence(&self) -> Fence {
        match (self.fence_violated, self.gives_fence) {
            (true, _) => Fence::Violated,
            (false, true) => Fence::Kept,
            (false, false) => Fence::NotGiven,
        }
    }
}

/// The order of the fences that the storage node has accepted, over the run so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fence {
    /// None was lower than one accepted before it.
    Kept,
    /// One was.
    Violated,
    /// The algorithm gives its holder none.
    NotGiven,
}

/// A condition for entering, and where what is missing is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WhyLine {
    /// The condition, in words.
    pub text: String,
    /// Whether it is met.
    pub met: bool,
    /// Where what is missing is: `on its way: 2`.
    pub whereabouts: Option<String>,
    /// The node that it has to come from.
    pub on: Option<NodeId>,
}

/// Everything that can be seen at one state.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterView {
    /// The step's number; 0 at the beginning.
    pub step: u32,
    /// All nodes, clients first.
    pub nodes: Vec<NodeView>,
    /// Messages in flight, oldest first.
    pub in_flight: Vec<FlightView>,
    /// The properties.
    pub lamps: Lamps,
    /// Who is inside.
    pub holders: Vec<NodeId>,
    /// Messages sent so far, by kind.
    pub messages: Vec<(&'static str, u32)>,
    /// Entries so far, by client.
    pub entries: Vec<u32>,
    /// Exits so far, by client.
    pub exits: Vec<u32>,
    /// The storage node, where there is one.
    pub storage: Option<StorageView>,
}

impl ClusterView {
    /// A node's part.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &NodeView {
        &self.nodes[id.index()]
    }

    /// Messages of the algorithm sent so far; what was told outside it, and what went to and came from
    /// the storage node, does not count.
    #[must_use]
    pub fn total_messages(&self) -> u32 {
        self.sum(super::cluster::belongs_to_algorithm)
    }

    /// Messages to and from the storage node so far.
    #[must_use]
    pub fn storage_messages(&self) -> u32 {
        self.sum(|kind| super::store::KINDS.contains(&kind))
    }

    /// Messages told outside the algorithm so far.
    #[must_use]
    pub fn told_outside(&self) -> u32 {
        self.sum(|kind| kind == super::cluster::TELL)
    }

    fn sum(&self, of: impl Fn(&str) -> bool) -> u32 {
        self.messages.iter().filter(|(kind, _)| of(kind)).map(|(_, n)| n).sum()
    }
}
