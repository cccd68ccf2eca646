//! What the lesson's panel says while an answer is played: the goal, what may be played, what was.
//!
//! It plays nothing and judges nothing.

use super::Stepper;
use super::answer::{Canvas, word_lines};
use super::page::{Line, signed};
use super::playing::Play;
use crate::lesson::question::Playing;
use crate::ui::theme::Role;

/// So many of the last lines are shown.
const LINES_SHOWN: usize = 3;
/// The same where there is more height.
const LINES_SHOWN_TALL: usize = 10;

impl Stepper {
    /// What the panel shows while events are played.
    pub(super) fn playing_lines(&self, play: &Play, canvas: Canvas<'_>) -> Vec<Line> {
        let names = &self.lab.setup().names;
        let line = |text: &String| {
            let text = canvas.look.text(text).into_owned();
            signed(" ", &text, canvas.columns, Role::Key, Role::Accent)
        };
        if let Some(event) = play.pending {
            let mut lines = line(&format!("{}: what will come of it?", event.show(names)));
            lines.extend(word_lines(&play.how.annotate, play.word_at, canvas));
            return lines;
        }
        let mut texts = rules(&play.how);
        if play.how.config.is_some() {
            texts.insert(0, format!("A cluster of its own: {}.", self.lab.title()));
        }
        match self.played() {
            Some(played) => texts.extend(progress(&play.how, &played, canvas.dense)),
            None => {
                let text = "You are in another run: Home goes back to the question's start.";
                texts.push(text.to_owned());
            }
        }
        texts.iter().flat_map(line).collect()
    }
}

/// The goal, and what may be played.
fn rules(how: &Playing) -> Vec<String> {
    let mut lines = vec![format!("Goal: {}", how.goal)];
    let mut rest = Vec::new();
    rest.extend(how.never.as_ref().map(|never| format!("Never: {never}.")));
    for (word, list) in [("Allowed too", &how.allow), ("Not allowed", &how.forbid)] {
        if !list.is_empty() {
            rest.push(format!("{word}: {}.", list.join(", ")));
        }
    }
    if !rest.is_empty() {
        lines.push(rest.join(" "));
    }
    lines
}

/// How many events were played, and the last of them.
fn progress(how: &Playing, played: &[String], dense: bool) -> Vec<String> {
    let count = played.len();
    let of = match (how.at_most, how.par) {
        (Some(most), Some(par)) if par < most => format!(" of at most {most}, par {par}"),
        (Some(most), _) => format!(" of at most {most}"),
        (None, Some(par)) => format!(", par {par}"),
        (None, None) => String::new(),
    };
    if count == 0 {
        return vec![format!("Played: nothing yet{of}.")];
    }
    let shown = if dense { LINES_SHOWN } else { LINES_SHOWN_TALL };
    let first = count.saturating_sub(shown);
    let more = if first > 0 { " …" } else { "" };
    let one = |(i, line): (usize, &String)| format!("{}. {line}", i + 1);
    let last = played.iter().enumerate().skip(first).map(one);
    let head = format!("Played {count}{of}:{more}");
    if dense {
        return vec![format!("{head} {}", last.collect::<Vec<_>>().join("; "))];
    }
    std::iter::once(head).chain(last).collect()
}
