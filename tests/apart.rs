//! Runs that tell the variants of an algorithm apart, and the drill that asks which rule is missing.

use crate::program;
use crate::screen::Seen;
use lockstep::algorithm::Variant;
use lockstep::catalog::{self, Entry, Told, grounds, tell_apart, tells_apart};
use lockstep::lesson::answers::{self, Answers, Filled};
use lockstep::lesson::drill::Drill;
use lockstep::lesson::grade::{Grader, Wanted};
use lockstep::lesson::{Lesson, Library};
use lockstep::model::Schedule;
use lockstep::ui::plain::Dialogue;
use lockstep::ui::theme::Glyphs;
use std::fs;
use std::sync::Arc;

type Rules = Option<&'static Variant>;

/// Which pairs no run within the bounds tells apart: their rules are the same in the same cluster, and what
/// differs is a setting of it.
const NOT_TOLD_APART: &str = "\
lamport: paper / no-fifo
ricart-agrawala: no-merge / no-merge-no-fifo
maekawa: paper / no-fifo
maekawa: paper / no-fifo-unsafe
maekawa: no-fifo / no-fifo-unsafe
carvalho-roucairol: no-merge / no-merge-no-fifo
lease: paper / no-fencing
lease: paper / fence-writes-alone
";

fn word(rules: Rules) -> &'static str {
    rules.map_or("paper", |v| v.slug)
}

fn all(entry: &Entry) -> Vec<Rules> {
    [None].into_iter().chain(entry.info.variants.iter().map(Some)).collect()
}

/// The first run that tells two sets of rules apart, with what a replay under the others shows.
fn run_between(entry: &Entry, one: Rules, other: Rules) -> Option<(Schedule, Option<usize>)> {
    grounds(entry.info, one, other).find_map(|(config, options)| {
        // Sets that do not meet are refused to whoever follows the paper.
        let told = tell_apart(&config, other, &options).ok()?;
        let Told::Apart(run) = told else { return None };
        let seen = tells_apart(&config, other, &run).expect("it can be set up");
        Some((run, seen))
    })
}

#[test]
fn every_variant_is_told_from_its_paper_and_from_every_other_or_the_pair_is_listed() {
    let mut not_told = String::new();
    for entry in catalog::all() {
        let all = all(entry);
        for (place, one) in all.iter().enumerate() {
            for other in &all[place + 1..] {
                let pair = format!("{}: {} / {}", entry.info.slug, word(*one), word(*other));
                for (one, other) in [(*one, *other), (*other, *one)] {
                    match run_between(entry, one, other) {
                        None if not_told.contains(&format!("{pair}\n")) => {}
                        None => not_told += &format!("{pair}\n"),
                        Some((run, seen)) => {
                            let seen = seen.unwrap_or_else(|| panic!("{pair}: nothing is seen"));
                            assert!(seen <= run.0.len(), "{pair}");
                            assert!(
                                !not_told.contains(&format!("{pair}\n")),
                                "{pair}: one way only"
                            );
                        }
                    }
                }
            }
        }
    }
    assert_eq!(not_told, NOT_TOLD_APART);
}

fn drills() -> impl Iterator<Item = (Drill, Arc<Lesson>)> {
    let with = |entry: &&Entry| !entry.info.variants.is_empty();
    catalog::all().iter().filter(with).flat_map(|entry| {
        (0..6).map(|seed| {
            let drill = Drill::of_rules(entry.info.slug, seed).expect("it has variants");
            let lesson = drill.lesson().unwrap_or_else(|none| panic!("{}: {none}", drill.id()));
            (drill, lesson)
        })
    })
}

fn keys(lesson: &Arc<Lesson>) -> Filled {
    let grader = Grader::new(Arc::clone(lesson)).expect("a cluster");
    let wanted = Wanted { solutions: true, ..Wanted::default() };
    let report = grader.grade(&Answers::default(), &wanted).expect("it is graded");
    let key = |t: &lockstep::lesson::grade::Graded| {
        (t.id.clone(), t.solution.as_ref().expect("asked for").expected.clone())
    };
    Filled { answers: report.tests.iter().map(key).collect(), shown: Vec::new() }
}

#[test]
fn of_the_rules_to_choose_from_only_the_key_gives_the_run() {
    let mut failures = 0;
    for (drill, lesson) in drills() {
        let info = catalog::find(drill.algorithm).expect("an algorithm").info;
        let question = lesson.questions().next().expect("it asks");
        let picks: Vec<String> = question.picks().into_iter().map(|pick| pick.id).collect();
        assert!((2..=4).contains(&picks.len()), "{}: {picks:?}", drill.id());
        let key = keys(&lesson).answers.get("rule").expect("a key").clone();
        assert!(picks.contains(&key));
        let run = Schedule(lesson.steps()[0].run.clone());
        for pick in &picks {
            let seen = tells_apart(&lesson.config, info.variant(pick), &run).expect("a cluster");
            assert_eq!(seen.is_none(), *pick == key, "{}: {pick}, key {key}", drill.id());
        }
        // What is hidden differs from the paper: both would be right else.
        assert!(key == "paper" || picks.contains(&"paper".to_owned()), "{}", drill.id());
        failures += lesson.questions().count() - 1;
        assert_eq!(Drill::of_id(&drill.id()), Some(drill));
    }
    assert!(failures > 20, "most of what is hidden can be made to fail: {failures}");
}

#[test]
fn the_key_passes_and_nothing_that_is_printed_names_it() {
    for (drill, lesson) in drills() {
        let filled = keys(&lesson);
        let key = filled.answers.get("rule").expect("a key").clone();
        let text = answers::filled(&lesson, &filled);
        let mut batch =
            lockstep::lesson::batch::GradingBatch::new(Library::embedded(), Wanted::default());
        let report = batch.take("a.yaml", Ok(text.as_bytes())).result.expect("it is graded");
        assert!(report.passed(), "{}: {text}", drill.id());
        let mut lab = lesson.lab().expect("a cluster");
        for event in &lesson.steps()[0].run {
            lab.play(*event).expect("it can happen");
        }
        assert!(lab.variant().is_none() && lab.setup().hidden.is_some());
        assert!(!lab.title().contains(&key), "{}", lab.title());
        let history = lab.history();
        let notes = history.record(history.cursor()).map_or(0, |record| record.notes.len());
        // The storage node tells what it compares, whatever the rules are.
        assert!(
            notes == 0 || drill.algorithm == "lease",
            "{}: a note would tell what is left out",
            drill.id()
        );
    }
}

fn printed(args: &[&str]) -> String {
    let run = program::lockstep(args).run();
    assert_eq!(run.status.code(), Some(0), "{args:?}");
    String::from_utf8(run.stdout).expect("UTF-8")
}

#[test]
fn on_paper_the_run_is_told_event_by_event_and_graded() {
    let args = ["drill", "lamport", "--rules", "--seed", "3"];
    let sheet = printed(&[&args[..], &["--print"]].concat());
    assert!(sheet.contains("Which rule is missing or changed here?"), "{sheet}");
    assert!(sheet.contains("\n1. P") && sheet.contains(" Then P"), "{sheet}");
    assert!(!sheet.contains("Answer:") && sheet.contains("variant: hidden-"), "{sheet}");
    let lesson = Drill::of_rules("lamport", 3).and_then(|d| d.lesson()).expect("a drill");
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("a.yaml");
    fs::write(&path, answers::filled(&lesson, &keys(&lesson))).expect("a file for the test");
    let graded = printed(&["drill", "--answers", &path.display().to_string()]);
    assert!(graded.contains("rule"), "{graded}");
}

#[test]
fn in_lines_and_on_the_screen_it_begins_and_hides_the_name() {
    let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
    dialogue.greet();
    let text = dialogue.take("drill rules lamport 3").text;
    assert!(text.contains("It follows the paper, or one of its rules"), "{text}");
    assert!(dialogue.take("home").text.contains("drill rules"));
    assert!(dialogue.take("drill rules clocks").text.contains("has no variants to tell apart"));

    let mut seen = Seen::after("@Predictions Enter r");
    let text = seen.at(80, 24).text();
    assert!(text.contains("Drill: say which rule is missing"), "{text}");
    seen.press("2");
    let text = seen.at(80, 24).text();
    assert!(text.contains("It follows the paper, or one of its rules"), "{text}");
}
