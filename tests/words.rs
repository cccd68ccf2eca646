//! What is said about a step is so: sentences, lit rules and words for outcomes against the record.
//!
//! `tests/words/` lists every sentence, rule and word with what has to be true of a step that has it. A
//! sentence that is not in the list fails the test, and so does a message that no sentence tells of.

mod claims;

use claims::{Captured, Facts};
use lockstep::algorithm::Info;
use lockstep::catalog;
use lockstep::lesson::drill::{self, Drill};
use lockstep::lesson::{Lesson, Library};
use lockstep::model::{ChannelOrder, Config, Event, Names, NodeId, StorageRule};
use lockstep::sim::{Fate, Simulation, SplitMix64, StepRecord};
use lockstep::trace::narrate;
use std::collections::{BTreeMap, BTreeSet};

/// Left and right sides of a list, by its sections.
struct Table(BTreeMap<&'static str, Vec<(&'static str, &'static str)>>);

impl Table {
    fn read(text: &'static str) -> Self {
        let mut all: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        let mut section = "";
        for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']');
                all.entry(section).or_default();
            } else {
                let pair = line.split_once(" => ").unwrap_or_else(|| panic!("`{line}` has no =>"));
                all.get_mut(section).expect("a section").push(pair);
            }
        }
        Self(all)
    }

    fn of(&self, slug: &str) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let own = self.0.get(slug).unwrap_or_else(|| panic!("no section [{slug}]"));
        own.iter().chain(&self.0["every"]).copied()
    }

    fn claims(&self, slug: &str, left: &str) -> Option<&'static str> {
        self.of(slug).find(|(l, _)| *l == left).map(|(_, claims)| claims)
    }
}

fn sentences() -> Table {
    Table::read(include_str!("words/sentences.txt"))
}

fn rules() -> Table {
    let mut table = Table::read(include_str!("words/rules.txt"));
    table.0.insert("every", Vec::new());
    table.0.insert("clocks", Vec::new());
    table
}

fn outcomes() -> Table {
    Table::read(include_str!("words/outcomes.txt"))
}

/// What a sentence's pattern captures in a text; `None`: the text is another sentence.
fn captures(pattern: &str, text: &str, names: &Names) -> Option<Captured> {
    let mut said = Captured::new();
    walk(pattern, text, names, &mut said).then_some(said)
}

fn walk(pattern: &str, text: &str, names: &Names, said: &mut Captured) -> bool {
    let Some((before, rest)) = pattern.split_once('{') else { return pattern == text };
    let Some(text) = text.strip_prefix(before) else { return false };
    let (name, rest) = rest.split_once('}').expect("a closed brace");
    let until = rest.split('{').next().unwrap_or_default();
    let mut from = 0;
    // The shortest piece that fits, then longer ones.
    loop {
        let end = match until.is_empty() {
            true => text.len(),
            false => match text[from..].find(until) {
                Some(at) => from + at,
                None => return false,
            },
        };
        let piece = &text[..end];
        if fits(name, piece, names) && said.get(name).is_none_or(|known| known == piece) {
            let known = said.insert(name.to_owned(), piece.to_owned());
            if walk(rest, &text[end..], names, said) {
                return true;
            }
            match known {
                Some(known) => said.insert(name.to_owned(), known),
                None => said.remove(name),
            };
        }
        from = end + text[end..].chars().next().map_or(1, char::len_utf8);
        if from > text.len() || until.is_empty() {
            return false;
        }
    }
}

fn fits(name: &str, piece: &str, names: &Names) -> bool {
    let node = |p: &str| names.iter().any(|n| n == p);
    match name {
        "me" | "j" | "k" => node(piece),
        "who" | "whom" => {
            piece == "nobody" || piece.split(", ").flat_map(|p| p.split(" and ")).all(node)
        }
        "s" | "t" | "u" => piece.starts_with('(') && piece.ends_with(')') && !piece.contains(' '),
        "n" | "m" | "l" => piece.parse::<u64>().is_ok(),
        "tok" => piece == "the token" || piece.starts_with("token #"),
        "title" => !piece.is_empty(),
        other => panic!("`{other}` captures nothing"),
    }
}

/// The sentences of a paragraph.
fn split(text: &str) -> Vec<String> {
    let mut all: Vec<String> = text.split(". ").map(|s| format!("{s}.")).collect();
    if let Some(last) = all.last_mut() {
        last.pop();
    }
    all.retain(|s| !s.is_empty());
    all
}

/// What the narrator says of the message that a step moves: it is no algorithm's sentence.
fn moved(record: &StepRecord, names: &Names) -> Option<String> {
    let m = record.moved.as_ref()?;
    let (id, label) = (m.message.id, m.message.label.show(names));
    let (from, to) = (names.get(id.from), names.get(id.to));
    Some(match m.fate {
        Fate::Delivered => format!("{to} gets {label} from {from}."),
        Fate::LostAtCrashed => {
            format!("{label} from {from} reaches {to}, which has crashed: it is lost.")
        }
        Fate::Dropped => format!("{label} from {from} to {to} is lost on the way."),
        Fate::Copied(copy) => {
            format!(
                "The network copies {label} from {from} to {to}: {} is on its way too.",
                copy.no
            )
        }
    })
}

/// The messages that these claims tell of, as kinds.
fn told(claims: &str) -> impl Iterator<Item = &str> {
    claims.split(';').flat_map(|c| c.split(" or ")).filter_map(|one| {
        let mut words = one.trim().split(' ');
        (words.next() == Some("sent")).then(|| words.next().expect("a kind"))
    })
}

/// Judges one step. Gives what is wrong with what is said about it.
fn judge(tables: (&Table, &Table), slug: &str, facts: &Facts<'_>) -> Vec<String> {
    let names = &facts.setup.names;
    let text = narrate::sentence(facts.record, names);
    let mut wrong = Vec::new();
    let mut kinds = BTreeSet::new();
    let opening = moved(facts.record, names);
    let rest = match &opening {
        Some(opening) => match text.strip_prefix(opening.as_str()) {
            Some(rest) => rest.trim_start(),
            None => return vec![format!("`{text}` does not begin with `{opening}`")],
        },
        None => text.as_str(),
    };
    if facts.record.node.is_none() {
        return if rest.is_empty() { wrong } else { vec![format!("`{rest}` is said of no node")] };
    }
    let me = facts.setup.name(facts.me());
    for sentence in split(rest) {
        let fitting: Vec<(Captured, &str)> = tables
            .0
            .of(slug)
            .filter_map(|(pattern, claims)| Some((captures(pattern, &sentence, names)?, claims)))
            .filter(|(said, _)| said.get("me").is_none_or(|n| n == me))
            .collect();
        let judged: Vec<_> = fitting.iter().map(|(s, c)| facts.hold(c, s)).collect();
        // The same words may stand for two things (`P1 has the token.`): one of them has to be so.
        if judged.is_empty() {
            wrong.push(format!("`{sentence}` is in no list"));
        } else if let (false, Some(Err(why))) = (judged.iter().any(Result::is_ok), judged.last()) {
            wrong.push(format!("`{sentence}`: {why}"));
        }
        let true_ones = fitting.iter().zip(&judged).filter(|(_, j)| j.is_ok());
        kinds.extend(true_ones.flat_map(|((_, claims), _)| told(claims)));
    }
    for (id, _) in &facts.record.rules {
        match tables.1.claims(slug, id) {
            None => wrong.push(format!("{id} is in no list")),
            Some(claims) => wrong.extend(
                facts.hold(claims, &Captured::new()).err().map(|why| format!("{id} is lit: {why}")),
            ),
        }
    }
    for sent in facts.record.sent.iter().map(|s| s.label.kind) {
        let storage = matches!(sent, "ACCEPTED" | "REFUSED" | "VALUE" | "WRITE" | "READ");
        if !kinds.contains(sent) && !storage {
            wrong.push(format!("{sent} was sent and no sentence tells of it"));
        }
    }
    wrong
}

/// Every cluster of an algorithm: with each variant and each option, few nodes and many, both orders of
/// channels, with a storage node where the algorithm gives a fence.
fn clusters(info: &Info) -> Vec<Config> {
    let mut all = Vec::new();
    let variants = info.variants.iter().map(|v| Some(v.slug.to_owned()));
    for variant in [None].into_iter().chain(variants) {
        let options = info.options.iter().map(|o| vec![o.name.to_owned()]);
        let pairs = info.options.windows(2).map(|o| o.iter().map(|o| o.name.to_owned()).collect());
        let every =
            |o: &[lockstep::algorithm::OptionInfo]| o.iter().map(|o| o.name.to_owned()).collect();
        let many = (info.options.len() > 2).then(|| every(&info.options[..3])).into_iter();
        for options in [Vec::new()].into_iter().chain(options).chain(pairs).chain(many) {
            for n in 1..=4 {
                for order in [ChannelOrder::Fifo, ChannelOrder::AnyOrder] {
                    let mut config = Config::new(info.slug, n);
                    (config.variant, config.options) = (variant.clone(), options.clone());
                    config.channels = Some(order);
                    if info.fence.is_some() && n > 1 {
                        let fenced = order == ChannelOrder::Fifo;
                        let rule = if fenced { StorageRule::Fenced } else { StorageRule::Plain };
                        config.storage = Some(rule);
                    }
                    if config.algorithm == "central" && n == 3 {
                        config.coordinator = Some("P1".to_owned());
                    }
                    if catalog::start(&config).is_ok() {
                        all.push(config);
                    }
                }
            }
        }
    }
    all
}

/// Plays a random run with faults and shows every step with the states around it.
fn play(config: &Config, seed: u64, steps: usize, mut each: impl FnMut(&Facts<'_>)) {
    let mut sim = catalog::start(config).expect("it has been started before");
    let mut rng = SplitMix64::new(seed);
    let mut before = sim.view();
    for _ in 0..steps {
        let mut events = sim.enabled();
        let usual = |e: &Event| matches!(e, Event::Request(_) | Event::Deliver(_) | Event::Exit(_));
        let faults = seed % 3;
        if faults == 0 || rng.below(6) > 0 && events.iter().any(usual) {
            events.retain(usual);
        } else if faults == 1 {
            events.retain(|e| !matches!(e, Event::Drop(_) | Event::Crash(_)));
            events.push(Event::Local(NodeId(0)));
        }
        if events.is_empty() {
            break;
        }
        let record = sim.step(events[rng.below(events.len())]).expect("an enabled event");
        let after = sim.view();
        each(&Facts { setup: sim.setup(), before: &before, after: &after, record: &record });
        before = after;
    }
}

fn fail(wrong: BTreeMap<String, (usize, String)>) {
    let list: Vec<String> =
        wrong.iter().map(|(what, (n, example))| format!("{n} x {what}\n    {example}")).collect();
    assert!(list.is_empty(), "{} kinds of contradictions:\n{}", list.len(), list.join("\n"));
}

#[test]
fn no_sentence_and_no_lit_rule_says_what_the_step_has_not_done() {
    let (sentences, rules) = (sentences(), rules());
    let mut wrong: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for info in catalog::all().iter().map(|e| e.info) {
        for (i, config) in clusters(info).iter().enumerate() {
            for seed in 0..6 {
                let seed = seed + 6 * i as u64;
                play(config, seed, 120, |facts| {
                    for one in judge((&sentences, &rules), info.slug, facts) {
                        let names = &facts.setup.names;
                        let key = format!(
                            "{} {}: {}",
                            info.slug,
                            config.variant.as_deref().unwrap_or("as the paper has it"),
                            one.replace(|c: char| c.is_ascii_digit(), "")
                        );
                        let at = || {
                            let sent: Vec<String> = facts
                                .record
                                .sent
                                .iter()
                                .map(|s| {
                                    format!("{} to {}", s.label.full(names), names.get(s.id.to))
                                })
                                .collect();
                            format!(
                                "{} -> {one} | {:?} n={} seed {seed}, step {}: {} | {} | rules {:?}",
                                facts.record.event.show(names),
                                config.options,
                                config.nodes.len(),
                                facts.record.n,
                                narrate::sentence(facts.record, names),
                                sent.join(", "),
                                facts.record.rules.iter().map(|r| r.0).collect::<Vec<_>>()
                            )
                        };
                        wrong.entry(key).or_insert_with(|| (0, at())).0 += 1;
                    }
                });
            }
        }
    }
    fail(wrong);
}

/// The words that fit a step, by the list.
fn fitting<'w>(table: &Table, slug: &str, facts: &Facts<'_>, words: &[&'w str]) -> Vec<&'w str> {
    let fits = |word: &&&str| {
        let claims = table.claims(slug, word);
        let claims = claims.unwrap_or_else(|| panic!("{slug}: `{word}` is in no list"));
        let about_a_node = facts.record.node.is_some();
        let of_the_network = matches!(**word, "lost" | "duplicate");
        (about_a_node || of_the_network) && facts.hold(claims, &Captured::new()).is_ok()
    };
    words.iter().filter(fits).copied().collect()
}

#[test]
fn every_word_for_an_outcome_is_there_exactly_when_it_is_so() {
    let table = outcomes();
    let mut wrong: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for info in catalog::all().iter().map(|e| e.info) {
        let own = info.outcomes();
        let all: Vec<&str> = own.iter().copied().chain(lockstep::model::outcome::ENGINE).collect();
        for (i, config) in clusters(info).iter().enumerate() {
            for seed in 0..6 {
                play(config, seed + 6 * i as u64, 120, |facts| {
                    if facts.record.node.is_none() {
                        return;
                    }
                    let said: BTreeSet<&str> = facts.record.outcomes.iter().copied().collect();
                    let so: BTreeSet<&str> =
                        fitting(&table, info.slug, facts, &all).into_iter().collect();
                    // What a node says to itself is in no record: such steps may do more than is seen.
                    let hidden = facts.talks_to_itself();
                    let differ = said.symmetric_difference(&so);
                    let seen = |w: &&&str| {
                        !hidden || said.contains(**w) && !matches!(**w, "ignore" | "grant")
                    };
                    for word in differ.filter(seen) {
                        let which = if said.contains(word) {
                            "is said and not so"
                        } else {
                            "is so and not said"
                        };
                        let key = format!(
                            "{} {}: {word} {which}",
                            info.slug,
                            config.variant.as_deref().unwrap_or("-")
                        );
                        let names = &facts.setup.names;
                        let at = || {
                            format!(
                                "{:?} n={} {}: {:?} | {}",
                                config.options,
                                config.nodes.len(),
                                facts.record.event.show(names),
                                facts.record.outcomes,
                                narrate::sentence(facts.record, names)
                            )
                        };
                        wrong.entry(key).or_insert_with(|| (0, at())).0 += 1;
                    }
                });
            }
        }
    }
    fail(wrong);
}

/// Judges a question about one event: exactly one of the offered words fits what it does.
fn judge_question(
    table: &Table,
    sim: &dyn Simulation,
    event: Event,
    words: &[&str],
    silent: bool,
) -> Option<String> {
    let mut copy = sim.fork();
    let (before, record) = (sim.view(), copy.step(event).expect("the event is enabled"));
    let after = copy.view();
    let facts = Facts { setup: sim.setup(), before: &before, after: &after, record: &record };
    let fit = fitting(table, sim.info().slug, &facts, words);
    let right: Vec<&&str> = words.iter().filter(|w| record.outcomes.contains(w)).collect();
    let agreed =
        (fit.len() == 1 || silent && fit.is_empty()) && right == fit.iter().collect::<Vec<_>>();
    (!agreed).then(|| {
        let names = &sim.setup().names;
        let (event, text) = (event.show(names), narrate::sentence(&record, names));
        format!("{event}: of {words:?} fit {fit:?}, the key is {right:?}. {text}")
    })
}

/// What a question asks about events: each with what comes before it, and the words to choose from.
type About = (Vec<Event>, Event, Vec<String>);

/// The events that a `predict` or a `play` asks about, read from the lesson's own text.
fn about(step: &serde_yaml::Value, sim: &dyn Simulation) -> Vec<About> {
    let names = &sim.setup().names;
    let texts = |value: &serde_yaml::Value| -> Vec<String> {
        let items = value.as_sequence().into_iter().flatten();
        items.map(|v| v.as_str().expect("text").to_owned()).collect()
    };
    let event = |text: &str| Event::parse(text, names).expect("lint has read it");
    if let Some(predict) = step.get("predict") {
        let asked = event(predict["event"].as_str().expect("an event"));
        return vec![(Vec::new(), asked, texts(&predict["outcomes"]))];
    }
    let Some(play) = step.get("play") else { return Vec::new() };
    let node = names.find(play["node"].as_str().expect("a node")).expect("a node");
    let (mut all, mut before) = (Vec::new(), Vec::new());
    for asked in texts(&play["run"]).iter().map(|t| event(t)) {
        if matches!(asked, Event::Deliver(m) if m.to == node) {
            all.push((before.clone(), asked, texts(&play["outcomes"])));
        }
        before.push(asked);
    }
    all
}

#[test]
fn exactly_one_word_of_every_prediction_in_the_lessons_fits_what_happens() {
    let table = outcomes();
    let (mut judged, mut wrong) = (0, Vec::new());
    let library = Library::embedded();
    for shelved in library.shelved() {
        let lesson = shelved.lesson().unwrap_or_else(|bad| panic!("{}: {bad:?}", shelved.id));
        let text: serde_yaml::Value =
            serde_yaml::from_str(lesson.document().source().text()).expect("YAML");
        let mut sim = lesson.lab().expect("a cluster").state().fork();
        let steps = text["steps"].as_sequence().expect("steps");
        for (step, text) in lesson.steps().iter().zip(steps) {
            for event in &step.run {
                sim.step(*event).expect("every event of the run is enabled");
            }
            for (before, asked, words) in about(text, sim.as_ref()) {
                judged += 1;
                let mut there = sim.fork();
                for event in before {
                    there.step(event).expect("lint has played it");
                }
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                // What is played may do nothing of what can be said.
                let silent = text.get("play").is_some();
                let told = judge_question(&table, there.as_ref(), asked, &words, silent);
                wrong.extend(told.map(|w| format!("{}: {w}", shelved.id)));
            }
            let played = step.question.as_deref().and_then(|q| q.plays(sim.as_ref()));
            played.into_iter().for_each(|e| drop(sim.step(e).expect("it is enabled")));
        }
    }
    assert!(judged >= 60, "only {judged} predictions were judged");
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The question of each step of a lesson, with the state about which it is asked.
fn asked(
    lesson: &Lesson,
    mut each: impl FnMut(&dyn Simulation, &dyn lockstep::lesson::question::Question),
) {
    let mut sim = lesson.lab().expect("a cluster").state().fork();
    for step in lesson.steps() {
        for event in &step.run {
            sim.step(*event).expect("every event of the run is enabled");
        }
        if let Some(question) = step.question.as_deref() {
            each(sim.as_ref(), question);
            if let Some(event) = question.plays(sim.as_ref()) {
                sim.step(event).expect("it is enabled");
            }
        }
    }
}

#[test]
fn exactly_one_word_of_every_drill_question_fits_what_happens() {
    let table = outcomes();
    let (mut judged, mut wrong) = (0, Vec::new());
    let algorithms = drill::algorithms().count() as u64;
    for entry in drill::algorithms() {
        for seed in 0..20_000 / (algorithms * 20) + 1 {
            let lesson = Drill::new(entry.info.slug, seed, 20).expect("a drill").lesson();
            let lesson = lesson.unwrap_or_else(|none| panic!("{} {seed}: {none}", entry.info.slug));
            asked(&lesson, |sim, question| {
                judged += 1;
                let picks = question.picks();
                let words: Vec<&str> = picks.iter().map(|p| p.id.as_str()).collect();
                let event = question.plays(sim).expect("it really happens");
                let id = question.common().id;
                let told = judge_question(&table, sim, event, &words, false);
                wrong.extend(told.map(|w| format!("{} {seed} {id}: {w}", entry.info.slug)));
            });
        }
    }
    assert!(judged >= 20_000, "only {judged} questions were judged");
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A total and its parts: `8 (REQUEST 4, REPLY 4)`, `2 of the algorithm (ACQUIRE 1, GRANT 1)`.
fn adds_up(counts: &str) -> bool {
    counts.split("; ").all(|part| {
        let (total, kinds) = part.split_once(" (").unwrap_or((part, ""));
        let total: u32 = total.split(' ').next().and_then(|n| n.parse().ok()).expect("a total");
        let kinds = kinds.trim_end_matches(')').split(", ");
        let count = |k: &str| k.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        total == kinds.map(count).sum::<u32>()
    })
}

#[test]
fn every_total_is_the_sum_of_the_parts_beside_it() {
    assert!(
        !adds_up("2 (ACQUIRE 1, GRANT 1, WRITE 2)") && adds_up("2 (A 1, B 1); 3 outside (C 3)")
    );
    let mut with_others = 0;
    for info in catalog::all().iter().map(|e| e.info) {
        for storage in [None, Some(StorageRule::Plain)] {
            let config = Config { storage, ..Config::new(info.slug, 3) };
            for seed in 0..3 {
                let mut lab = lockstep::lab::Lab::new(config.clone()).expect("the settings fit");
                let mut rng = SplitMix64::new(seed);
                for _ in 0..80 {
                    let mut events = lab.state().enabled();
                    events.extend(lab.state().check(Event::Tell(NodeId(0), NodeId(1))));
                    lab.play(events[rng.below(events.len())]).expect("an enabled event");
                }
                let view = lab.state().view();
                let told = lockstep::export::phrases::messages(&view);
                assert!(adds_up(&told), "{}: {told}", info.slug);
                let own: u32 = lab.state().messages(None);
                assert!(told.starts_with(&own.to_string()), "{}: {told} of {own}", info.slug);
                with_others += u32::from(told.contains("storage") && told.contains("outside"));
                let mut json = Vec::new();
                let exporter = lockstep::export::find("json").expect("a format");
                exporter.export(&lockstep::export::Run::of(&lab), &mut json).expect("a vector");
                let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
                let counts = json["messages"].as_object().expect("counts");
                let sum = |all: &serde_json::Map<String, serde_json::Value>| -> u64 {
                    let kinds = all.iter().filter(|(k, _)| *k != "total");
                    kinds.map(|(_, n)| n.as_u64().expect("a number")).sum()
                };
                let sorts = json["messages_of"].as_object();
                let total = counts["total"].as_u64().expect("a number");
                assert_eq!(sorts.map_or(total, sum), sum(counts), "{}: {counts:?}", info.slug);
            }
        }
    }
    assert!(with_others > 10, "only {with_others} runs had all sorts of messages");
}
