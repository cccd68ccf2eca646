//! Raymond's algorithm: trees that are given, and those that are refused.

use crate::catalog;
use crate::model::{Config, NodeId};

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
