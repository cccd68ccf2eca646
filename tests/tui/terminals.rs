//! A whole sitting on terminals of several names, and the terminal's word for its background.

use super::{CTRL_Z, started};
use crate::support::{Setup, Tui};

/// Terminals by their `TERM`, as systems ship them.
const TERMS: [&str; 5] = ["xterm-256color", "screen", "tmux-256color", "tmux", "linux"];

fn played(tui: &mut Tui) {
    tui.send("r");
    tui.wait_for_text("P1 asks");
    tui.send("1");
    tui.wait_for_text("step 2");
    tui.send("\x1b[D");
    tui.wait_for_text("step 1/2");
    tui.send("\x1b[C");
    tui.wait_for_text("step 2 ");
}

/// What is to be read, without the blanks behind it.
fn lines(screen: &vt100::Screen) -> Vec<String> {
    screen.contents().lines().map(|line| line.trim_end().to_owned()).collect()
}

// H51, H56, H57
#[test]
fn a_whole_sitting_leaves_the_shells_screen_on_every_terminal() {
    let script = "set -m; \"$LOCKSTEP\" play ricart-agrawala -n 3; echo \"stopped: $?\"; read line; fg; echo \"over: $?\"";
    for term in TERMS {
        let mut tui = started(Setup::shell(script).env("TERM", term).size(100, 30));
        played(&mut tui);
        // By itself it plays on while the window changes.
        tui.send("a");
        tui.wait_for_text("playing on");
        for (columns, rows) in [(80, 24), (40, 10), (160, 45), (61, 19), (100, 30)] {
            let frames = tui.frames();
            tui.resize(columns, rows);
            tui.frame_after(frames);
        }
        tui.send("++");
        tui.wait_for_text("P1 enters");
        // Any other key stops it.
        tui.send("\x1b[D");
        tui.wait_for("a step back", |screen| screen.contents().contains("step 4/5"));
        tui.send("\x1b[C");
        let before = tui.wait_for("its end", |screen| screen.contents().contains("step 5 "));
        let frames = tui.frames();
        tui.send(CTRL_Z);
        tui.wait_for_text("stopped: 148");
        tui.wait_until_cooked();
        assert_eq!(tui.leftovers(), Vec::<&str>::new(), "{term}, stopped");
        tui.send("\r");
        assert_eq!(lines(&tui.frame_after(frames)), lines(&before), "{term}, resumed");
        // The stepper, then Home.
        tui.send("qq");
        tui.wait_for_text("over: 0");
        tui.end().assert(0);
    }
}

fn has_ink(screen: &vt100::Screen, index: u8) -> bool {
    let (rows, columns) = screen.size();
    let mut places = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |col| (row, col)));
    let ink = vt100::Color::Idx(index);
    places.any(|(row, col)| screen.cell(row, col).is_some_and(|cell| cell.fgcolor() == ink))
}

// H55
#[test]
fn a_terminal_that_answers_chooses_the_theme_and_its_answer_is_no_key() {
    for (answer, ink) in [
        ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", 4),
        ("\x1b]11;rgb:ffff/ffff/ffff\x07", 4),
        ("\x1b]11;rgb:1111/1111/1111\x1b\\", 14),
    ] {
        let args = ["play", "ricart-agrawala"];
        let mut tui = started(Setup::lockstep(&args).env("TERM", "xterm-256color"));
        tui.send("r");
        tui.wait_for_text("step 1");
        assert!(tui.has_asked_for_background() && !has_ink(&tui.now(), ink));
        tui.send(answer);
        tui.wait_for("the theme for that background", |screen| has_ink(screen, ink));
        tui.settle();
        assert!(tui.now().contents().contains("step 1 "), "its digits delivered nothing");
        tui.send("qq");
        tui.end().assert(0);
    }
}

// H55
#[test]
fn an_answer_on_the_way_out_does_not_reach_the_shell() {
    let script = "\"$LOCKSTEP\"; echo \"over: $?\"; read line; echo \"got: $line.\"";
    let mut tui = started(Setup::shell(script).env("TERM", "xterm-256color"));
    tui.send("q\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
    tui.wait_for_text("over: 0");
    tui.send("\r");
    tui.wait_for_text("got: .");
    tui.end().assert(0);
}

// H55
#[test]
fn whoever_has_chosen_a_theme_and_a_terminal_that_cannot_answer_are_not_asked() {
    let chosen: [&[&str]; 3] =
        [&["--theme", "light"], &["--color", "never"], &["--theme", "high-contrast"]];
    let chosen = chosen.map(|args| (args, "xterm-256color"));
    for (args, term) in chosen.into_iter().chain([(&[][..], "linux"), (&[], "screen")]) {
        let mut tui = started(Setup::lockstep(args).env("TERM", term));
        tui.settle();
        tui.send("q");
        assert!(!tui.has_asked_for_background(), "{args:?} {term}");
        tui.end().assert(0);
    }
}
