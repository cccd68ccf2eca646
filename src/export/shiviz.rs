//! ShiViz: a log in which every event carries its vector clock, for the viewer of that name.
//!
//! The expression that reads it, to be pasted into the viewer's field, is [`PATTERN`]:
//! `(?<host>\S+) (?<clock>\{.*\})\n(?<event>.*)`. The vectors are counted from happened-before alone and
//! not from an algorithm's own clocks. What happens in the network, at no node, is no event of a host
//! and is left out.

use super::{Exporter, Run};
use crate::sim::StepRecord;
use crate::trace::{Causality, narrate};
use std::io::{self, Write};

/// How the viewer splits the log into events.
pub const PATTERN: &str = r"(?<host>\S+) (?<clock>\{.*\})\n(?<event>.*)";

/// The format.
#[derive(Debug)]
pub struct Shiviz;

impl Exporter for Shiviz {
    fn name(&self) -> &'static str {
        "shiviz"
    }

    fn about(&self) -> &'static str {
        r"a log with vector clocks; read it with (?<host>\S+) (?<clock>\{.*\})\n(?<event>.*)"
    }

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        let records: Vec<&StepRecord> = run.steps().map(|(record, _)| record).collect();
        let causality = Causality::of(&records);
        let names = run.names();
        for (i, record) in records.iter().enumerate() {
            let Some(node) = record.node else { continue };
            let mut vector = vec![0_u32; names.len()];
            for step in causality.causes(i).into_iter().chain([i]) {
                if let Some(host) = records[step].node {
                    vector[host.index()] += 1;
                }
            }
            let host = |name: &str| serde_json::to_string(name).expect("a text is JSON");
            let seen = names.iter().zip(&vector).filter(|(_, count)| **count > 0);
            let clock: Vec<String> =
                seen.map(|(name, count)| format!("{}:{count}", host(name))).collect();
            writeln!(out, "{} {{{}}}", names.get(node), clock.join(","))?;
            let sentence = narrate::sentence(record, names).replace('\n', " ");
            writeln!(out, "{}. {}: {sentence}", record.n, record.event.show(names))?;
        }
        Ok(())
    }
}
