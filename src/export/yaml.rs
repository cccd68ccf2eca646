//! YAML: the run as a lesson file without questions, which `run`, `export`, `check` and `learn` take.
//!
//! It holds the settings and the events; what comes of them the engine computes again.

use super::{Exporter, Run};
use crate::input::to_yaml;
use crate::model::{Config, settings};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
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

/// The settings of a cluster, as lesson files write them; what is usual is omitted.
pub struct Cluster<'a>(&'a Config);

impl Serialize for Cluster<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(settings::ALGORITHM, &self.0.algorithm)?;
        for (key, value) in settings::shown_in_files(self.0) {
            map.serialize_entry(key, &value)?;
        }
        map.end()
    }
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
        Self(config)
    }
}
