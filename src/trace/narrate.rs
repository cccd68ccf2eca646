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
    parts.extend(record.rules.iter().map(|(_, reason)| reason.clone()));
    parts.extend(record.note.clone());
    if let Some(node) = record.entered {
        parts.push(format!("{} enters the critical section.", names.get(node)));
    }
    parts.retain(|p| !p.is_empty());
    parts.join(" ")
}

/// The first words: the event itself, where the handler's own words do not say it.
fn opening(record: &StepRecord, names: &Names) -> String {
    let spoken = !record.rules.is_empty();
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
