//! What a key comes to on the screens above Home: each takes it, and says what has to be done for it.
//!
//! The stepper takes every kind of input and is asked elsewhere.

use super::{App, Screen};
use crate::ui::keymap::Key;
use crate::ui::screen::compare_pair::Beside;
use crate::ui::screen::help::Part;
use crate::ui::screen::setup::Filled;
use crate::ui::screen::stepper::Stepper;
use crate::ui::screen::{branches, check, compare, compare_pair, drill, log};

impl App {
    /// Takes a key on the top screen, which is none of the stepper's.
    pub(super) fn screen_key(&mut self, key: Key) {
        match self.screens.last_mut() {
            None | Some(Screen::Stepper(_)) => {}
            Some(Screen::Help(help)) => {
                if help.key(key) {
                    self.close();
                }
            }
            Some(Screen::Form(form)) => match form.key(key) {
                Filled::Stay => {}
                Filled::Close => self.close(),
                Filled::Help => self.help(Part::Form),
                Filled::Play(lab) => {
                    self.close();
                    self.open(Stepper::free_play(*lab));
                }
                Filled::Check(lab) => {
                    self.close();
                    self.open(Stepper::free_play(*lab));
                    self.check();
                }
            },
            Some(Screen::Drills) => match self.drills.key(key) {
                drill::Chosen::Stay => {}
                drill::Chosen::Close => self.close(),
                drill::Chosen::Help => self.help(Part::Drill),
                drill::Chosen::Go(opened) => self.open(Stepper::lesson(opened.0, opened.1)),
            },
            Some(Screen::Compare(compare)) => match compare.key(key) {
                compare::Chosen::Stay => {}
                compare::Chosen::Close => self.close(),
                compare::Chosen::Help => self.help(Part::Compare),
                compare::Chosen::Beside(slug, n) => {
                    self.screens.push(Screen::Beside(Box::new(Beside::of(slug, n))));
                }
            },
            Some(Screen::Beside(beside)) => match beside.key(key) {
                compare_pair::Chosen::Stay => {}
                compare_pair::Chosen::Close => self.close(),
                compare_pair::Chosen::Help => self.help(Part::Beside),
            },
            Some(Screen::Log(_) | Screen::Branches(_) | Screen::Check(_)) => self.run_key(key),
        }
    }

    /// Takes a key on a screen that shows the run of the stepper below it.
    fn run_key(&mut self, key: Key) {
        match self.screens.last_mut() {
            Some(Screen::Log(log)) => match log.key(key) {
                log::Chosen::Stay => {}
                log::Chosen::Close => self.close(),
                log::Chosen::Help => self.help(Part::Log),
                log::Chosen::Go(rev) => self.go_to(rev),
            },
            Some(Screen::Branches(branches)) => match branches.key(key) {
                branches::Chosen::Stay => {}
                branches::Chosen::Close => self.close(),
                branches::Chosen::Help => self.help(Part::Branches),
                branches::Chosen::Go(rev) => self.go_to(rev),
            },
            Some(Screen::Check(check)) => match check.key(key) {
                check::Chosen::Stay => {}
                check::Chosen::Close => self.close(),
                check::Chosen::Help => self.help(Part::Check),
                check::Chosen::Play(events) => {
                    self.close();
                    if let Some(Screen::Stepper(stepper)) = self.screens.last_mut() {
                        stepper.show_run(&events);
                    }
                }
                check::Chosen::Open(lab, events) => {
                    self.close();
                    let mut stepper = Stepper::free_play(*lab);
                    stepper.show_run(&events);
                    self.open(stepper);
                }
            },
            _ => {}
        }
    }
}
