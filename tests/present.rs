//! A lesson in the lecture hall: the hall's screen and the presenter's notes, each in a real terminal.

#[path = "support/screen.rs"]
mod screen;
mod support;

use lockstep::lesson::Library;
use lockstep::ui::screen::present::{Hall, Talk};
use lockstep::ui::{Input, Key, Screenful as _};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use screen::plain_look;
use std::path::Path;
use support::{Setup, Tui};

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

/// A command whose link is in a folder of the test's own.
fn present(args: &[&str], runtime: &Path) -> Setup {
    let all: Vec<&str> =
        ["--color", "never", "present", LESSON].iter().chain(args).copied().collect();
    let runtime = runtime.to_str().expect("temporary folders have plain names");
    Setup::lockstep(&all).env("XDG_RUNTIME_DIR", runtime)
}

fn runtime() -> tempfile::TempDir {
    // A path of a socket is short.
    tempfile::Builder::new().prefix("ls").tempdir_in("/tmp").expect("a temporary folder")
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

fn click(tui: &mut Tui, hall: &mut Hall) {
    tui.send(PAGE_DOWN);
    hall.input(Input::Key(Key::PageDown));
}

fn at_the_end(hall: &Hall) -> bool {
    hall.talk().at() + 1 == hall.talk().beats().len()
}

#[test]
fn a_clicker_alone_presents_the_lesson_to_its_end_and_the_notes_show_every_click() {
    let runtime = runtime();
    let mut expected = hall();
    // The notes may be there first.
    let mut notes = present(&["--notes"], runtime.path()).start();
    notes.wait_for_text("Waiting for the presentation");
    let mut tui = present(&[], runtime.path()).start();
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);
    notes.wait_for_text("Let the hall vote");
    while !at_the_end(&expected) {
        click(&mut tui, &mut expected);
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
    let runtime = runtime();
    let mut expected = hall();
    let mut tui = present(&[], runtime.path()).start();
    wait_for_hall(&tui, &mut expected);
    let notes = present(&["--notes"], runtime.path()).start();
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
    let mut notes = present(&["--notes"], runtime.path()).start();
    wait_for_notes(&notes, &expected);

    // The presentation is killed: the notes wait, and the next one goes on where it was.
    tui.signal("KILL");
    notes.wait_for_text("The presenter is gone");
    let mut tui = present(&[], runtime.path()).start();
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);
    click(&mut tui, &mut expected);
    wait_for_hall(&tui, &mut expected);
    wait_for_notes(&notes, &expected);

    tui.send("q");
    tui.end().assert(0);
    notes.send("q");
    notes.end().assert(0);
}

#[test]
fn notes_that_do_not_read_never_hold_the_hall_up_and_catch_up_with_the_newest() {
    let runtime = runtime();
    let mut expected = hall();
    let mut tui = present(&[], runtime.path()).start();
    wait_for_hall(&tui, &mut expected);
    let mut notes = present(&["--notes"], runtime.path()).start();
    wait_for_notes(&notes, &expected);
    notes.signal("STOP");
    // More than any socket takes in.
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
    let runtime = runtime();
    let mut expected = hall();
    let mut tui = present(&[], runtime.path()).start();
    let mut notes = present(&["--notes"], runtime.path()).start();
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
    let runtime = runtime();
    let mut tui = present(&[], runtime.path()).start();
    let first = tui.first_frame();
    let second = present(&[], runtime.path()).start().end();
    second.assert(2);
    assert!(second.text.contains("is being presented already"), "{}", second.text);
    assert!(second.text.contains(&tui.pid().to_string()), "{}", second.text);
    // Without a line to the notes it may run beside.
    let mut alone = present(&["--alone"], runtime.path()).start();
    alone.first_frame();
    alone.send("q");
    alone.end().assert(0);
    let mut notes = present(&["--notes"], runtime.path()).start();
    notes.wait_for_text("step 1/19");
    notes.send("q");
    notes.end().assert(0);
    tui.send(PAGE_DOWN);
    tui.wait_for_change(&first);
    tui.send("q");
    tui.end().assert(0);
}

#[test]
fn a_folder_that_others_can_enter_is_refused_by_both_sides_in_words() {
    use std::os::unix::fs::PermissionsExt as _;
    let runtime = runtime();
    let folder = runtime.path().join("lockstep");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("ours");
    for args in [&[][..], &["--notes"][..]] {
        let ended = present(args, runtime.path()).start().end();
        ended.assert(2);
        assert!(ended.last_frame.is_none(), "the terminal was not touched");
        assert!(ended.text.replace('\n', " ").contains("chmod 700"), "{}", ended.text);
    }
}

#[test]
fn without_a_runtime_folder_the_two_meet_in_the_users_state() {
    let state = runtime();
    let name = state.path().to_str().expect("a plain name");
    let args = ["--color", "never", "present", LESSON];
    let mut tui = Setup::lockstep(&args).env("XDG_STATE_HOME", name).start();
    tui.first_frame();
    let args = ["--color", "never", "present", LESSON, "--notes"];
    let mut notes = Setup::lockstep(&args).env("XDG_STATE_HOME", name).start();
    notes.wait_for_text("step 1/19");
    assert!(state.path().join("lockstep/present").is_dir());
    for tui in [&mut tui, &mut notes] {
        tui.send("q");
    }
    tui.end().assert(0);
    notes.end().assert(0);
}

#[test]
fn a_presentation_that_ended_begins_anew_and_a_step_can_be_named() {
    let runtime = runtime();
    let mut expected = hall();
    let mut tui = present(&[], runtime.path()).start();
    let first = tui.first_frame();
    tui.send("\x1b[F");
    tui.wait_for_change(&first);
    tui.send("q");
    tui.end().assert(0);
    let mut tui = present(&[], runtime.path()).start();
    wait_for_hall(&tui, &mut expected);
    tui.send("q");
    tui.end().assert(0);
    let mut tui = present(&["--step", "7"], runtime.path()).start();
    for key in [Key::Char('7'), Key::Enter] {
        expected.input(Input::Key(key));
    }
    wait_for_hall(&tui, &mut expected);
    tui.send("q");
    tui.end().assert(0);
    // Left in the middle: gone on with, unless somebody says otherwise.
    let mut tui = present(&[], runtime.path()).start();
    wait_for_hall(&tui, &mut expected);
    tui.send("q");
    tui.end().assert(0);
    let mut tui = present(&["--from-start"], runtime.path()).start();
    wait_for_hall(&tui, &mut hall());
    tui.send("q");
    tui.end().assert(0);
    let ended = present(&["--step", "70"], runtime.path()).start().end();
    ended.assert(2);
    assert!(ended.text.contains("the lesson has 19"), "{}", ended.text);
}

#[test]
fn nothing_wakes_the_hall_while_nobody_clicks() {
    let runtime = runtime();
    let mut tui = present(&[], runtime.path()).start();
    let mut notes = present(&["--notes"], runtime.path()).start();
    notes.wait_for_text("step 1/19");
    tui.settle();
    let frames = tui.frames();
    tui.settle();
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
