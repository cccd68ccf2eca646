//! The checker: every schedule of a small cluster, breadth first, with a shortest one for what it finds.
//!
//! It plays the engine's own `react` and judges by the engine's own properties; no rule of an
//! algorithm, of a channel or of a clock is written here a second time. It reads no clock and draws no
//! number: the same search gives the same report, on any number of threads.

mod cycle;
mod doom;
mod errand;
mod expand;
mod explorer;
mod graph;
mod monitor;
mod moves;
mod options;
mod pack;
mod property;
mod reduction;
mod report;
mod seat;
mod shelf;
mod sleep;
mod store;
mod table;
mod tables;
mod trail;
mod world;

pub use explorer::{Explorer, Search, finish};
pub use options::{Asked, FAULTS, FAULTS_COUNT, Faults, Requests, SearchOptions};
pub use report::{
    Progress, Report, Verdict, bounds, faults_in_words, first_events, requests_of_each,
    writes_in_words,
};
