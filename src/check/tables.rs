//! Everything that one event can do, as tables of numbers: what the explorer reads, whatever the
//! algorithm.
//!
//! Nothing is worked out here. What is missing from a table is `Unknown`, and `TransitionSystem` fills it in.

use super::act::{Act, Move, Unknown};
use super::monitor::{Effect, GlobalState, Monitor};
use super::node_state::NodeFlags;
use super::pack::{Ids, Layout};
use super::storage_op::StorageOp;
use super::table::{Interner, Memo};
use crate::model::NodeId;

/// What one event does at one node.
#[derive(Clone, Copy, Debug)]
pub struct Reaction {
    /// The node's state afterwards.
    pub to: u32,
    /// What it sends: a stretch of `Tables::sends`.
    pub first_send: u32,
    /// How many channels it sends on.
    pub sends: u16,
    /// Whether it enters.
    pub entered: bool,
    /// Whether a property can see it: it enters, leaves, or changes the number of tokens.
    pub visible: bool,
    /// What it means to a monitor.
    pub effect: u32,
}

/// What is known about one node's states.
#[derive(Debug, Default)]
pub struct NodeTable {
    /// The bits of `NodeFlags`, by the state's number.
    pub bits: Vec<u8>,
    /// The rest.
    pub flags: Vec<NodeFlags>,
    /// What each input does in each state.
    pub reactions: Memo,
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

/// Channel contents. Number 0 is the empty one.
#[derive(Debug, Default)]
pub struct Contents {
    /// The messages of each, in order (a bag is sorted).
    pub all: Interner<Box<[u32]>>,
    /// What can be delivered from each and what is left then: a stretch of `choices`.
    pub first_choice: Vec<(u32, u32)>,
    /// Message and rest.
    pub choices: Vec<(u32, u32)>,
    /// Tokens in each.
    pub tokens: Vec<u8>,
    /// What each becomes when messages are put behind it.
    pub appends: Memo,
    /// What each becomes when a message is lost or copied.
    pub edits: Memo,
}

/// Everything that one event can do.
#[derive(Debug)]
pub struct Tables {
    /// How many nodes there are.
    pub total: usize,
    /// How many of them ask.
    pub clients: usize,
    /// Whether channels keep the order of sending.
    pub fifo: bool,
    /// Whether the handlers are a script's, which may fail.
    pub may_fail: bool,
    /// Whether nothing but mutual exclusion is asked about.
    pub mutex_only: bool,
    /// What of the past is part of a state.
    pub monitor: Monitor,
    /// Whether states differ in more than nodes and channels.
    pub has_extras: bool,
    /// One for each node.
    pub node_states: Vec<NodeTable>,
    /// Channel contents.
    pub contents: Contents,
    /// What events do at a node.
    pub reactions: Vec<Reaction>,
    /// What they send: channel and messages.
    pub sends: Vec<(u16, u32)>,
    /// The channels that were used so far, by sender and receiver.
    pub channels: Vec<Ends>,
    /// What events mean to a monitor.
    pub effects: Interner<Effect>,
    /// What nodes and channels do not tell.
    pub globals: Interner<GlobalState>,
    /// How that changes.
    pub extra_steps: Memo,
    /// The storage node.
    pub storage: Option<u8>,
    /// What requests to it and its answers change.
    pub storage_ops: Vec<StorageOp>,
    /// Which of them is meant.
    pub storage_op_ids: Memo,
}

impl Tables {
    /// The number that stands for the contents of a channel.
    #[inline]
    #[must_use]
    pub fn channel_field(&self, from: usize, to: usize) -> usize {
        self.total + from * self.total + to
    }

    /// The number that stands for what the nodes and channels do not tell.
    #[inline]
    #[must_use]
    pub fn extra_field(&self) -> usize {
        self.total + self.total * self.total
    }

    /// The bits of a node's flags.
    #[inline]
    #[must_use]
    pub fn bits(&self, node: usize, ids: &Ids) -> u8 {
        self.node_states[node].bits[ids.get(node) as usize]
    }

    /// What matters about a node.
    #[must_use]
    pub fn flags(&self, node: usize, ids: &Ids) -> &NodeFlags {
        &self.node_states[node].flags[ids.get(node) as usize]
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
        let (first, last) = self.contents.first_choice[content as usize];
        &self.contents.choices[first as usize..last as usize]
    }

    /// What the nodes and channels do not tell.
    #[must_use]
    pub fn global(&self, ids: &Ids) -> &GlobalState {
        self.globals.get(ids.get(self.extra_field()))
    }

    // What a move does.

    /// The question under which a reaction is kept.
    #[inline]
    #[must_use]
    pub fn reaction_key(ids: &Ids, mv: &Move) -> u64 {
        let input = (mv.act as u64) << 29 | u64::from(mv.from) << 24 | u64::from(mv.msg);
        u64::from(ids.get(usize::from(mv.node))) << 32 | input
    }

    /// What a move does at its node.
    ///
    /// # Errors
    /// When it was not worked out yet.
    #[inline]
    pub fn reaction(&self, ids: &Ids, mv: &Move) -> Result<&Reaction, Unknown> {
        let known =
            self.node_states[usize::from(mv.node)].reactions.get(Self::reaction_key(ids, mv));
        known.map(|r| &self.reactions[r as usize]).ok_or(Unknown)
    }

    /// What a reaction sends.
    #[inline]
    #[must_use]
    pub fn sends_of(&self, reaction: &Reaction) -> &[(u16, u32)] {
        let first = reaction.first_send as usize;
        &self.sends[first..first + usize::from(reaction.sends)]
    }

    /// The question under which a longer content is kept.
    #[inline]
    #[must_use]
    pub fn append_key(content: u32, bundle: u32) -> u64 {
        u64::from(content) << 32 | u64::from(bundle)
    }

    /// The question under which an edited content is kept.
    #[must_use]
    pub fn edit_key(content: u32, place: usize, act: Act) -> u64 {
        u64::from(content) << 32 | (place as u64) << 8 | act as u64
    }

    /// What a channel holds after a message is lost or copied.
    ///
    /// # Errors
    /// When it was not worked out yet.
    pub fn edited(&self, content: u32, place: usize, act: Act) -> Result<u32, Unknown> {
        self.contents.edits.get(Self::edit_key(content, place, act)).ok_or(Unknown)
    }

    /// The packed state that a move leads to.
    ///
    /// # Errors
    /// When something it needs was not worked out yet.
    #[inline]
    pub fn successor<const W: usize>(
        &self,
        layout: &Layout,
        ids: &Ids,
        state: &[u64; W],
        mv: &Move,
    ) -> Result<[u64; W], Unknown> {
        let mut next = *state;
        if mv.act == Act::Deliver || mv.in_network() {
            let channel = self.channel_field(usize::from(mv.from), usize::from(mv.node));
            layout.change(&mut next, channel, ids.get(channel), mv.rest);
        }
        if self.has_extras && self.is_storage_op(mv) {
            self.errand_changes(layout, ids, &mut next, mv)?;
            return Ok(next);
        }
        let mut reaction = None;
        if !mv.in_network() {
            let r = self.reaction(ids, mv)?;
            let node = usize::from(mv.node);
            layout.change(&mut next, node, ids.get(node), r.to);
            for (field, bundle) in self.sends_of(r) {
                let field = usize::from(*field);
                let old = ids.get(field);
                let key = Self::append_key(old, *bundle);
                let content = self.contents.appends.get(key).ok_or(Unknown)?;
                layout.change(&mut next, field, old, content);
            }
            reaction = Some(r);
        }
        if self.has_extras {
            let key = self.extra_key(ids, mv, reaction).ok_or(Unknown)?;
            let global = self.extra_steps.get(key).ok_or(Unknown)?;
            let field = self.extra_field();
            layout.change(&mut next, field, ids.get(field), global);
        }
        Ok(next)
    }

    fn errand_changes<const W: usize>(
        &self,
        layout: &Layout,
        ids: &Ids,
        next: &mut [u64; W],
        mv: &Move,
    ) -> Result<(), Unknown> {
        let Some(storage_op) = self.storage_op(ids, mv)? else { return Ok(()) };
        let field = self.extra_field();
        layout.change(next, field, ids.get(field), storage_op.global);
        if let Some((field, bundle)) = storage_op.send {
            let old = ids.get(usize::from(field));
            let content = self.contents.appends.get(Self::append_key(old, bundle));
            layout.change(next, usize::from(field), old, content.ok_or(Unknown)?);
        }
        Ok(())
    }

    // The past.

    /// The question under which a change of the globals is kept: globals and effect, and whether the
    /// event breaks mutual exclusion or the order of stamps.
    #[must_use]
    pub fn extra_key(&self, ids: &Ids, mv: &Move, reaction: Option<&Reaction>) -> Option<u64> {
        let effect = match reaction {
            Some(r) => r.effect,
            None => self.effects.find(&Effect::in_network(mv.act as u8))?,
        };
        let (mut violated, mut broken) = (false, false);
        if let Some(r) = reaction
            && r.entered
        {
            violated = self.monitor.mutex && self.meets_another(ids, mv.node);
            broken = self.monitor.order && self.passes_another(ids, mv.node, r);
        }
        let code = effect << 2 | u32::from(violated) << 1 | u32::from(broken);
        Some(u64::from(ids.get(self.extra_field())) << 32 | u64::from(code))
    }

    fn others(&self, node: u8) -> impl Iterator<Item = usize> + use<> {
        (0..self.clients).filter(move |i| *i != usize::from(node))
    }

    fn meets_another(&self, ids: &Ids, node: u8) -> bool {
        self.others(node).any(|i| self.bits(i, ids) & NodeFlags::INSIDE != 0)
    }

    /// Whether a node that enters passes a waiting one whose request came before: by its stamp, or because
    /// it knew of that when it asked.
    fn passes_another(&self, ids: &Ids, node: u8, entry: &Reaction) -> bool {
        let mine = self.node_states[usize::from(node)].flags[entry.to as usize].stamp;
        let knew = &self.effects.get(entry.effect).knew;
        self.others(node).any(|i| {
            let theirs = self.flags(i, ids);
            let waits = theirs.bits & NodeFlags::INSIDE == 0 && theirs.stamp > 0;
            let older = mine > 0 && (theirs.stamp, i) < (mine, usize::from(node));
            let known = theirs.asked > 0 && knew.stamped_requests(NodeId::at(i)) >= theirs.asked;
            waits && (older || known)
        })
    }

    /// Bytes that all of it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let node_states = self.node_states.iter().map(|s| {
            s.bits.capacity() + s.flags.capacity() * size_of::<NodeFlags>() + s.reactions.bytes()
        });
        let c = &self.contents;
        let contents = c.all.bytes() + c.first_choice.capacity() * 8 + c.choices.capacity() * 8;
        let memos = c.appends.bytes() + c.edits.bytes() + self.extra_steps.bytes();
        let storage_ops =
            self.storage_op_ids.bytes() + self.storage_ops.capacity() * size_of::<StorageOp>();
        let reactions = self.reactions.capacity() * size_of::<Reaction>();
        let sends = self.sends.capacity() * size_of::<(u16, u32)>();
        let globals = self.globals.bytes() + storage_ops;
        node_states.sum::<usize>() + contents + memos + reactions + sends + globals
    }
}
