//! Answers in lines: what is an answer by itself, and one of several lines while it is written.
//!
//! Where it is played, each line is played by the session as it is written; whether it is right is the
//! lesson's business.

use super::lines::{Lines, one_line};
use super::panels;
use super::play::{Done, Play};
use crate::export::phrases;
use crate::lesson::QuestionView;
use crate::lesson::question::Way;
use crate::lesson::question::drive::{IMPOSSIBLE, says_impossible};
use crate::lesson::question::forms::{self, fold, letter};
use crate::session::words::{self, Said, Word};
use crate::session::{AnswerDraft, Command, Remark};

/// What can be typed while an answer is written that is played.
const WHILE_WRITING: &str = "An event, or the number of a message that arrives; `state`, \
    `flight`, `why`, `rules`, `log` and `hint` read on. A dash alone takes the last line back, an empty \
    line hands it in, and `lesson` puts it aside.";

/// What is said when it is.
const PUT_ASIDE: &str = "Put aside; what you wrote is kept: `answer` alone goes on with it.";

impl Play {
    /// Whether a line is an answer without the word `answer` before it.
    pub(super) fn is_answer(&self, line: &str) -> bool {
        let Some(question) = self.session.open_question() else { return false };
        let typed = fold(line);
        if typed.is_empty() {
            return false;
        }
        let between = |c: char| matches!(c, ' ' | ',' | ';' | '-' | '=' | '<' | '>');
        let words = || typed.split(between).filter(|w| !w.is_empty());
        match &question.way {
            Way::PickOne | Way::PickMany | Way::Arrange => {}
            Way::Write | Way::Cells(_) => return !words::begins_with_word(line),
            // Events alone may be meant for the cluster.
            Way::Play(_) => {
                let with_word = typed.split_whitespace().next().is_some_and(words::is_answer);
                return !with_word && (typed.contains("=>") || !words::begins_with_word(line));
            }
            Way::Decide(known) => {
                let known = |w: &str| known.iter().any(|k| fold(k) == w);
                return words().all(known) || !words::begins_with_word(line);
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

    /// The words of which one is said of events of the answer.
    pub(super) fn words_to_say(&self) -> &[String] {
        match self.session.answer() {
            Some(AnswerDraft::Played(play)) => &play.how.annotate,
            _ => &[],
        }
    }

    /// `answer …`; alone, for a question that is answered in writing, it opens an answer of several lines.
    pub(super) fn answer_command(&mut self, raw: &str, lines: &mut Lines) {
        let question = self.session.open_question().filter(|q| q.picks.is_empty());
        let asked = self.learner().and_then(|learner| learner.question());
        let played = asked.is_some_and(|question| matches!(question.way, Way::Play(_)));
        match question {
            _ if played && fold(raw) == "played" => {
                self.perform(Command::AnswerPlayed, lines);
            }
            Some(QuestionView { way: Way::Cells(_), .. }) => self.fill(raw, lines),
            Some(_) if raw.is_empty() => self.begin(lines),
            _ => {
                self.perform(Command::Answer(raw.to_owned()), lines);
            }
        }
    }

    /// A line that is an answer by itself, without a word before it.
    pub(super) fn answer_line(&mut self, line: &str, lines: &mut Lines) {
        match self.session.open_question().map(|question| question.way) {
            Some(Way::Cells(_)) => self.fill(line, lines),
            _ => {
                self.perform(Command::Answer(line.to_owned()), lines);
            }
        }
    }

    /// Fills in the cells of a line; the last one hands the answer in.
    fn fill(&mut self, line: &str, lines: &mut Lines) {
        let question = self.learner().and_then(|learner| learner.step().question.as_deref());
        let filled = match question.map(|question| question.read(line)) {
            Some(Ok(filled)) => filled.0,
            Some(Err(form)) => return lines.prose(&form.0),
            None => return,
        };
        self.perform(Command::Open, lines);
        let Some(AnswerDraft::Cells(cells)) = self.session.answer() else { return };
        let mut cells = cells.clone();
        cells.fill(&filled);
        for (i, value) in cells.values().iter().enumerate() {
            self.session.act(Command::Write(i, value.clone()));
        }
        match phrases::list(cells.empty()) {
            none if none.is_empty() => drop(self.perform(Command::HandIn, lines)),
            empty => lines.say(format!("Noted. Still empty: {empty}.")),
        }
        self.session.act(Command::PutAside);
    }

    /// An answer of several lines begins, or goes on.
    fn begin(&mut self, lines: &mut Lines) {
        self.impossible = false;
        self.perform(Command::Open, lines);
        let (played, begun) = match self.session.answer() {
            Some(AnswerDraft::Decided(_)) => return self.next_decision(lines),
            Some(AnswerDraft::Played(play)) => (true, play.lines(self.lab()).unwrap_or_default()),
            Some(AnswerDraft::Line(text)) => {
                (false, text.lines().filter(|l| !l.is_empty()).map(str::to_owned).collect())
            }
            _ => return,
        };
        lines.say("Write the answer, line by line; an empty line hands it in.");
        if played {
            lines.say(WHILE_WRITING);
            panels::state(self.lab(), lines);
            panels::flight(self.lab(), self.session.kept(), lines);
        }
        if !begun.is_empty() {
            lines.say("So far, and a dash alone takes the last line back:");
            for (i, line) in begun.iter().enumerate() {
                lines.item(&format!("{:>3}. ", i + 1), line);
            }
        }
    }

    /// Takes a line of an answer that is being written.
    pub(super) fn write(&mut self, line: &str, lines: &mut Lines) {
        match (line.trim(), self.session.answer()) {
            (line, Some(AnswerDraft::Decided(decide))) => {
                let words = decide.words().to_vec();
                self.decide(line, &words, lines);
            }
            ("", _) => self.hand_in_written(lines),
            ("-" | "–", Some(AnswerDraft::Line(text))) => {
                let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
                let said = match last {
                    "" => "There is no line to take back.".to_owned(),
                    last => format!("Taken back: {last}"),
                };
                let before = before.to_owned();
                lines.say(said);
                self.session.act(Command::Write(0, before));
            }
            (line, Some(AnswerDraft::Line(text))) => {
                let text =
                    if text.is_empty() { line.to_owned() } else { format!("{text}\n{line}") };
                self.session.act(Command::Write(0, text));
            }
            ("-" | "–", _) if std::mem::take(&mut self.impossible) => {
                lines.say(format!("Taken back: {IMPOSSIBLE}"));
            }
            ("-" | "–", _) => drop(self.perform(Command::Back, lines)),
            (line, _) => self.write_events(line, lines),
        }
    }

    /// Hands in what was written. What could not be read is kept.
    fn hand_in_written(&mut self, lines: &mut Lines) {
        // Who has found out that it cannot be done says so, whatever was tried before.
        let command = if std::mem::take(&mut self.impossible) {
            Command::Impossible
        } else {
            Command::HandIn
        };
        let remarks = self.session.act(command.clone());
        remarks.iter().for_each(|remark| self.tell(&command, remark, lines));
        match remarks.first() {
            // What was handed in before goes on from where it is wrong.
            Some(Remark::BeforeWrong(_) | Remark::PlayedBefore | Remark::OtherRun) => return,
            Some(Remark::NothingPlayed) => self.how_it_looks(lines),
            Some(Remark::Form(_)) if self.begun() => {
                lines.say("What you wrote is kept: `answer` alone goes on with it.");
            }
            _ => {}
        }
        self.session.act(Command::PutAside);
    }

    fn begun(&self) -> bool {
        match self.session.answer() {
            Some(AnswerDraft::Line(text)) => !text.is_empty(),
            Some(AnswerDraft::Played(play)) => {
                play.lines(self.lab()).is_some_and(|lines| !lines.is_empty())
            }
            _ => false,
        }
    }

    /// Plays the events of a line, as far as they are possible.
    fn write_events(&mut self, line: &str, lines: &mut Lines) {
        for line in line.split(';').map(str::trim).filter(|line| !line.is_empty()) {
            let Some(AnswerDraft::Played(play)) = self.session.answer() else { return };
            if self.impossible {
                return lines.say("`impossible` is said; a dash alone takes it back.");
            }
            if play.how.impossible && says_impossible(line) {
                self.impossible = true;
                return lines.say("An empty line hands it in.");
            }
            if self.looks(line, lines) {
                continue;
            }
            if self.perform(Command::Lines(line.to_owned()), lines) == Done::Refused {
                self.session.act(Command::DoNotPlay);
                return;
            }
        }
    }

    /// Words that read and play nothing are heard while an answer is written, too. Returns whether it was
    /// such a word.
    fn looks(&mut self, line: &str, lines: &mut Lines) -> bool {
        let Ok(all) = words::read(line, &self.lab().setup().names) else { return false };
        let [said] = all.as_slice() else { return false };
        match said {
            Said::Why(node) => panels::why(self.lab(), *node, lines),
            Said::Log(words) => panels::log(self.lab(), words, lines),
            Said::Act(Command::Hint) => drop(self.perform(Command::Hint, lines)),
            Said::Word(Word::Help) => lines.say(WHILE_WRITING),
            Said::Act(Command::Return) | Said::Word(Word::Home | Word::Quit) => {
                self.session.act(Command::PutAside);
                lines.say(PUT_ASIDE);
            }
            Said::Word(word) => return panels::read(*word, self.lab(), self.session.kept(), lines),
            _ => return false,
        }
        true
    }

    /// A line while the learner is one node: a word for each message, one after the other.
    fn decide(&mut self, line: &str, known: &[String], lines: &mut Lines) {
        if line.is_empty() {
            return self.next_decision(lines);
        }
        for typed in line.split([' ', ',', ';']).filter(|word| !word.is_empty()) {
            let said = forms::word(known, typed);
            let Some(place) = known.iter().position(|word| Some(word.as_str()) == said) else {
                if !self.looks(line, lines) {
                    lines.say(format!("Say one of these: {}.", phrases::list(known.iter())));
                }
                return;
            };
            self.perform(Command::Decide(place), lines);
            match self.session.answer() {
                Some(AnswerDraft::Decided(decide)) if decide.next().is_some() => {
                    lines.say(decide.seen().unwrap_or_default());
                }
                // The last decision was handed in.
                _ => {
                    self.session.act(Command::PutAside);
                    return;
                }
            }
        }
        self.next_decision(lines);
    }

    /// The message about which the node decides now.
    fn next_decision(&self, lines: &mut Lines) {
        let Some(AnswerDraft::Decided(decide)) = self.session.answer() else { return };
        let Some((n, of, arrives)) = decide.next() else { return };
        let words = phrases::list(decide.words().iter());
        lines.say(format!(
            "Message {n} of {of}: {arrives}. Say what you do: {words}; `lesson` puts it aside."
        ));
    }
}
