//! The program on one lesson that is being written: nothing is kept, and what was saved is loaded again.
//!
//! When the file is looked at is the business of `previewing`, what has changed that of the lesson.

use super::{App, Screen};
use crate::catalog::ConfigError;
use crate::lesson::edited::edited;
use crate::lesson::watch::{Found, Watched};
use crate::lesson::{Learner, Lesson};
use crate::ui::Flow;
use crate::ui::course::Course;
use crate::ui::keymap::Input;
use crate::ui::panel::Look;
use crate::ui::previewing::Previewing;
use crate::ui::screen::stepper::Stepper;
use std::sync::Arc;

/// What is told of a file that was whole.
const BROKEN: &str = "the file has faults: this is its last good state";

impl App {
    /// A lesson as learners see it, loaded again whenever its file is saved. No progress is read or kept.
    ///
    /// # Errors
    /// Never for a checked lesson.
    pub fn preview(
        watched: Watched,
        lesson: Arc<Lesson>,
        look: Look,
        mouse: bool,
    ) -> Result<Self, ConfigError> {
        let mut app = Self::new(Course::default(), look, mouse);
        let (learner, lab) = Learner::new(Arc::clone(&lesson))?;
        app.open(Stepper::lesson(learner, lab));
        app.preview = Some(Box::new(Previewing::of(watched, lesson)));
        Ok(app)
    }

    /// A tick of a preview: the file is looked at, and the screen has its own tick when that is due.
    pub(super) fn preview_tick(&mut self) -> Flow {
        let own = self.own_tick();
        let Some(preview) = &mut self.preview else {
            return own.map_or(Flow::Unchanged, |_| self.top_input(&Input::Tick));
        };
        let due = preview.tick(own);
        match due.found {
            Found::Nothing if due.tick => return self.top_input(&Input::Tick),
            Found::Nothing => return Flow::Unchanged,
            Found::Broken(bad) => {
                preview.broken(bad);
                self.tell_or_hush(Some(BROKEN));
            }
            Found::Lesson(lesson) => self.load_again(lesson),
        }
        Flow::Changed
    }

    /// Says in the lesson how its file stands, or takes that back.
    fn tell_or_hush(&mut self, text: Option<&str>) {
        let steppers = self.screens.iter_mut().filter_map(|screen| match screen {
            Screen::Stepper(stepper) => Some(stepper),
            _ => None,
        });
        for stepper in steppers {
            match text {
                Some(text) => stepper.tell(text.to_owned()),
                None => stepper.take_back(BROKEN),
            }
        }
    }

    /// Shows a lesson that was saved, at the step that was edited; else where one stands.
    fn load_again(&mut self, lesson: Arc<Lesson>) {
        let Some(preview) = &mut self.preview else { return };
        let text = |lesson: &Lesson| lesson.document().source().text().to_owned();
        let was_broken = preview.is_broken();
        let as_it_was = text(&preview.lesson) == text(&lesson);
        let change = edited(&preview.lesson, &lesson);
        preview.mended(Arc::clone(&lesson));
        if as_it_was {
            if was_broken {
                self.tell_or_hush(None);
            }
            return;
        }
        let Ok((mut learner, mut lab)) = Learner::new(lesson) else { return };
        let old = self.screens.drain(..).next();
        let old = old.and_then(|screen| match screen {
            Screen::Stepper(stepper) => Some(stepper),
            _ => None,
        });
        let stood = old.as_ref().and_then(|stepper| stepper.learner()).map(|old| {
            let here = old.moment();
            (here.step, here.played >= old.step().run.len())
        });
        let (step, asked) = change.map_or(stood.unwrap_or((0, false)), |e| (e.step, e.asked));
        learner.skip_to(&mut lab, step.min(learner.lesson().steps().len() - 1), asked);
        let page = learner.page().0;
        let mut stepper = Stepper::lesson(learner, lab);
        if let Some(old) = old {
            stepper.look_as(&old);
        }
        stepper.tell(match change {
            Some(_) => format!("loaded again: page {page} was edited"),
            None => "loaded again: no step has changed".to_owned(),
        });
        self.open(stepper);
    }
}
