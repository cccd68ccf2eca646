//! Broken rules, crashes, timeouts and stale holders: what lessons say of runs that go wrong.

use super::*;

#[test]
fn l6_each_missing_rule_lets_two_nodes_in_as_early_as_the_lesson_says() {
    let inside = |state: &dyn Simulation| violated_at(state).is_some();
    assert_eq!(fewest(variant("lamport", "no-acknowledge", 2), inside, 4), Some(2));
    assert_eq!(fewest(variant("lamport", "no-tie-break", 2), inside, 6), Some(4));
    assert_eq!(fewest(any_order(config("lamport", 2)), inside, 6), Some(4));
    assert_eq!(fewest(config("lamport", 2), inside, 12), None, "the rules as they are");
    assert_eq!(violated_at(played("lamport-broken").state()), Some(4));
}

#[test]
fn l6_fifo_channels_refuse_the_overtaking() {
    let run = "request P1; request P2; deliver P2>P1; deliver P1>P2#2";
    assert!(refusal(config("lamport", 2), run).contains("is ahead of it in the channel"));
}

#[test]
fn l6_a_dead_request_stops_the_queue_for_ever() {
    let lab = played("lamport-broken");
    assert!(stuck(lab.state()));
    assert!(lab.state().view().in_flight.is_empty());
}

#[test]
fn l7_one_idle_crash_stops_both_others_and_recovery_alone_does_not_help() {
    let mut lab = played("lamport-crash");
    assert!(stuck(lab.state()));
    assert!(lab.state().view().nodes.iter().all(|n| !n.crashed), "P3 has recovered");
    lab.play_schedule("request P3").expect("P3 asks");
    lab.run_on(&mut Policy::Oldest, None);
    assert!(stuck(lab.state()), "P3 gets no further than the others");
    assert_eq!(entered(&lab), [1]);
}

#[test]
fn l10_a_majority_of_replies_lets_two_nodes_in() {
    let run = "request P1; deliver P1>P2; deliver P2>P1; request P2; deliver P2>P3; deliver P3>P2";
    let lab = lab(variant("ricart-agrawala", "majority", 3), run);
    assert_eq!(violated_at(lab.state()), Some(6));
}

#[test]
fn l10_everybody_is_alive_at_the_end_and_nobody_gets_in() {
    let lab = played("ricart-agrawala-faults");
    assert!(stuck(lab.state()));
    assert!(lab.state().view().nodes.iter().all(|n| !n.crashed));
    assert!(entered(&lab).is_empty());
    let ten_needed = 0.99_f64.powi(10);
    assert!((ten_needed - 0.90).abs() < 0.01);
}

#[test]
fn l11_the_ring_does_not_keep_the_order_of_asking_and_loses_the_token_in_a_crash() {
    let lab = played("token-ring");
    assert_eq!(entered(&lab), [2, 3, 1], "P3 before P1, which asked first");
    assert_eq!(lab.state().lamps().tokens, Some(0));
    assert!(stuck(lab.state()));
    assert_eq!(violated_at(lab.state()), None);
}

#[test]
fn l12_two_tokens_violate_in_seven_events_and_not_before_they_part() {
    let inside = |state: &dyn Simulation| violated_at(state).is_some();
    assert_eq!(fewest(options("token-ring", 4, &["regenerate"]), inside, 8), Some(7));
    let lab = played("delayed-token");
    assert_eq!((violated_at(lab.state()), lab.state().lamps().tokens), (Some(7), Some(1)));
    let both = "deliver P4>P1; timeout P1; request P2; deliver P1>P2; deliver P1>P2; exit P2";
    let lab = super::lab(options("token-ring", 4, &["regenerate"]), both);
    assert_eq!((violated_at(lab.state()), lab.state().lamps().tokens), (None, Some(1)));
}

#[test]
fn l13_numbers_need_seven_events_to_fail_as_none_do() {
    let inside = |state: &dyn Simulation| violated_at(state).is_some();
    let numbered = || options("token-ring", 4, &["regenerate", "numbers"]);
    assert_eq!(fewest(numbered(), inside, 8), Some(7));
    let lab = played("sequence-numbers");
    assert_eq!((violated_at(lab.state()), lab.state().lamps().tokens), (Some(7), Some(1)));
    assert!(last(&lab).contains(&"discard"), "at last the stale one is thrown away");
}

#[test]
fn l13_the_written_solution_needs_channels_without_order() {
    let numbered = || options("token-ring", 4, &["regenerate", "numbers"]);
    let run = "deliver P4>P1; timeout P1; deliver P1>P2#2; deliver P1>P2#1";
    assert!(refusal(numbered(), run).contains("is ahead of it in the channel"));
    let lab = lab(any_order(numbered()), run);
    assert_eq!(last(&lab), ["discard"]);
}

#[test]
fn l13_a_number_that_each_node_makes_alone_is_not_unique() {
    let all = options("token-ring", 2, &["regenerate", "numbers", "everybody"]);
    let run = "deliver P2>P1; request P2; timeout P2; request P1; deliver P2>P1; deliver P1>P2";
    let lab = lab(all, run);
    assert_eq!(violated_at(lab.state()), Some(6));
    let view = lab.state().view();
    assert_eq!(view.nodes[0].fields.get("token"), view.nodes[1].fields.get("token"));
}

#[test]
fn l13_promises_keep_two_nodes_out_where_numbers_alone_do_not() {
    let numbered = options("token-ring", 4, &["regenerate", "numbers"]);
    let promised = options("token-ring", 4, &["promise"]);
    let bad = |config: &Config| {
        let hit = |seed: &u64| violated_at(by_chance(config, *seed, 60).state()).is_some();
        (0..400).filter(hit).count()
    };
    assert!(bad(&numbered) > 0);
    assert_eq!(bad(&promised), 0);
}

#[test]
fn l13_a_promise_round_costs_two_messages_with_each_other_node_and_needs_them_all() {
    let promise = || options("token-ring", 4, &["promise"]);
    let mut round = lab(promise(), "deliver P4>P1; timeout P1");
    round.run_on(&mut Policy::Oldest, None);
    assert_eq!(of_kind(&round, "PREPARE") + of_kind(&round, "PROMISE"), 6);
    let crash = "deliver P4>P1; crash P3; timeout P1; request P4";
    let mut lost = lab(promise(), crash);
    lost.run_on(&mut Policy::Oldest, None);
    assert!(stuck(lost.state()));
    assert_eq!(lost.state().lamps().tokens, Some(0));
}

/// The fences of accepted writes, in order.
fn accepted(lab: &Lab) -> Vec<u64> {
    let storage = lab.state().view().storage.expect("a storage");
    storage.writes.iter().filter(|w| w.accepted.is_some()).filter_map(|w| w.fence).collect()
}

#[test]
fn l14_accepted_fences_never_decrease_and_a_stale_one_may_be_the_first() {
    let lab = played("fencing");
    assert_eq!(accepted(&lab), [1, 2, 2]);
    assert_eq!(violated_at(lab.state()), Some(7));
    let storage = lab.state().view().storage.expect("a storage");
    assert_eq!(storage.writes.len(), 4);
    assert!(!storage.fence_violated);
}

#[test]
fn l14_a_plain_storage_takes_the_stale_write_last() {
    let plain = Config { storage: Some(StorageRule::Plain), ..config("lease", 2) };
    let run = "request P1; deliver P1>L; deliver L>P1; timeout L; request P2; deliver P2>L; \
               deliver L>P2; write P2; deliver P2>S; write P1; deliver P1>S";
    let lab = lab(plain, run);
    assert_eq!(accepted(&lab), [2, 1]);
    assert!(lab.state().view().storage.expect("a storage").fence_violated);
}

#[test]
fn l15_plain_votes_deadlock_in_a_cycle_and_so_do_those_without_the_correction() {
    let run = "request P2; request P1; request P4";
    let mut lab = lab(variant("maekawa", "basic-set", 4), run);
    lab.run_on(&mut Policy::Oldest, None);
    let Progress::Stuck { cycle, .. } = lab.state().lamps().progress else {
        panic!("nobody can go in")
    };
    let names = Names::numbered(4);
    let cycle: Vec<&str> = cycle.iter().map(|n| names[n.index()].as_str()).collect();
    assert_eq!(cycle, ["P1", "P2", "P4"]);
    let mistaken = variant("maekawa", "no-sanders", 3);
    assert_eq!(fewest(mistaken, stuck, 10), Some(9));
}

#[test]
fn l17_a_coordinator_that_forgets_is_unsafe_and_one_that_remembers_gets_stuck() {
    assert!(stuck(played("tradeoffs").state()));
    let run = "request P1; deliver P1>C; deliver C>P1; crash C; recover C; request P2; \
               deliver P2>C; deliver C>P2";
    let lab = lab(variant("central", "empty-restart", 2), run);
    assert!(violated_at(lab.state()).is_some());
}

#[test]
fn l18_an_old_request_moves_no_token_and_idle_nodes_may_crash() {
    let mut lab = played("suzuki-kasami");
    lab.play_schedule("crash P3; exit P1; deliver P1>P2#3").expect("P2 gets the token");
    assert_eq!(entered(&lab).last(), Some(&2));
    let old = "request P2; deliver P2>P1; deliver P1>P2; exit P2; request P3; deliver P3>P2; \
               deliver P2>P3#2; exit P3; deliver P2>P3#1";
    assert_eq!(last(&super::lab(any_order(config("suzuki-kasami", 3)), old)), ["discard"]);
    let mistaken = any_order(variant("suzuki-kasami", "no-freshness-test", 3));
    assert_eq!(last(&super::lab(mistaken, old)), ["pass"]);
}

#[test]
fn l19_a_crash_in_the_middle_cuts_the_tree() {
    let mut lab = played("raymond");
    lab.play_schedule("crash P2; request P4; deliver P4>P3; deliver P3>P4; exit P4; request P1")
        .expect("P4 gets in");
    lab.run_on(&mut Policy::Oldest, None);
    assert!(stuck(lab.state()), "P1 does not");
}

#[test]
fn l20_fences_on_writes_alone_lose_an_update_and_fences_on_reads_do_not() {
    let lab = played("lease-and-fencing");
    assert_eq!(accepted(&lab), [33, 34]);
    let storage = lab.state().view().storage.expect("a storage");
    assert!(storage.writes[1].overwrites.is_some());
    let fenced = Config {
        storage: Some(StorageRule::Fenced),
        fence: FenceOn::Both,
        ..options("lease", 2, &["from-33"])
    };
    let run = "request P1; deliver P1>L; deliver L>P1; request P2; deliver P2>L; read P1; \
               deliver P1>S; deliver S>P1; timeout L; deliver L>P2; read P2; deliver P2>S; \
               deliver S>P2; write P1; deliver P1>S; write P2; deliver P2>S";
    let lab = super::lab(fenced, run);
    assert_eq!(accepted(&lab), [34]);
    let storage = lab.state().view().storage.expect("a storage");
    assert!(storage.writes.iter().all(|w| w.overwrites.is_none()));
}
