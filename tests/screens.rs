//! Screens on a buffer: what one sees after some keys, in every look. The sizes are in `sizes.rs`.

use crate::screen::{self, Seen, plain_look};
use crate::states;
use lockstep::lab::Lab;
use lockstep::lesson::QuestionState;
use lockstep::lesson::question::Way;
use lockstep::ui::Input;
use lockstep::ui::panel::spacetime::delivery;
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use ratatui::style::{Color, Modifier};

#[test]
fn three_keys_from_home_reach_the_first_step_of_a_lesson_and_the_screen_says_which() {
    let mut seen = Seen::after("");
    assert!(seen.at(80, 24).text().contains("Enter opens"));
    seen.press("Enter");
    assert!(seen.at(80, 24).text().contains("→ next"));
    seen.press("Right");
    if seen.steps() == 0 {
        seen.press("Right");
    }
    assert_eq!(seen.steps(), 1, "{}", seen.at(80, 24).text());
}

#[test]
fn a_key_that_can_do_nothing_says_why() {
    let cases = [
        ("x", "no: P1 has not asked"),
        ("t", "no: no timer is running at P1"),
        ("w", "no: this cluster has no storage node"),
        ("1", "nothing is on its way"),
        ("Left", "this is the beginning of the run"),
        ("d", "nothing is on its way"),
        ("r r", "no: P1 has already asked"),
        ("r 9", "only 2 messages are on their way"),
        ("h", "hints are for lessons"),
        ("y", "y does nothing here; ? shows all keys"),
        ("End", "this is the end of what was played"),
        ("Right", "r lets P1 ask"),
        ("r 1 1 1 1 Right", "x lets P1 leave"),
        ("r 1 1 1 1 Tab Right", "Tab to P1, then x lets it leave"),
        ("r 1 1 1 1 1", "x lets P1 leave"),
        ("r Down Down d d d Down", "nothing is on its way"),
        ("+", "a starts it"),
    ];
    for (keys, wanted) in cases {
        let mut seen = Seen::free_play("ricart-agrawala", 3);
        seen.press(keys);
        let text = seen.at(100, 30).text();
        assert!(text.contains(wanted), "{keys}: wanted {wanted:?} in\n{text}");
    }
}

#[test]
fn a_message_that_cannot_be_delivered_yet_stays_listed_with_the_reason() {
    let mut seen = Seen::free_play("ricart-agrawala", 2);
    seen.press("r Tab r 1");
    let text = seen.at(80, 24).text();
    assert!(text.contains("behind #1"), "{text}");
    seen.press("2");
    assert!(seen.at(80, 24).text().contains("REQUEST #1 is ahead of it"), "{text}");
}

#[test]
fn two_requests_that_cross_are_seen_to_cross_at_80x24_too() {
    for (width, height) in [(80, 24), (100, 30), (160, 45)] {
        let mut seen = Seen::free_play("ricart-agrawala", 2);
        seen.press("r Tab r 1 1");
        let drawn = seen.at(width, height);
        let lanes = drawn.rows_starting_with(["P1 ─", "P2 ─"]);
        let [first, second] = lanes[..] else { panic!("{}", drawn.text()) };
        assert!(drawn.has_crossing(first + 1, second), "{}", drawn.text());
    }
}

/// The cells of a picture's lane, without its name.
fn lane(drawn: &screen::Drawn, row: usize) -> Vec<String> {
    let chars: Vec<char> = drawn.row(row).chars().collect();
    chars.iter().map(char::to_string).collect()
}

#[test]
fn a_line_passes_beside_the_events_of_a_node_that_it_does_not_go_to() {
    for (width, height) in [(80, 24), (100, 30), (160, 45)] {
        // P1's REQUEST to P3 is sent in step 1 and comes in step 3; P2 asks in step 2, half way.
        let mut seen = Seen::free_play("ricart-agrawala", 3);
        seen.press("r Tab r 2");
        let drawn = seen.at(width, height);
        let rows = drawn.rows_starting_with(["P1 ─", "P2 ─", "P3 ─"]);
        let event = lane(&drawn, rows[1]).iter().position(|c| c == "●").expect("P2 asks");
        let braille = |c: &String| c.chars().all(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
        let above = lane(&drawn, rows[1] - 1);
        let under = lane(&drawn, rows[1] + 1);
        let first = |cells: &[String]| cells.iter().position(braille).unwrap_or(usize::MAX);
        assert!(!braille(&above[event - 1]), "it does not come to the event:\n{}", drawn.text());
        assert!(first(&above) < event - 1, "but before it:\n{}", drawn.text());
        assert!(first(&under) < event - 1, "and goes on from there:\n{}", drawn.text());
    }
}

#[test]
fn the_picture_numbers_the_messages_on_their_way_as_the_list_does() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r Tab r 1");
    for (width, height) in [(80, 24), (100, 30), (160, 45)] {
        let drawn = seen.at(width, height);
        let rows = drawn.rows_starting_with(["P1 ─", "P3 ─"]);
        // The column that marks the present: the list beside the picture has the same numbers.
        let mut between = (rows[0] - 1..rows[1]).map(|row| lane(&drawn, row));
        let now = between.find_map(|cells| cells.iter().position(|c| c == "┆")).expect("a present");
        let numbers: String =
            (rows[0]..rows[1]).map(|row| lane(&drawn, row)[now..now + 3].concat()).collect();
        // 1 P1>P3 and 2 P2>P3 end low, 3 P2>P1 ends high; clocks are 1 here.
        for number in [2, 3].map(delivery) {
            assert!(numbers.contains(&number), "{numbers}\n{}", drawn.text());
        }
    }
}

#[test]
fn a_window_with_no_room_for_messages_says_so() {
    let mut seen = Seen::free_play("lamport", 12);
    seen.press("r");
    assert!(seen.at(80, 24).text().contains("z: diagram"));
    seen.press("z");
    assert!(seen.at(80, 24).row(1).contains(" state "), "first the table, which says more");
    seen.press("z z z");
    assert!(seen.at(80, 24).text().contains("and the last step: too low for all"));
    assert!(!seen.at(160, 45).text().contains("too low"));
    let mut five = Seen::free_play("lamport", 5);
    five.press("r");
    let text = five.at(80, 24).text();
    assert!(!text.contains("too low"), "the rules make way for them:\n{text}");
    let text = five.at(60, 18).text();
    assert!(text.contains("Space–time of P1. z: more"), "{text}");
}

#[test]
fn a_picture_that_is_scrolled_stays_full_and_marks_no_present() {
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r");
    for _ in 0..4 {
        seen.press("Right");
    }
    seen.at(80, 24);
    seen.press("[");
    let text = seen.at(80, 24).text();
    assert!(text.contains("the whole run is in the picture"), "{text}");
    for _ in 0..12 {
        seen.press("r Right Right Right x Right Right Tab");
    }
    seen.at(80, 24);
    for _ in 0..60 {
        seen.press("[");
    }
    let text = seen.at(80, 24).text();
    assert!(text.contains("this is the beginning of the run"), "{text}");
    assert!(text.contains("] goes on") && !text.contains('┆'), "{text}");
}

#[test]
fn auto_play_shows_its_pace_and_the_key_that_stops_it() {
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r a");
    seen.input(lockstep::ui::Input::Tick);
    assert!(seen.at(80, 24).text().contains("a stops; a step in 1.2 s"));
    seen.press("+");
    assert!(seen.at(80, 24).text().contains("a stops; a step in 0.8 s"));
    seen.press("+ + + +");
    assert!(seen.at(80, 24).text().contains("this is the fastest pace"));
}

#[test]
fn a_click_on_a_message_delivers_it_and_a_click_elsewhere_does_nothing() {
    use lockstep::ui::Input;
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r");
    let drawn = seen.at(80, 24);
    let row = (0..24).find(|y| drawn.row(*y).contains("2 REQUEST (1,P1)")).expect("it is listed");
    seen.input(Input::Click { col: 60, row: row as u16 });
    assert!(seen.at(80, 24).text().contains("P3 gets REQUEST (1,P1) from P1"));
    seen.input(Input::Click { col: 5, row: 2 });
    assert_eq!(seen.steps(), 2);
}

/// What a message carries stands below it where it would be cut beside it, and both rows are the message's.
#[test]
fn what_messages_carry_is_read_whole_where_there_is_room_and_each_row_delivers_its_own() {
    use lockstep::ui::Input;
    let start = "local P1; tell P1>P2; tell P1>P3; tell P3>P2";
    let carried = ["vector P1:2 P2:0 P3:0", "vector P1:3 P2:0 P3:0", "vector P1:0 P2:0 P3:1"];
    let delivered = ["P2 gets TELL (2,P1)", "P3 gets TELL (3,P1)", "P2 gets TELL (1,P3)"];
    let seen = || {
        let mut config = lockstep::model::Config::new("clocks", 3);
        config.options = vec!["vector".to_owned()];
        config.start = start.split("; ").map(str::to_owned).collect();
        Seen::lab(config)
    };
    for (width, height) in [(80, 24), (100, 30), (160, 45)] {
        let drawn = seen().at(width, height);
        for (place, (carried, delivered)) in carried.iter().zip(delivered).enumerate() {
            let row = (0..usize::from(height)).find(|y| drawn.row(*y).contains(carried));
            let row = row.unwrap_or_else(|| panic!("{carried} at {width}x{height}"));
            let col = drawn.row(row).find(carried).map(|at| drawn.row(row)[..at].chars().count());
            let own = drawn.row(row - 1).contains(&format!("{} TELL", place + 1));
            for up in if own { 0..2 } else { 0..1 } {
                let mut seen = seen();
                seen.at(width, height);
                seen.input(Input::Click { col: col.expect("found") as u16, row: row as u16 - up });
                let text = seen.at(width, height).text();
                assert!(text.contains(delivered), "{delivered} at {width}x{height}:\n{text}");
            }
        }
    }
}

#[test]
fn going_back_and_forward_shows_the_same_screen() {
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r Tab r 1 1 1");
    let before = seen.at(100, 30).text();
    seen.press("Left Left Left Right Right Right");
    assert_eq!(seen.at(100, 30).text(), before);
}

// H53
#[test]
fn press_and_release_of_a_key_is_one_step_and_a_repeat_is_none() {
    use lockstep::ui::{Input, Key};
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r Right");
    assert_eq!(seen.steps(), 2);
    seen.input(Input::Repeat(Key::Right));
    assert_eq!(seen.steps(), 2);
}

// H60
#[test]
fn pasted_text_steps_nothing_and_lands_only_in_a_text_field() {
    use lockstep::ui::Input;
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r");
    let before = seen.at(80, 24).text();
    seen.input(Input::Paste("excellent".to_owned()));
    assert_eq!(seen.at(80, 24).text(), before);
    seen.press(":");
    seen.input(Input::Paste("deliver P1>P2".to_owned()));
    assert_eq!(seen.steps(), 1);
    assert!(seen.at(80, 24).text().contains(":deliver P1>P2"));
    seen.press("Enter");
    assert_eq!(seen.steps(), 2);
}

#[test]
fn the_command_line_takes_events_and_goals_and_says_what_is_wrong() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.command("request P1; request P2");
    seen.command("until in_cs(P1)");
    assert!(seen.at(100, 30).text().contains("LOCK P1"));
    seen.command("until violated(mutex)");
    assert!(seen.at(100, 30).text().contains("does not hold"));
    seen.command("deliver P9>P1");
    assert!(seen.at(100, 30).text().contains("no node `P9`; this cluster has P1, P2, P3"));
    seen.command("goto 2");
    assert_eq!(seen.steps(), 2);
}

#[test]
fn a_message_that_is_kept_back_is_left_by_next_and_auto_play_and_delivered_by_its_number() {
    use lockstep::ui::Input;
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r k");
    assert!(seen.at(80, 24).text().contains("choose a message first"));
    seen.press("Down k");
    let text = seen.at(80, 24).text();
    assert!(text.contains("P1>P2#1 is kept back"), "{text}");
    seen.press("Right Right Right");
    let text = seen.at(80, 24).text();
    assert!(text.contains("kept back: k lets the chosen"), "{text}");
    assert!(text.lines().any(|l| l.contains("1 REQUEST") && l.contains(" kept")), "{text}");
    assert_eq!(seen.steps(), 3, "REQUEST and REPLY of P3 came, the REQUEST to P2 did not");
    seen.press("a");
    seen.input(Input::Tick);
    assert_eq!((seen.steps(), seen.tick_every()), (3, None));
    seen.command("run");
    assert_eq!(seen.steps(), 3);
    seen.press("1");
    assert!(seen.at(80, 24).text().contains("P2 gets REQUEST (1,P1) from P1"));
    seen.press("Left Right");
    assert_eq!(seen.steps(), 4, "what was delivered is kept back no more");
}

#[test]
fn next_does_not_redo_the_delivery_of_a_message_that_is_kept_back_until_it_is_let_go() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r 1 Left Down k Right");
    assert!(seen.at(80, 24).text().contains("P3 gets REQUEST"));
    seen.press("Left Down k");
    assert!(seen.at(80, 24).text().contains("P1>P2#1 is let go"));
    seen.press("Left Right Right");
    assert_eq!(seen.steps(), 2);
    let text = seen.at(80, 24).text();
    assert!(!text.lines().any(|l| l.contains("1 REQUEST") && l.contains(" kept")), "{text}");
}

#[test]
fn the_run_is_copied_as_one_line_that_reads_back_and_is_shown_as_well() {
    use lockstep::ui::{Flow, Input, Key};
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r 1 Tab c e");
    for (width, height) in [(60, 18), (80, 24), (160, 45)] {
        assert!(seen.at(width, height).text().contains("1 copy the run as one line"));
    }
    let Flow::Copy(line) = seen.input(Input::Key(Key::Char('1'))) else { panic!("no copy") };
    assert_eq!(line, "ricart-agrawala; nodes=P1,P2,P3; request P1; deliver P1>P2; crash P3",);
    assert!(seen.at(80, 24).text().contains("request P1; deliver P1>P2; crash P3"));
    let again = Lab::of_line(&line).expect("it reads back");
    assert_eq!(again.state().view(), seen.stepper().lab().state().view());
    seen.press("Right");
    assert!(!seen.at(80, 24).text().contains("any key closes"));
    assert_eq!(seen.steps(), 3, "the key that closes does nothing else");
}

#[test]
fn a_run_that_was_saved_loads_above_the_one_that_is_open_and_no_file_is_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my.run");
    let path = path.to_str().expect("a name");
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r 1 e Down Enter");
    let text = seen.at(80, 24).text();
    assert!(text.contains(":save lamport.run_"), "{text}");
    seen.press("Esc");
    seen.command(&format!("save {path}"));
    assert!(seen.at(160, 45).text().contains("the run is in"));
    seen.command(&format!("save {path}"));
    assert!(seen.at(160, 45).text().contains("there already"));
    seen.press("Home");
    seen.command(&format!("load {path}"));
    assert_eq!(seen.steps(), 2, "the run that was loaded, at its end");
    seen.press("q");
    assert_eq!(seen.steps(), 0, "the run below it, where it stood");
    seen.command(&format!("load {path}x"));
    assert!(seen.at(160, 45).text().contains("cannot be read"));
    seen.command(&format!("export text {path}.txt"));
    let text = std::fs::read_to_string(format!("{path}.txt")).expect("it was written");
    assert!(text.contains("Lamport"), "{text}");
    seen.command("export jsn x");
    assert!(seen.at(160, 45).text().contains("no format is called `jsn`; there are text, json"));
    std::fs::write(path, "lamport; exit P1").expect("the folder is there");
    seen.command(&format!("load {path}"));
    assert!(seen.at(160, 45).text().contains("P1 has not asked"));
}

#[test]
fn the_log_tells_every_step_filters_what_is_typed_and_goes_there() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("o");
    assert!(seen.at(80, 24).text().contains("Nothing has happened yet"));
    seen.press("Esc r 1 1 Tab Tab r Left o");
    let text = seen.at(80, 24).text();
    for wanted in ["P1 asks", "P2 gets REQUEST (1,P1)", "P3 gets REQUEST (1,P1)"] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    seen.type_in("p1 asks");
    let text = seen.at(80, 24).text();
    assert!(text.contains("with: p1 asks_"), "{text}");
    let row =
        |n: &str| text.lines().any(|l| l.trim_start_matches(['<', '>', '=', ' ']).starts_with(n));
    assert!(row("1    P1 asks") && !row("2    "), "{text}");
    assert!(row("*3"), "the current step is never filtered out\n{text}");
    seen.type_in(" nowhere");
    assert!(seen.at(80, 24).text().contains("*3"));
    seen.press("Esc Home Enter");
    assert_eq!(seen.steps(), 1);
    seen.press("o m q Esc Esc");
    assert_eq!(seen.steps(), 1, "letters are typed, Esc empties the filter, then closes");
    assert!(seen.at(80, 24).text().contains("In flight"));
}

#[test]
fn the_chosen_step_of_the_log_shows_its_causes_and_effects_in_list_and_diagram_without_colour() {
    let mut seen = Seen::free_play("clocks", 3);
    seen.command("tell P1>P2; local P3; deliver P1>P2; local P1; tell P2>P3; deliver P2>P3");
    seen.press("o Home Down Down");
    for (width, height) in [(80, 24), (100, 30), (160, 45)] {
        let text = seen.at(width, height).text();
        let signs: Vec<&str> = ["< 1", "  2", "= 3", "  4", "> 5", ">*6"].into();
        let rows: Vec<&str> = text.lines().filter(|l| l.contains("step")).collect();
        assert!(rows.iter().any(|row| row.contains("step 3:")), "{text}");
        for sign in signs {
            assert!(text.lines().any(|l| l.starts_with(&format!(" {sign} "))), "{sign}\n{text}");
        }
        let axis = text.lines().find(|l| l.contains("=s3")).expect("numbers under the lanes");
        let numbers: Vec<&str> = axis.split_whitespace().collect();
        assert_eq!(numbers, ["<s1", "s2", "=s3", "s4", ">s5", ">s6"], "{text}");
    }
}

#[test]
fn a_click_on_a_step_of_the_diagram_goes_there_and_back() {
    use lockstep::ui::Input;
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r 1 1 1");
    let drawn = seen.at(100, 30);
    let lanes = drawn.rows_starting_with(["P1 ─"]);
    let row = *lanes.first().expect("a lane");
    let col = drawn.row(row).chars().position(|c| c == '●').expect("P1 asked");
    seen.input(Input::Click { col: col as u16, row: row as u16 });
    assert_eq!(seen.steps(), 1);
    seen.press("End ?");
    seen.at(100, 30);
    assert!(seen.at(100, 60).text().contains("the mouse on or off"));
}

#[test]
fn tab_completes_the_command_line_and_lists_what_is_possible() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r :");
    assert!(seen.at(80, 24).text().contains("Tab completes"));
    seen.type_in("del");
    seen.press("Tab Tab");
    let text = seen.at(80, 24).text();
    assert!(text.contains(":deliver P1>P_") && text.contains("P1>P2#1, P1>P3#1"), "{text}");
    seen.type_in("3");
    seen.press("Tab Enter");
    assert!(seen.at(80, 24).text().contains("P3 gets REQUEST (1,P1) from P1"));
    seen.press(":");
    seen.type_in("x");
    seen.press("Tab");
    assert!(seen.at(80, 24).text().contains("nothing goes on with `x`"));
}

#[test]
fn the_arrows_show_earlier_command_lines_and_bring_back_the_one_that_was_begun() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press(": Up");
    assert!(seen.at(80, 24).text().contains("no line was typed before"));
    seen.press("Esc");
    seen.command("request P1");
    seen.command("request P2");
    seen.press(":");
    seen.type_in("cra");
    seen.press("Up Up");
    assert!(seen.at(80, 24).text().contains(":request P1_"));
    seen.press("Down");
    assert!(seen.at(80, 24).text().contains(":request P2_"));
    seen.press("Down");
    assert!(seen.at(80, 24).text().contains(":cra_"));
    assert_eq!(seen.steps(), 2);
    seen.press("Up Backspace");
    seen.type_in("3");
    seen.press("Left Left");
    assert!(seen.at(80, 24).text().contains(":request P3"), "the cursor stands inside");
    seen.press("Enter");
    assert_eq!(seen.steps(), 3);
}

#[test]
fn auto_play_asks_for_ticks_only_while_it_runs() {
    use lockstep::ui::Input;
    let mut seen = Seen::free_play("lamport", 3);
    assert_eq!(seen.tick_every(), None);
    seen.press("r a");
    assert!(seen.tick_every().is_some());
    for _ in 0..20 {
        seen.input(Input::Tick);
    }
    assert_eq!(seen.tick_every(), None, "it stops when there is nothing more to do");
    assert!(seen.steps() > 5);
}

#[test]
fn without_colour_no_cell_has_any_and_the_selection_is_still_visible() {
    for (name, mut seen) in states::all() {
        seen.look(plain_look());
        let drawn = seen.at(100, 30);
        assert!(drawn.cells().all(|c| c.fg == Color::Reset && c.bg == Color::Reset), "{name}");
    }
    let mut seen = Seen::after("Down");
    seen.look(plain_look());
    assert!(seen.at(80, 24).cells().any(|c| c.modifier.contains(Modifier::REVERSED)));
}

// H55
#[test]
fn no_theme_puts_white_or_black_on_the_terminals_own_background() {
    for (name, mut seen) in states::all() {
        for theme in [ThemeName::Auto, ThemeName::Dark, ThemeName::Light, ThemeName::HighContrast] {
            let mut look = plain_look();
            look.theme = Theme::new(theme, ColorUse::On, None);
            seen.look(look);
            for (width, height) in [(80, 24), (100, 30)] {
                for cell in seen.at(width, height).cells() {
                    let grey = [Color::White, Color::Black, Color::Gray, Color::DarkGray];
                    let own = |c: Color| c == Color::Reset;
                    assert!(!(grey.contains(&cell.fg) && own(cell.bg)), "{theme:?} {name}");
                    assert!(own(cell.bg) || !own(cell.fg), "half a pair: {theme:?} {name}");
                }
            }
        }
    }
}

// H58
#[test]
fn in_ascii_every_cell_is_ascii() {
    for (name, mut seen) in states::all() {
        let mut look = plain_look();
        look.glyphs = Glyphs::ASCII;
        seen.look(look);
        for (w, h) in [(60, 18), (80, 24), (100, 30)] {
            let text = seen.at(w, h).text();
            let odd: String = text.chars().filter(|c| !c.is_ascii()).collect();
            assert!(odd.is_empty(), "{name} {w}x{h}: {odd:?}\n{text}");
        }
    }
}

#[test]
fn the_stepper_looks_as_it_did() {
    for (width, height) in [(60, 18), (80, 24), (100, 30), (160, 45)] {
        let mut seen = Seen::free_play("lamport", 3);
        seen.press("r Tab r 1 2 1 1 1 1");
        let text = seen.at(width, height).text();
        insta::assert_snapshot!(format!("lamport_{width}x{height}"), text);
    }
}

#[test]
fn after_another_order_the_branches_screen_shows_both_and_leads_back() {
    let mut seen = Seen::free_play("ricart-agrawala", 3);
    seen.press("r 1 Left 2");
    assert!(seen.at(100, 30).text().contains("a new branch"));
    seen.press("b");
    let text = seen.at(100, 30).text();
    assert!(text.contains("deliver P1>P2") && text.contains("deliver P1>P3"), "{text}");
    seen.press("Up Enter");
    assert!(seen.at(100, 30).text().contains("P2 gets REQUEST (1,P1) from P1"));
}

#[test]
fn a_violation_stays_marked_in_the_header_and_names_both() {
    let mut seen = Seen::free_play_with("lamport", 2, "no-acknowledge");
    seen.press("r Tab r");
    let text = seen.at(80, 24).text();
    assert!(text.contains("LOCK P1+P2!") && text.contains("MUTEX VIOLATED P1+P2"), "{text}");
    seen.press("x");
    assert!(seen.at(80, 24).text().contains("MUTEX VIOLATED P1+P2"));
}

#[test]
fn checking_every_schedule_shows_progress_and_plays_what_it_finds() {
    use lockstep::ui::Input;
    let mut seen = Seen::free_play_with("lamport", 2, "no-fifo");
    seen.press("v");
    assert!(seen.at(80, 24).text().contains("Searching"));
    while seen.tick_every().is_some() {
        seen.input(Input::Tick);
    }
    let text = seen.at(80, 24).text();
    assert!(text.contains("Violated after 4 events: mutex, P1 and P2."), "{text}");
    seen.press("Enter");
    assert_eq!(seen.steps(), 0);
    seen.press("End");
    assert!(seen.at(80, 24).text().contains("LOCK P1+P2!"));
}

#[test]
fn a_stuck_cluster_says_who_waits_for_whom_and_how_to_go_on() {
    let mut seen = Seen::free_play("ricart-agrawala", 2);
    seen.press("Tab c Tab r 1 Right");
    let text = seen.at(100, 30).text();
    assert!(text.contains("STUCK P1"), "{text}");
    assert!(text.contains("P1 waits for REPLY from P2, which has crashed"), "{text}");
    assert!(text.contains("← goes back"), "{text}");
}

#[test]
fn home_leads_to_a_comparison_that_is_measured_while_keys_are_taken() {
    use lockstep::ui::Input;
    let mut seen = Seen::after("@costs");
    assert!(seen.at(80, 24).text().contains("What an entry costs in messages"));
    seen.press("Enter");
    assert!(seen.at(80, 24).text().contains("measuring"));
    assert!(seen.tick_every().is_some());
    seen.input(Input::Tick);
    seen.press("Home Right Down Down");
    while seen.tick_every().is_some() {
        seen.input(Input::Tick);
    }
    for (width, height) in [(60, 18), (80, 24), (100, 30), (160, 45)] {
        let text = seen.at(width, height).text();
        assert!(text.contains("3 nodes") && !text.contains("measuring"), "{text}");
        assert!(text.contains("All 3 at once 12, formula 12"), "{text}");
    }
    let text = seen.at(80, 24).text();
    let row = text.lines().find(|l| l.contains("Ricart–Agrawala 1981 4")).expect("its row");
    assert!(row.contains("4 ✓") && row.contains("12 ✓"), "{row}");
    assert!(text.contains("messages"), "how the cost grows has its place: {text}");
    seen.press("Enter");
    assert!(seen.at(80, 24).text().contains("Side by side"));
    seen.press("Esc Esc");
    assert!(seen.at(80, 24).text().contains("Lockstep"), "two keys lead back to Home");
}

#[test]
fn two_algorithms_step_together_and_their_messages_stand_beside_each_other() {
    let mut seen = Seen::after("@algorithms Enter");
    assert!(seen.at(80, 24).text().contains("two algorithms, the same requests"));
    seen.press("Enter e End");
    for (width, height) in [(60, 18), (80, 24), (100, 30), (160, 45)] {
        let text = seen.at(width, height).text();
        for wanted in ["Lamport 1978", "Ricart–Agrawala 1981", " 18: 3 entries", " 12: 3 entries"]
        {
            assert!(text.contains(wanted), "{width}x{height}: {wanted}\n{text}");
        }
    }
    assert!(seen.at(100, 30).text().contains("entered P1, P2, P3"));
    seen.press("Right");
    assert!(seen.at(80, 24).text().contains("nothing is left to do"));
    seen.press("Home Left");
    assert!(seen.at(80, 24).text().contains("this is the beginning of both runs"));
}

// H59
#[test]
fn a_lesson_is_read_and_answered_with_arrows_and_enter_alone() {
    let mut seen = states::in_lesson("ricart-agrawala-race");
    seen.press("Right Right Right Enter Down Down Enter");
    let text = seen.at(80, 24).text();
    assert!(text.contains("Correct"), "{text}");
    seen.press("Right");
    assert!(!seen.at(80, 24).text().contains("Correct"), "and it goes on");
}

// H59: whatever the keyboard's letters are.
#[test]
fn a_cluster_is_played_without_a_letter_or_a_digit() {
    let mut seen = Seen::after("@Central Enter Enter");
    let choose = |seen: &mut Seen, open: &str, about: &str| {
        seen.press(open);
        seen.press("Home");
        while !seen.at(80, 24).selected().contains(about) {
            seen.press("Down");
        }
        seen.press("Enter");
    };
    choose(&mut seen, "Esc", "asks for the lock");
    choose(&mut seen, "Esc", "one step on");
    choose(&mut seen, "Esc", "one step on");
    choose(&mut seen, "Esc", "leaves the critical section");
    choose(&mut seen, "Esc", "the chosen message is copied");
    choose(&mut seen, "Down F2", "the chosen message is lost");
    assert_eq!(seen.steps(), 6);
    choose(&mut seen, "Esc", "one level up");
    let text = seen.at(80, 24).text();
    assert!(text.contains("Free play") && text.contains("this run is kept"), "{text}");
    seen.press("Up");
    assert!(seen.at(80, 24).text().contains("Enter opens"));
}

/// A lesson on the screen up to the open question that comes so many later, and that question's id.
fn up_to_question(lesson: &str, later: usize) -> Option<(Seen, String)> {
    let mut seen = states::in_lesson(lesson);
    let mut last: Option<String> = None;
    let mut met = 0;
    loop {
        let learner = seen.stepper().learner().expect("a lesson is open");
        if learner.question().is_some_and(|question| !question.state.closed()) {
            let question = learner.step().question.as_ref().expect("the page has a question");
            let id = question.common().id.to_owned();
            if last.as_ref() != Some(&id) {
                if met == later {
                    return Some((seen, id));
                }
                met += 1;
                last = Some(id);
            }
        }
        if !seen.go_on() {
            return None;
        }
    }
}

/// Whoever only goes on answers nothing: neither by the arrow, nor by Enter, nor by both, nor by handing
/// in what they have played.
#[test]
fn arrows_and_enter_alone_pass_no_question_of_any_lesson() {
    let mut asked = 0;
    for entry in lockstep::lesson::Library::embedded().shelved() {
        let lesson = entry.lesson().expect("a lesson of the course");
        let mut met = 0;
        while up_to_question(&lesson.id, met).is_some() {
            for keys in ["Right", "Enter", "Right Enter Enter", "Space PageDown Enter"] {
                let (mut seen, id) = up_to_question(&lesson.id, met).expect("as before");
                for _ in 0..40 {
                    seen.press(keys);
                }
                let learner = seen.stepper().learner().expect("a lesson is open");
                let state = learner.state_of(&id);
                assert_ne!(state, Some(QuestionState::Right), "{} {id}: {keys}", lesson.id);
            }
            met += 1;
        }
        assert_eq!(met, lesson.questions().count(), "{}: every question is met", lesson.id);
        asked += met;
    }
    assert!(asked > 200, "the course asks {asked} questions");
}

/// The lesson's own run is not ahead of an answer, wherever that begins: neither the arrow nor End nor the
/// run that plays by itself takes a step that the learner has not chosen.
#[test]
fn nothing_is_played_of_an_answer_without_a_choice() {
    let mut played = 0;
    for entry in lockstep::lesson::Library::embedded().shelved() {
        let lesson = entry.lesson().expect("a lesson of the course");
        for met in 0.. {
            let Some((mut seen, id)) = up_to_question(&lesson.id, met) else { break };
            let question = seen.stepper().learner().and_then(|learner| learner.question());
            if !question.is_some_and(|question| matches!(question.way, Way::Play(_))) {
                continue;
            }
            played += 1;
            seen.press("Enter");
            let start = seen.steps();
            seen.press("Right Right End Right a");
            for _ in 0..3 {
                seen.input(Input::Tick);
            }
            assert_eq!(seen.steps(), start, "{} {id}", lesson.id);
            assert_eq!(seen.tick_every(), None, "{} {id}: it stops where one chooses", lesson.id);
        }
    }
    assert!(played > 20, "the course has {played} answers that are played");
}
