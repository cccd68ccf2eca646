//! The course as Home shows it: the lessons that there are, and how far the learner has come.
//!
//! It reads no file itself and keeps nothing beyond the session.

use crate::catalog::ConfigError;
use crate::lesson::{BadLesson, Learner, Lesson, Library, QuestionState};
use std::sync::Arc;

/// How far a learner has come in a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Standing {
    /// Not opened yet.
    #[default]
    New,
    /// Opened, not finished.
    Started,
    /// Finished, every question answered by the learner.
    Done,
    /// Finished, but a solution was shown.
    Shown,
}

#[derive(Debug)]
struct Entry {
    order: Option<u32>,
    name: String,
    lesson: Result<Arc<Lesson>, BadLesson>,
    standing: Standing,
}

/// The lessons.
#[derive(Debug, Default)]
pub struct Course(Vec<Entry>);

/// Why a lesson is not opened.
#[derive(Debug, thiserror::Error)]
pub enum NotOpened {
    /// Its file has faults.
    #[error("{0} has faults: run lockstep lesson lint")]
    Bad(String),
    /// Its cluster cannot be built.
    #[error("{0}")]
    Cluster(#[from] ConfigError),
}

impl Course {
    /// All lessons of a library, read and checked.
    #[must_use]
    pub fn of(library: &Library) -> Self {
        let entry = |shelved: &crate::lesson::load::Shelved| Entry {
            order: shelved.order,
            name: shelved.name.clone(),
            lesson: shelved.lesson(),
            standing: Standing::New,
        };
        Self(library.shelved().iter().map(entry).collect())
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its line in the list.
    #[must_use]
    pub fn line(&self, place: usize) -> String {
        let entry = &self.0[place];
        let number = entry.order.map_or(String::new(), |n| format!("{n:>2}  "));
        match &entry.lesson {
            Ok(lesson) => {
                let minutes = lesson.minutes.map_or(String::new(), |m| format!(", {m} min"));
                format!("{number}{}{minutes}", lesson.title)
            }
            Err(_) => format!("{number}{} (has faults)", entry.name),
        }
    }

    /// What it is about.
    #[must_use]
    pub fn about(&self, place: usize) -> String {
        match &self.0[place].lesson {
            Ok(lesson) => lesson.about.clone(),
            Err(bad) => bad.problems.to_string(),
        }
    }

    /// How far the learner has come.
    #[must_use]
    pub fn standing(&self, place: usize) -> Standing {
        self.0[place].standing
    }

    /// Opens a lesson.
    ///
    /// # Errors
    /// Its file has faults.
    pub fn open(&mut self, place: usize) -> Result<(Learner, crate::lab::Lab), NotOpened> {
        let entry = &mut self.0[place];
        let lesson = entry.lesson.as_ref().map_err(|_| NotOpened::Bad(entry.name.clone()))?;
        let opened = Learner::new(Arc::clone(lesson))?;
        if entry.standing == Standing::New {
            entry.standing = Standing::Started;
        }
        Ok(opened)
    }

    /// Notes how far a learner has come.
    pub fn note(&mut self, learner: &Learner) {
        let id = &learner.lesson().id;
        let same = |e: &&mut Entry| e.lesson.as_ref().is_ok_and(|l| l.id == *id);
        let Some(entry) = self.0.iter_mut().find(same) else { return };
        if learner.finished() {
            let shown = |q: &dyn crate::lesson::question::Question| {
                learner.state_of(q.common().id) == Some(&QuestionState::Shown)
            };
            let any = learner.lesson().questions().any(shown);
            entry.standing = if any { Standing::Shown } else { Standing::Done };
        } else if entry.standing == Standing::New {
            entry.standing = Standing::Started;
        }
    }
}
