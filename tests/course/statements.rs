//! What is said in lessons, algorithms' descriptions and guides, beside the runs that show it.

use super::*;

const SCRIPT: &str = include_str!("statements.txt");

/// Whatever is quoted counts as one word, as in a shell.
fn output(command: &str) -> (String, bool) {
    let run = lockstep(words(command)).output().expect("the program was built");
    (folded(&String::from_utf8_lossy(&run.stdout)), run.status.success())
}

/// Where lines are broken does not matter.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of a lesson, what is told of an algorithm, or a file.
fn text_of(place: &str) -> String {
    match place.split_once(' ').expect("a kind and a name") {
        ("lesson", id) => {
            let library = Library::embedded();
            let shelved = library.shelved().iter().find(|s| s.id == id);
            let source = shelved.unwrap_or_else(|| panic!("no lesson {id}")).source();
            folded(&source.expect("a text").text().replace('\\', ""))
        }
        ("algorithm", name) => output(&format!("algorithms {name}")).0,
        ("file", path) => {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
            folded(&std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}")))
        }
        (kind, _) => panic!("no such kind of place: {kind}"),
    }
}

#[test]
fn every_statement_stands_where_it_is_said_to_and_holds_when_it_is_run() {
    let (mut statements, mut runs) = (0, 0);
    let (mut statement, mut command) = ("", "");
    for line in SCRIPT.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if let Some(asked) = line.strip_prefix("  $ ") {
            command = asked;
        } else if let Some(expected) = line.strip_prefix("  ") {
            let (said, fine) = output(command);
            assert!(said.contains(&folded(expected)), "{statement}\n$ {command}\n{said}");
            assert!(fine || !command.contains("--until"), "{statement}\n$ {command}\n{said}");
            runs += 1;
        } else {
            statement = line;
            let (place, fragment) = line.split_once(": ").expect("a place and its words");
            assert!(text_of(place).contains(&folded(fragment)), "{place} does not say: {fragment}");
            statements += 1;
        }
    }
    assert!(statements >= 35 && runs >= 55, "{statements} statements, {runs} runs");
}

/// Lines of a lesson that a learner reads; where it comes from is for whoever looks things up.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|l| {
        let line = l.trim_start();
        !line.starts_with('#') && !line.starts_with("source:") && !line.starts_with("note:")
    })
}

#[test]
fn no_lesson_points_at_what_its_reader_does_not_have() {
    let elsewhere = [
        "exercise",
        "the notes",
        "Notes say",
        "Notes often",
        "the diagram asks",
        "diagram that",
        "written solution",
        "last lesson",
        "next lesson",
        "PROGRESS lamp",
    ];
    for shelved in Library::embedded().shelved() {
        let source = shelved.source().expect("a text");
        for line in prose(source.text()) {
            for words in elsewhere {
                assert!(!line.contains(words), "{}: `{words}` in: {line}", shelved.id);
            }
        }
    }
}

#[test]
fn a_lesson_that_is_named_by_its_number_is_named_by_its_title_as_well() {
    let library = Library::embedded();
    let titled = |number: usize| {
        let entry = library.shelved().iter().find(|s| s.order == Some(number as u32))?;
        Some(lesson(&entry.id).title.clone())
    };
    let mut named = 0;
    for shelved in library.shelved() {
        let text =
            folded(&prose(shelved.source().expect("a text").text()).collect::<Vec<_>>().join("\n"));
        for place in text.to_lowercase().match_indices("lesson ").map(|(i, w)| i + w.len()) {
            let digits: String = text[place..].chars().take_while(char::is_ascii_digit).collect();
            let Ok(number) = digits.parse::<usize>() else { continue };
            // The first line of the file gives the version of its format.
            let Some(title) = titled(number).filter(|_| place > 9) else { continue };
            let short =
                |title: &str| title.split([':', ',', '?']).next().unwrap_or_default().to_owned();
            let called = [short(&title), title.rsplit(": ").next().unwrap_or_default().to_owned()];
            let found = called.iter().any(|c| {
                text.contains(&format!("lesson {number}, *{c}"))
                    || text.contains(&format!("Lesson {number}, *{c}"))
            });
            assert!(found, "{}: lesson {number} is never called *{title}*", shelved.id);
            named += 1;
        }
    }
    assert!(named >= 20, "only {named} lessons are named");
}
