//! The algorithms, one file a paper, and the trait that they are written against.
//!
//! A handler sees its own node's state and the message, nothing else: no other node, no time, no
//! randomness, no screen. Handlers decide; the engine (`sim`) acts.

mod info;
mod outbox;
mod quorum;

pub use info::{
    Cost, Failure, FieldInfo, Helper, Info, Kind, Label, Line, OptionInfo, OrderPromise,
};
pub use info::{Rule, Shows, Variant, When};
pub use outbox::{Condition, Guard, Missing, Outbox};

use crate::model::{Config, Fields, NodeId, NodeSet, Phase, Setup, StorageCheck, StorageRule};
use std::fmt::Debug;
use std::hash::Hash;

/// What a handler may know besides its node's state and the message.
#[derive(Clone, Copy, Debug)]
pub struct Cx<'a> {
    /// The cluster as it was set up.
    pub setup: &'a Setup,
    /// The node whose handler runs.
    pub me: NodeId,
    /// Where this node stands. At `on_request` it already waits, at `on_exit` it is already idle.
    pub phase: Phase,
}

impl<'a> Cx<'a> {
    /// How many clients the cluster has.
    #[must_use]
    pub fn n(&self) -> usize {
        self.setup.clients
    }

    /// All clients but this node.
    pub fn others(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let me = self.me;
        self.setup.client_ids().filter(move |n| *n != me)
    }

    /// All clients but this node, as a set.
    #[must_use]
    pub fn other_set(&self) -> NodeSet {
        self.others().collect()
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

    /// Whether the broken variant with this id is played.
    #[must_use]
    pub fn broken(&self, id: &str) -> bool {
        self.setup.variant == Some(id)
    }
}

/// A distributed mutual exclusion algorithm.
pub trait Algorithm: Sized + 'static {
    /// What people and programs may know about it without running it.
    const INFO: Info;
    /// What one message carries.
    type Msg: Clone + Ord + Hash + Debug + Send + Sync;
    /// The variables of one node: what affects the future, and nothing else.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

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
    fn init(cx: &Cx<'_>, out: &mut Outbox<Self::Msg>) -> Self::State;
    /// The application asks for the lock.
    fn on_request(cx: &Cx<'_>, state: &mut Self::State, out: &mut Outbox<Self::Msg>);
    /// A message arrives. A stamped one has already raised the clock.
    fn on_message(
        cx: &Cx<'_>,
        state: &mut Self::State,
        from: NodeId,
        msg: &Self::Msg,
        out: &mut Outbox<Self::Msg>,
    );
    /// The application leaves the critical section.
    fn on_exit(cx: &Cx<'_>, state: &mut Self::State, out: &mut Outbox<Self::Msg>);
    /// The timer fires.
    fn on_timeout(_cx: &Cx<'_>, _state: &mut Self::State, _out: &mut Outbox<Self::Msg>) {}
    /// The node recovers from a crash. By default it goes on with the state that it had.
    fn on_recover(_cx: &Cx<'_>, _state: &mut Self::State) {}
    /// Why a timer is running at this node, in words; `None`: none is.
    fn timer(_cx: &Cx<'_>, _state: &Self::State) -> Option<&'static str> {
        None
    }
    /// Under which conditions a waiting node enters. All met: the engine lets it in.
    fn guard(cx: &Cx<'_>, state: &Self::State, guard: &mut Guard);
    /// The node's variables, for the table.
    fn fields(cx: &Cx<'_>, state: &Self::State, fields: &mut Fields);
    /// What this node keeps back from another one that waits for it, in words.
    fn owes(_cx: &Cx<'_>, _state: &Self::State, _to: NodeId) -> Option<String> {
        None
    }
    /// The clock value of the node's outstanding request, where requests are stamped.
    fn request_stamp(_cx: &Cx<'_>, _state: &Self::State) -> Option<u32> {
        None
    }
    /// How a message reads: `REQUEST (4,P1)`.
    fn label(from: NodeId, msg: &Self::Msg) -> Label;
    /// The clock value that a message carries. Only stamped messages move a clock.
    fn stamp(_msg: &Self::Msg) -> Option<u32> {
        None
    }
    /// Whether the receipt of a stamped message raises the clock; a broken variant may say no.
    fn merges(_cx: &Cx<'_>) -> bool {
        true
    }
    /// Whether this node sends nothing to `to` before `to` itself has an event, whatever happens
    /// elsewhere. `asks` says whether this node's application will ask again, `unanswered` whether a
    /// message from `to` to it is in flight. The checker leaves out orders of events by it; when in
    /// doubt, no.
    fn silent_towards(
        _cx: &Cx<'_>,
        _state: &Self::State,
        _asks: bool,
        _to: NodeId,
        _unanswered: bool,
    ) -> bool {
        false
    }
    /// Replaces what can no longer change anything that this node does, enters or sends by one value
    /// for all, so that the checker tells fewer states apart. It must change no behaviour: neither now
    /// nor after any further events. When in doubt, nothing.
    /// `asks` tells whether the node's application will ask again; `clock` is the node's clock.
    fn forget(_cx: &Cx<'_>, _state: &mut Self::State, _clock: &mut u32, _asks: bool) {}
    /// The fence that the algorithm gives its holder, where it gives one.
    fn fence(_cx: &Cx<'_>, _state: &Self::State) -> Option<u64> {
        None
    }
    /// What the storage node compares; a broken variant may compare something else than its rule says.
    fn storage_check(_setup: &Setup, rule: StorageRule) -> StorageCheck {
        match rule {
            StorageRule::Plain => StorageCheck::Nothing,
            StorageRule::Fenced => StorageCheck::Lower,
        }
    }
    /// How many tokens this node holds.
    fn tokens_held(_cx: &Cx<'_>, _state: &Self::State) -> u32 {
        0
    }
    /// Whether a message carries the token.
    fn carries_token(_msg: &Self::Msg) -> bool {
        false
    }
}

/// Something that wants to see every algorithm's type.
pub trait Visitor {
    /// Called once for each algorithm, in the order of the list.
    fn visit<A: Algorithm>(&mut self);
}

/// The one list: a line declares the module and puts the algorithm into every menu, table and test.
macro_rules! algorithms {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(pub mod $module;)*
        /// Shows every algorithm to a visitor.
        pub fn visit_all(visitor: &mut impl Visitor) {
            $(visitor.visit::<$module::$name>();)*
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
