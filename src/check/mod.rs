//! The checker: every schedule of a small cluster, breadth first, with a shortest one for what it finds.
//!
//! It plays the engine's own `react` and judges by the engine's own properties; no rule of an
//! algorithm, of a channel or of a clock is written here a second time. It reads no clock and draws no
//! number: the same search gives the same report, on any number of threads.

mod act;
mod counterexample;
mod cycle;
mod expand;
mod explorer;
mod graph;
mod known;
mod monitor;
mod moves;
mod node_state;
mod options;
mod pack;
mod property;
mod reachability;
mod reduction;
mod report;
mod sleep;
mod storage_moves;
mod storage_op;
mod store;
mod table;
mod tables;
mod transition_system;
mod visited;

pub use explorer::{Explorer, Search, finish};
pub use options::{Asked, FAULTS, FAULTS_COUNT, Faults, Requests, SearchOptions};
pub use report::{
    Progress, Report, Verdict, bounds, faults_in_words, first_events, requests_of_each,
    writes_in_words,
};
