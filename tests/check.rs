//! The checker against counts that independent code has found, and against what the catalog says.

use lockstep::algorithm::{Failure, Info, Variant};
use lockstep::catalog;
use lockstep::check::{Asked, Faults, Progress, Report, SearchOptions, Verdict, finish};
use lockstep::lab::Lab;
use lockstep::model::{ChannelOrder, Config, QuorumChoice, Schedule};
use lockstep::sim::{Mutex, Order, Progress as Lamp};

fn search(config: &Config, options: &SearchOptions) -> Report {
    let mut search = catalog::search(config, options).expect("the settings fit");
    finish(search.as_mut()).clone()
}

/// Each client asks so often; nothing is left out.
fn full(requests: &[u32]) -> SearchOptions {
    SearchOptions { requests: requests.to_vec(), reduction: false, ..SearchOptions::default() }
}

fn goal(config: &Config, text: &str) -> Option<Asked> {
    let lab = Lab::new(config.clone()).expect("the settings fit");
    Some(Asked::by_hand(text, lab.goal(text).expect("a goal")))
}

fn any_order(slug: &str, n: usize) -> Config {
    Config { channels: Some(ChannelOrder::AnyOrder), ..Config::new(slug, n) }
}

fn lab_behind(config: &Config, schedule: &Schedule) -> Lab {
    let mut lab = Lab::new(config.clone()).expect("the settings fit");
    let text = schedule.show(&lab.setup().names.clone());
    lab.play_schedule(&text).expect("the engine plays what the checker found");
    lab
}

/// Algorithms that promise mutual exclusion.
fn locks() -> impl Iterator<Item = &'static Info> {
    catalog::all().iter().map(|e| e.info).filter(|info| !info.teaching)
}

fn variants() -> impl Iterator<Item = (&'static Info, &'static Variant)> {
    locks().flat_map(|info| info.variants.iter().map(move |v| (info, v)))
}

// Counts.

/// What `sim/tests.rs` is too plain for; the smaller clusters are compared there.
#[test]
fn three_nodes_of_lamports_algorithm_have_the_counts_that_independent_code_has_found() {
    let report = search(&Config::new("lamport", 3), &full(&[1]));
    assert_eq!(report.verdict, Verdict::Safe);
    assert_eq!(report.new_states.iter().sum::<usize>(), report.states);
    assert_eq!((report.states, report.transitions, report.depth), (156_713, 412_155, 24));
}

#[test]
fn ricart_agrawala_finds_as_many_new_states_at_each_depth() {
    let report = search(&Config::new("ricart-agrawala", 3), &full(&[1]));
    let expected = [1, 3, 9, 28, 60, 129, 218, 294, 315, 274, 211, 163, 133, 95, 57, 35, 14, 7, 3];
    assert_eq!(report.new_states, expected);
}

#[test]
fn depths_follow_their_closed_forms() {
    for (n, requests) in [(2, vec![1]), (2, vec![3]), (2, vec![2, 1]), (3, vec![1, 0, 1])] {
        let options = full(&requests);
        let asked: usize = (0..n).map(|i| options.requests_of(i) as usize).sum();
        let depth = |slug: &str| search(&Config::new(slug, n), &options).depth;
        assert_eq!(depth("lamport"), asked * (3 * (n - 1) + 2));
        assert_eq!(depth("ricart-agrawala"), asked * (2 * (n - 1) + 2));
    }
}

#[test]
fn equal_messages_of_a_bag_are_one_choice() {
    let report = search(&any_order("ricart-agrawala", 2), &full(&[1]));
    assert_eq!((report.verdict, report.states), (Verdict::Safe, 34));
}

// What the catalog says.

#[test]
fn every_right_algorithm_is_safe_with_two_and_three_nodes() {
    for info in locks() {
        for n in [2, 3] {
            let report = search(&Config::new(info.slug, n), &SearchOptions::default());
            assert_eq!(report.verdict, Verdict::Safe, "{} with {n} nodes", info.slug);
            assert_eq!(report.counterexample, None);
        }
    }
}

#[test]
fn an_algorithm_that_needs_no_order_is_safe_without_it() {
    for info in locks().filter(|info| info.needs == ChannelOrder::AnyOrder) {
        for n in [2, 3] {
            let report = search(&any_order(info.slug, n), &SearchOptions::default());
            assert_eq!(report.verdict, Verdict::Safe, "{} with {n} nodes", info.slug);
        }
    }
}

fn shown(info: &Info, variant: &Variant, reduction: bool) -> (Config, Report) {
    let (config, options) = catalog::showing(info, variant);
    let report = search(&config, &SearchOptions { reduction, ..options });
    (config, report)
}

#[test]
fn every_variant_fails_as_it_says_where_it_says() {
    for (info, variant) in variants() {
        let (_, report) = shown(info, variant, true);
        let found = (report.verdict, report.property, report.doomed);
        let expected = match variant.failure {
            Failure::Violation => (Verdict::Violated, Some("mutex"), false),
            Failure::Stuck => (Verdict::Stuck, Some("progress"), report.doomed),
            Failure::Livelock => (Verdict::NeverEnds, Some("progress"), false),
            Failure::Harmless => (Verdict::Safe, None, false),
            Failure::Goal(_) => (Verdict::GoalReached, None, false),
        };
        assert_eq!(found, expected, "{} {}", info.slug, variant.id);
    }
}

#[test]
fn the_shortest_failures_are_these() {
    let mut lines = Vec::new();
    for (info, variant) in variants() {
        let (config, report) = shown(info, variant, true);
        let names = catalog::setup(&config).expect("the settings fit").names;
        let doomed = if report.doomed { ", doomed" } else { "" };
        lines.push(format!("{} {}: {}{doomed}", info.slug, variant.id, report.verdict.word()));
        if let Some(schedule) = &report.counterexample {
            lines.push(format!("  {} events: {}", schedule.0.len(), schedule.show(&names)));
        }
        if let Some(schedule) = &report.repeats {
            lines.push(format!("  again and again: {}", schedule.show(&names)));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn every_counterexample_replays_and_its_failure_shows() {
    for (info, variant) in variants() {
        let (config, report) = shown(info, variant, true);
        let Some(schedule) = &report.counterexample else { continue };
        let mut lab = lab_behind(&config, schedule);
        let lamps = lab.state().lamps();
        let name = format!("{} {}", info.slug, variant.id);
        match (report.verdict, report.doomed) {
            (Verdict::Violated, _) => {
                assert!(matches!(lamps.mutex, Mutex::Violated(..)), "{name}");
                let first = lab.history().cursor();
                let before = lab.history().parent(first).expect("a violation takes events");
                lab.go_to(before);
                assert_eq!(lab.state().lamps().mutex, Mutex::Ok, "{name}: one event earlier");
            }
            (Verdict::Stuck, false) => {
                assert!(matches!(lamps.progress, Lamp::Stuck { .. }), "{name}");
            }
            _ => {}
        }
        if let Some(again) = &report.repeats {
            let text = again.show(&lab.setup().names.clone());
            let before = lab.state().view();
            lab.play_schedule(&text).expect("the loop can be played");
            let after = lab.state().view();
            let fields = |view: &lockstep::sim::ClusterView| {
                view.nodes.iter().map(|n| (n.phase, n.fields.clone())).collect::<Vec<_>>()
            };
            assert_eq!(fields(&before), fields(&after), "{name}: the loop leads back");
            assert_eq!(before.in_flight.len(), after.in_flight.len());
            let since = before.step;
            assert_eq!(after.lamps.progress, Lamp::GoesRound { since }, "{name}: and says so");
        }
    }
}

#[test]
fn lamport_without_fifo_violates_after_four_and_seven_events() {
    for (n, events) in [(2, 4), (3, 7)] {
        let report = search(&any_order("lamport", n), &SearchOptions::default());
        assert_eq!(report.verdict, Verdict::Violated);
        assert_eq!(report.counterexample.map(|s| s.0.len()), Some(events), "{n} nodes");
    }
}

// Reductions, threads, slices, limits.

#[test]
fn leaving_orders_out_changes_no_verdict_and_no_schedule() {
    for (info, variant) in variants() {
        let (_, with) = shown(info, variant, true);
        let (_, without) = shown(info, variant, false);
        let answer = |r: &Report| (r.verdict, r.doomed, r.counterexample.clone());
        assert_eq!(answer(&with), answer(&without), "{} {}", info.slug, variant.id);
        assert!(with.states <= without.states);
    }
    for info in locks() {
        for (n, requests) in [(2, vec![1]), (2, vec![2]), (2, vec![3, 1]), (3, vec![1])] {
            for config in [Config::new(info.slug, n), any_order(info.slug, n)] {
                let without = SearchOptions { max_states: Some(300_000), ..full(&requests) };
                let with = SearchOptions { reduction: true, ..without.clone() };
                let [without, with] = [without, with].map(|options| search(&config, &options));
                if without.verdict == Verdict::Limit {
                    continue;
                }
                let name = format!("{} with {n} nodes, {requests:?}", info.slug);
                assert_eq!(with.verdict, without.verdict, "{name}");
                assert_eq!(with.counterexample, without.counterexample, "{name}");
            }
        }
    }
}

#[test]
fn leaving_orders_out_leaves_states_out() {
    let config = Config::new("lamport", 3);
    let with = search(&config, &SearchOptions::default());
    assert!(with.reduced);
    assert!(with.states * 2 < 156_713, "{} states", with.states);
}

fn apart_from_memory(report: &Report) -> Report {
    Report { peak_bytes: 0, ..report.clone() }
}

#[test]
fn any_number_of_threads_and_any_slices_give_the_same_report() {
    let mut clusters = vec![(Config::new("ricart-agrawala", 3), full(&[1]))];
    clusters.extend(variants().map(|(info, variant)| catalog::showing(info, variant)));
    for (config, options) in clusters {
        let one = search(&config, &options);
        for threads in [2, 3] {
            let more = search(&config, &SearchOptions { threads, ..options.clone() });
            assert_eq!(apart_from_memory(&more), apart_from_memory(&one), "{config:?}");
        }
        for budget in [1, 7] {
            let mut search = catalog::search(&config, &options).expect("the settings fit");
            while !search.advance(budget).finished {}
            let sliced = search.report().expect("it is finished");
            assert_eq!(apart_from_memory(sliced), apart_from_memory(&one), "{config:?}");
        }
    }
}

#[test]
fn a_slice_does_no_more_than_it_was_given() {
    let mut search =
        catalog::search(&Config::new("lamport", 3), &full(&[1])).expect("the settings fit");
    let mut last = Progress::default();
    while !last.finished {
        let now = search.advance(500);
        assert!(now.transitions - last.transitions <= 500 * 9);
        assert!(now.states >= last.states && now.depth >= last.depth);
        last = now;
    }
    assert_eq!((last.states, last.transitions, last.frontier), (156_713, 412_155, 0));
}

/// How many states lie at depths up to this one.
fn states_up_to(report: &Report, depth: usize) -> usize {
    report.new_states[..=depth].iter().sum()
}

#[test]
fn a_limit_on_states_is_kept_and_the_covered_depth_was_covered_whole() {
    let config = Config::new("lamport", 3);
    let whole = search(&config, &full(&[1]));
    for most in [1, 10, 1_000, 40_000, 156_712] {
        let options = SearchOptions { max_states: Some(most), ..full(&[1]) };
        let report = search(&config, &options);
        assert_eq!((report.verdict, report.limit), (Verdict::Limit, Some("states")));
        assert_eq!(report.states, most);
        let covered = report.covered.expect("a limit names the depth");
        assert!(states_up_to(&whole, covered) <= most);
        assert_eq!(report.new_states[..=covered], whole.new_states[..=covered]);
    }
    let options = SearchOptions { max_states: Some(156_713), ..full(&[1]) };
    assert_eq!(search(&config, &options).verdict, Verdict::Safe);
}

#[test]
fn a_limit_on_memory_is_kept() {
    let megabytes = |n: usize| SearchOptions { max_bytes: Some(n << 20), ..full(&[1]) };
    for (most, at_least) in [(2, 1_000), (3, 8_000), (4, 20_000), (5, 30_000), (6, 40_000)] {
        let report = search(&Config::new("lamport", 3), &megabytes(most));
        assert_eq!((report.verdict, report.limit), (Verdict::Limit, Some("memory")));
        let (peak, states) = (report.peak_bytes, report.states);
        assert!(peak <= most << 20, "{peak} bytes of {most} MB");
        assert!(states > at_least, "only {states} states in {most} MB");
    }
    let report = search(&Config::new("lamport", 3), &megabytes(64));
    assert_eq!(report.verdict, Verdict::Safe);
}

#[test]
fn a_failure_at_the_last_depth_before_a_limit_is_still_found() {
    let (config, options) = (any_order("lamport", 2), full(&[1]));
    let failing = search(&config, &options);
    let states = failing.states;
    let found = (1..=states).find(|most| {
        let options = SearchOptions { max_states: Some(*most), ..options.clone() };
        search(&config, &options).verdict == Verdict::Violated
    });
    let least = found.expect("the whole graph shows it");
    assert!(least < states, "a state that was found is looked at, limit or not");
}

#[test]
fn a_limit_is_no_safe() {
    let options =
        SearchOptions { requests: vec![2], max_states: Some(5_000), ..SearchOptions::default() };
    let report = search(&Config::new("lamport", 3), &options);
    assert_eq!(report.verdict, Verdict::Limit);
    assert!(!report.reduced, "the covered depth counts every order");
    assert!(report.covered.is_some_and(|depth| depth > 3));
}

// Goals, faults, other beginnings.

fn asked(config: &Config, text: &str, requests: &[u32]) -> Report {
    let options = SearchOptions { goal: goal(config, text), ..full(requests) };
    search(config, &options)
}

fn length(report: &Report) -> Option<usize> {
    report.counterexample.as_ref().map(|s| s.0.len())
}

#[test]
fn a_goal_is_reached_by_a_shortest_schedule_behind_which_it_holds() {
    let config = Config::new("ricart-agrawala", 2);
    let cases = [
        ("waiting(P1) and waiting(P2)", 2),
        ("in_cs(P2)", 3),
        ("entered(P1) and idle(P1)", 4),
        ("entries(P1) == 2", 7),
        ("messages(REPLY) >= 2 and not in_flight()", 7),
        ("field(P1, deferred) == {P2}", 3),
        ("idle(P1) and idle(P2)", 0),
        ("clock(P2) == 3", 7),
    ];
    for (text, events) in cases {
        let report = asked(&config, text, &[2]);
        assert_eq!(report.verdict, Verdict::GoalReached, "{text}");
        assert_eq!(length(&report), Some(events), "{text}");
        let lab = lab_behind(&config, report.counterexample.as_ref().expect("a schedule"));
        assert!(lab.goal(text).expect("a goal").holds(lab.state()), "{text}");
    }
}

#[test]
fn what_no_schedule_reaches_is_called_unreachable() {
    let config = Config::new("ricart-agrawala", 2);
    for text in ["in_cs(P1) and in_cs(P2)", "stuck()", "entries() == 3", "violated(order)"] {
        let report = asked(&config, text, &[1]);
        assert_eq!(report.verdict, Verdict::GoalUnreachable, "{text}");
        assert_eq!(report.counterexample, None);
    }
}

#[test]
fn never_and_eventually_speak_of_all_runs() {
    let config = Config::new("ricart-agrawala", 2);
    let verdict = |text: &str| {
        let report = asked(&config, text, &[1]);
        (report.verdict, report.property)
    };
    assert_eq!(verdict("never violated(mutex)"), (Verdict::Safe, None));
    assert_eq!(verdict("never in_cs(P1)"), (Verdict::Violated, Some("goal")));
    assert_eq!(verdict("eventually exited(P2)"), (Verdict::Safe, None));
    assert_eq!(verdict("eventually entries() == 2"), (Verdict::Safe, None));
    // One of the two comes first in each run, and the other one does in others.
    assert_eq!(verdict("eventually in_cs(P1) and waiting(P2)"), (Verdict::Violated, Some("goal")));
}

#[test]
fn the_past_of_a_run_is_told_apart_only_where_a_goal_names_it() {
    // An entry takes no message, one or two here, so that a state does not tell how many were sent.
    let config = Config::new("carvalho-roucairol", 2);
    let plain = search(&config, &full(&[2])).states;
    let present = asked(&config, "never in_cs(P1) and in_cs(P2)", &[2]).states;
    let past = asked(&config, "never messages() > 100", &[2]).states;
    assert_eq!(plain, present);
    assert!(past > plain, "{past} states");
}

#[test]
fn entries_keep_the_order_of_stamps_where_it_is_promised() {
    for slug in ["lamport", "ricart-agrawala"] {
        for (n, requests) in [(2, [2]), (3, [1])] {
            let report = asked(&Config::new(slug, n), "never violated(order)", &requests);
            assert_eq!(report.verdict, Verdict::Safe, "{slug}");
        }
    }
    let broken = Config { variant: Some("no-acknowledge".to_owned()), ..Config::new("lamport", 2) };
    let report = asked(&broken, "violated(order) and not violated(mutex)", &[2]);
    assert_eq!(report.verdict, Verdict::GoalReached);
    let lab = lab_behind(&broken, report.counterexample.as_ref().expect("a schedule"));
    assert!(matches!(lab.state().lamps().order, Order::Broken(..)));
}

#[test]
fn faults_happen_only_within_their_budget() {
    let config = Config::new("ricart-agrawala", 2);
    let with = |text: &str| {
        let faults = Faults::parse(text).expect("a budget");
        search(&config, &SearchOptions { faults, ..full(&[1]) })
    };
    let crash = with("crash=1");
    assert_eq!((crash.verdict, length(&crash)), (Verdict::Stuck, Some(3)));
    let drop = with("drop=1");
    assert_eq!((drop.verdict, length(&drop)), (Verdict::Stuck, Some(2)));
    assert_eq!(with("duplicate=1").verdict, Verdict::Safe);
    assert_eq!(with("timeout=3").states, with("").states);
    assert!(with("crash=1,recover=1").counterexample.is_some());
}

#[test]
fn a_search_may_begin_anywhere_and_its_schedule_begins_at_the_beginning() {
    let config =
        Config { variant: Some("tie-defers".to_owned()), ..Config::new("ricart-agrawala", 2) };
    let names = catalog::setup(&config).expect("the settings fit").names;
    let from = Schedule::parse("request P1; request P2", &names).expect("a schedule");
    let options = SearchOptions { requests: vec![0], from, ..SearchOptions::default() };
    let report = search(&config, &options);
    assert_eq!((report.verdict, length(&report)), (Verdict::Stuck, Some(4)));
    let lab = lab_behind(&config, report.counterexample.as_ref().expect("a schedule"));
    assert!(matches!(lab.state().lamps().progress, Lamp::Stuck { .. }));

    let from = Schedule::parse("request P1; exit P1", &names).expect("a schedule");
    let options = SearchOptions { from, ..SearchOptions::default() };
    let error = catalog::search(&config, &options).err().expect("P1 is not inside");
    assert_eq!(error.key, "from");
    assert_eq!(error.message, "event 2, `exit P1`, is refused: P1 is still waiting");
}

/// Case H13.
#[test]
fn a_release_that_overtakes_its_request_leaves_a_dead_entry() {
    let config = Config { clocks: vec![9, 0], ..any_order("lamport", 2) };
    let report = asked(&config, "stuck() and not violated(mutex)", &[2, 1]);
    assert_eq!(report.verdict, Verdict::GoalReached);
    let fifo = Config { channels: None, ..config };
    let report = asked(&fifo, "stuck()", &[2, 1]);
    assert_eq!(report.verdict, Verdict::GoalUnreachable);
}

/// Cases H6, H9 and H10.
#[test]
fn the_classic_mistakes_show_as_soon_as_the_cases_say() {
    let variant = |slug: &str, id: &str, n: usize| {
        let config = Config { variant: Some(id.to_owned()), ..Config::new(slug, n) };
        let report = search(&config, &SearchOptions::default());
        (report.verdict, length(&report))
    };
    assert_eq!(variant("ricart-agrawala", "R2", 2), (Verdict::Violated, Some(6)));
    assert_eq!(variant("ricart-agrawala", "R1", 2), (Verdict::Stuck, Some(4)));
    assert_eq!(variant("lamport", "L1", 2), (Verdict::Violated, Some(2)));
    let h9 = Config { clocks: vec![9, 0], ..any_order("lamport", 2) };
    let report = search(&h9, &SearchOptions::default());
    assert_eq!((report.verdict, length(&report)), (Verdict::Violated, Some(4)));
}

fn with_sets(variant: Option<&str>, sets: [&[&str]; 3]) -> Config {
    let set = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    let quorums = QuorumChoice::Sets(sets.into_iter().map(set).collect());
    let variant = variant.map(str::to_owned);
    Config { quorums, variant, ..Config::new("maekawa", 3) }
}

/// Cases H20 and H21.
#[test]
fn three_voters_deadlock_without_inquire_and_with_it_send_nine_to_eleven_messages() {
    let sets: [&[&str]; 3] = [&["P1", "P2"], &["P2", "P3"], &["P3", "P1"]];
    let report = search(&with_sets(Some("M1"), sets), &SearchOptions::default());
    assert_eq!((report.verdict, length(&report)), (Verdict::Stuck, Some(6)));
    let right = with_sets(None, sets);
    let possible = |n: u32| {
        let text = format!("exits() == 3 and not in_flight() and messages() == {n}");
        asked(&right, &text, &[1]).verdict == Verdict::GoalReached
    };
    let counts: Vec<u32> = (6..=14).filter(|n| possible(*n)).collect();
    assert_eq!(counts, [9, 10, 11]);
}

/// Case H24.
#[test]
fn a_voter_that_does_not_tell_the_overtaken_leaves_three_nodes_stuck() {
    let sets: [&[&str]; 3] = [&["P1", "P2", "P3"], &["P2", "P3"], &["P1", "P3"]];
    let report = search(&with_sets(Some("M4"), sets), &SearchOptions::default());
    assert_eq!((report.verdict, length(&report)), (Verdict::Stuck, Some(9)));
    assert_eq!(search(&with_sets(None, sets), &SearchOptions::default()).verdict, Verdict::Safe);
}

#[test]
fn a_token_that_multiplies_is_told_even_where_nobody_meets_inside() {
    let config = Config { variant: Some("T1".to_owned()), ..Config::new("token-ring", 2) };
    let report = search(&config, &full(&[0]));
    assert_eq!((report.verdict, report.property), (Verdict::Violated, Some("token")));
    let lab = lab_behind(&config, report.counterexample.as_ref().expect("a schedule"));
    assert_ne!(lab.state().lamps().tokens, Some(1));
}

#[test]
fn a_token_on_its_rounds_is_no_failure_and_reaches_everybody() {
    let config = Config::new("token-ring", 3);
    assert_eq!(search(&config, &full(&[2])).verdict, Verdict::Safe);
    assert_eq!(asked(&config, "eventually exited(P3)", &[1]).verdict, Verdict::Safe);
}
