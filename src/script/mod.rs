//! Algorithms that somebody wrote in a file: the language, and the one algorithm that runs them.
//!
//! A script is run from top to bottom for each question, by an interpreter that reaches nothing outside
//! it: no file, no clock, no chance. What it answers depends on the node and the message alone.

mod call;
mod compile;
pub mod examples;
mod functions;
mod grammar;
mod scripted;
mod statements;
mod told;
mod value;
mod words;

pub use scripted::{Msg, Scripted, State};
pub use value::Val;
pub use words::Declared;

use crate::input::Problems;
use crate::model::Script;
use crate::model::setup::Info;
use compile::Compiled;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// So many scripts are kept ready by each thread.
const READY: usize = 8;

thread_local! {
    /// Scripts that were read, the last used one last. The interpreter's form cannot leave its thread.
    static LOADED: RefCell<Vec<Rc<Compiled>>> = const { RefCell::new(Vec::new()) };
}

/// A script, ready to run.
fn compiled(script: &Arc<Script>) -> Result<Rc<Compiled>, Problems> {
    let known = LOADED.with_borrow(|all| {
        let same = |one: &&Rc<Compiled>| Arc::ptr_eq(&one.script, script) || one.script == *script;
        all.iter().rev().find(same).cloned()
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let new = Rc::new(compile::compile(script)?);
    LOADED.with_borrow_mut(|all| {
        if all.len() == READY {
            all.remove(0);
        }
        all.push(Rc::clone(&new));
    });
    Ok(new)
}

/// What a script tells of its algorithm.
///
/// # Errors
/// All that is wrong with it.
pub fn info(script: &Arc<Script>) -> Result<&'static Info, Problems> {
    compiled(script).map(|compiled| compiled.info)
}
