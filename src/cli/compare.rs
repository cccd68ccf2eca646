//! `lockstep compare`: what one entry costs, measured beside the formula.
//!
//! It only writes what was measured.

use super::words::one_of;
use super::{Answer, Failure, GlobalArgs};
use crate::lab::compare::{Row, rows};
use crate::model::node::MAX_CLIENTS;
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  lockstep compare -n 10
  lockstep compare -n 16 --format csv

least, most: messages for one entry without competition, over the asking nodes,
release included; in a ring the passes until the entry. all ask: the total when
everybody asks before any delivery, in synchronous rounds. after a crash: later
entries that still succeed, the crashed node idle or inside, over all pairs of a
crashed node and an asker.";

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
    after_idle_crash: [u32; 2],
    after_crash_inside: [u32; 2],
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
            after_idle_crash: [row.crash.idle.0, row.crash.idle.1],
            after_crash_inside: [row.crash.inside.0, row.crash.inside.1],
        }
    }
}

const HEAD: [&str; 7] =
    ["algorithm", "formula", "least", "most", "all ask", "idle crash", "crash inside"];

fn cells(row: &Row) -> [String; 7] {
    let share = |(entered, pairs): (u32, u32)| format!("{entered} of {pairs}");
    [
        row.slug.to_owned(),
        row.formula.to_owned(),
        row.least.to_string(),
        row.most.to_string(),
        row.contended.to_string(),
        share(row.crash.idle),
        share(row.crash.inside),
    ]
}

impl Compare {
    pub(super) fn execute(
        self,
        _global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let rows = rows(usize::from(self.nodes)).map_err(Failure::BadUse)?;
        match self.format {
            Format::Text => text(&rows, out)?,
            Format::Csv => csv(&rows, out)?,
            Format::Markdown => markdown(&rows, out)?,
            Format::Json => {
                let told: Vec<Told> = rows.iter().map(Told::of).collect();
                serde_json::to_writer_pretty(&mut *out, &told).map_err(io::Error::from)?;
                writeln!(out)?;
            }
        }
        Ok(Answer::Yes)
    }
}

fn text(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let table: Vec<[String; 7]> =
        std::iter::once(HEAD.map(str::to_owned)).chain(rows.iter().map(cells)).collect();
    let width = |i: usize| table.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
    for row in &table {
        let padded = |(i, cell): (usize, &String)| {
            let gap = " ".repeat(width(i) - cell.chars().count());
            if (2..5).contains(&i) { format!("{gap}{cell}") } else { format!("{cell}{gap}") }
        };
        let line: Vec<String> = row.iter().enumerate().map(padded).collect();
        writeln!(out, "{}", line.join("  ").trim_end())?;
    }
    writeln!(out, "\nAll numbers are measured on runs of the engine.")?;
    for row in rows.iter().filter(|r| !r.agrees) {
        writeln!(out, "{}: the formula says otherwise", row.title)?;
    }
    Ok(())
}

fn csv(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "algorithm,n,formula,least,most,contended,idle_entered,idle_pairs,inside_entered,inside_pairs"
    )?;
    for r in rows {
        let formula = r.formula.replace('"', "\"\"");
        let (idle, inside) = (r.crash.idle, r.crash.inside);
        writeln!(
            out,
            "{},{},\"{formula}\",{},{},{},{},{},{},{}",
            r.slug, r.n, r.least, r.most, r.contended, idle.0, idle.1, inside.0, inside.1
        )?;
    }
    Ok(())
}

fn markdown(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| {} |", HEAD.join(" | "))?;
    writeln!(out, "|{}", "---|".repeat(HEAD.len()))?;
    for row in rows {
        writeln!(out, "| {} |", cells(row).join(" | "))?;
    }
    Ok(())
}
