//! Every algorithm of the catalog keeps the promises of its own description.
//!
//! Nothing here names an algorithm: a new one is held to all of this by its line in the list.

use lockstep::algorithm::{Helper, Info};
use lockstep::catalog::{self, Entry};
use lockstep::lab::compare::{all_at_once, uncontended};
use lockstep::model::goal::Test;
use lockstep::model::shape::Place;
use lockstep::model::{ChannelOrder, Config, Event, Names, outcome};
use lockstep::sim::scheduler::EndOfRun;
use lockstep::sim::{Mutex, Order, Policy, Progress, Simulation, SplitMix64, columns, goal};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The most steps that a run here may take; more is a run without an end.
const MANY: usize = 10_000;

/// Algorithms that are there to be used; those that teach one thing promise nothing.
fn working() -> impl Iterator<Item = &'static Entry> {
    catalog::all().iter().filter(|e| !e.info.teaching)
}

/// Clusters of `n` nodes: the default one, one for each option, one whose coordinator is a client.
fn clusters(info: &Info, n: usize) -> Vec<Config> {
    let default = Config::new(info.slug, n);
    let mut all = vec![default.clone()];
    for option in info.options {
        let config = Config { options: vec![option.name.to_owned()], ..default.clone() };
        // An option may need another one; alone it is refused then.
        if catalog::setup(&config).is_ok() {
            all.push(config);
        }
    }
    if info.helper == Some(Helper::Coordinator) {
        all.push(Config { coordinator: Some("P1".to_owned()), ..default });
    }
    all
}

/// The same clusters, and those with channels that reorder where the algorithm can bear it.
fn with_channels(info: &Info, n: usize) -> Vec<Config> {
    let mut all = clusters(info, n);
    if info.needs == ChannelOrder::AnyOrder {
        let reordering: Vec<Config> = all
            .iter()
            .map(|c| Config { channels: Some(ChannelOrder::AnyOrder), ..c.clone() })
            .collect();
        all.extend(reordering);
    }
    all
}

fn start(config: &Config) -> Box<dyn Simulation> {
    catalog::start(config).unwrap_or_else(|e| panic!("{}: {e}", config.algorithm))
}

fn is_ordinary(event: &Event) -> bool {
    matches!(event, Event::Request(_) | Event::Deliver(_) | Event::Exit(_))
}

/// Which events besides requests, deliveries and exits are drawn, one step in eight.
#[derive(Clone, Copy)]
enum Faults {
    None,
    /// Messages are copied.
    Copies,
    /// Everything that can be enabled.
    All,
}

impl Faults {
    fn allow(self, event: &Event) -> bool {
        match self {
            Self::None => false,
            Self::Copies => matches!(event, Event::Duplicate(_)),
            Self::All => !is_ordinary(event),
        }
    }
}

/// A draw among what is enabled.
fn draw(sim: &dyn Simulation, rng: &mut SplitMix64, faults: Faults) -> Option<Event> {
    let enabled = sim.enabled();
    let usual: Vec<Event> = enabled.iter().copied().filter(is_ordinary).collect();
    let other: Vec<Event> = enabled.into_iter().filter(|e| faults.allow(e)).collect();
    let unusual = !other.is_empty() && (usual.is_empty() || rng.below(8) == 0);
    let from = if unusual { other } else { usual };
    (!from.is_empty()).then(|| from[rng.below(from.len())])
}

/// What was seen in runs.
#[derive(Default, Debug)]
struct Seen {
    rules: BTreeSet<&'static str>,
    outcomes: BTreeSet<&'static str>,
    kinds: BTreeSet<&'static str>,
    fields: BTreeSet<&'static str>,
}

impl Seen {
    fn look_at(&mut self, sim: &dyn Simulation) {
        let view = sim.view();
        self.fields
            .extend(view.nodes.iter().flat_map(|n| n.fields.0.iter().map(|(name, _)| *name)));
        self.kinds.extend(view.in_flight.iter().map(|f| f.label.kind));
    }

    fn play(&mut self, config: &Config, seed: u64, faults: Faults) {
        let mut sim = start(config);
        let mut rng = SplitMix64::new(seed);
        self.look_at(sim.as_ref());
        for step in 0..250 {
            let Some(event) = draw(sim.as_ref(), &mut rng, faults) else { break };
            let record = sim.step(event).expect("an enabled event");
            self.rules.extend(record.rules.iter().map(|(id, _)| *id));
            self.outcomes.extend(&record.outcomes);
            self.kinds.extend(record.sent.iter().map(|s| s.label.kind));
            if step % 10 == 0 {
                self.look_at(sim.as_ref());
            }
        }
    }

    fn in_random_runs_of(info: &Info) -> Self {
        let mut seen = Self::default();
        for n in 1..=5 {
            for config in with_channels(info, n) {
                for seed in 0..16 {
                    for faults in [Faults::None, Faults::Copies, Faults::All] {
                        seen.play(&config, seed, faults);
                    }
                }
            }
        }
        seen
    }
}

#[test]
fn every_rule_outcome_kind_and_field_occurs_and_no_other() {
    for entry in catalog::all() {
        let info = entry.info;
        let seen = Seen::in_random_runs_of(info);
        let slug = info.slug;
        let rules: BTreeSet<&str> = info.rules.iter().map(|r| r.id).collect();
        assert_eq!(seen.rules, rules, "rules of {slug}: those that fired, those declared");
        let kinds: BTreeSet<&str> = info.kinds.iter().map(|k| k.name).collect();
        assert_eq!(seen.kinds, kinds, "kinds of messages of {slug}: those sent, those declared");
        let fields: BTreeSet<&str> = info.fields.iter().map(|f| f.name).collect();
        assert_eq!(seen.fields, fields, "fields of {slug}: those shown, those declared");
        let declared: BTreeSet<&str> = info.outcomes().into_iter().collect();
        let own = |word: &&str| !outcome::ENGINE.contains(word) || declared.contains(word);
        let occurred: BTreeSet<&str> = seen.outcomes.iter().copied().filter(own).collect();
        assert_eq!(occurred, declared, "outcomes of {slug}: those that occurred, those declared");
    }
}

/// Lets the run go on by itself to its end.
fn finish(sim: &mut dyn Simulation) {
    let mut end = EndOfRun::default();
    let mut policy = Policy::Oldest;
    for _ in 0..MANY {
        if end.reached(sim) {
            return;
        }
        let Some(event) = policy.choose(sim) else { return };
        sim.step(event).expect("the policy chooses among enabled events");
    }
    panic!("{} does not come to an end", sim.info().slug);
}

fn lamps_are_well(sim: &dyn Simulation, said: &str) {
    let lamps = sim.lamps();
    assert_eq!(lamps.mutex, Mutex::Ok, "{said}");
    assert_eq!(lamps.progress, Progress::Ok, "{said}");
    assert!(!matches!(lamps.order, Order::Broken(..)), "{said}: {:?}", lamps.order);
    assert_eq!(lamps.tokens, sim.info().token.then_some(1), "{said}");
}

#[test]
fn without_faults_every_run_keeps_all_lamps_well_and_serves_everybody() {
    for info in working().map(|e| e.info) {
        for (n, seed) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (7, 6)] {
            for config in with_channels(info, n) {
                let mut sim = start(&config);
                let mut rng = SplitMix64::new(seed);
                for _ in 0..300 {
                    let Some(event) = draw(sim.as_ref(), &mut rng, Faults::None) else { break };
                    sim.step(event).expect("an enabled event");
                    let said = format!("{}, {n} nodes, seed {seed}", info.slug);
                    lamps_are_well(sim.as_ref(), &said);
                }
                finish(sim.as_mut());
                let said = format!("{}, {n} nodes, seed {seed}, at the end", info.slug);
                lamps_are_well(sim.as_ref(), &said);
                assert!(sim.at_rest(), "{said}: somebody still waits");
                let view = sim.view();
                assert_eq!(view.entries, view.exits, "{said}");
                assert!(view.entries.iter().all(|e| *e > 0), "{said}: {:?}", view.entries);
            }
        }
    }
}

#[test]
fn one_entry_costs_what_the_formulas_say() {
    for info in working().map(|e| e.info) {
        for n in 2..=8 {
            for config in clusters(info, n) {
                let setup = catalog::setup(&config).expect("it was checked");
                let costs: Vec<u32> = setup
                    .client_ids()
                    .map(|asker| uncontended(start(&config).as_ref(), asker))
                    .collect();
                let measured = (costs.iter().min().copied(), costs.iter().max().copied());
                let said = (Some((info.cost.least)(&setup)), Some((info.cost.most)(&setup)));
                let options = &config.options;
                assert_eq!(measured, said, "{}, {n} nodes, {options:?}: {costs:?}", info.slug);
            }
        }
    }
}

#[test]
fn all_at_once_cost_what_the_formula_says() {
    for info in working().map(|e| e.info) {
        let Some(contended) = info.cost.contended else { continue };
        for n in 2..=8 {
            for config in clusters(info, n) {
                let setup = catalog::setup(&config).expect("it was checked");
                let options = &config.options;
                let said = contended(&setup);
                assert_eq!(
                    all_at_once(start(&config).as_ref()),
                    said,
                    "{}, {n} nodes, {options:?}",
                    info.slug
                );
            }
        }
    }
}

/// Values as goals write them, one of each form.
const LITERALS: [&str; 13] = [
    "P1",
    "{P1}",
    "[P1]",
    "(1,P1)",
    "[(1,P1)]",
    "3",
    "yes",
    "none",
    "{}",
    "[]",
    "someword",
    "(1,2",
    "[0, 0, 0]",
];

#[test]
fn every_variable_holds_the_shape_that_is_told_of_it() {
    let mut seen = BTreeSet::new();
    for info in catalog::all().iter().map(|entry| entry.info) {
        for config in with_channels(info, 3) {
            for seed in 0..8 {
                let mut sim = start(&config);
                let columns = columns(sim.as_ref());
                let mut rng = SplitMix64::new(seed);
                for _ in 0..120 {
                    for node in sim.view().nodes {
                        for (name, value) in &node.fields.0 {
                            let column = columns.iter().find(|c| c.name == *name);
                            let column = column.unwrap_or_else(|| panic!("{}: {name}", info.slug));
                            assert!(
                                column.shape.fits(value),
                                "{}: {name} holds {value:?}, told as {}",
                                info.slug,
                                column.shape.called()
                            );
                            assert!(column.at.iter().any(|(id, _)| *id == node.id), "{name}");
                            seen.insert((info.slug, *name));
                        }
                    }
                    let Some(event) = draw(sim.as_ref(), &mut rng, Faults::All) else { break };
                    sim.step(event).expect("it was enabled");
                }
            }
        }
    }
    let told =
        catalog::all().iter().flat_map(|e| e.info.fields.iter().map(|f| (e.info.slug, f.name)));
    assert_eq!(seen, told.collect());
}

#[test]
fn a_goal_with_another_shape_is_refused_at_its_place_with_the_right_form() {
    let mut refused = 0;
    for info in catalog::all().iter().map(|entry| entry.info) {
        for config in clusters(info, 3) {
            let sim = start(&config);
            for column in columns(sim.as_ref()) {
                for (node, each) in &column.at {
                    let names = &sim.setup().names;
                    let place = Place { names, own: *node, each };
                    let about = format!("field({}, {}) == ", names.get(*node), column.name);
                    let right = column.shape.sample(place).literal(names);
                    let parsed = goal(&format!("{about}{right}"), sim.as_ref());
                    assert!(parsed.is_ok(), "{}: {about}{right}: {parsed:?}", info.slug);
                    for literal in LITERALS {
                        let text = format!("{about}{literal}");
                        match goal(&text, sim.as_ref()) {
                            Ok(goal) => {
                                let Test::Field(_, _, _, value) = &goal.test else {
                                    panic!("{text}")
                                };
                                let nothing = value.is_nothing() && literal == "none";
                                assert!(
                                    column.shape.fits(value) || nothing,
                                    "{}: {text}",
                                    info.slug
                                );
                            }
                            Err(error) if literal == "(1,2" => {
                                assert!(error.message.contains("not closed"), "{text}: {error}");
                            }
                            Err(error) => {
                                refused += 1;
                                assert_eq!(error.at, about.len(), "{text}: {error}");
                                let (_, form) =
                                    error.message.split_once(": write ").expect("a form");
                                let better = goal_of(&format!("{about}{form}"), sim.as_ref());
                                assert!(better, "{}: {text}: {error}", info.slug);
                            }
                        }
                    }
                    let order =
                        goal(&format!("{}<= {right}", about.trim_end_matches("== ")), sim.as_ref());
                    assert_eq!(order.is_ok(), column.shape.is_ordered(), "{about}: {order:?}");
                }
            }
        }
    }
    assert!(refused > 300, "{refused}");
}

fn goal_of(text: &str, sim: &dyn Simulation) -> bool {
    goal(text, sim).is_ok()
}

#[test]
fn what_could_never_hold_is_no_goal() {
    let of = |config: Config, text: &str| match goal(text, start(&config).as_ref()) {
        Ok(_) => String::new(),
        Err(error) => format!("{} {}", error.at, error.message),
    };
    let race = || Config::new("ricart-agrawala", 3);
    let cases = [
        (
            race(),
            "field(P2, deferred) == P1",
            "23 `deferred` holds a set of nodes, not `P1`: write {P1}",
        ),
        (
            race(),
            "field(P2, request) == 1",
            "22 `request` holds a stamp or none, not `1`: write (1,P2)",
        ),
        (
            race(),
            "not in_cs(P1) and field(P2, replies) != [P1]",
            "40 `replies` holds a set of nodes, not `[P1]`: write {P1}",
        ),
        (
            race(),
            "field(P2, deferred) < {P1}",
            "20 `deferred` holds a set of nodes: compare it with == or !=",
        ),
        (race(), "clock(P1) == P2", "13 expected a whole number, not `P2`: clock(…) == 2"),
        (race(), "clock(P1) == {P1}", "13 expected a whole number, not `{P1}`: clock(…) == 2"),
        (race(), "clock(P1) < 0", "12 a count is 0 or more, so that this says nothing"),
        (race(), "messages() >= 0", "14 a count is 0 or more, so that this says nothing"),
        (race(), "tokens() == 1", "7 there are no tokens in this algorithm"),
        (race(), "holds(token, P1)", "6 there are no tokens in this algorithm"),
        (race(), "writes(P1) == 1", "7 this cluster has no storage node"),
        (
            race(),
            "field(P2，deferred) == P1",
            "24 `deferred` holds a set of nodes, not `P1`: write {P1}",
        ),
        (
            Config::new("token-ring", 3),
            "tokens() == {P1}",
            "12 expected a whole number, not `{P1}`: tokens(…) == 2",
        ),
        (
            Config::new("token-ring", 3),
            "field(P1, token) == 1",
            "20 `token` holds here or none, not `1`: write here",
        ),
        (
            Config::new("token-ring", 3),
            "field(P1, highest) == 1",
            "10 no node has `highest` with these settings",
        ),
        (Config::new("central", 3), "field(P1, holder) == P1", "10 P1 has no `holder`; C has"),
        (
            Config::new("lamport", 3),
            "field(P1, queue) == {P1}",
            "20 `queue` holds a queue of stamps, not `{P1}`: write [(3,P2), (5,P1)]",
        ),
        (
            Config::new("lamport", 3),
            "field(P1, heard) == [1]",
            "20 `heard` holds a number for each node, not `[1]`: write [P2:3, P3:3]",
        ),
        (Config::new("lamport", 3), "field(P1, heard) == [1, 2]", ""),
        (Config::new("lamport", 3), "field(P1, queue) == none", ""),
        (Config::new("suzuki-kasami", 3), "field(P1, RN) == [0, 1, 0]", ""),
        (Config::new("raymond", 3), "field(P1, asked) == yes", ""),
        (
            Config::new("raymond", 3),
            "field(P1, asked) == none",
            "20 `asked` holds yes or no, not `none`: write yes",
        ),
        (race(), "field(P1, request) >= (1,P1)", ""),
        (race(), "field(P1, deferred) == none", ""),
    ];
    for (config, text, said) in cases {
        assert_eq!(of(config, text), said, "{text}");
    }
}

#[test]
fn nodes_may_be_called_by_words_of_ours() {
    let named = |names: [&str; 3]| Config {
        nodes: names.map(str::to_owned).to_vec(),
        ..Config::new("ricart-agrawala", 3)
    };
    for names in [
        ["1", "2", "3"],
        ["yes", "idle", "token"],
        ["head", "and", "nobody"],
        ["field", "or", "in_cs"],
    ] {
        let mut sim = start(&named(names));
        for name in names {
            let event = Event::parse(&format!("request {name}"), &sim.setup().names);
            sim.step(event.expect("an event")).expect("it can ask");
        }
        let [a, b, c] = names;
        let event = Event::parse(&format!("deliver {b}→{a}"), &sim.setup().names);
        sim.step(event.expect("an event")).expect("it arrives");
        for text in [
            format!("in_cs({a}) or waiting({b}) and not idle({c})"),
            format!("field({a}, deferred) == {{{b}}}"),
            format!("field({a}, request) == (1,{a}) and clock({a}) == 1"),
        ] {
            let goal = goal(&text, sim.as_ref()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(goal.holds(sim.as_ref()), "{text}");
        }
    }
    for name in ["none", "NONE", "a-", "-", "--", "..", "a.", "Ｐ１", "P₁"] {
        let refused = catalog::setup(&named(["x", "y", name]));
        assert!(refused.is_err_and(|error| error.item == Some(2)), "{name}");
    }
}

fn assert_unique<'a>(what: &str, words: impl Iterator<Item = &'a str>) {
    let mut seen = BTreeSet::new();
    for word in words {
        assert!(seen.insert(word.to_ascii_lowercase()), "two {what} are called `{word}`");
        assert!(!word.trim().is_empty(), "one of the {what} has no name");
    }
}

#[test]
fn names_and_ids_are_unique_and_descriptions_are_sentences() {
    let infos = || catalog::all().iter().map(|e| e.info);
    assert_unique("algorithms", infos().map(|i| i.slug));
    assert_unique("titles", infos().map(|i| i.title));
    assert_unique("rules", infos().flat_map(|i| i.rules).map(|r| r.id));
    assert_unique("variants", infos().flat_map(|i| i.variants).map(|v| v.id));
    for info in infos() {
        let slug = info.slug;
        assert_unique("kinds", info.kinds.iter().map(|k| k.name));
        assert_unique("fields", info.fields.iter().map(|f| f.name));
        assert_unique("options", info.options.iter().map(|o| o.name));
        let ids = info.variants.iter().flat_map(|v| [v.id, v.slug]);
        assert_unique("variants", ids);
        assert!(info.idea.ends_with('.'), "the idea of {slug} is a sentence");
        assert!(info.good_for.ends_with('.'), "what {slug} is good for is a sentence");
        for variant in info.variants {
            assert!(variant.about.ends_with('.'), "{slug}, {}: a sentence", variant.id);
        }
        for about in info.fields.iter().map(|f| f.about) {
            assert!(!about.is_empty() && !about.ends_with('.'), "{slug}: `{about}` is a phrase");
        }
        for rule in info.rules {
            assert!(!rule.on.is_empty() && !rule.text.is_empty(), "{slug}, {}", rule.id);
        }
        for kind in info.kinds {
            assert_eq!(kind.name, kind.name.to_uppercase(), "{slug}: kinds are in capitals");
        }
    }
}

/// The source of an algorithm: its file, and the files in the folder beside it.
fn source_of(info: &Info) -> String {
    let module = info.slug.replace('-', "_");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/algorithm");
    let mut files: Vec<PathBuf> = vec![folder.join(format!("{module}.rs"))];
    if let Ok(beside) = fs::read_dir(folder.join(&module)) {
        files.extend(beside.map(|entry| entry.expect("a readable folder").path()));
    }
    files.sort();
    let read = |path: &PathBuf| {
        fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    files.iter().map(read).collect()
}

/// The handlers of an algorithm: its source without its tables.
fn handlers(source: &str) -> String {
    let mut tables = false;
    let line = |line: &&str| {
        if line.starts_with("const BROKEN") || line.starts_with("#[cfg(test)]") {
            tables = true;
        }
        let shown = !tables && !line.trim_start().starts_with("//");
        tables &= *line != "];";
        shown
    };
    source.lines().filter(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn no_handler_asks_which_variant_is_played() {
    assert!(!handlers("fn f() {}\nconst BROKEN: [B; 1] = [\n    variant,\n];").contains("variant"));
    for info in catalog::all().iter().map(|e| e.info) {
        let handlers = handlers(&source_of(info));
        // Maekawa's voting sets are those in which the variant shows itself, where it has some.
        let asks = handlers.replace("setup.variant().map(|v| &v.shows)", "");
        let asks = asks.replace("variants: &told(&BROKEN)", "").replace("variants: &[]", "");
        for word in ["variant", "broken("] {
            let found =
                asks.lines().find(|l| l.contains(word) && !l.trim_start().starts_with("use "));
            assert_eq!(found, None, "{} asks for a variant", info.slug);
        }
        for id in info.variants.iter().flat_map(|v| [v.id, v.slug]) {
            let named = format!("\"{id}\"");
            assert!(!handlers.contains(&named), "{} names the variant {id}", info.slug);
        }
    }
}

#[test]
fn a_rule_is_written_down_once_and_before_the_handlers() {
    for info in catalog::all().iter().map(|e| e.info).filter(|i| !i.rules.is_empty()) {
        let source = source_of(info);
        let handlers = source.find("impl Algorithm for").expect("handlers");
        for rule in info.rules {
            let places: Vec<usize> = source.match_indices(rule.text).map(|(at, _)| at).collect();
            let whole = source.lines().filter(|l| l.starts_with(&format!("{} ", rule.id)));
            assert_eq!(whole.count(), 1, "{}: {} stands once", info.slug, rule.id);
            assert!(
                places.iter().any(|at| *at < handlers),
                "{}: {} comes late",
                info.slug,
                rule.id
            );
        }
    }
}

/// Text that is an event, or nearly one.
fn event_text() -> impl Strategy<Value = String> {
    let verb = proptest::sample::select(
        "request exit deliver drop duplicate crash recover timeout read write tell local"
            .split(' ')
            .collect::<Vec<_>>(),
    );
    let node = proptest::sample::select(vec!["P1", "P2", "P3", "C", "L", "S", "P4"]);
    let number = proptest::sample::select(vec!["", "#1", "#2", "#3", "#1b", "#9", "#2c"]);
    (verb, node.clone(), node, number).prop_map(|(verb, a, b, no)| match verb {
        "deliver" | "drop" | "duplicate" => format!("{verb} {a}>{b}{no}"),
        "tell" => format!("{verb} {a}>{b}"),
        _ => format!("{verb} {a}"),
    })
}

fn random_state(config: &Config, seed: u64, steps: usize) -> Box<dyn Simulation> {
    let mut sim = start(config);
    let mut rng = SplitMix64::new(seed);
    for _ in 0..steps {
        let Some(event) = draw(sim.as_ref(), &mut rng, Faults::All) else { break };
        sim.step(event).expect("an enabled event");
    }
    sim
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn a_refused_event_changes_nothing(
        which in any::<proptest::sample::Index>(),
        any_order: bool,
        seed: u64,
        steps in 0_usize..60,
        texts in proptest::collection::vec(event_text(), 1..12),
    ) {
        let info = catalog::all()[which.index(catalog::all().len())].info;
        let mut config = Config::new(info.slug, 3);
        config.channels = any_order.then_some(ChannelOrder::AnyOrder);
        let mut sim = random_state(&config, seed, steps);
        let names: Names = sim.setup().names.clone();
        for text in texts {
            let Ok(event) = Event::parse(&text, &names) else { continue };
            let (before, view) = (sim.digest(), sim.view());
            let asked = sim.check(event);
            prop_assert_eq!(&sim.digest(), &before, "asking about `{}` changed something", text);
            match sim.step(event) {
                Ok(record) => prop_assert_eq!(asked, Ok(record.event), "`{}`", text),
                Err(refused) => {
                    prop_assert_eq!(&sim.digest(), &before, "`{}` was refused", text);
                    prop_assert_eq!(sim.view(), view);
                    prop_assert!(!refused.reason.is_empty() && !refused.reason.ends_with('.'));
                    prop_assert_eq!(asked, Err(refused));
                }
            }
        }
    }

    #[test]
    fn what_is_listed_as_enabled_is_accepted_and_what_is_possible_is_listed(
        which in any::<proptest::sample::Index>(),
        seed: u64,
        steps in 0_usize..60,
        text in event_text(),
    ) {
        let info = catalog::all()[which.index(catalog::all().len())].info;
        let sim = random_state(&Config::new(info.slug, 3), seed, steps);
        let enabled = sim.enabled();
        for event in &enabled {
            prop_assert_eq!(sim.check(*event), Ok(*event), "the list is in canonical form");
        }
        if let Ok(event) = Event::parse(&text, &sim.setup().names)
            && !matches!(event, Event::Tell(..) | Event::Local(_))
            && let Ok(canonical) = sim.check(event)
        {
            prop_assert!(enabled.contains(&canonical), "`{}` is possible and not listed", text);
        }
    }
}
