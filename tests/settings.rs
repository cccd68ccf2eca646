//! One table of settings, five ways to give them: each way takes the same values, makes the same cluster
//! of them, and says the same of a wrong one.

use crate::docs::has_table;
use crate::program;
use crate::screen::Seen;
use lockstep::catalog;
use lockstep::input::Source;
use lockstep::lab::Lab;
use lockstep::lesson::{Library, load};
use lockstep::model::settings::{self, Shape};
use lockstep::model::{
    ChannelOrder, ClockRule, Config, FenceOn, QuorumChoice, SETTINGS, Setting, StorageRule,
};
use lockstep::ui::glyphs::Glyphs;
use lockstep::ui::plain::Dialogue;
use proptest::prelude::*;

/// How a cluster can be described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    CommandLine,
    RunLine,
    Lesson,
    Dialogue,
    Form,
}

const WAYS: [Way; 5] = [Way::CommandLine, Way::RunLine, Way::Lesson, Way::Dialogue, Way::Form];

/// Settings by key.
type Given<'a> = &'a [(&'a str, &'a str)];

/// The cluster that a way makes, or what it says.
fn cluster(way: Way, algorithm: &str, given: Given<'_>) -> Result<Config, String> {
    match way {
        Way::CommandLine => by_command(algorithm, given),
        Way::RunLine => {
            let pairs =
                given.iter().map(|(key, value)| format!("; {key}={}", value.replace(';', ",")));
            let line = format!("{algorithm}{}", pairs.collect::<String>());
            Lab::of_line(&line).map(|lab| lab.config().clone()).map_err(|e| e.to_string())
        }
        Way::Lesson => {
            let pairs = given.iter().map(|(key, value)| format!("  {key}: \"{value}\"\n"));
            by_lesson(&format!("  algorithm: {algorithm}\n{}", pairs.collect::<String>()))
        }
        Way::Dialogue => {
            let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
            let pairs = given.iter().map(|(key, value)| format!(" {key}=\"{value}\""));
            let reply = dialogue.take(&format!("play {algorithm}{}", pairs.collect::<String>()));
            let lab = dialogue.lab().map(|lab| lab.config().clone());
            let squeezed = reply.text.split_whitespace().collect::<Vec<_>>().join(" ");
            // In lines code stands in quotation marks.
            lab.ok_or_else(|| squeezed.replace('\'', "`"))
        }
        Way::Form => by_form(algorithm, given),
    }
}

fn by_command(algorithm: &str, given: Given<'_>) -> Result<Config, String> {
    let option =
        |key: &str| settings::find(key).map_or(key.to_owned(), |setting| setting.option.to_owned());
    let options = given.iter().map(|(key, value)| format!("--{}={value}", option(key)));
    let mut args =
        ["run", algorithm, "--schedule", "", "--format", "yaml"].map(str::to_owned).to_vec();
    args.extend(options);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = program::lockstep(&args).feed(b"");
    if output.status.code() == Some(2) {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8(output.stdout).expect("it is text");
    let from = text.find("cluster:\n").expect("it has a cluster") + "cluster:\n".len();
    let until = text.find("steps:\n").expect("it has steps");
    by_lesson(&text[from..until])
}

fn by_lesson(cluster: &str) -> Result<Config, String> {
    let text = format!(
        "lesson: 1\nid: a\ntitle: A\nabout: A.\ncluster:\n{cluster}\nsteps:\n- say: Read.\n"
    );
    let source = Source::from_text("a.yaml", &text, "lesson").expect("a text");
    load::checked(source)
        .map(|lesson| lesson.lab().expect("it fits").config().clone())
        .map_err(|bad| bad.to_string())
}

fn by_form(algorithm: &str, given: Given<'_>) -> Result<Config, String> {
    let entry = catalog::find(algorithm).map_err(|e| e.to_string())?;
    let mut seen = Seen::after("@Lease Enter");
    while !row(&mut seen, "algorithm").contains(entry.info.title) {
        seen.press("Right");
    }
    for (key, value) in given {
        seen.press("Home");
        while seen.at(80, 24).selected().trim_start_matches([' ', '▸']).split(' ').next()
            != Some(key)
        {
            let before = seen.at(80, 24).selected();
            seen.press("Down");
            if seen.at(80, 24).selected() == before {
                return Err(format!("the form has no row {key}"));
            }
        }
        let setting = settings::find(key).expect("a setting");
        if setting.shape == Shape::Word {
            for _ in 0..4 {
                if !row(&mut seen, key).contains(&format!(" {value}:")) {
                    seen.press("Right");
                }
            }
            continue;
        }
        // A letter that means something else begins no value.
        for (place, c) in value.chars().enumerate() {
            assert!(place > 0 || c != 'q', "{value}");
            seen.press(&if c == ' ' { "Space".to_owned() } else { c.to_string() });
        }
    }
    seen.press("Enter");
    let text = seen.at(100, 30).text();
    match seen.app().stepper() {
        Some(stepper) => Ok(stepper.lab().config().clone()),
        None => Err(text.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

/// The row of the form that begins with a word.
fn row(seen: &mut Seen, word: &str) -> String {
    let text = seen.at(80, 24).text();
    let is = |line: &&str| line.trim_start_matches([' ', '▸']).split(' ').next() == Some(word);
    text.lines().find(is).unwrap_or_else(|| panic!("no row {word} in\n{text}")).to_owned()
}

/// For each setting some algorithm, what else is set, and values that it takes.
fn values(setting: &Setting) -> (&'static str, Given<'static>, &'static [&'static str]) {
    match setting.key {
        "nodes" => ("lamport", &[], &["5", "16", "A,B,C", "1,", "Q1, q2"][..]),
        "variant" => ("lamport", &[("nodes", "3")], &["no-release", "L1"]),
        "channels" => ("lamport", &[("nodes", "3")], &["fifo", "any-order"]),
        "clocks" => ("lamport", &[("nodes", "3")], &["4,2", "0", "1000000000,7,1"]),
        "clock" => ("lamport", &[("nodes", "3")], &["merge", "tick"]),
        "quorums" => (
            "maekawa",
            &[("nodes", "3")],
            &["cyclic", "grid", "plane", "tree", "P1 P2,P2 P3,P1 P3"],
        ),
        "tree" => {
            ("raymond", &[("nodes", "5")], &["star", "line", "heap", "P2>P1,P3>P1,P4>P3,P5>P3"])
        }
        "coordinator" => ("central", &[("nodes", "3")], &["P2"]),
        "storage" => ("lease", &[("nodes", "2")], &["plain", "fenced"]),
        "fence" => ("lease", &[("nodes", "2"), ("storage", "fenced")], &["writes", "both"]),
        "options" => ("token-ring", &[("nodes", "3")], &["absorb", "regenerate,numbers"]),
        "start" => ("lamport", &[("nodes", "2")], &["request P1; deliver P1>P2"]),
        "requests" => ("lamport", &[], &[]),
        other => panic!("no value of {other} is tried: add some here"),
    }
}

#[test]
fn every_setting_makes_the_same_cluster_in_all_five_ways() {
    for setting in &SETTINGS {
        let (algorithm, beside, values) = values(setting);
        for value in values {
            let given: Vec<(&str, &str)> =
                beside.iter().copied().chain([(setting.key, *value)]).collect();
            let made = |way| {
                let made = cluster(way, algorithm, &given);
                made.unwrap_or_else(|said| panic!("{way:?}, {}={value}: {said}", setting.key))
            };
            // Clocks that are not said begin at 0, whether that is written or not.
            let complete = |way| {
                let mut config = catalog::completed(&made(way)).expect("it fits");
                config.clocks.resize(config.nodes.len(), 0);
                config
            };
            let first = complete(Way::CommandLine);
            for way in WAYS {
                let this = complete(way);
                assert_eq!(this, first, "{way:?}: {}={value}", setting.key);
            }
        }
    }
}

#[test]
fn case_does_not_matter_to_words_in_any_way() {
    for (algorithm, key, value) in [
        ("lamport", "channels", "ANY-ORDER"),
        ("lamport", "clock", "Tick"),
        ("maekawa", "quorums", "GRID"),
        ("raymond", "tree", "Line"),
        ("lease", "storage", "Fenced"),
    ] {
        let small = value.to_lowercase();
        for way in WAYS {
            let typed = settings::find(key).expect("a setting").shape != Shape::Word;
            if way != Way::Form || typed {
                let both = [value, &small].map(|value| {
                    let made = cluster(way, algorithm, &[("nodes", "3"), (key, value)]);
                    made.unwrap_or_else(|said| panic!("{way:?}, {value}: {said}"))
                });
                assert_eq!(both[0], both[1], "{way:?}: {key}={value}");
            }
        }
    }
}

/// Wrong values, and what every way says of them. Where a way cannot say it, as a row of words in the form
/// cannot be wrong, it is not asked.
const WRONG: [(&str, &str, &str, &[&str]); 27] = [
    ("lamport", "nodes", "17", &["a cluster has 1 to 16 nodes, not 17"]),
    ("lamport", "nodes", "0", &["a cluster has 1 to 16 nodes, not 0"]),
    ("lamport", "nodes", "3.5", &["a cluster has 1 to 16 nodes, not 3.5"]),
    ("lamport", "nodes", "99999999999", &["a cluster has 1 to 16 nodes, not 99999999999"]),
    ("lamport", "nodes", "A,,B", &["`` is no name: use 1 to 12 letters, digits, - _ or ."]),
    ("lamport", "nodes", "A,a", &["two nodes are called `a`"]),
    ("lamport", "nodes", "A,none", &["`none` says that there is nobody"]),
    (
        "lamport",
        "variant",
        "no-releas",
        &["no variant is called `no-releas`; did you mean `no-release`?"],
    ),
    ("lamport", "channels", "lifo", &["lifo", "fifo", "any-order"]),
    ("lamport", "clocks", "4,x", &["`x` is no clock value; write numbers like 4,2"]),
    ("lamport", "clocks", "1,,2", &["`` is no clock value; write numbers like 4,2"]),
    (
        "lamport",
        "clocks",
        "-1",
        &["`-1` is no clock value: it is 0 or more; write numbers like 4,2"],
    ),
    ("lamport", "clocks", "+1", &["`+1` is no clock value; write numbers like 4,2"]),
    (
        "lamport",
        "clocks",
        "99999999999",
        &["`99999999999` is no clock value; write numbers like 4,2"],
    ),
    ("lamport", "clocks", "4000000000", &["a clock begins with at most 1000000000"]),
    ("lamport", "clocks", "1,2,3,4", &["4 clock values for 3 nodes"]),
    ("lamport", "clock", "up", &["up", "merge", "tick"]),
    ("maekawa", "quorums", "P1 P2,P2 P9,P1 P3", &["no node `P9`; this cluster has P1, P2, P3"]),
    ("maekawa", "quorums", "P1 P2,P2 P3,", &["2 voting sets for 3 nodes; give one a node"]),
    ("maekawa", "quorums", "P1,P2,P3", &["the voting sets P1 of P1 and P2 of P2 do not meet"]),
    (
        "raymond",
        "tree",
        "round",
        &["`round` is no tree; write star, line, heap, or pairs like P2>P1,P3>P1"],
    ),
    ("raymond", "tree", "P2>P1,P3>P9", &["no node `P9`; this cluster has P1, P2, P3"]),
    ("central", "coordinator", "P9", &["no node `P9`; this cluster has P1, P2, P3"]),
    ("lease", "storage", "tape", &["tape", "plain", "fenced"]),
    ("token-ring", "options", "absorp", &["no option is called `absorp`; there are regenerate"]),
    (
        "lamport",
        "start",
        "request P1; exit P1",
        &["`exit P1` cannot happen here: P1 is still waiting"],
    ),
    ("lamport", "start", "delver P1>P2", &["no event is called `delver`; did you mean `deliver`?"]),
];

#[test]
fn every_way_says_the_same_of_a_wrong_value() {
    let mut tried = Vec::new();
    for (algorithm, key, value, core) in WRONG {
        let setting = settings::find(key).expect("a setting");
        tried.push(setting.key);
        let beside = if key == "nodes" { vec![] } else { vec![("nodes", "3")] };
        let given: Vec<(&str, &str)> = beside.into_iter().chain([(key, value)]).collect();
        let chosen = |way: &Way| *way != Way::Form || setting.shape != Shape::Word;
        for way in WAYS.into_iter().filter(chosen) {
            let said = cluster(way, algorithm, &given).expect_err(value);
            let holds = core.iter().all(|core| said.contains(core));
            assert!(holds, "{way:?}, {key}={value}: not {core:?} in\n{said}");
            // A lesson shows the place in place of the key.
            assert!(
                way == Way::Lesson || said.contains(key.trim_end_matches('s')),
                "{way:?} names the setting {key}\n{said}"
            );
        }
    }
    for setting in settings::of_clusters() {
        let no_words_of_its_own = ["fence"];
        let asked = tried.contains(&setting.key) || no_words_of_its_own.contains(&setting.key);
        assert!(asked, "no wrong value of {} is tried", setting.key);
    }
}

#[test]
fn what_a_person_types_for_nothing_is_refused_and_a_file_is_read_as_it_is() {
    for (algorithm, key, value, why) in [
        ("lamport", "tree", "line", "has no meaning here: Lamport 1978 has no tree"),
        ("lamport", "quorums", "grid", "has no meaning here: Lamport 1978 has no voting sets"),
        ("lamport", "fence", "both", "storage"),
        ("lamport", "coordinator", "P1", "Lamport 1978 has no coordinator"),
        ("lamport", "options", "numbers", "Lamport 1978 has no options"),
    ] {
        for way in [Way::CommandLine, Way::Dialogue] {
            let said = cluster(way, algorithm, &[(key, value)]).expect_err(why);
            assert!(said.contains(why), "{way:?}: {said}");
        }
        assert_eq!(
            cluster(Way::Form, algorithm, &[(key, value)]).expect_err(why),
            format!("the form has no row {key}")
        );
    }
    for way in [Way::RunLine, Way::Lesson] {
        let config = cluster(way, "lamport", &[("fence", "both")]).expect("it changes nothing");
        assert_eq!(config.fence, FenceOn::Both);
    }
}

#[test]
fn a_setting_that_comes_twice_is_refused_in_every_way_that_can_say_it_twice() {
    for way in [Way::CommandLine, Way::RunLine, Way::Lesson, Way::Dialogue] {
        let twice = [("clock", "tick"), ("clock", "merge")];
        let said = cluster(way, "lamport", &twice).expect_err("twice");
        let words = ["given twice", "repeated", "multiple times"];
        assert!(words.iter().any(|word| said.contains(word)), "{way:?}: {said}");
    }
    // Lists go on.
    let list = [("nodes", "3"), ("options", "regenerate"), ("options", "numbers")];
    for way in [Way::CommandLine, Way::RunLine, Way::Dialogue] {
        let config = cluster(way, "token-ring", &list).expect("two options");
        assert_eq!(config.options, ["regenerate", "numbers"], "{way:?}");
    }
}

#[test]
fn a_lesson_takes_lists_and_maps_as_well_as_what_stands_in_a_line() {
    let same = [
        ("lamport", "  nodes: [A, B]\n  clocks: {A: 4, B: 2}\n", "  nodes: A,B\n  clocks: 4,2\n"),
        ("lamport", "  nodes: [P1, P2]\n  clocks: [4, 2]\n", "  nodes: 2\n  clocks: 4,2\n"),
        (
            "maekawa",
            "  quorums: {P1: [P1, P2], P2: [P2, P3], P3: [P1, P3]}\n",
            "  quorums: P1 P2,P2 P3,P1 P3\n",
        ),
        ("raymond", "  tree: {P2: P1, P3: P2}\n", "  tree: line\n"),
        ("token-ring", "  options: [regenerate, numbers]\n", "  options: regenerate,numbers\n"),
        (
            "lamport",
            "  start: [request P1, deliver P1>P2]\n",
            "  start: request P1; deliver P1>P2\n",
        ),
    ];
    for (algorithm, lists, texts) in same {
        let read = |keys: &str| {
            let config = by_lesson(&format!("  algorithm: {algorithm}\n{keys}"));
            config.unwrap_or_else(|bad| panic!("{keys}{bad}"))
        };
        assert_eq!(read(lists), read(texts));
    }
}

#[test]
fn the_table_is_what_every_way_offers() {
    let help = program::lockstep(["play", "--help"]).feed(b"");
    let help = String::from_utf8(help.stdout).expect("it is text");
    let schema = lockstep::lesson::schema::text();
    let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
    let told = dialogue.take("play").text;
    for setting in settings::of_clusters() {
        assert!(help.contains(&format!("--{} <", setting.option)), "{}\n{help}", setting.option);
        assert!(told.contains(&format!("{}=", setting.key)), "{}\n{told}", setting.key);
        let algorithms = || catalog::all().iter().map(|entry| entry.info);
        let means = |info: &&lockstep::algorithm::Info| catalog::has_meaning(info, setting);
        let info = algorithms().find(means).expect("it means something somewhere");
        let mut seen = Seen::after("@Lease Enter");
        while !row(&mut seen, "algorithm").contains(info.title) {
            seen.press("Right");
        }
        if setting.key == "fence" {
            while !row(&mut seen, "storage").contains("fenced:") {
                seen.press("Down");
                if seen.at(80, 24).selected().contains("storage") {
                    seen.press("Right Right");
                }
            }
        }
        row(&mut seen, setting.key);
    }
    for key in settings::file_keys() {
        assert!(schema.contains(&format!("\"{key}\": {{")), "{key}");
    }
}

/// A cluster in which every setting is unlike the usual one. A field that is new in `Config` stops this
/// from compiling.
#[test]
fn no_field_of_a_cluster_is_without_a_setting() {
    let Config {
        algorithm: _,
        script: _,
        variant: _,
        nodes: _,
        clocks: _,
        clock: _,
        channels: _,
        coordinator: _,
        storage: _,
        fence: _,
        quorums: _,
        tree: _,
        options: _,
        start: _,
    } = Config::new("lamport", 3);
    let all = Config {
        algorithm: "lamport".into(),
        script: None,
        variant: Some("no-release".into()),
        nodes: vec!["A".into(), "B".into()],
        clocks: vec![1, 2],
        clock: ClockRule::Tick,
        channels: Some(ChannelOrder::AnyOrder),
        coordinator: Some("A".into()),
        storage: Some(StorageRule::Plain),
        fence: FenceOn::Both,
        quorums: QuorumChoice::Grid,
        tree: Some(vec![("B".into(), "A".into())]),
        options: vec!["x".into()],
        start: vec!["request A".into()],
    };
    let shown: Vec<&str> = settings::of_clusters()
        .filter(|setting| setting.text(&all).is_some())
        .map(|setting| setting.key)
        .collect();
    let there: Vec<&str> = settings::of_clusters().map(|setting| setting.key).collect();
    assert_eq!(shown, there, "every setting writes its field");
    assert_eq!(there.len() + 1, 13, "as many settings as fields, beside the algorithm");
}

/// Names at which a run line could stumble.
const ODD: [&str; 20] = [
    "1",
    "256",
    "2.5",
    "1e1",
    "nan",
    "inf",
    "a-b",
    "star",
    "line",
    "cyclic",
    "grid",
    "fifo",
    "merge",
    "lamport",
    "request",
    "deliver",
    "C1",
    "节点一",
    "Zoë",
    "P1",
];

/// A cluster with any settings that fit, of nodes with odd names.
fn any_cluster() -> impl Strategy<Value = Config> {
    let names = proptest::sample::subsequence(&ODD[..], 1..=5).prop_shuffle();
    (0..catalog::all().len(), names, any::<u64>()).prop_map(|(which, names, bits)| {
        let info = catalog::all()[which].info;
        let bit = |place: u32| bits >> place & 1 == 1;
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let n = names.len();
        let mut config = Config { nodes: names.clone(), ..Config::new(info.slug, 0) };
        config.channels =
            [None, Some(ChannelOrder::Fifo), Some(ChannelOrder::AnyOrder)][(bits & 3) as usize % 3];
        config.clock = if bit(2) { ClockRule::Tick } else { ClockRule::Merge };
        config.clocks = (0..(bits >> 3 & 7) as usize % (n + 1)).map(|i| i as u32 * 7 % 5).collect();
        config.storage = [None, Some(StorageRule::Plain), Some(StorageRule::Fenced)]
            [(bits >> 6 & 3) as usize % 3];
        config.fence = if bit(8) { FenceOn::Both } else { FenceOn::Writes };
        config.coordinator = bit(9).then(|| names[n - 1].clone());
        let line = || (1..n).map(|i| (names[i].clone(), names[i - 1].clone())).collect();
        config.tree = bit(10).then(line);
        config.quorums = match bits >> 11 & 3 {
            0 if bit(22) => QuorumChoice::Tree,
            0 => QuorumChoice::Cyclic,
            1 => QuorumChoice::Grid,
            2 => QuorumChoice::Sets(vec![names.clone(); n]),
            _ => QuorumChoice::Plane,
        };
        let pick = |of: usize, at: u32| ((bits >> at & 15) as usize % (of + 1)).checked_sub(1);
        let option = pick(info.options.len(), 13).map(|i| info.options[i].name.to_owned());
        config.options = option.into_iter().collect();
        config.variant = pick(info.variants.len(), 17).map(|i| info.variants[i].slug.to_owned());
        config.start = if bit(21) { vec![format!("local {}", names[0])] } else { Vec::new() };
        config
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn a_run_line_and_a_lesson_read_back_as_what_was_written(config in any_cluster(), steps in 0..8_usize) {
        // What does not fit is made to: the settings that an algorithm refuses are taken away.
        let mut config = config;
        for take in [
            |_: &mut Config| (),
            |config: &mut Config| config.coordinator = None,
            |config: &mut Config| config.quorums = QuorumChoice::Cyclic,
            |config: &mut Config| config.options.clear(),
            |config: &mut Config| config.tree = None,
            |config: &mut Config| config.variant = None,
        ] {
            if Lab::new(config.clone()).is_err() {
                take(&mut config);
            }
        }
        let mut lab = Lab::new(config.clone()).expect("it fits");
        for _ in 0..steps {
            let events = lab.state().enabled();
            let event = events.iter().rev().find(|event| lab.state().check(**event).is_ok());
            let Some(event) = event.copied() else { break };
            lab.play(event).expect("it is enabled");
        }
        let line = lab.line();
        let again = Lab::of_line(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
        prop_assert_eq!(again.line(), line.clone());
        prop_assert_eq!(again.config(), &config);
        prop_assert_eq!(again.state().view(), lab.state().view());
        let run = lockstep::export::Run::of(&lab);
        let mut bytes = Vec::new();
        lockstep::export::find("yaml").expect("a format").export(&run, &mut bytes).expect("written");
        let text = String::from_utf8(bytes).expect("text");
        let source = Source::from_text("a.yaml", &text, "lesson").expect("a text");
        let lesson = load::checked(source).unwrap_or_else(|bad| panic!("{text}\n{bad}"));
        let read = lesson.lab().expect("it fits");
        prop_assert_eq!(catalog::setup(read.config()), catalog::setup(&config));
    }
}

#[test]
fn run_lines_that_once_read_back_as_something_else_are_the_same_lines() {
    for line in [
        "clocks; nodes=256,",
        "suzuki-kasami; nodes=1,",
        "maekawa; nodes=cyclic; quorums=cyclic,",
        "maekawa; nodes=grid; quorums=grid,",
        "raymond; nodes=A; tree=",
    ] {
        let lab = Lab::of_line(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(lab.line(), line);
    }
}

#[test]
fn a_typed_number_of_nodes_is_bounded_before_it_is_used() {
    let text = "play lamport 99999999999\nplay lamport nodes=99999999999999999999999\n\
                99999999999999999999999\nabout 99999999999999999999999\ncompare 99999999999\n\
                compare lamport raymond 99999999999\ndrill lamport 99999999999999999999999\nquit\n";
    let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
    for line in text.lines() {
        let reply = dialogue.take(line);
        assert!(dialogue.lab().is_none(), "{line}");
        assert!(!reply.text.is_empty(), "{line}");
    }
    dialogue.take("play lamport 2");
    for line in [
        "99999999999999999999999",
        "deliver 99999999999999999999999",
        "deliver P1>P2#99999999999999999999999",
        "goto 99999999999999999999999",
        "hold 99999999999999999999999",
        "branch 99999999999999999999999",
        "seed 99999999999999999999999",
        "drop P1>P2#1zzzzzzzzzzzzzzz",
    ] {
        let reply = dialogue.take(line);
        assert!(
            ["No", "There is no", "There is only", "is no "]
                .iter()
                .any(|no| reply.text.contains(no)),
            "{line}: {}",
            reply.text
        );
    }
    assert_eq!(dialogue.lab().map(|lab| lab.state().steps()), Some(0));
}

#[test]
fn as_many_copies_as_have_names_can_be_made_and_such_a_run_reads_back() {
    let mut lab = Lab::new(Config::new("ricart-agrawala", 2)).expect("the settings fit");
    lab.play_schedule("request P1").expect("it is enabled");
    for copy in 1..=255 {
        lab.play_schedule("duplicate P1>P2#1").unwrap_or_else(|e| panic!("copy {copy}: {e}"));
    }
    let refused = lab.play_schedule("duplicate P1>P2#1").expect_err("no name is left");
    assert!(
        refused.to_string().ends_with("there is no name left for another copy of #1"),
        "{refused}"
    );
    let duplicates = lab
        .state()
        .enabled()
        .iter()
        .filter(|e| matches!(e, lockstep::model::Event::Duplicate(_)))
        .count();
    assert_eq!(duplicates, 0);
    let names = lab.setup().names.clone();
    let mut shown: Vec<String> =
        lab.state().view().in_flight.iter().map(|flight| flight.id.show(&names)).collect();
    assert_eq!(shown.len(), 256);
    shown.sort();
    shown.dedup();
    assert_eq!(shown.len(), 256, "every copy has a name of its own");
    let again = Lab::of_line(&lab.line()).expect("it reads back");
    assert_eq!(again.state().view(), lab.state().view());
}

/// The table of settings, as the documents have it.
fn table_of_settings() -> String {
    let bar = |text: &str| text.replace('|', "\\|");
    let mut table = "| setting | value | what it is | usual |\n|---|---|---|---|\n".to_owned();
    for setting in settings::of_clusters() {
        let words: Vec<String> =
            setting.words.iter().map(|(word, _)| format!("`{word}`")).collect();
        let value = match setting.shape {
            Shape::Word => words.join(" "),
            _ => format!("`{}`", bar(setting.form)),
        };
        table +=
            &format!("| `{}` | {value} | {} | {} |\n", setting.key, setting.about, setting.usual);
    }
    table
}

#[test]
fn the_reference_has_the_table_of_settings() {
    has_table("docs/reference.md", "settings", &table_of_settings());
}
