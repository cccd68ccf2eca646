//! One sentence a step, in plain words, put together from the step's record.
//!
//! The reasons come from the handlers, with the values that they compared; no sentence is written for
//! a particular lesson or run.

use crate::model::{Event, Names};
use crate::sim::{Fate, Moved, StepRecord};

/// What happened in a step, as one short paragraph.
#[must_use]
pub fn sentence(record: &StepRecord, names: &Names) -> String {
    let mut parts = vec![opening(record, names)];
    parts.extend(record.reasons().map(str::to_owned));
    if let Some(node) = record.entered {
        parts.push(format!("{} enters the critical section.", names.get(node)));
    }
    parts.retain(|p| !p.is_empty());
    parts.join(" ")
}

/// The first words: the event itself, where the handler's own words do not say it.
fn opening(record: &StepRecord, names: &Names) -> String {
    let spoken = !record.rules.is_empty() || !record.notes.is_empty();
    match record.event {
        Event::Request(_) | Event::Exit(_) if spoken => String::new(),
        Event::Request(n) => format!("{} asks for the lock.", names.get(n)),
        Event::Exit(n) => format!("{} leaves the critical section.", names.get(n)),
        Event::Deliver(_) | Event::Drop(_) | Event::Duplicate(_) => {
            record.moved.as_ref().map_or(String::new(), |m| moved(m, names))
        }
        Event::Crash(n) => format!("{} crashes.", names.get(n)),
        Event::Recover(n) => format!("{} recovers.", names.get(n)),
        Event::Timeout(n) => format!("The timer of {} fires.", names.get(n)),
        Event::Read(n) => format!("{} sends a READ to the storage.", names.get(n)),
        Event::Write(n) => format!("{} sends a WRITE to the storage.", names.get(n)),
        Event::Tell(a, b) => {
            format!("{} tells {} something outside the algorithm.", names.get(a), names.get(b))
        }
        Event::Local(n) => format!("{} has an event of its own.", names.get(n)),
    }
}

fn moved(m: &Moved, names: &Names) -> String {
    let (id, label) = (m.message.id, m.message.label.show(names));
    let (from, to) = (names.get(id.from), names.get(id.to));
    match m.fate {
        Fate::Delivered => format!("{to} gets {label} from {from}."),
        Fate::LostAtCrashed => {
            format!("{label} from {from} reaches {to}, which has crashed: it is lost.")
        }
        Fate::Dropped => format!("{label} from {from} to {to} is lost on the way."),
        Fate::Copied(copy) => {
            format!(
                "The network copies {label} from {from} to {to}: {} is on its way too.",
                copy.no
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;
    use crate::lab::Lab;
    use crate::model::{ChannelOrder, Config, NodeId};
    use crate::sim::{Simulation, SplitMix64};

    fn told(algorithm: &str, run: &str) -> Vec<String> {
        let mut config = Config::new(algorithm, 3);
        config.clocks = vec![4, 2, 0];
        let mut lab = Lab::new(config).expect("the settings fit");
        lab.play_schedule(run).expect("every event is enabled where it stands");
        let records = lab.history().records(lab.history().cursor());
        records.iter().map(|r| sentence(r, &lab.setup().names)).collect()
    }

    #[test]
    fn the_sentences_of_the_race_name_what_was_compared() {
        let run = "request P1; request P2; deliver P1>P2; deliver P2>P1; deliver P2>P3";
        assert_eq!(
            told("ricart-agrawala", run),
            [
                "P1 asks everybody with (5,P1).",
                "P2 asks everybody with (3,P2).",
                "P2 gets REQUEST (5,P1) from P1. P2 waits with the older (3,P2) < (5,P1), so it defers P1.",
                "P1 gets REQUEST (3,P2) from P2. P1 waits with (5,P1), but (3,P2) is older, so it replies.",
                "P3 gets REQUEST (3,P2) from P2. P3 does not want the lock, so it replies at once.",
            ]
        );
    }

    #[test]
    fn faults_are_told_as_they_happen() {
        let run = "request P1; duplicate P1>P2; drop P1>P3; crash P2; deliver P1>P2; recover P2; tell P1>P3; local P3";
        assert_eq!(
            told("ricart-agrawala", run)[1..],
            [
                "The network copies REQUEST (5,P1) from P1 to P2: #1b is on its way too.",
                "REQUEST (5,P1) from P1 to P3 is lost on the way.",
                "P2 crashes.",
                "REQUEST (5,P1) from P1 reaches P2, which has crashed: it is lost.",
                "P2 recovers.",
                "P1 tells P3 something outside the algorithm.",
                "P3 has an event of its own.",
            ]
        );
    }

    #[test]
    fn a_request_that_is_passed_on_is_told_with_the_node_that_asks() {
        let run = "request P2; deliver P2>P1; request P3; deliver P3>P1";
        assert_eq!(
            told("naimi-trehel", run)[3],
            "P1 gets REQUEST for P3 from P3. P1 is no root: it forwards the request of P3 to P2 and points to P3 from now on."
        );
    }

    fn check(text: &str, said: &str) {
        for placeholder in ["?", "  ", "()", "(,", "{", "}", "None", "Some", " .", "..", " ,"] {
            assert!(!text.contains(placeholder), "{said}: `{placeholder}` in `{text}`");
        }
        assert!(text.ends_with('.'), "{said}: `{text}` has no full stop");
        let first = text.chars().next().expect("no sentence is empty");
        assert!(first.is_uppercase(), "{said}: `{text}`");
    }

    /// A node that waits with a stamped request and answers another one has compared the two.
    fn check_stamps(before: &dyn Simulation, record: &StepRecord, text: &str) {
        let names = &before.setup().names;
        let Some(moved) = record.delivered() else { return };
        let answered = ["defer", "reply"].iter().any(|w| record.outcomes.contains(w));
        let own = before.view().node(moved.message.id.to).request;
        let waits = before.view().node(moved.message.id.to).word() == "waiting";
        if let (Some(own), Some(theirs), true, true) =
            (own, moved.message.label.stamp, answered, waits)
        {
            for stamp in [own, theirs] {
                assert!(text.contains(&stamp.show(names)), "`{text}` does not name {stamp:?}");
            }
        }
    }

    #[test]
    fn every_sentence_of_every_algorithm_is_whole() {
        for info in catalog::all().iter().map(|e| e.info) {
            let variants = info.variants.iter().map(|v| Some(v.slug.to_owned()));
            for (seed, variant) in [None, None, None].into_iter().chain(variants).enumerate() {
                let mut config = Config::new(info.slug, 2 + seed % 3);
                config.variant = variant;
                config.channels = (seed % 2 == 1).then_some(ChannelOrder::AnyOrder);
                let Ok(mut sim) = catalog::start(&config) else { continue };
                let mut rng = SplitMix64::new(seed as u64);
                for step in 0..300 {
                    let mut events = sim.enabled();
                    events.extend((step % 20 == 0).then_some(Event::Local(NodeId(0))));
                    events.retain(|e| sim.check(*e).is_ok());
                    let usual = |e: &Event| {
                        matches!(e, Event::Request(_) | Event::Deliver(_) | Event::Exit(_))
                    };
                    if rng.below(6) > 0 && events.iter().any(usual) {
                        events.retain(usual);
                    }
                    let before = sim.fork();
                    let record =
                        sim.step(events[rng.below(events.len())]).expect("an enabled event");
                    let text = sentence(&record, &sim.setup().names);
                    check(&text, &format!("{} {:?}", info.slug, record.event));
                    // A broken variant may compare something else.
                    if config.variant.is_none() {
                        check_stamps(before.as_ref(), &record, &text);
                    }
                }
            }
        }
    }
}
