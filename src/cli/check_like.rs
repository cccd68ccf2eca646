//! `lockstep check my.rhai=ricart-agrawala`: whether a script does what another algorithm does.
//!
//! What counts as a difference is decided in the catalog; here it is written.

use super::{Answer, Failure, cluster};
use crate::catalog::{self, Likeness};
use crate::export::columns::wrap;
use crate::model::{Config, Script};
use serde_json::json;
use std::io::Write;

/// Pairs of states that are looked at, unless somebody says otherwise.
const MOST: usize = 200_000;
const WIDTH: usize = 80;

/// The two words of `my.rhai=ricart-agrawala`.
pub(super) fn pair(word: &str) -> Option<(&str, &str)> {
    word.split_once('=').filter(|(script, _)| Script::is_named(script))
}

/// What is compared.
pub(super) struct Compared<'w> {
    /// The script and the other one, as they were typed.
    pub(super) words: (&'w str, &'w str),
    /// The script's cluster.
    pub(super) config: Config,
    /// How often each client asks.
    pub(super) requests: Vec<u32>,
    /// The most pairs of states.
    pub(super) states: Option<usize>,
    /// Whether the report is JSON, of which version.
    pub(super) json: Option<u32>,
}

impl Compared<'_> {
    pub(super) fn execute(self, out: &mut dyn Write) -> Result<Answer, Failure> {
        let (word, like) = self.words;
        let other = cluster::find(like)?;
        let theirs = Config {
            algorithm: other.info.slug.to_owned(),
            script: other.script.clone(),
            ..self.config.clone()
        };
        let most = self.states.unwrap_or(MOST);
        let found = catalog::likeness([&self.config, &theirs], &self.requests, most);
        let (likeness, states) = found.map_err(cluster::unfit)?;
        let nodes = self.config.nodes.len();
        let names = crate::model::Names::new(self.config.nodes.clone());
        let shown =
            |schedule: &crate::model::Schedule| match crate::lab::Lab::new(self.config.clone()) {
                Ok(lab) => schedule.show(&lab.setup().names),
                Err(_) => schedule.show(&names),
            };
        if let Some(version) = self.json {
            let mut told = json!({
                "version": version, "algorithm": word, "like": like, "nodes": nodes, "states": states,
                "verdict": "alike", "difference": null, "counterexample": null, "reasons": [],
            });
            match &likeness {
                Likeness::Alike => {}
                Likeness::Limit => told["verdict"] = json!("limit"),
                Likeness::Apart { schedule, what, reasons } => {
                    told["verdict"] = json!("apart");
                    told["difference"] = json!(what);
                    told["counterexample"] = json!(shown(schedule));
                    told["reasons"] = json!(reasons);
                }
            }
            serde_json::to_writer_pretty(&mut *out, &told).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            match &likeness {
                Likeness::Alike => writeln!(
                    out,
                    "every schedule explored: {word} does what {like} does ({states} states)"
                )?,
                Likeness::Limit => writeln!(
                    out,
                    "limit reached at {states} states: no difference between {word} and {like} so far"
                )?,
                Likeness::Apart { schedule, what, reasons } => {
                    let after = crate::input::count(schedule.0.len(), "event");
                    let said = format!("{word} and {like} part after {after}: {what}");
                    out.write_all(wrap(&said, "", WIDTH).as_bytes())?;
                    writeln!(out, "\nA shortest schedule:\n  {}\n", shown(schedule))?;
                    for (name, reason) in [word, like].iter().zip(reasons) {
                        out.write_all(wrap(reason, &format!("{name}: "), WIDTH).as_bytes())?;
                    }
                }
            }
        }
        Ok(if likeness == Likeness::Alike { Answer::Yes } else { Answer::No(None) })
    }
}
