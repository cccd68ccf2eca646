//! What the storage node keeps, and how it answers a READ or a WRITE.
//!
//! It sees one request at a time, with the fence that it carries. Whether a client is inside, and how
//! its request came here, is not known in this module.

use crate::algorithm::{Label, Line};
use crate::model::{FenceOn, NodeId, StorageCheck};

/// A message to or from the storage node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StorageMsg {
    /// A client writes.
    Write(StorageRequest),
    /// A client wants to know what was written last.
    Read(StorageRequest),
    /// The write was done; it is the one with this number.
    Accepted {
        /// The visit of the client that wrote.
        visit: u32,
        /// The number of the write, from 1.
        write: u32,
    },
    /// The request was refused.
    Refused,
    /// The number of the last write; 0: nothing was written yet.
    Value {
        /// The visit of the client that read.
        visit: u32,
        /// The number of the write, from 1.
        write: u32,
    },
}

/// What a request brings with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StorageRequest {
    /// The fence of the client, where its algorithm gives one.
    pub fence: Option<u64>,
    /// The client's visit in the critical section, counted over the whole cluster. The storage does not
    /// look at it when it decides; it tells who was the newer holder where fences do not.
    pub visit: u32,
    /// The last write that the client has read in this visit.
    pub seen: Option<u32>,
}

/// Kinds of messages to and from the storage node.
pub const KINDS: [&str; 5] = ["WRITE", "READ", "ACCEPTED", "REFUSED", "VALUE"];

impl StorageMsg {
    /// How it reads: `WRITE fence 33`.
    #[must_use]
    pub fn label(&self) -> Label {
        let claimed = |request: &StorageRequest| {
            let fence = request.fence.map(|f| format!("fence {f}"));
            let seen = request.seen.map(|w| format!("after w{w}"));
            let parts: Vec<String> = fence.into_iter().chain(seen).collect();
            (!parts.is_empty()).then(|| parts.join(", "))
        };
        let (kind, detail) = match self {
            Self::Write(request) => ("WRITE", claimed(request)),
            Self::Read(request) => ("READ", request.fence.map(|f| format!("fence {f}"))),
            Self::Accepted { write, .. } => ("ACCEPTED", Some(format!("w{write}"))),
            Self::Refused => ("REFUSED", None),
            Self::Value { write: 0, .. } => ("VALUE", Some("nothing".to_owned())),
            Self::Value { write, .. } => ("VALUE", Some(format!("w{write}"))),
        };
        Label { detail, ..Label::bare(kind) }
    }

    /// How a message of one of these kinds is drawn; `None`: it is not one of them.
    #[must_use]
    pub fn line(kind: &str) -> Option<Line> {
        match kind {
            "WRITE" | "READ" => Some(Line::Request),
            "ACCEPTED" | "REFUSED" | "VALUE" => Some(Line::Reply),
            _ => None,
        }
    }
}

/// A write that was done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Done {
    /// Who wrote.
    pub client: NodeId,
    /// With what.
    pub request: StorageRequest,
}

/// Why the storage did what it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It looks at no fence.
    NoCheck,
    /// It looks at fences, and the request carries none.
    NoFence,
    /// The fence against the highest one seen before.
    Compared(u64, Option<u64>),
    /// The last write that the client has read against the last one done.
    Unchanged(u32, u32),
}

/// What became of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What the client is told.
    pub reply: StorageMsg,
    /// Why.
    pub reason: Reason,
    /// The number of an earlier write that this one undoes without having seen it: a lost update.
    pub overwrites: Option<u32>,
    /// Whether a higher fence was accepted before.
    pub against_order: bool,
}

/// All that the storage node keeps.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Store {
    /// The highest fence seen, where fences are looked at.
    pub highest: Option<u64>,
    /// The writes that were done, in order.
    pub done: Vec<Done>,
}

impl Store {
    /// The number of the last write; 0: nothing was written yet.
    #[must_use]
    pub fn last(&self) -> u32 {
        u32::try_from(self.done.len()).unwrap_or(u32::MAX)
    }

    /// Takes or refuses a WRITE.
    pub fn write(
        &mut self,
        check: StorageCheck,
        client: NodeId,
        request: StorageRequest,
    ) -> Answer {
        let reason = self.reason(check, request);
        if self.refuses(check, reason) {
            let reply = StorageMsg::Refused;
            return Answer { reply, reason, overwrites: None, against_order: false };
        }
        let overwrites = self.overwrites_unseen(request);
        let before = self.done.iter().filter_map(|d| d.request.fence).max();
        let against_order = matches!((request.fence, before), (Some(f), Some(b)) if f < b);
        self.note(check, request);
        self.done.push(Done { client, request });
        let reply = StorageMsg::Accepted { visit: request.visit, write: self.last() };
        Answer { reply, reason, overwrites, against_order }
    }

    /// Answers or refuses a READ.
    pub fn read(
        &mut self,
        check: StorageCheck,
        fence_on: FenceOn,
        request: StorageRequest,
    ) -> Answer {
        let looks = fence_on == FenceOn::Both && check != StorageCheck::Unchanged;
        let reason = if looks { self.reason(check, request) } else { Reason::NoCheck };
        let reply = if looks && self.refuses(check, reason) {
            StorageMsg::Refused
        } else {
            if looks {
                self.note(check, request);
            }
            StorageMsg::Value { visit: request.visit, write: self.last() }
        };
        Answer { reply, reason, overwrites: None, against_order: false }
    }

    fn reason(&self, check: StorageCheck, request: StorageRequest) -> Reason {
        match (check, request.fence) {
            (StorageCheck::Nothing, _) => Reason::NoCheck,
            (StorageCheck::Unchanged, _) => {
                Reason::Unchanged(request.seen.unwrap_or(0), self.last())
            }
            (StorageCheck::Lower | StorageCheck::LowerOrEqual, None) => Reason::NoFence,
            (StorageCheck::Lower | StorageCheck::LowerOrEqual, Some(fence)) => {
                Reason::Compared(fence, self.highest)
            }
        }
    }

    fn refuses(&self, check: StorageCheck, reason: Reason) -> bool {
        match reason {
            Reason::NoCheck | Reason::NoFence | Reason::Compared(_, None) => false,
            Reason::Compared(fence, Some(highest)) if check == StorageCheck::LowerOrEqual => {
                fence <= highest
            }
            Reason::Compared(fence, Some(highest)) => fence < highest,
            Reason::Unchanged(seen, last) => seen != last,
        }
    }

    /// Keeps the highest fence, where fences are looked at.
    fn note(&mut self, check: StorageCheck, request: StorageRequest) {
        if matches!(check, StorageCheck::Lower | StorageCheck::LowerOrEqual) {
            self.highest = self.highest.max(request.fence);
        }
    }

    /// An earlier write that this one undoes without having seen it: that of a newer holder, or, where
    /// both had read before they wrote, any other holder's.
    fn overwrites_unseen(&self, request: StorageRequest) -> Option<u32> {
        let seen = request.seen.unwrap_or(0) as usize;
        let lost = |done: &Done| {
            let other = done.request;
            let older = match (request.fence, other.fence) {
                (Some(mine), Some(theirs)) if mine != theirs => mine < theirs,
                _ => request.visit < other.visit,
            };
            other.visit != request.visit
                && (older || request.seen.is_some() && other.seen.is_some())
        };
        let place = (seen..self.done.len()).rev().find(|i| lost(&self.done[*i]))?;
        u32::try_from(place + 1).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(fence: u64, visit: u32) -> StorageRequest {
        StorageRequest { fence: Some(fence), visit, seen: None }
    }

    fn accepted(answer: Answer) -> bool {
        matches!(answer.reply, StorageMsg::Accepted { .. })
    }

    /// Case H37.
    #[test]
    fn an_equal_fence_is_accepted_and_a_lower_one_refused() {
        let mut store = Store::default();
        let mut write = |fence, visit| {
            accepted(store.write(StorageCheck::Lower, NodeId(0), request(fence, visit)))
        };
        assert_eq!(
            [write(33, 1), write(33, 1), write(34, 2), write(33, 1)],
            [true, true, true, false]
        );
    }

    #[test]
    fn a_check_for_strictly_greater_fences_locks_the_rightful_holder_out() {
        let mut store = Store::default();
        let check = StorageCheck::LowerOrEqual;
        assert!(accepted(store.write(check, NodeId(0), request(33, 1))));
        assert!(!accepted(store.write(check, NodeId(0), request(33, 1))));
    }

    #[test]
    fn a_stale_write_after_a_newer_holders_is_a_lost_update() {
        let mut store = Store::default();
        store.write(StorageCheck::Nothing, NodeId(1), request(34, 2));
        let answer = store.write(StorageCheck::Nothing, NodeId(0), request(33, 1));
        assert_eq!((answer.overwrites, answer.against_order), (Some(1), true));
    }

    #[test]
    fn a_newer_holder_may_overwrite_an_older_ones_write_that_it_never_read() {
        let mut store = Store::default();
        store.write(StorageCheck::Lower, NodeId(0), request(33, 1));
        let answer = store.write(StorageCheck::Lower, NodeId(1), request(34, 2));
        assert_eq!((answer.overwrites, answer.against_order), (None, false));
    }

    #[test]
    fn two_who_read_the_same_and_then_write_lose_an_update_though_the_order_is_kept() {
        let mut store = Store::default();
        let read = |request: StorageRequest| StorageRequest { seen: Some(0), ..request };
        store.write(StorageCheck::Lower, NodeId(0), read(request(33, 1)));
        let answer = store.write(StorageCheck::Lower, NodeId(1), read(request(34, 2)));
        assert_eq!((answer.overwrites, answer.against_order), (Some(1), false));
    }

    #[test]
    fn a_fenced_read_shuts_an_older_holder_out() {
        let mut store = Store::default();
        store.read(StorageCheck::Lower, FenceOn::Both, request(34, 2));
        assert!(!accepted(store.write(StorageCheck::Lower, NodeId(0), request(33, 1))));
        let refused = store.read(StorageCheck::Lower, FenceOn::Both, request(33, 1));
        assert_eq!(refused.reply, StorageMsg::Refused);
    }

    #[test]
    fn equal_fences_of_two_holders_leave_a_lost_update_possible() {
        let mut store = Store::default();
        store.write(StorageCheck::Lower, NodeId(1), request(1, 2));
        let answer = store.write(StorageCheck::Lower, NodeId(0), request(1, 1));
        assert!(accepted(answer));
        assert_eq!(answer.overwrites, Some(1));
    }

    #[test]
    fn a_write_without_a_fence_is_taken_because_there_is_nothing_to_compare() {
        let mut store = Store::default();
        let bare = StorageRequest { fence: None, visit: 1, seen: None };
        let answer = store.write(StorageCheck::Lower, NodeId(0), bare);
        assert_eq!(answer.reason, Reason::NoFence);
        assert!(accepted(answer));
    }
}
