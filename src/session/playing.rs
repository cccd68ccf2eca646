//! An answer that is played: each event is a line of it, with the word that is said of it where one is due.
//!
//! Where one stands in the tree of runs is the answer; what it is worth is the lesson's business.

use super::bench::Bench;
use super::remark::Remark;
use crate::lab::Lab;
use crate::lesson::Learner;
use crate::lesson::question::{Playing, forms, game};
use crate::model::goal::When;
use crate::model::{Event, Goal};
use crate::sim::RevId;

/// Stands in a draft between what was played and what was taken back again.
const TAKEN_BACK: char = '|';

/// Events that are played as an answer.
#[derive(Debug)]
pub struct Play {
    /// How it is played.
    pub how: Playing,
    from: RevId,
    /// What was said of events, by the points to which they led.
    words: Vec<(RevId, String)>,
    pending: Option<Event>,
}

impl Play {
    pub(super) fn of(how: Playing) -> Self {
        Self { how, from: RevId::ROOT, words: Vec::new(), pending: None }
    }

    /// Where the playing started.
    #[must_use]
    pub fn from(&self) -> RevId {
        self.from
    }

    /// An event of which something has to be said before it happens.
    #[must_use]
    pub fn pending(&self) -> Option<Event> {
        self.pending
    }

    /// Plays on to where the question begins in this cluster, and again what was kept.
    pub(super) fn set_out(&mut self, bench: &mut Bench, kept: &str) {
        if let Some(start) = &self.how.start {
            bench.moving(|lab| {
                for event in start {
                    lab.play(*event).expect("`prepare` has played the start of the question");
                }
            });
        }
        self.from = bench.here();
        let (played, taken_back) = kept.split_once(TAKEN_BACK).unwrap_or((kept, ""));
        self.replay(bench, played);
        let stand = bench.here();
        self.replay(bench, taken_back);
        bench.go_to(stand);
    }

    /// Plays lines again that were played before, as far as they are possible.
    fn replay(&mut self, bench: &mut Bench, lines: &str) {
        for line in lines.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty()) {
            let (event, word) = line.split_once(" => ").unwrap_or((line, ""));
            let Ok(event) = Event::parse(event, &bench.lab().setup().names) else { return };
            if bench.play(event).is_err() {
                return;
            }
            if !word.is_empty() {
                self.words.push((bench.here(), word.to_owned()));
            }
        }
    }

    /// Plays a line, with the word that is said of it.
    ///
    /// # Errors
    /// Why it is not played. Where a word is missing, the event waits for it.
    pub(super) fn line(
        &mut self,
        bench: &mut Bench,
        learner: Option<&Learner>,
        event: Event,
        word: Option<&str>,
    ) -> Result<(), Remark> {
        let refused = |refused: crate::sim::Refused| Remark::Refused(refused.reason);
        let event = bench.lab().state().check(event).map_err(refused)?;
        if let Some(count) = self.way(bench.lab()).map(|way| way.len()) {
            if learner.is_some_and(|learner| !learner.allows(event)) {
                return Err(Remark::NotAllowed(event));
            }
            if let Some(most) = self.how.at_most.filter(|most| count >= *most) {
                return Err(Remark::AtMost(most));
            }
        }
        let said = word.and_then(|word| forms::word(&self.how.annotate, word)).map(str::to_owned);
        if said.is_none() && self.wants_word(bench.lab(), event) {
            self.pending = Some(event);
            return Err(Remark::SayFirst(event));
        }
        if said.is_none() && word.is_some() {
            return Err(Remark::NoSuchWord);
        }
        bench.play(event).map_err(refused)?;
        self.pending = None;
        if let Some(said) = said {
            self.forget_word(bench.here());
            self.words.push((bench.here(), said));
        }
        Ok(())
    }

    /// Whether something has to be said of an event before it happens, and was not said before.
    fn wants_word(&self, lab: &Lab, event: Event) -> bool {
        let record = lab.state().fork().step(event);
        if self.way(lab).is_none()
            || !record.is_ok_and(|record| game::said_of(&self.how.annotate, &record).is_some())
        {
            return false;
        }
        let history = lab.history();
        let known = history
            .children(history.cursor())
            .find(|child| history.record(*child).is_some_and(|record| record.event == event));
        known.is_none_or(|rev| self.word(rev).is_none())
    }

    /// The event that waits for a word waits no longer. Returns it.
    pub(super) fn take_pending(&mut self) -> Option<Event> {
        self.pending.take()
    }

    /// What was said of a step that is taken back is taken back as well.
    pub(super) fn forget_word(&mut self, rev: RevId) {
        self.words.retain(|(at, _)| *at != rev);
    }

    fn word(&self, rev: RevId) -> Option<&str> {
        self.words.iter().find(|(at, _)| *at == rev).map(|(_, word)| word.as_str())
    }

    /// Whether what was played has reached the goal.
    #[must_use]
    pub fn reached(&self, lab: &Lab) -> bool {
        lab.goal(&self.how.goal).is_ok_and(|g| g.when == When::Now && g.holds(lab.state()))
    }

    /// What has to hold, part by part in words, and whether it does as things stand; last what must hold at
    /// no time.
    #[must_use]
    pub fn parts(&self, lab: &Lab) -> Vec<(bool, String)> {
        let way = self.way(lab).unwrap_or_default();
        let points = || std::iter::once(self.from).chain(way.iter().copied());
        let ever = |goal: &Goal| points().any(|rev| goal.holds(lab.history().state_at(rev)));
        let one = |part: Goal| {
            let holds = match part.when {
                When::Now => part.holds(lab.state()),
                When::Never => !ever(&part),
                When::Eventually => ever(&part),
            };
            (holds, part.said(&lab.setup().names))
        };
        let read = |text: &String| lab.goal(text).ok();
        let never = self.how.never.as_ref().and_then(read);
        let never = never.map(|never| Goal { when: When::Never, ..never });
        let parts = read(&self.how.goal).map_or_else(Vec::new, |goal| goal.parts());
        parts.into_iter().chain(never).map(one).collect()
    }

    /// The points of the answer so far, in their order; `None`: one stands elsewhere.
    pub(super) fn way(&self, lab: &Lab) -> Option<Vec<RevId>> {
        let history = lab.history();
        let way: Vec<RevId> = history.ancestors(history.cursor()).collect();
        let start = way.iter().position(|rev| *rev == self.from)?;
        Some(way[..start].iter().rev().copied().collect())
    }

    /// An event, and what was said of it.
    pub(super) fn text(&self, lab: &Lab, rev: RevId) -> String {
        let names = &lab.setup().names;
        let record = lab.history().record(rev);
        let event = record.map(|record| record.event.show(names)).unwrap_or_default();
        self.word(rev).map_or(event.clone(), |word| format!("{event} => {word}"))
    }

    /// The lines of the answer so far; `None`: one stands elsewhere.
    #[must_use]
    pub fn lines(&self, lab: &Lab) -> Option<Vec<String>> {
        Some(self.way(lab)?.into_iter().map(|rev| self.text(lab, rev)).collect())
    }

    /// What was played, and what was taken back again and still is ahead; `None`: one stands elsewhere.
    pub(super) fn draft(&self, lab: &Lab) -> Option<String> {
        let text = |revs: Vec<RevId>| {
            revs.into_iter().map(|rev| self.text(lab, rev)).collect::<Vec<_>>().join("; ")
        };
        let history = lab.history();
        let played = text(self.way(lab)?);
        let ahead: Vec<RevId> =
            history.redo_path(history.cursor()).take(game::MOST_EVENTS).collect();
        Some(match text(ahead) {
            ahead if ahead.is_empty() => played,
            ahead => format!("{played} {TAKEN_BACK} {ahead}"),
        })
    }
}
