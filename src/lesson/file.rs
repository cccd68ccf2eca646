//! The lesson file as its author writes it: one type a map of the file, one field a key.
//!
//! Only form is decided here. Whether a cluster can be built, an event is enabled or a question has
//! one right answer is for `check`.

use crate::input::{OrderedMap, Path, Raw};
use crate::model::config::{ChannelOrder, ClockRule, FenceOn, QuorumChoice, StorageRule};
use crate::model::{Config, Names};
use schemars::JsonSchema;
use serde::Deserialize;

pub use super::question::StepFile;
pub use super::vary::VaryFile;

/// The version of the format that this program reads.
pub const VERSION: u32 = 1;

/// Keys that no lesson can do without, though the rest of a file is checked without them.
pub const NEEDED: [&str; 4] = ["lesson", "id", "title", "about"];

/// A whole file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LessonFile {
    /// The version of the format.
    #[serde(default)]
    pub lesson: u32,
    /// Stable name; the file is called order, hyphen, id.
    #[serde(default)]
    pub id: String,
    /// The title, one line.
    #[serde(default)]
    pub title: String,
    /// What it is about, for the list of lessons.
    #[serde(default)]
    pub about: String,
    /// Where its facts come from.
    #[serde(default)]
    pub source: Option<String>,
    /// How long it takes.
    #[serde(default)]
    pub minutes: Option<u32>,
    /// Ids of the lessons to do before.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Whether its keys were taken out for the learners.
    #[serde(default)]
    pub stripped: bool,
    /// What is drawn anew for each learner.
    #[serde(default)]
    pub vary: Option<VaryFile>,
    /// What the learner can do afterwards, each under a name.
    #[serde(default)]
    pub objectives: OrderedMap<String, String>,
    /// The cluster that the lesson runs on.
    pub cluster: ClusterFile,
    /// What is said, played and asked, in order.
    pub steps: Vec<StepFile>,
}

/// The settings of a lesson's cluster.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterFile {
    /// Slug of the algorithm.
    pub algorithm: String,
    /// Slug or id of a broken variant.
    #[serde(default)]
    pub variant: Option<String>,
    /// Names of the clients; left away: P1, P2, P3.
    #[serde(default)]
    pub nodes: Option<Vec<String>>,
    /// First clock values, by node; the others begin at 0.
    #[serde(default)]
    pub clocks: OrderedMap<String, u32>,
    /// What a receipt does to a clock.
    #[serde(default)]
    pub clock: ClockRule,
    /// The channel order; left away: what the algorithm needs.
    #[serde(default)]
    pub channels: Option<ChannelOrder>,
    /// `cyclic`, `grid`, `plane`, or each node's voting set.
    #[serde(default)]
    #[schemars(schema_with = "quorums_schema")]
    pub quorums: Raw,
    /// Each node's neighbour towards the first token holder.
    #[serde(default)]
    pub tree: Option<OrderedMap<String, String>>,
    /// A client that is the coordinator as well.
    #[serde(default)]
    pub coordinator: Option<String>,
    /// The storage node, if there is one.
    #[serde(default)]
    pub storage: Option<StorageRule>,
    /// Which storage requests carry a fence.
    #[serde(default)]
    pub fence: FenceOn,
    /// Options of the algorithm.
    #[serde(default)]
    pub options: Vec<String>,
    /// How often each node asks when every schedule is checked; the last number counts for the rest.
    #[serde(default)]
    pub requests: Vec<u32>,
    /// Events played before the lesson begins, not shown as steps.
    #[serde(default)]
    pub start: Vec<String>,
}

/// The forms of voting sets, for editors.
fn quorums_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "description": "`cyclic`, `grid`, `plane`, or each node's voting set.",
        "anyOf": [
            { "enum": ["cyclic", "grid", "plane"] },
            { "type": "object",
              "additionalProperties": { "type": "array", "items": { "type": "string" } } }
        ]
    })
}

/// Something in the file that does not fit, by its place below some part of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// Its place.
    pub path: Path,
    /// Whether the key is meant and not its value.
    pub key: bool,
    /// What is wrong and what was expected.
    pub message: String,
}

impl Misfit {
    /// A value that does not fit.
    #[must_use]
    pub fn value(path: Path, message: impl Into<String>) -> Self {
        Self { path, key: false, message: message.into() }
    }

    /// A key that does not fit.
    #[must_use]
    pub fn key(path: Path, message: impl Into<String>) -> Self {
        Self { path, key: true, message: message.into() }
    }
}

impl ClusterFile {
    /// The settings as the catalog takes them, with what only the form of this file can get wrong.
    /// Places count from the `cluster:` map.
    #[must_use]
    pub fn config(&self) -> (Config, Vec<Misfit>) {
        let nodes = self.nodes.clone().unwrap_or_else(|| Names::numbered(3));
        let mut misfits = Vec::new();
        let clocks = self.clocks_in_order(&nodes, &mut misfits);
        let config = Config {
            variant: self.variant.clone(),
            clocks,
            clock: self.clock,
            channels: self.channels,
            coordinator: self.coordinator.clone(),
            storage: self.storage,
            fence: self.fence,
            quorums: self.quorum_choice(&nodes, &mut misfits),
            tree: self.tree_edges(&nodes, &mut misfits),
            options: self.options.clone(),
            start: self.start.clone(),
            nodes,
            ..Config::new(&self.algorithm, 0)
        };
        (config, misfits)
    }

    fn clocks_in_order(&self, nodes: &[String], misfits: &mut Vec<Misfit>) -> Vec<u32> {
        for name in self.clocks.keys() {
            need_node(name, nodes, Path::root().key("clocks").key(name), true, misfits);
        }
        let value = |name: &String| {
            let found = self.clocks.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map_or(0, |(_, clock)| *clock)
        };
        if self.clocks.is_empty() { Vec::new() } else { nodes.iter().map(value).collect() }
    }

    fn tree_edges(
        &self,
        nodes: &[String],
        misfits: &mut Vec<Misfit>,
    ) -> Option<Vec<(String, String)>> {
        let tree = self.tree.as_ref()?;
        for (child, parent) in tree.iter() {
            let path = Path::root().key("tree").key(child);
            need_node(child, nodes, path.clone(), true, misfits);
            need_node(parent, nodes, path, false, misfits);
        }
        Some(tree.iter().map(|(child, parent)| (child.clone(), parent.clone())).collect())
    }

    fn quorum_choice(&self, nodes: &[String], misfits: &mut Vec<Misfit>) -> QuorumChoice {
        let path = Path::root().key("quorums");
        let forms = "write cyclic, grid, plane, or each node with its list, like {P1: [P1, P2]}";
        match &self.quorums {
            Raw::Nothing => QuorumChoice::default(),
            Raw::Text(word) => match word.trim() {
                "cyclic" => QuorumChoice::Cyclic,
                "grid" => QuorumChoice::Grid,
                "plane" => QuorumChoice::Plane,
                other => {
                    let message = format!("`{other}` makes no voting sets; {forms}");
                    misfits.push(Misfit::value(path, message));
                    QuorumChoice::default()
                }
            },
            Raw::List(_) => {
                misfits.push(Misfit::value(path, format!("a list makes no voting sets; {forms}")));
                QuorumChoice::default()
            }
            Raw::Map(sets) => {
                let mut given: Vec<Vec<String>> = vec![Vec::new(); nodes.len()];
                for (name, members) in sets.iter() {
                    let at = path.clone().key(name.as_str());
                    need_node(name, nodes, at.clone(), true, misfits);
                    let set = quorum(members, nodes, &at, misfits);
                    if let Some(i) = nodes.iter().position(|n| n.eq_ignore_ascii_case(name)) {
                        given[i] = set;
                    }
                }
                let has_set = |n: &&String| sets.keys().any(|key| key.eq_ignore_ascii_case(n));
                for name in nodes.iter().filter(|n| !has_set(n)) {
                    let message = format!("{name} has no voting set");
                    misfits.push(Misfit::value(path.clone(), message));
                }
                QuorumChoice::Sets(given)
            }
        }
    }
}

/// The members of one voting set.
fn quorum(raw: &Raw, nodes: &[String], at: &Path, misfits: &mut Vec<Misfit>) -> Vec<String> {
    let Raw::List(members) = raw else {
        misfits.push(Misfit::value(at.clone(), "a voting set is a list of nodes, like [P1, P2]"));
        return Vec::new();
    };
    let mut set = Vec::new();
    for (i, member) in members.iter().enumerate() {
        let name = member.as_text().unwrap_or_default();
        need_node(name, nodes, at.clone().index(i), false, misfits);
        set.push(name.to_owned());
    }
    set
}

/// Notes a name that no node of the cluster has.
fn need_node(name: &str, nodes: &[String], path: Path, key: bool, misfits: &mut Vec<Misfit>) {
    if !nodes.iter().any(|n| n.eq_ignore_ascii_case(name)) {
        let message = format!("no node `{name}`; this cluster has {}", nodes.join(", "));
        misfits.push(Misfit { path, key, message });
    }
}
