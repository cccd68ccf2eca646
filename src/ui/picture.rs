//! Pictures of screens: a buffer of cells as an SVG file that looks the same in every viewer.
//!
//! The screen is the program's own, drawn by the same code; nothing is painted by hand. Slanted lines
//! and rules are drawn as dots and strokes, because fonts differ in them.

use crate::export::svg::escape;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write as _;

/// Width of a cell, in the picture's units.
const W: u32 = 10;
/// Height of a cell, in the picture's units.
const H: u32 = 20;

/// The background that a picture is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paper {
    /// A dark terminal.
    Dark,
    /// A light terminal.
    Light,
}

impl Paper {
    fn background(self) -> &'static str {
        match self {
            Self::Dark => "#17181c",
            Self::Light => "#fcfcfa",
        }
    }

    fn foreground(self) -> &'static str {
        match self {
            Self::Dark => "#dcdcdc",
            Self::Light => "#1e1e1e",
        }
    }

    fn dimmed(self) -> &'static str {
        match self {
            Self::Dark => "#85878f",
            Self::Light => "#75757c",
        }
    }

    /// A colour of the terminal's sixteen, as this paper shows it.
    fn ansi(self, color: Color) -> String {
        let dark = self == Self::Dark;
        let pair = |on_dark: &'static str, on_light: &'static str| {
            (if dark { on_dark } else { on_light }).to_owned()
        };
        match color {
            Color::Reset => self.foreground().to_owned(),
            Color::Black => "#000000".to_owned(),
            Color::Red | Color::LightRed => pair("#f0716b", "#b3261e"),
            Color::Green | Color::LightGreen => pair("#56c596", "#1b7f4d"),
            Color::Yellow | Color::LightYellow => pair("#e5b454", "#8a5a00"),
            Color::Blue | Color::LightBlue => pair("#6fb1ff", "#1a5fb4"),
            Color::Magenta | Color::LightMagenta => pair("#d58fe0", "#8a2b9c"),
            Color::Cyan | Color::LightCyan => pair("#5cc8d7", "#0b7285"),
            Color::Gray => "#c8c8c8".to_owned(),
            Color::DarkGray => "#707078".to_owned(),
            Color::White => "#ffffff".to_owned(),
            Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
            Color::Indexed(n) => indexed(n),
        }
    }
}

/// A colour of the 256, by its published formula (xterm).
fn indexed(n: u8) -> String {
    let level = |v: u8| if v == 0 { 0 } else { 55 + 40 * u32::from(v) };
    match n {
        0..=15 => "#808080".to_owned(),
        16..=231 => {
            let n = n - 16;
            format!("#{:02x}{:02x}{:02x}", level(n / 36), level(n / 6 % 6), level(n % 6))
        }
        232.. => {
            let grey = 8 + 10 * u32::from(n - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
struct Ink {
    fg: String,
    bg: Option<String>,
    bold: bool,
    underlined: bool,
}

fn ink(cell: &Cell, paper: Paper) -> Ink {
    let style = cell.modifier;
    let mut fg = paper.ansi(cell.fg);
    if style.contains(Modifier::DIM) && cell.fg == Color::Reset {
        fg = paper.dimmed().to_owned();
    }
    let mut bg = (cell.bg != Color::Reset).then(|| paper.ansi(cell.bg));
    if style.contains(Modifier::REVERSED) {
        let under = bg.unwrap_or_else(|| paper.background().to_owned());
        bg = Some(std::mem::replace(&mut fg, under));
    }
    Ink {
        fg,
        bg,
        bold: style.contains(Modifier::BOLD),
        underlined: style.contains(Modifier::UNDERLINED),
    }
}

/// The buffer as an SVG document. `title` is read out by screen readers.
#[must_use]
pub fn svg(buffer: &Buffer, paper: Paper, title: &str) -> String {
    let area = buffer.area;
    let (width, height) = (u32::from(area.width) * W, u32::from(area.height) * H);
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"16\">\n\
         <title>{}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{}\"/>\n\
         <g transform=\"translate(8 8)\">\n",
        width + 16,
        height + 16,
        escape(title),
        paper.background()
    );
    for y in 0..area.height {
        row(buffer, y, paper, &mut out);
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn row(buffer: &Buffer, y: u16, paper: Paper, out: &mut String) {
    let mut x = 0;
    while x < buffer.area.width {
        let cell = &buffer[(buffer.area.x + x, buffer.area.y + y)];
        let look = ink(cell, paper);
        let start = x;
        let mut text = String::new();
        while x < buffer.area.width {
            let next = &buffer[(buffer.area.x + x, buffer.area.y + y)];
            if ink(next, paper) != look {
                break;
            }
            text.push_str(next.symbol());
            x += unicode_width::UnicodeWidthStr::width(next.symbol()).max(1) as u16;
        }
        run(&text, start, x - start, y, &look, out);
    }
}

/// A run of cells in one ink.
fn run(text: &str, x: u16, cells: u16, y: u16, look: &Ink, out: &mut String) {
    let (px, py) = (u32::from(x) * W, u32::from(y) * H);
    if let Some(bg) = &look.bg {
        let _ = writeln!(
            out,
            "<rect x=\"{px}\" y=\"{py}\" width=\"{}\" height=\"{H}\" fill=\"{bg}\"/>",
            u32::from(cells) * W
        );
    }
    let mut letters = String::new();
    let mut place = px;
    for c in text.chars() {
        if drawn(c, place, py, &look.fg, out) {
            letters.push(' ')
        } else {
            letters.push(c)
        }
        place += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0) as u32 * W;
    }
    // Each word has its own place, so that no viewer's spacing moves a column.
    let mut column = 0;
    for shown in letters.split(' ') {
        if !shown.is_empty() {
            word(shown, px + column as u32 * W, py, look, out);
        }
        column += unicode_width::UnicodeWidthStr::width(shown) + 1;
    }
}

fn word(shown: &str, x: u32, y: u32, look: &Ink, out: &mut String) {
    let columns = unicode_width::UnicodeWidthStr::width(shown) as u32;
    let bold = if look.bold { " font-weight=\"bold\"" } else { "" };
    let line = if look.underlined { " text-decoration=\"underline\"" } else { "" };
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{}\" fill=\"{}\"{bold}{line} textLength=\"{}\" \
         lengthAdjust=\"spacingAndGlyphs\">{}</text>",
        y + 15,
        look.fg,
        columns * W,
        escape(shown)
    );
}

/// Draws a character of lines or dots. Says whether it was one.
fn drawn(c: char, x: u32, y: u32, fg: &str, out: &mut String) -> bool {
    let (left, mid, right) = (x, x + W / 2, x + W);
    let (top, middle, bottom) = (y, y + H / 2, y + H);
    let stroke = |d: &str, width: &str, dash: &str| {
        format!("<path d=\"{d}\" stroke=\"{fg}\" stroke-width=\"{width}\" fill=\"none\"{dash}/>\n")
    };
    let h = format!("M{left} {middle}H{right}");
    let v = format!("M{mid} {top}V{bottom}");
    let svg = match c {
        '─' => stroke(&h, "1", ""),
        '━' => stroke(&h, "5", ""),
        '┄' | '╌' => stroke(&h, "1", " stroke-dasharray=\"2 3\""),
        '│' => stroke(&v, "1", ""),
        '┆' => stroke(&v, "1.5", " stroke-dasharray=\"4 3\""),
        '┌' => stroke(&format!("M{right} {middle}H{mid}V{bottom}"), "1", ""),
        '┐' => stroke(&format!("M{left} {middle}H{mid}V{bottom}"), "1", ""),
        '└' => stroke(&format!("M{right} {middle}H{mid}V{top}"), "1", ""),
        '┘' => stroke(&format!("M{left} {middle}H{mid}V{top}"), "1", ""),
        '┬' => stroke(&format!("{h}M{mid} {middle}V{bottom}"), "1", ""),
        '┴' => stroke(&format!("{h}M{mid} {middle}V{top}"), "1", ""),
        '├' => stroke(&format!("{v}M{mid} {middle}H{right}"), "1", ""),
        '┤' => stroke(&format!("{v}M{mid} {middle}H{left}"), "1", ""),
        '█' | '▄' => {
            let (from, high) = if c == '█' { (top, H) } else { (middle, H / 2) };
            format!(
                "<rect x=\"{left}\" y=\"{from}\" width=\"{W}\" height=\"{high}\" fill=\"{fg}\" \
             shape-rendering=\"crispEdges\"/>\n"
            )
        }
        '\u{2800}'..='\u{28ff}' => dots(c as u32 - 0x2800, x, y, fg),
        _ => return false,
    };
    out.push_str(&svg);
    true
}

/// The dots of a braille cell.
fn dots(bits: u32, x: u32, y: u32, fg: &str) -> String {
    const PLACES: [(u32, u32); 8] =
        [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
    let mut out = String::new();
    for (bit, (column, row)) in PLACES.iter().enumerate() {
        if bits >> bit & 1 == 1 {
            let (cx, cy) = (f64::from(x + column * 5) + 2.5, f64::from(y + row * 5) + 2.5);
            let _ = writeln!(out, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"1.5\" fill=\"{fg}\"/>");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn text_is_escaped_and_keeps_its_column() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        buffer.set_string(2, 0, "(3) < 5", Style::new());
        let svg = svg(&buffer, Paper::Dark, "a & b");
        assert!(svg.contains("<title>a &amp; b</title>"));
        for (x, word) in [(20, "(3)"), (60, "&lt;"), (80, "5")] {
            let begins = format!("<text x=\"{x}\"");
            let line = svg.lines().find(|line| line.contains(&format!(">{word}</text>")));
            assert!(line.is_some_and(|line| line.starts_with(&begins)), "{svg}");
        }
    }

    #[test]
    fn a_line_behind_a_wide_letter_stands_in_its_column() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
        buffer.set_string(0, 0, "节点│a", Style::new());
        let svg = svg(&buffer, Paper::Dark, "");
        assert!(svg.contains("d=\"M45 0V20\"") && svg.contains("x=\"50\""), "{svg}");
    }

    #[test]
    fn a_selected_row_keeps_its_background() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 1));
        buffer.set_string(0, 0, "abc", Style::new().reversed());
        assert!(svg(&buffer, Paper::Light, "").contains("<rect x=\"0\" y=\"0\" width=\"30\""));
    }

    #[test]
    fn lines_are_drawn_and_not_left_to_a_font() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 1));
        buffer.set_string(0, 0, "─⠑│", Style::new());
        let svg = svg(&buffer, Paper::Dark, "");
        assert!(svg.contains("<path") && svg.contains("<circle") && !svg.contains("<text"));
    }
}
