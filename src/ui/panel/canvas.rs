//! A canvas of dots or strokes on which slanted lines are drawn before they become cells.
//!
//! It knows cells and styles only; what a line means is its caller's business.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Dots of a braille cell: column by row.
const DOTS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// How a line is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::ui) enum Stroke {
    /// All of its dots.
    Solid,
    /// Some of its dots.
    Dashed,
}

/// A rectangle of cells with dots in them.
#[derive(Debug)]
pub(in crate::ui) struct Canvas {
    width: usize,
    height: usize,
    ascii: bool,
    cells: Vec<Option<(u8, char, Style)>>,
}

/// A point in dots: two to a cell across, four down.
pub(in crate::ui) type Dot = (f64, f64);

impl Canvas {
    pub(in crate::ui) fn new(width: u16, height: u16, ascii: bool) -> Self {
        let (width, height) = (usize::from(width), usize::from(height));
        Self { width, height, ascii, cells: vec![None; width * height] }
    }

    /// The middle of a cell, in dots. Cells may lie outside: lines are clipped.
    pub(in crate::ui) fn middle(x: f64, y: f64) -> Dot {
        (x * 2.0 + 0.5, y * 4.0 + 1.5)
    }

    /// A line from dot to dot; the style says at each cell column how it looks there.
    pub(in crate::ui) fn line(
        &mut self,
        from: Dot,
        to: Dot,
        stroke: Stroke,
        style: impl Fn(usize) -> Style,
    ) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.abs().max(dy.abs()).ceil();
        if length < 1.0 {
            return;
        }
        let slope = slope_char(dx, dy, stroke);
        let steps = length as usize;
        for i in 0..=steps {
            let t = i as f64 / length;
            let (x, y) = (from.0 + dx * t, from.1 + dy * t);
            if x < 0.0 || y < 0.0 {
                continue;
            }
            let (x, y) = (x.round() as usize, y.round() as usize);
            let (cx, cy) = (x / 2, y / 4);
            if cx >= self.width || cy >= self.height {
                continue;
            }
            let dashed_away = stroke == Stroke::Dashed && i % 4 >= 2;
            if dashed_away && !self.ascii {
                continue;
            }
            let bit = DOTS[x % 2][y % 4];
            let cell = &mut self.cells[cy * self.width + cx];
            let bits = cell.map_or(0, |(bits, ..)| bits) | bit;
            *cell = Some((bits, slope, style(cx)));
        }
    }

    /// What stands in a cell: a braille pattern, or a stroke in ASCII.
    pub(in crate::ui) fn cell(&self, x: usize, y: usize) -> Option<(char, Style)> {
        let (bits, slope, style) = (*self.cells.get(y * self.width + x)?)?;
        let braille = char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ');
        Some((if self.ascii { slope } else { braille }, style))
    }

    /// Draws the whole canvas into an area.
    pub(in crate::ui) fn paint(&self, area: Rect, buf: &mut Buffer) {
        for (y, x) in (0..self.height).flat_map(|y| (0..self.width).map(move |x| (y, x))) {
            let place = (area.x + x as u16, area.y + y as u16);
            if let (Some((c, style)), Some(cell)) = (self.cell(x, y), buf.cell_mut(place)) {
                cell.set_char(c).set_style(style);
            }
        }
    }
}

/// The ASCII stroke of a line: the way that it leans, or dots. Lanes have signs of their own.
fn slope_char(dx: f64, dy: f64, stroke: Stroke) -> char {
    match (stroke, (dx > 0.0) == (dy > 0.0)) {
        (Stroke::Dashed, _) => '.',
        (Stroke::Solid, true) => '\\',
        (Stroke::Solid, false) => '/',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(canvas: &Canvas) -> Vec<String> {
        let row = |y| {
            let cell = |x| canvas.cell(x, y).map_or(' ', |(c, _)| c);
            (0..canvas.width).map(cell).collect()
        };
        (0..canvas.height).map(row).collect()
    }

    #[test]
    fn two_lines_that_cross_share_a_cell() {
        let mut canvas = Canvas::new(5, 3, false);
        let (a, b) = (Canvas::middle(0.0, 0.0), Canvas::middle(4.0, 2.0));
        let (c, d) = (Canvas::middle(0.0, 2.0), Canvas::middle(4.0, 0.0));
        canvas.line(a, b, Stroke::Solid, |_| Style::new());
        let one = canvas.cell(2, 1).expect("the middle is on the line").0;
        canvas.line(c, d, Stroke::Solid, |_| Style::new());
        let both = canvas.cell(2, 1).expect("the middle is on both lines").0;
        assert!(both as u32 & one as u32 == one as u32 && both != one);
    }

    #[test]
    fn a_line_that_begins_outside_is_clipped() {
        let mut canvas = Canvas::new(4, 1, false);
        canvas.line((-50.0, 1.5), (900.0, 1.5), Stroke::Solid, |_| Style::new());
        assert_eq!(drawn(&canvas)[0].chars().filter(|c| *c != ' ').count(), 4);
    }

    #[test]
    fn ascii_lines_lean_the_way_they_go() {
        let mut canvas = Canvas::new(4, 4, true);
        canvas.line(Canvas::middle(0.0, 0.0), Canvas::middle(3.0, 3.0), Stroke::Solid, |_| {
            Style::new()
        });
        assert!(drawn(&canvas).concat().contains('\\'));
    }
}
