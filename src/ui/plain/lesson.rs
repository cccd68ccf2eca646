//! A lesson in lines: its pages, its questions, the answers and what is said about them.
//!
//! What is right, and what comes next, is the lesson's business.

use super::lines::Lines;
use super::panels;
use super::play::{Done, Play};
use crate::lesson::{Answered, QuestionState, QuestionView};

/// What is remembered between two lines.
#[derive(Debug, Default)]
pub(super) struct Questioning {
    /// The solution was asked for once; the second time it is shown.
    wants_solution: bool,
    /// The lines of an answer that is being written.
    pub(super) written: Option<Vec<String>>,
    /// The end of the lesson has been told.
    told_end: bool,
}

impl Questioning {
    pub(super) fn forget_solution(&mut self) {
        self.wants_solution = false;
    }
}

impl Play {
    /// The page's question, where it is due and the learner is not elsewhere.
    pub(super) fn asked(&self) -> Option<QuestionView> {
        if self.exploring() {
            return None;
        }
        self.learner.as_ref().and_then(crate::lesson::Learner::question)
    }

    pub(super) fn open_question(&self) -> Option<QuestionView> {
        self.asked().filter(|q| !q.state.closed())
    }

    pub(super) fn question_waits(&self) -> bool {
        self.open_question().is_some()
    }

    pub(super) fn page_number(&self, lines: &mut Lines) {
        if let Some(learner) = &self.learner {
            let (page, of) = learner.page();
            lines.say(format!("Page {page} of {of}."));
        }
    }

    /// The page: its number, its words, its question where that is due.
    pub(super) fn page(&self, lines: &mut Lines) {
        self.page_number(lines);
        if let Some(say) = self.learner.as_ref().and_then(|l| l.say()) {
            lines.prose(say);
        }
        self.question(lines);
    }

    /// A page that was turned to: what the page before said is not said again.
    pub(super) fn turned(&self, lines: &mut Lines) {
        self.page_number(lines);
        if let Some(say) = self.learner.as_ref().and_then(|l| l.step().say.as_deref()) {
            lines.prose(say);
        }
        self.question(lines);
    }

    /// The page's question, if it is due; what was said about it, if it is closed.
    pub(super) fn question(&self, lines: &mut Lines) {
        let Some(question) = self.asked() else { return };
        lines.gap();
        if question.state == QuestionState::Skipped {
            return question.said.iter().for_each(|line| lines.prose(line));
        }
        lines.marked_prose("Question: ", &question.prompt);
        if question.state.closed() {
            return closed(&question, lines);
        }
        self.options(&question, lines);
        for (i, hint) in question.hints.iter().enumerate() {
            tell_hint(i + 1, question.hints_in_all, hint, lines);
        }
    }

    /// Tells how the lesson ended, once.
    pub(super) fn tell_end(&mut self, lines: &mut Lines) {
        let Some(learner) = self.learner.as_ref().filter(|l| l.finished()) else { return };
        if std::mem::replace(&mut self.asking.told_end, true) {
            return;
        }
        lines.gap();
        lines.say("The lesson is finished.");
        if let Some(score) = learner.score_in_words() {
            lines.say(format!("Score: {score}."));
        }
        lines.say("Explore freely, `home` goes to the list, `quit` leaves.");
    }

    /// Where one stands in the lesson.
    pub(super) fn where_in_lesson(&self, lines: &mut Lines) {
        let Some(learner) = &self.learner else { return };
        let (page, of) = learner.page();
        if self.exploring() {
            lines.say(format!("You are exploring; `lesson` goes back to page {page} of {of}."));
        } else if self.question_waits() {
            lines.say(format!("Page {page} of {of}; its question waits, `lesson` shows it."));
        } else {
            lines.say(format!("Page {page} of {of}."));
        }
    }

    pub(super) fn return_to_lesson(&mut self, lines: &mut Lines) {
        let exploring = self.exploring();
        let Some(learner) = &mut self.learner else {
            return lines.say("No lesson is open; `home` lists them.");
        };
        if exploring {
            learner.return_to_lesson(&mut self.lab);
            lines.say("Back at the lesson's point.");
            lines.say(panels::place(&self.lab));
        }
        self.page(lines);
    }

    pub(super) fn blocked(&self, lines: &mut Lines) -> Done {
        lines.say("Answer first, or explore: `ask P1`, `deliver 1` and the like.");
        if let Some(question) = self.open_question() {
            self.how(&question, lines);
        }
        lines.say("`lesson` shows the question again, `hint` helps.");
        Done::Refused
    }

    /// Takes an answer. Says whether it was one, so that it was checked.
    pub(super) fn answer(&mut self, raw: &str, lines: &mut Lines) -> bool {
        self.asking.forget_solution();
        if self.exploring() {
            lines.say("The question waits where you left the lesson: `lesson` goes back.");
            return false;
        }
        let Some(learner) = &mut self.learner else {
            lines.say("Answers are for lessons; `home` lists them.");
            return false;
        };
        let before = self.lab.history().cursor();
        match learner.answer(&mut self.lab, raw) {
            Answered::Form(how) => {
                lines.prose(&how);
                let number = raw.trim();
                let picked = self.open_question().is_some_and(|q| !q.picks.is_empty());
                if picked && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
                    lines.say(format!("`deliver {number}` would deliver message {number}."));
                }
            }
            Answered::Closed(why) => lines.say(why),
            Answered::Verdict { lines: said, .. } => {
                for line in said {
                    lines.prose(&line);
                }
                self.after_answer(before, lines);
                return true;
            }
        }
        false
    }

    /// What there is to say once an answer was checked, or the solution shown.
    fn after_answer(&mut self, before: crate::sim::RevId, lines: &mut Lines) {
        let Some(question) = self.learner.as_ref().and_then(|l| l.question()) else { return };
        if let Some(why) = &question.explanation {
            lines.prose(why);
        }
        let here = self.lab.history().cursor();
        if here != before {
            let step = self.lab.state().steps();
            lines.say(format!("It has really happened, as step {step}."));
            panels::changes(&self.lab, lines);
        }
        if question.state.closed() {
            if self.learner.as_ref().is_some_and(|l| !l.finished()) {
                lines.say("Enter goes on.");
            }
        } else {
            lines.say("Try again; `hint` helps, and `solution` shows the answer.");
        }
        self.tell_end(lines);
    }

    pub(super) fn hint(&mut self, lines: &mut Lines) {
        if self.exploring() {
            return lines.say("Hints are for the lesson's question: `lesson` goes back to it.");
        }
        let Some(learner) = &mut self.learner else {
            return lines.say("Hints are for lessons; `help` lists what can be typed.");
        };
        let hint = learner.hint();
        match (hint, learner.question()) {
            (Some(hint), Some(q)) => tell_hint(q.hints.len(), q.hints_in_all, &hint, lines),
            (_, None) => lines.say("There is no question here yet."),
            (None, Some(q)) if q.state.closed() => lines.say("This question is closed."),
            (None, Some(_)) => lines.say("There are no more hints; `solution` shows the answer."),
        }
    }

    pub(super) fn solution(&mut self, lines: &mut Lines) {
        if self.exploring() {
            return lines.say("The question waits where you left the lesson: `lesson` goes back.");
        }
        let Some(learner) = &mut self.learner else {
            return lines.say("Solutions are for lessons; `home` lists them.");
        };
        let open = learner.question().is_some_and(|q| !q.state.closed());
        if open && !std::mem::replace(&mut self.asking.wants_solution, true) {
            return lines.say(
                "Type `solution` once more to see it; the question then counts as shown, not as answered.",
            );
        }
        self.asking.wants_solution = false;
        let before = self.lab.history().cursor();
        match learner.show_solution(&mut self.lab) {
            Ok(said) => {
                for line in said {
                    lines.prose(&line);
                }
                self.after_answer(before, lines);
            }
            Err(reason) => lines.say(reason),
        }
    }
}

fn tell_hint(number: usize, of: usize, hint: &str, lines: &mut Lines) {
    lines.marked_prose(&format!("Hint {number} of {of}: "), hint);
}

/// What was said about a question that is closed.
fn closed(question: &QuestionView, lines: &mut Lines) {
    for line in question.said.iter().chain(&question.explanation) {
        lines.prose(line);
    }
}
