//! The line between a presentation and its notes: two small files in the user's state folder.
//!
//! The hall writes where it stands whenever that changes. The notes look at that file, have the same lesson
//! before them, and show it there. A key that is pressed in the notes is a [`Wish`]: the notes write it into
//! the second file, at which the hall looks, and the hall says in the first one up to which wish it has come.
//! Both sides only look now and then, so that neither waits for the other. Nothing of the lesson is in the
//! files, only numbers and keys.

mod files;
mod hall_link;
mod notes_link;
mod place;
mod wish;

pub use files::{Files, NoLink};
pub use hall_link::HallLink;
pub use notes_link::{Followed, NotSent, NotesLink};
pub use place::{Aside, Place, PlaceFile, Shown, Unreadable};
pub use wish::Wish;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How often each side looks at the other's file.
pub const LOOK: Duration = Duration::from_millis(150);

/// How often they look while keys come.
pub const QUICK_LOOK: Duration = Duration::from_millis(20);

/// The version of both files. Fields may be added without a new one.
const VERSION: u32 = 2;

/// The time, in seconds since 1970.
#[must_use]
pub fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
