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

/// How often nodes ask: `2`, or `2,1,1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Requests(Vec<u32>);

/// Reads `2` or `2,1,1`.
pub(super) fn requests(text: &str) -> Result<Requests, String> {
    crate::input::numbers(text, "number of requests").map(Requests)
}

impl Requests {
    /// The number for each of `n` nodes.
    pub(super) fn for_each(&self, n: usize) -> Result<Vec<u32>, String> {
        match self.0.as_slice() {
            [all] => Ok(vec![*all; n]),
            each if each.len() == n => Ok(each.to_vec()),
            each => Err(format!(
                "{} for {}; write one for all of them, or one for each",
                crate::input::count(each.len(), "number"),
                crate::input::count(n, "node")
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_requests_gives_each_node_its_own() {
        let each = |text: &str| requests(text).and_then(|r| r.for_each(3));
        assert_eq!(each("2"), Ok(vec![2, 2, 2]));
        assert_eq!(each("2, 1,1"), Ok(vec![2, 1, 1]));
        assert!(each("2,1").is_err_and(|e| e.starts_with("2 numbers for 3 nodes")));
        assert!(each("2,,1").is_err());
        assert!(each("+2").is_err());
        assert!(each("99999999999").is_err());
    }
}
