//! Where the name of each message stands along its line in the space-time diagram.
//!
//! It moves names and nothing else: lines, dots and their texts stay where they are.

use super::plot::{Dot, Link, Point, STEP};
use unicode_width::UnicodeWidthChar;

/// Half the height of a small letter with the air around it.
const HALF: f64 = 6.0;
/// How far a name's middle lies above its line.
const RISE: f64 = 8.0;
/// About the width of a text in small letters, as the usual sans-serif fonts have them.
pub(super) fn width(text: &str) -> f64 {
    let letter = |c: char| match c {
        'M' | 'W' | 'm' | 'w' => 9.5,
        'I' | 'i' | 'j' | 'l' | 't' | 'f' | 'r' | ' ' | '(' | ')' | ',' | '.' | ':' => 4.0,
        c if c.is_uppercase() => 7.8,
        c if c.is_ascii() => 6.4,
        c => 6.6 * UnicodeWidthChar::width(c).unwrap_or(1) as f64,
    };
    text.chars().map(letter).sum()
}
/// The room that a dot or an arrow head takes of a line.
const END: f64 = 20.0;
/// How many places along a line are tried.
const PLACES: usize = 24;

/// Something that a name should not lie on.
#[derive(Clone, Copy)]
struct Disc {
    at: Point,
    radius: f64,
}

impl Disc {
    /// How far two reach into each other; 0: not at all.
    fn overlap(&self, other: &Self) -> f64 {
        let apart = (self.at.0 - other.at.0).hypot(self.at.1 - other.at.1);
        (self.radius + other.radius - apart).max(0.0)
    }
}

/// What is taken, sorted by place from left to right so that only neighbours are looked at.
struct Taken(Vec<Vec<Disc>>);

impl Taken {
    fn bucket(x: f64) -> usize {
        (x / STEP).max(0.0) as usize
    }

    fn add(&mut self, disc: Disc) {
        let bucket = Self::bucket(disc.at.0);
        if self.0.len() <= bucket {
            self.0.resize(bucket + 1, Vec::new());
        }
        self.0[bucket].push(disc);
    }

    /// How much of this is taken already.
    fn overlap(&self, discs: &[Disc]) -> f64 {
        let near = |disc: &Disc| {
            let middle = Self::bucket(disc.at.0);
            let buckets = middle.saturating_sub(1)..(middle + 2).min(self.0.len());
            let all = self.0.get(buckets).unwrap_or_default().iter().flatten();
            all.map(|other| disc.overlap(other)).sum::<f64>()
        };
        discs.iter().map(near).sum()
    }
}

/// Puts each name where it covers as little as it can of dots, of what stands beside them and of other
/// names, and among such places nearest to its sender: lines meet in the middle of the page. Returns the
/// most that one of them covers.
pub(super) fn place(links: &mut [Link], dots: &[Dot]) -> f64 {
    let mut most = 0.0_f64;
    let mut taken = Taken(Vec::new());
    for dot in dots {
        around(dot).into_iter().for_each(|disc| taken.add(disc));
    }
    // Who has the least choice comes first.
    let mut order: Vec<usize> = (0..links.len()).collect();
    order.sort_by(|a, b| length(&links[*a]).total_cmp(&length(&links[*b])).then(a.cmp(b)));
    for i in order {
        if links[i].label.is_empty() {
            continue;
        }
        let cost = |at: f64| taken.overlap(&along(&links[i], at)) + at * length(&links[i]) * 0.02;
        let costs = places(&links[i]).map(|at| (at, cost(at)));
        let best = costs.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.5, |(at, _)| at);
        links[i].label_at = best;
        let covers = along(&links[i], best);
        most = most.max(taken.overlap(&covers));
        covers.into_iter().for_each(|disc| taken.add(disc));
    }
    most
}

fn length(link: &Link) -> f64 {
    (link.to.0 - link.from.0).hypot(link.to.1 - link.from.1).max(1.0)
}

/// The parts of the way at which a name's middle may lie.
fn places(link: &Link) -> impl Iterator<Item = f64> + use<> {
    let length = length(link);
    let half = width(&link.label) / 2.0;
    let (first, last) = ((END + half) / length, 1.0 - (END + half) / length);
    let (first, last) = if first < last { (first, last) } else { (0.5, 0.5) };
    (0..PLACES).map(move |n| first + (last - first) * n as f64 / (PLACES - 1) as f64)
}

/// What a name covers when its middle lies at a part of the way.
fn along(link: &Link, at: f64) -> Vec<Disc> {
    let (dx, dy) = (link.to.0 - link.from.0, link.to.1 - link.from.1);
    let (ux, uy) = (dx / length(link), dy / length(link));
    let middle = (link.from.0 + dx * at + uy * RISE, link.from.1 + dy * at - ux * RISE);
    row(middle, (ux, uy), &link.label)
}

/// A text as a row of discs.
fn row(middle: Point, (ux, uy): Point, text: &str) -> Vec<Disc> {
    let width = width(text);
    let count = (width / (2.0 * HALF)).ceil().max(1.0);
    let disc = |n: usize| {
        let off = width * ((n as f64 + 0.5) / count - 0.5);
        Disc { at: (middle.0 + ux * off, middle.1 + uy * off), radius: HALF }
    };
    (0..count as usize).map(disc).collect()
}

/// A dot, its clock and its word.
fn around(dot: &Dot) -> Vec<Disc> {
    let (x, y) = dot.at;
    let mut discs = vec![Disc { at: dot.at, radius: 9.0 }];
    let beside = [(dot.above.as_deref().unwrap_or_default(), -17.0), (dot.below.as_str(), 18.0)];
    for (text, dy) in beside.into_iter().filter(|(text, _)| !text.is_empty()) {
        discs.extend(row((x, y + dy), (1.0, 0.0), text));
    }
    discs
}

#[cfg(test)]
mod tests {
    use super::super::Run;
    use super::super::plot::Plot;
    use super::*;
    use crate::lab::Lab;
    use crate::model::Config;
    use crate::sim::Policy;

    #[test]
    fn no_name_covers_another_or_a_dot_where_five_ask_at_once() {
        let mut lab = Lab::new(Config::new("ricart-agrawala", 5)).expect("default settings");
        let ask = "request P1; request P2; request P3; request P4; request P5";
        lab.play_schedule(ask).expect("everybody may ask");
        lab.run_on(&mut Policy::Oldest, None);
        let plot = Plot::of(&Run::of(&lab));
        let names: Vec<Vec<Disc>> = plot.links.iter().map(|l| along(l, l.label_at)).collect();
        let covers =
            |a: &[Disc], b: &[Disc]| a.iter().any(|x| b.iter().any(|y| x.overlap(y) > HALF));
        for (i, name) in names.iter().enumerate() {
            let link = &plot.links[i];
            assert!(!names[..i].iter().any(|n| covers(n, name)), "a name at {:?}", link.from);
            assert!(!plot.dots.iter().any(|d| covers(&around(d), name)), "a dot, {:?}", link.from);
        }
    }
}
