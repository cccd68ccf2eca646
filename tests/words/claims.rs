//! Claims about one step, written as text and judged against its record and the states around it.
//!
//! Nothing here asks the code that made the sentence, lit the rule or chose the word. A claim is
//! written `sent REPLY to who`, `j in after.deferred`, `before.holder is –`; alternatives are joined by
//! `or`. Names stand for what a sentence has captured, for nodes of the step (`me`, `sender`, `next`,
//! `all`, `anybody`), or for a variable of the node before and after (`before.F`, `after.F`).

use lockstep::model::{Event, NodeId, Phase, Setup, Value};
use lockstep::sim::{ClusterView, StepRecord};
use std::collections::{BTreeMap, BTreeSet};

/// What a sentence has captured, by name.
pub type Captured = BTreeMap<String, String>;

/// One step, as everybody can see it.
pub struct Facts<'a> {
    pub setup: &'a Setup,
    pub before: &'a ClusterView,
    pub after: &'a ClusterView,
    pub record: &'a StepRecord,
}

type Nodes = BTreeSet<NodeId>;

/// `(5,P1)` as numbers that compare as stamps do.
fn stamp(text: &str, setup: &Setup) -> Option<(u32, NodeId)> {
    let (clock, node) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Some((clock.parse().ok()?, setup.names.find(node)?))
}

impl Facts<'_> {
    pub fn me(&self) -> NodeId {
        self.record.node.expect("claims are about steps of a node")
    }

    fn sender(&self) -> NodeId {
        self.record.delivered().map_or(self.me(), |m| m.message.id.from)
    }

    fn view(&self, when: &str) -> &ClusterView {
        match when {
            "before" => self.before,
            "after" => self.after,
            other => panic!("`{other}` is neither before nor after"),
        }
    }

    fn field(&self, when: &str, name: &str) -> Value {
        let fields = &self.view(when).node(self.me()).fields;
        fields.get(name).map_or(Value::None, |v| v.plain().clone())
    }

    /// The value of `before.F`, `after.F`, `after.F[j]`.
    fn value(&self, text: &str, said: &Captured) -> Option<Value> {
        let (when, name) = text.split_once('.')?;
        if !matches!(when, "before" | "after") {
            return None;
        }
        let Some((name, node)) = name.split_once('[') else { return Some(self.field(when, name)) };
        let node = self.node(node.trim_end_matches(']'), said);
        Some(of_node(&self.field(when, name), node))
    }

    fn shown(&self, value: &Value) -> String {
        value.show(&self.setup.names, "", "")
    }

    /// What a name stands for, as text.
    fn text(&self, name: &str, said: &Captured) -> String {
        if let Some(value) = self.value(name, said) {
            return self.shown(&value);
        }
        if let Some(text) = said.get(name) {
            return text.clone();
        }
        match name {
            "me" | "sender" | "asker" | "next" => self.setup.name(self.node(name, said)).to_owned(),
            literal => literal.to_owned(),
        }
    }

    fn node(&self, name: &str, said: &Captured) -> NodeId {
        let all = self.nodes(name, said);
        assert_eq!(all.len(), 1, "`{name}` is {all:?}");
        *all.first().expect("one")
    }

    fn others(&self) -> Nodes {
        self.setup.client_ids().filter(|n| *n != self.me()).collect()
    }

    /// The nodes that a name stands for.
    fn nodes(&self, name: &str, said: &Captured) -> Nodes {
        if let Some(value) = self.value(name, said) {
            return nodes_in(&value);
        }
        if let Some(text) = said.get(name) {
            if let Some((_, node)) = stamp(text, self.setup) {
                return [node].into();
            }
            let pieces = text.split(", ").flat_map(|p| p.split(" and ")).filter(|p| *p != "nobody");
            return pieces.map(|p| self.setup.names.find(p).expect("a node's name")).collect();
        }
        let me = self.me();
        match name {
            "me" => [me].into(),
            "sender" => [self.sender()].into(),
            "all" => self.others(),
            "next" => [NodeId::at((me.index() + 1) % self.setup.clients)].into(),
            "coordinator" | "service" => self.setup.coordinator.into_iter().collect(),
            "storage" => self.setup.storage.map(|(node, ..)| node).into_iter().collect(),
            "asker" => {
                let moved = self.record.delivered().expect("a request has come");
                [moved.message.label.node.unwrap_or(moved.message.id.from)].into()
            }
            "missing" => {
                let have = nodes_in(&self.field("before", "have"));
                self.others().difference(&have).copied().collect()
            }
            other => panic!("`{other}` names no nodes"),
        }
    }

    fn receivers(&self, kind: &str) -> Nodes {
        let of = self.record.sent.iter().filter(|s| s.label.kind == kind);
        of.map(|s| s.id.to).collect()
    }

    fn got(&self, kind: &str) -> bool {
        match self.record.delivered() {
            Some(m) if m.message.label.kind == kind => true,
            // A node's message to itself stays inside the step.
            _ => !matches!(kind, "TELL" | "WRITE" | "READ") && self.talks_to_itself(),
        }
    }

    /// Whether the node may have sent itself a message in this step.
    pub fn talks_to_itself(&self) -> bool {
        let own_voter = |set: &Value| nodes_in(set).contains(&self.me());
        let handled = match self.record.event {
            Event::Request(_) | Event::Exit(_) => true,
            Event::Deliver(_) => {
                self.record.delivered().is_some_and(|m| m.message.label.kind != "TELL")
            }
            _ => false,
        };
        let own_coordinator =
            self.setup.coordinator == Some(self.me()) && self.setup.is_client(self.me());
        handled && (own_coordinator || own_voter(&self.field("before", "set")))
    }

    fn was(&self) -> Phase {
        self.before.node(self.me()).phase
    }

    /// What the step's stamped message says against the node's own request.
    fn own_first(&self) -> Option<bool> {
        let own = self.before.node(self.me()).request?;
        Some(own < self.record.delivered()?.message.label.stamp?)
    }

    /// The counters and the queue of the token that was here or has just gone.
    fn token(&self, name: &str) -> Value {
        let sent = self.record.sent.iter().flat_map(|s| &s.label.carries);
        let carried = sent.filter(|(n, _)| *n == name).map(|(_, v)| v.clone()).next();
        carried.unwrap_or_else(|| self.field("after", name))
    }

    /// Whether all claims hold; the first that does not.
    pub fn hold(&self, claims: &str, said: &Captured) -> Result<(), String> {
        let fits = |claim: &&str| !claim.split(" or ").any(|one| self.holds(one.trim(), said));
        let all = claims.split(';').map(str::trim).filter(|c| !c.is_empty());
        match all.clone().find(fits) {
            Some(claim) => Err(format!("not so: {claim}")),
            None => Ok(()),
        }
    }

    fn holds(&self, claim: &str, said: &Captured) -> bool {
        let words: Vec<&str> = claim.split(' ').collect();
        let nodes = |name: &str| self.nodes(name, said);
        let text = |name: &str| self.text(name, said);
        let label = self.record.delivered().map(|m| &m.message.label);
        match words.as_slice() {
            ["left"] => self.record.left == Some(self.me()),
            ["entered"] => self.record.entered == Some(self.me()),
            ["lost"] => {
                let delivered = self.record.delivered().is_some();
                self.record.moved.is_some()
                    && !delivered
                    && !matches!(self.record.event, Event::Duplicate(_))
            }
            ["not", rest @ ..]
                if matches!(rest[0], "entered" | "got" | "event" | "deferred" | "of") =>
            {
                !self.holds(&rest.join(" "), said)
            }
            ["not", "idle"] => self.was() != Phase::Idle,
            ["inside", "after"] => self.after.node(self.me()).phase == Phase::InCs,
            ["not", "inside", "after"] => self.after.node(self.me()).phase != Phase::InCs,
            ["was", "not", word] => self.was() != phase(word),
            ["was", word] => self.was() == phase(word),
            ["event", verb] => self.record.event.show(&self.setup.names).starts_with(verb),
            ["got", kind] => self.got(kind),
            ["got", kind, "from", who] => {
                let from = self.node(who, said);
                self.got(kind) && (self.sender() == from || from == self.me())
            }
            ["stamp", s] => {
                let got = label.and_then(|l| l.stamp);
                got.map(|s| s.show(&self.setup.names)) == Some(text(s)) || self.talks_to_itself()
            }
            ["detail", d] => {
                let wanted = match d.strip_prefix('#') {
                    Some(name) => format!("#{}", text(name)),
                    None => text(d),
                };
                // The first tokens carry no number.
                label.is_some_and(|l| l.detail.as_deref() == Some(wanted.as_str()))
            }
            ["nothing", "sent"] => self.record.sent.is_empty(),
            ["tells", kind] => !self.receivers(kind).is_empty(),
            ["sent", kind, "to", "missing", "permissions"] => {
                self.receivers(kind) == nodes("missing")
            }
            ["sent", kind, "to", who] => {
                let mut wanted = nodes(who);
                wanted.remove(&self.me());
                wanted.is_subset(&self.receivers(kind))
            }
            ["sent", kind, s, "to", who] => {
                let stamped = text(s);
                let of = self.record.sent.iter().filter(|m| m.label.kind == *kind);
                let alike = |m: &lockstep::sim::Sent| {
                    m.label.stamp.map(|s| s.show(&self.setup.names)) == Some(stamped.clone())
                };
                of.clone().all(alike) && self.holds(&format!("sent {kind} to {who}"), said)
            }
            ["no", kind, "to", "anybody"] => self.receivers(kind).is_empty(),
            ["no", kind, "to", "owner", "of", s] | ["no", kind, "to", s] => {
                nodes(s).is_disjoint(&self.receivers(kind))
            }
            ["sent", kind, "to", "owner", "of", s] => {
                self.holds(&format!("sent {kind} to {s}"), said)
            }
            ["stamps", how] => {
                let stamps: BTreeSet<_> =
                    self.record.sent.iter().filter_map(|s| s.label.stamp).collect();
                (stamps.len() > 1) == (*how == "differ")
            }
            [value, "empty"] => nodes_in(&self.value(value, said).expect("a variable")).is_empty(),
            [value, "nonempty"] => !nodes(value).is_empty(),
            ["one", who] => nodes(who).len() == 1,
            ["many", who] => nodes(who).len() > 1,
            ["same", field] => self.field("before", field) == self.field("after", field),
            ["leases", "changed"] => {
                let queue = |v: &ClusterView| v.node(self.me()).fields.get("queue").cloned();
                let number = |when| self.field(when, "number");
                queue(self.before) != queue(self.after) || number("before") != number("after")
            }
            ["heard", "its", "stamp"] => {
                let stamp = label.and_then(|l| l.stamp).expect("an ACK is stamped");
                let heard = of_node(&self.field("after", "heard"), stamp.node);
                heard == Value::Num(i64::from(stamp.clock))
            }
            ["queue", "shrank"] => {
                let all = |when: &str| self.listed(&format!("{when}.queue"), said).len();
                all("after") < all("before")
            }
            ["of", "the", "own", "grant"] => {
                let own = self.field("before", "grant");
                own != Value::None && label.and_then(|l| l.detail.clone()) == Some(self.shown(&own))
            }
            ["own", "vote", "granted"] => self.own_vote("granted"),
            [field, "changed"] => self.field("before", field) != self.field("after", field),
            [who, "in", value] if said.get(*who).is_some_and(|t| t.starts_with('(')) => {
                self.listed(value, said).contains(&text(who))
            }
            [who, "not", "in", value] if said.get(*who).is_some_and(|t| t.starts_with('(')) => {
                !self.listed(value, said).contains(&text(who))
            }
            [who, "in", value] => nodes(who).is_subset(&nodes(value)),
            [who, "not", "in", value] => nodes(who).is_disjoint(&nodes(value)),
            [who, "owns", "in", value] => nodes(who).is_subset(&nodes(value)),
            ["no", "request", "of", who, "in", value] => nodes(who).is_disjoint(&nodes(value)),
            ["node", "of", s, "is", j] => nodes(s) == nodes(j),
            ["first", value, "is", "own"] => {
                nodes_of_first(&self.value(value, said)) == [self.me()]
            }
            ["first", value, "is", x] => self.listed(value, said).first() == Some(&text(x)),
            ["place", n, "of", value, "is", x] => {
                let place: usize = text(n).parse().expect("a place");
                self.listed(value, said).get(place - 1) == Some(&text(x))
            }
            ["queued", who, "at", n] => {
                // It may have been taken out again in the same step.
                let place: usize = text(n).parse().expect("a place");
                let before = self.listed("before.queue", said).len();
                nodes(who).len() == 1 && place == before + 1
            }
            ["clock", "raised"] => self.clock("before") < self.clock("after"),
            ["clock", "kept"] => self.clock("before") == self.clock("after"),
            ["clock", n] => Some(text(n)) == self.clock("after").map(|c| c.to_string()),
            ["heard", "later", "than", s, "from", who] => self.heard_later(s, said, &nodes(who)),
            ["heard", s] => {
                let (clock, node) = stamp(&text(s), self.setup).expect("a stamp");
                of_node(&self.field("after", "heard"), node) == Value::Num(i64::from(clock))
            }
            ["nothing", "later", "than", s, "from", who] => {
                nodes(who).into_iter().all(|n| !self.heard_later(s, said, &[n].into()))
            }
            ["own", "first"] => self.was() == Phase::Waiting && self.own_first() == Some(true),
            ["theirs", "first"] => self.was() == Phase::Waiting && self.own_first() == Some(false),
            ["raised", field] => {
                let (now, then) = (format!("after.{field}"), format!("before.{field}"));
                self.number(&now, said) > self.number(&then, said)
            }
            ["stale", field] => {
                let (name, _) = field.split_once('[').expect("a node's number");
                let served = field.replace(name, "before.LN");
                let known = self.number(&format!("after.{field}"), said);
                known != self.number(&served, said) + 1
            }
            [name, "not", "lowered"] => {
                let all = self.setup.client_ids();
                let at = |when: &str, n: NodeId| number(&of_node(&self.field(when, name), n));
                all.into_iter().all(|n| at("after", n) >= at("before", n))
            }
            ["token", "says", field, "is", "own"] => self.token_says(field, &self.known_own()),
            ["token", "says", field, "is", "not", "own"] => {
                !self.token_says(field, &self.known_own())
            }
            ["token", "says", field, "is", n] => self.token_says(field, &text(n)),
            ["token", "queue", "grew", "by", who] => {
                let mut queue = list(&self.token("queue"));
                let next = self.record.sent.iter().find(|s| s.label.kind == "TOKEN");
                queue.splice(0..0, next.map(|s| s.id.to));
                let before = list(&self.field("before", "queue"));
                let new: Nodes = queue.iter().skip(before.len()).copied().collect();
                queue.starts_with(&before) && new == nodes(who)
            }
            ["due", who] => {
                let at = |v: &Value, n| number(&of_node(v, n));
                let (known, served) = (self.field("after", "RN"), self.token("LN"));
                nodes(who).into_iter().all(|n| at(&known, n) == at(&served, n) + 1)
            }
            ["waits", "unserved", who] | ["unserved", who] => {
                nodes(who).into_iter().all(|n| self.unserved(n))
            }
            ["nobody", "unserved"] => !self.others().into_iter().any(|n| self.unserved(n)),
            ["vote", "not", "with", j] => nodes_in(&self.field("before", "voted")) != nodes(j),
            ["no", "vote", "of", who] => {
                let votes = self.field("after", "votes");
                nodes(who).into_iter().all(|n| of_node(&votes, n) != Value::Word("granted"))
            }
            ["nowhere", "failed", "before"] => !self.failed_at(&self.field("before", "set")),
            ["failed", "at", who] => {
                let (then, now) = (self.field("before", "votes"), self.field("after", "votes"));
                let failed = Value::Word("failed");
                let at = |n| of_node(&then, n) == failed || of_node(&now, n) == failed;
                nodes(who).into_iter().all(at)
            }
            ["aside", "grew"] => {
                let (then, now) = (self.field("before", "aside"), self.field("after", "aside"));
                nodes_in(&now).is_superset(&nodes_in(&then)) && now != then
                    // A copy of an INQUIRE that lies there already.
                    || nodes_in(&now).contains(&self.sender())
            }
            ["last", "after", j] => {
                let wanted = if nodes(j) == [self.me()].into() { Nodes::new() } else { nodes(j) };
                nodes_in(&self.field("after", "last")) == wanted
            }
            ["points", "to", j] => self.holds(&format!("last after {j}"), said),
            ["free", _, "set", "anew"] | ["free"] => self.field("after", "copy") == Value::None,
            ["set", "anew"] => self.record.entered == Some(self.me()),
            ["other", "grant"] => {
                let number = self.field("before", "number");
                let same_holder = nodes_in(&self.field("before", "holder")) == nodes("sender");
                label.and_then(|l| l.detail.clone()) != Some(self.shown(&number)) || !same_holder
            }
            ["asks", "anew"] => {
                // Sending the token away has made it forget that it had asked.
                self.field("before", "asked") == Value::Bool(false)
                    || !self.receivers("TOKEN").is_empty()
                    || label.is_some_and(|l| l.kind == "TOKEN")
            }
            ["grants"] => {
                let own = self.field("before", "granted") != self.field("after", "granted");
                !self.receivers("GRANT").is_empty()
                    || own && self.talks_to_itself() && label.is_none_or(|l| l.kind != "GRANT")
            }
            ["fails", "somebody"] => {
                !self.receivers("FAILED").is_empty() || self.own_vote("failed")
            }
            ["inquires"] => {
                self.field("before", "inquired") != Value::Bool(true)
                    && (!self.receivers("INQUIRE").is_empty()
                        || self.field("after", "inquired") == Value::Bool(true)
                        || self.own_vote("failed"))
            }
            ["yields"] => !self.receivers("YIELD").is_empty() || self.own_vote("failed"),
            ["votes", "noted"] => {
                let came = label.is_some_and(|l| matches!(l.kind, "GRANT" | "FAILED"));
                came && self.was() != Phase::Idle
                    || self.own_vote("granted")
                    || self.own_vote("failed")
            }
            ["deferred", "anew"] => {
                self.field("after", "owes") != Value::None && self.record.left.is_none()
            }
            ["stale"] => {
                let highest = self.field("before", "highest");
                let number =
                    label.and_then(|l| l.detail.as_deref()?.strip_prefix('#')?.parse().ok());
                matches!((highest, number), (Value::Num(h), Some(n)) if h >= n)
            }
            ["renews"] => {
                let renewed =
                    label.is_some_and(|l| l.kind == "RENEW") && self.record.sent.is_empty();
                let same = |name| self.field("before", name) == self.field("after", name);
                let went_on = matches!(self.record.event, Event::Timeout(_))
                    && self.field("before", "renewed") == Value::Bool(true)
                    && same("holder")
                    && same("number")
                    && !same("renewed");
                renewed || went_on
            }
            ["an", "update", "was", "lost"] => {
                let last = self.after.storage.as_ref().and_then(|s| s.writes.last());
                last.is_some_and(|w| w.overwrites.is_some())
            }
            ["m", "+", "1", "=", "n"] => self.number("m", said) + 1 == self.number("n", said),
            [a, "<", b] => self.less(a, b, said),
            [a, "<=", b] => !self.less(b, a, said),
            [value, "is", x] => self.same(value, x, said),
            [value, "not", x] => !self.same(value, x, said),
            _ => panic!("no claim is written `{claim}`"),
        }
    }

    /// Whether a value reads as a name does, or has the same nodes.
    fn same(&self, value: &str, x: &str, said: &Captured) -> bool {
        let Some(found) = self.value(value, said) else {
            return self.nodes(value, said) == self.nodes(x, said);
        };
        let named = said.contains_key(x) || matches!(x, "me" | "sender" | "asker");
        let a_set = matches!(found, Value::Set(_) | Value::List(_));
        let wanted = self.text(x, said);
        if named && a_set && !wanted.starts_with('(') {
            return nodes_in(&found) == self.nodes(x, said);
        }
        self.shown(&found) == wanted
    }

    fn listed(&self, value: &str, said: &Captured) -> Vec<String> {
        match self.value(value, said).expect("a variable").plain() {
            Value::List(items) => items.iter().map(|v| self.shown(v.plain())).collect(),
            other => panic!("`{value}` is no list: {other:?}"),
        }
    }

    fn number(&self, name: &str, said: &Captured) -> i64 {
        let text = self.text(name, said);
        text.parse().unwrap_or_else(|_| panic!("`{name}` is {text}, no number"))
    }

    fn less(&self, a: &str, b: &str, said: &Captured) -> bool {
        let both = |name| stamp(&self.text(name, said), self.setup);
        match (both(a), both(b)) {
            (Some(a), Some(b)) => a < b,
            _ => self.number(a, said) < self.number(b, said),
        }
    }

    fn clock(&self, when: &str) -> Option<u32> {
        self.view(when).node(self.me()).clock
    }

    fn heard_later(&self, s: &str, said: &Captured, who: &Nodes) -> bool {
        let own = match s {
            "own" => self.after.node(self.me()).request.map(|s| (s.clock, s.node)),
            s => stamp(&self.text(s, said), self.setup),
        };
        let heard = self.field("after", "heard");
        let later = |n: &NodeId| match (of_node(&heard, *n), own) {
            (Value::Num(clock), Some(own)) => (clock as u32, *n) > own,
            _ => false,
        };
        who.iter().all(later)
    }

    /// What the node knows of its own requests.
    fn known_own(&self) -> String {
        let name = if self.field("after", "RN") == Value::None { "asked" } else { "RN" };
        self.shown(&of_node(&self.field("after", name), self.me()))
    }

    fn token_says(&self, field: &str, wanted: &str) -> bool {
        let (name, _) = field.split_once('[').expect("a node's number");
        self.shown(&of_node(&self.token(name), self.me())) == wanted
    }

    fn unserved(&self, node: NodeId) -> bool {
        let at = |v: &Value| number(&of_node(v, node));
        at(&self.field("after", "asked")) > at(&self.token("served"))
    }

    fn failed_at(&self, set: &Value) -> bool {
        let votes = self.field("before", "votes");
        nodes_in(set).into_iter().any(|n| of_node(&votes, n) == Value::Word("failed"))
    }

    /// Whether the node's own vote has become this for its own request, in a message to itself.
    fn own_vote(&self, word: &'static str) -> bool {
        let at = |when| of_node(&self.field(when, "votes"), self.me());
        at("after") == Value::Word(word) && at("before") != Value::Word(word)
    }
}

fn phase(word: &str) -> Phase {
    match word {
        "idle" => Phase::Idle,
        "waiting" => Phase::Waiting,
        "inside" => Phase::InCs,
        other => panic!("`{other}` is no phase"),
    }
}

fn number(value: &Value) -> i64 {
    match value.plain() {
        Value::Num(n) => *n,
        other => panic!("{other:?} is no number"),
    }
}

fn of_node(value: &Value, node: NodeId) -> Value {
    match value.plain() {
        Value::PerNode(items) => {
            let found = items.iter().find(|(n, ..)| *n == node);
            found.map_or(Value::None, |(_, v, _)| v.plain().clone())
        }
        _ => Value::None,
    }
}

fn list(value: &Value) -> Vec<NodeId> {
    match value.plain() {
        Value::List(items) => items.iter().flat_map(nodes_in).collect(),
        _ => Vec::new(),
    }
}

fn nodes_of_first(value: &Option<Value>) -> Vec<NodeId> {
    value.as_ref().map_or(Vec::new(), |v| list(v).into_iter().take(1).collect())
}

/// The nodes in a value: of a set, a list, the owner of a stamp.
fn nodes_in(value: &Value) -> Nodes {
    match value.plain() {
        Value::Set(set) => set.iter().collect(),
        Value::List(items) => items.iter().flat_map(nodes_in).collect(),
        Value::Node(node) => [*node].into(),
        Value::Stamp(stamp) => [stamp.node].into(),
        Value::None | Value::Num(_) | Value::Bool(_) | Value::Word(_) => Nodes::new(),
        Value::PerNode(_) | Value::Marked(..) => Nodes::new(),
    }
}
