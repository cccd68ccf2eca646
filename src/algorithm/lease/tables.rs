//! The rules of the lock service and its broken variants, as data.
//!
//! Nothing here decides anything; the handlers beside it do.

use crate::algorithm::{Failure, OptionInfo, Rule, Shows, Variant, When};
use crate::model::{FenceOn, StorageRule};

pub(super) const RULES: &[Rule] = &[
    Rule::new("LS-1", When::Asking, "ask", "ACQUIRE to L", &[]),
    Rule::new(
        "LS-2",
        When::Receipt,
        "L on ACQUIRE from j",
        "lock free: holder ← j; GRANT(next) to j; next += 1",
        &["grant"],
    ),
    Rule::new(
        "LS-3",
        When::Receipt,
        "L on ACQUIRE from j",
        "lock taken: append j to queue",
        &["queue"],
    ),
    Rule::new(
        "LS-4",
        When::Receipt,
        "on GRANT(t)",
        "waiting, t > seen: seen ← t; keep t; enter",
        &[],
    ),
    Rule::new(
        "LS-5",
        When::Receipt,
        "on GRANT(t)",
        "nobody waits for it: RELEASE(t); t ≤ seen: ignore",
        &["give-back", "ignore"],
    ),
    Rule::new(
        "LS-6",
        When::Leaving,
        "leave",
        "RELEASE(t) to L, unless the lease is known to be over",
        &[],
    ),
    Rule::new(
        "LS-7",
        When::Receipt,
        "L on RELEASE(t)",
        "the holder's grant: GRANT(next) to the first of queue, or free",
        &["free", "grant"],
    ),
    Rule::new("LS-8", When::Receipt, "L on RELEASE(t)", "another grant: ignore", &["ignore"]),
    Rule::new(
        "LS-9",
        When::Timer,
        "L, timeout",
        "the lease ends: GRANT(next) to the first of queue, or free",
        &["expire", "free", "grant"],
    ),
    Rule::new("LS-10", When::Timer, "timeout", "RENEW(t) to L", &[]),
    Rule::new(
        "LS-11",
        When::Receipt,
        "L on RENEW(t)",
        "the holder's grant: its lease goes on at its next end",
        &["renew"],
    ),
    Rule::new("LS-12", When::Receipt, "L on RENEW(t)", "another grant: EXPIRED(t)", &["too-late"]),
    Rule::new(
        "LS-13",
        When::Receipt,
        "on EXPIRED(t)",
        "the own grant: the lease is over",
        &["note", "ignore"],
    ),
    Rule::new(
        "LS-14",
        When::Timer,
        "L, timeout",
        "session: the lease of the first in the queue ends there",
        &["expire"],
    ),
    Rule::new(
        "LS-15",
        When::Receipt,
        "L grants to j",
        "session: j's lease is over: EXPIRED to j; go on with the next",
        &["skip"],
    ),
    Rule::new(
        "LS-16",
        When::Receipt,
        "on EXPIRED",
        "session: waiting: ACQUIRE to L again",
        &["ask-again"],
    ),
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
