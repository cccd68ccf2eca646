//! The checker against counts that independent code has found, and against what the catalog says.

use lockstep::algorithm::{Info, Variant};
use lockstep::catalog;
use lockstep::check::{Report, SearchOptions, finish};
use lockstep::model::Config;

fn search(config: &Config, options: &SearchOptions) -> Report {
    let mut search = catalog::search(config, options).expect("the settings fit");
    finish(search.as_mut()).clone()
}

fn full(requests: &[u32]) -> SearchOptions {
    SearchOptions { requests: requests.to_vec(), reduction: false, ..SearchOptions::default() }
}

/// States, transitions, depth.
fn counts(slug: &str, n: usize, requests: &[u32]) -> (usize, usize, usize) {
    let report = search(&Config::new(slug, n), &full(requests));
    assert_eq!(report.verdict.word(), "safe", "{slug} with {n} nodes");
    (report.states, report.transitions, report.depth)
}

/// `None`: this algorithm is not in the catalog.
type Pinned = [(&'static str, [(usize, usize, usize); 3]); 9];

/// Two nodes that ask once, two that ask twice, three that ask once.
const PINNED: Pinned = [
    ("lamport", [(73, 94, 10), (902, 1_458, 20), (156_713, 412_155, 24)]),
    ("ricart-agrawala", [(30, 38, 8), (126, 176, 16), (2_049, 5_488, 18)]),
    ("token-ring", [(24, 38, 7), (70, 118, 13), (108, 207, 11)]),
    ("central", [(33, 48, 10), (123, 208, 20), (180, 351, 15)]),
    ("maekawa", [(49, 63, 11), (263, 392, 22), (466, 953, 16)]),
    ("suzuki-kasami", [(20, 25, 8), (78, 109, 16), (589, 1_610, 15)]),
    ("raymond", [(20, 25, 8), (64, 93, 12), (136, 237, 14)]),
    ("naimi-trehel", [(20, 25, 8), (64, 93, 12), (154, 264, 13)]),
    ("carvalho-roucairol", [(31, 38, 8), (114, 155, 16), (2_096, 5_540, 18)]),
];

#[test]
fn small_clusters_have_the_counts_that_independent_code_has_found() {
    for (slug, [twice_one, twice_two, thrice_one]) in PINNED {
        if catalog::find(slug).is_err() {
            continue;
        }
        assert_eq!(counts(slug, 2, &[1]), twice_one, "{slug}, 2 nodes, 1 request");
        assert_eq!(counts(slug, 2, &[2]), twice_two, "{slug}, 2 nodes, 2 requests");
        assert_eq!(counts(slug, 3, &[1]), thrice_one, "{slug}, 3 nodes, 1 request");
    }
}

/// The report of a variant in the cluster that shows it, and a line about it.
fn shown(info: &Info, variant: &Variant, reduction: bool) -> (Report, String) {
    let (config, options) = catalog::showing(info, variant);
    let report = search(&config, &SearchOptions { reduction, ..options });
    let names = catalog::setup(&config).expect("the settings fit").names;
    let schedule = report.counterexample.as_ref();
    let found = schedule.map_or(String::new(), |s| format!(" {}: {}", s.0.len(), s.show(&names)));
    let doomed = if report.doomed { " (doomed)" } else { "" };
    let word = report.verdict.word();
    let line = format!("{} {} {word}{doomed}{found}", info.slug, variant.id);
    (report, line)
}

#[test]
fn explore_variants() {
    for entry in catalog::all().iter().filter(|e| !e.info.teaching) {
        for variant in entry.info.variants {
            let (r, line) = shown(entry.info, variant, false);
            eprintln!("{line} [{} states] {:?}", r.states, variant.failure);
        }
    }
}
