//! What the lesson's panel says while an answer is given in the cluster: the goal, what may be played, what
//! was; or what a node decides.
//!
//! It plays nothing and judges nothing.

use super::entry::Entry;
use super::lines::{Canvas, Line, signed, word_lines};
use crate::lesson::question::Playing;
use crate::session::deciding::Decide;
use crate::session::playing::Play;
use crate::session::{AnswerDraft, Session};
use crate::ui::theme::Role;

/// So many of the last lines are shown.
const LINES_SHOWN: usize = 3;
/// The same where there is more height.
const LINES_SHOWN_TALL: usize = 10;

/// What the panel shows below the prompt of a question that is answered in the cluster.
pub(super) fn lines(
    session: &Session,
    draft: &AnswerDraft,
    entry: &Entry,
    canvas: Canvas<'_>,
) -> Vec<Line> {
    match draft {
        AnswerDraft::Played(play) => playing(session, play, entry.word_at, canvas),
        AnswerDraft::Decided(decide) => deciding(decide, entry.word_at, canvas),
        _ => Vec::new(),
    }
}

/// What was played, or of which event something has to be said first.
fn playing(
    session: &Session,
    play: &Play,
    word_at: Option<usize>,
    canvas: Canvas<'_>,
) -> Vec<Line> {
    let lab = session.lab();
    let line = |text: &String| {
        let text = canvas.look.text(text).into_owned();
        signed(" ", &text, canvas.columns, Role::Key, Role::Accent)
    };
    if let Some(event) = play.pending() {
        let event = event.show(&lab.setup().names);
        let mut lines = line(&format!("{event}: what will come of it?"));
        lines.extend(word_lines(&play.how.annotate, word_at, canvas));
        return lines;
    }
    let mut texts = rules(&play.how);
    if play.how.config.is_some() {
        texts.insert(0, format!("A cluster of its own: {}.", lab.title()));
    }
    match play.lines(lab) {
        Some(played) => texts.extend(progress(&play.how, &played, canvas.dense)),
        None => {
            let text = "You are in another run: Home goes back to the question's start.";
            texts.push(text.to_owned());
        }
    }
    texts.iter().flat_map(line).collect()
}

/// What came of the last decision, and what has to be decided now.
fn deciding(decide: &Decide, at: Option<usize>, canvas: Canvas<'_>) -> Vec<Line> {
    let Some((n, of, arrives)) = decide.next() else { return Vec::new() };
    let text = |text: &str| canvas.look.text(text).into_owned();
    let mut lines = Vec::new();
    if let Some(seen) = decide.seen() {
        lines.extend(signed(" ", &text(seen), canvas.columns, Role::Text, Role::Text));
    }
    let asks = format!("Message {n} of {of}: {arrives}. You …");
    lines.extend(signed(" ", &text(&asks), canvas.columns, Role::Key, Role::Accent));
    lines.extend(word_lines(decide.words(), at, canvas));
    lines
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
