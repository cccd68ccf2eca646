//! How keys put an answer together: the cursor, the text fields, the card that is held.
//!
//! The answer itself is the session's.

use super::line::edit;
use super::table::{Entered, Table, enter};
use crate::session::AnswerDraft;
use crate::ui::keymap::Key;
use tui_input::{Input, InputRequest};

/// What Enter says where nothing is chosen.
pub(super) const CHOOSE_FIRST: &str = "choose first: its letter, or ↑ ↓";

/// The place above or below; without one yet, the last or the first.
fn step(at: Option<usize>, key: Key, count: usize) -> usize {
    match (at, key) {
        (None, Key::Up) => count.saturating_sub(1),
        (None, _) => 0,
        (Some(at), Key::Up) => at.saturating_sub(1),
        (Some(at), _) => (at + 1).min(count.saturating_sub(1)),
    }
}

/// Where somebody stands in the answer to an open question.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// The option, the card, the cell or the word at which the cursor stands.
    pub(super) at: usize,
    /// Whether the arrows move the card under the cursor.
    pub(super) held: bool,
    /// What is typed: a line, or each cell.
    pub(super) fields: Vec<Input>,
    /// Where the cells stand.
    pub(super) table: Option<Table>,
    /// How an answer has to look, after one that could not be read.
    pub(super) form: Option<String>,
    /// The word at which the cursor stands while one is said of an event or decided on, once it was moved.
    pub(super) word_at: Option<usize>,
}

impl Entry {
    pub(super) fn of(draft: &AnswerDraft) -> Self {
        let mut entry = Self::default();
        match draft {
            // What was written in several lines goes on in one.
            AnswerDraft::Line(line) => entry.fields = vec![Input::new(line.replace('\n', " "))],
            AnswerDraft::Cells(cells) => {
                entry.fields = cells.values().iter().cloned().map(Input::new).collect();
                entry.table = Some(Table::of(cells));
            }
            AnswerDraft::Pick(_) | AnswerDraft::Marks(_) | AnswerDraft::Order(_) => {}
            AnswerDraft::Played(_) | AnswerDraft::Decided(_) => {}
        }
        entry
    }

    /// A key; `count` is how many picks there are. Returns whether it means something here.
    pub(super) fn key(&mut self, draft: &mut AnswerDraft, key: Key, count: usize) -> bool {
        match (&mut *draft, key) {
            (AnswerDraft::Pick(pick), Key::Up | Key::Down) => {
                self.at = step(*pick, key, count);
                *pick = Some(self.at);
            }
            (AnswerDraft::Marks(_), Key::Up | Key::Down) => self.step(key, count),
            (AnswerDraft::Marks(marks), Key::Char(' ')) => marks[self.at] = !marks[self.at],
            (AnswerDraft::Order(cards), Key::Up | Key::Down) => {
                let before = self.at;
                self.step(key, if self.held { cards.used() } else { cards.row().len() });
                if self.held {
                    cards.swap(before, self.at);
                }
            }
            (AnswerDraft::Order(cards), Key::Char(' ')) => {
                self.held = self.at < cards.used() && !self.held;
            }
            (AnswerDraft::Order(cards), Key::Char('x') | Key::Delete) => {
                self.held = false;
                self.at = cards.leave_out(self.at);
            }
            (AnswerDraft::Cells(_), key) => {
                self.at = self.cell_key(key);
                self.write(draft);
            }
            (AnswerDraft::Line(_), key) => {
                self.fields.iter_mut().for_each(|field| edit(field, key));
                self.write(draft);
            }
            _ => return false,
        }
        true
    }

    fn step(&mut self, key: Key, count: usize) {
        self.at = step(Some(self.at), key, count);
    }

    /// The cursor goes to another of so many words.
    pub(super) fn step_word(&mut self, key: Key, count: usize) {
        self.word_at = Some(step(self.word_at, key, count));
    }

    /// A key in a table. Returns the cell in which the cursor is now.
    fn cell_key(&mut self, key: Key) -> usize {
        let (at, count) = (self.at, self.fields.len().max(1));
        let (Some(field), Some(table)) = (self.fields.get_mut(at), &self.table) else { return 0 };
        let (cursor, length) = (field.cursor(), field.value().chars().count());
        match key {
            Key::Up | Key::Down => table.beside(at, key == Key::Down),
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

    /// Puts a text in where something is typed. Returns whether something is.
    pub(super) fn paste(&mut self, draft: &mut AnswerDraft, text: &str) -> bool {
        let at = if self.table.is_some() { self.at } else { 0 };
        let Some(field) = self.fields.get_mut(at) else { return false };
        for c in text.chars() {
            field.handle(InputRequest::InsertChar(c));
        }
        self.write(draft);
        true
    }

    fn write(&self, draft: &mut AnswerDraft) {
        for (i, field) in self.fields.iter().enumerate() {
            // A text of several lines that nobody has changed stays as it is.
            let same = matches!(draft, AnswerDraft::Line(line) if line.replace('\n', " ") == field.value());
            if !same {
                draft.write(i, field.value());
            }
        }
    }

    /// A pick was named by its number or letter. Returns whether it has a place for it.
    pub(super) fn name(&mut self, draft: &mut AnswerDraft, place: usize) -> bool {
        self.held = false;
        let now = draft.name(place);
        self.at = now.unwrap_or(self.at);
        now.is_some()
    }

    /// What Enter means.
    pub(super) fn enter(&self, draft: &AnswerDraft) -> Entered {
        match draft {
            AnswerDraft::Cells(cells) => enter(cells, self.at),
            AnswerDraft::Pick(None) => Entered::Missing(CHOOSE_FIRST.to_owned()),
            _ => Entered::HandIn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Cards, Cells};

    #[test]
    fn a_held_card_moves_with_the_cursor() {
        let mut draft = AnswerDraft::Order(Cards::of(3));
        let mut entry = Entry::of(&draft);
        for key in [Key::Char(' '), Key::Down, Key::Down, Key::Down, Key::Char(' '), Key::Up] {
            assert!(entry.key(&mut draft, key, 3), "a key of cards");
        }
        let AnswerDraft::Order(cards) = &draft else { panic!("cards") };
        assert_eq!((cards.row(), entry.at), (&[1, 2, 0][..], 1));
        entry.key(&mut draft, Key::Char('x'), 3);
        let AnswerDraft::Order(cards) = &draft else { panic!("cards") };
        assert_eq!((cards.row(), cards.used(), entry.at), (&[1, 0, 2][..], 2, 1));
    }

    #[test]
    fn the_cursor_leaves_a_cell_only_at_its_ends() {
        let labels = ["P1 clock", "P1 queue", "P2 clock"].map(str::to_owned);
        let mut draft = AnswerDraft::Cells(Cells::of(&labels));
        let mut entry = Entry::of(&draft);
        let mut after = |key: Key| {
            entry.key(&mut draft, key, 0);
            (entry.at, entry.fields[0].cursor())
        };
        assert_eq!(after(Key::Right), (1, 0));
        assert_eq!(after(Key::Left), (0, 0));
        after(Key::Char('1'));
        assert_eq!(after(Key::Char('5')), (0, 2));
        assert_eq!(after(Key::Left), (0, 1));
        assert_eq!((after(Key::BackTab), after(Key::Tab)), ((2, 1), (0, 1)));
        assert!(matches!(&draft, AnswerDraft::Cells(cells) if cells.values()[0] == "15"));
    }
}
