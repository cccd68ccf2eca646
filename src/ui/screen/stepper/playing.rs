//! An answer that is played: the cluster's keys play its events, and each event is a line of it.
//!
//! Where one stands in the tree of runs is the answer; what it is worth is the lesson's business.

use super::Stepper;
use super::away::Away;
use crate::input::folded;
use crate::lab::Lab;
use crate::lesson::question::{Playing, WrongAt, forms, game};
use crate::model::goal::When;
use crate::model::{Event, NodeId};
use crate::sim::RevId;
use crate::ui::keymap::Key;

/// Stands in a draft between what was played and what was taken back again.
const TAKEN_BACK: char = '|';

/// Events that are played as an answer.
#[derive(Debug)]
pub(super) struct Play {
    /// How it is played.
    pub(super) how: Playing,
    /// Where the playing started.
    pub(super) from: RevId,
    /// What was said of events, by the points to which they led.
    words: Vec<(RevId, String)>,
    /// An event of which something has to be said before it happens.
    pub(super) pending: Option<Event>,
    /// The word at which the cursor stands meanwhile, once it was moved.
    pub(super) word_at: Option<usize>,
}

impl Play {
    pub(super) fn of(how: Playing) -> Self {
        Self { how, from: RevId::ROOT, words: Vec::new(), pending: None, word_at: None }
    }

    fn word(&self, rev: RevId) -> Option<&str> {
        self.words.iter().find(|(at, _)| *at == rev).map(|(_, word)| word.as_str())
    }
}

impl Stepper {
    fn playing(&mut self) -> Option<&mut Play> {
        match self.asking.as_mut()?.away.as_mut()? {
            Away::Play(play) => Some(play),
            Away::Decide(_) => None,
        }
    }

    /// Goes to where the question begins, and plays again what was kept.
    pub(super) fn start_playing(&mut self, kept: Option<&str>) {
        let how = self.playing().map(|play| (play.how.config.clone(), play.how.start.clone()));
        let (config, start) = how.unwrap_or_default();
        if let Some(lab) = config.map(|config| Lab::new(*config).expect("`prepare` has set it up"))
        {
            self.home = Some(std::mem::replace(&mut self.lab, lab));
            self.mark = None;
            self.selected = NodeId(0);
        }
        if let Some(start) = start {
            self.lab.go_to(RevId::ROOT);
            for event in start {
                self.lab.play(event).expect("`prepare` has played the start of the question");
            }
        }
        let here = self.lab.history().cursor();
        if let Some(play) = self.playing() {
            play.from = here;
        }
        let (played, taken_back) =
            kept.unwrap_or("").split_once(TAKEN_BACK).unwrap_or((kept.unwrap_or(""), ""));
        self.replay(played);
        let stand = self.lab.history().cursor();
        self.replay(taken_back);
        self.go_to(stand);
    }

    /// Plays lines again that were played before, as far as they are possible.
    fn replay(&mut self, lines: &str) {
        for line in lines.split(';').map(str::trim).filter(|line| !line.is_empty()) {
            let (event, word) = line.split_once(" => ").unwrap_or((line, ""));
            let Ok(event) = Event::parse(event, &self.lab.setup().names) else { return };
            if self.lab.play(event).is_err() {
                return;
            }
            let rev = self.lab.history().cursor();
            if let Some(play) = self.playing().filter(|_| !word.is_empty()) {
                play.words.push((rev, word.to_owned()));
            }
        }
    }

    pub(super) fn playing_key(&mut self, key: Key, again: bool) -> bool {
        let Some(play) = self.playing() else { return false };
        let (impossible, from) = (play.how.impossible, play.from);
        if play.pending.is_some() {
            self.word_key(key);
            return true;
        }
        let open = self.chosen_flight.is_some() || self.zoom.is_some() || self.scrolled > 0;
        match key {
            Key::Esc if !open => self.leave_away(),
            Key::Enter if self.chosen_flight.is_none() => self.hand_in_played(),
            Key::Char('i') if impossible => self.hand_in_impossible(),
            Key::Char('s') => self.solution(again),
            Key::Home => self.go_to(from),
            Key::End => while self.play_again() {},
            Key::Left | Key::Backspace | Key::PageUp if self.at_start() => {
                self.say("this is where the question begins; Esc puts it aside");
            }
            Key::Left | Key::Backspace | Key::PageUp => {
                self.forget_word();
                return false;
            }
            _ => return false,
        }
        true
    }

    fn at_start(&mut self) -> bool {
        let here = self.lab.history().cursor();
        self.playing().is_some_and(|play| play.from == here)
    }

    /// What was said of a step that is taken back is taken back as well.
    fn forget_word(&mut self) {
        let here = self.lab.history().cursor();
        if let Some(play) = self.playing() {
            play.words.retain(|(at, _)| *at != here);
        }
    }

    /// The step that was taken back, once more. Says whether it has happened.
    pub(super) fn play_again(&mut self) -> bool {
        let history = self.lab.history();
        let next = history.next_visited(history.cursor());
        match next.and_then(|rev| history.record(rev)).map(|record| record.event) {
            Some(event) => {
                self.play(event);
                Some(self.lab.history().cursor()) == next
            }
            None => false,
        }
    }

    /// Whether a step was taken back that → plays again.
    pub(super) fn has_taken_back(&self) -> bool {
        self.lab.history().next_visited(self.lab.history().cursor()).is_some()
    }

    /// Events that are typed as an answer, each with what is said of it: `deliver P1>P2 => reply`.
    pub(super) fn play_typed(&mut self, text: &str) {
        let text = folded(text);
        for piece in text.split(';').map(str::trim).filter(|piece| !piece.is_empty()) {
            let words = self.playing().map_or_else(Vec::new, |play| play.how.annotate.clone());
            let (event, word) = game::event_and_word(piece, &words);
            let before = self.lab.history().cursor();
            match Event::parse(event, &self.lab.setup().names) {
                Ok(event) => self.play(event),
                Err(error) => return self.say(error.message),
            }
            let refused = self.lab.history().cursor() == before;
            let Some(play) = self.playing() else { return };
            if play.pending.is_none() {
                if refused {
                    return;
                }
                continue;
            }
            let words = &play.how.annotate;
            let place = word
                .and_then(|typed| forms::word(words, typed))
                .and_then(|known| words.iter().position(|word| word == known));
            match place {
                Some(place) => self.say_word(place),
                None => return,
            }
        }
    }

    /// What the question has to do before an event happens: it may not allow it, or ask what will come of
    /// it. Says whether the event has to wait.
    pub(super) fn holds_back(&mut self, event: Event) -> bool {
        let Ok(canonical) = self.lab.state().check(event) else { return false };
        let Some(count) = self.played().map(|lines| lines.len()) else { return false };
        let allowed = self.learner.as_ref().is_none_or(|learner| learner.allows(canonical));
        let shown = canonical.show(&self.lab.setup().names);
        let Some(play) = self.playing() else { return false };
        if !allowed {
            self.say(format!("this question does not allow `{shown}`"));
            return true;
        }
        if let Some(most) = play.how.at_most.filter(|most| count >= *most) {
            let most = crate::input::count(most, "event");
            self.say(format!("at most {most}: ← takes one back, Enter hands them in"));
            return true;
        }
        self.asks_word_first(canonical)
    }

    /// Whether something has to be said of an event before it happens; then it is asked for.
    fn asks_word_first(&mut self, event: Event) -> bool {
        let record = self.lab.state().fork().step(event);
        let history = self.lab.history();
        let known = history
            .children(history.cursor())
            .find(|child| history.record(*child).is_some_and(|record| record.event == event));
        let Some(play) = self.playing() else { return false };
        let said = known.is_some_and(|rev| play.word(rev).is_some());
        let due = record.is_ok_and(|record| game::said_of(&play.how.annotate, &record).is_some());
        if said || !due {
            return false;
        }
        (play.pending, play.word_at) = (Some(event), None);
        self.auto = None;
        self.show_question();
        true
    }

    /// A key while it is asked what will come of an event.
    fn word_key(&mut self, key: Key) {
        let Some(play) = self.playing() else { return };
        let count = play.how.annotate.len();
        match (key, play.word_at) {
            (Key::Char(c @ 'a'..='i'), _) if usize::from(c as u8 - b'a') < count => {
                self.say_word(usize::from(c as u8 - b'a'));
            }
            (Key::Enter, Some(place)) => self.say_word(place),
            (Key::Up, at) => play.word_at = Some(at.map_or(count - 1, |at| at.saturating_sub(1))),
            (Key::Down, at) => play.word_at = Some(at.map_or(0, |at| (at + 1).min(count - 1))),
            (Key::Esc | Key::Left | Key::Backspace, _) => {
                play.pending = None;
                self.say("not played");
            }
            _ => self
                .say("say first what will come of it, with its letter or ↑ ↓ Enter; Esc leaves it"),
        }
    }

    /// A word is said of the event that waits, and it happens.
    fn say_word(&mut self, place: usize) {
        let Some(play) = self.playing() else { return };
        let word = play.how.annotate[place].clone();
        let Some(event) = play.pending.take() else { return };
        if self.lab.play(event).is_err() {
            return;
        }
        let rev = self.lab.history().cursor();
        if let Some(play) = self.playing() {
            play.words.push((rev, word));
        }
        self.after_move();
        self.tell_goal();
    }

    /// Says it when what was played has reached the goal.
    pub(super) fn tell_goal(&mut self) {
        let Some(play) = self.playing() else { return };
        let goal = play.how.goal.clone();
        if self.lab.goal(&goal).is_ok_and(|g| g.when == When::Now && g.holds(self.lab.state())) {
            self.say("the goal holds here: Enter hands in what you played");
        }
    }

    /// The points of the answer so far, in their order; `None`: one stands elsewhere.
    fn way(&self, play: &Play) -> Option<Vec<RevId>> {
        let history = self.lab.history();
        let way: Vec<RevId> = history.ancestors(history.cursor()).collect();
        let start = way.iter().position(|rev| *rev == play.from)?;
        Some(way[..start].iter().rev().copied().collect())
    }

    fn line(&self, play: &Play, rev: RevId) -> String {
        let names = &self.lab.setup().names;
        let record = self.lab.history().record(rev);
        let event = record.map(|record| record.event.show(names)).unwrap_or_default();
        play.word(rev).map_or(event.clone(), |word| format!("{event} => {word}"))
    }

    /// The events since the question's point, each with what was said of it; `None`: one stands
    /// elsewhere.
    pub(super) fn played(&self) -> Option<Vec<String>> {
        let Some(Away::Play(play)) = self.asking.as_ref()?.away.as_ref() else { return None };
        Some(self.way(play)?.into_iter().map(|rev| self.line(play, rev)).collect())
    }

    /// What was played, and what was taken back again and still is ahead.
    pub(super) fn playing_draft(&self, play: &Play) -> Option<String> {
        let text = |revs: Vec<RevId>| {
            revs.into_iter().map(|rev| self.line(play, rev)).collect::<Vec<_>>().join("; ")
        };
        let history = self.lab.history();
        let played = text(self.way(play)?);
        let ahead: Vec<RevId> =
            history.redo_path(history.cursor()).take(game::MOST_EVENTS).collect();
        Some(match text(ahead) {
            ahead if ahead.is_empty() => played,
            ahead => format!("{played} {TAKEN_BACK} {ahead}"),
        })
    }

    /// Where what was handed in last goes wrong, if it is this very run.
    fn wrong_line(&self) -> Option<WrongAt> {
        let learner = self.learner.as_ref()?;
        let said = learner.said_before(&self.played()?.join("; "));
        said.then(|| learner.wrong_at(self.home.as_ref().unwrap_or(&self.lab)))?
    }

    /// Whether Enter would lead to the wrong line of what was handed in.
    pub(super) fn goes_to_wrong_line(&self) -> bool {
        self.wrong_line().is_some()
    }

    fn hand_in_played(&mut self) {
        let (Some(lines), Some(learner)) = (self.played(), &self.learner) else {
            return self
                .say("this is another run than the question's: Home goes back to its start");
        };
        let raw = lines.join("; ");
        if lines.is_empty() {
            self.say("nothing is played yet; h is a hint");
        } else if !learner.said_before(&raw) {
            self.hand_in(&raw);
        } else {
            match self.wrong_line() {
                Some(wrong) => self.go_to_line(wrong.point, &wrong.what),
                None => self.say("this you have handed in: play on, or ← takes a step back"),
            }
        }
    }

    /// Goes to the point before a line of the answer; what was said of that line is asked again.
    fn go_to_line(&mut self, line: usize, what: &str) {
        let way = self.asking.as_ref().and_then(|asking| match &asking.away {
            Some(Away::Play(play)) => Some((self.way(play)?, play.from)),
            Some(Away::Decide(_)) | None => None,
        });
        let Some((way, from)) = way else { return };
        if let (Some(wrong), Some(play)) = (way.get(line).copied(), self.playing()) {
            play.words.retain(|(at, _)| *at != wrong);
        }
        self.go_to(line.checked_sub(1).and_then(|before| way.get(before).copied()).unwrap_or(from));
        self.say(format!("before {what}: → plays it again, any other event takes its place"));
    }

    fn hand_in_impossible(&mut self) {
        let said = self.learner.as_ref().is_some_and(|l| l.said_before("impossible"));
        if said {
            self.say("this you have said: there is a way; h is a hint");
        } else {
            self.hand_in("impossible");
        }
    }
}
