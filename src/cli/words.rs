//! Parsers for the values of options.
//!
//! They look at one word of the command line; whether it fits the cluster is decided by the catalog.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A word from a table.
pub(super) fn one_of<T: Clone + Send + Sync + 'static>(
    table: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(table.iter().map(|(word, _)| *word)).map(move |word| {
        let found = table.iter().find(|(known, _)| *known == word);
        found.expect("clap lets only words of the table through").1.clone()
    })
}

/// The name of a format in which a run is written.
pub(super) fn format_name() -> PossibleValuesParser {
    let all = crate::export::EXPORTERS.iter();
    PossibleValuesParser::new(all.map(|e| PossibleValue::new(e.name()).help(e.about())))
}

/// First clock values: `4,2,0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Clocks(pub Vec<u32>);

/// Reads `4,2,0`.
pub(super) fn clocks(text: &str) -> Result<Clocks, String> {
    crate::input::numbers(text, "clock value").map(Clocks)
}

/// The nodes of a cluster: how many, or their names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Nodes {
    /// `P1` to `Pn`.
    Count(usize),
    /// As given.
    Names(Vec<String>),
}

/// Reads `5` or `A,B,C`.
pub(super) fn nodes(text: &str) -> Result<Nodes, String> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        let most = crate::model::node::MAX_CLIENTS;
        let count = text.parse().ok().filter(|n| (1..=most).contains(n));
        return count
            .map(Nodes::Count)
            .ok_or_else(|| format!("a cluster has 1 to {most} nodes, not {text}"));
    }
    Ok(Nodes::Names(text.split(',').map(|n| n.trim().to_owned()).collect()))
}

/// The shape of a tree of nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tree {
    /// The first node is everybody's neighbour.
    Star,
    /// Each node is the neighbour of the one before it.
    Line,
    /// Node i is the neighbour of node i/2, counted from 1.
    Heap,
    /// Each node's neighbour towards the first, by names.
    Pairs(Vec<(String, String)>),
}

/// Reads `star`, `line`, `heap` or `P2>P1,P3>P1`.
pub(super) fn tree(text: &str) -> Result<Tree, String> {
    let one = |piece: &str| {
        let pair = piece.split_once('>').map(|(a, b)| (a.trim().to_owned(), b.trim().to_owned()));
        pair.ok_or_else(|| {
            format!("`{piece}` is no tree; write star, line, heap, or pairs like P2>P1,P3>P1")
        })
    };
    match text {
        "star" => Ok(Tree::Star),
        "line" => Ok(Tree::Line),
        "heap" => Ok(Tree::Heap),
        pairs => pairs.split(',').map(one).collect::<Result<_, _>>().map(Tree::Pairs),
    }
}

impl Tree {
    /// Each node's neighbour towards the first; `None` for the star that everybody has by default.
    pub(super) fn pairs(&self, names: &[String]) -> Option<Vec<(String, String)>> {
        let towards = |parent: fn(usize) -> usize| {
            let pair = |i: usize| (names[i].clone(), names[parent(i)].clone());
            Some((1..names.len()).map(pair).collect())
        };
        match self {
            Self::Star => None,
            Self::Line => towards(|i| i - 1),
            Self::Heap => towards(|i| i.div_ceil(2) - 1),
            Self::Pairs(pairs) => Some(pairs.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_value_below_zero_is_named() {
        assert_eq!(clocks("4, 2"), Ok(Clocks(vec![4, 2])));
        let wrong = |text: &str| clocks(text).expect_err(text);
        assert_eq!(
            wrong("-1,a"),
            "`-1` is no clock value: it is 0 or more; write numbers like 4,2"
        );
        assert_eq!(wrong("1,-a"), "`-a` is no clock value; write numbers like 4,2");
    }

    #[test]
    fn nodes_are_a_number_or_names() {
        assert_eq!(nodes("5"), Ok(Nodes::Count(5)));
        assert_eq!(nodes("A, B"), Ok(Nodes::Names(vec!["A".into(), "B".into()])));
        assert!(nodes("0").is_err());
        assert!(nodes("17").is_err_and(|e| e == "a cluster has 1 to 16 nodes, not 17"));
    }

    #[test]
    fn a_heap_hangs_each_node_below_its_half() {
        let names: Vec<String> = (1..=5).map(|i| format!("P{i}")).collect();
        let shown = |tree: &Tree| {
            let pairs = tree.pairs(&names).unwrap_or_default();
            pairs.iter().map(|(a, b)| format!("{a}>{b}")).collect::<Vec<_>>().join(",")
        };
        assert_eq!(shown(&Tree::Heap), "P2>P1,P3>P1,P4>P2,P5>P2");
        assert_eq!(shown(&Tree::Line), "P2>P1,P3>P2,P4>P3,P5>P4");
        assert_eq!(tree("P2>P1, P3>P1").map(|t| shown(&t)), Ok("P2>P1,P3>P1".to_owned()));
        assert!(tree("stra").is_err());
    }
}
