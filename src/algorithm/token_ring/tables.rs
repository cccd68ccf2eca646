//! The rules of the token ring and its broken variants, as data.
//!
//! Nothing here decides anything; the handlers beside it do.

use crate::algorithm::{Failure, OptionInfo, Rule, Shows, Variant, When};

pub(super) const RULES: &[Rule] = &[
    Rule::new("TR-1", When::Asking, "ask", "wait for the token", &[]),
    Rule::new("TR-2", When::Receipt, "on TOKEN", "waiting: keep it; enter", &[]),
    Rule::new("TR-3", When::Receipt, "on TOKEN", "idle: TOKEN to the next node", &["pass"]),
    Rule::new("TR-4", When::Leaving, "leave", "TOKEN to the next node", &["pass"]),
    Rule::new(
        "TR-5",
        When::Receipt,
        "on TOKEN",
        "absorb: holding one: keep the higher of the two",
        &["absorb"],
    ),
    Rule::new(
        "TR-6",
        When::Receipt,
        "on TOKEN",
        "forward: holding one: the second TOKEN to the next node",
        &["pass"],
    ),
    Rule::new(
        "TR-7",
        When::Receipt,
        "on TOKEN #t (PREPARE #t)",
        "numbers: t < highest (t ≤ highest): discard; else highest ← t",
        &["discard"],
    ),
    Rule::new(
        "TR-8",
        When::Timer,
        "the timer fires",
        "regenerate: highest += 1; TOKEN #highest to the next node",
        &["mint"],
    ),
    Rule::new(
        "TR-9",
        When::Timer,
        "the timer fires",
        "promise: highest += 1; PREPARE #highest to all",
        &["prepare"],
    ),
    Rule::new(
        "TR-10",
        When::Receipt,
        "on PREPARE #t",
        "outside the CS: highest ← t; drop an older token; PROMISE #t",
        &["promise"],
    ),
    Rule::new(
        "TR-11",
        When::Receipt,
        "on PREPARE #t",
        "in the CS: highest ← t; promise after leaving",
        &["defer"],
    ),
    Rule::new(
        "TR-12",
        When::Leaving,
        "leave",
        "a promise is owed: drop the old token; PROMISE #t",
        &["promise"],
    ),
    Rule::new(
        "TR-13",
        When::Receipt,
        "on PROMISE #t",
        "from all n-1: TOKEN #t to the next node",
        &["note", "mint"],
    ),
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
