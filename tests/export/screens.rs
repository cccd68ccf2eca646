//! Screens as pictures and as a recording: both show what the stepper shows, step by step.

use super::well_formed;
use crate::runs::{any_config, any_run, race};
use lockstep::catalog;
use lockstep::export::svg::escape;
use lockstep::lab::Lab;
use lockstep::ui::panel::Look;
use lockstep::ui::picture::{Paper, svg};
use lockstep::ui::shot::Camera;
use lockstep::ui::theme::{ColorUse, Glyphs, Theme, ThemeName};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use serde_json::Value;
use std::num::NonZeroU16;

pub fn camera() -> Camera {
    let theme = Theme::new(ThemeName::Dark, ColorUse::On, None);
    Camera { size: (100, 30), look: Look { theme, glyphs: Glyphs::UNICODE }, paper: Paper::Dark }
}

/// A fresh terminal of the recording's size.
fn terminal() -> vt100::Parser {
    let size = |n: u16| NonZeroU16::new(n).expect("a size");
    vt100::Parser::new(size(30), size(100), 0)
}

/// The lines of a recording, read as its format says: a header, then times, kinds and texts.
fn frames(cast: &str) -> (Value, Vec<(f64, String)>) {
    let mut lines = cast.lines().map(|l| serde_json::from_str::<Value>(l).expect("JSON"));
    let header = lines.next().expect("a header");
    let frame = |event: Value| {
        assert_eq!((event.as_array().map(Vec::len), event[1].as_str()), (Some(3), Some("o")));
        let text = event[2].as_str().expect("what is written").to_owned();
        (event[0].as_f64().expect("a time"), text)
    };
    (header, lines.map(frame).collect())
}

/// What a terminal shows, as the program's own cells. The emulator knows bold or dim but not both at
/// once, which terminals do; so a second one, which is never told of dim, says what is bold.
fn cells(screen: &vt100::Screen, bold: &vt100::Screen) -> Buffer {
    let (rows, columns) = screen.size();
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns.get(), rows.get()));
    for y in 0..rows.get() {
        for x in 0..columns.get() {
            let cell = screen.cell(y, x).expect("a cell of the screen");
            let text = if cell.has_contents() { cell.contents() } else { " " };
            buffer[(x, y)].set_symbol(text).set_style(style(cell));
            if bold.cell(y, x).is_some_and(vt100::Cell::bold) {
                buffer[(x, y)].modifier |= Modifier::BOLD;
            }
        }
    }
    buffer
}

fn style(cell: &vt100::Cell) -> Style {
    let weights = [
        (cell.bold(), Modifier::BOLD),
        (cell.dim(), Modifier::DIM),
        (cell.italic(), Modifier::ITALIC),
        (cell.underline(), Modifier::UNDERLINED),
        (cell.inverse(), Modifier::REVERSED),
    ];
    let set = weights.iter().filter(|(set, _)| *set);
    let style = Style::new().fg(colour(cell.fgcolor())).bg(colour(cell.bgcolor()));
    set.fold(style, |style, (_, weight)| style.add_modifier(*weight))
}

fn colour(colour: vt100::Color) -> Color {
    const NAMED: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    match colour {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(n) => NAMED.get(usize::from(n)).copied().unwrap_or(Color::Indexed(n)),
        vt100::Color::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

/// Plays a recording into a terminal, and compares each of its screens with the picture of that step.
fn check_recording(config: impl Fn() -> Lab) {
    let steps = config().state().steps();
    let (header, frames) = frames(&camera().cast(config()));
    assert_eq!((&header["version"], &header["width"]), (&Value::from(2), &Value::from(100)));
    assert_eq!(frames.len() as u32, steps + 1, "one of the beginning and one a step");
    assert!(frames.is_sorted_by(|a, b| a.0 < b.0));
    let (mut terminal, mut bold) = (terminal(), terminal());
    for (n, (_, text)) in frames.iter().enumerate() {
        terminal.process(text.as_bytes());
        bold.process(text.replace("\x1b[0;1;2", "\x1b[0;1").as_bytes());
        let mut lab = config();
        while lab.state().steps() > n as u32 {
            lab.history_mut().back();
        }
        let title = format!("Lockstep, {} at step {n}", lab.state().info().title);
        let picture = camera().screen(lab);
        well_formed(&picture);
        assert!(picture.contains(&format!("<title>{}</title>", escape(&title))));
        let played = svg(&cells(terminal.screen(), bold.screen()), Paper::Dark, &title);
        let apart = picture.lines().zip(played.lines()).find(|(a, b)| a != b);
        let shown = terminal.screen().contents();
        assert!(picture == played, "step {n}: {apart:#?}\n{shown}");
    }
}

#[test]
fn a_recording_played_into_a_terminal_shows_the_picture_of_every_step() {
    check_recording(race);
    for which in 0..catalog::all().len() {
        check_recording(|| any_run(any_config(which, 4, true, 4 * which as u64), 11, 25));
    }
}

#[test]
fn the_screen_is_a_picture_with_the_cells_of_the_stepper() {
    let picture = well_formed(&camera().screen(race()));
    let texts: String = picture.all("text").iter().map(|t| t.text.clone() + " ").collect();
    assert!(texts.contains("REPLY") && texts.contains("(3,P2)"), "{texts}");
}
