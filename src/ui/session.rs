//! What a screen is to the program, and the loop between inputs and frames.
//!
//! It touches no terminal itself (that is `ui/mod.rs`) and knows nothing of what is drawn.

use std::io;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use ratatui::Frame;

use super::signals::{self, Asked};
use super::{Input, Key, Owned, Wake, Wakes, background, mishap, with_wakes};

/// What an interactive part of the program is to the loop.
pub trait Screenful {
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

/// Runs a screen until it ends, on the terminal of this process. One screen at a time.
///
/// ```no_run
/// # use lockstep::ui::{self, Screenful, TerminalOptions};
/// # fn show(home: &mut dyn Screenful) -> std::process::ExitCode {
/// match ui::run(home, TerminalOptions::default()) {
///     Ok(ending) => ending.status().into(),
///     Err(error) => error.status().into(), // and tell the error on standard error
/// }
/// # }
/// ```
pub fn run(app: &mut dyn Screenful, options: TerminalOptions) -> Result<Ending, UiError> {
    signals::require_terminal(options.keys_from_terminal)?;
    let ending = with_wakes(|wakes| match mishap::Mishap::from_env() {
        None => run_session(app, options, wakes),
        Some(mishap) => run_session(&mut mishap.happening_to(app), options, wakes),
    })?;
    match ending {
        Err(UiError::Terminal(error)) if error.raw_os_error() == Some(EIO) => Ok(Ending::HangUp),
        ending => ending,
    }
}

/// The error that a terminal gives which has gone away.
const EIO: i32 = 5;

fn run_session(
    app: &mut dyn Screenful,
    options: TerminalOptions,
    wakes: &mut Wakes,
) -> Result<Ending, UiError> {
    let owned = Owned::take(options)?;
    wakes.read_terminal()?;
    let hang_up_watch = signals::hang_up_watch();
    let mut session = Loop { app, owned, wakes, hang_up_watch, ticked: None, changed: true };
    session.draw()?;
    if options.ask_background && background::may_be_asked(std::env::var("TERM").ok().as_deref()) {
        session.owned.ask_background()?;
    }
    session.run()
}

struct Loop<'a> {
    app: &'a mut dyn Screenful,
    owned: Owned,
    wakes: &'a Wakes,
    hang_up_watch: Option<Duration>,
    /// When the last tick was, or when ticks began to be wanted.
    ticked: Option<Instant>,
    changed: bool,
}

impl Loop<'_> {
    fn run(mut self) -> Result<Ending, UiError> {
        loop {
            let mut wake = self.wait();
            // Everything that is queued, then one frame.
            while let Some(next) = wake {
                if let Some(ending) = self.handle(next)? {
                    return Ok(ending);
                }
                wake = self.wakes.receiver.try_recv().ok();
            }
            if self.until_tick().is_some_and(|left| left.is_zero()) {
                self.ticked = Some(Instant::now());
                if let Some(ending) = self.give(Input::Tick)? {
                    return Ok(ending);
                }
            }
            if self.changed {
                self.draw()?;
            }
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        self.owned.draw(self.app)?;
        self.changed = false;
        Ok(())
    }

    /// Sleeps until something happens or a tick is due (`None`).
    fn wait(&mut self) -> Option<Wake> {
        let tick = self.until_tick();
        let Some(timeout) = tick.into_iter().chain(self.hang_up_watch).min() else {
            return Some(self.wakes.receiver.recv().unwrap_or(Wake::Gone));
        };
        match self.wakes.receiver.recv_timeout(timeout) {
            Ok(wake) => Some(wake),
            Err(RecvTimeoutError::Disconnected) => Some(Wake::Gone),
            Err(RecvTimeoutError::Timeout) => {
                (self.hang_up_watch.is_some() && self.owned.is_gone()).then_some(Wake::Gone)
            }
        }
    }

    /// How long until the next tick; `None` if the screen wants none.
    fn until_tick(&mut self) -> Option<Duration> {
        let Some(every) = self.app.tick_every() else {
            self.ticked = None;
            return None;
        };
        let since = *self.ticked.get_or_insert_with(Instant::now);
        Some(every.saturating_sub(since.elapsed()))
    }

    fn handle(&mut self, wake: Wake) -> Result<Option<Ending>, UiError> {
        match wake {
            Wake::Gone => Ok(Some(Ending::HangUp)),
            Wake::Asked(Asked::Leave(signal)) => Ok(Some(Ending::Signal(signal))),
            Wake::Asked(Asked::Suspend) => self.suspend(),
            Wake::Asked(Asked::TakeAgain) => {
                if self.wakes.continued.take() {
                    self.take_again()
                } else {
                    Ok(None)
                }
            }
            Wake::Input(Input::Key(Key::Ctrl('c'))) => Ok(Some(Ending::Quit)),
            Wake::Input(Input::Key(Key::Ctrl('z'))) => self.suspend(),
            Wake::Input(Input::Key(Key::Ctrl('l'))) => self.take_again(),
            Wake::Input(input) => self.give(input),
        }
    }

    /// Gives an input to the screen and does what follows from it.
    fn give(&mut self, input: Input) -> Result<Option<Ending>, UiError> {
        let resized = matches!(input, Input::Resize(..));
        let flow = self.app.input(input);
        self.changed |= resized || flow != Flow::Unchanged;
        match flow {
            Flow::Unchanged | Flow::Changed => {}
            Flow::Quit => return Ok(Some(Ending::Quit)),
            Flow::Suspend => return self.suspend(),
            Flow::Copy(text) => self.owned.copy(&text)?,
            Flow::SetMouse(on) => self.owned.set_mouse(on)?,
            Flow::Fail(message) => return Err(UiError::Failed(message)),
        }
        Ok(None)
    }

    /// Gives the terminal back, stops until the job goes on, and takes the terminal again.
    fn suspend(&mut self) -> Result<Option<Ending>, UiError> {
        self.owned.lend();
        signals::stop_job();
        // That was this stop: the wake that tells of it has nothing left to do.
        self.wakes.continued.take();
        self.take_again()
    }

    /// Takes the terminal anew, in whatever state it is, and has everything drawn at its size.
    fn take_again(&mut self) -> Result<Option<Ending>, UiError> {
        let (columns, rows) = self.owned.take_again()?;
        self.changed = true;
        self.give(Input::Resize(columns, rows))
    }
}
