//! What comes of READ and WRITE in a search: which are possible, and what each changes.
//!
//! What the storage answers is the engine's own `StorageState`.

use super::act::{Act, Move, Unknown};
use super::monitor::{GlobalState, Watch};
use super::node_state::NodeFlags;
use super::pack::Ids;
use super::storage_op::StorageOp;
use super::tables::Tables;
use super::transition_system::TransitionSystem;
use crate::algorithm::Algorithm;
use crate::model::NodeId;
use crate::model::goal::WriteFate;
use crate::sim::StorageMsg;
use crate::sim::channel::Body;
use crate::sim::store::Answer;

impl Tables {
    /// Whether a move is between a client and the storage node.
    #[inline]
    #[must_use]
    pub fn is_storage_op(&self, mv: &Move) -> bool {
        let at_storage = |node: u8| self.storage == Some(node);
        match mv.act {
            Act::Read | Act::Write => true,
            Act::Deliver => at_storage(mv.node) || at_storage(mv.from),
            _ => false,
        }
    }

    /// The question under which a request to the storage is kept.
    fn storage_op_key(&self, ids: &Ids, mv: &Move) -> u64 {
        let (what, client, detail) = match mv.act {
            Act::Read => (0, mv.node, self.flags(usize::from(mv.node), ids).fence),
            Act::Write => (1, mv.node, self.flags(usize::from(mv.node), ids).fence),
            _ if self.storage == Some(mv.node) => (2, mv.from, mv.msg),
            _ => (3, mv.node, mv.msg),
        };
        let code = what << 29 | u64::from(client) << 24 | u64::from(detail);
        u64::from(ids.get(self.extra_field())) << 32 | code
    }

    /// What a request to the storage changes; `None`: its receiver has crashed and it is lost.
    ///
    /// # Errors
    /// When it was not worked out yet.
    pub fn storage_op(&self, ids: &Ids, mv: &Move) -> Result<Option<StorageOp>, Unknown> {
        if mv.act == Act::Deliver && self.bits(usize::from(mv.node), ids) & NodeFlags::CRASHED != 0
        {
            return Ok(None);
        }
        let known = self.storage_op_ids.get(self.storage_op_key(ids, mv)).ok_or(Unknown)?;
        Ok(Some(self.storage_ops[known as usize]))
    }

    /// Shows what clients can ask the storage for.
    ///
    /// # Errors
    /// When the visitor stops.
    pub fn visit_storage_ops(
        &self,
        ids: &Ids,
        visit: &mut impl FnMut(Move) -> Result<(), Unknown>,
    ) -> Result<(), Unknown> {
        let Some(storage_ops) = &self.global(ids).storage_ops else { return Ok(()) };
        for act in [Act::Read, Act::Write] {
            for (node, (reads, writes)) in storage_ops.left.iter().enumerate() {
                let left = if act == Act::Read { *reads } else { *writes };
                if left > 0 && self.bits(node, ids) & NodeFlags::CAN_EXIT != 0 {
                    visit(Move::at_node(act, node))?;
                }
            }
        }
        Ok(())
    }
}

impl<A: Algorithm> TransitionSystem<A> {
    /// Works out what a request to the storage changes.
    pub fn learn_storage_op(&mut self, ids: &Ids, mv: &Move) {
        if self.tables.storage_op(ids, mv).is_err() {
            let (global, reply) = self.play_storage_op(ids, mv);
            let global = self.extra_id(global);
            let send = reply.map(|(from, to, msg)| self.bundle_of(from, to, Body::Storage(msg)));
            let id = self.tables.storage_ops.len() as u32;
            self.tables.storage_ops.push(StorageOp { global, send });
            let key = self.tables.storage_op_key(ids, mv);
            self.tables.storage_op_ids.insert(key, id);
        }
        if let Ok(Some(StorageOp { send: Some((field, bundle)), .. })) =
            self.tables.storage_op(ids, mv)
        {
            self.learn_append(ids.get(usize::from(field)), bundle);
        }
    }

    fn play_storage_op(
        &self,
        ids: &Ids,
        mv: &Move,
    ) -> (GlobalState, Option<(NodeId, NodeId, StorageMsg)>) {
        let (storage, rule, fence_on) = self.setup.storage.expect("only its clients ask it");
        let mut global = self.tables.global(ids).clone();
        let storage_ops =
            global.storage_ops.as_mut().expect("a search with a storage node keeps them");
        let node = NodeId(mv.node);
        let writes = mv.act == Act::Write;
        if matches!(mv.act, Act::Read | Act::Write) {
            let fence = self.fence_of(ids, node);
            let msg = storage_ops.storage_state.request(node, fence, writes);
            let left = &mut storage_ops.left[node.index()];
            *(if writes { &mut left.1 } else { &mut left.0 }) -= 1;
            self.tables.monitor.mark(&mut global, |w| w == Watch::Messages(msg.label().kind));
            return (global, Some((node, storage, msg)));
        }
        let Body::Storage(msg) = *self.message(mv.msg) else {
            unreachable!("nothing else goes to and from the storage node")
        };
        let check = A::storage_check(&self.setup, rule);
        let from = NodeId(mv.from);
        let before = storage_ops.storage_state.clone();
        let answer = storage_ops.storage_state.receive(check, fence_on, from, node, msg);
        let Some(answer) = answer else { return (global, None) };
        let apart = self.against.as_ref().is_some_and(|against| {
            let mut other = before;
            let check = A::storage_check(against, rule);
            let there = other.receive(check, fence_on, from, node, msg);
            // The reason alone is not to be seen.
            let seen = |a: &Answer| (a.reply, a.overwrites, a.against_order);
            there.as_ref().map(seen) != Some(seen(&answer)) || other != storage_ops.storage_state
        });
        let wrote = matches!(msg, StorageMsg::Write(_));
        let shows = |watch: Watch| match watch {
            Watch::Apart => apart,
            _ => shown_by(watch, &answer, from, wrote),
        };
        self.tables.monitor.mark(&mut global, shows);
        (global, Some((node, from, answer.reply)))
    }
}

/// Whether an answer is something that a watch counts.
fn shown_by(watch: Watch, answer: &Answer, client: NodeId, wrote: bool) -> bool {
    let refused = answer.reply == StorageMsg::Refused;
    match watch {
        Watch::Messages(kind) => answer.reply.label().kind == kind,
        Watch::Fence => answer.against_order,
        Watch::Writes(node, fate) => {
            wrote
                && node == client
                && match fate {
                    WriteFate::Accepted => !refused,
                    WriteFate::Refused => refused,
                    WriteFate::Lost => answer.overwrites.is_some(),
                }
        }
        Watch::Entries(_) | Watch::Exits(_) | Watch::Mutex | Watch::Order | Watch::Apart => false,
        Watch::Overtaken(..) => false,
    }
}
