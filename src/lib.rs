//! Lockstep.
pub mod input;
