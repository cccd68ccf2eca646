//! A comparison of what entries cost, as a table in plain text and in two formats for other programs.
//!
//! It only writes what was measured.

use super::columns::{table, wrap};
use crate::lab::compare::Row;

const WIDTH: usize = 80;

/// `0..9`, or `3` where the two are the same.
#[must_use]
pub fn range(least: u32, most: u32) -> String {
    if least == most { most.to_string() } else { format!("{least}..{most}") }
}

/// `90 of 90`.
#[must_use]
pub fn share((entered, pairs): (u32, u32)) -> String {
    format!("{entered} of {pairs}")
}

/// What a formula says of the total, or that it says nothing.
#[must_use]
pub fn contended_said(row: &Row) -> String {
    row.contended_said.map_or("–".to_owned(), |said| said.to_string())
}

const HEAD: [&str; 7] =
    ["algorithm", "one entry", "formula", "all ask", "formula", "idle crash", "crash inside"];

fn cells(row: &Row) -> [String; 7] {
    [
        row.slug.to_owned(),
        range(row.least, row.most),
        range(row.said.0, row.said.1),
        row.contended.to_string(),
        contended_said(row),
        share(row.crash.idle),
        share(row.crash.inside),
    ]
}

/// For people: the table, then the formulas.
#[must_use]
pub fn text(rows: &[Row]) -> String {
    let head = HEAD.map(str::to_owned).to_vec();
    let all: Vec<Vec<String>> =
        std::iter::once(head).chain(rows.iter().map(|r| cells(r).to_vec())).collect();
    let mut text = table(&all, "");
    text += "\nMessages, measured on runs of the engine; each formula's number stands beside it.\n";
    for row in rows.iter().filter(|r| !r.agrees) {
        text += &format!("{}: the formula says otherwise\n", row.title);
    }
    text += "\nFormulas for one entry\n";
    let longest = rows.iter().map(|r| r.slug.len()).max().unwrap_or(0);
    for row in rows {
        text += &wrap(row.formula, &format!("  {:<longest$}  ", row.slug), WIDTH);
    }
    text
}

/// For spreadsheets.
#[must_use]
pub fn csv(rows: &[Row]) -> String {
    let mut text = "algorithm,n,formula,least,most,contended,idle_entered,idle_pairs,\
                    inside_entered,inside_pairs\n"
        .to_owned();
    for r in rows {
        let formula = r.formula.replace('"', "\"\"");
        let (idle, inside) = (r.crash.idle, r.crash.inside);
        text += &format!(
            "{},{},\"{formula}\",{},{},{},{},{},{},{}\n",
            r.slug, r.n, r.least, r.most, r.contended, idle.0, idle.1, inside.0, inside.1
        );
    }
    text
}

/// For documents.
#[must_use]
pub fn markdown(rows: &[Row]) -> String {
    let mut text = format!("| {} |\n|{}\n", HEAD.join(" | "), "---|".repeat(HEAD.len()));
    for row in rows {
        text += &format!("| {} |\n", cells(row).join(" | "));
    }
    text
}
