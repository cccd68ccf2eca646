//! The words for what a step turned out to do.
//!
//! The engine's own words stand here; an algorithm declares its own with its rules.

/// A client asked for the lock.
pub const REQUEST: &str = "request";
/// A client entered the critical section.
pub const ENTER: &str = "enter";
/// A client left the critical section.
pub const EXIT: &str = "exit";
/// A message was lost: dropped, or delivered to a crashed node.
pub const LOST: &str = "lost";
/// A message outside the algorithm was sent.
pub const TELL: &str = "tell";
/// A message outside the algorithm raised its receiver's clock.
pub const RAISED: &str = "raised";
/// A message outside the algorithm left its receiver's clock as it was.
pub const KEPT: &str = "kept";
/// A node had an event of its own.
pub const LOCAL: &str = "local";
/// A message was copied.
pub const DUPLICATE: &str = "duplicate";
/// A node crashed.
pub const CRASH: &str = "crash";
/// A node recovered.
pub const RECOVER: &str = "recover";
/// A timer fired.
pub const TIMEOUT: &str = "timeout";
/// A write was sent to the storage node.
pub const WRITE: &str = "write";
/// A read was sent to the storage node.
pub const READ: &str = "read";
/// The storage node took a write.
pub const ACCEPTED: &str = "accepted";
/// The storage node refused a read or a write.
pub const REFUSED: &str = "refused";
/// The storage node took a write that undoes another one which its writer had not seen.
pub const LOST_UPDATE: &str = "lost-update";

/// All of the engine's own words.
pub const ENGINE: [&str; 17] = [
    REQUEST,
    ENTER,
    EXIT,
    LOST,
    TELL,
    RAISED,
    KEPT,
    LOCAL,
    DUPLICATE,
    CRASH,
    RECOVER,
    TIMEOUT,
    WRITE,
    READ,
    ACCEPTED,
    REFUSED,
    LOST_UPDATE,
];
