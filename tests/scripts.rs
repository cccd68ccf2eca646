//! Algorithms as scripts: each of the catalog's is one, wrong texts are told in words, and what goes wrong
//! while one runs has a shortest schedule.

use lockstep::catalog::{self, Entry, Likeness};
use lockstep::check::{Report, SearchOptions, Verdict, finish};
use lockstep::lab::Lab;
use lockstep::model::{Config, Script};
use lockstep::script::examples;
use lockstep::ui::Input;
use std::sync::Arc;

/// Wrong texts: the script that is changed, the text that is replaced, what replaces it, what is told.
const WRONG: &str = include_str!("scripts/wrong.txt");
/// Changes that read well and are wrong: the same, with how a search of three nodes ends.
const BROKEN: &str = include_str!("scripts/broken.txt");

fn entry(name: &str, text: &str) -> Result<Entry, String> {
    catalog::scripted(Arc::new(Script::new(name, text))).map_err(|error| error.message)
}

fn search(config: &Config, requests: u32) -> Report {
    let options = SearchOptions {
        requests: vec![requests],
        reduction: false,
        max_states: Some(200_000),
        ..SearchOptions::default()
    };
    let mut search = catalog::search(config, &options).expect("the settings fit");
    finish(search.as_mut()).clone()
}

#[test]
fn every_algorithm_is_there_as_a_script_and_has_the_same_states_and_events() {
    let mut compared = 0;
    for native in catalog::all().iter().filter(|entry| !entry.info.teaching) {
        let slug = native.info.slug;
        let text = examples::of(slug).unwrap_or_else(|| panic!("there is no script of {slug}"));
        let own = entry("own.rhai", text).unwrap_or_else(|why| panic!("{slug}: {why}"));
        for (n, requests) in [(2, 1), (2, 2), (3, 1)] {
            let (a, b) = (search(&native.usual(n), requests), search(&own.usual(n), requests));
            let counts = |r: &Report| (r.verdict, r.states, r.transitions, r.depth);
            assert_eq!(counts(&a), counts(&b), "{slug}, {n} nodes, {requests} each");
            assert_eq!(a.verdict, Verdict::Safe, "{slug}");
            compared += 1;
        }
    }
    assert_eq!(compared, 3 * examples::slugs().count());
}

#[test]
fn a_script_explains_itself_like_the_algorithm_that_it_is() {
    for native in catalog::all().iter().filter(|entry| !entry.info.teaching) {
        let slug = native.info.slug;
        let own = entry("own.rhai", examples::of(slug).expect("as above")).expect("it is right");
        let (mut a, mut b) =
            (Lab::new(native.usual(3)).expect("fits"), Lab::new(own.usual(3)).expect("fits"));
        for ask in ["request P2", "request P1"] {
            assert_eq!(a.play_schedule(ask).is_ok(), b.play_schedule(ask).is_ok(), "{slug}");
        }
        for _ in 0..60 {
            let view = |lab: &Lab| {
                let view = lab.state().view();
                let nodes: Vec<_> = view.nodes.iter().map(|n| (n.phase, n.clock)).collect();
                let names = lab.setup().names.clone();
                let flights: Vec<String> =
                    view.in_flight.iter().map(|f| f.id.show(&names)).collect();
                (
                    nodes,
                    flights,
                    view.lamps.tokens,
                    view.messages.iter().map(|(_, n)| *n).sum::<u32>(),
                )
            };
            assert_eq!(view(&a), view(&b), "{slug} after {}", a.schedule_text());
            // Who waits lacks something of the same nodes.
            for node in a.setup().client_ids() {
                let (x, y) = (a.state().why(node), b.state().why(node));
                let unmet = |why: &[lockstep::sim::WhyLine]| why.iter().any(|line| !line.met);
                assert_eq!(unmet(&x), unmet(&y), "{slug} after {}", a.schedule_text());
            }
            let Some(event) = a.next_by_itself() else { break };
            a.play(event).expect("it can happen");
            b.play(event).unwrap_or_else(|why| panic!("{slug}: {why}"));
        }
    }
}

/// A case: the slug of the script, the change, and what is wanted.
fn cases(text: &'static str) -> impl Iterator<Item = [&'static str; 4]> {
    text.split("\n\n").filter(|block| !block.trim_start().starts_with('#')).map(|block| {
        let part = |key: &str| {
            let begins = |line: &&str| line.starts_with(key);
            let line = block.lines().find(begins).unwrap_or_else(|| panic!("{key}: {block}"));
            line[key.len()..].trim()
        };
        [part("script:"), part("old:"), part("new:"), part("says:")]
    })
}

fn changed([slug, old, new, _]: [&str; 4]) -> String {
    let text = examples::of(slug).expect(slug);
    let [old, new] = [old, new].map(|part| part.replace("\\n", "\n"));
    assert!(text.contains(&old), "`{old}` is not in {slug}");
    text.replacen(&old, &new, 1)
}

#[test]
fn what_is_wrong_with_a_text_is_told_at_its_place_in_words() {
    let mut count = 0;
    let mut faults = Vec::new();
    for case in cases(WRONG) {
        let told = entry("my.rhai", &changed(case)).err().unwrap_or_else(|| "nothing".to_owned());
        if !told.contains(case[3]) {
            faults.push(format!("{case:?}\ntells: {told}"));
        }
        assert!(told == "nothing" || told.starts_with("my.rhai:"), "{told}");
        count += 1;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(count >= 30, "{count}");
}

#[test]
fn what_goes_wrong_in_a_run_is_found_with_a_schedule_that_shows_it() {
    let mut count = 0;
    let mut faults = Vec::new();
    for case in cases(BROKEN) {
        let own = match entry("my.rhai", &changed(case)) {
            Ok(own) => own,
            Err(why) => {
                faults.push(format!("{case:?}\n{why}"));
                continue;
            }
        };
        // Some mistakes show when somebody asks a second time.
        let once = search(&own.usual(3), 1);
        let safe = once.verdict == Verdict::Safe;
        let report = if safe { search(&own.usual(3), 2) } else { once };
        let verdict = format!("{:?}", report.verdict);
        let mut told = verdict.clone();
        if let Some(schedule) = &report.counterexample {
            let mut lab = Lab::new(own.usual(3)).expect("the settings fit");
            for event in &schedule.0 {
                lab.play(*event).expect("a counterexample can be played");
            }
            told += &format!("; {}", lab.state().fault().map_or(String::new(), |(_, text)| text));
        }
        if !told.contains(case[3]) {
            faults.push(format!("{case:?}\ntells: {told}"));
        }
        count += 1;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(count >= 20, "{count}");
}

#[test]
fn the_script_to_begin_with_reads_and_fails_as_it_says() {
    let own = entry("my.rhai", examples::TEMPLATE).expect("it is right");
    assert_eq!(search(&own.usual(3), 1).verdict, Verdict::Violated);
}

#[test]
fn nothing_but_what_a_person_has_typed_is_opened_as_a_script() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("my.rhai");
    std::fs::write(&path, examples::TEMPLATE).expect("a file for the test");
    let name = path.to_str().expect("text");
    assert!(catalog::named(name).is_ok());
    assert!(catalog::find(name).is_err());
    let lesson = crate::lessons::cases::BASE
        .replace("algorithm: ricart-agrawala", &format!("algorithm: {name}"));
    assert!(lesson.contains(name), "{lesson}");
    let source = lockstep::input::Source::from_text("bad.yaml", &lesson, "lesson").expect("text");
    assert!(lockstep::lesson::load::checked(source).is_err());
}

/// Whoever hands a script to a command that takes none is told which do.
#[test]
fn every_command_that_takes_no_script_says_what_one_is() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("my.rhai");
    std::fs::write(&path, examples::TEMPLATE).expect("a file for the test");
    let name = path.to_str().expect("text");
    for words in [
        &["drill", name, "--print"][..],
        &["learn", name],
        &["present", name],
        &["lesson", "lint", name],
        &["lesson", "show", name],
        &["answers", name],
    ] {
        let ran = crate::program::lockstep(words).run();
        let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
        assert!(said.contains("script") && said.contains("check"), "{words:?}: {said}");
        assert_ne!(ran.status.code(), Some(0), "{words:?}");
    }
}

fn like(text: &str, slug: &str, requests: &[u32]) -> (Likeness, usize) {
    let own = entry("my.rhai", text).unwrap_or_else(|why| panic!("{why}"));
    let native = catalog::find(slug).expect("an algorithm of the catalog");
    let n = requests.len();
    catalog::likeness([&own.usual(n), &native.usual(n)], requests, 5_000).expect("both fit")
}

#[test]
fn each_script_does_what_its_algorithm_does() {
    for slug in examples::slugs() {
        let text = examples::of(slug).expect("it is one of them");
        let (likeness, states) = like(text, slug, &[1, 1]);
        assert_eq!(likeness, Likeness::Alike, "{slug}");
        assert!(states > 10, "{slug}: {states}");
        let (likeness, _) = like(text, slug, &[1, 1, 1]);
        let far = matches!(slug, "lamport");
        assert_eq!(likeness, if far { Likeness::Limit } else { Likeness::Alike }, "{slug}");
    }
}

#[test]
fn the_first_difference_is_told_with_a_shortest_schedule_even_where_nothing_fails() {
    let ra = examples::of("ricart-agrawala").expect("it is one of them");
    let changes = [
        // Stuck: a tie is deferred by both.
        (
            "mine < t {",
            "mine.clock <= t.clock {",
            "P2 sends nothing, where Ricart–Agrawala 1981 sends REPLY to P1",
            3,
        ),
        // Safe: a superfluous REPLY.
        (
            "send REPLY to j;",
            "send REPLY to j; send REPLY to j;",
            "P2 sends REPLY to P1, REPLY to P1",
            2,
        ),
        (
            "send REQUEST(mine) to all;",
            "send REQUEST(mine) to first;",
            "P1 sends nothing, where",
            1,
        ),
        (
            "need j in replies",
            "need true || j in replies",
            "P1 enters, where in Ricart–Agrawala 1981 it does not enter",
            1,
        ),
        ("mine = tick();", "mine = stamp();", "REQUEST (0,P1)", 1),
        ("replies.add(j);", "replies.add(mine);", "the script fails at P1", 3),
    ];
    for (old, new, says, events) in changes {
        let text = ra.replacen(old, new, 1);
        assert_ne!(text, ra, "{old}");
        let (Likeness::Apart { schedule, what, reasons }, _) =
            like(&text, "ricart-agrawala", &[1, 1, 1])
        else {
            panic!("{new} makes no difference");
        };
        assert!(what.contains(says), "{new}: {what}");
        assert_eq!(schedule.0.len(), events, "{new}: {what}");
        assert!(reasons.iter().all(|reason| !reason.is_empty()), "{reasons:?}");
    }
}

/// `:load` reads the script again: what was played is played with the new text, and where it parts is told.
#[test]
fn a_script_that_has_changed_is_read_again_with_what_was_played() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("my.rhai");
    let name = path.to_str().expect("text");
    let ra = examples::of("ricart-agrawala").expect("it is one of them");
    let play = "request P1; request P2; deliver P1>P2; deliver P2>P1";
    for (old, new, says) in [
        ("REPLY", "REPLY", "4 steps as before"),
        ("mine < t {", "mine.clock <= t.clock {", "step 3 goes another way: P2 gets REQUEST"),
        ("send REQUEST(mine) to all;", "", "2 steps; step 1 goes another way"),
        ("deferred.add(j);", "defered.add(j);", "did you mean `deferred`?"),
    ] {
        std::fs::write(&path, ra).expect("a file for the test");
        let mut lab =
            Lab::new(catalog::named(name).expect("it is right").usual(3)).expect("it fits");
        lab.play_schedule(play).expect("it can be played");
        std::fs::write(&path, ra.replacen(old, new, 1)).expect("a file for the test");
        let mut seen = crate::screen::Seen::of_lab(lab);
        seen.press(": l o a d Enter");
        let text = seen.at(160, 45).text();
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(says), "{new}: {text}");
        seen.input(Input::Tick);
    }
}
