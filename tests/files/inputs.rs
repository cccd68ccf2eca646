//! Small inputs that once went wrong: each is read as what it says, or refused in words.

use super::{folder, lockstep, told};
use crate::screen::Seen;
use lockstep::lab::Lab;
use lockstep::ui::Input;
use std::fs;

#[test]
fn a_run_whose_node_is_called_by_a_number_reads_back_as_itself() {
    for line in [include_str!("../inputs/run-line-1.txt"), include_str!("../inputs/run-line-2.txt")]
    {
        let lab = Lab::of_line(line).expect("one node with a name");
        let again = Lab::of_line(&lab.line()).expect("what we write is read");
        assert_eq!(again.config(), lab.config(), "{line}");
    }
}

#[test]
fn more_copies_than_letters_have_names_of_their_own() {
    let folder = folder();
    let copies = include_str!("../inputs/copies-28.yaml");
    fs::write(folder.path().join("copies.yaml"), copies).expect("a file of the test");
    let exported =
        lockstep(folder.path(), &["export", "copies.yaml", "-f", "yaml", "-o", "again.yaml"], b"");
    assert_eq!(exported.status.code(), Some(0), "{}", told(&exported));
    let run = |file: &str| told(&lockstep(folder.path(), &["run", file], b""));
    assert_eq!(run("again.yaml"), run("copies.yaml"));
    assert!(run("again.yaml").contains("#1aa"), "{}", run("again.yaml"));
    let mut lab = Lab::of_line("ricart-agrawala; nodes=P1,P2; channels=any-order; request P1")
        .expect("a run");
    let made = (0..300).take_while(|_| lab.play_schedule("duplicate P1>P2").is_ok()).count();
    assert_eq!(made, 255, "then there are no names left, which is said and no panic");
    lab.play_schedule("deliver P1>P2#1iv; deliver P1>P2#1z; deliver P1>P2#1aa")
        .expect("each has a name");
    assert_eq!(Lab::of_line(&lab.line()).expect("it reads back").line(), lab.line());
}

#[test]
fn a_typed_number_of_nodes_takes_no_memory_before_it_is_judged() {
    let folder = folder();
    let run = lockstep(folder.path(), &["--plain"], include_bytes!("../inputs/plain-abort.txt"));
    assert_eq!(run.status.code(), Some(0), "{}", told(&run));
    assert!(told(&run).contains("a cluster has 1 to 16 nodes"), "{}", told(&run));
}

#[test]
fn a_click_is_never_judged_by_an_older_frame() {
    // Five times Enter may open another cluster, hand in and close it, all before the next frame.
    for place in [0, 5, 6, 9] {
        for moments in 0.. {
            let mut seen = Seen::in_lesson(place);
            if !(0..moments).all(|_| seen.go_on()) {
                break;
            }
            if seen.stepper().learner().and_then(|learner| learner.question()).is_none() {
                continue;
            }
            seen.press("Enter");
            seen.at(80, 24);
            seen.press("Enter Enter Enter Enter Enter");
            for row in 0..24 {
                (0..80).step_by(3).for_each(|col| {
                    seen.input(Input::Click { col, row });
                });
            }
            seen.at(80, 24);
        }
    }
    let mut seen = Seen::free_play("lamport", 3);
    seen.press("r");
    seen.at(80, 24);
    let area = seen.at(80, 24);
    let rows = area.rows_starting_with(["1 REQUEST", "2 REQUEST"]);
    seen.press("1");
    let steps = seen.steps();
    for row in rows {
        seen.input(Input::Click { col: 70, row: row as u16 });
    }
    assert_eq!(seen.steps(), steps, "what one has not seen is not clicked");
}
