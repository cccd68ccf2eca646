//! The terminal: taking it, giving it back whatever happens, and the loop between keys and frames.
//!
//! This file is the only one that reads from the terminal or writes to it. It knows nothing of
//! what is drawn: a [`Screenful`] takes [`Input`]s, answers with a [`Flow`] and draws itself.
//!
//! Three threads share the work. One sleeps in a read of the terminal, one sleeps until a signal
//! comes, and the third, which called [`run`], sleeps on the channel that the two fill. So an idle
//! program is never woken, and a terminal that hangs up, which the library underneath reads from
//! again and again, cannot keep the third from leaving.

pub mod keymap;
mod mishap;
mod terminal;
pub mod theme;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    self, DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange,
};
use crossterm::style::{Print, ResetColor, force_color_output};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, window_size,
};
use crossterm::{execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};

pub use keymap::{Input, Key};
use terminal::{Asked, Continued};

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
    /// Write colours even if `NO_COLOR` is set ([`theme::ColorUse::Forced`]).
    pub force_color: bool,
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
            Self::Signal(signal) => terminal::status_of(signal),
            Self::HangUp => terminal::status_of_hang_up(),
        }
    }
}

/// Why there was no session, or why it broke off. The terminal has been given back already.
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    /// There is no terminal to draw on. Not one byte has been written.
    #[error(
        "{0}: use `lockstep run …` to replay without a screen, or --plain for a dialogue of lines"
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
pub fn run(app: &mut dyn Screenful, options: TerminalOptions) -> Result<Ending, UiError> {
    match mishap::Mishap::from_env() {
        None => run_session(app, options),
        Some(mishap) => run_session(&mut mishap.happening_to(app), options),
    }
}

fn run_session(app: &mut dyn Screenful, options: TerminalOptions) -> Result<Ending, UiError> {
    terminal::require()?;
    if options.force_color {
        force_color_output(true);
    }
    let mut slot = match WAKES.try_lock() {
        Ok(slot) => slot,
        Err(TryLockError::Poisoned(slot)) => slot.into_inner(),
        Err(TryLockError::WouldBlock) => return Err(io::Error::other("it is in use").into()),
    };
    let wakes = match slot.take() {
        Some(wakes) => slot.insert(wakes),
        None => slot.insert(Wakes::start()?),
    };
    let guard = Guard::take(options)?;
    wakes.read_terminal()?;
    let mut session = Loop::new(app, wakes)?;
    let result = session.run();
    // Before the session ends: its library says goodbye to the cursor, and would panic over a
    // terminal that has gone away. What is written to one that is not ours goes nowhere.
    drop(guard);
    drop(session);
    match result {
        Err(UiError::Terminal(error)) if error.raw_os_error() == Some(EIO) => Ok(Ending::HangUp),
        result => result,
    }
}

/// The error that a terminal gives which has gone away.
const EIO: i32 = 5;

// ---------------------------------------------------------------------------------------------
// The state of the terminal. It is the process's, not a value's: a panic hook and a signal have
// to be able to undo it from wherever they are.

/// Whether the terminal is ours: raw, on the alternate screen, without a cursor.
static UP: AtomicBool = AtomicBool::new(false);
/// Whether mouse reports are asked for.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// Whether focus reports are asked for.
static FOCUS: AtomicBool = AtomicBool::new(false);
/// Whether we have been told to leave and have not left yet.
static LEAVING: AtomicBool = AtomicBool::new(false);
/// The thread that draws, while there is a session.
static OWNER: Mutex<Option<ThreadId>> = Mutex::new(None);
/// What other threads' panics said meanwhile.
static WORKER_PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// The sleeping threads and their channel, started by the first session.
static WAKES: Mutex<Option<Wakes>> = Mutex::new(None);

/// These locks hold plain values that are whole at every moment, also after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Standard output without the lock and the buffer that `Stdout` shares between threads, so that
/// giving the terminal back never waits for a thread that is stuck.
fn tty() -> io::Result<&'static File> {
    static TTY: OnceLock<File> = OnceLock::new();
    if let Some(tty) = TTY.get() {
        return Ok(tty);
    }
    let tty = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    Ok(TTY.get_or_init(|| tty))
}

/// The reports of buttons and wheel, with coordinates beyond column 223. Not the any-motion
/// reports that the library's own command turns on as well: a moving mouse would flood the loop.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// Takes the terminal. Undone by [`leave`], also after an error halfway.
fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    UP.store(true, Ordering::SeqCst);
    let mut out = Out::default();
    queue!(out, EnterAlternateScreen, Hide, EnableBracketedPaste, Clear(ClearType::All))?;
    if FOCUS.load(Ordering::SeqCst) {
        queue!(out, EnableFocusChange)?;
    }
    if MOUSE.load(Ordering::SeqCst) {
        queue!(out, Print(MOUSE_ON))?;
    }
    out.flush()
}

/// Gives the terminal back as it was, if it is ours. Any thread may call it, any number of times.
fn leave() {
    if !UP.swap(false, Ordering::SeqCst) {
        return;
    }
    // Nobody is left to be told of an error here, and the next step may still help.
    let _ = write_farewell();
    let _ = disable_raw_mode();
}

fn write_farewell() -> io::Result<()> {
    let mut farewell: Vec<u8> = Vec::new();
    // A panic may have broken off a frame, or an escape sequence.
    queue!(farewell, EndSynchronizedUpdate, ResetColor)?;
    if MOUSE.load(Ordering::SeqCst) {
        queue!(farewell, Print(MOUSE_OFF))?;
    }
    if FOCUS.load(Ordering::SeqCst) {
        queue!(farewell, DisableFocusChange)?;
    }
    queue!(farewell, DisableBracketedPaste, Show, LeaveAlternateScreen)?;
    write_all(&farewell)
}

/// Writes to the terminal, with patience for one that another program left in non-blocking mode.
fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    let mut tty = tty()?;
    while !bytes.is_empty() {
        match tty.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => bytes = &bytes[n..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Leaves without the thread that draws, which did not react to being asked once.
fn force_out(status: u8) -> ! {
    leave();
    std::process::exit(i32::from(status))
}

/// Where frames are written: whole, and only while the terminal is ours. What a panic left in it
/// is dropped rather than written onto the shell's screen.
#[derive(Default)]
struct Out(Vec<u8>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.0);
        if UP.load(Ordering::SeqCst) { write_all(&bytes) } else { Ok(()) }
    }
}

/// Holds the terminal for a session.
struct Guard;

impl Guard {
    fn take(options: TerminalOptions) -> io::Result<Self> {
        install_panic_hook();
        MOUSE.store(options.mouse, Ordering::SeqCst);
        FOCUS.store(options.focus, Ordering::SeqCst);
        LEAVING.store(false, Ordering::SeqCst);
        *lock(&OWNER) = Some(thread::current().id());
        let guard = Self;
        enter()?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
        *lock(&OWNER) = None;
        for panic in lock(&WORKER_PANICS).drain(..) {
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "{panic}");
        }
    }
}

/// A panic of the drawing thread gives the terminal back before it is told. A panic of another
/// thread must leave the screen alone: it is kept and told when the session is over.
fn install_panic_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let owner = *lock(&OWNER);
            let this = thread::current();
            if owner.is_some_and(|owner| owner != this.id()) {
                let name = this.name().unwrap_or("unnamed");
                lock(&WORKER_PANICS).push(format!("thread '{name}' {info}"));
            } else {
                leave();
                tell(info);
            }
        }));
    });
}

// ---------------------------------------------------------------------------------------------
// What wakes the loop.

enum Wake {
    Event(event::Event),
    Asked(Asked),
    /// The terminal cannot be read any more.
    Gone,
}

/// The two sleeping threads, seen from the loop.
struct Wakes {
    sender: Sender<Wake>,
    receiver: Receiver<Wake>,
    continued: Continued,
    reading: bool,
}

impl Wakes {
    fn start() -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let to_loop = sender.clone();
        let continued = terminal::watch_signals(move |asked| tell(asked, &to_loop))?;
        Ok(Self { sender, receiver, continued, reading: false })
    }

    /// Starts reading the terminal, once it is raw.
    fn read_terminal(&mut self) -> io::Result<()> {
        if self.reading {
            return Ok(());
        }
        // From here on, and so before the first frame, a change of size is reported.
        event::poll(Duration::ZERO)?;
        let to_loop = self.sender.clone();
        thread::Builder::new().name("input".to_owned()).spawn(move || read_for_ever(&to_loop))?;
        self.reading = true;
        Ok(())
    }
}

/// Hands a signal to the loop; false if there is no session that it could disturb.
fn tell(asked: Asked, to_loop: &Sender<Wake>) -> bool {
    if lock(&OWNER).is_none() {
        return false;
    }
    if let Asked::Leave(signal) = asked {
        if !UP.load(Ordering::SeqCst) {
            return false;
        }
        if LEAVING.swap(true, Ordering::SeqCst) {
            force_out(terminal::status_of(signal));
        }
    }
    to_loop.send(Wake::Asked(asked)).is_ok()
}

/// Reads the terminal until it fails.
fn read_for_ever(to_loop: &Sender<Wake>) {
    loop {
        let wake = match event::read() {
            Ok(event) => Wake::Event(event),
            Err(_) => Wake::Gone,
        };
        let gone = matches!(wake, Wake::Gone);
        let interrupt = matches!(&wake, Wake::Event(event) if is_interrupt(event));
        if interrupt && UP.load(Ordering::SeqCst) && LEAVING.swap(true, Ordering::SeqCst) {
            force_out(terminal::status_of_interrupt());
        }
        if to_loop.send(wake).is_err() || gone {
            return;
        }
    }
}

fn is_interrupt(event: &event::Event) -> bool {
    event.is_key_press() && keymap::translate(event.clone()) == Some(Input::Key(Key::Ctrl('c')))
}

// ---------------------------------------------------------------------------------------------
// The loop.

struct Loop<'a> {
    app: &'a mut dyn Screenful,
    terminal: Terminal<CrosstermBackend<Out>>,
    wakes: &'a Wakes,
    hang_up_watch: Option<Duration>,
    /// When the last tick was, or when ticks began to be wanted.
    ticked: Option<Instant>,
    changed: bool,
}

impl<'a> Loop<'a> {
    fn new(app: &'a mut dyn Screenful, wakes: &'a Wakes) -> io::Result<Self> {
        Ok(Self {
            app,
            terminal: Terminal::new(CrosstermBackend::new(Out::default()))?,
            wakes,
            hang_up_watch: terminal::hang_up_watch(),
            ticked: None,
            changed: true,
        })
    }

    fn run(&mut self) -> Result<Ending, UiError> {
        self.draw()?;
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

    /// Draws a frame that the terminal shows at once or not at all, where it can.
    fn draw(&mut self) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        let app = &mut *self.app;
        self.terminal.draw(|frame| app.draw(frame))?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
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
                (self.hang_up_watch.is_some() && window_size().is_err()).then_some(Wake::Gone)
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
            Wake::Asked(Asked::TakeAgain) => {
                if self.wakes.continued.take() {
                    self.take_again()
                } else {
                    Ok(None)
                }
            }
            Wake::Event(event) => match keymap::translate(event) {
                None => Ok(None),
                Some(Input::Key(Key::Ctrl('c'))) => Ok(Some(Ending::Quit)),
                Some(Input::Key(Key::Ctrl('z'))) => self.suspend(),
                Some(Input::Key(Key::Ctrl('l'))) => self.take_again(),
                Some(input) => self.give(input),
            },
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
            Flow::Copy(text) => {
                let out = self.terminal.backend_mut();
                execute!(out, CopyToClipboard::to_clipboard_from(text))?;
            }
            Flow::SetMouse(on) => {
                MOUSE.store(on, Ordering::SeqCst);
                let out = self.terminal.backend_mut();
                execute!(out, Print(if on { MOUSE_ON } else { MOUSE_OFF }))?;
            }
            Flow::Fail(message) => return Err(UiError::Failed(message)),
        }
        Ok(None)
    }

    /// Gives the terminal back, stops until the job goes on, and takes the terminal again.
    fn suspend(&mut self) -> Result<Option<Ending>, UiError> {
        leave();
        terminal::stop_job();
        // That was this stop: the wake that tells of it has nothing left to do.
        self.wakes.continued.take();
        self.take_again()
    }

    /// Takes the terminal anew, in whatever state it is, and has everything drawn at its size.
    fn take_again(&mut self) -> Result<Option<Ending>, UiError> {
        leave();
        // A new terminal remembers nothing of what it has drawn. It is made while the screen is
        // not ours, so that the old one's farewell to the cursor goes nowhere.
        self.terminal = Terminal::new(CrosstermBackend::new(Out::default()))?;
        enter()?;
        let size = self.terminal.size()?;
        self.changed = true;
        self.give(Input::Resize(size.width, size.height))
    }
}
