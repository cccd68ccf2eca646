//! What the program does to a real terminal: takes it, gives it back, and wastes nothing.
//!
//! The tests use as little of the screens as they can: `q` leaves, the down arrow changes what is
//! shown, and `--mouse` takes the mouse.

mod terminals;

use crate::program;
use crate::support::{Setup, Tui, look, runs, wait_for_end, wait_until};

const CTRL_C: &str = "\x03";
const CTRL_L: &str = "\x0c";
const CTRL_Z: &str = "\x1a";
const DOWN: &str = "\x1b[B";

/// The program after its first frame.
fn started(setup: Setup) -> Tui {
    let tui = setup.start();
    let frame = tui.first_frame();
    assert!(!frame.contents().trim().is_empty(), "the first frame shows something");
    tui
}

fn home() -> Tui {
    started(Setup::lockstep(&[]))
}

// --- ways out ----------------------------------------------------------------------------------

// H54
#[test]
fn while_it_runs_the_terminal_is_its_own() {
    let mut tui = home();
    let leftovers = tui.leftovers();
    for taken in ["alternate screen", "hidden cursor", "bracketed paste", "raw mode"] {
        assert!(leftovers.contains(&taken), "{taken} is missing from {leftovers:?}");
    }
    assert!(!leftovers.contains(&"mouse reports"), "the mouse is not asked for by default");
    assert!(!leftovers.contains(&"synchronized update"), "the frame is complete");
    tui.send("q");
    tui.end().assert(0);
}

#[test]
fn q_leaves_and_gives_the_terminal_back() {
    for term in
        ["xterm-256color", "xterm", "screen-256color", "tmux-256color", "linux", "vt100", "unheard"]
    {
        let mut tui = started(Setup::lockstep(&[]).env("TERM", term));
        tui.send("q");
        tui.end().assert(0);
    }
}

#[test]
fn control_c_leaves_at_once() {
    let mut tui = home();
    tui.send(CTRL_C);
    tui.end().assert(0);
}

// H63
#[test]
fn it_can_be_left_at_every_size() {
    for (columns, rows) in [(1, 1), (2, 1), (1, 40), (14, 5), (59, 17), (300, 90)] {
        for way_out in ["q", CTRL_C] {
            let mut tui = Setup::lockstep(&[]).size(columns, rows).start();
            tui.first_frame();
            tui.send(way_out);
            tui.end().assert(0);
        }
    }
}

// H56
#[test]
fn signals_give_the_terminal_back() {
    for (signal, status) in [("TERM", 143), ("HUP", 129), ("INT", 130), ("QUIT", 131)] {
        let tui = home();
        tui.signal(signal);
        tui.end().assert(status);
    }
}

// H56
#[test]
fn an_error_is_told_on_the_shells_screen() {
    let ended = Setup::lockstep(&[]).env("LOCKSTEP_TEST", "error").start().end();
    ended.assert(2);
    assert!(ended.last_frame.is_some(), "the error came from a running screen");
    assert!(ended.text.contains("provoked by LOCKSTEP_TEST"), "{}", ended.text);
}

// H56
#[test]
fn a_panic_is_told_on_the_shells_screen() {
    for mishap in ["panic", "panic-in-frame"] {
        let ended = Setup::lockstep(&[]).env("LOCKSTEP_TEST", mishap).start().end();
        ended.assert(101);
        assert!(ended.last_frame.is_some(), "the panic came from a running screen");
        assert!(ended.text.contains("provoked by LOCKSTEP_TEST"), "{mishap}: {}", ended.text);
    }
}

// H56
#[test]
fn a_panic_elsewhere_leaves_the_screen_alone() {
    let mut tui = Setup::lockstep(&[]).env("LOCKSTEP_TEST", "worker-panic").start();
    // The second frame follows the panic.
    let frame = tui.frame_after(1);
    assert!(frame.alternate_screen());
    assert!(!frame.contents().contains("provoked"), "{}", frame.contents());
    tui.send(DOWN);
    tui.wait_for_change(&frame);
    tui.send("q");
    let ended = tui.end();
    ended.assert(0);
    assert!(ended.text.contains("provoked by LOCKSTEP_TEST"), "told afterwards: {}", ended.text);
}

#[test]
fn a_program_that_hangs_can_still_be_interrupted() {
    let mut tui = Setup::lockstep(&[]).env("LOCKSTEP_TEST", "hang").start();
    tui.first_frame();
    tui.settle();
    tui.send(CTRL_C);
    tui.send(CTRL_C);
    tui.end().assert(130);

    let tui = Setup::lockstep(&[]).env("LOCKSTEP_TEST", "hang").start();
    tui.first_frame();
    tui.settle();
    tui.signal("TERM");
    tui.settle();
    tui.signal("TERM");
    tui.end().assert(143);
}

#[test]
fn line_settings_survive_in_the_eyes_of_stty() {
    // An unusual setting, so that "as it was" is not the same as "as it usually is".
    let script = "stty -echo -ixon; stty -g >before; \"$LOCKSTEP\"; stty -g >after; cmp before after && echo same";
    for mishap in ["none", "panic", "error"] {
        let mut tui = Setup::shell(script).env("LOCKSTEP_TEST", mishap).start();
        tui.first_frame();
        if mishap == "none" {
            tui.send("q");
        }
        tui.wait_for_text("same");
        let ended = tui.end();
        assert_eq!(ended.status, 0, "{mishap}");
    }
}

// --- the terminal goes away --------------------------------------------------------------------

#[test]
fn closing_the_window_ends_the_program() {
    let mut child = home().hang_up(DOWN);
    let status = wait_for_end(child.as_mut());
    assert_eq!(status, 129);
}

#[test]
fn a_hang_up_that_nobody_tells_ends_the_program_too() {
    // In a session of its own the terminal does not control the program: no signal will come.
    let script = "setsid -w /bin/sh -c 'echo $$ >pid; exec \"$LOCKSTEP\"'";
    let tui = started(Setup::shell(script));
    let pid = std::fs::read_to_string(tui.home().join("pid")).expect("the script wrote it");
    let pid = pid.trim().to_owned();
    assert!(runs(&pid));
    // The shell is not waited for: the hang-up kills it.
    drop(tui.hang_up(DOWN));
    wait_until("the end of the program", || !runs(&pid));
}

// --- suspend -----------------------------------------------------------------------------------

/// Runs the program as a job of a shell that waits for Enter before it brings the job back.
const JOB: &str = "set -m; \"$LOCKSTEP\"; echo \"stopped: $?\"; read line; fg; echo \"over: $?\"";

// H57
#[test]
fn control_z_lends_the_terminal_to_the_shell_and_comes_back_unchanged() {
    let mut tui = started(Setup::shell(JOB));
    let first = tui.last_frame();
    tui.send(DOWN);
    let before = tui.wait_for_change(&first);
    let frames = tui.frames();
    tui.send(CTRL_Z);
    tui.wait_for_text("stopped: 148");
    tui.wait_until_cooked();
    assert_eq!(tui.leftovers(), Vec::<&str>::new());
    tui.send("\r");
    let after = tui.frame_after(frames);
    assert_eq!(look(&after), look(&before));
    assert!(after.alternate_screen() && after.hide_cursor() && after.bracketed_paste());
    // And it goes on working.
    tui.send("\x1b[A");
    tui.wait_for_change(&after);
    tui.send("q");
    tui.wait_for_text("over: 0");
    tui.end().assert(0);
}

// H57
#[test]
fn a_size_changed_during_the_suspension_is_seen() {
    let mut fresh = started(Setup::lockstep(&[]).size(100, 30));
    let wanted = fresh.last_frame();
    fresh.send("q");
    fresh.end().assert(0);

    let mut tui = started(Setup::shell(JOB));
    tui.send(CTRL_Z);
    tui.wait_for_text("stopped: 148");
    tui.resize(100, 30);
    tui.send("\r");
    tui.wait_for("the frame of the new size", |screen| look(screen) == look(&wanted));
    tui.send("q");
    tui.wait_for_text("over: 0");
    tui.end().assert(0);
}

#[test]
fn a_suspension_can_be_repeated() {
    let script = "set -m; \"$LOCKSTEP\"; for i in 1 2 3; do echo \"stopped: $i\"; read line; fg; done; echo over";
    let mut tui = started(Setup::shell(script));
    for i in 1..=3 {
        let frames = tui.frames();
        tui.send(CTRL_Z);
        tui.wait_for_text(&format!("stopped: {i}"));
        tui.send("\r");
        tui.frame_after(frames);
    }
    tui.send("q");
    tui.wait_for_text("over");
    tui.end().assert(0);
}

#[test]
fn a_script_that_started_the_program_stops_with_it() {
    let script = "set -m; /bin/sh -c '\"$LOCKSTEP\"; echo \"inner: $?\"'; echo \"stopped: $?\"; read line; fg; echo over";
    let mut tui = started(Setup::shell(script));
    let frames = tui.frames();
    tui.send(CTRL_Z);
    tui.wait_for_text("stopped: 148");
    tui.send("\r");
    tui.frame_after(frames);
    tui.send("q");
    tui.wait_for_text("inner: 0");
    tui.wait_for_text("over");
    tui.end().assert(0);
}

#[test]
fn a_window_without_a_shell_is_not_suspended_for_ever() {
    // Here nobody could bring the job back: the program is all that the terminal runs.
    let mut tui = home();
    let frames = tui.frames();
    tui.send(CTRL_Z);
    tui.frame_after(frames);
    tui.send("q");
    tui.end().assert(0);
}

#[test]
fn stopped_from_outside_it_takes_the_terminal_again() {
    let tui = home();
    let before = tui.first_frame();
    tui.signal("STOP");
    wait_until("a stopped process", || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", tui.pid()));
        stat.is_ok_and(|stat| stat.contains(") T "))
    });
    let frames = tui.frames();
    tui.signal("CONT");
    let after = tui.frame_after(frames);
    assert_eq!(look(&after), look(&before));
    tui.signal("TERM");
    tui.end().assert(143);
}

/// The program as a job of a shell, with the mouse; its number is in the file `pid`.
const MOUSE_JOB: &str = "set -m; /bin/sh -c 'echo $$ >pid; exec \"$LOCKSTEP\" --mouse'; \
    echo \"stopped: $?\"; read line; fg; echo \"over: $?\"";

/// Stops the program from outside: itself alone, or its whole job.
fn stop_from_outside(tui: &Tui, job: bool) {
    let pid = std::fs::read_to_string(tui.home().join("pid")).expect("the script wrote it");
    let whom = format!("{}{}", if job { "-" } else { "" }, pid.trim());
    let sent = std::process::Command::new("kill").args(["-s", "TSTP", "--", &whom]).status();
    assert!(sent.expect("there is a kill command").success());
}

// H57
#[test]
fn stopped_by_a_signal_it_gives_the_terminal_back_and_comes_back_complete() {
    for job in [false, true] {
        let mut tui = started(Setup::shell(MOUSE_JOB));
        let first = tui.last_frame();
        tui.send(DOWN);
        let before = tui.wait_for_change(&first);
        assert!(tui.leftovers().contains(&"mouse reports"));
        for _ in 0..1 {
            let frames = tui.frames();
            stop_from_outside(&tui, job);
            tui.wait_for_text("stopped: 148");
            tui.wait_until_cooked();
            assert_eq!(tui.leftovers(), Vec::<&str>::new(), "job {job}");
            tui.send("\r");
            let after = tui.frame_after(frames);
            assert_eq!(look(&after), look(&before));
            assert!(after.alternate_screen() && after.hide_cursor() && after.bracketed_paste());
            assert!(
                tui.leftovers().contains(&"mouse reports") && tui.leftovers().contains(&"raw mode")
            );
        }
        tui.send("q");
        tui.wait_for_text("over: 0");
        tui.end().assert(0);
    }
}

#[test]
fn stopped_by_a_signal_again_and_again_it_comes_back_each_time() {
    let script = "set -m; /bin/sh -c 'echo $$ >pid; exec \"$LOCKSTEP\" --mouse'; \
        for i in 1 2 3; do echo \"stopped: $i\"; read line; fg; done; echo over";
    let mut tui = started(Setup::shell(script));
    for i in 1..=3 {
        let frames = tui.frames();
        if i == 2 {
            tui.send(CTRL_Z)
        } else {
            stop_from_outside(&tui, false)
        }
        tui.wait_for_text(&format!("stopped: {i}"));
        tui.wait_until_cooked();
        assert_eq!(tui.leftovers(), Vec::<&str>::new());
        tui.send("\r");
        tui.frame_after(frames);
    }
    tui.send("q");
    tui.wait_for_text("over");
    tui.end().assert(0);
}

#[test]
fn a_program_that_hangs_stops_at_the_second_signal_and_leaves_a_usable_terminal() {
    let script = "set -m; /bin/sh -c 'echo $$ >pid; exec \"$LOCKSTEP\" --mouse'; echo \"stopped: $?\"; \
        kill -s KILL %1; wait; echo over";
    let tui = Setup::shell(script).env("LOCKSTEP_TEST", "hang").start();
    tui.first_frame();
    let pid = std::fs::read_to_string(tui.home().join("pid")).expect("the script wrote it");
    wait_until("a program that hangs", || runs(pid.trim()));
    std::thread::sleep(std::time::Duration::from_millis(300));
    stop_from_outside(&tui, false);
    std::thread::sleep(std::time::Duration::from_millis(300));
    stop_from_outside(&tui, false);
    tui.wait_for_text("stopped: 148");
    tui.wait_until_cooked();
    assert_eq!(tui.leftovers(), Vec::<&str>::new());
    tui.wait_for_text("over");
    tui.end();
}

#[test]
fn a_signal_to_stop_is_nothing_where_no_shell_could_go_on_with_it() {
    let mut tui = home();
    let frames = tui.frames();
    tui.signal("TSTP");
    tui.frame_after(frames);
    tui.send("q");
    tui.end().assert(0);
}

// --- input -------------------------------------------------------------------------------------

// H53
#[test]
fn one_press_is_one_step_however_the_terminal_reports_it() {
    let rows_after = |keys: &[&str]| {
        let mut tui = home();
        for key in keys {
            tui.send(key);
        }
        tui.settle();
        let frame = tui.last_frame();
        tui.send("q");
        tui.end().assert(0);
        look(&frame)
    };
    let once = rows_after(&[DOWN]);
    let twice = rows_after(&[DOWN, DOWN]);
    assert_ne!(once, twice);
    let (press, repeat, release) = ("\x1b[1;1:1B", "\x1b[1;1:2B", "\x1b[1;1:3B");
    assert_eq!(rows_after(&[press, release]), once);
    assert_eq!(rows_after(&[press, release, press, release]), twice);
    assert_eq!(rows_after(&[release]), rows_after(&[]));
    // The release of `q` as of any letter: the program still runs.
    assert_eq!(rows_after(&["\x1b[113;1:3u", "\x1b[97;1:3u"]), rows_after(&[]));
    // A held arrow may scroll; in a list that fits there is nothing to scroll.
    assert_eq!(rows_after(&[press, repeat, repeat, release]), once);
}

#[test]
fn the_extended_protocols_press_is_a_key() {
    let mut tui = home();
    tui.send("\x1b[113;1:1u");
    tui.end().assert(0);
}

// H60
#[test]
fn pasted_text_is_not_a_row_of_keys() {
    let mut tui = home();
    let before = tui.first_frame();
    tui.send("\x1b[200~quit\rexcellent\nq\x03\x1a\x1b[201~");
    tui.settle();
    assert_eq!(look(&tui.last_frame()), look(&before));
    assert!(tui.leftovers().contains(&"alternate screen"), "it still runs");
    tui.send("q");
    tui.end().assert(0);
}

#[test]
fn garbage_does_not_end_the_program() {
    let mut tui = home();
    // Bytes that are no UTF-8, unknown keys, a title, a cursor report, a terminal's name.
    tui.send(b"\xff\xfe\x00\x1b[999;999;999Z\x1b]0;x\x07\x1b[1;1R\x1b[?62c");
    tui.settle();
    assert!(tui.leftovers().contains(&"alternate screen"), "it still runs");
    tui.send(CTRL_C);
    tui.end().assert(0);
}

// H54
#[test]
fn the_mouse_is_taken_when_asked_and_given_back() {
    for way_out in ["q", CTRL_C] {
        let mut tui = started(Setup::lockstep(&["--mouse"]));
        assert!(tui.leftovers().contains(&"mouse reports"));
        tui.send(way_out);
        tui.end().assert(0);
    }
    let ended = Setup::lockstep(&["--mouse"]).env("LOCKSTEP_TEST", "panic").start().end();
    ended.assert(101);
}

// H54
#[test]
fn the_mouse_can_be_taken_and_given_back_by_a_key() {
    let mut tui = home();
    let taken = |tui: &Tui| tui.leftovers().contains(&"mouse reports");
    tui.send("m");
    wait_until("mouse reports", || taken(&tui));
    tui.send("m");
    wait_until("no mouse reports", || !taken(&tui));
    tui.send("q");
    tui.end().assert(0);
}

// --- colour ------------------------------------------------------------------------------------

/// The last frame of a program that is then left, and whether it has a coloured and a reversed
/// cell.
fn colours(setup: Setup) -> (bool, bool) {
    let mut tui = started(setup);
    let frame = tui.last_frame();
    tui.send("q");
    tui.end().assert(0);
    let (rows, columns) = frame.size();
    let places = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |col| (row, col)));
    let cells: Vec<_> = places.filter_map(|(row, col)| frame.cell(row, col)).collect();
    let plain = vt100::Color::Default;
    let coloured = cells.iter().any(|cell| cell.fgcolor() != plain || cell.bgcolor() != plain);
    (coloured, cells.iter().any(|cell| cell.inverse()))
}

// H55
#[test]
fn without_colour_the_selection_is_still_seen() {
    assert_eq!(colours(Setup::lockstep(&[]).env("NO_COLOR", "1")), (false, true));
    assert_eq!(colours(Setup::lockstep(&["--color", "never"])), (false, true));
}

#[test]
fn colour_comes_when_the_command_line_insists() {
    assert!(colours(Setup::lockstep(&[])).0, "by default, in a terminal");
    assert!(colours(Setup::lockstep(&["--color", "always"]).env("NO_COLOR", "1")).0);
}

/// The foreground colours of the first frame of a program that is then left.
fn inks(setup: Setup) -> Vec<vt100::Color> {
    let mut tui = started(setup);
    let frame = tui.last_frame();
    tui.send("q");
    tui.end().assert(0);
    let (rows, columns) = frame.size();
    let places = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |col| (row, col)));
    places.filter_map(|(row, col)| frame.cell(row, col)).map(|cell| cell.fgcolor()).collect()
}

// H55
#[test]
fn the_terminals_word_for_its_background_chooses_the_theme_and_the_users_word_wins() {
    let hinted = |args: &[&str], hint: &str| inks(Setup::lockstep(args).env("COLORFGBG", hint));
    let [dark, light] = ["dark", "light"].map(|t| inks(Setup::lockstep(&["--theme", t])));
    assert_ne!(dark, light);
    assert_eq!(hinted(&[], "15;0"), dark);
    assert_eq!(hinted(&[], "0;15"), light);
    assert_eq!(hinted(&["--theme", "dark"], "0;15"), dark);
    let none = inks(Setup::lockstep(&[]).env("COLORFGBG", "0;15").env("NO_COLOR", "1"));
    assert!(none.iter().all(|ink| *ink == vt100::Color::Default));
}

// --- drawing -----------------------------------------------------------------------------------

#[test]
fn a_resize_is_drawn_at_the_new_size() {
    let mut fresh = started(Setup::lockstep(&[]).size(101, 31));
    let wanted = fresh.last_frame();
    fresh.send("q");
    fresh.end().assert(0);

    let mut tui = home();
    for (columns, rows) in [(40, 12), (1, 1), (120, 50), (101, 31)] {
        let frames = tui.frames();
        tui.resize(columns, rows);
        tui.frame_after(frames);
    }
    tui.wait_for("the frame of the new size", |screen| look(screen) == look(&wanted));
    tui.send("q");
    tui.end().assert(0);
}

#[test]
fn control_l_repaints_what_another_program_spoilt() {
    let mut tui = home();
    let before = tui.first_frame();
    let frames = tui.frames();
    tui.send(CTRL_L);
    assert_eq!(look(&tui.frame_after(frames)), look(&before));
    tui.send("q");
    tui.end().assert(0);
}

#[test]
fn an_idle_program_is_never_woken() {
    let mut tui = home();
    // Two looks, a while apart, at how often each thread slept: they agree only if none woke.
    tui.settle();
    let frames = tui.frames();
    wait_until("no wake-up in half a second", || {
        let before = crate::support::wake_ups(tui.pid());
        std::thread::sleep(std::time::Duration::from_millis(500));
        before == crate::support::wake_ups(tui.pid())
    });
    assert_eq!(tui.frames(), frames, "nothing was drawn either");
    tui.send("q");
    tui.end().assert(0);
}

// --- no terminal -------------------------------------------------------------------------------

fn assert_refused(status: Option<i32>, stdout: &[u8], stderr: &[u8]) {
    let told = String::from_utf8_lossy(stderr);
    assert_eq!(status, Some(2), "{told}");
    assert!(stdout.is_empty(), "{}", stdout.escape_ascii());
    assert!(!stderr.contains(&0x1b), "{}", stderr.escape_ascii());
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("lockstep run") && told.contains("--plain"), "{told}");
}

// H61
#[test]
fn without_a_terminal_one_line_names_the_way() {
    let output = program::lockstep([""; 0]).run();
    assert_refused(output.status.code(), &output.stdout, &output.stderr);
}

// H61
#[test]
fn with_half_a_terminal_not_one_escape_sequence_is_written() {
    for redirected in ["</dev/null", "| cat >out", ">out"] {
        let script = format!("\"$LOCKSTEP\" {redirected}; true");
        let ended = Setup::shell(&script).start().end();
        ended.assert(0);
        assert!(!ended.log.contains(&0x1b), "{redirected}: {}", ended.log.escape_ascii());
        assert!(ended.text.contains("lockstep run"), "{redirected}: {}", ended.text);
    }
}

#[test]
fn a_dumb_terminal_is_refused_in_plain_words() {
    let ended = Setup::lockstep(&[]).env("TERM", "dumb").size(200, 5).start().end();
    ended.assert(2);
    assert!(!ended.log.contains(&0x1b), "{}", ended.log.escape_ascii());
    assert!(ended.text.contains("--plain"), "{}", ended.text);
    assert_eq!(ended.text.trim().lines().count(), 1, "{}", ended.text);
}
