//! A program as a student writes it: a thread a node, TCP over loopback, random delays, a log for each node.
//!
//! It knows nothing of Lockstep. Three algorithms are written here from their papers alone, with clocks that
//! tick at every event; a mistake can be planted, is made once, and the line that first shows it is noted.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The algorithms that the program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    RicartAgrawala,
    Lamport,
    SuzukiKasami,
}

/// A mistake of whoever wrote the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bug {
    /// Ricart–Agrawala: replies while its own request is the older one.
    RepliesAlways,
    /// Ricart–Agrawala: enters with one reply too few.
    EntersEarly,
    /// Ricart–Agrawala: forgets whom it owes a reply.
    ForgetsDeferred,
    /// Ricart–Agrawala: its clock does not look at what it receives.
    ClockStays,
    /// Lamport: does not acknowledge.
    NoAck,
    /// Lamport: enters although another request stands before its own.
    IgnoresTheQueue,
    /// Lamport: leaves without telling the last node.
    ReleaseForOneLess,
    /// Lamport: an acknowledgement with an old stamp.
    OldAck,
    /// Suzuki–Kasami: enters without the token.
    EntersWithoutToken,
    /// Suzuki–Kasami: makes a second token out of a request.
    SecondToken,
}

/// What a run left behind.
pub struct Logs {
    /// A log for each node, in its order.
    pub files: Vec<String>,
    /// The node and the line that first shows the mistake; where it shows at several nodes that have not
    /// heard of each other, the first line of each.
    pub shown: Vec<(usize, usize)>,
}

struct Shared {
    bug: Option<Bug>,
    made: AtomicBool,
    shown: Mutex<Vec<(usize, usize)>>,
    finished: AtomicUsize,
    over: AtomicBool,
}

struct Node {
    me: usize,
    n: usize,
    json: bool,
    shared: Arc<Shared>,
    peers: BTreeMap<usize, TcpStream>,
    inbox: Receiver<(usize, String)>,
    log: Vec<String>,
    random: u64,
    clock: u64,
    /// The largest stamp that was seen or given, whatever the clock says.
    seen: u64,
    mine: Option<(u64, usize)>,
    inside: bool,
    replies: BTreeSet<usize>,
    deferred: Vec<usize>,
    queue: BTreeSet<(u64, usize)>,
    heard: BTreeMap<usize, (u64, usize)>,
    rn: Vec<u64>,
    token: Option<(Vec<u64>, Vec<usize>)>,
    /// A mistake that the node's next step shows.
    next_line_shows: bool,
}

impl Node {
    fn draw(&mut self, below: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % below
    }

    /// Whether the planted mistake is made here and now.
    fn errs(&self, bug: Bug) -> bool {
        self.shared.bug == Some(bug) && !self.shared.made.swap(true, Ordering::SeqCst)
    }

    /// The next line of the log shows the mistake.
    fn shows(&self) {
        let mut shown = self.shared.shown.lock().expect("no thread fails");
        if !shown.iter().any(|(node, _)| *node == self.me) {
            shown.push((self.me, self.log.len() + 1));
        }
    }

    fn write(&mut self, event: &str, message: Option<(&str, &str, usize, Option<u64>)>) {
        if self.next_line_shows && matches!(event, "request" | "receive" | "exit") {
            self.next_line_shows = false;
            self.shows();
        }
        let me = self.me + 1;
        let line = match message {
            None if self.json => format!("{{\"node\":\"P{me}\",\"event\":\"{event}\"}}"),
            None => format!("P{me} {event}"),
            Some((kind, key, peer, clock)) if self.json => {
                let stamp = clock.map_or(String::new(), |c| format!(",\"stamp\":{c}"));
                format!(
                    "{{\"node\":\"P{me}\",\"event\":\"{event}\",\"kind\":\"{kind}\",\"{key}\":\"P{}\"{stamp}}}",
                    peer + 1
                )
            }
            Some((kind, key, peer, clock)) => {
                let sender = if event == "send" { me } else { peer + 1 };
                let stamp = clock.map_or(String::new(), |c| format!(" ({c},P{sender})"));
                format!("P{me} {event} {kind} {key} P{}{stamp}", peer + 1)
            }
        };
        self.log.push(line);
    }

    fn send(&mut self, kind: &str, to: usize, clock: Option<u64>, rest: &str) {
        self.write("send", Some((kind, "to", to, clock)));
        let clock = clock.map_or("-".to_owned(), |clock| clock.to_string());
        let line = format!("{kind} {clock} {rest}\n");
        // Who is gone needs no message.
        let _ = self.peers.get_mut(&to).expect("all are connected").write_all(line.as_bytes());
    }

    fn others(&self) -> Vec<usize> {
        (0..self.n).filter(|node| *node != self.me).collect()
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.seen = self.seen.max(self.clock);
        self.clock
    }

    fn request(&mut self, algorithm: Algorithm) {
        self.write("request", None);
        let right = self.seen + 1;
        let stamp = self.tick();
        if stamp < right && self.shared.bug == Some(Bug::ClockStays) {
            self.shows();
        }
        self.mine = Some((stamp, self.me));
        match algorithm {
            Algorithm::RicartAgrawala => {
                self.replies.clear();
                for to in self.others() {
                    self.send("REQUEST", to, Some(stamp), "");
                }
            }
            Algorithm::Lamport => {
                self.queue.insert((stamp, self.me));
                for to in self.others() {
                    self.send("REQUEST", to, Some(stamp), "");
                }
            }
            Algorithm::SuzukiKasami if self.token.is_some() => {}
            Algorithm::SuzukiKasami => {
                self.rn[self.me] += 1;
                let number = self.rn[self.me].to_string();
                for to in self.others() {
                    self.send("REQUEST", to, None, &number);
                }
            }
        }
    }

    fn receive(&mut self, from: usize, line: &str, algorithm: Algorithm) {
        let mut words = line.split_whitespace();
        let kind = words.next().expect("a kind").to_owned();
        let clock = words.next().and_then(|word| word.parse::<u64>().ok());
        let rest: Vec<String> = words.map(str::to_owned).collect();
        self.write("receive", Some((&kind, "from", from, clock)));
        if let Some(clock) = clock {
            self.seen = self.seen.max(clock);
            if self.shared.bug != Some(Bug::ClockStays) {
                self.clock = self.clock.max(clock) + 1;
                self.seen = self.seen.max(self.clock);
            }
        }
        let stamp = clock.map(|clock| (clock, from));
        match (algorithm, kind.as_str()) {
            (Algorithm::RicartAgrawala, "REQUEST") => {
                let theirs = stamp.expect("requests are stamped");
                let first = self.mine.is_some_and(|mine| mine < theirs);
                let defers = self.inside || first && !self.errs(Bug::RepliesAlways);
                if defers {
                    self.deferred.push(from);
                } else {
                    if self.inside || first {
                        self.shows();
                    }
                    self.send("REPLY", from, None, "");
                }
            }
            (Algorithm::RicartAgrawala, _) => {
                self.replies.insert(from);
            }
            (Algorithm::Lamport, "REQUEST") => {
                let theirs = stamp.expect("requests are stamped");
                self.queue.insert(theirs);
                self.heard.insert(from, theirs);
                if self.errs(Bug::NoAck) {
                    self.next_line_shows = true;
                } else if self.errs(Bug::OldAck) {
                    self.shows();
                    self.send("ACK", from, Some(theirs.0), "");
                } else {
                    let now = self.tick();
                    self.send("ACK", from, Some(now), "");
                }
            }
            (Algorithm::Lamport, kind) => {
                if kind == "RELEASE" {
                    self.queue.retain(|(_, node)| *node != from);
                }
                self.heard.insert(from, stamp.expect("all are stamped"));
            }
            (Algorithm::SuzukiKasami, "REQUEST") => {
                let number: u64 = rest[0].parse().expect("a number");
                self.rn[from] = self.rn[from].max(number);
                let free = !self.inside && self.mine.is_none();
                match &self.token {
                    Some((served, _)) if free && self.rn[from] == served[from] + 1 => {
                        self.pass(from)
                    }
                    None if self.errs(Bug::SecondToken) => {
                        self.shows();
                        self.token = Some((vec![0; self.n], Vec::new()));
                        self.pass(from);
                    }
                    _ => {}
                }
            }
            (Algorithm::SuzukiKasami, _) => {
                let numbers: Vec<u64> =
                    rest.iter().map(|word| word.parse().expect("a number")).collect();
                let (served, queue) = numbers.split_at(self.n);
                let queue = queue.iter().map(|node| *node as usize).collect();
                self.token = Some((served.to_vec(), queue));
            }
        }
    }

    fn pass(&mut self, to: usize) {
        let (served, queue) = self.token.take().expect("whoever passes it has it");
        let numbers = served.into_iter().chain(queue.into_iter().map(|node| node as u64));
        let rest: Vec<String> = numbers.map(|number| number.to_string()).collect();
        self.send("TOKEN", to, None, &rest.join(" "));
    }

    fn may_enter(&mut self, algorithm: Algorithm) -> bool {
        let Some(mine) = self.mine.filter(|_| !self.inside) else { return false };
        let may = match algorithm {
            Algorithm::RicartAgrawala => self.replies.len() == self.n - 1,
            Algorithm::Lamport => {
                let later = |node: &usize| self.heard.get(node).is_some_and(|last| *last > mine);
                self.queue.first() == Some(&mine) && self.others().iter().all(later)
            }
            Algorithm::SuzukiKasami => self.token.is_some(),
        };
        let early = match algorithm {
            Algorithm::RicartAgrawala if self.replies.len() == self.n - 2 => Some(Bug::EntersEarly),
            Algorithm::Lamport if self.queue.first() != Some(&mine) => Some(Bug::IgnoresTheQueue),
            Algorithm::SuzukiKasami => Some(Bug::EntersWithoutToken),
            _ => None,
        };
        if !may && early.is_some_and(|bug| self.errs(bug)) {
            self.shows();
            return true;
        }
        may
    }

    fn exit(&mut self, algorithm: Algorithm) {
        self.write("exit", None);
        self.inside = false;
        let mine = self.mine.take().expect("whoever is inside has asked");
        match algorithm {
            Algorithm::RicartAgrawala => {
                let deferred = std::mem::take(&mut self.deferred);
                if !deferred.is_empty() && self.errs(Bug::ForgetsDeferred) {
                    self.next_line_shows = true;
                    return;
                }
                deferred.into_iter().for_each(|to| self.send("REPLY", to, None, ""));
            }
            Algorithm::Lamport => {
                self.queue.remove(&mine);
                let now = self.tick();
                let mut others = self.others();
                if self.errs(Bug::ReleaseForOneLess) {
                    others.pop();
                    self.next_line_shows = true;
                }
                others.into_iter().for_each(|to| self.send("RELEASE", to, Some(now), ""));
            }
            Algorithm::SuzukiKasami => {
                let me = self.me;
                let Some((served, queue)) = &mut self.token else { return };
                served[me] = self.rn[me];
                for (node, asked) in self.rn.iter().enumerate() {
                    let asks = node != me && *asked == served[node] + 1;
                    if asks && !queue.contains(&node) {
                        queue.push(node);
                    }
                }
                if !queue.is_empty() {
                    let next = queue.remove(0);
                    self.pass(next);
                }
            }
        }
    }

    fn run(mut self, algorithm: Algorithm, mut requests: usize) -> (usize, Vec<String>) {
        if algorithm == Algorithm::SuzukiKasami && self.me == 0 {
            self.token = Some((vec![0; self.n], Vec::new()));
        }
        let mut finished = false;
        let mut quiet = 0;
        while !self.shared.over.load(Ordering::SeqCst) && quiet < 150 {
            let wait = Duration::from_micros(self.draw(400));
            match self.inbox.recv_timeout(wait) {
                Ok((from, line)) => {
                    quiet = 0;
                    self.receive(from, &line, algorithm);
                }
                Err(_) => quiet += 1,
            }
            if self.may_enter(algorithm) {
                self.inside = true;
                self.write("enter", None);
            } else if self.inside && self.draw(2) == 0 {
                self.exit(algorithm);
            } else if self.mine.is_none() && requests > 0 && self.draw(2) == 0 {
                requests -= 1;
                self.request(algorithm);
            }
            if !finished && requests == 0 && self.mine.is_none() {
                finished = true;
                let all = self.shared.finished.fetch_add(1, Ordering::SeqCst) + 1;
                self.shared.over.store(all == self.n, Ordering::SeqCst);
            }
        }
        (self.me, self.log)
    }
}

fn listen(stream: TcpStream, from: usize, inbox: &Sender<(usize, String)>) {
    let inbox = inbox.clone();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if inbox.send((from, line)).is_err() {
                return;
            }
        }
    });
}

/// Runs the program once and returns its logs.
pub fn run(algorithm: Algorithm, n: usize, requests: usize, bug: Option<Bug>, seed: u64) -> Logs {
    let shared = Arc::new(Shared {
        bug,
        made: AtomicBool::new(false),
        shown: Mutex::default(),
        finished: AtomicUsize::new(0),
        over: AtomicBool::new(false),
    });
    let listeners: Vec<TcpListener> =
        (0..n).map(|_| TcpListener::bind("127.0.0.1:0").expect("loopback")).collect();
    let inboxes: Vec<_> = (0..n).map(|_| channel()).collect();
    let mut peers: Vec<BTreeMap<usize, TcpStream>> = (0..n).map(|_| BTreeMap::new()).collect();
    for (a, peers) in peers.iter_mut().enumerate() {
        for b in (0..n).filter(|b| *b != a) {
            let address = listeners[b].local_addr().expect("it listens");
            let out = TcpStream::connect(address).expect("it listens");
            out.set_nodelay(true).expect("a socket");
            let (incoming, _) = listeners[b].accept().expect("somebody connects");
            listen(incoming, a, &inboxes[b].0);
            peers.insert(b, out);
        }
    }
    let threads: Vec<_> = (peers.into_iter().zip(inboxes).enumerate())
        .map(|(me, (peers, (_, inbox)))| {
            let node = Node {
                me,
                n,
                json: seed.is_multiple_of(2),
                shared: Arc::clone(&shared),
                peers,
                inbox,
                log: Vec::new(),
                random: (seed * 31 + me as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
                clock: seed % 3 * me as u64,
                seen: seed % 3 * me as u64,
                mine: None,
                inside: false,
                replies: BTreeSet::new(),
                deferred: Vec::new(),
                queue: BTreeSet::new(),
                heard: BTreeMap::new(),
                rn: vec![0; n],
                token: None,
                next_line_shows: false,
            };
            thread::spawn(move || node.run(algorithm, requests))
        })
        .collect();
    let mut logs: Vec<_> = threads.into_iter().map(|t| t.join().expect("no node fails")).collect();
    logs.sort();
    let files = logs.into_iter().map(|(_, lines)| lines.join("\n") + "\n").collect();
    let shown = shared.shown.lock().expect("no thread fails").clone();
    Logs { files, shown }
}
