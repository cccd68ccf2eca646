//! Lines of plain text: what a reply is put together from.
//!
//! Nothing but words, spaces and line ends leaves here: no control characters, no drawing, no colour.

use crate::export::columns::wrap;
use crate::input::clean;
use crate::ui::glyphs::Glyphs;
use crate::ui::panel::prose;

/// Longer lines break between words.
const WIDTH: usize = 80;

/// The lines of a reply.
#[derive(Debug, Default)]
pub(super) struct Lines(String);

impl Lines {
    /// One line, broken between words where it is too long.
    pub(super) fn say(&mut self, text: impl AsRef<str>) {
        self.item("", text);
    }

    /// A line that is not broken, to be copied.
    pub(super) fn whole(&mut self, text: &str) {
        self.0 += text;
        self.0.push('\n');
    }

    /// A line that begins with a mark; where it breaks, it goes on below its text.
    pub(super) fn item(&mut self, mark: &str, text: impl AsRef<str>) {
        for part in text.as_ref().lines().filter(|l| !l.trim().is_empty()) {
            self.0 += &wrap(part, mark, WIDTH);
        }
    }

    /// Markdown, made plain.
    pub(super) fn prose(&mut self, markdown: &str) {
        self.marked_prose("", markdown);
    }

    /// Markdown, made plain, behind a mark.
    pub(super) fn marked_prose(&mut self, mark: &str, markdown: &str) {
        for (i, line) in prose::plain(markdown).iter().enumerate() {
            let first = if i == 0 { mark.to_owned() } else { " ".repeat(mark.len()) };
            if line.chars().count() + first.len() <= WIDTH {
                self.0 += format!("{first}{line}").trim_end();
                self.0.push('\n');
            } else {
                let indent = line.len() - line.trim_start().len();
                self.0 += &wrap(line, &format!("{first}{}", " ".repeat(indent)), WIDTH);
            }
        }
    }

    /// An empty line between two parts; never two, never at the beginning.
    pub(super) fn gap(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with("\n\n") {
            self.0.push('\n');
        }
    }

    /// The whole text, in these characters. Signs of code in our own messages become quotation marks.
    pub(super) fn finish(self, glyphs: &Glyphs) -> String {
        let text = glyphs.text(&self.0).replace('`', "'").replace('\t', " ");
        clean(&text).into_owned()
    }
}

/// A short Markdown text on one line.
pub(super) fn one_line(markdown: &str) -> String {
    prose::one_line(markdown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(write: impl FnOnce(&mut Lines)) -> String {
        let mut lines = Lines::default();
        write(&mut lines);
        lines.finish(&Glyphs::UNICODE)
    }

    #[test]
    fn of_markdown_only_the_asterisks_of_emphasis_stay() {
        let text = told(|l| l.prose("See **the queue**, then `ACK` and *Why*.\n\n- one\n- two"));
        assert_eq!(text, "See *the queue*, then ACK and *Why*.\n\n• one\n• two\n");
        let text = told(|l| l.prose("Not special is *not* not needed; `2*n*k` **is**."));
        assert_eq!(text, "Not special is *not* not needed; 2*n*k *is*.\n");
        assert_eq!(one_line("the column `heard`\nof *P2*"), "the column heard of P2");
        assert_eq!(one_line("(3,P2) < (5,P1), 3*(n-1)"), "(3,P2) < (5,P1), 3*(n-1)");
    }

    #[test]
    fn long_lines_break_and_nothing_is_cut() {
        let table = "|a|b|\n|-|-|\n|one|".to_owned() + "word ".repeat(40).as_str() + "|";
        let text = told(|l| l.prose(&table));
        assert_eq!(text.matches("word").count(), 40);
        assert!(text.lines().all(|l| l.len() <= WIDTH), "{text}");
    }

    #[test]
    fn no_control_character_gets_through() {
        let text = told(|l| l.say("a\u{1b}[31mb\u{7}c\td\u{202e}e"));
        assert_eq!(text, "abc de\n");
    }

    #[test]
    fn ascii_says_the_same() {
        let mut lines = Lines::default();
        lines.say("clock ← 1 – it’s `x`");
        assert_eq!(lines.finish(&Glyphs::ASCII), "clock <- 1 - it's 'x'\n");
    }
}
