//! Grading from outside: right answers, wrong ones, and files that nobody should trust.

mod class;
mod command;
pub mod hostile;
mod marks;
mod salvage;
mod seen;
mod submitter;
pub mod xml;

use lockstep::input::Source;
use lockstep::lesson::answers::{self, Answers, Filled};
use lockstep::lesson::batch::{GradingBatch, HandedIn};
use lockstep::lesson::grade::{Grader, Outcome, Report, Status, Wanted};
use lockstep::lesson::report::WRITERS;
use lockstep::lesson::{Learner, Lesson, Library, Next, QuestionState, load};
use std::sync::Arc;

/// A small lesson whose keys are words that stand nowhere else.
const LESSON: &str = include_str!("grade/lesson.yaml");
/// All its questions answered rightly.
const RIGHT: &str = "lesson: two-asks\nanswers: {first: a, second: defer, third: reply}\n";

fn lesson(text: &str) -> Arc<Lesson> {
    let source = Source::from_text("lesson.yaml", text, "lesson").expect("it is text");
    load::checked(source).unwrap_or_else(|bad| panic!("{bad}"))
}

fn shipped() -> Vec<Arc<Lesson>> {
    let library = Library::embedded();
    let one = |s: &load::LessonEntry| s.lesson().unwrap_or_else(|bad| panic!("{bad}"));
    library.shelved().iter().map(one).chain([lesson(LESSON)]).collect()
}

fn graded(lesson: &Arc<Lesson>, text: &str, wanted: &Wanted) -> Report {
    let answers = Answers::read("a.yaml", text.as_bytes()).unwrap_or_else(|p| panic!("{p}"));
    let grader = Grader::new(Arc::clone(lesson)).expect("a checked lesson has a cluster");
    grader.grade(&answers, wanted).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// The small lesson's grades.
fn small(text: &str) -> Report {
    graded(&lesson(LESSON), text, &Wanted::default())
}

fn outcomes(report: &Report) -> Vec<Outcome> {
    report.tests.iter().map(|t| t.outcome.clone()).collect()
}

/// The keys of a lesson, as its own grading tells them when asked for solutions.
fn keys(lesson: &Arc<Lesson>) -> Filled {
    let solved = Wanted { solutions: true, ..Wanted::default() };
    let report = graded(lesson, &answers::blank(lesson), &solved);
    let key = |t: &lockstep::lesson::grade::Graded| {
        let solution = t.solution.as_ref().expect("solutions were asked for");
        (t.id.clone(), solution.expected.clone())
    };
    Filled { answers: report.tests.iter().map(key).collect(), shown: Vec::new() }
}

/// Each format's text, by its name.
fn written(files: &[HandedIn]) -> Vec<(&'static str, String)> {
    WRITERS.iter().map(|w| (w.name, w.write(files))).collect()
}

fn in_format<'t>(texts: &'t [(&'static str, String)], name: &str) -> &'t str {
    let found = texts.iter().find(|(n, _)| *n == name);
    &found.unwrap_or_else(|| panic!("there is a format {name}")).1
}

fn hand_in(texts: &[(&str, &str)], wanted: Wanted) -> Vec<HandedIn> {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("two-asks.yaml");
    std::fs::write(&path, LESSON).expect("a file for the test");
    let mut desk = GradingBatch::new(Library::folder(folder.path()).expect("a library"), wanted);
    texts.iter().map(|(name, text)| desk.take(name, Ok(text.as_bytes()))).collect()
}

/// Case H46.
#[test]
fn a_blank_file_earns_nothing_and_no_question_of_it_passes() {
    for lesson in shipped() {
        let report = graded(&lesson, &answers::blank(&lesson), &Wanted::default());
        assert!(!report.tests.is_empty(), "{}", lesson.id);
        assert!(report.tests.iter().all(|t| t.outcome == Outcome::Blank || t.score == 0.0));
        assert_eq!(report.count(Status::Passed), 0, "{}", lesson.id);
        assert_eq!(report.score().0, 0.0, "{}", lesson.id);
        assert!(report.score().1 > 0.0 && !report.passed(), "{}", lesson.id);
        assert!(report.remarks.is_empty(), "{}: {:?}", lesson.id, report.remarks);
    }
}

#[test]
fn a_blank_file_tells_every_prompt_and_every_option_in_comments() {
    for lesson in shipped() {
        let text = answers::blank(&lesson);
        let comments: Vec<&str> = text
            .lines()
            .filter_map(|l| l.trim_start().strip_prefix('#'))
            .flat_map(str::split_whitespace)
            .collect();
        let comments = comments.join(" ");
        let words = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
        for question in lesson.questions() {
            let common = question.common();
            assert!(comments.contains(&words(common.prompt)), "{}: {text}", common.id);
            for pick in question.picks() {
                assert!(comments.contains(&words(&pick.text)), "{}: {text}", common.id);
            }
            assert!(text.contains(&format!("\n  {}:", common.id)), "{}: {text}", common.id);
        }
        let answers = Answers::read("a.yaml", text.as_bytes()).expect("it reads back");
        assert_eq!(answers.lesson.as_deref(), Some(lesson.id.as_str()));
        assert_eq!(answers.who, None);
        let ids: Vec<&str> = lesson.questions().map(|q| q.common().id).collect();
        let order: Vec<&str> = answers.answers.keys().map(AsRef::as_ref).collect();
        assert_eq!(order, ids, "the order of the lesson");
    }
}

#[test]
fn every_key_passes_in_a_file() {
    for lesson in shipped() {
        let text = answers::filled(&lesson, &keys(&lesson));
        let report = graded(&lesson, &text, &Wanted::default());
        assert!(report.passed(), "{}: {:?}", lesson.id, outcomes(&report));
        let (score, max) = report.score();
        assert!((score - max).abs() < 1e-9, "{}: {score} of {max}", lesson.id);
    }
}

#[test]
fn whoever_leaves_only_what_a_person_marks_passes() {
    let every = lesson(include_str!("answering/types.yaml"));
    let mut filled = keys(&every);
    let by_hand = |report: &Report| {
        let tests = report.tests.iter().filter(|t| t.outcome == Outcome::ByHand);
        tests.map(|t| (t.id.clone(), t.actual.is_some())).collect::<Vec<_>>()
    };
    let grade =
        |filled: &Filled| graded(&every, &answers::filled(&every, filled), &Wanted::default());
    let answered = grade(&filled);
    assert!(answered.passed());
    let ids = by_hand(&answered);
    assert!(!ids.is_empty() && ids.iter().all(|(_, answered)| *answered));
    let marked = |id: &String| ids.iter().any(|(by_hand, _)| by_hand == id);
    filled.answers = filled.answers.into_iter().filter(|(id, _)| !marked(id)).collect();
    let left = grade(&filled);
    assert!(left.passed() && left.count(Status::Failed) == 0);
    assert_eq!(left.score(), answered.score());
    assert!(by_hand(&left).iter().all(|(_, answered)| !answered));
    let test = left.tests.iter().find(|t| t.id == ids[0].0).expect("it is in both");
    assert_eq!(test.message(), "Not answered; marked by hand.");
}

#[test]
fn every_single_wrong_answer_fails_its_question_and_no_other() {
    for lesson in shipped() {
        let right = keys(&lesson);
        for question in lesson.questions() {
            let id = question.common().id;
            let key = right.answers.get(id).expect("every question has a key");
            for pick in question.picks().iter().filter(|p| p.id != *key).take(2) {
                let mut filled = right.clone();
                filled.answers.get_mut(id).expect("as above").clone_from(&pick.id);
                let text = answers::filled(&lesson, &filled);
                let report = graded(&lesson, &text, &Wanted::default());
                for test in report.tests.iter().filter(|t| t.outcome != Outcome::ByHand) {
                    let met = !test.after.iter().any(|a| a == id);
                    assert_eq!(
                        test.status() == Status::Passed,
                        test.id != id && met,
                        "{}",
                        test.id
                    );
                }
            }
        }
    }
}

#[test]
fn a_predicted_event_happens_whatever_was_answered() {
    let wrong = small("lesson: two-asks\nanswers: {first: a, second: reply, third: reply}\n");
    assert_eq!(outcomes(&wrong), [Outcome::Right, Outcome::Wrong, Outcome::Right]);
    let left = small("lesson: two-asks\nanswers: {first: a, third: reply}\n");
    assert_eq!(outcomes(&left), [Outcome::Right, Outcome::Blank, Outcome::Right]);
}

#[test]
fn a_question_whose_condition_is_not_met_is_skipped_and_not_failed() {
    let report = small("lesson: two-asks\nanswers: {first: b, second: defer, third: reply}\n");
    let skipped = Outcome::Skipped(vec!["first".to_owned()]);
    assert_eq!(outcomes(&report), [Outcome::Wrong, Outcome::Right, skipped]);
    assert_eq!((report.score(), report.passed()), ((1.0, 4.0), false));
}

#[test]
fn a_shown_solution_earns_nothing_and_is_no_condition_met() {
    let report = small(&format!("{RIGHT}shown: [first]\n"));
    let skipped = Outcome::Skipped(vec!["first".to_owned()]);
    assert_eq!(outcomes(&report), [Outcome::Shown, Outcome::Right, skipped]);
    assert_eq!(report.score(), (1.0, 4.0));
}

#[test]
fn points_count_and_answers_are_read_in_all_their_forms() {
    for first in ["a", "A)", "1", "seven", "'key text'", "\"KEYTEXT & <P2>\""] {
        let text = format!("lesson: two-asks\nanswers:\n  first: {first}\n");
        let readable = first != "'key text'";
        assert_eq!(small(&text).score(), (if readable { 2.0 } else { 0.0 }, 4.0), "{first}");
    }
    let report = small("lesson: two-asks\nanswers: {second: ' Deferred '}\n");
    assert_eq!(report.tests[1].outcome, Outcome::Right);
}

#[test]
fn what_cannot_be_read_as_an_answer_gets_a_hint_on_its_form() {
    let report = small("lesson: two-asks\nanswers: {first: [x, y], second: {P1: 3}}\n");
    let hint = "Answer with one of the letters a to c, or its number.";
    assert_eq!(report.tests[0].outcome, Outcome::Form(hint.to_owned()));
    assert_eq!(report.tests[0].actual.as_deref(), Some("x\ny"));
    assert_eq!(report.tests[1].actual.as_deref(), Some("P1: 3"));
}

#[test]
fn an_answer_under_a_name_that_no_question_has_is_told() {
    let report = small("lesson: two-asks\nanswers: {frist: a}\nshown: [zzz]\n");
    assert_eq!(
        report.remarks,
        [
            "`frist` is no question of this lesson; did you mean `first`?",
            "`zzz` is no question of this lesson"
        ]
    );
}

#[test]
fn one_question_can_be_graded_alone_with_its_conditions() {
    let only = |id: &str| Wanted { question: Some(id.to_owned()), ..Wanted::default() };
    let lesson = lesson(LESSON);
    let report = graded(&lesson, RIGHT, &only("third"));
    assert_eq!((outcomes(&report), report.score()), (vec![Outcome::Right], (1.0, 1.0)));
    let unmet = "lesson: two-asks\nanswers: {third: reply}\n";
    let report = graded(&lesson, unmet, &only("third"));
    assert_eq!(report.count(Status::Skipped), 1);
    let answers = Answers::read("a.yaml", RIGHT.as_bytes()).expect("it reads");
    let grader = Grader::new(lesson).expect("a cluster");
    let refusal = grader.grade(&answers, &only("thrid")).expect_err("there is none");
    assert_eq!(refusal.message, "`thrid` is no question of `two-asks`; did you mean `third`?");
}

#[test]
fn no_key_is_printed_unless_it_is_asked_for() {
    let wrong = "lesson: two-asks\nanswers: {first: b, second: reply, third: defer}\n";
    let blank = answers::blank(&lesson(LESSON));
    let mixed = "lesson: two-asks\nanswers: {first: zzz}\nshown: [second]\n";
    let secrets = ["seven", "KEYTEXT", "SAYRIGHT", "SAYWRONG", "EXPLAINED", "HINTTWO", "HINTTHREE"];
    for text in [wrong, &blank, mixed] {
        for batch in [vec![("a.yaml", text)], vec![("a.yaml", text), ("b.yaml", text)]] {
            for (format, shown) in written(&hand_in(&batch, Wanted::default())) {
                for secret in secrets.iter().chain(&["defer"]).filter(|s| !text.contains(**s)) {
                    assert!(!shown.contains(secret), "{format} tells {secret}: {shown}");
                }
            }
        }
        let solved = Wanted { solutions: true, ..Wanted::default() };
        for (format, shown) in written(&hand_in(&[("a.yaml", text)], solved)) {
            if format == "csv" {
                continue; // a gradebook holds points alone
            }
            for told in ["KEYTEXT", "SAYRIGHT", "EXPLAINED"] {
                assert!(shown.contains(told), "{format} does not tell {told}: {shown}");
            }
        }
    }
}

#[test]
fn a_gradebook_has_a_line_a_file_and_a_column_a_question() {
    let some =
        "lesson: two-asks\nwho: '=HYPERLINK(\"x\"), Bo'\nanswers: {first: a, second: reply}\n";
    let files = [("a.yaml", RIGHT), ("-b,.yaml", some), ("c.yaml", "lesson: [")];
    let texts = written(&hand_in(&files, Wanted::default()));
    let lines: Vec<&str> = in_format(&texts, "csv").lines().collect();
    assert_eq!(lines[0], "file,who,lesson,status,score,max_score,message,first,second,third");
    assert_eq!(lines[1], "a.yaml,,two-asks,pass,4,4,,2,1,1");
    let cells = "\"'-b,.yaml\",\"'=HYPERLINK(\"\"x\"\"), Bo\",two-asks,fail,2,4,,2,0,0";
    assert_eq!(lines[2], cells);
    assert!(lines[3].starts_with("c.yaml,,,error,0,0,"), "{}", lines[3]);
    assert_eq!(lines.len(), 4);
}

/// Course systems take another sum than the assignment's for a fault.
#[test]
fn answers_that_are_refused_count_with_the_points_of_the_lesson() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("whole.yaml");
    std::fs::write(&path, LESSON).expect("a file for the test");
    let name = path.to_str().expect("a name");
    for (only, max) in [(None, 4.0), (Some("first"), 2.0)] {
        let wanted = Wanted { question: only.map(str::to_owned), ..Wanted::default() };
        let mut desk = GradingBatch::for_lesson(Library::embedded(), name, wanted);
        let files = [desk.take("a.yaml", Ok("lesson: [".as_bytes()))];
        let texts = written(&files);
        let results = hostile::gradescope(in_format(&texts, "gradescope"));
        let tests = results["tests"].as_array().expect("a list");
        let sum: f64 = tests.iter().filter_map(|t| t["max_score"].as_f64()).sum();
        assert_eq!(sum, max);
        let json: serde_json::Value =
            serde_json::from_str(in_format(&texts, "json")).expect("JSON");
        assert_eq!((&json["score"], &json["max_score"]), (&0.0.into(), &max.into()));
    }
}

/// The answers of the screen, saved as a file, are worth the same.
#[test]
fn the_screens_answers_grade_the_same_in_a_file() {
    for lesson in shipped() {
        let right = keys(&lesson);
        for pattern in 0..6_usize {
            let (mut learner, mut lab) = Learner::new(Arc::clone(&lesson)).expect("a cluster");
            let mut n = pattern;
            loop {
                match learner.next(&mut lab) {
                    Next::Finished => break,
                    Next::Blocked => {}
                    _ => continue,
                }
                let question = learner.question().expect("it blocks");
                let key = right.answers.get(question.id.as_str()).expect("it has a key").clone();
                let wrong = question.picks.iter().map(|p| p.id.clone()).find(|id| *id != key);
                n += 1;
                match (n % 3, wrong) {
                    (0, Some(wrong)) => {
                        learner.answer(&mut lab, &wrong);
                    }
                    (1, _) => {
                        learner.show_solution(&mut lab).expect("it can be seen");
                    }
                    _ => {}
                }
                learner.answer(&mut lab, &key);
            }
            let text = answers::filled(&lesson, &learner.filled());
            let report = graded(&lesson, &text, &Wanted::default());
            for test in report.tests.iter().filter(|t| t.outcome != Outcome::ByHand) {
                let state = learner.state_of(&test.id).expect("the lesson asks it");
                let right = matches!(state, QuestionState::Right);
                assert_eq!(test.status() == Status::Passed, right, "{}: {text}", test.id);
                let skipped = matches!(state, QuestionState::Skipped);
                assert_eq!(test.status() == Status::Skipped, skipped, "{}: {text}", test.id);
            }
        }
    }
}
