//! What is wrong between the lessons that are drawn from one file: a key that is typed in is the same in all
//! of them, whatever the drawn run does.
//!
//! The engine has proved by now what it can compute of each draw by itself.

use crate::input::{Path, Problem};
use crate::lesson::Lesson;
use crate::lesson::question::Question;
use crate::lesson::vary::Drawn;
use crate::model::{Event, NodeId, outcome};
use crate::sim::Simulation;
use crate::sim::scheduler::{EndOfRun, Policy};
use std::collections::BTreeSet;

/// The types whose key is typed in. A `number` that is measured has none.
const TYPED_IN: [&str; 5] = ["choice", "multi", "text", "number", "formula"];
/// Of so many draws each key is tried on each other one.
const TRIED: usize = 24;
/// The most events of a run that is followed.
const MOST_EVENTS: usize = 400;

/// A question with a key that is typed in, in one draw.
struct Asked<'l> {
    step: usize,
    question: &'l dyn Question,
    at: Box<dyn Simulation>,
    drawn: &'l Drawn,
    lesson: &'l Lesson,
}

impl Asked<'_> {
    /// Where it stands in the file.
    fn part(&self) -> Path {
        Path::root().key("steps").index(self.step).key(self.question.kind())
    }

    /// The forms of an answer that are typed in.
    fn forms(&self) -> Vec<&str> {
        let accept = self.part().key("accept");
        (0..).map_while(|i| self.lesson.document().text_at(&accept.clone().index(i))).collect()
    }
}

/// What is wrong between some draws of one file.
pub(super) fn findings(lessons: &[(&Drawn, Lesson)]) -> Vec<Problem> {
    let Some((_, first)) = lessons.first().filter(|(_, first)| !first.stripped) else {
        return Vec::new();
    };
    let all: Vec<Vec<Asked<'_>>> = lessons.iter().map(|(drawn, l)| asked(drawn, l)).collect();
    let mut found = Vec::new();
    for n in 0..all[0].len() {
        let each: Vec<&Asked<'_>> = all.iter().filter_map(|asked| asked.get(n)).collect();
        let part = each[0].part();
        let document = first.document();
        if let Some(message) = fits_another(&each) {
            found.push(document.key_problem(part, message));
        } else if let Some(node) = literal(&each) {
            let message = format!(
                "`{node}` is typed in, and another node in other draws: write the name that is drawn"
            );
            found.push(document.key_problem(part, message));
        } else if let Some(message) = goes_two_ways(&each) {
            found.push(document.key_problem(part, message).as_advice());
        }
    }
    found
}

fn asked<'l>(drawn: &'l Drawn, lesson: &'l Lesson) -> Vec<Asked<'l>> {
    let one = |stop: crate::lesson::walk::Stop<'l>| {
        let question = stop.step.question.as_deref()?;
        let part = Path::root().key("steps").index(stop.n).key(question.kind());
        let measured = lesson.document().has(part.key("measure"));
        let typed_in = TYPED_IN.contains(&question.kind()) && !measured;
        typed_in.then_some(Asked { step: stop.n, question, at: stop.at?, drawn, lesson })
    };
    lesson.walk().filter_map(one).collect()
}

/// The key of one draw that passes in another one, whose key is another.
fn fits_another(each: &[&Asked<'_>]) -> Option<String> {
    let some = &each[..each.len().min(TRIED)];
    let key = |asked: &Asked<'_>| asked.question.reference(asked.at.as_ref());
    some.iter().find_map(|one| {
        let own = key(one);
        let other = some.iter().find(|other| {
            let read = other.question.read(&own.0);
            let passes = |answer| other.question.check(&answer, other.at.as_ref()).right;
            key(other) != own && read.is_ok_and(passes)
        })?;
        Some(format!(
            "`{}`, the key when {} is drawn, passes when {} is drawn too, where the key is `{}`",
            own.0,
            one.drawn,
            other.drawn,
            key(other).0
        ))
    })
}

/// A node's name that stands in the keys of all draws, although another node has its part in some.
fn literal(each: &[&Asked<'_>]) -> Option<String> {
    let (first, rest) = each.split_first()?;
    let forms = first.forms();
    let part = |asked: &Asked<'_>, name: &str| {
        asked.drawn.nodes().find(|(_, node)| *node == name).map(|(role, _)| role.to_owned())
    };
    let same = rest.iter().all(|other| other.forms() == forms);
    let says = |name: &str| {
        let words = forms.iter().flat_map(|form| form.split(|c: char| !c.is_alphanumeric()));
        words.into_iter().any(|word| word == name)
    };
    let mut drawn = first.drawn.nodes().map(|(_, node)| node);
    let other = |name: &str| rest.iter().any(|other| part(other, name) != part(first, name));
    drawn.find(|name| same && says(name) && other(name)).map(str::to_owned)
}

/// The events by which the run of a draw goes another way than that of the first one, where the question
/// speaks of what is drawn.
fn goes_two_ways(each: &[&Asked<'_>]) -> Option<String> {
    let (first, rest) = each.split_first()?;
    let way = way(first);
    let speaks = |asked: &Asked<'_>| {
        let picks = asked.question.picks().into_iter().map(|pick| pick.text);
        let key = asked.question.reference(asked.at.as_ref()).0;
        let texts = [asked.question.common().prompt.to_owned(), key];
        texts.into_iter().chain(picks).collect::<Vec<_>>()
    };
    let other =
        rest.iter().find(|other| speaks(other) != speaks(first) && self::way(other) != way)?;
    Some(format!(
        "the key is typed in, and the run goes one way when {} is drawn and another way when {} is: keep the \
         ranges apart, or let the engine compute the key",
        first.drawn, other.drawn
    ))
}

/// What becomes of the state if everything is delivered as it was sent: who enters, in this order, and what
/// each event does. Nodes go by the names that are drawn for them.
fn way(asked: &Asked<'_>) -> (Vec<String>, BTreeSet<String>) {
    let mut sim = asked.at.fork();
    let names = sim.setup().names.clone();
    let called = |node: NodeId| {
        let name = names.get(node);
        let role = asked.drawn.nodes().find(|(_, drawn)| *drawn == name);
        role.map_or("another", |(role, _)| role).to_owned()
    };
    let (mut entered, mut done) = (Vec::new(), BTreeSet::new());
    let mut end = EndOfRun::default();
    for _ in 0..MOST_EVENTS {
        if end.reached(sim.as_ref()) {
            break;
        }
        let Some(event) = Policy::Oldest.choose(sim.as_ref()) else { break };
        let Ok(record) = sim.step(event) else { break };
        let at = record.node.map_or_else(String::new, called);
        let from = match event {
            Event::Deliver(message) => called(message.from),
            _ => String::new(),
        };
        entered.extend(record.entered.map(called));
        // Which of several answers is the last one is but a matter of order.
        let did = record.outcomes.iter().filter(|word| **word != outcome::ENTER);
        done.insert(format!("{from}>{at} {}", did.copied().collect::<Vec<_>>().join(" ")));
    }
    (entered, done)
}
