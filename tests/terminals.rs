//! What needs a terminal: the program runs in a pseudo-terminal, and its screen is read back.
//!
//! `cargo test --test terminals present` runs one file.

mod author;
mod lesson_by_keys;
mod plain;
mod present;
mod progress;
mod tui;

#[path = "support/program.rs"]
mod program;
#[path = "support/screen.rs"]
mod screen;
mod support;
