//! The process's place at its terminal: whether there is one, signals, job control, hang-up.
//!
//! It never reads from the terminal and never writes to it: that is `ui/terminal.rs` alone.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{SigSet, Signal, kill, raise};
use nix::unistd::Pid;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};

/// How often a terminal is asked whether it still exists, where nobody would tell us.
const HANG_UP_WATCH: Duration = Duration::from_secs(1);

/// Refuses to start where a screen would be lost on its reader, before anything is written. `by_itself`:
/// the standard input was read already, and keys come from the terminal that controls the process.
pub(super) fn require_terminal(by_itself: bool) -> Result<(), &'static str> {
    let keys = io::stdin().is_terminal() || by_itself && File::open("/dev/tty").is_ok();
    let missing = match (keys, io::stdout().is_terminal()) {
        (true, true) => return require_cursor(std::env::var("TERM").ok().as_deref()),
        (false, _) if by_itself => {
            "the standard input held what is to be shown, and there is no terminal to take keys from"
        }
        (false, true) => "standard input is not a terminal",
        (true, false) => "standard output is not a terminal",
        (false, false) => "neither standard input nor standard output is a terminal",
    };
    Err(missing)
}

/// A terminal of type `dumb` cannot move its cursor.
fn require_cursor(term: Option<&str>) -> Result<(), &'static str> {
    match term {
        Some("dumb") => Err("the terminal cannot move its cursor (TERM=dumb)"),
        _ => Ok(()),
    }
}

/// What a signal asks of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Leave, because of the signal of this number.
    Leave(i32),
    /// Give the terminal back and stop.
    Suspend,
    /// Take the terminal again: the process had been stopped and goes on.
    TakeAgain,
}

/// Whether the process went on after a stop that nobody has dealt with yet.
#[derive(Debug, Clone)]
pub(super) struct Continued(Arc<AtomicBool>);

impl Continued {
    /// Whether there was such a stop; from now on it counts as dealt with.
    pub(super) fn take(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }
}

/// Starts the thread that hands signals to `tell` for the rest of the process's life.
///
/// A thread of its own sleeps in the kernel until a signal comes, so that an idle program is never
/// woken to look whether one came. `tell` returns false if nobody wants to know: then the signal
/// does what it would have done without us.
///
/// The request to stop keeps its usual effect, which only the kernel has: it knows whether anybody could
/// wake us again. So it is held up in all threads until a thread of its own has taken it.
pub(super) fn watch(
    mut tell: impl FnMut(Asked) -> bool + Clone + Send + 'static,
) -> io::Result<Continued> {
    stop_signal().thread_block()?;
    let mut ask_to_stop = tell.clone();
    thread::Builder::new().name("stops".to_owned()).spawn(move || {
        while stop_signal().wait().is_ok() {
            if !ask_to_stop(Asked::Suspend) {
                unblocked(|| raise(Signal::SIGTSTP));
            }
        }
    })?;
    // First the flag, so that it is up when the thread below hears of the same signal.
    let continued = Arc::new(AtomicBool::new(false));
    flag::register(SIGCONT, Arc::clone(&continued))?;
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCONT])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let asked = if signal == SIGCONT { Asked::TakeAgain } else { Asked::Leave(signal) };
            if !tell(asked) {
                // It fails for unknown signals only, and these five are known.
                let _ = low_level::emulate_default_handler(signal);
            }
        }
    })?;
    Ok(Continued(continued))
}

/// The signal that asks a process to stop.
fn stop_signal() -> SigSet {
    let mut set = SigSet::empty();
    set.add(Signal::SIGTSTP);
    set
}

/// Lets the request to stop have its usual effect on this thread for a moment. A failure leaves us
/// running, which is the best that is left to do.
fn unblocked(stop: impl FnOnce() -> nix::Result<()>) {
    let _ = stop_signal().thread_unblock();
    let _ = stop();
    let _ = stop_signal().thread_block();
}

/// Stops the whole job, as Ctrl-Z in a line-mode terminal would; returns when it goes on.
///
/// The signal goes to the process group, because a script that started us has to stop as well, or
/// its shell would wait for it for ever. The kernel ignores it where no shell could wake us again
/// (a window that runs nothing but us): then this returns at once, and nothing is lost.
pub(super) fn stop_job() {
    unblocked(|| kill(Pid::from_raw(0), Signal::SIGTSTP));
}

/// How often to look for a hang-up; `None` if the kernel tells us with SIGHUP, as it does whenever
/// the terminal is the one that controls this process.
pub(super) fn hang_up_watch() -> Option<Duration> {
    File::open("/dev/tty").is_err().then_some(HANG_UP_WATCH)
}

/// Exit status of a program that a signal ended, as shells count it.
pub(super) fn status_of(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// Exit status of a program whose terminal went away.
pub(super) fn status_of_hang_up() -> u8 {
    status_of(SIGHUP)
}

/// Exit status of a program that had to be interrupted by force.
pub(super) fn status_of_interrupt() -> u8 {
    status_of(SIGINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_dumb_terminal_is_refused_by_name() {
        assert!(require_cursor(Some("dumb")).is_err());
        for term in [Some("xterm-256color"), Some("linux"), Some("screen"), Some(""), None] {
            assert!(require_cursor(term).is_ok(), "{term:?}");
        }
    }

    #[test]
    fn statuses_are_those_that_shells_report() {
        assert_eq!(status_of(SIGTERM), 143);
        assert_eq!(status_of_hang_up(), 129);
        assert_eq!(status_of_interrupt(), 130);
    }
}
