//! Raymond's algorithm: trees that are refused, and worked examples.

use crate::catalog;
use crate::lab::Lab;
use crate::model::{Config, NodeId};
use crate::sim::Policy;

fn with_tree(pairs: &[(&str, &str)]) -> Result<Vec<NodeId>, String> {
    let mut config = Config::new("raymond", 4);
    let own = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
    config.tree = Some(pairs.iter().map(own).collect());
    catalog::setup(&config).map(|s| s.tree).map_err(|e| e.message)
}

#[test]
fn a_tree_may_be_given_with_or_without_its_first_node() {
    let expected = Ok(vec![NodeId(0), NodeId(0), NodeId(1), NodeId(1)]);
    assert_eq!(with_tree(&[("P4", "P2"), ("P2", "P1"), ("p3", "p2")]), expected);
    assert_eq!(with_tree(&[("P1", "P1"), ("P2", "P1"), ("P3", "P2"), ("P4", "P2")]), expected);
}

#[test]
fn what_is_no_tree_is_refused_with_the_node_at_fault() {
    let cases: [(&[(&str, &str)], &str); 6] = [
        (
            &[("P2", "P1"), ("P3", "P4"), ("P4", "P3")],
            "this is no tree: the way from P3 goes round and never reaches P1",
        ),
        (
            &[("P2", "P1"), ("P3", "P1")],
            "the tree gives P4 no neighbour; every node but P1 needs one",
        ),
        (
            &[("P2", "P1"), ("P2", "P3"), ("P3", "P1"), ("P4", "P1")],
            "the tree gives P2 two neighbours towards P1",
        ),
        (
            &[("P1", "P2"), ("P2", "P1"), ("P3", "P1"), ("P4", "P1")],
            "the token starts at P1, so the tree gives P1 no neighbour towards it",
        ),
        (&[("P2", "P2")], "the tree makes P2 its own neighbour"),
        (&[("P9", "P1")], "the tree names `P9`; this cluster has P1, P2, P3, P4"),
    ];
    for (pairs, message) in cases {
        assert_eq!(with_tree(pairs), Err(message.to_owned()));
    }
}

fn lab(pairs: &[(&str, &str)], n: usize) -> Lab {
    let mut config = Config::new("raymond", n);
    let own = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
    config.tree = Some(pairs.iter().map(own).collect());
    Lab::new(config).expect("a tree")
}

fn queues(lab: &Lab) -> Vec<String> {
    let names = &lab.setup().names;
    let show = |n| lab.state().field(n, "queue").map(|q| q.show(names, "", ""));
    lab.setup().client_ids().filter_map(show).collect()
}

fn holders(lab: &Lab) -> Vec<String> {
    let names = &lab.setup().names;
    let show = |n| lab.state().field(n, "holder").map(|h| h.show(names, "", ""));
    lab.setup().client_ids().filter_map(show).collect()
}

/// Case H31: a chain of four, and a request that joins a queue which is not empty.
#[test]
fn a_node_that_has_asked_for_another_one_does_not_ask_again_for_itself() {
    let mut lab = lab(&[("P2", "P1"), ("P3", "P2"), ("P4", "P3")], 4);
    lab.play_schedule("request P4; deliver P4>P3; deliver P3>P2; request P3").expect("both ask");
    assert_eq!(lab.history().last_record().map(|r| r.sent.len()), Some(0));
    assert_eq!(queues(&lab), ["–", "P3", "P4 P3", "P4"]);
    let rest = "deliver P2>P1; deliver P1>P2; deliver P2>P3; deliver P3>P4; deliver P3>P4; exit P4; deliver P4>P3; exit P3";
    lab.play_schedule(rest).expect("P4, then P3");
    assert_eq!(lab.state().messages(None), 8);
    assert_eq!(
        (queues(&lab), holders(&lab)),
        (vec!["–".to_owned(); 4], ["P2", "P3", "P3", "P3"].map(str::to_owned).to_vec())
    );
}

/// Case H32.
#[test]
fn a_relay_does_not_put_itself_into_its_queue() {
    let mut lab = lab(&[("P2", "P1"), ("P3", "P1"), ("P4", "P2"), ("P5", "P2")], 5);
    let run = "request P4; deliver P4>P2; deliver P2>P1; deliver P1>P2; deliver P2>P4; exit P4";
    lab.play_schedule(run).expect("P4 enters and leaves");
    assert_eq!(lab.state().messages(None), 4);
    assert_eq!(queues(&lab), ["–"; 5]);
    assert_eq!(holders(&lab), ["P2", "P4", "P1", "P4", "P2"]);
}

/// Cases H33 and H34: twice the distance, wherever the token lies.
#[test]
fn an_entry_costs_twice_the_distance_to_the_token() {
    let chain: &[_] = &[("P2", "P1"), ("P3", "P2"), ("P4", "P3")];
    let star: &[_] = &[("P2", "P1"), ("P3", "P1")];
    let leaf: &[_] = &[("P2", "P1"), ("P3", "P2")];
    for (tree, asker, messages) in [
        (chain, "P4", 6),
        (star, "P3", 2),
        (leaf, "P3", 4),
        (star, "P1", 0),
        (&[("P2", "P1")], "P2", 2),
    ] {
        let mut lab = lab(tree, tree.len() + 1);
        lab.play_schedule(&format!("request {asker}")).expect("idle");
        lab.run_on(&mut Policy::Oldest, None);
        let at = lab.setup().names.find(asker).expect("a node");
        assert_eq!((lab.state().exits(at), lab.state().messages(None)), (1, messages));
        assert!(lab.state().holds_token(at), "the token stays with {asker}");
    }
}

#[test]
fn a_line_and_a_given_tree_exclude_each_other() {
    let mut config = Config::new("raymond", 3);
    config.options = vec!["line".to_owned()];
    let line = catalog::setup(&config).expect("a line").tree;
    assert_eq!(line, [NodeId(0), NodeId(0), NodeId(1)]);
    config.tree = Some(Vec::new());
    let error = catalog::setup(&config).expect_err("both");
    assert!(error.message.contains("`line`"), "{}", error.message);
}
