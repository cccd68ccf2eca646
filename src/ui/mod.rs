//! The screens of the program and their loop, on one terminal.
//!
//! An [`Application`] takes [`Input`]s, answers with a [`Flow`] and draws itself; `event_loop` does what
//! follows; `terminal` is all that reads from the terminal or writes to it.

pub mod action;
pub mod app;
pub mod application;
mod background;
pub mod color;
pub mod course;
mod event_loop;
mod fault_injection;
pub mod glyphs;
mod gnu_screen;
pub mod keymap;
pub mod layout;
pub mod list;
pub mod panel;
pub mod picture;
pub mod plain;
pub mod present_link;
mod previewing;
pub mod screen;
mod sharing;
pub mod shot;
mod signals;
mod terminal;
pub mod theme;

use crate::files;
use std::path::Path;

pub use application::{Application, Ending, Flow, TerminalOptions, UiError};
pub use event_loop::run;
pub use keymap::{Input, Key};

/// The text of a file that a person names.
fn read_file(path: &str) -> Result<String, String> {
    let text = files::open(Path::new(path)).and_then(files::text);
    text.map_err(|error| format!("`{path}` cannot be read: {error}"))
}

/// Writes a new file that a person names; one that is there already is left alone.
fn write_new_file(path: &str, text: &str) -> Result<(), String> {
    files::write_new(Path::new(path), text.as_bytes()).map_err(|error| error.to_string())
}
