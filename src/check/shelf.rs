//! Where followers are put: into the store in their order, with the counts and the limits.
//!
//! It works on packed words alone and knows nothing of nodes or messages.

use super::expand::Batch;
use super::graph::Outcome;
use super::pack::sized;
use super::store::{MOST_STATES, Store, hash};

/// How many followers ahead of the one that is put in the table is asked for.
const AHEAD: usize = 16;

/// How much a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// States.
    pub states: usize,
    /// Bytes of all tables.
    pub bytes: usize,
}

/// The states found, and what was counted on the way.
#[derive(Debug)]
pub struct Shelf {
    /// The states.
    pub store: Store,
    /// Events tried.
    pub transitions: usize,
    /// Whether an event led to a state of the same or a smaller depth.
    pub irregular: bool,
    limits: Limits,
    hashes: Vec<u64>,
    finds: Vec<u16>,
    touched: u64,
}

/// What the shelf has to know about a block.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The block's first state.
    pub first: usize,
    /// The first state behind the block's depth.
    pub level_end: usize,
    /// Whether a way back ends the search.
    pub no_way_back: bool,
    /// Bytes taken elsewhere.
    pub other_bytes: usize,
}

impl Shelf {
    /// A shelf with one state.
    #[must_use]
    pub fn new(first: &[u64], limits: Limits) -> Self {
        let mut store = Store::new(first.len());
        store.begin(first);
        let limits = Limits { states: limits.states.clamp(1, MOST_STATES), ..limits };
        Self {
            store,
            transitions: 0,
            irregular: false,
            limits,
            hashes: Vec::new(),
            finds: Vec::new(),
            touched: 0,
        }
    }

    /// Puts in what follows from a block of states.
    pub fn put_in(&mut self, batch: &Batch, words: usize, terms: Terms) -> Option<Outcome> {
        sized!(words, W => self.put_in_sized::<W>(batch, terms))
    }

    fn put_in_sized<const W: usize>(&mut self, batch: &Batch, terms: Terms) -> Option<Outcome> {
        let all = batch.words.as_chunks::<W>().0;
        self.hashes.clear();
        self.finds.clear();
        self.hashes.extend(all.iter().map(|state| hash(state)));
        let mut states = all.iter();
        let mut at = 0;
        for count in &batch.counts {
            let before = self.store.len();
            for _ in 0..*count {
                let state = states.next().expect("a batch holds what it counts");
                if let Some(far) = self.hashes.get(at + 2 * AHEAD) {
                    self.touched ^= u64::from(self.store.touch(*far));
                    self.touched ^= self.store.peek(self.hashes[at + AHEAD]);
                }
                let hash = self.hashes[at];
                at += 1;
                if (self.store.len() >= self.limits.states || self.store.needs_memory())
                    && let Some(limit) = self.limit(state, terms.other_bytes)
                {
                    return Some(Outcome::Limit(limit));
                }
                let (known, new) = self.store.insert(state, hash);
                self.transitions += 1;
                if !new && known < terms.level_end {
                    self.irregular = true;
                    if terms.no_way_back {
                        return Some(Outcome::Cycle);
                    }
                }
            }
            self.finds.push((self.store.len() - before) as u16);
        }
        self.store.note_finds(&self.finds);
        let (place, finding) = batch.finding?;
        Some(Outcome::Found(terms.first + place, finding))
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.hashes.capacity() * size_of::<u64>()
    }

    /// The limit that a state would break.
    fn limit(&self, state: &[u64], other_bytes: usize) -> Option<&'static str> {
        if self.store.len() >= self.limits.states {
            return self.store.find(state).is_none().then_some("states");
        }
        let bytes = self.store.bytes_after_growth() + other_bytes;
        (bytes > self.limits.bytes).then_some("memory")
    }
}
