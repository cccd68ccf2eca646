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
use crate::ui::panel::text::width;
use crate::ui::theme::Role;

/// So many of the last lines are shown.
const LINES_SHOWN: usize = 3;
/// The same where there is more height.
const LINES_SHOWN_TALL: usize = 10;

/// What the panel shows below the prompt and the goal of a question that is answered in the cluster, and the
/// line in which the cursor is, where something is chosen.
pub(super) fn lines(
    session: &Session,
    draft: &AnswerDraft,
    entry: &Entry,
    canvas: Canvas<'_>,
) -> (Vec<Line>, Option<usize>) {
    let (lines, chosen) = match draft {
        AnswerDraft::Played(play) => {
            (playing(session, play, entry.word_at, canvas), play.pending().is_some())
        }
        AnswerDraft::Decided(decide) => (deciding(decide, entry.word_at, canvas), true),
        _ => (Vec::new(), false),
    };
    let focus = lines.len().checked_sub(1).filter(|_| chosen);
    (lines, focus)
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
    let mut texts = match play.lines(lab) {
        Some(played) => progress(&play.how, &played, canvas.dense),
        None => {
            vec!["You are in another run: Home goes back to the question's start.".to_owned()]
        }
    };
    texts.extend(rules(&play.how));
    if play.how.config.is_some() {
        texts.push(format!("A cluster of its own: {}.", lab.title()));
    }
    if canvas.dense {
        texts = vec![texts.join(" ")];
    }
    texts.iter().flat_map(line).collect()
}

/// The parts of the goal, each with its mark; short ones side by side.
pub(super) fn goal(session: &Session, draft: &AnswerDraft, canvas: Canvas<'_>) -> Vec<Line> {
    const LEAD: &str = "  Goal ";
    let AnswerDraft::Played(play) = draft else { return Vec::new() };
    let parts = play.parts(session.lab());
    let look = canvas.look;
    let indent = || " ".repeat(width(LEAD));
    let mut lines: Vec<Line> = Vec::new();
    let mut used = 0;
    for (holds, text) in &parts {
        let text = look.text(text).into_owned();
        let (mark, role) =
            if *holds { (look.glyphs.yes, Role::Ok) } else { (look.glyphs.no, Role::Bad) };
        let columns = width(&text) + 4;
        match lines.last_mut().filter(|_| canvas.dense && used + columns <= canvas.columns) {
            Some(line) => {
                line.extend([("  ".to_owned(), Role::Text), (mark.to_owned(), role)]);
                line.push((format!(" {text}"), Role::Text));
            }
            None => {
                let lead = if lines.is_empty() { LEAD.to_owned() } else { indent() };
                let part = signed(mark, &text, canvas.columns - width(LEAD), role, Role::Text);
                for (i, part) in part.into_iter().enumerate() {
                    let lead = if i == 0 { lead.clone() } else { indent() };
                    lines.push([vec![(lead, Role::Key)], part].concat());
                }
                used = width(LEAD) - 2;
            }
        }
        used += columns;
    }
    lines
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

/// What may be played beside the usual, and what may not.
fn rules(how: &Playing) -> Option<String> {
    let all = [("Allowed too", &how.allow), ("Not allowed", &how.forbid)];
    let some = all.into_iter().filter(|(_, list)| !list.is_empty());
    let said: Vec<String> =
        some.map(|(word, list)| format!("{word}: {}.", list.join(", "))).collect();
    (!said.is_empty()).then(|| said.join(" "))
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
        return vec![format!("{head} {}.", last.collect::<Vec<_>>().join("; "))];
    }
    std::iter::once(head).chain(last).collect()
}
