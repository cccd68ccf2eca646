//! The messages in flight: numbered, oldest first, whole, and why one has to wait.

use super::Look;
use super::text::{clip, width};
use crate::algorithm::Line;
use crate::model::Names;
use crate::sim::{ClusterView, FlightView, KeptBack};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The columns in which a message can be read.
const LEAST: u16 = 32;

/// Which messages a list shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// The place of the message on the first row.
    pub first: usize,
    /// Whether some are not shown.
    pub hidden: bool,
    area: Rect,
    columns: u16,
    rows_each: u16,
}

impl Shown {
    /// The place of the message that stands at a cell of the screen; `None` outside of the list.
    #[must_use]
    pub fn message_at(&self, cell: Position) -> Option<usize> {
        let Self { area, columns, rows_each, .. } = *self;
        let width = area.width.checked_div(columns).filter(|w| *w > 0)?;
        let inside = area.contains(cell) && rows_each > 0;
        let (column, row) =
            inside.then(|| ((cell.x - area.x) / width, (cell.y - area.y) / rows_each))?;
        Some(self.first + usize::from(column * (area.height / rows_each) + row))
    }
}

/// Draws the list. `selected` is the row that the next key acts on. Where there is room, what a message
/// carries stands below it when it would be cut.
pub fn draw(
    view: &ClusterView,
    names: &Names,
    selected: Option<usize>,
    kept: &KeptBack,
    look: &Look,
    area: Rect,
    buf: &mut Buffer,
) -> Shown {
    if view.in_flight.is_empty() {
        look.put(buf, area, 1, 0, "nothing is on its way", Role::Dim);
        return Shown { area, columns: 1, rows_each: 1, ..Shown::default() };
    }
    let count = view.in_flight.len();
    // Where rows are short, messages stand side by side.
    let columns = if count > usize::from(area.height) { (area.width / LEAST).max(1) } else { 1 };
    let width = area.width / columns;
    let cut = |(i, flight): (usize, &FlightView)| {
        flight.label.carried(names).is_some_and(|carried| {
            let (text, _, wait) = parts(flight, kept.holds(flight), names, look, width);
            let whole = self::width(&format!("{} {text}  {carried}{wait}", i + 1));
            whole > usize::from(width)
        })
    };
    let twice = 2 * count <= usize::from(area.height);
    let rows_each = if twice && view.in_flight.iter().enumerate().any(cut) { 2 } else { 1 };
    let (whole, rows) = (area, usize::from(area.height / rows_each));
    let places = rows * usize::from(columns);
    let first = selected.map_or(0, |s| (s + 1).saturating_sub(places));
    for (place, i) in (first..count).take(places).enumerate() {
        let (column, y) = ((place / rows.max(1)) as u16, (place % rows.max(1)) as u16 * rows_each);
        let area = Rect { x: area.x + column * width, width, ..area };
        if place + 1 == places && i + 1 < count {
            look.put(buf, area, 1, y, &format!("… {} more", count - i), Role::Dim);
            break;
        }
        let flight = &view.in_flight[i];
        one(flight, (i, kept.holds(flight)), names, look, (area, rows_each), y, buf);
        if selected == Some(i) {
            look.select_row(buf, area, y);
        }
    }
    Shown { first, hidden: count > places, area: whole, columns, rows_each }
}

/// A message and its way. The number belongs to the channel, as in events: beside the label it would
/// look like a token's.
#[must_use]
pub fn told(flight: &FlightView, names: &Names, look: &Look) -> String {
    let (from, to) = (names.get(flight.id.from), names.get(flight.id.to));
    format!("{}  {from}{}{to}{}", flight.label.show(names), look.glyphs.right, flight.id.no)
}

/// What a message is and its way, as long as there is room; how it is drawn; and why it waits.
fn parts(
    flight: &FlightView,
    kept: bool,
    names: &Names,
    look: &Look,
    room: u16,
) -> (String, Role, String) {
    let room = usize::from(room);
    let label = flight.label.show(names);
    let (from, to) = (names.get(flight.id.from), names.get(flight.id.to));
    let behind = flight.behind.map(|id| format!(" behind {}", id.no));
    // A word, so that it is seen without colour too.
    let wait = match (kept, behind) {
        (true, behind) => format!(" kept{}", behind.unwrap_or_default()),
        (false, behind) => behind.unwrap_or_default(),
    };
    let way = format!("{from}{}{to}", look.glyphs.right);
    let long = told(flight, names, look);
    let short = format!("{label} {way}{}", flight.id.no);
    let fits = |text: &String| width(text) + 2 + width(&wait) <= room;
    let text = [long, short].into_iter().find(fits).unwrap_or_else(|| format!("{label} {way}"));
    let role = match (wait.is_empty(), flight.line) {
        (false, _) => Role::Dim,
        (_, Line::Request) => Role::Request,
        (_, Line::Reply) => Role::Reply,
    };
    (text, role, wait)
}

/// One message: its number, what it is, its way, whether it is kept back, what it has to wait for, and what
/// it carries, behind that or on the second row.
fn one(
    flight: &FlightView,
    (i, kept): (usize, bool),
    names: &Names,
    look: &Look,
    (area, rows): (Rect, u16),
    y: u16,
    buf: &mut Buffer,
) {
    let (text, role, wait) = parts(flight, kept, names, look, area.width);
    let carried = flight.label.carried(names).map_or(String::new(), |c| format!("  {c}"));
    let key_role = if flight.behind.is_some() { Role::Dim } else { Role::Key };
    let x = look.put(buf, area, 0, y, &format!("{} ", i + 1), key_role);
    let left = |x: u16| usize::from(area.width).saturating_sub(usize::from(x));
    let behind = if rows == 1 { carried.as_str() } else { "" };
    let text = clip(&(text + behind), left(x).saturating_sub(width(&wait)), look.glyphs.ellipsis);
    let end = look.put(buf, area, x, y, &text, role);
    look.put(buf, area, end, y, &wait, Role::Warn);
    if rows > 1 {
        let below = clip(carried.trim_start(), left(x), look.glyphs.ellipsis);
        look.put(buf, area, x, y + 1, &below, role);
    }
}
