//! A run as one line of text: `lamport; nodes=P1,P2,P3; clocks=4,2,0; request P1; deliver P1>P2`.
//!
//! First the algorithm, then the settings that are not the usual ones, then the events; line ends
//! separate as `;` does, and a line that begins with `#` is a comment. It reads and writes text alone;
//! whether settings fit and events can happen is the catalog's and the engine's to say.

use super::{Lab, PlayError};
use crate::catalog;
use crate::input::{clean, nearest};
use crate::model::{ChannelOrder, ClockRule, Config, FenceOn, Names, QuorumChoice, StorageRule};

/// How many nodes there are where nothing says so.
const NODES: usize = 3;

/// Every setting that a line may hold.
const KEYS: [&str; 11] = [
    "nodes",
    "variant",
    "channels",
    "clocks",
    "clock",
    "quorums",
    "tree",
    "coordinator",
    "storage",
    "fence",
    "options",
];
/// Events before step 0.
const START: &str = "start";

/// Why a text is no run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoRun(String);

impl Lab {
    /// The run to where one stands, as one line that [`Lab::of_line`] reads back.
    #[must_use]
    pub fn line(&self) -> String {
        let mut pieces = vec![self.config.algorithm.clone()];
        pieces.extend(settings(&self.config));
        let schedule = self.schedule_text();
        pieces.extend((!schedule.is_empty()).then_some(schedule));
        pieces.join("; ")
    }

    /// Reads a run and plays it to its end.
    ///
    /// # Errors
    /// The first piece that is no setting or no event, that does not fit, or that is refused.
    pub fn of_line(text: &str) -> Result<Self, NoRun> {
        let text = clean(text);
        let kept = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let mut pieces =
            kept.flat_map(|line| line.split(';')).map(str::trim).filter(|p| !p.is_empty());
        let slug = pieces.next().ok_or_else(|| {
            NoRun("there is no run in it; it begins with an algorithm, like lamport".to_owned())
        })?;
        let entry = catalog::find(slug).map_err(|e| NoRun(e.message))?;
        let mut config = Config::new(entry.info.slug, NODES);
        let mut pieces = pieces.peekable();
        while let Some((key, value)) = pieces.peek().and_then(|piece| piece.split_once('=')) {
            set(&mut config, key.trim(), value.trim()).map_err(NoRun)?;
            pieces.next();
        }
        let mut lab = Self::new(config).map_err(|e| NoRun(format!("{}: {}", e.key, e.message)))?;
        let events: Vec<&str> = pieces.collect();
        lab.play_schedule(&events.join(";")).map_err(|error| match error {
            PlayError::Text(error) => NoRun(error.message),
            refused @ PlayError::Refused { .. } => NoRun(refused.to_string()),
        })?;
        Ok(lab)
    }
}

/// The settings that are not the usual ones, and the nodes.
fn settings(config: &Config) -> Vec<String> {
    // Taken apart, so that a new setting cannot be forgotten here.
    let Config {
        algorithm: _,
        variant,
        nodes,
        clocks,
        clock,
        channels,
        coordinator,
        storage,
        fence,
        quorums,
        tree,
        options,
        start,
    } = config;
    let clocks: Vec<String> = clocks.iter().map(u32::to_string).collect();
    let quorums = match quorums {
        QuorumChoice::Cyclic => None,
        QuorumChoice::Grid => Some("grid".to_owned()),
        QuorumChoice::Plane => Some("plane".to_owned()),
        QuorumChoice::Sets(sets) => {
            Some(sets.iter().map(|set| set.join(" ")).collect::<Vec<_>>().join(","))
        }
    };
    let tree = tree.as_ref().map(|edges| {
        edges.iter().map(|(child, to)| format!("{child}>{to}")).collect::<Vec<_>>().join(",")
    });
    let word = |on: bool, word: &str| on.then(|| word.to_owned());
    let list = |items: &[String]| (!items.is_empty()).then(|| items.join(","));
    let values = [
        list(nodes),
        variant.clone(),
        channels.map(|order| order.word().to_owned()),
        list(&clocks),
        word(*clock != ClockRule::default(), clock.word()),
        quorums,
        tree,
        coordinator.clone(),
        storage.map(|rule| rule.word().to_owned()),
        word(*fence != FenceOn::default(), fence.word()),
        list(options),
    ];
    let start = list(start).map(|events| format!("{START}={events}"));
    let pairs = KEYS.iter().zip(values);
    pairs.filter_map(|(key, value)| Some(format!("{key}={}", value?))).chain(start).collect()
}

/// One of a few words.
fn one_of<T: Copy>(key: &str, value: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(value));
    found.map(|(_, what)| *what).ok_or_else(|| {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        format!("{key}: `{value}` is not one of {}", words.join(", "))
    })
}

fn list(value: &str) -> Vec<String> {
    value.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

fn set(config: &mut Config, key: &str, value: &str) -> Result<(), String> {
    use {ChannelOrder as C, ClockRule as R, FenceOn as F, StorageRule as S};
    let some = || (!value.is_empty()).then(|| value.to_owned());
    match key {
        "nodes" => {
            config.nodes = match value.parse() {
                Ok(n @ 1..=16) => Names::numbered(n),
                Ok(_) | Err(_) => list(value),
            }
        }
        "variant" => config.variant = some(),
        "channels" => {
            let words = [C::Fifo, C::AnyOrder].map(|order| (order.word(), order));
            config.channels = Some(one_of(key, value, &words)?);
        }
        "clocks" => {
            let number = |text: &String| {
                text.parse().map_err(|_| format!("clocks: `{text}` is no clock value; write 4,2,0"))
            };
            config.clocks = list(value).iter().map(number).collect::<Result<_, _>>()?;
        }
        "clock" => {
            let words = [R::Merge, R::Tick].map(|rule| (rule.word(), rule));
            config.clock = one_of(key, value, &words)?;
        }
        "quorums" => config.quorums = quorums(value),
        "tree" => {
            let edge = |edge: &String| {
                let ends = edge.split_once('>').map(|(a, b)| (a.trim(), b.trim()));
                ends.map(|(a, b)| (a.to_owned(), b.to_owned()))
                    .ok_or_else(|| format!("tree: `{edge}` is no edge; write P2>P1,P3>P1"))
            };
            config.tree = Some(list(value).iter().map(edge).collect::<Result<_, _>>()?);
        }
        "coordinator" => config.coordinator = some(),
        "storage" => {
            let words = [S::Plain, S::Fenced].map(|rule| (rule.word(), rule));
            config.storage = Some(one_of(key, value, &words)?);
        }
        "fence" => {
            let words = [F::Writes, F::Both].map(|on| (on.word(), on));
            config.fence = one_of(key, value, &words)?;
        }
        "options" => config.options = list(value),
        START => config.start = list(value),
        other => {
            let known = KEYS.iter().copied().chain([START]);
            return Err(match nearest(other, known.clone()) {
                Some(close) => format!("no setting is called `{other}`; did you mean `{close}`?"),
                None => format!(
                    "no setting is called `{other}`; settings are {}",
                    known.collect::<Vec<_>>().join(", ")
                ),
            });
        }
    }
    Ok(())
}

fn quorums(value: &str) -> QuorumChoice {
    match value {
        "cyclic" => QuorumChoice::Cyclic,
        "grid" => QuorumChoice::Grid,
        "plane" => QuorumChoice::Plane,
        sets => {
            let members = |set: &str| set.split_whitespace().map(str::to_owned).collect();
            QuorumChoice::Sets(sets.split(',').map(members).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::SplitMix64;
    use proptest::prelude::*;

    fn read(text: &str) -> Lab {
        Lab::of_line(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_run_with_its_faults_reads_back_as_the_same_run(
            which in 0..catalog::all().len(), n in 1..5_usize, any_order: bool, tick: bool,
            seed: u64, steps in 0..60_usize,
        ) {
            let mut config = Config::new(catalog::all()[which].info.slug, n);
            config.channels = any_order.then_some(ChannelOrder::AnyOrder);
            config.clock = if tick { ClockRule::Tick } else { ClockRule::Merge };
            config.clocks = vec![3];
            let mut lab = Lab::new(config).expect("the settings fit");
            let mut rng = SplitMix64::new(seed);
            for _ in 0..steps {
                let events = lab.state().enabled();
                if events.is_empty() {
                    break;
                }
                lab.play(events[rng.below(events.len())]).expect("it is enabled");
            }
            let line = lab.line();
            prop_assert!(!line.contains('\n'));
            let again = Lab::of_line(&line).expect("a line reads back");
            prop_assert_eq!(again.config(), lab.config());
            prop_assert_eq!(again.line(), line.clone());
            prop_assert_eq!(again.state().view(), lab.state().view());
            let lines = Lab::of_line(&format!("# a run\n{}\n", line.replace("; ", "\n")));
            prop_assert_eq!(lines.expect("line ends separate too").line(), line);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "(lamport|lease)?[;=,>a-zP1-3 #\n]{0,60}") {
            let _ = Lab::of_line(&text);
        }
    }

    #[test]
    fn every_setting_is_written_and_read_back() {
        let lines = [
            "maekawa; nodes=A,B,C; quorums=A B,B C,A C; request A",
            "raymond; nodes=P1,P2,P3; tree=P2>P1,P3>P2; request P3; deliver P3>P2",
            "central; nodes=P1,P2; clocks=1,2; clock=tick; coordinator=P1; request P2",
            "lease; nodes=P1,P2; storage=fenced; fence=both; start=request P1,deliver P1>L",
            "lamport; nodes=P1,P2; variant=no-acknowledge; channels=any-order",
        ];
        for line in lines {
            let text = match Lab::of_line(line) {
                Ok(lab) => lab.line(),
                Err(error) => error.to_string(),
            };
            assert_eq!(text, line);
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_what_was_expected() {
        let cases = [
            ("", "there is no run in it; it begins with an algorithm, like lamport"),
            ("lamprt", "no algorithm is called `lamprt`; did you mean `lamport`?"),
            ("lamport; node=3", "no setting is called `node`; did you mean `nodes`?"),
            ("lamport; clock=up", "clock: `up` is not one of merge, tick"),
            ("lamport; clocks=x", "clocks: `x` is no clock value; write 4,2,0"),
            ("lamport; delver P1>P2", "no event is called `delver`; did you mean `deliver`?"),
            ("lamport; exit P1", "event 1, `exit P1`, is refused: P1 has not asked"),
        ];
        for (text, wanted) in cases {
            let error = Lab::of_line(text).expect_err(text).to_string();
            assert!(error.starts_with(wanted), "{text}: {error}");
        }
        assert_eq!(read("Lamport; nodes=2").line(), "lamport; nodes=P1,P2");
    }
}
