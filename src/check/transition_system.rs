//! One cluster as numbers: node states, messages, channel contents and everything that one event can
//! do to them, each worked out once and then looked up in `Tables`.
//!
//! Handlers are pure functions of a node's state and a message, so that what they answer may be
//! remembered. What a handler answers is asked of the engine's own `react`; no rule is written again.

use super::act::{Act, Move};
use super::known::Known;
use super::monitor::{Effect, GlobalState, Monitor, Watch};
use super::node_state::{NodeState, fence_of, flags_of};
use super::options::{Faults, SearchOptions};
use super::pack::Ids;
use super::storage_op::StorageOps;
use super::table::{Interner, Memo};
use super::tables::{Contents, Ends, NodeTable, Reaction, Tables};
use crate::algorithm::{Algorithm, Cx, Outbox, Receipt};
use crate::model::{ChannelOrder, Fields, Goal, NodeId, Setup};
use crate::sim::channel::{Body, Flight, Past, VectorTime};
use crate::sim::react::received;
use crate::sim::{Cluster, Input, Local, react};
use std::sync::Arc;

/// One cluster as numbers.
#[derive(Debug)]
pub struct TransitionSystem<A: Algorithm> {
    /// The cluster.
    pub setup: Arc<Setup>,
    /// The question, if there is one.
    pub goal: Option<Goal>,
    /// The same cluster under the rules that are compared, if that is the question.
    pub against: Option<Arc<Setup>>,
    /// What is known so far.
    pub tables: Tables,
    node_states: Vec<Interner<NodeState<A::State>>>,
    /// Each with what its sender knew of requests.
    messages: Interner<(Body<A::Msg>, Known)>,
    bundles: Interner<Box<[u32]>>,
    fences: Interner<Option<u64>>,
    used: Vec<bool>,
    /// Whether nodes forget what can no longer change anything.
    forgets: bool,
    heap: usize,
    /// Whether a number of a state has got a new value since `take_news`.
    news: bool,
}

impl<A: Algorithm> TransitionSystem<A> {
    /// The system of a cluster, and its state as numbers. With `reduce`, nodes forget what can no longer
    /// change anything.
    #[must_use]
    pub fn new(start: &Cluster<A>, options: &SearchOptions, reduce: bool) -> (Self, Ids) {
        let setup = start.shared_setup();
        let n = setup.total();
        let goal = options.goal.as_ref().map(|asked| &asked.goal);
        let mut monitor = Monitor::for_goal(goal, &setup, setup.info.kinds);
        if options.against.is_some() {
            monitor.watch(Watch::Apart, 1);
        }
        monitor.writes = if setup.storage.is_some() { options.writes } else { 0 };
        let storage_ops = monitor.writes > 0 || storage_ops_in_flight(start);
        let mut system = Self {
            goal: goal.cloned(),
            against: options.against.clone(),
            tables: Tables {
                total: n,
                clients: setup.clients,
                fifo: setup.channels == ChannelOrder::Fifo,
                has_extras: options.faults != Faults::NONE || !monitor.is_empty() || storage_ops,
                may_fail: setup.script.is_some(),
                mutex_only: options.mutex_only,
                monitor,
                node_states: (0..n).map(|_| NodeTable::default()).collect(),
                contents: Contents::default(),
                reactions: Vec::new(),
                sends: Vec::new(),
                channels: Vec::new(),
                effects: Interner::default(),
                globals: Interner::default(),
                extra_steps: Memo::default(),
                storage: setup.storage.filter(|_| storage_ops).map(|(node, ..)| node.0),
                storage_ops: Vec::new(),
                storage_op_ids: Memo::default(),
            },
            fences: Interner::default(),
            node_states: (0..n).map(|_| Interner::default()).collect(),
            messages: Interner::default(),
            bundles: Interner::default(),
            used: vec![false; n * n],
            forgets: false,
            heap: 0,
            news: false,
            setup,
        };
        let by_the_paper = system.setup.broken.is_none();
        system.forgets =
            reduce && by_the_paper && system.goal.is_none() && !system.tables.has_extras;
        let ids = system.begin(start, options);
        (system, ids)
    }

    fn begin(&mut self, start: &Cluster<A>, options: &SearchOptions) -> Ids {
        self.content(Box::default());
        let mut ids = Ids::default();
        for node in self.setup.all_ids() {
            let client = self.setup.is_client(node);
            let left = if client { options.requests_of(node.index()) } else { 0 };
            let local = start.locals()[node.index()].clone();
            let (knows, asked) = start.knowledge(node);
            let known = (self.known(start, Some(knows)), self.known(start, asked));
            let node_state = NodeState { local, left, known, unlike: None };
            ids.set(node.index(), self.node_state(node, node_state));
        }
        for (from, to, channel) in start.network().all() {
            let flight = |f: &Flight<A::Msg>| (f.body.clone(), self.known(start, Some(&f.knows)));
            let messages: Vec<_> = channel.flights.iter().map(flight).collect();
            let items: Vec<u32> = messages.into_iter().map(|m| self.messages.intern(m)).collect();
            if !items.is_empty() {
                let field = self.tables.channel_field(from.index(), to.index());
                ids.set(field, self.content(items.into()));
                self.use_channel(field);
            }
        }
        let t = &self.tables;
        let marks = t.monitor.at_start(start);
        let storage_ops = t.storage.map(|_| StorageOps::at_start(start, t.monitor.writes));
        let global = GlobalState { faults: options.faults, marks, storage_ops };
        ids.set(self.tables.extra_field(), self.tables.globals.intern(global));
        ids
    }

    /// What somebody with a vector time knows of the requests that are open where the search begins.
    fn known(&self, start: &Cluster<A>, past: Option<&Past>) -> Known {
        let of = |asked: bool, time: fn(&Past) -> &VectorTime| {
            let known = past.filter(|_| asked).map(|past| start.requests_known(time(past)));
            known.into_iter().flatten().map(u8::from).collect()
        };
        let monitor = &self.tables.monitor;
        Known::of(of(monitor.causes, |past| &past.all), of(monitor.order, |past| &past.stamped))
    }

    /// How many values each number of a state has so far.
    #[must_use]
    pub fn counts(&self) -> Vec<usize> {
        let node_states = self.node_states.iter().map(Interner::len);
        let contents = self.tables.contents.all.len();
        let channels = self.used.iter().map(|used| if *used { contents } else { 0 });
        node_states.chain(channels).chain([self.tables.globals.len()]).collect()
    }

    /// Whether a number of a state has got a new value since this was asked last.
    pub fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }

    /// Bytes that all the tables take. What a node's state keeps outside itself is estimated.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let node_states: usize = self.node_states.iter().map(Interner::bytes).sum();
        node_states + self.tables.bytes() + self.messages.bytes() + self.bundles.bytes() + self.heap
    }

    /// A node's state.
    #[must_use]
    pub fn seat_of(&self, ids: &Ids, node: NodeId) -> &NodeState<A::State> {
        self.node_states[node.index()].get(ids.get(node.index()))
    }

    /// A message.
    #[must_use]
    pub fn message(&self, msg: u32) -> &Body<A::Msg> {
        &self.messages.get(msg).0
    }

    // Numbers for what is new.

    fn node_state(&mut self, node: NodeId, mut node_state: NodeState<A::State>) -> u32 {
        if self.forgets {
            let cx = Cx::of::<A>(&self.setup, node, node_state.local.phase);
            let Local { state, clock, .. } = &mut node_state.local;
            A::forget(&cx, state, clock, node_state.left > 0);
        }
        let all = &mut self.node_states[node.index()];
        let id = all.intern(node_state);
        let known = &mut self.tables.node_states[node.index()];
        if id as usize == known.flags.len() {
            let mut flags = flags_of::<A>(&self.setup, node, all.get(id));
            if self.tables.storage.is_some() {
                flags.fence = self.fences.intern(fence_of::<A>(&self.setup, node, all.get(id)));
            }
            known.bits.push(flags.bits);
            known.flags.push(flags);
            self.heap += 64 + A::heap(&all.get(id).local.state);
            self.news = true;
        }
        id
    }

    fn msg(&mut self, body: Body<A::Msg>, known: Known) -> u32 {
        let id = self.messages.intern((body, known));
        assert!(id < 1 << 24, "a run has fewer than 2^24 different messages");
        id
    }

    /// A single message on its channel.
    pub(super) fn bundle_of(&mut self, from: NodeId, to: NodeId, body: Body<A::Msg>) -> (u16, u32) {
        let field = self.tables.channel_field(from.index(), to.index());
        self.use_channel(field);
        let id = self.msg(body, Known::default());
        (field as u16, self.bundles.intern(Box::new([id])))
    }

    /// The number of what nodes and channels do not tell.
    pub(super) fn extra_id(&mut self, global: GlobalState) -> u32 {
        let before = self.tables.globals.len();
        let id = self.tables.globals.intern(global);
        self.news |= self.tables.globals.len() > before;
        id
    }

    /// The fence that a node has.
    #[must_use]
    pub fn fence_of(&self, ids: &Ids, node: NodeId) -> Option<u64> {
        *self.fences.get(self.tables.flags(node.index(), ids).fence)
    }

    fn carries_token(&self, msg: u32) -> bool {
        matches!(self.message(msg), Body::Protocol(m) if A::carries_token(m))
    }

    /// The number of a channel's content. With it come those of everything it can shrink to.
    fn content(&mut self, mut items: Box<[u32]>) -> u32 {
        if !self.tables.fifo {
            items.sort_unstable();
        }
        if let Some(id) = self.tables.contents.all.find(&items) {
            return id;
        }
        let mut choices = Vec::new();
        let can_go = if self.tables.fifo { items.len().min(1) } else { items.len() };
        for place in 0..can_go {
            // In a sorted bag equal messages stand together: one choice.
            if place == 0 || items[place] != items[place - 1] {
                let rest = self.content(without(&items, place));
                choices.push((items[place], rest));
            }
        }
        let tokens = items.iter().filter(|m| self.carries_token(**m)).count();
        self.heap += items.len() * 4;
        self.news = true;
        let c = &mut self.tables.contents;
        let id = c.all.intern(items);
        let first = c.choices.len() as u32;
        c.choices.extend(choices);
        c.first_choice.push((first, c.choices.len() as u32));
        c.tokens.push(tokens as u8);
        id
    }

    fn use_channel(&mut self, field: usize) {
        let n = self.setup.total();
        if !std::mem::replace(&mut self.used[field - n], true) {
            self.news = true;
            let ends =
                |i: usize| Ends { field: (n + i) as u16, from: (i / n) as u8, to: (i % n) as u8 };
            self.tables.channels = (0..n * n).filter(|i| self.used[*i]).map(ends).collect();
        }
    }

    // What was not worked out yet.

    /// Works out everything about a state.
    pub fn learn_state(&mut self, ids: &Ids) {
        let globals = self.tables.has_extras;
        let left = if globals { self.tables.global(ids).faults } else { Faults::NONE };
        for (act, left) in [(Act::Drop, left.drop), (Act::Duplicate, left.duplicate)] {
            for channel in 0..if left > 0 { self.tables.channels.len() } else { 0 } {
                let field = usize::from(self.tables.channels[channel].field);
                self.learn_edits(ids.get(field), act);
            }
        }
        let mut moves = Vec::new();
        let listed = self.tables.visit_moves(ids, |mv| {
            moves.push(mv);
            Ok(())
        });
        debug_assert!(listed.is_ok(), "what faults leave behind was just worked out");
        for mv in &moves {
            self.learn(ids, mv);
        }
    }

    /// Works out everything that a move needs.
    fn learn(&mut self, ids: &Ids, mv: &Move) {
        if self.tables.is_storage_op(mv) {
            return self.learn_storage_op(ids, mv);
        }
        let mut reaction = None;
        if !mv.in_network() {
            let known = self.tables.reaction(ids, mv).copied();
            let r = known.unwrap_or_else(|_| self.learn_reaction(ids, mv));
            for at in r.first_send..r.first_send + u32::from(r.sends) {
                let (field, bundle) = self.tables.sends[at as usize];
                self.learn_append(ids.get(usize::from(field)), bundle);
            }
            reaction = Some(r);
        }
        if self.tables.has_extras {
            self.learn_extra(ids, mv, reaction.as_ref());
        }
    }

    pub(super) fn learn_append(&mut self, content: u32, bundle: u32) {
        let key = Tables::append_key(content, bundle);
        if self.tables.contents.appends.get(key).is_none() {
            let (before, more) = (self.tables.items(content), self.bundles.get(bundle));
            let items: Box<[u32]> = before.iter().chain(more).copied().collect();
            let id = self.content(items);
            self.tables.contents.appends.insert(key, id);
        }
    }

    /// Works out what a channel holds after each of its messages is lost or copied.
    fn learn_edits(&mut self, content: u32, act: Act) {
        for place in 0..self.tables.items(content).len() {
            if self.tables.edited(content, place, act).is_err() {
                let items = self.tables.items(content);
                let after = match act {
                    Act::Drop => without(items, place),
                    _ => [&items[..=place], &items[place..]].concat().into(),
                };
                let id = self.content(after);
                self.tables.contents.edits.insert(Tables::edit_key(content, place, act), id);
            }
        }
    }

    fn learn_reaction(&mut self, ids: &Ids, mv: &Move) -> Reaction {
        let node = NodeId(mv.node);
        let mut node_state = self.seat_of(ids, node).clone();
        let before = self.tables.flags(node.index(), ids).tokens;
        let mut out = Outbox::new(false);
        let other = self.against.is_some().then(|| node_state.clone());
        let entered = self.play(&self.setup, node, &mut node_state, mv, &mut out);
        let apart = other.is_some_and(|other| {
            self.looks_otherwise(node, other, mv, (&mut node_state, &out, entered))
        });
        let took = mv.act == Act::Deliver && self.carries_token(mv.msg);
        let (known, asked) = &mut node_state.known;
        let (known, knew) =
            (known.clone(), if entered { std::mem::take(asked) } else { Known::default() });
        let to = self.node_state(node, node_state);
        let after = self.tables.node_states[node.index()].flags[to as usize].tokens;
        let exits = mv.act == Act::Exit;
        let mut effect = Effect {
            act: mv.act as u8,
            requested: (mv.act == Act::Request).then_some(node),
            knew,
            entered: entered.then_some(node),
            exited: exits.then_some(node),
            kinds: Vec::new(),
            apart,
        };
        let mut gave = 0;
        let mut bundles: Vec<(usize, Vec<u32>)> = Vec::new();
        for (receiver, msg) in out.sends {
            if self.tables.has_extras {
                effect.kinds.push(A::label(node, &msg).kind);
            }
            let id = self.msg(Body::Protocol(msg), known.clone());
            gave += u8::from(self.carries_token(id));
            let field = self.tables.channel_field(node.index(), receiver.index());
            match bundles.iter_mut().find(|(f, _)| *f == field) {
                Some((_, bundle)) => bundle.push(id),
                None => bundles.push((field, vec![id])),
            }
        }
        let (first_send, sends) = (self.tables.sends.len() as u32, bundles.len() as u16);
        for (field, bundle) in bundles {
            self.use_channel(field);
            let id = self.bundles.intern(bundle.into());
            self.tables.sends.push((field as u16, id));
        }
        let visible = entered || exits || before + u8::from(took) != after + gave;
        let effect = self.tables.effects.intern(effect);
        let reaction = Reaction { to, first_send, sends, entered, visible, effect };
        let id = self.tables.reactions.len() as u32;
        self.tables.reactions.push(reaction);
        let key = Tables::reaction_key(ids, mv);
        self.tables.node_states[node.index()].reactions.insert(key, id);
        reaction
    }

    /// The event at its node, as the engine plays it.
    fn play(
        &self,
        setup: &Setup,
        node: NodeId,
        node_state: &mut NodeState<A::State>,
        mv: &Move,
        out: &mut Outbox<A::Msg>,
    ) -> bool {
        let NodeState { local, left, known: (known, asked), .. } = node_state;
        let input = match mv.act {
            // What reaches a crashed node is lost.
            Act::Deliver if local.crashed => return false,
            Act::Deliver => match self.messages.get(mv.msg) {
                (Body::Protocol(msg), theirs) => {
                    let ordered = self.tables.monitor.order;
                    let from = NodeId(mv.from);
                    known.learn(theirs, ordered && A::label(from, msg).stamp.is_some());
                    Input::Message(from, msg)
                }
                (Body::Tell(stamp), theirs) => {
                    known.learn(theirs, true);
                    local.clock = received(setup, Receipt::Raises, local.clock, *stamp);
                    return false;
                }
                (Body::Storage(_), _) => unreachable!("storage_ops change no node"),
            },
            Act::Request => {
                *left -= 1;
                known.request(node);
                *asked = known.clone();
                Input::Request
            }
            Act::Exit => Input::Exit,
            Act::Timeout => Input::Timeout,
            Act::Recover => Input::Recover,
            Act::Crash => {
                local.crashed = true;
                return false;
            }
            Act::Drop | Act::Duplicate => unreachable!("both happen in the network"),
            Act::Read | Act::Write => unreachable!("storage_ops change no node"),
        };
        react::<A>(setup, node, local, &input, out)
    }

    /// Whether the event comes to something that looks otherwise under the rules that are compared. Where
    /// it does not, the node remembers what is different all the same.
    fn looks_otherwise(
        &self,
        node: NodeId,
        mut other: NodeState<A::State>,
        mv: &Move,
        (here, sent, entered): (&mut NodeState<A::State>, &Outbox<A::Msg>, bool),
    ) -> bool {
        let Some(against) = &self.against else { return false };
        if let Some(unlike) = other.unlike.take() {
            other.local = *unlike;
        }
        let mut out = Outbox::new(false);
        let enters = self.play(against, node, &mut other, mv, &mut out);
        let apart = enters != entered
            || out.sends != sent.sends
            || looks::<A>(against, node, &other.local)
                != looks::<A>(&self.setup, node, &here.local);
        here.unlike = (other.local != here.local).then(|| Box::new(other.local));
        apart
    }

    fn learn_extra(&mut self, ids: &Ids, mv: &Move, reaction: Option<&Reaction>) {
        let t = &mut self.tables;
        if reaction.is_none() {
            t.effects.intern(Effect::in_network(mv.act as u8));
        }
        let key = t.extra_key(ids, mv, reaction).expect("the effect has a number");
        if t.extra_steps.get(key).is_none() {
            let effect = t.effects.get((key as u32) >> 2);
            let (violated, broken) = (key & 2 != 0, key & 1 != 0);
            let after = t.monitor.after(t.global(ids), effect, violated, broken);
            let id = self.extra_id(after);
            self.tables.extra_steps.insert(key, id);
        }
    }
}

/// What a screen shows of a node.
fn looks<A: Algorithm>(setup: &Setup, node: NodeId, local: &Local<A::State>) -> impl PartialEq {
    let cx = Cx::of::<A>(setup, node, local.phase);
    let mut fields = Fields::default();
    A::fields(&cx, &local.state, &mut fields);
    let clock = setup.info.stamped.then_some(local.clock);
    let (request, timer) = (A::request_stamp(&cx, &local.state), A::timer(&cx, &local.state));
    (local.phase, local.crashed, clock, request, timer, fields)
}

fn without(items: &[u32], place: usize) -> Box<[u32]> {
    [&items[..place], &items[place + 1..]].concat().into()
}

/// Whether a message to or from the storage node is on its way.
fn storage_ops_in_flight<A: Algorithm>(start: &Cluster<A>) -> bool {
    let mut flights = start.network().all().flat_map(|(_, _, c)| &c.flights);
    flights.any(|f| matches!(f.body, Body::Storage(_)))
}
