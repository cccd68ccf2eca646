//! How often a request can be overtaken: what the reference says of every algorithm, and invariants.

use lockstep::catalog::{self, worst};
use lockstep::check::{SearchOptions, Verdict, finish};
use lockstep::model::Config;
use lockstep::model::goal::Overtaking;

/// The rows of the table: an algorithm with its six numbers, which may be a limit's.
fn rows() -> Vec<(&'static str, [Vec<&'static str>; 2])> {
    let text = include_str!("../docs/reference.md");
    let (_, table) =
        text.split_once("<!-- worst: this table is checked by a test -->\n").expect("it is there");
    let (table, _) = table.split_once("<!-- end of the table -->").expect("it ends");
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let numbers = |i: usize| cells[i].split(", ").collect();
        (cells[0], [numbers(1), numbers(2)])
    };
    table.lines().skip(2).map(row).collect()
}

fn agree(requests: std::ops::RangeInclusive<usize>) {
    for (slug, numbers) in rows() {
        for (by, numbers) in Overtaking::ALL.into_iter().zip(numbers) {
            for r in requests.clone() {
                let Ok(expected) = numbers[r - 1].parse::<u32>() else { continue };
                let options =
                    SearchOptions { requests: vec![r as u32], ..SearchOptions::default() };
                let config = Config::new(slug, 3);
                let found = worst(&config, &options, by.1, |s| finish(s).clone()).expect("it fits");
                assert_eq!(found.report.verdict, Verdict::Safe, "{slug}, {r}: all was looked at");
                assert_eq!(found.value, expected, "{slug}: {} with {r} requests each", by.0);
                assert_eq!(found.shown.is_some(), expected > 0, "{slug}: a schedule shows it");
            }
        }
    }
}

#[test]
fn the_reference_has_the_worst_of_every_algorithm() {
    let named: Vec<&str> = rows().into_iter().map(|(slug, _)| slug).collect();
    let locks = catalog::all().iter().map(|e| e.info).filter(|info| !info.variants.is_empty());
    for info in locks.filter(|info| !["lease", "copied-flag"].contains(&info.slug)) {
        assert!(named.contains(&info.slug), "{}", info.slug);
    }
    agree(1..=1);
}

/// Some minutes and up to two gigabytes.
#[test]
#[ignore = "long"]
fn the_reference_has_the_worst_with_more_requests() {
    agree(2..=3);
}
