//! What the dialogue keeps back, filters, hands on and records, and what it says when a goal is reached.

use super::{last, opened, squeeze};
use lockstep::lab::Lab;
use lockstep::lesson::{Learner, Library, load};
use lockstep::ui::glyphs::Glyphs;
use lockstep::ui::plain::Dialogue;
use std::fs;

const DRIVE: &str = "\
lesson: 1
id: driven
title: Drive
about: A goal to reach.
cluster: {algorithm: ricart-agrawala, nodes: [P1, P2]}
steps:
  - say: P1 asks.
    run: [request P1]
  - drive:
      id: in
      prompt: Let P1 enter.
      goal: in_cs(P1)
      at_most: 2
      solution: [deliver P1>P2, deliver P2>P1]
  - trace:
      id: lines
      prompt: Let P1 enter.
      goal: in_cs(P1)
      annotate: [reply, defer]
";

/// The lesson with its first question open.
fn driven() -> Dialogue {
    let lesson =
        load::reader("driven.yaml", DRIVE.as_bytes()).unwrap_or_else(|bad| panic!("{bad}"));
    let (learner, lab) = Learner::new(lesson).expect("a cluster");
    let mut dialogue = Dialogue::new(Library::embedded(), Glyphs::UNICODE);
    dialogue.open_lesson(learner, lab);
    dialogue.greet();
    dialogue.take("");
    dialogue.take("");
    dialogue
}

fn say(dialogue: &mut Dialogue, line: &str) -> String {
    squeeze(&dialogue.take(line).text)
}

#[test]
fn a_goal_that_is_reached_is_told_with_how_to_hand_it_in() {
    let mut dialogue = driven();
    let first = say(&mut dialogue, "deliver P1>P2");
    assert!(!first.contains("goal of the question"), "{first}");
    let second = say(&mut dialogue, "1");
    assert!(
        second.contains("The goal of the question holds here: 'answer played' hands in"),
        "{second}"
    );
    say(&mut dialogue, "leave P1");
    let third = say(&mut dialogue, "ask P1");
    assert!(!third.contains("holds here"), "more than the question allows: {third}");
    say(&mut dialogue, "goto 3");
    let said = say(&mut dialogue, "answer played");
    assert!(said.contains("Correct"), "{said}");

    let mut dialogue = driven();
    let said = say(&mut dialogue, "until in_cs(P1)");
    assert!(said.contains("'answer played' hands in"), "{said}");
    say(&mut dialogue, "lesson");
    say(&mut dialogue, "answer");
    say(&mut dialogue, "deliver P1>P2");
    let said = say(&mut dialogue, "deliver P2>P1");
    assert!(said.contains("The goal holds here: an empty line hands it in."), "{said}");
    assert!(say(&mut dialogue, "").contains("Correct"));
    // Words belong to the lines of the next one: what was only played cannot be handed in.
    say(&mut dialogue, "");
    say(&mut dialogue, "deliver P1>P2");
    let said = say(&mut dialogue, "deliver P2>P1");
    assert!(!said.contains("holds here"), "{said}");
}

#[test]
fn help_tells_every_way_to_answer_by_playing() {
    let help = squeeze(&last("play lamport 3", &["help"]));
    for wanted in ["'answer played'", "'answer impossible'", "hold 2:", "record my.yaml:"] {
        assert!(help.contains(wanted), "{wanted}: {help}");
    }
}

#[test]
fn a_message_that_is_kept_back_waits_until_it_is_let_go_or_delivered_by_hand() {
    let mut dialogue = opened("play ricart-agrawala 3", Glyphs::UNICODE);
    dialogue.greet();
    let said = say(&mut dialogue, "ask P1; hold 1");
    assert!(said.contains("REQUEST (1,P1) from P1 to P2, P1>P2#1, is kept back"), "{said}");
    let list = say(&mut dialogue, "flight");
    assert!(list.contains("1. REQUEST (1,P1) from P1 to P2, P1>P2#1; kept back"), "{list}");
    let said = say(&mut dialogue, "run");
    assert!(said.contains("What is still in flight is kept back"), "{said}");
    assert!(say(&mut dialogue, "").contains("kept back"));
    assert!(say(&mut dialogue, "until in_cs(P1)").contains("does not hold"));
    assert!(say(&mut dialogue, "hold 1").contains("is let go"));
    assert!(say(&mut dialogue, "").contains("P2 gets REQUEST"));
    assert!(say(&mut dialogue, "back; hold 1; 1").contains("P2 gets REQUEST"), "by its number");
    assert!(say(&mut dialogue, "hold 9").contains("There is no message 9"));
    assert!(say(&mut dialogue, "hold it").contains("Write 'hold 2'"));
}

#[test]
fn the_log_is_filtered_by_words() {
    let typed = ["ask P1; 1; 1; ask P3", "log p1 asks"];
    let said = squeeze(&last("play ricart-agrawala 3", &typed));
    assert!(said.contains("1. request P1. P1 asks") && !said.contains("2. deliver"), "{said}");
    assert!(said.contains("1 of 4 steps has this in them."), "{said}");
    let said = squeeze(&last("play ricart-agrawala 3", &["ask P1; 1", "log nowhere"]));
    assert!(said.contains("0 of 2 steps"), "{said}");
}

#[test]
fn a_run_is_printed_whole_saved_loaded_and_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    let mut dialogue = opened("play maekawa 7", Glyphs::UNICODE);
    dialogue.greet();
    dialogue.take("ask P1; ask P2; ask P3; run");
    let wanted = dialogue.lab().expect("a cluster").line();
    let text = dialogue.take("copy").text;
    assert!(text.lines().any(|line| line == wanted), "{text}");
    let run = path("my.run");
    assert!(say(&mut dialogue, &format!("save {run}")).contains("The run is in"));
    assert!(say(&mut dialogue, &format!("save {run}")).contains("is there already"));
    dialogue.take("goto start");
    let said = say(&mut dialogue, &format!("load {run}"));
    assert!(said.contains("'home' goes back") && said.contains("Free play: Maekawa"), "{said}");
    assert_eq!(dialogue.lab().expect("the run").line(), wanted);
    let said = say(&mut dialogue, "home");
    assert!(said.contains("Back at what was open before. The beginning of the run"), "{said}");
    assert_eq!(dialogue.lab().expect("a cluster").state().steps(), 0);
    assert!(say(&mut dialogue, "load nowhere.run").contains("cannot be read"));
    assert!(say(&mut dialogue, "save").contains("into which file?"));
    let svg = path("my.svg");
    say(&mut dialogue, "goto end");
    assert!(say(&mut dialogue, &format!("export svg {svg}")).contains("The run is in"));
    assert!(fs::read_to_string(&svg).expect("it was written").contains("<svg"));
    assert!(say(&mut dialogue, "export jsn x").contains("no format is called 'jsn'"));
    assert!(say(&mut dialogue, "home").contains("Lessons:"), "only what was loaded lies above");
}

#[test]
fn a_lesson_below_a_run_that_was_loaded_stands_where_it_stood() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("my.run");
    fs::write(&run, "`lamport; nodes=2;\nrequest P1`").expect("the folder is there");
    let mut dialogue = driven();
    let said = say(&mut dialogue, &format!("load {}", run.display()));
    assert!(said.contains("Free play: Lamport 1978"), "{said}");
    assert!(dialogue.learner().is_none());
    let said = say(&mut dialogue, "home");
    assert!(said.contains("Let P1 enter."), "its question again: {said}");
    say(&mut dialogue, &format!("load {}", run.display()));
    let said = say(&mut dialogue, "quit");
    assert!(said.contains("The lesson is not finished"), "{said}");
}

#[test]
fn what_was_played_is_recorded_as_a_lesson_or_as_steps() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("07-mine.yaml");
    let mut dialogue = opened("play ricart-agrawala 2", Glyphs::UNICODE);
    dialogue.greet();
    assert!(say(&mut dialogue, "record x.yaml").contains("No: nothing was played since then."));
    say(&mut dialogue, "ask P1; ask P2");
    assert!(say(&mut dialogue, "record").contains("Recording from here on"));
    say(&mut dialogue, "deliver P2>P1; deliver P1>P2; deliver P2>P1");
    let said = say(&mut dialogue, &format!("record {}", path.display()));
    for wanted in ["as a lesson that asks for in_cs(P1)", "- title and about", "lesson lint"] {
        assert!(said.contains(wanted), "{said}");
    }
    let lesson = load::file(&path).unwrap_or_else(|bad| panic!("{bad}"));
    assert_eq!((lesson.id.as_str(), lesson.steps()[0].run.len()), ("mine", 2));
    assert!(say(&mut dialogue, &format!("record {}", path.display())).contains("there already"));
    let steps = dialogue.take("record steps").text;
    assert!(steps.contains("- drive:") && steps.contains("deliver P2>P1 => defer"), "{steps}");
    say(&mut dialogue, "goto 1; ask P2; goto 1");
    assert!(say(&mut dialogue, "record y.yaml").contains("another branch"));
    assert!(say(&mut dialogue, "record").contains("Recording"));

    let mut dialogue = driven();
    say(&mut dialogue, "deliver P1>P2; deliver P2>P1");
    let steps = dialogue.take("record steps").text;
    let run = steps.find("- request P1").expect("what leads to the lesson's point");
    assert!(run < steps.find("- drive:").expect("the question"), "{steps}");
    let line = dialogue.lab().expect("a cluster").line();
    assert_eq!(Lab::of_line(&line).expect("a run").state().steps(), 3);
}
