//! Every format of `lockstep export`: any run, with faults, comes out well formed and true.
//!
//! `export/*.txt` hold what the race looks like at step 6; `LOCKSTEP_EXPORTS=write` writes them anew.

#[path = "grade/xml.rs"]
mod xml;

use lockstep::catalog;
use lockstep::export::plot::{Plot, Tip};
use lockstep::export::{self, Run, markdown, mermaid, shiviz, svg, tikz};
use lockstep::lab::Lab;
use lockstep::model::{ChannelOrder, ClockRule, Config, Event, NodeId, StorageRule};
use lockstep::sim::SplitMix64;
use lockstep::ui::panel::Look;
use lockstep::ui::picture::Paper;
use lockstep::ui::shot::{self, Camera};
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use proptest::prelude::*;
use serde_json::Value;
use std::num::NonZeroU16;
use std::path::Path;
use std::process::{Command, Output};

const RACE: &str =
    "request P1; request P2; deliver P1>P3; deliver P2>P3; deliver P2>P1; deliver P1>P2";

/// The race at the step at which P2 defers P1.
fn race() -> Lab {
    let mut config = Config::new("ricart-agrawala", 3);
    config.clocks = vec![4, 2, 0];
    let mut lab = Lab::new(config).expect("the settings fit");
    lab.play_schedule(RACE).expect("every event is enabled where it stands");
    lab
}

/// A run of anything that can happen, faults and messages outside the algorithm included.
fn any_run(config: Config, seed: u64, steps: usize) -> Lab {
    let mut lab = Lab::new(config).expect("the settings fit");
    let mut rng = SplitMix64::new(seed);
    let clients = lab.setup().clients;
    for _ in 0..steps {
        let mut events = lab.state().enabled();
        let (a, b) = (NodeId::at(rng.below(clients)), NodeId::at(rng.below(clients)));
        let outside = if a == b { Event::Local(a) } else { Event::Tell(a, b) };
        events.extend(lab.state().check(outside));
        if events.is_empty() {
            break;
        }
        lab.play(events[rng.below(events.len())]).expect("only enabled events are chosen");
    }
    lab
}

fn written(format: &str, lab: &Lab) -> String {
    let exporter = export::find(format).expect("a format of the list");
    let mut bytes = Vec::new();
    exporter.export(&Run::of(lab), &mut bytes).expect("a vector can be written");
    String::from_utf8(bytes).expect("every format is text")
}

fn well_formed(markup: &str) -> xml::Element {
    let document = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{markup}");
    xml::parse(&document).unwrap_or_else(|why| panic!("{why}"))
}

/// The part of a page that scripts and styles leave alone.
fn main_of(page: &str) -> &str {
    let begin = page.find("<main>").expect("a page has a main part");
    let end = page.find("</main>").expect("it is closed") + "</main>".len();
    &page[begin..end]
}

fn camera() -> Camera {
    let theme = Theme::new(ThemeName::Dark, ColorUse::On, None);
    Camera { size: (100, 30), look: Look { theme, glyphs: Glyphs::UNICODE }, paper: Paper::Dark }
}

/// Rows of a sequence diagram, as Mermaid's grammar has them.
fn is_mermaid(line: &str, nodes: usize) -> bool {
    let place = |text: &str| {
        let number = text.strip_prefix('n').and_then(|n| n.parse::<usize>().ok());
        number.is_some_and(|n| (1..=nodes).contains(&n))
    };
    // Whatever stands behind the colon ends at a bare ; or begins an entity with #.
    let text_is_safe = |text: &str| {
        let mut rest = text;
        while let Some(at) = rest.find(['#', ';']) {
            let entity = rest[at..].strip_prefix('#').and_then(|r| r.split_once(';'));
            let Some((code, after)) = entity else { return false };
            if code.is_empty() || !code.bytes().all(|b| b.is_ascii_digit()) {
                return false;
            }
            rest = after;
        }
        true
    };
    if let Some(rest) = line.strip_prefix("participant ") {
        return rest.split_once(" as ").is_some_and(|(id, name)| place(id) && text_is_safe(name));
    }
    let Some((head, text)) = line.split_once(": ") else { return false };
    let places = match head.strip_prefix("Note over ") {
        Some(over) => over.split(',').collect::<Vec<_>>(),
        None => {
            let arrow = ["--)", "--x", "-)", "-x"].into_iter().find(|a| head.contains(a));
            let Some(arrow) = arrow else { return false };
            head.split(arrow).collect()
        }
    };
    places.iter().all(|p| place(p)) && text_is_safe(text)
}

/// Braces pair, and no special character of TeX stands bare outside our own commands.
fn is_tex(text: &str) -> bool {
    let (mut open, mut escaped) = (0_i32, false);
    for line in text.lines().filter(|l| !l.starts_with('%')) {
        for c in line.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '{' => open += 1,
                '}' => open -= 1,
                '#' | '$' | '&' | '_' | '^' | '~' | '%' => return false,
                _ => {}
            }
            if open < 0 {
                return false;
            }
        }
        escaped = false;
    }
    let pairs = |begin: &str, end: &str| text.matches(begin).count() == text.matches(end).count();
    open == 0
        && pairs("\\begin{tikzpicture}", "\\end{tikzpicture}")
        && pairs("\\begin{document}", "\\end{document}")
}

/// The vector clocks of a log, in order, each with its host; the log is read by the documented pattern.
fn vectors(log: &str) -> Vec<(String, serde_json::Map<String, Value>)> {
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len() % 2, 0, "an event has two lines");
    let one = |pair: &[&str]| {
        let (host, clock) = pair[0].split_once(' ').expect("a host and a clock");
        assert!(!host.is_empty() && clock.starts_with('{') && clock.ends_with('}'));
        let clock: Value = serde_json::from_str(clock).expect("a clock is JSON");
        (host.to_owned(), clock.as_object().expect("a map").clone())
    };
    lines.chunks(2).map(one).collect()
}

/// What the viewer demands: each host counts its own events from 1, and no count of another one is
/// larger than what that one has reached.
fn clocks_fit(log: &str) {
    let mut reached = std::collections::BTreeMap::<String, u64>::new();
    for (host, clock) in vectors(log) {
        let own = clock[&host].as_u64().expect("a count");
        assert_eq!(own, reached.get(&host).copied().unwrap_or(0) + 1, "{host}");
        reached.insert(host, own);
        for (other, count) in &clock {
            assert!(count.as_u64() <= reached.get(other).copied(), "{other}");
        }
    }
}

/// The lab that a run file describes, played to its end.
fn read_back(yaml: &str) -> Lab {
    let source = lockstep::input::Source::from_text("run.yaml", yaml, "lesson").expect("a text");
    let lesson = lockstep::lesson::load::checked(source).unwrap_or_else(|bad| panic!("{bad}"));
    let mut lab = Lab::new(lesson.config.clone()).expect("its settings fit");
    for event in lesson.steps().iter().flat_map(|step| &step.run) {
        lab.play(*event).expect("it was played before");
    }
    lab
}

fn check_every_format(lab: &Lab) {
    let (names, steps) = (&lab.setup().names, lab.state().steps() as usize);
    let json: Value = serde_json::from_str(&written("json", lab)).expect("JSON");
    assert_eq!(json["steps"].as_array().map(Vec::len), Some(steps));
    assert_eq!(written("json", &read_back(&written("yaml", lab))), written("json", lab));

    let table = written("markdown", lab);
    let rows: Vec<&str> = table.lines().filter(|l| l.starts_with('|')).collect();
    assert_eq!(rows.len(), steps + 2);
    let cells = |row: &str| row.replace("\\|", "").matches('|').count();
    assert!(rows.iter().all(|row| cells(row) == cells(rows[0])), "{table}");

    let diagram = written("mermaid", lab);
    let mut lines = diagram.lines();
    assert_eq!(lines.next(), Some("sequenceDiagram"));
    for line in lines {
        assert!(is_mermaid(line.trim_start(), names.len()), "{line}");
    }
    clocks_fit(&written("shiviz", lab));
    let tex = written("tikz", lab);
    assert!(is_tex(&tex), "{tex}");

    let picture = well_formed(&written("svg", lab));
    assert_eq!(picture.name, "svg");
    assert!(!picture.all("title")[0].text.is_empty() && !picture.all("desc").is_empty());
    let page = written("html", lab);
    let main = well_formed(main_of(&page));
    assert_eq!(main.all("section").len(), steps + 1);
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"));
}

/// Any cluster of the catalog.
fn any_config(which: usize, n: usize, any_order: bool, rest: u64) -> Config {
    let mut config = Config::new(catalog::all()[which].info.slug, n);
    config.channels = any_order.then_some(ChannelOrder::AnyOrder);
    config.clock = if rest & 1 == 0 { ClockRule::Merge } else { ClockRule::Tick };
    if rest & 2 == 0 {
        config.clocks = (0..n as u32).map(|i| (i * 7 + 3) % 5).collect();
    }
    if rest & 12 == 0 {
        config.nodes =
            ["a_b", "x-1", "No", "1.0", "Zoë"][..n].iter().map(|s| (*s).into()).collect();
    }
    if config.algorithm == "lease" && rest & 16 == 0 {
        config.storage = Some(StorageRule::Fenced);
    }
    config
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_format_takes_every_run(
        which in 0..catalog::all().len(), n in 1..5_usize, any_order: bool, rest: u64,
        seed: u64, steps in 0..40_usize,
    ) {
        let config = any_config(which, n, any_order, rest);
        check_every_format(&any_run(config, seed, steps));
    }

    #[test]
    fn no_text_gets_out_of_its_place(text in "\\PC{0,20}") {
        let element = format!("<a b=\"{0}\">{0}</a>", svg::escape(&text));
        let read = well_formed(&element);
        prop_assert_eq!(read.get("b"), text.as_str());
        prop_assert_eq!(&read.text, &text);
        let tex = tikz::escape(&text);
        prop_assert!(is_tex(&format!("{{{tex}}}")), "{}", tex);
        let row = format!("Note over n1: {}", mermaid::escape(&text));
        prop_assert!(is_mermaid(&row, 1), "{}", row);
        let cell = markdown::escape(&text);
        prop_assert!(!cell.replace("\\|", "").replace("\\\\", "").contains(['|', '<']), "{}", cell);
    }
}

#[test]
fn every_algorithm_goes_through_every_format_with_faults() {
    for entry in catalog::all() {
        check_every_format(&any_run(Config::new(entry.info.slug, 3), 7, 60));
    }
}

#[test]
fn every_setting_comes_back_from_the_run_file() {
    let mut config = Config::new("maekawa", 3);
    let set = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    config.quorums = lockstep::model::QuorumChoice::Sets(vec![
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
    config.fence = lockstep::model::FenceOn::Both;
    let lab = any_run(config, 3, 12);
    assert_eq!(read_back(&written("yaml", &lab)).config(), lab.config());

    let mut config = Config::new("ricart-agrawala", 2);
    config.variant = Some("tie-replies".to_owned());
    let lab = any_run(config, 3, 12);
    assert_eq!(read_back(&written("yaml", &lab)).config(), lab.config());
}

/// Whether two stretches of straight line meet between their ends.
fn cross(a: ((f64, f64), (f64, f64)), b: ((f64, f64), (f64, f64))) -> bool {
    let side = |l: ((f64, f64), (f64, f64)), p: (f64, f64)| {
        (l.1.0 - l.0.0) * (p.1 - l.0.1) - (l.1.1 - l.0.1) * (p.0 - l.0.0)
    };
    side(a, b.0) * side(a, b.1) < 0.0 && side(b, a.0) * side(b, a.1) < 0.0
}

#[test]
fn the_two_requests_of_the_race_cross_in_the_picture() {
    let lab = race();
    let plot = Plot::of(&Run::of(&lab));
    let line = |sent: u32, label: &str, up: bool| {
        let found = plot.links.iter().find(|l| {
            l.sent_at == sent
                && l.label == label
                && (l.to.1 < l.from.1) == up
                && l.tip == Tip::Received
                && l.to.0 > 380.0
        });
        let link = found.expect("the message has a line");
        (link.from, link.to)
    };
    assert!(cross(line(1, "REQUEST (5,P1)", false), line(2, "REQUEST (3,P2)", true)));
    assert!(plot.links.iter().all(|l| l.from.0 < l.to.0), "no line runs back in time");
}

#[test]
fn a_lost_message_ends_in_a_cross_and_one_on_its_way_in_the_open() {
    let mut lab = Lab::new(Config::new("ricart-agrawala", 3)).expect("default settings");
    lab.play_schedule("request P1; drop P1>P2").expect("a schedule");
    let plot = Plot::of(&Run::of(&lab));
    assert_eq!(plot.links.iter().map(|l| l.tip).collect::<Vec<_>>(), [Tip::Lost, Tip::Open]);
    assert!(written("mermaid", &lab).contains("n1-xn2: 2. REQUEST (1,P1) (sent at 1), lost"));
}

#[test]
fn an_arrow_of_mermaid_stands_where_its_message_arrives() {
    let diagram = written("mermaid", &race());
    let place = |text: &str| diagram.find(text).expect(text);
    assert!(
        place("n2-)n1: 5. REQUEST (3,P2) (sent at 2)")
            < place("n1-)n2: 6. REQUEST (5,P1) (sent at 1)")
    );
}

#[test]
fn shiviz_vectors_of_the_race_are_those_of_happened_before() {
    let log = written("shiviz", &race());
    let clocks: Vec<String> =
        vectors(&log).iter().map(|(_, c)| Value::from(c.clone()).to_string()).collect();
    assert_eq!(
        clocks,
        [
            r#"{"P1":1}"#,
            r#"{"P2":1}"#,
            r#"{"P1":1,"P3":1}"#,
            r#"{"P1":1,"P2":1,"P3":2}"#,
            r#"{"P1":2,"P2":1}"#,
            r#"{"P1":1,"P2":2}"#,
        ]
    );
    assert!(export::find("shiviz").is_some_and(|e| e.about().contains(shiviz::PATTERN)));
}

#[test]
fn a_recording_is_json_lines_and_shows_every_step() {
    let cast = camera().cast(race());
    let lines: Vec<Value> =
        cast.lines().map(|l| serde_json::from_str(l).expect("a line is JSON")).collect();
    assert_eq!((&lines[0]["version"], &lines[0]["width"]), (&Value::from(2), &Value::from(100)));
    assert_eq!(lines.len(), 1 + 7, "a header, the beginning and six steps");
    let size = |n: u16| NonZeroU16::new(n).expect("a size");
    let mut terminal = vt100::Parser::new(size(30), size(100), 0);
    let mut last = -1.0;
    for (n, event) in lines[1..].iter().enumerate() {
        let time = event[0].as_f64().expect("a time");
        assert!(time > last && event[1] == "o");
        last = time;
        terminal.process(event[2].as_str().expect("what is written").as_bytes());
        let shown = terminal.screen().contents();
        assert!(shown.contains(&format!("step {n}")), "{shown}");
    }
    let shown = terminal.screen().contents();
    assert!(shown.contains("(5,P1)") && shown.lines().count() <= 30, "{shown}");
}

#[test]
fn the_screen_is_a_picture_with_the_cells_of_the_stepper() {
    let picture = well_formed(&camera().screen(race()));
    let texts: String = picture.all("text").iter().map(|t| t.text.clone() + " ").collect();
    assert!(texts.contains("REPLY") && texts.contains("(3,P2)"), "{texts}");
}

#[test]
fn the_page_has_no_address_and_a_live_region() {
    let page = written("html", &race());
    let main = well_formed(main_of(&page));
    let live =
        main.all("p").into_iter().find(|p| p.attributes.iter().any(|(n, _)| n == "aria-live"));
    assert_eq!(live.expect("a live region").get("role"), "status");
    assert_eq!(main.all("button").len(), 4);
    assert!(page.contains("ArrowRight") && page.contains("ArrowLeft"));
    for outside in ["src=", "href=", "@import", "url(http", "fetch("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn the_race_at_step_6_looks_like_its_files() {
    let lab = race();
    let mut old = Vec::new();
    for format in ["yaml", "markdown", "mermaid", "shiviz", "svg", "tikz"] {
        let made = written(format, &lab);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/export/{format}.txt"));
        if std::env::var("LOCKSTEP_EXPORTS").as_deref() == Ok("write") {
            std::fs::write(&path, &made).expect("the folder can be written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        old.extend((kept != made).then_some(format));
    }
    assert!(old.is_empty(), "{old:?} changed: see the head of this file");
}

#[test]
fn the_readme_has_every_format() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.expect("there is a README");
    let (_, table) = readme.split_once("<!-- formats").expect("a table of formats");
    let table = table.split("<!-- end -->").next().unwrap_or_default();
    let screens = [shot::SCREEN.0, shot::CAST.0];
    for format in export::EXPORTERS.iter().map(|e| e.name()).chain(screens) {
        assert!(table.contains(&format!("`{format}`")), "{format}");
    }
}

fn lockstep(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    command.args(args).env_remove("LOCKSTEP_LESSONS").env_remove("LOCKSTEP_WHO");
    command.output().expect("the program runs")
}

#[test]
fn a_lesson_goes_through_every_format_of_the_command() {
    let screens = [shot::SCREEN.0, shot::CAST.0];
    for format in export::EXPORTERS.iter().map(|e| e.name()).chain(screens) {
        let output = lockstep(&["export", "ricart-agrawala-race", "-f", format]);
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{format}");
    }
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

#[test]
fn a_run_as_one_line_is_exported_like_its_options() {
    let line = "ricart-agrawala; clocks=4,2,0; request P1; request P2; deliver P1>P3";
    let events = "request P1; request P2; deliver P1>P3";
    let options = ["ricart-agrawala", "--clocks", "4,2,0", "--schedule", events];
    for format in ["svg", "yaml", "cast"] {
        let of_line = lockstep(&["export", line, "-f", format]);
        let of_options = lockstep(&[&["export"], &options[..], &["-f", format]].concat());
        assert_eq!(of_line.status.code(), Some(0), "{format}");
        assert_eq!(of_line.stdout, of_options.stdout, "{format}");
    }
}

#[test]
fn at_ends_the_run_and_what_does_not_fit_is_bad_use() {
    let cut = lockstep(&["export", "lamport", "--at", "2", "-f", "json"]);
    let cut: Value = serde_json::from_slice(&cut.stdout).expect("JSON");
    assert_eq!(cut["schedule"].as_array().map(Vec::len), Some(2));
    for bad in [
        &["export", "lamport", "-f", "text", "--at", "999"][..],
        &["export", "lamport", "-f", "screen", "--size", "10x5"],
        &["export", "lamport", "-f", "nothing"],
        &["export", "lamport", "-f", "text", "--schedule", "deliver P1>P2"],
        &["export", "lamport"],
    ] {
        let output = lockstep(bad);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{bad:?}");
    }
    let open = ["export", "lamport", "-f", "svg", "--until", "entries(P1) == 5"];
    let output = lockstep(&open);
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stdout.is_empty(), "it is written all the same");
}
