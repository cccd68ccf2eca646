//! Prose as it will be shown: how many rows it takes, and whether it judges.
//!
//! This file must not know what a question is.

use unicode_width::UnicodeWidthStr;

/// Words that judge an answer. The verdict alone does.
const JUDGING: [&str; 8] = [
    "correct",
    "incorrect",
    "not yet",
    "wrong answer",
    "well done",
    "that is right",
    "you are right",
    "not it",
];
/// A word that judges where it is a sentence by itself.
const ALONE: &str = "wrong";

/// The judging words in a line, if it has any. Only whole words count that nothing comes between: neither
/// `not its` nor `not: it` judges anybody.
pub(super) fn judges(line: &str) -> Option<&'static str> {
    let mut spaced = String::new();
    for c in line.to_lowercase().chars() {
        match c {
            c if c.is_alphanumeric() || c.is_whitespace() || matches!(c, '\'' | '’' | '-') => {
                spaced.push(c);
            }
            mark => spaced.extend([' ', mark, ' ']),
        }
    }
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let ends = |next: Option<&&str>| next.is_none_or(|next| matches!(*next, "." | "!" | ":" | ","));
    if words.first() == Some(&ALONE) && ends(words.get(1)) {
        return Some(ALONE);
    }
    JUDGING.into_iter().find(|judging| {
        let wanted: Vec<&str> = judging.split(' ').collect();
        words.windows(wanted.len()).any(|some| some.iter().eq(wanted.iter()))
    })
}

/// How many rows a text takes, blank ones between paragraphs included.
#[must_use]
pub fn rows(markdown: &str, columns: usize) -> usize {
    let mut rows = 0;
    let mut paragraph = String::new();
    let flush = |paragraph: &mut String| {
        let n = wrapped(paragraph, columns);
        paragraph.clear();
        n
    };
    for line in markdown.trim().lines() {
        let line = line.trim();
        let own = line.starts_with("- ") || line.starts_with('|') || line.starts_with("* ");
        if line.is_empty() || own {
            rows += flush(&mut paragraph);
        }
        if line.is_empty() {
            rows += 1;
            continue;
        }
        paragraph.push_str(line);
        paragraph.push(' ');
    }
    rows + flush(&mut paragraph)
}

fn wrapped(text: &str, columns: usize) -> usize {
    let (mut rows, mut used) = (0, columns + 1);
    for word in text.split_whitespace() {
        let width = word.replace(['*', '`'], "").width();
        if used + 1 + width > columns {
            rows += 1;
            used = width;
        } else {
            used += 1 + width;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_judges_only_as_a_whole_word() {
        for line in [
            "Not it.",
            "That is NOT YET so",
            "well  done!",
            "(correct)",
            "Wrong.",
            "Wrong",
            "Incorrect: no",
        ] {
            assert!(judges(line).is_some(), "{line}");
        }
        for line in [
            "It is not its turn.",
            "Not items.",
            "That was incorrectly sent",
            "notit",
            "Wrong nodes ask.",
            "What is wrong.",
            "P2 does not: it has seen",
        ] {
            assert_eq!(judges(line), None, "{line}");
        }
    }

    #[test]
    fn rows_are_counted_as_they_will_be_wrapped() {
        assert_eq!(rows("", 10), 0);
        assert_eq!(rows("one two\nthree", 10), 2);
        assert_eq!(rows("**one** two\n\nthree", 10), 3);
        assert_eq!(rows("- a\n- b\n- c", 10), 3);
        assert_eq!(rows("日本 日本 日本", 10), 2);
    }
}
