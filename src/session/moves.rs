//! Moving through runs: on, back, to other points, by itself; events, and why one does not happen.

use super::command::{MessageVerb, To};
use super::draft::AnswerDraft;
use super::remark::{Quiet, Remark};
use super::{Session, Where};
use crate::input::folded;
use crate::lab::{Ended, Lab};
use crate::lesson::question::{Way, game};
use crate::lesson::{Learner, Next};
use crate::model::goal::When;
use crate::model::{Event, MsgRef, NodeId};
use crate::sim::{Policy, Progress, RevId};

impl Session {
    /// Lets the learner move in the lesson's cluster.
    fn in_lesson<T>(&mut self, go: impl FnOnce(&mut Learner, &mut Lab) -> T) -> Option<T> {
        let learner = self.learner.as_mut()?;
        Some(self.bench.moving(|lab| go(learner, lab)))
    }

    fn page(&self) -> Option<usize> {
        self.learner.as_ref().map(|learner| learner.page().0)
    }

    pub(super) fn next(&mut self) -> Vec<Remark> {
        match self.place() {
            Where::Lesson => vec![self.next_in_lesson()],
            Where::AnsweringInCluster => match self.bench.ahead() {
                Some(event) => self.play(event, None),
                None => self.by_choice_alone(),
            },
            Where::LookingAtWrong => match self.next_to_look_at() {
                Some(event) => self.play(event, None),
                None => self.along(),
            },
            Where::FreePlay | Where::Exploring => self.along(),
        }
    }

    fn next_in_lesson(&mut self) -> Remark {
        let page = self.page();
        match self.in_lesson(Learner::next) {
            Some(Next::Played(_)) => Remark::OnTheWay { turned: self.page() != page },
            Some(Next::Turned) => Remark::Turned,
            Some(Next::Returned) => Remark::AtLesson { returned: true },
            Some(Next::Blocked) => Remark::AnswerFirst,
            Some(Next::Finished) | None => Remark::Finished,
        }
    }

    /// Along the branch that was visited last, else the oldest message.
    fn along(&mut self) -> Vec<Remark> {
        if self.bench.forward() { vec![Remark::Played] } else { self.oldest() }
    }

    fn oldest(&mut self) -> Vec<Remark> {
        match self.bench.chosen_by(&mut Policy::Oldest) {
            Some(event @ Event::Deliver(_)) => self.play(event, None),
            _ => vec![Remark::Quiet(self.quiet())],
        }
    }

    /// Nothing is chosen for whoever plays an answer.
    fn by_choice_alone(&self) -> Vec<Remark> {
        let free = self.bench.lab().state().view().in_flight.len() > self.bench.held().len();
        vec![if free { Remark::ChooseMessage } else { Remark::Quiet(self.quiet()) }]
    }

    /// The next event of the run in which something was wrong, unless a step was taken back since.
    fn next_to_look_at(&mut self) -> Option<Event> {
        let event = *self.looking.as_ref()?.first()?;
        let canonical = self.lab().state().check(event).ok();
        let other = self.bench.ahead().is_some_and(|ahead| Some(ahead) != canonical);
        if canonical.is_none() || other {
            return None;
        }
        self.looking.as_mut().map(|ahead| ahead.remove(0))
    }

    /// One step of a run that plays by itself.
    pub(super) fn play_on(&mut self) -> Vec<Remark> {
        if self.place() == Where::Lesson || self.bench.goes_on() {
            return self.next();
        }
        if self.place() == Where::AnsweringInCluster {
            return self.by_choice_alone();
        }
        match self.bench.chosen_by(&mut self.policy) {
            Some(event) => self.play(event, None),
            None => vec![Remark::Quiet(self.quiet())],
        }
    }

    /// Why nothing happens by itself, and what could be done: only what is possible here.
    #[must_use]
    pub fn quiet(&self) -> Quiet {
        let held = self.bench.held();
        if !held.is_empty() {
            return Quiet::KeptBack(held);
        }
        if matches!(&self.open, Some(AnswerDraft::Played(play)) if play.reached(self.lab())) {
            return Quiet::GoalHolds;
        }
        let view = self.lab().state().view();
        if let Progress::Stuck { waits, cycle } = view.lamps.progress {
            return Quiet::Stuck(waits, cycle);
        }
        let able = |nodes: &mut dyn Iterator<Item = NodeId>, event: fn(NodeId) -> Event| {
            nodes.filter(|node| self.can(event(*node))).collect::<Vec<_>>()
        };
        let holders = || view.holders.iter().copied();
        let leave = able(&mut holders(), Event::Exit);
        if !leave.is_empty() {
            return Quiet::Inside(leave);
        }
        let recover = able(&mut holders(), Event::Recover);
        if !recover.is_empty() {
            return Quiet::Crashed(recover);
        }
        let ask = able(&mut self.lab().setup().client_ids(), Event::Request);
        match ask.is_empty() {
            true => Quiet::Nothing(self.place() == Where::AnsweringInCluster),
            false => Quiet::CanAsk(ask),
        }
    }

    pub(super) fn back(&mut self) -> Vec<Remark> {
        match (self.place(), &mut self.open) {
            (Where::AnsweringInCluster, Some(AnswerDraft::Played(play))) => {
                let here = self.bench.here();
                if play.from() == here {
                    return vec![Remark::StartOfQuestion];
                }
                let line = play.text(self.bench.lab(), here);
                play.forget_word(here);
                match self.bench.back() {
                    true => vec![Remark::TookBack(line)],
                    false => vec![Remark::StartOfRun],
                }
            }
            (Where::AnsweringInCluster, _) => Vec::new(),
            (Where::Lesson, _) => {
                let page = self.page();
                match self.in_lesson(Learner::back) {
                    Some(true) => {
                        vec![Remark::Back { turned: self.page() != page, at_lesson: false }]
                    }
                    Some(false) | None => vec![Remark::StartOfLesson],
                }
            }
            (Where::FreePlay | Where::Exploring | Where::LookingAtWrong, _) => {
                if !self.bench.back() {
                    return vec![Remark::StartOfRun];
                }
                let at_lesson = self.place() == Where::Lesson;
                vec![Remark::Back { turned: false, at_lesson }]
            }
        }
    }

    /// Plays an event; as a line of an answer with the word that is said of it.
    pub(super) fn play(&mut self, event: Event, word: Option<&str>) -> Vec<Remark> {
        if let Some(AnswerDraft::Played(play)) = &mut self.open {
            let learner = self.learner.as_ref();
            return match play.line(&mut self.bench, learner, event, word) {
                Err(why) => vec![why],
                Ok(()) if play.reached(self.bench.lab()) => {
                    vec![Remark::Played, Remark::GoalHolds]
                }
                Ok(()) => vec![Remark::Played],
            };
        }
        if self.place() == Where::AnsweringInCluster {
            return Vec::new();
        }
        let was_exploring = self.exploring();
        let grown = match self.bench.play(event) {
            Ok(grown) => grown,
            Err(refused) => return vec![Remark::Refused(refused.reason)],
        };
        let page = self.page();
        // The lesson's own next event, whoever plays it, goes on with the lesson.
        if self.in_lesson(Learner::follow) == Some(true) {
            return vec![Remark::OnTheWay { turned: self.page() != page }];
        }
        let mut remarks = vec![Remark::Played];
        remarks.extend(self.explored(was_exploring));
        if grown.branch && self.learner.is_none() {
            remarks.push(Remark::NewBranch);
        }
        remarks
    }

    /// What there is to say of being elsewhere than the lesson.
    fn explored(&self, was_exploring: bool) -> Vec<Remark> {
        if !self.exploring() {
            return Vec::new();
        }
        let mut remarks = vec![Remark::Exploring { begins: !was_exploring }];
        if self.reaches_goal_of_question() {
            remarks.push(Remark::GoalOfQuestion);
        }
        remarks
    }

    /// Whether what was played since the lesson's point could be handed in and reaches the goal.
    fn reaches_goal_of_question(&self) -> bool {
        let Some(learner) = &self.learner else { return false };
        let Some(question) = learner.question().filter(|q| !q.state.closed()) else { return false };
        let Way::Play(playing) = question.way else { return false };
        let Ok(events) = self.run_to_hand_in() else { return false };
        let few = playing.at_most.is_none_or(|most| events.len() <= most);
        if !playing.annotate.is_empty() || !few || !events.iter().all(|e| learner.allows(*e)) {
            return false;
        }
        let goal = self.lab().goal(&playing.goal);
        goal.is_ok_and(|goal| goal.when == When::Now && goal.holds(self.lab().state()))
    }

    /// Plays events as they were typed. One that cannot be read keeps them all from being played.
    pub(super) fn lines(&mut self, text: &str) -> Vec<Remark> {
        let text = folded(text);
        let pieces = text.split(';').map(str::trim).filter(|piece| !piece.is_empty());
        let words = match &self.open {
            Some(AnswerDraft::Played(play)) => play.how.annotate.as_slice(),
            _ => &[],
        };
        let read = pieces.map(|piece| line_of(piece, words, self.lab()));
        let read = read.collect::<Result<Vec<_>, _>>();
        let events = match read {
            Ok(events) => events,
            Err(why) => return vec![Remark::NoEvent(why)],
        };
        let mut remarks = Vec::new();
        for (i, (event, word)) in events.iter().enumerate() {
            remarks = self.play(*event, word.as_deref());
            if let Some(Remark::Refused(reason)) = remarks.first()
                && events.len() > 1
            {
                return vec![Remark::RefusedAt(i + 1, *event, reason.clone())];
            }
            if remarks.first().is_some_and(Remark::halts) {
                break;
            }
        }
        remarks
    }

    pub(super) fn message(&mut self, verb: MessageVerb, number: usize) -> Vec<Remark> {
        match self.bench.flight(number) {
            Some(flight) => self.play(verb.event(MsgRef::from(flight.id)), None),
            None => vec![self.no_message(number)],
        }
    }

    fn no_message(&self, number: usize) -> Remark {
        match self.lab().state().view().in_flight.len() {
            0 => Remark::Quiet(self.quiet()),
            n => Remark::NoMessage(number, n),
        }
    }

    pub(super) fn hold(&mut self, number: usize) -> Vec<Remark> {
        let Some(flight) = self.bench.flight(number) else { return vec![self.no_message(number)] };
        let kept = self.bench.hold(&flight);
        vec![Remark::Held { flight: Box::new(flight), number, kept }]
    }

    pub(super) fn go(&mut self, to: To) -> Vec<Remark> {
        let was_exploring = self.exploring();
        let start = match &self.open {
            Some(AnswerDraft::Played(play)) => play.from(),
            _ => RevId::ROOT,
        };
        let found = match to {
            To::Start => Some(start),
            To::End => Some(self.bench.end().unwrap_or_else(|| self.bench.here())),
            To::Step(step) => self.bench.step(step),
            To::Point(rev) => Some(rev),
        };
        let ended = to == To::End && found == Some(self.bench.here());
        match (found, to) {
            (None, To::Step(step)) => return vec![Remark::NoStep(step)],
            (None, _) => return Vec::new(),
            // What still needs a word is played step by step.
            (Some(_), To::End) if self.place() == Where::AnsweringInCluster => {
                return self.replay_to_end();
            }
            (Some(rev), _) => self.bench.go_to(rev),
        }
        let mut remarks = vec![if ended { Remark::EndOfRun } else { Remark::Went }];
        remarks.extend(self.explored(was_exploring));
        remarks
    }

    /// Plays again what was taken back of an answer.
    fn replay_to_end(&mut self) -> Vec<Remark> {
        let mut remarks = Vec::new();
        while let Some(event) = self.bench.ahead() {
            remarks = self.play(event, None);
            if remarks.first().is_some_and(Remark::halts) {
                break;
            }
        }
        remarks
    }

    pub(super) fn run(&mut self, goal: Option<&str>) -> Vec<Remark> {
        let until = match goal.map(|text| self.lab().goal_for_until(text)).transpose() {
            Ok(until) => until,
            Err(error) => return vec![Remark::BadGoal(error)],
        };
        if self.place() == Where::AnsweringInCluster {
            return vec![Remark::OneByOne];
        }
        let (from, was_exploring) = (self.bench.here(), self.exploring());
        let ended = self.bench.run_on(&mut self.policy, until.as_ref());
        let quiet = (ended == Ended::Quiet).then(|| self.quiet());
        let goal = goal.map(str::to_owned);
        let mut remarks = vec![Remark::Ran { from, ended, goal, quiet }];
        remarks.extend(self.explored(was_exploring));
        remarks
    }

    /// The events from where the question begins to where one stands.
    ///
    /// # Errors
    /// Why they are no answer.
    pub(super) fn run_to_hand_in(&self) -> Result<Vec<Event>, super::NoRun> {
        use super::NoRun;
        let learner = self.learner.as_ref().ok_or(NoRun::NoLesson)?;
        let Some(Way::Play(playing)) = learner.question().map(|question| question.way) else {
            return Err(NoRun::NotPlayed);
        };
        if playing.config.is_some() {
            return Err(NoRun::OwnCluster);
        }
        let history = self.lab().history();
        let start = playing.start.unwrap_or_else(|| history.schedule(learner.moment().rev).0);
        let all = history.schedule(self.bench.here()).0;
        match all.strip_prefix(start.as_slice()) {
            None => Err(NoRun::Elsewhere),
            Some([]) => Err(NoRun::Empty),
            Some(played) => Ok(played.to_vec()),
        }
    }
}

/// The event of a line, and what is said of it with one of these words. A number is the delivery of that
/// message.
fn line_of(line: &str, words: &[String], lab: &Lab) -> Result<(Event, Option<String>), String> {
    let names = &lab.setup().names;
    let (number, rest) =
        line.split_at(line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len()));
    let alone = rest.trim_start().is_empty() || rest.trim_start().starts_with(['=', '-', '⇒']);
    let flights = lab.state().view().in_flight;
    let flight = number.parse::<usize>().ok().and_then(|n| flights.get(n.wrapping_sub(1)));
    let line = match flight.filter(|_| alone) {
        Some(flight) => Event::Deliver(MsgRef::from(flight.id)).show(names) + rest,
        None => line.to_owned(),
    };
    let (event, word) = game::event_and_word(&line, words);
    let event = Event::parse(event, names).map_err(|error| error.message)?;
    Ok((event, word.map(|word| word.trim().to_owned())))
}
