//! How a state is packed: each of its numbers gets a few bits of a few 64-bit words.
//!
//! A layout only knows widths; which number stands for what is the system's business.

/// The most numbers that a state has: 16 clients, 3 helpers, a channel for each pair, one more.
const MOST: usize = 512;

/// A state as numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ids(Box<[u32; MOST]>);

impl Default for Ids {
    fn default() -> Self {
        Self(Box::new([0; MOST]))
    }
}

impl Ids {
    /// One of the numbers.
    #[inline]
    #[must_use]
    pub fn get(&self, field: usize) -> u32 {
        // The mask tells the compiler that the place is there.
        self.0[field % MOST]
    }

    /// Changes one of the numbers.
    #[inline]
    pub fn set(&mut self, field: usize, id: u32) {
        self.0[field % MOST] = id;
    }
}

/// Where one number lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Place {
    mask: u64,
    /// The bit under which it is noted whether the number is 0.
    note: u32,
    field: u16,
    word: u8,
    shift: u8,
}

/// The widths of a state's numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    places: Box<[Place; MOST]>,
    /// Those that have bits.
    active: Vec<Place>,
    words: usize,
}

/// Sizes that states may have, in words: for each the explorer has code of its own.
pub const SIZES: [usize; 10] = [1, 2, 3, 4, 6, 8, 16, 32, 64, 160];

/// Calls a method for the size of a state: `sized!(words, W => self.method::<W>(…))`.
macro_rules! sized {
    ($words:expr, $w:ident => $call:expr) => {
        match $words {
            1 => sized!(@ 1, $w, $call),
            2 => sized!(@ 2, $w, $call),
            3 => sized!(@ 3, $w, $call),
            4 => sized!(@ 4, $w, $call),
            6 => sized!(@ 6, $w, $call),
            8 => sized!(@ 8, $w, $call),
            16 => sized!(@ 16, $w, $call),
            32 => sized!(@ 32, $w, $call),
            64 => sized!(@ 64, $w, $call),
            _ => sized!(@ 160, $w, $call),
        }
    };
    (@ $size:literal, $w:ident, $call:expr) => {{
        const $w: usize = $size;
        $call
    }};
}
pub(super) use sized;

/// Bits needed to tell `count` values apart.
fn bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

impl Layout {
    /// A layout for numbers of which each has so many values, with as much room to grow as the words
    /// give for free. Those behind the first few are noted when they are read.
    #[must_use]
    pub fn for_counts(counts: &[usize], few: usize) -> Self {
        let tight = Self::with_slack(counts, few, 0);
        let free = (1..=4).rev().map(|slack| Self::with_slack(counts, few, slack));
        free.into_iter().find(|roomy| roomy.words == tight.words).unwrap_or(tight)
    }

    /// Numbers go into the first word with room, in their order.
    fn with_slack(counts: &[usize], few: usize, slack: u32) -> Self {
        let mut used: Vec<u32> = vec![0];
        let mut places = Box::new([Place::default(); MOST]);
        for (field, count) in counts.iter().enumerate() {
            let width = if *count <= 1 { 0 } else { (bits(*count) + slack).min(32) };
            let room = used.iter().position(|u| u + width <= 64);
            let word = room.unwrap_or_else(|| {
                used.push(0);
                used.len() - 1
            });
            let shift = if width == 0 { 0 } else { used[word] };
            used[word] += width;
            let mask = (1 << width) - 1;
            let bit = field.checked_sub(few).and_then(|i| 1_u32.checked_shl(i as u32));
            places[field] = Place {
                mask,
                note: bit.unwrap_or(0),
                field: field as u16,
                word: word as u8,
                shift: shift as u8,
            };
        }
        let active = places.iter().copied().filter(|p| p.mask > 0).collect();
        let size = SIZES.into_iter().find(|size| used.len() <= *size);
        let words = size.expect("381 numbers of 32 bits fit into 160 words, two a word at least");
        Self { places, active, words }
    }

    /// How many words a state takes.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// One of some packed states.
    #[must_use]
    pub fn nth<'a>(&self, states: &'a [u64], place: usize) -> &'a [u64] {
        &states[place * self.words..(place + 1) * self.words]
    }

    /// Whether numbers with so many values each still fit.
    #[must_use]
    pub fn fits(&self, counts: &[usize]) -> bool {
        self.places.iter().zip(counts).all(|(place, count)| *count as u64 <= place.mask + 1)
    }

    /// Reads all numbers that have bits; the others visit as they are.
    #[inline]
    pub fn unpack(&self, words: &[u64], ids: &mut Ids) {
        for place in &self.active {
            let word = words[usize::from(place.word)];
            ids.set(usize::from(place.field), (word >> (place.shift & 63) & place.mask) as u32);
        }
    }

    /// Reads all numbers that have bits. Says which of those behind the first few are not 0, as bits.
    #[inline]
    pub fn unpack_noting(&self, words: &[u64], ids: &mut Ids) -> u32 {
        let mut set = 0;
        for place in &self.active {
            let word = words[usize::from(place.word)];
            let id = (word >> (place.shift & 63) & place.mask) as u32;
            ids.set(usize::from(place.field), id);
            set |= if id != 0 { place.note } else { 0 };
        }
        set
    }

    /// Writes all numbers that have bits.
    pub fn pack(&self, ids: &Ids, words: &mut [u64]) {
        words.fill(0);
        for place in &self.active {
            let id = u64::from(ids.get(usize::from(place.field)));
            words[usize::from(place.word)] |= id << place.shift;
        }
    }

    /// Packs states anew that were packed in an old layout.
    #[must_use]
    pub fn repack(&self, old: &Self, states: &[u64]) -> Vec<u64> {
        let mut ids = Ids::default();
        let mut packed = vec![0; states.len() / old.words * self.words];
        let states = states.chunks_exact(old.words);
        for (state, words) in states.zip(packed.chunks_exact_mut(self.words)) {
            old.unpack(state, &mut ids);
            self.pack(&ids, words);
        }
        packed
    }

    /// Changes one number from an old value to a new one.
    #[inline]
    pub fn change<const W: usize>(&self, words: &mut [u64; W], field: usize, old: u32, new: u32) {
        let place = &self.places[field % MOST];
        debug_assert!(u64::from(new) <= place.mask, "number {new} has no room in field {field}");
        words[usize::from(place.word) % W] ^= u64::from(old ^ new) << (place.shift & 63);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_numbers_read_back_and_change_one_at_a_time(
            counts in proptest::collection::vec(0_usize..100_000, 1..30),
            seed in any::<u64>(),
        ) {
            let layout = Layout::for_counts(&counts, 0);
            prop_assert!(layout.fits(&counts));
            let pick = |i: usize, salt: u64| match counts[i] {
                0 => 0,
                n => ((seed ^ salt).wrapping_mul(i as u64 * 2 + 1) % n as u64) as u32,
            };
            let (mut ids, mut other, mut back) = (Ids::default(), Ids::default(), Ids::default());
            for i in 0..counts.len() {
                ids.set(i, pick(i, 0));
                other.set(i, pick(i, 77));
            }
            let mut words = vec![0; layout.words()];
            layout.pack(&ids, &mut words);
            layout.unpack(&words, &mut back);
            prop_assert_eq!(&back, &ids);
            let changed: Vec<u64> = sized!(layout.words(), W => {
                let mut words: [u64; W] = words.clone().try_into().expect("as many words");
                for (field, _) in counts.iter().enumerate().filter(|(_, count)| **count > 1) {
                    layout.change(&mut words, field, ids.get(field), other.get(field));
                }
                words.to_vec()
            });
            layout.unpack(&changed, &mut back);
            prop_assert_eq!(&back, &other);
        }
    }

    #[test]
    fn two_words_hold_what_fits_into_two_words() {
        let layout = Layout::for_counts(&[60_000, 60_000, 60_000, 900, 900, 900, 900, 900, 900], 3);
        assert_eq!(layout.words(), 2);
        assert!(layout.fits(&[65_536; 3]));
    }
}
