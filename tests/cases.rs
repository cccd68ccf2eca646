//! Real cases, as text: `cases/*.txt` hold a cluster, events with what they must do, and what must
//! hold then. This file only reads them and asks the engine.
//!
//! ```text
//! case: what it is about
//! cluster: ricart-agrawala -n P0,P1 --clock tick    options as on the command line
//! cluster: … => refused: do not meet                there is no such cluster, with these words in the reason
//! sets: P0 P1 / P1                                  voting sets, right below `cluster:`
//! request P0; deliver P0>P1 => reply                events; after => what the last one does
//! deliver P0>P1#2 => refused: is ahead of it        it is refused, with these words in the reason
//! holds: field(P1, deferred) == {P0}                a goal
//! stuck: P0 waits for RELEASE                       somebody is stuck, with these words
//! cycle: P0, P1                                     the cycle of waits of those that are stuck
//! missing: P0: REPLY from P1 (deferred by P1)       a condition that keeps it from entering
//! says: P1 waits, so                                words of the last step's sentence
//! sends: 2                                          how many messages the last step sent
//! steps: 3                                          how many steps were played
//! check: faults timeout=1; requests 1,1 => safe     every schedule from here on, with its verdict:
//! check: goal in_cs(P1) => goal-reached after 4     after that many events from the very beginning
//! on: oldest | on: seeds 1..20                      plays the rest; the lines below hold for each seed
//! entered: P0, P1                                   all entries so far, in order
//! order: kept | broken | not-promised               the lamp
//! ```

use clap::Parser;
use lockstep::catalog;
use lockstep::check::{Asked, Faults, SearchOptions};
use lockstep::cli::ClusterArgs;
use lockstep::export::Run;
use lockstep::lab::{Ended, Lab};
use lockstep::model::{QuorumChoice, Schedule};
use lockstep::sim::{Order, Policy, Progress, SplitMix64};
use lockstep::trace::narrate;
use std::ops::RangeInclusive;
use std::path::Path;

#[derive(Parser)]
struct ClusterLine {
    algorithm: String,
    #[command(flatten)]
    cluster: ClusterArgs,
}

/// The cluster that a line describes, with these voting sets.
fn start(line: &str, sets: Option<&str>) -> Result<Lab, String> {
    // Every second piece stands between quotes and is one word.
    let pieces = line.split('"').enumerate().flat_map(|(i, piece)| match i % 2 {
        0 => piece.split_whitespace().collect(),
        _ => vec![piece],
    });
    let words = std::iter::once("cluster").chain(pieces);
    let line = ClusterLine::try_parse_from(words).map_err(|e| e.to_string())?;
    let entry = catalog::find(&line.algorithm).map_err(|e| e.to_string())?;
    let mut config = line.cluster.config(&entry).map_err(|e| e.to_string())?;
    if let Some(sets) = sets {
        let set = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        config.quorums = QuorumChoice::Sets(sets.split('/').map(set).collect());
    }
    Lab::new(config).map_err(|e| e.to_string())
}

/// Plays one event and looks at what it did.
fn event(lab: &mut Lab, text: &str) -> Result<(), String> {
    let (event, wanted) = match text.split_once("=>") {
        Some((event, wanted)) => (event.trim(), Some(wanted.trim())),
        None => (text.trim(), None),
    };
    let names = lab.setup().names.clone();
    let parsed = Schedule::parse(event, &names).map_err(|e| format!("`{event}`: {e}"))?;
    let [parsed] = parsed.0.as_slice() else { return Err(format!("`{event}` is not one event")) };
    let refusal = wanted.and_then(|w| w.strip_prefix("refused:")).map(str::trim);
    match (lab.play(*parsed), refusal) {
        (Ok(_), Some(_)) => Err(format!("`{event}` was played, not refused")),
        (Err(e), Some(words)) if e.reason.contains(words) => Ok(()),
        (Err(e), _) => Err(format!("`{event}` is refused: {e}")),
        (Ok(record), None) => {
            let words = wanted.unwrap_or_default().split(',').map(str::trim);
            match words.filter(|w| !w.is_empty()).find(|w| !record.outcomes.contains(w)) {
                Some(word) => Err(format!("`{event}` does {:?}, not {word}", record.outcomes)),
                None => Ok(()),
            }
        }
    }
}

fn equal(what: &str, got: &str, wanted: &str) -> Result<(), String> {
    if got == wanted { Ok(()) } else { Err(format!("{what} {got}, wanted {wanted}")) }
}

fn stuck(lab: &Lab, words: &str) -> Result<(), String> {
    let Progress::Stuck { waits, .. } = lab.state().lamps().progress else {
        return Err("nobody is stuck".to_owned());
    };
    let names = &lab.setup().names;
    let texts: Vec<String> =
        waits.iter().map(|w| format!("{} {}", names.get(w.node), w.text)).collect();
    match texts.iter().any(|t| t.contains(words)) {
        true => Ok(()),
        false => Err(format!("stuck with {texts:?}")),
    }
}

fn cycle(lab: &Lab, wanted: &str) -> Result<(), String> {
    let Progress::Stuck { cycle, .. } = lab.state().lamps().progress else {
        return Err("nobody is stuck".to_owned());
    };
    let names = &lab.setup().names;
    let cycle: Vec<&str> = cycle.into_iter().map(|n| names.get(n)).collect();
    equal("a cycle of", &cycle.join(", "), wanted)
}

fn says(lab: &Lab, words: &str) -> Result<(), String> {
    let record = lab.history().last_record().ok_or("nothing was played")?;
    let sentence = narrate::sentence(record, &lab.setup().names);
    if sentence.contains(words) { Ok(()) } else { Err(format!("it says: {sentence}")) }
}

/// Every schedule from here on: what is played, then the verdict.
fn every_schedule(lab: &Lab, text: &str) -> Result<(), String> {
    let (played, wanted) = text.split_once("=>").ok_or("write `check: … => safe`")?;
    let mut options = SearchOptions {
        from: lab.history().schedule(lab.history().cursor()),
        ..SearchOptions::default()
    };
    for piece in played.split(';').map(str::trim).filter(|p| !p.is_empty()) {
        let (key, value) = piece.split_once(' ').unwrap_or((piece, ""));
        let number = |text: &str| text.trim().parse().map_err(|_| format!("no number: `{text}`"));
        match key {
            "requests" => {
                let each = value.split(',').map(|n| number(n).map(u32::from));
                options.requests = each.collect::<Result<_, _>>()?;
            }
            "faults" => options.faults = Faults::parse(value)?,
            "writes" => options.writes = number(value)?,
            "goal" => {
                let goal = lab.goal(value).map_err(|e| e.to_string())?;
                options.goal = Some(Asked::by_hand(value, goal));
            }
            "mutex" => options.mutex_only = true,
            other => return Err(format!("`{other}` cannot be checked")),
        }
    }
    let mut search = catalog::search(lab.config(), &options).map_err(|e| e.to_string())?;
    while !search.advance(100_000).finished {}
    let report = search.report().ok_or("the search ended without a report")?;
    let mut found = report.verdict.word().to_owned();
    if let Some(schedule) = report.counterexample.as_ref().filter(|_| wanted.contains("after")) {
        found += &format!(" after {}", schedule.0.len());
    }
    equal("every schedule is", &found, wanted.trim())
}

fn missing(lab: &Lab, text: &str) -> Result<(), String> {
    let (node, words) = text.split_once(": ").ok_or("write `missing: NODE: condition`")?;
    let node = lab.setup().names.find(node).ok_or("no such node")?;
    let unmet = lab.state().why(node).into_iter().filter(|line| !line.met);
    let shown = unmet.map(|l| match l.whereabouts {
        Some(place) => format!("{} ({place})", l.text),
        None => l.text,
    });
    let shown: Vec<String> = shown.collect();
    match shown.iter().any(|line| line.contains(words)) {
        true => Ok(()),
        false => Err(format!("missing are {shown:?}")),
    }
}

fn play_on(lab: &mut Lab, seed: Option<u64>) -> Result<(), String> {
    let mut policy = match seed {
        Some(seed) => Policy::Seeded(SplitMix64::new(seed)),
        None => Policy::Oldest,
    };
    match lab.run_on(&mut policy, None) {
        Ended::Quiet => Ok(()),
        other => Err(format!("the run does not come to rest: {other:?}")),
    }
}

/// One line below `cluster:`.
fn line(lab: &mut Lab, text: &str, seed: Option<u64>) -> Result<(), String> {
    let (key, value) = text.split_once(':').map_or(("", text), |(k, v)| (k.trim(), v.trim()));
    match key {
        "holds" => {
            let goal = lab.goal(value).map_err(|e| e.to_string())?;
            if goal.holds(lab.state()) { Ok(()) } else { Err(format!("`{value}` does not hold")) }
        }
        "stuck" => stuck(lab, value),
        "cycle" => cycle(lab, value),
        "says" => says(lab, value),
        "sends" => {
            let sent = lab.history().last_record().map_or(0, |r| r.sent.len());
            equal("messages sent:", &sent.to_string(), value)
        }
        "steps" => equal("steps:", &lab.state().steps().to_string(), value),
        "check" => every_schedule(lab, value),
        "missing" => missing(lab, value),
        "on" => play_on(lab, seed),
        "entered" => {
            let names = &lab.setup().names;
            let entries: Vec<&str> = Run::of(lab).entries().map(|n| names.get(n)).collect();
            equal("entered", &entries.join(", "), value)
        }
        "order" => {
            let order = match lab.state().lamps().order {
                Order::Kept => "kept",
                Order::Broken(..) => "broken",
                Order::NotPromised => "not-promised",
            };
            equal("order", order, value)
        }
        _ => text.split(';').try_for_each(|one| event(lab, one)),
    }
}

/// `1..20`.
fn seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    let bad = || format!("`{text}` is no range of seeds");
    let (first, last) = text.trim().split_once("..").ok_or_else(bad)?;
    Ok(first.parse().map_err(|_| bad())?..=last.parse().map_err(|_| bad())?)
}

/// A case of a file: its lines, each with its number.
type Case<'a> = (&'a str, Vec<(usize, &'a str)>);

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(title) = line.strip_prefix("case:") {
            cases.push((title.trim(), Vec::new()));
        } else if !line.is_empty() && !line.starts_with("# ") {
            let case = cases.last_mut().expect("a file begins with `case:`");
            case.1.push((i + 1, line));
        }
    }
    cases
}

/// Plays a case, once or for each of its seeds.
fn check(case: &Case<'_>) -> Result<(), String> {
    let (_, lines) = case;
    let mut all = vec![None];
    for (n, text) in lines {
        if let Some(range) = text.strip_prefix("on: seeds ") {
            let range = seeds(range).map_err(|e| format!("line {n}: {e}"))?;
            all = range.map(Some).collect();
        }
    }
    let [(_, cluster), rest @ ..] = lines.as_slice() else { return Err("it is empty".to_owned()) };
    let cluster = cluster.strip_prefix("cluster:").ok_or("its first line is no `cluster:`")?;
    let sets = rest.first().and_then(|(_, text)| text.strip_prefix("sets:"));
    let rest = if sets.is_some() { &rest[1..] } else { rest };
    if let Some((cluster, words)) = cluster.split_once("=> refused:") {
        return match start(cluster, sets) {
            Err(reason) if reason.contains(words.trim()) => Ok(()),
            Err(reason) => Err(format!("there is no such cluster: {reason}")),
            Ok(_) => Err("there is such a cluster".to_owned()),
        };
    }
    for seed in all {
        let mut lab = start(cluster, sets)?;
        for (n, text) in rest {
            let tried = line(&mut lab, text, seed);
            tried.map_err(|e| format!("line {n}, seed {seed:?}: {e}"))?;
        }
    }
    Ok(())
}

#[test]
fn every_real_case_comes_out_as_its_source_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut failures = Vec::new();
    let mut played = 0;
    for file in std::fs::read_dir(&folder).expect("the folder of cases is there") {
        let path = file.expect("its files can be listed").path();
        let text = std::fs::read_to_string(&path).expect("a case is text");
        for case in cases(&text) {
            played += 1;
            if let Err(e) = check(&case) {
                let file = path.file_name().unwrap_or_default().display();
                failures.push(format!("{file}: {}: {e}", case.0));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(played >= 90, "only {played} cases were found");
}

#[test]
fn a_case_that_expects_something_else_fails() {
    let wrong = |lines: &str| {
        let text = format!("case: x\ncluster: ricart-agrawala -n 2\n{lines}");
        check(&cases(&text)[0]).expect_err(lines)
    };
    assert!(wrong("request P1 => defer").contains("line 3"));
    assert!(wrong("request P1\nrequest P1").contains("P1 has already asked"));
    assert!(wrong("request P1 => refused: busy").contains("was played"));
    assert!(wrong("exit P1 => refused: because of the weather").contains("P1 has not asked"));
    assert!(wrong("request P1; request P2\non: seeds 1..3\nentered: P2").contains("P1, P2"));
    assert!(wrong("holds: in_cs(P1)").contains("does not hold"));
    assert!(wrong("stuck: P1").contains("nobody is stuck"));
    assert!(wrong("order: broken").contains("kept"));
    assert!(wrong("cycle: P1, P2").contains("nobody is stuck"));
    assert!(wrong("request P1\nsays: it rains").contains("it says: P1 asks"));
    assert!(wrong("request P1\nsends: 2").contains("messages sent: 1, wanted 2"));
    assert!(wrong("steps: 4").contains("steps: 0"));
    assert!(wrong("check: requests 1 => stuck").contains("safe"));
    assert!(wrong("check: goal in_cs(P1) => goal-reached after 9").contains("after 3"));
    assert!(wrong("check: the weather => fine").contains("cannot be checked"));
    let there = cases("case: x\ncluster: lamport -n 2 => refused: too many");
    assert!(check(&there[0]).is_err_and(|e| e.contains("there is such a cluster")));
}
