//! What is written is read back: a run file, and the settings and the schedule of the JSON, played again.

use super::lockstep;
use crate::runs::{any_config, any_run, written};
use ::lockstep::catalog;
use ::lockstep::lab::Lab;
use ::lockstep::model::{Config, StorageRule};
use serde_json::Value;
use std::path::Path;

/// The lab that a run file describes, played to its end.
pub fn read_back(yaml: &str) -> Lab {
    let source = ::lockstep::input::Source::from_text("run.yaml", yaml, "lesson").expect("a text");
    let lesson = ::lockstep::lesson::load::checked(source).unwrap_or_else(|bad| panic!("{bad}"));
    let mut lab = Lab::new(lesson.config.clone()).expect("its settings fit");
    for event in lesson.steps().iter().flat_map(|step| &step.run) {
        lab.play(*event).expect("it was played before");
    }
    lab
}

#[test]
fn every_setting_comes_back_from_the_run_file() {
    let mut config = Config::new("maekawa", 3);
    let set = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    config.quorums = ::lockstep::model::QuorumChoice::Sets(vec![
        set(&["P1", "P2"]),
        set(&["P2", "P3"]),
        set(&["P1", "P3"]),
    ]);
    config.start = vec!["request P2".to_owned()];
    let lab = any_run(config, 3, 12);
    assert_eq!(read_back(&written("yaml", &lab)).config(), lab.config());

    let mut config = Config::new("raymond", 3);
    config.tree = Some(vec![("P2".into(), "P1".into()), ("P3".into(), "P2".into())]);
    let lab = any_run(config, 3, 12);
    assert_eq!(read_back(&written("yaml", &lab)).config(), lab.config());

    let mut config = Config::new("lease", 2);
    config.storage = Some(StorageRule::Fenced);
    config.fence = ::lockstep::model::FenceOn::Both;
    let lab = any_run(config, 3, 12);
    assert_eq!(read_back(&written("yaml", &lab)).config(), lab.config());

    let mut config = Config::new("ricart-agrawala", 2);
    config.variant = Some("tie-replies".to_owned());
    let lab = any_run(config, 3, 12);
    assert_eq!(read_back(&written("yaml", &lab)).config(), lab.config());
}

#[test]
fn a_run_file_is_played_again_and_no_file_is_replaced_unasked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.yaml");
    let file = file.to_str().expect("a path of text");
    let drawn = ["export", "lamport", "--seed", "7", "--requests", "2,1,1"];
    let status = |args: &[&str]| lockstep(args).status.code();
    let to_file = [&drawn[..], &["-f", "yaml", "-o", file]].concat();
    assert_eq!(status(&to_file), Some(0));
    assert_eq!(status(&to_file), Some(2), "it is there");
    assert_eq!(status(&[&to_file[..], &["--force"]].concat()), Some(0));
    let steps = |args: &[&str]| {
        let run: Value = serde_json::from_slice(&lockstep(args).stdout).expect("JSON");
        run["steps"].clone()
    };
    let original = steps(&[&drawn[..], &["-f", "json"]].concat());
    assert_eq!(steps(&["run", file, "--format", "json"]), original);
    assert_eq!(steps(&["export", file, "-f", "json"]), original);
}

/// The options that make a command of the settings and the schedule of a JSON document.
fn command(run: &Value, folder: &Path) -> Vec<String> {
    let text = |key: &str| run[key].as_str().expect(key).to_owned();
    let words = |value: &Value| -> Vec<String> {
        let all = value.as_array().expect("a list").iter();
        all.map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned)).collect()
    };
    let nodes = words(&run["nodes"]);
    let mut args =
        vec!["run".to_owned(), text("algorithm"), format!("--nodes={}", nodes.join(","))];
    args.push(format!("--clocks={}", words(&run["clocks"]).join(",")));
    args.push(format!("--clock={}", text("clock_rule")));
    args.push(format!("--channels={}", text("channels")));
    args.extend(words(&run["options"]).iter().map(|option| format!("--option={option}")));
    args.extend(run["variant"].as_str().map(|v| format!("--variant={v}")));
    // An extra node is there by itself.
    let coordinator = run["coordinator"].as_str().filter(|c| nodes.iter().any(|n| n == c));
    args.extend(coordinator.map(|c| format!("--coordinator={c}")));
    if let Some(sets) = run["quorums"].as_array() {
        let lines: Vec<String> = sets.iter().map(|set| words(set).join(" ") + "\n").collect();
        let file = folder.join("sets.txt");
        std::fs::write(&file, lines.concat()).expect("the folder can be written");
        args.push(format!("--quorums={}", file.display()));
    }
    if run["tree"].is_array() {
        let parents = words(&run["tree"]);
        let pairs = nodes.iter().zip(&parents).filter(|(node, parent)| node != parent);
        let pairs: Vec<String> = pairs.map(|(node, parent)| format!("{node}>{parent}")).collect();
        args.extend((!pairs.is_empty()).then(|| format!("--tree={}", pairs.join(","))));
    }
    if let Some(storage) = run["storage"].as_object() {
        args.push(format!("--storage={}", storage["rule"].as_str().expect("a rule")));
        args.push(format!("--fence={}", storage["fence"].as_str().expect("which")));
    }
    args.push(format!("--start={}", words(&run["start"]).join("; ")));
    args.push(format!("--schedule={}", words(&run["schedule"]).join("; ")));
    args.push("--format=json".to_owned());
    args
}

#[test]
fn the_settings_and_the_schedule_of_the_json_give_the_same_bytes_again() {
    let folder = tempfile::tempdir().expect("a folder");
    for which in 0..catalog::all().len() {
        for rest in [0, 5, 11 + 128, 63 + 320] {
            let config = any_config(which, 4, rest > 5, rest + 4 * which as u64);
            let json = written("json", &any_run(config, 20 + rest, 30));
            let run: Value = serde_json::from_str(&json).expect("JSON");
            let args = command(&run, folder.path());
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let output = lockstep(&args);
            let again = String::from_utf8(output.stdout).expect("text");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(again == json, "{args:?}\n{said}\n{json}\n{again}");
        }
    }
}
