//! Turns an error of the YAML library into a problem with its place, and adds a hint where the
//! offending line leaves no doubt about the cause.
//!
//! This file must not guess: without a certain cause it repeats the library's message and stops.

use super::problem::{Pos, Problem};
use super::source::Source;

/// The hint for a colon inside an unquoted text.
pub(super) const COLON_HELP: &str = "text contains \": \"; put it in quotes or use a block (|)";

const COLON_AT_END_HELP: &str = "text ends with \":\"; put it in quotes or use a block (|)";

/// The hint for a text that starts with a character that YAML gives a meaning.
pub(super) fn special_start_help(c: char) -> String {
    format!("text that starts with {c} must be in quotes")
}

/// Splits an error text into what it says and the place at its end.
pub(super) fn split_position(text: &str) -> (&str, Option<Pos>) {
    let parsed = || {
        let (said, place) = text.rsplit_once(" at line ")?;
        let (line, column) = place.split_once(" column ")?;
        Some((said, Pos { line: line.parse().ok()?, column: column.parse().ok()? }))
    };
    parsed().map_or((text, None), |(said, pos)| (said, Some(pos)))
}

/// Where an error of the library is.
pub(super) fn position(error: &serde_yaml::Error) -> Option<Pos> {
    error.location().map(|at| Pos { line: at.line(), column: at.column() })
}

/// The problem of an anchor or a tag.
pub(super) fn unsupported(source: &Source, pos: Pos, c: char) -> Problem {
    let what = if c == '&' { "anchors (&name)" } else { "tags (!name)" };
    source.problem(pos, format!("{what} cannot be used here")).with_help(special_start_help(c))
}

/// The problem of a second document whose content is at `pos`.
pub(super) fn second_document(source: &Source, pos: Pos) -> Problem {
    let mark = (1..=pos.line).rev().find(|&line| source.line(line).starts_with("---"));
    let first_content = (1..=pos.line).find(|&line| {
        let text = source.line(line).trim();
        !text.is_empty() && !text.starts_with('#')
    });
    match mark.filter(|&line| first_content.is_none_or(|first| line > first)) {
        Some(line) => {
            let message = "a second document starts here; one file holds one document";
            source.problem(Pos { line, column: 1 }, message)
        }
        None => {
            let before = source.line(pos.line).chars().take(pos.column - 1);
            let starts_line = before.into_iter().all(char::is_whitespace);
            let message = match starts_line {
                true => "this line starts further left than the lines before it",
                false => "the document has ended before this text",
            };
            source.problem(pos, message)
        }
    }
}

/// The problem of a text that is not YAML.
pub(super) fn explain(source: &Source, error: &serde_yaml::Error) -> Problem {
    let text = error.to_string();
    if text == "EOF while parsing a value" {
        return source.empty();
    }
    let pos = position(error).unwrap_or(Pos::START);
    if text.starts_with("recursion limit exceeded") {
        return source.too_deep(pos);
    }
    let report = Report::new(source, &text, pos);
    let (pos, message, help) = report.cause();
    let problem = source.problem(pos, message);
    match help {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}

/// An error of the library, taken apart.
struct Report<'a> {
    source: &'a Source,
    /// The whole message.
    text: &'a str,
    /// What was wrong: "did not find expected key".
    said: &'a str,
    pos: Pos,
    /// In the middle of what: "parsing a block mapping".
    context: &'a str,
    context_pos: Pos,
}

impl<'a> Report<'a> {
    fn new(source: &'a Source, text: &'a str, pos: Pos) -> Report<'a> {
        let (head, context) = text.split_once(", while ").unwrap_or((text, ""));
        let (context, context_pos) = split_position(context);
        let said = split_position(head).0;
        // The library leaves a place out if it is the very first one.
        let context_pos = context_pos.unwrap_or(Pos::START);
        Report { source, text, said, pos, context, context_pos }
    }

    /// The place, the message, and a hint if the cause is certain.
    fn cause(&self) -> (Pos, String, Option<String>) {
        let c = self.char_at(self.pos);
        let unstartable = self.said == "found character that cannot start any token";
        if self.said.contains("tab character") || (unstartable && c == Some('\t')) {
            return (self.pos, "tab used for indentation; use spaces".to_owned(), None);
        }
        if self.context.contains("quoted scalar") && self.said.starts_with("found unexpected") {
            return (
                self.context_pos,
                "the quote that opens here is never closed".to_owned(),
                None,
            );
        }
        if self.said == "could not find expected ':'" {
            let message = "this line is neither `key: value` nor part of the text before it";
            return (self.context_pos, message.to_owned(), None);
        }
        let special = self.special_start().map(special_start_help);
        let help = special.or_else(|| self.colon_in_text()).or_else(|| self.after_quote());
        let said = if self.context.is_empty() { self.said.to_owned() } else { self.text_in_one() };
        (self.pos, said, help)
    }

    /// The library's message without the place that the problem has anyhow.
    fn text_in_one(&self) -> String {
        let context = self.text.split_once(", while ").map_or("", |(_, context)| context);
        format!("{}, while {context}", self.said)
    }

    /// The special character that a text starts with, if that is why the library stumbled.
    fn special_start(&self) -> Option<char> {
        let c = self.char_at(self.pos);
        match self.said {
            "found character that cannot start any token" => {
                c.filter(|c| matches!(c, '%' | '@' | '`'))
            }
            "unknown anchor" => Some('*'),
            "did not find expected alphabetic or numeric character" => match self.context {
                "scanning an alias" => Some('*'),
                "scanning an anchor" => Some('&'),
                _ => None,
            },
            "did not find expected comment or line break" => {
                self.char_at(self.context_pos).filter(|c| matches!(c, '|' | '>'))
            }
            "block sequence entries are not allowed in this context" => self.value_start_here('-'),
            "mapping keys are not allowed in this context" => self.value_start_here('?'),
            "did not find expected node content" => {
                c.filter(|c| matches!(c, ',' | ']' | '}')).and_then(|c| self.value_start_here(c))
            }
            "did not find expected key"
            | "did not find expected '-' indicator"
            | "mapping values are not allowed in this context" => self.closed_bracket_before(),
            _ if self.context.ends_with("a tag") => Some('!'),
            _ if self.context.ends_with("a directive") => Some('%'),
            _ => None,
        }
    }

    /// The character, if the value of the line starts with it exactly where the error is.
    fn value_start_here(&self, c: char) -> Option<char> {
        let (start, first) = value_start(self.source.line(self.pos.line))?;
        (start + 1 == self.pos.column && first == c).then_some(c)
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
        let in_flow = matches!(
            self.said,
            "did not find expected ',' or '}'" | "did not find expected ',' or ']'"
        );
        let in_block = self.said == "mapping values are not allowed in this context"
            && self.value_start_before().is_some_and(|(_, first)| !matches!(first, '"' | '\''));
        if !(in_block || in_flow && self.context_pos.line == self.pos.line) {
            return None;
        }
        let behind = self.source.line(self.pos.line).chars().skip(self.pos.column);
        let ends = behind.clone().all(|c| c == ' ');
        Some(if ends { COLON_AT_END_HELP } else { COLON_HELP }.to_owned())
    }

    /// The hint for a text that goes on behind its closing quote.
    fn after_quote(&self) -> Option<String> {
        let (start, quote) = self.value_start_before()?;
        let stumbled = matches!(
            self.said,
            "did not find expected key"
                | "did not find expected '-' indicator"
                | "mapping values are not allowed in this context"
        );
        let between = self.text_between(start);
        if !stumbled || !between.ends_with(quote) || between.len() < 2 {
            return None;
        }
        match quote {
            '\'' => Some(
                "the text goes on behind its closing quote; inside '…' write a quote twice ('')",
            ),
            '"' => Some(
                "the text goes on behind its closing quote; inside \"…\" write a quote as \\\"",
            ),
            _ => None,
        }
        .map(str::to_owned)
    }

    /// The start of the line's value, if it is left of the error.
    fn value_start_before(&self) -> Option<(usize, char)> {
        value_start(self.source.line(self.pos.line))
            .filter(|(start, _)| start + 1 < self.pos.column)
    }

    /// The line from a character up to the error, without spaces at its end.
    fn text_between(&self, start: usize) -> String {
        let line = self.source.line(self.pos.line).chars();
        let text: String = line.take(self.pos.column - 1).skip(start).collect();
        text.trim_end().to_owned()
    }

    fn char_at(&self, pos: Pos) -> Option<char> {
        self.source.line(pos.line).chars().nth(pos.column - 1)
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

    #[test]
    fn a_place_at_the_end_of_an_error_is_found() {
        let (said, pos) = split_position("a at line 1 column 2: b at line 3 column 4");
        assert_eq!((said, pos), ("a at line 1 column 2: b", Some(Pos { line: 3, column: 4 })));
        assert_eq!(split_position("b at line x"), ("b at line x", None));
    }
}
