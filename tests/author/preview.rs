//! A lesson that is looked at while it is written: reloading, faults, and what is left alone.

use crate::screen::{Seen, plain_look};
use crate::support::Setup;
use lockstep::lesson::watch::{PATIENCE, Watched};
use lockstep::ui::app::App;
use lockstep::ui::{Flow, Input, Key};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LESSON: &str = "\
lesson: 1
id: written
title: In the making
about: A lesson that is being written.
cluster: {algorithm: ricart-agrawala, clocks: {P1: 4, P2: 2}}
steps:
  - say: Both ask.
    run: [request P1, request P2]
  - predict:
      id: who-waits
      prompt: What does P2 do?
      event: deliver P1>P2
      outcomes: [reply, defer]
      then: play
      hints: [a, b, c]
      explain: It is older.
  - say: The third page.
  - choice:
      id: first
      prompt: Who is first?
      options:
        p1: {text: P1, say: Its stamp is larger.}
        p2: {text: P2, right: true, say: Its stamp is smaller.}
      hints: [a, b, c]
      explain: Stamps decide.
  - say: The last page.
";

/// A folder with the lesson in it, and the screen on it.
struct Desk {
    _folder: tempfile::TempDir,
    path: PathBuf,
    seen: Seen,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("written.yaml");
        fs::write(&path, LESSON).expect("the folder is there");
        let (watched, lesson) = Watched::open(&path, "").expect("the lesson has no fault");
        let app = App::preview(watched, lesson, plain_look(), false).expect("a cluster");
        Self { _folder: folder, path, seen: Seen::of(app) }
    }

    fn save(&self, text: &str) {
        fs::write(&self.path, text).expect("the folder is there");
    }

    /// So many looks at the file.
    fn looks(&mut self, count: u32) -> Vec<Flow> {
        (0..count).map(|_| self.seen.input(Input::Tick)).collect()
    }

    /// Enough looks for whatever was saved to be believed.
    fn rest(&mut self) {
        self.looks(PATIENCE + 1);
    }

    fn text(&mut self) -> String {
        self.seen.at(80, 24).text()
    }

    fn page(&self) -> usize {
        self.seen.stepper().learner().expect("a lesson").page().0
    }
}

fn broken() -> String {
    LESSON.replace("event: deliver P1>P2", "event: deliver P1>P9")
}

#[test]
fn what_is_saved_is_shown_at_the_step_that_was_edited() {
    let mut desk = Desk::new();
    assert!(desk.text().contains("Both ask."));
    desk.save(&LESSON.replace("The third page.", "The third page, again."));
    desk.rest();
    assert_eq!(desk.page(), 3);
    let text = desk.text();
    assert!(
        text.contains("The third page, again.") && text.contains("page 3 was edited"),
        "{text}"
    );
    assert_eq!(desk.seen.steps(), 3, "what the pages before it play has happened");
    desk.save(&LESSON.replace("What does P2 do?", "What will P2 do?"));
    desk.rest();
    assert_eq!((desk.page(), desk.seen.steps()), (2, 2));
    assert!(desk.text().contains("What will P2 do?"), "an edited question is asked");
    desk.save(&LESSON.replace("Both ask.", "Two ask."));
    desk.rest();
    assert_eq!((desk.page(), desk.seen.steps()), (1, 0));
    desk.seen.press("Right Right Right");
    assert_eq!(desk.page(), 2);
    desk.save(&LESSON.replace("Both ask.", "Two ask.").replace("In the making", "Made"));
    desk.rest();
    let text = desk.text();
    assert_eq!((desk.page(), desk.seen.steps()), (2, 2), "nobody is led away");
    assert!(text.contains("no step has changed") && text.contains("Made"), "{text}");
    desk.save(&format!("{LESSON}  - say: One more page.\n"));
    desk.rest();
    assert_eq!(desk.page(), 1, "the first of two steps that differ");
    desk.save(&format!("{LESSON}  - say: One more page, behind it.\n"));
    desk.rest();
    assert_eq!(desk.page(), 6);
    desk.seen.press("Left Left");
    assert_eq!(desk.page(), 4, "one can go back from there");
}

#[test]
fn a_broken_file_leaves_the_last_good_state_and_says_what_is_wrong_below_it() {
    let mut desk = Desk::new();
    desk.seen.press("Right Right Left");
    let before = desk.text();
    desk.save(&broken());
    desk.rest();
    for (width, height) in [(80, 24), (100, 30), (60, 20)] {
        let text = desk.seen.at(width, height).text();
        assert!(text.contains("Both ask."), "the lesson is still there\n{text}");
        assert!(text.contains("The file is broken; above is its last good state"), "{text}");
        assert!(width < 80 || text.contains("no node"), "{text}");
        assert!(text.replace('\n', "").contains("written.yaml:12:"), "{text}");
    }
    assert!(desk.seen.at(60, 18).text().contains("written.yaml:12:"), "on the last row");
    assert_eq!(desk.seen.steps(), 1);
    desk.seen.press("Right");
    assert_eq!(desk.seen.steps(), 2, "it can be played on");
    desk.seen.press("Left");
    desk.save(LESSON);
    desk.rest();
    assert_eq!(desk.text(), before, "mended as it was: nothing has moved, and nothing is told");
    desk.save(&format!("{}\n- [", broken()));
    desk.rest();
    assert!(desk.text().contains("in the file") || desk.text().contains("is broken"));
    desk.save(&LESSON.replace("The last page.", "The very last page."));
    desk.rest();
    let text = desk.text();
    assert!(text.contains("The very last page.") && !text.contains("broken"), "{text}");
}

#[test]
fn half_a_file_that_is_seen_for_a_moment_is_no_fault() {
    let mut desk = Desk::new();
    let half = &LESSON[..LESSON.len() / 2];
    let whole = LESSON.replace("Both ask.", "They both ask.");
    for text in ["", half, &LESSON[..5]] {
        desk.save(text);
        assert_eq!(desk.looks(PATIENCE), vec![Flow::Unchanged; PATIENCE as usize]);
        assert!(!desk.text().contains("broken"));
        desk.save(&whole);
        desk.rest();
        assert!(desk.text().contains("They both ask."));
        desk.save(LESSON);
        desk.rest();
    }
    fs::remove_file(&desk.path).expect("it is there");
    assert_eq!(desk.looks(PATIENCE), vec![Flow::Unchanged; PATIENCE as usize]);
    desk.save(&whole);
    desk.rest();
    assert!(desk.text().contains("They both ask."));
    fs::remove_file(&desk.path).expect("it is there");
    desk.rest();
    assert!(desk.text().contains("there is no such file"), "{}", desk.text());
    desk.save(&whole);
    desk.rest();
    assert!(!desk.text().contains("no such file"));
}

#[test]
fn a_file_that_rests_costs_no_frame_and_a_text_of_the_same_length_is_seen() {
    let mut desk = Desk::new();
    assert_eq!(desk.seen.tick_every(), Some(Duration::from_millis(250)));
    assert!(desk.looks(40).iter().all(|flow| *flow == Flow::Unchanged));
    desk.save(LESSON);
    assert!(desk.looks(20).iter().all(|flow| *flow == Flow::Unchanged), "saved as it was");
    let data = fs::metadata(&desk.path).and_then(|data| data.modified()).expect("its time");
    desk.save(&LESSON.replace("Both ask.", "Two  ask."));
    desk.looks(2);
    desk.save(&LESSON.replace("Both ask.", "Both Ask."));
    let file = fs::File::options().write(true).open(&desk.path).expect("it is there");
    file.set_modified(data).expect("its time can be set");
    desk.looks(8);
    assert!(desk.text().contains("Both Ask."), "{}", desk.text());
}

#[test]
fn the_run_plays_by_itself_at_its_own_pace_meanwhile() {
    let mut desk = Desk::new();
    desk.seen.press("Right Right 1 a");
    let steps = desk.seen.steps();
    let mut ticks = 0;
    while desk.seen.steps() == steps {
        assert!(desk.seen.tick_every() <= Some(Duration::from_millis(250)));
        desk.looks(1);
        ticks += 1;
        assert!(ticks < 20, "it goes on");
    }
    assert!(ticks >= 4, "1.2 seconds are more than one look, not {ticks}");
}

#[test]
fn the_screens_above_it_close_and_q_leaves_the_program() {
    let mut desk = Desk::new();
    desk.seen.press("Right b");
    desk.save(&LESSON.replace("The third page.", "Page three."));
    desk.rest();
    assert!(desk.text().contains("Page three."));
    assert_eq!(desk.seen.input(Input::Key(Key::Char('q'))), Flow::Quit);
}

#[test]
fn a_file_that_has_become_broken_is_not_said_to_be_loaded_again() {
    let mut desk = Desk::new();
    desk.save(&LESSON.replace("The third page.", "The third page, again."));
    desk.rest();
    assert!(desk.text().contains("loaded again: page 3 was edited"));
    desk.save(&broken());
    desk.rest();
    for (width, height) in [(80, 24), (60, 18)] {
        let text = desk.seen.at(width, height).text();
        assert!(!text.contains("loaded again"), "{text}");
        assert!(height < 20 || text.contains("the file has faults"), "{text}");
    }
    desk.save(&LESSON.replace("The third page.", "The third page, again."));
    desk.rest();
    let text = desk.text();
    assert!(!text.contains("faults"), "mended as it was, it has none\n{text}");
}

#[test]
fn faults_that_there_is_no_room_for_are_counted() {
    let mut desk = Desk::new();
    let broken = broken().replace("[reply, defer]", "[reply, defr]").replace(", right: true", "");
    desk.save(&broken.replace("The third page.", "The third page.\n    run: [request P7]"));
    desk.rest();
    let text = desk.text();
    assert!(text.contains("faults in the file"), "{text}");
    let rows: Vec<&str> = text.lines().collect();
    let told = rows.iter().filter(|row| row.contains("written.yaml:")).count();
    let more = rows.iter().find(|row| row.contains(" more")).expect("how many more");
    let counted: usize = more.trim().split(' ').find_map(|w| w.parse().ok()).expect("a number");
    let all: usize = rows
        .iter()
        .find_map(|row| row.split_once(" faults in the file"))
        .and_then(|(before, _)| before.trim_matches(['─', ' ']).rsplit(' ').next()?.parse().ok())
        .expect("all of them are counted");
    assert_eq!(told + counted, all, "{text}");
    let text = desk.seen.at(60, 18).text();
    assert!(text.contains(&format!("{} more", all - 1)), "{text}");
}

#[test]
fn a_lesson_is_said_to_be_loaded_again_while_one_explores_as_well() {
    let mut desk = Desk::new();
    desk.seen.press("Right Right 2");
    assert!(desk.text().contains("exploring"));
    desk.save(&LESSON.replace("The third page.", "The third page, again."));
    desk.rest();
    assert!(desk.text().contains("loaded again: page 3 was edited"), "{}", desk.text());
    desk.seen.press("Left Left Left Right Right 2");
    assert!(desk.text().contains("exploring"), "{}", desk.text());
    desk.save(
        &LESSON.replace("The third page.", "The third page, again.").replace("a, b, c", "d, b, c"),
    );
    desk.rest();
    let text = desk.text();
    assert!(text.contains("loaded again"), "{text}");
}

// --- in a real terminal --------------------------------------------------------------------------

/// How an editor saves.
fn save(how: &str, path: &Path, text: &str) {
    let write = |path: &Path, text: &str| fs::write(path, text).expect("the folder is there");
    match how {
        "rename" => {
            let beside = path.with_extension("tmp");
            write(&beside, text);
            fs::rename(&beside, path).expect("the folder is there");
        }
        "truncate" => {
            write(path, "");
            write(path, &text[..text.len() / 2]);
            write(path, text);
        }
        "delete" => {
            fs::remove_file(path).expect("it is there");
            write(path, text);
        }
        other => panic!("{other} is no way to save"),
    }
}

#[test]
fn it_follows_every_way_in_which_editors_save_and_keeps_no_progress() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("written.yaml");
    fs::write(&path, LESSON).expect("the folder is there");
    let name = path.to_str().expect("a name");
    let mut tui = Setup::lockstep(&["lesson", "preview", name]).start();
    tui.wait_for("the lesson", |screen| screen.contents().contains("Both ask."));
    for how in ["rename", "truncate", "delete"] {
        let wanted = format!("The third page by {how}.");
        save(how, &path, &LESSON.replace("The third page.", &wanted));
        let frame = tui.wait_for(&wanted, |screen| screen.contents().contains(&wanted));
        assert!(!frame.contents().contains("broken"), "{}", frame.contents());
        save(how, &path, &broken());
        tui.wait_for("the fault", |screen| {
            let text = screen.contents();
            text.contains("The file is broken") && text.contains(&wanted)
        });
        save(how, &path, LESSON);
        tui.wait_for("the mended lesson", |screen| {
            let text = screen.contents();
            !text.contains("broken") && text.contains("The third page.")
        });
    }
    // An answer, which must be kept nowhere.
    save("rename", &path, &LESSON.replace("Who is first?", "Who goes first?"));
    tui.wait_for("the question", |screen| screen.contents().contains("Who goes first?"));
    tui.send("\r");
    tui.send("2\r");
    tui.wait_for("a verdict", |screen| screen.contents().contains("Correct"));
    tui.settle();
    let home = tui.home().to_owned();
    let kept: Vec<_> = fs::read_dir(&home).expect("its home").filter_map(Result::ok).collect();
    assert!(kept.is_empty(), "{kept:?}");
    tui.send("q");
    tui.end().assert(0);
}

#[test]
fn a_lesson_that_cannot_be_opened_is_told_before_the_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("written.yaml");
    fs::write(&path, broken()).expect("the folder is there");
    let name = path.to_str().expect("a name");
    let ended = Setup::lockstep(&["lesson", "preview", name]).size(160, 20).start().end();
    ended.assert(3);
    assert!(ended.text.contains("no node `P9`"), "{}", ended.text);
    assert!(!ended.log.contains(&0x1b), "{}", ended.log.escape_ascii());
    let ended = Setup::lockstep(&["lesson", "preview", "nowhere.yaml"]).start().end();
    ended.assert(2);
    let ended = Setup::lockstep(&["--plain", "lesson", "preview", name]).size(200, 9).start().end();
    ended.assert(2);
    assert!(ended.text.contains("lesson lint"), "{}", ended.text);
}
