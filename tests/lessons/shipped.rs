//! The lessons that the program carries: clean, playable, and true.

use lockstep::lab::Lab;
use lockstep::lesson::answers::{self, Answers};
use lockstep::lesson::grade::{Graded, Grader, Wanted};
use lockstep::lesson::mark::{CLOSED, CORRECT, NOT_YET};
use lockstep::lesson::{Answered, Learner, Lesson, Library, Next, QuestionView, author, lint};
use lockstep::model::Config;
use lockstep::sim::view::{Mutex, Order, Progress};
use std::sync::Arc;

fn lessons() -> Vec<Arc<Lesson>> {
    let library = Library::embedded();
    let one =
        |s: &lockstep::lesson::load::LessonEntry| s.lesson().unwrap_or_else(|b| panic!("{b}"));
    library.shelved().iter().map(one).collect()
}

fn verdict(learner: &mut Learner, lab: &mut Lab, answer: &str) -> (bool, Vec<String>) {
    match learner.answer(lab, answer) {
        Answered::Verdict { right, lines } => (right, lines),
        other => panic!("{answer} gets a verdict, not {other:?}"),
    }
}

/// Goes on until a question is open; none: the lesson is finished.
fn to_question(learner: &mut Learner, lab: &mut Lab) -> Option<QuestionView> {
    loop {
        match learner.next(lab) {
            Next::Blocked => return learner.question(),
            Next::Finished => return None,
            Next::Played(_) | Next::Turned => {}
            Next::Returned => panic!("nobody explores here"),
        }
    }
}

/// The keys of a lesson, as its own grading tells them.
fn keys(lesson: &Arc<Lesson>) -> Vec<(String, String)> {
    let answers = Answers::read("a.yaml", answers::blank(lesson).as_bytes()).expect("it is whole");
    let wanted = Wanted { solutions: true, ..Wanted::default() };
    let grader = Grader::new(Arc::clone(lesson)).expect("a shipped lesson has a cluster");
    let report = grader.grade(&answers, &wanted).expect("the answers are to this lesson");
    let key = |test: &Graded| {
        let solution = test.solution.as_ref().expect("solutions were asked for");
        (test.id.clone(), solution.expected.clone())
    };
    report.tests.iter().map(key).collect()
}

/// The right answer to the open question.
fn right_answer(keys: &[(String, String)], question: &QuestionView) -> String {
    let key = keys.iter().find(|(id, _)| *id == question.id);
    key.unwrap_or_else(|| panic!("{} has a key", question.id)).1.clone()
}

#[test]
fn every_shipped_lesson_is_clean() {
    let found = author::lint_library(&Library::embedded());
    let found = found.iter().flat_map(|found| &found.problems);
    let found: Vec<String> = found.map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(lessons().len() >= 3);
}

#[test]
fn every_shipped_question_has_three_rungs_and_serves_an_objective() {
    for lesson in lessons() {
        for question in lesson.questions() {
            let common = question.common();
            assert_eq!(common.hints.len(), lint::RUNGS, "{}: {}", lesson.id, common.id);
            assert!(common.objective.is_some(), "{}: {}", lesson.id, common.id);
        }
        for (name, _) in &lesson.objectives {
            let serves = lesson.questions().filter(|q| q.common().objective == Some(name));
            assert!(serves.count() >= 2, "{}: {name} is asked less than twice", lesson.id);
        }
        assert!(lesson.questions().any(|q| q.kind() == "predict"), "{}", lesson.id);
    }
}

/// Case H44: the verdict's word stands first, and nothing else judges.
#[test]
fn every_shipped_lesson_can_be_played_to_its_end_by_right_answers() {
    for lesson in lessons() {
        let keys = keys(&lesson);
        let (mut learner, mut lab) = Learner::new(Arc::clone(&lesson)).expect("a cluster");
        while let Some(question) = to_question(&mut learner, &mut lab) {
            let answer = right_answer(&keys, &question);
            let (right, lines) = verdict(&mut learner, &mut lab, &answer);
            assert!(right, "{}: {answer}: {lines:?}", question.id);
            let judged = lesson.questions().any(|q| q.common().id == question.id && q.graded());
            assert_eq!(lines[0].starts_with(CORRECT), judged, "{lines:?}");
            let all = lines.join("\n").to_lowercase();
            for word in [NOT_YET, CLOSED, "wrong", "incorrect", "not it"] {
                assert!(!all.contains(&word.to_lowercase()), "{word}: {lines:?}");
            }
        }
        assert!(learner.finished(), "{}", lesson.id);
        let (earned, possible) = learner.score();
        let points: u32 = lesson.questions().map(|q| q.common().points).sum();
        assert_eq!((earned, possible), (f64::from(points), f64::from(points)), "{}", lesson.id);
    }
}

#[test]
fn every_wrong_answer_has_an_explanation_of_its_own() {
    for lesson in lessons() {
        let keys = keys(&lesson);
        let (mut learner, mut lab) = Learner::new(Arc::clone(&lesson)).expect("a cluster");
        while let Some(question) = to_question(&mut learner, &mut lab) {
            let right = right_answer(&keys, &question);
            let mut texts: Vec<String> = Vec::new();
            let asked = lesson.questions().find(|q| q.common().id == question.id);
            let kind = asked.expect("the lesson asks it").kind();
            let single = ["choice", "predict"].contains(&kind);
            for pick in question.picks.iter().filter(|p| single && p.id != right) {
                if learner.question().is_some_and(|q| q.state.closed()) {
                    break;
                }
                let (passed, lines) = verdict(&mut learner, &mut lab, &pick.id);
                let closed = learner.question().is_none_or(|q| q.state.closed());
                let first = if closed { CLOSED } else { NOT_YET };
                assert!(!passed && lines[0].starts_with(first), "{lines:?}");
                let text = lines.join("\n");
                assert!(
                    text.len() > NOT_YET.len() + 20,
                    "{}: {} gets no reason",
                    question.id,
                    pick.id
                );
                assert!(!texts.contains(&text), "{}: the same text twice", question.id);
                texts.push(text);
            }
            if learner.question().is_some_and(|q| !q.state.closed()) {
                verdict(&mut learner, &mut lab, &right);
            }
        }
        assert!(learner.finished());
    }
}

#[test]
fn every_shipped_lesson_can_be_walked_back_and_forth() {
    for lesson in lessons() {
        let (mut learner, mut lab) = Learner::new(Arc::clone(&lesson)).expect("a cluster");
        while to_question(&mut learner, &mut lab).is_some() {
            learner.show_solution(&mut lab).expect("every shipped solution can be seen");
        }
        let seen = |learner: &Learner, lab: &Lab| {
            assert!(!learner.exploring(lab));
            format!("{:?}{}{:?}", learner.moment(), lab.state().digest(), lab.state().view())
        };
        let mut there = vec![seen(&learner, &lab)];
        while learner.back(&mut lab) {
            there.push(seen(&learner, &lab));
        }
        assert_eq!(there.len(), learner.trail().len());
        for wanted in there.iter().rev().skip(1) {
            learner.next(&mut lab);
            assert_eq!(&seen(&learner, &lab), wanted, "{}", lesson.id);
        }
        assert_eq!(learner.score().0, 0.0, "what was shown earns nothing");
    }
}

#[test]
fn a_worksheet_holds_no_key_unless_it_is_asked_for() {
    for lesson in lessons() {
        let blank = crate::lessons::paper(&lesson, false);
        let solved = crate::lessons::paper(&lesson, true);
        let lab = lesson.lab().expect("a cluster");
        for question in lesson.questions().filter(|q| q.kind() == "choice") {
            let right = question.reference(lab.state());
            let reason = question.check(&right, lab.state()).lines[0].clone();
            assert!(!blank.contains(&reason), "{}", lesson.id);
            assert!(solved.contains(&reason), "{}", lesson.id);
            assert!(blank.contains(&question.common().prompt.trim().replace("**", "*")));
        }
        assert!(!blank.contains("Answer:") && solved.contains("Answer:"));
    }
}

fn lab(algorithm: &str, clocks: &[u32], schedule: &str) -> Lab {
    let config = Config { clocks: clocks.to_vec(), ..Config::new(algorithm, 3) };
    let mut lab = Lab::new(config).expect("a cluster");
    lab.play_schedule(schedule).expect("every event is enabled");
    lab
}

/// The stamps of what was sent, in order.
fn stamps(lab: &Lab) -> Vec<(String, u32)> {
    let records = lab.history().records(lab.history().cursor());
    let sent = records.iter().flat_map(|r| &r.sent);
    sent.filter_map(|s| Some((s.id.show(&lab.setup().names), s.label.stamp?.clock))).collect()
}

/// What lesson 4 says of the diagram, and of three clocks that begin at 0.
#[test]
fn the_diagrams_stamps_depend_on_the_third_clock() {
    let run = "request P1; deliver P1>P2; deliver P1>P3; deliver P2>P1; deliver P3>P1; exit P1";
    let clocks = |clocks: &[u32]| {
        let lab = lab("lamport", clocks, run);
        assert_eq!(lab.history().records(lab.history().cursor())[4].entered.map(|n| n.0), Some(0));
        stamps(&lab).into_iter().map(|(_, clock)| clock).collect::<Vec<_>>()
    };
    assert_eq!(clocks(&[0, 0, 2]), [1, 1, 2, 3, 4, 4]);
    assert_eq!(clocks(&[0, 0, 0])[..4], [1, 1, 2, 2], "both ACKs carry the same value");
}

/// What lesson 9 says of every order of deliveries.
#[test]
fn in_the_race_the_older_request_enters_first_whatever_is_delivered_when() {
    use lockstep::sim::{Policy, SplitMix64};
    for seed in 0..300 {
        let mut lab = lab("ricart-agrawala", &[4, 2], "request P1; request P2");
        lab.run_on(&mut Policy::Seeded(SplitMix64::new(seed)), None);
        let records = lab.history().records(lab.history().cursor());
        let entered: Vec<u8> = records.iter().filter_map(|r| r.entered).map(|n| n.0).collect();
        assert_eq!(entered, [1, 0], "seed {seed}");
        assert_eq!(lab.state().view().total_messages(), 8);
        let defers = records.iter().filter(|r| r.outcomes.contains(&"defer"));
        assert!(defers.clone().all(|r| r.node.map(|n| n.0) == Some(1)), "only P2 defers");
        assert_eq!(defers.count(), 1);
    }
}

/// What lesson 3 says at its end, and of the crash of another node.
#[test]
fn the_coordinators_crash_stops_everybody_and_an_idle_clients_nobody() {
    let lesson = Library::embedded().open("central-coordinator").expect("a lesson");
    let (mut learner, mut lab) = Learner::new(lesson).expect("a cluster");
    while to_question(&mut learner, &mut lab).is_some() {
        learner.show_solution(&mut lab).expect("every shipped solution can be seen");
    }
    let lamps = lab.state().lamps();
    assert!(matches!(lamps.progress, Progress::Stuck { .. }), "{lamps:?}");
    assert_eq!((lamps.mutex, lamps.order), (Mutex::Ok, Order::NotPromised));
    let idle = self::lab(
        "central",
        &[],
        "crash P3; request P1; deliver P1>C; deliver C>P1; exit P1; deliver P1>C",
    );
    assert_eq!(idle.state().view().exits, [1, 0, 0]);
    let waiter =
        self::lab("central", &[], "request P1; crash P1; deliver P1>C; request P2; deliver P2>C");
    let mut waiter = waiter;
    waiter.play_schedule("deliver C>P1").expect("the GRANT is in flight");
    assert!(matches!(waiter.state().lamps().progress, Progress::Stuck { .. }));
}
