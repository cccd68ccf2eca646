//! Questions that ask for a goal that holds in every state.

use super::{Asked, faults};

const TWO_INSIDE: &str = "answer: not (in_cs(P1) and in_cs(P2))
implies: not (in_cs(P1) and in_cs(P2))
refuted-by: [never-defer]";

/// Any goal of which the variant is right is refuted by it.
const ANY: &str = "answer: not violated(mutex)
refuted-by: [never-defer, majority]";

#[test]
fn whatever_holds_in_every_state_and_is_broken_by_the_variants_is_right() {
    let asked = Asked::in_the_race("invariant", TWO_INSIDE);
    asked.sound();
    for goal in ["not in_cs(P2) or not in_cs(P1)", "always not violated(mutex)"] {
        assert!(asked.right(goal), "{goal}: {}", asked.said(goal));
        assert!(asked.said(goal).contains("it is broken by never-defer"), "{}", asked.said(goal));
    }
    let asked = Asked::in_the_race("invariant", ANY);
    asked.sound();
    assert!(asked.right("entries(P1) < 2 and not violated(mutex)"));
}

#[test]
fn a_wrong_one_is_answered_by_a_shortest_run_that_breaks_it() {
    let asked = Asked::in_the_race("invariant", ANY);
    for (goal, run) in [
        ("idle(P1) or idle(P2)", "request P1; request P2"),
        ("not waiting(P3)", "request P3"),
        (
            "field(P1, deferred) == {} or idle(P2)",
            "request P1; deliver P1>P2; deliver P2>P1; request P2; deliver P2>P1",
        ),
    ] {
        assert!(!asked.right(goal), "{goal}");
        assert_eq!(asked.score(goal), 0.0, "{goal}");
        let said = asked.said(goal);
        assert!(said.contains("It does not hold in every state"), "{goal}: {said}");
        let told = said.lines().last().unwrap_or_default();
        assert_eq!(told.split("; ").count(), run.split("; ").count(), "{goal}: {said}");
    }
    let said = asked.said("in_cs(P1)");
    assert!(said.contains("where nothing has happened yet"), "{said}");
}

#[test]
fn one_that_is_too_weak_is_answered_by_the_variant_that_slips_through_and_earns_a_part() {
    let asked = Asked::in_the_race("invariant", ANY);
    let weak = "not stuck()";
    assert!(!asked.right(weak));
    let said = asked.said(weak);
    assert!(said.contains("never-defer: Every REQUEST is answered at once."), "{said}");
    assert!(said.contains("majority"), "{said}");
    let score = asked.score(weak);
    assert!(score > 0.2 && score < 0.5, "{score}");
    // It names other nodes than what has to be ruled out.
    let asked = Asked::in_the_race("invariant", TWO_INSIDE);
    let said = asked.said("not (in_cs(P1) and in_cs(P3))");
    assert!(said.contains("too weak") && said.contains("request P1"), "{said}");
}

#[test]
fn what_cannot_be_read_or_judged_costs_no_attempt() {
    let asked = Asked::in_the_race("invariant", TWO_INSIDE);
    for text in ["", "two are never inside", "in_cs(P7)", "eventually in_cs(P1)", "never stuck()"] {
        assert!(asked.hint(text).starts_with("Answer with a goal"), "{text}: {}", asked.hint(text));
    }
    let many = format!("{TWO_INSIDE}\nrequests: 4");
    let asked = Asked::in_the_race("invariant", &many);
    let hint = asked.hint("messages(REQUEST) < 40");
    assert!(hint.starts_with("This cannot be judged"), "{hint}");
}

#[test]
fn faults_of_invariants_are_told_where_they_stand() {
    for (question, fault) in [
        ("answer: in_cs(P9)", "no node `P9`"),
        (
            "answer: not in_cs(P1)\nrefuted-by: [never-deffer]",
            "no variant is called `never-deffer`",
        ),
        ("answer: not violated(mutex)\nimplies: both", "nothing is called `both`"),
        ("answer: not violated(mutex)\nfeedback: {x: y}", "an invariant tells by itself"),
    ] {
        let found = faults("invariant", question);
        assert!(found.iter().any(|f| f.contains(fault)), "{question}: {found:?}");
    }
}

#[test]
fn an_author_is_told_of_a_solution_that_does_not_pass() {
    for (question, fault) in [
        ("answer: not in_cs(P1)", "it does not hold after: request P1"),
        ("answer: not stuck()\nrefuted-by: [never-defer]", "it is not broken by never-defer"),
        (
            "answer: not (in_cs(P1) and in_cs(P3))\nimplies: not (in_cs(P1) and in_cs(P2))\n\
             refuted-by: [never-defer]",
            "under never-defer it holds after",
        ),
    ] {
        let asked = Asked::in_the_race("invariant", question);
        let found = asked.question().proofs(asked.at());
        assert!(found.iter().any(|f| f.message.contains(fault)), "{question}: {found:?}");
    }
}
