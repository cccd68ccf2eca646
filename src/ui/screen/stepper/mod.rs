//! The stepper: one cluster, one message at a time, everything in sight.
//!
//! Its state stands in `state`; `input` and `commands` turn keys and typed lines into commands of the
//! session, `told` says what comes of them, and `draw` shows it all.

mod answer;
mod commands;
mod complete;
mod draw;
mod entry;
mod input;
mod keys;
mod line;
mod lines;
mod over;
mod page;
mod played;
mod sheet;
mod state;
mod table;
mod told;

pub use draw::draw;
pub use keys::HELP as QUESTION_KEYS;
pub use state::{Ask, Stepper, Zoom};
