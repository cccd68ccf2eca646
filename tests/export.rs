//! Every format of `lockstep export`: any run, with faults, comes out well formed and true.
//!
//! `export/*.txt` hold what the race looks like at step 6; `LOCKSTEP_EXPORTS=write` writes them anew.

mod again;
mod document;
mod grammar;
mod screens;
mod table;

use crate::grade::xml;
use crate::program::lockstep as program;
use crate::runs::{any_config, any_run, race, written, written_with};
use document::Checker;
use grammar::{check_clocks, is_mermaid, is_tex, log};
use lockstep::catalog;
use lockstep::export::plot::{Plot, Tip};
use lockstep::export::{self, Run, markdown, mermaid, shiviz, svg, tikz};
use lockstep::lab::Lab;
use lockstep::model::Config;
use lockstep::ui::shot::{self, Camera};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Output;

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

fn check_every_format(lab: &Lab, checker: &Checker) {
    let (names, steps) = (&lab.setup().names, lab.state().steps() as usize);
    let json: Value = serde_json::from_str(&written("json", lab)).expect("JSON");
    assert_eq!(json["steps"].as_array().map(Vec::len), Some(steps));
    let initial = json["initial"]["nodes"].as_object().expect("what the nodes hold at first");
    assert_eq!(initial.keys().map(String::as_str).collect::<Vec<_>>(), {
        let mut all: Vec<&str> = names.iter().collect();
        all.sort_unstable();
        all
    });
    let copied = |step: &&Value| step.get("copied").is_some();
    let steps_json = json["steps"].as_array().expect("as above");
    assert!(steps_json.iter().filter(copied).all(|step| step["copy"].is_string()));
    let begun = Run::of(lab).states().next().map_or(0, |state| state.view().in_flight.len());
    checker.check(&json, begun);
    assert_eq!(written("json", &again::read_back(&written("yaml", lab))), written("json", lab));

    table::check(&written("markdown", lab), &json);

    let diagram = written("mermaid", lab);
    let mut lines = diagram.lines();
    assert_eq!(lines.next(), Some("sequenceDiagram"));
    for line in lines {
        assert!(is_mermaid(line.trim_start(), names.len()), "{line}");
    }
    let events = log(&written("shiviz", lab));
    let run = Run::of(lab);
    let of_nodes = run.steps().filter(|(record, _)| record.node.is_some());
    let said: Vec<String> = of_nodes.map(|(record, _)| record.event.show(names)).collect();
    assert_eq!(events.len(), said.len());
    for (event, said) in events.iter().zip(said) {
        assert!(event.event.contains(&said), "{event:?} is {said}");
    }
    check_clocks(&events);
    let tex = written("tikz", lab);
    assert!(is_tex(&tex), "{tex}");

    let picture = well_formed(&written("svg", lab));
    assert_eq!(picture.name, "svg");
    assert!(!picture.all("title")[0].text.is_empty() && !picture.all("desc").is_empty());
    let page = written("html", lab);
    let main = well_formed(main_of(&page));
    assert_eq!(main.all("section").len(), steps + 1);
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"));
    for exporter in export::EXPORTERS {
        let text = written(exporter.name(), lab);
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{}", exporter.name());
        assert_eq!(text, written(exporter.name(), lab), "{}", exporter.name());
    }
    let mut plain = Run::of(lab);
    plain.ascii = true;
    let foreign = names.iter().any(|name| !name.is_ascii());
    assert!(foreign || written_with("text", &plain).is_ascii());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_format_takes_every_run(
        which in 0..catalog::all().len(), n in 1..5_usize, any_order: bool, rest: u64,
        seed: u64, steps in 0..40_usize,
    ) {
        let config = any_config(which, n, any_order, rest);
        check_every_format(&any_run(config, seed, steps), &Checker::new());
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
    let checker = Checker::new();
    for entry in catalog::all() {
        check_every_format(&any_run(Config::new(entry.info.slug, 3), 7, 60), &checker);
    }
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
    let clocks: Vec<String> =
        log(&written("shiviz", &race())).iter().map(|e| json!(e.clock).to_string()).collect();
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
    let of_runs = export::EXPORTERS.iter().map(|e| (e.name(), written(e.name(), &lab)));
    let camera = Camera { size: (80, 24), ..screens::camera() };
    let of_screens = [(shot::SCREEN.0, camera.screen(race())), (shot::CAST.0, camera.cast(race()))];
    for (format, made) in of_runs.chain(of_screens) {
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
fn the_guide_for_teachers_has_every_format() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/teach.md");
    let guide = std::fs::read_to_string(guide).expect("the guide is there");
    let (_, table) = guide.split_once("<!-- formats").expect("a table of formats");
    let table = table.split("<!-- end -->").next().unwrap_or_default();
    let screens = [shot::SCREEN.0, shot::CAST.0];
    for format in export::EXPORTERS.iter().map(|e| e.name()).chain(screens) {
        assert!(table.contains(&format!("`{format}`")), "{format}");
    }
}

fn lockstep(args: &[&str]) -> Output {
    program(args).run()
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

#[test]
fn a_run_that_is_too_long_for_the_usual_tools_is_written_with_a_note() {
    let run = |at: &[&str], format: &str| {
        let all = ["export", "lamport", "--seed", "7", "--requests", "70", "-f", format];
        lockstep(&[&all[..], at].concat())
    };
    let note = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    for (format, words) in [("mermaid", "50000 characters"), ("svg", "32767")] {
        let (long, short) = (run(&[], format), run(&["--at", "90"], format));
        assert!(long.status.success() && !long.stdout.is_empty(), "{}", note(&long));
        assert!(note(&long).contains(words), "{}", note(&long));
        assert_eq!(note(&short), "");
    }
}

/// A text of the picture: its middle, the direction in which it runs, half its width and half its height.
struct Box2 {
    middle: (f64, f64),
    along: (f64, f64),
    half: (f64, f64),
    text: String,
}

impl Box2 {
    fn new(middle: (f64, f64), degrees: f64, text: &str) -> Self {
        let radians = degrees.to_radians();
        // Narrower than any font has it, so that what touches here overlaps on every page.
        let half = (2.4 * text.chars().count() as f64, 3.5);
        Self { middle, along: (radians.cos(), radians.sin()), half, text: text.to_owned() }
    }

    /// How far it reaches along a direction.
    fn reach(&self, axis: (f64, f64)) -> (f64, f64) {
        let (ux, uy) = self.along;
        let middle = self.middle.0 * axis.0 + self.middle.1 * axis.1;
        let width = self.half.0 * (ux * axis.0 + uy * axis.1).abs();
        let height = self.half.1 * (ux * axis.1 - uy * axis.0).abs();
        (middle - width - height, middle + width + height)
    }

    /// Two boxes that a line parts do not overlap.
    fn overlaps(&self, other: &Self) -> bool {
        let axes = [self, other].into_iter().flat_map(|b| [b.along, (-b.along.1, b.along.0)]);
        axes.into_iter().all(|axis| {
            let (a, b) = (self.reach(axis), other.reach(axis));
            a.0 < b.1 && b.0 < a.1
        })
    }
}

/// The small texts of a picture, without the numbers of steps at its top and the legend.
fn small_texts(picture: &str) -> Vec<Box2> {
    let number = |text: &str, key: &str| -> Option<f64> {
        let begin = text.find(key)? + key.len();
        let end = text[begin..].find(['"', ' ', ')']).map_or(text.len(), |n| begin + n);
        text[begin..end].parse().ok()
    };
    let lines = picture.lines().filter(|l| l.starts_with("<text class=\"small halo\""));
    let one = |line: &str| {
        let text = line.split_once('>')?.1.strip_suffix("</text>")?;
        if let Some(degrees) = number(line, "rotate(") {
            let (x, y) = line.split_once("translate(")?.1.split_once(')')?.0.split_once(' ')?;
            let (x, y): (f64, f64) = (x.parse().ok()?, y.parse().ok()?);
            let radians = degrees.to_radians();
            // The base line lies 4 above the message's line, the middle of its letters 4 above that.
            let at = (x + 8.0 * radians.sin(), y - 8.0 * radians.cos());
            return Some(Box2::new(at, degrees, text));
        }
        Some(Box2::new((number(line, " x=\"")?, number(line, " y=\"")? - 4.0), 0.0, text))
    };
    lines.map(|line| one(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

#[test]
fn no_name_of_a_message_lies_on_another_or_on_a_clock_in_any_lesson_or_algorithm() {
    let lessons = crate::lessons::authoring::shipped().into_iter().map(|lesson| {
        let mut lab = lesson.lab().expect("a cluster");
        for event in lesson.walk().flat_map(|stop| stop.events().collect::<Vec<_>>()) {
            lab.play(event).expect("a lesson's events can happen");
        }
        (lesson.id.clone(), lab)
    });
    let algorithms = catalog::all().iter().map(|entry| {
        let mut lab = Lab::new(Config::new(entry.info.slug, 3)).expect("the settings fit");
        for ask in ["request P1", "request P2", "request P3"] {
            let _asks_where_it_can = lab.play_schedule(ask);
        }
        lab.run_on(&mut lockstep::sim::Policy::Oldest, None);
        (entry.info.slug.to_owned(), lab)
    });
    let (mut names, mut bad) = (0, Vec::new());
    for (id, lab) in lessons.chain(algorithms) {
        let texts = small_texts(&written("svg", &lab));
        for (i, a) in texts.iter().enumerate() {
            names += 1;
            for b in &texts[..i] {
                if a.overlaps(b) {
                    bad.push(format!("{id}: `{}` and `{}` at {:?}", a.text, b.text, a.middle));
                }
            }
        }
    }
    assert!(names > 600, "{names}");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn a_part_of_a_run_is_written_by_every_format_that_can_begin_later_and_refused_by_the_others() {
    let lab = race();
    let steps = lab.state().steps();
    for from in 2..=steps {
        for exporter in export::EXPORTERS {
            let part = Run::of(&lab).from_step(from);
            let late = ["svg", "tikz", "mermaid", "markdown", "html"].contains(&exporter.name());
            assert_eq!(exporter.refuses(&part).is_none(), late, "{}", exporter.name());
            if !late {
                continue;
            }
            let text = written_with(exporter.name(), &part);
            let shown = |n: u32| match exporter.name() {
                "svg" => text.contains(&format!("data-column=\"{n}\"")),
                "html" => text.contains(&format!("<section class=\"step\" data-n=\"{n}\">")),
                "tikz" => text.contains(&format!("12) {{{n}}};")),
                "markdown" => text.contains(&format!("| {n} | ")),
                _ => text.contains(&format!(": {n}. ")),
            };
            // A page shows the state at which it begins as well.
            let first = if exporter.name() == "html" { from - 1 } else { from };
            for n in 1..=steps {
                assert_eq!(shown(n), n >= first, "{}: step {n} of {from}", exporter.name());
            }
        }
    }
}

#[test]
fn a_picture_for_a_slide_fits_it_or_is_refused_with_what_fits() {
    let mut fitted = 0;
    for entry in catalog::all() {
        let mut lab = Lab::new(Config::new(entry.info.slug, 3)).expect("the settings fit");
        let _asks_where_it_can = lab.play_schedule("request P1; request P2");
        lab.run_on(&mut lockstep::sim::Policy::Oldest, None);
        let mut run = Run::of(&lab);
        run.width = Some(400);
        let why = export::find("svg").expect("a format").refuses(&run);
        if let Some(why) = why {
            let part = why.split_once("--from 1 --at ").expect("what fits is told").1;
            let at: u32 = part.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
            while lab.state().steps() > at {
                lab.history_mut().back();
            }
            run = Run::of(&lab);
            run.width = Some(400);
        }
        assert_eq!(
            export::find("tikz").expect("a format").refuses(&run),
            None,
            "{}",
            entry.info.slug
        );
        let plot = Plot::of(&run);
        let (width, height) = (plot.width * plot.scale, plot.height * plot.scale);
        assert!(width <= 400.5 && height <= 225.5, "{}: {width}x{height}", entry.info.slug);
        // 11 pixels are 8.25 points.
        assert!(8.25 * plot.scale >= 6.99);
        fitted += 1;
    }
    assert_eq!(fitted, catalog::all().len());
}
