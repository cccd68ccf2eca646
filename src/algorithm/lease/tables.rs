//! The rules of the lock service and its broken variants, as data.
//!
//! Nothing here decides anything; the handlers beside it do.

use crate::algorithm::{Failure, OptionInfo, Rule, Shows, Variant};
use crate::model::{FenceOn, StorageRule};

pub(super) const RULES: &[Rule] = &[
    Rule { id: "LS-1", on: "ask", text: "ACQUIRE to L", outcome: None },
    Rule {
        id: "LS-2",
        on: "L on ACQUIRE from j",
        text: "lock free: holder ← j; GRANT(next) to j; next += 1",
        outcome: Some("grant"),
    },
    Rule {
        id: "LS-3",
        on: "L on ACQUIRE from j",
        text: "lock taken: append j to queue",
        outcome: Some("queue"),
    },
    Rule {
        id: "LS-4",
        on: "on GRANT(t)",
        text: "waiting, t > seen: seen ← t; keep t; enter",
        outcome: None,
    },
    Rule {
        id: "LS-5",
        on: "on GRANT(t)",
        text: "nobody waits for it: RELEASE(t); t ≤ seen: ignore",
        outcome: Some("give-back"),
    },
    Rule {
        id: "LS-6",
        on: "leave",
        text: "RELEASE(t) to L, unless the lease is known to be over",
        outcome: None,
    },
    Rule {
        id: "LS-7",
        on: "L on RELEASE(t)",
        text: "the holder's grant: GRANT(next) to the first of queue, or free",
        outcome: Some("free"),
    },
    Rule {
        id: "LS-8",
        on: "L on RELEASE(t)",
        text: "another grant: ignore",
        outcome: Some("ignore"),
    },
    Rule {
        id: "LS-9",
        on: "L, timeout",
        text: "the lease ends: GRANT(next) to the first of queue, or free",
        outcome: Some("expire"),
    },
    Rule { id: "LS-10", on: "timeout", text: "RENEW(t) to L", outcome: None },
    Rule {
        id: "LS-11",
        on: "L on RENEW(t)",
        text: "the holder's grant: its lease goes on at its next end",
        outcome: Some("renew"),
    },
    Rule {
        id: "LS-12",
        on: "L on RENEW(t)",
        text: "another grant: EXPIRED(t)",
        outcome: Some("too-late"),
    },
    Rule {
        id: "LS-13",
        on: "on EXPIRED(t)",
        text: "the own grant: the lease is over",
        outcome: Some("note"),
    },
    Rule {
        id: "LS-14",
        on: "L, timeout",
        text: "session: the lease of the first in the queue ends there",
        outcome: Some("expire"),
    },
    Rule {
        id: "LS-15",
        on: "L grants to j",
        text: "session: j's lease is over: EXPIRED to j; go on with the next",
        outcome: Some("skip"),
    },
    Rule {
        id: "LS-16",
        on: "on EXPIRED",
        text: "session: waiting: ACQUIRE to L again",
        outcome: Some("ask-again"),
    },
];

pub(super) const OPTIONS: &[OptionInfo] = &[
    OptionInfo { name: "from-33", about: "The first grant has the number 33." },
    OptionInfo {
        name: "session",
        about: "A lease begins with the ACQUIRE, so that it may end while its client is in the queue; `timeout L` ends those leases first.",
    },
];

/// One timeout, one storage with that rule, `writes` reads and writes a stay.
const fn at_storage(rule: StorageRule, on: FenceOn, writes: u32) -> Shows {
    Shows { faults: "timeout=1", storage: Some((rule, on)), writes, ..Shows::at(2, &[1]) }
}

pub(super) const VARIANTS: &[Variant] = &[
    Variant {
        id: "F1",
        slug: "no-fencing",
        about: "The storage looks at no fence: a stale write is accepted after a newer one.",
        failure: Failure::Goal("violated(fence)"),
        shows: at_storage(StorageRule::Plain, FenceOn::Writes, 1),
    },
    Variant {
        id: "F2",
        slug: "fence-writes-alone",
        about: "The storage looks at the fences of writes alone: an update can be lost.",
        failure: Failure::Goal("writes(P1, lost) > 0 or writes(P2, lost) > 0"),
        shows: at_storage(StorageRule::Fenced, FenceOn::Writes, 1),
    },
    Variant {
        id: "F3",
        slug: "refuse-equal",
        about: "The storage refuses an equal fence as well: the rightful holder is refused from its second access on.",
        failure: Failure::Goal("writes(P1, refused) > 0 and entries(P2) == 0"),
        shows: Shows { faults: "", ..at_storage(StorageRule::Fenced, FenceOn::Both, 2) },
    },
    Variant {
        id: "F4",
        slug: "check-and-set",
        about: "Fences have no order; the storage takes a write if nothing was written since its client has read.",
        failure: Failure::Goal("violated(fence)"),
        shows: at_storage(StorageRule::Fenced, FenceOn::Both, 1),
    },
    Variant {
        id: "F5",
        slug: "release-any",
        about: "A RELEASE frees the lock, whoever holds it.",
        failure: Failure::Violation,
        shows: Shows { faults: "duplicate=1", ..Shows::at(3, &[1]) },
    },
    Variant {
        id: "F6",
        slug: "grant-expired",
        about: "The lock is granted to a waiting client whose lease has ended in the queue.",
        failure: Failure::Violation,
        // Any lease may end too early for its holder. Here P2's has ended in the queue, and no other does.
        shows: Shows {
            from: "request P1; deliver P1>L; deliver L>P1; request P2; deliver P2>L; timeout L",
            ..Shows::at(3, &[0, 0, 1])
        },
    },
];
