//! Prose as it will be shown: how many rows it takes, and whether it judges.
//!
//! This file must not know what a question is.

use unicode_width::UnicodeWidthStr;

/// Words that judge an answer. The verdict alone does.
const JUDGING: [&str; 24] = [
    "correct",
    "correctly answered",
    "incorrect",
    "not yet",
    "not quite",
    "not right",
    "right answer",
    "wrong answer",
    "well done",
    "well spotted",
    "good job",
    "good work",
    "try again",
    "congratulations",
    "that is right",
    "that is wrong",
    "that's right",
    "that's wrong",
    "you are right",
    "you are wrong",
    "you're right",
    "you're wrong",
    "not it",
    "nope",
];
/// Words that judge where they are a sentence by themselves.
const ALONE: [&str; 6] = ["wrong", "right", "exactly", "perfect", "sorry", "almost"];

/// The judging words in a line, if it has any. Only whole words count that nothing comes between: neither
/// `not its` nor `not: it` judges anybody.
pub(super) fn judges(line: &str) -> Option<&'static str> {
    let mut spaced = String::new();
    for c in line.to_lowercase().replace('’', "'").chars() {
        match c {
            c if c.is_alphanumeric() || c.is_whitespace() || matches!(c, '\'' | '-') => {
                spaced.push(c);
            }
            mark => spaced.extend([' ', mark, ' ']),
        }
    }
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let ends = |next: Option<&&str>| next.is_none_or(|next| matches!(*next, "." | "!" | ":" | ","));
    let begins = |word: &&str| words.first() == Some(word) && ends(words.get(1));
    if let Some(alone) = ALONE.into_iter().find(begins) {
        return Some(alone);
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
            "Nope, P2 does.",
            "Right!",
            "That’s wrong, it waits.",
            "Try again.",
            "Sorry, no.",
        ] {
            assert!(judges(line).is_some(), "{line}");
        }
        for line in [
            "It is not its turn.",
            "Not items.",
            "That was incorrectly sent",
            "notit",
            "Wrong nodes ask.",
            "No node asks.",
            "Right after that P2 asks.",
            "Yes-or-no questions need no clock.",
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
