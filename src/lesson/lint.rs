//! What makes a lesson a good one, beyond what it needs to be opened.
//!
//! Each finding has its place in the file. Nothing here is enforced on a learner: a lesson with
//! findings still opens.

use super::question::{Common, KINDS, Question, Verdict};
use super::{Lesson, Step};
use crate::input::{Document, Path, Problem};
use crate::sim::Simulation;
use unicode_width::UnicodeWidthStr;

/// In so many steps in a row something is asked.
pub const ASK_WITHIN: usize = 4;
/// Columns of prose in a window of 80.
pub const COLUMNS: usize = 76;
/// Rows of a page that asks nothing, blank ones included.
const ROWS: usize = 7;
/// Rows of a page that asks as well.
const ROWS_BESIDE_QUESTION: usize = 4;
/// Rows of a prompt.
const PROMPT_ROWS: usize = 2;
/// Rows of a hint, an explanation, or what an option says.
const REMARK_ROWS: usize = 4;
/// Columns of an option.
const OPTION_COLUMNS: usize = 70;
/// Rungs of hints.
pub const RUNGS: usize = 3;

/// Words that judge an answer. The verdict alone does.
const JUDGING: [&str; 7] =
    ["correct", "not yet", "wrong answer", "well done", "that is right", "you are right", "not it"];

/// Everything that would make the lesson better, in the order of the text. `known` are the ids of the
/// lessons that it may build on, where they are known.
#[must_use]
pub fn findings(lesson: &Lesson, known: Option<&[&str]>) -> Vec<Problem> {
    let mut lint =
        Lint { document: lesson.document(), found: lesson.document().comment_warnings() };
    lint.needs(lesson, known);
    lint.asks_often_enough(lesson);
    let mut run = lesson.lab().ok().map(|lab| lab.state().fork());
    for (n, step) in lesson.steps().iter().enumerate() {
        let part = Path::root().key("steps").index(n);
        lint.page(step, &part);
        for event in &step.run {
            run = run.filter(|sim| sim.check(*event).is_ok());
            if let Some(sim) = run.as_mut() {
                let _played = sim.step(*event);
            }
        }
        if let (Some(question), Some(at)) = (step.question.as_deref(), run.as_mut()) {
            let part = part.key(question.kind());
            lint.question(&question.common(), &part);
            lint.answers(question, at.as_ref(), &part);
            if let Some(event) = question.plays(at.as_ref()) {
                let _played = at.step(event);
            }
        }
    }
    lint.found.sort();
    lint.found
}

struct Lint<'d> {
    document: &'d Document,
    found: Vec<Problem>,
}

impl Lint<'_> {
    fn value(&mut self, path: Path, message: impl AsRef<str>) {
        self.found.push(self.document.problem(path, message));
    }

    fn key(&mut self, path: Path, message: impl AsRef<str>) {
        self.found.push(self.document.key_problem(path, message));
    }

    fn needs(&mut self, lesson: &Lesson, known: Option<&[&str]>) {
        let Some(known) = known else { return };
        for (i, id) in lesson.needs.iter().enumerate() {
            if !known.contains(&id.as_str()) {
                let close = crate::input::nearest(id, known.iter().copied());
                let close = close.map_or(String::new(), |c| format!("; did you mean `{c}`?"));
                let message = format!("no lesson is called `{id}`{close}");
                self.value(Path::root().key("needs").index(i), message);
            }
        }
    }

    /// Somebody who only watches learns little: any four steps ask something.
    fn asks_often_enough(&mut self, lesson: &Lesson) {
        let mut silent = 0;
        let asks = |step: &Step| step.question.is_some();
        for (n, step) in lesson.steps().iter().enumerate() {
            silent = if asks(step) { 0 } else { silent + 1 };
            if silent == ASK_WITHIN {
                let message = format!(
                    "{ASK_WITHIN} steps in a row ask nothing; let the learner answer or predict \
                     something ({})",
                    KINDS.join(", ")
                );
                self.value(Path::root().key("steps").index(n + 1 - ASK_WITHIN), message);
            }
        }
        if !lesson.steps().iter().any(asks) {
            let message = "the learner only watches: ask something before it is seen";
            self.key(Path::root().key("steps"), message);
        }
    }

    fn page(&mut self, step: &Step, part: &Path) {
        let most = if step.question.is_some() { ROWS_BESIDE_QUESTION } else { ROWS };
        if let Some(say) = &step.say {
            self.fits(say, COLUMNS, most, part.clone().key("say"));
        }
    }

    fn fits(&mut self, text: &str, columns: usize, most: usize, path: Path) {
        let rows = rows(text, columns);
        if rows > most {
            let message = format!(
                "{rows} rows of {columns} columns; a window of 80x24 has room for {most}: shorten it, \
                 or make two steps of it"
            );
            self.value(path, message);
        }
    }

    fn question(&mut self, common: &Common<'_>, part: &Path) {
        let at = |key: &str| part.clone().key(key);
        match common.hints.len() {
            0 => self.key(
                part.clone(),
                "the question has no hints: say where to look, which rule, and the next move",
            ),
            n if n > RUNGS => self.key(at("hints"), format!("{n} hints; {RUNGS} are enough")),
            _ => {}
        }
        for (i, hint) in common.hints.iter().enumerate() {
            self.fits(hint, COLUMNS, REMARK_ROWS, at("hints").index(i));
        }
        match common.explain {
            None => self.key(
                part.clone(),
                "the question has no `explain`: say why the right answer is right",
            ),
            Some(text) => self.fits(text, COLUMNS, REMARK_ROWS, at("explain")),
        }
        self.fits(common.prompt, COLUMNS, PROMPT_ROWS, at("prompt"));
    }

    /// The right answer passes, every other one and the blank fail, and only the verdict judges.
    fn answers(&mut self, question: &dyn Question, at: &dyn Simulation, part: &Path) {
        let right = question.reference(at);
        if !question.check(&right, at).right {
            self.key(part.clone(), "the question's own solution does not pass");
        }
        if question.read(question.blank()).is_ok_and(|blank| question.check(&blank, at).right) {
            self.key(part.clone(), "an answer that was left blank passes");
        }
        if question.untouched(at).is_some_and(|start| question.check(&start, at).right) {
            self.key(part.clone(), "what is there before anything was done passes");
        }
        for misfit in question.proofs(at) {
            let path = part.segs().iter().chain(misfit.path.segs()).cloned().collect();
            if misfit.key {
                self.key(path, misfit.message);
            } else {
                self.value(path, misfit.message);
            }
        }
        for pick in question.picks() {
            let read = question.read(&pick.id);
            let verdict = read.ok().map(|answer| question.check(&answer, at));
            let Some(verdict) = verdict else { continue };
            if verdict.right != (pick.id == right.0) {
                let message = format!("`{}` passes as well as `{}`", pick.id, right.0);
                self.key(part.clone(), message);
            }
            if pick.text.width() > OPTION_COLUMNS {
                let message =
                    format!("`{}` is wider than {OPTION_COLUMNS} columns: shorten it", pick.id);
                self.key(part.clone(), message);
            }
            self.remarks(&verdict, &pick.id, part);
        }
    }

    fn remarks(&mut self, verdict: &Verdict, pick: &str, part: &Path) {
        for line in &verdict.lines {
            let lower = line.to_lowercase();
            if let Some(word) = JUDGING.iter().find(|w| lower.contains(*w)) {
                let message = format!(
                    "what is said to `{pick}` judges (\"{word}\"): the verdict does that, say why"
                );
                self.key(part.clone(), message);
            }
        }
        let rows: usize = verdict.lines.iter().map(|l| rows(l, COLUMNS)).sum();
        if rows > REMARK_ROWS + 2 {
            let message = format!("what is said to `{pick}` takes {rows} rows: shorten it");
            self.key(part.clone(), message);
        }
    }
}

/// How many rows a text takes, blank ones between paragraphs included.
#[must_use]
pub fn rows(markdown: &str, columns: usize) -> usize {
    let mut rows = 0;
    let mut paragraph = String::new();
    let flush = |paragraph: &mut String| {
        let n = wrapped(paragraph, columns);
        paragraph.clear();
        n
    };
    for line in markdown.trim().lines() {
        let line = line.trim();
        let own = line.starts_with("- ") || line.starts_with('|') || line.starts_with("* ");
        if line.is_empty() || own {
            rows += flush(&mut paragraph);
        }
        if line.is_empty() {
            rows += 1;
            continue;
        }
        paragraph.push_str(line);
        paragraph.push(' ');
    }
    rows + flush(&mut paragraph)
}

fn wrapped(text: &str, columns: usize) -> usize {
    let (mut rows, mut used) = (0, columns + 1);
    for word in text.split_whitespace() {
        let width = word.replace(['*', '`'], "").width();
        if used + 1 + width > columns {
            rows += 1;
            used = width;
        } else {
            used += 1 + width;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_as_they_will_be_wrapped() {
        assert_eq!(rows("", 10), 0);
        assert_eq!(rows("one two\nthree", 10), 2);
        assert_eq!(rows("**one** two\n\nthree", 10), 3);
        assert_eq!(rows("- a\n- b\n- c", 10), 3);
        assert_eq!(rows("日本 日本 日本", 10), 2);
    }
}
