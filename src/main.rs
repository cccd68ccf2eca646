//! Lockstep: a list to move in, until the screens exist.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use lockstep::ui::{self, Flow, Input, Key, Screenful, TerminalOptions};
use ratatui::Frame;
use ratatui::style::{Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

#[derive(Default)]
struct Demo {
    row: u16,
    mouse: bool,
}

impl Screenful for Demo {
    fn input(&mut self, input: Input) -> Flow {
        match input {
            Input::Key(Key::Char('q')) => return Flow::Quit,
            Input::Key(Key::Down) | Input::Scroll { down: true, .. } => self.row += 1,
            Input::Key(Key::Up) => self.row = self.row.saturating_sub(1),
            Input::Click { row, .. } => self.row = row.saturating_sub(1),
            Input::Key(Key::Char('m')) => {
                self.mouse = !self.mouse;
                return Flow::SetMouse(self.mouse);
            }
            _ => return Flow::Unchanged,
        }
        self.row = self.row.min(3);
        Flow::Changed
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let mut lines = vec![Line::from(format!("lockstep {}x{}", area.width, area.height)).bold()];
        lines.extend((0..4).map(|n| {
            let style = if n == self.row { Style::new().reversed() } else { Style::new() };
            Line::styled(format!("{} row {n}", if n == self.row { "▸" } else { " " }), style)
        }));
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn tick_every(&self) -> Option<Duration> {
        None
    }
}

fn main() -> ExitCode {
    let mouse = std::env::args().any(|arg| arg == "--mouse");
    let options = TerminalOptions { mouse, ..TerminalOptions::default() };
    match ui::run(&mut Demo { row: 0, mouse }, options) {
        Ok(ending) => ExitCode::from(ending.status()),
        Err(error) => {
            let _ = writeln!(io::stderr(), "lockstep: {error}");
            ExitCode::from(error.status())
        }
    }
}
