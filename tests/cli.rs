//! The command line as its users meet it: texts, exit statuses, JSON, pipes.
//!
//! `cmd/*.trycmd` hold what commands print, word for word; here stands what a script cannot say.

use crate::program;
use serde_json::Value;
use std::io::Read as _;
use std::process::{Command, Output};

fn lockstep(args: &[&str]) -> Output {
    feed(args, b"")
}

/// Runs the program with a standard input, and nothing of this process's terminal.
fn feed(args: &[&str], input: &[u8]) -> Output {
    program::lockstep(args).feed(input)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

/// Runs the program for its JSON.
fn json(args: &[&str]) -> (Value, Option<i32>) {
    let output = lockstep(&[args, &["--format", "json"]].concat());
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{args:?}: {e}: {}", text(&output.stderr)));
    (value, output.status.code())
}

const DIAGRAM: &str = "request P1; deliver P1>P2; deliver P1>P3; deliver P2>P1; deliver P3>P1; \
                       exit P1; deliver P1>P2; deliver P1>P3";
const RACE: &str = "request P1; request P2; deliver P1>P3; deliver P2>P3; deliver P2>P1; \
                    deliver P1>P2; deliver P3>P2; deliver P1>P2; exit P2; deliver P2>P1; \
                    deliver P3>P1";

#[test]
fn commands_print_what_their_scripts_say() {
    // The scripts run in this process's environment: it has to be a clean one.
    const CLEAN: &str = "TESTED_IN_A_CLEAN_ENVIRONMENT";
    if std::env::var_os(CLEAN).is_some() {
        trycmd::TestCases::new().case("tests/cmd/*.trycmd");
        return;
    }
    let home = tempfile::tempdir().expect("a folder");
    let mut again = Command::new(std::env::current_exe().expect("this very program"));
    program::clean(&mut again, home.path());
    again.args(["--exact", "cli::commands_print_what_their_scripts_say", "--nocapture"]);
    let output = again.env(CLEAN, "1").output().expect("it starts");
    let said = text(&output.stderr);
    assert!(output.status.success() && text(&output.stdout).contains("1 passed"), "{said}");
}

#[test]
fn a_run_as_one_line_or_in_its_file_brings_its_cluster_and_its_events() {
    let line = format!("lamport; nodes=P1,P2,P3; clocks=0,0,2; {DIAGRAM}");
    let (told, status) = json(&["run", &line]);
    assert_eq!((&told["messages"]["total"], status), (&serde_json::json!(6), Some(0)));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my.run");
    std::fs::write(&file, format!("# the diagram\n{}\n", line.replace("; ", "\n")))
        .expect("the folder is there");
    let file = file.to_str().expect("a name");
    assert_eq!(json(&["run", file]).0, told);
    let (other, _) = json(&["run", file, "--schedule", "request P2"]);
    assert_eq!(other["schedule"], serde_json::json!(["request P2"]), "in place of its own events");
    let refused = lockstep(&["run", file, "-n", "2"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--nodes: a run brings its own cluster"));
    let wrong = lockstep(&["run", "lamport; exit P1"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("event 1, `exit P1`, is refused: P1 has not asked"));
    let gone = lockstep(&["run", "nowhere.run"]);
    assert_eq!(gone.status.code(), Some(2));
    let begun = "ricart-agrawala; nodes=P1,P2; crash P2; request P1";
    let (found, _) = json(&["check", begun]);
    assert_eq!(found["verdict"], "stuck", "a run is searched on from where it ends");
}

#[test]
fn the_diagram_of_the_notes_has_stamps_1_1_2_3_4_and_six_messages() {
    let (run, status) = json(&["run", "lamport", "--clocks", "0,0,2", "--schedule", DIAGRAM]);
    assert_eq!(status, Some(0));
    let steps = run["steps"].as_array().expect("a list of steps");
    let sent = steps.iter().flat_map(|s| s["sent"].as_array().expect("a list"));
    let stamps: Vec<(String, u64)> = sent
        .map(|m| {
            (m["id"].as_str().expect("a name").to_owned(), m["stamp"][0].as_u64().expect("a clock"))
        })
        .collect();
    let wanted = [
        ("P1>P2#1", 1),
        ("P1>P3#1", 1),
        ("P2>P1#1", 2),
        ("P3>P1#1", 3),
        ("P1>P2#2", 4),
        ("P1>P3#2", 4),
    ];
    assert_eq!(stamps, wanted.map(|(id, clock)| (id.to_owned(), clock)));
    assert_eq!(steps[4]["entered"], "P1");
    assert_eq!(run["messages"]["total"], 6);
    assert_eq!(run["entries"], serde_json::json!(["P1"]));
}

#[test]
fn the_race_goes_to_p2_in_the_notes_order_and_with_every_seed() {
    let race = ["run", "ricart-agrawala", "--clocks", "4,2,0"];
    let (run, _) = json(&[&race[..], &["--schedule", RACE]].concat());
    assert_eq!(run["entries"], serde_json::json!(["P2", "P1"]));
    assert_eq!(run["messages"], serde_json::json!({"REQUEST": 4, "REPLY": 4, "total": 8}));
    assert_eq!(run["steps"][5]["outcomes"], serde_json::json!(["defer"]));
    for seed in 1..=25 {
        let seed = seed.to_string();
        let both = "exited(P1) and exited(P2)";
        let rest = ["--schedule", "request P1; request P2", "--until", both, "--seed", &seed];
        let (run, status) = json(&[&race[..], &rest].concat());
        assert_eq!(run["entries"], serde_json::json!(["P2", "P1"]), "seed {seed}");
        assert_eq!(status, Some(0), "seed {seed}");
    }
}

/// The keys of an object, in the order in which they stand in the text.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn sorted<const N: usize>(mut words: [&str; N]) -> [&str; N] {
    words.sort_unstable();
    words
}

#[test]
fn the_json_of_a_run_with_a_storage_tells_every_write() {
    let run = "request P1; deliver P1>L; deliver L>P1; timeout L; request P2; deliver P2>L; \
               deliver L>P2; write P2; deliver P2>S; write P1; deliver P1>S";
    let (run, _) = json(&["run", "lease", "-n", "2", "--storage", "plain", "--schedule", run]);
    let write = |step: u32, client: &str, fence: u32, number: u32, over: Value| serde_json::json!({"step": step, "client": client, "fence": fence, "accepted": number, "overwrites": over});
    let wanted = serde_json::json!({
        "node": "S", "rule": "plain", "fence": "writes", "highest": null, "violated": true,
        "writes": [write(9, "P2", 2, 1, Value::Null), write(11, "P1", 1, 2, 1.into())],
    });
    assert_eq!(run["storage"], wanted);
    assert_eq!(
        run["steps"][8]["storage"],
        serde_json::json!({"highest": null, "last": ["w1", "P2"]})
    );
    assert_eq!(run["steps"][7]["storage"]["last"], Value::Null);
}

#[test]
fn the_json_of_a_run_has_every_documented_field() {
    let (run, _) = json(&["run", "ricart-agrawala", "--clocks", "4,2,0", "--schedule", RACE]);
    let top = [
        "version",
        "algorithm",
        "variant",
        "nodes",
        "clocks",
        "clock_rule",
        "channels",
        "options",
        "start",
        "seed",
        "schedule",
        "steps",
        "entries",
        "exits",
        "messages",
        "lamps",
        "in_flight",
        "initial",
    ];
    assert_eq!(keys(&run), sorted(top));
    let settings = serde_json::json!({
        "version": 2, "algorithm": "ricart-agrawala", "variant": null, "nodes": ["P1", "P2", "P3"],
        "clocks": [4, 2, 0], "clock_rule": "merge", "channels": "fifo", "seed": null,
    });
    for (key, value) in settings.as_object().expect("an object") {
        assert_eq!(&run[key], value, "{key}");
    }
    let step = [
        "n",
        "event",
        "text",
        "rules",
        "node",
        "entered",
        "left",
        "sent",
        "delivered",
        "outcomes",
        "nodes",
    ];
    for (i, one) in run["steps"].as_array().expect("a list").iter().enumerate() {
        assert_eq!(keys(one), sorted(step));
        assert_eq!(one["n"], i + 1);
        assert_eq!(one["event"], run["schedule"][i]);
    }
    let first = &run["steps"][0];
    let p1 = serde_json::json!({
        "phase": "waiting", "clock": 5, "fields": {"request": [5, "P1"], "replies": [], "deferred": []}
    });
    assert_eq!(first["nodes"]["P1"], p1);
    assert_eq!(first["rules"], serde_json::json!(["RA-1"]));
    assert_eq!(first["outcomes"], serde_json::json!(["request"]));
    let request = serde_json::json!({"id": "P1>P2#1", "kind": "REQUEST", "stamp": [5, "P1"]});
    assert_eq!(first["sent"][0], request);
    assert_eq!(first["delivered"], Value::Null);
    assert_eq!(run["steps"][5]["delivered"], request);
    assert_eq!(run["exits"], serde_json::json!(["P2"]));
    let lamps =
        serde_json::json!({"mutex": "ok", "progress": "ok", "token": null, "order": "kept"});
    assert_eq!(run["lamps"], lamps);
    let p1 = serde_json::json!({
        "phase": "idle", "clock": 4, "fields": {"request": null, "replies": [], "deferred": []}
    });
    assert_eq!(run["initial"]["nodes"]["P1"], p1);
}

#[test]
fn the_fields_stand_in_the_documented_order() {
    let output = lockstep(&["run", "lamport", "-n", "2", "--format", "json"]);
    let shown = text(&output.stdout);
    let places =
        ["\"version\"", "\"algorithm\"", "\"clocks\"", "\"schedule\"", "\"steps\"", "\"lamps\""]
            .map(|key| shown.find(key).expect(key));
    assert!(places.is_sorted(), "{places:?}");
    let fields = ["\"request\": [", "\"queue\"", "\"heard\"", "\"head\""];
    let places = fields.map(|key| shown.find(key).expect(key));
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn lamps_name_who_is_concerned() {
    let (run, status) = json(&["run", "lamport", "--variant", "no-acknowledge"]);
    assert_eq!(run["lamps"]["mutex"], serde_json::json!({"violated": ["P1", "P2"], "at": 2}));
    assert_eq!((run["variant"].as_str(), status), (Some("no-acknowledge"), Some(1)));
    let (run, status) = json(&["run", "ricart-agrawala", "--variant", "R1"]);
    let stuck = serde_json::json!({
        "stuck": {
            "P1": "waits for REPLY from P2: deferred by P2",
            "P2": "waits for REPLY from P1: deferred by P1",
        },
        "cycle": ["P1", "P2"],
    });
    assert_eq!((&run["lamps"]["progress"], status), (&stuck, Some(1)));
    let schedule = "request P1; crash P3; deliver P1>P2; deliver P1>P3; deliver P2>P1";
    let (run, status) = json(&["run", "ricart-agrawala", "--schedule", schedule]);
    let stuck = &run["lamps"]["progress"]["stuck"];
    assert_eq!(stuck, &serde_json::json!({"P1": "waits for REPLY from P3, which has crashed"}));
    assert_eq!(status, Some(1));
    assert_eq!(run["steps"][3]["lost"]["id"], "P1>P3#1");
    assert_eq!(run["steps"][4]["nodes"]["P3"]["phase"], "crashed");
}

#[test]
fn messages_in_flight_and_helpers_are_part_of_the_json() {
    let (run, status) = json(&["run", "central", "-n", "2", "--schedule", "request P1"]);
    let request = serde_json::json!([{"id": "P1>C#1", "kind": "REQUEST", "stamp": null}]);
    assert_eq!((&run["in_flight"], status), (&request, Some(0)));
    assert_eq!(run["nodes"], serde_json::json!(["P1", "P2"]));
    assert_eq!(keys(&run["steps"][0]["nodes"]), ["C", "P1", "P2"]);
    assert_eq!(run["lamps"]["order"], "not-promised");
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_another_run() {
    let run = |seed: &str| {
        let args = ["run", "lamport", "--requests", "2,1,1", "--seed", seed, "-f", "json"];
        lockstep(&args).stdout
    };
    assert_eq!(run("7"), run("7"));
    let schedule = |bytes: &[u8]| {
        let run: Value = serde_json::from_slice(bytes).expect("JSON");
        run["schedule"].clone()
    };
    assert_ne!(schedule(&run("7")), schedule(&run("8")));
}

#[test]
fn the_schedule_of_a_run_plays_that_run_again() {
    let args = ["run", "ricart-agrawala", "-n", "4", "--requests", "2", "--seed", "3"];
    let (run, _) = json(&args);
    let events: Vec<&str> =
        run["schedule"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let (again, _) = json(&["run", "ricart-agrawala", "-n", "4", "--schedule", &events.join("; ")]);
    assert_eq!(run["steps"], again["steps"]);
    assert_eq!(run["messages"], again["messages"]);
}

#[test]
fn requests_come_all_at_once_and_again_after_an_exit() {
    let (run, _) = json(&["run", "lamport", "-n", "2", "--requests", "2,1"]);
    let schedule = run["schedule"].as_array().expect("a list");
    assert_eq!(schedule[..2], [Value::from("request P1"), Value::from("request P2")]);
    let exit = schedule.iter().position(|e| e == "exit P1").expect("P1 leaves");
    assert_eq!(schedule[exit + 1], "request P1");
    let entries = run["entries"].as_array().expect("a list");
    assert_eq!(entries.iter().filter(|e| *e == "P1").count(), 2);
    assert_eq!(entries.len(), 3);
}

#[test]
fn a_schedule_alone_is_played_and_nothing_more() {
    let (run, _) = json(&["run", "lamport", "--schedule", "request P1"]);
    assert_eq!(run["steps"].as_array().map(Vec::len), Some(1));
    let (run, _) = json(&["run", "lamport"]);
    let entries = run["entries"].as_array().map(Vec::len);
    assert_eq!((entries, &run["messages"]["total"]), (Some(3), &Value::from(18)));
}

#[test]
fn what_the_goal_asks_about_is_no_failure() {
    let status = |until: &str| {
        let args = ["run", "lamport", "--variant", "L1", "--until", until];
        lockstep(&args).status.code()
    };
    assert_eq!(status("violated(mutex)"), Some(0));
    assert_eq!(status("in_cs(P1) and in_cs(P2)"), Some(1), "violated, and nobody asked");
    assert_eq!(status("stuck()"), Some(1), "not reached");
}

#[test]
fn a_schedule_is_read_from_the_standard_input() {
    let lines = DIAGRAM.replace("; ", "\n");
    let args = ["run", "lamport", "--clocks", "0,0,2", "--schedule", "-", "--format", "json"];
    let output = feed(&args, lines.as_bytes());
    let run: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(run["messages"]["total"], 6);
    let output = feed(&args, b"request P1\n\xff\xfe");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("not UTF-8 text: byte 12"), "{}", text(&output.stderr));
    let output = feed(&args, b"request P1\n\x1b[31mred P1");
    assert_eq!(output.status.code(), Some(2));
    assert!(!output.stderr.contains(&0x1b), "an escape sequence reaches the terminal");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let long = ["run", "lamport", "-n", "6", "--requests", "3", "--format", "json"];
    let calls: [&[&str]; 6] = [
        &long,
        &["run", "lamport", "-n", "6", "--requests", "3"],
        &["algorithms", "--format", "json"],
        &["completions", "zsh"],
        &["man"],
        &["run", "--help"],
    ];
    for args in calls {
        let mut child = program::lockstep(args).spawn().expect("the program starts");
        let mut pipe = child.stdout.take().expect("its output is piped");
        let mut first = [0; 1];
        pipe.read_exact(&mut first).expect("it writes something");
        drop(pipe);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(text(&output.stderr), "", "{args:?}");
    }
    // Nobody has read even the first byte.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = program::lockstep(long).stdout(writer).output().expect("the program runs");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

#[test]
fn without_a_terminal_no_escape_sequence_is_written() {
    let calls: [&[&str]; 7] = [
        &["run", "lamport"],
        &["--color", "always", "run", "lamport"],
        &["run", "ricart-agrawala", "--variant", "R2"],
        &["algorithms", "lamport"],
        &["--help"],
        &["run", "nothing"],
        &["play", "lamport"],
    ];
    for args in calls {
        let output = lockstep(args);
        let both = [output.stdout, output.stderr].concat();
        assert!(!both.contains(&0x1b), "{args:?}");
    }
}

#[test]
fn lines_of_text_fit_into_80_columns() {
    let calls: [&[&str]; 4] = [
        &["run", "lamport", "-n", "8"],
        &["run", "ricart-agrawala", "-n", "16", "--requests", "2", "--seed", "5"],
        &["algorithms"],
        &["run", "central", "-n", "12"],
    ];
    for args in calls {
        let output = lockstep(args);
        let shown = text(&output.stdout);
        let long = shown.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{args:?}");
    }
}

#[test]
fn the_algorithms_are_listed_with_all_that_programs_need() {
    let (list, status) = json(&["algorithms"]);
    assert_eq!(status, Some(0));
    let list = list.as_array().expect("a list");
    assert_eq!(list.len(), lockstep::catalog::all().len());
    for (one, entry) in list.iter().zip(lockstep::catalog::all()) {
        assert_eq!(one["slug"], entry.info.slug);
        assert_eq!(one["channels"], entry.info.needs.word());
        for key in ["title", "paper"] {
            assert!(one[key].is_string(), "{} has no {key}", entry.info.slug);
        }
        for key in ["variants", "fields", "kinds", "rules"] {
            assert!(one[key].is_array(), "{} has no {key}", entry.info.slug);
        }
    }
    let lamport = list.iter().find(|a| a["slug"] == "lamport").expect("Lamport's algorithm");
    assert_eq!(lamport["kinds"], serde_json::json!(["REQUEST", "ACK", "RELEASE"]));
    assert_eq!(lamport["rules"][0]["id"], "L-1");
    let first = &lamport["variants"][0];
    assert_eq!((&first["slug"], &first["id"]), (&"no-acknowledge".into(), &"L1".into()));
    assert_eq!(first["harmless"], false);
}

#[test]
fn every_shell_gets_completions_and_every_command_a_manual_page() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = lockstep(&["completions", shell]);
        assert!(text(&output.stdout).contains("algorithms"), "{shell}");
    }
    let page = lockstep(&["man"]);
    assert!(text(&page.stdout).contains(".TH lockstep 1"));
    for command in ["run", "play", "learn", "algorithms", "completions", "man"] {
        let page = lockstep(&["man", command]);
        assert!(text(&page.stdout).contains(&format!(".TH lockstep-{command} 1")), "{command}");
    }
}

#[test]
fn in_ascii_no_list_and_no_run_has_another_character() {
    let slugs = lockstep::catalog::all().iter().map(|e| e.info.slug);
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["algorithms"],
        vec!["lesson", "list"],
        vec!["compare", "-n", "3"],
        vec!["compare", "-n", "3", "--format", "markdown"],
    ];
    commands.extend(slugs.clone().map(|slug| vec!["algorithms", slug]));
    commands.extend(slugs.map(|slug| vec!["run", slug]));
    for command in commands {
        let output = lockstep(&[&["--ascii"], command.as_slice()].concat());
        let odd: String = text(&output.stdout).chars().filter(|c| !c.is_ascii()).collect();
        assert!(odd.is_empty(), "{command:?}: {odd}");
        assert!(!output.stdout.is_empty(), "{command:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_lesson_runs_by_its_number_its_id_and_its_file_and_plays_its_pages() {
    let (by_number, status) = json(&["run", "9"]);
    assert_eq!(status, Some(0));
    assert_eq!(by_number["algorithm"], "ricart-agrawala");
    assert_eq!(by_number["entries"], serde_json::json!(["P2", "P1"]));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/lessons/09-ricart-agrawala-race.yaml");
    for word in ["ricart-agrawala-race", file] {
        assert_eq!(json(&["run", word]).0, by_number, "{word}");
    }
    let (own, _) = json(&["run", "9", "--schedule", "request P3"]);
    assert_eq!(own["steps"].as_array().map(Vec::len), Some(1), "a schedule takes its place");
    for lesson in lockstep::lesson::Library::embedded().shelved() {
        let (run, status) = json(&["run", &lesson.id]);
        assert!(matches!(status, Some(0 | 1)), "{}", lesson.id);
        assert!(run["steps"].as_array().is_some_and(|steps| !steps.is_empty()), "{}", lesson.id);
    }
}

#[test]
fn the_cluster_of_a_lesson_is_checked_with_its_own_requests() {
    let (report, status) = json(&["check", "9"]);
    assert_eq!((report["verdict"].as_str(), status), (Some("safe"), Some(0)));
    assert_eq!(report["algorithm"], "ricart-agrawala");
}

#[test]
fn a_word_that_is_neither_algorithm_nor_lesson_is_refused_with_the_nearest() {
    let refused = |args: &[&str]| {
        let output = lockstep(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        text(&output.stderr).to_owned()
    };
    assert!(refused(&["run", "lampart"]).contains("did you mean `lamport`"));
    assert!(
        refused(&["check", "nothing"]).contains("no lesson is called `nothing`, and no algorithm")
    );
    assert!(refused(&["run", "no.yaml"]).contains("there is no lesson file `no.yaml`"));
    let message = refused(&["run", "9", "-n", "4"]);
    assert!(message.contains("--nodes: the lesson `ricart-agrawala-race` brings its own cluster"));
}
