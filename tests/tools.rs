//! What the tools say that our formats are made for: LaTeX, Mermaid, a browser and librsvg take runs of
//! every algorithm, with every fault there is; readers of grades take a class.
//!
//! Not every machine has these tools, so `cargo test` leaves these tests out; `tests/tools/run` installs
//! what is missing and runs them. What they were given stays in `target/tmp/tools`.

#[allow(dead_code, reason = "the tools are started here, not the program")]
#[path = "support/program.rs"]
mod program;
#[path = "support/runs.rs"]
mod runs;

use lockstep::catalog;
use lockstep::export::{Run, mermaid, shiviz, tikz};
use lockstep::lab::Lab;
use lockstep::model::{Config, NodeId, StorageRule};
use lockstep::sim::StepRecord;
use lockstep::trace::narrate;
use lockstep::ui::panel::Look;
use lockstep::ui::picture::Paper;
use lockstep::ui::shot::Camera;
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use program::{LOCKSTEP, clean};
use runs::{any_config, any_run, race, written};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs under names of files: two of every algorithm with faults and odd names, the race of the course,
/// one in which nothing happens, one of a single node, one in which everybody asks, and a long one.
fn samples() -> Vec<(String, Lab)> {
    let mut all = vec![
        ("race".to_owned(), race()),
        ("lesson-9".to_owned(), lesson_9()),
        ("nothing".to_owned(), any_run(Config::new("lamport", 3), 1, 0)),
        ("alone".to_owned(), any_run(Config::new("ricart-agrawala", 1), 1, 12)),
        ("everybody".to_owned(), everybody()),
        ("storage".to_owned(), storage()),
    ];
    for (which, entry) in catalog::all().iter().enumerate() {
        let odd = which as u64;
        for (n, rest) in [(3, 0x3c), (5, 4 * (odd % 3) + 1 + 128 * (odd % 4))] {
            let lab = any_run(any_config(which, n, n == 5, rest), rest + odd, 8 * n);
            all.push((format!("{}-{n}", entry.info.slug), lab));
        }
    }
    all
}

/// What lesson 9 plays, to its end: its own cluster, and the events that the command says.
fn lesson_9() -> Lab {
    let lesson =
        lockstep::lesson::Library::embedded().open("9").expect("the lesson is in the course");
    let mut lab = Lab::new(lesson.config.clone()).expect("its settings fit");
    let json = tool(LOCKSTEP, &["run", "9", "--format", "json"], Path::new("."));
    let run: Value = serde_json::from_str(&json).expect("JSON");
    for event in run["schedule"].as_array().expect("a list of events") {
        lab.play_schedule(event.as_str().expect("text")).expect("it was played");
    }
    assert_eq!(written("json", &lab), json);
    lab
}

/// Five nodes that all ask, to the end: as many lines as they can be.
fn everybody() -> Lab {
    let mut lab = Lab::new(Config::new("ricart-agrawala", 5)).expect("the settings fit");
    let ask: Vec<String> = (1..=5).map(|i| format!("request P{i}")).collect();
    lab.play_schedule(&ask.join("; ")).expect("everybody may ask");
    lab.run_on(&mut lockstep::sim::Policy::Oldest, None);
    lab
}

/// A lease that runs out while its holder still writes to storage.
fn storage() -> Lab {
    let mut config = Config::new("lease", 2);
    config.storage = Some(StorageRule::Fenced);
    let mut lab = Lab::new(config).expect("the settings fit");
    let events =
        "request P1; deliver P1>L; deliver L>P1; read P1; write P1; deliver P1>S; timeout L";
    lab.play_schedule(events).expect("every event is enabled where it stands");
    lab.run_on(&mut lockstep::sim::Policy::Oldest, None);
    lab
}

/// Texts with everything that a language could take for its own.
const TEXTS: [&str; 9] = [
    "a;b#c<d>&e\"f'g%h{i}j`k\\l|m^n~o_p$q*r[s]t(u)v/w=x+y-z:@!?.,",
    "end",
    "P1>P2#3 &amp; <br/> <b>",
    "%%{init: {}}%% $$x$$",
    "100% \\begin{document} \\",
    "P1->>P2: no",
    "Zoë, Łukasz, Þór, ß – … ≤ →",
    "节点一 узел Ω عقدة",
    "🔒🦀",
];

/// An empty folder for what a tool is given.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tools").join(name);
    if path.exists() {
        fs::remove_dir_all(&path).expect("what an earlier run left can be removed");
    }
    fs::create_dir_all(&path).expect("the folder can be made");
    path
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("the folder can be written");
}

/// Runs a tool and gives back what it prints. That it is missing is a failure like any other.
fn tool(program: &str, args: &[&str], folder: &Path) -> String {
    let mut command = Command::new(program);
    // What the tools keep stays with what they were given.
    clean(&mut command, &Path::new(env!("CARGO_TARGET_TMPDIR")).join("tools"));
    let output = command.args(args).current_dir(folder).output();
    let output = output.unwrap_or_else(|why| panic!("{program}: {why}; see tests/tools/install"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    let folder = folder.display();
    assert!(output.status.success(), "{program} {args:?} in {folder}:\n{said}\n{complaint}");
    said
}

/// One of the scripts that drive the browser.
fn script(name: &str, folder: &Path) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools").join(name);
    let args = [path.to_str().expect("a path of text"), folder.to_str().expect("a path of text")];
    tool("node", &args, folder)
}

/// A class whose names a spreadsheet may garble, in a folder with its lesson.
fn class(name: &str) -> PathBuf {
    let folder = folder(name);
    let given = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/grading");
    let read = |name: &str| fs::read_to_string(given.join(name)).expect("it is in the guide");
    write(&folder.join("lesson.yaml"), &read("lesson.yaml"));
    fs::create_dir(folder.join("class")).expect("the folder can be made");
    for (place, who) in NAMES.iter().enumerate() {
        let whole = read(["class/ada.yaml", "class/ben.yaml"][place % 2]);
        let own = |line: &str| match line.starts_with("who: ") {
            true => format!("who: {who}\n"),
            false => format!("{line}\n"),
        };
        let text: String = whole.lines().map(own).collect();
        write(&folder.join(format!("class/{place}.yaml")), &text);
    }
    let rows: String = NAMES.iter().map(|who| format!("{who}\n")).collect();
    write(&folder.join("roster.csv"), &format!("name\n{rows}"));
    folder
}

/// Names that are no ASCII.
const NAMES: [&str; 4] = ["张伟", "Jürgen Müßig", "Łukasz Żółć", "Ólafur Þór"];

#[test]
#[ignore = "needs LibreOffice; tests/tools/run installs it"]
fn a_spreadsheet_reads_every_name_of_a_gradebook() {
    let folder = class("spreadsheet");
    let grade = ["grade", "class", "--lesson", "lesson.yaml", "--exit-zero", "--bom"];
    for (file, options) in [("roster", ["--roster", "roster.csv"]), ("table", ["--format", "csv"])]
    {
        let csv = format!("{file}-grades.csv");
        tool(LOCKSTEP, &[&grade[..], &options, &["-o", &csv]].concat(), &folder);
        // Commas and quotes, and no word about the encoding: it is found out.
        let filter = "--infilter=Text - txt - csv (StarCalc):44,34,0";
        tool("soffice", &["--headless", filter, "--convert-to", "fods", &csv], &folder);
        let sheet = fs::read_to_string(folder.join(format!("{file}-grades.fods")));
        let sheet = sheet.expect("it was converted");
        for who in NAMES {
            assert!(sheet.contains(&format!("<text:p>{who}</text:p>")), "{who} in {file}");
        }
    }
}

/// A tool from PyPI, in its own environment.
fn python(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/.venv/bin").join(name);
    path.to_str().expect("a path of text").to_owned()
}

#[test]
#[ignore = "needs junitparser; tests/tools/run installs it"]
fn junitparser_counts_what_was_graded() {
    let folder = class("junit");
    let grade = ["grade", "class", "--lesson", "lesson.yaml", "--exit-zero", "--format"];
    tool(LOCKSTEP, &[&grade[..], &["junit", "-o", "junit.xml"]].concat(), &folder);
    let json = tool(LOCKSTEP, &[&grade[..], &["json"]].concat(), &folder);
    let graded: Value = serde_json::from_str(&json).expect("JSON");
    let all = graded["files"].as_array().expect("a report a file");
    let tests = all.iter().flat_map(|report| report["tests"].as_array().expect("a list"));
    let with = |status: &str| tests.clone().filter(|test| test["status"] == status).count();
    let program = "import junitparser; x = junitparser.JUnitXml.fromfile('junit.xml'); \
                   print(x.tests, x.failures, x.errors, len(list(x)))";
    let read = tool(&python("python"), &["-c", program], &folder);
    let counts =
        format!("{} {} {} {}", tests.clone().count(), with("failed"), with("error"), all.len());
    assert_eq!(read.trim(), counts);
}

#[test]
#[ignore = "needs nbgrader; tests/tools/run installs it"]
fn nbgrader_validates_a_notebook_with_right_answers_and_no_other() {
    let folder = class("nbgrader");
    let notebook = "mutual-exclusion.ipynb";
    let given = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/grading/nbgrader").join(notebook);
    fs::copy(given, folder.join(notebook)).expect("it is in the guide");
    let program = Path::new(LOCKSTEP).parent().expect("it lies in a folder").display().to_string();
    let validate = format!("PATH={program}:$PATH {} validate {notebook}", python("nbgrader"));
    // Who is at an even place has everything right.
    for (place, right) in [(0, true), (1, false)] {
        let answers = folder.join(format!("class/{place}.yaml"));
        fs::copy(answers, folder.join("answers.yaml")).expect("it is there");
        let said = tool("bash", &["-c", &validate], &folder);
        assert_eq!(said.contains("Success"), right, "{place}: {said}");
        assert_eq!(said.contains("AssertionError"), !right, "{place}: {said}");
    }
}

#[test]
fn the_samples_have_every_kind_of_event() {
    let samples = samples();
    let schedules: Vec<String> = samples.iter().map(|(_, lab)| lab.schedule_text()).collect();
    let schedules = schedules.join(";");
    let kinds: Vec<&str> =
        schedules.split(';').filter_map(|e| e.split_whitespace().next()).collect();
    for (kind, _) in lockstep::model::event::VERBS {
        assert!(kinds.contains(&kind), "no sample has {kind}");
    }
}

/// A document with the pictures of many exported ones, each of which is a document by itself.
fn joined(documents: &[String]) -> String {
    const BEGIN: &str = "\\begin{document}\n";
    const END: &str = "\\end{document}\n";
    let (head, _) = documents[0].split_once(BEGIN).expect("it is a document");
    let bodies = documents.iter().map(|document| {
        let (own, body) = document.split_once(BEGIN).expect("it is a document");
        assert_eq!(own, head);
        body.strip_suffix(END).expect("it ends")
    });
    [head, BEGIN].into_iter().chain(bodies).chain([END]).collect()
}

/// Compiles a document, and takes nothing that LaTeX complains of.
fn compile(name: &str, document: &str, folder: &Path) -> String {
    write(&folder.join(format!("{name}.tex")), document);
    let args = ["-interaction=nonstopmode", "-halt-on-error", "-file-line-error", name];
    tool("pdflatex", &args, folder);
    let log = fs::read(folder.join(format!("{name}.log"))).expect("LaTeX writes a log");
    let log = String::from_utf8_lossy(&log).into_owned();
    for complaint in ["Missing character", "Overfull", "Warning", "\n!"] {
        let line = log.lines().find(|line| line.contains(complaint.trim_start()));
        assert!(!log.contains(complaint), "{name}: {line:?}");
    }
    log
}

#[test]
#[ignore = "needs LaTeX; tests/tools/run installs it"]
fn latex_sets_every_picture() {
    let folder = folder("latex");
    let documents: Vec<String> = samples().iter().map(|(_, lab)| written("tikz", lab)).collect();
    let log = compile("all", &joined(&documents), &folder);
    assert!(log.contains(&format!("({} pages", documents.len())), "a page each: {log}");
    compile("race", &written("tikz", &race()), &folder);
    let foreign = written("tikz", &any_run(any_config(1, 4, false, 4), 3, 4));
    let nodes = TEXTS.map(|text| format!("\\node at (0,0) {{{}}};\n", tikz::escape(text))).concat();
    let end = "\\end{tikzpicture}";
    compile("texts", &foreign.replace(end, &format!("{nodes}{end}")), &folder);
    // A run longer than anything that TeX can measure.
    compile("long", &written("tikz", &any_run(Config::new("token-ring", 3), 5, 400)), &folder);
}

#[test]
#[ignore = "needs LaTeX; tests/tools/run installs it"]
fn a_picture_stands_in_a_document_of_ones_own() {
    let cut = |text: &str| {
        let begin = text.find("\\begin{tikzpicture}").expect("a picture");
        let end = text.find("\\end{tikzpicture}").expect("its end") + "\\end{tikzpicture}".len();
        text[begin..end].to_owned()
    };
    let config = any_config(1, 4, false, 4);
    let pictures =
        [written("tikz", &race()), written("tikz", &any_run(config, 3, 4))].map(|t| cut(&t));
    let own = format!(
        "\\documentclass[a4paper]{{report}}\n\\usepackage{{tikz}}\n\\begin{{document}}\n\
         Text before.\n\\begin{{figure}}\\resizebox{{\\textwidth}}{{!}}{{{}}}\\caption{{One}}\n\
         \\end{{figure}}\n\\newpage\n\\noindent\\resizebox{{\\textwidth}}{{!}}{{\\begin{{tabular}}{{l}}\n\
         {}\n\\end{{tabular}}}}\n\\end{{document}}\n",
        pictures[0], pictures[0]
    );
    let folder = folder("latex-own");
    compile("own", &own, &folder);
    // One with foreign letters brings a definition, which may not stand in an argument.
    let foreign = format!(
        "\\documentclass{{article}}\n\\usepackage[T1]{{fontenc}}\n\\usepackage{{tikz}}\n\
         \\textwidth=100cm\n\\begin{{document}}\n{}\n\\end{{document}}\n",
        pictures[1]
    );
    compile("foreign", &foreign, &folder);
}

#[test]
#[ignore = "needs a browser and Mermaid; tests/tools/run installs them"]
fn mermaid_draws_what_the_rows_say() {
    let folder = folder("mermaid");
    for (name, lab) in samples() {
        write(&folder.join(format!("{name}.mmd")), &written("mermaid", &lab));
    }
    let notes = TEXTS.map(|text| format!("    Note over n1: {}\n", mermaid::escape(text))).concat();
    let texts = format!("sequenceDiagram\n    participant n1 as P1\n{notes}");
    write(&folder.join("texts.mmd"), &texts);
    write(&folder.join("texts.json"), &Value::from(TEXTS.to_vec()).to_string());
    assert!(script("mermaid.mjs", &folder).contains(" diagrams"));
}

#[test]
#[ignore = "needs a browser; tests/tools/run installs it"]
fn a_page_stepped_by_keys_shows_what_the_json_says() {
    let folder = folder("pages");
    for (name, lab) in samples() {
        write(&folder.join(format!("{name}.html")), &written("html", &lab));
        write(&folder.join(format!("{name}.svg")), &written("svg", &lab));
        write(&folder.join(format!("{name}.json")), &written("json", &lab));
    }
    // The lesson's page is the command's own.
    let page = tool(LOCKSTEP, &["export", "9", "-f", "html"], &folder);
    assert_eq!(page, written("html", &lesson_9()));
    assert!(script("pages.mjs", &folder).contains(" pages, "));
}

#[test]
#[ignore = "needs node; tests/tools/run installs it"]
fn the_pattern_of_the_help_reads_every_log() {
    let folder = folder("shiviz");
    write(&folder.join("pattern.txt"), shiviz::PATTERN);
    let samples = samples();
    for (name, lab) in &samples {
        write(&folder.join(format!("{name}.log")), &written("shiviz", lab));
    }
    let read: Value = serde_json::from_str(&script("shiviz.mjs", &folder)).expect("JSON");
    for (name, lab) in &samples {
        let (run, names) = (Run::of(lab), &lab.setup().names);
        let at_nodes = run.steps().filter_map(|(record, _)| Some((record.node?, record)));
        let event = |(node, record): (NodeId, &StepRecord)| {
            let sentence = narrate::sentence(record, names);
            let said = format!("{}. {}: {sentence}", record.n, record.event.show(names));
            json!([names.get(node), said])
        };
        assert_eq!(read[name], at_nodes.map(event).collect::<Value>(), "{name}");
    }
}

/// Width and height of a picture in PNG.
fn png_size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "it is a PNG");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
#[ignore = "needs librsvg; tests/tools/run installs it"]
fn librsvg_draws_every_picture() {
    let folder = folder("librsvg");
    let theme =
        |name| Look { theme: Theme::new(name, ColorUse::On, None), glyphs: Glyphs::UNICODE };
    let camera = |name, paper| Camera { size: (100, 30), look: theme(name), paper };
    let dark = camera(ThemeName::Dark, Paper::Dark);
    let light = camera(ThemeName::Light, Paper::Light);
    let draw = |name: &str, svg: &str| {
        write(&folder.join(format!("{name}.svg")), svg);
        let (from, to) = (format!("{name}.svg"), format!("{name}.png"));
        tool("rsvg-convert", &[&from, "-o", &to], &folder);
        png_size(&fs::read(folder.join(to)).expect("a picture was made"))
    };
    for (name, lab) in samples() {
        let svg = written("svg", &lab);
        let wanted = |key: &str| {
            let (_, rest) = svg.split_once(&format!(" {key}=\"")).expect("a size");
            let (number, _) = rest.split_once('"').expect("the attribute ends");
            number.parse::<f64>().expect("a number").ceil() as u32
        };
        assert_eq!(draw(&name, &svg), (wanted("width"), wanted("height")), "{name}");
        let screen = if name.len() % 2 == 0 { dark } else { light }.screen(lab);
        assert_eq!(draw(&format!("{name}-screen"), &screen), (1016, 616), "{name}");
    }
}
