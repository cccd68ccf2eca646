//! Lays out the space-time diagram of a run: where its lanes, steps, dots, lines and names go.

use super::lanes::{self, Spot, Way};
use super::plot::{Dot, Link, Plot, STEP, Shape, Stretch, Tip};
use super::{Run, labels};
use crate::algorithm::Line;
use crate::model::{Names, NodeId};
use crate::trace::{Arrow, ArrowEnd, Column, Diagram, Mark, Window};
use unicode_width::UnicodeWidthStr;

/// How much of the way to its receiver's lane the line of a message comes that does not arrive.
const PART: f64 = 0.6;

impl Plot {
    /// The picture of a run.
    #[must_use]
    pub fn of(run: &Run<'_>) -> Self {
        let history = run.lab().history();
        let steps = run.steps().count();
        let window = Window { columns: steps, undone: 0, scrolled_back: 0 };
        let diagram = Diagram::of(history, window);
        let longest = run.names().iter().map(UnicodeWidthStr::width).max().unwrap_or(0);
        let left = 30.0 + 9.0 * longest as f64;
        let mut sheet = Sheet { diagram, names: run.names(), left, steps, heights: Vec::new() };
        sheet.heights = sheet.chosen_heights();
        sheet.plot()
    }
}

/// The diagram with the room that it has.
struct Sheet<'a> {
    diagram: Diagram,
    names: &'a Names,
    left: f64,
    steps: usize,
    /// Of the lanes, in their order.
    heights: Vec<f64>,
}

impl Sheet<'_> {
    fn plot(&self) -> Plot {
        let right = self.x(self.steps as u32 + 1);
        let lanes: Vec<(String, f64)> = self
            .diagram
            .lanes
            .iter()
            .map(|n| (self.names.get(*n).to_owned(), self.y(*n)))
            .collect();
        let dots: Vec<Dot> = self.diagram.columns.iter().filter_map(|c| self.dot(c)).collect();
        let mut links: Vec<Link> =
            self.diagram.arrows.iter().map(|a| self.link(a, right)).collect();
        labels::place(&mut links, &dots);
        let stretch = |span: &crate::trace::diagram::Span| Stretch {
            since: span.from.unwrap_or(0),
            from: span.from.map_or(self.left, |step| self.x(step)),
            to: span.to.map_or(right, |step| self.x(step)),
            y: self.y(span.lane),
        };
        Plot {
            width: right + 20.0,
            height: self.heights.last().copied().unwrap_or_default() + 44.0,
            lane_ends: (self.left, right),
            lanes,
            columns: self.diagram.columns.iter().map(|c| (c.step, self.x(c.step))).collect(),
            dots,
            links,
            inside: self.diagram.inside.iter().map(stretch).collect(),
            crashed: self.diagram.crashed.iter().map(stretch).collect(),
        }
    }

    /// The column of a step; 0: where lanes begin.
    fn x(&self, step: u32) -> f64 {
        if step == 0 { self.left } else { self.left + 34.0 + STEP * (f64::from(step) - 1.0) }
    }

    fn place(&self, node: NodeId) -> usize {
        self.diagram.lanes.iter().position(|n| *n == node).expect("every node has a lane")
    }

    fn y(&self, node: NodeId) -> f64 {
        self.heights[self.place(node)]
    }

    fn chosen_heights(&self) -> Vec<f64> {
        let spot = |c: &Column| {
            let lane = self.place(c.lane?);
            Some(Spot { lane, x: self.x(c.step), word: !c.silent.is_empty() })
        };
        let spots: Vec<Spot> = self.diagram.columns.iter().filter_map(spot).collect();
        let right = self.x(self.steps as u32 + 1);
        let way = |arrow: &Arrow| {
            let (_, end, part) = self.end(arrow, right);
            let (from, to) = (self.place(arrow.id.from), self.place(arrow.id.to));
            Way { from: (from, self.x(arrow.sent_at)), to: (to, end), part }
        };
        let ways: Vec<Way> = self.diagram.arrows.iter().map(way).collect();
        lanes::heights(self.diagram.lanes.len(), &ways, &spots)
    }

    fn dot(&self, column: &Column) -> Option<Dot> {
        let shape = match column.mark {
            Mark::Crash => Shape::Crash,
            Mark::Lost => Shape::Lost,
            // What happens in the network has no lane.
            Mark::Network => return None,
            Mark::Own | Mark::Recover | Mark::Receipt if column.entered.is_some() => Shape::Entered,
            Mark::Own | Mark::Recover => Shape::Act,
            Mark::Receipt => Shape::Receipt,
        };
        Some(Dot {
            step: column.step,
            at: (self.x(column.step), self.y(column.lane?)),
            shape,
            above: column.clock.map(|c| c.to_string()),
            below: column.silent.join(" "),
        })
    }

    /// How an arrow ends, where, and which part of the way to the receiver's lane that is.
    fn end(&self, arrow: &Arrow, right: f64) -> (Tip, f64, f64) {
        let at_lane = |step: u32| {
            self.diagram.columns.iter().any(|c| c.step == step && c.mark != Mark::Network)
        };
        match arrow.end {
            ArrowEnd::Received(step) => (Tip::Received, self.x(step), 1.0),
            ArrowEnd::Lost(step) if at_lane(step) => (Tip::Lost, self.x(step), 1.0),
            ArrowEnd::Lost(step) => (Tip::Lost, self.x(step), PART),
            ArrowEnd::OnItsWay => (Tip::Open, right, PART),
        }
    }

    fn link(&self, arrow: &Arrow, right: f64) -> Link {
        let (from, to) = (self.y(arrow.id.from), self.y(arrow.id.to));
        let (tip, end, part) = self.end(arrow, right);
        Link {
            sent_at: arrow.sent_at,
            from: (self.x(arrow.sent_at), from),
            to: (end, from + (to - from) * part),
            dashed: arrow.line == Line::Reply,
            tip,
            label: arrow.label.show(self.names),
            label_at: 0.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Lab;
    use crate::model::Config;

    #[test]
    fn requests_that_cross_have_lines_that_cross() {
        let mut lab = Lab::new(Config::new("ricart-agrawala", 2)).expect("default settings");
        lab.play_schedule("request P1; request P2; deliver P1>P2; deliver P2>P1").expect("a race");
        let plot = Plot::of(&Run::of(&lab));
        let (a, b) = (&plot.links[0], &plot.links[1]);
        // One goes down, the other one up, and each leaves before the other arrives.
        assert!(a.from.1 < a.to.1 && b.from.1 > b.to.1);
        assert!(a.from.0 < b.to.0 && b.from.0 < a.to.0);
        assert_eq!((a.tip, plot.links[2].tip), (Tip::Received, Tip::Open));
    }
}
