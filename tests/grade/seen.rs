//! A lesson that changes after its answers files were given out: a letter means what stood there then.

use super::{LESSON, Outcome, Status, Wanted, answers, graded, keys, lesson, outcomes, shipped};
use lockstep::lesson::strip;

const SEVEN: &str = "        seven: {text: \"KEYTEXT & <P2>\", right: true, say: SAYRIGHT}\n";
const EIGHT: &str = "        eight: {text: P1, say: SAYWRONG}\n";
const NINE: &str = "        nine: {text: \"nobody\", say: SAYWRONG}\n";

/// The file that was given out, with this answer to the first question.
fn handed_out(answer: &str) -> String {
    answers::blank(&lesson(LESSON)).replace("  first:\n", &format!("  first: {answer}\n"))
}

/// What the first answer comes to in a lesson as it is now, and what is said of the file.
fn now(text: &str, file: &str) -> (Outcome, Vec<String>) {
    let report = graded(&lesson(text), file, &Wanted::default());
    (outcomes(&report).swap_remove(0), report.remarks)
}

#[test]
fn a_letter_means_the_option_that_stood_there_when_the_file_was_made() {
    let moved = LESSON.replace(&[SEVEN, EIGHT].concat(), &[EIGHT, SEVEN].concat());
    assert_ne!(moved, LESSON);
    for answer in ["a", "1", "seven", "A)"] {
        let (outcome, remarks) = now(&moved, &handed_out(answer));
        assert_eq!(outcome, Outcome::Right, "{answer}");
        assert!(remarks.len() == 1 && remarks[0].contains("`first` has changed"), "{remarks:?}");
    }
    assert_eq!(now(&moved, &handed_out("b")).0, Outcome::Wrong);
    let slip = handed_out("a").replace("  second:\n", "  second: [\n");
    assert_eq!(
        now(&moved, &slip).0,
        Outcome::Right,
        "one slip does not change what a letter means"
    );
    let (outcome, remarks) = now(LESSON, &handed_out("a"));
    assert_eq!((outcome, remarks), (Outcome::Right, Vec::new()));
}

#[test]
fn what_is_no_longer_there_is_told_and_passes_nothing() {
    let shorter = LESSON.replace(NINE, "");
    let (outcome, _) = now(&shorter, &handed_out("c"));
    let Outcome::Unread(why) = &outcome else { panic!("{outcome:?}") };
    assert!(why.contains("no `nine` any more"), "{why}");
    assert_eq!(outcome.status(), Status::Error);
    assert_eq!(now(&shorter, &handed_out("a")).0, Outcome::Right);
}

#[test]
fn another_wording_is_told_and_graded() {
    let reworded = LESSON.replace("Who is first?", "Who was first?");
    let (outcome, remarks) = now(&reworded, &handed_out("a"));
    assert_eq!((outcome, remarks.len()), (Outcome::Right, 1));
    let other = handed_out("a").replace("seen:", "shown: []\nseen:");
    assert_eq!(now(LESSON, &other).1, Vec::<String>::new());
}

/// Who fills in the copy without keys is marked by the whole lesson as if nothing had changed.
#[test]
fn the_copy_without_keys_looks_as_the_lesson_does() {
    for whole in shipped() {
        let copy = lesson(&strip::strip(&whole));
        let right = answers::filled(&copy, &keys(&whole));
        let report = graded(&whole, &right, &Wanted::default());
        assert_eq!(report.remarks, Vec::<String>::new(), "{}", whole.id);
        assert!(report.passed(), "{}", whole.id);
    }
}
