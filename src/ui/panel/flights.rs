//! The messages in flight: numbered, oldest first, whole, and why one has to wait.

use super::Look;
use super::text::{clip, width};
use crate::algorithm::Line;
use crate::model::Names;
use crate::sim::{ClusterView, FlightView, KeptBack};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The columns in which a message can be read.
const LEAST: u16 = 32;

/// Draws the list. `selected` is the row that the next key acts on. Gives the place of the message on
/// the first row.
pub fn draw(
    view: &ClusterView,
    names: &Names,
    selected: Option<usize>,
    kept: &KeptBack,
    look: &Look,
    area: Rect,
    buf: &mut Buffer,
) -> usize {
    if view.in_flight.is_empty() {
        look.put(buf, area, 1, 0, "nothing is on its way", Role::Dim);
        return 0;
    }
    let count = view.in_flight.len();
    // Where rows are short, messages stand side by side.
    let columns = if count > usize::from(area.height) { (area.width / LEAST).max(1) } else { 1 };
    let width = area.width / columns;
    let rows = usize::from(area.height);
    let places = rows * usize::from(columns);
    let first = selected.map_or(0, |s| (s + 1).saturating_sub(places));
    for (place, i) in (first..count).take(places).enumerate() {
        let (column, y) = ((place / rows.max(1)) as u16, (place % rows.max(1)) as u16);
        let area = Rect { x: area.x + column * width, width, ..area };
        if place + 1 == places && i + 1 < count {
            look.put(buf, area, 1, y, &format!("… {} more", count - i), Role::Dim);
            break;
        }
        let flight = &view.in_flight[i];
        one(flight, (i, kept.holds(flight)), names, look, area, y, buf);
        if selected == Some(i) {
            look.select_row(buf, area, y);
        }
    }
    first
}

/// One message: its number, what it is, its way, whether it is kept back, and what it has to wait for.
fn one(
    flight: &FlightView,
    (i, kept): (usize, bool),
    names: &Names,
    look: &Look,
    area: Rect,
    y: u16,
    buf: &mut Buffer,
) {
    let room = usize::from(area.width);
    let label = flight.label.show(names);
    let (from, to) = (names.get(flight.id.from), names.get(flight.id.to));
    let number = if i < 9 { format!("{} ", i + 1) } else { "  ".to_owned() };
    let behind = flight.behind.map(|id| format!(" behind {}", id.no));
    // A word, so that it is seen without colour too.
    let wait = match (kept, behind) {
        (true, behind) => Some(format!(" kept{}", behind.unwrap_or_default())),
        (false, behind) => behind,
    };
    let way = format!("{from}{}{to}", look.glyphs.right);
    let name = flight.id.no.to_string();
    let carried = flight.label.carried(names).map_or(String::new(), |c| format!("  {c}"));
    let long = format!("{label} {name}  {way}");
    let short = format!("{label} {way} {name}");
    let needed = |text: &str| width(text) + 2 + wait.as_ref().map_or(0, |w| width(w));
    let text = match (needed(&long) <= room, wait.is_some()) {
        (true, _) => long,
        (_, false) if needed(&short) <= room => short,
        (_, true) if needed(&short) <= room => short,
        _ => format!("{label} {way}"),
    } + carried.as_str();
    let waits = wait.is_some();
    let role = match (waits, flight.line) {
        (true, _) => Role::Dim,
        (_, Line::Request) => Role::Request,
        (_, Line::Reply) => Role::Reply,
    };
    let key_role = if flight.behind.is_some() { Role::Dim } else { Role::Key };
    let x = look.put(buf, area, 0, y, &number, key_role);
    let left = room.saturating_sub(usize::from(x) + wait.as_ref().map_or(0, |w| width(w)));
    let x = look.put(buf, area, x, y, &clip(&text, left, look.glyphs.ellipsis), role);
    if let Some(wait) = wait {
        look.put(buf, area, x, y, &wait, Role::Warn);
    }
}
