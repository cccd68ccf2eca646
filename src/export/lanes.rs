//! How high the lanes of the space-time diagram lie, so that lines keep clear of dots that are not theirs.
//!
//! With equal distances a line past a lane would often go right through such a dot. It decides on
//! heights alone: the order of lanes and the places of steps stay.

use super::plot::Point;

/// From one lane to the next.
const LANE: f64 = 92.0;
/// From the page's top to the first lane.
const TOP: f64 = 62.0;
/// How much lower than its place a lane may lie. The first of two are what a picture has by itself.
const LOWER: [f64; 6] = [0.0, 15.0, 7.0, 22.0, 29.0, -7.0];
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
    /// The places that no line of others should come near.
    fn places(&self, heights: &[f64]) -> impl Iterator<Item = Point> + use<> {
        let (x, y) = (self.x, heights[self.lane]);
        let below = self.word.then(|| [-WORD, 0.0, WORD].map(|dx| (x + dx, y + BELOW)));
        [(x, y), (x, y - ABOVE)].into_iter().chain(below.into_iter().flatten())
    }
}

/// The height of each lane. `spots` are sorted by their places.
pub(super) fn heights(lanes: usize, ways: &[Way], spots: &[Spot]) -> Vec<f64> {
    let height = |lane: usize, lower: f64| TOP + LANE * lane as f64 + lower;
    let mut all: Vec<f64> = (0..lanes).map(|lane| height(lane, LOWER[lane % 2])).collect();
    let mut least = crowd(&all, ways, spots);
    for lane in (1..lanes).chain(1..lanes) {
        for lower in LOWER {
            if least == 0.0 {
                return all;
            }
            let kept = std::mem::replace(&mut all[lane], height(lane, lower));
            let now = crowd(&all, ways, spots);
            if now < least { least = now } else { all[lane] = kept }
        }
    }
    all
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
    let places = near.flat_map(|spot| spot.places(heights));
    places.map(|at| (CLEAR - distance(at, begin, end)).max(0.0)).sum()
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
        let equal = [TOP, TOP + LANE, TOP + 2.0 * LANE];
        assert!(crowd(&equal, &[way], &spots) > 0.0);
        let chosen = heights(3, &[way], &spots);
        assert_eq!(crowd(&chosen, &[way], &spots), 0.0, "{chosen:?}");
        assert!(chosen.is_sorted());
    }
}
