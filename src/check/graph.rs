//! The graph of states, explored breadth first, a block of states at a time.
//!
//! The order in which states are found does not depend on the size of the blocks, on how often the
//! search was interrupted or on the number of threads: a block's followers are worked out from a copy of
//! its states, and put into the store in their order by one thread.

use super::expand::{Batch, Context, Mode, OPEN};
use super::pack::{Ids, Layout};
use super::property::Property as _;
use super::sleep::{Sleep, Sleepers};
use super::transition_system::TransitionSystem;
use super::visited::{Limits, Outcome, Params, VisitedSet};
use crate::algorithm::Algorithm;
use crate::model::goal::When;

/// States that one thread follows in one go.
const BLOCK: usize = 2_048;

/// A block whose followers are known.
#[derive(Debug)]
struct Ready {
    first: usize,
    batch: Batch,
}

/// The graph of states that was explored so far.
#[derive(Debug)]
pub struct Graph<A: Algorithm> {
    /// What the numbers stand for.
    pub system: TransitionSystem<A>,
    /// How they are packed.
    pub layout: Layout,
    /// The states.
    pub visited: VisitedSet,
    /// How states are followed.
    pub mode: Mode,
    sleepers: Option<Sleepers>,
    threads: usize,
    /// The first state at each depth.
    levels: Vec<usize>,
    /// The first state that was not followed yet.
    next: usize,
    /// The first state of the next depth.
    level_end: usize,
    /// Where the last block began whose followers were not all put in.
    unsure: usize,
    dead_end: bool,
    token_flaw: Option<usize>,
    peak: usize,
    spare: Vec<Batch>,
}

impl<A: Algorithm> Graph<A> {
    /// A graph that holds its first state.
    #[must_use]
    pub fn new(
        system: TransitionSystem<A>,
        ids: &Ids,
        reduce: bool,
        limits: Limits,
        threads: usize,
    ) -> Self {
        let layout = Layout::for_counts(&system.counts(), system.tables.total);
        let mut words = vec![0; layout.words()];
        layout.pack(ids, &mut words);
        let mode = mode_of(&system, reduce);
        // See `sleep`: where events of different nodes commute and every state is followed.
        let may_sleep = !mode.reduce && !mode.stop_at_goal && !system.tables.has_extras;
        let sleepers = Sleepers::new(system.tables.total, system.tables.fifo);
        Self {
            mode,
            sleepers: sleepers.filter(|_| may_sleep),
            threads: threads.max(1),
            levels: vec![0],
            next: 0,
            level_end: 1,
            unsure: 0,
            dead_end: false,
            token_flaw: None,
            peak: 0,
            spare: Vec::new(),
            visited: VisitedSet::new(&words, limits),
            system,
            layout,
        }
    }

    /// All that following needs and does not change; nothing sleeps.
    #[must_use]
    pub fn context(&self) -> Context<'_> {
        let Self { system, layout, mode, .. } = self;
        Context { tables: &system.tables, layout, judge: system, mode: *mode, sleepers: None }
    }

    /// How many states were found.
    #[must_use]
    pub fn states(&self) -> usize {
        self.visited.store.len()
    }

    /// Events from the start to the states that are followed.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// Once exploring has ended at a limit: the states of this depth in which something may still be
    /// found.
    #[must_use]
    pub fn unsure(&self) -> std::ops::Range<usize> {
        self.unsure..self.level_end
    }

    /// States found and not followed yet.
    #[must_use]
    pub fn frontier(&self) -> usize {
        self.states() - self.next
    }

    /// New states at each depth.
    #[must_use]
    pub fn new_states(&self) -> Vec<usize> {
        let mut bounds = self.levels.clone();
        if self.level_end < self.states() {
            bounds.push(self.level_end);
        }
        bounds.push(self.states());
        bounds.windows(2).map(|w| w[1] - w[0]).collect()
    }

    /// Whether some states may lead nowhere: the graph may have cycles, or an end that is no target.
    #[must_use]
    pub fn may_be_doomed(&self) -> bool {
        self.visited.irregular || self.dead_end
    }

    /// The first state in which there was not exactly one token.
    #[must_use]
    pub fn token_flaw(&self) -> Option<usize> {
        self.token_flaw
    }

    /// The most bytes that all tables took.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Bytes taken now.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.visited.bytes() + self.system.bytes() + self.buffers()
    }

    fn buffers(&self) -> usize {
        self.spare.iter().map(Batch::bytes).sum()
    }

    /// Reads one state and lists what is played in it and what follows from it.
    pub fn follow_wholly(&mut self, state: usize, batch: &mut Batch) {
        loop {
            batch.clear();
            let context = self.context();
            let followed = batch.follow_one(context, self.visited.store.get(state), 0);
            if followed.is_ok() {
                return;
            }
            self.system.learn_state(&batch.ids);
            self.make_room(&mut []);
        }
    }

    /// The numbers of the states that follow one. The graph is finished, so that all have one.
    pub fn followers_of(&mut self, state: usize, batch: &mut Batch) -> Vec<u32> {
        self.follow_wholly(state, batch);
        let followers = batch.words.chunks_exact(self.layout.words());
        let number = |words| self.visited.store.find(words).expect("a finished graph is closed");
        followers.map(|words| number(words) as u32).collect()
    }

    /// Follows up to `budget` more states.
    pub fn advance(&mut self, budget: usize) -> Option<Outcome> {
        let mut left = budget;
        let mut ready: Option<Ready> = None;
        loop {
            if ready.is_none() && self.next == self.level_end {
                if self.level_end == self.states() {
                    return Some(Outcome::Exhausted);
                }
                self.visited.begin_level();
                self.levels.push(self.level_end);
                self.level_end = self.states();
            }
            let most = BLOCK * self.threads.saturating_sub(1).max(1);
            let take = most.min(left).min(self.level_end - self.next);
            left -= take;
            if take == 0 && ready.is_none() {
                return None;
            }
            let (next, done) = self.round(take, ready.take());
            let at_hand = next.as_ref().map_or(0, |r| r.batch.bytes());
            self.peak = self.peak.max(self.bytes() + at_hand);
            if done.is_some() {
                return done;
            }
            ready = next;
            if self.threads == 1
                && let Some(now) = ready.take()
                && let Some(done) = self.round(0, Some(now)).1
            {
                return Some(done);
            }
        }
    }

    /// Works out the next block while the one before it is put in.
    fn round(&mut self, take: usize, before: Option<Ready>) -> (Option<Ready>, Option<Outcome>) {
        let first = self.next;
        let mut parents = self.spare.pop().unwrap_or_default().words;
        parents.clear();
        self.visited.store.copy(first..first + take, &mut parents);
        let workers = self.threads.saturating_sub(1).max(1);
        let states = take.div_ceil(workers).max(1);
        let part = states * self.layout.words();
        let level_start = self.levels.last().copied().unwrap_or(0);
        let sleeping = self.sleepers.is_some() && self.depth() > 0;
        let asleep = match sleeping {
            true => self.visited.asleep[first - level_start..][..take].to_vec(),
            false => vec![0; take],
        };
        let mut batches: Vec<Batch> =
            parents.chunks(part).map(|_| self.spare.pop().unwrap_or_default()).collect();
        batches.iter_mut().for_each(Batch::clear);
        let params = before.as_ref().map(|b| Params {
            first: b.first,
            level_end: self.level_end,
            no_way_back: self.mode.reduce,
            other_bytes: self.system.bytes() + self.buffers() + b.batch.bytes(),
        });
        let Self { system, layout, mode, visited, sleepers, .. } = self;
        let sleepers = sleepers.as_ref();
        let context =
            Context { tables: &system.tables, layout, judge: system, mode: *mode, sleepers };
        let mut put = || visited.put_in(&before.as_ref()?.batch, layout.words(), params?);
        let jobs = batches.iter_mut().zip(parents.chunks(part).zip(asleep.chunks(states)));
        let done = if self.threads == 1 {
            jobs.for_each(|(batch, (states, asleep))| batch.follow(context, states, asleep));
            put()
        } else {
            std::thread::scope(|scope| {
                for (batch, (states, asleep)) in jobs {
                    scope.spawn(move || batch.follow(context, states, asleep));
                }
                put()
            })
        };
        if let Some(before) = before {
            if done.is_some() {
                self.unsure = before.first;
                return (None, done);
            }
            self.note(&before);
            self.spare.push(before.batch);
        }
        let mut batches = batches.into_iter();
        let joined = batches.next().map(|mut all| {
            for behind in batches {
                all.append(&behind);
                self.spare.push(behind);
            }
            self.fill_open(&mut all, &mut parents, &asleep);
            self.next += take;
            Ready { first, batch: all }
        });
        self.spare.push(Batch::with_room(parents));
        (joined, done)
    }

    /// Remembers what a block showed besides its followers.
    fn note(&mut self, block: &Ready) {
        self.dead_end |= block.batch.dead_end.is_some();
        if self.token_flaw.is_none() {
            self.token_flaw = block.batch.token_flaw.map(|place| block.first + place);
        }
    }

    /// Works out what was not known yet when a block was followed.
    fn fill_open(&mut self, batch: &mut Batch, parents: &mut Vec<u64>, asleep: &[Sleep]) {
        if !batch.counts.contains(&OPEN) {
            return;
        }
        let mut full = Batch::default();
        // Followers before `taken` are in `full`, those up to `end` belong to states before `place`.
        let (mut taken, mut end) = (0, 0);
        for (place, asleep) in asleep.iter().enumerate().take(batch.counts.len()) {
            if batch.counts[place] != OPEN {
                end += usize::from(batch.counts[place]);
                continue;
            }
            full.take_over(batch, taken..end, self.layout.words());
            taken = end;
            self.layout.unpack(self.layout.nth(parents, place), &mut full.ids);
            self.system.learn_state(&full.ids);
            self.make_room(&mut [parents, &mut batch.words, &mut full.words]);
            let context = Context { sleepers: self.sleepers.as_ref(), ..self.context() };
            let state = self.layout.nth(parents, place);
            let followed = full.follow_one(context, state, *asleep);
            let all = followed.expect("everything about the state was just worked out");
            (batch.counts[place], batch.enabled[place]) = (all.played, all.enabled);
            if all.enabled == 0 && batch.dead_end.is_none_or(|at| at > place) {
                let target = self.system.is_target(&full.ids);
                batch.dead_end = if target { batch.dead_end } else { Some(place) };
            }
        }
        full.take_over(batch, taken..end, self.layout.words());
        std::mem::swap(&mut batch.words, &mut full.words);
        std::mem::swap(&mut batch.asleep, &mut full.asleep);
    }

    /// When numbers have outgrown their bits, packs everything anew.
    fn make_room(&mut self, lists: &mut [&mut Vec<u64>]) {
        if !self.system.take_news() {
            return;
        }
        let counts = self.system.counts();
        if self.layout.fits(&counts) {
            return;
        }
        let old = {
            let new = Layout::for_counts(&counts, self.system.tables.total);
            std::mem::replace(&mut self.layout, new)
        };
        self.visited.store.repack(&old, &self.layout);
        for list in lists {
            **list = self.layout.repack(&old, list);
        }
    }
}

fn mode_of<A: Algorithm>(system: &TransitionSystem<A>, reduce: bool) -> Mode {
    let stop_at_goal = system.goal.as_ref().is_some_and(|g| g.when == When::Eventually);
    let plain = system.goal.is_none() && system.against.is_none();
    let simple = plain && !system.tables.has_extras;
    let tokens = simple && system.setup.info.token && !system.tables.mutex_only;
    Mode { plain, reduce: reduce && simple, tokens, stop_at_goal }
}
