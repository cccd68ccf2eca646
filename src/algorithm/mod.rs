//! The algorithms, one file a paper, and the trait that they are written against.
//!
//! A handler sees its own node's state and the message, nothing else: no other node, no time, no
//! randomness, no screen. Handlers decide; the engine (`sim`) acts.

mod outbox;
mod permission;
pub mod quorum;
mod table;
mod token;

pub use crate::model::setup::{
    Cost, Failure, FieldInfo, Helper, Info, Kind, Label, Line, OptionInfo, OrderPromise, PLAIN,
    Rule, Shows, Variant, When,
};
pub use outbox::{Condition, Guard, Missing, Outbox};

use table::{fields, fields_with, rules};

use crate::model::{
    Config, Fields, NodeId, NodeSet, Phase, Setup, Stamp, StorageCheck, StorageRule,
};
use std::fmt::Debug;
use std::hash::Hash;

/// What a handler may know besides its node's state and the message.
#[derive(Debug)]
pub struct Cx<'a, D: 'static = ()> {
    /// What the paper decides, or the broken variant that is played.
    pub d: &'static D,
    /// The cluster as it was set up.
    pub setup: &'a Setup,
    /// The node whose handler runs.
    pub me: NodeId,
    /// Where this node stands. At `on_request` it already waits, at `on_exit` it is already idle.
    pub phase: Phase,
}

impl<D> Clone for Cx<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Cx<'_, D> {}

impl<'a, D> Cx<'a, D> {
    /// What the handlers of an algorithm may know at a node.
    #[must_use]
    pub fn of<A: Algorithm<Decisions = D>>(setup: &'a Setup, me: NodeId, phase: Phase) -> Self {
        Self { d: A::decisions(setup), setup, me, phase }
    }

    /// How many clients the cluster has.
    #[must_use]
    pub fn n(&self) -> usize {
        self.setup.clients
    }

    /// All clients but this node.
    pub fn others(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<D> {
        let me = self.me;
        self.setup.client_ids().filter(move |n| *n != me)
    }

    /// All clients but this node and those of a set: from whom something is missing.
    #[must_use]
    pub fn others_without(&self, those: NodeSet) -> NodeSet {
        self.others().filter(|node| !those.contains(*node)).collect()
    }

    /// The name of a node, for sentences.
    #[must_use]
    pub fn name(&self, node: NodeId) -> &'a str {
        self.setup.name(node)
    }

    /// The name of this node.
    #[must_use]
    pub fn my_name(&self) -> &'a str {
        self.setup.name(self.me)
    }

    /// Names of nodes, for sentences: `P1, P2 and P3`.
    #[must_use]
    pub fn list(&self, nodes: NodeSet) -> String {
        self.setup.names.sentence(nodes)
    }

    /// A stamp, for sentences.
    #[must_use]
    pub fn show(&self, stamp: Stamp) -> String {
        stamp.show(&self.setup.names)
    }

    /// A clock value of this node as a stamp.
    #[must_use]
    pub fn mine(&self, clock: u32) -> Stamp {
        Stamp::new(clock, self.me)
    }
}

/// What the receipt of a stamped message does to the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receipt {
    /// The larger of the two values counts on, as the cluster's clock rule says.
    Raises,
    /// The clock stays as it is.
    Ignored,
    /// The received value takes the place of the clock's, also where it is the smaller one.
    Overwrites,
}

/// Another node, as `silent_towards` is asked about it.
#[derive(Clone, Copy, Debug)]
pub struct Towards {
    /// The other node.
    pub to: NodeId,
    /// Whether a message from it to this node is in flight.
    pub unanswered: bool,
    /// Whether this node's application will ask again.
    pub asks: bool,
}

impl Towards {
    /// Whether a node is silent that sends when it asks, when it leaves and to answer. It cannot leave
    /// before it has entered, nor enter while it `lacks` what the other node alone can give.
    fn while_it(self, phase: Phase, lacks: impl FnOnce() -> bool) -> bool {
        !self.unanswered
            && match phase {
                Phase::Idle => !self.asks,
                Phase::Waiting => lacks(),
                Phase::InCs => false,
            }
    }
}

/// A distributed mutual exclusion algorithm.
pub trait Algorithm: Sized + 'static {
    /// What the paper decides and a broken variant decides otherwise: a function or a yes or no for each
    /// rule that can be broken. The handlers ask these and know no variant.
    type Decisions: Sync + 'static;
    /// What one message carries.
    type Msg: Clone + Ord + Hash + Debug + Send + Sync;
    /// The variables of one node: what affects the future, and nothing else.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// The decisions that are taken in a cluster.
    fn decisions(setup: &Setup) -> &'static Self::Decisions;

    /// Completes a setup with what only this algorithm knows: voting sets, a tree, its helper.
    ///
    /// # Errors
    /// A sentence for people, when the settings do not fit this algorithm.
    fn prepare(_setup: &mut Setup, _config: &Config) -> Result<(), String> {
        Ok(())
    }

    /// Why nobody can ask for the lock; `None`: clients can. For clusters that teach something else.
    fn no_lock() -> Option<&'static str> {
        None
    }
    /// A node's first state. What is sent here is in flight when the run begins.
    fn init(cx: &Cx<'_, Self::Decisions>, out: &mut Outbox<Self::Msg>) -> Self::State;
    /// The application asks for the lock.
    fn on_request(
        cx: &Cx<'_, Self::Decisions>,
        state: &mut Self::State,
        out: &mut Outbox<Self::Msg>,
    );
    /// A message arrives. A stamped one has already raised the clock.
    fn on_message(
        cx: &Cx<'_, Self::Decisions>,
        state: &mut Self::State,
        from: NodeId,
        msg: &Self::Msg,
        out: &mut Outbox<Self::Msg>,
    );
    /// The application leaves the critical section.
    fn on_exit(cx: &Cx<'_, Self::Decisions>, state: &mut Self::State, out: &mut Outbox<Self::Msg>);
    /// The timer fires.
    fn on_timeout(
        _cx: &Cx<'_, Self::Decisions>,
        _state: &mut Self::State,
        _out: &mut Outbox<Self::Msg>,
    ) {
    }
    /// The node recovers from a crash. By default it goes on with the state that it had.
    fn on_recover(_cx: &Cx<'_, Self::Decisions>, _state: &mut Self::State) {}
    /// Why a timer is running at this node, in words; `None`: none is.
    fn timer(_cx: &Cx<'_, Self::Decisions>, _state: &Self::State) -> Option<&'static str> {
        None
    }
    /// Under which conditions a waiting node enters. All met: the engine lets it in.
    fn guard(cx: &Cx<'_, Self::Decisions>, state: &Self::State, guard: &mut Guard);
    /// The node's variables, for the table.
    fn fields(cx: &Cx<'_, Self::Decisions>, state: &Self::State, fields: &mut Fields);
    /// What this node keeps back from another one that waits for it, in words.
    fn owes(_cx: &Cx<'_, Self::Decisions>, _state: &Self::State, _to: NodeId) -> Option<String> {
        None
    }
    /// The clock value of the node's outstanding request, where requests are stamped.
    fn request_stamp(_cx: &Cx<'_, Self::Decisions>, _state: &Self::State) -> Option<u32> {
        None
    }
    /// How a message reads: `REQUEST (4,P1)`. Only a message with a stamp moves the receiver's clock.
    fn label(from: NodeId, msg: &Self::Msg) -> Label;
    /// What the receipt of a stamped message does to the clock; a broken variant may say otherwise.
    fn receipt(_cx: &Cx<'_, Self::Decisions>) -> Receipt {
        Receipt::Raises
    }
    /// Whether this node sends nothing to another one before that one has an event itself, whatever
    /// happens elsewhere. The checker leaves out orders of events by it; when in doubt, no.
    fn silent_towards(
        _cx: &Cx<'_, Self::Decisions>,
        _state: &Self::State,
        _other: Towards,
    ) -> bool {
        false
    }
    /// Replaces what can no longer change anything that this node does, enters or sends by one value
    /// for all, so that the checker tells fewer states apart. It must change no behaviour: neither now
    /// nor after any further events. It is asked while the paper's rules are played; when in doubt, nothing.
    /// `asks` tells whether the node's application will ask again; `clock` is the node's clock.
    fn forget(
        _cx: &Cx<'_, Self::Decisions>,
        _state: &mut Self::State,
        _clock: &mut u32,
        _asks: bool,
    ) {
    }
    /// The fence that the algorithm gives its holder, where it gives one.
    fn fence(_cx: &Cx<'_, Self::Decisions>, _state: &Self::State) -> Option<u64> {
        None
    }
    /// What the storage node compares; a broken variant may compare something else than its rule says.
    fn storage_check(_setup: &Setup, rule: StorageRule) -> StorageCheck {
        match rule {
            StorageRule::Plain => StorageCheck::Nothing,
            StorageRule::Fenced => StorageCheck::Lower,
        }
    }
    /// What went wrong at this node so that its handlers do nothing any more; `None`: all is well.
    fn fault(_cx: &Cx<'_, Self::Decisions>, _state: &Self::State) -> Option<String> {
        None
    }
    /// Notes that the conditions for entering could not be told.
    fn poison(_state: &mut Self::State, _fault: String) {}
    /// Bytes that a state keeps outside itself, where they may become many.
    fn heap(_state: &Self::State) -> usize {
        0
    }
    /// How many tokens this node holds.
    fn tokens_held(_cx: &Cx<'_, Self::Decisions>, _state: &Self::State) -> u32 {
        0
    }
    /// Whether a message carries the token.
    fn carries_token(_msg: &Self::Msg) -> bool {
        false
    }
}

/// A broken variant with what it decides in place of the paper.
#[derive(Clone, Copy, Debug)]
pub struct Broken<D> {
    variant: Variant,
    decisions: D,
}

/// A broken variant: its id and its name, how it fails, and the smallest cluster that shows it.
const fn broken(id: &'static str, slug: &'static str, failure: Failure, shows: Shows) -> Variant {
    Variant { id, slug, about: "", failure, shows }
}

impl Variant {
    /// What is wrong, in a sentence.
    const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// With what it decides in place of the paper.
    const fn decides<D: Copy>(self, decisions: D) -> Broken<D> {
        Broken { variant: self, decisions }
    }
}

/// What is told of broken variants.
const fn told<D: Copy, const N: usize>(all: &[Broken<D>; N]) -> [Variant; N] {
    let mut variants = [all[0].variant; N];
    let mut i = 0;
    while i < N {
        variants[i] = all[i].variant;
        i += 1;
    }
    variants
}

/// The decisions of the broken variant that is played, or the paper's.
fn chosen<D>(setup: &Setup, paper: &'static D, broken: &'static [Broken<D>]) -> &'static D {
    setup.broken.map_or(paper, |place| &broken[place].decisions)
}

/// Something that wants to see every algorithm's type.
pub trait Visitor {
    /// Called once for each algorithm, in the order of the list.
    fn visit<A: Algorithm>(&mut self, info: &'static Info);
}

/// The one list: a line declares the module and puts the algorithm into every menu, table and test.
macro_rules! algorithms {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(pub mod $module;)*
        /// Shows every algorithm to a visitor.
        pub fn visit_all(visitor: &mut impl Visitor) {
            $(visitor.visit::<$module::$name>(&$module::INFO);)*
        }
    };
}

algorithms! {
    central::Central,
    lamport::Lamport,
    ricart_agrawala::RicartAgrawala,
    token_ring::TokenRing,
    maekawa::Maekawa,
    carvalho_roucairol::CarvalhoRoucairol,
    suzuki_kasami::SuzukiKasami,
    raymond::Raymond,
    naimi_trehel::NaimiTrehel,
    ricart_agrawala_token::RicartAgrawalaToken,
    copied_flag::CopiedFlag,
    clocks::Clocks,
    lease::Lease,
}
