//! What keys tell and where they lead: nothing happens in silence, and every list says how far it goes.

mod offered;

use crate::screen::{self, Seen};
use crate::states;

fn at_80x24(seen: &mut Seen) -> String {
    seen.at(80, 24).text()
}

// --- keys of the stepper ---------------------------------------------------------------------------

#[test]
fn the_mouse_key_says_on_every_screen_whether_the_mouse_is_on() {
    for keys in ["", "@Lease Enter Enter r", "@costs Enter"] {
        let mut seen = Seen::after(keys);
        seen.press("m");
        let text = at_80x24(&mut seen);
        assert!(text.contains("the mouse is on"), "{keys}\n{text}");
        seen.press("m");
        let text = at_80x24(&mut seen);
        assert!(text.contains("the mouse is off"), "{keys}\n{text}");
        seen.press("Down");
        assert!(!at_80x24(&mut seen).contains("the mouse is"), "{keys}");
    }
}

#[test]
fn the_key_of_the_rules_says_why_it_changes_nothing_where_it_changes_nothing() {
    let mut seen = Seen::free_play("lamport", 3);
    seen.at(80, 24);
    seen.press("p");
    let text = at_80x24(&mut seen);
    assert!(text.contains("the rules are on the screen already"), "{text}");
    seen.at(60, 18);
    seen.press("p");
    assert!(seen.at(60, 18).text().contains("no room for the rules"));
    seen.press("z p");
    assert!(at_80x24(&mut seen).contains("one panel has the whole screen"), "zoomed");
    let mut seen = states::in_lesson("ricart-agrawala-race");
    seen.press("Right z p");
    assert!(at_80x24(&mut seen).contains("one panel has the whole screen"), "zoomed");
    seen.press("Esc p");
    let text = at_80x24(&mut seen);
    assert!(text.contains("Rules:") && !text.contains("the whole screen"), "{text}");
    assert!(text.contains("p brings the page back"), "{text}");
    seen.press("p");
    assert!(!at_80x24(&mut seen).contains("Rules:"));
    seen.at(160, 45);
    seen.press("p");
    let text = seen.at(160, 45).text();
    assert!(text.contains("the rules are on the screen already"), "{text}");
}

// --- the command line ------------------------------------------------------------------------------

#[test]
fn what_was_loaded_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my.run");
    let path = path.to_str().expect("a name");
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r 1 1");
    seen.command(&format!("save {path}"));
    seen.command(&format!("load {path}"));
    let text = seen.at(160, 45).text();
    assert!(text.contains("my.run`: 3 steps"), "{text}");
}

#[test]
fn a_run_that_ends_at_once_says_why_and_names_what_is_kept_back() {
    let mut seen = Seen::free_play("ricart-agrawala", 2);
    seen.press("r k");
    seen.command("run");
    let text = at_80x24(&mut seen);
    assert!(text.contains("P1>P2#1") && text.contains("kept back"), "{text}");
    seen.command("until in_cs(P1)");
    let text = at_80x24(&mut seen).replace("\n ", " ");
    assert!(text.contains("P1>P2#1, is kept back, and `in_cs(P1)` does not hold"), "{text}");
    assert_eq!(seen.steps(), 1);
    seen.press("k");
    seen.command("run");
    let text = at_80x24(&mut seen);
    assert!(text.contains("nothing is on its way: r lets P1 ask"), "{text}");
    seen.command("until in_cs(P2)");
    assert!(at_80x24(&mut seen).contains("nothing more happens by itself"));
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r Down k Down k Esc");
    seen.command("until in_cs(P1)");
    let text = at_80x24(&mut seen).replace("\n ", " ");
    assert!(text.contains("P1>P2#1 and P1>P3#1, is kept back"), "{text}");
}

#[test]
fn an_unknown_first_word_offers_commands_as_well_as_events_and_the_nearest_of_both() {
    let cases: [(&str, &[&str]); 8] = [
        ("utnil in_cs(P1)", &["`utnil`", "did you mean `until`"]),
        ("laod my.run", &["did you mean `load`"]),
        ("rquest P1", &["did you mean `request`"]),
        ("undo", &["`undo`", "until, run, seed, goto", "or an event: Tab"]),
        ("run 5", &["`run` takes nothing behind it"]),
        ("seed", &["which number?", "seed 7"]),
        ("goto", &["which step?", "goto 3"]),
        ("until", &["which goal? Write until in_cs(P2)"]),
    ];
    for (typed, wanted) in cases {
        let mut seen = Seen::free_play("lamport", 3);
        seen.command(typed);
        let text = at_80x24(&mut seen).replace("\n ", " ");
        for part in wanted {
            assert!(text.contains(part), "{typed}: {part}\n{text}");
        }
    }
    let mut seen = Seen::free_play("lamport", 3);
    seen.command("request P1; utnil in_cs(P1)");
    assert!(at_80x24(&mut seen).contains("no event is called `utnil`"), "behind an event");
}

#[test]
fn help_and_quit_can_be_typed() {
    for typed in ["help", "?"] {
        let mut seen = Seen::free_play("lamport", 3);
        seen.command(typed);
        assert!(at_80x24(&mut seen).starts_with(" Help"), "{typed}");
    }
    for typed in ["q", "quit"] {
        let mut seen = Seen::free_play("lamport", 3);
        seen.press("z");
        seen.command(typed);
        assert!(at_80x24(&mut seen).starts_with(" Lockstep"), "{typed}");
    }
}

// --- lists and help --------------------------------------------------------------------------------

#[test]
fn the_list_of_all_actions_says_that_there_are_more_above_or_below() {
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("F2");
    let text = at_80x24(&mut seen);
    assert!(text.contains("▾") && text.contains(" more") && !text.contains("▴"), "{text}");
    seen.press("End");
    let text = at_80x24(&mut seen);
    assert!(text.contains("▴") && !text.contains("▾"), "{text}");
    assert!(seen.at(80, 24).selected().contains("one level up"), "{text}");
    seen.press("Home PageDown Down Down Down");
    let text = at_80x24(&mut seen);
    assert!(text.contains("▴") && text.contains("▾"), "{text}");
    seen.press("Home");
    assert!(seen.at(80, 24).selected().contains("one step on"));
    for _ in 0..40 {
        for (width, height) in [(60, 18), (80, 24)] {
            let drawn = seen.at(width, height);
            assert!(!drawn.selected().trim().is_empty(), "{}", drawn.text());
        }
        seen.press("Down");
    }
    let text = seen.at(100, 50).text();
    assert!(!text.contains("▴") && !text.contains("▾"), "where all fit there is no mark\n{text}");
}

#[test]
fn help_begins_with_the_keys_of_the_screen_that_it_was_opened_from() {
    let ways = [
        ("?", "Home"),
        ("@Predictions Enter ?", "Drill"),
        ("@Lease Enter ?", "Free play"),
        ("@Lease Enter Enter ?", "Keys"),
        ("@costs Enter ?", "Compare"),
        ("@algorithms Enter ?", "Side by side"),
        ("@algorithms Enter Enter ?", "Side by side"),
        ("@Ricart Enter Enter v ?", "Check"),
        ("@Lease Enter Enter b ?", "Branches"),
        ("@Lease Enter Enter o F1", "Log"),
    ];
    for (keys, wanted) in ways {
        let mut seen = Seen::after(keys);
        let text = at_80x24(&mut seen);
        assert!(text.starts_with(" Help"), "{keys}\n{text}");
        let first = text.lines().nth(1).map(str::trim_end);
        assert!(first.is_some_and(|l| l.trim().starts_with(wanted)), "{keys}: {wanted}\n{text}");
        let whole = seen.at(80, 200).text();
        let heads = |head: &str| whole.lines().filter(|l| l.trim() == head).count();
        for head in ["Keys of the stepper", "Questions of a lesson", "Compare", "Log", "Words"] {
            assert_eq!(heads(head), 1, "{keys}: {head}\n{whole}");
        }
        seen.press("Esc");
        assert!(!at_80x24(&mut seen).starts_with(" Help"), "{keys}");
    }
}

#[test]
fn help_scrolls_by_lines_by_pages_and_to_its_ends() {
    let mut seen = Seen::after("@Lease Enter Enter ?");
    let top = at_80x24(&mut seen);
    let line = |text: &str, n: usize| text.lines().nth(n).map(str::to_owned);
    seen.press("Down");
    assert_eq!(line(&at_80x24(&mut seen), 1), line(&top, 2));
    seen.press("Up Space");
    let page = at_80x24(&mut seen);
    assert_eq!(line(&page, 1), line(&top, 22), "the last line of the page before leads on");
    seen.press("Left PageDown");
    assert_eq!(at_80x24(&mut seen), page);
    seen.press("End");
    let end = at_80x24(&mut seen);
    assert!(end.contains("never two nodes inside") && !end.contains("more"), "{end}");
    seen.press("Up Down Down");
    assert_eq!(at_80x24(&mut seen), end);
    seen.press("Home");
    assert_eq!(at_80x24(&mut seen), top);
    for close in ["Esc", "q", "?", "Enter"] {
        seen.press(close);
        assert!(!at_80x24(&mut seen).starts_with(" Help"), "{close}");
        seen.press("?");
    }
}

#[test]
fn the_comparison_speaks_of_entries_and_names_its_columns() {
    let mut seen = Seen::after("@costs Enter Home");
    while seen.tick_every().is_some() {
        seen.input(lockstep::ui::Input::Tick);
    }
    let text = at_80x24(&mut seen);
    assert!(text.contains("First after a crash: idle") && !text.contains("Enter after"), "{text}");
    let head = text.lines().find(|l| l.contains("one entry")).expect("a head");
    assert!(head.contains("one entry formula all ask formula"), "{head}");
    seen.press("Tab Tab");
    let text = at_80x24(&mut seen);
    assert!(text.contains("█ first later ░ all"), "{text}");
    let text = seen.at(60, 18).text();
    assert!(text.contains("█ first later ░ all"), "{text}");
}

// --- Home and branches -----------------------------------------------------------------------------

#[test]
fn home_stands_on_the_lesson_that_was_left() {
    use lockstep::lesson::Library;
    use lockstep::ui::app::App;
    use lockstep::ui::course::Course;
    use lockstep::ui::screen::stepper::Stepper;
    let mut course = Course::of(&Library::embedded());
    let (learner, lab) = course.open(4).expect("a lesson of the course");
    let title = learner.lesson().title.clone();
    let mut app = App::new(course, screen::plain_look(), false);
    app.open(Stepper::lesson(learner, lab));
    let mut seen = Seen::of(app);
    seen.press("q");
    let chosen = seen.at(80, 24).selected();
    assert!(chosen.contains(&title), "{title}: {chosen}");
    seen.press("Home Enter q");
    let chosen = seen.at(80, 24).selected();
    assert!(chosen.contains("semaphore"), "and on one that is opened from there: {chosen}");
    seen.press("@Lease Enter Enter q");
    assert!(seen.at(80, 24).selected().contains("Lease"), "free play leaves the row alone");
}

#[test]
fn no_line_of_home_is_cut_without_a_mark() {
    let mut seen = Seen::after("");
    for width in 60..=80 {
        let text = seen.at(width, 18).text();
        let head = text.lines().next().unwrap_or_default().trim_end().to_owned();
        assert!(head.ends_with("at a time") || head.ends_with('…'), "{width}: {head}");
    }
    assert!(seen.at(60, 18).text().contains("one message at a time"), "it fits in other words");
}

#[test]
fn the_branches_mark_where_one_stands_apart_from_the_cursor() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r 1 Left 2 1 Left b");
    let stands = |text: &str| {
        let rows: Vec<String> =
            text.lines().filter(|l| l.contains("you are at")).map(str::to_owned).collect();
        assert_eq!(rows.len(), 1, "{text}");
        rows[0].clone()
    };
    let row = stands(&at_80x24(&mut seen));
    assert!(row.starts_with(" *") && row.contains("deliver P1>P3"), "{row}");
    assert!(row.contains("you are at step 2"), "{row}");
    for key in ["Home", "Down", "End", "Up"] {
        seen.press(key);
        for (width, height) in [(60, 18), (80, 24), (100, 30)] {
            let row = stands(&seen.at(width, height).text());
            assert!(row.starts_with(" *") && row.contains("; you are at step 2"), "{key}: {row}");
            assert!(row.contains("deliver P1>P3"), "{key}: {row}");
        }
    }
    seen.press("Home");
    assert!(!seen.at(80, 24).selected().contains("you are at"), "the cursor is elsewhere");
}

// --- the menu of the run ---------------------------------------------------------------------------

#[test]
fn a_name_that_the_menu_proposes_is_replaced_by_what_is_typed_and_edited_after_an_arrow() {
    let opened = || {
        let mut seen = Seen::free_play("lamport", 3);
        seen.press("r e 2");
        seen
    };
    let mut seen = opened();
    let text = at_80x24(&mut seen);
    assert!(text.contains(":save lamport.run"), "{text}");
    assert!(text.contains("typing replaces the name"), "{text}");
    seen.type_in("my.run");
    let text = at_80x24(&mut seen);
    assert!(text.contains(":save my.run_"), "{text}");
    for key in ["Right", "End"] {
        let mut seen = opened();
        seen.press(key);
        seen.type_in("x");
        assert!(at_80x24(&mut seen).contains(":save lamport.runx_"), "{key}");
    }
    let mut seen = opened();
    seen.press("Backspace");
    seen.type_in("s");
    assert!(at_80x24(&mut seen).contains(":save lamport.rus_"), "taking letters back edits");
    let mut seen = opened();
    seen.input(lockstep::ui::Input::Paste("mine.run".to_owned()));
    assert!(at_80x24(&mut seen).contains(":save mine.run_"), "what is pasted replaces it too");
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r e Down Down Down Down Down Enter");
    seen.type_in("a.txt");
    assert!(at_80x24(&mut seen).contains(":export text a.txt_"), "{}", at_80x24(&mut seen));
}

// --- numbers and letters of lists ------------------------------------------------------------------

#[test]
fn a_lesson_is_opened_by_its_number_however_many_digits_it_has() {
    let opened = |keys: &str| {
        let mut seen = Seen::after(keys);
        let stepper = seen.app().stepper();
        stepper.and_then(|s| s.learner()).map(|learner| learner.lesson().title.clone())
    };
    let library = lockstep::lesson::Library::embedded();
    let title = |number: &str| library.open(number).expect("a lesson").title.clone();
    assert_eq!(opened("1"), None, "other numbers begin so");
    for (keys, number) in
        [("1 Enter", "1"), ("1 2", "12"), ("2 0", "20"), ("2 Enter", "2"), ("7", "7")]
    {
        assert_eq!(opened(keys), Some(title(number)), "{keys}");
    }
    assert_eq!(opened("1 Down 2 Enter"), Some(title("2")), "another key begins a new number");
    let mut seen = Seen::after("1");
    assert!(at_80x24(&mut seen).contains("1: Enter opens it"), "{}", at_80x24(&mut seen));
    assert!(seen.at(80, 24).selected().contains(&title("1")));
    let mut seen = Seen::after("0");
    assert!(at_80x24(&mut seen).contains("no lesson has the number 0"), "{}", at_80x24(&mut seen));
    assert!(seen.app().at_home());
}

#[test]
fn every_line_of_a_menu_has_a_key_of_its_own_that_acts_at_once() {
    let mut seen = Seen::after("@Lease Enter Enter e");
    let text = seen.at(100, 40).text();
    let line =
        text.lines().find(|line| line.contains("export as svg")).expect("a line of the menu");
    let before = line.split("export as svg").next().unwrap_or_default();
    let key = before.split_whitespace().last().expect("its key").to_owned();
    assert_eq!(key.chars().count(), 1, "{line}");
    seen.press(&key);
    let text = at_80x24(&mut seen);
    assert!(text.contains("export svg lease.svg"), "{key}\n{text}");
    let mut seen = Seen::after("@Lease Enter Enter e z");
    assert!(at_80x24(&mut seen).contains("no line of the menu has the key z"));
    let mut seen = Seen::after("@Predictions Enter z");
    assert!(at_80x24(&mut seen).contains("no row has the key z"));
    let mut seen = Seen::after("Z");
    assert!(at_80x24(&mut seen).contains("no row has the key Z"));
}

#[test]
fn the_form_says_what_does_not_fit_at_its_row_and_stays_there() {
    let mut seen = Seen::after("@Lease Enter Down 9 9 Enter");
    let text = at_80x24(&mut seen);
    assert!(text.contains("nodes: a cluster has 1 to 16 nodes, not 99."), "{text}");
    assert!(seen.at(80, 24).selected().contains("nodes"), "{text}");
    seen.press("Backspace Enter");
    assert_eq!(seen.app().stepper().map(|s| s.lab().setup().clients), Some(9));
    let mut seen = Seen::after("@Lease Enter Down 4 Enter");
    assert_eq!(seen.app().stepper().map(|s| s.lab().setup().clients), Some(4));
    // Everything is a choice by arrows alone as well, and q leaves where nothing is typed.
    let mut seen = Seen::after("@Lease Enter Down Right Down Right Enter");
    let lab = seen.app().stepper().map(|s| (s.lab().setup().clients, s.lab().variant().is_some()));
    assert_eq!(lab.map(|(_, broken)| broken), Some(true));
    let mut seen = Seen::after("@Lease Enter Down q");
    assert!(seen.app().at_home());
}
