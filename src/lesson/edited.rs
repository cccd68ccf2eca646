//! Where an author has changed a lesson: two texts, compared step by step.
//!
//! It reads texts and their places alone; what the steps mean makes no difference.

use super::Lesson;
use crate::input::{Document, Path, Pos};

/// A place that was edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edited {
    /// The step, from 0.
    pub step: usize,
    /// Whether it is in the step's question, and not in what stands before it.
    pub asked: bool,
}

/// The first step of a lesson that is not as it was; `None`: all steps are. Where steps were taken away,
/// the one that has come in their place.
#[must_use]
pub fn edited(old: &Lesson, new: &Lesson) -> Option<Edited> {
    let (before, after) = (texts(old), texts(new));
    let same = before.iter().zip(&after).take_while(|(a, b)| a.1 == b.1).count();
    if same == before.len() && same == after.len() {
        return None;
    }
    let step = same.min(after.len().saturating_sub(1));
    let asked = match (before.get(same), after.get(same)) {
        (Some((_, before)), Some((start, after))) => {
            let shared = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
            let question = new.steps()[same].question.as_deref();
            let key = question.map(|q| step_path(same).key(q.kind()));
            key.is_some_and(|key| offset(new, new.document().key(key)) <= start + shared)
        }
        (None, _) | (_, None) => false,
    };
    Some(Edited { step, asked })
}

fn step_path(step: usize) -> Path {
    Path::root().key("steps").index(step)
}

/// Each step's place in the text, in bytes, and its text.
fn texts(lesson: &Lesson) -> Vec<(usize, &str)> {
    let text = lesson.document().source().text();
    let count = lesson.steps().len();
    let mut starts: Vec<usize> =
        (0..count).map(|n| offset(lesson, lesson.document().value(step_path(n)))).collect();
    starts.push(behind_steps(lesson, lesson.document()).unwrap_or(text.len()));
    // What stands between two steps belongs to neither.
    let between = |c: char| c.is_whitespace() || matches!(c, '-' | ',' | ']');
    let one = |pair: &[usize]| {
        let step = text.get(pair[0]..pair[1]).unwrap_or_default();
        (pair[0], step.trim_end_matches(between))
    };
    starts.windows(2).map(one).collect()
}

/// Where the first key begins that stands after the steps.
fn behind_steps(lesson: &Lesson, document: &Document) -> Option<usize> {
    let root = Path::root();
    let place = |key: &str| document.key(root.clone().key(key));
    let steps = place("steps");
    let keys = document.keys(&root).into_iter().map(place);
    keys.filter(|pos| *pos > steps).min().map(|pos| offset(lesson, pos))
}

/// A place in bytes.
fn offset(lesson: &Lesson, pos: Pos) -> usize {
    let source = lesson.document().source();
    let before: usize = (1..pos.line).map(|line| source.line(line).len() + 1).sum();
    let line = source.line(pos.line);
    before + line.char_indices().nth(pos.column - 1).map_or(line.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::load;

    const HEAD: &str =
        "lesson: 1\nid: a\ntitle: A\nabout: é\ncluster: {algorithm: lamport}\nsteps:\n";
    const ONE: &str = "  - say: First.\n    run: [request P1]\n";
    const TWO: &str = "  - say: Second.\n    predict:\n      id: two\n      prompt: What?\n      \
                       event: deliver P1>P2\n      outcomes: [ack, enter]\n";
    const THREE: &str = "  - say: Third.\n";

    fn lesson(steps: &[&str]) -> std::sync::Arc<Lesson> {
        let text = format!("{HEAD}{}x-end: 1\n", steps.concat());
        load::reader("a.yaml", text.as_bytes()).unwrap_or_else(|bad| panic!("{bad}"))
    }

    fn found(old: &[&str], new: &[&str]) -> Option<(usize, bool)> {
        edited(&lesson(old), &lesson(new)).map(|edited| (edited.step, edited.asked))
    }

    #[test]
    fn the_first_step_that_differs_is_found_by_its_text() {
        let all = [ONE, TWO, THREE];
        assert_eq!(found(&all, &all), None);
        let say = TWO.replace("Second.", "The second.");
        assert_eq!(found(&all, &[ONE, &say, THREE]), Some((1, false)));
        let prompt = TWO.replace("What?", "What then?");
        assert_eq!(found(&all, &[ONE, &prompt, THREE]), Some((1, true)));
        assert_eq!(found(&all, &[ONE, TWO, THREE, THREE]), Some((3, false)), "one more");
        assert_eq!(found(&all, &[ONE, TWO]), Some((1, false)), "the last one has gone");
        assert_eq!(found(&all, &[ONE, THREE]), Some((1, false)), "its place was taken");
        assert_eq!(found(&all, &[&ONE.replace("First", "1st"), TWO]), Some((0, false)));
    }

    #[test]
    fn what_stands_around_the_steps_is_no_step() {
        let old = lesson(&[ONE, TWO]);
        let text = old.document().source().text().replace("title: A", "title: B");
        let new = load::reader("a.yaml", text.replace("x-end: 1", "x-end: 2").as_bytes());
        assert_eq!(edited(&old, &new.expect("a lesson")), None);
    }

    #[test]
    fn steps_on_one_line_are_told_apart() {
        let one = |second: &str| {
            let steps = format!("[{{say: a}}, {{say: {second}}}]");
            let text = format!("{}steps: {steps}\n", HEAD.trim_end_matches("steps:\n"));
            load::reader("a.yaml", text.as_bytes()).expect("a lesson")
        };
        let found = edited(&one("b"), &one("c"));
        assert_eq!(found, Some(Edited { step: 1, asked: false }));
    }
}
