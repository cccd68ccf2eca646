//! Facts derived from a history: what changed, one sentence a step, who could have known what, the
//! picture in abstract coordinates.
//!
//! Nothing is stored here and nothing is played.

pub mod causality;
pub mod diagram;
pub mod diff;
pub mod narrate;

pub use causality::Causality;
pub use diagram::{Arrow, ArrowEnd, Column, Diagram, Mark, Window};
pub use diff::{Cell, Changes};
