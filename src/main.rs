//! Lockstep: a list to move in, until the screens exist.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use lockstep::ui::color::{ColorChoice, ColorEnv, ColorUse};
use lockstep::ui::theme::{Glyphs, Role, Theme, ThemeName};
use lockstep::ui::{self, Flow, Input, Key, Screenful, TerminalOptions};
use ratatui::Frame;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

/// Every role of the theme as a list: what the terminal makes of each.
struct Roles {
    selected: usize,
    mouse: bool,
    theme: Theme,
    glyphs: Glyphs,
}

impl Screenful for Roles {
    fn input(&mut self, input: Input) -> Flow {
        let last = Role::ALL.len() - 1;
        match input {
            Input::Key(Key::Char('q')) => return Flow::Quit,
            Input::Key(Key::Char('m')) => {
                self.mouse = !self.mouse;
                return Flow::SetMouse(self.mouse);
            }
            Input::Key(Key::Char('y')) => return Flow::Copy(format!("row {}", self.selected)),
            Input::Key(Key::Down) | Input::Scroll { down: true, .. } => {
                self.selected = last.min(self.selected + 1);
            }
            Input::Key(Key::Up) | Input::Scroll { down: false, .. } => {
                self.selected = self.selected.saturating_sub(1);
            }
            Input::Click { row, .. } => self.selected = last.min(usize::from(row)),
            _ => return Flow::Unchanged,
        }
        Flow::Changed
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let line = |(n, role): (usize, &Role)| {
            let selected = n == self.selected;
            let cursor = if selected { self.glyphs.cursor } else { " " };
            let role = if selected { Role::Selected } else { *role };
            Line::styled(format!("{cursor} {:?}", Role::ALL[n]), self.theme.style(role))
        };
        let lines: Vec<_> = Role::ALL.iter().enumerate().map(line).collect();
        frame.render_widget(Paragraph::new(lines), frame.area());
    }

    fn tick_every(&self) -> Option<Duration> {
        None
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let after = |name: &str| args.windows(2).find(|pair| pair[0] == name).map(|pair| &*pair[1]);
    let choice: ColorChoice = after("--color").and_then(|c| c.parse().ok()).unwrap_or_default();
    let name: ThemeName = after("--theme").and_then(|t| t.parse().ok()).unwrap_or_default();
    let var = |name: &str| env::var(name).ok();
    let color = choice.resolve(&ColorEnv::from_vars(var, io::stdout().is_terminal()));
    let mut roles = Roles {
        selected: 0,
        mouse: has("--mouse"),
        theme: Theme::new(name, color, var("COLORFGBG").as_deref()),
        glyphs: Glyphs::new(has("--ascii")),
    };
    let force_color = color == ColorUse::Forced;
    let options = TerminalOptions { mouse: roles.mouse, focus: false, force_color };
    match ui::run(&mut roles, options) {
        Ok(ending) => ExitCode::from(ending.status()),
        Err(error) => {
            let _ = writeln!(io::stderr(), "lockstep: {error}");
            ExitCode::from(error.status())
        }
    }
}
