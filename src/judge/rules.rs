//! A log held against the algorithm: the engine gets each entry, and the first one that its rules forbid
//! is told.
//!
//! No history is kept. What a node sends is due from the step that sends it until the node's next step.

use super::log::{Log, Message, What};
use super::order::{Ordered, Source};
use crate::model::{Event, MsgId, MsgRef, NodeId};
use crate::sim::{Refused, Sent, Simulation, StepRecord, WhyLine};

/// How many ticks `local` events may make up for where the run is to be opened.
const MOST_TICKS: u32 = 10_000;
/// After so many steps the cluster forgets what led to its state.
const FORGET: u32 = 1000;

/// A rule that fired, with its reason.
pub type Fired = (String, String);

/// Why an entry is forbidden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The node does not send that there.
    NotSent {
        /// What it has to send and has not, if there is anything.
        due: Vec<Sent>,
    },
    /// Before this entry the node had to send this.
    Missing {
        /// What it has not sent.
        due: Vec<Sent>,
    },
    /// The message carries another stamp.
    Stamp {
        /// The message as the algorithm sends it.
        sends: Sent,
        /// Whether a larger clock value would do.
        at_least: bool,
    },
    /// The conditions for entering are not all met.
    Entry {
        /// All of them.
        conditions: Vec<WhyLine>,
    },
    /// Nobody has sent what is received, as far as the log goes.
    NobodySent,
    /// It is sent only after this receipt: the entries wait for each other in a circle.
    SentLater {
        /// The place of the send among the entries.
        send: usize,
    },
    /// The engine does not let it happen.
    Refused {
        /// The reason, in words.
        reason: String,
    },
}

/// The first entry that the rules forbid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its place among the entries.
    pub entry: usize,
    /// Why it is forbidden.
    pub why: Why,
    /// The node's last step before it, by its place among the entries, and the rules that fired there.
    pub cause: Option<(usize, Vec<Fired>)>,
}

/// What came of it.
#[derive(Debug)]
pub struct Judged {
    /// How many entries the rules allow.
    pub allowed: usize,
    /// The first that they do not.
    pub fault: Option<Fault>,
    /// What nodes have still to send when the log ends, with the place of the step that makes it due.
    pub due: Vec<(Sent, Option<usize>)>,
    /// The run so far, where it can be played with the stamps of the log.
    pub events: Option<Vec<Event>>,
}

/// Where a node stands with the lock, as far as its log says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Outside,
    /// The engine has let it in; the log has not said so yet.
    MayEnter,
    Inside,
}

struct Node {
    stage: Stage,
    due: Vec<Sent>,
    last: Option<(usize, Vec<Fired>)>,
    /// The places of its entries, the next one last.
    entries: Vec<usize>,
}

struct Judge<'a> {
    log: &'a Log,
    ordered: &'a Ordered,
    /// The node of each name of the log.
    ids: &'a [NodeId],
    any_clock: bool,
    sim: Box<dyn Simulation>,
    nodes: Vec<Node>,
    /// The message of each send, by the place of its entry.
    sent: Vec<Option<MsgId>>,
    initial: Vec<MsgId>,
    events: Option<Vec<Event>>,
    ticks: u32,
}

/// Holds a log against the algorithm of a cluster that stands at its beginning. `ids` has the node of each
/// name; with `any_clock` a stamp may be larger than it had to be. The events are kept if `keep`.
#[must_use]
pub fn judge(
    log: &Log,
    ordered: &Ordered,
    ids: &[NodeId],
    sim: Box<dyn Simulation>,
    any_clock: bool,
    keep: bool,
) -> Judged {
    let view = sim.view();
    let nodes = view.nodes.iter().map(|node| Node {
        stage: Stage::Outside,
        due: view.in_flight.iter().filter(|f| f.id.from == node.id).map(sent_at_first).collect(),
        last: None,
        entries: Vec::new(),
    });
    let mut judge = Judge {
        log,
        ordered,
        ids,
        any_clock,
        nodes: nodes.collect(),
        sent: vec![None; log.entries.len()],
        initial: view.in_flight.iter().map(|flight| flight.id).collect(),
        events: keep.then(Vec::new),
        ticks: 0,
        sim,
    };
    for (i, entry) in log.entries.iter().enumerate().rev() {
        judge.node(entry.node).entries.push(i);
    }
    judge.run()
}

fn sent_at_first(flight: &crate::sim::FlightView) -> Sent {
    Sent { id: flight.id, label: flight.label.clone(), line: flight.line }
}

impl Judge<'_> {
    fn node(&mut self, name: u32) -> &mut Node {
        &mut self.nodes[self.ids[name as usize].index()]
    }

    fn run(mut self) -> Judged {
        let order = &self.ordered.order;
        let mut fault = None;
        let mut allowed = 0;
        for &i in order {
            let node = self.node(self.log.entries[i].node);
            node.entries.pop();
            let cause = node.last.clone();
            match self.entry(i) {
                Ok(()) => allowed += 1,
                Err(why) => {
                    fault = Some(Fault { entry: i, why, cause });
                    break;
                }
            }
        }
        let due = self.nodes.iter().flat_map(|node| {
            let step = node.last.as_ref().map(|(i, _)| *i);
            // What was in flight from the beginning need not be logged as sent.
            node.due.iter().filter(move |_| step.is_some()).map(move |sent| (sent.clone(), step))
        });
        Judged { allowed, fault, due: due.collect(), events: self.events }
    }

    fn entry(&mut self, i: usize) -> Result<(), Why> {
        let entry = self.log.entries[i];
        let me = self.ids[entry.node as usize];
        match entry.what {
            What::Send(message) => self.send(i, message, me),
            What::Enter => self.enter(me),
            What::Receive(_) => {
                let message = self.received(i)?;
                self.step(i, me, Event::Deliver(MsgRef::from(message)))
            }
            What::Exit if self.nodes[me.index()].stage == Stage::MayEnter => {
                let reason = "it has not entered: no `enter` stands before this line".to_owned();
                Err(Why::Refused { reason })
            }
            What::Exit => self.step(i, me, Event::Exit(me)),
            What::Request => self.step(i, me, Event::Request(me)),
            What::Crash => self.step(i, me, Event::Crash(me)),
            What::Recover => self.step(i, me, Event::Recover(me)),
            What::Timeout => self.step(i, me, Event::Timeout(me)),
        }
    }

    fn send(&mut self, i: usize, message: Message, me: NodeId) -> Result<(), Why> {
        let to = self.ids[message.peer as usize];
        let kind = self.log.kinds.get(message.kind);
        let due = &mut self.nodes[me.index()].due;
        let same = |sent: &Sent| sent.id.to == to && sent.label.kind == kind;
        let Some(place) = due.iter().position(same) else {
            return Err(Why::NotSent { due: due.clone() });
        };
        let sends = due.remove(place);
        self.sent[i] = Some(sends.id);
        match (message.clock, sends.label.stamp) {
            (Some(logged), Some(stamp)) if logged != stamp.clock => {
                Err(Why::Stamp { sends, at_least: self.any_clock && logged < stamp.clock })
            }
            _ => Ok(()),
        }
    }

    fn enter(&mut self, me: NodeId) -> Result<(), Why> {
        let node = &mut self.nodes[me.index()];
        match node.stage {
            Stage::MayEnter => {
                node.stage = Stage::Inside;
                Ok(())
            }
            Stage::Outside => Err(Why::Entry { conditions: self.sim.why(me) }),
            Stage::Inside => Err(Why::Refused { reason: "it is inside already".to_owned() }),
        }
    }

    fn received(&self, i: usize) -> Result<MsgId, Why> {
        match self.ordered.sources.get(&i).copied().unwrap_or(Source::Nobody) {
            // A send is judged before its receipt: the first that is forbidden ends it all.
            Source::Send(send) => self.sent[send].ok_or(Why::NobodySent),
            Source::Initial(k) => Ok(self.initial[k]),
            Source::Nobody => {
                Err(self.sent_later(i).map_or(Why::NobodySent, |send| Why::SentLater { send }))
            }
        }
    }

    /// A send that would fit a receipt and comes only after it.
    fn sent_later(&self, i: usize) -> Option<usize> {
        let entry = self.log.entries[i];
        let What::Receive(message) = entry.what else { return None };
        self.ordered.unreceived.iter().copied().find(|send| {
            let sender = self.log.entries[*send];
            let fits =
                |m: Message| (m.peer, m.kind, m.id) == (entry.node, message.kind, message.id);
            sender.node == message.peer && matches!(sender.what, What::Send(m) if fits(m))
        })
    }

    /// Gives the engine an event of a node.
    fn step(&mut self, i: usize, me: NodeId, event: Event) -> Result<(), Why> {
        let node = &mut self.nodes[me.index()];
        // A node that stops may stop before all is sent.
        if !node.due.is_empty() && node.last.is_some() && !matches!(event, Event::Crash(_)) {
            return Err(Why::Missing { due: node.due.clone() });
        }
        let record =
            self.stepped(me, event).map_err(|refused| Why::Refused { reason: refused.reason })?;
        let node = &mut self.nodes[me.index()];
        node.due = record.sent.into_iter().filter(|sent| sent.id.from == me).collect();
        let fired = record.rules.into_iter().map(|(id, reason)| (id.to_owned(), reason));
        node.last = Some((i, fired.collect()));
        match (record.entered, record.left) {
            (Some(_), _) => node.stage = Stage::MayEnter,
            (None, Some(_)) => node.stage = Stage::Outside,
            (None, None) => {}
        }
        if self.sim.steps() >= FORGET {
            self.sim.begin_here();
        }
        Ok(())
    }

    /// Plays an event; the node's clock first goes on to where the stamp that it then logs comes out.
    fn stepped(&mut self, me: NodeId, event: Event) -> Result<StepRecord, Refused> {
        if let Some(wanted) = self.any_clock.then(|| self.next_clock(me)).flatten() {
            let mut trial = self.sim.fork();
            let record = trial.step(event)?;
            let own = record.sent.iter().filter_map(|sent| sent.label.stamp);
            match own.filter(|stamp| stamp.node == me).map(|stamp| stamp.clock).min() {
                // The stamp is one more than the clock at its handler.
                Some(own) if own < wanted => self.go_on(me, wanted - 1),
                _ => {
                    self.sim = trial;
                    self.note(event);
                    return Ok(record);
                }
            }
        }
        let record = self.sim.step(event)?;
        self.note(event);
        Ok(record)
    }

    fn note(&mut self, event: Event) {
        if let Some(events) = &mut self.events {
            events.push(event);
        }
    }

    /// Sets a node's clock on, as so many `local` events would.
    fn go_on(&mut self, me: NodeId, clock: u32) {
        let ticks = self.sim.advance_clock(me, clock);
        self.ticks = self.ticks.saturating_add(ticks);
        if self.ticks > MOST_TICKS {
            self.events = None;
        }
        for _ in 0..ticks.min(MOST_TICKS) {
            self.note(Event::Local(me));
        }
    }

    /// The clock value of the first stamp that a node logs before its next step.
    fn next_clock(&self, me: NodeId) -> Option<u32> {
        let entries = self.nodes[me.index()].entries.iter().rev();
        let sends = entries.map_while(|i| match self.log.entries[*i].what {
            What::Send(message) => Some(message),
            _ => None,
        });
        let stamped = |m: &Message| {
            let info = self.sim.info();
            info.stamped && info.kind(self.log.kinds.get(m.kind)).is_some()
        };
        sends.filter(stamped).find_map(|message| message.clock)
    }
}
