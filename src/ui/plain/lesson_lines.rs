//! An answer of several lines; where it is played, each line is played as it is written.
//!
//! It is played on a lab of its own: the cluster of the dialogue stands where it stood.

use super::command::{self, Command, Word};
use super::lines::Lines;
use super::panels;
use super::play::Play;
use crate::input::{count, folded, verb};
use crate::lab::Lab;
use crate::lesson::question::drive::{IMPOSSIBLE, says_impossible};
use crate::lesson::question::{Playing, Way, forms, game};
use crate::lesson::{QuestionState, QuestionView};
use crate::model::goal::When;
use crate::model::{Event, MsgRef};
use crate::sim::KeptBack;
use crate::trace::narrate;

impl Play {
    /// Takes a line of an answer that is being written. Says whether one is.
    pub(super) fn collect(&mut self, line: &str, lines: &mut Lines) -> bool {
        let Some(written) = &mut self.asking.written else { return false };
        match line.trim() {
            "" => {
                // Who has found out that it cannot be done says so, whatever was tried before.
                let raw = match written.last().map(String::as_str) {
                    Some(IMPOSSIBLE) => IMPOSSIBLE.to_owned(),
                    _ => written.join("\n"),
                };
                self.asking.written = None;
                let checked = self.answer(&raw, lines);
                if !checked && !raw.is_empty() {
                    lines.say("What you wrote is kept: `answer` alone goes on with it.");
                }
                return true;
            }
            "-" | "–" => match written.pop() {
                Some(last) => lines.say(format!("Taken back: {last}")),
                None => lines.say("There is no line to take back."),
            },
            line => self.write(line, lines),
        }
        // What was put aside was kept with its last line.
        let draft = self.asking.written.as_ref().map(|written| written.join("\n"));
        if let (Some(learner), Some(draft)) = (&mut self.learner, draft) {
            learner.keep_draft(Some(draft));
        }
        true
    }

    /// A line is added to what is written, if it is possible there.
    fn write(&mut self, line: &str, lines: &mut Lines) {
        let way = self.open_question().map(|question| question.way);
        let Some(Way::Play(playing)) = way else {
            self.asking.written.get_or_insert_default().push(line.to_owned());
            return;
        };
        let line = folded(line);
        for line in line.split(';').map(str::trim).filter(|line| !line.is_empty()) {
            let before = self.asking.written.clone().unwrap_or_default();
            if before.last().is_some_and(|last| last == IMPOSSIBLE) {
                return lines.say("`impossible` is said; a dash alone takes it back.");
            }
            if playing.impossible && says_impossible(line) {
                self.asking.written.get_or_insert_default().push(IMPOSSIBLE.to_owned());
                return lines.say("An empty line hands it in.");
            }
            if self.looks(&playing, &before, line, lines) {
                if self.asking.written.is_none() {
                    return;
                }
                continue;
            }
            match self.try_line(&playing, &before, line) {
                Ok((line, said)) => {
                    lines.say(said);
                    let written = self.asking.written.get_or_insert_default();
                    written.push(line);
                    let written = written.clone();
                    if self.reached_by(&playing, &written) {
                        lines.say("The goal holds here: an empty line hands it in.");
                    }
                }
                Err(why) => return lines.say(why),
            }
        }
    }

    /// Words that read and play nothing are heard while an answer is written, too: of the cluster in which
    /// it is played. Says whether it was such a word.
    fn looks(
        &mut self,
        playing: &Playing,
        before: &[String],
        line: &str,
        lines: &mut Lines,
    ) -> bool {
        let Some(lab) = self.lab_behind(playing, before) else { return false };
        let Ok(commands) = command::read(line, &lab.setup().names) else { return false };
        let [command] = commands.as_slice() else { return false };
        match command {
            Command::Why(node) => panels::why(&lab, *node, lines),
            Command::Log(words) => panels::log(&lab, words, lines),
            Command::Plain(word) => match word {
                word if panels::read(*word, &lab, &KeptBack::default(), lines) => {}
                Word::Hint => self.hint(lines),
                Word::Help => lines.say(WHILE_WRITING),
                Word::Lesson | Word::Home | Word::Quit => {
                    self.asking.written = None;
                    lines.say("Put aside; what you wrote is kept: `answer` alone goes on with it.");
                }
                _ => return false,
            },
            _ => return false,
        }
        true
    }

    /// Plays a line behind others. Gives it in its one form, and what it does.
    ///
    /// # Errors
    /// Why it cannot be a line of the answer.
    fn try_line(
        &self,
        playing: &Playing,
        before: &[String],
        line: &str,
    ) -> Result<(String, String), String> {
        let Some(lab) = self.lab_behind(playing, before) else {
            return Ok((line.to_owned(), "Noted.".to_owned()));
        };
        let names = lab.setup().names.clone();
        let line = &numbered(line, &lab);
        let (event, word) = game::event_and_word(line, &playing.annotate);
        let event = Event::parse(event, &names);
        let event = event.map_err(|error| format!("Not added: {}.", error.message))?;
        let refused = |why: &str| format!("Not added: {why}.");
        let event = lab.state().check(event).map_err(|no| refused(&no.reason))?;
        if self.learner.as_ref().is_some_and(|learner| !learner.allows(event)) {
            return Err(refused(&format!("this question does not allow `{}`", event.show(&names))));
        }
        if playing.at_most.is_some_and(|most| before.len() >= most) {
            let (most, are) = (count(before.len(), "event"), verb(before.len(), "is", "are"));
            return Err(refused(&format!("{most} {are} all that may be played")));
        }
        let record = lab.state().fork().step(event).map_err(|no| refused(&no.reason))?;
        let due = game::said_of(&playing.annotate, &record).is_some();
        let said = word.and_then(|word| forms::word(&playing.annotate, word));
        if said.is_none() && (due || word.is_some()) {
            return Err(refused(&match playing.annotate.as_slice() {
                [] => "nothing is to be said of events here".to_owned(),
                words => {
                    let words = words.join("`, or `=> ");
                    format!("say behind it what will come of it: `=> {words}`")
                }
            }));
        }
        let word = said.map_or(String::new(), |word| format!(" => {word}"));
        Ok((format!("{}{word}", event.show(&names)), narrate::sentence(&record, &names)))
    }

    /// Whether the goal holds behind these lines.
    fn reached_by(&self, playing: &Playing, lines: &[String]) -> bool {
        let Some(lab) = self.lab_behind(playing, lines) else { return false };
        let goal = lab.goal(&playing.goal);
        goal.is_ok_and(|goal| goal.when == When::Now && goal.holds(lab.state()))
    }

    /// A lab that stands behind these lines; `None`: they cannot be played.
    pub(super) fn lab_behind(&self, playing: &Playing, lines: &[String]) -> Option<Lab> {
        let learner = self.learner.as_ref()?;
        let config = playing.config.as_deref().unwrap_or_else(|| self.lab.config());
        let mut lab = Lab::new(config.clone()).ok()?;
        let history = self.lab.history();
        let here = || history.records(learner.moment().rev).iter().map(|r| r.event).collect();
        let start: Vec<Event> = match (&playing.start, &playing.config) {
            (Some(start), _) => start.clone(),
            (None, Some(_)) => Vec::new(),
            (None, None) => here(),
        };
        for event in start {
            lab.play(event).ok()?;
        }
        let names = lab.setup().names.clone();
        for line in lines {
            let (event, _) = game::event_and_word(line, &playing.annotate);
            lab.play(Event::parse(event, &names).ok()?).ok()?;
        }
        Some(lab)
    }
}

/// What can be typed while an answer is written that is played.
pub(super) const WHILE_WRITING: &str = "An event, or the number of a message that arrives; `state`, \
    `flight`, `why`, `rules`, `log` and `hint` read on. A dash alone takes the last line back, an empty \
    line hands it in, and `lesson` puts it aside.";

/// A line that begins with the number of a message, with that message's delivery in its place.
fn numbered(line: &str, lab: &Lab) -> String {
    let digits = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
    let (number, rest) = line.split_at(digits);
    let rest_fits = rest.trim_start().is_empty() || rest.trim_start().starts_with(['=', '⇒']);
    let flights = lab.state().view().in_flight;
    let flight = number.parse::<usize>().ok().filter(|_| rest_fits);
    match flight.and_then(|n| flights.get(n.wrapping_sub(1))) {
        Some(flight) => {
            let event = Event::Deliver(MsgRef::from(flight.id)).show(&lab.setup().names);
            format!("{event}{rest}")
        }
        None => line.to_owned(),
    }
}

/// The lines of an answer that was begun, or of a wrong run that can be made better.
pub(super) fn begun(question: &QuestionView) -> Vec<String> {
    let played = matches!(question.way, Way::Play(_));
    let wrong = question.answer.as_deref();
    let wrong = wrong.filter(|_| played && question.state == QuestionState::Wrong);
    let text = question.draft.as_deref().or(wrong).unwrap_or("");
    // What was taken back on the screen stands behind a bar.
    let text = if played { text.split('|').next().unwrap_or("") } else { text };
    let lines = text.split(|c: char| c == '\n' || (played && c == ';')).map(str::trim);
    lines.filter(|line| !line.is_empty() && *line != IMPOSSIBLE).map(str::to_owned).collect()
}
