//! What the notes wish for, as it is written: keys in a row, each with its number.
//!
//! It reads and writes bytes and opens no file.

use super::VERSION;
use crate::ui::keymap::Key;
use serde::{Deserialize, Serialize};

/// So many wishes can be under way at once.
pub(super) const MOST: usize = 16;

/// A wish that was written longer ago is none any more, in seconds: nobody expects a click of then now.
const FRESH: u64 = 5;

/// What a key in the notes asks of the hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wish {
    /// To take this key as if it had been pressed there.
    Key(Key),
    /// To go to the step with this number, from 1.
    Step(usize),
}

/// What the notes write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WishFile {
    lockstep_present: u32,
    /// The presentation that is meant.
    run: u64,
    /// The number of the first wish; the others follow.
    first: u64,
    /// When it was written, in seconds since 1970.
    at: u64,
    wishes: Vec<Wish>,
}

impl WishFile {
    /// Wishes to a presentation, from a number on.
    pub(super) fn new(run: u64, first: u64, at: u64, wishes: Vec<Wish>) -> Self {
        Self { lockstep_present: VERSION, run, first, at, wishes }
    }

    /// What a presentation that has heard so many wishes has still to do. Damaged files, wishes to another
    /// presentation, old ones and those that were done already come to nothing.
    pub(super) fn due(bytes: &[u8], run: u64, heard: u64, now: u64) -> Vec<Wish> {
        let Ok(file) = serde_json::from_slice::<Self>(bytes) else { return Vec::new() };
        let ours = file.lockstep_present == VERSION && file.run == run;
        let fresh = file.at.abs_diff(now) <= FRESH;
        // The first one that is due follows the last one that was heard.
        let done = heard.checked_add(1).and_then(|next| next.checked_sub(file.first));
        match done.and_then(|done| usize::try_from(done).ok()) {
            Some(done) if ours && fresh => file.wishes.into_iter().skip(done).take(MOST).collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: Wish = Wish::Key(Key::PageDown);
    const TO_SEVEN: Wish = Wish::Step(7);

    fn due(file: &WishFile, heard: u64, now: u64) -> Vec<Wish> {
        WishFile::due(&serde_json::to_vec(file).expect("JSON"), 5, heard, now)
    }

    #[test]
    fn each_wish_is_done_once_and_in_its_order() {
        let file = WishFile::new(5, 3, 100, vec![NEXT, TO_SEVEN]);
        assert_eq!(due(&file, 2, 100), [NEXT, TO_SEVEN]);
        assert_eq!(due(&file, 3, 101), [TO_SEVEN]);
        assert_eq!(due(&file, 4, 101), []);
        assert_eq!(due(&file, 400, 101), []);
    }

    #[test]
    fn wishes_to_another_presentation_or_of_another_time_come_to_nothing() {
        let of = |run, at| WishFile::new(run, 1, at, vec![NEXT]);
        assert_eq!(due(&of(5, 100), 0, 105), [NEXT]);
        assert_eq!(due(&of(4, 100), 0, 100), [], "an earlier presentation was meant");
        assert_eq!(due(&of(5, 100), 0, 106), [], "too late");
        assert_eq!(due(&of(5, 200), 0, 106), [], "a clock that was set back");
    }

    #[test]
    fn damaged_files_and_huge_numbers_come_to_nothing() {
        let file = WishFile::new(5, 1, 100, vec![NEXT, TO_SEVEN]);
        let whole = serde_json::to_vec(&file).expect("JSON");
        for end in 0..whole.len() {
            assert_eq!(WishFile::due(&whole[..end], 5, 0, 100), []);
        }
        for (first, heard) in [(u64::MAX, 0), (2, 0), (0, u64::MAX), (1, u64::MAX - 1)] {
            let file = WishFile::new(5, first, 100, vec![NEXT]);
            assert_eq!(due(&file, heard, 100), [], "{first} {heard}");
        }
        assert_eq!(due(&WishFile::new(5, 1, u64::MAX, vec![NEXT]), 0, 100), []);
        let flood = WishFile::new(5, 1, 100, vec![NEXT; 5_000]);
        assert_eq!(due(&flood, 0, 100).len(), MOST);
    }
}
