//! Home as the page where one starts, and what a lesson promises and comes to.

use crate::screen::{Seen, plain_look};
use lockstep::lesson::progress::Store;
use lockstep::lesson::{Library, OBJECTIVES};
use lockstep::ui::app::App;
use lockstep::ui::course::{AGAIN, Course};
use lockstep::ui::plain::Dialogue;
use lockstep::ui::theme::Glyphs;
use std::fs;

fn home(store: &Store) -> Seen {
    let course = Course::of(&Library::embedded()).kept_in(Ok(store.clone()));
    Seen::of(App::new(course, plain_look(), false))
}

#[test]
fn all_that_there_is_is_seen_at_once_wherever_one_stands_in_the_course() {
    let others = ["Drill", "Check", "Compare", "Free play"];
    for (width, height) in [(80, 24), (100, 30), (120, 40), (160, 45), (60, 18)] {
        for keys in ["", "1 Esc", "Down Down Down Down Down Down Down Down"] {
            let mut seen = Seen::after("");
            seen.press(keys);
            if !seen.app().at_home() {
                continue;
            }
            let text = seen.at(width, height).text();
            for kind in others.into_iter().chain(["Course"]) {
                assert!(text.contains(kind), "{kind} at {width}x{height} after `{keys}`:\n{text}");
            }
        }
    }
}

#[test]
fn the_row_that_is_chosen_is_seen_on_the_way_through_all_rows() {
    for (width, height) in [(80, 24), (60, 18), (160, 45)] {
        let mut seen = Seen::after("");
        let mut rows = Vec::new();
        for _ in 0..60 {
            let selected = seen.at(width, height).selected();
            assert!(!selected.trim().is_empty(), "{width}x{height}: {rows:?}");
            rows.push(selected);
            seen.press("Down");
        }
        rows.dedup();
        let all = Library::embedded().shelved().len() + 4 + lockstep::catalog::all().len();
        assert_eq!(rows.len(), all, "each row is chosen once: {rows:?}");
    }
}

#[test]
fn every_schedule_can_be_checked_from_home() {
    let mut seen = Seen::after("");
    let rows = seen.at(80, 24).text();
    let row = rows.lines().find(|row| row.contains("Every schedule")).expect("it is seen");
    let key = row.split_whitespace().nth(1).expect("its key").to_owned();
    seen.press(&key);
    assert!(seen.at(80, 24).text().contains("Check: set up a cluster"));
    seen.press("Enter");
    assert!(seen.at(80, 24).text().contains("Check every schedule: Ricart–Agrawala"));
}

#[test]
fn a_lesson_begins_with_what_one_can_do_after_it_and_ends_with_how_well_each_went() {
    for (place, entry) in Library::embedded().shelved().iter().enumerate() {
        let lesson = entry.lesson().expect("it has no fault");
        let mut seen = Seen::in_lesson(place);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = words(&seen.at(160, 45).text());
        assert!(text.contains(OBJECTIVES), "lesson {}: {text}", place + 1);
        while seen.go_on() {}
        let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
        let said = words(&dialogue.take(&format!("lesson {}", lesson.id)).text);
        for (_, sentence) in &lesson.objectives {
            assert!(said.contains(sentence.as_str()), "lesson {}: {said}", place + 1);
        }
    }
    let mut seen = Seen::in_lesson(0);
    while seen.go_on() {}
    let text = seen.at(160, 45).text();
    let lesson = Library::embedded().shelved()[0].lesson().expect("it has no fault").clone();
    for (_, sentence) in &lesson.objectives {
        let begins: String = sentence.chars().take(20).collect();
        assert!(text.contains(&begins), "{begins}:\n{text}");
    }
    assert!(text.contains("2 of 2") || text.contains("1 of 1"), "{text}");
}

#[test]
fn a_lesson_that_is_done_can_be_taken_once_more_and_keeps_what_was_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("progress.yaml");
    let store = Store::at(path.clone());
    let mut seen = home(&store);
    seen.press("+");
    assert!(seen.app().at_home(), "nothing is done yet");
    assert!(!seen.at(80, 24).text().contains("once more  "), "nothing is offered");
    seen.press("1 Enter");
    while seen.go_on() {}
    seen.press("q");
    let kept = fs::read_to_string(&path).expect("it is kept");
    let mut seen = home(&store);
    seen.press("Home");
    assert!(seen.at(80, 24).text().contains("+ once more"), "{}", seen.at(80, 24).text());
    seen.press("+");
    assert_eq!(seen.steps(), 0, "it begins anew");
    let text = seen.at(160, 45).text();
    assert!(text.contains("Page 1 of"), "{text}");
    assert!(!seen.at(160, 45).text().contains("finished"));
    while seen.go_on() {}
    seen.press("q");
    assert_eq!(fs::read_to_string(&path).expect("it is kept"), kept, "nothing of it is recorded");

    let mut dialogue =
        Dialogue::new(Library::embedded(), Glyphs::UNICODE).kept_in(Ok(store.clone()));
    let said = dialogue.take("again 1").text;
    let folded = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(folded.contains(AGAIN) && folded.contains("Page 1 of"), "{said}");
    dialogue.take("next");
    dialogue.take("home");
    assert_eq!(fs::read_to_string(&path).expect("it is kept"), kept, "nor in lines");
}

#[test]
fn a_failure_is_drawn_where_there_is_room_and_its_last_step_is_marked() {
    let mut seen = Seen::free_play_with("ricart-agrawala", 3, "no-merge");
    seen.press("v");
    while let Some(every) = seen.tick_every() {
        assert!(every.is_zero());
        seen.input(lockstep::ui::Input::Tick);
    }
    for (width, height) in [(80, 24), (100, 30), (160, 45)] {
        let text = seen.at(width, height).text();
        assert!(text.contains("no-merge"), "the title names the variant:\n{text}");
        assert!(text.contains("✗s10") && text.contains("P1 ─"), "{width}x{height}:\n{text}");
    }
    let text = seen.at(60, 18).text();
    assert!(!text.contains("P1 ─"), "there is no room:\n{text}");
}
