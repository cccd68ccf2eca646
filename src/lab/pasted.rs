//! The text of a run as mail and chats hand it on: quoted, wrapped, with typographic signs.
//!
//! It mends the form alone and remembers where every character stood; what the words mean is for `line`.

/// What a line end is taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineEnd {
    /// The end of a piece, as `;` is.
    Separates,
    /// A blank, where somebody has wrapped a line between its words.
    Blank,
    /// Nothing, where a line was cut at a margin.
    Nothing,
}

impl LineEnd {
    pub(super) const ALL: [Self; 3] = [Self::Separates, Self::Blank, Self::Nothing];
}

/// A text whose form is mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pasted {
    /// Each character, with its place in the text as it came, in bytes.
    chars: Vec<(char, usize)>,
}

/// The mended text, and where each of its bytes stood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    pub(super) text: String,
    places: Vec<usize>,
}

impl Reading {
    /// Where a byte of the mended text stood.
    pub(super) fn place(&self, at: usize) -> usize {
        let behind = self.places.last().map_or(0, |last| last + 1);
        self.places.get(at).copied().unwrap_or(behind)
    }
}

impl Pasted {
    /// Mends a text without control characters.
    pub(super) fn of(text: &str) -> Self {
        let mut chars = one_spelling(&without_frame(text));
        let outside = |&(c, _): &(char, usize)| c.is_whitespace() || is_mark(c);
        let end = chars.iter().rposition(|c| !outside(c)).map_or(0, |last| last + 1);
        chars.truncate(end);
        let start = chars.iter().position(|c| !outside(c)).unwrap_or(end);
        Self { chars: chars.split_off(start) }
    }

    /// Whether what its line ends mean makes a difference.
    pub(super) fn is_one_line(&self) -> bool {
        self.chars.iter().all(|(c, _)| *c != '\n')
    }

    /// The text with its line ends taken for something.
    pub(super) fn reading(&self, ends: LineEnd) -> Reading {
        let (mut text, mut places) = (String::new(), Vec::new());
        for &(c, place) in &self.chars {
            let c = match (c, ends) {
                ('\n', LineEnd::Separates) => ';',
                ('\n', LineEnd::Blank) => ' ',
                ('\n', LineEnd::Nothing) => continue,
                (c, _) => c,
            };
            text.push(c);
            places.resize(text.len(), place);
        }
        Reading { text, places }
    }
}

/// Quotation marks and the back-ticks of code.
fn is_mark(c: char) -> bool {
    matches!(c, '`' | '"' | '\'' | '“' | '”' | '„' | '‘' | '’' | '‚' | '«' | '»' | '‹' | '›')
}

/// The characters without the signs of a quotation, the fences of code, and comments.
fn without_frame(text: &str) -> Vec<(char, usize)> {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        lines.push((at, line));
        at += line.len() + 1;
    }
    while lines.iter().any(|(_, line)| is_quoted(line))
        && lines.iter().all(|(_, line)| is_quoted(line) || line.trim().is_empty())
    {
        for (at, line) in &mut lines {
            let inner = line.trim_start();
            let inner = inner.strip_prefix('>').unwrap_or(inner);
            let inner = inner.strip_prefix(' ').unwrap_or(inner);
            *at += line.len() - inner.len();
            *line = inner;
        }
    }
    let mut chars = Vec::new();
    for (at, line) in lines.into_iter().filter(|(_, line)| !is_fence(line) && !is_comment(line)) {
        chars.extend(line.char_indices().map(|(i, c)| (c, at + i)));
        chars.push(('\n', at + line.len()));
    }
    chars
}

fn is_quoted(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

/// The line above or below a block of code, with the name of a language or without.
fn is_fence(line: &str) -> bool {
    let line = line.trim();
    let rest = line.strip_prefix("```").or_else(|| line.strip_prefix("~~~"));
    rest.is_some_and(|rest| rest.chars().all(char::is_alphanumeric))
}

/// A comment; a line that was cut before the number of a message is none.
fn is_comment(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('#');
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '–' | '—' | '−')
}

/// Arrows, hyphens and blanks as they are typed.
fn one_spelling(chars: &[(char, usize)]) -> Vec<(char, usize)> {
    let mut new: Vec<(char, usize)> = Vec::with_capacity(chars.len());
    let mut i = 0;
    while let Some(&(c, place)) = chars.get(i) {
        let rest = || chars[i..].iter().map(|(c, _)| *c);
        let dashes = rest().take_while(|c| is_dash(*c)).count();
        let before = new.last().is_some_and(|(c, _)| c.is_alphanumeric());
        let between = before && rest().nth(1).is_some_and(char::is_alphanumeric);
        let (c, taken) = match c {
            '\n' => (Some('\n'), 1),
            '\u{ad}' | '\u{200b}' => (None, 1),
            '→' => (Some('>'), 1),
            '&' if rest().take(4).eq("&gt;".chars()) => (Some('>'), 4),
            c if is_dash(c) && rest().nth(dashes) == Some('>') => (Some('>'), dashes + 1),
            c if is_dash(c) && between => (Some('-'), 1),
            c if c.is_whitespace() => (Some(' '), 1),
            c => (Some(c), 1),
        };
        new.extend(c.map(|c| (c, place)));
        i += taken;
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> String {
        Pasted::of(text).reading(LineEnd::Separates).text
    }

    #[test]
    fn the_frame_of_a_message_is_taken_off() {
        let run = "lamport; request P1";
        for text in [
            "`lamport; request P1`",
            "“lamport; request P1”",
            "  'lamport; request P1'\n\n",
            "> lamport; request P1",
            ">> lamport; request P1\n>>",
            "```\nlamport; request P1\n```",
            "> ```text\n> `lamport; request P1`\n> ```\n",
            "«\u{a0}lamport;\u{a0}request\u{202f}P1\u{a0}»",
            "# what I found\nlamport; request P1",
        ] {
            assert_eq!(mended(text), run, "{text}");
        }
    }

    #[test]
    fn typographic_signs_become_what_was_typed() {
        for text in ["deliver P1–>P2", "deliver P1—>P2", "deliver P1->P2", "deliver P1→P2"] {
            assert_eq!(mended(text), "deliver P1>P2", "{text}");
        }
        assert_eq!(mended("deliver P1&gt;P2#3"), "deliver P1>P2#3");
        assert_eq!(mended("ricart–agrawala; re\u{ad}quest P1"), "ricart-agrawala; request P1");
    }

    #[test]
    fn a_number_that_was_cut_off_is_no_comment() {
        let pasted = Pasted::of("lamport; deliver P1>P2\n#2");
        assert!(pasted.reading(LineEnd::Nothing).text.ends_with("P1>P2#2"));
        assert!(!pasted.is_one_line());
    }

    #[test]
    fn every_place_leads_back_to_the_text_as_it_came() {
        let text = "> “lamport;\n> deliver P1—>P9”";
        let reading = Pasted::of(text).reading(LineEnd::Blank);
        assert_eq!(reading.text, "lamport; deliver P1>P9");
        let at = reading.text.find("P9").expect("it stands there");
        assert!(text[reading.place(at)..].starts_with("P9"));
        assert_eq!(reading.place(99), text.rfind('”').expect("the end"));
    }
}
