//! A run outside the dialogue: copying, files, lessons.
//!
//! What becomes of a run is the business of `ui::sharing`; here it is only told.

use super::lines::Lines;
use super::play::{Done, Play};
use crate::export::phrases;
use crate::session::Command;
use crate::session::words::Share;
use crate::ui::sharing::{self, Record};

impl Play {
    /// `copy`, `save`, `load`, `export` and `record`.
    pub(super) fn share(&mut self, share: &Share, lines: &mut Lines) -> Done {
        let (lab, seed) = (self.lab(), self.session.seed());
        let told = match share {
            Share::Copy => {
                lines.say("The run as one line; `lockstep run` and `lockstep learn` take it:");
                lines.whole(&lab.line());
                return Done::Fine;
            }
            Share::Save(path) => sharing::save(lab, path, None, seed),
            Share::Export(format, path) => sharing::save(lab, path, Some(format), seed),
            Share::Load(path) => match sharing::load(path, lab) {
                Ok((lab, told)) => {
                    lines.say(phrases::sentence(&told));
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

    fn record(&mut self, asked: &str, lines: &mut Lines) -> Done {
        match sharing::record(&self.session, asked) {
            Err(why) => return Self::refuse(lines, format!("No: {why}.")),
            Ok(Record::Mark) => return self.perform(Command::Mark, lines),
            Ok(Record::Text(text)) => text.lines().for_each(|line| lines.whole(line)),
            Ok(Record::Told(told)) => told.iter().for_each(|line| lines.say(line)),
        }
        Done::Fine
    }
}
