//! Says of a text that is not YAML what is wrong with it, and where: the parser tells the place at which
//! it stumbled, the lines around that place tell the cause.
//!
//! This file must not guess: without a certain cause it repeats the parser's message and stops. It does
//! not look at what that message says.

use super::problem::{Pos, Problem};
use super::source::Source;

/// The hint for a colon inside an unquoted text.
pub(super) const COLON_HELP: &str = "text contains \": \"; put it in quotes or use a block (|)";

const COLON_AT_END_HELP: &str = "text ends with \":\"; put it in quotes or use a block (|)";

/// Characters that nobody can tell from a space, or that nobody sees, beside those that cannot stand
/// in a file.
const LIKE_SPACES: [char; 4] = ['\u{a0}', '\u{200b}', '\u{202f}', '\u{3000}'];

/// The hint for a text that starts with a character that YAML gives a meaning.
pub(super) fn special_start_help(c: char) -> String {
    format!("text that starts with {c} must be in quotes")
}

/// The problem of an anchor or a tag.
pub(super) fn unsupported(source: &Source, pos: Pos, c: char) -> Problem {
    let what = if c == '&' { "anchors (&name)" } else { "tags (!name)" };
    source.problem(pos, format!("{what} cannot be used here")).with_help(special_start_help(c))
}

/// The problem of a second document whose content is at `pos`.
pub(super) fn second_document(source: &Source, pos: Pos) -> Problem {
    let mark = (1..=pos.line).rev().find(|&line| source.line(line).starts_with("---"));
    let first_content = (1..=pos.line).find(|&line| is_content(source.line(line)));
    match mark.filter(|&line| first_content.is_none_or(|first| line > first)) {
        Some(line) => {
            let message = "a second document starts here; one file holds one document";
            source.problem(Pos { line, column: 1 }, message)
        }
        None => {
            let slip = Stumble { source, pos: source.clamp(pos) }.colon_before();
            if let Some(problem) = slip {
                return problem;
            }
            let mut before = source.line(pos.line).chars().take(pos.column - 1);
            let message = match before.all(char::is_whitespace) {
                true => "this line starts further left than the lines before it",
                false => "the document has ended before this text",
            };
            source.problem(pos, message)
        }
    }
}

/// The problem of a tab in front of a line's content, at the tab.
pub(super) fn tab_in_indent(source: &Source, line: usize) -> Option<Problem> {
    let indent = source.line(line).chars().take_while(|c| matches!(c, ' ' | '\t' | '-' | '?'));
    let tab = indent.into_iter().position(|c| c == '\t')?;
    let pos = Pos { line, column: tab + 1 };
    Some(source.problem(pos, "tab used for indentation; use spaces"))
}

/// A colon without a space behind it, with what is wrong and how to write it: `cost:8`. `None` where
/// nothing in the text looks like a key.
pub(super) fn colon_without_space(text: &str) -> Option<(usize, String, String)> {
    let start = text.len() - text.trim_start_matches([' ', '-']).len();
    let (key, rest) = text[start..].split_once([':', '：'])?;
    let is_key = key.starts_with(char::is_alphabetic)
        && key.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    let colon = text[start + key.len()..].chars().next()?;
    let first = rest.chars().next()?;
    if !is_key || first == ' ' && colon == ':' || rest.starts_with("//") {
        return None;
    }
    let value = rest.trim_start_matches([' ', '\u{a0}', '\u{200b}', '\u{202f}', '\u{3000}']);
    let message = if colon != ':' {
        "this is another character than the colon that ends a key".to_owned()
    } else if LIKE_SPACES.contains(&first) {
        format!(
            "the character after the colon, U+{:04X}, only looks like a space",
            u32::from(first)
        )
    } else {
        "a space is missing after the colon".to_owned()
    };
    let column = text[..start + key.len()].chars().count() + 1;
    let shown: String = value.chars().take(30).collect();
    Some((column, message, format!("write `{key}: {shown}`")))
}

/// The problem of a text that is not YAML. `said` is the parser's message.
pub(super) fn explain(source: &Source, pos: Pos, said: &str) -> Problem {
    let pos = source.clamp(pos);
    let stumble = Stumble { source, pos };
    let open = stumble.open_brackets();
    if let Some((pos, _)) = open.get(source.limits().depth) {
        return source.too_deep(*pos);
    }
    if let Some(problem) = stumble.cause(said, open.is_empty()) {
        return problem;
    }
    let inside = open.last().map_or(String::new(), |(at, bracket)| {
        format!(", inside the {bracket} of line {}, column {}", at.line, at.column)
    });
    source.problem(pos, format!("{said}{inside}"))
}

/// Where the parser stumbled.
struct Stumble<'a> {
    source: &'a Source,
    pos: Pos,
}

/// Whether a line holds more than spaces or a comment.
fn is_content(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

/// Whether the value of a line, or the line itself, starts at a character.
fn is_value(line: &str, at: usize) -> bool {
    value_start(line).map_or(column_of(line) - 1, |(start, _)| start) == at
}

/// In which column a line's content starts.
fn column_of(line: &str) -> usize {
    line.chars().take_while(|c| *c == ' ').count() + 1
}

impl Stumble<'_> {
    fn line(&self) -> &str {
        self.source.line(self.pos.line)
    }

    fn problem(&self, pos: Pos, message: &str, help: impl AsRef<str>) -> Problem {
        self.source.problem(pos, message).with_help(help)
    }

    /// What is wrong, if the lines leave no doubt.
    fn cause(&self, said: &str, in_block: bool) -> Option<Problem> {
        let in_lines = || self.too_deep_key().or_else(|| self.no_level()).or_else(|| self.no_key());
        self.tab()
            .or_else(|| self.open_quote())
            .or_else(|| self.in_value().map(|help| self.problem(self.pos, said, help)))
            .or_else(|| self.colon_before())
            .or_else(|| if in_block { in_lines() } else { None })
    }

    /// A tab in front of the line, or of the next one, where a text goes on.
    fn tab(&self) -> Option<Problem> {
        let here = tab_in_indent(self.source, self.pos.line);
        let column = value_start(self.line()).map(|(start, _)| start + 1);
        let at_text = self.char_at(self.pos).is_none() || column == Some(self.pos.column);
        let next = || tab_in_indent(self.source, self.pos.line + 1).filter(|_| at_text);
        here.or_else(next)
    }

    /// A quote that opens here: the parser stumbles at it where it finds no end.
    fn open_quote(&self) -> Option<Problem> {
        let quote = self.char_at(self.pos).filter(|c| matches!(c, '"' | '\''))?;
        let start = self.source.line_start(self.pos.line);
        let text = &self.source.text()[start..];
        let behind: String = text.chars().skip(self.pos.column).collect();
        let message = match behind.contains(quote) {
            false => "the quote that opens here is never closed",
            true => "the text in quotes that opens here goes on in a line that starts too far left",
        };
        Some(self.source.problem(self.pos, message))
    }

    /// The hint for a value that cannot be what it looks like.
    fn in_value(&self) -> Option<String> {
        let special = self.special_start().or_else(|| self.closed_bracket_before());
        let special = special.map(special_start_help);
        special.or_else(|| self.colon_in_text()).or_else(|| self.after_quote())
    }

    /// A character with which no text starts, if the value of the line starts with it exactly here.
    fn special_start(&self) -> Option<char> {
        let (start, first) = value_start(self.line())?;
        let special = "%@`*&!|>-?,]}".contains(first);
        (special && start + 1 == self.pos.column).then_some(first)
    }

    /// `[` or `{`, if the value of the line starts with it and the text goes on behind its end.
    fn closed_bracket_before(&self) -> Option<char> {
        let (start, first) = self.value_start_before()?;
        let close = match first {
            '[' => ']',
            '{' => '}',
            _ => return None,
        };
        self.text_between(start).ends_with(close).then_some(first)
    }

    /// The hint for a `: ` in a text, if there is one behind the start of the line's value.
    fn colon_in_text(&self) -> Option<String> {
        if self.char_at(self.pos) != Some(':') {
            return None;
        }
        let (start, first) = self.value_start_before()?;
        // A second key between braces is one; what stands behind its colon is its text.
        let in_text = match first {
            '"' | '\'' => false,
            '[' | '{' => self.text_between(start).contains(": "),
            _ => true,
        };
        let mut behind = self.line().chars().skip(self.pos.column);
        let help = if behind.all(|c| c == ' ') { COLON_AT_END_HELP } else { COLON_HELP };
        in_text.then(|| help.to_owned())
    }

    /// The hint for a text that goes on behind its closing quote.
    fn after_quote(&self) -> Option<String> {
        let (start, quote) = self.value_start_before()?;
        let between = self.text_between(start);
        if between.len() < 2 || !between.ends_with(quote) {
            return None;
        }
        let how = match quote {
            '\'' => "inside '…' write a quote twice ('')",
            '"' => "inside \"…\" write a quote as \\\"",
            _ => return None,
        };
        Some(format!("the text goes on behind its closing quote; {how}"))
    }

    /// The line on which the parser stumbled, where it is to blame itself, and the ones before it that
    /// hold something: the nearest first.
    fn lines_above(&self) -> impl Iterator<Item = (usize, &str)> {
        let here = self.pos.line;
        (1..here).rev().map(|n| (n, self.source.line(n))).filter(|(_, line)| is_content(line))
    }

    /// A colon without a space on this line or the one before: what follows was taken for its text.
    fn colon_before(&self) -> Option<Problem> {
        let above = self.lines_above().take(1);
        std::iter::once((self.pos.line, self.line())).chain(above).find_map(|(n, line)| {
            let (column, message, help) = colon_without_space(line)?;
            Some(self.problem(Pos { line: n, column }, &message, help))
        })
    }

    /// A key that is deeper than the one above it, which has its value already.
    fn too_deep_key(&self) -> Option<Problem> {
        let line = self.line();
        if self.char_at(self.pos) != Some(':') || self.value_start_before().is_some() {
            return None;
        }
        let mut above = self.lines_above().filter(|(_, above)| column_of(above) < column_of(line));
        let above = above.next()?.1;
        value_start(above).filter(|(_, first)| !"[{\"'|>".contains(*first))?;
        let lead = above.trim_start_matches([' ', '-']);
        let (key, _) = lead.split_once(':')?;
        let column = above[..above.len() - lead.len()].chars().count() + 1;
        let message =
            format!("this line is deeper than `{key}` above it, which has its value already");
        let help = format!(
            r#"start it in column {column} as `{key}` does; a text that goes on and holds ": " needs quotes"#
        );
        Some(self.problem(Pos { line: self.pos.line, column: column_of(line) }, &message, help))
    }

    /// A line that starts where no line above it does.
    fn no_level(&self) -> Option<Problem> {
        let column = column_of(self.line());
        if self.pos.column != column {
            return None;
        }
        let mut columns: Vec<usize> = Vec::new();
        for (_, above) in self.lines_above() {
            let first = column_of(above);
            if columns.last().is_none_or(|least| first < *least) {
                let marks =
                    above.trim_start().chars().take_while(|c| matches!(c, ' ' | '-')).count();
                columns.extend((marks > 0).then_some(first + marks));
                columns.push(first);
            }
        }
        columns.sort_unstable();
        let (below, over) = columns.split_at(columns.partition_point(|c| *c < column));
        let (left, right) = (below.last()?, over.first()?);
        if *right == column {
            return None;
        }
        let message = format!("this line starts in column {column}, where no line above it does");
        let help = format!("start it in column {left} or in column {right}");
        Some(self.problem(self.pos, &message, help))
    }

    /// A line before this one that has no colon and belongs to nothing.
    fn no_key(&self) -> Option<Problem> {
        let (n, line) = self.lines_above().next()?;
        let starts_line = self.pos.column == 1 || self.pos.column == column_of(self.line());
        if !starts_line || value_start(line).is_some() || line.contains([':', '[', '{', '"', '\''])
        {
            return None;
        }
        let pos = Pos { line: n, column: column_of(line) };
        if line.trim_start().starts_with('-') {
            return Some(self.problem(
                pos,
                "a space is missing after the dash",
                "write `- ` and the item",
            ));
        }
        let message = "this line is neither `key: value` nor part of the text before it";
        Some(self.source.problem(pos, message))
    }

    /// The start of the line's value, if it is left of the error.
    fn value_start_before(&self) -> Option<(usize, char)> {
        value_start(self.line()).filter(|(start, _)| start + 1 < self.pos.column)
    }

    /// The line from a character up to the error, without spaces at its end.
    fn text_between(&self, start: usize) -> String {
        let text: String = self.line().chars().take(self.pos.column - 1).skip(start).collect();
        text.trim_end().to_owned()
    }

    fn char_at(&self, pos: Pos) -> Option<char> {
        self.source.line(pos.line).chars().nth(pos.column - 1)
    }

    /// The brackets that are open here, the outermost first; those in quotes and comments do not count.
    fn open_brackets(&self) -> Vec<(Pos, char)> {
        let mut open = Vec::new();
        let mut quote = None;
        for line in 1..=self.pos.line {
            let mut before = ' ';
            for (at, c) in self.source.line(line).chars().enumerate() {
                let pos = Pos { line, column: at + 1 };
                if pos >= self.pos {
                    return open;
                }
                match (quote, c) {
                    (Some(q), c) if q == c => quote = None,
                    (Some(_), _) => {}
                    (None, '"' | '\'') if " [{,:-".contains(before) => quote = Some(c),
                    (None, '#') if before == ' ' => break,
                    (None, '[' | '{')
                        if !open.is_empty() || is_value(self.source.line(line), at) =>
                    {
                        open.push((pos, c));
                    }
                    (None, ']' | '}') => drop(open.pop()),
                    (None, _) => {}
                }
                before = c;
            }
        }
        open
    }
}

/// Where the value of a line starts (`key: value`, `- value`, `- key: value`), counted in
/// characters from 0, and its first character.
fn value_start(line: &str) -> Option<(usize, char)> {
    let chars: Vec<char> = line.chars().collect();
    let spaces =
        |from: usize| (from..chars.len()).find(|&i| chars[i] != ' ').unwrap_or(chars.len());
    let mut at = spaces(0);
    let mut marked = false;
    while chars.get(at) == Some(&'-') && chars.get(at + 1) == Some(&' ') {
        at = spaces(at + 1);
        marked = true;
    }
    let first = *chars.get(at)?;
    let key_end = match first {
        '[' | '{' | '&' | '*' | '!' | '|' | '>' | '%' | '@' | '`' | '#' => None,
        quote @ ('"' | '\'') => (at + 1..chars.len()).find(|&i| chars[i] == quote).map(|i| i + 1),
        _ => (at..chars.len())
            .find(|&i| chars[i] == ':' && chars.get(i + 1).is_none_or(|next| *next == ' ')),
    };
    match key_end.filter(|&end| chars.get(end) == Some(&':')) {
        Some(end) => {
            let value = spaces(end + 1);
            chars.get(value).map(|first| (value, *first))
        }
        None => marked.then_some((at, first)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_line_starts_behind_its_key_or_mark() {
        for (line, start) in [
            ("prompt: Hint: think", Some((8, 'H'))),
            ("  - say: [x] y", Some((9, '['))),
            ("- - x", Some((4, 'x'))),
            ("- [a: b] c", Some((2, '['))),
            ("\"a: b\": c", Some((8, 'c'))),
            ("- \"a\" b", Some((2, '"'))),
            ("é: x", Some((3, 'x'))),
            ("key:", None),
            ("just text", None),
            ("http://x", None),
            ("", None),
        ] {
            assert_eq!(value_start(line), start, "{line}");
        }
    }
}
