//! What keys do in the stepper: the one table that binds them, fills the footer and prints the help.
//!
//! It names actions and performs none.

use super::keymap::Key;

/// Something that a key does in the stepper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// One step on.
    Next,
    /// One step back.
    Back,
    /// To the beginning of the run.
    First,
    /// To the end of the run.
    Last,
    /// A digit of the number of a message, which is delivered; in an open question, choose that answer.
    Pick(u8),
    /// Up in the list of messages.
    Up,
    /// Down in the list of messages.
    Down,
    /// Deliver the chosen message, or open the question.
    Confirm,
    /// Close what is open; back to the lesson.
    Cancel,
    /// Select the next node.
    NextNode,
    /// Select the node before.
    PreviousNode,
    /// The selected node asks.
    Ask,
    /// The selected node leaves.
    Leave,
    /// The selected node's timer fires.
    Timer,
    /// The selected node writes to the storage.
    Write,
    /// The selected node crashes or recovers.
    CrashOrRecover,
    /// Drop the chosen message.
    Drop,
    /// Duplicate the chosen message.
    Duplicate,
    /// Keep the chosen message back, or let it go.
    KeepBack,
    /// Show the tree of branches.
    Branches,
    /// Show everything that happened.
    Log,
    /// Check every schedule from here.
    Check,
    /// Copy, save, load or export the run.
    Export,
    /// Show everything that can be done.
    Actions,
    /// Open the command line.
    Command,
    /// Start or stop auto-play.
    Auto,
    /// Auto-play faster.
    Faster,
    /// Auto-play slower.
    Slower,
    /// Show the hint.
    Hint,
    /// Show or hide the algorithm's rules.
    Rules,
    /// Show one panel whole.
    Zoom,
    /// Scroll the diagram to earlier steps.
    ScrollLeft,
    /// Scroll the diagram to later steps.
    ScrollRight,
    /// Show the legend.
    Legend,
    /// Show all keys.
    Help,
    /// One level up.
    Quit,
}

/// A line of a table of keys.
#[derive(Clone, Copy, Debug)]
pub struct Binding<A = Action> {
    /// What it does.
    pub action: A,
    /// The keys that do it.
    pub keys: &'static [Key],
    /// A word or two for the footer; empty: not shown there.
    pub short: &'static str,
    /// A sentence for the help.
    pub about: &'static str,
}

const fn bind(
    action: Action,
    keys: &'static [Key],
    short: &'static str,
    about: &'static str,
) -> Binding {
    Binding { action, keys, short, about }
}

const DIGITS: [Key; 9] = [
    Key::Char('1'),
    Key::Char('2'),
    Key::Char('3'),
    Key::Char('4'),
    Key::Char('5'),
    Key::Char('6'),
    Key::Char('7'),
    Key::Char('8'),
    Key::Char('9'),
];

/// Every key of the stepper, in the order of the footer and the help.
pub const STEPPER: &[Binding] = &[
    bind(
        Action::Next,
        &[Key::Right, Key::Char(' '), Key::PageDown],
        "next",
        "one step on: along this branch, else the lesson's next event, else the oldest message",
    ),
    bind(
        Action::Back,
        &[Key::Left, Key::Backspace, Key::PageUp],
        "back",
        "one step back; nothing that was played is lost",
    ),
    bind(
        Action::Pick(1),
        &DIGITS,
        "deliver",
        "deliver the message with that number; where a longer one begins so, Enter ends it",
    ),
    bind(Action::Up, &[Key::Up], "", "choose the message above"),
    bind(Action::Down, &[Key::Down], "", "choose the message below"),
    bind(Action::Confirm, &[Key::Enter], "", "deliver the chosen message, or open the question"),
    bind(Action::NextNode, &[Key::Tab], "node", "select the next node; the Why panel follows"),
    bind(Action::PreviousNode, &[Key::BackTab], "", "select the node before"),
    bind(Action::Ask, &[Key::Char('r')], "ask", "the selected node asks for the lock"),
    bind(
        Action::Leave,
        &[Key::Char('x')],
        "leave",
        "the selected node leaves the critical section",
    ),
    bind(Action::Help, &[Key::Char('?'), Key::F(1)], "keys", "all keys, the legend and the words"),
    bind(Action::Hint, &[Key::Char('h')], "", "a hint for the question"),
    bind(
        Action::Zoom,
        &[Key::Char('z')],
        "zoom",
        "one panel on the whole screen; again: the next one",
    ),
    bind(Action::Branches, &[Key::Char('b')], "branches", "the tree of everything that was played"),
    bind(
        Action::Log,
        &[Key::Char('o')],
        "log",
        "what happened, step by step, with the causes and effects of each; typing filters",
    ),
    bind(Action::Check, &[Key::Char('v')], "", "check every schedule from here"),
    bind(Action::Rules, &[Key::Char('p')], "rules", "the algorithm's rules, the last one lit"),
    bind(Action::Auto, &[Key::Char('a')], "", "play on by itself; again: stop"),
    bind(Action::Faster, &[Key::Char('+')], "", "faster"),
    bind(Action::Slower, &[Key::Char('-')], "", "slower"),
    bind(Action::CrashOrRecover, &[Key::Char('c')], "", "the selected node crashes, or recovers"),
    bind(Action::Timer, &[Key::Char('t')], "", "the selected node's timer fires"),
    bind(Action::Write, &[Key::Char('w')], "", "the selected node writes to the storage"),
    bind(Action::Drop, &[Key::Char('d'), Key::Delete], "", "the chosen message is lost"),
    bind(Action::Duplicate, &[Key::Char('D')], "", "the chosen message is copied"),
    bind(
        Action::KeepBack,
        &[Key::Char('k')],
        "",
        "the chosen message is kept back: the next step and auto-play leave it; again: let it go",
    ),
    bind(Action::First, &[Key::Home], "", "to the beginning of the run"),
    bind(Action::Last, &[Key::End], "", "to the end of the run"),
    bind(
        Action::ScrollLeft,
        &[Key::Char('[')],
        "",
        "scroll the diagram to earlier steps; a page of the lesson to its beginning",
    ),
    bind(
        Action::ScrollRight,
        &[Key::Char(']')],
        "",
        "scroll the diagram to later steps; a page of the lesson to its end",
    ),
    bind(
        Action::Command,
        &[Key::Char(':')],
        "",
        "type an event, `until in_cs(P2)`, `run`, `seed 7`, `goto 3` or `record my.yaml`; Tab completes, ↑ ↓ earlier lines",
    ),
    bind(
        Action::Export,
        &[Key::Char('e')],
        "save",
        "a menu: copy the run as one line, save it, load one, make a lesson of it, or export it",
    ),
    bind(
        Action::Actions,
        &[Key::F(2)],
        "",
        "everything that can be done, to choose from; in free play Esc too, where nothing is open",
    ),
    bind(Action::Legend, &[Key::Char('l')], "", "what the signs of the diagram mean"),
    bind(Action::Cancel, &[Key::Esc], "", "close what is open; back to the lesson after exploring"),
    bind(Action::Quit, &[Key::Char('q')], "quit", "one level up"),
];

/// The action of a key in the stepper.
#[must_use]
pub fn of_key(key: Key) -> Option<Action> {
    if let Key::Char(c @ '0'..='9') = key {
        return Some(Action::Pick(c as u8 - b'0'));
    }
    STEPPER.iter().find(|b| b.keys.contains(&key)).map(|b| b.action)
}

/// How a key reads.
#[must_use]
pub fn show(key: Key) -> String {
    match key {
        Key::Char(' ') => "Space".to_owned(),
        Key::Char(c) => c.to_string(),
        Key::Left => "←".to_owned(),
        Key::Right => "→".to_owned(),
        Key::Up => "↑".to_owned(),
        Key::Down => "↓".to_owned(),
        Key::BackTab => "Shift-Tab".to_owned(),
        Key::F(n) => format!("F{n}"),
        Key::Ctrl(c) => format!("Ctrl-{}", c.to_ascii_uppercase()),
        other => format!("{other:?}"),
    }
}

impl<A> Binding<A> {
    /// Its keys, as the help shows them.
    #[must_use]
    pub fn all_keys(&self) -> String {
        if self.keys.len() == DIGITS.len() {
            return "1-9".to_owned();
        }
        self.keys.iter().map(|k| show(*k)).collect::<Vec<_>>().join(" ")
    }

    /// Its first key, as the footer shows it.
    #[must_use]
    pub fn first_key(&self) -> String {
        if self.keys.len() == DIGITS.len() { "1-9".to_owned() } else { show(self.keys[0]) }
    }
}

/// The numbers of so many messages.
#[must_use]
pub fn numbers(count: usize) -> String {
    format!("1-{}", count.max(9))
}

/// The footer's hint of an action: its key and its word.
#[must_use]
pub fn hint(action: Action) -> Option<(String, String)> {
    let binding = STEPPER.iter().find(|b| b.action == action)?;
    Some((binding.first_key(), binding.short.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_bound_twice() {
        let all: Vec<Key> = STEPPER.iter().flat_map(|b| b.keys.iter().copied()).collect();
        for (i, key) in all.iter().enumerate() {
            assert!(!all[..i].contains(key), "{key:?}");
        }
    }

    #[test]
    fn every_binding_leads_to_its_action_and_is_explained() {
        for binding in STEPPER {
            assert!(!binding.about.is_empty());
            assert_eq!(of_key(binding.keys[0]), Some(binding.action));
        }
        assert_eq!(of_key(Key::Char('7')), Some(Action::Pick(7)));
    }

    #[test]
    fn everything_essential_is_reached_without_letters() {
        let essential = [
            Action::Next,
            Action::Back,
            Action::Up,
            Action::Down,
            Action::Confirm,
            Action::NextNode,
            Action::Cancel,
        ];
        for action in essential {
            let binding = STEPPER.iter().find(|b| b.action == action).expect("bound");
            assert!(binding.keys.iter().any(|k| !matches!(k, Key::Char('a'..='z' | 'A'..='Z'))));
        }
    }
}
