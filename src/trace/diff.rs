//! What a step changed, cell by cell of the nodes table.
//!
//! Two views are compared; nothing else is known here.

use crate::model::NodeId;
use crate::sim::ClusterView;

/// A cell of the nodes table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// The node's phase, or whether it has crashed.
    State,
    /// Its clock.
    Clock,
    /// One of its variables.
    Field(&'static str),
}

/// The cells that differ between two views.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes(Vec<(NodeId, Cell)>);

impl Changes {
    /// What differs in `after`. Without a `before`, nothing does.
    #[must_use]
    pub fn between(before: Option<&ClusterView>, after: &ClusterView) -> Self {
        let mut changed = Vec::new();
        let Some(before) = before else { return Self::default() };
        for (old, new) in before.nodes.iter().zip(&after.nodes) {
            if (old.phase, old.crashed) != (new.phase, new.crashed) {
                changed.push((new.id, Cell::State));
            }
            if old.clock.unwrap_or(0) != new.clock.unwrap_or(0) {
                changed.push((new.id, Cell::Clock));
            }
            for (name, value) in &new.fields.0 {
                if old.fields.get(name) != Some(value) {
                    changed.push((new.id, Cell::Field(name)));
                }
            }
        }
        Self(changed)
    }

    /// Whether a cell differs.
    #[must_use]
    pub fn contains(&self, node: NodeId, cell: Cell) -> bool {
        self.0.contains(&(node, cell))
    }

    /// All cells that differ.
    pub fn iter(&self) -> impl Iterator<Item = &(NodeId, Cell)> {
        self.0.iter()
    }
}
