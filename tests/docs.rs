//! What the documents say of lists is what the program says.

use lockstep::algorithm::Failure;
use lockstep::catalog;
use lockstep::model::ChannelOrder;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(path).expect("the document is there")
}

/// The README's table of algorithms, as the catalog has it.
fn algorithms() -> String {
    let mut table = String::new();
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
    let readme = read("README.md");
    let start = readme.find("|---|---|---|---|---|\n").expect("the table's head") + 22;
    let end = readme.find("<!-- end -->").expect("the table's end");
    assert_eq!(&readme[start..end], algorithms(), "put this into README.md:\n{}", algorithms());
}

#[test]
fn the_readme_names_the_two_commands() {
    let readme = read("README.md");
    assert!(readme.contains("cargo run --release") && readme.contains("cargo test"));
}

#[test]
fn the_lesson_in_the_readme_has_no_fault() {
    let readme = read("README.md");
    let start = readme.find("```yaml\n").expect("a lesson in the README") + 8;
    let end = start + readme[start..].find("```").expect("its end");
    let lesson = lockstep::lesson::load::reader("README.md", &readme.as_bytes()[start..end]);
    assert!(lesson.is_ok(), "{}", lesson.err().map_or(String::new(), |e| e.render(80)));
}

#[test]
fn every_key_of_the_stepper_is_in_the_readme() {
    let readme = read("README.md");
    for binding in lockstep::ui::action::STEPPER {
        let key = binding.first_key();
        let shown = match key.as_str() {
            "1-9" => "`1`",
            "Esc" => "**Esc**",
            "h" => "**h**",
            "Home" | "End" | "Shift-Tab" | "v" => continue,
            key => &format!("`{key}`"),
        };
        let bare = shown.trim_matches('`');
        assert!(
            readme.contains(shown)
                || readme.contains(&format!("`{bare} "))
                || readme.contains(&format!(" {bare}`")),
            "{shown}"
        );
    }
}

#[test]
fn the_readme_lists_every_key_of_the_lecture_hall() {
    let readme = read("README.md");
    let mut table = "| key | does |\n|---|---|\n".to_owned();
    for binding in lockstep::ui::screen::present::KEYS {
        let keys = binding.all_keys();
        let keys: Vec<String> = keys.split(' ').map(|key| format!("`{key}`")).collect();
        table += &format!("| {} | {} |\n", keys.join(" "), binding.about);
    }
    let head = "<!-- hall: this table is checked by a test -->\n";
    let start = readme.find(head).expect("the table's head") + head.len();
    let end = readme.find("<!-- end of hall -->").expect("the table's end");
    assert_eq!(&readme[start..end], table, "put this into README.md:\n{table}");
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
