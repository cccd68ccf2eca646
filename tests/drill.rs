//! Drills: fair questions on random runs of every algorithm, answered on the screen and on paper.

use crate::program;
use crate::screen::Seen;
use lockstep::lesson::answers::{self, Answers, Filled};
use lockstep::lesson::batch::GradingBatch;
use lockstep::lesson::drill::{self, Drill, NoDrill, Score};
use lockstep::lesson::grade::{Grader, Wanted};
use lockstep::lesson::{Answered, Learner, Lesson, Library, Next};
use lockstep::model::outcome;
use lockstep::sim::Simulation;
use lockstep::ui::plain::Dialogue;
use std::collections::BTreeSet;
use std::fs;
use std::process::Output;
use std::sync::Arc;

fn made(algorithm: &str, seed: u64, count: usize) -> Arc<Lesson> {
    let drill = Drill::new(algorithm, seed, count).expect("a drill");
    drill.lesson().unwrap_or_else(|none| panic!("{algorithm}, seed {seed}: {none}"))
}

fn keys(lesson: &Arc<Lesson>) -> Filled {
    let grader = Grader::new(Arc::clone(lesson)).expect("a cluster");
    let wanted = Wanted { solutions: true, ..Wanted::default() };
    let report = grader.grade(&Answers::default(), &wanted).expect("it is graded");
    let key = |t: &lockstep::lesson::grade::Graded| {
        (t.id.clone(), t.solution.as_ref().expect("asked for").expected.clone())
    };
    Filled { answers: report.tests.iter().map(key).collect(), shown: Vec::new() }
}

/// Each question with the state about which it is asked.
fn questions(lesson: &Lesson, mut each: impl FnMut(&str, Vec<String>, &dyn Simulation)) {
    let mut sim = lesson.lab().expect("a cluster").state().fork();
    for step in lesson.steps() {
        for event in &step.run {
            sim.step(*event).expect("every event of the run is enabled");
        }
        let question = step.question.as_deref().expect("every step asks");
        let picks = question.picks().into_iter().map(|p| p.id).collect();
        each(question.common().id, picks, sim.as_ref());
        let event = question.plays(sim.as_ref()).expect("it really happens");
        sim.step(event).expect("it is enabled");
    }
}

#[test]
fn every_question_has_exactly_one_outcome_that_occurs() {
    for entry in drill::algorithms() {
        for seed in 0..12 {
            let lesson = made(entry.info.slug, seed, 10);
            assert_eq!(lesson.questions().count(), 10, "{} {seed}", entry.info.slug);
            let mut run = lesson.lab().expect("a cluster").state().fork();
            for step in lesson.steps() {
                for event in &step.run {
                    run.step(*event).expect("enabled");
                }
                let question = step.question.as_deref().expect("it asks");
                let event = question.plays(run.as_ref()).expect("it happens");
                let record = run.step(event).expect("enabled");
                let picks = question.picks();
                let occur = picks.iter().filter(|p| record.outcomes.contains(&p.id.as_str()));
                assert_eq!(occur.count(), 1, "{} {seed}: {record:?}", entry.info.slug);
                assert!(picks.len() >= 2);
            }
        }
    }
}

#[test]
fn the_words_are_those_that_the_algorithm_declares() {
    for entry in drill::algorithms() {
        let known = entry.info.outcomes();
        questions(&made(entry.info.slug, 3, 10), |id, picks, _| {
            for word in picks {
                let declared = known.contains(&word.as_str()) || word == outcome::ENTER;
                assert!(declared, "{} {id}: {word}", entry.info.slug);
            }
        });
    }
}

#[test]
fn the_same_word_is_not_right_all_the_time() {
    for entry in drill::algorithms() {
        let mut right = BTreeSet::new();
        for seed in 0..4 {
            let lesson = made(entry.info.slug, seed, 10);
            right.extend(keys(&lesson).answers.values().cloned().collect::<Vec<_>>());
        }
        assert!(right.len() >= 2, "{}: only {right:?}", entry.info.slug);
    }
}

#[test]
fn a_seed_makes_the_same_drill_and_another_seed_another_one() {
    let text = |seed: u64| {
        let lesson = made("ricart-agrawala", seed, 10);
        lesson.document().source().text().to_owned()
    };
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}

#[test]
fn a_learner_is_told_what_the_engine_did_and_the_score_is_kept() {
    let lesson = made("ricart-agrawala", 7, 10);
    let right = keys(&lesson);
    let (mut learner, mut lab) = Learner::new(Arc::clone(&lesson)).expect("a cluster");
    let (mut answered, mut wanted) = (0, 0);
    loop {
        match learner.next(&mut lab) {
            Next::Finished => break,
            Next::Blocked => {}
            _ => continue,
        }
        let question = learner.question().expect("it stops here");
        let key = right.answers.get(question.id.as_str()).expect("a key").clone();
        let wrong = question.picks.iter().map(|p| p.id.clone()).find(|p| *p != key);
        let answer = if answered % 3 == 0 { wrong.expect("there are two") } else { key };
        wanted += usize::from(answered % 3 != 0);
        answered += 1;
        let Answered::Verdict { lines, .. } = learner.answer(&mut lab, &answer) else {
            panic!("{answer} is an answer")
        };
        let here = lab.history().record(lab.history().cursor()).expect("it happened");
        let told = lockstep::trace::narrate::sentence(here, &lab.setup().names);
        assert!(lines.contains(&told), "{lines:?}");
        let explained = learner.question().and_then(|q| q.explanation).unwrap_or_default();
        assert!(here.rules.iter().all(|(id, _)| explained.contains(id)), "{explained}");
    }
    let mut score = Score::default();
    score.add(&learner);
    assert_eq!(score, Score { right: wanted, answered });
    assert_eq!(score.to_string(), "6 of 10 right");
}

#[test]
fn an_id_names_its_drill_and_nothing_else_does() {
    let drill = Drill::new("token-ring", 42, 5).expect("a drill");
    assert_eq!(Drill::of_id(&drill.id()), Some(drill));
    for other in [
        "drill-lamport",
        "drill-lamport-1-0",
        "drill-lamport-1-101",
        "drill-lampert-1-2",
        "drill-lamport-01-2",
        "lamport-1-2",
        "drill-lamport-1-999999999999999999999",
    ] {
        assert_eq!(Drill::of_id(other), None, "{other}");
    }
    assert!(matches!(Drill::new("lamport", 1, 0), Err(NoDrill::Count(0))));
}

#[test]
fn any_desk_grades_the_answers_to_a_drill() {
    let lesson = made("maekawa", 7, 4);
    let text = answers::filled(&lesson, &keys(&lesson));
    let mut desk = GradingBatch::new(Library::embedded(), Wanted::default());
    let report = desk.take("a.yaml", Ok(text.as_bytes())).result.expect("it is graded");
    assert!(report.passed(), "{text}");
}

fn lockstep(args: &[&str]) -> Output {
    program::lockstep(args).run()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn on_paper_it_is_printed_filled_in_and_graded() {
    let print = lockstep(&["drill", "lamport", "--seed", "7", "--count", "3", "--print"]);
    assert_eq!(print.status.code(), Some(0));
    let sheet = text(&print.stdout);
    assert!(sheet.starts_with("# Drill 7: Lamport 1978"), "{sheet}");
    assert_eq!(sheet.matches("What does ").count(), 3);
    assert!(!sheet.contains("Answer:"), "no key without being asked for");
    let solved = lockstep(&["drill", "lamport", "--seed", "7", "--count", "3", "--solutions"]);
    assert_eq!(text(&solved.stdout).matches("Answer:").count(), 3);

    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("a.yaml");
    let shown = path.display().to_string();
    let blank = lockstep(&["drill", "lamport", "--seed", "7", "--count", "3", "--blank"]);
    fs::write(&path, &blank.stdout).expect("a file for the test");
    let graded = lockstep(&["drill", "--answers", &shown]);
    assert_eq!(graded.status.code(), Some(1), "{}", text(&graded.stdout));
    assert!(text(&graded.stdout).contains("0 of 3 correct"));

    let lesson = made("lamport", 7, 3);
    fs::write(&path, answers::filled(&lesson, &keys(&lesson))).expect("a file for the test");
    for args in [
        vec!["drill", "--answers", &shown],
        vec!["drill", "lamport", "--seed", "7", "--count", "3", "--answers", &shown],
        vec!["grade", &shown],
    ] {
        let graded = lockstep(&args);
        assert_eq!(graded.status.code(), Some(0), "{args:?}: {}", text(&graded.stdout));
    }
    let other = ["drill", "lamport", "--seed", "8", "--count", "3", "--answers", &shown];
    assert_eq!(lockstep(&other).status.code(), Some(2));
}

#[test]
fn bad_use_is_told() {
    for (args, wanted) in [
        (vec!["drill", "lampert", "--print"], "did you mean `lamport`?"),
        (vec!["drill", "lamport", "--count", "0", "--print"], "1 to 100 questions, not 0"),
        (vec!["drill", "clocks", "--print"], "Logical clocks has nothing to predict"),
        (vec!["drill", "--print"], "<ALGORITHM>"),
    ] {
        let run = lockstep(&args);
        assert_eq!(run.status.code(), Some(2), "{args:?}");
        assert!(text(&run.stderr).contains(wanted), "{}", text(&run.stderr));
    }
}

#[test]
fn on_the_screen_the_score_is_kept_from_drill_to_drill() {
    let mut seen = Seen::after("@Predictions Enter");
    let text = seen.at(80, 24).text();
    assert!(text.contains("Drill: say what the next event will do"), "{text}");
    assert!(text.contains("10 questions, seed 1"), "{text}");
    for round in 1..=2 {
        seen.press("2");
        let text = seen.at(80, 24).text();
        assert!(text.contains(&format!("Drill {round}: Lamp")), "{text}");
        let lesson = made("lamport", round, 10);
        let right = keys(&lesson);
        let question = lesson.questions().next().expect("it asks");
        let key = right.answers.get("q1").expect("a key");
        let place = question.picks().iter().position(|p| p.id == *key).expect("it can be picked");
        for _ in 0..lesson.steps()[0].run.len() {
            seen.press("Right");
        }
        let place = if round == 1 { place } else { (place + 1) % question.picks().len() };
        seen.press(&format!("Enter {} Enter", place + 1));
        let text = seen.at(80, 24).text();
        assert!(
            text.contains(if round == 1 { "Correct" } else { "Not so, and now closed" }),
            "{text}"
        );
        seen.press("q");
    }
    let text = seen.at(80, 24).text();
    assert!(text.contains("so far 1 of 2 right; next: 10 questions, seed 3"), "{text}");
    seen.press("Esc");
    assert!(seen.at(80, 24).text().contains("Lockstep  distributed"), "back at Home");
}

#[test]
fn in_lines_the_score_is_told_on_leaving() {
    let glyphs = lockstep::ui::theme::Glyphs::UNICODE;
    let mut dialogue = Dialogue::new(Library::embedded(), glyphs);
    let home = dialogue.greet();
    assert!(home.contains("'drill' and the name of an algorithm"), "{home}");
    let mut take = |line: &str| dialogue.take(line).text;
    assert!(take("drill").contains("'drill' and one of these: central, lamport"));
    assert!(take("drill clocks").contains("No: Logical clocks has nothing to predict."));
    assert!(take("drill lampert").contains("did you mean 'lamport'?"));
    assert!(take("drill lamport x").contains("a seed is a whole number"));
    let lesson = made("lamport", 7, 10);
    let text = take("drill lamport 7");
    assert!(text.contains("Drill 7: Lamport 1978"), "{text}");
    for _ in &lesson.steps()[0].run {
        take("next");
    }
    let key = keys(&lesson).answers.get("q1").expect("a key").clone();
    assert!(take(&key).contains("Correct."));
    let left = take("home");
    assert!(left.contains("Drill: so far 1 of 1 right."), "{left}");
}
