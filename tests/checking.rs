//! What a search needs is decided once: the stepper's check, the check in lines and the catalog find the
//! same, for every variant; and nothing is called safe of which other bounds are known to fail.

use crate::screen::Seen;
use lockstep::algorithm::{Failure, Info, Variant};
use lockstep::catalog;
use lockstep::check::{Report, SearchOptions, Verdict, finish};
use lockstep::lab::Lab;
use lockstep::lesson::Library;
use lockstep::model::{Config, Names, Schedule};
use lockstep::ui::Input;
use lockstep::ui::glyphs::Glyphs;
use lockstep::ui::plain::Dialogue;

fn variants() -> impl Iterator<Item = (&'static Info, &'static Variant)> {
    catalog::all().iter().flat_map(|e| e.info.variants.iter().map(|v| (e.info, v)))
}

/// The cluster that `lockstep play NAME --variant V` opens.
fn opened(info: &Info, variant: &Variant) -> Config {
    let nodes = Names::numbered(catalog::least_nodes(Some(variant)));
    catalog::cluster(info, Some(variant), nodes)
}

/// What the catalog's own search finds.
fn known(info: &Info, variant: &Variant) -> Report {
    let (config, options) = catalog::showing(info, variant);
    let mut search = catalog::search(&config, &options).expect("the catalog's clusters fit");
    finish(search.as_mut()).clone()
}

/// What the catalog says of a variant, as a verdict.
fn expected(failure: Failure) -> Verdict {
    match failure {
        Failure::Violation => Verdict::Violated,
        Failure::Stuck => Verdict::Stuck,
        Failure::Livelock => Verdict::NeverEnds,
        Failure::Harmless => Verdict::Safe,
        Failure::Goal(_) => Verdict::GoalReached,
    }
}

/// How the sentence of a verdict begins.
fn begins(report: &Report) -> String {
    let after = report.counterexample.as_ref().map_or(0, |s| s.0.len());
    match (report.verdict, report.doomed) {
        (Verdict::Violated, _) => format!("Violated after {after} events: "),
        (Verdict::NeverEnds, _) => format!("Never ends: after {after} events "),
        (Verdict::Stuck, true) => format!("Doomed after {after} events: "),
        (Verdict::Stuck, false) => format!("Stuck after {after} events: "),
        (Verdict::GoalReached, _) => format!("The goal is reached after {after} events: "),
        (Verdict::Safe, _) => "Every schedule explored: safe (".to_owned(),
        (Verdict::Limit | Verdict::GoalUnreachable | Verdict::Fault, _) => {
            panic!("no variant ends so")
        }
    }
}

/// Lets a search come to its end, and gives what stands on the screen as one line.
fn worked(seen: &mut Seen) -> String {
    while seen.tick_every().is_some() {
        seen.input(Input::Tick);
    }
    squeezed(&seen.at(100, 30).text())
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn dialogue(config: Config) -> Dialogue {
    let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
    dialogue.open_play(Lab::new(config).expect("the settings fit"), None);
    dialogue
}

fn with_variant(algorithm: &str, n: usize, variant: &str) -> Config {
    let info = catalog::find(algorithm).expect("an algorithm").info;
    catalog::cluster(info, info.variant(variant), Names::numbered(n))
}

// --- every variant, on the screen and in lines -------------------------------------------------------

#[test]
fn the_check_of_the_stepper_and_of_the_lines_finds_what_the_catalog_knows_of_each_variant() {
    let (mut failing, mut harmless) = (0, 0);
    for (info, variant) in variants() {
        let name = format!("{} {}", info.slug, variant.slug);
        let known = known(info, variant);
        assert_eq!(known.verdict, expected(variant.failure), "{name}");
        let sentence = begins(&known);

        let mut seen = Seen::lab(opened(info, variant));
        seen.press("v");
        let text = worked(&mut seen);
        assert!(text.contains(&sentence), "{name}: {sentence}\n{text}");
        assert!(text.contains(variant.slug), "the title names the variant: {text}");
        assert!(text.contains(&format!("Within: {}.", known.bounds)), "{name}\n{text}");

        let said = squeezed(&dialogue(opened(info, variant)).take("check").text);
        assert!(said.contains(&sentence), "{name}: {sentence}\n{said}");
        assert!(said.contains(&format!("Within: {}.", known.bounds)), "{name}\n{said}");

        if variant.failure == Failure::Harmless {
            harmless += 1;
            assert!(!text.contains("fails") && !said.contains("fails"), "{name}");
            continue;
        }
        failing += 1;
        let events = known.counterexample.expect("a schedule").0;
        seen.press("Enter End");
        let played = seen.stepper().lab().history();
        assert_eq!(played.schedule(played.cursor()).0, events, "{name}: Enter plays it");
    }
    assert_eq!((failing, harmless), (71, 5));
}

#[test]
fn in_lines_the_schedule_that_was_found_is_played_from_its_beginning() {
    let mut lines = dialogue(with_variant("lamport", 2, "no-fifo"));
    assert!(lines.take("check play").text.contains("nothing was checked yet"));
    let said = lines.take("check").text;
    assert!(said.contains("Violated after 4 events: mutex, P1 and P2."), "{said}");
    let said = lines.take("check play").text;
    assert!(said.contains("4 steps are ahead"), "{said}");
    (0..4).for_each(|_| assert!(!lines.take("").ends));
    let said = lines.take("lamps").text;
    assert!(said.contains("P1 and P2 are inside together"), "all were played: {said}");
}

// --- never plain safe ---------------------------------------------------------------------------------

/// Other clusters and other bounds than those in which a variant fails: what is said then, and that it is
/// found from there.
const ELSEWHERE: [(&str, &str, usize, &str, &str); 8] = [
    ("ricart-agrawala", "keep-old-replies", 2, "1", "keep-old-replies fails with 2 requests each"),
    ("ricart-agrawala", "no-merge", 2, "", "no-merge fails with 3 nodes"),
    ("ricart-agrawala", "majority", 2, "", "majority fails with 3 nodes"),
    ("carvalho-roucairol", "K1", 2, "", "fails with 3 nodes"),
    ("lease", "release-any", 2, "", "release-any fails with 3 nodes"),
    ("lease", "grant-expired", 2, "", "grant-expired fails with 3 nodes"),
    ("maekawa", "no-sanders", 2, "", "no-sanders fails with 3 nodes, the voting sets {P1,P2,P3}"),
    ("suzuki-kasami", "K1", 2, "", "fails with 3 nodes"),
];

#[test]
fn what_is_safe_here_and_fails_elsewhere_is_never_called_safe_alone_and_enter_goes_there() {
    for (algorithm, word, n, requests, told) in ELSEWHERE {
        let info = catalog::find(algorithm).expect("an algorithm").info;
        let variant = info.variant(word).unwrap_or(&info.variants[0]);
        let config = catalog::cluster(info, Some(variant), Names::numbered(n));
        let known = begins(&known(info, variant));
        let name = format!("{algorithm} {}", variant.slug);

        let mut seen = Seen::lab(config.clone());
        seen.press("v");
        if !requests.is_empty() {
            seen.press(requests);
            let text = squeezed(&seen.at(100, 30).text());
            assert!(text.contains("Nothing was searched within these bounds yet"), "{text}");
            seen.press("Enter");
        }
        let text = worked(&mut seen);
        assert!(text.contains("safe within these bounds ("), "{name}\n{text}");
        assert!(text.contains(told) && text.contains("Enter searches there"), "{name}\n{text}");
        seen.press("Enter");
        let text = worked(&mut seen);
        assert!(text.contains(&known), "{name}: {known}\n{text}");
        seen.press("Enter End");
        let lamps = seen.stepper().lab().state().lamps();
        assert_eq!(seen.stepper().lab().variant().map(|v| v.id), Some(variant.id), "{name}");
        assert!(seen.steps() > 0, "{name}: what was found is played: {lamps:?}");

        let mut lines = dialogue(config);
        let check = if requests.is_empty() { "check" } else { "check requests=1" };
        let said = squeezed(&lines.take(check).text);
        assert!(said.contains("safe within these bounds (") && said.contains(told), "{said}");
        let said = squeezed(&lines.take("check there").text);
        assert!(said.contains(&known), "{name}: {known}\n{said}");
        let said = lines.take("check play").text;
        assert!(said.contains("steps are ahead"), "{name}\n{said}");
        assert_eq!(lines.lab().and_then(Lab::variant).map(|v| v.id), Some(variant.id), "{name}");
    }
}

#[test]
fn a_variant_that_fails_is_never_called_safe_alone_whatever_bound_is_changed() {
    let changes: [fn(&mut SearchOptions); 5] = [
        |o| o.requests = vec![0],
        |o| o.requests = vec![1],
        |o| *o = o.clone().with_faults(lockstep::check::Faults::NONE),
        |o| o.writes = 0,
        |o| o.from = Schedule::default(),
    ];
    let mut missed = 0;
    for (info, variant) in variants().filter(|(_, v)| v.failure != Failure::Harmless) {
        for n in 1..=variant.shows.n {
            let config = catalog::cluster(info, Some(variant), Names::numbered(n));
            for change in changes {
                let needs = catalog::search_for(&config, &Schedule::default()).expect("it fits");
                let needs = SearchOptions { max_states: Some(20_000), ..needs };
                let mut options = needs.clone();
                change(&mut options);
                let Ok(mut search) = catalog::search(&config, &options) else { continue };
                let report = finish(search.as_mut()).clone();
                let elsewhere = catalog::fails_elsewhere(&config, &options, &report);
                let found = report.counterexample.is_some();
                let asks = |o: &SearchOptions| (0..n).map(|i| o.requests_of(i)).collect::<Vec<_>>();
                let same = asks(&needs) == asks(&options)
                    && SearchOptions { requests: options.requests.clone(), ..needs } == options;
                let limit = report.verdict == Verdict::Limit && same && n == variant.shows.n;
                assert_eq!(
                    elsewhere.is_some(),
                    !found && !limit,
                    "{} {} with {n}: {report:?}",
                    info.slug,
                    variant.slug
                );
                missed += usize::from(!found);
            }
        }
    }
    assert!(missed > 100, "{missed} searches found nothing");
}

#[test]
fn the_right_rules_are_safe_within_bounds_that_are_told() {
    for (slug, bounds) in [
        ("lamport", "3 nodes, 1 request each, fifo channels, no faults"),
        ("ricart-agrawala", "3 nodes, 1 request each, fifo channels, no faults"),
    ] {
        let mut seen = Seen::free_play(slug, 3);
        seen.press("v");
        let text = squeezed(&seen.at(80, 24).text());
        assert!(text.contains(&format!("Searching, breadth first … Within: {bounds}.")), "{text}");
        let text = worked(&mut seen);
        assert!(text.contains("Every schedule explored: safe ("), "{text}");
        assert!(text.contains(&format!("Within: {bounds}.")), "{text}");
    }
}

// --- bounds are shown and changed -----------------------------------------------------------------------

#[test]
fn each_bound_is_changed_by_its_keys_and_by_typing_and_enter_searches_again() {
    let mut seen = Seen::free_play("central", 2);
    seen.press("v");
    worked(&mut seen);
    // One crash: C, for whom everybody waits.
    seen.press("Down Down Down Down +");
    let text = squeezed(&seen.at(80, 24).text());
    assert!(text.contains("crash 1") && text.contains("crash=1"), "{text}");
    assert!(!text.contains("safe"), "what is changed has no verdict: {text}");
    seen.press("Enter");
    assert!(worked(&mut seen).contains("Stuck after"), "a crash stops it");
    seen.press("-");
    seen.press("Enter");
    assert!(worked(&mut seen).contains("Every schedule explored: safe ("));
    seen.press("Up Up Up Up 2 , 1 Enter");
    assert!(worked(&mut seen).contains("2 nodes, 2, 1 requests"));
    seen.press("7 x");
    let text = squeezed(&seen.at(80, 24).text());
    assert!(text.contains("`7x` is no number of requests"), "{text}");
    seen.press("Enter");
    assert!(seen.tick_every().is_none(), "what cannot be read is not searched");
    seen.press("Backspace Enter");
    assert!(seen.tick_every().is_some(), "7 is a number");
    seen.press("Esc v");
    worked(&mut seen);
    seen.press("Down Down Down Down Down Down");
    seen.type_in("in_cs(P1) and waiting(P2)");
    seen.press("Enter");
    let text = worked(&mut seen);
    assert!(text.contains("The goal is reached after"), "{text}");
    assert!(text.contains("events: in_cs(P1) and waiting(P2)."), "{text}");
    seen.press("Backspace Backspace");
    let text = squeezed(&seen.at(80, 24).text());
    assert!(text.contains("in_cs(P1) and waiting(P_"), "{text}");
    assert!(!text.contains("is reached"), "{text}");
}

#[test]
fn letters_of_a_goal_are_no_keys() {
    let mut seen = Seen::free_play("lamport", 2);
    seen.press("v Down Down Down Down Down Down");
    seen.type_in("?qvm+-");
    let text = seen.at(80, 24).text();
    assert!(text.contains("?qvm+-_"), "{text}");
    seen.press("F1");
    assert!(seen.at(80, 24).text().contains("Keys") || seen.at(80, 24).text().contains("Check"));
    seen.press("Esc Esc");
    assert!(seen.at(80, 24).text().contains("LOCK free"), "Esc leaves the check");
}

#[test]
fn in_lines_bounds_are_named_and_a_wrong_one_says_which_there_are() {
    let mut lines = dialogue(Config::new("central", 2));
    let said = lines.take("check crash=1").text;
    assert!(said.contains("Stuck after") && said.contains("crash=1"), "{said}");
    let said = lines.take("check requests 2,1 goal=in_cs(P1) and waiting(P2)").text;
    assert!(said.contains("2, 1 requests"), "{said}");
    assert!(said.contains("events: in_cs(P1) and waiting(P2)."), "{said}");
    let said = squeezed(&lines.take("check crush=1").text);
    assert!(said.contains("'crush' is no bound here; there are requests, timeout, drop"), "{said}");
    assert!(lines.take("check crash=many").text.contains("'many' is no number"));
    assert!(lines.take("check goal=in_cs(P9)").text.starts_with("No: "));
    let said = lines.take("check states=10").text;
    assert!(said.contains("Limit reached at") && said.contains("searches further"), "{said}");
}

// --- from the middle of a run ---------------------------------------------------------------------------

#[test]
fn from_the_middle_of_a_run_budgets_count_from_there_and_still_lead_to_the_failure() {
    for (info, variant) in variants().filter(|(_, v)| v.failure != Failure::Harmless) {
        let known = known(info, variant);
        let events = known.counterexample.expect("a schedule").0;
        let mut lab = Lab::new(opened(info, variant)).expect("it fits");
        lab.play(events[0]).expect("the first event of the schedule");
        let mut seen = Seen::of_lab(lab);
        seen.press("v");
        let name = format!("{} {}", info.slug, variant.slug);
        let text = worked(&mut seen);
        assert!(text.contains("A shortest schedule"), "{name}\n{text}");
        let place = ["from step 1 on", "after the first 6 events"].map(|p| text.contains(p));
        assert!(place[0] || place[1], "{name}\n{text}");
        assert!(text.contains("more request"), "{name}\n{text}");
    }
}

#[test]
fn from_the_middle_of_a_run_the_way_to_the_failure_names_only_what_differs() {
    let mut seen = Seen::lab(with_variant("raymond", 3, "no-asked-flag"));
    seen.press("r v");
    let text = worked(&mut seen);
    assert!(text.contains("0, 1, 1 more requests"), "{text}");
    assert!(text.contains("no-asked-flag fails from the beginning"), "{text}");
}

#[test]
fn events_that_a_variant_needs_first_are_told_and_can_be_left_out() {
    let mut seen = Seen::lab(with_variant("lease", 3, "grant-expired"));
    seen.press("v");
    let text = worked(&mut seen);
    assert!(text.contains("after the first 6 events"), "{text}");
    assert!(text.contains("first yes"), "{text}");
    seen.press("Down Down Down Down Down Down Space Enter");
    let text = worked(&mut seen);
    assert!(text.contains("safe within these bounds"), "{text}");
    assert!(text.contains("grant-expired fails after request P1; deliver P1>L"), "{text}");
}

// --- words ----------------------------------------------------------------------------------------------

#[test]
fn where_there_is_no_lock_nothing_is_called_safe() {
    let mut seen = Seen::free_play("clocks", 2);
    seen.press("v");
    let text = worked(&mut seen);
    assert!(text.contains("Nothing to check: this cluster has no lock"), "{text}");
    assert!(text.contains("(1 state)") && !text.contains("safe"), "{text}");
    let said = dialogue(Config::new("clocks", 2)).take("check").text;
    assert!(said.contains("Nothing to check: this cluster has no lock"), "{said}");
    let said = dialogue(Config::new("lamport", 2)).take("check requests=0").text;
    assert!(said.contains("Nothing to check: within these bounds no event can happen"), "{said}");
}

#[test]
fn names_of_the_cluster_stand_in_the_catalogs_questions() {
    let info = catalog::find("lease").expect("an algorithm").info;
    let nodes = vec!["Anna".to_owned(), "Ben".to_owned()];
    let config = catalog::cluster(info, info.variant("fence-writes-alone"), nodes);
    let said = dialogue(config).take("check").text;
    let said = squeezed(&said);
    assert!(said.contains("writes(Anna, lost) > 0 or writes(Ben, lost) > 0"), "{said}");
    assert!(said.contains("The goal is reached after"), "{said}");
}
