//! Lessons: what is said, played and asked, and the learner on the way through it.
//!
//! A lesson drives the same cluster as everybody else; nothing here draws, and no rule of any
//! algorithm is known here.

pub mod answers;
pub mod author;
pub mod batch;
pub mod check;
pub mod drill;
pub mod edited;
pub mod file;
pub mod grade;
pub mod keyless;
pub mod kinds;
pub mod learner;
pub mod lint;
pub mod load;
pub mod mark;
pub mod played;
pub mod progress;
pub mod question;
pub mod record;
pub mod report;
pub mod resume;
mod salvage;
pub mod saved;
pub mod schema;
pub mod seen;
pub mod strip;
pub mod submitter;
pub mod summary;
pub mod vary;
pub mod walk;
pub mod watch;
pub mod worksheet;

use crate::catalog::ConfigError;
use crate::input::Document;
use crate::lab::Lab;
use crate::model::{Config, Event};
use question::Question;
use std::sync::Arc;

pub use learner::{Answered, Learner, Moment, Next, QuestionView};
pub use load::{BadLesson, Library, NotOpened};
pub use mark::QuestionState;

/// What stands above the objectives of a lesson.
pub const OBJECTIVES: &str = "After this lesson you can";

/// A lesson that was checked: its cluster exists, its events can happen where they stand, and every
/// question has exactly one right answer. Only `check` makes one.
#[derive(Debug)]
pub struct Lesson {
    /// Stable name.
    pub id: String,
    /// The title.
    pub title: String,
    /// What it is about, in a sentence or two.
    pub about: String,
    /// Where its facts come from.
    pub source: Option<String>,
    /// How many minutes it takes.
    pub minutes: Option<u32>,
    /// Ids of the lessons to do before.
    pub needs: Vec<String>,
    /// What the learner can do afterwards: name and sentence.
    pub objectives: Vec<(String, String)>,
    /// Whether its keys were taken out for the learners.
    pub stripped: bool,
    /// Whether it is a drill: made up from a seed, and not kept.
    pub drill: bool,
    /// For whom it was drawn; empty: for nobody in particular.
    pub who: String,
    /// What was drawn, like `A=P2, low=3`; `None`: it is the same for everybody.
    pub drawn: Option<String>,
    /// Everything that may be drawn from the file; `None`: nothing is.
    pub draws: Option<Arc<vary::Draws>>,
    /// The cluster.
    pub config: Config,
    /// How often each node asks when every schedule is checked.
    pub requests: Vec<u32>,
    steps: Vec<Step>,
    document: Document,
}

/// One step of a lesson, on one page.
#[derive(Debug)]
pub struct Step {
    /// Markdown for the learner.
    pub say: Option<String>,
    /// For the presenter alone.
    pub note: Option<String>,
    /// Events, played one by one.
    pub run: Vec<Event>,
    /// What is asked once they are played.
    pub question: Option<Box<dyn Question>>,
}

impl Step {
    /// The event with which a page without words begins.
    fn opening(&self) -> Option<Event> {
        self.run.first().copied().filter(|_| self.say.is_none())
    }
}

impl Lesson {
    /// Its steps; at least one.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What whoever opens it should know: that nobody has said for whom it is drawn.
    #[must_use]
    pub fn remark(&self) -> Option<&'static str> {
        let nobody = self.drawn.is_some() && self.who.is_empty();
        nobody.then_some(
            "the numbers of this lesson are drawn from a name, and none was given: \
             --who \"Your Name\" before the command draws your own",
        )
    }

    /// Its questions, in order.
    pub fn questions(&self) -> impl Iterator<Item = &dyn Question> {
        self.steps.iter().filter_map(|s| s.question.as_deref())
    }

    /// The file that it came from, with the place of every value.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The name under which progress is kept: what was drawn for two names are two lessons.
    #[must_use]
    pub fn kept_as(&self) -> String {
        let who = vary::folded(&self.who);
        if self.drawn.is_none() || who.is_empty() {
            return self.id.clone();
        }
        format!("{}{}{who}", self.id, vary::FOR)
    }

    /// The same lesson as it is drawn for somebody else.
    ///
    /// # Errors
    /// What is wrong with that draw, which `lint` excludes.
    pub fn for_who(&self, who: &str) -> Result<Arc<Self>, BadLesson> {
        let source = self.document.source();
        match check::again(self, who) {
            Ok(lesson) => Ok(Arc::new(lesson)),
            Err(problems) => Err(BadLesson { problems, source: Some(Box::new(source.clone())) }),
        }
    }

    /// A lab at the beginning of its cluster.
    ///
    /// # Errors
    /// Never for a lesson that was checked; the type says so for callers that hold a `Config`.
    pub fn lab(&self) -> Result<Lab, ConfigError> {
        Lab::new(self.config.clone())
    }
}
