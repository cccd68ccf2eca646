//! What makes a lesson a good one, beyond what it needs to be opened.
//!
//! Each finding has its place in the file. Nothing here is enforced on a learner: a lesson with
//! findings still opens.

mod across;
mod prose;
mod typed_in;
mod unwritten;

pub use prose::rows;

use super::check::{self, Draw, Examined};
use super::question::{KINDS, Question, Verdict};
use super::vary::Draws;
use super::{Lesson, Step};
use crate::catalog;
use crate::input::{Document, Path, Problem, Severity, Source};
use crate::sim::Simulation;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// Stands in a text that is still to be written.
pub const TODO: &str = "TODO";

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
/// Levels of hints.
pub const RUNGS: usize = 3;
/// So many of the lessons that may be drawn from one file are proved, spread over all of them.
pub const DRAWS_PROVED: usize = 100;

/// Everything that is wrong with a file, or could be better, in the order of the text. `known` are the
/// ids of the lessons that it may build on, where they are known.
#[must_use]
pub fn of_source(source: &Source, known: Option<&[&str]>) -> Vec<Problem> {
    let Examined { lesson, mut problems } = check::examine(source, Draw::For(""));
    if let Some(lesson) = &lesson {
        let found = Lint::of(lesson, &problems).findings(lesson, known);
        problems.extend(found);
        let faulty = problems.iter().any(|problem| problem.severity() == Severity::Error);
        if let Some(draws) = lesson.draws.as_ref().filter(|_| !faulty) {
            let more = of_draws(source, draws, known, &problems);
            problems.extend(more);
        }
    }
    problems.sort_by(|a, b| a.pos().cmp(&b.pos()).then_with(|| a.cmp(b)));
    problems.dedup();
    problems
}

/// The same for a lesson that opens.
#[must_use]
pub fn findings(lesson: &Lesson, known: Option<&[&str]>) -> Vec<Problem> {
    of_source(lesson.document().source(), known)
}

/// What is wrong with the first draw with which anything is that is not told already; else what is wrong
/// between the draws.
fn of_draws(
    source: &Source,
    draws: &Arc<Draws>,
    known: Option<&[&str]>,
    before: &[Problem],
) -> Vec<Problem> {
    let mut lessons = Vec::new();
    for drawn in draws.spread(DRAWS_PROVED) {
        let Examined { lesson, mut problems } = check::examine(source, Draw::This(drawn, draws));
        if let Some(lesson) = &lesson {
            let found = Lint::of(lesson, &problems).findings(lesson, known);
            problems.extend(found);
        }
        problems.retain(|problem| !before.contains(problem));
        if !problems.is_empty() {
            let with = |p: Problem| p.with_help(format!("when {drawn} is drawn"));
            return problems.into_iter().map(with).collect();
        }
        lessons.extend(lesson.map(|lesson| (drawn, lesson)));
    }
    across::findings(&lessons)
}

struct Lint<'d> {
    document: &'d Document,
    found: Vec<Problem>,
    /// Steps with something wrong in them, by what is known already.
    faulty: Vec<usize>,
    /// Whether there is a cluster to try answers on.
    runs: bool,
    /// Whether all of the file was read, so that it is known what is not in it.
    whole: bool,
}

impl<'d> Lint<'d> {
    fn of(lesson: &'d Lesson, problems: &[Problem]) -> Self {
        let paths: Vec<&str> = problems.iter().filter_map(Problem::path).collect();
        let step = |path: &&str| {
            let number = path.strip_prefix("steps[")?.split(']').next()?;
            number.parse().ok()
        };
        Self {
            document: lesson.document(),
            found: lesson.document().comment_warnings(),
            faulty: paths.iter().filter_map(step).collect(),
            whole: problems.is_empty(),
            runs: !paths.iter().any(|p| p.starts_with("cluster") || p.starts_with("vary")),
        }
    }

    fn findings(mut self, lesson: &Lesson, known: Option<&[&str]>) -> Vec<Problem> {
        self.needs(lesson, known);
        if self.whole {
            self.asks_often_enough(lesson);
        }
        self.cluster(lesson);
        for path in self.document.keys_without_value() {
            self.key(
                path,
                "this key has no value, as if it were not there: give it one, or take it out",
            );
        }
        for path in unwritten::places(self.document, lesson.steps().len(), KINDS) {
            self.value(path, format!("`{TODO}`: this is still to be written"));
        }
        // Behind a step at fault nobody knows where the run stands.
        let mut known = self.runs;
        for stop in lesson.walk() {
            let part = Path::root().key("steps").index(stop.n);
            let faulty = self.faulty.contains(&stop.n);
            known &= !faulty;
            if !faulty {
                self.page(stop.step, &part);
            }
            let question = stop.step.question.as_deref();
            let Some(question) = question.filter(|_| !faulty && !lesson.stripped) else { continue };
            let part = part.key(question.kind());
            self.question(question, &part);
            if let Some(at) = stop.at.filter(|_| known) {
                self.answers(question, at.as_ref(), &part);
            }
        }
        self.found.sort();
        self.found
    }

    fn value(&mut self, path: Path, message: impl AsRef<str>) {
        self.found.push(self.document.problem(path, message));
    }

    fn key(&mut self, path: Path, message: impl AsRef<str>) {
        self.found.push(self.document.key_problem(path, message));
    }

    fn advise(&mut self, path: Path, message: impl AsRef<str>) {
        self.found.push(self.document.problem(path, message).as_advice());
    }

    fn advise_key(&mut self, path: Path, message: impl AsRef<str>) {
        self.found.push(self.document.key_problem(path, message).as_advice());
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
                self.advise(Path::root().key("steps").index(n + 1 - ASK_WITHIN), message);
            }
        }
        // What is known of the run is asked by these, before it is seen.
        let foresees = |q: &dyn Question| {
            matches!(
                q.kind(),
                "predict" | "state" | "trace" | "drive" | "play" | "order" | "number"
            )
        };
        if lesson.steps().iter().any(asks) && !lesson.questions().any(foresees) {
            let message = "nothing is predicted: ask what an event will do before it is seen \
                           (predict, state, trace, drive, play)";
            self.advise_key(Path::root().key("steps"), message);
        }
        if !lesson.steps().iter().any(asks) {
            let message = "the learner only watches: ask something before it is seen";
            self.advise_key(Path::root().key("steps"), message);
        }
    }

    /// Settings that are written down and change nothing.
    fn cluster(&mut self, lesson: &Lesson) {
        let part = Path::root().key("cluster");
        for key in self.document.keys(&part) {
            if let Some(why) = catalog::meaningless(&lesson.config, key) {
                self.advise_key(
                    part.clone().key(key),
                    format!("`{key}` has no meaning here: {why}"),
                );
            }
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
            self.advise(path, message);
        }
    }

    fn question(&mut self, question: &dyn Question, part: &Path) {
        let common = question.common();
        let at = |key: &str| part.clone().key(key);
        match common.hints.len() {
            0 => self.advise_key(
                part.clone(),
                "the question has no hints: say where to look, which rule, and the next move",
            ),
            n if n > RUNGS => {
                self.advise_key(at("hints"), format!("{n} hints; {RUNGS} are enough"))
            }
            _ => {}
        }
        for (i, hint) in common.hints.iter().enumerate() {
            self.fits(hint, COLUMNS, REMARK_ROWS, at("hints").index(i));
        }
        match common.explain {
            None => self.advise_key(
                part.clone(),
                "the question has no `explain`: say why the right answer is right",
            ),
            Some(text) => self.fits(text, COLUMNS, REMARK_ROWS, at("explain")),
        }
        self.fits(common.prompt, COLUMNS, PROMPT_ROWS, at("prompt"));
        for (wrong, said) in common.feedback.iter() {
            self.remark(said, wrong, &at("feedback").key(wrong));
        }
        let options = at("options");
        for option in self.document.keys(&options) {
            let path = options.clone().key(option);
            if let Some(say) = self.document.text_at(&path.clone().key("say")) {
                self.remark(say, option, &path);
            }
        }
        for pick in question.picks() {
            if pick.text.width() > OPTION_COLUMNS {
                let message =
                    format!("`{}` is wider than {OPTION_COLUMNS} columns: shorten it", pick.id);
                let path = self.pick(&pick.id, part);
                self.advise_key(path, message);
            }
        }
    }

    /// Where something that can be picked stands.
    fn pick(&self, id: &str, part: &Path) -> Path {
        let places = ["options", "cards"].map(|key| part.clone().key(key).key(id));
        places.into_iter().find(|path| self.document.has(path)).unwrap_or_else(|| part.clone())
    }

    /// The right answer passes, every other one and the blank fail, and no key is typed in that the
    /// engine could compute.
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
        let known = |wrong: &str| {
            let read = question.read(wrong).ok();
            read.is_some_and(|answer| question.graded() && question.check(&answer, at).right)
        };
        for wrong in question.common().feedback.keys().filter(|wrong| known(wrong)) {
            let message = format!("`{wrong}` passes, so nobody who answers it is told this");
            self.key(part.clone().key("feedback").key(wrong), message);
        }
        match typed_in::key(question, at, |key| self.document.has(part.clone().key(key))) {
            Some((message, true)) => self.key(part.clone(), message),
            Some((message, false)) => self.advise_key(part.clone(), message),
            None => {}
        }
        for pick in question.picks() {
            let read = question.read(&pick.id);
            let verdict = read.ok().map(|answer| question.check(&answer, at));
            let Some(verdict) = verdict else { continue };
            let path = self.pick(&pick.id, part);
            if verdict.right != (pick.id == right.0) {
                let message = format!("`{}` passes as well as `{}`", pick.id, right.0);
                self.key(path.clone(), message);
            }
            self.remarks(&verdict, &pick.id, &path);
        }
    }

    /// Only the verdict judges an answer, not what is said about it.
    fn remark(&mut self, line: &str, pick: &str, path: &Path) {
        if let Some(word) = prose::judges(line) {
            let message = format!(
                "what is said to `{pick}` judges (\"{word}\"): the verdict does that, say why"
            );
            self.advise_key(path.clone(), message);
        }
    }

    fn remarks(&mut self, verdict: &Verdict, pick: &str, path: &Path) {
        for line in &verdict.lines {
            self.remark(line, pick, path);
        }
        let rows: usize = verdict.lines.iter().map(|l| rows(l, COLUMNS)).sum();
        if rows > REMARK_ROWS + 2 {
            let message = format!("what is said to `{pick}` takes {rows} rows: shorten it");
            self.advise_key(path.clone(), message);
        }
    }
}
