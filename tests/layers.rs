//! The house: arrows point down only, and each outside library has its place.
//!
//! The order of the layers stands in ARCHITECTURE.md. This reads the source as text; test modules may
//! look up, since they drive what they test through the layers above.

mod circles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, highest first. Modules of one layer may use each other in one direction.
const LAYERS: [&[&str]; 14] = [
    &["main"],
    &["cli"],
    &["ui"],
    &["session"],
    &["export", "lesson"],
    &["lab", "judge"],
    &["catalog"],
    &["check", "trace"],
    &["sim"],
    &["script"],
    &["algorithm"],
    &["model"],
    &["input"],
    &["files"],
];

/// Who may name an outside library or a part of the standard one: paths below `src`, where a folder
/// stands for all that is in it.
const PLACES: [(&str, &[&str]); 9] = [
    ("rhai", &["script/"]),
    ("ratatui", &["ui/"]),
    ("crossterm", &["ui/terminal.rs", "ui/keymap.rs"]),
    ("clap", &["cli/"]),
    ("serde_yaml", &["input.rs", "input/"]),
    ("saphyr_parser", &["input.rs", "input/"]),
    ("std::fs", OUTSIDE_WORLD),
    ("SystemTime", OUTSIDE_WORLD),
    ("Instant", OUTSIDE_WORLD),
];

/// Where files and clocks may be used.
const OUTSIDE_WORLD: &[&str] = &[
    "main.rs",
    "files.rs",
    "cli/",
    "ui/mod.rs",
    "ui/event_loop.rs",
    "ui/terminal.rs",
    "ui/signals.rs",
    "ui/present_link/mod.rs",
    "ui/present_link/files.rs",
    "ui/present_link/hall_link.rs",
    "ui/present_link/notes_link.rs",
    "lesson/load.rs",
    "lesson/progress.rs",
    "lesson/watch.rs",
];

/// Layers in which nothing may depend on the order of a hash map.
const REPEATABLE: [&str; 5] = ["model", "algorithm", "sim", "trace", "check"];

/// A source file, without comments, texts and test modules.
struct Source {
    /// Its path below `src`, with `/`.
    path: String,
    code: String,
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

impl Source {
    /// The top-level module to which the file belongs.
    fn module(&self) -> &str {
        let first = self.path.split('/').next().unwrap_or(&self.path);
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// How many modules deep the file is: 1 for `lab.rs` and `sim/mod.rs`, 2 for `sim/why.rs`.
    fn depth(&self) -> usize {
        let parts = self.path.split('/').count();
        if self.path.ends_with("/mod.rs") { parts - 1 } else { parts }
    }

    /// The top-level modules that the file names.
    fn uses(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for root in ["crate::", "lockstep::"] {
            for tail in tails(&self.code, root) {
                found.extend(heads(tail));
            }
        }
        // A chain of `super::` that is long enough to leave the top-level module.
        let chain = "super::".repeat(self.depth());
        for tail in tails(&self.code, &chain) {
            found.extend(heads(tail.trim_start_matches("super::")));
        }
        found.retain(|module| layer(module).is_some());
        found
    }
}

/// What follows each place where a path begins with `root`.
fn tails<'a>(code: &'a str, root: &str) -> Vec<&'a str> {
    let begins = |at: usize| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
    };
    code.match_indices(root)
        .filter(|(at, _)| begins(*at))
        .map(|(at, _)| &code[at + root.len()..])
        .collect()
}

/// The first names of a path, or of each path of a group in braces.
fn heads(tail: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = tail.strip_prefix('{') else { return vec![word(tail)] };
    let (mut open, mut start, mut all) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => open += 1,
            '}' if open == 0 => {
                all.push(word(&group[start..at]));
                break;
            }
            '}' => open -= 1,
            ',' if open == 0 => {
                all.push(word(&group[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    all
}

/// Blanks comments, texts and characters, so that what is left is code. Lines stay where they are.
fn code_of(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut code = String::with_capacity(source.len());
    let mut i = 0;
    while i < chars.len() {
        let end = match (chars[i], chars.get(i + 1)) {
            ('/', Some('/')) => end_of_line(&chars, i),
            ('/', Some('*')) => end_of_comment(&chars, i),
            ('"', _) => end_of_text(&chars, i),
            ('r', Some('"' | '#')) if !joins(&chars, i) => end_of_raw_text(&chars, i),
            ('\'', _) => end_of_char(&chars, i),
            _ => i,
        };
        if end == i {
            code.push(chars[i]);
            i += 1;
        } else {
            code.extend(chars[i..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            i = end;
        }
    }
    code
}

fn joins(chars: &[char], i: usize) -> bool {
    i > 0 && (chars[i - 1].is_alphanumeric() || chars[i - 1] == '_')
}

fn end_of_line(chars: &[char], i: usize) -> usize {
    chars[i..].iter().position(|c| *c == '\n').map_or(chars.len(), |n| i + n)
}

fn end_of_comment(chars: &[char], i: usize) -> usize {
    let found =
        (i + 2..chars.len()).find(|k| chars[*k] == '/' && chars[*k - 1] == '*' && *k > i + 2);
    found.map_or(chars.len(), |k| k + 1)
}

fn end_of_text(chars: &[char], i: usize) -> usize {
    let mut k = i + 1;
    while k < chars.len() && chars[k] != '"' {
        k += if chars[k] == '\\' { 2 } else { 1 };
    }
    (k + 1).min(chars.len())
}

/// `r"…"` and `r#"…"#`; a raw name like `r#type` is no text.
fn end_of_raw_text(chars: &[char], i: usize) -> usize {
    let hashes = chars[i + 1..].iter().take_while(|c| **c == '#').count();
    if chars.get(i + 1 + hashes) != Some(&'"') {
        return i;
    }
    let closes =
        |k: &usize| chars[*k] == '"' && (1..=hashes).all(|h| chars.get(*k + h) == Some(&'#'));
    let end = (i + 2 + hashes..chars.len()).find(closes);
    end.map_or(chars.len(), |k| k + 1 + hashes)
}

/// `'a'` and `'\n'`; a lifetime is no character.
fn end_of_char(chars: &[char], i: usize) -> usize {
    match (chars.get(i + 1), chars.get(i + 2)) {
        (Some('\\'), Some(_)) => {
            chars[i + 3..].iter().position(|c| *c == '\'').map_or(i, |n| i + 4 + n)
        }
        (Some(_), Some('\'')) => i + 3,
        _ => i,
    }
}

const TEST_ONLY: &str = "#[cfg(test)]";

/// Takes test items out of code, and gives the names of test modules that have files of their own.
fn without_tests(code: &str) -> (String, Vec<String>) {
    let (mut rest, mut kept, mut files) = (code, String::new(), Vec::new());
    while let Some(at) = rest.find(TEST_ONLY) {
        kept.push_str(&rest[..at]);
        let item = &rest[at + TEST_ONLY.len()..];
        let end = end_of_item(item);
        if let Some(name) =
            item[..end].trim().strip_prefix("mod ").and_then(|m| m.strip_suffix(';'))
        {
            files.push(name.trim().to_owned());
        }
        rest = &item[end..];
    }
    kept.push_str(rest);
    (kept, files)
}

/// The end of an item: its semicolon, or the brace that closes its first one.
fn end_of_item(code: &str) -> usize {
    let mut open = 0;
    for (at, c) in code.char_indices() {
        match c {
            ';' if open == 0 => return at + 1,
            '{' => open += 1,
            '}' => {
                open -= 1;
                if open == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

fn all_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            all_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// Every source file that is no test.
fn sources() -> Vec<Source> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    all_files(&src, &mut files);
    files.sort();
    let (mut sources, mut tests) = (Vec::new(), Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).expect("source is UTF-8");
        let (code, test_modules) = without_tests(&code_of(&text));
        let below = file.strip_prefix(&src).expect("it was found below src");
        let path = below.to_string_lossy().replace('\\', "/");
        let folder = match path.strip_suffix("/mod.rs") {
            Some(folder) => format!("{folder}/"),
            None => match path.as_str() {
                "lib.rs" | "main.rs" => String::new(),
                _ => format!("{}/", path.trim_end_matches(".rs")),
            },
        };
        for name in test_modules {
            tests.push(format!("{folder}{name}.rs"));
            tests.push(format!("{folder}{name}/"));
        }
        sources.push(Source { path, code });
    }
    sources.retain(|s| {
        !tests.iter().any(|t| s.path == *t || t.ends_with('/') && s.path.starts_with(t))
    });
    sources
}

/// What is wrong with the arrows between modules, one sentence each.
fn upward_arrows(sources: &[Source]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut beside: BTreeSet<(String, String)> = BTreeSet::new();
    for source in sources.iter().filter(|s| s.path != "lib.rs") {
        let module = source.module();
        let Some(from) = layer(module) else {
            wrong.push(format!("{}: `{module}` has no place among the layers", source.path));
            continue;
        };
        for target in source.uses() {
            let to = layer(&target).expect("`uses` names only modules with a layer");
            if to < from {
                wrong.push(format!("{} uses `{target}`, which lies above `{module}`", source.path));
            }
            if to == from && target != module {
                beside.insert((module.to_owned(), target));
            }
        }
    }
    for (a, b) in &beside {
        if a < b && beside.contains(&(b.clone(), a.clone())) {
            wrong.push(format!("`{a}` and `{b}` lie in one layer and use each other"));
        }
    }
    wrong
}

/// Names that stand where they may not.
fn misplaced(sources: &[Source]) -> Vec<String> {
    let mut wrong = Vec::new();
    for source in sources {
        for (name, places) in PLACES {
            let allowed = places.iter().any(|place| match place.strip_suffix('/') {
                Some(folder) => source.module() == folder,
                None => source.path == *place,
            });
            if !allowed && (names(&source.code, name) || in_group(&source.code, name)) {
                wrong.push(format!(
                    "{} uses {name}, which belongs to {}",
                    source.path,
                    places.join(", ")
                ));
            }
        }
    }
    wrong
}

/// Whether code has a path like `std::fs` in a group: `use std::{fs, io};`.
fn in_group(code: &str, path: &str) -> bool {
    path.split_once("::").is_some_and(|(root, name)| {
        let groups = tails(code, &format!("{root}::")).into_iter().filter(|t| t.starts_with('{'));
        groups.flat_map(heads).any(|head| head == name)
    })
}

/// Whether code has a name as a word of its own.
fn names(code: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        !code[..at].chars().next_back().is_some_and(part)
            && !code[at + name.len()..].chars().next().is_some_and(part)
    })
}

/// Variables and fields that hold a hash map or a hash set.
fn hash_holders(code: &str) -> BTreeSet<String> {
    let mut holders = BTreeSet::new();
    for line in code.lines() {
        let Some(at) = ["HashMap", "HashSet"].iter().filter_map(|t| line.find(t)).min() else {
            continue;
        };
        // `name: HashMap<…>`, `name: FxHashMap<…>`, `let mut name = HashMap::new()`.
        let before = line[..at]
            .trim_end_matches(|c: char| c.is_alphanumeric() || c == ':' || c == '&' || c == ' ');
        let lhs = match line[..at].rfind(": ").or_else(|| line[..at].rfind(" = ")) {
            Some(end) => &line[..end],
            None => before,
        };
        let name: String =
            lhs.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if !name.is_empty() {
            holders.insert(name.chars().rev().collect());
        }
    }
    holders
}

/// Loops over a hash map, as far as text shows them.
fn unordered_loops(sources: &[Source]) -> Vec<String> {
    const LOOPS: [&str; 7] =
        ["iter()", "iter_mut()", "keys()", "values()", "into_iter()", "drain()", "into_values()"];
    let mut wrong = Vec::new();
    for source in sources.iter().filter(|s| REPEATABLE.contains(&s.module())) {
        let squeezed: String = source.code.split_whitespace().collect::<Vec<_>>().join(" ");
        for holder in hash_holders(&source.code) {
            let calls = LOOPS.iter().any(|call| names_call(&squeezed, &holder, call));
            let plain = ["", "&", "&mut ", "self.", "&self.", "&mut self."]
                .iter()
                .any(|prefix| squeezed.contains(&format!(" in {prefix}{holder} {{")));
            if calls || plain {
                wrong.push(format!("{} goes through the hash map `{holder}`", source.path));
            }
        }
    }
    wrong
}

/// What is said to people: names of values that hold sentences.
const SENTENCES: [&str; 11] = [
    "message", "reason", "error", "refused", "told", "notice", "sentence", "revealed", "problem",
    "warning", "why",
];

/// Where a file may go by what a sentence says: it puts a library's words into ours, or it is still to be
/// mended.
const READS_SENTENCES: [&str; 2] = ["input/words.rs", "cli/cluster.rs"];

/// Branches that go by the text of a sentence, as far as text shows them.
fn read_sentences(sources: &[Source]) -> Vec<String> {
    const LOOKS: [&str; 6] = [
        ".contains(",
        ".starts_with(",
        ".ends_with(",
        ".strip_prefix(",
        ".strip_suffix(",
        ".split_once(",
    ];
    let mut wrong = Vec::new();
    for source in sources.iter().filter(|s| !READS_SENTENCES.contains(&s.path.as_str())) {
        let looks = LOOKS.iter().flat_map(|look| source.code.match_indices(look));
        // A text is blanked: what is compared with one stands before a wide gap.
        let same =
            [" ==    ", " !=    "].into_iter().flat_map(|sign| source.code.match_indices(sign));
        for (at, _) in looks.chain(same) {
            let holder = holder_before(&source.code[..at]);
            if SENTENCES.contains(&holder) {
                let line = source.code[..at].lines().count();
                wrong.push(format!("{}:{line} goes by the text of `{holder}`", source.path));
            }
        }
    }
    wrong
}

/// The name of the value at the end of an expression, whatever is asked of it as a text.
fn holder_before(code: &str) -> &str {
    const AS_TEXT: [&str; 8] = [
        "as_str()",
        "as_ref()",
        "to_string()",
        "trim()",
        "clone()",
        "as_deref()",
        "to_lowercase()",
        "unwrap_or_default()",
    ];
    let mut code = code.trim_end();
    while let Some(shorter) = AS_TEXT.iter().find_map(|call| code.strip_suffix(call)) {
        code = shorter.trim_end().trim_end_matches('.').trim_end();
    }
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let start = code.rfind(|c: char| !part(c)).map_or(0, |at| at + 1);
    &code[start..]
}

fn names_call(code: &str, holder: &str, call: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    [format!("{holder}.{call}"), format!("{holder} .{call}")].iter().any(|text| {
        code.match_indices(text.as_str())
            .any(|(at, _)| !code[..at].chars().next_back().is_some_and(part))
    })
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn arrows_between_modules_point_down_only() {
    let sources = sources();
    assert!(sources.len() > 20, "the source was found");
    assert!(sources.iter().any(|s| s.path == "sim/cluster.rs" && s.uses().contains("algorithm")));
    assert_none(&upward_arrows(&sources));
}

#[test]
fn outside_libraries_files_and_clocks_stay_in_their_places() {
    assert_none(&misplaced(&sources()));
}

#[test]
fn nothing_depends_on_the_order_of_a_hash_map() {
    assert_none(&unordered_loops(&sources()));
}

#[test]
fn no_branch_goes_by_the_text_of_a_message() {
    assert_none(&read_sentences(&sources()));
}

// The checks themselves: each must be able to fail.

fn planted(path: &str, text: &str) -> Vec<Source> {
    let (code, _) = without_tests(&code_of(text));
    vec![Source { path: path.to_owned(), code }]
}

#[test]
fn a_planted_upward_arrow_is_found_however_it_is_written() {
    let upward = [
        ("sim/why.rs", "use crate::lab::Lab;"),
        ("sim/why.rs", "use crate::{model::{Event, Names}, catalog};"),
        ("sim/why.rs", "use super::super::trace::diff;"),
        ("sim/mod.rs", "use super::check;"),
        ("model/goal/eval.rs", "fn f() { let x = crate::sim::Cluster::new(); }"),
        ("input.rs", "use crate::model::Event;"),
        ("ui/panel/log.rs", "fn f(c: &crate::cli::Cli) {}"),
        ("lab.rs", "use super::ui;"),
        ("odd.rs", "fn f() {}"),
    ];
    for (path, text) in upward {
        assert_eq!(upward_arrows(&planted(path, text)).len(), 1, "{path}: {text}");
    }
    let mut both = planted("trace/diff.rs", "use crate::check::Report;");
    assert_none(&upward_arrows(&both));
    both.extend(planted("check/report.rs", "use crate::trace::diff;"));
    assert_eq!(upward_arrows(&both).len(), 1);
}

#[test]
fn what_is_no_upward_arrow_is_left_alone() {
    let fine = [
        ("sim/why.rs", "use crate::algorithm::Guard; use super::cluster::Cluster;"),
        (
            "sim/why.rs",
            "// use crate::lab::Lab;\n/* crate::ui */ const T: &str = \"crate::ui::x\";",
        ),
        ("sim/why.rs", "const Q: char = '\"'; const R: &str = r#\"a \" crate::ui\"#;"),
        (
            "sim/why.rs",
            "fn f<'a>(x: &'a str) {}\n#[cfg(test)]\nmod tests { use crate::lab::Lab; fn g() {} }",
        ),
        ("sim/mod.rs", "#[cfg(test)]\nuse crate::lab::Lab;\nuse super::model::Event;"),
        ("main.rs", "fn main() { lockstep::cli::run() }"),
        ("lab.rs", "use mycrate::ui::x;"),
    ];
    for (path, text) in fine {
        assert_none(&upward_arrows(&planted(path, text)));
    }
    let after =
        planted("sim/why.rs", "#[cfg(test)]\nmod tests { fn g() {} }\nuse crate::lab::Lab;");
    assert_eq!(upward_arrows(&after).len(), 1, "what follows a test module is read");
}

#[test]
fn a_planted_library_out_of_place_is_found() {
    let wrong = [
        ("lab.rs", "use ratatui::text::Line;"),
        ("ui/panel/log.rs", "use crossterm::event::KeyEvent;"),
        ("ui/app.rs", "fn f() -> ratatui::crossterm::event::Event { x }"),
        ("lesson/file.rs", "let x = serde_yaml::from_str(t);"),
        ("main.rs", "use clap::Parser;"),
        ("export/mod.rs", "std::fs::write(a, b)"),
        ("export/mod.rs", "use std::{fmt, fs};"),
        ("check/explorer.rs", "let now = Instant::now();"),
    ];
    for (path, text) in wrong {
        assert_eq!(misplaced(&planted(path, text)).len(), 1, "{path}: {text}");
    }
    let fine = [
        ("ui/panel/log.rs", "use ratatui::text::Line;"),
        ("ui/keymap.rs", "use crossterm::event::KeyEvent;"),
        ("cli/run.rs", "use clap::Args; let x = std::fs::read(p);"),
        ("lab.rs", "// ratatui\nfn clapping(instant: u32) {}"),
    ];
    for (path, text) in fine {
        assert_none(&misplaced(&planted(path, text)));
    }
}

#[test]
fn a_planted_loop_over_a_hash_map_is_found() {
    let wrong = [
        "struct S { seen: FxHashMap<u64, u32> }\nfn f(s: &S) { for x in s.seen.keys() {} }",
        "let mut seen = HashSet::new();\nfor x in &seen { go(x); }",
        "struct S { by: std::collections::HashMap<u8, u8> }\nfn f(&self) { self.by\n  .iter().map(g) }",
        "fn f(map: &HashMap<u8, u8>) { for (a, b) in map { } }",
    ];
    for text in wrong {
        assert_eq!(unordered_loops(&planted("check/x.rs", text)).len(), 1, "{text}");
        assert_none(&unordered_loops(&planted("ui/x.rs", text)));
    }
    let fine = "let mut seen = HashMap::new();\nseen.insert(a, b);\nfor x in list.iter() {}\nlet n = unseen.iter();";
    assert_none(&unordered_loops(&planted("check/x.rs", fine)));
}

#[test]
fn a_planted_branch_that_goes_by_the_text_of_a_message_is_found() {
    let wrong = [
        "fn f(e: E) { if e.message.contains(\"file\") {} }",
        "fn f() { let x = error.to_string().starts_with(\"no\"); }",
        "fn f() { match g() { Err(U(message)) if message.ends_with('x') => {} _ => {} } }",
        "fn f(s: &S) -> bool { s.revealed != \"the question is not shown\" }",
        "fn f() { told.next\n.why\n    .as_str()\n    .strip_prefix(\"the \") }",
    ];
    for text in wrong {
        assert_eq!(read_sentences(&planted("ui/x.rs", text)).len(), 1, "{text}");
        assert_none(&read_sentences(&planted(READS_SENTENCES[0], text)));
    }
    let fine = [
        "fn f() { if typed.contains(\"file\") && reasons.contains(&reason) {} }",
        "fn f() { let same = message == other; let x = line.starts_with(\"message\"); }",
        "#[cfg(test)]\nmod tests { fn g() { assert!(error.contains(\"x\")) } }",
    ];
    for text in fine {
        assert_none(&read_sentences(&planted("ui/x.rs", text)));
    }
}
