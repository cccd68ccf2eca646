//! What a node of the ring does that suspects the token lost: TR-7 to TR-13.
//!
//! It decides and says what is to be sent; the ring sends it. No broken variant changes these rules.

use crate::algorithm::{Cx, Outbox};
use crate::model::{NodeId, NodeSet, Phase};

/// Whether a node may still suspect that the token is lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
enum Timer {
    #[default]
    Off,
    Running,
    Fired,
}

/// What a node knows of tokens and their numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Minting {
    /// The highest number seen, with `numbers`.
    pub highest: u32,
    timer: Timer,
    /// Whether the node collects promises.
    minting: bool,
    /// Who has promised.
    pub promises: NodeSet,
    /// To whom a promise is owed.
    pub owed: Option<NodeId>,
}

/// What a node does that suspects the token lost.
pub enum Suspicion {
    /// It sends a new token with this number.
    Mint(u32),
    /// It asks everybody to promise this number.
    Prepare(u32),
}

/// The next node of the ring.
pub fn next<D>(cx: &Cx<'_, D>) -> NodeId {
    NodeId::at((cx.me.index() + 1) % cx.n())
}

/// `the token`, or `token #2`.
pub fn spoken(number: u32) -> String {
    if number == 0 { "the token".to_owned() } else { format!("token #{number}") }
}

impl Minting {
    /// The node has passed the token on: the first node's timer runs from then.
    pub fn passed<D>(&mut self, cx: &Cx<'_, D>) {
        if cx.me == NodeId(0) && self.timer == Timer::Off && cx.setup.option("regenerate") {
            self.timer = Timer::Running;
        }
    }

    /// TR-7: whether a token is too old. Another one's number is the highest seen now.
    pub fn discards<M, D>(&mut self, cx: &Cx<'_, D>, number: u32, out: &mut Outbox<M>) -> bool {
        let (me, highest) = (cx.my_name(), self.highest);
        if number < highest {
            out.rule("TR-7", || {
                format!(
                    "{me} has seen #{highest}, and {number} < {highest}, so it discards the token."
                )
            });
            return true;
        }
        if cx.setup.option("numbers") {
            self.highest = number;
        }
        false
    }

    /// TR-7, TR-10, TR-11: somebody wants to mint. Returns whether the node promises at once; it has
    /// dropped its token then.
    pub fn on_prepare<M, D>(
        &mut self,
        cx: &Cx<'_, D>,
        token: &mut Option<u32>,
        (from, number): (NodeId, u32),
        out: &mut Outbox<M>,
    ) -> bool {
        let (me, minter, highest) = (cx.my_name(), cx.name(from), self.highest);
        if number <= highest {
            out.rule("TR-7", || {
                format!(
                    "{me} has seen #{highest}, and {number} ≤ {highest}, so it promises nothing."
                )
            });
            return false;
        }
        *self = Self { highest: number, timer: self.timer, owed: self.owed, ..Self::default() };
        if cx.phase == Phase::InCs {
            self.owed = Some(from);
            out.rule("TR-11", || {
                format!("{me} is inside, so it will answer {minter} after leaving.")
            });
            return false;
        }
        let dropped = token.take();
        out.rule("TR-10", || {
            let drops = dropped.map_or(String::new(), |t| format!("drops {} and ", spoken(t)));
            format!("{me} {drops}promises {minter} to take no token below #{number}.")
        });
        true
    }

    /// TR-13: a promise comes. Returns whether it was the last one: the token is sent.
    pub fn on_promise<M, D>(
        &mut self,
        cx: &Cx<'_, D>,
        (from, number): (NodeId, u32),
        out: &mut Outbox<M>,
    ) -> bool {
        if !self.minting {
            out.note(|| format!("{} collects no promises.", cx.my_name()));
            return false;
        }
        if number == self.highest {
            self.promises.insert(from);
        }
        let missing: NodeSet = cx.others().filter(|j| !self.promises.contains(*j)).collect();
        let ready = missing.is_empty();
        out.did("note");
        out.rule("TR-13", || {
            let (me, to) = (cx.my_name(), cx.name(next(cx)));
            match ready {
                false => {
                    format!("{me} still needs the promise of {}.", cx.setup.names.sentence(missing))
                }
                true => format!("Everybody has promised, so {me} sends token #{number} to {to}."),
            }
        });
        if ready {
            out.did("mint");
            (self.minting, self.promises) = (false, NodeSet::EMPTY);
        }
        ready
    }

    /// TR-12: the node leaves and pays the promise that it owes. Returns to whom, and the number.
    pub fn pays<M, D>(
        &mut self,
        cx: &Cx<'_, D>,
        held: Option<u32>,
        out: &mut Outbox<M>,
    ) -> Option<(NodeId, u32)> {
        let minter = self.owed.take()?;
        let (me, highest) = (cx.my_name(), self.highest);
        out.rule("TR-12", || {
            let drops = held.map_or(String::new(), |t| format!(", drops {}", spoken(t)));
            let to = cx.name(minter);
            format!("{me} leaves{drops} and promises {to} to take none below #{highest}.")
        });
        Some((minter, highest))
    }

    /// TR-8, TR-9: the timer fires.
    pub fn suspects<M, D>(&mut self, cx: &Cx<'_, D>, out: &mut Outbox<M>) -> Suspicion {
        let (me, to, highest) = (cx.my_name(), cx.name(next(cx)), self.highest);
        let numbers = cx.setup.option("numbers");
        self.timer = Timer::Fired;
        self.highest += u32::from(numbers);
        let number = self.highest;
        if cx.setup.option("promise") {
            self.minting = true;
            out.rule("TR-9", || {
                format!("{me} believes that the token is lost. It has seen #{highest} and asks everybody to promise #{number}.")
            });
            return Suspicion::Prepare(number);
        }
        out.rule("TR-8", || match numbers {
            false => format!("{me} believes that the token is lost and sends a new one to {to}."),
            true => format!("{me} believes that the token is lost. It has seen #{highest} and sends #{number} to {to}."),
        });
        Suspicion::Mint(number)
    }

    /// Why a timer is running.
    pub fn timer<D>(&self, cx: &Cx<'_, D>) -> Option<&'static str> {
        if cx.phase == Phase::InCs || !cx.setup.is_client(cx.me) {
            return None;
        }
        if cx.me == NodeId(0) {
            let running = self.timer == Timer::Running;
            return running.then_some("it has passed the token on and may suspect that it is lost");
        }
        let waits = cx.setup.option("everybody") && cx.phase == Phase::Waiting && cx.n() > 1;
        (waits && self.timer != Timer::Fired)
            .then_some("it waits and may suspect that the token is lost")
    }
}
