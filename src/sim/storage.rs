//! The storage node's place in a cluster: requests of holders, its answers, the log of writes.
//!
//! Which request is taken is decided in `store`; which fence a holder has, by its algorithm.

use super::store::{Answer, StorageMsg, StorageRequest, Store};
use super::view::WriteView;
use crate::model::goal::WriteFate;
use crate::model::{FenceOn, NodeId, StorageCheck};

/// A client's visit in the critical section, as the storage's requests name it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Visit {
    /// Its number over the whole cluster, from 1; 0: never inside.
    pub number: u32,
    /// The last write that the client has read in it.
    pub seen: Option<u32>,
}

/// What the storage node keeps and what its clients know of it: all that decides about later requests.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StorageState {
    /// What the storage node keeps.
    pub store: Store,
    /// One a client.
    pub visits: Vec<Visit>,
    entries: u32,
}

impl StorageState {
    /// Nothing was written, nobody was inside.
    #[must_use]
    pub fn new(clients: usize) -> Self {
        Self { store: Store::default(), visits: vec![Visit::default(); clients], entries: 0 }
    }

    /// A client enters: a new visit, in which it has read nothing yet.
    pub fn enter(&mut self, client: NodeId) {
        self.entries += 1;
        self.visits[client.index()] = Visit { number: self.entries, seen: None };
    }

    /// The request that a client sends.
    #[must_use]
    pub fn request(&self, client: NodeId, fence: Option<u64>, writes: bool) -> StorageMsg {
        let visit = self.visits[client.index()];
        let request = StorageRequest { fence, visit: visit.number, seen: visit.seen };
        if writes { StorageMsg::Write(request) } else { StorageMsg::Read(request) }
    }

    /// A message to or from the storage node arrives. A request is answered.
    pub fn receive(
        &mut self,
        check: StorageCheck,
        fence_on: FenceOn,
        from: NodeId,
        to: NodeId,
        msg: StorageMsg,
    ) -> Option<Answer> {
        match msg {
            StorageMsg::Write(request) => return Some(self.store.write(check, from, request)),
            StorageMsg::Read(request) => return Some(self.store.read(check, fence_on, request)),
            StorageMsg::Refused => {}
            StorageMsg::Value { visit, write } => {
                if self.visits[to.index()].number == visit {
                    self.visits[to.index()].seen = Some(write);
                }
            }
            StorageMsg::Accepted { visit, write } => {
                let own = &mut self.visits[to.index()];
                // Its own write is the last that a client knows of, if it reads at all.
                if own.number == visit {
                    own.seen = own.seen.map(|_| write);
                }
            }
        }
        None
    }
}

/// The storage node, its clients and the log of writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Storage {
    pub state: StorageState,
    pub(super) log: Vec<WriteView>,
}

impl Storage {
    pub fn new(clients: usize) -> Self {
        Self { state: StorageState::new(clients), log: Vec::new() }
    }

    /// Nothing counts as logged any more; what was written stays written.
    pub fn begin_here(&mut self) {
        self.log.clear();
    }

    pub fn writes(&self, client: NodeId, fate: WriteFate) -> u32 {
        let of = |w: &&WriteView| {
            w.client == client
                && match fate {
                    WriteFate::Accepted => w.accepted.is_some(),
                    WriteFate::Refused => w.accepted.is_none(),
                    WriteFate::Lost => w.overwrites.is_some(),
                }
        };
        u32::try_from(self.log.iter().filter(of).count()).unwrap_or(u32::MAX)
    }
}
