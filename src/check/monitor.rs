//! What of a run's past is part of a state: only what a goal names, counted no further than the goal
//! can tell apart, and the faults that are left.
//!
//! Without a goal about the past and without faults there is nothing here, and states are smaller.

use super::act::Act;
use super::known::Known;
use super::options::Faults;
use super::storage_op::StorageOps;
use crate::algorithm::Kind;
use crate::model::goal::{Count, Overtaking, Property, Test, WriteFate};
use crate::model::{Facts, Goal, NodeId, Phase, Setup};
use crate::sim::cluster::TELL;
use crate::sim::store;

/// What a goal wants to know about the past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watch {
    /// Entries of a client.
    Entries(NodeId),
    /// Exits of a client.
    Exits(NodeId),
    /// Messages of a kind.
    Messages(&'static str),
    /// Whether two were inside together.
    Mutex,
    /// Whether the order of stamps was broken.
    Order,
    /// Whether a fence was accepted after a higher one.
    Fence,
    /// Writes of a client that met this fate.
    Writes(NodeId, WriteFate),
    /// Entries of others since a client asked. The number is no plain count: see `Monitor::overtaken`.
    Overtaken(NodeId, Overtaking),
    /// Whether an event did something else than under the rules that are compared.
    Apart,
}

/// What of the past is part of a state, each with the number behind which it is not counted further.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Monitor {
    watches: Vec<(Watch, u32)>,
    /// Whether `Watch::Mutex` is among them.
    pub mutex: bool,
    /// Whether `Watch::Order` is among them.
    pub order: bool,
    /// Whether it matters who knows of whose requests.
    pub causes: bool,
    /// How often a client may read, and write, in one visit.
    pub writes: u8,
}

/// What the nodes and channels do not tell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GlobalState {
    /// Faults that may still happen.
    pub faults: Faults,
    /// One number for each watch.
    pub marks: Box<[u32]>,
    /// The storage node's part, where reads and writes are played.
    pub storage_ops: Option<StorageOps>,
}

/// What an event means to a monitor.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Effect {
    /// The act's number.
    pub act: u8,
    /// Who asks.
    pub requested: Option<NodeId>,
    /// Who enters.
    pub entered: Option<NodeId>,
    /// What it knew of requests when it asked.
    pub knew: Known,
    /// Who leaves.
    pub exited: Option<NodeId>,
    /// Kinds of the messages that are sent.
    pub kinds: Vec<&'static str>,
    /// Whether it does something else than under the rules that are compared.
    pub apart: bool,
}

impl Effect {
    /// An event in the network alone.
    #[must_use]
    pub fn in_network(act: u8) -> Self {
        Self { act, ..Self::default() }
    }
}

impl Monitor {
    /// What a goal needs.
    #[must_use]
    pub fn for_goal(goal: Option<&Goal>, setup: &Setup, kinds: &'static [Kind]) -> Self {
        let mut monitor = Self::default();
        if let Some(goal) = goal {
            monitor.add(&goal.test, setup, kinds);
        }
        monitor
    }

    fn add(&mut self, test: &Test, setup: &Setup, kinds: &'static [Kind]) {
        match test {
            Test::Entered(n) => self.watch(Watch::Entries(*n), 1),
            Test::Exited(n) => self.watch(Watch::Exits(*n), 1),
            Test::Violated(Property::Mutex) => {
                self.mutex = true;
                self.watch(Watch::Mutex, 1);
            }
            Test::Violated(Property::Order) => {
                self.order = true;
                self.watch(Watch::Order, 1);
            }
            Test::Number(count, _, wanted) => {
                // All numbers above the wanted one compare alike.
                let most = u32::try_from(wanted.saturating_add(1)).unwrap_or(0);
                self.count(count, most, setup, kinds);
            }
            Test::Some(count) => self.count(count, 1, setup, kinds),
            Test::Not(a) => self.add(a, setup, kinds),
            Test::And(a, b) | Test::Or(a, b) => {
                self.add(a, setup, kinds);
                self.add(b, setup, kinds);
            }
            Test::InCs(_) | Test::Waiting(_) | Test::Idle(_) | Test::Crashed(_) => {}
            Test::Holds(_) | Test::Stuck | Test::Field(..) => {}
            Test::Violated(Property::Fence) => self.watch(Watch::Fence, 1),
            Test::Violated(Property::Token) => {}
        }
    }

    fn count(&mut self, count: &Count, most: u32, setup: &Setup, kinds: &'static [Kind]) {
        match count {
            Count::Entries(Some(n)) => self.watch(Watch::Entries(*n), most),
            Count::Exits(Some(n)) => self.watch(Watch::Exits(*n), most),
            Count::Entries(None) => {
                setup.client_ids().for_each(|n| self.watch(Watch::Entries(n), most));
            }
            Count::Exits(None) => {
                setup.client_ids().for_each(|n| self.watch(Watch::Exits(n), most));
            }
            Count::Messages(wanted) => {
                // All together are the algorithm's own; the others have to be named.
                let others = [TELL].into_iter().chain(store::KINDS);
                let others = others.filter(|_| wanted.is_some());
                for kind in kinds.iter().map(|k| k.name).chain(others) {
                    if wanted.as_ref().is_none_or(|w| w == kind) {
                        self.watch(Watch::Messages(kind), most);
                    }
                }
            }
            Count::Writes(node, fate) => self.watch(Watch::Writes(*node, *fate), most),
            Count::Overtaken(node, by) => {
                self.causes |= *by == Overtaking::Later;
                self.watch(Watch::Overtaken(*node, *by), most);
            }
            Count::InFlight(_) | Count::Tokens | Count::Clock(_) => {}
        }
    }

    /// Counts something up to a number.
    pub fn watch(&mut self, what: Watch, most: u32) {
        match self.watches.iter_mut().find(|(w, _)| *w == what) {
            Some((_, limit)) => *limit = most.max(*limit),
            None => self.watches.push((what, most)),
        }
    }

    /// Whether nothing of the past is part of a state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.watches.is_empty()
    }

    /// The numbers at the state where the search begins.
    #[must_use]
    pub fn at_start(&self, facts: &dyn Facts) -> Box<[u32]> {
        let read = |(watch, most): &(Watch, u32)| {
            let now = match watch {
                Watch::Entries(n) => facts.entries(*n),
                Watch::Exits(n) => facts.exits(*n),
                Watch::Messages(kind) => facts.messages(Some(kind)),
                Watch::Mutex => u32::from(facts.mutex_violated()),
                Watch::Order => u32::from(facts.order_broken()),
                Watch::Fence => u32::from(facts.fence_violated()),
                Watch::Writes(node, fate) => facts.writes(*node, *fate),
                Watch::Overtaken(node, by) if facts.phase(*node) == Phase::Waiting => {
                    return Self::waiting(1, facts.overtaken(*node, *by).min(*most));
                }
                Watch::Overtaken(..) | Watch::Apart => 0,
            };
            now.min(*most)
        };
        self.watches.iter().map(read).collect()
    }

    /// The numbers after an event.
    #[must_use]
    pub fn after(
        &self,
        global: &GlobalState,
        effect: &Effect,
        violated: bool,
        broken: bool,
    ) -> GlobalState {
        let mut after = global.clone();
        let left = &mut after.faults;
        let acts = [
            (Act::Timeout, &mut left.timeout),
            (Act::Drop, &mut left.drop),
            (Act::Duplicate, &mut left.duplicate),
            (Act::Crash, &mut left.crash),
            (Act::Recover, &mut left.recover),
        ];
        for (act, left) in acts {
            if act as u8 == effect.act {
                *left -= 1;
            }
        }
        for ((watch, most), mark) in self.watches.iter().zip(&mut after.marks) {
            let more = match watch {
                Watch::Overtaken(n, by) => {
                    *mark = Self::overtake(*mark, *n, *by, effect, *most);
                    continue;
                }
                Watch::Entries(n) => u32::from(effect.entered == Some(*n)),
                Watch::Exits(n) => u32::from(effect.exited == Some(*n)),
                Watch::Messages(kind) => effect.kinds.iter().filter(|k| *k == kind).count() as u32,
                Watch::Mutex => u32::from(violated),
                Watch::Order => u32::from(broken),
                Watch::Apart => u32::from(effect.apart),
                Watch::Fence | Watch::Writes(..) => 0,
            };
            *mark = (*mark + more).min(*most);
        }
        if let Some(storage_ops) = &mut after.storage_ops {
            storage_ops.turn(effect.entered, effect.exited, self.writes);
        }
        after
    }

    /// The mark of a client that waits with its request of this number and was overtaken so often.
    fn waiting(request: u32, overtaken: u32) -> u32 {
        request << 16 | (overtaken + 1)
    }

    /// How often a client was overtaken, by its mark.
    #[must_use]
    pub fn overtaken(mark: u32) -> u32 {
        (mark & 0xffff).saturating_sub(1)
    }

    /// The mark of `Watch::Overtaken` after an event.
    fn overtake(mark: u32, client: NodeId, by: Overtaking, effect: &Effect, most: u32) -> u32 {
        let (mut request, mut waits) = (mark >> 16, mark & 0xffff > 0);
        let mut overtaken = Self::overtaken(mark);
        if effect.requested == Some(client) {
            (request, waits, overtaken) = (request + 1, true, 0);
        }
        match effect.entered {
            Some(other) if other == client => waits = false,
            Some(_)
                if by == Overtaking::Any || u32::from(effect.knew.requests(client)) >= request =>
            {
                overtaken = (overtaken + 1).min(most);
            }
            Some(_) | None => {}
        }
        if waits { Self::waiting(request, overtaken) } else { request << 16 }
    }

    /// Counts one more for each watch that something shows to.
    pub fn mark(&self, global: &mut GlobalState, shows: impl Fn(Watch) -> bool) {
        for ((watch, most), mark) in self.watches.iter().zip(&mut global.marks) {
            *mark = (*mark + u32::from(shows(*watch))).min(*most);
        }
    }

    /// The number of a watch in a state; 0 for what is not watched.
    #[must_use]
    pub fn read(&self, global: &GlobalState, what: Watch) -> u32 {
        let at = self.watches.iter().position(|(w, _)| *w == what);
        at.map_or(0, |i| global.marks[i])
    }
}
