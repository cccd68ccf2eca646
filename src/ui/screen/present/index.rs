//! The list of steps to jump to.
//!
//! It knows numbers and keys, and draws nothing.

use crate::ui::keymap::Key;

/// A click goes so many steps on in the list.
pub(super) const PAGE: usize = 10;

/// The list while it is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Index {
    /// The step that is chosen, from 0.
    pub(super) chosen: usize,
    /// The number that is being typed; the lesson need not have such a step.
    pub(super) typed: Option<usize>,
}

/// What a key in the list comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chosen {
    /// The list stays open.
    Stay,
    /// It is closed.
    Close,
    /// To the step with this number, from 1, which the lesson need not have.
    Go(usize),
}

impl Index {
    pub(super) fn at(step: usize) -> Self {
        Self { chosen: step, typed: None }
    }

    pub(super) fn key(&mut self, key: Key, steps: usize) -> Chosen {
        let last = steps - 1;
        let typed = self.typed.take();
        match key {
            Key::Char(c @ '0'..='9') => {
                let digit = c as usize - '0' as usize;
                // After a number that no step has, another one begins.
                let before = typed.filter(|n| *n <= steps);
                let number = before.map_or(digit, |n| n * 10 + digit);
                self.typed = Some(number);
                if (1..=steps).contains(&number) {
                    self.chosen = number - 1;
                }
            }
            Key::Backspace => self.typed = typed.map(|n| n / 10).filter(|n| *n > 0),
            Key::Up => self.chosen = self.chosen.saturating_sub(1),
            Key::Down => self.chosen = (self.chosen + 1).min(last),
            Key::PageUp | Key::Left => self.chosen = self.chosen.saturating_sub(PAGE),
            Key::PageDown | Key::Right => self.chosen = (self.chosen + PAGE).min(last),
            Key::Home => self.chosen = 0,
            Key::End => self.chosen = last,
            Key::Enter | Key::Char(' ') => {
                self.typed = typed;
                return Chosen::Go(typed.unwrap_or(self.chosen + 1));
            }
            _ => return Chosen::Close,
        }
        Chosen::Stay
    }
}
