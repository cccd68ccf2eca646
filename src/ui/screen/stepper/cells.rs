//! A table that is filled in: a row for each node, a column for each field.
//!
//! It moves the cursor and holds what was typed; what a cell may hold is the question's business.

use super::command::edit;
use super::means::Entered;
use crate::input::folded;
use crate::ui::keymap::Key;
use tui_input::Input;

/// Cells, in the order in which they are asked for.
#[derive(Debug)]
pub(super) struct Cells {
    /// What is asked for: a node and a field.
    pub(super) labels: Vec<String>,
    /// What was typed.
    pub(super) fields: Vec<Input>,
    /// The nodes, top to bottom.
    pub(super) rows: Vec<String>,
    /// The fields, left to right.
    pub(super) columns: Vec<String>,
    /// The row and the column of each cell.
    places: Vec<(usize, usize)>,
}

/// The place of a text in a list that grows.
fn place_in(list: &mut Vec<String>, text: &str) -> usize {
    list.iter().position(|known| known == text).unwrap_or_else(|| {
        list.push(text.to_owned());
        list.len() - 1
    })
}

impl Cells {
    pub(super) fn of(labels: &[String]) -> Self {
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        let mut place = |label: &String| {
            let (node, field) = label.split_once(' ').unwrap_or((label, ""));
            (place_in(&mut rows, node), place_in(&mut columns, field))
        };
        let places = labels.iter().map(&mut place).collect();
        let fields = labels.iter().map(|_| Input::default()).collect();
        Self { labels: labels.to_vec(), fields, rows, columns, places }
    }

    /// The cell of a row and a column; not every one is asked for.
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<usize> {
        self.places.iter().position(|place| *place == (row, column))
    }

    /// The row and the column of a cell.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        self.places.get(at).copied().unwrap_or_default()
    }

    fn up_or_down(&self, at: usize, down: bool) -> usize {
        let (row, column) = self.place(at);
        let next = |row: usize| self.cell(row, column);
        let found = if down {
            (row + 1..self.rows.len()).find_map(next)
        } else {
            (0..row).rev().find_map(next)
        };
        found.unwrap_or(at)
    }

    /// A key. Gives the cell in which the cursor is now.
    pub(super) fn key(&mut self, key: Key, at: usize) -> usize {
        let count = self.fields.len().max(1);
        let Some(field) = self.fields.get_mut(at) else { return 0 };
        let (cursor, length) = (field.cursor(), field.value().chars().count());
        match key {
            Key::Up => self.up_or_down(at, false),
            Key::Down => self.up_or_down(at, true),
            Key::Tab => (at + 1) % count,
            Key::BackTab => (at + count - 1) % count,
            Key::Left if cursor == 0 => at.saturating_sub(1),
            Key::Right if cursor == length => (at + 1).min(count - 1),
            key => {
                edit(field, key);
                at
            }
        }
    }

    /// Enter goes through the cells that are still empty, and hands in once none is.
    pub(super) fn enter(&self, at: usize) -> Entered {
        let empty = |i: &usize| self.fields[*i].value().trim().is_empty();
        let next = (at + 1..self.fields.len()).chain(0..at).find(empty);
        match next {
            Some(next) => Entered::Go(next),
            None if at < self.fields.len() && empty(&at) => Entered::Missing(format!(
                "{} is empty; where a node holds nothing, write none.",
                self.labels[at]
            )),
            None => Entered::HandIn,
        }
    }

    /// The answer as text.
    pub(super) fn answer(&self) -> String {
        // What ends a row elsewhere only parts values inside a cell.
        let value = |field: &Input| folded(field.value()).replace([';', '\n'], ",");
        let one = |(label, field): (&String, &Input)| format!("{label}={}", value(field));
        self.labels.iter().zip(&self.fields).map(one).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn draft(&self) -> Option<String> {
        self.fields.iter().any(|field| !field.value().is_empty()).then(|| self.answer())
    }

    pub(super) fn restore(&mut self, text: &str) {
        for piece in text.split(['\n', ';']).map(str::trim) {
            for (label, field) in self.labels.iter().zip(&mut self.fields) {
                let value = piece.strip_prefix(label.as_str()).and_then(|p| p.strip_prefix('='));
                if let Some(value) = value {
                    *field = Input::new(value.to_owned());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Cells {
        Cells::of(&["P1 clock", "P1 queue", "P2 clock", "P3 queue"].map(str::to_owned))
    }

    fn fill(cells: &mut Cells, at: usize, text: &str) {
        for c in text.chars() {
            cells.key(Key::Char(c), at);
        }
    }

    #[test]
    fn enter_goes_through_the_empty_cells_and_then_hands_in() {
        let mut cells = table();
        fill(&mut cells, 1, "none");
        assert_eq!(cells.enter(1), Entered::Go(2));
        fill(&mut cells, 2, "4");
        fill(&mut cells, 3, "P1");
        assert_eq!(cells.enter(3), Entered::Go(0));
        assert!(matches!(cells.enter(0), Entered::Missing(why) if why.starts_with("P1 clock ")));
        fill(&mut cells, 0, "5");
        assert_eq!(cells.enter(1), Entered::HandIn);
    }

    #[test]
    fn arrows_go_by_rows_and_columns_and_leave_a_cell_only_at_its_ends() {
        let mut cells = table();
        assert_eq!(cells.key(Key::Down, 0), 2);
        assert_eq!(cells.key(Key::Down, 1), 3, "P2 has no such cell");
        assert_eq!((cells.key(Key::Down, 2), cells.key(Key::Up, 0)), (2, 0));
        assert_eq!((cells.key(Key::Right, 0), cells.key(Key::Left, 1)), (1, 0));
        fill(&mut cells, 0, "15");
        assert_eq!((cells.key(Key::Left, 0), cells.fields[0].cursor()), (0, 1));
        assert_eq!((cells.key(Key::Tab, 3), cells.key(Key::BackTab, 0)), (0, 3));
    }

    #[test]
    fn a_table_is_restored_from_its_draft_and_from_an_answer() {
        let mut cells = table();
        assert_eq!(cells.draft(), None);
        fill(&mut cells, 3, "(3,P2), (5,P1)");
        let draft = cells.draft().expect("something was typed");
        let mut again = table();
        again.restore(&draft);
        assert_eq!(again.answer(), cells.answer());
        again.restore("P1 clock=5; P9 clock=7; P2 clock=none");
        let values: Vec<&str> = again.fields.iter().map(Input::value).collect();
        assert_eq!(values, ["5", "", "none", "(3,P2), (5,P1)"]);
    }
}
