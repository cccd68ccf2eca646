//! Lesson prose: Markdown paragraphs, lists, emphasis and code as lines of styled words.
//!
//! It lays text out and knows nothing of lessons.

use super::Look;
use super::text::{clip, width, wrap};
use crate::ui::theme::Role;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A piece of text in one style.
type Piece = (String, Role);

/// Wider than any line of a lesson: the layout breaks none, so that nothing is cut.
const UNBROKEN: usize = 65_535;

/// Lays Markdown out in lines of at most so many columns.
#[must_use]
pub fn lay_out(markdown: &str, columns: usize) -> Vec<Vec<Piece>> {
    let mut layout = Layout { columns, ..Layout::default() };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        layout.take(event);
    }
    layout.break_line();
    while layout.lines.last().is_some_and(Vec::is_empty) {
        layout.lines.pop();
    }
    layout.lines
}

/// Markdown as one paragraph in lines of at most so many columns, all of it in one role but what is
/// emphasised.
#[must_use]
pub fn paragraph(markdown: &str, columns: usize, role: Role) -> Vec<Vec<Piece>> {
    let strong = match role {
        // Where all is underlined, what is emphasised is not.
        Role::Text | Role::Dim | Role::Bad => Role::Strong,
        _ => Role::Stressed,
    };
    let mut layout = Layout { columns, ..Layout::default() };
    for line in lay_out(markdown, UNBROKEN).iter().filter(|line| !line.is_empty()) {
        layout.space();
        for (text, own) in line {
            layout.words(text, if *own == Role::Strong { strong } else { role });
        }
    }
    layout.break_line();
    layout.lines.into_iter().map(joined).collect()
}

/// The pieces of a line with those of one role as one, and the blanks between them.
fn joined(line: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for (text, role) in line {
        match out.as_mut_slice() {
            [.., before, blank] if blank.0 == " " && before.1 == role => {
                before.0 += &format!(" {text}");
                out.pop();
            }
            [.., before] if before.1 == role && text != " " => before.0 += &text,
            _ => out.push((text, role)),
        }
    }
    out
}

/// A sign, then Markdown as one paragraph that is indented under it.
#[must_use]
pub fn signed(sign: Piece, markdown: &str, columns: usize, role: Role) -> Vec<Vec<Piece>> {
    let indent = width(&sign.0) + 1;
    let lines = paragraph(markdown, columns.saturating_sub(indent).max(8), role);
    // Blanks have no role: an underlined one would be seen.
    let lead = |i: usize| match i {
        0 if !sign.0.trim().is_empty() => vec![sign.clone(), (" ".to_owned(), Role::Text)],
        _ => vec![(" ".repeat(indent), Role::Text)],
    };
    let one = |(i, line): (usize, Vec<Piece>)| [lead(i), line].concat();
    lines.into_iter().enumerate().map(one).collect()
}

/// The lines of a Markdown text without its signs, but for asterisks around what is emphasised.
#[must_use]
pub fn plain(markdown: &str) -> Vec<String> {
    let starred = |line: &Vec<Piece>| {
        let mut out = String::new();
        let mut inside = false;
        for (i, (text, role)) in line.iter().enumerate() {
            let strong = *role == Role::Strong;
            let goes_on = || {
                let rest = line[i..].iter().find(|(text, _)| text != " ");
                inside && text == " " && rest.is_some_and(|(_, role)| *role == Role::Strong)
            };
            if strong != inside && !goes_on() {
                out.push('*');
                inside = strong;
            }
            out.push_str(text);
        }
        if inside { out + "*" } else { out }
    };
    lay_out(markdown, UNBROKEN).iter().map(starred).collect()
}

/// Markdown as one line of plain text, without its signs.
#[must_use]
pub fn one_line(markdown: &str) -> String {
    let lines = lay_out(markdown, UNBROKEN);
    let texts = lines.iter().map(|l| l.iter().map(|(t, _)| t.as_str()).collect::<String>());
    texts.filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" ")
}

#[derive(Default)]
struct Layout {
    columns: usize,
    lines: Vec<Vec<Piece>>,
    line: Vec<Piece>,
    used: usize,
    indent: usize,
    bold: usize,
    heading: bool,
    code: bool,
    list: Vec<Option<u64>>,
    cells: Vec<String>,
    table: Vec<Vec<String>>,
    in_table: bool,
}

impl Layout {
    fn role(&self) -> Role {
        match (self.heading, self.bold) {
            (true, _) => Role::Heading,
            (false, 0) => Role::Text,
            (false, _) => Role::Strong,
        }
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) if self.in_table => self.cell(&text),
            Event::Code(text) if self.in_table => self.cell(&text),
            Event::Text(text) if self.code => {
                for line in text.lines() {
                    self.line.push((clip(line, self.columns, "…"), Role::Accent));
                    self.break_line();
                }
            }
            Event::Text(text) => self.words(&text, self.role()),
            Event::Code(text) => self.word(&text, Role::Accent),
            Event::SoftBreak => self.words(" ", Role::Text),
            Event::HardBreak => self.break_line(),
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Strong | Tag::Emphasis => self.bold += 1,
            Tag::Heading { .. } => self.heading = true,
            Tag::CodeBlock(_) => self.code = true,
            Tag::List(first) => {
                self.break_line();
                self.list.push(*first);
            }
            Tag::Item => {
                self.break_line();
                let marker = match self.list.last_mut() {
                    Some(Some(n)) => {
                        *n += 1;
                        format!("{}. ", *n - 1)
                    }
                    _ => "• ".to_owned(),
                };
                self.indent = 2 * self.list.len().saturating_sub(1);
                self.line.push((format!("{}{marker}", " ".repeat(self.indent)), Role::Text));
                self.indent += width(&marker);
                self.used = self.indent;
            }
            Tag::Table(_) => {
                self.in_table = true;
                self.table.clear();
            }
            Tag::TableRow | Tag::TableHead => self.cells = Vec::new(),
            Tag::TableCell => self.cells.push(String::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong | TagEnd::Emphasis => self.bold = self.bold.saturating_sub(1),
            TagEnd::Heading(_) => {
                self.heading = false;
                self.end_block();
            }
            TagEnd::Paragraph if self.list.is_empty() => self.end_block(),
            TagEnd::Item => {
                self.break_line();
                self.indent = 0;
            }
            TagEnd::List(_) => {
                self.list.pop();
                self.indent = 0;
                if self.list.is_empty() {
                    self.end_block();
                }
            }
            TagEnd::CodeBlock => {
                self.code = false;
                self.end_block();
            }
            TagEnd::TableRow | TagEnd::TableHead => {
                self.table.push(std::mem::take(&mut self.cells))
            }
            TagEnd::Table => self.end_table(),
            _ => {}
        }
    }

    fn cell(&mut self, text: &str) {
        if let Some(cell) = self.cells.last_mut() {
            cell.push_str(text);
        }
    }

    fn end_table(&mut self) {
        self.in_table = false;
        let rows = std::mem::take(&mut self.table);
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| width(c)).max();
        let widths: Vec<usize> = (0..count).map(|i| widest(i).unwrap_or(0)).collect();
        for (y, row) in rows.iter().enumerate() {
            let text: String = row
                .iter()
                .zip(&widths)
                .map(|(cell, w)| format!("{}  ", super::text::pad(cell, *w)))
                .collect();
            let role = if y == 0 { Role::Heading } else { Role::Text };
            self.line.push((clip(text.trim_end(), self.columns, "…"), role));
            self.break_line();
        }
        self.end_block();
    }

    fn words(&mut self, text: &str, role: Role) {
        if text.starts_with(char::is_whitespace) {
            self.space();
        }
        for (i, word) in text.split_whitespace().enumerate() {
            if i > 0 {
                self.space();
            }
            self.word(word, role);
        }
        if text.ends_with(char::is_whitespace) {
            self.space();
        }
    }

    fn space(&mut self) {
        if self.used > self.indent && self.line.last().is_some_and(|(t, _)| !t.ends_with(' ')) {
            self.line.push((" ".to_owned(), Role::Text));
            self.used += 1;
        }
    }

    fn word(&mut self, word: &str, role: Role) {
        if self.used + width(word) > self.columns && self.used > self.indent {
            self.break_before();
        }
        if self.used + width(word) > self.columns && self.used > self.indent {
            // What it is glued to leaves no room even on a line of their own.
            self.hard_break();
        }
        for (i, part) in wrap(word, self.columns.saturating_sub(self.indent)).iter().enumerate() {
            if i > 0 {
                self.hard_break();
            }
            self.used += width(part);
            self.line.push((part.clone(), role));
        }
    }

    /// A new line inside a block. What belongs to the word before, without a space, comes along.
    fn break_before(&mut self) {
        let mut carried = Vec::new();
        if self.line.last().is_some_and(|(t, _)| t != " ") {
            while self
                .line
                .last()
                .is_some_and(|(t, _)| t != " " && !t.ends_with(". ") && !t.ends_with("• "))
            {
                carried.extend(self.line.pop());
            }
        }
        let whole_line = self.line.is_empty();
        if whole_line {
            self.line.extend(carried.drain(..).rev());
        }
        self.break_line();
        if self.indent > 0 {
            self.line.push((" ".repeat(self.indent), Role::Text));
        }
        carried.reverse();
        self.used = self.indent + carried.iter().map(|(t, _)| width(t)).sum::<usize>();
        self.line.extend(carried);
    }

    /// A new line inside a block, wherever the text stands.
    fn hard_break(&mut self) {
        self.break_line();
        if self.indent > 0 {
            self.line.push((" ".repeat(self.indent), Role::Text));
        }
        self.used = self.indent;
    }

    fn break_line(&mut self) {
        if self.line.last().is_some_and(|(t, _)| t == " ") {
            self.line.pop();
        }
        if !self.line.is_empty() {
            self.lines.push(std::mem::take(&mut self.line));
        }
        self.used = 0;
    }

    fn end_block(&mut self) {
        self.break_line();
        if self.lines.last().is_some_and(|l| !l.is_empty()) {
            self.lines.push(Vec::new());
        }
    }
}

/// Draws lines from `first` on. Gives the row after the last one drawn.
pub fn draw(lines: &[Vec<Piece>], first: usize, look: &Look, area: Rect, buf: &mut Buffer) -> u16 {
    let mut y = 0;
    for line in lines.iter().skip(first).take(usize::from(area.height)) {
        let mut x = 0;
        for (text, role) in line {
            x = look.put(buf, area, x, y, text, *role);
        }
        y += 1;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(markdown: &str, columns: usize) -> Vec<String> {
        let lines = lay_out(markdown, columns);
        lines.iter().map(|l| l.iter().map(|(t, _)| t.as_str()).collect()).collect()
    }

    #[test]
    fn paragraphs_wrap_and_are_kept_apart() {
        assert_eq!(plain("one two three\n\nfour", 8), ["one two", "three", "", "four"]);
    }

    #[test]
    fn emphasis_and_code_keep_the_punctuation_behind_them() {
        assert_eq!(plain("see **the queue**, then `ACK`.", 40), ["see the queue, then ACK."]);
        assert_eq!(plain("wait for `REPLY`, ok", 14), ["wait for", "REPLY, ok"]);
    }

    #[test]
    fn a_paragraph_is_one_piece_but_for_what_is_emphasised() {
        let line = |markdown: &str, role| paragraph(markdown, 60, role).remove(0);
        let piece = |text: &str, role| (text.to_owned(), role);
        assert_eq!(line("one `two` three.", Role::Bad), [piece("one two three.", Role::Bad)]);
        assert_eq!(
            line("is *not* **not needed**, ok", Role::Question),
            [
                piece("is", Role::Question),
                piece(" ", Role::Text),
                piece("not not needed", Role::Stressed),
                piece(", ok", Role::Question),
            ]
        );
        assert_eq!(plain_text("is *not* **not needed**, ok"), "is *not not needed*, ok");
    }

    fn plain_text(markdown: &str) -> String {
        super::plain(markdown).join("\n")
    }

    #[test]
    fn list_items_stand_on_lines_of_their_own() {
        assert_eq!(plain("- one two\n- three", 8), ["• one", "  two", "• three"]);
        assert_eq!(plain("1. a\n2. b", 20), ["1. a", "2. b"]);
    }

    #[test]
    fn a_table_lines_its_columns_up() {
        assert_eq!(plain("|a|bb|\n|-|-|\n|ccc|d|", 20), ["a    bb", "ccc  d"]);
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_asked(text in "[a-zA-Z *`.,|#\n-]{0,300}", columns in 8_usize..60) {
            for line in plain(&text, columns) {
                prop_assert!(width(&line) <= columns, "{line:?}");
            }
        }
    }
}
