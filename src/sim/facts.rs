//! A cluster's answers to the goal language.

use super::cluster::{Cluster, belongs_to_algorithm};
use super::simulation::Simulation as _;
use super::view::Order;
use crate::algorithm::Algorithm;
use crate::model::goal::{Overtaking, WriteFate};
use crate::model::{Facts, NodeId, Phase, Value};

impl<A: Algorithm> Facts for Cluster<A> {
    fn phase(&self, node: NodeId) -> Phase {
        self.nodes.get(node.index()).map_or(Phase::Idle, |l| l.phase)
    }

    fn crashed(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|l| l.crashed)
    }

    fn entries(&self, node: NodeId) -> u32 {
        self.tally.entries.get(node.index()).copied().unwrap_or(0)
    }

    fn exits(&self, node: NodeId) -> u32 {
        self.tally.exits.get(node.index()).copied().unwrap_or(0)
    }

    fn messages(&self, kind: Option<&str>) -> u32 {
        let all = self.tally.messages.iter();
        match kind {
            Some(kind) => all.filter(|(k, _)| *k == kind).map(|(_, n)| n).sum(),
            None => all.filter(|(k, _)| belongs_to_algorithm(k)).map(|(_, n)| n).sum(),
        }
    }

    fn in_flight(&self, channel: Option<(NodeId, NodeId)>) -> u32 {
        let n = match channel {
            Some((from, to)) => self.net.channel(from, to).flights.len(),
            None => self.net.in_flight(),
        };
        u32::try_from(n).unwrap_or(u32::MAX)
    }

    fn holds_token(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|l| A::tokens_held(&self.cx(node), &l.state) > 0)
    }

    fn tokens(&self) -> Option<u32> {
        self.tokens_total()
    }

    fn clock(&self, node: NodeId) -> u32 {
        self.nodes.get(node.index()).map_or(0, |l| l.clock)
    }

    fn field(&self, node: NodeId, name: &str) -> Option<Value> {
        self.nodes.get(node.index())?;
        self.fields_of(node).get(name).cloned()
    }

    fn mutex_violated(&self) -> bool {
        self.marks.mutex.is_some()
    }

    fn order_broken(&self) -> bool {
        matches!(self.lamps().order, Order::Broken(..))
    }

    fn fence_violated(&self) -> bool {
        self.marks.fence
    }

    fn stuck(&self) -> bool {
        self.is_stuck()
    }

    fn overtaken(&self, node: NodeId, by: Overtaking) -> u32 {
        self.overtaken_by(node, by)
    }

    fn writes(&self, node: NodeId, fate: WriteFate) -> u32 {
        self.storage.writes(node, fate)
    }
}
