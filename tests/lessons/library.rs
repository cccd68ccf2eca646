//! Where lessons come from, and how one is found.

use super::BASE;
use lockstep::lesson::{Library, NotOpened, author};
use lockstep::ui::course::Course;
use std::fs;

fn opened(word: &str) -> Result<String, NotOpened> {
    Library::embedded().open(word).map(|lesson| lesson.id.clone())
}

fn refusal(word: &str) -> String {
    opened(word).expect_err("not opened").to_string()
}

#[test]
fn a_lesson_is_found_by_id_number_or_the_beginning_of_its_id() {
    for word in ["lamport-lock", "4", "04", "Lamport-Lock", "lamport-l", "04-lamport-lock", "04-l"]
    {
        assert_eq!(opened(word).as_deref(), Ok("lamport-lock"), "{word}");
    }
}

#[test]
fn what_is_not_found_gets_the_nearest_name() {
    assert_eq!(
        refusal("lamport-lok"),
        "no lesson is called `lamport-lok`; did you mean `lamport-lock`?"
    );
    assert!(refusal("zzz").starts_with("no lesson is called `zzz`; there are "));
    assert!(refusal("").contains("there are"));
    assert_eq!(refusal("gone.yaml"), "there is no lesson file `gone.yaml`");
}

#[test]
fn a_folder_is_a_library_too_and_its_faults_do_not_hide_its_lessons() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("a file for the test");
    };
    write("10-base.yaml", BASE);
    write("2-other.yml", &BASE.replace("id: base", "id: other"));
    write("3-misnamed.yaml", &BASE.replace("id: base", "id: another"));
    write("README.md", "no lesson");
    let library = Library::folder(folder.path()).expect("the folder can be read");
    let listed = author::list(&library);
    let numbers: Vec<Option<u32>> = library.shelved().iter().map(|s| s.order).collect();
    assert_eq!(numbers, [Some(2), Some(3), Some(10)], "in the order of the numbers");
    assert_eq!(listed[0].as_ref().map(|l| l.id.as_str()), Ok("other"));
    let bad = listed[1].as_ref().expect_err("the id is not that of the file").to_string();
    assert!(bad.contains(":2:5: the file is named after the id `misnamed`"), "{bad}");
    let ambiguous = library.open("").expect_err("nothing begins with nothing").to_string();
    assert!(ambiguous.contains("there are"), "{ambiguous}");
    assert_eq!(library.open("b").map(|l| l.id.clone()), Ok("base".to_owned()));
}

#[test]
fn a_folder_says_in_which_order_its_lessons_come_and_their_numbers_stay() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("a file for the test");
    };
    for (n, id) in [(1, "one"), (2, "two"), (3, "three"), (4, "four")] {
        write(&format!("{n}-{id}.yaml"), &BASE.replace("id: base", &format!("id: {id}")));
    }
    for (order, expected) in [
        ("# mine\n three\r\none\n", [3, 1, 2, 4]),
        ("four\nnobody\nfour\n\n", [4, 1, 2, 3]),
        ("", [1, 2, 3, 4]),
        ("\u{feff}two\n", [2, 1, 3, 4]),
    ] {
        write("order.txt", order);
        let library = Library::folder(folder.path()).expect("the folder can be read");
        let numbers: Vec<u32> = library.shelved().iter().filter_map(|s| s.order).collect();
        assert_eq!(numbers, expected, "{order:?}");
        assert_eq!(library.open("3").map(|l| l.id.clone()), Ok("three".to_owned()));
        let course = Course::of(&library);
        assert_eq!(course.numbers(), expected.map(|n| n as usize), "the numbers stay");
    }
}

#[test]
fn two_lessons_of_a_folder_with_one_id_are_told() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for name in ["a.yaml", "b.yaml", "1-other.yaml"] {
        let text =
            BASE.replace("id: base", if name == "1-other.yaml" { "id: other" } else { "id: base" });
        fs::write(folder.path().join(name), text).expect("a file for the test");
    }
    let found = author::lint_library(&Library::folder(folder.path()).expect("a library"));
    let told: Vec<String> =
        found.iter().flat_map(|f| &f.problems).map(ToString::to_string).collect();
    let twice: Vec<&String> = told.iter().filter(|p| p.contains("is the id of")).collect();
    assert_eq!(twice.len(), 1, "{told:?}");
    assert!(
        twice[0].contains("b.yaml:2:5: `base` is the id of") && twice[0].contains("a.yaml too")
    );
}

#[test]
fn two_lessons_with_the_same_beginning_are_both_named() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for id in ["race", "race-again"] {
        let text = BASE.replace("id: base", &format!("id: {id}"));
        fs::write(folder.path().join(format!("{id}.yaml")), text).expect("a file for the test");
    }
    let library = Library::folder(folder.path()).expect("the folder can be read");
    assert_eq!(library.open("race").map(|l| l.id.clone()), Ok("race".to_owned()), "an id in full");
    assert_eq!(
        library.open("ra").map(|l| l.id.clone()).map_err(|e| e.to_string()),
        Err("`ra` begins more than one lesson: race, race-again".to_owned())
    );
}

#[test]
fn a_file_is_a_lesson_under_its_path() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("any name.yaml");
    fs::write(&path, BASE).expect("a file for the test");
    assert_eq!(opened(&path.display().to_string()).as_deref(), Ok("base"));
    fs::write(&path, "lesson: 1\n").expect("a file for the test");
    let bad = opened(&path.display().to_string());
    assert!(matches!(bad, Err(NotOpened::Bad(_))), "a lesson with faults never opens half");
    assert!(author::lint_file(&folder.path().join("gone")).problems.len() == 1);
}

#[test]
fn lint_of_a_library_knows_which_lessons_there_are() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    fs::write(folder.path().join("1-base.yaml"), BASE).expect("a file for the test");
    let library = Library::folder(folder.path()).expect("the folder can be read");
    let found = author::lint_library(&library);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].problems.len(), 1);
    assert_eq!(found[0].problems[0].message(), "no lesson is called `before`");
}
