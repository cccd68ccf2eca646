//! Small tables of numbers: values to ids, and remembered answers.
//!
//! Nothing here knows what the numbers mean, and nothing is ever iterated in hash order.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Answers that were worked out before: a flat table from a 64-bit question to a 32-bit answer.
#[derive(Debug)]
pub struct Memo {
    slots: Vec<(u64, u32)>,
    shift: u32,
    len: usize,
}

/// No question has this number.
const NO_KEY: u64 = u64::MAX;

impl Default for Memo {
    fn default() -> Self {
        Self { slots: vec![(NO_KEY, 0); 16], shift: 60, len: 0 }
    }
}

impl Memo {
    /// The answer to a question.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(SPREAD) >> self.shift) as usize;
        loop {
            let (found, value) = self.slots[at & mask];
            if found == key {
                return Some(value);
            }
            if found == NO_KEY {
                return None;
            }
            at += 1;
        }
    }

    /// Remembers the answer to a new question.
    pub fn insert(&mut self, key: u64, value: u32) {
        debug_assert!(key != NO_KEY && self.get(key).is_none());
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            let bigger = vec![(NO_KEY, 0); self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, bigger);
            self.shift -= 1;
            for (key, value) in old.into_iter().filter(|(key, _)| *key != NO_KEY) {
                self.place(key, value);
            }
        }
        self.place(key, value);
        self.len += 1;
    }

    fn place(&mut self, key: u64, value: u32) {
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(SPREAD) >> self.shift) as usize & mask;
        while self.slots[at].0 != NO_KEY {
            at = (at + 1) & mask;
        }
        self.slots[at] = (key, value);
    }

    /// Bytes that the table takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(u64, u32)>()
    }
}

/// Numbers for values: the first new one gets 0, the next 1, and so on.
#[derive(Debug)]
pub struct Interner<T> {
    items: Vec<T>,
    slots: Vec<u32>,
}

const NO_ITEM: u32 = u32::MAX;

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { items: Vec::new(), slots: vec![NO_ITEM; 16] }
    }
}

impl<T: Hash + Eq> Interner<T> {
    fn slot(hash: u64, slots: usize) -> usize {
        (hash.wrapping_mul(SPREAD) >> (64 - slots.trailing_zeros())) as usize
    }

    fn hash(value: &T) -> u64 {
        let mut hasher = FxHasher::default();
        value.hash(&mut hasher);
        hasher.finish()
    }

    /// The number of a value that has one.
    #[must_use]
    pub fn find(&self, value: &T) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = Self::slot(Self::hash(value), self.slots.len());
        loop {
            match self.slots[at & mask] {
                NO_ITEM => return None,
                id if self.items[id as usize] == *value => return Some(id),
                _ => at += 1,
            }
        }
    }

    /// The number of a value, a new one if it has none.
    ///
    /// # Panics
    /// If there are more than 4 thousand million values, which no memory holds.
    pub fn intern(&mut self, value: T) -> u32 {
        if let Some(id) = self.find(&value) {
            return id;
        }
        let id = u32::try_from(self.items.len()).expect("fewer than 2^32 values");
        if (self.items.len() + 1) * 4 > self.slots.len() * 3 {
            self.slots = vec![NO_ITEM; self.slots.len() * 2];
            for old in 0..id {
                let hash = Self::hash(&self.items[old as usize]);
                self.place(hash, old);
            }
        }
        self.place(Self::hash(&value), id);
        self.items.push(value);
        id
    }

    fn place(&mut self, hash: u64, id: u32) {
        let mask = self.slots.len() - 1;
        let mut at = Self::slot(hash, self.slots.len());
        while self.slots[at & mask] != NO_ITEM {
            at += 1;
        }
        self.slots[at & mask] = id;
    }

    /// The value with a number.
    #[must_use]
    pub fn get(&self, id: u32) -> &T {
        &self.items[id as usize]
    }

    /// How many values have a number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Bytes that the table takes. What a value keeps elsewhere is counted by the caller.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<T>() + self.slots.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn a_memo_answers_what_was_put_in(pairs in proptest::collection::hash_map(0..u64::MAX, any::<u32>(), 0..300)) {
            let mut memo = Memo::default();
            for (key, value) in &pairs {
                memo.insert(*key, *value);
            }
            for (key, value) in &pairs {
                prop_assert_eq!(memo.get(*key), Some(*value));
            }
        }

        #[test]
        fn equal_values_get_one_number(words in proptest::collection::vec("[ab]{0,6}", 0..300)) {
            let mut interner = Interner::default();
            let mut known: HashMap<String, u32> = HashMap::new();
            for word in words {
                let id = interner.intern(word.clone());
                prop_assert_eq!(*known.entry(word.clone()).or_insert(id), id);
                prop_assert_eq!(interner.get(id), &word);
                prop_assert_eq!(interner.find(&word), Some(id));
            }
            prop_assert_eq!(known.len(), interner.len());
        }
    }
}
