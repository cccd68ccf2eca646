//! From a run of packed states to all that follows from each of them, read-only, so that several
//! threads can do it at once.
//!
//! What was not worked out yet is left open and named; the graph has it worked out and asks again.

use super::pack::{Ids, Layout, sized};
use super::property::{Finding, Judge};
use super::tables::{Move, Tables, Unknown};

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
    /// The state read last.
    pub ids: Ids,
    /// What was played in it, where that is kept.
    pub moves: Vec<Move>,
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
pub struct Guide<'a> {
    /// What events do.
    pub tables: &'a Tables,
    /// How states are packed.
    pub layout: &'a Layout,
    /// What is asked of each state.
    pub judge: &'a dyn Judge,
    /// How states are followed.
    pub mode: Mode,
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
        self.counts.clear();
        self.finding = None;
        self.token_flaw = None;
        self.dead_end = None;
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.counts.capacity() * size_of::<u16>()
    }

    /// Follows a run of states. Stops at the first in which something is found.
    pub fn follow(&mut self, guide: Guide<'_>, states: &[u64]) {
        // Numbers without bits are 0 in every state.
        self.ids = Ids::default();
        sized!(guide.layout.words(), W => self.follow_sized::<W>(guide, states));
    }

    fn follow_sized<const W: usize>(&mut self, guide: Guide<'_>, states: &[u64]) {
        let Guide { tables, layout, judge, mode } = guide;
        for (place, state) in states.as_chunks::<W>().0.iter().enumerate() {
            layout.unpack(state, &mut self.ids);
            let found = if mode.plain { tables.flaw(&self.ids) } else { judge.finding(&self.ids) };
            if let Some(found) = found {
                self.finding = Some((place, found));
                return;
            }
            if mode.tokens && self.token_flaw.is_none() && tables.tokens(&self.ids) != 1 {
                self.token_flaw = Some(place);
            }
            let count = self.followers(guide, state).unwrap_or(OPEN);
            if count == 0 && self.dead_end.is_none() && !judge.is_target(&self.ids) {
                self.dead_end = Some(place);
            }
            self.counts.push(count);
        }
    }

    /// Appends what follows from the state whose numbers were read last.
    #[inline]
    fn followers<const W: usize>(
        &mut self,
        guide: Guide<'_>,
        state: &[u64; W],
    ) -> Result<u16, Unknown> {
        let Guide { tables, layout, judge, mode } = guide;
        if mode.stop_at_goal && judge.goal_holds(&self.ids) {
            return Ok(0);
        }
        let Self { words, ids, moves, .. } = self;
        let start = words.len();
        let done = if mode.reduce {
            reduced(tables, ids, moves).and_then(|()| {
                moves.iter().try_for_each(|mv| {
                    words.extend_from_slice(&tables.successor(layout, ids, state, mv)?);
                    Ok(())
                })
            })
        } else {
            tables.visit_moves(ids, |mv| {
                words.extend_from_slice(&tables.successor(layout, ids, state, &mv)?);
                Ok(())
            })
        };
        if done.is_err() {
            words.truncate(start);
        }
        done.map(|()| ((words.len() - start) / W) as u16)
    }

    /// Appends what follows from one state, and keeps what was played.
    ///
    /// # Errors
    /// When something about it was not worked out yet.
    pub fn follow_one(&mut self, guide: Guide<'_>, state: &[u64]) -> Result<u16, Unknown> {
        guide.layout.unpack(state, &mut self.ids);
        self.moves.clear();
        guide.tables.visit_moves(&self.ids, |mv| {
            self.moves.push(mv);
            Ok(())
        })?;
        if guide.mode.reduce {
            guide.tables.reduce(&self.ids, &mut self.moves)?;
        }
        sized!(guide.layout.words(), W => {
            let state: &[u64; W] = state.try_into().expect("a state has as many words");
            self.followers(guide, state)
        })
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
}

/// Lists what has to be played.
fn reduced(tables: &Tables, ids: &Ids, moves: &mut Vec<Move>) -> Result<(), Unknown> {
    moves.clear();
    tables.visit_moves(ids, |mv| {
        moves.push(mv);
        Ok(())
    })?;
    tables.reduce(ids, moves)
}
