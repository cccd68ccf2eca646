//! What was played, as the text of a lesson: its events, and two questions that they answer.
//!
//! It makes a text and writes no file. What only a person can say is marked in it and listed.

mod goal;

use super::file::VERSION;
use super::lint::TODO;
use super::question::game::{self, MOST_EVENTS};
use super::question::{is_id, not_an_id};
use crate::export::yaml::Cluster;
use crate::input::to_yaml;
use crate::lab::Lab;
use crate::sim::{RevId, StepRecord};
use serde::Serialize;

/// What is made of the events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form<'a> {
    /// A lesson of its own, with this id.
    Lesson(&'a str),
    /// Steps, to be put into a lesson.
    Steps,
}

/// A run as the text of a lesson.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The text.
    pub text: String,
    /// What is still to be written, one thing a line.
    pub missing: Vec<String>,
    /// What the questions ask for.
    pub goal: String,
}

#[derive(Serialize)]
struct File<'a> {
    lesson: u32,
    id: &'a str,
    title: String,
    about: String,
    cluster: Cluster<'a>,
    steps: Vec<Page>,
}

#[derive(Serialize, Default)]
struct Page {
    say: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    run: Vec<String>,
    drive: Option<Played>,
    trace: Option<Played>,
}

#[derive(Serialize, Default)]
struct Played {
    id: &'static str,
    prompt: String,
    goal: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    annotate: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allow: Vec<String>,
    solution: Vec<String>,
    hints: [String; 3],
    explain: String,
}

fn todo(what: &str) -> String {
    format!("{TODO}: {what}")
}

/// The run from a point to where one stands, as a lesson or as steps. What happened before that point is
/// played first.
///
/// # Errors
/// Why nothing can be made of it.
pub fn record(lab: &Lab, from: RevId, form: Form<'_>) -> Result<Recorded, String> {
    if let Form::Lesson(id) = form
        && !is_id(id)
    {
        return Err(not_an_id(id));
    }
    let history = lab.history();
    let here = history.cursor();
    if from != here && !history.ancestors(here).any(|rev| rev == from) {
        return Err("the run was not played from there".to_owned());
    }
    let all = history.records(here);
    let (before, played) = all.split_at(history.depth(from) as usize);
    match played.len() {
        0 => return Err("nothing was played since then".to_owned()),
        n if n > MOST_EVENTS => {
            return Err(format!(
                "{n} events are too many for one question; {MOST_EVENTS} is the most"
            ));
        }
        _ => {}
    }
    let goal = goal::suggested(lab, from)
        .ok_or("nothing has changed that a goal could ask for: play on")?;
    let steps = pages(lab, before, played, &goal);
    let (head, yaml) = match form {
        Form::Steps => ("Steps for a lesson", to_yaml(&steps)),
        Form::Lesson(id) => {
            let file = File {
                lesson: VERSION,
                id,
                title: todo("a title, one line"),
                about: todo("what it is about, in a sentence or two"),
                cluster: Cluster::of(lab.config()),
                steps,
            };
            ("A lesson", to_yaml(&file))
        }
    };
    let missing = missing(form);
    let text = format!("{}{yaml}", comments(head, &missing));
    Ok(Recorded { text, missing, goal })
}

/// First what leads there, then the questions, then the run itself.
fn pages(lab: &Lab, before: &[&StepRecord], played: &[&StepRecord], goal: &str) -> Vec<Page> {
    let names = &lab.setup().names;
    let shown = |records: &[&StepRecord]| -> Vec<String> {
        records.iter().map(|record| record.event.show(names)).collect()
    };
    let events = shown(played);
    let annotate = words(lab, played);
    let said = |(record, event): (&&StepRecord, &String)| match game::said_of(&annotate, record) {
        Some(word) => format!("{event} => {word}"),
        None => event.clone(),
    };
    let traced: Vec<String> = played.iter().zip(&events).map(said).collect();
    let question = |id, prompt: String, solution| Played {
        id,
        prompt: todo(&prompt),
        goal: goal.to_owned(),
        annotate: Vec::new(),
        allow: unusual(&events),
        solution,
        hints: ["where to look", "which rule", "the next move"].map(todo),
        explain: todo("why it comes to this"),
    };
    let of_words = match annotate.as_slice() {
        [] => String::new(),
        words => format!(" Write after each event what comes of it: {}.", words.join(", ")),
    };
    let drive = question("drive", format!("play until this holds: {goal}"), events.clone());
    let trace = question("trace", format!("carry the run on.{of_words}"), traced);
    vec![
        Page { say: Some(todo("what the situation is")), run: shown(before), ..Page::default() },
        Page { drive: Some(drive), ..Page::default() },
        Page { trace: Some(Played { annotate, ..trace }), ..Page::default() },
        Page { say: Some(todo("what Next shows now")), run: events, ..Page::default() },
    ]
}

/// The kinds of events that a question has to allow.
fn unusual(events: &[String]) -> Vec<String> {
    let mut kinds = Vec::new();
    for verb in events.iter().filter_map(|event| event.split(' ').next()) {
        if !game::USUAL.contains(&verb) && !kinds.iter().any(|known| known == verb) {
            kinds.push(verb.to_owned());
        }
    }
    kinds
}

/// The algorithm's words for what came of these steps: at least two, of which none goes with another.
fn words(lab: &Lab, played: &[&StepRecord]) -> Vec<String> {
    let own = lab.state().info().outcomes();
    let occurs = |word: &&str| played.iter().any(|record| record.outcomes.contains(word));
    let apart = |a: &str, b: &str| {
        !played.iter().any(|record| record.outcomes.contains(&a) && record.outcomes.contains(&b))
    };
    let mut words: Vec<&str> = Vec::new();
    for word in own.iter().copied().filter(|word| occurs(word)) {
        if words.iter().all(|known| apart(known, word)) {
            words.push(word);
        }
    }
    // Where only one thing ever happens, another one has to be possible as an answer.
    if words.len() == 1 {
        words.extend(own.iter().copied().find(|word| !occurs(word)));
    }
    if words.len() < 2 {
        return Vec::new();
    }
    words.into_iter().map(str::to_owned).collect()
}

/// What only a person can write.
fn missing(form: Form<'_>) -> Vec<String> {
    let head = match form {
        Form::Lesson(_) => &["title and about"][..],
        Form::Steps => &[],
    };
    let rest = [
        "the first page: what the situation is",
        "drive and trace: the prompt",
        "drive and trace: three hints (where to look, which rule, the next move)",
        "drive and trace: explain (why it comes to this)",
        "the last page: what the run shows",
    ];
    head.iter().chain(&rest).map(|line| (*line).to_owned()).collect()
}

/// The checklist, above the text.
fn comments(head: &str, missing: &[String]) -> String {
    let mut text =
        format!("# {head}, made of a run that was played. Still to be written, wherever\n");
    text += &format!("# it says {TODO} (lockstep lesson lint names each place):\n");
    for line in missing {
        text += &format!("# - {line}\n");
    }
    text += "# Worth a thought: whether the goal is what you want to ask; `at_most`, `par`, `never` and\n\
             # `forbid` make it harder; `feedback`, `objective` and `points` as in lockstep lesson schema.\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;
    use crate::lesson::author;
    use crate::model::{Config, Event};
    use crate::sim::SplitMix64;
    use proptest::prelude::*;

    fn linted(text: &str) -> Vec<String> {
        let found = author::lint_reader("recorded.yaml", text.as_bytes());
        found.problems.iter().map(ToString::to_string).collect()
    }

    /// What is found in a recorded lesson is its own checklist, and nothing once that is done.
    fn check(lab: &Lab, from: RevId) -> Result<Recorded, String> {
        let recorded = record(lab, from, Form::Lesson("recorded"))?;
        let text = &recorded.text;
        let found = linted(text);
        assert!(found.iter().all(|line| line.contains(TODO)), "{}\n{text}", found.join("\n"));
        let marked = text.lines().filter(|l| !l.starts_with('#') && l.contains(TODO)).count();
        assert_eq!(found.len(), marked, "{}\n{text}", found.join("\n"));
        let done = linted(&text.replace(TODO, "Done"));
        assert!(done.is_empty(), "{}\n{text}", done.join("\n"));
        Ok(recorded)
    }

    fn played(line: &str) -> Lab {
        Lab::of_line(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn a_run_becomes_a_lesson_whose_only_findings_are_what_a_person_has_to_write() {
        let cases = [
            (
                "ricart-agrawala; nodes=P1,P2,P3; clocks=4,2,0; request P1; request P2; \
                 deliver P1>P2; deliver P2>P1; deliver P2>P3; deliver P1>P2; deliver P3>P2",
                "in_cs(P2)",
            ),
            (
                "lamport; nodes=P1,P2; channels=any-order; clocks=1,0; request P2; request P1; \
                 deliver P2>P1; deliver P1>P2; deliver P1>P2#2; deliver P2>P1#2",
                "in_cs(",
            ),
            ("ricart-agrawala; nodes=A,B; crash B; request A; deliver A>B", "stuck()"),
            ("token-ring; nodes=P1,P2; drop P2>P1", "violated(token)"),
            ("clocks; nodes=P1,P2; tell P1>P2; deliver P1>P2; local P2", "clock(P1) == 1"),
            ("lease; nodes=P1,P2; storage=fenced; request P1; deliver P1>L", ""),
        ];
        for (line, goal) in cases {
            let recorded = check(&played(line), RevId::ROOT).unwrap_or_else(|why| panic!("{why}"));
            assert!(recorded.goal.contains(goal), "{line}: {}", recorded.goal);
        }
    }

    #[test]
    fn what_happened_before_the_mark_leads_to_the_questions() {
        let mut lab = played("ricart-agrawala; nodes=P1,P2; request P1; request P2");
        let mark = lab.history().cursor();
        lab.play_schedule("deliver P1>P2; deliver P2>P1; deliver P2>P1").expect("a schedule");
        let recorded = check(&lab, mark).expect("a lesson");
        let lesson = crate::lesson::load::reader("recorded.yaml", recorded.text.as_bytes());
        let lesson = lesson.expect("it loads");
        let runs: Vec<usize> = lesson.steps().iter().map(|step| step.run.len()).collect();
        assert_eq!(runs, [2, 0, 0, 3]);
        assert!(recorded.text.contains("deliver P2>P1 => defer"), "{}", recorded.text);
        assert_eq!(record(&lab, lab.history().cursor(), Form::Steps).ok(), None);
        let id = record(&lab, mark, Form::Lesson("no id"));
        assert!(id.is_err_and(|why| why.contains("no id")));
        lab.go_to(mark);
        lab.play_schedule("deliver P2>P1").expect("a schedule");
        let elsewhere = lab.history().cursor();
        lab.go_to(RevId::ROOT);
        assert!(record(&lab, elsewhere, Form::Steps).is_err());
    }

    #[test]
    fn steps_alone_fit_below_the_head_of_a_lesson() {
        let lab = played("lamport; nodes=P1,P2; request P1; deliver P1>P2; deliver P2>P1");
        let steps = record(&lab, RevId::ROOT, Form::Steps).expect("steps").text;
        let whole = record(&lab, RevId::ROOT, Form::Lesson("recorded")).expect("a lesson").text;
        let (head, _) = whole.split_once("steps:\n").expect("a lesson has steps");
        let text = format!("{head}steps:\n{steps}").replace(TODO, "Done");
        assert_eq!(linted(&text), Vec::<String>::new(), "{text}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn every_run_with_its_faults_is_recorded_without_a_finding_of_its_own(
            which in 0..catalog::all().len(), n in 2..4_usize, seed: u64, lead in 0..6_usize,
            steps in 1..25_usize,
        ) {
            let mut lab = Lab::new(Config::new(catalog::all()[which].info.slug, n)).expect("it fits");
            let mut random = SplitMix64::new(seed);
            let mut mark = RevId::ROOT;
            for step in 0..lead + steps {
                if step == lead {
                    mark = lab.history().cursor();
                }
                let events: Vec<Event> = lab.state().enabled();
                if events.is_empty() {
                    break;
                }
                lab.play(events[random.below(events.len())]).expect("it is enabled");
            }
            // Where nothing has changed that a goal could ask for, that is said.
            let _told = check(&lab, mark);
        }
    }
}
