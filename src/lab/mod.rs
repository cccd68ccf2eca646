//! The lab: settings and the tree of runs in one hand. The one interface that screens, commands,
//! lessons and exports drive.
//!
//! It adds no rule of its own: what is enabled and what happens is the engine's.

pub mod checking;
pub mod compare;
pub mod line;
pub mod pair;
mod pasted;

use crate::algorithm::Variant;
use crate::catalog::{self, ConfigError};
use crate::model::goal::{GoalError, When};
use crate::model::{Config, Event, EventError, Goal, NodeId, Phase, Schedule, Setup};
use crate::sim::scheduler::{EndOfRun, Policy};
use crate::sim::{History, KeptBack, Refused, RevId, Simulation, StepRecord};

/// The most steps that a run which nobody steers may take.
pub const MAX_STEPS: u32 = 100_000;

/// A cluster to experiment with.
#[derive(Debug)]
pub struct Lab {
    config: Config,
    history: History,
}

/// Why a schedule was not played to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// A piece of it is no event.
    #[error("{0}")]
    Text(EventError),
    /// An event is not enabled where it stands.
    #[error("event {n}, `{event}`, is refused: {reason}")]
    Refused {
        /// Its place in the schedule, from 1.
        n: usize,
        /// The event.
        event: String,
        /// The engine's reason.
        reason: String,
    },
}

/// How a run that nobody steered came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The goal holds.
    Goal,
    /// Nothing more happens by itself.
    Quiet,
    /// The limit of steps was reached.
    Limit,
}

impl Lab {
    /// A lab at the beginning of the cluster that the settings describe.
    ///
    /// # Errors
    /// The first setting that does not fit.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        let history = History::new(catalog::start(&config)?);
        Ok(Self { config, history })
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The checked cluster.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        self.state().setup()
    }

    /// The broken variant that is played, if one is.
    #[must_use]
    pub fn variant(&self) -> Option<&'static Variant> {
        self.setup().variant()
    }

    /// What is played, for people: the algorithm, and the variant if it is broken.
    #[must_use]
    pub fn title(&self) -> String {
        let variant = self.setup().variant_word().map_or(String::new(), |word| format!(", {word}"));
        format!("{}{variant}", self.state().info().title)
    }

    /// The tree of runs.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The tree of runs, to move in it.
    pub fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    /// The state where one stands.
    #[must_use]
    pub fn state(&self) -> &dyn Simulation {
        self.history.state()
    }

    /// Plays an event.
    ///
    /// # Errors
    /// The reason, when the event is not enabled; nothing has changed then.
    pub fn play(&mut self, event: Event) -> Result<&StepRecord, Refused> {
        let id = self.history.play(event)?;
        Ok(self.history.record(id).expect("a played revision has a record"))
    }

    /// Plays a run from the beginning and stands at its beginning again, with its steps ahead.
    ///
    /// # Errors
    /// The reason, when an event is not enabled; what comes before it was played.
    pub fn lay_out(&mut self, events: &[Event]) -> Result<(), Refused> {
        self.history.go_to(RevId::ROOT);
        for event in events {
            self.history.play(*event)?;
        }
        while self.history.back() {}
        Ok(())
    }

    /// Reads and plays a schedule from where one stands.
    ///
    /// # Errors
    /// The first piece that is no event (nothing was played then), or the first that is refused (what
    /// stands before it was played).
    pub fn play_schedule(&mut self, text: &str) -> Result<(), PlayError> {
        let names = self.setup().names.clone();
        let schedule = Schedule::parse(text, &names).map_err(PlayError::Text)?;
        for (i, event) in schedule.0.iter().enumerate() {
            self.play(*event).map_err(|refused| PlayError::Refused {
                n: i + 1,
                event: event.show(&names),
                reason: refused.reason,
            })?;
        }
        Ok(())
    }

    /// Reads a goal in this cluster's words.
    ///
    /// # Errors
    /// Where and why the text is no goal.
    pub fn goal(&self, text: &str) -> Result<Goal, GoalError> {
        crate::sim::goal(text, self.state())
    }

    /// Reads a goal that is asked at each state of a run: `never` and `eventually` are refused.
    ///
    /// # Errors
    /// Where and why the text is no such goal.
    pub fn goal_for_until(&self, text: &str) -> Result<Goal, GoalError> {
        let goal = self.goal(text)?;
        if goal.when == When::Now {
            return Ok(goal);
        }
        let message =
            "`never` and `eventually` speak of whole runs; here the goal is asked after each step";
        Err(GoalError { at: 0, message: message.to_owned() })
    }

    /// Lets the run go on by itself until the goal holds (asked before the first step as well), or
    /// until nothing happens any more.
    pub fn run_on(&mut self, policy: &mut Policy, until: Option<&Goal>) -> Ended {
        self.run_on_asking(policy, &mut [], until)
    }

    /// The same, with messages that are kept back: they stay in flight.
    pub fn run_on_but(
        &mut self,
        policy: &mut Policy,
        kept: &KeptBack,
        until: Option<&Goal>,
    ) -> Ended {
        self.run_by_itself(policy, &mut [], kept, until)
    }

    /// The same, with nodes that ask: client i asks `left[i]` times more, each time as soon as it is
    /// idle. Requests go before everything else, in node order, so that all first ones are made before
    /// anything is delivered.
    pub fn run_on_asking(
        &mut self,
        policy: &mut Policy,
        left: &mut [u32],
        until: Option<&Goal>,
    ) -> Ended {
        self.run_by_itself(policy, left, &KeptBack::default(), until)
    }

    fn run_by_itself(
        &mut self,
        policy: &mut Policy,
        left: &mut [u32],
        kept: &KeptBack,
        until: Option<&Goal>,
    ) -> Ended {
        let mut end = EndOfRun::default();
        for _ in 0..MAX_STEPS {
            let state = self.state();
            if until.is_some_and(|goal| goal.holds(state)) {
                return Ended::Goal;
            }
            let event = match next_asker(state, left) {
                Some(node) => Event::Request(node),
                None if end.reached(state) => return Ended::Quiet,
                None => match policy.choose_but(state, kept) {
                    Some(event) => event,
                    None => return Ended::Quiet,
                },
            };
            if let Event::Request(node) = event {
                left[node.index()] -= 1;
            }
            self.history.play(event).expect("only enabled events are chosen");
        }
        Ended::Limit
    }

    /// The events from the beginning to where one stands, as one line of text.
    #[must_use]
    pub fn schedule_text(&self) -> String {
        self.history.schedule(self.history.cursor()).show(&self.setup().names)
    }

    /// The event that comes next when nobody chooses: the oldest message, else an exit.
    #[must_use]
    pub fn next_by_itself(&self) -> Option<Event> {
        Policy::Oldest.choose(self.state())
    }

    /// Goes to a point of the tree.
    pub fn go_to(&mut self, id: RevId) {
        self.history.go_to(id);
    }
}

/// The first client that can ask and has not asked as often as it should.
fn next_asker(state: &dyn Simulation, left: &[u32]) -> Option<NodeId> {
    let idle = |n: &NodeId| state.phase(*n) == Phase::Idle && !state.crashed(*n);
    let wants = |n: &NodeId| left.get(n.index()).is_some_and(|more| *more > 0);
    // Where there is no lock, nobody can ask.
    let can = |n: &NodeId| state.check(Event::Request(*n)).is_ok();
    state.setup().client_ids().find(|n| wants(n) && idle(n) && can(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_ask_again_as_soon_as_they_are_idle() {
        let mut lab = Lab::new(Config::new("ricart-agrawala", 2)).expect("the settings fit");
        let mut left = [2, 1];
        assert_eq!(lab.run_on_asking(&mut Policy::Oldest, &mut left, None), Ended::Quiet);
        assert_eq!(left, [0, 0]);
        let text = lab.schedule_text();
        assert!(text.starts_with("request P1; request P2; deliver"), "{text}");
        assert!(text.contains("exit P1; request P1;"), "{text}");
        let entries = lab.goal("entries(P1) == 2 and entries(P2) == 1").expect("a goal");
        assert!(entries.holds(lab.state()));
    }

    #[test]
    fn where_there_is_no_lock_nobody_asks_and_the_run_ends() {
        let mut lab = Lab::new(Config::new("clocks", 2)).expect("the settings fit");
        let mut left = [1, 1];
        assert_eq!(lab.run_on_asking(&mut Policy::Oldest, &mut left, None), Ended::Quiet);
        assert_eq!(left, [1, 1]);
    }

    #[test]
    fn a_crashed_node_does_not_ask() {
        let mut lab = Lab::new(Config::new("central", 2)).expect("the settings fit");
        lab.play_schedule("crash P1").expect("a schedule");
        let mut left = [1, 1];
        lab.run_on_asking(&mut Policy::Oldest, &mut left, None);
        assert_eq!(left, [1, 0]);
    }
}
