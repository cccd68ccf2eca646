//! Screens on a buffer: what one sees after some keys, in every look. The sizes are in `sizes.rs`.

#[path = "support/screen.rs"]
mod screen;
#[path = "support/states.rs"]
mod states;

use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use ratatui::style::{Color, Modifier};
use screen::{Seen, plain_look};

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
        ("r 1 1 1 1 Right", "x lets it leave"),
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
    seen.press("Right Right Right Enter Down Enter");
    let text = seen.at(80, 24).text();
    assert!(text.contains("Correct"), "{text}");
    seen.press("Right");
    assert!(!seen.at(80, 24).text().contains("Correct"), "and it goes on");
}
