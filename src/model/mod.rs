//! The vocabulary: nodes, stamps, events, settings, values, goals. Every other module speaks it.
//!
//! Nothing here decides anything: no algorithm, no channel and no clock rule is applied in this module.

pub mod config;
pub mod event;
pub mod goal;
pub mod node;
pub mod outcome;
pub mod schedule;
pub mod script;
pub mod settings;
pub mod setup;
pub mod shape;
pub mod stamp;
pub mod value;

pub use config::{
    ChannelOrder, ClockRule, Config, FenceOn, QuorumChoice, StorageCheck, StorageRule,
};
pub use event::{Event, EventError, MsgId, MsgNo, MsgRef};
pub use goal::{Facts, Goal, GoalError};
pub use node::{Names, NodeId, NodeSet, Phase};
pub use schedule::Schedule;
pub use script::Script;
pub use settings::{SETTINGS, Setting, Settings};
pub use setup::Setup;
pub use shape::Shape;
pub use stamp::Stamp;
pub use value::{Fields, Value};
