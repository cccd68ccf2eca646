//! Hall and notes together, each with its own end of the line, in one folder.

use super::super::*;
use crate::lesson::Library;
use crate::ui::color::ColorUse;
use crate::ui::panel::Look;
use crate::ui::present_link::{Files, HallLink, NotesLink};
use crate::ui::theme::{Glyphs, Theme, ThemeName};
use crate::ui::{Application as _, Flow, Input};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::fs;
use std::path::{Path, PathBuf};

/// A lecture: a folder, and windows in it.
struct Lecture {
    home: tempfile::TempDir,
    lesson: Arc<Lesson>,
}

impl Lecture {
    fn of(lesson: &str) -> Self {
        let lesson = Library::embedded().open(lesson).expect("a lesson of the course");
        Self { home: tempfile::tempdir().expect("a folder"), lesson }
    }

    fn race() -> Self {
        Self::of("ricart-agrawala-race")
    }

    fn files(&self) -> Files {
        Files::at(self.home.path().to_owned(), "race").expect("a folder")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn talk(&self) -> Talk {
        Talk::new(Arc::clone(&self.lesson)).expect("it can be presented")
    }

    fn hall(&self) -> Hall {
        let mut talk = self.talk();
        let (mut link, place) =
            HallLink::open(self.files(), talk.edition()).expect("nobody else presents");
        match place {
            Some(place) => talk.go_to_place(&place),
            None => link.forget(),
        }
        let mut hall = Hall::new(talk, look(), Some(link));
        show(&mut hall, 80, 24);
        hall
    }

    fn notes(&self) -> SpeakerNotes {
        SpeakerNotes::new(self.talk(), NotesLink::new(self.files()), look(), "9".to_owned())
    }
}

fn look() -> Look {
    Look { theme: Theme::new(ThemeName::None, ColorUse::Off, None), glyphs: Glyphs::UNICODE }
}

/// The next frame, as text.
fn show(screen: &mut dyn crate::ui::Application, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a buffer");
    terminal.draw(|frame| screen.draw(frame)).expect("a buffer");
    let buf = terminal.backend().buffer();
    let row = |y| (0..columns).map(|x| buf[(x, y)].symbol().to_owned()).collect::<String>();
    (0..rows).map(|y| row(y).trim_end().to_owned() + "\n").collect()
}

fn press(notes: &mut SpeakerNotes, keys: &[Key]) {
    for key in keys {
        assert_eq!(notes.input(Input::Key(*key)), Flow::Changed, "{key:?} is answered");
    }
}

/// Some time passes: the hall looks and draws, and then the notes do, until nothing waits.
fn pass(hall: &mut Hall, notes: &mut SpeakerNotes) -> String {
    loop {
        hall.input(Input::Tick);
        show(hall, 80, 24);
        notes.input(Input::Tick);
        if !notes.link.waits() {
            return show(notes, 80, 24);
        }
    }
}

/// Where a window stands, without what lies over the lesson there.
fn stands(talk: &Talk) -> Place {
    Place { shown: Shown::Lesson, ..talk.place() }
}

const DIGITS_12: [Key; 3] = [Key::Char('1'), Key::Char('2'), Key::Enter];

#[test]
fn keys_in_the_notes_do_in_the_hall_what_they_do_there() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    // The other hall gets the same keys by hand.
    let mut expected = Hall::new(lecture.talk(), look(), None);
    let keys = [
        "PageDown", "→", "Space", "PageDown", "p", "1", "2", "Enter", "7", "PageDown", "←",
        "PageUp", "n", "a", "N", ".", "Space", "z", "Esc", "w", "Esc", "End", "PageDown", "Home",
        "Tab", "b", "F5",
    ];
    for name in keys {
        let key = match name {
            "PageDown" => Key::PageDown,
            "PageUp" => Key::PageUp,
            "→" => Key::Right,
            "←" => Key::Left,
            "Space" => Key::Char(' '),
            "Enter" => Key::Enter,
            "Esc" => Key::Esc,
            "End" => Key::End,
            "Home" => Key::Home,
            "Tab" => Key::Tab,
            "F5" => Key::F(5),
            one => Key::Char(one.chars().next().expect("a key")),
        };
        press(&mut notes, &[key]);
        pass(&mut hall, &mut notes);
        expected.input(Input::Key(key));
        let wanted = show(&mut expected, 80, 24);
        assert_eq!(show(&mut hall, 80, 24), wanted, "{name}");
        assert_eq!(stands(notes.talk()), stands(hall.talk()), "{name}");
    }
}

#[test]
fn keys_that_come_fast_are_all_done_and_in_their_order() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    press(&mut notes, &[Key::Char('n'), Key::PageDown, Key::PageDown, Key::PageUp, Key::Char('n')]);
    pass(&mut hall, &mut notes);
    assert_eq!((hall.talk().step(), hall.talk().beat().asked), (2, None));
    // One is under way, and so many may wait behind it.
    press(&mut notes, &[Key::PageDown; 17]);
    assert!(!show(&mut notes, 80, 24).contains("has not taken"));
    press(&mut notes, &[Key::PageDown]);
    assert!(show(&mut notes, 80, 24).contains("has not taken the keys before this one yet"));
    let before = hall.talk().at();
    pass(&mut hall, &mut notes);
    assert_eq!(hall.talk().at(), before + 17);
}

#[test]
fn a_key_means_what_it_does_after_those_that_came_before_it() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    // Hands while they are counted, then a step, all before the hall has looked once.
    let count = [Key::Char('n'), Key::PageDown, Key::Char('p'), Key::Char('1'), Key::Char('2')];
    press(&mut notes, &count);
    press(&mut notes, &[Key::Esc, Key::Char('1'), Key::Char('2'), Key::Enter]);
    pass(&mut hall, &mut notes);
    assert_eq!(hall.talk().poll(1).map(Poll::hands), Some(&[12, 0, 0][..]));
    assert_eq!((hall.talk().step(), hall.talk().place().shown), (11, Shown::Lesson));
}

#[test]
fn what_was_counted_is_put_away_in_the_hall_and_a_digit_from_the_notes_opens_no_list_there() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    press(&mut notes, &[Key::Char('n'), Key::PageDown, Key::Char('p')]);
    pass(&mut hall, &mut notes);
    // The notes have not seen it yet.
    hall.input(Input::Key(Key::Esc));
    let before = show(&mut hall, 80, 24);
    press(&mut notes, &[Key::Char('4')]);
    pass(&mut hall, &mut notes);
    assert_eq!(show(&mut hall, 80, 24), before);
}

#[test]
fn a_number_is_typed_in_the_notes_alone_and_then_leads_there_in_the_hall() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    let before = show(&mut hall, 80, 24);
    press(&mut notes, &DIGITS_12[..2]);
    pass(&mut hall, &mut notes);
    assert_eq!(show(&mut hall, 80, 24), before, "the hall sees no list");
    press(&mut notes, &DIGITS_12[2..]);
    let text = pass(&mut hall, &mut notes);
    assert_eq!(hall.talk().step(), 11);
    assert!(text.contains("step 12/19"), "{text}");
    // One that there is not is refused here, and once more by a hall that is asked for it.
    press(&mut notes, &[Key::Char('4'), Key::Char('0'), Key::Enter]);
    let text = pass(&mut hall, &mut notes);
    assert!(text.contains("there is no step 40; the lesson has 19"), "{text}");
    assert_eq!(hall.talk().step(), 11);
    press(&mut notes, &[Key::Char('g'), Key::Esc, Key::Char('.')]);
    pass(&mut hall, &mut notes);
    assert!(hall.talk().is_blank());
    press(&mut notes, &[Key::Char('3'), Key::Enter]);
    pass(&mut hall, &mut notes);
    assert_eq!((hall.talk().step(), hall.talk().is_blank()), (2, false));
}

#[test]
fn while_hands_are_counted_numbers_and_letters_in_the_notes_are_hands() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    press(&mut notes, &[Key::Char('n'), Key::PageDown, Key::Char('p')]);
    let text = pass(&mut hall, &mut notes);
    assert!(text.contains("hands are being counted"), "{text}");
    assert!(text.contains("the bars of the count; then the answer"), "{text}");
    press(&mut notes, &[Key::Char('4'), Key::Char('b'), Key::Char('+'), Key::Char('+')]);
    let text = pass(&mut hall, &mut notes);
    assert_eq!(hall.talk().poll(1).map(Poll::hands), Some(&[4, 2, 0][..]));
    assert!(text.contains("hands: a 4, b 2, c 0"), "{text}");
    press(&mut notes, &[Key::PageDown]);
    let text = pass(&mut hall, &mut notes);
    assert!(text.contains("the answer: b) P2"), "{text}");
}

#[test]
fn every_key_in_the_notes_does_something_or_says_why_not() {
    let mut all: Vec<Key> = (' '..='~').map(Key::Char).collect();
    all.extend((' '..='~').filter(char::is_ascii_lowercase).map(Key::Ctrl));
    all.extend((1..=12).map(Key::F));
    all.extend([Key::Enter, Key::Esc, Key::Tab, Key::BackTab, Key::Backspace, Key::Up, Key::Down]);
    all.extend([
        Key::Left,
        Key::Right,
        Key::Home,
        Key::End,
        Key::PageUp,
        Key::PageDown,
        Key::Delete,
    ]);
    all.retain(|key| *key != Key::Char('q'));
    let lecture = Lecture::race();
    let mut hall = lecture.hall();
    for key in all {
        let mut notes = lecture.notes();
        // In the middle of a step, where each way leads somewhere.
        hall.input(Input::Key(Key::Home));
        hall.input(Input::Key(Key::Char('n')));
        hall.input(Input::Key(Key::PageDown));
        let before = pass(&mut hall, &mut notes);
        let (seen, looked) = (show(&mut hall, 80, 24), hall.talk().place());
        press(&mut notes, &[key]);
        let after = pass(&mut hall, &mut notes);
        let did = show(&mut hall, 80, 24) != seen || hall.talk().place() != looked;
        // The clock in the first line goes on by itself.
        let below = |text: &str| text.split_once('\n').map(|(_, below)| below.to_owned());
        assert!(did || below(&after) != below(&before), "{key:?} is swallowed:\n{after}");
        for _ in 0..2 {
            hall.input(Input::Key(Key::Esc));
        }
    }
}

#[test]
fn a_key_that_has_nothing_to_do_in_the_hall_says_so() {
    let lecture = Lecture::race();
    for key in [Key::PageUp, Key::Home, Key::Char('N'), Key::Esc, Key::F(5), Key::Char('p')] {
        let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
        hall.input(Input::Key(Key::Home));
        assert!(!pass(&mut hall, &mut notes).contains("For you"));
        press(&mut notes, &[key]);
        let text = pass(&mut hall, &mut notes);
        assert!(text.contains("For you") && text.contains("nothing to "), "{key:?}: {text}");
    }
}

#[test]
fn while_the_hall_explores_or_looks_at_its_keys_the_notes_say_so_and_only_close() {
    let lecture = Lecture::race();
    for (opens, told, why) in [
        ('e', "exploring; F5 or Esc comes back", "the hall explores, with keys of its own"),
        ('?', "the keys are on the screen", "the hall looks at the list of keys"),
    ] {
        let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
        hall.input(Input::Key(Key::Home));
        let lesson = show(&mut hall, 80, 24);
        hall.input(Input::Key(Key::Char(opens)));
        let text = pass(&mut hall, &mut notes);
        assert!(text.contains(told), "{text}");
        assert_eq!(text.contains("In flight"), opens == '?', "{text}");
        let seen = show(&mut hall, 80, 24);
        press(&mut notes, &[Key::PageDown]);
        let text = pass(&mut hall, &mut notes);
        assert!(text.contains(why), "{text}");
        assert_eq!(show(&mut hall, 80, 24), seen);
        press(&mut notes, &DIGITS_12);
        pass(&mut hall, &mut notes);
        assert_eq!(show(&mut hall, 80, 24), seen);
        press(&mut notes, &[Key::F(5)]);
        let text = pass(&mut hall, &mut notes);
        assert_eq!(show(&mut hall, 80, 24), lesson);
        assert!(!text.contains(why) && !text.contains(told), "{text}");
    }
}

#[test]
fn the_keys_of_the_hall_alone_open_nothing_there() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    let before = show(&mut hall, 80, 24);
    for key in ['e', '?', 'g'] {
        press(&mut notes, &[Key::Char(key)]);
        pass(&mut hall, &mut notes);
        press(&mut notes, &[Key::Esc]);
        pass(&mut hall, &mut notes);
        assert_eq!(show(&mut hall, 80, 24), before, "{key}");
    }
    assert_eq!(notes.input(Input::Key(Key::Char('q'))), Flow::Quit);
    assert_eq!(hall.input(Input::Tick), Flow::Unchanged);
    // Whoever writes such a wish by hand opens and ends nothing either.
    let (file, run) = (lecture.file("race.wish.json"), run_of(&lecture));
    let now = crate::ui::present_link::seconds();
    for key in [r#"{"Char":"q"}"#, r#"{"Char":"e"}"#, r#"{"F":1}"#] {
        let heard = heard_by(&lecture) + 1;
        let wish = format!(
            r#"{{"lockstep_present":2,"run":{run},"number":{heard},"at":{now},"wish":{{"Key":{key}}}}}"#
        );
        fs::write(&file, wish).expect("ours");
        assert_eq!(hall.input(Input::Tick), Flow::Changed, "{key}");
        assert_eq!(show(&mut hall, 80, 24), before, "{key}");
        assert_eq!(hall.talk().place().aside, Some(Aside::HallOnly));
    }
}

fn kept(lecture: &Lecture) -> serde_json::Value {
    let text = fs::read(lecture.file("race.place.json")).expect("the hall has drawn");
    serde_json::from_slice(&text).expect("it writes JSON")
}

fn run_of(lecture: &Lecture) -> u64 {
    kept(lecture)["run"].as_u64().expect("a number")
}

fn heard_by(lecture: &Lecture) -> u64 {
    kept(lecture)["heard"].as_u64().expect("a number")
}

#[test]
fn without_a_presentation_a_key_says_how_to_start_one_and_is_not_done_later() {
    let lecture = Lecture::race();
    let mut notes = lecture.notes();
    assert!(show(&mut notes, 80, 24).contains("Waiting for the presentation"));
    press(&mut notes, &[Key::PageDown]);
    let text = show(&mut notes, 80, 24);
    assert!(text.contains("no presentation runs; start it: lockstep present 9"), "{text}");
    let mut hall = lecture.hall();
    let text = pass(&mut hall, &mut notes);
    assert_eq!(hall.talk().at(), 0);
    assert!(text.contains("step 1/19  click 1/3"), "{text}");
}

#[test]
fn a_wish_to_a_hall_that_is_gone_is_not_done_by_the_next_one() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    hall.input(Input::Key(Key::PageDown));
    pass(&mut hall, &mut notes);
    press(&mut notes, &[Key::Char('n'), Key::Char('n')]);
    let wish = fs::read(lecture.file("race.wish.json")).expect("it was wished for");
    drop(hall);
    let mut hall = lecture.hall();
    // Even where the file is put there once more.
    fs::write(lecture.file("race.wish.json"), wish).expect("ours");
    pass(&mut hall, &mut notes);
    assert_eq!((hall.talk().step(), hall.talk().at()), (0, 1), "gone on where it was left");
    press(&mut notes, &[Key::Char('n')]);
    pass(&mut hall, &mut notes);
    assert_eq!(hall.talk().step(), 1);
}

#[test]
fn two_windows_of_notes_steer_one_hall_and_no_key_of_either_is_lost() {
    let lecture = Lecture::race();
    let mut hall = lecture.hall();
    let (mut one, mut other) = (lecture.notes(), lecture.notes());
    for round in 1..=4 {
        press(&mut one, &[Key::PageDown]);
        press(&mut other, &[Key::PageDown, Key::PageDown]);
        pass(&mut hall, &mut one);
        pass(&mut hall, &mut other);
        assert_eq!(hall.talk().at(), 3 * round);
    }
    // One that ends before its key was taken leaves no turn behind.
    press(&mut one, &[Key::PageUp]);
    drop(one);
    press(&mut other, &[Key::PageDown]);
    pass(&mut hall, &mut other);
    assert_eq!(other.talk().at(), hall.talk().at());
}

#[test]
fn a_second_hall_of_the_lesson_is_refused_and_told_who_presents() {
    let lecture = Lecture::race();
    let hall = lecture.hall();
    let refused = HallLink::open(lecture.files(), "x".to_owned()).expect_err("it runs").to_string();
    assert!(refused.contains(&format!("process {}", std::process::id())), "{refused}");
    drop(hall);
    assert!(HallLink::open(lecture.files(), "x".to_owned()).is_ok());
}

#[test]
fn a_hall_that_is_gone_leaves_its_last_state_and_the_way_back() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    hall.input(Input::Key(Key::Char('n')));
    pass(&mut hall, &mut notes);
    // What it wrote last is not missed.
    hall.input(Input::Key(Key::PageDown));
    show(&mut hall, 80, 24);
    drop(hall);
    assert_eq!(notes.input(Input::Tick), Flow::Changed);
    let text = show(&mut notes, 80, 24);
    for part in ["The presenter is gone", "lockstep present 9", "step 2/19  click 2/6"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Notes that are opened now know of nobody.
    assert!(show(&mut lecture.notes(), 80, 24).contains("Waiting for the presentation"));
    let mut hall = lecture.hall();
    let text = pass(&mut hall, &mut notes);
    assert!(
        !text.contains("gone. Waiting") && text.contains("gone on where it was left"),
        "{text}"
    );
}

#[test]
fn whatever_stands_in_the_files_hall_and_notes_go_on() {
    let lecture = Lecture::race();
    let mut hall = lecture.hall();
    let mut notes = lecture.notes();
    let whole = kept(&lecture);
    let huge = ["run", "heard", "at", "began", "since"].map(|field| {
        let mut file = whole.clone();
        file[field] = u64::MAX.into();
        file.to_string()
    });
    let mut cases: Vec<Vec<u8>> = huge.map(String::into_bytes).to_vec();
    for (field, value) in [("step", u64::MAX), ("click", u64::MAX)] {
        let mut file = whole.clone();
        file["place"][field] = value.into();
        cases.push(file.to_string().into_bytes());
    }
    cases.extend(
        [&b""[..], b"{", b"\xff\x00\x1b[2J", b"[[[[", b"{\"lockstep_present\":1}"].map(Vec::from),
    );
    cases.push(vec![b'['; 1 << 20]);
    for case in &cases {
        for name in ["race.place.json", "race.wish.json"] {
            fs::write(lecture.file(name), case).expect("ours");
        }
        notes.input(Input::Tick);
        show(&mut notes, 80, 24);
        hall.input(Input::Tick);
        assert_eq!(hall.talk().at(), 0);
    }
    let text = show(&mut notes, 80, 24);
    assert!(text.contains("cannot be read"), "{text}");
    // The next click writes the file anew.
    hall.input(Input::Key(Key::PageDown));
    let text = pass(&mut hall, &mut notes);
    assert!(text.contains("step 1/19  click 2/3") && !text.contains("cannot be read"), "{text}");
    drop(hall);
    for case in &cases {
        fs::write(lecture.file("race.place.json"), case).expect("ours");
        let mut hall = lecture.hall();
        pass(&mut hall, &mut lecture.notes());
    }
}

#[test]
fn notes_of_another_edition_of_the_lesson_say_so_and_show_no_wrong_step() {
    let mut lecture = Lecture::race();
    let mut hall = lecture.hall();
    lecture.lesson = Library::embedded().open("maekawa").expect("a lesson of the course");
    let mut notes = lecture.notes();
    let text = pass(&mut hall, &mut notes);
    assert!(text.contains("another edition") && !text.contains("Next click"), "{text}");
}

#[test]
fn the_clock_of_the_lecture_and_its_hands_outlive_a_hall_that_is_killed() {
    let lecture = Lecture::race();
    let mut hall = lecture.hall();
    for key in [Key::Char('n'), Key::PageDown, Key::Char('p'), Key::Char('8'), Key::Esc] {
        hall.input(Input::Key(key));
    }
    show(&mut hall, 80, 24);
    let before = kept(&lecture);
    drop(hall);
    let hall = lecture.hall();
    assert_eq!(hall.talk().poll(1).map(Poll::hands), Some(&[8, 0, 0][..]));
    let after = kept(&lecture);
    assert_eq!((&after["began"], &after["since"]), (&before["began"], &before["since"]));
    assert_ne!(after["run"], before["run"]);
}

#[test]
fn an_idle_hall_writes_nothing_and_draws_nothing() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    pass(&mut hall, &mut notes);
    let changed = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).expect("it is there");
    let before = changed(&lecture.file("race.place.json"));
    for _ in 0..100 {
        assert_eq!(hall.input(Input::Tick), Flow::Unchanged);
        show(&mut hall, 80, 24);
    }
    assert_eq!(changed(&lecture.file("race.place.json")), before);
    assert!(!lecture.file("race.wish.json").exists(), "nobody wishes for anything");
}

#[test]
fn a_stepper_that_plays_by_itself_keeps_its_pace_beside_the_line() {
    let lecture = Lecture::race();
    let mut hall = lecture.hall();
    for key in [Key::Char('n'), Key::Char('e'), Key::Char('a')] {
        hall.input(Input::Key(key));
    }
    let steps = |hall: &Hall| hall.stepper().expect("it explores").lab().state().steps();
    let every = hall.tick_every().expect("the line");
    let pace = hall.stepper().and_then(|s| s.tick_every()).expect("it plays by itself");
    assert!(every < pace, "the line is looked at more often");
    let before = steps(&hall);
    for _ in 1..pace.as_millis().div_ceil(every.as_millis()) {
        hall.input(Input::Tick);
        assert_eq!(steps(&hall), before);
    }
    hall.input(Input::Tick);
    assert_eq!(steps(&hall), before + 1);
}

#[test]
fn the_notes_show_the_table_and_the_messages_where_there_is_room() {
    let lecture = Lecture::race();
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    hall.input(Input::Key(Key::Char('n')));
    pass(&mut hall, &mut notes);
    for (columns, rows) in [(80, 24), (100, 30), (120, 24), (160, 45)] {
        let text = show(&mut notes, columns, rows);
        for part in ["state", "(5,P1)", "In flight", "REQUEST (3,P2)  P2→P1#1", "P2→P3"] {
            assert!(text.contains(part), "{columns}x{rows} {part}:\n{text}");
        }
        let step = "step 2/19";
        for part in [step, "In the hall", "Next click", "the question: P1 has asked"] {
            assert!(text.contains(part), "{columns}x{rows} {part}:\n{text}");
        }
    }
    let text = show(&mut notes, 60, 12);
    assert!(text.contains("Next click") && !text.contains("In flight"), "{text}");
}

#[test]
fn the_notes_can_be_drawn_at_every_size_at_every_click_of_every_lesson() {
    for shelved in Library::embedded().shelved() {
        let lecture = Lecture::of(&shelved.id);
        let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
        let beats = hall.talk().beats().len();
        for click in 0..beats {
            pass(&mut hall, &mut notes);
            assert_eq!(notes.talk().at(), click, "{}", shelved.id);
            let size =
                [(1, 1), (19, 9), (20, 2), (33, 7), (60, 18), (80, 24), (110, 18), (200, 60)];
            let (columns, rows) = size[click % size.len()];
            show(&mut notes, columns, rows);
            // A page that is longer than the screen is read to its end first.
            for _ in 0..10 {
                hall.input(Input::Key(Key::PageDown));
                if hall.talk().at() != click {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_long_note_leaves_room_for_what_comes() {
    let mut lecture = Lecture::race();
    let text = lecture.lesson.document().source().text().to_owned();
    let long = format!("note: {} Let the hall vote", "word ".repeat(900));
    let text = text.replacen("note: Let the hall vote", &long, 1);
    let source = crate::input::Source::from_text("long.yaml", &text, "lesson").expect("a text");
    lecture.lesson = crate::lesson::load::checked(source).unwrap_or_else(|bad| panic!("{bad}"));
    let (mut hall, mut notes) = (lecture.hall(), lecture.notes());
    let text = pass(&mut hall, &mut notes);
    assert!(text.contains("word word") && text.contains("plays request P1"), "{text}");
}
