//! One form of each character for what people type: the one place where typed text is folded.
//!
//! This file must not know what a text means; it only decides which characters are the same.

use super::clean::clean;
use std::fmt::Write as _;
use unicode_normalization::UnicodeNormalization as _;

/// Names of signs in formulas as they are set in print, and what they are here.
const SET_IN_PRINT: [(&str, &str); 24] = [
    ("cdot", "*"),
    ("times", "*"),
    ("ast", "*"),
    ("sqrt", " sqrt"),
    ("frac", " frac"),
    ("div", "/"),
    ("left", ""),
    ("right", ""),
    ("lceil", "⌈"),
    ("rceil", "⌉"),
    ("lfloor", "⌊"),
    ("rfloor", "⌋"),
    ("langle", "("),
    ("rangle", ")"),
    ("to", "->"),
    ("rightarrow", "->"),
    ("longrightarrow", "->"),
    ("Rightarrow", "=>"),
    ("Longrightarrow", "=>"),
    ("emptyset", "∅"),
    ("varnothing", "∅"),
    ("prec", "<"),
    ("quad", " "),
    ("mathrm", ""),
];

/// A typed text in the characters that are read everywhere.
///
/// Compatible forms become one (NFKC: `５` is `5`, `P₂` is `P2`); so do kinds of quotation marks, of
/// hyphens and minus signs, of multiplication signs, commas, brackets and arrows (`->` and `=>`), and
/// the commands of formulas set in print. What nobody sees is gone, every blank is a space, a line end is
/// `\n`, and nothing blank stands at either end. Letters keep their case. Folded text stays as it is.
///
/// ```
/// use lockstep::input::folded;
/// assert_eq!(folded("３，Ｐ２\u{200b}"), "3,P2");
/// assert_eq!(folded("2∗(n−1)"), "2*(n-1)");
/// assert_eq!(folded(r"2 \cdot n²"), "2 * n^2");
/// assert_eq!(folded("“P1” → P2"), "\"P1\" -> P2");
/// ```
#[must_use]
pub fn folded(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = clean(&text);
    if text.is_ascii() && !text.contains('\\') {
        return blanks(&text);
    }
    let once: String = signs(&raised(&text)).nfkc().collect();
    blanks(&printed(&signs(&once)))
}

/// The place in a text of what stands at a place of its folded form, in bytes.
#[must_use]
pub fn unfolded(text: &str, at: usize) -> usize {
    let ends = text.char_indices().map(|(i, _)| i).chain([text.len()]);
    ends.take_while(|end| folded(&text[..*end]).len() <= at).last().unwrap_or(0)
}

/// Raised figures are powers, and a written fraction stands apart from a number before it.
fn raised(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut power = String::new();
    for c in text.chars().chain(['\n']) {
        match c {
            '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁺' | '⁻' | '⁼' | '⁽' | '⁾' | 'ⁿ' | 'ᵏ' =>
            {
                power.extend([c]);
                continue;
            }
            _ if power.is_empty() => {}
            _ => {
                let plain: String = power.nfkc().collect();
                let _ = match plain.chars().count() {
                    1 => write!(out, "^{plain}"),
                    _ => write!(out, "^({plain})"),
                };
                power.clear();
            }
        }
        if matches!(c, '¼'..='¾' | '⅐'..='⅞' | '↉') {
            out.push(' ');
        }
        out.push(c);
    }
    out.pop();
    out
}

/// Each sign in its one form.
fn signs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !unseen(*c)) {
        match c {
            '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '″' | '〝' | '〞' | '＂' | '「'
            | '」' | '『' | '』' => out.push('"'),
            '‘' | '’' | '‚' | '‛' | '′' | '´' | 'ʼ' | 'ʹ' | '＇' => out.push('\''),
            '‐'..='―' | '−' | '⁃' | '﹘' | '﹣' | '－' | '➖' => out.push('-'),
            '∗' | '×' | '·' | '⋅' | '∙' | '•' | '⨯' | '⨉' | '・' => out.push('*'),
            '÷' | '⁄' | '∕' => out.push('/'),
            '，' | '、' | '﹐' | '﹑' | '､' | '،' => out.push(','),
            '；' | '؛' => out.push(';'),
            '。' | '｡' => out.push('.'),
            '⟨' | '〈' | '❨' | '⦅' => out.push('('),
            '⟩' | '〉' | '❩' | '⦆' => out.push(')'),
            '【' | '〔' | '〖' | '⟦' => out.push('['),
            '】' | '〕' | '〗' | '⟧' => out.push(']'),
            '→' | '⟶' | '⇢' | '➔' | '➙' | '➛' | '➜' | '➝' | '➞' | '➡' | '⭢' | '⇾' =>
            {
                out.push_str("->");
            }
            '⇒' | '⟹' | '⇨' | '⟾' => out.push_str("=>"),
            '≺' | '⊲' => out.push('<'),
            '∶' => out.push(':'),
            '✔' => out.push('✓'),
            '✘' => out.push('✗'),
            '⊘' | '⌀' => out.push('∅'),
            c => match figure(c) {
                Some(figure) => out.push(figure),
                None => out.push(c),
            },
        }
    }
    out
}

/// Figures of other scripts that NFKC leaves as they are.
fn figure(c: char) -> Option<char> {
    const ZEROS: [u32; 8] = [0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xE50, 0x17E0];
    let n = ZEROS.iter().find_map(|zero| u32::from(c).checked_sub(*zero).filter(|n| *n < 10))?;
    char::from_digit(n, 10)
}

/// Whether a character takes no room that anybody sees.
fn unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The commands of formulas that are set in print, as the signs that they stand for.
fn printed(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let known = SET_IN_PRINT.iter().find(|(name, _)| *name == &after[..end]);
        rest = match (known, after.chars().next()) {
            (Some((_, sign)), _) => {
                out.push_str(sign);
                &after[end..]
            }
            (None, Some(',' | ';' | ':' | '!' | '(' | ')' | '[' | ']' | ' ')) => {
                out.push(' ');
                &after[1..]
            }
            (None, Some('{' | '}' | '_' | '#' | '%' | '&' | '$')) => after,
            (None, _) => {
                // No command that is known: it stays, in a form that is read as nothing else.
                out.push('∖');
                after
            }
        };
    }
    out + rest
}

/// Every blank a space, line ends apart, and nothing blank at the ends.
fn blanks(text: &str) -> String {
    let plain = |c: char| if c.is_whitespace() && c != '\n' { ' ' } else { c };
    text.trim().chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn characters_that_mean_the_same_are_the_same() {
        for (typed, read) in [
            ("８", "8"),
            ("\u{feff}8\u{200b}", "8"),
            ("8\u{ad}", "8"),
            ("\u{202a}defer\u{202c}\u{a0}", "defer"),
            ("de\u{200d}fer", "defer"),
            ("P1\u{a0}P2\u{3000}P3", "P1 P2 P3"),
            ("“8” ‘8’ «8»", "\"8\" '8' \"8\""),
            ("−8 –8 —8 ‐8 ‑8 －8", "-8 -8 -8 -8 -8 -8"),
            ("2∗n 2×n 2·n 2⋅n", "2*n 2*n 2*n 2*n"),
            (r"2 \cdot (n-1) \times \left(k\right)", "2 * (n-1) * (k)"),
            (r"\sqrt{n} + \frac{n}{2}", "sqrt{n} +  frac{n}{2}"),
            (r"\{P1\, P2\}", "{P1  P2}"),
            ("｛P1，P2｝、（３；４）", "{P1,P2},(3;4)"),
            ("⟨5,P1⟩ 〈5,P1〉", "(5,P1) (5,P1)"),
            ("c → d ⟶ a", "c -> d -> a"),
            ("x —> y –> z ⇒ w", "x -> y -> z => w"),
            ("n² n⁻¹ 10³ nᵏ", "n^2 n^(-1) 10^3 n^k"),
            ("½n 3½", "1/2n 3 1/2"),
            ("P₁ ﬁfo Ⅳ ①", "P1 fifo IV 1"),
            ("٣ ५", "3 5"),
            ("a\r\nb\rc", "a\nb\nc"),
            ("", ""),
            (" \u{200b} ", ""),
        ] {
            assert_eq!(folded(typed), read, "{typed:?}");
        }
    }

    #[test]
    fn case_and_letters_of_other_languages_stay() {
        for text in ["P1 REQUEST", "Grüße, наука, 日本", "x_y-z.1"] {
            assert_eq!(folded(text), text);
        }
    }

    proptest! {
        #[test]
        fn folded_text_stays_as_it_is(text in "(\\PC|[\\\\a-z½²→\u{200b}\u{338}<='„]){0,30}") {
            let once = folded(&text);
            prop_assert_eq!(folded(&once), once);
        }

        #[test]
        fn a_place_lies_in_the_text(text in "\\PC{0,20}", at in 0..40_usize) {
            let place = unfolded(&text, at);
            prop_assert!(text.is_char_boundary(place));
        }
    }
}
