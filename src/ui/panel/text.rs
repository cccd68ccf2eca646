//! Text in cells: measuring, cutting with a mark, wrapping.
//!
//! Everything is measured in terminal columns, never in bytes or characters.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// How many columns a text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text, cut to so many columns with a mark at its end where it was cut.
#[must_use]
pub fn clip(text: &str, columns: usize, mark: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(width(mark));
    let mut out = String::new();
    for grapheme in text.graphemes(true) {
        // Measured as a whole: what stands side by side can be wider or narrower than its parts.
        if width(&format!("{out}{grapheme}")) > room {
            break;
        }
        out.push_str(grapheme);
    }
    if columns >= width(mark) {
        out.push_str(mark);
    }
    out
}

/// The text, filled with spaces to so many columns.
#[must_use]
pub fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// Lines of at most so many columns, broken between words where possible.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        wrap_paragraph(paragraph, columns.max(1), &mut lines);
    }
    lines
}

fn wrap_paragraph(text: &str, columns: usize, lines: &mut Vec<String>) {
    let mut line = String::new();
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        let gap = usize::from(!line.is_empty());
        if gap > 0 && width(&format!("{line} {word}")) > columns {
            lines.push(std::mem::take(&mut line));
        }
        if width(word) > columns {
            for grapheme in word.graphemes(true) {
                // One character that is wider than a whole line has no place anywhere.
                let grapheme = if width(grapheme) > columns { "?" } else { grapheme };
                if width(&format!("{line}{grapheme}")) > columns && !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                }
                line.push_str(grapheme);
            }
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cut_text_ends_with_the_mark_and_fits() {
        assert_eq!(clip("REQUEST", 5, "…"), "REQU…");
        assert_eq!(clip("ab", 5, "…"), "ab");
        assert_eq!(clip("漢字漢字", 5, "…"), "漢字…");
    }

    #[test]
    fn a_character_wider_than_the_line_is_replaced() {
        assert!(wrap("𘳿ೃ゛ෘ", 2).iter().all(|line| width(line) <= 2));
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_asked(text in "\\PC{0,200}", columns in 2_usize..60) {
            for line in wrap(&text, columns) {
                prop_assert!(width(&line) <= columns);
            }
            prop_assert!(width(&clip(&text, columns, "…")) <= columns);
        }
    }
}
