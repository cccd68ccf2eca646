//! What a handler fills: messages to send, rules that fired, conditions for entering.
//!
//! Nothing here is sent, shown or decided; the engine reads it after the handler has returned.

use super::Cx;
use crate::model::{NodeId, Stamp};
use std::collections::VecDeque;

/// Messages to send and rules that fired.
#[derive(Debug)]
pub struct Outbox<M> {
    /// Messages to other nodes, in the order of sending.
    pub sends: Vec<(NodeId, M)>,
    /// Messages to the node itself: handled inside the same step, after the handler.
    pub to_self: VecDeque<M>,
    /// Rules that fired, each with its reason. Empty while nothing is to be explained.
    pub rules: Vec<(&'static str, String)>,
    /// What happened that is not what a rule says: something left out or done against it, and how many
    /// rules had fired before. The same.
    pub notes: Vec<(usize, String)>,
    /// Words for what happened that the handler has chosen. The same.
    pub words: Vec<&'static str>,
    /// Rules that fired with the one word that they have. The same.
    pub usual: Vec<&'static str>,
    clock: u32,
    explain: bool,
}

impl<M> Outbox<M> {
    /// An empty outbox. With `explain`, reasons are written down; the checker does without.
    #[must_use]
    pub fn new(explain: bool) -> Self {
        let (sends, to_self) = (Vec::new(), VecDeque::new());
        let (rules, notes) = (Vec::new(), Vec::new());
        let (words, usual) = (Vec::new(), Vec::new());
        Self { sends, to_self, rules, notes, words, usual, clock: 0, explain }
    }

    /// Sends a message. One to the node itself stays inside the step and costs nothing.
    pub fn send<D>(&mut self, cx: &Cx<'_, D>, to: NodeId, msg: M) {
        if to == cx.me {
            self.to_self.push_back(msg);
        } else {
            self.sends.push((to, msg));
        }
    }

    /// Sends the same message to every other client.
    pub fn broadcast<D>(&mut self, cx: &Cx<'_, D>, msg: &M)
    where
        M: Clone,
    {
        for to in cx.others() {
            self.sends.push((to, msg.clone()));
        }
    }

    /// Says that a rule fired, and why, in a sentence that names what was compared. All that the rule
    /// says has to happen in this step: it is lit on the screen. The rule's word happened, if it has one
    /// alone.
    pub fn rule(&mut self, id: &'static str, reason: impl FnOnce() -> String) {
        if self.explain {
            self.rules.push((id, reason()));
            self.usual.push(id);
        }
    }

    /// Says what happened where no rule says it: a broken variant left something out or did something
    /// else, or nothing is to be done about a message. No rule is lit.
    pub fn note(&mut self, text: impl FnOnce() -> String) {
        if self.explain {
            self.notes.push((self.rules.len(), text()));
        }
    }

    /// Says what happened, as a rule that fired if all that the rule says was `done`. Which word it came
    /// to, `did` says.
    pub fn rule_if(&mut self, done: bool, id: &'static str, reason: impl FnOnce() -> String) {
        if !done {
            self.note(reason);
        } else if self.explain {
            self.rules.push((id, reason()));
        }
    }

    /// Says what happened with the word for it.
    pub fn did(&mut self, word: &'static str) {
        if self.explain {
            self.words.push(word);
        }
    }

    /// Whether reasons are written down: what is worked out for a reason alone waits for this.
    #[must_use]
    pub fn explains(&self) -> bool {
        self.explain
    }

    /// Adds one to the node's clock and gives the new value: what a stamped send does.
    pub fn tick(&mut self) -> u32 {
        self.clock += 1;
        self.clock
    }

    /// The node's clock.
    #[must_use]
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Sets the node's clock: the engine's clock rule, never a handler's.
    pub(crate) fn set_clock(&mut self, clock: u32) {
        self.clock = clock;
    }

    /// Empties it for the next handler.
    #[cfg(test)]
    pub(crate) fn clear(&mut self) {
        self.sends.clear();
        self.to_self.clear();
        self.rules.clear();
        self.notes.clear();
        self.words.clear();
        self.usual.clear();
    }
}

/// What is missing for a condition: a message of one of some kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The node that it has to come from; `None`: the waiting node does not know which.
    pub from: Option<NodeId>,
    /// The kinds that would do.
    pub kinds: &'static [&'static str],
    /// The message must carry a stamp later than this one.
    pub later_than: Option<Stamp>,
    /// The node sends it of its own accord when it leaves; it answers no request.
    pub once_it_left: bool,
}

impl Missing {
    fn of(from: Option<NodeId>, kinds: &'static [&'static str]) -> Self {
        Self { from, kinds, later_than: None, once_it_left: false }
    }
}

/// One of the conditions for entering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The condition, in words.
    pub text: String,
    /// Whether it is met.
    pub met: bool,
    /// What is missing, where a message can be named.
    pub missing: Option<Missing>,
}

/// The conditions under which a node enters. One list decides the entry and explains it.
#[derive(Debug)]
pub struct Guard {
    /// The conditions, where they are to be explained.
    pub conditions: Vec<Condition>,
    /// Why the conditions could not be told.
    pub fault: Option<String>,
    met: bool,
    explain: bool,
}

impl Guard {
    /// No conditions yet. With `explain`, they are written down.
    #[must_use]
    pub fn new(explain: bool) -> Self {
        Self { conditions: Vec::new(), fault: None, met: true, explain }
    }

    /// A condition that no single message decides.
    pub fn need(&mut self, met: bool, text: impl FnOnce() -> String) {
        self.add(met, None, text);
    }

    /// A condition that a message from one node will meet.
    pub fn need_from(
        &mut self,
        met: bool,
        from: NodeId,
        kinds: &'static [&'static str],
        text: impl FnOnce() -> String,
    ) {
        self.add(met, Some(Missing::of(Some(from), kinds)), text);
    }

    /// A condition that a message will meet which one node sends when it leaves.
    pub fn need_once_left(
        &mut self,
        met: bool,
        from: NodeId,
        kinds: &'static [&'static str],
        text: impl FnOnce() -> String,
    ) {
        let missing = Missing { once_it_left: true, ..Missing::of(Some(from), kinds) };
        self.add(met, Some(missing), text);
    }

    /// A condition that a message will meet of which the node cannot know where it is: a token.
    pub fn need_from_anyone(
        &mut self,
        met: bool,
        kinds: &'static [&'static str],
        text: impl FnOnce() -> String,
    ) {
        self.add(met, Some(Missing::of(None, kinds)), text);
    }

    /// A condition that a message from one node will meet if its stamp is later than `than`.
    pub fn need_later(
        &mut self,
        met: bool,
        from: NodeId,
        kinds: &'static [&'static str],
        than: Stamp,
        text: impl FnOnce() -> String,
    ) {
        let missing = Missing { later_than: Some(than), ..Missing::of(Some(from), kinds) };
        self.add(met, Some(missing), text);
    }

    /// A condition as it stands.
    pub fn condition(&mut self, condition: Condition) {
        self.met &= condition.met;
        if self.explain {
            self.conditions.push(condition);
        }
    }

    /// The conditions cannot be told: nobody enters.
    pub fn fail(&mut self, fault: String) {
        self.met = false;
        self.fault = Some(fault);
    }

    /// Whether conditions are written down.
    #[must_use]
    pub fn explains(&self) -> bool {
        self.explain
    }

    fn add(&mut self, met: bool, missing: Option<Missing>, text: impl FnOnce() -> String) {
        self.met &= met;
        if self.explain {
            let missing = if met { None } else { missing };
            self.conditions.push(Condition { text: text(), met, missing });
        }
    }

    /// Whether all conditions are met.
    #[must_use]
    pub fn met(&self) -> bool {
        self.met
    }
}
