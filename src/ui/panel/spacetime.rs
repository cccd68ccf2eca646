//! The space-time diagram: a lane a node, time to the right, messages as slanted lines.
//!
//! It draws a [`Diagram`] that is handed to it and looks nothing up.

mod messages;
pub use messages::delivery;

use super::Look;
use super::canvas::Canvas;
use super::text::{clip, width};
use crate::model::{MsgId, Names, NodeId};
use crate::sim::RevId;
use crate::trace::{ArrowEnd, Column, Diagram, Mark};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

/// Cells between two steps when many are shown, by the room that there is.
fn least_spacing(area_width: u16) -> u16 {
    match area_width {
        0..=39 => 4,
        40..=69 => 5,
        70..=99 => 6,
        _ => 7,
    }
}

/// Cells between two steps: wide while the run is short, in few stages so that the picture seldom moves.
fn spacing(room: u16, area_width: u16, steps: usize) -> u16 {
    let least = least_spacing(area_width);
    let fits = |s: &u16| usize::from(*s) * (steps + 1) <= usize::from(room);
    [36, 28, 22, 17, 13, 10, 8, 6, 5, 4, 3, 2, 1]
        .map(|more| least + more)
        .into_iter()
        .find(fits)
        .unwrap_or(least)
}

fn label_width(names: &Names) -> u16 {
    let widest = names.iter().map(width).max().unwrap_or(0);
    (widest.min(8) + 1) as u16
}

/// How many steps fit into an area of this width.
#[must_use]
pub fn capacity(area_width: u16, names: &Names) -> usize {
    let used = label_width(names) + 4;
    usize::from(area_width.saturating_sub(used) / least_spacing(area_width)).max(1)
}

/// The rows that the lanes of `n` nodes need at the least.
#[must_use]
pub fn least_rows(n: usize) -> u16 {
    n as u16 + 1
}

/// The rows that are needed to see messages, which are drawn between the lanes.
#[must_use]
pub fn rows_with_messages(lanes: usize) -> u16 {
    (2 * lanes.saturating_sub(1) + 1) as u16
}

/// The row of the first lane, and the rows from lane to lane.
fn lanes_in(rows: u16, lanes: usize) -> (u16, u16) {
    let gap = |rows: u16| match lanes as u16 {
        0 | 1 => 1,
        n => (rows.saturating_sub(1) / (n - 1)).clamp(1, APART),
    };
    // A row above the first lane is for its clocks, unless lines between the lanes need it more.
    let (with, without) = (gap(rows.saturating_sub(1)), gap(rows));
    let top = rows > 1 && lanes > 0 && (with == without || with > 2) && (with > 1 || without < 2);
    let top = top && rows > (lanes as u16).saturating_sub(1) * with + 1;
    (u16::from(top), if top { with } else { without })
}

/// Whether in so many rows the lanes lie so close that not all lines could be told apart: then only those of
/// the selected node and of the last step are drawn.
#[must_use]
pub fn is_close(rows: u16, lanes: usize) -> bool {
    let (_, gap) = lanes_in(rows, lanes);
    gap == 1 || gap == 2 && lanes > 3
}

/// From lane to lane there are at most so many rows, so that the picture is taken in at a glance.
pub const APART: u16 = 10;

/// From so many columns on the messages' names stand on their lines.
const NAMED: u16 = 56;

/// How a step stands to the one that is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It is the chosen one.
    Chosen,
    /// It happened before it.
    Cause,
    /// It happened after it.
    Effect,
    /// Neither could influence the other.
    None,
}

impl Relation {
    /// Its sign, so that it is seen without colour too.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Chosen => "=",
            Self::Cause => "<",
            Self::Effect => ">",
            Self::None => " ",
        }
    }
}

/// How each step stands to the chosen one.
type Lit<'l> = Option<&'l dyn Fn(u32) -> Relation>;

/// How a picture is meant to be read.
#[derive(Clone, Copy, Default)]
pub struct Manner<'a> {
    /// How each step stands to the chosen one: what led to it and what followed from it is lit.
    pub lit: Lit<'a>,
    /// The messages that have a number, in the order of the numbers from 1: the keys that deliver them.
    pub numbered: &'a [MsgId],
    /// The node whose lines are drawn where not all have room.
    pub selected: Option<NodeId>,
    /// The step that breaks something.
    pub breaks: Option<u32>,
}

struct Plan<'a> {
    manner: Manner<'a>,
    diagram: &'a Diagram,
    names: &'a Names,
    look: &'a Look,
    area: Rect,
    label: u16,
    space: u16,
    top: u16,
    gap: u16,
    /// Whether only some of the lines are drawn.
    close: bool,
}

impl Plan<'_> {
    /// The row of a lane, from the area's top.
    fn row(&self, lane: NodeId) -> u16 {
        self.top + self.gap * u16::from(lane.0)
    }

    fn last_row(&self) -> u16 {
        self.top + self.gap * (self.diagram.lanes.len().saturating_sub(1)) as u16
    }

    /// The cell column of a place among the steps, which may lie outside.
    fn x_of_place(&self, place: i64) -> f64 {
        let after_now = if place >= self.diagram.now as i64 { 2.0 } else { 0.0 };
        f64::from(self.label + 1) + place as f64 * f64::from(self.space) + after_now
    }

    fn x_of_step(&self, step: u32) -> f64 {
        let first = self.diagram.columns.first().map_or(1, |c| c.step);
        self.x_of_place(i64::from(step) - i64::from(first))
    }

    /// The column of the line that marks the present.
    fn now_x(&self) -> u16 {
        let last = self.x_of_place(self.diagram.now as i64 - 1).max(f64::from(self.label));
        // The longest number of a message has four cells.
        (last as u16 + self.space.div_ceil(2) + 1).min(self.area.width.saturating_sub(4))
    }

    fn put(&self, buf: &mut Buffer, x: u16, y: u16, text: &str, style: Style) {
        let room = usize::from(self.area.width.saturating_sub(x));
        if y < self.area.height && room > 0 {
            // What stood there before, a line's colour, must not shine through.
            let style = Style::reset().patch(style);
            buf.set_stringn(self.area.x + x, self.area.y + y, text, room, style);
        }
    }
}

/// Draws the diagram into an area. Returns the cell of each step's sign.
pub fn draw(
    diagram: &Diagram,
    names: &Names,
    manner: Manner<'_>,
    look: &Look,
    area: Rect,
    buf: &mut Buffer,
) -> Vec<(Position, RevId)> {
    let lanes = diagram.lanes.len();
    if usize::from(area.height) < lanes || area.width < 20 {
        let text = "no room for the diagram here: z shows it whole";
        buf.set_stringn(area.x, area.y, text, usize::from(area.width), look.style(Role::Dim));
        return Vec::new();
    }
    // The signs of what is lit or breaks stand at the numbers, whose row must not go to the lanes.
    let signs = manner.lit.is_some() || manner.breaks.is_some();
    let rows = area.height - u16::from(signs && usize::from(area.height) > lanes);
    let (top, gap) = lanes_in(rows, lanes);
    let label = label_width(names);
    let plan = Plan {
        manner,
        diagram,
        names,
        look,
        area,
        label,
        space: spacing(area.width.saturating_sub(label + 4), area.width, diagram.columns.len()),
        top,
        gap,
        close: manner.lit.is_none() && is_close(rows, lanes),
    };
    let canvas = plan.messages();
    if gap == 1 {
        // There is nothing between the lanes: lines run over them.
        plan.lanes(buf);
        plan.paint(&canvas, buf);
        plan.now(buf);
    } else {
        plan.paint(&canvas, buf);
        plan.now(buf);
        plan.lanes(buf);
    }
    plan.events(buf);
    plan.numbers(buf);
    plan.axis(buf);
    plan.labels(buf);
    if area.width >= NAMED && gap > 1 {
        plan.names_of_messages(buf);
    }
    plan.points()
}

impl Plan<'_> {
    /// The cell of each step's sign.
    fn points(&self) -> Vec<(Position, RevId)> {
        let point = |column: &Column| {
            let x = self.area.x + self.x_of_step(column.step) as u16;
            Some((Position::new(x, self.area.y + self.row(column.lane?)), column.rev))
        };
        self.diagram.columns.iter().filter_map(point).collect()
    }

    fn paint(&self, canvas: &Canvas, buf: &mut Buffer) {
        let lanes: Vec<u16> = self.diagram.lanes.iter().map(|l| self.row(*l)).collect();
        for y in (0..self.area.height).filter(|y| self.gap == 1 || !lanes.contains(y)) {
            for x in self.label..self.area.width {
                if let Some((c, style)) = canvas.cell(usize::from(x), usize::from(y)) {
                    self.put(buf, x, y, c.encode_utf8(&mut [0; 4]), style);
                }
            }
        }
    }

    fn now(&self, buf: &mut Buffer) {
        let style = self.look.style(Role::Now);
        // Where the window ends before the present, lines run on over its edge.
        let rows = if self.diagram.scrolled { 0..0 } else { 0..self.last_row() + 1 };
        for y in rows {
            self.put(buf, self.now_x(), y, self.look.glyphs.now, style);
        }
    }

    fn lanes(&self, buf: &mut Buffer) {
        let glyphs = &self.look.glyphs;
        let at_present = self.diagram.now == self.diagram.columns.len();
        let ends_here = at_present && !self.diagram.scrolled;
        for lane in &self.diagram.lanes {
            let y = self.row(*lane);
            let name = clip(self.names.get(*lane), usize::from(self.label) - 1, glyphs.ellipsis);
            self.put(buf, 0, y, &name, self.look.style(Role::Heading));
            for x in self.label..self.area.width {
                let (glyph, role) = if x > self.now_x() && ends_here {
                    (" ", Role::Lane)
                } else if self.covers(&self.diagram.crashed, *lane, x) {
                    (glyphs.lane_crashed, Role::Crashed)
                } else if self.covers(&self.diagram.inside, *lane, x) {
                    (glyphs.cs, Role::Cs)
                } else {
                    (glyphs.lane, Role::Lane)
                };
                if glyph != " " {
                    self.put(buf, x, y, glyph, self.look.style(role));
                }
            }
        }
    }

    /// Whether a stretch of a lane covers a cell.
    fn covers(&self, spans: &[crate::trace::diagram::Span], lane: NodeId, x: u16) -> bool {
        let x = f64::from(x);
        let now = f64::from(self.now_x());
        spans.iter().any(|s| {
            let from = s.from.map_or(0.0, |step| self.x_of_step(step));
            let to = s.to.map_or(now, |step| self.x_of_step(step));
            s.lane == lane && x >= from && x <= to
        })
    }

    fn events(&self, buf: &mut Buffer) {
        for arrow in &self.diagram.arrows {
            if let ArrowEnd::Lost(_) = arrow.end {
                let (_, (x, y)) = self.ends(arrow);
                let (x, y) = ((x / 2.0) as u16, (y / 4.0) as u16);
                // On another node's lane the sign would read as that node's.
                let on_lane = self.diagram.lanes.iter().find(|l| self.row(**l) == y);
                if on_lane.is_some_and(|l| *l != arrow.id.to) {
                    continue;
                }
                self.put(buf, x, y, self.look.glyphs.lost, self.look.style(Role::Bad));
            }
        }
        for (column, role) in self.columns() {
            self.event(column, role, buf);
        }
    }

    /// The steps, each with how it stands out.
    fn columns(&self) -> impl Iterator<Item = (&Column, Role)> {
        self.diagram.columns.iter().enumerate().map(|(i, column)| {
            let current = i + 1 == self.diagram.now && !self.diagram.scrolled;
            (column, self.role(column, current))
        })
    }

    fn role(&self, column: &Column, current: bool) -> Role {
        let relation = self.manner.lit.map(|lit| lit(column.step));
        match (column.undone, current, column.entered) {
            _ if relation == Some(Relation::Chosen) => Role::Selected,
            _ if relation == Some(Relation::None) => Role::Undone,
            _ if relation.is_some() => Role::Accent,
            _ if self.manner.breaks == Some(column.step) => Role::Bad,
            (true, _, _) => Role::Undone,
            (_, true, _) => Role::Changed,
            (_, _, Some(_)) => Role::Cs,
            _ => Role::Text,
        }
    }

    fn event(&self, column: &Column, role: Role, buf: &mut Buffer) {
        let Some(lane) = column.lane else { return };
        let glyphs = &self.look.glyphs;
        let mark = match (column.entered, column.mark) {
            (Some(_), _) => glyphs.entered,
            (None, Mark::Own | Mark::Recover) => glyphs.act,
            (None, Mark::Receipt) => glyphs.receipt,
            (None, Mark::Lost | Mark::Crash) => glyphs.lost,
            (None, Mark::Network) => return,
        };
        let x = self.x_of_step(column.step) as u16;
        self.put(buf, x, self.row(lane), mark, self.look.style(role));
    }

    /// What stands beside events: the clock, and what the node did without sending anything. Every label has
    /// a place of its own, or none.
    fn labels(&self, buf: &mut Buffer) {
        for (column, role) in self.columns() {
            let Some(lane) = column.lane else { continue };
            let clock = column.clock.map_or(String::new(), |c| c.to_string());
            let word = if self.gap > 1 { column.silent.join(" ") } else { String::new() };
            let whole = format!("{clock} {word}");
            let texts = [self.look.text(whole.trim()).into_owned(), clock];
            let mut places = texts.iter().filter(|text| !text.is_empty());
            let found =
                places.find_map(|text| Some((text, self.place_at(column, lane, text, buf)?)));
            if let Some((text, (x, y))) = found {
                self.put(buf, x, y, text, self.look.style(role));
            }
        }
    }

    /// A free place for a label above or below its event, as near as can be.
    fn place_at(
        &self,
        column: &Column,
        lane: NodeId,
        text: &str,
        buf: &Buffer,
    ) -> Option<(u16, u16)> {
        let cells = width(text) as u16;
        let (x, y) = (self.x_of_step(column.step) as u16, self.row(lane));
        // Where one row lies between two lanes, it belongs to the lower one.
        let (above, below) = (
            y.checked_sub(1),
            self.gap > 2 || y == 0 || lane.index() + 1 == self.diagram.lanes.len(),
        );
        let below = Some(y + 1).filter(|_| below);
        let above = above.filter(|_| self.gap > 1 || y == self.top);
        let starts = [
            Some(x),
            x.checked_sub(cells - 1),
            x.checked_sub(cells),
            Some(x + 1),
            x.checked_sub(cells + 1),
            Some(x + 2),
        ];
        let places = |y: u16| starts.into_iter().flatten().map(move |x| (x, y));
        above
            .into_iter()
            .chain(below)
            .flat_map(places)
            .find(|(x, y)| self.is_free(*x, *y, cells, buf))
    }

    /// Whether so many cells are blank, with a blank on either side, beside the line of the present.
    fn is_free(&self, x: u16, y: u16, cells: u16, buf: &Buffer) -> bool {
        let end = x + cells;
        let mut place = x.saturating_sub(1)..=end;
        x >= self.label
            && end < self.area.width
            && y < self.area.height
            && place.all(|x| buf[(self.area.x + x, self.area.y + y)].symbol() == " ")
    }

    /// Step numbers under the lanes, where a row is left.
    fn axis(&self, buf: &mut Buffer) {
        let y = self.last_row() + 1;
        if y >= self.area.height {
            return;
        }
        let mut free = 0;
        for column in &self.diagram.columns {
            let x = self.x_of_step(column.step) as u16;
            let (sign, role) = match self.manner.lit.map(|lit| lit(column.step)) {
                _ if self.manner.breaks == Some(column.step) => (self.look.glyphs.no, Role::Bad),
                None | Some(Relation::None) => ("", Role::Dim),
                Some(relation) => (relation.sign(), Role::Accent),
            };
            // A letter tells them from clocks and from the numbers of messages.
            let text = format!("{sign}s{}", column.step);
            if x >= free {
                self.put(buf, x, y, &text, self.look.style(role));
                free = x + width(&text) as u16 + 1;
            }
        }
    }
}
