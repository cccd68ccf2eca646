//! The nodes table: a row a node, a column a variable, what the last step changed marked.

pub mod storage;

use super::Look;
use super::text::{clip, pad, width};
use crate::model::{Names, NodeId, Phase};
use crate::sim::{ClusterView, NodeView};
use crate::trace::{Cell, Changes};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// What the table shows.
#[derive(Debug)]
pub struct Table<'a> {
    /// The cluster.
    pub view: &'a ClusterView,
    /// What the last step changed.
    pub changes: &'a Changes,
    /// The nodes' names.
    pub names: &'a Names,
    /// The node that is selected.
    pub selected: NodeId,
}

/// What the signs in the cells mean.
#[must_use]
pub fn legend(look: &Look) -> Vec<(String, &'static str)> {
    storage::legend(look)
}

struct Column {
    title: &'static str,
    cell: Option<Cell>,
    cells: Vec<String>,
}

fn state_word(node: &NodeView, view: &ClusterView) -> &'static str {
    let storage = view.storage.as_ref().filter(|s| s.node == node.id);
    match (node.crashed, node.client, node.phase) {
        (true, _, _) => "CRASHED",
        (_, false, _) if storage.is_some() => storage.map_or("", |s| s.rule.word()),
        (_, false, _) => "helper",
        (_, _, Phase::Idle) => "idle",
        (_, _, Phase::Waiting) => "WAIT",
        (_, _, Phase::InCs) => "IN CS",
    }
}

fn state_role(node: &NodeView) -> Role {
    match (node.crashed, node.client, node.phase) {
        (true, _, _) => Role::Crashed,
        (_, true, Phase::Waiting) => Role::Waiting,
        (_, true, Phase::InCs) => Role::Cs,
        _ => Role::Text,
    }
}

impl Table<'_> {
    fn columns(&self, look: &Look) -> Vec<Column> {
        let nodes = &self.view.nodes;
        let cells = |f: &dyn Fn(&NodeView) -> String| nodes.iter().map(f).collect::<Vec<_>>();
        let mut columns = vec![
            Column { title: "", cell: None, cells: cells(&|n| n.name.clone()) },
            Column {
                title: "state",
                cell: Some(Cell::State),
                cells: cells(&|n| state_word(n, self.view).to_owned()),
            },
        ];
        if nodes.iter().any(|n| n.clock.is_some()) {
            let clock = |n: &NodeView| n.clock.map_or(String::new(), |c| c.to_string());
            columns.push(Column { title: "clock", cell: Some(Cell::Clock), cells: cells(&clock) });
        }
        let mut titles: Vec<&'static str> = Vec::new();
        for (name, _) in nodes.iter().flat_map(|n| &n.fields.0) {
            if !titles.contains(name) {
                titles.push(name);
            }
        }
        for title in titles {
            let show = |n: &NodeView| {
                let value = n.fields.get(title);
                value.map_or(String::new(), |v| v.show(self.names, look.glyphs.yes, look.glyphs.no))
            };
            columns.push(Column { title, cell: Some(Cell::Field(title)), cells: cells(&show) });
        }
        for column in &mut columns {
            let Some(cell) = column.cell else { continue };
            for (node, text) in nodes.iter().zip(&mut column.cells) {
                if self.changed(node.id, cell) {
                    text.push('*');
                }
            }
        }
        columns
    }

    /// Whether the last step changed a cell. The storage's row is marked at its state.
    fn changed(&self, node: NodeId, cell: Cell) -> bool {
        let stored = cell == Cell::State && self.changes.contains(node, Cell::Storage);
        stored || self.changes.contains(node, cell)
    }

    /// Widths of the columns: as wide as their contents, the widest cut first when there is no room.
    fn widths(columns: &[Column], room: usize) -> Vec<usize> {
        let natural = |c: &Column| {
            let cells = c.cells.iter().map(|t| width(t)).max().unwrap_or(0);
            cells.max(width(c.title)).max(2)
        };
        let mut widths: Vec<usize> = columns.iter().map(natural).collect();
        let gaps = 2 * widths.len();
        while widths.iter().sum::<usize>() + gaps > room {
            // Names, states and clocks are short and never cut.
            let fields =
                (0..widths.len()).filter(|i| matches!(columns[*i].cell, Some(Cell::Field(_))));
            let Some(widest) = fields.max_by_key(|i| widths[*i]) else { break };
            if widths[widest] <= 3 {
                break;
            }
            widths[widest] -= 1;
        }
        widths
    }

    /// The first row shown, so that the selected node is among them.
    fn first_row(&self, rows: usize) -> usize {
        (self.selected.index() + 1).saturating_sub(rows)
    }

    /// Draws the table: a row of titles, then the nodes.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        self.draw_under(look, area, " ", buf);
    }

    /// Draws the table with its titles on a rule.
    pub fn draw_ruled(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        self.draw_under(look, area, look.glyphs.horizontal, buf);
    }

    fn draw_under(&self, look: &Look, area: Rect, fill: &str, buf: &mut Buffer) {
        look.put(buf, area, 0, 0, &fill.repeat(usize::from(area.width)), Role::Border);
        let columns = self.columns(look);
        let widths = Self::widths(&columns, usize::from(area.width));
        let rows = usize::from(area.height.saturating_sub(1));
        let first = self.first_row(rows);
        let mut x = 2;
        for (column, w) in columns.iter().zip(&widths) {
            if !column.title.is_empty() {
                let title = clip(column.title, *w, look.glyphs.ellipsis);
                look.put(buf, area, x - 1, 0, &format!(" {title} "), Role::Heading);
            }
            x += *w as u16 + 2;
        }
        for (y, node) in self.view.nodes.iter().enumerate().skip(first).take(rows) {
            let row = (y - first + 1) as u16;
            let mut x = 2;
            if node.id == self.selected {
                look.put(buf, area, 0, row, look.glyphs.cursor, Role::Accent);
            }
            let storage = self.view.storage.as_ref().filter(|s| s.node == node.id);
            for (column, w) in columns.iter().zip(&widths) {
                let own = matches!(column.cell, None | Some(Cell::State));
                if storage.is_some() && !own {
                    continue;
                }
                let changed = column.cell.is_some_and(|c| self.changed(node.id, c));
                let role = match column.cell {
                    _ if changed => Role::Changed,
                    Some(Cell::State) => state_role(node),
                    None => Role::Heading,
                    _ => Role::Text,
                };
                let text = pad(&clip(&look.text(&column.cells[y]), *w, look.glyphs.ellipsis), *w);
                look.put(buf, area, x, row, &text, role);
                x += *w as u16 + 2;
            }
            if let Some(storage) = storage {
                let columns = usize::from(area.width.saturating_sub(x));
                for (text, role) in storage::row(storage, self.names, look, columns) {
                    x = look.put(buf, area, x, row, &text, role);
                }
            }
        }
        let hidden = self.view.nodes.len().saturating_sub(rows);
        if hidden > 0 {
            let more = format!(" {hidden} more: Tab, z ");
            let x = area.width.saturating_sub(width(&more) as u16);
            look.put(buf, area, x, 0, &more, Role::Dim);
        }
    }
}
