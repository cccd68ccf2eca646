//! The course as Home shows it: the lessons that there are, and how far the learner has come.
//!
//! It reads and writes no file itself: lessons come from a library, progress goes to a store.

use crate::catalog::ConfigError;
use crate::lab::Lab;
use crate::lesson::load::LessonEntry;
use crate::lesson::played::{Kept, Left, Played};
use crate::lesson::progress::{KeptFile, NotKept, Store};
use crate::lesson::resume::StudySession;
use crate::lesson::saved::{Progress, Saved};
use crate::lesson::summary::Summary;
use crate::lesson::{BadLesson, Learner, Lesson, Library};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

pub use crate::lesson::saved::Standing;

/// A lesson of the list. Its whole file is read when it is opened, or at once where that alone tells
/// whether it has faults.
#[derive(Debug)]
struct Entry {
    shelved: LessonEntry,
    summary: Result<Summary, BadLesson>,
    lesson: OnceCell<Result<Arc<Lesson>, BadLesson>>,
}

impl Entry {
    fn of(shelved: &LessonEntry) -> Self {
        let shelved = shelved.clone();
        if let Some(summary) = shelved.summary() {
            return Self { shelved, summary: Ok(summary), lesson: OnceCell::new() };
        }
        let lesson = shelved.lesson();
        let summary = lesson.as_ref().map(|lesson| Summary::of(lesson)).map_err(BadLesson::clone);
        Self { shelved, summary, lesson: OnceCell::from(lesson) }
    }

    fn lesson(&self) -> Result<&Arc<Lesson>, &BadLesson> {
        self.lesson.get_or_init(|| self.shelved.lesson()).as_ref()
    }
}

/// The lessons, and what is kept of them.
#[derive(Debug, Default)]
pub struct Course {
    entries: Vec<Entry>,
    store: Option<Store>,
    progress: Progress,
    /// For whom the lessons are drawn; kept with the progress.
    who: Option<String>,
    /// The lesson that is open.
    study: Option<StudySession>,
    /// The lesson that is taken once more: of this run nothing is kept, and what was kept stays.
    again: Option<String>,
    /// Where what was played is kept, and what is known of it.
    runs: Option<KeptFile<Played>>,
    played: Played,
    /// Study sessions that are over and could not be written down; they are tried again.
    unsaved: Vec<StudySession>,
    /// Something that the learner should know, until it is told.
    warning: Option<String>,
    /// What was told last: nobody wants to read it at every key.
    told: Option<String>,
}

/// What is told of a lesson that is taken once more.
pub const AGAIN: &str =
    "Once more: what was recorded of this lesson stays as it is, and nothing of this run is kept.";

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

/// Reads what is needed of lessons on all processors: nobody waits for them one after the other.
fn entries(shelved: &[LessonEntry]) -> Vec<Entry> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(shelved.len().max(1));
    let next = AtomicUsize::new(0);
    let read = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = shelved.get(place) else { return done };
            done.push((place, Entry::of(one)));
        }
    };
    let mut all = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(read)).collect();
        let mut all = read();
        for other in others {
            match other.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, entry)| entry).collect()
}

impl Course {
    /// All lessons of a library. Nothing is kept beyond the session.
    #[must_use]
    pub fn of(library: &Library) -> Self {
        let who = Some(library.who()).filter(|who| !who.is_empty()).map(str::to_owned);
        Self { entries: entries(library.shelved()), who, ..Self::default() }
    }

    /// The same, with what a store keeps; and everything done from now on goes there.
    #[must_use]
    pub fn kept_in(mut self, store: Result<Store, NotKept>) -> Self {
        match store {
            Ok(store) => {
                let runs = store.beside::<Played>();
                match runs.load() {
                    Ok(played) => self.played = played,
                    Err(error) => self.warn(error.to_string()),
                }
                self.runs = Some(runs);
                match store.load() {
                    Ok(progress) => self.progress = progress,
                    Err(error) => self.warn(error.to_string()),
                }
                self.store = Some(store);
            }
            Err(error) => self.warn(error.to_string()),
        }
        self
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of each lesson: its own where every lesson has one, else its place.
    #[must_use]
    pub fn numbers(&self) -> Vec<usize> {
        let own = |entry: &Entry| entry.shelved.order.map(|n| n as usize);
        let orders: Option<Vec<usize>> = self.entries.iter().map(own).collect();
        orders
            .filter(|all| {
                !all.contains(&0) && all.iter().collect::<HashSet<_>>().len() == all.len()
            })
            .unwrap_or_else(|| (1..=self.len()).collect())
    }

    /// Its line in the list, without its number.
    #[must_use]
    pub fn title(&self, place: usize) -> String {
        let entry = &self.entries[place];
        match &entry.summary {
            Ok(summary) => {
                let minutes = summary.minutes.map_or(String::new(), |m| format!(", {m} min"));
                format!("{}{minutes}", summary.title)
            }
            Err(_) => format!("{} (has faults)", entry.shelved.name),
        }
    }

    /// The lesson to go on with: the one that was open last; if it is done, the next that is not.
    #[must_use]
    pub fn to_go_on_with(&self) -> Option<usize> {
        let open = |place: &usize| {
            self.entries[*place].summary.is_ok()
                && matches!(self.standing(*place), Standing::New | Standing::Started)
        };
        let last = self.last().and_then(|last| self.place_of(last)).unwrap_or(0);
        (last..self.len()).chain(0..last).find(open)
    }

    /// What to do next, and how far the course is.
    #[must_use]
    pub fn what_next(&self) -> String {
        let done = (0..self.len()).filter(|place| self.is_done(*place)).count();
        let so_far = format!("{done} of {} lessons done", self.len());
        let Some(place) = self.to_go_on_with() else { return format!("{so_far}.") };
        let number = self.numbers()[place];
        match self.saved(place).and_then(|saved| saved.at) {
            Some(at) => format!("Continue: lesson {number}, page {}. {so_far}.", at.page),
            None if done == 0 => format!("Begin with lesson {number}."),
            None => format!("Next: lesson {number}. {so_far}."),
        }
    }

    /// What it is about.
    #[must_use]
    pub fn about(&self, place: usize) -> String {
        match &self.entries[place].summary {
            Ok(summary) => summary.about.clone(),
            Err(bad) => bad.problems.to_string(),
        }
    }

    /// How far the learner has come.
    #[must_use]
    pub fn standing(&self, place: usize) -> Standing {
        self.saved(place).map_or(Standing::New, Saved::standing)
    }

    /// What is kept of a lesson of the list.
    fn saved(&self, place: usize) -> Option<&Saved> {
        let summary = self.entries[place].summary.as_ref().ok()?;
        self.progress.lessons.get(summary.kept_as.as_str())
    }

    /// Where in the list a lesson stands, by what its progress is kept as.
    #[must_use]
    pub fn place_of(&self, kept_as: &str) -> Option<usize> {
        let is =
            |entry: &Entry| entry.summary.as_ref().is_ok_and(|summary| summary.kept_as == kept_as);
        self.entries.iter().position(is)
    }

    /// The id of the lesson that was open last.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.progress.last.as_deref()
    }

    /// Opens a lesson of the list where the learner stopped.
    ///
    /// # Errors
    /// Its file has faults.
    pub fn open(&mut self, place: usize) -> Result<(Learner, Lab), NotOpened> {
        let entry = &self.entries[place];
        let lesson = entry.lesson().map_err(|_| NotOpened::Bad(entry.shelved.name.clone()))?;
        Ok(self.resume(Arc::clone(lesson))?)
    }

    /// Opens a lesson of the list from its beginning, once more: what was recorded stays as it is, and
    /// nothing of this run is kept.
    ///
    /// # Errors
    /// Its file has faults.
    pub fn open_again(&mut self, place: usize) -> Result<(Learner, Lab), NotOpened> {
        let entry = &self.entries[place];
        let lesson = entry.lesson().map_err(|_| NotOpened::Bad(entry.shelved.name.clone()))?;
        let opened = Learner::new(Arc::clone(lesson))?;
        self.again = Some(opened.0.lesson().kept_as());
        Ok(opened)
    }

    /// Whether a lesson of the list can be taken once more: it was finished.
    #[must_use]
    pub fn is_done(&self, place: usize) -> bool {
        matches!(self.standing(place), Standing::Done | Standing::Shown)
    }

    fn is_again(&self, learner: &Learner) -> bool {
        self.again.as_ref() == Some(&learner.lesson().kept_as())
    }

    /// Opens any lesson where the learner stopped.
    ///
    /// # Errors
    /// Never for a checked lesson.
    pub fn resume(&mut self, lesson: Arc<Lesson>) -> Result<(Learner, Lab), ConfigError> {
        let nothing = Saved::default();
        let saved = self.progress.lessons.get(lesson.kept_as().as_str()).unwrap_or(&nothing);
        let (learner, mut lab) = Learner::resume(lesson, saved)?;
        self.study = Some(StudySession::begin(&learner, saved));
        self.again = None;
        let explored = self.played.explored(&learner.lesson().kept_as());
        let branches = explored.map_or(&[][..], |kept| &kept.branches);
        // A branch that does not fit a new edition of the lesson is as good as none.
        let lost = branches.iter().filter(|branch| lab.graft(branch).is_err()).count();
        if lost > 0 {
            let what = if lost == 1 { "a branch" } else { "some branches" };
            self.warn(format!("{what} that you explored in this lesson cannot be read any more"));
        }
        Ok((learner, lab))
    }

    /// To be called when a cluster is left: what was played in it is kept, of a lesson what was explored.
    /// Says whether there was anything to keep.
    pub fn leave_lab(&mut self, lab: &Lab, learner: Option<&Learner>) -> bool {
        if learner.is_some_and(|learner| self.is_again(learner)) {
            return false;
        }
        let kept = match Kept::of(lab, learner) {
            Left::Nothing => return false,
            Left::TooLong(steps) => {
                self.warn(format!(
                    "a run of {steps} steps is too long to be kept; `save FILE` writes such a run"
                ));
                return false;
            }
            Left::Run(kept, without) => {
                if without > 0 {
                    let what = if without == 1 { "branch has" } else { "branches have" };
                    let many = if without == 1 { String::new() } else { format!("{without} ") };
                    self.warn(format!("the oldest {many}{what} no room and cannot be kept"));
                }
                kept
            }
        };
        let mut dropped = self.played.add(kept.clone());
        let written =
            self.runs.as_ref().map(|runs| runs.update(|played| dropped = played.add(kept)));
        match written {
            Some(Ok((played, aside))) => {
                self.played = played;
                if let Some(aside) = aside {
                    self.warn(aside.to_string());
                }
            }
            Some(Err(error)) => self.warn(format!("what was played is not saved: {error}")),
            None => {}
        }
        if let Some(oldest) = dropped.first() {
            let title = oldest.title();
            self.warn(format!("only so much of what was played is kept: the oldest went, {title}"));
        }
        true
    }

    /// The run of free play that was left last, in words.
    #[must_use]
    pub fn last_run(&self) -> Option<String> {
        self.played.last_free().map(Kept::title)
    }

    /// That run, where it was left.
    ///
    /// # Errors
    /// Why it cannot be gone on with.
    pub fn continue_run(&mut self) -> Result<Lab, String> {
        let kept = self.played.last_free().ok_or("no run of free play was left")?;
        let lab = kept.lab().map_err(|why| format!("the run that was kept cannot be read: {why}"));
        if lab.is_err() {
            // It stays in the file, and the one before is offered.
            let broken = kept.clone();
            self.played.runs.retain(|run| *run != broken);
        }
        lab
    }

    /// To be called after everything that a learner does: answers, hints and solutions are kept at once, and
    /// what was begun as soon as nobody is `writing` on it.
    pub fn note(&mut self, learner: &Learner, writing: bool) {
        if !self.is_again(learner) && self.study_of(learner).note(learner, writing) {
            self.save();
        }
    }

    /// The study session of a learner; one that was not opened here begins now.
    fn study_of(&mut self, learner: &Learner) -> &mut StudySession {
        let id = learner.lesson().kept_as();
        if self.study.as_ref().is_none_or(|study| study.lesson() != id) {
            let nothing = Saved::default();
            let saved = self.progress.lessons.get(id.as_str()).unwrap_or(&nothing);
            self.study = Some(StudySession::begin(learner, saved));
        }
        self.study.as_mut().expect("it was there or has just begun")
    }

    /// To be called when a learner leaves the lesson: where it is left is kept as well.
    pub fn leave(&mut self, learner: &Learner) {
        if self.is_again(learner) {
            self.again = None;
            return;
        }
        self.study_of(learner).note(learner, false);
        self.save();
        // What was written down is not written again; the rest is tried with the next lesson.
        self.unsaved.extend(self.study.take().filter(StudySession::has_news));
    }

    /// What the learner should know and has not been told yet.
    pub fn take_warning(&mut self) -> Option<String> {
        self.warning.take()
    }

    fn warn(&mut self, text: String) {
        if self.told.as_ref() != Some(&text) {
            self.warning = Some(text.clone());
            self.told = Some(text);
        }
    }

    fn save(&mut self) {
        let all = || self.unsaved.iter().chain(&self.study);
        let change = |progress: &mut Progress| {
            if self.who.is_some() {
                progress.who.clone_from(&self.who);
            }
            for study in all() {
                progress.last = Some(study.lesson().to_owned());
                study.add_to(progress.lesson_mut(study.lesson()));
            }
        };
        let written = match &self.store {
            Some(store) => store.update(change),
            None => {
                change(&mut self.progress);
                Ok((std::mem::take(&mut self.progress), None))
            }
        };
        match written {
            Ok((progress, aside)) => {
                self.progress = progress;
                self.unsaved.clear();
                self.study.iter_mut().for_each(StudySession::written);
                if let Some(aside) = aside {
                    self.warn(aside.to_string());
                }
            }
            Err(error) => {
                if let Some(study) = &self.study {
                    let id = study.lesson().to_owned();
                    *self.progress.lesson_mut(&id) = study.saved().clone();
                }
                self.warn(format!("not saved: {error}"));
            }
        }
    }
}
