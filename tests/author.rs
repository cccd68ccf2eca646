//! Sharing and authoring: what somebody has sent is opened, what was played is handed on, and a lesson is
//! looked at while it is written.

#[path = "support/screen.rs"]
mod screen;
mod support;

#[path = "author/given.rs"]
mod given;
#[path = "author/preview.rs"]
mod preview;
#[path = "author/record.rs"]
mod record;
