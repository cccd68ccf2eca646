//! Checking every schedule, in lines: the bounds, the verdict, and a way into what was found.
//!
//! The search is the lab's; it goes on to its end or to its limit before the next line is read.

use super::lines::Lines;
use super::play::{Done, Play};
use crate::check::Verdict;
use crate::export::phrases;
use crate::lab::checking::{Bound, Checking};

/// States that are worked on at a time.
const SLICE: usize = 200_000;
/// The most states of a search where nobody says how many, so that it does not take long.
const STATES: &str = "2000000";

impl Play {
    /// `check`, with the bounds that are wanted otherwise; `check play` and `check there`.
    pub(super) fn check(&mut self, rest: &str, lines: &mut Lines) -> Done {
        let checking = match (rest, self.checking.take()) {
            ("play", Some(checking)) => return self.play_found(checking, lines),
            ("there", Some(checking)) => there(*checking),
            ("play" | "there", None) => Err("nothing was checked yet; `check` does it".to_owned()),
            _ => self.search(rest),
        };
        match checking {
            Ok(mut checking) => {
                while checking.works() {
                    checking.advance(SLICE);
                }
                tell(&checking, lines);
                self.checking = Some(Box::new(checking));
                Done::Fine
            }
            Err(why) => Self::refuse(lines, format!("No: {why}.")),
        }
    }

    /// A search from here within the bounds that are written; the goal takes the rest of the line.
    fn search(&self, rest: &str) -> Result<Checking, String> {
        let lesson = self.learner().map(|l| l.lesson().requests.as_slice());
        let checking = Checking::of(self.lab(), lesson.unwrap_or_default());
        let mut checking = checking.map_err(|error| error.to_string())?;
        checking.set(Bound::States, STATES)?;
        let mut rest = rest.trim();
        while !rest.is_empty() {
            let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
            let (word, after) = (&rest[..end], rest[end..].trim_start());
            let after = after.strip_prefix('=').unwrap_or(after).trim_start();
            let all: Vec<Bound> = checking.changeable().chain([Bound::States]).collect();
            let Some(bound) = all.iter().find(|bound| bound.word() == word) else {
                let words: Vec<&str> = all.iter().map(|bound| bound.word()).collect();
                return Err(format!("`{word}` is no bound here; there are {}", words.join(", ")));
            };
            let (value, more) = match bound {
                Bound::Goal => (after, ""),
                _ => after.split_once(char::is_whitespace).unwrap_or((after, "")),
            };
            checking.set(*bound, value)?;
            rest = more.trim();
        }
        checking.start().map_err(|error| error.to_string())?;
        Ok(checking)
    }

    /// Stands at the beginning of the schedule that was found, with its steps ahead.
    fn play_found(&mut self, checking: Box<Checking>, lines: &mut Lines) -> Done {
        let Some(events) = checking.found().map(<[_]>::to_vec) else {
            self.checking = Some(checking);
            return Self::refuse(lines, "No: the last check has found no schedule to play.");
        };
        let told = format!("{} steps are ahead: Enter plays them one by one.", events.len());
        if checking.config() == self.lab().config() {
            if let Err(refused) = self.session.show_run(&events) {
                return Self::refuse(lines, format!("No: {}.", refused.reason));
            }
            lines.say(told);
            self.checking = Some(checking);
            return Done::Fine;
        }
        let lab = checking.lab().map_err(|error| error.to_string());
        match lab.and_then(|mut lab| lab.lay_out(&events).map(|()| lab).map_err(|no| no.reason)) {
            Ok(lab) => {
                lines.say(told);
                self.loaded = Some(Box::new(lab));
                self.checking = Some(checking);
                Done::Loaded
            }
            Err(why) => Self::refuse(lines, format!("No: {why}.")),
        }
    }
}

/// The same, where the variant is known to fail.
fn there(mut checking: Checking) -> Result<Checking, String> {
    if checking.elsewhere().is_none() {
        return Err("the last check names no other place; `check` checks from here".to_owned());
    }
    checking.go_elsewhere().map_err(|error| error.to_string())?;
    Ok(checking)
}

fn tell(checking: &Checking, lines: &mut Lines) {
    let (title, place) = (checking.title(), checking.place());
    lines.say(format!("Checked every schedule of {title} {place}."));
    lines.say(format!("Within: {}.", checking.bounds()));
    lines.say(phrases::sentence(&checking.verdict().unwrap_or_default()));
    if let Some(there) = checking.elsewhere() {
        lines.say(format!("{}: `check there` searches there.", there.told));
    }
    if checking.report().is_some_and(|report| report.verdict == Verdict::Limit) {
        lines.say(format!("`check states={STATES}0` searches further."));
    }
    if let Some((schedule, again)) = checking.found_in_words() {
        lines.say("A shortest schedule:");
        lines.whole(&schedule);
        if let Some(again) = again {
            lines.say("and then again and again:");
            lines.whole(&again);
        }
        lines.say("`check play` goes to its beginning.");
    }
}
