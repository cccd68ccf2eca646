//! Exercises whose answer is about every legal order of events, played in every order.

use lockstep::catalog;
use lockstep::model::{ChannelOrder, Config, Event, MsgRef, NodeId};
use lockstep::sim::{Policy, Simulation, StepRecord};

const P1: NodeId = NodeId(0);
const P2: NodeId = NodeId(1);
const P3: NodeId = NodeId(2);

fn after_requests(
    algorithm: &str,
    clocks: &[u32],
    channels: ChannelOrder,
    who: &[NodeId],
) -> Box<dyn Simulation> {
    let mut config = Config::new(algorithm, 3);
    config.clocks = clocks.to_vec();
    config.channels = Some(channels);
    let mut sim = catalog::start(&config).expect("the settings fit");
    for node in who {
        sim.step(Event::Request(*node)).expect("everybody is idle");
    }
    sim
}

/// Plays every order of deliveries and exits to its end and shows each run to `seen`.
fn every_order(
    sim: &dyn Simulation,
    run: &mut Vec<StepRecord>,
    seen: &mut impl FnMut(&[StepRecord], &dyn Simulation),
) {
    let mut ends = true;
    for event in sim.enabled() {
        if !matches!(event, Event::Deliver(_) | Event::Exit(_)) {
            continue;
        }
        ends = false;
        let mut next = sim.fork();
        run.push(next.step(event).expect("an enabled event"));
        every_order(next.as_ref(), run, seen);
        run.pop();
    }
    if ends {
        seen(run, sim);
    }
}

/// Exercise 2: P1 asks with 5 and P2 with 3 before either has heard of the other.
#[test]
fn the_older_request_is_first_in_every_order_of_the_race() {
    for (channels, orders) in [(ChannelOrder::Fifo, 720), (ChannelOrder::AnyOrder, 1_296)] {
        let sim = after_requests("ricart-agrawala", &[4, 2, 0], channels, &[P1, P2]);
        let requests: Vec<Option<u32>> =
            sim.view().nodes.iter().map(|n| n.request.map(|s| s.clock)).collect();
        assert_eq!(requests, [Some(5), Some(3), None]);
        let mut runs = 0;
        every_order(sim.as_ref(), &mut Vec::new(), &mut |run, end| {
            runs += 1;
            let exits = run.iter().filter(|r| r.left.is_some()).count();
            assert_eq!((run.len(), exits), (10, 2));
            let entered: Vec<NodeId> = run.iter().filter_map(|r| r.entered).collect();
            assert_eq!(entered, [P2, P1]);
            assert!(!end.mutex_violated() && end.at_rest());
            assert_eq!((end.messages(None), end.in_flight(None)), (8, 0));
        });
        assert_eq!(runs, orders, "{channels:?}");
    }
}

/// With FIFO P2 always defers P1; without it P1's REQUEST may find P2 inside, or gone.
#[test]
fn without_fifo_the_later_request_may_find_the_older_one_inside_or_gone() {
    for (channels, expected) in [
        (ChannelOrder::Fifo, vec!["waiting"]),
        (ChannelOrder::AnyOrder, vec!["idle", "in-cs", "waiting"]),
    ] {
        let sim = after_requests("ricart-agrawala", &[4, 2, 0], channels, &[P1, P2]);
        let mut met: Vec<&'static str> = Vec::new();
        every_order(sim.as_ref(), &mut Vec::new(), &mut |run, _| {
            let mut replay = sim.fork();
            for record in run {
                let arrives = record.delivered().is_some_and(|m| {
                    m.message.label.kind == "REQUEST"
                        && m.message.id.from == P1
                        && m.message.id.to == P2
                });
                if arrives {
                    met.push(replay.phase(P2).word());
                }
                replay.step(record.event).expect("it was possible before");
            }
        });
        met.sort_unstable();
        met.dedup();
        assert_eq!(met, expected, "{channels:?}");
    }
}

/// The diagram of Lamport's lock: request 1, acknowledgements 2 and 3, release 4.
#[test]
fn lamports_diagram_has_twelve_orders_and_the_same_stamps_in_each() {
    let sim = after_requests("lamport", &[0, 0, 2], ChannelOrder::Fifo, &[P1]);
    let mut runs = 0;
    every_order(sim.as_ref(), &mut Vec::new(), &mut |run, end| {
        runs += 1;
        assert_eq!(run.len(), 7);
        let stamps = |kind: &str, from: NodeId| -> Vec<Option<u32>> {
            let sent = run.iter().flat_map(|r| &r.sent);
            let of_kind = sent.filter(|s| s.label.kind == kind && s.id.from == from);
            of_kind.map(|s| s.label.stamp.map(|stamp| stamp.clock)).collect()
        };
        assert_eq!(stamps("ACK", P2), [Some(2)]);
        assert_eq!(stamps("ACK", P3), [Some(3)]);
        assert_eq!(stamps("RELEASE", P1), [Some(4); 2]);
        let second_ack = run
            .iter()
            .filter(|r| r.delivered().is_some_and(|m| m.message.label.kind == "ACK"))
            .nth(1)
            .expect("two acknowledgements");
        assert_eq!(second_ack.entered, Some(P1), "P1 enters with the second acknowledgement");
        assert!(end.at_rest() && !end.mutex_violated());
    });
    assert_eq!(runs, 12);
}

/// Exercise 1, on ten nodes: what one entry costs in each family.
#[test]
fn one_entry_among_ten_costs_what_the_exercise_says() {
    for (algorithm, asker, messages) in [
        ("central", P3, 3),
        ("ricart-agrawala", P3, 18),
        ("lamport", P3, 27),
        ("suzuki-kasami", P3, 10),
        ("suzuki-kasami", P1, 0),
    ] {
        let mut sim = catalog::start(&Config::new(algorithm, 10)).expect("default settings");
        sim.step(Event::Request(asker)).expect("everybody is idle");
        while let Some(event) = Policy::Oldest.choose(sim.as_ref()) {
            sim.step(event).expect("the policy chooses among enabled events");
        }
        assert_eq!((sim.exits(asker), sim.messages(None)), (1, messages), "{algorithm}");
    }
}

/// Case H7: a REQUEST overtakes the sender's earlier REPLY.
#[test]
fn a_request_may_overtake_a_reply_where_channels_reorder_and_nowhere_else() {
    let overtaking = Event::Deliver(MsgRef {
        from: P2,
        to: P1,
        no: Some(lockstep::model::MsgNo { seq: 2, copy: 0 }),
    });
    for channels in [ChannelOrder::Fifo, ChannelOrder::AnyOrder] {
        let mut config = Config::new("ricart-agrawala", 2);
        config.channels = Some(channels);
        let mut sim = catalog::start(&config).expect("default settings");
        for event in ["request P1", "deliver P1>P2", "request P2"] {
            let event = Event::parse(event, &sim.setup().names).expect("an event");
            sim.step(event).expect("possible with either");
        }
        let offered = sim.enabled().contains(&overtaking);
        assert_eq!(offered, channels == ChannelOrder::AnyOrder);
        if !offered {
            let refused = sim.check(overtaking).expect_err("behind the REPLY");
            assert_eq!(refused.reason, "REPLY #1 is ahead of it in the channel P2>P1");
            continue;
        }
        let record = sim.step(overtaking).expect("it was offered");
        assert!(record.outcomes.contains(&"defer"));
        while let Some(event) = Policy::Oldest.choose(sim.as_ref()) {
            sim.step(event).expect("the policy chooses among enabled events");
        }
        assert_eq!((sim.messages(None), sim.exits(P1), sim.exits(P2)), (4, 1, 1));
        assert!(!sim.mutex_violated());
    }
}
