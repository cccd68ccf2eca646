//! Where the stepper's panels stand, for the size of the window and the number of nodes.
//!
//! Pure arithmetic on rectangles: nothing is drawn here.

use super::panel::spacetime::rows_with_messages;
use ratatui::layout::Rect;

/// The smallest window that the stepper is drawn in.
pub const SMALLEST: (u16, u16) = (60, 18);

/// The stepper's panels. An empty rectangle: no room for that one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Places {
    /// Whether panels have boxes; without, they have a titled rule above them.
    pub boxed: bool,
    /// The header.
    pub header: Rect,
    /// The nodes table, frame included.
    pub nodes: Rect,
    /// The space-time diagram, frame included.
    pub spacetime: Rect,
    /// The messages in flight, frame included.
    pub flights: Rect,
    /// Why the selected node waits, frame included.
    pub why: Rect,
    /// Lesson prose and question, frame included. In free play the algorithm's rules.
    pub lesson: Rect,
    /// The rules beside a lesson, where there is room.
    pub rules: Rect,
    /// What has just happened.
    pub sentence: Rect,
    /// The keys.
    pub footer: Rect,
}

fn rows(area: Rect, y: u16, height: u16) -> Rect {
    Rect { x: area.x, y: area.y + y, width: area.width, height }
}

/// The rows that the panels need now to show everything, without their frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The rows of the nodes table.
    pub nodes: u16,
    /// The messages in flight.
    pub flights: u16,
    /// Why the selected node waits.
    pub why: u16,
    /// In a lesson, the text that one should see at once.
    pub lesson: Option<u16>,
    /// The algorithm's rules.
    pub rules: u16,
}

/// So many messages in flight are always seen, whatever else there is.
const SEEN_FLIGHTS: u16 = 6;

/// Whether there is room for two columns of boxes.
#[must_use]
pub fn is_wide(area: Rect) -> bool {
    area.width >= 100 && area.height >= 28
}

/// The columns of the lesson's panel, frame included.
#[must_use]
pub fn lesson_width(area: Rect, lesson: bool) -> u16 {
    // Rules need less room than a lesson's words; longer lines are hard to read.
    let share = if lesson { 8 } else { 7 };
    if is_wide(area) { (area.width * share / 20).clamp(35, 64) } else { area.width }
}

/// Places for a window, by what each part needs now.
#[must_use]
pub fn places(area: Rect, need: Need) -> Places {
    if is_wide(area) { wide(area, need) } else { compact(area, need) }
}

/// Two columns of boxes. What the text does not need is the picture's.
fn wide(area: Rect, need: Need) -> Places {
    let bottom = 3;
    let body = area.height - 1 - bottom;
    let right = lesson_width(area, need.lesson.is_some());
    let left = area.width - right;
    let table = (need.nodes + 3).min(body / 3 + 1);
    let diagram = rows_with_messages(usize::from(need.nodes)) + 4;
    // The picture keeps its height while the messages fit, so that it does not move with each of them.
    let most = body.saturating_sub(table + diagram).max(7).min(body - table - 5);
    let low = (need.flights.max(need.why).max(SEEN_FLIGHTS) + 2).min(most);
    let diagram = body - table - low;
    let column = Rect { width: left, ..area };
    let lower = rows(column, 1 + table + diagram, low);
    let half = (left * 9 / 20).max(30);
    let side = Rect { x: area.x + left, y: area.y + 1, width: right, height: body };
    let text = need.lesson.map_or(body, |rows| {
        let text = (rows + 2).max(12).max(body.saturating_sub(need.rules + 2)).min(body);
        // Of rules in fewer rows nothing is learned.
        if body - text < 5 { body } else { text }
    });
    let below = Rect { y: side.y + text, height: body - text, ..side };
    Places {
        boxed: true,
        header: rows(area, 0, 1),
        nodes: rows(column, 1, table),
        spacetime: rows(column, 1 + table, diagram),
        flights: Rect { width: half, ..lower },
        why: Rect { x: lower.x + half, width: left - half, ..lower },
        lesson: Rect { height: text, ..side },
        rules: if below.height == 0 { Rect::default() } else { below },
        sentence: rows(area, area.height - bottom, 2),
        footer: rows(area, area.height - 1, 1),
    }
}

/// The same things without boxes, down to 60 by 18. Where there is no height for a diagram that can
/// be read, the messages and the reasons take its place; `z` still shows it.
fn compact(area: Rect, need: Need) -> Places {
    let bottom = 3;
    let body = area.height.saturating_sub(1 + bottom);
    let table = (need.nodes + 1).min((body * 2 / 5).max(4));
    let short = area.height < 22;
    // A row says how many more there are.
    let flights = need.flights.min(SEEN_FLIGHTS + 1);
    let seen = 1 + rows_with_messages(usize::from(need.nodes)).max(flights);
    // A titled rule, then what is read: a lesson needs room for a question with its answers.
    let text = match need.lesson {
        Some(rows) if short => (rows + 1).clamp(6, 7),
        Some(rows) => {
            let most = body.saturating_sub(table + 1 + flights).clamp(7, 10);
            (rows + 1).clamp(7, most)
        }
        None if short => 0,
        // Rules make way for the messages.
        None => [6, 3, 0].into_iter().find(|rules| table + rules + seen <= body).unwrap_or(6),
    };
    let text = text.min(body.saturating_sub(table + 3));
    let middle = body.saturating_sub(table + text);
    let band = rows(area, 1 + table, middle);
    let (spacetime, flights, why) = if middle > need.nodes.max(4) + 1 {
        let side = (area.width * 2 / 5).clamp(26, 44);
        let left = area.width.saturating_sub(side);
        let right = Rect { x: area.x + left, width: side, ..band };
        // What is on its way goes first; the reasons have what it leaves.
        let above = (need.flights + 1).max(2).max(middle.saturating_sub(need.why.max(1) + 1));
        let above = if above + 2 > middle { middle } else { above };
        let why = Rect { y: right.y + above, height: middle - above, ..right };
        (Rect { width: left, ..band }, Rect { height: above, ..right }, why)
    } else {
        let half = if need.flights < middle { area.width / 2 } else { area.width };
        let why = Rect { x: band.x + half, width: area.width - half, ..band };
        (Rect::default(), Rect { width: half, ..band }, why)
    };
    Places {
        boxed: false,
        header: rows(area, 0, 1),
        nodes: rows(area, 1, table),
        spacetime,
        flights,
        why: if why.is_empty() { Rect::default() } else { why },
        lesson: rows(area, 1 + table + middle, text),
        rules: Rect::default(),
        sentence: rows(area, area.height.saturating_sub(bottom), 2.min(area.height)),
        footer: rows(area, area.height.saturating_sub(1), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(p: &Places) -> [Rect; 9] {
        [p.header, p.nodes, p.spacetime, p.flights, p.why, p.lesson, p.rules, p.sentence, p.footer]
    }

    #[test]
    fn panels_lie_inside_the_window_and_do_not_overlap() {
        for width in (SMALLEST.0..200).step_by(7) {
            for height in (SMALLEST.1..60).step_by(3) {
                for nodes in 1..=19 {
                    for (lesson, flights) in [(None, 0), (Some(3), 9), (Some(30), 40), (None, 7)] {
                        let area = Rect::new(0, 0, width, height);
                        let need = Need { nodes, flights, why: 3, lesson, rules: 12 };
                        let all = all(&places(area, need));
                        for (i, a) in all.iter().enumerate() {
                            assert_eq!(a.intersection(area), *a, "{width}x{height} {nodes} {i}");
                            for b in &all[..i] {
                                assert!(a.intersection(*b).is_empty(), "{width}x{height} {nodes}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn three_nodes_and_a_lesson_have_room_for_everything_at_80x24() {
        let need = Need { nodes: 3, flights: 4, why: 3, lesson: Some(6), rules: 12 };
        let p = places(Rect::new(0, 0, 80, 24), need);
        assert_eq!((p.nodes.height, p.spacetime.height, p.lesson.height), (4, 9, 7));
        assert_eq!((p.flights.height, p.why.height), (5, 4));
    }

    #[test]
    fn six_messages_are_seen_at_80x24_whatever_the_lesson_says() {
        for (nodes, rows) in [(3, 3), (3, 30), (4, 30), (5, 30)] {
            let need = Need { nodes, flights: 6, why: 4, lesson: Some(rows), rules: 12 };
            let p = places(Rect::new(0, 0, 80, 24), need).flights;
            let columns = p.width / 32;
            assert!((p.height - 1) * columns >= 6, "{nodes} {rows} {p:?}");
        }
    }
}
