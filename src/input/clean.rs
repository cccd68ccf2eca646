//! Makes text that came from a file safe to show in a terminal.
//!
//! This file must not decide what is valid input: it only removes what no reader could see
//! but a terminal would obey.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// How many characters of a quoted text a message repeats.
const QUOTED_CHARS: usize = 60;

/// Removes whatever a terminal could take as a command or a trick.
///
/// Gone are control characters (C0 except line break and tab, DEL, C1), whole ANSI escape
/// sequences, bidirectional marks, overrides and isolates, and the invisible joiners
/// U+2060 and U+FEFF. The Unicode line and paragraph separators become plain spaces.
/// Text without any of these is returned as it is.
///
/// ```
/// use lockstep::input::clean;
/// assert_eq!(clean("\u{1b}]0;pwned\u{7}P1 \u{1b}[31mred\u{1b}[0m"), "P1 red");
/// assert_eq!(clean("two\n\tlines"), "two\n\tlines");
/// ```
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => skip_escape(&mut rest),
            '\u{9b}' => skip_control_sequence(&mut rest),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_control_string(&mut rest),
            '\u{2028}' | '\u{2029}' => kept.push(' '),
            c if is_hidden(c) => {}
            c => kept.push(c),
        }
    }
    Cow::Owned(kept)
}

/// True for every character that [`clean`] does not let through.
pub(super) fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fff9}'..='\u{fffb}' => true,
        c => c.is_control(),
    }
}

/// Cleans a text and puts it on one line: for messages, names and paths.
pub(super) fn one_line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}

/// A text of the file as a message shows it: on one line, shortened, in backquotes.
pub(super) fn quoted(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => format!("`{}…`", &line[..end]),
        None => format!("`{line}`"),
    }
}

/// Skips what follows an ESC. An unfinished sequence loses its introducer only, so that the
/// text behind it stays readable.
fn skip_escape(rest: &mut Peekable<Chars<'_>>) {
    match rest.peek() {
        Some('[') => {
            rest.next();
            skip_control_sequence(rest);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            rest.next();
            skip_control_string(rest);
        }
        _ => {
            while rest.next_if(|c| matches!(c, ' '..='/')).is_some() {}
            rest.next_if(|c| matches!(c, '0'..='~'));
        }
    }
}

/// Skips the parameters and the final byte of a CSI sequence.
fn skip_control_sequence(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    rest.next_if(|c| matches!(c, '@'..='~'));
}

/// Skips the body of a control string (a window title, for example) with its terminator.
/// Each character is looked at once or twice, since a body ends at the next control character.
fn skip_control_string(rest: &mut Peekable<Chars<'_>>) {
    let mut ahead = rest.clone();
    while ahead.next_if(|c| !c.is_control()).is_some() {}
    let terminated = match ahead.next() {
        Some('\u{7}' | '\u{9c}') => true,
        Some('\u{1b}') => ahead.next_if_eq(&'\\').is_some(),
        _ => false,
    };
    if terminated {
        *rest = ahead;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_text_is_not_copied() {
        for text in ["", "P1 → P2, √N é 日本 👩‍💻", "a\n\tb"] {
            assert!(matches!(clean(text), Cow::Borrowed(t) if t == text), "{text:?}");
        }
    }

    #[test]
    fn escape_sequences_go_as_a_whole() {
        for (dirty, want) in [
            ("\x1b[2J\x1b[1;31mred\x1b[0m", "red"),
            ("\x1b]0;title\x07x", "x"),
            ("\x1b]8;;http://a.example\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("\x1bP1$r0m\x1b\\x", "x"),
            ("\x1b(0q\x1bcx", "qx"),
            ("\u{9b}31mred \u{9d}0;t\u{9c}x", "red x"),
            ("\x1b]unfinished", "unfinished"),
            ("a\x1b", "a"),
        ] {
            assert_eq!(clean(dirty), want, "{dirty:?}");
        }
    }

    #[test]
    fn controls_and_bidirectional_tricks_go() {
        assert_eq!(clean("a\0b\rc\u{7f}d\u{85}e"), "abcde");
        assert_eq!(clean("\u{202e}evil\u{202c} \u{2066}x\u{2069}\u{feff}\u{2060}"), "evil x");
        assert_eq!(clean("a\u{2028}b"), "a b");
    }

    #[test]
    fn a_quoted_text_is_one_short_line() {
        assert_eq!(quoted("a\nb\x07"), "`a b`");
        assert_eq!(quoted(&"é".repeat(100)), format!("`{}…`", "é".repeat(60)));
    }

    #[test]
    fn many_unfinished_control_strings_cost_no_more_than_their_length() {
        let text = "\x1b]".repeat(200_000);
        assert_eq!(clean(&text), "");
    }
}
