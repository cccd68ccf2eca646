//! Finds unquoted texts that a ` #` has cut off, since YAML takes the rest of the line for a comment, and
//! lines that hold nothing but a tab.
//!
//! This file must not judge which keys hold prose; each warning carries its path for that.

use super::clean::is_hidden;
use super::document::{Document, Kind, Node};
use super::problem::{Pos, Problem};
use super::source::Source;

/// A warning for each unquoted text that is followed by a comment on its last line, and for each line
/// of tabs.
///
/// Numbers and `true` or `false` are no texts. A single word with an aligned comment behind it
/// (two or more spaces, `#`, a space) is taken for what it looks like and passes. A text that is
/// no YAML has no warnings, only problems.
#[must_use]
pub fn comment_warnings(source: &Source) -> Vec<Problem> {
    Document::of(source).map_or_else(|_| Vec::new(), |document| document.comment_warnings())
}

impl Document {
    /// As [`comment_warnings`], without parsing again.
    #[must_use]
    pub fn comment_warnings(&self) -> Vec<Problem> {
        let mut warnings = Vec::new();
        for (id, node) in self.nodes.iter().enumerate() {
            if self.is_key(id, node) || !self.is_cut_off(node) {
                continue;
            }
            let message = "the text ends before the #; the rest of the line is a comment";
            let warning = self.source.problem(node.pos, message).as_warning();
            let help = "if the # belongs to the text, put all of it in quotes";
            warnings.push(warning.with_help(help).with_path(&self.path_of(id)));
        }
        warnings.extend(self.tab_lines());
        warnings.sort();
        warnings
    }

    /// A warning for each line that holds nothing but tabs and spaces, and stands in no text.
    fn tab_lines(&self) -> impl Iterator<Item = Problem> {
        let lines = self.source.text().lines().zip(1..);
        let alone = lines.filter(|(line, _)| line.contains('\t') && line.trim().is_empty());
        let in_text = |line: usize| {
            let start = self.source.line_start(line);
            let before = self.nodes.iter().filter(|node| node.offset < start);
            let last = before.max_by_key(|node| node.offset);
            last.is_some_and(|node| matches!(node.kind, Kind::Scalar { plain: false, .. }))
        };
        alone.filter(move |(_, line)| !in_text(*line)).map(|(_, line)| {
            let message = "this line holds nothing but a tab";
            let warning = self.source.problem(Pos { line, column: 1 }, message).as_warning();
            warning.with_help("leave the line empty")
        })
    }

    fn is_key(&self, id: usize, node: &Node) -> bool {
        let entries = node.parent.and_then(|parent| self.entries(parent));
        entries.is_some_and(|entries| entries.iter().any(|entry| entry.key == id))
    }

    fn is_cut_off(&self, node: &Node) -> bool {
        let Kind::Scalar { text, plain: true } = &node.kind else { return false };
        let is_value =
            text.parse::<f64>().is_ok() || matches!(text.as_str(), "" | "true" | "false");
        if is_value {
            return false;
        }
        let behind = behind_scalar(&self.source.text()[node.offset..], text);
        let gap = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        let Some(comment) = behind[gap..].strip_prefix('#') else { return false };
        let is_word = !text.contains(char::is_whitespace);
        let is_aligned = gap >= 2 && comment.starts_with(' ');
        gap > 0 && !(is_word && is_aligned)
    }
}

/// What follows an unquoted scalar in the source. The source may break its lines anywhere that
/// the text has a space or a break, so only the other characters are counted.
fn behind_scalar<'a>(source: &'a str, text: &str) -> &'a str {
    let counts = |c: char| !c.is_whitespace() && !is_hidden(c);
    let mut left = text.chars().filter(|c| counts(*c)).count();
    for (at, c) in source.char_indices() {
        if counts(c) {
            if left == 0 {
                return &source[at..];
            }
            left -= 1;
        }
        if left == 0 {
            return &source[at + c.len_utf8()..];
        }
    }
    ""
}
