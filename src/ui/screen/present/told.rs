//! What the presenter is told beside the hall's screen: the note, where it stands, what comes.
//!
//! It puts words together and draws nothing.

use super::index::PAGE;
use super::{Asking, Beat, Talk};
use crate::lesson::Step;
use crate::lesson::question::forms::letter;
use crate::trace::narrate;
use crate::ui::panel::prose::one_line;
use crate::ui::panel::text::clip;
use crate::ui::present_link::Shown;

/// The words of a step are cut to so many columns: the presenter knows the lesson.
const SHORTLY: usize = 300;

/// A note that is longer is a script.
const LONGEST: usize = 8_000;

fn shortly(text: &str) -> String {
    clip(&one_line(text), SHORTLY, "…")
}

/// What the next click does; a click is the key that a clicker sends to go on, PageDown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Click {
    /// Shows this beat.
    Shows(usize),
    /// Turns to the rest of the words.
    ReadsOn,
    /// Nothing: the lesson is at its end.
    Ends,
    /// Brings the dark screen back.
    Lights,
    /// Chooses this step in the list, from 0.
    Chooses(usize),
    /// Ends the counting and shows the bars.
    Bars,
    /// Turns a page of the list of keys.
    TurnsKeys,
    /// Steps the cluster that is explored.
    Explores,
}

/// What the hall sees and what comes, as the presenter is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Now {
    /// The step, from 1.
    pub step: usize,
    /// How many there are.
    pub steps: usize,
    /// The click within the step, from 1.
    pub click: usize,
    /// How many clicks the step has.
    pub clicks: usize,
    /// What lies over the lesson in the hall; empty: nothing.
    pub hall: &'static str,
    /// The step's note.
    pub note: Option<String>,
    /// What the step says, shortly, or what has just happened.
    pub says: String,
    /// The step's question, if the hall can see it.
    pub asks: Option<String>,
    /// How much of the question the hall can see.
    pub revealed: String,
    /// What the next click does.
    pub next: String,
    /// The answer of the step's question, unless the next click shows it or the hall sees it.
    pub answer: Option<String>,
    /// How the next step begins.
    pub next_step: Option<String>,
    /// Something for the presenter alone.
    pub aside: Option<String>,
}

impl Talk {
    /// Everything that the notes tell, while the hall shows this.
    #[must_use]
    pub fn now(&self, shown: Shown) -> Now {
        let (beat, step) = (self.beat(), self.step());
        let steps = self.lesson().steps();
        let (first, last) = (self.first_of(step), self.last_of(step));
        let event = beat.event.then(|| self.happened(beat)).flatten();
        let click = self.click(shown);
        let answers = |beat: &Beat| beat.step == step && beat.asked.is_some_and(|a| a.answered);
        let told = answers(beat)
            || matches!(click, Click::Shows(at) if answers(&self.beats()[at]))
            || click == Click::Bars;
        Now {
            step: step + 1,
            steps: steps.len(),
            click: self.at() - first + 1,
            clicks: last - first + 1,
            hall: over(shown),
            note: steps[step]
                .note
                .as_deref()
                .map(|note| note.trim().chars().take(LONGEST).collect()),
            says: event.unwrap_or_else(|| shortly(&self.begins(step))),
            asks: self.asking(step).filter(|_| beat.asked.is_some()).map(|a| shortly(&a.prompt)),
            revealed: self.revealed(beat),
            next: self.says_click(click),
            answer: self.asking(step).filter(|_| !told).map(told_answer),
            next_step: (step + 1 < steps.len()).then(|| shortly(&self.begins(step + 1))),
            aside: self.aside.map(|aside| aside.words(steps.len())),
        }
    }

    /// What the next click does, while the hall shows this.
    #[must_use]
    pub fn click(&self, shown: Shown) -> Click {
        let last = self.lesson().steps().len() - 1;
        match shown {
            Shown::Dark => Click::Lights,
            Shown::List(chosen) => Click::Chooses(chosen.saturating_add(PAGE).min(last)),
            Shown::Counting(_) => Click::Bars,
            Shown::Keys => Click::TurnsKeys,
            Shown::Exploring => Click::Explores,
            Shown::Lesson if self.goes_on() => Click::ReadsOn,
            Shown::Lesson if self.at() + 1 < self.beats().len() => Click::Shows(self.at() + 1),
            Shown::Lesson => Click::Ends,
        }
    }

    fn says_click(&self, click: Click) -> String {
        match click {
            Click::Shows(at) => self.comes(&self.beats()[at]),
            Click::ReadsOn => "the rest of the words on the screen".to_owned(),
            Click::Ends => "nothing: this is the end".to_owned(),
            Click::Lights => "the screen comes back as it was".to_owned(),
            Click::Chooses(step) => {
                format!("chooses step {} in the list: {}", step + 1, shortly(&self.begins(step)))
            }
            Click::Bars => {
                let after = self.beats().get(self.at() + 1);
                let after = after.map_or_else(String::new, |b| format!("; then {}", self.comes(b)));
                format!("the bars of the count{after}")
            }
            Click::TurnsKeys => "turns a page of the list of keys; Esc closes it".to_owned(),
            Click::Explores => "steps the cluster that is explored; Esc comes back".to_owned(),
        }
    }

    fn happened(&self, beat: &Beat) -> Option<String> {
        let record = self.lab().history().record(beat.rev)?;
        Some(narrate::sentence(record, &self.lab().setup().names))
    }

    /// What of the step's question the hall can see.
    fn revealed(&self, beat: &Beat) -> String {
        let Some(asking) = self.asking(beat.step) else { return "no question".to_owned() };
        let all = asking.picks.len();
        match beat.asked {
            None => "the question is not shown".to_owned(),
            Some(asked) if asked.answered => "the answer is revealed".to_owned(),
            Some(asked) if all == 0 || asked.picks == 0 => "the question is shown".to_owned(),
            Some(asked) => match self.poll(beat.step) {
                Some(poll) => {
                    let hands = poll.hands().iter().enumerate();
                    let hands: Vec<String> =
                        hands.map(|(i, n)| format!("{} {n}", letter(i))).collect();
                    format!("hands: {}", hands.join(", "))
                }
                None => format!("{} of {all} options are shown", asked.picks),
            },
        }
    }

    /// What a beat will bring.
    fn comes(&self, beat: &Beat) -> String {
        if beat.step != self.step() {
            let event = if beat.event { self.event_of(beat) } else { None };
            let plays = event.map_or(String::new(), |event| format!(", plays {event}"));
            return format!("step {}{plays}: {}", beat.step + 1, shortly(&self.begins(beat.step)));
        }
        match (self.asking(beat.step), beat.asked) {
            (Some(asking), Some(asked)) if asked.answered => {
                let plays = self.event_of(beat).filter(|_| beat.event);
                let plays = plays.map_or(String::new(), |event| format!(" (plays {event})"));
                format!("the answer: {}{plays}", told_answer(asking))
            }
            (Some(asking), Some(asked)) if asked.picks == 0 => {
                format!("the question: {}", shortly(&asking.prompt))
            }
            (Some(asking), Some(asked)) if asking.shows_one_by_one() => {
                let place = asked.picks - 1;
                format!("option {}: {}", letter(place), shortly(&asking.picks[place].text))
            }
            (Some(asking), Some(_)) => {
                let texts: Vec<String> = asking.picks.iter().map(|p| one_line(&p.text)).collect();
                shortly(&format!("the options: {}", texts.join(", ")))
            }
            (_, None) | (None, _) => {
                let event = self.event_of(beat).filter(|_| beat.event);
                event.map_or_else(String::new, |event| format!("plays {event}"))
            }
        }
    }

    fn event_of(&self, beat: &Beat) -> Option<String> {
        let record = self.lab().history().record(beat.rev)?;
        Some(record.event.show(&self.lab().setup().names))
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

/// The answer as the presenter reads it: with its letters, where it has some.
fn told_answer(asking: &Asking) -> String {
    let text = asking.answer.join("; ");
    if !asking.is_marked() {
        return shortly(&text);
    }
    let letters: Vec<String> = asking.right.iter().map(|p| letter(*p).to_string()).collect();
    shortly(&format!("{}) {text}", letters.join(", ")))
}

/// What lies over the lesson, if anything.
fn over(shown: Shown) -> &'static str {
    match shown {
        Shown::Lesson => "",
        Shown::Dark => "the screen is dark",
        Shown::List(_) => "the list of steps is open",
        Shown::Counting(_) => "hands are being counted",
        Shown::Keys => "the keys are on the screen",
        Shown::Exploring => "exploring; F5 or Esc comes back",
    }
}
