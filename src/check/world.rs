//! One cluster as numbers: node states, messages, channel contents and everything that one event can
//! do to them, each worked out once and then looked up.
//!
//! Handlers are pure functions of a node's state and a message, so that what they answer may be
//! remembered. What a handler answers is asked of the engine's own `react`; no rule is written again.

use super::monitor::{Effect, Extra, Monitor};
use super::options::{Faults, SearchOptions};
use super::pack::Layout;
use super::table::{Interner, Memo};
use crate::algorithm::{Algorithm, Cx, Outbox};
use crate::model::{ChannelOrder, Goal, NodeId, Phase, Setup};
use crate::sim::channel::Body;
use crate::sim::react::merged;
use crate::sim::{Cluster, Input, Local, react};
use std::sync::Arc;

/// A node's state and what its application will still do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Seat<S> {
    /// The node's state.
    pub local: Local<S>,
    /// Requests that it will still make.
    pub left: u32,
}

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A message reaches its receiver.
    Deliver = 1,
    /// A client asks.
    Request,
    /// A client leaves.
    Exit,
    /// A timer fires.
    Timeout,
    /// A node goes on.
    Recover,
    /// A node stops.
    Crash,
    /// A message is lost.
    Drop,
    /// A message is copied.
    Duplicate,
}

/// An event, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// What it does.
    pub act: Act,
    /// The node at which it happens, or the receiver of the message that it is about.
    pub node: u8,
    /// The sender of that message.
    pub from: u8,
    /// Its place in the channel.
    pub place: u16,
    /// That message.
    pub msg: u32,
    /// What the channel holds afterwards.
    pub rest: u32,
}

/// What one event does at one node.
#[derive(Clone, Copy, Debug)]
pub struct Reaction {
    /// The node's state afterwards.
    pub to: u32,
    sends: u32,
    send_count: u16,
    /// Whether it enters.
    pub entered: bool,
    /// Whether a property can see it: it enters, leaves, or changes the number of tokens.
    pub visible: bool,
    /// What it means to a monitor.
    effect: u32,
}

/// What matters about a node's state at every state of the cluster, as bits.
pub mod traits {
    /// It is a live client that waits.
    pub const WAITS: u8 = 1;
    /// It is inside, crashed or not.
    pub const INSIDE: u8 = 2;
    /// It is a live client inside.
    pub const CAN_EXIT: u8 = 4;
    /// It is a live client that is idle and has requests left.
    pub const CAN_ASK: u8 = 8;
    /// It is alive and a timer runs.
    pub const TIMER: u8 = 16;
    /// It has crashed.
    pub const CRASHED: u8 = 32;
    /// It is a live client that has requests left or is not idle.
    pub const BUSY: u8 = 64;
}

/// What is known about one node's states.
#[derive(Debug)]
struct Seats<S> {
    all: Interner<Seat<S>>,
    traits: Vec<u8>,
    tokens: Vec<u8>,
    reactions: Memo,
}

/// A channel that is used.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Its number among the state's numbers.
    pub field: u16,
    /// The sender.
    pub from: u8,
    /// The receiver.
    pub to: u8,
}

/// Channel contents.
#[derive(Debug, Default)]
struct Contents {
    all: Interner<Box<[u32]>>,
    /// What can be delivered from each content and what is left then: a stretch of `choices`.
    first_choice: Vec<u32>,
    choices: Vec<(u32, u32)>,
    tokens: Vec<u8>,
    appends: Memo,
    edits: Memo,
}

/// One cluster as numbers.
#[derive(Debug)]
pub struct World<A: Algorithm> {
    /// The cluster.
    pub setup: Arc<Setup>,
    /// The question, if there is one.
    pub goal: Option<Goal>,
    /// What of the past is part of a state.
    pub monitor: Monitor,
    faults: Faults,
    seats: Vec<Seats<A::State>>,
    messages: Interner<Body<A::Msg>>,
    bundles: Interner<Box<[u32]>>,
    contents: Contents,
    reactions: Vec<Reaction>,
    sends: Vec<(u16, u32)>,
    used: Vec<bool>,
    channels: Vec<Ends>,
    effects: Interner<Effect>,
    extras: Interner<Extra>,
    extra_steps: Memo,
    heap: usize,
}

/// Whether a move needs an answer that is not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unknown;

impl<A: Algorithm> World<A> {
    /// The world of a cluster, and its state as numbers.
    #[must_use]
    pub fn new(start: &Cluster<A>, options: &SearchOptions) -> (Self, Vec<u32>) {
        let setup = start.shared_setup();
        let n = setup.total();
        let monitor = Monitor::for_goal(options.goal.as_ref(), &setup, A::INFO.kinds);
        let mut world = Self {
            goal: options.goal.clone(),
            faults: options.faults,
            seats: (0..n).map(|_| Seats::default()).collect(),
            messages: Interner::default(),
            bundles: Interner::default(),
            contents: Contents::default(),
            reactions: Vec::new(),
            sends: Vec::new(),
            used: vec![false; n * n],
            channels: Vec::new(),
            effects: Interner::default(),
            extras: Interner::default(),
            extra_steps: Memo::default(),
            heap: 0,
            monitor,
            setup,
        };
        world.content(Box::default());
        let mut ids = vec![0; world.fields()];
        for node in world.setup.all_ids() {
            let client = world.setup.is_client(node);
            let left = if client { options.requests_of(node.index()) } else { 0 };
            let seat = Seat { local: start.locals()[node.index()].clone(), left };
            ids[node.index()] = world.seat(node, seat);
        }
        for (from, to, channel) in start.network().all() {
            let bodies = channel.flights.iter().map(|f| f.body.clone());
            let items: Vec<u32> = bodies.map(|b| world.messages.intern(b)).collect();
            if !items.is_empty() {
                let field = world.channel_field(from, to);
                ids[field] = world.content(items.into());
                world.use_channel(field);
            }
        }
        let extra = Extra { faults: options.faults, marks: world.monitor.at_start(start) };
        let field = world.extra_field();
        ids[field] = world.extras.intern(extra);
        (world, ids)
    }

    /// How many numbers a state has.
    #[must_use]
    pub fn fields(&self) -> usize {
        let n = self.setup.total();
        n + n * n + 1
    }

    /// The number that stands for the contents of a channel.
    #[must_use]
    pub fn channel_field(&self, from: NodeId, to: NodeId) -> usize {
        let n = self.setup.total();
        n + from.index() * n + to.index()
    }

    /// The number that stands for what the nodes and channels do not tell.
    #[must_use]
    pub fn extra_field(&self) -> usize {
        self.fields() - 1
    }

    /// How many values each number of a state has so far.
    #[must_use]
    pub fn counts(&self) -> Vec<usize> {
        let seats = self.seats.iter().map(|s| s.all.len());
        let contents = self.contents.all.len();
        let channels = self.used.iter().map(|used| if *used { contents } else { 0 });
        seats.chain(channels).chain([self.extras.len()]).collect()
    }

    /// The channels that were used so far, by sender and receiver.
    #[must_use]
    pub fn channels(&self) -> &[Ends] {
        &self.channels
    }

    /// Bytes that all the tables take. What a node's state keeps outside itself is estimated.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let seats = self.seats.iter().map(|s| {
            s.all.bytes() + s.traits.capacity() + s.tokens.capacity() + s.reactions.bytes()
        });
        let c = &self.contents;
        let contents = c.all.bytes() + c.first_choice.capacity() * 4 + c.choices.capacity() * 8;
        let memos = c.appends.bytes() + c.edits.bytes() + self.extra_steps.bytes();
        let reactions = self.reactions.capacity() * size_of::<Reaction>();
        let sends = self.sends.capacity() * size_of::<(u16, u32)>();
        let small = self.messages.bytes() + self.bundles.bytes() + self.extras.bytes();
        seats.sum::<usize>() + contents + memos + reactions + sends + small + self.heap
    }

    // What the numbers stand for.

    /// A node's state.
    #[must_use]
    pub fn seat_of(&self, ids: &[u32], node: NodeId) -> &Seat<A::State> {
        self.seats[node.index()].all.get(ids[node.index()])
    }

    /// What matters about a node's state.
    #[inline]
    #[must_use]
    pub fn traits(&self, node: usize, id: u32) -> u8 {
        self.seats[node].traits[id as usize]
    }

    /// Tokens that a node holds in a state.
    #[must_use]
    pub fn tokens_held(&self, node: usize, id: u32) -> u8 {
        self.seats[node].tokens[id as usize]
    }

    /// Tokens in a channel.
    #[must_use]
    pub fn tokens_in(&self, content: u32) -> u8 {
        self.contents.tokens[content as usize]
    }

    /// The messages of a channel, in order.
    #[must_use]
    pub fn items(&self, content: u32) -> &[u32] {
        self.contents.all.get(content)
    }

    /// What can be delivered from a channel: message and what is left.
    #[inline]
    #[must_use]
    pub fn choices(&self, content: u32) -> &[(u32, u32)] {
        let from = self.contents.first_choice[content as usize] as usize;
        let to = self.contents.first_choice[content as usize + 1] as usize;
        &self.contents.choices[from..to]
    }

    /// A message.
    #[must_use]
    pub fn message(&self, msg: u32) -> &Body<A::Msg> {
        self.messages.get(msg)
    }

    /// What the nodes and channels do not tell.
    #[must_use]
    pub fn extra(&self, ids: &[u32]) -> &Extra {
        self.extras.get(ids[self.extra_field()])
    }

    /// Whether states differ in more than nodes and channels.
    #[must_use]
    pub fn has_extras(&self) -> bool {
        self.faults != Faults::NONE || !self.monitor.is_empty()
    }

    // Numbers for what is new.

    fn seat(&mut self, node: NodeId, seat: Seat<A::State>) -> u32 {
        let seats = &mut self.seats[node.index()];
        let id = seats.all.intern(seat);
        if id as usize == seats.traits.len() {
            let seat = seats.all.get(id);
            let cx = Cx { setup: &self.setup, me: node, phase: seat.local.phase };
            seats.traits.push(traits_of::<A>(&cx, seat));
            let held = A::tokens_held(&cx, &seat.local.state);
            seats.tokens.push(if self.setup.is_client(node) { held as u8 } else { 0 });
            self.heap += 64;
        }
        id
    }

    fn carries_token(&self, msg: u32) -> bool {
        matches!(self.messages.get(msg), Body::Protocol(m) if A::carries_token(m))
    }

    /// The number of a channel's content. With it come those of everything it can shrink to.
    fn content(&mut self, mut items: Box<[u32]>) -> u32 {
        if self.setup.channels == ChannelOrder::AnyOrder {
            items.sort_unstable();
        }
        if let Some(id) = self.contents.all.find(&items) {
            return id;
        }
        let mut choices = Vec::new();
        for place in 0..items.len() {
            if self.setup.channels == ChannelOrder::Fifo && place > 0 {
                break;
            }
            // In a sorted bag equal messages stand together: one choice.
            if place == 0 || items[place] != items[place - 1] {
                let rest = self.content(without(&items, place));
                choices.push((items[place], rest));
            }
        }
        let tokens = items.iter().filter(|m| self.carries_token(**m)).count();
        self.heap += items.len() * 4;
        let c = &mut self.contents;
        if c.first_choice.is_empty() {
            c.first_choice.push(0);
        }
        let id = c.all.intern(items);
        c.choices.extend(choices);
        c.first_choice.push(c.choices.len() as u32);
        c.tokens.push(tokens as u8);
        id
    }

    fn use_channel(&mut self, field: usize) {
        let n = self.setup.total();
        if !std::mem::replace(&mut self.used[field - n], true) {
            let ends =
                |i: usize| Ends { field: (n + i) as u16, from: (i / n) as u8, to: (i % n) as u8 };
            self.channels = (0..n * n).filter(|i| self.used[*i]).map(ends).collect();
        }
    }

    // What a move does.

    #[inline]
    fn key(ids: &[u32], mv: &Move) -> u64 {
        let input = (mv.act as u64) << 29 | u64::from(mv.from) << 24 | u64::from(mv.msg);
        u64::from(ids[usize::from(mv.node)]) << 32 | input
    }

    /// What a move does at its node; drops and copies happen in the network.
    ///
    /// # Errors
    /// When it was not worked out yet.
    #[inline]
    pub fn reaction(&self, ids: &[u32], mv: &Move) -> Result<&Reaction, Unknown> {
        let known = self.seats[usize::from(mv.node)].reactions.get(Self::key(ids, mv));
        known.map(|r| &self.reactions[r as usize]).ok_or(Unknown)
    }

    #[inline]
    fn append_key(content: u32, bundle: u32) -> u64 {
        u64::from(content) << 32 | u64::from(bundle)
    }

    /// Appends the packed state that a move leads to.
    ///
    /// # Errors
    /// When something it needs was not worked out yet; nothing is appended then.
    #[inline]
    pub fn successor(
        &self,
        layout: &Layout,
        ids: &[u32],
        words: &[u64],
        mv: &Move,
        out: &mut Vec<u64>,
    ) -> Result<(), Unknown> {
        let start = out.len();
        out.extend_from_slice(words);
        let done = self.write_successor(layout, ids, mv, &mut out[start..]);
        if done.is_err() {
            out.truncate(start);
        }
        done
    }

    #[inline]
    fn write_successor(
        &self,
        layout: &Layout,
        ids: &[u32],
        mv: &Move,
        state: &mut [u64],
    ) -> Result<(), Unknown> {
        let n = self.seats.len();
        let channel = n + usize::from(mv.from) * n + usize::from(mv.node);
        if matches!(mv.act, Act::Deliver | Act::Drop | Act::Duplicate) {
            layout.set(state, channel, mv.rest);
        }
        let mut reaction = None;
        if !matches!(mv.act, Act::Drop | Act::Duplicate) {
            let r = self.reaction(ids, mv)?;
            layout.set(state, usize::from(mv.node), r.to);
            let sends = r.sends as usize..r.sends as usize + usize::from(r.send_count);
            for (field, bundle) in &self.sends[sends] {
                let field = usize::from(*field);
                let key = Self::append_key(ids[field], *bundle);
                let content = self.contents.appends.get(key).ok_or(Unknown)?;
                layout.set(state, field, content);
            }
            reaction = Some(r);
        }
        if self.has_extras() {
            let extra = ids[self.extra_field()];
            let key = self.extra_key(extra, ids, mv, reaction).ok_or(Unknown)?;
            layout.set(state, self.extra_field(), self.extra_steps.get(key).ok_or(Unknown)?);
        }
        Ok(())
    }

    /// Works out everything that a move needs.
    pub fn learn(&mut self, ids: &[u32], mv: &Move) {
        let mut reaction = None;
        if !matches!(mv.act, Act::Drop | Act::Duplicate) {
            if self.reaction(ids, mv).is_err() {
                self.learn_reaction(ids, mv);
            }
            let Ok(r) = self.reaction(ids, mv) else { unreachable!("it was just worked out") };
            let r = *r;
            for at in r.sends as usize..r.sends as usize + usize::from(r.send_count) {
                let (field, bundle) = self.sends[at];
                self.learn_append(ids[usize::from(field)], bundle);
            }
            reaction = Some(r);
        }
        if self.has_extras() {
            self.learn_extra(ids, mv, reaction.as_ref());
        }
    }

    fn learn_append(&mut self, content: u32, bundle: u32) {
        let key = Self::append_key(content, bundle);
        if self.contents.appends.get(key).is_none() {
            let (before, more) = (self.contents.all.get(content), self.bundles.get(bundle));
            let items: Box<[u32]> = before.iter().chain(more).copied().collect();
            let id = self.content(items);
            self.contents.appends.insert(key, id);
        }
    }

    fn learn_reaction(&mut self, ids: &[u32], mv: &Move) {
        let node = NodeId(mv.node);
        let mut seat = self.seat_of(ids, node).clone();
        let before = self.tokens_held(node.index(), ids[node.index()]);
        let mut out = Outbox::new(false);
        let entered = self.play(node, &mut seat, mv, &mut out);
        let took = mv.act == Act::Deliver && self.carries_token(mv.msg);
        let to = self.seat(node, seat);
        let after = self.tokens_held(node.index(), to);
        let (mut gave, mut kinds) = (0, Vec::new());
        let mut bundles: Vec<(u16, Vec<u32>)> = Vec::new();
        for (receiver, msg) in out.sends {
            kinds.push(A::label(node, &msg).kind);
            let id = self.messages.intern(Body::Protocol(msg));
            assert!(id < 1 << 24, "a run has fewer than 2^24 different messages");
            gave += u8::from(self.carries_token(id));
            let field = self.channel_field(node, receiver);
            self.use_channel(field);
            match bundles.iter_mut().find(|(f, _)| usize::from(*f) == field) {
                Some((_, bundle)) => bundle.push(id),
                None => bundles.push((field as u16, vec![id])),
            }
        }
        let sends = self.sends.len() as u32;
        let send_count = bundles.len() as u16;
        for (field, bundle) in bundles {
            let id = self.bundles.intern(bundle.into());
            self.sends.push((field, id));
        }
        let visible = entered || mv.act == Act::Exit || before + u8::from(took) != after + gave;
        let effect = self.effects.intern(Effect {
            act: mv.act as u8,
            entered: entered.then_some(node),
            exited: (mv.act == Act::Exit).then_some(node),
            kinds,
        });
        let id = self.reactions.len() as u32;
        self.reactions.push(Reaction { to, sends, send_count, entered, visible, effect });
        self.seats[node.index()].reactions.insert(Self::key(ids, mv), id);
    }

    /// The event at its node, as the engine plays it.
    fn play(
        &self,
        node: NodeId,
        seat: &mut Seat<A::State>,
        mv: &Move,
        out: &mut Outbox<A::Msg>,
    ) -> bool {
        let local = &mut seat.local;
        let input = match mv.act {
            // What reaches a crashed node is lost.
            Act::Deliver if local.crashed => return false,
            Act::Deliver => match self.messages.get(mv.msg) {
                Body::Protocol(msg) => Input::Message(NodeId(mv.from), msg),
                Body::Tell(received) => {
                    local.clock = merged(&self.setup, local.clock, *received);
                    return false;
                }
            },
            Act::Request => {
                seat.left -= 1;
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
        };
        react::<A>(&self.setup, node, local, &input, out)
    }

    // Faults in the network.

    fn edit_key(content: u32, place: usize, act: Act) -> u64 {
        u64::from(content) << 32 | (place as u64) << 8 | act as u64
    }

    /// What a channel holds after a message is lost or copied.
    ///
    /// # Errors
    /// When it was not worked out yet.
    pub fn edited(&self, content: u32, place: usize, act: Act) -> Result<u32, Unknown> {
        self.contents.edits.get(Self::edit_key(content, place, act)).ok_or(Unknown)
    }

    /// Works out what a channel holds after each of its messages is lost or copied.
    pub fn learn_edits(&mut self, content: u32, act: Act) {
        for place in 0..self.items(content).len() {
            if self.edited(content, place, act).is_err() {
                let items = self.items(content);
                let after = match act {
                    Act::Drop => without(items, place),
                    _ => [&items[..=place], &items[place..]].concat().into(),
                };
                let id = self.content(after);
                self.contents.edits.insert(Self::edit_key(content, place, act), id);
            }
        }
    }

    // The past.

    fn extra_key(
        &self,
        extra: u32,
        ids: &[u32],
        mv: &Move,
        reaction: Option<&Reaction>,
    ) -> Option<u64> {
        let effect = match reaction {
            Some(r) => r.effect,
            None => self.effects.find(&Effect::in_network(mv.act as u8))?,
        };
        let after = reaction.map_or(ids[usize::from(mv.node)], |r| r.to);
        let entered = reaction.is_some_and(|r| r.entered);
        let violated = self.monitor.mutex && entered && self.inside_after(ids, mv.node, after) > 1;
        let broken = self.monitor.order && entered && self.passes(ids, mv.node, after);
        let code = effect << 2 | u32::from(violated) << 1 | u32::from(broken);
        Some(u64::from(extra) << 32 | u64::from(code))
    }

    fn learn_extra(&mut self, ids: &[u32], mv: &Move, reaction: Option<&Reaction>) {
        if reaction.is_none() {
            self.effects.intern(Effect::in_network(mv.act as u8));
        }
        let extra = ids[self.extra_field()];
        let key = self.extra_key(extra, ids, mv, reaction).expect("the effect has a number");
        if self.extra_steps.get(key).is_none() {
            let effect = self.effects.get((key as u32) >> 2);
            let (violated, broken) = (key & 2 != 0, key & 1 != 0);
            let after = self.monitor.after(self.extras.get(extra), effect, violated, broken);
            let id = self.extras.intern(after);
            self.extra_steps.insert(key, id);
        }
    }

    fn inside_after(&self, ids: &[u32], node: u8, after: u32) -> usize {
        let id = |i: usize| if i == usize::from(node) { after } else { ids[i] };
        let inside = |i: &usize| self.traits(*i, id(*i)) & traits::INSIDE != 0;
        (0..self.setup.clients).filter(inside).count()
    }

    /// Whether a node that enters passes a waiting one with a smaller stamp.
    fn passes(&self, ids: &[u32], node: u8, after: u32) -> bool {
        let stamp = |i: usize, id: u32| {
            let me = NodeId::at(i);
            let local = &self.seats[i].all.get(id).local;
            let cx = Cx { setup: &self.setup, me, phase: local.phase };
            A::request_stamp(&cx, &local.state).map(|clock| (clock, i))
        };
        let Some(mine) = stamp(usize::from(node), after) else { return false };
        (0..self.setup.clients).filter(|i| *i != usize::from(node)).any(|i| {
            let waits = self.seats[i].all.get(ids[i]).local.phase == Phase::Waiting;
            waits && stamp(i, ids[i]).is_some_and(|theirs| theirs < mine)
        })
    }
}

impl<S> Default for Seats<S>
where
    Seat<S>: std::hash::Hash + Eq,
{
    fn default() -> Self {
        Self {
            all: Interner::default(),
            traits: Vec::new(),
            tokens: Vec::new(),
            reactions: Memo::default(),
        }
    }
}

fn without(items: &[u32], place: usize) -> Box<[u32]> {
    [&items[..place], &items[place + 1..]].concat().into()
}

fn traits_of<A: Algorithm>(cx: &Cx<'_>, seat: &Seat<A::State>) -> u8 {
    let local = &seat.local;
    let client = cx.setup.is_client(cx.me);
    let live = !local.crashed;
    let idle = local.phase == Phase::Idle;
    let inside = local.phase == Phase::InCs;
    let mut bits = 0;
    let mut set = |on: bool, bit: u8| bits |= if on { bit } else { 0 };
    set(client && live && local.phase == Phase::Waiting, traits::WAITS);
    set(client && inside, traits::INSIDE);
    set(client && live && inside, traits::CAN_EXIT);
    let asks = client && live && seat.left > 0 && A::no_lock().is_none();
    set(asks && idle, traits::CAN_ASK);
    set(live && A::timer(cx, &local.state).is_some(), traits::TIMER);
    set(local.crashed, traits::CRASHED);
    set(asks || client && live && !idle, traits::BUSY);
    bits
}
