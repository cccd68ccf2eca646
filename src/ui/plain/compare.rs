//! Comparisons in lines: what entries cost, and two algorithms on the same requests.
//!
//! The lab measures and plays; here it is only told.

use super::lines::Lines;
use crate::catalog;
use crate::export::comparison::{contended_said, crashes, range};
use crate::export::{Run, phrases};
use crate::lab::compare::{Row, SIZES, rows};
use crate::lab::pair::Pair;
use crate::model::NodeId;

/// How many nodes are compared when nobody says.
const NODES: usize = 3;

/// `compare`, `compare 10`, `compare lamport raymond`, `compare lamport raymond 4`.
pub(super) fn take(words: &str, lines: &mut Lines) {
    let (numbers, names): (Vec<&str>, Vec<&str>) =
        words.split_whitespace().partition(|word| word.bytes().all(|b| b.is_ascii_digit()));
    let n = match numbers.first().map(|text| text.parse::<usize>()) {
        None => NODES,
        Some(Ok(n)) if SIZES.contains(&n) => n,
        Some(_) => {
            let (least, most) = (SIZES.start(), SIZES.end());
            return lines.say(format!("No: a comparison has {least} to {most} nodes."));
        }
    };
    match names.as_slice() {
        [] => costs(n, lines),
        [left, right] => side_by_side([left, right], n, lines),
        _ => lines.say(
            "Write `compare 10`, or `compare` with two algorithms: compare lamport raymond 4.",
        ),
    }
}

fn costs(n: usize, lines: &mut Lines) {
    match rows(n) {
        Err(message) => lines.say(format!("No: {message}.")),
        Ok(rows) => {
            lines.say(format!("Messages with {n} nodes, measured, and what the formulas say:"));
            for row in &rows {
                lines.item("  ", sentence(row));
            }
        }
    }
}

fn sentence(row: &Row) -> String {
    let said = match row.contended_said {
        Some(_) => format!("formula {}", contended_said(row)),
        None => "no formula".to_owned(),
    };
    let [idle, waiting, inside, helper] = crashes(row);
    let helper = row.crash.helper.map_or(String::new(), |_| format!(", the helper {helper}"));
    let number = range(row.said.0, row.said.1);
    let formula = match row.formula == number {
        true => number,
        false => format!("{} is {number}", row.formula),
    };
    format!(
        "{}: one entry {}, formula {formula}; all at once {}, {said}; later entries that succeed \
         after a crash: idle {idle}, waiting {waiting}, inside {inside}{helper}.",
        row.title,
        range(row.least, row.most),
        row.contended,
    )
}

/// Everybody asks once, in both; then both run to their ends.
fn side_by_side(names: [&str; 2], n: usize, lines: &mut Lines) {
    let mut pair = match Pair::new(names, n) {
        Ok(pair) => pair,
        Err(message) => return lines.say(format!("No: {message}.")),
    };
    let all: Vec<NodeId> = pair.side(0).setup().client_ids().collect();
    pair.ask(&all);
    while pair.forward() {}
    lines.say(format!("All {n} nodes ask at once, in both; then the oldest message comes first:"));
    for side in 0..2 {
        let lab = pair.side(side);
        let (view, setup) = (lab.state().view(), lab.setup());
        let entered = phrases::list(Run::of(lab).entries().map(|node| setup.name(node)));
        let title = lab.state().info().title;
        let text = format!(
            "{title}: messages {}, events {}; entered {entered}.",
            phrases::messages(&view),
            view.step
        );
        lines.item("  ", text);
    }
    let slugs = names.map(|name| catalog::find(name).map_or(name, |e| e.info.slug));
    lines.say(format!("`play {} {n}` and `play {} {n}` step through them.", slugs[0], slugs[1]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::glyphs::Glyphs;

    fn told(words: &str) -> String {
        let mut lines = Lines::default();
        take(words, &mut lines);
        lines.finish(&Glyphs::ASCII).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn costs_are_told_a_sentence_an_algorithm() {
        let text = told("4");
        assert!(text.starts_with("Messages with 4 nodes"), "{text}");
        assert!(text.contains("Lamport 1978: one entry 9, formula 3(n-1) is 9; all at once 36"));
        assert!(text.contains(
            "Maekawa 1985: one entry 6, formula 3(K-1) is 6; all at once 29, no formula"
        ));
    }

    #[test]
    fn two_algorithms_serve_the_same_requests_and_their_messages_are_told() {
        let text = told("lamport ricart-agrawala 4");
        assert!(text.contains("Lamport 1978: messages 36"), "{text}");
        assert!(text.contains("1981: messages 24 (REQUEST 12, REPLY 12)"), "{text}");
        assert!(text.contains("entered P1, P2, P3, P4."), "{text}");
    }

    #[test]
    fn what_cannot_be_compared_is_refused_in_words() {
        assert!(told("99").contains("2 to 16 nodes"));
        assert!(told("99999999999999999999999").contains("2 to 16 nodes"));
        assert!(told("lamport").contains("two algorithms"));
        assert!(told("lamport lampart").contains("did you mean"));
    }
}
