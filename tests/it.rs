//! What needs nothing but the program: one test program, each file below a module of it.
//!
//! `cargo test --test it screens` runs one file, `cargo test --test it screens::a_key` a part of it.

mod answering;
mod apart;
mod cases;
mod check;
mod checking;
mod cli;
mod compat;
mod conformance;
mod course;
mod course_at_80x24;
mod docs;
mod drill;
mod engine_cases;
mod export;
mod faces;
mod files;
mod grade;
mod guides;
mod input;
mod judge;
mod keys;
mod layers;
mod lessons;
mod orders;
mod overtaking;
mod picture_labels;
mod pictures;
mod questions;
mod replay;
mod rows_by_need;
mod schema;
mod screens;
mod scripts;
mod settings;
mod sizes;
mod start_page;
mod words;

#[path = "support/program.rs"]
mod program;
#[path = "support/runs.rs"]
mod runs;
#[path = "support/screen.rs"]
mod screen;
#[path = "support/states.rs"]
mod states;
