//! A show of hands: how many are for each option, once and once more after the hall has talked.
//!
//! It counts what is typed and knows no answer.

use crate::ui::keymap::Key;

/// More hands than any hall has; numbers do not grow beyond it.
const MOST: u32 = 9_999;

/// The hands for each option, round by round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Poll {
    rounds: Vec<Vec<u32>>,
}

/// The counting that is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counting {
    /// The option that is counted.
    pub marked: usize,
    /// Whether the next digit begins a number.
    fresh: bool,
}

/// What a key comes to while hands are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// It counted, or marked another option.
    Stay,
    /// The bars are to be shown.
    Done,
    /// The key is none of the counting's.
    NotOurs,
}

impl Poll {
    /// A first round without hands; `options`: how many there are.
    #[must_use]
    pub fn new(options: usize) -> Self {
        Self { rounds: vec![vec![0; options]] }
    }

    /// What was kept of one; `None`: it fits no question with so many options.
    #[must_use]
    pub fn kept(rounds: Vec<Vec<u32>>, options: usize) -> Option<Self> {
        let fits = |round: &Vec<u32>| round.len() == options && round.iter().all(|n| *n <= MOST);
        let all = (1..=9).contains(&rounds.len()) && rounds.iter().all(fits);
        all.then_some(Self { rounds })
    }

    /// All rounds, the last one being the one that counts.
    #[must_use]
    pub fn rounds(&self) -> &[Vec<u32>] {
        &self.rounds
    }

    /// The hands of the last round.
    #[must_use]
    pub fn hands(&self) -> &[u32] {
        self.rounds.last().expect("there is a first round")
    }

    /// The hands of the round before.
    #[must_use]
    pub fn before(&self) -> Option<&[u32]> {
        self.rounds.len().checked_sub(2).map(|i| self.rounds[i].as_slice())
    }

    /// Another round, unless nobody has been counted in this one.
    pub fn again(&mut self) {
        if self.hands().iter().any(|n| *n > 0) && self.rounds.len() < 9 {
            self.rounds.push(vec![0; self.hands().len()]);
        }
    }

    /// Takes an empty round back: nobody was counted in it.
    ///
    /// Returns whether anything is left of the poll.
    pub fn cancel_empty(&mut self) -> bool {
        self.rounds.retain(|round| round.iter().any(|n| *n > 0));
        !self.rounds.is_empty()
    }

    /// An option's part of all hands, in whole percent. All parts add up to 100: what rounding down leaves
    /// goes to the largest remainders.
    #[must_use]
    pub fn percent(&self, option: usize) -> u32 {
        let hands = self.hands();
        let all: u32 = hands.iter().sum();
        if all == 0 {
            return 0;
        }
        let whole = |i: usize| hands[i] * 100 / all;
        let mut by_rest: Vec<usize> = (0..hands.len()).collect();
        by_rest.sort_by_key(|i| std::cmp::Reverse(hands[*i] * 100 % all));
        let left = 100 - (0..hands.len()).map(whole).sum::<u32>();
        let gets_one = by_rest.iter().take(left as usize).any(|i| *i == option);
        whole(option) + u32::from(gets_one)
    }

    /// Whether a key counts hands while they are counted for this option, and is none of the presentation's.
    #[must_use]
    pub fn is_counted_by(&self, key: Key, marked: usize) -> bool {
        marked < self.hands().len()
            && Counting::at(marked).key(key, &mut self.clone()) != Counted::NotOurs
    }

    fn hand(&mut self, option: usize) -> &mut u32 {
        let last = self.rounds.last_mut().expect("there is a first round");
        &mut last[option]
    }
}

impl Counting {
    /// Counting from an option on.
    #[must_use]
    pub fn at(marked: usize) -> Self {
        Self { marked, fresh: true }
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, poll: &mut Poll) -> Counted {
        let last = poll.hands().len().saturating_sub(1);
        let hand = poll.hand(self.marked);
        match key {
            Key::Char(c @ '0'..='9') => {
                let digit = u32::from(c) - u32::from('0');
                let before = if self.fresh { 0 } else { *hand };
                *hand = (before * 10 + digit).min(MOST);
                self.fresh = false;
                return Counted::Stay;
            }
            Key::Backspace => *hand /= 10,
            Key::Char('+' | '=') => *hand = (*hand + 1).min(MOST),
            Key::Char('-') => *hand = hand.saturating_sub(1),
            Key::Up => *self = Self::at(self.marked.saturating_sub(1)),
            Key::Down => *self = Self::at((self.marked + 1).min(last)),
            // Behind the last option it stays: the bars have a key of their own, so that a click more than
            // was meant never shows the answer.
            Key::Enter | Key::Tab => *self = Self::at((self.marked + 1).min(last)),
            Key::PageDown | Key::Right | Key::Char(' ' | 'p') => {
                return Counted::Done;
            }
            Key::Char(c @ 'a'..='i') if (c as usize - 'a' as usize) <= last => {
                *self = Self::at(c as usize - 'a' as usize);
            }
            _ => return Counted::NotOurs,
        }
        // What was counted one by one is not continued digit by digit.
        if matches!(key, Key::Char('+' | '=' | '-')) {
            self.fresh = true;
        }
        Counted::Stay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(keys: &str) -> (Poll, Counting, Counted) {
        let (mut poll, mut counting, mut last) = (Poll::new(3), Counting::at(0), Counted::Stay);
        for key in keys.split_whitespace() {
            let key = match key {
                "Enter" => Key::Enter,
                "Up" => Key::Up,
                "Down" => Key::Down,
                "Backspace" => Key::Backspace,
                "PageDown" => Key::PageDown,
                one => Key::Char(one.chars().next().expect("a key")),
            };
            last = counting.key(key, &mut poll);
        }
        (poll, counting, last)
    }

    #[test]
    fn a_number_is_typed_for_each_option_and_enter_goes_on_to_the_next() {
        let (poll, counting, end) = counted("1 2 Enter 7 Enter 3 0 Enter");
        assert_eq!(poll.hands(), [12, 7, 30]);
        assert_eq!((end, counting.marked), (Counted::Stay, 2), "the bars have a key of their own");
        assert_eq!(counted("1 2 Enter 7 Enter 3 0 Enter PageDown").2, Counted::Done);
    }

    #[test]
    fn hands_are_also_counted_one_by_one_and_a_letter_marks_an_option() {
        let (poll, counting, _) = counted("c + + + - b + a");
        assert_eq!(poll.hands(), [0, 1, 2]);
        assert_eq!(counting.marked, 0);
    }

    #[test]
    fn a_number_typed_again_replaces_the_one_before() {
        let (poll, ..) = counted("1 2 Enter Up 5 8 Backspace");
        assert_eq!(poll.hands(), [5, 0, 0]);
    }

    #[test]
    fn no_hall_has_more_hands_than_fit() {
        let (poll, ..) = counted("9 9 9 9 9 9 9 9 9 9 9 9");
        assert_eq!(poll.hands()[0], MOST);
    }

    #[test]
    fn a_second_round_keeps_the_first_one() {
        let (mut poll, mut counting, _) = counted("4 Enter 6");
        poll.again();
        assert_eq!((poll.hands(), poll.before()), (&[0, 0, 0][..], Some(&[4, 6, 0][..])));
        poll.again();
        assert_eq!(poll.rounds().len(), 2, "an empty round is not kept");
        counting.key(Key::Char('9'), &mut poll);
        assert_eq!(poll.percent(0), 0);
        assert_eq!(poll.percent(1), 100);
    }

    #[test]
    fn percents_are_of_all_hands_and_nobody_is_no_division() {
        let (poll, ..) = counted("1 Enter 2");
        assert_eq!((poll.percent(0), poll.percent(1), poll.percent(2)), (33, 67, 0));
        assert_eq!(Poll::new(2).percent(0), 0);
    }

    #[test]
    fn percents_add_up_to_a_hundred() {
        for hands in [[1, 1, 1], [1, 1, 4], [12, 7, 31], [0, 0, 3], [9_999, 1, 1], [25, 25, 151]] {
            let poll = Poll::kept(vec![hands.to_vec()], 3).expect("it fits");
            assert_eq!((0..3).map(|i| poll.percent(i)).sum::<u32>(), 100, "{hands:?}");
        }
    }

    #[test]
    fn what_was_kept_of_another_question_is_not_taken() {
        assert_eq!(Poll::kept(vec![vec![1, 2]], 3), None);
        assert_eq!(Poll::kept(Vec::new(), 3), None);
        assert_eq!(Poll::kept(vec![vec![1, 2, u32::MAX]], 3), None, "no hall has so many hands");
        assert_eq!(Poll::kept(vec![vec![1, 2, 3]; 10], 3), None);
        assert!(Poll::kept(vec![vec![1, 2, 3]], 3).is_some());
    }
}
