//! Runs and lessons that come by the command line or by the standard input, and a run that is copied.

use crate::program::lockstep;
use crate::screen::Seen;
use crate::support::Setup;
use lockstep::lab::Lab;
use lockstep::model::Config;
use lockstep::ui::{Flow, Input, Key};
use std::process::Output;

const LINE: &str = "lamport; nodes=P1,P2,P3; request P1; deliver P1>P2; deliver P1>P3";

const LESSON: &str = "\
lesson: 1
id: sent
title: A lesson that was sent
about: It came by a pipe.
cluster: {algorithm: lamport}
steps:
  - say: Somebody sent this.
    run: [request P1]
";

fn feed(args: &[&str], input: &str) -> Output {
    lockstep(args).feed(input)
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_run_by_a_pipe_is_the_run_of_the_command_line_however_a_chat_has_dressed_it() {
    let wanted = told(&feed(&["run", LINE], ""));
    assert_eq!(wanted.0, Some(0), "{}", wanted.2);
    let wrapped = LINE.replace("; ", ";\n> ");
    for text in [
        format!("{LINE}\n"),
        format!("`{LINE}`"),
        format!("\u{feff}“{}”\r\n", LINE.replace('>', "–>")),
        format!("> ```\n> {wrapped}\n> ```\n"),
        LINE.replace(' ', "\n"),
    ] {
        assert_eq!(told(&feed(&["run", "-"], &text)), wanted, "{text}");
    }
    for format in ["svg", "yaml"] {
        let by_word = told(&feed(&["export", LINE, "-f", format], ""));
        assert_eq!(told(&feed(&["export", "-", "-f", format], LINE)), by_word, "{format}");
    }
    let begun = "ricart-agrawala; nodes=P1,P2; crash P2; request P1";
    let (status, found, _) = told(&feed(&["check", "-"], begun));
    assert_eq!(status, Some(1));
    let replay = found.lines().find(|line| line.contains("lockstep run")).expect("a command");
    assert!(replay.contains("\"ricart-agrawala; nodes=P1,P2; crash P2; request P1"), "{replay}");
}

#[test]
fn a_lesson_by_a_pipe_is_played_and_its_faults_are_told_with_their_places() {
    let (status, text, error) = told(&feed(&["run", "-"], LESSON));
    assert_eq!(status, Some(0), "{error}");
    assert!(text.contains("P1 asks"), "{text}");
    let (status, _, error) = told(&feed(&["run", "-"], &LESSON.replace("[request", "[reqest")));
    assert_eq!(status, Some(3));
    assert!(error.contains("the standard input:8:"), "{error}");
}

#[test]
fn what_is_no_run_is_refused_in_words_with_its_place() {
    for (text, place, why) in [
        ("lamport; request P1; deliver P1>P9", "column 33:", "no node `P9`"),
        ("lamport\nrequest P1\nexit P1\n", "line 3, column 1:", "P1 is still waiting"),
        ("", "the standard input:", "there is no run in it"),
        ("Hello, try this!", "column 1:", "no algorithm is called"),
    ] {
        let (status, out, error) = told(&feed(&["run", "-"], text));
        assert_eq!((status, out.as_str()), (Some(2), ""), "{text}: {error}");
        assert!(error.contains(place) && error.contains(why), "{text}: {error}");
    }
    let (status, _, error) = told(&feed(&["run", "-", "--schedule", "-"], LINE));
    assert_eq!(status, Some(2));
    assert!(error.contains("not both"), "{error}");
    let (status, _, error) = told(&feed(&["run", "-", "-n", "2"], LINE));
    assert_eq!(status, Some(2));
    assert!(error.contains("--nodes: a run brings its own cluster"), "{error}");
}

#[test]
fn a_clock_value_that_is_none_is_named_and_no_option_is_guessed() {
    let (status, _, error) = told(&feed(&["run", "lamport", "--clocks", "-1,a,0"], ""));
    assert_eq!(status, Some(2));
    assert!(error.contains("`-1` is no clock value: it is 0 or more"), "{error}");
    assert!(!error.contains("tip:"), "{error}");
    assert_eq!(told(&feed(&["run", "lamport", "--clocks", "1,0", "--seed", "7"], "")).0, Some(0));
}

#[test]
fn a_run_opens_at_its_end_and_can_be_taken_back() {
    for args in [vec!["learn", LINE], vec!["play", LINE]] {
        let mut tui = Setup::lockstep(&args).start();
        tui.wait_for("the last step", |screen| {
            screen.contents().contains("the end of a run of 3 steps")
        });
        tui.send("\x1b[D");
        tui.wait_for("the step before", |screen| screen.contents().contains("step 2/3"));
        tui.send("qq");
        tui.end().assert(0);
    }
}

#[test]
fn with_a_pipe_at_its_input_it_takes_keys_from_the_terminal() {
    for (text, wanted) in [(LINE, "the end of a run of 3 steps"), (LESSON, "Somebody sent this.")] {
        let script = format!("printf '%s' '{text}' | \"$LOCKSTEP\" learn -");
        let mut tui = Setup::shell(&script).start();
        tui.wait_for("what was sent", |screen| screen.contents().contains(wanted));
        tui.send("?");
        tui.wait_for("the help", |screen| !screen.contents().contains(wanted));
        tui.send("\x03");
        tui.end().assert(0);
    }
    let script = format!("printf '%s' '{LINE}' | \"$LOCKSTEP\" --plain learn -");
    let mut tui = Setup::shell(&script).start();
    tui.wait_for_text("Free play");
    tui.send("back\r");
    tui.wait_for_text("After step 2");
    tui.send("quit\r");
    tui.end().assert(0);
}

#[test]
fn without_a_terminal_for_keys_one_line_says_so() {
    for plain in ["", "--plain"] {
        let script = format!("printf '%s' '{LINE}' | setsid -w \"$LOCKSTEP\" {plain} learn -");
        let ended = Setup::shell(&script).size(240, 10).start().end();
        ended.assert(2);
        assert!(!ended.log.contains(&0x1b), "{}", ended.log.escape_ascii());
        let lines: Vec<&str> = ended.text.lines().filter(|l| !l.trim().is_empty()).collect();
        assert_eq!(lines.len(), 1, "{}", ended.text);
        assert!(lines[0].contains("there is no terminal to take"), "{}", ended.text);
    }
}

/// The rows of the sheet, page by page, as somebody selects them.
fn selected(seen: &mut Seen, width: u16, height: u16) -> String {
    let mut all = Vec::new();
    loop {
        let drawn = seen.at(width, height);
        let rows: Vec<String> =
            (1..usize::from(height) - 1).map(|y| drawn.row(y).trim_end().to_owned()).collect();
        let last = drawn.row(usize::from(height) - 1);
        let new = all.len().saturating_sub(rows.len());
        let overlap = (0..=rows.len()).rev().find(|n| all[new..].ends_with(&rows[..*n]));
        all.extend_from_slice(&rows[overlap.unwrap_or(0)..]);
        if !last.contains("more lines") {
            return all.join("\n");
        }
        seen.press("PageDown");
    }
}

#[test]
fn the_copied_line_is_shown_whole_with_nothing_beside_it_and_what_is_selected_reads_back() {
    for (seed, steps) in [(1, 9), (2, 400)] {
        let mut lab = Lab::new(Config::new("maekawa", 7)).expect("the settings fit");
        let mut random = lockstep::sim::SplitMix64::new(seed);
        for _ in 0..steps {
            let usual = |e: &lockstep::model::Event| {
                use lockstep::model::Event::{Deliver, Exit, Request};
                matches!(e, Deliver(_) | Exit(_) | Request(_))
            };
            let events: Vec<_> = lab.state().enabled().into_iter().filter(usual).collect();
            lab.play(events[random.below(events.len())]).expect("it is enabled");
        }
        let line = lab.line();
        for (width, height) in [(60, 18), (80, 24), (100, 30)] {
            let again = Lab::of_line(&line).expect("it reads back");
            let mut seen = Seen::of_lab(again);
            seen.press("e");
            let copied = seen.input(Input::Key(Key::Char('1')));
            assert_eq!(copied, Flow::Copy(line.clone()));
            let rows = selected(&mut seen, width, height);
            assert_eq!(Lab::of_line(&rows).expect(&rows).line(), line);
        }
    }
}

#[test]
fn in_every_multiplexer_the_line_is_shown_beside_being_copied() {
    for (term, variable) in [
        ("screen-256color", Some(("STY", "1.tty"))),
        ("screen-256color", Some(("TMUX", "/tmp/x,1,0"))),
        ("tmux-256color", None),
        ("linux", None),
    ] {
        let mut setup = Setup::lockstep(&["learn", LINE]).env("TERM", term);
        if let Some((name, value)) = variable {
            setup = setup.env(name, value);
        }
        let mut tui = setup.start();
        tui.wait_for("the last step", |screen| {
            screen.contents().contains("the end of a run of 3 steps")
        });
        tui.send("e1");
        let shown =
            tui.wait_for("the line", |screen| screen.contents().contains("lamport; nodes="));
        assert!(shown.contents().contains("deliver P1>P3"), "{}", shown.contents());
        tui.send("\x1b");
        tui.wait_for("the panels", |screen| screen.contents().contains("In flight"));
        tui.send("\x03");
        let ended = tui.end();
        ended.assert(0);
        let wrapped = ended.log.windows(7).any(|bytes| bytes == b"\x1bP\x1b]52;");
        assert_eq!(wrapped, variable.is_some_and(|(name, _)| name == "STY"), "{term}");
    }
}
