//! History: the tree of everything that was played, with the state after every step.
//!
//! A flat list of revisions that only grows: going back and choosing differently opens a branch, and
//! nothing that was played is ever lost. It knows no files and no screens.

use super::record::StepRecord;
use super::simulation::{Refused, Simulation};
use crate::model::{Event, Schedule};

/// A point of the tree. The beginning is revision 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RevId(u32);

impl RevId {
    /// The beginning.
    pub const ROOT: Self = Self(0);

    /// Its place in the list of revisions, in the order in which they were first played.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

struct Revision {
    parent: RevId,
    /// Where this revision stands among its parent's children, as a linked list.
    next_sibling: Option<RevId>,
    first_child: Option<RevId>,
    last_visited: Option<RevId>,
    record: Option<StepRecord>,
    state: Box<dyn Simulation>,
}

/// The tree of runs from one beginning, and where in it one stands.
pub struct History {
    revisions: Vec<Revision>,
    cursor: RevId,
}

impl History {
    /// A tree that holds only its beginning.
    #[must_use]
    pub fn new(start: Box<dyn Simulation>) -> Self {
        let root = Revision {
            parent: RevId::ROOT,
            next_sibling: None,
            first_child: None,
            last_visited: None,
            record: None,
            state: start,
        };
        Self { revisions: vec![root], cursor: RevId::ROOT }
    }

    fn rev(&self, id: RevId) -> &Revision {
        &self.revisions[id.index()]
    }

    /// The state where one stands.
    #[must_use]
    pub fn state(&self) -> &dyn Simulation {
        self.state_at(self.cursor)
    }

    /// The state at a point.
    #[must_use]
    pub fn state_at(&self, id: RevId) -> &dyn Simulation {
        self.rev(id).state.as_ref()
    }

    /// Where one stands.
    #[must_use]
    pub fn cursor(&self) -> RevId {
        self.cursor
    }

    /// How many points the tree has, the beginning included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.revisions.len()
    }

    /// Never: the beginning is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All points, in the order in which they were first played.
    pub fn all(&self) -> impl Iterator<Item = RevId> + use<> {
        (0..self.revisions.len() as u32).map(RevId)
    }

    /// What the step that led to a point did; `None` at the beginning.
    #[must_use]
    pub fn record(&self, id: RevId) -> Option<&StepRecord> {
        self.rev(id).record.as_ref()
    }

    /// What the step that led here did.
    #[must_use]
    pub fn last_record(&self) -> Option<&StepRecord> {
        self.record(self.cursor)
    }

    /// The point before; `None` at the beginning.
    #[must_use]
    pub fn parent(&self, id: RevId) -> Option<RevId> {
        (id != RevId::ROOT).then(|| self.rev(id).parent)
    }

    /// How many steps lead from the beginning to a point.
    #[must_use]
    pub fn depth(&self, id: RevId) -> u32 {
        self.record(id).map_or(0, |r| r.n)
    }

    /// The points one step after, in the order in which they were first played.
    pub fn children(&self, id: RevId) -> impl Iterator<Item = RevId> + '_ {
        let mut next = self.rev(id).first_child;
        std::iter::from_fn(move || {
            let child = next?;
            next = self.rev(child).next_sibling;
            Some(child)
        })
    }

    /// The point one step after that was visited last: where `forward` goes.
    #[must_use]
    pub fn next_visited(&self, id: RevId) -> Option<RevId> {
        self.rev(id).last_visited
    }

    /// The point and all before it, back to the beginning.
    pub fn ancestors(&self, id: RevId) -> impl Iterator<Item = RevId> + '_ {
        let mut next = Some(id);
        std::iter::from_fn(move || {
            let here = next?;
            next = self.parent(here);
            Some(here)
        })
    }

    /// The points after this one along the branch that was visited last.
    pub fn redo_path(&self, id: RevId) -> impl Iterator<Item = RevId> + '_ {
        let mut next = self.next_visited(id);
        std::iter::from_fn(move || {
            let here = next?;
            next = self.next_visited(here);
            Some(here)
        })
    }

    /// The events from the beginning to a point.
    #[must_use]
    pub fn schedule(&self, id: RevId) -> Schedule {
        let mut events: Vec<Event> =
            self.ancestors(id).filter_map(|r| self.record(r)).map(|r| r.event).collect();
        events.reverse();
        Schedule(events)
    }

    /// The records from the beginning to a point, in order.
    #[must_use]
    pub fn records(&self, id: RevId) -> Vec<&StepRecord> {
        let mut records: Vec<_> = self.ancestors(id).filter_map(|r| self.record(r)).collect();
        records.reverse();
        records
    }

    /// Plays an event from where one stands. The same event again walks into the branch that exists.
    ///
    /// # Errors
    /// The reason, when the event is not enabled; nothing has changed then.
    pub fn play(&mut self, event: Event) -> Result<RevId, Refused> {
        let id = self.reach(event)?;
        self.visit(id);
        Ok(id)
    }

    /// Adds a branch from the beginning and stays where one stands; `forward` goes where it went. What
    /// cannot happen ends the branch.
    pub fn graft(&mut self, events: &[Event]) {
        let stood = std::mem::replace(&mut self.cursor, RevId::ROOT);
        for event in events {
            let Ok(next) = self.reach(*event) else { break };
            self.cursor = next;
        }
        self.cursor = stood;
    }

    /// The point to which an event leads from where one stands.
    fn reach(&mut self, event: Event) -> Result<RevId, Refused> {
        let canonical = self.state().check(event)?;
        let existing = self
            .children(self.cursor)
            .find(|c| self.record(*c).is_some_and(|r| r.event == canonical));
        existing.map_or_else(|| self.grow(canonical), Ok)
    }

    fn grow(&mut self, event: Event) -> Result<RevId, Refused> {
        let mut state = self.state().fork();
        let record = state.step(event)?;
        let id =
            RevId(u32::try_from(self.revisions.len()).expect("a run has fewer than 2^32 steps"));
        self.revisions.push(Revision {
            parent: self.cursor,
            next_sibling: None,
            first_child: None,
            last_visited: None,
            record: Some(record),
            state,
        });
        match self.children(self.cursor).last() {
            Some(last) => self.revisions[last.index()].next_sibling = Some(id),
            None => self.revisions[self.cursor.index()].first_child = Some(id),
        }
        Ok(id)
    }

    fn visit(&mut self, id: RevId) {
        let parent = self.rev(id).parent;
        if id != RevId::ROOT {
            self.revisions[parent.index()].last_visited = Some(id);
        }
        self.cursor = id;
    }

    /// One step back. Says whether there was one.
    pub fn back(&mut self) -> bool {
        match self.parent(self.cursor) {
            Some(parent) => {
                self.cursor = parent;
                true
            }
            None => false,
        }
    }

    /// One step forward along the branch that was visited last. Says whether there was one.
    pub fn forward(&mut self) -> bool {
        match self.next_visited(self.cursor) {
            Some(next) => {
                self.cursor = next;
                true
            }
            None => false,
        }
    }

    /// Goes to a point; `forward` then follows the way by which it was reached.
    ///
    /// # Panics
    /// If the point belongs to another tree.
    pub fn go_to(&mut self, id: RevId) {
        let way: Vec<RevId> = self.ancestors(id).collect();
        for here in way.into_iter().rev() {
            self.visit(here);
        }
    }
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("History")
            .field("revisions", &self.revisions.len())
            .field("cursor", &self.cursor)
            .finish()
    }
}
