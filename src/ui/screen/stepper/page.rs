//! The lesson's panel: what the page says, its question, what was answered.

use super::{Asking, Stepper};
use crate::lesson::{QuestionState, QuestionView};
use crate::ui::panel::prose::{lay_out, one_line};
use crate::ui::panel::text::{pad, width, wrap};
use crate::ui::panel::{Look, prose};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

type Line = Vec<(String, Role)>;

/// What the panel holds, before it is known how much of it fits.
pub(super) struct Page {
    say: Vec<Line>,
    question: Vec<Line>,
    /// Whether the question is what one should see first.
    question_first: bool,
}

impl Page {
    /// The page for a panel so many columns wide. `dense`: short answers stand side by side.
    pub(super) fn of(stepper: &Stepper, columns: usize, dense: bool, look: &Look) -> Option<Self> {
        let learner = stepper.learner.as_ref()?;
        let say = lay_out(&look.text(learner.say().unwrap_or("")), columns);
        let question = stepper.question();
        let question_first = question.as_ref().is_some_and(|q| {
            stepper.asking.is_some() || q.state.closed() || q.state == QuestionState::Wrong
        });
        let mut lines = match &question {
            Some(q) => question_lines(q, stepper.asking.as_ref(), columns, dense, look),
            None => Vec::new(),
        };
        if stepper.exploring() {
            lines = text_lines(
                "Exploring. The lesson waits where you left it: Esc.",
                columns,
                Role::Exploring,
            );
        } else if learner.finished() {
            let (got, of) = learner.score();
            let score = if of > 0 { format!(" {got} of {of} points.") } else { String::new() };
            let text = format!("The lesson is finished.{score} Explore freely, or q goes home.");
            lines.extend(text_lines(&text, columns, Role::Accent));
        }
        Some(Self { say, question: lines, question_first })
    }

    /// How many rows would show what one should see.
    pub(super) fn wanted(&self) -> usize {
        let say = self.say.iter().filter(|line| !line.is_empty()).count();
        if self.question_first { self.question.len() } else { say + self.question.len() }
    }

    /// Draws the page. When there is no room for all, what one should see first is shown.
    pub(super) fn draw(mut self, look: &Look, area: Rect, buf: &mut Buffer) {
        let room = usize::from(area.height);
        let gap = usize::from(!self.say.is_empty() && !self.question.is_empty());
        if self.say.len() + gap + self.question.len() > room {
            // Paragraphs need no gaps where room is short.
            self.say.retain(|line| !line.is_empty());
        }
        let gap = if self.say.len() + gap + self.question.len() <= room { gap } else { 0 };
        let left = room.saturating_sub(self.question.len() + gap);
        let (keep, hidden) = match self.question_first {
            _ if self.say.len() <= left => (self.say.len(), 0),
            true if left < 3 => (0, self.question.len().saturating_sub(room)),
            true => (left, 0),
            false => (left.max(room / 2), self.say.len().saturating_sub(left.max(room / 2))),
        };
        if keep < self.say.len() && keep > 0 && hidden == 0 {
            self.say.truncate(keep - 1);
            self.say.push(vec![(look.glyphs.ellipsis.to_owned(), Role::Dim)]);
        }
        self.say.truncate(keep);
        let mut lines = self.say;
        if !lines.is_empty() {
            lines.resize(lines.len() + gap, Vec::new());
        }
        lines.append(&mut self.question);
        prose::draw(&lines, 0, look, area, buf);
        if hidden > 0 && area.height > 0 {
            let more = format!(" {hidden} more lines: z ");
            let x = area.width.saturating_sub(width(&more) as u16);
            let y = if self.question_first { area.height } else { keep as u16 };
            look.put(buf, area, x, y.clamp(1, area.height) - 1, &more, Role::Warn);
        }
    }
}

fn text_lines(text: &str, columns: usize, role: Role) -> Vec<Line> {
    wrap(text, columns).into_iter().map(|l| vec![(l, role)]).collect()
}

/// A sign, then text that is indented under it.
fn signed(sign: &str, text: &str, columns: usize, sign_role: Role, role: Role) -> Vec<Line> {
    let indent = width(sign) + 1;
    let lines = wrap(text, columns.saturating_sub(indent).max(8));
    let lead = |i: usize| if i == 0 { format!("{sign} ") } else { " ".repeat(indent) };
    let one = |(i, l): (usize, String)| vec![(lead(i), sign_role), (l, role)];
    lines.into_iter().enumerate().map(one).collect()
}

fn question_lines(
    q: &QuestionView,
    asking: Option<&Asking>,
    columns: usize,
    dense: bool,
    look: &Look,
) -> Vec<Line> {
    let text = |t: &str| look.text(&one_line(t)).into_owned();
    let mut lines = Vec::new();
    if q.state.closed() {
        lines.extend(signed("?", &text(&q.prompt), columns, Role::Dim, Role::Dim));
    }
    lines.extend(verdict_lines(q, columns, look));
    if q.state.closed() {
        if let Some(explanation) = &q.explanation {
            lines.extend(text_lines(&text(explanation), columns, Role::Text));
        }
        return lines;
    }
    lines.extend(signed("?", &text(&q.prompt), columns, Role::Question, Role::Question));
    if let Some(asking) = asking {
        lines.extend(answer_lines(q, asking, columns, dense, look));
    }
    for (i, hint) in q.hints.iter().enumerate() {
        let sign = format!("hint {}/{}", i + 1, q.hints_in_all);
        lines.extend(signed(&sign, &text(hint), columns, Role::Accent, Role::Text));
    }
    lines
}

fn verdict_lines(q: &QuestionView, columns: usize, look: &Look) -> Vec<Line> {
    let (sign, role) = match q.state {
        QuestionState::Right => (look.glyphs.yes, Role::Ok),
        QuestionState::Wrong | QuestionState::Locked => (look.glyphs.no, Role::Bad),
        QuestionState::Open | QuestionState::Shown | QuestionState::Skipped => {
            (look.glyphs.bullet, Role::Accent)
        }
    };
    let mut lines = Vec::new();
    let said = if q.state == QuestionState::Shown { &q.solution } else { &q.verdict };
    for (i, line) in said.iter().enumerate() {
        let (sign, line_role) = if i == 0 { (sign, role) } else { (" ", Role::Text) };
        lines.extend(signed(sign, &look.text(&one_line(line)), columns, role, line_role));
    }
    lines
}

fn answer_lines(
    q: &QuestionView,
    asking: &Asking,
    columns: usize,
    dense: bool,
    look: &Look,
) -> Vec<Line> {
    if let Some(typed) = asking.typed() {
        return vec![vec![("  > ".to_owned(), Role::Key), (format!("{typed}_"), Role::Text)]];
    }
    let sign = |i: usize| {
        let cursor = if i == asking.chosen { look.glyphs.cursor } else { " " };
        format!("{cursor} {}", char::from(b'a' + i as u8))
    };
    let role = |i: usize| if i == asking.chosen { Role::Selected } else { Role::Text };
    let half = columns / 2;
    let texts: Vec<String> =
        q.picks.iter().map(|p| look.text(&one_line(&p.text)).into_owned()).collect();
    if dense && texts.len() > 2 && texts.iter().all(|t| width(t) + 6 <= half) {
        let rows = texts.len().div_ceil(2);
        let cell = |i: usize| match texts.get(i) {
            Some(t) => vec![
                (format!("{}  ", sign(i)), Role::Key),
                (t.clone(), role(i)),
                (pad("", half.saturating_sub(5 + width(t))), Role::Text),
            ],
            None => Vec::new(),
        };
        return (0..rows).map(|y| [cell(y), cell(y + rows)].concat()).collect();
    }
    let one =
        |(i, t): (usize, &String)| signed(&format!("{} ", sign(i)), t, columns, Role::Key, role(i));
    texts.iter().enumerate().flat_map(one).collect()
}
