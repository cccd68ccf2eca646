//! From a run of packed states to all that follows from each of them, read-only, so that several
//! threads can do it at once.
//!
//! What was not worked out yet is left open and named; the graph has it worked out and asks again.

use super::act::{Move, Unknown};
use super::pack::{Ids, Layout, sized};
use super::property::{Finding, Property};
use super::sleep::{Sleep, Sleepers};
use super::tables::Tables;

/// A state whose followers could not be told yet.
pub const OPEN: u16 = u16::MAX;

/// What follows from a run of states.
#[derive(Debug, Default)]
pub struct Batch {
    /// The followers, packed, in order.
    pub words: Vec<u64>,
    /// What sleeps in each of them, where anything sleeps.
    pub asleep: Vec<Sleep>,
    /// How many each state has, or `OPEN`.
    pub counts: Vec<u16>,
    /// How many events are enabled in each state.
    pub enabled: Vec<u16>,
    /// The first state in which something was found, by its place.
    pub finding: Option<(usize, Finding)>,
    /// The first state whose tokens are not one.
    pub token_flaw: Option<usize>,
    /// The first state with nothing to play that is not where the run should come.
    pub dead_end: Option<usize>,
    /// The state read last.
    pub ids: Ids,
    /// What was played in the state that was followed last, where nothing sleeps.
    pub moves: Vec<Move>,
}

/// What follows from one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Followers {
    /// How many states were appended.
    pub played: u16,
    /// How many events are enabled.
    pub enabled: u16,
}

/// How states are followed.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Whether the question is whether the algorithm is right.
    pub plain: bool,
    /// Whether orders are left out where that changes no verdict.
    pub reduce: bool,
    /// Whether the number of tokens is looked at.
    pub tokens: bool,
    /// Whether a state in which the goal holds is an end.
    pub stop_at_goal: bool,
}

/// All that following needs and does not change.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// What events do.
    pub tables: &'a Tables,
    /// How states are packed.
    pub layout: &'a Layout,
    /// What is asked of each state.
    pub judge: &'a dyn Property,
    /// How states are followed.
    pub mode: Mode,
    /// Who wakes whom, where events may sleep.
    pub sleepers: Option<&'a Sleepers>,
}

impl Batch {
    /// An empty batch that keeps the memory of a list.
    #[must_use]
    pub fn with_room(words: Vec<u64>) -> Self {
        Self { words, ..Self::default() }
    }

    /// Forgets everything, for the next run of states.
    pub fn clear(&mut self) {
        self.words.clear();
        self.asleep.clear();
        self.counts.clear();
        self.enabled.clear();
        self.finding = None;
        self.token_flaw = None;
        self.dead_end = None;
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists = self.counts.capacity() + self.enabled.capacity();
        let asleep = self.asleep.capacity() * size_of::<Sleep>();
        self.words.capacity() * size_of::<u64>() + lists * size_of::<u16>() + asleep
    }

    /// Follows a run of states, of which each has events that sleep. Stops at the first in which
    /// something is found.
    pub fn follow(&mut self, context: Context<'_>, states: &[u64], asleep: &[Sleep]) {
        // Numbers without bits are 0 in every state.
        self.ids = Ids::default();
        sized!(context.layout.words(), W => self.follow_sized::<W>(context, states, asleep));
    }

    fn follow_sized<const W: usize>(
        &mut self,
        context: Context<'_>,
        states: &[u64],
        asleep: &[Sleep],
    ) {
        let Context { tables, layout, judge, mode, sleepers } = context;
        for (place, state) in states.as_chunks::<W>().0.iter().enumerate() {
            let mut enabled = layout.unpack_noting(state, &mut self.ids);
            let found = match mode.plain {
                true => tables.flaw(&self.ids),
                false => judge.finding(&self.ids),
            };
            if let Some(found) = found {
                self.finding = Some((place, found));
                return;
            }
            if mode.tokens && self.token_flaw.is_none() && tables.tokens(&self.ids) != 1 {
                self.token_flaw = Some(place);
            }
            let followed = match sleepers {
                Some(sleepers) => {
                    enabled |= sleepers.own(tables, &self.ids);
                    let asleep = asleep.get(place).copied().unwrap_or(0);
                    self.followers_awake(context, sleepers, state, enabled, asleep)
                }
                None => self.followers(context, state),
            };
            let Followers { played, enabled } =
                followed.unwrap_or(Followers { played: OPEN, enabled: OPEN });
            if enabled == 0 && self.dead_end.is_none() && !judge.is_target(&self.ids) {
                self.dead_end = Some(place);
            }
            self.counts.push(played);
            self.enabled.push(enabled);
        }
    }

    /// Appends what follows from the state whose numbers were read last, but for what sleeps.
    #[inline]
    fn followers_awake<const W: usize>(
        &mut self,
        context: Context<'_>,
        sleepers: &Sleepers,
        state: &[u64; W],
        enabled: Sleep,
        asleep: Sleep,
    ) -> Result<Followers, Unknown> {
        let Context { tables, layout, .. } = context;
        let Self { words, ids, asleep: sleep_lists, .. } = self;
        let (start, sleep_start) = (words.len(), sleep_lists.len());
        let done = sleepers.play(tables, ids, enabled, asleep, |mv, asleep| {
            words.extend_from_slice(&tables.successor(layout, ids, state, &mv)?);
            sleep_lists.push(asleep);
            Ok(())
        });
        if done.is_err() {
            words.truncate(start);
            sleep_lists.truncate(sleep_start);
            return Err(Unknown);
        }
        let played = (sleep_lists.len() - sleep_start) as u16;
        Ok(Followers { played, enabled: sleepers.count(tables, ids, enabled) })
    }

    /// Appends what follows from the state whose numbers were read last.
    fn followers<const W: usize>(
        &mut self,
        context: Context<'_>,
        state: &[u64; W],
    ) -> Result<Followers, Unknown> {
        let Context { tables, layout, judge, mode, .. } = context;
        if mode.stop_at_goal && judge.goal_holds(&self.ids) {
            return Ok(Followers { played: 0, enabled: 0 });
        }
        self.list_moves(context)?;
        let Self { words, ids, moves, .. } = self;
        let start = words.len();
        for mv in &*moves {
            match tables.successor(layout, ids, state, mv) {
                Ok(next) => words.extend_from_slice(&next),
                Err(unknown) => {
                    words.truncate(start);
                    return Err(unknown);
                }
            }
        }
        let all = moves.len() as u16;
        Ok(Followers { played: all, enabled: all })
    }

    /// Appends what follows from one state.
    ///
    /// # Errors
    /// When something about it was not worked out yet.
    pub fn follow_one(
        &mut self,
        context: Context<'_>,
        state: &[u64],
        asleep: Sleep,
    ) -> Result<Followers, Unknown> {
        context.layout.unpack(state, &mut self.ids);
        sized!(context.layout.words(), W => {
            let state: &[u64; W] = state.try_into().expect("a state has as many words");
            match context.sleepers {
                Some(sleepers) => {
                    let enabled = sleepers.enabled(context.tables, &self.ids);
                    self.followers_awake(context, sleepers, state, enabled, asleep)
                }
                None => self.followers(context, state),
            }
        })
    }

    /// Lists what is played in the state whose numbers were read last.
    fn list_moves(&mut self, context: Context<'_>) -> Result<(), Unknown> {
        let Self { ids, moves, .. } = self;
        moves.clear();
        context.tables.visit_moves(ids, |mv| {
            moves.push(mv);
            Ok(())
        })?;
        if context.mode.reduce { context.tables.reduce(ids, moves) } else { Ok(()) }
    }

    /// Appends some of another batch's followers.
    pub fn take_over(&mut self, other: &Self, followers: std::ops::Range<usize>, words: usize) {
        let stretch = followers.start * words..followers.end * words;
        self.words.extend_from_slice(&other.words[stretch]);
        if !other.asleep.is_empty() {
            self.asleep.extend_from_slice(&other.asleep[followers]);
        }
    }

    /// Appends what followed from the states behind.
    pub fn append(&mut self, behind: &Self) {
        let place = self.counts.len();
        if self.finding.is_some() {
            return;
        }
        self.words.extend_from_slice(&behind.words);
        self.asleep.extend_from_slice(&behind.asleep);
        self.enabled.extend_from_slice(&behind.enabled);
        self.counts.extend_from_slice(&behind.counts);
        self.finding = behind.finding.map(|(at, found)| (place + at, found));
        self.token_flaw = self.token_flaw.or(behind.token_flaw.map(|at| place + at));
        self.dead_end = self.dead_end.or(behind.dead_end.map(|at| place + at));
    }
}
