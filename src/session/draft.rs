//! An answer that is being put together, and the one text in which it is kept.
//!
//! Nothing here knows what is right, or how somebody points at a card or a cell.

use super::deciding::Decide;
use super::playing::Play;
use crate::input::folded;
use crate::lesson::question::{Pick, Way};
use crate::lesson::{QuestionState, QuestionView};

/// An answer that is being put together.
#[derive(Debug)]
pub enum AnswerDraft {
    /// One of several: its place, once it was chosen.
    Pick(Option<usize>),
    /// Any of several: which are marked.
    Marks(Vec<bool>),
    /// Cards in an order.
    Order(Cards),
    /// A text, in one line or more.
    Line(String),
    /// A value for each cell of a table.
    Cells(Cells),
    /// Events, played in the cluster.
    Played(Play),
    /// What one node does, message by message.
    Decided(Decide),
}

/// Cards, by their places among the picks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cards {
    row: Vec<usize>,
    used: usize,
    /// How many were put in place by their numbers.
    numbered: usize,
    /// Whether they still lie as they were dealt.
    untouched: bool,
}

impl Cards {
    /// So many cards, as they were dealt.
    #[must_use]
    pub fn of(count: usize) -> Self {
        Self { row: (0..count).collect(), used: count, numbered: 0, untouched: true }
    }

    /// All cards: first those in order, then those left out.
    #[must_use]
    pub fn row(&self) -> &[usize] {
        &self.row
    }

    /// How many are in order.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }

    /// Two cards change places.
    pub fn swap(&mut self, a: usize, b: usize) {
        self.untouched = false;
        self.row.swap(a, b);
    }

    /// Leaves a card out, or takes it in again. Returns its new place, or that of the card which took it.
    pub fn leave_out(&mut self, at: usize) -> usize {
        self.untouched = false;
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

    /// The card with this number comes next in the order that is typed. Returns its place; `None`: it has
    /// one already.
    pub fn number(&mut self, card: usize) -> Option<usize> {
        let from = self.row.iter().position(|c| *c == card)?;
        if from < self.numbered {
            return None;
        }
        self.untouched = false;
        let card = self.row.remove(from);
        self.used += usize::from(from >= self.used);
        self.row.insert(self.numbered, card);
        self.numbered += 1;
        Some(self.numbered - 1)
    }

    fn text(&self, picks: &[Pick]) -> Option<String> {
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

/// Cells, in the order in which they are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells {
    labels: Vec<String>,
    values: Vec<String>,
}

impl Cells {
    /// Empty cells.
    #[must_use]
    pub fn of(labels: &[String]) -> Self {
        Self { labels: labels.to_vec(), values: vec![String::new(); labels.len()] }
    }

    /// What is asked for: a node and a field each.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// What they hold.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Whether a cell holds nothing.
    #[must_use]
    pub fn is_empty(&self, at: usize) -> bool {
        self.values.get(at).is_none_or(|value| value.trim().is_empty())
    }

    /// The labels of those that hold nothing.
    pub fn empty(&self) -> impl Iterator<Item = &String> {
        self.labels.iter().enumerate().filter(|(i, _)| self.is_empty(*i)).map(|(_, label)| label)
    }

    /// Those that hold something, each as `label=value`.
    #[must_use]
    pub fn filled(&self) -> Vec<String> {
        let all = self.labels.iter().zip(&self.values).enumerate();
        let full = all.filter(|(i, _)| !self.is_empty(*i));
        // What ends a row elsewhere only parts values inside a cell.
        let one = |value: &str| folded(value).replace([';', '\n'], ",");
        full.map(|(_, (label, value))| format!("{label}={}", one(value))).collect()
    }

    /// Takes over what a text says of cells; the others keep what they hold.
    pub fn fill(&mut self, text: &str) {
        for piece in text.split(['\n', ';']).map(str::trim) {
            for (label, held) in self.labels.iter().zip(&mut self.values) {
                let value = piece.strip_prefix(label.as_str()).and_then(|p| p.strip_prefix('='));
                if let Some(value) = value {
                    value.clone_into(held);
                }
            }
        }
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

/// What was put together before, or the last answer if it was wrong and can be made better.
#[must_use]
pub fn kept(question: &QuestionView) -> Option<&str> {
    let anew = matches!(question.way, Way::PickOne | Way::Decide(_));
    let wrong = question.state == QuestionState::Wrong && !anew;
    question.draft.as_deref().or(question.answer.as_deref().filter(|_| wrong))
}

impl AnswerDraft {
    /// The answer to a question as far as it was put together before. One that is given in the cluster
    /// has not set out yet.
    #[must_use]
    pub fn of(question: &QuestionView) -> Self {
        let picks = question.picks.len();
        let mut draft = match &question.way {
            Way::PickOne => Self::Pick(None),
            Way::PickMany => Self::Marks(vec![false; picks]),
            Way::Arrange => Self::Order(Cards::of(picks)),
            Way::Write => Self::Line(String::new()),
            Way::Cells(labels) => Self::Cells(Cells::of(labels)),
            Way::Play(how) => Self::Played(Play::of(how.clone())),
            Way::Decide(words) => Self::Decided(Decide::of(words.clone())),
        };
        if let Some(kept) = kept(question) {
            draft.restore(kept, &question.picks);
        }
        draft
    }

    fn restore(&mut self, text: &str, picks: &[Pick]) {
        match self {
            Self::Marks(marks) => {
                named(picks, text).into_iter().for_each(|place| marks[place] = true);
            }
            Self::Order(cards) => cards.restore(text, picks),
            Self::Line(line) => text.clone_into(line),
            Self::Cells(cells) => cells.fill(text),
            Self::Pick(_) | Self::Played(_) | Self::Decided(_) => {}
        }
    }

    /// Whether it is typed.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Line(_) | Self::Cells(_))
    }

    /// Whether it is given in the cluster: by playing events, or by being one node.
    #[must_use]
    pub fn in_cluster(&self) -> bool {
        matches!(self, Self::Played(_) | Self::Decided(_))
    }

    /// A pick was named: it is chosen, marked, or put in place. Returns the place where it is now; `None`:
    /// it has its place already, or nothing can be picked.
    pub fn name(&mut self, place: usize) -> Option<usize> {
        match self {
            Self::Pick(pick) => *pick = Some(place),
            Self::Marks(marks) => marks[place] = !marks[place],
            Self::Order(cards) => return cards.number(place),
            Self::Line(_) | Self::Cells(_) | Self::Played(_) | Self::Decided(_) => return None,
        }
        Some(place)
    }

    /// Writes the text of a line, or of a cell.
    pub fn write(&mut self, at: usize, text: &str) {
        match self {
            Self::Line(line) => text.clone_into(line),
            Self::Cells(cells) => {
                if let Some(value) = cells.values.get_mut(at) {
                    text.clone_into(value);
                }
            }
            Self::Pick(_) | Self::Marks(_) | Self::Order(_) => {}
            Self::Played(_) | Self::Decided(_) => {}
        }
    }

    /// The answer as text, where it is not played.
    #[must_use]
    pub fn answer(&self, picks: &[Pick]) -> String {
        match self {
            Self::Pick(pick) => ids(picks, pick.as_slice()),
            Self::Marks(marks) => {
                let marked: Vec<usize> = (0..marks.len()).filter(|place| marks[*place]).collect();
                ids(picks, &marked)
            }
            Self::Order(cards) => ids(picks, &cards.row[..cards.used]),
            Self::Line(line) => line.clone(),
            Self::Cells(cells) => cells.filled().join("\n"),
            Self::Played(_) => String::new(),
            Self::Decided(decide) => decide.answer(),
        }
    }

    /// What of it is kept, where it is not played; `of` takes it, and an answer as well.
    #[must_use]
    pub(super) fn text(&self, picks: &[Pick]) -> Option<String> {
        match self {
            Self::Pick(_) | Self::Played(_) => None,
            Self::Order(cards) => cards.text(picks),
            Self::Marks(_) | Self::Line(_) | Self::Cells(_) | Self::Decided(_) => {
                Some(self.answer(picks))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks() -> Vec<Pick> {
        ["w", "x", "y", "z"].map(|id| Pick { id: id.to_owned(), text: id.to_owned() }).to_vec()
    }

    fn cells() -> Cells {
        Cells::of(&["P1 clock", "P1 queue", "P2 clock", "P3 queue"].map(str::to_owned))
    }

    #[test]
    fn a_card_that_is_left_out_comes_back_behind_those_in_order() {
        let mut cards = Cards::of(3);
        cards.swap(0, 2);
        assert_eq!(cards.leave_out(1), 1);
        assert_eq!((cards.row(), cards.used()), (&[2, 0, 1][..], 2));
        assert_eq!(cards.leave_out(2), 2);
        assert_eq!((cards.row(), cards.used()), (&[2, 0, 1][..], 3));
    }

    #[test]
    fn numbers_typed_one_after_the_other_are_an_order() {
        let mut draft = AnswerDraft::Order(Cards::of(4));
        assert_eq!([3, 1, 0, 2].map(|card| draft.name(card)), [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(draft.answer(&picks()), "z, x, w, y");
        assert_eq!(draft.name(1), None, "it has its place already");
    }

    #[test]
    fn what_was_put_together_is_restored_from_its_text() {
        let mut draft = AnswerDraft::Order(Cards::of(4));
        assert_eq!(draft.text(&picks()), None, "nothing was done");
        for card in [2, 0] {
            draft.name(card);
        }
        let AnswerDraft::Order(cards) = &mut draft else { panic!("cards") };
        cards.leave_out(2);
        let text = draft.text(&picks()).expect("something was done");
        assert_eq!(text, "y, w, z | x");
        let mut again = Cards::of(4);
        again.restore(&text, &picks());
        assert_eq!((again.row(), again.used()), (&[2, 0, 3, 1][..], 3));
        again.restore("x, nobody, x, w", &picks());
        assert_eq!((again.row(), again.used()), (&[1, 0, 2, 3][..], 2));
        let mut many = AnswerDraft::Marks(vec![false; 4]);
        many.restore("z, x", &picks());
        assert_eq!(many.text(&picks()).as_deref(), Some("x, z"));
        let mut line = AnswerDraft::Line(String::new());
        line.restore("2(n-1)", &[]);
        assert_eq!(line.text(&[]).as_deref(), Some("2(n-1)"));
    }

    #[test]
    fn a_table_is_restored_from_its_text_and_from_an_answer() {
        let mut table = AnswerDraft::Cells(cells());
        assert_eq!(table.text(&[]).as_deref(), Some(""), "nothing is kept of an empty table");
        table.write(3, "(3,P2), (5,P1)");
        let text = table.text(&[]).expect("something was typed");
        let mut again = cells();
        again.fill(&text);
        assert_eq!(again.filled(), ["P3 queue=(3,P2), (5,P1)"]);
        again.fill("P1 clock=5; P9 clock=7; P2 clock=none");
        assert_eq!(again.values(), ["5", "", "none", "(3,P2), (5,P1)"]);
        assert_eq!(again.empty().collect::<Vec<_>>(), ["P1 queue"]);
    }
}
