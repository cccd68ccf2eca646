//! How long the program takes from its start to its first whole frame, and what it costs when idle.
//!
//! `cargo bench --bench start`. It runs on a real pseudo-terminal, as a learner would start it.

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

/// Ends the first frame: the terminal may show what it has got.
const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

macro_rules! say {
    ($($text:tt)*) => {
        writeln!(std::io::stdout(), $($text)*).expect("the figures can be printed")
    };
}

/// A program on a terminal of its own.
struct Running {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    reader: Box<dyn std::io::Read + Send>,
    writer: Box<dyn std::io::Write + Send>,
    _home: tempfile::TempDir,
}

fn start(args: &[&str]) -> Running {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    let size = PtySize { rows: 60, cols: 200, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("the system gives out pseudo-terminals");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_lockstep"));
    command.args(args);
    command.env("HOME", home.path());
    command.env("XDG_STATE_HOME", home.path());
    command.env("TERM", "xterm-256color");
    let child = pair.slave.spawn_command(command).expect("the program starts");
    let reader = pair.master.try_clone_reader().expect("the terminal can be read");
    let writer = pair.master.take_writer().expect("the terminal can be typed into");
    Running { child, reader, writer, _home: home }
}

impl Running {
    fn first_frame(&mut self) {
        let mut seen = Vec::new();
        let mut bytes = [0; 65536];
        while !seen.windows(FRAME_ENDS.len()).any(|window| window == FRAME_ENDS) {
            let n = self.reader.read(&mut bytes).expect("the program draws");
            assert!(n > 0, "the program ended before its first frame");
            seen.extend_from_slice(&bytes[..n]);
        }
    }

    /// Clock ticks of the processor that it has used so far, in user and in system mode.
    fn ticks(&self) -> Option<u64> {
        let pid = self.child.process_id()?;
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    }

    fn leave(mut self) {
        self.writer.write_all(b"\x03").expect("the program takes keys");
        let mut rest = Vec::new();
        // The terminal ends with an error when the program has left it.
        let _ = self.reader.read_to_end(&mut rest);
        self.child.wait().expect("the program ends");
    }
}

fn main() {
    for (name, args) in
        [("Home", &[][..]), ("lesson 9", &["learn", "9"]), ("play", &["play", "lamport"])]
    {
        let mut times: Vec<Duration> = (0..40)
            .map(|_| {
                let from = Instant::now();
                let mut running = start(args);
                running.first_frame();
                let time = from.elapsed();
                running.leave();
                time
            })
            .collect();
        times.sort_unstable();
        let [least, median, most] = [0, times.len() / 2, times.len() - 1].map(|i| times[i]);
        say!(
            "start to first frame, {name}: least {least:.1?}, median {median:.1?}, most {most:.1?}"
        );
    }
    let mut running = start(&["play", "lamport"]);
    running.first_frame();
    // What follows the first frame belongs to it.
    std::thread::sleep(Duration::from_millis(300));
    let before = running.ticks();
    std::thread::sleep(Duration::from_secs(5));
    match (before, running.ticks()) {
        (Some(before), Some(after)) => {
            say!("idle for five seconds: {} ticks of the processor's clock", after - before);
        }
        _ => say!("idle: this system does not tell"),
    }
    running.leave();
}
