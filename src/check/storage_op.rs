//! READ and WRITE: what clients send to the storage node, and what comes of it.
//!
//! The storage and what its clients know of it is one more thing that nodes and channels do not tell.
//! What the storage answers is the engine's own `StorageState`.

use super::monitor::{GlobalState, Watch};
use super::pack::Ids;
use super::tables::{Act, Move, NodeFlags, Tables, Unknown};
use super::transition_system::TransitionSystem;
use crate::algorithm::Algorithm;
use crate::model::goal::WriteFate;
use crate::model::{NodeId, Phase};
use crate::sim::channel::Body;
use crate::sim::storage::StorageState;
use crate::sim::store::Answer;
use crate::sim::{Cluster, StorageMsg};

/// The storage, its clients, and how often each may still read and write in its visit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StorageOps {
    /// The storage and what its clients know of it.
    pub storage_state: StorageState,
    /// Reads and writes that are left.
    pub left: Vec<(u8, u8)>,
}

impl StorageOps {
    /// Those at the state where a search begins: clients that are inside have their whole visit.
    #[must_use]
    pub fn at_start<A: Algorithm>(start: &Cluster<A>, writes: u8) -> Self {
        let clients = start.shared_setup().clients;
        let inside = |i: usize| start.locals()[i].phase == Phase::InCs;
        let left = |i: usize| if inside(i) { (writes, writes) } else { (0, 0) };
        Self {
            storage_state: start.storage_state().clone(),
            left: (0..clients).map(left).collect(),
        }
    }

    /// A client enters or leaves.
    pub fn turn(&mut self, entered: Option<NodeId>, exited: Option<NodeId>, writes: u8) {
        if let Some(client) = entered {
            self.storage_state.enter(client);
            self.left[client.index()] = (writes, writes);
        }
        if let Some(client) = exited {
            self.left[client.index()] = (0, 0);
        }
    }
}

/// What a request or an answer changes.
#[derive(Clone, Copy, Debug)]
pub struct StorageOp {
    /// What nodes and channels do not tell, afterwards.
    pub global: u32,
    /// Channel and messages that are sent.
    pub send: Option<(u16, u32)>,
}

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

    /// The question under which an storage_op is kept.
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

    /// What an storage_op changes; `None`: its receiver has crashed and it is lost.
    ///
    /// # Errors
    /// When it was not worked out yet.
    pub fn storage_op(&self, ids: &Ids, mv: &Move) -> Result<Option<StorageOp>, Unknown> {
        if mv.act == Act::Deliver && self.bits(usize::from(mv.node), ids) & NodeFlags::CRASHED != 0
        {
            return Ok(None);
        }
        let known = self.errand_ids.get(self.storage_op_key(ids, mv)).ok_or(Unknown)?;
        Ok(Some(self.storage_ops[known as usize]))
    }

    /// Shows what clients can ask the storage for.
    ///
    /// # Errors
    /// When the visitor stops.
    pub fn visit_errands(
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
    /// Works out what an storage_op changes.
    pub fn learn_errand(&mut self, ids: &Ids, mv: &Move) {
        if self.tables.storage_op(ids, mv).is_err() {
            let (global, reply) = self.play_errand(ids, mv);
            let global = self.extra_id(global);
            let send = reply.map(|(from, to, msg)| self.bundle_of(from, to, Body::Storage(msg)));
            let id = self.tables.storage_ops.len() as u32;
            self.tables.storage_ops.push(StorageOp { global, send });
            let key = self.tables.storage_op_key(ids, mv);
            self.tables.errand_ids.insert(key, id);
        }
        if let Ok(Some(StorageOp { send: Some((field, bundle)), .. })) =
            self.tables.storage_op(ids, mv)
        {
            self.learn_append(ids.get(usize::from(field)), bundle);
        }
    }

    fn play_errand(
        &self,
        ids: &Ids,
        mv: &Move,
    ) -> (GlobalState, Option<(NodeId, NodeId, StorageMsg)>) {
        let (storage, rule, fence_on) =
            self.setup.storage.expect("only its clients have storage_ops");
        let mut global = self.tables.global(ids).clone();
        let storage_ops =
            global.storage_ops.as_mut().expect("a search with storage_ops keeps them");
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
        let answer = storage_ops.storage_state.receive(check, fence_on, from, node, msg);
        let Some(answer) = answer else { return (global, None) };
        let wrote = matches!(msg, StorageMsg::Write(_));
        let shows = |watch: Watch| shown_by(watch, &answer, from, wrote);
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
        Watch::Entries(_) | Watch::Exits(_) | Watch::Mutex | Watch::Order => false,
    }
}
