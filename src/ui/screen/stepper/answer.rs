//! How the answer to an open question is drawn: options, cards, a line, a table of cells.
//!
//! It lays out lines and the row of the cursor; what fits is the page's business.

use super::entry::Entry;
use super::lines::{Canvas, Line};
use super::table::Table;
use crate::lesson::QuestionView;
use crate::session::{AnswerDraft, Cards};
use crate::ui::panel::Look;
use crate::ui::panel::prose::{self, one_line};
use crate::ui::panel::text::{clip, pad, width};
use crate::ui::theme::Role;
use tui_input::Input;

/// Lines, and the one in which the cursor is.
pub(super) type Focused = (Vec<Line>, usize);

/// The answer so far.
pub(super) fn lines(
    q: &QuestionView,
    draft: &AnswerDraft,
    entry: &Entry,
    canvas: Canvas<'_>,
) -> Focused {
    let at = entry.at;
    match (draft, &entry.table) {
        (AnswerDraft::Line(_), _) => {
            entry.fields.first().map(|f| typed(f, canvas)).unwrap_or_default()
        }
        (AnswerDraft::Cells(_), Some(cells)) => table(cells, &entry.fields, at, canvas),
        (AnswerDraft::Order(cards), _) => {
            let one = |i: usize| card(q, cards, i, (at, entry.held), canvas);
            focused((0..cards.row().len()).map(one).collect(), at)
        }
        (AnswerDraft::Pick(pick), _) => options(q, *pick, None, canvas),
        (AnswerDraft::Marks(marks), _) => options(q, Some(at), Some(marks), canvas),
        (AnswerDraft::Cells(_) | AnswerDraft::Played(_) | AnswerDraft::Decided(_), _) => {
            Focused::default()
        }
    }
}

/// Several lines for each item, and the last line of the one under the cursor.
fn focused(items: Vec<Vec<Line>>, at: usize) -> Focused {
    let focus = items.iter().take(at + 1).map(Vec::len).sum::<usize>().saturating_sub(1);
    (items.into_iter().flatten().collect(), focus)
}

/// A text with its cursor, as pieces: behind the text it is a line, inside it the character stands out.
fn with_cursor(before: &str, at: &str, after: &str) -> Line {
    let under =
        if at.is_empty() { ("_".to_owned(), Role::Text) } else { (at.to_owned(), Role::Selected) };
    vec![(before.to_owned(), Role::Text), under, (after.to_owned(), Role::Text)]
}

/// What is typed, in as many lines as it needs.
fn typed(field: &Input, canvas: Canvas<'_>) -> Focused {
    const LEAD: &str = "  > ";
    let room = canvas.columns.saturating_sub(width(LEAD) + 1).max(8);
    let mut rows = vec![String::new()];
    let mut place = (0, 0);
    for (i, c) in field.value().chars().enumerate() {
        let shown = canvas.look.text(&c.to_string()).into_owned();
        if width(rows.last().map_or("", String::as_str)) + width(&shown) > room {
            rows.push(String::new());
        }
        let row = rows.len() - 1;
        if i < field.cursor() {
            place = (row, rows[row].len() + shown.len());
        }
        rows[row].push_str(&shown);
    }
    let line = |(y, row): (usize, &String)| {
        let lead = if y == 0 { LEAD.to_owned() } else { " ".repeat(width(LEAD)) };
        let text = if y == place.0 {
            let (before, rest) = row.split_at(place.1);
            let next = rest.chars().next().map_or(0, char::len_utf8);
            with_cursor(before, &rest[..next], &rest[next..])
        } else {
            vec![(row.clone(), Role::Text)]
        };
        [vec![(lead, Role::Key)], text].concat()
    };
    (rows.iter().enumerate().map(line).collect(), place.0)
}

/// The part of what is typed that is shown in a narrow cell, with the cursor if it is there.
fn cell_line(field: &Input, here: bool, columns: usize, look: &Look) -> Line {
    let text = look.text(field.value()).into_owned();
    if !here {
        return vec![(pad(&clip(&text, columns, look.glyphs.ellipsis), columns), Role::Text)];
    }
    let room = columns.saturating_sub(1);
    let chars: Vec<char> = field.value().chars().collect();
    let shown = |part: &[char]| look.text(&part.iter().collect::<String>()).into_owned();
    let cursor = field.cursor().min(chars.len());
    let mut first = 0;
    while first < cursor && width(&shown(&chars[first..cursor])) > room {
        first += 1;
    }
    let before = shown(&chars[first..cursor]);
    let at = shown(&chars[cursor..chars.len().min(cursor + 1)]);
    let left = columns.saturating_sub(width(&before) + width(&at).max(1));
    let after = shown(chars.get(cursor + 1..).unwrap_or_default());
    let after = pad(&clip(&after, left, look.glyphs.ellipsis), left);
    let mut line = with_cursor(&before, &at, &after);
    line[0].1 = Role::Accent;
    line
}

/// The narrowest and the widest column of a table.
const CELL: (usize, usize) = (6, 18);

/// A table: nodes down, fields across. Columns for which there is no room are left out, never the one with
/// the cursor.
fn table(cells: &Table, fields: &[Input], at: usize, canvas: Canvas<'_>) -> Focused {
    let look = canvas.look;
    let names = cells.rows.iter().map(|name| width(name)).max().unwrap_or(0);
    let wide = |column: usize| {
        let typed = (0..cells.rows.len()).filter_map(|row| cells.cell(row, column));
        let typed = typed.map(|cell| width(fields[cell].value()) + 1).max().unwrap_or(0);
        width(&cells.columns[column]).max(typed).clamp(CELL.0, CELL.1)
    };
    let (row_at, column_at) = cells.place(at);
    let room = canvas.columns.saturating_sub(names + 4);
    let mut first = 0;
    let fits =
        |first: usize, last: usize| (first..=last).map(|c| wide(c) + 2).sum::<usize>() <= room;
    while first < column_at && !fits(first, column_at) {
        first += 1;
    }
    let mut end = column_at + 1;
    while end < cells.columns.len() && fits(first, end) {
        end += 1;
    }
    let mark = |on: bool| if on { look.glyphs.ellipsis } else { " " };
    let head = (first..end).map(|c| (format!("{}  ", pad(&cells.columns[c], wide(c))), Role::Dim));
    let mut lead = vec![(format!("  {} {}", pad("", names), mark(first > 0)), Role::Dim)];
    lead.extend(head);
    lead.push((mark(end < cells.columns.len()).to_owned(), Role::Dim));
    let mut lines = vec![lead];
    for (y, name) in cells.rows.iter().enumerate() {
        let cursor = if y == row_at { look.glyphs.cursor } else { " " };
        let mut line = vec![(format!("{cursor} {}  ", pad(name, names)), Role::Key)];
        for column in first..end {
            match cells.cell(y, column) {
                Some(cell) => {
                    let field = &fields[cell];
                    let empty = field.value().is_empty() && cell != at;
                    if empty {
                        line.push((pad("__", wide(column)), Role::Dim));
                    } else {
                        line.extend(cell_line(field, cell == at, wide(column), look));
                    }
                }
                None => line.push((pad("", wide(column)), Role::Dim)),
            }
            line.push(("  ".to_owned(), Role::Text));
        }
        lines.push(line);
    }
    (lines, row_at + 1)
}

/// A card at its place; those that are left out have none.
fn card(
    q: &QuestionView,
    cards: &Cards,
    i: usize,
    (at, held): (usize, bool),
    canvas: Canvas<'_>,
) -> Vec<Line> {
    let look = canvas.look;
    let card = cards.row()[i];
    let text = q.picks.get(card).map_or("", |p| p.text.as_str());
    let cursor = if i == at { look.glyphs.cursor } else { " " };
    let held = if i == at && held { "*" } else { " " };
    let place = if i < cards.used() { format!("{}.", i + 1) } else { "out".to_owned() };
    let role = match (i < cards.used(), i == at) {
        (_, true) => Role::Selected,
        (true, false) => Role::Text,
        (false, false) => Role::Dim,
    };
    let sign = format!("{cursor}{held}{} {} ", pad(&place, 3), card + 1);
    prose::signed((sign, Role::Key), &look.text(text), canvas.columns, role)
}

fn options(
    q: &QuestionView,
    at: Option<usize>,
    marks: Option<&Vec<bool>>,
    canvas: Canvas<'_>,
) -> Focused {
    let Canvas { columns, dense, look } = canvas;
    let sign = |i: usize| {
        let cursor = if Some(i) == at { look.glyphs.cursor } else { " " };
        let mark = match marks.map(|marks| marks[i]) {
            Some(true) => " [x]",
            Some(false) => " [ ]",
            None => "",
        };
        format!("{cursor} {}{mark}", char::from(b'a' + i as u8))
    };
    let role = |i: usize| if Some(i) == at { Role::Selected } else { Role::Text };
    let half = columns / 2;
    let sign_columns = width(&sign(0)) + 2;
    let texts: Vec<String> = q.picks.iter().map(|p| look.text(&p.text).into_owned()).collect();
    let short = |text: &String| width(&one_line(text)) + sign_columns < half;
    if dense && texts.len() > 2 && texts.iter().all(short) {
        let rows = texts.len().div_ceil(2);
        let cell = |i: usize| match texts.get(i) {
            Some(text) => {
                let mut line = vec![(format!("{}  ", sign(i)), Role::Key)];
                line.extend(prose::paragraph(text, half, role(i)).into_iter().flatten());
                let used = sign_columns + width(&one_line(text));
                line.push((pad("", half.saturating_sub(used)), Role::Text));
                line
            }
            None => Vec::new(),
        };
        return (
            (0..rows).map(|y| [cell(y), cell(y + rows)].concat()).collect(),
            at.unwrap_or(0) % rows,
        );
    }
    let one = |(i, text): (usize, &String)| {
        prose::signed((format!("{} ", sign(i)), Role::Key), text, columns, role(i))
    };
    focused(texts.iter().enumerate().map(one).collect(), at.unwrap_or(0))
}
