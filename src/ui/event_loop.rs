//! The loop between inputs and frames.
//!
//! It touches no terminal itself (that is `terminal`) and knows nothing of what is drawn.

use std::io;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::application::{Application, Ending, Flow, TerminalOptions, UiError};
use super::background;
use super::fault_injection::Fault;
use super::keymap::{Input, Key};
use super::signals::{self, Asked};
use super::terminal::{Owned, Wake, Wakes, with_wakes};

/// Runs a screen until it ends, on the terminal of this process. One screen at a time.
///
/// ```no_run
/// # use lockstep::ui::{self, Application, TerminalOptions};
/// # fn show(home: &mut dyn Application) -> std::process::ExitCode {
/// match ui::run(home, TerminalOptions::default()) {
///     Ok(ending) => ending.status().into(),
///     Err(error) => error.status().into(), // and tell the error on standard error
/// }
/// # }
/// ```
pub fn run(app: &mut dyn Application, options: TerminalOptions) -> Result<Ending, UiError> {
    signals::require_terminal(options.keys_from_terminal).map_err(UiError::NoTerminal)?;
    let ending = with_wakes(|wakes| match Fault::from_env() {
        None => run_session(app, options, wakes),
        Some(fault) => run_session(&mut fault.injected_into(app), options, wakes),
    })?;
    match ending {
        Err(UiError::Terminal(error)) if error.raw_os_error() == Some(EIO) => Ok(Ending::HangUp),
        ending => ending,
    }
}

/// The error that a terminal gives which has gone away.
const EIO: i32 = 5;

fn run_session(
    app: &mut dyn Application,
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
    app: &'a mut dyn Application,
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
