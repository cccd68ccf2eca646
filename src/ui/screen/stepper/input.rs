//! What a key, a click or a tick does in the stepper.
//!
//! It turns them into commands of the session, or changes what is shown.

use super::commands::Chosen;
use super::entry::CHOOSE_FIRST;
use super::line::Typed;
use super::over::Over;
use super::state::{Ask, PACES, Stepper, Zoom};
use super::table::Entered;
use super::told::CHOOSE_A_MESSAGE;
use crate::model::{Event, NodeId};
use crate::session::{AnswerDraft, Command, MessageVerb, Remark, To};
use crate::ui::action::{self, Action};
use crate::ui::keymap::{Input, Key};
use crate::ui::list::{Digit, List};
use ratatui::layout::Position;

/// So many lines one key scrolls the lesson's page.
const READ_ON: usize = 5;

/// What is said to a key of the cluster while a question has the keys.
const QUESTION_IS_OPEN: &str = "the question is open: Esc gives the keys back to the cluster";

impl Stepper {
    /// Takes an input.
    pub fn input(&mut self, input: &Input) -> Ask {
        let ask = self.take(input);
        if !matches!(ask, Ask::Stay(false)) {
            self.drawn.forget();
        }
        ask
    }

    fn take(&mut self, input: &Input) -> Ask {
        match input {
            Input::Key(key) => self.key(*key),
            Input::Repeat(key @ (Key::Up | Key::Down)) if self.line.field.is_none() => {
                self.key(*key)
            }
            Input::Paste(text) => Ask::Stay(self.paste(text)),
            Input::Tick if self.auto.is_some() => {
                self.auto_step();
                Ask::Stay(true)
            }
            Input::Click { col, row } => Ask::Stay(self.click(*col, *row)),
            Input::Resize(..) => Ask::Stay(true),
            _ => Ask::Stay(false),
        }
    }

    fn key(&mut self, key: Key) -> Ask {
        self.notice = None;
        if !matches!(key, Key::Char('0'..='9')) {
            self.number.forget();
        }
        if self.view.legend {
            self.view.legend = false;
            return Ask::Stay(true);
        }
        if let Some(over) = self.over.take() {
            return match self.over_key(over, key) {
                Chosen::Done(ask) => ask,
                Chosen::Act(action) => self.act(action),
            };
        }
        if self.line.field.is_some() {
            match self.line.key(key, self.session.lab()) {
                Typed::On => {}
                Typed::Say(text) => self.say(text),
                Typed::Line(line) => return self.run_command(&line),
            }
            return Ask::Stay(true);
        }
        if self.asking() && self.asking_key(key) {
            return Ask::Stay(true);
        }
        match (key, std::mem::take(&mut self.view.answered)) {
            // Whoever still types at the question that has just closed does nothing to the cluster.
            (Key::Char(c @ ('1'..='9' | 'a'..='i')), letters) if place_of(c) < letters => {
                self.view.answered = letters;
                self.say(
                    "this question is closed: → goes on; after it, letters act on the cluster",
                );
                return Ask::Stay(true);
            }
            _ => {}
        }
        match action::of_key(key) {
            Some(action) => self.act(action),
            None => {
                self.says_nothing(key);
                Ask::Stay(true)
            }
        }
    }

    fn paste(&mut self, text: &str) -> bool {
        if self.line.paste(text) {
            return true;
        }
        let Some(entry) = &mut self.entry else { return false };
        self.session.edit(|draft| entry.paste(draft, text)).unwrap_or(false)
    }

    /// A click on a message delivers it, one on a step of the diagram goes there.
    fn click(&mut self, col: u16, row: u16) -> bool {
        let message = self.drawn.flights.get().message_at(Position::new(col, row));
        let near = |at: &Position| at.y == row && at.x.abs_diff(col) <= 1;
        let points = self.drawn.points.borrow();
        let point = points.iter().find(|(at, _)| near(at)).map(|(_, rev)| *rev);
        drop(points);
        let covered = self.over.is_some() || self.view.legend;
        if covered || point.is_none() && message.is_none() {
            return false;
        }
        self.notice = None;
        if !matches!(self.session.answer(), None | Some(AnswerDraft::Played(_))) {
            self.say(QUESTION_IS_OPEN);
            return true;
        }
        match (point, message) {
            (Some(rev), _) => self.go_to(rev),
            (None, Some(place)) => self.deliver(place + 1),
            (None, None) => {}
        }
        true
    }

    fn act(&mut self, action: Action) -> Ask {
        if action != Action::Auto && action != Action::Faster && action != Action::Slower {
            self.auto = None;
        }
        match action {
            Action::Quit if self.view.zoom.take().is_none() => return Ask::Leave,
            Action::Quit => {}
            Action::Help => return Ask::Help,
            Action::Branches => return Ask::Branches,
            Action::Check => return Ask::Check,
            Action::Log => return Ask::Log,
            Action::Next => drop(self.perform(Command::Next)),
            Action::Back => drop(self.perform(Command::Back)),
            Action::First => drop(self.perform(Command::Go(To::Start))),
            Action::Last => drop(self.perform(Command::Go(To::End))),
            Action::Pick(n) => self.digit(char::from(b'0' + n)),
            Action::Up if self.view.zoom == Some(Zoom::Lesson) => self.read_on(false),
            Action::Down if self.view.zoom == Some(Zoom::Lesson) => self.read_on(true),
            Action::Up => self.choose(-1),
            Action::Down => self.choose(1),
            Action::Confirm => self.confirm(),
            Action::Cancel if self.visit && !self.has_something_open() => return Ask::Leave,
            Action::Cancel => self.cancel(),
            Action::NextNode => self.select(1),
            Action::PreviousNode => self.select(-1),
            Action::Ask => self.play(Event::Request),
            Action::Leave => self.play(Event::Exit),
            Action::Timer => self.play(Event::Timeout),
            Action::Write => self.play(Event::Write),
            Action::CrashOrRecover if self.lab().state().crashed(self.selected) => {
                self.play(Event::Recover);
            }
            Action::CrashOrRecover => self.play(Event::Crash),
            Action::Drop => self.with_chosen(|n| Command::Message(MessageVerb::Drop, n)),
            Action::Duplicate => self.with_chosen(|n| Command::Message(MessageVerb::Duplicate, n)),
            Action::KeepBack => self.with_chosen(Command::Hold),
            Action::Actions => self.over = Some(Over::Actions(List::default())),
            Action::Export => self.over = Some(Over::Menu(List::default())),
            Action::Command => {
                let how = self.line.open("");
                self.say(how);
            }
            Action::Auto => self.toggle_auto(),
            Action::Faster => self.pace(1),
            Action::Slower => self.pace(-1),
            Action::Hint => drop(self.perform(Command::Hint)),
            Action::Rules => self.show_rules(),
            Action::Zoom => self.zoom_on(),
            Action::ScrollLeft if self.view.zoom == Some(Zoom::Lesson) => self.read_on(false),
            Action::ScrollRight if self.view.zoom == Some(Zoom::Lesson) => self.read_on(true),
            Action::ScrollLeft => self.scroll(1),
            Action::ScrollRight => self.scroll(-1),
            Action::Legend => self.view.legend = true,
        }
        Ask::Stay(true)
    }

    fn play(&mut self, event: fn(NodeId) -> Event) {
        self.perform(Command::Play(event(self.selected)));
    }

    fn deliver(&mut self, number: usize) {
        self.perform(Command::Message(MessageVerb::Deliver, number));
    }

    /// A digit of the number of a message. It is delivered as soon as no longer number begins so.
    fn digit(&mut self, digit: char) {
        let count = self.lab().state().view().in_flight.len();
        match self.number.digit(digit, 1..=count) {
            Digit::Whole(place) => self.deliver(place + 1),
            Digit::Begun(typed, place) => {
                self.chosen = place;
                self.say(format!("{typed}: Enter delivers it, another digit goes on"));
            }
            Digit::Unknown(typed) if typed == "0" => self.says_nothing(Key::Char(digit)),
            Digit::Unknown(typed) => self.deliver(typed.parse().unwrap_or(usize::MAX)),
        }
    }

    fn says_nothing(&mut self, key: Key) {
        self.say(format!("{} does nothing here; ? shows all keys", action::show(key)));
    }

    fn choose(&mut self, by: isize) {
        let count = self.lab().state().view().in_flight.len();
        if count == 0 {
            return self.say("nothing is on its way");
        }
        self.chosen = Some(match self.chosen {
            None if by > 0 => 0,
            None => count - 1,
            Some(i) => i.saturating_add_signed(by).min(count - 1),
        });
    }

    fn confirm(&mut self) {
        match self.chosen {
            Some(i) => self.deliver(i + 1),
            None if self.session.open_question().is_some() => drop(self.perform(Command::Open)),
            None => drop(self.perform(Command::Next)),
        }
    }

    /// Does something with the chosen message; the only one needs no choice. Where there is none, says why.
    fn with_chosen(&mut self, command: impl FnOnce(usize) -> Command) {
        match (self.chosen, self.lab().state().view().in_flight.len()) {
            (_, 0) => self.say("nothing is on its way"),
            (Some(i), count) if i < count => drop(self.perform(command(i + 1))),
            (None, 1) => drop(self.perform(command(1))),
            _ => self.say("choose a message first: ↑ ↓"),
        }
    }

    /// Whether there is something that Esc would close.
    fn has_something_open(&self) -> bool {
        self.view.zoom.is_some() || self.chosen.is_some() || self.view.scrolled > 0
    }

    fn cancel(&mut self) {
        if self.view.zoom.take().is_some() || self.chosen.take().is_some() {
            return;
        }
        if self.view.scrolled > 0 {
            self.view.scrolled = 0;
        } else if self.session.exploring() {
            self.follows = true;
            self.perform(Command::Return);
        } else if self.session.learner().is_some() {
            // In a lesson Esc leads back to its point, and may be pressed once too often.
            self.say("nothing is open; F2 lists everything, q goes home");
        } else {
            self.over = Some(Over::Actions(List::default()));
        }
    }

    fn select(&mut self, by: isize) {
        let total = self.lab().setup().total() as isize;
        let next = (self.selected.index() as isize + by).rem_euclid(total);
        self.selected = NodeId::at(next as usize);
        self.follows = false;
    }

    fn scroll(&mut self, by: isize) {
        // Past the first step there is nothing to see, and the window stays full.
        let steps = self.lab().state().steps() as usize;
        let most = steps.saturating_sub(self.drawn.columns.get());
        let next = self.view.scrolled.saturating_add_signed(by * 3).min(most);
        if next == self.view.scrolled {
            self.say(match by > 0 {
                true if most == 0 => "the whole run is in the picture",
                true => "this is the beginning of the run",
                false => "this is the present",
            });
        }
        self.view.scrolled = next;
    }

    /// Scrolls the lesson's page, where it has the whole screen.
    fn read_on(&mut self, on: bool) {
        let (most, at) = (self.drawn.read_most.get(), self.view.read_to);
        let next = if on { at + READ_ON } else { at.saturating_sub(READ_ON) };
        if most == 0 {
            self.say("the whole page is shown; z shows the next panel");
        }
        self.view.read_to = next.min(most);
    }

    /// Shows the panel that says that there is more, else the picture; then the next, until all were shown.
    fn zoom_on(&mut self) {
        let panels = Zoom::ALL.len() - usize::from(self.session.learner().is_none());
        let first = self.drawn.more.get().unwrap_or(Zoom::SpaceTime);
        let after = |zoom: Zoom| {
            let place = Zoom::ALL.iter().position(|one| *one == zoom).unwrap_or(0);
            Zoom::ALL[(place + 1) % panels]
        };
        self.view.zoom = match self.view.zoom {
            None => Some(first),
            Some(zoom) => Some(after(zoom)).filter(|next| *next != first),
        };
    }

    /// Shows the rules in place of the page, or the page again; where neither can be seen to happen, the
    /// footer says why.
    fn show_rules(&mut self) {
        if self.view.zoom.is_some() {
            return self.say("one panel has the whole screen: z goes on to the rules, Esc back");
        }
        if self.drawn.rules.get() {
            return self.say("the rules are on the screen already; z shows one panel whole");
        }
        if self.session.learner().is_none() {
            return self.say("this window has no room for the rules; z shows one panel whole");
        }
        self.view.rules = !self.view.rules;
        if self.view.rules && !self.asking() {
            self.say("p brings the page back");
        }
    }

    /// One step of auto-play; it stops where a person has to choose.
    fn auto_step(&mut self) {
        self.notice = None;
        if self.perform(Command::PlayOn).iter().any(Remark::halts) {
            self.auto = None;
        } else {
            self.notice = None;
        }
    }

    fn toggle_auto(&mut self) {
        self.auto = if self.auto.is_some() { None } else { Some(2) };
        self.say(match self.auto {
            Some(_) => "playing on; a stops, + faster, - slower",
            None => "stopped",
        });
    }

    fn pace(&mut self, by: isize) {
        let Some(pace) = self.auto else {
            return self.say("+ and - set the pace while the run plays by itself: a starts it");
        };
        let next = pace.saturating_add_signed(by).min(PACES.len() - 1);
        self.auto = Some(next);
        if next == pace {
            let end = if by > 0 { "fastest" } else { "slowest" };
            self.say(format!("this is the {end} pace"));
        }
    }

    /// A key while a question is open. Returns whether the question took it.
    fn asking_key(&mut self, key: Key) -> bool {
        if !matches!(key, Key::Char('s' | 'S') | Key::Ctrl('s')) {
            self.session.something_else();
        }
        if let Some(entry) = &mut self.entry {
            entry.form = None;
        }
        match self.session.answer() {
            Some(AnswerDraft::Played(play)) if play.pending().is_some() => self.word_key(key),
            Some(AnswerDraft::Played(_)) => self.playing_key(key),
            Some(AnswerDraft::Decided(_)) => self.deciding_key(key),
            Some(draft) => {
                let text = draft.is_text();
                self.answer_key(key, text)
            }
            None => false,
        }
    }

    /// A key while an answer is chosen or typed.
    fn answer_key(&mut self, key: Key, text: bool) -> bool {
        let other = matches!(key, Key::Char('?' | 'z' | 'q' | 'l')) && !text;
        if other || matches!(key, Key::F(_)) {
            return false;
        }
        if self.was_out_of_sight() {
            return true;
        }
        let whole = self.view.zoom == Some(Zoom::Lesson);
        match key {
            // What was told before the question is read again on the whole screen.
            Key::PageUp if !whole => self.view.zoom = Some(Zoom::Lesson),
            Key::PageDown | Key::Esc if whole => self.view.zoom = None,
            Key::Esc => drop(self.perform(Command::PutAside)),
            Key::Enter => self.enter(),
            Key::Ctrl('t') if text => drop(self.perform(Command::Hint)),
            Key::Ctrl('s') if text => drop(self.perform(Command::Reveal)),
            Key::Char('h') if !text => drop(self.perform(Command::Hint)),
            Key::Char('s' | 'S') if !text => drop(self.perform(Command::Reveal)),
            Key::Char(c @ ('1'..='9' | 'a'..='i')) if !text => self.pick(place_of(c)),
            _ => {
                let count = self.session.question().map_or(0, |q| q.picks.len());
                let Some(entry) = &mut self.entry else { return false };
                let took = self.session.edit(|draft| entry.key(draft, key, count));
                if took != Some(true) {
                    self.say(QUESTION_IS_OPEN);
                }
            }
        }
        true
    }

    fn enter(&mut self) {
        let (Some(entry), Some(draft)) = (&mut self.entry, self.session.answer()) else { return };
        match entry.enter(draft) {
            Entered::Go(next) => entry.at = next,
            Entered::Missing(why) => entry.form = Some(why),
            Entered::HandIn => self.hand_in(),
        }
    }

    /// Hands in what was put together; how it has to look stands beside it, where that cannot be read.
    fn hand_in(&mut self) {
        let remarks = self.perform(Command::HandIn);
        if let (Some(Remark::Form(how) | Remark::Closed(how)), Some(entry)) =
            (remarks.first(), &mut self.entry)
        {
            entry.form = Some(how.clone());
            self.notice = None;
        }
    }

    fn pick(&mut self, place: usize) {
        let count = self.session.question().map_or(0, |q| q.picks.len());
        if place >= count {
            return self.say(format!("there are only {count} answers"));
        }
        let marked = !matches!(self.session.answer(), Some(AnswerDraft::Pick(_)));
        let Some(entry) = &mut self.entry else { return };
        match self.session.edit(|draft| entry.name(draft, place)) {
            Some(true) if marked => self.say("Enter answers, once all are as you want"),
            Some(true) => self.say("Enter answers"),
            _ => self.say("this card has its place already: Space takes it, ↑ ↓ move it"),
        }
    }

    /// Nobody answers a question that is not in sight: the key has only brought it back.
    fn was_out_of_sight(&mut self) -> bool {
        let hidden = self.show_question();
        if hidden {
            self.say("the question is shown again, and waits");
        }
        hidden
    }

    /// A key while events are played as an answer.
    fn playing_key(&mut self, key: Key) -> bool {
        let impossible =
            matches!(self.session.answer(), Some(AnswerDraft::Played(play)) if play.how.impossible);
        match key {
            Key::Esc if !self.has_something_open() => drop(self.perform(Command::PutAside)),
            Key::Enter if self.chosen.is_none() && self.session.goes_before_wrong() => {
                self.perform(Command::HandIn);
            }
            Key::Enter if self.chosen.is_none() => self.say(CHOOSE_A_MESSAGE),
            // A step on delivers the chosen message, as Enter does.
            Key::Right | Key::Char(' ') | Key::PageDown if self.chosen.is_some() => self.confirm(),
            Key::Char('s') => drop(self.perform(Command::HandIn)),
            Key::Char('i') if impossible => drop(self.perform(Command::Impossible)),
            Key::Char('S') => drop(self.perform(Command::Reveal)),
            _ => return false,
        }
        true
    }

    /// A key while it is asked what will come of an event.
    fn word_key(&mut self, key: Key) -> bool {
        let (Some(AnswerDraft::Played(play)), Some(entry)) =
            (self.session.answer(), &mut self.entry)
        else {
            return false;
        };
        let count = play.how.annotate.len();
        match (key, entry.word_at) {
            (Key::Char(c @ 'a'..='i'), _) if place_of(c) < count => {
                self.perform(Command::Say(place_of(c)));
            }
            (Key::Enter, Some(place)) => drop(self.perform(Command::Say(place))),
            (Key::Up | Key::Down, _) => entry.step_word(key, count),
            (Key::Esc | Key::Left | Key::Backspace, _) => drop(self.perform(Command::DoNotPlay)),
            _ => self
                .say("say first what will come of it, with its letter or ↑ ↓ Enter; Esc leaves it"),
        }
        true
    }

    /// A key while the learner is one node.
    fn deciding_key(&mut self, key: Key) -> bool {
        let words = matches!(key, Key::Up | Key::Down | Key::Enter | Key::Esc)
            || matches!(key, Key::Char('1'..='9' | 'a'..='i' | 's' | 'S'));
        if words && self.was_out_of_sight() {
            return true;
        }
        let (Some(AnswerDraft::Decided(decide)), Some(entry)) =
            (self.session.answer(), &mut self.entry)
        else {
            return false;
        };
        let count = decide.words().len();
        match key {
            Key::Esc if self.view.zoom.is_some() => return false,
            Key::Esc => drop(self.perform(Command::PutAside)),
            Key::Up | Key::Down => entry.step_word(key, count),
            Key::Enter => match entry.word_at {
                Some(at) => drop(self.perform(Command::Decide(at))),
                None => self.say(CHOOSE_FIRST),
            },
            Key::Char('h') => drop(self.perform(Command::Hint)),
            Key::Char('s' | 'S') => drop(self.perform(Command::Reveal)),
            Key::Char('?' | 'z' | 'q' | 'l' | 'p') | Key::Tab | Key::BackTab | Key::F(_) => {
                return false;
            }
            Key::Char(c @ ('1'..='9' | 'a'..='i')) if place_of(c) < count => {
                entry.word_at = Some(place_of(c));
                self.say("Enter decides");
            }
            Key::Char('1'..='9' | 'a'..='i') => {
                self.say(format!("there are only {count} words"));
            }
            _ => {
                self.say("you are this node: choose what it does, Enter decides, Esc puts it aside")
            }
        }
        true
    }
}

/// The place that a digit or a letter names, from 0.
fn place_of(c: char) -> usize {
    let first = if c.is_ascii_digit() { b'1' } else { b'a' };
    usize::from((c as u8).saturating_sub(first))
}
