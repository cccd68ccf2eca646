//! The face of a cluster that does not show its algorithm's type.
//!
//! Screens, lessons and commands step clusters through it; nothing here knows which algorithm runs.

use super::record::StepRecord;
use super::view::{ClusterView, Lamps, WhyLine};
use crate::algorithm::Info;
use crate::model::goal::{Column, GoalError, Vocabulary};
use crate::model::{Event, Facts, Goal, NodeId, Setup, Value};

/// Why an event was refused. The cluster is then the old one to the bit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Refused {
    /// The reason, in words, without a full stop.
    pub reason: String,
}

/// A cluster that can be stepped.
pub trait Simulation: Facts + Send + Sync {
    /// The cluster as it was set up.
    fn setup(&self) -> &Setup;
    /// What is known about its algorithm.
    fn info(&self) -> &'static Info;
    /// How many steps were played.
    fn steps(&self) -> u32;
    /// Every event that can happen now, in the one fixed order: deliveries by age of the message, then
    /// requests, exits, reads, writes, timeouts, faults, each by node order. `tell` and `local` are always possible
    /// and are not listed.
    fn enabled(&self) -> Vec<Event>;
    /// The canonical form of an event.
    ///
    /// # Errors
    /// The reason, when the event is not enabled.
    fn check(&self, event: Event) -> Result<Event, Refused>;
    /// Plays an event.
    ///
    /// # Errors
    /// The reason, when the event is not enabled; nothing has changed then.
    fn step(&mut self, event: Event) -> Result<StepRecord, Refused>;
    /// Everything that can be seen.
    fn view(&self) -> ClusterView;
    /// The properties, at this state.
    fn lamps(&self) -> Lamps;
    /// Why a node is inside, waits or does not: its conditions for entering, and where what is
    /// missing is.
    fn why(&self, node: NodeId) -> Vec<WhyLine>;
    /// The first node whose script has failed, and why.
    fn fault(&self) -> Option<(NodeId, String)>;
    /// A copy that can be played on without touching this one.
    fn fork(&self) -> Box<dyn Simulation>;
    /// Sets a node's clock on to a value, as events of its own would, and returns by how many ticks; a
    /// clock that is there already stays.
    fn advance_clock(&mut self, node: NodeId, clock: u32) -> u32;
    /// Makes this state the beginning of the run: step 0, nothing counted yet.
    fn begin_here(&mut self);
    /// The whole state as text: two states are the same exactly when these are.
    fn digest(&self) -> String;
    /// A number made from what nodes, channels and the storage hold: equal states have equal ones, however
    /// they came about, and two different ones hardly ever do.
    fn fingerprint(&self) -> u64;
    /// Nobody waits, nobody is inside; messages may still be on their way.
    fn at_rest(&self) -> bool;
}

/// Reads a goal in the words of a cluster.
///
/// # Errors
/// Where and why the text is no goal, or could never hold there.
pub fn goal(text: &str, sim: &dyn Simulation) -> Result<Goal, GoalError> {
    let (info, setup) = (sim.info(), sim.setup());
    Goal::parse(
        text,
        &Vocabulary {
            names: &setup.names,
            kinds: info.kinds.iter().map(|kind| kind.name).collect(),
            columns: columns(sim),
            token: info.token,
            storage: setup.storage.is_some(),
        },
    )
}

/// The variables of a cluster's nodes, with what each holds and who has it.
#[must_use]
pub fn columns(sim: &dyn Simulation) -> Vec<Column> {
    let view = sim.view();
    let each = |value: &Value| match value.plain() {
        Value::PerNode(items) => items.iter().map(|(node, ..)| *node).collect(),
        _ => Vec::new(),
    };
    let one = |field: &crate::algorithm::FieldInfo| {
        let has = view.nodes.iter().filter_map(|n| Some((n.id, each(n.fields.get(field.name)?))));
        let shape = field.shape.settled(&sim.setup().options);
        Column { name: field.name, shape, at: has.collect() }
    };
    sim.info().fields.iter().map(one).collect()
}
