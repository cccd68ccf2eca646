//! A lesson played to its end by keys in a real terminal, screen for screen what the program draws.

use crate::screen::{self, Seen};
use crate::support::Setup;

/// The place of a lesson at Home, by its id.
fn place(id: &str) -> usize {
    let library = lockstep::lesson::Library::embedded();
    library.shelved().iter().position(|s| s.id == id).expect("the lesson is in the course")
}

#[test]
fn the_race_is_played_to_its_end_by_keys_and_the_terminal_is_given_back() {
    let mut seen = Seen::in_lesson(place("ricart-agrawala-race"));
    let mut tui = Setup::lockstep(&["--color", "never"]).size(80, 24).start();
    tui.first_frame();
    let mut sent = 0;
    loop {
        for key in &seen.pressed[sent..] {
            tui.send(screen::bytes(key));
        }
        sent = seen.pressed.len();
        let wanted = seen.at(80, 24).text();
        tui.wait_for("the same screen as on the buffer", |s| {
            s.rows(0, 80).map(|r| r.trim_end().to_owned() + "\n").collect::<String>() == wanted
        });
        if !seen.go_on() {
            break;
        }
    }
    let last = seen.at(80, 24).text();
    let (_, points) = seen.stepper().learner().map(|l| l.score()).expect("a lesson is open");
    let end = format!("The lesson is finished. {points} of {points} points.");
    assert!(last.contains(&end), "{end}:\n{last}");
    let entries: Vec<_> = {
        let history = seen.stepper().lab().history();
        history.records(history.cursor()).iter().filter_map(|r| r.entered).collect()
    };
    assert_eq!(entries.iter().map(|n| n.index()).collect::<Vec<_>>(), [1, 0], "P2, then P1");
    tui.send("q");
    tui.wait_for_text("done");
    tui.send("q");
    tui.end().assert(0);
}
