//! The nodes table: a row a node, a column a variable, what the last step changed marked.

pub mod storage;

use super::Look;
use super::text::{clip, pad, width};
use crate::model::{Names, NodeId, Phase, Shape, Value};
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
    /// The node that is selected, where one can be.
    pub selected: Option<NodeId>,
}

/// What the signs in the cells mean.
#[must_use]
pub fn legend(look: &Look) -> Vec<(String, &'static str)> {
    let mut all = vec![(
        "P1:g P2:a".to_owned(),
        "where there is no room: a vote is asked for, granted or failed; without names, in their order",
    )];
    all.extend(storage::legend(look));
    all
}

struct Column {
    title: &'static str,
    cell: Option<Cell>,
    cells: Vec<String>,
}

impl Column {
    /// The width of its widest cell.
    fn widest(&self) -> usize {
        self.cells.iter().map(|cell| width(cell)).max().unwrap_or(0)
    }
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

/// The columns that a value of a shape may come to need, in words.
fn widest(shape: &Shape, names: &Names) -> usize {
    let name = || names.iter().map(width).max().unwrap_or(0);
    let others = names.len().saturating_sub(1);
    match shape {
        Shape::Number | Shape::Truth => 3,
        Shape::Word(words) => words.iter().map(|word| width(word)).max().unwrap_or(0),
        Shape::Standing | Shape::Any => 7,
        Shape::Node => name(),
        Shape::Stamp => name() + 5,
        Shape::Set => (others * (name() + 1)).saturating_sub(1),
        Shape::Queue(one) => (names.len() * (widest(one, names) + 1)).saturating_sub(1),
        Shape::Each(one) => others * (name() + widest(one, names) + 3),
        Shape::Maybe(one) => widest(one, names),
        Shape::Option(_, on, off) => widest(on, names).max(widest(off, names)),
    }
}

/// How much a table says where there is little room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Brevity {
    votes: Votes,
    /// Columns between two columns.
    gap: usize,
}

/// How a word that stands beside each of some nodes is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Votes {
    /// `P1:granted P2:asked`.
    Words,
    /// `P1:g P2:a`.
    Letters,
    /// `g a`, in the order of the nodes.
    Bare,
}

impl Brevity {
    /// What is tried, the longest first.
    const ALL: [Self; 4] = [
        Self { votes: Votes::Words, gap: 2 },
        Self { votes: Votes::Letters, gap: 2 },
        Self { votes: Votes::Bare, gap: 2 },
        Self { votes: Votes::Bare, gap: 1 },
    ];
}

/// A cell's text.
fn shown(value: &Value, names: &Names, look: &Look, votes: Votes) -> String {
    let (yes, no) = (look.glyphs.yes, look.glyphs.no);
    let whole = || value.show(names, yes, no);
    let Value::PerNode(items) = value.plain() else { return whole() };
    let one = |(node, value, _): &(NodeId, Value, Option<bool>)| {
        let Value::Word(word) = value else { return None };
        let letter: String = word.chars().take(1).collect();
        Some(match votes {
            Votes::Bare => letter,
            Votes::Words | Votes::Letters => format!("{}:{letter}", names.get(*node)),
        })
    };
    match items.iter().map(one).collect::<Option<Vec<String>>>() {
        Some(letters) if votes != Votes::Words && !letters.is_empty() => letters.join(" "),
        _ => whole(),
    }
}

impl Table<'_> {
    /// The columns of a screen that the table may come to need in this cluster, so that it can keep its place.
    #[must_use]
    pub fn columns_to_come<'f>(&self, fields: impl Iterator<Item = (&'f str, Shape)>) -> usize {
        // The storage's row is a text, which takes what it finds.
        if self.view.storage.is_some() {
            return usize::from(u16::MAX);
        }
        let clock = usize::from(self.view.nodes.iter().any(|n| n.clock.is_some())) * 7;
        let named = self.names.iter().map(width).max().unwrap_or(0);
        // What was changed has a mark behind it.
        let one =
            |(name, shape): (&str, Shape)| width(name).max(widest(&shape, self.names) + 1) + 2;
        named + 10 + clock + fields.map(one).sum::<usize>()
    }

    /// The columns, as much of them as there is room for, and the gap between them.
    fn columns(&self, look: &Look, room: usize) -> (Vec<Column>, usize) {
        let all = Brevity::ALL.map(|b| (self.columns_as(look, b.votes), b.gap));
        let needed = |columns: &[Column], gap: usize| -> usize {
            columns.iter().map(|c| c.widest().max(width(c.title).min(4)) + gap).sum()
        };
        let last = Brevity::ALL.len() - 1;
        let fits = all.iter().position(|(columns, gap)| needed(columns, *gap) <= room);
        all.into_iter().nth(fits.unwrap_or(last)).expect("one of those that were tried")
    }

    fn columns_as(&self, look: &Look, votes: Votes) -> Vec<Column> {
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
                value.map_or(String::new(), |v| shown(v, self.names, look, votes))
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

    /// Widths of the columns: as wide as their contents. Where there is no room, titles are cut before
    /// what stands below them, and the widest first.
    fn widths(columns: &[Column], gap: usize, room: usize) -> Vec<usize> {
        let natural = |c: &Column| c.widest().max(width(c.title)).max(2);
        let mut widths: Vec<usize> = columns.iter().map(natural).collect();
        let gaps = gap * widths.len() + 2 - gap.min(2);
        while widths.iter().sum::<usize>() + gaps > room {
            // Names, states and clocks are short and never cut.
            let fields =
                (0..widths.len()).filter(|i| matches!(columns[*i].cell, Some(Cell::Field(_))));
            let longer = |i: &usize| widths[*i] > columns[*i].widest().max(3);
            let titles = fields.clone().filter(longer).max_by_key(|i| widths[*i]);
            let Some(widest) = titles.or_else(|| fields.max_by_key(|i| widths[*i])) else { break };
            if widths[widest] <= 3 {
                break;
            }
            widths[widest] -= 1;
        }
        widths
    }

    /// Whether the title of a column is cut in so much room.
    #[must_use]
    pub fn cuts_titles(&self, look: &Look, room: usize) -> bool {
        let (columns, gap) = self.columns(look, room);
        let widths = Self::widths(&columns, gap, room);
        columns.iter().zip(widths).any(|(column, given)| width(column.title) > given)
    }

    /// The first row shown, so that the selected node is among them.
    fn first_row(&self, rows: usize) -> usize {
        self.selected.map_or(0, |node| (node.index() + 1).saturating_sub(rows))
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
        let room = usize::from(area.width);
        let (columns, gap) = self.columns(look, room);
        let widths = Self::widths(&columns, gap, room);
        let rows = usize::from(area.height.saturating_sub(1));
        let first = self.first_row(rows);
        let mut x = 2;
        for (column, w) in columns.iter().zip(&widths) {
            if !column.title.is_empty() {
                let title = clip(column.title, *w, look.glyphs.ellipsis);
                look.put(buf, area, x - 1, 0, &format!(" {title} "), Role::Heading);
            }
            x += (*w + gap) as u16;
        }
        self.hidden_nodes(rows, x, look, area, buf);
        for (y, node) in self.view.nodes.iter().enumerate().skip(first).take(rows) {
            let row = (y - first + 1) as u16;
            let mut x = 2;
            if self.selected == Some(node.id) {
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
                x += (*w + gap) as u16;
            }
            if let Some(storage) = storage {
                let columns = usize::from(area.width.saturating_sub(x));
                for (text, role) in storage::row(storage, self.names, look, columns) {
                    x = look.put(buf, area, x, row, &text, role);
                }
            }
        }
    }

    /// Says among the titles how many nodes are not shown: behind the last title, which ends at `end`, or
    /// where there is no room in front of the first.
    fn hidden_nodes(&self, rows: usize, end: u16, look: &Look, area: Rect, buf: &mut Buffer) {
        let hidden = self.view.nodes.len().saturating_sub(rows);
        if hidden == 0 {
            return;
        }
        let more = format!(" {hidden} more: Tab, z ");
        match area.width.checked_sub(width(&more) as u16) {
            Some(x) if x >= end => look.put(buf, area, x, 0, &more, Role::Dim),
            _ => {
                look.put(buf, area, 0, 0, &format!("{}{hidden} ", look.glyphs.more_down), Role::Dim)
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Lab;
    use crate::model::Config;
    use crate::ui::color::ColorUse;
    use crate::ui::theme::{Glyphs, Theme, ThemeName};

    fn drawn(columns: u16) -> String {
        drawn_in(columns, 5)
    }

    fn drawn_in(columns: u16, rows: u16) -> String {
        let mut lab = Lab::new(Config::new("maekawa", 4)).expect("default settings");
        lab.play_schedule("request P1; request P2; deliver P1>P3; deliver P3>P1").expect("votes");
        let theme = Theme::new(ThemeName::None, ColorUse::Off, None);
        let look = Look { theme, glyphs: Glyphs::ASCII };
        let area = Rect::new(0, 0, columns, rows);
        let mut buf = Buffer::empty(area);
        let view = lab.state().view();
        let changes = Changes::default();
        let names = &lab.setup().names;
        Table { view: &view, changes: &changes, names, selected: Some(NodeId(0)) }
            .draw(&look, area, &mut buf);
        let row = |y| (0..columns).map(|x| buf[(x, y)].symbol().to_owned()).collect::<String>();
        (0..rows).map(|y| row(y) + "\n").collect()
    }

    #[test]
    fn votes_are_words_where_they_fit_and_letters_where_they_do_not() {
        let wide = drawn(120);
        assert!(wide.contains("P1:granted+ P2:askedx P3:granted+"), "{wide}");
        let narrow = drawn(76);
        assert!(narrow.contains("P1:g P2:a P3:g"), "{narrow}");
        let tight = drawn(63);
        assert!(tight.contains(" g a g "), "{tight}");
    }

    #[test]
    fn the_number_of_hidden_nodes_stands_over_no_title() {
        for (columns, mark) in [(63, "v2"), (150, " 2 more: Tab, z ")] {
            let text = drawn_in(columns, 3);
            let titles = text.lines().next().expect("titles");
            assert!(titles.contains(mark), "{text}");
            for title in ["state", "set", "votes", "inqu"] {
                assert!(titles.contains(title), "{title}:\n{text}");
            }
        }
    }

    #[test]
    fn a_title_is_cut_before_what_stands_below_it() {
        for columns in [63, 72, 76] {
            let text = drawn(columns);
            let row = text.lines().nth(1).expect("the first node");
            assert!(!row.contains('~'), "{text}");
            assert!(row.contains("P1 P2 P3") && row.contains("(1,P1)"), "{text}");
        }
    }
}
