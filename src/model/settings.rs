//! The settings of a cluster: ONE table, from which everything that takes a cluster is made.
//!
//! Command line, run lines, the `cluster:` of lessons and their schema, the dialogue of lines and Home's
//! form ask this table for their names, forms, help, reading and writing. A new setting is a line here and
//! a field of [`Config`].
//!
//! Form alone is judged here, and whether the nodes that a value names are in the cluster. Whether the
//! value fits an algorithm is the catalog's to say.

mod read;
mod show;

use super::config::{ChannelOrder, ClockRule, Config, FenceOn, StorageRule};
use crate::input::{Raw, Text, nearest};
use serde_json::{Value, json};
use std::sync::LazyLock;

pub use read::Unfit;
pub use show::Shown;

/// What a value is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One of a few words.
    Word,
    /// A name.
    Name,
    /// Names, or how many there are.
    Names,
    /// Names or events.
    List,
    /// A number for each node.
    Numbers,
    /// One of a few words, or a node for each node.
    Tree,
    /// One of a few words, or a set of nodes for each node.
    Sets,
}

/// What an algorithm must have for a setting to mean something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Nothing: it means something everywhere.
    Nothing,
    /// Variants.
    Variants,
    /// Voting sets.
    VotingSets,
    /// A tree of nodes.
    Tree,
    /// A coordinator.
    Coordinator,
    /// A storage node.
    Storage,
    /// Options.
    Options,
}

/// To what a setting belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// To the cluster: it stands wherever a cluster is written.
    Cluster,
    /// To what is played on it by itself: lessons have it in their `cluster:`, and commands that play as
    /// an option of their own.
    Play,
}

/// A setting.
pub struct Setting {
    /// Its key in lessons and run lines.
    pub key: &'static str,
    /// Its long option on the command line, which run lines and the dialogue take as well.
    pub option: &'static str,
    /// Its short option.
    pub short: Option<char>,
    /// Its form in words: `N|NAMES`.
    pub form: &'static str,
    /// What it is, in a sentence without its full stop.
    pub about: &'static str,
    /// What holds where it is not given, in words; empty: that needs no words.
    pub usual: &'static str,
    /// The words that it takes, with what they mean.
    pub words: &'static [(&'static str, &'static str)],
    /// What its value is made of.
    pub shape: Shape,
    /// What an algorithm must have for it.
    pub needs: Needs,
    /// To what it belongs.
    pub of: Of,
    /// Its place among the keys of a lesson's `cluster:`.
    place: u8,
    read: fn(&mut Config, &Raw) -> Result<(), Vec<Unfit>>,
    show: fn(&Config) -> Option<Shown>,
}

impl std::fmt::Debug for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.key)
    }
}

/// What most settings have in common.
const PLAIN: Setting = Setting {
    key: "",
    option: "",
    short: None,
    form: "",
    about: "",
    usual: "",
    words: &[],
    shape: Shape::Word,
    needs: Needs::Nothing,
    of: Of::Cluster,
    place: 0,
    read: |_, _| Ok(()),
    show: |_| None,
};

/// The key of the algorithm, beside which the settings stand.
pub const ALGORITHM: &str = "algorithm";

/// How many nodes a cluster has when nothing says so.
pub const USUAL_NODES: usize = 3;

/// How many settings there are.
const COUNT: usize = 13;

/// Every setting, in the order of run lines and of the command line's help.
pub static SETTINGS: [Setting; COUNT] = [
    Setting {
        key: "nodes",
        option: "nodes",
        short: Some('n'),
        form: "N|NAMES",
        about: "How many nodes (1 to 16), or their names: A,B,C",
        usual: "3, or what the variant needs",
        shape: Shape::Names,
        place: 1,
        read: read::nodes,
        show: |config| Some(show::names(&config.nodes)),
        ..PLAIN
    },
    Setting {
        key: "variant",
        option: "variant",
        form: "NAME",
        about: "Play a broken variant; `lockstep algorithms NAME` lists them",
        shape: Shape::Name,
        needs: Needs::Variants,
        read: |config, raw| read::name(raw).map(|name| config.variant = Some(name)),
        show: |config| config.variant.as_deref().map(Shown::text),
        ..PLAIN
    },
    Setting {
        key: "channels",
        option: "channels",
        form: "ORDER",
        about: "Order in which a channel hands over its messages",
        usual: "fifo, or what the variant needs",
        words: &[
            (ChannelOrder::Fifo.word(), "in the order sent"),
            (ChannelOrder::AnyOrder.word(), "any message may arrive next"),
        ],
        place: 4,
        read: |config, raw| {
            let all = [ChannelOrder::Fifo, ChannelOrder::AnyOrder].map(|c| (c.word(), c));
            read::word(raw, &all).map(|order| config.channels = Some(order))
        },
        show: |config| config.channels.map(|order| Shown::text(order.word())),
        ..PLAIN
    },
    Setting {
        key: "clocks",
        option: "clocks",
        form: "4,2,0",
        about: "First clock values, in the order of the nodes; the rest begin at 0",
        shape: Shape::Numbers,
        place: 2,
        read: read::clocks,
        show: |config| {
            let each =
                config.nodes.iter().cloned().zip(config.clocks.iter().copied().map(Shown::Number));
            (!config.clocks.is_empty()).then(|| Shown::Map(each.collect()))
        },
        ..PLAIN
    },
    Setting {
        key: "clock",
        option: "clock",
        form: "RULE",
        about: "What a receipt does to a clock: max(own, received), or one more",
        usual: ClockRule::Merge.word(),
        words: &[
            (ClockRule::Merge.word(), "max(own, received)"),
            (ClockRule::Tick.word(), "max(own, received) + 1"),
        ],
        place: 3,
        read: |config, raw| {
            let all = [ClockRule::Merge, ClockRule::Tick].map(|rule| (rule.word(), rule));
            read::word(raw, &all).map(|rule| config.clock = rule)
        },
        show: |config| show::unusual(config.clock, ClockRule::default(), ClockRule::word),
        ..PLAIN
    },
    Setting {
        key: "quorums",
        option: "quorums",
        form: "KIND|SETS",
        about: "Voting sets: cyclic, grid, plane, tree, or each node's set: P1 P2,P2 P3,P1 P3",
        usual: "cyclic",
        words: &[
            ("cyclic", "one small pattern, moved around the ring of nodes"),
            ("grid", "row and column of a grid"),
            ("plane", "lines of a projective plane, where there is one"),
            ("tree", "paths of a binary tree, from its root to a leaf"),
        ],
        shape: Shape::Sets,
        needs: Needs::VotingSets,
        place: 5,
        read: read::quorums,
        show: show::quorums,
        ..PLAIN
    },
    Setting {
        key: "tree",
        option: "tree",
        form: "SHAPE",
        about: "Tree of nodes: star, line, heap, or each node's neighbour towards the first: P2>P1,P3>P1",
        usual: "star",
        words: &[
            ("star", "the first node is everybody's neighbour"),
            ("line", "each node is the neighbour of the one before it"),
            ("heap", "node i is the neighbour of node i/2"),
        ],
        shape: Shape::Tree,
        needs: Needs::Tree,
        place: 6,
        read: read::tree,
        show: |config| {
            let edge = |(child, to): &(String, String)| (child.clone(), Shown::text(to));
            config.tree.as_ref().map(|edges| Shown::Map(edges.iter().map(edge).collect()))
        },
        ..PLAIN
    },
    Setting {
        key: "coordinator",
        option: "coordinator",
        form: "NODE",
        about: "Make this node the coordinator in place of an extra node C",
        shape: Shape::Name,
        needs: Needs::Coordinator,
        place: 7,
        read: |config, raw| read::name(raw).map(|name| config.coordinator = Some(name)),
        show: |config| config.coordinator.as_deref().map(Shown::text),
        ..PLAIN
    },
    Setting {
        key: "storage",
        option: "storage",
        form: "KIND",
        about: "Add a storage node S: plain takes every write, fenced refuses a fence below the highest it has seen",
        words: &[
            (StorageRule::Plain.word(), "a storage node S that takes every write"),
            (
                StorageRule::Fenced.word(),
                "a storage node S that refuses a fence below the highest it has seen",
            ),
        ],
        place: 8,
        read: |config, raw| {
            let all = [StorageRule::Plain, StorageRule::Fenced].map(|rule| (rule.word(), rule));
            read::word(raw, &all).map(|rule| config.storage = Some(rule))
        },
        show: |config| config.storage.map(|rule| Shown::text(rule.word())),
        ..PLAIN
    },
    Setting {
        key: "fence",
        option: "fence",
        form: "WHICH",
        about: "Which storage requests carry a fence that is looked at",
        usual: FenceOn::Writes.word(),
        words: &[
            (FenceOn::Writes.word(), "writes alone"),
            (FenceOn::Both.word(), "writes and reads"),
        ],
        needs: Needs::Storage,
        place: 9,
        read: |config, raw| {
            let all = [FenceOn::Writes, FenceOn::Both].map(|on| (on.word(), on));
            read::word(raw, &all).map(|on| config.fence = on)
        },
        show: |config| show::unusual(config.fence, FenceOn::default(), FenceOn::word),
        ..PLAIN
    },
    Setting {
        key: "options",
        option: "option",
        form: "NAME",
        about: "Switch on an option of the algorithm; may be given again for another one",
        shape: Shape::List,
        needs: Needs::Options,
        place: 10,
        read: |config, raw| read::items(raw, &[',']).map(|names| config.options = names),
        show: |config| show::list(&config.options),
        ..PLAIN
    },
    Setting {
        key: "start",
        option: "start",
        form: "EVENTS",
        about: "Events to play before step 0, separated by `;`",
        shape: Shape::List,
        place: 12,
        read: |config, raw| {
            let events = read::items(raw, &[';', ',', '\n'])?;
            config.start = events.into_iter().filter(|event| !event.is_empty()).collect();
            Ok(())
        },
        show: |config| show::list(&config.start),
        ..PLAIN
    },
    Setting {
        key: "requests",
        option: "requests",
        form: "R|2,1,1",
        about: "How often each node asks when every schedule is checked; the last number counts for the rest",
        shape: Shape::Numbers,
        of: Of::Play,
        place: 11,
        read: |_, raw| read::requests(raw).map(|_| ()),
        ..PLAIN
    },
];

/// The settings of the cluster itself.
pub fn of_clusters() -> impl Iterator<Item = &'static Setting> + Clone {
    SETTINGS.iter().filter(|setting| setting.of == Of::Cluster)
}

/// The setting of a cluster with a key, or with the name of an option, long or short.
///
/// # Errors
/// Names the nearest key, or all of them.
pub fn find(word: &str) -> Result<&'static Setting, String> {
    let short = |setting: &Setting| setting.short.is_some_and(|c| word.chars().eq([c]));
    let is = |setting: &&Setting| setting.key == word || setting.option == word || short(setting);
    of_clusters().find(is).ok_or_else(|| {
        let keys = || of_clusters().map(|setting| setting.key);
        match nearest(word, keys()) {
            Some(close) => format!("no setting is called `{word}`; did you mean `{close}`?"),
            None => {
                let keys: Vec<&str> = keys().collect();
                format!("no setting is called `{word}`; settings are {}", keys.join(", "))
            }
        }
    })
}

/// The keys of a lesson's `cluster:` beside `algorithm`, in the order in which they are written.
fn in_files() -> [&'static Setting; COUNT] {
    let mut all = SETTINGS.each_ref();
    all.sort_by_key(|setting| setting.place);
    all
}

/// Every key of a lesson's `cluster:`.
#[must_use]
pub fn file_keys() -> &'static [&'static str] {
    static KEYS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        std::iter::once(ALGORITHM).chain(in_files().map(|setting| setting.key)).collect()
    });
    &KEYS
}

/// The nodes that a value of theirs names; `None`: it does not have the form of one.
#[must_use]
pub fn nodes_of(value: &Raw) -> Option<Vec<String>> {
    let mut settings = Settings::default();
    let nodes = SETTINGS.iter().find(|setting| setting.shape == Shape::Names)?;
    settings.set(nodes, value.clone());
    let (config, unfit) = settings.config("", USUAL_NODES);
    unfit.is_empty().then_some(config.nodes)
}

/// The settings of a cluster that are not the usual ones, as a lesson's `cluster:` writes them.
pub fn shown_in_files(config: &Config) -> impl Iterator<Item = (&'static str, Shown)> {
    in_files().into_iter().filter_map(|setting| Some((setting.key, (setting.show)(config)?)))
}

impl Setting {
    /// Whether a text has the form of a value.
    ///
    /// # Errors
    /// What was read and what was expected.
    pub fn check(&'static self, text: &str) -> Result<(), String> {
        // Without nodes no name can be judged.
        let mut nobody = Config { nodes: Vec::new(), ..Config::new("", 0) };
        let said = |unfit: Vec<Unfit>| unfit.into_iter().next().map(|u| u.message);
        (self.read)(&mut nobody, &Raw::Text(Text::new(text)))
            .map_err(|unfit| said(unfit).unwrap_or_default())
    }

    /// The value that a cluster has, as one text; `None`: the usual one.
    #[must_use]
    pub fn text(&'static self, config: &Config) -> Option<String> {
        let shown = (self.show)(config)?;
        let text = shown.in_a_line();
        let mut again = config.clone();
        let same = (self.read)(&mut again, &Raw::Text(Text::new(&text))).is_ok()
            && (self.show)(&again).as_ref() == Some(&shown);
        // A list of one that reads as something else: `1,` is the node 1, and 1 is one node.
        Some(if same { text } else { text + "," })
    }

    /// The form of the value in a lesson, for editors.
    #[must_use]
    pub fn schema(&self) -> Value {
        let text = json!({ "type": "string" });
        let words: Vec<Value> = self.words.iter().map(|(word, _)| json!(word)).collect();
        let number = json!({ "type": "integer", "format": "uint32", "minimum": 0 });
        let list = |of: &Value| json!({ "type": "array", "items": of });
        let each = |of: &Value| json!({ "type": "object", "additionalProperties": of });
        let written = |as_in: &str| json!({ "type": "string", "pattern": as_in });
        let any = match self.shape {
            Shape::Word => vec![json!({ "enum": words })],
            Shape::Name => vec![text],
            Shape::Names => vec![list(&text), json!({ "type": "integer", "minimum": 1 }), text],
            Shape::List => vec![list(&text), text],
            Shape::Numbers if self.of == Of::Play => {
                vec![list(&number), written("^[0-9]+( *, *[0-9]+)*$"), number]
            }
            Shape::Numbers => {
                vec![each(&number), list(&number), written("^[0-9]+( *, *[0-9]+)*$"), number]
            }
            Shape::Tree => vec![json!({ "enum": words }), each(&text), written(">")],
            Shape::Sets => vec![json!({ "enum": words }), each(&list(&text)), written(",")],
        };
        let any: Vec<Value> = any.into_iter().chain([json!({ "type": "null" })]).collect();
        json!({ "description": format!("{}.", self.about), "anyOf": any })
    }
}

/// The settings that somebody has given, each as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings([Raw; COUNT]);

impl Settings {
    fn place(setting: &Setting) -> usize {
        let place = SETTINGS.iter().position(|one| one.key == setting.key);
        place.expect("every setting is one of the table")
    }

    /// Sets a value, in place of the one that there is.
    pub fn set(&mut self, setting: &Setting, value: Raw) {
        self.0[Self::place(setting)] = value;
    }

    /// Adds a value that somebody has typed.
    ///
    /// # Errors
    /// The text does not have the form of a value, or the setting has been given already and is no list.
    pub fn give(&mut self, setting: &'static Setting, text: &str) -> Result<(), String> {
        let text = match self.text(setting) {
            None => text.to_owned(),
            Some(before) if setting.shape == Shape::List => format!("{before},{text}"),
            Some(_) => return Err("it is given twice".to_owned()),
        };
        setting.check(&text)?;
        self.set(setting, Raw::Text(Text::new(&text)));
        Ok(())
    }

    /// Whether a setting has been given.
    #[must_use]
    pub fn is_given(&self, setting: &Setting) -> bool {
        self.0[Self::place(setting)] != Raw::Nothing
    }

    /// The settings that have been given.
    pub fn given(&self) -> impl Iterator<Item = &'static Setting> {
        SETTINGS.iter().filter(|setting| self.is_given(setting))
    }

    /// The value of a setting, if it was given as a text.
    #[must_use]
    pub fn text(&self, setting: &Setting) -> Option<&str> {
        self.0[Self::place(setting)].as_text()
    }

    /// The variant that has been given.
    #[must_use]
    pub fn variant(&self) -> Option<&str> {
        let variant = SETTINGS.iter().find(|setting| setting.needs == Needs::Variants)?;
        self.text(variant).map(str::trim)
    }

    /// How often each node asks; empty: nothing is said.
    #[must_use]
    pub fn requests(&self) -> Vec<u32> {
        let play = SETTINGS.iter().position(|setting| setting.of == Of::Play);
        play.and_then(|play| read::requests(&self.0[play]).ok()).unwrap_or_default()
    }

    /// The cluster of an algorithm with these settings, and what does not fit, setting by setting. Where
    /// no nodes are given it has as many as there are first clock values, but at least `least`.
    #[must_use]
    pub fn config(&self, algorithm: &str, least: usize) -> (Config, Vec<(&'static str, Unfit)>) {
        let least = least.max(self.clock_values());
        let mut config = Config::new(algorithm, least);
        let mut unfit = Vec::new();
        // The nodes come first: whoever is named later has to be one of them.
        for (setting, raw) in SETTINGS.iter().zip(&self.0).filter(|(_, raw)| **raw != Raw::Nothing)
        {
            if let Err(all) = (setting.read)(&mut config, raw) {
                unfit.extend(all.into_iter().map(|one| (setting.key, one)));
                if setting.shape == Shape::Names {
                    break;
                }
            }
        }
        (config, unfit)
    }

    /// How many first clock values are given in the order of the nodes.
    fn clock_values(&self) -> usize {
        let mut nobody = Config { nodes: Vec::new(), ..Config::new("", 0) };
        let clocks =
            |setting: &Setting| setting.shape == Shape::Numbers && setting.of == Of::Cluster;
        for (setting, raw) in SETTINGS.iter().zip(&self.0).filter(|(setting, _)| clocks(setting)) {
            // What does not fit is told when the cluster is made.
            let _unfit = (setting.read)(&mut nobody, raw);
        }
        nobody.clocks.len()
    }
}
