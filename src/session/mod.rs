//! What a person does with a cluster and a lesson: moving through runs, answering, what is kept back and
//! what is kept.
//!
//! Both faces drive it: each turns its keys or words into a [`Command`] and says the [`Remark`]s that come
//! back. It knows no key, no character that is drawn, and no width of a line.

mod asking;
pub mod bench;
pub mod command;
pub mod deciding;
pub mod draft;
mod moves;
pub mod playing;
pub mod remark;
pub mod words;

pub use bench::Bench;
pub use command::{Command, MessageVerb, To};
pub use draft::{AnswerDraft, Cards, Cells};
pub use remark::{Checked, NoQuestion, NoRun, Quiet, Remark};

use crate::lab::Lab;
use crate::lesson::{Learner, QuestionView};
use crate::model::Event;
use crate::sim::{KeptBack, Policy, RevId, SplitMix64};

/// Where a person stands; it decides what one step on means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// There is no lesson: along the branch, else the oldest message.
    FreePlay,
    /// At the lesson's point: the lesson's next event or page.
    Lesson,
    /// A question is answered in the cluster: what was taken back, else the oldest message.
    AnsweringInCluster,
    /// In the run in which an answer is wrong: its next event, else as while exploring.
    LookingAtWrong,
    /// Elsewhere than the lesson: along the branch, else the oldest message.
    Exploring,
}

/// A cluster, the learner in its lesson, and what they are about.
#[derive(Debug)]
pub struct Session {
    bench: Bench,
    /// The lesson's cluster, while a question is answered in a copy of it or in one of its own.
    home: Option<Bench>,
    learner: Option<Learner>,
    /// The question that is open for an answer.
    open: Option<AnswerDraft>,
    /// While the learner looks at what was wrong: the events that are still ahead.
    looking: Option<Vec<Event>>,
    seed: Option<u64>,
    policy: Policy,
    /// Whether the solution was asked for once; the second time it is shown.
    wants_solution: bool,
    /// Whether somebody is in the middle of typing or marking an answer.
    writing: bool,
}

impl Session {
    /// A cluster, in a lesson with its learner.
    #[must_use]
    pub fn new(lab: Lab, learner: Option<Learner>) -> Self {
        Self {
            bench: Bench::of(lab),
            home: None,
            learner,
            open: None,
            looking: None,
            seed: None,
            policy: Policy::Oldest,
            wants_solution: false,
            writing: false,
        }
    }

    /// The cluster in which one plays now.
    #[must_use]
    pub fn lab(&self) -> &Lab {
        self.bench.lab()
    }

    /// The cluster with everything that was played.
    #[must_use]
    pub fn into_lab(self) -> Lab {
        self.bench.into_lab()
    }

    /// The cluster, with what is kept back and marked in it.
    #[must_use]
    pub fn bench(&self) -> &Bench {
        &self.bench
    }

    /// What is kept back.
    #[must_use]
    pub fn kept(&self) -> &KeptBack {
        self.bench.kept()
    }

    /// The learner, in a lesson.
    #[must_use]
    pub fn learner(&self) -> Option<&Learner> {
        self.learner.as_ref()
    }

    /// The answer to the question that is open.
    #[must_use]
    pub fn answer(&self) -> Option<&AnswerDraft> {
        self.open.as_ref()
    }

    /// The seed from which runs are drawn.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The lesson's own cluster, while a question may be answered in another one.
    #[must_use]
    pub fn lesson_lab(&self) -> &Lab {
        self.home.as_ref().unwrap_or(&self.bench).lab()
    }

    /// Whether a question is answered in a cluster with settings of its own.
    #[must_use]
    pub fn in_own_cluster(&self) -> bool {
        matches!(&self.open, Some(AnswerDraft::Played(play)) if play.how.config.is_some())
    }

    /// Where one stands.
    #[must_use]
    pub fn place(&self) -> Where {
        let Some(learner) = &self.learner else { return Where::FreePlay };
        if self.open.as_ref().is_some_and(AnswerDraft::in_cluster) {
            Where::AnsweringInCluster
        } else if self.looking.is_some() {
            Where::LookingAtWrong
        } else if learner.exploring(self.lab()) {
            Where::Exploring
        } else {
            Where::Lesson
        }
    }

    /// Whether the learner has left the lesson's run, other than to answer.
    #[must_use]
    pub fn exploring(&self) -> bool {
        matches!(self.place(), Where::LookingAtWrong | Where::Exploring)
    }

    /// The page's question, where it is due and the learner is not elsewhere.
    #[must_use]
    pub fn question(&self) -> Option<QuestionView> {
        if self.exploring() {
            return None;
        }
        self.learner.as_ref().and_then(Learner::question)
    }

    /// The same, if it can still be answered.
    #[must_use]
    pub fn open_question(&self) -> Option<QuestionView> {
        self.question().filter(|question| !question.state.closed())
    }

    /// Whether an event can happen here, as far as the question allows it that is answered by playing.
    #[must_use]
    pub fn can(&self, event: Event) -> bool {
        let allowed = match (self.place(), &self.learner) {
            (Where::AnsweringInCluster, Some(learner)) => learner.allows(event),
            _ => true,
        };
        allowed && self.lab().state().check(event).is_ok()
    }

    /// Random steps are drawn from this seed from now on.
    pub fn use_seed(&mut self, seed: u64) {
        self.seed = Some(seed);
        self.policy = Policy::Seeded(SplitMix64::new(seed));
    }

    /// The point from which on is recorded: the mark, else where the question or the lesson stands, else
    /// the beginning of the run.
    ///
    /// # Errors
    /// The mark lies in another run.
    pub fn recorded_from(&self) -> Result<RevId, &'static str> {
        let history = self.lab().history();
        let here = self.bench.here();
        let behind = |rev: &RevId| history.ancestors(here).any(|at| at == *rev);
        match self.bench.mark() {
            Some(mark) if behind(&mark) => return Ok(mark),
            Some(_) => {
                return Err(
                    "what began at the mark is another branch; record alone sets the mark here",
                );
            }
            None => {}
        }
        let question = match &self.open {
            Some(AnswerDraft::Played(play)) => Some(play.from()),
            _ => None,
        };
        let lesson = self.learner.as_ref().filter(|_| self.home.is_none());
        let lesson = lesson.map(|learner| learner.moment().rev);
        let found = question.into_iter().chain(lesson).find(|rev| *rev != here && behind(rev));
        Ok(found.unwrap_or(RevId::ROOT))
    }

    /// Whether somebody is in the middle of typing or marking an answer; what is begun is written down as
    /// soon as nobody is.
    #[must_use]
    pub fn writing(&self) -> bool {
        self.writing && self.open.is_some()
    }

    /// To be called when something is done that is no command, such as choosing or reading: what was asked
    /// for once has to be asked for anew.
    pub fn something_else(&mut self) {
        self.wants_solution = false;
    }

    /// Changes the answer that is being put together. It is kept with the learner, and written down when
    /// the question is put aside.
    pub fn edit<T>(&mut self, change: impl FnOnce(&mut AnswerDraft) -> T) -> Option<T> {
        (self.wants_solution, self.writing) = (false, true);
        let done = self.open.as_mut().map(change);
        self.keep_draft();
        done
    }

    /// Does something, and returns what there is to say to it, in order.
    pub fn act(&mut self, command: Command) -> Vec<Remark> {
        let asked_once = command == Command::Reveal && self.wants_solution;
        (self.wants_solution, self.writing) = (false, false);
        let remarks = match command {
            Command::Next => self.next(),
            Command::PlayOn => self.play_on(),
            Command::Back => self.back(),
            Command::Go(to) => self.go(to),
            Command::Play(event) => self.play(event, None),
            Command::Message(verb, number) => self.message(verb, number),
            Command::Lines(text) => self.lines(&text),
            Command::Hold(number) => self.hold(number),
            Command::Run => self.run(None),
            Command::Until(goal) => self.run(Some(&goal)),
            Command::Seed(seed) => {
                self.use_seed(seed);
                vec![Remark::Seeded(seed)]
            }
            Command::Mark => {
                self.bench.set_mark();
                vec![Remark::Marked]
            }
            Command::Open => self.open(),
            Command::PutAside => self.put_aside(),
            Command::HandIn => self.hand_in_draft(),
            Command::Answer(raw) => self.hand_in(&raw),
            Command::Write(at, text) => {
                if let Some(draft) = &mut self.open {
                    draft.write(at, &text);
                }
                Vec::new()
            }
            Command::AnswerPlayed => self.hand_in_run(),
            Command::Impossible => self.hand_in_impossible(),
            Command::Say(word) => self.say_word(word),
            Command::DoNotPlay => self.do_not_play(),
            Command::Decide(word) => self.decide(word),
            Command::Hint => self.hint(),
            Command::Reveal => self.reveal(asked_once),
            Command::Return => self.return_to_lesson(),
        };
        self.keep_draft();
        remarks
    }

    /// Keeps what has been put together with the learner; it outlives the question's being closed. What
    /// was handed in last is no draft.
    fn keep_draft(&mut self) {
        let (Some(draft), Some(learner)) = (&self.open, &self.learner) else { return };
        let Some(question) = learner.question() else { return };
        let (text, answer) = match draft {
            // From elsewhere it cannot be told what was played.
            AnswerDraft::Played(play) => match play.draft(self.bench.lab()) {
                Some(text) => (Some(text.clone()), text),
                None => return,
            },
            other => (other.text(&question.picks), other.answer(&question.picks)),
        };
        let text = text.filter(|text| !text.is_empty() && !learner.said_before(&answer));
        if let Some(learner) = &mut self.learner {
            learner.keep_draft(text);
        }
    }
}
