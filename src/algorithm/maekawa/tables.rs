//! The rules of Maekawa's algorithm and its broken variants, as data.
//!
//! Nothing here decides anything; the handlers beside it do.

use crate::algorithm::{Failure, Rule, Shows, Variant, When};

pub(super) const RULES: &[Rule] = &[
    Rule::new("MK-1", When::Asking, "ask", "tick; t ← clock; REQUEST(t) to S", &[]),
    Rule::new(
        "MK-2",
        When::Receipt,
        "on REQUEST r from i",
        "vote free: lock ← r; GRANT to i",
        &["grant"],
    ),
    Rule::new(
        "MK-3",
        When::Receipt,
        "on REQUEST r from i",
        "lock or some waiting < r: wait += r; FAILED to i",
        &["fail"],
    ),
    Rule::new(
        "MK-4",
        When::Receipt,
        "on REQUEST r from i",
        "r is best: wait += r; INQUIRE to lock's owner, once",
        &["inquire"],
    ),
    Rule::new(
        "MK-5",
        When::Receipt,
        "on YIELD from lock's owner",
        "wait += lock; lock ← best of wait; GRANT to its owner",
        &["grant"],
    ),
    Rule::new(
        "MK-6",
        When::Receipt,
        "after MK-4",
        "FAILED to the overtaken best of wait, once (Sanders 1987)",
        &["fail"],
    ),
    Rule::new(
        "MK-7",
        When::Receipt,
        "on RELEASE from lock's owner",
        "lock ← best of wait, GRANT to its owner; or free",
        &["free", "grant"],
    ),
    Rule::new(
        "MK-8",
        When::Receipt,
        "on GRANT from j",
        "vote[j] ← granted; enter when all have granted",
        &["note"],
    ),
    Rule::new(
        "MK-9",
        When::Receipt,
        "on FAILED from j",
        "vote[j] ← failed; YIELD to every INQUIRE put aside",
        &["note", "yield"],
    ),
    Rule::new(
        "MK-10",
        When::Receipt,
        "on INQUIRE from j",
        "some vote failed: vote[j] ← failed; YIELD to j",
        &["yield"],
    ),
    Rule::new(
        "MK-11",
        When::Receipt,
        "on INQUIRE from j",
        "no vote failed: put it aside",
        &["put-aside"],
    ),
    Rule::new(
        "MK-12",
        When::Receipt,
        "on INQUIRE, or what comes for nobody",
        "in the CS, or j has not granted: ignore",
        &["ignore"],
    ),
    Rule::new("MK-13", When::Leaving, "leave", "RELEASE to S", &[]),
];

pub(super) const VARIANTS: &[Variant] = &[
    Variant {
        id: "M1",
        slug: "basic-set",
        about: "REQUEST, GRANT and RELEASE alone: nobody is told or asked to give a vote back.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "M2",
        slug: "no-inquire",
        about: "A voter never asks for its vote back.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "M3",
        slug: "no-failed",
        about: "A voter never says that it has a better request.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "M4",
        slug: "no-sanders",
        about: "A waiting request that is overtaken in a voter's queue is not told, as before Sanders' correction of 1987.",
        failure: Failure::Stuck,
        shows: Shows { quorums: &[&[0, 1, 2], &[1, 2], &[0, 2]], ..Shows::at(3, &[1]) },
    },
    Variant {
        id: "M5",
        slug: "yield-inside",
        about: "A node gives a vote back when it is asked, even while it is inside.",
        failure: Failure::Violation,
        shows: Shows::at(3, &[1]),
    },
    Variant {
        id: "M6",
        slug: "forget-inquire",
        about: "An INQUIRE that comes before a FAILED is forgotten instead of put aside.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "M7",
        slug: "no-requeue",
        about: "A request whose vote was given back is not put into the voter's queue again.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "M8",
        slug: "many-votes",
        about: "A voter votes for everybody who asks.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "M9",
        slug: "disjoint-sets",
        about: "The voting sets need not meet; by default each node is its own only voter.",
        failure: Failure::Violation,
        shows: Shows { quorums: &[&[0], &[1]], ..Shows::at(2, &[1]) },
    },
    Variant {
        id: "M10",
        slug: "no-fifo",
        about: "Channels may reorder, and nodes come to wait for each other.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]).any_order(),
    },
    Variant {
        id: "M10b",
        slug: "no-fifo-unsafe",
        about: "Channels may reorder, and two nodes are inside.",
        failure: Failure::Violation,
        shows: Shows::at(3, &[2]).any_order(),
    },
    Variant {
        id: "M11",
        slug: "always-yield",
        about: "A waiting node gives a vote back whenever it is asked, failed elsewhere or not.",
        failure: Failure::Harmless,
        shows: Shows::at(3, &[1]),
    },
];
