//! YAML: the run as a lesson file without questions, which `run`, `export`, `check` and `learn` take.
//!
//! It holds the settings and the events; what comes of them the engine computes again.

use super::{Exporter, Run};
use crate::input::{OrderedMap, to_yaml};
use crate::model::{ClockRule, Config, FenceOn, QuorumChoice};
use serde::Serialize;
use std::io::{self, Write};

/// The version of lesson files.
const VERSION: u32 = 1;

/// The format.
#[derive(Debug)]
pub struct Yaml;

impl Exporter for Yaml {
    fn name(&self) -> &'static str {
        "yaml"
    }

    fn about(&self) -> &'static str {
        "a lesson file of settings and events: lockstep run FILE plays it again"
    }

    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(to_yaml(&File::of(run)).as_bytes())
    }
}

#[derive(Serialize)]
struct File<'a> {
    lesson: u32,
    id: String,
    title: String,
    about: String,
    cluster: Cluster<'a>,
    steps: Vec<Page>,
}

#[derive(Serialize)]
struct Page {
    say: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    run: Vec<String>,
}

/// The settings of a cluster, as lesson files write them; what is usual is left out.
#[derive(Serialize)]
pub struct Cluster<'a> {
    algorithm: &'a str,
    variant: Option<&'a str>,
    nodes: &'a [String],
    #[serde(skip_serializing_if = "OrderedMap::is_empty")]
    clocks: OrderedMap<&'a str, u32>,
    clock: Option<ClockRule>,
    channels: Option<&'a str>,
    quorums: Option<Quorums<'a>>,
    tree: Option<OrderedMap<&'a str, &'a str>>,
    coordinator: Option<&'a str>,
    storage: Option<&'a str>,
    fence: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    options: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    start: &'a [String],
}

#[derive(Serialize)]
#[serde(untagged)]
enum Quorums<'a> {
    Word(&'static str),
    Sets(OrderedMap<&'a str, &'a [String]>),
}

impl<'a> File<'a> {
    fn of(run: &'a Run<'a>) -> Self {
        let events: Vec<String> =
            run.steps().map(|(record, _)| record.event.show(run.names())).collect();
        let steps = match events.len() {
            1 => "1 step".to_owned(),
            n => format!("{n} steps"),
        };
        let seed = run.seed.map_or(String::new(), |seed| format!(", drawn with seed {seed}"));
        Self {
            lesson: VERSION,
            id: format!("run-{}", run.info().slug),
            title: run.info().title.to_owned(),
            about: format!("A run of {steps}{seed}."),
            cluster: Cluster::of(run.lab().config()),
            steps: vec![Page { say: format!("A run of {steps}. Next plays it."), run: events }],
        }
    }
}

impl<'a> Cluster<'a> {
    /// Those of a cluster.
    #[must_use]
    pub fn of(config: &'a Config) -> Self {
        let named = |value: &'a [Vec<String>]| {
            config.nodes.iter().map(String::as_str).zip(value.iter().map(Vec::as_slice)).collect()
        };
        Self {
            algorithm: &config.algorithm,
            variant: config.variant.as_deref(),
            nodes: &config.nodes,
            clocks: config.nodes.iter().map(String::as_str).zip(config.clocks.clone()).collect(),
            clock: (config.clock != ClockRule::default()).then_some(config.clock),
            channels: config.channels.map(|c| c.word()),
            quorums: match &config.quorums {
                QuorumChoice::Cyclic => None,
                QuorumChoice::Grid => Some(Quorums::Word("grid")),
                QuorumChoice::Plane => Some(Quorums::Word("plane")),
                QuorumChoice::Sets(sets) => Some(Quorums::Sets(named(sets))),
            },
            tree: config
                .tree
                .as_ref()
                .map(|t| t.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect()),
            coordinator: config.coordinator.as_deref(),
            storage: config.storage.map(|s| s.word()),
            fence: (config.fence != FenceOn::default()).then(|| config.fence.word()),
            options: &config.options,
            start: &config.start,
        }
    }
}
