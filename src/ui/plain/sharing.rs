//! A run outside the dialogue, and messages that are kept back in it: copying, files, lessons.
//!
//! What becomes of a run is the business of `ui::sharing`; here it is only told.

use super::command::Share;
use super::lines::Lines;
use super::panels;
use super::play::{Done, Play};
use crate::export::phrases;
use crate::lesson::question::Way;
use crate::model::goal::When;
use crate::sim::RevId;
use crate::ui::sharing::{self, Record};

impl Play {
    /// `copy`, `save`, `load`, `export` and `record`.
    pub(super) fn share(&mut self, share: &Share, lines: &mut Lines) -> Done {
        let told = match share {
            Share::Copy => {
                lines.say("The run as one line; `lockstep run` and `lockstep learn` take it:");
                lines.whole(&self.lab.line());
                return Done::Fine;
            }
            Share::Save(path) => sharing::save(&self.lab, path, None, self.seed),
            Share::Export(format, path) => sharing::save(&self.lab, path, Some(format), self.seed),
            Share::Load(path) => match sharing::load(path) {
                Ok(lab) => {
                    self.loaded = Some(Box::new(lab));
                    return Done::Loaded;
                }
                Err(why) => Err(why),
            },
            Share::Record(asked) => return self.record(asked, lines),
        };
        match told {
            Ok(told) => {
                lines.say(phrases::sentence(&told));
                Done::Fine
            }
            Err(why) => Self::refuse(lines, format!("No: {why}.")),
        }
    }

    /// The point from which on is recorded: the mark, else where the lesson stands, else the beginning.
    fn recorded_from(&self) -> Result<RevId, String> {
        let lesson = self.learner.as_ref().map(|learner| learner.moment().rev);
        sharing::recorded_from(self.lab.history(), self.mark, lesson)
    }

    fn record(&mut self, asked: &str, lines: &mut Lines) -> Done {
        // Who sets the mark anew does not ask where it was.
        let from = if asked.is_empty() { Ok(RevId::ROOT) } else { self.recorded_from() };
        match from.and_then(|from| sharing::recorded(&self.lab, from, asked)) {
            Err(why) => return Self::refuse(lines, format!("No: {why}.")),
            Ok(Record::Mark) => {
                self.mark = Some(self.lab.history().cursor());
                lines.say(
                    "Recording from here on: play, then `record my.yaml` makes a lesson of it, and \
                     `record steps` shows its steps.",
                );
            }
            Ok(Record::Text(text)) => text.lines().for_each(|line| lines.whole(line)),
            Ok(Record::Told(told)) => told.iter().for_each(|line| lines.say(line)),
        }
        Done::Fine
    }

    /// Keeps a message of the list back, or lets it go.
    pub(super) fn hold(&mut self, number: usize, lines: &mut Lines) -> Done {
        let flights = self.lab.state().view().in_flight;
        let Some(flight) = number.checked_sub(1).and_then(|i| flights.get(i)) else {
            return Self::refuse(lines, panels::no_message(&self.lab, number));
        };
        let kept = self.kept.toggle(flight);
        let names = &self.lab.setup().names;
        let text = format!(
            "{} from {} to {}, {},",
            flight.label.full(names),
            names.get(flight.id.from),
            names.get(flight.id.to),
            flight.id.show(names)
        );
        lines.say(match kept {
            true => format!(
                "{text} is kept back: Enter, `run` and `until` leave it, its number delivers it. \
                 `hold {number}` again lets it go."
            ),
            false => format!("{text} is let go."),
        });
        Done::Fine
    }

    /// Says it when what was played since the lesson's point has reached the goal of its question.
    pub(super) fn tell_goal(&self, lines: &mut Lines) {
        let Some(learner) = &self.learner else { return };
        let Some(question) = learner.question().filter(|q| !q.state.closed()) else { return };
        let Way::Play(playing) = question.way else { return };
        let Ok(events) = self.played_events() else { return };
        let few = playing.at_most.is_none_or(|most| events.len() <= most);
        if !playing.annotate.is_empty() || !few || !events.iter().all(|e| learner.allows(*e)) {
            return;
        }
        let goal = self.lab.goal(&playing.goal);
        if goal.is_ok_and(|goal| goal.when == When::Now && goal.holds(self.lab.state())) {
            lines.say(
                "The goal of the question holds here: `answer played` hands in what was played.",
            );
        }
    }
}
