//! The terminal's word for its background, asked for with OSC 11 and heard among the keys.
//!
//! It writes nothing and waits for nothing: a terminal that never answers costs nothing, and one that
//! answers late is still understood. What the answer looks like: xterm's control sequences, "Operating
//! System Commands", Ps = 11: `ESC ] 11 ; rgb:RRRR/GGGG/BBBB` and BEL or `ESC \`.

use super::color::Background;

/// The question.
pub(super) const QUESTION: &str = "\x1b]11;?\x1b\\";

/// No answer is longer.
const LONGEST: usize = 40;

/// Whether a terminal of this name may be asked. The others print the question, or hand it to a
/// terminal that answers somebody else.
pub(super) fn may_be_asked(term: Option<&str>) -> bool {
    let deaf = ["dumb", "linux", "screen", "vt", "ansi", "cons", "eterm", "emacs", "unknown"];
    let term = term.unwrap_or("").to_ascii_lowercase();
    !term.is_empty() && !deaf.iter().any(|name| term.starts_with(name))
}

/// A key as the terminal library reads a piece of an answer: escape and a character is Alt and the
/// character, BEL is Control and g.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// A character.
    Char(char),
    /// Escape and a character.
    Escaped(char),
    /// The bell.
    Bell,
    /// Anything else.
    Other,
}

/// What a key came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    /// A key of the user's.
    Key,
    /// A piece of an answer.
    Swallowed,
    /// The answer's end.
    Answer(Option<Background>),
}

/// Listens for one answer.
#[derive(Debug, Default)]
pub(super) struct Listener {
    /// What was heard of it, once it has begun.
    answer: Option<String>,
    waiting: bool,
}

impl Listener {
    /// The question has been asked.
    pub(super) fn expect(&mut self) {
        self.waiting = true;
    }

    /// Takes one key.
    pub(super) fn hear(&mut self, piece: Piece) -> Heard {
        let Some(answer) = &mut self.answer else {
            if self.waiting && piece == Piece::Escaped(']') {
                self.answer = Some(String::new());
                return Heard::Swallowed;
            }
            return Heard::Key;
        };
        match piece {
            Piece::Char(c) if answer.len() < LONGEST && belongs(answer, c) => {
                answer.push(c);
                Heard::Swallowed
            }
            Piece::Bell | Piece::Escaped('\\') => {
                let heard = background(answer);
                self.waiting = false;
                self.answer = None;
                Heard::Answer(heard)
            }
            // That was no answer: somebody typed Alt and a bracket.
            _ => {
                self.answer = None;
                Heard::Key
            }
        }
    }
}

/// Whether an answer that began so may go on with this character.
fn belongs(answer: &str, c: char) -> bool {
    const HEAD: &str = "11;rgb";
    match HEAD.chars().nth(answer.len()) {
        Some(expected) => c == expected || answer.len() == HEAD.len(),
        None => c == ':' || c == '/' || c == 'a' || c.is_ascii_hexdigit(),
    }
}

/// Light or dark, from `11;rgb:RRRR/GGGG/BBBB` with one to four digits each, or `rgba:` with a fourth.
fn background(answer: &str) -> Option<Background> {
    let (_, channels) = answer.split_once(':')?;
    let share = |digits: &str| {
        let value = u32::from_str_radix(digits, 16).ok()?;
        let most = 16_u32.checked_pow(digits.len() as u32)?.checked_sub(1)?;
        (most > 0).then(|| f64::from(value) / f64::from(most))
    };
    let [r, g, b] = channels.split('/').take(3).map(share).collect::<Option<Vec<_>>>()?[..] else {
        return None;
    };
    // Perceived brightness by the weights of ITU-R BT.709, on the values as they are coded.
    let bright = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    Some(if bright > 0.5 { Background::Light } else { Background::Dark })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys as the terminal library makes them of these bytes.
    fn pieces(bytes: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut chars = bytes.chars();
        while let Some(c) = chars.next() {
            pieces.push(match c {
                '\x1b' => chars.next().map_or(Piece::Other, Piece::Escaped),
                '\x07' => Piece::Bell,
                c => Piece::Char(c),
            });
        }
        pieces
    }

    /// The keys that are left for the user's purposes, and the answer.
    fn hear(listener: &mut Listener, bytes: &str) -> (usize, Option<Option<Background>>) {
        let mut keys = 0;
        let mut answer = None;
        for piece in pieces(bytes) {
            match listener.hear(piece) {
                Heard::Key => keys += 1,
                Heard::Swallowed => {}
                Heard::Answer(heard) => answer = Some(heard),
            }
        }
        (keys, answer)
    }

    fn asked() -> Listener {
        let mut listener = Listener::default();
        listener.expect();
        listener
    }

    #[test]
    fn every_form_of_an_answer_is_understood_and_no_piece_of_it_is_a_key() {
        let answers = [
            ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", Background::Light),
            ("\x1b]11;rgb:0000/0000/0000\x07", Background::Dark),
            ("\x1b]11;rgb:fd/f6/e3\x07", Background::Light),
            ("\x1b]11;rgb:0/2/3\x1b\\", Background::Dark),
            ("\x1b]11;rgba:1e1e/1E1E/2e2e/ffff\x1b\\", Background::Dark),
        ];
        for (bytes, wanted) in answers {
            assert_eq!(hear(&mut asked(), bytes), (0, Some(Some(wanted))), "{bytes:?}");
        }
    }

    #[test]
    fn keys_before_and_behind_an_answer_stay_keys() {
        let heard = hear(&mut asked(), "1r\x1b]11;rgb:0000/0000/0000\x07q11");
        assert_eq!(heard, (5, Some(Some(Background::Dark))));
    }

    #[test]
    fn without_a_question_and_after_its_answer_nothing_is_swallowed() {
        let answer = "\x1b]11;rgb:0000/0000/0000\x07";
        assert_eq!(hear(&mut Listener::default(), answer).1, None);
        let mut listener = asked();
        hear(&mut listener, answer);
        assert_eq!(hear(&mut listener, "\x1b]11").0, 3);
    }

    #[test]
    fn what_begins_like_an_answer_and_is_none_swallows_no_more_than_its_beginning() {
        let mut listener = asked();
        assert_eq!(hear(&mut listener, "\x1b]q").0, 1, "Alt and a bracket, then q");
        assert_eq!(hear(&mut listener, "\x1b]11;rgb:00/00/00\x07").1, Some(Some(Background::Dark)));
        let mut listener = asked();
        assert!(hear(&mut listener, &format!("\x1b]11;rgb:{}", "0".repeat(200))).0 > 100);
    }

    #[test]
    fn a_malformed_answer_says_nothing() {
        for bytes in ["\x1b]11;rgb:\x07", "\x1b]11;rgb:ff/ff\x07", "\x1b]11;rgb://\x07"] {
            assert_eq!(hear(&mut asked(), bytes), (0, Some(None)), "{bytes:?}");
        }
    }

    #[test]
    fn terminals_that_would_print_the_question_are_not_asked() {
        for term in ["xterm-256color", "tmux-256color", "foot", "xterm-kitty", "alacritty", "rxvt"]
        {
            assert!(may_be_asked(Some(term)), "{term}");
        }
        for term in ["linux", "screen", "screen-256color", "dumb", "vt100", ""] {
            assert!(!may_be_asked(Some(term)), "{term}");
        }
        assert!(!may_be_asked(None));
    }
}
