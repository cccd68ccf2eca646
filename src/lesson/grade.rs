//! Grading: the answers of one file, each checked where its question stands on the lesson's own run.
//!
//! The run is the lesson's, whatever was answered, so a wrong answer never spoils the next one. Without
//! being asked for solutions nothing here reads a key, so none can be printed.

use super::Lesson;
use super::answers::Answers;
use super::mark::{self, Mark, QuestionState};
use super::question::{Question, Verdict};
use super::seen::{self, digest};
use super::walk::Stop;
use crate::catalog::ConfigError;
use crate::input::{Path, nearest};
use crate::sim::Simulation;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// No text of a learner is carried further than this many characters.
const MOST_CHARS: usize = 500;

/// What came of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Right.
    Right,
    /// Read and checked, and not right, or not wholly.
    Wrong,
    /// Nothing was answered.
    Blank,
    /// It could not be read; this is how an answer has to look.
    Form(String),
    /// The file is not in order where it stands; this is why.
    Unread(String),
    /// The solution was shown.
    Shown,
    /// Not asked: these were not answered rightly.
    Skipped(Vec<String>),
    /// To be marked by a person, whether anything was answered or not.
    ByHand,
    /// Marked by a person, who gave all points or not.
    Marked(bool),
    /// The program failed.
    Broken,
}

/// How a result is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Right.
    Passed,
    /// Wrong, blank, unreadable or shown.
    Failed,
    /// Not asked, or not for the program to judge.
    Skipped,
    /// Not judged: the file is not in order there, or the program failed.
    Error,
}

impl Outcome {
    /// How it is counted.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Self::Right | Self::Marked(true) => Status::Passed,
            Self::Marked(false) | Self::Wrong | Self::Blank | Self::Form(_) | Self::Shown => {
                Status::Failed
            }
            Self::Skipped(_) | Self::ByHand => Status::Skipped,
            Self::Unread(_) | Self::Broken => Status::Error,
        }
    }
}

/// The solution of a question, where it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// A right answer.
    pub expected: String,
    /// How it reads, and why it is right.
    pub lines: Vec<String>,
}

/// One question, graded.
#[derive(Clone, PartialEq, Debug)]
pub struct Graded {
    /// Its id.
    pub id: String,
    /// The key of its type.
    pub kind: &'static str,
    /// What came of it.
    pub outcome: Outcome,
    /// Points earned.
    pub score: f64,
    /// Points that could be earned.
    pub max: f64,
    /// Points that a person may give for it.
    pub by_hand: f64,
    /// What was answered, as it was understood.
    pub actual: Option<String>,
    /// Where to look: the first of its hints.
    pub help: Option<String>,
    /// What there is to say about this very answer, where it was asked for; it holds no key.
    pub feedback: Vec<String>,
    /// Ids of the questions that have to be right before.
    pub after: Vec<String>,
    /// Its line in the lesson's file.
    pub line: usize,
    /// The solution, where it was asked for.
    pub solution: Option<Solution>,
}

impl Graded {
    /// How it is counted.
    #[must_use]
    pub fn status(&self) -> Status {
        self.outcome.status()
    }

    fn mark(&self, state: QuestionState) -> Mark {
        Mark { state, score: self.score, max: self.max }
    }

    /// What there is to say, without a key.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.outcome {
            Outcome::Right => self.mark(QuestionState::Right).sentence(),
            Outcome::Wrong => self.mark(QuestionState::Wrong).sentence(),
            Outcome::Blank => self.mark(QuestionState::Open).sentence(),
            Outcome::Form(hint) => format!("The answer cannot be read. {hint}"),
            Outcome::Unread(why) => format!("The answer cannot be read: {why}."),
            Outcome::Shown => self.mark(QuestionState::Shown).sentence(),
            Outcome::Skipped(ids) => format!("Not asked before this is right: {}.", ids.join(", ")),
            Outcome::ByHand if self.actual.is_none() => "Not answered; marked by hand.".to_owned(),
            Outcome::ByHand => "Marked by hand.".to_owned(),
            Outcome::Marked(_) if self.max > 0.0 => {
                format!("Marked by hand: {}.", mark::of_points(self.score, self.max))
            }
            Outcome::Marked(_) => format!("Marked by hand: {} more.", mark::points(self.score)),
            Outcome::Broken => {
                "The program failed on this question; that is no fault of the answer.".to_owned()
            }
        }
    }
}

/// Everything about one file of answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The lesson's id.
    pub lesson: String,
    /// Its title.
    pub title: String,
    /// How messages call its file.
    pub lesson_file: String,
    /// A number made from its text.
    pub digest: String,
    /// Whose answers they are.
    pub who: Option<String>,
    /// What was drawn for them, in a lesson that is drawn.
    pub drawn: Option<String>,
    /// The questions, in the lesson's order.
    pub tests: Vec<Graded>,
    /// What else there is to say about the file.
    pub remarks: Vec<String>,
    /// What to be warned of: marks that may not be what was meant.
    pub warnings: Vec<String>,
}

impl Report {
    /// Points earned, and points that could be earned.
    #[must_use]
    pub fn score(&self) -> (f64, f64) {
        // A sum over nothing would be a negative zero.
        (0.0 + sum(&self.tests, |t| t.score), 0.0 + sum(&self.tests, |t| t.max))
    }

    /// How many questions have a status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.tests.iter().filter(|t| t.status() == status).count()
    }

    /// How many questions the program judges.
    #[must_use]
    pub fn judged(&self) -> usize {
        self.tests.iter().filter(|t| t.outcome != Outcome::ByHand).count()
    }

    /// Whether every question that the program judges is right.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.count(Status::Passed) == self.judged()
    }
}

fn sum(tests: &[Graded], of: impl Fn(&Graded) -> f64) -> f64 {
    tests.iter().map(of).sum()
}

/// What is at fault when answers are not graded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The answers cannot be read.
    Unreadable,
    /// No lesson is named, or there is none of that name.
    NoLesson,
    /// They belong to another lesson.
    OtherLesson,
    /// The lesson is drawn for a name, and there is none.
    NoName,
    /// They were drawn for somebody else than whoever has handed them in.
    OtherName,
    /// The lesson has no such question.
    NoQuestion,
    /// The lesson's own file.
    BadLesson,
}

impl Fault {
    /// Its name in results.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable-answers",
            Self::NoLesson => "unknown-lesson",
            Self::OtherLesson => "other-lesson",
            Self::NoName => "no-name",
            Self::OtherName => "other-name",
            Self::NoQuestion => "unknown-question",
            Self::BadLesson => "bad-lesson",
        }
    }
}

/// Why a file of answers is not graded. It earns nothing then.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What is at fault.
    pub fault: Fault,
    /// In words, for whoever handed the answers in.
    pub message: String,
    /// For whoever runs the grading; it may quote the lesson.
    pub detail: Option<String>,
    /// The points that the answers could have earned; 0 where the lesson is not known.
    pub points: u32,
}

impl Refusal {
    /// A refusal.
    #[must_use]
    pub fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self { fault, message: message.into(), detail: None, points: 0 }
    }
}

/// What is wanted of a grading.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Only this question.
    pub question: Option<String>,
    /// The keys as well.
    pub solutions: bool,
    /// What there is to say about each answer as well.
    pub feedback: bool,
}

/// Where a question stands.
struct Asked {
    step: usize,
    at: Box<dyn Simulation>,
}

/// A lesson, ready to grade any number of files.
pub struct Grader {
    lesson: Arc<Lesson>,
    asked: Vec<Asked>,
    digest: String,
}

impl std::fmt::Debug for Grader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grader").field("lesson", &self.lesson.id).finish_non_exhaustive()
    }
}

impl Grader {
    /// Plays the lesson once and keeps every state about which it asks.
    ///
    /// # Errors
    /// Never for a checked lesson.
    pub fn new(lesson: Arc<Lesson>) -> Result<Self, ConfigError> {
        let _cluster = lesson.lab()?;
        let asks = |stop: Stop<'_>| {
            let at = stop.at.expect("`check` has played every event of the lesson");
            stop.step.question.as_ref().map(|_| Asked { step: stop.n, at })
        };
        let asked = lesson.walk().filter_map(asks).collect();
        let digest = digest(lesson.document().source().text());
        Ok(Self { lesson, asked, digest })
    }

    /// The lesson.
    #[must_use]
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The points that can be earned by what is wanted.
    #[must_use]
    pub fn points(&self, wanted: &Wanted) -> u32 {
        let all = self.lesson.questions().map(|question| question.common());
        let only = wanted.question.as_deref();
        all.filter(|common| only.is_none_or(|id| id == common.id)).map(|common| common.points).sum()
    }

    /// Grades the answers of one file.
    ///
    /// # Errors
    /// They belong to another lesson, or the one question that is wanted is none of this lesson's.
    pub fn grade(&self, answers: &Answers, wanted: &Wanted) -> Result<Report, Refusal> {
        let id = self.lesson.id.as_str();
        if let Some(other) = answers.lesson.as_deref().map(str::trim).filter(|l| *l != id) {
            let message = format!("these answers are for the lesson `{other}`, not for `{id}`");
            return Err(Refusal::new(Fault::OtherLesson, message));
        }
        if let Some(question) = &wanted.question
            && !self.ids().any(|known| known == question)
        {
            let message =
                format!("`{question}` is no question of `{id}`{}", self.nearest(question));
            return Err(Refusal::new(Fault::NoQuestion, message));
        }
        let mut tests: Vec<Graded> = Vec::new();
        for asked in &self.asked {
            let graded = self.mark(asked, answers, &tests, wanted);
            tests.push(graded);
        }
        tests.retain(|t| wanted.question.as_ref().is_none_or(|only| t.id == *only));
        Ok(Report {
            lesson: self.lesson.id.clone(),
            title: self.lesson.title.clone(),
            lesson_file: self.lesson.document().source().name().to_owned(),
            digest: self.digest.clone(),
            who: answers.who.as_deref().map(short).filter(|w| !w.is_empty()),
            drawn: self.lesson.drawn.clone(),
            tests,
            remarks: self.remarks(answers),
            warnings: answers.warning().map(str::to_owned).into_iter().collect(),
        })
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.lesson.questions().map(|q| q.common().id)
    }

    fn nearest(&self, id: &str) -> String {
        nearest(id, self.ids()).map_or(String::new(), |c| format!("; did you mean `{c}`?"))
    }

    /// Names in the file that no question has: an answer under one of them counts for nothing.
    fn remarks(&self, answers: &Answers) -> Vec<String> {
        let named = answers.answers.keys().chain(&answers.shown).map(|name| name.trim());
        let named = named.chain(answers.unread.keys().map(String::as_str));
        let mut unknown: Vec<&str> = named.filter(|n| !self.ids().any(|id| id == *n)).collect();
        unknown.dedup();
        let one = |name: &&str| {
            format!("`{}` is no question of this lesson{}", short(name), self.nearest(name))
        };
        let most = 10;
        let mut remarks = answers.remarks.clone();
        let questions = self.lesson.questions();
        let changed = questions.filter(|q| {
            let seen = answers.seen.get(q.common().id);
            seen.is_some_and(|seen| seen.trim() != seen::looks(*q))
        });
        remarks.extend(changed.map(|q| {
            let id = q.common().id;
            format!("`{id}` has changed since this file was made: what was picked then counts")
        }));
        remarks.extend(unknown.iter().take(most).map(one));
        if unknown.len() > most {
            let more = crate::input::count(unknown.len() - most, "more such name");
            remarks.push(format!("and {more}"));
        }
        remarks
    }

    /// Grades one question after those before it.
    fn mark(&self, asked: &Asked, answers: &Answers, before: &[Graded], wanted: &Wanted) -> Graded {
        let question = self.lesson.steps()[asked.step].question.as_deref();
        let question = question.expect("only steps that ask are kept");
        let common = question.common();
        let at = asked.at.as_ref();
        let right = |id: &str| before.iter().any(|t| t.id == id && t.outcome == Outcome::Right);
        let unmet = mark::unmet(question, right);
        let shown = answers.was_shown(common.id);
        let given = answers.given(question);
        // A fault of ours in one question must not take the other results along.
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let judged = match &given {
                Err(why) => (Outcome::Unread(why.clone()), None, None),
                // Nobody is failed for what the program does not judge.
                Ok(None) if by_hand(question) => (Outcome::ByHand, None, None),
                Ok(None) => (Outcome::Blank, None, None),
                Ok(Some(given)) => judge(question, given, at),
            };
            (judged, wanted.solutions.then(|| solution(question, at)))
        }));
        let broken = (Outcome::Broken, None, given.clone().unwrap_or_default());
        let ((outcome, verdict, actual), solution) = judged.unwrap_or((broken, None));
        let (outcome, mark) = match outcome {
            _ if !unmet.is_empty() => (Outcome::Skipped(unmet), Mark::skipped(question)),
            outcome => {
                let mark = Mark::of(question, 1, shown, verdict.as_ref());
                (if shown { Outcome::Shown } else { outcome }, mark)
            }
        };
        let helps = outcome == Outcome::Wrong;
        let told = helps || outcome == Outcome::Right;
        let verdict = verdict.filter(|_| wanted.feedback && told);
        let feedback = verdict.map_or_else(Vec::new, |verdict| said_of(question, verdict));
        Graded {
            id: common.id.to_owned(),
            kind: question.kind(),
            score: mark.score,
            max: mark.max,
            by_hand: if by_hand(question) { f64::from(question.shared().points) } else { 0.0 },
            // Who marks by hand reads all of it.
            actual: actual.map(|a| if outcome == Outcome::ByHand { a } else { short(&a) }),
            help: common.hints.first().filter(|_| helps).cloned(),
            feedback,
            after: common.after.to_vec(),
            line: self.line_of(asked.step, question),
            outcome,
            solution,
        }
    }

    fn line_of(&self, step: usize, question: &dyn Question) -> usize {
        let path = Path::root().key("steps").index(step).key(question.kind());
        self.lesson.document().key(path).line
    }
}

/// Reads and checks an answer: what came of it, the verdict, and how it was understood.
fn judge(
    question: &dyn Question,
    given: &str,
    at: &dyn Simulation,
) -> (Outcome, Option<Verdict>, Option<String>) {
    let answer = match question.read(given) {
        Ok(answer) => answer,
        Err(hint) => return (Outcome::Form(hint.0), None, Some(given.to_owned())),
    };
    if by_hand(question) {
        return (Outcome::ByHand, None, Some(answer.0));
    }
    let verdict = question.check(&answer, at);
    let outcome = if verdict.right { Outcome::Right } else { Outcome::Wrong };
    let actual = verdict.actual.clone();
    (outcome, Some(verdict), Some(actual))
}

/// What there is to say about an answer, without the key. The verdict on what was seen to happen tells
/// it; so of a wrong one only what the author says about it.
fn said_of(question: &dyn Question, verdict: Verdict) -> Vec<String> {
    if verdict.right || !question.once() {
        return verdict.lines;
    }
    question.common().feedback.get(&verdict.actual).cloned().into_iter().collect()
}

/// Whether a person marks the answers.
fn by_hand(question: &dyn Question) -> bool {
    !question.graded()
}

fn solution(question: &dyn Question, at: &dyn Simulation) -> Solution {
    let right = question.reference(at);
    let picks = question.picks();
    let text = picks.iter().find(|p| p.id == right.0).map_or(&right.0, |p| &p.text);
    let mut lines = vec![text.clone()];
    lines.extend(question.reasons(at));
    lines.extend(question.common().explain.map(|e| e.trim().to_owned()));
    Solution { expected: right.0, lines }
}

/// A learner's text, cut where it is very long.
fn short(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::OrderedMap;
    use crate::lesson::Library;
    use crate::lesson::file::Misfit;
    use crate::lesson::question::{Answer, Common, Defined, FormHint, Reveal};

    #[test]
    fn a_learners_text_is_cut_between_characters() {
        assert_eq!(short(&"é".repeat(600)).chars().count(), MOST_CHARS + 1);
        assert_eq!(short("  P2\n"), "P2");
    }

    /// A question with a fault of ours.
    #[derive(Debug)]
    struct Faulty(OrderedMap<String, String>);

    impl Defined for Faulty {
        fn kind(&self) -> &'static str {
            "choice"
        }
        fn shared(&self) -> Common<'_> {
            Common {
                id: "faulty",
                prompt: "?",
                points: 1,
                hints: &[],
                explain: None,
                feedback: &self.0,
                after: &[],
                attempts: None,
                reveal: Reveal::OnRequest,
                objective: None,
            }
        }
    }

    impl Question for Faulty {
        fn reads(&self, raw: &str) -> Result<Answer, FormHint> {
            Ok(Answer(raw.to_owned()))
        }
        fn check(&self, _: &Answer, _: &dyn Simulation) -> Verdict {
            panic!("a fault that the test has made")
        }
        fn reference(&self, _: &dyn Simulation) -> Answer {
            Answer(String::new())
        }
        fn misfits(&self, _: Option<&dyn Simulation>) -> Vec<Misfit> {
            Vec::new()
        }
    }

    #[test]
    fn a_fault_of_ours_in_one_question_leaves_the_others_their_results() {
        let lesson = Library::embedded().open("ricart-agrawala-race").expect("it is shipped");
        let mut lesson = Arc::into_inner(lesson).expect("nobody else has it");
        let first = lesson.steps.iter().position(|s| s.question.is_some()).expect("it asks");
        lesson.steps[first].question = Some(Box::new(Faulty(OrderedMap::new())));
        let grader = Grader::new(Arc::new(lesson)).expect("a cluster");
        let answers = "answers: {faulty: a, p3-replies: reply}".as_bytes();
        let answers = Answers::read("a.yaml", answers).expect("it reads");
        let report = grader.grade(&answers, &Wanted::default()).expect("it is graded");
        let status: Vec<Status> = report.tests.iter().map(Graded::status).collect();
        assert_eq!(status[..3], [Status::Error, Status::Passed, Status::Failed]);
        assert_eq!((report.score().0, report.passed()), (1.0, false));
    }
}
