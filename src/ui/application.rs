//! What an interactive part of the program is to the loop, and how a session ends.

use super::keymap::Input;
use super::signals;
use ratatui::Frame;
use std::io;
use std::time::Duration;

/// What an interactive part of the program is to the loop.
pub trait Application {
    /// Takes one input and says what follows from it. Ctrl-C, Ctrl-Z and Ctrl-L never get here:
    /// the loop leaves, suspends and repaints, whatever the screen is doing.
    fn input(&mut self, input: Input) -> Flow;

    /// Draws everything, at the size of the frame, down to no cell at all.
    fn draw(&mut self, frame: &mut Frame<'_>);

    /// How often [`Input::Tick`] is wanted; `None` sleeps until something happens. It is asked
    /// again after every input, so that only what moves by itself costs anything.
    fn tick_every(&self) -> Option<Duration>;
}

/// What follows from an input. Everything but `Unchanged` draws again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flow {
    /// Nothing to draw.
    Unchanged,
    /// Draw again.
    Changed,
    /// Leave the program.
    Quit,
    /// Give the terminal back to the shell until the job is brought to the foreground again.
    Suspend,
    /// Ask the terminal to put a text on the clipboard (OSC 52). Some terminals ignore it and none
    /// says so: offer another way as well.
    Copy(String),
    /// Take the mouse, or give it back so that text can be selected.
    SetMouse(bool),
    /// Give up; the text is told after the terminal has been given back.
    Fail(String),
}

/// What to ask of the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Report clicks and the wheel. Off by default: it takes text selection away.
    pub mouse: bool,
    /// Report whether the terminal's window has the keyboard focus.
    pub focus: bool,
    /// Ask the terminal what it writes on; the answer is an [`Input::Background`].
    pub ask_background: bool,
    /// Write colours even if `NO_COLOR` is set ([`ColorUse::Forced`](super::color::ColorUse::Forced)).
    pub force_color: bool,
    /// Take keys from the terminal itself: the standard input held something else. Where the standard
    /// input is no terminal, the library underneath opens `/dev/tty` by itself.
    pub keys_from_terminal: bool,
}

/// How a session ended when nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The learner left.
    Quit,
    /// A signal asked the program to leave.
    Signal(i32),
    /// The terminal went away.
    HangUp,
}

impl Ending {
    /// The exit status of the process: 0, or 128 and the signal as shells count it.
    pub fn status(self) -> u8 {
        match self {
            Self::Quit => 0,
            Self::Signal(signal) => signals::status_of(signal),
            Self::HangUp => signals::status_of_hang_up(),
        }
    }
}

/// Why there was no session, or why it broke off. The terminal has been given back already.
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    /// There is no terminal to draw on. Not one byte has been written.
    #[error(
        "{0}: use `lockstep run` to replay without a screen, or --plain for a dialogue of lines"
    )]
    NoTerminal(&'static str),
    /// A screen gave up.
    #[error("{0}")]
    Failed(String),
    /// The terminal refused to be read, written or set up.
    #[error("cannot use the terminal: {0}")]
    Terminal(#[from] io::Error),
}

impl UiError {
    /// The exit status of the process.
    pub const fn status(&self) -> u8 {
        2
    }
}
