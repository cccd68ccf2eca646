//! The presentation on the terminal: the talk, the help above it, the stepper beside it, and the line
//! to the notes, whose keys it takes as its own.
//!
//! It decides nothing about the lesson; `Talk` does.

use super::{Move, Now, Talk, Wish, of_key};
use crate::lab::Lab;
use crate::sim::RevId;
use crate::ui::app::App;
use crate::ui::course::Course;
use crate::ui::keymap::{Input, Key};
use crate::ui::panel::Look;
use crate::ui::present_link::{self, Aside, HallLink, LOOK, Place, QUICK_LOOK, Shown};
use crate::ui::screen::help::Help;
use crate::ui::screen::stepper::Stepper;
use crate::ui::screen::{is_too_small, too_small, unseen};
use crate::ui::{Application, Flow};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::BTreeMap;
use std::time::Duration;

/// So many quick looks follow a key from the notes.
const QUICK_LOOKS: u8 = 50;

/// What is seen in place of the lesson.
#[derive(Debug)]
enum Above {
    Nothing,
    Help(Help),
    Exploring(Box<App>),
}

/// A presentation that runs.
#[derive(Debug)]
pub struct Hall {
    talk: Talk,
    look: Look,
    above: Above,
    /// What was explored, by the point of the lesson from which it set out.
    explored: BTreeMap<RevId, Lab>,
    /// Whether the window is too small for what the hall should see.
    small: bool,
    link: Option<HallLink>,
    /// So many looks are quick ones still.
    quick: u8,
    /// How long the stepper that plays by itself has waited for its tick.
    waited: Duration,
}

impl Hall {
    /// A presentation, with the line to its notes if there is one.
    #[must_use]
    pub fn new(talk: Talk, look: Look, link: Option<HallLink>) -> Self {
        let (above, explored, waited) = (Above::Nothing, BTreeMap::new(), Duration::ZERO);
        Self { talk, look, above, explored, link, quick: 0, waited, small: false }
    }

    /// Where the presentation stands.
    #[must_use]
    pub fn talk(&self) -> &Talk {
        &self.talk
    }

    /// The stepper, while the cluster is explored.
    #[must_use]
    pub fn stepper(&self) -> Option<&Stepper> {
        match &self.above {
            Above::Exploring(app) => app.stepper(),
            Above::Nothing | Above::Help(_) => None,
        }
    }

    /// Where the presentation stands, with what lies over it.
    fn place(&self) -> Place {
        let place = self.talk.place();
        let shown = match self.above {
            Above::Nothing => place.shown,
            Above::Help(_) => Shown::Keys,
            Above::Exploring(_) => Shown::Exploring,
        };
        Place { shown, ..place }
    }

    /// What the notes tell.
    #[must_use]
    pub fn now(&self) -> Now {
        self.talk.now(self.place().shown)
    }

    /// Looks what the notes wish for, and does it. Returns whether there was anything.
    fn look(&mut self) -> bool {
        let wish = self.link.as_mut().and_then(HallLink::wish);
        // Where one key comes, more may follow.
        self.quick = if wish.is_some() { QUICK_LOOKS } else { self.quick.saturating_sub(1) };
        if let Some(wish) = wish {
            self.do_wish(wish);
        }
        wish.is_some()
    }

    fn do_wish(&mut self, wish: present_link::Wish) {
        use present_link::Wish::{Key, Step};
        let closes = matches!(wish, Key(key) if of_key(key) == Some(Move::Close));
        match (&self.above, wish) {
            (Above::Nothing, Step(number)) => self.talk.go_to_number(number),
            (Above::Nothing, Key(key)) => match self.talk.key_in_notes(key) {
                Wish::Stay(true) => {}
                Wish::Stay(false) => self.talk.tell(Aside::Idle),
                // These are for whoever sits there.
                Wish::Explore | Wish::Help | Wish::Quit => self.talk.tell(Aside::HallOnly),
            },
            (Above::Help(_) | Above::Exploring(_), _) if closes => self.come_back(),
            (Above::Help(_), _) => self.talk.tell(Aside::Keys),
            (Above::Exploring(_), _) => self.talk.tell(Aside::Exploring),
        }
    }

    /// Time has passed: the notes may wish for something, and the stepper may play by itself.
    fn tick(&mut self) -> Flow {
        let passed = self.tick_every().unwrap_or_default();
        let changed = self.look();
        let Above::Exploring(app) = &mut self.above else { return flow(changed) };
        let Some(every) = app.tick_every().filter(|_| !self.small) else { return flow(changed) };
        self.waited += passed;
        if self.waited < every {
            return flow(changed);
        }
        self.waited = Duration::ZERO;
        match self.take(&Input::Tick) {
            Flow::Unchanged => flow(changed),
            done => done,
        }
    }

    fn explore(&mut self) -> Flow {
        // Each point has a tree of its own: one that knew another point's run would show what comes.
        let lab = match self.explored.remove(&self.talk.beat().rev) {
            Some(lab) => Ok(lab),
            None => Lab::new(self.talk.lab().config().clone()),
        };
        // The lesson's own cluster could be built, and this is the same one.
        let Ok(mut lab) = lab else { return Flow::Unchanged };
        self.talk.bring(&mut lab);
        let title = self.talk.lesson().title.clone();
        let mut app = App::new(Course::default(), self.look, false);
        app.open(Stepper::visit(lab, title));
        self.above = Above::Exploring(Box::new(app));
        Flow::Changed
    }

    /// Back to the lesson's point. What was played stays in the tree of the next exploration from there.
    fn come_back(&mut self) {
        if let Above::Exploring(app) = &mut self.above {
            let lab = app.take_visit().map(Stepper::into_lab);
            self.explored.extend(lab.map(|lab| (self.talk.beat().rev, lab)));
        }
        self.above = Above::Nothing;
        self.talk.aside = None;
    }

    fn take(&mut self, input: &Input) -> Flow {
        match &mut self.above {
            Above::Exploring(app) => {
                if *input == Input::Key(Key::F(5)) {
                    self.come_back();
                    return Flow::Changed;
                }
                let flow = app.input(input.clone());
                if app.at_home() && flow != Flow::Quit {
                    self.come_back();
                    return Flow::Changed;
                }
                flow
            }
            Above::Help(help) => match input {
                Input::Key(key) => {
                    if help.key(*key) {
                        self.above = Above::Nothing;
                    }
                    Flow::Changed
                }
                _ => resized(input),
            },
            Above::Nothing => match input {
                Input::Key(key) => match self.talk.key(*key) {
                    Wish::Stay(true) => Flow::Changed,
                    Wish::Stay(false) => Flow::Unchanged,
                    Wish::Quit => Flow::Quit,
                    Wish::Explore => self.explore(),
                    Wish::Help => {
                        self.above = Above::Help(Help::hall());
                        Flow::Changed
                    }
                },
                _ => resized(input),
            },
        }
    }

    /// Draws what the hall sees into a buffer.
    pub fn draw_into(&mut self, area: Rect, buf: &mut Buffer) {
        self.small = is_too_small(area);
        if area.is_empty() {
            return;
        }
        if self.small {
            too_small(&self.look, area, buf);
            return;
        }
        match &mut self.above {
            Above::Nothing => self.talk.draw(&self.look, area, buf),
            Above::Help(help) => {
                help.draw(Some(self.talk.lab().state().info()), &self.look, area, buf);
            }
            Above::Exploring(app) => app.draw_into(area, buf),
        }
    }
}

fn flow(changed: bool) -> Flow {
    if changed { Flow::Changed } else { Flow::Unchanged }
}

fn resized(input: &Input) -> Flow {
    flow(matches!(input, Input::Resize(..)))
}

impl Application for Hall {
    fn input(&mut self, input: Input) -> Flow {
        if let Some(flow) = unseen(&mut self.small, &input) {
            return flow;
        }
        if let Input::Background(background) = input {
            let theme = self.look.theme.on(background);
            self.look = Look { theme, ..self.look };
            if let Above::Exploring(app) = &mut self.above {
                app.set_look(self.look);
            }
            return Flow::Changed;
        }
        if input == Input::Tick { self.tick() } else { self.take(&input) }
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        self.draw_into(area, frame.buffer_mut());
        // Only now is it known whether the words go on below the screen.
        let place = self.place();
        if let Some(link) = &mut self.link {
            link.publish(&place);
        }
    }

    /// With a line to the notes it is looked at; without, only the stepper may play by itself.
    fn tick_every(&self) -> Option<Duration> {
        let own = match &self.above {
            Above::Exploring(app) => app.tick_every().filter(|_| !self.small),
            Above::Nothing | Above::Help(_) => None,
        };
        let look = if self.quick > 0 { QUICK_LOOK } else { LOOK };
        own.into_iter().chain(self.link.as_ref().map(|_| look)).min()
    }
}
