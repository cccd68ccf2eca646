//! Takes the bytes of a file and refuses, before any parsing, what is too large, not text, or
//! made to hurt.
//!
//! This file must not open files: it is given bytes or a reader.

use std::io::Read;

use super::clean::{is_hidden, one_line};
use super::problem::{MOST_PROBLEMS, Pos, Problem, Problems};

/// So many brackets open at once, or list marks on one line, are an attack and no lesson.
/// The exact depth is checked on the parsed document; this only keeps the parser from it.
const MOST_OPEN: usize = 512;

/// What a file may at most ask of us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: usize,
    /// Maps and lists inside one another.
    pub depth: usize,
    /// Values and keys, all told.
    pub nodes: usize,
    /// Whether a text may hold characters that nobody sees, written as escapes: they are left out. If
    /// not, the text is a problem.
    pub unseen: bool,
}

impl Limits {
    /// For files that people write: 256 KiB, 32 levels, 20,000 values.
    pub const FILE: Limits = Limits { bytes: 256 * 1024, depth: 32, nodes: 20_000, unseen: true };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::FILE
    }
}

/// The text of one file, ready to be parsed: UTF-8 without byte-order mark, lines ended by LF,
/// no control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    noun: String,
    text: String,
    line_starts: Vec<usize>,
    limits: Limits,
}

impl Source {
    /// Takes the bytes of a file. `name` is how messages call it, `noun` what it should hold
    /// ("lesson", "answers").
    ///
    /// A byte-order mark and CRLF or CR line ends are accepted and leave no trace.
    ///
    /// # Errors
    /// The file is larger than the limit, not UTF-8, holds control characters, opens hundreds of
    /// brackets at once, or holds nothing but comments.
    ///
    /// ```
    /// use lockstep::input::{Limits, Source};
    /// let empty = Source::from_bytes("a.yaml", b"# later\n", "lesson", Limits::FILE).unwrap_err();
    /// assert_eq!(empty.to_string(), "a.yaml:1:1: the file is empty: it has no lesson");
    /// ```
    pub fn from_bytes(
        name: &str,
        bytes: &[u8],
        noun: &str,
        limits: Limits,
    ) -> Result<Source, Problems> {
        if bytes.len() > limits.bytes {
            return Err(too_large(name, limits.bytes).into());
        }
        let text = decode(name, bytes)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let source =
            Source { name: one_line(name), noun: noun.to_owned(), text, line_starts, limits };
        source.refuse_control_characters()?;
        source.refuse_bottomless_nesting()?;
        if source.text.lines().all(is_blank) {
            return Err(source.empty().into());
        }
        Ok(source)
    }

    /// Takes a text that is in memory already, with the limits of a file.
    ///
    /// # Errors
    /// As [`Source::from_bytes`].
    pub fn from_text(name: &str, text: &str, noun: &str) -> Result<Source, Problems> {
        Source::from_bytes(name, text.as_bytes(), noun, Limits::FILE)
    }

    /// Reads a file that the caller opened, and never more of it than the limit.
    ///
    /// # Errors
    /// Reading fails, or as [`Source::from_bytes`].
    pub fn from_reader(
        name: &str,
        reader: impl Read,
        noun: &str,
        limits: Limits,
    ) -> Result<Source, Problems> {
        let mut bytes = Vec::new();
        let at_most = (limits.bytes as u64).saturating_add(1);
        match reader.take(at_most).read_to_end(&mut bytes) {
            Ok(_) => Source::from_bytes(name, &bytes, noun, limits),
            Err(error) => {
                Err(Problem::new(name, Pos::START, format!("cannot be read: {error}")).into())
            }
        }
    }

    /// How messages call the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What may be asked of us.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// A line without its end, counted from 1; empty if there is no such line.
    #[must_use]
    pub fn line(&self, number: usize) -> &str {
        let start = number.checked_sub(1).and_then(|at| self.line_starts.get(at));
        let Some(&start) = start else { return "" };
        &self.text[start..self.line_end(number)]
    }

    /// A problem of this file. A place behind the end of the text becomes the end.
    #[must_use]
    pub fn problem(&self, pos: Pos, message: impl AsRef<str>) -> Problem {
        Problem::new(&self.name, self.clamp(pos), message)
    }

    /// The problem of a file without content.
    pub(super) fn empty(&self) -> Problem {
        self.problem(Pos::START, format!("the file is empty: it has no {}", self.noun))
    }

    /// Where the line with this number starts in the text, in bytes.
    pub(super) fn line_start(&self, number: usize) -> usize {
        self.line_starts.get(number.saturating_sub(1)).copied().unwrap_or(self.text.len())
    }

    /// Where the line with this number ends, before its line break.
    pub(super) fn line_end(&self, number: usize) -> usize {
        self.line_starts.get(number).map_or(self.text.len(), |next| next - 1)
    }

    /// The place of a byte of the text.
    pub(super) fn pos_at(&self, offset: usize) -> Pos {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let column = self.text[self.line_start(line)..offset].chars().count() + 1;
        Pos { line, column }
    }

    /// The place itself, or the end of the text if it is behind it: where the parser misses
    /// something at the very end, it names a line that is not there.
    pub(super) fn clamp(&self, pos: Pos) -> Pos {
        let last = self.line_starts.len();
        match pos.line > last {
            true => Pos { line: last, column: self.line(last).chars().count() + 1 },
            false => pos,
        }
    }

    fn refuse_control_characters(&self) -> Result<(), Problems> {
        let mut found = Vec::new();
        let mut pos = Pos::START;
        for c in self.text.chars() {
            if is_refused(c) {
                let code = u32::from(c);
                let message =
                    format!("the character U+{code:04X} cannot be used in a file; remove it");
                found.push(self.problem(pos, message));
                if found.len() == MOST_PROBLEMS {
                    break;
                }
            }
            pos = after(pos, c);
        }
        Problems::of(found).map_or(Ok(()), Err)
    }

    /// Counts brackets without asking whether they stand in quotes: no text that people write
    /// leaves hundreds of them open.
    fn refuse_bottomless_nesting(&self) -> Result<(), Problems> {
        let mut open = 0usize;
        for (number, line) in self.text.lines().enumerate() {
            let marks =
                line.trim_start().split(' ').take_while(|mark| matches!(*mark, "-" | "?" | ""));
            let mut too_deep =
                (marks.filter(|mark| !mark.is_empty()).count() > MOST_OPEN).then_some(0);
            for (column, c) in line.chars().enumerate() {
                match c {
                    '[' | '{' => open += 1,
                    ']' | '}' => open = open.saturating_sub(1),
                    _ => {}
                }
                if open > MOST_OPEN {
                    too_deep = Some(column);
                    break;
                }
            }
            if let Some(column) = too_deep {
                let pos = Pos { line: number + 1, column: column + 1 };
                return Err(self.too_deep(pos).into());
            }
        }
        Ok(())
    }

    /// The problem of a value that stands too deep.
    pub(super) fn too_deep(&self, pos: Pos) -> Problem {
        let message = format!("nested too deep: at most {} levels are read", self.limits.depth);
        self.problem(pos, message)
    }
}

fn too_large(name: &str, limit: usize) -> Problem {
    let message = match limit {
        limit if limit >= 1024 => format!("too large: at most {} KiB are read", limit / 1024),
        limit => format!("too large: at most {limit} bytes are read"),
    };
    Problem::new(name, Pos::START, message)
}

fn decode<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Problem> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let at = error.valid_up_to();
    let valid = String::from_utf8_lossy(&bytes[..at]);
    let valid = valid.strip_prefix('\u{feff}').unwrap_or(&valid).replace("\r\n", "\n");
    let pos = valid.chars().map(|c| if c == '\r' { '\n' } else { c }).fold(Pos::START, after);
    let message = format!("not UTF-8: byte 0x{:02X} at byte position {at}", bytes[at]);
    let help = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        "the file looks like UTF-16; save it as UTF-8"
    } else {
        "save the file as UTF-8"
    };
    Err(Problem::new(name, pos, message).with_help(help))
}

/// The place behind a character.
fn after(pos: Pos, c: char) -> Pos {
    match c {
        '\n' => Pos { line: pos.line + 1, column: 1 },
        _ => Pos { line: pos.line, column: pos.column + 1 },
    }
}

/// Control characters, what Unicode has as further line breaks (an editor would count lines in
/// another way than the parser), and code points that are no characters.
fn is_refused(c: char) -> bool {
    (c.is_control() && is_hidden(c))
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// True for a line that adds nothing to a document.
fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#') || line == "---" || line == "..."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(bytes: &[u8]) -> Result<Source, Problems> {
        Source::from_bytes("a.yaml", bytes, "lesson", Limits::FILE)
    }

    fn refusal(bytes: &[u8]) -> String {
        source(bytes).expect_err("the file is refused").to_string()
    }

    #[test]
    fn line_ends_and_byte_order_mark_leave_no_trace() {
        let plain = source(b"a: 1\nb: 2\n").unwrap();
        for bytes in [&b"\xef\xbb\xbfa: 1\nb: 2\n"[..], b"a: 1\r\nb: 2\r\n", b"a: 1\rb: 2\r"] {
            assert_eq!(source(bytes).unwrap(), plain, "{bytes:?}");
        }
    }

    #[test]
    fn other_encodings_are_refused_with_their_byte_position() {
        let latin1 = refusal(b"lesson: 1\ntitle: caf\xe9\n");
        assert_eq!(
            latin1,
            "a.yaml:2:11: not UTF-8: byte 0xE9 at byte position 20 (save the file as UTF-8)"
        );
        assert!(refusal(b"\xff\xfea\0:\0").contains("UTF-16"));
        assert!(refusal("é\r\né".as_bytes().split_last().unwrap().1).starts_with("a.yaml:2:1:"));
    }

    #[test]
    fn control_characters_are_refused_where_they_stand() {
        let two = refusal(b"id: x\x1b[2J\nt: \0\n");
        let lines: Vec<&str> = two.lines().collect();
        assert!(lines[0].starts_with("a.yaml:1:6: the character U+001B "), "{two}");
        assert!(lines[1].starts_with("a.yaml:2:4: the character U+0000 "), "{two}");
        assert!(refusal("a: \u{85}".as_bytes()).contains("U+0085"));
        assert!(source("a: \tb # é\u{200d}".as_bytes()).is_ok());
    }

    #[test]
    fn a_file_without_content_says_what_it_lacks() {
        for bytes in [&b""[..], b"\n\n", b"# nothing\n", b"\xef\xbb\xbf# nothing", b"---\n...\n"] {
            assert_eq!(refusal(bytes), "a.yaml:1:1: the file is empty: it has no lesson");
        }
    }

    #[test]
    fn too_large_is_known_before_the_file_is_read() {
        let endless = std::io::repeat(b'y');
        let problems = Source::from_reader("a.yaml", endless, "lesson", Limits::FILE).unwrap_err();
        assert_eq!(problems.to_string(), "a.yaml:1:1: too large: at most 256 KiB are read");
        let small = Limits { bytes: 4, ..Limits::FILE };
        assert!(Source::from_bytes("a", b"a: 1", "lesson", small).is_ok());
        assert!(Source::from_bytes("a", b"a: 12", "lesson", small).is_err());
    }

    #[test]
    fn bottomless_nesting_never_reaches_the_parser() {
        for text in ["[".repeat(200_000), "{a: ".repeat(5000), "- ".repeat(5000), "? ".repeat(600)]
        {
            assert!(refusal(text.as_bytes()).contains("nested too deep"), "{text:.8}");
        }
        let brackets_in_prose = format!("say: '{}'\n", "[x] {y} ".repeat(5000));
        assert!(source(brackets_in_prose.as_bytes()).is_ok());
    }

    #[test]
    fn lines_are_counted_from_one() {
        let source = source(b"a: 1\n\nb: 2").unwrap();
        let lines: Vec<&str> = (0..5).map(|n| source.line(n)).collect();
        assert_eq!(lines, ["", "a: 1", "", "b: 2", ""]);
    }
}
