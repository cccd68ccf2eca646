//! A lesson in lines: its pages, its questions, what can be answered and how that is typed.
//!
//! What is right, and what comes next, is the lesson's business.

use super::lines::Lines;
use super::play::Play;
use crate::export::phrases;
use crate::input::count;
use crate::lab::Lab;
use crate::lesson::question::forms::letter;
use crate::lesson::question::{Playing, Way};
use crate::lesson::{OBJECTIVES, QuestionState, QuestionView};
use crate::session::AnswerDraft;

impl Play {
    pub(super) fn page_number(&self, lines: &mut Lines) {
        if let Some(learner) = self.learner() {
            let (page, of) = learner.page();
            lines.say(format!("Page {page} of {of}."));
        }
    }

    /// The page: its number, its words, its question where that is due.
    pub(super) fn page(&self, lines: &mut Lines) {
        self.page_number(lines);
        if let Some(say) = self.learner().and_then(|l| l.say()) {
            lines.prose(say);
        }
        let begins = self.learner().filter(|l| (l.moment().step, l.moment().played) == (0, 0));
        for (i, (sentence, ..)) in begins.into_iter().flat_map(|l| l.objectives()).enumerate() {
            if i == 0 {
                lines.say(OBJECTIVES);
            }
            lines.item("  ", sentence);
        }
        self.question(lines);
    }

    /// A page that was turned to: what the page before said is not said again.
    pub(super) fn turned(&self, lines: &mut Lines) {
        self.page_number(lines);
        if let Some(say) = self.learner().and_then(|l| l.step().say.as_deref()) {
            lines.prose(say);
        }
        self.question(lines);
    }

    /// The page's question, if it is due; what was said about it, if it is closed.
    pub(super) fn question(&self, lines: &mut Lines) {
        let Some(question) = self.session.question() else { return };
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
        let finished = self.learner().filter(|l| l.finished());
        let Some(score) = finished.map(|learner| learner.score_in_words()) else { return };
        if std::mem::replace(&mut self.told_end, true) {
            return;
        }
        lines.gap();
        lines.say("The lesson is finished.");
        if let Some(score) = score {
            lines.say(format!("Score: {score}."));
        }
        let achieved = self.learner().into_iter().flat_map(|learner| learner.objectives());
        for (sentence, right, of) in achieved.filter(|(_, _, of)| *of > 0) {
            lines.item("  ", format!("{sentence}: {right} of {of}"));
        }
        lines.say("Explore freely, `home` goes to the list, `quit` leaves.");
    }

    /// Where one stands in the lesson.
    pub(super) fn where_in_lesson(&self, lines: &mut Lines) {
        let Some(learner) = self.learner() else { return };
        let (page, of) = learner.page();
        if self.session.exploring() {
            lines.say(format!("You are exploring; `lesson` goes back to page {page} of {of}."));
        } else if self.session.open_question().is_some() {
            lines.say(format!("Page {page} of {of}; its question waits, `lesson` shows it."));
        } else {
            lines.say(format!("Page {page} of {of}."));
        }
    }

    pub(super) fn blocked(&self, lines: &mut Lines) {
        lines.say("Answer first, or explore: `ask P1`, `deliver 1` and the like.");
        if let Some(question) = self.session.open_question() {
            self.how(&question, lines);
        }
        lines.say("`lesson` shows the question again, `hint` helps.");
    }

    /// What can be picked, filled in or decided, and how that is typed.
    fn options(&self, question: &QuestionView, lines: &mut Lines) {
        for (place, pick) in question.picks.iter().enumerate() {
            lines.marked_prose(&format!("  {}. ", letter(place)), &pick.text);
        }
        match &question.way {
            Way::Cells(cells) => lines.item("  Cells: ", phrases::list(cells.iter())),
            Way::Decide(_) => self.decisions(lines),
            Way::PickOne | Way::PickMany | Way::Arrange | Way::Write | Way::Play(_) => {}
        }
        self.how(question, lines);
    }

    /// The messages at which one node decides.
    fn decisions(&self, lines: &mut Lines) {
        let Some(learner) = self.learner() else { return };
        let names = &self.lab().setup().names;
        for (i, decision) in learner.decisions(self.lab()).iter().enumerate() {
            let before = phrases::list(decision.before.iter().map(|e| e.show(names)));
            let before = if before.is_empty() { before } else { format!(", after {before}") };
            lines.item(&format!("{:>3}. ", i + 1), format!("{}{before}", decision.text));
        }
    }

    /// How an open question is answered.
    fn how(&self, question: &QuestionView, lines: &mut Lines) {
        match (&question.way, question.picks.len()) {
            (Way::PickOne, 2) => lines.say("Answer with a or b, its number, or the text."),
            (Way::PickOne, n) => {
                let last = letter(n.saturating_sub(1));
                lines.say(format!("Answer with a letter, a to {last}, its number, or the text."));
            }
            _ => self.how_it_looks(lines),
        }
        match &question.way {
            Way::PickOne | Way::PickMany | Way::Arrange | Way::Decide(_) => {}
            Way::Write => lines.say("`answer` before it, where it could be taken for a command."),
            Way::Cells(_) => how_to_fill(question, lines),
            Way::Play(playing) => self.how_to_play(playing, lines),
        }
    }

    /// What the question says to an answer that holds nothing is how one has to look.
    pub(super) fn how_it_looks(&self, lines: &mut Lines) {
        let asked = self.learner().and_then(|l| l.step().question.as_deref());
        if let Some(Err(form)) = asked.map(|q| q.read("")) {
            lines.prose(&form.0);
        }
    }

    /// The goal of an answer that is played, what may be played, and how it is handed in.
    fn how_to_play(&self, playing: &Playing, lines: &mut Lines) {
        let own = playing.config.clone().and_then(|config| Lab::new(*config).ok());
        let lab = own.as_ref().unwrap_or(self.lab());
        if own.is_some() {
            let nodes = phrases::list(lab.setup().names.iter());
            let title = lab.title();
            lines.say(format!("It has a cluster of its own: {title}, with {nodes}."));
        }
        let said = |text: &String| {
            lab.goal(text).map_or(text.clone(), |goal| goal.said(&lab.setup().names))
        };
        let mut rules = vec![format!("Goal: {}.", said(&playing.goal))];
        rules.extend(playing.never.as_ref().map(|never| format!("Never: {}.", said(never))));
        rules.extend(playing.at_most.map(|most| format!("At most {}.", count(most, "event"))));
        rules.extend(playing.par.map(|par| format!("Par is {par}.")));
        for (word, list) in [("Allowed too", &playing.allow), ("Not allowed", &playing.forbid)] {
            if !list.is_empty() {
                rules.push(format!("{word}: {}.", list.join(", ")));
            }
        }
        lines.say(rules.join(" "));
        if let Some(start) = &playing.start {
            let start = phrases::list(start.iter().map(|event| event.show(&lab.setup().names)));
            lines.say(match start.as_str() {
                "" => "It begins where nothing has happened yet.".to_owned(),
                start => format!("It begins after {start}, from the start."),
            });
        }
        lines.say(
            "`answer` alone begins an answer line by line; each event is played as you write it.",
        );
        if playing.annotate.is_empty() && own.is_none() {
            lines.say(
                "Or play it: any event leaves the lesson, and `answer played` hands in what was played.",
            );
        }
        if playing.impossible {
            lines.say("`answer impossible` says that it cannot be done.");
        }
    }
}

/// How a table is filled in, and what is in it already.
fn how_to_fill(question: &QuestionView, lines: &mut Lines) {
    lines.say("One cell or several at a time; once none is empty, the answer is handed in.");
    let AnswerDraft::Cells(cells) = AnswerDraft::of(question) else { return };
    let filled = cells.filled();
    if filled.is_empty() {
        return;
    }
    lines.say(format!("So far: {}.", filled.join("; ")));
    let empty = phrases::list(cells.empty());
    if !empty.is_empty() {
        lines.say(format!("Still empty: {empty}."));
    }
}

pub(super) fn tell_hint(number: usize, of: usize, hint: &str, lines: &mut Lines) {
    lines.marked_prose(&format!("Hint {number} of {of}: "), hint);
}

/// What was said about a question that is closed.
fn closed(question: &QuestionView, lines: &mut Lines) {
    for line in question.said.iter().chain(&question.explanation) {
        lines.prose(line);
    }
}
