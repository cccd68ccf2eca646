//! What can happen in a state, in one fixed order: deliveries by channel, requests, exits, reads,
//! writes, timeouts, losses and copies, crashes and recoveries, each by node.
//!
//! It lists and plays nothing.

use super::act::{Act, Move, Unknown};
use super::node_state::NodeFlags;
use super::options::Faults;
use super::pack::Ids;
use super::tables::Tables;

impl Tables {
    /// Shows what can happen to a visitor that may stop it.
    ///
    /// # Errors
    /// When the visitor stops, or when what a fault leaves in a channel was not worked out yet.
    #[inline]
    pub fn visit_moves(
        &self,
        ids: &Ids,
        mut visit: impl FnMut(Move) -> Result<(), Unknown>,
    ) -> Result<(), Unknown> {
        for ends in &self.channels {
            let content = ids.get(usize::from(ends.field));
            if content != 0 {
                for (msg, rest) in self.choices(content) {
                    let (node, from) = (ends.to, ends.from);
                    let (msg, rest) = (*msg, *rest);
                    visit(Move { act: Act::Deliver, node, from, place: 0, msg, rest })?;
                }
            }
        }
        let mut all = 0;
        for (node, node_states) in self.node_states[..self.clients].iter().enumerate() {
            let bits = node_states.bits[ids.get(node) as usize];
            all |= bits;
            if bits & NodeFlags::CAN_ASK != 0 {
                visit(Move::at_node(Act::Request, node))?;
            }
        }
        if all & NodeFlags::CAN_EXIT != 0 {
            for node in 0..self.clients {
                if self.bits(node, ids) & NodeFlags::CAN_EXIT != 0 {
                    visit(Move::at_node(Act::Exit, node))?;
                }
            }
        }
        if self.has_extras {
            self.visit_storage_ops(ids, &mut visit)?;
            return self.visit_faults(ids, &mut visit);
        }
        Ok(())
    }

    fn visit_faults(
        &self,
        ids: &Ids,
        visit: &mut impl FnMut(Move) -> Result<(), Unknown>,
    ) -> Result<(), Unknown> {
        let left = self.global(ids).faults;
        if left == Faults::NONE {
            return Ok(());
        }
        for node in 0..self.total {
            if left.timeout > 0 && self.bits(node, ids) & NodeFlags::TIMER != 0 {
                visit(Move::at_node(Act::Timeout, node))?;
            }
        }
        for ends in &self.channels {
            let content = ids.get(usize::from(ends.field));
            let items = self.items(content);
            for (place, msg) in items.iter().enumerate() {
                // Equal neighbours leave the same behind: one choice.
                if place > 0 && items[place - 1] == *msg {
                    continue;
                }
                for (act, left) in [(Act::Drop, left.drop), (Act::Duplicate, left.duplicate)] {
                    if left > 0 {
                        let rest = self.edited(content, place, act)?;
                        let (node, from) = (ends.to, ends.from);
                        visit(Move { act, node, from, place: place as u16, msg: *msg, rest })?;
                    }
                }
            }
        }
        for node in 0..self.total {
            let crashed = self.bits(node, ids) & NodeFlags::CRASHED != 0;
            if !crashed && left.crash > 0 {
                visit(Move::at_node(Act::Crash, node))?;
            }
            if crashed && left.recover > 0 {
                visit(Move::at_node(Act::Recover, node))?;
            }
        }
        Ok(())
    }
}
