//! How a state is packed: each of its numbers gets a few bits of a few 64-bit words.
//!
//! A layout only knows widths; which number stands for what is the world's business.

/// Where one number lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Which of the state's numbers it is.
    pub field: u16,
    word: u16,
    shift: u8,
    width: u8,
}

impl Place {
    #[inline]
    fn mask(self) -> u64 {
        (1_u64 << self.width) - 1
    }
}

/// The widths of a state's numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// One for each number, those without bits included.
    places: Vec<Place>,
    /// Those that have bits.
    active: Vec<Place>,
    words: usize,
}

/// Bits needed to tell `count` values apart.
fn bits(count: usize) -> u8 {
    (usize::BITS - count.saturating_sub(1).leading_zeros()) as u8
}

impl Layout {
    /// A layout for numbers of which each has so many values, with as much room to grow as the words
    /// give for free.
    #[must_use]
    pub fn for_counts(counts: &[usize]) -> Self {
        let tight = Self::with_slack(counts, 0);
        let free = (1..=4).rev().map(|slack| Self::with_slack(counts, slack));
        free.into_iter().find(|roomy| roomy.words == tight.words).unwrap_or(tight)
    }

    /// Numbers go into the first word with room, in their order.
    fn with_slack(counts: &[usize], slack: u8) -> Self {
        let mut used: Vec<u8> = vec![0];
        let mut places = Vec::with_capacity(counts.len());
        for (field, count) in counts.iter().enumerate() {
            let width = if *count <= 1 { 0 } else { (bits(*count) + slack).min(32) };
            let room = used.iter().position(|u| u + width <= 64);
            let word = room.unwrap_or_else(|| {
                used.push(0);
                used.len() - 1
            });
            let shift = if width == 0 { 0 } else { used[word] };
            used[word] += width;
            places.push(Place { field: field as u16, word: word as u16, shift, width });
        }
        let active = places.iter().copied().filter(|p| p.width > 0).collect();
        Self { places, active, words: used.len() }
    }

    /// How many words a state takes.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether numbers with so many values each still fit.
    #[must_use]
    pub fn fits(&self, counts: &[usize]) -> bool {
        self.places.iter().zip(counts).all(|(place, count)| {
            let needed = if *count <= 1 { 0 } else { bits(*count) };
            needed <= place.width
        })
    }

    /// Reads all numbers that have bits; the others stay as they are.
    #[inline]
    pub fn unpack(&self, words: &[u64], ids: &mut [u32]) {
        for place in &self.active {
            let word = words[usize::from(place.word)];
            ids[usize::from(place.field)] = (word >> place.shift & place.mask()) as u32;
        }
    }

    /// Writes all numbers that have bits.
    pub fn pack(&self, ids: &[u32], words: &mut [u64]) {
        words.fill(0);
        for place in &self.active {
            let id = u64::from(ids[usize::from(place.field)]);
            words[usize::from(place.word)] |= id << place.shift;
        }
    }

    /// Packs states anew that were packed in an old layout.
    #[must_use]
    pub fn repack(&self, old: &Self, states: &[u64], fields: usize) -> Vec<u64> {
        let mut ids = vec![0; fields];
        let mut packed = vec![0; states.len() / old.words * self.words];
        let states = states.chunks_exact(old.words);
        for (state, words) in states.zip(packed.chunks_exact_mut(self.words)) {
            old.unpack(state, &mut ids);
            self.pack(&ids, words);
        }
        packed
    }

    /// Changes one number.
    #[inline]
    pub fn set(&self, words: &mut [u64], field: usize, id: u32) {
        let place = self.places[field];
        let word = &mut words[usize::from(place.word)];
        debug_assert!(u64::from(id) <= place.mask(), "number {id} has no room in field {field}");
        *word = *word & !(place.mask() << place.shift) | u64::from(id) << place.shift;
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
            let layout = Layout::for_counts(&counts);
            prop_assert!(layout.fits(&counts));
            let pick = |i: usize, salt: u64| match counts[i] {
                0 => 0,
                n => ((seed ^ salt).wrapping_mul(i as u64 * 2 + 1) % n as u64) as u32,
            };
            let ids: Vec<u32> = (0..counts.len()).map(|i| pick(i, 0)).collect();
            let other: Vec<u32> = (0..counts.len()).map(|i| pick(i, 77)).collect();
            let mut words = vec![0; layout.words()];
            layout.pack(&ids, &mut words);
            let mut back = vec![0; counts.len()];
            layout.unpack(&words, &mut back);
            prop_assert_eq!(&back, &ids);
            for (field, id) in other.iter().enumerate() {
                if counts[field] > 1 {
                    layout.set(&mut words, field, *id);
                }
            }
            layout.unpack(&words, &mut back);
            prop_assert_eq!(&back, &other);
        }
    }

    #[test]
    fn two_words_hold_what_fits_into_two_words() {
        let layout = Layout::for_counts(&[60_000, 60_000, 60_000, 900, 900, 900, 900, 900, 900]);
        assert_eq!(layout.words(), 2);
        assert!(layout.fits(&[65_536; 3]));
    }
}
