//! What was played and is part of no answer: runs of free play with all their branches, and what was
//! explored in lessons. Each branch is the one text form of a run.
//!
//! Plain data and its bounds; the file is `progress`'s business.

use super::Learner;
use crate::lab::Lab;
use crate::sim::RevId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// So many runs are kept; the oldest go first.
pub const MOST_RUNS: usize = 40;
/// Bytes of all branches of one run. Its oldest branches go first.
const MOST_OF_ONE: usize = 128 << 10;
/// Bytes of everything.
const MOST_OF_ALL: usize = 1 << 20;

/// All runs that are kept, the one that was left last at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// The version of the file.
    pub played: u32,
    /// The runs.
    #[serde(default)]
    pub runs: Vec<Kept>,
}

/// The version of the file.
pub const VERSION: u32 = 1;

impl Default for Played {
    fn default() -> Self {
        Self { played: VERSION, runs: Vec::new() }
    }
}

/// One run with its branches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The lesson in which it was explored, as its progress is kept; none: it is a run of free play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lesson: Option<String>,
    /// Its branches, each from the beginning to its end. The last one is that on which one stood.
    pub branches: Vec<String>,
    /// How many steps of the last branch lead to where one stood.
    #[serde(default)]
    pub step: u32,
}

/// What comes of looking at a run that is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// There is nothing to keep.
    Nothing,
    /// This is to be kept; so many of its branches, the oldest, have no room.
    Run(Kept, usize),
    /// It has so many steps that it is not kept.
    TooLong(u32),
}

/// Whether a branch is another one, or goes on with it.
fn goes_on(branch: &str, with: &str) -> bool {
    branch.strip_prefix(with).is_some_and(|rest| rest.is_empty() || rest.starts_with("; "))
}

impl Kept {
    /// What is to be kept of a lab that is left: all of a run of free play, and of a lesson's what was
    /// explored beside its trail.
    #[must_use]
    pub fn of(lab: &Lab, learner: Option<&Learner>) -> Left {
        let history = lab.history();
        let trail: BTreeSet<RevId> =
            learner.map_or([RevId::ROOT].into(), |l| l.trail().iter().map(|m| m.rev).collect());
        let here = history.cursor();
        let stood = history.redo_path(here).last().unwrap_or(here);
        let leaf = |rev: &RevId| history.children(*rev).next().is_none();
        let own = |rev: &RevId| !trail.contains(rev);
        let mut ends: Vec<RevId> =
            history.all().filter(leaf).filter(own).filter(|rev| *rev != stood).collect();
        ends.extend(own(&stood).then_some(stood));
        let Some(last) = ends.last() else { return Left::Nothing };
        let mut branches: Vec<String> = ends.iter().map(|rev| lab.line_to(*rev)).collect();
        if !within(&mut branches, MOST_OF_ONE) {
            return Left::TooLong(history.depth(*last));
        }
        let lesson = learner.map(|learner| learner.lesson().kept_as());
        let without = ends.len() - branches.len();
        Left::Run(Self { lesson, branches, step: history.depth(here) }, without)
    }

    /// The run of free play, with its branches, where one stood.
    ///
    /// # Errors
    /// What is wrong with the text that was kept.
    pub fn lab(&self) -> Result<Lab, String> {
        let (last, others) = self.branches.split_last().ok_or("nothing was kept of it")?;
        let mut lab = Lab::of_line(last).map_err(|error| error.to_string())?;
        let stood = lab.history().depth(lab.history().cursor());
        for branch in others {
            lab.graft(branch).map_err(|error| error.to_string())?;
        }
        (self.step..stood).for_each(|_| {
            lab.history_mut().back();
        });
        Ok(lab)
    }

    /// What it is a run of, and where one stood in it.
    #[must_use]
    pub fn title(&self) -> String {
        let last = self.branches.last().map_or("", String::as_str);
        let title = crate::lab::line::title(last).unwrap_or_else(|| "a run".to_owned());
        let steps =
            if self.step == 1 { "1 step".to_owned() } else { format!("{} steps", self.step) };
        match &self.lesson {
            Some(lesson) => format!("the lesson {lesson}, {title}"),
            None => format!("{title}, {steps}"),
        }
    }

    fn bytes(&self) -> usize {
        self.branches.iter().map(String::len).sum()
    }
}

/// Drops the oldest texts until all have room. Returns whether the last one has.
fn within(texts: &mut Vec<String>, most: usize) -> bool {
    while texts.iter().map(String::len).sum::<usize>() > most {
        texts.remove(0);
    }
    !texts.is_empty()
}

impl Played {
    /// Adds a run. One that goes on with another takes its place; gives back those for which there is no
    /// more room.
    pub fn add(&mut self, mut new: Kept) -> Vec<Kept> {
        let known = |branch: &str, new: &Kept| new.branches.iter().any(|b| goes_on(b, branch));
        self.runs.retain_mut(|old| {
            if old.lesson != new.lesson {
                return true;
            }
            if new.lesson.is_some() {
                // Another copy of the program may have explored the same lesson meanwhile.
                old.branches.retain(|branch| !known(branch, &new));
                new.branches.splice(0..0, old.branches.drain(..));
                return false;
            }
            !old.branches.iter().all(|branch| known(branch, &new))
        });
        within(&mut new.branches, MOST_OF_ONE);
        self.runs.push(new);
        let mut dropped = Vec::new();
        let bytes = |runs: &[Kept]| runs.iter().map(Kept::bytes).sum::<usize>();
        while self.runs.len() > MOST_RUNS || bytes(&self.runs) > MOST_OF_ALL {
            dropped.push(self.runs.remove(0));
        }
        dropped
    }

    /// The run of free play that was left last.
    #[must_use]
    pub fn last_free(&self) -> Option<&Kept> {
        self.runs.iter().rfind(|run| run.lesson.is_none())
    }

    /// What was explored in a lesson.
    #[must_use]
    pub fn explored(&self, kept_as: &str) -> Option<&Kept> {
        self.runs.iter().find(|run| run.lesson.as_deref() == Some(kept_as))
    }

    /// Takes out what was explored in lessons.
    pub fn forget(&mut self, lessons: &[String]) {
        self.runs.retain(|run| run.lesson.as_ref().is_none_or(|id| !lessons.contains(id)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(lesson: Option<&str>, branches: &[&str]) -> Kept {
        let branches = branches.iter().map(|b| (*b).to_owned()).collect();
        Kept { lesson: lesson.map(str::to_owned), branches, step: 0 }
    }

    #[test]
    fn a_run_that_goes_on_with_another_takes_its_place() {
        let mut all = Played::default();
        all.add(run(None, &["lamport; nodes=P1,P2; request P1"]));
        all.add(run(
            None,
            &["lamport; nodes=P1,P2; request P1; exit P1", "lamport; nodes=P1,P2; request P2"],
        ));
        assert_eq!(all.runs.len(), 1);
        all.add(run(None, &["lamport; nodes=P1,P2; request P11"]));
        assert_eq!(all.runs.len(), 2, "P11 is another node than P1");
        all.add(run(Some("x"), &["lamport; a"]));
        all.add(run(Some("x"), &["lamport; b"]));
        assert_eq!(
            all.explored("x").map(|k| k.branches.join("|")).as_deref(),
            Some("lamport; a|lamport; b")
        );
        assert_eq!(all.last_free().map(|k| k.branches.len()), Some(1));
        all.forget(&["x".to_owned()]);
        assert_eq!(all.explored("x"), None);
    }

    #[test]
    fn no_more_is_kept_than_the_bounds_say_and_what_goes_is_given_back() {
        let mut all = Played::default();
        for n in 0..MOST_RUNS {
            assert!(all.add(run(None, &[&format!("lamport; nodes=A{n}")])).is_empty());
        }
        let gone = all.add(run(None, &["lamport; nodes=B"]));
        assert_eq!(gone, [run(None, &["lamport; nodes=A0"])]);
        let long = "x".repeat(MOST_OF_ONE);
        for n in 0..20 {
            all.add(run(Some(&n.to_string()), &[&long]));
        }
        assert!(all.runs.iter().map(Kept::bytes).sum::<usize>() <= MOST_OF_ALL);
        let mut both = run(Some("y"), &["old", &long]);
        all.add(both.clone());
        both.branches.remove(0);
        assert_eq!(all.explored("y"), Some(&both), "the oldest branch goes first");
    }
}
