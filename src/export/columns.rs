//! Text in lines and columns of a given width.
//!
//! It measures by what a terminal shows, not by bytes, and knows nothing of runs.

use unicode_width::UnicodeWidthStr as _;

/// Breaks a text into lines of at most `width` columns, at spaces. The first line begins with `first`,
/// the others are indented as far. A word that is too long has a line of its own.
pub fn wrap(text: &str, first: &str, width: usize) -> String {
    let indent = " ".repeat(first.width());
    let mut lines = vec![first.to_owned()];
    let mut empty = true;
    for word in text.split_whitespace() {
        let line = lines.last().expect("there is a line from the start");
        if !empty && line.width() + 1 + word.width() > width {
            lines.push(indent.clone());
            empty = true;
        }
        let line = lines.last_mut().expect("there is a line from the start");
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines.iter().map(|l| format!("{}\n", l.trim_end())).collect()
}

/// Rows of equally many cells, in columns two spaces apart.
pub fn table(rows: &[Vec<String>], indent: &str) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|c| rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.width()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = indent.to_owned();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width + 2 - cell.width()));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The width of the longest line.
pub fn width(text: &str) -> usize {
    text.lines().map(|line| line.width()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_keep_their_indent() {
        assert_eq!(wrap("one two three", " 1. ", 12), " 1. one two\n    three\n");
        assert_eq!(wrap("overlongword a", "- ", 5), "- overlongword\n  a\n");
        assert_eq!(wrap("", "x", 5), "x\n");
    }

    #[test]
    fn columns_are_as_wide_as_what_they_show() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["–", "b"]), row(["漢字", ""]), row(["ccccc", "d"])];
        assert_eq!(table(&rows, " "), " –      b\n 漢字\n ccccc  d\n");
    }
}
