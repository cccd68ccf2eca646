//! One call of a script: what it may know, and what it leaves behind.
//!
//! The interpreter's functions and statements have no place for it of their own; it stands here, once
//! for each thread, for as long as the call runs.

use super::value::Val;
use super::words::Declared;
use crate::model::{Names, NodeId, NodeSet, Stamp};
use rhai::{Dynamic, Expr};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a script is asked.
#[derive(Clone, Debug, Default)]
pub(super) enum Asked {
    /// The first values of the variables, and what `on start` does.
    Start,
    /// What it does when the application asks or leaves, a timer fires or the node recovers.
    Event(&'static str),
    /// What it does with a message.
    Receipt { kind: &'static str, from: NodeId, values: Vec<Dynamic> },
    /// Whether the node enters.
    Entry,
    /// What there is to see.
    #[default]
    View,
}

impl Asked {
    /// Whether something happens, so that messages may be sent and the clock may tick.
    pub(super) fn acts(&self) -> bool {
        !matches!(self, Self::Entry | Self::View)
    }

    /// Its name, as `on` has it.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Event(name) => name,
            Self::Receipt { kind, .. } => kind,
            Self::Entry | Self::View => "",
        }
    }
}

/// A `need` that was looked at.
#[derive(Clone, Debug)]
pub(super) struct Needed {
    pub(super) met: bool,
    pub(super) text: String,
    pub(super) from: Option<NodeId>,
    pub(super) kinds: &'static [&'static str],
    pub(super) later_than: Option<Stamp>,
    pub(super) leaving: bool,
}

/// What there is to see of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) shown: Vec<(&'static str, Val)>,
    pub(super) owes: NodeSet,
    pub(super) stamp: Option<Stamp>,
    pub(super) tokens: u32,
    pub(super) timer: Option<&'static str>,
    pub(super) fence: Option<u64>,
}

/// A rule that fired: its number, its sentence, the word for what happened.
#[derive(Clone, Debug)]
pub(super) struct Fired {
    pub(super) id: &'static str,
    pub(super) text: String,
    pub(super) word: Option<&'static str>,
}

/// One call.
#[derive(Debug, Default)]
pub(super) struct Call {
    pub(super) asked: Asked,
    pub(super) explain: bool,
    pub(super) me: NodeId,
    pub(super) helper: Option<NodeId>,
    pub(super) clients: usize,
    pub(super) names: Rc<Names>,
    pub(super) kinds: Rc<Vec<&'static Declared>>,
    pub(super) steps: Rc<BTreeMap<String, Expr>>,
    /// The events for which the helper has a handler of its own.
    pub(super) at_helper: Rc<Vec<String>>,
    /// The values of the variables before it, in the order of the text.
    pub(super) before: Vec<Val>,
    /// How many of them were put in place.
    pub(super) placed: usize,
    pub(super) clock: u32,
    /// Whether some handler was for it.
    pub(super) handled: bool,
    /// How deep `do` goes.
    pub(super) depth: usize,
    /// What library functions have cost.
    pub(super) work: usize,
    pub(super) sends: Vec<(NodeId, &'static Declared, Vec<Val>)>,
    pub(super) needs: Vec<Needed>,
    pub(super) fired: Vec<Fired>,
    /// The lines whose statements did something.
    pub(super) lines: Vec<u32>,
    pub(super) view: View,
}

thread_local! {
    static CALL: RefCell<Call> = RefCell::default();
}

/// Looks at, or changes, the call that runs. Nothing of the interpreter may run meanwhile.
pub(super) fn with<T>(act: impl FnOnce(&mut Call) -> T) -> T {
    CALL.with_borrow_mut(act)
}
