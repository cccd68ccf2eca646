//! A lesson in the lecture hall: the hall's screen and the presenter's notes, each in a real terminal.

use crate::screen::{self, plain_look};
use crate::support::{Setup, Tui, wait_until, wake_ups};
use lockstep::lesson::Library;
use lockstep::ui::screen::present::{Hall, Talk};
use lockstep::ui::{Application as _, Input, Key};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::path::Path;

const PAGE_DOWN: &str = "\x1b[6~";
const LESSON: &str = "ricart-agrawala-race";

/// The presentation as it would be in a terminal, on a buffer.
fn hall() -> Hall {
    let lesson = Library::embedded().open(LESSON).expect("a lesson of the course");
    Hall::new(Talk::new(lesson).expect("it can be presented"), plain_look(), None)
}

fn text_at(hall: &mut Hall, width: u16, height: u16) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    hall.draw_into(area, &mut buf);
    screen::Drawn(buf).text()
}

fn text_of(frame: &vt100::Screen) -> String {
    frame.rows(0, 80).map(|row| row.trim_end().to_owned() + "\n").collect()
}

/// A command whose files are in a folder of the test's own.
fn present(args: &[&str], state: &Path) -> Setup {
    let all: Vec<&str> =
        ["--color", "never", "present", LESSON].iter().chain(args).copied().collect();
    let state = state.to_str().expect("temporary folders have plain names");
    Setup::lockstep(&all).env("XDG_STATE_HOME", state)
}

fn state() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Waits until the terminal shows what the buffer does.
fn wait_for_hall(tui: &Tui, hall: &mut Hall) {
    let wanted = text_at(hall, 80, 24);
    tui.wait_for("what the buffer shows", |frame| text_of(frame) == wanted);
}

/// Waits until the notes are where the presentation is.
fn wait_for_notes(notes: &Tui, hall: &Hall) {
    let now = hall.now();
    let step = format!("step {}/{}  click {}/{}", now.step, now.steps, now.click, now.clicks);
    let next: String = now.next.chars().take(40).collect();
    notes.wait_for(&format!("{step} and {next}"), |frame| {
        let text = text_of(frame);
        text.contains(&step)
            && text.contains(&next)
            && text.contains(&now.revealed)
            && !text.contains("Waiting")
    });
}

/// A click in either window, which the hall takes.
fn click(tui: &mut Tui, hall: &mut Hall) {
    tui.send(PAGE_DOWN);
    hall.input(Input::Key(Key::PageDown));
}

fn at_the_end(hall: &Hall) -> bool {
    hall.talk().at() + 1 == hall.talk().beats().len()
}

#[test]
fn a_clicker_in_either_window_presents_the_lesson_to_its_end_and_the_notes_show_every_click() {
    let state = state();
    let mut expected = hall();
    // The notes may be there first.
    let mut notes = present(&["--notes"], state.path()).start();
    notes.wait_for_text("Waiting for the presentation");
    let mut tui = present(&[], state.path()).start();
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);
    notes.wait_for_text("Let the hall vote");
    // The clicker changes hands with every click.
    let mut clicks = 0;
    while !at_the_end(&expected) {
        clicks += 1;
        click(if clicks % 2 == 0 { &mut notes } else { &mut tui }, &mut expected);
        wait_for_hall(&tui, &mut expected);
        wait_for_notes(&notes, &expected);
    }
    // At the end a click does no harm.
    click(&mut tui, &mut expected);
    notes.wait_for_text("this is the end of the lesson");
    tui.settle();
    assert_eq!(text_of(&tui.last_frame()), text_at(&mut expected, 80, 24));
    tui.send("q");
    tui.end().assert(0);
    notes.wait_for_text("The presenter is gone");
    notes.send("q");
    notes.end().assert(0);
}

#[test]
fn either_side_may_be_killed_and_started_again() {
    let state = state();
    let mut expected = hall();
    let mut tui = present(&[], state.path()).start();
    wait_for_hall(&tui, &mut expected);
    let notes = present(&["--notes"], state.path()).start();
    for _ in 0..6 {
        click(&mut tui, &mut expected);
    }
    wait_for_notes(&notes, &expected);

    // The notes are killed: the hall does not notice.
    notes.signal("KILL");
    for _ in 0..3 {
        click(&mut tui, &mut expected);
        wait_for_hall(&tui, &mut expected);
    }
    let mut notes = present(&["--notes"], state.path()).start();
    wait_for_notes(&notes, &expected);

    // The presentation is killed: the notes wait, and the next one goes on where it was.
    tui.signal("KILL");
    notes.wait_for_text("The presenter is gone");
    let mut tui = present(&[], state.path()).start();
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);
    click(&mut tui, &mut expected);
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);

    // The notes that waited steer the new hall; killed in the middle of a click, they lose no other.
    click(&mut notes, &mut expected);
    wait_for_hall(&tui, &mut expected);
    notes.signal("KILL");
    let mut notes = present(&["--notes"], state.path()).start();
    wait_for_notes(&notes, &expected);
    for _ in 0..5 {
        click(&mut notes, &mut expected);
    }
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);

    tui.send("q");
    tui.end().assert(0);
    notes.send("q");
    notes.end().assert(0);
}

#[test]
fn notes_that_do_not_read_never_hold_the_hall_up_and_catch_up_with_the_newest() {
    let state = state();
    let mut expected = hall();
    let mut tui = present(&[], state.path()).start();
    wait_for_hall(&tui, &mut expected);
    let mut notes = present(&["--notes"], state.path()).start();
    wait_for_notes(&notes, &expected);
    notes.signal("STOP");
    for _ in 0..60 {
        for key in ["n", "N", "a", "."] {
            tui.send(key);
            expected.input(Input::Key(Key::Char(key.chars().next().expect("a key"))));
        }
    }
    for key in ["\x1b[H", "n"] {
        tui.send(key);
    }
    // A dark screen comes back with the first key.
    expected.input(Input::Key(Key::Home));
    expected.input(Input::Key(Key::Char('n')));
    wait_for_hall(&tui, &mut expected);
    notes.signal("CONT");
    wait_for_notes(&notes, &expected);
    notes.send("q");
    notes.end().assert(0);
    tui.send("q");
    tui.end().assert(0);
}

#[test]
fn exploring_in_the_hall_is_told_to_the_notes_and_comes_back() {
    let state = state();
    let mut expected = hall();
    let mut tui = present(&[], state.path()).start();
    let mut notes = present(&["--notes"], state.path()).start();
    for _ in 0..2 {
        click(&mut tui, &mut expected);
    }
    wait_for_hall(&tui, &mut expected);
    tui.send("e1");
    tui.wait_for_text("exploring");
    notes.wait_for_text("exploring; F5 or Esc comes back");
    tui.send("\x1b[15~");
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);
    tui.send("q");
    tui.end().assert(0);
    notes.send("q");
    notes.end().assert(0);
}

#[test]
fn a_presentation_that_runs_is_not_stolen() {
    let state = state();
    let mut tui = present(&[], state.path()).start();
    let first = tui.first_frame();
    let second = present(&[], state.path()).start().end();
    second.assert(2);
    assert!(second.text.contains("is being presented already"), "{}", second.text);
    assert!(second.text.contains(&tui.pid().to_string()), "{}", second.text);
    // Without a line to the notes it may run beside.
    let mut alone = present(&["--alone"], state.path()).start();
    alone.first_frame();
    alone.send("q");
    alone.end().assert(0);
    let mut notes = present(&["--notes"], state.path()).start();
    notes.wait_for_text("step 1/19");
    notes.send("q");
    notes.end().assert(0);
    tui.send(PAGE_DOWN);
    tui.wait_for_change(&first);
    tui.send("q");
    tui.end().assert(0);
}

#[test]
fn a_state_folder_that_cannot_be_made_is_told_by_both_sides_with_the_way_out() {
    let state = state();
    std::fs::write(state.path().join("lockstep"), "no folder").expect("ours");
    for args in [&[][..], &["--notes"][..]] {
        let ended = present(args, state.path()).start().end();
        ended.assert(2);
        assert!(ended.last_frame.is_none(), "the terminal was not touched");
        assert!(
            ended.text.replace('\n', " ").contains("--alone presents without"),
            "{}",
            ended.text
        );
    }
}

#[test]
fn a_pipe_in_the_place_of_a_file_keeps_nobody_waiting() {
    let state = state();
    let folder = state.path().join("lockstep/present");
    std::fs::create_dir_all(&folder).expect("ours");
    for name in ["place.json", "wish.json"] {
        let path = folder.join(format!("{LESSON}.{name}"));
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.is_ok_and(|made| made.success()));
    }
    let mut expected = hall();
    let mut notes = present(&["--notes"], state.path()).start();
    notes.wait_for_text("Waiting for the presentation");
    let mut tui = present(&[], state.path()).start();
    wait_for_notes(&notes, &expected);
    click(&mut notes, &mut expected);
    wait_for_hall(&tui, &mut expected);
    for tui in [&mut tui, &mut notes] {
        tui.send("q");
    }
    tui.end().assert(0);
    notes.end().assert(0);
}

#[test]
fn a_jump_that_is_typed_in_the_notes_is_made_in_the_hall_and_a_wrong_key_is_answered() {
    let state = state();
    let mut expected = hall();
    let mut tui = present(&[], state.path()).start();
    wait_for_hall(&tui, &mut expected);
    let mut notes = present(&["--notes"], state.path()).start();
    wait_for_notes(&notes, &expected);
    notes.send("y");
    notes.wait_for_text("y does nothing here; ? lists the keys");
    notes.send("12\r");
    for key in [Key::Char('1'), Key::Char('2'), Key::Enter] {
        expected.input(Input::Key(key));
    }
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);
    tui.send("q");
    tui.end().assert(0);
    notes.wait_for_text("The presenter is gone");
    notes.send(PAGE_DOWN);
    notes.wait_for_text("no presentation runs; start it: lockstep present");
    notes.send("q");
    notes.end().assert(0);
}

#[test]
fn a_hall_that_does_not_react_is_told_in_the_notes_and_does_no_click_of_then_later() {
    let state = state();
    let mut expected = hall();
    let mut tui = present(&[], state.path()).start();
    wait_for_hall(&tui, &mut expected);
    let mut notes = present(&["--notes"], state.path()).start();
    wait_for_notes(&notes, &expected);
    tui.signal("STOP");
    notes.send(PAGE_DOWN);
    notes.wait_for_text("has not taken the key: press it again");
    tui.signal("CONT");
    click(&mut notes, &mut expected);
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);
    tui.send("q");
    tui.end().assert(0);
    notes.send("q");
    notes.end().assert(0);
}

#[test]
fn a_presentation_that_ended_begins_anew_and_a_step_can_be_named() {
    let state = state();
    let mut expected = hall();
    let mut tui = present(&[], state.path()).start();
    let first = tui.first_frame();
    tui.send("\x1b[F");
    tui.wait_for_change(&first);
    tui.send("q");
    tui.end().assert(0);
    let mut tui = present(&[], state.path()).start();
    wait_for_hall(&tui, &mut expected);
    tui.send("q");
    tui.end().assert(0);
    let mut tui = present(&["--step", "7"], state.path()).start();
    for key in [Key::Char('7'), Key::Enter] {
        expected.input(Input::Key(key));
    }
    wait_for_hall(&tui, &mut expected);
    tui.send("q");
    tui.end().assert(0);
    // Left in the middle: gone on with, unless somebody says otherwise.
    let mut tui = present(&[], state.path()).start();
    wait_for_hall(&tui, &mut expected);
    tui.send("q");
    tui.end().assert(0);
    let mut tui = present(&["--from-start"], state.path()).start();
    wait_for_hall(&tui, &mut hall());
    tui.send("q");
    tui.end().assert(0);
    let ended = present(&["--step", "70"], state.path()).start().end();
    ended.assert(2);
    assert!(ended.text.contains("the lesson has 19"), "{}", ended.text);
}

#[test]
fn nothing_is_drawn_in_the_hall_while_nobody_clicks() {
    let state = state();
    let mut tui = present(&[], state.path()).start();
    let mut notes = present(&["--notes"], state.path()).start();
    notes.wait_for_text("step 1/19");
    // So many looks that a frame for any of them would be seen.
    tui.settle();
    let (frames, looks) = (tui.frames(), wake_ups(tui.pid()));
    let sum = |looks: &[u64]| looks.iter().sum::<u64>();
    wait_until("some looks", || sum(&wake_ups(tui.pid())) > sum(&looks) + 5);
    assert_eq!(tui.frames(), frames);
    tui.send("q");
    tui.end().assert(0);
    notes.send("q");
    notes.end().assert(0);
}

#[test]
fn nothing_but_the_lesson_is_on_the_screen_at_any_size_and_in_any_look() {
    let lesson = Library::embedded().open(LESSON).expect("a lesson of the course");
    let whole: String = lesson.document().source().text().to_owned();
    for (width, height) in [(60, 18), (80, 24), (100, 30), (160, 45), (300, 90)] {
        let mut hall = hall();
        loop {
            let text = text_at(&mut hall, width, height);
            for word in ["Esc", "Enter", "PageDown", "Space", "quit", "? keys", "hint", "1-9"] {
                assert!(!text.contains(word) || whole.contains(word), "{word}: {text}");
            }
            assert!(text.contains(&format!("{}/19", hall.talk().step() + 1)), "{text}");
            let before = (hall.talk().at(), text);
            hall.input(Input::Key(Key::PageDown));
            if at_the_end(&hall) && hall.talk().at() == before.0 {
                break;
            }
        }
    }
}
