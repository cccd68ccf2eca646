//! `lockstep run`: a run without a screen, printed as a trace; its exit status makes it a test.
//!
//! It plays events and asks the engine; how the run is written is the business of `export`.

use super::cluster::{self, ClusterArgs};
use super::failure::caret;
use super::words;
use super::{Answer, Failure, GlobalArgs, files};
use crate::check::Requests;
use crate::export::{self, Run as Trace};
use crate::input::count;
use crate::lab::{Ended, Lab, MAX_STEPS, PlayError};
use crate::lesson::Lesson;
use crate::model::goal::{Property, Test};
use crate::model::{Event, Goal};
use crate::sim::{Policy, Progress, SplitMix64};
use clap::Args;
use std::io::Write;

const ABOUT: &str = "\
Play a run without a screen and print its trace

The events of --schedule are played first. With --until, --seed or --requests the run then goes on by \
itself: the oldest message that can be delivered comes next, and when there is none the nodes inside \
leave, in node order; with --seed the choice among deliveries and exits is a uniform draw. Faults, \
timeouts and the like come only from the schedule.

Requests come from the schedule and from --requests: every node then asks that often, all of them at \
once to begin with (after the schedule, in node order), and again as soon as they have left. Without \
a schedule and without --requests everybody asks once.

A lesson brings its own cluster; without --schedule the events of its pages are played. The same holds \
for a run that was saved or copied in the stepper (key e) and its events: quotation marks, back-ticks \
and lines that were wrapped on the way do no harm.";

const EXAMPLES: &str = "\
Examples:
  lockstep run lamport
  lockstep run lamport --schedule \"request P1; request P2\" --until \"exited(P1)\"
  lockstep run ricart-agrawala -n 5 --requests 2 --seed 7 --format json
  lockstep run ricart-agrawala --variant tie-replies   # fails: status 1
  lockstep run lamport --schedule - < events.txt
  lockstep run my.run                                  # a run that was saved
  xclip -o | lockstep run -                            # a run that somebody has sent
  lockstep run 9                                       # what lesson 9 plays

Events:
  request P1, exit P1, deliver P1>P2, deliver P1>P2#3, drop P1>P2#3,
  duplicate P1>P2#3, crash P3, recover P3, timeout P1, write P1, read P1,
  tell P1>P2, local P1

Goals, joined by `and`, `or`, `not` and ( ):
  in_cs(P1), waiting(P1), idle(P1), entered(P1), exited(P1), crashed(P3),
  entries(P1) == 2, messages() <= 6, messages(REQUEST) == 2, clock(P1) == 5,
  in_flight(P1>P2), field(P2, deferred) == {P1}, violated(mutex), stuck()

Exit status:
  0  fine
  1  a property is violated, somebody is stuck, a state comes again so that it can go
     round for ever, or the goal of --until was not reached; what the goal itself asks
     about, as in violated(mutex), is no failure
  2  bad use, or an event of the schedule is refused";

/// Play a run without a screen and print its trace
#[derive(Args, Clone, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct Run {
    #[command(flatten)]
    plays: Plays,
    /// How to write the run
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = words::format_name())]
    format: String,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl Run {
    pub(super) fn execute(
        self,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let played = self.plays.play(&self.cluster, global)?;
        let trace = played.trace(global);
        let exporter = export::find(&self.format).expect("clap lets only formats through");
        exporter.export(&trace, out)?;
        Ok(self.plays.answer(&played))
    }
}

/// What is played on a cluster: the options of every command that writes a run.
#[derive(Args, Clone, Debug)]
pub(super) struct Plays {
    /// The algorithm; or a lesson, by its number, its id or its file, or a run, by its .run file or as
    /// its line, which bring their cluster and their events. - reads either from the standard input
    #[arg(value_name = "ALGORITHM|LESSON|RUN")]
    algorithm: String,
    /// Events to play first, separated by `;` or line ends; - reads them from the standard input
    #[arg(long, value_name = "EVENTS")]
    schedule: Option<String>,
    /// Go on by itself until this holds, e.g. "exited(P1) and exited(P2)"
    #[arg(long, value_name = "GOAL")]
    until: Option<String>,
    /// Go on by itself with random choices that this number decides
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// How often every node asks: one number for all, or one for each: 2,1,1
    #[arg(long, value_name = "R|2,1,1", value_parser = Requests::parse, allow_hyphen_values = true)]
    requests: Option<Requests>,
}

/// A run that was played.
pub(super) struct Played {
    /// It stands at the run's end.
    pub(super) lab: Lab,
    seed: Option<u64>,
    until: Option<Goal>,
    /// How it ended, where it went on by itself.
    ended: Option<Ended>,
}

impl Played {
    /// The run as exports take it.
    pub(super) fn trace(&self, global: &GlobalArgs) -> Trace<'_> {
        let mut trace = Trace::of(&self.lab);
        (trace.seed, trace.ascii) = (self.seed, global.ascii);
        trace
    }
}

impl Plays {
    /// Plays the run that the options describe.
    ///
    /// # Errors
    /// The cluster or an option does not fit, or an event is refused.
    pub(super) fn play(
        &self,
        cluster: &ClusterArgs,
        global: &GlobalArgs,
    ) -> Result<Played, Failure> {
        if self.algorithm == "-" && self.schedule.as_deref() == Some("-") {
            let message = "the standard input can be the run or --schedule, not both".to_owned();
            return Err(Failure::BadUse(message));
        }
        let named = cluster::named(&self.algorithm, cluster, global)?;
        let alone = self.schedule.is_none() && named.lesson.is_none() && named.run.is_none();
        let mut lab = match named.run {
            Some(run) if self.schedule.is_none() => run,
            Some(_) | None => Lab::new(named.config).map_err(cluster::unfit)?,
        };
        let until = self.until.as_deref().map(|text| goal(&lab, text)).transpose()?;
        let mut left = self.requests_left(&lab, alone)?;
        match (&self.schedule, &named.lesson) {
            (Some(schedule), _) => play(&mut lab, schedule)?,
            (None, Some(lesson)) => play_lesson(&mut lab, lesson)?,
            (None, None) => {}
        }
        let alone = until.is_some() || self.seed.is_some() || left.iter().any(|n| *n > 0);
        let ended = alone.then(|| {
            let mut policy = match self.seed {
                Some(seed) => Policy::Seeded(SplitMix64::new(seed)),
                None => Policy::Oldest,
            };
            lab.run_on_asking(&mut policy, &mut left, until.as_ref())
        });
        Ok(Played { lab, seed: self.seed, until, ended })
    }

    /// How often each client is still to ask by itself: once, where nothing says who asks.
    fn requests_left(&self, lab: &Lab, alone: bool) -> Result<Vec<u32>, Failure> {
        let n = lab.setup().clients;
        match &self.requests {
            Some(requests) => {
                requests.for_each(n).map_err(|e| Failure::BadUse(format!("--requests: {e}")))
            }
            None => Ok(vec![u32::from(alone); n]),
        }
    }

    /// Why the run did not come to its end; `None`: it did.
    pub(super) fn cut_short(&self, played: &Played) -> Option<String> {
        match played.ended {
            Some(Ended::Limit) => {
                Some(format!("the run was stopped after {}", count(MAX_STEPS, "step")))
            }
            Some(Ended::Quiet) if played.until.is_some() => {
                let goal = self.until.as_deref().unwrap_or_default();
                let steps = played.lab.state().steps();
                Some(format!(
                    "`{goal}` does not hold when the run ends, after {}",
                    count(steps, "step")
                ))
            }
            Some(Ended::Goal | Ended::Quiet) | None => None,
        }
    }

    fn answer(&self, played: &Played) -> Answer {
        match self.cut_short(played) {
            Some(reason) => Answer::No(Some(reason)),
            None if failed(&Trace::of(&played.lab), played.until.as_ref()) => Answer::No(None),
            None => Answer::Yes,
        }
    }
}

/// A goal for `--until`.
fn goal(lab: &Lab, text: &str) -> Result<Goal, Failure> {
    lab.goal_for_until(text)
        .map_err(|e| Failure::BadUse(format!("--until: {}\n{}", e.message, caret(text, e.at))))
}

/// Plays what `--schedule` says.
fn play(lab: &mut Lab, schedule: &str) -> Result<(), Failure> {
    let text = match schedule {
        "-" => files::read_text("-")?,
        text => text.to_owned(),
    };
    lab.play_schedule(&text).map_err(|error| {
        Failure::BadUse(match error {
            PlayError::Text(e) => {
                let n = place(&text, e.at);
                format!("--schedule: event {n}: {}\n{}", e.message, caret(&text, e.at))
            }
            PlayError::Refused { .. } => format!("--schedule: {error}\n{}", instead(lab)),
        })
    })
}

/// Plays the events of a lesson's pages, and those that its questions play once they are answered.
fn play_lesson(lab: &mut Lab, lesson: &Lesson) -> Result<(), Failure> {
    let names = lab.setup().names.clone();
    let play = |lab: &mut Lab, event: Event| match lab.play(event) {
        Ok(_) => Ok(()),
        Err(refused) => {
            let event = event.show(&names);
            Err(Failure::Lesson(format!("`{event}` is refused: {}", refused.reason)))
        }
    };
    lesson.walk().try_for_each(|stop| stop.events().try_for_each(|event| play(lab, event)))
}

/// Which event of a schedule, counted from 1, stands at a place of its text.
fn place(text: &str, at: usize) -> usize {
    let before = text[..at].rfind([';', '\n']).map_or("", |i| &text[..i]);
    before.split([';', '\n']).filter(|piece| !piece.trim().is_empty()).count() + 1
}

/// What can be played here, for somebody whose event was refused.
fn instead(lab: &Lab) -> String {
    let names = &lab.setup().names;
    let usual = |e: &Event| matches!(e, Event::Request(_) | Event::Exit(_) | Event::Deliver(_));
    let events: Vec<String> =
        lab.state().enabled().into_iter().filter(usual).map(|e| e.show(names)).collect();
    match events.len() {
        0 => "  nothing can be delivered, requested or left here".to_owned(),
        n if n > 8 => format!("  possible here: {}; and {} more", events[..8].join("; "), n - 8),
        _ => format!("  possible here: {}", events.join("; ")),
    }
}

/// Whether a property is violated in some state of the run, or at its end somebody is stuck or the run
/// goes round.
fn failed(trace: &Trace<'_>, until: Option<&Goal>) -> bool {
    let asked = |wanted: &Test| until.is_some_and(|goal| goal.test.any(&|test| test == wanted));
    let violated = Property::ALL.iter().map(|(_, p)| Test::Violated(*p)).any(|test| {
        // What was violated once stays marked; only tokens come and go.
        !asked(&test) && trace.states().any(|state| test.holds(state))
    });
    let goes_round = matches!(trace.end().lamps().progress, Progress::GoesRound { .. });
    violated
        || goes_round
        || trace.end().fault().is_some()
        || !asked(&Test::Stuck) && Test::Stuck.holds(trace.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_counted_from_one_and_empty_pieces_are_not() {
        let text = "request P1; ;\n delver P1>P2";
        assert_eq!(place(text, text.find("delver").expect("it stands there")), 2);
        assert_eq!(place(text, 3), 1);
        assert_eq!(place(";x", 1), 1);
    }
}
