//! The interactive program: a stack of screens, and which one an input goes to.
//!
//! It owns no terminal and no file: `session` runs it, the tests draw it.

mod keys;
mod preview;

use super::course::{AGAIN, Course};
use super::keymap::{Input, Key};
use super::panel::Look;
use super::panel::text::clip;
use super::previewing::Previewing;
use super::screen;
use super::screen::branches::Branches;
use super::screen::check::Check;
use super::screen::compare::Compare;
use super::screen::compare_pair::Beside;
use super::screen::drill::Drills;
use super::screen::help::{Help, Part};
use super::screen::home::{self, Home, Item};
use super::screen::log::Log;
use super::screen::setup::Form;
use super::screen::stepper::{self, Ask, Stepper};
use super::theme::Role;
use super::{Application, Flow};
use crate::lesson::Learner;
use crate::sim::RevId;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget as _};
use std::time::Duration;

/// What is told when the mouse is switched.
const MOUSE_ON: &str = "the mouse is on: clicks deliver, or go to a step; m: off";
const MOUSE_OFF: &str = "the mouse is off: it selects text again; m: on";

/// A screen above Home.
#[derive(Debug)]
enum Screen {
    Stepper(Box<Stepper>),
    Form(Box<Form>),
    /// The choice of a drill; its state outlives it.
    Drills,
    Branches(Branches),
    Log(Box<Log>),
    Check(Box<Check>),
    Compare(Box<Compare>),
    Beside(Box<Beside>),
    Help(Help),
}

/// The interactive program.
#[derive(Debug)]
pub struct App {
    lessons: Course,
    home: Home,
    drills: Drills,
    screens: Vec<Screen>,
    look: Look,
    mouse: bool,
    /// Told in the footer until the next key.
    warning: Option<String>,
    /// A stepper beside a presentation that was left: what was played in it is not lost.
    left: Option<Box<Stepper>>,
    /// Whether the window is too small for a screen: then nothing is seen, and nothing acts.
    small: bool,
    /// The lesson file that is looked at while it is written. Then nothing is kept.
    preview: Option<Box<Previewing>>,
}

impl App {
    /// The program at Home.
    #[must_use]
    pub fn new(mut lessons: Course, look: Look, mouse: bool) -> Self {
        let home = Home::new(&lessons);
        let warning = lessons.take_warning();
        let drills = Drills::new(1);
        let (screens, left, preview) = (Vec::new(), None, None);
        Self { lessons, home, drills, screens, look, mouse, warning, left, small: false, preview }
    }

    /// Changes how everything looks.
    pub fn set_look(&mut self, look: Look) {
        self.look = look;
    }

    /// Begins the next drill with a seed.
    pub fn use_drill_seed(&mut self, seed: u64) {
        self.drills.use_seed(seed);
    }

    /// Opens the choice of a drill.
    pub fn open_drills(&mut self) {
        self.screens.push(Screen::Drills);
    }

    /// Opens a stepper above Home.
    pub fn open(&mut self, stepper: Stepper) {
        self.screens.push(Screen::Stepper(Box::new(stepper)));
    }

    /// The stepper, if one is open.
    #[must_use]
    pub fn stepper(&self) -> Option<&Stepper> {
        self.screens.iter().rev().find_map(|s| match s {
            Screen::Stepper(stepper) => Some(stepper.as_ref()),
            _ => None,
        })
    }

    /// Takes the stepper beside a presentation out, whether it was left or is still open.
    pub fn take_visit(&mut self) -> Option<Stepper> {
        let open = self.screens.drain(..).find_map(|screen| match screen {
            Screen::Stepper(stepper) if stepper.is_visit() => Some(stepper),
            _ => None,
        });
        self.left.take().or(open).map(|stepper| *stepper)
    }

    /// Whether Home is what one sees.
    #[must_use]
    pub fn at_home(&self) -> bool {
        self.screens.is_empty()
    }

    fn typing(&self) -> bool {
        match self.screens.last() {
            Some(Screen::Stepper(stepper)) => stepper.typing(),
            Some(Screen::Log(_)) => true,
            Some(Screen::Form(form)) => form.typing(),
            Some(Screen::Check(check)) => check.typing(),
            Some(Screen::Help(help)) => help.typing(),
            Some(Screen::Drills) => self.drills.typing(),
            Some(Screen::Branches(branches)) => branches.typing(),
            Some(Screen::Compare(compare)) => compare.typing(),
            Some(Screen::Beside(_)) => false,
            None => self.home.typing(),
        }
    }

    fn open_item(&mut self, item: &Item) {
        match item {
            Item::Play(n) => self.screens.push(Screen::Form(Box::new(Form::new(*n)))),
            Item::Drill => self.screens.push(Screen::Drills),
            Item::Check => self.screens.push(Screen::Form(Box::new(Form::to_check()))),
            Item::Compare => self.screens.push(Screen::Compare(Box::default())),
            Item::Beside => self.screens.push(Screen::Beside(Box::default())),
            Item::Continue => match self.lessons.continue_run() {
                Ok(lab) => self.open(Stepper::free_play(lab)),
                Err(why) => {
                    self.home.renew(&self.lessons);
                    self.home.notice = Some(why);
                }
            },
            Item::Lesson(n) => match self.lessons.open(*n) {
                Ok((learner, lab)) => self.open(Stepper::lesson(learner, lab)),
                Err(error) => self.home.notice = Some(error.to_string()),
            },
        }
    }

    fn home_input(&mut self, input: &Input) -> Flow {
        let Input::Key(key) = input else {
            return if matches!(input, Input::Resize(..)) {
                Flow::Changed
            } else {
                Flow::Unchanged
            };
        };
        let before = self.home.clone();
        match self.home.key(*key, &self.lessons) {
            home::Chosen::Quit => return Flow::Quit,
            home::Chosen::Help => self.help(Part::Home),
            home::Chosen::Open(item) => self.open_item(&item),
            home::Chosen::Again(place) => match self.lessons.open_again(place) {
                Ok((learner, lab)) => {
                    let mut stepper = Stepper::lesson(learner, lab);
                    stepper.tell(AGAIN.to_owned());
                    self.open(stepper);
                }
                Err(error) => self.home.notice = Some(error.to_string()),
            },
            home::Chosen::Stay if self.home == before => return Flow::Unchanged,
            home::Chosen::Stay => {}
        }
        Flow::Changed
    }

    /// Takes an input on the top screen.
    fn top_input(&mut self, input: &Input) -> Flow {
        let Some(top) = self.screens.last_mut() else { return self.home_input(input) };
        if let Screen::Stepper(stepper) = top {
            let asked = stepper.input(input);
            let kept = |learner: &&Learner| !learner.lesson().drill && self.preview.is_none();
            if let Some(learner) = stepper.learner().filter(kept) {
                self.lessons.note(learner, stepper.session().writing());
            }
            return self.stepper_asks(asked);
        }
        match (&mut *top, input) {
            (Screen::Check(check), Input::Tick) => {
                check.work();
                return Flow::Changed;
            }
            (Screen::Compare(compare), Input::Tick) => {
                compare.work();
                return Flow::Changed;
            }
            (Screen::Form(form), Input::Paste(text)) => {
                form.paste(text);
                return Flow::Changed;
            }
            (Screen::Log(log), Input::Paste(text)) => {
                log.paste(text);
                return Flow::Changed;
            }
            (Screen::Check(check), Input::Paste(text)) => {
                check.paste(text);
                return Flow::Changed;
            }
            _ => {}
        }
        let Input::Key(key) = input else {
            return if matches!(input, Input::Resize(..)) {
                Flow::Changed
            } else {
                Flow::Unchanged
            };
        };
        self.screen_key(*key);
        Flow::Changed
    }

    /// How often the top screen wants a tick.
    fn own_tick(&self) -> Option<Duration> {
        match self.screens.last() {
            // Nothing is played that nobody sees.
            Some(Screen::Stepper(stepper)) => stepper.tick_every().filter(|_| !self.small),
            Some(Screen::Check(check)) => check.works().then_some(Duration::ZERO),
            Some(Screen::Compare(compare)) => compare.works().then_some(Duration::ZERO),
            _ => None,
        }
    }

    /// Opens the help, with the keys of a screen first.
    fn help(&mut self, part: Part) {
        self.screens.push(Screen::Help(Help::of(part)));
    }

    /// Back to the stepper below, at a point of its runs.
    fn go_to(&mut self, rev: RevId) {
        self.close();
        if let Some(Screen::Stepper(stepper)) = self.screens.last_mut() {
            stepper.go_to(rev);
        }
    }

    /// Checks every schedule of the stepper's cluster.
    fn check(&mut self) {
        if let Some(Screen::Stepper(stepper)) = self.screens.last_mut() {
            match stepper.check() {
                Ok(check) => self.screens.push(Screen::Check(Box::new(check))),
                Err(reason) => stepper.tell(reason.to_string()),
            }
        }
    }

    fn stepper_asks(&mut self, asked: Ask) -> Flow {
        match asked {
            Ask::Stay(changed) => return if changed { Flow::Changed } else { Flow::Unchanged },
            Ask::Leave => {
                self.leave_stepper();
                if self.preview.is_some() && self.screens.is_empty() {
                    return Flow::Quit;
                }
            }
            Ask::Copy(text) => return Flow::Copy(text),
            Ask::Open(lab, told) => {
                let mut stepper = Stepper::free_play(*lab);
                stepper.tell(told);
                self.open(stepper);
            }
            Ask::Help => {
                let asking = self.stepper().is_some_and(Stepper::asking);
                self.help(if asking { Part::Questions } else { Part::Stepper });
            }
            Ask::Check => self.check(),
            Ask::Log => {
                if let Some(stepper) = self.stepper() {
                    let log = Log::of(stepper.lab());
                    self.screens.push(Screen::Log(Box::new(log)));
                }
            }
            Ask::Branches => {
                if let Some(stepper) = self.stepper() {
                    let stays = self.preview.is_none() && stepper.is_kept();
                    let branches = Branches::of(stepper.lab());
                    let branches = if stays { branches } else { branches.for_now() };
                    self.screens.push(Screen::Branches(branches));
                }
            }
        }
        Flow::Changed
    }

    fn leave_stepper(&mut self) {
        let Some(Screen::Stepper(stepper)) = self.screens.pop() else { return };
        if stepper.is_visit() {
            self.left = Some(stepper);
            return;
        }
        if let Some(learner) = stepper.learner() {
            if learner.lesson().drill {
                self.drills.count(learner);
                if self.screens.is_empty() {
                    self.screens.push(Screen::Drills);
                }
                return;
            }
            if self.preview.is_none() {
                self.lessons.leave_lab(stepper.session().lesson_lab(), Some(learner));
                self.lessons.leave(learner);
                let place = self.lessons.place_of(&learner.lesson().kept_as());
                if let Some(next) = self.lessons.to_go_on_with().filter(|_| learner.finished()) {
                    self.home.stand_on_lesson(next);
                    let next = self.lessons.title(next);
                    self.home.notice =
                        Some(format!("This lesson is done; Enter opens the next: {next}"));
                } else if let Some(place) = place {
                    self.home.stand_on_lesson(place);
                }
            }
        } else if self.preview.is_none() {
            let kept = self.lessons.leave_lab(stepper.lab(), None);
            self.home.renew(&self.lessons);
            self.home.notice =
                kept.then(|| "this run is kept: Continue goes on with it".to_owned());
        }
    }

    /// To be called when the program ends: what is open is left. What the learner should know of it is
    /// given back.
    pub fn leave(&mut self) -> Option<String> {
        // What one stood in is left last: there one goes on.
        self.screens.reverse();
        while !self.screens.is_empty() {
            match self.screens.last() {
                Some(Screen::Stepper(_)) => self.leave_stepper(),
                _ => self.close(),
            }
        }
        self.lessons.take_warning()
    }

    fn close(&mut self) {
        self.screens.pop();
    }

    /// Draws the top screen into a buffer.
    pub fn draw_into(&mut self, area: Rect, buf: &mut Buffer) {
        self.small = screen::is_too_small(area);
        if area.is_empty() {
            return;
        }
        if self.small {
            screen::too_small(&self.look, area, buf);
            return;
        }
        let look = self.look;
        let (whole, area) = (
            area,
            match &self.preview {
                Some(preview) => preview.draw(&look, area, buf),
                None => area,
            },
        );
        let info = self.stepper().map(|s| s.lab().state().info());
        let below = self.screens.iter().rev().find_map(|s| match s {
            Screen::Stepper(stepper) => Some(stepper.as_ref()),
            _ => None,
        });
        match self.screens.last() {
            None => self.home.draw(&self.lessons, &look, area, buf),
            Some(Screen::Stepper(stepper)) => stepper::draw(stepper, &look, area, buf),
            Some(Screen::Form(form)) => form.draw(&look, area, buf),
            Some(Screen::Drills) => self.drills.draw(&look, area, buf),
            Some(Screen::Check(check)) => check.draw(&look, area, buf),
            Some(Screen::Compare(compare)) => compare.draw(&look, area, buf),
            Some(Screen::Beside(beside)) => beside.draw(&look, area, buf),
            Some(Screen::Branches(branches)) => {
                if let Some(stepper) = below {
                    branches.draw(stepper.lab(), &look, area, buf);
                }
            }
            Some(Screen::Log(log)) => {
                if let Some(stepper) = below {
                    log.draw(stepper.lab(), &look, area, buf);
                }
            }
            Some(Screen::Help(help)) => help.draw(info, &look, area, buf),
        }
        if let Some(preview) = &self.preview {
            preview.draw_over(&look, whole, buf);
        }
        if let Some(warning) = &self.warning {
            let footer = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
            let columns = usize::from(footer.width).saturating_sub(1);
            Clear.render(footer, buf);
            let text = clip(&look.text(warning), columns, look.glyphs.ellipsis);
            look.put(buf, footer, 0, 0, &format!(" {text}"), Role::Warn);
        }
    }
}

impl Application for App {
    fn input(&mut self, input: Input) -> Flow {
        if let Some(flow) = screen::unseen(&mut self.small, &input) {
            return flow;
        }
        if input == Input::Key(Key::Char('m')) && !self.typing() {
            self.mouse = !self.mouse;
            self.warning = Some(if self.mouse { MOUSE_ON } else { MOUSE_OFF }.to_owned());
            return Flow::SetMouse(self.mouse);
        }
        if let Input::Background(background) = input {
            let theme = self.look.theme.on(background);
            self.set_look(Look { theme, ..self.look });
            return Flow::Changed;
        }
        let told = matches!(input, Input::Key(_)) && self.warning.take().is_some();
        let flow = match input {
            Input::Tick => self.preview_tick(),
            input => self.top_input(&input),
        };
        let news = self.lessons.take_warning();
        let redraw = told || news.is_some();
        self.warning = news.or(self.warning.take());
        if redraw && flow == Flow::Unchanged { Flow::Changed } else { flow }
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        self.draw_into(area, frame.buffer_mut());
    }

    fn tick_every(&self) -> Option<Duration> {
        let own = self.own_tick();
        self.preview.as_ref().map(|_| Previewing::tick_every(own)).or(own)
    }
}
