//! One event, in numbers.

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A message reaches its receiver.
    Deliver = 1,
    /// A client asks.
    Request,
    /// A client leaves.
    Exit,
    /// A timer fires.
    Timeout,
    /// A node goes on.
    Recover,
    /// A node stops.
    Crash,
    /// A message is lost.
    Drop,
    /// A message is copied.
    Duplicate,
    /// A client asks the storage node what was written.
    Read,
    /// A client writes to the storage node.
    Write,
}

/// An event, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// What it does.
    pub act: Act,
    /// The node at which it happens, or the receiver of the message that it is about.
    pub node: u8,
    /// The sender of that message.
    pub from: u8,
    /// Its place in the channel.
    pub place: u16,
    /// That message.
    pub msg: u32,
    /// What the channel holds afterwards.
    pub rest: u32,
}

impl Move {
    /// An event that is about no message.
    #[inline]
    #[must_use]
    pub fn at_node(act: Act, node: usize) -> Self {
        Self { act, node: node as u8, from: 0, place: 0, msg: 0, rest: 0 }
    }

    /// Whether it happens in the network alone.
    #[inline]
    #[must_use]
    pub fn in_network(&self) -> bool {
        matches!(self.act, Act::Drop | Act::Duplicate)
    }
}

/// Something was not worked out yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unknown;
