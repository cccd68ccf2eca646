//! What is asked of each state: two inside, stuck, done, the number of tokens, the goal.
//!
//! Each question reads a state as numbers and is answered as the engine answers it for a cluster.

use super::monitor::Watch;
use super::world::{World, traits};
use crate::algorithm::{Algorithm, Cx};
use crate::model::goal::{When, WriteFate};
use crate::model::{Facts, Fields, NodeId, Phase, Value};

/// What a search can find in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Two nodes are inside.
    Mutex,
    /// Somebody waits and nothing will come by itself.
    Stuck,
    /// From here no state can be reached in which everything asked for was done.
    Doomed,
    /// There is not exactly one token.
    Token,
    /// The goal's test holds.
    Goal,
    /// From here the goal's test can never come to hold.
    GoalLost,
}

impl<A: Algorithm> World<A> {
    /// What ends the search in this state.
    #[inline]
    #[must_use]
    pub fn finding(&self, ids: &[u32]) -> Option<Finding> {
        if let Some(goal) = &self.goal {
            let here = goal.when != When::Eventually && self.goal_holds(ids);
            return here.then_some(Finding::Goal);
        }
        let (mut all, mut inside) = (0, 0);
        for (node, id) in ids[..self.setup.clients].iter().enumerate() {
            let bits = self.traits(node, *id);
            all |= bits;
            inside += u32::from(bits & traits::INSIDE != 0);
        }
        if inside > 1 {
            return Some(Finding::Mutex);
        }
        let may_be_stuck = all & (traits::WAITS | traits::CAN_EXIT) == traits::WAITS;
        (may_be_stuck && self.is_stuck(ids)).then_some(Finding::Stuck)
    }

    /// Whether the goal's test holds.
    #[must_use]
    pub fn goal_holds(&self, ids: &[u32]) -> bool {
        self.goal.as_ref().is_some_and(|goal| goal.holds(&Look { world: self, ids }))
    }

    /// Whether some live client waits, none is inside, and neither a delivery nor a timeout can come.
    #[must_use]
    pub fn is_stuck(&self, ids: &[u32]) -> bool {
        let mut clients = 0;
        let mut everybody = 0;
        for (node, id) in ids[..self.setup.total()].iter().enumerate() {
            let bits = self.traits(node, *id);
            everybody |= bits;
            clients |= if node < self.setup.clients { bits } else { 0 };
        }
        clients & (traits::WAITS | traits::CAN_EXIT) == traits::WAITS
            && everybody & traits::TIMER == 0
            && self.channels().iter().all(|c| ids[usize::from(c.field)] == 0)
    }

    /// Whether the run has come where it should: the goal's test holds, or everything was done that
    /// was asked for; or a timer runs that this search lets fire no more, so that nothing can be said.
    #[must_use]
    pub fn is_target(&self, ids: &[u32]) -> bool {
        if self.goal.is_some() && self.goal_holds(ids) {
            return true;
        }
        let bits = |node: usize| self.traits(node, ids[node]);
        let done = (0..self.setup.clients).all(|n| bits(n) & traits::BUSY == 0);
        let timer = || (0..self.setup.total()).any(|n| bits(n) & traits::TIMER != 0);
        self.goal.is_none() && done || self.extra(ids).faults.timeout == 0 && timer()
    }

    /// Tokens held by clients and in flight.
    #[must_use]
    pub fn tokens(&self, ids: &[u32]) -> u32 {
        let held = (0..self.setup.clients).map(|n| u32::from(self.tokens_held(n, ids[n])));
        let moving = self.channels().iter().map(|c| ids[usize::from(c.field)]);
        held.chain(moving.map(|content| u32::from(self.tokens_in(content)))).sum()
    }
}

/// A state in the goal language's eyes.
struct Look<'a, A: Algorithm> {
    world: &'a World<A>,
    ids: &'a [u32],
}

impl<A: Algorithm> Look<'_, A> {
    fn known(&self, node: NodeId) -> bool {
        node.index() < self.world.setup.total()
    }

    fn watched(&self, what: Watch) -> u32 {
        self.world.monitor.read(self.world.extra(self.ids), what)
    }
}

impl<A: Algorithm> Facts for Look<'_, A> {
    fn phase(&self, node: NodeId) -> Phase {
        match self.known(node) {
            true => self.world.seat_of(self.ids, node).local.phase,
            false => Phase::Idle,
        }
    }

    fn crashed(&self, node: NodeId) -> bool {
        self.known(node) && self.world.seat_of(self.ids, node).local.crashed
    }

    fn entries(&self, node: NodeId) -> u32 {
        self.watched(Watch::Entries(node))
    }

    fn exits(&self, node: NodeId) -> u32 {
        self.watched(Watch::Exits(node))
    }

    fn messages(&self, kind: Option<&str>) -> u32 {
        let known = A::INFO.kinds.iter().map(|k| k.name);
        let wanted = |name: &&'static str| match kind {
            Some(kind) => *name == kind,
            None => *name != crate::sim::cluster::TELL,
        };
        let names = known.chain([crate::sim::cluster::TELL]).filter(wanted);
        names.map(|name| self.watched(Watch::Messages(name))).sum()
    }

    fn in_flight(&self, channel: Option<(NodeId, NodeId)>) -> u32 {
        let count = |field: usize| self.world.items(self.ids[field]).len() as u32;
        match channel {
            Some((from, to)) => count(self.world.channel_field(from, to)),
            None => self.world.channels().iter().map(|c| count(usize::from(c.field))).sum(),
        }
    }

    fn holds_token(&self, node: NodeId) -> bool {
        // The engine asks the node itself, helpers included.
        self.known(node) && {
            let local = &self.world.seat_of(self.ids, node).local;
            let cx = Cx { setup: &self.world.setup, me: node, phase: local.phase };
            A::tokens_held(&cx, &local.state) > 0
        }
    }

    fn tokens(&self) -> Option<u32> {
        A::INFO.token.then(|| self.world.tokens(self.ids))
    }

    fn clock(&self, node: NodeId) -> u32 {
        if self.known(node) { self.world.seat_of(self.ids, node).local.clock } else { 0 }
    }

    fn field(&self, node: NodeId, name: &str) -> Option<Value> {
        if !self.known(node) {
            return None;
        }
        let local = &self.world.seat_of(self.ids, node).local;
        let cx = Cx { setup: &self.world.setup, me: node, phase: local.phase };
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
        false
    }

    fn stuck(&self) -> bool {
        self.world.is_stuck(self.ids)
    }

    fn writes(&self, _node: NodeId, _fate: WriteFate) -> u32 {
        0
    }
}
