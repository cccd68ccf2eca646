//! Lockstep steps a small cluster one message at a time and shows why a lock is held.
//!
//! Layers, each of which uses only those to its right:
//! `cli → ui → session → export, lesson → lab, judge → catalog → check, trace → sim → script → algorithm → model → input`.

pub mod algorithm;
pub mod catalog;
pub mod check;
pub mod cli;
pub mod export;
pub mod files;
pub mod input;
pub mod judge;
pub mod lab;
pub mod lesson;
pub mod model;
pub mod script;
pub mod session;
pub mod sim;
pub mod trace;
pub mod ui;
