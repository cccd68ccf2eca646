//! A question of the lesson: opening it, choosing, answering, hints, the solution.
//!
//! What is right is the lesson's business; this file only turns keys into answers.

use super::away::Away;
use super::cells::Cells;
use super::deciding::Decide;
use super::means::{Cards, Entered, Means};
use super::playing::Play;
use super::{Stepper, Zoom};
use crate::lesson::question::{Way, WrongAt};
use crate::lesson::{Answered, QuestionState, QuestionView};
use crate::ui::keymap::Key;
use tui_input::Input;

/// A question that is open for an answer.
#[derive(Debug)]
pub(super) struct Asking {
    /// The option, the card or the cell at which the cursor stands.
    pub(super) chosen: usize,
    options: usize,
    /// The answer so far.
    pub(super) means: Means,
    /// Set where the answer is given in the cluster.
    pub(super) away: Option<Away>,
    /// How an answer has to look, after one that could not be read.
    pub(super) form: Option<String>,
    /// Whether the solution was asked for once; the second time it is shown.
    wants_solution: bool,
}

impl Asking {
    fn of(question: &QuestionView) -> Self {
        let options = question.picks.len();
        let mut away = None;
        let mut means = match &question.way {
            Way::PickOne => Means::One,
            Way::PickMany => Means::Many(vec![false; options]),
            Way::Arrange => Means::Cards(Cards::of(options)),
            Way::Write => Means::Line(Input::default()),
            Way::Cells(labels) => Means::Cells(Cells::of(labels)),
            Way::Play(how) => {
                away = Some(Away::Play(Play::of(how.clone())));
                Means::One
            }
            Way::Decide(words) => {
                away = Some(Away::Decide(Decide::of(words.clone())));
                Means::One
            }
        };
        if let Some(kept) = kept(question) {
            means.restore(kept, &question.picks);
        }
        Self { chosen: 0, options, means, away, form: None, wants_solution: false }
    }

    /// Whether the answer is typed.
    pub(super) fn is_text(&self) -> bool {
        self.means.is_text()
    }

    /// Whether the answer is played, so that every event of the cluster is a part of it.
    pub(super) fn is_played(&self) -> bool {
        matches!(self.away, Some(Away::Play(_)))
    }

    /// The text field, where the answer is typed.
    pub(super) fn text_field(&mut self) -> Option<&mut Input> {
        self.means.field(self.chosen)
    }
}

/// What was put together before, or the last answer if it was wrong.
pub(super) fn kept(question: &QuestionView) -> Option<&str> {
    let answer = question.answer.as_deref().filter(|_| question.state == QuestionState::Wrong);
    question.draft.as_deref().or(answer)
}

impl Stepper {
    /// The page's question, where it is due and the learner is not elsewhere.
    pub(super) fn question(&self) -> Option<QuestionView> {
        if self.exploring() && !self.away() {
            return None;
        }
        self.learner.as_ref().and_then(crate::lesson::Learner::question)
    }

    /// Whether a question waits to be answered.
    pub(super) fn question_waits(&self) -> bool {
        self.question().is_some_and(|q| !q.state.closed())
    }

    /// Opens the page's question. Says whether there is one to open.
    pub(super) fn open_question(&mut self) -> bool {
        match self.question() {
            Some(question) if !question.state.closed() => {
                self.asking = Some(Asking::of(&question));
                self.show_question();
                self.set_out(kept(&question));
                true
            }
            _ => false,
        }
    }

    /// PageUp gives the page the whole screen, where what was told before the question is read again; Esc
    /// or PageDown leads back. Says whether it was such a key.
    fn whole_page(&mut self, key: Key) -> bool {
        let whole = self.zoom == Some(Zoom::Lesson);
        match key {
            Key::PageUp if !whole => self.zoom = Some(Zoom::Lesson),
            Key::PageDown | Key::Esc if whole => self.zoom = None,
            _ => return false,
        }
        true
    }

    /// Another panel that has the whole screen gives it back. Says whether one had it.
    pub(super) fn show_question(&mut self) -> bool {
        self.zoom.take_if(|zoom| *zoom != Zoom::Lesson).is_some()
    }

    /// Nobody answers a question that is not in sight: the key has only brought it back.
    pub(super) fn was_out_of_sight(&mut self) -> bool {
        let hidden = self.show_question();
        if hidden {
            self.say("the question is shown again, and waits");
        }
        hidden
    }

    /// Remembers what has been put together so far; it outlives the question's being closed.
    pub(super) fn keep_draft(&mut self) {
        let draft = match &self.asking {
            None => return,
            Some(asking) if asking.away.is_some() => match self.away_draft() {
                Some(draft) => Some(draft),
                None => return,
            },
            Some(asking) => {
                let picks = self.question().map(|question| question.picks);
                asking.means.draft(&picks.unwrap_or_default())
            }
        };
        if let Some(learner) = &mut self.learner {
            learner.keep_draft(draft);
        }
    }

    /// A key while a question is open. Says whether the question took it.
    pub(super) fn asking_key(&mut self, key: Key) -> bool {
        let Some(asking) = &mut self.asking else { return false };
        let again = std::mem::take(&mut asking.wants_solution);
        asking.form = None;
        if asking.away.is_some() {
            return self.away_key(key, again);
        }
        let (text, count) = (asking.is_text(), asking.options);
        let other = matches!(key, Key::Char('?' | 'z' | 'q' | 'l')) && !text;
        if !other && !matches!(key, Key::F(_)) && self.was_out_of_sight() {
            return true;
        }
        if self.whole_page(key) {
            return true;
        }
        let Some(asking) = &mut self.asking else { return false };
        match key {
            Key::Esc => self.put_aside(),
            Key::Enter => match asking.means.enter(asking.chosen) {
                Entered::Go(next) => asking.chosen = next,
                Entered::Missing(why) => asking.form = Some(why),
                Entered::HandIn => self.submit(),
            },
            Key::Ctrl('t') if text => self.hint(),
            Key::Ctrl('s') if text => self.solution(again),
            Key::Char('h') if !text => self.hint(),
            Key::Char('s') if !text => self.solution(again),
            Key::Char(c @ '1'..='9') if !text => self.pick(usize::from(c as u8 - b'1')),
            Key::Char(c @ 'a'..='i') if !text => self.pick(usize::from(c as u8 - b'a')),
            Key::Char('?' | 'z' | 'q' | 'l') if !text => return false,
            Key::F(_) => return false,
            _ => match asking.means.key(key, asking.chosen, count) {
                Some(next) => asking.chosen = next,
                None => self.say("the question is open: Esc gives the keys back to the cluster"),
            },
        }
        true
    }

    fn put_aside(&mut self) {
        let kept = self.question().is_some_and(|question| question.draft.is_some());
        self.asking = None;
        if kept {
            self.say("your answer is kept as it is: Enter goes on with it");
        }
    }

    fn pick(&mut self, place: usize) {
        let Some(asking) = &mut self.asking else { return };
        if place >= asking.options {
            let count = asking.options;
            return self.say(format!("there are only {count} answers"));
        }
        let marked = matches!(asking.means, Means::Many(_) | Means::Cards(_));
        match asking.means.name(place) {
            Some(next) => {
                asking.chosen = next;
                self.say(if marked {
                    "Enter answers, once all are as you want"
                } else {
                    "Enter answers"
                });
            }
            None => self.say("this card has its place already: Space takes it, ↑ ↓ move it"),
        }
    }

    fn submit(&mut self) {
        let (Some(asking), Some(learner)) = (&self.asking, &mut self.learner) else { return };
        let Some(question) = learner.question() else { return };
        let raw = asking.means.answer(asking.chosen, &question.picks);
        if learner.said_before(&raw) {
            return self.said_before();
        }
        match learner.answer(&mut self.lab, &raw) {
            Answered::Form(hint) | Answered::Closed(hint) => {
                if let Some(asking) = &mut self.asking {
                    asking.form = Some(hint);
                }
            }
            Answered::Verdict { .. } => {
                if learner.question().is_none_or(|q| q.state.closed()) {
                    self.asking = None;
                }
                self.after_move();
            }
        }
    }

    /// The same wrong answer once more: it costs no attempt, and what is wrong with it can be looked at.
    fn said_before(&mut self) {
        match self.learner.as_ref().and_then(|learner| learner.wrong_at(&self.lab)) {
            Some(wrong) => self.show_wrong(&wrong),
            None => self.say("this is the answer that you gave before: change it, or h is a hint"),
        }
    }

    /// Goes to the point where an answer goes wrong; the run that follows is ahead.
    fn show_wrong(&mut self, wrong: &WrongAt) {
        self.asking = None;
        if let Some(learner) = &mut self.learner {
            learner.return_to_lesson(&mut self.lab);
        }
        let (before, ahead) = wrong.events.split_at(wrong.point);
        for event in before {
            self.lab.play(*event).expect("the question has played these events from here");
        }
        self.looking = Some(ahead.to_vec());
        self.after_move();
        self.say(format!(
            "the next step decides {}: → plays it, Esc goes back to the question",
            wrong.what
        ));
    }

    /// Shows the next hint.
    pub(super) fn hint(&mut self) {
        if self.exploring() && !self.away() {
            self.say("hints are for the lesson's question: Esc goes back to it");
            return;
        }
        let Some(learner) = &mut self.learner else {
            self.say("hints are for lessons; ? explains the keys");
            return;
        };
        if learner.hint().is_none() {
            let text = match learner.question() {
                None => "there is no question here yet",
                Some(q) if q.state.closed() => "this question is closed",
                Some(_) => "no more hints; the solution can be shown while the question is open",
            };
            self.say(text);
        }
    }

    pub(super) fn solution(&mut self, again: bool) {
        let key = if self.typing() { "Ctrl-S" } else { "s" };
        let Some(learner) = &mut self.learner else { return };
        if !again {
            if let Some(asking) = &mut self.asking {
                asking.wants_solution = true;
            }
            self.say(format!(
                "{key} again shows the solution; the question then counts as shown, not as answered"
            ));
            return;
        }
        let lab = self.home.as_mut().unwrap_or(&mut self.lab);
        match learner.show_solution(lab) {
            Ok(_) if self.away() => self.come_back(),
            Ok(_) => {
                self.asking = None;
                self.after_move();
            }
            Err(reason) => self.say(reason),
        }
    }
}
