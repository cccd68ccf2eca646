//! The header: where one is, who holds the lock, and the lamps of the properties.

use super::Look;
use super::text::{clip, width};
use crate::model::{ChannelOrder, Names, NodeSet};
use crate::sim::{ClusterView, Fence, Mutex, Order, Progress, StorageView};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// What the header says.
#[derive(Debug)]
pub struct Header<'a> {
    /// Where one is.
    pub title: &'a str,
    /// The step, and how many there are on this branch.
    pub step: (u32, u32),
    /// The cluster.
    pub view: &'a ClusterView,
    /// The nodes' names.
    pub names: &'a Names,
    /// How channels hand over.
    pub channels: ChannelOrder,
    /// Whether the learner has left the lesson's run.
    pub exploring: bool,
}

impl Header<'_> {
    fn lock(&self) -> (String, Role) {
        let names: Vec<&str> = self.view.holders.iter().map(|n| self.names.get(*n)).collect();
        match names.as_slice() {
            [] => ("LOCK free".to_owned(), Role::Text),
            [one] => (format!("LOCK {one}"), Role::Cs),
            many => (format!("LOCK {}!", many.join("+")), Role::Bad),
        }
    }

    /// Who holds the lock, and the lamps of the properties, what matters most first.
    #[must_use]
    pub fn lamps(&self) -> Vec<(String, Role)> {
        self.lamps_as("ORDER not promised")
    }

    /// The same with a text for that no order is promised.
    fn lamps_as(&self, no_order: &str) -> Vec<(String, Role)> {
        let lamps = &self.view.lamps;
        let mut out = vec![self.lock()];
        out.push(match lamps.mutex {
            Mutex::Ok => ("MUTEX ok".to_owned(), Role::Ok),
            Mutex::Violated(a, b, _) => {
                (format!("MUTEX VIOLATED {}+{}", self.names.get(a), self.names.get(b)), Role::Bad)
            }
        });
        out.push(match &lamps.progress {
            Progress::Ok => ("PROGRESS ok".to_owned(), Role::Ok),
            Progress::GoesRound { .. } => ("NEVER ENDS".to_owned(), Role::Bad),
            Progress::Stuck { waits, .. } => {
                let who: NodeSet = waits.iter().map(|w| w.node).collect();
                (format!("STUCK {}", self.names.sentence(who)), Role::Bad)
            }
        });
        match lamps.tokens {
            Some(1) => out.push(("TOKEN 1".to_owned(), Role::Ok)),
            Some(n) => out.push((format!("TOKEN {n}!"), Role::Bad)),
            None => {}
        }
        match self.view.storage.as_ref().map(StorageView::fence) {
            Some(Fence::Kept) => out.push(("FENCE ok".to_owned(), Role::Ok)),
            Some(Fence::Violated) => out.push(("FENCE VIOLATED".to_owned(), Role::Bad)),
            Some(Fence::NotGiven) | None => {}
        }
        let fifo = match self.channels {
            ChannelOrder::Fifo => ("FIFO on".to_owned(), Role::Dim),
            ChannelOrder::AnyOrder => ("FIFO off".to_owned(), Role::Warn),
        };
        match lamps.order {
            Order::Broken(a, b) => {
                let text = format!("ORDER {} before {}", self.names.get(a), self.names.get(b));
                out.extend([(text, Role::Bad), fifo]);
            }
            // What promises nothing says less than how channels hand over.
            Order::Kept => out.extend([fifo, ("ORDER kept".to_owned(), Role::Ok)]),
            Order::NotPromised => {
                out.extend([fifo, (no_order.to_owned(), Role::Dim)]);
            }
        }
        out
    }

    /// Draws the header into one row.
    pub fn draw(&self, look: &Look, area: Rect, buf: &mut Buffer) {
        let (at, of) = self.step;
        let step = if of > at { format!("step {at}/{of}") } else { format!("step {at}") };
        let exploring = self.exploring.then(|| ("exploring".to_owned(), Role::Exploring));
        let first: Vec<(String, Role)> =
            [(step, Role::Accent)].into_iter().chain(exploring).collect();
        let room = usize::from(area.width);
        let size =
            |parts: &[(String, Role)]| -> usize { parts.iter().map(|(t, _)| width(t) + 2).sum() };
        let mut parts = [first.clone(), self.lamps()].concat();
        if size(&parts) + 12 > room {
            parts = [first, self.lamps_as("ORDER none")].concat();
        }
        // What says least goes first when there is no room: FIFO, then ORDER and the like.
        while parts.len() > 3 && size(&parts) + 12 > room {
            parts.pop();
        }
        let lamps = size(&parts);
        let title =
            clip(&look.text(self.title), room.saturating_sub(lamps + 3), look.glyphs.ellipsis);
        look.put(buf, area, 1, 0, &title, Role::Title);
        let mut x = area.width.saturating_sub(lamps as u16);
        for (text, role) in parts {
            x = look.put(buf, area, x, 0, &text, role) + 2;
        }
    }
}
