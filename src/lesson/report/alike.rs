//! What of a class looks as if it came from one hand: a name in two files, the same wrong answers, the same
//! answers to the same numbers that were drawn.
//!
//! It is a hint for whoever looks at both, and no verdict.

use super::super::batch::HandedIn;
use super::super::grade::{Outcome, Report};
use super::super::vary::folded;
use super::named;
use std::collections::BTreeMap;

/// So many answers have to be wrong in the same way.
const WRONG: usize = 2;

/// One sentence for each group of files that are alike.
pub(super) fn hints(files: &[HandedIn]) -> Vec<String> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut answers: BTreeMap<(&str, Vec<&str>), Vec<String>> = BTreeMap::new();
    let mut drawn: BTreeMap<(&str, &str, Vec<&str>), Vec<String>> = BTreeMap::new();
    for (name, file) in named(files) {
        let Ok(report) = &file.result else { continue };
        if let Some(who) = &report.who {
            names.entry(folded(who)).or_default().push(name.clone());
        }
        let wrong = report.tests.iter().filter(|test| test.outcome == Outcome::Wrong).count();
        let given = given(report);
        if wrong >= WRONG {
            answers.entry((&report.lesson, given)).or_default().push(name);
        } else if let Some(numbers) =
            report.drawn.as_deref().filter(|_| given.iter().any(|a| !a.is_empty()))
        {
            drawn.entry((&report.lesson, numbers, given)).or_default().push(name);
        }
    }
    let several = |files: &Vec<String>| (files.len() > 1).then(|| files.join(", "));
    let same_name = names.iter().filter_map(|(who, files)| {
        Some(format!("`{who}` stands in more than one file: {}", several(files)?))
    });
    let same_answers = answers.values().filter_map(|files| {
        Some(format!("the same answers, wrong ones too, stand in {}", several(files)?))
    });
    let same_draw = drawn.iter().filter_map(|((_, numbers, _), files)| {
        Some(format!(
            "the same numbers ({numbers}) and the same answers stand in {}",
            several(files)?
        ))
    });
    same_name.chain(same_answers).chain(same_draw).collect()
}

fn given(report: &Report) -> Vec<&str> {
    report.tests.iter().map(|test| test.actual.as_deref().unwrap_or_default()).collect()
}
