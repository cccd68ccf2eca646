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

/// What the panels need now to show everything, without their frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The rows of the nodes table.
    pub nodes: u16,
    /// The columns that the table may come to need in this cluster.
    pub table: u16,
    /// The messages in flight.
    pub flights: u16,
    /// Why the selected node waits.
    pub why: u16,
    /// In a lesson, the rows of its page.
    pub lesson: Option<Text>,
    /// The algorithm's rules.
    pub rules: u16,
}

/// The rows of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Text {
    /// What has to be seen at once.
    pub least: u16,
    /// All of it.
    pub full: u16,
}

/// So many messages in flight are always seen, whatever else there is.
const SEEN_FLIGHTS: u16 = 6;
/// So many rows of reasons have a place of their own, where there is room.
const LEAST_WHY: u16 = 3;
/// The picture makes way for a page that would have fewer rows, its title included.
const LEAST_PAGE: u16 = 6;
/// In fewer rows nothing is learned from rules, frame included.
const LEAST_RULES: u16 = 5;

/// Whether there is room for two columns of boxes.
#[must_use]
pub fn is_wide(area: Rect) -> bool {
    area.width >= 100 && area.height >= 28
}

/// Whether all texts stand in one column, so that the picture has the height of the other.
fn is_roomy(area: Rect) -> bool {
    area.width >= 120 && area.height >= 38
}

/// The columns of the lesson's panel, frame included.
#[must_use]
pub fn lesson_width(area: Rect, lesson: bool) -> u16 {
    // Rules need less room than a lesson's words; longer lines are hard to read.
    let share = if lesson { 8 } else { 7 };
    if is_wide(area) { (area.width * share / 20).clamp(35, 64) } else { area.width }
}

/// The columns of the panels beside the picture, where there are no boxes.
fn side_width(area: Rect) -> u16 {
    (area.width * 2 / 5).clamp(26, 44)
}

/// The columns in which is said why a node waits, frame included.
#[must_use]
pub fn why_width(area: Rect, lesson: bool) -> u16 {
    let text = lesson_width(area, lesson);
    match is_wide(area) {
        false => side_width(area),
        true if is_roomy(area) => text,
        true => area.width - text - low_half(area.width - text),
    }
}

/// The messages' share of a row below the picture.
fn low_half(left: u16) -> u16 {
    (left * 9 / 20).max(30)
}

/// Places for a window, by what each part needs now.
#[must_use]
pub fn places(area: Rect, need: Need) -> Places {
    if is_wide(area) { wide(area, need) } else { compact(area, need) }
}

/// Places one below the other.
struct Column {
    rest: Rect,
}

impl Column {
    /// The next rows.
    fn take(&mut self, height: u16) -> Rect {
        let height = height.min(self.rest.height);
        let taken = Rect { height, ..self.rest };
        self.rest.y += height;
        self.rest.height -= height;
        if height == 0 { Rect::default() } else { taken }
    }

    fn rest(mut self) -> Rect {
        self.take(u16::MAX)
    }
}

/// Two columns of boxes. What the text does not need is the picture's.
fn wide(area: Rect, need: Need) -> Places {
    const FRAME: u16 = 2;
    let bottom = 3;
    let body = area.height - 1 - bottom;
    let width = lesson_width(area, need.lesson.is_some());
    let left = Rect { y: area.y + 1, width: area.width - width, height: body, ..area };
    let right = Rect { x: left.right(), width, ..left };
    let (mut left, mut right) = (Column { rest: left }, Column { rest: right });
    let mut places = Places {
        boxed: true,
        header: rows(area, 0, 1),
        sentence: rows(area, area.height - bottom, 2),
        footer: rows(area, area.height - 1, 1),
        ..Places::default()
    };
    let table = need.nodes + 1 + FRAME;
    let (messages, reasons) = (need.flights.max(SEEN_FLIGHTS), need.why.max(LEAST_WHY));
    let page = need.lesson.map_or(need.rules, |text| text.full) + FRAME;
    if is_roomy(area) {
        places.nodes = left.take(table.min(body - 5));
        places.spacetime = left.rest();
        // While all of it has room, what is below a page seldom moves.
        let spare = body.saturating_sub(messages + reasons + 2 * FRAME);
        let crowded = page > spare;
        // Rules give way to what is on its way and to the reasons.
        let lesson = need.lesson.is_some();
        let messages = if crowded && lesson { need.flights.max(2) } else { messages };
        let page = match (crowded, lesson) {
            (true, true) => page,
            (true, false) => spare,
            (false, _) => page.max(body / 3).min(spare),
        };
        let least = need.flights.clamp(2, SEEN_FLIGHTS) + need.why.clamp(1, LEAST_WHY) + 2 * FRAME;
        places.lesson = right.take(page.min(body - least));
        let seen = need.flights.clamp(2, SEEN_FLIGHTS) + FRAME;
        let why = (reasons + FRAME).min(right.rest.height.saturating_sub(seen));
        places.flights = right.take((messages + FRAME).min(right.rest.height - why));
        let over = right.rest.height - why;
        let rules = if lesson && over >= LEAST_RULES { over } else { 0 };
        places.why = right.take(right.rest.height - rules);
        places.rules = right.rest();
        return places;
    }
    let least = SEEN_FLIGHTS + FRAME;
    // Where not even its lanes have room, the picture makes way; `z` still shows it.
    let drawn = body > table + least + picture(need.nodes, 1);
    let table = table.min(body - least);
    let diagram = rows_with_messages(usize::from(need.nodes)) + FRAME;
    let most = match drawn {
        true => body.saturating_sub(table + diagram).max(least).min(body - table - 5),
        false => body - table,
    };
    // The picture keeps its height while all has room, so that it does not move with each message.
    let beside = messages.max(need.why) + FRAME;
    let stacked = need.flights.max(1) + need.why + 2 * FRAME;
    let stacks = page > body && stacked <= most;
    places.nodes = left.take(table);
    let low = if stacks { stacked } else { beside.min(most) };
    places.spacetime = left.take(if drawn { body - table - low } else { 0 });
    if stacks {
        places.flights = left.take(need.flights.max(1) + FRAME);
        places.why = left.rest();
    } else {
        let low = left.rest();
        let half = low_half(low.width);
        places.flights = Rect { width: half, ..low };
        places.why = Rect { x: low.x + half, width: low.width - half, ..low };
    }
    let text = if need.lesson.is_some() {
        page.max(body.saturating_sub(need.rules + FRAME))
    } else {
        body
    };
    places.lesson = right.take(if body.saturating_sub(text) < LEAST_RULES { body } else { text });
    places.rules = right.rest();
    places
}

/// The rows of the picture with its title, so many from lane to lane.
fn picture(nodes: u16, apart: u16) -> u16 {
    1 + nodes.saturating_sub(1) * apart + 1
}

/// The same things without boxes, down to 60 by 18. Where there is no height for a picture, the messages
/// and the reasons take its place; `z` still shows it.
fn compact(area: Rect, need: Need) -> Places {
    let bottom = 3;
    let body = area.height.saturating_sub(1 + bottom);
    let table = (need.nodes + 1).min((body * 2 / 5).max(4));
    let short = area.height < 22;
    let side = side_width(area);
    // Beside a narrow table the messages begin in its first row.
    let beside = !short && need.table.saturating_add(side) <= area.width;
    let top = if beside { 0 } else { table };
    // A row says how many more there are.
    let flights = 1 + need.flights.min(SEEN_FLIGHTS + 1);
    let left_by =
        |apart: u16| body.saturating_sub((table + picture(need.nodes, apart)).max(top + flights));
    let without = body.saturating_sub(table.max(top) + flights);
    let text = match need.lesson {
        Some(text) if short => (text.least + 1).clamp(6, 7),
        Some(text) if left_by(1) < LEAST_PAGE => {
            let reasons = body.saturating_sub(table + 1 + need.why);
            (text.full + 1).min(reasons).max(text.least + 1).min(without)
        }
        // What has to be seen goes before a picture that is easily read, and that before the rest.
        Some(text) => {
            let (least, full) = (text.least + 1, text.full + 1);
            let reasons = body.saturating_sub(top + flights + 1 + need.why);
            full.min(left_by(3)).min(reasons).max(least.min(left_by(1))).max(4)
        }
        None if short => 0,
        None => match left_by(3).min(need.rules + 1) {
            0..LEAST_RULES => 0,
            rules => rules.min(6),
        },
    };
    let text = text.min(body.saturating_sub(table + 3));
    let middle = body.saturating_sub(table + text);
    let band = rows(area, 1 + table, middle);
    let drawn = middle >= picture(need.nodes, 1).max(if short { need.nodes.max(4) + 2 } else { 4 });
    let mut places = Places {
        boxed: false,
        header: rows(area, 0, 1),
        nodes: rows(area, 1, table),
        lesson: rows(area, 1 + table + middle, text),
        sentence: rows(area, area.height.saturating_sub(bottom), 2.min(area.height)),
        footer: rows(area, area.height.saturating_sub(1), 1),
        ..Places::default()
    };
    if drawn || beside {
        let left = area.width.saturating_sub(side);
        let height = table - top + middle;
        let right = Rect { x: area.x + left, width: side, y: area.y + 1 + top, height };
        // What is on its way goes first; the reasons have what it leaves.
        let above = (need.flights + 1).max(2).max(height.saturating_sub(need.why.max(1) + 1));
        let above = if !drawn || above + 2 > height { height } else { above };
        if beside {
            places.nodes.width = left;
        }
        let band = Rect { width: left, ..band };
        places.flights = Rect { height: above, ..right };
        if drawn {
            places.spacetime = band;
            let why = Rect { y: right.y + above, height: height - above, ..right };
            places.why = if why.is_empty() { Rect::default() } else { why };
        } else if middle > 1 {
            places.why = band;
        }
    } else {
        let half = if need.flights < middle { area.width / 2 } else { area.width };
        let why = Rect { x: band.x + half, width: area.width - half, ..band };
        places.flights = Rect { width: half, ..band };
        places.why = if why.is_empty() { Rect::default() } else { why };
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rows: u16) -> Text {
        Text { least: rows, full: rows + 5 }
    }

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
                        let lesson = lesson.map(text);
                        let table = if flights == 9 { 40 } else { 60 };
                        let need = Need { nodes, table, flights, why: 3, lesson, rules: 12 };
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
        let lesson = Some(Text { least: 8, full: 8 });
        let need = Need { nodes: 3, table: 48, flights: 4, why: 3, lesson, rules: 12 };
        let p = places(Rect::new(0, 0, 80, 24), need);
        assert_eq!((p.nodes.height, p.spacetime.height, p.lesson.height), (4, 7, 9));
        assert_eq!((p.flights.y, p.flights.height, p.why.height), (1, 7, 4));
    }

    #[test]
    fn six_messages_are_seen_at_80x24_whatever_the_lesson_says() {
        for (nodes, rows) in [(3, 3), (3, 30), (4, 30), (5, 30)] {
            for table in [40, 60] {
                let lesson = Some(text(rows));
                let need = Need { nodes, table, flights: 6, why: 4, lesson, rules: 12 };
                let p = places(Rect::new(0, 0, 80, 24), need).flights;
                let columns = p.width / 32;
                assert!((p.height - 1) * columns >= 6, "{nodes} {rows} {p:?}");
            }
        }
    }

    #[test]
    fn where_there_is_room_the_picture_has_a_column_of_its_own() {
        for nodes in [3, 10, 16] {
            let lesson = Some(text(10));
            let need = Need { nodes, table: 60, flights: 20, why: 4, lesson, rules: 12 };
            let p = places(Rect::new(0, 0, 160, 45), need);
            assert!(p.spacetime.height >= nodes + 3, "{nodes} {p:?}");
            assert_eq!(p.spacetime.bottom(), p.sentence.y, "{nodes} {p:?}");
            assert!(p.flights.height >= 8 && p.why.height >= 5, "{nodes} {p:?}");
        }
    }
}
