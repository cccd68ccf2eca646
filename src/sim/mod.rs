//! The only engine: it steps a cluster one event at a time, for every screen, checker and grader.
//!
//! It decides what is enabled, moves messages and lets nodes in; what a node answers is decided by
//! its algorithm alone.

pub mod channel;
pub mod cluster;
mod facts;
pub mod history;
pub mod kept_back;
pub mod react;
pub mod record;
mod refuse;
pub mod scheduler;
pub mod simulation;
pub mod storage;
mod storage_steps;
pub mod store;
#[cfg(test)]
mod tests;
pub mod view;
mod why;

pub use cluster::{Cluster, TELL};
pub use history::{History, RevId};
pub use kept_back::KeptBack;
pub use react::{Input, Local, react};
pub use record::{Fate, Moved, Sent, StepRecord};
pub use scheduler::{Policy, SplitMix64};
pub use simulation::{Refused, Simulation, columns, goal};
pub use store::{StorageMsg, StorageRequest, Store};
pub use view::{ClusterView, FlightView, Lamps, Mutex, NodeView, Order, Progress, Wait, WhyLine};
pub use view::{Fence, StorageView, WriteView};
