//! What the documents say of lists is what the program says.

use lockstep::algorithm::Failure;
use lockstep::catalog;
use lockstep::model::ChannelOrder;
use lockstep::ui::action::{Binding, STEPPER};
use lockstep::ui::screen::present;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(path).expect("the document is there")
}

/// Demands that a document has this table between its marks; `LOCKSTEP_DOCS=write` puts it there.
pub(crate) fn has_table(path: &str, mark: &str, table: &str) {
    let text = read(path);
    let begin = format!("<!-- {mark}: this table is checked by a test -->\n");
    let from = text.find(&begin).expect("the table has a beginning") + begin.len();
    let until = from + text[from..].find("<!-- end").expect("the table has an end");
    if std::env::var_os("LOCKSTEP_DOCS").is_some_and(|v| v == "write") {
        let text = format!("{}{table}{}", &text[..from], &text[until..]);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::write(path, text).expect("the document can be written");
    } else {
        assert_eq!(text[from..until], *table, "run LOCKSTEP_DOCS=write cargo test --test it");
    }
}

/// A table of keys, as the screen binds them.
fn keys<A>(bindings: &[Binding<A>]) -> String {
    let mut table = "| key | does |\n|---|---|\n".to_owned();
    for binding in bindings {
        let keys: Vec<String> =
            binding.all_keys().split(' ').map(|key| format!("`{key}`")).collect();
        table += &format!("| {} | {} |\n", keys.join(" "), binding.about);
    }
    table
}

/// The README's table of algorithms, as the catalog has it.
fn algorithms() -> String {
    let mut table = "| name | algorithm | messages for an entry without competition | channels | \
                     broken variants |\n|---|---|---|---|---|\n"
        .to_owned();
    for info in catalog::all().iter().map(|e| e.info).filter(|i| !i.teaching) {
        let channels = match info.needs {
            ChannelOrder::Fifo => "need FIFO",
            ChannelOrder::AnyOrder => "any order",
        };
        table += &format!(
            "| `{}` | {} | {} | {channels} | {} |\n",
            info.slug,
            info.title,
            info.cost.formula,
            info.variants.iter().filter(|v| v.failure != Failure::Harmless).count()
        );
    }
    table
}

#[test]
fn the_readme_lists_every_algorithm() {
    has_table("README.md", "algorithms", &algorithms());
}

#[test]
fn the_readme_is_short() {
    assert!(read("README.md").lines().count() <= 150);
}

#[test]
fn the_readme_names_the_two_commands() {
    let readme = read("README.md");
    assert!(readme.contains("cargo run --release") && readme.contains("cargo test"));
}

#[test]
fn the_documents_list_every_key() {
    has_table("docs/learn.md", "keys", &keys(STEPPER));
    has_table("docs/teach.md", "hall", &keys(present::KEYS));
}

#[test]
fn the_contributing_table_names_lists_that_exist() {
    let contributing = read("CONTRIBUTING.md");
    for (list, file) in [
        ("algorithms!", "src/algorithm/mod.rs"),
        ("question_types!", "src/lesson/question/mod.rs"),
        ("commands!", "src/cli/mod.rs"),
        ("EXPORTERS", "src/export/mod.rs"),
    ] {
        assert!(contributing.contains(list), "{list}");
        assert!(read(file).contains(list), "{list} in {file}");
    }
}

#[test]
fn every_file_of_tests_is_part_of_a_test_program() {
    let programs = ["it", "terminals", "tools"];
    let manifest = read("Cargo.toml");
    let mut modules = String::new();
    for program in programs {
        assert!(manifest.contains(&format!("[[test]]\nname = \"{program}\"")), "{program}");
        modules += &read(&format!("tests/{program}.rs"));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = std::fs::read_dir(folder).expect("it is there");
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let stems: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".rs").map(str::to_owned)).collect();
    assert!(stems.len() > 25, "{stems:?}");
    for stem in stems.iter().filter(|stem| !programs.contains(&stem.as_str())) {
        let line = format!("\nmod {stem};\n");
        assert!(modules.contains(&line), "tests/{stem}.rs is in no test program: see tests/it.rs");
    }
}

/// Whoever starts it by hand lets settings of their own in.
#[test]
fn the_program_is_started_by_one_helper() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut folders = vec![folder];
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").map_while(Result::ok) {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("node_modules") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).expect("a text");
                let starts = ["CARGO_BIN_EXE_", "cargo_bin"].map(|word| text.contains(word));
                let may = path.ends_with("support/program.rs") || path.ends_with("docs.rs");
                assert!(may || starts == [false; 2], "{}", path.display());
                read += 1;
            }
        }
    }
    assert!(read > 60, "{read} files");
}
