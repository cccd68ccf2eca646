//! Puts parser terms into the words that lesson authors use, and finds the nearest known word.
//!
//! This file must not know positions or files.

use serde::de::Unexpected;

use super::clean::quoted;
use super::count::count;

/// Longer words than this are never close to a name of ours.
const LONGEST_WORD: usize = 64;

/// The candidate nearest to `word`, if one is near enough to be what was meant.
///
/// Near enough is one slip (a letter too many, too few, wrong, or two letters swapped) for each
/// three letters; case, `-` and `_` do not count. Of two equally near ones the first wins.
///
/// ```
/// use lockstep::input::nearest;
/// assert_eq!(nearest("node", ["nodes", "algorithm"]), Some("nodes"));
/// assert_eq!(nearest("colour", ["nodes", "algorithm"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word)?;
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates {
        let Some(other) = folded(candidate) else { continue };
        let longest = word.chars().count().max(other.chars().count());
        let allowed = (longest / 3).max(1);
        let distance = strsim::osa_distance(&word, &other);
        let shares_nothing = distance >= longest;
        if distance > allowed || shares_nothing {
            continue;
        }
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn folded(word: &str) -> Option<String> {
    let long = word.chars().nth(LONGEST_WORD).is_some();
    (!word.is_empty() && !long).then(|| word.to_lowercase().replace('_', "-"))
}

/// Whole numbers separated by commas: `4,2`. `what` names one of them.
///
/// # Errors
/// The first piece that is no such number.
pub fn numbers(text: &str, what: &str) -> Result<Vec<u32>, String> {
    let is_number = |piece: &str| !piece.is_empty() && piece.bytes().all(|b| b.is_ascii_digit());
    let one = |piece: &str| {
        let piece = piece.trim();
        let number = piece.parse().ok().filter(|_| is_number(piece));
        let below =
            if piece.strip_prefix('-').is_some_and(is_number) { ": it is 0 or more" } else { "" };
        number.ok_or_else(|| format!("`{piece}` is no {what}{below}; write numbers like 4,2"))
    };
    text.split(',').map(one).collect()
}

/// "did you mean …?", if one of the candidates is near.
pub(super) fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(word, candidates).map(|name| format!("did you mean `{name}`?"))
}

/// What is said of a word that is none of a few: which there are, and the nearest of them.
#[must_use]
pub fn not_among(word: &str, words: &[&str]) -> String {
    let near = did_you_mean(word, words.iter().copied());
    let near = near.map_or(String::new(), |near| format!(" ({near})"));
    format!("{} is not known here; expected {}{near}", quoted(word), one_of(words))
}

/// "`a`, `b` or `c`".
pub(super) fn one_of(names: &[&str]) -> String {
    let ticked: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match ticked.split_last() {
        None => "nothing".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// What a decoder expected, said for people. Wordings that are not serde's own pass unchanged.
pub(super) fn plain_expected(expected: &str) -> String {
    let words = match expected {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" | "u64" | "u128" | "usize" => "a whole number, 0 or more",
        "i8" => "a whole number from -128 to 127",
        "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "string" | "a borrowed string" | "str" => "text",
        "a boolean" => "true or false",
        "a character" => "one character",
        "a sequence" | "sequence" => "a list",
        "a map" | "map" => "keys with values",
        "unit" | "null" => "nothing",
        "variant identifier" | "field identifier" => "a name",
        other => return plain_compound(other),
    };
    words.to_owned()
}

fn plain_compound(expected: &str) -> String {
    let many =
        |text: &str| text.split([' ', ',']).next()?.parse().ok().map(|n: u64| count(n, "item"));
    if expected.starts_with("a nonzero ") {
        return "a whole number other than 0".to_owned();
    }
    if let Some(n) = expected.strip_prefix("a tuple of size ").and_then(many) {
        return format!("a list of {n}");
    }
    if let Some(n) = expected.strip_prefix("an array of length ").and_then(many) {
        return format!("a list of {n}");
    }
    if expected.starts_with("tuple struct ") {
        return "a list".to_owned();
    }
    if expected.starts_with("struct ") || expected.starts_with("map with ") {
        return "keys with values".to_owned();
    }
    if expected.starts_with("enum ") || expected.ends_with("variant") {
        return "a name, or one key with its value".to_owned();
    }
    expected.to_owned()
}

/// What a decoder found, said for people.
pub(super) fn plain_found(found: &Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Float(value) => value.to_string(),
        Unexpected::Char(value) => quoted(&value.to_string()),
        Unexpected::Str(value) => format!("text {}", quoted(value)),
        Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "keys with values".to_owned(),
        Unexpected::UnitVariant => "a single word".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_for_common_slips() {
        let keys = ["initial_clock", "nodes", "algorithm", "predict"];
        for (typed, meant) in [
            ("inital_clock", "initial_clock"),
            ("initial-clock", "initial_clock"),
            ("node", "nodes"),
            ("ndoes", "nodes"),
            ("Predict", "predict"),
            ("algoritm", "algorithm"),
        ] {
            assert_eq!(nearest(typed, keys), Some(meant), "{typed}");
        }
    }

    #[test]
    fn a_far_word_suggests_nothing() {
        for typed in ["", "x", "color", "say", &"n".repeat(5000)] {
            assert_eq!(nearest(typed, ["nodes", "algorithm"]), None, "{typed:.10}");
        }
        assert_eq!(nearest("a", ["b"]), None);
    }

    #[test]
    fn of_two_near_words_the_nearer_wins_then_the_first() {
        assert_eq!(nearest("clocks", ["clock", "clocks"]), Some("clocks"));
        assert_eq!(nearest("p3", ["p1", "p2"]), Some("p1"));
    }

    #[test]
    fn lists_of_names_read_as_a_sentence() {
        assert_eq!(one_of(&["a"]), "`a`");
        assert_eq!(one_of(&["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
