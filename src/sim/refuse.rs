//! What is enabled, and the reason in words for what is not.
//!
//! Nothing is changed here.

use super::cluster::Cluster;
use super::simulation::Refused;
use crate::algorithm::Algorithm;
use crate::model::{ChannelOrder, Event, MsgId, MsgRef, NodeId, Phase};

fn refused<T>(reason: String) -> Result<T, Refused> {
    Err(Refused { reason })
}

impl<A: Algorithm> Cluster<A> {
    fn name(&self, node: NodeId) -> &str {
        self.setup.name(node)
    }

    fn alive(&self, node: NodeId) -> Result<(), Refused> {
        if self.local(node).crashed {
            return refused(format!("{} has crashed", self.name(node)));
        }
        Ok(())
    }

    fn client(&self, node: NodeId) -> Result<(), Refused> {
        if self.setup.is_client(node) {
            return self.alive(node);
        }
        refused(format!("{} is a helper: it never asks for the lock", self.name(node)))
    }

    /// The message that a reference names: the head or the oldest one without a number.
    pub(super) fn resolve(&self, m: MsgRef) -> Result<MsgId, Refused> {
        let channel = self.net.channel(m.from, m.to);
        let ends = || format!("{}>{}", self.name(m.from), self.name(m.to));
        let Some(first) = channel.flights.front() else {
            return refused(format!("nothing is in flight on {}", ends()));
        };
        let Some(no) = m.no else {
            return Ok(MsgId { from: m.from, to: m.to, no: first.no });
        };
        match channel.find(no) {
            Some(_) => Ok(MsgId { from: m.from, to: m.to, no }),
            None if no.seq > channel.sent => {
                refused(format!("{no} has not been sent on {} yet", ends()))
            }
            None => refused(format!("{no} is no longer in flight on {}", ends())),
        }
    }

    /// The same reference, without its number where that is the first choice anyway.
    fn canonical(&self, id: MsgId) -> MsgRef {
        let first = self.net.channel(id.from, id.to).flights.front();
        let no = if first.is_some_and(|f| f.no == id.no) { None } else { Some(id.no) };
        MsgRef { from: id.from, to: id.to, no }
    }

    fn accept_delivery(&self, m: MsgRef) -> Result<Event, Refused> {
        let id = self.resolve(m)?;
        let canonical = self.canonical(id);
        if canonical.no.is_some() && self.setup.channels == ChannelOrder::Fifo {
            let first = &self.net.channel(id.from, id.to).flights[0];
            let kind = Self::label_of(id.from, &first.body).kind;
            return refused(format!(
                "{kind} {} is ahead of it in the channel {}>{}",
                first.no,
                self.name(id.from),
                self.name(id.to)
            ));
        }
        Ok(Event::Deliver(canonical))
    }

    /// The canonical form of an event that is enabled, or the reason why it is not.
    pub(super) fn accept(&self, event: Event) -> Result<Event, Refused> {
        match event {
            Event::Request(n) => {
                self.client(n)?;
                if let Some(reason) = A::no_lock() {
                    return refused(reason.to_owned());
                }
                match self.local(n).phase {
                    Phase::Idle => Ok(event),
                    Phase::Waiting => refused(format!("{} has already asked", self.name(n))),
                    Phase::InCs => refused(format!("{} is inside already", self.name(n))),
                }
            }
            Event::Exit(n) => {
                self.client(n)?;
                match self.local(n).phase {
                    Phase::InCs => Ok(event),
                    Phase::Waiting => refused(format!("{} is still waiting", self.name(n))),
                    Phase::Idle => refused(format!("{} has not asked", self.name(n))),
                }
            }
            Event::Deliver(m) => self.accept_delivery(m),
            Event::Drop(m) => Ok(Event::Drop(self.canonical(self.resolve(m)?))),
            Event::Duplicate(m) => {
                let id = self.resolve(m)?;
                match self.net.channel(id.from, id.to).next_copy(id.no.seq) {
                    Some(_) => Ok(Event::Duplicate(self.canonical(id))),
                    None => refused(format!("there is no name left for another copy of {}", id.no)),
                }
            }
            Event::Crash(n) => self.alive(n).map(|()| event),
            Event::Recover(n) if self.local(n).crashed => Ok(event),
            Event::Recover(n) => refused(format!("{} has not crashed", self.name(n))),
            Event::Timeout(n) => {
                self.alive(n)?;
                match A::timer(&self.cx(n), &self.local(n).state) {
                    Some(_) => Ok(event),
                    None => refused(format!("no timer is running at {}", self.name(n))),
                }
            }
            Event::Read(n) | Event::Write(n) => {
                self.client(n)?;
                if self.setup.storage.is_none() {
                    return refused("this cluster has no storage node".to_owned());
                }
                match self.local(n).phase {
                    Phase::InCs => Ok(event),
                    Phase::Waiting => refused(format!("{} is still waiting", self.name(n))),
                    Phase::Idle => {
                        refused(format!("{} does not believe that it is inside", self.name(n)))
                    }
                }
            }
            Event::Tell(from, to) => {
                self.client(from)?;
                if self.setup.is_client(to) {
                    return Ok(event);
                }
                refused(format!("{} is a helper: nobody tells it anything", self.name(to)))
            }
            Event::Local(n) => self.client(n).map(|()| event),
        }
    }

    /// Everything that is enabled, in the one fixed order.
    pub(super) fn list_enabled(&self) -> Vec<Event> {
        let refs: Vec<MsgRef> = self
            .net
            .by_age()
            .iter()
            .map(|(from, to, f)| MsgId { from: *from, to: *to, no: f.no }.into())
            .collect();
        let clients = || self.setup.client_ids();
        let all = || self.setup.all_ids();
        let deliveries = refs.iter().map(|m| Event::Deliver(*m));
        let faults = refs.iter().flat_map(|m| [Event::Drop(*m), Event::Duplicate(*m)]);
        deliveries
            .chain(clients().map(Event::Request))
            .chain(clients().map(Event::Exit))
            .chain(clients().map(Event::Read))
            .chain(clients().map(Event::Write))
            .chain(all().map(Event::Timeout))
            .chain(faults)
            .chain(all().flat_map(|n| [Event::Crash(n), Event::Recover(n)]))
            .filter_map(|event| self.accept(event).ok())
            .collect()
    }
}
