//! What can happen in a state, in one fixed order: deliveries by channel, requests, exits, timeouts,
//! losses and copies, crashes and recoveries, each by node.
//!
//! It lists and plays nothing.

use super::options::Faults;
use super::world::{Act, Move, Unknown, World, traits};
use crate::algorithm::Algorithm;

impl<A: Algorithm> World<A> {
    /// Lists what can happen.
    ///
    /// # Errors
    /// When what a fault leaves in a channel was not worked out yet.
    #[inline]
    pub fn moves(&self, ids: &[u32], out: &mut Vec<Move>) -> Result<(), Unknown> {
        out.clear();
        for ends in self.channels() {
            let content = ids[usize::from(ends.field)];
            if content != 0 {
                for (msg, rest) in self.choices(content) {
                    out.push(Move {
                        act: Act::Deliver,
                        node: ends.to,
                        from: ends.from,
                        place: 0,
                        msg: *msg,
                        rest: *rest,
                    });
                }
            }
        }
        for act in [Act::Request, Act::Exit] {
            let able = if act == Act::Request { traits::CAN_ASK } else { traits::CAN_EXIT };
            for (node, id) in ids[..self.setup.clients].iter().enumerate() {
                if self.traits(node, *id) & able != 0 {
                    out.push(at_node(act, node));
                }
            }
        }
        if self.has_extras() {
            return self.faults(ids, out);
        }
        Ok(())
    }

    fn faults(&self, ids: &[u32], out: &mut Vec<Move>) -> Result<(), Unknown> {
        let left = self.extra(ids).faults;
        if left == Faults::NONE {
            return Ok(());
        }
        let total = self.setup.total();
        if left.timeout > 0 {
            let timers = (0..total).filter(|n| self.traits(*n, ids[*n]) & traits::TIMER != 0);
            out.extend(timers.map(|n| at_node(Act::Timeout, n)));
        }
        for ends in self.channels() {
            let content = ids[usize::from(ends.field)];
            let items = self.items(content);
            for place in 0..items.len() {
                // Equal neighbours leave the same behind: one choice.
                if place > 0 && items[place] == items[place - 1] {
                    continue;
                }
                for (act, left) in [(Act::Drop, left.drop), (Act::Duplicate, left.duplicate)] {
                    if left > 0 {
                        let rest = self.edited(content, place, act)?;
                        out.push(Move {
                            act,
                            node: ends.to,
                            from: ends.from,
                            place: place as u16,
                            msg: items[place],
                            rest,
                        });
                    }
                }
            }
        }
        for node in 0..total {
            let crashed = self.traits(node, ids[node]) & traits::CRASHED != 0;
            if !crashed && left.crash > 0 {
                out.push(at_node(Act::Crash, node));
            }
            if crashed && left.recover > 0 {
                out.push(at_node(Act::Recover, node));
            }
        }
        Ok(())
    }
}

fn at_node(act: Act, node: usize) -> Move {
    Move { act, node: node as u8, from: 0, place: 0, msg: 0, rest: 0 }
}
