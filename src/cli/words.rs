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
