//! Schedules: lists of events as text, separated by `;` or line ends.
//!
//! A schedule is not a run: whether its events are enabled shows only when it is played.

use super::event::{Event, EventError};
use super::node::Names;

/// A list of events.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule(pub Vec<Event>);

impl Schedule {
    /// Reads events separated by `;` or line ends. Empty pieces are skipped.
    ///
    /// # Errors
    /// The first piece that is no event, with its byte offset in the whole text.
    pub fn parse(text: &str, names: &Names) -> Result<Self, EventError> {
        let mut events = Vec::new();
        let mut at = 0;
        for piece in text.split([';', '\n']) {
            if !piece.trim().is_empty() {
                let event = Event::parse(piece, names)
                    .map_err(|e| EventError { at: at + e.at, message: e.message })?;
                events.push(event);
            }
            at += piece.len() + 1;
        }
        Ok(Self(events))
    }

    /// One line: `request P1; deliver P1>P2; …`.
    #[must_use]
    pub fn show(&self, names: &Names) -> String {
        self.0.iter().map(|e| e.show(names)).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_reads_back_what_it_shows() {
        let names = Names::new(Names::numbered(2));
        let text = "request P1; deliver P1>P2; exit P1";
        let schedule = Schedule::parse(text, &names).expect("three events");
        assert_eq!(schedule.show(&names), text);
        let lines = Schedule::parse("request P1\n\ndeliver P1>P2;\nexit P1;", &names);
        assert_eq!(lines, Ok(schedule));
    }

    #[test]
    fn an_error_counts_from_the_start_of_the_whole_text() {
        let names = Names::new(Names::numbered(2));
        let error = Schedule::parse("request P1; request P3", &names).expect_err("no P3");
        assert_eq!(error.at, 20);
    }
}
