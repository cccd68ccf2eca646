//! Faults on demand, so that tests can see what becomes of the terminal. For tests only.
//!
//! The hidden environment variable `LOCKSTEP_TEST` names one: `panic`, `panic-in-frame`, `error`,
//! `worker-panic` or `hang`. It happens once, right after the first frame. Nothing of the loop or
//! of a screen knows about it, and without the variable none of this code runs.

use std::thread;
use std::time::Duration;

use ratatui::Frame;

use super::application::{Application, Flow};
use super::keymap::Input;

const WORDS: &str = "provoked by LOCKSTEP_TEST";

/// What is to go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The drawing thread panics between two frames.
    Panic,
    /// The drawing thread panics with a frame half drawn.
    PanicInFrame,
    /// The screen gives up.
    Error,
    /// Another thread panics; the program is to go on.
    WorkerPanic,
    /// The drawing thread reacts to nothing any more.
    Hang,
}

impl Fault {
    /// The fault that the environment asks for.
    pub(super) fn from_env() -> Option<Self> {
        match std::env::var("LOCKSTEP_TEST").ok()?.as_str() {
            "panic" => Some(Self::Panic),
            "panic-in-frame" => Some(Self::PanicInFrame),
            "error" => Some(Self::Error),
            "worker-panic" => Some(Self::WorkerPanic),
            "hang" => Some(Self::Hang),
            _ => None,
        }
    }

    /// A screen that behaves as `screen` does, until the fault.
    pub(super) fn injected_into(self, screen: &mut dyn Application) -> Faulty<'_> {
        Faulty { screen, fault: self, happened: false }
    }

    fn happen(self) -> Flow {
        match self {
            Self::Panic => panic!("{WORDS}"),
            Self::PanicInFrame => Flow::Changed,
            Self::Error => Flow::Fail(WORDS.to_owned()),
            Self::WorkerPanic => {
                let worker = thread::Builder::new().name("worker".to_owned());
                if let Ok(worker) = worker.spawn(|| panic!("{WORDS}")) {
                    assert!(worker.join().is_err(), "the worker does nothing but panic");
                }
                Flow::Changed
            }
            Self::Hang => loop {
                thread::park();
            },
        }
    }
}

/// A screen that a fault is in store for.
pub(super) struct Faulty<'a> {
    screen: &'a mut dyn Application,
    fault: Fault,
    happened: bool,
}

impl Application for Faulty<'_> {
    fn input(&mut self, input: Input) -> Flow {
        if input == Input::Tick && !self.happened {
            self.happened = true;
            return self.fault.happen();
        }
        self.screen.input(input)
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        self.screen.draw(frame);
        if self.happened && self.fault == Fault::PanicInFrame {
            panic!("{WORDS}");
        }
    }

    fn tick_every(&self) -> Option<Duration> {
        if self.happened { self.screen.tick_every() } else { Some(Duration::ZERO) }
    }
}
