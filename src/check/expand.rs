//! From a run of packed states to all that follows from each of them, read-only, so that several
//! threads can do it at once.
//!
//! What was not worked out yet is left open and named; the explorer learns it and asks again.

use super::options::Faults;
use super::pack::Layout;
use super::property::Finding;
use super::world::{Act, Move, Unknown, World};
use crate::algorithm::Algorithm;
use crate::model::goal::When;

/// A state whose followers could not be told yet.
pub const OPEN: u16 = u16::MAX;

/// What follows from a run of states.
#[derive(Debug, Default)]
pub struct Batch {
    /// The followers, packed, in order.
    pub words: Vec<u64>,
    /// How many each state has, or `OPEN`.
    pub counts: Vec<u16>,
    /// The first state in which something was found, by its place.
    pub finding: Option<(usize, Finding)>,
    /// The first state whose tokens are not one.
    pub token_flaw: Option<usize>,
    /// The first state with nothing to play that is not where the run should come.
    pub dead_end: Option<usize>,
    ids: Vec<u32>,
    moves: Vec<Move>,
}

/// How states are followed.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Whether orders are left out where that changes no verdict.
    pub reduce: bool,
    /// Whether the number of tokens is looked at.
    pub tokens: bool,
    /// Whether a state in which the goal holds is an end.
    pub stop_at_goal: bool,
}

impl Mode {
    /// The mode of a search in a world.
    #[must_use]
    pub fn of<A: Algorithm>(world: &World<A>, reduce: bool) -> Self {
        let stop_at_goal = world.goal.as_ref().is_some_and(|g| g.when == When::Eventually);
        let plain = world.goal.is_none() && !world.has_extras();
        Self { reduce: reduce && plain, tokens: plain && A::INFO.token, stop_at_goal }
    }
}

impl Batch {
    /// An empty batch that keeps the memory of a list.
    #[must_use]
    pub fn with_room(words: Vec<u64>) -> Self {
        Self { words, ..Self::default() }
    }

    /// Forgets everything, for the next run of states.
    pub fn clear(&mut self, fields: usize) {
        self.words.clear();
        self.counts.clear();
        self.finding = None;
        self.token_flaw = None;
        self.dead_end = None;
        self.ids.clear();
        self.ids.resize(fields, 0);
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.counts.capacity() * 2
    }

    /// The state read last, as numbers.
    #[must_use]
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Looks at states without following them.
    pub fn look<A: Algorithm>(&mut self, world: &World<A>, layout: &Layout, states: &[u64]) {
        for (place, state) in states.chunks_exact(layout.words()).enumerate() {
            layout.unpack(state, &mut self.ids);
            if let Some(found) = world.finding(&self.ids) {
                self.finding.get_or_insert((place, found));
                return;
            }
        }
    }

    /// Follows a run of states. Stops at the first in which something is found.
    pub fn follow<A: Algorithm>(
        &mut self,
        world: &World<A>,
        layout: &Layout,
        mode: Mode,
        states: &[u64],
    ) {
        for (place, state) in states.chunks_exact(layout.words()).enumerate() {
            layout.unpack(state, &mut self.ids);
            if let Some(found) = world.finding(&self.ids) {
                self.finding = Some((place, found));
                return;
            }
            if mode.tokens && self.token_flaw.is_none() && world.tokens(&self.ids) != 1 {
                self.token_flaw = Some(place);
            }
            let count = self.followers(world, layout, mode, state).unwrap_or(OPEN);
            if count == 0 && self.dead_end.is_none() && !world.is_target(&self.ids) {
                self.dead_end = Some(place);
            }
            self.counts.push(count);
        }
    }

    /// Appends what follows from the state whose numbers were read last.
    fn followers<A: Algorithm>(
        &mut self,
        world: &World<A>,
        layout: &Layout,
        mode: Mode,
        state: &[u64],
    ) -> Result<u16, Unknown> {
        if mode.stop_at_goal && world.goal_holds(&self.ids) {
            return Ok(0);
        }
        let start = self.words.len();
        world.moves(&self.ids, &mut self.moves)?;
        if mode.reduce {
            world.reduce(&self.ids, &mut self.moves)?;
        }
        for mv in &self.moves {
            let next = world.successor(layout, &self.ids, state, mv, &mut self.words);
            if next.is_err() {
                self.words.truncate(start);
                return Err(Unknown);
            }
        }
        Ok(self.moves.len() as u16)
    }

    /// Appends what followed from the states behind.
    pub fn append(&mut self, behind: &Self) {
        let place = self.counts.len();
        if self.finding.is_some() {
            return;
        }
        self.words.extend_from_slice(&behind.words);
        self.counts.extend_from_slice(&behind.counts);
        self.finding = behind.finding.map(|(at, found)| (place + at, found));
        self.token_flaw = self.token_flaw.or(behind.token_flaw.map(|at| place + at));
        self.dead_end = self.dead_end.or(behind.dead_end.map(|at| place + at));
    }

    /// Follows one state alone and says what follows, once everything about it was worked out.
    pub fn follow_one<A: Algorithm>(
        &mut self,
        world: &World<A>,
        layout: &Layout,
        mode: Mode,
        state: &[u64],
    ) -> Result<u16, Unknown> {
        layout.unpack(state, &mut self.ids);
        self.followers(world, layout, mode, state)
    }

    /// The moves that were followed last.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

impl<A: Algorithm> World<A> {
    /// Works out everything about a state.
    pub fn learn_state(&mut self, ids: &[u32]) {
        let left = if self.has_extras() { self.extra(ids).faults } else { Faults::NONE };
        for (act, left) in [(Act::Drop, left.drop), (Act::Duplicate, left.duplicate)] {
            if left > 0 {
                let fields = self.channels().iter().map(|c| usize::from(c.field));
                for field in fields.collect::<Vec<_>>() {
                    self.learn_edits(ids[field], act);
                }
            }
        }
        let mut moves = Vec::new();
        let listed = self.moves(ids, &mut moves);
        debug_assert!(listed.is_ok(), "what faults leave behind was just worked out");
        for mv in &moves {
            self.learn(ids, mv);
        }
    }
}
