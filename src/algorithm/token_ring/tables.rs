//! The rules of the token ring and its broken variants, as data.
//!
//! Nothing here decides anything; the handlers beside it do.

use crate::algorithm::{Failure, OptionInfo, Rule, Shows, Variant};

pub(super) const RULES: &[Rule] = &[
    Rule { id: "TR-1", on: "ask", text: "wait for the token", outcome: None },
    Rule { id: "TR-2", on: "on TOKEN", text: "waiting: keep it; enter", outcome: None },
    Rule {
        id: "TR-3",
        on: "on TOKEN",
        text: "idle: TOKEN to the next node",
        outcome: Some("pass"),
    },
    Rule { id: "TR-4", on: "leave", text: "TOKEN to the next node", outcome: Some("pass") },
    Rule {
        id: "TR-5",
        on: "on TOKEN",
        text: "absorb: holding one: keep the higher of the two",
        outcome: Some("absorb"),
    },
    Rule {
        id: "TR-6",
        on: "on TOKEN",
        text: "forward: holding one: the second TOKEN to the next node",
        outcome: Some("pass"),
    },
    Rule {
        id: "TR-7",
        on: "on TOKEN #t (PREPARE #t)",
        text: "numbers: t < highest (t ≤ highest): discard; else highest ← t",
        outcome: Some("discard"),
    },
    Rule {
        id: "TR-8",
        on: "the timer fires",
        text: "regenerate: highest += 1; TOKEN #highest to the next node",
        outcome: Some("mint"),
    },
    Rule {
        id: "TR-9",
        on: "the timer fires",
        text: "promise: highest += 1; PREPARE #highest to all",
        outcome: Some("prepare"),
    },
    Rule {
        id: "TR-10",
        on: "on PREPARE #t",
        text: "outside the CS: highest ← t; drop an older token; PROMISE #t",
        outcome: Some("promise"),
    },
    Rule {
        id: "TR-11",
        on: "on PREPARE #t",
        text: "in the CS: highest ← t; promise after leaving",
        outcome: Some("defer"),
    },
    Rule {
        id: "TR-12",
        on: "leave",
        text: "a promise is owed: drop the old token; PROMISE #t",
        outcome: Some("promise"),
    },
    Rule {
        id: "TR-13",
        on: "on PROMISE #t",
        text: "from all n-1: TOKEN #t to the next node",
        outcome: Some("note"),
    },
];

pub(super) const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "regenerate",
        about: "The first node may suspect that the token is lost, once, and mints a new one.",
    },
    OptionInfo {
        name: "everybody",
        about: "With `regenerate`: each other node may suspect it as well, once, while it waits.",
    },
    OptionInfo {
        name: "numbers",
        about: "Tokens carry numbers: a new one has the highest that its maker has seen + 1, and a node discards one that is lower than the highest it has seen itself.",
    },
    OptionInfo {
        name: "promise",
        about: "Before the minting, everybody promises to take no older token. Implies `regenerate` and `numbers`. Safe as long as one node alone mints: numbers that two make can be the same.",
    },
    OptionInfo {
        name: "absorb",
        about: "A holder that gets a second token keeps one of the two; this is the default.",
    },
    OptionInfo { name: "forward", about: "A holder that gets a second token passes it on." },
];

pub(super) const VARIANTS: &[Variant] = &[
    Variant {
        id: "T1",
        slug: "keep-a-copy",
        about: "A node that passes the token on keeps a copy of it.",
        failure: Failure::Violation,
        shows: Shows::at(2, &[1]),
    },
    Variant {
        id: "T2",
        slug: "token-rests",
        about: "An idle node keeps the token until it wants the lock itself.",
        failure: Failure::Stuck,
        shows: Shows::at(2, &[1]),
    },
];
