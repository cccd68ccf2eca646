//! Suzuki and Kasami's algorithm: worked examples.

use crate::lab::Lab;
use crate::model::{ChannelOrder, Config, NodeId, Phase, Value};

fn lab(n: usize, variant: Option<&str>) -> Lab {
    let mut config = Config::new("suzuki-kasami", n);
    config.channels = Some(ChannelOrder::AnyOrder);
    config.variant = variant.map(str::to_owned);
    Lab::new(config).expect("default settings")
}

fn numbers(lab: &Lab, node: u8, field: &str) -> Vec<i64> {
    match lab.state().field(NodeId(node), field) {
        Some(Value::PerNode(all)) => all
            .iter()
            .map(|(_, value, _)| match value {
                Value::Num(n) => *n,
                other => panic!("{field} holds numbers, not {other:?}"),
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn token_at(lab: &Lab) -> Vec<u8> {
    (0..lab.setup().clients as u8).filter(|n| lab.state().holds_token(NodeId(*n))).collect()
}

const LATE: &str = "request P2; deliver P2>P1; deliver P1>P2; exit P2; request P3; deliver P3>P2; deliver P2>P3#2; exit P3";

/// Case H26.
#[test]
fn a_request_that_comes_after_it_was_served_leaves_the_token_where_it_is() {
    let mut right = lab(3, None);
    right.play_schedule(LATE).expect("P2, then P3");
    right.play_schedule("deliver P3>P1").expect("P1 only notes it");
    assert_eq!(numbers(&right, 0, "RN"), [0, 1, 1]);
    assert_eq!(numbers(&right, 1, "RN"), [0, 1, 1]);
    assert_eq!(numbers(&right, 2, "RN"), [0, 0, 1]);
    assert_eq!(numbers(&right, 2, "LN"), [0, 1, 1]);
    right.play_schedule("deliver P2>P3").expect("the old request");
    assert_eq!(numbers(&right, 2, "RN"), [0, 1, 1]);
    assert_eq!((token_at(&right), right.state().messages(None)), (vec![2], 6));
    let record = right.history().last_record().expect("a step");
    assert_eq!((record.rules[0].0, record.sent.len()), ("SK-4", 0));

    let mut wrong = lab(3, Some("S1"));
    wrong.play_schedule(LATE).expect("the same");
    wrong.play_schedule("deliver P2>P3; deliver P3>P2").expect("the token goes off");
    assert_eq!(token_at(&wrong), [1]);
    assert_eq!(wrong.state().phase(NodeId(1)), Phase::Idle);
}

/// Case H27.
#[test]
fn a_request_that_comes_while_the_token_is_in_use_is_served_at_the_exit() {
    let mut lab = lab(5, None);
    let asks = "request P1; request P2; deliver P2>P1; deliver P2>P3; deliver P2>P4; deliver P2>P5";
    lab.play_schedule(asks).expect("P1 is inside");
    for node in 0..5 {
        assert_eq!(numbers(&lab, node, "RN"), [0, 1, 0, 0, 0]);
    }
    assert_eq!(numbers(&lab, 0, "LN"), [0; 5]);
    assert_eq!(lab.state().field(NodeId(0), "queue"), Some(Value::List(Vec::new())));
    lab.play_schedule("exit P1; deliver P1>P2; exit P2").expect("P2's turn");
    assert_eq!(numbers(&lab, 1, "LN"), [0, 1, 0, 0, 0]);
    assert_eq!((token_at(&lab), lab.state().messages(None)), (vec![1], 5));
}

/// Case H29.
#[test]
fn the_token_stays_where_it_was_used_last() {
    let mut lab = lab(3, None);
    let run = "request P2; deliver P2>P1; deliver P2>P3; deliver P1>P2; exit P2";
    lab.play_schedule(run).expect("P2 enters and leaves");
    assert_eq!((token_at(&lab), lab.state().messages(None)), (vec![1], 3));
    lab.play_schedule("request P2; exit P2").expect("the token is here");
    assert_eq!(lab.state().messages(None), 3);
    let back = "request P1; deliver P1>P2; deliver P1>P3; deliver P2>P1; exit P1";
    lab.play_schedule(back).expect("P1 asks for it");
    assert_eq!((token_at(&lab), lab.state().messages(None)), (vec![0], 6));
}

/// Case H30, both ways.
#[test]
fn a_request_that_meets_the_token_on_its_way_is_not_lost() {
    let start = "request P2; deliver P2>P1; request P3; deliver P3>P1";
    for rest in ["deliver P3>P2; deliver P1>P2; exit P2", "deliver P1>P2; exit P2; deliver P3>P2"] {
        let mut lab = lab(3, None);
        lab.play_schedule(start).expect("both ask");
        lab.play_schedule(rest).expect("P2 enters and leaves");
        lab.play_schedule("deliver P2>P3#2; exit P3; deliver P2>P3").expect("P3's turn");
        assert_eq!((token_at(&lab), lab.state().messages(None)), (vec![2], 6));
        assert!(lab.state().at_rest());
    }
}
