//! Moving through runs: next, back, choosing messages, playing events, and why one cannot be played.

use super::Stepper;
use super::saving::Over;
use crate::input::{count, verb};
use crate::lesson::Next;
use crate::model::{Event, MsgRef, NodeId};
use crate::sim::{FlightView, Policy, Progress};

impl Stepper {
    /// To be called after every change of place: the selection follows, the diagram shows the present.
    pub(super) fn after_move(&mut self) {
        self.forget_frame();
        self.scrolled = 0;
        self.read_to = 0;
        self.chosen_flight = None;
        let record = self.lab.history().last_record();
        if let Some(record) = record {
            self.kept.forget(record);
        }
        let acted = record.and_then(|r| r.node);
        if let Some(node) = acted
            && self.follows
            && self.lab.setup().is_client(node)
        {
            self.selected = node;
        }
    }

    /// Whether the learner has left the lesson's run.
    pub(super) fn exploring(&self) -> bool {
        self.learner.as_ref().is_some_and(|l| self.looking.is_some() || l.exploring(&self.lab))
    }

    pub(super) fn next(&mut self) {
        if self.learner.is_some() && !self.exploring() && !self.away() {
            self.next_in_lesson();
            return;
        }
        if self.away() {
            if self.has_taken_back() {
                self.play_again();
                return;
            }
        } else if let Some(event) = self.next_to_look_at() {
            self.play(event);
            return;
        } else if self.goes_on_along_the_branch() && self.lab.history_mut().forward() {
            self.after_move();
            return;
        }
        match Policy::Oldest.choose_but(self.lab.state(), &self.kept) {
            Some(event @ Event::Deliver(_)) => self.play(event),
            _ => {
                let text = self.nothing_to_do();
                self.say(text);
            }
        }
    }

    /// Whether this branch goes on with something that is not kept back.
    fn goes_on_along_the_branch(&self) -> bool {
        let history = self.lab.history();
        let next = history.next_visited(history.cursor()).and_then(|rev| history.record(rev));
        next.is_some_and(|record| !self.kept.leaves(history.state(), record.event))
    }

    /// The next event of the run in which something was wrong, unless a step was taken back since.
    fn next_to_look_at(&mut self) -> Option<Event> {
        let event = *self.looking.as_ref()?.first()?;
        let history = self.lab.history();
        let taken_back = history.next_visited(history.cursor()).and_then(|rev| history.record(rev));
        let canonical = self.lab.state().check(event).ok();
        if canonical.is_none() || taken_back.is_some_and(|record| Some(record.event) != canonical) {
            return None;
        }
        self.looking.as_mut()?.remove(0);
        Some(event)
    }

    fn next_in_lesson(&mut self) {
        let Some(learner) = &mut self.learner else { return };
        match learner.next(&mut self.lab) {
            Next::Played(_) => self.after_move(),
            Next::Turned | Next::Returned => {}
            Next::Blocked => {
                self.say("answer first (Enter opens the question), or explore with 1-9, r, x")
            }
            Next::Finished => self.say("the lesson is finished: explore freely, or q goes home"),
        }
    }

    /// Why nothing happens by itself, and what one could do.
    pub(super) fn nothing_to_do(&self) -> String {
        let view = self.lab.state().view();
        let names = &self.lab.setup().names;
        if view.in_flight.iter().any(|flight| self.kept.holds(flight)) {
            return "what is still on its way is kept back: k lets the chosen message go, \
                    its number delivers it"
                .to_owned();
        }
        if let Progress::Stuck { waits, cycle } = &view.lamps.progress {
            let first = waits
                .first()
                .map_or(String::new(), |w| format!("{} {}", names.get(w.node), w.text));
            let ring: Vec<&str> = cycle.iter().map(|n| names.get(*n)).collect();
            let ring = if ring.is_empty() {
                String::new()
            } else {
                format!(" (a cycle: {})", ring.join(" "))
            };
            return format!("stuck: {first}{ring}; ← goes back, Home restarts");
        }
        match view.holders.first() {
            Some(holder) if *holder == self.selected => {
                format!("nothing is on its way: x lets {} leave", names.get(*holder))
            }
            Some(holder) => format!(
                "nothing is on its way: Tab to {}, then x lets it leave",
                names.get(*holder)
            ),
            None if !self.may_ask() => "nothing is on its way; Enter hands in".to_owned(),
            None => format!("nothing is on its way: r lets {} ask", names.get(self.selected)),
        }
    }

    /// Whether an answer that is played may let the selected node ask; elsewhere it always may.
    fn may_ask(&self) -> bool {
        let event = Event::Request(self.selected);
        !self.away() || self.learner.as_ref().is_none_or(|learner| learner.allows(event))
    }

    pub(super) fn back(&mut self) {
        if !self.away()
            && !self.exploring()
            && let Some(learner) = &mut self.learner
        {
            if learner.back(&mut self.lab) {
                self.after_move();
            } else {
                self.say("this is the beginning of the lesson");
            }
            return;
        }
        if self.lab.history_mut().back() {
            self.after_move();
        } else {
            self.say("this is the beginning of the run");
        }
    }

    pub(super) fn last(&mut self) {
        let history = self.lab.history();
        let end = history.redo_path(history.cursor()).last();
        match end {
            Some(end) => self.go_to(end),
            None => self.say("this is the end of what was played"),
        }
    }

    /// Plays an event; where it cannot happen, the footer says why.
    pub(super) fn play(&mut self, event: Event) {
        if self.holds_back(event) {
            return;
        }
        let before = self.lab.history().len();
        let forked = self.lab.history().next_visited(self.lab.history().cursor()).is_some();
        match self.lab.play(event) {
            Ok(_) => {
                // The lesson's own next event, whichever key plays it, goes on with the lesson.
                let away = self.away();
                if let Some(learner) = self.learner.as_mut().filter(|_| !away) {
                    learner.follow(&mut self.lab);
                }
                let grown = self.lab.history().len() > before;
                self.after_move();
                if self.away() {
                    self.tell_goal();
                } else if self.exploring() {
                    self.say("exploring: Esc goes back to the lesson");
                } else if forked && grown && self.learner.is_none() {
                    self.say("a new branch: b shows them all");
                }
            }
            Err(refused) => self.say(format!("no: {}", refused.reason)),
        }
    }

    pub(super) fn deliver_number(&mut self, number: usize) {
        let flights = self.lab.state().view().in_flight;
        match flights.get(number.wrapping_sub(1)) {
            Some(flight) => self.play(Event::Deliver(MsgRef::from(flight.id))),
            None if flights.is_empty() => {
                let text = self.nothing_to_do();
                self.say(text);
            }
            None => {
                let n = flights.len();
                let way = verb(n, "is on its way", "are on their way");
                self.say(format!("only {} {way}", count(n, "message")));
            }
        }
    }

    pub(super) fn choose(&mut self, by: isize) {
        let count = self.lab.state().view().in_flight.len();
        if count == 0 {
            self.say("nothing is on its way");
            return;
        }
        let next = match self.chosen_flight {
            None if by > 0 => 0,
            None => count - 1,
            Some(i) => i.saturating_add_signed(by).min(count - 1),
        };
        self.chosen_flight = Some(next);
    }

    pub(super) fn confirm(&mut self) {
        match self.chosen_flight {
            Some(i) => self.deliver_number(i + 1),
            None => {
                if !self.open_question() {
                    self.next();
                }
            }
        }
    }

    /// Whether there is something that Esc would close.
    pub(super) fn has_something_open(&self) -> bool {
        self.zoom.is_some() || self.chosen_flight.is_some() || self.scrolled > 0
    }

    pub(super) fn cancel(&mut self) {
        if self.zoom.take().is_some() || self.chosen_flight.take().is_some() {
            return;
        }
        if self.scrolled > 0 {
            self.scrolled = 0;
            return;
        }
        if !self.exploring() {
            // In a lesson Esc leads back to its point, and may be pressed once too often.
            match self.learner {
                Some(_) => self.say("nothing is open; F2 lists everything, q goes home"),
                None => self.over = Some(Over::Actions(0)),
            }
            return;
        }
        self.follows = true;
        self.looking = None;
        if let Some(learner) = &mut self.learner {
            learner.return_to_lesson(&mut self.lab);
        }
        self.after_move();
        self.say("back at the lesson's point");
    }

    pub(super) fn select(&mut self, by: isize) {
        let total = self.lab.setup().total() as isize;
        let next = (self.selected.index() as isize + by).rem_euclid(total);
        self.selected = NodeId::at(next as usize);
        self.follows = false;
    }

    pub(super) fn crash_or_recover(&mut self) {
        let crashed = self.lab.state().crashed(self.selected);
        let event = if crashed { Event::Recover } else { Event::Crash };
        self.play(event(self.selected));
    }

    pub(super) fn with_chosen(&mut self, event: fn(MsgRef) -> Event) {
        if let Some(flight) = self.chosen() {
            self.play(event(MsgRef::from(flight.id)));
        }
    }

    /// Keeps the chosen message back, or lets it go.
    pub(super) fn keep_back(&mut self) {
        let Some(flight) = self.chosen() else { return };
        let kept = self.kept.toggle(&flight);
        let name = flight.id.show(&self.lab.setup().names);
        self.say(match kept {
            true => format!("{name} is kept back: only its number delivers it; k lets it go"),
            false => format!("{name} is let go"),
        });
    }

    /// The chosen message; the only one needs no choice. Where there is none, the footer says why.
    fn chosen(&mut self) -> Option<FlightView> {
        let flights = self.lab.state().view().in_flight;
        let chosen = match (self.chosen_flight, flights.as_slice()) {
            (Some(i), all) => all.get(i),
            (None, [one]) => Some(one),
            (None, _) => None,
        };
        match chosen {
            Some(_) => {}
            None if flights.is_empty() => self.say("nothing is on its way"),
            None => self.say("choose a message first: ↑ ↓"),
        }
        chosen.cloned()
    }

    pub(super) fn scroll(&mut self, by: isize) {
        // Past the first step there is nothing to see, and the window stays full.
        let steps = self.lab.state().steps() as usize;
        let most = steps.saturating_sub(self.columns.get());
        let next = self.scrolled.saturating_add_signed(by * 3).min(most);
        if next == self.scrolled {
            self.say(match by > 0 {
                true if most == 0 => "the whole run is in the picture",
                true => "this is the beginning of the run",
                false => "this is the present",
            });
        }
        self.scrolled = next;
    }

    /// One step of auto-play; it stops where a person has to choose.
    pub(super) fn auto_step(&mut self) {
        self.notice = None;
        let lesson = self.learner.is_some() && !self.exploring() && !self.away();
        if lesson || self.goes_on_along_the_branch() {
            self.next();
        } else if let Some(event) = self.policy.choose_but(self.lab.state(), &self.kept) {
            self.play(event);
            self.notice = None;
        } else {
            let text = self.nothing_to_do();
            self.say(text);
        }
        if self.notice.is_some() {
            self.auto = None;
        }
    }
}
