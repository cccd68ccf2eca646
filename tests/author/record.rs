//! What is played in the stepper becomes a lesson.

use crate::program::lockstep;
use crate::screen::Seen;
use lockstep::lesson::load;
use lockstep::ui::{Flow, Input, Key};

#[test]
fn what_was_played_becomes_a_lesson_file_and_the_screen_tells_what_is_still_to_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.yaml");
    let path = path.to_str().expect("a name");
    let mut seen = Seen::free_play_with("ricart-agrawala", 2, "tie-replies");
    seen.press("e");
    let text = seen.at(80, 24).text();
    assert!(text.contains("4 record it as a lesson with questions"), "{text}");
    seen.press("4");
    let text = seen.at(80, 24).text();
    assert!(text.contains(":record my-ricart-agrawala.yaml_"), "{text}");
    seen.press("Enter");
    assert!(seen.at(80, 24).text().contains("nothing was played"), "no file of nothing");
    seen.command("request P1; request P2; deliver P1>P2; deliver P2>P1");
    seen.command("deliver P1>P2; deliver P2>P1");
    seen.command(&format!("record {path}"));
    for (width, height) in [(60, 18), (80, 24), (160, 45)] {
        let text = seen.at(width, height).text();
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for wanted in ["asks for violated(mutex)", "- title and about", "three hints", "explain"] {
            assert!(flat.contains(wanted), "{wanted}\n{text}");
        }
    }
    seen.press("Esc");
    seen.command(&format!("record {path}"));
    assert!(seen.at(160, 45).text().contains("is there already"));
    let lesson = load::file(path.as_ref()).unwrap_or_else(|bad| panic!("{bad}"));
    assert_eq!(lesson.config.variant.as_deref(), Some("tie-replies"));

    let lint = || {
        let output = lockstep(["lesson", "lint", path]).run();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (status, found) = lint();
    assert_eq!(status, Some(1));
    assert!(found.lines().all(|line| line.contains("TODO")), "{found}");
    let text = std::fs::read_to_string(path).expect("it was written");
    std::fs::write(path, text.replace("TODO: ", "Done, ")).expect("it is there");
    assert_eq!(lint(), (Some(0), "no findings\n".to_owned()));
}

#[test]
fn a_mark_divides_what_leads_there_from_what_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.yaml");
    let path = path.to_str().expect("a name");
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r e 5");
    assert!(seen.at(80, 24).text().contains("recording from here on"));
    seen.press("1 1");
    seen.press("Home");
    seen.command(&format!("record {path}"));
    assert!(seen.at(80, 24).text().contains("the mark is another branch"));
    seen.press("End");
    seen.command(&format!("record {path}"));
    let lesson = load::file(path.as_ref()).unwrap_or_else(|bad| panic!("{bad}"));
    let runs: Vec<usize> = lesson.steps().iter().map(|step| step.run.len()).collect();
    assert_eq!(runs, [1, 0, 0, 2]);
    seen.press("Esc");
    seen.press(":");
    seen.type_in("record steps");
    let Flow::Copy(steps) = seen.input(Input::Key(Key::Enter)) else { panic!("no copy") };
    assert!(steps.contains("- drive:") && !steps.contains("cluster:"), "{steps}");
    assert!(seen.at(80, 24).text().contains("# Steps for a lesson"));
}

#[test]
fn in_a_lesson_it_is_recorded_from_the_lessons_point_on() {
    let library = lockstep::lesson::Library::embedded();
    let race = library.shelved().iter().position(|s| s.id == "ricart-agrawala-race");
    let mut seen = Seen::in_lesson(race.expect("it is in the course"));
    while seen.steps() < 2 {
        assert!(seen.go_on());
    }
    let point = seen.steps();
    seen.press("1 1");
    assert_eq!(seen.steps(), point + 2);
    seen.press(":");
    seen.type_in("record steps");
    let Flow::Copy(steps) = seen.input(Input::Key(Key::Enter)) else { panic!("no copy") };
    let lead = steps.find("- drive:").expect("a question");
    assert_eq!(steps[..lead].matches("request").count(), 2, "{steps}");
}
