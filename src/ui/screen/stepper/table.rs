//! Where the cells of a table stand: a row for each node, a column for each field.
//!
//! It moves the cursor; what a cell holds is the session's, and what it may hold the question's business.

use crate::session::Cells;

/// Rows and columns of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table {
    /// The nodes, top to bottom.
    pub(super) rows: Vec<String>,
    /// The fields, left to right.
    pub(super) columns: Vec<String>,
    /// The row and the column of each cell.
    places: Vec<(usize, usize)>,
}

/// What Enter means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Entered {
    /// The cursor goes on to this cell.
    Go(usize),
    /// Something is missing yet.
    Missing(String),
    /// The answer is handed in.
    HandIn,
}

/// The place of a text in a list that grows.
fn place_in(list: &mut Vec<String>, text: &str) -> usize {
    list.iter().position(|known| known == text).unwrap_or_else(|| {
        list.push(text.to_owned());
        list.len() - 1
    })
}

impl Table {
    pub(super) fn of(cells: &Cells) -> Self {
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        let mut place = |label: &String| {
            let (node, field) = label.split_once(' ').unwrap_or((label, ""));
            (place_in(&mut rows, node), place_in(&mut columns, field))
        };
        let places = cells.labels().iter().map(&mut place).collect();
        Self { rows, columns, places }
    }

    /// The cell of a row and a column; not every one is asked for.
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<usize> {
        self.places.iter().position(|place| *place == (row, column))
    }

    /// The row and the column of a cell.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        self.places.get(at).copied().unwrap_or_default()
    }

    /// The next cell of the same column, above or below.
    pub(super) fn beside(&self, at: usize, down: bool) -> usize {
        let (row, column) = self.place(at);
        let next = |row: usize| self.cell(row, column);
        let found = if down {
            (row + 1..self.rows.len()).find_map(next)
        } else {
            (0..row).rev().find_map(next)
        };
        found.unwrap_or(at)
    }
}

/// Enter goes through the cells that are still empty, and hands in once none is.
pub(super) fn enter(cells: &Cells, at: usize) -> Entered {
    let next = (at + 1..cells.labels().len()).chain(0..at).find(|i| cells.is_empty(*i));
    match (next, cells.labels().get(at)) {
        (Some(next), _) => Entered::Go(next),
        (None, Some(label)) if cells.is_empty(at) => {
            Entered::Missing(format!("{label} is empty; where a node holds nothing, write none."))
        }
        (None, _) => Entered::HandIn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::AnswerDraft;

    fn cells(values: [&str; 4]) -> Cells {
        let labels = ["P1 clock", "P1 queue", "P2 clock", "P3 queue"].map(str::to_owned);
        let mut draft = AnswerDraft::Cells(Cells::of(&labels));
        values.iter().enumerate().for_each(|(i, value)| draft.write(i, value));
        let AnswerDraft::Cells(cells) = draft else { unreachable!("it is a table") };
        cells
    }

    #[test]
    fn enter_goes_through_the_empty_cells_and_then_hands_in() {
        assert_eq!(enter(&cells(["", "none", "", ""]), 1), Entered::Go(2));
        assert_eq!(enter(&cells(["", "none", "4", "P1"]), 3), Entered::Go(0));
        let missing = enter(&cells(["", "none", "4", "P1"]), 0);
        assert!(matches!(missing, Entered::Missing(why) if why.starts_with("P1 clock ")));
        assert_eq!(enter(&cells(["5", "none", "4", "P1"]), 1), Entered::HandIn);
    }

    #[test]
    fn the_cursor_goes_up_and_down_in_its_column() {
        let table = Table::of(&cells([""; 4]));
        assert_eq!(table.beside(0, true), 2);
        assert_eq!(table.beside(1, true), 3, "P2 has no such cell");
        assert_eq!((table.beside(2, true), table.beside(0, false)), (2, 0));
    }
}
