//! Numbers with their nouns and verbs: `1 message`, `2 messages`, `P1 and P3 wait`.
//!
//! English plurals of the words that this program counts, and nothing else.

use std::fmt::Display;

/// `1 message`, `2 messages`, `no` is never said: `0 messages`.
///
/// ```
/// use lockstep::input::count;
/// assert_eq!([count(1, "entry"), count(2, "entry"), count(0, "branch")], ["1 entry", "2 entries", "0 branches"]);
/// ```
pub fn count<N: Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    let word = plural(&n, noun);
    format!("{n} {word}")
}

/// The noun alone, as it stands after so many: `points`.
pub fn noun<N: PartialEq + From<u8>>(n: N, noun: &str) -> String {
    plural(&n, noun)
}

/// The form of a verb after one or after many: `waits`, `wait`.
pub fn verb<'a, N: PartialEq + From<u8>>(n: N, one: &'a str, many: &'a str) -> &'a str {
    if n == N::from(1) { one } else { many }
}

fn plural<N: PartialEq + From<u8>>(n: &N, noun: &str) -> String {
    if *n == N::from(1) {
        return noun.to_owned();
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with(['s', 'h', 'x']) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}
