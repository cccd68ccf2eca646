//! What a cluster does with requests to its storage node: sends them, answers them, and says why.

use super::channel::Body;
use super::cluster::Cluster;
use super::record::StepRecord;
use super::store::{Answer, Reason, StorageMsg, StorageRequest};
use super::view::{StorageView, WriteView};
use crate::algorithm::Algorithm;
use crate::model::{NodeId, StorageCheck, outcome};

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
