//! Which rule is missing? A cluster that follows the paper, or a variant of it, and does not say so; a run
//! that no other rules to choose from would give; then its failure, if it has one.
//!
//! The run, the key and every reason are found by the checker and told by the engine.

use super::{NoDrill, Step};
use crate::algorithm::{Failure, Info, Variant};
use crate::catalog::{self, Told, grounds, showing, tell_apart, tells_apart, under};
use crate::check::{self, Report, SearchOptions, Verdict};
use crate::input::{OrderedMap, count};
use crate::model::{Config, Event, Names, Schedule};
use crate::sim::scheduler::SplitMix64;
use crate::trace::narrate::sentence;
use serde::Serialize;

/// What such a drill is.
pub(super) const ABOUT: &str =
    "A cluster that does not say which rules it follows. Watch a run, and name them.";
/// The most rules to choose from.
const CHOICES: usize = 4;
/// The longest run that is shown.
const LONGEST: usize = 30;
/// The most states that are looked at for a failure.
const MOST_STATES: usize = 200_000;
/// The answer that nothing is missing.
const PAPER: &str = "paper";

/// A question as the lesson's file writes it.
#[derive(Serialize)]
pub(super) struct Choice {
    id: &'static str,
    prompt: String,
    options: OrderedMap<&'static str, Opt>,
    attempts: u32,
    hints: Vec<String>,
    explain: String,
}

#[derive(Serialize)]
struct Opt {
    text: String,
    say: String,
    right: bool,
}

/// The failure of what was to be named, as the lesson's file writes it.
#[derive(Serialize)]
pub(super) struct Drive {
    id: &'static str,
    prompt: String,
    goal: String,
    start: Vec<String>,
    allow: Vec<String>,
    par: usize,
    solution: Vec<String>,
    hints: Vec<String>,
    explain: String,
}

/// The paper's rules, or a variant of them.
type Rules = Option<&'static Variant>;

fn id_of(rules: Rules) -> &'static str {
    rules.map_or(PAPER, |variant| variant.slug)
}

/// The settings and the pages of a drill.
///
/// # Errors
/// No rules of the algorithm are told from the others by a run.
pub(super) fn drawn(info: &'static Info, seed: u64) -> Result<(Config, Vec<Step>), NoDrill> {
    let mut rng = SplitMix64::new(seed ^ 0x0052_756c);
    let mut all: Vec<Rules> = info.variants.iter().map(Some).chain([None]).collect();
    shuffle(&mut all, &mut rng);
    let salt = rng.draw();
    let puzzle = all.iter().find_map(|hidden| Puzzle::of(info, *hidden, &all));
    let puzzle = puzzle.ok_or(NoDrill::NoVariants(info.title))?;
    let word = catalog::hidden(info, puzzle.hidden, salt);
    let pages = [Some(puzzle.choice(info)), puzzle.drive(info)];
    let config = Config { variant: Some(word), ..puzzle.config };
    Ok((config, pages.into_iter().flatten().collect()))
}

fn shuffle(all: &mut [Rules], rng: &mut SplitMix64) {
    for last in (1..all.len()).rev() {
        all.swap(last, rng.below(last + 1));
    }
}

/// A cluster, a run of it, and the rules that would not give this run.
struct Puzzle {
    hidden: Rules,
    /// The cluster, with the name of its rules.
    config: Config,
    run: Schedule,
    /// Each with the number of events after which it shows.
    refuted: Vec<(Rules, usize)>,
}

impl Puzzle {
    /// The run that tells these rules from the paper's (the paper's from a variant), continued until
    /// there are enough others that it tells them from.
    fn of(info: &'static Info, hidden: Rules, all: &[Rules]) -> Option<Self> {
        let others: Vec<Rules> =
            all.iter().copied().filter(|other| id_of(*other) != id_of(hidden)).collect();
        // Whatever is hidden has to differ from the paper: else both answers would be right.
        let mut firsts = others.iter().copied().filter(|other| hidden.is_none() || other.is_none());
        firsts.find_map(|first| Self::against(info, hidden, first, &others))
    }

    fn against(info: &Info, hidden: Rules, first: Rules, others: &[Rules]) -> Option<Self> {
        let (config, options, run) =
            grounds(info, hidden, first).find_map(|(config, options)| {
                let told = tell_apart(&config, first, &options).ok()?;
                let Told::Apart(run) = told else { return None };
                Some((config, options, run))
            })?;
        let mut puzzle = Self { hidden, config, run, refuted: Vec::new() };
        puzzle.refute(others);
        for other in others {
            if puzzle.refuted.len() + 1 < CHOICES && !puzzle.refutes(*other) {
                puzzle.go_on_against(*other, &options, others);
            }
        }
        // What the run was sought for is among the choices.
        let place = puzzle.refuted.iter().position(|(other, _)| id_of(*other) == id_of(first))?;
        puzzle.refuted.swap(0, place);
        puzzle.refuted.truncate(CHOICES - 1);
        Some(puzzle)
    }

    /// Lists the rules that would not give the run, those first that were listed before.
    fn refute(&mut self, others: &[Rules]) {
        for other in others {
            if !self.refutes(*other)
                && let Ok(Some(after)) = tells_apart(&self.config, *other, &self.run)
            {
                self.refuted.push((*other, after));
            }
        }
    }

    fn refutes(&self, rules: Rules) -> bool {
        self.refuted.iter().any(|(other, _)| id_of(*other) == id_of(rules))
    }

    /// Continues the run until it tells these rules apart as well, if that takes no longer than it may.
    fn go_on_against(&mut self, other: Rules, options: &SearchOptions, others: &[Rules]) {
        let asked = |node: usize| {
            let request = |event: &&Event| matches!(event, Event::Request(n) if n.index() == node);
            self.run.0.iter().filter(request).count() as u32
        };
        let left = |node: usize| options.requests_of(node).saturating_sub(asked(node));
        let requests = (0..self.config.nodes.len()).map(left).collect();
        let options = SearchOptions { requests, from: self.run.clone(), ..options.clone() };
        if let Ok(Told::Apart(run)) = tell_apart(&self.config, other, &options)
            && run.0.len() <= LONGEST
        {
            self.run = run;
            self.refute(others);
        }
    }

    /// After how many events other rules show; `None`: they are not told apart.
    fn shows(&self, rules: Rules) -> Option<usize> {
        let refuted = self.refuted.iter().find(|(other, _)| id_of(*other) == id_of(rules));
        refuted.map(|(_, after)| *after)
    }

    fn choice(&self, info: &'static Info) -> Step {
        let names = Names::new(self.config.nodes.clone());
        let names = catalog::setup(&self.config).map_or(names, |setup| setup.names);
        let hidden = |rules: &Rules| id_of(*rules) == id_of(self.hidden);
        let all = info.variants.iter().map(Some).chain([None]);
        let all = all.filter(|rules| hidden(rules) || self.shows(*rules).is_some());
        let option = |rules: Rules| {
            let say = match self.shows(rules) {
                None => "No other of these rules gives this run.".to_owned(),
                Some(after) => self.otherwise(rules, after, &names),
            };
            let text = rules.map_or("None: it follows the paper.", |v| v.about).to_owned();
            (id_of(rules), Opt { text, say, right: hidden(&rules) })
        };
        let last = self.refuted.iter().map(|(_, after)| *after).max().unwrap_or(0);
        let events = count(self.run.0.len(), "event");
        let choice = Choice {
            id: "rule",
            prompt: "Which rule is missing or changed here?".to_owned(),
            options: all.map(option).collect(),
            attempts: 1,
            hints: vec![
                "Compare what each event does with the rule that it should follow.".to_owned(),
                "One of these gives the whole run; under each other one some event does something \
                 else."
                    .to_owned(),
                format!("After event {last} of {} only one is left.", self.run.0.len()),
            ],
            explain: self.hidden.map_or_else(
                || format!("Every event of the run follows the rules of {}.", info.title),
                Variant::said,
            ),
        };
        let say = format!(
            "This cluster runs {}. It follows the paper, or one of its rules is missing or changed; \
             it does not say which. Play its run of {events}, and compare what each does with the \
             rules.",
            info.title
        );
        let run = self.run.0.iter().map(|event| event.show(&names)).collect();
        Step { say, run, choice: Some(choice), ..Step::default() }
    }

    /// What would have happened under other rules, where the run shows that they are not followed.
    fn otherwise(&self, rules: Rules, after: usize, names: &Names) -> String {
        let Some(event) = after.checked_sub(1).map(|last| self.run.0[last]) else {
            return "With these rules the cluster would not even begin like this.".to_owned();
        };
        let record = catalog::start(&under(&self.config, rules)).ok().and_then(|mut sim| {
            for before in &self.run.0[..after - 1] {
                sim.step(*before).ok()?;
            }
            sim.step(event).ok()
        });
        let event = event.show(names);
        match record {
            Some(record) => {
                format!("Then event {after}, `{event}`, would be: {}", sentence(&record, names))
            }
            None => format!("Then event {after}, `{event}`, could not happen."),
        }
    }

    /// The failure of the rules, to be played; `None`: they have none that a small search finds and a
    /// state shows.
    fn drive(&self, info: &Info) -> Option<Step> {
        let variant = self.hidden?;
        let (config, options) = showing(info, variant);
        let options = SearchOptions { max_states: Some(MOST_STATES), ..options };
        let mut search = catalog::search(&config, &options).ok()?;
        let report = check::finish(search.as_mut());
        let goal = goal_of(report, variant.failure)?;
        let run = report.counterexample.as_ref()?;
        let mut sim = catalog::start(&self.config).ok()?;
        for event in &run.0 {
            sim.step(*event).ok()?;
        }
        if !crate::sim::goal(&goal, sim.as_ref()).ok()?.holds(sim.as_ref()) {
            return None;
        }
        let names = &sim.setup().names;
        let mut allow: Vec<String> = run.0.iter().map(|event| event.verb().to_owned()).collect();
        allow.sort_unstable();
        allow.dedup();
        let drive = Drive {
            id: "failure",
            prompt: format!(
                "Make it fail: play from the beginning until `{goal}` holds. It can be done in {}.",
                count(run.0.len(), "event")
            ),
            goal,
            start: Vec::new(),
            allow,
            par: run.0.len(),
            solution: run.0.iter().map(|event| event.show(names)).collect(),
            hints: vec![
                "Ask what the missing rule keeps from happening.".to_owned(),
                "Let nodes ask, and choose the order in which the messages arrive.".to_owned(),
                format!("It can begin with `{}`.", run.0.first()?.show(names)),
            ],
            explain: variant.said(),
        };
        let say = "The rules are known now. What goes wrong with them?".to_owned();
        Some(Step { say, drive: Some(drive), ..Step::default() })
    }
}

/// What a failure is in the goal language, where a state shows it.
fn goal_of(report: &Report, failure: Failure) -> Option<String> {
    match (report.verdict, report.property, failure) {
        (Verdict::GoalReached | Verdict::Violated, _, Failure::Goal(_)) => {
            report.asked.as_ref().map(|asked| asked.text.clone())
        }
        (Verdict::Violated, Some(property), _) => Some(format!("violated({property})")),
        (Verdict::Stuck, ..) => Some("stuck()".to_owned()),
        _ => None,
    }
}
