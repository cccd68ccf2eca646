//! A question of the lesson: opening it, putting an answer together, handing it in, hints, the solution.
//!
//! What is right is the lesson's business.

use super::bench::Bench;
use super::draft::{AnswerDraft, kept};
use super::remark::{Checked, NoQuestion, Remark};
use super::{Session, Where};
use crate::lab::Lab;
use crate::lesson::question::drive::IMPOSSIBLE;
use crate::lesson::question::{Way, WrongAt};
use crate::lesson::{Answered, Learner};
use crate::model::{Config, Event, Schedule};
use crate::sim::Refused;

impl Session {
    /// Why there is no question that could be meant.
    fn no_question(&self) -> NoQuestion {
        match (self.place(), self.learner.as_ref().and_then(Learner::question)) {
            (Where::FreePlay, _) => NoQuestion::NoLesson,
            (Where::Exploring | Where::LookingAtWrong, _) => NoQuestion::Exploring,
            (Where::Lesson | Where::AnsweringInCluster, None) => NoQuestion::NotYet,
            (Where::Lesson | Where::AnsweringInCluster, Some(_)) => NoQuestion::Closed,
        }
    }

    /// Opens the page's question with what was put together before; one that is answered in the cluster
    /// sets out to where it begins.
    pub(super) fn open(&mut self) -> Vec<Remark> {
        if self.open.is_some() {
            return Vec::new();
        }
        let Some(question) = self.open_question() else {
            return vec![Remark::NoQuestion(self.no_question())];
        };
        let kept = kept(&question).unwrap_or("").to_owned();
        let mut draft = AnswerDraft::of(&question);
        match &mut draft {
            AnswerDraft::Played(play) => {
                let own = play.how.config.as_deref();
                let lab = match (own, &play.how.start) {
                    (Some(config), _) => fresh(config),
                    // Of the lesson's run nothing may lie ahead where the question begins.
                    (None, Some(_)) => fresh(self.lab().config()),
                    (None, None) => self.copy(),
                };
                self.home = Some(std::mem::replace(&mut self.bench, Bench::of(lab)));
                play.set_out(&mut self.bench, &kept);
            }
            AnswerDraft::Decided(decide) => {
                let decisions = self.learner.as_ref().map(|l| l.decisions(self.bench.lab()));
                let copy = Bench::of(self.copy());
                self.home = Some(std::mem::replace(&mut self.bench, copy));
                decide.set_out(&mut self.bench, decisions.unwrap_or_default(), &kept);
            }
            AnswerDraft::Pick(_) | AnswerDraft::Marks(_) | AnswerDraft::Order(_) => {}
            AnswerDraft::Line(_) | AnswerDraft::Cells(_) => {}
        }
        self.open = Some(draft);
        Vec::new()
    }

    /// The cluster where it stands, with nothing played elsewhere: what is ahead in it belongs to the
    /// answer alone.
    fn copy(&self) -> Lab {
        let mut copy = fresh(self.lab().config());
        for event in self.lab().history().schedule(self.bench.here()).0 {
            copy.play(event).expect("it was played before");
        }
        copy
    }

    pub(super) fn put_aside(&mut self) -> Vec<Remark> {
        let Some(draft) = &self.open else { return Vec::new() };
        let cluster = draft.in_cluster();
        self.keep_draft();
        let question = self.learner.as_ref().and_then(Learner::question);
        let kept = question.is_some_and(|question| kept(&question).is_some());
        self.come_back();
        vec![Remark::Aside { kept, cluster }]
    }

    /// The question is open no longer; whoever answered it in the cluster stands at the lesson's point.
    fn come_back(&mut self) {
        self.open = None;
        if let Some(home) = self.home.take() {
            self.bench = home;
        }
    }

    fn go_to_lesson(&mut self) {
        if let Some(rev) = self.learner.as_ref().map(|learner| learner.moment().rev) {
            self.bench.go_to(rev);
        }
    }

    pub(super) fn return_to_lesson(&mut self) -> Vec<Remark> {
        if self.learner.is_none() {
            return vec![Remark::NoQuestion(NoQuestion::NoLesson)];
        }
        let returned = self.exploring();
        if returned {
            self.looking = None;
            self.go_to_lesson();
        }
        vec![Remark::AtLesson { returned }]
    }

    pub(super) fn hand_in_draft(&mut self) -> Vec<Remark> {
        match &self.open {
            None => vec![Remark::NoQuestion(self.no_question())],
            Some(AnswerDraft::Played(play)) => match play.lines(self.lab()) {
                None => vec![Remark::OtherRun],
                Some(lines) if lines.is_empty() => vec![Remark::NothingPlayed],
                Some(lines) => self.hand_in(&lines.join("; ")),
            },
            Some(draft) => {
                let picks = self.question().map(|question| question.picks).unwrap_or_default();
                let raw = draft.answer(&picks);
                self.hand_in(&raw)
            }
        }
    }

    pub(super) fn hand_in_impossible(&mut self) -> Vec<Remark> {
        self.hand_in(IMPOSSIBLE)
    }

    pub(super) fn hand_in_run(&mut self) -> Vec<Remark> {
        let events = match self.run_to_hand_in() {
            Ok(events) => events,
            Err(why) => return vec![Remark::NoRunToHandIn(why)],
        };
        let raw = Schedule(events).show(&self.lab().setup().names);
        self.return_to_lesson();
        let mut remarks = vec![Remark::CameBack];
        remarks.extend(self.hand_in(&raw));
        remarks
    }

    /// Hands an answer in. The same wrong one once more costs no attempt: what is wrong with it can be
    /// looked at instead.
    pub(super) fn hand_in(&mut self, raw: &str) -> Vec<Remark> {
        if self.exploring() || self.learner.is_none() {
            return vec![Remark::NoQuestion(self.no_question())];
        }
        let Some(learner) = &mut self.learner else { return Vec::new() };
        if learner.said_before(raw) {
            return vec![self.said_before(raw)];
        }
        let before = learner.moment().rev;
        let lesson = self.home.as_mut().unwrap_or(&mut self.bench);
        match lesson.moving(|lab| learner.answer(lab, raw)) {
            Answered::Form(how) => vec![Remark::Form(how)],
            Answered::Closed(why) => vec![Remark::Closed(why)],
            Answered::Verdict { lines, .. } => {
                let happened = learner.moment().rev != before;
                let closed = learner.question().is_none_or(|question| question.state.closed());
                let copy = closed && self.place() == Where::AnsweringInCluster;
                // A node's decisions begin anew.
                if closed || matches!(self.open, Some(AnswerDraft::Decided(_))) {
                    self.come_back();
                }
                vec![Remark::Verdict(Checked { lines, happened, copy })]
            }
        }
    }

    fn said_before(&mut self, raw: &str) -> Remark {
        let wrong = self.learner.as_ref().and_then(|l| l.wrong_at(self.lesson_lab()));
        match (&self.open, wrong) {
            (_, _) if raw == IMPOSSIBLE => Remark::ImpossibleBefore,
            (Some(AnswerDraft::Played(_)), None) => Remark::PlayedBefore,
            (Some(AnswerDraft::Played(_)), Some(wrong)) => self.go_before_line(&wrong),
            // A run that was given whole begins in its own cluster, maybe elsewhere: it is opened there.
            (None, Some(wrong)) if self.is_played() => {
                self.open();
                self.go_before_line(&wrong)
            }
            (_, Some(wrong)) => self.look_at(wrong),
            (_, None) => {
                if self.place() == Where::AnsweringInCluster {
                    self.come_back();
                }
                Remark::SaidBefore
            }
        }
    }

    fn is_played(&self) -> bool {
        self.question().is_some_and(|question| matches!(question.way, Way::Play(_)))
    }

    /// Goes to the point before a line of the answer; what was said of that line is asked again.
    fn go_before_line(&mut self, wrong: &WrongAt) -> Remark {
        if let Some(AnswerDraft::Played(play)) = &mut self.open
            && let Some(way) = play.way(self.bench.lab())
        {
            if let Some(rev) = way.get(wrong.point) {
                play.forget_word(*rev);
            }
            let before = wrong.point.checked_sub(1).and_then(|line| way.get(line).copied());
            self.bench.go_to(before.unwrap_or(play.from()));
        }
        Remark::BeforeWrong(wrong.what.clone())
    }

    /// Goes to the point where an answer goes wrong; the run that follows is ahead.
    fn look_at(&mut self, wrong: WrongAt) -> Remark {
        self.come_back();
        let (before, ahead) = wrong.events.split_at(wrong.point);
        for event in before {
            self.bench.play(*event).expect("the question has played these events from here");
        }
        self.looking = Some(ahead.to_vec());
        Remark::LookingAtWrong(wrong.what)
    }

    /// Whether handing in would lead to what was wrong in what was handed in before.
    #[must_use]
    pub fn goes_before_wrong(&self) -> bool {
        let wrong = || self.learner.as_ref().and_then(|l| l.wrong_at(self.lesson_lab()));
        matches!(self.open, Some(AnswerDraft::Played(_)))
            && self.verdict_stands()
            && wrong().is_some()
    }

    /// Whether what was said of the last answer is still about what one sees: a run that is played may have
    /// gone on since.
    #[must_use]
    pub fn verdict_stands(&self) -> bool {
        let (Some(AnswerDraft::Played(play)), Some(learner)) = (&self.open, &self.learner) else {
            return true;
        };
        let said = |raw: &str| learner.said_before(raw);
        said(IMPOSSIBLE) || play.lines(self.lab()).is_some_and(|lines| said(&lines.join("; ")))
    }

    /// Plays a run from the beginning and stands at its beginning, so that it can be stepped.
    ///
    /// # Errors
    /// An event of it cannot happen.
    pub fn show_run(&mut self, events: &[Event]) -> Result<(), Refused> {
        self.bench.moving(|lab| lab.lay_out(events))
    }

    pub(super) fn say_word(&mut self, place: usize) -> Vec<Remark> {
        let Some(AnswerDraft::Played(play)) = &mut self.open else { return Vec::new() };
        let Some(word) = play.how.annotate.get(place).cloned() else { return Vec::new() };
        match play.take_pending() {
            Some(event) => self.play(event, Some(&word)),
            None => Vec::new(),
        }
    }

    pub(super) fn do_not_play(&mut self) -> Vec<Remark> {
        let Some(AnswerDraft::Played(play)) = &mut self.open else { return Vec::new() };
        play.take_pending().map(|_| Remark::NotPlayed).into_iter().collect()
    }

    pub(super) fn decide(&mut self, place: usize) -> Vec<Remark> {
        let Some(AnswerDraft::Decided(decide)) = &mut self.open else { return Vec::new() };
        if decide.decide(&mut self.bench, place) {
            return self.hand_in_draft();
        }
        vec![Remark::Decided]
    }

    pub(super) fn hint(&mut self) -> Vec<Remark> {
        let open = self.open_question().is_some();
        let hint = self.learner.as_mut().filter(|_| open).map(|learner| {
            let hint = learner.hint();
            (hint, learner.question().map(|q| (q.hints.len(), q.hints_in_all)))
        });
        vec![match hint {
            Some((Some(text), Some((n, of)))) => Remark::Hint(text, n, of),
            Some(_) => Remark::NoMoreHints,
            None => Remark::NoQuestion(self.no_question()),
        }]
    }

    pub(super) fn reveal(&mut self, asked_once: bool) -> Vec<Remark> {
        if self.exploring() || self.learner.is_none() {
            return vec![Remark::NoQuestion(self.no_question())];
        }
        if self.open_question().is_some() && !asked_once {
            self.wants_solution = true;
            return vec![Remark::ConfirmReveal];
        }
        let Some(learner) = &mut self.learner else { return Vec::new() };
        let before = learner.moment().rev;
        let lesson = self.home.as_mut().unwrap_or(&mut self.bench);
        match lesson.moving(|lab| learner.show_solution(lab)) {
            Ok(lines) => {
                let happened = learner.moment().rev != before;
                let copy = self.place() == Where::AnsweringInCluster;
                self.come_back();
                vec![Remark::Solution(Checked { lines, happened, copy })]
            }
            Err(reason) => vec![Remark::NotShown(reason)],
        }
    }
}

/// A cluster in which nothing has been played.
fn fresh(config: &Config) -> Lab {
    Lab::new(config.clone()).expect("it was set up before")
}
