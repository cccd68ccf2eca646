//! What is asked of each state: two inside, stuck, done, the number of tokens, the goal.
//!
//! Each question reads a state as numbers and is answered as the engine answers it for a cluster.

use super::monitor::{Monitor, Watch};
use super::node_state::NodeFlags;
use super::pack::Ids;
use super::tables::Tables;
use super::transition_system::TransitionSystem;
use crate::algorithm::{Algorithm, Cx};
use crate::model::goal::{Overtaking, When, WriteFate};
use crate::model::{Facts, Fields, NodeId, Phase, Value};
use crate::sim::cluster::TELL;
use crate::sim::store;

/// What a search can find in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// A script has failed.
    Fault,
    /// Two nodes are inside.
    Mutex,
    /// Somebody waits and nothing will come by itself.
    Stuck,
    /// From here no state can be reached in which everything asked for was done.
    Doomed,
    /// Here a run can go round for ever.
    Endless,
    /// There is not exactly one token.
    Token,
    /// The last event did something else than under the rules that are compared.
    Apart,
    /// The goal's test holds.
    Goal,
    /// From here the goal's test can never come to hold.
    GoalLost,
}

/// Somebody who knows what is asked of each state.
pub trait Property: Sync {
    /// What ends the search in this state.
    fn finding(&self, ids: &Ids) -> Option<Finding>;
    /// Whether the goal's test holds.
    fn goal_holds(&self, ids: &Ids) -> bool;
    /// Whether the run has come where it should: the goal's test holds, or everything was done that
    /// was asked for and no message is on its way (but a token that never rests); or a timer runs that this search lets fire no more, so that nothing can be said.
    fn is_target(&self, ids: &Ids) -> bool;
}

impl Tables {
    /// Two nodes inside, or somebody waits and nothing more comes by itself.
    #[inline]
    #[must_use]
    pub fn flaw(&self, ids: &Ids) -> Option<Finding> {
        if self.may_fail && self.fails(ids) {
            return Some(Finding::Fault);
        }
        let (mut all, mut inside) = (0, 0);
        for (node, node_states) in self.node_states[..self.clients].iter().enumerate() {
            let bits = node_states.bits[ids.get(node) as usize];
            all |= bits;
            inside += u32::from(bits & NodeFlags::INSIDE != 0);
        }
        if inside > 1 {
            return Some(Finding::Mutex);
        }
        if self.mutex_only {
            return None;
        }
        let may_be = all & (NodeFlags::WAITS | NodeFlags::CAN_EXIT) == NodeFlags::WAITS;
        (may_be && self.is_stuck(ids)).then_some(Finding::Stuck)
    }

    /// Whether the script of some node has failed.
    #[must_use]
    pub fn fails(&self, ids: &Ids) -> bool {
        (0..self.total).any(|node| self.bits(node, ids) & NodeFlags::FAULT != 0)
    }

    #[inline]
    fn nothing_in_flight(&self, ids: &Ids) -> bool {
        self.channels.iter().all(|c| ids.get(usize::from(c.field)) == 0)
    }

    /// Whether some live client waits, none is inside, and neither a delivery nor a timeout can come.
    #[must_use]
    pub fn is_stuck(&self, ids: &Ids) -> bool {
        if !self.nothing_in_flight(ids) {
            return false;
        }
        let (mut clients, mut everybody) = (0, 0);
        for node in 0..self.total {
            let bits = self.bits(node, ids);
            everybody |= bits;
            clients |= if node < self.clients { bits } else { 0 };
        }
        clients & (NodeFlags::WAITS | NodeFlags::CAN_EXIT) == NodeFlags::WAITS
            && everybody & NodeFlags::TIMER == 0
    }

    /// Tokens held by clients and in flight.
    #[must_use]
    pub fn tokens(&self, ids: &Ids) -> u32 {
        let held = (0..self.clients).map(|n| u32::from(self.flags(n, ids).tokens));
        let moving = self.channels.iter().map(|c| ids.get(usize::from(c.field)));
        held.chain(moving.map(|c| u32::from(self.contents.tokens[c as usize]))).sum()
    }
}

impl<A: Algorithm> Property for TransitionSystem<A> {
    #[inline]
    fn finding(&self, ids: &Ids) -> Option<Finding> {
        match &self.goal {
            _ if self.against.is_some() => {
                let apart = self.tables.monitor.read(self.tables.global(ids), Watch::Apart) > 0;
                apart.then_some(Finding::Apart)
            }
            None => self.tables.flaw(ids),
            Some(_) if self.tables.may_fail && self.tables.fails(ids) => Some(Finding::Fault),
            Some(goal) if goal.when == When::Eventually => None,
            Some(_) => self.goal_holds(ids).then_some(Finding::Goal),
        }
    }

    fn goal_holds(&self, ids: &Ids) -> bool {
        self.goal.as_ref().is_some_and(|goal| goal.holds(&Look { system: self, ids }))
    }

    fn is_target(&self, ids: &Ids) -> bool {
        let t = &self.tables;
        let reached = match &self.goal {
            Some(_) => self.goal_holds(ids),
            None => {
                let served = (0..t.clients).all(|n| t.bits(n, ids) & NodeFlags::BUSY == 0);
                served && (self.setup.info.circulates || t.nothing_in_flight(ids))
            }
        };
        let timer = || (0..t.total).any(|n| t.bits(n, ids) & NodeFlags::TIMER != 0);
        reached || t.global(ids).faults.timeout == 0 && timer()
    }
}

/// A state in the goal language's eyes.
struct Look<'a, A: Algorithm> {
    system: &'a TransitionSystem<A>,
    ids: &'a Ids,
}

impl<A: Algorithm> Look<'_, A> {
    fn known(&self, node: NodeId) -> bool {
        node.index() < self.system.setup.total()
    }

    fn watched(&self, what: Watch) -> u32 {
        let tables = &self.system.tables;
        tables.monitor.read(tables.global(self.ids), what)
    }
}

impl<A: Algorithm> Facts for Look<'_, A> {
    fn phase(&self, node: NodeId) -> Phase {
        match self.known(node) {
            true => self.system.seat_of(self.ids, node).local.phase,
            false => Phase::Idle,
        }
    }

    fn crashed(&self, node: NodeId) -> bool {
        self.known(node) && self.system.seat_of(self.ids, node).local.crashed
    }

    fn entries(&self, node: NodeId) -> u32 {
        self.watched(Watch::Entries(node))
    }

    fn exits(&self, node: NodeId) -> u32 {
        self.watched(Watch::Exits(node))
    }

    fn messages(&self, kind: Option<&str>) -> u32 {
        let own = self.system.setup.info.kinds.iter().map(|k| k.name);
        let others = [TELL].into_iter().chain(store::KINDS).filter(|_| kind.is_some());
        let wanted = own.chain(others).filter(|name| kind.is_none_or(|kind| *name == kind));
        wanted.map(|name| self.watched(Watch::Messages(name))).sum()
    }

    fn in_flight(&self, channel: Option<(NodeId, NodeId)>) -> u32 {
        let t = &self.system.tables;
        let count = |field: usize| t.items(self.ids.get(field)).len() as u32;
        match channel {
            Some((from, to)) => count(t.channel_field(from.index(), to.index())),
            None => t.channels.iter().map(|c| count(usize::from(c.field))).sum(),
        }
    }

    fn holds_token(&self, node: NodeId) -> bool {
        // The engine asks the node itself, helpers included.
        self.known(node) && {
            let local = &self.system.seat_of(self.ids, node).local;
            let cx = Cx::of::<A>(&self.system.setup, node, local.phase);
            A::tokens_held(&cx, &local.state) > 0
        }
    }

    fn tokens(&self) -> Option<u32> {
        self.system.setup.info.token.then(|| self.system.tables.tokens(self.ids))
    }

    fn clock(&self, node: NodeId) -> u32 {
        if self.known(node) { self.system.seat_of(self.ids, node).local.clock } else { 0 }
    }

    fn field(&self, node: NodeId, name: &str) -> Option<Value> {
        if !self.known(node) {
            return None;
        }
        let local = &self.system.seat_of(self.ids, node).local;
        let cx = Cx::of::<A>(&self.system.setup, node, local.phase);
        let mut fields = Fields::default();
        A::fields(&cx, &local.state, &mut fields);
        fields.get(name).cloned()
    }

    fn mutex_violated(&self) -> bool {
        self.watched(Watch::Mutex) > 0
    }

    fn order_broken(&self) -> bool {
        self.watched(Watch::Order) > 0
    }

    fn fence_violated(&self) -> bool {
        self.watched(Watch::Fence) > 0
    }

    fn stuck(&self) -> bool {
        self.system.tables.is_stuck(self.ids)
    }

    fn overtaken(&self, node: NodeId, by: Overtaking) -> u32 {
        Monitor::overtaken(self.watched(Watch::Overtaken(node, by)))
    }

    fn writes(&self, node: NodeId, fate: WriteFate) -> u32 {
        self.watched(Watch::Writes(node, fate))
    }
}
