//! `lockstep compare`: what one entry costs, measured beside the formula.
//!
//! It only writes what was measured.

use super::words::one_of;
use super::{Answer, Failure, GlobalArgs};
use crate::export::ascii::to_ascii;
use crate::export::comparison;
use crate::lab::compare::{Most, Row, overtaken, rows};
use crate::model::node::MAX_CLIENTS;
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  lockstep compare -n 10
  lockstep compare -n 16 --format csv
  lockstep compare --overtaken

one entry: messages for one entry without competition, the least and the most
over the asking nodes, release included; in a ring the passes until the entry.
all ask: the total when everybody asks before any delivery, in synchronous
rounds. After one crash: first later entries that succeed, over all pairs of a
crashed node and a single asker; who asks after that one may still be stopped. The
crashed node was idle, waiting (its request has arrived, no answer yet), inside, or
it is the helper (coordinator, lock service). A lease ends when nothing else can
happen. Overtaken: the most entries of others between a request and its entry, over
all schedules in which everybody asks once; `later` counts those alone whose request
came after it by cause and effect. ≥: the search ended at 400,000 states.";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Csv,
    Json,
    Markdown,
}

const FORMATS: &[(&str, Format)] = &[
    ("text", Format::Text),
    ("csv", Format::Csv),
    ("json", Format::Json),
    ("markdown", Format::Markdown),
];

/// Compare what one entry costs in messages
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Compare {
    /// How many nodes
    #[arg(short, long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u8).range(2..=MAX_CLIENTS as i64))]
    nodes: u8,
    /// Search for how often a request is overtaken at worst (more nodes take long)
    #[arg(long)]
    overtaken: bool,
    /// How to write the table
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS))]
    format: Format,
}

/// A row as others may rely on it: fields may be added, never renamed.
#[derive(Serialize)]
struct Told {
    algorithm: &'static str,
    n: usize,
    formula: &'static str,
    least: u32,
    most: u32,
    contended: u32,
    measured: bool,
    agrees: bool,
    formula_least: u32,
    formula_most: u32,
    formula_contended: Option<u32>,
    after_idle_crash: [u32; 2],
    after_crash_inside: [u32; 2],
    after_crash_waiting: [u32; 2],
    after_helper_crash: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overtaken: Option<MostTold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overtaken_later: Option<MostTold>,
}

/// The largest number over all schedules; `at_least`: a limit ended the search.
#[derive(Serialize)]
struct MostTold {
    value: u32,
    at_least: bool,
}

impl From<Most> for MostTold {
    fn from(most: Most) -> Self {
        Self { value: most.value, at_least: most.at_least }
    }
}

impl Told {
    fn of(row: &Row) -> Self {
        Self {
            algorithm: row.slug,
            n: row.n,
            formula: row.formula,
            least: row.least,
            most: row.most,
            contended: row.contended,
            measured: true,
            agrees: row.agrees,
            formula_least: row.said.0,
            formula_most: row.said.1,
            formula_contended: row.contended_said,
            after_idle_crash: row.crash.idle.into(),
            after_crash_inside: row.crash.inside.into(),
            after_crash_waiting: row.crash.waiting.into(),
            after_helper_crash: row.crash.helper.map(Into::into),
            overtaken: row.overtaken.map(|[any, _]| any.into()),
            overtaken_later: row.overtaken.map(|[_, later]| later.into()),
        }
    }
}

impl Compare {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let n = usize::from(self.nodes);
        let mut rows = rows(n).map_err(Failure::BadUse)?;
        for row in rows.iter_mut().filter(|_| self.overtaken) {
            row.overtaken = Some(overtaken(row.slug, n).map_err(Failure::BadUse)?);
        }
        let text = match self.format {
            Format::Text => comparison::text(&rows),
            Format::Csv => comparison::csv(&rows),
            Format::Markdown => comparison::markdown(&rows),
            Format::Json => {
                let told: Vec<Told> = rows.iter().map(Told::of).collect();
                serde_json::to_string_pretty(&told).map_err(io::Error::from)? + "\n"
            }
        };
        out.write_all(if global.ascii { to_ascii(&text) } else { text }.as_bytes())?;
        Ok(Answer::Yes)
    }
}
