//! What the stepper holds beside its session: what is selected and shown, what lies over the panels.
//!
//! What a key does stands in `input` and `commands`; what is drawn in `draw`.

use super::entry::Entry;
use super::line::CommandLine;
use super::over::Over;
use super::told::Teller;
use crate::catalog::ConfigError;
use crate::input::{count, verb};
use crate::lab::Lab;
use crate::lesson::Learner;
use crate::lesson::question::Way;
use crate::model::{Event, NodeId};
use crate::session::{AnswerDraft, Command, Remark, Session, To};
use crate::sim::RevId;
use crate::ui::list::TypedNumber;
use crate::ui::panel::flights;
use crate::ui::screen::check::Check;
use ratatui::layout::Position;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// Pauses of auto-play, slow to fast.
pub(super) const PACES: [u64; 6] = [3_000, 2_000, 1_200, 800, 400, 150];

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

impl Zoom {
    /// In the order in which one key shows them.
    pub(super) const ALL: [Self; 5] =
        [Self::SpaceTime, Self::Nodes, Self::Flights, Self::Rules, Self::Lesson];
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

/// What the panels show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct View {
    pub(super) zoom: Option<Zoom>,
    /// Whether the rules stand in place of the lesson's page.
    pub(super) rules: bool,
    pub(super) legend: bool,
    /// How many steps the diagram is scrolled back.
    pub(super) scrolled: usize,
    /// The first line of the lesson's page that is shown, where it has the whole screen.
    pub(super) read_to: usize,
    /// How many letters have chosen something in the question that has closed with the last key.
    pub(super) answered: usize,
}

/// What the last frame has drawn where.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// Whether the rules had a place of their own.
    pub(super) rules: Cell<bool>,
    /// The panel that says that there is more, when all of them were drawn last.
    pub(super) more: Cell<Option<Zoom>>,
    /// How many steps the diagram had room for.
    pub(super) columns: Cell<usize>,
    /// How far the page could be scrolled.
    pub(super) read_most: Cell<usize>,
    /// Where the list of messages stands, and which of them it shows.
    pub(super) flights: Cell<flights::Shown>,
    /// Where the steps of the diagram stand.
    pub(super) points: RefCell<Vec<(Position, RevId)>>,
}

impl Drawn {
    /// Until the next frame nobody has seen where things are: no click is judged by an older one.
    pub(super) fn forget(&self) {
        self.points.take();
        self.flights.take();
    }
}

/// The stepper's state.
#[derive(Debug)]
pub struct Stepper {
    pub(super) session: Session,
    pub(super) title: String,
    pub(super) selected: NodeId,
    /// Whether the selection follows the node that acts.
    pub(super) follows: bool,
    /// The place of the message that is chosen.
    pub(super) chosen: Option<usize>,
    /// The beginning of a message's number, as far as it is typed.
    pub(super) number: TypedNumber,
    pub(super) notice: Option<String>,
    pub(super) view: View,
    pub(super) drawn: Drawn,
    /// The pace at which the run plays by itself.
    pub(super) auto: Option<usize>,
    pub(super) line: CommandLine,
    pub(super) over: Option<Over>,
    /// Where one stands in the answer to the question that is open.
    pub(super) entry: Option<Entry>,
    /// Whether it was opened beside a presentation, to which Esc leads back.
    pub(super) visit: bool,
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
        self.session.into_lab()
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
            let steps = count(steps, "step");
            stepper.say(format!("the end of a run of {steps}: ← goes back, Home to its start"));
        }
        stepper
    }

    /// A lesson.
    #[must_use]
    pub fn lesson(learner: Learner, lab: Lab) -> Self {
        let (title, remark) = (learner.lesson().title.clone(), learner.lesson().remark());
        let mut stepper = Self::new(lab, Some(learner), title);
        stepper.notice = remark.map(str::to_owned);
        stepper
    }

    fn new(lab: Lab, learner: Option<Learner>, title: String) -> Self {
        Self {
            session: Session::new(lab, learner),
            title,
            selected: NodeId(0),
            follows: true,
            chosen: None,
            number: TypedNumber::default(),
            notice: None,
            view: View::default(),
            drawn: Drawn::default(),
            auto: None,
            line: CommandLine::default(),
            over: None,
            entry: None,
            visit: false,
        }
    }

    /// What the person does with the cluster and the lesson.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The cluster and its runs.
    #[must_use]
    pub fn lab(&self) -> &Lab {
        self.session.lab()
    }

    /// Whether what is played here is kept when it is left.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        let drill = self.learner().is_some_and(|learner| learner.lesson().drill);
        !self.visit && !drill && std::ptr::eq(self.lab(), self.session.lesson_lab())
    }

    /// The learner, in a lesson.
    #[must_use]
    pub fn learner(&self) -> Option<&Learner> {
        self.session.learner()
    }

    /// A search over every schedule from here; each node asks as often as the lesson says, else as
    /// often as the cluster needs.
    ///
    /// # Errors
    /// Why the cluster cannot be searched.
    pub fn check(&self) -> Result<Check, ConfigError> {
        let lesson = self.learner().map(|l| l.lesson().requests.as_slice());
        Check::of(self.lab(), lesson.unwrap_or_default())
    }

    /// Plays a run from the beginning and stands at its beginning, so that it can be stepped.
    pub fn show_run(&mut self, events: &[Event]) {
        if let Err(refused) = self.session.show_run(events) {
            return self.say(format!("no: {}", refused.reason));
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
        (self.view.zoom, self.view.rules) = (other.view.zoom, other.view.rules);
        if other.selected.index() < self.lab().setup().total() {
            (self.selected, self.follows) = (other.selected, other.follows);
        }
    }

    /// Goes to a point of the tree of runs.
    pub fn go_to(&mut self, rev: RevId) {
        self.perform(Command::Go(To::Point(rev)));
    }

    /// How often the stepper wants a tick.
    #[must_use]
    pub fn tick_every(&self) -> Option<Duration> {
        self.auto.map(|pace| Duration::from_millis(PACES[pace]))
    }

    /// Whether a question is open for an answer.
    #[must_use]
    pub fn asking(&self) -> bool {
        self.session.answer().is_some()
    }

    /// Whether a text field has the focus.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.line.field.is_some()
            || self.over.as_ref().is_some_and(Over::typing)
            || self.session.answer().is_some_and(AnswerDraft::is_text)
    }

    /// Random steps are drawn from this seed from now on.
    pub fn use_seed(&mut self, seed: u64) {
        self.session.use_seed(seed);
    }

    pub(super) fn teller(&self) -> Teller<'_> {
        Teller { session: &self.session, selected: self.selected, typing: self.typing() }
    }

    /// Puts a text into the footer until the next key.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(text.into());
    }

    /// Does a command, shows what has changed, and says what there is to say. Returns the remarks.
    pub(super) fn perform(&mut self, command: Command) -> Vec<Remark> {
        let stood = |session: &Session| {
            let page = session.learner().map(|learner| learner.page().0);
            (session.bench().here(), page, session.in_own_cluster(), session.answer().is_some())
        };
        let (before, going) = (stood(&self.session), matches!(command, Command::Go(_)));
        let opens = command == Command::Open;
        let remarks = self.session.act(command);
        let now = stood(&self.session);
        if before.2 != now.2 {
            self.selected = NodeId(0);
        }
        if going || before != now {
            self.after_move();
        }
        if before.3 && !now.3 && remarks.iter().any(|r| matches!(r, Remark::Verdict(_))) {
            self.view.answered = self.letters();
        }
        match self.session.answer() {
            None => self.entry = None,
            Some(draft) if self.entry.is_none() => self.entry = Some(Entry::of(draft)),
            Some(_) => {}
        }
        if opens {
            self.show_question();
        }
        remarks.iter().for_each(|remark| self.take_note(remark));
        let notice = remarks.iter().find_map(|remark| self.teller().notice(remark));
        self.notice = notice.or(self.notice.take());
        remarks
    }

    /// How many letters choose something in an answer to the page's question.
    fn letters(&self) -> usize {
        self.session.question().map_or(0, |question| match &question.way {
            Way::PickOne | Way::PickMany | Way::Arrange => question.picks.len(),
            Way::Decide(words) => words.len(),
            Way::Play(how) => how.annotate.len(),
            Way::Write | Way::Cells(_) => 0,
        })
    }

    /// What a remark changes in what is shown.
    fn take_note(&mut self, remark: &Remark) {
        match (remark, &mut self.entry) {
            (Remark::SayFirst(_), Some(entry)) => {
                entry.word_at = None;
                self.auto = None;
                self.show_question();
            }
            (Remark::Decided, Some(entry)) => entry.word_at = None,
            (Remark::Verdict(_), _) => {
                self.show_question();
            }
            _ => {}
        }
    }

    /// The selection follows who has acted, and the diagram shows the present.
    fn after_move(&mut self) {
        self.drawn.forget();
        (self.view.scrolled, self.view.read_to, self.chosen) = (0, 0, None);
        let lab = self.session.lab();
        let acted = lab.history().last_record().and_then(|record| record.node);
        if let Some(node) = acted.filter(|node| self.follows && lab.setup().is_client(*node)) {
            self.selected = node;
        }
    }

    /// Another panel that has the whole screen gives it back. Returns whether one had it.
    pub(super) fn show_question(&mut self) -> bool {
        self.view.zoom.take_if(|zoom| *zoom != Zoom::Lesson).is_some()
    }
}
