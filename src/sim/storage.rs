//! The storage node's place in a cluster: requests of holders, its answers, the log of writes.
//!
//! Which request is taken is decided in `store`; which fence a holder has, by its algorithm.

use super::channel::Body;
use super::cluster::Cluster;
use super::record::StepRecord;
use super::store::{Answer, Reason, StorageMsg, StorageRequest, Store};
use super::view::{StorageView, WriteView};
use crate::algorithm::Algorithm;
use crate::model::goal::WriteFate;
use crate::model::{FenceOn, NodeId, StorageCheck, outcome};

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
    log: Vec<WriteView>,
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

impl<A: Algorithm> Cluster<A> {
    fn storage_check(&self) -> StorageCheck {
        let (_, rule, _) = self.setup.storage.expect("only a cluster with storage asks");
        A::storage_check(&self.setup, rule)
    }

    /// A client that is inside sends a request to the storage node.
    pub(super) fn ask_storage(&mut self, client: NodeId, writes: bool, record: &mut StepRecord) {
        let (node, ..) = self.setup.storage.expect("`check` refuses both without a storage node");
        let fence = A::fence(&self.cx(client), &self.local(client).state);
        let msg = self.storage.state.request(client, fence, writes);
        record.outcomes.push(if writes { outcome::WRITE } else { outcome::READ });
        record.note(match fence {
            Some(fence) => format!("It carries the fence {fence}."),
            None => format!("{} gives it no fence to send along.", self.setup.info.title),
        });
        self.send_storage(client, node, msg, record);
    }

    fn send_storage(&mut self, from: NodeId, to: NodeId, msg: StorageMsg, record: &mut StepRecord) {
        let sent = self.launch(from, to, Body::Storage(msg), record.n);
        self.count(sent.label.kind);
        record.sent.push(sent);
    }

    /// A message to or from the storage node arrives.
    pub(super) fn on_storage_message(
        &mut self,
        from: NodeId,
        to: NodeId,
        msg: StorageMsg,
        record: &mut StepRecord,
    ) {
        let check = self.storage_check();
        let (_, _, fence_on) = self.setup.storage.expect("only a cluster with storage has these");
        let answer = self.storage.state.receive(check, fence_on, from, to, msg);
        match (msg, answer) {
            (StorageMsg::Write(request), Some(answer)) => {
                self.log_write(from, request, answer, record);
                record.note(self.write_reason(from, to, answer));
            }
            (_, Some(answer)) => {
                record.note(self.read_reason(from, to, answer));
                if answer.reply == StorageMsg::Refused {
                    record.outcomes.push(outcome::REFUSED);
                }
            }
            (StorageMsg::Refused, None) => {
                let name = self.setup.name(to);
                record.note(format!("{name} knows now that nothing was done for it."));
            }
            (_, None) => {}
        }
        if let Some(answer) = answer {
            self.send_storage(to, from, answer.reply, record);
        }
    }

    fn log_write(
        &mut self,
        client: NodeId,
        request: StorageRequest,
        answer: Answer,
        record: &mut StepRecord,
    ) {
        let accepted = match answer.reply {
            StorageMsg::Accepted { write, .. } => Some(write),
            _ => None,
        };
        self.storage.log.push(WriteView {
            client,
            fence: request.fence,
            accepted,
            overwrites: answer.overwrites,
            step: record.n,
        });
        let word = if accepted.is_some() { outcome::ACCEPTED } else { outcome::REFUSED };
        record.outcomes.push(word);
        if answer.overwrites.is_some() {
            record.outcomes.push(outcome::LOST_UPDATE);
        }
        self.marks.fence |= answer.against_order;
    }

    fn write_reason(&self, client: NodeId, node: NodeId, answer: Answer) -> String {
        let (s, client) = (self.setup.name(node), self.setup.name(client));
        let accepted = answer.reply != StorageMsg::Refused;
        let does = if accepted { "takes the write" } else { "refuses the write" };
        let mut text = match answer.reason {
            Reason::NoCheck => format!("{s} looks at no fence and {does}."),
            Reason::NoFence => {
                format!("The WRITE carries no fence: {s} has nothing to compare and {does}.")
            }
            Reason::Unchanged(..) if accepted => {
                format!("Nothing was written since {client} has read, so {s} {does}.")
            }
            Reason::Unchanged(_, last) => {
                format!("w{last} was written since {client} has read, so {s} {does}.")
            }
            Reason::Compared(..) => compared(s, does, accepted, answer.reason),
        };
        if let Some(number) = answer.overwrites {
            let writer = self.storage.state.store.done[number as usize - 1].client;
            let writer = self.setup.name(writer);
            text.push_str(&format!(
                " It overwrites w{number} of {writer}, which {client} had not seen: a lost update."
            ));
        }
        text
    }

    fn read_reason(&self, client: NodeId, node: NodeId, answer: Answer) -> String {
        let (s, client) = (self.setup.name(node), self.setup.name(client));
        let accepted = answer.reply != StorageMsg::Refused;
        let does = if accepted { "answers the read" } else { "refuses the read" };
        let why = match answer.reason {
            Reason::Compared(..) => compared(s, does, accepted, answer.reason) + " ",
            Reason::NoCheck | Reason::NoFence | Reason::Unchanged(..) => String::new(),
        };
        match (answer.reply, self.storage.state.store.done.last()) {
            (StorageMsg::Refused, _) => why.trim_end().to_owned(),
            (_, None) => format!("{why}{s} tells {client} that nothing was written yet."),
            (_, Some(last)) => {
                let (number, writer) =
                    (self.storage.state.store.last(), self.setup.name(last.client));
                format!("{why}{s} tells {client} that w{number} of {writer} was written last.")
            }
        }
    }

    pub(super) fn storage_view(&self) -> Option<StorageView> {
        let (node, rule, fence_on) = self.setup.storage?;
        Some(StorageView {
            node,
            rule,
            fence_on,
            highest: self.storage.state.store.highest,
            last: self
                .storage
                .state
                .store
                .done
                .last()
                .map(|d| (self.storage.state.store.last(), d.client)),
            writes: self.storage.log.clone(),
            fence_violated: self.marks.fence,
            gives_fence: self.setup.info.fence.is_some(),
        })
    }
}

/// The two fences that the storage compared, in words.
fn compared(s: &str, does: &str, accepted: bool, reason: Reason) -> String {
    match reason {
        Reason::Compared(fence, None) => {
            format!("{s} has looked at no fence before {fence}, so it {does}.")
        }
        Reason::Compared(fence, Some(highest)) => {
            let sign = match (accepted, fence.cmp(&highest)) {
                (true, std::cmp::Ordering::Greater) => ">",
                (true, _) => "≥",
                (false, std::cmp::Ordering::Equal) => "≤",
                (false, _) => "<",
            };
            format!("{s} has seen the fence {highest}, and {fence} {sign} {highest}, so it {does}.")
        }
        Reason::NoCheck | Reason::NoFence | Reason::Unchanged(..) => String::new(),
    }
}
