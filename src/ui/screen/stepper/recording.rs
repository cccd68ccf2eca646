//! Recording: what was played becomes the text of a lesson.
//!
//! What is made of it is the lesson's business; here it is only said from where on.

use super::away::Away;
use super::saving::Over;
use super::sheet::Sheet;
use super::{Ask, Stepper};
use crate::sim::RevId;
use crate::ui::sharing::{self, Record};

impl Stepper {
    /// The point from which on is recorded: the mark, else where the question or the lesson stands, else
    /// the beginning of the run.
    fn recorded_from(&self) -> Result<RevId, String> {
        let question = match self.asking.as_ref().and_then(|asking| asking.away.as_ref()) {
            Some(Away::Play(play)) => Some(play.from),
            Some(Away::Decide(_)) | None => None,
        };
        let lesson = self.learner.as_ref().filter(|_| self.home.is_none());
        let lesson = lesson.map(|learner| learner.moment().rev);
        let places = question.into_iter().chain(lesson);
        sharing::recorded_from(self.lab.history(), self.mark, places)
    }

    /// `record`, `record FILE`, `record steps`, `record steps FILE`.
    pub(super) fn record(&mut self, asked: &str) -> Ask {
        // Who sets the mark anew does not ask where it was.
        let from = if asked.is_empty() { Ok(RevId::ROOT) } else { self.recorded_from() };
        match from.and_then(|from| sharing::recorded(&self.lab, from, asked)) {
            Err(why) => self.say(why),
            Ok(Record::Mark) => {
                self.mark = Some(self.lab.history().cursor());
                self.say("recording from here on: play, then record my.yaml makes a lesson of it");
            }
            Ok(Record::Text(text)) => {
                let title = "Steps for a lesson, copied if this terminal takes copies";
                self.over = Some(Over::Sheet(Sheet::of(title, &text)));
                return Ask::Copy(text);
            }
            Ok(Record::Told(told)) => {
                self.over = Some(Over::Sheet(Sheet::of("Recorded", &told.join("\n"))));
            }
        }
        Ask::Stay(true)
    }
}
