//! Logs of programs against algorithms: right ones are accepted, each mistake is found at its line.

mod students;

use super::program::lockstep;

use lockstep::judge::log::{Log, Reading};
use lockstep::judge::{How, Report, held};
use lockstep::model::Config;
use std::fs;
use students::{Algorithm, Bug, Logs, run};

const NODES: usize = 3;

fn judged(algorithm: Algorithm, logs: &Logs) -> Report {
    let mut log = Log::default();
    for (k, text) in logs.files.iter().enumerate() {
        let name = format!("p{}.log", k + 1);
        log.add(&name, text, &Reading::default()).expect("the program writes what can be read");
    }
    let slug = match algorithm {
        Algorithm::RicartAgrawala => "ricart-agrawala",
        Algorithm::Lamport => "lamport",
        Algorithm::SuzukiKasami => "suzuki-kasami",
    };
    let how = How { any_clock: true, keep: false };
    held(&log, &Config::new(slug, NODES), how).expect("the log fits the cluster").0
}

const ALGORITHMS: [Algorithm; 3] =
    [Algorithm::RicartAgrawala, Algorithm::Lamport, Algorithm::SuzukiKasami];

fn right_programs_are_accepted(runs: u64) {
    for algorithm in ALGORITHMS {
        for seed in 0..runs {
            let logs = run(algorithm, NODES, 2, None, seed);
            let report = judged(algorithm, &logs);
            let all = logs.files.join("--\n");
            assert!(report.agrees, "{algorithm:?} {seed}\n{report}\n{all}");
            let lines: usize = logs.files.iter().map(|file| file.lines().count()).sum();
            assert_eq!((report.allowed, report.entries), (lines, lines), "{algorithm:?} {seed}");
            let enters =
                logs.files.iter().flat_map(|file| file.lines()).filter(|l| l.contains("enter"));
            assert_eq!(
                enters.count(),
                NODES * 2,
                "{algorithm:?} {seed}: everybody was inside twice"
            );
        }
    }
}

#[test]
fn logs_of_right_programs_with_threads_and_sockets_are_accepted() {
    right_programs_are_accepted(12);
}

#[test]
#[ignore = "a thousand runs of each program take minutes"]
fn a_thousand_logs_of_each_right_program_are_accepted() {
    right_programs_are_accepted(1000);
}

#[test]
fn each_planted_mistake_is_found_at_the_line_that_shows_it() {
    let bugs = [
        (Algorithm::RicartAgrawala, Bug::RepliesAlways, "not-sent"),
        (Algorithm::RicartAgrawala, Bug::EntersEarly, "entry"),
        (Algorithm::RicartAgrawala, Bug::ForgetsDeferred, "missing"),
        (Algorithm::RicartAgrawala, Bug::ClockStays, "stamp"),
        (Algorithm::Lamport, Bug::NoAck, "missing"),
        (Algorithm::Lamport, Bug::IgnoresTheQueue, "entry"),
        (Algorithm::Lamport, Bug::ReleaseForOneLess, "missing"),
        (Algorithm::Lamport, Bug::OldAck, "stamp"),
        (Algorithm::SuzukiKasami, Bug::EntersWithoutToken, "entry"),
        (Algorithm::SuzukiKasami, Bug::SecondToken, "not-sent"),
    ];
    for (algorithm, bug, kind) in bugs {
        let mut found = 0;
        for seed in 0..200 {
            let logs = run(algorithm, NODES, 3, Some(bug), seed);
            if logs.shown.is_empty() {
                continue;
            }
            let report = judged(algorithm, &logs);
            let all = logs.files.join("--\n");
            let forbidden =
                report.forbidden.as_ref().unwrap_or_else(|| panic!("{bug:?} {seed}\n{all}"));
            let at = forbidden.at.to_string();
            let mut places =
                logs.shown.iter().map(|(node, line)| format!("p{}.log:{line}", node + 1));
            assert!(places.any(|place| place == at), "{bug:?} {seed}\n{report}\n{all}");
            assert_eq!(forbidden.kind, kind, "{bug:?} {seed}\n{report}\n{all}");
            found += 1;
            if found == 3 {
                break;
            }
        }
        assert_eq!(found, 3, "{bug:?} shows");
    }
}

/// A case: the arguments, files, and what the program prints with its status.
///
/// `== name`, `$ arguments`, `--- file` with its lines, `--- says` with what is printed.
#[test]
fn each_case_is_told_as_it_stands_in_the_text() {
    const CASES: &str = "tests/judge/cases.txt";
    let text = fs::read_to_string(CASES).expect("the cases are there");
    let mut fresh = String::new();
    for case in text.split("\n== ").skip(1) {
        let (asked, _) = case.split_once("--- says\n").expect("what it says comes last");
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let mut parts = asked.split("--- ");
        let (name, args) =
            parts.next().and_then(|head| head.split_once("\n$ ")).expect("a name and `$`");
        for part in parts {
            let (file, body) = part.split_once('\n').expect("a file has lines");
            fs::write(folder.path().join(file), body).expect("the folder is ours");
        }
        let args: Vec<&str> = args.split_whitespace().collect();
        let output = lockstep(["judge"].iter().chain(&args))
            .current_dir(folder.path())
            .output()
            .expect("it starts");
        let said = String::from_utf8(output.stdout).expect("text");
        let errors = String::from_utf8(output.stderr).expect("text");
        let status = output.status.code().expect("it ends by itself");
        let rest = if said.ends_with('\n') || said.is_empty() { "" } else { "\n" };
        let says = format!("{said}{rest}{errors}status {status}\n");
        fresh += &format!("\n== {asked}--- says\n{says}");
        if std::env::var_os("JUDGE").is_none() {
            let wanted = case.split_once("--- says\n").map_or("", |(_, says)| says.trim_end());
            assert_eq!(says.trim_end(), wanted, "{name}");
        }
    }
    if std::env::var_os("JUDGE").is_some_and(|word| word == "write") {
        fs::write(CASES, fresh).expect("the cases are ours");
    }
}
