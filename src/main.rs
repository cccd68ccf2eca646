//! Lockstep.
fn main() {}
