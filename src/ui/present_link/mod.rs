//! The line between a presentation and its notes: a socket on this machine, in a private folder.
//!
//! It carries what is shown and knows nothing of how it is drawn. A slow or lost reader never holds the
//! presentation up: whoever is ready to read gets the newest state, and older ones are skipped.

mod folder;
mod guest;
mod host;
mod wire;

pub use folder::{Folder, NoLink};
pub use guest::{Guest, Heard};
pub use host::Host;
pub use wire::{Line, Now, Place, VERSION};

use std::time::{SystemTime, UNIX_EPOCH};

/// The time, in seconds since 1970.
#[must_use]
pub fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
