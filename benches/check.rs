//! The checker against `stateright`: Lamport's algorithm, the same state space, counts compared.
//!
//! `cargo bench --bench check` prints states per CPU second and bytes per state. The figures come from
//! the operating system's own accounts, so that they are printed on Linux alone. With an argument one
//! run is made and nothing else: `ours 1`, `ours 2,1,1`, `theirs 1`, for tools that count instructions.

use lockstep::catalog;
use lockstep::check::{Report, SearchOptions, Verdict, finish};
use lockstep::model::Config;
use stateright::{Checker, Model, Property};
use std::io::Write as _;

/// Where a node of the yardstick stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Phase {
    Idle,
    Waiting,
    Inside,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Msg {
    Request(u32),
    Ack(u32),
    Release(u32),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Node {
    phase: Phase,
    clock: u32,
    queue: Vec<(u32, usize)>,
    last: Vec<u32>,
    left: u32,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    nodes: Vec<Node>,
    channels: Vec<Vec<Msg>>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Action {
    Request(usize),
    Exit(usize),
    Deliver(usize, usize),
}

/// Lamport's algorithm as one would write it for `stateright`.
struct Yardstick {
    requests: Vec<u32>,
}

impl Yardstick {
    fn broadcast(&self, state: &mut State, from: usize, msg: Msg) {
        let n = self.requests.len();
        for to in (0..n).filter(|to| *to != from) {
            state.channels[from * n + to].push(msg);
        }
    }

    fn deliver(&self, state: &mut State, from: usize, to: usize) {
        let n = self.requests.len();
        let msg = state.channels[from * n + to].remove(0);
        let node = &mut state.nodes[to];
        let (Msg::Request(t) | Msg::Ack(t) | Msg::Release(t)) = msg;
        node.clock = node.clock.max(t);
        node.last[from] = node.last[from].max(t);
        match msg {
            Msg::Request(t) => {
                let place = node.queue.partition_point(|other| *other < (t, from));
                node.queue.insert(place, (t, from));
                node.clock += 1;
                let ack = Msg::Ack(node.clock);
                state.channels[to * n + from].push(ack);
            }
            Msg::Release(_) => node.queue.retain(|(_, owner)| *owner != from),
            Msg::Ack(_) => {}
        }
    }

    fn enter(state: &mut State, me: usize) {
        let node = &mut state.nodes[me];
        let Some(own) = node.queue.iter().copied().find(|(_, owner)| *owner == me) else { return };
        let heard = |j: usize| j == me || (node.last[j], j) > own;
        if node.phase == Phase::Waiting && node.queue[0] == own && (0..node.last.len()).all(heard) {
            node.phase = Phase::Inside;
        }
    }
}

impl Model for Yardstick {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let n = self.requests.len();
        let node = |left: &u32| Node {
            phase: Phase::Idle,
            clock: 0,
            queue: Vec::new(),
            last: vec![0; n],
            left: *left,
        };
        let nodes = self.requests.iter().map(node).collect();
        vec![State { nodes, channels: vec![Vec::new(); n * n] }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let n = self.requests.len();
        for (i, channel) in state.channels.iter().enumerate() {
            if !channel.is_empty() {
                actions.push(Action::Deliver(i / n, i % n));
            }
        }
        for (i, node) in state.nodes.iter().enumerate() {
            match node.phase {
                Phase::Idle if node.left > 0 => actions.push(Action::Request(i)),
                Phase::Inside => actions.push(Action::Exit(i)),
                Phase::Idle | Phase::Waiting => {}
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        let acting = match action {
            Action::Request(i) => {
                let node = &mut state.nodes[i];
                node.left -= 1;
                node.clock += 1;
                node.phase = Phase::Waiting;
                let stamp = (node.clock, i);
                let place = node.queue.partition_point(|other| *other < stamp);
                node.queue.insert(place, stamp);
                self.broadcast(&mut state, i, Msg::Request(stamp.0));
                i
            }
            Action::Exit(i) => {
                let node = &mut state.nodes[i];
                node.queue.retain(|(_, owner)| *owner != i);
                node.clock += 1;
                node.phase = Phase::Idle;
                let clock = node.clock;
                self.broadcast(&mut state, i, Msg::Release(clock));
                i
            }
            Action::Deliver(from, to) => {
                self.deliver(&mut state, from, to);
                to
            }
        };
        Self::enter(&mut state, acting);
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        fn inside(state: &State) -> usize {
            state.nodes.iter().filter(|n| n.phase == Phase::Inside).count()
        }
        vec![
            Property::always("mutex", |_, state: &State| inside(state) < 2),
            Property::always("progress", |_, state: &State| {
                inside(state) > 0
                    || state.nodes.iter().all(|n| n.phase != Phase::Waiting)
                    || state.channels.iter().any(|c| !c.is_empty())
            }),
        ]
    }
}

fn ours(requests: &[u32], reduction: bool, threads: usize) -> Report {
    let options = SearchOptions {
        requests: requests.to_vec(),
        reduction,
        threads,
        ..SearchOptions::default()
    };
    let config = Config::new("lamport", 3);
    let mut search = catalog::search(&config, &options).expect("the settings fit");
    let report = finish(search.as_mut()).clone();
    assert_eq!(report.verdict, Verdict::Safe);
    report
}

/// States and transitions.
fn theirs(requests: &[u32]) -> (usize, usize) {
    // As in our options, the last number counts for the rest.
    let of = |i: usize| requests.get(i).or(requests.last()).copied().unwrap_or(1);
    let model = Yardstick { requests: (0..3).map(of).collect() };
    let checker = model.checker().threads(1).spawn_bfs().join();
    assert!(checker.discoveries().is_empty());
    (checker.unique_state_count(), checker.state_count() - 1)
}

/// CPU seconds of this process so far, all threads, those that have ended included.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|t| t.parse::<f64>().ok());
    // User and system time, in hundredths of a second.
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// The most memory that this process ever had, in bytes; `reset` forgets it.
fn peak_memory(reset: bool) -> Option<usize> {
    if reset {
        std::fs::write("/proc/self/clear_refs", "5").ok()?;
    }
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|l| l.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}

/// CPU seconds and bytes of the fastest of some runs, and what it gave.
fn measure<T>(runs: usize, mut run: impl FnMut() -> T) -> (T, f64, usize) {
    let mut best: Option<(T, f64, usize)> = None;
    for _ in 0..runs {
        let base = peak_memory(true).unwrap_or(0);
        let start = cpu_seconds().unwrap_or(0.0);
        let given = run();
        let seconds = cpu_seconds().unwrap_or(0.0) - start;
        let bytes = peak_memory(false).unwrap_or(0).saturating_sub(base);
        if best.as_ref().is_none_or(|(_, least, _)| seconds < *least) {
            best = Some((given, seconds, bytes));
        }
    }
    best.expect("at least one run")
}

fn compare(out: &mut impl std::io::Write, requests: &[u32], runs: usize) -> std::io::Result<()> {
    let (report, our_time, our_bytes) = measure(runs, || ours(requests, false, 1));
    let ((states, transitions), their_time, their_bytes) = measure(runs, || theirs(requests));
    assert_eq!((report.states, report.transitions), (states, transitions), "the counts differ");
    let per = |bytes: usize| bytes as f64 / states as f64;
    let rate = |seconds: f64| states as f64 / seconds / 1e6;
    writeln!(
        out,
        "lamport, 3 nodes, requests {requests:?}: {states} states, {transitions} events"
    )?;
    writeln!(
        out,
        "  lockstep    {our_time:7.2} s CPU  {:6.2} M states/s  {:6.1} bytes/state ({:.1} counted)",
        rate(our_time),
        per(our_bytes),
        per(report.peak_bytes),
    )?;
    writeln!(
        out,
        "  stateright  {their_time:7.2} s CPU  {:6.2} M states/s  {:6.1} bytes/state",
        rate(their_time),
        per(their_bytes),
    )?;
    writeln!(out, "  ratio       {:7.1}", their_time / our_time)?;
    let (two, two_time, _) = measure(runs, || ours(requests, false, 2));
    assert_eq!((two.states, two.transitions), (states, transitions));
    writeln!(
        out,
        "  two threads {two_time:7.2} s CPU, {:.2} times one thread's",
        two_time / our_time
    )?;
    let (few, few_time, _) = measure(runs, || ours(requests, true, 1));
    writeln!(
        out,
        "  reduced     {few_time:7.2} s CPU, {} states, {:.2} times fewer",
        few.states,
        states as f64 / few.states as f64
    )
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    if let [who, list] = words.as_slice() {
        let requests: Vec<u32> = list.split(',').filter_map(|r| r.parse().ok()).collect();
        let states = match who.as_str() {
            "ours" => ours(&requests, false, 1).states,
            "two" => ours(&requests, false, 2).states,
            "reduced" => ours(&requests, true, 1).states,
            _ => theirs(&requests).0,
        };
        return writeln!(out, "{states}");
    }
    compare(&mut out, &[1], 5)?;
    compare(&mut out, &[2, 1, 1], 2)
}
