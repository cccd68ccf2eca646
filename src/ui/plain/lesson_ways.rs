//! Answers in lines: what can be picked, filled in, decided or played, and how that is typed.
//!
//! Whether an answer is right is the lesson's business; what is said about it is `lesson`'s.

use super::lines::{Lines, one_line};
use super::play::Play;
use super::{command, lesson_lines, panels};
use crate::export::phrases;
use crate::lab::Lab;
use crate::lesson::question::forms::{fold, letter};
use crate::lesson::question::{Playing, Way};
use crate::lesson::{QuestionState, QuestionView};
use crate::model::{Event, Schedule};
use crate::sim::KeptBack;

impl Play {
    /// Whether a line is an answer without the word `answer` before it.
    pub(super) fn is_answer(&self, line: &str) -> bool {
        let Some(question) = self.open_question() else { return false };
        let typed = fold(line);
        if typed.is_empty() {
            return false;
        }
        let between = |c: char| matches!(c, ' ' | ',' | ';' | '-' | '=' | '<' | '>');
        let words = || typed.split(between).filter(|w| !w.is_empty());
        match &question.way {
            Way::PickOne | Way::PickMany | Way::Arrange => {}
            Way::Write | Way::Cells(_) => return !command::begins_with_word(line),
            // Events alone may be meant for the cluster.
            Way::Play(_) => {
                let with_word = typed.split_whitespace().next().is_some_and(command::is_answer);
                return !with_word && (typed.contains("=>") || !command::begins_with_word(line));
            }
            Way::Decide(known) => {
                let known = |w: &str| known.iter().any(|k| fold(k) == w);
                return words().all(known) || !command::begins_with_word(line);
            }
        }
        let last = letter(question.picks.len() - 1);
        let is_number = |w: &str| w.bytes().all(|b| b.is_ascii_digit());
        let is_letter = |w: &str| w.len() == 1 && w.chars().all(|c| ('a'..=last).contains(&c));
        words().all(|w| is_number(w) || is_letter(w))
            || question
                .picks
                .iter()
                .any(|p| fold(&p.text) == typed || fold(&one_line(&p.text)) == typed)
    }

    /// What can be picked, filled in or decided, and how that is typed.
    pub(super) fn options(&self, question: &QuestionView, lines: &mut Lines) {
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
        let Some(learner) = &self.learner else { return };
        let names = &self.lab.setup().names;
        for (i, decision) in learner.decisions(&self.lab).iter().enumerate() {
            let before = phrases::list(decision.before.iter().map(|e| e.show(names)));
            let before = if before.is_empty() { before } else { format!(", after {before}") };
            lines.item(&format!("{:>3}. ", i + 1), format!("{}{before}", decision.text));
        }
    }

    /// How an open question is answered.
    pub(super) fn how(&self, question: &QuestionView, lines: &mut Lines) {
        match (&question.way, question.picks.len()) {
            (Way::PickOne, 2) => lines.say("Answer with a or b, its number, or the text."),
            (Way::PickOne, n) => {
                let last = letter(n.saturating_sub(1));
                lines.say(format!("Answer with a letter, a to {last}, its number, or the text."));
            }
            // What the question says to an answer that holds nothing is how one has to look.
            _ => {
                let asked = self.learner.as_ref().and_then(|l| l.step().question.as_deref());
                if let Some(Err(form)) = asked.map(|q| q.read("")) {
                    lines.prose(&form.0);
                }
            }
        }
        match &question.way {
            Way::PickOne | Way::PickMany | Way::Arrange | Way::Decide(_) => {}
            Way::Write => lines.say("`answer` before it, where it could be taken for a command."),
            Way::Cells(cells) => self.how_to_fill(cells, lines),
            Way::Play(playing) => self.how_to_play(playing, lines),
        }
    }

    /// How a table is filled in, and what is in it already.
    fn how_to_fill(&self, cells: &[String], lines: &mut Lines) {
        lines.say("One cell or several at a time; once none is empty, the answer is handed in.");
        let filled = self.cells(None).unwrap_or_default();
        if !filled.is_empty() {
            lines.say(format!("So far: {}.", written(&filled)));
        }
        let empty = cells.iter().filter(|label| !filled.iter().any(|(known, _)| known == *label));
        let empty = phrases::list(empty);
        if !empty.is_empty() && !filled.is_empty() {
            lines.say(format!("Still empty: {empty}."));
        }
    }

    /// The cells that are filled in, with those of a line that was typed now.
    ///
    /// # Errors
    /// How the line has to look.
    fn cells(&self, line: Option<&str>) -> Result<Vec<(String, String)>, String> {
        let Some(learner) = &self.learner else { return Ok(Vec::new()) };
        let (Some(view), Some(question)) = (learner.question(), learner.step().question.as_deref())
        else {
            return Ok(Vec::new());
        };
        let wrong = view.answer.filter(|_| view.state == QuestionState::Wrong);
        let before = view.draft.or(wrong).map(|kept| question.read(&kept).map(|answer| answer.0));
        let mut all = before.and_then(Result::ok).map_or_else(Vec::new, |kept| parts(&kept));
        if let Some(line) = line {
            let new = question.read(line).map_err(|form| form.0)?.0;
            for (label, value) in parts(&new) {
                match all.iter_mut().find(|(known, _)| *known == label) {
                    Some(cell) => cell.1 = value,
                    None => all.push((label, value)),
                }
            }
        }
        Ok(all)
    }

    /// Fills in the cells of a line; the last one hands the answer in.
    pub(super) fn fill(&mut self, labels: &[String], line: &str, lines: &mut Lines) {
        let filled = match self.cells(Some(line)) {
            Ok(filled) => filled,
            Err(form) => return lines.prose(&form),
        };
        let raw = written(&filled);
        if let Some(learner) = &mut self.learner {
            learner.keep_draft(Some(raw.clone()));
        }
        let empty = labels.iter().filter(|label| !filled.iter().any(|(known, _)| known == *label));
        match phrases::list(empty) {
            none if none.is_empty() => {
                self.answer(&raw, lines);
            }
            empty => lines.say(format!("Noted. Still empty: {empty}.")),
        }
    }

    /// The goal of an answer that is played, what may be played, and how it is handed in.
    fn how_to_play(&self, playing: &Playing, lines: &mut Lines) {
        let own = playing.config.clone().and_then(|config| Lab::new(*config).ok());
        let lab = own.as_ref().unwrap_or(&self.lab);
        if own.is_some() {
            let nodes = phrases::list(lab.setup().names.iter());
            let title = lab.title();
            lines.say(format!("It has a cluster of its own: {title}, with {nodes}."));
        }
        let mut rules = vec![format!("Goal: {}.", playing.goal)];
        rules.extend(playing.never.as_ref().map(|never| format!("Never: {never}.")));
        rules.extend(
            playing.at_most.map(|most| format!("At most {}.", crate::input::count(most, "event"))),
        );
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

    /// The events from the lesson's point to where one stands, one a line.
    fn played(&self) -> Result<String, &'static str> {
        self.played_events().map(|events| Schedule(events).show(&self.lab.setup().names))
    }

    /// The events from where the question begins to where one stands.
    pub(super) fn played_events(&self) -> Result<Vec<Event>, &'static str> {
        let Some(learner) = &self.learner else { return Err("Answers are for lessons.") };
        let way = learner.question().map(|q| q.way);
        let Some(Way::Play(playing)) = way else {
            return Err("This question is not answered by playing.");
        };
        if playing.config.is_some() {
            return Err("This question has a cluster of its own: write its events.");
        }
        let history = self.lab.history();
        let events = |rev| -> Vec<Event> {
            history.records(rev).iter().map(|record| record.event).collect()
        };
        let start = playing.start.unwrap_or_else(|| events(learner.moment().rev));
        let all = events(history.cursor());
        match all.strip_prefix(start.as_slice()) {
            None => Err(
                "What you played does not go on from where the question begins: `lesson` goes back.",
            ),
            Some([]) => Err("Nothing was played since the question's point."),
            Some(played) => Ok(played.to_vec()),
        }
    }

    /// `answer played`: hands in what was played since the lesson's point, and goes back there.
    fn hand_in(&mut self, lines: &mut Lines) {
        match self.played() {
            Ok(raw) => {
                if let Some(learner) = &mut self.learner {
                    learner.return_to_lesson(&mut self.lab);
                }
                lines.say("Back at the lesson's point.");
                self.answer(&raw, lines);
            }
            Err(why) => lines.say(why),
        }
    }

    /// `answer …`; alone, for a question that is answered in writing, it opens an answer of several lines.
    pub(super) fn answer_command(&mut self, raw: &str, lines: &mut Lines) {
        let way = self.learner.as_ref().and_then(|l| l.question()).map(|q| q.way);
        if fold(raw) == "played" && matches!(way, Some(Way::Play(_))) {
            return self.hand_in(lines);
        }
        let question = self.open_question().filter(|q| q.picks.is_empty());
        if let Some(QuestionView { way: Way::Cells(labels), .. }) = &question {
            return self.fill(labels, raw, lines);
        }
        if let Some(question) = question.filter(|_| raw.is_empty()) {
            let begun = lesson_lines::begun(&question);
            lines.say("Write the answer, line by line; an empty line hands it in.");
            if let Way::Play(playing) = &question.way {
                lines.say(lesson_lines::WHILE_WRITING);
                if let Some(lab) = self.lab_behind(playing, &begun) {
                    panels::state(&lab, lines);
                    panels::flight(&lab, &KeptBack::default(), lines);
                }
            }
            if !begun.is_empty() {
                lines.say("So far, and a dash alone takes the last line back:");
                for (i, line) in begun.iter().enumerate() {
                    lines.item(&format!("{:>3}. ", i + 1), line);
                }
            }
            self.asking.written = Some(begun);
            return;
        }
        self.answer(raw, lines);
    }

    /// A line that is an answer by itself, without a word before it.
    pub(super) fn answer_line(&mut self, line: &str, lines: &mut Lines) {
        match self.open_question().map(|question| question.way) {
            Some(Way::Cells(labels)) => self.fill(&labels, line, lines),
            _ => {
                self.answer(line, lines);
            }
        }
    }
}

/// The cells of an answer: label and value.
fn parts(answer: &str) -> Vec<(String, String)> {
    let cells = answer.split("; ").filter_map(|cell| cell.split_once('='));
    cells.map(|(label, value)| (label.to_owned(), value.to_owned())).collect()
}

/// Cells as one text.
fn written(cells: &[(String, String)]) -> String {
    cells.iter().map(|(label, value)| format!("{label}={value}")).collect::<Vec<_>>().join("; ")
}
