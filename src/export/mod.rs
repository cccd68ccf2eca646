//! Exports: one file a format, all of which write the same run.
//!
//! A format plays nothing and reads no file; it sees a finished run and an output.

pub mod ascii;
pub mod columns;
pub mod comparison;
pub mod html;
pub mod json;
mod json_layout;
mod labels;
mod lanes;
pub mod markdown;
pub mod mermaid;
pub mod phrases;
pub mod plot;
mod sheet;
pub mod shiviz;
pub mod svg;
pub mod text;
pub mod tikz;
pub mod yaml;

use crate::algorithm::Info;
use crate::lab::Lab;
use crate::model::{Names, NodeId, Setup};
use crate::sim::{RevId, Simulation, StepRecord};
use std::io::{self, Write};

/// A run from its beginning to where its lab stands.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    lab: &'a Lab,
    revisions: Vec<RevId>,
    /// The seed by which it was steered, if one was.
    pub seed: Option<u64>,
    /// Whether only ASCII characters may be written.
    pub ascii: bool,
    /// The width that a picture has to fit in, in points. Its height then is at most nine sixteenths of
    /// that, as on a slide.
    pub width: Option<u32>,
}

impl<'a> Run<'a> {
    /// The run to where the lab stands.
    #[must_use]
    pub fn of(lab: &'a Lab) -> Self {
        let history = lab.history();
        let mut revisions: Vec<RevId> = history.ancestors(history.cursor()).collect();
        revisions.reverse();
        Self { lab, revisions, seed: None, ascii: false, width: None }
    }

    /// The same without the steps before one. What led there is part of the run and is not written.
    #[must_use]
    pub fn from_step(mut self, step: u32) -> Self {
        let before = (step.saturating_sub(1) as usize).min(self.revisions.len() - 1);
        self.revisions.drain(..before);
        self
    }

    /// The same without what comes after so many of its steps.
    fn first_steps(&self, steps: usize) -> Self {
        let mut part = self.clone();
        part.revisions.truncate(steps + 1);
        part
    }

    /// The point at which it ends.
    fn ends_at(&self) -> RevId {
        *self.revisions.last().expect("a run has a beginning")
    }

    /// The number of the state at which it begins; 0: the beginning of all.
    #[must_use]
    pub fn begins_at(&self) -> u32 {
        self.states().next().map_or(0, Simulation::steps)
    }

    /// The lab.
    #[must_use]
    pub fn lab(&self) -> &'a Lab {
        self.lab
    }

    /// The checked cluster.
    #[must_use]
    pub fn setup(&self) -> &'a Setup {
        self.lab.setup()
    }

    /// The names of its nodes.
    #[must_use]
    pub fn names(&self) -> &'a Names {
        &self.setup().names
    }

    /// What is known about its algorithm.
    #[must_use]
    pub fn info(&self) -> &'static Info {
        self.lab.state().info()
    }

    /// Its settings in a few words, each under a name.
    #[must_use]
    pub fn about(&self) -> Vec<(&'static str, String)> {
        let setup = self.setup();
        let mut all = vec![("nodes", phrases::list(setup.client_ids().map(|n| setup.name(n))))];
        all.extend(setup.variant_word().map(|word| ("variant", word.to_owned())));
        if setup.clocks.iter().any(|c| *c > 0) {
            all.push(("clocks", phrases::list(setup.clocks[..setup.clients].iter())));
        }
        all.push(("channels", phrases::channels(setup.channels).to_owned()));
        all.extend(self.seed.map(|seed| ("seed", seed.to_string())));
        all
    }

    /// Its states, that of the beginning first.
    pub fn states(&self) -> impl Iterator<Item = &'a dyn Simulation> + '_ {
        self.revisions.iter().map(|id| self.lab.history().state_at(*id))
    }

    /// Its last state.
    #[must_use]
    pub fn end(&self) -> &'a dyn Simulation {
        self.lab.state()
    }

    /// Its steps, each with the state after it.
    pub fn steps(&self) -> impl Iterator<Item = (&'a StepRecord, &'a dyn Simulation)> + '_ {
        let history = self.lab.history();
        let with_state = |id: &RevId| history.record(*id).map(|r| (r, history.state_at(*id)));
        self.revisions.iter().skip(1).filter_map(with_state)
    }

    /// Who entered, in order.
    pub fn entries(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.steps().filter_map(|(record, _)| record.entered)
    }

    /// Who left, in order.
    pub fn exits(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.steps().filter_map(|(record, _)| record.left)
    }
}

/// What a format that draws nothing says of a width.
const NO_WIDTH: &str = "--width: only svg and tikz are drawn to a width";

/// A format in which a run can be written.
pub trait Exporter: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// What it is good for, in a few words for help.
    fn about(&self) -> &'static str;
    /// Writes a run.
    ///
    /// # Errors
    /// Only when the output cannot be written.
    fn export(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()>;
    /// Why it cannot write this run as it is asked for.
    fn refuses(&self, run: &Run<'_>) -> Option<String> {
        let part = run.begins_at() > 0;
        let whole = || {
            format!(
                "--from: {} writes whole runs; pictures, mermaid, markdown and html can begin later",
                self.name()
            )
        };
        part.then(whole).or_else(|| run.width.map(|_| NO_WIDTH.to_owned()))
    }
    /// What whoever opens the written text with the usual tools should know before.
    fn caution(&self, _text: &str) -> Option<String> {
        None
    }
}

/// Every format. A line here puts it into options, help and tests.
pub const EXPORTERS: &[&dyn Exporter] = &[
    &text::Text,
    &json::Json,
    &yaml::Yaml,
    &markdown::Markdown,
    &mermaid::Mermaid,
    &svg::Svg,
    &tikz::Tikz,
    &html::Html,
    &shiviz::Shiviz,
];

/// The format with a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Exporter> {
    EXPORTERS.iter().copied().find(|e| e.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_found_by_their_names_and_no_two_share_one() {
        for (i, exporter) in EXPORTERS.iter().enumerate() {
            let found = find(exporter.name()).expect("a format of the list");
            assert_eq!(found.about(), exporter.about());
            assert!(EXPORTERS[..i].iter().all(|other| other.name() != exporter.name()));
        }
        assert!(find("nothing").is_none());
    }
}
