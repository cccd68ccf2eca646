//! Counts, stamps and orders: what lessons say of runs without faults.

use super::*;

#[test]
fn l1_two_nodes_go_in_after_four_events_by_their_own_copies() {
    let lab = played("why-not-a-semaphore");
    assert_eq!(violated_at(lab.state()), Some(4));
    assert_eq!(entered(&lab), [1, 3]);
}

#[test]
fn l2_the_clocks_are_as_the_lesson_says() {
    let clocks = |lab: &Lab| -> Vec<Option<u32>> {
        lab.state().view().nodes.iter().map(|n| n.clock).collect()
    };
    let run = "local P1; local P1; tell P1>P2; deliver P1>P2; local P3; tell P3>P2";
    let merge = lab(config("clocks", 3), run);
    assert_eq!(clocks(&merge), [Some(3), Some(3), Some(2)]);
    let sent: Vec<u32> = records(&merge)
        .iter()
        .flat_map(|r| &r.sent)
        .filter_map(|s| s.label.stamp)
        .map(|s| s.clock)
        .collect();
    assert_eq!(sent, [3, 2], "(3,P1) and (2,P3)");
    assert_eq!(clocks(&played("logical-clocks")), [Some(3), Some(5), Some(5)]);
    let tick = Config { clock: lockstep::model::config::ClockRule::Tick, ..config("clocks", 3) };
    assert_eq!(clocks(&lab(tick, run))[1], Some(4), "books that tick at a receipt");
}

/// How many schedules without requests and faults lead to where nothing more can happen.
fn ways(state: &dyn Simulation) -> u64 {
    let able = moves(state, &[0; 16]);
    let after = |event: &Event| {
        let mut next = state.fork();
        next.step(*event).expect("an enabled event");
        ways(next.as_ref())
    };
    if able.is_empty() { 1 } else { able.iter().map(after).sum() }
}

#[test]
fn l4_and_l9_as_many_orders_are_possible_as_the_lessons_say() {
    let visit = lab(config("lamport", 3), "request P1");
    assert_eq!(ways(visit.state()), 12);
    let race = Config { clocks: vec![4, 2, 0], ..config("ricart-agrawala", 3) };
    assert_eq!(ways(lab(race, "request P1; request P2").state()), 720);
}

#[test]
fn l5_two_entries_cost_twelve_messages_and_a_request_serves_as_an_answer() {
    let lab = played("lamport-two-requests");
    assert_eq!(messages(&lab), 12);
    assert_eq!([of_kind(&lab, "REQUEST"), of_kind(&lab, "ACK"), of_kind(&lab, "RELEASE")], [4; 3]);
    assert_eq!(entered(&lab), [1, 2], "though P2 asked first");
    let first = records(&lab).into_iter().find(|r| r.entered.is_some()).expect("an entry");
    let moved = first.delivered().expect("P1 enters by a delivery");
    assert_eq!(moved.message.label.kind, "REQUEST");
}

/// Chance shows the share; every schedule gives 135,311 of 156,713 states.
#[test]
fn l5_queues_differ_in_most_states_of_three_nodes_that_ask_once() {
    let (mut all, mut differ) = (0, 0);
    for seed in 0..60 {
        let mut lab = by_chance(&config("lamport", 3), seed, 0);
        let mut left = [1; 3];
        let mut rng = SplitMix64::new(seed);
        loop {
            let able = moves(lab.state(), &left);
            let Some(event) = able.get(rng.below(able.len().max(1))).copied() else { break };
            if let Event::Request(node) = event {
                left[node.index()] -= 1;
            }
            lab.play(event).expect("an enabled event");
            let view = lab.state().view();
            let queue = |n: usize| format!("{:?}", view.nodes[n].fields.get("queue"));
            all += 1;
            differ += usize::from(queue(0) != queue(1) || queue(1) != queue(2));
        }
    }
    assert!(differ * 2 > all, "{differ} of {all}");
}

#[test]
fn l8_an_entry_of_ricart_agrawala_always_costs_two_messages_with_each_other_node() {
    assert_eq!(messages(&lab(config("ricart-agrawala", 3), "")), 0);
    for n in [1, 2, 3, 5] {
        for seed in 0..20 {
            let mut policy = Policy::Seeded(SplitMix64::new(seed));
            let lab = all_at_once(config("ricart-agrawala", n), &mut policy);
            assert_eq!(entered(&lab).len(), n);
            assert_eq!(messages(&lab), (n * 2 * (n - 1)) as u32, "n {n}, seed {seed}");
        }
    }
}

#[test]
fn l11_a_token_is_passed_on_once_for_each_step_to_the_node_that_waits() {
    for distance in 0..10 {
        // The token is about to reach the node that stands so many places before P10.
        let start: String = (0..9 - distance).map(|i| deliver_in_ring(i, 10)).collect();
        let lab = lab(config("token-ring", 10), &start);
        let before = of_kind(&lab, "TOKEN");
        let lab = until(config("token-ring", 10), &format!("{start}request P10"), "in_cs(P10)");
        assert_eq!(of_kind(&lab, "TOKEN") - before, distance as u32);
    }
}

/// The token reaches node i of a ring of n.
fn deliver_in_ring(i: usize, n: usize) -> String {
    format!("deliver P{}>P{}; ", (i + n - 1) % n + 1, i + 1)
}

#[test]
fn l15_each_kind_of_message_occurs_and_an_entry_without_rivals_costs_six() {
    let whole = played("maekawa");
    for kind in ["REQUEST", "GRANT", "FAILED", "INQUIRE", "YIELD", "RELEASE"] {
        assert!(of_kind(&whole, kind) > 0, "{kind}");
    }
    assert_eq!(entered(&whole), [1, 4], "P4 has the oldest request of the three");
    assert_eq!(messages(&until(config("maekawa", 4), "request P1", "exited(P1)")), 6);
    let sets = lab(config("maekawa", 13), "").setup().quorums.clone();
    assert!(sets.iter().all(|s| s.iter().count() == 4), "sets of four are enough for 13");
}

/// The exercise's five answers, each on ten nodes.
#[test]
fn l16_the_five_answers_are_what_the_clusters_of_ten_send() {
    let one = |algorithm: &str| {
        let lab = until(config(algorithm, 10), "request P1", "exited(P1)");
        messages(&lab)
    };
    assert_eq!(one("central"), 3);
    assert_eq!(one("ricart-agrawala"), 18);
    assert_eq!(one("lamport"), 27);
    assert_eq!(one("maekawa"), 9);
    assert_eq!(one("token-ring"), 1, "no pass before the entry, one afterwards");
    assert_eq!(messages(&played("counting-messages")), 9);
    let own = Config { coordinator: Some("P1".to_owned()), ..config("central", 10) };
    assert_eq!(messages(&until(own, "request P1", "exited(P1)")), 0);
    let worst = until(config("token-ring", 10), "deliver P10>P1; request P1", "in_cs(P1)");
    assert_eq!(messages(&worst) - 1, 9, "the pass before P1 asked is not counted");
}

#[test]
fn l16_competition_makes_maekawa_dearer_the_ring_cheaper_and_the_others_neither() {
    let all = |algorithm: &str| messages(&all_at_once(config(algorithm, 10), &mut Policy::Oldest));
    assert_eq!(all("central"), 30);
    assert_eq!(all("lamport"), 270);
    assert_eq!(all("ricart-agrawala"), 180);
    assert_eq!(all("maekawa"), 111);
    let seeded = |seed| {
        messages(&all_at_once(config("maekawa", 10), &mut Policy::Seeded(SplitMix64::new(seed))))
    };
    assert_eq!(seeded(2), 119);
    let mut lab = lab(config("token-ring", 10), "");
    lab.run_on_asking(&mut Policy::Oldest, &mut [1; 10], Some(&lab_goal("entered(P10)")));
    assert_eq!(messages(&lab), 9, "nine passes for ten entries, the first of them free");
}

fn lab_goal(text: &str) -> lockstep::model::Goal {
    lab(config("token-ring", 10), "").goal(text).expect("a goal")
}

#[test]
fn l16_four_is_the_smallest_set_for_ten_nodes_and_a_grid_costs_nine_to_fifteen() {
    let serves = |k: u32| k * (k - 1) + 1;
    assert!(serves(3) < 10 && serves(4) >= 10);
    assert_eq!((1..).find(|k| serves(*k) >= 100), Some(11), "at least 11, so at least 30");
    assert_eq!((serves(3), serves(4)), (7, 13));
    let sets = lab(config("maekawa", 10), "").setup().quorums.clone();
    assert!(sets.iter().all(|s| s.iter().count() == 4));
    let cost = |n: usize| {
        let quorums = lockstep::model::config::QuorumChoice::Grid;
        let grid = Config { quorums, ..config("maekawa", 10) };
        messages(&until(grid, &format!("request P{n}"), &format!("exited(P{n})")))
    };
    let costs: Vec<u32> = (1..=10).map(cost).collect();
    assert_eq!(costs.iter().min(), Some(&9));
    assert_eq!(costs.iter().max(), Some(&15));
}

/// Deliveries from one node's exit to the next one's entry, on the way that lets it in.
#[test]
fn l17_a_hand_over_takes_two_messages_with_a_coordinator_and_one_between_peers() {
    let steps = |algorithm: &str| {
        let start = "request P1; request P2";
        let lab = until(config(algorithm, 2), start, "exited(P1) or in_cs(P1)");
        let mut lab = lab;
        // Everything that was asked has arrived before P1 leaves.
        while let Some(Event::Deliver(m)) = lab.next_by_itself() {
            lab.play(Event::Deliver(m)).expect("enabled");
        }
        let before = lab.state().steps();
        lab.play(Event::Exit(NodeId(0))).expect("P1 is inside");
        let goal = lab.goal("in_cs(P2)").expect("a goal");
        lab.run_on(&mut Policy::Oldest, Some(&goal));
        lab.state().steps() - before - 1
    };
    assert_eq!(steps("central"), 2);
    assert_eq!(steps("ricart-agrawala"), 1);
    assert_eq!(steps("lamport"), 1);
}

#[test]
fn five_variants_do_not_fail_as_the_readme_says() {
    let harmless = |v: &&lockstep::algorithm::Variant| {
        matches!(v.failure, lockstep::algorithm::Failure::Harmless)
    };
    let all = lockstep::catalog::all().iter().flat_map(|e| e.info.variants);
    assert_eq!(all.filter(harmless).count(), 5);
}

#[test]
fn l10_and_l17_a_crash_inside_stops_all_others_wherever_there_is_no_timeout() {
    for n in [2, 3, 4] {
        for row in lockstep::lab::compare::rows(n).expect("small clusters") {
            let (entered, pairs) = row.crash.inside;
            let expected = if row.slug == "lease" { pairs } else { 0 };
            assert_eq!((entered, pairs), (expected, (n * (n - 1)) as u32), "{}, {n}", row.slug);
        }
    }
}

#[test]
fn l18_suzuki_kasami_costs_nothing_or_one_message_for_each_node() {
    for n in [2, 3, 5, 10] {
        let one = |who: usize| {
            let (ask, goal) = (format!("request P{who}"), format!("exited(P{who})"));
            messages(&until(config("suzuki-kasami", n), &ask, &goal))
        };
        assert_eq!((one(1), one(n)), (0, n as u32));
    }
}

#[test]
fn l19_raymond_costs_twice_the_distance_to_the_token() {
    let line = |n: usize| {
        let edges = (2..=n).map(|i| (format!("P{i}"), format!("P{}", i - 1))).collect();
        Config { tree: Some(edges), ..config("raymond", n) }
    };
    for n in 2..=6 {
        let goal = format!("exited(P{n})");
        let far = until(line(n), &format!("request P{n}"), &goal);
        assert_eq!(messages(&far), 2 * (n as u32 - 1));
    }
    assert_eq!(messages(&played("raymond")), 8);
    let star = until(config("raymond", 9), "request P5", "exited(P5)");
    assert_eq!(messages(&star), 2);
    let mut star = star;
    star.play_schedule("request P7").expect("P7 asks");
    let goal = star.goal("exited(P7)").expect("a goal");
    star.run_on(&mut Policy::Oldest, Some(&goal));
    assert_eq!(messages(&star) - 2, 4, "from leaf to leaf");
}
