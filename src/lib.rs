//! Lockstep.

pub mod ui;
