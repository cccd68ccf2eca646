//! A cluster of one algorithm: nodes, channels, properties, and the step from one state to the next.
//!
//! An event is checked first and changes things only then. Nothing here knows a particular algorithm.

use super::channel::{Body, Flight, Network, Past, VectorTime};
use super::react::{Input, Local, react, received};
use super::record::{Fate, Moved, Sent, StepRecord};
use super::simulation::{Refused, Simulation};
use super::storage::{Storage, StorageState};
use super::store::{self, StorageMsg};
use super::view::{ClusterView, FlightView, Lamps, Mutex, NodeView, Order, WhyLine};
use crate::algorithm::{Algorithm, Cx, Info, Label, Line, OrderPromise, Outbox, Receipt, Rule};
use crate::model::goal::Overtaking;
use crate::model::setup::VECTOR;
use crate::model::{
    ChannelOrder, Event, Fields, MsgId, MsgNo, NodeId, Phase, Setup, Stamp, Value, outcome,
};
use rustc_hash::FxHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The kind of a message outside the algorithm.
pub const TELL: &str = "TELL";

/// Whether messages of a kind are the algorithm's own: not told outside it, not the storage's.
#[must_use]
pub fn belongs_to_algorithm(kind: &str) -> bool {
    kind != TELL && !store::KINDS.contains(&kind)
}

/// What is counted over a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    /// Messages sent, by kind: the algorithm's kinds in their order, then `TELL`, then the storage's.
    pub messages: Vec<(&'static str, u32)>,
    pub entries: Vec<u32>,
    pub exits: Vec<u32>,
}

/// Properties that stay marked on the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Marks {
    pub mutex: Option<(NodeId, NodeId, u32)>,
    pub order: Option<(NodeId, NodeId)>,
    /// Whether an accepted fence was lower than one accepted before it.
    pub fence: bool,
}

/// A cluster that runs one algorithm.
#[derive(Debug)]
pub struct Cluster<A: Algorithm> {
    pub(super) setup: Arc<Setup>,
    pub(super) nodes: Vec<Local<A::State>>,
    pub(super) net: Network<A::Msg>,
    pub(super) tally: Tally,
    pub(super) marks: Marks,
    pub(super) storage: Storage,
    /// What each node knows of each node's events.
    knows: Vec<Past>,
    /// For each waiting node what it knew when it asked.
    asked: Vec<Option<Past>>,
    /// How often each client was overtaken since it asked, by all others and by those who asked later.
    overtaken: Vec<[u32; 2]>,
    /// Whether clocks mean something: the algorithm stamps, or `tell` or `local` was used.
    clocks_used: bool,
    /// The states since the last event that was no delivery.
    pub(super) rounds: Rounds,
    next_age: u32,
    steps: u32,
}

/// The states through which deliveries alone have led, for seeing that one comes again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Rounds {
    /// A hash of each of them, with the number of the step after which it stood.
    seen: Vec<(u64, u32)>,
    /// The step after which the present state stood before.
    pub came_again: Option<u32>,
}

impl<A: Algorithm> Clone for Cluster<A> {
    fn clone(&self) -> Self {
        Self {
            setup: Arc::clone(&self.setup),
            nodes: self.nodes.clone(),
            net: self.net.clone(),
            tally: self.tally.clone(),
            marks: self.marks,
            storage: self.storage.clone(),
            knows: self.knows.clone(),
            asked: self.asked.clone(),
            overtaken: self.overtaken.clone(),
            clocks_used: self.clocks_used,
            rounds: self.rounds.clone(),
            next_age: self.next_age,
            steps: self.steps,
        }
    }
}

impl<A: Algorithm> Cluster<A> {
    /// The cluster at its beginning: everybody idle, clocks as set, what the algorithm puts in flight.
    #[must_use]
    pub fn new(setup: Arc<Setup>) -> Self {
        let total = setup.total();
        let mut messages: Vec<(&'static str, u32)> =
            setup.info.kinds.iter().map(|k| (k.name, 0)).collect();
        messages.push((TELL, 0));
        if setup.storage.is_some() {
            messages.extend(store::KINDS.map(|kind| (kind, 0)));
        }
        let mut cluster = Self {
            nodes: Vec::with_capacity(total),
            net: Network::new(total),
            tally: Tally {
                messages,
                entries: vec![0; setup.clients],
                exits: vec![0; setup.clients],
            },
            marks: Marks::default(),
            storage: Storage::new(setup.clients),
            knows: vec![Past::nothing(total); total],
            asked: vec![None; setup.clients],
            overtaken: vec![[0; 2]; setup.clients],
            clocks_used: setup.info.stamped,
            rounds: Rounds::default(),
            next_age: 0,
            steps: 0,
            setup,
        };
        for me in cluster.setup.all_ids() {
            let mut out = Outbox::new(false);
            let setup = Arc::clone(&cluster.setup);
            let cx = Cx::of::<A>(&setup, me, Phase::Idle);
            let state = A::init(&cx, &mut out);
            let clock = setup.clocks[me.index()];
            cluster.nodes.push(Local { phase: Phase::Idle, crashed: false, clock, state });
            for (to, msg) in out.sends {
                cluster.launch(me, to, Body::Protocol(msg), 0);
            }
        }
        cluster
    }

    /// The cluster as it was set up, to keep.
    #[must_use]
    pub fn shared_setup(&self) -> Arc<Setup> {
        Arc::clone(&self.setup)
    }

    /// The state of each node.
    #[must_use]
    pub fn locals(&self) -> &[Local<A::State>] {
        &self.nodes
    }

    /// What the storage node keeps and what its clients know of it.
    #[must_use]
    pub fn storage_state(&self) -> &StorageState {
        &self.storage.state
    }

    /// The messages in flight.
    #[must_use]
    pub fn network(&self) -> &Network<A::Msg> {
        &self.net
    }

    pub(super) fn local(&self, node: NodeId) -> &Local<A::State> {
        &self.nodes[node.index()]
    }

    pub(super) fn cx(&self, me: NodeId) -> Cx<'_, A::Decisions> {
        Cx::of::<A>(&self.setup, me, self.local(me).phase)
    }

    pub(super) fn label_of(from: NodeId, body: &Body<A::Msg>) -> Label {
        match body {
            Body::Protocol(msg) => A::label(from, msg),
            Body::Tell(clock) => Label::stamped(TELL, Stamp::new(*clock, from)),
            Body::Storage(msg) => msg.label(),
        }
    }

    pub(super) fn line_of(&self, label: &Label) -> Line {
        let own = self.setup.info.kind(label.kind).map(|k| k.line);
        own.or_else(|| StorageMsg::line(label.kind)).unwrap_or(Line::Request)
    }

    fn sent(&self, from: NodeId, to: NodeId, flight: &Flight<A::Msg>) -> Sent {
        let mut label = Self::label_of(from, &flight.body);
        if self.setup.option(VECTOR) {
            label.carries.push((VECTOR, Value::numbers(&flight.knows.all)));
        }
        let line = self.line_of(&label);
        Sent { id: MsgId { from, to, no: flight.no }, label, line }
    }

    /// Puts a message at the end of its channel.
    pub(super) fn launch(
        &mut self,
        from: NodeId,
        to: NodeId,
        body: Body<A::Msg>,
        step: u32,
    ) -> Sent {
        let age = self.next_age;
        self.next_age += 1;
        let knows = self.knows[from.index()].clone();
        let channel = self.net.channel_mut(from, to);
        channel.sent += 1;
        let no = MsgNo { seq: channel.sent, copy: 0 };
        let flight = Flight { no, age, sent_at: step, knows, body };
        let sent = self.sent(from, to, &flight);
        self.net.channel_mut(from, to).flights.push_back(flight);
        sent
    }

    /// Runs a node's handler and sends what it left in its outbox.
    fn run(&mut self, node: NodeId, input: &Input<'_, A::Msg>, record: &mut StepRecord) {
        let setup = Arc::clone(&self.setup);
        let mut out = Outbox::new(true);
        let before = A::fault(&self.cx(node), &self.local(node).state);
        let entered = react::<A>(&setup, node, &mut self.nodes[node.index()], input, &mut out);
        let fault = A::fault(&self.cx(node), &self.local(node).state);
        for (to, msg) in out.sends.drain(..) {
            let sent = self.launch(node, to, Body::Protocol(msg), record.n);
            self.count(sent.label.kind);
            record.sent.push(sent);
        }
        let only = |id: &&str| self.setup.info.rule(id).and_then(Rule::only_word);
        for word in out.usual.iter().filter_map(only).chain(out.words) {
            if !record.outcomes.contains(&word) {
                record.outcomes.push(word);
            }
        }
        record.rules.append(&mut out.rules);
        // What a variant leaves out would name it.
        if setup.hidden.is_none() {
            record.notes.append(&mut out.notes);
        }
        if let Some(fault) = fault.filter(|_| before.is_none()) {
            record.note(format!("The script fails: {fault}"));
        }
        if entered {
            self.note_entry(node);
            record.entered = Some(node);
            record.outcomes.push(outcome::ENTER);
        }
    }

    pub(super) fn count(&mut self, kind: &str) {
        if let Some((_, n)) = self.tally.messages.iter_mut().find(|(k, _)| *k == kind) {
            *n += 1;
        }
    }

    /// Counts an entry and looks at the order of requests.
    fn note_entry(&mut self, node: NodeId) {
        self.tally.entries[node.index()] += 1;
        self.storage.state.enter(node);
        if self.setup.info.order == OrderPromise::Stamps && self.marks.order.is_none() {
            let passed = self.setup.client_ids().find(|other| {
                *other != node
                    && self.local(*other).phase == Phase::Waiting
                    && self.asked_before(*other, node)
            });
            self.marks.order = passed.map(|other| (node, other));
        }
        self.overtake(node);
        self.asked[node.index()] = None;
    }

    /// Counts an entry for everybody who waits.
    fn overtake(&mut self, node: NodeId) {
        let later = self.asked[node.index()].as_ref().map(|asked| self.requests_known(&asked.all));
        for client in self.setup.client_ids() {
            let i = client.index();
            let [all, by_later] = &mut self.overtaken[i];
            if client == node || self.asked[i].is_none() {
                (*all, *by_later) = (0, 0);
            } else {
                *all += 1;
                *by_later += u32::from(later.as_ref().is_some_and(|later| later[i]));
            }
        }
    }

    /// How often others have entered since a client asked, while it waits.
    pub(super) fn overtaken_by(&self, node: NodeId, by: Overtaking) -> u32 {
        self.overtaken.get(node.index()).map_or(0, |n| n[usize::from(by == Overtaking::Later)])
    }

    /// Whose outstanding requests somebody knows of who has this vector time.
    #[must_use]
    pub fn requests_known(&self, time: &VectorTime) -> Vec<bool> {
        let known = |(i, asked): (usize, &Option<Past>)| {
            asked.as_ref().is_some_and(|own| own.all[i] <= time[i])
        };
        self.asked.iter().enumerate().map(known).collect()
    }

    /// What a node knows, and what it knew when it asked, if it waits.
    #[must_use]
    pub fn knowledge(&self, node: NodeId) -> (&Past, Option<&Past>) {
        let asked = self.asked.get(node.index()).and_then(Option::as_ref);
        (&self.knows[node.index()], asked)
    }

    /// Whether the first node's outstanding request came before the second's: by its stamp, or because
    /// the second knew of it when it asked, by messages that carry stamps. News that comes by a message
    /// without one raises no clock: no algorithm promises anything about it.
    fn asked_before(&self, first: NodeId, second: NodeId) -> bool {
        let stamp = |n: NodeId| {
            let clock = A::request_stamp(&self.cx(n), &self.local(n).state);
            clock.map(|clock| Stamp::new(clock, n))
        };
        let by_stamp = matches!((stamp(first), stamp(second)), (Some(a), Some(b)) if a < b);
        let asked = self.asked[second.index()].as_ref();
        let known = asked.is_some_and(|asked| self.requests_known(&asked.stamped)[first.index()]);
        by_stamp || known
    }

    fn take(&mut self, id: MsgId) -> Flight<A::Msg> {
        let channel = self.net.channel_mut(id.from, id.to);
        let place = channel.find(id.no).expect("`check` has found the message");
        channel.flights.remove(place).expect("`find` gives a place in the channel")
    }

    fn moved(&self, id: MsgId, flight: &Flight<A::Msg>, fate: Fate) -> Moved {
        Moved { message: self.sent(id.from, id.to, flight), sent_at: flight.sent_at, fate }
    }

    fn deliver(&mut self, id: MsgId, record: &mut StepRecord) {
        let flight = self.take(id);
        let to = id.to;
        record.node = Some(to);
        if self.local(to).crashed {
            record.moved = Some(self.moved(id, &flight, Fate::LostAtCrashed));
            record.outcomes.push(outcome::LOST);
            return;
        }
        record.moved = Some(self.moved(id, &flight, Fate::Delivered));
        let stamped = Self::label_of(id.from, &flight.body).stamp.is_some();
        self.knows[to.index()].learn(to, Some((&flight.knows, stamped)));
        match &flight.body {
            Body::Protocol(msg) => self.run(to, &Input::Message(id.from, msg), record),
            Body::Tell(stamp) => {
                let local = &mut self.nodes[to.index()];
                let before = local.clock;
                local.clock = received(&self.setup, Receipt::Raises, before, *stamp);
                record.outcomes.push(if local.clock > before {
                    outcome::RAISED
                } else {
                    outcome::KEPT
                });
                let (name, now) = (self.setup.names.get(to), local.clock);
                record.note(match now == before {
                    true => format!("The clock of {name} stays at {now}."),
                    false => format!("The clock of {name} goes from {before} to {now}."),
                });
            }
            Body::Storage(msg) => self.on_storage_message(id.from, to, *msg, record),
        }
    }

    fn fault(&mut self, event: Event, record: &mut StepRecord) {
        match event {
            Event::Drop(m) => {
                let id = self.resolve(m).expect("`check` has found the message");
                let flight = self.take(id);
                record.moved = Some(self.moved(id, &flight, Fate::Dropped));
                record.outcomes.push(outcome::LOST);
            }
            Event::Duplicate(m) => {
                let id = self.resolve(m).expect("`check` has found the message");
                let channel = self.net.channel_mut(id.from, id.to);
                let place = channel.find(id.no).expect("`resolve` names a message in flight");
                let no = channel.duplicate(place).expect("`check` has found a name for it");
                let copy = MsgId { no, ..id };
                let flight = self.net.channel(id.from, id.to).flights[place].clone();
                record.moved = Some(self.moved(id, &flight, Fate::Copied(copy)));
                record.outcomes.push(outcome::DUPLICATE);
            }
            Event::Crash(n) => {
                self.nodes[n.index()].crashed = true;
                record.outcomes.push(outcome::CRASH);
            }
            Event::Recover(n) => {
                record.outcomes.push(outcome::RECOVER);
                self.run(n, &Input::Recover, record);
            }
            _ => unreachable!("`step` sends only faults here"),
        }
    }

    /// Plays a canonical event that is known to be enabled.
    fn play(&mut self, event: Event, record: &mut StepRecord) {
        match event {
            Event::Request(n) => {
                record.outcomes.push(outcome::REQUEST);
                self.knows[n.index()].learn(n, None);
                self.asked[n.index()] = Some(self.knows[n.index()].clone());
                self.run(n, &Input::Request, record);
            }
            Event::Exit(n) => {
                record.outcomes.push(outcome::EXIT);
                record.left = Some(n);
                self.tally.exits[n.index()] += 1;
                self.knows[n.index()].learn(n, None);
                self.run(n, &Input::Exit, record);
            }
            Event::Timeout(n) => {
                record.outcomes.push(outcome::TIMEOUT);
                self.knows[n.index()].learn(n, None);
                self.run(n, &Input::Timeout, record);
            }
            Event::Deliver(m) => {
                let id = self.resolve(m).expect("`check` has found the message");
                self.deliver(id, record);
            }
            Event::Drop(_) | Event::Duplicate(_) | Event::Crash(_) | Event::Recover(_) => {
                self.fault(event, record);
            }
            Event::Tell(from, to) => {
                record.outcomes.push(outcome::TELL);
                self.clocks_used = true;
                self.knows[from.index()].learn(from, None);
                let local = &mut self.nodes[from.index()];
                local.clock += 1;
                let body = Body::Tell(local.clock);
                let sent = self.launch(from, to, body, record.n);
                self.count(TELL);
                record.sent.push(sent);
            }
            Event::Local(n) => {
                record.outcomes.push(outcome::LOCAL);
                self.clocks_used = true;
                self.knows[n.index()].learn(n, None);
                self.nodes[n.index()].clock += 1;
            }
            Event::Read(n) | Event::Write(n) => {
                self.knows[n.index()].learn(n, None);
                self.ask_storage(n, matches!(event, Event::Write(_)), record);
            }
        }
    }

    /// Notes the state after a step, and whether it has stood before with nothing but deliveries since. A
    /// token that never rests goes round for ever and does no harm.
    fn look_for_rounds(&mut self, delivered: bool) {
        self.rounds.came_again = None;
        if !delivered {
            self.rounds.seen.clear();
        }
        if self.setup.info.circulates || self.net.in_flight() == 0 {
            return;
        }
        let state = self.state_hash();
        let before = self.rounds.seen.iter().find(|(seen, _)| *seen == state);
        self.rounds.came_again = before.map(|(_, step)| *step);
        self.rounds.seen.push((state, self.steps));
    }

    fn state_hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.nodes.hash(&mut hasher);
        self.storage.state.hash(&mut hasher);
        for (_, _, channel) in self.net.all() {
            channel.flights.len().hash(&mut hasher);
            channel.flights.iter().for_each(|flight| flight.body.hash(&mut hasher));
        }
        hasher.finish()
    }

    pub(super) fn holders(&self) -> Vec<NodeId> {
        self.setup.client_ids().filter(|n| self.local(*n).phase == Phase::InCs).collect()
    }

    fn actor(event: Event) -> Option<NodeId> {
        match event {
            Event::Request(n) | Event::Exit(n) | Event::Crash(n) | Event::Recover(n) => Some(n),
            Event::Timeout(n) | Event::Read(n) | Event::Write(n) | Event::Local(n) => Some(n),
            Event::Tell(from, _) => Some(from),
            Event::Deliver(m) => Some(m.to),
            Event::Drop(_) | Event::Duplicate(_) => None,
        }
    }

    pub(super) fn tokens_total(&self) -> Option<u32> {
        if !self.setup.info.token {
            return None;
        }
        let clients = self.setup.client_ids();
        let held: u32 = clients.map(|n| A::tokens_held(&self.cx(n), &self.local(n).state)).sum();
        let flights = self.net.all().flat_map(|(_, _, c)| &c.flights);
        let moving =
            flights.filter(|f| matches!(&f.body, Body::Protocol(m) if A::carries_token(m))).count();
        Some(held + u32::try_from(moving).unwrap_or(u32::MAX))
    }

    /// The variables of a node.
    pub(super) fn fields_of(&self, id: NodeId) -> Fields {
        let mut fields = Fields::default();
        // The storage node has no part in the algorithm; what it keeps is shown apart.
        if self.setup.storage.is_none_or(|(storage, ..)| storage != id) {
            A::fields(&self.cx(id), &self.local(id).state, &mut fields);
        }
        if self.setup.option(VECTOR) {
            fields.add(VECTOR, Value::numbers(&self.knows[id.index()].all));
        }
        fields
    }

    fn node_view(&self, id: NodeId) -> NodeView {
        let (cx, local) = (self.cx(id), self.local(id));
        let fields = self.fields_of(id);
        let client = self.setup.is_client(id);
        let stamp = A::request_stamp(&cx, &local.state).map(|clock| Stamp::new(clock, id));
        NodeView {
            id,
            name: self.setup.name(id).to_owned(),
            client,
            phase: local.phase,
            crashed: local.crashed,
            clock: self.clocks_used.then_some(local.clock),
            request: stamp,
            fields,
            timer: A::timer(&cx, &local.state),
            overtaken: self.overtaken.get(id.index()).copied().unwrap_or_default(),
        }
    }

    pub(super) fn flight_views(&self) -> Vec<FlightView> {
        let fifo = self.setup.channels == ChannelOrder::Fifo;
        let one = |(from, to, f): (NodeId, NodeId, &Flight<A::Msg>)| {
            let Sent { id, label, line } = self.sent(from, to, f);
            let head = self.net.channel(from, to).flights.front().map(|h| h.no);
            let behind = head.filter(|h| fifo && *h != f.no).map(|no| MsgId { from, to, no });
            FlightView { id, label, line, sent_at: f.sent_at, behind }
        };
        self.net.by_age().into_iter().map(one).collect()
    }
}

impl<A: Algorithm> Simulation for Cluster<A> {
    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn info(&self) -> &'static Info {
        self.setup.info
    }

    fn steps(&self) -> u32 {
        self.steps
    }

    fn enabled(&self) -> Vec<Event> {
        self.list_enabled()
    }

    fn check(&self, event: Event) -> Result<Event, Refused> {
        self.accept(event)
    }

    fn step(&mut self, event: Event) -> Result<StepRecord, Refused> {
        let event = self.accept(event)?;
        let mut record = StepRecord {
            n: self.steps + 1,
            event,
            node: Self::actor(event),
            moved: None,
            sent: Vec::new(),
            entered: None,
            left: None,
            rules: Vec::new(),
            notes: Vec::new(),
            outcomes: Vec::new(),
        };
        self.play(event, &mut record);
        self.steps += 1;
        self.look_for_rounds(record.delivered().is_some());
        if self.marks.mutex.is_none()
            && let [a, b, ..] = self.holders().as_slice()
        {
            self.marks.mutex = Some((*a, *b, self.steps));
        }
        Ok(record)
    }

    fn view(&self) -> ClusterView {
        let messages =
            self.tally.messages.iter().filter(|(k, n)| belongs_to_algorithm(k) || *n > 0);
        ClusterView {
            step: self.steps,
            nodes: self.setup.all_ids().map(|n| self.node_view(n)).collect(),
            in_flight: self.flight_views(),
            lamps: self.lamps(),
            holders: self.holders(),
            messages: messages.copied().collect(),
            entries: self.tally.entries.clone(),
            exits: self.tally.exits.clone(),
            storage: self.storage_view(),
        }
    }

    fn lamps(&self) -> Lamps {
        let mutex = self.marks.mutex.map_or(Mutex::Ok, |(a, b, at)| Mutex::Violated(a, b, at));
        let order = match (self.setup.info.order, self.marks.order) {
            (OrderPromise::NotPromised, _) => Order::NotPromised,
            (OrderPromise::Stamps, None) => Order::Kept,
            (OrderPromise::Stamps, Some((a, b))) => Order::Broken(a, b),
        };
        Lamps { mutex, progress: self.progress(), tokens: self.tokens_total(), order }
    }

    fn why(&self, node: NodeId) -> Vec<WhyLine> {
        self.explain(node)
    }

    fn fault(&self) -> Option<(NodeId, String)> {
        let of = |n: NodeId| Some((n, A::fault(&self.cx(n), &self.local(n).state)?));
        self.setup.all_ids().find_map(of)
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }

    fn advance_clock(&mut self, node: NodeId, clock: u32) -> u32 {
        let own = &mut self.nodes[node.index()].clock;
        let ticks = clock.saturating_sub(*own);
        *own += ticks;
        ticks
    }

    fn begin_here(&mut self) {
        self.steps = 0;
        self.marks = Marks::default();
        self.storage.begin_here();
        self.rounds = Rounds::default();
        for (_, n) in &mut self.tally.messages {
            *n = 0;
        }
        self.tally.entries.fill(0);
        self.tally.exits.fill(0);
        self.overtaken.fill([0; 2]);
        self.net.begin_here();
    }

    fn fingerprint(&self) -> u64 {
        self.state_hash()
    }

    fn digest(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{} {} {}",
            self.nodes,
            self.net,
            self.tally,
            self.marks,
            self.storage,
            self.knows,
            self.asked,
            self.clocks_used,
            self.next_age,
            self.steps
        );
        text
    }

    fn at_rest(&self) -> bool {
        self.setup.client_ids().all(|n| {
            let local = self.local(n);
            local.crashed || local.phase == Phase::Idle
        })
    }
}
