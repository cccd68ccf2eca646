//! The lesson's panel: what the page says, its question, what was answered.
//!
//! It lays out and draws; how the answer itself looks is `answer`'s business.

use super::answer;
use super::entry::Entry;
use super::lines::{Canvas, Line, signed, text_lines};
use super::played;
use crate::lesson::{Learner, OBJECTIVES, QuestionState, QuestionView};
use crate::session::Session;
use crate::trace::narrate;
use crate::ui::layout::Text;
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
    /// What one can do after the lesson, or how well each of it went.
    objectives: Vec<Line>,
    /// Whether the lesson has just been opened.
    opens: bool,
}

/// What of a page has no room.
pub(super) struct LeftOut {
    /// Lines that one has not seen yet.
    pub(super) lines: usize,
    /// Whether words that were read before the question have gone.
    pub(super) before: bool,
}

/// The question's part of the panel, from top to bottom.
#[derive(Default)]
struct Asked {
    prompt: Vec<Line>,
    /// How an answer has to look, where what was typed could not be read.
    form: Vec<Line>,
    /// What has to hold, where the answer is played.
    goal: Vec<Line>,
    /// The answer, and the line in which the cursor is.
    answer: Vec<Line>,
    focus: Option<usize>,
    /// What was said to the last answer.
    verdict: Vec<Line>,
    /// The hints, one after the other.
    hints: Vec<Vec<Line>>,
    /// Why it is so, once the question is closed.
    why: Vec<Line>,
    /// What comes behind.
    rest: Vec<Line>,
    /// The rows that the question may come to need with a verdict and a hint.
    to_come: usize,
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
        let opens = (learner.moment().step, learner.moment().played) == (0, 0);
        let objectives = match session.exploring() {
            false if learner.finished() => achieved(learner, columns, look),
            false if opens => promised(learner, columns, look),
            _ => Vec::new(),
        };
        let say = says(session, learner, canvas);
        Some(Self { say, asked, question_first, objectives, opens })
    }

    /// The rows that it needs.
    pub(super) fn wanted(&self) -> Text {
        let now = self.asked.newest();
        let question = now.max(self.asked.to_come).max(self.asked.len());
        let words = self.say.iter().filter(|line| !line.is_empty()).count();
        let gap = usize::from(words > 0 && question > 0);
        let least = if self.question_first { now } else { words + now };
        // Where nothing has happened there is nothing in the picture that could be missed.
        let objectives = self.objectives.len();
        let least = if self.opens { least + objectives } else { least };
        let full = self.say.len() + gap + question + objectives;
        Text { least: least as u16, full: full as u16 }
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
        lines.append(&mut self.objectives);
        let most = lines.len().saturating_sub(room);
        let top = focus.map_or(top, |focus| (focus + 2).saturating_sub(room)).min(most);
        prose::draw(&lines, top, look, area, buf);
        most
    }

    /// Draws the page. When there is no room for all, what one should see first is shown. Returns what is
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
        let keep = if self.question_first { left } else { left.max(room / 2) };
        let before = self.say.len();
        let mut lines = cut(self.say, keep, look);
        let gone = before - lines.len();
        // Words that were read before the question are not counted with what is still to be read.
        let (before, ahead) = if self.question_first { (gone > 0, 0) } else { (false, gone) };
        if !lines.is_empty() {
            lines.resize(lines.len() + gap, Vec::new());
        }
        let (mut question, left_out) = self.asked.within(room - lines.len().min(room), look);
        lines.append(&mut question);
        // Objectives have what is left.
        let objectives = self.objectives.len();
        self.objectives.retain(|line| !line.is_empty() || lines.len() + objectives <= room);
        let hidden = self.objectives.len().saturating_sub(room - lines.len().min(room));
        lines.extend(self.objectives.drain(..self.objectives.len() - hidden));
        prose::draw(&lines, 0, look, area, buf);
        LeftOut { lines: ahead + left_out + hidden, before }
    }
}

/// As many of the lines as there are rows, up to the end of a sentence, with a mark behind it.
fn cut(mut lines: Vec<Line>, rows: usize, look: &Look) -> Vec<Line> {
    if lines.len() <= rows {
        return lines;
    }
    lines.truncate(rows);
    let ends = |text: &str| {
        let end = |(at, c): (usize, char)| {
            let rest = &text[at + c.len_utf8()..];
            let after = rest.trim_start_matches(['”', '"', ')', '’']);
            let ends = matches!(c, '.' | '?' | '!') && (after.is_empty() || after.starts_with(' '));
            ends.then(|| text.len() - after.len())
        };
        text.char_indices().rev().find_map(end)
    };
    while let Some(line) = lines.last_mut() {
        while let Some((text, _)) = line.last_mut() {
            // A piece may end inside a word, whose full stop then is none.
            if let Some(at) = ends(text) {
                text.truncate(at);
                line.push((format!(" {}", look.glyphs.ellipsis), Role::Dim));
                return lines;
            }
            line.pop();
        }
        lines.pop();
    }
    lines
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
        let stands = session.verdict_stands();
        let verdict = if stands { verdict_lines(q, columns, look) } else { Vec::new() };
        let mut asked =
            Self { verdict, prompt: told("?", role, &q.prompt, role), ..Self::default() };
        if closed {
            if let Some(explanation) = &q.explanation {
                asked.why = prose::paragraph(&text(explanation), columns, Role::Text);
            }
            return asked;
        }
        let hint = |(i, hint): (usize, &String)| {
            let sign = format!("hint {}/{}", i + 1, q.hints_in_all);
            told(&sign, Role::Accent, hint, Role::Text)
        };
        asked.hints = q.hints.iter().enumerate().map(hint).collect();
        match entry {
            Some(entry) => asked.answer(q, session, entry, canvas),
            None if q.draft.is_some() => {
                let text = "Your answer is begun: Enter goes on with it.";
                asked.answer = signed(" ", text, columns, Role::Dim, Role::Dim);
            }
            None => {}
        }
        if entry.is_some() || q.state == QuestionState::Wrong {
            let question = session.learner().and_then(|learner| learner.step().question.as_ref());
            let all = question.map_or_else(Vec::new, |question| question.common().hints.to_vec());
            let longest = all.iter().enumerate().map(|h| hint(h).len()).max().unwrap_or(0);
            let others = asked.len() - asked.hinted() - asked.verdict.len();
            asked.to_come = others + longest + asked.verdict.len().max(2);
        }
        asked
    }

    fn answer(&mut self, q: &QuestionView, session: &Session, entry: &Entry, canvas: Canvas<'_>) {
        let Canvas { columns, look, .. } = canvas;
        let Some(draft) = session.answer() else { return };
        if draft.in_cluster() {
            self.goal = played::goal(session, draft, canvas);
            (self.answer, self.focus) = played::lines(session, draft, entry, canvas);
        } else {
            let (lines, focus) = answer::lines(q, draft, entry, canvas);
            (self.answer, self.focus) = (lines, Some(focus));
        }
        if let Some(form) = &entry.form {
            let sign = (look.glyphs.bullet.to_owned(), Role::Warn);
            self.form = prose::signed(sign, &look.text(form), columns, Role::Warn);
        }
    }

    fn hinted(&self) -> usize {
        self.hints.iter().map(Vec::len).sum()
    }

    fn len(&self) -> usize {
        let asked = self.prompt.len() + self.form.len() + self.goal.len() + self.answer.len();
        asked + self.verdict.len() + self.hinted() + self.why.len() + self.rest.len()
    }

    /// The rows that it needs with the last hint alone.
    fn newest(&self) -> usize {
        self.len() - self.hinted() + self.hints.last().map_or(0, Vec::len)
    }

    /// The line in which the cursor is, among all.
    fn focus(&self) -> Option<usize> {
        self.focus.map(|focus| self.prompt.len() + self.form.len() + self.goal.len() + focus)
    }

    /// All lines in their order.
    fn all(self) -> Vec<Line> {
        let asked = [self.prompt, self.form, self.goal, self.answer, self.verdict];
        [asked.concat(), self.hints.concat(), self.why, self.rest].concat()
    }

    /// As many lines as there is room for, and how many are left out. Of the hints the last one stays; of an
    /// answer that is written or chosen the lines around the cursor. The rest is cut at its end, what matters
    /// least first.
    fn within(mut self, room: usize, look: &Look) -> (Vec<Line>, usize) {
        let all = self.len();
        while self.len() > room && self.hints.len() > 1 {
            self.hints.remove(0);
        }
        if let Some(focus) = self.focus {
            let third = |lines: usize| lines.min(room / 3);
            let newest = self.form.len().max(self.hinted()).max(self.verdict.len());
            let share = room - third(self.prompt.len()) - third(newest);
            // The line behind the cursor is seen as well, so that one sees that there is more.
            let first =
                (focus + 2).saturating_sub(share).min(self.answer.len().saturating_sub(share));
            self.answer.drain(..first);
            self.answer.truncate(share);
        }
        let mut hint = self.hints.concat();
        let mut served = match (self.focus, self.why.is_empty()) {
            (Some(_), _) => vec![
                &mut self.answer,
                &mut self.form,
                &mut self.prompt,
                &mut hint,
                &mut self.verdict,
            ],
            (None, true) => vec![
                &mut self.form,
                &mut self.prompt,
                &mut self.goal,
                &mut hint,
                &mut self.verdict,
                &mut self.answer,
            ],
            (None, false) => vec![&mut self.verdict, &mut self.why, &mut self.prompt],
        };
        served.insert(0, &mut self.rest);
        let mut left = room;
        for lines in served {
            *lines = cut(std::mem::take(lines), left, look);
            left -= lines.len();
        }
        self.hints = vec![hint];
        let lines = self.all();
        let left_out = all - lines.len();
        (lines, left_out)
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

/// What one can do after the lesson.
fn promised(learner: &Learner, columns: usize, look: &Look) -> Vec<Line> {
    let mut lines = Vec::new();
    for (i, (sentence, ..)) in learner.objectives().enumerate() {
        if i == 0 {
            lines.push(Vec::new());
            lines.extend(text_lines(OBJECTIVES, columns, Role::Heading));
        }
        let text = look.text(sentence);
        lines.extend(signed(look.glyphs.bullet, &text, columns, Role::Accent, Role::Text));
    }
    lines
}

/// How well each of it went.
fn achieved(learner: &Learner, columns: usize, look: &Look) -> Vec<Line> {
    let one = |(sentence, right, of): (&str, usize, usize)| {
        let (sign, role) = match right == of {
            true => (look.glyphs.yes, Role::Ok),
            false => (look.glyphs.bullet, Role::Accent),
        };
        let text = look.text(&format!("{sentence}: {right} of {of}")).into_owned();
        signed(sign, &text, columns, role, Role::Text)
    };
    learner.objectives().filter(|(_, _, of)| *of > 0).flat_map(one).collect()
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
