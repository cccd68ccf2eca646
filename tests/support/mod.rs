//! A real terminal for tests: the program runs in a pseudo-terminal and its screen is read back.
//!
//! A frame is looked at only when it is complete (the program brackets frames with synchronized
//! updates), everything is waited for by a condition, and nothing is asserted about time. The
//! limits below only turn a program that hangs into a failure.

#![allow(dead_code, reason = "each test program uses a part of the harness")]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::{MouseProtocolMode, Screen};

pub use crate::program::LOCKSTEP;

/// After this long without the awaited thing a test fails.
const LIMIT: Duration = Duration::from_secs(30);
/// How often conditions are looked at that nobody reports.
const LOOK: Duration = Duration::from_millis(5);

/// What to start, and in which terminal.
pub struct Setup {
    argv: Vec<String>,
    env: Vec<(String, String)>,
    columns: u16,
    rows: u16,
}

impl Setup {
    /// The program itself, as the only process of its terminal.
    pub fn lockstep(args: &[&str]) -> Self {
        let argv = std::iter::once(LOCKSTEP).chain(args.iter().copied());
        Self::command(argv.map(str::to_owned).collect())
    }

    /// A shell script, which finds the program in `$LOCKSTEP`.
    pub fn shell(script: &str) -> Self {
        Self::command(["/bin/sh", "-c", script].map(str::to_owned).to_vec())
    }

    fn command(argv: Vec<String>) -> Self {
        Self { argv, env: Vec::new(), columns: 80, rows: 24 }
    }

    /// The size of the terminal.
    pub fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// An environment variable; the environment is empty but for what programs cannot do without.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Starts it.
    pub fn start(self) -> Tui {
        let home = tempfile::tempdir().expect("a temporary folder can be made");
        let pair = native_pty_system()
            .openpty(pty_size(self.columns, self.rows))
            .expect("the system gives out pseudo-terminals");
        let cooked = modes(pair.master.as_ref());
        let mut command = CommandBuilder::new(&self.argv[0]);
        command.args(&self.argv[1..]);
        command.env_clear();
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("LOCKSTEP", LOCKSTEP);
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
            command.env(name, home.path());
        }
        command.cwd(home.path());
        for (name, value) in &self.env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program can be started");
        drop(pair.slave);
        let shared = Arc::new(Shared::new(self.columns, self.rows));
        let reader = pair.master.try_clone_reader().expect("the terminal can be read");
        let writer = pair.master.take_writer().expect("the terminal can be written");
        let reading = Arc::clone(&shared);
        Tui {
            child,
            writer,
            reader: Some(thread::spawn(move || read_all(reader, &reading))),
            master: pair.master,
            shared,
            cooked,
            home,
        }
    }
}

fn pty_size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// The line settings of a terminal, in a form that can be compared and shown.
fn modes(master: &(dyn MasterPty + Send)) -> String {
    master.get_termios().map_or_else(|| "unknown".to_owned(), |termios| format!("{termios:?}"))
}

// ---------------------------------------------------------------------------------------------

/// What the reading thread and the test share.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    stop: AtomicBool,
}

struct State {
    parser: vt100::Parser<Seen>,
    log: Vec<u8>,
    ended: bool,
}

/// What the program showed and asked for.
#[derive(Default)]
struct Seen {
    frames: usize,
    last: Option<Screen>,
    copied: Vec<String>,
    background_asked: bool,
    focus_reports: bool,
    half_drawn: bool,
}

impl vt100::Callbacks for Seen {
    fn unhandled_csi(
        &mut self,
        screen: &mut Screen,
        mark: Option<u8>,
        _: Option<u8>,
        params: &[&[u16]],
        letter: char,
    ) {
        if mark != Some(b'?') || !matches!(letter, 'h' | 'l') {
            return;
        }
        for mode in params.iter().flat_map(|param| param.iter()) {
            match (mode, letter) {
                (2026, 'h') => self.half_drawn = true,
                (2026, _) if self.half_drawn => {
                    self.half_drawn = false;
                    self.frames += 1;
                    self.last = Some(screen.clone());
                }
                (1004, _) => self.focus_reports = letter == 'h',
                _ => {}
            }
        }
    }

    fn unhandled_osc(&mut self, _: &mut Screen, params: &[&[u8]]) {
        self.background_asked |= params == [&b"11"[..], &b"?"[..]];
    }

    fn copy_to_clipboard(&mut self, _: &mut Screen, _: &[u8], data: &[u8]) {
        self.copied.push(String::from_utf8_lossy(data).into_owned());
    }
}

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).expect("the emulator has at least one cell")
}

impl Shared {
    fn new(columns: u16, rows: u16) -> Self {
        let parser =
            vt100::Parser::new_with_callbacks(cells(rows), cells(columns), 0, Seen::default());
        let state = Mutex::new(State { parser, log: Vec::new(), ended: false });
        Self { state, changed: Condvar::new(), stop: AtomicBool::new(false) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `look` finds something, and says what was there when it never does.
    fn wait<T>(&self, what: &str, mut look: impl FnMut(&State) -> Option<T>) -> T {
        let deadline = Instant::now() + LIMIT;
        let mut state = self.state();
        loop {
            if let Some(found) = look(&state) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "never saw {what}; the screen was\n{}\nand the end of the output\n{}",
                state.parser.screen().contents(),
                state.log[state.log.len().saturating_sub(600)..].escape_ascii(),
            );
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Feeds the emulator until the last process has closed the terminal.
fn read_all(mut reader: Box<dyn Read + Send>, shared: &Shared) {
    let mut bytes = [0; 4096];
    loop {
        let n = reader.read(&mut bytes).unwrap_or(0);
        let mut state = shared.state();
        state.parser.process(&bytes[..n]);
        state.log.extend_from_slice(&bytes[..n]);
        state.ended = n == 0;
        shared.changed.notify_all();
        if n == 0 || shared.stop.load(Ordering::SeqCst) {
            return;
        }
    }
}

// ---------------------------------------------------------------------------------------------

/// A program that runs in a terminal.
pub struct Tui {
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    reader: Option<JoinHandle<()>>,
    master: Box<dyn MasterPty + Send>,
    shared: Arc<Shared>,
    cooked: String,
    home: tempfile::TempDir,
}

impl Tui {
    /// Waits for a complete frame that satisfies a condition, and returns it.
    pub fn wait_for(&self, what: &str, pred: impl Fn(&Screen) -> bool) -> Screen {
        self.shared.wait(what, |state| {
            state.parser.callbacks().last.as_ref().filter(|screen| pred(screen)).cloned()
        })
    }

    /// Waits for the first complete frame.
    pub fn first_frame(&self) -> Screen {
        self.wait_for("a first frame", |_| true)
    }

    /// Waits for a complete frame that looks different.
    pub fn wait_for_change(&self, from: &Screen) -> Screen {
        self.wait_for("a different frame", |screen| look(screen) != look(from))
    }

    /// Waits for a text anywhere on the screen, whoever wrote it.
    pub fn wait_for_text(&self, text: &str) {
        self.shared.wait(&format!("{text:?}"), |state| {
            state.parser.screen().contents().contains(text).then_some(())
        });
    }

    /// How many complete frames there have been.
    pub fn frames(&self) -> usize {
        self.shared.state().parser.callbacks().frames
    }

    /// Waits until there have been more complete frames than that, and returns the last.
    pub fn frame_after(&self, frames: usize) -> Screen {
        self.shared.wait("another frame", |state| {
            let seen = state.parser.callbacks();
            seen.last.clone().filter(|_| seen.frames > frames)
        })
    }

    /// The last complete frame.
    pub fn last_frame(&self) -> Screen {
        self.first_frame()
    }

    /// Waits for a request to copy, and returns its text still in base 64.
    pub fn wait_for_copy(&self) -> String {
        self.shared.wait("a text to copy", |state| state.parser.callbacks().copied.last().cloned())
    }

    /// Whether the program has asked for the terminal's background.
    #[allow(dead_code)]
    pub fn has_asked_for_background(&self) -> bool {
        self.shared.state().parser.callbacks().background_asked
    }

    /// Types bytes.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.writer.write_all(bytes.as_ref()).expect("the terminal takes input");
        self.writer.flush().expect("the terminal takes input");
    }

    /// Changes the size of the terminal, which tells the program.
    pub fn resize(&self, columns: u16, rows: u16) {
        // Under the lock, so that no output of the new size meets the old screen.
        let mut state = self.shared.state();
        state.parser.set_size(cells(rows), cells(columns));
        self.master.resize(pty_size(columns, rows)).expect("the terminal can be resized");
    }

    /// Sends a signal, such as `TERM`, to the process that was started.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.pid().to_string()]).status();
        assert!(sent.expect("there is a kill command").success(), "cannot send {name}");
    }

    /// The process that was started.
    pub fn pid(&self) -> u32 {
        self.child.process_id().expect("the process has not been waited for")
    }

    /// The folder that the program was started in, and takes for the user's home.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Waits until the process sleeps and nothing wakes it any more: it has seen all its input.
    pub fn settle(&self) {
        wait_until("an idle program", || {
            let before = wake_ups(self.pid());
            thread::sleep(Duration::from_millis(100));
            before == wake_ups(self.pid())
        });
    }

    /// Whether the line settings are those from before the program.
    pub fn is_cooked(&self) -> bool {
        modes(self.master.as_ref()) == self.cooked
    }

    /// Waits until the line settings are those from before the program.
    pub fn wait_until_cooked(&self) {
        wait_until("the line settings of before", || self.is_cooked());
    }

    /// Everything that the program leaves behind in the terminal, at this moment.
    pub fn leftovers(&self) -> Vec<&'static str> {
        let mut leftovers = self.shared.state().leftovers();
        if !self.is_cooked() {
            leftovers.push("raw mode");
        }
        leftovers
    }

    /// What is on the screen at this moment, also half drawn.
    pub fn now(&self) -> Screen {
        self.shared.state().parser.screen().clone()
    }

    /// Closes the terminal under the program, as closing a window does. The byte must make the
    /// program draw: the thread that holds the terminal open has to wake up.
    pub fn hang_up(mut self, wake: &str) -> Box<dyn Child + Send + Sync> {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.send(wake);
        let reader = self.reader.take().expect("nobody has joined the reader");
        reader.join().expect("the reader does not panic");
        self.child
    }

    /// Waits for the end of the process and of its output.
    pub fn end(mut self) -> Ended {
        let child = &mut self.child;
        let status = wait_for_end(child.as_mut());
        let reader = self.reader.take().expect("nobody has joined the reader");
        reader.join().expect("the reader does not panic");
        let leftovers = self.leftovers();
        let state = self.shared.state();
        let last_frame = state.parser.callbacks().last.clone();
        Ended {
            status,
            leftovers,
            text: state.parser.screen().contents(),
            log: state.log.clone(),
            last_frame,
        }
    }
}

impl State {
    fn leftovers(&self) -> Vec<&'static str> {
        let screen = self.parser.screen();
        let seen = self.parser.callbacks();
        [
            (screen.alternate_screen(), "alternate screen"),
            (screen.hide_cursor(), "hidden cursor"),
            (screen.bracketed_paste(), "bracketed paste"),
            (screen.application_cursor(), "application cursor keys"),
            (screen.application_keypad(), "application keypad"),
            (screen.mouse_protocol_mode() != MouseProtocolMode::None, "mouse reports"),
            (screen.bold() || screen.inverse() || screen.underline(), "text attributes"),
            (screen.fgcolor() != vt100::Color::Default, "text colour"),
            (seen.focus_reports, "focus reports"),
            (seen.half_drawn, "synchronized update"),
        ]
        .into_iter()
        .filter_map(|(left, what)| left.then_some(what))
        .collect()
    }
}

/// A program that has ended.
pub struct Ended {
    /// Its exit status; a signal that killed it counts as 128 and more.
    pub status: u32,
    /// What it left behind in the terminal; nothing, if all is well.
    pub leftovers: Vec<&'static str>,
    /// The text on the screen after it.
    pub text: String,
    /// Every byte that it wrote.
    pub log: Vec<u8>,
    /// The last complete frame, if there was any.
    pub last_frame: Option<Screen>,
}

impl Ended {
    /// Asserts how it ended, and that the terminal is as it was.
    pub fn assert(&self, status: u32) {
        assert_eq!(self.status, status, "exit status; the screen after it:\n{}", self.text);
        assert!(self.leftovers.is_empty(), "left behind: {:?}", self.leftovers);
    }
}

// ---------------------------------------------------------------------------------------------

/// Text and attributes of every cell, for comparison.
pub fn look(screen: &Screen) -> String {
    let (rows, columns) = screen.size();
    let mut look = String::new();
    for row in 0..rows.get() {
        let cells: Vec<_> =
            (0..columns.get()).filter_map(|column| screen.cell(row, column)).collect();
        // A cell that was never written looks like a blank.
        let text = |cell: &vt100::Cell| {
            if cell.has_contents() { cell.contents().to_owned() } else { " ".to_owned() }
        };
        look.extend(
            cells.iter().filter(|cell| !cell.is_wide_continuation()).map(|cell| text(cell)),
        );
        for run in cells.chunk_by(|a, b| style(a) == style(b)) {
            look.push_str(&format!(" {}x{}", run.len(), style(run[0])));
        }
        look.push('\n');
    }
    look
}

fn style(cell: &vt100::Cell) -> String {
    let marks = [
        (cell.bold(), "bold"),
        (cell.dim(), "dim"),
        (cell.italic(), "italic"),
        (cell.underline(), "underlined"),
        (cell.inverse(), "reversed"),
    ];
    let marks = marks.iter().filter_map(|(set, name)| set.then_some(*name));
    let marks = marks.collect::<Vec<_>>().join("+");
    format!("[{:?} on {:?} {marks}]", cell.fgcolor(), cell.bgcolor())
}

/// Waits for the end of a process and returns its status. A process that outstays the limit is
/// killed, so that a broken program cannot hang the tests.
pub fn wait_for_end(child: &mut (dyn Child + Send + Sync)) -> u32 {
    let deadline = Instant::now() + LIMIT;
    loop {
        if let Some(status) = child.try_wait().expect("the process can be waited for") {
            let killed = status.signal().map(|signal| panic!("killed by {signal}"));
            return killed.unwrap_or_else(|| status.exit_code());
        }
        if Instant::now() > deadline {
            child.kill().ok();
            panic!("the program did not end");
        }
        thread::sleep(LOOK);
    }
}

/// Waits until a condition holds.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + LIMIT;
    while !holds() {
        assert!(Instant::now() < deadline, "never saw {what}");
        thread::sleep(LOOK);
    }
}

/// How often the threads of a process have gone to sleep or been put aside.
pub fn wake_ups(pid: u32) -> Vec<u64> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).expect("the process is alive");
    let status_of = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("status"));
    let mut switches: Vec<u64> = tasks
        .filter_map(|task| status_of(task.ok()?).ok())
        .map(|status| {
            let counts = status.lines().filter(|line| line.contains("ctxt_switches"));
            counts.filter_map(|line| line.split_whitespace().last()?.parse::<u64>().ok()).sum()
        })
        .collect();
    switches.sort_unstable();
    switches
}

/// Whether a process runs: it exists and is not a zombie that nobody has waited for.
pub fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The state follows the name, which is in parentheses and may contain anything.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}
