//! The forms in which people pick one of several things: its name, its letter, its number, its text.
//!
//! Forms are forgiving here; whether what was picked is right is not this module's business.

use super::{FormHint, Pick};
use crate::input::{Path, folded};
use crate::lesson::file::Misfit;

/// A folded text in small letters, without runs of spaces and without marks around it.
#[must_use]
pub fn fold(text: &str) -> String {
    let outer = |c: char| {
        c.is_whitespace()
            || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '.' | ',' | ':' | ';')
            || matches!(c, '"' | '\'' | '`' | '*' | '!' | '?' | '$')
    };
    let text = folded(text);
    let words: Vec<String> =
        text.trim_matches(outer).split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

/// A text without one pair of brackets or quotation marks around it as a whole.
#[must_use]
pub fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    let pairs =
        [('{', '}'), ('[', ']'), ('(', ')'), ('"', '"'), ('\'', '\''), ('`', '`'), ('$', '$')];
    let inside = |(open, close)| {
        let inside: &str = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inside.contains([open, close])).then(|| inside.trim())
    };
    pairs.into_iter().find_map(inside).unwrap_or(text)
}

/// The letter of a place, from 0: `a`, `b`, …
#[must_use]
pub fn letter(place: usize) -> char {
    u8::try_from(place).ok().filter(|n| *n < 26).map_or('?', |n| char::from(b'a' + n))
}

/// The place that an answer names.
///
/// # Errors
/// How an answer has to look, when it names none or more than one.
pub fn pick(picks: &[Pick], raw: &str) -> Result<usize, FormHint> {
    let typed = fold(raw);
    let mut places: Vec<usize> = Vec::new();
    for (place, one) in picks.iter().enumerate() {
        let number = (place + 1).to_string();
        let text = fold(&one.text);
        // As the blank answers file shows it: `b) P2, the second`.
        let marked = [&letter(place).to_string(), &number].into_iter().any(|mark| {
            let rest = typed.strip_prefix(mark.as_str()).and_then(|rest| rest.strip_suffix(&text));
            rest.is_some_and(|gap| {
                !gap.is_empty()
                    && gap.chars().all(|c| matches!(c, ')' | '.' | ':' | '-' | '–' | ' '))
            })
        });
        let forms = [fold(&one.id), text, letter(place).to_string(), number];
        if !typed.is_empty() && (marked || forms.contains(&typed)) {
            places.push(place);
        }
    }
    match places.as_slice() {
        [only] => Ok(*only),
        _ => Err(FormHint(how(picks))),
    }
}

/// The places that a list names, in its order; `None`: a part is missing or cannot be read.
#[must_use]
pub fn pick_several(picks: &[Pick], raw: &str) -> Option<Vec<usize>> {
    if let Some(only) = pick(picks, raw).ok().filter(|_| pieces(raw).is_some()) {
        return Some(vec![only]);
    }
    let mut places = Vec::new();
    for piece in pieces(unwrapped(raw))? {
        match pick(picks, &piece) {
            Ok(place) => places.push(place),
            Err(_) => {
                let joint = |word: &&str| matches!(*word, "and" | "then" | "&" | "+");
                for word in piece.split_whitespace().filter(|word| !joint(word)) {
                    places.push(pick(picks, word).ok()?);
                }
            }
        }
    }
    (!places.is_empty()).then_some(places)
}

/// The word that an answer names, by itself, by letter or number, or inflected: `defers`, `deferred`,
/// `it defers` and `replies` are `defer` and `reply`.
#[must_use]
pub fn word<'w>(words: &'w [String], raw: &str) -> Option<&'w str> {
    let picks: Vec<Pick> = words.iter().map(|w| Pick { id: w.clone(), text: w.clone() }).collect();
    let typed = fold(raw);
    let typed = typed.strip_prefix("it ").unwrap_or(&typed);
    let by_form =
        || words.iter().position(|word| inflected(&fold(word)).contains(&typed.to_owned()));
    let place = pick(&picks, typed).ok().or_else(by_form)?;
    words.get(place).map(String::as_str)
}

/// The forms of a verb.
fn inflected(word: &str) -> Vec<String> {
    let mut forms = vec![format!("{word}s"), format!("{word}ed"), format!("{word}ing")];
    if let Some(stem) = word.strip_suffix('e') {
        forms.extend([format!("{word}d"), format!("{stem}ing")]);
    }
    if let Some(stem) = word.strip_suffix('y') {
        forms.extend([format!("{stem}ies"), format!("{stem}ied")]);
    }
    if let Some(last) = word.chars().last().filter(|c| !matches!(c, 'e' | 'y')) {
        forms.extend([format!("{word}es"), format!("{word}{last}ed"), format!("{word}{last}ing")]);
    }
    forms
}

/// The parts of a list, divided by commas, semicolons, arrows or ends of lines; `None`: one is empty.
/// Without any of these the list is one part.
fn pieces(raw: &str) -> Option<Vec<String>> {
    let text = folded(raw).replace("->", ",").replace("=>", ",");
    let parts: Vec<String> =
        text.split([',', ';', '\n', '<', '>', '|']).map(|part| part.trim().to_owned()).collect();
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
}

/// How an answer has to look.
#[must_use]
pub fn how(picks: &[Pick]) -> String {
    match picks.len() {
        0 => "There is nothing to choose from.".to_owned(),
        1 => "Answer with the letter a.".to_owned(),
        n => format!("Answer with one of the letters a to {}, or its number.", letter(n - 1)),
    }
}

/// The misfits of picks of which a form names another one as well; they stand below `key`, and each is
/// called so.
#[must_use]
pub fn ambiguous_misfits(picks: &[Pick], key: &str, called: &str) -> Vec<Misfit> {
    let one = |(place, form): (usize, String)| {
        let message = format!(
            "the answer `{form}` would name another {called} as well, by its letter, number or text; \
             call this one by another id"
        );
        Misfit::key(Path::root().key(key).key(&picks[place].id), message)
    };
    ambiguous(picks).into_iter().map(one).collect()
}

/// The first form of each pick that names another one as well: an author's mistake.
#[must_use]
pub fn ambiguous(picks: &[Pick]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (place, one) in picks.iter().enumerate() {
        let own = [one.id.clone(), one.text.clone()];
        let clash = own.into_iter().find(|form| pick(picks, form) != Ok(place));
        found.extend(clash.map(|form| (place, form)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks() -> Vec<Pick> {
        let one = |id: &str, text: &str| Pick { id: id.to_owned(), text: text.to_owned() };
        vec![one("p1", "P1"), one("p2", "P2, the second"), one("no", "No")]
    }

    #[test]
    fn name_letter_number_and_text_are_one_answer() {
        for form in [
            "p2",
            " P2 ",
            "b",
            "B)",
            "(b)",
            "2",
            "2.",
            "p2,  the SECOND",
            "b) P2, the second",
            "2. P2, the second",
            "(b) P2, the second",
            "b - P2, the second",
            "b P2, the second",
        ] {
            assert_eq!(pick(&picks(), form), Ok(1), "{form}");
        }
        assert_eq!(pick(&picks(), "no"), Ok(2));
    }

    #[test]
    fn what_names_nothing_gets_a_hint_on_the_form() {
        for form in ["", "  ", "d", "4", "P9", "a b", "…", "a) P2, the second", "bP2, the second"]
        {
            let hint = pick(&picks(), form).expect_err(form);
            assert_eq!(hint.0, "Answer with one of the letters a to c, or its number.");
        }
    }

    /// Case H47: the same list, however it is written; and what is no list.
    #[test]
    fn a_list_is_read_in_all_its_forms() {
        for form in
            ["p1, p2", "p1,p2", "P1 P2", "1 2", " 1 , 2 ", "a; b", "a\nb", "a and b", "1 → 2"]
        {
            assert_eq!(pick_several(&picks(), form), Some(vec![0, 1]), "{form}");
        }
        assert_eq!(
            pick_several(&picks(), "P2, the second"),
            Some(vec![1]),
            "one text with a comma"
        );
        assert_eq!(pick_several(&picks(), "b a b"), Some(vec![1, 0, 1]));
        for form in ["P1P2", "12", "1;2;", ",1", "1,,2", "", "  ", "1 9", "and"] {
            assert_eq!(pick_several(&picks(), form), None, "{form:?}");
        }
    }

    #[test]
    fn a_text_that_is_another_options_number_is_ambiguous() {
        let one = |id: &str, text: &str| Pick { id: id.to_owned(), text: text.to_owned() };
        let picks = vec![one("two", "2"), one("three", "3 messages")];
        assert_eq!(ambiguous(&picks), [(0, "2".to_owned())]);
        assert!(ambiguous(&self::picks()).is_empty());
    }
}
