//! `lockstep present`: a lesson in the lecture hall, and the presenter's notes in a second terminal.
//!
//! It opens the lesson and the line between the two; what is shown is the screen's.

use super::screen::{ended, library, look, not_opened};
use super::{Answer, Failure, GlobalArgs};
use crate::ui::present_link::{Files, HallLink, NoLink, NotesLink};
use crate::ui::screen::present::{CannotPresent, Hall, SpeakerNotes, Talk};
use crate::ui::{self, Application};
use clap::Args;
use std::io::Write;

const ABOUT: &str = "\
Show a lesson in the lecture hall

One click shows the next thing: an event, a question, an option, the answer. The screen shows no keys \
and nothing of what comes; `?` lists the keys. --notes, in a second terminal, shows the step's note, \
what the next click brings, the cluster and the time, and passes keys on to the hall, so that the clicker \
may be in either window.

A presentation that was left or killed in the middle goes on where it was, for three hours.";

const EXAMPLES: &str = "\
Examples:
  lockstep present 9                    in the hall; PageDown, Space or a clicker goes on
  lockstep present 9 --notes            in a second terminal: note, next click, time, keys
  lockstep present 9 --from-start       not where it was left
  lockstep --theme high-contrast present my.yaml";

/// Show a lesson in the lecture hall
#[derive(Args, Clone, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct Present {
    /// The lesson: its id, its number, the beginning of its id, or a file
    lesson: String,
    /// The presenter's notes, in a terminal of their own; start the two in any order
    #[arg(long)]
    notes: bool,
    /// Begin at the beginning
    #[arg(long, conflicts_with = "notes")]
    from_start: bool,
    /// Begin with this step
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["notes", "from_start"])]
    step: Option<usize>,
    /// Without the line to the notes: nothing is written, and the place is not remembered
    #[arg(long, conflicts_with = "notes")]
    alone: bool,
}

impl Present {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        _out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        if global.plain {
            let message = "present is for the screen; for lines use `lockstep --plain learn`";
            return Err(Failure::BadUse(message.to_owned()));
        }
        // The hall sees what everybody gets, not what was drawn for whoever sits here.
        let lesson = library(global)?.open(&self.lesson).map_err(not_opened)?;
        let (look, colour) = look(global);
        let name = lesson.kept_as();
        let files = || Files::of_user(&name).map_err(no_link);
        let talk = Talk::new(lesson).map_err(|error| match error {
            CannotPresent::NoKeys => Failure::BadUse(error.to_string()),
            CannotPresent::Cluster(_) | CannotPresent::Stuck(_) => {
                Failure::Lesson(error.to_string())
            }
        })?;
        let mut screen: Box<dyn Application> = if self.notes {
            Box::new(SpeakerNotes::new(talk, NotesLink::new(files()?), look, self.lesson))
        } else {
            let files = if self.alone { None } else { Some(files()?) };
            let (talk, link) = self.begun(talk, files)?;
            Box::new(Hall::new(talk, look, link))
        };
        ended(ui::run(screen.as_mut(), super::screen::options(false, &look, colour)))
    }

    /// The presentation where it begins, and its end of the line.
    fn begun(
        &self,
        mut talk: Talk,
        files: Option<Files>,
    ) -> Result<(Talk, Option<HallLink>), Failure> {
        let steps = talk.lesson().steps().len();
        if let Some(step) = self.step.filter(|step| !(1..=steps).contains(step)) {
            let message = format!("--step: there is no step {step}; the lesson has {steps}");
            return Err(Failure::BadUse(message));
        }
        let opened = files.map(|files| HallLink::open(files, talk.edition())).transpose();
        let mut link = None;
        if let Some((mut opened, place)) = opened.map_err(no_link)? {
            match place {
                Some(place) if !self.from_start => talk.go_to_place(&place),
                _ => opened.forget(),
            }
            link = Some(opened);
        }
        if let Some(step) = self.step {
            talk.go_to_step(step - 1);
        }
        Ok((talk, link))
    }
}

fn no_link(error: NoLink) -> Failure {
    let way_out = match error {
        NoLink::Live(_) => "",
        _ => "; --alone presents without notes",
    };
    Failure::BadUse(format!("no line to the notes: {error}{way_out}"))
}
