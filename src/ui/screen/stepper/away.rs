//! Questions that are answered in the cluster itself: by playing events, or by being one node.
//!
//! What both have in common: setting out from the lesson's point, handing in, coming back to it.

use super::Stepper;
use super::answer::Canvas;
use super::deciding::Decide;
use super::page::Line;
use super::playing::Play;
use crate::lesson::Answered;
use crate::model::NodeId;
use crate::ui::keymap::Key;

/// An answer that is given in the cluster.
#[derive(Debug)]
pub(super) enum Away {
    /// Events are played.
    Play(Play),
    /// Decisions are taken, message by message.
    Decide(Decide),
}

impl Stepper {
    /// Whether a question is open that is answered in the cluster.
    pub(super) fn away(&self) -> bool {
        self.asking.as_ref().is_some_and(|asking| asking.away.is_some())
    }

    /// Goes to where the answer starts, and on to where it was left.
    pub(super) fn set_out(&mut self, kept: Option<&str>) {
        match self.asking.as_ref().and_then(|asking| asking.away.as_ref()) {
            Some(Away::Play(_)) => self.start_playing(kept),
            Some(Away::Decide(_)) => self.start_deciding(kept),
            None => {}
        }
    }

    /// A key while the answer is given in the cluster. Says whether the question took it.
    pub(super) fn away_key(&mut self, key: Key, again: bool) -> bool {
        match self.asking.as_ref().and_then(|asking| asking.away.as_ref()) {
            Some(Away::Play(_)) => self.playing_key(key, again),
            Some(Away::Decide(_)) => self.deciding_key(key, again),
            None => false,
        }
    }

    /// What was played or decided so far; `None`: it cannot be told from here.
    pub(super) fn away_draft(&self) -> Option<String> {
        match self.asking.as_ref()?.away.as_ref()? {
            Away::Play(play) => self.playing_draft(play),
            Away::Decide(decide) => Some(decide.answer()),
        }
    }

    /// What the panel shows below the prompt: what was played, or what has to be decided.
    pub(super) fn away_lines(&self, canvas: Canvas<'_>) -> Vec<Line> {
        match self.asking.as_ref().and_then(|asking| asking.away.as_ref()) {
            Some(Away::Play(play)) => self.playing_lines(play, canvas),
            Some(Away::Decide(decide)) => decide.lines(canvas),
            None => Vec::new(),
        }
    }

    /// Leaves the question without handing anything in.
    pub(super) fn leave_away(&mut self) {
        let kept = self.question().is_some_and(|question| question.draft.is_some());
        self.come_back();
        self.say(if kept {
            "back at the lesson's point; what you did is kept: Enter goes on with it"
        } else {
            "back at the lesson's point; the question waits: Enter opens it"
        });
    }

    /// Hands an answer in; one that closes the question leads back to the lesson.
    pub(super) fn hand_in(&mut self, raw: &str) {
        let Some(learner) = &mut self.learner else { return };
        let lab = self.home.as_mut().unwrap_or(&mut self.lab);
        match learner.answer(lab, raw) {
            Answered::Form(hint) | Answered::Closed(hint) => self.say(hint),
            Answered::Verdict { .. } => {
                if learner.question().is_none_or(|q| q.state.closed()) {
                    self.come_back();
                    self.say("the lesson goes on from its own point: your run was a copy");
                }
                self.show_question();
            }
        }
    }

    /// Back to the lesson's point, without the question.
    pub(super) fn come_back(&mut self) {
        self.asking = None;
        if let Some(home) = self.home.take() {
            self.lab = home;
            self.mark = None;
            self.selected = NodeId(0);
        }
        if let Some(learner) = &mut self.learner {
            learner.return_to_lesson(&mut self.lab);
        }
        self.after_move();
    }
}
