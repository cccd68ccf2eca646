//! Where followers are put: into the store in their order, with the counts and the limits.
//!
//! It works on packed words alone and knows nothing of nodes or messages.

use super::expand::Batch;
use super::pack::sized;
use super::property::Finding;
use super::sleep::Sleep;
use super::store::{MOST_STATES, Store, hash};

/// How many followers ahead of the one that is put in the table is asked for.
const AHEAD: usize = 16;

/// Why exploring came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything that can be reached was found and followed.
    Exhausted,
    /// Something was found in this state.
    Found(usize, Finding),
    /// No more states or bytes are allowed.
    Limit(&'static str),
    /// States were left out, and a way back to an earlier state was met.
    Cycle,
}

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
pub struct VisitedSet {
    /// The states.
    pub store: Store,
    /// Enabled events of the states that were followed.
    pub transitions: usize,
    /// Whether an event led to a state of the same or a smaller depth.
    pub irregular: bool,
    limits: Limits,
    /// What sleeps in the states of this depth, where anything sleeps.
    pub asleep: Vec<Sleep>,
    next_asleep: Vec<Sleep>,
    hashes: Vec<u64>,
    finds: Vec<u16>,
    touched: u64,
}

/// What the visited has to know about a block.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// The block's first state.
    pub first: usize,
    /// The first state behind the block's depth.
    pub level_end: usize,
    /// Whether a way back ends the search.
    pub no_way_back: bool,
    /// Bytes taken elsewhere.
    pub other_bytes: usize,
}

impl VisitedSet {
    /// A visited with one state.
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
            asleep: Vec::new(),
            next_asleep: Vec::new(),
            hashes: Vec::new(),
            finds: Vec::new(),
            touched: 0,
        }
    }

    /// Puts in what follows from a block of states.
    pub fn put_in(&mut self, batch: &Batch, words: usize, params: Params) -> Option<Outcome> {
        sized!(words, W => self.put_in_sized::<W>(batch, params))
    }

    fn put_in_sized<const W: usize>(&mut self, batch: &Batch, params: Params) -> Option<Outcome> {
        let all = batch.words.as_chunks::<W>().0;
        self.hashes.clear();
        self.finds.clear();
        self.hashes.extend(all.iter().map(|state| hash(state)));
        let mut states = all.iter();
        let mut asleep = batch.asleep.iter();
        let mut at = 0;
        for (count, enabled) in batch.counts.iter().zip(&batch.enabled) {
            self.transitions += usize::from(*enabled);
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
                    && let Some(limit) = self.limit(state, params.other_bytes)
                {
                    return Some(Outcome::Limit(limit));
                }
                let (known, new) = self.store.insert(state, hash);
                if let Some(asleep) = asleep.next() {
                    self.fall_asleep(known, new, *asleep, params.level_end);
                }
                if !new && known < params.level_end {
                    self.irregular = true;
                    if params.no_way_back {
                        return Some(Outcome::Cycle);
                    }
                }
            }
            self.finds.push((self.store.len() - before) as u16);
        }
        self.store.note_finds(&self.finds);
        let (place, finding) = batch.finding?;
        Some(Outcome::Found(params.first + place, finding))
    }

    /// A state of the next depth keeps asleep what sleeps on all the ways to it.
    #[inline]
    fn fall_asleep(&mut self, state: usize, new: bool, asleep: Sleep, level_end: usize) {
        if new {
            self.next_asleep.push(asleep);
        } else if state >= level_end {
            self.next_asleep[state - level_end] &= asleep;
        }
    }

    /// Goes on to the next depth.
    pub fn begin_level(&mut self) {
        std::mem::swap(&mut self.asleep, &mut self.next_asleep);
        self.next_asleep.clear();
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let asleep = self.asleep.capacity() + self.next_asleep.capacity();
        let hashes = self.hashes.capacity() * size_of::<u64>();
        self.store.bytes() + hashes + asleep * size_of::<Sleep>()
    }

    /// The limit that a state would break.
    fn limit(&self, state: &[u64], other_bytes: usize) -> Option<&'static str> {
        if self.store.len() >= self.limits.states {
            return self.store.find(state).is_none().then_some("states");
        }
        let asleep = (self.asleep.capacity() + self.next_asleep.capacity()) * size_of::<Sleep>();
        // The other tables grow by doubling, and are not asked again before the next growth here.
        let bytes = self.store.bytes_after_growth() + asleep + 2 * other_bytes;
        (bytes > self.limits.bytes).then_some("memory")
    }
}
