//! Our own texts without the few characters beyond ASCII that they use.
//!
//! Names in another script stay as they are; how wide a text is, is not its business.

/// What a text loses in ASCII, and what stands for it.
const STAND_INS: [(char, &str); 34] = [
    ('→', "->"),
    ('←', "<-"),
    ('↑', "^"),
    ('↓', "v"),
    ('⇒', "=>"),
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('∈', "in"),
    ('∧', "and"),
    ('∨', "or"),
    ('¬', "not "),
    ('×', "x"),
    ('·', "*"),
    ('√', "sqrt "),
    ('∞', "inf"),
    ('⌈', "ceil("),
    ('⌉', ")"),
    ('…', "..."),
    ('–', "-"),
    ('−', "-"),
    ('—', "--"),
    ('‘', "'"),
    ('’', "'"),
    ('“', "\""),
    ('”', "\""),
    ('•', "*"),
    ('●', "*"),
    ('○', "o"),
    ('◆', "#"),
    ('▸', ">"),
    ('✓', "+"),
    ('✗', "-"),
    ('\u{a0}', " "),
];

/// The text, each of our own signs replaced by what stands for it.
#[must_use]
pub fn to_ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        match STAND_INS.iter().find(|(known, _)| *known == c) {
            Some((_, stand_in)) => ascii.push_str(stand_in),
            None => ascii.push(c),
        }
    }
    ascii
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stand_in_for_text_is_ascii() {
        for (c, stand_in) in STAND_INS {
            assert!(stand_in.is_ascii() && !c.is_ascii(), "{c}");
        }
    }

    #[test]
    fn formulas_and_rules_say_the_same_in_ascii() {
        assert_eq!(
            to_ascii("2 × distance, ⌈√n⌉, 1 + … ≠ 3"),
            "2 x distance, ceil(sqrt n), 1 + ... != 3"
        );
        assert_eq!(to_ascii("Zoë 中"), "Zoë 中", "names stay");
    }
}
