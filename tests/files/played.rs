//! What was played is kept over `q` and over the next start, on the screen and in lines.

use super::{folder, lockstep, told};
use crate::screen::{Seen, plain_look};
use lockstep::catalog;
use lockstep::lab::Lab;
use lockstep::lesson::Library;
use lockstep::lesson::played::{Kept, Left, MOST_RUNS, Played};
use lockstep::lesson::progress::{self, Store};
use lockstep::model::Config;
use lockstep::sim::{RevId, SplitMix64};
use lockstep::ui::app::App;
use lockstep::ui::course::Course;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Everything that a tree of runs holds: its branches, where one stands, and where `→` would lead.
fn tree(lab: &Lab) -> (BTreeSet<String>, String, Option<String>) {
    let history = lab.history();
    let lines = history.all().map(|rev| lab.line_to(rev)).collect();
    let next = history.redo_path(history.cursor()).last();
    (lines, lab.line(), next.map(|rev| lab.line_to(rev)))
}

/// Plays and goes about at random.
fn wander(lab: &mut Lab, seed: u64, moves: usize) {
    let mut rng = SplitMix64::new(seed);
    for _ in 0..moves {
        let enabled = lab.state().enabled();
        match rng.below(4) {
            0 => {
                lab.history_mut().back();
            }
            1 => {
                let all: Vec<RevId> = lab.history().all().collect();
                lab.go_to(all[rng.below(all.len())]);
            }
            _ if enabled.is_empty() => {}
            _ => {
                lab.play(enabled[rng.below(enabled.len())]).expect("it is enabled");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn every_tree_of_runs_comes_back_from_its_text(
        which in 0..catalog::all().len(), n in 1..5_usize, seed: u64, moves in 1..80_usize,
    ) {
        let mut lab = Lab::new(Config::new(catalog::all()[which].info.slug, n)).expect("it fits");
        wander(&mut lab, seed, moves);
        match Kept::of(&lab, None) {
            Left::Nothing => prop_assert_eq!(lab.history().len(), 1),
            Left::TooLong(steps) => prop_assert!(false, "{} steps are not many", steps),
            Left::Run(kept) => {
                let mut all = Played::default();
                all.add(kept);
                let text = progress::to_text(&all);
                let read: Played = progress::read("played.yaml", text.as_bytes()).expect("it is ours");
                let again = read.last_free().expect("it is there").lab().expect("it can be played");
                prop_assert_eq!(tree(&again), tree(&lab));
            }
        }
    }
}

fn app(state: &Path) -> Seen {
    let store = Store::at(state.join("lockstep/progress.yaml"));
    let course = Course::of(&Library::embedded()).kept_in(Ok(store));
    Seen::of(App::new(course, plain_look(), false))
}

fn state() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

#[test]
fn a_free_run_is_gone_on_with_after_q_and_after_the_next_start() {
    let state = state();
    let mut seen = app(state.path());
    assert!(!seen.at(80, 60).text().contains("Continue"));
    seen.press("@1978 Enter Enter r 1 1 Left 2 1 Left");
    let before = tree(seen.stepper().lab());
    assert!(before.0.len() > 4 && before.2.is_some(), "{before:?}");
    seen.press("q");
    for mut seen in [seen, app(state.path())] {
        assert!(
            seen.at(80, 60).text().contains("Continue: Lamport 1978, 3 steps"),
            "{}",
            seen.at(80, 60).text()
        );
        seen.press("@Continue Enter");
        assert_eq!(tree(seen.stepper().lab()), before);
        seen.press("b");
        assert!(seen.at(80, 24).text().contains("nothing that was played is lost"));
        seen.press("Esc End 1");
        assert_eq!(seen.app().leave(), None);
    }
    let text = fs::read_to_string(state.path().join("lockstep/played.yaml")).expect("it is kept");
    let all: Played = progress::read("played.yaml", text.as_bytes()).expect("it can be read");
    assert_eq!(all.runs.len(), 1, "a run that is gone on with is one run: {text}");
}

#[test]
fn the_run_in_which_one_stood_last_is_the_one_to_go_on_with() {
    let state = state();
    let mut seen = app(state.path());
    seen.press("@1978 Enter Enter r 1 q @1989 Enter Enter r 1 1 q");
    assert!(
        seen.at(80, 60).text().contains("Continue: Raymond 1989, 1 step"),
        "{}",
        seen.at(80, 60).text()
    );
    let run = state.path().join("x.run");
    fs::write(&run, "central; nodes=P1,P2; request P1\n").expect("a file of the test");
    seen.press("@Continue Enter");
    seen.command(&format!("load {}", run.display()));
    assert_eq!(seen.app().leave(), None);
    let mut again = app(state.path());
    assert!(
        again.at(80, 60).text().contains("Continue: Central coordinator, 1 step"),
        "{}",
        again.at(80, 60).text()
    );
}

#[test]
fn what_was_explored_in_a_lesson_is_there_when_it_is_entered_again() {
    let state = state();
    let mut seen = app(state.path());
    let place = |seen: &mut Seen| {
        let learner = seen.stepper().learner().expect("a lesson is open");
        (learner.page(), learner.moment().played)
    };
    seen.press("@race Enter Right Right Right Esc Esc 1 1 Left 2 Esc");
    let (before, stood) = (tree(seen.stepper().lab()), place(&mut seen));
    assert!(before.0.len() > 4, "{before:?}");
    seen.press("q");
    for mut seen in [seen, app(state.path())] {
        seen.press("@race Enter");
        assert_eq!(place(&mut seen), stood);
        let now = tree(seen.stepper().lab());
        assert!(now.0.is_superset(&before.0), "{now:?}\n{before:?}");
        assert_eq!(now.1, before.1, "it stands at the lesson's point");
        assert!(!seen.stepper().learner().expect("a lesson").exploring(seen.stepper().lab()));
        seen.press("b");
        assert!(seen.at(80, 24).text().contains("nothing that was played is lost"));
        seen.press("Esc q");
    }
}

#[test]
fn a_lesson_in_which_nothing_was_explored_leaves_no_run() {
    let state = state();
    let mut seen = app(state.path());
    seen.press("@race Enter Right Right Right q");
    assert!(!state.path().join("lockstep/played.yaml").exists());
}

#[test]
fn what_is_not_kept_does_not_say_that_it_is() {
    let mut seen = Seen::after("@Predictions Enter 3 Right Right Left b");
    let text = seen.at(80, 24).text();
    assert!(!text.contains("nothing that was played is lost"), "{text}");
    assert!(text.contains("until you leave"), "{text}");
}

#[test]
fn lines_keep_and_continue_what_was_played_too() {
    let folder = folder();
    let say = |args: &[&str], input: &str| {
        let run = lockstep(folder.path(), &[&["--plain"], args].concat(), input.as_bytes());
        assert_eq!(run.status.code(), Some(0), "{}", told(&run));
        told(&run)
    };
    say(&["play", "lamport"], "ask P1\n1\nback\n2\nhome\nquit\n");
    let text = say(&[], "continue\nbranches\nquit\n");
    assert!(
        text.contains("'continue' goes on with the run that you left last: Lamport 1978, 2 steps"),
        "{text}"
    );
    assert!(text.contains("deliver P1>P2") && text.contains("deliver P1>P3"), "{text}");
    say(&["learn", "lesson.yaml"], "lesson\ndrop 1\nquit\n");
    let text = say(&["learn", "lesson.yaml"], "branches\nquit\n");
    assert!(text.contains("and 3 more, to step 3"), "{text}");
    // A run that breaks off with the input is kept as well.
    say(&["play", "raymond"], "ask P2\n");
    assert!(say(&[], "quit\n").contains("Raymond 1989, 1 step"));
    let reset = lockstep(folder.path(), &["progress", "reset", "two-asks", "--yes"], b"");
    assert_eq!(reset.status.code(), Some(0), "{}", told(&reset));
    let text = say(&["learn", "lesson.yaml"], "branches\nquit\n");
    assert!(!text.contains("to step 3"), "what is forgotten is gone: {text}");
    let reset = lockstep(folder.path(), &["progress", "reset", "--yes"], b"");
    assert_eq!(reset.status.code(), Some(0), "{}", told(&reset));
    assert!(!say(&[], "quit\n").contains("'continue'"));
}

#[test]
fn a_damaged_file_is_told_put_aside_and_loses_nothing_else() {
    for damage in [
        "played: [",
        "played: 1\nruns: 7\n",
        "\u{0}",
        "hello",
        "progress: 1\nlessons: {}\n",
        "played: 9\nruns: []\n",
    ] {
        let state = state();
        let file = state.path().join("lockstep/played.yaml");
        fs::create_dir(state.path().join("lockstep")).expect("a folder of the test");
        fs::write(&file, damage).expect("a file of the test");
        let mut seen = app(state.path());
        let text = seen.at(160, 45).text();
        assert!(text.contains("played"), "{damage}: {text}");
        seen.press("@1978 Enter Enter r 1 q");
        let text = seen.at(160, 45).text();
        assert!(text.contains("a file is kept as"), "{damage}: {text}");
        let names: Vec<String> = fs::read_dir(state.path().join("lockstep"))
            .expect("a folder")
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        let aside =
            names.iter().find(|n| n.starts_with("played.damaged") || n.starts_with("played.newer"));
        let aside = aside.unwrap_or_else(|| panic!("{damage}: {names:?}"));
        let kept =
            fs::read_to_string(state.path().join("lockstep").join(aside)).expect("it is there");
        assert_eq!(kept, damage);
        assert!(app(state.path()).at(80, 60).text().contains("Continue: Lamport"));
    }
}

#[test]
fn a_run_that_cannot_be_played_is_told_and_never_a_panic() {
    for line in [
        "",
        ";",
        "lamport; exit P1",
        "no-such; nodes=2",
        "lamport; nodes=99999999999999999999",
        "lamport; clocks=4294967295,4294967295; request P1; deliver P1>P2",
        "lamport; request P1; deliver P1>P2#4294967295",
        "lamport; clocks=4294967296",
        "central; nodes=P1; request P1; duplicate P1>C#1zz",
    ] {
        for step in ["0", "4294967295"] {
            let state = state();
            fs::create_dir(state.path().join("lockstep")).expect("a folder of the test");
            let yaml = format!(
                "played: 1\nruns:\n- branches: ['raymond; nodes=P1; request P1']\n- branches: ['{line}', '{line}']\n  step: {step}\n- lesson: ricart-agrawala-race\n  branches: ['{line}']\n"
            );
            fs::write(state.path().join("lockstep/played.yaml"), yaml).expect("a file of the test");
            let mut seen = app(state.path());
            seen.at(80, 60);
            seen.press("@Continue Enter");
            if seen.app().stepper().is_none() {
                let text = seen.at(160, 60).text();
                assert!(text.contains("cannot be read"), "{line}: {text}");
                assert!(text.contains("Continue: Raymond"), "the one before is offered: {text}");
            } else {
                seen.press("r Tab r 1 1 q");
            }
            seen.press("@race Enter");
            assert!(seen.at(160, 45).text().contains("race"));
        }
    }
}

#[test]
fn numbers_at_their_end_are_refused_or_played_and_never_a_panic() {
    let folder = folder();
    for (slug, event) in [
        ("lamport", "request P1; deliver P1>P2; deliver P2>P1"),
        ("ricart-agrawala", "request P1; deliver P1>P2"),
        ("clocks", "local P1; tell P1>P2; deliver P1>P2"),
        ("carvalho-roucairol", "request P1"),
        ("maekawa", "request P1"),
        ("ricart-agrawala-token", "request P2"),
    ] {
        for clocks in ["4294967295", "4294967294,4294967295", "4294967295,4294967295,4294967295"] {
            for rule in ["merge", "tick"] {
                let line = format!("{slug}; clocks={clocks}; clock={rule}; {event}");
                let run = lockstep(folder.path(), &["run", &line], b"");
                let status = run.status.code();
                assert!(matches!(status, Some(0..=2)), "{line}: {status:?} {}", told(&run));
            }
        }
    }
}

#[test]
fn no_more_is_kept_than_has_room_and_what_goes_is_said() {
    let state = state();
    let mut all = Played::default();
    for n in 1..=MOST_RUNS {
        let mut lab = Lab::new(Config::new("lamport", 2)).expect("it fits");
        lab.play_schedule(&"tell P1>P2; ".repeat(n)).expect("it can be played");
        lab.play_schedule("request P1").expect("it can be played");
        let Left::Run(kept) = Kept::of(&lab, None) else { panic!("it was played") };
        all.add(kept);
    }
    assert_eq!(all.runs.len(), MOST_RUNS);
    fs::create_dir(state.path().join("lockstep")).expect("a folder of the test");
    fs::write(state.path().join("lockstep/played.yaml"), progress::to_text(&all)).expect("a file");
    let mut seen = app(state.path());
    seen.press("@1989 Enter Enter r q");
    let text = seen.at(160, 60).text();
    assert!(text.contains("the oldest went") && text.contains("Lamport 1978, 2 steps"), "{text}");
    let text = fs::read(state.path().join("lockstep/played.yaml")).expect("it is kept");
    let kept: Played = progress::read("played.yaml", &text[..]).expect("it can be read");
    assert_eq!(kept.runs.len(), MOST_RUNS);
}

#[test]
fn a_run_that_is_too_long_to_be_kept_says_so() {
    let state = state();
    let mut seen = app(state.path());
    let mut lab = Lab::new(Config::new("clocks", 2)).expect("it fits");
    lab.play_schedule(&"local P1; ".repeat(20_000)).expect("it can be played");
    seen.app().open(lockstep::ui::screen::stepper::Stepper::free_play(lab));
    seen.press("q");
    let text = seen.at(160, 60).text();
    assert!(text.contains("a run of 20000 steps is too long to be kept"), "{text}");
}
