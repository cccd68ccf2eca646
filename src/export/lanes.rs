//! How high the lanes of the space-time diagram lie, so that lines keep clear of dots that are not theirs.
//!
//! With equal distances a line past a lane would often go right through such a dot. It decides on
//! heights alone: the order of lanes and the places of steps stay.

use super::plot::Point;

/// How far one lane may lie from the next. The first two are what a picture has by itself, in turns.
const GAPS: [f64; 8] = [107.0, 77.0, 92.0, 84.0, 100.0, 115.0, 123.0, 131.0];
/// A line this near to a dot, or to what stands above and below it, is too near.
const CLEAR: f64 = 13.0;
/// How far above a dot its number stands.
const ABOVE: f64 = 17.0;
/// How far below a dot its word stands.
const BELOW: f64 = 18.0;
/// Half the width of a word.
const WORD: f64 = 12.0;

/// A message's way: lanes and places from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The lane that it leaves, and where.
    pub from: (usize, f64),
    /// The lane towards which it goes, and where it ends.
    pub to: (usize, f64),
    /// Which part of the way between the lanes it comes: 1 when it arrives.
    pub part: f64,
}

/// A dot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Its lane.
    pub lane: usize,
    /// Its place from left to right.
    pub x: f64,
    /// Whether a word stands below it.
    pub word: bool,
}

impl Spot {
    /// How much a line from one point to another crowds it: the dot most of all, then its number, then
    /// the word below.
    fn crowded(&self, heights: &[f64], from: Point, to: Point) -> f64 {
        let (x, y) = (self.x, heights[self.lane]);
        let short = |at: Point| (CLEAR - distance(at, from, to)).max(0.0);
        let number = 2.0 * short((x, y - ABOVE));
        let word = || [-WORD, 0.0, WORD].map(|dx| short((x + dx, y + BELOW)));
        let word = if self.word { word().into_iter().fold(0.0, f64::max) } else { 0.0 };
        8.0 * short((x, y)) + number + word
    }
}

/// The farthest that two lanes lie apart when nothing presses them together.
pub(super) const WIDEST: f64 = 131.0;

/// The height of each lane. `spots` are sorted by their places, `top` is the first lane's height, and `part`
/// the part that is taken of usual distances.
pub(super) fn heights(
    lanes: usize,
    (top, part): (f64, f64),
    ways: &[Way],
    spots: &[Spot],
) -> Vec<f64> {
    let below = |gaps: &[f64]| below(gaps, top, part);
    let crowd = |gaps: &[f64]| crowd(&below(gaps), ways, spots);
    let begun = |turn: usize| (1..lanes).map(|lane| GAPS[(lane + 1 + turn) % 2]).collect();
    let (gaps, crowded) = improved(begun(0), crowd);
    if crowded == 0.0 {
        return below(&gaps);
    }
    let (others, less) = improved(begun(1), crowd);
    below(if less < crowded { &others } else { &gaps })
}

/// The best that changing one gap after the other leads to, and how crowded that still is.
fn improved(mut gaps: Vec<f64>, crowd: impl Fn(&[f64]) -> f64) -> (Vec<f64>, f64) {
    let mut least = crowd(&gaps);
    for place in (0..gaps.len()).chain(0..gaps.len()) {
        for gap in GAPS {
            if least == 0.0 {
                return (gaps, least);
            }
            let kept = std::mem::replace(&mut gaps[place], gap);
            let now = crowd(&gaps);
            if now < least { least = now } else { gaps[place] = kept }
        }
    }
    (gaps, least)
}

/// The heights of lanes with these gaps between them.
fn below(gaps: &[f64], top: f64, part: f64) -> Vec<f64> {
    let mut height = top;
    let next = |gap: &f64| {
        height += part * gap;
        height
    };
    std::iter::once(top).chain(gaps.iter().map(next)).collect()
}

/// How much lines crowd dots that are not theirs.
fn crowd(heights: &[f64], ways: &[Way], spots: &[Spot]) -> f64 {
    ways.iter().map(|way| crowd_of(way, heights, spots)).sum()
}

fn crowd_of(way: &Way, heights: &[f64], spots: &[Spot]) -> f64 {
    let (from, to) = (heights[way.from.0], heights[way.to.0]);
    let begin = (way.from.1, from);
    let end = (way.to.1, from + (to - from) * way.part);
    let between = way.from.0.min(way.to.0)..=way.from.0.max(way.to.0);
    let ends = |spot: &Spot, end: (usize, f64)| spot.lane == end.0 && spot.x == end.1;
    let own = |spot: &Spot| ends(spot, way.from) || (way.part >= 1.0 && ends(spot, way.to));
    let first = spots.partition_point(|spot| spot.x < begin.0 - CLEAR);
    let beside = spots[first..].iter().take_while(|spot| spot.x <= end.0 + CLEAR);
    let near = beside.filter(|spot| between.contains(&spot.lane) && !own(spot));
    near.map(|spot| spot.crowded(heights, begin, end)).sum()
}

/// From a point to a stretch of straight line.
fn distance(at: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let along = (at.0 - from.0) * dx + (at.1 - from.1) * dy;
    let part = (along / (dx * dx + dy * dy).max(1.0)).clamp(0.0, 1.0);
    (at.0 - from.0 - part * dx).hypot(at.1 - from.1 - part * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_past_a_dot_keeps_clear_of_it() {
        // From the first lane to the third, right past a dot in the middle of the second.
        let way = Way { from: (0, 0.0), to: (2, 200.0), part: 1.0 };
        let spot = |lane, x| Spot { lane, x, word: false };
        let spots = [spot(0, 0.0), spot(1, 100.0), spot(2, 200.0)];
        assert!(crowd(&below(&[92.0, 92.0], 62.0, 1.0), &[way], &spots) > 0.0);
        let chosen = heights(3, (62.0, 1.0), &[way], &spots);
        assert_eq!(crowd(&chosen, &[way], &spots), 0.0, "{chosen:?}");
        assert!(chosen.is_sorted());
    }
}
