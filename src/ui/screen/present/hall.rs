//! The presentation on the terminal: the talk, the help above it, the stepper beside it, and the line
//! to the notes.
//!
//! It decides nothing about the lesson; `Talk` does.

use super::{Talk, Wish};
use crate::lab::Lab;
use crate::sim::RevId;
use crate::ui::Waker;
use crate::ui::app::App;
use crate::ui::course::Course;
use crate::ui::keymap::{Input, Key};
use crate::ui::panel::Look;
use crate::ui::present_link::{Host, Now};
use crate::ui::screen::help::Help;
use crate::ui::screen::stepper::Stepper;
use crate::ui::screen::{is_too_small, too_small, unseen};
use crate::ui::session::{Flow, Screenful};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::BTreeMap;
use std::time::Duration;

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
    host: Option<Host>,
    /// What the notes were told last.
    told: Option<Now>,
    /// Whether the window is too small for what the hall should see.
    small: bool,
}

impl Hall {
    /// A presentation, with the line to its notes if there is one.
    #[must_use]
    pub fn new(talk: Talk, look: Look, host: Option<Host>) -> Self {
        let (above, explored, told) = (Above::Nothing, BTreeMap::new(), None);
        Self { talk, look, above, explored, host, told, small: false }
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

    /// What the notes show.
    #[must_use]
    pub fn now(&self) -> Now {
        let mut now = self.talk.now();
        match self.above {
            Above::Nothing => {}
            Above::Help(_) => "the keys are on the screen".clone_into(&mut now.hall),
            Above::Exploring(_) => {
                "exploring; F5 or Esc comes back".clone_into(&mut now.hall);
            }
        }
        now
    }

    /// Tells the notes, if there is anything new.
    fn tell(&mut self) {
        let now = self.now();
        if self.told.as_ref() == Some(&now) {
            return;
        }
        if let Some(host) = &mut self.host {
            host.publish(&now, &self.talk.place());
        }
        self.told = Some(now);
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

fn resized(input: &Input) -> Flow {
    if matches!(input, Input::Resize(..)) { Flow::Changed } else { Flow::Unchanged }
}

impl Screenful for Hall {
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
        let flow = self.take(&input);
        self.tell();
        flow
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        self.draw_into(area, frame.buffer_mut());
    }

    /// The first frame is about to be drawn: from now on there is something to tell.
    fn wake_with(&mut self, _waker: Waker) {
        self.tell();
    }

    /// Only what plays by itself in the stepper wants to be woken; the hall sleeps.
    fn tick_every(&self) -> Option<Duration> {
        match &self.above {
            Above::Exploring(app) => app.tick_every().filter(|_| !self.small),
            Above::Nothing | Above::Help(_) => None,
        }
    }
}
