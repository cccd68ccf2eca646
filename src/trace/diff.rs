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
    /// What the storage node keeps.
    Storage,
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
        if let (Some(old), Some(new)) = (&before.storage, &after.storage)
            && (old.writes.len(), old.highest, old.last)
                != (new.writes.len(), new.highest, new.last)
        {
            changed.push((new.node, Cell::Storage));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Lab;
    use crate::model::Config;

    const P1: NodeId = NodeId(0);
    const P2: NodeId = NodeId(1);

    fn lab(algorithm: &str, run: &str) -> Lab {
        let mut lab = Lab::new(Config::new(algorithm, 2)).expect("default settings");
        lab.play_schedule(run).expect("every event is enabled where it stands");
        lab
    }

    /// The cells that one more event changes.
    fn changed_by(lab: &mut Lab, event: &str) -> Vec<(NodeId, Cell)> {
        let before = lab.state().view();
        lab.play_schedule(event).expect("an enabled event");
        Changes::between(Some(&before), &lab.state().view()).iter().copied().collect()
    }

    #[test]
    fn a_request_changes_the_asking_node_alone() {
        let mut lab = lab("ricart-agrawala", "");
        let cells = [(P1, Cell::State), (P1, Cell::Clock), (P1, Cell::Field("request"))];
        assert_eq!(changed_by(&mut lab, "request P1"), cells);
    }

    #[test]
    fn a_receipt_changes_what_its_handler_changed() {
        let mut lab = lab("ricart-agrawala", "request P1; request P2");
        assert_eq!(changed_by(&mut lab, "deliver P2>P1"), [(P1, Cell::Field("deferred"))]);
        assert_eq!(changed_by(&mut lab, "deliver P1>P2"), [], "equal clocks, and P2 only replies");
        let entry = [(P1, Cell::State), (P1, Cell::Field("replies"))];
        assert_eq!(changed_by(&mut lab, "deliver P2>P1"), entry);
    }

    #[test]
    fn what_happens_in_the_network_changes_no_cell() {
        let mut lab = lab("suzuki-kasami", "request P2");
        assert_eq!(changed_by(&mut lab, "duplicate P2>P1"), []);
        assert_eq!(changed_by(&mut lab, "drop P2>P1"), []);
        assert_eq!(changed_by(&mut lab, "crash P1"), [(P1, Cell::State)]);
        assert_eq!(changed_by(&mut lab, "deliver P2>P1"), [], "it is lost");
    }

    #[test]
    fn a_clock_that_appears_at_zero_has_not_changed() {
        let mut lab = lab("suzuki-kasami", "");
        assert_eq!(lab.state().view().nodes[1].clock, None);
        assert_eq!(changed_by(&mut lab, "local P1"), [(P1, Cell::Clock)]);
        assert_eq!(lab.state().view().nodes[1].clock, Some(0));
    }

    #[test]
    fn a_write_changes_what_the_storage_keeps_once_it_has_arrived() {
        let config = Config {
            storage: Some(crate::model::StorageRule::Plain),
            ..Config::new("ricart-agrawala", 1)
        };
        let mut lab = Lab::new(config).expect("default settings");
        lab.play_schedule("request P1").expect("alone, it enters");
        assert_eq!(changed_by(&mut lab, "write P1"), []);
        assert_eq!(changed_by(&mut lab, "deliver P1>S"), [(NodeId(1), Cell::Storage)]);
        assert_eq!(changed_by(&mut lab, "deliver S>P1"), []);
    }

    #[test]
    fn without_a_state_before_nothing_has_changed() {
        let lab = lab("ricart-agrawala", "request P1");
        let changes = Changes::between(None, &lab.state().view());
        assert_eq!(changes, Changes::default());
        let start = Lab::new(Config::new("ricart-agrawala", 2)).expect("default settings");
        let all = Changes::between(Some(&start.state().view()), &lab.state().view());
        assert!(all.contains(P1, Cell::Clock) && !all.contains(P2, Cell::Clock));
    }
}
