//! What a learner has put together while a question is open: marks, an order of cards, cells.
//!
//! Keys in, an answer as text out; nothing here knows what is right.

use super::cells::Cells;
use super::command::edit;
use crate::lesson::question::Pick;
use crate::ui::keymap::Key;
use tui_input::Input;

/// An answer that is being put together.
#[derive(Debug)]
pub(super) enum Means {
    /// One of several; the cursor alone says which.
    One,
    /// Any of several: which are marked.
    Many(Vec<bool>),
    /// Cards in an order.
    Cards(Cards),
    /// One line.
    Line(Input),
    /// A value for each cell of a table.
    Cells(Cells),
}

/// Cards, by their places among the picks.
#[derive(Debug)]
pub(super) struct Cards {
    /// All of them: first those in order, then those left out.
    pub(super) row: Vec<usize>,
    /// How many are in order.
    pub(super) used: usize,
    /// Whether the arrows move the card under the cursor.
    pub(super) held: bool,
    /// How many were put in place by their numbers.
    numbered: usize,
    /// Whether they still lie as they were dealt.
    untouched: bool,
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

impl Cards {
    pub(super) fn of(count: usize) -> Self {
        Self { row: (0..count).collect(), used: count, held: false, numbered: 0, untouched: true }
    }

    /// Moves the cursor, and the card with it if it is held.
    fn go(&mut self, at: usize, by: isize) -> usize {
        let last = if self.held { self.used } else { self.row.len() }.saturating_sub(1);
        let next = at.saturating_add_signed(by).min(last);
        if self.held {
            self.untouched = false;
            self.row.swap(at, next);
        }
        next
    }

    /// Leaves the card out, or takes it in again.
    fn leave_out(&mut self, at: usize) -> usize {
        (self.held, self.untouched) = (false, false);
        let card = self.row.remove(at);
        if at < self.used {
            self.row.push(card);
            self.used -= 1;
            self.numbered -= usize::from(at < self.numbered);
            at.min(self.row.len() - 1)
        } else {
            self.row.insert(self.used, card);
            self.used += 1;
            self.used - 1
        }
    }

    /// The card with this number comes next in the order that is typed. Gives its place.
    fn number(&mut self, card: usize) -> Option<usize> {
        let from = self.row.iter().position(|c| *c == card)?;
        if from < self.numbered {
            return None;
        }
        (self.held, self.untouched) = (false, false);
        let card = self.row.remove(from);
        self.used += usize::from(from >= self.used);
        self.row.insert(self.numbered, card);
        self.numbered += 1;
        Some(self.numbered - 1)
    }

    fn draft(&self, picks: &[Pick]) -> Option<String> {
        let (used, out) = self.row.split_at(self.used);
        (!self.untouched).then(|| format!("{} | {}", ids(picks, used), ids(picks, out)))
    }

    /// Cards that are not named are left out.
    fn restore(&mut self, text: &str, picks: &[Pick]) {
        let (used, out) = text.split_once('|').unwrap_or((text, ""));
        let used = named(picks, used);
        let mut row = used.clone();
        row.extend(named(picks, out));
        row.extend(0..picks.len());
        let mut seen = vec![false; picks.len()];
        row.retain(|card| !std::mem::replace(&mut seen[*card], true));
        (self.row, self.used, self.untouched) = (row, used.len(), false);
    }
}

/// Picks by their ids, as one text.
fn ids(picks: &[Pick], places: &[usize]) -> String {
    let id = |place: &usize| picks.get(*place).map_or("", |pick| pick.id.as_str());
    places.iter().map(id).collect::<Vec<_>>().join(", ")
}

/// The picks of such a text, each once.
fn named(picks: &[Pick], text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    for id in text.split(',').map(str::trim) {
        let place = picks.iter().position(|pick| pick.id == id);
        places.extend(place.filter(|place| !places.contains(place)));
    }
    places
}

impl Means {
    /// What is typed now, where something is.
    pub(super) fn field(&mut self, at: usize) -> Option<&mut Input> {
        match self {
            Self::Line(field) => Some(field),
            Self::Cells(cells) => cells.fields.get_mut(at),
            Self::One | Self::Many(_) | Self::Cards(_) => None,
        }
    }

    /// Whether characters are typed into it.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Line(_) | Self::Cells(_))
    }

    /// A key; `at` is the cursor, and `count` how many picks there are. Says where the cursor is now;
    /// `None`: the key means nothing here.
    pub(super) fn key(&mut self, key: Key, at: usize, count: usize) -> Option<usize> {
        let last = count.saturating_sub(1);
        let step = |by: isize| Some(at.saturating_add_signed(by).min(last));
        match (self, key) {
            (Self::One | Self::Many(_), Key::Up) => step(-1),
            (Self::One | Self::Many(_), Key::Down) => step(1),
            (Self::Many(marks), Key::Char(' ')) => {
                marks[at] = !marks[at];
                Some(at)
            }
            (Self::Cards(cards), Key::Up) => Some(cards.go(at, -1)),
            (Self::Cards(cards), Key::Down) => Some(cards.go(at, 1)),
            (Self::Cards(cards), Key::Char(' ')) => {
                cards.held = at < cards.used && !cards.held;
                Some(at)
            }
            (Self::Cards(cards), Key::Char('x') | Key::Delete) => Some(cards.leave_out(at)),
            (Self::Cells(cells), key) => Some(cells.key(key, at)),
            (Self::Line(field), key) => {
                edit(field, key);
                Some(at)
            }
            _ => None,
        }
    }

    /// A pick was named by its number or letter: it is chosen, marked, or put in place. Gives the cursor.
    pub(super) fn name(&mut self, place: usize) -> Option<usize> {
        match self {
            Self::One => Some(place),
            Self::Many(marks) => {
                marks[place] = !marks[place];
                Some(place)
            }
            Self::Cards(cards) => cards.number(place),
            Self::Line(_) | Self::Cells(_) => None,
        }
    }

    /// What Enter means while the cursor is there.
    pub(super) fn enter(&self, at: usize) -> Entered {
        match self {
            Self::Cells(cells) => cells.enter(at),
            Self::One | Self::Many(_) | Self::Cards(_) | Self::Line(_) => Entered::HandIn,
        }
    }

    /// The answer as text.
    pub(super) fn answer(&self, at: usize, picks: &[Pick]) -> String {
        match self {
            Self::One => ids(picks, &[at]),
            Self::Many(marks) => {
                let marked: Vec<usize> = (0..marks.len()).filter(|place| marks[*place]).collect();
                ids(picks, &marked)
            }
            Self::Cards(cards) => ids(picks, &cards.row[..cards.used]),
            Self::Line(field) => field.value().to_owned(),
            Self::Cells(cells) => cells.answer(),
        }
    }

    /// What is there to be kept; `restore` takes it, and an answer as well.
    pub(super) fn draft(&self, picks: &[Pick]) -> Option<String> {
        match self {
            Self::One => None,
            Self::Cards(cards) => cards.draft(picks),
            Self::Cells(cells) => cells.draft(),
            Self::Many(_) | Self::Line(_) => Some(self.answer(0, picks)),
        }
    }

    /// Puts together again what was kept, as far as it still fits.
    pub(super) fn restore(&mut self, text: &str, picks: &[Pick]) {
        match self {
            Self::One => {}
            Self::Many(marks) => {
                named(picks, text).into_iter().for_each(|place| marks[place] = true)
            }
            Self::Cards(cards) => cards.restore(text, picks),
            // What was written in several lines goes on in one.
            Self::Line(field) => *field = Input::new(text.replace('\n', " ")),
            Self::Cells(cells) => cells.restore(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks() -> Vec<Pick> {
        ["w", "x", "y", "z"].map(|id| Pick { id: id.to_owned(), text: id.to_owned() }).to_vec()
    }

    fn cards(means: &Means) -> &Cards {
        let Means::Cards(cards) = means else { panic!("cards") };
        cards
    }

    #[test]
    fn a_held_card_moves_with_the_cursor_and_one_that_is_left_out_comes_back() {
        let mut means = Means::Cards(Cards::of(3));
        let mut at = 0;
        for key in [Key::Char(' '), Key::Down, Key::Down, Key::Down, Key::Char(' '), Key::Up] {
            at = means.key(key, at, 3).expect("a key of cards");
        }
        assert_eq!((cards(&means).row.as_slice(), at), (&[1, 2, 0][..], 1));
        at = means.key(Key::Char('x'), at, 3).expect("a key of cards");
        assert_eq!((cards(&means).row.as_slice(), cards(&means).used, at), (&[1, 0, 2][..], 2, 1));
        at = means.key(Key::Char('x'), 2, 3).expect("a key of cards");
        assert_eq!((cards(&means).row.as_slice(), cards(&means).used, at), (&[1, 0, 2][..], 3, 2));
    }

    #[test]
    fn numbers_typed_one_after_the_other_are_an_order() {
        let mut means = Means::Cards(Cards::of(4));
        assert_eq!([3, 1, 0, 2].map(|card| means.name(card)), [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(cards(&means).row, [3, 1, 0, 2]);
        assert_eq!(means.name(1), None, "it has its place already");
    }

    #[test]
    fn what_was_put_together_is_restored_from_its_draft() {
        let mut means = Means::Cards(Cards::of(4));
        assert_eq!(means.draft(&picks()), None, "nothing was done");
        for card in [2, 0] {
            means.name(card);
        }
        means.key(Key::Char('x'), 2, 4);
        let draft = means.draft(&picks()).expect("something was done");
        assert_eq!(draft, "y, w, z | x");
        let mut again = Means::Cards(Cards::of(4));
        again.restore(&draft, &picks());
        assert_eq!((cards(&again).row.as_slice(), cards(&again).used), (&[2, 0, 3, 1][..], 3));
        again.restore("x, nobody, x, w", &picks());
        assert_eq!((cards(&again).row.as_slice(), cards(&again).used), (&[1, 0, 2, 3][..], 2));
        let mut many = Means::Many(vec![false; 4]);
        many.restore("z, x", &picks());
        assert_eq!(many.draft(&picks()).as_deref(), Some("x, z"));
        let mut line = Means::Line(Input::default());
        line.restore("2(n-1)", &[]);
        assert_eq!(line.draft(&[]).as_deref(), Some("2(n-1)"));
    }
}
