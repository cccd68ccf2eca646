//! The presentation as a state machine: what each key does, and what is never lost.

use super::*;
use crate::lesson::Library;
use crate::sim::RevId;
use crate::ui::color::ColorUse;
use crate::ui::panel::Look;
use crate::ui::present_link::PlaceFile;
use crate::ui::screen::present::Wish;
use crate::ui::theme::{Glyphs, Theme, ThemeName};
use crate::ui::{Application as _, Flow, Input};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

fn look() -> Look {
    Look { theme: Theme::new(ThemeName::None, ColorUse::Off, None), glyphs: Glyphs::UNICODE }
}

fn talk(lesson: &str) -> Talk {
    let lesson = Library::embedded().open(lesson).expect("a lesson of the course");
    Talk::new(lesson).expect("it can be presented")
}

fn race() -> Talk {
    talk("ricart-agrawala-race")
}

fn key(name: &str) -> Key {
    match name {
        "Enter" => Key::Enter,
        "Esc" => Key::Esc,
        "Up" => Key::Up,
        "Down" => Key::Down,
        "Home" => Key::Home,
        "End" => Key::End,
        "PageUp" => Key::PageUp,
        "PageDown" => Key::PageDown,
        "F5" => Key::F(5),
        "Space" => Key::Char(' '),
        one => Key::Char(one.chars().next().expect("a key has a name")),
    }
}

fn press(talk: &mut Talk, keys: &str) {
    for name in keys.split_whitespace() {
        talk.key(key(name));
    }
}

fn pressed(keys: &str) -> Talk {
    let mut talk = race();
    press(&mut talk, keys);
    talk
}

fn now(talk: &Talk) -> Now {
    talk.now(talk.place().shown)
}

fn rows(buf: &Buffer) -> Vec<String> {
    let row = |y| (0..buf.area.width).map(|x| buf[(x, y)].symbol().to_owned()).collect();
    (0..buf.area.height).map(row).collect()
}

fn shown(talk: &Talk) -> String {
    let area = Rect::new(0, 0, 80, 24);
    let mut buf = Buffer::empty(area);
    talk.draw(&look(), area, &mut buf);
    rows(&buf).join("\n")
}

fn shown_hall(hall: &mut Hall) -> String {
    let area = Rect::new(0, 0, 80, 24);
    let mut buf = Buffer::empty(area);
    hall.draw_into(area, &mut buf);
    rows(&buf).join("\n")
}

fn hall(keys: &str) -> Hall {
    Hall::new(pressed(keys), look(), None)
}

fn press_hall(hall: &mut Hall, keys: &str) {
    for name in keys.split_whitespace() {
        assert_ne!(hall.input(Input::Key(key(name))), Flow::Quit, "{name} leaves");
    }
}

#[test]
fn events_are_revealed_one_at_a_time_then_the_question_its_options_and_the_answer() {
    let mut talk = race();
    let mut seen = Vec::new();
    while talk.step() < 2 {
        let beat = *talk.beat();
        seen.push((beat.event, beat.asked.map(|a| (a.picks, a.answered))));
        talk.key(Key::PageDown);
    }
    let no = None;
    let some = |picks, answered| (false, Some((picks, answered)));
    let mut wanted = vec![(false, no), (true, no), (true, no), (false, no)];
    wanted.extend([some(0, false), some(1, false), some(2, false), some(3, false)]);
    wanted.push(some(3, true));
    assert_eq!(seen, wanted);
}

#[test]
fn the_answer_to_a_prediction_is_what_the_engine_does_with_the_event() {
    let talk = race();
    let mut predicted = 0;
    for beat in talk.beats().iter().filter(|b| b.asked.is_some_and(|a| a.answered)) {
        let asking = talk.asking(beat.step).expect("it is answered");
        if asking.plays.is_some() {
            let record = talk.lab().history().record(beat.rev).expect("the event was played");
            let answer = asking.answer[0].as_str();
            assert!(record.outcomes.contains(&answer), "{answer}: {:?}", record.outcomes);
            predicted += 1;
        }
    }
    assert!(predicted >= 4, "{predicted}");
}

#[test]
fn going_back_hides_what_was_revealed() {
    let mut talk = pressed("n a");
    assert!(shown(&talk).contains("the smaller stamp is the older request"));
    talk.key(Key::PageUp);
    assert!(!shown(&talk).contains("the smaller stamp is the older request"));
    talk.key(Key::PageDown);
    assert!(shown(&talk).contains("the smaller stamp is the older request"));
}

#[test]
fn an_option_stays_where_it_is_while_others_are_revealed() {
    let mut talk = pressed("n PageDown PageDown");
    let row = |talk: &Talk, text: &str| shown(talk).lines().position(|l| l.contains(text));
    let (first, table) = (row(&talk, "a  P1"), row(&talk, "state"));
    assert!(first.is_some() && table.is_some());
    for _ in 0..3 {
        talk.key(Key::PageDown);
        assert_eq!((row(&talk, "a  P1"), row(&talk, "state")), (first, table), "{}", shown(&talk));
    }
}

#[test]
fn no_explanation_is_on_the_screen_before_its_answer() {
    for lesson in ["why-not-a-semaphore", "ricart-agrawala-race", "maekawa", "fencing"] {
        let mut talk = talk(lesson);
        loop {
            let text = shown(&talk);
            let answered = talk.beat().asked.is_some_and(|a| a.answered);
            let asking = talk.asking(talk.step()).filter(|_| !answered);
            for said in asking.into_iter().flat_map(|a| a.reasons.iter().chain(&a.explain)) {
                // A reason may begin with the words of its option.
                let end = said.len().saturating_sub(25);
                let end = said.get(end..).unwrap_or(said);
                assert!(!text.contains(end), "{lesson} {}: {text}", talk.step() + 1);
            }
            if talk.at() + 1 == talk.beats().len() {
                break;
            }
            talk.go_to(talk.at() + 1);
        }
    }
}

#[test]
fn the_diagram_shows_no_step_that_comes() {
    let mut talk = pressed("End");
    press(&mut talk, "Home PageDown");
    let text = shown(&talk);
    assert!(text.contains("P1 asks everybody"), "{text}");
    assert_eq!(text.matches('●').count(), 2, "the sentence's sign and one event: {text}");
}

#[test]
fn every_lesson_of_the_course_is_presented_to_its_end_by_one_key() {
    for shelved in Library::embedded().shelved() {
        let mut talk = Talk::new(shelved.lesson().expect("no faults")).expect("presented");
        let (steps, beats) = (talk.lesson().steps().len(), talk.beats().len());
        let mut clicks = 0;
        let mut text = shown(&talk);
        loop {
            let wish = talk.key(Key::PageDown);
            assert_eq!(wish, Wish::Stay(true), "{}", shelved.id);
            let next = shown(&talk);
            if talk.aside == Some(Aside::End) {
                break;
            }
            assert_ne!(next, text, "{}: click {clicks} shows nothing new", shelved.id);
            text = next;
            clicks += 1;
            assert!(clicks < 4 * beats, "{} does not end", shelved.id);
        }
        assert_eq!(talk.step() + 1, steps, "{}", shelved.id);
        let asked = (0..steps).filter(|s| talk.asking(*s).is_some()).count();
        assert_eq!(asked, talk.lesson().questions().count(), "{}", shelved.id);
    }
}

#[test]
fn words_that_do_not_fit_are_read_to_their_end_before_the_next_thing_comes() {
    let mut talk = pressed("1 7 Enter a");
    let area = Rect::new(0, 0, 60, 18);
    let mut seen = String::new();
    let mut clicks = 0;
    let beat = talk.at();
    for _ in 0..10 {
        let mut buf = Buffer::empty(area);
        talk.draw(&look(), area, &mut buf);
        seen += &rows(&buf).join("\n");
        talk.key(Key::PageDown);
        clicks += 1;
        if talk.at() != beat {
            break;
        }
    }
    assert_eq!(talk.at(), beat + 1);
    assert!(clicks > 1, "the words are longer than the screen");
    for part in ["Carry the run", "deliver P2>P3 => reply", "came out", "alike."] {
        assert!(seen.contains(part), "{part}: {seen}");
    }
}

#[test]
fn next_step_leaves_out_the_rest_and_previous_step_goes_to_the_beginning_first() {
    let mut talk = pressed("n PageDown PageDown");
    assert_eq!(talk.step(), 1);
    talk.key(Key::Char('N'));
    assert_eq!((talk.step(), talk.beat().asked), (1, None));
    talk.key(Key::Char('N'));
    assert_eq!((talk.step(), talk.at()), (0, 0));
    talk.key(Key::Char('N'));
    assert_eq!(talk.at(), 0);
    let before = pressed("a").beat().rev;
    assert_eq!(pressed("n").beat().rev, before, "the events of a step left out have happened");
}

#[test]
fn beyond_the_last_step_there_is_its_last_thing() {
    let talk = pressed("End n n");
    assert_eq!(talk.at() + 1, talk.beats().len());
}

#[test]
fn a_dark_screen_is_empty_and_any_key_brings_back_what_was_there() {
    for dark in [".", "b"] {
        for back in ["PageDown", "PageUp", "Space", ".", "q", "Esc", "F5", "5", "e"] {
            let mut talk = pressed("n PageDown PageDown");
            let before = shown(&talk);
            press(&mut talk, dark);
            assert!(shown(&talk).trim().is_empty());
            assert_eq!(talk.key(key(back)), Wish::Stay(true), "{back}");
            assert_eq!(shown(&talk), before, "{dark} {back}");
        }
    }
}

#[test]
fn what_clickers_send_besides_is_harmless() {
    let mut talk = pressed("n PageDown PageDown");
    let before = shown(&talk);
    for stray in [Key::Esc, Key::F(5), Key::Delete, Key::Char('y'), Key::Ctrl('x')] {
        assert_eq!(talk.key(stray), Wish::Stay(false), "{stray:?}");
        assert_eq!(shown(&talk), before);
    }
}

#[test]
fn a_number_and_enter_jump_to_a_step() {
    let mut talk = pressed("1 2 Enter");
    assert_eq!((talk.step(), talk.beat().asked), (11, None));
    press(&mut talk, "g Down Down Enter");
    assert_eq!(talk.step(), 13);
    press(&mut talk, "g Down Esc");
    assert_eq!(talk.step(), 13);
}

#[test]
fn a_step_that_the_lesson_does_not_have_is_refused_in_words() {
    for number in ["0", "2 0", "4 0", "9 9", "1 9 0", "0 0 0"] {
        let mut talk = pressed(&format!("5 Enter {number}"));
        assert!(shown(&talk).contains("there is no step"), "{number}: {}", shown(&talk));
        press(&mut talk, "Enter");
        assert_eq!(talk.step(), 4, "{number}");
        assert!(now(&talk).aside.is_some_and(|a| a.contains("the lesson has 19")), "{number}");
        // The list stays open for a number that there is.
        press(&mut talk, "7 Enter");
        assert_eq!(talk.step(), 6, "{number}");
    }
    assert_eq!(pressed("1 9 Backspace Enter").step(), 0);
}

#[test]
fn one_key_shows_what_is_on_its_way_and_why_each_node_waits() {
    let mut talk = pressed("n");
    let before = shown(&talk);
    talk.key(Key::Char('w'));
    let text = shown(&talk);
    for part in ["REQUEST (5,P1)", "REQUEST (3,P2)", "Why is P1 waiting", "Why is P2 waiting"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    talk.key(Key::Char('w'));
    assert_eq!(shown(&talk), before);
}

#[test]
fn the_list_of_steps_reveals_no_answer_and_no_run() {
    let mut talk = race();
    talk.key(Key::Char('g'));
    let text = shown(&talk);
    assert!(text.contains("19") && text.contains("Both wait"), "{text}");
    assert!(!text.contains("P2 enters") && !text.contains("defers P1"), "{text}");
}

#[test]
fn a_poll_shows_all_options_counts_and_shows_bars_and_then_comes_the_answer() {
    let mut talk = pressed("n PageDown p");
    assert!(talk.counting().is_some());
    assert!(shown(&talk).contains("whichever REQUEST arrives first"), "all options are shown");
    press(&mut talk, "1 2 Enter 7 Enter 3 1");
    assert_eq!(talk.poll(1).map(Poll::hands), Some(&[12, 7, 31][..]));
    talk.key(Key::PageDown);
    let text = shown(&talk);
    assert!(text.contains("█ 31  62%") && text.contains("█ 12  24%"), "{text}");
    assert!(!text.contains('✓'), "{text}");
    talk.key(Key::PageDown);
    let text = shown(&talk);
    assert!(text.contains("✓ b  P2") && text.contains("█ 7  14%"), "{text}");
    assert!(text.contains("the smaller stamp is the older request"), "{text}");
}

#[test]
fn a_second_count_shows_the_first_beside_it() {
    let talk = pressed("n PageDown p 4 Enter 1 PageDown p 1 Enter 4 PageDown");
    let text = shown(&talk);
    assert!(text.contains("1  20%  (before: 4)") && text.contains("4  80%  (before: 1)"), "{text}");
}

#[test]
fn hands_are_counted_only_where_the_hall_sees_options_and_no_answer() {
    for keys in ["p", "n p", "n a p", "1 4 Enter a p"] {
        let mut talk = pressed(keys);
        assert_eq!(talk.counting(), None, "{keys}");
        assert!(now(&talk).aside.is_some(), "{keys}: the presenter is told why");
        assert!(!shown(&talk).contains("nothing to count"), "{keys}: the hall is not");
        talk.key(Key::Esc);
        assert_eq!(now(&talk).aside, None);
    }
}

#[test]
fn where_the_answer_is_shown_already_counting_says_so_and_numbers_lead_nowhere() {
    let mut talk = pressed("n a p");
    let told = "The answer is shown already";
    assert!(shown(&talk).contains(told), "{}", shown(&talk));
    let step = talk.step();
    press(&mut talk, "1 2");
    assert_eq!(talk.step(), step);
    assert!(shown(&talk).contains(told), "no list of steps: {}", shown(&talk));
    press(&mut talk, "PageUp");
    assert!(!shown(&talk).contains(told));
    press(&mut talk, "p 1 2");
    assert_eq!(talk.poll(step).map(Poll::hands), Some(&[12, 0, 0][..]));
    press(&mut talk, "Esc a p Esc 4 Enter");
    assert_eq!(talk.step(), 3, "another key makes numbers lead to steps again");
}

#[test]
fn a_jump_shows_the_whole_step_whatever_was_zoomed() {
    for jump in ["4 Enter", "g Down Enter", "n", "N", "Home", "End"] {
        for zoom in ["z", "z z", "z z z", "w"] {
            let mut talk = pressed(&format!("n n {zoom} {jump}"));
            let there = pressed(&format!("n n {jump}"));
            assert_eq!(shown(&talk), shown(&there), "{zoom} {jump}");
            press(&mut talk, "Esc");
            assert_eq!(shown(&talk), shown(&there), "{zoom} {jump}");
        }
    }
    let mut talk = pressed("n z z");
    let zoomed = shown(&talk);
    press(&mut talk, "PageUp PageDown");
    assert_eq!(shown(&talk), zoomed, "one thing after the other is no jump");
}

#[test]
fn a_question_that_comes_up_is_seen_whatever_was_zoomed() {
    let talk = pressed("n z z PageDown");
    assert!(talk.beat().asked.is_some());
    assert!(shown(&talk).contains("P1 has asked"), "{}", shown(&talk));
}

#[test]
fn escape_on_an_empty_count_leaves_no_bars() {
    let talk = pressed("n PageDown p Esc");
    assert_eq!((talk.counting(), talk.poll(1)), (None, None));
    assert!(!shown(&talk).contains('%'), "{}", shown(&talk));
    let talk = pressed("n PageDown p 4 PageDown p Esc");
    assert_eq!(talk.poll(1).map(|poll| poll.rounds().len()), Some(1), "the first count stays");
}

#[test]
fn escape_puts_the_counting_away_and_keeps_the_numbers() {
    let talk = pressed("n PageDown p 5 Esc");
    assert_eq!(talk.counting(), None);
    assert_eq!(talk.poll(1).map(Poll::hands), Some(&[5, 0, 0][..]));
    assert_eq!(talk.step(), 1);
}

#[test]
fn exploring_starts_at_the_lessons_point_and_knows_nothing_of_what_comes() {
    let mut hall = hall("End 5 Enter PageDown");
    let beat = *hall.talk().beat();
    let wanted = hall.talk().lab().history().schedule(beat.rev);
    press_hall(&mut hall, "e");
    let history = hall.stepper().expect("the stepper is open").lab().history();
    assert_eq!(history.schedule(history.cursor()), wanted);
    assert_eq!(history.redo_path(history.cursor()).count(), 0);
    assert!(shown_hall(&mut hall).contains("exploring"));
}

#[test]
fn one_key_returns_exactly_whatever_was_done_while_exploring() {
    for (done, back) in [
        ("", "Esc"),
        ("r 1 1 1", "F5"),
        ("r Down c x Home", "F5"),
        ("1 1 1 1 1 1 1", "Esc"),
        ("c Space Space z", "F5"),
        ("b", "F5"),
        (": r e q", "F5"),
        ("?", "F5"),
        ("Home", "q"),
    ] {
        let mut hall = hall("4 Enter PageDown");
        let before = shown_hall(&mut hall);
        let place = hall.talk().place();
        press_hall(&mut hall, &format!("e {done} {back}"));
        assert!(hall.stepper().is_none(), "{done} {back}");
        assert_eq!(shown_hall(&mut hall), before, "{done} {back}");
        assert_eq!(hall.talk().place(), place);
        press_hall(&mut hall, "PageDown");
        assert_eq!(hall.talk().step(), 4, "and the lesson goes on");
    }
}

#[test]
fn what_was_explored_is_a_branch_of_the_next_exploration() {
    let mut hall = hall("4 Enter PageDown");
    press_hall(&mut hall, "e 3 2 F5 PageDown PageUp e");
    let lab = hall.stepper().expect("the stepper is open").lab();
    let points = lab.history().len();
    let here = lab.state().steps() as usize;
    assert_eq!(points, 1 + here + 2, "the two steps are still there");
    assert_ne!(lab.history().cursor(), RevId::ROOT);
}

#[test]
fn what_was_explored_at_a_later_point_is_not_seen_at_an_earlier_one() {
    let mut hall = hall("1 2 Enter PageDown");
    press_hall(&mut hall, "e 1 F5 4 Enter e");
    let history = hall.stepper().expect("the stepper is open").lab().history();
    assert_eq!(history.redo_path(history.cursor()).count(), 0);
    assert_eq!(history.len(), 1 + history.depth(history.cursor()) as usize);
}

#[test]
fn keys_are_shown_when_asked_for_from_the_table_that_binds_them() {
    let mut hall = hall("n");
    let before = shown_hall(&mut hall);
    press_hall(&mut hall, "?");
    let text = shown_hall(&mut hall);
    assert!(text.contains("Keys of the presentation") && text.contains("PageDown"), "{text}");
    press_hall(&mut hall, "Esc");
    assert_eq!(shown_hall(&mut hall), before);
}

#[test]
fn nothing_wakes_a_hall_without_notes_and_a_held_key_or_a_paste_clicks_nothing() {
    let mut hall = hall("n");
    assert_eq!(hall.tick_every(), None);
    let at = hall.talk().at();
    for input in [Input::Repeat(Key::PageDown), Input::Paste("nnn".to_owned()), Input::Tick] {
        assert_eq!(hall.input(input), Flow::Unchanged);
    }
    assert_eq!(hall.talk().at(), at);
}

#[test]
fn a_place_that_was_kept_is_found_again_with_its_hands() {
    let left = pressed("n PageDown p 4 Enter 2 Esc");
    let mut again = race();
    again.go_to_place(&left.place());
    assert_eq!(shown(&again), shown(&left));
    assert_eq!(again.place(), Place { aside: Some(Aside::GoneOn), ..left.place() });
}

#[test]
fn a_place_of_another_edition_leads_to_the_nearest_there_is() {
    let mut talk = race();
    let polls = [("who-first".to_owned(), vec![vec![1; 9]])].into();
    talk.go_to_place(&Place { step: 500, click: 99, polls, ..Place::default() });
    assert_eq!(talk.at() + 1, talk.beats().len());
    assert_eq!(talk.poll(1), None);
}

/// Numbers to which nothing can be added, in every place of a kept file, and the two that were found.
#[test]
fn no_number_that_was_kept_is_too_large() {
    let found =
        r#"{"step":3,"click":18446744073709551615,"end0ed":false,"polls":{"4":[[1,2],[3,4]]}}"#;
    let found: Place = serde_json::from_str(found).expect("a place");
    let hands = |n| [("who-first".to_owned(), vec![vec![n; 3]])].into();
    let shown = |shown| Place { shown, ..Place::default() };
    let places = [
        found,
        Place { step: usize::MAX, click: usize::MAX, ..Place::default() },
        Place { step: 1, click: usize::MAX, polls: hands(u32::MAX), ..Place::default() },
        Place { step: 1, click: 4, polls: hands(9_999), ..Place::default() },
        shown(Shown::List(usize::MAX)),
        shown(Shown::Counting(usize::MAX)),
        Place { aside: Some(Aside::NoSuchStep(usize::MAX)), ..Place::default() },
    ];
    for place in places {
        let mut talk = race();
        talk.stand_at(&place);
        let _ = talk.now(place.shown);
        let text = self::shown(&talk);
        talk.go_to_place(&place);
        assert_eq!(self::shown(&talk), text);
        press(&mut talk, "PageDown PageUp n N g Esc End Home");
    }
    let old = br#"{"lockstep_present":1,"began":5,"since":9,"now":{"step":18446744073709551615}}"#;
    let told = PlaceFile::read(old).expect_err("the line of an older version").to_string();
    assert!(told.contains("version 1"), "{told}");
}

#[test]
fn the_notes_are_told_what_the_next_click_brings() {
    let told = |keys: &str| now(&pressed(keys));
    let first = told("");
    assert!(first.note.is_some_and(|n| n.contains("hall vote")));
    assert_eq!((first.step, first.click, first.clicks), (1, 1, 3));
    assert_eq!(first.next, "plays request P1");
    assert!(told("n").next.starts_with("the question: P1 has asked"));
    assert_eq!(told("n PageDown").next, "option a: P1");
    let all = told("n PageDown PageDown PageDown PageDown");
    assert_eq!(all.next, "the answer: b) P2");
    assert_eq!(all.revealed, "3 of 3 options are shown");
    let third = told("3 Enter PageDown");
    assert_eq!(third.next, "the options: reply, defer, enter");
    let third = told("3 Enter PageDown PageDown");
    assert_eq!(third.next, "the answer: a) reply (plays deliver P1>P3)");
    assert_eq!(told("End").next, "nothing: this is the end");
    assert_eq!(told(".").hall, "the screen is dark");
    assert_eq!(told(".").next, "the screen comes back as it was");
    let counting = told("n PageDown p");
    assert_eq!(counting.next, "the bars of the count; then the answer: b) P2");
    assert_eq!(told("n PageDown p PageDown").next, "the answer: b) P2");
    assert!(told("g").next.starts_with("chooses step 11 in the list"));
}

#[test]
fn what_is_told_of_the_next_click_is_what_it_does() {
    let mut seen = std::collections::BTreeSet::new();
    let keys = [
        "PageDown", "PageDown", "PageDown", "PageUp", "n", "a", "p", "3", "Enter", "g", ".", "z",
        "w", "N", "Esc", "End", "Home",
    ];
    let mut dice = 7_u64;
    for lesson in ["ricart-agrawala-race", "maekawa", "fencing"] {
        // Where the words do not fit, a click reads on.
        for area in [Rect::new(0, 0, 60, 18), Rect::new(0, 0, 100, 30)] {
            let mut talk = talk(lesson);
            for _ in 0..400 {
                let mut buf = Buffer::empty(area);
                talk.draw(&look(), area, &mut buf);
                let (told, at) = (talk.click(talk.place().shown), talk.at());
                seen.insert(format!("{told:?}").split('(').next().map(str::to_owned));
                let before = talk.place();
                talk.key(Key::PageDown);
                let after = talk.place();
                match told {
                    Click::Shows(beat) => assert_eq!((talk.at(), beat), (at + 1, at + 1)),
                    Click::ReadsOn => assert_eq!((talk.at(), talk.read_to > 0), (at, true)),
                    Click::Ends => assert_eq!(talk.aside, Some(Aside::End)),
                    Click::Lights => assert_eq!(after.shown, Shown::Lesson),
                    Click::Chooses(step) => assert_eq!(after.shown, Shown::List(step)),
                    Click::Bars => {
                        assert!(matches!(before.shown, Shown::Counting(_)));
                        assert_eq!((talk.at(), after.shown), (at, Shown::Lesson));
                    }
                    Click::TurnsKeys | Click::Explores => panic!("{told:?} is not the talk's"),
                }
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                talk.key(key(keys[(dice >> 33) as usize % keys.len()]));
            }
        }
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

#[test]
fn what_has_no_keys_is_not_presented() {
    let text = "lesson: 1\nid: bare\ntitle: Bare\nabout: None.\nstripped: true\ncluster:\n  algorithm: central\nsteps:\n  - say: Hello.\n    choice:\n      id: q\n      prompt: Which?\n      options:\n        x: {text: X}\n        y: {text: Y}\n";
    let source = crate::input::Source::from_text("bare.yaml", text, "lesson").expect("a text");
    let lesson = crate::lesson::load::checked(source).unwrap_or_else(|bad| panic!("{bad}"));
    let error = Talk::new(lesson).expect_err("nothing could be revealed").to_string();
    assert!(error.contains("no keys"), "{error}");
}

/// A text with each of its numbers, one after the other, at the ends of what a number can be.
fn every_number_at_its_end(text: &str) -> impl Iterator<Item = String> + '_ {
    let digit = |c: char| c.is_ascii_digit();
    let begins = text.match_indices(digit).map(|(at, _)| at);
    let begins = begins.filter(move |at| !text[..*at].ends_with(digit));
    begins.flat_map(move |at| {
        let rest = text[at..].trim_start_matches(digit);
        let ends = [
            "0",
            "1",
            "255",
            "4294967295",
            "4294967296",
            "9223372036854775807",
            "18446744073709551615",
            "18446744073709551616",
            "-1",
            "1e300",
        ];
        ends.into_iter().map(move |n| format!("{}{n}{rest}", &text[..at]))
    })
}

#[test]
fn a_place_with_any_numbers_is_gone_to() {
    let overflow = include_str!("../../../../tests/inputs/place-overflow.bin");
    let whole = r#"{"step":3,"click":2,"ended":false,"polls":{"who-first":[[1,2],[3,4]]}}"#;
    let mut read = 0;
    let texts = [overflow, whole].into_iter();
    for text in texts.flat_map(|t| every_number_at_its_end(t).chain([t.to_owned()])) {
        let Ok(place) = serde_json::from_str::<Place>(&text) else { continue };
        read += 1;
        let mut talk = race();
        talk.go_to_place(&place);
        for _ in 0..4 {
            shown(&talk);
            press(&mut talk, "p + Enter PageDown");
        }
        assert!(talk.place().step < talk.lesson().steps().len());
    }
    assert!(read > 30, "{read}");
}

#[test]
fn hands_of_any_number_are_counted() {
    for hands in [0, 1, 9_999] {
        let poll = Poll::kept(vec![vec![hands; 26], vec![hands; 26]], 26).expect("it fits");
        assert!((0..26).all(|option| poll.percent(option) <= 100), "{hands}");
    }
}
