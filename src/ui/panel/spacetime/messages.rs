//! The messages of the space-time diagram: their lines, where these make way, and the numbers at their ends.
//!
//! It draws on the lanes that its parent has laid out, and draws no event.

use super::{Plan, Relation};
use crate::algorithm::Line;
use crate::model::NodeId;
use crate::trace::{Arrow, ArrowEnd};
use crate::ui::panel::canvas::{Canvas, Dot, Stroke};
use crate::ui::panel::text::width;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;

/// So many dots above and below its middle a lane hides what crosses it.
const HIDDEN: f64 = 3.0;

/// The number that delivers a message, as no clock looks like, whatever the font.
#[must_use]
pub fn delivery(number: usize) -> String {
    format!("[{number}]")
}

impl Plan<'_> {
    /// The lines of all messages.
    pub(super) fn messages(&self) -> Canvas {
        let mut canvas = Canvas::new(self.area.width, self.area.height, !self.look.glyphs.unicode);
        // What the last step moved is drawn last, over everything else.
        let mut arrows: Vec<&Arrow> = self.drawn().collect();
        arrows.sort_by_key(|a| self.is_current(a));
        for arrow in arrows {
            let (from, to) = self.ends(arrow);
            let stroke = match arrow.line {
                Line::Request => Stroke::Solid,
                Line::Reply => Stroke::Dashed,
            };
            let base = match (arrow.end, arrow.line) {
                (ArrowEnd::Lost(_), _) => self.look.style(Role::Lost),
                (_, Line::Request) => self.look.style(Role::Request),
                (_, Line::Reply) => self.look.style(Role::Reply),
            };
            let now = usize::from(self.now_x());
            let undone = self.look.style(Role::Undone);
            let base = if self.is_unrelated(arrow) { undone } else { base };
            let style = |x| if arrow.undone && x > now { undone } else { base };
            let way = self.way(arrow, from, to);
            for (a, b) in way.iter().zip(&way[1..]) {
                canvas.line(*a, *b, stroke, style);
            }
        }
        canvas
    }

    /// The messages whose lines are drawn.
    fn drawn(&self) -> impl DoubleEndedIterator<Item = &Arrow> {
        let last = self.diagram.columns.get(self.diagram.now.wrapping_sub(1)).and_then(|c| c.lane);
        let node = self.manner.selected.or(last);
        let own = move |a: &Arrow| node.is_none_or(|node| a.id.from == node || a.id.to == node);
        self.diagram.arrows.iter().filter(move |a| !self.close || own(a) || self.is_current(a))
    }

    /// Whether the last step sent it or received it.
    fn is_current(&self, arrow: &Arrow) -> bool {
        let last = self.diagram.columns.get(self.diagram.now.wrapping_sub(1)).map(|c| c.step);
        match arrow.end {
            ArrowEnd::Received(step) | ArrowEnd::Lost(step) => Some(step) == last,
            ArrowEnd::OnItsWay => Some(arrow.sent_at) == last,
        }
    }

    /// The way of a line from end to end: where it would run through an event of a node that has nothing
    /// to do with it, it makes way for that, and crosses the lane upright beside it.
    fn way(&self, arrow: &Arrow, from: Dot, to: Dot) -> Vec<Dot> {
        let middle = |lane: &NodeId| Canvas::middle(0.0, f64::from(self.row(*lane))).1;
        let (low, high) = (from.1.min(to.1), from.1.max(to.1));
        let passed =
            |lane: &&NodeId| **lane != arrow.id.from && middle(lane) > low && middle(lane) < high;
        let mut lanes: Vec<NodeId> = self.diagram.lanes.iter().filter(passed).copied().collect();
        let down = if to.1 > from.1 { 1.0 } else { -1.0 };
        if down < 0.0 {
            lanes.reverse();
        }
        // So far a line moves sideways while a lane hides it.
        let slope = ((to.0 - from.0) / (to.1 - from.1)).abs() * HIDDEN;
        // So far it stays away from an event, in dots, of which a cell has two.
        let beside = (f64::from(self.space) * 0.75).clamp(3.0, 6.0);
        let mut way = vec![from];
        for lane in lanes {
            let y = middle(&lane);
            let x = from.0 + (to.0 - from.0) * (y - from.1) / (to.1 - from.1);
            let events = self.diagram.columns.iter().filter(|c| c.lane == Some(lane));
            let events: Vec<f64> = events.map(|c| self.x_of_step(c.step) * 2.0 + 0.5).collect();
            if events.iter().all(|event| (event - x).abs() >= beside + slope) {
                continue;
            }
            let sides = events.iter().flat_map(|event| [event - beside, event + beside]);
            let free = |x: &f64| {
                let off = |event: &f64| (event - x).abs() >= beside;
                *x > from.0.min(to.0) && *x < from.0.max(to.0) && events.iter().all(off)
            };
            let near = |a: &f64, b: &f64| (a - x).abs().total_cmp(&(b - x).abs());
            if let Some(x) = sides.filter(free).min_by(near) {
                way.extend([(x, y - down * HIDDEN), (x, y + down * HIDDEN)]);
            }
        }
        way.push(to);
        way
    }

    /// Whether a message links nothing to the chosen step.
    fn is_unrelated(&self, arrow: &Arrow) -> bool {
        let Some(lit) = self.manner.lit else { return false };
        let received = match arrow.end {
            ArrowEnd::Received(step) => lit(step) != Relation::None,
            ArrowEnd::Lost(_) | ArrowEnd::OnItsWay => false,
        };
        !received || lit(arrow.sent_at) == Relation::None
    }

    /// The two ends of a message's line, in dots.
    pub(super) fn ends(&self, arrow: &Arrow) -> (Dot, Dot) {
        let (from, to) = (f64::from(self.row(arrow.id.from)), f64::from(self.row(arrow.id.to)));
        // Of those that are on the same channel each ends a little earlier than the one before.
        let before = |a: &&Arrow| {
            a.end == ArrowEnd::OnItsWay && (a.id.from, a.id.to) == (arrow.id.from, arrow.id.to)
        };
        let ahead = match arrow.end {
            ArrowEnd::OnItsWay => {
                let channel = self.diagram.arrows.iter().filter(before);
                channel.take_while(|a| a.id != arrow.id).count()
            }
            ArrowEnd::Received(_) | ArrowEnd::Lost(_) => usize::from(arrow.id.no.copy),
        };
        let part = |share: f64| from + (to - from) * (share - 0.2 * ahead as f64).max(0.2);
        // What was on its way before the first step begins where its lane begins.
        let first = self.diagram.columns.first().map_or(1, |c| c.step);
        let before = arrow.sent_at == 0 && first == 1;
        let sent = if before { f64::from(self.label) } else { self.x_of_step(arrow.sent_at) };
        let start = Canvas::middle(sent, from);
        let end = match arrow.end {
            ArrowEnd::Received(step) => Canvas::middle(self.x_of_step(step), to),
            ArrowEnd::Lost(step) if self.reached_its_receiver(arrow, step) => {
                Canvas::middle(self.x_of_step(step), to)
            }
            ArrowEnd::Lost(step) => Canvas::middle(self.x_of_step(step), part(0.7)),
            ArrowEnd::OnItsWay => Canvas::middle(f64::from(self.now_x()), part(0.75)),
        };
        (start, end)
    }

    /// Whether a lost message got as far as its receiver, which had crashed.
    fn reached_its_receiver(&self, arrow: &Arrow, step: u32) -> bool {
        let place = self.diagram.place(step);
        let column = place.and_then(|p| self.diagram.columns.get(p));
        column.is_some_and(|c| c.lane == Some(arrow.id.to))
    }

    /// At the end of a message that is on its way stands the number that delivers it.
    pub(super) fn numbers(&self, buf: &mut Buffer) {
        let lanes: Vec<u16> = self.diagram.lanes.iter().map(|l| self.row(*l)).collect();
        let mut taken: Vec<u16> = Vec::new();
        for arrow in self.drawn().filter(|arrow| arrow.end == ArrowEnd::OnItsWay) {
            let Some(number) = self.number(arrow) else { continue };
            let (_, (_, y)) = self.ends(arrow);
            let y = (y / 4.0) as u16;
            // A row beside the line's end does as well. Of several in one place the first comes first.
            let free = |y: &u16| !lanes.contains(y) && !taken.contains(y);
            let beside = match arrow.id.to < arrow.id.from {
                true => [y, y + 1, y.saturating_sub(1)],
                false => [y, y.saturating_sub(1), y + 1],
            };
            let between = |y: &u16| {
                let (a, b) = (self.row(arrow.id.from), self.row(arrow.id.to));
                *y > a.min(b) && *y < a.max(b)
            };
            let Some(y) = beside.into_iter().filter(between).find(free) else { continue };
            taken.push(y);
            self.put(buf, self.now_x(), y, &number, self.look.style(Role::Key));
        }
    }

    /// The number that delivers a message, as the picture has it.
    fn number(&self, arrow: &Arrow) -> Option<String> {
        self.manner.numbered.iter().position(|id| *id == arrow.id).map(|place| delivery(place + 1))
    }

    /// The names of messages beside their lines, the newest first, wherever nothing else stands.
    pub(super) fn names_of_messages(&self, buf: &mut Buffer) {
        for arrow in self.drawn().rev().filter(|a| !a.undone) {
            let role = match (arrow.end, arrow.line) {
                _ if self.is_unrelated(arrow) => Role::Undone,
                (ArrowEnd::Lost(_), _) => Role::Lost,
                (_, Line::Request) => Role::Request,
                (_, Line::Reply) => Role::Reply,
            };
            let text = self.look.text(&arrow.label.show(self.names)).into_owned();
            if let Some((x, y)) = self.place_beside(arrow, width(&text) as u16, buf) {
                self.put(buf, x, y, &text, self.look.style(role));
            }
        }
    }

    /// A free place for so many cells beside a line, as near as can be to its middle.
    fn place_beside(&self, arrow: &Arrow, cells: u16, buf: &Buffer) -> Option<(u16, u16)> {
        let (from, to) = self.ends(arrow);
        let (low, high) = (from.1.min(to.1) / 4.0, from.1.max(to.1) / 4.0);
        let mut rows: Vec<u16> = (low.ceil() as u16..=high as u16).collect();
        let middle = (low + high) / 2.0 - 0.5;
        rows.sort_by_key(|y| ((f64::from(*y) - middle).abs() * 4.0) as u16);
        // Whoever reads on from a number at the present reads the name of that message.
        let now = self.now_x();
        let number = self.number(arrow);
        let is_own = |y: u16| {
            let cell = |x: u16| buf[(self.area.x + x, self.area.y + y)].symbol();
            let sign = (now..self.area.width).map(cell).take_while(|c| *c != " ");
            number.as_ref().is_some_and(|number| *number == sign.collect::<String>())
        };
        let is_free = |x: u16, y: u16| {
            self.is_free(x, y, cells, buf) && x > self.label && (x + cells < now || is_own(y))
        };
        rows.into_iter().find_map(|y| {
            let part = (Canvas::middle(0.0, f64::from(y)).1 - from.1) / (to.1 - from.1);
            let line = ((from.0 + (to.0 - from.0) * part) / 2.0) as u16;
            let behind = (line + 1..line + 4).find(|x| is_free(*x, y));
            let before = || {
                let ends = (1..4).filter_map(|gap| line.checked_sub(cells + gap));
                ends.into_iter().find(|x| is_free(*x, y))
            };
            behind.or_else(before).map(|x| (x, y))
        })
    }
}
