//! The lesson's panel: what the page says, its question, what was answered.
//!
//! It lays out and draws; how the answer itself looks is `answer`'s business.

use super::answer;
use super::entry::Entry;
use super::lines::{Canvas, Line, signed, text_lines};
use super::played;
use crate::lesson::{Learner, QuestionState, QuestionView};
use crate::session::Session;
use crate::trace::narrate;
use crate::ui::panel::prose::lay_out;
use crate::ui::panel::{Look, prose};
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// What the panel holds, before it is known how much of it fits.
pub(super) struct Page {
    say: Vec<Line>,
    asked: Asked,
    /// Whether the question is what one should see first.
    question_first: bool,
}

/// What of a page has no room.
pub(super) struct LeftOut {
    /// Lines that one has not seen yet.
    pub(super) lines: usize,
    /// Whether words that were read before the question have gone.
    pub(super) before: bool,
}

/// The question's part of the panel.
#[derive(Default)]
struct Asked {
    /// What was said to the last answer; its first line always stays in sight.
    verdict: Vec<Line>,
    prompt: Vec<Line>,
    /// The hints, one after the other.
    hints: Vec<Vec<Line>>,
    /// The answer, and the line in which the cursor is.
    answer: Vec<Line>,
    focus: Option<usize>,
    /// What comes behind.
    rest: Vec<Line>,
    /// Whether the question is closed: then what was asked may go first.
    closed: bool,
}

impl Page {
    /// The page for a panel so many columns wide. `dense`: short answers stand side by side.
    pub(super) fn of(
        session: &Session,
        entry: Option<&Entry>,
        columns: usize,
        dense: bool,
        look: &Look,
    ) -> Option<Self> {
        let learner = session.learner()?;
        let canvas = Canvas { columns, dense, look };
        let question = session.question();
        let question_first = question.as_ref().is_some_and(|q| {
            session.answer().is_some() || q.state.closed() || q.state == QuestionState::Wrong
        });
        let mut asked =
            question.map_or_else(Asked::default, |q| Asked::of(&q, session, entry, canvas));
        if session.exploring() {
            let text = "Exploring. The lesson waits where you left it: Esc.";
            asked.rest = text_lines(text, columns, Role::Exploring);
        } else if learner.finished() {
            let score = learner.score_in_words();
            let score = score.map_or(String::new(), |score| format!(" {score}."));
            let text = format!("The lesson is finished.{score} Explore freely, or q goes home.");
            asked.rest = text_lines(&text, columns, Role::Accent);
        }
        Some(Self { say: says(session, learner, canvas), asked, question_first })
    }

    /// How many rows would show what one should see.
    pub(super) fn wanted(&self) -> usize {
        let say = self.say.iter().filter(|line| !line.is_empty()).count();
        let question = self.asked.len();
        if self.question_first { question } else { say + question }
    }

    /// Draws the page in full, from line `top` on; the cursor of an open question is always in sight.
    /// Gives the number of lines for which there is no room.
    pub(super) fn draw_scrolled(
        mut self,
        top: usize,
        look: &Look,
        area: Rect,
        buf: &mut Buffer,
    ) -> usize {
        let room = usize::from(area.height);
        let mut lines = std::mem::take(&mut self.say);
        if !lines.is_empty() && self.asked.len() > 0 {
            lines.push(Vec::new());
        }
        let focus = self.asked.focus().map(|focus| focus + lines.len());
        lines.append(&mut std::mem::take(&mut self.asked).all());
        let most = lines.len().saturating_sub(room);
        let top = focus.map_or(top, |focus| (focus + 2).saturating_sub(room)).min(most);
        prose::draw(&lines, top, look, area, buf);
        most
    }

    /// Draws the page. When there is no room for all, what one should see first is shown. Gives what is
    /// left out.
    pub(super) fn draw(mut self, look: &Look, area: Rect, buf: &mut Buffer) -> LeftOut {
        let room = usize::from(area.height);
        let all = self.asked.len();
        let gap = usize::from(!self.say.is_empty() && all > 0);
        if self.say.len() + gap + all > room {
            // Paragraphs need no gaps where room is short.
            self.say.retain(|line| !line.is_empty());
        }
        let gap = if self.say.len() + gap + all <= room { gap } else { 0 };
        let left = room.saturating_sub(all + gap);
        let keep = match self.question_first {
            _ if self.say.len() <= left => self.say.len(),
            true if left < 3 => 0,
            true => left,
            false => left.max(room / 2),
        };
        // Words that were read before the question are not counted with what is still to be read.
        let gone = self.say.len().saturating_sub(keep);
        let (before, ahead) = if self.question_first { (gone > 0, 0) } else { (false, gone) };
        if keep < self.say.len() && keep > 0 {
            self.say.truncate(keep - 1);
            self.say.push(vec![(look.glyphs.ellipsis.to_owned(), Role::Dim)]);
        }
        self.say.truncate(keep);
        let mut lines = self.say;
        if !lines.is_empty() {
            lines.resize(lines.len() + gap, Vec::new());
        }
        let (mut question, left_out) = self.asked.within(room.saturating_sub(lines.len()));
        lines.append(&mut question);
        prose::draw(&lines, 0, look, area, buf);
        LeftOut { lines: ahead + left_out, before }
    }
}

impl Asked {
    fn of(q: &QuestionView, session: &Session, entry: Option<&Entry>, canvas: Canvas<'_>) -> Self {
        let Canvas { columns, look, .. } = canvas;
        let text = |t: &str| look.text(t).into_owned();
        let told = |sign: &str, sign_role, markdown: &str, role| {
            prose::signed((sign.to_owned(), sign_role), &text(markdown), columns, role)
        };
        let closed = q.state.closed();
        let role = if closed { Role::Dim } else { Role::Question };
        let mut asked = Self {
            verdict: verdict_lines(q, columns, look),
            prompt: told("?", role, &q.prompt, role),
            ..Self::default()
        };
        if closed {
            asked.closed = true;
            if let Some(explanation) = &q.explanation {
                asked.answer = prose::paragraph(&text(explanation), columns, Role::Text);
            }
            return asked;
        }
        for (i, hint) in q.hints.iter().enumerate() {
            let sign = format!("hint {}/{}", i + 1, q.hints_in_all);
            asked.hints.push(told(&sign, Role::Accent, hint, Role::Text));
        }
        match entry {
            Some(entry) => asked.answer(q, session, entry, canvas),
            None if q.draft.is_some() => {
                let text = "Your answer is begun: Enter goes on with it.";
                asked.answer = signed(" ", text, columns, Role::Dim, Role::Dim);
            }
            None => {}
        }
        asked
    }

    fn answer(&mut self, q: &QuestionView, session: &Session, entry: &Entry, canvas: Canvas<'_>) {
        let Canvas { columns, look, .. } = canvas;
        let Some(draft) = session.answer() else { return };
        if draft.in_cluster() {
            self.answer = played::lines(session, draft, entry, canvas);
            self.focus = self.answer.len().checked_sub(1);
        } else {
            let (lines, focus) = answer::lines(q, draft, entry, canvas);
            (self.answer, self.focus) = (lines, Some(focus));
        }
        if let Some(form) = &entry.form {
            // It stands before the answer, so that it is seen together with the cursor.
            let sign = (look.glyphs.bullet.to_owned(), Role::Warn);
            let mut lines = prose::signed(sign, &look.text(form), columns, Role::Warn);
            self.focus = self.focus.map(|focus| focus + lines.len());
            lines.append(&mut self.answer);
            self.answer = lines;
        }
    }

    fn len(&self) -> usize {
        let hints: usize = self.hints.iter().map(Vec::len).sum();
        self.verdict.len() + self.prompt.len() + hints + self.answer.len() + self.rest.len()
    }

    /// The line in which the cursor is, among all.
    fn focus(&self) -> Option<usize> {
        let hints: usize = self.hints.iter().map(Vec::len).sum();
        self.focus.map(|focus| self.verdict.len() + self.prompt.len() + hints + focus)
    }

    /// All lines in their order.
    fn all(mut self) -> Vec<Line> {
        if self.closed {
            // What was asked comes first, then what was said, then why.
            std::mem::swap(&mut self.verdict, &mut self.prompt);
        }
        let mut lines = self.verdict;
        lines.append(&mut self.prompt);
        lines.extend(self.hints.into_iter().flatten());
        lines.append(&mut self.answer);
        lines.append(&mut self.rest);
        lines
    }

    /// As many lines as there is room for, and how many are left out. Earlier hints go first, then what
    /// is farthest from the cursor; the first word of a verdict stays.
    fn within(mut self, room: usize) -> (Vec<Line>, usize) {
        let mut hidden = 0;
        while self.len() > room && self.hints.len() > 1 {
            hidden += self.hints.remove(0).len();
        }
        if self.closed && self.len() > room {
            hidden += self.prompt.drain(..).len();
        }
        let pinned = usize::from(!self.verdict.is_empty());
        let focus = self.focus();
        let mut lines = self.all();
        let excess = lines.len().saturating_sub(room);
        // The line behind the cursor is seen as well, so that one sees that there is more.
        let first = focus.map_or(0, |focus| (focus + 2).saturating_sub(room)).min(excess);
        lines.drain(pinned.min(lines.len())..(pinned + first).min(lines.len()));
        lines.truncate(room);
        (lines, hidden + excess)
    }
}

/// What the page says. One without words says what its own steps did; one that only asks goes on from the
/// words before.
fn says(session: &Session, learner: &Learner, canvas: Canvas<'_>) -> Vec<Line> {
    let Canvas { columns, look, .. } = canvas;
    let here = learner.moment();
    let history = session.lesson_lab().history();
    let names = &session.lesson_lab().setup().names;
    let own = learner.trail().iter().filter(|m| m.step == here.step && m.played <= here.played);
    let records: Vec<_> =
        own.filter(|m| m.event.is_some()).filter_map(|m| history.record(m.rev)).collect();
    if learner.step().say.is_some() || records.is_empty() {
        return lay_out(&look.text(learner.say().unwrap_or("")), columns);
    }
    let last = records.len() - 1;
    let one = |(i, record): (usize, &&crate::sim::StepRecord)| {
        let role = if i == last { Role::Text } else { Role::Dim };
        let text = look.text(&narrate::sentence(record, names)).into_owned();
        signed(look.glyphs.bullet, &text, columns, Role::Accent, role)
    };
    records.iter().enumerate().flat_map(one).collect()
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
    for (i, line) in q.said.iter().enumerate() {
        let (sign, line_role) = if i == 0 { (sign, role) } else { (" ", Role::Text) };
        let sign = (sign.to_owned(), role);
        lines.extend(prose::signed(sign, &look.text(line), columns, line_role));
    }
    lines
}
