//! What the presenter is told beside the hall's screen: the note, where it stands, what comes.
//!
//! It puts words together and sends nothing.

use super::{Asking, Beat, Over, Talk};
use crate::lesson::question::forms::letter;
use crate::trace::narrate;
use crate::ui::panel::prose::one_line;
use crate::ui::panel::text::clip;
use crate::ui::present_link::Now;

/// The words of a step are cut to so many columns: the presenter knows the lesson.
const SHORTLY: usize = 300;

/// A note that is longer is a script.
const LONGEST: usize = 8_000;

fn shortly(text: &str) -> String {
    clip(&one_line(text), SHORTLY, "…")
}

impl Talk {
    /// Everything that the notes show.
    #[must_use]
    pub fn now(&self) -> Now {
        let (beat, step) = (self.beat(), self.step());
        let steps = self.lesson().steps();
        let first = self.first_of(step);
        let last = self.last_of(step);
        let event = beat.event.then(|| self.happened(beat)).flatten();
        let next = self.beats().get(self.at() + 1);
        let next_step = (step + 1 < steps.len()).then(|| self.begins(step + 1));
        Now {
            title: self.lesson().title.clone(),
            minutes: self.lesson().minutes,
            step: step + 1,
            steps: steps.len(),
            click: self.at() - first + 1,
            clicks: last - first + 1,
            hall: self.hall().to_owned(),
            note: steps[step]
                .note
                .as_deref()
                .map(|note| note.trim().chars().take(LONGEST).collect()),
            says: shortly(&self.begins(step)),
            event,
            asks: self.asking(step).map(|asking| shortly(&asking.prompt)),
            asked: beat.asked.is_some() && self.asking(step).is_some(),
            revealed: self.revealed(beat),
            answer: self.asking(step).map(told_answer),
            answers_next: next
                .is_some_and(|b| b.step == step && b.asked.is_some_and(|a| a.answered)),
            next: next.map_or_else(|| "the end".to_owned(), |b| self.comes(b)),
            next_step: next_step.map(|text| shortly(&text)),
            aside: self.aside.map(str::to_owned),
        }
    }

    /// What lies over the lesson, if anything.
    fn hall(&self) -> &'static str {
        match self.over {
            Over::Nothing => "",
            Over::Blank => "the screen is dark",
            Over::Index(_) => "the list of steps is open",
            Over::Counting(_) => "hands are being counted",
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

/// The answer as the presenter reads it: with its letters, where it has some.
fn told_answer(asking: &Asking) -> String {
    let text = asking.answer.join("; ");
    if !asking.is_marked() {
        return shortly(&text);
    }
    let letters: Vec<String> = asking.right.iter().map(|p| letter(*p).to_string()).collect();
    shortly(&format!("{}) {text}", letters.join(", ")))
}
