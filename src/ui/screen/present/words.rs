//! The words of a presentation as lines: what the step says, what has happened, what is asked.
//!
//! It lays out and draws nothing; which of it has room is `draw`'s business.

use super::{Asked, Asking, Beat, Poll, Talk};
use crate::lesson::question::forms::letter;
use crate::trace::narrate;
use crate::ui::panel::Look;
use crate::ui::panel::prose::{self, lay_out};
use crate::ui::panel::text::{pad, width, wrap};
use crate::ui::theme::Role;

/// A line of styled pieces.
pub(super) type Line = Vec<(String, Role)>;

/// The bars of a poll are at most so long.
const LONGEST_BAR: usize = 60;

/// The two parts of the words.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// What the step says, and what has just happened.
    pub(super) said: Vec<Line>,
    /// What is asked.
    pub(super) asked: Vec<Line>,
}

impl Words {
    /// So many lines, with those that are said or without.
    pub(super) fn rows(&self, with_said: bool) -> usize {
        match (self.said.len(), self.asked.len()) {
            (said, 0) => said,
            (0, asked) => asked,
            (said, asked) if with_said => said + 1 + asked,
            (_, asked) => asked,
        }
    }

    /// The lines in their order.
    pub(super) fn lines(self, with_said: bool) -> Vec<Line> {
        let keep = with_said || self.asked.is_empty();
        let mut lines = if keep { self.said } else { Vec::new() };
        if !lines.is_empty() && !self.asked.is_empty() {
            lines.push(Vec::new());
        }
        lines.extend(self.asked);
        lines
    }
}

/// How words are laid out.
#[derive(Clone, Copy)]
pub(super) struct Sheet<'l> {
    pub(super) columns: usize,
    /// Whether options stand apart.
    pub(super) spread: bool,
    pub(super) look: &'l Look,
}

impl Talk {
    /// The words of one beat.
    pub(super) fn words(&self, beat: &Beat, sheet: Sheet<'_>) -> Words {
        Words { said: self.said(beat, sheet), asked: self.asked_lines(beat, sheet) }
    }

    /// What the step says. One without words of its own says what happens; where nothing does, the
    /// words before go on.
    fn said(&self, beat: &Beat, sheet: Sheet<'_>) -> Vec<Line> {
        let Sheet { columns, look, .. } = sheet;
        let steps = &self.lesson().steps()[..=beat.step];
        let own = steps.last().and_then(|s| s.say.as_deref());
        let happened = beat.event && beat.asked.is_none();
        let say = match own {
            None if happened || self.beats().iter().any(|b| b.step == beat.step && b.event) => None,
            own => own.or_else(|| steps.iter().rev().find_map(|s| s.say.as_deref())),
        };
        let mut lines = say.map_or_else(Vec::new, |say| lay_out(&look.text(say), columns));
        if happened && let Some(record) = self.lab().history().record(beat.rev) {
            let text = narrate::sentence(record, &self.lab().setup().names);
            if !lines.is_empty() {
                lines.push(Vec::new());
            }
            lines.extend(signed(look.glyphs.act, &text, Role::Changed, Role::Heading, sheet));
        }
        lines
    }

    fn asked_lines(&self, beat: &Beat, sheet: Sheet<'_>) -> Vec<Line> {
        let (Some(asking), Some(asked)) = (self.asking(beat.step), beat.asked) else {
            return Vec::new();
        };
        let mut lines = told("?", &asking.prompt, Role::Question, Role::Question, sheet);
        let poll = self.poll(beat.step).filter(|_| asked.picks == asking.picks.len());
        for place in 0..asking.picks.len() {
            if sheet.spread && (poll.is_none() || place == 0) {
                lines.push(Vec::new());
            }
            let option = option_lines(asking, place, asked, sheet);
            // One that was not shown yet keeps its place, so that nothing moves when it is.
            let hidden = place >= asked.picks;
            lines.extend(option.into_iter().map(|line| if hidden { Vec::new() } else { line }));
            if let Some(poll) = poll {
                lines.push(self.bar(poll, place, sheet));
            }
        }
        if asked.answered {
            if sheet.spread || asked.picks == 0 {
                lines.push(Vec::new());
            }
            lines.extend(answer_lines(asking, sheet));
        }
        lines
    }

    /// The hands for an option: a number while they are counted, then a bar.
    fn bar(&self, poll: &Poll, option: usize, sheet: Sheet<'_>) -> Line {
        let glyphs = &sheet.look.glyphs;
        let hands = poll.hands()[option];
        let mut line = vec![("      ".to_owned(), Role::Text)];
        if let Some(marked) = self.counting() {
            let role = if marked == option { Role::Selected } else { Role::Accent };
            line.push((format!(" {hands:>3} "), role));
            return line;
        }
        let most = poll.hands().iter().copied().max().unwrap_or(0).max(1) as usize;
        let room = LONGEST_BAR.min(sheet.columns.saturating_sub(30));
        let long = (hands as usize * room).div_ceil(most);
        line.push((glyphs.bar.repeat(long), Role::Accent));
        let was = poll.before().map_or(String::new(), |b| format!("  (before: {})", b[option]));
        let number = format!(" {hands}  {}%{was}", poll.percent(option));
        line.push((number, Role::Heading));
        line
    }
}

/// An option with its letter; once the answer is shown, marked as right or not.
fn option_lines(asking: &Asking, place: usize, asked: Asked, sheet: Sheet<'_>) -> Vec<Line> {
    let glyphs = &sheet.look.glyphs;
    let right = asking.right.iter().position(|p| *p == place);
    let (mark, role) = match (asked.answered, right) {
        (false, _) => (" ".to_owned(), Role::Text),
        (true, Some(n)) if asking.ordered => ((n + 1).to_string(), Role::Ok),
        (true, Some(_)) => (glyphs.yes.to_owned(), Role::Ok),
        (true, None) => (glyphs.no.to_owned(), Role::Dim),
    };
    let sign = format!(" {mark} {} ", letter(place));
    let key_role = if asked.answered { role } else { Role::Key };
    told(&sign, &asking.picks[place].text, key_role, role, sheet)
}

/// The answer in words, where no option says it, and why.
fn answer_lines(asking: &Asking, sheet: Sheet<'_>) -> Vec<Line> {
    let glyphs = &sheet.look.glyphs;
    let mut lines = Vec::new();
    if !asking.is_marked() {
        lines = match asking.answer.as_slice() {
            [one] => signed(glyphs.yes, one, Role::Ok, Role::Ok, sheet),
            many => in_columns(many, sheet),
        };
    }
    for text in asking.reasons.iter().chain(&asking.explain) {
        lines.extend(told(" ", text, Role::Text, Role::Text, sheet));
    }
    lines
}

/// Many short lines side by side, read down; where they are long, below each other.
fn in_columns(lines: &[String], sheet: Sheet<'_>) -> Vec<Line> {
    let Sheet { columns, look, .. } = sheet;
    let texts: Vec<String> =
        lines.iter().enumerate().map(|(i, l)| format!("{:>2}  {}", i + 1, look.text(l))).collect();
    let widest = texts.iter().map(|t| width(t)).max().unwrap_or(0) + 4;
    let beside = (columns.saturating_sub(2) / widest).clamp(1, lines.len().div_ceil(3).max(1));
    let rows = texts.len().div_ceil(beside);
    if beside == 1 {
        return texts.iter().flat_map(|t| signed(" ", t, Role::Ok, Role::Ok, sheet)).collect();
    }
    let row = |y: usize| {
        let cells = (0..beside).filter_map(|x| texts.get(x * rows + y));
        let cells = cells.map(|t| pad(t, widest)).collect::<String>();
        vec![(format!("  {}", cells.trim_end()), Role::Ok)]
    };
    (0..rows).map(row).collect()
}

/// A sign, then Markdown that is indented under it.
fn told(sign: &str, markdown: &str, sign_role: Role, role: Role, sheet: Sheet<'_>) -> Vec<Line> {
    let Sheet { columns, look, .. } = sheet;
    let sign = (look.text(sign).into_owned(), sign_role);
    prose::signed(sign, &look.text(markdown), columns, role)
}

/// A sign, then text that is indented under it.
fn signed(sign: &str, text: &str, sign_role: Role, role: Role, sheet: Sheet<'_>) -> Vec<Line> {
    let Sheet { columns, look, .. } = sheet;
    let (sign, text) = (look.text(sign), look.text(text));
    let indent = width(&sign) + 1;
    let lines = wrap(&text, columns.saturating_sub(indent).max(8));
    let lead = |i: usize| if i == 0 { format!("{sign} ") } else { " ".repeat(indent) };
    let one = |(i, l): (usize, String)| vec![(lead(i), sign_role), (l, role)];
    lines.into_iter().enumerate().map(one).collect()
}
