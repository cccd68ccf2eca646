//! Every state found so far, each once, in the order of finding, and how each was found.
//!
//! States are compared whole; a slot of the table holds a state's number and, in its spare bits, a part
//! of its hash, so that a state that is not the one in question is seldom looked at.

use super::pack::{Layout, sized};

/// States in one piece of memory: pieces never move, so that growing takes no second copy.
const PIECE: usize = 1 << 13;
const EMPTY: u32 = u32::MAX;
/// The most states that a run can hold: numbers have 32 bits and the table needs some room.
pub const MOST_STATES: usize = 3_500_000_000;

/// Every state found so far.
#[derive(Debug)]
pub struct Store {
    words: usize,
    pieces: Vec<Vec<u64>>,
    /// How many states each expanded state was the first to find.
    finds: Vec<Vec<u16>>,
    expanded: usize,
    len: usize,
    table: Vec<u32>,
}

/// The hash of a packed state.
#[inline]
#[must_use]
pub fn hash(words: &[u64]) -> u64 {
    let mut h = 0_u64;
    for w in words {
        h = (h.rotate_left(23) ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h ^= h >> 29;
    }
    h.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Store {
    /// An empty store of states of so many words.
    #[must_use]
    pub fn new(words: usize) -> Self {
        let table = vec![EMPTY; 1 << 10];
        Self { words, pieces: Vec::new(), finds: Vec::new(), expanded: 0, len: 0, table }
    }

    /// How many states were found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The state with a number.
    #[inline]
    #[must_use]
    pub fn get(&self, state: usize) -> &[u64] {
        let at = state % PIECE * self.words;
        &self.pieces[state / PIECE][at..at + self.words]
    }

    /// Where in a table a hash begins to look, and the tag that its slots carry: hash bits that do not
    /// decide the place, where a state's number needs no bits.
    #[inline]
    fn start_in(size: usize, hash: u64) -> (usize, u32) {
        let at = ((u128::from(hash) * size as u128) >> 64) as usize;
        (at, hash as u32 & !(size as u32).wrapping_sub(1))
    }

    #[inline]
    fn start(&self, hash: u64) -> (usize, u32) {
        Self::start_in(self.table.len(), hash)
    }

    /// The bits of a slot that hold a state's number. A table of 2^32 slots leaves none for tags.
    #[inline]
    fn low(&self) -> u32 {
        (self.table.len() as u32).wrapping_sub(1)
    }

    /// The slot at which a hash begins to look: reading it early fetches it into the cache.
    #[inline]
    #[must_use]
    pub fn touch(&self, hash: u64) -> u32 {
        self.table[self.start(hash).0]
    }

    /// The state that a hash most likely belongs to, read early for the same reason.
    #[inline]
    #[must_use]
    pub fn peek(&self, hash: u64) -> u64 {
        let (at, tag) = self.start(hash);
        let low = self.low();
        let slot = self.table[at];
        if slot != EMPTY && slot & !low == tag { self.get((slot & low) as usize)[0] } else { 0 }
    }

    /// The number of a state.
    #[must_use]
    pub fn find(&self, state: &[u64]) -> Option<usize> {
        let (mut at, tag) = self.start(hash(state));
        let mask = self.table.len() - 1;
        let low = self.low();
        loop {
            let slot = self.table[at & mask];
            if slot == EMPTY {
                return None;
            }
            if slot & !low == tag && self.get((slot & low) as usize) == state {
                return Some((slot & low) as usize);
            }
            at += 1;
        }
    }

    #[inline]
    fn is<const W: usize>(&self, known: usize, state: &[u64; W]) -> bool {
        // The store's words are W: the piece is a list of states.
        self.pieces[known / PIECE].as_chunks::<W>().0[known % PIECE] == *state
    }

    /// Puts a first state in.
    pub fn begin(&mut self, state: &[u64]) {
        let (at, tag) = self.start(hash(state));
        self.table[at] = tag;
        self.push(state);
    }

    /// Puts a state in. Says its number and whether it is new.
    #[inline]
    pub fn insert<const W: usize>(&mut self, state: &[u64; W], hash: u64) -> (usize, bool) {
        if self.table_is_full() {
            self.rebuild(self.table.len() * 2);
        }
        let (mut at, tag) = self.start(hash);
        let mask = self.table.len() - 1;
        let low = self.low();
        loop {
            let slot = self.table[at & mask];
            if slot == EMPTY {
                break;
            }
            if slot & !low == tag {
                let known = (slot & low) as usize;
                if self.is::<W>(known, state) {
                    return (known, false);
                }
            }
            at += 1;
        }
        let new = self.len;
        self.table[at & mask] = new as u32 | tag;
        self.push(state);
        (new, true)
    }

    /// Copies a stretch of states, packed, one behind the other.
    pub fn copy(&self, states: std::ops::Range<usize>, to: &mut Vec<u64>) {
        let mut at = states.start;
        while at < states.end {
            let here = at % PIECE..(at % PIECE + states.end - at).min(PIECE);
            at += here.len();
            let piece = &self.pieces[(at - 1) / PIECE];
            to.extend_from_slice(&piece[here.start * self.words..here.end * self.words]);
        }
    }

    #[inline]
    fn push(&mut self, state: &[u64]) {
        if self.len.is_multiple_of(PIECE) {
            // The first piece grows as it is needed: small runs visit small.
            let room = if self.len == 0 { 64 } else { PIECE };
            self.pieces.push(Vec::with_capacity(room * self.words));
        }
        let last = self.pieces.last_mut().expect("the first state has made the first piece");
        last.extend_from_slice(state);
        self.len += 1;
    }

    fn rebuild(&mut self, size: usize) {
        sized!(self.words, W => self.rebuild_sized::<W>(size));
    }

    /// Makes the table anew from the states: the old one is given back first.
    fn rebuild_sized<const W: usize>(&mut self, size: usize) {
        self.table = Vec::new();
        self.table = vec![EMPTY; size];
        let mask = size - 1;
        let mut number = 0;
        for piece in &self.pieces {
            for state in piece.as_chunks::<W>().0 {
                let (mut at, tag) = Self::start_in(size, hash(state));
                while self.table[at & mask] != EMPTY {
                    at += 1;
                }
                self.table[at & mask] = number | tag;
                number += 1;
            }
        }
    }

    /// Writes down how many new states the next expanded states found.
    pub fn note_finds(&mut self, finds: &[u16]) {
        for chunk in finds {
            if self.expanded.is_multiple_of(PIECE) {
                self.finds.push(Vec::with_capacity(if self.expanded == 0 { 64 } else { PIECE }));
            }
            self.finds[self.expanded / PIECE].push(*chunk);
            self.expanded += 1;
        }
    }

    /// The states on the way from the first to this one, both included.
    #[must_use]
    pub fn path_to(&self, state: usize) -> Vec<usize> {
        let mut path = vec![state];
        let mut wanted = state;
        // Numbers of found states grow with their finders', so one walk backwards is enough.
        let total: usize = self.finds.iter().flatten().map(|n| usize::from(*n)).sum();
        let mut first = total + 1;
        for (back, finds) in self.finds.iter().flatten().rev().enumerate() {
            let finder = self.expanded - 1 - back;
            first -= usize::from(*finds);
            if wanted >= first && wanted < first + usize::from(*finds) {
                path.push(finder);
                wanted = finder;
            }
        }
        path.reverse();
        path
    }

    /// Packs every state anew.
    pub fn repack(&mut self, old: &Layout, new: &Layout) {
        for piece in &mut self.pieces {
            let mut packed = new.repack(old, piece);
            if packed.len() > 64 * new.words() {
                // A piece never moves once it is filled: it has its whole room at once.
                packed.reserve_exact((PIECE * new.words()).saturating_sub(packed.len()));
            }
            *piece = packed;
        }
        self.words = new.words();
        let size = self.table.len();
        self.rebuild(size);
    }

    /// Bytes taken by all of it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let states: usize = self.pieces.iter().map(|p| p.capacity() * size_of::<u64>()).sum();
        let finds: usize = self.finds.iter().map(|p| p.capacity() * size_of::<u16>()).sum();
        states + finds + self.table.capacity() * size_of::<u32>()
    }

    /// Whether one more state takes more memory than there is.
    #[inline]
    #[must_use]
    pub fn needs_memory(&self) -> bool {
        self.len.is_multiple_of(PIECE) || self.table_is_full()
    }

    #[inline]
    fn table_is_full(&self) -> bool {
        (self.len + 1) * 4 > self.table.len() * 3
    }

    /// Bytes that will be taken once one more state is in.
    #[must_use]
    pub fn bytes_after_growth(&self) -> usize {
        let full = self.len.is_multiple_of(PIECE);
        let state = self.words * size_of::<u64>() + size_of::<u16>();
        let piece = if full { PIECE * state } else { 0 };
        let table = if self.table_is_full() { self.table.len() * size_of::<u32>() } else { 0 };
        self.bytes() + piece + table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_stored_once_and_found_again_whatever_the_size_of_the_table() {
        let mut store = Store::new(2);
        let state = |i: u64| [i % 97, i * i];
        for i in 0..20_000 {
            let words = state(i);
            assert_eq!(store.insert(&words, hash(&words)), (i as usize, true));
            assert_eq!(store.insert(&words, hash(&words)), (i as usize, false));
        }
        for i in 0..20_000 {
            assert_eq!(store.find(&state(i)), Some(i as usize));
            assert_eq!(store.get(i as usize), state(i));
        }
        assert_eq!(store.find(&[1, 3]), None);
    }

    #[test]
    fn the_path_leads_through_the_finders() {
        let mut store = Store::new(1);
        // 0 finds 1 and 2, 1 finds nothing, 2 finds 3, 3 finds 4 and 5.
        for i in 0..6_u64 {
            store.insert(&[i], hash(&[i]));
        }
        store.note_finds(&[2, 0]);
        store.note_finds(&[1, 2]);
        assert_eq!(store.path_to(5), [0, 2, 3, 5]);
        assert_eq!(store.path_to(1), [0, 1]);
        assert_eq!(store.path_to(0), [0]);
    }
}
