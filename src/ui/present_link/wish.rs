//! What the notes wish for, as it is written: one key, with its number.
//!
//! It reads and writes bytes and opens no file.

use super::VERSION;
use crate::ui::keymap::Key;
use serde::{Deserialize, Serialize};

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
    /// One more than that of the wish before.
    number: u64,
    /// When it was written, in seconds since 1970.
    at: u64,
    wish: Wish,
}

impl WishFile {
    /// A wish to a presentation.
    pub(super) fn new(run: u64, number: u64, at: u64, wish: Wish) -> Self {
        Self { lockstep_present: VERSION, run, number, at, wish }
    }

    /// What a presentation that has heard so many wishes has still to do. Damaged files, wishes to another
    /// presentation, old ones and those that were done already come to nothing.
    pub(super) fn due(bytes: &[u8], run: u64, heard: u64, now: u64) -> Option<Wish> {
        let file: Self = serde_json::from_slice(bytes).ok()?;
        let ours = file.lockstep_present == VERSION && file.run == run;
        let next = heard.checked_add(1) == Some(file.number);
        (ours && next && file.at.abs_diff(now) <= FRESH).then_some(file.wish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: Wish = Wish::Key(Key::PageDown);

    fn due(file: &WishFile, heard: u64, now: u64) -> Option<Wish> {
        WishFile::due(&serde_json::to_vec(file).expect("JSON"), 5, heard, now)
    }

    #[test]
    fn a_wish_is_done_once_and_in_its_turn() {
        let file = WishFile::new(5, 3, 100, Wish::Step(7));
        assert_eq!(due(&file, 2, 101), Some(Wish::Step(7)));
        for heard in [0, 1, 3, 4, 400] {
            assert_eq!(due(&file, heard, 101), None, "{heard}");
        }
    }

    #[test]
    fn wishes_to_another_presentation_or_of_another_time_come_to_nothing() {
        let of = |run, at| WishFile::new(run, 1, at, NEXT);
        assert_eq!(due(&of(5, 100), 0, 105), Some(NEXT));
        assert_eq!(due(&of(4, 100), 0, 100), None, "an earlier presentation was meant");
        assert_eq!(due(&of(5, 100), 0, 106), None, "too late");
        assert_eq!(due(&of(5, 200), 0, 106), None, "a clock that was set back");
    }

    #[test]
    fn damaged_files_and_huge_numbers_come_to_nothing() {
        let file = WishFile::new(5, 1, 100, NEXT);
        let whole = serde_json::to_vec(&file).expect("JSON");
        for end in 0..whole.len() {
            assert_eq!(WishFile::due(&whole[..end], 5, 0, 100), None);
        }
        for (number, heard) in [(u64::MAX, 0), (0, u64::MAX), (u64::MAX, u64::MAX)] {
            assert_eq!(due(&WishFile::new(5, number, 100, NEXT), heard, 100), None, "{number}");
        }
        assert_eq!(due(&WishFile::new(5, 1, u64::MAX, NEXT), 0, 100), None);
    }
}
