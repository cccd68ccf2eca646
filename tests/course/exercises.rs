//! The exercises of the notes, graded: what passes, what does not, and what is said to each answer.
//!
//! What is said is taken from the question's own check, which grading and the screens share.

use super::*;
use lockstep::lesson::answers::Answers;
use lockstep::lesson::grade::{Grader, Outcome, Wanted};
use lockstep::lesson::question::Question;
use std::collections::{BTreeMap, BTreeSet};

const SCRIPT: &str = include_str!("exercises.txt");

/// A question with the state about which it is asked.
struct Asked {
    lesson: Arc<Lesson>,
    step: usize,
    at: Box<dyn Simulation>,
}

impl Asked {
    fn question(&self) -> &dyn Question {
        self.lesson.steps()[self.step].question.as_deref().expect("the step asks")
    }

    /// What is said to an answer; a hint on the form for one that cannot be read.
    fn said(&self, raw: &str) -> (bool, String) {
        let question = self.question();
        match question.read(raw) {
            Ok(answer) => {
                let verdict = question.check(&answer, self.at.as_ref());
                (verdict.right, verdict.lines.join("\n"))
            }
            Err(hint) => (false, hint.0),
        }
    }
}

/// All questions of a lesson, by id.
fn asked(id: &str) -> BTreeMap<String, Asked> {
    let lesson = lesson(id);
    let mut run = lesson.lab().expect("a cluster").state().fork();
    let mut all = BTreeMap::new();
    for (step, page) in lesson.steps().iter().enumerate() {
        for event in &page.run {
            run.step(*event).expect("the lesson was checked");
        }
        let Some(question) = page.question.as_deref() else { continue };
        let one = Asked { lesson: Arc::clone(&lesson), step, at: run.fork() };
        all.insert(question.common().id.to_owned(), one);
        if let Some(event) = question.plays(run.as_ref()) {
            run.step(event).expect("the lesson was checked");
        }
    }
    all
}

/// What grading makes of one answer.
fn graded(grader: &Grader, question: &str, raw: &str) -> Outcome {
    let text = format!("lesson: {}\nanswers: {{{question}: {raw:?}}}\n", grader.lesson().id);
    let answers = Answers::read("answers.yaml", text.as_bytes()).unwrap_or_else(|p| panic!("{p}"));
    let wanted = Wanted { question: Some(question.to_owned()), ..Wanted::default() };
    let report = grader.grade(&answers, &wanted).unwrap_or_else(|r| panic!("{r}"));
    report.tests[0].outcome.clone()
}

fn grader(id: &str) -> Grader {
    Grader::new(lesson(id)).expect("a checked lesson has a cluster")
}

#[test]
fn every_answer_of_the_notes_is_graded_as_it_deserves_and_told_why() {
    let mut graders: BTreeMap<&str, (Grader, BTreeMap<String, Asked>)> = BTreeMap::new();
    let (mut here, mut passed, mut failed) = (("", ""), 0, 0);
    for line in SCRIPT.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
        let Some((right, rest)) = line
            .strip_prefix("+ ")
            .map(|r| (true, r))
            .or(line.strip_prefix("- ").map(|r| (false, r)))
        else {
            here = line.split_once(' ').expect("a lesson and a question");
            continue;
        };
        let (raw, said) = rest.split_once(" | ").unwrap_or((rest, ""));
        let (raw, (id, question)) = (raw.trim(), here);
        let (grader, asked) =
            graders.entry(id).or_insert_with(|| (grader(id), super::exercises::asked(id)));
        let outcome = graded(grader, question, raw);
        let wanted = if right { Outcome::Right } else { Outcome::Wrong };
        let all_said = asked[question].said(raw);
        assert_eq!(outcome, wanted, "{id} {question}: {raw}: {all_said:?}");
        assert_eq!(all_said.0, right, "{id} {question}: {raw}");
        assert!(all_said.1.contains(said.trim()), "{id} {question}: {raw}: {said} in {all_said:?}");
        assert!(right || !said.is_empty(), "{id} {question}: {raw}: a wrong answer is told why");
        *(if right { &mut passed } else { &mut failed }) += 1;
    }
    assert!(passed > 60 && failed > 110, "{passed} and {failed}");
}

#[test]
fn every_question_passes_by_its_own_answer_and_fails_blank_and_by_each_known_wrong_answer() {
    let mut known = 0;
    for id in course() {
        let (grader, asked) = (grader(id), asked(id));
        for (name, one) in &asked {
            let question = one.question();
            if !question.graded() {
                continue;
            }
            let right = question.reference(one.at.as_ref()).0;
            assert_eq!(graded(&grader, name, &right), Outcome::Right, "{id} {name}: {right}");
            assert_eq!(graded(&grader, name, ""), Outcome::Blank, "{id} {name}");
            assert_eq!(question.common().hints.len(), 3, "{id} {name}: three rungs");
            assert!(question.common().explain.is_some(), "{id} {name}");
            assert!(question.common().objective.is_some(), "{id} {name}");
            for (wrong, meaning) in question.common().feedback.iter() {
                let said = one.said(wrong);
                if question.kind() != "state" && question.kind() != "play" {
                    assert_eq!(
                        graded(&grader, name, wrong),
                        Outcome::Wrong,
                        "{id} {name}: {wrong}"
                    );
                }
                assert!(!said.0 && said.1.contains(meaning), "{id} {name}: {wrong}: {said:?}");
                known += 1;
            }
            if !matches!(question.kind(), "choice" | "predict") {
                continue;
            }
            let texts: BTreeSet<String> =
                question.picks().iter().map(|pick| one.said(&pick.id).1).collect();
            assert_eq!(texts.len(), question.picks().len(), "{id} {name}: each has its own reason");
        }
    }
    assert!(known > 240, "{known}");
}

#[test]
fn every_objective_of_a_lesson_is_served_by_a_question() {
    for id in course() {
        let lesson = lesson(id);
        for (objective, _) in &lesson.objectives {
            let served =
                lesson.questions().any(|q| q.common().objective == Some(objective.as_str()));
            assert!(served, "{id}: {objective}");
        }
    }
}

/// Runs from a state to its end by deliveries and exits, each with the words that are to be said.
struct Orders {
    words: &'static [&'static str],
    all: Vec<Vec<String>>,
    /// Every beginning of a run, with its state.
    prefixes: Vec<(Vec<String>, Box<dyn Simulation>)>,
}

impl Orders {
    fn of(id: &str, start: &str, words: &'static [&'static str]) -> Self {
        let mut lab = lesson(id).lab().expect("a cluster");
        lab.play_schedule(start).expect("the start is possible");
        let mut orders = Self { words, all: Vec::new(), prefixes: Vec::new() };
        orders.walk(lab.state(), &mut Vec::new());
        orders
    }

    fn walk(&mut self, state: &dyn Simulation, lines: &mut Vec<String>) {
        self.prefixes.push((lines.clone(), state.fork()));
        let goes_on = |e: &Event| matches!(e, Event::Deliver(_) | Event::Exit(_));
        let events: Vec<Event> = state.enabled().into_iter().filter(goes_on).collect();
        if events.is_empty() {
            self.all.push(lines.clone());
        }
        for event in events {
            let mut next = state.fork();
            let record = next.step(event).expect("an enabled event");
            let word = self.words.iter().find(|w| record.outcomes.contains(w));
            let word = word.map_or(String::new(), |w| format!(" => {w}"));
            lines.push(format!("{}{word}", record.event.show(&state.setup().names)));
            self.walk(next.as_ref(), lines);
            lines.pop();
        }
    }
}

#[test]
fn e2_each_of_the_720_orders_of_the_race_passes() {
    let orders = Orders::of("ricart-agrawala-race", "request P1; request P2", &["reply", "defer"]);
    assert_eq!(orders.all.len(), 720);
    let grader = grader("ricart-agrawala-race");
    for lines in &orders.all {
        assert_eq!(graded(&grader, "whole-run", &lines.join("; ")), Outcome::Right, "{lines:?}");
    }
}

#[test]
fn e2_each_event_that_cannot_happen_is_refused_with_its_line_and_the_reason() {
    let orders = Orders::of("ricart-agrawala-race", "request P1; request P2", &["reply", "defer"]);
    let asked = asked("ricart-agrawala-race");
    let whole = &asked["whole-run"];
    let names = whole.at.setup().names.clone();
    let nodes = ["P1", "P2", "P3"];
    let channels = nodes.iter().flat_map(|a| nodes.iter().map(move |b| format!("deliver {a}>{b}")));
    let exits = nodes.iter().map(|n| format!("exit {n}"));
    let events: Vec<Event> =
        channels.chain(exits).filter_map(|text| Event::parse(&text, &names).ok()).collect();
    let mut refused = 0;
    // Two beginnings that lead to the same state refuse the same events.
    let mut seen = HashSet::new();
    for (lines, state) in orders.prefixes.iter().filter(|(_, s)| seen.insert(s.digest())) {
        for event in &events {
            let Err(reason) = state.check(*event) else { continue };
            let text = event.show(&names);
            // A text without one word is no answer yet: the first event that has one is put behind it.
            let mut answer = lines.clone();
            answer.push(text.clone());
            answer.push("deliver P1>P3 => reply".to_owned());
            let said = whole.said(&answer.join("\n"));
            let wanted = format!("Line {}, `{text}`: {}.", lines.len() + 1, reason.reason);
            assert_eq!(said, (false, wanted), "{lines:?}");
            refused += 1;
        }
    }
    assert!(refused > 400, "{refused}");
}

#[test]
fn e2_each_wrong_word_is_refused_with_its_line() {
    let orders = Orders::of("ricart-agrawala-race", "request P1; request P2", &["reply", "defer"]);
    let asked = asked("ricart-agrawala-race");
    let whole = &asked["whole-run"];
    let mut tried = 0;
    for lines in orders.all.iter().step_by(11) {
        for (i, line) in lines.iter().enumerate() {
            let Some((event, word)) = line.split_once(" => ") else { continue };
            let other = if word == "reply" { "defer" } else { "reply" };
            let mut changed = lines.clone();
            changed[i] = format!("{event} => {other}");
            let (right, said) = whole.said(&changed.join("\n"));
            let wanted = format!("Line {}, `{event}`: it does not `{other}`. ", i + 1);
            assert!(!right && said.starts_with(&wanted), "{said}");
            tried += 1;
        }
    }
    assert_eq!(tried, 66 * 4, "four REQUESTs arrive in each order");
}

#[test]
fn l4_the_diagram_can_be_played_in_twelve_orders_and_each_passes() {
    let orders = Orders::of("lamport-lock", "request P1", &["ack", "remove"]);
    assert_eq!(orders.all.len(), 12);
    let grader = grader("lamport-lock");
    for lines in &orders.all {
        assert_eq!(lines.len(), 7);
        assert_eq!(graded(&grader, "whole-visit", &lines.join("; ")), Outcome::Right, "{lines:?}");
    }
}

/// Exercise 2 c, without phases: the deferred REPLY is the last thing before P1's entry, in every order.
#[test]
fn e2_p1_enters_by_the_deferred_reply_or_has_it_when_p3_answers_last() {
    let orders = Orders::of("ricart-agrawala-race", "request P1; request P2", &[]);
    for lines in &orders.all {
        let place = |text: &str, nth: usize| {
            lines.iter().enumerate().filter(|(_, l)| *l == text).nth(nth).expect(text).0
        };
        assert!(place("exit P2", 0) < place("deliver P2>P1", 1), "the REPLY is sent at the exit");
        assert!(place("deliver P2>P1", 1) < place("exit P1", 0));
        assert_eq!(messages_of(lines), 8);
    }
}

fn messages_of(lines: &[String]) -> usize {
    lines.iter().filter(|l| l.starts_with("deliver ")).count()
}
