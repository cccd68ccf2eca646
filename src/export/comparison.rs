//! A comparison of what entries cost, as a table in plain text and in two formats for other programs.
//!
//! It only writes what was measured.

use super::columns::{table, wrap};
use crate::lab::compare::Row;

const WIDTH: usize = 80;

/// The columns of a search for the worst.
const WORST: &str = ",overtaken,overtaken_at_least,overtaken_later,overtaken_later_at_least";

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

const COSTS: [&str; 5] = ["algorithm", "one entry", "formula", "all ask", "formula"];
const CRASHES: [&str; 4] = ["idle", "waiting", "inside", "the helper"];

fn costs(row: &Row) -> Vec<String> {
    vec![
        row.slug.to_owned(),
        range(row.least, row.most),
        range(row.said.0, row.said.1),
        row.contended.to_string(),
        contended_said(row),
    ]
}

/// How many still enter after the crash of an idle node, of one that waits, of one inside, of the helper.
#[must_use]
pub fn crashes(row: &Row) -> [String; 4] {
    let crash = &row.crash;
    let helper = crash.helper.map_or("–".to_owned(), share);
    [share(crash.idle), share(crash.waiting), share(crash.inside), helper]
}

/// How often somebody is overtaken at worst, and by later requests; nothing where nobody searched.
fn overtaken(row: &Row) -> Vec<String> {
    row.overtaken.iter().flatten().map(ToString::to_string).collect()
}

/// For people: the costs, what a crash does, then the formulas.
#[must_use]
pub fn text(rows: &[Row]) -> String {
    let own = |cells: &[&str]| cells.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>();
    let all: Vec<Vec<String>> =
        std::iter::once(own(&COSTS)).chain(rows.iter().map(costs)).collect();
    let mut text = table(&all, "");
    text += "\nMessages, measured on runs of the engine; the formula's number stands beside it.\n";
    for row in rows.iter().filter(|r| !r.agrees) {
        text += &format!("{}: the formula says otherwise\n", row.title);
    }
    let head = [own(&["algorithm"]), own(&CRASHES)].concat();
    let after = |r: &Row| [vec![r.slug.to_owned()], crashes(r).to_vec()].concat();
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows.iter().map(after)).collect();
    text += "\nFirst later entries that succeed after one crash of a node that was\n";
    text += &table(&all, "");
    if rows.iter().any(|r| r.overtaken.is_some()) {
        let head = own(&["algorithm", "overtaken", "later"]);
        let worst = |r: &Row| [vec![r.slug.to_owned()], overtaken(r)].concat();
        let all: Vec<Vec<String>> = std::iter::once(head).chain(rows.iter().map(worst)).collect();
        text += "\nThe most that a request is overtaken, over all schedules, one request each\n";
        text += &table(&all, "");
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
                    inside_entered,inside_pairs,waiting_entered,waiting_pairs,\
                    helper_entered,helper_pairs"
        .to_owned();
    text += if rows.iter().any(|r| r.overtaken.is_some()) { WORST } else { "" };
    text += "\n";
    for r in rows {
        let formula = r.formula.replace('"', "\"\"");
        let crash = &r.crash;
        let helper = crash.helper.map_or(",".to_owned(), |(a, b)| format!("{a},{b}"));
        text += &format!("{},{},\"{formula}\",{},{},{}", r.slug, r.n, r.least, r.most, r.contended);
        for (entered, pairs) in [crash.idle, crash.inside, crash.waiting] {
            text += &format!(",{entered},{pairs}");
        }
        text += &format!(",{helper}");
        for most in r.overtaken.iter().flatten() {
            text += &format!(",{},{}", most.value, most.at_least);
        }
        text += "\n";
    }
    text
}

/// For documents.
#[must_use]
pub fn markdown(rows: &[Row]) -> String {
    let searched = rows.iter().any(|r| r.overtaken.is_some());
    let worst: &[&str] = if searched { &["overtaken", "later"] } else { &[] };
    let head = [&COSTS[..], &["idle crash", "waiting", "inside", "helper"], worst].concat();
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let cells = [costs(row), crashes(row).to_vec(), overtaken(row)].concat();
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}
