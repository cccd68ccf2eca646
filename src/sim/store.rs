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
    Write(Claim),
    /// A client wants to know what was written last.
    Read(Claim),
    /// The write was done; it is the one with this number.
    Accepted {
        /// The stay of the client that wrote.
        stay: u32,
        /// The number of the write, from 1.
        write: u32,
    },
    /// The request was refused.
    Refused,
    /// The number of the last write; 0: nothing was written yet.
    Value {
        /// The stay of the client that read.
        stay: u32,
        /// The number of the write, from 1.
        write: u32,
    },
}

/// What a request brings with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Claim {
    /// The fence of the client, where its algorithm gives one.
    pub fence: Option<u64>,
    /// The client's stay in the critical section, counted over the whole cluster. The storage does not
    /// look at it when it decides; it tells who was the newer holder where fences do not.
    pub stay: u32,
    /// The last write that the client has read in this stay.
    pub seen: Option<u32>,
}

/// Kinds of messages to and from the storage node.
pub const KINDS: [&str; 5] = ["WRITE", "READ", "ACCEPTED", "REFUSED", "VALUE"];

impl StorageMsg {
    /// How it reads: `WRITE fence 33`.
    #[must_use]
    pub fn label(&self) -> Label {
        let claimed = |claim: &Claim| {
            let fence = claim.fence.map(|f| format!("fence {f}"));
            let seen = claim.seen.map(|w| format!("after w{w}"));
            let parts: Vec<String> = fence.into_iter().chain(seen).collect();
            (!parts.is_empty()).then(|| parts.join(", "))
        };
        let (kind, detail) = match self {
            Self::Write(claim) => ("WRITE", claimed(claim)),
            Self::Read(claim) => ("READ", claim.fence.map(|f| format!("fence {f}"))),
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
    pub claim: Claim,
}

/// Why the storage did what it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
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
    pub ground: Ground,
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
    pub fn write(&mut self, check: StorageCheck, client: NodeId, claim: Claim) -> Answer {
        let ground = self.ground(check, claim);
        if self.refuses(check, ground) {
            let reply = StorageMsg::Refused;
            return Answer { reply, ground, overwrites: None, against_order: false };
        }
        let overwrites = self.overwrites_unseen(claim);
        let before = self.done.iter().filter_map(|d| d.claim.fence).max();
        let against_order = matches!((claim.fence, before), (Some(f), Some(b)) if f < b);
        self.note(check, claim);
        self.done.push(Done { client, claim });
        let reply = StorageMsg::Accepted { stay: claim.stay, write: self.last() };
        Answer { reply, ground, overwrites, against_order }
    }

    /// Answers or refuses a READ.
    pub fn read(&mut self, check: StorageCheck, fence_on: FenceOn, claim: Claim) -> Answer {
        let looks = fence_on == FenceOn::Both && check != StorageCheck::Unchanged;
        let ground = if looks { self.ground(check, claim) } else { Ground::NoCheck };
        let reply = if looks && self.refuses(check, ground) {
            StorageMsg::Refused
        } else {
            if looks {
                self.note(check, claim);
            }
            StorageMsg::Value { stay: claim.stay, write: self.last() }
        };
        Answer { reply, ground, overwrites: None, against_order: false }
    }

    fn ground(&self, check: StorageCheck, claim: Claim) -> Ground {
        match (check, claim.fence) {
            (StorageCheck::Nothing, _) => Ground::NoCheck,
            (StorageCheck::Unchanged, _) => Ground::Unchanged(claim.seen.unwrap_or(0), self.last()),
            (StorageCheck::Lower | StorageCheck::LowerOrEqual, None) => Ground::NoFence,
            (StorageCheck::Lower | StorageCheck::LowerOrEqual, Some(fence)) => {
                Ground::Compared(fence, self.highest)
            }
        }
    }

    fn refuses(&self, check: StorageCheck, ground: Ground) -> bool {
        match ground {
            Ground::NoCheck | Ground::NoFence | Ground::Compared(_, None) => false,
            Ground::Compared(fence, Some(highest)) if check == StorageCheck::LowerOrEqual => {
                fence <= highest
            }
            Ground::Compared(fence, Some(highest)) => fence < highest,
            Ground::Unchanged(seen, last) => seen != last,
        }
    }

    /// Keeps the highest fence, where fences are looked at.
    fn note(&mut self, check: StorageCheck, claim: Claim) {
        if matches!(check, StorageCheck::Lower | StorageCheck::LowerOrEqual) {
            self.highest = self.highest.max(claim.fence);
        }
    }

    /// An earlier write that this one undoes without having seen it: that of a newer holder, or, where
    /// both had read before they wrote, any other holder's.
    fn overwrites_unseen(&self, claim: Claim) -> Option<u32> {
        let seen = claim.seen.unwrap_or(0) as usize;
        let lost = |done: &Done| {
            let other = done.claim;
            let older = match (claim.fence, other.fence) {
                (Some(mine), Some(theirs)) if mine != theirs => mine < theirs,
                _ => claim.stay < other.stay,
            };
            other.stay != claim.stay && (older || claim.seen.is_some() && other.seen.is_some())
        };
        let place = (seen..self.done.len()).rev().find(|i| lost(&self.done[*i]))?;
        u32::try_from(place + 1).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(fence: u64, stay: u32) -> Claim {
        Claim { fence: Some(fence), stay, seen: None }
    }

    fn accepted(answer: Answer) -> bool {
        matches!(answer.reply, StorageMsg::Accepted { .. })
    }

    /// Case H37.
    #[test]
    fn an_equal_fence_is_accepted_and_a_lower_one_refused() {
        let mut store = Store::default();
        let mut write =
            |fence, stay| accepted(store.write(StorageCheck::Lower, NodeId(0), claim(fence, stay)));
        assert_eq!(
            [write(33, 1), write(33, 1), write(34, 2), write(33, 1)],
            [true, true, true, false]
        );
    }

    #[test]
    fn a_check_for_strictly_greater_fences_locks_the_rightful_holder_out() {
        let mut store = Store::default();
        let check = StorageCheck::LowerOrEqual;
        assert!(accepted(store.write(check, NodeId(0), claim(33, 1))));
        assert!(!accepted(store.write(check, NodeId(0), claim(33, 1))));
    }

    #[test]
    fn a_stale_write_after_a_newer_holders_is_a_lost_update() {
        let mut store = Store::default();
        store.write(StorageCheck::Nothing, NodeId(1), claim(34, 2));
        let answer = store.write(StorageCheck::Nothing, NodeId(0), claim(33, 1));
        assert_eq!((answer.overwrites, answer.against_order), (Some(1), true));
    }

    #[test]
    fn a_newer_holder_may_overwrite_an_older_ones_write_that_it_never_read() {
        let mut store = Store::default();
        store.write(StorageCheck::Lower, NodeId(0), claim(33, 1));
        let answer = store.write(StorageCheck::Lower, NodeId(1), claim(34, 2));
        assert_eq!((answer.overwrites, answer.against_order), (None, false));
    }

    #[test]
    fn two_who_read_the_same_and_then_write_lose_an_update_though_the_order_is_kept() {
        let mut store = Store::default();
        let read = |claim: Claim| Claim { seen: Some(0), ..claim };
        store.write(StorageCheck::Lower, NodeId(0), read(claim(33, 1)));
        let answer = store.write(StorageCheck::Lower, NodeId(1), read(claim(34, 2)));
        assert_eq!((answer.overwrites, answer.against_order), (Some(1), false));
    }

    #[test]
    fn a_fenced_read_shuts_an_older_holder_out() {
        let mut store = Store::default();
        store.read(StorageCheck::Lower, FenceOn::Both, claim(34, 2));
        assert!(!accepted(store.write(StorageCheck::Lower, NodeId(0), claim(33, 1))));
        let refused = store.read(StorageCheck::Lower, FenceOn::Both, claim(33, 1));
        assert_eq!(refused.reply, StorageMsg::Refused);
    }

    #[test]
    fn equal_fences_of_two_holders_leave_a_lost_update_possible() {
        let mut store = Store::default();
        store.write(StorageCheck::Lower, NodeId(1), claim(1, 2));
        let answer = store.write(StorageCheck::Lower, NodeId(0), claim(1, 1));
        assert!(accepted(answer));
        assert_eq!(answer.overwrites, Some(1));
    }

    #[test]
    fn a_write_without_a_fence_is_taken_because_there_is_nothing_to_compare() {
        let mut store = Store::default();
        let bare = Claim { fence: None, stay: 1, seen: None };
        let answer = store.write(StorageCheck::Lower, NodeId(0), bare);
        assert_eq!(answer.ground, Ground::NoFence);
        assert!(accepted(answer));
    }
}
