//! Shots of the stepper without a terminal: one as a picture, or one a step as a recording.
//!
//! They are drawn by the same code as the screen; nothing is drawn for them alone.

use super::color::ColorUse;
use super::panel::{Look, spacetime};
use super::picture::{Paper, svg};
use super::screen::stepper::{self, Stepper};
use super::theme::{Glyphs, Theme, ThemeName};
use crate::lab::Lab;
use crate::sim::RevId;
use crate::trace::{Diagram, Window};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use serde_json::json;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// The format of one picture: its name on the command line, and what it is.
pub const SCREEN: (&str, &str) = ("screen", "the stepper's own screen as a picture (SVG)");
/// The format of a recording: its name on the command line, and what it is.
pub const CAST: (&str, &str) =
    ("cast", "the stepper's screens, a step after the other (asciicast v2)");

/// How long a recording stands still at each step.
const SECONDS_A_STEP: u32 = 2;

/// What shots are made with.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// Columns and rows.
    pub size: (u16, u16),
    /// Styles and characters.
    pub look: Look,
    /// The background of a picture.
    pub paper: Paper,
}

impl Camera {
    /// The screen where the lab stands, as an SVG document.
    #[must_use]
    pub fn screen(&self, lab: Lab) -> String {
        let (title, points) = (title(&lab), points(&lab));
        let mut stepper = Stepper::free_play(lab);
        // The panels follow whoever acted last, as they do for somebody who steps to here.
        points.into_iter().for_each(|point| stepper.go_to(point));
        svg(&self.shoot(&stepper), self.paper, &title)
    }

    /// The screens from the beginning to where the lab stands, as JSON lines.
    #[must_use]
    pub fn cast(&self, lab: Lab) -> String {
        let (width, height) = self.size;
        let title = title(&lab);
        let header = json!({"version": 2, "width": width, "height": height, "title": title});
        let mut text = format!("{header}\n");
        let points = points(&lab);
        let mut stepper = Stepper::free_play(lab);
        for (n, point) in points.into_iter().enumerate() {
            stepper.go_to(point);
            let begin = if n == 0 { "\x1b[2J\x1b[?25l" } else { "" };
            let frame = format!("{begin}{}", ansi(&self.shoot(&stepper)));
            let at = n as u32 * SECONDS_A_STEP;
            let _ = writeln!(text, "{}", json!([at, "o", frame]));
        }
        text
    }

    fn shoot(&self, stepper: &Stepper) -> Buffer {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let mut buffer = Buffer::empty(area);
        stepper::draw(stepper, &self.look, area, &mut buffer);
        buffer
    }
}

/// Columns of a diagram on paper.
const PAPER: u16 = 76;
/// Rows that a lane takes there.
const LANE: u16 = 4;

/// The space-time diagram up to where the lab stands, in lines of text; of a long run its end.
#[must_use]
pub fn diagram(lab: &Lab, ascii: bool) -> String {
    let names = &lab.setup().names;
    let columns = spacetime::capacity(PAPER, names);
    let diagram = Diagram::of(lab.history(), Window { columns, undone: 0, scrolled_back: 0 });
    let rows = LANE * diagram.lanes.len() as u16;
    let look = Look {
        theme: Theme::new(ThemeName::None, ColorUse::Off, None),
        glyphs: Glyphs::new(ascii),
    };
    let mut buffer = Buffer::empty(Rect::new(0, 0, PAPER, rows));
    spacetime::draw(&diagram, names, Default::default(), &look, buffer.area, &mut buffer);
    let row = |y| (0..PAPER).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..rows).map(|y| row(y).trim_end().to_owned() + "\n").collect()
}

/// The points of the run from its beginning to where the lab stands.
fn points(lab: &Lab) -> Vec<RevId> {
    let mut points: Vec<RevId> = lab.history().ancestors(lab.history().cursor()).collect();
    points.reverse();
    points
}

fn title(lab: &Lab) -> String {
    let (info, steps) = (lab.state().info(), lab.state().steps());
    format!("Lockstep, {} at step {steps}", info.title)
}

/// The buffer as a terminal takes it, from its first cell on.
fn ansi(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut text = "\x1b[H".to_owned();
    for y in 0..area.height {
        if y > 0 {
            text.push_str("\r\n");
        }
        let mut last = String::new();
        let mut x = 0;
        while x < area.width {
            let cell = &buffer[(x, y)];
            let style = style(cell);
            if style != last {
                text.push_str(&style);
                last = style;
            }
            text.push_str(cell.symbol());
            // A wide character covers the cell behind it.
            x += (cell.symbol().width() as u16).max(1);
        }
        text.push_str("\x1b[0m");
    }
    text
}

/// The sequence that sets a cell's colours and weight.
fn style(cell: &Cell) -> String {
    let mut codes = vec!["0".to_owned()];
    let weights = [
        (Modifier::BOLD, "1"),
        (Modifier::DIM, "2"),
        (Modifier::ITALIC, "3"),
        (Modifier::UNDERLINED, "4"),
        (Modifier::REVERSED, "7"),
        (Modifier::CROSSED_OUT, "9"),
    ];
    let set = weights.iter().filter(|(weight, _)| cell.modifier.contains(*weight));
    codes.extend(set.map(|(_, code)| (*code).to_owned()));
    codes.extend(colour(cell.fg, 30));
    codes.extend(colour(cell.bg, 40));
    format!("\x1b[{}m", codes.join(";"))
}

/// The code of a colour; `base` is 30 for what is written and 40 for what lies behind.
fn colour(colour: Color, base: u16) -> Option<String> {
    let plain = |n: u16| Some((base + n).to_string());
    let bright = |n: u16| Some((base + 60 + n).to_string());
    match colour {
        Color::Reset => None,
        Color::Black => plain(0),
        Color::Red => plain(1),
        Color::Green => plain(2),
        Color::Yellow => plain(3),
        Color::Blue => plain(4),
        Color::Magenta => plain(5),
        Color::Cyan => plain(6),
        Color::Gray => plain(7),
        Color::DarkGray => bright(0),
        Color::LightRed => bright(1),
        Color::LightGreen => bright(2),
        Color::LightYellow => bright(3),
        Color::LightBlue => bright(4),
        Color::LightMagenta => bright(5),
        Color::LightCyan => bright(6),
        Color::White => bright(7),
        Color::Indexed(n) => Some(format!("{};5;{n}", base + 8)),
        Color::Rgb(r, g, b) => Some(format!("{};2;{r};{g};{b}", base + 8)),
    }
}
