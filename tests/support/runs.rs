//! Runs for tests of what is written about them: any cluster of the catalog, with any faults.

#![allow(dead_code, reason = "each test program uses a part of this")]

use lockstep::catalog;
use lockstep::export::{self, Run};
use lockstep::lab::Lab;
use lockstep::model::{ChannelOrder, ClockRule, Config, Event, NodeId, StorageRule};
use lockstep::sim::SplitMix64;

/// Names at which a format could stumble: words and signs of its own language, other scripts, and the
/// longest that there may be.
pub const ODD_NAMES: [[&str; 5]; 3] = [
    ["a_b", "x-1", "No", "1.0", "Zoë"],
    ["end", "节点一", "__proto__", "Łukasz_Þ", "W-W.W_W-W.WW"],
    ["-o", "participant", "null", "Ωmega", "alt.2"],
];

const RACE: &str =
    "request P1; request P2; deliver P1>P3; deliver P2>P3; deliver P2>P1; deliver P1>P2";

/// The race at the step at which P2 defers P1.
pub fn race() -> Lab {
    let mut config = Config::new("ricart-agrawala", 3);
    config.clocks = vec![4, 2, 0];
    let mut lab = Lab::new(config).expect("the settings fit");
    lab.play_schedule(RACE).expect("every event is enabled where it stands");
    lab
}

/// A run of anything that can happen, faults and messages outside the algorithm included.
pub fn any_run(config: Config, seed: u64, steps: usize) -> Lab {
    let mut lab = Lab::new(config).expect("the settings fit");
    let mut rng = SplitMix64::new(seed);
    let clients = lab.setup().clients;
    for _ in 0..steps {
        let mut events = lab.state().enabled();
        let (a, b) = (NodeId::at(rng.below(clients)), NodeId::at(rng.below(clients)));
        let outside = if a == b { Event::Local(a) } else { Event::Tell(a, b) };
        events.extend(lab.state().check(outside));
        if events.is_empty() {
            break;
        }
        lab.play(events[rng.below(events.len())]).expect("only enabled events are chosen");
    }
    lab
}

/// Any cluster of the catalog; the bits of `rest` decide the smaller settings.
pub fn any_config(which: usize, n: usize, any_order: bool, rest: u64) -> Config {
    let info = catalog::all()[which].info;
    let mut config = Config::new(info.slug, n);
    config.channels = any_order.then_some(ChannelOrder::AnyOrder);
    config.clock = if rest & 1 == 0 { ClockRule::Merge } else { ClockRule::Tick };
    if rest & 2 == 0 {
        config.clocks = (0..n as u32).map(|i| (i * 7 + 3) % 5).collect();
    }
    if let Some(names) = ODD_NAMES.get((rest >> 2 & 7) as usize) {
        config.nodes = names[..n].iter().map(|s| (*s).into()).collect();
    }
    if config.algorithm == "lease" && rest & 32 == 0 {
        config.storage = Some(StorageRule::Fenced);
    }
    let option = ((rest >> 6) as usize % (info.options.len() + 1)).checked_sub(1);
    config.options = option.map(|place| info.options[place].name.to_owned()).into_iter().collect();
    let place = ((rest >> 7) as usize % (info.variants.len() + 1)).checked_sub(1);
    let variant = place.map(|place| info.variants[place].slug.to_owned());
    // Some variants want a cluster of their own.
    let broken = Config { variant, ..config.clone() };
    if Lab::new(broken.clone()).is_ok() { broken } else { config }
}

/// The run in a format.
pub fn written(format: &str, lab: &Lab) -> String {
    written_with(format, &Run::of(lab))
}

/// The run in a format, with what else is set about it.
pub fn written_with(format: &str, run: &Run<'_>) -> String {
    let exporter = export::find(format).expect("a format of the list");
    let mut bytes = Vec::new();
    exporter.export(run, &mut bytes).expect("a vector can be written");
    String::from_utf8(bytes).expect("every format is text")
}
