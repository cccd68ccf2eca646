//! A question of the lesson: opening it, choosing, answering, hints, the solution.
//!
//! What is right is the lesson's business; this file only turns keys into answers.

use super::Stepper;
use super::command::edit;
use crate::lesson::{Answered, QuestionState, QuestionView};
use crate::ui::keymap::Key;

/// A question that is open for an answer.
#[derive(Debug)]
pub(super) struct Asking {
    /// The option that is chosen.
    pub(super) chosen: usize,
    options: usize,
    field: Option<tui_input::Input>,
    /// Whether the solution was asked for once; the second time it is shown.
    wants_solution: bool,
}

impl Asking {
    fn of(question: &QuestionView) -> Self {
        let field = question.picks.is_empty().then(tui_input::Input::default);
        Self { chosen: 0, options: question.picks.len(), field, wants_solution: false }
    }

    /// Whether the answer is typed.
    pub(super) fn is_text(&self) -> bool {
        self.field.is_some()
    }

    /// The text field, where the answer is typed.
    pub(super) fn text_field(&mut self) -> Option<&mut tui_input::Input> {
        self.field.as_mut()
    }

    /// What is typed so far.
    pub(super) fn typed(&self) -> Option<&str> {
        self.field.as_ref().map(tui_input::Input::value)
    }
}

impl Stepper {
    /// The page's question, where it is due and the learner is not elsewhere.
    pub(super) fn question(&self) -> Option<QuestionView> {
        if self.exploring() {
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
                true
            }
            _ => false,
        }
    }

    /// A key while a question is open. Says whether the question took it.
    pub(super) fn asking_key(&mut self, key: Key) -> bool {
        let Some(asking) = &mut self.asking else { return false };
        let last = asking.options.saturating_sub(1);
        let again = std::mem::take(&mut asking.wants_solution);
        match key {
            Key::Esc => self.asking = None,
            Key::Enter => self.submit(),
            Key::Up if !asking.is_text() => asking.chosen = asking.chosen.saturating_sub(1),
            Key::Down if !asking.is_text() => asking.chosen = (asking.chosen + 1).min(last),
            Key::Char('h') if !asking.is_text() => self.hint(),
            Key::Char('s') if !asking.is_text() => self.solution(again),
            Key::Char(c @ '1'..='9') if !asking.is_text() => self.pick(usize::from(c as u8 - b'1')),
            Key::Char(c @ 'a'..='i') if !asking.is_text() => self.pick(usize::from(c as u8 - b'a')),
            Key::Char('?') if !asking.is_text() => return false,
            _ => match asking.text_field() {
                Some(field) => edit(field, key),
                None => self.say("the question is open: Esc gives the keys back to the cluster"),
            },
        }
        true
    }

    fn pick(&mut self, place: usize) {
        let Some(asking) = &mut self.asking else { return };
        if place < asking.options {
            asking.chosen = place;
            self.say("Enter answers");
        } else {
            let count = asking.options;
            self.say(format!("there are only {count} answers"));
        }
    }

    fn submit(&mut self) {
        let (Some(asking), Some(learner)) = (&self.asking, &mut self.learner) else { return };
        let raw = match (asking.typed(), learner.question()) {
            (Some(text), _) => text.to_owned(),
            (None, Some(q)) => q.picks.get(asking.chosen).map_or(String::new(), |p| p.id.clone()),
            (None, None) => return,
        };
        match learner.answer(&mut self.lab, &raw) {
            Answered::Form(hint) | Answered::Closed(hint) => self.say(hint),
            Answered::Verdict { .. } => {
                if learner.question().is_none_or(|q| q.state.closed()) {
                    self.asking = None;
                }
                self.after_move();
            }
        }
    }

    /// Shows the next hint.
    pub(super) fn hint(&mut self) {
        if self.exploring() {
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
                Some(_) => "no more hints; with the question open, s shows the solution",
            };
            self.say(text);
        }
    }

    fn solution(&mut self, again: bool) {
        let Some(learner) = &mut self.learner else { return };
        if !again {
            if let Some(asking) = &mut self.asking {
                asking.wants_solution = true;
            }
            self.say(
                "s again shows the solution; the question then counts as shown, not as answered",
            );
            return;
        }
        match learner.show_solution(&mut self.lab) {
            Ok(_) => {
                self.asking = None;
                self.after_move();
            }
            Err(reason) => self.say(reason),
        }
    }

    /// The footer while a question is open, or has just been answered.
    pub(super) fn asking_hints(&self) -> Option<Vec<(String, String)>> {
        let pair = |(key, text): (&str, &str)| (key.to_owned(), text.to_owned());
        let hints: &[(&str, &str)] = match (&self.asking, self.question()) {
            (Some(asking), _) if asking.is_text() => {
                &[("Enter", "answers"), ("Esc", "gives the keys back to the cluster")]
            }
            (Some(_), _) => &[
                ("↑ ↓", "choose"),
                ("Enter", "answers"),
                ("h", "hint"),
                ("s", "solution"),
                ("Esc", "gives the keys back"),
            ],
            (None, Some(q)) if q.state == QuestionState::Wrong => &[
                ("Enter", "tries again"),
                ("h", "hint"),
                ("←", "back"),
                ("?", "keys"),
                ("q", "quit"),
            ],
            _ => return None,
        };
        Some(hints.iter().copied().map(pair).collect())
    }
}
