//! The list of steps to jump to.
//!
//! It shows how each step begins and nothing that the step reveals.

use crate::lesson::Step;
use crate::ui::keymap::Key;
use crate::ui::panel::Look;
use crate::ui::panel::prose::one_line;
use crate::ui::panel::text::clip;
use crate::ui::present_link::Aside;
use crate::ui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Talk;

/// A click goes so many steps on in the list.
pub(super) const PAGE: usize = 10;

/// The list while it is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Index {
    /// The step that is chosen, from 0.
    pub(super) chosen: usize,
    /// The number that is being typed; the lesson need not have such a step.
    typed: Option<usize>,
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

    /// Draws the list over the whole screen.
    pub(super) fn draw(self, talk: &Talk, look: &Look, area: Rect, buf: &mut Buffer) {
        let all = talk.lesson().steps().len();
        match self.typed.filter(|number| !(1..=all).contains(number)) {
            None => look.put(buf, area, 2, 0, &talk.lesson().title, Role::Title),
            Some(number) => {
                look.put(buf, area, 2, 0, &Aside::NoSuchStep(number).words(all), Role::Warn)
            }
        };
        let list = Rect {
            y: area.y + 2,
            height: area.height.saturating_sub(3),
            x: area.x + 1,
            width: area.width.saturating_sub(2),
        };
        let rows = usize::from(list.height);
        // The chosen one stands in the middle where the list is longer than the screen.
        let first = self.chosen.saturating_sub(rows / 2).min(all.saturating_sub(rows));
        for (y, step) in (first..all).take(rows).enumerate() {
            let here = if step == talk.step() { look.glyphs.cursor } else { " " };
            let room = usize::from(list.width).saturating_sub(9);
            let begins = clip(&look.text(&talk.begins(step)), room, look.glyphs.ellipsis);
            let role = if step == talk.step() { Role::Accent } else { Role::Text };
            let asks = if talk.asking(step).is_some() { "?" } else { " " };
            let line = format!(" {here} {:>2} {asks} {begins}", step + 1);
            look.put(buf, list, 0, y as u16, &line, role);
            if step == self.chosen {
                look.select_row(buf, list, y as u16);
            }
        }
    }
}

impl Talk {
    /// How a step begins, in one line: its words, else its question, else its first event.
    #[must_use]
    pub fn begins(&self, step: usize) -> String {
        let words = |s: &Step| s.say.as_deref().map(one_line).filter(|text| !text.is_empty());
        let question = || self.asking(step).map(|asking| one_line(&asking.prompt));
        let event = || {
            let beat = self.beats().iter().find(|b| b.step == step && b.event)?;
            let record = self.lab().history().record(beat.rev)?;
            // What it did is for its own click.
            Some(record.event.show(&self.lab().setup().names))
        };
        words(&self.lesson().steps()[step]).or_else(question).or_else(event).unwrap_or_default()
    }
}
