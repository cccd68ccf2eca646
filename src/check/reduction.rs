//! Which orders of events need not be tried.
//!
//! Events at different nodes commute: each changes its own node, takes from channels into it and puts
//! behind what is in channels out of it. So at a state it is enough to play the events of one node, if
//!
//! 1. nothing that happens elsewhere changes what can happen at that node before it acts itself: each
//!    channel into it holds a message already (FIFO: its head stays the head), or nothing can come on
//!    it before the node acts (`silent_towards`, the algorithm's own word, or a crashed sender);
//! 2. no property sees these events: none of them enters or leaves the critical section or changes the
//!    number of tokens;
//! 3. one of them is a delivery, so that a state without messages in flight lies behind one of them.
//!
//! Why no failure is lost. Let a run lead from here to a failure. If it has an event at the node, the
//! first one can be played now, by 1, and the rest still leads to the same state. A stuck state has
//! nothing in flight, so by 3 its run has such an event. If the run has none, two nodes are inside at
//! its end (or the tokens are wrong) also after one of the node's events, by 2. Each step so brings the
//! failure nearer or spends an event, and the reduced graph has no cycles: the search falls back to all
//! orders when it meets one (Valmari 1991; Clarke, Grumberg and Peled, *Model Checking*, chapter 10).
//! The same argument keeps end states and infinite runs, so that a graph without cycles whose end
//! states are all done has no state from which nothing leads there.
//!
//! With faults or a goal nothing is left out. Exchanging nodes is never done: ties go by node.

use super::act::{Act, Move, Unknown};
use super::node_state::NodeFlags;
use super::pack::Ids;
use super::tables::Tables;

impl Tables {
    /// Keeps in the list only the events that have to be played.
    ///
    /// # Errors
    /// When what one of them does was not worked out yet.
    pub fn reduce(&self, ids: &Ids, moves: &mut Vec<Move>) -> Result<(), Unknown> {
        let mut best: Option<(usize, u8)> = None;
        for node in 0..self.total as u8 {
            let here = || moves.iter().filter(|m| m.node == node);
            let count = here().count();
            let fewer = best.is_none_or(|(least, _)| count < least);
            if count == moves.len() || !fewer || !here().any(|m| m.act == Act::Deliver) {
                continue;
            }
            let mut seen = false;
            for mv in here() {
                seen |= self.reaction(ids, mv)?.visible;
            }
            if !seen && self.nothing_new_comes(ids, node) {
                best = Some((count, node));
            }
        }
        if let Some((_, node)) = best {
            moves.retain(|m| m.node == node);
        }
        Ok(())
    }

    /// Whether nothing that happens elsewhere changes what can be delivered to the node.
    fn nothing_new_comes(&self, ids: &Ids, node: u8) -> bool {
        (0..self.total).filter(|from| *from != usize::from(node)).all(|from| {
            let holds = ids.get(self.channel_field(from, usize::from(node))) != 0;
            holds && self.fifo || self.is_silent(ids, from, node)
        })
    }

    fn is_silent(&self, ids: &Ids, from: usize, to: u8) -> bool {
        let flags = self.flags(from, ids);
        let unanswered = ids.get(self.channel_field(usize::from(to), from)) != 0;
        let silent = if unanswered { flags.silent_unanswered } else { flags.silent };
        flags.bits & NodeFlags::CRASHED != 0 || silent >> to & 1 == 1
    }
}
