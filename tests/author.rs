//! Sharing and authoring: what somebody has sent is opened, what was played is handed on, and a lesson is
//! looked at while it is written.

mod given;
mod preview;
mod record;
