//! Questions of every type, from outside: what passes, what fails and why, what cannot be read.

mod invariant;
mod played;
mod simple;
mod table;

use lockstep::input::{Problem, Source};
use lockstep::lab::Lab;
use lockstep::lesson::question::{Answer, Question, Verdict};
use lockstep::lesson::{Lesson, lint, load};
use lockstep::sim::Simulation;
use std::sync::Arc;

/// The race of two requests, up to the question.
const RACE: &str = "lesson: 1
id: asked
title: A lesson
about: What it is about.
cluster:
  algorithm: ricart-agrawala
  nodes: [P1, P2, P3]
  clocks: {P1: 4, P2: 2}
  channels: fifo
steps:
  - say: Both ask.
    run: [request P1, request P2]
";

/// What every question of a good lesson has besides.
const REST: &str = "      hints: [Look., Compare., Move.]
      explain: Because.
";

/// A lesson in which one question is asked; its lines are indented by six.
fn lesson_with(before: &str, kind: &str, question: &str) -> String {
    let lines: String = question.lines().map(|l| format!("      {l}\n")).collect();
    format!("{before}  - {kind}:\n      id: asked\n      prompt: Which?\n{lines}{REST}")
}

/// One question where it is asked.
struct Asked {
    lesson: Arc<Lesson>,
    lab: Lab,
}

impl Asked {
    fn in_the_race(kind: &str, question: &str) -> Self {
        Self::of(&lesson_with(RACE, kind, question))
    }

    fn of(text: &str) -> Self {
        let source = Source::from_text("asked.yaml", text, "lesson").expect("a text");
        let lesson = load::checked(source).unwrap_or_else(|bad| panic!("{bad}"));
        let mut lab = lesson.lab().expect("a cluster");
        for event in lesson.steps().iter().flat_map(|s| &s.run) {
            lab.play(*event).expect("the lesson was checked");
        }
        Self { lesson, lab }
    }

    fn question(&self) -> &dyn Question {
        self.lesson.questions().next().expect("the lesson asks")
    }

    fn at(&self) -> &dyn Simulation {
        self.lab.state()
    }

    fn read(&self, raw: &str) -> Option<Answer> {
        self.question().read(raw).ok()
    }

    fn hint(&self, raw: &str) -> String {
        self.question().read(raw).expect_err(raw).0
    }

    fn answer(&self, raw: &str) -> Verdict {
        let answer = self.question().read(raw).unwrap_or_else(|hint| panic!("{raw}: {}", hint.0));
        self.question().check(&answer, self.at())
    }

    fn right(&self, raw: &str) -> bool {
        self.answer(raw).right
    }

    fn said(&self, raw: &str) -> String {
        self.answer(raw).lines.join("\n")
    }

    fn score(&self, raw: &str) -> f64 {
        self.answer(raw).score
    }

    /// What holds for every question: its own solution passes, read back from its own form as well; the
    /// blank and what is there at the beginning do not; lint has nothing to say.
    fn sound(&self) -> &Self {
        let (question, at) = (self.question(), self.at());
        let right = question.reference(at);
        let verdict = question.check(&right, at);
        assert!(verdict.right, "{right:?}: {verdict:?}");
        assert_eq!((verdict.score, verdict.expected), (1.0, right.0.clone()));
        assert_eq!(question.read(&right.0), Ok(right), "the canonical form reads as itself");
        for blank in ["", "  \n ", question.blank()] {
            let read = question.read(blank);
            assert!(!read.is_ok_and(|a| question.check(&a, at).right), "{blank:?}");
        }
        if let Some(start) = question.untouched(at) {
            let verdict = question.check(&start, at);
            assert!(!verdict.right && verdict.score < 1.0, "{start:?}");
        }
        // A lesson of one question predicts nothing, unless that is how the question asks.
        let found = lint::findings(&self.lesson, None);
        let of_the_question = |p: &&Problem| !p.message().starts_with("nothing is predicted");
        let found: Vec<&Problem> = found.iter().filter(of_the_question).collect();
        assert!(found.is_empty(), "{found:?}");
        assert!(!question.sheet().is_empty());
        self
    }
}

/// What is said about a lesson with faults, without the file's name.
fn faults(kind: &str, question: &str) -> Vec<String> {
    faults_of(&lesson_with(RACE, kind, question))
}

fn faults_of(text: &str) -> Vec<String> {
    let source = Source::from_text("asked.yaml", text, "lesson").expect("a text");
    let bad = load::checked(source).expect_err("the lesson has faults");
    let problems = bad.problems.iter().map(ToString::to_string);
    problems.map(|p| p.trim_start_matches("asked.yaml:").to_owned()).collect()
}

/// Whatever is typed, nothing panics, and what is read is read the same again.
fn survives(asked: &Asked, raw: &str) -> Result<(), proptest::test_runner::TestCaseError> {
    if let Ok(answer) = asked.question().read(raw) {
        let verdict = asked.question().check(&answer, asked.at());
        proptest::prop_assert!((0.0..=1.0).contains(&verdict.score));
        proptest::prop_assert_eq!(verdict.right, verdict.score == 1.0);
        let again = asked.question().read(&answer.0);
        proptest::prop_assert_eq!(again, Ok(answer.clone()), "{}", answer.0);
        let _shown = asked.question().shows(&answer);
    }
    Ok(())
}
