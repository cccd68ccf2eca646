//! A run is its settings and its schedule: replay, going back and branches never tell another story.

use lockstep::catalog;
use lockstep::lab::Lab;
use lockstep::model::{ChannelOrder, Config, Event, NodeId, Schedule};
use lockstep::sim::{ClusterView, Policy, RevId, Simulation, SplitMix64, WhyLine};
use lockstep::trace::{Causality, Diagram, Window, narrate};

const STEPS: usize = 200;

/// Settings of many kinds for every algorithm of the catalog.
fn configs() -> Vec<Config> {
    let mut all = Vec::new();
    for info in catalog::all().iter().map(|e| e.info) {
        let default = Config::new(info.slug, 3);
        let clocks = Config { clocks: vec![4, 2], ..default.clone() };
        let bag = Config { channels: Some(ChannelOrder::AnyOrder), ..default.clone() };
        all.extend([default, clocks, bag]);
    }
    all
}

/// Any event that is possible: the enabled ones, `tell` and `local` too.
fn draw(sim: &dyn Simulation, rng: &mut SplitMix64) -> Event {
    let clients: Vec<NodeId> =
        sim.setup().client_ids().filter(|n| !sim.view().node(*n).crashed).collect();
    if rng.below(10) == 0 && clients.len() > 1 {
        let from = clients[rng.below(clients.len())];
        let others: Vec<NodeId> = clients.iter().copied().filter(|n| *n != from).collect();
        return match rng.below(2) {
            0 => Event::Local(from),
            _ => Event::Tell(from, others[rng.below(others.len())]),
        };
    }
    // Faults are many; most of the time something ordinary is drawn.
    let enabled = sim.enabled();
    let ordinary = |e: &&Event| matches!(e, Event::Deliver(_) | Event::Request(_) | Event::Exit(_));
    let usual: Vec<Event> = enabled.iter().filter(ordinary).copied().collect();
    let from = if rng.below(6) == 0 || usual.is_empty() { enabled } else { usual };
    from[rng.below(from.len())]
}

fn random_lab(config: &Config, seed: u64) -> Lab {
    let mut lab = Lab::new(config.clone()).expect("the settings fit");
    let mut rng = SplitMix64::new(seed);
    for _ in 0..STEPS {
        let event = draw(lab.state(), &mut rng);
        lab.play(event).expect("a possible event");
    }
    lab
}

/// Everything that panels show of a state.
#[derive(PartialEq, Debug)]
struct Shown {
    digest: String,
    view: ClusterView,
    enabled: Vec<Event>,
    why: Vec<Vec<WhyLine>>,
}

impl Shown {
    fn of(sim: &dyn Simulation) -> Self {
        Self {
            digest: sim.digest(),
            view: sim.view(),
            enabled: sim.enabled(),
            why: sim.setup().client_ids().map(|n| sim.why(n)).collect(),
        }
    }
}

/// The states of a fresh replay, the beginning first.
fn replayed(config: &Config, schedule: &Schedule) -> Vec<Shown> {
    let mut sim = catalog::start(config).expect("the settings fit");
    let mut all = vec![Shown::of(sim.as_ref())];
    for event in &schedule.0 {
        sim.step(*event).expect("it was possible before");
        all.push(Shown::of(sim.as_ref()));
    }
    all
}

/// Case H48.
#[test]
fn a_walk_back_and_forward_shows_what_a_fresh_replay_shows() {
    for (i, config) in configs().iter().enumerate() {
        let mut lab = random_lab(config, i as u64);
        let schedule = lab.history().schedule(lab.history().cursor());
        assert_eq!(schedule.0.len(), STEPS);
        let fresh = replayed(config, &schedule);
        let mut rng = SplitMix64::new(1_000 + i as u64);
        let mut depth = STEPS;
        for _ in 0..60 {
            let back = rng.below(2) == 0;
            for _ in 0..rng.below(30) {
                let moved = match back {
                    true => lab.history_mut().back(),
                    false => lab.history_mut().forward(),
                };
                assert_eq!(moved, if back { depth > 0 } else { depth < STEPS });
                depth = match (moved, back) {
                    (false, _) => depth,
                    (true, true) => depth - 1,
                    (true, false) => depth + 1,
                };
            }
            assert_eq!(Shown::of(lab.state()), fresh[depth], "{} at {depth}", config.algorithm);
        }
        assert_eq!(lab.history().len(), STEPS + 1, "walking adds nothing");
    }
}

#[test]
fn pictures_sentences_and_causes_do_not_depend_on_how_one_came_to_a_point() {
    let window = Window { columns: 30, undone: 0, scrolled_back: 0 };
    for (i, config) in configs().iter().enumerate() {
        let mut walked = random_lab(config, i as u64);
        let schedule = walked.history().schedule(walked.history().cursor());
        let mut fresh = Lab::new(config.clone()).expect("the settings fit");
        for event in &schedule.0[..STEPS / 2] {
            fresh.play(*event).expect("it was possible before");
        }
        for _ in 0..STEPS / 2 {
            walked.history_mut().back();
        }
        assert_eq!(
            Diagram::of(walked.history(), window),
            Diagram::of(fresh.history(), window),
            "{}",
            config.algorithm
        );
        let names = &walked.setup().names;
        let records = walked.history().records(walked.history().cursor());
        let again = fresh.history().records(fresh.history().cursor());
        assert_eq!(records, again);
        let told = |r: &[&lockstep::sim::StepRecord]| -> Vec<String> {
            r.iter().map(|r| narrate::sentence(r, names)).collect()
        };
        assert_eq!(told(&records), told(&again));
        let last = records.len() - 1;
        assert_eq!(Causality::of(&records).causes(last), Causality::of(&again).causes(last));
    }
}

#[test]
fn the_text_of_a_run_is_the_run() {
    for (i, config) in configs().iter().enumerate() {
        let lab = random_lab(config, 7 * i as u64);
        let (text, names) = (lab.schedule_text(), &lab.setup().names);
        let schedule = Schedule::parse(&text, names).expect("its own text");
        assert_eq!(schedule.show(names), text);
        assert_eq!(schedule, lab.history().schedule(lab.history().cursor()));
        let mut again = Lab::new(config.clone()).expect("the settings fit");
        again.play_schedule(&text.replace("; ", "\n")).expect("one event a line");
        assert_eq!(Shown::of(again.state()), Shown::of(lab.state()), "{}", config.algorithm);
    }
}

#[test]
fn the_same_event_again_walks_into_the_branch_that_exists() {
    for (i, config) in configs().iter().enumerate() {
        let mut lab = random_lab(config, i as u64);
        let points: Vec<RevId> = {
            let mut way: Vec<_> = lab.history().ancestors(lab.history().cursor()).collect();
            way.reverse();
            way
        };
        lab.go_to(RevId::ROOT);
        for (event, point) in lab.history().schedule(points[STEPS]).0.into_iter().zip(&points[1..])
        {
            lab.play(event).expect("it was possible before");
            assert_eq!(lab.history().cursor(), *point);
        }
        assert_eq!(lab.history().len(), STEPS + 1);
    }
}

#[test]
fn another_way_of_writing_an_event_is_the_same_event() {
    let mut lab = Lab::new(Config::new("lamport", 2)).expect("default settings");
    lab.play_schedule("request P1; deliver P1>P2").expect("in order");
    let here = lab.history().cursor();
    lab.history_mut().back();
    lab.play_schedule("deliver P1>P2#1").expect("the head by its number");
    assert_eq!((lab.history().cursor(), lab.history().len()), (here, 3));
    assert_eq!(lab.schedule_text(), "request P1; deliver P1>P2");
}

#[test]
fn going_back_and_choosing_differently_opens_a_branch_and_loses_nothing() {
    for (i, config) in configs().iter().enumerate() {
        let mut lab = random_lab(config, i as u64);
        let tip = lab.history().cursor();
        let before = Shown::of(lab.state());
        let mut rng = SplitMix64::new(99 + i as u64);
        for _ in 0..20 {
            for _ in 0..rng.below(20) + 1 {
                lab.history_mut().back();
            }
            let fork = lab.history().cursor();
            let known: Vec<Event> = lab
                .history()
                .children(fork)
                .filter_map(|c| lab.history().record(c))
                .map(|r| r.event)
                .collect();
            let Some(other) = lab.state().enabled().into_iter().find(|e| !known.contains(e)) else {
                continue;
            };
            let size = lab.history().len();
            lab.play(other).expect("an enabled event");
            assert_eq!(lab.history().len(), size + 1);
            assert_eq!(lab.history().children(fork).count(), known.len() + 1);
            assert_eq!(lab.history().parent(lab.history().cursor()), Some(fork));
            lab.history_mut().back();
            assert!(lab.history_mut().forward(), "forward goes where one was last");
            assert_eq!(lab.history().last_record().map(|r| r.event), Some(other));
            let schedule = lab.history().schedule(lab.history().cursor());
            let fresh = replayed(config, &schedule);
            assert_eq!(fresh.last(), Some(&Shown::of(lab.state())), "{}", config.algorithm);
        }
        lab.go_to(tip);
        assert_eq!(
            Shown::of(lab.state()),
            before,
            "{}: the first run is still there",
            config.algorithm
        );
        while lab.history_mut().back() {}
        assert_eq!(lab.history().redo_path(RevId::ROOT).count(), STEPS);
    }
}

#[test]
fn a_seed_gives_the_same_run_today_and_in_every_later_version() {
    let mut lab = Lab::new(Config::new("ricart-agrawala", 3)).expect("default settings");
    lab.play_schedule("request P1; request P2; request P3").expect("everybody asks");
    lab.run_on(&mut Policy::Seeded(SplitMix64::new(42)), None);
    let first = lab.schedule_text();
    lab.go_to(RevId::ROOT);
    lab.play_schedule("request P1; request P2; request P3").expect("everybody asks");
    lab.run_on(&mut Policy::Seeded(SplitMix64::new(42)), None);
    assert_eq!(lab.schedule_text(), first);
    let pinned = "request P1; request P2; request P3; deliver P3>P1; deliver P1>P2; deliver P2>P1; \
         deliver P2>P3; deliver P1>P3; deliver P3>P1; deliver P3>P2; deliver P3>P2; deliver P2>P1; \
         exit P1; deliver P1>P2; deliver P1>P3; exit P2; deliver P2>P3; exit P3";
    assert_eq!(first, pinned);
}
