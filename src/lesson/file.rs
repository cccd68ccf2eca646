//! The lesson file as its author writes it: one type a map of the file, one field a key.
//!
//! Only form is decided here. Whether a cluster can be built, an event is enabled or a question has
//! one right answer is for `check`.

use crate::input::{OrderedMap, Path};
use crate::model::settings::{self, ALGORITHM, USUAL_NODES, Unfit};
use crate::model::{Config, SETTINGS, Setting, Settings};
use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::json;

pub use super::question::StepFile;
pub use super::vary::VaryFile;

/// The version of the format that this program reads.
pub const VERSION: u32 = 1;

/// Keys that no lesson can do without, though the rest of a file is checked without them.
pub const NEEDED: [&str; 4] = ["lesson", "id", "title", "about"];

/// A whole file.
#[derive(Clone, Debug, serde::Deserialize, JsonSchema)]
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
#[derive(Clone, Debug)]
pub struct ClusterFile {
    /// Slug of the algorithm.
    pub algorithm: String,
    /// The other settings, as they are written.
    pub settings: Settings,
}

impl<'de> Deserialize<'de> for ClusterFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("ClusterFile", &[], ClusterVisitor)
    }
}

struct ClusterVisitor;

impl<'de> Visitor<'de> for ClusterVisitor {
    type Value = ClusterFile;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("keys with values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<ClusterFile, A::Error> {
        let (mut algorithm, mut settings) = (None, Settings::default());
        while let Some(Key(setting)) = entries.next_key()? {
            match setting {
                None => algorithm = Some(entries.next_value()?),
                Some(setting) => settings.set(setting, entries.next_value()?),
            }
        }
        let algorithm = algorithm.ok_or_else(|| A::Error::missing_field("algorithm"))?;
        Ok(ClusterFile { algorithm, settings })
    }
}

/// A key of the cluster: a setting, or the algorithm.
struct Key(Option<&'static Setting>);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        match SETTINGS.iter().find(|setting| setting.key == word) {
            Some(setting) => Ok(Self(Some(setting))),
            None if word == ALGORITHM => Ok(Self(None)),
            None => Err(D::Error::unknown_field(&word, settings::file_keys())),
        }
    }
}

impl JsonSchema for ClusterFile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ClusterFile".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let key = |key: &&'static str| match SETTINGS.iter().find(|setting| setting.key == *key) {
            Some(setting) => ((*key).to_owned(), setting.schema()),
            None => (
                (*key).to_owned(),
                json!({ "description": "Slug of the algorithm.", "type": "string" }),
            ),
        };
        let properties: serde_json::Map<_, _> = settings::file_keys().iter().map(key).collect();
        schemars::json_schema!({
            "description": "The settings of a lesson's cluster.",
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
            "required": [ALGORITHM],
        })
    }
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
    /// Places count from the `cluster:` map. A lesson that names no nodes has three.
    #[must_use]
    pub fn config(&self) -> (Config, Vec<Misfit>) {
        let (config, unfit) = self.settings.config(&self.algorithm, USUAL_NODES);
        let misfit = |(key, unfit): (&str, Unfit)| {
            let path = Path::root().key(key);
            let path = path.segs().iter().chain(unfit.path.segs()).cloned().collect();
            Misfit { path, key: unfit.on_key, message: unfit.message }
        };
        (config, unfit.into_iter().map(misfit).collect())
    }
}
