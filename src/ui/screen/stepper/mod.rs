//! The stepper: one cluster, one message at a time, everything in sight.
//!
//! This file holds its state and what each action does to it; `draw` and `command` are beside it.

mod answer;
mod asking;
mod away;
mod cells;
mod command;
mod complete;
mod deciding;
mod draw;
mod keys;
mod means;
mod moves;
mod page;
mod palette;
mod played;
mod playing;
mod recording;
mod rules;
mod saving;
mod sheet;

pub use keys::HELP as QUESTION_KEYS;

use crate::catalog::ConfigError;
use crate::input::{count, verb};
use crate::lab::Lab;
use crate::lesson::Learner;
use crate::model::{Event, NodeId};
use crate::sim::scheduler::{Policy, SplitMix64};
use crate::sim::{KeptBack, RevId};
use crate::trace::narrate;
use crate::ui::action::{self, Action};
use crate::ui::keymap::{Input, Key};
use asking::Asking;
use ratatui::layout::{Position, Rect};
use saving::Over;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// Pauses of auto-play, slow to fast.
const PACES: [u64; 6] = [3_000, 2_000, 1_200, 800, 400, 150];

/// So many lines one key scrolls the lesson's page.
const READ_ON: usize = 5;

/// A panel that is shown on the whole screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zoom {
    /// The space-time diagram.
    SpaceTime,
    /// The nodes table.
    Nodes,
    /// The messages in flight and why the selected node waits.
    Flights,
    /// The algorithm's rules.
    Rules,
    /// The lesson's text.
    Lesson,
}

/// What another screen has to do for the stepper.
#[derive(Debug)]
pub enum Ask {
    /// Nothing; whether something changed.
    Stay(bool),
    /// Leave the stepper.
    Leave,
    /// Open the help.
    Help,
    /// Open the tree of branches.
    Branches,
    /// Show everything that happened.
    Log,
    /// Check every schedule from here.
    Check,
    /// Put a text on the clipboard.
    Copy(String),
    /// Open a run above this one, and tell what it is.
    Open(Box<Lab>, String),
}

/// The stepper's state.
#[derive(Debug)]
pub struct Stepper {
    pub(super) lab: Lab,
    learner: Option<Learner>,
    title: String,
    selected: NodeId,
    /// Whether the selection follows the node that acts.
    follows: bool,
    chosen_flight: Option<usize>,
    /// What auto-play and the next step leave in flight.
    kept: KeptBack,
    notice: Option<String>,
    zoom: Option<Zoom>,
    rules: bool,
    /// Whether the last frame showed the rules in a place of their own.
    rules_seen: Cell<bool>,
    legend: bool,
    scrolled: usize,
    /// How many steps the last frame's diagram had room for.
    columns: Cell<usize>,
    /// The first line of the lesson's page that is shown, where it has the whole screen.
    read_to: usize,
    /// How far the last frame could be scrolled.
    read_most: Cell<usize>,
    auto: Option<usize>,
    seed: Option<u64>,
    policy: Policy,
    command: Option<tui_input::Input>,
    typed: command::Typed,
    over: Option<Over>,
    /// From where on is recorded, where somebody has said so.
    mark: Option<RevId>,
    asking: Option<Asking>,
    /// The lesson's lab, while a question is answered in a cluster of its own.
    home: Option<Lab>,
    /// Set while the learner looks at what was wrong, which is exploring also at the lesson's own point:
    /// the events that are still ahead.
    looking: Option<Vec<Event>>,
    /// Whether it was opened beside a presentation, to which Esc leads back.
    visit: bool,
    /// Where the last frame drew the list of messages, and which of them stands on its first row.
    flights_at: Cell<(Rect, usize)>,
    /// Where it drew the steps of the diagram.
    points_at: RefCell<Vec<(Position, RevId)>>,
}

impl Stepper {
    /// Free play.
    #[must_use]
    pub fn free_play(lab: Lab) -> Self {
        let title = lab.title();
        Self::new(lab, None, title)
    }

    /// The cluster of a presentation where it stands, to do anything with; Esc and `q` lead back.
    #[must_use]
    pub fn visit(lab: Lab, title: String) -> Self {
        let mut stepper = Self::new(lab, None, title);
        stepper.visit = true;
        stepper.after_move();
        stepper
    }

    /// The cluster with everything that was played.
    #[must_use]
    pub fn into_lab(self) -> Lab {
        self.lab
    }

    /// Whether it was opened beside a presentation.
    #[must_use]
    pub fn is_visit(&self) -> bool {
        self.visit
    }

    /// A run, looked at from its end.
    #[must_use]
    pub fn at_end(lab: Lab) -> Self {
        let steps = lab.state().steps();
        let mut stepper = Self::free_play(lab);
        stepper.after_move();
        if steps > 0 {
            stepper.say(format!(
                "the end of a run of {}: ← goes back, Home to its start",
                count(steps, "step")
            ));
        }
        stepper
    }

    /// A lesson.
    #[must_use]
    pub fn lesson(learner: Learner, lab: Lab) -> Self {
        let (title, remark) = (learner.lesson().title.clone(), learner.lesson().remark());
        let mut stepper = Self::new(lab, Some(learner), title);
        if let Some(remark) = remark {
            stepper.tell(remark.to_owned());
        }
        stepper
    }

    fn new(lab: Lab, learner: Option<Learner>, title: String) -> Self {
        Self {
            lab,
            learner,
            title,
            selected: NodeId(0),
            follows: true,
            chosen_flight: None,
            kept: KeptBack::default(),
            notice: None,
            zoom: None,
            rules: false,
            rules_seen: Cell::new(false),
            legend: false,
            scrolled: 0,
            columns: Cell::new(0),
            read_to: 0,
            read_most: Cell::new(0),
            auto: None,
            seed: None,
            policy: Policy::Oldest,
            command: None,
            typed: command::Typed::default(),
            over: None,
            mark: None,
            asking: None,
            home: None,
            looking: None,
            visit: false,
            flights_at: Cell::new((Rect::default(), 0)),
            points_at: RefCell::default(),
        }
    }

    /// The cluster and its runs.
    #[must_use]
    pub fn lab(&self) -> &Lab {
        &self.lab
    }

    /// The cluster in which the lesson stands, also while a question is answered in another one.
    #[must_use]
    pub fn own_lab(&self) -> &Lab {
        self.home.as_ref().unwrap_or(&self.lab)
    }

    /// Whether what is played here is kept when it is left.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        let drill = self.learner.as_ref().is_some_and(|learner| learner.lesson().drill);
        !self.visit && !drill && self.home.is_none()
    }

    /// The learner, in a lesson.
    #[must_use]
    pub fn learner(&self) -> Option<&Learner> {
        self.learner.as_ref()
    }

    /// A search over every schedule from here; each node asks as often as the lesson says, else as
    /// often as the cluster needs.
    ///
    /// # Errors
    /// Why the cluster cannot be searched.
    pub fn check(&self) -> Result<super::check::Check, ConfigError> {
        let lesson = self.learner.as_ref().map(|l| l.lesson().requests.as_slice());
        super::check::Check::of(&self.lab, lesson.unwrap_or_default())
    }

    /// Plays a run from the beginning and stands at its beginning, so that it can be stepped.
    pub fn show_run(&mut self, events: &[Event]) {
        if let Err(refused) = self.lab.lay_out(events) {
            self.say(format!("no: {}", refused.reason));
            return;
        }
        self.after_move();
        let (ahead, are) = (count(events.len(), "step"), verb(events.len(), "is", "are"));
        self.say(format!("{ahead} {are} ahead: → plays them one by one, End goes to the last"));
    }

    /// Tells something until the next key.
    pub fn tell(&mut self, text: String) {
        self.say(text);
    }

    /// Takes back what was told, if it still is told.
    pub fn take_back(&mut self, told: &str) {
        self.notice = self.notice.take().filter(|notice| notice != told);
    }

    /// Shows the same panels as another one.
    pub fn look_as(&mut self, other: &Self) {
        (self.zoom, self.rules) = (other.zoom, other.rules);
        if other.selected.index() < self.lab.setup().total() {
            (self.selected, self.follows) = (other.selected, other.follows);
        }
    }

    /// Goes to a point of the tree of runs.
    pub fn go_to(&mut self, rev: crate::sim::RevId) {
        self.lab.go_to(rev);
        self.after_move();
    }

    /// How often the stepper wants a tick.
    #[must_use]
    pub fn tick_every(&self) -> Option<Duration> {
        self.auto.map(|pace| Duration::from_millis(PACES[pace]))
    }

    /// Whether a question is open for an answer.
    #[must_use]
    pub fn asking(&self) -> bool {
        self.asking.is_some()
    }

    /// Whether a text field has the focus.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.command.is_some() || self.asking.as_ref().is_some_and(Asking::is_text)
    }

    /// Takes an input.
    pub fn input(&mut self, input: &Input) -> Ask {
        let ask = self.take(input);
        if !matches!(ask, Ask::Stay(false)) {
            self.forget_frame();
        }
        self.keep_draft();
        ask
    }

    /// Until the next frame nobody has seen where things are: no click is judged by an older one.
    fn forget_frame(&self) {
        self.points_at.take();
        self.flights_at.take();
    }

    fn take(&mut self, input: &Input) -> Ask {
        match input {
            Input::Key(key) => self.key(*key),
            Input::Repeat(key @ (Key::Up | Key::Down)) if self.command.is_none() => self.key(*key),
            Input::Paste(text) => self.paste(text),
            Input::Tick if self.auto.is_some() => {
                self.auto_step();
                Ask::Stay(true)
            }
            Input::Click { col, row } => self.click(*col, *row),
            Input::Resize(..) => Ask::Stay(true),
            _ => Ask::Stay(false),
        }
    }

    fn key(&mut self, key: Key) -> Ask {
        self.notice = None;
        if self.legend {
            self.legend = false;
            return Ask::Stay(true);
        }
        if let Some(over) = self.over.take() {
            return self.over_key(over, key);
        }
        if self.command.is_some() {
            return self.command_key(key);
        }
        if self.asking.is_some() && self.asking_key(key) {
            return Ask::Stay(true);
        }
        match action::of_key(key) {
            Some(action) => self.act(action),
            None => {
                self.say(format!("{} does nothing here; ? shows all keys", action::show(key)));
                Ask::Stay(true)
            }
        }
    }

    /// A click on a message delivers it, one on a step of the diagram goes there.
    fn click(&mut self, col: u16, row: u16) -> Ask {
        let (area, first) = self.flights_at.get();
        let near = |at: &Position| at.y == row && at.x.abs_diff(col) <= 1;
        let point = self.points_at.borrow().iter().find(|(at, _)| near(at)).map(|(_, rev)| *rev);
        let covered = self.over.is_some() || self.legend;
        if covered || point.is_none() && !area.contains(Position::new(col, row)) {
            return Ask::Stay(false);
        }
        self.notice = None;
        if self.asking.as_ref().is_some_and(|asking| !asking.is_played()) {
            self.say("the question is open: Esc gives the keys back to the cluster");
            return Ask::Stay(true);
        }
        match point {
            Some(rev) => self.go_to(rev),
            None => self.deliver_number(first + usize::from(row - area.y) + 1),
        }
        Ask::Stay(true)
    }

    /// Puts a text into the footer until the next key.
    fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(text.into());
    }

    fn act(&mut self, action: Action) -> Ask {
        if action != Action::Auto && action != Action::Faster && action != Action::Slower {
            self.auto = None;
        }
        match action {
            Action::Quit => return self.quit(),
            Action::Help => return Ask::Help,
            Action::Branches => return Ask::Branches,
            Action::Check => return Ask::Check,
            Action::Log => return Ask::Log,
            Action::Next => self.next(),
            Action::Back => self.back(),
            Action::First => self.go_to(crate::sim::RevId::ROOT),
            Action::Last => self.last(),
            Action::Pick(n) => self.deliver_number(usize::from(n)),
            Action::Up if self.zoom == Some(Zoom::Lesson) => self.read_on(false),
            Action::Down if self.zoom == Some(Zoom::Lesson) => self.read_on(true),
            Action::Up => self.choose(-1),
            Action::Down => self.choose(1),
            Action::Confirm => self.confirm(),
            Action::Cancel if self.visit && !self.has_something_open() => return Ask::Leave,
            Action::Cancel => self.cancel(),
            Action::NextNode => self.select(1),
            Action::PreviousNode => self.select(-1),
            Action::Ask => self.play(Event::Request(self.selected)),
            Action::Leave => self.play(Event::Exit(self.selected)),
            Action::Timer => self.play(Event::Timeout(self.selected)),
            Action::Write => self.play(Event::Write(self.selected)),
            Action::CrashOrRecover => self.crash_or_recover(),
            Action::Drop => self.with_chosen(Event::Drop),
            Action::Duplicate => self.with_chosen(Event::Duplicate),
            Action::KeepBack => self.keep_back(),
            Action::Actions => self.over = Some(Over::Actions(0)),
            Action::Export => self.over = Some(Over::Menu(0)),
            Action::Command => self.open_command(""),
            Action::Auto => self.toggle_auto(),
            Action::Faster => self.pace(1),
            Action::Slower => self.pace(-1),
            Action::Hint => self.hint(),
            Action::Rules => self.show_rules(),
            Action::Zoom => self.zoom_on(),
            Action::ScrollLeft if self.zoom == Some(Zoom::Lesson) => self.read_on(false),
            Action::ScrollRight if self.zoom == Some(Zoom::Lesson) => self.read_on(true),
            Action::ScrollLeft => self.scroll(1),
            Action::ScrollRight => self.scroll(-1),
            Action::Legend => self.legend = true,
        }
        Ask::Stay(true)
    }

    fn quit(&mut self) -> Ask {
        if self.zoom.take().is_some() {
            return Ask::Stay(true);
        }
        Ask::Leave
    }

    fn zoom_on(&mut self) {
        let lesson = self.learner.is_some();
        self.zoom = match self.zoom {
            None => Some(Zoom::SpaceTime),
            Some(Zoom::SpaceTime) => Some(Zoom::Nodes),
            Some(Zoom::Nodes) => Some(Zoom::Flights),
            Some(Zoom::Flights) => Some(Zoom::Rules),
            Some(Zoom::Rules) if lesson => Some(Zoom::Lesson),
            Some(Zoom::Rules | Zoom::Lesson) => None,
        };
    }

    /// Scrolls the lesson's page, where it has the whole screen.
    fn read_on(&mut self, on: bool) {
        let most = self.read_most.get();
        let next = if on { self.read_to + READ_ON } else { self.read_to.saturating_sub(READ_ON) };
        if most == 0 {
            self.say("the whole page is shown; z shows the next panel");
        }
        self.read_to = next.min(most);
    }

    fn toggle_auto(&mut self) {
        self.auto = match self.auto {
            Some(_) => None,
            None => Some(2),
        };
        let text =
            if self.auto.is_some() { "playing on; a stops, + faster, - slower" } else { "stopped" };
        self.say(text);
    }

    fn pace(&mut self, by: isize) {
        match self.auto {
            Some(pace) => {
                let last = PACES.len() - 1;
                let next = pace.saturating_add_signed(by).min(last);
                self.auto = Some(next);
                if next == pace {
                    let end = if by > 0 { "fastest" } else { "slowest" };
                    self.say(format!("this is the {end} pace"));
                }
            }
            None => self.say("+ and - set the pace while the run plays by itself: a starts it"),
        }
    }

    /// Random steps are drawn from this seed from now on.
    pub fn use_seed(&mut self, seed: u64) {
        self.seed = Some(seed);
        self.policy = Policy::Seeded(SplitMix64::new(seed));
    }

    /// What the line above the footer says: the last step in words, or how to begin.
    fn sentence(&self) -> String {
        let names = &self.lab.setup().names;
        match self.lab.history().last_record() {
            Some(record) => narrate::sentence(record, names),
            None if self.question_waits() && !self.away() => {
                "Nothing has happened yet: Enter opens the question.".to_owned()
            }
            None if self.learner.is_some() && !self.away() => {
                "Nothing has happened yet: → goes on with the lesson.".to_owned()
            }
            None if self.lab.state().check(Event::Request(self.selected)).is_err() => {
                "Nothing has happened yet: : takes events, such as local P1 or tell P1>P2."
                    .to_owned()
            }
            None => format!(
                "Nothing has happened yet: r lets {} ask for the lock, Tab selects another node.",
                names.get(self.selected)
            ),
        }
    }
}
