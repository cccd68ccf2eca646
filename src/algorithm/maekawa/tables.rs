//! The rules of Maekawa's algorithm and its broken variants, as data.
//!
//! Nothing here decides anything; the handlers beside it do.

use crate::algorithm::{Failure, Rule, Shows, Variant};

pub(super) const RULES: &[Rule] = &[
    Rule { id: "MK-1", on: "ask", text: "tick; t ← clock; REQUEST(t) to S", outcome: None },
    Rule {
        id: "MK-2",
        on: "on REQUEST r from i",
        text: "vote free: lock ← r; GRANT to i",
        outcome: Some("grant"),
    },
    Rule {
        id: "MK-3",
        on: "on REQUEST r from i",
        text: "lock or some waiting < r: wait += r; FAILED to i",
        outcome: Some("fail"),
    },
    Rule {
        id: "MK-4",
        on: "on REQUEST r from i",
        text: "r is best: wait += r; INQUIRE to lock's owner, once",
        outcome: Some("inquire"),
    },
    Rule {
        id: "MK-5",
        on: "on YIELD from lock's owner",
        text: "wait += lock; lock ← best of wait; GRANT to its owner",
        outcome: Some("grant"),
    },
    Rule {
        id: "MK-6",
        on: "after MK-4",
        text: "FAILED to the overtaken best of wait, once (Sanders 1987)",
        outcome: Some("fail"),
    },
    Rule {
        id: "MK-7",
        on: "on RELEASE from lock's owner",
        text: "lock ← best of wait, GRANT to its owner; or free",
        outcome: Some("free"),
    },
    Rule {
        id: "MK-8",
        on: "on GRANT from j",
        text: "vote[j] ← granted; enter when all have granted",
        outcome: Some("note"),
    },
    Rule {
        id: "MK-9",
        on: "on FAILED from j",
        text: "vote[j] ← failed; YIELD to every INQUIRE put aside",
        outcome: Some("note"),
    },
    Rule {
        id: "MK-10",
        on: "on INQUIRE from j",
        text: "some vote failed: vote[j] ← failed; YIELD to j",
        outcome: Some("yield"),
    },
    Rule {
        id: "MK-11",
        on: "on INQUIRE from j",
        text: "no vote failed: put it aside",
        outcome: Some("put-aside"),
    },
    Rule {
        id: "MK-12",
        on: "on INQUIRE, or what comes for nobody",
        text: "in the CS, or j has not granted: ignore",
        outcome: Some("ignore"),
    },
    Rule { id: "MK-13", on: "leave", text: "RELEASE to S", outcome: None },
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
