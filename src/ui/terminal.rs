//! The terminal: taking it, reading and drawing, and giving it back whatever happens.
//!
//! This file is the only one that reads from the terminal or writes to it. It decides nothing: an
//! [`Application`] draws itself, and the loop in `event_loop` does what follows from an input.
//!
//! Three threads share the work. One sleeps in a read of the terminal, one sleeps until a signal
//! comes, and the third, which called [`run`](super::run), sleeps on the channel that the two fill. So
//! an idle program is never woken, and a terminal that hangs up, which the library underneath reads from
//! again and again, cannot keep the third from leaving.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::Duration;

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
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::application::{Application, TerminalOptions};
use super::background::{self, Heard, Listener};
use super::gnu_screen;
use super::keymap::{self, Input, Key};
use super::signals::{self, Asked, Continued};

// ---------------------------------------------------------------------------------------------
// The state of the terminal. It is the process's, not a value's: a panic hook and a signal have
// to be able to undo it from wherever they are.

/// Whether the terminal is ours: raw, on the alternate screen, without a cursor.
static UP: AtomicBool = AtomicBool::new(false);
/// Whether mouse reports are asked for.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// Whether focus reports are asked for.
static FOCUS: AtomicBool = AtomicBool::new(false);
/// Whether the terminal has been asked what it writes on and has not answered.
static ASKED: AtomicBool = AtomicBool::new(false);
/// Whether we have been told to leave and have not left yet.
static LEAVING: AtomicBool = AtomicBool::new(false);
/// Whether we have been asked to stop and have not stopped yet.
static STOPPING: AtomicBool = AtomicBool::new(false);
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

/// The terminal while it is ours. Dropping it gives the terminal back.
pub(super) struct Owned {
    terminal: Terminal<CrosstermBackend<Out>>,
}

impl Owned {
    pub(super) fn take(options: TerminalOptions) -> io::Result<Self> {
        install_panic_hook();
        if options.force_color {
            force_color_output(true);
        }
        MOUSE.store(options.mouse, Ordering::SeqCst);
        FOCUS.store(options.focus, Ordering::SeqCst);
        LEAVING.store(false, Ordering::SeqCst);
        STOPPING.store(false, Ordering::SeqCst);
        let owned = Self { terminal: blank_terminal()? };
        *lock(&OWNER) = Some(thread::current().id());
        enter()?;
        Ok(owned)
    }

    /// Draws a frame that the terminal shows at once or not at all, where it can.
    pub(super) fn draw(&mut self, app: &mut dyn Application) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| app.draw(frame))?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut asked: Vec<u8> = Vec::new();
        queue!(asked, CopyToClipboard::to_clipboard_from(text))?;
        if gnu_screen::is_between() {
            asked = gnu_screen::wrapped(&asked);
        }
        let out = self.terminal.backend_mut();
        out.write_all(&asked)?;
        Write::flush(out)
    }

    pub(super) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        MOUSE.store(on, Ordering::SeqCst);
        execute!(self.terminal.backend_mut(), Print(if on { MOUSE_ON } else { MOUSE_OFF }))
    }

    /// Asks the terminal what it writes on. The answer comes among the keys, if it comes.
    pub(super) fn ask_background(&mut self) -> io::Result<()> {
        ASKED.store(true, Ordering::SeqCst);
        execute!(self.terminal.backend_mut(), Print(background::QUESTION))
    }

    /// Gives the terminal back for a while.
    pub(super) fn lend(&mut self) {
        await_answer();
        leave();
    }

    /// Takes the terminal anew, in whatever state it is, and tells its size. Nothing of what was
    /// drawn is remembered, so that the next frame draws every cell.
    ///
    /// Not with the library's own `clear`: it asks the terminal where the cursor is and would wait
    /// for an answer that the reading thread takes.
    pub(super) fn take_again(&mut self) -> io::Result<(u16, u16)> {
        leave();
        STOPPING.store(false, Ordering::SeqCst);
        self.terminal = blank_terminal()?;
        enter()?;
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Whether the terminal does not exist any more.
    pub(super) fn is_gone(&self) -> bool {
        window_size().is_err()
    }
}

impl Drop for Owned {
    /// First the terminal is given back. Then the library says goodbye to the cursor, which goes
    /// nowhere, because what is written to a terminal that is not ours does; it would panic over
    /// one that has gone away.
    fn drop(&mut self) {
        await_answer();
        leave();
        *lock(&OWNER) = None;
        for panic in lock(&WORKER_PANICS).drain(..) {
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "{panic}");
        }
    }
}

/// Lets an answer that is under way arrive, so that the shell does not get it as keys. A terminal that has
/// not answered by now will not: it is waited for once.
fn await_answer() {
    for _ in 0..20 {
        if !ASKED.load(Ordering::SeqCst) {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    ASKED.store(false, Ordering::SeqCst);
}

fn blank_terminal() -> io::Result<Terminal<CrosstermBackend<Out>>> {
    Terminal::new(CrosstermBackend::new(Out::default()))
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

#[derive(Debug)]
pub(super) enum Wake {
    Input(Input),
    Asked(Asked),
    /// The terminal cannot be read any more.
    Gone,
}

/// The two sleeping threads, seen from the loop.
pub(super) struct Wakes {
    sender: Sender<Wake>,
    pub(super) receiver: Receiver<Wake>,
    pub(super) continued: Continued,
    reading: bool,
}

impl Wakes {
    fn start() -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let to_loop = sender.clone();
        let continued = signals::watch(move |asked| tell(asked, &to_loop))?;
        Ok(Self { sender, receiver, continued, reading: false })
    }

    /// Starts reading the terminal, once it is raw.
    pub(super) fn read_terminal(&mut self) -> io::Result<()> {
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
    if asked == Asked::Suspend {
        if !UP.load(Ordering::SeqCst) {
            return false;
        }
        if STOPPING.swap(true, Ordering::SeqCst) {
            // The loop did not react to being asked once.
            leave();
            return false;
        }
    }
    if let Asked::Leave(signal) = asked {
        if !UP.load(Ordering::SeqCst) {
            return false;
        }
        if LEAVING.swap(true, Ordering::SeqCst) {
            force_out(signals::status_of(signal));
        }
    }
    to_loop.send(Wake::Asked(asked)).is_ok()
}

/// What an event of the terminal means, unless it is a piece of its answer.
fn hear(listener: &mut Listener, event: event::Event) -> Option<Input> {
    if ASKED.load(Ordering::SeqCst) {
        listener.expect();
    }
    match listener.hear(keymap::piece(&event)) {
        Heard::Key => keymap::translate(event),
        Heard::Swallowed => None,
        Heard::Answer(background) => {
            ASKED.store(false, Ordering::SeqCst);
            background.map(Input::Background)
        }
    }
}

/// Reads the terminal until it fails.
fn read_for_ever(to_loop: &Sender<Wake>) {
    let mut listener = Listener::default();
    loop {
        let wake = match event::read().map(|event| hear(&mut listener, event)) {
            Ok(None) => continue,
            Ok(Some(input)) => Wake::Input(input),
            Err(_) => Wake::Gone,
        };
        let interrupt = matches!(wake, Wake::Input(Input::Key(Key::Ctrl('c'))));
        if interrupt && UP.load(Ordering::SeqCst) && LEAVING.swap(true, Ordering::SeqCst) {
            force_out(signals::status_of_interrupt());
        }
        let gone = matches!(wake, Wake::Gone);
        if to_loop.send(wake).is_err() || gone {
            return;
        }
    }
}

/// Lends the sleeping threads to one session; there cannot be two at a time.
pub(super) fn with_wakes<T>(session: impl FnOnce(&mut Wakes) -> T) -> io::Result<T> {
    let mut slot = match WAKES.try_lock() {
        Ok(slot) => slot,
        Err(TryLockError::Poisoned(slot)) => slot.into_inner(),
        Err(TryLockError::WouldBlock) => return Err(io::Error::other("it is in use")),
    };
    let wakes = match slot.take() {
        Some(wakes) => slot.insert(wakes),
        None => slot.insert(Wakes::start()?),
    };
    Ok(session(wakes))
}
