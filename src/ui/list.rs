//! Lists and long texts on every screen: the same keys move in them and look for words, and a number that is
//! typed names one of several.
//!
//! It draws nothing and knows nothing of what the rows mean.

use super::keymap::Key;
use std::cell::{Cell, RefCell};

/// So many rows one key of a page goes on.
const PAGE: usize = 10;

/// What the help says of looking for words, where `n` and `N` are free for it.
pub const SEARCH: (&str, &str) = (
    "/",
    "looks for words; Enter or Esc ends typing, then n goes to the next place, N to the one before",
);

/// Words that are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    words: String,
    typing: bool,
    /// Where one stood when typing began.
    from: usize,
    missing: bool,
}

impl Search {
    /// A key where a screen stands at one of so many rows. Returns the row to stand at; `None`: the key is
    /// not for the search, and ends it.
    fn key(
        &mut self,
        key: Key,
        at: usize,
        count: usize,
        text: &dyn Fn(usize) -> String,
    ) -> Option<usize> {
        match key {
            Key::Enter | Key::Esc if self.typing => {
                self.typing = false;
                if key == Key::Esc || self.missing {
                    self.words.clear();
                }
                return Some(at);
            }
            Key::Backspace if self.typing => {
                self.typing = self.words.pop().is_some();
            }
            Key::Char(c) if self.typing => self.words.push(c),
            Key::Char('/') => {
                *self = Self { typing: true, from: at, ..Self::default() };
                return Some(at);
            }
            Key::Char('n') if self.found() => return Some(self.place(at + 1, 1, count, text, at)),
            Key::Char('N') if self.found() => {
                return Some(self.place(at + count.max(1) - 1, count.max(1) - 1, count, text, at));
            }
            _ if self.typing => return Some(at),
            _ => {
                *self = Self::default();
                return None;
            }
        }
        Some(self.place(self.from, 1, count, text, self.from))
    }

    /// The first row with the words, from one on, `by` so many rows at a time, round the end.
    fn place(
        &mut self,
        from: usize,
        by: usize,
        count: usize,
        text: &dyn Fn(usize) -> String,
        otherwise: usize,
    ) -> usize {
        let folded = |text: &str| crate::input::folded(text).to_lowercase();
        let wanted = folded(&self.words);
        let mut rows = (0..count).map(|i| (from + i * by) % count);
        let found = rows.find(|row| folded(&text(*row)).contains(&wanted));
        self.missing = found.is_none();
        found.unwrap_or(otherwise)
    }

    /// Whether there is something to go on to.
    #[must_use]
    pub fn found(&self) -> bool {
        !self.words.is_empty() && !self.typing
    }

    /// Whether letters go into the words.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.typing
    }

    /// What the footer says while something is looked for.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let words = &self.words;
        match (self.typing, self.missing) {
            (true, true) => Some(format!("/{words}_  is nowhere here; Esc ends looking for it")),
            (true, false) => Some(format!("/{words}_  Enter ends typing, Esc closes")),
            (false, _) if words.is_empty() => None,
            (false, _) => Some(format!("/{words}  n the next place, N the one before")),
        }
    }
}

/// The row that is chosen of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Its place.
    pub chosen: usize,
    /// What is looked for.
    pub search: Search,
}

impl List {
    /// A list in which that row is chosen.
    #[must_use]
    pub fn at(chosen: usize) -> Self {
        Self { chosen, search: Search::default() }
    }

    /// A key, in a list of so many rows with these texts. Returns whether the list took it.
    pub fn key(&mut self, key: Key, count: usize, text: impl Fn(usize) -> String) -> bool {
        if let Some(row) = self.search.key(key, self.chosen, count, &text) {
            self.chosen = row;
            return true;
        }
        let Some(row) = moved(self.chosen, count, key) else { return false };
        self.chosen = row;
        true
    }
}

/// The row of a list that is chosen after a key; `None`: the key does not move.
#[must_use]
pub fn moved(chosen: usize, count: usize, key: Key) -> Option<usize> {
    let last = count.saturating_sub(1);
    Some(match key {
        Key::Up => chosen.saturating_sub(1),
        Key::Down => (chosen + 1).min(last),
        Key::PageUp => chosen.saturating_sub(PAGE),
        Key::PageDown => (chosen + PAGE).min(last),
        Key::Home => 0,
        Key::End => last,
        _ => return None,
    })
}

/// How far a long text is scrolled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scroll {
    top: usize,
    /// What is looked for.
    pub search: Search,
    /// Where it was found.
    at: usize,
    /// How many lines were shown in the last frame, and what all of them said.
    rows: Cell<usize>,
    lines: RefCell<Vec<String>>,
}

impl Scroll {
    /// A key. Returns whether the text took it.
    pub fn key(&mut self, key: Key) -> bool {
        let lines = self.lines.borrow();
        let text = |row: usize| lines.get(row).cloned().unwrap_or_default();
        let again = key == Key::Enter && self.search.found();
        let stands = if self.search.found() { self.at } else { self.top };
        let sought = if again { Key::Char('n') } else { key };
        let most = lines.len().saturating_sub(self.rows.get());
        // The last line of a page is the first one of the next.
        let page = self.rows.get().saturating_sub(1).max(1);
        if let Some(row) = self.search.key(sought, stands, lines.len(), &text) {
            (self.at, self.top) = (row, row.min(most));
            return true;
        }
        let to = match key {
            Key::Up | Key::Char('k') => self.top.saturating_sub(1),
            Key::Down | Key::Char('j') => self.top + 1,
            Key::PageUp | Key::Left | Key::Backspace => self.top.saturating_sub(page),
            Key::PageDown | Key::Right | Key::Char(' ') => self.top + page,
            Key::Home => 0,
            Key::End => most,
            _ => return false,
        };
        self.top = to.min(most);
        true
    }

    /// The first line that is shown, in a window with so many rows.
    pub fn top(&self, lines: Vec<String>, rows: usize) -> usize {
        let most = lines.len().saturating_sub(rows);
        self.rows.set(rows);
        self.lines.replace(lines);
        self.top.min(most)
    }

    /// The line in which the words were found.
    #[must_use]
    pub fn found(&self) -> Option<usize> {
        let sought = self.search.found() || self.search.typing && !self.search.words.is_empty();
        (sought && !self.search.missing).then_some(self.at)
    }
}

/// A number that is typed digit by digit, where some numbers begin like others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedNumber(String);

/// What a digit came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Digit {
    /// The number at this place, and no longer one begins so.
    Whole(usize),
    /// What is typed, which longer ones begin with; the place of the one that it is already.
    Begun(String, Option<usize>),
    /// What is typed; there is no such number.
    Unknown(String),
}

impl TypedNumber {
    /// One more digit of one of these numbers.
    pub fn digit(&mut self, digit: char, numbers: impl Iterator<Item = usize>) -> Digit {
        self.0.push(digit);
        let (mut place, mut longer) = (None, false);
        for (i, number) in numbers.map(|number| number.to_string()).enumerate() {
            if number == self.0 {
                place = Some(i);
            }
            longer |= number.len() > self.0.len() && number.starts_with(&self.0);
        }
        match place {
            place if longer => Digit::Begun(self.0.clone(), place),
            Some(place) => {
                self.0.clear();
                Digit::Whole(place)
            }
            None => Digit::Unknown(std::mem::take(&mut self.0)),
        }
    }

    /// Another key begins a new number.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [&str; 5] = ["Lamport", "Maekawa", "Ricart", "Raymond", "The ring"];

    fn after(keys: &[Key]) -> (usize, Vec<bool>) {
        let mut list = List::default();
        let took = keys.iter().map(|key| list.key(*key, 5, |i| ROWS[i].to_owned())).collect();
        (list.chosen, took)
    }

    fn typed(text: &str, keys: &[Key]) -> usize {
        let typed = text.chars().map(Key::Char);
        after(&typed.chain(keys.iter().copied()).collect::<Vec<_>>()).0
    }

    #[test]
    fn words_are_found_while_they_are_typed_and_n_goes_round() {
        assert_eq!(typed("/R", &[]), 0, "Lamport has one");
        assert_eq!(typed("/r", &[Key::Enter, Key::Char('n')]), 2);
        assert_eq!(typed("/ay", &[]), 3);
        assert_eq!(typed("/r", &[Key::Enter, Key::Char('N')]), 4);
        assert_eq!(typed("/ring", &[Key::Enter, Key::Char('n')]), 4, "the only one");
        assert_eq!(typed("/ri", &[Key::Backspace, Key::Backspace]), 0);
        assert_eq!(typed("/nowhere", &[]), 0);
    }

    #[test]
    fn a_key_that_is_not_for_the_list_is_left_and_ends_the_search() {
        assert_eq!(after(&[Key::Char('n')]).1, [false]);
        let (at, took) =
            after(&[Key::Char('/'), Key::Char('y'), Key::Enter, Key::Enter, Key::Char('n')]);
        assert_eq!((at, took), (3, vec![true, true, true, false, false]));
    }

    #[test]
    fn a_digit_waits_only_where_a_longer_number_begins_so() {
        let mut typed = TypedNumber::default();
        let mut digit = |c| typed.digit(c, 1..=12);
        assert_eq!(digit('2'), Digit::Whole(1));
        assert_eq!(digit('1'), Digit::Begun("1".to_owned(), Some(0)));
        assert_eq!(digit('2'), Digit::Whole(11));
        digit('1');
        assert_eq!(digit('5'), Digit::Unknown("15".to_owned()));
        assert_eq!(digit('0'), Digit::Unknown("0".to_owned()));
        assert_eq!(TypedNumber::default().digit('1', 1..=9), Digit::Whole(0));
    }
}
