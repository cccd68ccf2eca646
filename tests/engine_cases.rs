//! Runs whose sentences are known word for word, and cases that need more than a text of events.

use lockstep::catalog;
use lockstep::model::{ChannelOrder, Config, Event, FenceOn, NodeId, Schedule, StorageRule};
use lockstep::sim::view::{Mutex, Progress};
use lockstep::sim::{Simulation, StepRecord};
use lockstep::trace::narrate;

type Sim = Box<dyn Simulation>;

fn start(config: &Config) -> Sim {
    catalog::start(config).expect("the settings fit")
}

fn with_options(slug: &str, n: usize, options: &[&str]) -> Config {
    let options = options.iter().map(|o| (*o).to_owned()).collect();
    Config { options, ..Config::new(slug, n) }
}

fn play(sim: &mut Sim, text: &str) -> Vec<StepRecord> {
    let schedule = Schedule::parse(text, &sim.setup().names).expect("a schedule");
    let one = |event| sim.step(event).unwrap_or_else(|e| panic!("{text}: {event:?}: {e}"));
    schedule.0.into_iter().map(one).collect()
}

fn holders(sim: &Sim) -> Vec<String> {
    let view = sim.view();
    view.holders.iter().map(|n| view.node(*n).name.clone()).collect()
}

/// The shortest failure of the exercise with the delayed token: numbers alone are not safe.
#[test]
fn numbers_do_not_help_when_the_older_token_comes_first() {
    let mut sim = start(&with_options("token-ring", 4, &["regenerate", "numbers"]));
    play(&mut sim, "deliver P4>P1; timeout P1; request P3; deliver P1>P2; request P2");
    let steps = play(&mut sim, "deliver P1>P2; deliver P2>P3");
    assert_eq!(holders(&sim), ["P2", "P3"]);
    assert_eq!(
        narrate::sentence(&steps[0], &sim.setup().names),
        "P2 gets TOKEN #2 from P1. P2 waits, so it keeps token #2. P2 enters the critical section."
    );
}

#[test]
fn one_node_alone_enters_at_once_and_again() {
    for slug in ["token-ring", "maekawa"] {
        let mut sim = start(&Config::new(slug, 1));
        play(&mut sim, "request P1; exit P1; request P1");
        assert_eq!(holders(&sim), ["P1"], "{slug}");
        assert_eq!(sim.messages(None), 0, "{slug}");
    }
}

#[test]
fn a_ring_cannot_absorb_and_forward() {
    let refused = catalog::setup(&with_options("token-ring", 3, &["absorb", "forward"]));
    let error = refused.expect_err("both");
    assert_eq!(error.message, "`absorb` and `forward` exclude each other; choose one");
}

/// The variant M10b: a RELEASE that is overtaken by the next REQUEST.
#[test]
fn voting_without_fifo_lets_two_in_after_12_events() {
    let mut config = Config::new("maekawa", 3);
    config.variant = Some("no-fifo-unsafe".to_owned());
    let mut sim = start(&config);
    play(&mut sim, "request P2; deliver P2>P3; deliver P3>P2; exit P2; request P1; request P2");
    play(&mut sim, "deliver P1>P2; deliver P2>P3#3; deliver P2>P3; deliver P3>P2#3");
    assert_eq!(sim.lamps().mutex, Mutex::Ok);
    play(&mut sim, "deliver P3>P2; deliver P2>P1");
    assert_eq!(sim.lamps().mutex, Mutex::Violated(NodeId(0), NodeId(1), 12));
}

fn leased(rule: StorageRule, variant: Option<&str>) -> Sim {
    let mut config = with_options("lease", 2, &["from-33"]);
    config.variant = variant.map(str::to_owned);
    (config.storage, config.fence) = (Some(rule), FenceOn::Writes);
    let mut sim = start(&config);
    play(&mut sim, "request P1; deliver P1>L; deliver L>P1; timeout L");
    play(&mut sim, "request P2; deliver P2>L; deliver L>P2");
    assert_eq!(holders(&sim), ["P1", "P2"]);
    sim
}

fn fates(sim: &Sim) -> Vec<(Option<u64>, bool, bool)> {
    let storage = sim.view().storage.expect("a storage node");
    let one =
        |w: &lockstep::sim::WriteView| (w.fence, w.accepted.is_some(), w.overwrites.is_some());
    storage.writes.iter().map(one).collect()
}

/// Case H35.
#[test]
fn the_write_with_33_after_34_is_refused_by_a_fence_and_taken_without_one() {
    let story = "write P2; deliver P2>S; write P1; deliver P1>S";
    let mut fenced = leased(StorageRule::Fenced, None);
    let steps = play(&mut fenced, story);
    assert_eq!(fates(&fenced), [(Some(34), true, false), (Some(33), false, false)]);
    assert!(!fenced.fence_violated());
    assert_eq!(
        narrate::sentence(&steps[3], &fenced.setup().names),
        "S gets WRITE fence 33 from P1. S has seen the fence 34, and 33 < 34, so it refuses the write."
    );
    let mut plain = leased(StorageRule::Plain, None);
    let steps = play(&mut plain, story);
    assert_eq!(fates(&plain), [(Some(34), true, false), (Some(33), true, true)]);
    assert!(plain.fence_violated());
    assert!(steps[3].outcomes.contains(&"lost-update"));
    assert_eq!(
        narrate::sentence(&steps[3], &plain.setup().names),
        "S gets WRITE fence 33 from P1. S looks at no fence and takes the write. It overwrites w1 of P2, which P1 had not seen: a lost update."
    );
}

#[test]
fn a_renewal_in_time_keeps_the_lease_and_a_late_one_is_told_so() {
    let mut sim = start(&Config::new("lease", 2));
    play(&mut sim, "request P1; deliver P1>L; deliver L>P1; request P2; deliver P2>L");
    play(&mut sim, "timeout P1; deliver P1>L; timeout L");
    assert_eq!(sim.in_flight(None), 0, "P2 is not granted the lock");
    play(&mut sim, "timeout L; timeout P1; deliver L>P2; deliver P1>L; deliver L>P1");
    let lease = sim.field(NodeId(0), "lease");
    assert_eq!(lease, Some(lockstep::model::Value::Word("over")));
    play(&mut sim, "exit P1");
    assert_eq!(sim.in_flight(None), 0, "nothing is given back");
}

#[test]
fn a_holder_without_a_fence_writes_and_it_is_said_that_there_is_none() {
    let mut config = Config::new("ricart-agrawala", 1);
    config.storage = Some(StorageRule::Fenced);
    let mut sim = start(&config);
    let refused = sim.check(Event::Write(NodeId(0))).expect_err("idle");
    assert_eq!(refused.reason, "P1 does not believe that it is inside");
    let steps = play(&mut sim, "request P1; write P1; deliver P1>S");
    let names = &sim.setup().names;
    assert_eq!(
        narrate::sentence(&steps[1], names),
        "P1 sends a WRITE to the storage. Ricart–Agrawala 1981 gives it no fence to send along."
    );
    assert_eq!(
        narrate::sentence(&steps[2], names),
        "S gets WRITE from P1. The WRITE carries no fence: S has nothing to compare and takes the write."
    );
    assert_eq!(sim.messages(None), 0, "what goes to the storage is not the algorithm's");
    assert_eq!(sim.messages(Some("WRITE")), 1);
    assert_eq!(sim.view().total_messages(), 0);
}

/// The 17 events of a lost update behind a storage that looks at the fences of writes alone.
#[test]
fn two_clients_that_read_before_they_write_lose_an_update_behind_fenced_writes() {
    let mut sim = leased(StorageRule::Fenced, None);
    play(&mut sim, "read P2; deliver P2>S; deliver S>P2; read P1; deliver P1>S; deliver S>P1");
    let steps = play(&mut sim, "write P1; deliver P1>S; write P2; deliver P2>S");
    assert_eq!(fates(&sim), [(Some(33), true, false), (Some(34), true, true)]);
    assert!(!sim.fence_violated(), "the order was kept");
    assert_eq!(
        narrate::sentence(&steps[3], &sim.setup().names),
        "S gets WRITE fence 34, after w0 from P2. S has seen the fence 33, and 34 > 33, so it takes the write. It overwrites w1 of P1, which P2 had not seen: a lost update."
    );
}

/// What a node waits for, and where that is.
fn missing(sim: &Sim, node: u8) -> Vec<String> {
    let unmet = sim.why(NodeId(node)).into_iter().filter(|line| !line.met);
    unmet.map(|line| format!("{} ({})", line.text, line.whereabouts.unwrap_or_default())).collect()
}

/// The nodes of a cycle of waits, where the cluster is stuck in one.
fn cycle(sim: &Sim) -> Vec<NodeId> {
    match sim.lamps().progress {
        Progress::Stuck { cycle, .. } => cycle,
        Progress::Ok | Progress::GoesRound { .. } => panic!("nothing comes by itself any more"),
    }
}

#[test]
fn who_waits_for_a_lost_message_waits_for_nobody() {
    let mut config = Config::new("ricart-agrawala", 2);
    config.channels = Some(ChannelOrder::AnyOrder);
    let mut sim = start(&config);
    play(&mut sim, "request P1; request P2; deliver P1>P2; drop P2>P1#2; deliver P2>P1");
    assert_eq!(missing(&sim, 0), ["REPLY from P2 (nothing is on its way from P2)"]);
    assert_eq!(cycle(&sim), [], "P2 owes P1 nothing");
    let mut sim = start(&Config::new("ricart-agrawala", 2));
    play(&mut sim, "request P2; deliver P2>P1; request P1; drop P1>P2#2; deliver P1>P2#1");
    assert_eq!(holders(&sim), ["P2"]);
    assert_eq!(missing(&sim, 0), ["REPLY from P2 (nothing is on its way from P2)"]);
    let mut config = Config::new("ricart-agrawala", 2);
    config.variant = Some("tie-defers".to_owned());
    let mut sim = start(&config);
    play(&mut sim, "request P1; request P2; deliver P1>P2; deliver P2>P1");
    assert_eq!(cycle(&sim), [NodeId(0), NodeId(1)], "each of them owes the other a REPLY");
}

#[test]
fn a_vote_that_is_with_somebody_else_comes_back_when_that_node_leaves() {
    let mut sim = start(&Config::new("maekawa", 4));
    play(&mut sim, "request P1; deliver P1>P2; deliver P1>P3; deliver P2>P1; deliver P3>P1");
    assert_eq!(holders(&sim), ["P1"]);
    play(&mut sim, "request P3");
    assert!(
        missing(&sim, 2).contains(&"its own vote, which P1 has (P1 is inside)".to_owned()),
        "{:?}",
        missing(&sim, 2)
    );
}

#[test]
fn a_place_behind_another_request_names_the_message_that_ends_it() {
    let mut sim = start(&Config::new("lamport", 2));
    play(&mut sim, "request P1; request P2; deliver P1>P2; deliver P2>P1; exit P1; deliver P1>P2");
    let unmet = missing(&sim, 1);
    assert_eq!(
        unmet,
        ["(1,P2) first in the queue, not behind (1,P1) (RELEASE is on its way: 2)"],
        "the ACK is here, the RELEASE is not"
    );
}
