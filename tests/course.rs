//! The course: every lesson is there, leads to its end, and says nothing that the engine does not do.
//!
//! The number before a claim is that of the lesson that makes it.

use crate::program::lockstep;
use lockstep::lab::Lab;
use lockstep::lesson::{Answered, Learner, Lesson, Library, Next, author};
use lockstep::model::{ChannelOrder, Config, Event, FenceOn, Names, NodeId, StorageRule};
use lockstep::sim::view::{Mutex, Progress};
use lockstep::sim::{Policy, Simulation, SplitMix64, StepRecord};
use std::collections::HashSet;
use std::sync::Arc;

/// The course in its order.
/// The ids of all lessons, in the order of the course.
fn course() -> Vec<&'static str> {
    let order = include_str!("../lessons/order.txt");
    order.lines().filter(|line| !line.starts_with('#')).collect()
}

fn lesson(id: &str) -> Arc<Lesson> {
    Library::embedded().open(id).unwrap_or_else(|e| panic!("{id}: {e}"))
}

/// Lets the lesson run to its end by right answers, and hands over its cluster.
fn played(id: &str) -> Lab {
    let lesson = lesson(id);
    let (mut learner, mut lab) = Learner::new(Arc::clone(&lesson)).expect("a cluster");
    let mut questions = lesson.questions();
    loop {
        match learner.next(&mut lab) {
            Next::Finished => return lab,
            Next::Blocked => {
                let asked = questions.next().expect("a page asks one question of the lesson");
                let answer = asked.reference(lab.state());
                let Answered::Verdict { right, .. } = learner.answer(&mut lab, &answer.0) else {
                    panic!("{id}: {} cannot be answered", asked.common().id)
                };
                assert!(right, "{id}: {}", asked.common().id);
            }
            Next::Played(_) | Next::Turned | Next::Returned => {}
        }
    }
}

fn config(algorithm: &str, n: usize) -> Config {
    Config::new(algorithm, n)
}

fn variant(algorithm: &str, variant: &str, n: usize) -> Config {
    Config { variant: Some(variant.to_owned()), ..config(algorithm, n) }
}

fn options(algorithm: &str, n: usize, options: &[&str]) -> Config {
    Config { options: options.iter().map(|o| (*o).to_owned()).collect(), ..config(algorithm, n) }
}

fn any_order(config: Config) -> Config {
    Config { channels: Some(ChannelOrder::AnyOrder), ..config }
}

fn lab(config: Config, schedule: &str) -> Lab {
    let mut lab = Lab::new(config).expect("a cluster");
    lab.play_schedule(schedule).unwrap_or_else(|e| panic!("{e:?}"));
    lab
}

/// Why an event of the schedule is refused.
fn refusal(config: Config, schedule: &str) -> String {
    let mut lab = Lab::new(config).expect("a cluster");
    format!("{:?}", lab.play_schedule(schedule).expect_err("the last event is refused"))
}

fn records(lab: &Lab) -> Vec<&StepRecord> {
    lab.history().records(lab.history().cursor()).into_iter().collect()
}

fn last(lab: &Lab) -> Vec<&'static str> {
    records(lab).last().expect("something was played").outcomes.clone()
}

fn entered(lab: &Lab) -> Vec<u8> {
    records(lab).iter().filter_map(|r| r.entered).map(|n| n.0 + 1).collect()
}

fn messages(lab: &Lab) -> u32 {
    lab.state().view().total_messages()
}

fn of_kind(lab: &Lab, kind: &str) -> u32 {
    let counts = lab.state().view().messages;
    counts.iter().find(|(k, _)| *k == kind).map_or(0, |(_, n)| *n)
}

fn violated_at(state: &dyn Simulation) -> Option<u32> {
    match state.lamps().mutex {
        Mutex::Violated(_, _, step) => Some(step),
        Mutex::Ok => None,
    }
}

fn stuck(state: &dyn Simulation) -> bool {
    matches!(state.lamps().progress, Progress::Stuck { .. })
}

fn until(config: Config, schedule: &str, goal: &str) -> Lab {
    let mut lab = lab(config, schedule);
    let goal = lab.goal(goal).expect("a goal");
    lab.run_on(&mut Policy::Oldest, Some(&goal));
    assert!(goal.holds(lab.state()));
    lab
}

/// Everybody asks once, and the run goes on to its end by the policy.
fn all_at_once(config: Config, policy: &mut Policy) -> Lab {
    let n = config.nodes.len();
    let mut lab = lab(config, "");
    lab.run_on_asking(policy, &mut vec![1; n], None);
    lab
}

/// What the nodes and the network do by themselves, timers too; never a fault.
fn moves(state: &dyn Simulation, left: &[u32]) -> Vec<Event> {
    let able = |e: &Event| match e {
        Event::Deliver(_) | Event::Exit(_) | Event::Timeout(_) => true,
        Event::Request(node) => left[node.index()] > 0,
        _ => false,
    };
    state.enabled().into_iter().filter(able).collect()
}

/// The fewest events after which something holds, each node asking once.
fn fewest(config: Config, holds: impl Fn(&dyn Simulation) -> bool, most: u32) -> Option<u32> {
    let start = lab(config.clone(), "").state().fork();
    let mut seen = HashSet::new();
    let mut front = vec![(start, vec![1; config.nodes.len()])];
    for depth in 0..=most {
        if front.iter().any(|(state, _)| holds(state.as_ref())) {
            return Some(depth);
        }
        let mut next = Vec::new();
        for (state, left) in &front {
            for event in moves(state.as_ref(), left) {
                let (mut after, mut left) = (state.fork(), left.clone());
                after.step(event).expect("an enabled event");
                if let Event::Request(node) = event {
                    left[node.index()] -= 1;
                }
                if seen.insert(format!("{left:?}{}", after.digest())) {
                    next.push((after, left));
                }
            }
        }
        front = next;
    }
    None
}

/// A run by chance in which everybody asks once and every timer may fire.
fn by_chance(config: &Config, seed: u64, steps: usize) -> Lab {
    let (mut lab, mut rng) = (lab(config.clone(), ""), SplitMix64::new(seed));
    let mut left = vec![1; config.nodes.len()];
    for _ in 0..steps {
        let able = moves(lab.state(), &left);
        if able.is_empty() {
            break;
        }
        let event = able[rng.below(able.len())];
        if let Event::Request(node) = event {
            left[node.index()] -= 1;
        }
        lab.play(event).expect("an enabled event");
    }
    lab
}

mod claims;
mod exercises;
mod faults;
#[path = "course/statements.rs"]
mod statements;

#[test]
fn the_course_is_whole_and_in_order() {
    let library = Library::embedded();
    let ids: Vec<&str> = library.shelved().iter().map(|s| s.id.as_str()).collect();
    let order = course();
    assert_eq!(ids, order);
    let mut numbers: Vec<u32> = library.shelved().iter().filter_map(|s| s.order).collect();
    numbers.sort_unstable();
    let all: Vec<u32> = (1..=ids.len() as u32).collect();
    assert_eq!(numbers, all, "each has a number of its own");
    for (place, shelved) in library.shelved().iter().enumerate() {
        let lesson = lesson(&shelved.id);
        assert_eq!(lesson.id, shelved.id, "the file is called after its lesson");
        for need in &lesson.needs {
            let before = order[..place].contains(&need.as_str());
            assert!(before, "{} needs {need}, which does not come before it", lesson.id);
        }
    }
}

#[test]
fn every_lesson_is_clean_asks_for_a_prediction_and_leads_to_its_end() {
    let found = author::lint_library(&Library::embedded());
    let problems: Vec<String> =
        found.iter().flat_map(|f| &f.problems).map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for id in course() {
        let lesson = lesson(id);
        assert!(lesson.questions().any(|q| q.kind() == "predict"), "{id}");
        assert!(lesson.questions().count() >= 6, "{id}");
        assert!(lesson.source.is_some() && lesson.minutes.is_some(), "{id}");
        assert!(!records(&played(id)).is_empty(), "{id}");
    }
}

/// The commands that a lesson's texts tell its reader to try.
fn commands(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|l| !l.trim_start().starts_with('#'));
    let parts: Vec<&str> = lines.flat_map(|l| l.split('`')).collect();
    parts.into_iter().filter_map(|p| p.strip_prefix("lockstep ")).map(words).collect()
}

/// The words of a command; what is in quotation marks is one.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in command.chars().filter(|c| *c != '\\') {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("there is one").push(c),
        }
    }
    words
}

/// A cluster to play by hand is tried by running it without a screen.
#[test]
fn every_command_that_a_lesson_quotes_can_be_given() {
    let mut tried = 0;
    for shelved in Library::embedded().shelved() {
        for mut words in commands(shelved.source().expect("a text").text()) {
            assert!(["play", "run", "check"].contains(&words[0].as_str()), "{words:?}");
            if words[0] == "play" {
                words[0] = "run".to_owned();
            }
            let run = lockstep(&words).run();
            let said = String::from_utf8_lossy(&run.stderr);
            assert!(matches!(run.status.code(), Some(0 | 1)), "{words:?}: {said}");
            tried += 1;
        }
    }
    assert!(tried >= 12, "only {tried} commands were found");
}

#[test]
fn no_star_of_a_worksheet_is_left_over() {
    for shelved in Library::embedded().shelved() {
        let lesson = shelved.lesson().unwrap_or_else(|e| panic!("{e}"));
        let sheet = lockstep::lesson::worksheet::worksheet(&lesson, true, &|_| String::new());
        for event in pulldown_cmark::Parser::new(&sheet) {
            if let pulldown_cmark::Event::Text(text) = event {
                assert!(!text.contains("**"), "{}: {text}", lesson.id);
            }
        }
    }
}
