//! Lays out the space-time diagram of a run: where its lanes, steps, dots, lines and names go.

use super::lanes::{self, Spot, Way};
use super::plot::{Dot, Key, Link, Plot, SAMPLE, STEP, Sample, Shape, Stretch, Tip};
use super::{Run, labels};
use crate::algorithm::Line;
use crate::input::count;
use crate::model::{Names, NodeId};
use crate::trace::{Arrow, ArrowEnd, Column, Diagram, Mark, Window};
use unicode_width::UnicodeWidthStr;

/// How much of the way to its receiver's lane the line of a message comes that does not arrive.
const PART: f64 = 0.6;

/// How far apart steps may stand: as near as names of messages do not cover anything.
const STEPS: [f64; 7] = [STEP, 83.0, 90.0, 97.0, 105.0, 120.0, 140.0];
/// Steps that are nearer than this cannot be read.
const NEAREST: f64 = 24.0;
/// Lanes that are nearer than this cannot be read.
const NEAREST_LANES: f64 = 36.0;
/// So much of other texts a name may cover: a corner.
const CORNER: f64 = 3.0;
/// Above the first lane and below the last one, without a legend; in a picture of a given width.
const MARGINS: (f64, f64) = (62.0, 44.0);
const SMALL_MARGINS: (f64, f64) = (46.0, 28.0);
/// The height of a row of the legend.
const LEGEND: f64 = 20.0;
/// The names of messages have 11 pixels, which are 8.25 points; on a slide they have seven points.
const SMALLEST: f64 = 7.0 / 8.25;
/// The parts of a slide.
const SLIDE: f64 = 9.0 / 16.0;

impl Plot {
    /// The picture of a run: to its width, where it fits; else as wide as its names need.
    #[must_use]
    pub fn of(run: &Run<'_>) -> Self {
        let mut sheet = Sheet::of(run);
        if let Some(Ok(plot)) = run.width.map(|width| sheet.within(f64::from(width))) {
            return plot;
        }
        let mut best: Option<(Self, f64)> = None;
        for step in STEPS {
            sheet.step = step;
            let (plot, covered) = sheet.plot();
            if covered <= CORNER {
                return plot;
            }
            if best.as_ref().is_none_or(|(_, least)| covered < *least) {
                best = Some((plot, covered));
            }
        }
        best.expect("there is a first width").0
    }

    /// Whether the picture can be drawn to the width that is asked for.
    ///
    /// # Errors
    /// Why not, and what can be.
    pub fn fits(run: &Run<'_>) -> Result<(), String> {
        let Some(width) = run.width else { return Ok(()) };
        let Err(why) = Sheet::of(run).within(f64::from(width)) else { return Ok(()) };
        let fit = |run: &Run<'_>, w: u32| Sheet::of(run).within(f64::from(w)).is_ok();
        let wider = (width..4000).step_by(20).find(|w| fit(run, *w));
        let wider = wider.map_or(String::new(), |w| format!("; --width {w} is enough"));
        let first = run.begins_at() + 1;
        let most = (1..run.steps().count()).rev().find(|n| fit(&run.first_steps(*n), width));
        let part = most.map_or(String::new(), |n| {
            format!("; --from {first} --at {} fits", first + n as u32 - 1)
        });
        Err(format!("--width {width}: {why}{part}{wider}"))
    }
}

/// The diagram with the room that it has.
struct Sheet<'a> {
    diagram: Diagram,
    names: &'a Names,
    left: f64,
    steps: usize,
    /// How much smaller than its lengths it is drawn.
    scale: f64,
    /// Whether messages that are sent at once and read the same have one name.
    once: bool,
    /// From one step to the next.
    step: f64,
    /// Above the first lane, and below the last one.
    margins: (f64, f64),
    /// The part that is taken of the usual distances of lanes.
    part: f64,
    /// Of the lanes, in their order.
    heights: Vec<f64>,
}

impl<'a> Sheet<'a> {
    fn of(run: &Run<'a>) -> Self {
        let steps = run.steps().count();
        let window = Window { columns: steps, undone: 0, scrolled_back: 0 };
        let longest = run.names().iter().map(UnicodeWidthStr::width).max().unwrap_or(0);
        Self {
            diagram: Diagram::at(run.lab().history(), run.ends_at(), window),
            names: run.names(),
            left: 30.0 + 9.0 * longest as f64,
            steps,
            scale: 1.0,
            once: false,
            step: STEP,
            margins: MARGINS,
            part: 1.0,
            heights: Vec::new(),
        }
    }

    /// The picture in so much room, as high as a slide at most.
    fn within(&mut self, width: f64) -> Result<Plot, String> {
        self.scale = SMALLEST;
        let (width, steps) = (width / SMALLEST, self.steps.max(1) as f64);
        self.step = ((width - self.left - self.lead() - 20.0) / steps).min(STEPS[STEPS.len() - 1]);
        if self.step < NEAREST {
            let room = ((width - self.left - self.lead() - 20.0) / NEAREST).max(0.0) as usize;
            let (room, steps) = (count(room, "step"), self.steps);
            return Err(format!("there is room for {room} of {steps}"));
        }
        self.margins = SMALL_MARGINS;
        let legend = self.legend(width, 0.0).last().map_or(0.0, |key| key.at.1 + LEGEND);
        let gaps = self.diagram.lanes.len().saturating_sub(1).max(1) as f64;
        let gap = (width * SLIDE - self.margins.0 - self.margins.1 - legend) / gaps;
        if gap < NEAREST_LANES {
            return Err(format!(
                "{} are too many for the height of a slide",
                count(self.diagram.lanes.len(), "node")
            ));
        }
        self.part = (gap / lanes::WIDEST).min(1.0);
        for once in [false, true] {
            self.once = once;
            let (plot, covered) = self.plot();
            if covered <= CORNER {
                return Ok(plot);
            }
        }
        Err("names of messages would lie on each other".to_owned())
    }

    /// What the signs that occur mean, in rows of a width below a height.
    fn legend(&self, width: f64, below: f64) -> Vec<Key> {
        let shapes: Vec<Shape> = self.diagram.columns.iter().filter_map(Self::shape).collect();
        let lines: Vec<bool> = self.diagram.arrows.iter().map(|a| a.line == Line::Reply).collect();
        let lost = self.diagram.arrows.iter().any(|a| matches!(a.end, ArrowEnd::Lost(_)));
        let all = [
            (lines.contains(&false), Sample::Line(false), "asks"),
            (lines.contains(&true), Sample::Line(true), "answers"),
            (shapes.contains(&Shape::Act), Sample::Dot(Shape::Act), "acts"),
            (shapes.contains(&Shape::Receipt), Sample::Dot(Shape::Receipt), "receives"),
            (shapes.contains(&Shape::Entered), Sample::Dot(Shape::Entered), "enters"),
            (!self.diagram.inside.is_empty(), Sample::Inside, "is inside"),
            (lost || shapes.contains(&Shape::Lost), Sample::Dot(Shape::Lost), "lost"),
            (shapes.contains(&Shape::Crash), Sample::Dot(Shape::Crash), "crashes"),
        ];
        let (mut x, mut y) = (self.left, below);
        let mut keys = Vec::new();
        for (_, sample, text) in all.into_iter().filter(|(occurs, ..)| *occurs) {
            let taken = SAMPLE + labels::width(text) + 12.0;
            if x + taken > width && x > self.left {
                (x, y) = (self.left, y + LEGEND);
            }
            keys.push(Key { at: (x, y), sample, text });
            x += taken;
        }
        keys
    }
}

impl Sheet<'_> {
    /// The picture, and the most that a name of a message covers.
    fn plot(&mut self) -> (Plot, f64) {
        self.heights = self.chosen_heights();
        let right = self.right();
        let width = right + 20.0;
        let bottom = self.heights.last().copied().unwrap_or_default() + self.margins.1;
        let legend = self.legend(width, bottom);
        let height = legend.last().map_or(bottom, |key| key.at.1 + LEGEND);
        let lanes: Vec<(String, f64)> = self
            .diagram
            .lanes
            .iter()
            .map(|n| (self.names.get(*n).to_owned(), self.y(*n)))
            .collect();
        let dots: Vec<Dot> = self.diagram.columns.iter().filter_map(|c| self.dot(c)).collect();
        let mut links: Vec<Link> =
            self.diagram.arrows.iter().map(|a| self.link(a, right)).collect();
        if self.once {
            name_once(&mut links);
        }
        let covered = labels::place(&mut links, &dots);
        let stretch = |span: &crate::trace::diagram::Span| Stretch {
            since: span.from.unwrap_or(0),
            from: span.from.map_or(self.left, |step| self.x(step)),
            to: span.to.map_or(right, |step| self.x(step)),
            y: self.y(span.lane),
        };
        let plot = Plot {
            scale: self.scale,
            width,
            height,
            legend,
            lane_ends: (self.left, right),
            lanes,
            columns: self.diagram.columns.iter().map(|c| (c.step, self.x(c.step))).collect(),
            dots,
            links,
            inside: self.diagram.inside.iter().map(stretch).collect(),
            crashed: self.diagram.crashed.iter().map(stretch).collect(),
        };
        (plot, covered)
    }

    /// The column of a step. Those before the first one that is shown lie left of where lanes begin; what
    /// was sent before the run begins there.
    fn x(&self, step: u32) -> f64 {
        let first = self.diagram.columns.first().map_or(1, |c| c.step);
        let place = f64::from(step) - f64::from(first);
        let earlier = step == 0 && first == 1;
        if earlier { self.left } else { self.left + self.lead() + self.step * place }
    }

    /// From where lanes begin to the first step. Lines that began before have room for their names.
    fn lead(&self) -> f64 {
        let whole = self.diagram.columns.first().is_none_or(|c| c.step == 1);
        if whole { 34.0 } else { 105.0 }
    }

    /// Where lanes end.
    fn right(&self) -> f64 {
        self.left + self.lead() + self.step * self.steps as f64
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
        let right = self.right();
        let way = |arrow: &Arrow| {
            let (_, end, part) = self.end(arrow, right);
            let (from, to) = (self.place(arrow.id.from), self.place(arrow.id.to));
            Way { from: (from, self.x(arrow.sent_at)), to: (to, end), part }
        };
        let ways: Vec<Way> = self.diagram.arrows.iter().map(way).collect();
        lanes::heights(self.diagram.lanes.len(), (self.margins.0, self.part), &ways, &spots)
    }

    /// The form of a step's dot. What happens in the network has no lane and none.
    fn shape(column: &Column) -> Option<Shape> {
        Some(match column.mark {
            Mark::Crash => Shape::Crash,
            Mark::Lost => Shape::Lost,
            Mark::Network => return None,
            Mark::Own | Mark::Recover | Mark::Receipt if column.entered.is_some() => Shape::Entered,
            Mark::Own | Mark::Recover => Shape::Act,
            Mark::Receipt => Shape::Receipt,
        })
    }

    fn dot(&self, column: &Column) -> Option<Dot> {
        let shape = Self::shape(column)?;
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
        let (begin, to) = (self.x(arrow.sent_at), (end, from + (to - from) * part));
        // Of a line that began before what is shown, the rest is drawn.
        let cut = ((self.left - begin) / (to.0 - begin)).clamp(0.0, 1.0);
        Link {
            sent_at: arrow.sent_at,
            from: (begin + (to.0 - begin) * cut, from + (to.1 - from) * cut),
            to,
            dashed: arrow.line == Line::Reply,
            tip,
            label: arrow.label.show(self.names),
            label_at: 0.5,
        }
    }
}

/// Leaves the name of the longest line alone to messages that are sent in one step and read the same.
fn name_once(links: &mut [Link]) {
    let length = |link: &Link| (link.to.0 - link.from.0).hypot(link.to.1 - link.from.1);
    for i in 0..links.len() {
        let same =
            |other: &&Link| other.sent_at == links[i].sent_at && other.label == links[i].label;
        let longest = links.iter().filter(same).map(length).fold(0.0, f64::max);
        if length(&links[i]) < longest {
            links[i].label.clear();
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
