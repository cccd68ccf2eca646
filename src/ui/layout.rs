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

/// Places for a window. `nodes` counts all rows of the table; `lesson`: in a lesson, the rows of text
/// that one should see at once.
#[must_use]
pub fn places(area: Rect, nodes: usize, lesson: Option<u16>) -> Places {
    if area.width >= 100 && area.height >= 28 {
        wide(area, nodes as u16, lesson)
    } else {
        compact(area, nodes as u16, lesson)
    }
}

/// Two columns of boxes.
fn wide(area: Rect, nodes: u16, lesson: Option<u16>) -> Places {
    let bottom = 3;
    let body = area.height - 1 - bottom;
    // Rules need less room than a lesson's words.
    let share = if lesson.is_some() { 12 } else { 13 };
    let left = (area.width * share / 20).max(60);
    let right = area.width - left;
    let table = (nodes + 3).min(body / 3 + 1);
    // Lanes stand further apart where there is height for it, up to what still reads as one picture.
    let lower = 7.max((body - table) * 2 / 5);
    let want = nodes.saturating_sub(1) * 6 + 5;
    let diagram = want.min(body - table - lower).max(5);
    let low = body - table - diagram;
    let column = Rect { width: left, ..area };
    let lower = rows(column, 1 + table + diagram, low);
    let half = (left * 9 / 20).max(30);
    let side = Rect { x: area.x + left, y: area.y + 1, width: right, height: body };
    let prose = if lesson.is_some() { (body * 11 / 20).max(12).min(body) } else { 0 };
    let above = Rect { height: prose, ..side };
    let below = Rect { y: side.y + prose, height: body - prose, ..side };
    Places {
        boxed: true,
        header: rows(area, 0, 1),
        nodes: rows(column, 1, table),
        spacetime: rows(column, 1 + table, diagram),
        flights: Rect { width: half, ..lower },
        why: Rect { x: lower.x + half, width: left - half, ..lower },
        lesson: if lesson.is_some() { above } else { side },
        rules: if lesson.is_some() { below } else { Rect::default() },
        sentence: rows(area, area.height - bottom, 2),
        footer: rows(area, area.height - 1, 1),
    }
}

/// The same things without boxes, down to 60 by 18. Where there is no height for a diagram that can
/// be read, the messages and the reasons take its place; `z` still shows it.
fn compact(area: Rect, nodes: u16, lesson: Option<u16>) -> Places {
    let bottom = 3;
    let body = area.height.saturating_sub(1 + bottom);
    let table = (nodes + 1).min((body * 2 / 5).max(4));
    let short = area.height < 22;
    let seen = 1 + rows_with_messages(usize::from(nodes));
    // A titled rule, then what is read: a lesson needs room for a question with its answers.
    let text = match lesson {
        Some(rows) if short => (rows + 1).clamp(6, 7),
        Some(rows) => (rows + 1).clamp(7, 10),
        None if short => 0,
        // Rules make way for the messages.
        None => [6, 3, 0].into_iter().find(|rules| table + rules + seen <= body).unwrap_or(6),
    };
    let text = text.min(body.saturating_sub(table + 3));
    let middle = body.saturating_sub(table + text);
    let band = rows(area, 1 + table, middle);
    let readable = middle > nodes.max(4) + 1;
    let side = (area.width * 2 / 5).clamp(26, 44);
    let left = area.width.saturating_sub(side);
    let above = middle.div_ceil(2);
    let half = area.width / 2;
    let right = Rect { x: area.x + left, width: side, ..band };
    let (spacetime, flights, why) = if readable {
        let flights = Rect { height: above, ..right };
        let why = Rect { y: right.y + above, height: middle - above, ..right };
        (Rect { width: left, ..band }, flights, why)
    } else {
        let why = Rect { x: band.x + half, width: area.width - half, ..band };
        (Rect::default(), Rect { width: half, ..band }, why)
    };
    Places {
        boxed: false,
        header: rows(area, 0, 1),
        nodes: rows(area, 1, table),
        spacetime,
        flights,
        why,
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
                    for lesson in [None, Some(3), Some(30)] {
                        let area = Rect::new(0, 0, width, height);
                        let all = all(&places(area, nodes, lesson));
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
        let p = places(Rect::new(0, 0, 80, 24), 3, Some(6));
        assert_eq!((p.nodes.height, p.spacetime.height, p.lesson.height), (4, 9, 7));
    }
}
