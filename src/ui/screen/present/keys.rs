//! What keys do in a presentation: the one table that binds them and prints the help.
//!
//! It names moves and performs none. Everything that a clicker sends is in it.

use crate::ui::action::Binding;
use crate::ui::keymap::Key;

/// Something that a key does in a presentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// The next thing: an event, a question, an option, the answer, a page.
    Next,
    /// The thing before.
    Back,
    /// The next step, whatever of this one was not shown.
    NextStep,
    /// The beginning of this step, or of the one before.
    PreviousStep,
    /// Everything of this step.
    RevealAll,
    /// Count hands.
    Poll,
    /// The list of steps.
    Index,
    /// Darken the screen.
    Blank,
    /// Do anything with the cluster, and come back.
    Explore,
    /// One part on the whole screen.
    Zoom,
    /// What is on its way, and why nodes wait.
    Waits,
    /// To the beginning.
    First,
    /// To the end.
    Last,
    /// Close what is open.
    Close,
    /// Show all keys.
    Help,
    /// Leave; the place is remembered.
    Quit,
}

const fn bind(action: Move, keys: &'static [Key], about: &'static str) -> Binding<Move> {
    Binding { action, keys, short: "", about }
}

/// Every key of a presentation, in the order of the help.
pub const KEYS: &[Binding<Move>] = &[
    bind(
        Move::Next,
        &[Key::PageDown, Key::Char(' '), Key::Right, Key::Down, Key::Enter],
        "the next thing: an event, a question, an option, the answer, the next step",
    ),
    bind(
        Move::Back,
        &[Key::PageUp, Key::Left, Key::Up, Key::Backspace],
        "the thing before; what was revealed is hidden again",
    ),
    bind(
        Move::NextStep,
        &[Key::Char('n'), Key::Tab],
        "the next step, whatever of this one was not shown",
    ),
    bind(
        Move::PreviousStep,
        &[Key::Char('N'), Key::BackTab],
        "the beginning of this step; again: of the one before",
    ),
    bind(Move::RevealAll, &[Key::Char('a')], "everything of this step, its answer too"),
    bind(
        Move::Poll,
        &[Key::Char('p')],
        "count hands: all options are shown, type the number of each; again: count once more",
    ),
    bind(Move::Blank, &[Key::Char('.'), Key::Char('b')], "a dark screen; any key brings it back"),
    bind(Move::Index, &[Key::Char('g')], "the list of steps; so does the number of a step"),
    bind(
        Move::Explore,
        &[Key::Char('e')],
        "explore the cluster as it stands, with every key of the stepper; F5 or Esc comes back here",
    ),
    bind(
        Move::Zoom,
        &[Key::Char('z')],
        "one part on the whole screen: words, diagram, table, messages; again: the next",
    ),
    bind(
        Move::Waits,
        &[Key::Char('w')],
        "what is on its way, and why each node waits; again: back to the lesson",
    ),
    bind(Move::First, &[Key::Home], "to the beginning"),
    bind(Move::Last, &[Key::End], "to the end"),
    bind(Move::Close, &[Key::Esc, Key::F(5)], "close what is open; else nothing"),
    bind(Move::Help, &[Key::Char('?'), Key::F(1)], "all keys, the signs and the words"),
    bind(Move::Quit, &[Key::Char('q')], "leave; the next start goes on here"),
];

/// The keys while hands are counted.
pub const COUNTING_KEYS: [(&str, &str); 5] = [
    ("0-9", "the number of hands for the marked option; Backspace takes a digit back"),
    ("+ -", "one hand more, one less"),
    ("↑ ↓ Enter a-i", "mark an option"),
    ("PageDown Space →", "the bars; then, one more, the answer"),
    ("Esc", "put the counting away; the numbers are kept, a count without any is not"),
];

/// The keys of the list of steps.
pub const INDEX_KEYS: [(&str, &str); 1] =
    [("in the list", "↑ ↓ or a number chooses, Enter goes there, Esc closes")];

/// What other keys do in the notes than in the hall; all that are not here do in the hall, from the notes,
/// what they do there.
pub const NOTES_KEYS: [(&str, &str); 5] = [
    ("g, a number", "the list of steps, here alone; Enter goes there in the hall"),
    ("0-9", "while hands are counted: hands, as in the hall"),
    ("e", "nothing: explore in the hall's window, which has the stepper's keys"),
    ("? F1", "these keys, here alone"),
    ("q", "closes the notes; the presentation goes on"),
];

/// What a key does in a presentation.
#[must_use]
pub fn of_key(key: Key) -> Option<Move> {
    KEYS.iter().find(|b| b.keys.contains(&key)).map(|b| b.action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_bound_twice_and_each_is_explained() {
        let all: Vec<Key> = KEYS.iter().flat_map(|b| b.keys.iter().copied()).collect();
        for (i, key) in all.iter().enumerate() {
            assert!(!all[..i].contains(key), "{key:?}");
        }
        assert!(KEYS.iter().all(|b| !b.about.is_empty()));
    }

    #[test]
    fn whatever_a_clicker_sends_is_bound_and_none_of_it_leaves() {
        let sent = [
            Key::PageDown,
            Key::PageUp,
            Key::Right,
            Key::Left,
            Key::Down,
            Key::Up,
            Key::Enter,
            Key::Char(' '),
            Key::Char('.'),
            Key::Char('b'),
            Key::Esc,
            Key::F(5),
            Key::Tab,
        ];
        for key in sent {
            let bound = of_key(key);
            assert!(bound.is_some_and(|m| m != Move::Quit), "{key:?}: {bound:?}");
        }
    }
}
